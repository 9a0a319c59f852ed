//! The text form: each snapshot was read against what `testdata/captures/README.md` says of its capture.

use std::fs;

use insta::assert_snapshot;
use serde_json::json;

use crate::{Ran, cardfold, program};

fn shown(words: &str) -> String {
    let ran = cardfold(words);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{words}");
    ran.out
}

#[test]
fn nested_agents_stand_below_their_card() {
    assert_snapshot!("nested", shown("replay captures/2.1.332/04b-nested-background/stream.jsonl"));
}

#[test]
fn a_row_known_from_task_frames_alone_shows_the_stated_figures() {
    assert_snapshot!("nested_unseen", shown("replay captures/2.1.332/04-nested/stream.jsonl"));
}

#[test]
fn a_failure_says_why() {
    assert_snapshot!("failures", shown("replay captures/2.1.332/05-failures/stream.jsonl"));
}

#[test]
fn a_call_is_cut_off_by_the_end_of_its_agent() {
    assert_snapshot!("cut_off", shown("replay captures/2.1.332/06i-parent-ends-before-child/stream.jsonl"));
}

#[test]
fn a_workflow_shows_its_members() {
    assert_snapshot!("workflow", shown("replay captures/2.1.332/09-workflow/stream.jsonl"));
}

#[test]
fn a_second_run_is_counted() {
    assert_snapshot!("second_run", shown("replay captures/2.1.332/09c-teams/stream.jsonl"));
}

#[test]
fn what_is_inferred_says_so() {
    assert_snapshot!("inferred", shown("replay captures/2.0.77/03-background/stream.jsonl"));
}

#[test]
fn live_cards_show_what_they_do_and_want() {
    assert_snapshot!("live", shown("replay --live cases/live-states/input.jsonl"));
}

#[test]
fn all_shows_the_cards_that_are_not_drawn() {
    assert_snapshot!("live_all", shown("replay --live --all cases/live-states/input.jsonl"));
}

#[test]
fn bad_lines_are_listed_with_their_place() {
    assert_snapshot!("bad_lines", shown("replay cases/line-damage/input.jsonl"));
}

#[test]
fn several_sessions_stand_one_after_the_other() {
    assert_snapshot!("several_sessions", shown("replay cases/several-sessions/store"));
}

#[test]
fn a_row_stands_below_the_agent_that_made_it() {
    // The dispatches of two branches alternate, and so do the rows of the card.
    let dispatches =
        [("a", None), ("b", Some("a")), ("c", Some("a")), ("d", Some("b")), ("e", Some("c")), ("f", Some("d"))];
    let stream: String = dispatches
        .iter()
        .map(|(id, parent)| {
            let block = json!({ "type": "tool_use", "id": id, "name": "Agent", "input": { "description": id } });
            let message = json!({ "content": [block] });
            let frame = json!({ "type": "assistant", "parent_tool_use_id": parent, "message": message });
            format!("{frame}\n")
        })
        .collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("stream.jsonl");
    fs::write(&path, stream).expect("a file can be written");
    let output = program(&["replay", "--live"]).arg(path).output().expect("the program can be started");
    let rows: Vec<String> = Ran::of(output).out.lines().filter(|line| line.contains('└')).map(str::to_owned).collect();
    assert_snapshot!("branches", rows.join("\n"));
}

/// A terminal breaks a line anywhere; the program does so between words, and further in.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_gets_lines_that_fit() {
    use crate::terminal::{COLUMNS, Terminal};

    let words = "explain captures/2.1.332/04b-nested-background/stream.jsonl";
    let (mut terminal, end) = Terminal::open();
    let mut command = program(&words.split(' ').collect::<Vec<_>>());
    command.env("TERM", "xterm").stdout(end).status().expect("the program can be started");
    drop(command);
    let shown = terminal.at_the_end();
    assert!(shown.lines().all(|line| line.chars().count() <= usize::from(COLUMNS)), "{shown}");
    let piped = cardfold(words).out;
    assert!(piped.lines().any(|line| line.chars().count() > usize::from(COLUMNS)), "a line is too long: {piped}");
    let flat = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert!(flat(&piped).ends_with(&flat(&shown)), "the same words: {shown}");
}
