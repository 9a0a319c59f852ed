//! R7 and R10: calls at any depth, the rows of nested agents, and the calls that dispatched them.

use cardfold_testkit::script::{Session, card, counts, row, row_reading, status, tail, usage};

#[test]
fn r7_a_call_at_any_depth_counts_once_in_the_outermost_card() {
    let card = card("D a, C x<a, A in<a, C y<in, A deep<in, C z<deep, R z!, C z<deep", "a");
    assert_eq!(counts(&card), "5 calls, 4 open, 1 failed");
    let own: Vec<_> = card.nested.iter().map(|row| (row.dispatch_id.as_deref(), row.calls)).collect();
    assert_eq!(own, [(Some("in"), 2), (Some("deep"), 1)], "a row counts the calls that its own agent made");
}

#[test]
fn r7_rows_stand_in_dispatch_order_with_their_depth_and_parent() {
    let card = card("D a, A in<a desc=\"Inner\" type=Explore, A deep<in, A on<a", "a");
    let rows: Vec<_> = card
        .nested
        .iter()
        .map(|row| (row.dispatch_id.as_deref(), row.parent_id.as_deref(), row.depth, row.name.as_str()))
        .collect();
    let wanted = [
        (Some("in"), Some("a"), 1, "Inner"),
        (Some("deep"), Some("in"), 2, "do deep"),
        (Some("on"), Some("a"), 1, "do on"),
    ];
    assert_eq!(rows, wanted);
    assert_eq!(row(&card, "in").agent_type.as_deref(), Some("Explore"));
}

#[test]
fn r7_rows_are_built_from_the_roster_alone_where_their_frames_are_missing() {
    let card = card("D a, TS t→a, A in<a, TS u→in type=Explore, TP u→in tokens=3 uses=2 ms=9, TN u→in failed", "a");
    let row = row(&card, "in");
    assert_eq!((row.task_id.as_deref(), row.agent_type.as_deref(), row.calls), (Some("u"), Some("Explore"), 0));
    assert_eq!(row_reading(&row), "settled failed");
    assert_eq!(usage(row.usage), "3/2/9");
    assert_eq!(counts(&card), "1 calls, 0 open, 1 failed");
}

#[test]
fn r7_a_nested_failure_is_the_rows_not_the_cards() {
    let card = card("D a, TS t→a, A in<a, TS u→in, TU u failed, TU t completed", "a");
    assert_eq!((card.failed, row(&card, "in").failed), (false, true));
}

#[test]
fn r7_rows_read_like_cards() {
    let rows = [
        ("D a, A in<a", "running"),
        ("D a, A in<a, ACK in", "running"),
        ("D a, A in<a, TS u→in, TU u pending", "queued"),
        ("D a, A in<a, TS u→in, TU u paused", "waiting"),
        ("D a, A in<a, HB in", "settled completed"),
        ("D a, A in<a, R in! \"boom\"", "settled failed"),
        ("D a, A in<a, TS u→in, HB in, TS u→s", "running"),
        ("D a, A in<a, R in \"ok\", C d<in, R d", "settled completed"),
    ];
    for (script, wanted) in rows {
        assert_eq!(row_reading(&row(&card(script, "a"), "in")), wanted, "{script}");
    }
}

fn workflow(item: &str) -> Session {
    let item = item.replace('\'', "\"");
    Session::of(&format!("WF w, TS wt→w task_type=local_workflow, TP wt→w wf=[{{\"type\":\"workflow_agent\",{item}}}]"))
}

#[test]
fn r7_the_members_of_a_workflow_are_its_rows() {
    let session = workflow(
        "'index':1,'label':'Read it','state':'progress','agentId':'m1','agentType':'Explore',\
         'tokens':5,'toolCalls':2,'durationMs':7",
    );
    let card = session.card("w");
    assert_eq!(card.nested.len(), 1);
    let row = row(&card, "m1");
    assert_eq!((row.name.as_str(), row.dispatch_id.as_deref(), row.depth), ("Read it", None, 1));
    assert_eq!((row.parent_id.as_deref(), row.agent_type.as_deref()), (Some("w"), Some("Explore")));
    assert_eq!(usage(row.usage), "5/2/7");
    assert_eq!(session.tracker.owner_of_task("m1"), Some("w"));
}

#[test]
fn r7_a_members_state_is_its_own_else_that_of_the_run() {
    let states = [
        ("'state':'done'", "settled completed"),
        ("'state':'error'", "settled failed"),
        ("'state':'start'", "running"),
        ("'state':'progress'", "running"),
        ("'state':'progress','endedWithRun':'completed'", "settled completed"),
        ("'state':'progress','endedWithRun':'failed'", "settled failed"),
        ("'state':'start','endedWithRun':'stopped'", "settled stopped"),
        ("'state':'done','endedWithRun':'stopped'", "settled completed"),
    ];
    for (state, wanted) in states {
        let session = workflow(&format!("'index':1,'label':'One','agentId':'m1',{state}"));
        assert_eq!(row_reading(&row(&session.card("w"), "m1")), wanted, "{state}");
    }
}

#[test]
fn r7_items_without_an_agent_id_and_phases_are_no_rows() {
    assert_eq!(workflow("'index':1,'label':'Not yet','state':'start'").card("w").nested, []);
    let phase = "WF w, TS wt→w task_type=local_workflow, \
        TP wt→w wf=[{\"type\":\"workflow_phase\",\"index\":1,\"title\":\"P\"}]";
    assert_eq!(card(phase, "w").nested, []);
}

