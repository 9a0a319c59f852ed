//! R27: a tracker that is written out and read back goes on as if nothing had been.

use cardfold::{Card, CardTracker};
use cardfold_testkit::corpus::SCRIPTS;
use cardfold_testkit::script::{Session, steps};

fn reread(tracker: &CardTracker) -> CardTracker {
    let written = serde_json::to_string(tracker).expect("a tracker can be written");
    serde_json::from_str(&written).expect("what was written can be read")
}

fn picture(session: &Session) -> (Vec<Card>, u64, String) {
    let tracker = &session.tracker;
    (tracker.all_cards().collect(), tracker.revision(), format!("{:?}", tracker.diagnostics()))
}

#[test]
fn r27_writing_and_reading_anywhere_changes_nothing() {
    for script in SCRIPTS {
        let whole = Session::of(script);
        let steps = steps(script);
        for at in 0..=steps.len() {
            let mut session = Session::of(&steps[..at].join(", "));
            session.tracker = reread(&session.tracker);
            session.play(&steps[at..].join(", "));
            assert_eq!(picture(&session), picture(&whole), "written after {at} steps of {script}");
        }
    }
}

#[test]
fn r27_the_updates_after_reading_are_the_same() {
    for script in SCRIPTS {
        let steps = steps(script);
        for at in 0..steps.len() {
            let mut whole = Session::of(&steps[..at].join(", "));
            let mut session = whole.clone();
            session.tracker = reread(&session.tracker);
            let (said, wanted) = (session.last(&steps[at]), whole.last(&steps[at]));
            assert_eq!(said, wanted, "{} after {at} steps of {script}", steps[at]);
        }
    }
}

#[test]
fn r27_limits_are_written_too() {
    let mut limits = cardfold::Limits::default();
    limits.cards = 2;
    let mut session = Session::with_limits(limits);
    session.tracker = reread(&session.tracker);
    session.play("D a, D b, D c");
    assert_eq!((session.drawn().as_str(), session.tracker.limits().cards), ("b c", 2));
}

#[test]
fn r27_what_changed_since_is_remembered() {
    let mut session = Session::of("D a, D b");
    let then = session.tracker.revision();
    session.play("ACK a, C x<b");
    session.tracker = reread(&session.tracker);
    assert_eq!(session.tracker.changed_since(then).expect("the revision is remembered").count(), 2);
}

#[test]
fn r27_another_version_number_is_a_clear_error() {
    let mut written = serde_json::to_value(CardTracker::new()).expect("a tracker can be written");
    assert!(written["version"].is_u64(), "the written form names its version");
    written["version"] = serde_json::json!(99);
    let error = serde_json::from_value::<CardTracker>(written).expect_err("it is not the version of this build");
    let said = error.to_string();
    assert!(said.contains("version") && said.contains("99"), "{said}");
    assert!(serde_json::from_str::<CardTracker>("{}").is_err(), "nor is a form without a version");
}

#[test]
fn r27_writing_is_the_same_every_time() {
    for script in SCRIPTS {
        let session = Session::of(script);
        let once = serde_json::to_string(&session.tracker).expect("a tracker can be written");
        let again = serde_json::to_string(&Session::of(script).tracker).expect("a tracker can be written");
        let reread = serde_json::to_string(&reread(&session.tracker)).expect("a tracker can be written");
        assert_eq!((&again, &reread), (&once, &once), "{script}");
    }
}
