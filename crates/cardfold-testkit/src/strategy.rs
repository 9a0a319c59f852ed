//! Made-up sessions for property tests: mostly plausible streams of several client versions, and a share of nonsense.
//!
//! A stream is real JSON lines: decoding is always in the loop.

mod acts;
mod client;
mod endings;
mod lines;
mod nonsense;
mod order;
mod plan;
mod random;
mod shortest;
mod steps;
mod workflow;

use std::fmt;

use cardfold_wire::Frame;
use proptest::prelude::*;
use proptest::test_runner::{FileFailurePersistence, RngSeed};
use serde_json::{Value, json};

pub use self::order::reordered;
pub use self::random::any_lines;
pub use self::shortest::{Complaint, hold};

use self::acts::Act;
use self::plan::Plan;

/// The lines of a session.
#[derive(Clone, Eq, PartialEq)]
pub struct Stream {
    /// One JSON object each.
    pub lines: Vec<String>,
}

impl Stream {
    /// The frames of the lines.
    ///
    /// # Panics
    ///
    /// If a line is no frame: every strategy here but [`any_lines`] writes frames.
    #[must_use]
    pub fn frames(&self) -> Vec<Frame<'_>> {
        let frame = |line| Frame::decode(line).unwrap_or_else(|error| panic!("{error} in one of {self:?}"));
        self.lines.iter().map(String::as_bytes).map(frame).collect()
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// How a property is run: `PROPTEST_CASES` cases, else 1,000. Counterexamples are kept under
/// `proptest-regressions/<name>.txt` of the package that is tested. Streams are made short by [`hold`], which
/// knows what a frame is.
#[must_use]
pub fn config(regressions: &'static str) -> ProptestConfig {
    let by_hand = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig {
        cases: by_hand.unwrap_or(1_000),
        // One commit gives one answer, on every machine; runs by hand look further.
        rng_seed: if by_hand.is_some() { RngSeed::Random } else { RngSeed::Fixed(1) },
        max_shrink_iters: 0,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(regressions))),
        ..ProptestConfig::default()
    }
}

/// A session as a client could write it.
pub fn plausible() -> impl Strategy<Value = Stream> {
    plan::plan().prop_map(|plan| written(&frames(&plan)))
}

/// A session with nonsense in it.
pub fn disturbed() -> impl Strategy<Value = Stream> {
    (plan::plan(), nonsense::nonsense()).prop_map(|(plan, nonsense)| {
        let mut frames = frames(&plan);
        for disturbance in nonsense {
            disturbance.disturb(&mut frames);
        }
        written(&frames)
    })
}

fn written(frames: &[Value]) -> Stream {
    Stream { lines: frames.iter().map(Value::to_string).collect() }
}

/// The frames of a plan, with uuids and times.
fn frames(plan: &Plan) -> Vec<Value> {
    let mut listed: Vec<Value> = Vec::new();
    let mut frames: Vec<Value> = Vec::new();
    let level = |listed: &[Value]| json!({ "type": "system", "subtype": "background_tasks_changed", "tasks": listed });
    for act in acts::acts(plan) {
        frames.push(match act {
            Act::Line(frame) => frame,
            Act::Restate => level(&listed),
            Act::Enlist(entry) => {
                listed.retain(|other| other["task_id"] != entry["task_id"]);
                listed.push(entry);
                level(&listed)
            }
            Act::Strike(task) => {
                listed.retain(|other| other["task_id"] != *task);
                level(&listed)
            }
        });
    }
    number(plan, &mut frames);
    frames
}

/// Gives each frame its uuid, its session and, where its client writes one, its time.
fn number(plan: &Plan, frames: &mut [Value]) {
    let session = if plan.client.stored { "sessionId" } else { "session_id" };
    let mut shared: Option<(Value, String)> = None;
    for (number, frame) in frames.iter_mut().enumerate() {
        let kind = frame["type"].as_str().unwrap_or_default().to_owned();
        let mut uuid = format!("u{number:04}");
        if plan.client.shared_uuid && kind == "assistant" {
            let parent = frame["parent_tool_use_id"].clone();
            match &shared {
                Some((same, first)) if *same == parent && is_call(frame) => uuid.clone_from(first),
                Some(_) | None => shared = Some((parent, uuid.clone())),
            }
        } else {
            shared = None;
        }
        frame[session] = json!("s1");
        if kind != "queue-operation" && frame.get("uuid").is_none() {
            frame["uuid"] = json!(uuid);
        }
        let message = kind == "assistant" || kind == "user";
        if plan.client.stored || (plan.client.timestamps && message) {
            frame["timestamp"] =
                json!(format!("2026-03-02T09:{:02}:{:02}.{number:03}Z", number / 60 % 60, number % 60));
        }
    }
}

fn is_call(frame: &Value) -> bool {
    frame["message"]["content"][0]["type"] == "tool_use"
}
