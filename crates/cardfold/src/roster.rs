//! What the task frames say (R5, R7, R14–R17, R23). Knows no message.

use cardfold_wire::{TaskProgress, TaskStarted, TaskUpdated, Usage};

use crate::agent::{Agent, AgentId, Standing, usage_rank};
use crate::calls::Tool;
use crate::card::{CallStatus, Outcome, State};
use crate::changes::Field;
use crate::run::Roster;
use crate::runs::Fit;
use crate::table::{Key, is_blank, key};
use crate::texts::{Sourced, name_rank, source_rank};
use crate::tracker::CardTracker;
use crate::update::Rule;
use crate::words::{self, TaskType, Word};

/// Where a `started` was read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum StartedBy {
    /// A task frame.
    Frame,
    /// The result of a call.
    Result,
}

impl CardTracker {
    /// `task_started`, and what counts as one.
    pub(crate) fn started(&mut self, said: &TaskStarted<'_>, at_ms: Option<i64>, by: StartedBy) {
        self.rule = Rule::R14;
        let task_type = words::task_type(said.task_type.as_deref(), said.subagent_type.as_deref());
        let tool = said.tool_use_id.as_deref();
        self.leave_writer(said, task_type);
        let Some(agent) = self.started_agent(said, task_type) else { return };
        self.go_by_message(agent, tool);
        let fit = self.fit_started(agent, said.run_id.as_deref(), tool);
        let Some(agent) = self.place_started(agent, said, task_type) else { return };
        let own = tool.is_some() && self.agents[agent].dispatch_id.as_deref() == tool;
        self.agents[agent].has_own_id |= own && !self.is_message(tool);
        let run = &self.agents[agent].run;
        if fit == Fit::Late || (run.is_stated_over() && run.task_frame) {
            self.late();
            return;
        }
        if let TaskType::Agent(kind) = task_type {
            self.edit(agent).kind = kind;
        }
        self.set_sourced(agent, Sourced::Name, name_rank::ROSTER, said.description.as_deref());
        self.set_agent_type(agent, source_rank::STARTED, said.subagent_type.as_deref());
        self.note_start(agent, at_ms);
        let agent_ref = self.edit(agent);
        agent_ref.roster_background = said.is_backgrounded.or(agent_ref.roster_background);
        let run = &mut agent_ref.run;
        run.task_frame |= by == StartedBy::Frame;
        run.started = true;
        if !run.is_stated_over() {
            self.wake(agent, State::Running);
        }
        self.refresh(agent);
    }

    /// The agent that a `started` is about, or none where it is no agent (R5).
    pub(crate) fn started_agent(&mut self, said: &TaskStarted<'_>, task_type: TaskType) -> Option<AgentId> {
        let named = said.tool_use_id.as_deref().and_then(|id| self.agent_named(key(id)));
        let dispatched = named.is_some_and(|agent| self.agents[agent].dispatched);
        if task_type == TaskType::Other || (said.hidden && !dispatched) {
            self.add_outsider(&said.task_id);
            return None;
        }
        self.task_agent(&said.task_id, said.tool_use_id.as_deref(), task_type)
    }

    /// The agent that a task frame is about; one that waits for its link where nothing is known of it. None for tasks
    /// that are no agents, and for a blank id.
    pub(crate) fn task_agent(&mut self, task: &str, tool: Option<&str>, task_type: TaskType) -> Option<AgentId> {
        let tool = tool.filter(|tool| !is_blank(tool));
        let named = tool.and_then(|tool| self.agent_named(key(tool)));
        if is_blank(task) {
            self.counters.blank_ids += 1;
            return match (named, tool) {
                (Some(agent), _) => Some(agent),
                (None, Some(tool)) if self.ids.get(key(tool)).is_none() => Some(self.add_named(tool, key(tool))),
                (None, Some(_) | None) => None,
            };
        }
        if self.outsiders.contains(key(task)) {
            return None;
        }
        if let Some(agent) = named {
            self.link_task(agent, task);
            return self.agents.find(agent);
        }
        let known = self.agent_of_task(key(task));
        let record = tool.and_then(|tool| self.ids.get(key(tool)).copied());
        if let Some(record) = record
            && known.is_none()
            && task_type == TaskType::Unstated
            && matches!(record.tool, Tool::Other | Tool::Skill | Tool::TaskOutput | Tool::TaskStop)
        {
            // A task that a shell, a monitor or a skill started is not an agent of ours.
            self.add_outsider(task);
            return None;
        }
        let agent = known.unwrap_or_else(|| {
            let agent = self.add_unlinked();
            self.link_task(agent, task);
            agent
        });
        if let Some(tool) = tool {
            self.name_by_task_frame(agent, tool);
        }
        self.agents.find(agent)
    }

