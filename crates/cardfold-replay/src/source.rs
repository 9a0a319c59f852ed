//! One source of frames: a file that may be closed and taken up again, or a reader. Hands out one object at a time.

use std::cmp::Ordering;
use std::io;
use std::mem;
use std::path::PathBuf;

use cardfold_wire::{Frame, FrameQueue};
use serde::de::IgnoredAny;

use crate::agent_file::{AgentFile, shown};
use crate::batch::{Batch, Fault, Item, LAID_BY_BYTES, What};
use crate::count::Count;
use crate::input::Input;
use crate::lines::{Advance, Lines, Place};
use crate::problem::{Problem, ProblemKind};
use crate::rank::Rank;
use crate::second_thread::{Job, SecondThread};
use crate::session::FramePlace;

/// Which of the session's own sources a frame comes from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Origin {
    /// A file of one agent, by its number in the conversation.
    Agent(usize),
    /// The session file or the stream.
    Main,
}

/// A source of frames.
pub(crate) struct Source<'r> {
    pub(crate) origin: Origin,
    rank: Rank,
    /// The name in reports.
    name: String,
    /// Where to open it again; none for readers.
    path: Option<PathBuf>,
    lines: Option<Lines<Input<'r>>>,
    /// Objects that were decoded ahead of their turn.
    batch: Batch,
    /// Room for more of them.
    spare: Batch,
    /// The lines are with the second thread, to come back with more objects.
    is_away: bool,
    /// Where to go on when it is opened.
    place: Place,
    /// Bytes it had when it was found, where that is known.
    bytes: Option<u64>,
    /// It is still written to, and has so many bytes for now.
    visible: Option<u64>,
    /// The greatest time of its lines so far (P2).
    time_ms: Option<i64>,
    /// The object to come was decoded, and is not due.
    later: Option<Later>,
    /// Its frame, unless its line is a long one.
    laid_by: FrameQueue,
    count: Count,
    announced: bool,
}

/// An object whose turn it is not yet. Its line stays where it was read.
struct Later {
    /// Bytes of the line after the object.
    left: usize,
    is_laid_by: bool,
}

/// How a source may have its lines decoded ahead.
#[derive(Clone, Copy)]
pub(crate) struct Ahead<'t> {
    pub(crate) second: &'t SecondThread,
    /// The number of the source.
    pub(crate) source: usize,
    /// Bytes of lines that are to be decoded at once.
    pub(crate) bytes: usize,
}

/// Bytes of lines that are decoded at once while they are waited for.
const AWAITED_BYTES: usize = 8 * 1024;

impl Ahead<'_> {
    /// The same for lines that are waited for.
    fn awaited(self) -> Self {
        Self { bytes: self.bytes.min(AWAITED_BYTES), ..self }
    }
}

/// What stands next in a source.
pub(crate) enum Next<T> {
    /// A line that cannot be read was passed.
    Bad(Problem),
    /// The source is at its end, with a problem if it is not the end that was to be expected.
    End(Option<Problem>),
    /// The object was taken.
    Given(T),
    /// It is not yet the turn of the object.
    Later,
}

impl<'r> Source<'r> {
    /// The session file or stream, open already.
    pub(crate) fn main(input: Input<'r>, name: String, bytes: Option<u64>, max_line_bytes: usize) -> Self {
        let lines = Some(Lines::new(input, max_line_bytes));
        Self { lines, bytes, ..Self::unread(Origin::Main, Rank::main(), name) }
    }

    /// A file that is opened when its turn comes. Lines before the first time that the file states have that time.
    pub(crate) fn agent(number: usize, file: &AgentFile) -> Self {
        Self {
            path: Some(file.target.clone()),
            bytes: Some(file.bytes),
            time_ms: file.head.first_ms,
            ..Self::unread(Origin::Agent(number), Rank::of_path(file.path.clone()), shown(&file.path))
        }
    }

    fn unread(origin: Origin, rank: Rank, name: String) -> Self {
        Self {
            origin,
            rank,
            name,
            path: None,
            lines: None,
            batch: Batch::default(),
            spare: Batch::default(),
            is_away: false,
            place: Place::default(),
            bytes: None,
            visible: None,
            time_ms: None,
            later: None,
            laid_by: FrameQueue::default(),
            count: Count::default(),
            announced: false,
        }
    }

    /// The source is still written to, and has `bytes` bytes for now.
    pub(crate) fn show(&mut self, bytes: u64) {
        self.visible = Some(bytes);
        if let Some(lines) = &mut self.lines {
            lines.show(bytes);
        }
    }

    /// It is still written to: its end is the end for now.
    pub(crate) fn grows(&self) -> bool {
        self.visible.is_some()
    }

