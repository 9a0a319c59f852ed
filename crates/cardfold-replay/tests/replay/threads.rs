//! A second thread decodes ahead of the turn; what comes out is the same as without it.

use std::fs;
use std::path::Path;

use cardfold_replay::{Conversation, Options, replay};
use serde_json::json;

use crate::common::{Lines, SESSION, Store, report_json};

/// A store of `agents` agents that work side by side, with about `kib` KiB of lines for each: long texts, lines that cannot
/// be read, blank ones, and two objects in one.
fn store(agents: usize, kib: usize) -> Store {
    let store = Store::new();
    let mut main = Lines::main();
    for agent in 0..agents {
        main = main.dispatch(&format!("d{agent}"), &format!("Look into {agent}"));
    }
    store.lines(&format!("{SESSION}.jsonl"), &main.lines);
    for agent in 0..agents {
        let id = format!("a{agent}");
        let path = format!("{SESSION}/subagents/agent-{id}.jsonl");
        store.write(
            &format!("{SESSION}/subagents/agent-{id}.meta.json"),
            json!({"toolUseId": format!("d{agent}")}).to_string(),
        );
        let mut lines = Lines::agent(&id, 100).prompt(&format!("Look into {agent}"));
        let mut file = String::new();
        let mut step = 0;
        while file.len() < kib * 1024 {
            let call = format!("c{agent}-{step}");
            // Times go on at different paces, and some stand still.
            let second = 100 + u32::try_from(step * (agent % 5)).expect("the session is short");
            let text = "x\n".repeat(if step % 40 == 25 { 30_000 } else { 300 });
            lines = lines.at(second).call(&call).result(&call, &text);
            for line in lines.lines.drain(..) {
                file.push_str(&line.to_string());
                file.push_str(match (step + agent) % 11 {
                    0 => "\n\n  \n",
                    1 => "\n{\"type\":\"user\",\n",
                    2 => "",
                    3 => "\n\0\0[]\n",
                    _ => "\n",
                });
            }
            step += 1;
        }
        store.write(&path, file);
    }
    store
}

fn with_threads(threads: usize) -> Options {
    let mut options = Options::default();
    options.threads = threads;
    options
}

fn session_file(store: &Store) -> std::path::PathBuf {
    store.path(&format!("{SESSION}.jsonl"))
}

fn agree(path: &Path, change: impl Fn(&mut Options)) {
    let report = |threads| {
        let mut options = with_threads(threads);
        change(&mut options);
        report_json(&replay(path, &options))
    };
    let alone = report(1);
    assert!(alone["sessions"][0]["skipped"].as_u64() > Some(0), "some lines cannot be read");
    for _ in 0..3 {
        assert_eq!(report(2), alone);
    }
}

#[test]
fn many_files_at_once() {
    let store = store(30, 120);
    agree(&session_file(&store), |_| {});
    // Lines over the cap, and an end in the middle.
    agree(&session_file(&store), |options| options.max_line_bytes = 40_000);
    agree(&session_file(&store), |options| options.until_frame = Some(700));
}

#[test]
fn more_files_than_may_be_open() {
    let store = store(270, 8);
    agree(&session_file(&store), |_| {});
}

#[test]
fn frames_come_in_one_order() {
    let store = store(12, 150);
    let frames = |threads| {
        let options = with_threads(threads);
        let conversation = Conversation::open(&session_file(&store), &options).expect("the session is there");
        conversation.map(|frame| (frame.uuid, frame.timestamp_ms)).collect::<Vec<_>>()
    };
    let alone = frames(1);
    assert!(alone.len() > 500);
    assert_eq!(frames(2), alone);
}

#[test]
fn a_reader_that_stops_early_leaves_no_thread_waiting() {
    let store = store(12, 150);
    let options = with_threads(2);
    let mut conversation = Conversation::open(&session_file(&store), &options).expect("the session is there");
    assert_eq!(conversation.by_ref().take(100).count(), 100);
    drop(conversation);
    // Nothing holds the files any more.
    fs::remove_dir_all(store.folder.path()).expect("the store can be removed");
}
