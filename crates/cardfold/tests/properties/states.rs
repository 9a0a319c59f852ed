//! What never happens to a card, whatever comes: contradictions, figures that go down, observations that are undone.

use std::collections::BTreeMap;

use cardfold::{CardTracker, Change, Evidence, Limits, State, Update};
use cardfold_testkit::oracle::{ModelCard, contradiction, model_of_all};
use cardfold_testkit::strategy::{Complaint, Stream, any_lines, config, disturbed, hold, plausible};
use cardfold_wire::{Body, Frame};
use proptest::prelude::*;

/// The next frame, or the end of the session after the last one.
fn next(tracker: &mut CardTracker, frame: Option<&Frame<'_>>) -> Update {
    match frame {
        Some(frame) => tracker.apply(frame),
        None => tracker.end_session(),
    }
}

fn complaint(about: &str, card: &ModelCard, number: usize) -> Complaint {
    let story = format!("frame {}: {} {about}\n{card:?}", number + 1, card.dispatch_id);
    Complaint { about: about.to_owned(), story }
}

/// R18 and R20 on every card after every frame.
fn contradicts_itself(stream: &Stream) -> Option<Complaint> {
    let mut tracker = CardTracker::new();
    let frames = stream.frames();
    for number in 0..=frames.len() {
        next(&mut tracker, frames.get(number));
        let found = model_of_all(&tracker).into_iter().find_map(|card| Some((contradiction(&card)?, card)));
        if let Some((about, card)) = found {
            return Some(complaint(&about, &card, number));
        }
    }
    None
}

/// The figures of a card.
type Figures = [Option<u64>; 3];

fn figures(card: &ModelCard) -> Figures {
    let usage = card.usage.unwrap_or_default();
    [usage.total_tokens, usage.tool_uses, usage.duration_ms]
}

/// The frame takes calls back.
fn takes_back(frame: Option<&Frame<'_>>) -> bool {
    frame.is_some_and(|frame| matches!(&frame.body, Body::Assistant(message) if !message.supersedes.is_empty()))
}

/// R15 and R23: what may not go down between two frames, on a card that both show. `inherited` are the figures that
/// the run began with: its own replace them, whatever they are. `taken` says that calls may have gone.
fn went_down(before: &ModelCard, after: &ModelCard, inherited: Figures, taken: bool) -> Option<&'static str> {
    if after.runs < before.runs {
        return Some("has fewer runs");
    }
    if after.calls < before.calls && !taken {
        return Some("has fewer calls");
    }
    let pairs = figures(before).into_iter().zip(figures(after)).zip(inherited);
    let mut own = pairs.filter(|((before, _), inherited)| before != inherited);
    (after.runs == before.runs && own.any(|((before, after), _)| after < before))
        .then_some("has lower figures in the same run")
}

/// R20: an inference never replaces an observation within one run.
fn undone(before: &ModelCard, after: &ModelCard, frame: Option<&Frame<'_>>) -> bool {
    // A marker is an observation that a frame of the model withdraws (R12).
    let withdraws = frame.is_some_and(|frame| matches!(frame.body, Body::Assistant(_)));
    let was_marker = before.evidence == Evidence::Error && withdraws;
    let observed = before.state == State::Settled && !before.inferred && !was_marker;
    observed && before.runs == after.runs && after.state == State::Settled && after.inferred
}

fn goes_back(stream: &Stream) -> Option<Complaint> {
    let mut tracker = CardTracker::new();
    let mut inherited: BTreeMap<(String, u32), Figures> = BTreeMap::new();
    let frames = stream.frames();
    for number in 0..=frames.len() {
        let before = model_of_all(&tracker);
        let update = next(&mut tracker, frames.get(number));
        // A card that went may have taken its calls along, to or from another one (R5).
        let removed = update.changes.iter().any(|change| matches!(change, Change::Removed(_)));
        let taken = removed || takes_back(frames.get(number));
        for card in model_of_all(&tracker) {
            let Some(before) = before.iter().find(|before| before.dispatch_id == card.dispatch_id) else { continue };
            let run = (card.dispatch_id.clone(), card.runs);
            let began_with = *inherited.entry(run).or_insert_with(|| figures(before));
            if let Some(about) = went_down(before, &card, began_with, taken) {
                return Some(complaint(about, &card, number));
            }
            if undone(before, &card, frames.get(number)) {
                return Some(complaint("was observed and is inferred now", &card, number));
            }
        }
    }
    None
}

fn tiny() -> Limits {
    let mut limits = Limits::default();
    limits.cards = 2;
    limits.call_ids = 4;
    limits.frame_uuids = 3;
    limits.notice_texts = 1;
    limits.orphan_calls = 2;
    limits.unlinked_rows = 1;
    limits.nested_rows = 1;
    limits.aliases = 1;
    limits.open_requests = 1;
    limits
}

/// R26: caps hold, what goes is counted, and the cards that are left stay whole.
fn breaks_a_cap(stream: &Stream) -> Option<Complaint> {
    let mut tracker = CardTracker::with_limits(tiny());
    let mut roomy = CardTracker::new();
    let limits = tracker.limits().clone();
    for (number, frame) in stream.frames().iter().enumerate() {
        tracker.apply(frame);
        roomy.apply(frame);
        let cards = model_of_all(&tracker);
        if cards.len() != tracker.drawn() + tracker.undrawn() {
            return Some(complaint("is one card more or less than counted", cards.first()?, number));
        }
        for card in &cards {
            let found = contradiction(card);
            if let Some(about) = found {
                return Some(complaint(&about, card, number));
            }
            if cards.len() > limits.cards || card.nested.len() > limits.nested_rows {
                return Some(complaint("is over a cap", card, number));
            }
        }
        let over = roomy.drawn() + roomy.undrawn() > limits.cards;
        let gone = tracker.diagnostics();
        if over && gone.evictions == 0 && gone.orphans_dropped == 0 {
            return Some(complaint("is there, and no eviction was counted", cards.first()?, number));
        }
    }
    None
}

proptest! {
    #![proptest_config(config("proptest-regressions/states.txt"))]

    #[test]
    fn a_card_never_contradicts_itself(stream in prop_oneof![plausible(), disturbed()]) {
        hold(&stream, contradicts_itself)?;
    }

    #[test]
    fn nothing_goes_back(stream in prop_oneof![plausible(), disturbed()]) {
        hold(&stream, goes_back)?;
    }

    #[test]
    fn caps_hold(stream in prop_oneof![plausible(), disturbed()]) {
        hold(&stream, breaks_a_cap)?;
    }

    #[test]
    fn lines_of_any_json_are_folded(lines in any_lines()) {
        for limits in [Limits::default(), tiny()] {
            let mut tracker = CardTracker::with_limits(limits);
            for line in &lines {
                if let Ok(frame) = Frame::decode(line.as_bytes()) {
                    tracker.apply(&frame);
                }
                for card in model_of_all(&tracker) {
                    prop_assert_eq!(contradiction(&card), None, "{:?}", card);
                }
            }
            tracker.end_session();
            prop_assert!(tracker.cards().all(|card| !card.running), "{tracker}");
        }
    }
}
