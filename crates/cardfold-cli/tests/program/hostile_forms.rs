//! Each form of the output, and each complaint, with input that means harm: no byte that steers a terminal leaves the
//! program, JSON included, and another parser than the one that wrote it reads what was meant.

use std::fs;

use serde_json::{Value, json};
use tinyjson::JsonValue;

use crate::{Ran, program};

/// Escape sequences (ESC and C1), a NUL, DEL, every direction mark, the separators that end a line for some, a page.
const HOSTILE: &str = "x\u{1b}[31m\u{9b}2J\u{0}\u{7f}\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\
    \u{2066}\u{2067}\u{2068}\u{2069}\u{2028}\u{2029}\u{85}\r<script>alert(1)</script>";

/// A session that says it in every place, with a line that is broken, and a long word.
fn session() -> String {
    let call = |id: &str, name: &str, parent: Option<&str>, input: Value| {
        json!({ "type": "assistant", "session_id": HOSTILE, "uuid": format!("{HOSTILE}{id}"),
            "parent_tool_use_id": parent, "message": { "model": HOSTILE,
            "content": [{ "type": "tool_use", "id": id, "name": name, "input": input }] } })
    };
    let described = json!({ "description": HOSTILE, "subagent_type": HOSTILE });
    let nested = format!("{HOSTILE}in");
    let long = "w".repeat(1 << 20);
    let lines = [
        call(HOSTILE, "Agent", None, described.clone()),
        call(&nested, "Agent", Some(HOSTILE), described),
        call("c", HOSTILE, Some(HOSTILE), json!({ "command": HOSTILE })),
        call("d", "Bash", Some(HOSTILE), json!({ "command": long })),
        json!({ "type": "system", "subtype": "task_started", "session_id": HOSTILE, "task_id": HOSTILE,
            "tool_use_id": HOSTILE, "description": HOSTILE, "task_type": "local_agent" }),
        json!({ "type": "system", "subtype": "task_progress", "session_id": HOSTILE, "task_id": HOSTILE,
            "description": HOSTILE, "summary": HOSTILE }),
        json!({ "type": "control_request", "request_id": HOSTILE, "request": { "subtype": "can_use_tool",
            "tool_name": HOSTILE, "title": HOSTILE, "agent_id": HOSTILE, "input": {} } }),
        json!({ "type": "system", "subtype": "task_updated", "session_id": HOSTILE, "task_id": HOSTILE,
            "patch": { "status": "failed", "error": format!("{HOSTILE}\n{HOSTILE}") } }),
        json!({ "type": HOSTILE, "session_id": HOSTILE }),
    ];
    let halves = r#"{"type":"assistant","session_id":"\ud800","message":{"content":[{"type":"tool_use","id":"\udc00","name":"Agent","input":{"description":"\ud83d \ud83e\udd80"}}]}}"#;
    lines.map(|line| format!("{line}\n")).concat() + halves + &format!("\n{{\"type\":\"user\",{HOSTILE}\n{HOSTILE}\n")
}

/// What no terminal, log or page should get: controls but the line end, and direction marks.
fn steers(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_harmless(what: &str, ran: &Ran) {
    for (name, printed) in [("standard output", &ran.out), ("standard error", &ran.err)] {
        let found = printed.lines().find(|line| line.contains(steers));
        let shown = found.map(|line| line.chars().take(400).collect::<String>());
        assert_eq!(shown, None, "{what}: {name}");
        assert!(!printed.contains("panicked"), "{what}: {printed}");
    }
}

fn run(words: &[&str]) -> Ran {
    Ran::of(program(words).output().expect("the program can be started"))
}

/// Runs a form over the session, in a file whose name means harm too.
fn over_the_session(words: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s\u{1b}[31m\u{202e}\u{9b}.jsonl");
    fs::write(&path, session()).expect("a file can be written");
    let path = path.to_str().expect("the name is UTF-8");
    run(&[&["replay"], words, &[path]].concat())
}

fn parsed(text: &str) -> JsonValue {
    text.parse().unwrap_or_else(|error| panic!("{error}: {}", text.chars().take(400).collect::<String>()))
}

#[test]
fn text_is_harmless() {
    for all in [&[][..], &["--all"], &["--strict"]] {
        let ran = over_the_session(all);
        is_harmless("text", &ran);
        assert!(ran.out.contains("failed"), "the card is shown: {}", ran.out);
        assert!(ran.out.lines().all(|line| line.chars().count() < 1_000), "no line is longer than people read");
    }
}

#[test]
fn json_is_harmless_and_well_formed() {
    let ran = over_the_session(&["--format", "json", "--all"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let report = parsed(&ran.out);
    let card = &report["sessions"][0]["cards"][0];
    assert_eq!(card["dispatch_id"].get(), Some(&HOSTILE.to_owned()), "ids are kept as they are");
    assert_eq!(report["sessions"][0]["session_id"].get(), Some(&HOSTILE.to_owned()));
    is_harmless("json", &ran);
}

#[test]
fn ndjson_is_harmless_and_well_formed() {
    let ran = over_the_session(&["--format", "ndjson", "--all"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    for line in ran.out.lines() {
        let change = parsed(line);
        assert!(change["card"]["dispatch_id"].get::<String>().is_some(), "{line}");
    }
    assert!(ran.out.lines().count() > 5, "each change is a line");
    is_harmless("ndjson", &ran);
}

#[test]
fn pages_and_pictures_are_harmless() {
    for form in ["html", "svg"] {
        let ran = over_the_session(&["--format", form, "--all"]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        assert!(ran.out.contains("✗ failed") || ran.out.contains("</span> failed"), "the card is shown: {}", ran.out);
        is_harmless(form, &ran);
    }
}

#[test]
fn complaints_are_harmless() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let empty = folder.path().join("e\u{1b}]0;owned\u{7}\u{202e}\u{9b}.jsonl");
    fs::write(&empty, "").expect("a file can be written");
    let empty = empty.to_str().expect("the name is UTF-8");
    let hostile = "no\u{1b}[31msuch\u{202e}\u{9b}2J\r\nfile";
    for form in ["text", "json", "ndjson", "html", "svg"] {
        for path in [hostile, empty, "", " "] {
            let ran = run(&["replay", "--format", form, path]);
            is_harmless(form, &ran);
            // Standard error says what is wrong on one line, whatever the path holds.
            assert!(matches!(ran.status, Some(1 | 2)), "{form}: {path:?}");
        }
    }
    for words in [&[hostile][..], &["replay", hostile, hostile], &["replay", "--format", hostile, "x"]] {
        let ran = run(words);
        assert_eq!(ran.status, Some(2), "bad usage");
        is_harmless("bad usage", &ran);
    }
    let option = format!("--{hostile}");
    is_harmless("an unknown option", &run(&["replay", &option, "x"]));
}
