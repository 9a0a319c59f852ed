//! What the contract says of frames that never count, of messages cut short, and of messages taken back.

use cardfold_testkit::script::{Session, card, counts, lines, reads, tail};

#[test]
fn stream_events_and_hook_frames_never_count() {
    let quiet = [
        r#"{"type":"stream_event","parent_tool_use_id":"a","event":{"type":"content_block_start","content_block":{"type":"tool_use","id":"x","name":"Bash"}}}"#,
        r#"{"type":"system","subtype":"hook_started","hook_id":"h","hook_name":"n","hook_event":"PreToolUse"}"#,
        r#"{"type":"system","subtype":"hook_response","hook_id":"h","hook_event":"SubagentStop","agent_id":"t","outcome":"success"}"#,
        r#"{"type":"tool_progress","tool_use_id":"hook-PreToolUse-x-heartbeat-1","parent_tool_use_id":"x","tool_name":"PreToolUse"}"#,
        r#"{"type":"system","subtype":"init","tools":["Task"]}"#,
        r#"{"type":"result","subtype":"success","is_error":false}"#,
        r#"{"type":"shiny_new","parent_tool_use_id":"a"}"#,
    ];
    for line in quiet {
        let mut session = Session::of("D a, TS t→a, D b, ACK b");
        assert_eq!(session.last(&format!("RAW {line}")), "", "{line}");
        assert_eq!(session.drawn(), "a", "{line}");
    }
}

#[test]
fn an_aborted_frame_opens_no_call() {
    let session = Session::of("D a, C x<a aborted, A in<a aborted, D b aborted");
    assert_eq!((session.drawn().as_str(), session.card("a").calls), ("a", 0));
    assert_eq!(session.card("a").nested, []);
}

#[test]
fn supersedes_takes_back_calls_that_have_no_result() {
    let card = card("D a, C x<a uuid=k, C y<a uuid=l, C z<a, R y, SAY a \"Again.\" supersedes=[\"k\",\"l\"]", "a");
    assert_eq!(tail(&card), "y completed, z pending");
    assert_eq!(counts(&card), "2 calls, 1 open, 0 failed");
}

#[test]
fn supersedes_takes_back_dispatches_that_have_no_answer() {
    let mut session = Session::of("D a uuid=k, D b uuid=l, HB b");
    assert_eq!(session.last("SAY - \"Again.\" supersedes=[\"k\",\"l\"]"), "removed a");
    assert_eq!((session.drawn().as_str(), session.reads("a").as_str()), ("b", "no card"));
}

#[test]
fn supersedes_takes_back_nested_dispatches() {
    let card = card("D a, A in<a uuid=k, SAY a \"Again.\" supersedes=[\"k\"]", "a");
    assert_eq!((card.calls, card.nested.len()), (0, 0));
}

#[test]
fn supersedes_takes_back_nothing_else() {
    let script =
        "D a, TS t→a, C x<a, R x uuid=k, TU t failed uuid=l, SAY - \"Again.\" supersedes=[\"k\",\"l\",\"nobody\"]";
    assert_eq!(reads(script, "a"), "settled failed (roster)");
    assert_eq!(tail(&card(script, "a")), "x completed");
}

#[test]
fn a_frame_that_supersedes_counts_itself() {
    let card = card("D a, C x<a uuid=k, C y<a supersedes=[\"k\"]", "a");
    assert_eq!(tail(&card), "y pending");
}

#[test]
fn the_end_of_a_turn_ends_no_agent() {
    let script = "D a, TS t→a bg=true, ACK a, RAW {\"type\":\"result\",\"subtype\":\"error_during_execution\",\"is_error\":true}";
    assert_eq!(reads(script, "a"), "running (roster)");
}

#[test]
fn a_frame_that_comes_from_nobody_known_opens_nothing() {
    let sidechain = "D x +isSidechain=true";
    assert_eq!(Session::of(sidechain).drawn(), "", "a side chain is no main thread");
}

#[test]
fn scripts_are_real_lines() {
    for line in lines("D a, TS t→a, C x<a, R x, TU t completed 9, TN t→a completed, HB a") {
        let value: serde_json::Value = serde_json::from_str(&line).expect("a line is JSON");
        assert!(value["uuid"].is_string() && value["session_id"].is_string() && value["type"].is_string(), "{line}");
    }
}
