//! Calls of the model, and the agents that they dispatch (R1, R2, R7). Knows no result.

use cardfold_wire::{Frame, ToolUse};

use crate::agent::{AgentId, Standing};
use crate::calls::{CallSeen, IdRecord, NOBODYS_RUN, StartTold, Tool};
use crate::card::CallStatus;
use crate::changes::Field;
use crate::links::Author;
use crate::table::{Key, is_blank, key};
use crate::texts::{Sourced, name_rank, source_rank};
use crate::title::title;
use crate::tracker::CardTracker;
use crate::update::Rule;

impl CardTracker {
    /// A call. Gives its key if it is new.
    pub(crate) fn call(&mut self, frame: &Frame<'_>, author: Author, call: &ToolUse<'_>) -> Option<Key> {
        let id = call.id.as_ref();
        if is_blank(id) {
            self.counters.blank_ids += 1;
            return None;
        }
        if frame.parent.as_deref() == Some(id) {
            return None;
        }
        let id_key = key(id);
        let tool = Tool::of(&call.name, call.client_side);
        let known = self.ids.get(id_key).copied().or_else(|| self.named_by_alias(tool, id, id_key));
        if known.is_some_and(|record| record.is_seen()) {
            self.counters.duplicates += 1;
            return None;
        }
        if let Some(record) = known {
            return self.call_seen_late(frame, author, call, record).then_some(id_key);
        }
        if let Author::Agent(maker) = author {
            self.reopen_for_call(maker);
        }
        let start = self.aliases.get(id_key).map_or(StartTold::No, |alias| alias.start);
        self.remember_id(id_key, IdRecord { start, ..self.new_record(author, tool) });
        match author {
            Author::Agent(maker) => {
                self.rule = Rule::R7;
                self.count_call(maker, CallSeen { key: id_key, id, name: &call.name, title: &title(call) });
                if tool == Tool::Dispatch {
                    let agent = self.add_dispatched(frame, call, id_key);
                    self.hang(agent, maker, id_key);
                    self.queue_unlinked(agent);
                } else if tool == Tool::SendMessage {
                    self.hang_woken(id_key, maker);
                }
            }
            Author::Main if tool == Tool::Dispatch => {
                self.rule = Rule::R1;
                let agent = self.add_dispatched(frame, call, id_key);
                self.open_card(agent);
            }
            Author::Main | Author::Nobody => {}
        }
        self.take_held(id_key, call);
        Some(id_key)
    }

    pub(crate) fn new_record(&self, author: Author, tool: Tool) -> IdRecord {
        let (agent, run) = match author {
            Author::Agent(agent) => (Some(agent), self.agents[agent].run.serial),
            Author::Main => (None, 0),
            Author::Nobody => (None, NOBODYS_RUN),
        };
        IdRecord { agent, run, tool, status: CallStatus::Pending, names_agent: false, start: StartTold::No }
    }

    /// The agent of a dispatch that is new, without a place yet.
    pub(crate) fn add_dispatched(&mut self, frame: &Frame<'_>, call: &ToolUse<'_>, id_key: Key) -> AgentId {
        let agent = self.add_agent();
        self.name_agent(agent, &call.id, id_key);
        self.dispatch_facts(agent, frame, call);
        agent
    }

