//! The view on a terminal: news, keys, signals and the clock, one after the other.

use std::io;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossterm::event::{self, KeyEvent};

use crate::follow::clock::here_ms;
use crate::follow::input::Input;
use crate::follow::keys::{self, Action};
use crate::follow::model::Model;
use crate::follow::sessions::{Folding, Shared, Stage};
use crate::follow::signals::{self, Signal};
use crate::follow::terminal::{self, Device, Screen};
use crate::follow::text::Styles;
use crate::follow::watch::Watch;
use crate::style::Palette;

/// The view is drawn this often while something runs, for the time that it has run.
const TICK: Duration = Duration::from_millis(500);

/// It is drawn no more often than this.
const INTERVAL: Duration = Duration::from_millis(33);

/// A key is waited for so long before somebody asks whether there is still a view.
const KEY_PATIENCE: Duration = Duration::from_millis(200);

/// If a signal has not ended the program in this time, whoever should have done so is stuck.
const SIGNAL_PATIENCE: Duration = Duration::from_secs(2);

/// What the view is told.
#[derive(Debug)]
pub(crate) enum News {
    /// Cards changed.
    Cards,
    Key(KeyEvent),
    /// The reader has come to its end, or fell.
    ReaderGone,
    Resized,
    Signal(Signal),
}

/// How the view came to be closed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Closed {
    /// The input ended.
    Over,
    /// Somebody quit.
    Quit,
    Signal(i32),
}

/// Shows the view until somebody quits, or where input is passed through until that ends; gives how many frames came.
pub(crate) fn run(input: Input, device: Device, palette: Palette, passes_through: bool) -> io::Result<u64> {
    let (to, news) = mpsc::channel();
    let (shared, is_told) = (Shared::default(), Arc::new(AtomicBool::new(false)));
    let (is_left, is_closed) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let source = input.name();
    // Signals come before the terminal is taken, so that there is no moment in which one would leave it taken.
    watch_signals(to.clone())?;
    let mut screen = Screen::take(device)?;
    read_keys(to.clone(), Arc::clone(&is_closed));
    let folding = Folding {
        shared: shared.clone(),
        news: to.clone(),
        is_told: Arc::clone(&is_told),
        is_left: Arc::clone(&is_left),
        is_live: input.is_stream(),
        told_at: Instant::now(),
        anew: None,
    };
    let reader = start_reader(input, folding, to);
    let mut view =
        View { news, shared: shared.clone(), is_told, model: Model::new(source), styles: Styles::of(palette) };
    let closed = view.run(&mut screen, passes_through);
    // Whoever would tell of something finds that nobody is there.
    drop((screen, view));
    is_closed.store(true, Ordering::Release);
    let closed = closed?;
    if let Closed::Signal(signal) = closed {
        signals::end(signal)?;
    }
    // Who quits the view does not break the pipe that it stands in; a file has no end to wait for.
    if passes_through || closed == Closed::Over {
        reader.join().unwrap_or_else(|cause| panic::resume_unwind(cause));
    } else {
        is_left.store(true, Ordering::Release);
    }
    let sessions = shared.lock();
    // Who quits early has not asked whether anything would have come.
    Ok(if sessions.stage == Stage::Over { sessions.frames } else { sessions.frames.max(1) })
}

/// The view and what it is told.
struct View {
    news: Receiver<News>,
    shared: Shared,
    is_told: Arc<AtomicBool>,
    model: Model,
    styles: Styles,
}

impl View {
    fn run(&mut self, screen: &mut Screen, passes_through: bool) -> io::Result<Closed> {
        let mut drawn = None;
        loop {
            let left = drawn.map_or(Duration::ZERO, |drawn: Instant| INTERVAL.saturating_sub(drawn.elapsed()));
            // What comes in quick succession is drawn at once.
            let mut wait = left;
            while let Some(news) = self.next(wait)? {
                if let Some(closed) = self.take(news, screen, passes_through)? {
                    return Ok(closed);
                }
                wait = drawn.map_or(Duration::ZERO, |drawn: Instant| INTERVAL.saturating_sub(drawn.elapsed()));
            }
            self.draw(screen)?;
            drawn = Some(Instant::now());
            // Until there is something new.
            let idle = if self.model.moves() { TICK } else { TICK.saturating_mul(120) };
            if let Some(news) = self.next(idle)?
                && let Some(closed) = self.take(news, screen, passes_through)?
            {
                return Ok(closed);
            }
        }
    }

