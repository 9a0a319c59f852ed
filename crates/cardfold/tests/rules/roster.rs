//! R14, R16 and R17: what the task frames say, in which words, and what the level of live tasks adds.

use cardfold_testkit::script::{Session, card, cards, reads, row, usage};

const LIVE: &str = "running (roster)";
const ENDED: &str = "settled completed (roster)";
const LOST: &str = "settled ended (level, inferred)";

#[test]
fn r14_started_gives_life_title_and_background() {
    let card = card("D a desc=\"Old\", TS t→a desc=\"New\" bg=true", "a");
    assert_eq!((card.name.as_str(), card.backgrounded), ("New", true));
    assert_eq!(reads("D a, TS t→a", "a"), LIVE);
}

#[test]
fn r14_progress_is_live_even_if_the_start_was_missed() {
    assert_eq!(reads("D a, TP t→a", "a"), LIVE);
    assert_eq!(reads("D a, ACK a task=t, TP t", "a"), LIVE);
}

#[test]
fn r14_progress_gives_usage_and_activity_never_the_title() {
    let card = card("D a desc=\"Title\", TP t→a desc=\"Reading seed.txt\" tokens=5 uses=2 ms=7", "a");
    assert_eq!((card.name.as_str(), card.activity.as_deref()), ("Title", Some("Reading seed.txt")));
    assert_eq!(usage(card.usage), "5/2/7");
}

#[test]
fn r14_updated_ends_the_run_by_a_word_or_an_end_time() {
    assert_eq!(reads("D a, TS t→a, TU t completed", "a"), ENDED);
    assert_eq!(reads("D a, TS t→a, TU t completed 9", "a"), ENDED);
    assert_eq!(reads("D a, TS t→a, TU t 9", "a"), "settled ended (roster)");
    assert_eq!(reads("D a, TS t→a, TU t", "a"), LIVE, "a patch that says nothing");
}

#[test]
fn r14_an_end_time_alone_is_ended_until_a_word_comes() {
    assert_eq!(reads("D a, TS t→a, TU t 9, TN t→a failed", "a"), "settled failed (roster)");
    assert_eq!(reads("D a, TS t→a, TU t 9, TU t killed", "a"), "settled stopped (roster)");
    assert_eq!(reads("D a, TS t→a, TU t failed, TU t 9", "a"), "settled failed (roster)", "the word has come");
}

#[test]
fn r14_updated_gives_background_title_and_error() {
    let moved = card("D a, TS t→a bg=false, TU t bg=true", "a");
    assert!(moved.backgrounded && moved.running);
    assert_eq!(card("D a, TS t→a, TU t desc=\"Another\"", "a").name, "Another");
    let failed = card("D a, TS t→a, TU t failed error=\"no hammer\"", "a");
    assert_eq!(failed.error.expect("the patch has an error").text, "no hammer");
}

#[test]
fn r14_every_ending_word_of_a_notification_ends_the_run() {
    for (word, outcome) in
        [("completed", "completed"), ("failed", "failed"), ("stopped", "stopped"), ("timed_out", "timed_out")]
    {
        assert_eq!(reads(&format!("D a, TN t→a {word}"), "a"), format!("settled {outcome} (roster)"), "{word}");
    }
    assert_eq!(reads("D a, TS t→a, TN t→a", "a"), LIVE);
}

#[test]
fn r14_blocked_is_failed_in_a_notification_and_waiting_elsewhere() {
    assert_eq!(reads("D a, TS t→a, TN t→a blocked", "a"), "settled failed (roster)");
    assert_eq!(reads("D a, TS t→a, NQ t→a blocked", "a"), "settled failed (roster)");
    assert_eq!(reads("D a, TS t→a, TU t blocked", "a"), "waiting (roster)");
}

#[test]
fn r14_a_notification_gives_usage_and_report() {
    let card = card("D a, TN t→a completed result=\"Three.\" tokens=5 uses=2 ms=7", "a");
    assert_eq!(card.report.expect("the frame has a result").text, "Three.");
    assert_eq!(usage(card.usage), "5/2/7");
}

