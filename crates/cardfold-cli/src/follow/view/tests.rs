//! Whole screens, after frames and keys.

use cardfold_wire::Frame as Wire;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use serde_json::{Value, json};

use super::*;
use crate::follow::keys::{Action, Step};
use crate::follow::sessions::{Session, Sessions};

/// When the session begins, and what time it is when somebody looks.
const START_MS: i64 = 1_772_442_000_000;
const NOW_MS: i64 = START_MS + 95_000;

/// A frame so many milliseconds after the start of the session.
fn frame(after_ms: i64, mut fields: Value) -> String {
    fields["timestamp"] = json!(crate::calendar::utc(START_MS + after_ms));
    fields["session_id"] = json!("s");
    fields.to_string()
}

fn call(after_ms: i64, parent: Option<&str>, id: &str, name: &str, input: Value) -> String {
    let block = json!({"type": "tool_use", "id": id, "name": name, "input": input});
    let message = json!({"model": "m", "content": [block]});
    frame(after_ms, json!({"type": "assistant", "parent_tool_use_id": parent, "message": message}))
}

fn dispatch(after_ms: i64, parent: Option<&str>, id: &str, name: &str, agent_type: &str) -> String {
    call(after_ms, parent, id, "Agent", json!({"description": name, "subagent_type": agent_type}))
}

fn result(after_ms: i64, parent: &str, id: &str, is_error: bool) -> String {
    let block = json!({"type": "tool_result", "tool_use_id": id, "content": "x", "is_error": is_error});
    frame(after_ms, json!({"type": "user", "parent_tool_use_id": parent, "message": {"content": [block]}}))
}

fn task(after_ms: i64, subtype: &str, id: &str, more: Value) -> String {
    let mut fields = json!({"type": "system", "subtype": subtype, "task_id": format!("task-{id}"), "tool_use_id": id});
    more.as_object().into_iter().flatten().for_each(|(name, value)| fields[name] = value.clone());
    frame(after_ms, fields)
}

/// One card of each kind: done, failed, running with calls and agents of its own, waiting, queued.
fn lines() -> Vec<String> {
    let usage =
        |tokens: u64, calls: u64, ms: u64| json!({"total_tokens": tokens, "tool_uses": calls, "duration_ms": ms});
    let started = |name: &str| json!({"task_type": "local_agent", "description": name});
    vec![
        dispatch(0, None, "a", "Survey the sources", "Explore"),
        task(1, "task_started", "a", started("Survey the sources")),
        call(10, Some("a"), "a1", "Read", json!({"file_path": "src/lib.rs"})),
        result(900, "a", "a1", false),
        task(3_400, "task_progress", "a", json!({"usage": usage(12_345, 1, 3_400)})),
        task(3_401, "task_updated", "a", json!({"patch": {"status": "completed"}})),
        dispatch(4_000, None, "b", "Run every check of the workspace and say what fails", "general-purpose"),
        task(4_001, "task_started", "b", started("Run every check of the workspace and say what fails")),
        task(9_000, "task_updated", "b", json!({"patch": {"status": "failed", "error": "exit status 101\nmore"}})),
        dispatch(30_000, None, "c", "Level 1 look", "general-purpose"),
        task(30_001, "task_started", "c", started("Level 1 look")),
        call(31_000, Some("c"), "c1", "Bash", json!({"command": "cargo test --workspace"})),
        result(32_000, "c", "c1", true),
        call(33_000, Some("c"), "c2", "Grep", json!({"pattern": "TODO", "path": "src"})),
        result(34_000, "c", "c2", false),
        dispatch(35_000, Some("c"), "d", "Level 2 look", "Explore"),
        task(35_001, "task_started", "d", started("Level 2 look")),
        dispatch(36_000, Some("d"), "e", "Level 3 look with a name that does not fit on a narrow screen", "Explore"),
        call(37_000, Some("c"), "c3", "Read", json!({"file_path": "/srv/概要/読む.md"})),
        task(38_000, "task_progress", "c", json!({"description": "Reading 概要", "usage": usage(20_500, 4, 8_000)})),
        dispatch(80_000, None, "w", "Tidy up", "general-purpose"),
        task(80_001, "task_started", "w", started("Tidy up")),
        frame(
            81_000,
            json!({"type": "control_request", "request_id": "r", "request": {"subtype": "can_use_tool",
            "tool_name": "Bash", "agent_id": "task-w", "title": "Run rm -rf build?", "input": {}}}),
        ),
        dispatch(90_000, None, "q", "Later", "Explore"),
        task(90_001, "task_started", "q", started("Later")),
        task(90_002, "task_updated", "q", json!({"patch": {"status": "pending"}})),
    ]
}

