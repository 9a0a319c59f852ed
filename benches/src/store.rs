//! A stored session as long as wanted, made of the captures' own lines.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::captured::{Captured, Kind, lines};
use crate::random::Random;
use crate::texts::Texts;

/// How a made-up store looks.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Agents whose lines stand in files of their own, nested ones included.
    pub agents: usize,
    /// Agents that another agent dispatched.
    pub nested: usize,
    /// Agents at work at the same time, nested ones not counted; their lines alternate in time.
    pub at_once: usize,
    /// Bytes of all files, about.
    pub bytes: usize,
}

impl Shape {
    /// A long day of a client that works with sub-agents: 200 of them, ten at once, 100 MB of lines. A step of an agent
    /// is a call and its result, one in two with a word before it and one in three with a line of bookkeeping after it,
    /// each drawn from the captures. One result in ten is long (`LONG_RESULTS`); half of these have a twin in
    /// `toolUseResult`, as most clients before 2.1.100 write it.
    pub const LONG_DAY: Self = Self { agents: 200, nested: 20, at_once: 10, bytes: 100_000_000 };
}

/// Bytes of long results, each with its weight: what agents read is mostly a file of some hundred lines, now and then
/// one of ten thousand.
const LONG_RESULTS: [(usize, u64); 5] = [(3_000, 50), (10_000, 25), (30_000, 20), (200_000, 4), (1_000_000, 1)];

/// A store on disk, and what a replay of it must find.
#[derive(Debug)]
pub struct Store {
    /// The session file; the others stand in the folder of its name.
    pub session_file: PathBuf,
    /// Bytes of all files of lines.
    pub bytes: u64,
    /// Lines of all of them.
    pub lines: u64,
    /// Agents that the main thread dispatched.
    pub cards: usize,
    /// Calls of all agents.
    pub calls: u64,
    /// Bytes of the longest line.
    pub longest_line: usize,
    _folder: TempDir,
}

impl Store {
    /// Writes a store into a temporary directory. Equal shapes give equal bytes.
    ///
    /// # Panics
    ///
    /// If the captures cannot be read or the store not be written.
    #[must_use]
    pub fn write(shape: Shape) -> Self {
        let folder = TempDir::new().expect("a temporary directory can be made");
        let mut writer = Writer::new(folder.path(), shape);
        writer.session();
        let Writer { session_file, bytes, lines, calls, longest_line, .. } = writer;
        let cards = shape.agents - shape.nested;
        Self { session_file, bytes, lines, cards, calls, longest_line, _folder: folder }
    }
}

const SESSION: &str = "5e550000-0000-4000-8000-000000000000";

/// The first moment of a store, in Unix milliseconds: 2026-03-02 09:00 UTC.
const BEGIN_MS: u64 = 1_772_442_000_000;

struct Writer {
    shape: Shape,
    pools: Pools,
    texts: Texts,
    random: Random,
    session_file: PathBuf,
    subagents: PathBuf,
    agents_left: usize,
    clock_ms: u64,
    serial: u64,
    bytes: u64,
    lines: u64,
    calls: u64,
    longest_line: usize,
}

/// An agent at work.
struct Agent {
    id: String,
    dispatch: String,
    file: Vec<u8>,
    /// The uuid of its last line.
    last_uuid: Option<String>,
}

impl Agent {
    fn new(id: String, dispatch: String) -> Self {
        Self { id, dispatch, file: Vec::new(), last_uuid: None }
    }
}

impl Writer {
    fn new(folder: &Path, shape: Shape) -> Self {
        let subagents = folder.join(SESSION).join("subagents");
        fs::create_dir_all(&subagents).expect("a folder can be made");
        Self {
            shape,
            pools: Pools::new(),
            texts: Texts::new(),
            random: Random::new(),
            session_file: folder.join(SESSION).with_extension("jsonl"),
            subagents,
            agents_left: shape.agents,
            clock_ms: BEGIN_MS,
            serial: 0,
            bytes: 0,
            lines: 0,
            calls: 0,
            longest_line: 0,
        }
    }

