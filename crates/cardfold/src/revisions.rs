//! The list of cards by revision: the one that changed last at its end (R25). Knows no frame.

use serde::{Deserialize, Serialize};

use crate::agent::AgentId;
use crate::tracker::CardTracker;

/// The cards in the order of their last change, by the slots of their agents.
///
/// It stands beside the agents and not in them: a change takes a card from between two others, which are asked for
/// nothing else.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Revisions {
    cards: Vec<Place>,
    newest: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
struct Place {
    /// The tracker's revision at the card's last change; 0 where there was none.
    revision: u64,
    older: Option<u32>,
    newer: Option<u32>,
}

impl Revisions {
    /// The revision at the last change of a card.
    pub(crate) fn of(&self, card: AgentId) -> u64 {
        self.cards.get(card.slot as usize).map_or(0, |place| place.revision)
    }

    /// Slots of the cards that changed after a revision, with their own, the newest first.
    pub(crate) fn after(&self, revision: u64) -> impl Iterator<Item = (u32, u64)> + '_ {
        let mut at = self.newest;
        std::iter::from_fn(move || {
            let slot = at?;
            let place = self.cards.get(slot as usize)?;
            at = place.older;
            (place.revision > revision).then_some((slot, place.revision))
        })
    }

    /// The card changed: it goes to the end of the list.
    fn raise(&mut self, slot: u32, revision: u64) {
        if self.newest != Some(slot) {
            self.unlink(slot);
            let last = self.newest.replace(slot);
            if let Some(last) = last {
                self.cards[last as usize].newer = Some(slot);
            }
            if self.cards.len() <= slot as usize {
                self.cards.resize(slot as usize + 1, Place::default());
            }
            self.cards[slot as usize].older = last;
        }
        self.cards[slot as usize].revision = revision;
    }

    /// The card is in the list no longer.
    fn unlink(&mut self, slot: u32) {
        let Some(place) = self.cards.get_mut(slot as usize) else { return };
        let (older, newer) = (place.older.take(), place.newer.take());
        if let Some(older) = older {
            self.cards[older as usize].newer = newer;
        }
        match newer {
            Some(newer) => self.cards[newer as usize].older = older,
            None if self.newest == Some(slot) => self.newest = older,
            None => {}
        }
    }
}

impl CardTracker {
    /// The card changed.
    pub(crate) fn raise_revision(&mut self, id: AgentId) {
        self.revision += 1;
        self.revisions.raise(id.slot, self.revision);
    }

    /// The card is drawn no longer.
    pub(crate) fn unlink_revision(&mut self, id: AgentId) {
        self.revisions.unlink(id.slot);
    }

    /// There is no such card any more; another one may get its slot.
    pub(crate) fn forget_revision(&mut self, id: AgentId) {
        self.revisions.unlink(id.slot);
        if let Some(place) = self.revisions.cards.get_mut(id.slot as usize) {
            place.revision = 0;
        }
    }
}
