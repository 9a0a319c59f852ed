//! CodeWhale's state file: fields, defaults, damaged records, two machines that disagree, restarts.

use serde_json::{Value, json};

use crate::session::Session;

/// An agent row with these fields beside the ones that it must have.
fn agent(id: &str, status: &Value, fields: Value) -> Value {
    with(json!({ "id": id, "agent_type": "scout", "status": status, "prompt": "p", "duration_ms": 99 }), fields)
}

/// A worker row.
fn worker(id: &str, status: &str, fields: Value) -> Value {
    let spec = json!({ "worker_id": id, "agent_type": "scout", "objective": "look", "model": "m", "max_steps": 60 });
    with(json!({ "spec": spec, "status": status, "created_at_ms": 1_000, "steps_taken": 4 }), fields)
}

fn with(mut row: Value, fields: Value) -> Value {
    let (Some(row_fields), Value::Object(fields)) = (row.as_object_mut(), fields) else { panic!("both are objects") };
    for (name, value) in fields {
        match (row_fields.get_mut(&name), value) {
            (Some(known @ Value::Object(_)), Value::Object(value)) => {
                *known = with(known.clone(), Value::Object(value))
            }
            (_, value) => {
                row_fields.insert(name, value);
            }
        }
    }
    row
}

fn state(agents: Vec<Value>, workers: Vec<Value>) -> Value {
    json!({ "schema_version": 1, "snapshot_sequence": 1, "agents": agents, "workers": workers })
}

fn of(agents: Vec<Value>, workers: Vec<Value>) -> Session {
    let mut session = Session::new("codewhale");
    session.document(&state(agents, workers));
    session
}

fn noted(session: &Session, agent: &str, name: &str) -> Value {
    let card = session.card(agent);
    let text = card["annotations"][name].as_str().unwrap_or("null");
    serde_json::from_str(text).expect("an annotation is JSON")
}

#[test]
fn every_field_of_a_finished_agent() {
    let fields = json!({
        "nickname": "Linty", "session_name": "lint", "assignment": { "objective": "lint it", "role": "oracle" },
        "model": "m1", "result": "the result", "checkpoint": { "checkpoint_id": "c", "continuable": false,
            "continuation_handle": "agent:a:checkpoint:c", "reason": "completed", "messages": [{}] },
    });
    let row = worker(
        "a",
        "completed",
        json!({
            "started_at_ms": 1_500, "completed_at_ms": 9_000, "result_summary": "the summary",
            "usage": { "status": "reported", "total_tokens": 750, "cost_microusd": 12 },
            "artifacts": [{ "kind": "receipt", "name": "result_summary", "target": "a", "description": "d" }],
            "verification": { "status": "claim_mismatch", "summary": "src/x.rs" },
            "recommended_action": { "action": "something_old", "reason": "r" },
            "follow_up": { "latest_delivery": { "delivered": true, "timestamp_ms": 5 } },
            "spec": { "child_route": { "model_id": "m1" } },
        }),
    );
    let session = of(vec![agent("a", &json!("Completed"), fields)], vec![row]).over();
    session.expect(
        "a",
        &json!({
            "name": "Linty", "agent_type": "scout", "model": "m1", "outcome": "completed", "evidence": "roster",
            "started_at_ms": 1_500, "ended_at_ms": 9_000, "usage": { "total_tokens": 750, "duration_ms": null },
            "report": { "text": "the summary" }, "backgrounded": true, "error": null, "runs": 1,
        }),
    );
    assert_eq!(noted(&session, "a", "checkpoint")["continuation_handle"], "agent:a:checkpoint:c");
    assert_eq!(noted(&session, "a", "checkpoint")["messages"], json!(null));
    assert_eq!(noted(&session, "a", "usage")["cost_microusd"], 12);
    assert_eq!(noted(&session, "a", "artifacts")[0]["name"], "result_summary");
    assert_eq!(noted(&session, "a", "verification")["status"], "claim_mismatch");
    assert_eq!(noted(&session, "a", "recommended_action")["action"], "verify_self_report");
    assert_eq!(noted(&session, "a", "follow_up")["delivered"], true);
    assert_eq!(noted(&session, "a", "route")["model_id"], "m1");
    assert_eq!(noted(&session, "a", "objective"), "look");
    assert_eq!(noted(&session, "a", "steps"), json!({ "max": 60, "taken": 4 }));
    assert_eq!(noted(&session, "a", "statuses"), json!({ "agent": "completed", "worker": "completed" }));
    let count = session.card("a")["annotations"].as_object().map(serde_json::Map::len);
    assert!(count.is_some_and(|count| count <= 16), "{count:?}");
}

