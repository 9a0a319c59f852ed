//! Reading `testdata/`: the crates that are tested must not, or need not, know files.

use std::fs;
use std::path::{Path, PathBuf};

use cardfold_wire::{Frame, FrameError};
use serde_json::Value;

/// One run of the real client: a folder under `testdata/captures/`.
#[derive(Debug)]
pub struct Capture {
    /// Client version and scenario: `2.1.332/01-foreground`.
    pub name: String,
    /// `stream.jsonl`: what the client wrote to its standard output.
    pub stream: PathBuf,
    /// What the stream and the store must give: `{"stream": [card…], "stored": [card…]}`.
    pub expected: Value,
}

/// One small input with the report that it must give: a folder under `testdata/cases/`.
#[derive(Debug)]
pub struct Case {
    /// The folder's name.
    pub name: String,
    /// The folder.
    pub folder: PathBuf,
    /// `expect.json`.
    pub expect: Value,
}

impl Case {
    /// `input.jsonl`, where the input is one file.
    #[must_use]
    pub fn input(&self) -> Option<PathBuf> {
        Some(self.folder.join("input.jsonl")).filter(|path| path.is_file())
    }

    /// The words after `cardfold replay`; their paths are relative to the folder.
    #[must_use]
    pub fn command(&self) -> Vec<&str> {
        self.expect["command"].as_str().expect("a case has a command").split_whitespace().collect()
    }
}

/// `testdata/` at the root of the repository.
#[must_use]
pub fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// All captures, in byte order of their names.
///
/// # Panics
///
/// If a capture cannot be read: a test that saw fewer captures would prove less than it says.
#[must_use]
pub fn captures() -> Vec<Capture> {
    let root = testdata().join("captures");
    let mut captures = Vec::new();
    for version in folders(&root).into_iter().filter(|version| version != "expected") {
        for scenario in folders(&root.join(&version)) {
            let expected = json(&root.join("expected").join(format!("{version}__{scenario}.json")));
            let stream = root.join(&version).join(&scenario).join("stream.jsonl");
            captures.push(Capture { name: format!("{version}/{scenario}"), stream, expected });
        }
    }
    captures
}

/// All cases, in byte order of their names.
///
/// # Panics
///
/// If a case cannot be read.
#[must_use]
pub fn cases() -> Vec<Case> {
    let root = testdata().join("cases");
    let case = |name: String| {
        let folder = root.join(&name);
        Case { expect: json(&folder.join("expect.json")), folder, name }
    };
    folders(&root).into_iter().map(case).collect()
}

/// The bytes of a file.
///
/// # Panics
///
/// If it cannot be read.
#[must_use]
pub fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The frames of a stream, line by line; blank lines are none.
pub fn frames(stream: &[u8]) -> impl Iterator<Item = Result<Frame<'_>, FrameError>> {
    stream.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).map(Frame::decode)
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the folders inside a folder, sorted, since a folder's own order is the file system's.
fn folders(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("a folder's entries can be listed"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().expect("test data has plain names"))
        .collect();
    names.sort_unstable();
    names
}
