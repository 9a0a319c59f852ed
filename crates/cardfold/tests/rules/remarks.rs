//! What only dialects say of an agent: annotations (section 2), and endings that were guessed (R18, R20, R22).

use std::borrow::Cow;

use cardfold::{Card, CardTracker, Change, Frame, Update};
use cardfold_testkit::script::lines;
use cardfold_wire::{Annotation, Body, Guess, Remark, Text};

/// A tracker that took a script.
fn after(script: &str) -> CardTracker {
    let mut tracker = CardTracker::new();
    play(&mut tracker, script);
    tracker
}

fn play(tracker: &mut CardTracker, script: &str) {
    for line in lines(script) {
        // Each script numbers its frames from the start, and none of these is a repeat.
        let frame = Frame::decode(line.as_bytes()).expect("scripts render to frames");
        tracker.apply(&Frame { uuid: None, ..frame });
    }
}

fn remark(tracker: &mut CardTracker, remark: Remark<'static>) -> Update {
    tracker.apply(&Frame { body: Body::Remark(Box::new(remark)), ..Frame::default() })
}

fn annotation(name: &'static str, value: &'static str) -> Annotation<'static> {
    Annotation { name: name.into(), value: value.into() }
}

fn annotate(tracker: &mut CardTracker, entries: &[(&'static str, &'static str)]) -> Update {
    let annotations = entries.iter().map(|(name, value)| annotation(name, value)).collect();
    remark(tracker, Remark { tool_use_id: Some("a".into()), annotations, ..Remark::default() })
}

fn guess(tracker: &mut CardTracker, word: Option<&'static str>, end_time_ms: Option<i64>) -> Update {
    let guess = Guess { word: word.map(Cow::Borrowed), end_time_ms, error: Some(Text::new("it broke")) };
    remark(tracker, Remark { task_id: Some("t".into()), guess: Some(guess), ..Remark::default() })
}

fn a(tracker: &CardTracker) -> Card {
    tracker.card("a").expect("a has a card")
}

fn reads(card: &Card) -> String {
    let outcome = card.outcome.map_or("none", |outcome| outcome.as_str());
    let error = card.error.as_ref().map_or("none", |error| error.text.as_str());
    format!("{} {outcome} ({}) error {error}", card.state.as_str(), card.evidence.as_str())
}

#[test]
fn annotations_stand_in_the_card_and_are_reported_once() {
    let mut tracker = after("D a");
    let update = annotate(&mut tracker, &[("exit_code", "3"), ("host", "\"x\"")]);
    assert!(matches!(&update.changes[..], [Change::Changed(_)]), "{update:?}");
    assert_eq!(a(&tracker).annotations["exit_code"], "3");
    assert!(annotate(&mut tracker, &[("exit_code", "3")]).changes.is_empty(), "nothing differs");
    annotate(&mut tracker, &[("exit_code", "4"), ("host", "null")]);
    assert_eq!(a(&tracker).annotations.into_iter().collect::<Vec<_>>(), [("exit_code".to_owned(), "4".to_owned())]);
}

#[test]
fn annotations_are_bounded_and_what_is_too_much_is_counted() {
    let mut tracker = after("D a");
    let names: Vec<String> = (0..17).map(|number| format!("n{number:02}")).collect();
    for name in names {
        let annotations = vec![Annotation { name: name.into(), value: "1".into() }];
        remark(&mut tracker, Remark { tool_use_id: Some("a".into()), annotations, ..Remark::default() });
    }
    assert_eq!((a(&tracker).annotations.len(), tracker.diagnostics().evictions), (16, 1));
    let long = format!("\"{}\"", "x".repeat(1_023));
    let annotations = vec![Annotation { name: "n00".into(), value: long.into() }];
    remark(&mut tracker, Remark { tool_use_id: Some("a".into()), annotations, ..Remark::default() });
    assert_eq!((a(&tracker).annotations["n00"].as_str(), tracker.diagnostics().evictions), ("1", 2));
}

