//! The list of cards by revision: the one that changed last at its end (R25). Knows no frame.

use crate::agent::AgentId;
use crate::tracker::CardTracker;

impl CardTracker {
    /// The card changed: it goes to the end of the list.
    pub(crate) fn raise_revision(&mut self, id: AgentId) {
        self.revision += 1;
        if self.newest_change == Some(id) {
            if let Some(part) = self.agents[id].card.as_mut() {
                part.revision = self.revision;
            }
            return;
        }
        self.unlink_revision(id);
        let (revision, last) = (self.revision, self.newest_change);
        let Some(part) = self.agents[id].card.as_mut() else { return };
        part.revision = revision;
        part.older = last;
        if let Some(part) = last.and_then(|last| self.agents.get_mut(last)).and_then(|agent| agent.card.as_mut()) {
            part.newer = Some(id);
        }
        self.newest_change = Some(id);
    }

    /// The card is in the list no longer: it is not drawn, or it goes.
    pub(crate) fn unlink_revision(&mut self, id: AgentId) {
        let Some(part) = self.agents.get_mut(id).and_then(|agent| agent.card.as_mut()) else { return };
        let (older, newer) = (part.older.take(), part.newer.take());
        if let Some(part) = older.and_then(|older| self.agents.get_mut(older)).and_then(|agent| agent.card.as_mut()) {
            part.newer = newer;
        }
        if let Some(part) = newer.and_then(|newer| self.agents.get_mut(newer)).and_then(|agent| agent.card.as_mut()) {
            part.older = older;
        }
        if self.newest_change == Some(id) {
            self.newest_change = older;
        }
    }
}
