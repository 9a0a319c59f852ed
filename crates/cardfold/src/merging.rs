//! Two agents that turn out to be one (R3, R4). Knows no frame.

use crate::agent::{Agent, AgentId, Ranked, Standing, TailEntry};
use crate::card::CallStatus;
use crate::changes::Field;
use crate::limits::{ANNOTATIONS, NAMES};
use crate::texts::Sourced;
use crate::tracker::CardTracker;

impl CardTracker {
    /// Two agents turn out to be one: `from` becomes `into`.
    pub(crate) fn merge(&mut self, from: AgentId, into: AgentId) {
        let (Some(from), Some(into)) = (self.agents.find(from), self.agents.find(into)) else { return };
        if from == into {
            return;
        }
        let place = self.place_of_row(from);
        self.leave(from);
        let mut tail = self.take_tails(from);
        // What both stood above comes along; a child that is the other one would be its own parent.
        let children = std::mem::take(&mut self.agents[from].children);
        self.touch(into);
        let Some(mut other) = self.agents.take(from, Some(into)) else { return };
        if other.standing == Standing::Unlinked {
            self.unlinked_agents = self.unlinked_agents.saturating_sub(1);
            self.waiting_calls = self.waiting_calls.saturating_sub(u64::from(other.own_calls));
        }
        let parent = other.parent;
        let into = self.note_absorbed(from, into, &mut other);
        self.combine(into, other);
        let holder = self.tail_holder(into);
        let rows = self.agents[holder].card.as_ref().map_or(0, |card| card.rows.len());
        for child in children {
            self.adopt_again(child, into);
        }
        self.order_rows(holder, rows);
        self.extend_tail(holder, &mut tail);
        self.renew_calls(into);
        self.refresh_path(into);
        if let Some(parent) = parent {
            self.attach_if_free(into, parent);
        }
        // To find the place of a row costs a look at the rows, so it is asked for only where there was another one.
        if let Some((top, at)) = place
            && let Some((now_top, now_at)) = self.place_of_row(into)
            && top == now_top
            && at < now_at
            && let Some(card) = &mut self.agents[top].card
        {
            // It stands where the first of the two stood.
            card.rows[at..=now_at].rotate_right(1);
        }
    }

    /// Calls that were made since the current run began are calls of that run, though it was not known to be the agent's
    /// when they came. Only of those that the tail shows is it known when they came.
    fn renew_calls(&mut self, id: AgentId) {
        let agent = &self.agents[id];
        if agent.runs == 1 {
            return;
        }
        let (begun_at, serial) = (agent.run.begun_at, agent.run.serial);
        let holder = self.tail_holder(id);
        let mut tail = std::mem::take(&mut self.agents[holder].tail);
        for entry in &mut tail {
            let made_here = self.agents.find(entry.maker) == Some(id);
            if !made_here || entry.arrival <= begun_at || self.agents[id].run.is(entry.run) {
                continue;
            }
            entry.run = serial;
            let nested = self.ids.get_mut(entry.key).and_then(|record| {
                record.run = serial;
                record.agent.filter(|_| record.names_agent)
            });
            if let Some(nested) = nested.and_then(|nested| self.agents.find(nested)) {
                self.agents[nested].parent_run = serial;
                self.pass_up(nested);
            }
            if entry.status == CallStatus::Pending {
                let agent = self.edit(id);
                agent.own_pending += 1;
                agent.open += 1;
            }
        }
        self.agents[holder].tail = tail;
    }

    /// The card that an agent is a row of, and where it stands there.
    fn place_of_row(&self, id: AgentId) -> Option<(AgentId, usize)> {
        let Standing::Row { top, .. } = self.agents.get(id)?.standing else { return None };
        let top = self.agents.find(top)?;
        let rows = &self.agents[top].card.as_ref()?.rows;
        Some((top, rows.iter().position(|row| *row == id)?))
    }

