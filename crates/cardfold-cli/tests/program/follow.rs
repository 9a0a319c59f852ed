//! `follow` without a terminal: a line a change while files grow, and streams copied.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use cardfold_testkit::fixture;
use cardfold_wire::parse_timestamp;
use serde_json::{Value, json};

use crate::{Ran, cardfold, list, program};

/// Nothing in these tests takes that long, but for a machine that does much else.
const FOREVER: Duration = Duration::from_secs(60);

/// The program following a file, and the cards that its lines lead to.
pub(crate) struct Following {
    child: Child,
    lines: Receiver<Value>,
    pub(crate) cards: BTreeMap<String, Value>,
    pub(crate) changes: Vec<String>,
}

impl Following {
    pub(crate) fn of(path: &Path) -> Self {
        let mut child =
            program(&["follow"]).arg(path).stdout(Stdio::piped()).spawn().expect("the program can be started");
        let out = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        let (to, lines) = mpsc::channel();
        thread::spawn(move || {
            out.lines().map_while(Result::ok).try_for_each(|line| {
                to.send(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
            })
        });
        Self { child, lines, cards: BTreeMap::new(), changes: Vec::new() }
    }

    /// Reads lines until the cards are as wanted.
    pub(crate) fn wait_for(&mut self, is_wanted: impl Fn(&BTreeMap<String, Value>) -> bool) {
        let begun = Instant::now();
        while !is_wanted(&self.cards) {
            let left = FOREVER.saturating_sub(begun.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.take(line),
                Err(_) => panic!("the cards stay: {:#?} after {:?}", self.cards, self.changes),
            }
        }
    }

    fn take(&mut self, mut line: Value) {
        crate::schema::check(&line);
        let mut card = line["card"].take();
        card.as_object_mut().expect("a card is an object").remove("revision");
        let id = card["dispatch_id"].as_str().expect("a card has an id").to_owned();
        let change = line["change"].as_str().expect("a line has a change").to_owned();
        self.changes.push(format!("{change} {id}"));
        if change == "removed" {
            self.cards.remove(&id)
        } else {
            self.cards.insert(id, card)
        };
    }

    /// Ends it as a shell would, and reads what it still says.
    fn stop(&mut self) -> std::process::ExitStatus {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("there is a kill").success());
        let status = self.child.wait().expect("the program ends");
        while let Ok(line) = self.lines.recv_timeout(FOREVER) {
            self.take(line);
        }
        status
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The cards of a replay of what stands there, as of a session that goes on.
pub(crate) fn replayed(path: &Path) -> BTreeMap<String, Value> {
    let ran = Ran::of(
        program(&["replay", "--live", "--format", "json"]).arg(path).output().expect("the program can be started"),
    );
    let report = ran.report();
    let cards = list(&report, "sessions").iter().flat_map(|session| list(session, "cards"));
    let id = |card: &Value| card["dispatch_id"].as_str().expect("a card has an id").to_owned();
    let without_revision = |card: &Value| {
        let mut card = card.clone();
        card.as_object_mut().expect("a card is an object").remove("revision");
        card
    };
    cards.map(|card| (id(card), without_revision(card))).collect()
}

/// The lines of a captured store, each with its file, as they were written: by time, and those of a file in their order.
pub(crate) fn stored_lines(transcripts: &Path) -> (PathBuf, Vec<(PathBuf, String)>) {
    let mut files = Vec::new();
    let mut folders = vec![transcripts.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a capture can be listed") {
            let path = entry.expect("a capture can be listed").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let mut lines = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "jsonl")) {
        let name = file.strip_prefix(transcripts).expect("it stands below").to_owned();
        let mut time = None;
        for line in fs::read_to_string(file).expect("a capture can be read").lines() {
            let value: Value = serde_json::from_str(line).expect("a line is JSON");
            time = time.max(value["timestamp"].as_str().and_then(parse_timestamp));
            lines.push((time, name.clone(), format!("{line}\n")));
        }
    }
    lines.sort_by_key(|(time, _, _)| *time);
    let main =
        files.iter().find(|file| file.parent() == Some(transcripts) && !file.to_string_lossy().contains("agent-"));
    let main =
        main.expect("a capture has a session file").strip_prefix(transcripts).expect("it stands below").to_owned();
    (main, lines.into_iter().map(|(_, name, line)| (name, line)).collect())
}

pub(crate) fn append(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file stands in a folder")).expect("folders can be made");
    let mut file = OpenOptions::new().create(true).append(true).open(path).expect("a file can be opened");
    file.write_all(text.as_bytes()).expect("a file can be written");
}

fn dispatch(id: &str) -> String {
    let call = json!({"type": "tool_use", "id": id, "name": "Agent", "input": {"description": id}});
    let message = json!({"role": "assistant", "content": [call]});
    format!("{}\n", json!({"type": "assistant", "sessionId": "s", "uuid": format!("u-{id}"), "message": message}))
}

fn temporary() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

#[test]
fn a_stream_is_told_as_a_replay_tells_it() {
    for capture in ["2.1.332/04b-nested-background", "2.1.332/10c-stdin-two-turns", "2.0.77/01-foreground"] {
        let path = fixture::testdata().join("captures").join(capture).join("stream.jsonl");
        let run = |words: &[&str]| {
            let input = fs::File::open(&path).expect("a capture can be read");
            Ran::of(program(words).stdin(input).output().expect("the program can be started"))
        };
        let (followed, replayed) = (run(&["follow", "-"]), run(&["replay", "--format", "ndjson", "-"]));
        assert!(!replayed.out.is_empty());
        assert_eq!((followed.status, followed.out, followed.err), (replayed.status, replayed.out, replayed.err));
    }
}

/// A pipe with a name is a stream too.
#[test]
fn a_pipe_with_a_name_is_a_stream() {
    let path = fixture::testdata().join("captures/2.1.332/04-nested/stream.jsonl");
    let input = fs::File::open(&path).expect("a capture can be read");
    let mut cat = Command::new("cat").stdin(input).stdout(Stdio::piped()).spawn().expect("there is a cat");
    let pipe = cat.stdout.take().expect("standard output is a pipe");
    let ran = Ran::of(program(&["follow", "/dev/stdin"]).stdin(pipe).output().expect("the program can be started"));
    cat.wait().expect("it ends");
    let stored = cardfold("replay --format ndjson captures/2.1.332/04-nested/stream.jsonl");
    assert_eq!((ran.status, ran.out), (Some(0), stored.out));
}

/// Each file is written line by line, what is kept beside an agent's lines last of all.
#[test]
fn a_session_that_grows_comes_to_its_replay() {
    for capture in ["2.1.332/02-parallel", "2.1.332/04b-nested-background", "2.0.77/01-foreground"] {
        let transcripts = fixture::testdata().join("captures").join(capture).join("transcripts");
        let (main, lines) = stored_lines(&transcripts);
        let folder = temporary();
        let path = folder.path().join(main);
        let mut following = Following::of(&path);
        let mut written = BTreeMap::new();
        for (file, line) in &lines {
            append(&folder.path().join(file), line);
            *written.entry(file).or_insert(0) += 1;
            let sidecar = file.with_extension("meta.json");
            if written[file] == 2 && transcripts.join(&sidecar).is_file() {
                let text = fs::read_to_string(transcripts.join(&sidecar)).expect("a capture can be read");
                append(&folder.path().join(&sidecar), &text);
            }
            thread::sleep(Duration::from_millis(5));
        }
        let wanted = replayed(&path);
        assert!(!wanted.is_empty());
        // How the calls of several agents mix in a tail is no statement (R4).
        let plain = |cards: &BTreeMap<String, Value>| {
            let mut cards = cards.clone();
            for card in cards.values_mut().filter(|card| !card["nested"].as_array().is_some_and(Vec::is_empty)) {
                card["tail"] = Value::Null;
            }
            cards
        };
        let wanted = plain(&wanted);
        following.wait_for(|cards| plain(cards) == wanted);
    }
}

#[test]
fn a_file_that_is_not_there_is_waited_for_and_a_torn_line_too() {
    let folder = temporary();
    let path = folder.path().join("not/yet/session.jsonl");
    let mut following = Following::of(&path);
    thread::sleep(Duration::from_millis(100));
    let line = dispatch("torn");
    let (first, rest) = line.split_at(line.len() / 2);
    append(&path, &dispatch("whole"));
    append(&path, first);
    following.wait_for(|cards| cards.contains_key("whole"));
    thread::sleep(Duration::from_millis(100));
    append(&path, rest);
    following.wait_for(|cards| cards.contains_key("torn"));
    assert_eq!(following.changes, ["opened whole", "opened torn"]);
}

#[test]
fn a_file_that_is_cut_or_replaced_is_read_anew() {
    let folder = temporary();
    let path = folder.path().join("session.jsonl");
    append(&path, &(dispatch("one") + &dispatch("two")));
    let mut following = Following::of(&path);
    following.wait_for(|cards| cards.len() == 2);
    fs::write(&path, dispatch("cut")).expect("a file can be written");
    following.wait_for(|cards| cards.contains_key("cut"));
    assert_eq!(following.changes, ["opened one", "opened two", "removed one", "removed two", "opened cut"]);
    fs::rename(&path, folder.path().join("session.jsonl.1")).expect("a file can be renamed");
    let new = folder.path().join("new");
    fs::write(&new, dispatch("replaced") + &dispatch("more")).expect("a file can be written");
    fs::rename(&new, &path).expect("a file can be renamed");
    following.wait_for(|cards| cards.contains_key("more"));
    assert_eq!(following.changes[5..], ["removed cut", "opened replaced", "opened more"]);
    append(&path, &dispatch("after"));
    following.wait_for(|cards| cards.contains_key("after"));
    assert_eq!(following.cards.len(), 3);
}

/// Only the end of a reading tells of an agent that nothing names.
#[test]
fn a_signal_ends_it_after_its_last_words() {
    use std::os::unix::process::ExitStatusExt;
    let folder = temporary();
    let path = folder.path().join("s.jsonl");
    append(&path, &dispatch("a"));
    let call = json!({"type": "tool_use", "id": "c", "name": "Read", "input": {"file_path": "/srv/a"}});
    let prompt = json!({"type": "user", "sessionId": "s", "agentId": "lone", "isSidechain": true, "uuid": "p",
        "message": {"role": "user", "content": "Go"}});
    let message = json!({"type": "assistant", "sessionId": "s", "agentId": "lone", "isSidechain": true, "uuid": "q",
        "message": {"role": "assistant", "content": [call]}});
    append(&folder.path().join("s/subagents/agent-lone.jsonl"), &format!("{prompt}\n{message}\n"));
    let mut following = Following::of(&path);
    following.wait_for(|cards| cards.contains_key("a"));
    assert_eq!(following.stop().signal(), Some(15));
    assert_eq!(following.cards, replayed(&path));
    assert!(following.cards.contains_key("lone"));
}

#[test]
fn other_systems_are_followed_too() {
    let folder = temporary();
    let path = folder.path().join("conversation.jsonl");
    let text = fs::read_to_string(fixture::testdata().join("dialects/supervisor/stream/input.jsonl"))
        .expect("a fixture can be read");
    let mut following = Following::of(&path);
    for line in text.split_inclusive('\n') {
        append(&path, line);
        thread::sleep(Duration::from_millis(2));
    }
    let wanted = replayed(&path);
    assert!(!wanted.is_empty());
    following.wait_for(|cards| *cards == wanted);
}

#[test]
fn what_is_passed_through_stays_as_it_is() {
    let capture = fs::read(fixture::testdata().join("captures/2.1.332/04-nested/stream.jsonl")).expect("a capture");
    let noise: Vec<u8> = (0..=u8::MAX).cycle().take(300_000).collect();
    for input in [&b""[..], b"no line end", &capture, &noise, &[&capture[..], &noise].concat()] {
        let mut child = program(&["follow", "--pass-through", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        let bytes = input.to_vec();
        let writer = thread::spawn(move || stdin.write_all(&bytes));
        let output = child.wait_with_output().expect("the program ends");
        writer.join().expect("it does not fall").expect("the program reads all");
        assert!(output.stdout == input, "{} bytes became {}", input.len(), output.stdout.len());
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    }
}

/// What has come is passed on at once, also half a line.
#[test]
fn what_is_passed_through_does_not_wait() {
    let mut child = program(&["follow", "--pass-through", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let mut stdout = child.stdout.take().expect("standard output is a pipe");
    for part in ["{\"type\":", "\"user\"", "}\n"] {
        stdin.write_all(part.as_bytes()).expect("the program reads on");
        let mut buffer = vec![0; part.len()];
        std::io::Read::read_exact(&mut stdout, &mut buffer).expect("the program passes it on");
        assert_eq!(buffer, part.as_bytes());
    }
    drop(stdin);
    assert!(child.wait().expect("the program ends").success());
}

#[test]
fn what_cannot_be_followed_is_said() {
    for (words, status, told) in [
        ("follow --pass-through session.jsonl", 2, "give - as PATH"),
        ("follow captures/2.1.332", 1, "none of one session; give a session's .jsonl file"),
        ("follow -", 1, "nothing readable in -"),
        ("follow", 2, "<PATH>"),
    ] {
        let ran = cardfold(words);
        assert_eq!((ran.status, ran.out.as_str()), (Some(status), ""), "{words}");
        assert!(ran.err.contains(told), "{words}: {}", ran.err);
    }
}

#[test]
fn whoever_has_had_enough_ends_it() {
    let path = fixture::testdata().join("captures/2.1.332/04-nested/stream.jsonl");
    let mut child = program(&["follow", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    // It may be gone before it has read everything.
    let _ = stdin.write_all(&fs::read(path).expect("a capture can be read"));
    drop(stdin);
    let ran = Ran::of(child.wait_with_output().expect("the program ends"));
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
}
