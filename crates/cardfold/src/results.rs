//! What comes back from a call, and what it says of agents (R9–R11, R13–R15). Knows no task frame.

use cardfold_wire::{Frame, Text, ToolResult, ToolUse};

use crate::agent::{AgentId, Standing, usage_rank};
use crate::calls::{IdRecord, StartTold, Tool};
use crate::card::{CallStatus, State};
use crate::changes::Field;
use crate::links::Author;
use crate::notices::Told;
use crate::run::Answer;
use crate::said::Said;
use crate::table::{Key, is_blank, key};
use crate::texts::{Sourced, report_rank, source_rank};
use crate::tracker::CardTracker;
use crate::update::Rule;
use crate::words::{self, Word};

/// Results that may wait for one call. The last one stands; a few more keep an acknowledgement before a report.
const RESULTS: usize = 4;

impl CardTracker {
    /// The result of a call.
    pub(crate) fn result(&mut self, frame: &Frame<'_>, author: Author, result: &ToolResult<'_>) {
        let id = result.tool_use_id.as_ref();
        if is_blank(id) {
            self.counters.blank_ids += 1;
            return;
        }
        if frame.parent.as_deref() == Some(id) {
            return;
        }
        let id_key = key(id);
        let Some(record) = self.ids.get(id_key).copied() else {
            self.result_of_unseen(author, id, id_key, Said::of(result, frame.timestamp_ms, true));
            return;
        };
        let named = record.names_agent.then_some(record.agent).flatten().and_then(|agent| self.agents.find(agent));
        if named.is_some_and(|agent| author == Author::Agent(agent)) {
            // A fork's file repeats the answer to the dispatch that made the fork.
            return;
        }
        if !record.is_seen() {
            self.hold(id_key, Said::of(result, frame.timestamp_ms, true));
            self.take_early(id_key);
            return;
        }
        let said = match (record.tool, result.structured.as_deref()) {
            (Tool::Other, None) => {
                self.settle_plain(id_key, record, result.is_error);
                return;
            }
            // Its text, which may be long, says nothing of agents and is not looked at.
            (Tool::Other, Some(structured)) => Said::of_other(result, structured, frame.timestamp_ms),
            (Tool::Dispatch | Tool::Unseen, _) => Said::of(result, frame.timestamp_ms, false),
            (Tool::SendMessage | Tool::Skill | Tool::TaskOutput | Tool::TaskStop | Tool::Workflow, _) => {
                Said::of(result, frame.timestamp_ms, true)
            }
        };
        self.take_result(id, id_key, record, &said);
    }

    /// A result whose call was not seen. One that only a dispatch has names the agent: one that waits, or a row whose id
    /// nobody has told.
    fn result_of_unseen(&mut self, author: Author, id: &str, id_key: Key, said: Said) {
        let names_agent = said.is_launch_or_report();
        let placed = said.agent_id.as_deref().and_then(|task| self.placed_agent(task));
        self.hold(id_key, said);
        match placed {
            None if names_agent => {
                self.add_named(id, id_key);
            }
            Some(agent) if names_agent && self.is_missing(agent, Field::DispatchId) => {
                if author != Author::Agent(agent) {
                    self.name_agent(agent, id, id_key);
                }
            }
            Some(_) | None => {}
        }
    }

    /// A result that came before its call waits for it (R4).
    fn hold(&mut self, id: Key, mut said: Said) {
        self.rule = Rule::R4;
        if said.detached {
            return;
        }
        said.arrival = self.at;
        if let Some(waiting) = self.held.get_mut(id) {
            waiting.push(said);
            if waiting.len() > RESULTS {
                waiting.remove(0);
                self.counters.orphans_dropped += 1;
            }
        } else if self.held.insert(id, vec![said], self.limits.orphan_calls).is_some() {
            self.counters.orphans_dropped += 1;
        }
    }

    /// The agent of a task, if it has a place, which only a dispatch that was seen can change.
    fn placed_agent(&self, task: &str) -> Option<AgentId> {
        let agent = self.agent_of_task(key(task))?;
        (self.agents[agent].standing != Standing::Unlinked).then_some(agent)
    }

    /// Results whose id has turned out to name an agent answer its dispatch, though that was not seen yet: they count
    /// where they stand among the frames of the agent (R4). One that says that it woke an agent is that of a message.
    pub(crate) fn take_early(&mut self, id: Key) {
        let Some(record) = self.ids.get(id).copied().filter(|record| record.names_agent && !record.is_seen()) else {
            return;
        };
        let Some(waiting) = self.held.get_mut(id) else { return };
        let early: Vec<Said> = waiting
            .iter_mut()
            .filter(|said| !said.taken && said.resumed_agent_id.is_none())
            .map(|said| {
                said.taken = true;
                said.clone()
            })
            .collect();
        for said in early {
            if let Some(agent) = record.agent.and_then(|agent| self.agents.get_mut(agent)) {
                agent.answered_early = true;
            }
            self.answer(id, record, &said);
        }
    }

