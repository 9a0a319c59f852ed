//! Whole conversations folded: what `cardfold replay` prints.

use std::io::Read;
use std::mem;
use std::ops::{ControlFlow, Deref};
use std::path::Path;

use cardfold::{CardTracker, Frame, Update};

use crate::conversation::Conversation;
use crate::layout::Shelf;
use crate::options::Options;
use crate::problem::{Problem, ProblemKind, Problems};
use crate::session::{FramePlace, SessionFacts};
use crate::walk::Walk;

/// What was found and folded.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The sessions, those of a directory in byte order of their paths.
    pub sessions: Vec<Session>,
    /// What belongs to no session: a file that cannot be opened, or has not one readable frame.
    pub problems: Problems,
    /// Lines that were skipped in files that are no session.
    pub skipped: u64,
}

/// One session, folded.
#[derive(Debug)]
#[non_exhaustive]
pub struct Session {
    /// What was read of it. A session reads as these.
    pub facts: SessionFacts,
    /// Bytes read of all files of the conversation. The sessions of a stream that mixes them share its bytes.
    pub bytes: u64,
    /// The cards. The session is ended in them, unless it is live or was stopped: what ran at that moment runs.
    pub tracker: CardTracker,
}

impl Deref for Session {
    type Target = SessionFacts;

    fn deref(&self) -> &SessionFacts {
        &self.facts
    }
}

/// One frame was folded.
#[derive(Debug)]
#[non_exhaustive]
pub struct Event<'a> {
    /// The session, as a place in [`Report::sessions`].
    pub session: usize,
    /// The session's id, as far as it is known.
    pub session_id: Option<&'a str>,
    /// The number of the frame in its session, from 1; the end of the session has the number after the last.
    pub number: u64,
    /// The frame; none for the end of the session.
    pub frame: Option<&'a Frame<'a>>,
    /// Where the frame's line stands; none for the end of the session and for what the store says beside its lines.
    pub place: Option<FramePlace<'a>>,
    /// What the frame changed.
    pub update: &'a Update,
    /// The session's cards after the frame.
    pub tracker: &'a CardTracker,
    /// Bytes read before the frame, over all sessions. More than were found where files grow meanwhile.
    pub bytes_read: u64,
    /// Bytes to read, as far as they were found; none for readers.
    pub bytes_total: Option<u64>,
}

/// Folds everything at `path`: a session file with the files that belong to it, a captured stream, or a directory of
/// these at any depth (P1).
///
/// It does not fail. What cannot be read is a problem of its session, or of the report.
pub fn replay(path: &Path, options: &Options) -> Report {
    replay_observed(path, options, |_| ControlFlow::Continue(()))
}

