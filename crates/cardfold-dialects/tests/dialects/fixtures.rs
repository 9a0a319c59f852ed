//! The inputs under `testdata/dialects/`: recognised by what they hold, and read as their `expect.json` says.

use cardfold_dialects::recognise;
use cardfold_testkit::expected::subset_differences;
use cardfold_testkit::fixture;
use serde_json::Value;

use crate::session::Session;

/// Holds a folder's files, read in this order, against its `expect.json`.
#[track_caller]
fn hold(folder: &str, dialect: &str, files: &[&str]) {
    let folder = fixture::testdata().join("dialects").join(folder);
    let mut session = Session::new(dialect);
    for file in files {
        let bytes = fixture::read(&folder.join(file));
        let lines: Vec<&[u8]> =
            if file.ends_with(".json") { vec![&bytes] } else { bytes.split(|byte| *byte == b'\n').collect() };
        let first = lines.iter().find_map(|line| recognise(line));
        assert_eq!(first.map(|make| make().name()), Some(dialect), "{file}");
        session.raw_file(&lines);
    }
    let session = session.over();
    let expect: Value = serde_json::from_slice(&fixture::read(&folder.join("expect.json"))).expect("it is JSON");
    let want = &expect["sessions"][0];
    let cards: Vec<Value> =
        session.tracker.cards().map(|card| serde_json::to_value(card).expect("a card is JSON")).collect();
    assert_eq!(subset_differences(&want["cards"], &Value::Array(cards), "cards"), [""; 0], "{session}");
    assert_eq!(session.faults.len() as u64, want["skipped"].as_u64().unwrap_or(0), "{session}");
    assert_eq!(session.tracker.diagnostics().unknown_frames, 0, "{session}");
}

#[test]
fn supervisor() {
    hold("supervisor/stream", "supervisor", &["input.jsonl"]);
    let agents = ["audit-c3", "scan-b2", "stop-d4"].map(|agent| format!("agents/{agent}/result.json"));
    hold("supervisor/results", "supervisor", &agents.each_ref().map(String::as_str));
}

#[test]
fn synaps() {
    hold("synaps/conversation", "synaps", &["input.jsonl"]);
    hold("synaps/two-processes", "synaps", &["input.jsonl"]);
}

#[test]
fn codewhale() {
    let state = "root/.codewhale/state/subagents.v1.json";
    let transcript = "root/.codewhale/state/subagent-transcripts/95aea3d3f1aff6d1a2973cc16c89426ad3fbc59105b3111a15a0f44997143113.jsonl";
    hold("codewhale/state", "codewhale", &[state, transcript]);
    hold("codewhale/mailbox", "codewhale", &["input.jsonl"]);
    hold("codewhale/conversation", "codewhale", &["input.jsonl"]);
}