    /// Takes up what waited for a call.
    pub(crate) fn take_held(&mut self, id: Key, call: &ToolUse<'_>) {
        self.take_asked(id);
        for said in self.held.remove(id).into_iter().flatten() {
            let Some(record) = self.ids.get(id).copied() else { return };
            if record.tool != Tool::Dispatch {
                self.take_result(&call.id, id, record, &said);
            } else if !said.taken {
                self.answer(id, record, &said);
            } else if let (Some(agent), Some(task)) = (record.agent, &said.agent_id) {
                // Now that the dispatch was seen, it may be the newest that names the task (R3).
                self.link_answered(agent, task);
            }
        }
    }

    /// What was taken for the answer to a dispatch is the result of another call.
    pub(crate) fn take_back_early(&mut self, agent: AgentId, id: Key) {
        if !self.held.get(id).is_some_and(|waiting| waiting.iter().any(|said| said.taken)) {
            return;
        }
        let run = &mut self.edit(agent).run;
        run.answer = Answer::None;
        run.answer_background = None;
        let patched = run.error_patched;
        if run.report_rank == report_rank::ANSWER {
            run.report_rank = 0;
            self.set_text(agent, Field::Report, None);
        }
        if !patched {
            self.set_text(agent, Field::Error, None);
        }
    }

    pub(crate) fn settle_plain(&mut self, id: Key, record: IdRecord, failed: bool) {
        if self.rule == Rule::None {
            // What the result says of an agent is what decided.
            self.rule = Rule::R9;
        }
        let status = if failed { CallStatus::Failed } else { CallStatus::Completed };
        if record.status == status {
            self.counters.duplicates += 1;
        }
        self.settle_call(id, failed);
        self.answered_by_result(id);
    }

    pub(crate) fn take_result(&mut self, id: &str, id_key: Key, record: IdRecord, said: &Said) {
        if said.detached {
            return;
        }
        let first = record.status == CallStatus::Pending;
        match record.tool {
            Tool::Dispatch | Tool::Unseen => {
                self.answer(id_key, record, said);
                return;
            }
            Tool::Other if !said.is_error => self.dismiss_skill(said),
            Tool::SendMessage if first && !said.is_error => self.message_sent(id_key, record, said),
            Tool::Skill if !said.is_error => self.dismiss_skill(said),
            Tool::TaskOutput if !said.is_error && !said.is_no_agent => self.task_read(said),
            Tool::TaskStop if first && !said.is_error && !said.is_no_agent => {
                if let Some(task) = &said.task_id {
                    self.stop_called(task, said.at_ms);
                }
            }
            Tool::Workflow if !said.is_error => {
                if let Some(task) = &said.task_id {
                    self.workflow_launched(task, id, said.summary.as_deref(), said.at_ms);
                }
            }
            Tool::Other | Tool::SendMessage | Tool::Skill | Tool::TaskOutput | Tool::TaskStop | Tool::Workflow => {}
        }
        self.settle_plain(id_key, record, said.is_error);
    }

    /// A result with an agent's id, for a call that starts none of ours: a forked skill (R5).
    pub(crate) fn dismiss_skill(&mut self, said: &Said) {
        if said.is_forked_skill
            && let Some(task) = &said.agent_id
        {
            self.rule = Rule::R5;
            self.add_outsider(task);
        }
    }

    /// A message that woke an agent is a `started` of its task (R15).
    pub(crate) fn message_sent(&mut self, id: Key, record: IdRecord, said: &Said) {
        let Some(task) = &said.resumed_agent_id else { return };
        let Some(agent) = self.agent_by_task(task) else { return };
        self.rule = Rule::R15;
        match self.alias(id) {
            Some(other) if other != agent && !self.agents[other].dispatched => self.merge(other, agent),
            Some(_) => {}
            None => self.add_alias(id, agent),
        }
        let Some(agent) = self.agents.find(agent) else { return };
        let is_current = self.agents[agent].run.start_call == Some(id);
        if record.start == StartTold::No && !is_current {
            self.resumed(agent, id);
        } else if !self.agents[agent].run.is_stated_over() {
            // The frame of the same start said all but this.
            self.edit(agent).roster_background = Some(true);
            self.refresh(agent);
        }
        if let Some(record) = self.ids.get_mut(id) {
            record.start = StartTold::ByResult;
        }
    }

