//! The Go supervisor: its envelopes, results of turns, and its own weaknesses as tests (W1-1 to W1-14).

use serde_json::{Value, json};

use crate::session::Session;

fn at(second: u32) -> String {
    format!("2026-11-30T10:00:{second:02}Z")
}

/// An envelope about agent `a`, turn `turn`, at a second of one minute.
fn line(kind: &str, turn: &str, second: u32, payload: &Value) -> String {
    let envelope = json!({ "version": 1, "type": kind, "message_id": format!("{kind} {second}"), "agent_id": "a",
        "turn_id": turn, "timestamp": at(second), "payload": payload });
    format!("{envelope}\n")
}

/// A result without an envelope.
fn bare(fields: &Value) -> Value {
    let mut result = json!({ "version": 1, "agent_id": "a", "turn_id": "t1", "created_at": at(30) });
    let all = result.as_object_mut().expect("it is an object");
    for (name, value) in fields.as_object().expect("fields are an object") {
        all.insert(name.clone(), value.clone());
    }
    result
}

fn of_result(fields: &Value) -> Session {
    let mut session = Session::new("supervisor");
    session.document(&bare(fields));
    session.over()
}

const SECOND_0: i64 = 1_796_032_800_000;

#[test]
fn every_envelope_of_a_turn() {
    let lines = [
        line("agent.ready", "", 0, &json!({})),
        line("turn.started", "t1", 1, &json!({})),
        line("turn.progress", "t1", 2, &json!({ "text": "Looking around", "percent": 10 })),
        line("tool.started", "t1", 3, &json!({ "tool_id": "c1", "name": "bash" })),
        line("tool.started", "t1", 4, &json!({ "name": "read" })),
        line("tool.finished", "t1", 5, &json!({ "name": "read", "error": "no such file" })),
        line("agent.heartbeat", "t1", 6, &json!({})),
        line("message.delta", "t1", 7, &json!({ "text": "Almost" })),
        line("turn.progress", "t1", 8, &json!({ "current_tool": "bash" })),
    ];
    let mut session = Session::of("supervisor", &lines.concat());
    let card = json!({
        "state": "running", "activity": "bash", "started_at_ms": SECOND_0, "calls": 2, "open_calls": 1,
        "failed_calls": 1,
        "tail": [{ "id": "c1", "name": "bash", "status": "pending" },
            { "id": "a#2", "name": "read", "status": "failed" }],
    });
    session.expect("a", &card);
    session.lines(&line("tool.finished", "t1", 9, &json!({ "tool_id": "c1" })));
    session.lines(&line("turn.result", "t1", 10, &json!({ "status": "succeeded", "output": "All done." })));
    session.lines(&line("agent.idle", "t1", 11, &json!({})));
    session.lines(&line("agent.exited", "", 12, &json!({ "code": 0, "reason": "bye" })));
    let session = session.over();
    session.expect(
        "a",
        &json!({
            "outcome": "completed", "evidence": "roster", "ended_at_ms": SECOND_0 + 10_000, "calls": 2, "activity": null,
            "tail": [{ "status": "completed" }, { "status": "failed" }], "report": { "text": "All done." }, "error": null,
        }),
    );
    let exit = session.card("a")["annotations"]["exit"].as_str().map(str::to_owned);
    assert_eq!(exit.as_deref(), Some(r#"{"code":0,"origin":null,"reason":"bye"}"#));
    assert_eq!(session.tracker.diagnostics().unknown_frames, 0);
}

#[test]
fn a_tool_of_any_name_is_a_call_and_nothing_else() {
    for name in ["Agent", "Task", "SendMessage", "Skill", "Workflow", "TaskStop"] {
        let call = line("tool.started", "t1", 1, &json!({ "tool_id": "c", "name": name }))
            + &line("tool.finished", "t1", 2, &json!({ "tool_id": "c" }));
        let want = json!({ "calls": 1, "nested": [], "tail": [{ "name": name, "status": "completed" }] });
        Session::of("supervisor", &call).expect("a", &want);
    }
}

#[test]
fn a_line_counts_once() {
    let lines = [
        line("turn.started", "t1", 1, &json!({})),
        line("tool.started", "t1", 2, &json!({ "name": "bash" })),
        line("turn.result", "t1", 3, &json!({ "status": "succeeded", "output": "x" })),
    ]
    .concat();
    let once = Session::of("supervisor", &lines).over().card("a");
    assert_eq!(Session::of("supervisor", &format!("{lines}{lines}")).over().card("a"), once);
}

#[test]
fn the_ids_of_the_event_stand_in_for_missing_ones() {
    // S1-9: agent, turn and time come from the event where the result has none.
    let session = Session::of("supervisor", &line("turn.result", "t1", 4, &json!({ "status": "failed" }))).over();
    session.expect("a", &json!({ "outcome": "failed", "ended_at_ms": SECOND_0 + 4_000, "started_at_ms": null }));
    // An event as the supervisor's own code holds it.
    let event = json!({ "AgentID": "a", "TurnID": "t1", "Time": at(5), "Data": { "status": "canceled",
        "shutdown_origin": "targeted", "created_at": "0001-01-01T00:00:00Z" } });
    let session = Session::of("supervisor", &event.to_string()).over();
    session.expect(
        "a",
        &json!({ "outcome": "stopped", "error": "shutdown: subagent stopped by request",
            "ended_at_ms": SECOND_0 + 5_000 }),
    );
}

#[test]
fn a_result_of_another_agent_changes_no_card() {
    let lines = line("turn.started", "t1", 1, &json!({}))
        + &line("turn.result", "t1", 2, &json!({ "agent_id": "b", "status": "succeeded" }));
    let session = Session::of("supervisor", &lines);
    assert_eq!((session.ids(), session.reads("a")), ("a".to_owned(), "running (roster)".to_owned()));
    assert_eq!(session.faults, ["Malformed: a result of agent b in an event of agent a"]);
}

#[test]
fn what_is_not_known_is_counted_and_changes_no_card() {
    let started = line("turn.started", "t1", 1, &json!({}));
    for (unknown, word) in [
        (line("turn.result", "t1", 2, &json!({ "status": "done" })), "result with status done"),
        (line("turn.result", "t1", 2, &json!({ "output": "x" })), "result with status "),
        (line("turn.result", "t1", 2, &json!({ "version": 2, "status": "failed" })), "result of version 2"),
        (line("turn.paused", "t1", 2, &json!({})), "turn.paused"),
        ("{\"type\":\"user\"}\n".to_owned(), "user"),
        (line("turn.result", "t1", 2, &json!({ "status": "failed" })).replace("\"version\":1", "\"version\":2"), ""),
    ] {
        let session = Session::of("supervisor", &format!("{started}{unknown}"));
        assert_eq!(session.reads("a"), "running (roster)", "{word}");
        assert_eq!(session.tracker.diagnostics().unknown_frames, 1, "{word}");
        assert_eq!(session.faults, [""; 0], "{word}");
    }
    let session = Session::of("supervisor", r#"{"version":1,"type":"turn.started","payload":{}}"#);
    assert_eq!(session.faults, ["Malformed: `turn.started` without a readable `agent_id`"]);
}

#[test]
fn a_turn_that_failed_says_why() {
    for (error, want, outcome) in [
        (json!({ "code": "runner_failed", "message": "boom" }), "runner_failed: boom", "failed"),
        (json!("boom"), "boom", "failed"),
        (json!({ "message": "boom" }), "boom", "failed"),
        (json!({ "code": "deadline_exceeded" }), "deadline_exceeded", "timed_out"),
    ] {
        let lines = line("turn.started", "t1", 1, &json!({}))
            + &line("message.delta", "t1", 2, &json!({ "text": "Read 3 files" }))
            + &line("turn.failed", "t1", 3, &json!({ "error": error }));
        let want = json!({ "outcome": outcome, "error": want, "report": { "text": "Read 3 files" } });
        Session::of("supervisor", &lines).over().expect("a", &want);
    }
}

#[test]
fn the_exit_behind_a_turn_that_is_over_adds_nothing() {
    for end in [json!({ "code": 1, "reason": "crash" }), json!({ "code": 0, "origin": "session" }), json!({})] {
        let lines = line("turn.started", "t1", 1, &json!({}))
            + &line("turn.failed", "t1", 3, &json!({ "error": "boom" }))
            + &line("agent.exited", "", 4, &end);
        let want = json!({ "outcome": "failed", "error": "boom", "ended_at_ms": SECOND_0 + 3_000 });
        Session::of("supervisor", &lines).over().expect("a", &want);
    }
}

#[test]
fn the_supervisors_own_failures_keep_their_words() {
    for (code, message) in [
        ("result_persistence_failed", "failed to persist delegated turn result"),
        ("workspace_capture_failed", "workspace capture failed"),
    ] {
        let session = of_result(&json!({ "status": "failed", "error": { "code": code, "message": message } }));
        session.expect("a", &json!({ "outcome": "failed", "error": format!("{code}: {message}") }));
    }
}

#[test]
fn an_agent_that_is_shut_down_without_a_result() {
    for (origin, outcome, error) in [
        ("targeted", "stopped", "shutdown: subagent stopped by request"),
        ("session", "stopped", "shutdown: subagent stopped during session shutdown"),
        ("process", "stopped", "shutdown: subagent stopped during process shutdown"),
        (
            "deadline",
            "timed_out",
            "deadline_exceeded: subagent turn deadline exceeded; partial output is preserved in the result and history",
        ),
    ] {
        let want = json!({ "outcome": outcome, "error": error, "ended_at_ms": SECOND_0 + 3_000 });
        let started = line("turn.started", "t1", 1, &json!({}));
        let exited = line("agent.exited", "", 3, &json!({ "code": 0, "origin": origin }));
        Session::of("supervisor", &format!("{started}{exited}")).over().expect("a", &want);
        // The request names the origin where the exit does not.
        let asked = line("agent.shutdown", "", 2, &json!({ "origin": origin }));
        let exited = line("agent.exited", "", 3, &json!({ "code": 0 }));
        Session::of("supervisor", &format!("{started}{asked}{exited}")).over().expect("a", &want);
    }
}

#[test]
fn what_a_card_has_no_field_for_is_noted() {
    let session = of_result(&json!({
        "status": "succeeded", "output": "o", "summary": "s", "structured": { "a": 1 },
        "artifacts": [{ "ref": "subagent://a/patch", "size": 3 }], "changed_files": ["src/lib.rs"],
        "usage": { "total_tokens": 5, "cost": 0.1 },
    }));
    session.expect(
        "a",
        &json!({ "usage": { "total_tokens": 5 }, "annotations": {
            "structured": r#"{"a":1}"#, "artifacts": r#"[{"ref":"subagent://a/patch","size":3}]"#,
            "changed_files": r#"["src/lib.rs"]"#, "summary": r#""s""#, "turn_id": r#""t1""#,
            "usage": r#"{"cost":0.1,"total_tokens":5}"#,
        } }),
    );
}

#[test]
fn files_beside_a_stream_belong_to_it() {
    let mut session = Session::of("supervisor", &line("turn.started", "t1", 1, &json!({})));
    session.document(&bare(&json!({ "status": "succeeded", "output": "from the file" })));
    session.document(&bare(&json!({ "agent_id": "b", "status": "failed" })));
    let session = session.over();
    assert_eq!(session.ids(), "a b");
    let want = json!({ "outcome": "completed", "runs": 1, "started_at_ms": SECOND_0 + 1_000,
        "report": { "text": "from the file" }, "ended_at_ms": SECOND_0 + 30_000 });
    session.expect("a", &want);
}

/// A result file of exactly so many bytes, its newline not counted.
fn result_of(bytes: usize) -> Vec<u8> {
    let empty = bare(&json!({ "status": "succeeded", "output": "" })).to_string();
    let result = bare(&json!({ "status": "succeeded", "output": "x".repeat(bytes - empty.len()) })).to_string();
    assert_eq!(result.len(), bytes);
    format!("{result}\n").into_bytes()
}

#[test]
fn w1_1_the_largest_result_that_is_written_can_be_read() {
    let mut session = Session::new("supervisor");
    session.bytes(&result_of(8_388_608));
    assert_eq!((session.reads("a").as_str(), session.faults.len()), ("settled completed (roster)", 0));
    let mut session = Session::new("supervisor");
    session.bytes(&result_of(8_388_609));
    assert_eq!(session.reads("a"), "no card");
    assert_eq!(session.faults, ["TooLong: 8388609 bytes, more than the system itself reads"]);
}

#[test]
fn w1_2_and_w1_3_and_w1_4_a_cut_costs_no_room_and_shows() {
    // That the bounding itself keeps what fits is a test of `preview.rs`, with the golden vectors. What they made of a
    // text is told by its marker, on its own line, glued to the text, or alone.
    for (output, text) in [
        ("a\n...[output truncated]", "a"),
        ("aaa...[output truncated]", "aaa"),
        ("...[output truncated]", "Scanned 40 files"),
    ] {
        let session = of_result(&json!({ "status": "succeeded", "output": output, "summary": "Scanned 40 files" }));
        session.expect("a", &json!({ "report": { "text": text, "truncated": true } }));
    }
}

#[test]
fn w1_5_a_cut_is_a_flag() {
    let long = "line\n".repeat(100);
    let session = of_result(&json!({ "status": "succeeded", "output": long }));
    let report = session.card("a")["report"].clone();
    assert_eq!(report["truncated"], true);
    assert!(!report["text"].as_str().is_some_and(|text| text.contains("truncated")), "{report}");
    let session = of_result(&json!({ "status": "succeeded", "output": "whole" }));
    session.expect("a", &json!({ "report": { "text": "whole", "truncated": false } }));
}

#[test]
fn w1_6_a_deadline_is_one_whatever_the_status() {
    let error = json!({ "code": "deadline_exceeded", "message": "m" });
    let session = of_result(&json!({ "status": "canceled", "error": error, "shutdown_origin": "deadline" }));
    session.expect("a", &json!({ "outcome": "timed_out", "error": "deadline_exceeded: m" }));
}

#[test]
fn w1_7_a_success_is_not_undone_by_the_end_of_the_session() {
    for origin in ["targeted", "session", "process", "deadline"] {
        let status = if origin == "deadline" { "failed" } else { "canceled" };
        let mut session = Session::of(
            "supervisor",
            &[
                line("turn.started", "t1", 1, &json!({})),
                line("turn.result", "t1", 2, &json!({ "status": "succeeded", "output": "Done." })),
                line("agent.exited", "", 3, &json!({ "code": 0, "origin": origin })),
            ]
            .concat(),
        );
        let message = "subagent stopped";
        session.document(&bare(&json!({ "status": status, "output": "Done.", "shutdown_origin": origin,
            "error": { "code": "shutdown", "message": message } })));
        let session = session.over();
        session.expect(
            "a",
            &json!({ "outcome": "completed", "error": null, "runs": 1, "ended_at_ms": SECOND_0 + 2_000,
                "report": { "text": "Done." }, "annotations": { "shutdown_origin": format!("\"{origin}\"") } }),
        );
    }
}

#[test]
fn w1_8_version_0_is_one_that_was_not_written() {
    for version in [json!(0), json!(null), json!(1)] {
        let session = of_result(&json!({ "status": "failed", "version": version }));
        assert_eq!(session.reads("a"), "settled failed (roster)", "{version}");
    }
}

#[test]
fn w1_9_stream_and_file_give_one_report() {
    let output = "é".repeat(5_000);
    let streamed = line("turn.result", "t1", 30, &json!({ "status": "succeeded", "output": output }));
    let streamed = Session::of("supervisor", &streamed).over();
    let filed = of_result(&json!({ "status": "succeeded", "output": output }));
    assert_eq!(streamed.card("a")["report"], filed.card("a")["report"]);
    assert_eq!(filed.card("a")["report"]["truncated"], true);
}

#[test]
fn w1_10_a_bad_field_costs_that_field() {
    let session = of_result(&json!({ "status": "failed", "output": "Read 3 files", "structured": "{not json",
        "artifacts": 3, "changed_files": { "a": 1 }, "usage": "much", "error": { "code": 7, "message": "boom" },
        "shutdown_origin": "moon", "created_at": "yesterday" }));
    session.expect(
        "a",
        &json!({ "outcome": "failed", "report": { "text": "Read 3 files" }, "error": "boom", "usage": null,
            "ended_at_ms": null }),
    );
    // A line that is no JSON at all is told, and makes no success of the turn.
    let lines = line("turn.started", "t1", 1, &json!({}))
        + "{\"type\":\"turn.result\",\"agent_id\":\"a\",\"payload\":{\"status\":\"failed\",\"structured\":{oops}}}\n"
        + &line("agent.exited", "", 3, &json!({ "code": 0 }));
    let session = Session::of("supervisor", &lines).over();
    assert_eq!(session.reads("a"), "settled ended (guessed, inferred)");
    assert!(session.faults.len() == 1 && session.faults[0].starts_with("NotJson: "), "{:?}", session.faults);
}

#[test]
fn w1_11_a_clean_exit_without_a_result_is_no_success() {
    let lines = line("turn.started", "t1", 1, &json!({}))
        + &line("message.delta", "t1", 2, &json!({ "text": "I am done." }))
        + &line("agent.exited", "", 3, &json!({ "code": 0 }));
    Session::of("supervisor", &lines).over().expect(
        "a",
        &json!({ "outcome": "ended", "evidence": "guessed", "inferred": true, "failed": false, "error": null,
            "report": { "text": "I am done." }, "ended_at_ms": SECOND_0 + 3_000 }),
    );
}

#[test]
fn w1_12_bytes_that_are_no_text_cost_the_line_and_are_told() {
    let mut session = Session::of("supervisor", &line("turn.started", "t1", 1, &json!({})));
    let bad = line("turn.result", "t1", 2, &json!({ "status": "succeeded", "output": "A" }));
    session.bytes(
        &bad.replace('A', "\u{1}").into_bytes().iter().map(|b| if *b == 1 { 0xff } else { *b }).collect::<Vec<_>>(),
    );
    assert_eq!(session.reads("a"), "running (roster)");
    assert!(session.faults[0].starts_with("NotUtf8: not UTF-8 at column "), "{:?}", session.faults);
}

#[test]
fn w1_13_figures_are_taken_by_name_and_type() {
    for (usage, want) in [
        (json!({ "total_tokens": 5, "duration_ms": 7 }), json!({ "total_tokens": 5, "duration_ms": 7 })),
        (json!({ "total_tokens": "5" }), json!(null)),
        (json!({ "total_tokens": -5 }), json!(null)),
        (json!({ "tokens": 5 }), json!(null)),
        (json!([5]), json!(null)),
    ] {
        let session = of_result(&json!({ "status": "succeeded", "usage": usage }));
        session.expect("a", &json!({ "usage": want }));
    }
}

#[test]
fn w1_14_each_turn_is_a_run() {
    let turn = |turn: &str, second, status: &str| {
        line("turn.started", turn, second, &json!({}))
            + &line("turn.result", turn, second + 1, &json!({ "status": status, "output": turn }))
    };
    let stream = turn("t1", 1, "failed") + &turn("t2", 3, "succeeded");
    let mut session = Session::of("supervisor", &stream);
    let want = json!({ "runs": 2, "outcome": "completed", "report": { "text": "t2" },
        "started_at_ms": SECOND_0 + 1_000, "ended_at_ms": SECOND_0 + 4_000 });
    session.expect("a", &want);
    // The file holds the last turn, which the stream has told; a turn that it has not is another run.
    session.document(&bare(&json!({ "turn_id": "t2", "status": "succeeded", "output": "t2",
        "created_at": at(4) })));
    session.expect("a", &want);
    session.document(&bare(&json!({ "turn_id": "t3", "status": "failed" })));
    session.expect("a", &json!({ "runs": 3, "outcome": "failed" }));
    // A first turn that is told again is past.
    session.document(&bare(&json!({ "turn_id": "t1", "status": "failed" })));
    session.expect("a", &json!({ "runs": 3, "outcome": "failed" }));
}

#[test]
fn a_report_is_rescued_from_the_stream() {
    // S1-12: the text that came before an empty result.
    let lines = line("turn.started", "t1", 1, &json!({}))
        + &line("message.delta", "t1", 2, &json!({ "text": "First" }))
        + &line("tool.started", "t1", 3, &json!({ "tool_id": "c", "name": "bash" }))
        + &line("message.delta", "t1", 4, &json!({ "text": "Read " }))
        + &line("message.delta", "t1", 5, &json!({ "text": "3 files" }))
        + &line("turn.result", "t1", 6, &json!({ "status": "canceled", "shutdown_origin": "session" }));
    let want = json!({ "outcome": "stopped", "report": { "text": "Read 3 files" }, "tail": [{ "status": "cut_off" }] });
    Session::of("supervisor", &lines).over().expect("a", &want);
}

/// A type that the protocol does not have is counted, and is no known one in another spelling.
#[test]
fn types_that_are_not_known_change_nothing() {
    let ready = line("agent.ready", "", 0, &json!({}));
    for kind in ["agent.stopped", "turn.ended", "Agent.exited", "turn.results", "agent"] {
        let session = Session::of("supervisor", &(ready.clone() + &line(kind, "t1", 1, &json!({ "code": 1 }))));
        assert_eq!(session.reads("a"), "queued (roster)", "{kind}");
        assert_eq!((session.tracker.diagnostics().unknown_frames, session.faults.len()), (1, 0), "{kind}");
    }
    for kind in [
        "agent.heartbeat",
        "agent.idle",
        "agent.ping",
        "turn.start",
        "turn.cancel",
        "agent.shutdown",
        "result.available",
    ] {
        let session = Session::of("supervisor", &(ready.clone() + &line(kind, "t1", 1, &json!({}))));
        assert_eq!(session.reads("a"), "queued (roster)", "{kind}");
        assert_eq!((session.tracker.diagnostics().unknown_frames, session.faults.len()), (0, 0), "{kind}");
    }
}
