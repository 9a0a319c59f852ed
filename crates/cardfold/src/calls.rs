//! Calls: who made them, whether they returned, and which of them a card shows (R7, R9, R21). Knows no message.

use serde::{Deserialize, Serialize};

use crate::agent::{AgentId, CallText, Standing, TailEntry};
use crate::card::{CallStatus, State};
use crate::clean::one_line;
use crate::limits::TAIL;
use crate::run::Roster;
use crate::table::{Key, KeyMap, Ring};
use crate::tracker::CardTracker;

/// What is remembered of a `tool_use` id.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct IdRecord {
    /// The agent that the id names (a dispatch, or a parent that was never seen as a call), else the agent that made
    /// the call, else nobody: the main thread.
    pub(crate) agent: Option<AgentId>,
    /// The run of the maker in which the call was made, by serial; [`NOBODYS_RUN`], or 0 where the main thread made it.
    pub(crate) run: u32,
    pub(crate) tool: Tool,
    pub(crate) status: CallStatus,
    /// The id names `agent`; otherwise `agent` made the call.
    pub(crate) names_agent: bool,
    /// Who said that it started a run (R15).
    pub(crate) start: StartTold,
}

/// The run of a call that something inside the session made which is no sub-agent of ours.
pub(crate) const NOBODYS_RUN: u32 = u32::MAX;

impl IdRecord {
    /// The call itself was seen, not only its id.
    pub(crate) fn is_seen(&self) -> bool {
        self.tool != Tool::Unseen
    }

    /// The call was made inside a sub-agent, known or not.
    pub(crate) fn is_inside(&self) -> bool {
        self.run != 0
    }

    /// An unanswered call settles when the agent it started ends (R10).
    pub(crate) fn ends_with_agent(&self) -> bool {
        matches!(self.tool, Tool::Dispatch | Tool::Unseen)
    }
}

/// Who said that a call started a run: each of a frame and a result counts once (R15).
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub(crate) enum StartTold {
    /// Nobody.
    No,
    /// A `started` that came when the run was going on already.
    InPassing,
    /// The `started` that the run began with.
    ByFrame,
    /// The call's result.
    ByResult,
}

/// The tools whose results say something of agents (R11, R13–R15).
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) enum Tool {
    Dispatch,
    Other,
    SendMessage,
    Skill,
    TaskOutput,
    TaskStop,
    /// The call was not seen; it is taken for a dispatch.
    Unseen,
    Workflow,
}

impl Tool {
    /// The tool by its name on the wire, older names too (wire.md 3.1).
    pub(crate) fn of(name: &str, client_side: bool) -> Self {
        if !client_side {
            return Self::Other;
        }
        match name {
            "Task" | "Agent" => Self::Dispatch,
            "SendMessage" => Self::SendMessage,
            "Skill" => Self::Skill,
            "TaskOutput" | "AgentOutputTool" | "AgentOutput" | "BashOutputTool" | "BashOutput" => Self::TaskOutput,
            "TaskStop" | "KillShell" | "KillBash" => Self::TaskStop,
            "Workflow" => Self::Workflow,
            _ => Self::Other,
        }
    }
}

/// The `tool_use` ids of a tracker. Those that name an agent live as long as it does; those of other calls are bounded.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct CallIds {
    names: KeyMap<IdRecord>,
    calls: Ring<IdRecord>,
}

impl CallIds {
    pub(crate) fn get(&self, id: Key) -> Option<&IdRecord> {
        self.names.get(&id).or_else(|| self.calls.get(id))
    }

    pub(crate) fn get_mut(&mut self, id: Key) -> Option<&mut IdRecord> {
        self.names.get_mut(&id).or_else(|| self.calls.get_mut(id))
    }

    /// True if another id had to go.
    pub(crate) fn insert(&mut self, id: Key, record: IdRecord, cap: usize) -> bool {
        if record.names_agent {
            self.calls.remove(id);
            self.names.insert(id, record);
            return false;
        }
        self.names.swap_remove(&id);
        self.calls.insert(id, record, cap).is_some()
    }

