//! `--until` and `--at`: a session as it stood at a frame or at a time.

use std::fs;
use std::path::{Path, PathBuf};

use cardfold_testkit::fixture;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{Ran, cardfold, list, program};

/// Level 2 and 3 agents in the background: 23:11:17 to 23:11:21 on 2026-11-30.
const NESTED: &str = "captures/2.1.332/04b-nested-background";

/// Streams and session files of some captures.
fn inputs() -> Vec<PathBuf> {
    let mut inputs = Vec::new();
    for name in ["2.1.332/04b-nested-background", "2.1.332/07b-resume-sendmessage", "2.0.77/05-failures"] {
        let folder = fixture::testdata().join("captures").join(name);
        inputs.push(folder.join("stream.jsonl"));
        inputs.push(stored(&folder));
    }
    inputs
}

/// The session file of a capture.
fn stored(folder: &Path) -> PathBuf {
    let entries = fs::read_dir(folder.join("transcripts")).expect("the capture has a store");
    let is_session = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".jsonl") && !name.starts_with("agent-")
    };
    let mut paths = entries.map(|entry| entry.expect("test data can be listed").path()).filter(is_session);
    paths.next().expect("the store has a session file")
}

fn run(words: &[&str], path: &Path) -> Ran {
    Ran::of(program(&["replay"]).args(words).arg(path).output().expect("the program can be started"))
}

/// The changes until frame N are the first of all changes, and the cards of the report are what they add up to.
#[test]
fn until_gives_what_the_first_frames_gave() {
    for path in inputs() {
        let whole = run(&["--format", "ndjson"], &path).out;
        let frames = list(&run(&["--format", "json"], &path).report(), "sessions")[0]["frames"].as_u64();
        let frames = frames.expect("a count of frames");
        for until in [0, 1, 2, frames / 2, frames - 1, frames, frames + 1, u64::MAX] {
            let frame = |line: &str| {
                serde_json::from_str::<Value>(line).expect("a line is JSON")["frame"].as_u64().expect("a number")
            };
            let first: String =
                whole.lines().filter(|line| frame(line) <= until).map(|line| format!("{line}\n")).collect();
            let number = until.to_string();
            let stopped = run(&["--format", "ndjson", "--until", &number], &path);
            assert_eq!((stopped.status, stopped.out), (Some(0), first), "{} until {until}", path.display());
            let report = run(&["--format", "json", "--until", &number], &path).report();
            let session = &list(&report, "sessions")[0];
            assert_eq!(session["stopped"], json!(until <= frames), "{} until {until}", path.display());
            assert_eq!(session["frames"], json!(frames.min(until)));
        }
    }
}

/// What did it look like at 23:11:19? Three agents were at work: that the session is over now does not matter.
#[test]
fn at_a_time_agents_are_running_that_ran_then() {
    let folder = fixture::testdata().join(NESTED);
    for path in [folder.join("stream.jsonl"), stored(&folder)] {
        let at = |time: &str| run(&["--format", "json", "--at", time], &path).report();
        for (time, cards) in [
            ("14:03", json!([])),
            ("23:11:18", json!([["running", null, []]])),
            ("23:11:19", json!([["running", null, [["Level 2 look", null], ["Level 3 look", null]]]])),
            ("23:11:20", json!([["running", null, [["Level 2 look", null], ["Level 3 look", "completed"]]]])),
            ("23:11:21", json!([["running", null, [["Level 2 look", "completed"], ["Level 3 look", "completed"]]]])),
        ] {
            assert_eq!(outline(&at(time)), json!([true, cards]), "{} at {time}", path.display());
        }
        for same in ["2026-11-30T23:11:19Z", "2026-12-01T00:11:19+01:00", "2026-11-30T18:11:19.000-05:00"] {
            assert_eq!(at(same), at("23:11:19"), "{same}");
        }
        let whole = run(&["--format", "json"], &path).report();
        assert_eq!(whole["sessions"][0]["cards"][0]["outcome"], "completed");
        assert_eq!(at("23:12"), whole, "by then it was over");
    }
}

