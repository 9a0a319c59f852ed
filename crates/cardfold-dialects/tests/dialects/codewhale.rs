//! CodeWhale: the mailbox, transcripts, completions in a parent's text. The state file is in `codewhale_state.rs`.

use serde_json::{Value, json};

use crate::session::Session;

fn letter(seq: u64, fields: &Value) -> String {
    format!("{}\n", json!({ "turn_id": "t1", "seq": seq, "message": fields }))
}

fn letters(all: &[Value]) -> String {
    all.iter().zip(1..).map(|(fields, seq)| letter(seq, fields)).collect()
}

fn started(agent: &str) -> Value {
    json!({ "kind": "started", "agent_id": agent, "agent_type": "scout" })
}

/// The note behind a summary, of the measured length.
const NOTE: &str = "[self-report: this is what the child says of its own work, unchecked. Verify it before you build on it. ----------]";

#[test]
fn the_mailbox_by_kind() {
    let of = |letter: Value| Session::of("codewhale", &letters(&[started("a"), letter]));
    let progress = of(json!({ "kind": "progress", "agent_id": "a", "status": "step 1/60: requesting model response" }));
    progress.expect("a", &json!({ "state": "running", "activity": "step 1/60: requesting model response" }));
    let queued = of(json!({ "kind": "progress", "agent_id": "a",
        "status": "queued: waiting for a sub-agent launch slot" }));
    queued.expect("a", &json!({ "state": "queued" }));
    let completed = of(json!({ "kind": "completed", "agent_id": "a", "summary": format!("Found it.\n{NOTE}") }));
    completed.expect("a", &json!({ "outcome": "completed", "report": { "text": "Found it.", "truncated": false } }));
    let cut = "Head\n[truncated: 4000 + 4000 of 12001 chars, 4001 elided, irretrievable]\nTail";
    let completed = of(json!({ "kind": "completed", "agent_id": "a", "summary": cut }));
    completed.expect("a", &json!({ "report": { "text": "Head", "truncated": true } }));
    for (error, outcome) in [
        ("Child TOKEN BUDGET exhausted before finishing", "budget_exhausted"),
        ("child wall-time budget exhausted (limit: 5s); x", "timed_out"),
        ("request timed out, quota", "failed"),
        ("child stopped without returning a final summary", "failed"),
    ] {
        let failed = of(json!({ "kind": "failed", "agent_id": "a", "error": error }));
        failed.expect("a", &json!({ "outcome": outcome, "error": error, "failed": true, "evidence": "roster" }));
    }
    for kind in ["cancelled", "stopped"] {
        assert_eq!(of(json!({ "kind": kind, "agent_id": "a" })).reads("a"), "settled stopped (roster)");
    }
    for kind in ["work_state", "resting", "Stopped", "aborted", "killed"] {
        let session = of(json!({ "kind": kind, "agent_id": "a" }));
        assert_eq!(session.reads("a"), "running (roster)", "{kind}");
        assert_eq!(session.tracker.diagnostics().unknown_frames, u64::from(kind != "work_state"));
    }
}

#[test]
fn a_letter_counts_once_and_a_gap_costs_nothing() {
    let call = |kind: &str, ok: Option<bool>| json!({ "kind": kind, "agent_id": "a", "tool_name": "bash", "step": 1, "ok": ok });
    let (start, end) = (call("tool_call_started", None), call("tool_call_completed", Some(true)));
    let lines = letter(1, &started("a")) + &letter(4, &start) + &letter(9, &end) + &letter(12, &start);
    let card = json!({ "calls": 2, "open_calls": 1, "tail": [
        { "id": "a:1:1", "status": "completed" }, { "id": "a:1:2", "status": "pending" }] });
    Session::of("codewhale", &lines).expect("a", &card);
    Session::of("codewhale", &format!("{lines}{lines}")).expect("a", &card);
    // Numbers start anew with each turn.
    let next_turn = letter(4, &start).replace("t1", "t2");
    Session::of("codewhale", &(lines + &next_turn)).expect("a", &json!({ "calls": 3 }));
    // A call whose start was lost.
    Session::of("codewhale", &letters(&[started("a"), end])).expect("a", &json!({ "calls": 1, "open_calls": 0 }));
    // A message alone, and one as an event to the host carries it.
    let bare =
        format!("{}\n{}", started("a"), json!({ "SubAgentMailbox": { "turn_id": "t", "seq": 1, "message": start } }));
    Session::of("codewhale", &bare).expect("a", &json!({ "calls": 1, "agent_type": "scout" }));
}

