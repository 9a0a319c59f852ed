//! P3 and P4: whose lines are these, when the store says it in so many words, and when it does not.

use cardfold::CardTracker;
use cardfold_replay::{Options, Report, replay};
use serde_json::{Value, json};

use crate::common::{Lines, SESSION, Store, only};

/// Each card: dispatch id, task id, outcome, calls.
fn cards(tracker: &CardTracker) -> Value {
    tracker.all_cards().map(|card| json!([card.dispatch_id, card.task_id, card.outcome, card.calls])).collect()
}

/// The nested rows of the first card: dispatch id, task id, parent, outcome, calls.
fn rows(report: &Report) -> Value {
    let card = only(report).tracker.all_cards().next().expect("there is a card");
    let row = |row: &cardfold::NestedRow| json!([row.dispatch_id, row.task_id, row.parent_id, row.outcome, row.calls]);
    card.nested.iter().map(row).collect()
}

/// A session with its agents: name of the file, lines, sidecar.
fn fold(main: Lines, agents: &[(&str, Lines, Option<Value>)]) -> Report {
    let store = Store::new();
    let path = store.lines(&format!("{SESSION}.jsonl"), &main.lines);
    for (name, lines, sidecar) in agents {
        store.lines(&format!("{SESSION}/subagents/{name}.jsonl"), &lines.lines);
        if let Some(sidecar) = sidecar {
            store.write(&format!("{SESSION}/subagents/{name}.meta.json"), sidecar.to_string());
        }
    }
    let report = replay(&path, &Options::default());
    assert!(report.sessions[0].problems.is_empty(), "{:?}", report.sessions[0].problems);
    report
}

/// Two dispatches at second 0 and 1, their two agents at 10 and 11, all with the same prompt.
fn twins(answers: impl FnOnce(Lines) -> Lines) -> (Lines, Lines, Lines) {
    let main = Lines::main().dispatch("toolu_A", "Look.").dispatch("toolu_B", "Look.").at(100);
    let one = Lines::agent("a1", 10).prompt("Look.").call("one-1").call("one-2").result("one-1", "ok").text("First.");
    let other = Lines::agent("b1", 11).prompt("Look.").call("other-1").text("Second.");
    (answers(main), one, other)
}

#[test]
fn the_sidecar_decides_before_everything_else() {
    let (main, one, other) = twins(|main| main.report("toolu_A", "a1", "Done.").report("toolu_B", "b1", "Done."));
    let sidecar = |id: &str| Some(json!({"toolUseId": id}));
    let report = fold(main, &[("agent-a1", one, sidecar("toolu_A")), ("agent-b1", other, sidecar("toolu_B"))]);
    let want = json!([["toolu_A", "a1", "completed", 2], ["toolu_B", "b1", "completed", 1]]);
    assert_eq!(cards(&only(&report).tracker), want);
}

#[test]
fn the_agent_that_an_answer_names_decides_before_the_order() {
    let (main, one, other) = twins(|main| main.report("toolu_A", "b1", "Done.").report("toolu_B", "a1", "Done."));
    let report = fold(main, &[("agent-a1", one, None), ("agent-b1", other, None)]);
    let want = json!([["toolu_A", "b1", "completed", 1], ["toolu_B", "a1", "completed", 2]]);
    assert_eq!(cards(&only(&report).tracker), want);
}

#[test]
fn an_answer_with_a_chains_last_text_decides_before_the_order() {
    let (main, one, other) = twins(|main| main.result("toolu_A", "Second.").result("toolu_B", "Another."));
    let report = fold(main, &[("agent-a1", one, None), ("agent-b1", other, None)]);
    // Answers without a structured field are of no known form; the calls say that the agents ended, but for one.
    let want = json!([["toolu_A", "b1", "completed", 1], ["toolu_B", "a1", "completed", 2]]);
    assert_eq!(cards(&only(&report).tracker), want);
}

#[test]
fn else_the_order_decides() {
    let (main, one, other) = twins(|main| main);
    let report = fold(main, &[("agent-b1", other, None), ("agent-a1", one, None)]);
    let want = json!([["toolu_A", "a1", "abandoned", 2], ["toolu_B", "b1", "abandoned", 1]]);
    assert_eq!(cards(&only(&report).tracker), want);
}

