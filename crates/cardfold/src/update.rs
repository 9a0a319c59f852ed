//! What one frame changed. Knows no card's insides.

use std::num::NonZeroU32;

use cardfold_wire::List;

use crate::agent::AgentId;
use crate::card::Card;

/// The answer of `apply`: which cards one frame changed, and why (R25).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Update {
    /// What sort of frame it was.
    pub kind: FrameKind,
    /// The rule that decided; [`Rule::None`] where nothing was to decide.
    pub rule: Rule,
    /// The cards that changed, each once, in the order of the list of cards (removed ones first).
    pub changes: List<Change>,
}

/// One card that a frame changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The card was drawn before the frame, and its JSON without `revision` differs now.
    Changed(CardKey),
    /// The card is drawn, and was not before the frame.
    Opened(CardKey),
    /// The card was drawn before the frame and is not now: R18.11, a row that turned out to be nested or no agent, or
    /// an eviction. The card is given as it last was.
    Removed(Box<Card>),
}

/// Names one card of one tracker: cheap to copy and to look up. The key of a card that was removed names nothing.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct CardKey(pub(crate) u64);

impl CardKey {
    pub(crate) fn of(agent: AgentId) -> Self {
        Self(u64::from(agent.slot) << 32 | u64::from(agent.age.get()))
    }

    pub(crate) fn agent(self) -> AgentId {
        let half = |bits: u64| u32::try_from(bits & 0xffff_ffff).expect("a half of 64 bits is 32 bits");
        let age = NonZeroU32::new(half(self.0)).expect("a key is made of an id");
        AgentId { slot: half(self.0 >> 32), age }
    }
}

/// What sort of frame an [`Update`] was about.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum FrameKind {
    /// A message of the model.
    Assistant,
    /// `background_tasks_changed`.
    BackgroundTasks,
    /// The end of the session, stated by the host (R28).
    EndSession,
    /// `<task-notification>` blocks of a queue operation or an attachment.
    Notices,
    /// A permission request, its answer, or a refusal.
    Permission,
    /// A frame that says nothing of sub-agents.
    Quiet,
    /// What a dialect says of an agent beside the other kinds.
    Remark,
    /// The sidecar of an agent.
    Sidecar,
    /// `task_notification`.
    TaskNotification,
    /// `task_progress`.
    TaskProgress,
    /// `task_started`.
    TaskStarted,
    /// `task_updated`.
    TaskUpdated,
    /// `tool_progress`.
    ToolProgress,
    /// `result`: the end of a turn.
    TurnResult,
    /// A type that this build does not know.
    Unknown,
    /// A user turn or the results of calls.
    User,
}

/// The rules of the contract, for hosts that explain (R25).
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[expect(missing_docs, reason = "the names are the contract's rule numbers; the crate docs list them")]
pub enum Rule {
    /// No rule had anything to decide.
    #[default]
    None,
    R1,
    R2,
    R3,
    R4,
    R5,
    R6,
    R7,
    R8,
    R9,
    R10,
    R11,
    R12,
    R13,
    R14,
    R15,
    R16,
    R17,
    R18,
    R19,
    R20,
    R21,
    R22,
    R23,
    R24,
    R25,
    R26,
    R27,
    R28,
}
