//! What a line says, once its type is known.

use std::borrow::Cow;
use std::mem;

use crate::content::texts;
use crate::error::FrameError;
use crate::frame::{
    Assistant, Block, Blocks, Body, Frame, Handback, NoticePlace, Notices, PermissionDenied, PermissionRequest, Retry,
    Sidecar, SidecarRole, TaskNotification, TaskProgress, TaskStarted, TaskUpdated, ToolProgress, TurnResult, Usage,
    User, WorkflowAgent,
};
use crate::handback::handback_of;
use crate::line::{Attachment, CarriedLine, Line, Message, Origin, WorkflowItem};
use crate::notification::notices_of;
use crate::text::{Text, Texts};
use crate::words::{is_quiet_subtype, is_quiet_type};

/// The frame of a line. Only a type or a message that is missing costs the line: see the crate docs.
pub(crate) fn frame_of<'a>(line: &mut Line<'a>) -> Result<Frame<'a>, FrameError> {
    let Some(kind) = line.kind.take() else { return Err(FrameError::malformed("", "type")) };
    let mut frame = Frame {
        uuid: line.uuid.take(),
        session_id: line.session_id.take().or(line.stored_session_id.take()),
        timestamp_ms: line.timestamp,
        parent: line.parent_tool_use_id.take().or(line.stored_parent_tool_use_id.take()),
        agent_id: line.agent_id.take().or(line.stored_agent_id.take()),
        sidechain: line.sidechain,
        replay: line.replay,
        parent_uuid: line.parent_uuid.take(),
        body: Body::Quiet,
    };
    frame.body = match &*kind {
        "assistant" => assistant(line)?,
        "user" => user(line)?,
        "system" => system(line, &frame)?,
        "result" => turn_result(line),
        "tool_progress" => tool_progress(line),
        "control_request" => control_request(line)?,
        "control_response" | "control_cancel_request" => permission_settled(line),
        "queue-operation" => queue_operation(line),
        "attachment" => line.attachment.take().map_or(Body::Quiet, |attachment| attachment_notices(*attachment)),
        "agent_metadata" => return Ok(Frame { body: Body::Sidecar(sidecar(line, frame.agent_id.clone())), ..frame }),
        "progress" => return progress(line, frame),
        quiet if is_quiet_type(quiet) => Body::Quiet,
        _ => Body::Unknown { kind },
    };
    Ok(frame)
}

/// The sidecar that a file holds.
pub(crate) fn sidecar_of<'a>(line: &mut Line<'a>) -> Sidecar<'a> {
    let agent_id = line.agent_id.take().or(line.stored_agent_id.take());
    sidecar(line, agent_id)
}

fn sidecar<'a>(line: &mut Line<'a>, agent_id: Option<Cow<'a, str>>) -> Sidecar<'a> {
    Sidecar {
        agent_id,
        tool_use_id: line.sidecar_tool_use_id.take(),
        parent_agent_id: line.parent_agent_id.take(),
        agent_type: line.agent_type.take(),
        description: line.description.take(),
        name: line.name.take(),
        model: line.model.take().filter(|model| model != "inherit"),
        spawn_depth: line.sidecar_spawn_depth,
        is_fork: line.is_fork,
        in_workflow: line.workflow_phase || line.in_workflow_run,
        task_kind: line.task_kind.take(),
        role: SidecarRole::Link,
    }
}

fn assistant<'a>(line: &mut Line<'a>) -> Result<Body<'a>, FrameError> {
    let message = line.message.take().ok_or_else(|| FrameError::malformed("assistant", "message"))?;
    Ok(Body::Assistant(Assistant {
        model: message.model,
        aborted: line.aborted,
        supersedes: mem::take(&mut line.supersedes),
        blocks: message.content,
    }))
}

