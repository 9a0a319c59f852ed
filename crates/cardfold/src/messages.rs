//! What messages say: calls of the model, and the results that come back (R1, R2, R8–R13). Knows no task frame's shape.

use cardfold_wire::{Assistant, Block, Frame, Handback, NoticePlace, Notices, Text, ToolResult, ToolUse, User};
use smallvec::SmallVec;

use crate::agent::{AgentId, Standing, usage_rank};
use crate::calls::{CallSeen, IdRecord, Tool};
use crate::card::CallStatus;
use crate::changes::Field;
use crate::links::Author;
use crate::roster::Told;
use crate::run::Answer;
use crate::said::{Said, is_interrupt_marker};
use crate::table::{Key, key};
use crate::texts::{Sourced, name_rank, report_rank, source_rank};
use crate::title::title;
use crate::tracker::{CardTracker, NoticeSeen};
use crate::update::Rule;
use crate::words::{self, Word};

impl CardTracker {
    /// A message of the model.
    pub(crate) fn assistant(&mut self, frame: &Frame<'_>, said: &Assistant<'_>) {
        for uuid in &said.supersedes {
            self.supersede(uuid);
        }
        let author = self.author(frame);
        if let Author::Agent(agent) = author {
            self.note_assistant(agent, frame, said);
        }
        let mut opened: SmallVec<[Key; 1]> = SmallVec::new();
        for block in said.blocks.iter() {
            match block {
                Block::ToolUse(call) if !said.aborted => opened.extend(self.call(frame, author, call)),
                Block::ToolResult(result) => self.result(frame, author, result),
                Block::Other | Block::Text(_) | Block::ToolUse(_) => {}
            }
        }
        if let Author::Agent(agent) = author {
            self.refresh_found(agent);
        }
        if let Some(uuid) = frame.uuid.as_deref().filter(|_| !opened.is_empty()) {
            self.opened_by.insert(key(uuid), opened, self.limits.frame_uuids);
        }
    }

    /// What a message says of its agent beside its calls.
    fn note_assistant(&mut self, agent: AgentId, frame: &Frame<'_>, said: &Assistant<'_>) {
        self.note_start(agent, frame.timestamp_ms);
        let has_text = said.blocks.iter().any(|block| match block {
            Block::Text(text) => !text.as_str().trim().is_empty(),
            Block::Other | Block::ToolResult(_) | Block::ToolUse(_) => false,
        });
        let has_call = said.blocks.iter().any(|block| matches!(block, Block::ToolUse(_)));
        let run = &mut self.edit(agent).run;
        run.seen = true;
        run.last_word = has_text && !has_call && !said.aborted;
        if run.marker && !said.aborted {
            run.marker = false;
        }
        if !run.is_stated_over() {
            let model = said.model.as_deref().filter(|model| *model != "<synthetic>");
            self.set_sourced(agent, Sourced::Model, source_rank::MESSAGE, model);
        }
    }

    /// A call. Gives its key if it is new.
    fn call(&mut self, frame: &Frame<'_>, author: Author, call: &ToolUse<'_>) -> Option<Key> {
        let id = call.id.as_ref();
        if id.trim().is_empty() {
            self.counters.blank_ids += 1;
            return None;
        }
        if frame.parent.as_deref() == Some(id) {
            return None;
        }
        let id_key = key(id);
        let tool = Tool::of(&call.name, call.client_side);
        let known = self.ids.get(id_key).copied();
        if known.is_some_and(|record| record.seen) {
            self.counters.duplicates += 1;
            return None;
        }
        if let Some(record) = known {
            return self.call_seen_late(frame, author, call, record).then_some(id_key);
        }
        let maker = match author {
            Author::Agent(agent) => Some(agent),
            Author::Main | Author::Nobody => None,
        };
        self.remember_id(id_key, self.new_record(author, tool));
        match (tool, author) {
            (Tool::Dispatch, Author::Main) => {
                self.rule = Rule::R1;
                let agent = self.add_dispatched();
                self.name_agent(agent, id, id_key);
                self.dispatch_facts(agent, frame, call);
                self.open_card(agent);
            }
            (Tool::Dispatch, Author::Agent(maker)) => {
                self.rule = Rule::R7;
                let agent = self.add_dispatched();
                self.name_agent(agent, id, id_key);
                self.dispatch_facts(agent, frame, call);
                self.count_call(maker, CallSeen { key: id_key, id, name: &call.name, title: &title(call) });
                self.hang(agent, maker, id_key);
                self.queue_unlinked(agent);
            }
            _ => {}
        }
        if tool != Tool::Dispatch
            && let Some(maker) = maker
        {
            self.rule = Rule::R7;
            self.count_call(maker, CallSeen { key: id_key, id, name: &call.name, title: &title(call) });
        }
        self.take_held(id_key, call);
        Some(id_key)
    }

