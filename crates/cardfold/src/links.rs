//! Which agent a frame is about: by parent, by agent id, by task id, by `tool_use` id (R3–R6). Knows no state.

use std::collections::BTreeSet;

use cardfold_wire::Frame;
use serde::{Deserialize, Serialize};

use crate::agent::{Agent, AgentId, Standing};
use crate::calls::{IdRecord, StartTold, Tool};
use crate::card::CallStatus;
use crate::changes::Field;
use crate::table::{Key, is_blank, key};
use crate::tracker::CardTracker;

/// Who a message comes from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Author {
    /// A sub-agent, known or not yet linked.
    Agent(AgentId),
    /// The main thread.
    Main,
    /// Something inside the session that is no sub-agent of ours: a forked skill, a side chain without a name.
    Nobody,
}

/// A `tool_use` id that names an agent without being its dispatch (R3).
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct Alias {
    pub(crate) agent: AgentId,
    /// Who said that the call started a run, where that was before the call itself came.
    pub(crate) start: StartTold,
}

/// What says that an agent and a task belong together.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum LinkedBy {
    /// The answer to its dispatch.
    Answer,
    /// A task frame, a frame of the agent, a sidecar.
    Frame,
}

impl CardTracker {
    /// Who a message comes from; links what its ids say (R3).
    pub(crate) fn author(&mut self, frame: &Frame<'_>) -> Author {
        let agent_id = frame.agent_id.as_deref();
        let Some(parent) = frame.parent.as_deref() else {
            return match agent_id {
                Some(task) => self.agent_by_task(task).map_or(Author::Nobody, Author::Agent),
                None if frame.sidechain => Author::Nobody,
                None => Author::Main,
            };
        };
        let parent_key = key(parent);
        if let Some(alias) = self.alias_that_counts(parent_key) {
            return Author::Agent(alias);
        }
        let Some(record) = self.ids.get(parent_key).copied() else {
            return Author::Agent(self.author_by_unseen_parent(parent, parent_key, agent_id));
        };
        let named = record.agent.and_then(|agent| self.agents.find(agent));
        if record.names_agent {
            let agent = named.unwrap_or_else(|| self.add_named(parent, parent_key));
            if let Some(task) = agent_id {
                self.link_task(agent, task);
            }
            return Author::Agent(agent);
        }
        // A frame under a plain call: the agent that a message woke, else whoever made the call (a forked skill).
        if let Some(task) = agent_id
            && let Some(agent) = self.agent_of_task(key(task))
            && record.tool == Tool::SendMessage
        {
            return Author::Agent(agent);
        }
        if record.tool == Tool::SendMessage && named.is_none() {
            // The message may turn out to have woken an agent: until its result tells whom, the frames wait.
            let agent = self.add_unlinked();
            self.add_alias(parent_key, agent);
            return Author::Agent(agent);
        }
        named.map_or(Author::Nobody, Author::Agent)
    }

    /// The author after a part of its frame was taken: the agent may have turned out to be another one, or none of ours.
    pub(crate) fn author_still(&self, author: Author) -> Author {
        match author {
            Author::Agent(agent) => self.agents.find(agent).map_or(Author::Nobody, Author::Agent),
            Author::Main | Author::Nobody => author,
        }
    }

    /// The agent of a task id, one that waits for its link where nothing is known of it; none for what is no agent.
    pub(crate) fn agent_by_task(&mut self, task: &str) -> Option<AgentId> {
        let task_key = key(task);
        if self.outsiders.contains(task_key) {
            return None;
        }
        Some(self.agent_of_task(task_key).unwrap_or_else(|| {
            let agent = self.add_unlinked();
            self.link_task(agent, task);
            agent
        }))
    }

    /// A parent that no call has named: another name of a known agent, else an agent that waits for its dispatch.
    fn author_by_unseen_parent(&mut self, parent: &str, parent_key: Key, agent_id: Option<&str>) -> AgentId {
        if let Some(task) = agent_id
            && let Some(agent) = self.agent_of_task(key(task))
        {
            if self.agents[agent].dispatch_id.is_some() {
                self.add_alias(parent_key, agent);
            } else {
                self.name_agent(agent, parent, parent_key);
            }
            return agent;
        }
        let agent = self.add_named(parent, parent_key);
        if let Some(task) = agent_id {
            self.link_task(agent, task);
        }
        agent
    }

    /// The agent that a task id leads to.
    pub(crate) fn agent_of_task(&self, task: Key) -> Option<AgentId> {
        self.tasks.get(&task).and_then(|agent| self.agents.find(*agent))
    }

