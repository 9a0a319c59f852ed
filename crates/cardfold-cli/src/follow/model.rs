//! What the screen shows: cards, which of them is chosen or open, the filter, and where the eye is. Knows no terminal.

use std::collections::HashMap;
use std::mem;

use cardfold::{Card, CardChange, CardTracker, State};

use crate::escape::Escaped;
use crate::follow::card_lines;
use crate::follow::keys::{Action, Mode, Step};
use crate::follow::page;
use crate::follow::sessions::{Sessions, Stage};
use crate::follow::text::Styles;
use crate::follow::view::{self, Counts};

/// The model of the view.
#[derive(Debug, Default)]
pub(crate) struct Model {
    sessions: Vec<Listed>,
    /// What is followed, as it was named.
    pub(crate) source: String,
    pub(crate) stage: Stage,
    pub(crate) skipped: u64,
    pub(crate) not_followed: u64,
    /// The time in the session.
    pub(crate) now_ms: i64,
    turn: u64,
    /// The words that a card must have; what is typed so far.
    pub(crate) filter: String,
    is_typing: bool,
    /// The card that is chosen; none where the newest are to be in sight.
    chosen: Option<Place>,
    is_open: bool,
    /// Calls that a card which goes on shows.
    calls: usize,
    /// Lines above the screen: of the list, and of the open card.
    top: usize,
    page_top: usize,
}

/// The cards of one session.
#[derive(Debug, Default)]
struct Listed {
    id: Option<String>,
    source: String,
    revision: u64,
    /// The cards were those of a tracker that knows conclusions.
    is_concluded: bool,
    cards: Vec<Entry>,
    by_id: HashMap<String, usize>,
}

/// A card in the list.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) card: Card,
    /// When it was first seen, in the time of the session: of agents whose start no frame states.
    seen_ms: i64,
    /// When its current run was seen to begin, if it was.
    run_ms: Option<i64>,
}

impl Entry {
    fn new(card: Card, now_ms: i64) -> Self {
        Self { card, seen_ms: now_ms, run_ms: None }
    }

    /// Takes the card as it is now.
    fn take(&mut self, card: Card, now_ms: i64) {
        if card.runs > self.card.runs {
            self.run_ms = Some(now_ms);
        }
        self.card = card;
    }

    /// Milliseconds since its run began, if that goes on.
    pub(crate) fn elapsed_ms(&self, now_ms: i64) -> Option<u64> {
        let began = self.run_ms.or(self.card.started_at_ms).unwrap_or(self.seen_ms);
        self.card.running.then(|| u64::try_from(now_ms.saturating_sub(began)).unwrap_or(0))
    }
}

/// A card, by session and dispatch.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Place {
    session: usize,
    dispatch_id: String,
}

/// A row of the list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Row<'m> {
    Card {
        entry: &'m Entry,
        session: usize,
        is_chosen: bool,
    },
    /// The session whose cards follow, where there are several.
    Session(&'m str),
}

impl Model {
    pub(crate) fn new(source: String) -> Self {
        Self { source, ..Self::default() }
    }

    /// Takes what has changed.
    pub(crate) fn update(&mut self, sessions: &Sessions, here_ms: i64) {
        // Revisions count from the start again; of a card that is the same one it stands how long it has been seen.
        let is_anew = mem::replace(&mut self.turn, sessions.turn) != sessions.turn;
        self.now_ms = sessions.clock.at(here_ms);
        self.stage.clone_from(&sessions.stage);
        self.skipped = sessions.skipped;
        self.not_followed = sessions.not_followed;
        self.sessions.resize_with(sessions.all.len(), Listed::default);
        for (listed, session) in self.sessions.iter_mut().zip(&sessions.all) {
            listed.id.clone_from(&session.id);
            listed.source.clone_from(&session.source);
            match &session.concluded {
                Some(tracker) => listed.take_all(tracker, self.now_ms),
                None if listed.is_concluded || is_anew => listed.take_all(&session.tracker, self.now_ms),
                None => listed.take(&session.tracker, self.now_ms),
            }
            listed.is_concluded = session.concluded.is_some();
        }
        if self.chosen.as_ref().is_some_and(|place| self.find(place).is_none()) {
            self.chosen = None;
            self.is_open = false;
        }
    }

    /// Something on the screen changes with time alone.
    pub(crate) fn moves(&self) -> bool {
        self.entries().any(|entry| entry.card.running)
    }

