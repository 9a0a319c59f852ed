//! `--output`: a file that is whole or not there.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use tempfile::TempDir;

use crate::{Ran, cardfold, program};

const GOOD: &str = "captures/2.1.332/05-failures/stream.jsonl";

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn into(words: &[&str], path: &Path) -> Ran {
    Ran::of(program(&["replay"]).args(words).arg("-o").arg(path).output().expect("the program can be started"))
}

/// Nothing but this stands in the folder: no unfinished file is left.
fn holds(folder: &TempDir, names: &[&str]) {
    let entries = fs::read_dir(folder.path()).expect("the folder is there");
    let mut found: Vec<_> = entries.map(|entry| entry.expect("it can be listed").file_name()).collect();
    found.sort();
    assert_eq!(found, names);
}

#[test]
fn each_form_is_the_same_in_a_file() {
    let folder = folder();
    let path = folder.path().join("out");
    for form in ["text", "json", "ndjson", "html", "svg"] {
        let ran = into(&["--format", form, GOOD], &path);
        assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""), "{form}");
        let written = fs::read_to_string(&path).expect("the file is there");
        assert_eq!(written, cardfold(&format!("replay --format {form} {GOOD}")).out, "{form}");
        holds(&folder, &["out"]);
    }
    let coloured = program(&["replay", "--color", "always", GOOD, "--output"]).arg(&path).status();
    assert!(coloured.expect("the program can be started").success());
    assert!(fs::read_to_string(&path).expect("the file is there").contains("\u{1b}["));
}

#[test]
#[cfg(unix)]
fn a_file_is_as_readable_as_another() {
    let folder = folder();
    let (path, other) = (folder.path().join("out"), folder.path().join("other"));
    fs::write(&other, "").expect("a file can be written");
    assert_eq!(into(&[GOOD], &path).status, Some(0));
    let mode = |path: &Path| fs::metadata(path).expect("the file is there").permissions().mode();
    assert_eq!(mode(&path), mode(&other));
}

#[test]
fn where_nothing_is_readable_the_old_file_stays() {
    let folder = folder();
    let path = folder.path().join("out");
    assert_eq!(into(&["--format", "html", "missing.jsonl"], &path).status, Some(1));
    holds(&folder, &[]);
    fs::write(&path, "old").expect("a file can be written");
    assert_eq!(into(&["--format", "html", "missing.jsonl"], &path).status, Some(1));
    assert_eq!(fs::read_to_string(&path).expect("the file is there"), "old");
    holds(&folder, &["out"]);
}

#[test]
fn strict_still_writes_what_was_read() {
    let folder = folder();
    let path = folder.path().join("out");
    let ran = into(&["--strict", "--format", "html", "cases/line-damage/input.jsonl"], &path);
    assert_eq!(ran.status, Some(3));
    assert!(fs::read_to_string(&path).expect("the file is there").ends_with("</html>\n"));
}

#[test]
fn what_cannot_be_written_is_named() {
    let folder = folder();
    let path = folder.path().join("none/out\u{1b}.html");
    let ran = into(&["--format", "html", GOOD], &path);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""));
    assert!(
        ran.err.starts_with("cardfold: cannot write: ") && ran.err.contains("none/out\\u{1b}.html: No such file"),
        "{}",
        ran.err
    );
    assert!(ran.err.lines().count() == 1 && !ran.err.contains(".cardfold-"), "{}", ran.err);
    let ran = into(&[GOOD], folder.path());
    assert_eq!(ran.status, Some(1), "a folder is no file");
    holds(&folder, &[]);
}

#[test]
fn the_input_is_never_replaced() {
    let folder = folder();
    let path = folder.path().join("session.jsonl");
    fs::copy(cardfold_testkit::fixture::testdata().join(GOOD), &path).expect("a file can be copied");
    let before = fs::read(&path).expect("the file is there");
    let ran = into(&[path.to_str().expect("a plain path")], &folder.path().join("./session.jsonl"));
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("the output would replace the input"), "{}", ran.err);
    assert_eq!(fs::read(&path).expect("the file is there"), before);
}

/// A device stays what it is, and a full one is said.
#[test]
#[cfg(target_os = "linux")]
fn a_device_is_written_and_not_replaced() {
    let ran = into(&[GOOD], Path::new("/dev/stdout"));
    assert_eq!((ran.status, ran.out), (Some(0), cardfold(&format!("replay {GOOD}")).out));
    let ran = into(&[GOOD], Path::new("/dev/full"));
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.starts_with("cardfold: cannot write: /dev/full: "), "{}", ran.err);
}
