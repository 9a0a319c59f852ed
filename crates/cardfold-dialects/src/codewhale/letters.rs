//! What the letters of the mailbox mean for their agents. Knows no record.

use cardfold_wire::{ToolInput, Usage};

use crate::annotations::Annotations;
use crate::codewhale::calls::Source;
use crate::codewhale::mailbox::Letter;
use crate::codewhale::state::total_tokens;
use crate::codewhale::summary::summary;
use crate::codewhale::words::{failure_told, role};
use crate::codewhale::{AtEnd, CodeWhale, said, word};
use crate::dialect::Output;
use crate::fact::{self, Start};
use crate::ledger::{Ending, Strength};
use crate::object::Object;

/// What an agent does that waits for a slot.
const QUEUED: &str = "queued: waiting for a sub-agent launch slot";

impl CodeWhale {
    pub(crate) fn letter(&mut self, letter: &Letter<'_>, out: &mut Output) {
        let (kind, fields) = (letter.kind, letter.fields);
        if !letter.is_known() {
            return out.unknown(kind);
        }
        if !self.seen.is_new(letter) {
            return out.quiet();
        }
        if kind == "child_spawned" {
            if let (Some(child), Some(parent)) = (fields.text("child_id"), fields.text("parent_id")) {
                self.ledger.link(out, child, parent);
            }
            return;
        }
        let agent = fields.text("agent_id").unwrap_or_default();
        let agent_type = fields.text("agent_type").map(|word| role(word).unwrap_or(word));
        let start = Start { name: Some(agent), agent_type, backgrounded: true };
        let is_new = self.ledger.start(out, None, agent, None, start);
        match kind {
            "started" if is_new => {}
            "started" => self.ledger.live(out, None, agent, word("running")),
            "progress" => self.progress(agent, fields.text("status"), out),
            "tool_call_started" => self.call_started(agent, fields, out),
            "tool_call_completed" => self.call_completed(agent, fields, out),
            "token_usage" => self.tokens(agent, fields, out),
            "work_state" => out.quiet(),
            "completed" => {
                let stamped = summary(fields.text("summary").unwrap_or_default());
                let report = (!stamped.text.is_empty()).then(|| fact::text(stamped.text, stamped.cut));
                self.evidence(agent, stamped.evidence, out);
                self.end_by_letter(agent, Ending { report, ..Ending::new(Strength::Message, "completed") }, out);
            }
            "failed" => {
                let error = fields.text("error").unwrap_or_default();
                let ending = Ending::new(Strength::Message, failure_told(error));
                self.end_by_letter(agent, Ending { error: said(error), ..ending }, out);
            }
            "interrupted" => {
                let error = fields.text("reason").and_then(said);
                self.end_by_letter(agent, Ending { error, ..Ending::new(Strength::Message, "interrupted") }, out);
            }
            _ => self.end_by_letter(agent, Ending::new(Strength::Message, "stopped"), out),
        }
    }

    pub(crate) fn end_by_letter(&mut self, agent: &str, ending: Ending<'_>, out: &mut Output) {
        // A parked agent's letter says interrupted; the record that parks it is the surer one.
        let is_parked = self.agents.get(agent).is_some_and(|known| known.at_end == AtEnd::Parked(true));
        if !is_parked || ending.word != Some("interrupted") {
            self.ledger.end(out, None, agent, ending);
        }
    }

    fn progress(&mut self, agent: &str, text: Option<&str>, out: &mut Output) {
        self.ledger.activity(out, None, agent, text);
        if text == Some(QUEUED) {
            self.ledger.live(out, None, agent, word("queued"));
        }
    }

    fn call_started(&mut self, agent: &str, fields: Object<'_>, out: &mut Output) {
        let Some(name) = fields.text("tool_name") else {
            return out.malformed("`tool_call_started` without a readable `tool_name`");
        };
        if self.calls.may_tell(agent, Source::Mailbox) {
            let id = self.calls.begin(agent, fields.count("step").unwrap_or(0), name);
            out.frame(fact::call(None, agent, &id, name, ToolInput::default()));
        }
    }

    fn call_completed(&mut self, agent: &str, fields: Object<'_>, out: &mut Output) {
        let Some(name) = fields.text("tool_name") else {
            return out.malformed("`tool_call_completed` without a readable `tool_name`");
        };
        if !self.calls.may_tell(agent, Source::Mailbox) {
            return;
        }
        let step = fields.count("step").unwrap_or(0);
        let id = self.calls.finish(agent, step, name).unwrap_or_else(|| {
            // The line of its start was lost; that it was called is certain all the same.
            let id = self.calls.begin(agent, step, name);
            self.calls.finish(agent, step, name);
            out.frame(fact::call(None, agent, &id, name, ToolInput::default()));
            id
        });
        out.frame(fact::returned(None, agent, &id, fields.flag("ok") == Some(false)));
    }

    fn tokens(&mut self, agent: &str, fields: Object<'_>, out: &mut Output) {
        let Some(tokens) = fields.object("usage").and_then(total_tokens) else {
            return out.malformed("`token_usage` without readable figures");
        };
        if self.seen.is_new_response(fields.text("source_id")) {
            let known = self.agents.entry(agent);
            known.tokens = known.tokens.saturating_add(tokens);
            let usage = Usage { total_tokens: Some(known.tokens), ..Usage::default() };
            self.ledger.tell(out, None, agent, None, usage);
        }
    }

    pub(crate) fn evidence(&self, agent: &str, evidence: Option<&str>, out: &mut Output) {
        let mut annotations = Annotations::default();
        annotations.note("evidence", evidence);
        out.frames.extend(annotations.frame(agent));
    }
}
