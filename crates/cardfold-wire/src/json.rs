//! JSON, read from the bytes of a line.
//!
//! It takes what the `serde_json` crate takes, and half surrogate pairs and numbers past all bounds besides. It stops
//! after the value: what comes then is not looked at, not even whether it is UTF-8.

use std::{mem, str};

use crate::escaped::Escaped;
use crate::input::{DEPTH, Input, Token};
use crate::json_error::{JsonError, What};
use crate::keys::{Keys, Start};
use crate::number::read_number;
use crate::quoted::{End, SHORT, STEP, end_of_string, plain_length, plain_word_length};
use crate::skip::skip_value;

/// A reader of one value.
pub(crate) struct Json<'de> {
    bytes: &'de [u8],
    /// Bytes that were read.
    at: usize,
    /// Lists and objects that were begun.
    depth: usize,
    /// What comes before the next member of the list or object that was begun last: its opening bracket, which was looked at
    /// and not passed, or a comma.
    before: u8,
    /// The first bytes as text.
    start: &'de str,
}

/// How much of the bytes is looked at for its encoding beforehand: the ids and words of most lines. Of what comes later, a
/// long text for the most part, only what is wanted is looked at.
const START: usize = 2048;

impl<'de> Json<'de> {
    pub(crate) fn new(bytes: &'de [u8]) -> Self {
        let start = bytes.get(..START).unwrap_or(bytes);
        let start = match str::from_utf8(start) {
            Ok(start) => start,
            Err(error) => str::from_utf8(&start[..error.valid_up_to()]).expect("the error says how far they are UTF-8"),
        };
        Self { bytes, at: 0, depth: 0, before: b',', start }
    }

    /// What stands after the value.
    pub(crate) fn rest(&self) -> &'de [u8] {
        &self.bytes[self.at..]
    }

    /// Bytes of the line as text.
    #[inline(always)]
    fn text(&self, from: usize, to: usize) -> Result<&'de str, JsonError> {
        match self.start.get(from..to) {
            Some(text) => Ok(text),
            None => self.later_text(from, to),
        }
    }

    #[inline(never)]
    fn later_text(&self, from: usize, to: usize) -> Result<&'de str, JsonError> {
        str::from_utf8(&self.bytes[from..to]).map_err(|error| JsonError::new(What::NotUtf8, from + error.valid_up_to()))
    }

    fn enter(&mut self, at: usize, opening: u8) -> Result<(), JsonError> {
        self.depth += 1;
        if self.depth == DEPTH {
            return Err(JsonError::new(What::TooDeep, at));
        }
        self.at = at;
        self.before = opening;
        Ok(())
    }

    fn leave(&mut self, at: usize) {
        self.depth -= 1;
        self.at = at + 1;
    }

    /// Goes over what comes before the next member of a list or object; `None` at its end, which is passed.
    fn next_member_at(&mut self, closing: u8, expected: What) -> Result<Option<(u8, usize)>, JsonError> {
        let before = mem::replace(&mut self.before, b',');
        let (byte, at) = next_token(self.bytes, self.at)?;
        if byte != before {
            if byte != closing {
                return Err(JsonError::new(expected, at));
            }
            self.leave(at);
            return Ok(None);
        }
        let (byte, at) = next_token(self.bytes, at + 1)?;
        if byte == closing && before != b',' {
            self.leave(at);
            return Ok(None);
        }
        Ok(Some((byte, at)))
    }

    /// Passes the next key and its colon, and gives the key's number, if the key is short and plain and has nothing but a
    /// comma or a brace before it.
    #[inline(always)]
    fn short_key(&mut self, keys: &Keys) -> Option<Option<u8>> {
        let window = self.bytes.get(self.at..)?.first_chunk::<{ STEP + 4 }>()?;
        let (block, len) = short_key(window, self.before)?;
        self.before = b',';
        self.at += len + 4;
        Some(keys.find_short(Start::of_block(block, len)))
    }

    /// As [`Json::short_key`], for any key; `None` at the object's end, which is passed.
    #[inline(never)]
    fn any_key(&mut self, keys: &Keys) -> Result<Option<Option<u8>>, JsonError> {
        let Some((byte, quote)) = self.next_member_at(b'}', What::CommaOrBrace)? else { return Ok(None) };
        if byte != b'"' {
            return Err(JsonError::new(What::Key, quote));
        }
        let from = quote + 1;
        let end = match short_string(self.bytes, quote) {
            Some(len) => End { quote: from + len, has_escapes: false },
            None => end_of_string(self.bytes, from)?,
        };
        let key = &self.bytes[from..end.quote];
        let number = if end.has_escapes { keys.find(Escaped::new(key).read().as_bytes()) } else { keys.find(key) };
        match next_token(self.bytes, end.quote + 1)? {
            (b':', at) => self.at = at + 1,
            (_, at) => return Err(JsonError::new(What::Colon, at)),
        }
        Ok(Some(number))
    }

    /// Begins the value that comes next.
    #[inline(always)]
    fn value(&mut self, token: &mut Token<'de>) -> Result<(), JsonError> {
        match short_string(self.bytes, self.at) {
            Some(len) => {
                let from = self.at + 1;
                self.at = from + len + 1;
                *token = Token::Text(self.text(from, from + len)?);
                Ok(())
            }
            None => match self.bytes.get(self.at..).and_then(<[u8]>::first_chunk::<4>) {
                Some(b"null") => self.word(4, Token::Null, token),
                Some(b"true") => self.word(4, Token::Boolean(true), token),
                Some(_) | None => self.any_value(token),
            },
        }
    }

    #[inline(always)]
    fn word(&mut self, len: usize, word: Token<'de>, token: &mut Token<'de>) -> Result<(), JsonError> {
        self.at += len;
        *token = word;
        Ok(())
    }

    #[inline(never)]
    fn any_value(&mut self, token: &mut Token<'de>) -> Result<(), JsonError> {
        let (first, at) = next_token(self.bytes, self.at)?;
        *token = match first {
            b'"' => {
                let from = at + 1;
                let end = end_of_string(self.bytes, from)?;
                self.at = end.quote + 1;
                if end.has_escapes {
                    Token::Escaped(Escaped::new(&self.bytes[from..end.quote]))
                } else {
                    Token::Text(self.text(from, end.quote)?)
                }
            }
            b'{' => {
                self.enter(at, b'{')?;
                Token::Object
            }
            b'[' => {
                self.enter(at, b'[')?;
                Token::List
            }
            b'-' | b'0'..=b'9' => {
                let (number, end) = read_number(self.bytes, at)?;
                self.at = end;
                Token::Number(number)
            }
            b't' => {
                self.at = pass_literal(self.bytes, at, b"true")?;
                Token::Boolean(true)
            }
            b'f' => {
                self.at = pass_literal(self.bytes, at, b"false")?;
                Token::Boolean(false)
            }
            b'n' => {
                self.at = pass_literal(self.bytes, at, b"null")?;
                Token::Null
            }
            _ => return Err(JsonError::new(What::Value, at)),
        };
        Ok(())
    }
}

