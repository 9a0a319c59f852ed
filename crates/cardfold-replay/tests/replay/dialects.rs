//! Conversations of other systems: recognised by what they hold, or read as the caller says.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use cardfold_dialects::dialect_named;
use cardfold_replay::{Conversation, Options, Report, replay, replay_reader};
use cardfold_testkit::expected::subset_differences;
use serde_json::{Value, json};

use crate::common::{Lines, Store, children, copy_folder, only, problem_words, report_json, testdata};

const START: &str = r#"{"event":"subagent_start","subagent_id":7,"agent_name":"n","task_preview":"x","at_ms":50}"#;
const DONE: &str =
    r#"{"event":"subagent_done","subagent_id":7,"result_preview":"All.","duration_secs":1,"at_ms":1050}"#;

/// The folders of the fixtures, with what they must give.
fn fixtures() -> Vec<(PathBuf, Value)> {
    let systems = children(&testdata().join("dialects")).into_iter().filter(|path| path.is_dir());
    let folders: Vec<PathBuf> = systems.flat_map(|system| children(&system)).collect();
    assert!(folders.len() >= 7, "the fixtures are there");
    let expect = |folder: PathBuf| (folder.clone(), crate::common::read_json(&folder.join("expect.json")));
    folders.into_iter().map(expect).collect()
}

/// The path that the command of a fixture names.
fn input(folder: &Path, expect: &Value) -> PathBuf {
    let command = expect["command"].as_str().expect("a fixture has a command");
    folder.join(command.split_whitespace().last().expect("a command names a path"))
}

#[track_caller]
fn hold(report: &Report, expect: &Value, of: &str) {
    let report = report_json(report);
    let differences = subset_differences(&expect["sessions"], &report["sessions"], of);
    assert_eq!(differences, [""; 0], "{report:#}");
}

fn cards(report: &Report) -> Value {
    report_json(report)["sessions"][0]["cards"].clone()
}

#[test]
fn each_fixture_is_recognised_by_what_it_holds() {
    for (folder, expect) in fixtures() {
        let of = folder.to_string_lossy().into_owned();
        hold(&replay(&input(&folder, &expect), &Options::default()), &expect, &of);
        // The folder holds nothing but that.
        hold(&replay(&folder, &Options::default()), &expect, &of);
    }
}

#[test]
fn streams_and_other_names_are_recognised_as_well() {
    for (folder, expect) in fixtures() {
        let path = input(&folder, &expect);
        if path.is_dir() {
            continue;
        }
        let file = File::open(&path).expect("a fixture can be read");
        let of = folder.to_string_lossy().into_owned();
        hold(&replay_reader(file, "-", &Options::default()), &expect, &of);
        let store = Store::new();
        let copy = store.write("anything.at.all", fs::read(&path).expect("a fixture can be read"));
        hold(&replay(&copy, &Options::default()), &expect, &of);
    }
}

#[test]
fn a_file_that_is_one_value_is_recognised_in_any_form() {
    let results = testdata().join("dialects/supervisor/results/agents");
    let result = results.join("scan-b2/result.json");
    let pretty = fs::read(&result).expect("a fixture can be read");
    let value: Value = serde_json::from_slice(&pretty).expect("a fixture is JSON");
    let named = replay(&result, &Options::default());
    assert_eq!(only(&named).tracker.cards().count(), 1);
    for bytes in [pretty, value.to_string().into_bytes(), format!("\u{feff}\n{value}\n").into_bytes()] {
        let report = replay_reader(&bytes[..], "-", &Options::default());
        assert_eq!(cards(&report), cards(&named));
    }
}

