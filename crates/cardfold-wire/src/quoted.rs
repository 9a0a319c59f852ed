//! Strings as a line writes them: where one ends, and whether it is one. Knows nothing of what it says.

use std::str;

use wide::{CmpEq, CmpLt, i8x16};

use crate::json_error::{JsonError, What};

/// Where a string ends, and what is in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// The place of its closing quote.
    pub(crate) quote: usize,
    pub(crate) has_escapes: bool,
}

/// The length of the string that begins with these bytes, if it is short and plain ASCII: most strings are a word, an id or
/// a path.
#[inline(always)]
pub(crate) fn plain_length(window: &[u8; SHORT]) -> Option<usize> {
    let (blocks, _) = window.as_chunks();
    for (number, block) in blocks.iter().enumerate() {
        let special = special(block);
        if special != 0 {
            let place = special.trailing_zeros() as usize % STEP;
            return (block[place] == b'"').then_some(number * STEP + place);
        }
    }
    None
}

/// As [`plain_length`], for less than 16 bytes.
#[inline(always)]
pub(crate) fn plain_word_length(block: &[u8; STEP]) -> Option<usize> {
    let len = special(block).trailing_zeros() as usize;
    (len < STEP && block[len] == b'"').then_some(len)
}

/// Bytes in which a short string ends: a uuid has 36.
pub(crate) const SHORT: usize = 3 * STEP;

/// Bytes looked at in one step.
pub(crate) const STEP: usize = 16;

/// The end of any string.
#[inline(never)]
pub(crate) fn end_of_string(bytes: &[u8], from: usize) -> Result<End, JsonError> {
    let (end, has_wide) = find_end(bytes, from)?;
    if has_wide && let Err(error) = str::from_utf8(&bytes[from..end.quote]) {
        return Err(JsonError::new(What::NotUtf8, from + error.valid_up_to()));
    }
    Ok(end)
}

/// A mark for each byte that is a quote, a backslash, a control character or no ASCII.
#[inline]
fn special(block: &[u8; STEP]) -> u32 {
    let block = vector(block);
    let special = block.cmp_eq(i8x16::splat(b'"' as i8))
        | block.cmp_eq(i8x16::splat(b'\\' as i8))
        | block.cmp_lt(i8x16::splat(CONTROLS));
    special.move_mask() as u32
}

/// Signed bytes below this one are control characters, or no ASCII.
const CONTROLS: i8 = 0x20;

#[inline]
fn vector(block: &[u8; STEP]) -> i8x16 {
    i8x16::from(block.map(|byte| byte as i8))
}

/// The end of any string, and whether it has bytes beyond ASCII.
///
/// It looks through 64 bytes at a time, whatever they are: the escapes of a text stand so close (a line end every 30 bytes,
/// in JSON within JSON a quote every 9) that stopping at each of them takes three to six times as long.
fn find_end(bytes: &[u8], from: usize) -> Result<(End, bool), JsonError> {
    let mut end = End { quote: from, has_escapes: false };
    let mut has_wide = false;
    let mut at = from;
    let mut escaped_first = false;
    let mut last = [0; 64];
    loop {
        let block = match bytes[at..].first_chunk::<64>() {
            Some(block) => block,
            None => {
                // What follows the bytes is no part of a string.
                let rest = &bytes[at..];
                last[..rest.len()].copy_from_slice(rest);
                &last
            }
        };
        let marks = Marks::of(block, escaped_first);
        let inside = marks.inside();
        end.has_escapes |= marks.escapes & inside != 0;
        if marks.suspicious & inside != 0 {
            has_wide |= check_suspicious(bytes, at, marks.suspicious & inside, marks.escaped)?;
        }
        if marks.ends != 0 {
            end.quote = at + marks.ends.trailing_zeros() as usize;
            return Ok((end, has_wide));
        }
        escaped_first = marks.escaped_next;
        at += 64;
    }
}

/// What stands where in 64 bytes of a string: a bit a byte.
struct Marks {
    /// Quotes that end the string; only the first one does.
    ends: u64,
    /// Backslashes and what they escape.
    escapes: u64,
    /// What a backslash escapes.
    escaped: u64,
    /// Control characters, bytes beyond ASCII, and escapes other than those that texts are full of.
    suspicious: u64,
    /// The first byte after these is escaped.
    escaped_next: bool,
}

