//! Two agents that turn out to be one (R3, R4). Knows no frame.

use crate::agent::{Agent, AgentId, Standing, TailEntry};
use crate::changes::Field;
use crate::limits::{NAMES, TAIL};
use crate::texts::Sourced;
use crate::tracker::CardTracker;

impl CardTracker {
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
    pub(crate) fn note_absorbed(&mut self, from: AgentId, into: AgentId, other: &Agent) -> AgentId {
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

    pub(crate) fn adopt_again(&mut self, child: AgentId, parent: AgentId) {
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
    pub(crate) fn leave(&mut self, id: AgentId) {
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
    pub(crate) fn combine(&mut self, into: AgentId, other: Agent) {
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

    pub(crate) fn combine_sourced(&mut self, into: AgentId, other: &Agent) {
        let sourced =
            [(Sourced::Name, &other.name), (Sourced::AgentType, &other.agent_type), (Sourced::Model, &other.model)];
        for (which, ranked) in sourced {
            self.set_sourced(into, which, ranked.rank, ranked.text.as_deref());
        }
    }

    /// The runs of two agents that are one: the one with more runs, or with a word of the roster, tells; the answer of
    /// the other stands beside it unless a later run has cleared it (R15).
    pub(crate) fn combine_runs(&mut self, into: AgentId, other: &Agent) {
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
    pub(crate) fn reopen_sum(&mut self, id: AgentId) {
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
