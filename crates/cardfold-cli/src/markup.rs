//! Texts of a transcript in a page or a picture: text, and nothing but text.

use std::fmt::{self, Display, Formatter, Write};

use crate::escape::steers;

/// Writes `self.0` for an element or a quoted attribute: markup as entities, and what a terminal does not get either
/// as `\u{…}`. What XML has no place for goes the same way.
#[derive(Clone, Copy)]
pub(crate) struct Markup<'a>(pub(crate) &'a str);

impl Display for Markup<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| write_char(f, c))
    }
}

/// As [`Markup`], with its lines and tabs kept.
#[derive(Clone, Copy)]
pub(crate) struct MarkupLines<'a>(pub(crate) &'a str);

impl Display for MarkupLines<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| if matches!(c, '\n' | '\t') { f.write_char(c) } else { write_char(f, c) })
    }
}

fn write_char(f: &mut Formatter<'_>, c: char) -> fmt::Result {
    match c {
        '&' => f.write_str("&amp;"),
        '<' => f.write_str("&lt;"),
        '>' => f.write_str("&gt;"),
        '"' => f.write_str("&quot;"),
        '\'' => f.write_str("&#39;"),
        '\u{fffe}' | '\u{ffff}' => write!(f, "{}", c.escape_unicode()),
        c if steers(c) => write!(f, "{}", c.escape_unicode()),
        c => f.write_char(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_of_markup_is_left() {
        let hostile = "</title><script x='y' z=\"&\">\u{0}\u{1b}\u{202e}\u{ffff}\n\t🦀";
        let shown = "&lt;/title&gt;&lt;script x=&#39;y&#39; z=&quot;&amp;&quot;&gt;\\u{0}\\u{1b}\\u{202e}\\u{ffff}";
        assert_eq!(Markup(hostile).to_string(), format!("{shown}\\u{{a}}\\u{{9}}🦀"));
        assert_eq!(MarkupLines(hostile).to_string(), format!("{shown}\n\t🦀"));
    }
}
