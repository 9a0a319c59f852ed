//! What the frame at hand changed: the faces of cards and rows before it, held against those after it (R25).
//! Knows no frame.

use cardfold_wire::List;
use smallvec::SmallVec;

use crate::agent::{Agent, AgentId, Bounded, Standing};
use crate::card::{CallStatus, Card, CardUsage, Excerpt, Kind, Outcome, State};
use crate::limits::{REMOVALS, TAIL};
use crate::run::Reading;
use crate::table::Key;
use crate::tracker::CardTracker;
use crate::update::{CardKey, Change};

/// What was seen before the frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before {
    cards: Vec<(AgentId, Option<CardFace>)>,
    rows: Vec<(AgentId, AgentId, RowFace)>,
    texts: Vec<OldText>,
    dirty: Vec<AgentId>,
    retired: Vec<Card>,
}

/// What an agent's text was.
type OldText = (AgentId, Field, Option<Bounded>);

/// A text of a card or a row.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Field {
    Activity,
    AgentType,
    DispatchId,
    Error,
    Model,
    Name,
    NeedsInput,
    Report,
    TaskId,
}

impl Field {
    /// Rows show fewer texts than cards.
    fn is_shown_by_row(self) -> bool {
        match self {
            Self::AgentType | Self::DispatchId | Self::Name | Self::TaskId => true,
            Self::Activity | Self::Error | Self::Model | Self::NeedsInput | Self::Report => false,
        }
    }
}

/// Everything of a card's JSON but its texts and rows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct CardFace {
    reading: Reading,
    kind: Kind,
    backgrounded: bool,
    started_at_ms: Option<i64>,
    ended_at_ms: Option<i64>,
    calls: u64,
    open_calls: u32,
    failed_calls: u64,
    tail: [(Key, Option<CallStatus>); TAIL],
    usage: Option<CardUsage>,
    runs: u32,
}

/// Everything of a row's JSON but its texts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct RowFace {
    state: State,
    outcome: Option<Outcome>,
    calls: u32,
    usage: Option<CardUsage>,
    depth: u32,
    parent: Option<AgentId>,
}

impl CardTracker {
    /// The agent, to be written to; how it looked before the frame is noted.
    #[inline]
    pub(crate) fn edit(&mut self, id: AgentId) -> &mut Agent {
        self.touch(id);
        &mut self.agents[id]
    }

    /// Notes how an agent, and the card it stands under, look before they change.
    #[inline]
    pub(crate) fn touch(&mut self, id: AgentId) {
        if self.agents[id].touched != self.at {
            self.touch_first(id);
        }
    }

    fn touch_first(&mut self, id: AgentId) {
        match self.agents[id].standing {
            Standing::Card => {
                let face = self.card_face(id);
                self.before.cards.push((id, Some(face)));
            }
            Standing::Row { top, .. } => {
                let face = self.row_face(id);
                self.before.rows.push((id, top, face));
                self.touch(top);
            }
            Standing::Unlinked => {}
        }
        self.agents[id].touched = self.at;
    }

    /// A card that was not there before the frame.
    pub(crate) fn touch_new_card(&mut self, id: AgentId) {
        self.before.cards.push((id, None));
        self.agents[id].touched = self.at;
    }

    /// The list of rows of a card changes.
    pub(crate) fn touch_rows(&mut self, card: AgentId) {
        self.touch(card);
        self.before.dirty.push(card);
    }

    /// A card goes: it is rendered as it was before the frame.
    pub(crate) fn retire(&mut self, id: AgentId) {
        self.touch(id);
        let Some(at) = self.before.cards.iter().position(|(card, _)| *card == id) else { return };
        let (_, face) = self.before.cards.swap_remove(at);
        if let Some(face) = face
            && face.reading.drawn
        {
            let card = self.card_before(id, face, &self.before.texts);
            self.before.retired.push(card);
        }
    }

    /// Replaces a text; the old one is kept until the frame is over.
    pub(crate) fn set_text(&mut self, id: AgentId, field: Field, text: Option<Bounded>) {
        if Text::of(&mut self.agents[id], field).is(text.as_ref()) {
            return;
        }
        self.touch(id);
        let old = Text::of(&mut self.agents[id], field).replace(text);
        if !self.before.texts.iter().any(|(agent, f, _)| *agent == id && *f == field) {
            self.before.texts.push((id, field, old));
        }
    }

