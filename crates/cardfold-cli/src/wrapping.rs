//! Lines for people, broken between words where the terminal would break them anywhere. What follows stands further in.

use std::io::{self, Write};

use textwrap::{Options, WordSplitter};

/// How much further in a line goes on.
const STEP: usize = 2;

/// Passes lines on. Where there is a limit none is longer, but for a word that is: a path stays in one piece.
pub(crate) struct Wrapping<W: Write> {
    out: W,
    room: Option<usize>,
    /// The beginning of a line.
    open: Vec<u8>,
}

impl<W: Write> Wrapping<W> {
    /// `room` is the width of the terminal, where there is one.
    pub(crate) fn new(out: W, room: Option<usize>) -> Self {
        Self { out, room, open: Vec::new() }
    }
}

impl<W: Write> Write for Wrapping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(room) = self.room else { return self.out.write(bytes) };
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.open.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = String::from_utf8_lossy(&self.open);
                let wrapped = wrapped(line.trim_end_matches('\n'), room);
                self.open.clear();
                self.out.write_all(wrapped.as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.open)?;
        self.open.clear();
        self.out.flush()
    }
}

fn wrapped(line: &str, room: usize) -> String {
    if textwrap::core::display_width(line) <= room {
        return format!("{line}\n");
    }
    let text = line.trim_start_matches(' ');
    let indent = " ".repeat(line.len() - text.len());
    let further = format!("{indent}{:STEP$}", "");
    let options = Options::new(room)
        .initial_indent(&indent)
        .subsequent_indent(&further)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::wrap(text, options).iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, room: Option<usize>) -> String {
        let mut out = Vec::new();
        let mut wrapping = Wrapping::new(&mut out, room);
        // In pieces, as a formatter writes.
        text.as_bytes().chunks(3).try_for_each(|piece| wrapping.write_all(piece)).expect("memory takes it");
        wrapping.flush().expect("memory takes it");
        String::from_utf8(out).expect("it is text")
    }

    #[test]
    fn lines_are_broken_between_words() {
        let text = "short\n\n  one two three\n  /a/path-that/is/too-long\n    x  y\nopen";
        let broken = "short\n\n  one two\n    three\n  /a/path-that/is/too-long\n    x  y\nopen";
        assert_eq!(shown(text, Some(10)), broken);
        assert_eq!((shown(text, None), shown(text, Some(80))), (text.to_owned(), text.to_owned()));
    }

    /// What stands in a line of its own takes one place, whatever its number in Unicode.
    #[test]
    fn a_sign_takes_one_place() {
        let text = "✓ – → … · ok\n";
        assert_eq!(shown(text, Some(12)), text);
    }

    #[test]
    fn colour_takes_no_room() {
        let text = "\u{1b}[31mone\u{1b}[0m \u{1b}[2mtwo\u{1b}[0m\n";
        assert_eq!(shown(text, Some(7)), text);
    }

    #[test]
    fn no_width_is_too_small() {
        assert_eq!(shown("  one two\n", Some(0)), "  one\n    two\n");
    }
}