    /// The agent that a `tool_use` id names: its dispatch, an alias, a parent.
    pub(crate) fn agent_named(&self, id: Key) -> Option<AgentId> {
        if let Some(record) = self.ids.get(id)
            && record.names_agent
        {
            return record.agent.and_then(|agent| self.agents.find(agent));
        }
        self.alias(id)
    }

    /// What an alias leads to, unless that waits for its link while the id is a call that an agent is known to have
    /// made (R6).
    pub(crate) fn alias_that_counts(&self, id: Key) -> Option<AgentId> {
        let alias = self.alias(id)?;
        let waits = self.agents[alias].standing == Standing::Unlinked && self.agents[alias].parent.is_none();
        let made = self.ids.get(id).and_then(|record| record.agent).and_then(|maker| self.agents.find(maker));
        (!waits || made.is_none()).then_some(alias)
    }

    pub(crate) fn alias(&self, id: Key) -> Option<AgentId> {
        self.aliases.get(id).and_then(|alias| self.agents.find(alias.agent))
    }

    pub(crate) fn add_alias(&mut self, id: Key, agent: AgentId) {
        let start = self.aliases.get(id).map_or(StartTold::No, |alias| alias.start);
        if self.aliases.insert(id, Alias { agent, start }, self.limits.aliases).is_some() {
            self.counters.evictions += 1;
        }
    }

    /// An agent that nothing links yet (R4, R26).
    pub(crate) fn add_unlinked(&mut self) -> AgentId {
        let id = self.add_agent();
        self.queue_unlinked(id);
        id
    }

    /// An agent that is about to get its place.
    pub(crate) fn add_agent(&mut self) -> AgentId {
        let run = self.next_run();
        let id = self.agents.add(Agent::new(Standing::Unlinked, self.at, run));
        self.agents[id].touched = self.at;
        self.unlinked_agents += 1;
        id
    }

    /// An agent that got no place waits for one.
    pub(crate) fn queue_unlinked(&mut self, id: AgentId) {
        if self.agents.get(id).is_some_and(|agent| agent.standing == Standing::Unlinked) {
            self.unlinked_queue.push_back(id);
        }
    }

    /// An agent known by a `tool_use` id that was not seen as a call.
    pub(crate) fn add_named(&mut self, id: &str, id_key: Key) -> AgentId {
        let agent = self.add_unlinked();
        self.name_agent(agent, id, id_key);
        agent
    }

    /// Gives an agent a `tool_use` id of its own.
    pub(crate) fn name_agent(&mut self, agent: AgentId, id: &str, id_key: Key) {
        self.set_id(agent, Field::DispatchId, id);
        let seen = self.ids.get(id_key).copied();
        let record = IdRecord {
            agent: Some(agent),
            run: seen.map_or(0, |record| record.run),
            tool: seen.map_or(Tool::Unseen, |record| record.tool),
            status: seen.map_or(CallStatus::Pending, |record| record.status),
            names_agent: true,
            start: seen.map_or(StartTold::No, |record| record.start),
        };
        self.remember_id(id_key, record);
        self.note_name(agent, id_key);
        self.take_early(id_key);
    }

    pub(crate) fn remember_id(&mut self, id: Key, record: IdRecord) {
        if self.ids.insert(id, record, self.limits.call_ids) {
            self.counters.evictions += 1;
        }
    }

    /// A task id and an agent belong together, as a frame of the agent says (R3). Where both were known apart they are
    /// one now, unless each has a dispatch of its own: then the task id belongs to the newer one.
    pub(crate) fn link_task(&mut self, agent: AgentId, task: &str) {
        self.link(agent, task, LinkedBy::Frame);
    }

    /// The answer to a dispatch names a task, which may be that of an earlier dispatch that it resumed (R3).
    pub(crate) fn link_answered(&mut self, agent: AgentId, task: &str) {
        self.link(agent, task, LinkedBy::Answer);
    }