#[test]
fn tokens_are_added_up_once_a_response() {
    let usage = |source: &str, usage: Value| json!({ "kind": "token_usage", "agent_id": "a", "source_id": source, "route": "r", "usage": usage });
    let lines = letters(&[
        started("a"),
        usage("subagent:a:step:1:response:x", json!({ "input_tokens": 100, "output_tokens": 5 })),
        usage("subagent:a:step:1:response:x", json!({ "input_tokens": 100, "output_tokens": 5 })),
        usage("subagent:a:step:2:response:y", json!({ "input_tokens": 10 })),
        json!({ "kind": "completed", "agent_id": "a", "summary": "Done." }),
        usage("subagent:a:step:3:response:z", json!({ "total_tokens": 1 })),
    ]);
    let want = json!({ "usage": { "total_tokens": 116 }, "outcome": "completed", "report": { "text": "Done." } });
    Session::of("codewhale", &lines).expect("a", &want);
}

#[test]
fn children_are_rows_in_any_order() {
    let spawned = json!({ "kind": "child_spawned", "parent_id": "a", "child_id": "b" });
    let orders = [
        [started("a"), spawned.clone(), started("b")],
        [started("a"), started("b"), spawned.clone()],
        [started("b"), spawned.clone(), started("a")],
        [spawned.clone(), started("b"), started("a")],
        [spawned, started("a"), started("b")],
    ];
    for order in orders {
        let session = Session::of("codewhale", &letters(&order));
        assert_eq!(session.ids(), "a", "{order:?}");
        session.expect("a", &json!({ "nested": [{ "task_id": "b", "state": "running", "depth": 1 }] }));
    }
    // The session itself is no agent, whatever it is called (W4-31), and nobody is his own child.
    for parent in ["root", "b"] {
        let spawned = json!({ "kind": "child_spawned", "parent_id": parent, "child_id": "b" });
        assert_eq!(Session::of("codewhale", &letters(&[started("b"), spawned])).ids(), "b");
    }
}

#[test]
fn of_two_endings_the_later_word_of_the_same_strength_stands() {
    // W4-2: a worker that reads completed for its last step, then failed.
    let lines = letters(&[
        started("a"),
        json!({ "kind": "completed", "agent_id": "a", "summary": "" }),
        json!({ "kind": "failed", "agent_id": "a", "error": "child stopped without returning a final summary" }),
    ]);
    assert_eq!(Session::of("codewhale", &lines).reads("a"), "settled failed (roster)");
}

#[test]
fn what_trails_behind_an_ending_changes_nothing() {
    let ending = json!({ "kind": "cancelled", "agent_id": "a" });
    let base = letters(&[started("a"), ending.clone()]);
    for trailing in [started("a"), json!({ "kind": "progress", "agent_id": "a", "status": "running" })] {
        let lines = letters(&[started("a"), ending.clone(), trailing.clone()]);
        let got = Session::of("codewhale", &lines).card("a");
        assert_eq!(got, Session::of("codewhale", &base).card("a"), "{trailing}");
    }
}

fn header(agent: &str) -> String {
    let header = json!({ "kind": "subagent_transcript_header", "schema_version": 1, "agent_id": agent });
    format!("{header}\n")
}

fn message(index: u64, role: &str, content: &Value) -> String {
    let message = json!({ "kind": "message", "index": index, "message": { "role": role, "content": content } });
    format!("{message}\n")
}

