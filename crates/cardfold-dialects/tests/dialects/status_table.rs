//! The unified status table, row by row: for each word of each system, how a card reads while the session goes on, and
//! when it is over.

use cardfold_testkit::script::reads;
use serde_json::{Value, json};

use crate::session::Session;

/// A row: what is written, the card, how it reads, how it reads once the session is over where that differs, and
/// whether it failed then.
struct Row {
    dialect: &'static str,
    lines: Vec<Value>,
    card: &'static str,
    live: &'static str,
    over: &'static str,
    failed: bool,
}

impl Row {
    fn new(dialect: &'static str, card: &'static str, lines: Vec<Value>, live: &'static str) -> Self {
        Self { dialect, lines, card, live, over: live, failed: false }
    }

    fn over(self, over: &'static str) -> Self {
        Self { over, ..self }
    }

    fn failed(self) -> Self {
        Self { failed: true, ..self }
    }

    #[track_caller]
    fn hold(&self) {
        let text: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        let session = Session::of(self.dialect, &text);
        assert_eq!(session.reads(self.card), self.live, "live: {text}{session}");
        let session = session.over();
        assert_eq!(session.reads(self.card), self.over, "over: {text}{session}");
        assert_eq!(session.card(self.card)["failed"], self.failed, "{text}{session}");
        assert_eq!(session.faults, [""; 0], "{text}");
    }
}

const ABANDONED: &str = "settled abandoned (session_end, inferred)";

/// A line of the supervisor about agent `a`.
fn line(kind: &str, payload: &Value) -> Value {
    json!({ "version": 1, "type": kind, "agent_id": "a", "turn_id": "t", "timestamp": "2026-11-30T10:00:00Z",
        "payload": payload })
}

fn supervisor(lines: Vec<Value>, live: &'static str) -> Row {
    Row::new("supervisor", "a", lines, live)
}

/// A turn that ended with this result.
fn result(status: &str, code: Option<&str>, origin: Option<&str>) -> Vec<Value> {
    let error = code.map(|code| json!({ "code": code, "message": "m" }));
    let result = json!({ "status": status, "error": error, "shutdown_origin": origin });
    vec![line("turn.started", &json!({})), line("turn.result", &result)]
}

#[test]
fn supervisor_results() {
    supervisor(result("succeeded", None, None), "settled completed (roster)").hold();
    supervisor(result("failed", None, None), "settled failed (roster)").failed().hold();
    supervisor(result("failed", Some("deadline_exceeded"), None), "settled timed_out (roster)").failed().hold();
    supervisor(result("failed", None, Some("deadline")), "settled timed_out (roster)").failed().hold();
    for origin in ["targeted", "session", "process"] {
        supervisor(result("canceled", None, Some(origin)), "settled stopped (roster)").failed().hold();
    }
    supervisor(result("canceled", Some("deadline_exceeded"), None), "settled timed_out (roster)").failed().hold();
}

#[test]
fn supervisor_live_lines() {
    let ready = || vec![line("agent.ready", &json!({}))];
    let started = || vec![line("turn.started", &json!({}))];
    supervisor(ready(), "queued (roster)").over(ABANDONED).hold();
    supervisor(started(), "running (roster)").over(ABANDONED).hold();
    supervisor(vec![line("turn.progress", &json!({ "text": "reading" }))], "running (roster)").over(ABANDONED).hold();
    supervisor(vec![line("tool.started", &json!({ "name": "bash" }))], "running (roster)").over(ABANDONED).hold();
    let with = |lines: Vec<Value>, kind: &str, payload: Value| [lines, vec![line(kind, &payload)]].concat();
    supervisor(with(started(), "message.delta", json!({ "text": "x" })), "running (roster)").over(ABANDONED).hold();
    supervisor(with(started(), "agent.idle", json!({})), "running (roster)").over(ABANDONED).hold();
    let done = with(result("succeeded", None, None), "agent.idle", json!({}));
    supervisor(done, "settled completed (roster)").hold();
}

#[test]
fn supervisor_exits_without_a_result() {
    let exited = |payload: Value| vec![line("turn.started", &json!({})), line("agent.exited", &payload)];
    supervisor(exited(json!({ "code": 0 })), "settled ended (guessed, inferred)").hold();
    supervisor(exited(json!({ "code": 3 })), "settled failed (roster)").failed().hold();
    supervisor(exited(json!({ "origin": "deadline" })), "settled timed_out (roster)").failed().hold();
    for origin in ["targeted", "session", "process"] {
        supervisor(exited(json!({ "code": 0, "origin": origin })), "settled stopped (roster)").failed().hold();
    }
}

fn call() -> Value {
    json!({ "type": "assistant", "message": { "content": [
        { "type": "tool_use", "id": "tu", "name": "subagent_start", "input": { "task": "x", "name": "n" } }] } })
}

