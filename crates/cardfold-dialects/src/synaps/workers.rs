//! What the events mean for their workers. Knows no call, but the one that a worker's start can be told by.

use cardfold_wire::Usage;

use crate::dialect::Output;
use crate::ending::{Ending, Strength};
use crate::fact::{self, Start, Status};
use crate::synaps::events::{Event, EventKind};
use crate::synaps::handles::Told;
use crate::synaps::text::{guess, is_ending, status_word};
use crate::synaps::{OneShot, Synaps, owned_text};

impl Synaps {
    pub(crate) fn event(&mut self, number: u64, event: Event<'_>, out: &mut Output) {
        let name = event.fields.text("agent_name");
        match event.kind {
            EventKind::Start => {
                let agent = self.handles.current(number).map(|worker| worker.agent.clone());
                if agent.is_some_and(|agent| self.ledger.over(&agent).is_some()) {
                    self.handles.next_process();
                }
                let preview = event.fields.text("task_preview");
                if self.handles.current(number).is_none() {
                    self.link_one_shot(number, name, preview, out);
                }
                let agent = self.worker(number, name, event.at_ms, out);
                let note = preview.and_then(|preview| preview.trim().lines().next());
                self.ledger.activity(out, event.at_ms, &agent, note);
            }
            EventKind::Update => {
                let agent = self.worker(number, name, event.at_ms, out);
                self.ledger.activity(out, event.at_ms, &agent, event.fields.text("status"));
            }
            EventKind::Done => {
                self.worker(number, name, None, out);
                let preview = event.fields.get("result_preview").and_then(|preview| preview.as_str());
                let guess = guess(preview.unwrap_or_default());
                let told = Told {
                    strength: Strength::Guess,
                    word: Some(guess.word.to_owned()),
                    reason: guess.reason.map(owned_text),
                    report: guess.report.map(|report| fact::text_cut_if(report, guess.cut)),
                    usage: usage(event),
                };
                self.told(event.at_ms, number, told, out);
            }
            EventKind::Completion => {
                self.worker(number, name, None, out);
                let Some((status, reason)) = event.status() else {
                    out.malformed("a completion without a readable `status`");
                    return;
                };
                let told = Told {
                    strength: Strength::Message,
                    word: Some(status_word(status).to_owned()),
                    reason: reason.map(owned_text),
                    report: None,
                    usage: usage(event),
                };
                self.told(event.at_ms, number, told, out);
            }
        }
    }

    /// The start of a worker that a call waits for gets no receipt: it is told by its label and its task.
    fn link_one_shot(&mut self, number: u64, name: Option<&str>, preview: Option<&str>, out: &mut Output) {
        let is_its = |call: &OneShot| Some(&*call.label) == name && Some(&*call.task) == preview;
        let Some(place) = self.one_shots.iter().position(is_its) else { return };
        let Some(OneShot { call: id, .. }) = self.one_shots.remove(place) else { return };
        let worker = self.handles.add(number, self.at);
        worker.call = Some(id.clone());
        let agent = worker.agent.clone();
        self.ledger.adopt(&agent, 1);
        out.frame(fact::linked(&id, &agent));
    }

    /// The agent of a number, opened where nothing is known of it.
    pub(crate) fn worker(&mut self, number: u64, name: Option<&str>, at_ms: Option<i64>, out: &mut Output) -> String {
        let at = self.at;
        let worker = match self.handles.current(number) {
            Some(worker) => worker,
            None => self.handles.add(number, at),
        };
        if worker.label.is_none() {
            worker.label = name.map(str::to_owned);
        }
        let agent = worker.agent.clone();
        self.ledger.start(out, at_ms, &agent, None, Start { name, backgrounded: true, ..Start::default() });
        agent
    }

    /// A worker is over, or what it left behind is told.
    pub(crate) fn told(&mut self, at_ms: Option<i64>, number: u64, mut told: Told, out: &mut Output) {
        let Some(worker) = self.handles.current(number) else { return };
        let agent = worker.agent.clone();
        if told.strength == Strength::Guess && worker.stated.as_ref().is_some_and(|stated| stated.report.is_some()) {
            // A preview that comes late is less than the report that was collected.
            told.report = None;
        }
        match told.word.as_deref() {
            Some(word) if is_ending(word) => {
                // A completion has no time of its own: it comes with the end that was guessed.
                worker.ended_ms = worker.ended_ms.or(at_ms);
                let slot = if told.strength == Strength::Guess { &mut worker.guessed } else { &mut worker.stated };
                *slot = Some(told.clone());
                let end_ms = worker.ended_ms;
                self.tell_ending(&agent, end_ms, told, out);
            }
            Some(word) => {
                self.ledger.live(out, at_ms, &agent, Status { word: Some(word), ..Status::default() });
                self.ledger.tell(out, at_ms, &agent, told.report, told.usage);
            }
            None => self.ledger.tell(out, at_ms, &agent, told.report, told.usage),
        }
    }

    /// Tells once more how a worker ended, where the call that started it has taken over its card.
    pub(crate) fn tell_again(&mut self, number: u64, out: &mut Output) {
        let Some(worker) = self.handles.current(number) else { return };
        let (agent, end_ms) = (worker.agent.clone(), worker.ended_ms);
        for told in [worker.guessed.clone(), worker.stated.clone()].into_iter().flatten() {
            self.tell_ending(&agent, end_ms, told, out);
        }
    }

    fn tell_ending(&mut self, agent: &str, end_ms: Option<i64>, told: Told, out: &mut Output) {
        let Told { strength, word, reason, report, usage } = told;
        let (word, kept) = (word.as_deref(), report.clone());
        let ending = Ending { word, end_ms, error: reason, report, usage, ..Ending::unstated(strength) };
        if !self.ledger.end(out, end_ms, agent, ending) {
            // The ending was stated; what the preview shows of the report is news all the same.
            self.ledger.tell(out, end_ms, agent, kept, usage);
        }
    }
}

fn usage(event: Event<'_>) -> Usage {
    Usage { duration_ms: event.duration_ms(), ..Usage::default() }
}
