//! `cardfold explain`: each change has its line, and the changes lead to the card that `replay` shows.

use std::fs;
use std::process::Stdio;

use cardfold_testkit::fixture;
use insta::assert_snapshot;
use serde_json::Value;

use crate::{Ran, cardfold, list, program};

fn explained(path: &str) -> Value {
    cardfold(&format!("explain --format json {path}")).report()
}

fn cards(report: &Value) -> Vec<&Value> {
    list(report, "sessions").iter().flat_map(|session| list(session, "cards")).collect()
}

/// The line that a change names.
fn line_of(change: &Value) -> Option<Value> {
    let text = fs::read_to_string(fixture::testdata().join(change["file"].as_str()?)).expect("the file can be read");
    let number = usize::try_from(change["line"].as_u64()?).expect("a line number is small");
    let line = text.split('\n').nth(number - 1).expect("the file has that line");
    Some(serde_json::from_str(line).expect("the line is JSON"))
}

#[test]
fn each_change_names_the_line_that_made_it() {
    let report = explained("captures/2.1.332/05-failures/stream.jsonl");
    let mut seen = 0_u32;
    for change in cards(&report).into_iter().flat_map(|card| list(card, "changes")) {
        let Some(line) = line_of(change) else { continue };
        let kind = change["kind"].as_str().expect("a change has a kind");
        let word = if line["type"] == "system" { &line["subtype"] } else { &line["type"] };
        assert_eq!(word, kind, "{change}");
        assert_eq!(change["frame"], change["line"], "a stream has a frame a line");
        seen += 1;
    }
    assert!(seen >= 10, "the first card alone has ten: {seen}");
}

/// The agent's last `task_updated` with an ending word decides; that is line 11 of the capture.
#[test]
fn the_line_that_ended_it_decides() {
    let report = explained("captures/2.1.332/05-failures/stream.jsonl");
    let card = cards(&report)[0];
    let decided_by = usize::try_from(card["decided_by"].as_u64().expect("it was decided")).expect("it is small");
    let change = &list(card, "changes")[decided_by];
    let line = line_of(change).expect("a line decided");
    assert_eq!((&change["line"], &change["rule"]), (&11.into(), &"R14".into()));
    assert_eq!((&line["task_id"], &line["patch"]["status"]), (&card["task_id"], &"completed".into()));
    assert_eq!(change["before"]["state"], "running");
    assert_eq!((&change["after"]["state"], &change["after"]["outcome"]), (&"settled".into(), &"completed".into()));
}

/// One change begins where the one before it ended, each of them changes something, and the last one leaves the card
/// that `replay` shows.
#[test]
fn the_changes_lead_to_the_card() {
    for capture in fixture::captures() {
        let folder = capture.stream.parent().expect("a capture has a folder");
        for path in [&capture.stream, &folder.join("transcripts")] {
            let Some(path) = path.to_str().filter(|_| path.exists()) else { continue };
            let replayed = cardfold(&format!("replay --format json {path}")).report();
            let replayed = cards(&replayed);
            let report = explained(path);
            let drawn: Vec<&Value> = cards(&report).into_iter().filter(|card| card["drawn"] == true).collect();
            assert_eq!(drawn.len(), replayed.len(), "{path}");
            for card in cards(&report) {
                let mut before = &Value::Null;
                for change in list(card, "changes") {
                    assert_eq!(&change["before"], before, "{path}: {change}");
                    before = &change["after"];
                    let changes_more = !list(change, "also").is_empty();
                    assert!(changes_more || change["before"] != change["after"], "{path}: {change}");
                }
                assert_eq!(before.is_null(), card["drawn"] == false, "{path}");
            }
            for shown in replayed {
                let card = drawn.iter().find(|card| card["dispatch_id"] == shown["dispatch_id"]);
                let card = card.unwrap_or_else(|| panic!("{path}: {shown} is explained"));
                let last = list(card, "changes").last().expect("a card was opened");
                for field in ["state", "outcome", "evidence"] {
                    assert_eq!(last["after"][field], shown[field], "{path}: {field}");
                }
            }
        }
    }
}

#[test]
fn a_card_has_many_names() {
    let path = "captures/2.1.332/04b-nested-background/stream.jsonl";
    let all = explained(path);
    let [card] = cards(&all)[..] else { panic!("one card in {all}") };
    let text = |name: &str| card[name].as_str().expect("the card has it").to_owned();
    let replayed = cardfold(&format!("replay --format json {path}")).report();
    let row = &list(cards(&replayed)[0], "nested")[0];
    let nested = |name: &str| row[name].as_str().expect("the row has it").to_owned();
    let names = [text("dispatch_id"), text("task_id"), nested("dispatch_id"), nested("task_id")];
    for name in names.iter().map(String::as_str).chain(["Level 1 look", "level 1", "LOOK"]) {
        let output = program(&["explain", "--format", "json", path, name]).output();
        let ran = Ran::of(output.expect("the program can be started"));
        assert_eq!((ran.status, cards(&ran.report()).len()), (Some(0), 1), "{name}: {}", ran.err);
    }
}

#[test]
fn a_name_of_none_or_several_lists_the_cards() {
    let path = "captures/2.1.332/05-failures/stream.jsonl";
    let all = explained(path);
    for (name, reason) in [("no such agent", "no card is meant by"), ("agent", "several cards may be meant by")] {
        let output = program(&["explain", path, name]).output();
        let ran = Ran::of(output.expect("the program can be started"));
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
        assert!(ran.err.starts_with(&format!("cardfold: {reason} \"{name}\"")), "{}", ran.err);
        for card in cards(&all) {
            let listed = card["dispatch_id"].as_str().expect("a card has an id");
            assert!(ran.err.contains(listed), "{listed} in {}", ran.err);
        }
    }
    let ran = cardfold("explain cases/ack-is-no-end/missing.jsonl x");
    assert_eq!(ran.status, Some(1), "{}", ran.err);
}

#[test]
fn standard_input_has_line_numbers() {
    let stream = fixture::testdata().join("captures/2.1.332/05-failures/stream.jsonl");
    let input = fs::File::open(stream).expect("the capture is there");
    let output = program(&["explain", "-"]).stdin(Stdio::from(input)).output();
    let ran = Ran::of(output.expect("the program can be started"));
    assert!(ran.out.contains("  decided by line 11: "), "{}", ran.out);
}

/// What still runs where the input ends is over, unless the caller says that it goes on.
#[test]
fn the_end_of_the_input_decides_unless_it_is_live() {
    let path = "captures/2.1.332/06f-sigkill-while-running/stream.jsonl";
    for (words, kind, state) in
        [("explain", "end_of_session", "settled"), ("explain --live", "task_started", "running")]
    {
        let report = cardfold(&format!("{words} --format json {path}")).report();
        let card = cards(&report)[0];
        let decided_by = usize::try_from(card["decided_by"].as_u64().expect("it was decided")).expect("it is small");
        let change = &list(card, "changes")[decided_by];
        assert_eq!((&change["kind"], &card["state"]), (&kind.into(), &state.into()), "{words}");
    }
}

#[test]
fn text_of_a_resumed_agent() {
    let ran = cardfold("explain cases/resume-on-disk/store toolu_A");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert_snapshot!("explained_resume", ran.out);
}

#[test]
fn text_of_an_acknowledged_dispatch() {
    let ran = cardfold("explain cases/ack-is-no-end");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert_snapshot!("explained_ack", ran.out);
}
