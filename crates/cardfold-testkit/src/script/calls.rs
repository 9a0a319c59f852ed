//! Frames of the model: dispatches, calls, text.

use serde_json::{Map, Value, json};

use super::parse::{Step, split};
use super::write::{Writer, object, put};

impl Writer {
    /// `D A C SAY SK SM STOP TO WF`.
    pub(super) fn call(&mut self, step: &mut Step) -> Map<String, Value> {
        if step.verb == "SAY" {
            return self.say(step);
        }
        let (id, parent) = split(&step.id(), &["<"]);
        let (tool, input) = match step.verb.as_str() {
            "A" | "D" => ("Agent", self.dispatch(step, &id)),
            "SK" => ("Skill", json!({"skill": step.text("skill").unwrap_or_else(|| "tidy".to_owned())})),
            "SM" => ("SendMessage", json!({"to": whom(step, "to"), "message": "Go on."})),
            "STOP" => ("TaskStop", json!({"task_id": whom(step, "task")})),
            "TO" => ("TaskOutput", json!({"task_id": whom(step, "task"), "block": false, "timeout": 1000})),
            "WF" => ("Workflow", json!({"name": step.text("name").unwrap_or_else(|| "sweep".to_owned())})),
            _ => ("Read", json!({"file_path": id})),
        };
        let tool = step.text("tool").unwrap_or_else(|| tool.to_owned());
        let input = step.option("input").unwrap_or(input);
        let kind = if step.flag("server") { "server_tool_use" } else { "tool_use" };
        self.parents.insert(id.clone(), parent.clone());
        let block = json!({"type": kind, "id": id, "name": tool, "input": input});
        self.assistant(step, parent.as_deref(), block)
    }

    fn dispatch(&mut self, step: &mut Step, id: &str) -> Value {
        let mut input = object(json!({"prompt": "Look around."}));
        let title = step.text("desc").unwrap_or_else(|| format!("do {id}"));
        if title != "none" {
            self.titles.insert(id.to_owned(), title.clone());
            put(&mut input, "description", Some(title));
        }
        put(&mut input, "subagent_type", step.text("type"));
        put(&mut input, "run_in_background", step.truth("bg"));
        put(&mut input, "resume", step.text("resume"));
        put(&mut input, "name", step.text("name"));
        if let Some(prompt) = step.text("prompt") {
            put(&mut input, "prompt", Some(prompt));
        }
        Value::Object(input)
    }

    fn say(&mut self, step: &mut Step) -> Map<String, Value> {
        let who = step.id();
        let parent = (who != "-").then_some(who);
        let text = step.texts().pop().unwrap_or_else(|| "So it is.".to_owned());
        self.assistant(step, parent.as_deref(), json!({"type": "text", "text": text}))
    }
}

fn whom(step: &mut Step, key: &str) -> String {
    step.text(key).unwrap_or_else(|| step.fail(&format!("`{key}=` is missing")))
}
