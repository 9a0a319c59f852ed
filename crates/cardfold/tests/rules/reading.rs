//! R18: the eleven rungs, each above the next.

use cardfold_testkit::script::{Session, card, reads};

/// Scripts that differ in one word more; the reading of `a` beside each.
fn all(table: &[(&str, &str)]) {
    for (script, wanted) in table {
        assert_eq!(reads(script, "a"), *wanted, "{script}");
    }
}

#[test]
fn r18_1_the_roster_says_that_the_run_ended() {
    all(&[
        ("D a, TN t→a completed", "settled completed (roster)"),
        ("D a, TS t→a, TU t killed", "settled stopped (roster)"),
        ("D a, R a! \"boom\", TN t→a completed", "settled completed (roster)"),
        ("D a, TN t→a completed, R a! \"boom\"", "settled completed (roster)"),
        ("D a, HB a, TN t→a failed", "settled failed (roster)"),
        ("D a, TN t→a completed, C x<a", "settled completed (roster)"),
    ]);
}

#[test]
fn r18_2_the_answer_is_an_error() {
    all(&[
        ("D a, R a! \"boom\"", "settled failed (error)"),
        ("D a, TS t→a, R a! \"boom\"", "settled failed (error)"),
        ("D a, C x<a, R a! \"boom\"", "settled failed (error)"),
        ("D a, TS t→a, BTC t, BTC, R a! \"boom\"", "settled failed (error)"),
        ("D a, INT a, R a! \"boom\"", "settled failed (error)"),
    ]);
}

#[test]
fn r18_3_the_answer_is_a_report() {
    all(&[
        ("D a, HB a", "settled completed (report)"),
        ("D a, TS t→a, HB a", "settled completed (report)"),
        ("D a, C x<a, HB a", "settled completed (report)"),
        ("D a, INT a, HB a", "settled completed (report)"),
        ("D a, TS t→a, BTC t, BTC, HB a", "settled completed (report)"),
    ]);
}

#[test]
fn r18_4_an_interrupt_marker_stands() {
    all(&[
        ("D a, INT a", "settled stopped (error)"),
        ("D a, TS t→a, INT a", "settled stopped (error)"),
        ("D a, C x<a, INT a", "settled stopped (error)"),
        ("D a, ACK a, INT a", "settled stopped (error)"),
        ("D a, TS t→a, BTC t, INT a, BTC", "settled stopped (error)"),
    ]);
}

#[test]
fn r18_5_the_level_lost_it() {
    all(&[
        ("D a, TS t→a, BTC t, BTC", "settled ended (level, inferred)"),
        ("D a, TS t→a, C x<a, BTC t, BTC", "settled ended (level, inferred)"),
        ("D a, TS t→a, R a \"ok\", BTC t, BTC", "settled ended (level, inferred)"),
    ]);
}

#[test]
fn r18_6_the_roster_says_that_the_run_is_live() {
    all(&[
        ("D a, TS t→a", "running (roster)"),
        ("D a, TS t→a, C x<a", "running (roster)"),
        ("D a, TU t pending, TS t→a", "running (roster)"),
        ("D a, TS t→a, TU t queued", "queued (roster)"),
        ("D a, TS t→a, TU t paused", "waiting (roster)"),
        ("D a, ACK a task=t, TS t→a", "running (roster)"),
        ("D a, R a \"ok\", TS t→a, C x<a, R x", "running (roster)"),
    ]);
}

#[test]
fn r18_7_a_call_is_open() {
    all(&[
        ("D a, C x<a", "running (open_call)"),
        ("D a, ACK a, C x<a", "running (open_call)"),
        ("D a, R a \"ok\", C x<a", "running (open_call)"),
        ("D a, A in<a", "running (open_call)"),
        ("D a, ACK a, A in<a, R in \"ok\", C d<in", "running (open_call)"),
    ]);
}

#[test]
fn r18_8_the_dispatch_is_unanswered() {
    all(&[
        ("D a", "running (dispatch)"),
        ("D a, C x<a, R x", "running (dispatch)"),
        ("D a, SAY a \"Hello.\"", "running (dispatch)"),
    ]);
}

#[test]
fn r18_9_unrecognised_with_calls_that_are_all_settled() {
    all(&[
        ("D a, R a \"ok\", C x<a, R x", "settled completed (calls_settled, inferred)"),
        ("D a, C x<a, R x, R a \"ok\"", "settled completed (calls_settled, inferred)"),
        ("D a, C x<a, R x!, R a \"ok\"", "settled completed (calls_settled, inferred)"),
        ("D a, C x<a, C y<a, R x, R a \"ok\"", "running (open_call)"),
        ("D a, ACK a, C x<a, R x", "running (dispatch)"),
    ]);
}

#[test]
fn r18_10_acknowledged_and_a_frame_of_the_agent_was_seen() {
    all(&[
        ("D a, ACK a, SAY a \"Hello.\"", "running (dispatch)"),
        ("D a, ACK a, USER a \"Look around.\"", "running (dispatch)"),
        ("D a, ACK a task=t, SAY q \"Hello.\" agent_id=t", "running (dispatch)"),
        ("D a, ACK a, C x<a, R x", "running (dispatch)"),
        ("SAY a \"Hello.\", D a, ACK a", "running (dispatch)"),
    ]);
}

#[test]
fn r18_11_otherwise_the_card_is_not_drawn() {
    all(&[
        ("D a, ACK a", "not drawn: running (dispatch)"),
        ("D a, ACK a task=t", "not drawn: running (dispatch)"),
        ("D a, R a \"ok\"", "not drawn: running (dispatch)"),
        ("D a, R a \"ok\", SAY a \"Hello.\"", "not drawn: running (dispatch)"),
    ]);
}

#[test]
fn r18_11_cards_leaves_it_out_all_cards_has_it_and_both_are_counted() {
    let session = Session::of("D a, D b, ACK a, D c, R c \"ok\"");
    let all: Vec<_> = session.tracker.all_cards().map(|card| card.dispatch_id).collect();
    assert_eq!((session.drawn().as_str(), all.join(" ").as_str()), ("b", "a b c"));
    assert_eq!((session.tracker.drawn(), session.tracker.undrawn()), (1, 2));
    let card = session.card("a");
    assert_eq!((card.running, card.outcome, card.inferred), (true, None, false));
}

#[test]
fn r18_11_a_card_goes_and_comes_back() {
    let mut session = Session::of("D a");
    assert_eq!(session.last("ACK a"), "removed a");
    assert_eq!(session.last("SAY a \"Hello.\""), "opened a");
    assert_eq!(session.last("HB a"), "changed a");
}

#[test]
fn r18_reads_the_current_run_only() {
    let script = "D a, TS t→a, C x<a, TU t failed, R a! \"boom\", TS t→s, TU t paused";
    assert_eq!(reads(script, "a"), "waiting (roster)");
    assert_eq!(card(script, "a").open_calls, 0, "the open call was made in the first run");
}
