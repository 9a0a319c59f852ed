//! Whatever the JSON, both entry points give the same frame; whatever the bytes, neither panics.

use cardfold_wire::{Frame, FrameQueue, Sidecar};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::lines::LINES;

/// Keys that mean something somewhere.
const KEYS: [&str; 60] = [
    "agentId",
    "agentType",
    "agent_id",
    "attachment",
    "attempt",
    "commandMode",
    "command",
    "content",
    "data",
    "description",
    "end_time",
    "error",
    "from",
    "handback",
    "handback_report",
    "id",
    "input",
    "isMeta",
    "isSidechain",
    "is_backgrounded",
    "is_error",
    "key",
    "kind",
    "killed",
    "message",
    "model",
    "name",
    "normalizedMessages",
    "operation",
    "origin",
    "parentToolUseID",
    "parent_tool_use_id",
    "patch",
    "prompt",
    "request",
    "request_id",
    "response",
    "runId",
    "sessionId",
    "session_id",
    "spawn_depth",
    "status",
    "subagent_retry",
    "subagent_stats",
    "subtype",
    "summary",
    "supersedes",
    "task",
    "task_id",
    "tasks",
    "text",
    "timestamp",
    "toolUseResult",
    "tool_use_id",
    "tool_use_result",
    "type",
    "usage",
    "uuid",
    "workflow_progress",
    "x",
];

/// Words that mean something somewhere.
const WORDS: [&str; 34] = [
    "agent_metadata",
    "agent_progress",
    "assistant",
    "attachment",
    "background_tasks_changed",
    "can_use_tool",
    "completed",
    "control_request",
    "control_response",
    "enqueue",
    "init",
    "mcp_tool_result",
    "moon",
    "peer",
    "permission_denied",
    "progress",
    "queue-operation",
    "queued_command",
    "result",
    "stream_event",
    "system",
    "task-notification",
    "task_notification",
    "task_progress",
    "task_started",
    "task_updated",
    "text",
    "tool_progress",
    "tool_result",
    "tool_use",
    "user",
    "workflow_agent",
    "2026-03-02T09:00:15.000Z",
    "toolu_A",
];

fn text() -> impl Strategy<Value = String> {
    let notice = "<task-notification><task-id>a1</task-id><result>x &lt;</result></task-notification>";
    prop_oneof![
        6 => proptest::sample::select(&WORDS[..]).prop_map(str::to_owned),
        2 => any::<String>(),
        1 => "[<>/a-z&;\\n -]{0,40}",
        1 => Just(notice.to_owned()),
        1 => Just("<agent-message from=\"a\">\n[Subagent hand-back]\n  x".to_owned()),
    ]
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        6 => text().prop_map(Value::from),
    ]
}

fn object(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let key = proptest::sample::select(&KEYS[..]).prop_map(str::to_owned);
    vec((key, value), 0..8).prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>()))
}

fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(
        5,
        64,
        8,
        |inner| prop_oneof![2 => vec(inner.clone(), 0..4).prop_map(Value::from), 5 => object(inner)],
    )
}

/// An object of a type that is mostly known, mostly with a message.
fn line() -> impl Strategy<Value = Value> {
    let kind = proptest::sample::select(&WORDS[..]);
    (kind.clone(), kind, object(value()), value()).prop_map(|(kind, subtype, object, content)| {
        let mut line = json!({"type": kind, "subtype": subtype, "message": {"content": content}});
        if let (Value::Object(line), Value::Object(object)) = (&mut line, object) {
            line.extend(object);
        }
        line
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn bytes_and_value_give_the_same_frame(line in line()) {
        let bytes = line.to_string().into_bytes();
        // A number may lose its last digit in print; it is the printed one that counts.
        let value: Value = serde_json::from_slice(&bytes).expect("what was printed is JSON");
        match (Frame::decode(&bytes), Frame::from_value(&value)) {
            (Ok(frame), Ok(same)) => {
                prop_assert_eq!(&frame, &same);
                prop_assert_eq!(&frame.clone().into_owned(), &frame);
                let mut queue = FrameQueue::default();
                queue.put(&frame);
                queue.put(&same);
                prop_assert_eq!(&queue.take().expect("it is the first"), &frame);
                prop_assert_eq!(&queue.take().expect("it is the second"), &frame);
                prop_assert!(queue.take().is_none());
            }
            (Err(error), Err(same)) => prop_assert_eq!(error.to_string(), same.to_string()),
            (one, other) => prop_assert!(false, "{:?} but {:?}", one, other),
        }
    }

    #[test]
    fn mutated_lines_never_panic(
        at in 0..LINES.len(),
        edits in vec((any::<prop::sample::Index>(), 0..4_u8, any::<u8>(), any::<prop::sample::Index>()), 1..6),
    ) {
        let mut bytes = LINES[at].1.as_bytes().to_vec();
        for (place, edit, byte, other) in edits {
            let place = place.index(bytes.len() + 1).min(bytes.len().saturating_sub(1));
            match edit {
                0 => bytes.insert(place, byte),
                1 => bytes.truncate(place + 1),
                2 => bytes[place] = *b"\"\\{}[]:,0u\0\xff".get(usize::from(byte % 12)).unwrap_or(&byte),
                _ => bytes.extend_from_slice(&LINES[other.index(LINES.len())].1.as_bytes()[..place.min(40)]),
            }
        }
        if let Ok(frame) = Frame::decode(&bytes) {
            prop_assert_eq!(&frame.clone().into_owned(), &frame);
        }
        let _ = Sidecar::decode(&bytes);
        let mut rest = &bytes[..];
        while let Ok((_, left)) = Frame::decode_first(rest) {
            prop_assert!(left.len() < rest.len());
            rest = left;
            if rest.is_empty() {
                break;
            }
        }
    }

    #[test]
    fn any_bytes_never_panic(bytes in vec(any::<u8>(), 0..200)) {
        let _ = Frame::decode(&bytes);
        let _ = Sidecar::decode(&bytes);
    }

    #[test]
    fn grammars_of_results_never_panic(texts in vec("([<>/a-z_:&; \\n-]|agentId: |<usage>|</usage>|\\[Subagent hand-back\\]|  |<output>|<retrieval_status>|<tools-used-before-summary>){0,12}", 0..4)) {
        let content: Vec<Value> = texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
        let line = json!({"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t", "content": content}]}});
        let frame = Frame::from_value(&line).expect("it is a frame");
        let cardfold_wire::Body::User(user) = &frame.body else { panic!("it is a turn") };
        let result = &user.results[0];
        let _ = (result.agent_id_line(), result.has_handback(), result.last_text_is_agent_id(), result.usage_text());
        let _ = (result.said_as_json(), result.task_read());
        if let Some(report) = result.report_text() {
            prop_assert!(!report.as_str().trim().is_empty());
        }
    }
}
