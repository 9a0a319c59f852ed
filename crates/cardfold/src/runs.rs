//! When an agent begins another run (R15). Knows no status word.

use crate::agent::AgentId;
use crate::calls::{StartTold, Tool};
use crate::changes::Field;
use crate::run::Run;
use crate::table::{Key, is_blank, key};
use crate::tracker::CardTracker;
use crate::update::Rule;

/// How a task frame fits the runs of its agent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fit {
    Current,
    Late,
}

impl CardTracker {
    /// R15 for a `started`.
    pub(crate) fn fit_started(&mut self, agent: AgentId, run_id: Option<&str>, tool: Option<&str>) -> Fit {
        let tool_key = tool.map(key);
        let state = &self.agents[agent];
        let run_id = run_id.filter(|id| !is_blank(id));
        let ended = state.reading.is_settled();
        let names_agent = tool.is_some_and(|tool| state.dispatch_id.as_deref() == Some(tool));
        let names_dispatch = names_agent && !self.goes_by_message(state);
        let counted = tool_key.and_then(|tool| self.ids.get(tool)).is_some_and(|record| match record.start {
            StartTold::No | StartTold::InPassing => false,
            StartTold::ByFrame => record.tool == Tool::SendMessage,
            StartTold::ByResult => true,
        });
        let first = !state.run.task_frame && names_dispatch;
        let repeats_current = run_id.is_some() && state.run.has_run_id && state.greatest_run_id.as_deref() == run_id;
        if let Some(run_id) = run_id {
            let past = state.greatest_run_id.as_deref().is_some_and(|greatest| run_id <= greatest);
            if past && !repeats_current {
                return Fit::Late;
            }
        }
        let greater = run_id.is_some() && !repeats_current && state.run.has_run_id;
        let repeats = repeats_current && !state.run.id_by_level;
        let begins = greater || (ended && !repeats && !first && !counted);
        if begins {
            self.rule = Rule::R15;
            self.begin_run(agent, tool_key);
        }
        let begins = begins || !self.agents[agent].run.task_frame;
        if let Some(run_id) = run_id {
            self.adopt_run_id(agent, run_id);
        }
        if let Some(tool_key) = tool_key
            && !names_dispatch
        {
            let at = self.at;
            self.agents[agent].note_start_call(tool_key, at);
            let told = if begins { StartTold::ByFrame } else { StartTold::InPassing };
            if let Some(record) = self.ids.get_mut(tool_key) {
                record.start = record.start.max(told);
            } else if let Some(alias) = self.aliases.get_mut(tool_key) {
                alias.start = alias.start.max(told);
            }
        }
        Fit::Current
    }

    /// A copy of what was said already names the run: that changes no card, but tells later frames apart.
    pub(crate) fn learn_run_id(&mut self, agent: AgentId, run_id: Option<&str>) {
        let Some(run_id) = run_id.filter(|id| !is_blank(id)) else { return };
        let state = &self.agents[agent];
        let newer = state.greatest_run_id.as_deref().is_none_or(|greatest| run_id > greatest);
        if newer && !state.run.has_run_id {
            self.adopt_run_id(agent, run_id);
        }
    }

    /// R15 for the other task frames.
    pub(crate) fn fit(&mut self, agent: AgentId, run_id: Option<&str>) -> Fit {
        let Some(run_id) = run_id.filter(|id| !is_blank(id)) else { return Fit::Current };
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
    pub(crate) fn trails(&mut self, agent: AgentId) -> bool {
        let run = &mut self.agents[agent].run;
        run.task_frame = true;
        run.is_stated_over()
    }

    pub(crate) fn adopt_run_id(&mut self, agent: AgentId, run_id: &str) {
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
        let parent = self.agents[agent].parent.and_then(|parent| self.agents.find(parent));
        let parent_run = parent.map_or(0, |parent| self.run_above(parent, start_call));
        let serial = self.next_run();
        let begun_at = self.at;
        let state = &mut self.agents[agent];
        state.drop_trailing_model();
        state.note_first_end();
        state.runs = state.runs.saturating_add(1);
        state.run = Run { serial, start_call, begun_at, ..Run::default() };
        state.own_pending = 0;
        state.open = 0;
        state.parent_run = parent_run;
        self.refresh_path(agent);
    }

    /// The serial of the next run. What wraps is four thousand million runs old.
    pub(crate) fn next_run(&mut self) -> u32 {
        self.last_run = self.last_run.wrapping_add(1).max(1);
        self.last_run
    }

    /// The run of the parent under which a later run hangs: that of the call that started it, else the current one.
    pub(crate) fn run_above(&self, parent: AgentId, start_call: Option<Key>) -> u32 {
        let by_call = start_call.and_then(|call| self.ids.get(call)).filter(|record| {
            !record.names_agent && record.agent.and_then(|maker| self.agents.find(maker)) == Some(parent)
        });
        by_call.map_or(self.agents[parent].run.serial, |record| record.run)
    }
}