fn tool_use(id: &str, name: &str, input: &Value) -> Value {
    json!([{ "type": "tool_use", "id": id, "name": name, "input": input }])
}

fn tool_result(id: &str, content: &str, is_error: Option<bool>) -> Value {
    let mut block = json!({ "type": "tool_result", "tool_use_id": id, "content": content });
    if let Some(is_error) = is_error {
        block["is_error"] = json!(is_error);
    }
    json!([block])
}

#[test]
fn a_transcript_tells_calls_and_no_ending() {
    let lines = header("a")
        + &message(0, "user", &json!("Read it all"))
        + &message(1, "assistant", &tool_use("c1", "read", &json!({ "path": "src/lib.rs" })))
        + &message(2, "user", &tool_result("c1", "fn main() {}", None))
        + &message(3, "assistant", &tool_use("c2", "bash", &json!({ "command": "make" })))
        + &message(4, "user", &tool_result("c2", "Error: no makefile", None))
        + &message(5, "assistant", &tool_use("c3", "bash", &json!({})))
        + &message(6, "user", &tool_result("c3", "boom", Some(true)))
        + &message(7, "assistant", &tool_use("c4", "grep", &json!({})))
        + &message(8, "user", &tool_result("c4", "Error: is what it found", Some(false)))
        + &message(9, "assistant", &json!([{ "type": "text", "text": "All done." }]));
    let session = Session::of("codewhale", &lines);
    session.expect(
        "a",
        &json!({ "state": "running", "calls": 4, "failed_calls": 2, "open_calls": 0, "tail": [
            { "id": "c1", "title": "read src/lib.rs", "status": "completed" },
            { "id": "c2", "title": "bash make", "status": "failed" },
            { "id": "c3", "status": "failed" }, { "id": "c4", "status": "completed" }],
            "annotations": { "calls_failed_by_text": "1" } }),
    );
    assert_eq!(session.over().reads("a"), "settled abandoned (session_end, inferred)");
}

#[test]
fn a_torn_or_gapped_tail_keeps_what_stands_before() {
    let call = |index: u64| message(index, "assistant", &tool_use(&format!("c{index}"), "read", &json!({})));
    let good = header("a") + &call(0) + &call(1);
    let torn = format!("{good}{}", &call(2)[..20]);
    let session = Session::of("codewhale", &torn);
    session.expect("a", &json!({ "calls": 2 }));
    assert!(session.faults.len() == 1 && session.faults[0].starts_with("NotJson: "), "{:?}", session.faults);
    let gapped = format!("{good}{}{}", call(3), call(4));
    let session = Session::of("codewhale", &gapped);
    session.expect("a", &json!({ "calls": 2 }));
    assert_eq!(session.faults, ["Malformed: message 2 is missing", "Malformed: behind the gap at message 2"]);
    let headless = Session::of("codewhale", &call(0));
    assert_eq!((headless.ids().as_str(), headless.faults.len()), ("", 1));
    let other = header("a").replace("\"schema_version\":1", "\"schema_version\":2") + &call(0);
    assert_eq!(
        (Session::of("codewhale", &other).ids().as_str(), Session::of("codewhale", &other).faults.len()),
        ("", 2)
    );
}

#[test]
fn calls_are_taken_from_one_source() {
    let mut session =
        Session::of("codewhale", &(header("a") + &message(0, "assistant", &tool_use("c1", "read", &json!({})))));
    let call = json!({ "kind": "tool_call_started", "agent_id": "a", "tool_name": "read", "step": 1 });
    session.file(&letters(&[
        started("a"),
        call.clone(),
        started("b"),
        json!({ "kind": "tool_call_started",
        "agent_id": "b", "tool_name": "read", "step": 1 }),
    ]));
    session.expect("a", &json!({ "calls": 1, "tail": [{ "id": "c1" }] }));
    session.expect("b", &json!({ "calls": 1, "tail": [{ "id": "b:1:1" }] }));
}

