//! What some agents come to.

use std::collections::BTreeMap;

use cardfold::{Card, NestedRow, Outcome};

use crate::card_text;

/// One agent, with what is its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agent {
    pub(crate) is_nested: bool,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) failed: bool,
    /// Calls that it made itself.
    pub(crate) calls: u64,
    pub(crate) total_tokens: Option<u64>,
    pub(crate) duration_ms: Option<u64>,
}

/// Sums over agents.
#[derive(Debug, Default)]
pub(crate) struct Group {
    pub(crate) dispatches: u64,
    /// Those of them that agents made.
    pub(crate) nested: u64,
    pub(crate) outcomes: BTreeMap<Outcome, u64>,
    pub(crate) failed: u64,
    pub(crate) calls: u64,
    /// None where no agent states a figure.
    pub(crate) total_tokens: Option<u64>,
    durations: Vec<u64>,
}

/// How long agents took, in milliseconds: times that agents really took, by the nearest rank.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Durations {
    /// Agents whose time is known.
    pub(crate) agents: usize,
    pub(crate) median: u64,
    pub(crate) p95: u64,
    pub(crate) max: u64,
    pub(crate) total: u64,
}

impl Agent {
    /// The card's own agent: what its rows made is theirs.
    pub(crate) fn of_card(card: &Card) -> Self {
        let below = card.nested.iter().fold(0, |sum: u64, row| sum.saturating_add(row.calls));
        Self {
            is_nested: false,
            outcome: card.outcome,
            failed: card.failed,
            calls: card.calls.saturating_sub(below),
            total_tokens: card.usage.and_then(|usage| usage.total_tokens),
            duration_ms: card_text::duration(card),
        }
    }

    pub(crate) fn of_row(row: &NestedRow) -> Self {
        Self {
            is_nested: true,
            outcome: row.outcome,
            failed: row.failed,
            calls: row.calls,
            total_tokens: row.usage.and_then(|usage| usage.total_tokens),
            duration_ms: row.usage.and_then(|usage| usage.duration_ms),
        }
    }
}

impl Group {
    pub(crate) fn add(&mut self, agent: &Agent) {
        self.dispatches += 1;
        self.nested += u64::from(agent.is_nested);
        if let Some(outcome) = agent.outcome {
            *self.outcomes.entry(outcome).or_default() += 1;
        }
        self.failed += u64::from(agent.failed);
        self.calls = self.calls.saturating_add(agent.calls);
        if let Some(tokens) = agent.total_tokens {
            self.total_tokens = Some(self.total_tokens.unwrap_or(0).saturating_add(tokens));
        }
        self.durations.extend(agent.duration_ms);
    }

    /// None where there is nobody to fail.
    pub(crate) fn failure_rate(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a share needs no more than 53 bits of a count")]
        let share = self.failed as f64 / self.dispatches as f64;
        (self.dispatches > 0).then_some(share)
    }

    /// None where no agent's time is known.
    pub(crate) fn durations(&self) -> Option<Durations> {
        let mut sorted = self.durations.clone();
        sorted.sort_unstable();
        // The smallest time that so many of 100 agents did not exceed.
        let rank = |percent: usize| sorted.get((sorted.len() * percent).div_ceil(100).saturating_sub(1)).copied();
        Some(Durations {
            agents: sorted.len(),
            median: rank(50)?,
            p95: rank(95)?,
            max: rank(100)?,
            total: sorted.iter().copied().fold(0, u64::saturating_add),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(durations: impl IntoIterator<Item = u64>) -> Option<(u64, u64, u64)> {
        let group = Group { durations: durations.into_iter().collect(), ..Group::default() };
        group.durations().map(|durations| (durations.median, durations.p95, durations.max))
    }

    #[test]
    fn a_rank_is_a_time_that_was_taken() {
        assert_eq!(of([]), None);
        assert_eq!(of([7]), Some((7, 7, 7)));
        assert_eq!(of([9, 1]), Some((1, 9, 9)));
        assert_eq!(of([3, 1, 2]), Some((2, 3, 3)));
        assert_eq!(of((1..=100).rev()), Some((50, 95, 100)));
        assert_eq!(of(1..=20), Some((10, 19, 20)));
        assert_eq!(of(1..=21), Some((11, 20, 21)));
    }

    #[test]
    fn nobody_fails_where_nobody_is() {
        assert_eq!(Group::default().failure_rate(), None);
        let group = Group { dispatches: 8, failed: 2, ..Group::default() };
        assert_eq!(group.failure_rate(), Some(0.25));
    }
}
