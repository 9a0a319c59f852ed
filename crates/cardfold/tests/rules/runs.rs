//! R15: when an agent begins another run, and what of the last one goes.

use cardfold_testkit::script::{Session, card, counts, reads, usage};

const LIVE: &str = "running (roster)";
const ENDED: &str = "settled completed (roster)";

fn runs(script: &str) -> u32 {
    card(script, "a").runs
}

#[test]
fn r15_a_started_begins_another_run_if_the_current_one_has_ended() {
    for ending in ["TU t completed", "TN t→a failed", "TU t 9", "HB a", "R a! \"boom\"", "INT a", "BTC t, BTC"] {
        let script = format!("D a, TS t→a, {ending}, TS t→s");
        assert_eq!((reads(&script, "a").as_str(), runs(&script)), (LIVE, 2), "{ending}");
    }
    assert_eq!(runs("D a, TS t→a, TS t→s"), 1, "the run has not ended");
    assert_eq!(runs("D a, TS t→a, TU t failed, TS t→s, TU t failed, TS t→s2"), 3);
}

#[test]
fn r15_unless_it_names_the_current_runs_run_id() {
    let script = "D a, TS t→a run=r1, TU t completed, TS t→a run=r1";
    assert_eq!((reads(script, "a").as_str(), runs(script)), (ENDED, 1));
}

#[test]
fn r15_unless_it_is_the_first_task_frame_and_names_the_dispatch_itself() {
    assert_eq!(runs("D a, HB a, TS t→a"), 1);
    assert_eq!(reads("D a, R a! \"boom\", TS t→a", "a"), "settled failed (error)");
    assert_eq!(runs("D a, HB a, TP t→a, TS t→a"), 2, "it is not the first");
    assert_eq!(runs("D a, REP a task=t, TS t→s"), 2, "it names another call");
    assert_eq!(runs("D a, REP a task=t, TS t"), 2, "it names no call");
}

/// A store tells the end by a block and has no start. Where a stream overlaps it, the start comes behind the block, and is
/// that of the same run (P8).
#[test]
fn r15_a_block_is_no_task_frame_of_the_run() {
    for block in ["NT t→a completed", "NQ t→a completed", "NA t→a completed"] {
        let script = format!("D a, {block}, TS t→a");
        assert_eq!((reads(&script, "a").as_str(), runs(&script)), (ENDED, 1), "{block}");
    }
}

/// A card may go by the message that woke its agent, where nothing else is known of that: it is no dispatch.
#[test]
fn r15_a_message_is_not_the_dispatch_itself() {
    let script = "STOP o task=t, STOPR o task=t, SM s to=t, TS t→s";
    assert_eq!(reads(script, "s"), "running (roster)");
    assert_eq!(card(script, "s").runs, 2);
}

/// The agent's task was not known when it was resumed twice: both runs came behind the end of the first.
#[test]
fn r15_runs_that_were_counted_apart_are_added_up() {
    let resumed = "SM s to=t, SMR s resumed=t, TO o task=t, TOR o task=t status=completed, SM m to=t, SMR m resumed=t";
    assert_eq!(runs(&format!("D a, HB a, {resumed}, ACK a task=t")), 3);
    assert_eq!(runs(&format!("D a, TU t running, HB a, {resumed}, ACK a task=t")), 3, "the task was heard of before");
}

/// The dispatch read as over for want of open calls while a level listed its task, which nothing had linked to it yet: the
/// roster said that the run was live, and what started then was that run (R22).
#[test]
fn r15_a_start_behind_a_conclusion_that_the_roster_denies_begins_no_run() {
    let over = "D a, R a \"I will\", A in<a, BTC u, ACK in task=u, SM s to=t";
    let linked = "TS t→s depth=1, TS t→a depth=1";
    assert_eq!(runs(&format!("{over}, BTC t, {linked}")), 1);
    assert_eq!(runs(&format!("{over}, BTC, {linked}")), 2, "nothing denied it");
}

#[test]
fn r15_results_of_other_calls_are_no_task_frames_of_the_run() {
    let script = "D a, ACK a task=t, TO o task=t, TOR o task=t status=completed, TS t→a";
    assert_eq!((reads(script, "a").as_str(), runs(script)), (ENDED, 1));
    let stopped = "D a, ACK a task=t, STOP o task=t, STOPR o task=t, TS t→a";
    assert_eq!((reads(stopped, "a").as_str(), runs(stopped)), ("settled stopped (roster)", 1));
}

