//! The sessions of a conversation: what was read of each, and where a caller wants it to stop.

use std::collections::{BTreeSet, HashMap};
use std::mem;

use cardfold_wire::{Body, Frame};

use crate::conversation::SessionFrame;
use crate::kind::Kind;
use crate::options::{Options, Until};
use crate::problem::{Problem, Problems};
use crate::source::Origin;

/// Milliseconds of a day.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Ids that are remembered of one stored session. Real sessions were merged of two or three.
const IDS: usize = 1_024;

/// What was read of one session so far (RULES.md section 5).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SessionFacts {
    /// The id that the frames state: of a stored conversation the file's own name if a line carries it as an id, else
    /// the first id that a line carries.
    pub session_id: Option<String>,
    /// The path as it was given; `-` for standard input.
    pub source: String,
    /// Lines that are not blank, over all files of the session.
    pub lines: u64,
    /// Frames handed out. The links that the store states beside its lines are frames too.
    pub frames: u64,
    /// Lines that were skipped because they cannot be read.
    pub skipped: u64,
    /// Frames of a type that this build does not know.
    pub unknown: u64,
    /// What could not be read.
    pub problems: Problems,
    /// The session was left before its end: at [`Options::until_frame`] or [`Options::until_time`], or because the observer
    /// of a replay had enough. It is not over then: what runs at that moment is running.
    pub stopped: bool,
    /// The time of the first frame that has one, in Unix milliseconds. None where no frame says when it was: then
    /// [`Options::until_time`] has nothing to go by, and the session is read to its end.
    pub first_ms: Option<i64>,
    /// The latest time of a frame that was handed out, in Unix milliseconds.
    pub last_ms: Option<i64>,
}

/// Where the line of a frame stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct FramePlace<'a> {
    /// The file, under the path that was given; `-` for standard input.
    pub file: &'a str,
    /// The line, from 1.
    pub line: u64,
}

impl SessionFacts {
    pub(crate) fn new(source: &str) -> Self {
        Self { source: source.to_owned(), ..Self::default() }
    }

    pub(crate) fn skip(&mut self, problem: Problem) {
        self.skipped = self.skipped.saturating_add(1);
        self.problems.push(problem);
    }

    /// True if a frame of this time (none: before any time was stated) is past what the caller wants to see. The
    /// session is stopped then.
    pub(crate) fn stops_before(&mut self, time_ms: Option<i64>, options: &Options) -> bool {
        self.first_ms = self.first_ms.or(time_ms);
        if let (Some(until), Some(first), Some(time)) = (options.until_time, self.first_ms, time_ms) {
            self.stopped |= time > until.moment(first);
        }
        self.stopped |= options.until_frame.is_some_and(|until| self.frames >= until);
        if !self.stopped {
            self.last_ms = self.last_ms.max(time_ms);
        }
        self.stopped
    }

    /// Counts a frame that is handed out and gives its number, from 1.
    pub(crate) fn count_frame(&mut self, is_unknown: bool, options: &Options) -> u64 {
        self.frames = self.frames.saturating_add(1);
        self.unknown = self.unknown.saturating_add(u64::from(is_unknown));
        // The end of the session has the number after the last frame, so it is not wanted either.
        self.stopped |= options.until_frame == Some(self.frames);
        self.frames
    }
}

impl Until {
    /// The moment, of a session whose first time is `first_ms`.
    fn moment(self, first_ms: i64) -> i64 {
        match self {
            Self::Time(ms) => ms,
            Self::TimeOfDay(ms) => first_ms.div_euclid(DAY_MS).saturating_mul(DAY_MS).saturating_add(ms),
        }
    }
}

/// The sessions of one conversation: one of the store, one per session id of a stream (P1).
#[derive(Debug)]
pub(crate) struct Sessions {
    name: String,
    /// The session file's own name.
    stem: Option<String>,
    all: Vec<SessionFacts>,
    by_id: HashMap<String, usize>,
    /// The session seen last.
    current: usize,
    /// Ids that the lines of a stored session carry.
    ids: BTreeSet<String>,
    /// Those of them that were not taken yet.
    new_ids: Vec<String>,
}

impl Sessions {
    pub(crate) fn new(name: &str, stem: Option<String>) -> Self {
        Self {
            name: name.to_owned(),
            stem,
            all: vec![SessionFacts::new(name)],
            by_id: HashMap::new(),
            current: 0,
            ids: BTreeSet::new(),
            new_ids: Vec::new(),
        }
    }

