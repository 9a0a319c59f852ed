//! A second thread decodes ahead of the turn; what comes out is the same as without it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use cardfold_replay::{Conversation, Options, Until, replay_observed};
use serde_json::{Value, json};

use crate::common::{Lines, SESSION, Store, children, copy_folder, report_json, testdata};

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

fn session_file(store: &Store) -> PathBuf {
    store.path(&format!("{SESSION}.jsonl"))
}

/// Everything that a replay tells: each frame with its place and what it changed, and all of the report, the trackers to
/// the last bit. The observer has enough after `most` frames.
fn everything(path: &Path, options: &Options, most: usize) -> (Vec<String>, Value) {
    let mut events = Vec::new();
    let report = replay_observed(path, options, |event| {
        events.push(format!(
            "{} {:?} {} {:?} {:?} {} {:?} {:?}",
            event.session,
            event.session_id,
            event.number,
            event.place,
            event.update,
            event.bytes_read,
            event.bytes_total,
            event.frame
        ));
        if events.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let mut whole = report_json(&report);
    whole["skipped"] = json!(report.skipped);
    for (session, value) in report.sessions.iter().zip(whole["sessions"].as_array_mut().expect("there is a list")) {
        value["more"] = json!([session.first_ms, session.last_ms, session.bytes, session.stopped]);
        value["tracker"] = serde_json::to_value(&session.tracker).expect("a tracker is JSON");
    }
    (events, whole)
}

/// Holds what two threads find against what one does; gives the number of frames.
fn agree(path: &Path, change: impl Fn(&mut Options)) -> usize {
    agree_up_to(usize::MAX, path, change)
}

fn agree_up_to(most: usize, path: &Path, change: impl Fn(&mut Options)) -> usize {
    let found = |threads| {
        let mut options = with_threads(threads);
        change(&mut options);
        everything(path, &options, most)
    };
    let (events, report) = found(1);
    let (events_of_two, report_of_two) = found(2);
    for (of_two, alone) in events_of_two.iter().zip(&events) {
        assert_eq!(of_two, alone, "{}", path.display());
    }
    assert_eq!((events_of_two.len(), report_of_two), (events.len(), report), "{}", path.display());
    events.len()
}

/// Makes a file large enough for a second thread, and says nothing more.
fn pad(path: &Path) {
    let mut file = OpenOptions::new().append(true).open(path).expect("a copy can be opened");
    file.write_all(&vec![b'\n'; 1024 * 1024]).expect("a copy can be written");
}

/// The session files and streams below a folder.
fn main_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in children(folder) {
        let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        if path.is_dir() {
            files.append(&mut main_files(&path));
        } else if name.ends_with(".jsonl") && !name.starts_with("agent-") {
            files.push(path);
        }
    }
    files
}

/// Holds the two against each other over all test data below a folder, each file made large enough.
fn agree_below(folder: &Path) -> (usize, usize) {
    let store = Store::new();
    let copy = store.path("copy");
    copy_folder(folder, &copy);
    let files = main_files(&copy);
    files.iter().for_each(|file| pad(file));
    (files.len(), files.iter().map(|file| agree(file, |_| {})).sum())
}

#[test]
fn every_capture() {
    let mut found = (0, 0);
    for version in children(&testdata().join("captures")).into_iter().filter(|path| path.is_dir()) {
        let (files, frames) = agree_below(&version);
        found = (found.0 + files, found.1 + frames);
    }
    assert!(found.0 > 150 && found.1 > 5_000, "{found:?}");
}

#[test]
fn every_case_and_every_regression() {
    for folder in ["cases", "regressions"] {
        let (files, frames) = agree_below(&testdata().join(folder));
        assert!(files > 0 && frames > 0, "{folder}: {files} {frames}");
    }
}

/// A directory is read file by file, a stream that mixes sessions as one; neither shares a thread with the next.
#[test]
fn a_directory_of_sessions() {
    let store = Store::new();
    let copy = store.path("copy");
    copy_folder(&testdata().join("cases/several-sessions"), &copy);
    main_files(&copy).iter().for_each(|file| pad(file));
    assert!(agree(&copy, |_| {}) > 0);
}

#[test]
fn many_files_at_once() {
    let store = store(30, 60);
    let path = session_file(&store);
    // Who decodes what is another matter each time.
    for _ in 0..3 {
        assert!(agree(&path, |_| {}) > 1_000);
    }
    // Lines over the cap.
    agree(&path, |options| options.max_line_bytes = 40_000);
    agree(&path, |options| options.live = true);
    let (_, report) = everything(&path, &with_threads(2), usize::MAX);
    assert!(report["sessions"][0]["skipped"].as_u64() > Some(100), "some lines cannot be read");
}

/// An end in the middle: by number, by time, by the observer. What was read is counted the same.
#[test]
fn an_early_stop() {
    let store = store(12, 100);
    let path = session_file(&store);
    for frames in [1, 2, 12, 13, 14, 100, 101, 102, 103, 333, 600] {
        agree(&path, |options| options.until_frame = Some(frames));
        let most = usize::try_from(frames).expect("the numbers are small");
        assert_eq!(agree_up_to(most, &path, |_| {}), most);
    }
    // The agents start 100 seconds after nine.
    for second in [0, 99, 100, 101, 110, 150] {
        let time = 1_772_442_000_000 + second * 1_000;
        agree(&path, |options| options.until_time = Some(Until::Time(time)));
        agree(&path, |options| options.until_time = Some(Until::TimeOfDay((9 * 3_600 + second) * 1_000)));
    }
}

#[test]
fn more_files_than_may_be_open() {
    let store = store(270, 8);
    agree(&session_file(&store), |_| {});
    agree(&session_file(&store), |options| options.until_frame = Some(900));
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

/// A host may hand a conversation to another thread, with the thread that it has.
#[test]
fn a_conversation_may_go_to_another_thread() {
    let store = store(12, 150);
    let mut conversation = Conversation::open(&session_file(&store), &with_threads(2)).expect("the session is there");
    assert_eq!(conversation.by_ref().take(100).count(), 100);
    let rest = std::thread::spawn(move || conversation.count()).join().expect("the rest is read");
    let all = Conversation::open(&session_file(&store), &with_threads(1)).expect("the session is there").count();
    assert_eq!(rest + 100, all);
}
