//! Statements about tasks: the frames of the roster, the blocks that stand for them, permission requests, sidecars.

use cardfold_wire::{BackgroundTask, Body, Notice, NoticePlace, Notices, TaskNotification, TaskStarted, WorkflowAgent};

use super::sayings::{Listed, Member, Names, Noticed, Progressed, Started, Updated, What};
use super::text::one_line;

pub(super) fn of_blocks(names: &mut Names, notices: &Notices<'_>) -> Vec<What> {
    let place = notices.place;
    notices.blocks.iter().map(|block| What::Notice(of_block(names, block, place))).collect()
}

fn of_block(names: &mut Names, block: &Notice<'_>, place: NoticePlace) -> Noticed {
    Noticed { block: Some((place, block.digest)), ..of_notification(names, &block.said) }
}

pub(super) fn of_level(names: &mut Names, tasks: &[BackgroundTask<'_>]) -> Vec<What> {
    let listed = tasks.iter().map(|task| What::Listed(of_listed(names, task)));
    listed.chain([What::Level]).collect()
}

pub(super) fn of_task(names: &mut Names, body: &Body<'_>) -> What {
    match body {
        Body::PermissionRequest(asked) => names.id(&asked.request_id).map_or(What::Nothing, |request| What::Asked {
            request,
            call: names.maybe(asked.tool_use_id.as_deref()),
            agent: names.maybe(asked.agent_id.as_deref()),
            question: [&asked.title, &asked.display_name, &asked.tool_name]
                .into_iter()
                .find_map(|text| text.as_deref().and_then(one_line)),
        }),
        Body::PermissionSettled { request_id } => {
            names.id(request_id).map_or(What::Nothing, |request| What::Settled { request })
        }
        Body::Sidecar(sidecar) => {
            names.maybe(sidecar.agent_id.as_deref()).map_or(What::Nothing, |task| What::Sidecar {
                task,
                call: names.maybe(sidecar.tool_use_id.as_deref()),
                parent: names.maybe(sidecar.parent_agent_id.as_deref()),
                agent_type: sidecar.agent_type.as_deref().and_then(one_line),
                model: sidecar.model.as_deref().map(str::to_owned),
            })
        }
        Body::TaskNotification(notification) => What::Notice(of_notification(names, notification)),
        Body::TaskProgress(progress) => What::Progress(Progressed {
            task: names.id(&progress.task_id),
            run: progress.run_id.as_deref().map(str::to_owned),
            call: names.maybe(progress.tool_use_id.as_deref()),
            description: progress.description.as_deref().map(str::to_owned),
            activity: progress
                .summary
                .as_deref()
                .and_then(one_line)
                .or(progress.description.as_deref().and_then(one_line)),
            agent_type: progress.subagent_type.as_deref().and_then(one_line),
            usage: progress.usage,
            last_tool: progress.last_tool_name.as_deref().map(str::to_owned),
            members: of_members(names, &progress.workflow),
            hidden: progress.hidden,
        }),
        Body::TaskStarted(started) => What::Started(of_started(names, started)),
        Body::TaskUpdated(updated) => What::Updated(Updated {
            task: names.id(&updated.task_id),
            run: updated.run_id.as_deref().map(str::to_owned),
            status: updated.status.as_deref().map(str::to_owned),
            title: updated.description.as_deref().map(str::to_owned),
            end_time: updated.end_time_ms,
            error: updated.error.as_ref().map(|error| error.as_str().to_owned()),
            backgrounded: updated.is_backgrounded,
        }),
        Body::Assistant(_)
        | Body::BackgroundTasks(_)
        | Body::Init
        | Body::Notices(_)
        | Body::PermissionDenied(_)
        | Body::Quiet
        | Body::Remark(_)
        | Body::Result(_)
        | Body::ToolProgress(_)
        | Body::Unknown { .. }
        | Body::User(_) => unreachable!("no statement about one task"),
    }
}

fn of_started(names: &mut Names, started: &TaskStarted<'_>) -> Started {
    Started {
        task: names.id(&started.task_id),
        run: started.run_id.as_deref().map(str::to_owned),
        call: names.maybe(started.tool_use_id.as_deref()),
        title: started.description.as_deref().map(str::to_owned),
        agent_type: started.subagent_type.as_deref().and_then(one_line),
        task_type: started.task_type.as_deref().map(str::to_owned),
        backgrounded: started.is_backgrounded,
        depth: started.spawn_depth,
        parent: names.maybe(started.parent_task_id.as_deref()),
        hidden: started.hidden,
    }
}

fn of_listed(names: &mut Names, task: &BackgroundTask<'_>) -> Listed {
    Listed {
        task: names.id(&task.task_id),
        run: task.run_id.as_deref().map(str::to_owned),
        call: names.maybe(task.tool_use_id.as_deref()),
        title: task.description.as_deref().map(str::to_owned),
        agent_type: task.subagent_type.as_deref().and_then(one_line),
        task_type: task.task_type.as_deref().map(str::to_owned),
        parent: names.maybe(task.parent_task_id.as_deref()),
        hidden: task.hidden,
    }
}

fn of_notification(names: &mut Names, said: &TaskNotification<'_>) -> Noticed {
    let text = |text: &Option<cardfold_wire::Text<'_>>| text.as_ref().map(|text| text.as_str().to_owned());
    Noticed {
        task: names.id(&said.task_id),
        run: said.run_id.as_deref().map(str::to_owned),
        call: names.maybe(said.tool_use_id.as_deref()),
        task_type: said.task_type.as_deref().map(str::to_owned),
        status: said.status.as_deref().map(str::to_owned),
        summary: text(&said.summary),
        summary_is_report: said.summary_is_report,
        handback: text(&said.handback_report),
        result: text(&said.result),
        usage: said.usage,
        end_time: said.end_time_ms,
        members: of_members(names, &said.workflow),
        hidden: said.hidden,
        block: None,
    }
}

fn of_members(names: &mut Names, items: &[WorkflowAgent<'_>]) -> Vec<Member> {
    let member = |item: &WorkflowAgent<'_>| {
        let task = names.maybe(item.agent_id.as_deref())?;
        let word = match item.state.as_deref() {
            Some("done") => "completed",
            Some("error") => "failed",
            Some(_) | None => item.ended_with_run.as_deref().unwrap_or("running"),
        };
        Some(Member {
            task,
            label: item.label.as_deref().map(str::to_owned),
            agent_type: item.agent_type.as_deref().and_then(one_line),
            word: word.to_owned(),
            usage: item.usage,
        })
    };
    items.iter().filter_map(member).collect()
}