#[test]
fn r14_what_only_the_block_says_as_json_counts_for_the_tools_that_speak_of_agents() {
    let resumed = card("D a, TS t→a, HB a, SM s to=t, SMR s resumed=t text", "a");
    assert_eq!(resumed.runs, 2);
    assert_eq!(cards("WF w, WFR w task=wt summary=\"Sweep\" text").len(), 1);
    assert_eq!(reads("D a, TS t→a, STOP o task=t, STOPR o task=t text", "a"), "settled stopped (roster)");
    assert_eq!(
        reads("D a, TS t→a, STOP o task=t tool=KillShell, STOPR o task=t text", "a"),
        "settled stopped (roster)"
    );
    assert_eq!(reads("D a, TS t→a, TO o task=t, TOR o task=t status=failed text", "a"), "settled failed (roster)");
    assert_eq!(cards("SK k, SKR k agent=t text, TS t→k"), []);
}

#[test]
fn r14_of_other_tools_only_the_structured_field_counts() {
    let json = r#""{\"agentId\":\"t\",\"taskId\":\"t\",\"resumedAgentId\":\"t\",\"task_id\":\"t\"}""#;
    let session = Session::of(&format!("C k tool=Gadget, R k {json}, TS t→k"));
    assert_eq!(session.drawn(), "k", "no forked skill, for all that the text says");
    assert_eq!(reads(&format!("D a, TS t→a, C k tool=Gadget, R k {json}"), "a"), LIVE);
}

#[test]
fn r16_ending_words() {
    let words = [
        ("completed", "completed"),
        ("succeeded", "completed"),
        ("success", "completed"),
        ("failed", "failed"),
        ("error", "failed"),
        ("killed", "stopped"),
        ("stopped", "stopped"),
        ("cancelled", "stopped"),
        ("canceled", "stopped"),
        ("aborted", "stopped"),
        ("timed_out", "timed_out"),
        ("timedout", "timed_out"),
        ("deadline_exceeded", "timed_out"),
        ("budget_exhausted", "budget_exhausted"),
        ("interrupted", "interrupted"),
    ];
    for (word, outcome) in words {
        for word in [word.to_owned(), word.to_uppercase(), word[..1].to_uppercase() + &word[1..]] {
            let wanted = format!("settled {outcome} (roster)");
            assert_eq!(reads(&format!("D a, TS t→a, TU t {word}"), "a"), wanted, "{word}");
            assert_eq!(reads(&format!("D a, TS t→a, TN t→a {word}"), "a"), wanted, "{word}");
        }
    }
}

#[test]
fn r16_live_words() {
    let words = [
        ("pending", "queued"),
        ("queued", "queued"),
        ("running", "running"),
        ("in_progress", "running"),
        ("starting", "running"),
        ("model_wait", "running"),
        ("running_tool", "running"),
        ("paused", "waiting"),
        ("waiting_for_user", "waiting"),
        ("blocked", "waiting"),
    ];
    for (word, state) in words {
        for word in [word.to_owned(), word.to_uppercase()] {
            assert_eq!(reads(&format!("D a, TS t→a, TU t {word}"), "a"), format!("{state} (roster)"), "{word}");
            assert_eq!(reads(&format!("D a, ACK a task=t, TU t {word}"), "a"), format!("{state} (roster)"), "{word}");
        }
    }
    assert_eq!(reads("D a, TS t→a, TU t paused, TU t running", "a"), LIVE, "the last one stands");
}

#[test]
fn r16_an_unknown_word_changes_nothing_and_is_counted_with_its_text() {
    let session = Session::of("D a, TS t→a, TU t paused, TU t shiny, TN t→a odd, TU t shiny");
    assert_eq!(session.reads("a"), "waiting (roster)");
    let diagnostics = session.tracker.diagnostics();
    assert_eq!(diagnostics.unknown_words, 3);
    let mut texts = diagnostics.unknown_word_texts.clone();
    texts.sort();
    assert_eq!(texts, [("odd".to_owned(), 1), ("shiny".to_owned(), 2)]);
    let mut fresh = Session::of("D a, ACK a task=t");
    assert_eq!(fresh.last("TU t shiny"), "", "an unknown word says not even that the agent is live");
}

#[test]
fn r17_a_level_makes_no_cards() {
    assert_eq!(cards("BTC t u@r1"), []);
    let session =
        Session::of("D a, TS t→a, BTC t {\"task_id\":\"u\",\"task_type\":\"local_agent\",\"parent_task_id\":\"t\"}");
    assert_eq!(session.drawn(), "a");
    assert_eq!(row(&session.card("a"), "u").task_id.as_deref(), Some("u"), "it opens rows");
}

#[test]
fn r17_a_level_links_rows() {
    let session =
        Session::of("D a, BTC {\"task_id\":\"t\",\"task_type\":\"local_agent\",\"tool_use_id\":\"a\"}, TU t failed");
    assert_eq!(session.reads("a"), "settled failed (roster)");
}

