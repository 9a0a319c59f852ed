//! What the task frames say (R5, R7, R14–R17, R23). Knows no message.

use cardfold_wire::{
    BackgroundTask, TaskNotification, TaskProgress, TaskStarted, TaskUpdated, Text, Usage, WorkflowAgent,
};

use crate::agent::{AgentId, Standing, usage_rank};
use crate::card::{Kind, Outcome, State};
use crate::calls::Tool;
use crate::changes::Field;
use crate::clean::one_line;
use crate::run::{End, Roster, Run};
use crate::table::{Key, key};
use crate::texts::{Sourced, name_rank, report_rank, source_rank};
use crate::tracker::CardTracker;
use crate::update::Rule;
use crate::words::{self, TaskType, Word};

/// Openings of a summary that is a sentence of the client, not a report (R24).
const SENTENCES: [&str; 5] =
    ["Agent \"", "Background agent \"", "Dynamic workflow \"", "Remote task \"", "Stopped by"];

/// A summary that says so is no end: the agent waits for work that it started (R19).
const PARKED: &str = "is waiting on its own background work";

/// Where a notification was read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Told {
    /// A `<task-notification>` block, or the result of a call.
    Block,
    /// A task frame.
    Frame,
}

/// Where a `started` was read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum StartedBy {
    /// A task frame.
    Frame,
    /// The result of a call.
    Result,
}

/// How a task frame fits the runs of its agent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Fit {
    Current,
    Late,
}

impl CardTracker {
    /// `task_started`, and what counts as one.
    pub(crate) fn started(&mut self, said: &TaskStarted<'_>, at_ms: Option<i64>, by: StartedBy) {
        self.rule = Rule::R14;
        let task_type = words::task_type(said.task_type.as_deref(), said.subagent_type.as_deref());
        let tool = said.tool_use_id.as_deref();
        let Some(agent) = self.started_agent(said, task_type) else { return };
        if self.fit_started(agent, said.run_id.as_deref(), tool) == Fit::Late {
            self.late();
            return;
        }
        let Some(agent) = self.place_started(agent, said, task_type) else { return };
        let run = &self.agents[agent].run;
        if run.is_stated_over() && run.task_frame {
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
            run.wake(State::Running);
        }
        self.refresh(agent);
    }

