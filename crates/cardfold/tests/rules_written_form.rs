//! R27: a tracker that is written out and read back goes on as if nothing had been.

use cardfold::{Card, CardTracker};
use cardfold_testkit::script::{Session, steps};

fn reread(tracker: &CardTracker) -> CardTracker {
    let written = serde_json::to_string(tracker).expect("a tracker can be written");
    serde_json::from_str(&written).expect("what was written can be read")
}

fn picture(session: &Session) -> (Vec<Card>, u64, String) {
    let tracker = &session.tracker;
    (tracker.all_cards().collect(), tracker.revision(), format!("{:?}", tracker.diagnostics()))
}

const SCRIPTS: [&str; 7] = [
    "D a, TS t→a run=r1, C x<a, TP t→a tokens=5 uses=1 ms=2, R x, TU t completed 9 run=r1, TN t→a completed result=\"One.\", \
     SM s to=t, SMR s resumed=t, C y<s agent_id=t, TP t→s run=r2 tokens=1, TU t failed run=r1, TU t failed 20 run=r2",
    "C z<deep, R z, ASK q call=z, A deep<in, TP u→in, A in<a, BTC t u, D a, TS t→a, BTC u, ANS q, BTC, TP t→a",
    "D a, ACK a task=t, NQ t completed at=5, NT t completed, D b, ACK b task=t, NQ t completed at=8, NT t completed, END",
    "TS t depth=1, ACK a task=t, D b, D a, R b \"ok\", C x<b uuid=k, R x, C y<b uuid=l, SAY b \"No.\" supersedes=[\"l\"], C x<b uuid=k",
    "WF w, WFR w task=wt summary=\"Sweep\", TP wt→w wf=[{\"type\":\"workflow_agent\",\"index\":1,\"label\":\"One\",\"agentId\":\"m\",\
     \"state\":\"progress\"}], C x agent_id=m, SK k, TS v→k, SKR k agent=v, TN wt→w completed, TU v failed",
    "D a, INT a, SAY a \"Hello.\", R a \"ok\", C x<a, R x, TP t→a desc=\"Look\" tool=Agent, TS u→zz desc=\"Look\", STOP o task=t, \
     STOPR o task=t, TN t→a completed, HBT t \"Late.\", END, C y<a",
    "D a, TS t→a, TN t→a completed summary=\"Agent \\\"do a\\\" is waiting on its own background work\", TP t→a, TU t odd, C _<a, \
     META t→a type=Explore model=haiku, HB a \"One.\", ACK a, BTC t, BTC",
];

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
    let fields = written.as_object_mut().expect("the written form is an object");
    let version = fields.iter_mut().find(|(key, value)| key.contains("version") && value.is_u64());
    let (_, version) = version.expect("the written form has a version number");
    *version = serde_json::json!(99);
    let error = serde_json::from_value::<CardTracker>(written).expect_err("it is not the version of this build");
    let said = error.to_string();
    assert!(said.contains("version") && said.contains("99"), "{said}");
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
