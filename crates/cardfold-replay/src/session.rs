//! One session of a conversation: what was read of it, and where a caller wants it to stop.

use crate::options::{Options, Until};
use crate::problem::{Problem, Problems};

/// Milliseconds of a day.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// What was read of one session so far (cards.md section 5).
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
    /// The session was left before its end, at [`Options::until_frame`] or [`Options::until_time`].
    pub stopped: bool,
    /// The last moment that is still wanted; known once a frame had a time.
    until_ms: Option<i64>,
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
        if let (Some(until), Some(time)) = (options.until_time, time_ms) {
            let until = *self.until_ms.get_or_insert_with(|| until.moment(time));
            self.stopped |= time > until;
        }
        self.stopped |= options.until_frame.is_some_and(|until| self.frames >= until);
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
