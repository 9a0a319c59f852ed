//! How much a tracker remembers. Knows no agent and no frame.

use serde::{Deserialize, Serialize};

/// The caps of a tracker (R26): past each the oldest goes, is counted, and a repeat of it may count again.
///
/// ```
/// use cardfold::{CardTracker, Limits};
///
/// let mut limits = Limits::default();
/// limits.cards = 100;
/// let tracker = CardTracker::with_limits(limits);
/// assert_eq!(tracker.limits().cards, 100);
/// ```
///
/// A cap of 0 is read as 1: a tracker that remembers nothing cannot fold.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Limits {
    /// Cards. Settled ones go first, a running one only when nothing else is left. 16,384: no known session has more.
    pub cards: usize,
    /// Ids of calls. 1,048,576: a week of calls at two a second.
    pub call_ids: usize,
    /// Uuids of frames. 65,536: repeats come close behind the original, or by call id.
    pub frame_uuids: usize,
    /// Texts of notices. 4,096: a notice is stored at most three times within a few lines.
    pub notice_texts: usize,
    /// Calls and results whose agent or call is not known yet. 4,096: they wait for a frame that is nearly here.
    pub orphan_calls: usize,
    /// Agents that no dispatch names yet. 1,024, for the same reason.
    pub unlinked_rows: usize,
    /// Nested rows of one card. 4,096: more than a client lets one agent start.
    pub nested_rows: usize,
    /// Ids of calls that name an agent without being its dispatch, and ids of tasks that are no agents. 16,384.
    pub aliases: usize,
    /// Permission requests that nobody has answered. 1,024: a person answers them.
    pub open_requests: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            cards: 16_384,
            call_ids: 1_048_576,
            frame_uuids: 65_536,
            notice_texts: 4_096,
            orphan_calls: 4_096,
            unlinked_rows: 1_024,
            nested_rows: 4_096,
            aliases: 16_384,
            open_requests: 1_024,
        }
    }
}

/// How many removals `changed_since` remembers (R25).
pub(crate) const REMOVALS: usize = 4_096;

/// Levels over which a row's state is passed up to its card (R6).
pub(crate) const LEVELS: u32 = 64;

/// Calls that a card shows (section 2).
pub(crate) const TAIL: usize = 4;

/// Annotations of a card, and bytes of one (section 2).
pub(crate) const ANNOTATIONS: usize = 16;
pub(crate) const ANNOTATION_BYTES: usize = 1_024;

/// Names of one kind that lead to one agent, before the oldest is given up: an agent has one, and one more a run.
pub(crate) const NAMES: usize = 64;
