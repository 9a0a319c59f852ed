//! A session that is followed while it is written: at every moment the cards are those of a replay of what is there.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use cardfold::CardTracker;
use cardfold_replay::{Follow, Look, Options, replay};
use cardfold_wire::parse_timestamp;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{Capture, Lines, SESSION, Store, captures, cards_json, children};

/// Something that is written: bytes at the end of a file, which is made where it is not there.
struct Written {
    file: PathBuf,
    bytes: Vec<u8>,
}

/// How a session comes to be on the disk.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// What the client keeps beside an agent's lines is there when the first of them is.
    Prompt,
    /// It comes after that agent's third line.
    LateSidecars,
    /// As `Prompt`, and every line comes in three parts.
    Torn,
}

/// All that a store holds, as it was written: lines by time, those of one file in their order.
fn writes(session_file: &Path, manner: Manner) -> Vec<Written> {
    let project = session_file.parent().expect("a session file stands in a folder");
    let mut lines: Vec<(Option<i64>, usize, Written)> = Vec::new();
    let mut sidecars: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    let mut later = Vec::new();
    for (rank, path) in files_of(project).into_iter().enumerate() {
        let name = path.strip_prefix(project).expect("it stands in the project").to_owned();
        let bytes = fs::read(&path).expect("a capture can be read");
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            if name.to_string_lossy().ends_with(".meta.json") {
                sidecars.insert(name, bytes);
            } else {
                later.push(Written { file: name, bytes });
            }
            continue;
        }
        let mut time = None;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let value: Value = serde_json::from_slice(line).unwrap_or_default();
            time = time.max(value["timestamp"].as_str().and_then(parse_timestamp));
            lines.push((time, rank, Written { file: name.clone(), bytes: line.to_vec() }));
        }
        let first = lines.iter().find(|(time, at, _)| *at == rank && time.is_some()).and_then(|(time, _, _)| *time);
        lines.iter_mut().filter(|(time, at, _)| *at == rank && time.is_none()).for_each(|(time, _, _)| *time = first);
    }
    lines.sort_by_key(|(time, rank, _)| (*time, *rank));
    let mut writes = Vec::new();
    let mut seen: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (_, _, write) in lines {
        let count = seen.entry(write.file.clone()).or_default();
        *count += 1;
        let due = match manner {
            Manner::Prompt | Manner::Torn => 1,
            Manner::LateSidecars => 3,
        };
        let sidecar = write.file.with_extension("meta.json");
        if *count == due
            && let Some(bytes) = sidecars.remove(&sidecar)
        {
            writes.push(Written { file: sidecar, bytes });
        }
        writes.push(write);
    }
    writes.extend(sidecars.into_iter().map(|(file, bytes)| Written { file, bytes }));
    writes.extend(later);
    writes
}

/// The files below a folder, session files first.
fn files_of(folder: &Path) -> Vec<PathBuf> {
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) =
        children(folder).into_iter().partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| files_of(folder)));
    files
}

fn append(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("a file stands in a folder")).expect("folders can be made");
    let mut file = OpenOptions::new().create(true).append(true).open(path).expect("a file can be opened");
    file.write_all(bytes).expect("a file can be written");
}

/// Somebody who follows a session.
struct Follower {
    follow: Follow,
    tracker: CardTracker,
}

impl Follower {
    fn of(path: &Path) -> Self {
        let follow = Follow::new(path, &Options::default()).expect("it is no folder");
        Self { follow, tracker: CardTracker::new() }
    }

    fn look(&mut self) -> Look {
        let look = self.follow.look_around();
        if look == Look::Anew {
            self.tracker = CardTracker::new();
        }
        let tracker = &mut self.tracker;
        while self.follow.next_frame(|next| tracker.apply(&next.frame)).is_some() {}
        look
    }

    /// The cards as a replay would have them.
    fn cards(&self) -> Value {
        let mut tracker = self.tracker.clone();
        for frame in self.follow.conclusions() {
            tracker.apply(&frame);
        }
        comparable(&tracker)
    }
}

/// The cards of a replay of what is on the disk.
fn replayed(path: &Path) -> Value {
    let mut options = Options::default();
    options.live = true;
    let report = replay(path, &options);
    report.sessions.first().map_or(json!([]), |session| comparable(&session.tracker))
}

