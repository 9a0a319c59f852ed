//! What transcripts and the texts of conversations mean for the agents. Knows no record.

use serde_json::json;

use crate::annotations::Annotations;
use crate::codewhale::calls::Source;
use crate::codewhale::sentinel::{Sentinel, sentinels};
use crate::codewhale::summary::summary;
use crate::codewhale::transcript::Line;
use crate::codewhale::words::{Worker, failure_of_class, role};
use crate::codewhale::{AtEnd, CodeWhale};
use crate::dialect::{FaultKind, Output};
use crate::ending::{Ending, Strength};
use crate::fact::{self, Return, Start, Status};
use crate::message::{Block, Message, Role};
use crate::object::Object;

/// Frames of calls that wait, over all agents that go on with others' conversations.
const HELD: usize = 65_536;

impl CodeWhale {
    pub(crate) fn transcript_line(&mut self, object: Object<'_>, out: &mut Output) {
        match self.transcript.line(object) {
            Line::Bad(fault) => out.fault(FaultKind::Malformed, fault),
            Line::Header(agent) => {
                let start = Start { name: Some(agent), backgrounded: true, ..Start::default() };
                self.ledger.start(out, None, agent, None, start);
            }
            Line::Message(object) => {
                let Some(message) = Message::of(object) else {
                    return out.unknown("a message of another role");
                };
                self.completions(&message, out);
                let agent = self.transcript.agent().unwrap_or_default().to_owned();
                if self.calls.may_tell(&agent, Source::Transcript) {
                    self.transcript_calls(&agent, &message, out);
                }
            }
        }
    }

    fn transcript_calls(&mut self, agent: &str, message: &Message<'_>, out: &mut Output) {
        let is_held = self.agents.get(agent).is_some_and(|known| known.resumed_from.is_some());
        for block in &message.blocks {
            let frame = match block {
                Block::Text(_) => continue,
                Block::ToolUse { id, name, input } => fact::call(None, agent, id, name, fact::tool_input(*input)),
                Block::Result { id, text, is_error } => {
                    let by_text = is_error.is_none() && text.starts_with("Error:");
                    if by_text {
                        self.calls.count_guess(agent);
                    }
                    fact::returned(None, agent, id, Return::failed_if(by_text || *is_error == Some(true)))
                }
            };
            if !is_held {
                out.frame(frame);
            } else if self.held.len() < HELD {
                self.held.push((agent.to_owned(), frame));
            }
        }
    }

    /// Tells the calls of agents that go on with others' conversations: those of the others first, so that a call counts
    /// where it was made.
    pub(crate) fn tell_held(&mut self, out: &mut Output) {
        let mut held = std::mem::take(&mut self.held);
        held.sort_by_cached_key(|(agent, _)| self.generation(agent));
        out.frames.extend(held.into_iter().map(|(_, frame)| frame));
    }

    /// How many agents an agent goes on with, one behind the other.
    fn generation(&self, agent: &str) -> usize {
        let mut before = Vec::new();
        let mut at = agent;
        while let Some(source) = self.agents.get(at).and_then(|known| known.resumed_from.as_deref()) {
            if before.contains(&source) {
                break;
            }
            before.push(source);
            at = source;
        }
        before.len()
    }

    /// Completions of children in a user's turn of their parent.
    pub(crate) fn completions(&mut self, message: &Message<'_>, out: &mut Output) {
        if message.role == Role::User {
            for text in message.texts() {
                for sentinel in sentinels(text) {
                    self.completion(&sentinel, out);
                }
            }
        }
    }

    fn completion(&mut self, sentinel: &Sentinel<'_>, out: &mut Output) {
        let (fields, agent) = (sentinel.fields(), sentinel.agent());
        let agent_type = fields.text("agent_type").map(|word| role(word).unwrap_or(word));
        let name = fields.text("name");
        let start = Start { name: Some(name.unwrap_or(agent)), agent_type, backgrounded: true };
        self.ledger.start(out, None, agent, None, start);
        let status = fields.text("status").unwrap_or_default();
        let stamped = summary(sentinel.before);
        let cut = stamped.cut || fields.text("summary_kind") == Some("truncated");
        let text = (!stamped.text.is_empty()).then(|| fact::text_cut_if(stamped.text, cut));
        let question = fields.object("needs_input").and_then(|needs| needs.text("question"));
        self.evidence(agent, stamped.evidence, out);
        let ending = |word| Ending { name, ..Ending::new(Strength::Message, word) };
        // The word in the element says which it is, not the element (W4-8, W4-10).
        if fields.text("event") == Some("subagent.failed") {
            let class = fields.text("failure_class");
            let ending = Ending { error: text, ..ending(failure_of_class(status, class).word()) };
            self.end_by_letter(agent, ending, out);
            self.failure(agent, fields, out);
            return;
        }
        let Some(worker) = Worker::of(status) else {
            // R16 decides about words that the manager has not; what it does not have either is counted.
            return self.ledger.live(out, None, agent, Status { word: Some(status), name, ..Status::default() });
        };
        match worker {
            Worker::Completed => self.end_by_letter(agent, Ending { report: text, ..ending("completed") }, out),
            Worker::Cancelled => self.end_by_letter(agent, Ending { error: text, ..ending("stopped") }, out),
            Worker::Failed => self.end_by_letter(agent, Ending { error: text, ..ending("failed") }, out),
            Worker::Interrupted => match question {
                Some(question) => {
                    self.park_by_text(agent, question, Status { error: text, name, ..Status::default() }, out)
                }
                None => self.end_by_letter(agent, Ending { error: text, ..ending("interrupted") }, out),
            },
            Worker::ModelWait
            | Worker::Queued
            | Worker::Running
            | Worker::RunningTool
            | Worker::Starting
            | Worker::WaitingForUser => {
                self.ledger.live(out, None, agent, Status { word: Some(worker.word()), name, ..Status::default() });
            }
        }
    }

    /// A child that was interrupted and can go on. Where its ending was told already, that stands (R22): what it asks for is
    /// an annotation then.
    fn park_by_text(&mut self, agent: &str, question: &str, said: Status<'_>, out: &mut Output) {
        self.ledger.live(out, None, agent, Status { word: Some(Worker::WaitingForUser.word()), ..said });
        self.ledger.ask(out, agent, question);
        let known = self.agents.entry(agent);
        if known.at_end == AtEnd::Unknown {
            known.at_end = AtEnd::Parked(Strength::Message);
        }
        let mut annotations = Annotations::default();
        annotations.note("needs_input", Some(question));
        out.frames.extend(annotations.frame(agent));
    }

    fn failure(&self, agent: &str, fields: Object<'_>, out: &mut Output) {
        let field = |key: &str| fields.get(key).cloned();
        let mut annotations = Annotations::default();
        let failure = json!({
            "class": field("failure_class"),
            "steps": field("steps"),
            "elapsed_ms": field("elapsed_ms"),
            "transcript_handle": field("transcript_handle"),
        });
        annotations.note("failure", Some(failure));
        out.frames.extend(annotations.frame(agent));
    }
}
