//! Facts as frames: what each thing that a system can say of an agent looks like to the fold. Knows no system and
//! remembers nothing.
//!
//! An agent goes by its task id. A fact about an agent that was not started yet waits in the fold for its start.

use std::borrow::Cow;

use cardfold_wire::{
    Annotation, Assistant, Block, Body, Frame, Guess, PermissionRequest, Remark, Sidecar, SidecarRole, Structured,
    TaskNotification, TaskProgress, TaskStarted, TaskUpdated, Text, ToolInput, ToolResult, ToolUse, Usage, User,
};

use crate::bounded::bounded;

/// Bytes of a text that are handed on: what a card shows, and room for what is cleaned away before.
const TEXT_BYTES: usize = 64 * 1_024;

/// The task type of an agent that runs in the process of its system.
const AGENT: &str = "local_agent";

/// A frame of a time, in Unix milliseconds, where the line states one.
pub fn frame(at_ms: Option<i64>, body: Body<'static>) -> Frame<'static> {
    Frame {
        uuid: None,
        session_id: None,
        timestamp_ms: at_ms,
        parent: None,
        agent_id: None,
        sidechain: false,
        replay: false,
        parent_uuid: None,
        body,
    }
}

/// What is known of an agent when it starts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start<'s> {
    /// What people call it.
    pub name: Option<&'s str>,
    /// Its role.
    pub agent_type: Option<&'s str>,
    /// It runs beside the conversation.
    pub backgrounded: bool,
}

/// An agent starts: as a card, or below the agent `parent`.
pub fn started(at_ms: Option<i64>, agent: &str, parent: Option<&str>, start: Start<'_>) -> Frame<'static> {
    let said = TaskStarted {
        task_id: owned(agent),
        description: start.name.map(owned),
        subagent_type: start.agent_type.map(owned),
        is_backgrounded: Some(start.backgrounded),
        // Depth 1 says that it is a card; a parent says which row it is.
        spawn_depth: parent.is_none().then_some(1),
        parent_task_id: parent.map(owned),
        task_type: Some(AGENT.into()),
        ..TaskStarted::default()
    };
    frame(at_ms, Body::TaskStarted(said))
}

/// A call of a conversation starts an agent: as a card, or below the agent that the call `parent` started. The agent
/// goes by `agent` until an answer links another id; that name is never shown.
pub fn dispatched(
    at_ms: Option<i64>,
    id: &str,
    agent: &str,
    parent: Option<&str>,
    start: Start<'_>,
) -> [Frame<'static>; 2] {
    let input = ToolInput {
        description: start.name.map(owned),
        subagent_type: start.agent_type.map(owned),
        run_in_background: Some(start.backgrounded),
        ..ToolInput::default()
    };
    // The fold knows a dispatch by the name of the client's own tool.
    let call = ToolUse { id: owned(id), name: "Agent".into(), client_side: true, input };
    let said = Assistant { blocks: [Block::ToolUse(call)].into(), ..Assistant::default() };
    let stand_in = Sidecar {
        agent_id: Some(owned(agent)),
        tool_use_id: Some(owned(id)),
        role: SidecarRole::StandIn,
        ..Sidecar::default()
    };
    [Frame { parent: parent.map(owned), ..frame(at_ms, Body::Assistant(said)) }, frame(None, Body::Sidecar(stand_in))]
}

/// The agent that a call started goes by this id.
pub fn linked(id: &str, agent: &str) -> Frame<'static> {
    let said = Sidecar { agent_id: Some(owned(agent)), tool_use_id: Some(owned(id)), ..Sidecar::default() };
    frame(None, Body::Sidecar(said))
}

/// The call that started an agent was answered: the agent, which goes by this id, works on by itself.
pub fn acknowledged(at_ms: Option<i64>, id: &str, agent: &str) -> Frame<'static> {
    let structured =
        Structured { status: Some("async_launched".into()), agent_id: Some(owned(agent)), ..Structured::default() };
    answer(
        at_ms,
        ToolResult { tool_use_id: owned(id), structured: Some(Box::new(structured)), ..ToolResult::default() },
    )
}

