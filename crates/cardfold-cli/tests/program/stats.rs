//! `cardfold stats`: sums over sessions are the sums of their reports.

use std::collections::BTreeMap;
use std::fs;

use cardfold_testkit::fixture;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{Ran, cardfold, list, program};

fn stats(path: &str) -> Value {
    let ran = cardfold(&format!("stats --format json {path}"));
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{path}");
    ran.report()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is a count"))
}

/// What the reports of these sessions say of each agent.
fn agents(report: &Value) -> Vec<&Value> {
    let cards = list(report, "sessions").iter().flat_map(|session| list(session, "cards"));
    cards.flat_map(|card| [card].into_iter().chain(list(card, "nested"))).collect()
}

#[test]
fn the_sums_are_those_of_the_reports() {
    for path in ["captures/2.1.332", "captures/2.1.19", "captures/2.0.77", "cases"] {
        let replayed = cardfold(&format!("replay --format json {path}")).report();
        let agents = agents(&replayed);
        let report = stats(path);
        let total = &report["total"];
        assert_eq!(report["sessions"], list(&replayed, "sessions").len());
        assert_eq!(total["dispatches"], agents.len(), "{path}");
        assert_eq!(total["nested"], agents.iter().filter(|agent| agent["depth"].is_u64()).count(), "{path}");
        assert_eq!(total["failed"], agents.iter().filter(|agent| agent["failed"] == true).count(), "{path}");
        let mut outcomes: BTreeMap<&str, u64> = BTreeMap::new();
        for agent in &agents {
            *outcomes.entry(agent["outcome"].as_str().expect("every agent ended")).or_default() += 1;
        }
        assert_eq!(total["outcomes"], json!(outcomes), "{path}");
        let tokens = agents.iter().filter_map(|agent| agent["usage"]["total_tokens"].as_u64()).sum::<u64>();
        assert_eq!(total["total_tokens"].as_u64().unwrap_or(0), tokens, "{path}");
        // A card counts the calls below it, so the rows' own are in it already.
        let cards = agents.iter().filter(|agent| agent["depth"].is_null());
        assert_eq!(number(&total["calls"]), cards.map(|card| number(&card["calls"])).sum::<u64>(), "{path}");
    }
}

/// Each agent is of one type and of one day, and each call is one of a tool.
#[test]
fn the_parts_add_up() {
    for capture in fixture::captures() {
        let folder = capture.stream.parent().expect("a capture has a folder");
        for path in [&capture.stream, &folder.join("transcripts")] {
            let Some(path) = path.to_str().filter(|_| path.exists()) else { continue };
            let report = stats(path);
            for field in ["dispatches", "nested", "failed", "calls"] {
                for parts in ["by_type", "by_day"] {
                    let sum = list(&report, parts).iter().map(|part| number(&part["sums"][field])).sum::<u64>();
                    assert_eq!(number(&report["total"][field]), sum, "{path}: {parts} {field}");
                }
            }
            let called = list(&report, "tools").iter().map(|tool| number(&tool["calls"])).sum::<u64>();
            assert_eq!(number(&report["total"]["calls"]), called, "{path}: tools");
        }
    }
}

/// A session of agents of two types, on two days, that took so many seconds each.
fn session(seconds: impl Iterator<Item = u64>) -> String {
    let mut lines = String::new();
    for second in seconds {
        let (id, day) = (format!("d{second}"), 2 + second % 2);
        let agent_type = if second % 4 == 0 { "Explore" } else { "writer" };
        let dispatch = json!({ "type": "assistant", "sessionId": "s", "uuid": format!("u{second}"),
            "timestamp": format!("2026-03-0{day}T09:00:00Z"), "message": { "content": [{ "type": "tool_use", "id": id,
            "name": "Agent", "input": { "description": id, "subagent_type": agent_type } }] } });
        let answer = json!({ "type": "user", "sessionId": "s", "uuid": format!("r{second}"),
            "message": { "content": [{ "type": "tool_result", "tool_use_id": id, "content": "done" }] },
            "toolUseResult": { "status": "completed", "agentId": format!("a{second}"), "totalTokens": 1_000,
            "totalDurationMs": second * 1_000, "content": [{ "type": "text", "text": "done" }] } });
        lines += &format!("{dispatch}\n{answer}\n");
    }
    lines
}

