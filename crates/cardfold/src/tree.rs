//! Who stands under whom, and what passes up: open calls, open requests, the ends of nested dispatches (R6, R10,
//! R19, R21). Knows no frame.

use std::collections::BTreeMap;

use crate::agent::{AgentId, Standing, TailEntry};
use crate::card::CallStatus;
use crate::limits::{LEVELS, TAIL};
use crate::tracker::CardTracker;

impl CardTracker {
    /// Puts an agent under another one. Nothing happens where that would close a circle.
    pub(crate) fn attach(&mut self, id: AgentId, parent: AgentId) {
        let (Some(id), Some(parent)) = (self.agents.find(id), self.agents.find(parent)) else { return };
        if self.agents[id].parent.is_some() || self.is_above(id, parent) {
            return;
        }
        if self.agents[id].card.is_some() {
            self.close_card(id);
        }
        let run = self.run_hung_under(id, parent);
        self.agents[parent].children.push(id);
        let agent = &mut self.agents[id];
        agent.parent = Some(parent);
        agent.hung_by_message = false;
        agent.parent_run = run;
        let asking = i64::from(agent.asking);
        if asking > 0 {
            self.count_asking(parent, asking);
        }
        self.root(id);
    }

    /// The run of a parent that an agent hangs under, by serial; 0 where that is past: the agent's run had begun before
    /// the one that is known.
    fn run_hung_under(&self, id: AgentId, parent: AgentId) -> u32 {
        let agent = &self.agents[id];
        let above = &self.agents[parent].run;
        let began = match (agent.runs, agent.run.start_call) {
            (1, _) => agent.dispatched_at,
            (_, Some(call)) => return self.run_above(parent, Some(call)),
            (_, None) => agent.run.begun_at,
        };
        if began < above.begun_at { 0 } else { above.serial }
    }

    /// `id` stands somewhere above `below`, or is it.
    pub(crate) fn is_above(&self, id: AgentId, below: AgentId) -> bool {
        // Only what has something below it can stand above anything.
        if id == below || self.agents[id].children.is_empty() {
            return id == below;
        }
        match self.agents[below].standing {
            Standing::Row { top, .. } => self.agents.find(top) == Some(id),
            Standing::Card => false,
            Standing::Unlinked => self.meet(id, below),
        }
    }

    /// Looks from `below` upwards and from `id` downwards at once, so that the shorter way decides the cost.
    fn meet(&self, id: AgentId, below: AgentId) -> bool {
        let mut up = self.agents[below].parent;
        let mut down: Vec<AgentId> = self.agents[id].children.to_vec();
        loop {
            let Some(above) = up.and_then(|up| self.agents.find(up)) else { return false };
            if above == id {
                return true;
            }
            up = self.agents[above].parent;
            let Some(child) = down.pop() else { return false };
            if let Some(child) = self.agents.find(child) {
                if child == below {
                    return true;
                }
                down.extend(self.agents[child].children.iter().copied());
            }
        }
    }

    /// Brings an agent, and all below it, under the card of its parent, if that has one.
    pub(crate) fn root(&mut self, id: AgentId) {
        let Some(parent) = self.agents[id].parent else { return };
        let (top, depth) = match self.agents[parent].standing {
            Standing::Card => (parent, 1),
            Standing::Row { top, depth } => (top, depth.saturating_add(1)),
            Standing::Unlinked => {
                self.refresh(id);
                return;
            }
        };
        self.touch_rows(top);
        let branch = self.branch(id, depth);
        let mut tail = self.take_tails(id);
        let before = self.agents[top].card.as_ref().map_or(0, |card| card.rows.len());
        for (id, depth) in &branch {
            self.place_row(*id, top, *depth);
        }
        self.order_rows(top, before);
        self.extend_tail(top, &mut tail);
        for (id, _) in branch.iter().rev() {
            self.read_anew(*id);
            self.pass_up(*id);
        }
        self.refresh_path(parent);
        self.show_request(top);
        self.grown.push(top);
    }

    /// Puts the rows of a card that came together, from the row number `first` on, in the order in which they were first
    /// heard of, though none before the one that made it.
    pub(crate) fn order_rows(&mut self, top: AgentId, first: usize) {
        let Some(card) = &self.agents[top].card else { return };
        if card.rows.len() - first < 2 {
            return;
        }
        let mut came: BTreeMap<AgentId, u64> = BTreeMap::new();
        for row in &card.rows[first..] {
            let agent = &self.agents[*row];
            let above = agent.parent.and_then(|parent| came.get(&self.agents.find(parent)?)).copied().unwrap_or(0);
            came.insert(*row, above.max(agent.dispatched_at));
        }
        let mut rows = card.rows[first..].to_vec();
        rows.sort_by_key(|row| (came[row], self.agents[*row].depth(), self.agents[*row].dispatched_at));
        if let Some(card) = &mut self.agents[top].card {
            card.rows.truncate(first);
            card.rows.append(&mut rows);
        }
    }

