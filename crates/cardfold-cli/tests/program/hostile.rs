//! Nothing that a transcript says may steer the reader's terminal.

use std::fs;

use serde_json::json;

use crate::{Ran, list, program};

/// Turns text red, clears the screen, sets the window's title, turns the direction of writing, starts a line of its
/// own.
const HOSTILE: &str = "x\u{1b}[31m\u{9b}2J\u{1b}]0;owned\u{7}\u{202e}\u{2066}\r\ny";

fn session() -> String {
    let dispatch = |id: &str, parent: Option<&str>| {
        json!({ "type": "assistant", "session_id": HOSTILE, "uuid": format!("u-{id}"), "parent_tool_use_id": parent,
            "message": { "content": [{ "type": "tool_use", "id": id, "name": "Agent",
            "input": { "description": HOSTILE, "subagent_type": HOSTILE } }] } })
    };
    let call = json!({ "type": "assistant", "session_id": HOSTILE, "uuid": "u-c", "parent_tool_use_id": HOSTILE,
        "message": { "content": [{ "type": "tool_use", "id": "c", "name": HOSTILE,
        "input": { "command": HOSTILE } }] } });
    let answer = json!({ "type": "user", "session_id": HOSTILE, "uuid": "u-r", "parent_tool_use_id": null,
        "message": { "content": [{ "type": "tool_result", "tool_use_id": HOSTILE, "is_error": true,
        "content": HOSTILE }] } });
    let nested = format!("{HOSTILE}-nested");
    [dispatch(HOSTILE, None), dispatch(&nested, Some(HOSTILE)), call, answer].map(|line| format!("{line}\n")).concat()
        + "not json \u{1b}[31m\n"
}

#[test]
fn no_control_character_of_an_explanation_reaches_the_terminal() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s\u{1b}[31m\u{202e}.jsonl");
    fs::write(&path, session()).expect("a file can be written");
    let path = path.to_str().expect("the name is UTF-8");
    let steers = |c: &char| (c.is_control() && *c != '\n') || matches!(c, '\u{202e}' | '\u{2066}');
    for arguments in [vec![path], vec![path, HOSTILE], vec![path, "none\u{1b}[31m"], vec!["--format", "json", path]] {
        let output = program(&["explain"]).args(&arguments).output();
        let ran = Ran::of(output.expect("the program can be started"));
        assert!(ran.out.contains("failed") || ran.err.contains("no card"), "{} {}", ran.out, ran.err);
        assert_eq!(ran.out.chars().chain(ran.err.chars()).find(steers), None, "in {:?} {:?}", ran.out, ran.err);
    }
}

fn run(form: &str, path: &str) -> Ran {
    let output = program(&["replay", "--format", form, path]).output();
    Ran::of(output.expect("the program can be started"))
}

#[test]
fn no_control_character_reaches_the_terminal() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s\u{1b}[31m\u{202e}.jsonl");
    fs::write(&path, session()).expect("a file can be written");
    let path = path.to_str().expect("the name is UTF-8");
    let text = run("text", path);
    assert_eq!(text.status, Some(0), "{}", text.err);
    assert!(text.out.contains("failed"), "the card is shown: {}", text.out);
    let steers = |c: &char| (c.is_control() && *c != '\n') || matches!(c, '\u{202e}' | '\u{2066}');
    assert_eq!(text.out.chars().find(steers), None, "in {:?}", text.out);
    for form in ["json", "ndjson"] {
        let printed = run(form, path).out;
        let raw = printed.bytes().find(|&byte| byte < b' ' && byte != b'\n');
        assert_eq!(raw, None, "JSON escapes control characters");
    }
    let report = run("json", path).report();
    assert_eq!(list(&list(&report, "sessions")[0], "cards")[0]["dispatch_id"], HOSTILE, "ids are kept as they are");
}

#[test]
fn a_path_that_is_not_there_is_named_safely() {
    let ran = run("text", "no\u{1b}[31msuch\u{202e}file");
    assert_eq!(ran.status, Some(1));
    assert!(!ran.err.contains(['\u{1b}', '\u{202e}']) && !ran.out.contains(['\u{1b}', '\u{202e}']), "{}", ran.err);
}

#[test]
fn no_colour_without_a_terminal() {
    for (name, value) in [("TERM", "xterm-256color"), ("CLICOLOR_FORCE", "1")] {
        let output = program(&["replay", "captures/2.1.332/05-failures/stream.jsonl"]).env(name, value).output();
        assert!(!Ran::of(output.expect("the program can be started")).out.contains('\u{1b}'), "{name}={value}");
    }
}
