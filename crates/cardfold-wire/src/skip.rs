//! Values that nobody wants: passed, whatever they hold and however deep they nest, but only if they are JSON.

use crate::json::{next_token, pass_literal, short_key, short_string};
use crate::json_error::{JsonError, What};
use crate::number::skip_number;
use crate::quoted::end_of_string;

/// The place after the value that begins at `bytes[at]`, white space before it included.
#[inline(always)]
pub(crate) fn skip_value(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    match short_string(bytes, at) {
        Some(len) => Ok(at + len + 2),
        None => skip_any_value(bytes, at),
    }
}

#[inline(never)]
fn skip_any_value(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    let (first, at) = next_token(bytes, at)?;
    match first {
        b'{' | b'[' => skip_nested(bytes, at),
        _ => skip_leaf(bytes, first, at),
    }
}

#[inline(always)]
fn skip_leaf(bytes: &[u8], first: u8, at: usize) -> Result<usize, JsonError> {
    match first {
        b'"' => match short_string(bytes, at) {
            Some(len) => Ok(at + len + 2),
            None => Ok(end_of_string(bytes, at + 1)?.quote + 1),
        },
        b'-' | b'0'..=b'9' => skip_number(bytes, at),
        b't' => pass_literal(bytes, at, b"true"),
        b'f' => pass_literal(bytes, at, b"false"),
        b'n' => pass_literal(bytes, at, b"null"),
        _ => Err(JsonError::new(What::Value, at)),
    }
}

/// Passes a list or an object without recursion, so that no depth is too deep.
#[inline(never)]
fn skip_nested(bytes: &[u8], mut at: usize) -> Result<usize, JsonError> {
    let mut open = Open::default();
    loop {
        // A value begins here.
        let (first, place) = next_token(bytes, at)?;
        at = place;
        let mut is_object = first == b'{';
        if is_object || first == b'[' {
            open.enter(is_object);
            let (next, place) = next_token(bytes, at + 1)?;
            if next != close(is_object) {
                at = if is_object { skip_key(bytes, at, b'{')? } else { place };
                continue;
            }
            at = place;
        } else {
            at = skip_leaf(bytes, first, at)?;
            is_object = open.is_object();
            let (next, place) = next_token(bytes, at)?;
            at = place;
            if next == b',' {
                at = if is_object { skip_key(bytes, at, b',')? } else { at + 1 };
                continue;
            }
        }
        // What is open ends here, and perhaps what is around it.
        loop {
            if bytes[at] != close(is_object) {
                let what = if is_object { What::CommaOrBrace } else { What::CommaOrBracket };
                return Err(JsonError::new(what, at));
            }
            at += 1;
            if open.leave() {
                return Ok(at);
            }
            is_object = open.is_object();
            let (next, place) = next_token(bytes, at)?;
            at = place;
            if next == b',' {
                at = if is_object { skip_key(bytes, at, b',')? } else { at + 1 };
                break;
            }
        }
    }
}

#[inline(always)]
fn close(is_object: bool) -> u8 {
    if is_object { b'}' } else { b']' }
}

/// Passes the comma or brace that stands at `bytes[at]`, and the key after it with its colon.
#[inline(always)]
fn skip_key(bytes: &[u8], at: usize, before: u8) -> Result<usize, JsonError> {
    if let Some((_, rest)) = bytes.split_at_checked(at)
        && let Some(window) = rest.first_chunk()
        && let Some((_, len)) = short_key(window, before)
    {
        return Ok(at + len + 4);
    }
    skip_any_key(bytes, at + 1)
}

/// As [`skip_key`], for keys that are long or not plain, or have something between them and what is around them.
#[inline(never)]
fn skip_any_key(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    let (first, quote) = next_token(bytes, at)?;
    if first != b'"' {
        return Err(JsonError::new(What::Key, quote));
    }
    let end = match short_string(bytes, quote) {
        Some(len) => quote + len + 1,
        None => end_of_string(bytes, quote + 1)?.quote,
    };
    match next_token(bytes, end + 1)? {
        (b':', at) => Ok(at + 1),
        (_, at) => Err(JsonError::new(What::Colon, at)),
    }
}

/// The lists and objects that are open, a bit each: objects are ones.
#[derive(Default)]
struct Open {
    /// The innermost 64, the innermost one lowest.
    inner: u64,
    depth: usize,
    /// Those around them, 64 each.
    outer: Vec<u64>,
}

impl Open {
    #[inline]
    fn enter(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.inner);
        }
        self.inner = self.inner << 1 | u64::from(is_object);
        self.depth += 1;
    }

    /// Leaves the innermost one; true if it was the last.
    #[inline]
    fn leave(&mut self) -> bool {
        self.inner >>= 1;
        self.depth -= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.inner = self.outer.pop().unwrap_or_default();
        }
        self.depth == 0
    }

    #[inline]
    fn is_object(&self) -> bool {
        self.inner & 1 == 1
    }
}
