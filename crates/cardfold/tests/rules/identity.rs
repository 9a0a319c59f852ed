//! R1 to R3: which dispatch is which card, what happens twice, and which ids belong together.

use cardfold::{CardTracker, Frame};
use cardfold_testkit::corpus::SCRIPTS;
use cardfold_testkit::script::{Session, card, cards, counts, lines, reads, row, tail};

fn ids(script: &str) -> String {
    Session::of(script).drawn()
}

#[test]
fn r1_a_dispatch_without_a_parent_opens_a_card() {
    for parent in
        ["-parent_tool_use_id", "+parent_tool_use_id=null", "+parent_tool_use_id=\"\"", "+parent_tool_use_id=\"  \""]
    {
        assert_eq!(ids(&format!("D a {parent}")), "a", "{parent}");
    }
}

#[test]
fn r1_a_dispatch_is_a_tool_use_named_exactly_task_or_agent() {
    assert_eq!(ids("D a tool=Task, D b tool=Agent"), "a b");
    for tool in ["TaskCreate", "TaskUpdate", "TaskStop", "TaskGet", "TaskList", "TaskOutput", "task", "agent", "AGENT"]
    {
        assert_eq!(ids(&format!("D a tool={tool}")), "", "{tool}");
    }
    assert_eq!(ids("D a server"), "", "a server-side call is no tool_use");
}

#[test]
fn r1_cards_stand_in_the_order_in_which_they_were_opened_and_never_move() {
    assert_eq!(ids("D c, D a, D b, C x<b, HB a, TS t→b, TU t failed"), "c a b");
    assert_eq!(ids("D a, D b, ACK a, SAY a \"back\""), "a b", "a card that was not drawn for a while keeps its place");
}

#[test]
fn r1_a_dispatch_with_a_parent_never_opens_a_card() {
    assert_eq!(ids("A in<absent"), "");
    assert_eq!(ids("D a, A in<a, TS u→in"), "a");
    assert_eq!(ids("D a, TS t→a, D in agent_id=t"), "a", "the agent that a frame comes from is its parent too");
}

#[test]
fn r2_the_same_dispatch_call_or_result_changes_nothing() {
    let mut session = Session::of("D a, C x<a, R x");
    for again in ["D a", "C x<a", "R x"] {
        assert_eq!(session.last(again), "", "{again}");
    }
    assert_eq!(counts(&session.card("a")), "1 calls, 0 open, 0 failed");
    let mut answered = Session::of("D a, HB a \"One.\"");
    assert_eq!(answered.last("HB a \"One.\""), "");
}

#[test]
fn r2_the_same_frame_by_its_uuid_changes_nothing() {
    let mut session = Session::of("D a, C x<a, R x uuid=k, R x!");
    assert_eq!(session.last("R x uuid=k"), "", "the frame is the one of before, so the last result stands");
    assert_eq!(tail(&session.card("a")), "x failed");
    assert!(session.tracker.diagnostics().duplicates >= 1);
}

#[test]
fn r2_roster_frames_of_one_uuid_count_once() {
    assert_eq!(card("D a, TS t→a uuid=k, TU t completed, TS t→a uuid=k", "a").runs, 1);
    assert_eq!(card("D a, TS t→a uuid=k, TU t completed, TS t→a uuid=l", "a").runs, 2);
}

#[test]
fn r2_a_frame_without_uuid_is_another_frame() {
    let card = card("D a, TS t→a uuid=none, TU t completed, TS t→a uuid=none", "a");
    assert_eq!(card.runs, 2);
}

#[test]
fn r2_other_block_ids_under_the_same_uuid_are_another_frame() {
    let card = card("D a uuid=k, C x<a uuid=k, C y<a uuid=k, R x uuid=m, R y! uuid=m", "a");
    assert_eq!(tail(&card), "x completed, y failed");
}

/// The drawn cards after these lines, each given `times` in a row.
fn folded(script: &str, times: usize) -> Vec<cardfold::Card> {
    let mut tracker = CardTracker::new();
    for line in lines(script) {
        let frame = Frame::decode(line.as_bytes()).expect("a script gives frames");
        for _ in 0..times {
            tracker.apply(&frame);
        }
    }
    tracker.cards().collect()
}