    pub(crate) fn all(&self) -> &[SessionFacts] {
        &self.all
    }

    pub(crate) fn into_all(self) -> Vec<SessionFacts> {
        self.all
    }

    pub(crate) fn current(&self) -> &SessionFacts {
        &self.all[self.current]
    }

    pub(crate) fn current_mut(&mut self) -> &mut SessionFacts {
        &mut self.all[self.current]
    }

    /// The id is one of the stored session's own.
    pub(crate) fn has_id(&self, id: &str) -> bool {
        self.ids.contains(id) || self.stem.as_deref() == Some(id)
    }

    /// Ids of the stored session that are new since the last call.
    pub(crate) fn take_new_ids(&mut self) -> Vec<String> {
        mem::take(&mut self.new_ids)
    }

    /// Goes to the session of a frame: that of its id on a stream, else the one seen last.
    pub(crate) fn place(&mut self, id: Option<&str>, kind: Option<Kind>, origin: Origin) {
        let Some(id) = id else { return };
        match kind {
            Some(Kind::Stored) => self.place_stored(id, origin),
            Some(Kind::Stream) | None => self.place_streamed(id),
        }
    }

    fn place_stored(&mut self, id: &str, origin: Origin) {
        let session = &mut self.all[self.current];
        let is_stem = self.stem.as_deref() == Some(id);
        let is_named = session.session_id.as_deref() == Some(id);
        if session.session_id.is_none() || (is_stem && !is_named && origin == Origin::Main) {
            session.session_id = Some(id.to_owned());
        }
        // Agents' files were found by an id of the session; they lead to no further ones.
        if origin == Origin::Main && self.ids.len() < IDS && !self.ids.contains(id) {
            self.ids.insert(id.to_owned());
            self.new_ids.push(id.to_owned());
        }
    }

    fn place_streamed(&mut self, id: &str) {
        let current = &mut self.all[self.current];
        match current.session_id.as_deref() {
            Some(known) if known == id => {}
            Some(_) => {
                let (all, name) = (&mut self.all, &self.name);
                self.current = *self.by_id.entry(id.to_owned()).or_insert_with(|| {
                    all.push(SessionFacts { session_id: Some(id.to_owned()), ..SessionFacts::new(name) });
                    all.len().saturating_sub(1)
                });
            }
            None => {
                current.session_id = Some(id.to_owned());
                self.by_id.insert(id.to_owned(), self.current);
            }
        }
    }

    /// Counts a frame of the current session and gives it to `take`, unless the session stops before it.
    pub(crate) fn hand<T>(
        &mut self,
        frame: Frame<'_>,
        time_ms: Option<i64>,
        place: Option<FramePlace<'_>>,
        options: &Options,
        take: &mut Option<impl FnOnce(SessionFrame<'_>) -> T>,
    ) -> Option<T> {
        let session = &mut self.all[self.current];
        if session.stops_before(time_ms, options) {
            return None;
        }
        let number = session.count_frame(matches!(frame.body, Body::Unknown { .. }), options);
        let take = take.take().expect("a frame is given once");
        let session_id = self.all[self.current].session_id.as_deref();
        Some(take(SessionFrame { session: self.current, session_id, number, place, frame }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_day_is_of_the_first_day() {
        let first = 3 * DAY_MS + 5;
        assert_eq!(Until::TimeOfDay(1_000).moment(first), 3 * DAY_MS + 1_000);
        assert_eq!(Until::TimeOfDay(1_000).moment(-1), 1_000 - DAY_MS);
        assert_eq!(Until::Time(7).moment(first), 7);
    }

    #[test]
    fn stops_after_frames_and_before_times() {
        let mut options = Options { until_time: Some(Until::Time(10)), ..Options::default() };
        let mut session = SessionFacts::new("-");
        assert!(!session.stops_before(None, &options));
        assert!(!session.stops_before(Some(10), &options));
        assert!(session.stops_before(Some(11), &options));

        options = Options { until_frame: Some(1), ..Options::default() };
        let mut session = SessionFacts::new("-");
        assert!(!session.stops_before(None, &options));
        assert_eq!(session.count_frame(false, &options), 1);
        assert!(session.stopped);
    }
}
