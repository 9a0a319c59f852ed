//! What a line says, once its type is known.

use std::borrow::Cow;

use crate::error::FrameError;
use crate::frame::{
    Body, Frame, PermissionDenied, PermissionRequest, Retry, Sidecar, SidecarRole, ToolProgress, TurnResult,
};
use crate::line::Line;
use crate::progress::progress;
use crate::task::{task_notification, task_progress, task_started, task_updated};
use crate::turn::{assistant, attachment_notices, queue_operation, user};
use crate::words::{is_quiet_subtype, is_quiet_type};

/// Makes the frame of a line, in its place. Only a type or a message that is missing costs the line: see the crate docs.
pub(crate) fn fill_frame<'a>(frame: &mut Frame<'a>, line: &mut Line<'a>) -> Result<(), FrameError> {
    let Some(kind) = line.kind.take() else { return Err(FrameError::malformed("", "type")) };
    frame.uuid = line.uuid.take();
    frame.session_id = line.session_id.take().or(line.stored_session_id.take());
    frame.timestamp_ms = line.timestamp;
    frame.parent = line.parent_tool_use_id.take().or(line.stored_parent_tool_use_id.take());
    frame.agent_id = line.agent_id.take().or(line.stored_agent_id.take());
    frame.sidechain = line.sidechain;
    frame.replay = line.replay;
    frame.parent_uuid = line.parent_uuid.take();
    match &*kind {
        "assistant" => assistant(line, &mut frame.body)?,
        "user" => user(line, &mut frame.body)?,
        "system" => system(line, frame),
        "result" => frame.body = turn_result(line),
        "tool_progress" => frame.body = tool_progress(line),
        "control_request" => frame.body = control_request(line)?,
        "control_response" | "control_cancel_request" => frame.body = permission_settled(line),
        "queue-operation" => frame.body = queue_operation(line),
        "attachment" => {
            frame.body = line.attachment.take().map_or(Body::Quiet, |attachment| attachment_notices(*attachment))
        }
        "agent_metadata" => frame.body = Body::Sidecar(sidecar(line, frame.agent_id.clone())),
        "progress" => progress(line, frame)?,
        quiet if is_quiet_type(quiet) => {}
        _ => frame.body = Body::Unknown { kind },
    }
    Ok(())
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

fn system<'a>(line: &mut Line<'a>, frame: &mut Frame<'a>) {
    // Old clients stored system lines without a subtype: notes to the user.
    let Some(subtype) = line.subtype.take() else { return };
    frame.body = match &*subtype {
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
    };
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
