//! Frames that outlive their line.

use std::borrow::Cow;

use crate::frame::{
    Body, Frame, PermissionDenied, PermissionRequest, Retry, Sidecar, SidecarRole, ToolProgress, TurnResult,
};
use crate::list::List;
use crate::message::{Assistant, Block, Handback, Structured, TaskRead, ToolInput, ToolResult, ToolUse, Usage, User};
<<<<<<< HEAD
use crate::parts::structs;
=======
use crate::remark::{Annotation, Guess, Remark};
>>>>>>> origin/main
use crate::roster::{
    BackgroundTask, Notice, NoticePlace, Notices, TaskNotification, TaskProgress, TaskStarted, TaskUpdated,
    WorkflowAgent,
};
use crate::text::Text;

/// Makes a value its own: what it borrowed is copied.
pub(crate) trait Keep {
    type Kept;

    fn keep(self) -> Self::Kept;
}

impl Keep for Cow<'_, str> {
    type Kept = Cow<'static, str>;

    fn keep(self) -> Self::Kept {
        Cow::Owned(self.into_owned())
    }
}

impl Keep for Text<'_> {
    type Kept = Text<'static>;

    fn keep(self) -> Self::Kept {
        self.into_owned()
    }
}

impl<T: Keep> Keep for Option<T> {
    type Kept = Option<T::Kept>;

    fn keep(self) -> Self::Kept {
        self.map(T::keep)
    }
}

impl<T: Keep> Keep for Box<T> {
    type Kept = Box<T::Kept>;

    fn keep(self) -> Self::Kept {
        Box::new((*self).keep())
    }
}

impl<T: Keep> Keep for Vec<T> {
    type Kept = Vec<T::Kept>;

    fn keep(self) -> Self::Kept {
        self.into_iter().map(T::keep).collect()
    }
}

impl<T: Keep> Keep for List<T> {
    type Kept = List<T::Kept>;

    fn keep(self) -> Self::Kept {
        self.into_iter().map(T::keep).collect()
    }
}

impl Keep for Block<'_> {
    type Kept = Block<'static>;

    fn keep(self) -> Self::Kept {
        match self {
            Block::Other => Block::Other,
            Block::Text(text) => Block::Text(text.keep()),
            Block::ToolResult(result) => Block::ToolResult(result.keep()),
            Block::ToolUse(call) => Block::ToolUse(call.keep()),
        }
    }
}

impl Keep for Body<'_> {
    type Kept = Body<'static>;

    fn keep(self) -> Self::Kept {
        match self {
            Body::Assistant(assistant) => Body::Assistant(assistant.keep()),
            Body::BackgroundTasks(tasks) => Body::BackgroundTasks(tasks.keep()),
            Body::Init => Body::Init,
            Body::Notices(notices) => Body::Notices(notices.keep()),
            Body::PermissionDenied(denied) => Body::PermissionDenied(denied.keep()),
            Body::PermissionRequest(request) => Body::PermissionRequest(request.keep()),
            Body::PermissionSettled { request_id } => Body::PermissionSettled { request_id: request_id.keep() },
            Body::Quiet => Body::Quiet,
            Body::Remark(remark) => Body::Remark(remark.keep()),
            Body::Result(result) => Body::Result(result),
            Body::Sidecar(sidecar) => Body::Sidecar(sidecar.keep()),
            Body::TaskNotification(notification) => Body::TaskNotification(notification.keep()),
            Body::TaskProgress(progress) => Body::TaskProgress(progress.keep()),
            Body::TaskStarted(started) => Body::TaskStarted(started.keep()),
            Body::TaskUpdated(updated) => Body::TaskUpdated(updated.keep()),
            Body::ToolProgress(progress) => Body::ToolProgress(progress.keep()),
            Body::Unknown { kind } => Body::Unknown { kind: kind.keep() },
            Body::User(user) => Body::User(user.keep()),
        }
    }
}

macro_rules! keep_copied {
    ($($type:ty),*) => {
        $(impl Keep for $type {
            type Kept = Self;

            fn keep(self) -> Self {
                self
            }
        })*
    };
}

macro_rules! keep_fields {
    ($($type:ident { $($field:ident),* $(,)? })*) => {
        $(impl Keep for $type<'_> {
            type Kept = $type<'static>;

            fn keep(self) -> Self::Kept {
                $type { $($field: self.$field.keep()),* }
            }
        })*
    };
}

keep_copied!(bool, i64, u64, NoticePlace, Retry, SidecarRole, TurnResult, Usage);

<<<<<<< HEAD
structs!(keep_fields);
=======
keep_fields! {
    Frame { uuid, session_id, timestamp_ms, parent, agent_id, sidechain, replay, parent_uuid, body }
    Assistant { model, aborted, supersedes, blocks }
    ToolUse { id, name, client_side, input }
    ToolInput {
        command, description, file_path, name, notebook_path, path, pattern, prompt_digest, query, resume,
        run_in_background, skill, subagent_type, task_id, title, to, url,
    }
    Remark { task_id, tool_use_id, annotations, guess }
    Annotation { name, value }
    Guess { word, end_time_ms, error }
    User { results, texts, notices, handback, meta, compact_summary }
    Handback { task_id, report }
    ToolResult { tool_use_id, is_error, texts, structured, denial }
    Structured {
        text, status, agent_id, teammate_agent_id, teammate_id, task_id, task_type, agent_type, content, usage, model,
        resumed_agent_id, background, summary, workflow_run_id, detached_tool_call, unsuccessful, retrieval_status,
        task,
    }
    TaskRead { task_id, task_type, status, result, error }
    TaskStarted {
        task_id, run_id, tool_use_id, description, subagent_type, is_backgrounded, spawn_depth, parent_task_id,
        task_type, hidden, owned_by_subagent,
    }
    TaskProgress {
        task_id, run_id, tool_use_id, description, summary, subagent_type, usage, last_tool_name, workflow, hidden,
    }
    WorkflowAgent {
        agent_id, index, label, agent_type, state, ended_with_run, usage, model, started_at_ms,
    }
    TaskUpdated { task_id, run_id, status, description, end_time_ms, error, is_backgrounded }
    TaskNotification {
        task_id, run_id, tool_use_id, task_type, status, summary, summary_is_report, handback_report, result, usage,
        end_time_ms, workflow, hidden,
    }
    Notices { place, blocks }
    Notice { digest, said }
    BackgroundTask { task_id, run_id, tool_use_id, task_type, subagent_type, description, parent_task_id, hidden }
    PermissionRequest { request_id, tool_name, display_name, title, tool_use_id, agent_id }
    PermissionDenied { tool_use_id, agent_id }
    ToolProgress { tool_use_id, task_id, retry }
    Sidecar {
        agent_id, tool_use_id, parent_agent_id, agent_type, description, name, model, spawn_depth, is_fork,
        in_workflow, task_kind, role,
    }
}
>>>>>>> origin/main
