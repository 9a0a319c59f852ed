//! What messages say: calls of the model, and the results that come back (R1, R2, R8–R13). Knows no task frame's shape.

use cardfold_wire::{Assistant, Block, Frame, Handback, User};
use smallvec::SmallVec;

use crate::agent::{AgentId, Standing};
use crate::changes::Field;
use crate::links::Author;
use crate::run::Answer;
use crate::said::is_interrupt_marker;
use crate::table::{Key, is_blank, key};
use crate::texts::{Sourced, report_rank, source_rank};
use crate::tracker::CardTracker;
use crate::update::Rule;

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
            let author = self.author_still(author);
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
    pub(crate) fn note_assistant(&mut self, agent: AgentId, frame: &Frame<'_>, said: &Assistant<'_>) {
        self.note_start(agent, frame.timestamp_ms);
        let has_text = said.blocks.iter().any(|block| match block {
            Block::Text(text) => !text.is_blank(),
            Block::Other | Block::ToolResult(_) | Block::ToolUse(_) => false,
        });
        let has_call = said.blocks.iter().any(|block| matches!(block, Block::ToolUse(_)));
        let run = &mut self.edit(agent).run;
        run.seen = true;
        run.last_word = has_text && !has_call && !said.aborted;
        if run.marker && !said.aborted {
            run.marker = false;
        }
        let is_over = run.is_stated_over();
        // Before the agent has its place it is not known whether another run has begun since.
        let state = &self.agents[agent];
        let may_go_on = state.standing == Standing::Unlinked && state.model.rank != source_rank::ANSWER;
        if !is_over || may_go_on {
            let model = said.model.as_deref().filter(|model| *model != "<synthetic>");
            if self.set_sourced(agent, Sourced::Model, source_rank::MESSAGE, model) {
                self.agents[agent].model_at = self.at;
            }
        }
    }

    pub(crate) fn refresh_found(&mut self, agent: AgentId) {
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
            let author = self.author_still(author);
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

    pub(crate) fn note_user(&mut self, agent: AgentId, frame: &Frame<'_>, said: &User<'_>) {
        self.note_start(agent, frame.timestamp_ms);
        let marker = said.results.is_empty() && said.texts.len() == 1 && is_interrupt_marker(said.texts[0].as_str());
        let run = &mut self.edit(agent).run;
        run.seen = true;
        run.last_word = false;
        if marker && !run.marker && !run.is_stated_over() {
            self.rule = Rule::R12;
            let run = &mut self.edit(agent).run;
            run.marker = true;
            run.marker_ms = frame.timestamp_ms;
        }
    }

    /// A hand-back that came as a user turn (R12).
    pub(crate) fn handed_back(&mut self, handback: &Handback<'_>, at_ms: Option<i64>) {
        self.rule = Rule::R12;
        if is_blank(&handback.task_id) {
            self.counters.blank_ids += 1;
            return;
        }
        if let Some(agent) = self.agent_by_task(&handback.task_id) {
            self.report_of_turn(agent, handback, at_ms);
        }
    }

    pub(crate) fn report_of_turn(&mut self, agent: AgentId, handback: &Handback<'_>, at_ms: Option<i64>) {
        self.drop_guess(agent);
        let at = self.at;
        let run = &mut self.edit(agent).run;
        run.answered_at = at;
        if !run.parked {
            run.forget_inferred_end();
        }
        let was_error = matches!(run.answer, Answer::Error(_)) && !run.error_patched;
        run.answer = Answer::Report;
        run.end.note_answer(at_ms);
        if was_error {
            self.set_text(agent, Field::Error, None);
        }
        self.take_report(agent, report_rank::NOTICE, &handback.report);
        self.refresh(agent);
    }
}
