//! One source of frames: a file that may be closed and taken up again, or a reader. Hands out one object at a time.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardfold_wire::{Frame, Parked};

use crate::agent_file::{AgentFile, shown};
use crate::lines::{Advance, Lines, Place};
use crate::problem::{Problem, ProblemKind};
use crate::session::FramePlace;

/// Which of the session's own sources a frame comes from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Origin {
    /// A file of one agent, by its number in the conversation.
    Agent(usize),
    /// The session file or the stream.
    Main,
}

/// The place of a source among those of its session (P2): the main file, then files by path.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Rank(Option<Arc<PathBytes>>);

/// A path, ordered byte by byte and not by its components.
#[derive(Clone, Debug, Eq, PartialEq)]
struct PathBytes(PathBuf);

impl Ord for PathBytes {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.as_os_str().as_encoded_bytes().cmp(other.0.as_os_str().as_encoded_bytes())
    }
}

impl PartialOrd for PathBytes {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A source of frames.
pub(crate) struct Source<'r> {
    pub(crate) origin: Origin,
    rank: Rank,
    /// The name in reports.
    name: String,
    /// Where to open it again; none for readers.
    path: Option<PathBuf>,
    lines: Option<Lines<Box<dyn Read + Send + 'r>>>,
    /// Where to go on when it is opened.
    place: Place,
    /// Bytes it had when it was found, where that is known.
    bytes: Option<u64>,
    /// The greatest time of its lines so far (P2).
    time_ms: Option<i64>,
    /// The object to come was decoded ahead of its turn.
    ahead: Option<Ahead>,
    /// Its frame, unless its line is a long one.
    parked: Parked,
    /// Number of the last line that was counted.
    counted_to: u64,
    /// Lines counted since somebody asked.
    uncounted: u64,
    /// Bytes that were counted.
    counted_bytes: u64,
    announced: bool,
}

/// An object whose turn it is not yet. Its line stays where it was read.
struct Ahead {
    /// Bytes of the line after the object.
    left: usize,
    is_parked: bool,
}

