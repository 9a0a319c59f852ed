//! Any bytes, and known lines with any values in them: nothing panics, every line gives a frame or a fault, and the
//! fold stays sound.

use std::collections::{BTreeMap, BTreeSet};

use cardfold::{Card, CardTracker, Change};
use cardfold_dialects::{Translation, dialects, recognise};
use cardfold_testkit::strategy::config;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Reads the lines with every dialect and folds what comes out.
fn read_all(lines: &[Vec<u8>]) {
    for make in dialects() {
        let mut translation = Translation::new(make());
        let name = translation.dialect().name();
        let mut tracker = CardTracker::new();
        translation.begin_file();
        let mut outputs = Vec::new();
        for line in lines {
            let _ = (recognise(line), translation.recognises(line));
            let output = translation.read(line);
            let is_blank = line.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0);
            let is_silent = output.frames.is_empty() && output.faults.is_empty();
            assert!(is_blank || !is_silent || line.starts_with(b"\xef\xbb\xbf"), "{name}: {line:?} gave nothing");
            outputs.push(output);
        }
        outputs.push(translation.end_of_input());
        outputs.push(translation.end_of_session());
        let mut before = faces(&tracker);
        for frame in outputs.iter().flat_map(|output| &output.frames) {
            let update = tracker.apply(frame);
            let after = faces(&tracker);
            let reported: BTreeSet<String> = update.changes.iter().map(|change| named(&tracker, change)).collect();
            let ids: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
            let changed = ids.into_iter().filter(|id| before.get(*id) != after.get(*id)).cloned().collect();
            assert_eq!(reported, changed, "{name}: {frame:?}");
            before = after;
        }
        tracker.end_session();
        for card in tracker.all_cards() {
            assert_eq!(card.running, card.outcome.is_none(), "{name}: {card}");
            assert!(!card.dispatch_id.trim().is_empty() && card.runs >= 1, "{name}: {card}");
            for (annotation, text) in &card.annotations {
                let is_json = serde_json::from_str::<Value>(text).is_ok();
                assert!(is_json && text.len() <= 1_024, "{name}: {annotation} {text}");
            }
        }
    }
}

/// The JSON of each drawn card, but for its revision.
fn faces(tracker: &CardTracker) -> BTreeMap<String, Value> {
    let face = |card: Card| {
        let mut face = serde_json::to_value(&card).expect("a card is JSON");
        face["revision"] = Value::Null;
        (card.dispatch_id, face)
    };
    tracker.cards().map(face).collect()
}

/// The card that a change is about.
fn named(tracker: &CardTracker, change: &Change) -> String {
    match change {
        Change::Changed(key) | Change::Opened(key) => tracker.card_at(*key).expect("an update names cards").dispatch_id,
        Change::Removed(card) => card.dispatch_id.clone(),
    }
}

/// A value of any type, with the words that the systems use among the texts.
fn value() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "",
        " ",
        "a",
        "b",
        "root",
        "running",
        "completed",
        "failed",
        "canceled",
        "Running",
        "Interrupted",
        "started",
        "progress",
        "turn.result",
        "turn.started",
        "agent.exited",
        "subagent_start",
        "sa_1",
        "scout",
        "deadline",
        "2026-11-30T10:00:00Z",
        "ERROR: x",
        "assistant",
        "user",
        "tool_use",
        "tool_result",
        "message",
        "<codewhale:subagent.done>{\"agent_id\":\"a\"}</codewhale:subagent.done>",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            fields(inner).prop_map(Value::Object),
        ]
    })
}

/// An object whose keys are those of the systems.
fn fields(value: impl Strategy<Value = Value>) -> impl Strategy<Value = serde_json::Map<String, Value>> {
    let key = prop::sample::select(vec![
        "version",
        "type",
        "agent_id",
        "turn_id",
        "timestamp",
        "payload",
        "status",
        "output",
        "summary",
        "error",
        "code",
        "message",
        "shutdown_origin",
        "created_at",
        "usage",
        "name",
        "tool_id",
        "event",
        "subagent_id",
        "agent_name",
        "task_preview",
        "result_preview",
        "duration_secs",
        "at_ms",
        "content",
        "role",
        "id",
        "input",
        "tool_use_id",
        "handle_id",
        "kind",
        "seq",
        "tool_name",
        "step",
        "ok",
        "parent_id",
        "child_id",
        "source_id",
        "schema_version",
        "agents",
        "workers",
        "spec",
        "worker_id",
        "agent_type",
        "checkpoint",
        "messages",
        "continuable",
        "needs_input",
        "question",
        "events",
        "index",
        "Failed",
        "Interrupted",
        "SubagentStart",
        "Data",
        "origin",
        "parent_run_id",
    ]);
    prop::collection::vec((key.prop_map(str::to_owned), value), 0..8).prop_map(|fields| fields.into_iter().collect())
}

