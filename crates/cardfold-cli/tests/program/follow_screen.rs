//! `follow` on a terminal: what stands on the screen while files grow, and that the terminal is left as it was found.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use cardfold_testkit::fixture;

use crate::follow::{append, replayed, stored_lines};
use crate::terminal::Terminal;

/// The program with a terminal of its own, which is the controlling one.
fn on_terminal(terminal: &fs::File, script: &str, arguments: &[&Path]) -> Child {
    let same = || Stdio::from(terminal.try_clone().expect("a handle can be had twice"));
    let mut command = Command::new("setsid");
    command.args(["--ctty", "sh", "-c", script, env!("CARGO_BIN_EXE_cardfold")]).args(arguments);
    command.stdin(same()).stdout(same()).stderr(same()).env("TERM", "xterm-256color").env_remove("NO_COLOR");
    command.spawn().expect("there is a setsid")
}

const FOLLOW: &str = r#"exec "$0" follow "$1""#;

fn capture(name: &str) -> std::path::PathBuf {
    fixture::testdata().join("captures").join(name)
}

/// The words of the list that a replay gives: how many are done and failed, and the cards' names.
fn told_by_replay(path: &Path) -> Vec<String> {
    let cards = replayed(path);
    let settled =
        |failed: bool| cards.values().filter(|card| card["running"] == false && card["failed"] == failed).count();
    let running = cards.values().filter(|card| card["state"] == "running").count();
    let counts = [(running, "running"), (settled(false), "done"), (settled(true), "failed")];
    let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    let names = cards.values().map(|card| card["name"].as_str().expect("a card has a name").to_owned());
    names.chain([counts.collect::<Vec<_>>().join(", ")]).collect()
}

#[track_caller]
fn is_left_as_found(terminal: &mut Terminal, modes: &str) {
    terminal.at_the_end();
    assert!(!terminal.is_on_other_screen(), "the screen is the one from before");
    assert!(!terminal.hides_cursor(), "the cursor is there");
    assert_eq!(terminal.modes(), modes, "keys are what they were");
}

/// A captured session comes to be in its own order, faster than it did: the last screen shows what its replay gives.
#[test]
fn a_session_that_grows_is_shown_until_somebody_quits() {
    for name in ["2.1.332/02-parallel", "2.1.332/10b-long-60", "2.1.332/04c-nested-deep"] {
        let transcripts = capture(name).join("transcripts");
        let (main, lines) = stored_lines(&transcripts);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(main);
        let (mut terminal, program_end) = Terminal::open();
        let modes = terminal.modes();
        let mut child = on_terminal(&program_end, FOLLOW, &[&path]);
        let waiting = terminal.wait_for(|screen| screen.contains("waiting for"));
        assert!(waiting.contains("no agents yet") && terminal.is_on_other_screen(), "{waiting}");
        for (file, line) in &lines {
            append(&folder.path().join(file), line);
            let sidecar = transcripts.join(file.with_extension("meta.json"));
            let to = folder.path().join(file.with_extension("meta.json"));
            if sidecar.is_file() && !to.exists() {
                fs::copy(sidecar, to).expect("a copy can be written");
            }
            thread::sleep(Duration::from_millis(3));
        }
        let told = told_by_replay(&path);
        let last = terminal.wait_for(|screen| told.iter().all(|words| screen.contains(words.as_str())));
        assert!(last.contains("q quit"), "{last}");
        // The card that is open has what the list has no room for.
        let ids: Vec<String> = replayed(&path).into_keys().collect();
        terminal.press("g\r");
        terminal.wait_for(|screen| screen.contains("dispatch_id") && ids.iter().any(|id| screen.contains(id)));
        terminal.press("\x1b");
        terminal.wait_for(|screen| !screen.contains("dispatch_id"));
        terminal.press("q");
        assert_eq!(child.wait().expect("the program ends").code(), Some(0));
        drop(program_end);
        is_left_as_found(&mut terminal, &modes);
    }
}

#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    let path = capture("2.1.332/02-parallel/stream.jsonl");
    for (word, number) in [("TERM", 15), ("HUP", 1), ("INT", 2)] {
        let (mut terminal, program_end) = Terminal::open();
        let modes = terminal.modes();
        let mut child = on_terminal(&program_end, FOLLOW, &[&path]);
        terminal.wait_for(|screen| screen.contains("q quit"));
        assert_ne!(terminal.modes(), modes, "it was taken");
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{word}"), &pid]).status().expect("there is a kill").success());
        assert_eq!(child.wait().expect("the program ends").signal(), Some(number));
        drop(program_end);
        is_left_as_found(&mut terminal, &modes);
    }
}

