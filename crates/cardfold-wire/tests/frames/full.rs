//! A frame of every kind with every field set, no two of them alike: what copies or lays by a frame loses nothing.

use std::borrow::Cow;

use cardfold_wire::{
    Annotation, Assistant, BackgroundTask, Block, Body, Frame, FrameQueue, Guess, Handback, List, Notice, NoticePlace,
    Notices, PermissionDenied, PermissionRequest, Remark, Retry, Sidecar, SidecarRole, Structured, SubagentStats,
    TaskNotification, TaskProgress, TaskRead, TaskStarted, TaskUpdated, Text, ToolInput, ToolProgress, ToolResult,
    ToolUse, TurnResult, Usage, User, WorkflowAgent,
};

/// A value with everything set; `n` numbers what it is made of.
trait Full {
    fn full(n: &mut u64) -> Self;
}

fn number(n: &mut u64) -> u64 {
    *n += 1;
    *n
}

impl Full for bool {
    fn full(_: &mut u64) -> Self {
        true
    }
}

impl Full for u64 {
    fn full(n: &mut u64) -> Self {
        number(n)
    }
}

impl Full for i64 {
    fn full(n: &mut u64) -> Self {
        -number(n).cast_signed()
    }
}

impl Full for Cow<'static, str> {
    fn full(n: &mut u64) -> Self {
        format!("ä{}", number(n)).into()
    }
}

impl Full for Text<'static> {
    fn full(n: &mut u64) -> Self {
        let number = number(n);
        if number.is_multiple_of(2) { Self::cut(format!("é{number}")) } else { Self::new(format!("é{number}")) }
    }
}

impl<T: Full> Full for Option<T> {
    fn full(n: &mut u64) -> Self {
        Some(T::full(n))
    }
}

impl<T: Full> Full for Box<T> {
    fn full(n: &mut u64) -> Self {
        Self::new(T::full(n))
    }
}

impl<T: Full> Full for Vec<T> {
    fn full(n: &mut u64) -> Self {
        vec![T::full(n), T::full(n)]
    }
}

impl<T: Full> Full for List<T> {
    fn full(n: &mut u64) -> Self {
        [T::full(n), T::full(n)].into_iter().collect()
    }
}

/// All blocks at once would be four of one message: each number gives another.
impl Full for Block<'static> {
    fn full(n: &mut u64) -> Self {
        match number(n) % 4 {
            0 => Self::Other,
            1 => Self::Text(Full::full(n)),
            2 => Self::ToolResult(Full::full(n)),
            _ => Self::ToolUse(Full::full(n)),
        }
    }
}

impl Full for NoticePlace {
    fn full(n: &mut u64) -> Self {
        match number(n) % 3 {
            0 => Self::Attachment,
            1 => Self::Enqueue,
            _ => Self::Turn,
        }
    }
}

impl Full for SidecarRole {
    fn full(n: &mut u64) -> Self {
        match number(n) % 3 {
            0 => Self::Link,
            1 => Self::StandIn,
            _ => Self::Unclaimed,
        }
    }
}

/// A struct literal: a field that is left out here does not compile.
macro_rules! full {
    ($($type:ty: $($field:ident)*;)*) => {
        $(impl Full for $type {
            fn full(n: &mut u64) -> Self {
                Self { $($field: Full::full(n)),* }
            }
        })*
    };
}

