//! Any bytes are a frame or an error, and a frame agrees with a plain reading of the same JSON.
//!
//! A file of several lines is taken line by line, so that recorded streams can be replayed as they are.

#![cfg_attr(fuzzing, no_main)]

#[macro_use]
mod shim;

use cardfold_wire::{Block, Body, Frame};
use serde_json::Value;

fuzz_target!(every_line_agrees);

fn every_line_agrees(data: &[u8]) {
    data.split(|&byte| byte == b'\n').for_each(agrees_with_a_plain_reading);
}

fn agrees_with_a_plain_reading(line: &[u8]) {
    let decoded = Frame::decode(line);
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        // The plain reading is the stricter one: it wants every text to be well formed, also where nobody reads it.
        return;
    };
    let Ok(frame) = decoded else {
        return;
    };
    assert!(value.is_object(), "a frame is made of an object");
    ids_agree(&frame, &value);
    match &frame.body {
        Body::Assistant(_) => assert!(is_type(&value, &["assistant", "progress"])),
        Body::Result(_) => assert!(is_type(&value, &["result"])),
        Body::User(_) => assert!(is_type(&value, &["user", "progress"])),
        Body::BackgroundTasks(_)
        | Body::Init
        | Body::PermissionDenied(_)
        | Body::TaskNotification(_)
        | Body::TaskProgress(_)
        | Body::TaskStarted(_)
        | Body::TaskUpdated(_) => assert!(is_type(&value, &["system"])),
        Body::Notices(_) => assert!(is_type(&value, &["attachment", "queue-operation"])),
        Body::PermissionRequest(_) => assert!(is_type(&value, &["control_request"])),
        Body::PermissionSettled { .. } => {
            assert!(is_type(&value, &["control_response", "control_cancel_request"]));
        }
        Body::Quiet => assert!(value["type"].is_string()),
        Body::Remark(_) => unreachable!("no line decodes to what only dialects make"),
        Body::Sidecar(_) => assert!(is_type(&value, &["agent_metadata"])),
        Body::ToolProgress(_) => assert!(is_type(&value, &["tool_progress"])),
        Body::Unknown { kind } => {
            let word = kind.strip_prefix("system/").unwrap_or(kind);
            assert!(
                value["type"] == **kind || value["subtype"] == *word || kind.is_empty(),
                "{kind} stands in the line"
            );
        }
    }
}

/// The ids of a frame are those that a plain reading finds in their places: no more and no fewer.
fn ids_agree(frame: &Frame<'_>, line: &Value) {
    // An agent-progress line is the message that it carries.
    let is_carried = line["type"] == "progress" && line["data"]["type"] == "agent_progress";
    let carried = &line["data"]["message"];
    let uuid = if is_carried { id(carried, "uuid").or(id(line, "uuid")) } else { id(line, "uuid") };
    assert_eq!(frame.uuid.as_deref(), uuid, "uuid");
    assert_eq!(frame.session_id.as_deref(), id(line, "session_id").or(id(line, "sessionId")), "session_id");
    let parent = id(line, "parent_tool_use_id").or(id(line, "parentToolUseID"));
    assert_eq!(frame.parent.as_deref(), parent, "parent_tool_use_id");
    let agent = if is_carried { id(&line["data"], "agentId") } else { id(line, "agent_id").or(id(line, "agentId")) };
    assert_eq!(frame.agent_id.as_deref(), agent, "agent_id");
    let content = if is_carried { &carried["message"]["content"] } else { &line["message"]["content"] };
    // Old clients carried a list of messages.
    if !is_carried || carried.is_object() {
        assert_eq!(ids_of_calls(&frame.body), ids_in(content, &frame.body), "ids of calls and results");
    }
    let (task, call) = task_ids(&frame.body);
    if let Some(task) = task {
        assert_eq!(task, id(line, "task_id").unwrap_or_default(), "task_id");
    }
    if let Some(call) = call {
        assert_eq!(call, id(line, "tool_use_id"), "tool_use_id");
    }
    if let Body::BackgroundTasks(tasks) = &frame.body {
        let listed: Vec<&str> = tasks.iter().map(|task| &*task.task_id).collect();
        let rows = line["tasks"].as_array().expect("a level has its list");
        assert_eq!(listed, rows.iter().map(|row| id(row, "task_id").unwrap_or_default()).collect::<Vec<_>>());
    }
}

/// A string that names something: a blank one names nothing.
fn id<'v>(object: &'v Value, key: &str) -> Option<&'v str> {
    object[key].as_str().filter(|id| !id.trim().is_empty())
}

/// The ids of a message's calls and results, in order; none of frames that are no messages.
fn ids_of_calls<'f>(body: &'f Body<'_>) -> Vec<&'f str> {
    let in_block = |block: &'f Block<'_>| match block {
        Block::ToolUse(call) => Some(&*call.id),
        Block::ToolResult(result) => Some(&*result.tool_use_id),
        Block::Other | Block::Text(_) => None,
    };
    if let Body::Assistant(message) = body {
        message.blocks.iter().filter_map(in_block).collect()
    } else if let Body::User(turn) = body {
        turn.results.iter().map(|result| &*result.tool_use_id).collect()
    } else {
        Vec::new()
    }
}

/// The same of a plain reading. A user turn has results and no calls.
fn ids_in<'v>(content: &'v Value, body: &Body<'_>) -> Vec<&'v str> {
    let is_by_model = matches!(body, Body::Assistant(_));
    if !is_by_model && !matches!(body, Body::User(_)) {
        return Vec::new();
    }
    let in_block = |block: &'v Value| match block["type"].as_str()? {
        "tool_use" | "server_tool_use" | "mcp_tool_use" => is_by_model.then(|| id(block, "id").unwrap_or_default()),
        word if word.ends_with("tool_result") => Some(id(block, "tool_use_id").unwrap_or_default()),
        _ => None,
    };
    content.as_array().into_iter().flatten().filter_map(in_block).collect()
}

/// The `task_id` of a task frame, and the `tool_use_id` of a frame that states one.
fn task_ids<'f>(body: &'f Body<'_>) -> (Option<&'f str>, Option<Option<&'f str>>) {
    match body {
        Body::PermissionDenied(said) => (None, Some(said.tool_use_id.as_deref())),
        Body::TaskNotification(said) => (Some(&*said.task_id), Some(said.tool_use_id.as_deref())),
        Body::TaskProgress(said) => (Some(&*said.task_id), Some(said.tool_use_id.as_deref())),
        Body::TaskStarted(said) => (Some(&*said.task_id), Some(said.tool_use_id.as_deref())),
        Body::TaskUpdated(said) => (Some(&*said.task_id), None),
        Body::ToolProgress(said) => (None, Some(said.tool_use_id.as_deref())),
        Body::Assistant(_)
        | Body::BackgroundTasks(_)
        | Body::Init
        | Body::Notices(_)
        | Body::PermissionRequest(_)
        | Body::PermissionSettled { .. }
        | Body::Quiet
        | Body::Remark(_)
        | Body::Result(_)
        | Body::Sidecar(_)
        | Body::Unknown { .. }
        | Body::User(_) => (None, None),
    }
}

fn is_type(value: &Value, types: &[&str]) -> bool {
    value["type"].as_str().is_some_and(|word| types.contains(&word))
}
