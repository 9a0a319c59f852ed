//! R4: order does not matter where it carries no meaning.

use cardfold::Card;
use cardfold_testkit::script::{Session, card, counts, outline, reads, row, row_reading, tail, usage};

/// The cards without what may depend on the order: their places, the places of rows, the mixing of a tail.
fn settled_picture(script: &str) -> Vec<String> {
    let mut cards: Vec<Card> = Session::of(script).tracker.all_cards().collect();
    cards.sort_by(|a, b| a.dispatch_id.cmp(&b.dispatch_id));
    for card in &mut cards {
        card.tail.sort_by(|a, b| a.id.cmp(&b.id));
        card.nested.sort_by(|a, b| (&a.dispatch_id, &a.task_id).cmp(&(&b.dispatch_id, &b.task_id)));
    }
    cards.iter().map(outline).collect()
}

/// Every way to deal the lists into one, each list's own order kept.
fn interleavings<'a>(lists: &[&[&'a str]]) -> Vec<Vec<&'a str>> {
    if lists.iter().all(|list| list.is_empty()) {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, list) in lists.iter().enumerate() {
        let Some((first, rest)) = list.split_first() else { continue };
        let mut left = lists.to_vec();
        left[at] = rest;
        all.extend(interleavings(&left).into_iter().map(|tail| [vec![*first], tail].concat()));
    }
    all
}

fn all_alike(lists: &[&[&str]]) {
    let mut orders = interleavings(lists).into_iter().map(|order| order.join(", "));
    let first = orders.next().expect("there is one order at least");
    let wanted = settled_picture(&first);
    for order in orders {
        assert_eq!(settled_picture(&order), wanted, "{order}\nagainst\n{first}");
    }
}

#[test]
fn r4_roster_rows_before_their_dispatch_are_kept() {
    let card = card("TP t→a tokens=5 uses=1 ms=7, D a", "a");
    assert_eq!(usage(card.usage), "5/1/7");
    assert_eq!(reads("TP t→a, D a", "a"), "running (roster)");
    assert_eq!(reads("TN t→a failed, D a", "a"), "settled failed (roster)");
    assert_eq!(reads("TP t→a, TU t killed, D a", "a"), "settled stopped (roster)");
    assert_eq!(reads("TU t killed, D a, ACK a task=t", "a"), "settled stopped (roster)");
}

/// Frames of an agent came under a dispatch that was not seen and whose answer was. What they say of its model counts where
/// another run had begun by then, which is known only with the link (R22).
#[test]
fn r4_the_model_of_frames_behind_an_early_answer_waits_for_the_link() {
    let answered = "R a! \"boom\"";
    let resumed = format!("{answered}, SM s to=t, SMR s resumed=t, C x<a model=small, TS t→a depth=1");
    assert_eq!(card(&resumed, "a").model.as_deref(), Some("small"));
    let trailing = format!("{answered}, C x<a model=small, TS t→a depth=1");
    assert_eq!(card(&trailing, "a").model, None);
}

#[test]
fn r4_results_before_their_calls_are_kept() {
    assert_eq!(tail(&card("D a, R x!, C x<a", "a")), "x failed");
    assert_eq!(reads("HB a, D a", "a"), "settled completed (report)");
    assert_eq!(reads("R a! \"boom\", D a", "a"), "settled failed (error)");
    assert_eq!(reads("ACK a task=t, D a", "a"), "not drawn: running (dispatch)");
}

#[test]
fn r4_calls_before_their_parents_are_kept() {
    let card = card("R d, C d<in, A in<a, D a", "a");
    assert_eq!(card.calls, 2);
    assert_eq!(row(&card, "in").calls, 1);
}

#[test]
fn r4_what_waited_is_taken_up_in_arrival_order() {
    assert_eq!(tail(&card("C x<a, C z<a, C y<a, D a", "a")), "x pending, z pending, y pending");
    assert_eq!(reads("TU t completed, TU t failed, D a, ACK a task=t", "a"), "settled failed (roster)");
}

#[test]
fn r4_a_frame_that_knows_only_its_agent_waits_for_the_link() {
    let card = card("D a, C x agent_id=t, R x agent_id=t, TS t→a", "a");
    assert_eq!(tail(&card), "x completed");
}

#[test]
fn r4_orphans_are_counted_while_they_wait() {
    let mut session = Session::of("C x<a, C y<a");
    assert_eq!(session.tracker.diagnostics().orphans_waiting, 2);
    session.play("D a");
    assert_eq!(session.tracker.diagnostics().orphans_waiting, 0);
    assert_eq!(session.tracker.diagnostics().orphans_dropped, 0);
}

