//! The card: plain data, in the words of the contract (section 2). Knows no frame and no tracker.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

/// One dispatched sub-agent, as a host shows it.
///
/// A card is a copy of what the tracker knew when it was asked; it does not change afterwards. Its JSON (serde) is the
/// contract of `cardfold replay --format json`: absent texts are null, absent lists empty.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Card {
    /// `tool_use` id of the dispatch; the key of the card (R1, R5).
    pub dispatch_id: String,
    /// Roster title, else the dispatch's description, else its agent type, else the tool's name; one line, at most 80
    /// characters.
    pub name: String,
    /// `subagent_type` of the dispatch, else the roster's, else the sidecar's.
    pub agent_type: Option<String>,
    /// What sort of agent it is.
    pub kind: Kind,
    /// The first task id that was linked (R3).
    pub task_id: Option<String>,
    /// Where the current run stands (R18).
    pub state: State,
    /// `state` is not settled.
    pub running: bool,
    /// How the run ended; none while it has not.
    pub outcome: Option<Outcome>,
    /// Settled, with an outcome that is neither completed, ended nor abandoned.
    pub failed: bool,
    /// What decided the state.
    pub evidence: Evidence,
    /// The evidence is a conclusion, not a statement of the source.
    pub inferred: bool,
    /// The agent runs (or ran) in the background.
    pub backgrounded: bool,
    /// Start of the first run, Unix milliseconds.
    pub started_at_ms: Option<i64>,
    /// End of the current run, Unix milliseconds, where the source states one; never a clock.
    pub ended_at_ms: Option<i64>,
    /// Calls under the card, at any depth (R7).
    pub calls: u64,
    /// Calls not settled; 0 when the card is.
    pub open_calls: u64,
    /// Calls that failed.
    pub failed_calls: u64,
    /// The last four calls, oldest first.
    pub tail: Vec<TailCall>,
    /// Tokens, calls and time, by the source's own counting.
    pub usage: Option<CardUsage>,
    /// The model of the agent's last message.
    pub model: Option<String>,
    /// What the agent does now; none once settled.
    pub activity: Option<String>,
    /// The agent's report, bounded (R24).
    pub report: Option<Excerpt>,
    /// The source's own words for what went wrong, bounded like a report.
    #[serde(serialize_with = "text_only")]
    pub error: Option<Excerpt>,
    /// What the oldest open permission request asks for (R19).
    pub needs_input: Option<String>,
    /// Runs, counted from 1 (R15).
    pub runs: u32,
    /// The agents that this one, or one below it, dispatched (R7).
    pub nested: Vec<NestedRow>,
    /// What another system says and a card has no field for: name to JSON text.
    pub annotations: BTreeMap<String, String>,
    /// The tracker's revision at the last change of this card (R25).
    pub revision: u64,
}

/// One row of [`Card::nested`]: an agent that was dispatched inside a sub-agent.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct NestedRow {
    /// `tool_use` id of its dispatch; none for a member of a workflow, or where the stream never said it.
    pub dispatch_id: Option<String>,
    /// Dispatch id of the agent that made it.
    pub parent_id: Option<String>,
    /// The first task id that was linked.
    pub task_id: Option<String>,
    /// As a card's name.
    pub name: String,
    /// As a card's.
    pub agent_type: Option<String>,
    /// 1 = dispatched by the card's own agent.
    pub depth: u32,
    /// As a card's.
    pub state: State,
    /// As a card's.
    pub outcome: Option<Outcome>,
    /// As a card's.
    pub failed: bool,
    /// The calls that this agent itself made; 0 where the stream carried none: read `usage`.
    pub calls: u64,
    /// As a card's.
    pub usage: Option<CardUsage>,
}

/// One of the last calls of a card.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TailCall {
    /// The call's id, as it is.
    pub id: String,
    /// The tool.
    pub name: String,
    /// One line that says what it does, at most 120 characters.
    pub title: String,
    /// Where it stands.
    pub status: CallStatus,
}