impl Marks {
    #[inline]
    fn of(block: &[u8; 64], escaped_first: bool) -> Self {
        let part = |number: usize| {
            vector(block[number * STEP..].first_chunk::<STEP>().expect("64 bytes are four times sixteen"))
        };
        let parts = [part(0), part(1), part(2), part(3)];
        let quotes = marks(parts, |part| part.cmp_eq(i8x16::splat(b'"' as i8)));
        let backslashes = marks(parts, |part| part.cmp_eq(i8x16::splat(b'\\' as i8)));
        let odd = marks(parts, |part| part.cmp_lt(i8x16::splat(CONTROLS)));
        if backslashes == 0 {
            let escaped = u64::from(escaped_first);
            let unusual = escaped & !quotes;
            return Self {
                ends: quotes & !escaped,
                escapes: escaped,
                escaped,
                suspicious: odd | unusual,
                escaped_next: false,
            };
        }
        let (escaped, escaped_next) = escaped(backslashes, escaped_first);
        let usual = marks(parts, |part| part.cmp_eq(i8x16::splat(b'n' as i8)) | part.cmp_eq(i8x16::splat(b't' as i8)));
        Self {
            ends: quotes & !escaped,
            escapes: backslashes | escaped,
            escaped,
            suspicious: odd | (escaped & !(quotes | backslashes | usual)),
            escaped_next,
        }
    }

    /// The bytes before the end of the string.
    #[inline]
    fn inside(&self) -> u64 {
        if self.ends == 0 { u64::MAX } else { (self.ends & self.ends.wrapping_neg()) - 1 }
    }
}

#[inline]
fn marks(parts: [i8x16; 4], test: impl Fn(i8x16) -> i8x16) -> u64 {
    let [a, b, c, d] = parts.map(|part| u64::from(test(part).move_mask() as u16));
    a | b << 16 | c << 32 | d << 48
}

/// What backslashes escape, and whether the byte after the 64 is escaped: every other backslash of a row escapes what
/// comes after it. Adding a row's first bit to the row carries over its end, which tells even rows from odd ones.
#[inline]
fn escaped(backslashes: u64, escaped_first: bool) -> (u64, bool) {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    let first = u64::from(escaped_first);
    let may_escape = backslashes & !first;
    let ends_of_rows = ((may_escape << 1) | ODD).wrapping_sub(may_escape) ^ ODD;
    (ends_of_rows ^ (backslashes | first), (ends_of_rows & backslashes) >> 63 == 1)
}

/// Refuses control characters and broken escapes; says whether there are bytes beyond ASCII.
#[cold]
fn check_suspicious(bytes: &[u8], start: usize, suspicious: u64, escaped: u64) -> Result<bool, JsonError> {
    let mut has_wide = false;
    let mut left = suspicious;
    while left != 0 {
        let bit = left.trailing_zeros();
        let at = start + bit as usize;
        if at >= bytes.len() {
            return Err(JsonError::torn(bytes));
        }
        if escaped >> bit & 1 == 1 {
            check_escape(bytes, at)?;
        } else if bytes[at] < 0x20 {
            return Err(JsonError::new(What::ControlCharacter, at));
        } else {
            has_wide = true;
        }
        left &= left - 1;
    }
    Ok(has_wide)
}

/// Refuses what is no escape; `at` is the place after its backslash.
fn check_escape(bytes: &[u8], at: usize) -> Result<(), JsonError> {
    match bytes[at] {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(()),
        b'u' => match bytes.get(at + 1..at + 5) {
            Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => Ok(()),
            Some(_) => Err(JsonError::new(What::Escape, at + 4)),
            None => Err(JsonError::torn(bytes)),
        },
        _ => Err(JsonError::new(What::Escape, at)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_ends_at_the_first_quote_that_nothing_escapes() {
        for before in 0..70 {
            for (text, has_escapes) in
                [("", false), ("\\\\", true), ("\\\"", true), ("\\\\\\\"\\n\\u00e9", true), ("é", false)]
            {
                let text = format!("{}{text}", "x".repeat(before));
                let line = format!("{text}\",\"key\":\"value\"}}");
                let end = end_of_string(line.as_bytes(), 0).expect("it is a string");
                assert_eq!((end.quote, end.has_escapes), (text.len(), has_escapes), "{line}");
            }
        }
    }

    #[test]
    fn what_is_no_string_says_where() {
        for before in 0..70 {
            for (text, what, at) in [
                ("\\x\"", What::Escape, 1),
                ("\\\\\\u12g4\"", What::Escape, 7),
                ("\n\"", What::ControlCharacter, 0),
                ("\0\"", What::ControlCharacter, 0),
                ("\\\"", What::Torn, 1),
                ("\\u12", What::Torn, 3),
                ("\\", What::Torn, 0),
                ("x", What::Torn, 0),
            ] {
                let line = format!("{}{text}", "x".repeat(before));
                let error = end_of_string(line.as_bytes(), 0).expect_err("it is no string");
                assert_eq!((error.what, error.at), (what, before + at), "{line}");
            }
            let line = [&b"x".repeat(before)[..], b"\xc3\""].concat();
            let error = end_of_string(&line, 0).expect_err("it is no text");
            assert_eq!((error.what, error.at), (What::NotUtf8, before));
        }
    }
}
