//! What the tests of this crate share: the test data, stores made by hand, and a report as JSON.

use std::fs;
use std::path::{Path, PathBuf};

use cardfold::{Card, CardTracker};
use cardfold_replay::{Problems, Report, Session};
use serde_json::{Value, json};
use tempfile::TempDir;

/// `testdata` of the repository.
pub(crate) fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// One run of the real client that was captured.
pub(crate) struct Capture {
    /// `<version>/<scenario>`.
    pub(crate) name: String,
    pub(crate) stream: PathBuf,
    /// The session file of its store; none where the client stored none.
    pub(crate) stored: Option<PathBuf>,
}

impl Capture {
    pub(crate) fn of(name: &str) -> Self {
        let folder = testdata().join("captures").join(name);
        let is_session = |path: &PathBuf| {
            let file = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
            file.ends_with(".jsonl") && !file.starts_with("agent-")
        };
        let mut stored: Vec<PathBuf> = children(&folder.join("transcripts")).into_iter().filter(is_session).collect();
        assert!(stored.len() <= 1, "{name} has one session");
        Self { name: name.to_owned(), stream: folder.join("stream.jsonl"), stored: stored.pop() }
    }

    /// The session file of a capture that has one.
    pub(crate) fn stored(&self) -> &Path {
        self.stored.as_deref().expect("this capture has a store")
    }
}

/// All captures, in order of their names.
pub(crate) fn captures() -> Vec<Capture> {
    let versions = children(&testdata().join("captures"));
    let scenarios = versions.into_iter().filter(|path| path.is_dir()).flat_map(|version| children(&version));
    let with_stream = scenarios.filter(|scenario| scenario.join("stream.jsonl").is_file());
    let names = with_stream.map(|path| {
        let name = |path: &Path| path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        format!("{}/{}", name(path.parent().expect("a scenario stands in a version")), name(&path))
    });
    let captures: Vec<Capture> = names.map(|name| Capture::of(&name)).collect();
    assert!(captures.len() > 80, "the captures are there");
    captures
}

/// The entries of a directory in order of their names; none where there is no directory.
pub(crate) fn children(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("test data can be listed").path()).collect();
    paths.sort();
    paths
}

/// Copies a folder of test data, files as they are.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("folders can be made");
    for path in children(from) {
        let target = to.join(path.file_name().expect("an entry has a name"));
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            let bytes = fs::read(&path).expect("test data can be read");
            fs::write(&target, bytes).expect("a copy can be written");
        }
    }
}

pub(crate) fn read_json(path: &Path) -> Value {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The report as `cardfold replay --format json` has it (RULES.md section 5).
pub(crate) fn report_json(report: &Report) -> Value {
    json!({
        "format": "cardfold/1",
        "sessions": report.sessions.iter().map(session_json).collect::<Vec<_>>(),
        "problems": problems_json(&report.problems),
    })
}

fn session_json(session: &Session) -> Value {
    json!({
        "session_id": session.session_id,
        "source": session.source,
        "lines": session.lines,
        "frames": session.frames,
        "skipped": session.skipped,
        "unknown": session.unknown,
        "undrawn": session.tracker.undrawn(),
        "problems": problems_json(&session.problems),
        "cards": cards_json(&session.tracker),
    })
}

fn problems_json(problems: &Problems) -> Value {
    let problem = |problem: &cardfold_replay::Problem| {
        json!({
            "file": problem.file,
            "line": problem.line,
            "kind": problem.kind.as_str(),
            "detail": problem.detail,
        })
    };
    problems.iter().map(problem).collect()
}

/// The cards without their revisions, which count frames and are no part of what happened.
pub(crate) fn cards_json(tracker: &CardTracker) -> Value {
    tracker.cards().map(|card| card_json(&card)).collect()
}

pub(crate) fn card_json(card: &Card) -> Value {
    let mut value = serde_json::to_value(card).expect("a card is JSON");
    value.as_object_mut().expect("a card is an object").remove("revision");
    value
}

/// The one session of a report.
pub(crate) fn only(report: &Report) -> &Session {
    assert_eq!(report.sessions.len(), 1, "problems: {:?}", report.problems);
    &report.sessions[0]
}

/// The words of a list of problems, with their lines.
pub(crate) fn problem_words(problems: &Problems) -> Vec<(String, Option<u64>)> {
    problems.iter().map(|problem| (problem.kind.to_string(), problem.line)).collect()
}

/// A store made by hand.
pub(crate) struct Store {
    pub(crate) folder: TempDir,
}

impl Store {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().expect("a temporary directory can be made") }
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// Writes a file of any bytes.
    pub(crate) fn write(&self, file: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("a file stands in a folder")).expect("folders can be made");
        fs::write(&path, bytes).expect("a file can be written");
        path
    }

    /// Writes a file of lines.
    pub(crate) fn lines(&self, file: &str, lines: &[Value]) -> PathBuf {
        let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
        self.write(file, lines.concat())
    }
}