    pub(crate) fn rank(&self) -> Rank {
        self.rank.clone()
    }

    /// The time of the object to come as far as it is known, else of the one before.
    pub(crate) fn time_ms(&self) -> Option<i64> {
        self.time_ms
    }

    pub(crate) fn is_open(&self) -> bool {
        self.lines.is_some() || self.is_away
    }

    /// True the first time it is asked of a file that is still to be opened.
    pub(crate) fn announce(&mut self) -> bool {
        self.path.is_some() && !mem::replace(&mut self.announced, true)
    }

    /// Opens the file, at the place where it was left. `buffer` is one that was used before, or none.
    pub(crate) fn open(&mut self, max_line_bytes: usize, buffer: Vec<u8>) -> Result<(), Problem> {
        let Some(path) = self.path.as_deref().filter(|_| self.lines.is_none()) else { return Ok(()) };
        let file = Input::open(path, self.place).map_err(|error| self.failure(&error))?;
        let mut lines = Lines::resume(file, self.place, max_line_bytes).with_buffer(buffer);
        if let Some(bytes) = self.visible {
            lines.show(bytes);
        }
        if self.place.at > 0 {
            lines.advance().map_err(|error| self.failure(&error))?;
            lines.done_to(self.place.at);
        }
        self.lines = Some(lines);
        Ok(())
    }

    /// Closes the file and forgets what was read ahead of its turn; it is read again then. Gives the buffer.
    pub(crate) fn pause(&mut self, ahead: Option<Ahead<'_>>) -> Vec<u8> {
        let place = self.batch.place();
        self.bring_back(ahead);
        let place = place.or(self.batch.place());
        self.later = None;
        self.batch = Batch::default();
        self.spare = Batch::default();
        let Some(lines) = self.lines.take() else { return Vec::new() };
        self.place = place.unwrap_or_else(|| lines.next_place());
        lines.into_buffer()
    }

    /// Closes the file for good. Gives the buffer.
    pub(crate) fn close(&mut self, ahead: Option<Ahead<'_>>) -> Vec<u8> {
        self.path = None;
        self.pause(ahead)
    }

    /// What of it was passed.
    pub(crate) fn count_mut(&mut self) -> &mut Count {
        &mut self.count
    }

