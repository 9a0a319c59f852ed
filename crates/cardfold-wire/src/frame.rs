//! The vocabulary: what one line can say about sub-agents.
//!
//! Everything here borrows from the line it was decoded from. A field that the line does not have, has as null, or
//! has with a type that cannot be read is `None` (or false, or empty): see the crate docs for what costs a line and
//! what costs a field.

use std::borrow::Cow;

use crate::list::List;
use crate::text::{Text, Texts};

/// One message of the agent's stream, or one line of a stored conversation read as such (wire.md sections 2 and 5).
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
pub enum Body<'a> {
    /// A message of the model (wire.md 2.1).
    Assistant(Assistant<'a>),
    /// `background_tasks_changed`: the whole list of live background tasks (wire.md 2.7).
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
    Quiet,
    /// `result`: a turn is over. It ends no agent (wire.md 2.10).
    Result(TurnResult),
    /// The sidecar of an agent: `.meta.json`, or an `agent_metadata` line.
    Sidecar(Sidecar<'a>),
    /// `task_notification` (wire.md 2.6).
    TaskNotification(TaskNotification<'a>),
    /// `task_progress` (wire.md 2.4).
    TaskProgress(TaskProgress<'a>),
    /// `task_started` (wire.md 2.3).
    TaskStarted(TaskStarted<'a>),
    /// `task_updated` (wire.md 2.5).
    TaskUpdated(TaskUpdated<'a>),
    /// `tool_progress` (wire.md 2.8).
    ToolProgress(ToolProgress<'a>),
    /// A type (or a `system` subtype) that this build does not know. Only its word is kept.
    Unknown {
        /// The type word; `system/<subtype>` for an unknown subtype.
        kind: Cow<'a, str>,
    },
    /// A user turn, or the results of calls (wire.md 2.2).
    User(User<'a>),
}

/// A message of the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assistant<'a> {
    /// `message.model`.
    pub model: Option<Cow<'a, str>>,
    /// The message was cut short (`aborted`): it opens no call and is no last word.
    pub aborted: bool,
    /// Uuids of frames that this one takes back.
    pub supersedes: Vec<Cow<'a, str>>,
    /// The content blocks, in order. String content is one text block.
    pub blocks: Blocks<'a>,
}

/// The blocks of a message; nearly always one.
pub type Blocks<'a> = List<Block<'a>>;

/// One content block of a message of the model.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "most blocks are calls: a box would cost each of them an allocation")]
pub enum Block<'a> {
    /// A block that is neither text, nor a call, nor a result (thinking, images, …).
    Other,
    /// Text of the model.
    Text(Text<'a>),
    /// A result inside a message of the model: that of a server-side tool (R9).
    ToolResult(ToolResult<'a>),
    /// A call.
    ToolUse(ToolUse<'a>),
}

/// A call: a `tool_use`, `server_tool_use` or `mcp_tool_use` block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolUse<'a> {
    /// `id`; blank where it is missing or no string.
    pub id: Cow<'a, str>,
    /// `name`; blank where it is missing or no string.
    pub name: Cow<'a, str>,
    /// The client runs the tool (`tool_use`), not the server. Only such a call can dispatch an agent.
    pub client_side: bool,
    /// What was asked, as far as a card shows or follows it.
    pub input: ToolInput<'a>,
}

/// The strings of a call's input that titles and links are made of. Anything else in an input is skipped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolInput<'a> {
    /// `command` (Bash and others).
    pub command: Option<Cow<'a, str>>,
    /// `description`.
    pub description: Option<Cow<'a, str>>,
    /// `file_path`.
    pub file_path: Option<Cow<'a, str>>,
    /// `name`.
    pub name: Option<Cow<'a, str>>,
    /// `notebook_path`.
    pub notebook_path: Option<Cow<'a, str>>,
    /// `path`.
    pub path: Option<Cow<'a, str>>,
    /// `pattern` (Grep, Glob).
    pub pattern: Option<Cow<'a, str>>,
    /// Digest of `prompt`, by [`digest()`](crate::digest()); the text itself is not kept.
    pub prompt_digest: Option<u64>,
    /// `query`.
    pub query: Option<Cow<'a, str>>,
    /// `resume` of old clients' dispatches: the task id to go on with.
    pub resume: Option<Cow<'a, str>>,
    /// `run_in_background`.
    pub run_in_background: Option<bool>,
    /// `skill`.
    pub skill: Option<Cow<'a, str>>,
    /// `subagent_type`.
    pub subagent_type: Option<Cow<'a, str>>,
    /// `task_id`, else the older `shell_id`, else `bash_id` or `agentId`: whom a stop or a read is about.
    pub task_id: Option<Cow<'a, str>>,
    /// `title`.
    pub title: Option<Cow<'a, str>>,
    /// `to`, else the older `recipient`: whom a message goes to.
    pub to: Option<Cow<'a, str>>,
    /// `url`.
    pub url: Option<Cow<'a, str>>,
}

/// A user turn, or the results of calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct User<'a> {
    /// Results of calls. `tool_use_result` and `toolDenialKind` are attached where the frame holds exactly one.
    pub results: List<ToolResult<'a>>,
    /// The text blocks (string content is one).
    pub texts: Texts<'a>,
    /// `<task-notification>` blocks that count by R13: the turn's origin says so, or it states none and the text
    /// opens with a block.
    pub notices: Notices<'a>,
    /// The turn is a hand-back: a sub-agent's report, delivered as a user turn (R12).
    pub handback: Option<Handback<'a>>,
    /// The turn is the client's own text, not a person's (`isMeta`; `isSynthetic` on the stream).
    pub meta: bool,
    /// `isCompactSummary`.
    pub compact_summary: bool,
}

/// A hand-back that came as a user turn: `<agent-message from="…">` with the hand-back marker, whose origin says
/// `peer` with `handback`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handback<'a> {
    /// `origin.senderTaskId`, else `origin.from`, else `from` of the text.
    pub task_id: Cow<'a, str>,
    /// The report: marker line and indent removed.
    pub report: Text<'a>,
}

/// The result of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResult<'a> {
    /// `tool_use_id`; blank where it is missing or no string.
    pub tool_use_id: Cow<'a, str>,
    /// `is_error`; for a server-side tool: its content is an error.
    pub is_error: bool,
    /// The text blocks of the content, in order (string content is one).
    pub texts: Texts<'a>,
    /// `tool_use_result` / `toolUseResult`, where it is an object or an array (an array gives its texts as
    /// `content`); a string is [`Structured::text`].
    pub structured: Option<Box<Structured<'a>>>,
    /// `toolDenialKind` of the line.
    pub denial: Option<Cow<'a, str>>,
}

/// What a tool's structured output says, over all tools whose output speaks of agents (wire.md 3.2 and 3.4).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Structured<'a> {
    /// The structured field was a string: that string.
    pub text: Option<Text<'a>>,
    /// `status`.
    pub status: Option<Cow<'a, str>>,
    /// `agentId`.
    pub agent_id: Option<Cow<'a, str>>,
    /// `agent_id` (teammates).
    pub teammate_agent_id: Option<Cow<'a, str>>,
    /// `teammate_id`.
    pub teammate_id: Option<Cow<'a, str>>,
    /// `taskId`, else `task_id`, else the older `shell_id`.
    pub task_id: Option<Cow<'a, str>>,
    /// `taskType`, else `task_type`.
    pub task_type: Option<Cow<'a, str>>,
    /// `agentType`, else `agent_type`.
    pub agent_type: Option<Cow<'a, str>>,
    /// Texts of `content`.
    pub content: Texts<'a>,
    /// `totalTokens`, `totalToolUseCount`, `totalDurationMs`.
    pub usage: Usage,
    /// `resolvedModel`, else `model`.
    pub model: Option<Cow<'a, str>>,
    /// `resumedAgentId` (SendMessage).
    pub resumed_agent_id: Option<Cow<'a, str>>,
    /// `background` (forked skills).
    pub background: Option<bool>,
    /// `summary` (workflows).
    pub summary: Option<Cow<'a, str>>,
    /// `runId` of a workflow: the folder of its members' files. Not the run id of a task.
    pub workflow_run_id: Option<Cow<'a, str>>,
    /// `detachedToolCall`: the call still runs.
    pub detached_tool_call: bool,
    /// `success` was stated and false.
    pub unsuccessful: bool,
    /// `retrieval_status` (TaskOutput): about the read, not about the task.
    pub retrieval_status: Option<Cow<'a, str>>,
    /// `task` of a TaskOutput result. [`ToolResult::task_read`] also knows the text form.
    pub task: Option<TaskRead<'a>>,
}

/// What a TaskOutput result says of the task it read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskRead<'a> {
    /// `task_id`.
    pub task_id: Option<Cow<'a, str>>,
    /// `task_type`.
    pub task_type: Option<Cow<'a, str>>,
    /// `status`.
    pub status: Option<Cow<'a, str>>,
    /// `result`, the agent's report, where it is stated; of the text form what stands in `<output>`, unless that is the
    /// lines of the agent's file.
    pub result: Option<Text<'a>>,
    /// `error`.
    pub error: Option<Text<'a>>,
}

/// Token, call and time figures. A figure that is missing or no number is `None`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Usage {
    /// Tokens of the agent's last request, by the client's own counting.
    pub total_tokens: Option<u64>,
    /// Calls made.
    pub tool_uses: Option<u64>,
    /// Milliseconds of the run.
    pub duration_ms: Option<u64>,
}

