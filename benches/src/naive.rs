//! The usual way to have cards: keep every call, build all cards anew after each frame, and compare the lists. It knows
//! the frames of a made-up session and no more: neither nested agents, nor runs, nor what comes out of order.

use std::collections::HashMap;

use cardfold::{CallStatus, Card, Outcome, State};
use cardfold_wire::{Block, Body, Frame, ToolResult, ToolUse};

/// Everything that was said, and the cards of the frame before.
#[derive(Clone, Debug, Default)]
pub struct Naive {
    dispatches: Vec<Dispatch>,
    calls: Vec<Call>,
    /// Calls by id.
    place_of_call: HashMap<String, usize>,
    /// What the task frames said last, by task id.
    status_of_task: HashMap<String, String>,
    cards: Vec<NaiveCard>,
}

#[derive(Clone, Debug)]
struct Dispatch {
    id: String,
    name: String,
    task_id: Option<String>,
    answered: bool,
}

#[derive(Clone, Debug)]
struct Call {
    id: String,
    parent: String,
    title: String,
    status: CallStatus,
}

/// A card, as far as both ways are held against each other.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NaiveCard {
    /// As a card's.
    pub dispatch_id: String,
    /// As a card's.
    pub name: String,
    /// As a card's.
    pub state: State,
    /// As a card's.
    pub outcome: Option<Outcome>,
    /// As a card's.
    pub calls: u64,
    /// As a card's.
    pub open_calls: u64,
    /// Id, title and status of the last four calls, oldest first.
    pub tail: Vec<(String, String, CallStatus)>,
}

impl From<Card> for NaiveCard {
    fn from(card: Card) -> Self {
        Self {
            dispatch_id: card.dispatch_id,
            name: card.name,
            state: card.state,
            outcome: card.outcome,
            calls: card.calls,
            open_calls: card.open_calls,
            tail: card.tail.into_iter().map(|call| (call.id, call.title, call.status)).collect(),
        }
    }
}

impl Naive {
    /// Takes a frame, and gives the places of the cards that changed.
    pub fn apply(&mut self, frame: &Frame<'_>) -> Vec<usize> {
        self.keep(frame);
        let cards = self.all_cards();
        let changed = (0..cards.len()).filter(|place| self.cards.get(*place) != cards.get(*place)).collect();
        self.cards = cards;
        changed
    }

    /// Takes a frame, without looking at the cards: for what comes before the frames that are measured.
    pub fn keep(&mut self, frame: &Frame<'_>) {
        match &frame.body {
            Body::Assistant(said) => {
                for block in said.blocks.iter() {
                    if let Block::ToolUse(call) = block {
                        self.keep_call(frame.parent.as_deref(), call);
                    }
                }
            }
            Body::TaskNotification(said) => self.keep_status(&said.task_id, said.status.as_deref()),
            Body::TaskStarted(said) => {
                self.keep_status(&said.task_id, Some("running"));
                let dispatch = self.dispatches.iter_mut().find(|it| Some(&*it.id) == said.tool_use_id.as_deref());
                if let Some(dispatch) = dispatch {
                    dispatch.task_id = Some(said.task_id.to_string());
                }
            }
            Body::TaskUpdated(said) => self.keep_status(&said.task_id, said.status.as_deref()),
            Body::User(said) => said.results.iter().for_each(|result| self.keep_result(result)),
            Body::BackgroundTasks(_)
            | Body::Init
            | Body::Notices(_)
            | Body::PermissionDenied(_)
            | Body::PermissionRequest(_)
            | Body::PermissionSettled { .. }
            | Body::Quiet
            | Body::Remark(_)
            | Body::Result(_)
            | Body::Sidecar(_)
            | Body::TaskProgress(_)
            | Body::ToolProgress(_)
            | Body::Unknown { .. } => {}
        }
    }

    /// All cards, from everything that was said.
    #[must_use]
    pub fn all_cards(&self) -> Vec<NaiveCard> {
        let mut calls_of: HashMap<&str, Vec<&Call>> = HashMap::new();
        for call in &self.calls {
            calls_of.entry(&*call.parent).or_default().push(call);
        }
        let nothing = Vec::new();
        self.dispatches
            .iter()
            .map(|dispatch| self.card(dispatch, calls_of.get(&*dispatch.id).unwrap_or(&nothing)))
            .collect()
    }

    fn card(&self, dispatch: &Dispatch, calls: &[&Call]) -> NaiveCard {
        let status = dispatch.task_id.as_ref().and_then(|task| self.status_of_task.get(task)).map(String::as_str);
        let outcome = match status {
            Some("completed") => Some(Outcome::Completed),
            Some("failed") => Some(Outcome::Failed),
            Some("killed" | "stopped") => Some(Outcome::Stopped),
            _ if dispatch.answered => Some(Outcome::Completed),
            _ => None,
        };
        let open_calls = calls.iter().filter(|call| call.status == CallStatus::Pending).count() as u64;
        let tail = &calls[calls.len().saturating_sub(4)..];
        NaiveCard {
            dispatch_id: dispatch.id.clone(),
            name: dispatch.name.clone(),
            state: if outcome.is_some() { State::Settled } else { State::Running },
            outcome,
            calls: calls.len() as u64,
            open_calls: if outcome.is_some() { 0 } else { open_calls },
            tail: tail.iter().map(|call| (call.id.clone(), call.title.clone(), call.status)).collect(),
        }
    }

    fn keep_call(&mut self, parent: Option<&str>, call: &ToolUse<'_>) {
        let Some(parent) = parent else {
            if &*call.name == "Agent" {
                let name = call.input.description.as_deref().unwrap_or(&call.name).to_owned();
                self.dispatches.push(Dispatch { id: call.id.to_string(), name, task_id: None, answered: false });
            }
            return;
        };
        let path = call.input.file_path.as_deref().unwrap_or_default();
        self.place_of_call.insert(call.id.to_string(), self.calls.len());
        self.calls.push(Call {
            id: call.id.to_string(),
            parent: parent.to_owned(),
            title: format!("{} {path}", call.name),
            status: CallStatus::Pending,
        });
    }

    fn keep_result(&mut self, result: &ToolResult<'_>) {
        if let Some(place) = self.place_of_call.get(&*result.tool_use_id) {
            self.calls[*place].status = if result.is_error { CallStatus::Failed } else { CallStatus::Completed };
        } else if let Some(dispatch) = self.dispatches.iter_mut().find(|it| it.id == result.tool_use_id) {
            dispatch.answered = true;
        }
    }

    fn keep_status(&mut self, task: &str, status: Option<&str>) {
        if let Some(status) = status {
            self.status_of_task.insert(task.to_owned(), status.to_owned());
        }
    }
}
