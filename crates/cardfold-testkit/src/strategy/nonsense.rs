//! What a stream holds besides plausible frames, and what may go wrong with those.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// One disturbance of a list of frames.
#[derive(Clone, Debug)]
pub(super) struct Nonsense {
    at: Index,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    /// Frames that are no agent's, or nobody's.
    Alien(usize),
    /// A frame comes once more, later.
    Again(Index),
    /// A frame comes once more under another uuid.
    Rewritten(Index),
    /// A frame comes later than it should.
    Late(Index),
}

pub(super) fn nonsense() -> impl Strategy<Value = Vec<Nonsense>> {
    let what = prop_oneof![
        4 => (0..aliens().len()).prop_map(What::Alien),
        2 => any::<Index>().prop_map(What::Again),
        1 => any::<Index>().prop_map(What::Rewritten),
        2 => any::<Index>().prop_map(What::Late),
    ];
    vec((any::<Index>(), what).prop_map(|(at, what)| Nonsense { at, what }), 1..5)
}

impl Nonsense {
    /// Puts itself into a list of frames that have their uuids.
    pub(super) fn disturb(&self, frames: &mut Vec<Value>) {
        let at = self.at.index(frames.len() + 1);
        match &self.what {
            What::Alien(number) => {
                for (offset, mut alien) in aliens().swap_remove(*number).into_iter().enumerate() {
                    if alien.get("uuid").is_none() {
                        alien["uuid"] = json!(format!("alien-{number}-{offset}"));
                    }
                    let place = (at + 2 * offset).min(frames.len());
                    frames.insert(place, alien);
                }
            }
            What::Again(index) | What::Rewritten(index) if at > 0 => {
                let mut frame = frames[index.index(at)].clone();
                if matches!(self.what, What::Rewritten(_)) && frame.get("uuid").is_some() {
                    frame["uuid"] = json!(format!("again-{}", frames.len()));
                }
                frames.insert(at, frame);
            }
            What::Late(index) if at > 0 => {
                let from = index.index(at);
                let frame = frames.remove(from);
                let answered = frames.iter().position(|other| answers(other, &frame)).unwrap_or(frames.len());
                frames.insert((at - 1).min(answered.max(from)), frame);
            }
            What::Again(_) | What::Late(_) | What::Rewritten(_) => {}
        }
    }
}

/// A frame holds the result of a call that is made in another. The call stands before its result in every stream and
/// file: both are of one thread, whose own order is kept (P2). Results that come early are part of a plan.
fn answers(frame: &Value, made: &Value) -> bool {
    let blocks = |frame: &Value| frame["message"]["content"].as_array().cloned().unwrap_or_default();
    let calls: Vec<Value> = blocks(made).iter().map(|block| block["id"].clone()).filter(Value::is_string).collect();
    blocks(frame).iter().any(|block| calls.contains(&block["tool_use_id"]))
}

fn call(parent: Value, id: &str) -> Value {
    let content = json!([{ "type": "tool_use", "id": id, "name": "Read", "input": { "file_path": "x" } }]);
    json!({ "type": "assistant", "message": { "content": content }, "parent_tool_use_id": parent })
}

fn result(parent: Value, id: &str) -> Value {
    let content = json!([{ "type": "tool_result", "tool_use_id": id, "content": "ok" }]);
    json!({ "type": "user", "message": { "content": content }, "parent_tool_use_id": parent })
}

fn task(subtype: &str, more: Value) -> Value {
    let mut frame = json!({ "type": "system", "subtype": subtype });
    let fields = frame.as_object_mut().expect("an object");
    fields.extend(more.as_object().expect("an object").clone());
    frame
}

/// Small groups of frames that make no card of their own, and change none.
fn aliens() -> Vec<Vec<Value>> {
    let notice = "<task-notification>\n<task-id>a0000000000000001</task-id>\n<tool-use-id>toolu_D1</tool-use-id>\n\
                  <status>failed</status>\n<summary>Quoted</summary>\n</task-notification>";
    vec![
        vec![json!({ "type": "brand_new", "agent_id": "a0000000000000001", "parent_tool_use_id": "toolu_D1" })],
        vec![task("brand_new", json!({ "task_id": "a0000000000000001", "status": "failed" }))],
        vec![json!({ "type": "stream_event", "event": {}, "parent_tool_use_id": "toolu_D1" })],
        vec![task("hook_started", json!({ "hook_id": "h", "hook_event": "Stop" }))],
        vec![call(Value::Null, ""), call(Value::Null, "  ")],
        vec![call(json!(" "), "toolu_main"), result(Value::Null, "toolu_main")],
        vec![call(json!("toolu_nowhere"), "toolu_n1"), result(json!("toolu_nowhere"), "toolu_n1")],
        vec![call(json!("toolu_y1"), "toolu_y2"), call(json!("toolu_y2"), "toolu_y1")],
        vec![call(json!("toolu_z1"), "toolu_z1")],
        vec![task("task_started", json!({ "task_id": "", "tool_use_id": "toolu_e1", "task_type": "local_agent" }))],
        vec![
            task("task_started", json!({ "task_id": "b00000001", "task_type": "local_bash", "description": "Sleep" })),
            task("task_updated", json!({ "task_id": "b00000001", "patch": { "status": "failed", "end_time": 5 } })),
        ],
        vec![
            task(
                "task_started",
                json!({ "task_id": "m00000001", "task_type": "local_agent", "subagent_type": "main-session" }),
            ),
            task("task_notification", json!({ "task_id": "m00000001", "status": "completed", "summary": "x" })),
        ],
        vec![task(
            "task_started",
            json!({
                "task_id": "h00000001", "tool_use_id": "toolu_h1", "task_type": "local_agent", "ambient": true,
                "subagent_type": "quiet",
            }),
        )],
        vec![
            task(
                "task_started",
                json!({ "task_id": "x1", "task_type": "local_agent", "spawn_depth": 2, "parent_task_id": "x2" }),
            ),
            task(
                "task_started",
                json!({ "task_id": "x2", "task_type": "local_agent", "spawn_depth": 2, "parent_task_id": "x1" }),
            ),
        ],
        vec![json!({ "type": "user", "message": { "content": format!("Look: {notice}") } })],
        vec![json!({ "type": "user", "message": { "content": notice }, "origin": { "kind": "human" } })],
        vec![json!({ "type": "control_response", "response": { "request_id": "nobody" } })],
        vec![json!({ "type": "result", "subtype": "success", "is_error": false })],
        vec![task("task_updated", json!({ "task_id": "nobody", "patch": { "status": "brand_new_word" } }))],
        vec![json!({
            "type": "assistant", "aborted": true, "parent_tool_use_id": null,
            "message": { "content": [{ "type": "tool_use", "id": "toolu_cut", "name": "Agent", "input": {} }] },
        })],
        skill(),
    ]
}

/// A forked skill of the main thread: its agent makes no card, whenever that becomes known.
fn skill() -> Vec<Value> {
    let call = json!([{ "type": "tool_use", "id": "toolu_k1", "name": "Skill", "input": { "skill": "tidy" } }]);
    let started = json!({
        "task_id": "k00000001", "tool_use_id": "toolu_k1", "task_type": "local_agent", "subagent_type": "tidy",
        "spawn_depth": 1, "description": "Tidy",
    });
    let mut result = result(Value::Null, "toolu_k1");
    result["tool_use_result"] = json!({ "success": true, "status": "forked", "agentId": "k00000001" });
    vec![
        json!({ "type": "assistant", "message": { "content": call }, "parent_tool_use_id": null }),
        task("task_started", started),
        result,
    ]
}