/// A dispatch that was refused has no agent, although its prompt is the same.
#[test]
fn a_dispatch_that_was_answered_before_does_not_get_a_later_agent() {
    let refused = json!({"type": "user", "message": {"role": "user", "content":
        [{"type": "tool_result", "tool_use_id": "toolu_A", "content": "No.", "is_error": true}]}});
    let main = Lines::main().dispatch("toolu_A", "Look.").line(refused).dispatch("toolu_B", "Look.");
    let one = Lines::agent("a1", 10).prompt("Look.").call("one-1");
    let report = fold(main, &[("agent-a1", one, None)]);
    let want = json!([["toolu_A", null, "failed", 0], ["toolu_B", "a1", "abandoned", 1]]);
    assert_eq!(cards(&only(&report).tracker), want);
}

/// What the answer will say is not known yet, and the agent's lines are with its card all the same.
#[test]
fn an_agent_with_a_prompt_of_its_own_is_linked_at_once() {
    let main = Lines::main().dispatch("toolu_A", "Look.").dispatch("toolu_B", "Listen.").at(100).text("Waiting.");
    let store = Store::new();
    let path = store.lines("s.jsonl", &main.lines);
    store.lines("s/subagents/agent-b1.jsonl", &Lines::agent("b1", 5).prompt("Listen.").call("b-1").lines);
    let mut options = Options::default();
    options.until_frame = Some(5);
    let report = replay(&path, &options);
    assert_eq!(cards(&only(&report).tracker), json!([["toolu_A", null, null, 0], ["toolu_B", "b1", null, 1]]));
}

/// Lines of an agent inside the main file, as the oldest clients wrote them.
fn inline(lines: Lines, chain: &str, before: Option<&str>, block: Value) -> Lines {
    let number = lines.lines.len();
    let uuid = format!("{chain}-{number}");
    let role = if block["type"] == "tool_use" || block["said"] == "model" { "assistant" } else { "user" };
    lines.line(json!({"type": role, "uuid": uuid, "parentUuid": before, "isSidechain": true,
        "message": {"role": role, "content": [block]}}))
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn said(text: &str) -> Value {
    json!({"type": "text", "text": text, "said": "model"})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Read", "input": {}})
}

fn done(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "ok"})
}

/// Answers that come in the other order tell two equal chains apart; their calls wait until then.
#[test]
fn inline_chains_are_told_apart_by_their_last_texts() {
    let main = Lines::main().dispatch("toolu_A", "Look.").dispatch("toolu_B", "Look.");
    let main = inline(main, "x", None, text("Look."));
    let main = inline(main, "y", None, text("Look."));
    let main = inline(main, "x", Some("x-2"), call("x1"));
    let main = inline(main, "y", Some("y-3"), call("y1"));
    let main = inline(main, "x", Some("x-4"), done("x1"));
    let main = inline(main, "y", Some("y-5"), done("y1"));
    let main = inline(main, "x", Some("x-6"), call("x2"));
    let main = inline(main, "y", Some("y-7"), said("I am y."));
    let main = inline(main, "x", Some("x-8"), done("x2"));
    let main = inline(main, "x", Some("x-10"), said("I am x."));
    let report = fold(main.result("toolu_A", "I am y.").result("toolu_B", "I am x."), &[]);
    let want = json!([["toolu_A", null, "completed", 1], ["toolu_B", null, "completed", 2]]);
    assert_eq!(cards(&only(&report).tracker), want, "and no made-up id is shown");
}

/// A line may stand before the line that it follows.
#[test]
fn an_inline_line_may_come_before_the_one_it_follows() {
    let main = Lines::main().dispatch("toolu_A", "Look.");
    let main = inline(main, "x", Some("x-4"), call("x2"));
    let main = inline(main, "x", Some("x-1"), done("x2"));
    let main = inline(main, "x", None, text("Look."));
    let main = inline(main, "x", Some("x-3"), call("x1"));
    let main = inline(main, "x", Some("x-4"), done("x1"));
    let report = fold(main, &[]);
    assert_eq!(cards(&only(&report).tracker), json!([["toolu_A", null, "abandoned", 2]]));
}

/// In some versions the first line of a chain names the line of the dispatch.
#[test]
fn an_inline_chain_may_hang_on_the_main_thread() {
    let main = Lines::main().dispatch("toolu_A", "Look.");
    let main = inline(main, "x", Some("m-1"), text("Look."));
    let main = inline(main, "x", Some("x-1"), call("x1"));
    let main = inline(main, "w", None, text("Warmup"));
    let main = inline(main, "w", Some("w-3"), call("w1"));
    let report = fold(main, &[]);
    assert_eq!(cards(&only(&report).tracker), json!([["toolu_A", null, "abandoned", 1]]));
}

