//! What passes up from an agent to those above it: open calls, open requests, the end of a nested dispatch (R10, R19,
//! R21). Knows no frame.

use smallvec::SmallVec;

use crate::agent::{AgentId, Standing, TailEntry};
use crate::card::{CallStatus, State};
use crate::limits::LEVELS;
use crate::run::Reading;
use crate::table::Key;
use crate::tracker::CardTracker;
use crate::update::Rule;

impl CardTracker {
    /// Reads an agent anew after something was said about it, and lets what changed pass up.
    pub(crate) fn refresh(&mut self, id: AgentId) {
        let mut at = id;
        let mut lapsed = false;
        loop {
            self.touch(at);
            // A request that lapsed was counted at every level above, whatever stands between.
            lapsed |= self.read_anew(at);
            let passed = self.pass_up(at);
            let Some(parent) = self.agents[at].parent.and_then(|parent| self.agents.find(parent)) else { break };
            if !(lapsed || passed) {
                break;
            }
            at = parent;
        }
    }

    /// Reads an agent and all above it, whatever changed below them.
    pub(crate) fn refresh_path(&mut self, id: AgentId) {
        for at in self.path(id) {
            self.touch(at);
            self.read_anew(at);
            self.pass_up(at);
        }
    }

    /// An agent and those above it that its state passes up to.
    pub(crate) fn path(&self, id: AgentId) -> SmallVec<[AgentId; 4]> {
        let mut path = SmallVec::new();
        let mut at = Some(id);
        while let Some(id) = at.and_then(|id| self.agents.find(id)) {
            path.push(id);
            if path.len() > LEVELS as usize || self.agents[id].depth() > LEVELS {
                break;
            }
            at = self.agents[id].parent;
        }
        path
    }

    /// True if requests of the agent lapsed, so that everything above has to be read again.
    pub(crate) fn read_anew(&mut self, id: AgentId) -> bool {
        let agent = &mut self.agents[id];
        let now = agent.read();
        let was = std::mem::replace(&mut agent.reading, now);
        if was == now {
            return false;
        }
        if now.is_settled() && !was.is_settled() {
            agent.run.settled_at = self.at;
        }
        if was.is_settled() && !now.is_settled() && agent.run.reopened_at != self.at {
            self.reopen_run(id);
        }
        if now.drawn && !was.drawn && self.rule == Rule::None {
            self.rule = Rule::R18;
        }
        let turned = now.is_settled() != was.is_settled();
        if turned {
            self.note_settled(id, now);
        }
        let lapsed = now.is_settled() && self.lapse_requests(id);
        if turned {
            self.show_request(id);
        }
        lapsed
    }

    /// The run of an agent goes on after all. Where its task is known, so is every start of another run, and there is
    /// nothing to tell apart.
    fn reopen_run(&mut self, id: AgentId) {
        let at = self.at;
        if !self.agents[id].tasks.is_empty() || !self.agents[id].run.can_part() {
            self.agents[id].run.reopen_whole(at);
            return;
        }
        let serial = self.next_run();
        let agent = &mut self.agents[id];
        agent.usage.rename(&agent.run, serial);
        agent.run.reopen(at, serial, agent.own_pending);
    }

    /// A call is about to be made. If it reopens the run it is the first one behind the reopening.
    pub(crate) fn reopen_for_call(&mut self, maker: AgentId) {
        let agent = &self.agents[maker];
        if agent.reading.is_settled() && !agent.run.has_ending() {
            self.reopen_run(maker);
        }
    }

    /// Keeps the order in which settled cards would be given up.
    pub(crate) fn note_settled(&mut self, id: AgentId, now: Reading) {
        if let Some(card) = &self.agents[id].card {
            let place = card.place;
            if now.is_settled() {
                self.settled.insert(place, id);
            } else {
                self.settled.remove(&place);
            }
        }
    }

    /// Gives the parent what changed: open calls, and the state of the call that dispatched the agent.
    pub(crate) fn pass_up(&mut self, id: AgentId) -> bool {
        let Some(parent) = self.agents[id].parent.and_then(|parent| self.agents.find(parent)) else {
            return self.pass_status(id, None);
        };
        let agent = &self.agents[id];
        let above = &self.agents[parent].run;
        let live = !agent.reading.is_settled() && agent.depth() <= LEVELS && above.is(agent.parent_run);
        let passed = if live { agent.open } else { 0 };
        let before = if above.is(agent.passed_to_run) { agent.passed_open } else { 0 };
        let above = above.serial;
        if passed != before || agent.passed_to_run != above {
            let agent = &mut self.agents[id];
            agent.passed_open = passed;
            agent.passed_to_run = above;
        }
        if passed != before {
            let open = &mut self.edit(parent).open;
            *open = open.saturating_add(passed).saturating_sub(before);
        }
        let told = self.pass_status(id, Some(parent));
        told || passed != before
    }

