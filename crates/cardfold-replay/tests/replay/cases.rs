//! Every case of `testdata/cases`, against what its `expect.json` says.

use std::fs;
use std::path::{Path, PathBuf};

use cardfold_replay::{Options, Report, replay};
use serde_json::{Map, Value};
use tempfile::TempDir;

use crate::common::{self, copy_folder};

#[test]
fn each_case_is_as_expected() {
    let mut differences = Vec::new();
    for name in names() {
        let expect = expectation(&name);
        let report = common::report_json(&fold(copy_of(&name).path(), &expect));
        let mut found = Vec::new();
        compare_sessions(&expect, &report, &mut found);
        differences.extend(found.into_iter().map(|line| format!("{name}: {line}")));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The names of all cases.
pub(crate) fn names() -> Vec<String> {
    let folders = common::children(&common::testdata().join("cases")).into_iter();
    let cases = folders.filter(|folder| folder.join("expect.json").is_file());
    let name = |folder: PathBuf| folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let names: Vec<String> = cases.filter_map(name).collect();
    assert!(names.len() >= 33, "the cases are there");
    names
}

/// `expect.json` of a case.
pub(crate) fn expectation(name: &str) -> Value {
    common::read_json(&common::testdata().join("cases").join(name).join("expect.json"))
}

/// A copy of a case, with the text filled in that the case leaves to be made.
pub(crate) fn copy_of(name: &str) -> TempDir {
    let copy = TempDir::new().expect("a temporary directory can be made");
    copy_folder(&common::testdata().join("cases").join(name), copy.path());
    for rule in expectation(name)["fill"].as_array().into_iter().flatten() {
        let text = |key: &str| rule[key].as_str().expect("a rule states its texts");
        let path = copy.path().join(text("file"));
        let times =
            rule["times"].as_u64().and_then(|times| usize::try_from(times).ok()).expect("a rule states a count");
        let filled = fs::read_to_string(&path).expect("a file to fill is text");
        fs::write(&path, filled.replace(text("find"), &text("text").repeat(times))).expect("a copy can be written");
    }
    copy
}

/// Folds a case as its command says.
pub(crate) fn fold(folder: &Path, expect: &Value) -> Report {
    let mut options = Options::default();
    let mut path = None;
    let command = expect["command"].as_str().expect("a case has a command");
    let mut words = command.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "--live" => options.live = true,
            "--format" => assert_eq!(words.next(), Some("json")),
            word => path = Some(folder.join(word)),
        }
    }
    replay(&path.expect("a command names a path"), &options)
}

fn compare_sessions(expect: &Value, report: &Value, out: &mut Vec<String>) {
    let Some(want) = expect["sessions"].as_array() else { return };
    let got = report["sessions"].as_array().expect("a report has sessions");
    if want.len() != got.len() {
        out.push(format!("{} sessions expected, got {}", want.len(), got.len()));
        return;
    }
    for (place, want) in want.iter().enumerate() {
        let session = match want.get("session_id") {
            Some(id) => got.iter().find(|session| session["session_id"] == *id),
            None => got.get(place),
        };
        match session {
            Some(session) => compare(want, session, &format!("session {place}"), out),
            None => out.push(format!("no session {}", want["session_id"])),
        }
    }
}

/// Only what is expected is compared; nothing, null, zero, false and empty are one.
fn compare(want: &Value, got: &Value, at: &str, out: &mut Vec<String>) {
    match (want, got) {
        (Value::Object(want), got) if !want.is_empty() => {
            let none = Map::new();
            let got = got.as_object().unwrap_or(&none);
            for (key, want) in want {
                compare(want, got.get(key).unwrap_or(&Value::Null), &format!("{at}.{key}"), out);
            }
        }
        (Value::Array(want), Value::Array(got)) if !want.is_empty() && want.len() == got.len() => {
            for (place, (want, got)) in want.iter().zip(got).enumerate() {
                if !want.is_null() {
                    compare(want, got, &format!("{at}[{place}]"), out);
                }
            }
        }
        (want, got) if is_nothing(want) && is_nothing(got) => {}
        (want, got) if want == got => {}
        (want, got) => out.push(format!("{at}: expected {want}, got {got}")),
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(value) => value.as_f64() == Some(0.0),
        Value::String(value) => value.is_empty(),
        Value::Array(value) => value.is_empty(),
        Value::Object(value) => value.is_empty(),
    }
}