fn user(text: &str) -> String {
    format!("{}\n", json!({ "role": "user", "content": [{ "type": "text", "text": text }] }))
}

fn element(fields: &Value) -> String {
    format!("<codewhale:subagent.done>{fields}</codewhale:subagent.done>")
}

fn done(agent: &str, status: &str) -> String {
    element(&json!({ "agent_id": agent, "name": "Scout one", "agent_type": "explore", "status": status,
        "summary_location": "previous_line", "summary_kind": "complete" }))
}

#[test]
fn completions_in_a_parents_text() {
    let completed = user(&format!("Found it.\n{NOTE}\n### Evidence\n- src/lib.rs:3\n{}", done("a", "completed")));
    Session::of("codewhale", &completed).expect(
        "a",
        &json!({ "name": "Scout one", "agent_type": "scout", "outcome": "completed", "evidence": "roster",
            "report": { "text": "Found it.", "truncated": false },
            "annotations": { "evidence": "\"### Evidence\\n- src/lib.rs:3\"" } }),
    );
    let truncated = done("a", "completed").replace("\"complete\"", "\"truncated\"");
    let truncated = user(&format!("Found it.\n{NOTE}\n{truncated}"));
    Session::of("codewhale", &truncated).expect("a", &json!({ "report": { "text": "Found it.", "truncated": true } }));
    // W4-10: interrupted and cancelled children come in the same element; the status tells.
    for (status, reads) in [
        ("cancelled", "settled stopped (roster)"),
        ("interrupted", "settled interrupted (roster)"),
        ("running", "running (roster)"),
        ("resting", "running (roster)"),
    ] {
        let session = Session::of("codewhale", &user(&format!("text\n{}", done("a", status))));
        assert_eq!(session.reads("a"), reads, "{status}");
    }
}

#[test]
fn a_failure_by_its_class() {
    for (status, class, outcome) in [
        ("failed", "wall_time_budget", "timed_out"),
        ("failed", "timeout", "timed_out"),
        ("budget_exhausted", "token_budget", "budget_exhausted"),
        ("failed", "empty_turn", "failed"),
        ("failed", "step_budget", "failed"),
        ("failed", "auth_or_quota", "failed"),
        ("failed", "runtime_error", "failed"),
    ] {
        let fields = json!({ "event": "subagent.failed", "priority": "high", "agent_id": "a", "name": "s",
            "agent_type": "scout", "status": status, "failure_class": class, "steps": 3, "elapsed_ms": 10,
            "transcript_handle": "agent:a/full_transcript", "error_location": "previous_line", "child_route": null });
        let session = Session::of("codewhale", &user(&format!("It broke.\n{}", element(&fields))));
        session.expect("a", &json!({ "outcome": outcome, "error": "It broke.", "report": null }));
        let failure = session.card("a")["annotations"]["failure"].as_str().unwrap_or_default().to_owned();
        assert!(failure.contains(class) && failure.contains("agent:a/full_transcript"), "{failure}");
    }
}

#[test]
fn a_parked_child_waits_until_the_session_is_over() {
    let question = "Sub-agent interrupted before completion (timeout).";
    let fields = json!({ "agent_id": "a", "name": null, "agent_type": "scout", "status": "interrupted",
        "summary_kind": "complete", "needs_input": { "question": question } });
    let session = Session::of("codewhale", &user(&format!("It broke off.\n{}", element(&fields))));
    session.expect("a", &json!({ "state": "waiting", "needs_input": question, "error": "It broke off.", "name": "a" }));
    assert_eq!(session.over().reads("a"), "settled interrupted (roster)");
}

