//! Permission requests: who asks, and who waits for the answer (R19). Knows no message.

use cardfold_wire::PermissionRequest;
use serde::{Deserialize, Serialize};

use crate::agent::{AgentId, Bounded, Standing};
use crate::card::CallStatus;
use crate::changes::Field;
use crate::limits::LEVELS;
use crate::table::{Key, is_blank, key};
use crate::tracker::CardTracker;
use crate::update::Rule;

/// A request that nobody has answered.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Request {
    /// Number of the frame that brought it: the oldest is shown.
    pub(crate) arrival: u64,
    /// Who asks; none while the call that it is about was not seen.
    pub(crate) asker: Option<AgentId>,
    /// The call that waits.
    pub(crate) call: Option<Key>,
    /// What is shown.
    pub(crate) question: Box<str>,
}

impl CardTracker {
    /// `can_use_tool`.
    pub(crate) fn asked(&mut self, said: &PermissionRequest<'_>) {
        self.rule = Rule::R19;
        if is_blank(&said.request_id) {
            self.counters.blank_ids += 1;
            return;
        }
        let request_key = key(&said.request_id);
        if self.requests.contains(request_key) {
            self.counters.duplicates += 1;
            return;
        }
        let call = said.tool_use_id.as_deref().filter(|id| !is_blank(id)).map(key);
        if call.is_some_and(|call| self.has_returned(call)) {
            // The result of the call is the answer; it came first.
            return;
        }
        let by_id = said.agent_id.as_deref().filter(|id| !is_blank(id));
        let asker = match (by_id, call) {
            (Some(task), _) => match self.agent_by_task(task) {
                Some(agent) => Some(agent),
                None => return,
            },
            (None, Some(call)) => match self.maker_of(call) {
                Asker::Agent(agent) => Some(agent),
                Asker::Main => return,
                Asker::Unknown => None,
            },
            (None, None) => return,
        };
        let question = [&said.title, &said.display_name, &said.tool_name]
            .into_iter()
            .flatten()
            .map(|text| Self::question(text))
            .find(|text| !text.is_empty())
            .unwrap_or_default();
        let request = Request { arrival: self.at, asker, call, question };
        if let Some((old, gone)) = self.requests.insert(request_key, request, self.limits.open_requests) {
            self.counters.evictions += 1;
            self.drop_request(old, &gone);
        }
        if let Some(call) = call {
            self.asked_calls.insert(call, request_key, self.limits.open_requests);
        }
        if let Some(asker) = asker {
            self.open_request(asker, request_key);
        }
    }

    fn has_returned(&self, call: Key) -> bool {
        self.held.contains(call) || self.ids.get(call).is_some_and(|record| record.status != CallStatus::Pending)
    }

    /// Who made a call, for a request that names no agent.
    fn maker_of(&self, call: Key) -> Asker {
        let Some(record) = self.ids.get(call) else { return Asker::Unknown };
        if !record.is_seen() {
            return Asker::Unknown;
        }
        let agent = record.agent.and_then(|agent| self.agents.find(agent));
        let maker = if record.names_agent { agent.and_then(|agent| self.agents[agent].parent) } else { agent };
        maker.and_then(|maker| self.agents.find(maker)).map_or(Asker::Main, Asker::Agent)
    }

    /// The call was seen that a request is about: now it is known who asks.
    pub(crate) fn take_asked(&mut self, call: Key) {
        let Some(request_key) = self.asked_calls.get(call).copied() else { return };
        if self.requests.get(request_key).is_none_or(|request| request.asker.is_some()) {
            return;
        }
        match self.maker_of(call) {
            Asker::Agent(agent) => self.open_request(agent, request_key),
            Asker::Main | Asker::Unknown => self.close_request(request_key),
        }
    }