    fn new_record(&self, author: Author, tool: Tool) -> IdRecord {
        let (agent, run) = match author {
            Author::Agent(agent) => (Some(agent), self.agents[agent].runs),
            Author::Main | Author::Nobody => (None, 1),
        };
        IdRecord {
            agent,
            run,
            tool,
            status: CallStatus::Pending,
            names_agent: false,
            seen: true,
            inside: author != Author::Main,
            ends_with_agent: tool == Tool::Dispatch,
            start_counted: false,
            asked: false,
        }
    }

    fn add_dispatched(&mut self) -> AgentId {
        let agent = self.add_agent();
        self.agents[agent].dispatched = true;
        agent
    }

    /// What a dispatch says of its agent.
    fn dispatch_facts(&mut self, agent: AgentId, frame: &Frame<'_>, call: &ToolUse<'_>) {
        let at = self.at;
        let state = self.edit(agent);
        state.dispatched = true;
        state.dispatched_at = at;
        state.run_in_background = call.input.run_in_background.unwrap_or(false);
        if frame.timestamp_ms.is_some() && !state.started_by_dispatch {
            state.started_at_ms = frame.timestamp_ms;
            state.started_by_dispatch = true;
        }
        self.set_sourced(agent, Sourced::Name, name_rank::TOOL, Some(&call.name));
        self.set_agent_type(agent, source_rank::DISPATCH, call.input.subagent_type.as_deref());
        self.set_sourced(agent, Sourced::Name, name_rank::DESCRIPTION, call.input.description.as_deref());
    }

    /// Puts an agent under the one whose call started it.
    fn hang(&mut self, agent: AgentId, maker: AgentId, call: Key) {
        let Some(agent) = self.agents.find(agent) else { return };
        let state = &mut self.agents[agent];
        state.call = Some(call);
        // The parent counted the call as pending; from here the agent tells how it reads.
        state.call_status = CallStatus::Pending;
        self.attach(agent, maker);
        if let Some(agent) = self.agents.find(agent) {
            self.refresh(agent);
        }
    }

    /// A call whose id was known before it was seen: as a parent, or from a task frame (R4, R5).
    fn call_seen_late(
        &mut self,
        frame: &Frame<'_>,
        author: Author,
        call: &ToolUse<'_>,
        record: IdRecord,
    ) -> bool {
        let id = call.id.as_ref();
        let id_key = key(id);
        let tool = Tool::of(&call.name, call.client_side);
        let named = record.agent.and_then(|agent| self.agents.find(agent));
        let mut fresh = self.new_record(author, tool);
        fresh.asked = record.asked;
        fresh.start_counted = record.start_counted;
        let Some(agent) = named else {
            self.ids.remove(id_key);
            return self.call(frame, author, call).is_some();
        };
        // A fork's file repeats the dispatch that made the fork.
        if author == Author::Agent(agent) {
            return false;
        }
        let keeps = tool == Tool::Dispatch || self.agents[agent].run.task_frame || self.agents[agent].card.is_some();
        if !keeps {
            self.agents[agent].names.retain(|name| *name != id_key);
            self.remember_id(id_key, fresh);
            match author {
                Author::Agent(maker) => {
                    self.merge(agent, maker);
                    if let Some(maker) = self.agents.find(maker) {
                        self.count_call(maker, CallSeen { key: id_key, id, name: &call.name, title: &title(call) });
                    }
                }
                Author::Main | Author::Nobody => self.release(agent),
            }
            self.take_held(id_key, call);
            return true;
        }
        fresh.agent = Some(agent);
        fresh.names_agent = true;
        self.remember_id(id_key, fresh);
        if tool == Tool::Dispatch {
            self.dispatch_facts(agent, frame, call);
        }
        match author {
            Author::Agent(maker) => {
                self.count_call(maker, CallSeen { key: id_key, id, name: &call.name, title: &title(call) });
                self.hang(agent, maker, id_key);
            }
            Author::Main if self.agents[agent].standing == Standing::Unlinked && tool == Tool::Dispatch => {
                self.rule = Rule::R1;
                self.open_card(agent);
            }
            Author::Main | Author::Nobody => self.refresh_found(agent),
        }
        self.take_held(id_key, call);
        true
    }