/// The call that started an agent was answered by its report.
pub fn reported(at_ms: Option<i64>, id: &str, report: &str) -> Frame<'static> {
    let structured = Structured {
        status: Some("completed".into()),
        content: [Text::new(report.to_owned())].into(),
        ..Structured::default()
    };
    answer(
        at_ms,
        ToolResult { tool_use_id: owned(id), structured: Some(Box::new(structured)), ..ToolResult::default() },
    )
}

/// The call that was to start an agent failed.
pub fn refused(at_ms: Option<i64>, id: &str, error: &str) -> Frame<'static> {
    let texts = [Text::new(error.to_owned())].into();
    answer(at_ms, ToolResult { tool_use_id: owned(id), is_error: true, texts, ..ToolResult::default() })
}

fn answer(at_ms: Option<i64>, result: ToolResult<'static>) -> Frame<'static> {
    frame(at_ms, Body::User(User { results: [result].into(), ..User::default() }))
}

/// An agent that was started turns out to have been started by another one.
pub fn parent(agent: &str, parent: &str) -> Frame<'static> {
    let said = Sidecar { agent_id: Some(owned(agent)), parent_agent_id: Some(owned(parent)), ..Sidecar::default() };
    frame(None, Body::Sidecar(said))
}

/// The model that an agent runs on.
pub fn model(agent: &str, model: &str) -> Frame<'static> {
    let said = Sidecar { agent_id: Some(owned(agent)), model: Some(owned(model)), ..Sidecar::default() };
    frame(None, Body::Sidecar(said))
}

/// An agent is at work, and what it does now where that is known.
pub fn activity(at_ms: Option<i64>, agent: &str, text: Option<&str>) -> Frame<'static> {
    let said = TaskProgress { task_id: owned(agent), summary: text.map(owned), ..TaskProgress::default() };
    frame(at_ms, Body::TaskProgress(said))
}

/// A status word (R16) and what a task's record says beside it.
#[derive(Clone, Debug, Default)]
pub struct Status<'s> {
    /// The word, in the system's own spelling.
    pub word: Option<&'s str>,
    /// When the run ended, in Unix milliseconds.
    pub end_ms: Option<i64>,
    /// What went wrong, in the source's own words.
    pub error: Option<Text<'static>>,
    /// A better name for the agent.
    pub name: Option<&'s str>,
}

/// Where an agent stands. An ending word ends its run.
pub fn status(at_ms: Option<i64>, agent: &str, said: Status<'_>) -> Frame<'static> {
    let said = TaskUpdated {
        task_id: owned(agent),
        status: said.word.map(owned),
        description: said.name.map(owned),
        end_time_ms: said.end_ms,
        error: said.error,
        ..TaskUpdated::default()
    };
    frame(at_ms, Body::TaskUpdated(said))
}

/// What an agent left behind: its report and its figures. An ending word ends its run, none leaves it as it is.
#[derive(Clone, Debug, Default)]
pub struct Notice<'s> {
    /// The word, in the system's own spelling.
    pub word: Option<&'s str>,
    /// When the run ended, in Unix milliseconds.
    pub end_ms: Option<i64>,
    /// The agent's report.
    pub report: Option<Text<'static>>,
    /// Tokens, calls and time of the run so far.
    pub usage: Usage,
}