#[test]
fn r17_an_entry_with_a_greater_run_id_begins_that_run() {
    let card = card("D a, TS t→a run=r1, TU t completed run=r1, BTC t@r2", "a");
    assert_eq!((card.runs, card.running), (2, true));
    let same = Session::of("D a, TS t→a run=r1, TU t completed run=r1, BTC t@r1");
    assert_eq!((same.reads("a").as_str(), same.card("a").runs), (ENDED, 1));
}

#[test]
fn r17_a_row_that_was_listed_and_is_no_longer_is_over() {
    assert_eq!(reads("D a, TS t→a, BTC t, BTC", "a"), LOST);
    assert_eq!(reads("D a, TS t→a, BTC t, BTC t, BTC u", "a"), LOST);
    assert_eq!(reads("D a, BTC t, TS t→a, BTC", "a"), LOST, "listed before its start");
    let card = card("D a, TS t→a, BTC t, BTC at=9", "a");
    assert_eq!((card.ended_at_ms, card.failed), (None, false));
}

#[test]
fn r17_a_lost_row_is_ended_until_an_edge_says_how() {
    assert_eq!(reads("D a, TS t→a, BTC t, BTC, TU t completed", "a"), ENDED);
    assert_eq!(reads("D a, TS t→a, BTC t, BTC, TN t→a failed", "a"), "settled failed (roster)");
    assert_eq!(reads("D a, TS t→a, BTC t, BTC, HB a", "a"), "settled completed (report)");
}

/// An edge tells that a lost agent only waits, another one that it goes on: the level had listed it, and may lose it again.
#[test]
fn r17_a_lost_row_that_waited_and_went_on_can_be_lost_again() {
    let parked = r#"TN t→a completed summary="Agent \"a\" is waiting on its own background work""#;
    for ended in ["", "TU t completed 9, "] {
        let script = format!("D a, TS t→a, BTC t, BTC, {ended}{parked}, TP t→a");
        assert_eq!(reads(&script, "a"), LIVE, "{ended}");
        assert_eq!(reads(&format!("{script}, BTC"), "a"), LOST, "{ended}");
    }
}

/// What a level lists behind an end says nothing (R22), also where the link comes later.
#[test]
fn r17_a_level_that_lists_what_is_over_puts_nothing_in_the_background() {
    for over in ["R a! \"boom\"", "HB a"] {
        assert!(!card(&format!("D a, {over}, BTC t, TS t→a"), "a").backgrounded, "{over}");
    }
    assert!(card("D a, BTC t, R a! \"boom\", TS t→a", "a").backgrounded);
    let next = card("D a, HB a, BTC t@r2, TS t→a run=r1, TS t→s run=r2", "a");
    assert_eq!((next.runs, next.running), (2, true), "what it listed is the run whose start comes next");
}

#[test]
fn r17_a_level_never_ends_a_row_that_it_never_listed() {
    assert_eq!(reads("D a, TS t→a, BTC, BTC u, BTC", "a"), LIVE);
}

#[test]
fn r17_a_level_says_nothing_about_a_run_that_an_edge_has_ended() {
    assert_eq!(reads("D a, TS t→a, BTC t, TU t failed, BTC", "a"), "settled failed (roster)");
    assert_eq!(reads("D a, TS t→a, BTC t, TU t failed, BTC t", "a"), "settled failed (roster)", "nor does it wake it");
    assert_eq!(reads("D a, TS t→a, TU t failed, BTC t, BTC", "a"), "settled failed (roster)");
}

#[test]
fn r17_an_entry_with_a_smaller_run_id_is_late() {
    assert_eq!(reads("D a, TS t→a run=r2, BTC t@r1, BTC", "a"), LIVE, "that run was not listed");
}

#[test]
fn r17_a_nested_row_is_lost_like_a_card() {
    let session = Session::of("D a, TS t→a, A in<a, TS u→in, BTC u, BTC");
    assert_eq!(session.reads("a"), LIVE);
    assert_eq!(row(&session.card("a"), "in").outcome, Some(cardfold::Outcome::Ended));
}

#[test]
fn r17_shells_in_the_level_are_nobodys_row() {
    let shell = "{\"task_id\":\"b1\",\"task_type\":\"local_bash\",\"parent_task_id\":\"t\",\"description\":\"ls\"}";
    assert_eq!(card(&format!("D a, TS t→a, BTC t {shell}"), "a").nested, []);
}
