//! The sources of one conversation as one sequence, by time (P2).

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::mem;

use cardfold_wire::Frame;

use crate::problem::Problem;
use crate::rank::Rank;
use crate::second_thread::SecondThread;
use crate::session::FramePlace;
use crate::source::{Ahead, Next, Origin, Source};

/// Agents' files that are open at once. With the session file, a sidecar, a directory and the standard streams the
/// process stays under 256 (P2).
const OPEN_FILES: usize = 240;

/// Sources whose lines are merged by time, each one's own order kept.
pub(crate) struct Merge<'r> {
    sources: Vec<Source<'r>>,
    /// The sources that are not at hand, the next one on top.
    waiting: BinaryHeap<Reverse<Turn>>,
    /// The source that is read as long as it is its turn.
    at_hand: Option<usize>,
    /// Numbers of the agents' files that are open, `at_hand` included.
    open: Vec<usize>,
    /// Sources that are still written to and have nothing more for now.
    resting: BTreeSet<usize>,
    /// Lines read since somebody asked.
    lines: u64,
    /// Bytes read.
    passed: u64,
    max_line_bytes: usize,
    /// Buffers of files that are closed.
    buffers: Vec<Vec<u8>>,
    /// The thread that decodes ahead, if there is one.
    second: Option<SecondThread>,
}

/// Bytes of lines that are decoded at once, over all files that are open, and of one file at least and at most: enough to
/// be worth handing over, and no more than the memory of a replay bears. Of a file one such batch is at hand, and the next
/// one is being made. Where one file was handed over in batches of 64 KiB, waking each other took the threads longer than
/// the second one saved: 0.39 s for 100 MB, against 0.28 s with these and 0.38 s with one thread.
const BATCH_BYTES: usize = 2 * 1024 * 1024;
const BATCH_BYTES_EACH: (usize, usize) = (8 * 1024, 512 * 1024);

/// When it is a source's turn. Times count from the first one stated: `None` is before all of them.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Turn {
    time_ms: Option<i64>,
    rank: Rank,
    source: usize,
}

/// One object of a merged conversation.
pub(crate) struct Given<'a> {
    pub(crate) frame: Frame<'a>,
    /// Where it stands.
    pub(crate) origin: Origin,
    /// The line as it is written, from the object on; empty where the object was read ahead of its turn.
    pub(crate) line: &'a [u8],
    /// Its time: the greatest of its source so far.
    pub(crate) time_ms: Option<i64>,
    /// File and line.
    pub(crate) place: FramePlace<'a>,
}

/// What came next in a merged conversation.
pub(crate) enum Step<T> {
    /// A line that cannot be read was passed.
    Bad(Problem),
    /// All sources are at their ends; more may come of those that are still written to.
    End,
    /// It is the turn of a source that was not open yet; it is now.
    Fresh(Origin),
    /// An object was given.
    Given(T),
    /// A source ended before its end, or cannot be opened.
    Lost(Problem),
}

impl<'r> Merge<'r> {
    pub(crate) fn new(max_line_bytes: usize) -> Self {
        Self {
            sources: Vec::new(),
            waiting: BinaryHeap::new(),
            at_hand: None,
            open: Vec::new(),
            resting: BTreeSet::new(),
            lines: 0,
            passed: 0,
            max_line_bytes,
            buffers: Vec::new(),
            second: None,
        }
    }

    /// Lets another thread decode ahead from now on.
    pub(crate) fn read_ahead(&mut self) {
        self.second = self.second.take().or_else(SecondThread::start);
    }

    /// Adds a source; gives its number. Its lines come as soon as it is their turn.
    pub(crate) fn add(&mut self, source: Source<'r>) -> usize {
        self.sources.push(source);
        let number = self.sources.len().saturating_sub(1);
        self.wait(number);
        number
    }

    /// How many sources were added.
    pub(crate) fn count(&self) -> usize {
        self.sources.len()
    }

    /// A source that is still written to has `bytes` bytes by now.
    pub(crate) fn grow(&mut self, number: usize, bytes: u64) {
        self.sources[number].show(bytes);
        if self.resting.remove(&number) {
            self.wait(number);
        }
    }

