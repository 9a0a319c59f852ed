//! Workflows and their agents (R5, R7). Knows no message.

use cardfold_wire::{TaskStarted, WorkflowAgent};

use crate::agent::{AgentId, usage_rank};
use crate::calls::StartTold;
use crate::card::{Kind, Outcome, State};
use crate::roster::StartedBy;
use crate::run::Roster;
use crate::table::{is_blank, key};
use crate::texts::{Sourced, name_rank, source_rank};
use crate::tracker::CardTracker;
use crate::update::Rule;
use crate::words::{self, Word};

impl CardTracker {
    /// The agents of a workflow, as its own frames list them (R7).
    pub(crate) fn workflow_rows(&mut self, workflow: AgentId, items: &[WorkflowAgent<'_>]) {
        for item in items {
            let Some(task) = item.agent_id.as_deref().filter(|id| !is_blank(id)) else { continue };
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

    pub(crate) fn workflow_row(&mut self, row: AgentId, item: &WorkflowAgent<'_>) {
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
            None => self.wake(row, State::Running),
        }
        self.refresh(row);
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
        if let Some(record) = self.ids.get_mut(key(tool)) {
            record.start = StartTold::ByResult;
        }
        if let Some(agent) = self.agent_of_task(key(task))
            && self.agents[agent].kind != Kind::Workflow
        {
            self.edit(agent).kind = Kind::Workflow;
        }
    }
}
