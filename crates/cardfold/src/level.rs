//! The whole list of live background tasks, and what it says of those that it lists no longer (R17). Knows no
//! message.

use cardfold_wire::BackgroundTask;

use crate::agent::{AgentId, Standing};
use crate::card::State;
use crate::run::Roster;
use crate::runs::Fit;
use crate::table::is_blank;
use crate::texts::{Sourced, name_rank, source_rank};
use crate::tracker::CardTracker;
use crate::update::Rule;
use crate::words::{self, TaskType};

impl CardTracker {
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
    pub(crate) fn list_task(&mut self, task: &BackgroundTask<'_>, task_type: TaskType) -> Option<AgentId> {
        let agent = self.task_agent(&task.task_id, task.tool_use_id.as_deref(), task_type)?;
        self.go_by_message(agent, task.tool_use_id.as_deref());
        let state = &self.agents[agent];
        let over = state.run.is_stated_over();
        let newer = task
            .run_id
            .as_deref()
            .is_some_and(|run_id| state.greatest_run_id.as_deref().is_none_or(|greatest| run_id > greatest));
        if over && newer && !state.run.has_run_id {
            // It may be the id of this run, or that of the next one, whose start the level comes before.
            self.agents[agent].run.id_by_level = true;
        }
        if self.fit(agent, task.run_id.as_deref()) == Fit::Late || self.agents[agent].run.is_stated_over() {
            return Some(agent);
        }
        if let TaskType::Agent(kind) = task_type {
            self.edit(agent).kind = kind;
        }
        self.set_sourced(agent, Sourced::Name, name_rank::LEVEL, task.description.as_deref());
        self.set_agent_type(agent, source_rank::ROSTER, task.subagent_type.as_deref());
        if let Some(parent) = task.parent_task_id.as_deref().filter(|id| !is_blank(id))
            && self.agents[agent].standing == Standing::Unlinked
            && let Some(parent) = self.task_agent(parent, None, TaskType::Unstated)
        {
            self.attach_if_free(agent, parent);
        }
        let agent = self.agents.find(agent)?;
        let run = &mut self.edit(agent).run;
        run.listed = true;
        if run.level_lost || run.inferred.is_some() || run.roster == Roster::Silent {
            self.wake(agent, State::Running);
        }
        self.refresh(agent);
        Some(agent)
    }
}