#[test]
fn r4_the_dispatch_may_stand_anywhere_among_its_agents_frames() {
    all_alike(&[&["D a at=5"], &["TS t→a", "TP t→a tokens=3", "C x<a", "R x<a", "TU t completed 9", "HB a"]]);
    all_alike(&[&["D a"], &["ACK a task=t", "C x<a", "C y<a agent_id=t", "R x<a!", "SAY a \"Done.\"", "TN t failed"]]);
    all_alike(&[&["D a"], &["R a \"ok\"", "C x<a", "R x<a", "C y<a"]]);
}

#[test]
fn r4_two_agents_may_mix_in_any_order() {
    all_alike(&[&["D a", "D b"], &["TS t→a", "C x<a", "HB a"], &["ACK b task=u", "C y<b", "TU u killed 9"]]);
}

#[test]
fn r4_nested_agents_may_come_before_what_they_hang_under() {
    all_alike(&[&["D a"], &["TS t→a", "A in<a"], &["TS u→in", "C d<in", "TU u failed"]]);
    all_alike(&[&["D a"], &["A in<a", "TS t→a"], &["A deep<in"], &["C d<deep", "R d<deep"]]);
}

#[test]
fn r4_a_nested_agent_that_asks_makes_those_above_wait_in_any_order() {
    all_alike(&[&["D a"], &["A in<a"], &["C y<in agent_id=u", "ASK q agent=u"]]);
    all_alike(&[&["D a"], &["TS t→a", "A in<a"], &["A deep<in"], &["TP w→deep", "ASK q agent=w"]]);
    assert_eq!(reads("TP u→in, ASK q agent=u, A in<a, D a", "a"), "waiting (open_call)");
}

#[test]
fn r4_a_nested_agent_that_went_on_after_an_ending_may_come_before_its_call() {
    all_alike(&[&["D a"], &["A in<a"], &["TN u→in killed", "TS u→in depth=2", "C d<in"]]);
    all_alike(&[&["D a"], &["A in<a"], &["TS u→in depth=2", "TU u failed", "TS u→s depth=2", "TU u completed"]]);
}

#[test]
fn r4_a_resumed_agent_may_come_before_its_dispatch() {
    all_alike(&[&["D a"], &["TP t→s tokens=3", "C x<a agent_id=t"]]);
    all_alike(&[&["D a"], &["A in<a"], &["TP u→s tokens=3", "C d<in agent_id=u"]]);
    all_alike(&[&["D a"], &["SM s to=t", "HB a", "SMR s resumed=t", "TS t→a"]]);
    all_alike(&[
        &["D a"],
        &["SM s to=t", "TN t→a completed", "SMR s resumed=t", "C x<s agent_id=t", "TP t→s tokens=3"],
    ]);
}

#[test]
fn r4_what_waited_counts_before_the_answer_that_links_it() {
    assert_eq!(
        usage(card("D a, TP t tokens=45, REP a task=t tokens=8", "a").usage),
        "45/-/-",
        "the roster comes first"
    );
    assert_eq!(reads("D a, NQ t failed, TP t→a", "a"), "settled failed (roster)", "the progress trails behind it");
    assert_eq!(reads("D a, NQ t→s failed, TP t→a", "a"), "settled failed (roster)");
}

#[test]
fn r4_a_started_that_names_another_call_makes_no_second_card_of_the_agent() {
    let started = "TS t→s desc=\"do a\"";
    all_alike(&[&["D a"], &[started, "C y<a agent_id=t"]]);
    all_alike(&[&["D a"], &[started, "TP t→a tokens=20"]]);
    assert_eq!(
        Session::of(&format!("D a, {started}, TP t→a")).drawn(),
        "a",
        "one agent for life, and s is no dispatch"
    );
}

#[test]
fn r4_a_failed_nested_agent_that_was_resumed_under_another_call_may_come_before_its_own() {
    all_alike(&[&["D a"], &["A in<a"], &["TU u failed 9", "TS u→s depth=2 desc=\"do in\"", "TS u→in depth=2"]]);
}

#[test]
fn r4_a_level_may_come_before_the_dispatch_and_keeps_its_place_among_the_agents_frames() {
    all_alike(&[&["D a"], &["BTC t", "TS t→a bg=true", "ACK a task=t", "BTC"]]);
}

#[test]
fn r4_a_nested_row_of_the_roster_waits_for_its_parent_task() {
    let session = Session::of("TS u→z parent=t, TU u failed, D a, TS t→a");
    assert_eq!(session.drawn(), "a");
    assert_eq!(row_reading(&row(&session.card("a"), "u")), "settled failed");
}

