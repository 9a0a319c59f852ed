//! R12 and R13: what comes as a user turn, and the blocks of task notifications.

use cardfold_testkit::script::{Session, card, cards, reads, row, row_reading, usage};

const ENDED: &str = "settled completed (roster)";
const LIVE: &str = "running (roster)";
const UNDRAWN: &str = "not drawn: running (dispatch)";

#[test]
fn r12_a_hand_back_turn_is_a_report_of_its_task() {
    let card = card("D a, ACK a task=t, HBT t \"Three\\nfiles.\"", "a");
    assert_eq!(reads("D a, ACK a task=t, HBT t", "a"), "settled completed (report)");
    assert_eq!(card.report.expect("the turn holds a report").text, "Three\nfiles.");
}

#[test]
fn r12_the_task_is_the_senders_id_else_from() {
    assert_eq!(reads("D a, ACK a task=t, HBT t from=reviewer", "a"), "settled completed (report)");
    assert_eq!(reads("D a, ACK a task=t, HBT t nosender", "a"), "settled completed (report)");
    assert_eq!(reads("D a, ACK a task=t, HBT q from=t", "a"), UNDRAWN, "the sender's id comes first");
}

#[test]
fn r12_a_hand_back_turn_does_not_undo_the_acknowledgement() {
    assert!(card("D a, ACK a task=t, HBT t", "a").backgrounded);
    assert!(!card("D a, HB a", "a").backgrounded);
}

#[test]
fn r12_the_marker_quoted_inside_ordinary_text_is_no_hand_back() {
    let text = r#""<agent-message from=\"t\">\n[Subagent hand-back] The text below …\n  Three.\n</agent-message>""#;
    for turn in [
        format!("USER - {text}"),
        format!("USER - {text} origin=human"),
        format!("USER - {text} origin=peer"),
        "USER - \"They say [Subagent hand-back] at the top.\"".to_owned(),
    ] {
        assert_eq!(reads(&format!("D a, ACK a task=t, {turn}"), "a"), UNDRAWN, "{turn}");
    }
}

#[test]
fn r12_an_interrupt_marker_of_an_agent_ends_the_run_as_stopped() {
    for marker in ["INT a", "INT a tool"] {
        assert_eq!(reads(&format!("D a, TS t→a, {marker}"), "a"), "settled stopped (error)", "{marker}");
        assert_eq!(reads(&format!("D a, ACK a, {marker}"), "a"), "settled stopped (error)", "{marker}");
    }
}

#[test]
fn r12_the_text_must_be_exactly_a_marker() {
    for text in ["Oh: [Request interrupted by user]", "[Request interrupted by user] again", "[Request interrupted]"] {
        assert_eq!(reads(&format!("D a, TS t→a, USER a \"{text}\""), "a"), LIVE, "{text}");
    }
}

#[test]
fn r12_a_marker_of_the_main_thread_ends_no_agent() {
    assert_eq!(reads("D a, TS t→a, INT -", "a"), LIVE);
}

#[test]
fn r12_a_later_assistant_frame_of_the_agent_withdraws_the_marker() {
    assert_eq!(reads("D a, TS t→a, INT a, SAY a \"Still here.\"", "a"), LIVE);
    assert_eq!(reads("D a, TS t→a, INT a, C x<a", "a"), LIVE);
    assert_eq!(reads("D a, TS t→a, INT a, USER a \"Go on.\"", "a"), "settled stopped (error)", "no assistant frame");
    assert_eq!(reads("D a, D b, TS t→a, INT a, SAY b \"Hello.\"", "a"), "settled stopped (error)", "not of it");
    let broken_off = reads("D a, TS t→a, INT a, SAY a \"Half a th\" aborted", "a");
    assert_eq!(broken_off, "settled stopped (error)", "what an interrupt leaves behind is no sign of life");
}

