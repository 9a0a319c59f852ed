//! JSON of single frames, as one version of the client writes them.

use serde_json::{Map, Value, json};

use super::client::Client;

/// An agent, or the main thread: whoever a frame comes from.
#[derive(Clone, Debug)]
pub(super) struct Who {
    /// Number of the agent; names it in all texts.
    pub(super) number: usize,
    pub(super) dispatch: String,
    pub(super) task: String,
    /// What its frames name as their parent.
    pub(super) parent: String,
    /// The run, from 1.
    pub(super) run: usize,
    pub(super) depth: usize,
    pub(super) background: bool,
    pub(super) kind: &'static str,
}

impl Who {
    pub(super) fn title(&self) -> String {
        format!("Job {}", self.number)
    }

    fn run_id(&self) -> String {
        format!("r{:03}-{}", self.number, self.run)
    }
}

/// Writes frames of one version.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    pub(super) client: Client,
}

/// A call to be written.
#[derive(Clone, Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) input: Value,
}

/// Tools that are no dispatches, with inputs that make titles of all sorts.
pub(super) fn tool(number: usize) -> Tool {
    let (name, input) = match number % 14 {
        0 => ("Read", json!({ "file_path": "src/lib.rs" })),
        1 => ("Bash", json!({ "command": "ls -1\nsleep 1", "description": "List files" })),
        2 => ("Grep", json!({ "pattern": "TODO", "path": "src" })),
        3 => ("Glob", json!({ "pattern": "*.rs" })),
        4 => ("WebFetch", json!({ "url": "https://example.org/tea", "prompt": "Read it." })),
        5 => ("mcp__kettle__pour_out", json!({ "cups": 2 })),
        6 => ("Pick", json!({ "count": 3, "query": "green\n tea" })),
        7 => ("Stir", json!({})),
        8 => ("TaskCreate", json!({ "subject": "Tea", "description": "Make tea" })),
        9 => ("NotebookEdit", json!({ "notebook_path": "a.ipynb" })),
        10 => ("WebSearch", json!({ "query": "x".repeat(150) })),
        11 => ("Bash", json!({ "command": "echo \u{7}hi \u{202e}there" })),
        12 => ("LS", json!({ "path": "/tmp" })),
        _ => ("SubagentHandback", json!({ "message": "done" })),
    };
    Tool { name, input }
}

impl Lines {
    fn with(self, who: Option<&Who>, mut frame: Value) -> Value {
        let fields = frame.as_object_mut().expect("frames are objects");
        match who {
            None if self.client.stored => drop(fields.insert("isSidechain".to_owned(), json!(false))),
            None => drop(fields.insert("parent_tool_use_id".to_owned(), Value::Null)),
            Some(who) if self.client.stored => {
                fields.insert("isSidechain".to_owned(), json!(true));
                fields.insert("agentId".to_owned(), json!(who.task));
            }
            Some(who) => {
                fields.insert("parent_tool_use_id".to_owned(), json!(who.parent));
                if self.client.run_ids {
                    fields.insert("agent_id".to_owned(), json!(who.task));
                }
            }
        }
        frame
    }

    pub(super) fn model(self, who: Option<&Who>, content: Value) -> Value {
        let model = if who.is_some_and(|who| who.number % 3 == 1) { "small-model" } else { "large-model" };
        let message = json!({ "role": "assistant", "model": model, "content": content });
        self.with(who, json!({ "type": "assistant", "message": message }))
    }

    pub(super) fn text(self, who: Option<&Who>, text: &str) -> Value {
        self.model(who, json!([{ "type": "text", "text": text }]))
    }

    pub(super) fn call(self, who: Option<&Who>, id: &str, tool: &Tool) -> Value {
        self.model(who, json!([{ "type": "tool_use", "id": id, "name": tool.name, "input": tool.input }]))
    }

    pub(super) fn user(self, who: Option<&Who>, content: Value) -> Value {
        self.with(who, json!({ "type": "user", "message": { "role": "user", "content": content } }))
    }

