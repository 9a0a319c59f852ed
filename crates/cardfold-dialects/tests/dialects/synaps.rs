//! Synaps: calls and receipts in a saved conversation, events in every spelling, handles that start anew, guesses.

use serde_json::{Value, json};

use crate::session::Session;

fn call(id: &str, tool: &str, input: &Value) -> String {
    let block = json!({ "type": "tool_use", "id": id, "name": tool, "input": input });
    format!("{}\n", json!({ "type": "assistant", "message": { "content": [block] } }))
}

fn result(id: &str, text: &str) -> String {
    let block = json!({ "type": "tool_result", "tool_use_id": id, "content": text });
    format!("{}\n", json!({ "type": "user", "message": { "content": [block] } }))
}

fn receipt(id: &str, number: u64) -> String {
    result(id, &json!({ "handle_id": format!("sa_{number}"), "agent_name": "n", "status": "running" }).to_string())
}

/// A call that starts a worker called `n`.
fn start_call(id: &str) -> String {
    call(id, "subagent_start", &json!({ "task": "x", "name": "n", "system_prompt": "p" }))
}

fn event(kind: &str, number: u64, fields: &Value) -> String {
    let mut line = json!({ "event": kind, "subagent_id": number, "agent_name": "n" });
    let all = line.as_object_mut().expect("it is an object");
    for (name, value) in fields.as_object().expect("fields are an object") {
        all.insert(name.clone(), value.clone());
    }
    format!("{line}\n")
}

fn started(number: u64, at: i64) -> String {
    event("subagent_start", number, &json!({ "task_preview": "x", "at_ms": at }))
}

fn done(number: u64, at: i64, preview: &str) -> String {
    event("subagent_done", number, &json!({ "result_preview": preview, "duration_secs": 2.0, "at_ms": at }))
}

fn completed(number: u64, status: &str) -> String {
    event("subagent_completion", number, &json!({ "status": status }))
}

#[test]
fn a_call_that_starts_a_worker() {
    let input = json!({ "task": "x", "agent": "scout", "name": "other", "role": "tester" });
    let mut session = Session::of("synaps", &call("tu", "subagent_start", &input));
    let card =
        json!({ "name": "scout", "agent_type": "tester", "state": "queued", "backgrounded": true, "task_id": null });
    session.expect("tu", &card);
    session.lines(&receipt("tu", 3));
    session.expect("tu", &json!({ "name": "n", "state": "running", "evidence": "roster", "task_id": "sa_3" }));
    assert_eq!(session.ids(), "tu");
    let noted = session.card("tu")["annotations"]["handle"].as_str().map(str::to_owned);
    assert_eq!(noted.as_deref(), Some("\"sa_3\""));
}

#[test]
fn a_call_that_starts_nothing() {
    for answer in ["Delegation refused: too many workers", "{}", r#"{"handle_id":"?"}"#] {
        let session = Session::of("synaps", &(start_call("tu") + &result("tu", answer)));
        session.expect("tu", &json!({ "outcome": "failed", "evidence": "error", "error": answer, "failed": true }));
    }
    let block = json!({ "type": "tool_result", "tool_use_id": "tu", "content": "no task", "is_error": true });
    let failed = json!({ "type": "user", "message": { "content": [block] } });
    let session = Session::of("synaps", &format!("{}{failed}", start_call("tu")));
    session.expect("tu", &json!({ "outcome": "failed", "error": "no task" }));
}

#[test]
fn a_worker_that_the_call_waits_for() {
    let one_shot = call("tu", "subagent", &json!({ "task": "Read the logs", "name": "n", "role": "researcher" }));
    let mut session = Session::of("synaps", &one_shot);
    let card = json!({ "name": "n", "agent_type": "researcher", "state": "queued", "backgrounded": false });
    session.expect("tu", &card);
    // It gets no receipt: its start is told by label and task.
    session.lines(&event("subagent_start", 5, &json!({ "task_preview": "Read the logs", "at_ms": 10 })));
    assert_eq!(session.ids(), "tu");
    session.expect("tu", &json!({ "state": "running", "started_at_ms": 10, "task_id": "sa_5" }));
    session.lines(&done(5, 2_010, "All is well."));
    session.expect("tu", &json!({ "outcome": "completed", "evidence": "guessed" }));
    session.lines(&result("tu", "All is well.\nNo errors."));
    let report = json!({ "text": "All is well.\nNo errors." });
    let card = json!({ "outcome": "completed", "evidence": "report", "backgrounded": false, "report": report });
    session.over().expect("tu", &card);
    for (text, reads, error) in [
        ("ERROR: no such model", "settled failed (guessed, inferred)", json!("no such model")),
        ("[TIMED OUT after 60 s] half", "settled timed_out (guessed, inferred)", json!(null)),
    ] {
        let session = Session::of("synaps", &(one_shot.clone() + &result("tu", text))).over();
        assert_eq!(session.reads("tu"), reads);
        session.expect("tu", &json!({ "error": error }));
    }
}