    /// Ends the frame: what changed, in the order of the list; revisions rise (R25).
    pub(crate) fn finish_changes(&mut self) -> List<Change> {
        let mut changes = List::new();
        if self.before.is_untouched() {
            return changes;
        }
        self.note_dirty();
        self.removals(&mut changes);
        let mut changed: SmallVec<[(u64, AgentId, bool); 2]> = SmallVec::new();
        for (noted, face) in &self.before.cards {
            let Some(id) = self.agents.find(*noted) else { continue };
            let agent = &self.agents[id];
            let Some(card) = agent.card.as_ref().filter(|_| agent.reading.drawn) else { continue };
            let was_drawn = face.is_some_and(|face| face.reading.drawn);
            if !was_drawn || self.before.dirty.contains(noted) || Some(self.card_face(id)) != *face {
                changed.push((card.place, id, was_drawn));
            }
        }
        changed.sort_unstable();
        for (_, id, was_drawn) in changed {
            self.raise_revision(id);
            let key = CardKey::of(id);
            changes.push(if was_drawn { Change::Changed(key) } else { Change::Opened(key) });
        }
        self.before.empty();
        changes
    }

    /// Notes the cards whose rows or texts differ.
    fn note_dirty(&mut self) {
        for at in 0..self.before.rows.len() {
            let (id, top, face) = &self.before.rows[at];
            if self.agents.get(*id).is_none_or(|agent| !is_row_of(agent, *top)) || self.row_face(*id) != *face {
                self.before.dirty.push(*top);
            }
        }
        for (id, field, old) in &self.before.texts {
            let Some(agent) = self.agents.get_mut(*id) else { continue };
            let top = match agent.standing {
                Standing::Card => *id,
                Standing::Row { top, .. } if field.is_shown_by_row() => top,
                Standing::Row { .. } | Standing::Unlinked => continue,
            };
            // A settled card shows no activity; whether it was settled before, its face tells.
            let hidden = *field == Field::Activity && agent.reading.is_settled();
            if !hidden && !Text::of(agent, *field).is(old.as_ref()) {
                self.before.dirty.push(top);
            }
        }
    }

    /// Cards that were drawn before the frame and are not now.
    fn removals(&mut self, changes: &mut List<Change>) {
        let mut gone = std::mem::take(&mut self.before.retired);
        for at in 0..self.before.cards.len() {
            let (id, ref face) = self.before.cards[at];
            if let Some(face) = face.as_ref().filter(|face| face.reading.drawn)
                && self.agents.get(id).is_some_and(|agent| !agent.reading.drawn)
            {
                gone.push(self.card_before(id, *face, &self.before.texts));
                self.unlink_revision(id);
            }
        }
        for card in gone {
            self.revision += 1;
            self.removed.push_back((self.revision, card.dispatch_id.clone()));
            if self.removed.len() > REMOVALS {
                self.forgotten_removals = self.removed.pop_front().map_or(0, |(revision, _)| revision);
            }
            changes.push(Change::Removed(Box::new(card)));
        }
    }

    /// The card with what it showed before the frame; its texts and rows are those of now.
    fn card_before(&self, id: AgentId, face: CardFace, texts: &[OldText]) -> Card {
        let mut card = self.render(id);
        card.state = face.reading.state;
        card.running = !face.reading.is_settled();
        card.outcome = face.reading.outcome;
        card.failed = face.reading.outcome.is_some_and(Outcome::is_failed);
        card.evidence = face.reading.evidence;
        card.inferred = face.reading.evidence.is_inferred();
        card.kind = face.kind;
        card.backgrounded = face.backgrounded;
        card.started_at_ms = face.started_at_ms;
        card.ended_at_ms = face.ended_at_ms;
        card.calls = face.calls;
        card.open_calls = u64::from(face.open_calls);
        card.failed_calls = face.failed_calls;
        card.usage = face.usage;
        card.runs = face.runs;
        restore_texts(&mut card, id, texts);
        card
    }

