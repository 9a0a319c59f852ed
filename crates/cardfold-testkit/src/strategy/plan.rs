//! What happens in a made-up session: agents, what they do, and how they end.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::client::{CLIENTS, Client};

/// A session, before it is written down.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) client: Client,
    pub(super) jobs: Vec<Job>,
    /// Which of two strands goes on, again and again.
    pub(super) picks: Vec<u8>,
}

/// An agent's life.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) sort: Sort,
    pub(super) background: bool,
    /// The dispatch is on the stream.
    pub(super) seen: bool,
    /// The agent's own frames are on the stream.
    pub(super) forwarded: bool,
    pub(super) described: bool,
    pub(super) typed: bool,
    /// The first run, then one for each resumption.
    pub(super) stints: Vec<Stint>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Sort {
    Agent,
    Remote,
    Teammate,
    Workflow,
}

/// One run.
#[derive(Clone, Debug)]
pub(super) struct Stint {
    pub(super) steps: Vec<Step>,
    pub(super) ending: Ending,
    /// Frames of a resumed run name the call that resumed it as their parent.
    pub(super) new_parent: bool,
    /// The frame that says a run has started is left out.
    pub(super) unannounced: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A message cut short.
    Aborted,
    Call {
        tool: usize,
        result: Outcome,
        asked: Option<bool>,
    },
    Level,
    /// A message to the agent, which runs.
    Message,
    Moved,
    Nested(Box<Job>),
    /// Two calls of one message, with their results in one turn.
    Pair,
    Progress {
        summary: bool,
    },
    /// A tool that the server runs: call and result are blocks of the model's message.
    ServerTool {
        fails: bool,
    },
    /// A shell of the agent, with task frames of its own.
    Shell,
    /// A call that is taken back by the message that follows.
    TakenBack {
        returned: bool,
    },
    Text,
    Word(&'static str),
}

/// How a call ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Outcome {
    Detached,
    Error,
    Nothing,
    Ok,
    /// The result comes before the call.
    Early,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Ending {
    /// The answer alone.
    AnswerOnly,
    Denied(&'static str),
    /// Roster, then answer.
    Done,
    /// An end time without a word, then perhaps the word.
    EndTime(Option<&'static str>),
    /// The answer is an error, then the roster says so too.
    ErrorFirst(&'static str),
    HandBack,
    Killed,
    Lost,
    Marker {
        withdrawn: bool,
    },
    NoticeOnly(&'static str),
    Parked {
        done: bool,
    },
    /// A plain text is the answer.
    Plain,
    Polled(&'static str),
    Silent,
    TaskStop {
        told_completed: bool,
    },
    Word(&'static str),
}

const ENDING_WORDS: [&str; 8] =
    ["completed", "failed", "killed", "Stopped", "timed_out", "budget_exhausted", "interrupted", "cancelled"];

fn ending() -> impl Strategy<Value = Ending> {
    prop_oneof![
        6 => Just(Ending::Done),
        2 => Just(Ending::AnswerOnly),
        1 => select(vec!["user-rejected", "interrupted", "other"]).prop_map(Ending::Denied),
        1 => option::of(select(ENDING_WORDS.to_vec())).prop_map(Ending::EndTime),
        2 => select(vec!["failed", "killed"]).prop_map(Ending::ErrorFirst),
        1 => Just(Ending::HandBack),
        2 => Just(Ending::Killed),
        2 => Just(Ending::Lost),
        1 => any::<bool>().prop_map(|withdrawn| Ending::Marker { withdrawn }),
        2 => select(vec!["completed", "failed", "killed", "blocked"]).prop_map(Ending::NoticeOnly),
        1 => any::<bool>().prop_map(|done| Ending::Parked { done }),
        2 => Just(Ending::Plain),
        1 => select(vec!["completed", "failed", "running"]).prop_map(Ending::Polled),
        3 => Just(Ending::Silent),
        1 => any::<bool>().prop_map(|told_completed| Ending::TaskStop { told_completed }),
        2 => select(ENDING_WORDS.to_vec()).prop_map(Ending::Word),
    ]
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        1 => Just(Outcome::Detached),
        2 => Just(Outcome::Error),
        2 => Just(Outcome::Nothing),
        5 => Just(Outcome::Ok),
        1 => Just(Outcome::Early),
    ]
}

/// Steps of an agent that may still go `deeper` levels down.
fn step(deeper: u32) -> BoxedStrategy<Step> {
    let call = (0..14_usize, outcome(), option::weighted(0.15, any::<bool>()));
    let words = vec!["running", "in_progress", "paused", "queued", "brand_new_word", "waiting_for_user"];
    let plain = prop_oneof![
        6 => call.prop_map(|(tool, result, asked)| Step::Call { tool, result, asked }),
        1 => prop_oneof![
            Just(Step::Aborted),
            Just(Step::Message),
            Just(Step::Pair),
            any::<bool>().prop_map(|fails| Step::ServerTool { fails }),
            Just(Step::Shell),
            any::<bool>().prop_map(|returned| Step::TakenBack { returned }),
        ],
        1 => Just(Step::Level),
        1 => Just(Step::Moved),
        3 => any::<bool>().prop_map(|summary| Step::Progress { summary }),
        2 => Just(Step::Text),
        1 => select(words).prop_map(Step::Word),
    ];
    if deeper == 0 {
        return plain.boxed();
    }
    prop_oneof![5 => plain, 2 => job(deeper - 1).prop_map(|job| Step::Nested(Box::new(job)))].boxed()
}

fn stint(deeper: u32) -> impl Strategy<Value = Stint> {
    let flags = (proptest::bool::weighted(0.2), proptest::bool::weighted(0.15));
    (vec(step(deeper), 0..4), ending(), flags).prop_map(|(steps, ending, (new_parent, unannounced))| Stint {
        steps,
        ending,
        new_parent,
        unannounced,
    })
}

/// An agent with agents below it, `deeper` levels at most.
fn job(deeper: u32) -> BoxedStrategy<Job> {
    let sort = prop_oneof![
        12 => Just(Sort::Agent), 1 => Just(Sort::Remote), 1 => Just(Sort::Teammate), 1 => Just(Sort::Workflow),
    ];
    let flags = (
        any::<bool>(),
        proptest::bool::weighted(0.9),
        proptest::bool::weighted(0.8),
        proptest::bool::weighted(0.8),
        proptest::bool::weighted(0.8),
    );
    let stints = prop_oneof![4 => vec(stint(deeper), 1..2), 1 => vec(stint(deeper), 2..4)];
    (sort, flags, stints)
        .prop_map(|(sort, (background, seen, forwarded, described, typed), stints)| Job {
            sort,
            background,
            seen,
            forwarded,
            described,
            typed,
            stints,
        })
        .boxed()
}

/// Sessions of one to three agents, nested three deep below the card at most.
pub(super) fn plan() -> impl Strategy<Value = Plan> {
    let jobs = prop_oneof![3 => vec(job(3), 1..2), 2 => vec(job(2), 2..3), 1 => vec(job(1), 3..4)];
    (select(CLIENTS.to_vec()), jobs, vec(any::<u8>(), 1..40)).prop_map(|(client, jobs, picks)| Plan {
        client,
        jobs,
        picks,
    })
}