fn receipt() -> Value {
    json!({ "type": "user", "message": { "content": [{ "type": "tool_result", "tool_use_id": "tu",
        "content": r#"{"handle_id":"sa_1","agent_name":"n","status":"running"}"# }] } })
}

fn done(preview: &str) -> Value {
    json!({ "event": "subagent_done", "subagent_id": 1, "agent_name": "n", "result_preview": preview,
        "duration_secs": 1.0 })
}

fn completion(status: &Value) -> Value {
    json!({ "event": "subagent_completion", "subagent_id": 1, "status": status })
}

#[test]
fn synaps_words() {
    let synaps = |lines: Vec<Value>, live| Row::new("synaps", "tu", lines, live);
    let start = json!({ "event": "subagent_start", "subagent_id": 1, "agent_name": "n", "task_preview": "x" });
    synaps(vec![call()], "queued (roster)").over(ABANDONED).hold();
    synaps(vec![call(), receipt()], "running (roster)").over(ABANDONED).hold();
    synaps(vec![call(), receipt(), start.clone()], "running (roster)").over(ABANDONED).hold();
    // A start whose end never comes (W3-2).
    Row::new("synaps", "sa_1", vec![start], "running (roster)").over(ABANDONED).hold();
    let ended = |line: Value, live| synaps(vec![call(), receipt(), line], live);
    ended(completion(&json!("completed")), "settled completed (roster)").hold();
    ended(completion(&json!({ "Failed": "boom" })), "settled failed (roster)").failed().hold();
    ended(completion(&json!("timed_out")), "settled timed_out (roster)").failed().hold();
    ended(completion(&json!("cancelled")), "settled stopped (roster)").failed().hold();
    ended(done("Done."), "settled completed (guessed, inferred)").hold();
    ended(done("ERROR: boom"), "settled failed (guessed, inferred)").failed().hold();
    ended(done("[TIMED OUT] partly"), "settled timed_out (guessed, inferred)").failed().hold();
}

/// A state file with one agent row, one worker row, or both.
fn state(status: Option<Value>, worker: Option<&str>, continuable: bool) -> Vec<Value> {
    let checkpoint = json!({ "continuable": continuable, "messages": [{}] });
    let agent =
        status.map(|status| json!({ "id": "a", "agent_type": "scout", "status": status, "checkpoint": checkpoint }));
    let spec = json!({ "worker_id": "a", "agent_type": "scout" });
    let worker = worker.map(|status| json!({ "spec": spec, "status": status, "created_at_ms": 1 }));
    let list = |row: Option<Value>| row.into_iter().collect::<Vec<_>>();
    vec![json!({ "schema_version": 1, "agents": list(agent), "workers": list(worker) })]
}

fn codewhale(lines: Vec<Value>, live: &'static str) -> Row {
    Row::new("codewhale", "a", lines, live)
}

const RESTARTED: &str = "settled interrupted (guessed, inferred)";

#[test]
fn codewhale_live_words() {
    codewhale(state(None, Some("queued"), false), "queued (roster)").over(RESTARTED).failed().hold();
    codewhale(state(Some(json!("Running")), Some("queued"), false), "queued (roster)").over(RESTARTED).failed().hold();
    for word in ["starting", "running", "model_wait", "running_tool"] {
        codewhale(state(None, Some(word), false), "running (roster)").over(RESTARTED).failed().hold();
        let both = state(Some(json!("Running")), Some(word), false);
        codewhale(both, "running (roster)").over(RESTARTED).failed().hold();
    }
    codewhale(state(Some(json!("Running")), None, false), "running (roster)").over(RESTARTED).failed().hold();
    // An agent that waits for an approval is one that runs.
    let approval = state(Some(json!("Running")), Some("waiting_for_user"), false);
    codewhale(approval, "waiting (roster)").over(RESTARTED).failed().hold();
    let parked = "settled interrupted (roster)";
    codewhale(state(None, Some("waiting_for_user"), false), "waiting (roster)").over(parked).failed().hold();
}

#[test]
fn codewhale_endings() {
    codewhale(state(Some(json!("Completed")), None, false), "settled completed (roster)").hold();
    codewhale(state(None, Some("completed"), false), "settled completed (roster)").hold();
    let failed = |error: &str| state(Some(json!({ "Failed": error })), Some("failed"), false);
    codewhale(failed("boom"), "settled failed (roster)").failed().hold();
    let wall = failed("child wall-time budget exhausted (limit: 5s); x");
    codewhale(wall, "settled timed_out (roster)").failed().hold();
    codewhale(failed("API call timed out"), "settled timed_out (roster)").failed().hold();
    codewhale(state(None, Some("failed"), false), "settled failed (roster)").failed().hold();
    let budget = "settled budget_exhausted (roster)";
    codewhale(state(Some(json!("BudgetExhausted")), Some("failed"), false), budget).failed().hold();
    codewhale(state(Some(json!("Cancelled")), Some("cancelled"), false), "settled stopped (roster)").failed().hold();
    codewhale(state(None, Some("cancelled"), false), "settled stopped (roster)").failed().hold();
    let interrupted = json!({ "Interrupted": "why" });
    let settled = "settled interrupted (roster)";
    codewhale(state(Some(interrupted.clone()), Some("interrupted"), false), settled).failed().hold();
    codewhale(state(None, Some("interrupted"), false), settled).failed().hold();
    let parked = state(Some(interrupted), Some("interrupted"), true);
    codewhale(parked, "waiting (roster)").over(settled).failed().hold();
}

#[test]
fn calls() {
    let call = |lines: Vec<Value>, dialect: &str, card: &str| {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        Session::of(dialect, &text).over().card(card)["tail"][0]["status"].as_str().map(str::to_owned)
    };
    let finished = |payload: Value| {
        let start = line("tool.started", &json!({ "tool_id": "c", "name": "bash" }));
        call(vec![start, line("tool.finished", &payload)], "supervisor", "a")
    };
    for error in [json!(null), json!("")] {
        assert_eq!(finished(json!({ "tool_id": "c", "error": error })).as_deref(), Some("completed"), "{error}");
    }
    for error in [json!("boom"), json!({ "message": "boom" })] {
        assert_eq!(finished(json!({ "tool_id": "c", "error": error })).as_deref(), Some("failed"), "{error}");
    }
    let open = vec![line("tool.started", &json!({ "name": "bash" })), line("agent.exited", &json!({ "code": 1 }))];
    assert_eq!(call(open, "supervisor", "a").as_deref(), Some("cut_off"));
    let letter = |fields: Value| json!({ "message": fields });
    for (ok, want) in [(true, "completed"), (false, "failed")] {
        let start = letter(json!({ "kind": "tool_call_started", "agent_id": "a", "tool_name": "read", "step": 1 }));
        let end = json!({ "kind": "tool_call_completed", "agent_id": "a", "tool_name": "read", "step": 1, "ok": ok });
        assert_eq!(call(vec![start, letter(end)], "codewhale", "a").as_deref(), Some(want));
    }
}

/// The client's own words and its stored conversations stand in the same table: what they read as is what the systems'
/// words are mapped to.
#[test]
fn the_clients_words() {
    for (script, live, over) in [
        // What a stored conversation tells of a dispatch.
        ("D a", "running (dispatch)", ABANDONED),
        ("D a, R a \"ok\"", "not drawn: running (dispatch)", "settled completed (returned, inferred)"),
        ("D a, R a! \"boom\"", "settled failed (error)", "settled failed (error)"),
        // What its roster and its answers say.
        ("D a, ACK a", "not drawn: running (dispatch)", ABANDONED),
        ("D a, TS t→a", "running (roster)", ABANDONED),
        ("D a, TP t→a", "running (roster)", ABANDONED),
        ("D a, TS t→a, TU t completed", "settled completed (roster)", "settled completed (roster)"),
        ("D a, TS t→a, TU t failed", "settled failed (roster)", "settled failed (roster)"),
        ("D a, TS t→a, TU t error", "settled failed (roster)", "settled failed (roster)"),
        ("D a, TS t→a, TU t killed", "settled stopped (roster)", "settled stopped (roster)"),
        ("D a, TS t→a, TU t stopped", "settled stopped (roster)", "settled stopped (roster)"),
        ("D a, TS t→a, TU t timed_out", "settled timed_out (roster)", "settled timed_out (roster)"),
        ("D a, TS t→a, TU t cancelled", "settled stopped (roster)", "settled stopped (roster)"),
        ("D a, TS t→a, TU t canceled", "settled stopped (roster)", "settled stopped (roster)"),
        ("D a, TS t→a, TU t aborted", "settled stopped (roster)", "settled stopped (roster)"),
        ("D a, TS t→a, TU t interrupted", "settled interrupted (roster)", "settled interrupted (roster)"),
        ("D a, TS t→a, TU t weird 9", "settled ended (roster)", "settled ended (roster)"),
        ("D a, TS t→a, TN t→a weird", "running (roster)", ABANDONED),
        ("D a, TS t→a, TU t weird", "running (roster)", ABANDONED),
        ("D a, HB a", "settled completed (report)", "settled completed (report)"),
        (
            "D a, ACK a, C x<a, R x, SAY a \"Done.\"",
            "running (dispatch)",
            "settled completed (calls_settled, inferred)",
        ),
    ] {
        assert_eq!(reads(script, "a"), live, "{script}");
        assert_eq!(reads(&format!("{script}, END"), "a"), over, "{script}");
    }
}