#[test]
fn a_directory_of_everything_gives_each_its_session() {
    let store = Store::new();
    copy_folder(&testdata().join("dialects/codewhale/state/root"), &store.path("b"));
    copy_folder(&testdata().join("dialects/supervisor/results/agents"), &store.path("c/agents"));
    copy_folder(&testdata().join("dialects/synaps/conversation"), &store.path("d"));
    store.lines("a.jsonl", &Lines::main().prompt("Go").dispatch("toolu_A", "look").lines);
    // Files of such names that are nobody's we know.
    store.write("e/web/result.json", r#"{"status":"failed","agent_id":7}"#);
    store.write("f/subagents.v1.json", "[]");
    let report = replay(store.folder.path(), &Options::default());
    let found: Vec<(String, usize)> = report
        .sessions
        .iter()
        .map(|session| {
            let path = Path::new(&session.source).strip_prefix(store.folder.path()).expect("it stands in the folder");
            (path.to_string_lossy().into_owned(), session.tracker.cards().count())
        })
        .collect();
    let want = [("a.jsonl", 1), ("b", 3), ("c/agents", 3), ("d/input.jsonl", 5)];
    assert_eq!(found, want.map(|(path, cards)| (path.to_owned(), cards)));
    assert!(report.problems.is_empty(), "{:?}", report.problems);
}

#[test]
fn a_file_among_others_that_is_none_of_theirs_is_told() {
    let store = Store::new();
    copy_folder(&testdata().join("dialects/codewhale/state/root"), &store.path("r"));
    store.write("r/.codewhale/state/subagent-transcripts/notes.jsonl", "{\"note\":1}\n");
    let report = replay(store.folder.path(), &Options::default());
    let problems = problem_words(&only(&report).problems);
    assert!(problems.contains(&("no_frame".to_owned(), None)), "{problems:?}");
    // Files of such names do not hide the session whose folder it is.
    let store = Store::new();
    store.lines("subagents/agent-a1.jsonl", &Lines::agent("a1", 0).prompt("look").call("toolu_1").text("Done.").lines);
    store.write("web/x/result.json", "{}");
    assert_eq!(replay(store.folder.path(), &Options::default()).sessions.len(), 1);
}

#[test]
fn the_state_file_at_the_older_place_counts_only_alone() {
    let state = |status: &str| {
        let agent = json!({ "id": "a", "agent_type": "scout", "status": status });
        json!({ "schema_version": 1, "snapshot_sequence": 1, "agents": [agent] }).to_string()
    };
    let store = Store::new();
    store.write("r/.deepseek/state/subagents.v1.json", state("Cancelled"));
    let outcome = |store: &Store| {
        let report = replay(store.folder.path(), &Options::default());
        only(&report).tracker.cards().next().and_then(|card| card.outcome).map(|outcome| outcome.to_string())
    };
    assert_eq!(outcome(&store).as_deref(), Some("stopped"));
    store.write("r/.codewhale/state/subagents.v1.json", state("Completed"));
    assert_eq!(outcome(&store).as_deref(), Some("completed"));
}

#[test]
fn a_dialect_that_is_asked_for_is_taken() {
    let text = r#"{"type":"agent.ready","payload":{"agent_id":"a"}}"#;
    let recognised = replay_reader(text.as_bytes(), "-", &Options::default());
    assert_eq!(recognised.sessions.first().map_or(0, |session| session.tracker.cards().count()), 0);
    let mut options = Options::default();
    options.dialect = dialect_named("supervisor");
    let report = replay_reader(text.as_bytes(), "-", &options);
    assert_eq!(only(&report).tracker.cards().count(), 1);
    // Also against what it holds, and for all files of a directory.
    let store = Store::new();
    store.write("a.jsonl", text);
    store.lines("b.jsonl", &Lines::main().prompt("Go").dispatch("toolu_A", "look").lines);
    let report = replay(store.folder.path(), &options);
    let counts: Vec<usize> = report.sessions.iter().map(|session| session.tracker.cards().count()).collect();
    assert_eq!(counts, [1, 0]);
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    let text = format!("{START}\nnot json\n\n[1]\n{{\"event\":\"subagent_done\"}}\n{DONE}");
    let report = replay_reader(text.as_bytes(), "-", &Options::default());
    let session = only(&report);
    let problems = problem_words(&session.problems);
    let want = [("not_json", Some(2)), ("not_an_object", Some(4)), ("malformed", Some(5))];
    assert_eq!(problems, want.map(|(word, line)| (word.to_owned(), line)));
    assert_eq!((session.lines, session.skipped, session.frames > 0), (5, 3, true));
    let mut options = Options::default();
    options.max_line_bytes = 200;
    let text = format!("{START}\n{{\"event\":\"{}\"}}\n{DONE}", "x".repeat(300));
    let report = replay_reader(text.as_bytes(), "-", &options);
    assert_eq!(problem_words(&only(&report).problems), [("too_long".to_owned(), Some(2))]);
}

#[test]
fn a_conversation_that_goes_on_is_not_concluded() {
    let root = testdata().join("dialects/codewhale/state/root");
    let mut options = Options::default();
    options.live = true;
    let report = replay(&root, &options);
    let states: Vec<String> = only(&report).tracker.cards().map(|card| card.state.to_string()).collect();
    assert_eq!(states, ["settled", "running", "settled"]);
    let nested: Vec<String> =
        only(&report).tracker.cards().flat_map(|card| card.nested).map(|row| row.state.to_string()).collect();
    assert_eq!(nested, ["waiting"]);
    let mut options = Options::default();
    options.until_frame = Some(2);
    let text = format!("{START}\n{DONE}");
    let report = replay_reader(text.as_bytes(), "-", &options);
    assert!(only(&report).stopped);
    assert_eq!(only(&report).tracker.cards().next().map(|card| card.running), Some(true));
}

#[test]
fn a_host_can_drive_its_own_tracker() {
    let text = format!("{START}\n{DONE}");
    let mut tracker = cardfold::CardTracker::new();
    let mut conversation = Conversation::from_reader(text.as_bytes(), "-", &Options::default());
    for frame in conversation.by_ref() {
        tracker.apply(&frame);
    }
    assert_eq!(tracker.cards().next().map(|card| card.dispatch_id), Some("sa_7".to_owned()));
    assert_eq!(conversation.bytes_read(), text.len() as u64);
}
