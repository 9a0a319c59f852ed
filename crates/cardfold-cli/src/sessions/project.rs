//! Which project is a session of? The frames do not say; the first lines of its file do.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::Deserialize;

/// Lines that state the folder stand near the head of the file; past this many bytes nobody looks.
const HEAD_BYTES: u64 = 256 * 1024;

/// The folder that a line states as the one that the client runs in, else the name of the folder that the file lies in.
/// A project's folder in the store is named after it, but two projects may have one such name.
pub(crate) fn of(source: &str) -> String {
    let path = Path::new(source);
    stated(path).unwrap_or_else(|| {
        let folder = path.parent().and_then(Path::file_name);
        folder.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    })
}

fn stated(path: &Path) -> Option<String> {
    // What is no file was no session file either, and opening it could wait for ever.
    if !path.is_file() {
        return None;
    }
    let mut head = BufReader::new(File::open(path).ok()?.take(HEAD_BYTES));
    let mut line = Vec::new();
    loop {
        line.clear();
        if head.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        let stated = serde_json::from_slice::<Line>(&line).ok().and_then(|line| line.cwd);
        if let Some(folder) = stated.filter(|folder| !folder.is_empty()) {
            return Some(folder);
        }
    }
}

#[derive(Deserialize)]
struct Line {
    cwd: Option<String>,
}