#[test]
fn r15_any_task_frame_with_a_greater_run_id_begins_another_run() {
    for frame in ["TS t→a run=r2", "TP t→a run=r2", "TU t run=r2 running", "BTC t@r2"] {
        let live = format!("D a, TS t→a run=r1, {frame}");
        assert_eq!((reads(&live, "a").as_str(), runs(&live)), (LIVE, 2), "{frame}");
        let ended = format!("D a, TS t→a run=r1, TU t completed run=r1, {frame}");
        assert_eq!((reads(&ended, "a").as_str(), runs(&ended)), (LIVE, 2), "{frame}");
    }
    assert_eq!(reads("D a, TS t→a run=r1, TN t→a failed run=r2", "a"), "settled failed (roster)");
    assert_eq!(runs("D a, TS t→a run=r1, TN t→a failed run=r2"), 2);
}

#[test]
fn r15_run_ids_are_compared_as_strings() {
    assert_eq!(runs("D a, TS t→a run=r9, TP t→a run=r10"), 1, "r10 is smaller");
    assert_eq!(runs("D a, TS t→a run=r10, TP t→a run=r9"), 2);
}

#[test]
fn r15_a_run_begun_without_a_run_id_adopts_the_first_greater_one() {
    assert_eq!(runs("D a, TS t→a, TP t→a run=r1"), 1);
    assert_eq!(runs("D a, TS t→a, TP t→a run=r1, TP t→a run=r2"), 2);
    let resumed = "D a, TS t→a run=r1, TU t completed run=r1, SM s to=t, SMR s resumed=t";
    assert_eq!(runs(&format!("{resumed}, TP t→s run=r2")), 2);
    assert_eq!(runs(&format!("{resumed}, TP t→s run=r2, TP t→s run=r3")), 3);
    assert_eq!(reads(&format!("{resumed}, TN t→s failed run=r2"), "a"), "settled failed (roster)");
}

#[test]
fn r15_a_run_that_has_ended_without_a_run_id_adopts_one_too() {
    for frame in ["TP t→a run=r1", "TU t run=r1 running", "BTC t@r1"] {
        let script = format!("D a, TS t→a, TU t completed, {frame}");
        assert_eq!((reads(&script, "a").as_str(), runs(&script)), (ENDED, 1), "{frame}");
        let next = format!("{script}, TP t→a run=r2");
        assert_eq!((reads(&next, "a").as_str(), runs(&next)), (LIVE, 2), "{frame}");
    }
}

#[test]
fn r15_a_started_behind_an_ending_that_waited_for_its_link_begins_another_run() {
    for script in ["D a, TN t failed, TS t→a", "TN t failed, TS t→a, D a", "TU t failed, TS t→a, D a"] {
        assert_eq!((reads(script, "a").as_str(), runs(script)), (LIVE, 2), "{script}");
    }
}

#[test]
fn r15_a_frame_of_a_smaller_run_id_is_late_and_changes_nothing() {
    for late in
        ["TS t→a run=r1", "TP t→a run=r1 tokens=9", "TU t failed 9 run=r1", "TN t→a failed run=r1 result=\"Old.\""]
    {
        let mut session = Session::of("D a, TS t→a run=r2");
        assert_eq!(session.last(late), "", "{late}");
        assert_eq!(session.tracker.diagnostics().late_frames, 1, "{late}");
    }
}

#[test]
fn r15_a_frame_of_a_run_that_is_past_is_late_and_changes_nothing() {
    let resumed = "D a, TS t→a run=r1, TU t completed 9 run=r1, SM s to=t, SMR s resumed=t";
    for late in ["TN t→a failed run=r1 tokens=9 result=\"Old.\"", "TU t killed run=r1", "TP t→a run=r1"] {
        let mut session = Session::of(resumed);
        assert_eq!(session.last(late), "", "{late}");
        assert_eq!((session.reads("a").as_str(), session.card("a").runs), (LIVE, 2), "{late}");
    }
    let numbered = "D a, TS t→a run=r1, TU t completed run=r1, TS t→s run=r2, TU t failed run=r1";
    assert_eq!(reads(numbered, "a"), LIVE);
}

