//! R6 and R8: whose a call is, and whose a task.

use cardfold_testkit::script::{Session, card, counts, row, row_reading, tail};

fn owner(script: &str, call: &str) -> Option<String> {
    Session::of(script).tracker.owner_of_call(call).map(str::to_owned)
}

fn task_owner(script: &str, task: &str) -> Option<String> {
    Session::of(script).tracker.owner_of_task(task).map(str::to_owned)
}

fn ids(script: &str) -> String {
    Session::of(script).drawn()
}

/// `A n1<a, A n2<n1, …` down to depth `last`.
fn chain(last: usize) -> Vec<String> {
    let made_by = |depth| if depth == 1 { "a".to_owned() } else { format!("n{}", depth - 1) };
    (1..=last).map(|depth| format!("A n{depth}<{}", made_by(depth))).collect()
}

#[test]
fn r6_a_dispatch_of_a_card_owns_itself() {
    assert_eq!(owner("D a", "a").as_deref(), Some("a"));
}

#[test]
fn r6_an_alias_belongs_to_its_card() {
    assert_eq!(owner("D a, TS t→a, HB a, SM s to=t, TS t→s", "s").as_deref(), Some("a"));
}

/// What comes under a message before anything says whom it woke is its writer's, and stays so.
#[test]
fn r6_a_call_under_a_message_is_its_writers_until_the_woken_agent_has_a_place() {
    let script = "D a, TS t→a, SM s<a to=u, C x<s, TS u→s depth=2, C y<s";
    let card = card(script, "a");
    assert_eq!(row(&card, "s").calls, 1);
    assert_eq!(tail(&card), "s pending, x pending, y pending");
}

#[test]
fn r6_a_call_belongs_to_the_owner_of_the_call_it_was_made_under() {
    assert_eq!(owner("D a, C x<a", "x").as_deref(), Some("a"));
    assert_eq!(owner("D a, A in<a, A deep<in, C x<deep", "x").as_deref(), Some("a"));
    assert_eq!(owner("D a, C x<a, C y<x", "y").as_deref(), Some("a"));
    assert_eq!(owner("C y<x, C x<a, D a", "y").as_deref(), Some("a"));
}

#[test]
fn r6_the_task_chain_is_followed_by_agent_id_tool_use_id_and_parent_task() {
    assert_eq!(owner("D a, TS t→a, C x<q agent_id=t", "x").as_deref(), Some("a"));
    assert_eq!(owner("D a, TS t→a, TS u→z parent=t, C x<z", "x").as_deref(), Some("a"));
    let session = Session::of("D a, TS t→a, TS u→z parent=t, TS v→y parent=u, TS w→x parent=v");
    assert_eq!(session.tracker.owner_of_task("w"), Some("a"));
    let rows: Vec<_> = session.card("a").nested.iter().map(|row| (row.task_id.clone(), row.depth)).collect();
    assert_eq!(rows, [(Some("u".to_owned()), 1), (Some("v".to_owned()), 2), (Some("w".to_owned()), 3)]);
    assert_eq!(row(&session.card("a"), "w").parent_id.as_deref(), Some("y"));
}

#[test]
fn r6_the_task_chain_may_be_complete_only_later() {
    let script = "TS w→x parent=v, TS v→y parent=u, TS u→z parent=t, D a, TS t→a";
    assert_eq!(task_owner(script, "w").as_deref(), Some("a"));
    assert_eq!(row(&card(script, "a"), "w").depth, 3);
}

const TRACE: &str = "D a, TS t→a, TP t→a tool=Agent desc=\"Look up\"";

#[test]
fn r6_a_progress_with_the_same_description_right_before_is_the_trace_of_old_clients() {
    for script in [
        format!("{TRACE}, TS u→z desc=\"Look up\""),
        "D a, TS t→a, TP t→a tool=Task desc=\"Look up\", TS u→z desc=\"Look up\"".to_owned(),
    ] {
        let session = Session::of(&script);
        assert_eq!(session.drawn(), "a", "{script}");
        assert_eq!(session.tracker.owner_of_task("u"), Some("a"), "{script}");
        let row = row(&session.card("a"), "z");
        assert_eq!((row.name.as_str(), row.depth, row.parent_id.as_deref()), ("Look up", 1, Some("a")), "{script}");
    }
}

