//! `follow` of a folder of another system's files.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use cardfold_testkit::fixture;

use crate::follow::{Following, append, replayed};
use crate::{Ran, list, program};

/// A state file that is written anew, and the transcript of an agent, line by line.
#[test]
fn files_that_grow_and_files_that_come_are_followed() {
    let from = fixture::testdata().join("dialects/codewhale/state/root/.codewhale/state");
    let state = fs::read_to_string(from.join("subagents.v1.json")).expect("a fixture can be read");
    let transcripts = fs::read_dir(from.join("subagent-transcripts")).expect("a fixture can be listed");
    let transcript = transcripts.map(|entry| entry.expect("it can be listed").path()).next().expect("there is one");
    let lines = fs::read_to_string(&transcript).expect("a fixture can be read");

    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    let to = root.join(".codewhale/state");
    append(&to.join("subagents.v1.json"), &state);
    let mut following = Following::of(root);
    following.wait_for(|cards| !cards.is_empty());
    for line in lines.split_inclusive('\n') {
        append(&to.join("subagent-transcripts").join(transcript.file_name().expect("it has a name")), line);
        thread::sleep(Duration::from_millis(5));
    }
    let wanted = replayed(root);
    following.wait_for(|cards| *cards == wanted);
    let opened = following.changes.iter().filter(|change| change.starts_with("opened")).count();
    assert_eq!(opened, wanted.len(), "what is read anew and reads the same is not told: {:?}", following.changes);
    assert!(following.changes.iter().any(|change| change.starts_with("changed")), "{:?}", following.changes);

    // Another session, of another system.
    let result = fixture::testdata().join("dialects/supervisor/results/agents/scan-b2/result.json");
    append(&root.join("agents/scan-b2/result.json"), &fs::read_to_string(result).expect("a fixture can be read"));
    let wanted = replayed(root);
    following.wait_for(|cards| *cards == wanted);
    assert!(!following.changes.iter().any(|change| change.starts_with("removed")), "{:?}", following.changes);
}

/// With its system's name a folder may be empty at first.
#[test]
fn an_empty_folder_is_waited_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |words: &[&str]| {
        let mut command = program(words);
        command.arg(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let ran = Ran::of(run(&["follow"]).output().expect("the program can be started"));
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("nothing in it tells whose it is"), "{}", ran.err);
    let mut child = run(&["follow", "--dialect", "supervisor"]).spawn().expect("the program can be started");
    thread::sleep(Duration::from_millis(100));
    let stream = fixture::testdata().join("dialects/supervisor/stream/input.jsonl");
    fs::copy(stream, folder.path().join("events.jsonl")).expect("a copy can be written");
    // It is there at once, or when somebody looks by the clock.
    let mut first = vec![0; 40];
    let mut out = child.stdout.take().expect("standard output is a pipe");
    std::io::Read::read_exact(&mut out, &mut first).expect("the program tells of it");
    assert!(String::from_utf8_lossy(&first).contains("cardfold-changes/1"));
    child.kill().expect("it can be ended");
    child.wait().expect("it ends");
    let report = Ran::of(run(&["replay", "--format", "json"]).output().expect("the program can be started")).report();
    assert_eq!(list(&report, "sessions").len(), 1);
}