#[test]
fn r7_each_snapshot_of_a_workflow_moves_the_same_rows() {
    let mut session = workflow("'index':1,'label':'One','agentId':'m1','state':'progress'");
    session.play(
        "TN wt→w completed wf=[{\"type\":\"workflow_agent\",\"index\":1,\"label\":\"One\",\"agentId\":\"m1\",\"state\":\"done\"}]",
    );
    let card = session.card("w");
    assert_eq!((card.nested.len(), row_reading(&row(&card, "m1"))), (1, "settled completed".to_owned()));
}

#[test]
fn r7_the_frames_of_a_member_count_in_the_workflows_card() {
    let mut session = workflow("'index':1,'label':'One','agentId':'m1','state':'progress'");
    session.play("C x agent_id=m1, R x! agent_id=m1");
    assert_eq!(counts(&session.card("w")), "1 calls, 0 open, 1 failed");
    assert_eq!(row(&session.card("w"), "m1").calls, 1);
    assert_eq!(session.tracker.owner_of_call("x"), Some("w"));
}

#[test]
fn r10_a_nested_dispatch_settles_by_its_report_error_or_unrecognised_answer() {
    assert_eq!(status("D a, A in<a, HB in", "a", "in"), "completed");
    assert_eq!(status("D a, A in<a, REP in task=u", "a", "in"), "completed");
    assert_eq!(status("D a, A in<a, R in! \"boom\"", "a", "in"), "failed");
    assert_eq!(status("D a, A in<a, R in \"ok\"", "a", "in"), "completed");
}

#[test]
fn r10_else_it_settles_when_its_agent_ends() {
    let endings = [
        ("completed", "completed"),
        ("failed", "failed"),
        ("killed", "failed"),
        ("timed_out", "failed"),
        ("budget_exhausted", "failed"),
        ("interrupted", "failed"),
    ];
    for (word, wanted) in endings {
        assert_eq!(status(&format!("D a, A in<a, TS u→in, TU u {word}"), "a", "in"), wanted, "{word}");
        assert_eq!(status(&format!("D a, A in<a, ACK in, TN u→in {word}"), "a", "in"), wanted, "{word}");
    }
    assert_eq!(status("D a, A in<a, TS u→in, TU u 9", "a", "in"), "completed", "`ended` is no failed outcome");
}

#[test]
fn r10_its_own_result_comes_before_the_end_of_its_agent() {
    let script = "D a, TS t→a, A in<a, TS u→in, R in! \"boom\", TU u completed";
    assert_eq!(status(script, "a", "in"), "failed");
    assert_eq!(row_reading(&row(&card(script, "a"), "in")), "settled completed");
}

#[test]
fn r10_a_launch_acknowledgement_does_not_settle_it() {
    let card = card("D a, TS t→a, A in<a, ACK in", "a");
    assert_eq!(counts(&card), "1 calls, 1 open, 0 failed");
}

#[test]
fn r10_an_abandoned_agent_leaves_its_call_open() {
    // Open and in a run that is over: cut off, neither open nor failed (R21).
    let card = card("D a, TS t→a, A in<a, ACK in, END", "a");
    assert_eq!(row_reading(&row(&card, "in")), "settled abandoned");
    assert_eq!(tail(&card), "in cut_off");
    assert_eq!(counts(&card), "1 calls, 0 open, 0 failed");
}

#[test]
fn r10_an_inferred_completion_settles_the_call_too() {
    let script = "D a, TS t→a, A in<a, ACK in, SAY in \"Done.\", END";
    assert_eq!(row_reading(&row(&card(script, "a"), "in")), "settled completed");
    assert_eq!(status(script, "a", "in"), "completed");
}

#[test]
fn r10_an_ending_that_is_undone_opens_the_call_again() {
    let lost = "D a, TS t→a, A in<a, TS u→in, BTC u, BTC";
    assert_eq!(status(lost, "a", "in"), "completed", "`ended` is no failed outcome");
    assert_eq!(status(&format!("{lost}, TP u→in"), "a", "in"), "pending");
    assert_eq!(status(&format!("{lost}, TU u killed"), "a", "in"), "failed");
}

#[test]
fn r7_frames_that_know_only_their_agent_count_for_its_row() {
    let card = card("D a, TS t→a, A in<a, TS u→in, C x agent_id=u, R x! agent_id=u", "a");
    assert_eq!(row(&card, "in").calls, 1);
    assert_eq!(counts(&card), "2 calls, 1 open, 1 failed");
}

#[test]
fn r7_a_dispatch_in_an_agents_own_file_is_nested() {
    let card = card("D a, TS t→a, D in agent_id=t, TS u→in, D deep agent_id=u", "a");
    assert_eq!((row(&card, "in").depth, row(&card, "deep").depth), (1, 2));
    assert_eq!(row(&card, "deep").parent_id.as_deref(), Some("in"));
}

#[test]
fn r7_a_sidecar_with_a_parent_agent_is_a_row_of_that_agent() {
    let session = Session::of("D a, TS t→a, META u→in parent=t type=Explore, C x agent_id=u");
    assert_eq!(session.drawn(), "a");
    let row = row(&session.card("a"), "u");
    assert_eq!((row.dispatch_id.as_deref(), row.depth, row.calls), (Some("in"), 1, 1));
    assert_eq!(session.tracker.owner_of_call("x"), Some("a"));
}
