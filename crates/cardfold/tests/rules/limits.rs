//! R26: everything has a bound, what goes is counted, and no text is kept.

use cardfold::Limits;
use cardfold_testkit::script::{Session, card, counts, tail};

fn limited(set: impl FnOnce(&mut Limits)) -> Session {
    let mut limits = Limits::default();
    set(&mut limits);
    Session::with_limits(limits)
}

#[test]
fn r26_the_defaults() {
    let limits = Limits::default();
    let numbers = [
        limits.cards,
        limits.call_ids,
        limits.frame_uuids,
        limits.notice_texts,
        limits.orphan_calls,
        limits.unlinked_rows,
        limits.nested_rows,
        limits.aliases,
        limits.open_requests,
    ];
    assert_eq!(numbers, [16_384, 1_048_576, 65_536, 4_096, 4_096, 1_024, 4_096, 16_384, 1_024]);
}

#[test]
fn r26_past_the_bound_the_oldest_card_goes_and_is_counted() {
    let mut session = limited(|limits| limits.cards = 2);
    session.play("D a, D b, HB a, HB b");
    assert_eq!(session.last("D c"), "removed a, opened c");
    assert_eq!(session.drawn(), "b c");
    assert_eq!((session.reads("a").as_str(), session.tracker.owner_of_call("a")), ("no card", None));
    assert_eq!(session.tracker.diagnostics().evictions, 1);
}

#[test]
fn r26_settled_cards_go_first() {
    let mut session = limited(|limits| limits.cards = 2);
    session.play("D a, D b, HB b, D c");
    assert_eq!(session.drawn(), "a c");
}

#[test]
fn r26_a_running_card_goes_when_nothing_else_is_left() {
    let mut session = limited(|limits| limits.cards = 2);
    session.play("D a, D b, D c");
    assert_eq!(session.drawn(), "b c");
    let mut one = limited(|limits| limits.cards = 1);
    one.play("D a, D b, HB b, D c");
    assert_eq!((one.drawn().as_str(), one.tracker.diagnostics().evictions), ("c", 2));
}

#[test]
fn r26_frames_of_a_card_that_went_are_safe() {
    let mut session = limited(|limits| limits.cards = 1);
    session.play("D a, TS t→a, A in<a, TS u→in, C x<in, ASK q call=x, D b");
    session.play("R x, ANS q, TU u failed, TU t completed, HB a, C y<a, C z<in, BTC t u, BTC, TP t→a, END");
    assert_eq!(session.drawn(), "b");
    assert_eq!(session.tracker.owner_of_call("x"), None);
    assert_eq!(session.tracker.owner_of_task("u"), None);
}

#[test]
fn r26_call_ids_have_a_bound() {
    let mut session = limited(|limits| limits.call_ids = 3);
    session.play("D a, C v<a, C w<a, C x<a, C y<a, R v, R w, R x, R y, C z<a");
    assert!(session.tracker.diagnostics().evictions >= 1);
    assert_eq!(session.card("a").calls, 5, "what was counted stays counted");
    assert_eq!(session.last("C z<a"), "", "the newest is remembered");
}

#[test]
fn r26_frame_uuids_have_a_bound() {
    let mut session = limited(|limits| limits.frame_uuids = 1);
    session.play("D a, TS t→a uuid=k, TU t completed uuid=l, TS t→a uuid=k");
    assert_eq!(session.card("a").runs, 2, "its repeat counts again");
    assert!(session.tracker.diagnostics().evictions >= 1);
}

#[test]
fn r26_notice_texts_have_a_bound() {
    let mut session = limited(|limits| limits.notice_texts = 1);
    session.play("D a, ACK a task=t, D b, ACK b task=u, NQ t→a completed, SM s to=t, SMR s resumed=t, NQ u→b failed");
    session.play("NT t→a completed");
    assert_eq!(session.reads("a"), "settled completed (roster)", "its repeat counts again");
    assert!(session.tracker.diagnostics().evictions >= 1);
}

#[test]
fn r26_orphan_calls_have_a_bound() {
    let mut session = limited(|limits| limits.orphan_calls = 2);
    session.play("C x<a, C y<a, C z<a");
    let diagnostics = session.tracker.diagnostics();
    assert_eq!((diagnostics.orphans_waiting, diagnostics.orphans_dropped), (2, 1));
    session.play("D a");
    assert_eq!(tail(&session.card("a")), "y pending, z pending", "the oldest went");
}

#[test]
fn r26_unlinked_rows_have_a_bound() {
    let mut session = limited(|limits| limits.unlinked_rows = 1);
    session.play("TP t→a, TP u→b, D a, D b");
    assert_eq!(session.reads("a"), "running (dispatch)", "the oldest went");
    assert_eq!(session.reads("b"), "running (roster)");
}

#[test]
fn r26_nested_rows_have_a_bound_a_card() {
    let mut session = limited(|limits| limits.nested_rows = 1);
    session.play("D a, D b, A x<a, HB x, A y<a, A z<b");
    let card = session.card("a");
    assert_eq!((card.nested.len(), card.nested[0].dispatch_id.as_deref()), (1, Some("y")), "the oldest went");
    assert_eq!(counts(&card), "2 calls, 1 open, 0 failed");
    assert_eq!(session.card("b").nested.len(), 1);
}

