//! The world goes wrong around the program: its reader leaves, the disk is full, somebody stops it. It says so or keeps
//! quiet, but never panics, and each line that it wrote is whole.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
#[cfg(unix)]
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;
use tinyjson::JsonValue;

use crate::program;

const FORMS: [&str; 5] = ["text", "json", "ndjson", "html", "svg"];

/// A dispatch and what its agent says of itself: short lines, and long ones where `words` are many.
fn lines(n: usize, words: usize) -> String {
    let text = "word ".repeat(words);
    let dispatch = json!({ "type": "assistant", "session_id": "s", "message": { "content": [{ "type": "tool_use",
        "id": format!("d{n}"), "name": "Agent", "input": { "description": format!("agent {n}") } }] } });
    let progress = json!({ "type": "system", "subtype": "task_progress", "session_id": "s", "task_id": format!("t{n}"),
        "tool_use_id": format!("d{n}"), "description": format!("step {n}") });
    let ended = json!({ "type": "system", "subtype": "task_updated", "session_id": "s", "task_id": format!("t{n}"),
        "patch": { "status": "failed", "error": text } });
    format!("{dispatch}\n{progress}\n{ended}\n")
}

/// A stored session of so many agents; its report is far larger than a pipe or a buffer.
fn session(folder: &TempDir, agents: usize) -> PathBuf {
    let path = folder.path().join("session.jsonl");
    let text: String = (0..agents).map(|n| lines(n, n % 601)).collect();
    fs::write(&path, text).expect("a file can be written");
    path
}

fn replay(form: &str, path: &Path) -> Command {
    let mut command = program(&["replay", "--format", form]);
    command.arg(path).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn is_json(line: &str) -> bool {
    line.parse::<JsonValue>().is_ok()
}

/// What stands on standard error once the program is over, and how it ended.
fn ending(child: &mut Child) -> (String, ExitStatus) {
    let mut said = String::new();
    let mut stderr = child.stderr.take().expect("it is piped");
    stderr.read_to_string(&mut said).expect("the program prints UTF-8");
    (said, child.wait().expect("the program ends"))
}

#[test]
fn a_reader_that_leaves_is_no_news() {
    let folder = folder();
    let path = session(&folder, 2_000);
    for form in FORMS {
        // It leaves before the first byte, in the middle of a line, and when a pipe's worth was read.
        for enough in [0, 10, 70_000] {
            let mut child = replay(form, &path).spawn().expect("the program can be started");
            let mut out = child.stdout.take().expect("it is piped");
            let mut read = vec![0; enough];
            out.read_exact(&mut read).expect("there is more to read");
            drop(out);
            let (said, status) = ending(&mut child);
            assert_eq!((said.as_str(), status.code()), ("", Some(0)), "{form} after {enough} bytes");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_said_and_fails() {
    let folder = folder();
    let large = session(&folder, 2_000);
    let small = folder.path().join("small.jsonl");
    fs::write(&small, lines(1, 1)).expect("a file can be written");
    for form in FORMS {
        for path in [&small, &large] {
            let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
            let mut child = replay(form, path).stdout(full).spawn().expect("the program can be started");
            let (said, status) = ending(&mut child);
            assert_eq!(status.code(), Some(1), "{form}: {said}");
            assert!(said.starts_with("cardfold: cannot write: ") && said.lines().count() == 1, "{form}: {said}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn nobody_listens_on_either_side() {
    let folder = folder();
    let path = session(&folder, 500);
    for form in FORMS {
        let full = || OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let mut command = replay(form, &path);
        let status = command.stdout(full()).stderr(full()).status().expect("the program can be started");
        assert_eq!(status.code(), Some(1), "{form}");
        let missing = replay(form, Path::new("missing")).stdout(full()).stderr(full()).status();
        assert_eq!(missing.expect("the program can be started").code(), Some(1), "{form}");
    }
}

/// Sends a signal by its name; the process is one that the test started.
#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
    assert!(sent.expect("there is a `kill`").success());
}

/// Signals, with the names that `kill` knows them by.
#[cfg(unix)]
const SIGNALS: [(&str, u32); 3] = [("TERM", 15), ("INT", 2), ("PIPE", 13)];

/// Those of them that reach a program which is started here: where the tests run in the background of a shell, INT is
/// ignored, and what they start inherits that. SIGPIPE is ignored by the program itself.
#[cfg(unix)]
fn signals() -> impl Iterator<Item = &'static str> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let reaches = move |(name, number): &(&str, u32)| *name == "PIPE" || ignored & (1 << (number - 1)) == 0;
    SIGNALS.into_iter().filter(reaches).map(|(name, _)| name)
}

/// The lines of a live stream are written as they come, each in one piece.
#[test]
#[cfg(unix)]
fn a_signal_leaves_whole_lines_in_a_pipe() {
    for name in signals() {
        let mut command = program(&["replay", "--format", "ndjson", "--live", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program can be started");
        let mut input = child.stdin.take().expect("it is piped");
        let feeder = thread::spawn(move || {
            // Ends when the program is gone.
            (0..).take_while(|&n| input.write_all(lines(n, n % 7).as_bytes()).is_ok()).count()
        });
        let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut written = String::new();
        for _ in 0..50 {
            out.read_line(&mut written).expect("the program prints UTF-8");
        }
        signal(&child, name);
        // A program that takes no notice of the signal would go on for ever.
        if name == "PIPE" {
            drop(out);
        } else {
            out.read_to_string(&mut written).expect("the program prints UTF-8");
        }
        let (said, _) = ending(&mut child);
        assert_eq!(said, "", "{name}");
        assert!(feeder.join().expect("the feeder ends") > 0);
        assert!(written.ends_with('\n'), "{name}: torn: {:?}", written.lines().last());
        assert!(written.lines().all(is_json), "{name}");
    }
}

/// The smallest page of memory that a system has: others are multiples of it.
#[cfg(unix)]
const PAGE: usize = 4_096;

/// A file of changes that was being written is one that a reader can use. A signal that ends the program may find the
/// system in the middle of the last write, which it then leaves at the end of a page: that line alone may be torn.
#[test]
#[cfg(unix)]
fn a_signal_leaves_whole_lines_in_a_file() {
    let folder = folder();
    let path = session(&folder, 5_000);
    for name in signals() {
        let changes = folder.path().join(format!("{name}.ndjson"));
        let file = File::create(&changes).expect("a file can be made");
        let mut child = replay("ndjson", &path).stdout(file).spawn().expect("the program can be started");
        let until = Instant::now() + Duration::from_secs(30);
        while fs::metadata(&changes).expect("the file is there").len() < 100_000 && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        signal(&child, name);
        let (said, status) = ending(&mut child);
        // SIGPIPE is ignored, as in every program in Rust: a reader that leaves is an error of the write.
        let in_the_middle = status.signal().is_some() || name == "PIPE";
        assert!(said.is_empty() && in_the_middle, "{name}: {status}: {said}");
        let written = fs::read_to_string(&changes).expect("the file is UTF-8");
        assert!(written.len() >= 100_000, "{name}");
        let (whole, rest) = written.rsplit_once('\n').expect("there are lines");
        let torn = whole.lines().find(|line| !is_json(line));
        assert_eq!(torn, None, "{name}");
        assert!(rest.is_empty() || written.len().is_multiple_of(PAGE), "{name}: torn within a page: {rest}");
    }
}