    fn refresh_found(&mut self, agent: AgentId) {
        if let Some(agent) = self.agents.find(agent) {
            self.refresh(agent);
        }
    }

    /// A user turn, or the results of calls.
    pub(crate) fn user(&mut self, frame: &Frame<'_>, said: &User<'_>) {
        let author = self.author(frame);
        if let Author::Agent(agent) = author {
            self.note_user(agent, frame, said);
        }
        for result in said.results.iter() {
            self.result(frame, author, result);
        }
        if let Some(handback) = &said.handback {
            self.handed_back(handback, frame.timestamp_ms);
        }
        self.notices(&said.notices, frame.timestamp_ms);
        if let Author::Agent(agent) = author {
            self.refresh_found(agent);
        }
    }

    fn note_user(&mut self, agent: AgentId, frame: &Frame<'_>, said: &User<'_>) {
        self.note_start(agent, frame.timestamp_ms);
        let marker = said.results.is_empty() && said.texts.len() == 1 && is_interrupt_marker(said.texts[0].as_str());
        let run = &mut self.edit(agent).run;
        run.seen = true;
        run.last_word = false;
        if marker && !run.marker {
            self.rule = Rule::R12;
            let run = &mut self.edit(agent).run;
            run.marker = true;
            run.marker_ms = frame.timestamp_ms;
        }
    }

    /// The result of a call.
    fn result(&mut self, frame: &Frame<'_>, author: Author, result: &ToolResult<'_>) {
        let id = result.tool_use_id.as_ref();
        if id.trim().is_empty() {
            self.counters.blank_ids += 1;
            return;
        }
        if frame.parent.as_deref() == Some(id) {
            return;
        }
        let id_key = key(id);
        let Some(record) = self.ids.get(id_key).copied() else {
            self.hold(id_key, Said::of(result, frame.timestamp_ms, true));
            return;
        };
        let named = record.names_agent.then_some(record.agent).flatten().and_then(|agent| self.agents.find(agent));
        if named.is_some_and(|agent| author == Author::Agent(agent)) {
            // A fork's file repeats the answer to the dispatch that made the fork.
            return;
        }
        if !record.seen {
            self.hold(id_key, Said::of(result, frame.timestamp_ms, true));
            return;
        }
        if record.tool == Tool::Other && result.structured.is_none() {
            self.settle_plain(id_key, record, result.is_error);
            return;
        }
        let said = Said::of(result, frame.timestamp_ms, record.tool != Tool::Other && record.tool != Tool::Dispatch);
        self.take_result(id, id_key, record, &said);
    }

    /// A result that came before its call waits for it (R4).
    fn hold(&mut self, id: Key, said: Said) {
        self.rule = Rule::R4;
        if said.detached {
            return;
        }
        if self.held.insert(id, Box::new(said), self.limits.orphan_calls).is_some() {
            self.counters.orphans_dropped += 1;
        }
    }

    fn take_held(&mut self, id: Key, call: &ToolUse<'_>) {
        self.take_asked(id);
        let Some(said) = self.held.remove(id) else { return };
        if let Some(record) = self.ids.get(id).copied() {
            self.take_result(&call.id, id, record, &said);
        }
    }

