//! Section 6 of the contract, row by row and in its order. The row stands above its test.

use cardfold_testkit::script::{Session, card, cards, counts, reads, row, row_reading, status, tail};

/// `D a` → running, dispatch
#[test]
fn row_01_a_dispatch() {
    assert_eq!(reads("D a", "a"), "running (dispatch)");
    assert_eq!(cards("D a").len(), 1);
}

/// `D a, D b, C a1<a, C b1<b, C a2<a` → two cards, calls 2 and 1
#[test]
fn row_02_two_agents_interleaved() {
    let cards = cards("D a, D b, C a1<a, C b1<b, C a2<a");
    let calls: Vec<_> = cards.iter().map(|card| (card.dispatch_id.as_str(), card.calls)).collect();
    assert_eq!(calls, [("a", 2), ("b", 1)]);
}

/// `D a`, six calls → calls 6, tail the last four
#[test]
fn row_03_six_calls() {
    let card = card("D a, C c1<a, C c2<a, C c3<a, C c4<a, C c5<a, C c6<a", "a");
    assert_eq!(card.calls, 6);
    assert_eq!(tail(&card), "c3 pending, c4 pending, c5 pending, c6 pending");
}

/// `C x<absent`; `C m` without parent → no card
#[test]
fn row_04_calls_of_nobody_known() {
    assert_eq!(cards("C x<absent"), []);
    assert_eq!(cards("C m"), []);
}

/// `D a, R a "ok", C a1<a, R a1` → settled completed, calls_settled, inferred
#[test]
fn row_05_an_unrecognised_answer_and_settled_calls() {
    let card = card("D a, R a \"ok\", C a1<a, R a1", "a");
    assert!(card.inferred);
    assert_eq!(reads("D a, R a \"ok\", C a1<a, R a1", "a"), "settled completed (calls_settled, inferred)");
}

/// `D a, R a "ok"` / `D a, ACK a` → not drawn; after `end_session` completed (returned) / abandoned
#[test]
fn row_06_answers_without_a_frame_behind_them() {
    let mut session = Session::of("D a, R a \"ok\", D b, ACK b");
    assert_eq!(session.drawn(), "");
    assert_eq!((session.tracker.drawn(), session.tracker.undrawn()), (0, 2));
    session.play("END");
    assert_eq!(session.drawn(), "a b");
    assert_eq!(session.reads("a"), "settled completed (returned, inferred)");
    assert_eq!(session.reads("b"), "settled abandoned (session_end, inferred)");
}

/// `D a, R a "ok", TS t→a` → running, roster
#[test]
fn row_07_an_unrecognised_answer_and_a_start() {
    assert_eq!(reads("D a, R a \"ok\", TS t→a", "a"), "running (roster)");
}

/// `D a, TP t→a, TU t completed` → settled completed
#[test]
fn row_08_progress_and_an_ending() {
    assert_eq!(reads("D a, TP t→a, TU t completed", "a"), "settled completed (roster)");
}

/// `D a, TN t→a completed` → settled completed
#[test]
fn row_09_a_notification_alone() {
    assert_eq!(reads("D a, TN t→a completed", "a"), "settled completed (roster)");
}

/// `D a, ACK a, C a1<a` → running, open_call
#[test]
fn row_10_acknowledged_with_an_open_call() {
    assert_eq!(reads("D a, ACK a, C a1<a", "a"), "running (open_call)");
}

/// `D a, ACK a, C a1<a, R a1` → running, dispatch; after `end_session` abandoned; with a last text frame of the
/// agent: completed, calls_settled
#[test]
fn row_11_acknowledged_with_a_settled_call() {
    let script = "D a, ACK a, C a1<a, R a1";
    assert_eq!(reads(script, "a"), "running (dispatch)");
    assert_eq!(reads(&format!("{script}, END"), "a"), "settled abandoned (session_end, inferred)");
    let last_word = format!("{script}, SAY a \"Done.\", END");
    assert_eq!(reads(&last_word, "a"), "settled completed (calls_settled, inferred)");
}

/// `D a, TS t→a, C a1<a, R a1` → running, roster; after `end_session` abandoned
#[test]
fn row_12_started_with_a_settled_call() {
    assert_eq!(reads("D a, TS t→a, C a1<a, R a1", "a"), "running (roster)");
    assert_eq!(reads("D a, TS t→a, C a1<a, R a1, END", "a"), "settled abandoned (session_end, inferred)");
}