#[test]
fn defaults_of_what_is_missing() {
    let bare = json!({ "id": "a", "agent_type": "custom", "status": "Completed" });
    let session =
        of(vec![bare], vec![json!({ "spec": { "worker_id": "a", "agent_type": "custom" }, "status": "completed" })]);
    session.expect(
        "a",
        &json!({ "name": "a", "agent_type": "custom", "model": null, "started_at_ms": null, "ended_at_ms": null,
            "usage": null, "report": null }),
    );
    assert_eq!(noted(&session, "a", "verification"), json!({ "status": "self_report_only" }));
    assert_eq!(noted(&session, "a", "usage"), json!({ "status": "unknown" }));
    // The name of the session, else of the spec; a model that is not known is none; blank is missing.
    let fields = json!({ "session_name": " ", "model": "unknown", "result": "r" });
    let spec = json!({ "spec": { "session_name": "lint", "model": "unknown" }, "created_at_ms": 7 });
    let session = of(vec![agent("a", &json!("Completed"), fields)], vec![worker("a", "completed", spec)]);
    session.expect("a", &json!({ "name": "lint", "model": null, "started_at_ms": 7, "report": { "text": "r" } }));
}

#[test]
fn legacy_spellings_of_roles() {
    for (spelled, want) in [("General-Purpose", "worker"), ("explore", "scout"), ("oracle", "consultant")] {
        let session = of(vec![agent("a", &json!("Completed"), json!({ "agent_type": spelled }))], vec![]);
        session.expect("a", &json!({ "agent_type": want }));
    }
}

#[test]
fn one_bad_record_costs_that_record() {
    // W4-12: an unknown role or status, from a newer build.
    let good = |id: &str| agent(id, &json!("Completed"), json!({}));
    let session = of(
        vec![
            good("a"),
            agent("b", &json!("Hibernating"), json!({})),
            agent("c", &json!("Completed"), json!({ "agent_type": "wizard" })),
            json!(3),
            json!({ "status": "Completed" }),
            good("d"),
        ],
        vec![worker("e", "completed", json!({})), worker("f", "resting", json!({})), json!({ "status": "completed" })],
    );
    assert_eq!(session.ids(), "a d e");
    assert_eq!(
        session.faults,
        [
            "Malformed: agents[1]: `status` is \"Hibernating\"",
            "Malformed: agents[2]: `agent_type` is \"wizard\"",
            "Malformed: agents[3]: not an object",
            "Malformed: agents[4]: no readable `id`",
            "Malformed: workers[1]: `status` is \"resting\"",
            "Malformed: workers[2]: no readable `spec`",
        ]
    );
    // A file of another version says so.
    let mut session = Session::new("codewhale");
    session.document(&json!({ "schema_version": 2, "agents": [good("a")] }));
    assert_eq!((session.ids().as_str(), session.faults), ("", vec!["Malformed: a state file of version 2".to_owned()]));
}

#[test]
fn a_word_of_the_worker_does_not_beat_a_result_that_is_over() {
    // W4-3: cancelled, and a task between two waits then wrote running_tool. W4-4: the time of an end that is none.
    let row = worker("a", "running_tool", json!({ "completed_at_ms": 5_000 }));
    let session = of(vec![agent("a", &json!("Cancelled"), json!({}))], vec![row]);
    session.expect("a", &json!({ "outcome": "stopped", "ended_at_ms": 5_000 }));
    let row = worker("a", "running_tool", json!({ "completed_at_ms": 5_000 }));
    let session = of(vec![agent("a", &json!("Running"), json!({}))], vec![row]);
    session.expect("a", &json!({ "state": "running", "ended_at_ms": null }));
    // W4-16: nobody's duration.
    let session = of(vec![agent("a", &json!("Completed"), json!({ "duration_ms": 4_000 }))], vec![]);
    session.expect("a", &json!({ "usage": null }));
    // W4-11: a budget that ran out is one thing, whatever the worker calls it.
    let row = worker("a", "failed", json!({ "usage": { "status": "budget_exhausted", "total_tokens": 9 } }));
    for agents in [vec![agent("a", &json!("BudgetExhausted"), json!({}))], vec![]] {
        of(agents, vec![row.clone()]).expect("a", &json!({ "outcome": "budget_exhausted" }));
    }
}

