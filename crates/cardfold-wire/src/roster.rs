//! What task frames say, and the notices and lists that say the same (WIRE.md 2.3–2.7, 2.12 and section 4).

use std::borrow::Cow;

use crate::message::Usage;
use crate::text::Text;

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

/// One agent of a workflow, as the workflow's own frames list it (WIRE.md 2.12).
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

/// One `<task-notification>` block (WIRE.md section 4).
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