/// `task_started`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskStarted<'a> {
    /// `task_id`; blank where it is missing or no string.
    pub task_id: Cow<'a, str>,
    /// `run_id`.
    pub run_id: Option<Cow<'a, str>>,
    /// `tool_use_id`.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// `description`: the title.
    pub description: Option<Cow<'a, str>>,
    /// `subagent_type`.
    pub subagent_type: Option<Cow<'a, str>>,
    /// `is_backgrounded`.
    pub is_backgrounded: Option<bool>,
    /// `spawn_depth`; 1 = started by the main thread.
    pub spawn_depth: Option<u64>,
    /// `parent_task_id`.
    pub parent_task_id: Option<Cow<'a, str>>,
    /// `task_type`.
    pub task_type: Option<Cow<'a, str>>,
    /// `skip_transcript` or `ambient`: not activity of an agent.
    pub hidden: bool,
    /// `owned_by_subagent`: a task (a shell) that a sub-agent started.
    pub owned_by_subagent: bool,
}

/// `task_progress`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskProgress<'a> {
    /// `task_id`; blank where it is missing or no string.
    pub task_id: Cow<'a, str>,
    /// `run_id`.
    pub run_id: Option<Cow<'a, str>>,
    /// `tool_use_id`.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// `description`: what the agent does now, never its title.
    pub description: Option<Cow<'a, str>>,
    /// `summary`.
    pub summary: Option<Cow<'a, str>>,
    /// `subagent_type`.
    pub subagent_type: Option<Cow<'a, str>>,
    /// `usage`, cumulative for the run.
    pub usage: Usage,
    /// `last_tool_name`.
    pub last_tool_name: Option<Cow<'a, str>>,
    /// `workflow_progress`, the items of type `workflow_agent`.
    pub workflow: Vec<WorkflowAgent<'a>>,
    /// `skip_transcript` or `ambient`.
    pub hidden: bool,
}

