//! Colour: which, and whether at all.

use std::env;
use std::fmt::{self, Display, Formatter};
use std::io::{self, IsTerminal};

use crate::arguments::Color;

/// What a piece of text means to its reader, which decides its colour.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Tone {
    /// It went wrong.
    Bad,
    /// It went well.
    Good,
    /// It is going on.
    Live,
    /// What a card is called.
    Name,
    /// Less important than its surroundings.
    Quiet,
    /// It wants something of the reader, or is not known for sure.
    Unsure,
}

impl Tone {
    /// The parameter of the terminal's SGR sequence. Only the sixteen basic colours: the terminal's theme picks the
    /// shade.
    fn code(self) -> &'static str {
        match self {
            Self::Bad => "31",
            Self::Good => "32",
            Self::Live => "36",
            Self::Name => "1",
            Self::Quiet => "2",
            Self::Unsure => "33",
        }
    }
}

/// Paints texts, or leaves them alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    colour: bool,
}

impl Palette {
    /// Colour for standard output: by default only on a terminal, and not against the reader's will.
    pub(crate) fn for_stdout(color: Color) -> Self {
        match color {
            Color::Always => Self { colour: true },
            Color::Auto => Self::choose(io::stdout().is_terminal(), &Wishes::of_environment()),
            Color::Never => Self { colour: false },
        }
    }

    /// Colour for a screen: on a terminal anyhow.
    pub(crate) fn for_screen(color: Color) -> Self {
        match color {
            Color::Always => Self { colour: true },
            Color::Auto => Self::choose(true, &Wishes::of_environment()),
            Color::Never => Self { colour: false },
        }
    }

    /// Colour for a file: only where it was asked for.
    pub(crate) fn for_file(color: Color) -> Self {
        match color {
            Color::Always => Self { colour: true },
            Color::Auto | Color::Never => Self { colour: false },
        }
    }

    /// No colour.
    #[cfg(test)]
    pub(crate) fn plain() -> Self {
        Self { colour: false }
    }

    fn choose(terminal: bool, wishes: &Wishes) -> Self {
        Self { colour: terminal && !wishes.no_color && !wishes.dumb_terminal }
    }

    /// There is colour at all.
    pub(crate) fn has_colour(self) -> bool {
        self.colour
    }

    /// `text` in the colour of `tone`.
    pub(crate) fn paint<T: Display>(self, tone: Tone, text: T) -> Painted<T> {
        Painted { code: self.colour.then(|| tone.code()), text }
    }
}

/// What the environment says about colour.
struct Wishes {
    /// `NO_COLOR` is there and not empty (no-color.org).
    no_color: bool,
    /// `TERM=dumb`: a terminal that knows no colour.
    dumb_terminal: bool,
}

impl Wishes {
    fn of_environment() -> Self {
        Self {
            no_color: env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
            dumb_terminal: env::var_os("TERM").is_some_and(|value| value == "dumb"),
        }
    }
}

/// A text and the colour it is to have.
pub(crate) struct Painted<T> {
    code: Option<&'static str>,
    text: T,
}

impl<T: Display> Display for Painted<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "\x1b[{code}m{}\x1b[0m", self.text),
            None => self.text.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_needs_a_terminal_and_no_objection() {
        let willing = Wishes { no_color: false, dumb_terminal: false };
        let unwilling = Wishes { no_color: true, dumb_terminal: false };
        let unable = Wishes { no_color: false, dumb_terminal: true };
        for (terminal, wishes, colour) in
            [(true, &willing, true), (false, &willing, false), (true, &unwilling, false), (true, &unable, false)]
        {
            assert_eq!(Palette::choose(terminal, wishes).colour, colour);
        }
    }

    #[test]
    fn paint_ends_what_it_begins() {
        let colour = Palette { colour: true };
        assert_eq!(colour.paint(Tone::Bad, "x").to_string(), "\x1b[31mx\x1b[0m");
        assert_eq!(Palette::plain().paint(Tone::Bad, "x").to_string(), "x");
    }
}
