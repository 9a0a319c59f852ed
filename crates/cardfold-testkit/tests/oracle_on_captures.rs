//! The oracle on what was observed: it must give the cards that `testdata/` expects, before it judges the fold.

use cardfold_testkit::expected::{capture_differences, subset_differences};
use cardfold_testkit::fixture;
use cardfold_testkit::oracle::{ModelCard, Oracle};
use cardfold_wire::Frame;
use serde_json::{Value, json};

fn as_json(cards: &[ModelCard]) -> Vec<Value> {
    cards.iter().map(|card| serde_json::to_value(card).expect("a card is JSON")).collect()
}

#[test]
fn captured_streams_give_the_expected_fields() {
    let mut differences = Vec::new();
    for capture in fixture::captures() {
        let stream = fixture::read(&capture.stream);
        let frames: Vec<Frame<'_>> = fixture::frames(&stream).map(|frame| frame.expect("a frame")).collect();
        let cards = as_json(&Oracle::new(&frames).cards(frames.len(), true));
        let found = capture_differences(&capture.expected["stream"], &cards);
        differences.extend(found.into_iter().map(|difference| format!("{}: {difference}", capture.name)));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Cases of one file that say all in their frames: side chains without an agent id, and lines of two objects, are a
/// reader's work.
const READERS_WORK: [&str; 2] = ["inline-same-prompt", "line-damage"];

#[test]
fn cases_of_one_file_give_their_cards() {
    let mut differences = Vec::new();
    for case in fixture::cases() {
        let Some(path) = case.input().filter(|_| !READERS_WORK.contains(&case.name.as_str())) else { continue };
        let stream = fixture::read(&path);
        let frames: Vec<Frame<'_>> = fixture::frames(&stream).filter_map(Result::ok).collect();
        let over = !case.command().contains(&"--live");
        let oracle = Oracle::new(&frames);
        let (drawn, all) = (oracle.cards(frames.len(), over), oracle.all_cards(frames.len(), over));
        let session = json!({ "cards": as_json(&drawn), "undrawn": all.len() - drawn.len() });
        let mut want = case.expect["sessions"][0].clone();
        for counted_by_the_reader in ["skipped", "unknown", "lines", "frames", "problems"] {
            want.as_object_mut().expect("a session is an object").remove(counted_by_the_reader);
        }
        differences.extend(subset_differences(&want, &session, &case.name));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
