//! What messages hold: blocks of text, calls, and what came back from calls (WIRE.md 2.1, 2.2 and section 3).

use std::borrow::Cow;

use crate::list::List;
use crate::roster::Notices;
use crate::text::{Text, Texts};

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

/// What a tool's structured output says, over all tools whose output speaks of agents (WIRE.md 3.2 and 3.4).
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