/// `D a, TS t→a, R a!` user-rejected → settled stopped, error
#[test]
fn row_13_a_rejected_dispatch() {
    let script = "D a, TS t→a, R a! \"no\" denial=user-rejected";
    assert_eq!(reads(script, "a"), "settled stopped (error)");
}

/// `D a, HB a, TS t→a` → settled completed, runs 1
#[test]
fn row_14_a_start_that_comes_late() {
    assert_eq!(reads("D a, HB a, TS t→a", "a"), "settled completed (report)");
    assert_eq!(card("D a, HB a, TS t→a", "a").runs, 1);
}

/// `D a, TS t→a, HB a, TS t→s` (s a SendMessage) → running, runs 2
#[test]
fn row_15_a_resumed_agent() {
    for script in ["D a, TS t→a, HB a, TS t→s", "D a, TS t→a, HB a, SM s to=t, TS t→s"] {
        assert_eq!(reads(script, "a"), "running (roster)", "{script}");
        assert_eq!(card(script, "a").runs, 2, "{script}");
        assert_eq!(cards(script).len(), 1, "{script}");
    }
}

/// `D a, A in<a, TS u→in, TU u killed` → call `in` failed
#[test]
fn row_16_a_killed_nested_agent() {
    assert_eq!(status("D a, A in<a, TS u→in, TU u killed", "a", "in"), "failed");
    assert_eq!(card("D a, A in<a, TS u→in, TU u killed", "a").failed_calls, 1);
}

/// `D a, TS t→a, TU t weird 9` → settled ended
#[test]
fn row_17_an_end_time_with_an_unknown_word() {
    assert_eq!(reads("D a, TS t→a, TU t weird 9", "a"), "settled ended (roster)");
    assert_eq!(card("D a, TS t→a, TU t weird 9", "a").ended_at_ms, Some(9));
}

/// `D a, HB a` → settled completed, report
#[test]
fn row_18_a_report() {
    assert_eq!(reads("D a, HB a", "a"), "settled completed (report)");
}

/// `D a, R a! "boom"` → settled failed, error
#[test]
fn row_19_an_error() {
    assert_eq!(reads("D a, R a! \"boom\"", "a"), "settled failed (error)");
    let error = card("D a, R a! \"boom\"", "a").error.expect("an error answer has a text");
    assert_eq!(error.text, "boom");
}

/// `D a, C a1<a, R a! "boom"` → settled failed, tail `cut_off` (never running and failed)
#[test]
fn row_20_an_error_over_an_open_call() {
    let card = card("D a, C a1<a, R a! \"boom\"", "a");
    assert_eq!(reads("D a, C a1<a, R a! \"boom\"", "a"), "settled failed (error)");
    assert_eq!(tail(&card), "a1 cut_off");
    assert_eq!((card.failed, card.running), (true, false));
}

/// `D a, TS t→a, TU t failed` / killed / stopped / timed_out / cancelled → settled, failed true, outcome by R16
#[test]
fn row_21_the_words_of_a_bad_ending() {
    let outcomes = [
        ("failed", "failed"),
        ("killed", "stopped"),
        ("stopped", "stopped"),
        ("timed_out", "timed_out"),
        ("cancelled", "stopped"),
    ];
    for (word, outcome) in outcomes {
        let script = format!("D a, TS t→a, TU t {word}");
        assert_eq!(reads(&script, "a"), format!("settled {outcome} (roster)"), "{script}");
        assert!(card(&script, "a").failed, "{script}");
    }
}

/// `D a, TS t→a, TU t weird` → running, unknown word counted
#[test]
fn row_22_an_unknown_word() {
    let session = Session::of("D a, TS t→a, TU t weird");
    assert_eq!(session.reads("a"), "running (roster)");
    assert_eq!(session.tracker.diagnostics().unknown_words, 1);
}

/// `D a, TS t→a, TU t completed 9, TS t→a` → running again, runs 2, no end time
#[test]
fn row_23_started_again() {
    let card = card("D a, TS t→a, TU t completed 9, TS t→a", "a");
    assert_eq!(reads("D a, TS t→a, TU t completed 9, TS t→a", "a"), "running (roster)");
    assert_eq!((card.runs, card.ended_at_ms), (2, None));
}

