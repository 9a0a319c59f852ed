//! Frames that open no card and no call: what most of a long stream is. Knows agents by number, and no tracker.

use serde_json::{Value, json};

use crate::frames::{self, Agent};

/// Frames that a session can go on with for ever: of so many agents that are at work, and of the client. No two have one
/// uuid, and texts and unknown words keep changing; `first` numbers the first frame.
#[must_use]
pub fn bystanders(agents: usize, first: usize, count: usize) -> Vec<u8> {
    let mut stream = Vec::new();
    for number in first..first + count {
        let agent = Agent { number: number % agents, parent: None, depth: 1 };
        // Of a round of agents all say the same kind of thing, so that each of them says every kind.
        let frame = match number / agents % KINDS {
            0 => frames::progress(agent, number % 100),
            1 => frames::prompt(agent),
            2 => frames::result(agent, 0),
            3 => main_text(number),
            4 => json!({ "type": "stream_event", "event": { "type": "ping" } }),
            5 => json!({ "type": format!("made_up_{}", number % 1_000), "number": number }),
            6 => level(agents, number),
            7 => heartbeat(agent),
            8 => request(agent, number),
            9 => answer_to_request(number - agents),
            10 => notice(agent, number),
            _ => json!({ "type": "result", "subtype": "success", "is_error": false, "num_turns": number }),
        };
        frames::write(frame, &format!("bystander-{number}"), &mut stream);
    }
    stream
}

const KINDS: usize = 12;

fn main_text(number: usize) -> Value {
    let content = json!([{ "type": "text", "text": format!("Part {number} is next.") }]);
    json!({ "type": "assistant", "message": { "role": "assistant", "content": content } })
}

/// The level of background tasks: all agents but one, each another time.
fn level(agents: usize, number: usize) -> Value {
    let listed = (0..agents).filter(|agent| *agent != number % agents);
    let row = |agent| json!({ "task_id": frames::task_id(agent), "task_type": "local_agent" });
    let tasks: Vec<Value> = listed.map(row).collect();
    json!({ "type": "system", "subtype": "background_tasks_changed", "tasks": tasks })
}

fn heartbeat(agent: Agent) -> Value {
    let id = frames::dispatch_id(agent.number);
    json!({ "type": "tool_progress", "tool_use_id": format!("{id}-heartbeat-0"), "parent_tool_use_id": id })
}

fn request(agent: Agent, number: usize) -> Value {
    let request = json!({
        "subtype": "can_use_tool",
        "tool_name": "Bash",
        "tool_use_id": frames::call_id(agent.number, 0),
        "agent_id": frames::task_id(agent.number),
    });
    json!({ "type": "control_request", "request_id": format!("request-{number}"), "request": request })
}

fn answer_to_request(number: usize) -> Value {
    let response = json!({ "subtype": "success", "request_id": format!("request-{number}") });
    json!({ "type": "control_response", "response": response })
}

/// A notice without a status ends nothing; no two have one text.
fn notice(agent: Agent, number: usize) -> Value {
    let task = frames::task_id(agent.number);
    let text = format!(
        "<task-notification>\n<task-id>{task}</task-id>\n<summary>Note {number}</summary>\n</task-notification>"
    );
    json!({ "type": "user", "message": { "role": "user", "content": text }, "origin": { "kind": "task-notification" } })
}
