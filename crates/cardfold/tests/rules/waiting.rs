//! R19: who waits, for what, and until when.

use cardfold_testkit::script::{Session, card, reads, row, row_reading};

const PARKED: &str = "TN t→a completed summary=\"Agent \\\"do a\\\" is waiting on its own background work\"";

fn needs(script: &str) -> Option<String> {
    card(script, "a").needs_input
}

#[test]
fn r19_a_a_request_turns_running_into_waiting_with_the_evidence_as_matched() {
    assert_eq!(reads("D a, TS t→a, ASK q agent=t", "a"), "waiting (roster)");
    assert_eq!(reads("D a, ACK a task=t, C x<a, ASK q call=x agent=t", "a"), "waiting (open_call)");
    assert_eq!(reads("D a, SAY a \"Hello.\" agent_id=t, ASK q agent=t", "a"), "waiting (dispatch)");
    assert_eq!(reads("D a, ACK a task=t, SAY a \"Hello.\", ASK q agent=t", "a"), "waiting (dispatch)");
}

#[test]
fn r19_a_a_request_turns_queued_into_waiting() {
    assert_eq!(reads("D a, TS t→a, TU t pending, ASK q agent=t", "a"), "waiting (roster)");
}

#[test]
fn r19_a_a_request_draws_the_card() {
    let mut session = Session::of("D a, ACK a task=t");
    assert_eq!(session.last("ASK q agent=t"), "opened a");
    assert_eq!(session.reads("a"), "waiting (dispatch)");
}

#[test]
fn r19_a_the_asker_is_the_agent_named_else_the_one_that_made_the_call() {
    assert_eq!(reads("D a, D b, TS t→a, TS u→b, C x<b, ASK q agent=t call=x", "a"), "waiting (roster)");
    assert_eq!(reads("D a, D b, TS t→a, TS u→b, C x<b, ASK q agent=t call=x", "b"), "running (roster)");
    assert_eq!(reads("D a, C x<a, ASK q call=x", "a"), "waiting (open_call)");
}

#[test]
fn r19_a_the_main_thread_asking_for_the_dispatch_itself_is_not_the_agent() {
    assert_eq!(reads("D a, ASK q call=a", "a"), "running (dispatch)");
    assert_eq!(reads("D a, TS t→a, C m, ASK q call=m", "a"), "running (roster)");
    assert_eq!(reads("D a, TS t→a, ASK q", "a"), "running (roster)");
}

#[test]
fn r19_a_an_agent_asking_for_a_nested_dispatch_waits_itself() {
    let session = Session::of("D a, TS t→a, A in<a, ASK q call=in");
    assert_eq!(session.reads("a"), "waiting (roster)");
    assert_eq!(row_reading(&row(&session.card("a"), "in")), "running");
}

#[test]
fn r19_a_every_row_and_card_above_the_asker_waits() {
    let session = Session::of("D a, D b, A in<a, A deep<in, A beside<in, C x<deep, ASK q call=x");
    assert_eq!(session.reads("a"), "waiting (open_call)");
    assert_eq!(session.reads("b"), "running (dispatch)");
    let card = session.card("a");
    let rows = ["in", "deep", "beside"].map(|id| row_reading(&row(&card, id)));
    assert_eq!(rows, ["waiting", "waiting", "running"]);
    assert_eq!(card.needs_input.as_deref(), Some("Bash"));
}

#[test]
fn r19_a_a_request_is_open_until_its_answer_its_withdrawal_or_the_result_of_the_call() {
    for end in ["ANS q", "CANCEL q", "R x", "R x!"] {
        let script = format!("D a, TS t→a, C x<a, ASK q call=x agent=t, {end}");
        assert_eq!(reads(&script, "a"), "running (roster)", "{end}");
        assert_eq!(needs(&script), None, "{end}");
    }
    for other in ["ANS q2", "CANCEL q2", "R y"] {
        let script = format!("D a, TS t→a, C x<a, C y<a, ASK q call=x agent=t, {other}");
        assert_eq!(reads(&script, "a"), "waiting (roster)", "{other}");
    }
}

#[test]
fn r19_a_a_request_for_a_call_that_has_its_result_is_answered() {
    assert_eq!(reads("D a, TS t→a, C x<a, R x, ASK q call=x agent=t", "a"), "running (roster)");
}

#[test]
fn r19_a_a_request_that_was_answered_does_not_come_back() {
    assert_eq!(reads("D a, TS t→a, ASK q agent=t uuid=k, ANS q, ASK q agent=t uuid=k", "a"), "running (roster)");
}

#[test]
fn r19_a_what_is_needed_is_the_title_else_the_display_name_else_the_tool() {
    let asked = |rest: &str| needs(&format!("D a, TS t→a, ASK q agent=t {rest}"));
    assert_eq!(asked("tool=Bash title=\"Allow ls?\" display=\"Shell\"").as_deref(), Some("Allow ls?"));
    assert_eq!(asked("tool=Bash display=\"Shell\"").as_deref(), Some("Shell"));
    assert_eq!(asked("tool=Edit").as_deref(), Some("Edit"));
    assert_eq!(asked("title=\"  two\\nlines\\u0007 \"").as_deref(), Some("two lines"));
}