    /// What comes within a time.
    fn next(&self, wait: Duration) -> io::Result<Option<News>> {
        match self.news.recv_timeout(wait) {
            Ok(news) => Ok(Some(news)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(io::Error::other("nobody is left to tell anything")),
        }
    }

    fn draw(&mut self, screen: &mut Screen) -> io::Result<()> {
        self.is_told.store(false, Ordering::Release);
        self.model.update(&self.shared.lock(), here_ms());
        let size = screen.size()?;
        self.model.fit(size.width, size.height);
        screen.draw(&self.model, self.styles)
    }

    /// Takes one thing; says if that closes the view.
    fn take(&mut self, news: News, screen: &mut Screen, passes_through: bool) -> io::Result<Option<Closed>> {
        match news {
            News::Cards | News::Resized => Ok(None),
            News::Key(key) => {
                let Some(action) = keys::action(key, self.model.mode()) else { return Ok(None) };
                match action {
                    Action::Quit => return Ok(Some(Closed::Quit)),
                    Action::Repaint => screen.repaint()?,
                    Action::Suspend => signals::ask_all_to_stop()?,
                    Action::Back
                    | Action::DropFilter
                    | Action::Erase
                    | Action::Filter
                    | Action::KeepFilter
                    | Action::Move(_)
                    | Action::Open
                    | Action::Type(_) => self.model.act(action, screen.size()?.height),
                }
                Ok(None)
            }
            News::ReaderGone => {
                let is_over = self.shared.lock().stage == Stage::Over;
                // A stream that is over stays in sight, unless others wait for this program; a reader that fell has
                // nothing more to show.
                Ok((passes_through || !is_over).then_some(Closed::Over))
            }
            News::Signal(Signal::Stop) => suspend(screen).map(|()| None),
            News::Signal(Signal::Continue) => {
                // Whoever had the terminal meanwhile may have changed it.
                terminal::restore();
                screen.enter().map(|()| None)
            }
            News::Signal(Signal::End(number)) => Ok(Some(Closed::Signal(number))),
        }
    }
}

/// Stops the program, on the terminal as it was; it goes on where it was.
fn suspend(screen: &mut Screen) -> io::Result<()> {
    terminal::restore();
    signals::stop()?;
    screen.enter()
}

fn start_reader(input: Input, mut folding: Folding, to: Sender<News>) -> JoinHandle<()> {
    thread::spawn(move || {
        // Also where the reader falls.
        let _farewell = Farewell(to);
        input.follow(Watch::new(), &mut folding);
    })
}

struct Farewell(Sender<News>);

impl Drop for Farewell {
    fn drop(&mut self) {
        let _ = self.0.send(News::ReaderGone);
    }
}

fn read_keys(to: Sender<News>, is_closed: Arc<AtomicBool>) {
    thread::spawn(move || {
        while !is_closed.load(Ordering::Acquire) {
            let event = match event::poll(KEY_PATIENCE).and_then(|is_there| is_there.then(event::read).transpose()) {
                Ok(Some(event)) => event,
                Ok(None) => continue,
                // Without keys there are signals.
                Err(_) => return,
            };
            let news = match (&event, event.as_key_event()) {
                (_, Some(key)) => News::Key(key),
                (event, None) if event.is_resize() => News::Resized,
                (_, None) => continue,
            };
            if to.send(news).is_err() {
                return;
            }
        }
    });
}

fn watch_signals(to: Sender<News>) -> io::Result<()> {
    signals::watch_all(move |signal| {
        let is_taken = to.send(News::Signal(signal)).is_ok();
        let number = match signal {
            Signal::Continue => return,
            // Where the view is closed there is nothing to give back.
            Signal::Stop if is_taken => return,
            Signal::Stop => return drop(signals::stop()),
            Signal::End(number) => number,
        };
        if is_taken {
            thread::sleep(SIGNAL_PATIENCE);
        }
        terminal::restore();
        let _ = signals::end(number);
    })
}