    /// `from` leads to `into`, or the other way round where more leads to `from`: so a chain of agents that turn out
    /// to be one another stays short to follow. Gives the id that the agent goes by.
    pub(crate) fn note_absorbed(&mut self, from: AgentId, into: AgentId, other: &mut Agent) -> AgentId {
        let agent = &mut self.agents[into];
        let loose = agent.standing == Standing::Unlinked && agent.parent.is_none() && agent.children.is_empty();
        let lighter = agent.own_calls < other.own_calls;
        let mut absorbed = std::mem::take(&mut other.absorbed);
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
            // The one stood under the other: it has no parent of its own.
            self.agents[child].parent = None;
            return;
        }
        let run = self.agents[child].parent_run;
        self.agents[child].parent = None;
        self.agents[child].passed_open = 0;
        self.attach(child, parent);
        self.agents[child].parent_run = run;
    }

    /// Takes an agent from where it stands, so that it and what is below it wait.
    pub(crate) fn leave(&mut self, id: AgentId) {
        if self.agents[id].card.is_some() {
            self.close_card(id);
            return;
        }
        let Standing::Row { top, .. } = self.agents[id].standing else {
            self.withdraw(id);
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
        // A call may name its maker by an id from before that turned out to be another agent.
        let is_theirs = |entry: &TailEntry| self.agents.find(entry.maker).is_some_and(|maker| branch.contains(&maker));
        let (theirs, rest) = self.agents[top].tail.iter().cloned().partition::<Vec<_>, _>(is_theirs);
        let agent = &mut self.agents[top];
        agent.tail = rest;
        let card = agent.card.as_mut().expect("the top of a row is a card");
        card.calls = card.calls.saturating_sub(calls);
        card.failed_calls = card.failed_calls.saturating_sub(failed);
        card.rows.retain(|row| !branch.contains(row));
        self.agents[id].tail = theirs;
        for row in branch {
            for key in self.agents[row].requests.clone() {
                self.hide_request_of(top, key);
            }
        }
        self.withdraw(id);
        self.show_request(top);
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
        if let Some(id) = other.dispatch_id.as_deref()
            && self.goes_by_message(&self.agents[into])
            && !self.goes_by_message(&other)
        {
            self.set_id(into, Field::DispatchId, id);
        }
        self.combine_sourced(into, &other);
        self.combine_annotations(into, &other);
        self.combine_runs(into, &other);
        self.drop_title_for_report(into);
        let at = self.tail_holder(into);
        let agent = &mut self.agents[into];
        agent.own_calls += other.own_calls;
        agent.own_failed += other.own_failed;
        agent.roster_background = agent.roster_background.or(other.roster_background);
        agent.run_in_background |= other.run_in_background;
        let sooner = agent.started_at_ms.is_none() || other.started_told_at < agent.started_told_at;
        if !agent.started_by_dispatch && other.started_at_ms.is_some() && sooner {
            agent.started_at_ms = other.started_at_ms;
            agent.started_told_at = other.started_told_at;
        }
        agent.requests.extend(other.requests.iter().copied());
        let asking = i64::try_from(other.requests.len()).unwrap_or(i64::MAX);
        if other.kind != crate::card::Kind::Agent {
            agent.kind = other.kind;
        }
        if agent.standing == Standing::Unlinked {
            self.waiting_calls += u64::from(other.own_calls);
        }
        for key in &other.requests {
            if let Some(request) = self.requests.get_mut(*key) {
                request.asker = Some(into);
            }
        }
        if asking > 0 {
            self.count_asking(into, asking);
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
        if self.agents[at].card.is_some() {
            self.show_request(at);
        }
    }

    pub(crate) fn combine_sourced(&mut self, into: AgentId, other: &Agent) {
        for (which, ranked) in [(Sourced::Name, &other.name), (Sourced::AgentType, &other.agent_type)] {
            self.set_sourced(into, which, ranked.rank, ranked.text.as_deref());
        }
        self.combine_models(into, other);
    }

    /// What was said under the dispatch's own name stands.
    fn combine_annotations(&mut self, into: AgentId, other: &Agent) {
        if other.annotations.is_empty() {
            return;
        }
        self.touch_rows(into);
        let known = &mut self.agents[into].annotations;
        for (name, value) in &other.annotations {
            if known.contains_key(name) {
                continue;
            }
            if known.len() < ANNOTATIONS {
                known.insert(name.clone(), value.clone());
            } else {
                self.counters.evictions += 1;
            }
        }
    }

    /// A model that the agent stated behind its end counts no more than any other thing that trails (R22).
    fn combine_models(&mut self, into: AgentId, other: &Agent) {
        let is_next = begins_next(&self.agents[into], other);
        let agent = &mut self.agents[into];
        if other.run.was_over_before(agent.model_at) {
            agent.model = Ranked::default();
        }
        if is_next || !agent.run.was_over_before(other.model_at) {
            agent.model_at = agent.model_at.max(other.model_at);
            self.set_sourced(into, Sourced::Model, other.model.rank, other.model.text.as_deref());
        }
    }

    /// The runs of two agents that are one (R15).
    pub(crate) fn combine_runs(&mut self, into: AgentId, other: &Agent) {
        let is_next = begins_next(&self.agents[into], other);
        let agent = &mut self.agents[into];
        if is_next {
            agent.note_first_end();
            // Of what waited, a run that had begun before is the one that is known.
            let first_at = other.dispatched_at.max(other.first_woken_at);
            let anew = if first_at > agent.run.settled_at { other.runs } else { other.runs.max(2) - 1 };
            agent.runs = agent.runs.saturating_add(anew);
            self.take_run(into, other);
        } else if other.runs > agent.runs {
            agent.runs = other.runs;
            agent.first_run = other.first_run;
            self.take_run(into, other);
        } else if other.runs == agent.runs || (!other.dispatched && other.dispatched_at > agent.run.begun_at) {
            self.unite_runs(into, other);
        } else {
            agent.usage.fill_from(other.usage);
            if other.run.first_call_at > agent.run.begun_at {
                // It was heard of before the run began, but what it called, it called since.
                agent.run.absorb(&other.run);
                agent.own_pending += other.own_pending;
            }
        }
        let agent = &mut self.agents[into];
        agent.greatest_run_id = other.greatest_run_id.clone().max(agent.greatest_run_id.take());
        self.add_up_open(into);
    }

    /// The current runs of two agents that are one are one run.
    fn unite_runs(&mut self, into: AgentId, other: &Agent) {
        let agent = &mut self.agents[into];
        // A run in which nothing was called or dispatched has a serial that nobody goes by but its figures.
        let unused = agent.own_calls == 0 && agent.children.is_empty();
        if unused {
            agent.usage.rename(&agent.run, other.run.serial);
            agent.run.serial = other.run.serial;
            agent.run.also = other.run.also.clone();
        } else if other.own_calls > 0 || !other.children.is_empty() {
            agent.run.absorb(&other.run);
        }
        let better_report = other.run.report_rank > agent.run.report_rank;
        let better_error = other.run.error_patched && !agent.run.error_patched;
        let guessed = agent.run.guess.is_some();
        // A level that listed the agent behind its end said nothing (R22), but which run may come next.
        let trails = other.run.listed && agent.run.was_over_before(other.dispatched_at);
        agent.run.listed |= other.run.listed && !trails;
        agent.run.id_by_level |= trails && !other.run.task_frame;
        agent.run.unite(&other.run);
        let mut usage = other.usage;
        usage.rename(&other.run, agent.run.serial);
        agent.usage.unite(usage, agent.run.serial);
        agent.own_pending += other.own_pending;
        if other.report.is_some() && (better_report || self.is_missing(into, Field::Report)) {
            self.set_text(into, Field::Report, other.report.as_deref().cloned());
        }
        let takes_error = other.error.is_some() && (better_error || self.is_missing(into, Field::Error));
        if takes_error {
            self.set_text(into, Field::Error, other.error.as_deref().cloned());
        }
        if let Some(guess) = &mut self.agents[into].run.guess {
            // The error goes with the guess only where the guess gave it.
            guess.gave_error &= guessed != takes_error;
        }
    }

    /// The current run is the one that waited.
    fn take_run(&mut self, into: AgentId, other: &Agent) {
        self.lapse_requests(into);
        let agent = &mut self.agents[into];
        let earlier = std::mem::replace(&mut agent.run, other.run.clone());
        let earlier_pending = std::mem::replace(&mut agent.own_pending, other.own_pending);
        if earlier.first_call_at > agent.run.begun_at {
            // All that it called, it called in the run that waited.
            agent.run.absorb(&earlier);
            agent.own_pending += earlier_pending;
        } else if earlier.is_parted && earlier.reopened_at > agent.run.begun_at {
            // It began while the earlier one was over; what was called since is its own.
            agent.run.absorb_reopened(&earlier);
            agent.own_pending += earlier_pending.saturating_sub(earlier.pending_before);
        }
        let earlier_usage = std::mem::replace(&mut agent.usage, other.usage);
        agent.usage.fill_from(earlier_usage);
        let answered = agent.run.take_answer_of(&earlier);
        for (field, text) in [(Field::Report, &other.report), (Field::Error, &other.error)] {
            if text.is_some() || !answered {
                self.set_text(into, field, text.as_deref().cloned());
            }
        }
    }

    /// Adds up anew what the children pass up.
    fn add_up_open(&mut self, id: AgentId) {
        let agent = &self.agents[id];
        let children = agent.children.iter().filter_map(|child| self.agents.get(*child));
        let passed: u32 =
            children.filter(|child| agent.run.is(child.passed_to_run)).map(|child| child.passed_open).sum();
        let agent = &mut self.agents[id];
        agent.open = agent.own_pending.saturating_add(passed);
    }
}

/// What waited began when the run that is known was over: it is the next run (R15).
fn begins_next(agent: &Agent, other: &Agent) -> bool {
    let still_over = agent.reading.is_settled() || other.run.begun_at <= agent.run.reopened_at;
    // An ending that was only concluded would not have stood against what the roster said (R22).
    let stood = !(agent.reading.evidence.is_inferred() && other.run.was_live);
    other.run.start_call.is_some() && still_over && stood && other.run.begun_at > agent.run.settled_at
}