fn user<'a>(line: &mut Line<'a>) -> Result<Body<'a>, FrameError> {
    let message = line.message.take().ok_or_else(|| FrameError::malformed("user", "message"))?;
    let mut user = turn(message.content);
    if let [result] = &mut user.results[..] {
        result.structured = line.tool_use_result.take().or(line.stored_tool_use_result.take());
        result.denial = line.denial.take();
    }
    let origin = line.origin.take();
    user.notices =
        Notices { place: NoticePlace::Turn, blocks: notices_of(&user.texts, origin.as_ref().map(says_notice)) };
    if let Some(origin) = origin {
        if let [notice] = &mut user.notices.blocks[..] {
            notice.said.run_id = origin.run_id.clone();
        }
        user.handback = handback(&user.texts, origin);
    }
    user.meta = line.meta || line.synthetic;
    user.compact_summary = line.compact_summary;
    Ok(Body::User(user))
}

/// Calls in a user turn are nobody's.
fn turn(blocks: Blocks<'_>) -> User<'_> {
    let mut user = User::default();
    for block in blocks {
        match block {
            Block::Text(text) => user.texts.push(text),
            Block::ToolResult(result) => user.results.push(result),
            Block::Other | Block::ToolUse(_) => {}
        }
    }
    user
}

fn says_notice(origin: &Origin<'_>) -> bool {
    origin.kind.as_deref() == Some("task-notification")
}

fn handback<'a>(texts: &Texts<'a>, origin: Origin<'a>) -> Option<Handback<'a>> {
    if origin.kind.as_deref() != Some("peer") || !origin.handback {
        return None;
    }
    let mut handback = texts.iter().find_map(handback_of)?;
    if let Some(task_id) = origin.sender_task_id.or(origin.from) {
        handback.task_id = task_id;
    }
    Some(handback)
}

fn system<'a>(line: &mut Line<'a>, frame: &Frame<'a>) -> Result<Body<'a>, FrameError> {
    // Old clients stored system lines without a subtype: notes to the user.
    let Some(subtype) = line.subtype.take() else { return Ok(Body::Quiet) };
    Ok(match &*subtype {
        "init" => Body::Init,
        "task_started" => Body::TaskStarted(task_started(line)),
        "task_progress" => Body::TaskProgress(task_progress(line)),
        "task_updated" => Body::TaskUpdated(task_updated(line)),
        "task_notification" => Body::TaskNotification(task_notification(line)),
        // A level without its list says nothing: read as an empty list it would end every agent.
        "background_tasks_changed" => line.tasks.take().map_or(Body::Quiet, Body::BackgroundTasks),
        "permission_denied" => Body::PermissionDenied(PermissionDenied {
            tool_use_id: line.tool_use_id.take(),
            agent_id: frame.agent_id.clone(),
        }),
        quiet if is_quiet_subtype(quiet) => Body::Quiet,
        unknown => Body::Unknown { kind: Cow::Owned(format!("system/{unknown}")) },
    })
}

fn task_started<'a>(line: &mut Line<'a>) -> TaskStarted<'a> {
    TaskStarted {
        task_id: line.task_id.take().unwrap_or_default(),
        run_id: line.run_id.take(),
        tool_use_id: line.tool_use_id.take(),
        description: line.description.take(),
        subagent_type: line.subagent_type.take(),
        is_backgrounded: line.is_backgrounded,
        spawn_depth: line.spawn_depth,
        parent_task_id: line.parent_task_id.take(),
        task_type: line.task_type.take(),
        hidden: line.skip_transcript || line.ambient,
        owned_by_subagent: line.owned_by_subagent,
    }
}

fn task_progress<'a>(line: &mut Line<'a>) -> TaskProgress<'a> {
    TaskProgress {
        task_id: line.task_id.take().unwrap_or_default(),
        run_id: line.run_id.take(),
        tool_use_id: line.tool_use_id.take(),
        description: line.description.take(),
        summary: line.summary.take().map(Text::into_head),
        subagent_type: line.subagent_type.take(),
        usage: line.usage.take().unwrap_or_default(),
        last_tool_name: line.last_tool_name.take(),
        workflow: workflow_agents(line.workflow_progress.take()),
        hidden: line.skip_transcript || line.ambient,
    }
}