#[test]
fn r12_a_marker_ranks_below_roster_and_answer_and_above_the_level() {
    assert_eq!(reads("D a, TS t→a, INT a, TU t completed", "a"), ENDED);
    assert_eq!(reads("D a, TS t→a, TU t completed, INT a", "a"), ENDED);
    assert_eq!(reads("D a, TS t→a, INT a, HB a", "a"), "settled completed (report)");
    assert_eq!(reads("D a, TS t→a, HB a, INT a", "a"), "settled completed (report)");
    assert_eq!(reads("D a, TS t→a, BTC t, INT a, BTC", "a"), "settled stopped (error)");
    assert_eq!(reads("D a, TS t→a, BTC t, BTC, INT a", "a"), "settled stopped (error)");
}

#[test]
fn r12_a_marker_of_a_nested_agent_stops_its_row_only() {
    let session = Session::of("D a, TS t→a, A in<a, TS u→in, INT in");
    assert_eq!(session.reads("a"), LIVE);
    assert_eq!(row_reading(&row(&session.card("a"), "in")), "settled stopped");
}

#[test]
fn r13_a_block_in_a_turn_a_queue_operation_or_an_attachment_is_a_notification() {
    for place in ["NT", "NQ", "NA"] {
        for (word, outcome) in [("completed", "completed"), ("failed", "failed"), ("killed", "stopped")] {
            let script = format!("D a, ACK a task=t, {place} t→a {word}");
            assert_eq!(reads(&script, "a"), format!("settled {outcome} (roster)"), "{script}");
        }
    }
}

#[test]
fn r13_a_block_says_what_the_frame_would_say() {
    let card = card("D a, ACK a task=t, NQ t→a completed result=\"Three.\" tokens=5 uses=2 ms=7 at=40", "a");
    assert_eq!(card.report.expect("the block has a result").text, "Three.");
    assert_eq!(usage(card.usage), "5/2/7");
    assert_eq!(card.ended_at_ms, Some(40));
}

#[test]
fn r13_only_what_is_enqueued_counts() {
    for operation in ["dequeue", "remove", "popAll"] {
        assert_eq!(reads(&format!("D a, ACK a task=t, NQ t→a failed op={operation}"), "a"), UNDRAWN, "{operation}");
    }
}

#[test]
fn r13_a_stated_origin_or_mode_must_be_task_notification() {
    for origin in ["human", "peer", "channel", "unclassified"] {
        assert_eq!(reads(&format!("D a, ACK a task=t, NT t→a failed origin={origin}"), "a"), UNDRAWN, "{origin}");
    }
    assert_eq!(reads("D a, ACK a task=t, NA t→a failed mode=prompt", "a"), UNDRAWN);
    assert_eq!(reads("D a, ACK a task=t, NA t→a failed mode=none", "a"), "settled failed (roster)");
}

const BLOCK: &str = "<task-notification>\\n<task-id>t</task-id>\\n<status>failed</status>\\n</task-notification>";

#[test]
fn r13_without_an_origin_the_block_must_open_the_text() {
    assert_eq!(reads("D a, ACK a task=t, NT t→a failed origin=none", "a"), "settled failed (roster)");
    assert_eq!(
        reads(&format!("D a, ACK a task=t, USER - \"{BLOCK}\\nRead the output file.\""), "a"),
        "settled failed (roster)"
    );
    assert_eq!(reads(&format!("D a, ACK a task=t, USER - \"Look: {BLOCK}\""), "a"), UNDRAWN);
}

#[test]
fn r13_one_text_may_hold_several_blocks() {
    let other = BLOCK.replace("<task-id>t<", "<task-id>u<").replace("failed", "completed");
    let session = Session::of(&format!("D a, ACK a task=t, D b, ACK b task=u, USER - \"{BLOCK}\\n{other}\""));
    assert_eq!(session.reads("a"), "settled failed (roster)");
    assert_eq!(session.reads("b"), ENDED);
}

