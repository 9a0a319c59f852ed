//! What frames are made of: the one list of all structs and enums with what they hold, for whatever goes through them all.

/// Gives the enums that borrow to the macro `$apply`, each variant with what it holds. The compiler holds the list to the
/// enum: a variant that is left out does not build.
macro_rules! enums {
    ($apply:ident) => {
        $apply! {
            Block { Other, Text(text), ToolResult(result), ToolUse(call) }
            Body {
                Assistant(assistant),
                BackgroundTasks(tasks),
                Init,
                Notices(notices),
                PermissionDenied(denied),
                PermissionRequest(request),
                PermissionSettled { request_id },
                Quiet,
                Remark(remark),
                Result(result),
                Sidecar(sidecar),
                TaskNotification(notification),
                TaskProgress(progress),
                TaskStarted(started),
                TaskUpdated(updated),
                ToolProgress(progress),
                Unknown { kind },
                User(user),
            }
        }
    };
}

/// Gives the structs that borrow to the macro `$apply`. The compiler holds each list to the struct's fields: one that is left out does not
/// build.
macro_rules! structs {
    ($apply:ident) => {
        $apply! {
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
    };
}

pub(crate) use {enums, structs};
