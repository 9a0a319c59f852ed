//! Text on a screen: how wide it is, what of it fits, and which style it has. Knows no card.

use std::fmt::Display;

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::escape::Escaped;
use crate::style::{Palette, Tone};

/// The styles of tones, with colour or without.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Styles {
    has_colour: bool,
}

impl Styles {
    pub(crate) fn of(palette: Palette) -> Self {
        Self { has_colour: palette.has_colour() }
    }

    pub(crate) fn plain() -> Self {
        Self { has_colour: false }
    }

    /// The style of a tone. Names are bold without colour too: that is none.
    pub(crate) fn of_tone(self, tone: Tone) -> Style {
        let coloured = |color| if self.has_colour { Style::new().fg(color) } else { Style::new() };
        match tone {
            Tone::Bad => coloured(Color::Red),
            Tone::Good => coloured(Color::Green),
            Tone::Live => coloured(Color::Cyan),
            Tone::Name => Style::new().add_modifier(Modifier::BOLD),
            Tone::Quiet if self.has_colour => Style::new().add_modifier(Modifier::DIM),
            Tone::Quiet => Style::new(),
            Tone::Unsure => coloured(Color::Yellow),
        }
    }

    /// A piece of text, safe to show.
    pub(crate) fn span(self, tone: Tone, text: impl Display) -> Span<'static> {
        Span::styled(safe(&text.to_string()), self.of_tone(tone))
    }
}

/// The text with everything that could steer a terminal written out.
pub(crate) fn safe(text: &str) -> String {
    Escaped(text).to_string()
}

/// Columns that a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// As much of a text as fits into so many columns; an ellipsis says that there is more.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else { return String::new() };
    let mut shown = beginning(text, room).to_owned();
    shown.truncate(shown.trim_end().len());
    shown.push('…');
    shown
}

/// As much of the end of a text as fits.
pub(crate) fn fit_end(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else { return String::new() };
    let mut start = text.len();
    let mut used = 0;
    for (at, c) in text.char_indices().rev() {
        used += c.width().unwrap_or(0);
        if used > room {
            break;
        }
        start = at;
    }
    format!("…{}", &text[start..])
}

/// The lines of a text on so many columns, broken at blanks where there are any.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    for line in text.split('\n') {
        // A tab is as wide as a terminal likes.
        let line = safe(&line.replace('\t', "    "));
        let mut rest = line.as_str();
        while width(rest) > columns {
            let full = beginning(rest, columns);
            let before = || full.rfind(' ').filter(|at| !full[..*at].trim().is_empty());
            let blank = if rest[full.len()..].starts_with(' ') { Some(full.len()) } else { before() };
            // A wide character that does not fit on a line of its own is cut off by the screen.
            let first = rest.chars().next().map_or(1, char::len_utf8);
            let end = blank.unwrap_or(full.len()).max(first);
            lines.push(rest[..end].trim_end().to_owned());
            rest = &rest[end..];
            if blank.is_some() {
                rest = rest.trim_start();
            }
        }
        if !rest.is_empty() || line.is_empty() {
            lines.push(rest.to_owned());
        }
    }
    lines
}

/// What stands left and what stands right on a line; the right side goes where there is no room for it.
pub(crate) fn both_sides(mut left: Vec<Span<'static>>, right: Vec<Span<'static>>, columns: usize) -> Line<'static> {
    let used = |spans: &[Span<'_>]| spans.iter().map(Span::width).sum::<usize>();
    let gap = columns.checked_sub(used(&left) + used(&right)).filter(|gap| *gap >= 2);
    if let Some(gap) = gap {
        left.push(Span::raw(" ".repeat(gap)));
        left.extend(right);
    }
    Line::from(left)
}

fn beginning(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > columns {
            return &text[..at];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_by_columns() {
        assert_eq!(["abc", "abcd", "abcde", "ab cd"].map(|text| fit(text, 4)), ["abc", "abcd", "abc…", "ab…"]);
        assert_eq!(fit("概要概要", 6), "概要…", "a wide character is not cut in halves");
        assert_eq!([0, 1, 2].map(|columns| fit("abc", columns)), ["", "…", "a…"]);
        assert_eq!([0, 1, 3].map(|columns| fit_end("abcd", columns)), ["", "…", "…cd"]);
    }

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("one\n\n  two three", 6), ["one", "", "  two", "three"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("概要概", 3), ["概", "要", "概"]);
        assert_eq!(wrap("概要", 1), ["概", "要"], "it goes on where nothing fits");
        assert_eq!(wrap("a\tb\u{1b}", 20), ["a    b\\u{1b}"]);
    }
}
