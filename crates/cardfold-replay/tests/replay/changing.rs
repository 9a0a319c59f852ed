//! Files that change under the reader, or may not be read: a problem of that file, and nothing else is lost.

use std::cell::Cell;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;

use cardfold_replay::{Options, replay_observed};
use serde_json::json;

use crate::common::{Lines, SESSION, Store, only, problem_words};

/// A session with two agents; the second one's lines come last.
fn store_of_two() -> Store {
    let store = Store::new();
    let main = Lines::main()
        .dispatch("toolu_A", "One.")
        .launched("toolu_A", "a1")
        .dispatch("toolu_B", "Two.")
        .launched("toolu_B", "b1")
        .at(100)
        .text("Waiting.");
    store.lines(&format!("{SESSION}.jsonl"), &main.lines);
    for (agent, second) in [("a1", 10), ("b1", 50)] {
        let lines = Lines::agent(agent, second).prompt("p").call(&format!("{agent}-1")).call(&format!("{agent}-2"));
        store.lines(&format!("{SESSION}/subagents/agent-{agent}.jsonl"), &lines.lines);
    }
    store
}

/// Does something to the store when frame 5 was folded: agent b1's file is found by then and not open yet.
fn meddle(store: &Store, with: impl Fn()) -> Found {
    meddle_with(&Options::default(), store, with)
}

/// What was found: the calls of each card, and the problems.
type Found = (Vec<u64>, Vec<(String, Option<u64>)>);

fn meddle_with(options: &Options, store: &Store, with: impl Fn()) -> Found {
    let done = Cell::new(false);
    let report = replay_observed(&store.path(&format!("{SESSION}.jsonl")), options, |event| {
        if event.number == 5 && !done.replace(true) {
            with();
        }
        ControlFlow::Continue(())
    });
    let session = only(&report);
    (session.tracker.all_cards().map(|card| card.calls).collect(), problem_words(&session.problems))
}

/// The same with agent b1's file, by one thread and by two: what happens to a file that is not open yet is found by both.
fn meddle_with_file(with: impl Fn(&Path)) -> Found {
    let mut found = [1, 2].map(|threads| {
        let store = store_of_two();
        let mut session = OpenOptions::new().append(true).open(store.path(&format!("{SESSION}.jsonl")));
        let session = session.as_mut().expect("the session can be opened");
        session.write_all(&vec![b'\n'; 1024 * 1024]).expect("the session can be made a large one");
        let mut options = Options::default();
        options.threads = threads;
        let file = store.path(&format!("{SESSION}/subagents/agent-b1.jsonl"));
        meddle_with(&options, &store, || with(&file))
    });
    assert_eq!(found[0], found[1]);
    mem::take(&mut found[0])
}

fn changed() -> Vec<(String, Option<u64>)> {
    vec![("changed".to_owned(), None)]
}

#[test]
fn a_file_that_vanishes_is_a_problem_of_that_file() {
    let found = meddle_with_file(|file| fs::remove_file(file).expect("a file can be removed"));
    assert_eq!(found, (vec![2, 0], changed()));
}

#[test]
fn a_file_that_shrinks_gives_what_is_left() {
    let found = meddle_with_file(|file| {
        let text = fs::read_to_string(file).expect("a file can be read");
        let half: String = text.lines().take(2).map(|line| format!("{line}\n")).collect();
        let length = u64::try_from(half.len()).expect("a length fits");
        let file = OpenOptions::new().write(true).open(file).expect("a file can be opened");
        file.set_len(length).expect("a file can be cut");
    });
    assert_eq!(found, (vec![2, 1], changed()));
}

#[test]
fn a_file_that_grows_is_read_to_its_end() {
    let more = Lines::agent("b1", 60).at(61).call("b1-3").lines.remove(0);
    let found = meddle_with_file(|file| {
        let mut file = OpenOptions::new().append(true).open(file).expect("a file can be opened");
        writeln!(
            file,
            "{}",
            json!({"uuid": "late", "type": more["type"], "message": more["message"],
            "timestamp": more["timestamp"], "sessionId": SESSION, "agentId": "b1"})
        )
        .expect("a file can be written");
    });
    assert_eq!(found, (vec![2, 3], changed()));
}

#[cfg(unix)]
#[test]
fn a_file_that_becomes_a_link_is_not_followed() {
    let store = store_of_two();
    let file = store.path(&format!("{SESSION}/subagents/agent-b1.jsonl"));
    let elsewhere = Store::new();
    let target = elsewhere.lines("x.jsonl", &Lines::agent("b1", 60).call("b1-9").lines);
    let swap = || {
        fs::remove_file(&file).expect("a file can be removed");
        std::os::unix::fs::symlink(&target, &file).expect("a link can be made");
    };
    assert_eq!(meddle(&store, swap), (vec![2, 0], changed()));
}