#[test]
fn weaker_words_do_not_beat_the_record() {
    let letter = |fields: Value| json!({ "turn_id": "t", "seq": 1, "message": fields }).to_string();
    for (status, reads) in [
        (json!("Completed"), "settled completed (roster)"),
        (json!({ "Interrupted": "why" }), "settled interrupted (roster)"),
    ] {
        let mut session = of(vec![agent("a", &status, json!({}))], vec![]);
        session.file(&letter(json!({ "kind": "failed", "agent_id": "a", "error": "late" })));
        assert_eq!(session.reads("a"), reads);
    }
    // A parked agent's letter says interrupted; it waits all the same.
    let checkpoint = json!({ "checkpoint": { "continuable": true, "messages": [{}] } });
    let mut session = of(vec![agent("a", &json!({ "Interrupted": "why" }), checkpoint)], vec![]);
    session.file(&letter(json!({ "kind": "interrupted", "agent_id": "a", "reason": "why" })));
    assert_eq!(session.reads("a"), "waiting (roster)");
}

#[test]
fn a_checkpoint_without_messages_is_none_to_go_on_from() {
    for (checkpoint, reads) in [
        (json!({ "continuable": true, "messages": [{}] }), "waiting (roster)"),
        (json!({ "continuable": false, "messages": [{}] }), "settled interrupted (roster)"),
        (json!({ "continuable": true, "messages": [] }), "settled interrupted (roster)"),
        (json!({ "continuable": true }), "settled interrupted (roster)"),
        (json!(null), "settled interrupted (roster)"),
    ] {
        let row = agent("a", &json!({ "Interrupted": "why" }), json!({ "checkpoint": checkpoint }));
        let session = of(vec![row], vec![]);
        assert_eq!(session.reads("a"), reads, "{checkpoint}");
        session.expect("a", &json!({ "error": "why" }));
    }
}

#[test]
fn a_restart_interrupts_what_ran() {
    let session = || {
        of(
            vec![
                agent("a", &json!("Running"), json!({})),
                agent("b", &json!("Completed"), json!({})),
                agent(
                    "c",
                    &json!({ "Interrupted": "why" }),
                    json!({ "checkpoint": { "continuable": true, "messages": [{}] } }),
                ),
            ],
            vec![worker("a", "running_tool", json!({ "latest_message": "step 2/60: running tool 'bash'" }))],
        )
    };
    let live = session();
    live.expect("a", &json!({ "state": "running", "activity": "step 2/60: running tool 'bash'" }));
    let over = live.over();
    over.expect(
        "a",
        &json!({ "outcome": "interrupted", "evidence": "guessed", "inferred": true, "failed": true,
            "error": "Interrupted by process restart" }),
    );
    assert_eq!(over.reads("b"), "settled completed (roster)");
    over.expect("c", &json!({ "outcome": "interrupted", "evidence": "roster", "error": "why" }));
    // An agent that only a mailbox told of is nobody's to reconcile.
    let started = json!({ "kind": "started", "agent_id": "m", "agent_type": "scout" }).to_string();
    let mut session = session();
    session.file(&started);
    assert_eq!(session.over().reads("m"), "settled abandoned (session_end, inferred)");
}

#[test]
fn agents_below_agents_are_rows() {
    let child =
        |id: &str, parent: &str| worker(id, "completed", json!({ "parent_run_id": parent, "created_at_ms": 2_000 }));
    let top = worker("a", "completed", json!({}));
    let session = of(vec![], vec![child("b", "a"), child("c", "b"), top, child("d", "root"), child("e", "gone")]);
    assert_eq!(session.ids(), "a d e");
    session.expect(
        "a",
        &json!({ "nested": [{ "task_id": "b", "depth": 1, "parent_id": "a" }, { "task_id": "c", "depth": 2 }] }),
    );
    // The spec names the parent where the record does not; a child may stand before its parent, and circles are harmless.
    let spec = worker("b", "completed", json!({ "spec": { "parent_run_id": "a" }, "created_at_ms": 1 }));
    assert_eq!(of(vec![], vec![spec, worker("a", "completed", json!({}))]).ids(), "a");
    let circle = of(vec![], vec![child("x", "y"), child("y", "x"), child("z", "z")]);
    assert_eq!(circle.tracker.all_cards().map(|card| card.nested.len() + 1).sum::<usize>(), 3, "{circle}");
}