    fn settle_plain(&mut self, id: Key, record: IdRecord, failed: bool) {
        self.rule = Rule::R9;
        let status = if failed { CallStatus::Failed } else { CallStatus::Completed };
        if record.status == status {
            self.counters.duplicates += 1;
        }
        self.settle_call(id, failed);
        if record.asked {
            self.answered_by_result(id);
        }
    }

    fn take_result(&mut self, id: &str, id_key: Key, record: IdRecord, said: &Said) {
        if said.detached {
            return;
        }
        let first = record.status == CallStatus::Pending;
        match record.tool {
            Tool::Dispatch => {
                self.answer(id_key, record, said);
                return;
            }
            Tool::Other if !said.is_error => self.dismiss_skill(said),
            Tool::SendMessage if first && !said.is_error => self.message_sent(id_key, record, said),
            Tool::Skill if !said.is_error => self.dismiss_skill(said),
            Tool::TaskOutput if !said.is_error => self.task_read(said),
            Tool::TaskStop if first && !said.is_error => {
                if let Some(task) = &said.task_id {
                    self.stop_called(task, said.at_ms);
                }
            }
            Tool::Workflow if !said.is_error => {
                if let Some(task) = &said.task_id {
                    self.workflow_launched(task, id, said.summary.as_deref(), said.at_ms);
                }
            }
            Tool::Other
            | Tool::SendMessage
            | Tool::Skill
            | Tool::TaskOutput
            | Tool::TaskStop
            | Tool::Workflow => {}
        }
        self.settle_plain(id_key, record, said.is_error);
    }

    /// A result with an agent's id, for a call that starts none of ours: a forked skill (R5).
    fn dismiss_skill(&mut self, said: &Said) {
        if said.is_forked_skill
            && let Some(task) = &said.agent_id
        {
            self.rule = Rule::R5;
            self.add_outsider(task);
        }
    }

    /// A message that woke an agent is a `started` of its task (R15).
    fn message_sent(&mut self, id: Key, record: IdRecord, said: &Said) {
        let Some(task) = &said.resumed_agent_id else { return };
        let Some(agent) = self.agent_of_task(key(task)) else { return };
        self.rule = Rule::R15;
        if self.alias(id).is_none() {
            self.add_alias(id, agent);
        }
        if record.start_counted || self.agents[agent].run.start_call == Some(id) {
            return;
        }
        self.resumed(agent, id);
    }

    /// The answer to a dispatch (R11).
    fn answer(&mut self, id: Key, record: IdRecord, said: &Said) {
        self.rule = Rule::R11;
        let Some(agent) = record.agent.and_then(|agent| self.agents.find(agent)) else { return };
        if let Some(task) = &said.agent_id {
            self.link_task(agent, task);
        }
        let Some(agent) = self.agents.find(agent) else { return };
        let ending = said.answer.is_ending();
        if ending || !self.agents[agent].run.answer.is_ending() {
            self.take_answer(agent, said);
        }
        self.set_sourced(agent, Sourced::Model, source_rank::ANSWER, said.model.as_deref());
        self.take_usage(agent, said.usage(), usage_rank::ANSWER);
        if said.answer != Answer::Acknowledgement
            && let Some(record) = self.ids.get_mut(id)
        {
            record.status = if said.is_error { CallStatus::Failed } else { CallStatus::Completed };
        }
        self.refresh_path(agent);
        if record.asked {
            self.answered_by_result(id);
        }
    }

    fn take_answer(&mut self, agent: AgentId, said: &Said) {
        let state = self.edit(agent);
        let run = &mut state.run;
        let replaces_ending = run.answer.is_ending();
        run.answer = said.answer;
        match said.answer {
            Answer::Acknowledgement => run.answer_background = Some(true),
            Answer::Report => run.answer_background = Some(false),
            Answer::None | Answer::Error(_) | Answer::Unrecognised => {}
        }
        if said.answer.is_ending() {
            if !run.parked {
                run.forget_inferred_end();
            }
            run.end.note(None, said.at_ms);
        }
        if let Some(kind) = said.kind {
            state.kind = kind;
        }
        if replaces_ending {
            self.set_text(agent, Field::Report, None);
        }
        let Some(text) = said.text.as_deref() else { return };
        match said.answer {
            Answer::Report => self.take_bounded_report(agent, report_rank::ANSWER, text, said.text_cut),
            Answer::Error(_) => self.take_bounded_error(agent, text, said.text_cut, false),
            Answer::None | Answer::Acknowledgement | Answer::Unrecognised => {}
        }
    }

