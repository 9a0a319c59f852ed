//! A folder of another system's files that is followed while they are written: at every moment the cards are those of a
//! replay of what is there.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use cardfold::CardTracker;
use cardfold_dialects::dialect_named;
use cardfold_replay::{Follow, Look, Options, replay};
use serde_json::Value;

use crate::common::{Lines, Store, cards_json, children, testdata};

/// Somebody who follows a folder.
struct Follower {
    follow: Follow,
    trackers: Vec<CardTracker>,
}

impl Follower {
    fn of(path: &Path, options: &Options) -> Self {
        let mut follower =
            Self { follow: Follow::new(path, options).expect("it can be followed"), trackers: Vec::new() };
        follower.read();
        follower
    }

    fn look(&mut self) -> Look {
        let look = self.follow.look_around();
        if look == Look::Anew {
            self.trackers.clear();
        }
        self.read();
        look
    }

    fn read(&mut self) {
        let trackers = &mut self.trackers;
        while let Some(()) = self.follow.next_frame(|next| {
            if trackers.len() <= next.session {
                trackers.resize_with(next.session + 1, CardTracker::new);
            }
            trackers[next.session].apply(&next.frame);
        }) {}
    }

    /// The cards of all sessions.
    fn cards(&self) -> Vec<Value> {
        sorted(self.trackers.iter().map(cards_json))
    }
}

fn replayed(path: &Path, options: &Options) -> Vec<Value> {
    let mut options = options.clone();
    options.live = true;
    sorted(replay(path, &options).sessions.iter().map(|session| cards_json(&session.tracker)))
}

/// Sessions are followed in the order in which they came.
fn sorted(cards: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut cards: Vec<Value> = cards.filter(|cards| cards.as_array().is_some_and(|cards| !cards.is_empty())).collect();
    cards.sort_by_key(Value::to_string);
    cards
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) =
        children(folder).into_iter().partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| files_below(folder)));
    files
}

fn append(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("a file stands in a folder")).expect("folders can be made");
    let mut file = OpenOptions::new().create(true).append(true).open(path).expect("a file can be opened");
    file.write_all(bytes).expect("a file can be written");
}

/// Copies the files of a fixture as a system writes them: lines one by one, the files in turn; a file that is one value
/// at once. `look` is called after each write.
fn write_as_it_comes(from: &Path, to: &Path, mut look: impl FnMut()) {
    let mut files: Vec<(PathBuf, Vec<Vec<u8>>)> = Vec::new();
    for path in files_below(from) {
        let name = path.strip_prefix(from).expect("it stands below").to_owned();
        let bytes = fs::read(&path).expect("a fixture can be read");
        let has_lines = name.extension().is_some_and(|extension| extension == "jsonl");
        let parts = if has_lines {
            bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
        } else {
            vec![bytes]
        };
        files.push((name, parts));
    }
    let longest = files.iter().map(|(_, parts)| parts.len()).max().unwrap_or(0);
    for number in 0..longest {
        for (name, parts) in &files {
            let Some(part) = parts.get(number) else { continue };
            append(&to.join(name), part);
            look();
        }
    }
}

#[test]
fn each_folder_grows_into_its_replay() {
    for (system, folder, name) in [
        ("codewhale", "codewhale/state", "root"),
        ("supervisor", "supervisor/results", "agents"),
        ("supervisor", "supervisor/stream", "."),
        ("synaps", "synaps/conversation", "."),
        ("synaps", "synaps/two-processes", "."),
        ("codewhale", "codewhale/mailbox", "."),
        ("codewhale", "codewhale/conversation", "."),
    ] {
        let from = testdata().join("dialects").join(folder).join(name);
        let store = Store::new();
        let root = store.path("root");
        fs::create_dir_all(&root).expect("a folder can be made");
        let mut options = Options::default();
        options.dialect = dialect_named(system);
        let mut follower = Follower::of(&root, &options);
        assert!(follower.follow.problem().is_some() && follower.cards().is_empty(), "nothing is there yet");
        write_as_it_comes(&from, &root, || {
            let _ = follower.look();
            assert_eq!(follower.cards(), replayed(&root, &options), "{folder}");
        });
        assert!(!follower.cards().is_empty(), "{folder}");
        assert_eq!(follower.look(), Look::Same, "{folder}: nothing has changed");
        assert_eq!(follower.cards(), replayed(&root, &options), "{folder}");
    }
}

