//! What the sidecar of an agent says: ids that belong together, and what the agent is (R3, P3). Knows no file.

use cardfold_wire::{Sidecar, SidecarRole};

use crate::agent::{AgentId, Standing};
use crate::changes::Field;
use crate::run::Answer;
use crate::table::{is_blank, key};
use crate::texts::{Sourced, name_rank, source_rank};
use crate::tracker::CardTracker;
use crate::update::Rule;

impl CardTracker {
    /// The sidecar of an agent.
    pub(crate) fn sidecar(&mut self, said: &Sidecar<'_>) {
        self.rule = Rule::R3;
        let Some(task) = said.agent_id.as_deref().filter(|id| !is_blank(id)) else {
            self.counters.blank_ids += 1;
            return;
        };
        let Some(agent) = self.sidecar_agent(said, task) else { return };
        self.set_agent_type(agent, source_rank::SIDECAR, said.agent_type.as_deref());
        self.set_sourced(agent, Sourced::Name, name_rank::SIDECAR, said.name.as_deref());
        self.set_sourced(agent, Sourced::Name, name_rank::SIDECAR, said.description.as_deref());
        self.set_sourced(agent, Sourced::Model, source_rank::SIDECAR, said.model.as_deref());
        match said.role {
            SidecarRole::Link | SidecarRole::StandIn => self.hang_by_sidecar(agent, said),
            SidecarRole::Unclaimed => self.place_unclaimed(agent, said, task),
        }
        if let Some(agent) = self.agents.find(agent) {
            self.refresh(agent);
        }
    }

    /// The agent that a sidecar is about; none for what is no agent.
    fn sidecar_agent(&mut self, said: &Sidecar<'_>, task: &str) -> Option<AgentId> {
        let task_key = key(task);
        if self.outsiders.contains(task_key) {
            return None;
        }
        let known = self.agent_of_task(task_key);
        let tool = said.tool_use_id.as_deref().filter(|id| !is_blank(id));
        let agent = match tool {
            Some(tool) => match self.agent_named(key(tool)) {
                Some(agent) => agent,
                None if self.ids.get(key(tool)).is_some() => {
                    // The id is that of a call which starts none of our agents: a forked skill.
                    self.add_outsider(task);
                    return None;
                }
                None => match known {
                    Some(agent) if self.agents[agent].dispatch_id.is_some() => agent,
                    Some(agent) => {
                        self.name_agent(agent, tool, key(tool));
                        agent
                    }
                    None => self.add_named(tool, key(tool)),
                },
            },
            None => known.unwrap_or_else(|| self.add_unlinked()),
        };
        match said.role {
            SidecarRole::StandIn => self.link_stand_in(agent, task),
            SidecarRole::Link | SidecarRole::Unclaimed => self.link_task(agent, task),
        }
        self.agents.find(agent)
    }

    /// Links a made-up agent id, which is not shown.
    fn link_stand_in(&mut self, agent: AgentId, task: &str) {
        if let Some(owner) = self.agent_of_task(key(task))
            && self.agents[owner].task_id.as_deref() == Some(task)
        {
            self.set_text(owner, Field::TaskId, None);
        }
        let shown = self.agents[agent].task_id.clone();
        self.link_task(agent, task);
        if shown.is_none() {
            self.set_text(agent, Field::TaskId, None);
        }
    }

    /// Puts an agent under the one whose sidecar says so.
    fn hang_by_sidecar(&mut self, agent: AgentId, said: &Sidecar<'_>) {
        let Some(parent) = said.parent_agent_id.as_deref().filter(|id| !is_blank(id)) else { return };
        let parent = self.agent_of_task(key(parent)).unwrap_or_else(|| {
            let waiting = self.add_unlinked();
            self.link_task(waiting, parent);
            waiting
        });
        self.attach_if_free(agent, parent);
    }

    /// An agent that nothing else names: a row of the agent that made it, else a card of its own (P3).
    fn place_unclaimed(&mut self, agent: AgentId, said: &Sidecar<'_>, task: &str) {
        let unplaced = |tracker: &Self| {
            tracker.agents.get(agent).is_some_and(|a| a.standing == Standing::Unlinked && a.parent.is_none())
        };
        let state = &self.agents[agent];
        if state.dispatched || state.standing == Standing::Card {
            return;
        }
        if state.run.answer == Answer::None {
            self.edit(agent).run.answer = Answer::Unrecognised;
        }
        if !unplaced(self) {
            return;
        }
        if self.is_missing(agent, Field::DispatchId) {
            self.name_agent(agent, task, key(task));
        }
        let parent = said.parent_agent_id.as_deref().and_then(|parent| self.agent_of_task(key(parent)));
        match parent.filter(|parent| self.agents[*parent].standing != Standing::Unlinked) {
            Some(parent) => self.attach_if_free(agent, parent),
            None => self.open_card(agent),
        }
    }
}