    fn link(&mut self, agent: AgentId, task: &str, by: LinkedBy) {
        if is_blank(task) {
            self.counters.blank_ids += 1;
            return;
        }
        let task_key = key(task);
        let Some(agent) = self.agents.find(agent) else { return };
        match self.agent_of_task(task_key) {
            Some(owner) if owner == agent => {}
            Some(owner) if self.is_same(owner, agent, by) => {
                // The one with a dispatch stays, else the one that has a place, else the one whose id came first.
                let placed = |id| self.agents[id].standing != Standing::Unlinked;
                let named = self.agents[owner].dispatch_id.is_some() && !self.goes_by_message(&self.agents[owner]);
                let comes_first = placed(owner) || (named && !placed(agent));
                if self.has_dispatch(owner, by) || (comes_first && !self.has_dispatch(agent, by)) {
                    self.merge(agent, owner);
                } else {
                    self.merge(owner, agent);
                }
                self.own_task(agent, task_key);
            }
            Some(owner) => {
                let newer = self.agents[agent].dispatched_at >= self.agents[owner].dispatched_at;
                if self.has_dispatch(agent, by) && newer {
                    self.own_task(agent, task_key);
                }
            }
            None => self.own_task(agent, task_key),
        }
        if let Some(agent) = self.agents.find(agent)
            && self.is_missing(agent, Field::TaskId)
        {
            self.set_id(agent, Field::TaskId, task);
        }
    }

    /// Two agents of one task are the same, unless each has a dispatch of its own (R3).
    fn is_same(&self, owner: AgentId, agent: AgentId, by: LinkedBy) -> bool {
        let apart = self.has_dispatch(owner, by) && self.has_dispatch(agent, by);
        !apart && !self.are_in_line(agent, owner)
    }

    /// A dispatch of the agent was seen, or something that only a dispatch leaves. A start that names an id of its own
    /// may also be that of a message; but no answer says that two dispatches are one.
    fn has_dispatch(&self, agent: AgentId, by: LinkedBy) -> bool {
        let agent = &self.agents[agent];
        let named_apart = match by {
            LinkedBy::Answer => agent.has_own_id,
            LinkedBy::Frame => false,
        };
        agent.dispatched || agent.answered_early || named_apart
    }

    /// One of two agents stands under the other, so that they cannot be one.
    fn are_in_line(&self, one: AgentId, other: AgentId) -> bool {
        self.path(one).contains(&other) || self.path(other).contains(&one)
    }

    pub(crate) fn own_task(&mut self, agent: AgentId, task: Key) {
        let Some(agent) = self.agents.find(agent) else { return };
        self.tasks.insert(task, agent);
        self.note_task(agent, task);
    }

    /// A task that is no agent: a shell, a forked skill, … What was taken for an agent goes (R5).
    pub(crate) fn add_outsider(&mut self, task: &str) {
        let task_key = key(task);
        if let Some(agent) = self.agent_of_task(task_key) {
            if self.agents[agent].dispatched {
                return;
            }
            self.release(agent);
            self.tasks.swap_remove(&task_key);
        }
        if self.outsiders.insert(task_key, (), self.limits.aliases).is_some() {
            self.counters.evictions += 1;
        }
    }

    /// The call was made inside a sub-agent.
    pub(crate) fn is_inside(&self, id: Key) -> bool {
        self.ids.get(id).is_some_and(IdRecord::is_inside)
    }

    /// Past the cap the oldest agent that waits goes (R26).
    pub(crate) fn bound_unlinked(&mut self) {
        while self.unlinked_agents > self.limits.unlinked_rows.max(1) as u64 {
            let Some(id) = self.unlinked_queue.pop_front() else { return };
            let waits = |tracker: &Self, id| tracker.agents.get(id).is_some_and(|a| a.standing == Standing::Unlinked);
            if !waits(self, id) {
                continue;
            }
            let calls = self.agents[id].own_calls;
            self.counters.orphans_dropped += 1 + u64::from(calls);
            self.drop_unlinked(id);
        }
        if self.unlinked_queue.len() > 64 + 4 * self.limits.unlinked_rows {
            let queue = std::mem::take(&mut self.unlinked_queue);
            // Agents that turned out to be one keep the turn of the first of them. All of their turns would fill the
            // queue for good, and it would be swept in every frame.
            let mut kept = BTreeSet::new();
            let waits = |id: &AgentId| {
                let Some(id) = self.agents.find(*id) else { return false };
                self.agents[id].standing == Standing::Unlinked && kept.insert(id)
            };
            self.unlinked_queue = queue.into_iter().filter(waits).collect();
        }
    }

    /// An agent that waited goes; those below it wait on by themselves.
    fn drop_unlinked(&mut self, id: AgentId) {
        for child in std::mem::take(&mut self.agents[id].children) {
            if let Some(child) = self.agents.get_mut(child) {
                child.parent = None;
            }
        }
        self.release(id);
    }
}
