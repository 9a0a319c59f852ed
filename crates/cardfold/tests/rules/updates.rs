//! R25: what `apply` reports, and what has changed since a revision.

use std::collections::BTreeMap;

use cardfold::{CardChange, Change, FrameKind, Rule};
use cardfold_testkit::corpus::SCRIPTS;
use cardfold_testkit::script::{Session, steps};

/// A card's JSON without `revision`; drawn cards only.
fn pictures(session: &Session) -> BTreeMap<String, serde_json::Value> {
    let picture = |card: cardfold::Card| {
        let mut json = serde_json::to_value(&card).expect("a card is JSON");
        json.as_object_mut().expect("a card is an object").remove("revision");
        (card.dispatch_id, json)
    };
    session.tracker.cards().map(picture).collect()
}

/// Folds a script and holds the report of every step against the cards before and after it.
fn exact(script: &str) {
    let mut session = Session::new();
    let mut before = pictures(&session);
    for step in steps(script) {
        let update = session.play(&step).pop().expect("a step is a step");
        let after = pictures(&session);
        let mut wanted = Vec::new();
        wanted.extend(before.keys().filter(|id| !after.contains_key(*id)).map(|id| format!("removed {id}")));
        wanted.extend(after.keys().filter(|id| !before.contains_key(*id)).map(|id| format!("opened {id}")));
        wanted.extend(
            after
                .iter()
                .filter(|(id, now)| before.get(*id).is_some_and(|was| was != *now))
                .map(|(id, _)| format!("changed {id}")),
        );
        wanted.sort();
        let said = session.changes(&update);
        let mut said: Vec<_> = said.split(", ").filter(|change| !change.is_empty()).collect();
        said.sort_unstable();
        assert_eq!(said, wanted, "{step}, in {script}");
        before = after;
    }
}

#[test]
fn r25_a_card_is_reported_if_and_only_if_its_json_differs() {
    for script in SCRIPTS {
        exact(script);
    }
}

#[test]
fn r25_an_update_says_opened_changed_or_removed() {
    let mut session = Session::new();
    assert_eq!(session.last("D a"), "opened a");
    assert_eq!(session.last("C x<a"), "changed a");
    assert_eq!(session.last("C x<a"), "");
    assert_eq!(session.last("R x"), "changed a");
    assert_eq!(session.last("R a \"ok\""), "changed a");
    assert_eq!(session.last("R a \"ok\""), "");
    let mut answered = Session::of("D a, D b");
    assert_eq!(answered.last("ACK a"), "removed a");
    assert_eq!(answered.last("END"), "opened a, changed b");
}

#[test]
fn r25_the_update_names_the_rule_that_decided() {
    assert_eq!(Session::new().play("D a")[0].rule, Rule::R1);
    for quiet in ["C m", "RAW {\"type\":\"shiny_new\"}", "RAW {\"type\":\"stream_event\",\"event\":{}}"] {
        assert_eq!(Session::new().play(quiet)[0].rule, Rule::None, "{quiet}");
    }
}

#[test]
fn r25_a_removed_card_is_given_as_it_last_was() {
    let mut session = Session::of("D a desc=\"Sweep\"");
    let update = session.play("ACK a").pop().expect("one step");
    let [Change::Removed(card)] = &update.changes[..] else { panic!("{update:?}") };
    assert_eq!((card.dispatch_id.as_str(), card.name.as_str(), card.running), ("a", "Sweep", true));
}

#[test]
fn r25_the_update_names_the_kind_of_frame() {
    let kinds = [
        ("D a", FrameKind::Assistant),
        ("R a", FrameKind::User),
        ("USER a \"x\"", FrameKind::User),
        ("BTC t", FrameKind::BackgroundTasks),
        ("TS t→a", FrameKind::TaskStarted),
        ("TP t→a", FrameKind::TaskProgress),
        ("TU t running", FrameKind::TaskUpdated),
        ("TN t→a completed", FrameKind::TaskNotification),
        ("NQ t→a completed", FrameKind::Notices),
        ("NA t→a completed", FrameKind::Notices),
        ("ASK q agent=t", FrameKind::Permission),
        ("ANS q", FrameKind::Permission),
        ("DENIED x", FrameKind::Permission),
        ("META t→a", FrameKind::Sidecar),
        ("RAW {\"type\":\"result\",\"subtype\":\"success\"}", FrameKind::TurnResult),
        ("RAW {\"type\":\"tool_progress\",\"tool_use_id\":\"x\",\"tool_name\":\"Bash\"}", FrameKind::ToolProgress),
        ("RAW {\"type\":\"stream_event\",\"event\":{}}", FrameKind::Quiet),
        ("RAW {\"type\":\"shiny_new\"}", FrameKind::Unknown),
        ("END", FrameKind::EndSession),
    ];
    for (script, kind) in kinds {
        assert_eq!(Session::new().play(script)[0].kind, kind, "{script}");
    }
}

