//! Any frames fold without a panic; a tracker is the same after it was written out and read back (R27), at every place;
//! and what a card says of itself is never contradictory.

#![cfg_attr(fuzzing, no_main)]

#[macro_use]
mod shim;

use cardfold::{Card, CardTracker, Frame, State};

fuzz_target!(folds_and_round_trips);

fn folds_and_round_trips(data: &[u8]) {
    let mut tracker = CardTracker::new();
    let mut revived = CardTracker::new();
    for (place, line) in data.split(|&byte| byte == b'\n').enumerate() {
        let Ok(frame) = Frame::decode(line) else {
            continue;
        };
        assert_eq!(tracker.apply(&frame), revived.apply(&frame), "a tracker read back folds on like the first");
        // Writing costs as much as the tracker is large, so a long input does it at fewer and fewer places.
        if place < 32 || place.is_power_of_two() {
            revived = through_text(&revived);
        }
    }
    revived = through_text(&revived);
    tracker.all_cards().for_each(|card| is_sound(&card));
    assert_eq!(tracker.end_session(), revived.end_session());
    assert_eq!(tracker.all_cards().collect::<Vec<_>>(), revived.all_cards().collect::<Vec<_>>());
    assert!(tracker.end_session().changes.is_empty(), "a session ends once");
    for card in tracker.all_cards() {
        is_sound(&card);
        assert_eq!(card.state, State::Settled, "nothing is live after the end");
    }
}

fn through_text(tracker: &CardTracker) -> CardTracker {
    let text = serde_json::to_string(tracker).expect("a tracker can be written out");
    serde_json::from_str(&text).expect("a tracker that was written out can be read back")
}

fn is_sound(card: &Card) {
    let settled = card.state == State::Settled;
    assert_eq!(card.running, !settled);
    assert_eq!(card.outcome.is_some(), settled);
    assert!(!(card.failed && card.running), "never running and failed (R20)");
    assert!(!settled || card.open_calls == 0);
    assert!(card.open_calls + card.failed_calls <= card.calls);
    assert!(card.tail.len() <= 4 && card.tail.len() as u64 <= card.calls);
    assert!(card.name.chars().count() <= 80);
    assert_eq!(card.inferred, card.evidence.is_inferred());
    assert!(card.runs >= 1);
}