#[test]
fn r13_a_block_quoted_in_a_result_or_in_prose_is_none() {
    assert_eq!(reads(&format!("D a, TS t→a, C x<a, R x \"{BLOCK}\""), "a"), LIVE);
    assert_eq!(reads(&format!("D a, TS t→a, C m, R m \"{BLOCK}\""), "a"), LIVE);
    assert_eq!(reads(&format!("D a, TS t→a, SAY - \"{BLOCK}\""), "a"), LIVE);
    assert_eq!(reads(&format!("D a, TS t→a, SAY a \"{BLOCK}\""), "a"), LIVE);
}

#[test]
fn r13_a_block_without_a_status_ends_nothing() {
    assert_eq!(reads("D a, TS t→a, NT t→a summary=\"Monitor event\"", "a"), LIVE);
    assert_eq!(reads("D a, TS t→a, NQ t→a", "a"), LIVE);
}

#[test]
fn r13_a_block_of_a_task_that_is_no_agent_makes_no_card() {
    assert_eq!(cards("NT b123 completed, NQ b124→m completed, C m, NA __orphan_summary stopped"), []);
}

#[test]
fn r13_a_later_line_with_the_same_block_is_its_copy() {
    let mut session = Session::of("D a, ACK a task=t, NQ t→a completed at=20");
    for copy in ["NT t→a completed at=21", "NA t→a completed at=22", "NQ t→a completed at=23"] {
        assert_eq!(session.last(copy), "", "{copy}");
    }
    assert_eq!(session.card("a").ended_at_ms, Some(20));
}

#[test]
fn r13_a_copy_changes_nothing_after_a_resume_either() {
    let script = "D a, ACK a task=t, NQ t→a completed, SM s to=t, SMR s resumed=t";
    for copy in ["NT t→a completed", "NA t→a completed"] {
        assert_eq!(reads(&format!("{script}, {copy}"), "a"), LIVE, "{copy}");
    }
}

#[test]
fn r13_what_is_enqueued_in_another_run_counts_again() {
    let mut session = Session::of("D a, ACK a task=t, NQ t→a completed, NT t→a completed, SM s to=t, SMR s resumed=t");
    session.play("NQ t→a completed");
    assert_eq!((session.reads("a").as_str(), session.card("a").runs), (ENDED, 2));
    session.play("SM s2 to=t, SMR s2 resumed=t, NT t→a completed");
    assert_eq!(session.reads("a"), LIVE, "the turn is a copy of what was enqueued in the second run");
}

#[test]
fn r13_what_is_enqueued_after_another_dispatch_named_the_task_counts_again() {
    let script = "D a, ACK a task=t, NQ t completed at=20, NT t completed at=21, D b, ACK b task=t";
    let mut session = Session::of(script);
    session.play("NT t completed at=39");
    assert_eq!(session.reads("b"), UNDRAWN, "a turn is only a copy");
    session.play("NQ t completed at=40");
    assert_eq!(session.reads("b"), ENDED);
    assert_eq!((session.card("a").ended_at_ms, session.card("b").ended_at_ms), (Some(20), Some(40)));
}

#[test]
fn r13_one_id_of_a_block_is_enough() {
    assert_eq!(reads("D a, ACK a, NT _→a failed", "a"), "settled failed (roster)");
    assert_eq!(reads("D a, ACK a task=t, NT t failed", "a"), "settled failed (roster)");
}

#[test]
fn r13_a_redacted_id_leaves_the_other_to_link_by() {
    let turn = |task: &str, call: &str, word: &str| {
        let tags = format!("<task-id>{task}</task-id>\\n<tool-use-id>{call}</tool-use-id>\\n<status>{word}</status>");
        format!("USER - \"<task-notification>\\n{tags}\\n</task-notification>\" origin=task-notification")
    };
    let hidden = "[REDACTED]";
    let by_task = [turn("t", hidden, "completed"), turn("u", hidden, "failed")];
    let by_call = [turn(hidden, "a", "completed"), turn(hidden, "b", "failed")];
    for notices in [by_task, by_call] {
        let session = Session::of(&format!("D a, ACK a task=t, D b, ACK b task=u, {}", notices.join(", ")));
        assert_eq!(session.reads("a"), ENDED, "{notices:?}");
        assert_eq!(session.reads("b"), "settled failed (roster)", "{notices:?}");
        assert_eq!(session.card("a").task_id.as_deref(), Some("t"), "{notices:?}");
    }
}

