//! R28: what the end of the session makes of what was still live.

use cardfold_testkit::script::{Session, card, outline, reads, row, row_reading};

const ABANDONED: &str = "settled abandoned (session_end, inferred)";
const RETURNED: &str = "settled completed (returned, inferred)";
const SETTLED: &str = "settled completed (calls_settled, inferred)";

fn at_the_end(script: &str) -> String {
    reads(&format!("{script}, END"), "a")
}

#[test]
fn r28_an_unrecognised_answer_without_a_live_roster_is_returned() {
    assert_eq!(at_the_end("D a, R a \"ok\""), RETURNED);
    assert_eq!(at_the_end("D a, R a \"ok\", C x<a"), RETURNED);
    assert_eq!(at_the_end("D a, R a \"ok\", SAY a \"Hello.\""), RETURNED);
    assert_eq!(at_the_end("D a, R a \"ok\", TS t→a"), ABANDONED, "the roster said live");
    assert_eq!(at_the_end("D a, R a \"ok\", TP t→a"), ABANDONED, "the roster said live");
}

#[test]
fn r28_acknowledged_with_a_last_word_is_calls_settled() {
    assert_eq!(at_the_end("D a, ACK a, C x<a, R x, SAY a \"Done.\""), SETTLED);
    assert_eq!(at_the_end("D a, ACK a, SAY a \"Done.\""), SETTLED, "or no call at all");
    assert_eq!(at_the_end("D a, SAY a \"Done.\", ACK a"), SETTLED);
}

#[test]
fn r28_a_last_word_is_an_assistant_frame_of_text_without_a_call() {
    assert_eq!(at_the_end("D a, ACK a, SAY a \"Done.\", USER a \"Go on.\""), ABANDONED);
    assert_eq!(at_the_end("D a, ACK a, SAY a \"I look.\", C x<a, R x"), ABANDONED);
    assert_eq!(at_the_end("D a, ACK a, SAY a \"Do\" aborted"), ABANDONED, "an aborted frame is no last word");
    let thinking = "RAW {\"type\":\"assistant\",\"parent_tool_use_id\":\"a\",\"message\":{\"content\":[{\"type\":\"thinking\",\"thinking\":\"x\"}]}}";
    assert_eq!(at_the_end(&format!("D a, ACK a, {thinking}")), ABANDONED);
}

#[test]
fn r28_a_last_word_wants_all_calls_settled_and_no_live_roster() {
    assert_eq!(at_the_end("D a, ACK a, C x<a, SAY a \"Done.\""), ABANDONED, "a call is open");
    assert_eq!(at_the_end("D a, ACK a task=t, TP t→a, SAY a \"Done.\""), ABANDONED, "the roster said live");
    assert_eq!(at_the_end("D a, SAY a \"Done.\""), ABANDONED, "never acknowledged");
}

#[test]
fn r28_the_last_word_is_the_agents_own() {
    assert_eq!(at_the_end("D a, ACK a, A in<a, R in \"ok\", SAY in \"Done.\""), ABANDONED);
    assert_eq!(at_the_end("D a, D b, ACK a, USER a \"Go.\", SAY b \"Done.\", SAY - \"Done.\""), ABANDONED);
}

#[test]
fn r28_anything_else_is_abandoned() {
    for script in ["D a", "D a, C x<a", "D a, TS t→a", "D a, TS t→a, TU t paused", "TS t→a", "D a, ACK a, C x<a"]
    {
        assert_eq!(at_the_end(script), ABANDONED, "{script}");
    }
}

#[test]
fn r28_acknowledged_cards_that_were_not_drawn_become_abandoned_and_are_drawn() {
    let mut session = Session::of("D a, ACK a, D b, R b \"ok\"");
    assert_eq!(session.last("END"), "opened a, opened b");
    assert_eq!(session.reads("a"), ABANDONED);
    assert_eq!(session.reads("b"), RETURNED);
    assert_eq!(session.tracker.undrawn(), 0);
}

#[test]
fn r28_nothing_stays_parked() {
    let parked = "TN t→a completed summary=\"Agent \\\"do a\\\" is waiting on its own background work\"";
    assert_eq!(at_the_end(&format!("D a, TS t→a, {parked}")), "settled completed (roster)");
    assert_eq!(at_the_end("D a, TS t→a, ASK q agent=t"), ABANDONED);
    assert_eq!(card("D a, TS t→a, ASK q agent=t, END", "a").needs_input, None);
}

#[test]
fn r28_settled_cards_stay_as_they_are() {
    for script in
        ["D a, HB a", "D a, R a! \"boom\"", "D a, TS t→a, TU t killed", "D a, INT a", "D a, TS t→a, BTC t, BTC"]
    {
        assert_eq!(at_the_end(script), reads(script, "a"), "{script}");
    }
    assert_eq!(at_the_end("D a, R a \"ok\", C x<a, R x"), SETTLED);
}

#[test]
fn r28_live_nested_rows_get_their_endings_by_the_same_rules() {
    let card = card(
        "D a, TS t→a, A in<a, TS u→in, A on<a, R on \"ok\", A off<a, ACK off, SAY off \"Done.\", TU t completed, END",
        "a",
    );
    let rows = ["in", "on", "off"].map(|id| row_reading(&row(&card, id)));
    assert_eq!(rows, ["settled abandoned", "settled completed", "settled completed"]);
}

#[test]
fn r28_an_inferred_ending_has_no_time() {
    assert_eq!(card("D a at=5, C x<a at=6, END", "a").ended_at_ms, None);
    assert_eq!(card("D a at=5, ACK a at=6, SAY a \"Done.\" at=7, END", "a").ended_at_ms, None);
}

#[test]
fn r28_stated_twice_is_stated_once() {
    let mut session = Session::of("D a, ACK a, D b, TS t→b, END");
    let before: Vec<_> = session.tracker.cards().map(|card| outline(&card)).collect();
    assert_eq!(session.last("END"), "");
    let after: Vec<_> = session.tracker.cards().map(|card| outline(&card)).collect();
    assert_eq!(after, before);
}

#[test]
fn r28_a_frame_that_comes_afterwards_and_proves_otherwise_wins() {
    let afterwards = [
        ("TN t→a failed", "settled failed (roster)"),
        ("TU t completed 9", "settled completed (roster)"),
        ("HB a", "settled completed (report)"),
        ("R a! \"boom\"", "settled failed (error)"),
        ("TP t→a", "running (roster)"),
        ("C y<a", "running (roster)"),
    ];
    for (frame, wanted) in afterwards {
        assert_eq!(reads(&format!("D a, TS t→a, END, {frame}"), "a"), wanted, "{frame}");
    }
    assert_eq!(reads("D a, TS t→a, END, TP t→a, END", "a"), ABANDONED, "and the session may end again");
}
