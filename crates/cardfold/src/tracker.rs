//! The tracker: takes frames, hands out cards. What a frame means is decided in the modules it calls.

use std::collections::{BTreeMap, VecDeque};

use cardfold_wire::{Block, Body, Frame};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::agent::{AgentId, Standing};
use crate::agents::Agents;
use crate::calls::CallIds;
use crate::card::Card;
use crate::changes::Before;
use crate::diagnostics::{Diagnostics, UnknownWords};
use crate::limits::Limits;
use crate::links::Alias;
use crate::notices::Told;
use crate::requests::Request;
use crate::revisions::Revisions;
use crate::roster::StartedBy;
use crate::said::Said;
use crate::table::{Key, KeyMap, Ring, is_blank, key};
use crate::update::{CardKey, FrameKind, Rule, Update};
use crate::written::{Digest, Version};

/// Folds frames, one at a time, into one card per dispatched sub-agent.
///
/// Its methods fall into two classes. [`apply`](Self::apply) and [`end_session`](Self::end_session) take what
/// happened; everything else only looks. Nothing else changes a tracker: it has no clock, reads no file and starts no
/// thread, and the same frames in the same order give the same cards on every machine.
///
/// The cost of a frame does not grow with the session (R25); the memory is bounded by [`Limits`] (R26). A tracker can
/// be written out with serde and read back, and goes on as if nothing had happened (R27).
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct CardTracker {
    version: Version,
    digest: Digest,
    pub(crate) limits: Limits,
    /// Number of the frame at hand, from 1.
    pub(crate) at: u64,
    pub(crate) agents: Agents,
    /// Cards by their place in the list; the settled ones again, in the order in which they would be given up.
    pub(crate) cards: BTreeMap<u64, AgentId>,
    pub(crate) settled: BTreeMap<u64, AgentId>,
    pub(crate) next_place: u64,

    /// `tool_use` ids, other names of agents, task ids, and tasks that are no agents.
    pub(crate) ids: CallIds,
    pub(crate) aliases: Ring<Alias>,
    pub(crate) tasks: KeyMap<AgentId>,
    pub(crate) outsiders: Ring<()>,
    /// What came before: frames, the calls that they opened, texts of notices.
    pub(crate) uuids: Ring<()>,
    pub(crate) opened_by: Ring<SmallVec<[Key; 1]>>,
    pub(crate) notice_texts: Ring<NoticeSeen>,
    /// What waits: results for their calls, calls and agents for their links.
    pub(crate) held: Ring<Vec<Said>>,
    pub(crate) waiting_calls: u64,
    pub(crate) waiting_queue: VecDeque<Key>,
    pub(crate) unlinked_agents: u64,
    pub(crate) unlinked_queue: VecDeque<AgentId>,
    pub(crate) requests: Ring<Request>,
    pub(crate) asked_calls: Ring<Key>,
    pub(crate) last_run: u32,
    /// Agents that the level listed last.
    pub(crate) listed: Vec<AgentId>,
    /// The last frame said that this agent launches another, under this title (R6).
    pub(crate) last_launch: Option<(AgentId, Key)>,

    pub(crate) revision: u64,
    pub(crate) revisions: Revisions,
    pub(crate) removed: VecDeque<(u64, String)>,
    /// Removals up to this revision are remembered no longer.
    pub(crate) forgotten_removals: u64,
    pub(crate) counters: Diagnostics,
    pub(crate) unknown_words: UnknownWords,

    /// Of the frame at hand only.
    #[serde(skip)]
    pub(crate) before: Before,
    #[serde(skip)]
    pub(crate) to_read: Vec<AgentId>,
    /// Cards that got rows, and the card that was opened last.
    #[serde(skip)]
    pub(crate) grown: Vec<AgentId>,
    #[serde(skip)]
    pub(crate) newest_card: Option<AgentId>,
    #[serde(skip)]
    pub(crate) rule: Rule,
    #[serde(skip)]
    pub(crate) launch_seen: Option<(AgentId, Key)>,
    #[serde(skip)]
    pub(crate) session_over: bool,
}

