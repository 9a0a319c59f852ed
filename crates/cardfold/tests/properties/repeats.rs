//! Frames that say nothing new change nothing: repeats (R2), unknown types, and a second end of the session.

use cardfold::CardTracker;
use cardfold_testkit::oracle::{difference, model_of_all};
use cardfold_testkit::strategy::{Complaint, Stream, config, disturbed, hold, plausible};
use cardfold_wire::Frame;
use proptest::prelude::*;
use proptest::sample::Index;

/// Frames of types that this build does not know, with ids of agents that it does.
const UNKNOWN: [&str; 3] = [
    r#"{"type":"brand_new","agent_id":"a0000000000000001","parent_tool_use_id":"toolu_D1","status":"failed"}"#,
    r#"{"type":"system","subtype":"brand_new","task_id":"a0000000000000001","tool_use_id":"toolu_D1","status":"failed"}"#,
    r#"{"type":"Assistant","message":{"content":[{"type":"tool_use","id":"toolu_new","name":"Agent","input":{}}]}}"#,
];

fn complaint(about: &str, story: String) -> Option<Complaint> {
    Some(Complaint { about: about.to_owned(), story: format!("{about}: {story}") })
}

/// Gives every frame that has a uuid a second time, at once or some frames later.
fn repeats_change_something(stream: &Stream, delays: &[Index]) -> Option<Complaint> {
    let frames = stream.frames();
    let mut tracker = CardTracker::new();
    for (number, frame) in frames.iter().enumerate() {
        tracker.apply(frame);
        for (earlier, repeated) in frames[..=number].iter().enumerate().filter(|(_, frame)| frame.uuid.is_some()) {
            if earlier + delays[earlier % delays.len()].index(6) != number {
                continue;
            }
            let before = tracker.revision();
            let update = tracker.apply(repeated);
            if !update.changes.is_empty() || tracker.revision() != before {
                return complaint(
                    "a repeat",
                    format!("frame {} again after frame {}: {update:?}", earlier + 1, number + 1),
                );
            }
        }
    }
    let mut once = CardTracker::new();
    frames.iter().for_each(|frame| drop(once.apply(frame)));
    difference(&model_of_all(&once), &model_of_all(&tracker)).and_then(|text| complaint("all repeats", text))
}

fn unknown_frames_change_something(stream: &Stream) -> Option<Complaint> {
    let unknown: Vec<Frame<'_>> =
        UNKNOWN.iter().map(|line| Frame::decode(line.as_bytes()).expect("an unknown type is a frame")).collect();
    let mut tracker = CardTracker::new();
    let mut plain = CardTracker::new();
    for (number, frame) in stream.frames().iter().enumerate() {
        tracker.apply(frame);
        plain.apply(frame);
        let before = tracker.diagnostics().unknown_frames;
        for frame in &unknown {
            let update = tracker.apply(frame);
            if !update.changes.is_empty() {
                return complaint("an unknown frame", format!("after frame {}: {update:?}", number + 1));
            }
        }
        if tracker.diagnostics().unknown_frames != before + unknown.len() as u64 {
            return complaint("the count of unknown frames", format!("after frame {}", number + 1));
        }
    }
    difference(&model_of_all(&plain), &model_of_all(&tracker)).and_then(|text| complaint("unknown frames", text))
}

fn a_second_end_changes_something(stream: &Stream) -> Option<Complaint> {
    let mut tracker = CardTracker::new();
    stream.frames().iter().for_each(|frame| drop(tracker.apply(frame)));
    tracker.end_session();
    let update = tracker.end_session();
    if update.changes.is_empty() { None } else { complaint("a second end", format!("{update:?}")) }
}

proptest! {
    #![proptest_config(config("proptest-regressions/repeats.txt"))]

    #[test]
    fn a_repeated_frame_changes_nothing(
        stream in prop_oneof![plausible(), disturbed()],
        delays in proptest::collection::vec(any::<Index>(), 1..8),
    ) {
        hold(&stream, |stream| repeats_change_something(stream, &delays))?;
    }

    #[test]
    fn an_unknown_frame_changes_nothing(stream in prop_oneof![plausible(), disturbed()]) {
        hold(&stream, unknown_frames_change_something)?;
    }

    #[test]
    fn the_session_ends_once(stream in prop_oneof![plausible(), disturbed()]) {
        hold(&stream, a_second_end_changes_something)?;
    }
}
