//! What the records of a state file mean for their agents. Knows no line.

use cardfold_wire::{Frame, ToolInput};

use crate::annotations::Annotations;
use crate::codewhale::calls::Source;
use crate::codewhale::standing::Standing;
use crate::codewhale::state::{Record, Snapshot};
use crate::codewhale::summary::summary;
use crate::codewhale::{AtEnd, CodeWhale};
use crate::dialect::Output;
use crate::ending::{Ending, Strength};
use crate::fact::{self, Return, Start, Status};
use crate::object::Object;

/// Events that a ring holds.
const RING: usize = 128;

impl CodeWhale {
    pub(crate) fn snapshot(&mut self, object: Object<'_>, out: &mut Output) {
        let snapshot = match Snapshot::of(object) {
            Ok(snapshot) => snapshot,
            Err(fault) => return out.malformed(fault),
        };
        // A file at the older place, or a copy, says nothing beside the one that was read first; nor does an older
        // snapshot behind a newer one.
        let is_other_file = self.state_file.is_some_and(|file| file != self.file);
        let is_old = self.sequence.zip(snapshot.sequence).is_some_and(|(known, this)| this < known);
        if is_other_file || is_old {
            return out.quiet();
        }
        self.state_file = Some(self.file);
        self.sequence = snapshot.sequence.or(self.sequence);
        for fault in snapshot.faults {
            out.malformed(fault);
        }
        for record in &snapshot.records {
            self.record(record, out);
        }
        if snapshot.records.is_empty() {
            out.quiet();
        }
    }

    fn record(&mut self, record: &Record<'_>, out: &mut Output) {
        let agent = record.id;
        let start = Start { name: Some(record.name()), agent_type: Some(record.role()), backgrounded: true };
        let is_new = self.ledger.start(out, record.started_ms(), agent, record.parent(), start);
        let known = self.agents.entry(agent);
        known.resumed_from = record.resumed_from().map(str::to_owned);
        known.ring = ring_calls(record);
        if let Some(source) = record.resumed_from().filter(|_| is_new) {
            let runs = self.ledger.runs(source).max(1);
            let last = self.ledger.last_word(source).unwrap_or("interrupted").to_owned();
            self.ledger.continue_runs(out, agent, runs, &last);
        }
        if let Some(model) = record.model() {
            out.frame(fact::model(agent, model));
        }
        self.stand(record, out);
        out.frames.extend(record.annotations().frame(agent));
    }

    fn stand(&mut self, record: &Record<'_>, out: &mut Output) {
        let agent = record.id;
        let stamped = record.report().map(summary);
        let report = stamped.as_ref().map(|summary| fact::text_cut_if(summary.text, summary.cut));
        let usage = record.usage();
        let text = |text: Option<&str>| text.map(fact::text);
        let name = Some(record.name());
        let at_end = match record.standing() {
            Standing::Live(worker) => {
                let activity = record.latest_message();
                self.ledger.activity(out, None, agent, activity);
                self.ledger.live(out, None, agent, Status { word: Some(worker.word()), name, ..Status::default() });
                self.ledger.tell(out, None, agent, report, usage);
                if let Some(question) = record.question() {
                    self.ledger.ask(out, agent, question);
                }
                AtEnd::Restart
            }
            Standing::Parked(reason) => {
                let status = Status { word: Some("waiting_for_user"), error: text(reason), name, ..Status::default() };
                self.ledger.live(out, None, agent, status);
                self.ledger.tell(out, None, agent, report, usage);
                if let Some(question) = record.question().or(reason) {
                    self.ledger.ask(out, agent, question);
                }
                AtEnd::Parked(Strength::Record)
            }
            Standing::Over(end, error) => {
                let end_ms = record.completed_ms();
                let ending = Ending {
                    end_ms,
                    error: text(error),
                    report,
                    usage,
                    name,
                    ..Ending::new(Strength::Record, end.word())
                };
                self.ledger.end(out, None, agent, ending);
                AtEnd::Unknown
            }
        };
        self.agents.entry(agent).at_end = at_end;
    }

    /// Calls that only the ring of a worker tells.
    pub(crate) fn tell_rings(&mut self, out: &mut Output) {
        for agent in self.ledger.agents() {
            let Some(known) = self.agents.get_mut(&agent).filter(|known| !known.ring.is_empty()) else { continue };
            if self.calls.may_tell(&agent, Source::Ring) {
                out.frames.append(&mut known.ring);
                let mut annotations = Annotations::default();
                annotations.note("calls_lower_bound", Some(true));
                out.frames.extend(annotations.frame(&agent));
            }
        }
    }
}

/// The calls that a worker's ring still holds. It tells when a call came back, not whether it failed.
fn ring_calls(record: &Record<'_>) -> Vec<Frame<'static>> {
    let mut frames = Vec::new();
    let mut open: Vec<(String, String)> = Vec::new();
    for event in record.events().take(RING) {
        let message = event.text("message").unwrap_or_default();
        let at_ms = event.millis("timestamp_ms");
        let id = || format!("{}:event:{}", record.id, event.count("seq").unwrap_or_default());
        if let Some(name) = quoted(message, "running tool '") {
            let id = id();
            frames.push(fact::call(at_ms, record.id, &id, name, ToolInput::default()));
            open.push((name.to_owned(), id));
        } else if let Some(name) = quoted(message, "finished tool '") {
            let place = open.iter().position(|(open, _)| open == name);
            let id = place.map_or_else(id, |place| open.remove(place).1);
            if place.is_none() {
                // The ring has forgotten its start.
                frames.push(fact::call(at_ms, record.id, &id, name, ToolInput::default()));
            }
            frames.push(fact::returned(at_ms, record.id, &id, Return::Completed));
        }
    }
    frames
}

/// What stands between `opening` and the quote that closes it.
fn quoted<'t>(text: &'t str, opening: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(opening)?;
    rest.rsplit_once('\'').map(|(name, _)| name).filter(|name| !name.is_empty())
}
