//! How far the reading is: a bar at standard error, on a terminal only, for work that takes longer than a second. It
//! leaves no trace.

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::thread;
use std::time::Duration;

use cardfold_replay::Event;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What takes no longer than this needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// The bar is drawn anew this often, so that it shows that the program lives where one line takes long.
const TICK: Duration = Duration::from_millis(100);

/// Bytes read of the bytes that were found so far, which grow while sessions lead to more files.
const OF_TOTAL: &str = "reading {wide_bar} {bytes} of {total_bytes}, {eta} left";

/// Bytes read of a pipe: nobody knows how many there are.
const OF_PIPE: &str = "reading {spinner} {bytes}, {elapsed}";

/// The bar, or nothing where nobody would see it.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    /// Bytes to read, as the bar has them.
    total: Cell<Option<u64>>,
    /// The output goes to a terminal too, which will be the same one.
    shares_terminal: bool,
}

impl Progress {
    /// Begins to wait. Nothing is drawn where standard error is no terminal, or one that cannot take a line back
    /// (`TERM=dumb`), which the library looks after.
    pub(crate) fn start() -> Self {
        let bar = io::stderr().is_terminal().then(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()));
        if let Some(bar) = bar.clone() {
            bar.set_style(style(OF_PIPE));
            let show = move || {
                thread::sleep(PATIENCE);
                bar.set_draw_target(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(TICK);
            };
            // Where no thread is to be had the work is done without a bar.
            let _ = thread::Builder::new().spawn(show);
        }
        Self { bar, total: Cell::new(None), shares_terminal: io::stdout().is_terminal() }
    }

    /// Nothing is ever drawn.
    pub(crate) fn unseen() -> Self {
        Self { bar: None, total: Cell::new(None), shares_terminal: false }
    }

    /// Takes what a frame tells.
    pub(crate) fn take(&self, event: &Event<'_>) {
        let Some(bar) = &self.bar else { return };
        // A pipe with a name is found to have no bytes at all.
        let total = event.bytes_total.filter(|total| *total >= event.bytes_read);
        if let Some(total) = total.filter(|total| self.total.replace(Some(*total)) != Some(*total)) {
            bar.set_style(style(OF_TOTAL));
            bar.set_length(total);
        }
        bar.set_position(event.bytes_read);
    }

    /// Does what writes to standard output, with the bar out of the way.
    pub(crate) fn beside<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) if self.shares_terminal && !bar.is_finished() => bar.suspend(write),
            Some(_) | None => write(),
        }
    }

    /// Takes the bar away for good.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well-formed").progress_chars("━╸ ")
}
