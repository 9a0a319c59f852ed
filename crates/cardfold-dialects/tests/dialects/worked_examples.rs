//! The worked examples of the systems' description, field by field.

use serde_json::json;

use crate::session::Session;

#[test]
fn supervisor_a_turn_that_succeeded() {
    let lines = r#"
{"version":1,"type":"turn.started","message_id":"m1","agent_id":"fix-a1","turn_id":"turn-1","timestamp":"2026-11-30T10:00:00Z","payload":{}}
{"version":1,"type":"tool.started","message_id":"m2","agent_id":"fix-a1","turn_id":"turn-1","timestamp":"2026-11-30T10:00:01Z","payload":{"tool_id":"t1","name":"bash"}}
{"version":1,"type":"tool.finished","message_id":"m3","agent_id":"fix-a1","turn_id":"turn-1","timestamp":"2026-11-30T10:00:03Z","payload":{"tool_id":"t1","name":"bash"}}
{"version":1,"type":"turn.result","message_id":"m4","agent_id":"fix-a1","turn_id":"turn-1","timestamp":"2026-11-30T10:00:05Z","payload":{"status":"succeeded","output":"Fixed the parser.\nTests pass.","usage":{"total_tokens":900},"error":null}}
"#;
    Session::of("supervisor", lines).over().expect(
        "fix-a1",
        &json!({
            "dispatch_id": "fix-a1", "name": "fix-a1", "agent_type": null, "kind": "agent", "task_id": "fix-a1",
            "state": "settled", "running": false, "outcome": "completed", "failed": false, "evidence": "roster",
            "inferred": false, "backgrounded": true, "started_at_ms": 1_796_032_800_000_i64,
            "ended_at_ms": 1_796_032_805_000_i64, "calls": 1, "open_calls": 0, "failed_calls": 0,
            "tail": [{ "id": "t1", "name": "bash", "title": "bash", "status": "completed" }],
            "usage": { "total_tokens": 900, "tool_uses": null, "duration_ms": null },
            "report": { "text": "Fixed the parser.\nTests pass.", "truncated": false },
            "error": null, "needs_input": null, "runs": 1, "nested": [],
        }),
    );
}

#[test]
fn supervisor_a_result_file() {
    let result = json!({
        "version": 1, "agent_id": "scan-b2", "turn_id": "turn-3", "status": "failed", "summary": "Scanned 40 files",
        "output": "Scanned 40 files\n...[output truncated]",
        "error": { "code": "deadline_exceeded",
            "message": "subagent turn deadline exceeded; partial output is preserved in the result and history" },
        "shutdown_origin": "deadline", "created_at": "2026-11-30T11:00:00Z",
    });
    let mut session = Session::new("supervisor");
    session.bytes(format!("{:#}\n", result).as_bytes());
    session.over().expect(
        "scan-b2",
        &json!({
            "dispatch_id": "scan-b2", "name": "scan-b2", "state": "settled", "outcome": "timed_out", "failed": true,
            "evidence": "roster", "backgrounded": true, "started_at_ms": null,
            "error": "deadline_exceeded: subagent turn deadline exceeded; \
                      partial output is preserved in the result and history",
            "ended_at_ms": 1_796_036_400_000_i64, "calls": 0, "usage": null,
            "report": { "text": "Scanned 40 files", "truncated": true }, "runs": 1,
            "annotations": { "shutdown_origin": "\"deadline\"", "turn_id": "\"turn-3\"" },
        }),
    );
}

#[test]
fn synaps_an_outcome_that_is_guessed() {
    let lines = r#"
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"tu_1","name":"subagent_start","input":{"system_prompt":"…","name":"gif recorder","task":"Record the demo","role":"implementer"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"tu_1","content":"{\"handle_id\":\"sa_4\",\"agent_name\":\"gif-recorder\",\"status\":\"running\"}"}]}}
{"event":"subagent_start","subagent_id":4,"agent_name":"gif-recorder","task_preview":"Record the demo","at_ms":1000}
{"event":"subagent_done","subagent_id":4,"agent_name":"gif-recorder","result_preview":"Recorded demo.gif (12 s).","duration_secs":8.25,"at_ms":9250}
"#;
    let session = Session::of("synaps", lines).over();
    assert_eq!(session.ids(), "tu_1");
    session.expect(
        "tu_1",
        &json!({
            "dispatch_id": "tu_1", "name": "gif-recorder", "agent_type": "implementer", "task_id": "sa_4",
            "state": "settled", "outcome": "completed", "failed": false, "evidence": "guessed", "inferred": true,
            "backgrounded": true, "started_at_ms": 1000, "ended_at_ms": 9250,
            "usage": { "total_tokens": null, "tool_uses": null, "duration_ms": 8250 },
            "report": { "text": "Recorded demo.gif (12 s).", "truncated": false }, "error": null, "runs": 1,
        }),
    );
}

#[test]
fn synaps_a_completion_decides() {
    let lines = r#"
{"event":"subagent_start","subagent_id":7,"agent_name":"inline","task_preview":"Sweep logs","at_ms":50}
{"event":"subagent_done","subagent_id":7,"agent_name":"inline","result_preview":"Read 3 of 9 files","duration_secs":60.0,"at_ms":60050}
{"event":"subagent_completion","subagent_id":7,"status":"timed_out","duration_secs":60.0}
"#;
    Session::of("synaps", lines).over().expect(
        "sa_7",
        &json!({
            "dispatch_id": "sa_7", "name": "inline", "state": "settled", "outcome": "timed_out", "failed": true,
            "evidence": "roster", "inferred": false, "backgrounded": true, "started_at_ms": 50, "ended_at_ms": 60050,
            "usage": { "total_tokens": null, "tool_uses": null, "duration_ms": 60000 },
            "report": { "text": "Read 3 of 9 files", "truncated": false }, "runs": 1,
        }),
    );
}

