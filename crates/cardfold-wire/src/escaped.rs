//! What a string with escapes says.

use memchr::{memchr, memmem};

/// A string with escapes, each of which is one; its bytes are UTF-8.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Escaped<'a>(&'a [u8]);

impl<'a> Escaped<'a> {
    /// A string that was found to be one.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// False if what it says certainly has no `words`, which are ASCII and need no escape.
    pub(crate) fn may_have(self, words: &str) -> bool {
        memmem::find(self.0, words.as_bytes()).is_some() || self.has_numbers()
    }

    /// False if certainly no line of what it says starts with `words`, which are ASCII and need no escape.
    pub(crate) fn may_have_line(self, words: &str) -> bool {
        let starts_line = |at: usize| match self.0[..at].strip_suffix(b"\\n") {
            // A backslash before a line end's own would be what that one escapes.
            Some(before) => before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0,
            None => at == 0,
        };
        memmem::find_iter(self.0, words.as_bytes()).any(starts_line) || self.has_numbers()
    }

    /// Any character may be written as its number.
    fn has_numbers(self) -> bool {
        memmem::find(self.0, b"\\u").is_some()
    }

    /// What it says. Half of a surrogate pair is U+FFFD: clients cut texts between the halves, and such a text must not
    /// cost the line its ids (P5).
    pub(crate) fn read(self) -> String {
        let mut text = Vec::with_capacity(self.0.len());
        let mut rest = self.0;
        while let Some(plain) = memchr(b'\\', rest) {
            text.extend_from_slice(&rest[..plain]);
            let (character, len) = escaped_character(&rest[plain..]);
            match u8::try_from(character) {
                Ok(byte) if byte.is_ascii() => text.push(byte),
                Ok(_) | Err(_) => text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
            rest = &rest[plain + len..];
        }
        text.extend_from_slice(rest);
        String::from_utf8(text).expect("the string was found to be UTF-8, and characters are")
    }
}

/// The character that the escape at the start stands for, and the escape's length.
fn escaped_character(escape: &[u8]) -> (char, usize) {
    let character = match escape.get(1) {
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return escaped_unit(escape),
        Some(&itself) => char::from(itself),
        None => char::REPLACEMENT_CHARACTER,
    };
    (character, 2.min(escape.len()))
}

fn escaped_unit(escape: &[u8]) -> (char, usize) {
    let first = unit(escape).unwrap_or(0xFFFD);
    if let (0xD800..=0xDBFF, Some(second @ 0xDC00..=0xDFFF)) = (first, escape.get(6..).and_then(unit)) {
        let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 6.min(escape.len()))
}

/// The UTF-16 unit of a `\uXXXX` escape at the start.
fn unit(bytes: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.get(..6)? else { return None };
    digits.iter().try_fold(0, |unit, digit| char::from(*digit).to_digit(16).map(|value| unit * 16 + value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_escape_says_its_character() {
        for (written, text) in [
            (r#"\"\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t"),
            (r"a\u00e9\u4e2d\ud83d\ude00é", "aé中😀é"),
            (r"\u0022\u005c\u0000", "\"\\\0"),
        ] {
            assert_eq!(Escaped::new(written.as_bytes()).read(), text);
            assert_eq!(serde_json::from_str::<String>(&format!("\"{written}\"")).expect("it is JSON"), text);
        }
    }

    #[test]
    fn half_of_a_pair_is_one_character() {
        for (written, text) in [
            (r"x\ud83d", "x\u{fffd}"),
            (r"\ude00\ud83d\ude00\ude00", "\u{fffd}😀\u{fffd}"),
            (r"\ud83d\ud83d\ude00", "\u{fffd}😀"),
            (r"\uDBFF\n\ud83d\\ude00", "\u{fffd}\n\u{fffd}\\ude00"),
        ] {
            assert_eq!(Escaped::new(written.as_bytes()).read(), text);
        }
    }

    #[test]
    fn words_are_missed_only_where_they_are_not() {
        assert!(Escaped::new(br"a\nagentId: x").may_have("agentId: "));
        assert!(Escaped::new(br"\u0061gentId: x").may_have("agentId: "));
        assert!(!Escaped::new(br"a\nagentid: x").may_have("agentId: "));
        for (written, starts) in [
            (r"agentId: x\n", true),
            (r"a\nagentId: x", true),
            (r"agentid: \\\nagentId: x", true),
            (r"a\\nagentId: x", false),
            (r"\nan agentId: x", false),
            (r"\u000aagentId: x", true),
        ] {
            assert_eq!(Escaped::new(written.as_bytes()).may_have_line("agentId: "), starts, "{written}");
        }
    }
}