#[test]
fn r26_a_settled_row_goes_first() {
    let mut session = limited(|limits| limits.nested_rows = 2);
    session.play("D a, A x<a, A y<a, HB y, A z<a");
    let rows: Vec<_> = session.card("a").nested.into_iter().filter_map(|row| row.dispatch_id).collect();
    assert_eq!(rows, ["x", "z"]);
}

#[test]
fn r26_aliases_have_a_bound() {
    let mut session = limited(|limits| limits.aliases = 1);
    session.play("D a, TS t→a, HB a, TS t→s, TU t completed, TS t→s2");
    assert_eq!(session.tracker.owner_of_call("s2"), Some("a"));
    assert_eq!(session.tracker.owner_of_call("s"), None, "the oldest went");
}

#[test]
fn r26_open_requests_have_a_bound() {
    let mut session = limited(|limits| limits.open_requests = 1);
    session.play("D a, TS t→a, D b, TS u→b, ASK q agent=t, ASK q2 agent=u");
    assert_eq!(session.reads("a"), "running (roster)", "the oldest went");
    assert_eq!(session.reads("b"), "waiting (roster)");
}

/// The row of a dispatch had been given up, so that a repeat of it counted again: its end was taken for that of the first
/// of the two calls, and the second one stayed open in the tail and nowhere else.
#[test]
fn r26_a_dispatch_that_counts_again_ends_by_its_own_agent() {
    let mut session = limited(|limits| (limits.nested_rows, limits.frame_uuids) = (1, 1));
    session.play("D a, A in<a, REP in task=u, TP u→in, A deep<in, A in<a, TN u→in completed");
    let card = session.card("a");
    let pending = card.tail.iter().filter(|call| call.status == cardfold::CallStatus::Pending).count() as u64;
    assert!(pending <= card.open_calls, "{pending} in the tail, {} in all", card.open_calls);
}

#[test]
fn r26_a_bound_of_nothing_is_safe() {
    let mut limits = Limits::default();
    limits.cards = 0;
    limits.call_ids = 0;
    limits.frame_uuids = 0;
    limits.notice_texts = 0;
    limits.orphan_calls = 0;
    limits.unlinked_rows = 0;
    limits.nested_rows = 0;
    limits.aliases = 0;
    limits.open_requests = 0;
    let mut session = Session::with_limits(limits);
    session
        .play("TP t→a, C x<a, R y, D a, TS t→a, A in<a, TS u→in, C z<in, ASK q call=z, NQ t→a completed, TS t→s, END");
    assert!(session.tracker.all_cards().count() <= 1);
}

#[test]
fn r26_a_tail_has_four_calls() {
    let card = card("D a, C v<a, C w<a, C x<a, C y<a, C z<a", "a");
    assert_eq!(tail(&card), "w pending, x pending, y pending, z pending");
}

/// A session in which every text that must not be kept is a word of its own.
fn texts() -> Session {
    let mut session = Session::of(
        "D a prompt=\"PROMPT\", TS t→a +prompt=\"PROMPT\", USER a \"PROMPT\", SAY a \"WORDS\", \
         C c1<a tool=Write input={\"file_path\":\"/x\",\"content\":\"CONTENT\"}, R c1 \"RESULT\", \
         C c2<a tool=Bash input={\"command\":\"COMMAND\"}, R c2 \"RESULT\" s={\"stdout\":\"STDOUT\"}, \
         NQ t summary=\"EVENT\" uuid=UUID, C c3<a uuid=UUID",
    );
    session.play("R c3, C c4<a, R c4, C c5<a, R c5, C c6<a, R c6, C c7<a, R c7! \"FAULT\"");
    session
}

#[test]
fn r26_full_text_is_never_kept() {
    let written = serde_json::to_string(&texts().tracker).expect("a tracker can be written");
    for word in ["PROMPT", "WORDS", "CONTENT", "RESULT", "STDOUT", "EVENT", "FAULT", "COMMAND"] {
        assert!(!written.contains(word), "{word} was kept");
    }
}

#[test]
fn r26_what_makes_a_repeat_known_is_kept_as_hashes_of_a_named_function() {
    let written = serde_json::to_string(&texts().tracker).expect("a tracker can be written");
    for id in ["UUID", "\"c1\"", "\"c2\""] {
        assert!(!written.contains(id), "{id} was kept");
    }
    assert!(written.to_lowercase().contains("xxh3"), "the written form names the function");
}

#[test]
fn r26_diagnostics_count_frames_and_what_was_odd() {
    let session = Session::of(
        "D a, TS t→a run=r2, C x<a uuid=k, C x<a uuid=k, RAW {\"type\":\"shiny_new\"}, TU t odd run=r2, C _<a, \
         C y<absent, TP t→a run=r1",
    );
    let diagnostics = session.tracker.diagnostics();
    assert_eq!(diagnostics.frames, 9);
    assert_eq!(diagnostics.unknown_frames, 1);
    assert_eq!(diagnostics.unknown_words, 1);
    assert_eq!(diagnostics.blank_ids, 1);
    assert_eq!(diagnostics.orphans_waiting, 1);
    assert_eq!(diagnostics.orphans_dropped, 0);
    assert_eq!(diagnostics.duplicates, 1);
    assert_eq!(diagnostics.late_frames, 1);
    assert_eq!(diagnostics.evictions, 0);
}