// These are functions of their own, not parts of each thing that wants a value: the processor is to have them at hand.
impl<'de> Input<'de> for Json<'de> {
    #[inline(never)]
    fn begin(&mut self, token: &mut Token<'de>) -> Result<(), JsonError> {
        self.value(token)
    }

    #[inline(never)]
    fn next_element(&mut self, token: &mut Token<'de>) -> Result<bool, JsonError> {
        let Some((_, at)) = self.next_member_at(b']', What::CommaOrBracket)? else { return Ok(false) };
        self.at = at;
        self.value(token)?;
        Ok(true)
    }

    #[inline(always)]
    fn next_known(&mut self, keys: &Keys, value: &mut Token<'de>) -> Result<Option<u8>, JsonError> {
        loop {
            let number = match self.short_key(keys) {
                Some(number) => number,
                None if self.before == b',' && self.bytes.get(self.at) == Some(&b'}') => {
                    self.leave(self.at);
                    return Ok(None);
                }
                None => match self.any_key(keys)? {
                    Some(number) => number,
                    None => return Ok(None),
                },
            };
            if number.is_some() {
                self.value(value)?;
                return Ok(number);
            }
            self.at = skip_value(self.bytes, self.at)?;
        }
    }

    fn next_member(&mut self, value: &mut Token<'de>) -> Result<bool, JsonError> {
        static NONE: Keys = Keys::new(&[]);
        if self.any_key(&NONE)?.is_none() {
            return Ok(false);
        }
        self.value(value)?;
        Ok(true)
    }
}

/// The length of the string whose quote stands at `quote`, if there is one and it is short and plain.
#[inline(always)]
pub(crate) fn short_string(bytes: &[u8], quote: usize) -> Option<usize> {
    let window = bytes.get(quote..)?.first_chunk::<{ 1 + SHORT }>()?;
    if window[0] == b'"' { plain_length(window[1..].first_chunk()?) } else { None }
}

/// The key that begins the window after `before` and its quote, in a block that starts with it, and its length, if there is
/// one of less than 16 plain bytes and with its colon right after it.
#[inline(always)]
pub(crate) fn short_key(window: &[u8; STEP + 4], before: u8) -> Option<(&[u8; STEP], usize)> {
    let block = window[2..].first_chunk()?;
    let len = plain_word_length(block)?;
    (window[0] == before && window[1] == b'"' && window[len + 3] == b':').then_some((block, len))
}

/// The first byte from `at` on that is no white space, and its place.
#[inline(always)]
pub(crate) fn next_token(bytes: &[u8], at: usize) -> Result<(u8, usize), JsonError> {
    match bytes.get(at) {
        Some(&byte) if byte > b' ' => Ok((byte, at)),
        Some(_) | None => pass_space(bytes, at),
    }
}

#[inline(never)]
fn pass_space(bytes: &[u8], mut at: usize) -> Result<(u8, usize), JsonError> {
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\n' | b'\r' | b'\t') => at += 1,
            Some(&byte) => return Ok((byte, at)),
            None => return Err(JsonError::torn(bytes)),
        }
    }
}

/// The place after the `word` that stands at `at`; its first byte was looked at.
#[inline]
pub(crate) fn pass_literal(bytes: &[u8], at: usize, word: &'static [u8]) -> Result<usize, JsonError> {
    if bytes[at..].starts_with(word) {
        return Ok(at + word.len());
    }
    let same = bytes[at..].iter().zip(word).take_while(|(byte, wanted)| byte == wanted).count();
    if at + same == bytes.len() { Err(JsonError::torn(bytes)) } else { Err(JsonError::new(What::Literal, at + same)) }
}
