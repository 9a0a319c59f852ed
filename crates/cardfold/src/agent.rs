//! One agent: a card, a nested row, or one that nothing links yet. Knows how it reads, not where others stand.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::card::{CallStatus, CardUsage, Kind, Outcome};
use crate::clean::one_line;
use crate::run::{Activity, Reading, Roster, Run};
use crate::table::Key;
use crate::texts::{name_rank, source_rank};

/// Names an agent of one tracker. The slot is used again when an agent goes; the age tells them apart.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub(crate) struct AgentId {
    pub(crate) slot: u32,
    /// Never 0, so that an id which may be none takes no more room.
    pub(crate) age: NonZeroU32,
}

/// Where an agent stands.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) enum Standing {
    /// It has a card.
    Card,
    /// It is a nested row of the card `top`.
    Row {
        /// The card.
        top: AgentId,
        /// Levels below the card, from 1.
        depth: u32,
    },
    /// No frame has linked it to a card yet.
    Unlinked,
}

/// Everything that is known of one agent.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Agent {
    /// The dispatch id as it is shown.
    pub(crate) dispatch_id: Option<Box<str>>,
    /// The dispatch itself was seen.
    pub(crate) dispatched: bool,
    /// A start names the id by which the agent goes, which may be that of a dispatch (R5).
    pub(crate) has_own_id: bool,
    /// The dispatch itself was not seen, but its answer: the agent keeps its own card (R3).
    pub(crate) answered_early: bool,
    /// The first task id that was linked.
    pub(crate) task_id: Option<Box<str>>,
    /// Every task id that leads here.
    pub(crate) tasks: SmallVec<[Key; 1]>,
    /// `tool_use` ids that name the agent.
    pub(crate) names: SmallVec<[Key; 1]>,
    /// Ids of agents that turned out to be this one.
    pub(crate) absorbed: SmallVec<[AgentId; 1]>,
    /// Number of the frame that brought the agent in, then of its dispatch: which dispatch is newer (R3).
    pub(crate) dispatched_at: u64,
    pub(crate) standing: Standing,
    pub(crate) parent: Option<AgentId>,
    /// The parent wrote the message that woke the agent; nothing better says whose it is.
    pub(crate) hung_by_message: bool,
    /// The run of the parent under which the current run hangs, by serial.
    pub(crate) parent_run: u32,
    pub(crate) children: SmallVec<[AgentId; 2]>,

    pub(crate) name: Ranked,
    pub(crate) agent_type: Ranked,
    pub(crate) model: Ranked,
    /// The frame in which the agent first said that it is this model.
    pub(crate) model_at: u64,
    pub(crate) kind: Kind,
    pub(crate) activity: Option<Box<str>>,
    pub(crate) report: Option<Box<Bounded>>,
    pub(crate) error: Option<Box<Bounded>>,
    /// What a dialect's system has and a card has not; only dialects pay for it.
    pub(crate) annotations: BTreeMap<String, String>,
    pub(crate) run_in_background: bool,
    pub(crate) roster_background: Option<bool>,
    pub(crate) started_at_ms: Option<i64>,
    /// The frame that stated it.
    pub(crate) started_told_at: u64,
    /// The start is that of the dispatch, not of the agent's first frame.
    pub(crate) started_by_dispatch: bool,
    pub(crate) usage: UsageBook,

    pub(crate) runs: u32,
    /// The frame that gave the first run another start than the dispatch; 0 where there is none.
    pub(crate) first_woken_at: u64,
    pub(crate) greatest_run_id: Option<Box<str>>,
    pub(crate) run: Run,
    pub(crate) reading: Reading,

    /// Calls that the agent itself made.
    pub(crate) own_calls: u32,
    /// Of these, the failed ones.
    pub(crate) own_failed: u32,
    /// Of these, the pending ones of the current run.
    pub(crate) own_pending: u32,
    /// `own_pending` and what the live children pass up.
    pub(crate) open: u32,
    /// What this agent passes up as open, and to which run of its parent.
    pub(crate) passed_open: u32,
    pub(crate) passed_to_run: u32,
    /// Open requests of the agent and those that its children pass up.
    pub(crate) asking: u32,
    /// Its own open requests, by digest of their ids.
    pub(crate) requests: SmallVec<[Key; 1]>,
    /// The call that dispatched the agent, with the agent that made it, and how it reads by this one's state (R10).
    pub(crate) call: Option<(Key, AgentId)>,
    pub(crate) call_status: CallStatus,
    /// How that call reads by the end of the first run, once there is another one.
    pub(crate) first_run: CallStatus,
    /// The last calls: of the whole tree for a card, its own for an agent that waits for its link.
    pub(crate) tail: Vec<TailEntry>,
    pub(crate) card: Option<Box<CardPart>>,
    /// The frame in which the agent was last written to.
    #[serde(skip)]
    pub(crate) touched: u64,
    /// The frame in which a level last listed the agent.
    #[serde(skip)]
    pub(crate) listed_in: u64,
}

