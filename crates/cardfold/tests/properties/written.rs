//! A tracker that was written out and read back goes on as if nothing had been (R27), and so does a clone.

use cardfold::CardTracker;
use cardfold_testkit::strategy::{Complaint, Stream, config, disturbed, hold, plausible};
use proptest::prelude::*;
use proptest::sample::Index;

fn written(tracker: &CardTracker) -> String {
    serde_json::to_string(tracker).expect("a tracker can be written")
}

/// Where the fold of a stream, cut at `cut`, goes another way.
fn parts(stream: &Stream, cut: Index) -> Option<Complaint> {
    let frames = stream.frames();
    let cut = cut.index(frames.len() + 1);
    let mut whole = CardTracker::new();
    let mut first = CardTracker::new();
    for frame in &frames[..cut] {
        whole.apply(frame);
        first.apply(frame);
    }
    let mut read: CardTracker = serde_json::from_str(&written(&first)).expect("what was written can be read");
    let mut clone = first.clone();
    for (number, frame) in frames[cut..].iter().enumerate() {
        let update = whole.apply(frame);
        for (name, tracker) in [("read back", &mut read), ("a clone", &mut clone), ("folded again", &mut first)] {
            let other = tracker.apply(frame);
            if other != update {
                let story = format!("{name} after {cut} frames, frame {}: {update:?}, {other:?}", cut + number + 1);
                return Some(Complaint { about: format!("{name}: update"), story });
            }
        }
    }
    for tracker in [&mut whole, &mut read, &mut clone, &mut first] {
        tracker.end_session();
    }
    let want = written(&whole);
    [("read back", read), ("a clone", clone), ("folded again", first)].into_iter().find_map(|(name, tracker)| {
        let same = written(&tracker) == want && tracker.to_string() == whole.to_string();
        let told = tracker.diagnostics() == whole.diagnostics();
        let story = format!("{name} after {cut} frames: {}\n{want}", written(&tracker));
        (!same || !told).then(|| Complaint { about: name.to_owned(), story })
    })
}

proptest! {
    #![proptest_config(config("proptest-regressions/written.txt"))]

    #[test]
    fn a_fold_can_be_cut_anywhere(stream in prop_oneof![plausible(), disturbed()], cut in any::<Index>()) {
        hold(&stream, |stream| parts(stream, cut))?;
    }
}
