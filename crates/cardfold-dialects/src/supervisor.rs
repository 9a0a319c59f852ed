//! A supervisor written in Go: its protocol between supervisor and agents, and the durable result of a turn.
//!
//! | it writes | a card reads |
//! |---|---|
//! | `agent.ready` | a card, queued |
//! | `turn.started`, `turn.progress` | running; another run where the last one is over |
//! | `tool.started`, `tool.finished` | calls |
//! | `turn.result`, a result alone (`result.json`), an event that carries one | the ending, by status, error code and shutdown origin |
//! | `turn.failed` | failed, or timed out |
//! | `agent.exited` | nothing where the turn has a result; else by who shut it down, by its exit code, or `ended` as a guess |
//! | `message.delta` | the report of a turn whose result has no text |
//! | `agent.idle`, `agent.heartbeat` and what goes to the agent | nothing |
//!
//! `artifacts`, `changed_files`, `structured`, `usage`, `summary`, `shutdown_origin`, `turn_id` and the exit are
//! annotations.
//!
//! # What it does not know
//!
//! - Only the result of a turn is known from the supervisor's own text. The envelope around it, its types and the words
//!   of `shutdown_origin` are known from hearsay; what does not fit is unknown or a fault, and changes no card.
//! - Who started an agent, what it is called and what its role is: a card goes by the agent's id.
//! - Turns of which nothing is left: `result.json` holds the last one, so that `runs` counts from what was seen.
//! - An output that itself ends in the marker's words reads as a cut one.
//! - Times are those of the envelopes; a result's own time is when it ended. Lines count in the order they stand in.

mod endings;

mod calls;
mod kind;
mod outcome;
mod preview;
mod result;

use std::path::Path;

use cardfold_wire::ToolInput;

use crate::annotations::Annotations;
use crate::dialect::{Dialect, Output, Place};
use crate::fact::{self, Return, Start, Status};
use crate::ledger::Ledger;
use crate::object::Object;
use crate::recent::Recent;

use self::calls::{Calls, TakenIds};
use self::kind::Kind;
use self::outcome::Origin;
use self::preview::LastText;
use self::result::TurnResult;

/// The only version of the protocol there is.
const VERSION: u64 = 1;

/// The supervisor reads no larger result. Its file has a newline more (W1-1).
const RESULT_BYTES: usize = 8 * 1_024 * 1_024;

/// Message ids and agents that are remembered.
const MESSAGES: usize = 65_536;
const AGENTS: usize = 16_384;

/// Turns of an agent that are remembered by their ids.
const TURNS: usize = 64;

/// The dialect of the Go supervisor.
#[derive(Debug)]
pub struct Supervisor {
    ledger: Ledger,
    agents: Recent<Agent>,
    messages: Recent<()>,
    taken: TakenIds,
}

/// What is known of an agent's current turn.
#[derive(Debug)]
struct Agent {
    turn: Option<String>,
    /// The turn has its result.
    resolved: bool,
    /// It succeeded.
    succeeded: bool,
    /// Turns that have one.
    past: Recent<()>,
    calls: Calls,
    text: LastText,
    /// Somebody asked it to shut down.
    shutdown: Option<Origin>,
}

impl Default for Agent {
    fn default() -> Self {
        Self {
            turn: None,
            resolved: false,
            succeeded: false,
            past: Recent::new(TURNS),
            calls: Calls::default(),
            text: LastText::default(),
            shutdown: None,
        }
    }
}

impl Default for Supervisor {
    fn default() -> Self {
        Self {
            ledger: Ledger::default(),
            agents: Recent::new(AGENTS),
            messages: Recent::new(MESSAGES),
            taken: TakenIds::default(),
        }
    }
}

/// The parts of an envelope that its type does not change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Envelope<'v> {
    agent: &'v str,
    turn: Option<&'v str>,
    at_ms: Option<i64>,
    payload: Object<'v>,
}