#[test]
fn r25_each_change_raises_the_revision_of_the_card_and_of_the_tracker() {
    let mut session = Session::of("D a, D b");
    let (tracker, a, b) = (session.tracker.revision(), session.card("a").revision, session.card("b").revision);
    session.play("C x<a");
    assert!(session.tracker.revision() > tracker);
    assert!(session.card("a").revision > a);
    assert_eq!(session.card("b").revision, b);
    let quiet = (session.tracker.revision(), session.card("a").revision);
    session.play("C x<a, C m, TS sh→m task_type=local_bash");
    assert_eq!((session.tracker.revision(), session.card("a").revision), quiet);
}

fn since(session: &Session, revision: u64) -> Vec<String> {
    let changes = session.tracker.changed_since(revision).expect("the revision is remembered");
    let word = |change| match change {
        CardChange::Card(card) => card.dispatch_id,
        CardChange::Removed { dispatch_id } => format!("-{dispatch_id}"),
    };
    changes.map(word).collect()
}

#[test]
fn r25_changed_since_gives_what_changed_after_a_revision_in_order_of_change() {
    let mut session = Session::of("D a, D b, D c");
    assert_eq!(since(&session, 0), ["a", "b", "c"]);
    let then = session.tracker.revision();
    assert_eq!(since(&session, then), [""; 0]);
    session.play("C x<c, C y<a, C z<c");
    assert_eq!(since(&session, then), ["a", "c"], "each once, by its last change");
    let later = session.tracker.revision();
    session.play("ACK b, HB a");
    assert_eq!(since(&session, later), ["-b", "a"]);
    assert_eq!(since(&session, then), ["c", "-b", "a"]);
}

#[test]
fn r25_a_card_that_came_back_is_there_after_its_removal() {
    let mut session = Session::of("D a");
    let then = session.tracker.revision();
    session.play("ACK a, SAY a \"Hello.\"");
    assert_eq!(since(&session, then).last().map(String::as_str), Some("a"));
}

#[test]
fn r25_changed_since_holds_a_host_at_the_state_of_the_tracker() {
    for script in SCRIPTS {
        let mut session = Session::new();
        let mut host: BTreeMap<String, cardfold::Card> = BTreeMap::new();
        let mut revision = 0;
        for (at, step) in steps(script).into_iter().enumerate() {
            session.play(&step);
            if at % 2 == 0 {
                continue;
            }
            for change in session.tracker.changed_since(revision).expect("the revision is remembered") {
                match change {
                    CardChange::Card(card) => drop(host.insert(card.dispatch_id.clone(), *card)),
                    CardChange::Removed { dispatch_id } => drop(host.remove(&dispatch_id)),
                }
            }
            revision = session.tracker.revision();
            let cards = session.tracker.cards().map(|card| (card.dispatch_id.clone(), card)).collect();
            assert_eq!(host, cards, "{step}, in {script}");
        }
    }
}

#[test]
fn r25_a_revision_before_the_remembered_removals_is_too_old() {
    let mut session = Session::of("D a");
    let first = session.tracker.revision();
    for at in 0..4096 {
        session.play(&format!("D d{at}, ACK d{at}"));
    }
    let removals = session.tracker.changed_since(first).expect("the last 4,096 removals are remembered");
    assert_eq!(removals.count(), 4096);
    session.play("D more, ACK more");
    assert!(session.tracker.changed_since(first).is_err());
    let now = session.tracker.revision();
    assert!(session.tracker.changed_since(now).is_ok());
}
