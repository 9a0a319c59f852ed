//! The bar: on a terminal at standard error, for what takes longer than a second, and gone at the end. The terminal is a
//! real one as far as the program can tell, and what a reader would see of it is kept on a screen.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::terminal::Terminal;
use crate::{Ran, program};

/// Longer than the second that the program waits.
const LONG: Duration = Duration::from_millis(1_500);

/// Shorter than that.
const SHORT: Duration = Duration::from_millis(600);

fn is_bar(screen: &str) -> bool {
    screen.contains("reading ")
}

/// A dispatch of a stream.
fn dispatch(id: &str) -> Value {
    let call = json!({ "type": "tool_use", "id": id, "name": "Agent", "input": { "description": id } });
    json!({ "type": "assistant", "session_id": "s", "message": { "content": [call] } })
}

/// The program reading a pipe that the test has the other end of.
fn reading_pipe(form: &str, out: Stdio, err: Stdio, term: &str, more: &[&str]) -> (Child, ChildStdin) {
    let mut command = program(&["replay", "--format", form, "-"]);
    command.args(more).env("TERM", term).stdin(Stdio::piped()).stdout(out).stderr(err);
    let mut child = command.spawn().expect("the program can be started");
    let input = child.stdin.take().expect("standard input is a pipe");
    (child, input)
}

fn same(terminal: &File) -> Stdio {
    terminal.try_clone().expect("a handle can be had twice").into()
}

/// The program is held up where nobody reads what it prints, so that the work takes as long as the test likes.
#[test]
fn a_bar_shows_how_much_is_read_and_goes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("session.jsonl");
    let lines: String = (0..2_000).map(|n| format!("{}\n", dispatch(&format!("d{n}")))).collect();
    fs::write(&path, lines).expect("a file can be written");
    let (mut terminal, program_end) = Terminal::open();
    let mut command = program(&["replay", "--format", "ndjson"]);
    command.arg(&path).env("TERM", "xterm").stdout(Stdio::piped()).stderr(program_end);
    let mut child = command.spawn().expect("the program can be started");
    // Until it is dropped it has the terminal.
    drop(command);
    let bar = terminal.wait_for(is_bar);
    assert_eq!(bar.lines().count(), 1, "one line:\n{bar}");
    assert!(bar.contains('━') && bar.contains("KiB of ") && bar.contains(" left"), "{bar}");
    let mut out = String::new();
    let mut stdout = child.stdout.take().expect("standard output is a pipe");
    stdout.read_to_string(&mut out).expect("the program prints UTF-8");
    assert!(child.wait().expect("the program ends").success());
    assert_eq!(terminal.at_the_end(), "", "no trace is left");
    // Each dispatch opens its card, and the end of the session settles it.
    assert_eq!(out.lines().filter(|line| line.parse::<Value>().is_ok()).count(), 4_000);
}