    fn card_face(&self, id: AgentId) -> CardFace {
        let agent = &self.agents[id];
        let card = agent.card.as_deref();
        let mut tail = [(0, None); TAIL];
        for (slot, entry) in tail.iter_mut().zip(&agent.tail) {
            *slot = (entry.key, Some(self.tail_status(entry, id)));
        }
        CardFace {
            reading: agent.reading,
            kind: agent.kind,
            backgrounded: agent.backgrounded(),
            started_at_ms: agent.started_at_ms,
            ended_at_ms: agent.run.ended_at_ms(agent.reading),
            calls: card.map_or(0, |card| card.calls),
            open_calls: if agent.reading.is_settled() { 0 } else { agent.open },
            failed_calls: card.map_or(0, |card| card.failed_calls),
            tail,
            usage: agent.usage.shown(),
            runs: agent.runs,
        }
    }

    fn row_face(&self, id: AgentId) -> RowFace {
        let agent = &self.agents[id];
        RowFace {
            state: agent.reading.state,
            outcome: agent.reading.outcome,
            calls: agent.own_calls,
            usage: agent.usage.shown(),
            depth: agent.depth(),
            parent: agent.parent,
        }
    }
}

impl Before {
    /// The frame has touched no card and no row.
    fn is_untouched(&self) -> bool {
        self.cards.is_empty()
            && self.rows.is_empty()
            && self.texts.is_empty()
            && self.dirty.is_empty()
            && self.retired.is_empty()
    }

    /// The buffers stay for the next frame.
    fn empty(&mut self) {
        self.cards.clear();
        self.rows.clear();
        self.texts.clear();
        self.dirty.clear();
    }
}

fn is_row_of(agent: &Agent, card: AgentId) -> bool {
    match agent.standing {
        Standing::Row { top, .. } => top == card,
        Standing::Card | Standing::Unlinked => false,
    }
}

fn restore_texts(card: &mut Card, id: AgentId, texts: &[OldText]) {
    for (_, field, old) in texts.iter().filter(|(agent, _, _)| *agent == id) {
        let text = old.as_ref().map(|old| old.text.to_string());
        let excerpt = old.as_ref().map(|old| Excerpt { text: old.text.to_string(), truncated: old.truncated });
        match field {
            Field::Activity => card.activity = text,
            Field::AgentType => card.agent_type = text,
            Field::DispatchId => card.dispatch_id = text.unwrap_or_default(),
            Field::Error => card.error = excerpt,
            Field::Model => card.model = text,
            Field::Name => card.name = text.unwrap_or_default(),
            Field::NeedsInput => card.needs_input = text,
            Field::Report => card.report = excerpt,
            Field::TaskId => card.task_id = text,
        }
    }
}

/// The place of a text in an agent: on one line, or bounded.
enum Text<'a> {
    Bounded(&'a mut Option<Box<Bounded>>),
    Line(&'a mut Option<Box<str>>),
    /// The agent has no such text.
    Nowhere,
}

impl<'a> Text<'a> {
    fn of(agent: &'a mut Agent, field: Field) -> Self {
        match field {
            Field::Activity => Self::Line(&mut agent.activity),
            Field::AgentType => Self::Line(&mut agent.agent_type.text),
            Field::DispatchId => Self::Line(&mut agent.dispatch_id),
            Field::Error => Self::Bounded(&mut agent.error),
            Field::Model => Self::Line(&mut agent.model.text),
            Field::Name => Self::Line(&mut agent.name.text),
            Field::NeedsInput => agent.card.as_mut().map_or(Self::Nowhere, |card| Self::Line(&mut card.needs_input)),
            Field::Report => Self::Bounded(&mut agent.report),
            Field::TaskId => Self::Line(&mut agent.task_id),
        }
    }

    fn is(&self, other: Option<&Bounded>) -> bool {
        match self {
            Self::Bounded(slot) => slot.as_deref() == other,
            Self::Line(slot) => slot.as_deref() == other.map(|other| &*other.text),
            Self::Nowhere => true,
        }
    }

    fn replace(self, text: Option<Bounded>) -> Option<Bounded> {
        match self {
            Self::Bounded(slot) => std::mem::replace(slot, text.map(Box::new)).map(|old| *old),
            Self::Line(slot) => {
                std::mem::replace(slot, text.map(|text| text.text)).map(|text| Bounded { text, truncated: false })
            }
            Self::Nowhere => None,
        }
    }
}
