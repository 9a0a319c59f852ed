//! A terminal for the program to run on: a real one as far as it can tell, and what a reader would see of it.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{self, OpenptFlags};
use rustix::termios::{self, Winsize};

const ROWS: u16 = 50;
pub(crate) const COLUMNS: u16 = 100;

/// Nothing in these tests takes that long, but for a machine that does much else.
pub(crate) const FOREVER: Duration = Duration::from_secs(60);

/// A terminal and what stands on it.
pub(crate) struct Terminal {
    /// Our end of it.
    own: File,
    /// Bytes as they come from the program.
    bytes: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// Every byte that came.
    pub(crate) all: Vec<u8>,
}

impl Terminal {
    /// The terminal, and the end of it that a program gets.
    pub(crate) fn open() -> (Self, File) {
        let own = pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal can be made");
        pty::grantpt(&own).expect("the terminal is ours");
        pty::unlockpt(&own).expect("the terminal is ours");
        termios::tcsetwinsize(&own, size(ROWS, COLUMNS)).expect("a terminal has a size");
        let name = pty::ptsname(&own, Vec::new()).expect("a terminal has a name").into_string();
        let name = name.expect("the name of a terminal is plain");
        let program_end = OpenOptions::new().read(true).write(true).open(name).expect("the terminal can be opened");
        let (to, bytes) = mpsc::channel();
        let own = File::from(own);
        let mut read = own.try_clone().expect("a handle can be had twice");
        thread::spawn(move || {
            let mut buffer = [0; 4_096];
            // It fails when nobody has the other end any more.
            while let Ok(length @ 1..) = read.read(&mut buffer) {
                if to.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        (Self { own, bytes, screen: vt100::Parser::new(ROWS, COLUMNS, 1_000), all: Vec::new() }, program_end)
    }

    /// Reads until the screen is as wanted, and gives it.
    pub(crate) fn wait_for(&mut self, is_wanted: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let shown = self.shown();
            if is_wanted(&shown) {
                return shown;
            }
            let left = FOREVER.saturating_sub(begun.elapsed());
            let Ok(bytes) = self.bytes.recv_timeout(left) else { panic!("the screen stays:\n{shown}") };
            self.take(&bytes);
        }
    }

    /// Reads until no program has the terminal any more, and gives what stands on it.
    pub(crate) fn at_the_end(&mut self) -> String {
        while let Ok(bytes) = self.bytes.recv_timeout(FOREVER) {
            self.take(&bytes);
        }
        self.shown()
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.own.write_all(keys.as_bytes()).expect("a terminal takes keys");
    }

    /// Gives it another size, which whoever draws on it is told.
    pub(crate) fn resize(&mut self, rows: u16, columns: u16) {
        termios::tcsetwinsize(&self.own, size(rows, columns)).expect("a terminal has a size");
        self.screen.screen_mut().set_size(rows, columns);
    }

    /// What is set of it: echo, lines, signals of keys.
    pub(crate) fn modes(&self) -> String {
        format!("{:?}", termios::tcgetattr(&self.own).expect("a terminal has modes"))
    }

    /// It shows a screen of its own, as programs do that give it back.
    pub(crate) fn is_on_other_screen(&self) -> bool {
        self.screen.screen().alternate_screen()
    }

    pub(crate) fn hides_cursor(&self) -> bool {
        self.screen.screen().hide_cursor()
    }

    fn take(&mut self, bytes: &[u8]) {
        self.screen.process(bytes);
        self.all.extend_from_slice(bytes);
    }

    pub(crate) fn shown(&self) -> String {
        self.screen.screen().contents()
    }
}

fn size(rows: u16, columns: u16) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}