    /// Waves of agents, each dispatched by the main thread, at work side by side, and answered.
    fn session(&mut self) {
        let mut main = Agent::new(String::new(), String::new());
        let top = self.shape.agents - self.shape.nested;
        // The first agents of the session dispatch the nested ones, one each.
        let mut nested_left = self.shape.nested;
        let mut done = 0;
        while done < top {
            let wave = self.shape.at_once.min(top - done);
            let mut agents: Vec<Agent> = (0..wave).map(|_| self.dispatch(&mut main, 1)).collect();
            let with_child = nested_left.min(wave.div_ceil(2));
            nested_left -= with_child;
            let children: Vec<Agent> = agents[..with_child].iter_mut().map(|parent| self.dispatch(parent, 2)).collect();
            let parents = agents.len();
            agents.extend(children);
            self.work(&mut agents);
            for (parent, child) in agents.split_off(parents).into_iter().enumerate() {
                self.answer(&mut agents[parent], child);
            }
            for agent in agents {
                self.answer(&mut main, agent);
                self.bookkeeping(&mut main);
            }
            done += wave;
        }
        let path = self.session_file.clone();
        self.close(&path, &main.file);
    }

    /// Steps of the agents in turn, until each has its share of the bytes that are left.
    fn work(&mut self, agents: &mut [Agent]) {
        let share = self.shape.bytes.saturating_sub(self.bytes as usize) / self.agents_left;
        while agents.iter().any(|agent| agent.file.len() < share) {
            for agent in agents.iter_mut().filter(|agent| agent.file.len() < share) {
                self.step(agent);
            }
        }
    }

    fn step(&mut self, agent: &mut Agent) {
        if self.random.below(2) == 0 {
            let said = self.pools.draw(Kind::Said, &mut self.random);
            self.line(agent, &said, &[]);
        }
        let call = self.pools.draw(Kind::Call, &mut self.random);
        let id = self.id("toolu_");
        self.line(agent, &call, &[(call_id(&call.value), &id)]);
        self.calls += 1;
        let mut result = self.pools.draw(Kind::Result, &mut self.random);
        if self.random.below(10) == 0 {
            let bytes = self.random.weighted(&LONG_RESULTS);
            let (which, from) = (self.random.below(4), self.random.below(1 << 20));
            let has_twin = self.random.below(2) == 0;
            result = result.with_text(self.texts.cut(which as usize, from as usize, bytes), has_twin);
        }
        self.line(agent, &result, &[(result_id(&result.value), &id)]);
        if self.random.below(3) == 0 {
            self.bookkeeping(agent);
        }
    }

    fn bookkeeping(&mut self, agent: &mut Agent) {
        let line = self.pools.draw(Kind::Bookkeeping, &mut self.random);
        self.line(agent, &line, &[]);
    }

    /// A call that starts an agent, its sidecar and its prompt.
    fn dispatch(&mut self, parent: &mut Agent, depth: u64) -> Agent {
        let (dispatch, id) = (self.id("toolu_"), self.id("a"));
        let line = self.pools.dispatch.clone();
        let description = format!("Look into {id}");
        let replaced = [
            (call_id(&line.value), &*dispatch),
            (text_of(&line.value["message"]["content"][0]["input"]["description"]), &description),
        ];
        self.line(parent, &line, &replaced);
        let mut sidecar = serde_json::json!({
            "agentType": "general-purpose", "description": description, "toolUseId": dispatch, "spawnDepth": depth,
        });
        if depth > 1 {
            sidecar["parentAgentId"] = parent.id.clone().into();
            self.calls += 1;
        }
        let path = self.subagents.join(format!("agent-{id}.meta.json"));
        fs::write(path, sidecar.to_string()).expect("a file can be written");
        let mut agent = Agent::new(id, dispatch);
        let prompt = self.pools.draw(Kind::Prompt, &mut self.random);
        self.line(&mut agent, &prompt, &[]);
        agent
    }

    /// The agent's last word, and its report as the answer to the dispatch.
    fn answer(&mut self, parent: &mut Agent, mut agent: Agent) {
        let said = self.pools.draw(Kind::Said, &mut self.random);
        self.line(&mut agent, &said, &[]);
        let line = self.pools.answer.clone();
        let agent_id = text_of(&line.value["toolUseResult"]["agentId"]).to_owned();
        self.line(parent, &line, &[(result_id(&line.value), &agent.dispatch), (&agent_id, &agent.id)]);
        let path = self.subagents.join(format!("agent-{}.jsonl", agent.id));
        self.close(&path, &agent.file);
    }

