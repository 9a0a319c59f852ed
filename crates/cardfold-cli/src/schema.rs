//! The JSON Schema of everything that the program prints as JSON, for tests alone: the files in `schemas/` are made of
//! the types that are printed, and one test says whether they still are what these make. The engine's card knows no
//! schema; its shape is repeated here, and the tests of the program hold both together.

#![expect(dead_code, reason = "nobody makes a shape: only the schemas of these types are used")]

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;

use crate::{explain, ndjson, report_json, sessions, stats};

/// A dispatched sub-agent.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Card {
    /// `tool_use` id of the dispatch; the key of the card.
    dispatch_id: String,
    /// One line, at most 80 characters.
    name: String,
    agent_type: Option<String>,
    kind: Kind,
    /// The first task id that was linked.
    task_id: Option<String>,
    /// Where the current run stands.
    state: State,
    /// `state` is not settled.
    running: bool,
    /// How the run ended; null while it has not.
    outcome: Option<Outcome>,
    /// Settled, with an outcome that is neither completed, ended nor abandoned.
    failed: bool,
    /// What decided the state.
    evidence: Evidence,
    /// The evidence is a conclusion, not a statement of the source.
    inferred: bool,
    backgrounded: bool,
    /// Start of the first run, Unix milliseconds.
    started_at_ms: Option<i64>,
    /// End of the current run, Unix milliseconds, where the source states one.
    ended_at_ms: Option<i64>,
    /// Calls under the card, at any depth.
    calls: u64,
    /// Calls not settled.
    open_calls: u64,
    failed_calls: u64,
    /// The last calls, oldest first.
    #[schemars(length(max = 4))]
    tail: Vec<TailCall>,
    usage: Option<Usage>,
    model: Option<String>,
    /// What the agent does now; null once settled.
    activity: Option<String>,
    report: Option<Excerpt>,
    /// The source's own words for what went wrong.
    error: Option<String>,
    /// What the oldest open permission request asks for.
    needs_input: Option<String>,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    runs: u32,
    /// In the order of their dispatches.
    nested: Vec<NestedRow>,
    /// What another system says and a card has no field for: name to JSON text.
    annotations: BTreeMap<String, String>,
    /// The fold's revision at the last change of this card.
    revision: u64,
}

/// An agent that was dispatched inside a sub-agent.
#[derive(JsonSchema, Serialize)]
struct NestedRow {
    dispatch_id: Option<String>,
    /// Dispatch id of the agent that made it.
    parent_id: Option<String>,
    task_id: Option<String>,
    name: String,
    agent_type: Option<String>,
    /// 1 = dispatched by the card's own agent.
    #[schemars(range(min = 1))]
    depth: u32,
    state: State,
    outcome: Option<Outcome>,
    failed: bool,
    /// The calls that this agent itself made.
    calls: u64,
    usage: Option<Usage>,
}

/// One of the last calls.
#[derive(JsonSchema, Serialize)]
struct TailCall {
    id: String,
    /// The tool.
    name: String,
    /// One line, at most 120 characters.
    title: String,
    status: CallStatus,
}

/// Figures by the source's own counting; null where it states none.
#[derive(JsonSchema, Serialize)]
struct Usage {
    total_tokens: Option<u64>,
    tool_uses: Option<u64>,
    duration_ms: Option<u64>,
}

/// A text that was cut to 40 lines and 4,096 bytes.
#[derive(JsonSchema, Serialize)]
struct Excerpt {
    text: String,
    truncated: bool,
}

/// What sort of agent a card shows.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Agent,
    Remote,
    Teammate,
    Workflow,
}

#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    Queued,
    Running,
    Waiting,
    Settled,
}

#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Abandoned,
    BudgetExhausted,
    Completed,
    Ended,
    Failed,
    Interrupted,
    Stopped,
    TimedOut,
}

#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Evidence {
    CallsSettled,
    Dispatch,
    Error,
    Guessed,
    Level,
    OpenCall,
    Report,
    Returned,
    Roster,
    SessionEnd,
}

#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
enum CallStatus {
    Completed,
    CutOff,
    Failed,
    Pending,
}

/// The schema of what is printed as `T`, as its file has it.
fn schema<T: JsonSchema>(title: &str) -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n"
}

/// To take up a change on purpose: `UPDATE_SCHEMAS=1 cargo test -p cardfold-cli schema`.
#[test]
fn the_files_are_those_of_the_types() {
    for (format, schema) in [
        ("cardfold/1", schema::<report_json::Document<'_>> as fn(&str) -> String),
        ("cardfold-changes/1", schema::<ndjson::Line<'_>>),
        ("cardfold-explain/1", schema::<explain::json::Document<'_>>),
        ("cardfold-sessions/1", schema::<sessions::json::Document<'_>>),
        ("cardfold-stats/1", schema::<stats::json::Document<'_>>),
    ] {
        let file = format!("{}.json", format.replace('/', "-"));
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(&file);
        let made = schema(format);
        if env::var_os("UPDATE_SCHEMAS").is_some() {
            fs::write(&path, &made).expect("a schema can be written");
        }
        let kept = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(kept, made, "{file} is not what the types make; see the comment above this test");
    }
}

/// The engine's words are those of the shapes: a new one does not compile here, and a renamed one fails.
#[test]
fn the_words_are_the_engines() {
    fn word(shape: impl Serialize) -> String {
        let word = serde_json::to_value(shape).expect("a word is JSON");
        word.as_str().expect("a word is a text").to_owned()
    }
    for state in [cardfold::State::Queued, cardfold::State::Running, cardfold::State::Waiting, cardfold::State::Settled]
    {
        let shape = match state {
            cardfold::State::Queued => State::Queued,
            cardfold::State::Running => State::Running,
            cardfold::State::Waiting => State::Waiting,
            cardfold::State::Settled => State::Settled,
        };
        assert_eq!(word(shape), state.as_str());
    }
    for outcome in [
        cardfold::Outcome::Abandoned,
        cardfold::Outcome::BudgetExhausted,
        cardfold::Outcome::Completed,
        cardfold::Outcome::Ended,
        cardfold::Outcome::Failed,
        cardfold::Outcome::Interrupted,
        cardfold::Outcome::Stopped,
        cardfold::Outcome::TimedOut,
    ] {
        let shape = match outcome {
            cardfold::Outcome::Abandoned => Outcome::Abandoned,
            cardfold::Outcome::BudgetExhausted => Outcome::BudgetExhausted,
            cardfold::Outcome::Completed => Outcome::Completed,
            cardfold::Outcome::Ended => Outcome::Ended,
            cardfold::Outcome::Failed => Outcome::Failed,
            cardfold::Outcome::Interrupted => Outcome::Interrupted,
            cardfold::Outcome::Stopped => Outcome::Stopped,
            cardfold::Outcome::TimedOut => Outcome::TimedOut,
        };
        assert_eq!(word(shape), outcome.as_str());
    }
}
