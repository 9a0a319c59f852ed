//! Exit statuses: 0 folded, 1 nothing readable, 2 bad usage, 3 strict and a line was skipped.

use std::fs;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};

use cardfold_testkit::fixture;

use crate::{Ran, cardfold, list, program};

const GOOD: &str = "captures/2.1.332/01-foreground/stream.jsonl";
const DAMAGED: &str = "cases/line-damage/input.jsonl";

#[test]
fn what_was_folded_is_success() {
    for words in [
        format!("replay {GOOD}"),
        format!("replay --strict {GOOD}"),
        format!("replay {DAMAGED}"),
        "replay --strict captures/2.1.332/08-background-bash/stream.jsonl".to_owned(),
    ] {
        assert_eq!(cardfold(&words).status, Some(0), "{words}");
    }
}

#[test]
fn a_skipped_line_matters_when_strict() {
    for form in ["text", "json", "ndjson", "html", "svg"] {
        let ran = cardfold(&format!("replay --strict --format {form} {DAMAGED}"));
        assert_eq!(ran.status, Some(3), "{form}");
        assert!(!ran.out.is_empty(), "the report is printed all the same");
    }
}

#[test]
fn a_skipped_line_matters_also_where_nothing_else_is_readable() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::copy(fixture::testdata().join(GOOD), folder.path().join("stream.jsonl")).expect("a file can be copied");
    let strict = || {
        let output = program(&["replay", "--strict"]).arg(folder.path()).output();
        Ran::of(output.expect("the program can be started")).status
    };
    assert_eq!(strict(), Some(0));
    fs::write(folder.path().join("prose.jsonl"), "Dear diary,\n").expect("a file can be written");
    assert_eq!(strict(), Some(3));
}

#[test]
fn bad_usage_is_told_apart() {
    for words in ["replay", "fold x", "replay --format yaml x", "replay --frobnicate x", "replay x y", ""] {
        let ran = cardfold(words);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{words:?}");
        assert!(ran.err.contains("--help") || ran.err.contains("Usage: "), "{words:?}: {}", ran.err);
    }
}

#[test]
fn nothing_readable_is_a_failure() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    fs::write(path("empty.jsonl"), "").expect("a file can be written");
    fs::write(path("blank.jsonl"), "\n \n\n").expect("a file can be written");
    fs::write(path("prose.jsonl"), "Dear diary,\n").expect("a file can be written");
    fs::create_dir(path("folder")).expect("a folder can be made");
    fs::write(path("folder/notes.txt"), "no session").expect("a file can be written");
    for name in ["empty.jsonl", "blank.jsonl", "prose.jsonl", "folder", "missing.jsonl", "missing/"] {
        for form in ["text", "json", "ndjson", "html", "svg"] {
            let arguments = ["replay", "--format", form, "--strict", &path(name)];
            let ran = Ran::of(program(&arguments).output().expect("the program can be started"));
            assert_eq!(ran.status, Some(1), "{name} {form}");
            assert!(ran.err.contains(name.trim_end_matches('/')), "{name} {form}: {}", ran.err);
            if form == "json" {
                assert_eq!(list(&ran.report(), "sessions").len(), 0, "{name}");
            }
        }
    }
}

#[test]
fn an_empty_standard_input_is_nothing() {
    let ran = cardfold("replay --format json -");
    assert_eq!(ran.status, Some(1));
    assert_eq!(list(&ran.report(), "sessions").len(), 0);
}

#[test]
fn standard_input_is_a_stream_like_another() {
    let stream = fs::File::open(fixture::testdata().join(GOOD)).expect("the capture is there");
    let output = program(&["replay", "--format", "json", "-"]).stdin(stream).output();
    let from_pipe = Ran::of(output.expect("the program can be started")).report();
    let from_file = cardfold(&format!("replay --format json {GOOD}")).report();
    let (from_pipe, from_file) = (&list(&from_pipe, "sessions")[0], &list(&from_file, "sessions")[0]);
    assert_eq!(from_pipe["source"], "-");
    assert_eq!(from_pipe["cards"], from_file["cards"]);
    assert_eq!(from_pipe["session_id"], from_file["session_id"]);
}

/// A pipe can be read once, and from its beginning to its end. This is what `<(zcat old.jsonl.gz)` in a shell gives.
#[test]
#[cfg(target_os = "linux")]
fn a_pipe_may_have_a_name() {
    let stored = "captures/2.1.332/07a-first/transcripts";
    let stored = fs::read_dir(fixture::testdata().join(stored)).expect("the capture has a store");
    let files = stored.map(|entry| entry.expect("test data can be listed").path()).filter(|path| path.is_file());
    let paths: Vec<_> = files.chain([fixture::testdata().join(GOOD)]).collect();
    assert_eq!(paths.len(), 2);
    for path in paths {
        let mut cat = Command::new("cat").arg(&path).stdout(Stdio::piped()).spawn().expect("there is a `cat`");
        let pipe = cat.stdout.take().expect("it is piped");
        let output = program(&["replay", "--format", "json", "/dev/stdin"]).stdin(pipe).output();
        assert!(cat.wait().expect("`cat` ends").success(), "all of it was read");
        let named = Ran::of(output.expect("the program can be started")).report();
        let input = fs::File::open(&path).expect("test data can be read");
        let output = program(&["replay", "--format", "json", "-"]).stdin(input).output();
        let unnamed = Ran::of(output.expect("the program can be started")).report();
        assert_eq!(named["sessions"][0]["cards"], unnamed["sessions"][0]["cards"], "{}", path.display());
        assert_eq!(named["sessions"][0]["problems"], unnamed["sessions"][0]["problems"], "{}", path.display());
    }
}

#[test]
fn help_teaches_and_is_no_error() {
    for (words, taught) in
        [("--help", "cardfold replay stream.jsonl"), ("replay --help", "Exit status:"), ("help replay", "⊘")]
    {
        let ran = cardfold(words);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{words}");
        assert!(ran.out.contains(taught), "{words}: {}", ran.out);
        assert!(ran.out.lines().all(|line| line.chars().count() <= 120), "{words}: a line fits the screen");
    }
}

/// Whoever gave a path that leads to no session is told why, and what would.
#[test]
fn a_path_to_nothing_is_told_what_to_give() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let empty = folder.path().to_str().expect("the name is UTF-8");
    for words in ["replay", "explain", "sessions", "stats"] {
        for (path, reason) in [(empty, "no session stands below it"), ("missing", "No such file")] {
            let ran = cardfold(&format!("{words} {path}"));
            assert_eq!(ran.status, Some(1), "{words}");
            assert!(ran.err.contains(&format!("nothing readable in {path}: {reason}")), "{words}: {}", ran.err);
            assert!(ran.err.ends_with("; give a session's .jsonl file, a captured stream, or a folder of these\n"));
        }
    }
}
