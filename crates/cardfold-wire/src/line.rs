//! Everything that a line can have at its top, whatever its type: read in one pass, in any order of keys.

use crate::content::{Content, StructuredResult};
use crate::fields::{
    Boxed, Figure, Flag, Id, IdOrBlank, Ids, Many, Millis, One, Prose, Stated, StatedFlag, Sum, Timestamp, Word,
};
use crate::frame::SubagentStats;
use crate::message::Usage;
use crate::object::{object, raw};
use crate::roster::BackgroundTask;

raw! {
    /// A line, before its type has said what it means.
    struct Line<'de> {
        // Every line.
        "type" => kind: Word,
        "subtype" => subtype: Word,
        "uuid" => uuid: Id,
        "session_id" => session_id: Id,
        "sessionId" => stored_session_id: Id,
        "timestamp" => timestamp: Timestamp,
        "parent_tool_use_id" => parent_tool_use_id: Id,
        "parentToolUseID" => stored_parent_tool_use_id: Id,
        "agent_id" => agent_id: Id,
        "agentId" => stored_agent_id: Id,
        "isSidechain" => sidechain: Flag,
        "isReplay" => replay: Flag,
        "parentUuid" => parent_uuid: Id,
        // `assistant` and `user`.
        "message" => message: One<Message<'de>>,
        "aborted" => aborted: Flag,
        "supersedes" => supersedes: Ids,
        "tool_use_result" => tool_use_result: StructuredResult,
        "toolUseResult" => stored_tool_use_result: StructuredResult,
        "toolDenialKind" => denial: Word,
        "origin" => origin: One<Origin<'de>>,
        "isMeta" => meta: Flag,
        "isSynthetic" => synthetic: Flag,
        "isCompactSummary" => compact_summary: Flag,
        // `system/task_*` and its relatives.
        "task_id" => task_id: Id,
        "run_id" => run_id: Id,
        "tool_use_id" => tool_use_id: Id,
        "description" => description: Word,
        "subagent_type" => subagent_type: Word,
        "is_backgrounded" => is_backgrounded: StatedFlag,
        "spawn_depth" => spawn_depth: Figure,
        "parent_task_id" => parent_task_id: Id,
        "task_type" => task_type: Word,
        "skip_transcript" => skip_transcript: Flag,
        "ambient" => ambient: Flag,
        "owned_by_subagent" => owned_by_subagent: Flag,
        "usage" => usage: One<Usage>,
        "last_tool_name" => last_tool_name: Word,
        "summary" => summary: Prose,
        "summary_is_report" => summary_is_report: Flag,
        "status" => status: Word,
        "handback_report" => handback_report: One<HandbackReport<'de>>,
        "result" => result: Prose,
        "end_time" => end_time: Millis,
        "workflow_progress" => workflow_progress: Many<WorkflowItem<'de>>,
        "patch" => patch: One<Patch<'de>>,
        "tasks" => tasks: Many<BackgroundTask<'de>>,
        // Other types of the stream.
        "subagent_retry" => retry: One<SubagentRetry<'de>>,
        "request_id" => request_id: Id,
        "request" => request: One<Request<'de>>,
        "response" => response: One<Response<'de>>,
        "is_error" => is_error: Flag,
        "subagent_stats" => subagent_stats: Boxed<SubagentStats>,
        // Other lines of the store.
        "data" => data: Boxed<ProgressData<'de>>,
        "attachment" => attachment: Boxed<Attachment<'de>>,
        "operation" => operation: Word,
        "content" => content: Prose,
        "key" => journal_key: Stated,
        // Sidecars, and the lines that carry one.
        "toolUseId" => sidecar_tool_use_id: Id,
        "parentAgentId" => parent_agent_id: Id,
        "agentType" => agent_type: Word,
        "name" => name: Word,
        "model" => model: Word,
        "spawnDepth" => sidecar_spawn_depth: Figure,
        "isFork" => is_fork: Flag,
        "workflowPhase" => workflow_phase: Stated,
        "inWorkflowRun" => in_workflow_run: Stated,
        "taskKind" => task_kind: Word,
    }
}

raw! {
    /// `message` of `assistant` and `user`.
    struct Message<'de> {
        "model" => model: Word,
        "content" => content: Content,
    }
}

