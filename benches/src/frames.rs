//! Made-up frames, as the client of the newest captures writes them. Knows agents by number, and no order of frames.

use serde_json::{Value, json};

/// Who an agent is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agent {
    /// Its number in the session.
    pub(crate) number: usize,
    /// The agent that dispatched it; none for the main thread.
    pub(crate) parent: Option<usize>,
    /// 1 = dispatched by the main thread.
    pub(crate) depth: usize,
}

const PROMPT: &str = "Read the part and say what it does.";
/// About as long as a result of the captures.
const RESULT: &str = "# Demo project\n\nA small project to look at. It has a source folder with one module, a readme and \
a list of tasks. Nothing in it is meant to be useful; it is there so that there is something to read.\n";
/// About as long as a report of the captures.
const REPORT: &str = "The part reads its input once, keeps what it needs and prints a summary. I found no test for it.";

/// An agent's number as it stands in every id and text: always as long, so that it can be written over.
pub(crate) fn number(agent: usize) -> String {
    format!("{NUMBER_OPENS}{agent:0NUMBER_DIGITS$}")
}

/// What no other text of a made-up frame holds before a digit.
pub(crate) const NUMBER_OPENS: char = 'Z';
pub(crate) const NUMBER_DIGITS: usize = 8;

/// The dispatch id of an agent, which are numbered from 0.
#[must_use]
pub fn dispatch_id(agent: usize) -> String {
    format!("toolu_agent{}", number(agent))
}

/// The id of a call of an agent, which are numbered from 0.
pub(crate) fn call_id(agent: usize, call: usize) -> String {
    format!("toolu_call{call:04}{}", number(agent))
}

pub(crate) fn task_id(agent: usize) -> String {
    format!("a1b2c3d4{}", number(agent))
}

pub(crate) fn dispatch(agent: Agent) -> Value {
    let input = json!({
        "description": title(agent.number),
        "subagent_type": "general-purpose",
        "prompt": PROMPT,
    });
    assistant(agent.parent, &dispatch_id(agent.number), "Agent", input)
}

pub(crate) fn started(agent: Agent) -> Value {
    let mut frame = task(
        agent.number,
        "task_started",
        json!({
            "tool_use_id": dispatch_id(agent.number),
            "task_type": "local_agent",
            "description": title(agent.number),
            "subagent_type": "general-purpose",
            "is_backgrounded": false,
            "spawn_depth": agent.depth,
        }),
    );
    if let Some(parent) = agent.parent {
        frame["parent_task_id"] = task_id(parent).into();
    }
    frame
}

pub(crate) fn prompt(agent: Agent) -> Value {
    user(Some(agent.number), json!([{ "type": "text", "text": PROMPT }]))
}

pub(crate) fn progress(agent: Agent, call: usize) -> Value {
    let fields = json!({
        "tool_use_id": dispatch_id(agent.number),
        "description": format!("Reading {}", path(agent.number, call)),
        "last_tool_name": "Read",
        "usage": { "total_tokens": 2_000 + 40 * call, "tool_uses": call + 1, "duration_ms": 250 * (call + 1) },
    });
    task(agent.number, "task_progress", fields)
}

pub(crate) fn call(agent: Agent, call: usize) -> Value {
    let input = json!({ "file_path": path(agent.number, call) });
    assistant(Some(agent.number), &call_id(agent.number, call), "Read", input)
}

pub(crate) fn result(agent: Agent, call: usize) -> Value {
    let id = call_id(agent.number, call);
    user(Some(agent.number), json!([{ "type": "tool_result", "tool_use_id": id, "content": RESULT }]))
}

pub(crate) fn updated(agent: Agent) -> Value {
    let patch = json!({ "status": "completed", "end_time": 1_796_080_185_208_u64 });
    task(agent.number, "task_updated", json!({ "patch": patch }))
}

pub(crate) fn notification(agent: Agent, calls: usize) -> Value {
    let fields = json!({
        "tool_use_id": dispatch_id(agent.number),
        "status": "completed",
        "output_file": "",
        "summary": REPORT,
        "usage": { "total_tokens": 3_319, "tool_uses": calls, "duration_ms": 1_824 },
    });
    task(agent.number, "task_notification", fields)
}

pub(crate) fn answer(agent: Agent, calls: usize) -> Value {
    let id = dispatch_id(agent.number);
    let content = json!([{ "type": "text", "text": REPORT }]);
    let mut frame = user(agent.parent, json!([{ "type": "tool_result", "tool_use_id": id, "content": content }]));
    frame["tool_use_result"] = json!({
        "status": "completed",
        "agentId": task_id(agent.number),
        "content": content,
        "totalTokens": 3_319,
        "totalToolUseCount": calls,
        "totalDurationMs": 1_824,
    });
    frame
}

/// A call made under another call, of an agent that no frame names.
pub(crate) fn call_under(parent: &str, id: &str) -> Value {
    let mut frame = assistant(None, id, "Read", json!({ "file_path": "src/main.rs" }));
    frame["parent_tool_use_id"] = parent.into();
    frame
}

/// The frame as a line, with a uuid of its own and the session's id.
pub(crate) fn write(mut frame: Value, uuid: &str, stream: &mut Vec<u8>) {
    frame["uuid"] = uuid.into();
    frame["session_id"] = "5e550000-0000-4000-8000-000000000000".into();
    serde_json::to_writer(&mut *stream, &frame).expect("a Vec takes everything");
    stream.push(b'\n');
}

fn title(agent: usize) -> String {
    format!("Look into part {}", number(agent))
}

fn path(agent: usize, call: usize) -> String {
    format!("src/part_{}/file_{call}.rs", number(agent))
}

fn assistant(agent: Option<usize>, id: &str, tool: &str, input: Value) -> Value {
    let content = json!([{ "type": "tool_use", "id": id, "name": tool, "input": input }]);
    let message = json!({ "id": "msg_1", "role": "assistant", "model": "claude-opus-5-5", "content": content });
    said_by(agent, json!({ "type": "assistant", "message": message }))
}

fn user(agent: Option<usize>, content: Value) -> Value {
    said_by(agent, json!({ "type": "user", "message": { "role": "user", "content": content } }))
}

fn said_by(agent: Option<usize>, mut frame: Value) -> Value {
    frame["parent_tool_use_id"] = agent.map(dispatch_id).into();
    if let Some(agent) = agent {
        frame["agent_id"] = task_id(agent).into();
    }
    frame["timestamp"] = "2026-11-30T22:29:45.208Z".into();
    frame
}

fn task(agent: usize, subtype: &str, fields: Value) -> Value {
    let mut frame = json!({
        "type": "system",
        "subtype": subtype,
        "task_id": task_id(agent),
        "run_id": format!("0mx3vt5yp-{}", number(agent)),
    });
    let fields = fields.as_object().expect("fields are given as an object").clone();
    frame.as_object_mut().expect("the frame is an object").extend(fields);
    frame
}
