//! Synaps: workers that a tool starts, by handles, and the events that tell of them.
//!
//! | it writes | a card reads |
//! |---|---|
//! | a call of `subagent_start`, `subagent` | a card by the call's id, queued; in the background, or not |
//! | the receipt, a result that is none, or an error | running, linked to its handle `sa_n`; failed |
//! | the result of `subagent` | completed, with its report; a guess where its text opens like a failure |
//! | `SubagentStart` | running; a card `sa_n` where no receipt links it (yet) |
//! | `SubagentUpdate` | running, with the update as its activity |
//! | `SubagentDone` | an ending as a guess, from its preview; time, duration, report |
//! | a completion | the ending, whatever was guessed before or will be |
//! | what `subagent_collect` gave | the ending, where it states one, and the report |
//! | a call of `subagent_resume` | a card of its own, with the runs of the resumed worker and one more |
//! | `subagent_status`, `subagent_steer`, `subagent_models` | nothing |
//!
//! # What it does not know
//!
//! - How the events are written down: only their fields are known from the system's own text. The spellings that are
//!   taken are `{"event":"subagent_start",…}` and `{"SubagentStart":{…}}`; completions are known from hearsay.
//! - Which event belongs to which call before the receipt names the handle (W3-5). A start before it is a card of its
//!   own until then. A `subagent` gets no receipt: its start is told by label and task.
//! - How a worker ended, from `SubagentDone` alone: cancelled workers read as completed, and so does one whose report
//!   opens like no failure (W3-1). A completion comes for all but cancelled ones.
//! - Which process wrote an event. Handles start anew with each (W3-4): a receipt that names a handle of another call,
//!   or a start of a worker that is over, is taken for another process's, and its cards are told apart as `sa_n@2`.
//! - Who started a worker inside a worker, but where the line of the call names its parent.

mod calls;
mod workers;

mod events;
mod handles;
mod text;

use std::collections::VecDeque;

use cardfold_wire::{Frame, Text};

use crate::dialect::{Dialect, Output};
use crate::fact::{self, Return};
use crate::ledger::Ledger;
use crate::message::{Block, Message};
use crate::object::Object;
use crate::recent::Recent;

use self::events::Event;
use self::handles::Handles;

/// Calls that are remembered.
const CALLS: usize = 16_384;

/// Workers that calls wait for, and of which no start was seen.
const ONE_SHOTS: usize = 1_024;

/// The tools of the system that speak of workers.
const TOOLS: [&str; 7] = [
    "subagent",
    "subagent_collect",
    "subagent_models",
    "subagent_resume",
    "subagent_start",
    "subagent_status",
    "subagent_steer",
];

/// Keys of the client that cardfold is made for: a message with one of them is not this system's.
const FOREIGN_KEYS: [&str; 6] = ["isSidechain", "leafUuid", "parentUuid", "sessionId", "session_id", "toolUseResult"];

/// The dialect of Synaps.
#[derive(Debug)]
pub struct Synaps {
    ledger: Ledger,
    handles: Handles,
    calls: Recent<Call>,
    /// Calls that wait for their workers, and of which no start was seen.
    one_shots: VecDeque<OneShot>,
    /// The object at hand, by number: what came before what.
    at: u64,
}

/// A call of one of the system's tools.
#[derive(Debug)]
struct Call {
    /// The object that it came in.
    at: u64,
    asks: Asks,
}

#[derive(Debug)]
enum Asks {
    /// What a worker came to.
    Collect { number: Option<u64> },
    /// A worker that the call waits for.
    OneShot,
    /// A worker beside the conversation.
    Start { label: String, role: Option<String>, runs: u32 },
}

/// A call that waits for its worker.
#[derive(Debug)]
struct OneShot {
    call: String,
    label: String,
    /// What its start will show of the task.
    task: String,
}

impl Default for Synaps {
    fn default() -> Self {
        Self {
            ledger: Ledger::default(),
            handles: Handles::default(),
            calls: Recent::new(CALLS),
            one_shots: VecDeque::new(),
            at: 0,
        }
    }
}

impl Dialect for Synaps {
    fn name(&self) -> &'static str {
        "synaps"
    }

    fn recognises(&self, object: Object<'_>) -> bool {
        if Event::of(object).is_some() {
            return true;
        }
        let is_foreign = FOREIGN_KEYS.iter().any(|key| object.get(key).is_some());
        let Some(message) = Message::of(object).filter(|_| !is_foreign) else { return false };
        message.blocks.iter().any(|block| match block {
            Block::ToolUse { name, .. } => TOOLS.contains(name),
            Block::Result { .. } | Block::Text(_) => false,
        })
    }

    fn translate(&mut self, object: Object<'_>, out: &mut Output) {
        self.at += 1;
        if let Some(event) = Event::of(object) {
            match event.number {
                Some(number) => self.event(number, event, out),
                None => out.malformed("an event without a readable `subagent_id`"),
            }
        } else if let Some(message) = Message::of(object) {
            self.message(&message, object, out);
        } else {
            let kind = object.first_text(&["event", "content_type", "type"]);
            out.unknown(kind.or(object.only().map(|(key, _)| key)).unwrap_or("no type"));
        }
    }
}

impl Synaps {
    fn message(&mut self, message: &Message<'_>, line: Object<'_>, out: &mut Output) {
        let at_ms = line.moment("timestamp").or(line.millis("at_ms"));
        let parent = line.text("parent_tool_use_id").filter(|parent| self.is_dispatch(parent));
        for block in &message.blocks {
            match block {
                Block::Result { id, text, is_error } => {
                    let failed = *is_error == Some(true);
                    if self.calls.contains(id) {
                        self.result(at_ms, id, text, failed, out);
                    } else if let Some(parent) = parent {
                        out.frame(under(parent, fact::returned(at_ms, "", id, Return::failed_if(failed))));
                    }
                }
                Block::Text(_) => {}
                Block::ToolUse { id, name, input } => {
                    let asked = input.and_then(Object::of);
                    if TOOLS.contains(name) {
                        if !self.calls.contains(id) {
                            self.call(at_ms, id, name, asked, parent, out);
                        }
                    } else if let Some(parent) = parent {
                        out.frame(under(parent, fact::call(at_ms, "", id, name, fact::tool_input(*input))));
                    }
                }
            }
        }
    }

    fn is_dispatch(&self, id: &str) -> bool {
        self.calls.get(id).is_some_and(|call| match call.asks {
            Asks::Collect { .. } => false,
            Asks::OneShot | Asks::Start { .. } => true,
        })
    }
}

fn owned_text(text: &str) -> Text<'static> {
    fact::text(text)
}

/// A frame of the agent that a call started.
fn under(parent: &str, frame: Frame<'static>) -> Frame<'static> {
    Frame { parent: Some(parent.to_owned().into()), agent_id: None, ..frame }
}
