//! P1 and P2: which files make a session, in what order, and which are never opened.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use cardfold_replay::{Options, Report, replay, replay_observed, replay_reader};
use serde_json::{Value, json};

use crate::common::{Capture, Lines, SESSION, Store, cards_json, children, only, problem_words, report_json};

/// Session file of a session with one agent, which is linked by its acknowledgement.
fn main_lines(agent: &str) -> Lines {
    Lines::main().dispatch("toolu_A", "Look.").launched("toolu_A", agent).at(300).text("Waiting.")
}

fn agent_lines(agent: &str) -> Vec<Value> {
    Lines::agent(agent, 10).prompt("Look.").call(&format!("{agent}-1")).lines
}

fn with_session(lines: &[Value], id: &str) -> Vec<Value> {
    let change = |line: &Value| {
        let mut line = line.clone();
        line["sessionId"] = json!(id);
        line
    };
    lines.iter().map(change).collect()
}

fn calls(report: &Report) -> Vec<u64> {
    only(report).tracker.all_cards().map(|card| card.calls).collect()
}

fn fold(path: &Path) -> Report {
    replay(path, &Options::default())
}

#[test]
fn agents_are_found_at_any_depth_and_beside() {
    for file in [
        "s/subagents/agent-a1.jsonl".to_owned(),
        "s/subagents/deep/er/agent-a1.jsonl".to_owned(),
        "s/subagents/workflows/wf_1/agents/agent-a1.jsonl".to_owned(),
        "agent-a1.jsonl".to_owned(),
        format!("{SESSION}/subagents/agent-a1.jsonl"),
    ] {
        let store = Store::new();
        let path = store.lines("s.jsonl", &main_lines("a1").lines);
        store.lines(&file, &agent_lines("a1"));
        assert_eq!(calls(&fold(&path)), [1], "{file}");
    }
}

#[test]
fn what_is_not_of_the_session_is_left_alone() {
    let other = "5e550000-0000-4000-8000-000000000009";
    for (file, lines) in [
        ("agent-a1.jsonl", with_session(&agent_lines("a1"), other)),
        ("other/subagents/agent-a1.jsonl", agent_lines("a1")),
        ("s/agent-a1.jsonl", agent_lines("a1")),
        ("s/subagents/a1.jsonl", agent_lines("a1")),
        ("s/subagents/agent-a1.jsonl.bak", agent_lines("a1")),
        ("s/subagents/agent-acompact-a1.jsonl", agent_lines("a1")),
        ("s/subagents/agent-aprompt_suggestion-a1.jsonl", agent_lines("a1")),
        ("s/subagents/agent-a1.jsonl", Lines::agent("a1", 10).prompt("Warmup").call("w1").lines),
    ] {
        let store = Store::new();
        let path = store.lines("s.jsonl", &main_lines("a1").lines);
        store.lines(file, &lines);
        let report = fold(&path);
        assert_eq!(calls(&report), [0], "{file}");
        assert_eq!(only(&report).lines, 3, "{file}");
        assert!(only(&report).problems.is_empty());
    }
}

#[test]
fn ids_never_become_paths() {
    let folder = Store::new();
    let long = "a".repeat(129);
    folder.lines("project/secret/subagents/agent-a1.jsonl", &agent_lines("a1"));
    folder.lines("secret/subagents/agent-a1.jsonl", &agent_lines("a1"));
    folder.lines(&format!("project/{long}/subagents/agent-a1.jsonl"), &agent_lines("a1"));
    let absolute = folder.path("secret").to_string_lossy().into_owned();
    for id in ["../secret", "./secret", "secret/", "secret/.", "x/../secret", &absolute, &long, "", ".", ".."] {
        let main = main_lines("../secret/subagents/agent-a1").lines;
        let path = folder.lines("project/s.jsonl", &with_session(&main, id));
        let report = fold(&path);
        assert_eq!(calls(&report), [0], "{id}");
        assert_eq!(only(&report).lines, 3, "{id}");
    }
    // The same name as a plain id is the session's own place.
    let path = folder.lines("project/s.jsonl", &with_session(&main_lines("a1").lines, "secret"));
    assert_eq!(calls(&fold(&path)), [1]);
}