/// The session file is open from the beginning on: what is added to it is read, what is cut off is missed, and a file
/// that is removed stays until it was read.
#[test]
fn the_session_file_may_change_too() {
    let long = "x".repeat(5_000);
    let text = (0..100).fold(Lines::main().dispatch("toolu_A", "One."), |lines, _| lines.at(1).text(&long));
    let more = Lines::main().at(9).dispatch("toolu_B", "Two.").lines.remove(0);
    let after = |change: &dyn Fn(&Path) -> io::Result<()>| {
        let store = Store::new();
        let path = store.lines("s.jsonl", &text.lines);
        let report = replay_observed(&path, &Options::default(), |event| {
            if event.number == 1 {
                change(&path).expect("a file can be changed");
            }
            ControlFlow::Continue(())
        });
        let session = only(&report);
        let kinds: Vec<_> = session.problems.iter().map(|problem| problem.kind.as_str()).collect();
        (session.tracker.drawn(), kinds)
    };
    let open = |path: &Path| OpenOptions::new().append(true).open(path);
    assert_eq!(after(&|path| writeln!(open(path)?, "{more}")), (2, vec!["changed"]));
    assert_eq!(after(&|path| open(path)?.set_len(200_000)), (1, vec!["not_json", "changed"]));
    assert_eq!(after(&|path| fs::remove_file(path)), (1, vec![]));
}

#[test]
fn a_file_that_becomes_a_directory_gives_nothing() {
    let store = store_of_two();
    let file = store.path(&format!("{SESSION}/subagents/agent-b1.jsonl"));
    let swap = || {
        fs::remove_file(&file).expect("a file can be removed");
        fs::create_dir(&file).expect("a folder can be made");
    };
    assert_eq!(meddle(&store, swap), (vec![2, 0], vec![("unreadable".to_owned(), None)]));
}

/// Whoever may read everything (root) would not see these fail, so the tests give that right away.
#[cfg(target_os = "linux")]
mod without_rights {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;
    use std::thread;

    use cardfold_replay::{ProblemKind, Report, replay};
    use rustix::thread::{CapabilitySet, capabilities, set_capabilities};

    use super::*;

    /// Does `work` on a thread that may read only what its user may read.
    fn without_rights<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let mut rights = capabilities(None).expect("a thread knows its rights");
                rights.effective -= CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
                set_capabilities(None, rights).expect("a thread may give rights away");
                work()
            });
            thread.join().expect("the work is done")
        })
    }

    fn forbid(path: &Path) {
        fs::set_permissions(path, Permissions::from_mode(0o000)).expect("permissions can be set");
    }

    /// Gives a folder back to whoever has to remove it.
    fn allow(path: &Path) {
        fs::set_permissions(path, Permissions::from_mode(0o700)).expect("permissions can be set");
    }

    fn unreadable() -> Vec<(String, Option<u64>)> {
        vec![("unreadable".to_owned(), None)]
    }

    #[test]
    fn an_unreadable_file_costs_only_itself() {
        let store = store_of_two();
        let file = store.path(&format!("{SESSION}/subagents/agent-b1.jsonl"));
        forbid(&file);
        without_rights(|| assert_eq!(meddle(&store, || {}), (vec![2, 0], unreadable())));
    }

    #[test]
    fn a_file_may_turn_unreadable_meanwhile() {
        let store = store_of_two();
        let file = store.path(&format!("{SESSION}/subagents/agent-b1.jsonl"));
        without_rights(|| assert_eq!(meddle(&store, || forbid(&file)), (vec![2, 0], unreadable())));
    }

    #[test]
    fn an_unreadable_folder_costs_its_files() {
        for folder in ["subagents", "workflows", ""] {
            let store = store_of_two();
            store.write(&format!("{SESSION}/workflows/wf_1.json"), "{}");
            let folder = store.path(&format!("{SESSION}/{folder}"));
            forbid(&folder);
            let (calls, problems) = without_rights(|| meddle(&store, || {}));
            allow(&folder);
            let is_of_agents = !folder.ends_with("workflows");
            assert_eq!(calls, if is_of_agents { vec![0, 0] } else { vec![2, 2] }, "{}", folder.display());
            assert!(problems.starts_with(&unreadable()), "{}: {problems:?}", folder.display());
        }
    }

    #[test]
    fn an_unreadable_sidecar_costs_what_it_says() {
        let store = store_of_two();
        let sidecar = store.write(&format!("{SESSION}/subagents/agent-b1.meta.json"), r#"{"toolUseId":"toolu_B"}"#);
        forbid(&sidecar);
        without_rights(|| assert_eq!(meddle(&store, || {}), (vec![2, 2], unreadable())));
    }

    #[test]
    fn an_unreadable_session_is_none() {
        let store = store_of_two();
        store.lines("z.jsonl", &Lines::main().text("Hello.").lines);
        let file = store.path(&format!("{SESSION}.jsonl"));
        forbid(&file);
        let kinds = |report: &Report| report.problems.iter().map(|problem| problem.kind).collect::<Vec<_>>();
        let (alone, with_others) = without_rights(|| {
            let fold = |path: &Path| replay(path, &Options::default());
            (fold(&file), fold(store.folder.path()))
        });
        assert_eq!((alone.sessions.len(), kinds(&alone)), (0, vec![ProblemKind::Unreadable]));
        assert_eq!((with_others.sessions.len(), kinds(&with_others)), (1, vec![ProblemKind::Unreadable]));
    }
}