impl Dialect for Supervisor {
    fn name(&self) -> &'static str {
        "supervisor"
    }

    fn recognises(&self, object: Object<'_>) -> bool {
        let is_envelope = object.text("type").and_then(Kind::of).is_some() && agent_of(object).is_some();
        is_envelope || TurnResult::is_bare(object) || carried(object).is_some_and(TurnResult::is_bare)
    }

    fn documents(&self) -> &'static [&'static str] {
        &["result.json"]
    }

    fn max_bytes(&self, object: Object<'_>) -> Option<usize> {
        TurnResult::is_bare(object).then_some(RESULT_BYTES)
    }

    /// Each agent has a folder of its own for its result; those beside each other are one session. What happened stands
    /// before how it ended.
    fn place(&self, path: &Path) -> Place {
        let is_result = path.file_name().is_some_and(|name| name == "result.json");
        match path.parent().and_then(Path::parent).filter(|_| is_result) {
            Some(agents) => Place { home: agents.to_owned(), rank: 1 },
            None => Place { home: path.to_owned(), rank: 0 },
        }
    }

    fn translate(&mut self, object: Object<'_>, out: &mut Output) {
        let Some(word) = object.text("type") else { return self.untyped(object, out) };
        let Some(kind) = Kind::of(word) else { return out.unknown(word) };
        if let Some(version) = object.get("version").filter(|version| !is_current(version)) {
            return out.unknown(format!("{word} of version {version}"));
        }
        if object.text("message_id").is_some_and(|id| !self.messages.note(id)) {
            return out.quiet();
        }
        let payload = object.object("payload").or(carried(object)).unwrap_or(object);
        let Some(agent) = agent_of(object).or(payload.text("agent_id")) else {
            return out.malformed(format!("`{word}` without a readable `agent_id`"));
        };
        let at_ms = object.moment("timestamp").or(object.moment("time")).or(object.moment("Time"));
        let envelope = Envelope { agent, turn: turn_of(object), at_ms, payload };
        match kind {
            Kind::AgentReady => self.ready(envelope, out),
            Kind::TurnStarted => self.turn_started(envelope, out),
            Kind::TurnProgress => self.progress(envelope, out),
            Kind::ToolStarted => self.tool_started(envelope, out),
            Kind::ToolFinished => self.tool_finished(envelope, out),
            Kind::MessageDelta => self.delta(envelope),
            Kind::TurnResult => self.result(envelope, out),
            Kind::TurnFailed => self.failed(envelope, out),
            Kind::AgentExited => self.exited(envelope, out),
            Kind::AgentShutdown => {
                let origin = payload.text("origin").and_then(Origin::of);
                let agent = self.agents.entry(agent);
                agent.shutdown = origin.or(agent.shutdown);
            }
            Kind::ResultAvailable => {
                let mut annotations = Annotations::default();
                annotations.note("result", payload.text("ref"));
                out.frames.extend(annotations.frame(agent));
            }
            Kind::Quiet => out.quiet(),
        }
    }
}

impl Supervisor {
    /// A result alone, or an event without a type that carries one.
    fn untyped(&mut self, object: Object<'_>, out: &mut Output) {
        let payload = carried(object).unwrap_or(object);
        if payload.text("status").is_none() {
            return out.unknown("no type");
        }
        let Some(agent) = agent_of(object).or(payload.text("agent_id")) else {
            return out.malformed("a result without a readable `agent_id`");
        };
        let at_ms = object.moment("time").or(object.moment("Time"));
        self.result(Envelope { agent, turn: turn_of(object), at_ms, payload }, out);
    }

    fn ready(&mut self, said: Envelope<'_>, out: &mut Output) {
        if self.start(said, said.at_ms, out) {
            out.frame(fact::status(said.at_ms, said.agent, word("queued")));
        }
    }

