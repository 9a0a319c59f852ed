//! Lines of random JSON, with the words of the wire strewn in.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

const KEYS: [&str; 40] = [
    "type",
    "subtype",
    "message",
    "content",
    "id",
    "name",
    "input",
    "uuid",
    "parent_tool_use_id",
    "agent_id",
    "agentId",
    "task_id",
    "tool_use_id",
    "run_id",
    "status",
    "patch",
    "end_time",
    "usage",
    "summary",
    "description",
    "tasks",
    "task_type",
    "subagent_type",
    "spawn_depth",
    "parent_task_id",
    "is_error",
    "tool_use_result",
    "toolUseResult",
    "supersedes",
    "request",
    "request_id",
    "response",
    "is_backgrounded",
    "timestamp",
    "origin",
    "text",
    "model",
    "workflow_progress",
    "isSidechain",
    "resumedAgentId",
];

const WORDS: [&str; 40] = [
    "assistant",
    "user",
    "system",
    "task_started",
    "task_progress",
    "task_updated",
    "task_notification",
    "background_tasks_changed",
    "control_request",
    "can_use_tool",
    "control_response",
    "queue-operation",
    "attachment",
    "progress",
    "tool_use",
    "tool_result",
    "text",
    "Task",
    "Agent",
    "SendMessage",
    "Skill",
    "Workflow",
    "TaskStop",
    "toolu_1",
    "toolu_2",
    "t1",
    "t2",
    "local_agent",
    "local_bash",
    "completed",
    "failed",
    "running",
    "async_launched",
    "2026-03-02T09:00:01.000Z",
    "",
    " ",
    "[Request interrupted by user]",
    "explorer",
    "u1",
    "agentId: t1",
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        6 => select(WORDS.to_vec()).prop_map(|word| json!(word)),
        1 => any::<i64>().prop_map(|number| json!(number)),
        1 => any::<bool>().prop_map(|yes| json!(yes)),
        1 => Just(Value::Null),
        1 => "\\PC{0,12}".prop_map(|text| json!(text)),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| prop_oneof![vec(inner.clone(), 0..4).prop_map(Value::Array), object(inner),])
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    vec((select(KEYS.to_vec()), inner), 0..6)
        .prop_map(|fields| Value::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
}

/// Lines that look like frames from afar: the type is mostly a known one, the fields are anything.
pub fn any_lines() -> impl Strategy<Value = Vec<String>> {
    let kinds = [
        ("assistant", ""),
        ("user", ""),
        ("system", "task_started"),
        ("system", "task_progress"),
        ("system", "task_updated"),
        ("system", "task_notification"),
        ("system", "background_tasks_changed"),
        ("control_request", ""),
        ("control_response", ""),
        ("attachment", ""),
        ("progress", ""),
        ("queue-operation", ""),
        ("result", ""),
        ("agent_metadata", ""),
        ("odd", ""),
    ];
    let line = (select(kinds.to_vec()), object(value())).prop_map(|((kind, subtype), fields)| {
        let mut frame: Map<String, Value> = fields.as_object().cloned().unwrap_or_default();
        frame.insert("type".to_owned(), json!(kind));
        if !subtype.is_empty() {
            frame.insert("subtype".to_owned(), json!(subtype));
        }
        Value::Object(frame).to_string()
    });
    vec(line, 0..40)
}