    fn open_request(&mut self, asker: AgentId, request_key: Key) {
        if self.agents[asker].reading.is_settled() {
            // The run is over: the request lapses as it comes.
            self.requests.remove(request_key);
            return;
        }
        let Some(request) = self.requests.get_mut(request_key) else { return };
        request.asker = Some(asker);
        let arrival = request.arrival;
        self.edit(asker).requests.push(request_key);
        self.count_asking(asker, 1);
        if self.passes_to_card(asker) {
            let top = self.tail_holder(asker);
            if let Some(card) = &mut self.agents[top].card {
                card.requests.insert(arrival, request_key);
            }
        }
        self.refresh_path(asker);
        self.show_request(self.tail_holder(asker));
    }

    /// A request was answered, by a response, a cancellation or the result of its call.
    pub(crate) fn answered(&mut self, request_id: &str) {
        self.rule = Rule::R19;
        self.close_request(key(request_id));
    }

    /// The call came back that a request was about.
    pub(crate) fn answered_by_result(&mut self, call: Key) {
        if let Some(request_key) = self.asked_calls.remove(call) {
            self.close_request(request_key);
        }
    }

    fn close_request(&mut self, request_key: Key) {
        if let Some(request) = self.requests.remove(request_key) {
            self.drop_request(request_key, &request);
        }
    }

    fn drop_request(&mut self, request_key: Key, request: &Request) {
        if let Some(call) = request.call {
            self.asked_calls.remove(call);
        }
        let Some(asker) = request.asker.and_then(|asker| self.agents.find(asker)) else { return };
        if !self.agents[asker].requests.contains(&request_key) {
            return;
        }
        self.edit(asker).requests.retain(|key| *key != request_key);
        self.count_asking(asker, -1);
        self.hide_request(asker, request.arrival);
        self.refresh_path(asker);
        self.show_request(self.tail_holder(asker));
    }

    /// The run is over: its requests lapse (R19). True if there were any.
    pub(crate) fn lapse_requests(&mut self, agent: AgentId) -> bool {
        let requests = std::mem::take(&mut self.agents[agent].requests);
        if requests.is_empty() {
            return false;
        }
        let count = i64::try_from(requests.len()).unwrap_or(i64::MAX);
        self.count_asking(agent, -count);
        for request_key in requests {
            if let Some(request) = self.requests.remove(request_key) {
                if let Some(call) = request.call {
                    self.asked_calls.remove(call);
                }
                self.hide_request(agent, request.arrival);
            }
        }
        self.show_request(self.tail_holder(agent));
        true
    }

    /// Counts requests for the asker and for everything above it that its state passes up to.
    pub(crate) fn count_asking(&mut self, asker: AgentId, by: i64) {
        for id in self.path(asker) {
            let agent = self.edit(id);
            agent.asking = agent.asking.saturating_add_signed(i32::try_from(by).unwrap_or(i32::MIN));
        }
    }

    /// A card shows a request no longer.
    pub(crate) fn hide_request_of(&mut self, card: AgentId, request: Key) {
        let Some(arrival) = self.requests.get(request).map(|request| request.arrival) else { return };
        if let Some(part) = &mut self.agents[card].card {
            part.requests.remove(&arrival);
        }
    }

    fn hide_request(&mut self, asker: AgentId, arrival: u64) {
        let top = self.tail_holder(asker);
        if let Some(card) = &mut self.agents[top].card {
            card.requests.remove(&arrival);
        }
    }

    fn passes_to_card(&self, id: AgentId) -> bool {
        match self.agents[id].standing {
            Standing::Card => true,
            Standing::Row { depth, .. } => depth <= LEVELS,
            Standing::Unlinked => false,
        }
    }

    /// Shows the oldest open request of a card.
    pub(crate) fn show_request(&mut self, card: AgentId) {
        let Some(agent) = self.agents.get(card) else { return };
        let Some(part) = &agent.card else { return };
        let oldest = part.requests.values().next().and_then(|key| self.requests.get(*key));
        let shown = !agent.reading.is_settled();
        let question = oldest.filter(|request| shown && !request.question.is_empty()).map(|r| r.question.clone());
        self.set_text(card, Field::NeedsInput, question.map(|text| Bounded { text, truncated: false }));
    }
}

/// Who made a call that a request is about.
enum Asker {
    Agent(AgentId),
    Main,
    Unknown,
}