/// What only a card has.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct CardPart {
    /// Its place in the list.
    pub(crate) place: u64,
    /// Calls and failed calls of the whole tree.
    pub(crate) calls: u64,
    pub(crate) failed_calls: u64,
    /// Nested rows in the order in which they came under the card.
    pub(crate) rows: Vec<AgentId>,
    /// Open requests of the whole tree: order of arrival to digest of the request's id.
    pub(crate) requests: BTreeMap<u64, Key>,
    pub(crate) needs_input: Option<Box<str>>,
}

/// One of the last calls.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct TailEntry {
    pub(crate) key: Key,
    /// Number of the frame in which the call came: the order of arrival.
    pub(crate) arrival: u64,
    pub(crate) maker: AgentId,
    /// The run of the maker in which the call was made, by serial.
    pub(crate) run: u32,
    /// As its result says; whether it was cut off follows from the runs.
    pub(crate) status: CallStatus,
    pub(crate) text: CallText,
}

/// Id, name and title of a call, one behind the other: a call costs one piece of memory.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct CallText {
    text: Box<str>,
    /// Where the name starts, and where the title does.
    name_at: u32,
    title_at: u32,
}

impl CallText {
    pub(crate) fn new(id: &str, name: &str, title: &str) -> Self {
        let mut text = String::with_capacity(id.len() + name.len() + title.len());
        text.push_str(id);
        let name_at = text.len();
        text.push_str(name);
        let title_at = text.len();
        text.push_str(title);
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { text: text.into(), name_at: place(name_at), title_at: place(title_at) }
    }

    pub(crate) fn id(&self) -> &str {
        self.part(0, self.name_at)
    }

    pub(crate) fn name(&self) -> &str {
        self.part(self.name_at, self.title_at)
    }

    pub(crate) fn title(&self) -> &str {
        self.text.get(self.title_at as usize..).unwrap_or_default()
    }

    fn part(&self, from: u32, to: u32) -> &str {
        self.text.get(from as usize..to as usize).unwrap_or_default()
    }
}

/// A text from several sources: a better or equal one replaces it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Ranked {
    pub(crate) text: Option<Box<str>>,
    pub(crate) rank: u8,
}

impl Ranked {
    /// The cleaned text, if this source may set it and says something else than what is there.
    pub(crate) fn news(&self, rank: u8, text: Option<&str>, most: usize) -> Option<Box<str>> {
        if rank < self.rank {
            return None;
        }
        let text = one_line(text?, most);
        (!text.is_empty()).then(|| text.into())
    }
}

/// A text of some lines, bounded.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Bounded {
    pub(crate) text: Box<str>,
    pub(crate) truncated: bool,
}

/// Figures of a run, field by field, with the source and the run they are of.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub(crate) struct UsageBook([Figure; 3]);

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
struct Figure {
    value: Option<u64>,
    rank: u8,
    run: u32,
}

/// Sources of usage, a better one above: notice block, structured answer, roster.
pub(crate) mod usage_rank {
    pub(crate) const NOTICE: u8 = 0;
    pub(crate) const ANSWER: u8 = 1;
    pub(crate) const ROSTER: u8 = 2;
}

impl UsageBook {
    /// Takes figures: within a run a worse source adds nothing and no figure goes down; an earlier run's figures
    /// stay until the new run has some (R23).
    pub(crate) fn take(&mut self, said: cardfold_wire::Usage, rank: u8, run: u32) {
        let said = [said.total_tokens, said.tool_uses, said.duration_ms];
        for (figure, value) in self.0.iter_mut().zip(said) {
            let Some(value) = value else { continue };
            if figure.value.is_none() || figure.run != run {
                *figure = Figure { value: Some(value), rank, run };
            } else if rank >= figure.rank {
                *figure = Figure { value: figure.value.max(Some(value)), rank, run };
            }
        }
    }

    /// Takes what another record has of the run that both know by `serial`.
    pub(crate) fn unite(&mut self, other: Self, serial: u32) {
        for (figure, other) in self.0.iter_mut().zip(other.0) {
            if figure.value.is_none() || (other.run == serial && figure.run != serial) {
                *figure = other;
            } else if other.run == figure.run && other.rank >= figure.rank {
                *figure = Figure { value: figure.value.max(other.value), ..other };
            }
        }
    }

    /// Takes from the record of an earlier run what this one has not.
    pub(crate) fn fill_from(&mut self, earlier: Self) {
        for (figure, earlier) in self.0.iter_mut().zip(earlier.0) {
            if figure.value.is_none() {
                *figure = earlier;
            }
        }
    }