#[test]
fn r6_the_trace_wants_the_same_description() {
    assert_eq!(ids(&format!("{TRACE}, TS u→z desc=\"Look down\"")), "a z");
}

#[test]
fn r6_the_trace_wants_a_started_frame_without_a_depth() {
    assert_eq!(ids(&format!("{TRACE}, TS u→z desc=\"Look up\" depth=1")), "a z");
}

#[test]
fn r6_the_trace_wants_the_progress_right_before() {
    assert_eq!(ids(&format!("{TRACE}, TP t→a tool=Read desc=\"Reading\", TS u→z desc=\"Look up\"")), "a z");
}

#[test]
fn r6_frames_that_say_nothing_of_agents_do_not_come_between() {
    for nothing in [r#"RAW {"type":"result","subtype":"success"}"#, r#"RAW {"type":"new"}"#] {
        assert_eq!(ids(&format!("{TRACE}, {nothing}, TS u→z desc=\"Look up\"")), "a", "{nothing}");
    }
}

#[test]
fn r6_the_trace_wants_the_progress_of_a_dispatch() {
    assert_eq!(ids("D a, TS t→a, TP t→a tool=Read desc=\"Look up\", TS u→z desc=\"Look up\""), "a z");
    assert_eq!(ids("D a, TS t→a, TP t→a desc=\"Look up\", TS u→z desc=\"Look up\""), "a z");
}

#[test]
fn r6_the_trace_wants_a_live_agent() {
    let script = "D a, TS t→a, TU t completed, TP t→a tool=Agent desc=\"Look up\", TS u→z desc=\"Look up\"";
    assert_eq!(ids(script), "a z");
}

#[test]
fn r6_the_trace_wants_a_tool_use_id_that_was_never_seen() {
    assert_eq!(ids(&format!("D z desc=\"Look up\", {TRACE}, TS u→z desc=\"Look up\"")), "z a");
}

#[test]
fn r6_cycles_of_calls_are_safe() {
    for script in ["A x<y, A y<x, D a", "A x<y, A y<z, A z<x, C d<x, D a"] {
        assert_eq!(owner(script, "x"), None, "{script}");
    }
}

#[test]
fn r6_cycles_of_tasks_are_safe() {
    let script = "TS u→x parent=v, TS v→y parent=u, TS w→z parent=w, D a";
    for task in ["u", "v", "w"] {
        assert_eq!(task_owner(script, task), None, "{task}");
    }
    assert_eq!(ids(script), "a");
}

#[test]
fn r6_a_cycle_under_a_card_is_safe() {
    let card = card("D a, TS t→a, A in<a, TS u→in, TS t→a parent=u, C x<in, R x", "a");
    assert_eq!(counts(&card), "2 calls, 1 open, 0 failed");
}

#[test]
fn r6_an_agent_that_stands_under_itself_is_safe() {
    // The frames name one agent both for `a` and for the dispatch that it made.
    for script in [
        "A in<a, C y<a agent_id=u, C y<in agent_id=u, D a",
        "D a, A in<a, C y<a agent_id=u, C z<in agent_id=u",
        "D a, A in<a, TS t→a, TS t→in, C x<in agent_id=t",
        "A in<a, TP t→a, TN t→in completed, D a",
        "TP t→a, A in<a, TS t→in depth=2, D a",
        "ACK a task=u, TP u→in, A in<a, D a",
    ] {
        assert_eq!(ids(script), "a", "{script}");
        assert_eq!(owner(script, "in").as_deref(), Some("a"), "{script}");
    }
}

#[test]
fn r6_a_task_that_is_its_own_parent_is_safe() {
    for script in [
        "TS u→s parent=t, C z<s agent_id=t, D a",
        "C z<in agent_id=t, TS v→deep parent=u, TP u→in, TS t→deep, D a",
        "TS t→s parent=u, TS u→s parent=t, D a",
    ] {
        assert_eq!(Session::of(script).card("a").calls, 0, "{script}");
    }
}