/// The session of the lines below.
pub(crate) const SESSION: &str = "5e550000-0000-4000-8000-000000000001";

/// Makes stored lines: a second apart, each with a uuid of its own.
pub(crate) struct Lines {
    second: u32,
    start: &'static str,
    uuid: u32,
    pub(crate) lines: Vec<Value>,
    agent: Option<String>,
}

impl Lines {
    /// Lines of the main thread.
    pub(crate) fn main() -> Self {
        Self { second: 0, start: "m", uuid: 0, lines: Vec::new(), agent: None }
    }

    /// Lines of an agent, from `second` on.
    pub(crate) fn agent(id: &str, second: u32) -> Self {
        Self { second, start: "a", uuid: 0, lines: Vec::new(), agent: Some(id.to_owned()) }
    }

    /// The next lines have this time.
    pub(crate) fn at(mut self, second: u32) -> Self {
        self.second = second;
        self
    }

    /// Adds a line as it is but for what every line has.
    pub(crate) fn line(mut self, mut line: Value) -> Self {
        self.uuid += 1;
        let owner = self.agent.clone().unwrap_or_default();
        let fields = line.as_object_mut().expect("a line is an object");
        let mut add = |name: &str, value: Value| {
            fields.entry(name.to_owned()).or_insert(value);
        };
        add("uuid", json!(format!("{}{owner}-{}", self.start, self.uuid)));
        add("sessionId", json!(SESSION));
        add("timestamp", json!(time(self.second)));
        add("isSidechain", json!(self.agent.is_some()));
        if let Some(agent) = &self.agent {
            add("agentId", json!(agent));
        }
        self.second += 1;
        self.lines.push(line);
        self
    }

    pub(crate) fn prompt(self, text: &str) -> Self {
        self.line(json!({"type": "user", "message": {"role": "user", "content": text}}))
    }

    pub(crate) fn text(self, text: &str) -> Self {
        self.assistant(json!({"type": "text", "text": text}))
    }

    pub(crate) fn call(self, id: &str) -> Self {
        self.assistant(json!({"type": "tool_use", "id": id, "name": "Read", "input": {"file_path": "/srv/a"}}))
    }

    pub(crate) fn dispatch(self, id: &str, prompt: &str) -> Self {
        let input = json!({"description": id, "prompt": prompt});
        self.assistant(json!({"type": "tool_use", "id": id, "name": "Agent", "input": input}))
    }

    pub(crate) fn assistant(self, block: Value) -> Self {
        self.line(json!({"type": "assistant", "message": {"role": "assistant", "model": "m", "content": [block]}}))
    }

    pub(crate) fn result(self, id: &str, text: &str) -> Self {
        self.structured(id, text, Value::Null)
    }

    /// A result with a structured field.
    pub(crate) fn structured(self, id: &str, text: &str, structured: Value) -> Self {
        let block = json!({"type": "tool_result", "tool_use_id": id, "content": [{"type": "text", "text": text}]});
        let message = json!({"role": "user", "content": [block]});
        if structured.is_null() {
            self.line(json!({"type": "user", "message": message}))
        } else {
            self.line(json!({"type": "user", "message": message, "toolUseResult": structured}))
        }
    }

    /// The acknowledgement of a dispatch in the background.
    pub(crate) fn launched(self, id: &str, agent: &str) -> Self {
        let structured = json!({"status": "async_launched", "agentId": agent, "isAsync": true});
        self.structured(id, "Async agent launched successfully.", structured)
    }

    /// A report.
    pub(crate) fn report(self, id: &str, agent: &str, text: &str) -> Self {
        let structured = json!({"status": "completed", "agentId": agent, "content": [{"type": "text", "text": text}]});
        self.structured(id, text, structured)
    }
}

/// A time of the lines above.
pub(crate) fn time(second: u32) -> String {
    format!("2026-03-02T09:{:02}:{:02}.000Z", second / 60, second % 60)
}