#[test]
fn r2_every_frame_twice_in_a_row_is_once() {
    for script in SCRIPTS {
        assert_eq!(folded(script, 2), folded(script, 1), "{script}");
    }
}

#[test]
fn r2_a_session_that_is_read_again_changes_nothing() {
    for script in SCRIPTS {
        let mut session = Session::of(script);
        let before: Vec<_> = session.tracker.all_cards().collect();
        for line in lines(script).into_iter().filter(|line| line.contains("\"uuid\"")) {
            let again = session.last(&format!("RAW {line}"));
            assert_eq!(again, "", "{line} of {script}");
        }
        assert_eq!(session.tracker.all_cards().collect::<Vec<_>>(), before, "{script}");
    }
}

#[test]
fn r2_a_blank_or_missing_id_opens_nothing_and_is_counted() {
    let blank = Session::of("D _");
    assert_eq!((blank.drawn().as_str(), blank.tracker.diagnostics().blank_ids), ("", 1));
    let missing = Session::of(
        "RAW {\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"name\":\"Agent\",\"input\":{}}]}}",
    );
    assert_eq!((missing.drawn().as_str(), missing.tracker.diagnostics().blank_ids), ("", 1));
    let call = Session::of("D a, C _<a");
    assert_eq!((call.card("a").calls, call.tracker.diagnostics().blank_ids), (0, 1));
    let result = Session::of("D a, C x<a, R _");
    assert_eq!((tail(&result.card("a")).as_str(), result.tracker.diagnostics().blank_ids), ("x pending", 1));
    let task = Session::of("TS _ depth=1");
    assert_eq!((task.drawn().as_str(), task.tracker.diagnostics().blank_ids), ("", 1));
}

#[test]
fn r3_a_tool_use_id_on_started_progress_or_notification_links() {
    for link in ["TS t→a", "TP t→a", "TN t→a completed", "TN t→a"] {
        let session = Session::of(&format!("D a, {link}"));
        assert_eq!(session.card("a").task_id.as_deref(), Some("t"), "{link}");
        assert_eq!(session.tracker.owner_of_task("t"), Some("a"), "{link}");
    }
}

#[test]
fn r3_an_agent_id_on_a_frame_whose_parent_is_the_dispatch_links() {
    for frame in ["C x<a agent_id=t", "SAY a \"hello\" agent_id=t", "USER a \"Look.\" agent_id=t"] {
        let session = Session::of(&format!("D a, {frame}"));
        assert_eq!(session.card("a").task_id.as_deref(), Some("t"), "{frame}");
        assert_eq!(session.tracker.owner_of_task("t"), Some("a"), "{frame}");
    }
}

#[test]
fn r3_an_id_in_the_structured_answer_links() {
    let answers = [
        r#"{"status":"async_launched","agentId":"t"}"#,
        r#"{"status":"completed","agentId":"t"}"#,
        r#"{"status":"teammate_spawned","agent_id":"t"}"#,
        r#"{"status":"teammate_spawned","teammate_id":"t"}"#,
        r#"{"status":"remote_launched","taskId":"t"}"#,
    ];
    for answer in answers {
        let session = Session::of(&format!("D a, R a \"So.\" s={answer}"));
        assert_eq!(session.card("a").task_id.as_deref(), Some("t"), "{answer}");
        assert_eq!(session.tracker.owner_of_task("t"), Some("a"), "{answer}");
    }
}

#[test]
fn r3_the_agent_id_line_of_the_answers_text_links() {
    let answers = [
        r#""Async agent launched successfully.\nagentId: a1b2 (internal ID)\noutput_file: /tmp/x""#,
        r#""Three files." "agentId: a1b2 (for resuming to continue this agent's work if needed)""#,
    ];
    for answer in answers {
        let session = Session::of(&format!("D a, R a {answer}"));
        assert_eq!(session.card("a").task_id.as_deref(), Some("a1b2"), "{answer}");
        assert_eq!(session.tracker.owner_of_task("a1b2"), Some("a"), "{answer}");
    }
}

#[test]
fn r3_a_task_id_with_its_tool_use_id_in_a_block_links() {
    for block in ["NQ t→a completed", "NT t→a completed", "NA t→a completed"] {
        let session = Session::of(&format!("D a, {block}"));
        assert_eq!(session.card("a").task_id.as_deref(), Some("t"), "{block}");
        assert_eq!(session.tracker.owner_of_task("t"), Some("a"), "{block}");
    }
}