#[test]
fn what_is_known_beforehand() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("one.jsonl"), session(1..=60)).expect("a file can be written");
    fs::write(folder.path().join("two.jsonl"), session(61..=100)).expect("a file can be written");
    let report = stats(folder.path().to_str().expect("the name is UTF-8"));
    let total = &report["total"];
    assert_eq!(
        (&report["sessions"], &total["dispatches"], &total["failure_rate"]),
        (&json!(2), &json!(100), &json!(0.0))
    );
    assert_eq!((&total["total_tokens"], &total["outcomes"]), (&json!(100_000), &json!({ "completed": 100 })));
    let took = json!({ "agents": 100, "median": 50_000, "p95": 95_000, "max": 100_000, "total": 5_050_000 });
    assert_eq!(total["duration_ms"], took);
    let types: Vec<_> =
        list(&report, "by_type").iter().map(|part| (&part["agent_type"], &part["sums"]["dispatches"])).collect();
    assert_eq!(types, [(&json!("writer"), &json!(75)), (&json!("Explore"), &json!(25))]);
    let days: Vec<_> =
        list(&report, "by_day").iter().map(|part| (&part["day"], &part["sums"]["duration_ms"]["max"])).collect();
    assert_eq!(days, [(&json!("2026-03-02"), &json!(100_000)), (&json!("2026-03-03"), &json!(99_000))]);
}

#[test]
fn text_of_many_captures() {
    assert_snapshot!("stats", cardfold("stats captures/2.1.332").out);
}

/// The rarest outcomes have no room, and that is said. What is left says the same as in a pipe.
#[test]
#[cfg(target_os = "linux")]
fn a_narrow_terminal_has_fewer_columns() {
    use crate::terminal::{COLUMNS, Terminal};

    let (mut terminal, end) = Terminal::open();
    let mut command = program(&["stats", "captures/2.1.332"]);
    command.env("TERM", "xterm").stdout(end).status().expect("the program can be started");
    drop(command);
    let shown = terminal.at_the_end();
    assert!(shown.lines().all(|line| line.chars().count() <= usize::from(COLUMNS)), "{shown}");
    let piped = cardfold("stats captures/2.1.332").out;
    assert_eq!(shown.lines().next(), piped.lines().next(), "the totals");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let row = |text: &str| words(text.lines().find(|line| line.starts_with("general-purpose")).expect("its row"));
    let headings = |text: &str| words(text.lines().find(|line| line.starts_with("AGENT TYPE")).expect("headings"));
    let left_out = ["ABANDONED", "INTERRUPTED"];
    assert!(shown.contains("left out for want of room: ABANDONED, INTERRUPTED\n"), "{shown}");
    // A heading of two words stands over a name of one.
    let all: Vec<(String, String)> = headings(&piped).into_iter().skip(1).zip(row(&piped)).collect();
    let expected = all.into_iter().filter(|(heading, _)| !left_out.contains(&heading.as_str()));
    let found = headings(&shown).into_iter().skip(1).zip(row(&shown));
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn nothing_to_add_up_is_said() {
    let ran = cardfold("stats cases/missing");
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.starts_with("cardfold: nothing readable in cases/missing: "), "{}", ran.err);
}

#[test]
fn no_control_character_of_a_session_reaches_the_terminal() {
    let hostile = "x\u{1b}[31m\u{9b}2J\u{202e}\r\ny";
    let call = |id: &str, name: &str, parent: Option<&str>| {
        json!({ "type": "assistant", "session_id": "s", "uuid": id, "parent_tool_use_id": parent, "message": {
            "content": [{ "type": "tool_use", "id": id, "name": name, "input": { "subagent_type": hostile } }] } })
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s.jsonl");
    let text = format!("{}\n{}\n", call("d", "Agent", None), call("c", hostile, Some("d")));
    fs::write(&path, text).expect("a file can be written");
    for form in ["text", "json"] {
        let output = program(&["stats", "--format", form]).arg(&path).output();
        let ran = Ran::of(output.expect("the program can be started"));
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        let steers = |c: &char| (c.is_control() && *c != '\n') || *c == '\u{202e}';
        assert_eq!(ran.out.chars().find(steers), None, "{:?}", ran.out);
        assert!(ran.out.contains("[31m"), "the tool is listed: {}", ran.out);
    }
}