    /// An agent and all below it, with their depths, parents before children.
    pub(crate) fn branch(&self, id: AgentId, depth: u32) -> Vec<(AgentId, u32)> {
        let mut branch = vec![(id, depth)];
        let mut next = 0;
        while let Some((id, depth)) = branch.get(next).copied() {
            next += 1;
            let children = self.agents[id].children.iter().filter_map(|child| self.agents.find(*child));
            branch.extend(children.map(|child| (child, depth.saturating_add(1))));
        }
        branch
    }

    /// The last calls of an agent that waited and of all below it, in the order in which they came (R4).
    pub(crate) fn take_tails(&mut self, id: AgentId) -> Vec<TailEntry> {
        let mut tail = Vec::new();
        for (id, _) in self.branch(id, 0) {
            tail.append(&mut self.agents[id].tail);
        }
        tail.sort_by_key(|entry| entry.arrival);
        tail
    }

    /// Takes up calls that waited behind those that a card, or an agent that waits, shows already.
    pub(crate) fn extend_tail(&mut self, holder: AgentId, waited: &mut Vec<TailEntry>) {
        let tail = &mut self.agents[holder].tail;
        tail.append(waited);
        let over = tail.len().saturating_sub(TAIL);
        tail.drain(..over);
    }

    /// Makes one agent a row of a card: its calls and requests count there.
    pub(crate) fn place_row(&mut self, id: AgentId, top: AgentId, depth: u32) {
        if self.agents[id].standing == Standing::Unlinked {
            self.waiting_calls = self.waiting_calls.saturating_sub(u64::from(self.agents[id].own_calls));
            self.unlinked_agents = self.unlinked_agents.saturating_sub(1);
        }
        let agent = &mut self.agents[id];
        agent.drop_trailing_model();
        agent.standing = Standing::Row { top, depth };
        agent.touched = self.at;
        let (calls, failed) = (u64::from(agent.own_calls), u64::from(agent.own_failed));
        let requests = agent.requests.clone();
        let passes = depth <= LEVELS;
        let holder = self.agents[top].card.as_mut().expect("the top of a row is a card");
        holder.calls += calls;
        holder.failed_calls += failed;
        holder.rows.push(id);
        if passes {
            for key in requests {
                if let Some(request) = self.requests.get(key) {
                    holder.requests.insert(request.arrival, key);
                }
            }
        }
    }

    /// Past the cap the oldest row goes, a settled one first (R26).
    pub(crate) fn bound_rows(&mut self, top: AgentId) {
        while let Some(card) = self.agents.get(top).and_then(|agent| agent.card.as_ref())
            && card.rows.len() > self.limits.nested_rows.max(1)
        {
            let settled =
                card.rows.iter().copied().find(|row| self.agents.get(*row).is_none_or(|r| r.reading.is_settled()));
            let Some(row) = settled.or(card.rows.first().copied()) else { return };
            self.counters.evictions += 1;
            self.drop_row(row, top);
        }
    }

    /// A row goes; what stands below it stays, its calls stay counted.
    pub(crate) fn drop_row(&mut self, row: AgentId, top: AgentId) {
        self.touch_rows(top);
        if let Some(card) = &mut self.agents[top].card {
            card.rows.retain(|id| *id != row);
        }
        if self.agents.get(row).is_none() {
            return;
        }
        if let Some((call, _)) = self.agents[row].call
            && let Some(entry) = self.agents[top].tail.iter_mut().rfind(|entry| entry.key == call)
            && entry.status == CallStatus::Pending
        {
            // Nothing will ever tell of the call that dispatched it.
            entry.status = CallStatus::CutOff;
        }
        self.silence(row);
        let parent = self.agents[row].parent;
        for child in std::mem::take(&mut self.agents[row].children) {
            if let Some(child) = self.agents.find(child) {
                self.agents[child].parent = parent;
                if let Some(parent) = parent.and_then(|parent| self.agents.find(parent)) {
                    self.agents[parent].children.push(child);
                    let asking = i64::from(self.agents[child].asking);
                    self.count_asking(parent, asking);
                }
            }
        }
        self.forget(row);
    }

    /// An agent goes: its open calls and requests are nobody's any more.
    pub(crate) fn silence(&mut self, id: AgentId) {
        self.lapse_requests(id);
        self.withdraw(id);
    }

    /// Takes back from the parent what an agent passed up, and takes the agent from its children.
    pub(crate) fn withdraw(&mut self, id: AgentId) {
        let Some(parent) = self.agents[id].parent.and_then(|parent| self.agents.find(parent)) else { return };
        let above = &self.agents[parent].run;
        let agent = &self.agents[id];
        let passed = if above.is(agent.passed_to_run) { agent.passed_open } else { 0 };
        let asking = i64::from(agent.asking);
        self.agents[id].passed_open = 0;
        if passed > 0 {
            let open = &mut self.edit(parent).open;
            *open = open.saturating_sub(passed);
        }
        if asking > 0 {
            self.count_asking(parent, -asking);
        }
        self.agents[parent].children.retain(|child| *child != id);
        self.refresh_path(parent);
    }
}
