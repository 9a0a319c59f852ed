//! Which system wrote a line, and where its files stand.

use std::path::{Path, PathBuf};

use cardfold_dialects::{dialect_named, dialects, recognise};
use cardfold_testkit::fixture;

fn whose(line: &str) -> &'static str {
    recognise(line.as_bytes()).map_or("nobody", |make| make().name())
}

#[test]
fn lines_of_each_system() {
    let lines = [
        (r#"{"version":1,"type":"turn.started","message_id":"m","agent_id":"a","payload":{}}"#, "supervisor"),
        (r#"{"version":1,"type":"agent.heartbeat","agent_id":"a","payload":{}}"#, "supervisor"),
        (r#"{"version":1,"agent_id":"a","turn_id":"t","status":"succeeded"}"#, "supervisor"),
        (r#"{"AgentID":"a","Data":{"agent_id":"a","turn_id":"t","status":"failed"}}"#, "supervisor"),
        (r#"{"event":"subagent_update","subagent_id":1}"#, "synaps"),
        (r#"{"SubagentDone":{"subagent_id":1}}"#, "synaps"),
        (r#"{"content_type":"subagent_completion","data":{}}"#, "synaps"),
        (
            r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"subagent_resume"}]}}"#,
            "synaps",
        ),
        (r#"{"message":{"kind":"progress","agent_id":"a"}}"#, "codewhale"),
        (r#"{"kind":"child_spawned","parent_id":"a","child_id":"b"}"#, "codewhale"),
        (r#"{"kind":"subagent_transcript_header","schema_version":1,"agent_id":"a"}"#, "codewhale"),
        (r#"{"schema_version":1,"agents":[]}"#, "codewhale"),
        (r#"{"role":"user","content":"x\n<codewhale:subagent.done>{}</codewhale:subagent.done>"}"#, "codewhale"),
        // Nobody's, or anybody's.
        ("", "nobody"),
        ("{", "nobody"),
        ("[]", "nobody"),
        (r#"{"type":"user","message":{"role":"user","content":"hi"}}"#, "nobody"),
        (r#"{"type":"turn.started"}"#, "nobody"),
        (r#"{"status":"failed","agent_id":"a"}"#, "nobody"),
        (r#"{"kind":"message","index":0,"message":{"role":"user","content":"x"}}"#, "nobody"),
        (r#"{"kind":"started"}"#, "nobody"),
        (r#"{"event":"started"}"#, "nobody"),
        (r#"{"role":"assistant","content":"<codewhale:subagent.done>"}"#, "nobody"),
        (r#"{"schema_version":1}"#, "nobody"),
    ];
    for (line, want) in lines {
        assert_eq!(whose(line), want, "{line}");
    }
}

#[test]
fn no_line_of_the_client_is_taken_for_anothers() {
    let mut lines = 0;
    for capture in fixture::captures() {
        for line in fixture::read(&capture.stream).split(|byte| *byte == b'\n') {
            assert!(recognise(line).is_none(), "{}: {}", capture.name, String::from_utf8_lossy(line));
            lines += 1;
        }
    }
    assert!(lines > 1_000, "{lines} lines");
}

#[test]
fn dialects_go_by_their_names() {
    let names: Vec<&str> = dialects().map(|make| make().name()).collect();
    assert_eq!(names, ["codewhale", "supervisor", "synaps"]);
    for name in names {
        assert_eq!(dialect_named(name).map(|make| make().name()), Some(name));
    }
    assert!(dialect_named("Synaps").is_none());
}

#[test]
fn files_that_are_one_value() {
    let documents: Vec<&str> = dialects().flat_map(|make| make().documents()).copied().collect();
    assert_eq!(documents, ["subagents.v1.json", "result.json"]);
}

#[test]
fn places_of_files() {
    let place = |dialect: &str, path: &str| {
        let place = dialect_named(dialect).expect("there is one")().place(Path::new(path));
        (place.home, place.rank)
    };
    let at = |home: &str, rank| (PathBuf::from(home), rank);
    assert_eq!(place("supervisor", "s/agents/a/result.json"), at("s/agents", 1));
    assert_eq!(place("supervisor", "s/stream.jsonl"), at("s/stream.jsonl", 0));
    assert_eq!(place("supervisor", "result.json"), at("result.json", 0));
    assert_eq!(place("codewhale", "r/.codewhale/state/subagents.v1.json"), at("r", 0));
    assert_eq!(place("codewhale", "r/.deepseek/state/subagents.v1.json"), at("r", 1));
    assert_eq!(place("codewhale", "r/.codewhale/state/subagent-transcripts/ab.jsonl"), at("r", 2));
    assert_eq!(place("codewhale", "d/subagents.v1.json"), at("d", 0));
    assert_eq!(place("codewhale", "d/subagent-transcripts/ab.jsonl"), at("d", 2));
    assert_eq!(place("codewhale", "r/mailbox.jsonl"), at("r/mailbox.jsonl", 3));
    assert_eq!(place("synaps", "s/session.jsonl"), at("s/session.jsonl", 0));
}
