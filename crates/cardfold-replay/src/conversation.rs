//! A conversation as frames in order: what a host that drives its own tracker reads.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use cardfold_wire::{Body, Frame};

use crate::kind::Kind;
use crate::merge::{Given, Merge, Step};
use crate::options::Options;
use crate::problem::{Problem, ProblemKind};
use crate::session::SessionFacts;
use crate::source::Source;

/// The frames of one stored session, or of one captured stream, in order and one at a time.
pub struct Conversation<'r> {
    name: String,
    options: Options,
    merge: Merge<'r>,
    /// Stream or store; told by the first line that shows it.
    kind: Option<Kind>,
    sessions: Vec<SessionFacts>,
    by_id: HashMap<String, usize>,
    /// The session seen last.
    current: usize,
}

/// One frame of a conversation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SessionFrame<'a> {
    /// The session, as a place in [`Conversation::sessions`]. A stored conversation is one session.
    pub session: usize,
    /// The frame's number in its session, from 1.
    pub number: u64,
    /// The frame.
    pub frame: Frame<'a>,
}

impl Conversation<'static> {
    /// Opens the session file or captured stream at `path`.
    pub fn open(path: &Path, options: &Options) -> Result<Self, Problem> {
        let name = path.to_string_lossy().into_owned();
        let unreadable = |error: std::io::Error| Problem::of_file(&*name, ProblemKind::Unreadable, error.to_string());
        let file = File::open(path).map_err(unreadable)?;
        let bytes = file.metadata().map_err(unreadable)?.len();
        Ok(Self::of(Box::new(file), &name, Some(bytes), options))
    }
}

impl<'r> Conversation<'r> {
    /// Reads a captured stream, or a session file without the files beside it.
    pub fn from_reader(reader: impl Read + 'r, source: &str, options: &Options) -> Self {
        Self::of(Box::new(reader), source, None, options)
    }

    fn of(input: Box<dyn Read + 'r>, name: &str, bytes: Option<u64>, options: &Options) -> Self {
        let mut merge = Merge::new(options.max_line_bytes);
        merge.add(Source::main(input, name.to_owned(), bytes, options.max_line_bytes));
        Self {
            name: name.to_owned(),
            options: options.clone(),
            merge,
            kind: None,
            sessions: vec![SessionFacts::new(name)],
            by_id: HashMap::new(),
            current: 0,
        }
    }

    /// Reads on to the next frame and gives it to `take`; `None` when there is none any more.
    pub fn next_frame<T>(&mut self, take: impl FnOnce(SessionFrame<'_>) -> T) -> Option<T> {
        let mut take = Some(take);
        loop {
            let Self { options, merge, kind, sessions, by_id, current, name } = self;
            let step = merge.step(|given| {
                *kind = kind.or_else(|| Kind::of(given.line));
                let id = given.frame.session_id.as_deref();
                *current = place_of(id, *kind, name, sessions, by_id, *current);
                hand(given, *current, &mut sessions[*current], options, &mut take)
            });
            let session = &mut self.sessions[self.current];
            session.lines = session.lines.saturating_add(self.merge.count_lines());
            match step {
                Step::Bad(problem) => session.skip(problem),
                Step::End => return None,
                Step::Fresh(_) | Step::Given(None) => {}
                Step::Given(Some(given)) => return Some(given),
                Step::Lost(problem) => session.problems.push(problem),
            }
        }
    }

    /// What was read of each session so far, in order of sight.
    pub fn sessions(&self) -> &[SessionFacts] {
        &self.sessions
    }

    pub(crate) fn into_sessions(self) -> Vec<SessionFacts> {
        self.sessions
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.merge.passed()
    }
}

/// The session of a frame: that of its id on a stream, else the one seen last.
fn place_of(
    id: Option<&str>,
    kind: Option<Kind>,
    name: &str,
    sessions: &mut Vec<SessionFacts>,
    by_id: &mut HashMap<String, usize>,
    current: usize,
) -> usize {
    let Some(id) = id else { return current };
    if sessions[current].session_id.is_none() {
        sessions[current].session_id = Some(id.to_owned());
        by_id.insert(id.to_owned(), current);
        return current;
    }
    if kind == Some(Kind::Stored) || sessions[current].session_id.as_deref() == Some(id) {
        return current;
    }
    *by_id.entry(id.to_owned()).or_insert_with(|| {
        let mut session = SessionFacts::new(name);
        session.session_id = Some(id.to_owned());
        sessions.push(session);
        sessions.len().saturating_sub(1)
    })
}

fn hand<T>(
    given: Given<'_>,
    place: usize,
    session: &mut SessionFacts,
    options: &Options,
    take: &mut Option<impl FnOnce(SessionFrame<'_>) -> T>,
) -> Option<T> {
    if session.stops_before(given.time_ms, options) {
        return None;
    }
    let is_unknown = matches!(given.frame.body, Body::Unknown { .. });
    let number = session.count_frame(is_unknown, options);
    let take = take.take().expect("a frame is given once");
    Some(take(SessionFrame { session: place, number, frame: given.frame }))
}
