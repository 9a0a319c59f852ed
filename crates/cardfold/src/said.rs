//! What the result of a call says of an agent, whatever call it answers (R11, R14). Knows no agent.

use cardfold_wire::{Structured, Text, ToolResult, Usage};
use serde::{Deserialize, Serialize};

use crate::card::{Kind, Outcome};
use crate::run::Answer;
use crate::words::{self, TaskType};

/// The result of a call, as far as agents go. It is small: a result that waits for its call is kept like this.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Said {
    pub(crate) is_error: bool,
    pub(crate) detached: bool,
    /// It was taken up as the answer to a dispatch before that was seen.
    pub(crate) taken: bool,
    /// The frame it came in, where it waited.
    pub(crate) arrival: u64,
    /// Time of the frame.
    pub(crate) at_ms: Option<i64>,
    /// How it reads as the answer to a dispatch.
    pub(crate) answer: Answer,
    pub(crate) kind: Option<Kind>,
    /// Task ids that the structured answer or the text names.
    pub(crate) agent_id: Option<Box<str>>,
    pub(crate) task_id: Option<Box<str>>,
    /// The task that it names is stated to be something else than an agent's.
    pub(crate) is_no_agent: bool,
    pub(crate) resumed_agent_id: Option<Box<str>>,
    pub(crate) is_forked_skill: bool,
    pub(crate) summary: Option<Box<str>>,
    pub(crate) model: Option<Box<str>>,
    pub(crate) usage: [Option<u64>; 3],
    /// Bounded text of the report, or of the error.
    pub(crate) text: Option<Box<str>>,
    pub(crate) text_cut: bool,
    /// What a read of a task says of it.
    pub(crate) read_task: Option<Box<str>>,
    pub(crate) read_status: Option<Box<str>>,
    pub(crate) read_result: Option<Box<str>>,
}

/// Openings of the answers that a person's refusal leaves (R11).
const REFUSALS: [&str; 2] = ["The user doesn't want to proceed", "User rejected tool use"];

/// Opening of the answer that a broken session leaves (R11).
const BROKEN_OFF: &str = "[Tool call interrupted";

/// Interrupt markers (R12).
const MARKERS: [&str; 2] = ["[Request interrupted by user]", "[Request interrupted by user for tool use]"];

/// Openings of a launch acknowledgement (R11).
const LAUNCHED: [&str; 2] = ["Async agent launched successfully", "Spawned successfully"];

/// What an agent's launch says that waits for a person's answer.
const WAITS_FOR_PERMISSION: &str = "waiting for the user to answer a permission request";

/// The text is exactly an interrupt marker.
pub(crate) fn is_interrupt_marker(text: &str) -> bool {
    MARKERS.contains(&text.trim())
}

impl Said {
    /// Reads the result of a call that speaks of agents only where its structured field says so (R14).
    pub(crate) fn of_other(result: &ToolResult<'_>, structured: &Structured<'_>, at_ms: Option<i64>) -> Self {
        Self {
            is_error: result.is_error,
            detached: structured.detached_tool_call,
            at_ms,
            agent_id: boxed(structured.agent_id.as_deref()),
            is_forked_skill: structured.agent_id.is_some(),
            ..Self::default()
        }
    }

    /// Reads a result. `own_words` lets its text stand for a structured field that is missing (R14).
    pub(crate) fn of(result: &ToolResult<'_>, at_ms: Option<i64>, own_words: bool) -> Self {
        let parsed = (own_words && result.structured.is_none()).then(|| result.said_as_json()).flatten();
        let structured = result.structured.as_deref().or(parsed.as_ref());
        let mut said = Self {
            is_error: result.is_error,
            detached: structured.is_some_and(|s| s.detached_tool_call),
            at_ms,
            answer: classify(result, structured),
            agent_id: result.agent_id_line().map(Into::into),
            ..Self::default()
        };
        if let Some(structured) = structured {
            said.take_structured(structured);
        }
        said.take_read(result, structured);
        said.take_text(result);
        said
    }

    fn take_structured(&mut self, structured: &Structured<'_>) {
        let status = structured.status.as_deref();
        self.kind = match status {
            Some("remote_launched") => Some(Kind::Remote),
            Some("teammate_spawned") => Some(Kind::Teammate),
            Some(_) | None => None,
        };
        let ids = [&structured.agent_id, &structured.teammate_agent_id, &structured.teammate_id, &structured.task_id];
        if let Some(id) = ids.into_iter().flatten().find(|id| !id.trim().is_empty()) {
            self.agent_id = Some(id.as_ref().into());
        }
        self.task_id = boxed(structured.task_id.as_deref());
        self.is_no_agent = is_no_agent(structured.task_type.as_deref());
        self.resumed_agent_id = boxed(structured.resumed_agent_id.as_deref());
        self.is_forked_skill = structured.agent_id.is_some();
        self.summary = boxed(structured.summary.as_deref());
        self.model = boxed(structured.model.as_deref());
        let Usage { total_tokens, tool_uses, duration_ms } = structured.usage;
        self.usage = [total_tokens, tool_uses, duration_ms];
    }