    pub(crate) fn remove(&mut self, id: Key) {
        if self.names.swap_remove(&id).is_none() {
            self.calls.remove(id);
        }
    }
}

/// A call as it came: what a tail shows of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallSeen<'a> {
    pub(crate) key: Key,
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
    pub(crate) title: &'a str,
}

impl CardTracker {
    /// Counts a call of an agent, wherever that stands.
    pub(crate) fn count_call(&mut self, maker: AgentId, seen: CallSeen<'_>) {
        self.wake_inferred(maker);
        let arrival = self.at;
        let agent = self.edit(maker);
        if agent.run.first_call_at == 0 {
            agent.run.first_call_at = arrival;
        }
        agent.own_calls += 1;
        agent.own_pending += 1;
        agent.open += 1;
        let entry = TailEntry {
            key: seen.key,
            arrival,
            maker,
            run: agent.run.serial,
            status: CallStatus::Pending,
            text: CallText::new(seen.id, &one_line(seen.name, NAME_CHARS), seen.title),
        };
        let waits = agent.standing == Standing::Unlinked;
        let holder = self.tail_holder(maker);
        let holder = &mut self.agents[holder];
        if holder.tail.len() == TAIL {
            holder.tail.remove(0);
        }
        holder.tail.push(entry);
        if let Some(card) = &mut holder.card {
            card.calls += 1;
        }
        if waits {
            self.waiting_calls += 1;
            self.waiting_queue.push_back(seen.key);
        }
    }

    /// A call that starts undoes what was only concluded about its agent, and about those above it (R22).
    fn wake_inferred(&mut self, maker: AgentId) {
        let mut revived = None;
        for id in self.path(maker) {
            let run = &self.agents[id].run;
            if run.is_stated_over() || run.marker {
                // The call is cut off here: it proves nothing of what stands above.
                break;
            }
            if run.level_lost || run.inferred.is_some() || run.guess.is_some() {
                self.revive(id);
                revived = revived.or(Some(id));
            }
        }
        if let Some(id) = revived {
            // What was open below counts again at every level above, whether that was over itself or not.
            self.refresh_path(id);
        }
    }

    /// Undoes an ending that was only concluded, or a wait. What a level had listed can be lost again by the next one
    /// (R17).
    pub(crate) fn revive(&mut self, id: AgentId) {
        self.drop_guess(id);
        let run = &mut self.edit(id).run;
        let was_over = run.listed && (run.level_lost || run.parked);
        run.forget_inferred_end();
        if was_over && !self.listed.contains(&id) {
            self.listed.push(id);
        }
    }

    /// The roster says that the run is alive (R14).
    pub(crate) fn wake(&mut self, id: AgentId, state: State) {
        self.revive(id);
        self.agents[id].run.roster = Roster::Live(state);
    }

    /// A call returned. The last result stands (R9).
    pub(crate) fn settle_call(&mut self, key: Key, failed: bool) {
        let status = if failed { CallStatus::Failed } else { CallStatus::Completed };
        let Some(record) = self.ids.get_mut(key) else { return };
        let before = record.status;
        record.status = status;
        let maker = if record.names_agent {
            // The parent is told by the agent that the call started, whose status for it this result now decides.
            let Some(agent) = record.agent else { return };
            return self.refresh_call_of(agent);
        } else {
            record.agent
        };
        let Some(maker) = maker.and_then(|maker| self.agents.find(maker)) else { return };
        if before != status {
            self.change_call(key, maker, before, status);
            self.refresh(maker);
        }
    }

    /// The call that dispatched an agent reads anew; its parent hears of it.
    pub(crate) fn refresh_call_of(&mut self, agent: AgentId) {
        if let Some(agent) = self.agents.find(agent) {
            self.refresh(agent);
        }
    }

