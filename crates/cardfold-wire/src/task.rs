//! The task frames: the roster's own word of an agent (WIRE.md 2.3 to 2.6, 2.12).

use crate::line::{Line, WorkflowItem};
use crate::message::Usage;
use crate::roster::{TaskNotification, TaskProgress, TaskStarted, TaskUpdated, WorkflowAgent};
use crate::text::Text;

pub(crate) fn task_started<'a>(line: &mut Line<'a>) -> TaskStarted<'a> {
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

pub(crate) fn task_progress<'a>(line: &mut Line<'a>) -> TaskProgress<'a> {
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

pub(crate) fn task_updated<'a>(line: &mut Line<'a>) -> TaskUpdated<'a> {
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

pub(crate) fn task_notification<'a>(line: &mut Line<'a>) -> TaskNotification<'a> {
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
