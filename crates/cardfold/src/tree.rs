//! Who stands under whom, and what passes up: open calls, open requests, the ends of nested dispatches (R6, R10,
//! R19, R21). Knows no frame.

use smallvec::SmallVec;

use crate::agent::{Agent, AgentId, CardPart, Standing, TailEntry};
use crate::card::{CallStatus, State};
use crate::changes::Field;
use crate::limits::LEVELS;
use crate::run::Reading;
use crate::table::Key;
use crate::texts::Sourced;
use crate::tracker::CardTracker;

/// Calls that a card shows.
pub(crate) const TAIL: usize = 4;

/// Agents that one agent may have turned out to be, and task ids that may lead to it, before the oldest is given up.
const NAMES: usize = 64;

impl CardTracker {
    /// Reads an agent anew after something was said about it, and lets what changed pass up.
    pub(crate) fn refresh(&mut self, id: AgentId) {
        let mut at = id;
        loop {
            self.touch(at);
            let lapsed = self.read_anew(at);
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
    fn read_anew(&mut self, id: AgentId) -> bool {
        let was = self.agents[id].reading;
        let now = self.agents[id].read();
        if was == now {
            return false;
        }
        self.agents[id].reading = now;
        self.note_settled(id, now);
        let lapsed = now.is_settled() && self.lapse_requests(id);
        if now.is_settled() {
            self.set_text(id, Field::Activity, None);
        }
        if now.is_settled() != was.is_settled() {
            self.show_request(id);
        }
        lapsed
    }

    /// Keeps the order in which settled cards would be given up.
    fn note_settled(&mut self, id: AgentId, now: Reading) {
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
    fn pass_up(&mut self, id: AgentId) -> bool {
        let agent = &self.agents[id];
        let Some(parent) = agent.parent.and_then(|parent| self.agents.find(parent)) else { return false };
        let parent_runs = self.agents[parent].runs;
        let live = !agent.reading.is_settled() && agent.depth() <= LEVELS && agent.parent_run == parent_runs;
        let passed = if live { agent.open } else { 0 };
        let before = if agent.passed_to_run == parent_runs { agent.passed_open } else { 0 };
        let status = self.dispatch_status(id);
        let (call, call_before) = (agent.call, agent.call_status);
        let changed = passed != before || status != call_before;
        if changed || agent.passed_to_run != parent_runs {
            let agent = &mut self.agents[id];
            agent.passed_open = passed;
            agent.passed_to_run = parent_runs;
            agent.call_status = status;
        }
        if passed != before {
            let open = &mut self.edit(parent).open;
            *open = open.saturating_add(passed).saturating_sub(before);
        }
        if let Some(call) = call
            && status != call_before
        {
            self.change_call(call, parent, call_before, status);
        }
        changed
    }

    /// How the call reads that dispatched an agent (R10).
    fn dispatch_status(&self, id: AgentId) -> CallStatus {
        let agent = &self.agents[id];
        let Some(record) = agent.call.and_then(|call| self.ids.get(call)) else { return agent.call_status };
        if record.status != CallStatus::Pending || !record.ends_with_agent {
            return record.status;
        }
        if agent.runs > 1 {
            // The end of the first run settled the call; what the agent does later is no matter of that call.
            return if agent.call_status == CallStatus::Pending { CallStatus::Completed } else { agent.call_status };
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
        let current = run == agent.runs;
        if current && from == CallStatus::Pending {
            agent.own_pending = agent.own_pending.saturating_sub(1);
            agent.open = agent.open.saturating_sub(1);
        }
        if current && to == CallStatus::Pending {
            agent.own_pending += 1;
            agent.open += 1;
        }
        let failed = i64::from(to == CallStatus::Failed) - i64::from(from == CallStatus::Failed);
        agent.own_failed = agent.own_failed.saturating_add_signed(failed as i32);
        let holder = self.tail_holder(maker);
        let holder = &mut self.agents[holder];
        if let Some(card) = &mut holder.card {
            card.failed_calls = card.failed_calls.saturating_add_signed(failed);
        }
        if let Some(entry) = holder.tail.iter_mut().find(|entry| entry.key == call) {
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
        let mut run = entry.run;
        for _ in 0..=LEVELS {
            let Some(id) = at else { break };
            let agent = &self.agents[id];
            if agent.runs != run || agent.reading.is_settled() {
                return CallStatus::CutOff;
            }
            run = agent.parent_run;
            at = agent.parent.and_then(|parent| self.agents.find(parent));
        }
        if self.agents[card].reading.state == State::Settled { CallStatus::CutOff } else { CallStatus::Pending }
    }

    /// Puts an agent under another one. Nothing happens where that would close a circle.
    pub(crate) fn attach(&mut self, id: AgentId, parent: AgentId) {
        let (Some(id), Some(parent)) = (self.agents.find(id), self.agents.find(parent)) else { return };
        if self.agents[id].parent.is_some() || self.is_above(id, parent) {
            return;
        }
        if self.agents[id].card.is_some() {
            self.close_card(id);
        }
        let runs = self.agents[parent].runs;
        self.agents[parent].children.push(id);
        let agent = &mut self.agents[id];
        agent.parent = Some(parent);
        agent.parent_run = runs;
        self.root(id);
    }

    /// `id` stands somewhere above `below`, or is it.
    fn is_above(&self, id: AgentId, below: AgentId) -> bool {
        // Only what has something below it can stand above anything.
        if id == below || self.agents[id].children.is_empty() {
            return id == below;
        }
        match self.agents[below].standing {
            Standing::Row { top, .. } => self.agents.find(top) == Some(id),
            Standing::Card => false,
            Standing::Unlinked => {
                let mut at = self.agents[below].parent;
                while let Some(above) = at.and_then(|at| self.agents.find(at)) {
                    if above == id {
                        return true;
                    }
                    at = self.agents[above].parent;
                }
                false
            }
        }
    }

    /// Brings an agent, and all below it, under the card of its parent, if that has one.
    fn root(&mut self, id: AgentId) {
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
        let mut tail = Vec::new();
        for (id, depth) in &branch {
            tail.append(&mut self.place_row(*id, top, *depth));
        }
        tail.sort_by_key(|entry| entry.arrival);
        let holder = &mut self.agents[top];
        holder.tail.append(&mut tail);
        let over = holder.tail.len().saturating_sub(TAIL);
        holder.tail.drain(..over);
        for (id, _) in branch.iter().rev() {
            self.read_anew(*id);
            self.pass_up(*id);
        }
        self.refresh_path(parent);
        self.bound_rows(top);
    }

    /// An agent and all below it, with their depths, parents before children.
    fn branch(&self, id: AgentId, depth: u32) -> Vec<(AgentId, u32)> {
        let mut branch = vec![(id, depth)];
        let mut next = 0;
        while let Some((id, depth)) = branch.get(next).copied() {
            next += 1;
            let children = self.agents[id].children.iter().filter_map(|child| self.agents.find(*child));
            branch.extend(children.map(|child| (child, depth.saturating_add(1))));
        }
        branch
    }

    /// Makes one agent a row of a card: its calls and requests count there. Gives the calls it had to show.
    fn place_row(&mut self, id: AgentId, top: AgentId, depth: u32) -> Vec<TailEntry> {
        if self.agents[id].standing == Standing::Unlinked {
            self.waiting_calls = self.waiting_calls.saturating_sub(u64::from(self.agents[id].own_calls));
            self.unlinked_agents = self.unlinked_agents.saturating_sub(1);
        }
        let agent = &mut self.agents[id];
        agent.standing = Standing::Row { top, depth };
        agent.touched = self.at;
        let (calls, failed) = (u64::from(agent.own_calls), u64::from(agent.own_failed));
        let tail = std::mem::take(&mut agent.tail);
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
        tail
    }

    /// Past the cap the oldest row goes, a settled one first (R26).
    fn bound_rows(&mut self, top: AgentId) {
        while let Some(card) = &self.agents[top].card
            && card.rows.len() > self.limits.nested_rows.max(1)
        {
            let settled = card.rows.iter().copied().find(|row| self.agents.get(*row).is_none_or(|r| r.reading.is_settled()));
            let Some(row) = settled.or(card.rows.first().copied()) else { return };
            self.counters.evictions += 1;
            self.drop_row(row, top);
        }
    }

    /// A row goes; what stands below it stays, its calls stay counted.
    fn drop_row(&mut self, row: AgentId, top: AgentId) {
        self.touch_rows(top);
        if let Some(card) = &mut self.agents[top].card {
            card.rows.retain(|id| *id != row);
        }
        if self.agents.get(row).is_none() {
            return;
        }
        self.silence(row);
        let parent = self.agents[row].parent;
        for child in std::mem::take(&mut self.agents[row].children) {
            if let Some(child) = self.agents.find(child) {
                self.agents[child].parent = parent;
                if let Some(parent) = parent.and_then(|parent| self.agents.find(parent)) {
                    self.agents[parent].children.push(child);
                }
            }
        }
        self.forget(row);
    }

    /// Takes back what an agent passed up: its open calls and requests.
    fn silence(&mut self, id: AgentId) {
        self.lapse_requests(id);
        let agent = &mut self.agents[id];
        agent.open = 0;
        agent.own_pending = 0;
        let Some(parent) = agent.parent.and_then(|parent| self.agents.find(parent)) else { return };
        self.pass_up(id);
        self.agents[parent].children.retain(|child| *child != id);
        self.refresh_path(parent);
    }

    /// An agent goes with all below it; the calls it had are taken back from its card.
    pub(crate) fn release(&mut self, id: AgentId) {
        let Some(id) = self.agents.find(id) else { return };
        if self.agents[id].card.is_some() {
            self.close_card(id);
        }
        let branch = self.branch(id, 0);
        if let Standing::Row { top, .. } = self.agents[id].standing
            && let Some(top) = self.agents.find(top)
        {
            self.touch_rows(top);
            self.silence(id);
            let ids: Vec<AgentId> = branch.iter().map(|(id, _)| *id).collect();
            let calls: u64 = ids.iter().map(|id| u64::from(self.agents[*id].own_calls)).sum();
            let failed: u64 = ids.iter().map(|id| u64::from(self.agents[*id].own_failed)).sum();
            for id in &ids {
                self.lapse_requests(*id);
            }
            let agent = &mut self.agents[top];
            agent.tail.retain(|entry| !ids.contains(&entry.maker));
            if let Some(card) = &mut agent.card {
                card.calls = card.calls.saturating_sub(calls);
                card.failed_calls = card.failed_calls.saturating_sub(failed);
                card.rows.retain(|row| !ids.contains(row));
            }
        } else if let Some(parent) = self.agents[id].parent.and_then(|parent| self.agents.find(parent)) {
            self.agents[parent].children.retain(|child| *child != id);
        }
        for (id, _) in branch {
            self.lapse_requests(id);
            self.forget(id);
        }
    }

    /// Takes one agent out of every table.
    fn forget(&mut self, id: AgentId) {
        let Some(agent) = self.agents.take(id, None) else { return };
        if agent.standing == Standing::Unlinked {
            self.waiting_calls = self.waiting_calls.saturating_sub(u64::from(agent.own_calls));
            self.unlinked_agents = self.unlinked_agents.saturating_sub(1);
        }
        for task in &agent.tasks {
            if self.tasks.get(task).is_some_and(|owner| *owner == id || agent.absorbed.contains(owner)) {
                self.tasks.swap_remove(task);
            }
        }
        for name in &agent.names {
            if self.ids.get(*name).is_some_and(|r| r.names_agent && r.agent.is_some_and(|owner| owner == id || agent.absorbed.contains(&owner))) {
                self.ids.remove(*name);
            }
        }
        for moved in agent.absorbed {
            self.agents.forget_moved(moved);
        }
    }

    /// Opens a card for an agent that has none and stands under nobody.
    pub(crate) fn open_card(&mut self, id: AgentId) {
        let place = self.next_place;
        self.next_place += 1;
        if self.agents[id].standing == Standing::Unlinked {
            self.waiting_calls = self.waiting_calls.saturating_sub(u64::from(self.agents[id].own_calls));
            self.unlinked_agents = self.unlinked_agents.saturating_sub(1);
        }
        let agent = &mut self.agents[id];
        agent.standing = Standing::Card;
        let mut requests = std::collections::BTreeMap::new();
        for key in &agent.requests {
            if let Some(request) = self.requests.get(*key) {
                requests.insert(request.arrival, *key);
            }
        }
        agent.card = Some(Box::new(CardPart {
            place,
            calls: u64::from(agent.own_calls),
            failed_calls: u64::from(agent.own_failed),
            requests,
            ..CardPart::default()
        }));
        self.cards.insert(place, id);
        self.touch_new_card(id);
        for child in self.agents[id].children.clone() {
            if let Some(child) = self.agents.find(child) {
                self.root(child);
            }
        }
        self.read_anew(id);
        self.note_settled(id, self.agents[id].reading);
        self.show_request(id);
        self.bound_cards(id);
    }

    /// A card is one no longer: it became a row, or another agent, or it goes.
    pub(crate) fn close_card(&mut self, id: AgentId) {
        self.retire(id);
        self.unlink_revision(id);
        let Some(card) = self.agents[id].card.take() else { return };
        self.cards.remove(&card.place);
        self.settled.remove(&card.place);
        // The rows stay below the agent, but they are nobody's rows until it has a place again.
        for row in card.rows {
            if let Some(row) = self.agents.get_mut(row) {
                row.standing = Standing::Unlinked;
                self.unlinked_agents += 1;
                self.waiting_calls += u64::from(row.own_calls);
            }
        }
        self.unlinked_agents += 1;
        let agent = &mut self.agents[id];
        agent.standing = Standing::Unlinked;
        self.waiting_calls += u64::from(agent.own_calls);
    }

    /// Past the cap the oldest settled card goes, a running one only when nothing else is left (R26).
    fn bound_cards(&mut self, newest: AgentId) {
        while self.cards.len() > self.limits.cards.max(1) {
            let settled = self.settled.values().copied().find(|id| *id != newest);
            let Some(id) = settled.or_else(|| self.cards.values().copied().next()) else { return };
            self.counters.evictions += 1;
            self.release(id);
        }
    }

    /// Remembers that a task id leads to an agent.
    pub(crate) fn note_task(&mut self, id: AgentId, task: Key) {
        let agent = &mut self.agents[id];
        if agent.tasks.contains(&task) {
            return;
        }
        agent.tasks.push(task);
        if agent.tasks.len() > NAMES {
            let oldest = agent.tasks.remove(0);
            self.counters.evictions += 1;
            self.tasks.swap_remove(&oldest);
        }
    }

    /// Remembers that a `tool_use` id names an agent.
    pub(crate) fn note_name(&mut self, id: AgentId, name: Key) {
        let agent = &mut self.agents[id];
        if agent.names.contains(&name) {
            return;
        }
        agent.names.push(name);
        if agent.names.len() > NAMES {
            let oldest = agent.names.remove(0);
            self.counters.evictions += 1;
            if self.ids.get(oldest).is_some_and(|record| record.names_agent) {
                self.ids.remove(oldest);
            }
        }
    }

    /// Two agents turn out to be one: `from` becomes `into`.
    pub(crate) fn merge(&mut self, from: AgentId, into: AgentId) {
        let (Some(from), Some(into)) = (self.agents.find(from), self.agents.find(into)) else { return };
        if from == into {
            return;
        }
        self.leave(from);
        // What both stood above comes along; a child that is the other one would be its own parent.
        let children = std::mem::take(&mut self.agents[from].children);
        self.touch(into);
        let Some(other) = self.agents.take(from, Some(into)) else { return };
        if other.standing == Standing::Unlinked {
            self.unlinked_agents = self.unlinked_agents.saturating_sub(1);
            self.waiting_calls = self.waiting_calls.saturating_sub(u64::from(other.own_calls));
        }
        let parent = other.parent;
        let into = self.note_absorbed(from, into, &other);
        self.combine(into, other);
        for child in children {
            self.adopt_again(child, into);
        }
        self.refresh_path(into);
        if let Some(parent) = parent {
            self.attach_if_free(into, parent);
        }
    }

    /// `from` leads to `into`, or the other way round where more leads to `from`: so a chain of agents that turn out
    /// to be one another stays short to follow. Gives the id that the agent goes by.
    fn note_absorbed(&mut self, from: AgentId, into: AgentId, other: &Agent) -> AgentId {
        let agent = &mut self.agents[into];
        let loose = agent.standing == Standing::Unlinked && agent.parent.is_none() && agent.children.is_empty();
        let lighter = agent.own_calls < other.own_calls;
        let mut absorbed = other.absorbed.clone();
        if absorbed.len() < agent.absorbed.len() {
            std::mem::swap(&mut absorbed, &mut agent.absorbed);
        }
        absorbed.extend(std::mem::take(&mut agent.absorbed));
        let (gone, stays) = if loose && lighter { (into, from) } else { (from, into) };
        absorbed.push(gone);
        agent.absorbed = absorbed;
        if stays == from {
            self.agents.exchange(into, from);
        }
        while self.agents[stays].absorbed.len() > self.limits.orphan_calls.max(NAMES) {
            let last = self.agents[stays].absorbed.swap_remove(0);
            self.agents.forget_moved(last);
        }
        stays
    }

    /// An agent without a place of its own gets one.
    pub(crate) fn attach_if_free(&mut self, id: AgentId, parent: AgentId) {
        let Some(agent) = self.agents.get(id) else { return };
        if agent.parent.is_none() && !(agent.dispatched && agent.card.is_some()) {
            self.attach(id, parent);
        }
    }

    fn adopt_again(&mut self, child: AgentId, parent: AgentId) {
        let (Some(child), Some(parent)) = (self.agents.find(child), self.agents.find(parent)) else { return };
        if child == parent {
            return;
        }
        let run = self.agents[child].parent_run;
        self.agents[child].parent = None;
        self.agents[child].passed_open = 0;
        self.attach(child, parent);
        self.agents[child].parent_run = run.max(1);
    }

    /// Takes an agent from where it stands, so that it and what is below it wait.
    fn leave(&mut self, id: AgentId) {
        if self.agents[id].card.is_some() {
            self.close_card(id);
            return;
        }
        let Standing::Row { top, .. } = self.agents[id].standing else {
            if let Some(parent) = self.agents[id].parent.and_then(|parent| self.agents.find(parent)) {
                self.agents[parent].children.retain(|child| *child != id);
            }
            return;
        };
        let Some(top) = self.agents.find(top) else { return };
        self.touch_rows(top);
        let branch: Vec<AgentId> = self.branch(id, 0).into_iter().map(|(id, _)| id).collect();
        let mut calls = 0;
        let mut failed = 0;
        for row in &branch {
            self.touch(*row);
            let row = &mut self.agents[*row];
            row.standing = Standing::Unlinked;
            calls += u64::from(row.own_calls);
            failed += u64::from(row.own_failed);
        }
        self.unlinked_agents += branch.len() as u64;
        self.waiting_calls += calls;
        let agent = &mut self.agents[top];
        let (theirs, rest) = std::mem::take(&mut agent.tail)
            .into_iter()
            .partition::<Vec<TailEntry>, _>(|entry| branch.contains(&entry.maker));
        agent.tail = rest;
        let card = agent.card.as_mut().expect("the top of a row is a card");
        card.calls = card.calls.saturating_sub(calls);
        card.failed_calls = card.failed_calls.saturating_sub(failed);
        card.rows.retain(|row| !branch.contains(row));
        self.agents[id].tail = theirs;
        let open = std::mem::take(&mut self.agents[id].open);
        let parent = self.agents[id].parent;
        self.pass_up(id);
        self.agents[id].open = open;
        self.agents[id].passed_open = 0;
        if let Some(parent) = parent.and_then(|parent| self.agents.find(parent)) {
            self.agents[parent].children.retain(|child| *child != id);
            self.refresh_path(parent);
        }
    }

    /// Adds up what was known of two agents that are one.
    fn combine(&mut self, into: AgentId, other: Agent) {
        for task in &other.tasks {
            self.note_task(into, *task);
        }
        for name in &other.names {
            self.note_name(into, *name);
        }
        for (field, text) in [(Field::TaskId, &other.task_id), (Field::Activity, &other.activity)] {
            if let Some(text) = text
                && self.is_missing(into, field)
            {
                self.set_id(into, field, text);
            }
        }
        self.combine_sourced(into, &other);
        self.combine_runs(into, &other);
        let at = self.tail_holder(into);
        let agent = &mut self.agents[into];
        agent.own_calls += other.own_calls;
        agent.own_failed += other.own_failed;
        agent.usage.merge(other.usage);
        agent.roster_background = agent.roster_background.or(other.roster_background);
        agent.run_in_background |= other.run_in_background;
        if !agent.started_by_dispatch {
            agent.started_at_ms = agent.started_at_ms.or(other.started_at_ms);
        }
        agent.requests.extend(other.requests.iter().copied());
        agent.asking += u32::try_from(other.requests.len()).unwrap_or(u32::MAX);
        if other.kind != crate::card::Kind::Agent {
            agent.kind = other.kind;
        }
        if agent.standing == Standing::Unlinked {
            self.waiting_calls += u64::from(other.own_calls);
        }
        let holder = &mut self.agents[at];
        if let Some(card) = &mut holder.card {
            card.calls += u64::from(other.own_calls);
            card.failed_calls += u64::from(other.own_failed);
            for key in &other.requests {
                if let Some(request) = self.requests.get(*key) {
                    card.requests.insert(request.arrival, *key);
                }
            }
        }
        let agent = &mut self.agents[at];
        agent.tail.extend(other.tail);
        let over = agent.tail.len().saturating_sub(TAIL);
        agent.tail.drain(..over);
        if self.agents[at].card.is_some() {
            self.show_request(at);
        }
    }

    fn combine_sourced(&mut self, into: AgentId, other: &Agent) {
        let sourced = [
            (Sourced::Name, &other.name),
            (Sourced::AgentType, &other.agent_type),
            (Sourced::Model, &other.model),
        ];
        for (which, ranked) in sourced {
            self.set_sourced(into, which, ranked.rank, ranked.text.as_deref());
        }
    }

    /// The runs of two agents that are one: the one with more runs, or with a word of the roster, tells; the answer of
    /// the other stands beside it unless a later run has cleared it (R15).
    fn combine_runs(&mut self, into: AgentId, other: &Agent) {
        let answer = {
            let agent = &self.agents[into];
            (agent.run.answer, agent.run.answer_background)
        };
        let agent = &mut self.agents[into];
        let theirs = other.runs > agent.runs || (other.runs == agent.runs && !agent.run.task_frame);
        if theirs {
            let mine = std::mem::replace(&mut agent.run, other.run.clone());
            if other.runs == agent.runs {
                if !agent.run.answer.is_ending() && answer.0 != crate::run::Answer::None {
                    agent.run.answer = answer.0;
                    agent.run.answer_background = answer.1;
                    agent.run.end = mine.end;
                }
                agent.run.seen |= mine.seen;
                agent.run.marker |= mine.marker;
                agent.run.marker_ms = agent.run.marker_ms.or(mine.marker_ms);
                agent.run.report_rank = agent.run.report_rank.max(mine.report_rank);
            } else {
                agent.own_pending = 0;
            }
            agent.own_pending += other.own_pending;
            agent.runs = other.runs;
            agent.greatest_run_id = other.greatest_run_id.clone().or(agent.greatest_run_id.take());
        } else {
            agent.run.seen |= other.run.seen;
            agent.run.last_word |= other.run.last_word;
            if other.runs == agent.runs {
                agent.own_pending += other.own_pending;
            }
        }
        agent.open = agent.own_pending;
        let report = other.report.clone();
        let error = other.error.clone();
        if self.agents[into].report.is_none() {
            self.set_text(into, Field::Report, report.map(|text| *text));
        }
        if self.agents[into].error.is_none() {
            self.set_text(into, Field::Error, error.map(|text| *text));
        }
        self.reopen_sum(into);
    }

    /// Adds up anew what the children pass up.
    fn reopen_sum(&mut self, id: AgentId) {
        let runs = self.agents[id].runs;
        let passed: u32 = self.agents[id]
            .children
            .iter()
            .filter_map(|child| self.agents.get(*child))
            .filter(|child| child.passed_to_run == runs)
            .map(|child| child.passed_open)
            .sum();
        let agent = &mut self.agents[id];
        agent.open = agent.own_pending.saturating_add(passed);
    }
}