fn sessions(lines: &[String]) -> Sessions {
    let mut session = Session::default();
    for line in lines {
        session.tracker.apply(&Wire::decode(line.as_bytes()).expect("the line is a frame"));
    }
    Sessions { all: vec![session], stage: Stage::Live, ..Sessions::default() }
}

fn model(lines: &[String]) -> Model {
    let mut model = Model::new("/srv/projects/a/4241d8a9.jsonl".to_owned());
    model.update(&sessions(lines), NOW_MS);
    model
}

/// The screen after these keys, without its colours.
fn screen(model: &mut Model, columns: u16, lines: u16, actions: &[Action]) -> String {
    for action in actions {
        model.act(*action, lines);
        model.fit(columns, lines);
    }
    model.fit(columns, lines);
    let mut terminal = Terminal::new(TestBackend::new(columns, lines)).expect("memory is a terminal");
    terminal.draw(|frame| draw(frame, model, Styles::plain())).expect("memory is a terminal");
    terminal.backend().to_string()
}

#[test]
fn every_width_has_its_list() {
    for columns in [40, 80, 200] {
        insta::assert_snapshot!(format!("list_{columns}"), screen(&mut model(&lines()), columns, 18, &[]));
    }
}

#[test]
fn every_width_has_its_open_card() {
    for columns in [40, 80, 200] {
        let keys = [Action::Move(Step::First), Action::Move(Step::Down), Action::Move(Step::Down), Action::Open];
        insta::assert_snapshot!(format!("card_{columns}"), screen(&mut model(&lines()), columns, 40, &keys));
    }
}

#[test]
fn no_screen_is_too_small() {
    for columns in 1..30 {
        for lines_ in 1..8 {
            for keys in [&[][..], &[Action::Move(Step::First)], &[Action::Open], &[Action::Filter, Action::Type('x')]] {
                screen(&mut model(&lines()), columns, lines_, keys);
            }
        }
    }
}

#[test]
fn what_is_chosen_stays_in_sight() {
    let mut model = model(&lines());
    assert!(screen(&mut model, 80, 8, &[]).contains("Later"), "the newest are in sight at first");
    let first = screen(&mut model, 80, 8, &[Action::Move(Step::First)]);
    assert!(first.contains("› ✓ Survey the sources") && !first.contains("Later"), "{first}");
    // What comes meanwhile does not move it.
    let mut more = lines();
    more.extend((0..20).map(|n| dispatch(91_000, None, &format!("n{n}"), "One more", "Explore")));
    model.update(&sessions(&more), NOW_MS);
    assert!(screen(&mut model, 80, 8, &[]).contains("› ✓ Survey the sources"));
    let newest = screen(&mut model, 80, 8, &[Action::Back]);
    assert!(newest.contains("One more") && !newest.contains('›'), "{newest}");
    for step in [Step::PageUp, Step::PageDown, Step::Up, Step::Down] {
        for _ in 0..40 {
            assert!(screen(&mut model, 80, 8, &[Action::Move(step)]).contains("› "), "{step:?}");
        }
    }
}

/// Twenty agents at once used to fill the screen with the calls of the last five.
#[test]
fn all_that_run_are_in_sight_before_their_calls() {
    let (mut lines, count) = (Vec::new(), 20);
    for n in 0..count {
        lines.push(dispatch(0, None, &format!("d{n}"), &format!("Agent {n}."), "Explore"));
        lines.extend(
            (0..5).map(|at| {
                call(1, Some(&format!("d{n}")), &format!("c{n}-{at}"), "Read", json!({"file_path": "/srv/a"}))
            }),
        );
    }
    let mut model = model(&lines);
    for (height, calls) in [(24, 0), (42, 1), (63, 2), (105, 4), (10, 0)] {
        let shown = screen(&mut model, 80, height, &[]);
        let agents = shown.matches("● Agent").count();
        assert_eq!(agents, count.min(usize::from(height) - 2), "{height} lines:\n{shown}");
        assert_eq!(shown.matches("Read /srv").count(), count * calls, "{height} lines:\n{shown}");
    }
}