    /// Appends a line to the agent's file, with ids and a time of its own.
    fn line(&mut self, agent: &mut Agent, captured: &Captured, replaced: &[(&str, &str)]) {
        self.clock_ms += 20 + self.random.below(100);
        let uuid = self.uuid();
        let mut line = captured.line.clone();
        let mut replace = |old: &str, new: &str| {
            if !old.is_empty() {
                line = line.replace(old, new);
            }
        };
        for (old, new) in replaced {
            replace(old, new);
        }
        let value = &captured.value;
        let parent = Value::from(agent.last_uuid.take()).to_string();
        replace(&format!("\"parentUuid\":{}", value["parentUuid"]), &format!("\"parentUuid\":{parent}"));
        replace(text_of(&value["uuid"]), &uuid);
        replace(text_of(&value["sessionId"]), SESSION);
        replace(text_of(&value["timestamp"]), &time(self.clock_ms));
        if !agent.id.is_empty() {
            replace(text_of(&value["agentId"]), &agent.id);
        }
        self.lines += 1;
        self.longest_line = self.longest_line.max(line.len());
        writeln!(agent.file, "{line}").expect("a Vec takes everything");
        agent.last_uuid = Some(uuid);
    }

    fn close(&mut self, path: &Path, file: &[u8]) {
        self.agents_left = self.agents_left.saturating_sub(1);
        self.bytes += file.len() as u64;
        fs::write(path, file).expect("a file can be written");
    }

    fn id(&mut self, start: &str) -> String {
        self.serial += 1;
        format!("{start}{:020x}", self.serial.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn uuid(&mut self) -> String {
        self.serial += 1;
        let bits = self.serial.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("{:08x}-{:04x}-4000-8000-{:012x}", bits >> 32, bits >> 16 & 0xffff, bits & 0xffff_ffff_ffff)
    }
}

/// The lines to draw from.
struct Pools {
    by_kind: BTreeMap<Kind, Vec<Captured>>,
    dispatch: Captured,
    answer: Captured,
}

impl Pools {
    fn new() -> Self {
        let all = lines();
        let is_dispatch = |line: &&Captured| line.stored && line.value["message"]["content"][0]["name"] == "Agent";
        let is_answer = |line: &&Captured| {
            line.stored
                && line.value["toolUseResult"]["status"] == "completed"
                && line.value["toolUseResult"]["agentId"].is_string()
        };
        // The newest client's lines come last but for its SDK's, which are the same.
        let dispatch = all.iter().rfind(is_dispatch).expect("the captures have a dispatch").clone();
        let answer = all.iter().rfind(is_answer).expect("the captures have an answer").clone();
        let mut by_kind: BTreeMap<Kind, Vec<Captured>> = BTreeMap::new();
        for line in all {
            // A file with this prompt is taken for the client's own pre-warming.
            let is_step = line.of_agent
                && line.value["message"]["content"] != "Warmup"
                && !is_dispatch(&&line)
                && !is_answer(&&line);
            let is_bookkeeping = line.stored && line.value["sessionId"].is_string() && line.kind == Kind::Bookkeeping;
            if is_step && line.kind != Kind::Bookkeeping || is_bookkeeping {
                by_kind.entry(line.kind).or_default().push(line);
            }
        }
        Self { by_kind, dispatch, answer }
    }

    fn draw(&self, kind: Kind, random: &mut Random) -> Captured {
        let pool = &self.by_kind[&kind];
        pool[random.below(pool.len() as u64) as usize].clone()
    }
}

fn call_id(line: &Value) -> &str {
    text_of(&line["message"]["content"][0]["id"])
}

fn result_id(line: &Value) -> &str {
    text_of(&line["message"]["content"][0]["tool_use_id"])
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A moment of the store's day as the lines write it.
fn time(ms: u64) -> String {
    let (seconds, millis) = ((ms - BEGIN_MS) / 1_000, (ms - BEGIN_MS) % 1_000);
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    format!("2026-03-{:02}T{hours:02}:{minutes:02}:{:02}.{millis:03}Z", 2 + days, seconds % 60)
}