    /// Tells the maker of the call that dispatched an agent how it reads now. True if that is the parent.
    fn pass_status(&mut self, id: AgentId, parent: Option<AgentId>) -> bool {
        let status = self.dispatch_status(id);
        let agent = &mut self.agents[id];
        let before = std::mem::replace(&mut agent.call_status, status);
        let Some((call, maker)) = agent.call.filter(|_| status != before) else { return false };
        let Some(maker) = self.agents.find(maker) else { return false };
        self.change_call(call, maker, before, status);
        if parent != Some(maker) {
            // Frames that contradict each other: the roster put the agent elsewhere. The maker is read when the frame
            // is over.
            self.to_read.push(maker);
        }
        parent == Some(maker)
    }

    /// Reads the agents whose calls changed from elsewhere.
    pub(crate) fn read_rest(&mut self) {
        for _ in 0..LEVELS {
            let Some(id) = self.to_read.pop() else { return };
            if let Some(id) = self.agents.find(id) {
                self.refresh(id);
            }
        }
        self.to_read.clear();
    }

    /// How the call reads that dispatched an agent (R10).
    pub(crate) fn dispatch_status(&self, id: AgentId) -> CallStatus {
        let agent = &self.agents[id];
        let Some(record) = agent.call.and_then(|(call, _)| self.ids.get(call)) else { return agent.call_status };
        if record.status != CallStatus::Pending || !record.ends_with_agent() {
            return record.status;
        }
        if agent.runs > 1 {
            // The end of the first run settled the call; what the agent does later is no matter of that call.
            return agent.first_run;
        }
        match agent.reading.outcome {
            None | Some(crate::card::Outcome::Abandoned) => CallStatus::Pending,
            Some(outcome) if outcome.is_failed() => CallStatus::Failed,
            Some(_) => CallStatus::Completed,
        }
    }

    /// A call of `maker` went from one status to another.
    pub(crate) fn change_call(&mut self, call: Key, maker: AgentId, from: CallStatus, to: CallStatus) {
        let Some(record) = self.ids.get(call) else { return };
        let run = record.run;
        let agent = self.edit(maker);
        let current = agent.run.is(run);
        if current && from == CallStatus::Pending {
            agent.drop_pending(run);
        }
        if current && to == CallStatus::Pending {
            agent.own_pending += 1;
            agent.open += 1;
            agent.run.pending_before += u32::from(run != agent.run.serial);
        }
        let failed = i64::from(to == CallStatus::Failed) - i64::from(from == CallStatus::Failed);
        agent.own_failed = agent.own_failed.saturating_add_signed(failed as i32);
        let holder = self.tail_holder(maker);
        let holder = &mut self.agents[holder];
        if let Some(card) = &mut holder.card {
            card.failed_calls = card.failed_calls.saturating_add_signed(failed);
        }
        if let Some(entry) = holder.tail.iter_mut().rfind(|entry| entry.key == call) {
            entry.status = to;
        }
    }

    /// The agent whose tail shows the calls of an agent: its card, or itself while it waits.
    pub(crate) fn tail_holder(&self, id: AgentId) -> AgentId {
        match self.agents[id].standing {
            Standing::Row { top, .. } => self.agents.find(top).unwrap_or(id),
            Standing::Card | Standing::Unlinked => id,
        }
    }

    /// A tail's entry as it is shown: cut off where a run above it is over (R21).
    pub(crate) fn tail_status(&self, entry: &TailEntry, card: AgentId) -> CallStatus {
        if entry.status != CallStatus::Pending {
            return entry.status;
        }
        let mut at = self.agents.find(entry.maker);
        if at.is_none() {
            // Its maker was given up at a cap; nothing will ever tell of the call.
            return CallStatus::CutOff;
        }
        let mut run = entry.run;
        for _ in 0..=LEVELS {
            let Some(id) = at else { break };
            let agent = &self.agents[id];
            if !agent.run.is(run) || agent.reading.is_settled() {
                return CallStatus::CutOff;
            }
            run = agent.parent_run;
            at = agent.parent.and_then(|parent| self.agents.find(parent));
        }
        if self.agents[card].reading.state == State::Settled { CallStatus::CutOff } else { CallStatus::Pending }
    }
}
