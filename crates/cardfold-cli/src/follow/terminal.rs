//! The terminal: taken for the view, and given back as it was found, whatever ends the program.

use std::io::{self, BufWriter, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::Show;
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Position, Rect, Size};

use crate::follow::model::Model;
use crate::follow::text::Styles;
use crate::follow::view;

/// Where the view is drawn.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Device {
    Stderr,
    Stdout,
}

/// The terminal is taken. There is one for the whole program, as a panic and a signal know no other.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
static IS_STDERR: AtomicBool = AtomicBool::new(false);

impl Write for Device {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stderr => io::stderr().write(bytes),
            Self::Stdout => io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stderr => io::stderr().flush(),
            Self::Stdout => io::stdout().flush(),
        }
    }
}

/// The screen of the view. It is given back when it goes.
pub(crate) struct Screen {
    device: Device,
    terminal: Terminal<CrosstermBackend<BufWriter<Device>>>,
}

impl Screen {
    /// Takes the terminal.
    pub(crate) fn take(device: Device) -> io::Result<Self> {
        restore_at_panic();
        let terminal = Terminal::new(CrosstermBackend::new(BufWriter::new(device)))?;
        let mut screen = Self { device, terminal };
        screen.enter()?;
        Ok(screen)
    }

    /// Takes the terminal again after [`restore`].
    pub(crate) fn enter(&mut self) -> io::Result<()> {
        IS_STDERR.store(self.device == Device::Stderr, Ordering::Release);
        IS_TAKEN.store(true, Ordering::Release);
        enable_raw_mode()?;
        execute!(self.device, EnterAlternateScreen)?;
        self.repaint()
    }

    /// Draws everything anew next time.
    pub(crate) fn repaint(&mut self) -> io::Result<()> {
        // What clears a terminal would ask it for its cursor, and wait for an answer that not every terminal gives.
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::from((Position::ORIGIN, size)))
    }

    pub(crate) fn size(&self) -> io::Result<Size> {
        self.terminal.size()
    }

    pub(crate) fn draw(&mut self, model: &Model, styles: Styles) -> io::Result<()> {
        self.terminal.draw(|frame| view::draw(frame, model, styles)).map(drop)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back as it was found, if it is taken.
pub(crate) fn restore() {
    if !IS_TAKEN.swap(false, Ordering::AcqRel) {
        return;
    }
    let mut device = if IS_STDERR.load(Ordering::Acquire) { Device::Stderr } else { Device::Stdout };
    // Where the terminal is gone there is nothing to give back.
    let _ = execute!(device, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// What a panic says is to be read on the terminal as it was before.
fn restore_at_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| before_panics_are_told(restore));
}

/// Has something done before a panic is told of.
fn before_panics_are_told(act: fn()) {
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        act();
        tell(info);
    }));
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::thread;

    use super::*;

    #[test]
    fn the_terminal_is_back_before_a_panic_is_told() {
        static STEPS: Mutex<Vec<&str>> = Mutex::new(Vec::new());
        let step = |step| STEPS.lock().expect("nobody falls here").push(step);
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |_| step("told")));
        before_panics_are_told(|| STEPS.lock().expect("nobody falls here").push("restored"));
        let fell = thread::spawn(|| panic!("on purpose")).join().is_err();
        panic::set_hook(hook);
        assert!(fell);
        assert_eq!(*STEPS.lock().expect("nobody falls here"), ["restored", "told"]);
    }
}
