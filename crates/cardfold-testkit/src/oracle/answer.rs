//! What the result of a call is, should the call be a dispatch (R11), and what it says should it not be one (R14).

use cardfold::{Kind, Outcome};
use cardfold_wire::{Structured, TaskRead, ToolResult};

use super::sayings::{Answered, Id, Names, Told, is_marker};
use super::text::{joined, report_of};

/// The classes of R11.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Class {
    Acknowledgement,
    Error,
    Report,
    Unrecognised,
}

pub(super) fn classify(names: &mut Names, call: Id, result: &ToolResult<'_>) -> Answered {
    let field = result.structured.as_deref();
    let class = class_of(result);
    let status = field.and_then(|field| field.status.as_deref());
    let kind = match status {
        Some("remote_launched") => Some(Kind::Remote),
        Some("teammate_spawned") => Some(Kind::Teammate),
        Some(_) | None => None,
    };
    let without_object = field.is_none_or(|field| field.text.is_some());
    let block = without_object.then(|| told_by_block(names, result)).flatten();
    Answered {
        call,
        is_error: result.is_error,
        detached: field.is_some_and(|field| field.detached_tool_call),
        class,
        outcome: outcome_of(result),
        kind: kind.filter(|_| class == Class::Acknowledgement),
        tasks: tasks_of(names, result),
        model: field.and_then(|field| field.model.as_deref()).map(str::to_owned),
        usage: field.map(|field| field.usage).unwrap_or_default(),
        content: field.map(|field| report_of(field.content.iter().map(|text| text.as_str()))).unwrap_or_default(),
        report: report_of(result.texts.iter().map(|text| text.as_str())),
        error: error_of(result),
        field: field.map(|field| told(names, field)),
        block,
    }
}

fn class_of(result: &ToolResult<'_>) -> Class {
    if result.is_error {
        return Class::Error;
    }
    if let Some(field) = result.structured.as_deref() {
        let figures = field.usage.duration_ms.is_some() || field.usage.tool_uses.is_some();
        match field.status.as_deref() {
            Some(
                "async_launched" | "remote_launched" | "teammate_spawned" | "queued_to_running" | "sub_agent_entered",
            ) => return Class::Acknowledgement,
            Some("forked") if field.background == Some(true) => return Class::Acknowledgement,
            Some("completed") => return Class::Report,
            None if figures => return Class::Report,
            Some(_) | None => {}
        }
    }
    let texts = || result.texts.iter().map(|text| text.as_str());
    let launched = |text: &str| {
        text.starts_with("Async agent launched successfully")
            || text.starts_with("Spawned successfully")
            || text.contains("waiting for the user to answer a permission request")
    };
    let mut lines = texts().flat_map(|text| text.split('\n'));
    if texts().next().is_some_and(launched) {
        Class::Acknowledgement
    } else if lines.any(|line| line.starts_with("[Subagent hand-back]"))
        || texts().next_back().is_some_and(|text| text.trim_start().starts_with("agentId:"))
    {
        Class::Report
    } else {
        Class::Unrecognised
    }
}

fn outcome_of(result: &ToolResult<'_>) -> Outcome {
    match result.denial.as_deref() {
        Some("user-rejected") => return Outcome::Stopped,
        Some("interrupted") => return Outcome::Interrupted,
        Some(_) | None => {}
    }
    let text = error_of(result);
    let refused = ["The user doesn't want to proceed", "User rejected tool use"];
    if is_marker(&text) || refused.iter().any(|start| text.starts_with(start)) {
        Outcome::Stopped
    } else if text.starts_with("[Tool call interrupted") {
        Outcome::Interrupted
    } else {
        Outcome::Failed
    }
}

/// The text of the block, else that of the structured field.
fn error_of(result: &ToolResult<'_>) -> String {
    let block = joined(result);
    let field = || result.structured.as_deref().and_then(|field| field.text.as_ref());
    if block.is_empty() { field().map(|text| text.as_str().to_owned()).unwrap_or_default() } else { block }
}

fn tasks_of(names: &mut Names, result: &ToolResult<'_>) -> Vec<Id> {
    let mut tasks = Vec::new();
    if let Some(field) = result.structured.as_deref() {
        for id in [&field.agent_id, &field.teammate_agent_id, &field.teammate_id, &field.task_id] {
            tasks.extend(names.maybe(id.as_deref()));
        }
    }
    let mut lines = result.texts.iter().flat_map(|text| text.as_str().split('\n'));
    if let Some(rest) = lines.find_map(|line| line.strip_prefix("agentId:")).filter(|_| !result.is_error) {
        let id: String = rest.trim_start().chars().take_while(|c| c.is_alphanumeric() || "_-".contains(*c)).collect();
        tasks.extend(names.id(&id));
    }
    tasks
}

fn told_by_block(names: &mut Names, result: &ToolResult<'_>) -> Option<Told> {
    if let Some(said) = result.said_as_json() {
        return Some(told(names, &said));
    }
    let read = result.task_read()?;
    Some(Told { read: read_of(names, &read), not_read: not_read(&joined(result)), ..Told::default() })
}

fn not_read(text: &str) -> bool {
    ["not_ready", "timeout"].iter().any(|word| text.contains(&format!("<retrieval_status>{word}</retrieval_status>")))
}

fn told(names: &mut Names, field: &Structured<'_>) -> Told {
    Told {
        resumed: names.maybe(field.resumed_agent_id.as_deref()),
        agent: names.maybe(field.agent_id.as_deref()),
        task: names.maybe(field.task_id.as_deref()),
        task_type: field.task_type.as_deref().map(str::to_owned),
        summary: field.summary.as_deref().map(str::to_owned),
        unsuccessful: field.unsuccessful,
        not_read: matches!(field.retrieval_status.as_deref(), Some("not_ready" | "timeout")),
        read: field.task.as_ref().and_then(|read| read_of(names, read)),
    }
}

fn read_of(names: &mut Names, read: &TaskRead<'_>) -> Option<(Id, Option<String>, Option<String>)> {
    let task = names.maybe(read.task_id.as_deref())?;
    Some((task, read.status.as_deref().map(str::to_owned), read.result.as_ref().map(|text| text.as_str().to_owned())))
}