#[test]
fn every_spelling_gives_the_same_cards() {
    let flat = [started(4, 1_000), done(4, 3_000, "Done."), completed(4, "completed")].concat();
    let fields = |line: &str| -> Value {
        let mut value: Value = serde_json::from_str(line).expect("a line is JSON");
        value.as_object_mut().expect("it is an object").remove("event");
        value
    };
    let lines: Vec<&str> = flat.lines().collect();
    let names = ["SubagentStart", "SubagentDone", "SubagentCompletion"];
    let spelled = |wrap: &dyn Fn(&str, Value) -> Value| {
        let spelled = names.iter().zip(&lines).map(|(name, line)| format!("{}\n", wrap(name, fields(line))));
        Session::of("synaps", &spelled.collect::<String>()).over()
    };
    let want = Session::of("synaps", &flat).over().card("sa_4");
    assert_eq!(spelled(&|name, fields| json!({ name: fields })).card("sa_4"), want);
    assert_eq!(spelled(&|name, fields| json!({ "Agent": { name: fields } })).card("sa_4"), want);
    assert_eq!(want["outcome"], "completed");
}

#[test]
fn a_statement_beats_a_guess_in_any_order() {
    let (guess, stated) = (done(7, 2_000, "Read 3 of 9 files"), completed(7, "timed_out"));
    for lines in [[&guess, &stated], [&stated, &guess]] {
        let session = Session::of("synaps", &format!("{}{}{}", started(7, 0), lines[0], lines[1])).over();
        session.expect(
            "sa_7",
            &json!({ "outcome": "timed_out", "evidence": "roster", "ended_at_ms": 2_000, "runs": 1,
                "usage": { "duration_ms": 2_000 }, "report": { "text": "Read 3 of 9 files" } }),
        );
    }
    // A success that opens like a failure is taken for one until somebody states it (W3-1).
    let wrong = started(7, 0) + &done(7, 1, "ERROR: handling was added.");
    Session::of("synaps", &wrong).expect(
        "sa_7",
        &json!({
        "outcome": "failed", "evidence": "guessed", "error": "handling was added." }),
    );
    let wrong = Session::of("synaps", &(wrong.clone() + &completed(7, "completed")));
    wrong.expect("sa_7", &json!({ "outcome": "completed", "evidence": "roster", "error": null }));
}

#[test]
fn a_preview_that_was_cut_says_so() {
    for (chars, cut) in [(119, false), (120, true)] {
        let session = Session::of("synaps", &(started(1, 0) + &done(1, 1, &"é".repeat(chars))));
        session.expect("sa_1", &json!({ "report": { "text": "é".repeat(chars), "truncated": cut } }));
    }
}

#[test]
fn an_update_is_what_the_worker_does_now() {
    let mut session = Session::of("synaps", &started(1, 5));
    session.expect("sa_1", &json!({ "activity": "x", "started_at_ms": 5, "name": "n" }));
    session.lines(&event("subagent_update", 1, &json!({ "status": "thinking\nhard" })));
    session.expect("sa_1", &json!({ "activity": "thinking hard", "state": "running" }));
    session.lines(&done(1, 9, "Done."));
    session.lines(&event("subagent_update", 1, &json!({ "status": "late" })));
    session.expect("sa_1", &json!({ "state": "settled", "activity": null }));
}

#[test]
fn a_start_may_come_before_its_receipt() {
    // S3-6: the start is emitted before the receipt is.
    let mut session = Session::of("synaps", &(start_call("tu") + &started(2, 100)));
    assert_eq!(session.ids(), "tu sa_2");
    session.lines(&receipt("tu", 2));
    assert_eq!(session.ids(), "tu");
    session.expect("tu", &json!({ "state": "running", "started_at_ms": 100, "activity": "x" }));
    // A worker that is over before anybody reads the receipt.
    for (last, reads) in
        [(String::new(), "settled completed (guessed, inferred)"), (completed(2, "failed"), "settled failed (roster)")]
    {
        let lines = start_call("tu") + &started(2, 100) + &done(2, 300, "Done.") + &last + &receipt("tu", 2);
        let session = Session::of("synaps", &lines);
        assert_eq!((session.ids().as_str(), session.reads("tu").as_str()), ("tu", reads));
        session.expect("tu", &json!({ "report": { "text": "Done." }, "ended_at_ms": 300, "runs": 1 }));
    }
}