    /// The figures of a run are those of the run that goes by `serial` now.
    pub(crate) fn rename(&mut self, run: &Run, serial: u32) {
        for figure in self.0.iter_mut().filter(|figure| run.is(figure.run)) {
            figure.run = serial;
        }
    }

    pub(crate) fn shown(&self) -> Option<CardUsage> {
        let [total_tokens, tool_uses, duration_ms] = self.0.map(|figure| figure.value);
        (total_tokens.is_some() || tool_uses.is_some() || duration_ms.is_some()).then_some(CardUsage {
            total_tokens,
            tool_uses,
            duration_ms,
        })
    }
}

impl Agent {
    pub(crate) fn new(standing: Standing, at: u64, run: u32) -> Self {
        Self {
            dispatch_id: None,
            dispatched: false,
            has_own_id: false,
            answered_early: false,
            task_id: None,
            tasks: SmallVec::new(),
            names: SmallVec::new(),
            absorbed: SmallVec::new(),
            dispatched_at: at,
            standing,
            parent: None,
            hung_by_message: false,
            parent_run: 0,
            children: SmallVec::new(),
            name: Ranked::default(),
            agent_type: Ranked::default(),
            model: Ranked::default(),
            model_at: 0,
            kind: Kind::Agent,
            activity: None,
            report: None,
            error: None,
            annotations: BTreeMap::new(),
            run_in_background: false,
            roster_background: None,
            started_at_ms: None,
            started_told_at: 0,
            started_by_dispatch: false,
            usage: UsageBook::default(),
            runs: 1,
            first_woken_at: 0,
            greatest_run_id: None,
            run: Run { serial: run, ..Run::default() },
            reading: Reading::default(),
            own_calls: 0,
            own_failed: 0,
            own_pending: 0,
            open: 0,
            passed_open: 0,
            passed_to_run: 0,
            asking: 0,
            requests: SmallVec::new(),
            call: None,
            call_status: CallStatus::Pending,
            first_run: CallStatus::Completed,
            tail: Vec::new(),
            card: None,
            touched: 0,
            listed_in: 0,
        }
    }

    /// An agent that nobody shows and nothing reaches.
    pub(crate) fn nobody() -> Self {
        Self::new(Standing::Unlinked, 0, 0)
    }

    /// How the current run reads now.
    pub(crate) fn read(&self) -> Reading {
        self.run.read(Activity { open: self.open, calls: self.own_calls, asking: self.asking })
    }

    /// A model that the agent stated behind its end counts no more than any other thing that trails (R22).
    pub(crate) fn drop_trailing_model(&mut self) {
        if self.run.was_over_before(self.model_at) {
            self.model = Ranked::default();
            self.model_at = 0;
        }
    }

    /// A call other than the dispatch started the current run, or would have if that had been over.
    pub(crate) fn note_start_call(&mut self, call: Key, at: u64) {
        if self.run.start_call.is_some() {
            return;
        }
        self.run.start_call = Some(call);
        self.run.begun_at = at;
        self.run.was_live = matches!(self.run.roster, Roster::Live(_));
        if self.runs == 1 {
            self.first_woken_at = at;
        }
    }

    /// A pending call of the current run, which goes by `run`, is pending no longer.
    pub(crate) fn drop_pending(&mut self, run: u32) {
        self.own_pending = self.own_pending.saturating_sub(1);
        self.open = self.open.saturating_sub(1);
        let before = u32::from(run != self.run.serial);
        self.run.pending_before = self.run.pending_before.saturating_sub(before);
    }

    /// The dispatch turned out not to have been made: what it said of the agent goes.
    pub(crate) fn forget_dispatch(&mut self) {
        self.dispatched = false;
        self.parent = None;
        self.run_in_background = false;
        if self.name.rank <= name_rank::DESCRIPTION {
            self.name = Ranked::default();
        }
        if self.agent_type.rank == source_rank::DISPATCH {
            self.agent_type = Ranked::default();
        }
        if self.started_by_dispatch {
            self.started_by_dispatch = false;
            self.started_at_ms = None;
        }
    }

    /// Keeps how the first run ended, before another one takes its place (R10).
    pub(crate) fn note_first_end(&mut self) {
        if self.runs == 1 && self.reading.outcome.is_some_and(Outcome::is_failed) {
            self.first_run = CallStatus::Failed;
        }
    }

    /// The roster's last word, else the level, else the answer, else the dispatch.
    pub(crate) fn backgrounded(&self) -> bool {
        self.roster_background
            .or(self.run.listed.then_some(true))
            .or(self.run.answer_background)
            .unwrap_or(self.run_in_background)
    }

    pub(crate) fn depth(&self) -> u32 {
        match self.standing {
            Standing::Row { depth, .. } => depth,
            Standing::Card | Standing::Unlinked => 0,
        }
    }
}