/// One agent of a workflow, as the workflow's own frames list it (wire.md 2.12).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkflowAgent<'a> {
    /// `agentId`; an item without it has not started.
    pub agent_id: Option<Cow<'a, str>>,
    /// `index`, from 1, unique within a run.
    pub index: Option<u64>,
    /// `label`.
    pub label: Option<Cow<'a, str>>,
    /// `agentType`.
    pub agent_type: Option<Cow<'a, str>>,
    /// `state`: `start`, `progress`, `done`, `error`.
    pub state: Option<Cow<'a, str>>,
    /// `endedWithRun`: the workflow ended before the agent did.
    pub ended_with_run: Option<Cow<'a, str>>,
    /// `tokens`, `toolCalls`, `durationMs`.
    pub usage: Usage,
    /// `model`.
    pub model: Option<Cow<'a, str>>,
    /// `startedAt`, Unix milliseconds.
    pub started_at_ms: Option<i64>,
}

/// `task_updated`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskUpdated<'a> {
    /// `task_id`; blank where it is missing or no string.
    pub task_id: Cow<'a, str>,
    /// `run_id`.
    pub run_id: Option<Cow<'a, str>>,
    /// `patch.status`.
    pub status: Option<Cow<'a, str>>,
    /// `patch.description`: the title.
    pub description: Option<Cow<'a, str>>,
    /// `patch.end_time`, Unix milliseconds.
    pub end_time_ms: Option<i64>,
    /// `patch.error`.
    pub error: Option<Text<'a>>,
    /// `patch.is_backgrounded`.
    pub is_backgrounded: Option<bool>,
}