/// The lines of an agent whose dispatch stands in no line that can be read.
#[test]
fn an_agent_that_nothing_names_is_a_card_of_its_own() {
    let main = Lines::main().prompt("Hello.").at(100).text("Bye.");
    let with_calls = |agent: &str| Lines::agent(agent, 10).prompt("Look.").call(&format!("{agent}-1"));
    let other_session = Lines::agent("c1", 10);
    let stranger = json!({"type": "assistant", "sessionId": "another", "message": {"content": [call("c-1")]}});
    let sidecar = json!({"toolUseId": "toolu_lost", "description": "Look for it", "agentType": "Explore"});
    let finished = with_calls("d1").result("d1-1", "ok").text("Seen.");
    let report = fold(
        main,
        &[
            ("agent-a1", with_calls("a1"), None),
            ("agent-b1", Lines::agent("b1", 10).prompt("Look.").text("No calls."), None),
            ("agent-c1", other_session.line(stranger), None),
            ("agent-d1", finished, Some(sidecar)),
        ],
    );
    let tracker = &only(&report).tracker;
    assert_eq!(cards(tracker), json!([["a1", "a1", "completed", 1], ["toolu_lost", "d1", "completed", 1]]));
    let card = tracker.card("toolu_lost").expect("it is a card");
    assert_eq!((card.name.as_str(), card.agent_type.as_deref()), ("Look for it", Some("Explore")));
    assert_eq!(card.evidence.as_str(), "calls_settled");
    assert!(card.started_at_ms.is_some());
    assert_eq!(only(&report).lines, 2 + 2 + 2 + 1 + 4, "the others are counted");
}

/// The agent's parent is one of this session, but the dispatch stands in no line that can be read.
#[test]
fn an_agent_with_a_parent_is_its_nested_row() {
    let main = Lines::main().dispatch("toolu_A", "Look.").launched("toolu_A", "a1").at(200).text("Bye.");
    let outer = Lines::agent("a1", 10).prompt("Look.").call("a-1").result("a-1", "ok");
    let inner = |id: &str| Lines::agent(id, 20).prompt("Deeper.").call(&format!("{id}-1"));
    let parent = |of: &str, id: &str| Some(json!({"parentAgentId": of, "toolUseId": id, "description": id}));
    let report = fold(
        main,
        &[
            ("agent-a1", outer, Some(json!({"toolUseId": "toolu_A"}))),
            // Its parent's file comes after its own.
            ("agent-b1", inner("b1"), parent("c1", "toolu_C")),
            ("agent-c1", inner("c1"), parent("a1", "toolu_B")),
            ("agent-d1", inner("d1"), parent("d1", "toolu_D")),
        ],
    );
    let tracker = &only(&report).tracker;
    assert_eq!(cards(tracker), json!([["toolu_A", "a1", "abandoned", 3], ["toolu_D", "d1", "completed", 1]]));
    let want = json!([["toolu_B", "c1", "toolu_A", "completed", 1], ["toolu_C", "b1", "toolu_B", "completed", 1],]);
    assert_eq!(rows(&report), want);
}

/// Old clients wrote no sidecars: nested agents are found by the answer in the file of the agent that made them, or by
/// their prompt.
#[test]
fn nested_agents_without_sidecars_are_found() {
    let main = Lines::main().dispatch("toolu_A", "Look.").at(200).report("toolu_A", "a1", "Done.");
    let outer = Lines::agent("a1", 10)
        .prompt("Look.")
        .dispatch("toolu_B", "Deeper.")
        .dispatch("toolu_C", "Deeper.")
        .dispatch("toolu_D", "Elsewhere.")
        .at(100)
        .result("toolu_B", "Seen.\nagentId: c1 (for resuming)")
        .result("toolu_C", "agentId: b1 (for resuming)");
    let inner = |id: &str, prompt: &str| Lines::agent(id, 20).prompt(prompt).call(&format!("{id}-1"));
    let report = fold(
        main,
        &[
            ("agent-a1", outer, None),
            ("agent-b1", inner("b1", "Deeper."), None),
            ("agent-c1", inner("c1", "Deeper."), None),
            ("agent-d1", inner("d1", "Elsewhere."), None),
        ],
    );
    assert_eq!(cards(&only(&report).tracker), json!([["toolu_A", "a1", "completed", 6]]));
    let card = only(&report).tracker.cards().next().expect("the dispatch is a card");
    let rows: Vec<_> = card.nested.iter().map(|row| (row.dispatch_id.as_deref(), row.task_id.as_deref())).collect();
    let want = [("toolu_B", "c1"), ("toolu_C", "b1"), ("toolu_D", "d1")];
    assert_eq!(rows, want.map(|(dispatch, task)| (Some(dispatch), Some(task))));
}