#[test]
fn a_renamed_or_merged_session_finds_the_folders_of_its_ids() {
    let store = Store::new();
    let (one, other) = ("one-id", "other-id");
    let first = Lines::main().dispatch("toolu_A", "A.").launched("toolu_A", "a1").lines;
    let second = Lines::main().at(20).dispatch("toolu_B", "B.").launched("toolu_B", "b1").lines;
    let second: Vec<_> = with_session(&second, other)
        .into_iter()
        .map(|mut line| {
            line["uuid"] = json!(format!("second-{}", line["uuid"]));
            line
        })
        .collect();
    let path = store.lines("kept.jsonl", &[with_session(&first, one), second].concat());
    store.lines("one-id/subagents/agent-a1.jsonl", &agent_lines("a1"));
    store.lines("other-id/subagents/agent-b1.jsonl", &agent_lines("b1"));
    let report = fold(&path);
    assert_eq!(calls(&report), [1, 1]);
    assert_eq!(only(&report).session_id.as_deref(), Some(one));
    let renamed = store.path("other-id.jsonl");
    fs::rename(path, &renamed).expect("a file can be renamed");
    assert_eq!(only(&fold(&renamed)).session_id.as_deref(), Some(other), "the file's own name is one of its ids");
}

/// A tree of projects, one project, one session's folder.
#[test]
fn directories_give_their_sessions_in_order_of_paths() {
    let store = Store::new();
    for (project, session) in [("p-one", "s2"), ("p-one", "s1"), ("p", "s3"), ("p-one-more", "s0")] {
        let lines = with_session(&main_lines("a1").lines, session);
        store.lines(&format!("{project}/{session}.jsonl"), &lines);
        let agent = with_session(&agent_lines("a1"), session);
        store.lines(&format!("{project}/{session}/subagents/agent-a1.jsonl"), &agent);
        store.write(&format!("{project}/{session}/tool-results/x.txt"), "x");
    }
    store.write("p/notes.txt", "no session");
    store.write("p/sessions-index.json", "{}");
    store.write("p/memory/plans.md", "no session");
    store.lines("p/agent-a9.jsonl", &with_session(&agent_lines("a9"), "gone"));
    store.lines("p/named.jsonl/s4.jsonl", &with_session(&main_lines("a1").lines, "s4"));
    store.write("p/empty.jsonl", "");
    let sessions = |path: &Path| -> Vec<String> {
        fold(path).sessions.iter().map(|session| session.session_id.clone().expect("each line has an id")).collect()
    };
    // `p-one/…` stands before `p/…`: bytes are compared, not folders.
    assert_eq!(sessions(store.folder.path()), ["s0", "s1", "s2", "s4", "s3"]);
    assert_eq!(sessions(&store.path("p-one")), ["s1", "s2"]);
    assert_eq!(sessions(&store.path("p-one/s1")), ["s1"]);
    assert_eq!(sessions(&store.path("p/named.jsonl")), ["s4"]);
    let report = fold(&store.path("p"));
    assert_eq!(problem_words(&report.problems), [("no_frame".to_owned(), None)]);
    assert!(report.problems[0].file.ends_with("empty.jsonl"));
    fs::create_dir(store.path("p/nothing")).expect("folders can be made");
    assert!(fold(&store.path("p/nothing")).sessions.is_empty());
    let nothing = fold(&store.path("p/memory"));
    assert!(nothing.sessions.is_empty() && nothing.problems.is_empty());
}

#[test]
fn a_session_is_the_same_alone_and_in_a_directory() {
    let capture = Capture::of("2.0.77/01-foreground");
    let version = capture.stream.ancestors().nth(2).expect("a scenario stands in a version");
    let all = fold(version);
    assert!(all.sessions.len() >= 18);
    for session in &all.sessions {
        let alone = fold(Path::new(&session.source));
        assert_eq!(report_json(&alone)["sessions"][0], session_of(&all, &session.source), "{}", session.source);
    }
}

fn session_of(report: &Report, source: &str) -> Value {
    let place = report.sessions.iter().position(|session| session.source == source).expect("it is one of them");
    report_json(report)["sessions"][place].clone()
}