    /// Gives the object to come to `take` if `is_due` says of its time that it is its turn. `take` also gets the line
    /// as it is written, from the object on, unless the object was decoded by another thread, the object's time, and where
    /// it stands.
    pub(crate) fn next<T>(
        &mut self,
        ahead: Option<Ahead<'_>>,
        is_due: impl FnOnce(Option<i64>) -> bool,
        take: impl for<'l> FnOnce(Frame<'l>, &'l [u8], Option<i64>, FramePlace<'l>) -> T,
    ) -> Next<T> {
        if self.batch.first().is_none() {
            // Whoever decodes what is wanted now: little of it, for it is waited for.
            self.send_away(ahead.map(Ahead::awaited));
            self.bring_back(ahead);
        }
        if self.batch.first().is_none() {
            return self.next_here(is_due, take);
        }
        self.send_away(ahead);
        self.next_of_batch(is_due, take)
    }

    /// Lets another thread decode what comes next, unless it is at it.
    fn send_away(&mut self, ahead: Option<Ahead<'_>>) {
        let Some(Ahead { second, source, bytes }) = ahead else { return };
        if self.later.is_some() || self.batch.error.is_some() {
            return;
        }
        // A line that was begun is done here.
        let Some(lines) = self.lines.take_if(|lines| lines.rest().is_empty()) else { return };
        match lines.try_map(Input::into_file) {
            Ok(lines) => {
                self.is_away = true;
                second.give(Job { source, lines, batch: mem::take(&mut self.spare), bytes });
            }
            Err(lines) => self.lines = Some(lines),
        }
    }

    /// Takes back what another thread decoded.
    fn bring_back(&mut self, ahead: Option<Ahead<'_>>) {
        let Some(Ahead { second, source, .. }) = ahead.filter(|_| self.is_away) else { return };
        let job = second.take(source);
        self.is_away = false;
        self.lines = job.lines.try_map(|file| Ok(Input::File(file))).ok();
        if let (Some(lines), Some(bytes)) = (&mut self.lines, self.visible) {
            lines.show(bytes);
        }
        self.spare = mem::replace(&mut self.batch, job.batch);
    }

    fn next_of_batch<T>(
        &mut self,
        is_due: impl FnOnce(Option<i64>) -> bool,
        take: impl for<'l> FnOnce(Frame<'l>, &'l [u8], Option<i64>, FramePlace<'l>) -> T,
    ) -> Next<T> {
        let item = self.batch.first().expect("a batch is asked only for what it has");
        let is_due = match item.what {
            What::Bad(_) => true,
            What::Frame { time_ms } => {
                self.time_ms = self.time_ms.max(time_ms);
                is_due(self.time_ms)
            }
        };
        self.count.line(item.line, item.passed);
        if !is_due {
            return Next::Later;
        }
        let Item { what, line, .. } = self.batch.take().expect("it is there still");
        match what {
            What::Bad(Fault { kind, detail }) => Next::Bad(Problem::of_line(&*self.name, line, kind, detail)),
            What::Frame { .. } => {
                let stands = FramePlace { file: &self.name, line };
                Next::Given(take(self.batch.take_frame(), b"", self.time_ms, stands))
            }
        }
    }

    fn next_here<T>(
        &mut self,
        is_due: impl FnOnce(Option<i64>) -> bool,
        take: impl for<'l> FnOnce(Frame<'l>, &'l [u8], Option<i64>, FramePlace<'l>) -> T,
    ) -> Next<T> {
        if self.later.is_none() {
            match self.find_object() {
                Ok(Advance::End) => return Next::End(self.unexpected_end()),
                Ok(Advance::Line) => {}
                Ok(Advance::TooLong) => return Next::Bad(self.bad_line(Fault::too_long())),
                Err(error) => return Next::End(Some(self.failure(&error))),
            }
        }
        let Some(lines) = &mut self.lines else { return Next::End(None) };
        let stands = FramePlace { file: &self.name, line: lines.number() };
        let line = lines.rest();
        let (given, left) = match self.later.take() {
            Some(Later { left, is_laid_by: true }) => {
                let frame = self.laid_by.take().expect("a frame was laid by");
                (take(frame, line, self.time_ms, stands), left)
            }
            later => match Frame::decode_first(line) {
                Ok((frame, rest)) => {
                    self.time_ms = self.time_ms.max(frame.timestamp_ms);
                    if later.is_none() && !is_due(self.time_ms) {
                        self.laid_by.clear();
                        let is_laid_by = line.len() <= LAID_BY_BYTES;
                        if is_laid_by {
                            self.laid_by.put(&frame);
                        }
                        self.later = Some(Later { left: rest.len(), is_laid_by });
                        return Next::Later;
                    }
                    (take(frame, line, self.time_ms, stands), rest.len())
                }
                Err(error) => {
                    lines.leave(0);
                    return Next::Bad(self.bad_line(Fault::of(&error)));
                }
            },
        };
        lines.leave(left);
        Next::Given(given)
    }

    /// Goes to the next object: what is left of the line, else the next line.
    fn find_object(&mut self) -> io::Result<Advance> {
        if let Some(error) = self.batch.error.take() {
            return Err(error);
        }
        let Some(lines) = &mut self.lines else { return Ok(Advance::End) };
        let mut advance = if lines.rest().is_empty() { lines.advance()? } else { Advance::Line };
        if advance == Advance::End && lines.take_unended(is_whole) {
            advance = Advance::Line;
        }
        match advance {
            Advance::End => self.count.end(lines.passed()),
            Advance::Line | Advance::TooLong => self.count.line(lines.number(), lines.passed()),
        }
        Ok(advance)
    }

    fn bad_line(&self, Fault { kind, detail }: Fault) -> Problem {
        let line = self.lines.as_ref().map_or(0, Lines::number);
        Problem::of_line(&*self.name, line, kind, detail)
    }

    fn failure(&self, error: &io::Error) -> Problem {
        // It was there when it was found.
        let is_gone = error.kind() == io::ErrorKind::NotFound;
        let kind = if is_gone { ProblemKind::Changed } else { ProblemKind::Unreadable };
        Problem::of_file(&*self.name, kind, error.to_string())
    }

    /// A file that does not end where it ended when it was found was written to meanwhile.
    fn unexpected_end(&self) -> Option<Problem> {
        let (expected, passed) = (self.bytes.filter(|_| !self.grows())?, self.count.passed());
        let detail = match passed.cmp(&expected) {
            Ordering::Equal => return None,
            Ordering::Greater => format!("it grew from {expected} to {passed} bytes while it was read"),
            Ordering::Less => format!("it shrank from {expected} to {passed} bytes while it was read"),
        };
        Some(Problem::of_file(&*self.name, ProblemKind::Changed, detail))
    }
}

/// Nothing is missing of a line that has no end yet: what follows can only be its end, or another object.
pub(crate) fn is_whole(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    // A look at the last byte spares the reading of nearly all that are torn.
    line.ends_with(b"}") && serde_json::from_slice::<IgnoredAny>(line).is_ok()
}
