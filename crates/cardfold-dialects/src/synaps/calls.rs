//! What the calls of the system's tools, and what came back from them, mean for the workers. Knows no event.

use cardfold_wire::{Text, Usage};

use crate::annotations::Annotations;
use crate::bounded::{REPORT_BYTES, REPORT_LINES, bounded};
use crate::dialect::Output;
use crate::ending::{Ending, Strength};
use crate::fact::{self, Start, Status};
use crate::object::Object;
use crate::synaps::events::status_of;
use crate::synaps::handles::{Told, handle, number_of};
use crate::synaps::text::{guess, label, receipt, status_word, task_preview};
use crate::synaps::{Asks, Call, ONE_SHOTS, OneShot, Synaps, owned_text};

impl Synaps {
    /// A call of one of the system's tools that was not seen before.
    pub(crate) fn call(
        &mut self,
        at_ms: Option<i64>,
        id: &str,
        tool: &str,
        input: Option<Object<'_>>,
        parent: Option<&str>,
        out: &mut Output,
    ) {
        let text = |key: &str| input.and_then(|input| input.text(key));
        let label = input.map_or_else(|| "inline".to_owned(), label);
        let number = text("handle_id").and_then(number_of).or(input.and_then(|input| input.count("subagent_id")));
        let role = text("role").map(str::to_owned);
        let asks = match tool {
            "subagent" => {
                let start = Start { name: Some(&label), agent_type: role.as_deref(), backgrounded: false };
                self.dispatch(at_ms, id, parent, start, out);
                let task = task_preview(text("task").unwrap_or_default());
                if self.one_shots.len() >= ONE_SHOTS {
                    self.one_shots.pop_front();
                }
                self.one_shots.push_back(OneShot { call: id.to_owned(), label, task });
                Asks::OneShot
            }
            "subagent_start" => {
                let start = Start { name: Some(&label), agent_type: role.as_deref(), backgrounded: true };
                self.dispatch(at_ms, id, parent, start, out);
                Asks::Start { label, role, runs: 1 }
            }
            "subagent_resume" => self.resume(at_ms, id, number, parent, out),
            "subagent_collect" => Asks::Collect { number },
            _ => return,
        };
        self.calls.insert(id, Call { at: self.at, asks });
    }

    fn dispatch(&mut self, at_ms: Option<i64>, id: &str, parent: Option<&str>, start: Start<'_>, out: &mut Output) {
        let agent = stand_in(id);
        out.frames.extend(fact::dispatched(at_ms, id, &agent, parent, start));
        self.ledger.adopt(&agent, 1);
        self.ledger.live(out, at_ms, &agent, word("queued"));
    }

    /// A worker goes on as another one: a card of its own, which has run as often before.
    fn resume(
        &mut self,
        at_ms: Option<i64>,
        id: &str,
        number: Option<u64>,
        parent: Option<&str>,
        out: &mut Output,
    ) -> Asks {
        let known = number.and_then(|number| self.handles.last(number)).cloned();
        let (label, role) = known.as_ref().map_or((None, None), |worker| (worker.label.clone(), worker.role.clone()));
        let start = Start { name: label.as_deref(), agent_type: role.as_deref(), backgrounded: true };
        let agent = stand_in(id);
        out.frames.extend(fact::dispatched(at_ms, id, &agent, parent, start));
        self.ledger.adopt(&agent, 1);
        let runs = known.as_ref().map_or(1, |worker| self.ledger.runs(&worker.agent).max(1));
        let last = known.as_ref().and_then(|worker| self.ledger.last_word(&worker.agent)).unwrap_or("interrupted");
        let last = last.to_owned();
        self.ledger.continue_runs(out, &agent, runs, &last);
        self.ledger.live(out, at_ms, &agent, word("queued"));
        let mut annotations = Annotations::default();
        annotations.note("resumed_from", number.map(handle));
        out.frames.extend(annotations.frame(&agent));
        Asks::Start { label: label.unwrap_or_default(), role, runs: self.ledger.runs(&agent) }
    }