/// Stopped, it leaves the terminal to the shell; going on, it takes it again.
#[test]
fn a_program_that_is_stopped_goes_on_where_it_was() {
    let path = capture("2.1.332/02-parallel/stream.jsonl");
    let (mut terminal, program_end) = Terminal::open();
    let modes = terminal.modes();
    let mut child = on_terminal(&program_end, FOLLOW, &[&path]);
    terminal.wait_for(|screen| screen.contains("q quit"));
    let kill = |signal: &str| {
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().expect("there is a kill").success());
    };
    kill("-TSTP");
    terminal.wait_for(|screen| !screen.contains("q quit"));
    assert!(!terminal.is_on_other_screen());
    kill("-CONT");
    terminal.wait_for(|screen| screen.contains("q quit") && screen.contains("Survey the sources"));
    terminal.press("q");
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
    drop(program_end);
    is_left_as_found(&mut terminal, &modes);
}

#[test]
fn the_view_takes_the_size_of_its_terminal() {
    let path = capture("2.1.332/10b-long-60/stream.jsonl");
    let (mut terminal, program_end) = Terminal::open();
    let mut child = on_terminal(&program_end, FOLLOW, &[&path]);
    terminal.wait_for(|screen| screen.contains("60 calls"));
    terminal.resize(10, 40);
    let narrow = terminal.wait_for(|screen| screen.contains("A long survey") && !screen.contains("60 calls"));
    assert!(narrow.lines().count() <= 10 && narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
    terminal.resize(30, 200);
    terminal.wait_for(|screen| screen.contains("60 calls") && screen.lines().any(|line| line.chars().count() > 150));
    terminal.press("\x03");
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
}

#[test]
fn a_stream_is_shown_beside_the_pipe_that_it_passes() {
    let stream = capture("2.1.332/04-nested/stream.jsonl");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let (mut terminal, program_end) = Terminal::open();
    let modes = terminal.modes();
    // The input goes on until somebody has seen the card.
    let script =
        r#"{ cat "$1"; while [ ! -e "$2.seen" ]; do sleep 0.05; done; } | "$0" follow --pass-through - > "$2""#;
    let mut child = on_terminal(&program_end, script, &[&stream, &out]);
    terminal.wait_for(|screen| screen.contains("1 done") && screen.contains("Level 1 look"));
    fs::write(folder.path().join("out.seen"), "").expect("a file can be written");
    assert!(child.wait().expect("the shell ends").success());
    drop(program_end);
    is_left_as_found(&mut terminal, &modes);
    assert_eq!(fs::read(&out).expect("it was written"), fs::read(&stream).expect("a capture can be read"));
}

/// Who quits the view does not break the pipe.
#[test]
fn the_copying_goes_on_when_the_view_is_closed() {
    let stream = capture("2.1.332/04-nested/stream.jsonl");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let (mut terminal, program_end) = Terminal::open();
    let script = r#"{ cat "$1"; while [ ! -e "$2.seen" ]; do sleep 0.05; done; cat "$1"; } | "$0" follow --pass-through - > "$2""#;
    let mut child = on_terminal(&program_end, script, &[&stream, &out]);
    terminal.wait_for(|screen| screen.contains("Level 1 look"));
    terminal.press("q");
    terminal.wait_for(|screen| !screen.contains("Level 1 look"));
    fs::write(folder.path().join("out.seen"), "").expect("a file can be written");
    assert!(child.wait().expect("the shell ends").success());
    let twice = fs::read(&stream).expect("a capture can be read").repeat(2);
    assert!(fs::read(&out).expect("it was written") == twice);
}

/// Without a terminal that could take a screen the changes are printed.
#[test]
fn a_terminal_without_a_screen_gets_lines() {
    let stream = capture("2.1.332/04-nested/stream.jsonl");
    let (mut terminal, program_end) = Terminal::open();
    let mut child = on_terminal(&program_end, r#"TERM=dumb "$0" follow - < "$1""#, &[&stream]);
    assert!(child.wait().expect("the shell ends").success());
    drop(program_end);
    terminal.at_the_end();
    let printed = String::from_utf8_lossy(&terminal.all);
    assert!(printed.contains(r#""change":"opened""#) && !printed.contains('\x1b'), "{printed}");
}