/// Cards without what R4 leaves open: their order, that of their rows, and how calls of several agents mix in a tail.
fn comparable(tracker: &CardTracker) -> Value {
    let mut cards = cards_json(tracker);
    let by_text = |list: &mut Vec<Value>| list.sort_by_key(Value::to_string);
    for card in cards.as_array_mut().expect("cards are a list") {
        let has_rows = card["nested"].as_array().is_some_and(|rows| !rows.is_empty());
        card["nested"].as_array_mut().map(by_text);
        if has_rows {
            card["tail"] = Value::Null;
        }
    }
    cards.as_array_mut().map(by_text);
    cards
}

fn grows_into_its_replay(session_file: &Path, manner: Manner) {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let path = folder.path().join(session_file.file_name().expect("a file has a name"));
    let mut follower = Follower::of(&path);
    let writes = writes(session_file, manner);
    let many = writes.len() / 25 + 1;
    for (number, Written { file, bytes }) in writes.iter().enumerate() {
        let to = folder.path().join(file);
        let parts = match manner {
            Manner::Prompt | Manner::LateSidecars => vec![&bytes[..]],
            Manner::Torn => bytes.chunks(bytes.len() / 3 + 1).collect(),
        };
        for part in parts {
            append(&to, part);
            assert_eq!(follower.look(), Look::Same, "a file that grows is the same");
        }
        // Of a fork's file the first line says nothing yet, and a replay takes up even that.
        let is_fork = session_file.to_string_lossy().contains("11-fork");
        if number % many == 0 && !is_fork {
            assert_eq!(follower.cards(), replayed(&path), "{} {manner:?} after write {number}", session_file.display());
        }
    }
    assert_eq!(follower.cards(), replayed(&path), "{} {manner:?}", session_file.display());
    let facts = &follower.follow.sessions()[0];
    assert_eq!((facts.skipped, facts.problems.len()), (0, 0), "{}: {:?}", session_file.display(), facts.problems);
}

#[test]
fn each_capture_grows_into_its_replay() {
    let stored = captures().into_iter().filter_map(|capture| capture.stored);
    stored.for_each(|path| grows_into_its_replay(&path, Manner::Prompt));
}

#[test]
fn sidecars_may_come_late() {
    for name in ["2.1.332/02-parallel", "2.1.332/04-nested", "2.1.332/04b-nested-background", "2.1.332/11-fork"] {
        grows_into_its_replay(Capture::of(name).stored(), Manner::LateSidecars);
    }
}

#[test]
fn lines_may_come_in_parts() {
    for name in ["2.0.77/03b-background-stdin", "2.1.332/04b-nested-background", "2.1.332/09-workflow"] {
        grows_into_its_replay(Capture::of(name).stored(), Manner::Torn);
    }
}