    /// What came back from one of the calls above.
    pub(crate) fn result(&mut self, at_ms: Option<i64>, id: &str, text: &str, failed: bool, out: &mut Output) {
        let Some(call) = self.calls.get(id) else { return };
        match &call.asks {
            Asks::Collect { number } => {
                let number = *number;
                if !failed {
                    self.collected(at_ms, number, text, out);
                }
            }
            Asks::OneShot => {
                self.one_shots.retain(|waiting| waiting.call != id);
                if failed {
                    out.frame(fact::refused(at_ms, id, text));
                    return;
                }
                let guess = guess(text);
                if guess.word == "completed" {
                    out.frame(fact::reported(at_ms, id, text));
                } else {
                    let ending = Ending {
                        error: guess.reason.map(owned_text),
                        report: guess.report.map(owned_text),
                        ..Ending::new(Strength::Guess, guess.word)
                    };
                    self.ledger.end(out, at_ms, &stand_in(id), ending);
                }
            }
            Asks::Start { .. } => match receipt(text).filter(|_| !failed) {
                Some((number, name)) => self.receipt(at_ms, id, number, name.as_deref(), out),
                None => out.frame(fact::refused(at_ms, id, text)),
            },
        }
    }

    /// A call's worker goes by this number.
    fn receipt(&mut self, at_ms: Option<i64>, id: &str, number: u64, name: Option<&str>, out: &mut Output) {
        let Some(Call { at: called_at, asks: Asks::Start { label, role, runs } }) = self.calls.get(id) else { return };
        let (called_at, label, role, runs) = (*called_at, label.clone(), role.clone(), *runs);
        match self.handles.current(number) {
            Some(worker) if worker.call.as_deref() == Some(id) => return,
            // A worker of another call, or one that was there before this call was made, is another process's (W3-4).
            Some(worker) if worker.call.is_some() || worker.first_at < called_at => self.handles.next_process(),
            Some(_) | None => {}
        }
        let is_new = self.handles.current(number).is_none();
        if is_new {
            self.handles.add(number, self.at);
        }
        let Some(worker) = self.handles.current(number) else { return };
        worker.call = Some(id.to_owned());
        worker.label = Some(name.map_or(label, str::to_owned)).filter(|label| !label.is_empty());
        worker.role = role;
        let agent = worker.agent.clone();
        self.ledger.adopt(&agent, runs);
        out.frame(fact::acknowledged(at_ms, id, &agent));
        if self.ledger.over(&agent).is_some() {
            // The card that the events had opened is the call's now, which was still waiting for its receipt.
            self.tell_again(number, out);
        } else {
            self.ledger.live(out, at_ms, &agent, Status { word: Some("running"), name, ..Status::default() });
        }
        let mut annotations = Annotations::default();
        annotations.note("handle", Some(handle(number)));
        out.frames.extend(annotations.frame(&agent));
    }

    fn collected(&mut self, at_ms: Option<i64>, number: Option<u64>, text: &str, out: &mut Output) {
        let value: Option<serde_json::Value> = serde_json::from_str(text.trim()).ok();
        let fields = value.as_ref().and_then(Object::of);
        let stated = fields.and_then(|fields| fields.text("handle_id")).and_then(number_of);
        let Some(number) = stated.or(number) else { return };
        let output = match fields {
            Some(fields) => fields.first_text(&["output", "result", "text"]),
            None => Some(text),
        };
        let status = fields.and_then(|fields| fields.get("status")).and_then(status_of);
        let error = fields.and_then(|fields| fields.first_text(&["error", "reason"]));
        self.worker(number, None, None, out);
        let told = Told {
            strength: Strength::Message,
            word: status.map(|(status, _)| status_word(status).to_owned()),
            reason: status.and_then(|(_, reason)| reason).or(error).map(owned_text),
            report: output.filter(|text| !text.trim().is_empty()).map(bounded_report),
            usage: Usage::default(),
        };
        self.told(at_ms, number, told, out);
    }
}

/// The name that a call's agent goes by before its receipt.
fn stand_in(call: &str) -> String {
    format!("call {call}")
}

fn word(word: &str) -> Status<'_> {
    Status { word: Some(word), ..Status::default() }
}

/// An output of any length; it may have to be told again.
fn bounded_report(text: &str) -> Text<'static> {
    let (kept, cut) = bounded(text, REPORT_BYTES, REPORT_LINES);
    fact::text_cut_if(kept, cut)
}