    /// The result of a call, made to `who`. `field` is its structured output.
    pub(super) fn result(self, who: Option<&Who>, id: &str, texts: &[&str], is_error: bool, field: Value) -> Value {
        let content: Vec<Value> = texts.iter().map(|text| json!({ "type": "text", "text": text })).collect();
        let mut block = json!({ "type": "tool_result", "tool_use_id": id, "content": content });
        if is_error {
            block["is_error"] = json!(true);
        }
        let mut frame = self.user(who, json!([block]));
        if !field.is_null() {
            let name = if self.client.stored { "toolUseResult" } else { "tool_use_result" };
            frame[name] = field;
        }
        frame
    }

    fn task(self, subtype: &str, who: &Who, call: Option<&str>) -> Map<String, Value> {
        let mut frame = Map::new();
        frame.insert("type".to_owned(), json!("system"));
        frame.insert("subtype".to_owned(), json!(subtype));
        frame.insert("task_id".to_owned(), json!(who.task));
        if let Some(call) = call {
            frame.insert("tool_use_id".to_owned(), json!(call));
        }
        if self.client.run_ids {
            frame.insert("run_id".to_owned(), json!(who.run_id()));
        }
        frame
    }

    pub(super) fn started(self, who: &Who, call: &str, maker: Option<&Who>) -> Value {
        let mut frame = self.task("task_started", who, Some(call));
        frame.insert("description".to_owned(), json!(who.title()));
        if self.client.types {
            frame.insert("task_type".to_owned(), json!(who.kind));
            frame.insert("subagent_type".to_owned(), json!("explorer"));
        }
        if self.client.depth {
            frame.insert("is_backgrounded".to_owned(), json!(who.background));
            frame.insert("spawn_depth".to_owned(), json!(who.depth));
        }
        if let Some(maker) = maker.filter(|_| self.client.run_ids) {
            frame.insert("parent_task_id".to_owned(), json!(maker.task));
        }
        Value::Object(frame)
    }

    pub(super) fn progress(self, who: &Who, call: &str, doing: &str, tool: &str, count: usize) -> Value {
        let mut frame = self.task("task_progress", who, Some(call));
        frame.insert("description".to_owned(), json!(doing));
        frame.insert("last_tool_name".to_owned(), json!(tool));
        frame.insert("usage".to_owned(), usage(count));
        Value::Object(frame)
    }

    pub(super) fn updated(self, who: &Who, patch: Value) -> Value {
        let mut frame = self.task("task_updated", who, None);
        frame.insert("patch".to_owned(), patch);
        Value::Object(frame)
    }

    pub(super) fn notification(self, who: &Who, call: &str, status: &str, summary: &str, count: usize) -> Value {
        let call = self.client.figures.then_some(call);
        let mut frame = self.task("task_notification", who, call);
        frame.insert("status".to_owned(), json!(status));
        frame.insert("output_file".to_owned(), json!(""));
        frame.insert("summary".to_owned(), json!(summary));
        if self.client.figures {
            frame.insert("usage".to_owned(), usage(count));
        }
        Value::Object(frame)
    }

    /// The entry of an agent in the level of live tasks.
    pub(super) fn entry(self, who: &Who, maker: Option<&Who>) -> Value {
        let mut entry = json!({ "task_id": who.task, "task_type": who.kind, "description": who.title() });
        if self.client.run_ids {
            entry["subagent_type"] = json!("explorer");
            entry["run_id"] = json!(who.run_id());
            if let Some(maker) = maker {
                entry["parent_task_id"] = json!(maker.task);
            }
        }
        entry
    }

    /// The text of a notice, as old clients and new ones write it.
    pub(super) fn notice(self, who: &Who, call: &str, status: &str, summary: &str, result: Option<&str>) -> String {
        let call = if self.client.figures { format!("<tool-use-id>{call}</tool-use-id>\n") } else { String::new() };
        let result = result.map(|result| format!("<result>{result}</result>\n")).unwrap_or_default();
        let task = &who.task;
        format!(
            "<task-notification>\n<task-id>{task}</task-id>\n{call}<status>{status}</status>\n\
             <summary>{summary}</summary>\n{result}</task-notification>"
        )
    }
}

pub(super) fn usage(count: usize) -> Value {
    json!({ "total_tokens": 100 * count + 7, "tool_uses": count, "duration_ms": 300 * count + 11 })
}