#[test]
fn r15_the_result_that_resumes_is_a_started_in_the_background() {
    let card = card("D a, TS t→a bg=false, TU t completed, SM s to=t, SMR s resumed=t", "a");
    assert_eq!((card.runs, card.running, card.backgrounded), (2, true, true));
    assert_eq!(reads("D a, REP a task=t, SM s to=t, SMR s resumed=t", "a"), LIVE);
    for both in ["SMR s resumed=t, TS t→s", "TS t→s, SMR s resumed=t"] {
        let script = format!("D a, TS t→a, TU t completed, SM s to=t, {both}");
        assert!(self::card(&script, "a").backgrounded, "{script}");
    }
}

#[test]
fn r15_the_result_and_the_frame_count_once() {
    let ended = "D a, TS t→a, TU t completed, SM s to=t";
    assert_eq!(runs(&format!("{ended}, SMR s resumed=t, TS t→s")), 2);
    assert_eq!(runs(&format!("{ended}, TS t→s, SMR s resumed=t")), 2);
    assert_eq!(runs(&format!("{ended}, SMR s resumed=t, TS t→s run=r1")), 2);
    let over = format!("{ended}, TS t→s, TU t failed, SMR s resumed=t");
    assert_eq!((reads(&over, "a").as_str(), runs(&over)), ("settled failed (roster)", 2));
    assert_eq!(runs(&format!("{ended}, SMR s resumed=t, TU t failed, SM s2 to=t, SMR s2 resumed=t")), 3);
}

#[test]
fn r15_a_message_that_was_only_queued_starts_nothing() {
    let script = "D a, TS t→a, TU t completed, SM s to=t, SMR s";
    assert_eq!((reads(script, "a").as_str(), runs(script)), (ENDED, 1));
}

#[test]
fn r15_a_new_run_clears_answer_ending_and_error() {
    let card = card("D a, TS t→a, TU t failed 9 error=\"fog\", R a! \"boom\", TS t→s", "a");
    assert_eq!((card.outcome, card.ended_at_ms, card.error), (None, None, None));
    assert!(!card.failed);
    let script = "D a, TS t→a, R a! \"boom\" at=9, TS t→s, TU t completed 20";
    assert_eq!(reads(script, "a"), ENDED, "the answer of the first run says nothing of the second");
    assert_eq!(self::card(script, "a").ended_at_ms, Some(20));
    assert_eq!(reads("D a, TS t→a, HB a, TS t→s, BTC t, BTC", "a"), "settled ended (level, inferred)");
}

#[test]
fn r15_a_new_run_clears_the_level_and_what_was_listed() {
    assert_eq!(reads("D a, TS t→a, BTC t, BTC, TS t→s", "a"), LIVE);
    assert_eq!(reads("D a, TS t→a, BTC t, TU t failed, TS t→s, BTC", "a"), LIVE, "not listed in this run");
    assert_eq!(reads("D a, TS t→a, BTC t, BTC, TS t→s, BTC t, BTC", "a"), "settled ended (level, inferred)");
}

#[test]
fn r15_a_new_run_clears_the_marker() {
    let script = "D a, TS t→a, INT a, TS t→s";
    assert_eq!(reads(script, "a"), LIVE);
    assert_eq!(reads(&format!("{script}, TU t completed"), "a"), ENDED);
}

#[test]
fn r15_a_new_run_is_live_by_the_roster_whatever_the_last_answer_was() {
    let script = "D a, R a \"ok\", C x<a, R x, META t→a, TS t→s";
    assert_eq!((reads(script, "a").as_str(), runs(script)), (LIVE, 2), "`calls_settled` was an ending");
}

#[test]
fn r15_frames_of_a_resumed_run_may_name_the_first_dispatch_or_the_message() {
    let script = "D a, TS t→a, C x<a, R x, TU t completed, SM s to=t, TS t→s, C y<a agent_id=t, C z<s agent_id=t, \
                  TP t→s tokens=5, R y<a, R z<s!, TN t→s completed";
    let session = Session::of(script);
    assert_eq!((session.drawn().as_str(), session.reads("a").as_str()), ("a", ENDED));
    let card = session.card("a");
    assert_eq!((counts(&card).as_str(), card.runs), ("3 calls, 0 open, 1 failed", 2));
}

#[test]
fn r15_figures_of_the_new_run_replace_those_of_the_last() {
    let first = "D a, TS t→a, TP t→a tokens=50 uses=5 ms=500, TU t completed, TS t→s";
    assert_eq!(usage(card(first, "a").usage), "50/5/500", "they stay until the new run has any");
    assert_eq!(usage(card(&format!("{first}, TP t→s tokens=7 uses=1 ms=9"), "a").usage), "7/1/9");
}