/// The agent of a forked skill is no sub-agent, also when only its call's result says so.
#[test]
fn the_agent_of_a_forked_skill_is_only_counted() {
    let skill = json!({"type": "tool_use", "id": "toolu_S", "name": "Skill", "input": {"skill": "look"}});
    let main = Lines::main().assistant(skill).at(100);
    let main = main.structured("toolu_S", "ok", json!({"status": "forked", "agentId": "a1", "commandName": "look"}));
    let agent = Lines::agent("a1", 10).prompt("Look.").call("a-1");
    let report = fold(main, &[("agent-a1", agent, Some(json!({"agentType": "general-purpose"})))]);
    assert_eq!(cards(&only(&report).tracker), json!([]));
    assert_eq!(only(&report).lines, 4);
}

/// A fork's file opens with the parent's dispatch and a result for it.
#[test]
fn a_fork_without_a_sidecar_is_linked_by_the_line_it_repeats() {
    let main = Lines::main().dispatch("toolu_A", "Look.").launched("toolu_A", "a1").at(100).text("Bye.");
    let repeated = main.lines[0].clone();
    let agent = Lines::agent("a1", 5)
        .line(json!({"type": "fork-context-ref", "parentSessionId": SESSION}))
        .line(repeated)
        .result("toolu_A", "Fork started")
        .call("a-1")
        .result("a-1", "ok")
        .text("Seen.");
    let report = fold(main, &[("agent-a1", agent, None)]);
    assert_eq!(cards(&only(&report).tracker), json!([["toolu_A", "a1", "completed", 1]]));
    assert_eq!(rows(&report), json!([]));
}

/// A dispatch that starts an agent again, and says so or does not.
fn resume(id: &str, prompt: &str, agent: Option<&str>) -> Value {
    let input = json!({"description": id, "prompt": prompt, "resume": agent});
    json!({"type": "tool_use", "id": id, "name": "Task", "input": input})
}

/// Part k of an agent's file belongs to the k-th dispatch that names it, equal prompts or not.
#[test]
fn a_file_is_cut_at_the_prompts_of_the_dispatches_that_name_its_agent() {
    let says = Some("a1");
    for (second, third, says) in [
        ("And?", "Then?", says),
        ("Go on.", "Go on.", says),
        ("Look.", "Look.", says),
        ("And?", "Then?", None),
        ("Go on.", "Go on.", None),
    ] {
        let main = Lines::main()
            .dispatch("toolu_A", "Look.")
            .at(20)
            .report("toolu_A", "a1", "One.")
            .assistant(resume("toolu_B", second, says))
            .at(40)
            .report("toolu_B", "a1", "Two.")
            .assistant(resume("toolu_C", third, says))
            .at(60)
            .report("toolu_C", "a1", "Three.");
        let first = Lines::agent("a1", 1).prompt("Look.").call("a-1").result("a-1", "ok").text("One.");
        // The client wrote the old lines again.
        let mut agent = Lines::agent("a1", 1);
        agent.lines = [first.lines.clone(), first.lines].concat();
        agent = agent.at(25);
        for (prompt, calls) in [(second, &["b-1", "b-2"][..]), (third, &["c-1"][..])] {
            let uuid = format!("p{}", agent.lines.len());
            agent = agent.line(json!({"type": "user", "uuid": uuid,
                "message": {"role": "user", "content": prompt}}));
            for id in calls {
                let uuid = format!("u-{id}");
                agent = agent.line(json!({"type": "assistant", "uuid": uuid, "message": {"content": [call(id)]}}));
            }
            agent = agent.at(45);
        }
        let report = fold(main, &[("agent-a1", agent, None)]);
        let want = json!([
            ["toolu_A", "a1", "completed", 1],
            ["toolu_B", "a1", "completed", 2],
            ["toolu_C", "a1", "completed", 1],
        ]);
        assert_eq!(cards(&only(&report).tracker), want, "{second} {third} {says:?}");
    }
}