    /// A run that the result of a message began, in the background (R15).
    pub(crate) fn resumed(&mut self, agent: AgentId, call: Key) {
        let ended = self.agents[agent].reading.is_settled();
        if ended {
            self.begin_run(agent, Some(call));
        }
        let at = self.at;
        let state = self.edit(agent);
        state.roster_background = Some(true);
        state.note_start_call(call, at);
        state.run.started = true;
        self.wake(agent, State::Running);
        self.refresh(agent);
    }

    /// The answer to a dispatch (R11).
    pub(crate) fn answer(&mut self, id: Key, record: IdRecord, said: &Said) {
        self.rule = Rule::R11;
        let Some(agent) = record.agent.and_then(|agent| self.agents.find(agent)) else { return };
        if let Some(task) = &said.agent_id {
            self.link_answered(agent, task);
        }
        let Some(agent) = self.agents.find(agent) else { return };
        let ending = said.answer.is_ending();
        if self.is_of_earlier_run(agent, said) {
            let state = self.edit(agent);
            if ending && state.runs == 1 {
                // What ended was the first run; the one that is known is the next.
                state.runs = 2;
                state.first_run = if said.is_error { CallStatus::Failed } else { CallStatus::Completed };
            }
        } else if ending || !self.agents[agent].run.answer.is_ending() {
            self.take_answer(agent, said);
        } else if said.answer == Answer::Acknowledgement && self.agents[agent].run.answer == Answer::Report {
            // What handed back in a turn of its own does not undo that (R12).
            let background = &mut self.edit(agent).run.answer_background;
            *background = background.or(Some(true));
        }
        self.set_sourced(agent, Sourced::Model, source_rank::ANSWER, said.model.as_deref());
        self.take_usage(agent, said.usage(), usage_rank::ANSWER);
        if said.answer != Answer::Acknowledgement
            && let Some(record) = self.ids.get_mut(id)
        {
            record.status = if said.is_error { CallStatus::Failed } else { CallStatus::Completed };
        }
        self.refresh_path(agent);
        let at = self.at;
        let run = &mut self.agents[agent].run;
        if said.arrival > 0 && run.settled_at == at {
            // The run was over when the answer came, not when it was taken up.
            run.settled_at = said.arrival;
        }
        self.answered_by_result(id);
    }

    /// The answer waited, and the run that is known began after it came (R15).
    fn is_of_earlier_run(&self, agent: AgentId, said: &Said) -> bool {
        let run = &self.agents[agent].run;
        said.arrival > 0 && run.start_call.is_some() && run.begun_at > said.arrival
    }

    pub(crate) fn take_answer(&mut self, agent: AgentId, said: &Said) {
        if said.answer.is_ending() {
            self.drop_guess(agent);
        }
        let at = self.at;
        let state = self.edit(agent);
        let run = &mut state.run;
        let replaces_ending = run.answer.is_ending();
        run.answer = said.answer;
        run.answered_at = if said.arrival > 0 { said.arrival } else { at };
        match said.answer {
            Answer::Acknowledgement => run.answer_background = Some(true),
            Answer::Report => run.answer_background = Some(false),
            Answer::None | Answer::Error(_) | Answer::Unrecognised => {}
        }
        if said.answer.is_ending() {
            if !run.parked {
                run.forget_inferred_end();
            }
            run.end.note_answer(said.at_ms);
        }
        if let Some(kind) = said.kind {
            state.kind = kind;
        }
        if replaces_ending {
            if self.agents[agent].run.report_rank == report_rank::ANSWER {
                self.agents[agent].run.report_rank = 0;
                self.set_text(agent, Field::Report, None);
            }
            if !self.agents[agent].run.error_patched {
                self.set_text(agent, Field::Error, None);
            }
        }
        let Some(text) = said.text.as_deref() else { return };
        match said.answer {
            Answer::Report => self.take_bounded_report(agent, report_rank::ANSWER, text, said.text_cut),
            Answer::Error(_) => self.take_bounded_error(agent, text, said.text_cut, false),
            Answer::None | Answer::Acknowledgement | Answer::Unrecognised => {}
        }
    }

    /// A read of a task that states an ended status is a notice (R13).
    pub(crate) fn task_read(&mut self, said: &Said) {
        let (Some(task), Some(status)) = (said.read_task.as_deref(), said.read_status.as_deref()) else { return };
        if !matches!(words::notice_status(status), Word::Ending(_)) {
            return;
        }
        self.rule = Rule::R13;
        let notification = cardfold_wire::TaskNotification {
            task_id: task.into(),
            status: Some(status.into()),
            result: said.read_result.as_deref().map(Text::from),
            ..cardfold_wire::TaskNotification::default()
        };
        self.notified(&notification, said.at_ms, Told::Block);
    }
}
