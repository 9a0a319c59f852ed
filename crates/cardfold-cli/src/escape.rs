//! Texts of a transcript, made safe to print.
//!
//! The engine cleans the texts that it shows; ids, paths and the words of a problem come as they are. Everything that
//! the text form prints goes through here all the same, so that no transcript can steer a terminal.

use std::fmt::{self, Display, Formatter, Write};

/// Prints `self.0` with every character that could steer a terminal written out as `\u{…}`.
#[derive(Clone, Copy)]
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| if steers(c) { write!(f, "{}", c.escape_unicode()) } else { f.write_char(c) })
    }
}

/// Control characters (C0, DEL, C1), direction marks, and the two separators that some terminals break a line at.
fn steers(c: char) -> bool {
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
