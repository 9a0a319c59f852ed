//! `<session>/workflows/<runId>.json`: how a workflow stood when the client last wrote it down (WIRE.md 5.1).

use std::path::Path;

use cardfold_wire::Frame;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::agent_file::shown;
use crate::bounded::read_bounded;
use crate::problem::{Problem, ProblemKind};

/// What such a file says of the workflow's task.
#[derive(Debug)]
pub(crate) struct RunFile {
    /// The run: the folder of its members' files.
    pub(crate) run_id: Option<String>,
    pub(crate) task_id: Option<String>,
    /// The same as the notification that the stream has when a workflow ends.
    pub(crate) frame: Frame<'static>,
}

/// The fields that say something of agents. Each may be missing or have a wrong type, which costs that field.
#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[derive(Default)]
struct Stored {
    run_id: Value,
    task_id: Value,
    status: Value,
    timestamp: Value,
    duration_ms: Value,
    total_tokens: Value,
    total_tool_calls: Value,
    workflow_progress: Value,
}

impl RunFile {
    pub(crate) fn read(path: &Path, max_bytes: usize) -> Result<Self, Problem> {
        let bytes = read_bounded(path, max_bytes)?;
        let not_json = |error: String| Problem::of_file(shown(path), ProblemKind::NotJson, error);
        let stored: Stored = serde_json::from_slice(&bytes).map_err(|error| not_json(error.to_string()))?;
        let frame = json!({
            "type": "system",
            "subtype": "task_notification",
            "task_id": stored.task_id,
            "task_type": "local_workflow",
            "status": stored.status,
            "timestamp": stored.timestamp,
            "usage": {
                "total_tokens": stored.total_tokens,
                "tool_uses": stored.total_tool_calls,
                "duration_ms": stored.duration_ms,
            },
            "workflow_progress": stored.workflow_progress,
        });
        let malformed = |error: String| Problem::of_file(shown(path), ProblemKind::Malformed, error);
        let frame = Frame::from_value(&frame).map_err(|error| malformed(error.to_string()))?.into_owned();
        let text = |value: Value| value.as_str().map(str::to_owned);
        Ok(Self { run_id: text(stored.run_id), task_id: text(stored.task_id), frame })
    }
}