full! {
    Annotation<'static>: name value;
    Assistant<'static>: model aborted supersedes blocks;
    BackgroundTask<'static>: task_id run_id tool_use_id task_type subagent_type description parent_task_id hidden;
    Frame<'static>: uuid session_id timestamp_ms parent agent_id sidechain replay parent_uuid body;
    Guess<'static>: word end_time_ms error;
    Handback<'static>: task_id report;
    Notice<'static>: digest said;
    Notices<'static>: place blocks;
    PermissionDenied<'static>: tool_use_id agent_id;
    PermissionRequest<'static>: request_id tool_name display_name title tool_use_id agent_id;
    Remark<'static>: task_id tool_use_id annotations guess;
    Retry: attempt max_retries error_status;
    Sidecar<'static>: agent_id tool_use_id parent_agent_id agent_type description name model spawn_depth is_fork
        in_workflow task_kind role;
    Structured<'static>: text status agent_id teammate_agent_id teammate_id task_id task_type agent_type content usage
        model resumed_agent_id background summary workflow_run_id detached_tool_call unsuccessful retrieval_status task;
    SubagentStats: spawned started_in_background spawned_by_subagents max_depth completed failed killed refused;
    TaskNotification<'static>: task_id run_id tool_use_id task_type status summary summary_is_report handback_report
        result usage end_time_ms workflow hidden;
    TaskProgress<'static>: task_id run_id tool_use_id description summary subagent_type usage last_tool_name workflow
        hidden;
    TaskRead<'static>: task_id task_type status result error;
    TaskStarted<'static>: task_id run_id tool_use_id description subagent_type is_backgrounded spawn_depth
        parent_task_id task_type hidden owned_by_subagent;
    TaskUpdated<'static>: task_id run_id status description end_time_ms error is_backgrounded;
    ToolInput<'static>: command description file_path name notebook_path path pattern prompt_digest query resume
        run_in_background skill subagent_type task_id title to url;
    ToolProgress<'static>: tool_use_id task_id retry;
    ToolResult<'static>: tool_use_id is_error texts structured denial;
    ToolUse<'static>: id name client_side input;
    TurnResult: is_error stats;
    Usage: total_tokens tool_uses duration_ms;
    User<'static>: results texts notices handback meta compact_summary;
    WorkflowAgent<'static>: agent_id index label agent_type state ended_with_run usage model started_at_ms;
}

/// The first kind; [`after`] gives the others.
impl Full for Body<'static> {
    fn full(n: &mut u64) -> Self {
        Self::Assistant(Full::full(n))
    }
}

/// The kind after this one, none after the last. A kind that is left out here does not compile.
fn after(body: &Body<'_>, n: &mut u64) -> Option<Body<'static>> {
    Some(match body {
        Body::Assistant(_) => Body::BackgroundTasks(Full::full(n)),
        Body::BackgroundTasks(_) => Body::Init,
        Body::Init => Body::Notices(Full::full(n)),
        Body::Notices(_) => Body::PermissionDenied(Full::full(n)),
        Body::PermissionDenied(_) => Body::PermissionRequest(Full::full(n)),
        Body::PermissionRequest(_) => Body::PermissionSettled { request_id: Full::full(n) },
        Body::PermissionSettled { .. } => Body::Quiet,
        Body::Quiet => Body::Remark(Full::full(n)),
        Body::Remark(_) => Body::Result(Full::full(n)),
        Body::Result(_) => Body::Sidecar(Full::full(n)),
        Body::Sidecar(_) => Body::TaskNotification(Full::full(n)),
        Body::TaskNotification(_) => Body::TaskProgress(Full::full(n)),
        Body::TaskProgress(_) => Body::TaskStarted(Full::full(n)),
        Body::TaskStarted(_) => Body::TaskUpdated(Full::full(n)),
        Body::TaskUpdated(_) => Body::ToolProgress(Full::full(n)),
        Body::ToolProgress(_) => Body::Unknown { kind: Full::full(n) },
        Body::Unknown { .. } => Body::User(Full::full(n)),
        Body::User(_) => return None,
    })
}

/// A frame of every kind. Of `seed` depend the words, which block, place or role comes, and which texts are cut.
fn frames(seed: u64) -> Vec<Frame<'static>> {
    let n = &mut seed.clone();
    let mut frames = vec![Frame::full(n)];
    while let Some(body) = frames.last().and_then(|frame| after(&frame.body, n)) {
        frames.push(Frame { body, ..Frame::full(n) });
    }
    frames
}

/// As much of a frame as there is: two texts of one digest are equal, and need not be alike.
fn shown(frame: &Frame<'_>) -> String {
    format!("{frame:?}")
}

#[test]
fn a_queue_gives_every_field_of_every_kind_back() {
    // Twelve seeds bring every block, place and role with every kind.
    for seed in 0..12 {
        let frames = frames(seed);
        let mut queue = FrameQueue::default();
        for frame in &frames {
            queue.put(frame);
        }
        for frame in &frames {
            let taken = queue.take().expect("it was put there");
            assert_eq!(taken, *frame);
            assert_eq!(shown(&taken), shown(frame));
        }
        assert_eq!(queue.take(), None);
    }
}

#[test]
fn a_frame_keeps_every_field_without_its_line() {
    for seed in 0..12 {
        for frame in frames(seed) {
            let kept = frame.clone().into_owned();
            assert_eq!(kept, frame);
            assert_eq!(shown(&kept), shown(&frame));
        }
    }
}