fn task_updated<'a>(line: &mut Line<'a>) -> TaskUpdated<'a> {
    let patch = line.patch.take().unwrap_or_default();
    TaskUpdated {
        task_id: line.task_id.take().unwrap_or_default(),
        run_id: line.run_id.take(),
        status: patch.status,
        description: patch.description,
        end_time_ms: patch.end_time_ms,
        error: patch.error,
        is_backgrounded: patch.is_backgrounded,
    }
}

fn task_notification<'a>(line: &mut Line<'a>) -> TaskNotification<'a> {
    TaskNotification {
        task_id: line.task_id.take().unwrap_or_default(),
        run_id: line.run_id.take(),
        tool_use_id: line.tool_use_id.take(),
        task_type: line.task_type.take(),
        status: line.status.take(),
        summary: line.summary.take(),
        summary_is_report: line.summary_is_report,
        handback_report: line.handback_report.take().and_then(|report| report.text),
        result: line.result.take(),
        usage: line.usage.take().unwrap_or_default(),
        end_time_ms: line.end_time,
        workflow: workflow_agents(line.workflow_progress.take()),
        hidden: line.skip_transcript || line.ambient,
    }
}

fn workflow_agents(items: Option<Vec<WorkflowItem<'_>>>) -> Vec<WorkflowAgent<'_>> {
    items
        .unwrap_or_default()
        .into_iter()
        .filter(|item| item.kind.as_deref() == Some("workflow_agent"))
        .map(|item| WorkflowAgent {
            agent_id: item.agent_id,
            index: item.index,
            label: item.label,
            agent_type: item.agent_type,
            state: item.state,
            ended_with_run: item.ended_with_run,
            usage: Usage { total_tokens: item.tokens, tool_uses: item.tool_calls, duration_ms: item.duration_ms },
            model: item.model,
            started_at_ms: item.started_at_ms,
        })
        .collect()
}

/// The journal of a workflow has lines of this type too; they end no turn.
fn turn_result<'a>(line: &Line<'_>) -> Body<'a> {
    if line.journal_key {
        return Body::Quiet;
    }
    Body::Result(TurnResult { is_error: line.is_error, stats: line.subagent_stats.as_deref().copied() })
}

fn tool_progress<'a>(line: &mut Line<'a>) -> Body<'a> {
    let retry = line.retry.take();
    Body::ToolProgress(ToolProgress {
        tool_use_id: line.tool_use_id.take(),
        retry: retry.as_ref().map(|retry| Retry {
            attempt: retry.attempt,
            max_retries: retry.max_retries,
            error_status: retry.error_status,
        }),
        task_id: line.task_id.take().or(retry.and_then(|retry| retry.agent_id)),
    })
}

fn control_request<'a>(line: &mut Line<'a>) -> Result<Body<'a>, FrameError> {
    let request = line.request.take().ok_or_else(|| FrameError::malformed("control_request", "request"))?;
    Ok(match request.subtype.as_deref() {
        Some("can_use_tool") => Body::PermissionRequest(PermissionRequest {
            request_id: line.request_id.take().unwrap_or_default(),
            tool_name: request.tool_name,
            display_name: request.display_name,
            title: request.title,
            tool_use_id: request.tool_use_id,
            agent_id: request.agent_id,
        }),
        Some(_) | None => Body::Quiet,
    })
}

fn permission_settled<'a>(line: &mut Line<'a>) -> Body<'a> {
    let inner = line.response.take().and_then(|response| response.request_id);
    Body::PermissionSettled { request_id: inner.or(line.request_id.take()).unwrap_or_default() }
}