#[test]
fn a_filter_has_words_of_a_card() {
    for (filter, names) in [
        ("failed", &["Run every"][..]),
        ("explore", &["Survey the sources", "Later"]),
        ("general RUNNING", &["Level 1"]),
        ("nothing has this", &[]),
    ] {
        let mut keys = vec![Action::Filter];
        keys.extend(filter.chars().map(Action::Type));
        keys.push(Action::KeepFilter);
        let shown = screen(&mut model(&lines()), 80, 24, &keys);
        for name in ["Survey the sources", "Run every", "Level 1", "Tidy up", "Later"] {
            assert_eq!(shown.contains(name), names.contains(&name), "/{filter}: {name} in\n{shown}");
        }
        assert!(shown.contains(&format!("/{filter}")), "it is said that there is one:\n{shown}");
    }
}

#[test]
fn a_filter_can_be_changed_and_dropped() {
    let mut model = model(&lines());
    let typed = ['x', 'y'].map(Action::Type);
    assert!(screen(&mut model, 80, 24, &[&[Action::Filter][..], &typed].concat()).contains("/xy▏"));
    assert!(screen(&mut model, 80, 24, &[Action::Erase]).contains("/x▏"));
    assert!(screen(&mut model, 80, 24, &[Action::DropFilter]).contains("Tidy up"));
}

/// Ids are not cleaned by the engine, and a source is named by a path.
#[test]
fn nothing_steers_the_terminal() {
    let id = "a\u{1b}[2J\u{9b}x\u{202e}y";
    let mut model = model(&[dispatch(0, None, id, "Count", "Explore")]);
    model.source = "/srv/\u{1b}[31m".to_owned();
    let list = screen(&mut model, 80, 10, &[]);
    let page = screen(&mut model, 80, 30, &[Action::Open]);
    assert!(list.contains("\\u{1b}[31m") && page.contains("a\\u{1b}[2J\\u{9b}x\\u{202e}y"), "{list}\n{page}");
    let steers = |c: &char| crate::escape::steers(*c) && *c != '\n';
    assert_eq!(list.chars().chain(page.chars()).find(steers), None);
}

/// A workflow may have hundreds of members: those that live are listed, up to a few, the others are counted.
#[test]
fn many_rows_are_counted() {
    let mut lines = vec![
        dispatch(0, None, "a", "Many", "Explore"),
        task(1, "task_started", "a", json!({"task_type": "local_agent"})),
    ];
    for n in 0..30 {
        lines.push(dispatch(2, Some("a"), &format!("n{n}"), &format!("Below {n}"), "Explore"));
        lines.push(task(3, "task_started", &format!("n{n}"), json!({"task_type": "local_agent"})));
        let status = if n % 3 == 0 { "failed" } else { "completed" };
        if n < 28 {
            lines.push(task(4, "task_updated", &format!("n{n}"), json!({"patch": {"status": status}})));
        }
    }
    let shown = screen(&mut model(&lines), 80, 24, &[]);
    assert!(shown.contains("└ ● Below 28") && shown.contains("└ ● Below 29"), "{shown}");
    assert!(shown.contains("└ 28 more: 18 done, 10 failed"), "{shown}");
    assert_eq!(shown.matches('└').count(), 3, "{shown}");
}

/// Every change comes to the same list, whether it is taken at once or step by step.
#[test]
fn changes_lead_to_the_same_list() {
    let lines = lines();
    let mut stepwise = Model::new(String::new());
    let mut growing = sessions(&[]);
    for line in &lines {
        growing.all[0].tracker.apply(&Wire::decode(line.as_bytes()).expect("the line is a frame"));
        stepwise.update(&growing, NOW_MS);
    }
    let mut at_once = Model::new(String::new());
    at_once.update(&growing, NOW_MS);
    assert_eq!(screen(&mut stepwise, 120, 40, &[]), screen(&mut at_once, 120, 40, &[]));
}

#[test]
fn a_session_that_is_read_anew_starts_over() {
    let mut model = model(&lines());
    let mut other = sessions(&[dispatch(0, None, "z", "Another", "Explore")]);
    other.turn = 1;
    screen(&mut model, 80, 24, &[Action::Move(Step::First), Action::Open]);
    model.update(&other, NOW_MS);
    let shown = screen(&mut model, 80, 24, &[]);
    assert!(shown.contains("1 running") && shown.contains("Another") && !shown.contains("Tidy up"), "{shown}");
}
