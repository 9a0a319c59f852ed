//! Every kind of line says what it says: all of its fields, in either spelling.

use cardfold_wire::{
    Assistant, BackgroundTask, Block, Body, Frame, FrameErrorKind, FrameQueue, Handback, List, Notice, NoticePlace,
    Notices, PermissionDenied, PermissionRequest, Retry, Sidecar, SidecarRole, Structured, SubagentStats,
    TaskNotification, TaskProgress, TaskStarted, TaskUpdated, Text, ToolInput, ToolProgress, ToolResult, ToolUse,
    TurnResult, Usage, User, WorkflowAgent, digest,
};

use crate::lines::{LINES, line};

fn frame(name: &str) -> Frame<'static> {
    Frame::decode(line(name).as_bytes()).expect("the line is a frame")
}

fn body(name: &str) -> Body<'static> {
    frame(name).body
}

fn decoded(line: &str) -> Frame<'_> {
    Frame::decode(line.as_bytes()).expect("the line is a frame")
}

fn usage(total_tokens: u64, tool_uses: u64, duration_ms: u64) -> Usage {
    Usage { total_tokens: Some(total_tokens), tool_uses: Some(tool_uses), duration_ms: Some(duration_ms) }
}

#[test]
fn every_line_is_the_same_however_it_comes() {
    for (name, line) in LINES {
        let frame = decoded(line);
        let value = serde_json::from_str(line).expect("the line is JSON");
        assert_eq!(Frame::from_value(&value).expect("the value is a frame"), frame, "{name}");
        assert_eq!(frame.clone().into_owned(), frame, "{name}");
    }
}