fn queue_operation<'a>(line: &mut Line<'a>) -> Body<'a> {
    let content = line.content.take().filter(|_| line.operation.as_deref() == Some("enqueue"));
    notices_body(NoticePlace::Enqueue, &content.into_iter().collect(), None, None)
}

fn attachment_notices(attachment: Attachment<'_>) -> Body<'_> {
    if attachment.kind.as_deref() != Some("queued_command") {
        return Body::Quiet;
    }
    let mode = attachment.command_mode.as_deref().map(|mode| mode == "task-notification");
    let origin = attachment.origin.as_ref().map(says_notice);
    // Both may be stated; then both must say so.
    let stated = match (mode, origin) {
        (Some(mode), Some(origin)) => Some(mode && origin),
        (one, other) => one.or(other),
    };
    let run_id = attachment.run_id.or(attachment.origin.and_then(|origin| origin.run_id));
    notices_body(NoticePlace::Attachment, &texts(attachment.prompt), stated, run_id)
}

fn notices_body<'a>(
    place: NoticePlace,
    texts: &Texts<'a>,
    stated: Option<bool>,
    run_id: Option<Cow<'a, str>>,
) -> Body<'a> {
    let mut blocks = notices_of(texts, stated);
    if let [notice] = &mut blocks[..] {
        notice.said.run_id = run_id;
    }
    if blocks.is_empty() { Body::Quiet } else { Body::Notices(Notices { place, blocks }) }
}

/// An agent-progress line is the line it carries (wire.md 5.3); other progress is none of ours.
fn progress<'a>(line: &mut Line<'a>, mut frame: Frame<'a>) -> Result<Frame<'a>, FrameError> {
    let Some(data) = line.data.take() else { return Ok(frame) };
    if data.kind.as_deref() != Some("agent_progress") {
        return Ok(frame);
    }
    // The line's own agent is the one in whose file it stands.
    frame.agent_id = data.agent_id;
    let carried = match (data.message, data.normalized_messages) {
        (Some(message), _) => message,
        (None, messages) => {
            joined(messages.unwrap_or_default()).ok_or_else(|| FrameError::malformed("progress", "data.message"))?
        }
    };
    frame.uuid = carried.uuid.or(frame.uuid);
    frame.timestamp_ms = carried.timestamp.or(frame.timestamp_ms);
    if carried.message.is_none() {
        return Err(FrameError::malformed("progress", "data.message.message"));
    }
    let mut inner = Line {
        message: carried.message,
        tool_use_result: carried.tool_use_result,
        denial: carried.denial,
        meta: carried.meta,
        ..Line::default()
    };
    frame.body = match carried.kind.as_deref() {
        Some("assistant") => assistant(&mut inner)?,
        Some("user") => user(&mut inner)?,
        Some(_) | None => Body::Quiet,
    };
    Ok(frame)
}

/// The messages of an old agent-progress line as one: calls and results in order. A message of the model can hold
/// results (R9), a user turn no calls, so one call makes the whole a message of the model.
fn joined(messages: Vec<CarriedLine<'_>>) -> Option<CarriedLine<'_>> {
    let by_model = messages.iter().any(is_by_model);
    let kind = if by_model { "assistant" } else { "user" };
    let mut whole = Message::default();
    let mut any = false;
    for message in messages {
        let texts_count = is_by_model(&message) == by_model;
        let known = matches!(message.kind.as_deref(), Some("assistant" | "user"));
        let Some(part) = message.message.filter(|_| known) else { continue };
        whole.model = part.model.or(whole.model);
        whole.content.extend(part.content.into_iter().filter(|block| texts_count || !matches!(block, Block::Text(_))));
        any = true;
    }
    any.then(|| CarriedLine { kind: Some(Cow::Borrowed(kind)), message: Some(whole), ..CarriedLine::default() })
}

fn is_by_model(message: &CarriedLine<'_>) -> bool {
    message.kind.as_deref() == Some("assistant")
}