#[test]
fn r3_a_sidecar_links() {
    let session = Session::of("D a, META t→a");
    assert_eq!(session.card("a").task_id.as_deref(), Some("t"));
    assert_eq!(session.tracker.owner_of_task("t"), Some("a"));
}

#[test]
fn r3_the_first_link_gives_the_task_id() {
    assert_eq!(
        card("D a, TS t→a, R a \"So.\" s={\"status\":\"completed\",\"agentId\":\"u\"}", "a").task_id.as_deref(),
        Some("t")
    );
}

#[test]
fn r3_a_call_that_names_the_task_later_is_an_alias_of_the_card() {
    let session = Session::of("D a, TS t→a, HB a, SM s to=t, TS t→s, C x<s");
    assert_eq!(session.drawn(), "a");
    assert_eq!(session.tracker.owner_of_call("s"), Some("a"));
    assert_eq!(session.tracker.owner_of_call("x"), Some("a"));
    assert_eq!(session.card("a").calls, 1, "the SendMessage itself is a call of the main thread");
}

#[test]
fn r3_a_parent_never_seen_as_a_call_is_an_alias_where_the_agent_is_known() {
    let session = Session::of("D a, TS t→a, C x<q agent_id=t, C y<q");
    assert_eq!(session.card("a").calls, 2);
    assert_eq!(session.tracker.owner_of_call("q"), Some("a"));
    assert_eq!(session.tracker.owner_of_call("y"), Some("a"));
}

#[test]
fn r3_a_dispatch_always_keeps_its_own_card() {
    let script = "D a tool=Task, REP a task=t, D b tool=Task resume=t, REP b task=t";
    let cards = cards(script);
    let tasks: Vec<_> = cards.iter().map(|card| (card.dispatch_id.as_str(), card.task_id.as_deref())).collect();
    assert_eq!(tasks, [("a", Some("t")), ("b", Some("t"))]);
}

#[test]
fn r3_a_task_id_belongs_to_the_newest_dispatch_that_names_it() {
    for answers in ["ACK a task=t, ACK b task=t", "ACK b task=t, ACK a task=t"] {
        let mut session = Session::of(&format!("D a, D b, {answers}"));
        assert_eq!(session.tracker.owner_of_task("t"), Some("b"), "{answers}");
        session.play("TN t failed");
        assert_eq!(session.reads("a"), "not drawn: running (dispatch)", "{answers}");
        assert_eq!(session.reads("b"), "settled failed (roster)", "{answers}");
    }
}

#[test]
fn r3_a_task_id_belongs_to_those_seen_so_far() {
    let session = Session::of("D a, ACK a task=t, TN t completed, D b, ACK b task=t");
    assert_eq!(session.reads("a"), "settled completed (roster)");
    assert_eq!(session.reads("b"), "not drawn: running (dispatch)");
}

#[test]
fn r3_a_tool_use_id_in_the_frame_decides_before_the_newest() {
    let session = Session::of("D a, D b, ACK a task=t, ACK b task=t, TN t→a failed");
    assert_eq!(session.reads("a"), "settled failed (roster)");
    assert_eq!(session.reads("b"), "not drawn: running (dispatch)");
}

#[test]
fn r3_links_hold_for_nested_agents_too() {
    let session = Session::of("D a, A in<a, C d<in agent_id=u, TU u failed");
    assert_eq!(session.tracker.owner_of_task("u"), Some("a"));
    let row = row(&session.card("a"), "in");
    assert_eq!((row.task_id.as_deref(), row.failed), (Some("u"), true));
    assert_eq!(reads("D a, A in<a, C d<in agent_id=u, TU u failed", "in"), "no card");
}

#[test]
fn r3_the_result_that_resumes_makes_its_call_an_alias_too() {
    let session = Session::of("D a, REP a task=t, SM s to=t, SMR s resumed=t, C x<s");
    assert_eq!(session.tracker.owner_of_call("s"), Some("a"));
    assert_eq!(session.card("a").calls, 1);
}

#[test]
fn r3_frames_that_know_only_the_agent_go_to_the_newest_dispatch_and_a_parent_decides_before_that() {
    let session = Session::of("D a, D b, ACK a task=t, ACK b task=t, C x agent_id=t, C y<a agent_id=t");
    assert_eq!((tail(&session.card("a")).as_str(), tail(&session.card("b")).as_str()), ("y pending", "x pending"));
}

