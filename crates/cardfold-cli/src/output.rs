//! Where the program prints: standard output, and on standard error what went wrong.

use std::fmt::Display;
use std::io::{self, Stdout, Write};

use terminal_size::Width;

use crate::progress::Progress;
use crate::wrapping::Wrapping;

/// Standard output. A bar on the same terminal makes way for what is written.
pub(crate) struct StandardOutput<'p> {
    stdout: Stdout,
    progress: &'p Progress,
}

impl<'p> StandardOutput<'p> {
    pub(crate) fn beside(progress: &'p Progress) -> Self {
        Self { stdout: io::stdout(), progress }
    }
}

impl Write for StandardOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.progress.beside(|| self.stdout.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.progress.beside(|| self.stdout.flush())
    }
}

/// How many characters have room in a line of the terminal at standard output; none where it goes elsewhere.
pub(crate) fn room() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(Width(width), _)| usize::from(width))
}

/// Says on standard error what went wrong. Where even that cannot be written there is nobody left to tell.
pub(crate) fn complain(what: impl Display) {
    let room = terminal_size::terminal_size_of(io::stderr()).map(|(Width(width), _)| usize::from(width));
    let _ = writeln!(Wrapping::new(io::stderr(), room), "cardfold: {what}");
}

/// Lists on standard error what a complaint was about, a line each.
pub(crate) fn list(items: impl IntoIterator<Item: Display>) {
    for item in items {
        let _ = writeln!(io::stderr(), "  {item}");
    }
}