#[test]
fn frames_that_wait_come_back_as_they_were() {
    let mut queue = FrameQueue::default();
    assert_eq!(queue.take(), None);
    for _ in 0..2 {
        for (_, line) in LINES {
            queue.put(&decoded(line));
        }
        for (name, line) in LINES {
            let frame = decoded(line);
            let taken = queue.take().expect("it was put there");
            assert_eq!(taken, frame, "{name}");
            // It has all of what the other had, texts that nobody has read included.
            assert_eq!(format!("{taken:?}"), format!("{frame:?}"), "{name}");
        }
        assert_eq!(queue.take(), None);
        queue.clear();
    }
    let long = format!(r#"{{"type":"user","message":{{"content":"a\n{}"}}}}"#, "x".repeat(300_000));
    let frame = decoded(&long);
    let Body::User(user) = &frame.body else { panic!("it is a turn") };
    assert!(user.texts[0].is_cut(), "it was read, and is kept as far as that goes");
    queue.put(&frame);
    assert_eq!(queue.take(), Some(frame));
}

#[test]
fn a_text_says_what_it_has_without_being_read() {
    let said = |text: &str| {
        let line = format!(r#"{{"type":"user","message":{{"content":"{text}"}}}}"#);
        let Body::User(user) = decoded(&line).into_owned().body else { panic!("it is a turn") };
        let [text] = &user.texts[..] else { panic!("it has one text") };
        let line = decoded(&line).body;
        let Body::User(user) = &line else { panic!("it is a turn") };
        for words in ["agentId: ", "x", "\n", "é", "\"", ""] {
            assert_eq!(user.texts[0].contains(words), text.as_str().contains(words), "{text:?} {words:?}");
        }
        assert_eq!(user.texts[0].is_blank(), text.as_str().trim().is_empty(), "{text:?}");
    };
    for text in [
        "",
        " ",
        "x",
        r"\n\t",
        r"\n x",
        r"a\nagentId: 1",
        r"\u0061gentId: 1",
        r#"\"x"#,
        r"\u0020",
        r"\u00e9",
        "é",
        "\u{a0}",
    ] {
        said(text);
    }
}

#[test]
fn the_head_of_a_frame() {
    let head = |name| Frame { body: Body::Quiet, ..frame(name) };
    let empty = Frame {
        uuid: None,
        session_id: Some("s1".into()),
        timestamp_ms: None,
        parent: None,
        agent_id: None,
        sidechain: false,
        replay: false,
        parent_uuid: None,
        body: Body::Quiet,
    };
    let of_stream = Frame { uuid: Some("u2".into()), timestamp_ms: Some(1_772_442_001_000), ..empty.clone() };
    assert_eq!(head("assistant with a dispatch"), of_stream);
    assert_eq!(
        head("assistant of an agent"),
        Frame {
            uuid: Some("u3".into()),
            parent: Some("toolu_A".into()),
            agent_id: Some("ab1".into()),
            ..empty.clone()
        }
    );
    assert_eq!(
        head("stored user with a refusal"),
        Frame {
            uuid: Some("u7".into()),
            timestamp_ms: Some(1_772_442_002_500),
            agent_id: Some("ab1".into()),
            sidechain: true,
            parent_uuid: Some("u6".into()),
            ..empty.clone()
        }
    );
    assert_eq!(frame("assistant with server-side tools").parent, None, "a blank parent is none");
    assert!(frame("user prompt of an agent").replay);
    assert_eq!(
        head("agent progress"),
        Frame {
            uuid: Some("u23".into()),
            timestamp_ms: Some(1_772_442_007_000),
            parent: Some("toolu_A".into()),
            agent_id: Some("ab1".into()),
            parent_uuid: Some("p2".into()),
            ..empty.clone()
        }
    );
    let old = head("old agent progress");
    assert_eq!((old.uuid.as_deref(), old.agent_id.as_deref()), (Some("u25"), Some("ab1")));
}

#[test]
fn messages_of_the_model() {
    let dispatch = ToolInput {
        description: Some("Count lines".into()),
        prompt_digest: Some(digest(b"Count the \"lines\".")),
        subagent_type: Some("Explore".into()),
        run_in_background: Some(true),
        ..ToolInput::default()
    };
    let call = |id: &'static str, name: &'static str, input| {
        Block::ToolUse(ToolUse { id: id.into(), name: name.into(), client_side: true, input })
    };
    assert_eq!(
        body("assistant with a dispatch"),
        Body::Assistant(Assistant {
            model: Some("m-large".into()),
            aborted: false,
            supersedes: vec![],
            blocks: List::from([call("toolu_A", "Agent", dispatch)]),
        })
    );
    let input = ToolInput { file_path: Some("/srv/demo/a.rs".into()), ..ToolInput::default() };
    assert_eq!(
        body("assistant of an agent"),
        Body::Assistant(Assistant {
            model: Some("m-small".into()),
            aborted: true,
            supersedes: vec!["u8".into(), "u9".into()],
            blocks: List::from([Block::Other, Block::Text(Text::new("Reading\nnow.")), call("toolu_C", "Read", input)]),
        })
    );
    let Body::Assistant(message) = body("assistant with server-side tools") else { panic!("it is one") };
    let [Block::ToolUse(search), Block::ToolResult(failed), Block::ToolUse(_), Block::ToolResult(ok)] =
        &message.blocks[..]
    else {
        panic!("it has these blocks")
    };
    assert_eq!((search.client_side, search.input.query.as_deref()), (false, Some("lamps")));
    assert_eq!((&*failed.tool_use_id, failed.is_error), ("srv_1", true));
    assert_eq!((ok.is_error, &ok.texts), (false, &List::from([Text::new("on")])));
    let plain = decoded(r#"{"type":"assistant","message":{"content":"Hello."}}"#);
    let Body::Assistant(message) = plain.body else { panic!("it is one") };
    assert_eq!(message.blocks, List::from([Block::Text(Text::new("Hello."))]));
}

#[test]
fn inputs_name_whom_they_are_about() {
    for (input, task_id, to) in [
        (r#"{"task_id":"t","shell_id":"s"}"#, Some("t"), None),
        (r#"{"bash_id":"b","shell_id":"s"}"#, Some("s"), None),
        (r#"{"bash_id":"b","agentId":"a"}"#, Some("b"), None),
        (r#"{"agentId":"a","task_id":7}"#, Some("a"), None),
        (r#"{"recipient":"r","to":"zed"}"#, None, Some("zed")),
        (r#"{"recipient":"r"}"#, None, Some("r")),
    ] {
        let line = format!(r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","input":{input}}}]}}}}"#);
        let Body::Assistant(message) = decoded(&line).body else { panic!("it is one") };
        let [Block::ToolUse(call)] = &message.blocks[..] else { panic!("it has one call") };
        assert_eq!((call.input.task_id.as_deref(), call.input.to.as_deref()), (task_id, to), "{input}");
        assert_eq!((&*call.id, &*call.name), ("", ""));
    }
}

#[test]
fn results_of_calls() {
    let structured = Structured {
        status: Some("completed".into()),
        agent_id: Some("ab1".into()),
        agent_type: Some("Explore".into()),
        content: List::from([Text::new("Nine lines.")]),
        usage: usage(2294, 2, 1657),
        model: Some("m-small".into()),
        ..Structured::default()
    };
    let report = ToolResult {
        tool_use_id: "toolu_A".into(),
        is_error: false,
        texts: List::from([Text::new("Nine lines."), Text::new("agentId: ab1 (for resuming)")]),
        structured: Some(Box::new(structured)),
        denial: None,
    };
    assert_eq!(body("user with a report"), Body::User(User { results: List::from([report]), ..User::default() }));
    let refusal = ToolResult {
        tool_use_id: "toolu_C".into(),
        is_error: true,
        texts: List::from([Text::new("The user doesn't want to proceed.")]),
        structured: Some(Box::new(Structured { text: Some("User rejected tool use".into()), ..Structured::default() })),
        denial: Some("user-rejected".into()),
    };
    assert_eq!(
        body("stored user with a refusal"),
        Body::User(User { results: List::from([refusal]), ..User::default() })
    );
    let Body::User(user) = body("user with two results") else { panic!("it is one") };
    assert_eq!(user.results.iter().map(|result| &*result.tool_use_id).collect::<Vec<_>>(), ["toolu_1", "toolu_2"]);
    assert_eq!(user.results[1].texts, List::from([Text::new("b")]));
    assert!(user.results.iter().all(|result| result.structured.is_none() && result.denial.is_none()));
}

#[test]
fn structured_results_in_all_shapes() {
    let structured = |field: &str| {
        let line = format!(
            r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t"}}]}},"toolUseResult":{field}}}"#
        );
        let Body::User(user) = decoded(&line).into_owned().body else { panic!("it is one") };
        user.results.into_iter().next().expect("it has one result").structured.map(|structured| *structured)
    };
    let none = Structured::default();
    for (field, expected) in [
        ("null", None),
        ("7", None),
        ("{}", Some(none.clone())),
        (r#"[{"type":"text","text":"a"},7]"#, Some(Structured { content: List::from(["a".into()]), ..none.clone() })),
        (r#"{"content":"a"}"#, Some(Structured { content: List::from(["a".into()]), ..none.clone() })),
        (r#"{"task_id":"s","taskId":"t"}"#, Some(Structured { task_id: Some("t".into()), ..none.clone() })),
        (
            r#"{"status":"async_launched","taskId":"w1","taskType":"local_workflow","runId":"wf_1","summary":"S"}"#,
            Some(Structured {
                status: Some("async_launched".into()),
                task_id: Some("w1".into()),
                task_type: Some("local_workflow".into()),
                workflow_run_id: Some("wf_1".into()),
                summary: Some("S".into()),
                ..none.clone()
            }),
        ),
        (
            r#"{"status":"teammate_spawned","teammate_id":"zed@t","agent_id":"zed@t","agent_type":"x","model":"m"}"#,
            Some(Structured {
                status: Some("teammate_spawned".into()),
                teammate_id: Some("zed@t".into()),
                teammate_agent_id: Some("zed@t".into()),
                agent_type: Some("x".into()),
                model: Some("m".into()),
                ..none.clone()
            }),
        ),
        (
            r#"{"success":false,"resumedAgentId":"a1","background":false,"detachedToolCall":true}"#,
            Some(Structured {
                unsuccessful: true,
                resumed_agent_id: Some("a1".into()),
                background: Some(false),
                detached_tool_call: true,
                ..none.clone()
            }),
        ),
    ] {
        assert_eq!(structured(field), expected, "{field}");
    }
    let read = structured(r#"{"retrieval_status":"timeout","task":{"task_id":"a1","status":"running","error":"e"}}"#);
    let read = read.expect("it is an object");
    assert_eq!(read.retrieval_status.as_deref(), Some("timeout"));
    assert_eq!(read.task.expect("it has one").error, Some(Text::new("e")));
}

#[test]
fn notices_in_every_place() {
    let Body::User(user) = body("user notice") else { panic!("it is one") };
    let text = user.texts[0].as_str();
    let block = &text["<system-reminder>\n".len()..text.len() - "\n</system-reminder>".len()];
    let said = TaskNotification {
        task_id: "ab1".into(),
        run_id: Some("r1".into()),
        tool_use_id: Some("toolu_A".into()),
        status: Some("completed".into()),
        summary: Some("Agent \"Count lines\" finished".into()),
        result: Some("Nine <lines>.".into()),
        usage: usage(20044, 3, 18166),
        ..TaskNotification::default()
    };
    let notice = Notice { digest: digest(block.as_bytes()), said };
    assert_eq!(user.notices, Notices { place: NoticePlace::Turn, blocks: vec![notice] });

    for (name, place, status, run_id) in [
        ("queue operation", NoticePlace::Enqueue, "killed", None),
        ("attachment", NoticePlace::Attachment, "failed", Some("r7")),
    ] {
        let Body::Notices(notices) = body(name) else { panic!("{name} has one") };
        assert_eq!((notices.place, notices.blocks.len()), (place, 1), "{name}");
        let said = &notices.blocks[0].said;
        assert_eq!((said.status.as_deref(), said.run_id.as_deref()), (Some(status), run_id), "{name}");
    }
    assert_eq!(body("dequeue"), Body::Quiet);
}

#[test]
fn a_notice_counts_by_what_its_line_states() {
    let block = "<task-notification><task-id>ab1</task-id></task-notification>";
    let of_user = |text: &str, rest: &str| {
        let line = format!(r#"{{"type":"user","message":{{"content":"{text}"}}{rest}}}"#);
        let Body::User(user) = decoded(&line).body else { panic!("it is one") };
        user.notices.blocks.len()
    };
    assert_eq!(of_user(block, ""), 1);
    assert_eq!(of_user(block, r#","origin":null"#), 1);
    assert_eq!(of_user(&format!("Look: {block}"), ""), 0);
    assert_eq!(of_user(&format!("Look: {block}"), r#","origin":{"kind":"task-notification"}"#), 1);
    assert_eq!(of_user(block, r#","origin":{"kind":"human"}"#), 0);
    assert_eq!(of_user(block, r#","origin":{}"#), 0);

    let of_attachment = |text: &str, rest: &str| {
        let line = format!(r#"{{"type":"attachment","attachment":{{"type":"queued_command","prompt":{text}{rest}}}}}"#);
        if let Body::Notices(notices) = decoded(&line).body { notices.blocks.len() } else { 0 }
    };
    let (opens, quotes) = (format!("\"{block}\""), format!("\"Look: {block}\""));
    assert_eq!(of_attachment(&opens, ""), 1);
    assert_eq!(of_attachment(&format!(r#"[{{"type":"text","text":{opens}}}]"#), ""), 1);
    assert_eq!(of_attachment(&quotes, ""), 0);
    assert_eq!(of_attachment(&quotes, r#","commandMode":"task-notification""#), 1);
    assert_eq!(of_attachment(&opens, r#","commandMode":"prompt""#), 0);
    assert_eq!(of_attachment(&opens, r#","origin":{"kind":"human"},"commandMode":"task-notification""#), 0);

    let results = format!(r#"[{{"type":"tool_result","tool_use_id":"t","content":"{block}"}}]"#);
    let line = format!(r#"{{"type":"user","message":{{"content":{results}}}}}"#);
    let Body::User(user) = decoded(&line).body else { panic!("it is one") };
    assert!(user.notices.blocks.is_empty(), "a block in a result is quoted");
}

#[test]
fn a_run_id_is_of_one_block() {
    let block = "<task-notification><task-id>ab1</task-id></task-notification>";
    let line = format!(
        r#"{{"type":"user","message":{{"content":"{block}{block}"}},"origin":{{"kind":"task-notification","runId":"r1"}}}}"#
    );
    let Body::User(user) = decoded(&line).body else { panic!("it is one") };
    assert_eq!(user.notices.blocks.iter().map(|notice| &notice.said.run_id).collect::<Vec<_>>(), [&None, &None]);
}

#[test]
fn hand_backs() {
    let Body::User(user) = body("user hand-back") else { panic!("it is one") };
    let report = Text::new("\nNine lines.\n  deep\n");
    assert_eq!(user.handback, Some(Handback { task_id: "ab1".into(), report }));
    assert!(user.meta && !user.compact_summary);
    let whole = line("user hand-back");
    let handback = |line: &str| {
        let Body::User(user) = decoded(line).into_owned().body else { panic!("it is one") };
        user.handback.map(|handback| handback.task_id)
    };
    assert_eq!(handback(&whole.replace(r#""senderTaskId":"ab1","#, "")).as_deref(), Some("counter"));
    let by_text = whole.replace(r#""from":"counter","senderTaskId":"ab1","#, "");
    assert_eq!(handback(&by_text).as_deref(), Some("counter"));
    assert_eq!(handback(&whole.replace(r#""handback":true"#, r#""handback":false"#)), None);
    assert_eq!(handback(&whole.replace(r#""peer""#, r#""human""#)), None);
    assert_eq!(handback(&whole.replace("[Subagent", "said [Subagent")), None);
}

#[test]
fn the_roster_of_a_live_run() {
    assert_eq!(
        body("task_started"),
        Body::TaskStarted(TaskStarted {
            task_id: "ab1".into(),
            run_id: Some("r1".into()),
            tool_use_id: Some("toolu_A".into()),
            description: Some("Count lines".into()),
            subagent_type: Some("Explore".into()),
            is_backgrounded: Some(false),
            spawn_depth: Some(1),
            parent_task_id: Some("aa0".into()),
            task_type: Some("local_agent".into()),
            hidden: true,
            owned_by_subagent: true,
        })
    );
    let member = WorkflowAgent {
        agent_id: Some("af1".into()),
        index: Some(1),
        label: Some("look:src".into()),
        agent_type: Some("workflow-subagent".into()),
        state: Some("progress".into()),
        ended_with_run: Some("stopped".into()),
        usage: usage(1486, 3, 20),
        model: Some("m".into()),
        started_at_ms: Some(1_796_081_117_742),
    };
    assert_eq!(
        body("task_progress"),
        Body::TaskProgress(TaskProgress {
            task_id: "ab1".into(),
            run_id: Some("r1".into()),
            tool_use_id: Some("toolu_A".into()),
            description: Some("Reading a.rs".into()),
            summary: Some("Half way.".into()),
            subagent_type: Some("Explore".into()),
            usage: usage(458, 1, 837),
            last_tool_name: Some("Read".into()),
            workflow: vec![member],
            hidden: false,
        })
    );
}

#[test]
fn the_roster_of_a_run_that_ends() {
    assert_eq!(
        body("task_updated"),
        Body::TaskUpdated(TaskUpdated {
            task_id: "ab1".into(),
            run_id: Some("r1".into()),
            status: Some("failed".into()),
            description: Some("Count all".into()),
            end_time_ms: Some(1_790_295_641_558),
            error: Some("no \"hammer\"".into()),
            is_backgrounded: Some(true),
        })
    );
    assert_eq!(
        body("task_notification"),
        Body::TaskNotification(TaskNotification {
            task_id: "ab1".into(),
            run_id: Some("r1".into()),
            tool_use_id: Some("toolu_A".into()),
            task_type: Some("local_agent".into()),
            status: Some("completed".into()),
            summary: Some("Nine lines.".into()),
            summary_is_report: true,
            handback_report: Some("Nine.".into()),
            result: Some("Nine lines!".into()),
            usage: usage(1, 2, 3),
            end_time_ms: Some(1_790_295_641_559),
            workflow: vec![],
            hidden: true,
        })
    );
}

#[test]
fn the_level() {
    let row = BackgroundTask {
        task_id: "ab1".into(),
        run_id: Some("r1".into()),
        tool_use_id: Some("toolu_A".into()),
        task_type: Some("local_agent".into()),
        subagent_type: Some("Explore".into()),
        description: Some("Count lines".into()),
        parent_task_id: Some("aa0".into()),
        hidden: true,
    };
    let unreadable = BackgroundTask::default();
    assert_eq!(body("background_tasks_changed"), Body::BackgroundTasks(vec![row, unreadable.clone(), unreadable]));
    let level = |tasks: &str| {
        decoded(&format!(r#"{{"type":"system","subtype":"background_tasks_changed"{tasks}}}"#)).into_owned().body
    };
    assert_eq!(level(r#","tasks":[]"#), Body::BackgroundTasks(vec![]));
    for silent in ["", r#","tasks":null"#, r#","tasks":{"task_id":"ab1"}"#] {
        assert_eq!(level(silent), Body::Quiet, "no list is not an empty list: {silent}");
    }
}

#[test]
fn permissions() {
    assert_eq!(
        body("permission_denied"),
        Body::PermissionDenied(PermissionDenied { tool_use_id: Some("toolu_C".into()), agent_id: Some("ab1".into()) })
    );
    assert_eq!(
        body("can_use_tool"),
        Body::PermissionRequest(PermissionRequest {
            request_id: "req-1".into(),
            tool_name: Some("Bash".into()),
            display_name: Some("Shell".into()),
            title: Some("Run ls?".into()),
            tool_use_id: Some("toolu_C".into()),
            agent_id: Some("ab1".into()),
        })
    );
    assert_eq!(body("other control_request"), Body::Quiet);
    assert_eq!(body("control_response"), Body::PermissionSettled { request_id: "req-1".into() });
    assert_eq!(body("control_cancel_request"), Body::PermissionSettled { request_id: "req-2".into() });
}

#[test]
fn turns_and_tools() {
    let stats = SubagentStats {
        spawned: 5,
        started_in_background: 1,
        spawned_by_subagents: 1,
        max_depth: 2,
        completed: 2,
        failed: 1,
        killed: 2,
        refused: 3,
    };
    assert_eq!(body("init"), Body::Init);
    assert_eq!(body("result"), Body::Result(TurnResult { is_error: true, stats: Some(stats) }));
    assert_eq!(
        body("tool_progress with a retry"),
        Body::ToolProgress(ToolProgress {
            tool_use_id: Some("agent_msg_1".into()),
            task_id: Some("ab1".into()),
            retry: Some(Retry { attempt: Some(1), max_retries: Some(2), error_status: Some(500) }),
        })
    );
}

#[test]
fn agent_progress_is_the_message_it_carries() {
    let Body::Assistant(message) = body("agent progress") else { panic!("it is one") };
    let [Block::ToolUse(call)] = &message.blocks[..] else { panic!("it has one call") };
    assert_eq!(
        (&*call.id, call.input.pattern.as_deref(), call.input.path.as_deref()),
        ("toolu_D", Some("fn"), Some("src"))
    );

    let Body::Assistant(message) = body("old agent progress") else { panic!("it is one") };
    assert_eq!(message.model.as_deref(), Some("m"));
    let [Block::ToolUse(call), Block::ToolResult(result)] = &message.blocks[..] else { panic!("it has both") };
    assert_eq!((&*call.id, &*result.tool_use_id), ("toolu_E", "toolu_E"));

    let carried = |message: &str| {
        let line = format!(r#"{{"type":"progress","data":{{"type":"agent_progress","agentId":"a1"{message}}}}}"#);
        Frame::decode(line.as_bytes()).map(|frame| frame.into_owned().body)
    };
    let user = carried(r#","normalizedMessages":[{"type":"user","message":{"content":"Count."}},{"type":"system"}]"#);
    assert_eq!(
        user.expect("it is a frame"),
        Body::User(User { texts: List::from(["Count.".into()]), ..User::default() })
    );
    let results = r#"[{"type":"tool_result","tool_use_id":"t","content":"x"}]"#;
    let with_field = format!(
        r#","message":{{"type":"user","message":{{"content":{results}}},"toolUseResult":{{"status":"completed"}}}}"#
    );
    let Body::User(user) = carried(&with_field).expect("it is a frame") else { panic!("it is one") };
    assert!(user.results[0].structured.is_some());
    assert_eq!(carried(r#","message":{"type":"system","message":{}}"#).expect("it is a frame"), Body::Quiet);
    for broken in ["", r#","message":7"#, r#","normalizedMessages":[]"#, r#","message":{"type":"user"}"#] {
        let error = carried(broken).expect_err("it carries nothing");
        assert_eq!(error.kind(), FrameErrorKind::Malformed, "{broken}");
        assert!(error.to_string().starts_with("`progress` without a readable `data.message"), "{error}");
    }
}

#[test]
fn sidecars() {
    let sidecar = Sidecar {
        agent_id: Some("ab1".into()),
        tool_use_id: Some("toolu_A".into()),
        parent_agent_id: Some("aa0".into()),
        agent_type: Some("Explore".into()),
        description: Some("Count lines".into()),
        name: Some("counter".into()),
        model: Some("m".into()),
        spawn_depth: Some(2),
        is_fork: true,
        in_workflow: true,
        task_kind: Some("x".into()),
        role: SidecarRole::Link,
    };
    assert_eq!(body("agent metadata"), Body::Sidecar(sidecar.clone()));
    assert_eq!(Sidecar::decode(line("agent metadata").as_bytes()).expect("it is one"), sidecar);
    let of_file = |file: &'static str| Sidecar::decode(file.as_bytes()).expect("it is one");
    let pretty = "{\n  \"agentType\": \"fork\",\n  \"model\": \"inherit\",\n  \"inWorkflowRun\": \"wf_1\",\n  \"description\": \"\\ud83d\"\n}\n";
    let expected = Sidecar {
        agent_type: Some("fork".into()),
        in_workflow: true,
        description: Some("\u{fffd}".into()),
        ..Sidecar::default()
    };
    assert_eq!(of_file(pretty), expected);
    assert_eq!(of_file("{}").into_owned(), Sidecar::default());
    assert_eq!(
        of_file(r#"{"workflowPhase":null,"inWorkflowRun":false,"spawnDepth":"2","toolUseId":7}"#),
        Sidecar::default()
    );
    for (file, kind) in [
        ("[]", FrameErrorKind::NotAnObject),
        ("", FrameErrorKind::NotJson),
        ("{", FrameErrorKind::NotJson),
        ("{}{}", FrameErrorKind::NotJson),
    ] {
        assert_eq!(Sidecar::decode(file.as_bytes()).expect_err("it is none").kind(), kind, "{file}");
    }
}

#[test]
fn known_words_are_quiet_and_unknown_ones_are_kept() {
    for name in
        ["stream_event", "bookkeeping", "hook progress", "result of a workflow's journal", "other control_request"]
    {
        assert_eq!(body(name), Body::Quiet, "{name}");
    }
    for word in ["started", "launched", "last-prompt", "file-history-snapshot", "keep_alive", "rate_limit_event"] {
        assert_eq!(decoded(&format!(r#"{{"type":"{word}","key":"v2:1"}}"#)).body, Body::Quiet, "{word}");
    }
    for word in ["compact_boundary", "hook_response", "session_state_changed", "turn_duration", "informational"] {
        assert_eq!(decoded(&format!(r#"{{"type":"system","subtype":"{word}"}}"#)).body, Body::Quiet, "{word}");
    }
    assert_eq!(decoded(r#"{"type":"system","content":"a note of an old client"}"#).body, Body::Quiet);
    assert_eq!(body("unknown type"), Body::Unknown { kind: "moon-phase".into() });
    assert_eq!(body("unknown subtype"), Body::Unknown { kind: "system/moon_phase".into() });
    assert_eq!(decoded(r#"{"type":""}"#).body, Body::Unknown { kind: "".into() });
}