    fn turn_started(&mut self, said: Envelope<'_>, out: &mut Output) {
        let agent = self.agents.entry(said.agent);
        if said.turn.is_some_and(|turn| agent.past.contains(turn)) {
            // The turn is over; its beginning comes late, or again.
            return;
        }
        agent.turn = said.turn.map(str::to_owned);
        agent.resolved = false;
        agent.succeeded = false;
        agent.text.done();
        agent.calls.cut_off();
        if self.ledger.over(said.agent).is_some() {
            self.ledger.start_again(out, said.at_ms, said.agent, start(said.agent));
        } else if !self.start(said, said.at_ms, out) {
            self.ledger.live(out, said.at_ms, said.agent, word("running"));
        }
    }

    fn progress(&mut self, said: Envelope<'_>, out: &mut Output) {
        self.start(said, said.at_ms, out);
        self.ledger.activity(out, said.at_ms, said.agent, said.payload.first_text(&["text", "current_tool"]));
    }

    fn tool_started(&mut self, said: Envelope<'_>, out: &mut Output) {
        let Some(name) = said.payload.text("name") else {
            return out.malformed("`tool.started` without a readable `name`");
        };
        self.start(said, said.at_ms, out);
        let tool_id = said.payload.text("tool_id");
        let agent = self.agents.entry(said.agent);
        agent.text.done();
        if let Some(id) = agent.calls.begin(&mut self.taken, said.agent, tool_id, name) {
            out.frame(fact::call(said.at_ms, said.agent, &id, name, ToolInput::default()));
        }
    }

    fn tool_finished(&mut self, said: Envelope<'_>, out: &mut Output) {
        let is_error =
            said.payload.get("error").is_some_and(|error| error.as_str().is_none_or(|text| !text.is_empty()));
        let how = Return::failed_if(is_error);
        let (tool_id, name) = (said.payload.text("tool_id"), said.payload.text("name"));
        let agent = self.agents.entry(said.agent);
        match (agent.calls.finish(tool_id, name), name) {
            (Some(id), _) => out.frame(fact::returned(said.at_ms, said.agent, &id, how)),
            (None, Some(name)) => {
                // Its beginning was not seen; that it was called is certain all the same.
                let Some(id) = agent.calls.begin(&mut self.taken, said.agent, tool_id, name) else { return };
                agent.calls.finish(tool_id, Some(name));
                self.start(said, said.at_ms, out);
                out.frame(fact::call(said.at_ms, said.agent, &id, name, ToolInput::default()));
                out.frame(fact::returned(said.at_ms, said.agent, &id, how));
            }
            (None, None) => out.malformed("`tool.finished` of a call that nobody started"),
        }
    }

    fn delta(&mut self, said: Envelope<'_>) {
        if let Some(piece) = said.payload.get("text").and_then(|text| text.as_str()) {
            self.agents.entry(said.agent).text.push(piece);
        }
    }

    fn start(&mut self, said: Envelope<'_>, at_ms: Option<i64>, out: &mut Output) -> bool {
        self.ledger.start(out, at_ms, said.agent, None, start(said.agent))
    }
}

fn start(agent: &str) -> Start<'_> {
    Start { name: Some(agent), backgrounded: true, ..Start::default() }
}

fn word(word: &str) -> Status<'_> {
    Status { word: Some(word), ..Status::default() }
}

/// The result that an event carries beside its own ids.
fn carried(object: Object<'_>) -> Option<Object<'_>> {
    object.object("data").or(object.object("Data"))
}

fn agent_of(object: Object<'_>) -> Option<&str> {
    object.first_text(&["agent_id", "AgentID"])
}

fn turn_of(object: Object<'_>) -> Option<&str> {
    object.first_text(&["turn_id", "TurnID"])
}

/// Version 0 is one that was not written.
fn is_current(version: &serde_json::Value) -> bool {
    version.as_u64().is_some_and(|version| version == 0 || version == VERSION)
}