#[test]
fn r6_chains_that_end_nowhere_are_safe() {
    let script = chain(50).join(", ");
    assert_eq!(owner(&script, "n50"), None);
    assert_eq!(ids(&script), "");
}

#[test]
fn r6_chains_of_any_depth_are_safe_in_any_order() {
    // Calls under calls: a chain without rows, so that only the owner walk is asked.
    let depth = 4000;
    let link = |at: usize| format!("C n{at}<{}", if at == 0 { "a".to_owned() } else { format!("n{}", at - 1) });
    let down: Vec<_> = (0..depth).map(link).collect();
    let up: Vec<_> = (0..depth).rev().map(link).collect();
    for script in [format!("D a, {}", down.join(", ")), format!("{}, D a", up.join(", "))] {
        let mut tracker = cardfold::CardTracker::new();
        for line in cardfold_testkit::script::lines(&script) {
            tracker.apply(&cardfold::Frame::decode(line.as_bytes()).expect("a script gives frames"));
        }
        assert_eq!(tracker.owner_of_call("n3999"), Some("a"));
        assert_eq!(tracker.card("a").expect("the dispatch came").calls, 4000);
    }
}

#[test]
fn r6_past_64_levels_a_row_is_still_owned_and_counted() {
    let script = format!("D a, {}, C x<n70, TS t→n70", chain(70).join(", "));
    let session = Session::of(&script);
    let card = session.card("a");
    assert_eq!((card.calls, card.nested.len()), (71, 70));
    assert_eq!(row(&card, "n70").depth, 70);
    assert_eq!(session.tracker.owner_of_call("x"), Some("a"));
    assert_eq!(session.tracker.owner_of_task("t"), Some("a"));
}

#[test]
fn r6_past_64_levels_open_calls_pass_no_further_up() {
    // The call n65 was made by the agent at depth 64, x by the one at depth 65.
    let nested = chain(65).join(", ");
    assert_eq!(counts(&card(&format!("D a, {nested}"), "a")), "65 calls, 65 open, 0 failed");
    assert_eq!(counts(&card(&format!("D a, {nested}, C x<n65"), "a")), "66 calls, 65 open, 0 failed");
    assert_eq!(counts(&card(&format!("D a, {nested}, C x<n64"), "a")), "66 calls, 66 open, 0 failed");
}

#[test]
fn r6_past_64_levels_a_permission_request_makes_nobody_above_wait() {
    let nested = chain(65).join(", ");
    let deep = Session::of(&format!("D a, {nested}, C x<n65, ASK q call=x"));
    assert_eq!(deep.reads("a"), "running (open_call)");
    assert_eq!(row_reading(&row(&deep.card("a"), "n65")), "waiting");
    let shallow = Session::of(&format!("D a, {nested}, C x<n64, ASK q call=x"));
    assert_eq!(shallow.reads("a"), "waiting (open_call)");
}

#[test]
fn r8_the_owner_of_a_call_is_a_dispatch_id_or_nothing() {
    let session = Session::of("D a, D b, A in<a, C x<in, C m, SM s to=t");
    let owners = ["a", "b", "in", "x", "m", "s", "nobody", ""].map(|id| session.tracker.owner_of_call(id));
    assert_eq!(owners, [Some("a"), Some("b"), Some("a"), Some("a"), None, None, None, None]);
}

#[test]
fn r8_the_owner_of_a_task_is_a_dispatch_id_or_nothing() {
    let session = Session::of("D a, TS t→a, A in<a, TS u→in, D b, ACK b task=v, TS sh→m task_type=local_bash");
    let owners = ["t", "u", "v", "sh", "nobody", ""].map(|id| session.tracker.owner_of_task(id));
    assert_eq!(owners, [Some("a"), Some("a"), Some("b"), None, None, None]);
}

#[test]
fn r8_a_call_that_waits_for_its_parent_has_no_owner_yet() {
    let mut session = Session::of("C x<a");
    assert_eq!(session.tracker.owner_of_call("x"), None);
    session.play("D a");
    assert_eq!(session.tracker.owner_of_call("x"), Some("a"));
    assert_eq!(tail(&session.card("a")), "x pending");
}