    /// Takes back a call that has no result (R2 `supersedes`).
    pub(crate) fn take_back(&mut self, key: Key) {
        let Some(record) = self.ids.get(key).copied() else { return };
        if record.status != CallStatus::Pending || !record.is_seen() {
            return;
        }
        let Some(agent) = record.agent.and_then(|agent| self.agents.find(agent)) else {
            self.ids.remove(key);
            return;
        };
        let maker = if record.names_agent {
            if self.agents[agent].run.answer != crate::run::Answer::None {
                return;
            }
            let (maker, status) = (self.agents[agent].parent, self.agents[agent].call_status);
            let maker = maker.and_then(|maker| self.agents.find(maker));
            if let Some(maker) = maker {
                // How the call read by its agent goes with it.
                self.change_call(key, maker, status, CallStatus::Pending);
                self.agents[agent].call = None;
            }
            self.take_back_dispatch(agent, key);
            maker
        } else {
            self.ids.remove(key);
            Some(agent)
        };
        if let Some(maker) = maker.and_then(|maker| self.agents.find(maker)) {
            self.uncount_call(key, maker, record.run);
        }
    }

    /// A dispatch was never made. What its agent did, or was told, is not taken back: it waits for another dispatch of
    /// that id.
    fn take_back_dispatch(&mut self, id: AgentId, dispatch: Key) {
        let agent = &self.agents[id];
        if agent.own_calls == 0 && agent.children.is_empty() && agent.tasks.is_empty() && !agent.run.seen {
            self.release(id);
            self.ids.remove(dispatch);
            return;
        }
        self.leave(id);
        self.agents[id].forget_dispatch();
        self.queue_unlinked(id);
        if let Some(record) = self.ids.get_mut(dispatch) {
            record.tool = Tool::Unseen;
            record.run = 0;
        }
    }

    fn uncount_call(&mut self, key: Key, maker: AgentId, run: u32) {
        let agent = self.edit(maker);
        agent.own_calls = agent.own_calls.saturating_sub(1);
        if agent.run.is(run) {
            agent.drop_pending(run);
        }
        let waits = agent.standing == Standing::Unlinked;
        let holder = self.tail_holder(maker);
        let holder = &mut self.agents[holder];
        holder.tail.retain(|entry| entry.key != key);
        if let Some(card) = &mut holder.card {
            card.calls = card.calls.saturating_sub(1);
        }
        if waits {
            self.waiting_calls = self.waiting_calls.saturating_sub(1);
        }
        self.refresh(maker);
    }

    /// Past the cap the oldest call that waits for its agent goes (R26).
    pub(crate) fn bound_waiting_calls(&mut self) {
        while self.waiting_calls > self.limits.orphan_calls.max(1) as u64 {
            let Some(key) = self.waiting_queue.pop_front() else { return };
            let Some(maker) = self.waiting_maker(key) else { continue };
            self.counters.orphans_dropped += 1;
            self.drop_waiting_call(key, maker);
        }
        if self.waiting_queue.len() > 64 + 4 * self.limits.orphan_calls {
            // Calls that were linked since are passed over; sweeping them costs what they cost when they came in.
            let queue = std::mem::take(&mut self.waiting_queue);
            self.waiting_queue = queue.into_iter().filter(|key| self.waiting_maker(*key).is_some()).collect();
        }
    }

    /// The agent that made a call, if it still waits for its link.
    fn waiting_maker(&self, key: Key) -> Option<AgentId> {
        let record = self.ids.get(key)?;
        let agent = self.agents.find(record.agent?)?;
        let maker = if record.names_agent { self.agents.find(self.agents[agent].parent?)? } else { agent };
        (self.agents[maker].standing == Standing::Unlinked).then_some(maker)
    }

    fn drop_waiting_call(&mut self, key: Key, maker: AgentId) {
        let Some(record) = self.ids.get(key).copied() else { return };
        if let Some(agent) = record.agent
            && record.names_agent
        {
            self.release(agent);
        }
        if record.status == CallStatus::Failed {
            let agent = &mut self.agents[maker];
            agent.own_failed = agent.own_failed.saturating_sub(1);
        }
        let pending = record.status == CallStatus::Pending;
        self.ids.remove(key);
        self.uncount_call(key, maker, if pending { record.run } else { 0 });
    }
}

/// Characters of a tool's name in a tail.
const NAME_CHARS: usize = 80;
