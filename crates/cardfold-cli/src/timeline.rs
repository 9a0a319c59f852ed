//! Who ran when: what is known of the time of each agent, and the scale that all of a session share. Knows no markup.

use cardfold::{Card, State};

use crate::figures::lasting;

/// The lengths that a scale is divided by, in milliseconds: round ones of each unit.
const STEPS_MS: [u64; 24] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000,
    1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, DAY_MS,
];

const DAY_MS: u64 = 86_400_000;

/// More divisions than this have no room for their words on a narrow screen.
const MOST_DIVISIONS: u64 = 4;

/// What is known of an agent's time, in Unix milliseconds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Span {
    /// It began, and has not ended.
    Going { start: i64 },
    /// It ended; nothing says when it began.
    OnlyEnd { end: i64 },
    /// It began and is over; nothing says when it ended.
    OnlyStart { start: i64 },
    /// It began and ended. An end before the start is no length of time, and is taken for one of none.
    Whole { start: i64, end: i64 },
}

impl Span {
    /// None where the card has no time at all.
    pub(crate) fn of(card: &Card) -> Option<Self> {
        Self::between(card.started_at_ms, card.ended_at_ms, is_over(card.state))
    }

    /// Of what is known: its start, its end, and whether it goes on.
    pub(crate) fn between(start: Option<i64>, end: Option<i64>, is_over: bool) -> Option<Self> {
        match (start, end) {
            (Some(start), Some(end)) => Some(Self::Whole { start, end: end.max(start) }),
            (Some(start), None) if is_over => Some(Self::OnlyStart { start }),
            (Some(start), None) => Some(Self::Going { start }),
            (None, Some(end)) => Some(Self::OnlyEnd { end }),
            (None, None) => None,
        }
    }

    fn first_ms(self) -> i64 {
        match self {
            Self::Going { start } | Self::OnlyStart { start } | Self::Whole { start, .. } => start,
            Self::OnlyEnd { end } => end,
        }
    }

    fn last_ms(self) -> i64 {
        match self {
            Self::Going { start } | Self::OnlyStart { start } => start,
            Self::OnlyEnd { end } | Self::Whole { end, .. } => end,
        }
    }

    fn is_open(self) -> bool {
        match self {
            Self::Going { .. } | Self::OnlyStart { .. } => true,
            Self::OnlyEnd { .. } | Self::Whole { .. } => false,
        }
    }
}

/// From the first time of a session's agents to the last. Where one of them has no end the session's last frame counts
/// too: so long it went on at most, as far as anybody knows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Scale {
    pub(crate) first_ms: i64,
    pub(crate) last_ms: i64,
}

impl Scale {
    /// None where no agent has a time.
    pub(crate) fn of(spans: &[Span], session_last_ms: Option<i64>) -> Option<Self> {
        let first_ms = spans.iter().map(|span| span.first_ms()).min()?;
        let last_ms = spans.iter().map(|span| span.last_ms()).max()?;
        let open_until = session_last_ms.filter(|_| spans.iter().any(|span| span.is_open()));
        Some(Self { first_ms, last_ms: last_ms.max(open_until.unwrap_or(last_ms)) })
    }

    /// How far along a time is, in percent.
    pub(crate) fn percent(self, ms: i64) -> f64 {
        let length = self.length_ms();
        if length == 0 {
            return 0.0;
        }
        // Whole thousandths of a percent, so that no machine rounds otherwise.
        let thousandths = u128::from(ms.abs_diff(self.first_ms)) * 100_000 / u128::from(length);
        f64::from(u32::try_from(thousandths).unwrap_or(100_000).min(100_000)) / 1_000.0
    }

    /// The divisions: how far along, and the time since the beginning in words.
    pub(crate) fn divisions(self) -> Vec<(f64, String)> {
        let length = self.length_ms();
        let fits = |step: &u64| length / step <= MOST_DIVISIONS;
        let days = (length / DAY_MS / MOST_DIVISIONS).saturating_add(1).saturating_mul(DAY_MS);
        let step = STEPS_MS.into_iter().find(fits).unwrap_or(days);
        let times = (0..=length / step).map(|n| n * step);
        times.map(|ms| (self.percent(self.first_ms.saturating_add_unsigned(ms)), since(ms))).collect()
    }

    fn length_ms(self) -> u64 {
        self.last_ms.abs_diff(self.first_ms)
    }
}

/// It does not go on.
pub(crate) fn is_over(state: State) -> bool {
    match state {
        State::Queued | State::Running | State::Waiting => false,
        State::Settled => true,
    }
}

fn since(ms: u64) -> String {
    if ms.is_multiple_of(100) { lasting(ms) } else { format!("{ms} ms") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(first_ms: i64, last_ms: i64) -> Vec<String> {
        Scale { first_ms, last_ms }.divisions().into_iter().map(|(at, words)| format!("{at} {words}")).collect()
    }

    #[test]
    fn a_scale_is_divided_at_round_times() {
        assert_eq!(words(5, 5), ["0 0.0 s"]);
        assert_eq!(words(1_000, 1_008), ["0 0.0 s", "25 2 ms", "50 4 ms", "75 6 ms", "100 8 ms"]);
        assert_eq!(words(0, 3_450), ["0 0.0 s", "28.985 1.0 s", "57.971 2.0 s", "86.956 3.0 s"]);
        assert_eq!(words(0, 5_400_000), ["0 0.0 s", "33.333 30 min 00 s", "66.666 1 h 00 min", "100 1 h 30 min"]);
        assert_eq!(words(0, 864_000_000), ["0 0.0 s", "30 72 h 00 min", "60 144 h 00 min", "90 216 h 00 min"]);
    }

    #[test]
    fn no_time_is_too_far_away() {
        let scale = Scale { first_ms: i64::MIN, last_ms: i64::MAX };
        assert_eq!((scale.percent(i64::MIN), scale.percent(0), scale.percent(i64::MAX)), (0.0, 50.0, 100.0));
        assert!(scale.divisions().len() <= 5);
        assert_eq!(Scale { first_ms: 0, last_ms: 10 }.percent(1_000), 100.0);
    }
}