raw! {
    /// `origin`: who put a user turn there (WIRE.md 2.2).
    struct Origin<'de> {
        "kind" => kind: Word,
        "runId" => run_id: Id,
        "handback" => handback: Flag,
        "senderTaskId" => sender_task_id: Id,
        "from" => from: Id,
    }
}

raw! {
    /// `handback_report` of `task_notification`.
    struct HandbackReport<'de> {
        "text" => text: Prose,
    }
}

raw! {
    /// An item of `workflow_progress` (WIRE.md 2.12).
    struct WorkflowItem<'de> {
        "type" => kind: Word,
        "agentId" => agent_id: Id,
        "index" => index: Figure,
        "label" => label: Word,
        "agentType" => agent_type: Word,
        "state" => state: Word,
        "endedWithRun" => ended_with_run: Word,
        "tokens" => tokens: Figure,
        "toolCalls" => tool_calls: Figure,
        "durationMs" => duration_ms: Figure,
        "model" => model: Word,
        "startedAt" => started_at_ms: Millis,
    }
}

raw! {
    /// `patch` of `task_updated`.
    struct Patch<'de> {
        "status" => status: Word,
        "description" => description: Word,
        "end_time" => end_time_ms: Millis,
        "error" => error: Prose,
        "is_backgrounded" => is_backgrounded: StatedFlag,
    }
}

raw! {
    /// `subagent_retry` of `tool_progress`.
    struct SubagentRetry<'de> {
        "agent_id" => agent_id: Id,
        "attempt" => attempt: Figure,
        "max_retries" => max_retries: Figure,
        "error_status" => error_status: Figure,
    }
}

raw! {
    /// `request` of `control_request`.
    struct Request<'de> {
        "subtype" => subtype: Word,
        "tool_name" => tool_name: Word,
        "display_name" => display_name: Word,
        "title" => title: Word,
        "tool_use_id" => tool_use_id: Id,
        "agent_id" => agent_id: Id,
    }
}

raw! {
    /// `response` of `control_response`.
    struct Response<'de> {
        "request_id" => request_id: Id,
    }
}

raw! {
    /// `data` of a progress line (WIRE.md 5.3).
    struct ProgressData<'de> {
        "type" => kind: Word,
        "agentId" => agent_id: Id,
        "message" => message: One<CarriedLine<'de>>,
        "normalizedMessages" => normalized_messages: Many<CarriedLine<'de>>,
    }
}

raw! {
    /// A message that a progress line carries: a line within the line.
    struct CarriedLine<'de> {
        "type" => kind: Word,
        "uuid" => uuid: Id,
        "timestamp" => timestamp: Timestamp,
        "message" => message: One<Message<'de>>,
        "toolUseResult" => tool_use_result: StructuredResult,
        "toolDenialKind" => denial: Word,
        "isMeta" => meta: Flag,
    }
}

raw! {
    /// `attachment` of an attachment line (WIRE.md section 4).
    struct Attachment<'de> {
        "type" => kind: Word,
        "commandMode" => command_mode: Word,
        "origin" => origin: One<Origin<'de>>,
        "prompt" => prompt: Content,
        "runId" => run_id: Id,
    }
}

object!(Usage, 'de, {
    "total_tokens" => total_tokens: Figure,
    "tool_uses" => tool_uses: Figure,
    "duration_ms" => duration_ms: Figure,
});

object!(BackgroundTask<'de>, 'de, {
    "task_id" => task_id: IdOrBlank,
    "run_id" => run_id: Id,
    "tool_use_id" => tool_use_id: Id,
    "task_type" => task_type: Word,
    "subagent_type" => subagent_type: Word,
    "description" => description: Word,
    "parent_task_id" => parent_task_id: Id,
    "ambient" => hidden: Flag,
});

object!(SubagentStats, 'de, {
    "spawned" => spawned: Sum,
    "started_in_background" => started_in_background: Sum,
    "spawned_by_subagents" => spawned_by_subagents: Sum,
    "max_depth" => max_depth: Sum,
    "completed" => completed: Sum,
    "failed" => failed: Sum,
    "killed" => killed: Sum,
    "refused" => refused: Sum,
});