#[test]
fn r19_a_the_oldest_open_request_is_shown() {
    let script = "D a, TS t→a, A in<a, TS u→in, ASK q1 agent=u title=\"One\", ASK q2 agent=t title=\"Two\"";
    assert_eq!(needs(script).as_deref(), Some("One"));
    assert_eq!(needs(&format!("{script}, ANS q1")).as_deref(), Some("Two"));
    assert_eq!(needs(&format!("{script}, ANS q1, ANS q2")), None);
}

#[test]
fn r19_a_a_settled_run_waits_for_nothing() {
    assert_eq!(reads("D a, TS t→a, ASK q agent=t, HB a", "a"), "settled completed (report)");
    assert_eq!(reads("D a, TS t→a, HB a, ASK q agent=t", "a"), "settled completed (report)");
    assert_eq!(needs("D a, TS t→a, ASK q agent=t, TU t failed"), None);
}

#[test]
fn r19_a_requests_of_an_ended_run_lapse() {
    assert_eq!(reads("D a, TS t→a, ASK q agent=t, TU t failed, TS t→s", "a"), "running (roster)");
    let lapsed = "D a, TS t→a, BTC t, ASK q agent=t, BTC, BTC t";
    assert_eq!(reads(lapsed, "a"), "running (roster)", "also when the run turns out to go on");
}

#[test]
fn r19_a_a_request_may_come_before_its_agent_is_known() {
    assert_eq!(reads("ASK q agent=t, D a, TS t→a", "a"), "waiting (roster)");
    assert_eq!(reads("ASK q call=x, D a, C x<a", "a"), "waiting (open_call)");
    assert_eq!(reads("ASK q agent=t, ANS q, D a, TS t→a", "a"), "running (roster)");
}

#[test]
fn r19_b_live_words_that_say_so() {
    for word in ["paused", "waiting_for_user", "blocked"] {
        let script = format!("D a, TS t→a, TU t {word}");
        assert_eq!(reads(&script, "a"), "waiting (roster)", "{word}");
        assert_eq!(needs(&script), None, "{word}");
        assert_eq!(reads(&format!("{script}, TU t running"), "a"), "running (roster)", "{word}");
    }
}

#[test]
fn r19_c_a_run_that_waits_on_its_own_background_work_is_parked() {
    let card = card(&format!("D a, TS t→a, {PARKED}"), "a");
    assert_eq!(reads(&format!("D a, TS t→a, {PARKED}"), "a"), "waiting (roster)");
    assert_eq!((card.outcome, card.ended_at_ms, card.running), (None, None, true));
    let queued =
        "D a, ACK a task=t, NQ t→a completed summary=\"Agent \\\"do a\\\" is waiting on its own background work\"";
    assert_eq!(reads(queued, "a"), "waiting (roster)");
}

#[test]
fn r19_c_the_update_that_stands_beside_the_notice_does_not_end_it() {
    assert_eq!(reads(&format!("D a, TS t→a, TU t completed 9, {PARKED}"), "a"), "waiting (roster)");
}

#[test]
fn r19_c_only_a_completed_run_parks() {
    let failed = PARKED.replace("completed", "failed");
    assert_eq!(reads(&format!("D a, TS t→a, {failed}"), "a"), "settled failed (roster)");
}

#[test]
fn r19_c_a_started_a_progress_or_a_live_status_wakes_it() {
    for wake in ["TS t→a", "TP t→a", "TU t running"] {
        let script = format!("D a, TS t→a, {PARKED}, {wake}");
        assert_eq!(reads(&script, "a"), "running (roster)", "{wake}");
        assert_eq!(card(&script, "a").runs, 1, "{wake}");
    }
}

#[test]
fn r19_c_another_notice_ends_a_parked_run() {
    assert_eq!(reads(&format!("D a, TS t→a, {PARKED}, TN t→a completed"), "a"), "settled completed (roster)");
    assert_eq!(reads(&format!("D a, TS t→a, {PARKED}, TU t killed"), "a"), "settled stopped (roster)");
}

#[test]
fn r19_c_an_end_time_ends_a_parked_run_as_the_notice_said() {
    assert_eq!(reads(&format!("D a, TS t→a, {PARKED}, TU t weird 9"), "a"), "settled completed (roster)");
}

#[test]
fn r19_c_only_while_the_session_is_live() {
    assert_eq!(reads(&format!("D a, TS t→a, {PARKED}, END"), "a"), "settled completed (roster)");
}

#[test]
fn r19_c_a_parked_nested_agent_waits_and_does_not_settle_its_call() {
    let parked = PARKED.replace("t→a", "u→in");
    let session = Session::of(&format!("D a, TS t→a, A in<a, ACK in task=u, TS u→in, {parked}"));
    let card = session.card("a");
    assert_eq!(row_reading(&row(&card, "in")), "waiting");
    assert_eq!(card.open_calls, 1);
}
