//! The calls of agents, which three sources tell: the transcript, the mailbox, the worker's ring of events. Knows no
//! message.
//!
//! Only the transcript has ids. The others tell the same calls without, so that each agent's calls are taken from one
//! source: the first that tells any, and the ring only where there is no other.

use std::collections::VecDeque;

use crate::recent::Recent;

/// Agents that are remembered.
const AGENTS: usize = 16_384;

/// Open calls that are remembered of one agent, which works on one at a time.
const OPEN: usize = 1_024;

/// Who tells an agent's calls.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Source {
    Mailbox,
    Ring,
    Transcript,
}

#[derive(Debug)]
pub(crate) struct Calls(Recent<Agent>);

#[derive(Debug, Default)]
struct Agent {
    source: Option<Source>,
    open: VecDeque<Open>,
    /// Calls by step, the step at hand and how many it has.
    step: (u64, u64),
    failed_by_text: u64,
}

#[derive(Debug)]
struct Open {
    step: u64,
    name: String,
    id: String,
}

impl Default for Calls {
    fn default() -> Self {
        Self(Recent::new(AGENTS))
    }
}

impl Calls {
    /// The source may tell this agent's calls: it is the first, or the one that does.
    pub(crate) fn may_tell(&mut self, agent: &str, source: Source) -> bool {
        *self.0.entry(agent).source.get_or_insert(source) == source
    }

    /// A call without an id begins; gives the one that it goes by: agent, step, number in the step.
    pub(crate) fn begin(&mut self, agent: &str, step: u64, name: &str) -> String {
        let calls = self.0.entry(agent);
        let number = if calls.step.0 == step { calls.step.1 + 1 } else { 1 };
        calls.step = (step, number);
        let id = format!("{agent}:{step}:{number}");
        if calls.open.len() >= OPEN {
            calls.open.pop_front();
        }
        calls.open.push_back(Open { step, name: name.to_owned(), id: id.clone() });
        id
    }

    /// A call came back: the oldest open one of this step and name (W4-25).
    pub(crate) fn finish(&mut self, agent: &str, step: u64, name: &str) -> Option<String> {
        let open = &mut self.0.entry(agent).open;
        let at = open.iter().position(|call| call.step == step && call.name == name)?;
        open.remove(at).map(|call| call.id)
    }

    /// A call of the agent was taken for failed because its text says so.
    pub(crate) fn count_guess(&mut self, agent: &str) {
        let calls = self.0.entry(agent);
        calls.failed_by_text = calls.failed_by_text.saturating_add(1);
    }

    /// Calls that were taken for failed because of their texts.
    pub(crate) fn guesses(&self) -> Vec<(String, u64)> {
        let guessed = |agent: &str| self.0.get(agent).map_or(0, |calls| calls.failed_by_text);
        self.0.keys().map(|agent| (agent.to_owned(), guessed(agent))).filter(|(_, count)| *count > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_source_tells() {
        let mut calls = Calls::default();
        assert!(calls.may_tell("a", Source::Mailbox) && calls.may_tell("a", Source::Mailbox));
        assert!(!calls.may_tell("a", Source::Ring) && !calls.may_tell("a", Source::Transcript));
        assert!(calls.may_tell("b", Source::Ring));
    }

    #[test]
    fn calls_without_ids_pair_by_order() {
        let mut calls = Calls::default();
        assert_eq!(calls.begin("a", 1, "read"), "a:1:1");
        assert_eq!(calls.begin("a", 1, "read"), "a:1:2");
        assert_eq!(calls.begin("a", 2, "read"), "a:2:1");
        assert_eq!(calls.finish("a", 1, "read").as_deref(), Some("a:1:1"));
        assert_eq!(calls.finish("a", 2, "bash"), None);
        assert_eq!(calls.finish("a", 1, "read").as_deref(), Some("a:1:2"));
        assert_eq!(calls.finish("b", 1, "read"), None);
    }
}
