//! The changes of every card, as the reading goes on.

use std::collections::HashMap;

use cardfold::{Card, Change, Evidence, FrameKind, Outcome, Rule, State};
use cardfold_replay::Event;

use crate::explain::difference::{Difference, differences};

/// The cards of all sessions.
#[derive(Default)]
pub(crate) struct Histories {
    /// By session, as the report has them.
    sessions: Vec<SessionHistory>,
    /// Names of files, once each.
    files: Vec<String>,
}

#[derive(Default)]
struct SessionHistory {
    cards: Vec<History>,
    by_id: HashMap<String, usize>,
}

/// One card and its changes.
pub(crate) struct History {
    /// As it is now, or as it last was.
    pub(crate) card: Card,
    /// It is drawn now.
    pub(crate) drawn: bool,
    /// In the order of the frames.
    pub(crate) steps: Vec<Step>,
}

/// What one frame did to one card.
pub(crate) struct Step {
    /// The number of the frame in its session.
    pub(crate) frame: u64,
    /// File and line; none for what the store says beside its lines, and for the end of the session.
    place: Option<(usize, u64)>,
    pub(crate) kind: FrameKind,
    pub(crate) time_ms: Option<i64>,
    pub(crate) rule: Rule,
    pub(crate) change: ChangeWord,
    /// None where the card was not drawn.
    pub(crate) before: Option<Standing>,
    /// None where the card is not drawn.
    pub(crate) after: Option<Standing>,
    pub(crate) also: Vec<Difference>,
}

/// How a card reads.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Standing {
    pub(crate) state: State,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) evidence: Evidence,
}

/// What an update says of a card.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ChangeWord {
    Changed,
    Opened,
    Removed,
}

impl ChangeWord {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Opened => "opened",
            Self::Removed => "removed",
        }
    }
}

/// A card by its place: session, and card in it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Chosen {
    pub(crate) session: usize,
    pub(crate) card: usize,
}

impl Histories {
    /// Takes what a frame changed.
    pub(crate) fn take(&mut self, event: &Event<'_>) {
        for change in &event.update.changes {
            match change {
                Change::Changed(key) | Change::Opened(key) => {
                    let card = event.tracker.card_at(*key).expect("an update names cards that its tracker holds");
                    let word =
                        if matches!(change, Change::Opened(_)) { ChangeWord::Opened } else { ChangeWord::Changed };
                    self.note(event, word, card);
                }
                Change::Removed(card) => self.note(event, ChangeWord::Removed, (**card).clone()),
            }
        }
    }

    fn note(&mut self, event: &Event<'_>, change: ChangeWord, card: Card) {
        let place = event.place.map(|place| (self.file(place.file), place.line));
        if self.sessions.len() <= event.session {
            self.sessions.resize_with(event.session.saturating_add(1), SessionHistory::default);
        }
        let SessionHistory { cards, by_id } = &mut self.sessions[event.session];
        let known = by_id.get(&card.dispatch_id).copied();
        let number = known.unwrap_or(cards.len());
        if known.is_none() {
            by_id.insert(card.dispatch_id.clone(), number);
            cards.push(History { card: card.clone(), drawn: false, steps: Vec::new() });
        }
        let history = &mut cards[number];
        let drawn = change != ChangeWord::Removed;
        history.steps.push(Step {
            frame: event.number,
            place,
            kind: event.update.kind,
            time_ms: event.frame.and_then(|frame| frame.timestamp_ms),
            rule: event.update.rule,
            change,
            before: history.drawn.then(|| Standing::of(&history.card)),
            after: drawn.then(|| Standing::of(&card)),
            also: differences(&history.card, &card),
        });
        history.card = card;
        history.drawn = drawn;
    }

    /// The place of a file's name. Lines of one file come one after the other.
    fn file(&mut self, name: &str) -> usize {
        let known = self.files.iter().rposition(|file| file == name);
        known.unwrap_or_else(|| {
            self.files.push(name.to_owned());
            self.files.len().saturating_sub(1)
        })
    }

    /// File and line of a step.
    pub(crate) fn place(&self, step: &Step) -> Option<(&str, u64)> {
        step.place.map(|(file, line)| (self.files[file].as_str(), line))
    }

    /// The cards of a session, in the order in which they were first seen.
    pub(crate) fn cards(&self, session: usize) -> &[History] {
        self.sessions.get(session).map_or(&[], |session| &session.cards)
    }

    /// The place of a session's card.
    pub(crate) fn find(&self, session: usize, dispatch_id: &str) -> Option<Chosen> {
        let card = *self.sessions.get(session)?.by_id.get(dispatch_id)?;
        Some(Chosen { session, card })
    }

    /// Every card of so many sessions.
    pub(crate) fn all(&self, sessions: usize) -> Vec<Chosen> {
        let of_session = |session| (0..self.cards(session).len()).map(move |card| Chosen { session, card });
        (0..sessions).flat_map(of_session).collect()
    }

    pub(crate) fn history(&self, chosen: Chosen) -> &History {
        &self.cards(chosen.session)[chosen.card]
    }
}

impl History {
    /// The place of the last step that changed how the card reads, or whether it is drawn.
    pub(crate) fn decided_by(&self) -> Option<usize> {
        self.steps.iter().rposition(Step::decides)
    }
}

impl Step {
    /// It changed how the card reads, or whether it is drawn.
    pub(crate) fn decides(&self) -> bool {
        self.before != self.after
    }
}

impl Standing {
    pub(crate) fn of(card: &Card) -> Self {
        Self { state: card.state, outcome: card.outcome, evidence: card.evidence }
    }
}