#[test]
fn a_folder_whose_session_file_is_gone_shows_its_agents() {
    let store = Store::new();
    store.lines("gone/subagents/agent-a1.jsonl", &with_session(&agent_lines("a1"), "gone"));
    let report = fold(&store.path("gone"));
    assert_eq!(calls(&report), [1]);
    assert_eq!(only(&report).session_id.as_deref(), Some("gone"));
    assert!(fold(store.folder.path()).sessions.is_empty(), "no session file, no session of the directory");
}

/// The same files, made in another order, at other times.
#[test]
fn the_order_and_the_times_of_files_say_nothing() {
    let names: Vec<String> = (0..20).map(|number| format!("a{number:02}")).collect();
    let make = |names: &mut dyn Iterator<Item = &String>| {
        let store = Store::new();
        for name in names {
            store.lines(&format!("s/subagents/agent-{name}.jsonl"), &agent_lines(name));
            store.write(&format!("s/subagents/agent-{name}.meta.json"), json!({"toolUseId": name}).to_string());
        }
        let main = (0..20).fold(Lines::main(), |lines, number| lines.dispatch(&format!("a{number:02}"), "Look."));
        let path = store.lines("s.jsonl", &main.lines);
        cards_json(&only(&fold(&path)).tracker)
    };
    assert_eq!(make(&mut names.iter()), make(&mut names.iter().rev()));
}

#[test]
fn lines_are_merged_by_time() {
    let store = Store::new();
    // The clock of the main file goes back; its order stands, and the greatest time so far counts.
    let main = Lines::main()
        .dispatch("toolu_A", "A.")
        .launched("toolu_A", "a1")
        .at(60)
        .call("m-60")
        .at(5)
        .call("m-5")
        .at(70)
        .text("Waiting.");
    let path = store.lines("s.jsonl", &main.lines);
    let agent = Lines::agent("a1", 10).prompt("A.").call("a-11").at(60).call("a-60").at(65).call("a-65");
    store.lines("s/subagents/agent-a1.jsonl", &agent.lines);
    let mut seen = Vec::new();
    for number in 1..20 {
        let mut options = Options::default();
        options.until_frame = Some(number);
        let report = replay(&path, &options);
        let calls: u64 = only(&report).tracker.all_cards().map(|card| card.calls).sum();
        seen.push(calls);
    }
    // Frames: dispatch, answer, prompt, a-11, m-60, m-5, a-60, a-65, text.
    assert_eq!(seen[..9], [0, 0, 0, 1, 1, 1, 2, 3, 3]);
}

/// A reader gives the lines of a session file, without the files beside it.
#[test]
fn a_reader_has_no_files_beside_it() {
    let capture = Capture::of("2.1.112/07a-first");
    let bytes = fs::read(capture.stored()).expect("a capture can be read");
    let report = replay_reader(&bytes[..], "-", &Options::default());
    assert_eq!(only(&report).source, "-");
    assert_eq!(calls(&report), [0]);
    assert_eq!(calls(&fold(capture.stored())), [6]);
}