    pub(crate) fn mode(&self) -> Mode {
        match (self.is_typing, self.is_open) {
            (true, _) => Mode::Filter,
            (false, true) => Mode::Page,
            (false, false) => Mode::List,
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for Entry { card, .. } in self.entries() {
            match (card.state, card.failed) {
                (State::Queued, _) => counts.queued += 1,
                (State::Running, _) => counts.running += 1,
                (State::Waiting, _) => counts.waiting += 1,
                (State::Settled, false) => counts.done += 1,
                (State::Settled, true) => counts.failed += 1,
            }
        }
        counts
    }

    /// The rows that pass the filter.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let has_several = self.sessions.len() > 1;
        let words: Vec<String> = self.filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
        self.sessions.iter().enumerate().flat_map(move |(session, listed)| {
            let heading = has_several.then(|| Row::Session(listed.id.as_deref().unwrap_or(&listed.source)));
            let words = words.clone();
            let passing = listed.cards.iter().filter(move |entry| passes(&entry.card, &words));
            let rows =
                passing.map(move |entry| Row::Card { entry, session, is_chosen: self.is_chosen(session, entry) });
            heading.into_iter().chain(rows)
        })
    }

    /// The card that is open.
    pub(crate) fn open_card(&self) -> Option<&Entry> {
        self.chosen.as_ref().filter(|_| self.is_open).and_then(|place| self.find(place))
    }

    /// How many of its last calls a card shows.
    pub(crate) fn calls(&self) -> usize {
        self.calls
    }

    /// Lines above the screen.
    pub(crate) fn top(&self) -> usize {
        if self.is_open { self.page_top } else { self.top }
    }

    /// Scrolls so that what is to be seen is on a screen of so many lines and columns.
    pub(crate) fn fit(&mut self, width: u16, height: u16) {
        let height = usize::from(view::body_height(height)).max(1);
        if let Some(entry) = self.open_card() {
            let lines = page::lines(entry, self.now_ms, usize::from(width), Styles::plain()).len();
            self.page_top = self.page_top.min(lines.saturating_sub(height));
            return;
        }
        self.calls = self.calls_in_sight(height);
        let (mut total, mut chosen) = (0_usize, None);
        for row in self.rows() {
            let lines = view::height(&row, self.calls);
            if matches!(row, Row::Card { is_chosen: true, .. }) {
                chosen = Some((total, lines));
            }
            total = total.saturating_add(lines);
        }
        let lowest = total.saturating_sub(height);
        self.top = match chosen {
            None => lowest,
            // The whole card if it fits, else its first line.
            Some((begin, lines)) => {
                let end = begin.saturating_add(lines);
                self.top.max(end.saturating_sub(height)).min(begin).min(lowest)
            }
        };
    }

    /// Does what a key asks of the view; `height` is that of the screen.
    pub(crate) fn act(&mut self, action: Action, height: u16) {
        let page = usize::from(view::body_height(height)).saturating_sub(1).max(1);
        match action {
            Action::Back if self.is_open => self.is_open = false,
            Action::Back => {
                self.chosen = None;
                self.filter.clear();
            }
            Action::DropFilter => {
                self.is_typing = false;
                self.filter.clear();
            }
            Action::Erase => drop(self.filter.pop()),
            Action::Filter => {
                self.is_open = false;
                self.is_typing = true;
            }
            Action::KeepFilter => self.is_typing = false,
            Action::Move(step) if self.is_open => {
                self.page_top = match step {
                    Step::Down => self.page_top.saturating_add(1),
                    Step::First => 0,
                    Step::Last => usize::MAX,
                    Step::PageDown => self.page_top.saturating_add(page),
                    Step::PageUp => self.page_top.saturating_sub(page),
                    Step::Up => self.page_top.saturating_sub(1),
                };
            }
            Action::Move(step) => self.choose(step, page),
            Action::Open => {
                if self.chosen.is_none() {
                    self.choose(Step::Up, page);
                }
                self.is_open = self.chosen.is_some();
                self.page_top = 0;
            }
            Action::Type(c) => self.filter.push(c),
            Action::Quit | Action::Repaint | Action::Suspend => {}
        }
    }

    /// How many calls each card may show so that all which go on are in sight on so many lines. Where many go on, that they
    /// do says more than the calls of a few of them.
    fn calls_in_sight(&self, height: usize) -> usize {
        let (mut lines, mut calls) = (0_usize, [0_usize; card_lines::CALLS]);
        for row in self.rows() {
            let Row::Card { entry: Entry { card, .. }, .. } = row else { continue };
            if matches!(card.state, State::Running | State::Waiting) {
                lines = lines.saturating_add(card_lines::height(card, 0));
                calls.iter_mut().take(card.tail.len()).for_each(|cards| *cards = cards.saturating_add(1));
            }
        }
        let more = calls.iter().take_while(|cards| {
            lines = lines.saturating_add(**cards);
            lines <= height
        });
        more.count()
    }