#[test]
fn handles_start_anew_with_each_process() {
    // W3-4: sa_1 of yesterday and sa_1 of today in one conversation.
    let day = |call: &str, at: i64| start_call(call) + &receipt(call, 1) + &started(1, at);
    let first = day("tu_1", 100) + &done(1, 200, "Yesterday.");
    let session = Session::of("synaps", &(first.clone() + &day("tu_2", 5_000) + &done(1, 6_000, "Today."))).over();
    assert_eq!(session.ids(), "tu_1 tu_2");
    session.expect("tu_1", &json!({ "task_id": "sa_1", "runs": 1, "report": { "text": "Yesterday." } }));
    session.expect("tu_2", &json!({ "task_id": "sa_1@2", "runs": 1, "report": { "text": "Today." } }));
    // The process died under its worker: what never ended is abandoned.
    let session = Session::of("synaps", &(day("tu_1", 100) + &day("tu_2", 5_000) + &done(1, 6_000, "Today."))).over();
    assert_eq!(session.reads("tu_1"), "settled abandoned (session_end, inferred)");
    assert_eq!(session.reads("tu_2"), "settled completed (guessed, inferred)");
    // Events alone: a start of a worker that is over is another worker's.
    let lines = [started(1, 0), done(1, 1, "a"), started(1, 2), done(1, 3, "b"), started(2, 4)].concat();
    let session = Session::of("synaps", &lines);
    assert_eq!(session.ids(), "sa_1 sa_1@2 sa_2@2");
    session.expect("sa_1", &json!({ "runs": 1, "report": { "text": "a" } }));
    // The start of the next process comes before its receipt as well.
    let lines = first + &start_call("tu_2") + &started(1, 5_000) + &receipt("tu_2", 1) + &done(1, 6_000, "Today.");
    let session = Session::of("synaps", &lines);
    assert_eq!(session.ids(), "tu_1 tu_2");
    session.expect("tu_2", &json!({ "report": { "text": "Today." }, "started_at_ms": 5_000 }));
}

#[test]
fn a_receipt_for_a_worker_that_was_there_before_is_another_process() {
    // The worker of an event that no call of this conversation can have started.
    let session =
        Session::of("synaps", &(started(1, 0) + &start_call("tu") + &receipt("tu", 1) + &done(1, 9, "Done.")));
    assert_eq!(session.ids(), "sa_1 tu");
    assert_eq!(
        (session.reads("sa_1").as_str(), session.card("tu")["task_id"].as_str()),
        ("running (roster)", Some("sa_1@2"))
    );
    // A handle that another call has: whatever happened between, these are two workers.
    let lines =
        start_call("tu_1") + &start_call("tu_2") + &receipt("tu_1", 1) + &receipt("tu_2", 1) + &done(1, 9, "Done.");
    let session = Session::of("synaps", &lines);
    assert_eq!(session.ids(), "tu_1 tu_2");
    assert_eq!(session.reads("tu_1"), "running (roster)");
    assert_eq!(session.reads("tu_2"), "settled completed (guessed, inferred)");
    assert_eq!(session.card("tu_2")["task_id"].as_str(), Some("sa_1@2"));
}

#[test]
fn everything_twice_is_everything_once() {
    let lines =
        start_call("tu") + &receipt("tu", 1) + &started(1, 10) + &done(1, 20, "Done.") + &completed(1, "completed");
    let mut twice: Vec<String> = Vec::new();
    for line in lines.lines() {
        // A start of a worker that is over would be another process's: lines are doubled in place.
        twice.extend([format!("{line}\n"), format!("{line}\n")]);
    }
    let once = Session::of("synaps", &lines).over();
    let twice = Session::of("synaps", &twice.concat()).over();
    assert_eq!((twice.ids(), twice.card("tu")), (once.ids(), once.card("tu")));
}