/// `TS t→a, D a, TU t completed` → settled completed
#[test]
fn row_24_started_before_its_dispatch() {
    assert_eq!(reads("TS t→a, D a, TU t completed", "a"), "settled completed (roster)");
    assert_eq!(cards("TS t→a, D a, TU t completed").len(), 1);
}

/// `C a1<a, D a` → calls 1
#[test]
fn row_25_a_call_before_its_dispatch() {
    assert_eq!(card("C a1<a, D a", "a").calls, 1);
}

/// `D a, R a1 "x", C a1<a` → call completed
#[test]
fn row_26_a_result_before_its_call() {
    assert_eq!(status("D a, R a1 \"x\", C a1<a", "a", "a1"), "completed");
    assert_eq!(status("D a, R a1<a \"x\", C a1<a", "a", "a1"), "completed");
}

/// `D a, C a1<a, C a1<a, R a1` → calls 1, completed
#[test]
fn row_27_a_call_twice() {
    let card = card("D a, C a1<a, C a1<a, R a1", "a");
    assert_eq!(counts(&card), "1 calls, 0 open, 0 failed");
    assert_eq!(tail(&card), "a1 completed");
}

/// `D a, D a` → one card
#[test]
fn row_28_a_dispatch_twice() {
    assert_eq!(cards("D a, D a").len(), 1);
}

/// `D a, A in<a, C d<in, R d` → calls 2, nested 1, call d completed
#[test]
fn row_29_a_nested_call() {
    let card = card("D a, A in<a, C d<in, R d", "a");
    assert_eq!((card.calls, card.nested.len()), (2, 1));
    assert_eq!(tail(&card), "in pending, d completed");
}

/// `D a, C d<in, A in<a` → calls 2 (adopted)
#[test]
fn row_30_a_nested_call_before_its_agent() {
    let card = card("D a, C d<in, A in<a", "a");
    assert_eq!(card.calls, 2);
    assert_eq!(row(&card, "in").calls, 1);
}

/// `D a, A in<a, A deep<in, TS t→a, TS u→in, TS v→deep` → owner of tasks t, u, v: a
#[test]
fn row_31_the_owner_of_every_task() {
    let session = Session::of("D a, A in<a, A deep<in, TS t→a, TS u→in, TS v→deep");
    for task in ["t", "u", "v"] {
        assert_eq!(session.tracker.owner_of_task(task), Some("a"), "{task}");
    }
}

/// `D a, A in<a, ACK in` → call `in` pending until its agent ends
#[test]
fn row_32_an_acknowledged_nested_agent() {
    assert_eq!(status("D a, A in<a, ACK in", "a", "in"), "pending");
    assert_eq!(status("D a, A in<a, ACK in, TN u→in completed", "a", "in"), "completed");
}

/// `D a, TS t→a, TS u→z (parent_task t)` where z was never seen → nested row for u, owner of u: a
#[test]
fn row_33_a_nested_agent_of_the_roster_alone() {
    let session = Session::of("D a, TS t→a, TS u→z parent=t");
    assert_eq!(session.drawn(), "a");
    let row = row(&session.card("a"), "u");
    assert_eq!((row.dispatch_id.as_deref(), row.parent_id.as_deref(), row.depth), (Some("z"), Some("a"), 1));
    assert_eq!(row_reading(&row), "running");
    assert_eq!(session.tracker.owner_of_task("u"), Some("a"));
}

/// `D a, R a "I will print [Subagent hand-back] later"` → not a report
#[test]
fn row_34_a_quoted_marker() {
    let script = "D a, R a \"I will print [Subagent hand-back] later\"";
    assert_eq!(reads(script, "a"), "not drawn: running (dispatch)");
    assert_eq!(reads(&format!("{script}, END"), "a"), "settled completed (returned, inferred)");
}

/// `C x<y, C y<x, D a` → no loop, owner of x: nothing
#[test]
fn row_35_a_cycle() {
    let session = Session::of("C x<y, C y<x, D a");
    assert_eq!(session.tracker.owner_of_call("x"), None);
    assert_eq!(session.tracker.owner_of_call("y"), None);
    assert_eq!(session.reads("a"), "running (dispatch)");
    assert_eq!(session.card("a").calls, 0);
}
