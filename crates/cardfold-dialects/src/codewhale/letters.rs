//! What the letters of the mailbox mean for their agents. Knows no record.

use cardfold_wire::{ToolInput, Usage};

use crate::annotations::Annotations;
use crate::codewhale::calls::Source;
use crate::codewhale::mailbox::{Kind, Letter};
use crate::codewhale::state::total_tokens;
use crate::codewhale::summary::summary;
use crate::codewhale::words::{failure_told, role};
use crate::codewhale::{AtEnd, CodeWhale, said, word};
use crate::dialect::Output;
use crate::ending::{Ending, Strength};
use crate::fact::{self, Return, Start};
use crate::object::Object;

/// What an agent does that waits for a slot.
const QUEUED: &str = "queued: waiting for a sub-agent launch slot";

impl CodeWhale {
    pub(crate) fn letter(&mut self, letter: &Letter<'_>, out: &mut Output) {
        let Some((kind, agent)) = letter.known() else { return out.unknown(letter.word) };
        if !self.seen.is_new(letter) {
            return out.quiet();
        }
        let fields = letter.fields;
        if kind == Kind::ChildSpawned {
            if let Some(parent) = fields.text("parent_id") {
                self.ledger.link(out, agent, parent);
            }
            return;
        }
        let agent_type = fields.text("agent_type").map(|word| role(word).unwrap_or(word));
        let start = Start { name: Some(agent), agent_type, backgrounded: true };
        let is_new = self.ledger.start(out, None, agent, None, start);
        match kind {
            // It was told above.
            Kind::ChildSpawned => {}
            Kind::Started if is_new => {}
            Kind::Started => self.ledger.live(out, None, agent, word("running")),
            Kind::Progress => self.progress(agent, fields.text("status"), out),
            Kind::ToolCallStarted => self.call_started(agent, fields, out),
            Kind::ToolCallCompleted => self.call_completed(agent, fields, out),
            Kind::TokenUsage => self.tokens(agent, fields, out),
            Kind::WorkState => out.quiet(),
            Kind::Completed => {
                let stamped = summary(fields.text("summary").unwrap_or_default());
                let report = (!stamped.text.is_empty()).then(|| fact::text_cut_if(stamped.text, stamped.cut));
                self.evidence(agent, stamped.evidence, out);
                self.end_by_letter(agent, Ending { report, ..Ending::new(Strength::Message, "completed") }, out);
            }
            Kind::Failed => {
                let error = fields.text("error").unwrap_or_default();
                let ending = Ending::new(Strength::Message, failure_told(error).word());
                self.end_by_letter(agent, Ending { error: said(error), ..ending }, out);
            }
            Kind::Interrupted => {
                let error = fields.text("reason").and_then(said);
                self.end_by_letter(agent, Ending { error, ..Ending::new(Strength::Message, "interrupted") }, out);
            }
            Kind::Stopped => self.end_by_letter(agent, Ending::new(Strength::Message, "stopped"), out),
        }
    }

    pub(crate) fn end_by_letter(&mut self, agent: &str, ending: Ending<'_>, out: &mut Output) {
        // A parked agent's letter says interrupted; the record that parks it is the surer one.
        let is_parked = self.agents.get(agent).is_some_and(|known| known.at_end == AtEnd::Parked(Strength::Record));
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
        out.frame(fact::returned(None, agent, &id, Return::failed_if(fields.flag("ok") == Some(false))));
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
