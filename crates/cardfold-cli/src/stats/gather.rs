//! The sums of many sessions.

use std::collections::BTreeMap;

use cardfold_replay::Session;

use crate::calendar;
use crate::stats::group::{Agent, Group};
use crate::stats::tools::Tools;

/// What was read so far.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) sessions: u64,
    /// Lines that could not be read.
    pub(crate) skipped: u64,
    pub(crate) total: Group,
    /// None is the type of agents that state none.
    pub(crate) by_type: BTreeMap<Option<String>, Group>,
    /// Days as they are written, which sort as they follow; None is that of dispatches without a time.
    pub(crate) by_day: BTreeMap<Option<String>, Group>,
    pub(crate) tools: Tools,
}

impl Gathered {
    /// Adds a session and the calls of its agents.
    pub(crate) fn add(&mut self, session: &Session, calls: Tools) {
        self.sessions += 1;
        self.skipped = self.skipped.saturating_add(session.skipped);
        for card in session.tracker.cards() {
            let day = card.started_at_ms.map(calendar::day);
            self.add_agent(&Agent::of_card(&card), card.agent_type.as_ref(), day.as_ref());
            for row in &card.nested {
                self.add_agent(&Agent::of_row(row), row.agent_type.as_ref(), day.as_ref());
            }
        }
        self.tools.append(calls);
    }

    fn add_agent(&mut self, agent: &Agent, agent_type: Option<&String>, day: Option<&String>) {
        self.total.add(agent);
        self.by_type.entry(agent_type.cloned()).or_default().add(agent);
        self.by_day.entry(day.cloned()).or_default().add(agent);
    }

    /// The types with the most dispatches first.
    pub(crate) fn types(&self) -> Vec<(Option<&str>, &Group)> {
        let mut types: Vec<_> = self.by_type.iter().map(|(name, group)| (name.as_deref(), group)).collect();
        types.sort_by(|(one, of_one), (other, of_other)| {
            of_other.dispatches.cmp(&of_one.dispatches).then_with(|| one.cmp(other))
        });
        types
    }
}
