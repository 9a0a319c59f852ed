//! P8: a stored conversation is replayed to its end, and the stream of the resumed session goes on in the same tracker.

use std::fs;

use cardfold::{Card, CardTracker, Frame};
use cardfold_replay::{Conversation, Options, replay, replay_reader};
use serde_json::{Value, json};

use crate::common::{Capture, captures, cards_json, only};

/// Each capture that was resumed with the capture that resumes it, and the cards that both together have: name,
/// outcome, runs, calls.
fn resumed() -> [(&'static str, &'static str, Value); 4] {
    [
        // The same agent goes on: one card, two runs.
        ("2.1.332/07a-first", "2.1.332/07b-resume-sendmessage", json!([["Survey the project", "completed", 2, 8]])),
        // That its call was cut off stands in the store only; the stream of the resumed session does not say it.
        (
            "2.1.332/07e-killed-first",
            "2.1.332/07f-resume-after-kill",
            json!([["Foreground agent cut off", "abandoned", 1, 1]]),
        ),
        // `Task` with `resume` is a dispatch of its own.
        (
            "2.1.19/07a-first",
            "2.1.19/07b-resume-agent",
            json!([["Survey the project", "completed", 1, 6], ["Look again", "completed", 1, 2]]),
        ),
        // That version starts a new agent.
        (
            "2.1.112/07a-first",
            "2.1.112/07b-resume-agent",
            json!([["Survey the project", "completed", 1, 6], ["Look again", "completed", 1, 2]]),
        ),
    ]
}

#[test]
fn a_stream_goes_on_where_the_store_ends() {
    for (first, second, want) in resumed() {
        let mut tracker = stored_live(&Capture::of(first));
        apply_stream(&mut tracker, &Capture::of(second));
        tracker.end_session();
        assert_eq!(outline(&tracker), want, "{first} then {second}");
    }
}

/// A host may have the store of the whole conversation and then see part of it, or all of it, again as a stream.
#[test]
fn nothing_is_counted_twice_where_store_and_stream_overlap() {
    for capture in captures() {
        let mut tracker = stored_live(&capture);
        let before = counted(&tracker);
        apply_stream(&mut tracker, &capture);
        assert_eq!(counted(&tracker), before, "{} over its own store", capture.name);
    }
    for (first, second, _) in resumed() {
        let (first, second) = (Capture::of(first), Capture::of(second));
        let mut tracker = stored_live(&first);
        apply_stream(&mut tracker, &first);
        apply_stream(&mut tracker, &second);
        apply_stream(&mut tracker, &second);
        let mut once = stored_live(&first);
        apply_stream(&mut once, &second);
        assert_eq!(counted(&tracker), counted(&once), "{} and {} twice", first.name, second.name);
    }
}

/// What the store of both sessions says is what the store of the first and the stream of the second say.
#[test]
fn store_and_then_stream_equal_the_later_store() {
    for (first, second, want) in resumed() {
        // The client wrote an answer of its own for the call that was cut off, into the store alone.
        let stored = match first {
            "2.1.332/07e-killed-first" => json!([["Foreground agent cut off", "interrupted", 1, 1]]),
            _ => want.clone(),
        };
        let second = Capture::of(second);
        let mut tracker = stored_live(&Capture::of(first));
        apply_stream(&mut tracker, &second);
        tracker.end_session();
        assert_eq!(outline(&tracker), want, "{first} then {}", second.name);
        let report = replay(second.stored(), &Options::default());
        assert_eq!(outline(&only(&report).tracker), stored, "the store of {}", second.name);
    }
}

/// A tracker written out after the replay and read back goes on the same.
#[test]
fn a_replayed_tracker_can_be_kept() {
    for (first, second, want) in resumed() {
        let tracker = stored_live(&Capture::of(first));
        let written = serde_json::to_vec(&tracker).expect("a tracker can be written");
        let mut tracker: CardTracker = serde_json::from_slice(&written).expect("what was written can be read");
        apply_stream(&mut tracker, &Capture::of(second));
        tracker.end_session();
        assert_eq!(outline(&tracker), want, "{first} then {second}");
    }
}

/// A host that drives its own tracker gets the same from a conversation's frames.
#[test]
fn a_host_may_drive_its_own_tracker() {
    for (first, second, want) in resumed() {
        let capture = Capture::of(first);
        let mut tracker = CardTracker::default();
        for frame in Conversation::open(capture.stored(), &Options::default()).expect("a capture can be opened") {
            tracker.apply(&frame);
        }
        assert_eq!(cards_json(&tracker), cards_json(&stored_live(&capture)));
        apply_stream(&mut tracker, &Capture::of(second));
        tracker.end_session();
        assert_eq!(outline(&tracker), want);
    }
}

#[test]
fn a_live_conversation_is_not_ended() {
    let capture = Capture::of("2.1.332/07e-killed-first");
    let mut options = Options::default();
    options.live = true;
    let live = replay_reader(fs::File::open(&capture.stream).expect("a capture can be opened"), "-", &options);
    assert!(only(&live).tracker.cards().all(|card| card.running), "no frame ends the agent");
    let over = replay(&capture.stream, &Options::default());
    assert!(only(&over).tracker.cards().all(|card| !card.running));
}

fn stored_live(capture: &Capture) -> CardTracker {
    let mut options = Options::default();
    options.live = true;
    let mut report = replay(capture.stored(), &options);
    report.sessions.pop().expect("a capture has a session").tracker
}

fn apply_stream(tracker: &mut CardTracker, capture: &Capture) {
    let stream = fs::read(&capture.stream).expect("a capture can be read");
    for line in stream.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        tracker.apply(&Frame::decode(line).expect("a line of a real stream is a frame"));
    }
}

fn outline(tracker: &CardTracker) -> Value {
    let outline = |card: Card| json!([card.name, card.outcome, card.runs, card.calls]);
    tracker.cards().map(outline).collect()
}

/// Everything that could be counted twice.
fn counted(tracker: &CardTracker) -> Value {
    let rows = |card: &Card| card.nested.iter().map(|row| json!([row.name, row.calls])).collect::<Vec<_>>();
    let tail = |card: &Card| card.tail.iter().map(|call| call.id.clone()).collect::<Vec<_>>();
    let of = |card: Card| json!([card.dispatch_id, card.runs, card.calls, card.failed_calls, rows(&card), tail(&card)]);
    tracker.cards().map(of).collect()
}