    /// Lines that are not blank, read since the last call.
    pub(crate) fn count_lines(&mut self) -> u64 {
        mem::take(&mut self.lines)
    }

    /// Bytes read of all sources.
    pub(crate) fn passed(&self) -> u64 {
        self.passed
    }

    /// Goes one step on; an object whose turn it is goes to `take`.
    pub(crate) fn step<T>(&mut self, take: impl FnOnce(Given<'_>) -> T) -> Step<T> {
        let mut take = Some(take);
        loop {
            let Some(number) = self.at_hand else {
                match self.waiting.pop() {
                    Some(Reverse(turn)) => self.at_hand = Some(turn.source),
                    None => return Step::End,
                }
                continue;
            };
            if !self.sources[number].is_open()
                && let Some(step) = self.open(number)
            {
                return step;
            }
            match self.read(number, &mut take) {
                Next::Bad(problem) => return Step::Bad(problem),
                Next::End(None) if self.sources[number].grows() => {
                    self.at_hand = None;
                    self.resting.insert(number);
                }
                Next::End(problem) => {
                    self.leave(number);
                    let buffer = self.sources[number].close(ahead(&self.second, number, self.open.len()));
                    self.buffers.push(buffer);
                    if let Some(problem) = problem {
                        return Step::Lost(problem);
                    }
                }
                Next::Given(given) => return Step::Given(given),
                Next::Later => {
                    self.at_hand = None;
                    self.wait(number);
                }
            }
        }
    }

    fn read<T>(&mut self, number: usize, take: &mut Option<impl FnOnce(Given<'_>) -> T>) -> Next<T> {
        let ahead = ahead(&self.second, number, self.open.len());
        let source = &mut self.sources[number];
        let (origin, rank) = (source.origin, source.rank());
        let next = self.waiting.peek();
        let is_due = |time_ms| {
            let turn = Turn { time_ms, rank, source: number };
            next.is_none_or(|Reverse(next)| turn <= *next)
        };
        let next = source.next(ahead, is_due, |frame, line, time_ms, place| {
            let take = take.take().expect("a step ends with the first object it gives");
            take(Given { frame, origin, line, time_ms, place })
        });
        self.lines = self.lines.saturating_add(source.count_mut().take_lines());
        self.passed = self.passed.saturating_add(source.count_mut().take_bytes());
        next
    }

    /// Opens the source at hand. A fresh one is announced first, so that what belongs before its lines can be said.
    fn open<T>(&mut self, number: usize) -> Option<Step<T>> {
        let source = &mut self.sources[number];
        if source.announce() {
            return Some(Step::Fresh(source.origin));
        }
        if self.open.len() >= OPEN_FILES {
            self.pause_one();
        }
        let buffer = self.buffers.pop().unwrap_or_default();
        match self.sources[number].open(self.max_line_bytes, buffer) {
            Ok(()) => {
                self.open.push(number);
                None
            }
            Err(problem) => {
                self.at_hand = None;
                Some(Step::Lost(problem))
            }
        }
    }

    /// Closes the open source whose turn is farthest away.
    fn pause_one(&mut self) {
        let sources = &self.sources;
        let farthest = (0..self.open.len()).max_by_key(|&place| sources[self.open[place]].time_ms());
        if let Some(place) = farthest {
            let number = self.open.swap_remove(place);
            let buffer = self.sources[number].pause(ahead(&self.second, number, self.open.len()));
            self.buffers.push(buffer);
        }
    }

    fn wait(&mut self, number: usize) {
        let source = &self.sources[number];
        self.waiting.push(Reverse(Turn { time_ms: source.time_ms(), rank: source.rank(), source: number }));
    }

    fn leave(&mut self, number: usize) {
        self.at_hand = None;
        self.open.retain(|open| *open != number);
    }
}

/// How the lines of a source are decoded ahead.
fn ahead(second: &Option<SecondThread>, source: usize, open: usize) -> Option<Ahead<'_>> {
    let (least, most) = BATCH_BYTES_EACH;
    let bytes = BATCH_BYTES.checked_div(open).unwrap_or(BATCH_BYTES).clamp(least, most);
    second.as_ref().map(|second| Ahead { second, source, bytes })
}