/// Lines that each system writes, for their fields to be replaced one at a time.
fn known() -> Vec<Value> {
    vec![
        json!({ "version": 1, "type": "turn.started", "message_id": "m", "agent_id": "a", "turn_id": "t", "payload": {} }),
        json!({ "version": 1, "type": "tool.started", "agent_id": "a", "payload": { "tool_id": "c", "name": "bash" } }),
        json!({ "type": "turn.result", "agent_id": "a", "payload": { "status": "failed", "error": { "code": "x" } } }),
        json!({ "type": "agent.exited", "agent_id": "a", "payload": { "code": 0, "origin": "session" } }),
        json!({ "agent_id": "a", "status": "canceled", "created_at": "2026-11-30T10:00:00Z", "usage": {} }),
        json!({ "event": "subagent_start", "subagent_id": 1, "agent_name": "n", "task_preview": "x", "at_ms": 1 }),
        json!({ "event": "subagent_done", "subagent_id": 1, "result_preview": "x", "duration_secs": 1.5 }),
        json!({ "event": "subagent_completion", "subagent_id": 1, "status": { "Failed": "x" } }),
        json!({ "type": "assistant", "message": { "content": [{ "type": "tool_use", "id": "t", "name": "subagent_start",
            "input": { "name": "n", "task": "x" } }] } }),
        json!({ "type": "user", "message": { "content": [{ "type": "tool_result", "tool_use_id": "t",
            "content": "{\"handle_id\":\"sa_1\"}" }] } }),
        json!({ "message": { "kind": "started", "agent_id": "a", "agent_type": "scout" } }),
        json!({ "message": { "kind": "tool_call_completed", "agent_id": "a", "tool_name": "x", "step": 1, "ok": true } }),
        json!({ "message": { "kind": "child_spawned", "parent_id": "a", "child_id": "b" } }),
        json!({ "schema_version": 1, "agents": [{ "id": "a", "agent_type": "scout", "status": "Running",
            "checkpoint": { "continuable": true, "messages": [1] } }], "workers": [{ "status": "running",
            "spec": { "worker_id": "a", "agent_type": "scout", "launch_manifest": { "resume_from_agent_id": "b" } },
            "events": [{ "seq": 1, "message": "running tool 'x'" }] }] }),
        json!({ "kind": "subagent_transcript_header", "schema_version": 1, "agent_id": "a" }),
        json!({ "kind": "message", "index": 0, "message": { "role": "assistant", "content": [] } }),
    ]
}

/// Puts a value at the place that `path` leads to.
fn replace(at: &mut Value, path: &[usize], with: Value) {
    let next = |len: usize| path.first().and_then(|step| step.checked_rem(len));
    let inner = match at {
        Value::Object(fields) => next(fields.len()).and_then(|place| fields.values_mut().nth(place)),
        Value::Array(items) => next(items.len()).and_then(|place| items.get_mut(place)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    };
    match inner {
        Some(inner) => replace(inner, &path[1..], with),
        None => *at = with,
    }
}

proptest! {
    #![proptest_config(config("proptest-regressions/hostile.txt"))]

    #[test]
    fn any_bytes(lines in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..4)) {
        read_all(&lines);
    }

    #[test]
    fn any_objects(objects in prop::collection::vec(fields(value()), 0..12)) {
        read_all(&objects.iter().map(|object| Value::Object(object.clone()).to_string().into_bytes()).collect::<Vec<_>>());
    }

    #[test]
    fn known_lines_with_a_strange_value(
        picks in prop::collection::vec((0..16_usize, prop::collection::vec(0..8_usize, 0..5), value()), 1..24),
    ) {
        let known = known();
        let lines: Vec<Vec<u8>> = picks
            .into_iter()
            .map(|(pick, path, with)| {
                let mut line = known[pick].clone();
                replace(&mut line, &path, with);
                line.to_string().into_bytes()
            })
            .collect();
        read_all(&lines);
    }

    #[test]
    fn known_lines_torn(pick in 0..16_usize, cut in 0..400_usize) {
        let line = known()[pick].to_string().into_bytes();
        read_all(&[line[..cut.min(line.len())].to_vec()]);
    }
}

#[test]
fn the_known_lines_in_their_order() {
    let lines: Vec<Vec<u8>> = known().iter().map(|line| line.to_string().into_bytes()).collect();
    read_all(&lines);
    read_all(&lines.iter().rev().cloned().collect::<Vec<_>>());
}

#[test]
fn numbers_past_all_bounds() {
    let big = u64::MAX;
    let lines = [
        format!(r#"{{"event":"subagent_start","subagent_id":{big},"at_ms":{}}}"#, i64::MIN),
        format!(r#"{{"event":"subagent_done","subagent_id":{big},"duration_secs":1e300,"at_ms":{}}}"#, i64::MAX),
        format!(
            r#"{{"message":{{"kind":"token_usage","agent_id":"a","usage":{{"input_tokens":{big},"output_tokens":{big}}}}}}}"#
        ),
        format!(r#"{{"message":{{"kind":"tool_call_started","agent_id":"a","tool_name":"x","step":{big}}}}}"#),
    ];
    read_all(&lines.map(String::into_bytes));
}
