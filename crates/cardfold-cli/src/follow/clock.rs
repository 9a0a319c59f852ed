//! The time of a session. The engine has no clock, and the times of frames are of the machine that wrote them.

use std::time::{SystemTime, UNIX_EPOCH};

/// What time it is in a session.
///
/// Frames that come while they are waited for say what time it is there; before the first of them it is taken to be the
/// time here.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clock {
    /// How far the session is behind this machine, in milliseconds.
    behind_ms: i64,
    newest_ms: Option<i64>,
}

impl Clock {
    /// A frame that was there before somebody followed states a time.
    pub(crate) fn read(&mut self, stated_ms: i64) {
        self.newest_ms = self.newest_ms.max(Some(stated_ms));
    }

    /// A frame that has just come states a time. One that is older than others says nothing: files are not in step.
    pub(crate) fn hear(&mut self, stated_ms: i64, here_ms: i64) {
        if self.newest_ms < Some(stated_ms) {
            self.newest_ms = Some(stated_ms);
            self.behind_ms = here_ms.saturating_sub(stated_ms);
        }
    }

    /// The time in the session when it is `here_ms` here.
    pub(crate) fn at(&self, here_ms: i64) -> i64 {
        here_ms.saturating_sub(self.behind_ms)
    }
}

/// The time of this machine, in Unix milliseconds.
pub(crate) fn here_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_come_tell_the_time() {
        let mut clock = Clock::default();
        clock.read(5_000);
        assert_eq!(clock.at(90_000), 90_000, "nothing has come yet");
        clock.hear(4_000, 91_000);
        assert_eq!(clock.at(91_000), 91_000, "an old one says nothing");
        clock.hear(10_000, 92_000);
        assert_eq!(clock.at(95_000), 13_000, "three seconds after it came");
        clock.hear(9_000, 96_000);
        assert_eq!(clock.at(96_000), 14_000);
        clock.hear(20_000, 97_000);
        assert_eq!(clock.at(97_000), 20_000);
    }
}