/// Tokens, calls and time. A figure that no source stated is none.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CardUsage {
    /// Tokens.
    pub total_tokens: Option<u64>,
    /// Calls.
    pub tool_uses: Option<u64>,
    /// Milliseconds.
    pub duration_ms: Option<u64>,
}

/// A text that was cut to 40 lines and 4,096 bytes (R24).
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Excerpt {
    /// The first lines.
    pub text: String,
    /// Something was left out.
    pub truncated: bool,
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident => $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, serde::Deserialize, Serialize)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// The word that stands in JSON.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

words! {
    /// What sort of agent a card shows.
    Kind {
        /// A sub-agent of the client's own process.
        Agent => "agent",
        /// A sub-agent that runs elsewhere.
        Remote => "remote",
        /// A member of a team, with a session of its own.
        Teammate => "teammate",
        /// A workflow; its members are its nested rows.
        Workflow => "workflow",
    }
}

words! {
    /// Where a run stands, in the order of its life.
    State {
        /// Registered, not started.
        Queued => "queued",
        /// At work.
        Running => "running",
        /// Alive, but it needs an answer or waits for work of its own.
        Waiting => "waiting",
        /// Over.
        Settled => "settled",
    }
}

words! {
    /// How a run ended.
    Outcome {
        /// The source never said how it ended, and the session is over.
        Abandoned => "abandoned",
        /// A budget ran out.
        BudgetExhausted => "budget_exhausted",
        /// It ended well.
        Completed => "completed",
        /// Over; the cause was not stated.
        Ended => "ended",
        /// It ended on an error.
        Failed => "failed",
        /// The session broke off under it.
        Interrupted => "interrupted",
        /// Somebody stopped it.
        Stopped => "stopped",
        /// It ran out of time.
        TimedOut => "timed_out",
    }
}

impl Outcome {
    /// The outcomes that count as a failure of the run.
    #[must_use]
    pub fn is_failed(self) -> bool {
        match self {
            Self::BudgetExhausted | Self::Failed | Self::Interrupted | Self::Stopped | Self::TimedOut => true,
            Self::Abandoned | Self::Completed | Self::Ended => false,
        }
    }
}

words! {
    /// What decided a card's state (R18).
    Evidence {
        /// All calls are settled and nothing else is to come.
        CallsSettled => "calls_settled",
        /// The dispatch, and nothing that says more.
        Dispatch => "dispatch",
        /// The answer was an error, or an interrupt marker stands.
        Error => "error",
        /// Read out of another system's text.
        Guessed => "guessed",
        /// The level of live tasks lists it no longer (R17).
        Level => "level",
        /// A call is open.
        OpenCall => "open_call",
        /// The answer was a report.
        Report => "report",
        /// The dispatch returned, and the session is over.
        Returned => "returned",
        /// The task frames.
        Roster => "roster",
        /// The session is over.
        SessionEnd => "session_end",
    }
}

impl Evidence {
    /// The evidence is a conclusion, not a statement of the source.
    #[must_use]
    pub fn is_inferred(self) -> bool {
        match self {
            Self::CallsSettled | Self::Guessed | Self::Level | Self::Returned | Self::SessionEnd => true,
            Self::Dispatch | Self::Error | Self::OpenCall | Self::Report | Self::Roster => false,
        }
    }
}

words! {
    /// Where a call stands.
    CallStatus {
        /// It returned.
        Completed => "completed",
        /// The run it was made in is over, and it never returned (R21).
        CutOff => "cut_off",
        /// It returned an error.
        Failed => "failed",
        /// It has not returned.
        Pending => "pending",
    }
}

fn text_only<S: Serializer>(error: &Option<Excerpt>, to: S) -> Result<S::Ok, S::Error> {
    error.as_ref().map(|error| &error.text).serialize(to)
}
