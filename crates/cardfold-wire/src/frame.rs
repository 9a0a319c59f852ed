//! The vocabulary: what one line can say about sub-agents.
//!
//! Everything here borrows from the line it was decoded from. A field that the line does not have, has as null, or
//! has with a type that cannot be read is `None` (or false, or empty): see the crate docs for what costs a line and
//! what costs a field.

use std::borrow::Cow;

use crate::message::{Assistant, User};
use crate::remark::Remark;
use crate::roster::{BackgroundTask, Notices, TaskNotification, TaskProgress, TaskStarted, TaskUpdated};

/// One message of the agent's stream, or one line of a stored conversation read as such (WIRE.md sections 2 and 5).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame<'a> {
    /// `uuid` of the frame or stored line; of an agent-progress line the `uuid` of the message it carries.
    pub uuid: Option<Cow<'a, str>>,
    /// `session_id` on the stream, `sessionId` in the store.
    pub session_id: Option<Cow<'a, str>>,
    /// `timestamp`, in Unix milliseconds.
    pub timestamp_ms: Option<i64>,
    /// `parent_tool_use_id` (an agent-progress line's `parentToolUseID`); never blank.
    pub parent: Option<Cow<'a, str>>,
    /// `agent_id` on the stream, `agentId` in the store: the task id of the agent that the frame comes from; never
    /// blank.
    pub agent_id: Option<Cow<'a, str>>,
    /// The line stands in a conversation that is not the main one (`isSidechain`).
    pub sidechain: bool,
    /// The frame was replayed by the client to its host (`isReplay`): an echo of a user turn.
    pub replay: bool,
    /// `parentUuid` of a stored line, which chains the lines of a conversation.
    pub parent_uuid: Option<Cow<'a, str>>,
    /// What the frame says.
    pub body: Body<'a>,
}