/// Without a name of the system: what is there tells.
#[test]
fn several_systems_are_followed_at_once() {
    let store = Store::new();
    let root = store.path("root");
    let from = testdata().join("dialects");
    let stream = fs::read_to_string(from.join("supervisor/stream/input.jsonl")).expect("a fixture can be read");
    let (first, rest) = stream.split_at(stream.find('\n').expect("it has lines") + 20);
    append(&root.join("stream.jsonl"), first.as_bytes());
    append(
        &root.join("agents/scan-b2/result.json"),
        &fs::read(from.join("supervisor/results/agents/scan-b2/result.json")).expect("a fixture"),
    );
    let options = Options::default();
    let mut follower = Follower::of(&root, &options);
    append(&root.join("stream.jsonl"), rest.as_bytes());
    assert_eq!(follower.look(), Look::Same, "a file by itself is read on");
    assert_eq!(follower.cards().len(), 2);
    assert_eq!(follower.cards(), replayed(&root, &options));
    write_as_it_comes(&from.join("codewhale/state"), &root.join("whale"), || {
        let _ = follower.look();
    });
    write_as_it_comes(&from.join("synaps/conversation"), &root.join("synaps"), || {
        let _ = follower.look();
    });
    assert_eq!(follower.cards().len(), 4);
    assert_eq!(follower.cards(), replayed(&root, &options));
    // A client's session is followed by its own name.
    store.lines("root/client.jsonl", &Lines::main().prompt("Go").dispatch("toolu_A", "look").lines);
    assert_eq!(follower.look(), Look::Anew, "there is another file");
    assert_eq!(follower.cards().len(), 4);
}

/// A file that is one value is torn while it is written; its agents are not gone for that time.
#[test]
fn a_value_that_is_being_written_is_waited_for() {
    let store = Store::new();
    let results = testdata().join("dialects/supervisor/results/agents");
    let path = store.path("agents/scan-b2/result.json");
    let bytes = fs::read(results.join("scan-b2/result.json")).expect("a fixture can be read");
    append(&path, &bytes);
    let root = store.path("agents");
    let options = Options::default();
    let mut follower = Follower::of(&root, &options);
    let before = follower.cards();
    assert_eq!(before.len(), 1);
    fs::write(&path, &bytes[..bytes.len() / 2]).expect("a file can be written");
    assert_eq!((follower.look(), follower.cards()), (Look::Same, before));
    let other = String::from_utf8(bytes).expect("it is text").replace("scan", "skim");
    fs::write(&path, &other).expect("a file can be written");
    assert_eq!(follower.look(), Look::Anew);
    assert_eq!(follower.cards(), replayed(&root, &options));
    assert!(follower.cards()[0].to_string().contains("skim"));
    fs::remove_dir_all(&root).expect("a folder can be removed");
    assert_eq!(follower.look(), Look::Same, "what was read stands until there is something else");
}

/// Where other agents' folders come is looked at, and not all of a project.
#[test]
fn places_are_those_in_which_sessions_stand() {
    let store = Store::new();
    let from = testdata().join("dialects/codewhale/state/root");
    write_as_it_comes(&from, &store.path("project"), || {});
    store.write("project/src/lib.rs", "");
    let root = store.path("project");
    let follower = Follower::of(&root, &Options::default());
    assert_eq!(follower.follow.places(), (root.clone(), vec![root.join(".codewhale")]));
}

#[test]
fn a_folder_of_nobody_is_refused() {
    let store = Store::new();
    // A file of such a name that is nobody's.
    store.write("web/result.json", r#"{"status":"failed","agent_id":7}"#);
    store.write("notes.jsonl", "{\"a\":1}\n");
    let problem = Follow::new(store.folder.path(), &Options::default()).expect_err("nothing tells whose it is");
    assert_eq!(problem.detail, "a folder, and nothing in it tells whose it is");
}

/// More files stand by themselves than may be open at once: the first by name are followed, and the others are told.
#[test]
fn files_past_those_that_may_be_open_are_told() {
    let bytes = fs::read(testdata().join("dialects/synaps/conversation/input.jsonl")).expect("a fixture can be read");
    let store = Store::new();
    for number in 0..258 {
        append(&store.path(&format!("root/{number:03}.jsonl")), &bytes);
    }
    let mut options = Options::default();
    options.dialect = dialect_named("synaps");
    let follower = Follower::of(&store.path("root"), &options);
    let told: Vec<&str> = follower.follow.sessions()[0].problems.iter().map(|problem| problem.kind.as_str()).collect();
    assert_eq!((follower.trackers.len(), told), (256, vec!["not_followed"; 2]));
}
