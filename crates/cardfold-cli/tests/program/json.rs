//! The JSON form: the shape of section 5, and the values that the test data states.

use std::fs;

use cardfold_testkit::expected::{capture_differences, subset_differences};
use cardfold_testkit::fixture;
use serde_json::{Value, json};

use crate::{Ran, cardfold, list, program};

const REPORT_FIELDS: [&str; 4] = ["format", "sessions", "problems", "more_problems"];
const SESSION_FIELDS: [&str; 11] = [
    "session_id",
    "source",
    "lines",
    "frames",
    "skipped",
    "unknown",
    "undrawn",
    "stopped",
    "problems",
    "more_problems",
    "cards",
];
const CARD_FIELDS: [&str; 28] = [
    "dispatch_id",
    "name",
    "agent_type",
    "kind",
    "task_id",
    "state",
    "running",
    "outcome",
    "failed",
    "evidence",
    "inferred",
    "backgrounded",
    "started_at_ms",
    "ended_at_ms",
    "calls",
    "open_calls",
    "failed_calls",
    "tail",
    "usage",
    "model",
    "activity",
    "report",
    "error",
    "needs_input",
    "runs",
    "nested",
    "annotations",
    "revision",
];

fn fields(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn the_report_has_the_fields_of_the_contract() {
    let ran = cardfold("replay --format json captures/2.1.332/04b-nested-background/stream.jsonl");
    assert_eq!(ran.status, Some(0));
    assert_eq!(ran.out.matches('\n').count(), 1, "one line");
    let report = ran.report();
    assert_same(&fields(&report), &REPORT_FIELDS);
    assert_eq!(report["format"], "cardfold/1");
    let [session] = list(&report, "sessions") else { panic!("one session in {report}") };
    assert_same(&fields(session), &SESSION_FIELDS);
    assert_eq!(session["source"], "captures/2.1.332/04b-nested-background/stream.jsonl");
    assert_eq!(session["session_id"], "4241d8a9-0dee-4cd3-ba1b-ad35423f3c04");
    assert_eq!((&session["lines"], &session["frames"]), (&json!(55), &json!(55)));
    let [card] = list(session, "cards") else { panic!("one card in {session}") };
    assert_same(&fields(card), &CARD_FIELDS);
}

/// A JSON object has no order, so neither has the comparison.
fn assert_same(got: &[&str], wanted: &[&str]) {
    let sorted = |names: &[&str]| {
        let mut names = names.to_vec();
        names.sort_unstable();
        names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(sorted(got), sorted(wanted));
}

#[test]
fn a_problem_says_where_and_what() {
    let report = cardfold("replay --format json cases/line-damage/input.jsonl").report();
    let session = &list(&report, "sessions")[0];
    let problems = list(session, "problems");
    assert_eq!(session["skipped"], 4);
    assert_eq!(problems.len(), 4);
    for problem in problems {
        assert_same(&fields(problem), &["file", "line", "kind", "detail"]);
        assert_eq!(problem["file"], "cases/line-damage/input.jsonl");
        assert!(problem["line"].is_u64(), "{problem}");
    }
    let kinds: Vec<&Value> = problems.iter().map(|problem| &problem["kind"]).collect();
    assert_eq!(kinds, ["not_json", "not_utf8", "not_json", "not_json"]);
}

/// The list of problems has an end; what does not fit is counted, for a session and for what belongs to none.
#[test]
fn problems_past_the_first_thousand_are_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let garbage = "garbage\n".repeat(1_500);
    let frame = json!({ "type": "assistant", "session_id": "s", "message": { "content": [] } });
    fs::write(folder.path().join("a.jsonl"), format!("{frame}\n{garbage}")).expect("a file can be written");
    fs::write(folder.path().join("b.jsonl"), garbage).expect("a file can be written");
    let run = |words: &[&str]| {
        Ran::of(program(&["replay"]).args(words).arg(folder.path()).output().expect("the program can be started"))
    };
    let report = run(&["--format", "json"]).report();
    let session = &list(&report, "sessions")[0];
    let counts = |of: &Value| (list(of, "problems").len(), of["more_problems"].as_u64());
    assert_eq!((session["skipped"].as_u64(), counts(session)), (Some(1_500), (1_000, Some(500))));
    // One more says that the file has no frame.
    assert_eq!(counts(&report), (1_000, Some(501)));
    let text = run(&[]).out;
    assert!(text.contains("1,500 lines skipped"), "{text}");
    assert!(text.contains("and 1,490 problems more\n") && text.contains("and 1,491 problems more\n"), "{text}");
    for form in ["text", "json", "ndjson"] {
        let ran = run(&["--strict", "--format", form]);
        assert_eq!((ran.status, ran.err.as_str()), (Some(3), "cardfold: 3,000 lines could not be read\n"), "{form}");
    }
}

#[test]
fn every_stream_gives_the_expected_cards() {
    let mut differences = Vec::new();
    for capture in fixture::captures() {
        let path = capture.stream.to_str().expect("test data has plain names");
        let ran = Ran::of(program(&["replay", "--format", "json", path]).output().expect("the program can be started"));
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{path}");
        let report = ran.report();
        let cards: Vec<Value> =
            list(&report, "sessions").iter().flat_map(|session| list(session, "cards")).cloned().collect();
        let found = capture_differences(&capture.expected["stream"], &cards);
        differences.extend(found.into_iter().map(|difference| format!("{}: {difference}", capture.name)));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_case_gives_its_report() {
    let mut differences = Vec::new();
    for case in fixture::cases() {
        let mut command = program(&["replay"]);
        command.args(case.command()).current_dir(&case.folder);
        let ran = Ran::of(command.output().expect("the program can be started"));
        assert_eq!(ran.status, Some(0), "{}: {}", case.name, ran.err);
        differences.extend(subset_differences(&case.expect["sessions"], &ran.report()["sessions"], &case.name));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