    /// What a dispatch says of its agent.
    pub(crate) fn dispatch_facts(&mut self, agent: AgentId, frame: &Frame<'_>, call: &ToolUse<'_>) {
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
    pub(crate) fn hang(&mut self, agent: AgentId, maker: AgentId, call: Key) {
        let Some(agent) = self.agents.find(agent) else { return };
        let state = &mut self.agents[agent];
        state.call = Some((call, maker));
        // The maker counted the call as pending; from here the agent tells how it reads.
        state.call_status = CallStatus::Pending;
        let parent = state.parent.and_then(|parent| self.agents.find(parent));
        if parent.is_some_and(|parent| parent != maker && self.agents[parent].standing == Standing::Unlinked) {
            // A task frame named the parent by its task, the call names it for certain.
            self.leave(agent);
            self.agents[agent].parent = None;
        }
        self.attach(agent, maker);
        if let Some(agent) = self.agents.find(agent) {
            self.refresh(agent);
        }
    }

    /// An agent whose start named a message before that was seen stands under the one that wrote it, where nothing else
    /// says whose it is (R6).
    fn hang_woken(&mut self, message: Key, maker: AgentId) {
        if let Some(agent) = self.alias(message)
            && self.agents[agent].run.started
            && self.agents[agent].standing == Standing::Unlinked
        {
            self.attach_woken(agent, maker);
        }
    }

    /// Puts an agent of which nothing else says whose it is under the writer of the message that woke it.
    pub(crate) fn attach_woken(&mut self, agent: AgentId, writer: AgentId) {
        self.attach_if_free(agent, writer);
        if let Some(agent) = self.agents.get_mut(agent) {
            agent.hung_by_message = agent.parent == Some(writer);
        }
    }

    /// A call whose id was known before it was seen: as a parent, or from a task frame (R4, R5).
    pub(crate) fn call_seen_late(
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
        fresh.start = record.start;
        if tool == Tool::Dispatch {
            fresh.status = record.status;
        }
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
            match author {
                Author::Agent(maker) => {
                    self.merge(agent, maker);
                    // Made anew: the run of the maker may go by another serial now.
                    let author = self.author_still(author);
                    let merged = self.new_record(author, tool);
                    self.remember_id(id_key, IdRecord { start: fresh.start, ..merged });
                    if let Some(maker) = self.agents.find(maker) {
                        self.count_call(maker, CallSeen { key: id_key, id, name: &call.name, title: &title(call) });
                    }
                }
                Author::Main | Author::Nobody => {
                    self.release(agent);
                    self.remember_id(id_key, fresh);
                }
            }
            self.take_held(id_key, call);
            return true;
        }
        fresh.agent = Some(agent);
        fresh.names_agent = true;
        self.remember_id(id_key, fresh);
        if tool == Tool::Dispatch {
            self.take_id_of_dispatch(agent, id);
            self.dispatch_facts(agent, frame, call);
            self.take_back_tasks(agent);
        } else {
            self.take_back_early(agent, id_key);
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

    /// Tasks that named an agent before its dispatch was seen, and another dispatch since: they belong to the newest of
    /// those that were seen, which is this one (R3).
    fn take_back_tasks(&mut self, agent: AgentId) {
        for task in self.agents[agent].tasks.clone() {
            self.own_task(agent, task);
        }
    }

    /// A dispatch whose id was another name of an agent that has no dispatch yet is that agent's (R3, R4).
    fn named_by_alias(&mut self, tool: Tool, id: &str, id_key: Key) -> Option<IdRecord> {
        let agent = self.alias(id_key).filter(|agent| tool == Tool::Dispatch && !self.agents[*agent].dispatched)?;
        self.take_id_of_dispatch(agent, id);
        self.name_agent(agent, id, id_key);
        self.ids.get(id_key).copied()
    }

    /// An agent that went by another id takes that of its dispatch. A card under the other id goes; the dispatch opens
    /// one in its own place (R5).
    fn take_id_of_dispatch(&mut self, agent: AgentId, id: &str) {
        let state = &self.agents[agent];
        if state.dispatched || state.dispatch_id.as_deref() == Some(id) {
            return;
        }
        if state.card.is_some() {
            self.close_card(agent);
        }
        self.set_id(agent, Field::DispatchId, id);
    }

    /// A later frame takes back what earlier ones opened (R2).
    pub(crate) fn supersede(&mut self, uuid: &str) {
        self.rule = Rule::R2;
        for call in self.opened_by.remove(key(uuid)).into_iter().flatten() {
            self.take_back(call);
        }
    }
}
