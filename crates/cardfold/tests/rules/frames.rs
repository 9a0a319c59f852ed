//! What the contract says of frames that never count, of messages cut short, and of messages taken back.

use cardfold::Frame;
use cardfold_testkit::script::{Session, card, counts, lines, reading, reads, tail};

const UNDRAWN: &str = "not drawn: running (dispatch)";

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
fn supersedes_takes_back_what_waits_for_its_parent() {
    for script in [
        "C x<a uuid=k, SAY - \"Again.\" supersedes=[\"k\"], D a",
        "A in<a uuid=k, SAY - \"Again.\" supersedes=[\"k\"], D a",
        "A in<a uuid=k, C x<in uuid=l, SAY - \"Again.\" supersedes=[\"k\",\"l\"], TP t→a, D a",
    ] {
        let card = card(script, "a");
        assert_eq!((counts(&card).as_str(), card.nested.len()), ("0 calls, 0 open, 0 failed", 0), "{script}");
    }
}

#[test]
fn supersedes_takes_back_a_nested_dispatch_whose_agent_has_ended() {
    let card = card("D a, A in<a uuid=k, TN u→in killed, SAY a \"Again.\" supersedes=[\"k\"]", "a");
    assert_eq!((counts(&card).as_str(), card.nested.len()), ("0 calls, 0 open, 0 failed", 0));
}

#[test]
fn supersedes_leaves_the_calls_that_were_made_under_what_it_takes_back() {
    let taken = "D a, A in<a uuid=k, C x<in, SAY a \"Again.\" supersedes=[\"k\"]";
    assert_eq!(card(&format!("{taken}, A in<a"), "a").calls, 2, "it waited for its parent");
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
    let script = "D a, TS t→a bg=true, ACK a, \
        RAW {\"type\":\"result\",\"subtype\":\"error_during_execution\",\"is_error\":true}";
    assert_eq!(reads(script, "a"), "running (roster)");
}

#[test]
fn a_frame_that_comes_from_nobody_known_opens_nothing() {
    let sidechain = "D x +isSidechain=true";
    assert_eq!(Session::of(sidechain).drawn(), "", "a side chain is no main thread");
}

#[test]
fn a_side_chain_that_names_nobody_gives_nobody_a_call() {
    let session = Session::of("D a, C x +isSidechain=true, R x +isSidechain=true, INT - +isSidechain=true");
    assert_eq!((session.reads("a").as_str(), session.card("a").calls), ("running (dispatch)", 0));
}

#[test]
fn a_message_of_several_blocks_counts_each() {
    let block =
        |id: &str, tool: &str| format!("{{\"type\":\"tool_use\",\"id\":\"{id}\",\"name\":\"{tool}\",\"input\":{{}}}}");
    let message = |parent: &str, blocks: &[String]| {
        let content = blocks.join(",");
        format!(
            "RAW {{\"type\":\"assistant\",\"parent_tool_use_id\":{parent},\"message\":{{\"content\":[{content}]}}}}"
        )
    };
    let text = "{\"type\":\"text\",\"text\":\"Two of them.\"}".to_owned();
    let mut session = Session::new();
    let dispatches = message("null", &[text.clone(), block("a", "Agent"), block("b", "Task")]);
    assert_eq!(session.last(&dispatches), "opened a, opened b");
    session.play(&message("\"a\"", &[block("x", "Read"), text, block("y", "Read")]));
    let result = |id: &str| format!("{{\"type\":\"tool_result\",\"tool_use_id\":\"{id}\",\"content\":\"ok\"}}");
    session.play(&format!(
        "RAW {{\"type\":\"user\",\"parent_tool_use_id\":\"a\",\"message\":{{\"role\":\"user\",\"content\":[{},{}]}}}}",
        result("x"),
        result("y"),
    ));
    assert_eq!(tail(&session.card("a")), "x completed, y completed");
}

#[test]
fn one_structured_field_beside_several_results_belongs_to_none_of_them() {
    let result = |id: &str| format!("{{\"type\":\"tool_result\",\"tool_use_id\":\"{id}\",\"content\":\"ok\"}}");
    let frame = format!(
        "RAW {{\"type\":\"user\",\"tool_use_result\":{{\"status\":\"completed\",\"agentId\":\"t\"}},\"message\":{{\"role\":\"user\",\
         \"content\":[{},{}]}}}}",
        result("a"),
        result("b"),
    );
    let session = Session::of(&format!("D a, D b, {frame}"));
    assert_eq!((session.reads("a").as_str(), session.reads("b").as_str()), (UNDRAWN, UNDRAWN));
    assert_eq!(session.tracker.owner_of_task("t"), None);
}

#[test]
fn a_conversation_in_memory_folds_in_one_call() {
    let lines = lines("D a, HB a, D b, ACK b, D c");
    let frames: Vec<_> =
        lines.iter().map(|line| Frame::decode(line.as_bytes()).expect("a script gives frames")).collect();
    let cards = cardfold::subagent_cards(&frames);
    let readings: Vec<_> = cards.iter().map(|card| format!("{}: {}", card.dispatch_id, reading(card))).collect();
    let abandoned = "settled abandoned (session_end, inferred)";
    assert_eq!(
        readings,
        ["a: settled completed (report)".to_owned(), format!("b: {abandoned}"), format!("c: {abandoned}")]
    );
}

#[test]
fn scripts_are_real_lines() {
    for line in lines("D a, TS t→a, C x<a, R x, TU t completed 9, TN t→a completed, HB a") {
        let value: serde_json::Value = serde_json::from_str(&line).expect("a line is JSON");
        assert!(value["uuid"].is_string() && value["session_id"].is_string() && value["type"].is_string(), "{line}");
    }
}