/// The workflow's own file says how it ended where no notice does.
#[test]
fn the_file_of_a_workflow_says_how_it_ended() {
    let workflow = json!({"type": "tool_use", "id": "toolu_W", "name": "Workflow", "input": {"name": "survey"}});
    let launched = json!({"status": "async_launched", "taskId": "w1", "taskType": "local_workflow", "runId": "wf_1",
        "summary": "Survey all"});
    let main = Lines::main().assistant(workflow).structured("toolu_W", "Launched.", launched).at(100).text("Bye.");
    let item = |agent: &str, label: &str, state: &str| {
        json!({"type": "workflow_agent", "index": 1, "agentId": agent, "label": label, "state": state,
            "tokens": 7, "toolCalls": 1, "durationMs": 5})
    };
    let store = Store::new();
    let path = store.lines(&format!("{SESSION}.jsonl"), &main.lines);
    let folder = format!("{SESSION}/subagents/workflows/wf_1");
    store.lines(&format!("{folder}/agent-a1.jsonl"), &Lines::agent("a1", 5).prompt("Look.").call("a-1").lines);
    store.lines(&format!("{folder}/agent-b1.jsonl"), &Lines::agent("b1", 6).prompt("Listen.").call("b-1").lines);
    store.lines(&format!("{folder}/journal.jsonl"), &[json!({"type": "started", "key": "k", "agentId": "a1"})]);
    let run = json!({"runId": "wf_1", "taskId": "w1", "status": "killed", "timestamp": "2026-03-02T09:01:00.000Z",
        "totalTokens": 14, "totalToolCalls": 2, "durationMs": 9, "script": "x".repeat(100_000),
        "workflowProgress": [item("a1", "look", "done"), item("b1", "listen", "error")]});
    store.write(&format!("{SESSION}/workflows/wf_1.json"), run.to_string());
    store.write(&format!("{SESSION}/workflows/scripts/survey-wf_1.js"), "// no state");
    let report = replay(&path, &Options::default());
    assert_eq!(cards(&only(&report).tracker), json!([["toolu_W", "w1", "stopped", 2]]));
    assert_eq!(rows(&report), json!([[null, "a1", "toolu_W", "completed", 1], [null, "b1", "toolu_W", "failed", 1],]));
    let card = only(&report).tracker.cards().next().expect("the workflow is a card");
    assert_eq!(card.usage.and_then(|usage| usage.total_tokens), Some(14));
    assert_eq!(card.ended_at_ms, Some(1_772_442_060_000));
    let names: Vec<_> = card.nested.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["look", "listen"]);

    for (damage, kind) in [("{\"runId\":", "not_json"), ("[]", "not_json"), ("{\"taskId\":7}", "malformed")] {
        store.write(&format!("{SESSION}/workflows/wf_1.json"), damage);
        let report = replay(&path, &Options::default());
        let problems: Vec<_> = only(&report).problems.iter().map(|problem| problem.kind.as_str()).collect();
        assert!(problems == [kind] || problems.is_empty(), "{damage}: {problems:?}");
        assert_eq!(cards(&only(&report).tracker), json!([["toolu_W", "w1", "abandoned", 2]]));
    }
}

/// Sidecars that name their own agent, or a call that the agent itself made, lead nowhere and harm nobody.
#[test]
fn a_sidecar_that_points_at_itself_is_survived() {
    let main = Lines::main().dispatch("toolu_A", "Look.").launched("toolu_A", "a1").at(100).text("Bye.");
    let agent = |id: &str| Lines::agent(id, 10).prompt("Look.").dispatch(&format!("{id}-1"), "Deeper.");
    let of = |tool: &str, parent: &str| Some(json!({"toolUseId": tool, "parentAgentId": parent}));
    let report = fold(
        main,
        &[
            ("agent-a1", agent("a1"), of("toolu_A", "a1")),
            ("agent-b1", agent("b1"), of("b1-1", "b1")),
            ("agent-c1", agent("c1"), of("d1-1", "d1")),
            ("agent-d1", agent("d1"), of("c1-1", "c1")),
        ],
    );
    let card = only(&report).tracker.card("toolu_A").expect("the dispatch is a card");
    assert_eq!((card.task_id.as_deref(), card.calls), (Some("a1"), 1));
}

/// Lines of agent progress in the main file, and the agent's own file, say the same calls.
#[test]
fn progress_lines_and_the_file_are_one() {
    let progress = |uuid: &str, message: Value| {
        json!({"type": "progress", "parentToolUseID": "toolu_A", "toolUseID": "agent_1", "data":
            {"type": "agent_progress", "agentId": "a1", "prompt": "Look.", "message":
                {"type": "assistant", "uuid": uuid, "message": {"role": "assistant", "content": [message]}}}})
    };
    let main = Lines::main()
        .dispatch("toolu_A", "Look.")
        .at(12)
        .line(progress("aa1-2", call("a-1")))
        .line(progress("elsewhere", call("a-2")))
        .at(90)
        .text("Bye.");
    let agent = Lines::agent("a1", 10).prompt("Look.").call("a-1").call("a-2").call("a-3");
    let report = fold(main, &[("agent-a1", agent, None)]);
    assert_eq!(cards(&only(&report).tracker), json!([["toolu_A", "a1", "abandoned", 3]]));
}