/// What a frame says. Known types that say nothing of sub-agents are [`Body::Quiet`].
///
/// New kinds will be added: a fold that matches in full notices each of them at compile time.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Body<'a> {
    /// A message of the model (WIRE.md 2.1).
    Assistant(Assistant<'a>),
    /// `background_tasks_changed`: the whole list of live background tasks (WIRE.md 2.7).
    BackgroundTasks(Vec<BackgroundTask<'a>>),
    /// `system/init`: a turn begins.
    Init,
    /// `<task-notification>` blocks of a queue operation that enqueues them, or of an attachment (R13).
    Notices(Notices<'a>),
    /// `system/permission_denied`.
    PermissionDenied(PermissionDenied<'a>),
    /// A `control_request` of subtype `can_use_tool`: somebody must say yes or no (R19).
    PermissionRequest(PermissionRequest<'a>),
    /// A `control_response` or `control_cancel_request`: the request of this id is open no more.
    PermissionSettled {
        /// `request_id`.
        request_id: Cow<'a, str>,
    },
    /// A known type without a word about sub-agents (hooks, stream events, bookkeeping lines, …).
    #[default]
    Quiet,
    /// What only dialects say of an agent: annotations, and endings that were guessed from text.
    Remark(Box<Remark<'a>>),
    /// `result`: a turn is over. It ends no agent (WIRE.md 2.10).
    Result(TurnResult),
    /// The sidecar of an agent: `.meta.json`, or an `agent_metadata` line.
    Sidecar(Sidecar<'a>),
    /// `task_notification` (WIRE.md 2.6).
    TaskNotification(TaskNotification<'a>),
    /// `task_progress` (WIRE.md 2.4).
    TaskProgress(TaskProgress<'a>),
    /// `task_started` (WIRE.md 2.3).
    TaskStarted(TaskStarted<'a>),
    /// `task_updated` (WIRE.md 2.5).
    TaskUpdated(TaskUpdated<'a>),
    /// `tool_progress` (WIRE.md 2.8).
    ToolProgress(ToolProgress<'a>),
    /// A type (or a `system` subtype) that this build does not know. Only its word is kept.
    Unknown {
        /// The type word; `system/<subtype>` for an unknown subtype.
        kind: Cow<'a, str>,
    },
    /// A user turn, or the results of calls (WIRE.md 2.2).
    User(User<'a>),
}

/// `can_use_tool`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PermissionRequest<'a> {
    /// `request_id`; blank where it is missing or no string.
    pub request_id: Cow<'a, str>,
    /// `request.tool_name`.
    pub tool_name: Option<Cow<'a, str>>,
    /// `request.display_name`.
    pub display_name: Option<Cow<'a, str>>,
    /// `request.title`.
    pub title: Option<Cow<'a, str>>,
    /// `request.tool_use_id`: the call that waits.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// `request.agent_id`: the task id of the asker; absent for the main thread.
    pub agent_id: Option<Cow<'a, str>>,
}

/// `permission_denied`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PermissionDenied<'a> {
    /// `tool_use_id`: the call that was refused.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// `agent_id`.
    pub agent_id: Option<Cow<'a, str>>,
}

/// `tool_progress`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolProgress<'a> {
    /// `tool_use_id`; made up by the client for retries and heartbeats.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// `task_id`, else `subagent_retry.agent_id`.
    pub task_id: Option<Cow<'a, str>>,
    /// `subagent_retry`: a request of the agent is being tried again.
    pub retry: Option<Retry>,
}

/// `subagent_retry`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Retry {
    /// `attempt`, from 1.
    pub attempt: Option<u64>,
    /// `max_retries`.
    pub max_retries: Option<u64>,
    /// `error_status`, an HTTP status.
    pub error_status: Option<u64>,
}

/// `result`, with the client's own totals where it states them.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct TurnResult {
    /// `is_error`.
    pub is_error: bool,
    /// `subagent_stats`.
    pub stats: Option<SubagentStats>,
}

/// The client's own count of its sub-agents (`subagent_stats`, 2.1.332).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SubagentStats {
    /// `spawned`.
    pub spawned: u64,
    /// `started_in_background`.
    pub started_in_background: u64,
    /// `spawned_by_subagents`.
    pub spawned_by_subagents: u64,
    /// `max_depth`.
    pub max_depth: u64,
    /// `completed`.
    pub completed: u64,
    /// `failed`.
    pub failed: u64,
    /// The sum of `killed`.
    pub killed: u64,
    /// The sum of `refused`.
    pub refused: u64,
}

/// The sidecar of an agent (WIRE.md 5.4). Every field but the id may be missing or of a wrong type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sidecar<'a> {
    /// The agent's task id: from the file's name, or `agentId` of an `agent_metadata` line.
    pub agent_id: Option<Cow<'a, str>>,
    /// `toolUseId`: the dispatch.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// `parentAgentId`: who made the dispatch, where that was an agent.
    pub parent_agent_id: Option<Cow<'a, str>>,
    /// `agentType`.
    pub agent_type: Option<Cow<'a, str>>,
    /// `description`.
    pub description: Option<Cow<'a, str>>,
    /// `name`.
    pub name: Option<Cow<'a, str>>,
    /// `model`; `inherit` is none.
    pub model: Option<Cow<'a, str>>,
    /// `spawnDepth`; 1 = started by the main thread.
    pub spawn_depth: Option<u64>,
    /// `isFork`.
    pub is_fork: bool,
    /// `workflowPhase` or `inWorkflowRun`: a member of a workflow.
    pub in_workflow: bool,
    /// `taskKind`.
    pub task_kind: Option<Cow<'a, str>>,
    /// Why it is told. A decoded sidecar is always [`SidecarRole::Link`]; a reader of the store sets the others.
    pub role: SidecarRole,
}

/// Why a sidecar is told (P3).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SidecarRole {
    /// It links ids and describes the agent; it opens nothing by itself.
    #[default]
    Link,
    /// As [`SidecarRole::Link`], but the agent id is a stand-in that the reader made up for lines whose author the
    /// store does not name (inline side chains): it links, and it is never shown as a task id.
    StandIn,
    /// The reader has read everything, and nothing that it saw names this agent.
    Unclaimed,
}