/// A longer line is decoded once more when its turn comes, so that no text is held twice.
const PARKED_BYTES: usize = 64 * 1024;

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
    pub(crate) fn main(
        input: Box<dyn Read + Send + 'r>,
        name: String,
        bytes: Option<u64>,
        max_line_bytes: usize,
    ) -> Self {
        Self {
            origin: Origin::Main,
            rank: Rank(None),
            name,
            path: None,
            lines: Some(Lines::new(input, max_line_bytes)),
            place: Place::default(),
            bytes,
            time_ms: None,
            ahead: None,
            parked: Parked::default(),
            counted_to: 0,
            uncounted: 0,
            counted_bytes: 0,
            announced: false,
        }
    }

    /// A file that is opened when its turn comes. Lines before the first time that the file states have that time.
    pub(crate) fn agent(number: usize, file: &AgentFile) -> Self {
        Self {
            origin: Origin::Agent(number),
            rank: Rank(Some(Arc::new(PathBytes(file.path.clone())))),
            name: shown(&file.path),
            path: Some(file.target.clone()),
            lines: None,
            place: Place::default(),
            bytes: Some(file.bytes),
            time_ms: file.head.first_ms,
            ahead: None,
            parked: Parked::default(),
            counted_to: 0,
            uncounted: 0,
            counted_bytes: 0,
            announced: false,
        }
    }

    pub(crate) fn rank(&self) -> Rank {
        self.rank.clone()
    }

    /// The time of the object to come as far as it is known, else of the one before.
    pub(crate) fn time_ms(&self) -> Option<i64> {
        self.time_ms
    }

    pub(crate) fn is_open(&self) -> bool {
        self.lines.is_some()
    }

    /// True the first time it is asked of a file that is still to be opened.
    pub(crate) fn announce(&mut self) -> bool {
        self.path.is_some() && !mem::replace(&mut self.announced, true)
    }

    /// Bytes passed so far.
    fn passed(&self) -> u64 {
        self.lines.as_ref().map_or(self.place.start, Lines::passed)
    }

    /// Opens the file, at the place where it was left.
    pub(crate) fn open(&mut self, max_line_bytes: usize) -> Result<(), Problem> {
        let Some(path) = self.path.as_deref().filter(|_| self.lines.is_none()) else { return Ok(()) };
        let file = open_at(path, self.place).map_err(|error| self.failure(&error))?;
        let mut lines = Lines::resume(Box::new(file) as Box<dyn Read + Send + 'r>, self.place, max_line_bytes);
        if self.place.at > 0 {
            lines.advance().map_err(|error| self.failure(&error))?;
            lines.done_to(self.place.at);
        }
        self.lines = Some(lines);
        Ok(())
    }

    /// Closes the file and forgets what was read ahead of its turn; it is read again then.
    pub(crate) fn pause(&mut self) {
        self.ahead = None;
        if let Some(lines) = self.lines.take() {
            self.place = lines.next_place();
        }
    }

    /// Closes the file for good.
    pub(crate) fn close(&mut self) {
        self.pause();
        self.path = None;
    }

    /// Lines that are not blank and were not counted before.
    pub(crate) fn count_lines(&mut self) -> u64 {
        mem::take(&mut self.uncounted)
    }

    /// Bytes that were passed and not counted before: a line that is read again after the file was closed counts once.
    pub(crate) fn count_bytes(&mut self) -> u64 {
        let passed = self.passed().max(self.counted_bytes);
        passed - mem::replace(&mut self.counted_bytes, passed)
    }

    /// Gives the object to come to `take` if `is_due` says of its time that it is its turn. `take` also gets the line
    /// as it is written, from the object on, the object's time, and where it stands.
    pub(crate) fn next<T>(
        &mut self,
        is_due: impl FnOnce(Option<i64>) -> bool,
        take: impl for<'l> FnOnce(Frame<'l>, &'l [u8], Option<i64>, FramePlace<'l>) -> T,
    ) -> Next<T> {
        if self.ahead.is_none() {
            match self.find_object() {
                Ok(Advance::End) => return Next::End(self.unexpected_end()),
                Ok(Advance::Line) => {}
                Ok(Advance::TooLong) => {
                    return Next::Bad(self.bad_line(ProblemKind::TooLong, "over the cap of a line"));
                }
                Err(error) => return Next::End(Some(self.failure(&error))),
            }
        }
        let Some(lines) = &mut self.lines else { return Next::End(None) };
        let stands = FramePlace { file: &self.name, line: lines.number() };
        let line = lines.rest();
        let (given, left) = match self.ahead.take() {
            Some(Ahead { left, is_parked: true }) => {
                let frame = self.parked.take().expect("a frame was laid by");
                (take(frame, line, self.time_ms, stands), left)
            }
            ahead => match Frame::decode_first(line) {
                Ok((frame, rest)) => {
                    self.time_ms = self.time_ms.max(frame.timestamp_ms);
                    if ahead.is_none() && !is_due(self.time_ms) {
                        self.parked.clear();
                        let is_parked = line.len() <= PARKED_BYTES;
                        if is_parked {
                            self.parked.put(&frame);
                        }
                        self.ahead = Some(Ahead { left: rest.len(), is_parked });
                        return Next::Later;
                    }
                    (take(frame, line, self.time_ms, stands), rest.len())
                }
                Err(error) => {
                    let kind = ProblemKind::from(error.kind());
                    let problem = Problem::of_line(&*self.name, lines.number(), kind, error.to_string());
                    lines.leave(0);
                    return Next::Bad(problem);
                }
            },
        };
        lines.leave(left);
        Next::Given(given)
    }

    /// Goes to the next object: what is left of the line, else the next line.
    fn find_object(&mut self) -> io::Result<Advance> {
        let Some(lines) = &mut self.lines else { return Ok(Advance::End) };
        if !lines.rest().is_empty() {
            return Ok(Advance::Line);
        }
        let advance = lines.advance()?;
        // A line that was read ahead before the file was closed comes again.
        if advance != Advance::End && lines.number() > self.counted_to {
            self.counted_to = lines.number();
            self.uncounted = self.uncounted.saturating_add(1);
        }
        Ok(advance)
    }

    fn bad_line(&self, kind: ProblemKind, detail: &str) -> Problem {
        Problem::of_line(&*self.name, self.lines.as_ref().map_or(0, Lines::number), kind, detail)
    }

    fn failure(&self, error: &io::Error) -> Problem {
        // It was there when it was found.
        let is_gone = error.kind() == io::ErrorKind::NotFound;
        let kind = if is_gone { ProblemKind::Changed } else { ProblemKind::Unreadable };
        Problem::of_file(&*self.name, kind, error.to_string())
    }

    /// A file that does not end where it ended when it was found was written to meanwhile.
    fn unexpected_end(&self) -> Option<Problem> {
        let (expected, passed) = (self.bytes?, self.passed());
        let detail = match passed.cmp(&expected) {
            Ordering::Equal => return None,
            Ordering::Greater => format!("it grew from {expected} to {passed} bytes while it was read"),
            Ordering::Less => format!("it shrank from {expected} to {passed} bytes while it was read"),
        };
        Some(Problem::of_file(&*self.name, ProblemKind::Changed, detail))
    }
}

fn open_at(path: &Path, place: Place) -> io::Result<File> {
    // Links were resolved or refused when the file was found; what became one since is not the file that was found.
    if path.symlink_metadata()?.file_type().is_symlink() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "it became a link"));
    }
    let mut file = File::open(path)?;
    if place.start > 0 {
        file.seek(SeekFrom::Start(place.start))?;
    }
    Ok(file)
}
