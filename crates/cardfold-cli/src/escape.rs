//! Texts of a transcript, made safe to print.
//!
//! The engine cleans the texts that it shows; ids, paths and the words of a problem come as they are. Everything that
//! the text form prints goes through here all the same, so that no transcript can steer a terminal.

use std::fmt::{self, Display, Formatter, Write};
use std::io;

/// Prints `self.0` with every character that could steer a terminal written out as `\u{…}`.
#[derive(Clone, Copy)]
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| if steers(c) { write!(f, "{}", c.escape_unicode()) } else { f.write_char(c) })
    }
}

/// JSON in which every such character stands as `\uXXXX`: the same text to a parser, harmless to a terminal.
pub(crate) struct SafeJson;

impl serde_json::ser::Formatter for SafeJson {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, to: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| steers(*c)) {
            to.write_all(&rest.as_bytes()[..at])?;
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().try_for_each(|unit| write!(to, "\\u{unit:04x}"))?;
            rest = &rest[at + c.len_utf8()..];
        }
        to.write_all(rest.as_bytes())
    }
}

/// Writes a value as [`SafeJson`].
pub(crate) fn write_json(to: &mut impl io::Write, value: &impl serde::Serialize) -> io::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(to, SafeJson)).map_err(io::Error::from)
}

/// Control characters (C0, DEL, C1), direction marks, and the two separators that some terminals break a line at.
pub(crate) fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_steer_a_terminal_is_written_out() {
        let hostile = "a\u{1b}[31mb\u{9b}2Jc\u{202e}d\u{2066}e\rf\ng\u{7f}";
        let shown = Escaped(hostile).to_string();
        assert_eq!(
            shown, "a\\u{1b}[31mb\\u{9b}2Jc\\u{202e}d\\u{2066}e\\u{d}f\\u{a}g\\u{7f}",
            "nothing but printable characters is left"
        );
    }

    #[test]
    fn ordinary_text_stays() {
        for text in ["", "src/lib.rs", "C:\\temp", "übersicht – 概要 🦀", "{\"a\":1}"] {
            assert_eq!(Escaped(text).to_string(), text);
        }
    }
}
