//! The lines of the captures by kind: what made-up conversations are drawn from, so that keys, their order and the
//! sizes of everything but long texts are the client's own.

use std::fs;
use std::path::{Path, PathBuf};

use cardfold_testkit::fixture::{read, testdata};
use serde_json::Value;

/// What a captured line is to a measurement.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Kind {
    /// An attachment line.
    Attachment,
    /// A line that says nothing of agents: queue operations, latches, last prompts, hook progress, …
    Bookkeeping,
    /// A message of the model with one call.
    Call,
    /// A user turn that is one text.
    Prompt,
    /// The result of one call.
    Result,
    /// A message of the model that is one text.
    Said,
    /// A task frame of the stream.
    Task,
}

/// A captured line.
#[derive(Clone, Debug)]
pub struct Captured {
    /// The line as the client wrote it, without its end.
    pub line: String,
    /// The same, read.
    pub value: Value,
    /// What it is.
    pub kind: Kind,
    /// It stands in an agent's own file.
    pub of_agent: bool,
    /// It is a line of a store, not of a stream.
    pub stored: bool,
}

impl Captured {
    /// The result with another text, and with a twin of it in `toolUseResult` as older clients write it, unless that holds
    /// something.
    #[must_use]
    pub fn with_text(&self, text: &str, has_twin: bool) -> Self {
        let text = Value::from(text).to_string();
        let content = self.value["message"]["content"][0]["content"].to_string();
        let mut line = self.line.replacen(&content, &text, 1);
        let is_free = self.value["toolUseResult"].is_null() && self.value["tool_use_result"].is_null();
        if has_twin && is_free && line.pop() == Some('}') {
            let twin = format!(",\"toolUseResult\":{{\"stdout\":{text},\"stderr\":\"\",\"interrupted\":false}}}}");
            line.push_str(&twin);
        }
        Self { line, ..self.clone() }
    }
}

/// All lines of the captures that are one of the kinds, in the order of their files' paths.
///
/// # Panics
///
/// If a capture cannot be read: a measurement of fewer lines would be one of something else.
#[must_use]
pub fn lines() -> Vec<Captured> {
    let mut files = Vec::new();
    files_below(&testdata().join("captures"), &mut files);
    files.sort();
    let mut lines = Vec::new();
    for file in files {
        let name = file.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let (of_agent, stored) = (name.starts_with("agent-"), name != "stream.jsonl");
        let text = String::from_utf8(read(&file)).expect("captures are text");
        for line in text.lines().filter(|line| !line.is_empty()) {
            let value: Value = serde_json::from_str(line).expect("captured lines are JSON");
            if let Some(kind) = kind_of(&value) {
                lines.push(Captured { line: line.to_owned(), value, kind, of_agent, stored });
            }
        }
    }
    assert!(lines.len() > 2_000, "the captures are there");
    lines
}

/// The captures' files of lines, one after the other.
#[must_use]
pub fn concatenated() -> Vec<u8> {
    let mut files = Vec::new();
    files_below(&testdata().join("captures"), &mut files);
    files.sort();
    files.iter().flat_map(|file| read(file)).collect()
}

fn kind_of(line: &Value) -> Option<Kind> {
    let content = &line["message"]["content"];
    let only = match content.as_array().map(Vec::as_slice) {
        Some([block]) => block["type"].as_str().unwrap_or_default(),
        Some(_) => return None,
        None => "",
    };
    Some(match (line["type"].as_str()?, only) {
        ("assistant", "tool_use") => Kind::Call,
        ("assistant", "text") => Kind::Said,
        ("user", "tool_result") => Kind::Result,
        ("user", "") if content.is_string() => Kind::Prompt,
        ("assistant" | "user", _) => return None,
        ("attachment", _) => Kind::Attachment,
        ("system", _) if line["task_id"].is_string() => Kind::Task,
        _ => Kind::Bookkeeping,
    })
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("test data can be listed") {
        let path = entry.expect("test data can be listed").path();
        if path.is_dir() {
            files_below(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
}
