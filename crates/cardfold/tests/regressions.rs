//! What the fuzzer found once, as the bytes that it found: `testdata/regressions/`, a test each with its story.

use cardfold::CardTracker;
use cardfold_testkit::fixture;

/// Folds the file, and beside it a tracker that is written out and read back after every frame; both must stay alike.
fn folds_through_its_written_form(file: &str) {
    let bytes = fixture::read(&fixture::testdata().join("regressions").join(file));
    let (mut tracker, mut revived) = (CardTracker::new(), CardTracker::new());
    let mut frames = 0;
    for frame in fixture::frames(&bytes).filter_map(Result::ok) {
        frames += 1;
        assert_eq!(tracker.apply(&frame), revived.apply(&frame));
        let written = serde_json::to_string(&revived).expect("a tracker can be written out");
        revived = serde_json::from_str(&written).expect("what was written out can be read back");
        assert!(tracker.all_cards().eq(revived.all_cards()), "the same cards after frame {frames}");
    }
    assert!(frames > 0, "the file holds frames");
    assert_eq!(tracker.end_session(), revived.end_session());
    assert!(tracker.all_cards().eq(revived.all_cards()), "the same cards at the end");
}

/// The first frame of an ending stated no time. As JSON that was the same as no frame at all, so a tracker that was read
/// back took the time of the next one for the end (R27).
#[test]
fn an_ending_without_a_time() {
    folds_through_its_written_form("an-ending-without-a-time.jsonl");
}

/// A task frame names the `tool_use` id of the task that it is the parent of: joined, the two became one agent under
/// itself, and what passes up went round for ever (R6).
#[test]
fn a_task_above_itself() {
    folds_through_its_written_form("a-task-above-itself.jsonl");
}