#[test]
fn what_was_collected_is_a_statement() {
    let base = start_call("tu") + &receipt("tu", 1) + &done(1, 20, "ERROR: no");
    let collect = call("c", "subagent_collect", &json!({ "handle_id": "sa_1" }));
    let output = json!({ "handle_id": "sa_1", "status": "completed", "output": "The whole report." });
    let lines = base.clone() + &collect + &result("c", &output.to_string());
    Session::of("synaps", &lines).expect(
        "tu",
        &json!({ "outcome": "completed", "evidence": "roster", "report": { "text": "The whole report." },
            "ended_at_ms": 20 }),
    );
    // A preview that comes late is less than the report.
    Session::of("synaps", &(lines + &done(1, 20, "The whole"))).expect(
        "tu",
        &json!({
        "report": { "text": "The whole report." }, "outcome": "completed" }),
    );
    // Text without a status is a report and no ending; one that is not ready says nothing.
    let plain = base.clone() + &collect + &result("c", "The whole report.");
    Session::of("synaps", &plain)
        .expect("tu", &json!({ "evidence": "guessed", "report": { "text": "The whole report." } }));
    let early = start_call("tu") + &receipt("tu", 1) + &collect + &result("c", r#"{"status":"running"}"#);
    assert_eq!(Session::of("synaps", &early).reads("tu"), "running (roster)");
    for tool in ["subagent_steer", "subagent_status", "subagent_models"] {
        let lines = base.clone() + &call("c", tool, &json!({ "handle_id": "sa_1" })) + &result("c", "stopped");
        assert_eq!(Session::of("synaps", &lines).card("tu"), Session::of("synaps", &base).card("tu"), "{tool}");
    }
}

#[test]
fn a_resumed_worker_is_a_card_with_one_run_more() {
    let first = call("tu", "subagent_start", &json!({ "task": "x", "name": "n", "role": "tester" }))
        + &receipt("tu", 1)
        + &completed(1, "timed_out");
    let resume = |id: &str, from: &str, number| {
        call(id, "subagent_resume", &json!({ "handle_id": from })) + &receipt(id, number)
    };
    let lines = first + &resume("re", "sa_1", 2) + &completed(2, "timed_out") + &resume("re2", "sa_2", 3);
    let session = Session::of("synaps", &lines);
    assert_eq!(session.ids(), "tu re re2");
    session.expect("tu", &json!({ "runs": 1, "outcome": "timed_out" }));
    session.expect("re", &json!({ "runs": 2, "outcome": "timed_out", "name": "n", "agent_type": "tester" }));
    session.expect("re2", &json!({ "runs": 3, "state": "running", "outcome": null, "task_id": "sa_3" }));
    let noted = session.card("re2")["annotations"]["resumed_from"].as_str().map(str::to_owned);
    assert_eq!(noted.as_deref(), Some("\"sa_2\""));
    // One that the conversation does not know has run once at least.
    let session = Session::of("synaps", &resume("re", "sa_9", 10));
    session.expect("re", &json!({ "runs": 2, "state": "running", "name": "n" }));
}

#[test]
fn workers_inside_workers_are_rows() {
    let inner = |name: &str, id: &str, parent: &str| {
        let block = json!({ "type": "tool_use", "id": id, "name": name, "input": { "task": "y", "name": "inner" } });
        let line = json!({ "type": "assistant", "parent_tool_use_id": parent, "message": { "content": [block] } });
        format!("{line}\n")
    };
    let lines = start_call("tu") + &receipt("tu", 1) + &inner("subagent_start", "in", "tu") + &receipt("in", 2);
    let session = Session::of("synaps", &(lines.clone() + &inner("read", "r", "tu")));
    assert_eq!(session.ids(), "tu");
    session.expect(
        "tu",
        &json!({ "calls": 2, "nested": [{ "dispatch_id": "in", "parent_id": "tu", "name": "n", "depth": 1,
            "state": "running" }] }),
    );
    // A parent that nobody started leaves the worker a card of its own.
    assert_eq!(Session::of("synaps", &inner("subagent_start", "in", "elsewhere")).ids(), "in");
}

#[test]
fn what_cannot_be_read_is_told() {
    let session =
        Session::of("synaps", "{\"event\":\"subagent_done\"}\n{\"event\":\"subagent_completion\",\"subagent_id\":1}");
    assert_eq!(
        session.faults,
        ["Malformed: an event without a readable `subagent_id`", "Malformed: a completion without a readable `status`"]
    );
    let session = Session::of("synaps", &(started(1, 0) + &completed(1, "sleeping") + "{\"event\":\"steering\"}"));
    assert_eq!(session.reads("sa_1"), "running (roster)");
    let diagnostics = session.tracker.diagnostics();
    assert_eq!((diagnostics.unknown_words, diagnostics.unknown_frames), (1, 1));
}
