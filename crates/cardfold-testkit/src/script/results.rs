//! Results of calls: answers to dispatches, and what the tools that speak of agents return.

use serde_json::{Map, Value, json};

use super::parse::{Step, split};
use super::write::{Writer, figures, insert, object, put};

/// The line that opens a hand-back.
pub(super) const HANDBACK: &str = "[Subagent hand-back] The text below is the final report of a subagent.";

impl Writer {
    /// `R ACK HB REP SMR WFR SKR TOR STOPR`.
    pub(super) fn result(&mut self, step: &mut Step) -> Map<String, Value> {
        let word = step.id();
        let (word, error) = word.strip_suffix('!').map_or((word.as_str(), false), |word| (word, true));
        let (id, parent) = split(word, &["<"]);
        let parent = parent.or_else(|| self.parents.get(&id).cloned().flatten());
        let (content, said) = match step.verb.as_str() {
            "ACK" => self.acknowledgement(step, &id),
            "HB" => (json!([text(&hand_back(&one(step, "Done.")))]), None),
            "REP" => self.report(step, &id),
            "SKR" => skill(step),
            "SMR" => message(step),
            "STOPR" => stop(step),
            "TOR" => task_output(step),
            "WFR" => workflow(step),
            _ => plain(step),
        };
        let said = step.option("s").or(said);
        let mut block = object(json!({"tool_use_id": id, "type": "tool_result", "content": content}));
        if error {
            insert(&mut block, "is_error", json!(true));
        }
        let denial = step.text("denial");
        let mut frame = self.user(step, parent.as_deref(), json!([block]));
        put(&mut frame, "toolDenialKind", denial);
        put(&mut frame, "tool_use_result", said);
        frame
    }

    /// The task that an answer names: `task=`, else the one that a started frame linked.
    fn answered_task(&mut self, step: &mut Step, id: &str) -> Option<String> {
        let task = step.text("task").or_else(|| self.tasks.get(id).cloned())?;
        self.tasks.insert(id.to_owned(), task.clone());
        Some(task)
    }

    fn acknowledgement(&mut self, step: &mut Step, id: &str) -> (Value, Option<Value>) {
        let task = self.answered_task(step, id);
        let mut lines = "Async agent launched successfully.".to_owned();
        if let Some(task) = &task {
            lines += &format!("\nagentId: {task} (internal ID)\noutput_file: /tmp/tasks/{task}.output");
        }
        let status = step.text("status").unwrap_or_else(|| "async_launched".to_owned());
        let mut said = object(json!({"isAsync": true, "status": status, "prompt": "Look around."}));
        put(&mut said, "description", self.titles.get(id).cloned());
        put(&mut said, "agentId", task);
        let textual = step.flag("text");
        (json!([text(&lines)]), (!textual).then_some(Value::Object(said)))
    }

    fn report(&mut self, step: &mut Step, id: &str) -> (Value, Option<Value>) {
        let task = self.answered_task(step, id);
        let report = one(step, "Done.");
        let mut blocks = vec![text(&report)];
        if let Some(task) = &task {
            blocks.push(text(&format!("agentId: {task} (use SendMessage with to: '{task}')")));
        }
        let mut said = object(json!({"status": "completed", "prompt": "Look around.", "content": [text(&report)]}));
        put(&mut said, "agentId", task);
        put(&mut said, "resolvedModel", step.text("resolved"));
        said.extend(figures(step, ["totalTokens", "totalToolUseCount", "totalDurationMs"]));
        (json!(blocks), Some(Value::Object(said)))
    }
}

/// `"[Subagent hand-back] …"`, the report indented as the client does.
pub(super) fn hand_back(report: &str) -> String {
    let lines = report.lines().map(|line| if line.is_empty() { String::new() } else { format!("  {line}") });
    format!("{HANDBACK}\n{}", lines.collect::<Vec<_>>().join("\n"))
}

fn one(step: &mut Step, default: &str) -> String {
    step.texts().pop().unwrap_or_else(|| default.to_owned())
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn plain(step: &mut Step) -> (Value, Option<Value>) {
    let texts = step.texts();
    if texts.is_empty() {
        return (json!("ok"), None);
    }
    (texts.iter().map(|block| text(block)).collect(), None)
}

/// The structured field, or with the word `text` the same as JSON in the block.
fn said(step: &mut Step, said: Map<String, Value>, words: &str) -> (Value, Option<Value>) {
    let said = Value::Object(said);
    if step.flag("text") { (json!([text(&said.to_string())]), None) } else { (json!([text(words)]), Some(said)) }
}

fn message(step: &mut Step) -> (Value, Option<Value>) {
    let resumed = step.text("resumed");
    let words = if resumed.is_some() { "Resuming agent" } else { "Message queued for delivery at its next tool round" };
    let mut output = object(json!({"success": true, "message": words}));
    put(&mut output, "resumedAgentId", resumed);
    // The block of this tool is JSON text in every version.
    let block = Value::Object(output.clone()).to_string();
    said(step, output, &block)
}

fn workflow(step: &mut Step) -> (Value, Option<Value>) {
    let status = step.text("status").unwrap_or_else(|| "async_launched".to_owned());
    let mut output = object(json!({"status": status, "taskType": "local_workflow"}));
    put(&mut output, "taskId", step.text("task"));
    put(&mut output, "runId", step.text("run"));
    put(&mut output, "summary", step.text("summary"));
    said(step, output, "Workflow launched in background.")
}

fn skill(step: &mut Step) -> (Value, Option<Value>) {
    let mut output = object(json!({"success": true, "status": "forked", "commandName": "tidy"}));
    put(&mut output, "agentId", step.text("agent"));
    put(&mut output, "background", step.truth("bg"));
    said(step, output, "Skill \"tidy\" completed (forked execution).")
}

fn stop(step: &mut Step) -> (Value, Option<Value>) {
    let task = step.text("task").unwrap_or_default();
    let words = format!("Successfully stopped task: {task} (do a)");
    let output = object(json!({"message": words, "task_id": task, "task_type": "local_agent"}));
    said(step, output, &words)
}

/// `tags` gives the form of clients without a structured field: the same in tags.
fn task_output(step: &mut Step) -> (Value, Option<Value>) {
    let task = step.text("task").unwrap_or_default();
    let read = step.text("read").unwrap_or_else(|| "success".to_owned());
    let mut about = object(json!({"task_id": task, "task_type": "local_agent", "description": "do a"}));
    let status = step.text("status");
    let result = step.text("result");
    let mut tags = format!("<retrieval_status>{read}</retrieval_status>\n\n<task_id>{task}</task_id>");
    tags += "\n\n<task_type>local_agent</task_type>";
    if let Some(status) = &status {
        tags += &format!("\n\n<status>{status}</status>");
    }
    if let Some(result) = &result {
        tags += &format!("\n\n<output>\n{result}\n</output>");
    }
    put(&mut about, "status", status);
    put(&mut about, "result", result);
    if step.flag("tags") {
        return (json!([text(&tags)]), None);
    }
    said(step, object(json!({"retrieval_status": read, "task": about})), &tags)
}