    /// A `tool_use` id on a task frame that names no agent yet: that of the call which started the agent, where it has
    /// none, else an alias (R3).
    pub(crate) fn name_by_task_frame(&mut self, agent: AgentId, tool: &str) {
        let tool_key = key(tool);
        let record = self.ids.get(tool_key).copied();
        let maker = record.and_then(|record| record.agent).and_then(|maker| self.agents.find(maker));
        let has_id = self.agents[agent].dispatch_id.is_some()
            && !(record.is_none() && self.goes_by_message(&self.agents[agent]));
        if has_id || maker == Some(agent) {
            self.add_alias(tool_key, agent);
            return;
        }
        if record.is_some_and(|record| record.tool == Tool::SendMessage) {
            self.add_alias(tool_key, agent);
            return;
        }
        self.name_agent(agent, tool, tool_key);
        if let Some(maker) = maker {
            self.hang_by_call(agent, maker, tool_key);
        }
    }

    /// Until its dispatch is told, an agent goes by the message with which it was said to have begun.
    pub(crate) fn go_by_message(&mut self, agent: AgentId, tool: Option<&str>) {
        let Some(tool) = tool.filter(|_| self.is_missing(agent, Field::DispatchId)) else { return };
        if self.is_message(Some(tool)) && self.alias(key(tool)) == Some(agent) {
            self.set_id(agent, Field::DispatchId, tool);
        }
    }

    /// A row has only the id of a message that woke it: the next one that no call has may be its dispatch.
    pub(crate) fn goes_by_message(&self, agent: &Agent) -> bool {
        agent.card.is_none() && self.is_message(agent.dispatch_id.as_deref())
    }

    /// The id is that of a message to an agent.
    fn is_message(&self, id: Option<&str>) -> bool {
        let record = id.and_then(|id| self.ids.get(key(id)));
        record.is_some_and(|record| record.tool == Tool::SendMessage)
    }

    /// Puts an agent that stands nowhere under the one that made the call which started it.
    fn hang_by_call(&mut self, agent: AgentId, maker: AgentId, call: Key) {
        if self.agents[agent].parent.is_some() {
            return;
        }
        let status = self.ids.get(call).map_or(CallStatus::Pending, |record| record.status);
        let state = &mut self.agents[agent];
        state.call = Some((call, maker));
        state.call_status = status;
        self.attach(agent, maker);
    }