/// The level lists an agent below another one and does not say which call made it; the acknowledgement of a call that was
/// not seen does.
#[test]
fn r3_an_answer_names_a_row_whose_dispatch_was_not_seen() {
    let level = r#"BTC t {"task_id":"u","task_type":"local_agent","description":"Look","parent_task_id":"t"}"#;
    let script = format!("D a, TS t→a, {level}, ACK in task=u agent_id=t");
    assert_eq!(row(&card(&script, "a"), "u").dispatch_id.as_deref(), Some("in"));
}

/// An agent was stopped and woken by a message before anything told of its dispatch's task. The id of the message is a
/// makeshift, so the answer to the dispatch says whose runs these are.
#[test]
fn r3_the_id_of_a_message_keeps_no_agent_apart_from_its_dispatch() {
    let woken = "STOP k task=t, STOPR k task=t, SM s to=t, TS t→s task_type=none, SMR s resumed=t";
    let card = card(&format!("D a, {woken}, REP a task=t"), "a");
    assert_eq!((card.runs, card.backgrounded), (2, true));
    let again = self::card(&format!("D a, {woken}, REP a task=t, TS t→a task_type=none"), "a");
    assert_eq!((again.runs, again.running), (3, true), "the second run was over, too");
}

/// A card may have been opened by the start that a message made. It goes when the answer says whose task that is.
#[test]
fn r3_a_card_that_goes_by_a_message_gives_way_to_the_dispatch_that_names_its_task() {
    let session = Session::of("D a, SM s to=t, TS t→s, REP a task=t");
    assert_eq!(session.drawn(), "a");
    let unseen = Session::of("SM s to=t, TS t→s, REP a task=t");
    assert_eq!(unseen.drawn(), "s", "an answer alone is no dispatch");
}

/// The answer to a dispatch that was never seen names a task, too. It keeps no task from a dispatch that was seen.
#[test]
fn r3_a_task_belongs_to_a_dispatch_that_was_seen_before_one_that_was_only_answered() {
    let session = Session::of("TS t→a task_type=none, REP b task=t, D a");
    assert_eq!(session.tracker.owner_of_task("t"), Some("a"));
}

/// The dispatch that was seen last is the newest, also where its task was known by its id before.
#[test]
fn r3_a_dispatch_that_comes_behind_its_start_is_the_newest_of_those_seen() {
    let session = Session::of("TS t→a, D b resume=t, REP b task=t");
    assert_eq!(session.tracker.owner_of_task("t"), Some("b"));
    let session = Session::of("TS t→a, D b resume=t, REP b task=t, D a");
    assert_eq!(session.tracker.owner_of_task("t"), Some("a"));
}

/// Until its dispatch is told, a row goes by the message with which it was said to have begun, not by any that it was
/// ever named with.
#[test]
fn r3_a_row_without_a_dispatch_goes_by_the_message_that_started_it() {
    let card = card("D a, TS t→a, SM s<a to=u, TN u→s completed, SM m<a to=u, TS u→m depth=2", "a");
    assert_eq!(card.nested[0].dispatch_id.as_deref(), Some("m"));
}

/// The first id that was stated for a task stays, whatever else names it before it has a place.
#[test]
fn r3_a_row_keeps_the_first_id_that_was_stated_for_it() {
    let start = "D a, TS t→a, TS u→in depth=2";
    let card = card(&format!("{start}, A deep<s, TN u→s completed, SM m<a to=u, TS u→m depth=2"), "a");
    assert_eq!(row(&card, "in").task_id.as_deref(), Some("u"));
    assert_eq!(row(&card, "deep").parent_id.as_deref(), Some("in"));
}

/// The result of a message was taken for the answer to a dispatch, since its call was not seen: the row then went by the
/// message, and not by the id of its start.
#[test]
fn r3_a_result_that_says_whom_it_resumed_answers_no_dispatch() {
    let start = "D a, TS t→a, TS u→in depth=2, SMR s<a resumed=u, R y<s";
    let card = card(&format!("{start}, TN u→s completed, SM m<a to=u, TS u→m depth=2"), "a");
    assert_eq!(row(&card, "in").task_id.as_deref(), Some("u"));
}