/// `task_notification`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskNotification<'a> {
    /// `task_id`; blank where it is missing or no string, or (in a text block) was redacted.
    pub task_id: Cow<'a, str>,
    /// `run_id`. Of a text block that stands alone in its line: `runId` of the line's origin or attachment.
    pub run_id: Option<Cow<'a, str>>,
    /// `tool_use_id`.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// `task_type`.
    pub task_type: Option<Cow<'a, str>>,
    /// `status`; a block without one ends nothing.
    pub status: Option<Cow<'a, str>>,
    /// `summary`: a report, a title or a sentence of the client.
    pub summary: Option<Text<'a>>,
    /// `summary_is_report`.
    pub summary_is_report: bool,
    /// `handback_report.text`.
    pub handback_report: Option<Text<'a>>,
    /// `result` (of a text block: `<result>`, entities decoded once).
    pub result: Option<Text<'a>>,
    /// `usage`.
    pub usage: Usage,
    /// `end_time` of a frame that states one (`mcp_task` aside), Unix milliseconds.
    pub end_time_ms: Option<i64>,
    /// `workflow_progress`, the items of type `workflow_agent`.
    pub workflow: Vec<WorkflowAgent<'a>>,
    /// `skip_transcript` or `ambient`.
    pub hidden: bool,
}

/// The `<task-notification>` blocks of one text, and where the text stood.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notices<'a> {
    /// Where the text stood; decides what a copy of it is (R13).
    pub place: NoticePlace,
    /// The blocks, in order.
    pub blocks: Vec<Notice<'a>>,
}

/// Where the text of a notice stood.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum NoticePlace {
    /// An attachment line: delivered in the middle of a turn.
    Attachment,
    /// A queue operation that enqueues it.
    Enqueue,
    /// A user turn.
    #[default]
    Turn,
}

/// One `<task-notification>` block (wire.md section 4).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notice<'a> {
    /// Digest of the block's text, tags included: equal text is a copy (R13).
    pub digest: u64,
    /// What it says, as the frame of the same name would. `summary` and `result` are decoded.
    pub said: TaskNotification<'a>,
}

/// One row of `background_tasks_changed`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BackgroundTask<'a> {
    /// `task_id`; blank where it is missing or no string.
    pub task_id: Cow<'a, str>,
    /// `run_id`.
    pub run_id: Option<Cow<'a, str>>,
    /// `tool_use_id`.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// `task_type`.
    pub task_type: Option<Cow<'a, str>>,
    /// `subagent_type`.
    pub subagent_type: Option<Cow<'a, str>>,
    /// `description`: the title.
    pub description: Option<Cow<'a, str>>,
    /// `parent_task_id`.
    pub parent_task_id: Option<Cow<'a, str>>,
    /// `ambient`.
    pub hidden: bool,
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

/// The sidecar of an agent (wire.md 5.4). Every field but the id may be missing or of a wrong type.
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
