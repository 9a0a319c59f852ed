//! The ndjson form: the changes, replayed by a reader, are the cards; and they come while the input is read.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use cardfold_testkit::fixture;
use serde_json::{Value, json};

use crate::{Ran, cardfold, list, program, schema};

/// What a reader that follows `--help` has at the end: each session's cards by their dispatch id.
fn replayed(ndjson: &str) -> BTreeMap<(String, String), Value> {
    let mut cards = BTreeMap::new();
    let mut last_frame = BTreeMap::new();
    for line in ndjson.lines() {
        let mut line: Value = serde_json::from_str(line).expect("a line is JSON");
        schema::check(&line);
        let session = line["session_id"].as_str().unwrap_or_default().to_owned();
        let frame = line["frame"].as_u64().expect("a frame is a number");
        let before = last_frame.insert(session.clone(), frame).unwrap_or(1);
        assert!(before <= frame, "frames come in order: {line}");
        let card = line["card"].take();
        let key = (session, card["dispatch_id"].as_str().expect("a card has an id").to_owned());
        let shown = cards.contains_key(&key);
        match line["change"].as_str() {
            Some("opened") => assert!(!shown, "opened twice: {line}"),
            Some("changed" | "removed") => assert!(shown, "not opened: {line}"),
            other => panic!("unknown change {other:?}"),
        }
        if line["change"] == "removed" {
            cards.remove(&key);
        } else {
            cards.insert(key, card);
        }
    }
    cards
}

fn reported(report: &Value) -> BTreeMap<(String, String), Value> {
    let sessions = list(report, "sessions").iter();
    sessions
        .flat_map(|session| {
            let id = session["session_id"].as_str().unwrap_or_default();
            let key = |card: &Value| (id.to_owned(), card["dispatch_id"].as_str().unwrap_or_default().to_owned());
            list(session, "cards").iter().map(move |card| (key(card), card.clone()))
        })
        .collect()
}

fn run(arguments: &[&str]) -> Ran {
    Ran::of(program(arguments).output().expect("the program can be started"))
}

#[test]
fn the_changes_add_up_to_the_cards() {
    for capture in fixture::captures() {
        let path = capture.stream.to_str().expect("test data has plain names");
        for more in [&[][..], &["--live"], &["--live", "--all"]] {
            let form = |form| [&["replay", "--format", form][..], more, &[path]].concat();
            let (changes, report) = (run(&form("ndjson")), run(&form("json")));
            assert_eq!((changes.status, changes.err.as_str()), (Some(0), ""), "{path}");
            assert_eq!(replayed(&changes.out), reported(&report.report()), "{path} {more:?}");
        }
    }
}

#[test]
fn the_end_of_the_session_is_the_number_after_the_last_frame() {
    let path = "captures/2.1.332/06f-sigkill-while-running/stream.jsonl";
    let frames = list(&cardfold(&format!("replay --format json {path}")).report(), "sessions")[0]["frames"].clone();
    let changes = cardfold(&format!("replay --format ndjson {path}"));
    let last: Value = serde_json::from_str(changes.out.lines().last().expect("a change")).expect("a line is JSON");
    assert_eq!(last["frame"].as_u64(), frames.as_u64().map(|frames| frames + 1));
    assert_eq!((&last["change"], &last["card"]["outcome"]), (&"changed".into(), &"abandoned".into()));
}

#[test]
fn a_change_is_printed_before_the_next_line_is_read() {
    let mut child = program(&["replay", "--live", "--format", "ndjson", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let changes = lines_of(&mut child);
    let mut say = |frame: &Value| {
        writeln!(stdin, "{frame}").expect("the program reads on");
        stdin.flush().expect("the program reads on");
    };
    let next = || -> Value {
        let line = changes.recv_timeout(Duration::from_secs(60)).expect("a change comes without more input");
        serde_json::from_str(&line).expect("a line is JSON")
    };
    let input = json!([{ "type": "tool_use", "id": "a", "name": "Agent", "input": { "description": "Look" } }]);
    say(&json!({ "type": "assistant", "session_id": "s", "uuid": "u1", "message": { "content": input } }));
    let opened = next();
    assert_eq!((&opened["change"], &opened["frame"]), (&"opened".into(), &1.into()));
    assert_eq!(opened["card"]["name"], "Look");
    say(&json!({ "type": "system", "subtype": "task_started", "session_id": "s", "uuid": "u2", "task_id": "t",
        "tool_use_id": "a", "task_type": "local_agent", "description": "Look" }));
    let changed = next();
    assert_eq!((&changed["change"], &changed["frame"]), (&"changed".into(), &2.into()));
    assert_eq!(changed["card"]["evidence"], "roster");
    drop(stdin);
    assert!(child.wait().expect("the program ends").success());
    assert!(changes.recv().is_err(), "the session is live, so its end changes nothing");
}

/// The lines that a child prints, as they come.
fn lines_of(child: &mut Child) -> mpsc::Receiver<String> {
    let stdout = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
    let (to, from) = mpsc::channel();
    thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| to.send(line)));
    from
}

#[test]
fn a_reader_that_has_had_enough_is_no_error() {
    for form in ["ndjson", "json", "text"] {
        // The ndjson is more than a pipe holds: the program is still printing it when nobody reads any more.
        let path = "captures/2.1.332/10b-long-60/stream.jsonl";
        let mut child = program(&["replay", "--format", form, path])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let mut stdout = child.stdout.take().expect("standard output is a pipe");
        stdout.read_exact(&mut [0]).expect("something is printed");
        drop(stdout);
        let ran = Ran::of(child.wait_with_output().expect("the program ends"));
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{form}");
    }
}