/// When the text of a notice last counted.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct NoticeSeen {
    /// The dispatch of the agent that it was about, by number of its frame.
    pub(crate) agent: Option<u64>,
    /// The runs that this agent had.
    pub(crate) runs: u32,
}

/// What `changed_since` gives: a card as it is now, or one that is there no longer.
#[derive(Clone, Debug, PartialEq)]
pub enum CardChange {
    /// The card was opened or changed.
    Card(Box<Card>),
    /// The card was removed.
    Removed {
        /// Its dispatch id.
        dispatch_id: String,
    },
}

/// The revision is older than the removals that a tracker remembers (R25): take all cards.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TooOld;

impl std::fmt::Display for TooOld {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the revision is too old: take all cards")
    }
}

impl std::error::Error for TooOld {}

impl CardTracker {
    /// An empty tracker with the default [`Limits`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty tracker with other limits (R26).
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Takes one frame, in the order of the stream, and says what it changed (R25).
    ///
    /// It cannot fail: a frame that makes no sense changes no card, and is counted (see [`Diagnostics`]).
    pub fn apply(&mut self, frame: &Frame<'_>) -> Update {
        self.begin_frame();
        let kind = kind_of(&frame.body);
        if self.is_repeat(frame) {
            self.counters.duplicates += 1;
            self.rule = Rule::R2;
            self.launch_seen = self.last_launch;
        } else {
            self.take(frame);
            if says_nothing(&frame.body) {
                self.launch_seen = self.last_launch;
            }
        }
        self.end_frame(kind)
    }

    /// States that the conversation is over: what was never told is concluded (R28).
    ///
    /// A frame that comes afterwards and proves otherwise wins.
    pub fn end_session(&mut self) -> Update {
        self.begin_frame();
        self.counters.frames -= 1;
        self.conclude();
        self.end_frame(FrameKind::EndSession)
    }

