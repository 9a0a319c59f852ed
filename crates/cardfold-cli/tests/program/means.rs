//! What a large session needs: little memory and few open files. The shell's limits hold the program to it.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Ran, list};

/// Runs `cardfold replay --format json PATH` under a limit of the shell.
fn replay_under(limit: &str, path: &Path) -> Ran {
    let script = format!("ulimit {limit} && exec \"$0\" replay --format json \"$1\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_cardfold")]).arg(path);
    Ran::of(command.output().expect("there is a shell"))
}

/// A line of a session file or, with `agent`, of that agent's file.
fn line(uuid: &str, agent: Option<&str>, block: &Value) -> Value {
    json!({ "type": "assistant", "uuid": uuid, "sessionId": "s", "isSidechain": agent.is_some(), "agentId": agent,
        "timestamp": "2026-03-02T09:00:00Z", "message": { "role": "assistant", "content": [block] } })
}

fn dispatch(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "Agent", "input": { "description": id, "prompt": id } })
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// 10,000 agents with a file and a sidecar each, all at work at once, and 256 files that may be open.
#[test]
fn many_agents_need_few_open_files() {
    const AGENTS: usize = 10_000;
    let folder = folder();
    let agents = folder.path().join("s/subagents");
    fs::create_dir_all(&agents).expect("folders can be made");
    let mut main = String::new();
    for n in 0..AGENTS {
        let (id, agent) = (format!("d{n}"), format!("a{n}"));
        main += &format!("{}\n", line(&id, None, &dispatch(&id)));
        let call = json!({ "type": "tool_use", "id": format!("c{n}"), "name": "Read", "input": {} });
        let text = format!("{}\n", line(&agent, Some(&agent), &call));
        fs::write(agents.join(format!("agent-{agent}.jsonl")), text).expect("a file can be written");
        let sidecar = json!({ "toolUseId": id }).to_string();
        fs::write(agents.join(format!("agent-{agent}.meta.json")), sidecar).expect("a file can be written");
    }
    let path = folder.path().join("s.jsonl");
    fs::write(&path, main).expect("a file can be written");
    let report = replay_under("-n 256", &path).report();
    let session = &list(&report, "sessions")[0];
    assert_eq!(list(session, "problems"), [] as [Value; 0]);
    assert_eq!(session["lines"], 2 * AGENTS);
    let cards = list(session, "cards");
    assert_eq!(cards.len(), AGENTS);
    assert!(cards.iter().all(|card| card["calls"] == 1 && card["task_id"].is_string()));
}

/// The program may have half as much memory as the session has text.
#[test]
fn a_large_session_needs_little_memory() {
    let folder = folder();
    let path = folder.path().join("s.jsonl");
    let mut file = BufWriter::new(File::create(&path).expect("a file can be made"));
    let text = "word ".repeat(20_000);
    for n in 0..1_000 {
        let uuid = format!("u{n}");
        let block = if n % 10 == 0 { dispatch(&uuid) } else { json!({ "type": "text", "text": text }) };
        writeln!(file, "{}", line(&uuid, None, &block)).expect("a file can be written");
    }
    drop(file);
    let size = fs::metadata(&path).expect("the file is there").len();
    assert!(size > 90_000_000);
    // In units of 1,024 bytes; the program itself, its libraries and its stack are part of it.
    let report = replay_under(&format!("-v {}", size / 2 / 1_024), &path).report();
    let session = &list(&report, "sessions")[0];
    assert_eq!((session["lines"].as_u64(), list(session, "cards").len()), (Some(1_000), 100));
}
