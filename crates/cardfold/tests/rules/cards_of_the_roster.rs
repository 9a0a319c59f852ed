//! R5: which started tasks are cards, and which never are.

use cardfold::Kind;
use cardfold_testkit::script::{Session, card, cards, reads, row};

fn ids(script: &str) -> String {
    Session::of(script).drawn()
}

#[test]
fn r5_a_started_agent_whose_dispatch_was_never_seen_opens_a_card_named_by_the_frame() {
    let card = card("TS t→a desc=\"Sweep the yard\" type=Explore bg=true depth=1", "a");
    assert_eq!((card.name.as_str(), card.agent_type.as_deref()), ("Sweep the yard", Some("Explore")));
    assert_eq!((card.task_id.as_deref(), card.backgrounded), (Some("t"), true));
    assert_eq!(reads("TS t→a depth=1", "a"), "running (roster)");
}

#[test]
fn r5_the_agent_types_make_cards_of_their_kind() {
    let kinds = [
        ("local_agent", Kind::Agent),
        ("remote_agent", Kind::Remote),
        ("in_process_teammate", Kind::Teammate),
        ("local_workflow", Kind::Workflow),
    ];
    for (task_type, kind) in kinds {
        assert_eq!(card(&format!("TS t→a task_type={task_type}"), "a").kind, kind, "{task_type}");
    }
}

#[test]
fn r5_an_absent_type_counts_when_the_frame_has_a_subagent_type() {
    assert_eq!(ids("TS t→a task_type=none type=Explore"), "a");
    assert_eq!(ids("TS t→a task_type=none"), "");
}

#[test]
fn r5_only_spawn_depth_one_makes_a_card() {
    assert_eq!(ids("TS t→a depth=1"), "a");
    assert_eq!(ids("TS t→a depth=2"), "");
    assert_eq!(ids("TS t→a depth=3"), "");
}

#[test]
fn r5_without_a_depth_a_parent_task_or_a_call_inside_a_sub_agent_speaks_against_a_card() {
    assert_eq!(ids("TS t→a"), "a");
    assert_eq!(ids("TS t→a parent=q"), "");
    assert_eq!(ids("D b, C x<b, TS t→x"), "b");
    assert_eq!(ids("C x<absent, TS t→x"), "");
    assert_eq!(ids("TS t"), "", "no tool_use id, so no tool_use id that is no call inside a sub-agent");
}

#[test]
fn r5_depth_one_decides_alone() {
    assert_eq!(ids("TS t→a depth=1 parent=q"), "a");
}

/// Who wrote to an agent need not have made it: the message gave it a place only as long as nothing better was known.
#[test]
fn r5_a_start_of_its_own_takes_an_agent_from_below_the_writer_of_a_message() {
    for writer in ["", "D a, TS r→a, "] {
        let script = format!("{writer}SM s<a to=t, TS t→s, TS t→d");
        assert!(ids(&script).ends_with('d'), "{script}");
        let other = format!("{writer}SM s<a to=t, TS t→s, TS t→d depth=2");
        assert!(!ids(&other).ends_with('d'), "{other}");
    }
}

#[test]
fn r5_the_dispatch_id_is_the_frames_tool_use_id_else_the_task_id_and_stays_so() {
    assert_eq!(ids("TS t→a depth=1"), "a");
    assert_eq!(ids("TS t depth=1"), "t");
    assert_eq!(ids("TS t depth=1, TP t, TU t completed"), "t");
}

#[test]
fn r5_a_dispatch_of_that_id_that_comes_later_is_the_same_card() {
    let mut session = Session::of("TS t→a desc=\"By the roster\", D b");
    let update = session.last("D a desc=\"By the dispatch\" type=Explore");
    assert_eq!(update, "changed a");
    assert_eq!(session.drawn(), "a b", "it keeps its place");
    let card = session.card("a");
    assert_eq!((card.name.as_str(), card.agent_type.as_deref()), ("By the roster", Some("Explore")));
}

#[test]
fn r5_a_card_without_tool_use_id_takes_id_and_place_of_the_dispatch_that_names_its_task() {
    let mut session = Session::of("TS t depth=1, D b, D a");
    assert_eq!(session.drawn(), "t b a");
    assert_eq!(session.last("ACK a task=t"), "removed t, changed a");
    assert_eq!(session.drawn(), "b a");
    assert_eq!(session.reads("a"), "running (roster)");
    assert_eq!(session.reads("t"), "no card");
}

#[test]
fn r5_taking_the_place_of_a_dispatch_is_reported_as_removed_and_opened() {
    let mut session = Session::of("TS t depth=1, ACK a task=t");
    assert_eq!(session.last("D a"), "removed t, opened a");
    assert_eq!(session.drawn(), "a");
    assert_eq!(session.reads("a"), "running (roster)");
}

#[test]
fn r5_the_result_of_a_workflow_call_is_a_started_of_its_task() {
    let card = card("WF w, WFR w task=wt run=wf_1 summary=\"Sweep all rooms\"", "w");
    assert_eq!((card.kind, card.task_id.as_deref()), (Kind::Workflow, Some("wt")));
    assert_eq!((card.name.as_str(), card.backgrounded), ("Sweep all rooms", true));
    assert_eq!(reads("WF w, WFR w task=wt", "w"), "running (roster)");
}