/// A notice of an agent.
pub fn notice(at_ms: Option<i64>, agent: &str, said: Notice<'_>) -> Frame<'static> {
    let said = TaskNotification {
        task_id: owned(agent),
        status: said.word.map(owned),
        result: said.report,
        usage: said.usage,
        end_time_ms: said.end_ms,
        ..TaskNotification::default()
    };
    frame(at_ms, Body::TaskNotification(said))
}

/// A call of an agent. Whatever the tool is called, it dispatches nobody: a system says elsewhere whom it starts.
pub fn call(at_ms: Option<i64>, agent: &str, id: &str, name: &str, input: ToolInput<'static>) -> Frame<'static> {
    let call = ToolUse { id: owned(id), name: owned(name), client_side: false, input };
    let said = Assistant { blocks: [Block::ToolUse(call)].into(), ..Assistant::default() };
    Frame { agent_id: Some(owned(agent)), ..frame(at_ms, Body::Assistant(said)) }
}

/// How a call came back.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Return {
    /// With what it was made for, as far as its system says.
    Completed,
    /// With an error.
    Failed,
}

impl Return {
    /// How a call came back that failed if this is so.
    pub fn failed_if(is_error: bool) -> Self {
        if is_error { Self::Failed } else { Self::Completed }
    }
}

/// A call of an agent came back.
pub fn returned(at_ms: Option<i64>, agent: &str, id: &str, how: Return) -> Frame<'static> {
    let result = ToolResult { tool_use_id: owned(id), is_error: how == Return::Failed, ..ToolResult::default() };
    Frame { agent_id: Some(owned(agent)), ..answer(at_ms, result) }
}

/// An agent waits for an answer to a question.
pub fn question(agent: &str, text: &str) -> Frame<'static> {
    let said = PermissionRequest {
        request_id: format!("{agent}?").into(),
        title: Some(owned(text)),
        agent_id: Some(owned(agent)),
        ..PermissionRequest::default()
    };
    frame(None, Body::PermissionRequest(said))
}

/// The question of an agent is answered.
pub fn answered(agent: &str) -> Frame<'static> {
    frame(None, Body::PermissionSettled { request_id: format!("{agent}?").into() })
}

/// How a run ended, read out of text: any statement takes its place, and that of the error with it. No word means that
/// it is over, and not how.
pub fn guess(
    at_ms: Option<i64>,
    agent: &str,
    word: Option<&str>,
    end_ms: Option<i64>,
    error: Option<Text<'static>>,
) -> Frame<'static> {
    let guess = Guess { word: word.map(owned), end_time_ms: end_ms, error };
    let said = Remark { task_id: Some(owned(agent)), guess: Some(guess), ..Remark::default() };
    frame(at_ms, Body::Remark(Box::new(said)))
}

/// What a system has and a card has not, by name, as JSON text.
pub fn annotations(agent: &str, annotations: Vec<(&'static str, String)>) -> Frame<'static> {
    let annotation = |(name, value): (&'static str, String)| Annotation { name: name.into(), value: value.into() };
    let annotations = annotations.into_iter().map(annotation).collect();
    let said = Remark { task_id: Some(owned(agent)), annotations, ..Remark::default() };
    frame(None, Body::Remark(Box::new(said)))
}

/// A text that is shown, all of which the source has.
pub fn text(text: &str) -> Text<'static> {
    text_cut_if(text, false)
}

/// A text that is shown. The source had more of it if `is_cut` says so.
pub fn text_cut_if(text: &str, is_cut: bool) -> Text<'static> {
    let (kept, is_cut_here) = bounded(text, TEXT_BYTES, 0);
    let kept = kept.to_owned();
    if is_cut || is_cut_here { Text::cut(kept) } else { Text::new(kept) }
}

/// The strings of a tool's input that a card's titles are made of.
pub fn tool_input(input: Option<&serde_json::Value>) -> ToolInput<'static> {
    let text = |key: &str| input?.get(key)?.as_str().map(owned);
    ToolInput {
        command: text("command"),
        description: text("description"),
        file_path: text("file_path"),
        name: text("name"),
        path: text("path"),
        pattern: text("pattern"),
        query: text("query"),
        title: text("title"),
        url: text("url"),
        ..ToolInput::default()
    }
}

fn owned(text: &str) -> Cow<'static, str> {
    text.to_owned().into()
}