    fn choose(&mut self, step: Step, page: usize) {
        let (mut places, mut at) = (Vec::new(), None);
        for row in self.rows() {
            let Row::Card { entry, session, is_chosen } = row else { continue };
            if is_chosen {
                at = Some(places.len());
            }
            let place = Place { session, dispatch_id: entry.card.dispatch_id.clone() };
            places.push((place, view::height(&row, self.calls)));
        }
        let Some(last) = places.len().checked_sub(1) else { return };
        // A page is as many cards as stand on a screen.
        let cards = |places: &mut dyn Iterator<Item = usize>| {
            let mut lines = 0_usize;
            places
                .take_while(|height| {
                    lines = lines.saturating_add(*height);
                    lines <= page
                })
                .count()
                .max(1)
        };
        let now = at.unwrap_or(last);
        let next = match (step, at) {
            (Step::Last, _) => None,
            (Step::First, _) => Some(0),
            // Where no card is chosen the newest are in sight: the last one is next to them.
            (Step::Up | Step::Down, None) => Some(last),
            (Step::Up, Some(at)) => Some(at.saturating_sub(1)),
            (Step::Down, Some(at)) => Some(at.saturating_add(1).min(last)),
            (Step::PageUp, _) => {
                let count = cards(&mut places[..now].iter().rev().map(|(_, height)| *height));
                Some(now.saturating_sub(count))
            }
            (Step::PageDown, _) => {
                let count = cards(&mut places[now..].iter().map(|(_, height)| *height));
                Some(now.saturating_add(count).min(last))
            }
        };
        self.chosen = next.map(|place| places.swap_remove(place).0);
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.sessions.iter().flat_map(|listed| &listed.cards)
    }

    fn is_chosen(&self, session: usize, entry: &Entry) -> bool {
        self.chosen
            .as_ref()
            .is_some_and(|place| place.session == session && place.dispatch_id == entry.card.dispatch_id)
    }

    fn find(&self, place: &Place) -> Option<&Entry> {
        let listed = self.sessions.get(place.session)?;
        listed.by_id.get(&place.dispatch_id).and_then(|at| listed.cards.get(*at))
    }
}

impl Listed {
    /// Takes the cards that changed.
    fn take(&mut self, tracker: &CardTracker, now_ms: i64) {
        if tracker.revision() == self.revision {
            return;
        }
        let Ok(changes) = tracker.changed_since(self.revision) else {
            self.take_all(tracker, now_ms);
            return;
        };
        for change in changes {
            let place = match &change {
                CardChange::Card(card) => self.by_id.get(&card.dispatch_id).copied(),
                CardChange::Removed { .. } => None,
            };
            match (change, place) {
                (CardChange::Card(card), Some(place)) => self.cards[place].take(*card, now_ms),
                // Where it belongs among the others only the whole list says.
                (CardChange::Card(_), None) | (CardChange::Removed { .. }, _) => {
                    self.take_all(tracker, now_ms);
                    return;
                }
            }
        }
        self.revision = tracker.revision();
    }

    fn take_all(&mut self, tracker: &CardTracker, now_ms: i64) {
        let mut before: HashMap<String, Entry> =
            self.cards.drain(..).map(|entry| (entry.card.dispatch_id.clone(), entry)).collect();
        self.cards.extend(tracker.cards().map(|card| match before.remove(&card.dispatch_id) {
            None => Entry::new(card, now_ms),
            Some(mut entry) => {
                entry.take(card, now_ms);
                entry
            }
        }));
        let ids = self.cards.iter().enumerate();
        self.by_id = ids.map(|(place, entry)| (entry.card.dispatch_id.clone(), place)).collect();
        self.revision = tracker.revision();
    }
}

/// All words stand somewhere in what the card is and how it stands.
fn passes(card: &Card, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let agent_type = card.agent_type.as_deref().unwrap_or_default();
    let outcome = card.outcome.map_or("", cardfold::Outcome::as_str);
    let kind = card.kind.as_str();
    let id = Escaped(&card.dispatch_id);
    let text = format!("{} {agent_type} {kind} {} {outcome} {id}", card.name, card.state.as_str()).to_lowercase();
    words.iter().all(|word| text.contains(word))
}