    /// The agent that a `started` is about, or none where it is no agent (R5).
    fn started_agent(&mut self, said: &TaskStarted<'_>, task_type: TaskType) -> Option<AgentId> {
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
    fn task_agent(&mut self, task: &str, tool: Option<&str>, task_type: TaskType) -> Option<AgentId> {
        let tool = tool.filter(|tool| !tool.trim().is_empty());
        let named = tool.and_then(|tool| self.agent_named(key(tool)));
        if task.trim().is_empty() {
            self.counters.blank_ids += 1;
            return named;
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

    /// A `tool_use` id on a task frame that names no agent yet: the dispatch of one that has none, else an alias (R3).
    fn name_by_task_frame(&mut self, agent: AgentId, tool: &str) {
        let tool_key = key(tool);
        let maker = self.ids.get(tool_key).and_then(|record| record.agent).and_then(|maker| self.agents.find(maker));
        let seen = self.ids.get(tool_key).is_some();
        if self.agents[agent].dispatch_id.is_some() || (seen && maker.is_some()) {
            self.add_alias(tool_key, agent);
            if let Some(maker) = maker
                && self.agents[agent].standing == Standing::Unlinked
            {
                self.attach_if_free(agent, maker);
            }
            return;
        }
        self.name_agent(agent, tool, tool_key);
    }

    /// Finds the place of an agent that was started: under the agent that made it, or as a card (R5–R7).
    fn place_started(&mut self, agent: AgentId, said: &TaskStarted<'_>, task_type: TaskType) -> Option<AgentId> {
        if self.agents[agent].standing != Standing::Unlinked || self.agents[agent].parent.is_some() {
            return Some(agent);
        }
        if said.spawn_depth != Some(1) {
            if let Some(parent) = said.parent_task_id.as_deref().filter(|id| !id.trim().is_empty()) {
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
        let tool = said.tool_use_id.as_deref().filter(|id| !id.trim().is_empty());
        let at_depth_one = match said.spawn_depth {
            Some(depth) => depth == 1,
            None => tool.is_some_and(|tool| !self.is_inside(key(tool))),
        };
        if at_depth_one && matches!(task_type, TaskType::Agent(_)) {
            self.rule = Rule::R5;
            self.open_undispatched(agent, &said.task_id, said.description.as_deref());
        }
        self.agents.find(agent)
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
    fn traced_parent(&self, agent: AgentId, said: &TaskStarted<'_>) -> Option<AgentId> {
        let (parent, description) = self.last_launch?;
        let never_seen = said.tool_use_id.as_deref().is_none_or(|tool| {
            self.ids.get(key(tool)).is_none_or(|record| !record.seen)
        });
        let parent = self.agents.find(parent)?;
        let matches = said.description.as_deref().is_some_and(|text| key(text) == description);
        (never_seen && matches && parent != agent && !self.agents[parent].reading.is_settled()).then_some(parent)
    }

    /// R15 for a `started`.
    fn fit_started(&mut self, agent: AgentId, run_id: Option<&str>, tool: Option<&str>) -> Fit {
        let tool_key = tool.map(key);
        let state = &self.agents[agent];
        let run_id = run_id.filter(|id| !id.trim().is_empty());
        let ended = state.reading.is_settled();
        let counted = tool_key.is_some() && state.run.start_call == tool_key;
        let names_dispatch = tool.is_some_and(|tool| state.dispatch_id.as_deref() == Some(tool));
        let first = !state.run.task_frame && names_dispatch;
        let repeats_current = run_id.is_some() && state.run.has_run_id && state.greatest_run_id.as_deref() == run_id;
        if let Some(run_id) = run_id {
            let past = state.greatest_run_id.as_deref().is_some_and(|greatest| run_id <= greatest);
            if past && !repeats_current {
                return Fit::Late;
            }
        }
        let greater = run_id.is_some() && !repeats_current && state.run.has_run_id;
        if greater || (ended && !repeats_current && !first && !counted) {
            self.rule = Rule::R15;
            self.begin_run(agent, tool_key);
        }
        if let Some(run_id) = run_id {
            self.adopt_run_id(agent, run_id);
        }
        if let Some(tool_key) = tool_key
            && !names_dispatch
        {
            let run = &mut self.agents[agent].run;
            run.start_call = run.start_call.or(Some(tool_key));
            if let Some(record) = self.ids.get_mut(tool_key) {
                record.start_counted = true;
            }
        }
        Fit::Current
    }

    /// R15 for the other task frames.
    fn fit(&mut self, agent: AgentId, run_id: Option<&str>) -> Fit {
        let Some(run_id) = run_id.filter(|id| !id.trim().is_empty()) else { return Fit::Current };
        let state = &self.agents[agent];
        match state.greatest_run_id.as_deref() {
            Some(greatest) if greatest == run_id && state.run.has_run_id => return Fit::Current,
            Some(greatest) if run_id <= greatest => return Fit::Late,
            Some(_) | None => {}
        }
        if state.run.has_run_id {
            self.rule = Rule::R15;
            self.begin_run(agent, None);
        }
        self.adopt_run_id(agent, run_id);
        Fit::Current
    }

    /// A task frame of a run that was stated to be over. It is one of the run's task frames all the same (R15).
    fn trails(&mut self, agent: AgentId) -> bool {
        let run = &mut self.agents[agent].run;
        run.task_frame = true;
        run.is_stated_over()
    }

    fn adopt_run_id(&mut self, agent: AgentId, run_id: &str) {
        let state = &mut self.agents[agent];
        if state.greatest_run_id.as_deref() != Some(run_id) {
            state.greatest_run_id = Some(run_id.into());
        }
        state.run.has_run_id = true;
    }

    /// Begins another run: everything that was said of the last one is past (R15).
    pub(crate) fn begin_run(&mut self, agent: AgentId, start_call: Option<Key>) {
        self.lapse_requests(agent);
        self.touch(agent);
        for field in [Field::Activity, Field::Report, Field::Error] {
            self.set_text(agent, field, None);
        }
        let parent_run = self.run_above(agent, start_call);
        let state = &mut self.agents[agent];
        state.runs = state.runs.saturating_add(1);
        state.run = Run { start_call, ..Run::default() };
        state.own_pending = 0;
        state.open = 0;
        state.parent_run = parent_run;
        self.refresh_path(agent);
    }

    /// The run of the parent under which a new run hangs: that of the call that started it, else the current one.
    fn run_above(&self, agent: AgentId, start_call: Option<Key>) -> u32 {
        let Some(parent) = self.agents[agent].parent.and_then(|parent| self.agents.find(parent)) else { return 1 };
        let by_call = start_call.and_then(|call| self.ids.get(call)).filter(|record| {
            !record.names_agent && record.agent.and_then(|maker| self.agents.find(maker)) == Some(parent)
        });
        by_call.map_or(self.agents[parent].runs, |record| record.run)
    }

    /// `task_progress`.
    pub(crate) fn progress(&mut self, said: &TaskProgress<'_>, at_ms: Option<i64>) {
        self.rule = Rule::R14;
        let Some(agent) = self.task_agent(&said.task_id, said.tool_use_id.as_deref(), TaskType::Unstated) else { return };
        if self.fit(agent, said.run_id.as_deref()) == Fit::Late || self.trails(agent) {
            self.late();
            return;
        }
        self.set_agent_type(agent, source_rank::ROSTER, said.subagent_type.as_deref());
        self.note_start(agent, at_ms);
        self.take_usage(agent, said.usage, usage_rank::ROSTER);
        self.edit(agent).run.wake(State::Running);
        self.refresh(agent);
        if let Some(text) = said.summary.as_deref().or(said.description.as_deref())
            && !self.agents[agent].reading.is_settled()
        {
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
            Some(Word::Live(state)) => self.edit(agent).run.wake(state),
            Some(Word::Unknown) | None => {}
        }
        if let Some(error) = &said.error {
            self.take_error(agent, error, true);
        }
        self.refresh(agent);
    }

    /// An ending word of the roster: the later one stands (R20).
    fn end_by_roster(&mut self, agent: AgentId, outcome: Outcome, end_time_ms: Option<i64>, at_ms: Option<i64>) {
        let run = &mut self.edit(agent).run;
        run.forget_inferred_end();
        run.roster = Roster::Ended(outcome);
        run.end.note(end_time_ms, at_ms);
    }

    /// An end time without a word: over, the cause to be told (R14).
    fn end_unstated(&mut self, agent: AgentId, end_time_ms: Option<i64>, at_ms: Option<i64>) {
        let run = &mut self.edit(agent).run;
        let word_stands = matches!(run.roster, Roster::Ended(_)) && !run.parked;
        if word_stands {
            run.end.note(end_time_ms, at_ms);
        } else {
            self.end_by_roster(agent, Outcome::Ended, end_time_ms, at_ms);
        }
    }

    /// `task_notification`, and the blocks and reads that mean one.
    pub(crate) fn notified(&mut self, said: &TaskNotification<'_>, at_ms: Option<i64>, told: Told) -> Option<AgentId> {
        self.rule = Rule::R14;
        let task_type = words::task_type(said.task_type.as_deref(), None);
        if task_type == TaskType::Other {
            self.add_outsider(&said.task_id);
            return None;
        }
        let agent = self.notified_agent(said)?;
        if self.fit(agent, said.run_id.as_deref()) == Fit::Late {
            self.late();
            return Some(agent);
        }
        let word = said.status.as_deref().map(words::notice_status);
        if word == Some(Word::Unknown) {
            self.unknown_word(said.status.as_deref().unwrap_or_default());
        }
        let trails = told == Told::Frame && self.trails(agent);
        let run = &self.agents[agent].run;
        let ending = match word {
            Some(Word::Ending(outcome)) => Some(outcome),
            Some(Word::Live(_) | Word::Unknown) | None => None,
        };
        let echo = run.stop_called && ending == Some(Outcome::Completed);
        if echo || ((trails || run.is_stated_over()) && ending.is_none()) {
            self.late();
            return Some(agent);
        }
        self.touch(agent);
        match word {
            Some(Word::Ending(outcome)) => self.end_by_notice(agent, said, outcome, at_ms),
            Some(Word::Live(state)) => self.edit(agent).run.wake(state),
            Some(Word::Unknown) | None => {}
        }
        let rank = if told == Told::Frame { usage_rank::ROSTER } else { usage_rank::NOTICE };
        self.take_usage(agent, said.usage, rank);
        self.take_notice_report(agent, said, ending.is_some());
        self.workflow_rows(agent, &said.workflow);
        self.refresh(agent);
        Some(agent)
    }

    /// A notice whose task id was redacted is still linked by its `tool_use` id (R13).
    fn notified_agent(&mut self, said: &TaskNotification<'_>) -> Option<AgentId> {
        let tool = said.tool_use_id.as_deref();
        if said.hidden && tool.and_then(|tool| self.agent_named(key(tool))).is_none() {
            if !said.task_id.trim().is_empty() {
                self.add_outsider(&said.task_id);
            }
            return None;
        }
        self.task_agent(&said.task_id, tool, words::task_type(said.task_type.as_deref(), None))
    }

    fn end_by_notice(
        &mut self,
        agent: AgentId,
        said: &TaskNotification<'_>,
        outcome: Outcome,
        at_ms: Option<i64>,
    ) {
        let parks = outcome == Outcome::Completed
            && !self.session_over
            && said.summary.as_ref().is_some_and(|summary| summary.as_str().contains(PARKED));
        if parks {
            let run = &mut self.edit(agent).run;
            run.roster = Roster::Ended(outcome);
            run.forget_inferred_end();
            run.end = End::default();
            run.parked = true;
            return;
        }
        self.end_by_roster(agent, outcome, said.end_time_ms, at_ms);
    }

    /// R24, the sources of a report in a notice.
    fn take_notice_report(&mut self, agent: AgentId, said: &TaskNotification<'_>, ends: bool) {
        let stated = said.handback_report.as_ref().or(said.result.as_ref());
        if let Some(text) = stated {
            self.take_report(agent, report_rank::NOTICE, text);
            return;
        }
        let Some(summary) = &said.summary else { return };
        if said.summary_is_report {
            self.take_report(agent, report_rank::NOTICE, summary);
        } else if ends && !self.is_title(agent, summary) {
            self.take_report(agent, report_rank::SUMMARY, summary);
        }
    }

    fn is_title(&self, agent: AgentId, summary: &Text<'_>) -> bool {
        let text = summary.as_str().trim_start();
        SENTENCES.iter().any(|opening| text.starts_with(opening))
            || self.agents[agent].name.text.as_deref() == Some(one_line(text, 80).as_str())
    }

    /// `background_tasks_changed`: the whole list of what runs in the background (R17).
    pub(crate) fn level(&mut self, tasks: &[BackgroundTask<'_>]) {
        self.rule = Rule::R17;
        let mut listed = Vec::with_capacity(tasks.len());
        for task in tasks {
            let task_type = words::task_type(task.task_type.as_deref(), task.subagent_type.as_deref());
            if task_type == TaskType::Other || task.hidden {
                self.add_outsider(&task.task_id);
                continue;
            }
            if let Some(agent) = self.list_task(task, task_type) {
                listed.push(agent);
            }
        }
        for agent in &listed {
            if let Some(agent) = self.agents.get_mut(*agent) {
                agent.listed_in = self.at;
            }
        }
        for agent in std::mem::replace(&mut self.listed, listed) {
            let Some(agent) = self.agents.find(agent) else { continue };
            let state = &self.agents[agent];
            let over = state.run.is_stated_over() || state.run.parked;
            if state.listed_in == self.at || !state.run.listed || over {
                continue;
            }
            self.edit(agent).run.level_lost = true;
            self.refresh(agent);
        }
    }

    /// One row of the level: opens or links a row, never a card.
    fn list_task(&mut self, task: &BackgroundTask<'_>, task_type: TaskType) -> Option<AgentId> {
        let agent = self.task_agent(&task.task_id, task.tool_use_id.as_deref(), task_type)?;
        let state = &self.agents[agent];
        let over = state.run.is_stated_over();
        let newer = task.run_id.as_deref().is_some_and(|run_id| {
            state.greatest_run_id.as_deref().is_none_or(|greatest| run_id > greatest)
        });
        if over && newer && !state.run.has_run_id {
            // A run that is over lists nothing: the id is that of the next one.
            self.begin_run(agent, None);
        }
        if self.fit(agent, task.run_id.as_deref()) == Fit::Late || self.agents[agent].run.is_stated_over() {
            return Some(agent);
        }
        if let TaskType::Agent(kind) = task_type {
            self.edit(agent).kind = kind;
        }
        self.set_sourced(agent, Sourced::Name, name_rank::LEVEL, task.description.as_deref());
        self.set_agent_type(agent, source_rank::ROSTER, task.subagent_type.as_deref());
        if let Some(parent) = task.parent_task_id.as_deref().filter(|id| !id.trim().is_empty())
            && self.agents[agent].standing == Standing::Unlinked
            && let Some(parent) = self.task_agent(parent, None, TaskType::Unstated)
        {
            self.attach_if_free(agent, parent);
        }
        let agent = self.agents.find(agent)?;
        let run = &mut self.edit(agent).run;
        run.listed = true;
        if run.level_lost || run.inferred.is_some() || run.roster == Roster::Silent {
            run.wake(State::Running);
        }
        self.refresh(agent);
        Some(agent)
    }

    /// The agents of a workflow, as its own frames list them (R7).
    pub(crate) fn workflow_rows(&mut self, workflow: AgentId, items: &[WorkflowAgent<'_>]) {
        for item in items {
            let Some(task) = item.agent_id.as_deref().filter(|id| !id.trim().is_empty()) else { continue };
            let Some(workflow) = self.agents.find(workflow) else { return };
            self.rule = Rule::R7;
            let row = self.agent_of_task(key(task)).unwrap_or_else(|| {
                let row = self.add_unlinked();
                self.link_task(row, task);
                row
            });
            self.attach_if_free(row, workflow);
            let Some(row) = self.agents.find(row) else { continue };
            self.workflow_row(row, item);
        }
    }

    fn workflow_row(&mut self, row: AgentId, item: &WorkflowAgent<'_>) {
        self.set_sourced(row, Sourced::Name, name_rank::ROSTER, item.label.as_deref());
        self.set_agent_type(row, source_rank::ROSTER, item.agent_type.as_deref());
        self.set_sourced(row, Sourced::Name, name_rank::ROSTER, item.label.as_deref());
        self.note_start(row, item.started_at_ms);
        self.take_usage(row, item.usage, usage_rank::ROSTER);
        let ended = match item.state.as_deref() {
            Some("done") => Some(Outcome::Completed),
            Some("error") => Some(Outcome::Failed),
            Some(_) | None => item.ended_with_run.as_deref().and_then(|word| match words::status(word) {
                Word::Ending(outcome) => Some(outcome),
                Word::Live(_) | Word::Unknown => None,
            }),
        };
        let run = &mut self.edit(row).run;
        run.task_frame = true;
        match ended {
            Some(outcome) => run.roster = Roster::Ended(outcome),
            None => run.wake(State::Running),
        }
        self.refresh(row);
    }

    pub(crate) fn take_usage(&mut self, agent: AgentId, usage: Usage, rank: u8) {
        if usage == Usage::default() {
            return;
        }
        let state = self.edit(agent);
        state.usage.take(usage, rank, state.runs);
    }

    /// The time of an agent's first frame stands for its start until the dispatch says better.
    pub(crate) fn note_start(&mut self, agent: AgentId, at_ms: Option<i64>) {
        if at_ms.is_some() && self.agents[agent].started_at_ms.is_none() {
            self.edit(agent).started_at_ms = at_ms;
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

    /// The result of a `Workflow` call stands for a `started` that never came (R5).
    pub(crate) fn workflow_launched(&mut self, task: &str, tool: &str, title: Option<&str>, at_ms: Option<i64>) {
        if let Some(agent) = self.agent_of_task(key(task))
            && self.agents[agent].run.started
        {
            return;
        }
        let said = TaskStarted {
            task_id: task.into(),
            tool_use_id: Some(tool.into()),
            description: title.map(Into::into),
            task_type: Some("local_workflow".into()),
            is_backgrounded: Some(true),
            ..TaskStarted::default()
        };
        self.started(&said, at_ms, StartedBy::Result);
        if let Some(agent) = self.agent_of_task(key(task))
            && self.agents[agent].kind != Kind::Workflow
        {
            self.edit(agent).kind = Kind::Workflow;
        }
    }

    /// A stop call ends the run of a task (R13).
    pub(crate) fn stop_called(&mut self, task: &str, at_ms: Option<i64>) {
        let Some(agent) = self.agent_of_task(key(task)) else { return };
        self.rule = Rule::R13;
        self.end_by_roster(agent, Outcome::Stopped, None, at_ms);
        self.edit(agent).run.stop_called = true;
        self.refresh(agent);
    }
}