    /// The cards that are drawn, in the order in which they were opened (R1, R18.11).
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        self.cards.values().filter(|id| self.agents[**id].reading.drawn).map(|id| self.render(*id))
    }

    /// All cards, those too that are not drawn: acknowledged, and no frame behind it (R18.11).
    pub fn all_cards(&self) -> impl Iterator<Item = Card> + '_ {
        self.cards.values().map(|id| self.render(*id))
    }

    /// How many cards are drawn. This counts them.
    #[must_use]
    pub fn drawn(&self) -> usize {
        self.cards.values().filter(|id| self.agents[**id].reading.drawn).count()
    }

    /// How many cards are not drawn (R18.11). This counts them.
    #[must_use]
    pub fn undrawn(&self) -> usize {
        self.cards.len() - self.drawn()
    }

    /// The card of a dispatch, drawn or not; a nested dispatch has none. [`owner_of_call`](Self::owner_of_call) finds
    /// the card that another id leads to.
    #[must_use]
    pub fn card(&self, dispatch_id: &str) -> Option<Card> {
        self.key_of(dispatch_id).and_then(|key| self.card_at(key))
    }

    /// The key of a dispatch's card.
    #[must_use]
    pub fn key_of(&self, dispatch_id: &str) -> Option<CardKey> {
        let agent = self.agent_named(key(dispatch_id))?;
        let agent_ref = &self.agents[agent];
        let is_its_id = agent_ref.card.is_some() && agent_ref.dispatch_id.as_deref() == Some(dispatch_id);
        is_its_id.then(|| CardKey::of(agent))
    }

    /// The card of a key from an [`Update`]; none if it has gone since.
    #[must_use]
    pub fn card_at(&self, key: CardKey) -> Option<Card> {
        let agent = self.agents.find(key.agent())?;
        self.agents[agent].card.is_some().then(|| self.render(agent))
    }

    /// The tracker's revision: it rises with every change of a card (R25).
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The cards that changed, or were removed, after a revision, in the order of their last change (R25).
    ///
    /// # Errors
    ///
    /// [`TooOld`] where more than 4,096 cards were removed since.
    pub fn changed_since(&self, revision: u64) -> Result<impl Iterator<Item = CardChange> + '_, TooOld> {
        if revision < self.forgotten_removals {
            return Err(TooOld);
        }
        let mut changes: Vec<(u64, CardChange)> = Vec::new();
        for (slot, changed_at) in self.revisions.after(revision) {
            if let Some(id) = self.agents.at_slot(slot) {
                changes.push((changed_at, CardChange::Card(Box::new(self.render(id)))));
            }
        }
        for (removed_at, dispatch_id) in self.removed.iter().rev() {
            if *removed_at <= revision {
                break;
            }
            changes.push((*removed_at, CardChange::Removed { dispatch_id: dispatch_id.clone() }));
        }
        changes.sort_by_key(|(revision, _)| *revision);
        Ok(changes.into_iter().map(|(_, change)| change))
    }

    /// The dispatch id of the card that a call belongs to, at any depth (R6, R8).
    #[must_use]
    pub fn owner_of_call(&self, id: &str) -> Option<&str> {
        let id = key(id);
        let named = self.agent_named(id).and_then(|agent| self.owner(agent));
        named.or_else(|| self.owner(self.ids.get(id)?.agent?))
    }

    /// The dispatch id of the card that a task belongs to, at any depth (R6, R8).
    #[must_use]
    pub fn owner_of_task(&self, id: &str) -> Option<&str> {
        self.owner(self.agent_of_task(key(id))?)
    }

    /// The counters (R26).
    #[must_use]
    pub fn diagnostics(&self) -> Diagnostics {
        Diagnostics {
            orphans_waiting: self.waiting_calls + self.held.len() as u64,
            unknown_word_texts: self.unknown_words.texts(),
            ..self.counters.clone()
        }
    }

    /// The limits that the tracker was made with.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    fn owner(&self, agent: AgentId) -> Option<&str> {
        let agent = self.agents.get(agent)?;
        match agent.standing {
            Standing::Card => agent.dispatch_id.as_deref(),
            Standing::Row { top, .. } => self.agents.get(top)?.dispatch_id.as_deref(),
            Standing::Unlinked => None,
        }
    }

    fn begin_frame(&mut self) {
        self.at += 1;
        self.counters.frames += 1;
        self.rule = Rule::None;
        self.launch_seen = None;
    }

    fn end_frame(&mut self, kind: FrameKind) -> Update {
        self.read_rest();
        self.bound_all();
        self.last_launch = self.launch_seen.take();
        let changes = self.finish_changes();
        Update { kind, rule: self.rule, changes }
    }

    /// The same uuid with the same block ids came before (R2).
    fn is_repeat(&mut self, frame: &Frame<'_>) -> bool {
        let Some(uuid) = frame.uuid.as_deref().filter(|uuid| !is_blank(uuid)) else { return false };
        let mut identity = key(uuid);
        // A call and its result have one id, and the oldest clients give both frames one uuid.
        let mut add = |id: &str, turn: u32| identity = identity.rotate_left(turn) ^ key(id);
        match &frame.body {
            Body::Assistant(said) => said.blocks.iter().for_each(|block| match block {
                Block::ToolUse(call) => add(&call.id, 7),
                Block::ToolResult(result) => add(&result.tool_use_id, 11),
                Block::Other | Block::Text(_) => {}
            }),
            Body::User(said) => said.results.iter().for_each(|result| add(&result.tool_use_id, 11)),
            Body::Quiet => return false,
            Body::BackgroundTasks(_)
            | Body::Init
            | Body::Notices(_)
            | Body::PermissionDenied(_)
            | Body::PermissionRequest(_)
            | Body::PermissionSettled { .. }
            | Body::Remark(_)
            | Body::Result(_)
            | Body::Sidecar(_)
            | Body::TaskNotification(_)
            | Body::TaskProgress(_)
            | Body::TaskStarted(_)
            | Body::TaskUpdated(_)
            | Body::ToolProgress(_)
            | Body::Unknown { .. } => {}
        }
        let (known, oldest) = self.uuids.replace(identity, (), self.limits.frame_uuids);
        self.counters.evictions += u64::from(oldest.is_some());
        known.is_some()
    }

    fn take(&mut self, frame: &Frame<'_>) {
        let at_ms = frame.timestamp_ms;
        match &frame.body {
            Body::Assistant(said) => self.assistant(frame, said),
            Body::BackgroundTasks(tasks) => self.level(tasks),
            Body::Notices(notices) => self.notices(notices, at_ms),
            Body::PermissionRequest(said) => self.asked(said),
            Body::PermissionSettled { request_id } => self.answered(request_id),
            Body::Remark(said) => self.remark(said, at_ms),
            Body::Sidecar(said) => self.sidecar(said),
            Body::TaskNotification(said) => {
                self.notified(said, at_ms, Told::Frame);
            }
            Body::TaskProgress(said) => self.progress(said, at_ms),
            Body::TaskStarted(said) => self.started(said, at_ms, StartedBy::Frame),
            Body::TaskUpdated(said) => self.updated(said, at_ms),
            Body::Unknown { .. } => self.counters.unknown_frames += 1,
            Body::User(said) => self.user(frame, said),
            // A refusal is followed by its call's result, a turn's end ends no agent, a retry changes no card.
            Body::Init | Body::PermissionDenied(_) | Body::Quiet | Body::Result(_) | Body::ToolProgress(_) => {}
        }
    }
}

