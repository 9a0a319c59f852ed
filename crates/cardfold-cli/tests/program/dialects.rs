//! Other systems' lines and files: recognised, or asked for by name.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use cardfold_testkit::expected::subset_differences;
use cardfold_testkit::fixture;
use serde_json::Value;

use crate::{Ran, cardfold, list, program};

const FIXTURES: [&str; 7] = [
    "codewhale/conversation",
    "codewhale/mailbox",
    "codewhale/state",
    "supervisor/results",
    "supervisor/stream",
    "synaps/conversation",
    "synaps/two-processes",
];

fn folder(name: &str) -> PathBuf {
    fixture::testdata().join("dialects").join(name)
}

fn expectation(name: &str) -> Value {
    serde_json::from_slice(&fixture::read(&folder(name).join("expect.json"))).expect("an expectation is JSON")
}

#[track_caller]
fn hold(ran: &Ran, name: &str) {
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{name}");
    let differences = subset_differences(&expectation(name)["sessions"], &ran.report()["sessions"], name);
    assert_eq!(differences, [""; 0], "{}", ran.out);
}

#[test]
fn each_fixture_gives_what_it_must() {
    for name in FIXTURES {
        let expect = expectation(name);
        let command = expect["command"].as_str().expect("a fixture has a command");
        let system = name.split('/').next().expect("a fixture stands in the folder of its system");
        for named in [vec![], vec!["--dialect", system]] {
            let words = command.split(' ').chain(named);
            let output = program(&["replay"]).args(words).current_dir(folder(name)).output();
            hold(&Ran::of(output.expect("the program can be started")), name);
        }
    }
}

#[test]
fn a_stream_is_recognised_while_it_comes() {
    let mut child = program(&["replay", "--live", "--format", "ndjson", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let lines = fixture::read(&folder("codewhale/mailbox").join("input.jsonl"));
    child.stdin.take().expect("it is piped").write_all(&lines).expect("the program reads");
    let out = String::from_utf8(child.wait_with_output().expect("the program ends").stdout).expect("it prints UTF-8");
    let last: Value = serde_json::from_str(out.lines().last().expect("there are changes")).expect("a change is JSON");
    assert_eq!(
        (&last["card"]["dispatch_id"], &last["card"]["outcome"]),
        (&Value::from("agent_1a2b3c4d"), &Value::from("interrupted"))
    );
}

#[test]
fn a_system_that_there_is_not_is_bad_usage() {
    let ran = cardfold("replay --dialect klingon -");
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
    assert!(["codewhale", "supervisor", "synaps"].iter().all(|name| ran.err.contains(name)), "{}", ran.err);
    let help = cardfold("replay --help").out;
    assert!(help.contains("--dialect <SYSTEM>") && help.contains("codewhale"), "{help}");
}

#[test]
fn a_record_that_was_skipped_matters_when_strict() {
    let root = folder("codewhale/state").join("root");
    let output = program(&["replay", "--strict"]).arg(&root).output().expect("the program can be started");
    assert_eq!(Ran::of(output).status, Some(3));
}

#[test]
fn other_files_of_such_names_are_nobodys() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("result.json"), "{\"status\":\"ok\"}").expect("a file can be written");
    let output = program(&["replay", "--format", "json"]).arg(folder.path()).output();
    let ran = Ran::of(output.expect("the program can be started"));
    assert_eq!(ran.status, Some(1));
    assert!(list(&ran.report(), "sessions").is_empty() && list(&ran.report(), "problems").is_empty(), "{}", ran.out);
}
