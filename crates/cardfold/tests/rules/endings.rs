//! R20 to R22: one ending a run, calls that are cut off, and what opens a settled card again.

use cardfold_testkit::script::{Session, card, cards, counts, reads, row, row_reading, status, tail, usage};

const LIVE: &str = "running (roster)";
const LOST: &str = "D a, TS t→a, BTC t, BTC";

#[test]
fn r20_the_owners_own_word_beats_the_answer_in_either_order() {
    for script in ["D a, TS t→a, TU t killed, HB a", "D a, TS t→a, HB a, TU t killed"] {
        assert_eq!(reads(script, "a"), "settled stopped (roster)", "{script}");
    }
}

#[test]
fn r20_the_answer_beats_a_marker_and_a_marker_an_inference() {
    for script in ["D a, TS t→a, INT a, R a! \"boom\"", "D a, TS t→a, R a! \"boom\", INT a"] {
        assert_eq!(reads(script, "a"), "settled failed (error)", "{script}");
    }
    assert_eq!(reads(&format!("{LOST}, INT a"), "a"), "settled stopped (error)");
    assert_eq!(reads("D a, ACK a, INT a, END", "a"), "settled stopped (error)");
}

#[test]
fn r20_among_equals_the_later_stands() {
    assert_eq!(reads("D a, TS t→a, TU t completed, TN t→a failed", "a"), "settled failed (roster)");
    assert_eq!(reads("D a, TS t→a, TU t failed, TN t→a completed", "a"), "settled completed (roster)");
    assert_eq!(reads("D a, HB a, R a! \"boom\"", "a"), "settled failed (error)");
    assert_eq!(reads("D a, R a! \"boom\", HB a", "a"), "settled completed (report)");
}

#[test]
fn r20_an_inference_never_replaces_an_observation() {
    for ending in ["TU t failed", "R a! \"boom\"", "HB a", "INT a"] {
        let script = format!("D a, TS t→a, BTC t, {ending}");
        let observed = reads(&script, "a");
        assert_eq!(reads(&format!("{script}, BTC"), "a"), observed, "{ending}");
        assert_eq!(reads(&format!("{script}, END"), "a"), observed, "{ending}");
    }
}

#[test]
fn r20_an_observation_always_replaces_an_inference() {
    for inferred in [LOST, "D a, TS t→a, END", "D a, R a \"ok\", C x<a, R x", "D a, R a \"ok\", END", "D a, ACK a, END"]
    {
        assert!(card(inferred, "a").inferred, "{inferred}");
        assert_eq!(reads(&format!("{inferred}, TN t→a failed"), "a"), "settled failed (roster)", "{inferred}");
        assert_eq!(reads(&format!("{inferred}, R a! \"boom\""), "a"), "settled failed (error)", "{inferred}");
        assert_eq!(reads(&format!("{inferred}, HB a"), "a"), "settled completed (report)", "{inferred}");
    }
}

#[test]
fn r20_failed_is_never_true_on_a_running_card() {
    for card in cards("D a, TS t→a, TU t failed, TS t→s, D b, R b! \"boom\", TS u→b, D c, C x<c, R x!") {
        assert!(!(card.failed && card.running), "{}", card.dispatch_id);
    }
}

#[test]
fn r21_open_calls_read_cut_off_when_the_run_is_over() {
    for ending in ["HB a", "R a! \"boom\"", "TN t→a failed", "TS t→a, BTC t, BTC", "INT a", "END"] {
        let card = card(&format!("D a, C x<a, C y<a, R y, {ending}"), "a");
        assert_eq!(tail(&card), "x cut_off, y completed", "{ending}");
        assert_eq!(counts(&card), "2 calls, 0 open, 0 failed", "{ending}");
    }
}

#[test]
fn r21_open_calls_read_cut_off_when_any_run_above_is_over() {
    let card = card("D a, TS t→a, A in<a, TS u→in, A deep<in, C x<deep, TU t killed", "a");
    assert_eq!(tail(&card), "in cut_off, deep cut_off, x cut_off");
    assert_eq!(counts(&card), "3 calls, 0 open, 0 failed");
}

#[test]
fn r21_a_nested_run_that_is_over_cuts_its_own_calls_only() {
    let card = card("D a, TS t→a, C w<a, A in<a, TS u→in, C x<in, A deep<in, C y<deep, TU u killed", "a");
    assert_eq!(tail(&card), "in failed, x cut_off, deep cut_off, y cut_off");
    assert_eq!(counts(&card), "5 calls, 1 open, 1 failed");
}

