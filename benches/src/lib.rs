//! Sessions made up for measuring: as long as wanted, in the shape of a real stream.

use std::io::Write;

use cardfold_wire::Frame;
use serde_json::{Value, json};

/// How a made-up session looks.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Sub-agents in all.
    pub dispatches: usize,
    /// Sub-agents at work at the same time; their frames alternate.
    pub at_once: usize,
    /// Calls of each sub-agent.
    pub calls_each: usize,
}

impl Workload {
    /// A session like the captures': agents make six calls each, and a busy main thread keeps ten of them at work.
    #[must_use]
    pub fn of(dispatches: usize) -> Self {
        Self { dispatches, at_once: 10, calls_each: 6 }
    }

    /// The frames of the whole session.
    #[must_use]
    pub fn frames(self) -> usize {
        self.dispatches * (FRAMES_BESIDE_CALLS + FRAMES_A_CALL * self.calls_each)
    }

    /// The stream, one frame a line, as the client of the newest captures writes it.
    #[must_use]
    pub fn stream(self) -> Vec<u8> {
        self.stream_of(0, self.dispatches)
    }

    /// The part of the stream that the agents `first .. first + dispatches` make.
    #[must_use]
    pub fn stream_of(self, first: usize, dispatches: usize) -> Vec<u8> {
        let mut stream = Vec::new();
        let agents: Vec<usize> = (first..first + dispatches).collect();
        for wave in agents.chunks(self.at_once.max(1)) {
            for step in 0..FRAMES_BESIDE_CALLS + FRAMES_A_CALL * self.calls_each {
                for &agent in wave {
                    serde_json::to_writer(&mut stream, &self.frame(agent, step)).expect("a Vec takes everything");
                    stream.write_all(b"\n").expect("a Vec takes everything");
                }
            }
        }
        stream
    }

    /// Frame `step` of an agent's life: dispatch, start, prompt, the calls, and the three frames that tell its end.
    fn frame(self, agent: usize, step: usize) -> Value {
        let last = self.calls_each * FRAMES_A_CALL + FRAMES_BESIDE_CALLS - 1;
        let mut frame = match step {
            0 => dispatch(agent),
            1 => started(agent),
            2 => user(Some(agent), json!([{ "type": "text", "text": PROMPT }])),
            _ if step == last - 2 => updated(agent),
            _ if step == last - 1 => self.notification(agent),
            _ if step == last => self.answer(agent),
            _ => call_frame(agent, (step - 3) / FRAMES_A_CALL, (step - 3) % FRAMES_A_CALL),
        };
        frame["uuid"] = format!("00000000-0000-4000-{step:04x}-{agent:012x}").into();
        frame["session_id"] = "5e550000-0000-4000-8000-000000000000".into();
        frame
    }

    fn notification(self, agent: usize) -> Value {
        let usage = json!({ "total_tokens": 3_319, "tool_uses": self.calls_each, "duration_ms": 1_824 });
        let fields = json!({
            "tool_use_id": dispatch_id(agent),
            "status": "completed",
            "output_file": "",
            "summary": REPORT,
            "usage": usage,
        });
        task(agent, "task_notification", fields)
    }

    fn answer(self, agent: usize) -> Value {
        let content = json!([{ "type": "text", "text": REPORT }]);
        let result = json!([{ "type": "tool_result", "tool_use_id": dispatch_id(agent), "content": content }]);
        let mut frame = user(None, result);
        frame["tool_use_result"] = json!({
            "status": "completed",
            "agentId": task_id(agent),
            "content": content,
            "totalTokens": 3_319,
            "totalToolUseCount": self.calls_each,
            "totalDurationMs": 1_824,
        });
        frame
    }
}

/// Dispatch, start, prompt, and the three frames that tell the end.
const FRAMES_BESIDE_CALLS: usize = 6;
/// Progress, call, result.
const FRAMES_A_CALL: usize = 3;
const PROMPT: &str = "Read the part and say what it does.";
/// About as long as a result of the captures.
const RESULT: &str = "# Demo project\n\nA small project to look at. It has a source folder with one module, a readme and \
a list of tasks. Nothing in it is meant to be useful; it is there so that there is something to read.\n";
/// About as long as a report of the captures.
const REPORT: &str = "The part reads its input once, keeps what it needs and prints a summary. I found no test for it.";

/// The frames of a stream.
///
/// # Panics
///
/// If a line cannot be decoded: a measurement of frames that were dropped would be worth nothing.
#[must_use]
pub fn decode(stream: &[u8]) -> Vec<Frame<'_>> {
    let lines = stream.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| Frame::decode(line).expect("made-up lines are frames")).collect()
}

/// The dispatch id of an agent, which are numbered from 0.
#[must_use]
pub fn dispatch_id(agent: usize) -> String {
    format!("toolu_{agent:020}")
}

fn task_id(agent: usize) -> String {
    format!("a{agent:016x}")
}

fn dispatch(agent: usize) -> Value {
    let description = title(agent);
    let input = json!({ "description": description, "subagent_type": "general-purpose", "prompt": PROMPT });
    assistant(None, &dispatch_id(agent), "Agent", input)
}

fn started(agent: usize) -> Value {
    let fields = json!({
        "tool_use_id": dispatch_id(agent),
        "task_type": "local_agent",
        "description": title(agent),
        "subagent_type": "general-purpose",
        "is_backgrounded": false,
        "spawn_depth": 1,
    });
    task(agent, "task_started", fields)
}

/// One of the three frames of a call: progress, the call, its result.
fn call_frame(agent: usize, call: usize, part: usize) -> Value {
    let id = format!("toolu_{agent:08}_{call:04}");
    let path = format!("src/part_{agent}/file_{call}.rs");
    match part {
        0 => {
            let usage = json!({
                "total_tokens": 2_000 + 40 * call,
                "tool_uses": call + 1,
                "duration_ms": 250 * (call + 1),
            });
            let fields = json!({
                "tool_use_id": dispatch_id(agent),
                "description": format!("Reading {path}"),
                "last_tool_name": "Read",
                "usage": usage,
            });
            task(agent, "task_progress", fields)
        }
        1 => assistant(Some(agent), &id, "Read", json!({ "file_path": path })),
        _ => user(Some(agent), json!([{ "type": "tool_result", "tool_use_id": id, "content": RESULT }])),
    }
}

fn updated(agent: usize) -> Value {
    task(agent, "task_updated", json!({ "patch": { "status": "completed", "end_time": 1_796_080_185_208_u64 } }))
}

fn title(agent: usize) -> String {
    format!("Look into part {agent}")
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
        "run_id": format!("r{agent:08}"),
    });
    let fields = fields.as_object().expect("fields are given as an object").clone();
    frame.as_object_mut().expect("the frame is an object").extend(fields);
    frame
}