    /// Finds the place of an agent that was started: under the agent that made it, or as a card (R5–R7).
    pub(crate) fn place_started(
        &mut self,
        agent: AgentId,
        said: &TaskStarted<'_>,
        task_type: TaskType,
    ) -> Option<AgentId> {
        if self.agents[agent].standing != Standing::Unlinked || self.agents[agent].parent.is_some() {
            return Some(agent);
        }
        if said.spawn_depth != Some(1) {
            if let Some(parent) = said.parent_task_id.as_deref().filter(|id| !is_blank(id)) {
                if let Some(parent) = self.task_agent(parent, None, TaskType::Unstated) {
                    self.attach_if_free(agent, parent);
                }
                return self.agents.find(agent);
            }
            if said.spawn_depth.is_none()
                && let Some(parent) = self.traced_parent(agent, said)
            {
                self.rule = Rule::R6;
                self.attach_if_free(agent, parent);
                return self.agents.find(agent);
            }
        }
        let tool = said.tool_use_id.as_deref().filter(|id| !is_blank(id));
        if let Some(tool) = tool
            && !self.agents[agent].dispatched
            && let Some(record) = self.ids.get(key(tool)).copied().filter(|record| !record.names_agent)
            && let Some(maker) = record.agent.and_then(|maker| self.agents.find(maker))
        {
            let state = &self.agents[agent];
            if state.has_own_id || state.answered_early || record.tool == Tool::SendMessage {
                // A message of that agent woke it; what dispatched it was not seen.
                self.attach_woken(agent, maker);
            } else {
                // An earlier frame gave the agent another name; it is this call, made by an agent, that started it.
                self.name_agent(agent, tool, key(tool));
                self.hang_by_call(agent, maker, key(tool));
            }
            return self.agents.find(agent);
        }
        if self.opens_card(said, task_type) {
            self.rule = Rule::R5;
            if let Some(tool) = tool
                && self.agents[agent].dispatch_id.as_deref() != Some(tool)
                && !self.agents[agent].dispatched
            {
                self.name_agent(agent, tool, key(tool));
            }
            self.open_undispatched(agent, &said.task_id, said.description.as_deref());
        }
        self.agents.find(agent)
    }

    /// A start that opens a card says better whose an agent is than the message that woke it.
    fn leave_writer(&mut self, said: &TaskStarted<'_>, task_type: TaskType) {
        if let Some(agent) = self.agent_of_task(key(&said.task_id))
            && self.agents[agent].hung_by_message
            && self.opens_card(said, task_type)
        {
            self.leave(agent);
            self.agents[agent].parent = None;
            self.agents[agent].hung_by_message = false;
        }
    }

    /// A `started` opens a card where its dispatch was never seen (R5).
    fn opens_card(&self, said: &TaskStarted<'_>, task_type: TaskType) -> bool {
        let parent = said.parent_task_id.as_deref().filter(|id| !is_blank(id));
        let tool = said.tool_use_id.as_deref().filter(|id| !is_blank(id));
        let outermost = match said.spawn_depth {
            Some(depth) => depth == 1,
            None => parent.is_none() && tool.is_some_and(|tool| !self.is_inside(key(tool))),
        };
        outermost && !is_blank(&said.task_id) && matches!(task_type, TaskType::Agent(_))
    }

    /// A card for an agent whose dispatch was never seen.
    pub(crate) fn open_undispatched(&mut self, agent: AgentId, task: &str, name: Option<&str>) {
        if self.is_missing(agent, Field::DispatchId) {
            self.name_agent(agent, task, key(task));
        }
        self.set_sourced(agent, Sourced::Name, name_rank::ROSTER, name);
        self.open_card(agent);
    }

    /// The one trace that clients without parent tasks leave (R6).
    pub(crate) fn traced_parent(&self, agent: AgentId, said: &TaskStarted<'_>) -> Option<AgentId> {
        let (parent, description) = self.last_launch?;
        let never_seen = said
            .tool_use_id
            .as_deref()
            .is_none_or(|tool| self.ids.get(key(tool)).is_none_or(|record| !record.is_seen()));
        let parent = self.agents.find(parent)?;
        let matches = said.description.as_deref().is_some_and(|text| key(text) == description);
        (never_seen && matches && parent != agent && !self.agents[parent].reading.is_settled()).then_some(parent)
    }

    /// `task_progress`.
    pub(crate) fn progress(&mut self, said: &TaskProgress<'_>, at_ms: Option<i64>) {
        self.rule = Rule::R14;
        let Some(agent) = self.task_agent(&said.task_id, said.tool_use_id.as_deref(), TaskType::Unstated) else {
            return;
        };
        if self.fit(agent, said.run_id.as_deref()) == Fit::Late || self.trails(agent) {
            self.late();
            return;
        }
        self.set_agent_type(agent, source_rank::ROSTER, said.subagent_type.as_deref());
        self.note_start(agent, at_ms);
        self.take_usage(agent, said.usage, usage_rank::ROSTER);
        self.wake(agent, State::Running);
        self.refresh(agent);
        if let Some(text) = said.summary.as_deref().or(said.description.as_deref()) {
            self.set_activity(agent, text);
        }
        self.workflow_rows(agent, &said.workflow);
        if matches!(said.last_tool_name.as_deref(), Some("Agent" | "Task")) {
            self.launch_seen = said.description.as_deref().map(|text| (agent, key(text)));
        }
    }