/// A nested agent whose place is told late stands under the run in which it began, or in which the message was written
/// that woke it.
#[test]
fn r21_a_row_stands_under_the_run_in_which_it_began() {
    let first = "TS t→a, HB a, TS u→in depth=2";
    for woken in ["", "TN u→in stopped, "] {
        let resumed = format!("{first}, {woken}SM s to=t, SM m<a to=u, SMR s resumed=t, TS u→m");
        let card = card(&format!("{resumed}, C x<in"), "a");
        assert_eq!(tail(&card), "m cut_off, x cut_off", "{woken}");
        assert_eq!((card.runs, counts(&card).as_str()), (2, "2 calls, 0 open, 0 failed"), "{woken}");
    }
}

/// The agent was heard of under its dispatch in its first run, and called in the next: only then did a frame tell that
/// both are one.
#[test]
fn r21_calls_made_since_a_run_began_are_its_own_whenever_the_link_comes() {
    let script = "USER a \"Do it.\", TU t running, TO o task=t, TOR o task=t status=failed, TS t→s, C x<a, TS t→a";
    let card = card(script, "s");
    assert_eq!((tail(&card).as_str(), card.runs), ("x pending", 2));
}

/// As before, with calls in both runs: those of the first are cut off, those made since are open.
#[test]
fn r21_calls_on_both_sides_of_a_start_that_was_linked_late() {
    for first in ["A in<a", "C w<a"] {
        let begun = "TU t running, TO o task=t, TOR o task=t status=failed, TS t→s";
        let script = format!("{first}, {begun}, C x<a, A deep<a, TS t→a");
        let card = card(&script, "s");
        let status = format!("{} cut_off, x pending, deep pending", &first[2..first.len() - 2]);
        assert_eq!((tail(&card), card.open_calls), (status, 2), "{first}");
    }
}

/// Where two agents turned out to be one, and that one went to another card, the calls of the other stayed behind.
#[test]
fn r21_the_calls_of_agents_that_are_one_go_with_it() {
    let script = "TS r→a, C x<d, SM s<a to=t, TS t→s, TS t→d";
    assert_eq!(tail(&card(script, "a")), "s pending");
    assert_eq!(tail(&card(script, "d")), "x pending");
}

/// Both answers were taken for those of one run until the link came; the second is that of the run that a message began.
#[test]
fn r20_the_time_of_an_answer_goes_with_it_to_its_run() {
    let card = card("D a, HB a at=1, SM s to=t, SMR s resumed=t, R a! \"boom\" at=2, NT t→a failed", "a");
    assert_eq!((card.runs, card.ended_at_ms), (2, Some(2)));
}

#[test]
fn r21_a_call_that_comes_after_the_ending_without_a_result_is_cut_off() {
    let card = card("D a, HB a, C x<a, C y<a, R y", "a");
    assert_eq!(tail(&card), "x cut_off, y completed");
    assert_eq!(reads("D a, HB a, C x<a", "a"), "settled completed (report)");
}

#[test]
fn r21_a_cut_off_call_still_takes_its_own_result() {
    assert_eq!(status("D a, C x<a, HB a, R x!", "a", "x"), "failed");
}

#[test]
fn r21_if_the_run_goes_on_the_calls_are_open_again() {
    let lost = "D a, TS t→a, C x<a, BTC t, BTC";
    assert_eq!(status(lost, "a", "x"), "cut_off");
    for wake in ["BTC t", "TP t→a", "C y<a"] {
        let script = format!("{lost}, {wake}");
        assert_eq!(status(&script, "a", "x"), "pending", "{wake}");
        assert!(card(&script, "a").open_calls >= 1, "{wake}");
    }
    assert_eq!(status("D a, TS t→a, C x<a, INT a, SAY a \"Still here.\"", "a", "x"), "pending");
}

#[test]
fn r21_calls_of_an_earlier_run_stay_cut_off() {
    let card = card("D a, TS t→a, C x<a, TU t failed, TS t→s, C y<a", "a");
    assert_eq!(tail(&card), "x cut_off, y pending");
    assert_eq!(counts(&card), "2 calls, 1 open, 0 failed");
}

#[test]
fn r21_a_nested_agent_of_an_earlier_run_stays_cut_off() {
    let card = card("D a, TS t→a, A in<a, C x<in, TU t failed, TS t→s", "a");
    assert_eq!(tail(&card), "in cut_off, x cut_off");
    assert_eq!(card.open_calls, 0);
}

