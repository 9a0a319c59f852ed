//! Which tools the agents call. A card keeps its last four calls alone, so the frames are counted.

use std::collections::{BTreeMap, HashMap};

use cardfold::CardTracker;
use cardfold_replay::Event;
use cardfold_wire::{Block, Body};

/// Calls by the tool's name.
#[derive(Debug, Default)]
pub(crate) struct Tools(BTreeMap<String, u64>);

impl Tools {
    pub(crate) fn append(&mut self, other: Self) {
        for (name, calls) in other.0 {
            let sum = self.0.entry(name).or_default();
            *sum = sum.saturating_add(calls);
        }
    }

    /// The most used ones first.
    pub(crate) fn sorted(&self) -> Vec<(&str, u64)> {
        let mut tools: Vec<(&str, u64)> = self.0.iter().map(|(name, calls)| (name.as_str(), *calls)).collect();
        tools.sort_by(|(one, of_one), (other, of_other)| of_other.cmp(of_one).then_with(|| one.cmp(other)));
        tools
    }
}

/// The calls of the sessions at hand, by id: whose they are may only be known at the end of the session.
#[derive(Debug, Default)]
pub(crate) struct CallsAtHand {
    /// By session.
    calls: BTreeMap<usize, HashMap<String, String>>,
    /// Sessions that are done.
    done: usize,
}

impl CallsAtHand {
    /// Takes the calls of a frame.
    pub(crate) fn take(&mut self, event: &Event<'_>) {
        let Some(frame) = event.frame else { return };
        let Body::Assistant(message) = &frame.body else { return };
        // A message that the main thread sends to an agent leads to its card, and is no call of the agent.
        let is_of_main = frame.parent.is_none() && frame.agent_id.is_none() && !frame.sidechain;
        if message.aborted || is_of_main {
            return;
        }
        for block in &message.blocks {
            match block {
                Block::ToolUse(call) if !call.id.trim().is_empty() => {
                    let calls = self.calls.entry(event.session).or_default();
                    calls.entry(call.id.to_string()).or_insert_with(|| call.name.to_string());
                }
                Block::Other | Block::Text(_) | Block::ToolResult(_) | Block::ToolUse(_) => {}
            }
        }
    }

    /// The calls of the next session that is done, as far as they are those of its agents. The dispatch of a card is
    /// the main thread's.
    pub(crate) fn of_next_session(&mut self, tracker: &CardTracker) -> Tools {
        let calls = self.calls.remove(&self.done).unwrap_or_default();
        self.done += 1;
        let mut tools = Tools::default();
        for (id, name) in calls {
            if tracker.owner_of_call(&id).is_some_and(|owner| owner != id) {
                *tools.0.entry(name).or_default() += 1;
            }
        }
        tools
    }
}