/// Whether the session was stopped; state, outcome and nested rows of its cards.
fn outline(report: &Value) -> Value {
    let session = &list(report, "sessions")[0];
    let rows = |card: &Value| -> Value {
        list(card, "nested").iter().map(|row| json!([row["name"], row["outcome"]])).collect()
    };
    let cards: Value =
        list(session, "cards").iter().map(|card| json!([card["state"], card["outcome"], rows(card)])).collect();
    json!([session["stopped"], cards])
}

#[test]
fn people_are_told_where_it_stopped() {
    let words = format!("replay --at 23:11:19 {NESTED}/stream.jsonl");
    assert_snapshot!("stopped", cardfold(&words).out);
}

/// A time of day is of the first day of each session; a full time is the same moment for all.
#[test]
fn a_time_of_day_is_of_each_sessions_own_day() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, day, next) in [("s1", "2026-03-02", "2026-03-03"), ("s2", "2026-03-05", "2026-03-06")] {
        let line = |id: &str, time: &str| {
            let call = json!({ "type": "tool_use", "id": id, "name": "Agent", "input": { "description": id } });
            json!({ "type": "assistant", "uuid": id, "sessionId": name, "timestamp": time,
                "message": { "role": "assistant", "content": [call] } })
        };
        let lines = [("a", day, "09:00:00"), ("b", day, "14:03:00"), ("c", day, "14:03:01"), ("d", next, "08:00:00")];
        let lines = lines.map(|(id, day, time)| format!("{}\n", line(id, &format!("{day}T{time}Z"))));
        fs::write(folder.path().join(format!("{name}.jsonl")), lines.concat()).expect("a file can be written");
    }
    let shown = |at: &str| -> Value {
        let report = run(&["--format", "json", "--at", at], folder.path()).report();
        let ids =
            |session: &Value| list(session, "cards").iter().map(|card| card["dispatch_id"].clone()).collect::<Value>();
        list(&report, "sessions").iter().map(|session| json!([session["stopped"], ids(session)])).collect()
    };
    assert_eq!(shown("14:03"), json!([[true, ["a", "b"]], [true, ["a", "b"]]]));
    assert_eq!(shown("08:59"), json!([[true, []], [true, []]]));
    assert_eq!(shown("2026-03-05T14:03:00Z"), json!([[false, ["a", "b", "c", "d"]], [true, ["a", "b"]]]));
}

/// Streams of the oldest clients state no time: then there is nothing to stop at, which is said.
#[test]
fn a_session_without_times_is_shown_whole_and_that_is_said() {
    let path = fixture::testdata().join("captures/2.0.77/01-foreground/stream.jsonl");
    let (whole, at) = (run(&["--format", "json"], &path), run(&["--format", "json", "--at", "14:03"], &path));
    assert_eq!((at.status, &at.out), (Some(0), &whole.out));
    assert_eq!(at.err, "cardfold: no frame has a time in 1 session: --at shows everything there\n");
    assert_eq!(whole.err, "");
}

#[test]
fn what_is_no_frame_and_no_time_is_bad_usage() {
    for (option, value, told) in [
        ("--until", "", "not a number of frames"),
        ("--until", "-1", "not a number of frames"),
        ("--until", "3.5", "not a number of frames"),
        ("--until", "14:03", "not a number of frames"),
        ("--until", "99999999999999999999", "not a number of frames"),
        ("--at", "", "time of day in UTC (14:03"),
        ("--at", "25:00", "time of day in UTC (14:03"),
        ("--at", "2 pm", "time of day in UTC (14:03"),
        ("--at", "2026-03-02", "2026-03-02T14:03:00Z"),
        ("--at", "2026-03-02T14:03", "2026-03-02T14:03:00Z"),
        ("--at", "2026-03-02T14:03:00", "full time with its offset"),
    ] {
        let ran = run(&[option, value], &fixture::testdata().join(NESTED).join("stream.jsonl"));
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{option} {value:?}");
        assert!(ran.err.contains(told) && ran.err.contains(option), "{option} {value:?}: {}", ran.err);
    }
}