#[test]
fn r22_an_observed_ending_opens_again_through_a_new_run_only() {
    for ending in ["TU t completed", "HB a", "R a! \"boom\""] {
        let ended = format!("D a, TS t→a, BTC t, {ending}");
        let settled = reads(&ended, "a");
        for trailing in ["C x<a", "SAY a \"More.\"", "TP t→a", "TU t running", "BTC t", "BTC", "USER a \"Go on.\""] {
            assert_eq!(reads(&format!("{ended}, {trailing}"), "a"), settled, "{ending}, {trailing}");
        }
        assert_eq!(reads(&format!("{ended}, TS t→s"), "a"), LIVE, "{ending}");
    }
}

#[test]
fn r22_a_lost_row_opens_again_when_it_is_listed_again() {
    assert_eq!(reads(&format!("{LOST}, BTC t"), "a"), LIVE);
    assert_eq!(card(&format!("{LOST}, BTC t"), "a").runs, 1);
}

#[test]
fn r22_a_live_word_of_the_roster_opens_an_inferred_ending() {
    for inferred in [LOST, "D a, TS t→a, END", "D a, ACK a task=t, END", "D a, R a \"ok\", C x<a, R x"] {
        for word in ["TP t→a", "TP t→a, TU t running"] {
            let script = format!("{inferred}, {word}");
            assert_eq!((reads(&script, "a").as_str(), card(&script, "a").runs), (LIVE, 1), "{script}");
        }
    }
    assert_eq!(reads(&format!("{LOST}, TU t paused"), "a"), "waiting (roster)");
}

#[test]
fn r22_a_call_that_started_after_an_inferred_ending_opens_it() {
    assert_eq!(reads("D a, R a \"ok\", C x<a, R x, C y<a", "a"), "running (open_call)");
    assert_eq!(reads("D a, END, C y<a", "a"), "running (open_call)");
    assert_eq!(reads(&format!("{LOST}, C y<a"), "a"), LIVE);
    assert_eq!(reads(&format!("{LOST}, SAY a \"More.\""), "a"), "settled ended (level, inferred)", "no call");
}

#[test]
fn r22_a_call_of_before_the_ending_opens_nothing() {
    let ended = "D a, TS t→a, C x<a, END";
    for trailing in ["C x<a", "R x"] {
        assert_eq!(
            reads(&format!("{ended}, {trailing}"), "a"),
            "settled abandoned (session_end, inferred)",
            "{trailing}"
        );
    }
}

#[test]
fn r22_a_withdrawn_marker_opens_the_card() {
    assert_eq!(reads("D a, INT a, C x<a", "a"), "running (open_call)");
}

#[test]
fn r22_frames_that_trail_behind_an_ending_change_calls_and_nothing_else() {
    let ended = "D a, TS t→a, TP t→a tokens=5 uses=2 ms=7, C x<a, TU t completed 9";
    let before = card(ended, "a");
    let after = card(
        &format!("{ended}, TP t→a tokens=90 uses=9 ms=99 desc=\"Still reading\", TU t running, C y<a, R x, BTC t, BTC"),
        "a",
    );
    assert_eq!(tail(&after), "x completed, y cut_off");
    assert_eq!(usage(after.usage), usage(before.usage));
    assert_eq!((after.ended_at_ms, after.runs, after.activity), (Some(9), 1, None));
    assert_eq!((after.state, after.outcome, after.evidence), (before.state, before.outcome, before.evidence));
}

#[test]
fn r22_nested_rows_open_again_by_the_same_rules() {
    let session = Session::of("D a, TS t→a, A in<a, TS u→in, BTC u, BTC, TP u→in");
    assert_eq!(row_reading(&row(&session.card("a"), "in")), "running");
    let ended = Session::of("D a, TS t→a, A in<a, TS u→in, TU u failed, TP u→in");
    assert_eq!(row_reading(&row(&ended.card("a"), "in")), "settled failed");
}

/// A level took an agent between two others for over. A call below it showed that it goes on, and what was open below
/// it counts at the top again, although the levels between were never over.
#[test]
fn r22_what_goes_on_counts_again_at_every_level() {
    let script = "D a, TS t→a, A in<a, A deep<in, BTC v, TS v→deep, A low<deep, BTC";
    let lost = card(script, "a");
    assert_eq!((lost.open_calls, tail(&lost).as_str()), (1, "in pending, deep completed, low cut_off"));
    let awake = card(&format!("{script}, R x \"ok\", C x<low"), "a");
    assert_eq!((awake.open_calls, tail(&awake).as_str()), (3, "in pending, deep pending, low pending, x completed"));
}