#[test]
fn r5_the_result_of_a_workflow_call_adds_nothing_where_a_started_frame_came() {
    for script in [
        "WF w, TS wt→w task_type=local_workflow desc=\"By the frame\" bg=false, \
         WFR w task=wt summary=\"By the result\"",
        "WF w, TS wt→w task_type=local_workflow desc=\"By the frame\", TU wt completed, WFR w task=wt summary=\"Late\"",
    ] {
        let card = card(script, "w");
        assert_eq!((card.name.as_str(), card.runs), ("By the frame", 1), "{script}");
        assert_eq!(cards(script).len(), 1, "{script}");
    }
}

#[test]
fn r5_a_started_frame_after_the_workflows_result_is_the_same_run() {
    let card = card("WF w, WFR w task=wt summary=\"One\", TS wt→w task_type=local_workflow desc=\"Two\"", "w");
    assert_eq!((card.name.as_str(), card.runs), ("Two", 1));
}

#[test]
fn r5_a_workflow_without_a_task_id_makes_no_card() {
    assert_eq!(ids("WF w, WFR w summary=\"Sweep\""), "");
}

#[test]
fn r5_shells_monitors_mcp_and_memory_tasks_never_make_a_card() {
    for task_type in [
        "local_bash",
        "monitor_mcp",
        "monitor_ws",
        "mcp_task",
        "dream",
        "auto_mode_scan",
        "post_turn_memory",
        "shiny_new",
    ] {
        let script = format!("TS t→a task_type={task_type} type=Explore depth=1, TP t→a, TN t→a completed");
        assert_eq!(ids(&script), "", "{task_type}");
    }
}

#[test]
fn r5_hidden_and_main_session_tasks_never_make_a_card() {
    assert_eq!(ids("TS t→a ambient depth=1"), "");
    assert_eq!(ids("TS t→a skip_transcript depth=1"), "");
    assert_eq!(ids("TS t→a type=main-session depth=1"), "");
}

#[test]
fn r5_the_agent_of_a_forked_skill_makes_no_card() {
    assert_eq!(ids("SK k, SKR k agent=t, TS t→k"), "");
    assert_eq!(ids("C k tool=Gadget, R k s={\"agentId\":\"t\"}, TS t→k"), "", "any call that is no dispatch");
}

#[test]
fn r5_the_card_of_a_forked_skill_is_removed_when_the_result_tells() {
    let mut session = Session::of("SK k, TS t→k");
    assert_eq!(session.drawn(), "k");
    assert_eq!(session.last("SKR k agent=t"), "removed k");
    assert_eq!((session.drawn().as_str(), session.reads("k").as_str()), ("", "no card"));
    assert_eq!(session.last("TU t completed"), "");
}

#[test]
fn r5_an_agent_id_in_the_result_of_a_dispatch_or_workflow_is_no_fork() {
    assert_eq!(ids("D a, TS t→a, ACK a task=t"), "a");
    assert_eq!(ids("WF w, TS wt→w task_type=local_workflow, WFR w task=wt +tool_use_result.agentId=wt"), "w");
    assert_eq!(ids("D a, TS t→a, SM s to=t, SMR s resumed=t s={\"success\":true,\"agentId\":\"t\"}"), "a");
}

#[test]
fn r5_a_started_nested_agent_becomes_a_row_when_its_call_is_seen() {
    let mut session = Session::of("D a, TS u→in");
    assert_eq!(session.drawn(), "a in");
    assert_eq!(session.last("A in<a"), "removed in, changed a");
    assert_eq!(session.drawn(), "a");
    assert_eq!(row(&session.card("a"), "in").task_id.as_deref(), Some("u"));
}

#[test]
fn r5_what_the_card_without_tool_use_id_had_goes_with_it() {
    let mut session = Session::of("TS t depth=1, C x agent_id=t, TP t tokens=5, D a");
    assert_eq!(session.last("TS t→a"), "removed t, changed a");
    let card = session.card("a");
    assert_eq!((card.calls, card.runs, card.task_id.as_deref()), (1, 1, Some("t")));
    assert_eq!(session.tracker.owner_of_call("x"), Some("a"));
    assert_eq!(session.tracker.owner_of_task("t"), Some("a"));
}

#[test]
fn r5_a_workflow_that_an_agent_starts_is_a_row() {
    let session = Session::of("D a, WF w<a, WFR w task=wt summary=\"Sweep\"");
    assert_eq!(session.drawn(), "a");
    let row = row(&session.card("a"), "wt");
    assert_eq!((row.name.as_str(), row.depth, row.parent_id.as_deref()), ("Sweep", 1, Some("a")));
    assert_eq!(row.dispatch_id.as_deref(), Some("w"), "the call that started it");
}

#[test]
fn r5_an_agent_of_an_earlier_session_that_is_resumed_has_a_card() {
    let session = Session::of("SM s to=t, TS t→s desc=\"From before\", C x<s, SMR s resumed=t");
    assert_eq!(session.drawn(), "s");
    let card = session.card("s");
    assert_eq!((card.name.as_str(), card.calls, card.runs), ("From before", 1, 1));
}