#[test]
fn calls_of_the_ring_are_a_lower_bound() {
    let event = |seq: u64, status: &str, message: &str| json!({ "seq": seq, "worker_id": "a", "status": status, "timestamp_ms": seq, "message": message, "step": 1 });
    let events = json!({ "events": [
        event(7, "running", "step 1/60: finished tool 'glob'"),
        event(8, "running_tool", "step 2/60: running tool 'read'"),
        event(9, "running_tool", "output spilled to /tmp/x"),
        event(10, "running", "step 2/60: finished tool 'read'"),
        event(11, "running_tool", "step 3/60: running tool 'bash'"),
        event(12, "running_tool", "approved on 'bash'"),
    ] });
    let running = agent("a", &json!("Running"), json!({}));
    let session = of(vec![running.clone()], vec![worker("a", "running_tool", events.clone())]);
    session.expect(
        "a",
        &json!({ "calls": 3, "open_calls": 1, "tail": [{ "name": "glob", "status": "completed" },
            { "name": "read", "status": "completed" }, { "name": "bash", "status": "pending" }],
            "annotations": { "calls_lower_bound": "true" } }),
    );
    // Where there is a transcript, its calls are the calls.
    let mut session = Session::new("codewhale");
    session.document(&state(vec![running], vec![worker("a", "running_tool", json!({}))]));
    session.file(concat!(
        r#"{"kind":"subagent_transcript_header","schema_version":1,"agent_id":"a"}"#,
        "\n",
        r#"{"kind":"message","index":0,"message":{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read"}]}}"#,
    ));
    session.expect("a", &json!({ "calls": 1, "tail": [{ "id": "c1" }], "annotations": { "calls_lower_bound": null } }));
}

#[test]
fn an_agent_that_goes_on_with_another_ones_work_has_run_before() {
    let resumed = |id: &str, from: &str, at: u64| {
        worker(
            id,
            "completed",
            json!({ "spec": { "launch_manifest": { "resume_from_agent_id": from } },
            "created_at_ms": at }),
        )
    };
    let first = worker("a", "interrupted", json!({ "latest_message": "why" }));
    let mut session = Session::new("codewhale");
    session.document(&state(vec![], vec![resumed("c", "b", 3_000), first, resumed("b", "a", 2_000)]));
    session.expect("a", &json!({ "runs": 1, "outcome": "interrupted" }));
    session.expect("b", &json!({ "runs": 2, "outcome": "completed", "started_at_ms": 2_000 }));
    session.expect("c", &json!({ "runs": 3, "outcome": "completed" }));
    // Their transcripts begin with the other's: a call counts where it was made, whichever is read first.
    let transcript = |agent: &str, calls: &[&str]| {
        let header = json!({ "kind": "subagent_transcript_header", "schema_version": 1, "agent_id": agent });
        let message = |(index, id): (usize, &&str)| {
            let call = json!({ "type": "tool_use", "id": id, "name": "read" });
            json!({ "kind": "message", "index": index, "message": { "role": "assistant", "content": [call] } })
        };
        let lines = std::iter::once(header).chain(calls.iter().enumerate().map(message));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let files = [transcript("c", &["1", "2", "3"]), transcript("b", &["1", "2"]), transcript("a", &["1"])].concat();
    session.file(&files);
    for (agent, call) in [("a", "1"), ("b", "2"), ("c", "3")] {
        session.expect(agent, &json!({ "calls": 1, "tail": [{ "id": call }] }));
    }
    // One whose source is gone has run once before; a circle ends.
    of(vec![], vec![resumed("b", "gone", 1)]).expect("b", &json!({ "runs": 2 }));
    let circle = of(vec![], vec![resumed("x", "y", 1), resumed("y", "x", 2)]);
    assert_eq!(circle.ids(), "x y");
}

#[test]
fn newer_snapshots_replace_older_ones() {
    let snapshot = |sequence: u64, status: Value| {
        let row = agent("a", &status, json!({}));
        format!("{}\n", json!({ "schema_version": 1, "snapshot_sequence": sequence, "agents": [row] }))
    };
    let running = snapshot(1, json!("Running"));
    let done = snapshot(2, json!("Completed"));
    let lines = format!("{running}{done}");
    assert_eq!(Session::of("codewhale", &lines).reads("a"), "settled completed (roster)");
    let late = format!("{}{}", snapshot(3, json!("Running")), done);
    assert_eq!(Session::of("codewhale", &late).reads("a"), "running (roster)");
    // The file at the older place counts only where there is no other.
    let mut session = Session::of("codewhale", &snapshot(1, json!("Running")));
    session.file(&snapshot(9, json!("Completed")));
    assert_eq!(session.reads("a"), "running (roster)");
}