#[test]
fn r13_a_read_that_states_an_ended_status_is_a_notice() {
    for (form, tool) in [("", "TaskOutput"), ("", "AgentOutputTool"), (" text", "TaskOutput"), (" tags", "TaskOutput")]
    {
        let read =
            |rest: &str| reads(&format!("D a, ACK a task=t, TO o task=t tool={tool}, TOR o task=t {rest}{form}"), "a");
        assert_eq!(read("status=completed"), ENDED, "{tool}{form}");
        assert_eq!(read("status=failed"), "settled failed (roster)", "{tool}{form}");
        assert_eq!(read("status=killed"), "settled stopped (roster)", "{tool}{form}");
    }
}

#[test]
fn r13_not_ready_and_timeout_are_about_the_read() {
    for read in ["not_ready", "timeout"] {
        let script = format!("D a, ACK a task=t, TS t→a, TO o task=t, TOR o task=t status=running read={read}");
        assert_eq!(reads(&script, "a"), LIVE, "{read}");
    }
    assert_eq!(reads("D a, ACK a task=t, TS t→a, TO o task=t, TOR o task=t", "a"), LIVE, "no status, no ending");
}

#[test]
fn r13_a_stop_without_error_ends_the_run_as_stopped() {
    for tool in ["TaskStop", "KillShell", "KillBash"] {
        let script = format!("D a, ACK a task=t, STOP o task=t tool={tool}, STOPR o task=t");
        assert_eq!(reads(&script, "a"), "settled stopped (roster)", "{tool}");
    }
    assert_eq!(reads("D a, TS t→a, STOP o task=t, STOPR o! task=t", "a"), LIVE, "an error stops nobody");
    assert_eq!(reads("D a, TS t→a, STOP o task=q, STOPR o task=q", "a"), LIVE, "another task");
}

#[test]
fn r13_a_completed_notice_after_a_stop_changes_nothing() {
    let stopped = "D a, TS t→a, STOP o task=t, STOPR o task=t";
    for late in ["TN t→a completed", "NQ t→a completed", "NT t→a completed"] {
        assert_eq!(reads(&format!("{stopped}, {late}"), "a"), "settled stopped (roster)", "{late}");
    }
    assert_eq!(reads(&format!("{stopped}, TN t→a failed"), "a"), "settled failed (roster)", "only `completed`");
    let resumed = format!("{stopped}, SM s to=t, SMR s resumed=t, TN t→s completed");
    assert_eq!(reads(&resumed, "a"), ENDED, "only of that run");
}

#[test]
fn r12_a_hand_back_turn_of_a_nested_agent_ends_its_row() {
    let card = card("D a, TS t→a, A in<a, ACK in task=u, HBT u \"Three.\"", "a");
    assert_eq!(row_reading(&row(&card, "in")), "settled completed");
    assert_eq!((card.running, card.report), (true, None));
}

#[test]
fn r13_a_notice_of_a_nested_agent_ends_its_row() {
    let card = card("D a, TS t→a, A in<a, ACK in task=u, NT u→in failed", "a");
    assert_eq!(row_reading(&row(&card, "in")), "settled failed");
    assert!(card.running);
}

#[test]
fn r13_a_block_before_its_dispatch_waits_and_its_copy_is_still_a_copy() {
    let mut session = Session::of("NQ t→a failed at=5, D a");
    assert_eq!(session.reads("a"), "settled failed (roster)");
    assert_eq!(session.last("NT t→a failed at=6"), "");
}