/// As [`replay`]; `observe` is told of every frame as soon as it is folded.
///
/// Where it answers [`ControlFlow::Break`] nothing more is read: the session at hand is stopped, and the report holds
/// what was folded so far.
pub fn replay_observed(path: &Path, options: &Options, observe: impl FnMut(Event<'_>) -> ControlFlow<()>) -> Report {
    let mut sessions = Vec::new();
    let report = replay_sessions(path, options, observe, |session| sessions.push(session));
    Report { sessions, ..report }
}

/// As [`replay_observed`], but each session goes to `take` as soon as it is read, so that those of a large store need
/// not be in memory together. The report has the rest: what belongs to no session.
pub fn replay_sessions(
    path: &Path,
    options: &Options,
    observe: impl FnMut(Event<'_>) -> ControlFlow<()>,
    take: impl FnMut(Session),
) -> Report {
    let walk = Walk::of(path, options.dialect);
    let mut fold = Fold::new(options, observe, take, Some(walk.bytes));
    fold.rest.problems = walk.problems;
    let mut shelf = Shelf::default();
    for target in &walk.targets {
        if fold.is_left {
            break;
        }
        match Conversation::open_target(target, mem::take(&mut shelf), options) {
            Ok(conversation) => shelf = fold.fold(conversation),
            Err(problem) => fold.rest.problems.push(problem),
        }
    }
    fold.rest
}

/// Folds what `reader` gives: a captured stream, or a session file alone. `source` names it in the report; `-` is the
/// word for standard input.
pub fn replay_reader(reader: impl Read + Send, source: &str, options: &Options) -> Report {
    replay_reader_observed(reader, source, options, |_| ControlFlow::Continue(()))
}

/// As [`replay_reader`]; `observe` is told of every frame as soon as it is folded, and may stop the reading as that of
/// [`replay_observed`] may. No byte is asked of the reader after that.
pub fn replay_reader_observed(
    reader: impl Read + Send,
    source: &str,
    options: &Options,
    observe: impl FnMut(Event<'_>) -> ControlFlow<()>,
) -> Report {
    let mut sessions = Vec::new();
    let mut fold = Fold::new(options, observe, |session| sessions.push(session), None);
    fold.fold(Conversation::from_reader(reader, source, options));
    let rest = fold.rest;
    Report { sessions, ..rest }
}

/// The work on one report.
struct Fold<'o, O, T> {
    options: &'o Options,
    observe: O,
    /// Takes the sessions that are done.
    take: T,
    /// How many it took.
    taken: usize,
    /// The observer had enough.
    is_left: bool,
    /// What belongs to no session.
    rest: Report,
    /// Bytes of the conversations that are done.
    bytes_read: u64,
    bytes_total: Option<u64>,
}

impl<'o, O: FnMut(Event<'_>) -> ControlFlow<()>, T: FnMut(Session)> Fold<'o, O, T> {
    fn new(options: &'o Options, observe: O, take: T, bytes_total: Option<u64>) -> Self {
        let rest = Report::default();
        Self { options, observe, take, taken: 0, is_left: false, rest, bytes_read: 0, bytes_total }
    }

    /// Folds one conversation; gives what it found out for the others.
    fn fold(&mut self, mut conversation: Conversation<'_>) -> Shelf {
        let mut trackers: Vec<CardTracker> = Vec::new();
        let known = conversation.bytes_total().unwrap_or(0);
        let Self { options, observe, taken, bytes_read, bytes_total, .. } = self;
        loop {
            let read = conversation.bytes_read();
            let found = conversation.bytes_total().unwrap_or(0).saturating_sub(known);
            let flow = conversation.next_frame(|next| {
                while trackers.len() <= next.session {
                    trackers.push(CardTracker::with_limits(options.limits.clone()));
                }
                let tracker = &mut trackers[next.session];
                let update = tracker.apply(&next.frame);
                observe(Event {
                    session: taken.saturating_add(next.session),
                    session_id: next.session_id,
                    number: next.number,
                    frame: Some(&next.frame),
                    place: next.place,
                    update: &update,
                    tracker,
                    bytes_read: bytes_read.saturating_add(read),
                    bytes_total: bytes_total.map(|total| total.saturating_add(found)),
                })
            });
            match flow {
                Some(ControlFlow::Continue(())) => {}
                Some(ControlFlow::Break(())) => {
                    self.is_left = true;
                    break;
                }
                None => break,
            }
        }
        let bytes = conversation.bytes_read();
        let found = conversation.bytes_total().unwrap_or(0).saturating_sub(known);
        self.bytes_read = self.bytes_read.saturating_add(bytes);
        self.bytes_total = self.bytes_total.map(|total| total.saturating_add(found));
        let shelf = conversation.take_shelf();
        let is_guess = conversation.is_guess();
        let mut trackers = trackers.into_iter();
        for mut facts in conversation.into_sessions() {
            facts.stopped |= self.is_left;
            let tracker = trackers.next().unwrap_or_else(|| CardTracker::with_limits(self.options.limits.clone()));
            // A session that was stopped before its first frame is one all the same.
            if facts.frames > 0 || facts.stopped {
                self.close(facts, tracker, bytes);
            } else if is_guess && facts.lines == 0 {
                // Files of such names, and nothing in them of the system that they are named after.
                self.rest.problems.append(facts.problems);
            } else {
                self.report_empty(facts);
            }
        }
        shelf
    }

    /// Ends the session if it is over, and hands it over.
    fn close(&mut self, facts: SessionFacts, mut tracker: CardTracker, bytes: u64) {
        if !self.options.live && !facts.stopped {
            let update = tracker.end_session();
            let flow = (self.observe)(Event {
                session: self.taken,
                session_id: facts.session_id.as_deref(),
                number: facts.frames.saturating_add(1),
                frame: None,
                place: None,
                update: &update,
                tracker: &tracker,
                bytes_read: self.bytes_read,
                bytes_total: self.bytes_total,
            });
            self.is_left = flow.is_break();
        }
        self.taken = self.taken.saturating_add(1);
        (self.take)(Session { facts, bytes, tracker });
    }

    fn report_empty(&mut self, facts: SessionFacts) {
        let detail = match facts.lines {
            0 => "no line in it".to_owned(),
            lines => format!("not one of its {lines} lines is a frame"),
        };
        self.rest.skipped = self.rest.skipped.saturating_add(facts.skipped);
        self.rest.problems.append(facts.problems);
        self.rest.problems.push(Problem::of_file(facts.source, ProblemKind::NoFrame, detail));
    }
}
