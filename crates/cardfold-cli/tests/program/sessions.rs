//! `cardfold sessions`: the sessions of a store, the newest first, with the figures of their reports.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use cardfold_testkit::fixture;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Ran, cardfold, list, program};

/// A store of these captures' stored sessions, one project each, and what may stand beside them.
fn store(captures: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for capture in captures {
        let from = fixture::testdata().join("captures").join(capture).join("transcripts");
        copy(&from, &folder.path().join("projects").join(capture.replace(['/', '.'], "-")));
    }
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("the folder is there") {
        let path = entry.expect("an entry can be read").path();
        let target = to.join(path.file_name().expect("an entry has a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a file can be copied");
        }
    }
}

fn bytes_below(folder: &Path, extension: &str) -> u64 {
    let paths = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path());
    let sizes = paths.map(|path| {
        if path.is_dir() {
            bytes_below(&path, extension)
        } else if path.extension().is_some_and(|found| found == extension) {
            fs::metadata(&path).expect("the file is there").len()
        } else {
            0
        }
    });
    sizes.sum()
}

fn sessions(arguments: &[&str], environment: &[(&str, &Path)]) -> Ran {
    let mut command = program(&["sessions"]);
    command.args(arguments).env_remove("CLAUDE_CONFIG_DIR").env_remove("XDG_CONFIG_HOME").env_remove("HOME");
    Ran::of(command.envs(environment.iter().copied()).output().expect("the program can be started"))
}

const STORE: [&str; 4] =
    ["2.1.332/02-parallel", "2.1.332/05-failures", "2.1.332/06f-sigkill-while-running", "2.1.332/04-nested"];

#[test]
fn the_figures_are_those_of_the_reports() {
    let folder = store(&STORE);
    let path = folder.path().to_str().expect("the name is UTF-8");
    let ran = sessions(&["--json", path], &[]);
    let report = ran.report();
    assert_eq!((&report["format"], &report["store"]), (&"cardfold-sessions/1".into(), &path.into()));
    let rows = list(&report, "sessions");
    assert_eq!(rows.len(), STORE.len());
    for row in rows {
        let source = row["source"].as_str().expect("a session has a source");
        let replayed = cardfold(&format!("replay --live --all --format json {source}")).report();
        let cards = list(&list(&replayed, "sessions")[0], "cards");
        let count = |field: &str| cards.iter().filter(|card| card[field] == true).count();
        assert_eq!(row["dispatches"], cards.len(), "{row}");
        assert_eq!(
            (row["running"].as_u64(), row["failed"].as_u64()),
            (Some(count("running") as u64), Some(count("failed") as u64))
        );
        let tokens: Vec<u64> = cards.iter().filter_map(|card| card["usage"]["total_tokens"].as_u64()).collect();
        assert_eq!(row["total_tokens"].as_u64(), tokens.iter().copied().reduce(|sum, more| sum + more), "{row}");
        let project = Path::new(source).parent().expect("a session lies in a project");
        assert_eq!(row["bytes"], bytes_below(project, "jsonl"), "{row}");
        assert_eq!(row["project"], "/tmp/demo-project", "the folder that the lines state");
    }
    let killed = rows.iter().find(|row| row["source"].as_str().is_some_and(|source| source.contains("06f")));
    assert_eq!(killed.expect("it is listed")["running"], 1, "its store ends nobody");
}

#[test]
fn the_newest_comes_first() {
    let folder = store(&STORE);
    let path = folder.path().to_str().expect("the name is UTF-8");
    let times = |report: &Value| -> Vec<i64> {
        list(report, "sessions").iter().map(|row| row["last_ms"].as_i64().expect("it has a time")).collect()
    };
    let before = sessions(&["--json", path], &[]).report();
    assert!(times(&before).is_sorted_by(|one, other| one > other), "{:?}", times(&before));
    // A late line makes the oldest session the newest one; the times of files say nothing.
    let oldest = list(&before, "sessions").last().expect("there are sessions")["source"].clone();
    let file = OpenOptions::new().append(true).open(oldest.as_str().expect("it is a path"));
    let line = json!({ "type": "user", "timestamp": "2030-01-01T00:00:00Z", "message": { "content": "hello" } });
    writeln!(file.expect("the session file is there"), "{line}").expect("a line can be written");
    let after = sessions(&["--json", path], &[]).report();
    assert_eq!(list(&after, "sessions")[0]["source"], oldest);
    let text = sessions(&[path], &[]).out;
    let first = text.lines().nth(1).expect("there is a line below the headings");
    assert!(
        first.starts_with("2030-01-01 00:00 ") && first.ends_with(oldest.as_str().expect("it is a path")),
        "{text}"
    );
}