/// The frame changes no card, so that nothing comes between the two that stand beside it (R6).
fn says_nothing(body: &Body<'_>) -> bool {
    match body {
        Body::Init
        | Body::PermissionDenied(_)
        | Body::Quiet
        | Body::Result(_)
        | Body::ToolProgress(_)
        | Body::Unknown { .. } => true,
        Body::Assistant(_)
        | Body::BackgroundTasks(_)
        | Body::Notices(_)
        | Body::PermissionRequest(_)
        | Body::PermissionSettled { .. }
        | Body::Remark(_)
        | Body::Sidecar(_)
        | Body::TaskNotification(_)
        | Body::TaskProgress(_)
        | Body::TaskStarted(_)
        | Body::TaskUpdated(_)
        | Body::User(_) => false,
    }
}

fn kind_of(body: &Body<'_>) -> FrameKind {
    match body {
        Body::Assistant(_) => FrameKind::Assistant,
        Body::BackgroundTasks(_) => FrameKind::BackgroundTasks,
        Body::Init | Body::Quiet => FrameKind::Quiet,
        Body::Notices(_) => FrameKind::Notices,
        Body::PermissionDenied(_) | Body::PermissionRequest(_) | Body::PermissionSettled { .. } => {
            FrameKind::Permission
        }
        Body::Remark(_) => FrameKind::Remark,
        Body::Result(_) => FrameKind::TurnResult,
        Body::Sidecar(_) => FrameKind::Sidecar,
        Body::TaskNotification(_) => FrameKind::TaskNotification,
        Body::TaskProgress(_) => FrameKind::TaskProgress,
        Body::TaskStarted(_) => FrameKind::TaskStarted,
        Body::TaskUpdated(_) => FrameKind::TaskUpdated,
        Body::ToolProgress(_) => FrameKind::ToolProgress,
        Body::Unknown { .. } => FrameKind::Unknown,
        Body::User(_) => FrameKind::User,
    }
}

/// The drawn cards of a conversation that is in memory and over: folds the frames and ends the session.
///
/// ```
/// use cardfold::{Frame, subagent_cards};
///
/// let line = br#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1",
///     "name":"Agent","input":{"description":"Count lines"}}]},"parent_tool_use_id":null}"#;
/// let cards = subagent_cards(&[Frame::decode(line)?]);
/// assert_eq!(cards[0].name, "Count lines");
/// assert_eq!(cards[0].outcome.map(|o| o.as_str()), Some("abandoned"));
/// # Ok::<(), cardfold::FrameError>(())
/// ```
pub fn subagent_cards<'f, 'a: 'f>(frames: impl IntoIterator<Item = &'f Frame<'a>>) -> Vec<Card> {
    let mut tracker = CardTracker::new();
    for frame in frames {
        tracker.apply(frame);
    }
    tracker.end_session();
    tracker.cards().collect()
}