#[test]
fn a_stream_that_mixes_sessions_is_told_apart() {
    let frame = |session: Option<&str>, id: &str| {
        let block = json!({"type": "tool_use", "id": id, "name": "Agent", "input": {"description": id}});
        let message = json!({"role": "assistant", "content": [block]});
        let mut frame = json!({"type": "assistant", "message": message, "parent_tool_use_id": null});
        if let Some(session) = session {
            frame["session_id"] = json!(session);
        }
        frame
    };
    let lines = [
        json!({"type": "control_response", "response": {"request_id": "r"}}),
        frame(Some("one"), "one-1"),
        frame(None, "one-2"),
        frame(Some("two"), "two-1"),
        frame(None, "two-2"),
        frame(Some("one"), "one-3"),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let with_garbage = format!("{text}garbage\n");
    let report = replay_reader(with_garbage.as_bytes(), "-", &Options::default());
    let names = |place: usize| -> Vec<String> {
        report.sessions[place].tracker.all_cards().map(|card| card.dispatch_id).collect()
    };
    assert_eq!(report.sessions.len(), 2);
    assert_eq!(report.sessions[0].session_id.as_deref(), Some("one"));
    assert_eq!(names(0), ["one-1", "one-2", "one-3"]);
    assert_eq!(names(1), ["two-1", "two-2"]);
    let counts = |place: usize| (report.sessions[place].lines, report.sessions[place].frames);
    assert_eq!((counts(0), counts(1)), ((5, 4), (2, 2)));
    assert_eq!(report.sessions[0].skipped, 1, "a bad line belongs to the session seen last");
}

/// A stored file that holds two ids is one conversation.
#[test]
fn a_stored_file_is_one_session() {
    let first = Lines::main().dispatch("toolu_A", "A.").lines;
    let second = Lines::main().at(9).dispatch("toolu_B", "B.").lines;
    let lines = [with_session(&first, "one"), with_session(&second, "two")].concat();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let report = replay_reader(text.as_bytes(), "-", &Options::default());
    assert_eq!(only(&report).session_id.as_deref(), Some("one"));
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    /// Links are followed once, from one agent's file to another of the same project.
    #[test]
    fn the_file_of_an_agent_that_runs_on_may_be_a_link() {
        let store = Store::new();
        store.lines("project/old/subagents/agent-a1.jsonl", &agent_lines("a1"));
        let path = store.lines("project/new.jsonl", &main_lines("a1").lines);
        fs::create_dir_all(store.path("project/new/subagents")).expect("folders can be made");
        symlink("../../old/subagents/agent-a1.jsonl", store.path("project/new/subagents/agent-a1.jsonl"))
            .expect("a link can be made");
        let report = fold(&path);
        assert_eq!(calls(&report), [1]);
        assert!(only(&report).problems.is_empty());
    }

    #[test]
    fn other_links_are_not_followed() {
        let store = Store::new();
        let outside = store.lines("outside/agent-a1.jsonl", &agent_lines("a1"));
        store.lines("outside/folder/agent-a1.jsonl", &agent_lines("a1"));
        let path = store.lines("project/s.jsonl", &main_lines("a1").lines);
        let agents = store.path("project/s/subagents");
        fs::create_dir_all(&agents).expect("folders can be made");
        let inside = store.lines("project/old/agent-b1.jsonl", &agent_lines("b1"));
        symlink(&inside, store.path("project/old/agent-c1.jsonl")).expect("a link can be made");
        for (target, link) in [
            (outside.as_path(), "agent-a1.jsonl"),
            (Path::new("agent-a2.jsonl"), "agent-a2.jsonl"),
            (Path::new("nowhere"), "agent-a3.jsonl"),
            (Path::new("../../s.jsonl"), "agent-a4.jsonl"),
            (Path::new("../../old/agent-c1.jsonl"), "agent-a5.jsonl"),
            (Path::new("/etc/passwd"), "agent-a6.jsonl"),
            (Path::new("../../../outside/folder"), "folder"),
            (inside.as_path(), "b1.jsonl"),
        ] {
            symlink(target, agents.join(link)).expect("a link can be made");
        }
        let report = fold(&path);
        assert_eq!(calls(&report), [0]);
        let problems = &only(&report).problems;
        assert_eq!(problem_words(problems), vec![("not_followed".to_owned(), None); 8], "{problems:#?}");
        assert_eq!(only(&report).lines, 3);
    }

    #[test]
    fn a_folder_that_is_a_link_is_not_entered() {
        let store = Store::new();
        store.lines("outside/subagents/agent-a1.jsonl", &agent_lines("a1"));
        let path = store.lines("project/s.jsonl", &main_lines("a1").lines);
        symlink("../outside", store.path("project/s")).expect("a link can be made");
        let report = fold(&path);
        assert_eq!((calls(&report), problem_words(&only(&report).problems)), (vec![0], not_followed()));
        fs::remove_file(store.path("project/s")).expect("a link can be removed");
        fs::create_dir(store.path("project/s")).expect("a folder can be made");
        symlink("../../outside/subagents", store.path("project/s/subagents")).expect("a link can be made");
        let report = fold(&path);
        assert_eq!((calls(&report), problem_words(&only(&report).problems)), (vec![0], not_followed()));
    }

    fn not_followed() -> Vec<(String, Option<u64>)> {
        vec![("not_followed".to_owned(), None)]
    }

    #[test]
    fn sessions_and_sidecars_that_are_links_are_not_read() {
        let store = Store::new();
        store.lines("outside/s.jsonl", &main_lines("a1").lines);
        let meta = store.write("outside/meta.json", r#"{"toolUseId":"toolu_A"}"#);
        fs::create_dir_all(store.path("project")).expect("folders can be made");
        symlink("../outside/s.jsonl", store.path("project/linked.jsonl")).expect("a link can be made");
        let report = fold(&store.path("project"));
        assert!(report.sessions.is_empty());
        assert_eq!(problem_words(&report.problems), not_followed());
        // What the caller names is what the caller wants.
        assert_eq!(fold(&store.path("project/linked.jsonl")).sessions.len(), 1);

        let path = store.lines("project/t.jsonl", &Lines::main().dispatch("toolu_A", "Look.").lines);
        store.lines("project/t/subagents/agent-a1.jsonl", &Lines::agent("a1", 9).prompt("Other.").text("Hm.").lines);
        symlink(meta, store.path("project/t/subagents/agent-a1.meta.json")).expect("a link can be made");
        let report = fold(&path);
        assert_eq!(only(&report).tracker.cards().next().and_then(|card| card.task_id), None);
        assert_eq!(problem_words(&only(&report).problems), not_followed());
    }

    #[test]
    fn what_is_no_regular_file_is_not_opened() {
        let store = Store::new();
        let path = store.lines("s.jsonl", &main_lines("a1").lines);
        fs::create_dir_all(store.path("s/subagents")).expect("folders can be made");
        let _socket = UnixListener::bind(store.path("s/subagents/agent-a1.jsonl")).expect("a socket can be made");
        let report = fold(&path);
        assert_eq!(problem_words(&only(&report).problems), [("unreadable".to_owned(), None)]);
    }

    #[test]
    fn a_named_link_leads_to_the_files_beside_its_target() {
        let store = Store::new();
        store.lines("project/s.jsonl", &main_lines("a1").lines);
        store.lines("project/s/subagents/agent-a1.jsonl", &agent_lines("a1"));
        let link = store.path("latest.jsonl");
        symlink(store.path("project/s.jsonl"), &link).expect("a link can be made");
        assert_eq!(calls(&fold(&link)), [1]);
        assert_eq!(only(&fold(&link)).source, link.to_string_lossy());
    }
}

/// 10,000 agents that all overlap in time: each line is read, in order, and few files are open at once.
#[test]
fn many_agents_need_few_open_files() {
    const AGENTS: u32 = 10_000;
    let store = Store::new();
    let main = (0..AGENTS).fold(Lines::main(), |lines, number| {
        let id = format!("d{number}");
        lines.at(0).dispatch(&id, &id)
    });
    let main = main.at(600).text("Waiting.");
    let path = store.lines("s.jsonl", &main.lines);
    for number in 0..AGENTS {
        let agent = format!("a{number}");
        let mut lines = Lines::agent(&agent, 1).prompt(&format!("d{number}"));
        if number % 20 == 0 {
            lines = lines.at(2 + number % 7).call(&format!("{agent}-1")).at(300).call(&format!("{agent}-2"));
        }
        store.lines(&format!("s/subagents/agent-{agent}.jsonl"), &lines.lines);
        if number % 2 == 0 {
            let sidecar = json!({"toolUseId": format!("d{number}")});
            store.write(&format!("s/subagents/agent-{agent}.meta.json"), sidecar.to_string());
        }
    }
    let mut most = 0;
    let mut every = 0_u32;
    let mut bytes = (0, None);
    let report = replay_observed(&path, &Options::default(), |event| {
        assert!(event.bytes_read >= bytes.0, "what was read stays read");
        bytes = (event.bytes_read, event.bytes_total);
        every += 1;
        if every.is_multiple_of(100) {
            most = most.max(children(Path::new("/proc/self/fd")).len());
        }
        ControlFlow::Continue(())
    });
    assert!(most <= 256, "{most} files open at once");
    assert_eq!(Some(bytes.0), bytes.1, "a file that is opened again counts once");
    let session = only(&report);
    assert!(session.problems.is_empty(), "{:?}", session.problems.first());
    assert_eq!(session.lines, u64::from(AGENTS) * 2 + 1 + u64::from(AGENTS) / 20 * 2);
    let calls: u64 = session.tracker.all_cards().map(|card| card.calls).sum();
    assert_eq!(calls, u64::from(AGENTS) / 20 * 2);
    assert!(session.tracker.all_cards().all(|card| card.task_id.is_some()), "each agent is linked");
}