    /// `task_updated`.
    pub(crate) fn updated(&mut self, said: &TaskUpdated<'_>, at_ms: Option<i64>) {
        self.rule = Rule::R14;
        let Some(agent) = self.task_agent(&said.task_id, None, TaskType::Unstated) else { return };
        if self.fit(agent, said.run_id.as_deref()) == Fit::Late {
            self.late();
            return;
        }
        let word = said.status.as_deref().map(words::status);
        if word == Some(Word::Unknown) {
            self.unknown_word(said.status.as_deref().unwrap_or_default());
        }
        let ends = matches!(word, Some(Word::Ending(_))) || said.end_time_ms.is_some();
        if self.trails(agent) && !ends {
            self.late();
            return;
        }
        self.set_sourced(agent, Sourced::Name, name_rank::ROSTER, said.description.as_deref());
        let state = self.edit(agent);
        state.roster_background = said.is_backgrounded.or(state.roster_background);
        match word {
            Some(Word::Ending(outcome)) => self.end_by_roster(agent, outcome, said.end_time_ms, at_ms),
            Some(Word::Live(_) | Word::Unknown) | None if ends => self.end_unstated(agent, said.end_time_ms, at_ms),
            Some(Word::Live(state)) => self.wake(agent, state),
            Some(Word::Unknown) | None => {}
        }
        if let Some(error) = &said.error {
            self.take_error(agent, error, true);
        }
        self.refresh(agent);
    }

    /// An ending word of the roster: the later one stands (R20).
    pub(crate) fn end_by_roster(
        &mut self,
        agent: AgentId,
        outcome: Outcome,
        end_time_ms: Option<i64>,
        at_ms: Option<i64>,
    ) {
        self.drop_guess(agent);
        let run = &mut self.edit(agent).run;
        run.forget_inferred_end();
        run.roster = Roster::Ended(outcome);
        run.end.note(end_time_ms, at_ms);
    }

    /// An end time without a word: over, the cause to be told (R14).
    pub(crate) fn end_unstated(&mut self, agent: AgentId, end_time_ms: Option<i64>, at_ms: Option<i64>) {
        let run = &mut self.edit(agent).run;
        match run.roster {
            Roster::Ended(_) if !run.parked => run.end.note(end_time_ms, at_ms),
            // The wait is over, too, and how it ended was said when it began.
            Roster::Ended(outcome) => self.end_by_roster(agent, outcome, end_time_ms, at_ms),
            Roster::Live(_) | Roster::Silent => self.end_by_roster(agent, Outcome::Ended, end_time_ms, at_ms),
        }
    }

    pub(crate) fn take_usage(&mut self, agent: AgentId, usage: Usage, rank: u8) {
        if usage == Usage::default() {
            return;
        }
        let state = self.edit(agent);
        state.usage.take(usage, rank, state.run.serial);
    }

    /// The time of an agent's first frame stands for its start until the dispatch says better.
    pub(crate) fn note_start(&mut self, agent: AgentId, at_ms: Option<i64>) {
        if at_ms.is_some() && self.agents[agent].started_at_ms.is_none() {
            let at = self.at;
            let agent = self.edit(agent);
            agent.started_at_ms = at_ms;
            agent.started_told_at = at;
        }
    }

    pub(crate) fn late(&mut self) {
        self.rule = Rule::R22;
        self.counters.late_frames += 1;
    }

    pub(crate) fn unknown_word(&mut self, word: &str) {
        self.counters.unknown_words += 1;
        self.unknown_words.count(word);
    }
}
