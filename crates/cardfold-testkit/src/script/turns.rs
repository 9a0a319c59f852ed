//! User turns, stored notices, sidecars.

use serde_json::{Map, Value, json};

use super::parse::{Step, split};
use super::results::hand_back;
use super::write::{Writer, insert, object, put};

impl Writer {
    /// `USER INT HBT NT NQ NA META`.
    pub(super) fn turn(&mut self, step: &mut Step) -> Map<String, Value> {
        match step.verb.as_str() {
            "HBT" => self.hand_back_turn(step),
            "META" => sidecar(step),
            "NA" => attachment(step),
            "NQ" => {
                let operation = step.text("op").unwrap_or_else(|| "enqueue".to_owned());
                let block = notice(step);
                object(json!({"type": "queue-operation", "operation": operation, "content": block}))
            }
            "NT" => self.notice_turn(step),
            _ => self.plain_turn(step),
        }
    }

    fn plain_turn(&mut self, step: &mut Step) -> Map<String, Value> {
        let who = step.id();
        let parent = (who != "-").then_some(who);
        let text = if step.verb == "INT" {
            let tail = if step.flag("tool") { " for tool use" } else { "" };
            format!("[Request interrupted by user{tail}]")
        } else {
            step.texts().pop().unwrap_or_else(|| "Look around.".to_owned())
        };
        let origin = step.text("origin");
        let mut frame = self.user(step, parent.as_deref(), json!([{"type": "text", "text": text}]));
        put(&mut frame, "origin", origin.map(|kind| json!({"kind": kind})));
        frame
    }

    fn notice_turn(&mut self, step: &mut Step) -> Map<String, Value> {
        let origin = step.text("origin").unwrap_or_else(|| "task-notification".to_owned());
        let block = notice(step);
        let mut frame = self.user(step, None, json!(block));
        if origin != "none" {
            insert(&mut frame, "origin", json!({"kind": origin}));
        }
        frame
    }

    /// `from=` where the origin names no sender.
    fn hand_back_turn(&mut self, step: &mut Step) -> Map<String, Value> {
        let task = step.id();
        let from = step.text("from").unwrap_or_else(|| task.clone());
        let report = step.texts().pop().unwrap_or_else(|| "Done.".to_owned());
        let text = format!("<agent-message from=\"{from}\">\n{}\n</agent-message>", hand_back(&report));
        let mut origin = object(json!({"kind": "peer", "from": from, "handback": true}));
        if !step.flag("nosender") {
            insert(&mut origin, "senderTaskId", json!(task));
        }
        let mut frame = self.user(step, None, json!(text));
        insert(&mut frame, "origin", Value::Object(origin));
        frame
    }
}

fn attachment(step: &mut Step) -> Map<String, Value> {
    let mode = step.text("mode").unwrap_or_else(|| "task-notification".to_owned());
    let block = notice(step);
    let mut attachment = object(json!({"type": "queued_command", "prompt": block}));
    put(&mut attachment, "commandMode", (mode != "none").then_some(mode));
    object(json!({"type": "attachment", "isSidechain": false, "parentUuid": null, "attachment": attachment}))
}

/// The block as 2.1.332 writes it: `t→a word`, tags in its order, texts with entities.
fn notice(step: &mut Step) -> String {
    let (task, tool_use) = split(&step.id(), &["→", "->"]);
    let word = step.word();
    let mut block = "<task-notification>".to_owned();
    let mut tag = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            block += &format!("\n<{name}>{}</{name}>", escaped(&value));
        }
    };
    tag("task-id", Some(task));
    tag("tool-use-id", tool_use);
    tag("status", word);
    tag("summary", step.text("summary"));
    tag("result", step.text("result"));
    let usage = [("tokens", "subagent_tokens"), ("uses", "tool_uses"), ("ms", "duration_ms")];
    let usage = usage.map(|(key, name)| step.int(key).map(|n| format!("<{name}>{n}</{name}>")));
    let usage = usage.into_iter().flatten().collect::<String>();
    if !usage.is_empty() {
        block += &format!("\n<usage>{usage}</usage>");
    }
    block + "\n</task-notification>"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn sidecar(step: &mut Step) -> Map<String, Value> {
    let (task, tool_use) = split(&step.id(), &["→", "->"]);
    let mut frame = object(json!({"type": "agent_metadata", "agentId": task}));
    put(&mut frame, "toolUseId", tool_use);
    put(&mut frame, "agentType", step.text("type"));
    put(&mut frame, "description", step.text("desc"));
    put(&mut frame, "name", step.text("name"));
    put(&mut frame, "model", step.text("model"));
    put(&mut frame, "parentAgentId", step.text("parent"));
    put(&mut frame, "spawnDepth", step.int("depth"));
    frame
}