#[test]
fn r4_what_waited_behind_an_ending_is_taken_up_as_if_it_had_come_in_time() {
    let late = card("TU t completed 20, D a, HB a at=5, META t→a", "a");
    assert_eq!((late.ended_at_ms, late.evidence), (Some(20), cardfold::Evidence::Roster));
    let trailing = card("TP t→s tokens=3, D a, HB a, META t→a", "a");
    assert_eq!((trailing.running, trailing.activity.as_deref()), (false, None));
}

#[test]
fn r4_a_nested_call_that_waited_under_a_task_counts_once() {
    for script in [
        "D a, TS u→in parent=t, A in<a, R in! \"boom\", ACK a task=t",
        "TS u→in parent=t, R in! \"boom\", TS t depth=1, A in<a, ACK a task=t, D a",
    ] {
        assert_eq!(counts(&card(script, "a")), "1 calls, 0 open, 1 failed", "{script}");
    }
}

/// A message wakes the agent while only its marker, or its settled calls, say that it was over, and its task is not yet
/// known to be the card's. Then the agent goes on, which takes the ending back, and only then the task is linked: the run
/// that was over was over when the message came, so what goes on is the next one.
#[test]
fn r4_a_run_that_was_over_when_a_message_woke_the_agent_is_past_whenever_the_link_comes() {
    let wakes = "SM s to=t, SMR s resumed=t, C y<a, TS t→a";
    for over in ["D a, INT a", "D a, R a \"ok\", C x<a, R x"] {
        let card = card(&format!("{over}, {wakes}"), "a");
        assert_eq!((card.runs, reads(&format!("{over}, {wakes}"), "a")), (2, "running (roster)".to_owned()), "{over}");
    }
    assert_eq!(card(&format!("D a, {wakes}"), "a").runs, 1, "nothing was over");
}

/// The link of an agent brings several of its nested agents under the card at once, and they have nested ones of their own:
/// all of them stand in the order in which they were dispatched, as if the link had been known.
#[test]
fn r4_rows_that_come_with_a_link_stand_in_dispatch_order() {
    let script = "D a, A b agent_id=t, META u→b, A c agent_id=t, A d agent_id=u, REP a task=t";
    let rows: Vec<_> = card(script, "a").nested.into_iter().filter_map(|row| row.dispatch_id).collect();
    assert_eq!(rows, ["b", "c", "d"]);
}

/// Two agents turn out to be one. The start is the time of the frame that came first, of whichever of the two.
#[test]
fn r4_the_first_frame_of_an_agent_is_the_first_under_any_of_its_names() {
    let script = "A d<a at=16, TS t→s, USER s \"go\" at=25, TS t→a";
    assert_eq!(card(script, "s").started_at_ms, Some(16));
    let script = "A d<a, TS t→s, USER s \"go\" at=25, C x<a at=30, TS t→a";
    assert_eq!(card(script, "s").started_at_ms, Some(25), "a frame without a time states none");
}

/// As above, and the agent made calls on both sides: those of the run that is past are cut off with it, the others are open.
#[test]
fn r4_calls_stand_in_the_run_in_which_they_were_made_whenever_the_link_comes() {
    for call in ["C y<a", "A y<a"] {
        let script = format!("D a, C x<a, INT a, SM s to=t, SMR s resumed=t, {call}, TS t→a");
        let card = card(&script, "a");
        assert_eq!((tail(&card), card.open_calls, card.runs), ("x cut_off, y pending".to_owned(), 1, 2), "{call}");
    }
    let script = "D a, C x<a, INT a, SM s to=t, SMR s resumed=t, C y<a, R x, R y, C z<a, TS t→a";
    let card = card(script, "a");
    assert_eq!((tail(&card), card.open_calls), ("x completed, y completed, z pending".to_owned(), 1));
}

/// The level lists a row before its call is seen, and other calls come in between. The row keeps its place when its call is
/// known.
#[test]
fn r7_a_row_stands_where_it_was_first_heard_of() {
    let level = r#"BTC {"task_id":"u","task_type":"local_agent","description":"Look","parent_task_id":"t"}"#;
    let script = format!("D a, TS t→a, {level}, A c<a, A b<a, TS u→b");
    let rows: Vec<_> = card(&script, "a").nested.into_iter().filter_map(|row| row.dispatch_id).collect();
    assert_eq!(rows, ["b", "c"]);
}

/// An agent was over when a message woke it, and states its model before anything tells that it is the card's.
#[test]
fn r4_the_model_of_a_run_that_waited_is_that_of_the_next_run() {
    let woken = r#"D a, HB a, SM s to=t, SMR s resumed=t, C x agent_id=t model="late", REP a task=t"#;
    assert_eq!(card(woken, "a").model.as_deref(), Some("late"));
}
