//! The list of cards, and what goes when it is too long (R1, R26). Knows no frame.

use crate::agent::{AgentId, CardPart, Standing};
use crate::limits::NAMES;
use crate::table::Key;
use crate::tracker::CardTracker;

impl CardTracker {
    /// Opens a card for an agent that has none and stands under nobody.
    pub(crate) fn open_card(&mut self, id: AgentId) {
        let place = self.next_place;
        self.next_place += 1;
        if self.agents[id].standing == Standing::Unlinked {
            self.waiting_calls = self.waiting_calls.saturating_sub(u64::from(self.agents[id].own_calls));
            self.unlinked_agents = self.unlinked_agents.saturating_sub(1);
        }
        let agent = &mut self.agents[id];
        agent.drop_trailing_model();
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
        // All of them waited alike: the card takes up its calls in the order in which they came (R4).
        let mut waited = self.take_tails(id);
        self.extend_tail(id, &mut waited);
        for child in self.agents[id].children.clone() {
            if let Some(child) = self.agents.find(child) {
                self.root(child);
            }
        }
        self.order_rows(id, 0);
        self.read_anew(id);
        self.note_settled(id, self.agents[id].reading);
        self.show_request(id);
        self.newest_card = Some(id);
    }

    /// A card is one no longer: it became a row, or another agent, or it goes.
    pub(crate) fn close_card(&mut self, id: AgentId) {
        self.retire(id);
        self.forget_revision(id);
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

    /// Keeps what is remembered within its caps (R26). This waits until a frame is over, so that nothing goes which the
    /// frame is still about.
    pub(crate) fn bound_all(&mut self) {
        self.bound_cards();
        for card in std::mem::take(&mut self.grown) {
            self.bound_rows(card);
        }
        self.bound_waiting_calls();
        self.bound_unlinked();
        self.newest_card = None;
    }

    /// Past the cap the oldest settled card goes, a running one only when nothing else is left.
    fn bound_cards(&mut self) {
        while self.cards.len() > self.limits.cards.max(1) {
            let settled = self.settled.values().copied().find(|id| Some(*id) != self.newest_card);
            let Some(id) = settled.or_else(|| self.cards.values().copied().next()) else { return };
            self.counters.evictions += 1;
            self.release(id);
        }
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
        } else {
            self.silence(id);
        }
        for (id, _) in branch {
            self.lapse_requests(id);
            self.forget(id);
        }
    }

    /// Takes one agent out of every table.
    pub(crate) fn forget(&mut self, id: AgentId) {
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
            if self.ids.get(*name).is_some_and(|r| {
                r.names_agent && r.agent.is_some_and(|owner| owner == id || agent.absorbed.contains(&owner))
            }) {
                self.ids.remove(*name);
            }
        }
        for moved in agent.absorbed {
            self.agents.forget_moved(moved);
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
}
