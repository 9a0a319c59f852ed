//! What is followed as a line of JSON a change.

use std::collections::HashMap;
use std::io::{self, Write};
use std::mem;
use std::ops::ControlFlow;

use cardfold::{Card, CardTracker, Frame};
use cardfold_replay::{SessionFacts, SessionFrame};

use crate::follow::input::{Audience, Input, Lull};
use crate::follow::signals::{self, Signal};
use crate::follow::watch::{Nudge, Watch};
use crate::ndjson::{self, Told};

/// Prints until a stream ends or nobody reads any more; gives how many frames came.
pub(crate) fn run(input: Input, out: &mut impl Write) -> io::Result<u64> {
    let watch = Watch::new();
    match &input {
        // What a signal interrupts there is the reading of a stream: it ends the program as it does others.
        Input::Stream(_) => {}
        Input::File(_) => {
            let to = watch.sender();
            signals::watch_ends(move |signal| match signal {
                Signal::Continue | Signal::Stop => {}
                // Where nobody waits any more the program is ending.
                Signal::End(number) => drop(to.send(Nudge::Signal(number))),
            })?;
        }
    }
    let mut lines = Lines { out, sessions: Vec::new(), before: None, frames: 0, written: Ok(()), signal: None };
    input.follow(watch, &mut lines);
    lines.written?;
    if let Some(signal) = lines.signal {
        signals::end(signal)?;
    }
    Ok(lines.frames)
}

struct Lines<'o, W> {
    out: &'o mut W,
    sessions: Vec<Session>,
    /// What was told, while everything is read anew.
    before: Option<Vec<Session>>,
    /// Frames of all sessions.
    frames: u64,
    written: io::Result<()>,
    signal: Option<i32>,
}

#[derive(Default)]
struct Session {
    id: Option<String>,
    tracker: CardTracker,
    /// The number of the last frame.
    frame: u64,
}

impl<W: Write> Lines<'_, W> {
    /// Somebody waits for what was written.
    fn flush(&mut self) -> ControlFlow<()> {
        if self.written.is_ok() {
            self.written = self.out.flush();
        }
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl<W: Write> Lines<'_, W> {
    /// Tells what reads differently from what was told before.
    fn tell_differences(&mut self, before: &[Session]) -> io::Result<()> {
        let now: HashMap<_, _> = cards(&self.sessions).collect();
        for (place, (session, card)) in cards(before) {
            if !now.contains_key(&place) {
                let frame = session.frame.saturating_add(1);
                ndjson::write_change(self.out, place.0, frame, "removed", &card)?;
            }
        }
        let mut before: HashMap<_, _> = cards(before).collect();
        for (place, (session, card)) in cards(&self.sessions) {
            let change = match before.remove(&place) {
                None => "opened",
                Some((_, known)) if reads_alike(&known, &card) => continue,
                Some(_) => "changed",
            };
            ndjson::write_change(self.out, place.0, session.frame, change, &card)?;
        }
        Ok(())
    }
}

/// A card's session, and its own id.
type Place<'a> = (Option<&'a str>, String);

fn cards(sessions: &[Session]) -> impl Iterator<Item = (Place<'_>, (&Session, Card))> {
    sessions.iter().flat_map(|session| {
        let cards = session.tracker.cards();
        cards.map(move |card| ((session.id.as_deref(), card.dispatch_id.clone()), (session, card)))
    })
}

/// But for the count of its changes (R25).
fn reads_alike(one: &Card, other: &Card) -> bool {
    let mut one = one.clone();
    one.revision = other.revision;
    one == *other
}

impl<W: Write> Audience for Lines<'_, W> {
    fn frame(&mut self, next: &SessionFrame<'_>) -> ControlFlow<()> {
        self.frames = self.frames.saturating_add(1);
        if self.sessions.len() <= next.session {
            self.sessions.resize_with(next.session.saturating_add(1), Session::default);
        }
        let Session { id, tracker, frame } = &mut self.sessions[next.session];
        if id.as_deref() != next.session_id {
            *id = next.session_id.map(str::to_owned);
        }
        *frame = next.number;
        let update = tracker.apply(&next.frame);
        if update.changes.is_empty() || self.before.is_some() {
            return ControlFlow::Continue(());
        }
        let told = Told { session_id: id.as_deref(), frame: *frame, update: &update, tracker };
        self.written = ndjson::write_changes(self.out, &told);
        self.flush()
    }

    fn anew(&mut self) -> ControlFlow<()> {
        self.before = Some(mem::take(&mut self.sessions));
        ControlFlow::Continue(())
    }

    fn lull(&mut self, _lull: Lull<'_>) -> ControlFlow<()> {
        let Some(before) = self.before.take() else { return ControlFlow::Continue(()) };
        self.written = self.tell_differences(&before);
        self.flush()
    }

    fn over(&mut self, _sessions: &[SessionFacts]) -> ControlFlow<()> {
        for Session { id, tracker, frame } in &mut self.sessions {
            let update = tracker.end_session();
            let frame = frame.saturating_add(1);
            let told = Told { session_id: id.as_deref(), frame, update: &update, tracker };
            if self.written.is_ok() {
                self.written = ndjson::write_changes(self.out, &told);
            }
        }
        self.flush()
    }

    fn stop(&mut self, signal: i32, conclusions: Vec<Frame<'static>>) -> ControlFlow<()> {
        self.signal = Some(signal);
        if let Some(Session { id, tracker, frame }) = self.sessions.first_mut() {
            for conclusion in conclusions {
                *frame = frame.saturating_add(1);
                let update = tracker.apply(&conclusion);
                let told = Told { session_id: id.as_deref(), frame: *frame, update: &update, tracker };
                if self.written.is_ok() {
                    self.written = ndjson::write_changes(self.out, &told);
                }
            }
        }
        self.flush()
    }
}
