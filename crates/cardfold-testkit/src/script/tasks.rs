//! The roster's frames, and those of permission requests.

use serde_json::{Map, Value, json};

use super::parse::{Arg, Step, split};
use super::write::{Writer, figures, insert, object, put};

const ARROWS: [&str; 2] = ["→", "->"];

impl Writer {
    /// `TS TP TU TN BTC`.
    pub(super) fn task(&mut self, step: &mut Step) -> Map<String, Value> {
        if step.verb == "BTC" {
            return self.level(step);
        }
        let (task, tool_use) = split(&step.id(), &ARROWS);
        let mut frame = object(json!({"type": "system", "task_id": task}));
        put(&mut frame, "run_id", step.text("run"));
        put(&mut frame, "tool_use_id", tool_use.clone());
        for hidden in ["ambient", "skip_transcript"] {
            if step.flag(hidden) {
                insert(&mut frame, hidden, json!(true));
            }
        }
        match step.verb.as_str() {
            "TS" => self.started(step, &mut frame, &task, tool_use.as_deref()),
            "TP" => progress(step, &mut frame),
            "TU" => updated(step, &mut frame),
            _ => notification(step, &mut frame),
        }
        frame
    }

    fn started(&mut self, step: &mut Step, frame: &mut Map<String, Value>, task: &str, tool_use: Option<&str>) {
        insert(frame, "subtype", json!("task_started"));
        let known = self.titles.get(task).or_else(|| self.titles.get(tool_use?)).cloned();
        let title = step.text("desc").or(known).unwrap_or_else(|| format!("do {}", tool_use.unwrap_or(task)));
        if title != "none" {
            self.titles.insert(task.to_owned(), title.clone());
            insert(frame, "description", json!(title));
        }
        let task_type = step.text("task_type").unwrap_or_else(|| "local_agent".to_owned());
        put(frame, "task_type", (task_type != "none").then_some(task_type));
        put(frame, "subagent_type", step.text("type"));
        put(frame, "is_backgrounded", step.truth("bg"));
        put(frame, "spawn_depth", step.int("depth"));
        put(frame, "parent_task_id", step.text("parent"));
        if let Some(tool_use) = tool_use {
            self.tasks.insert(tool_use.to_owned(), task.to_owned());
        }
    }

    /// `BTC t u@r2 {"task_id":…}`.
    fn level(&mut self, step: &mut Step) -> Map<String, Value> {
        let mut rows = Vec::new();
        while let Some(entry) = step.entry() {
            rows.push(match entry {
                Arg::Json(row) => row,
                Arg::Text(word) | Arg::Word(word) => {
                    let (task, run) = split(&word, &["@"]);
                    let title = self.titles.get(&task).cloned().unwrap_or_else(|| format!("do {task}"));
                    let mut row = object(json!({"task_id": task, "task_type": "local_agent", "description": title}));
                    put(&mut row, "run_id", run);
                    Value::Object(row)
                }
            });
        }
        object(json!({"type": "system", "subtype": "background_tasks_changed", "tasks": rows}))
    }

    /// `ASK ANS CANCEL DENIED`.
    pub(super) fn permission(&mut self, step: &mut Step) -> Map<String, Value> {
        let id = step.id();
        match step.verb.as_str() {
            "ANS" => object(json!({
                "type": "control_response",
                "response": {"subtype": "success", "request_id": id, "response": {"behavior": "allow"}},
            })),
            "CANCEL" => object(json!({"type": "control_cancel_request", "request_id": id})),
            "DENIED" => {
                let mut frame = object(json!({"type": "system", "subtype": "permission_denied", "tool_use_id": id}));
                put(&mut frame, "agent_id", step.text("agent"));
                frame
            }
            _ => {
                let tool = step.text("tool").unwrap_or_else(|| "Bash".to_owned());
                let mut request = object(json!({"subtype": "can_use_tool", "tool_name": tool, "input": {}}));
                put(&mut request, "agent_id", step.text("agent"));
                put(&mut request, "tool_use_id", step.text("call"));
                put(&mut request, "title", step.text("title"));
                put(&mut request, "display_name", step.text("display"));
                object(json!({"type": "control_request", "request_id": id, "request": request}))
            }
        }
    }
}

fn progress(step: &mut Step, frame: &mut Map<String, Value>) {
    insert(frame, "subtype", json!("task_progress"));
    insert(frame, "description", json!(step.text("desc").unwrap_or_else(|| "Reading".to_owned())));
    put(frame, "summary", step.text("summary"));
    put(frame, "last_tool_name", step.text("tool"));
    put(frame, "workflow_progress", step.option("wf"));
    usage(step, frame);
}

/// The word and the end time stand in that order; either may be missing.
fn updated(step: &mut Step, frame: &mut Map<String, Value>) {
    insert(frame, "subtype", json!("task_updated"));
    let mut patch = Map::new();
    put(&mut patch, "description", step.text("desc"));
    put(&mut patch, "error", step.text("error"));
    put(&mut patch, "is_backgrounded", step.truth("bg"));
    let end = step.number();
    let word = if end.is_none() { step.word() } else { None };
    put(&mut patch, "status", word);
    put(&mut patch, "end_time", end.or_else(|| step.number()));
    insert(frame, "patch", Value::Object(patch));
}

fn notification(step: &mut Step, frame: &mut Map<String, Value>) {
    insert(frame, "subtype", json!("task_notification"));
    insert(frame, "output_file", json!(""));
    put(frame, "summary", step.text("summary"));
    put(frame, "result", step.text("result"));
    put(frame, "summary_is_report", step.truth("is_report"));
    put(frame, "handback_report", step.text("handback").map(|text| json!({"text": text})));
    put(frame, "workflow_progress", step.option("wf"));
    put(frame, "end_time", step.int("end"));
    usage(step, frame);
    put(frame, "status", step.word());
}

fn usage(step: &mut Step, frame: &mut Map<String, Value>) {
    let usage = figures(step, ["total_tokens", "tool_uses", "duration_ms"]);
    if !usage.is_empty() {
        insert(frame, "usage", Value::Object(usage));
    }
}