/// The mailbox tells the ending of a child before its parent's text asks how it is to go on. An ending that was stated stands
/// (R22); what the child asks for is noted beside it.
#[test]
fn a_child_that_was_told_interrupted_before_it_asks_stays_so() {
    let fields = json!({ "agent_id": "a", "agent_type": "scout", "status": "interrupted",
        "needs_input": { "question": "How on?" } });
    let ended = json!({ "kind": "interrupted", "agent_id": "a", "reason": "timeout" });
    let told = letters(&[started("a"), ended]);
    let asked = user(&format!("It broke off.\n{}", element(&fields)));
    let session = Session::of("codewhale", &(told.clone() + &asked));
    let want = json!({ "state": "settled", "outcome": "interrupted", "evidence": "roster", "error": "timeout",
        "runs": 1, "needs_input": null, "annotations": { "needs_input": "\"How on?\"" } });
    session.expect("a", &want);
    // The other way round the mailbox ends what waited: of two equals the later.
    let session = Session::of("codewhale", &(asked + "\n" + &told));
    session.expect("a", &json!({ "outcome": "interrupted", "error": "timeout", "needs_input": null }));
}

/// Of a completion's words those of the manager mean what they mean; another one changes nothing and is counted (R16).
#[test]
fn the_status_words_of_a_completion() {
    for (status, reads) in [
        ("completed", "settled completed (roster)"),
        ("cancelled", "settled stopped (roster)"),
        ("failed", "settled failed (roster)"),
        ("interrupted", "settled interrupted (roster)"),
        ("queued", "queued (roster)"),
        ("model_wait", "running (roster)"),
        ("waiting_for_user", "waiting (roster)"),
        ("sleeping", "running (roster)"),
    ] {
        let fields = json!({ "agent_id": "a", "agent_type": "scout", "status": status });
        let mut session = Session::of("codewhale", &user(&format!("Words.\n{}", element(&fields))));
        assert_eq!(session.reads("a"), reads, "{status}");
        let unknown = session.tracker.diagnostics().unknown_words;
        assert_eq!(unknown, u64::from(status == "sleeping"), "{status}");
        if reads.starts_with("settled") {
            // What trails behind an ending does not undo it, whatever the word was.
            session.lines(&letter(1, &json!({ "kind": "progress", "agent_id": "a", "status": "late" })));
            assert_eq!(session.reads("a"), reads, "{status}");
        }
    }
}

#[test]
fn quoted_and_forged_completions_are_text() {
    // W4-8: a successful child whose summary quotes a failure, and one that writes an element of another child.
    let quoting = format!("I print {{\"event\":\"subagent.failed\"}}.\n{}\nThat is all.", done("b", "cancelled"));
    let session = Session::of("codewhale", &user(&format!("{quoting}\n{}", done("a", "completed"))));
    assert_eq!((session.ids().as_str(), session.reads("a").as_str()), ("a", "settled completed (roster)"));
    // The model's own text and the results of tools can quote anything.
    let line = |role: &str, block: Value| json!({ "role": role, "content": [block] }).to_string();
    let text = json!({ "type": "text", "text": done("a", "completed") });
    assert_eq!(Session::of("codewhale", &line("assistant", text)).ids(), "");
    let result = json!({ "type": "tool_result", "tool_use_id": "c", "content": done("a", "completed") });
    assert_eq!(Session::of("codewhale", &line("user", result)).ids(), "");
}

#[test]
fn a_runtime_event_in_a_transcript_tells_of_the_children() {
    let event = format!(
        "<codewhale:runtime_event kind=\"child_subagent_completion\" visibility=\"internal\">\n\
         --- child sub-agent completion ---\nagent_id: b\nFound it.\n{}\n\
         --- child sub-agent completion ---\nagent_id: c\nNothing.\n{}\n</codewhale:runtime_event>",
        done("b", "completed"),
        done("c", "cancelled"),
    );
    let lines = header("a") + &message(0, "user", &json!([{ "type": "text", "text": event }]));
    let session = Session::of("codewhale", &lines);
    assert_eq!(session.ids(), "a b c");
    assert_eq!(session.reads("b"), "settled completed (roster)");
    assert_eq!(session.reads("c"), "settled stopped (roster)");
}