    /// A hand-back that came as a user turn (R12).
    fn handed_back(&mut self, handback: &Handback<'_>, at_ms: Option<i64>) {
        self.rule = Rule::R12;
        if handback.task_id.trim().is_empty() {
            self.counters.blank_ids += 1;
            return;
        }
        let task = handback.task_id.as_ref();
        let Some(agent) = self.agent_of_task(key(task)) else {
            if !self.outsiders.contains(key(task)) {
                let agent = self.add_unlinked();
                self.link_task(agent, task);
                self.report_of_turn(agent, handback, at_ms);
            }
            return;
        };
        self.report_of_turn(agent, handback, at_ms);
    }

    fn report_of_turn(&mut self, agent: AgentId, handback: &Handback<'_>, at_ms: Option<i64>) {
        let run = &mut self.edit(agent).run;
        run.answer = Answer::Report;
        run.end.note(None, at_ms);
        self.take_report(agent, report_rank::NOTICE, &handback.report);
        self.refresh(agent);
    }

    /// `<task-notification>` blocks: each text counts once (R13).
    pub(crate) fn notices(&mut self, notices: &Notices<'_>, at_ms: Option<i64>) {
        for notice in &notices.blocks {
            self.rule = Rule::R13;
            let agent = self.noticed_agent(notice.said.task_id.as_ref(), notice.said.tool_use_id.as_deref());
            let runs = agent.map_or(0, |agent| self.agents[agent].runs);
            if let Some(seen) = self.notice_texts.get(notice.digest) {
                let moved = seen.agent != agent.map(|agent| self.agents[agent].dispatched_at) || runs > seen.runs;
                if notices.place != NoticePlace::Enqueue || !moved || agent.is_none() {
                    self.counters.duplicates += 1;
                    continue;
                }
            }
            let told = self.notified(&notice.said, at_ms, Told::Block);
            let agent = told.or(agent).and_then(|agent| self.agents.find(agent));
            let seen = NoticeSeen {
                agent: agent.map(|agent| self.agents[agent].dispatched_at),
                runs: agent.map_or(0, |agent| self.agents[agent].runs),
            };
            if self.notice_texts.insert(notice.digest, seen, self.limits.notice_texts).is_some() {
                self.counters.evictions += 1;
            }
        }
    }

    fn noticed_agent(&self, task: &str, tool: Option<&str>) -> Option<AgentId> {
        tool.and_then(|tool| self.agent_named(key(tool))).or_else(|| self.agent_of_task(key(task)))
    }

    /// A read of a task that states an ended status is a notice (R13).
    fn task_read(&mut self, said: &Said) {
        let (Some(task), Some(status)) = (said.read_task.as_deref(), said.read_status.as_deref()) else { return };
        if !matches!(words::notice_status(status), Word::Ending(_)) || self.agent_of_task(key(task)).is_none() {
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

    /// A later frame takes back what earlier ones opened (R2).
    fn supersede(&mut self, uuid: &str) {
        self.rule = Rule::R2;
        for call in self.opened_by.remove(key(uuid)).into_iter().flatten() {
            self.take_back(call);
        }
    }

    /// A run that the result of a message began, in the background (R15).
    fn resumed(&mut self, agent: AgentId, call: Key) {
        let ended = self.agents[agent].reading.is_settled();
        if ended {
            self.begin_run(agent, Some(call));
        }
        let state = self.edit(agent);
        state.roster_background = Some(true);
        let run = &mut state.run;
        run.start_call = run.start_call.or(Some(call));
        run.started = true;
        run.wake(crate::card::State::Running);
        if let Some(record) = self.ids.get_mut(call) {
            record.start_counted = true;
        }
        self.refresh(agent);
    }
}