/// A session by hand: agents with their dispatches, and the lines of each agent's file.
fn many_agents(count: u32, calls: u32) -> (Vec<Value>, Vec<(String, Vec<Value>)>) {
    let mut main = Lines::main().prompt("go");
    let mut agents = Vec::new();
    for number in 0..count {
        let (id, agent) = (format!("toolu_{number}"), format!("a{number:04}"));
        main = main.dispatch(&id, &format!("prompt {number}")).launched(&id, &agent);
        let mut lines = Lines::agent(&agent, number + 1).prompt(&format!("prompt {number}"));
        for call in 0..calls {
            let call = format!("call_{number}_{call}");
            lines = lines.call(&call).result(&call, &"x".repeat(900));
        }
        agents.push((format!("{SESSION}/subagents/agent-{agent}.jsonl"), lines.lines));
    }
    (main.lines, agents)
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Not all files can be open at once; those that were closed are taken up where they were left.
#[test]
fn more_files_grow_than_can_be_open() {
    let store = Store::new();
    let (main, agents) = many_agents(300, 2);
    let path = store.write(&format!("{SESSION}.jsonl"), text(&main));
    for (file, lines) in &agents {
        store.write(file, text(&lines[..3]));
    }
    let mut follower = Follower::of(&path);
    assert_eq!(follower.look(), Look::Same);
    assert_eq!(follower.cards(), replayed(&path));
    // The last one first.
    for (file, lines) in agents.iter().rev() {
        append(&store.path(file), text(&lines[3..]).as_bytes());
    }
    assert_eq!(follower.look(), Look::Same);
    let cards = follower.cards();
    assert_eq!(cards.as_array().map(Vec::len), Some(300));
    assert_eq!(cards, replayed(&path));
}

/// A long conversation is decoded by two threads, also what comes later.
#[test]
fn a_long_session_grows_too() {
    let store = Store::new();
    let (main, agents) = many_agents(6, 400);
    let path = store.write(&format!("{SESSION}.jsonl"), text(&main));
    let mut left = Vec::new();
    for (file, lines) in &agents {
        let text = text(lines).into_bytes();
        // In the middle of a line.
        let (first, rest) = text.split_at(text.len() - 50_123);
        store.write(file, first);
        left.push((store.path(file), rest.to_vec()));
    }
    let mut follower = Follower::of(&path);
    for part in 0..4 {
        assert_eq!(follower.look(), Look::Same);
        assert_eq!(follower.cards(), replayed(&path), "after part {part}");
        for (file, rest) in &left {
            append(file, rest.chunks(rest.len() / 4 + 1).nth(part).expect("there are four parts"));
        }
    }
    assert_eq!(follower.look(), Look::Same);
    let cards = follower.cards();
    assert!(cards.as_array().is_some_and(|cards| cards.iter().all(|card| card["calls"] == 400)), "{cards}");
    assert_eq!(cards, replayed(&path));
}

/// A file that is cut, written anew or replaced is another one: of any of the session's files.
#[test]
fn what_is_another_file_is_read_anew() {
    let store = Store::new();
    let (main, agents) = many_agents(2, 1);
    let path = store.write(&format!("{SESSION}.jsonl"), text(&main));
    for (file, lines) in &agents {
        store.write(file, text(lines));
    }
    let mut follower = Follower::of(&path);
    assert_eq!(follower.look(), Look::Same);
    for (file, bytes) in [
        (&agents[0].0, text(&agents[0].1[..2])),
        (&agents[0].0, text(&agents[0].1)),
        (&format!("{SESSION}.jsonl"), text(&main[..2])),
    ] {
        let was_longer = fs::metadata(store.path(file)).expect("the file is there").len() > bytes.len() as u64;
        store.write(file, &bytes);
        assert_eq!(follower.look() == Look::Anew, was_longer, "{file}: {} bytes", bytes.len());
        assert_eq!(follower.cards(), replayed(&path));
    }
    fs::remove_file(&path).expect("a file can be removed");
    assert_eq!(follower.look(), Look::Same, "what was read stands until there is something else");
    store.write(&format!("{SESSION}.jsonl"), text(&main));
    assert_eq!(follower.look(), Look::Anew);
    assert_eq!(follower.cards(), replayed(&path));
}

/// The client writes a sidecar anew where an agent is started again; what it says last stands.
#[test]
fn a_sidecar_may_be_written_anew() {
    let store = Store::new();
    let main = Lines::main().dispatch("a", "same").dispatch("b", "same");
    let path = store.lines(&format!("{SESSION}.jsonl"), &main.lines);
    let agent = Lines::agent("x", 3).prompt("same").call("c");
    store.lines(&format!("{SESSION}/subagents/agent-x.jsonl"), &agent.lines);
    let sidecar = format!("{SESSION}/subagents/agent-x.meta.json");
    let mut follower = Follower::of(&path);
    for bytes in [r#"{"agentType":"Expl"#, r#"{"agentType":"Explore","toolUseId":"b"}"#] {
        assert_eq!(follower.look(), Look::Same);
        store.write(&sidecar, bytes);
    }
    assert_eq!(follower.look(), Look::Same);
    assert_eq!(follower.cards(), replayed(&path));
    let calls = |id: &str| follower.tracker.card(id).map(|card| card.calls);
    assert_eq!((calls("a"), calls("b")), (Some(0), Some(1)));
}

#[test]
fn only_one_session_is_followed() {
    let store = Store::new();
    let (main, agents) = many_agents(1, 1);
    let path = store.write(&format!("{SESSION}.jsonl"), text(&main));
    store.write(&agents[0].0, text(&agents[0].1));
    let follow = Follow::new(&store.path(SESSION), &Options::default()).expect("it is the folder of one session");
    assert_eq!(follow.path(), path);
    let problem = Follow::new(store.folder.path(), &Options::default()).expect_err("it holds sessions");
    assert_eq!(problem.detail, "a folder, and none of one session");
}