/// `$CLAUDE_CONFIG_DIR`, else the home's own folder, else the folder of configurations.
#[test]
fn the_store_is_found() {
    let folder = store(&STORE[..1]);
    let home = tempfile::tempdir().expect("a temporary folder");
    copy(folder.path(), &home.path().join(".claude"));
    let config = tempfile::tempdir().expect("a temporary folder");
    copy(folder.path(), &config.path().join("claude"));
    let dotted = tempfile::tempdir().expect("a temporary folder");
    copy(folder.path(), &dotted.path().join(".config/claude"));
    let empty = tempfile::tempdir().expect("a temporary folder");
    for (environment, found) in [
        (vec![("CLAUDE_CONFIG_DIR", folder.path()), ("HOME", home.path())], folder.path().join("projects")),
        (vec![("HOME", home.path()), ("XDG_CONFIG_HOME", config.path())], home.path().join(".claude/projects")),
        (vec![("HOME", empty.path()), ("XDG_CONFIG_HOME", config.path())], config.path().join("claude/projects")),
        (vec![("HOME", dotted.path())], dotted.path().join(".config/claude/projects")),
    ] {
        let ran = sessions(&["--json"], &environment);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
        assert_eq!(ran.report()["store"].as_str(), found.to_str());
    }
    let ran = sessions(&[], &[("HOME", empty.path())]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains(".claude/projects"), "{}", ran.err);
}

/// A row of the table that has no room for its path has it below, whole: a terminal would break it anywhere.
#[test]
#[cfg(target_os = "linux")]
fn a_narrow_terminal_has_the_paths_below_the_rows() {
    use crate::terminal::{COLUMNS, Terminal};

    let folder = store(&STORE);
    let path = folder.path().to_str().expect("the name is UTF-8");
    let piped = sessions(&[path], &[]).out;
    let (mut terminal, end) = Terminal::open();
    let mut command = program(&["sessions", path]);
    command.env("TERM", "xterm").stdout(end).status().expect("the program can be started");
    drop(command);
    let shown = terminal.at_the_end();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 1 + 2 * STORE.len(), "{shown}");
    let mut rows = lines.iter().take(1).chain(lines[1..].iter().step_by(2));
    assert!(rows.all(|line| line.chars().count() <= usize::from(COLUMNS)), "{shown}");
    assert!(!lines[0].contains("PATH") && lines[0].ends_with("PROJECT"), "{shown}");
    for (rows, row) in lines[1..].chunks(2).zip(piped.lines().skip(1)) {
        assert_eq!(format!("{}  {}", rows[0], rows[1].trim_start()), row, "the same that a pipe gets in a line");
    }
}

#[test]
fn no_control_character_of_a_store_reaches_the_terminal() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("p\u{1b}[31m");
    fs::create_dir(&project).expect("a folder can be made");
    let line = json!({ "type": "user", "sessionId": "s\u{9b}", "cwd": "/home/\u{1b}[31m\u{202e}",
        "message": { "content": "hello" } });
    fs::write(project.join("s.jsonl"), format!("{line}\nnot json\n")).expect("a file can be written");
    let path = folder.path().to_str().expect("the name is UTF-8");
    for arguments in [vec![path], vec!["--json", path]] {
        let ran = sessions(&arguments, &[]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        let steers = |c: &char| (c.is_control() && *c != '\n') || *c == '\u{202e}';
        assert_eq!(ran.out.chars().find(steers), None, "{:?}", ran.out);
    }
}