    fn take_read(&mut self, result: &ToolResult<'_>, structured: Option<&Structured<'_>>) {
        let from_text = if structured.is_none_or(|s| s.task.is_none()) { result.task_read() } else { None };
        let Some(read) = structured.and_then(|s| s.task.as_ref()).or(from_text.as_ref()) else { return };
        self.read_task = boxed(read.task_id.as_deref());
        self.is_no_agent |= is_no_agent(read.task_type.as_deref());
        self.read_status = boxed(read.status.as_deref());
        self.read_result = read.result.as_ref().map(|text| crate::clean::bounded(text.as_str()).0.into());
    }

    fn take_text(&mut self, result: &ToolResult<'_>) {
        let text = match self.answer {
            Answer::Report => result.report_text(),
            Answer::Error(_) => joined(result),
            Answer::None | Answer::Acknowledgement | Answer::Unrecognised => None,
        };
        let Some(text) = text else { return };
        let (body, cut) = crate::clean::bounded(text.as_str());
        self.text_cut = cut || text.is_cut();
        self.text = (!body.is_empty()).then(|| body.into());
    }

    /// It can only be the answer to a dispatch: it launches or reports, and names the agent.
    pub(crate) fn is_launch_or_report(&self) -> bool {
        let names_agent = self.agent_id.is_some() && (self.agent_id != self.task_id || self.kind.is_some());
        names_agent && matches!(self.answer, Answer::Acknowledgement | Answer::Report)
    }

    pub(crate) fn usage(&self) -> Usage {
        let [total_tokens, tool_uses, duration_ms] = self.usage;
        Usage { total_tokens, tool_uses, duration_ms }
    }
}

/// R11: structure first, then text.
fn classify(result: &ToolResult<'_>, structured: Option<&Structured<'_>>) -> Answer {
    if result.is_error {
        return Answer::Error(error_outcome(result));
    }
    let status = structured.and_then(|s| s.status.as_deref());
    let background = structured.and_then(|s| s.background);
    let usage = structured.map(|s| s.usage).unwrap_or_default();
    match status {
        Some("completed") => return Answer::Report,
        Some("async_launched" | "remote_launched" | "teammate_spawned" | "queued_to_running" | "sub_agent_entered") => {
            return Answer::Acknowledgement;
        }
        Some("forked") if background == Some(true) => return Answer::Acknowledgement,
        None if usage.duration_ms.is_some() || usage.tool_uses.is_some() => return Answer::Report,
        Some(_) | None => {}
    }
    let first = result.texts.first().map_or("", Text::as_str).trim_start();
    if LAUNCHED.iter().any(|opening| first.starts_with(opening))
        || result.texts.iter().any(|text| text.contains(WAITS_FOR_PERMISSION))
    {
        return Answer::Acknowledgement;
    }
    if result.has_handback() || result.last_text_is_agent_id() {
        return Answer::Report;
    }
    Answer::Unrecognised
}

fn error_outcome(result: &ToolResult<'_>) -> Outcome {
    match result.denial.as_deref() {
        Some("user-rejected") => return Outcome::Stopped,
        Some("interrupted") => return Outcome::Interrupted,
        Some(_) | None => {}
    }
    let structured = result.structured.as_ref().and_then(|s| s.text.as_ref());
    let mut texts = result.texts.iter().chain(structured).map(|text| text.as_str().trim_start());
    let outcome = texts.find_map(|text| {
        if is_interrupt_marker(text) || REFUSALS.iter().any(|opening| text.starts_with(opening)) {
            Some(Outcome::Stopped)
        } else if text.starts_with(BROKEN_OFF) {
            Some(Outcome::Interrupted)
        } else {
            None
        }
    });
    outcome.unwrap_or(Outcome::Failed)
}

/// The texts of an error; the structured string where the block has none.
fn joined<'a>(result: &'a ToolResult<'_>) -> Option<Text<'a>> {
    match result.texts.as_ref() {
        [] => result.structured.as_ref()?.text.as_ref().map(|text| Text::from(text.as_str())),
        [one] => Some(one.clone()),
        many => {
            let lines: Vec<&str> = many.iter().map(Text::as_str).collect();
            Some(Text::from(lines.join("\n")))
        }
    }
}

fn boxed(text: Option<&str>) -> Option<Box<str>> {
    text.filter(|text| !text.trim().is_empty()).map(Into::into)
}

fn is_no_agent(task_type: Option<&str>) -> bool {
    words::task_type(task_type, None) == TaskType::Other
}