#[test]
fn a_remark_about_nobody_opens_nothing() {
    let mut tracker = CardTracker::new();
    annotate(&mut tracker, &[("x", "1")]);
    guess(&mut tracker, Some("failed"), None);
    assert_eq!(tracker.all_cards().count(), 0);
}

#[test]
fn a_guess_is_inferred_and_may_state_a_time() {
    let mut tracker = after("D a, TS t→a");
    guess(&mut tracker, Some("timed_out"), Some(7));
    let card = a(&tracker);
    assert_eq!(reads(&card), "settled timed_out (guessed) error it broke");
    assert_eq!((card.inferred, card.failed, card.ended_at_ms), (true, true, Some(7)));
    guess(&mut tracker, None, None);
    assert_eq!(a(&tracker).outcome.map(|outcome| outcome.as_str()), Some("ended"), "over, the cause not stated");
}

#[test]
fn what_is_stated_beats_a_guess_in_any_order() {
    for stated in ["TU t completed 9", "HB a", "TN t→a completed"] {
        let mut first = after("D a, TS t→a");
        guess(&mut first, Some("failed"), None);
        play(&mut first, stated);
        let mut last = after("D a, TS t→a");
        play(&mut last, stated);
        guess(&mut last, Some("failed"), None);
        assert_eq!(a(&first).outcome.map(|outcome| outcome.as_str()), Some("completed"), "{stated}");
        assert_eq!(a(&first).error, None, "the guessed error goes with the guess");
        assert_eq!(reads(&a(&first)), reads(&a(&last)), "{stated}");
    }
}

#[test]
fn an_agent_that_goes_on_was_not_over() {
    for sign in ["TP t→a", "TU t running", "C x<a"] {
        let mut tracker = after("D a, TS t→a");
        guess(&mut tracker, Some("failed"), None);
        play(&mut tracker, sign);
        assert_eq!(reads(&a(&tracker)), "running none (roster) error none", "{sign}");
    }
}

#[test]
fn a_guess_about_a_run_that_is_over_is_late_and_an_unknown_word_is_counted() {
    let mut tracker = after("D a, TS t→a, TU t killed");
    guess(&mut tracker, Some("failed"), None);
    assert_eq!((a(&tracker).evidence.as_str(), tracker.diagnostics().late_frames), ("roster", 1));
    guess(&mut tracker, Some("dozing"), None);
    assert_eq!(tracker.diagnostics().unknown_words, 1);
}

#[test]
fn remarks_are_written_out_and_read_back() {
    let mut tracker = after("D a, TS t→a");
    annotate(&mut tracker, &[("x", "[1]")]);
    guess(&mut tracker, Some("failed"), Some(3));
    let written = serde_json::to_vec(&tracker).expect("a tracker can be written");
    let read: CardTracker = serde_json::from_slice(&written).expect("what was written can be read");
    assert_eq!(a(&read), a(&tracker));
}

#[test]
fn two_agents_that_are_one_keep_what_was_said_of_both() {
    let mut tracker = after("D a, TP t");
    annotate(&mut tracker, &[("x", "1"), ("y", "1")]);
    let annotations = vec![annotation("y", "2"), annotation("z", "2")];
    remark(&mut tracker, Remark { task_id: Some("t".into()), annotations, ..Remark::default() });
    play(&mut tracker, "TS t→a");
    let known: Vec<(String, String)> = a(&tracker).annotations.into_iter().collect();
    let known: Vec<(&str, &str)> = known.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(known, [("x", "1"), ("y", "1"), ("z", "2")]);
}

#[test]
fn a_guess_takes_no_error_along_that_another_source_gave() {
    let mut tracker = after("D a, TU t weird");
    guess(&mut tracker, Some("failed"), None);
    play(&mut tracker, "R a! \"boom\"");
    assert_eq!(reads(&a(&tracker)), "settled failed (error) error boom");
    play(&mut tracker, "META t→a");
    assert_eq!(reads(&a(&tracker)), "settled failed (error) error boom");
    play(&mut tracker, "TU t completed");
    assert_eq!(reads(&a(&tracker)), "settled completed (roster) error boom");
}