#[test]
fn codewhale_a_mailbox() {
    let lines = r#"
{"turn_id":"t1","seq":1,"message":{"kind":"started","agent_id":"agent_1a2b3c4d","agent_type":"scout"}}
{"turn_id":"t1","seq":2,"message":{"kind":"progress","agent_id":"agent_1a2b3c4d","status":"queued: waiting for a sub-agent launch slot"}}
{"turn_id":"t1","seq":3,"message":{"kind":"started","agent_id":"agent_1a2b3c4d","agent_type":"scout"}}
{"turn_id":"t1","seq":4,"message":{"kind":"tool_call_started","agent_id":"agent_1a2b3c4d","tool_name":"read","step":1}}
{"turn_id":"t1","seq":5,"message":{"kind":"tool_call_completed","agent_id":"agent_1a2b3c4d","tool_name":"read","step":1,"ok":false}}
{"turn_id":"t1","seq":6,"message":{"kind":"interrupted","agent_id":"agent_1a2b3c4d","reason":"API call timed out after 600000ms on 6 API attempt(s); checkpoint preserved for continuation"}}
"#;
    let lines: Vec<&str> = lines.trim().lines().collect();
    let mut session = Session::new("codewhale");
    let mut states = Vec::new();
    for line in &lines {
        session.lines(line);
        states.push(session.card("agent_1a2b3c4d")["state"].as_str().expect("a state is a word").to_owned());
    }
    assert_eq!(states, ["running", "queued", "running", "running", "running", "settled"]);
    session.over().expect(
        "agent_1a2b3c4d",
        &json!({
            "dispatch_id": "agent_1a2b3c4d", "name": "agent_1a2b3c4d", "agent_type": "scout", "state": "settled",
            "outcome": "interrupted", "failed": true, "evidence": "roster", "backgrounded": true,
            "error": "API call timed out after 600000ms on 6 API attempt(s); checkpoint preserved for continuation",
            "calls": 1, "failed_calls": 1,
            "tail": [{ "name": "read", "title": "read", "status": "failed" }], "runs": 1,
        }),
    );
}

#[test]
fn codewhale_a_parked_agent_in_a_state_file() {
    let question = "Sub-agent interrupted before completion (fatal provider error: 500; checkpoint preserved for \
                    continuation). Re-dispatch this worker or provide explicit follow-up using checkpoint \
                    agent:agent_0000beef:checkpoint:c.";
    let reason = "fatal provider error: 500; checkpoint preserved for continuation";
    let state = json!({
        "schema_version": 1, "snapshot_sequence": 9,
        "agents": [{
            "id": "agent_0000beef", "session_name": "lint", "agent_type": "explore", "prompt": "p",
            "assignment": { "objective": "lint it" }, "status": { "Interrupted": reason }, "result": null,
            "steps_taken": 4,
            "checkpoint": {
                "checkpoint_id": "c", "agent_id": "agent_0000beef",
                "continuation_handle": "agent:agent_0000beef:checkpoint:c", "reason": "fatal_provider_error",
                "continuable": true, "steps_taken": 4, "message_count": 9, "created_at_ms": 5000,
                "messages": [{ "role": "user", "content": [] }],
            },
            "needs_input": { "question": question }, "duration_ms": 4000, "allowed_tools": [], "updated_at_ms": 6000,
            "session_boot_id": "boot_old",
        }],
        "workers": [{
            "spec": {
                "worker_id": "agent_0000beef", "objective": "lint it", "agent_type": "scout", "model": "m",
                "workspace": "/w", "context_mode": "fresh", "fork_context": false, "tool_profile": "inherited",
                "max_steps": 60, "spawn_depth": 2, "max_spawn_depth": 3, "parent_run_id": "agent_0000aaaa",
            },
            "parent_run_id": "agent_0000aaaa",
            "usage": { "status": "reported", "input_tokens": 700, "output_tokens": 50, "total_tokens": 750,
                "note": "n" },
            "status": "waiting_for_user", "created_at_ms": 1000, "updated_at_ms": 5100, "started_at_ms": 1001,
            "completed_at_ms": 5050, "steps_taken": 4, "events": [],
        }],
    });
    let mut session = Session::new("codewhale");
    session.document(&state);
    let shown = format!("{}…", question.chars().take(119).collect::<String>());
    let card = json!({
        "dispatch_id": "agent_0000beef", "name": "lint", "agent_type": "scout", "state": "waiting", "running": true,
        "outcome": null, "backgrounded": true, "started_at_ms": 1001, "ended_at_ms": null,
        "usage": { "total_tokens": 750 }, "calls": 0, "needs_input": shown, "error": reason, "model": "m",
        "runs": 1, "nested": [],
    });
    session.expect("agent_0000beef", &card);
    let annotations = session.card("agent_0000beef")["annotations"].clone();
    let noted = |name: &str| -> serde_json::Value {
        serde_json::from_str(annotations[name].as_str().unwrap_or("null")).expect("an annotation is JSON")
    };
    assert_eq!(noted("needs_input"), question, "the whole question");
    assert_eq!(noted("usage")["input_tokens"], 700);
    assert_eq!(noted("usage")["output_tokens"], 50);
    assert_eq!(noted("checkpoint")["continuation_handle"], "agent:agent_0000beef:checkpoint:c");
    assert_eq!(noted("recommended_action"), json!({ "action": "inspect_or_replace", "tool": "handle_read" }));
    assert_eq!(session.over().reads("agent_0000beef"), "settled interrupted (roster)");
}