/// Changes that are printed on the terminal of the bar are whole, and nothing else stands there at the end.
#[test]
fn changes_and_the_bar_share_a_terminal() {
    let lines = ["a", "b", "c"].map(dispatch);
    let (mut terminal, program_end) = Terminal::open();
    let (mut child, mut input) = reading_pipe("ndjson", same(&program_end), program_end.into(), "xterm", &[]);
    for (place, line) in lines.iter().enumerate() {
        writeln!(input, "{line}").expect("the program reads on");
        let is_told = |screen: &str| screen.matches(r#""change":"opened""#).count() > place;
        terminal.wait_for(|screen| is_told(screen) && screen.lines().last().is_some_and(is_bar));
    }
    drop(input);
    assert!(child.wait().expect("the program ends").success());
    let on_terminal = terminal.at_the_end();

    let (child, mut input) = reading_pipe("ndjson", Stdio::piped(), Stdio::piped(), "xterm", &[]);
    lines.iter().try_for_each(|line| writeln!(input, "{line}")).expect("the program reads on");
    drop(input);
    let in_pipe = Ran::of(child.wait_with_output().expect("the program ends"));
    assert_eq!(in_pipe.out.lines().count(), 6);
    assert_eq!(on_terminal, in_pipe.out.trim_end());
}

/// The report comes when the bar is gone.
#[test]
fn a_report_is_printed_without_the_bar() {
    for form in ["text", "json"] {
        let (mut terminal, program_end) = Terminal::open();
        let (mut child, mut input) = reading_pipe(form, same(&program_end), program_end.into(), "xterm", &[]);
        writeln!(input, "{}", dispatch("a")).expect("the program reads on");
        let bar = terminal.wait_for(is_bar);
        assert_eq!(bar.lines().count(), 1, "{form}: nothing is printed yet:\n{bar}");
        drop(input);
        assert!(child.wait().expect("the program ends").success());
        let report = terminal.at_the_end();
        assert!(!is_bar(&report) && report.contains("abandoned"), "{form}:\n{report}");
        assert!(!report.starts_with('\n'), "{form}: it begins where the bar was");
    }
}

/// Every command that reads shows the bar, and what it prints comes when that is gone.
#[test]
fn each_command_that_reads_has_the_bar() {
    for (words, shown) in [
        (["explain", "-"], "R28: "),
        (["sessions", "/dev/stdin"], "TIME (UTC)"),
        (["stats", "/dev/stdin"], "1 session"),
    ] {
        let (mut terminal, program_end) = Terminal::open();
        let mut command = program(&words);
        command.env("TERM", "xterm").stdin(Stdio::piped()).stdout(same(&program_end)).stderr(program_end);
        let mut child = command.spawn().expect("the program can be started");
        drop(command);
        let mut input = child.stdin.take().expect("standard input is a pipe");
        writeln!(input, "{}", dispatch("a")).expect("the program reads on");
        let bar = terminal.wait_for(is_bar);
        assert_eq!(bar.lines().count(), 1, "{words:?}: nothing is printed yet:\n{bar}");
        drop(input);
        assert!(child.wait().expect("the program ends").success());
        let printed = terminal.at_the_end();
        assert!(!is_bar(&printed) && printed.contains(shown), "{words:?}:\n{printed}");
    }
}

#[test]
fn short_work_has_no_bar() {
    let (mut terminal, program_end) = Terminal::open();
    let begun = Instant::now();
    let (mut child, mut input) = reading_pipe("json", Stdio::null(), program_end.into(), "xterm", &[]);
    writeln!(input, "{}", dispatch("a")).expect("the program reads on");
    thread::sleep(SHORT);
    drop(input);
    assert!(child.wait().expect("the program ends").success());
    let took = begun.elapsed();
    terminal.at_the_end();
    // On a machine that does much else even this may have taken a second.
    assert!(terminal.all.is_empty() || took > Duration::from_secs(1));
}

/// What the program has to say stands on a line of its own, where the bar was.
#[test]
fn a_complaint_is_said_without_the_bar() {
    let (mut terminal, program_end) = Terminal::open();
    let (mut child, mut input) = reading_pipe("ndjson", Stdio::null(), program_end.into(), "xterm", &["--strict"]);
    writeln!(input, "{}\ngarbage", dispatch("a")).expect("the program reads on");
    terminal.wait_for(is_bar);
    drop(input);
    assert_eq!(child.wait().expect("the program ends").code(), Some(3));
    assert_eq!(terminal.at_the_end(), "cardfold: 1 line could not be read");
}

/// Neither in a pipe, nor on a terminal that cannot take a line back, nor for a live stream, which is no work.
#[test]
fn no_bar_where_it_does_not_belong() {
    let slow = |out: Stdio, err: Stdio, term: &str, more: &[&str]| {
        let (child, mut input) = reading_pipe("json", out, err, term, more);
        writeln!(input, "{}", dispatch("a")).expect("the program reads on");
        thread::sleep(LONG);
        drop(input);
        Ran::of(child.wait_with_output().expect("the program ends"))
    };
    let (mut terminal, program_end) = Terminal::open();
    let ran = slow(program_end.into(), Stdio::piped(), "xterm", &[]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "standard error is a pipe");
    let report = terminal.at_the_end();
    assert!(report.starts_with(r#"{"format":"cardfold/1""#), "{report}");
    assert!(!terminal.all.contains(&b'\x1b'), "the report is all there is");

    for (term, more) in [("dumb", &[][..]), ("xterm", &["--live"])] {
        let (mut terminal, program_end) = Terminal::open();
        assert_eq!(slow(Stdio::piped(), program_end.into(), term, more).status, Some(0));
        terminal.at_the_end();
        assert_eq!(terminal.all, b"", "{term} {more:?}");
    }
}
