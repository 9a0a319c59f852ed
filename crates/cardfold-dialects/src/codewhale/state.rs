//! The manager's state file, record by record: what stands in it, its defaults, and what a damaged record costs. Knows
//! no other snapshot.
//!
//! One record that cannot be read costs that record, not the file (W4-12). Not read at all: prompts, permissions and
//! profiles, the coordination between agents, and `duration_ms`, which grows for as long as the manager runs (W4-16).

use std::collections::BTreeMap;

use cardfold_wire::Usage;
use serde_json::{Value, json};

use crate::annotations::Annotations;
use crate::codewhale::standing::{Standing, Words, standing};
use crate::codewhale::words::{Sub, Worker, role};
use crate::object::Object;

/// The only version there is.
const VERSION: u64 = 1;

/// A snapshot.
#[derive(Debug)]
pub(crate) struct Snapshot<'v> {
    /// Rises with every write.
    pub(crate) sequence: Option<u64>,
    /// The agents in the order in which they started.
    pub(crate) records: Vec<Record<'v>>,
    /// What cannot be read.
    pub(crate) faults: Vec<String>,
}

/// What the file says of one agent: its own row, its worker's, or both.
#[derive(Debug)]
pub(crate) struct Record<'v> {
    pub(crate) id: &'v str,
    agent: Option<Row<'v, Sub<'v>>>,
    worker: Option<Row<'v, Worker>>,
}

/// A row, of one of the two machines.
#[derive(Clone, Copy, Debug)]
struct Row<'v, S> {
    id: &'v str,
    fields: Object<'v>,
    status: S,
    role: &'static str,
}

impl<'v> Snapshot<'v> {
    /// The object is a state file.
    pub(crate) fn is(object: Object<'_>) -> bool {
        object.get("schema_version").is_some() && object.get("agents").is_some_and(Value::is_array)
    }

    /// Reads a state file. Another version is none that can be read.
    pub(crate) fn of(object: Object<'v>) -> Result<Self, String> {
        let version = object.get("schema_version").unwrap_or(&Value::Null);
        if version.as_u64() != Some(VERSION) {
            return Err(format!("a state file of version {version}"));
        }
        let mut faults = Vec::new();
        let mut by_id: BTreeMap<&str, Record<'v>> = BTreeMap::new();
        for row in rows(object, "agents", agent_row, &mut faults) {
            by_id.entry(row.id).or_insert(Record { id: row.id, agent: None, worker: None }).agent.get_or_insert(row);
        }
        for row in rows(object, "workers", worker_row, &mut faults) {
            by_id.entry(row.id).or_insert(Record { id: row.id, agent: None, worker: None }).worker.get_or_insert(row);
        }
        let mut records: Vec<Record<'v>> = by_id.into_values().collect();
        records.sort_by_key(Record::started_ms);
        Ok(Self { sequence: object.count("snapshot_sequence"), records, faults })
    }
}

/// The rows of a list that can be read; what is wrong with the others goes to `faults`.
fn rows<'v, S>(
    object: Object<'v>,
    list: &str,
    read: impl Fn(Object<'v>) -> Result<Row<'v, S>, String>,
    faults: &mut Vec<String>,
) -> Vec<Row<'v, S>> {
    let mut rows = Vec::new();
    for (place, value) in object.list(list).iter().enumerate() {
        let row = Object::of(value).ok_or_else(|| "not an object".to_owned()).and_then(&read);
        match row {
            Ok(row) => rows.push(row),
            Err(fault) => faults.push(format!("{list}[{place}]: {fault}")),
        }
    }
    rows
}

fn agent_row(fields: Object<'_>) -> Result<Row<'_, Sub<'_>>, String> {
    let id = fields.text("id").ok_or("no readable `id`")?;
    let status = fields.get("status").and_then(Sub::of).ok_or_else(|| unread("status", fields))?;
    let role = fields.text("agent_type").and_then(role).ok_or_else(|| unread("agent_type", fields))?;
    Ok(Row { id, fields, status, role })
}

fn worker_row(fields: Object<'_>) -> Result<Row<'_, Worker>, String> {
    let spec = fields.object("spec").ok_or("no readable `spec`")?;
    let id = spec.text("worker_id").ok_or("no readable `spec.worker_id`")?;
    let status = fields.text("status").and_then(Worker::of).ok_or_else(|| unread("status", fields))?;
    let role = spec.text("agent_type").and_then(role).ok_or_else(|| unread("agent_type", spec))?;
    Ok(Row { id, fields, status, role })
}

fn unread(key: &str, fields: Object<'_>) -> String {
    match fields.get(key) {
        Some(value) => format!("`{key}` is {value}"),
        None => format!("no `{key}`"),
    }
}

impl<'v> Record<'v> {
    /// Where the agent stands, by both machines.
    pub(crate) fn standing(&self) -> Standing<'v> {
        let words = Words {
            error: self.worker_text("error"),
            latest_message: self.worker_text("latest_message"),
            usage: self.worker_object("usage").and_then(|usage| usage.text("status")),
        };
        let (sub, worker) = (self.agent.map(|row| row.status), self.worker.map(|row| row.status));
        standing(sub, worker, self.can_go_on(), words).expect("a record has a row of one of the machines")
    }

    /// A checkpoint with messages is there to go on from (S4-34).
    fn can_go_on(&self) -> bool {
        self.checkpoint().is_some_and(|checkpoint| {
            checkpoint.flag("continuable") == Some(true) && !checkpoint.list("messages").is_empty()
        })
    }

    fn checkpoint(&self) -> Option<Object<'v>> {
        self.agent?.fields.object("checkpoint")
    }

    /// What people call it: a nickname is a person's, since the manager does not write its own down.
    pub(crate) fn name(&self) -> &'v str {
        let own = |key| self.agent.and_then(|row| row.fields.text(key));
        let of_spec = || self.spec().and_then(|spec| spec.text("session_name"));
        own("nickname").or_else(|| own("session_name")).or_else(of_spec).unwrap_or(self.id)
    }

    pub(crate) fn role(&self) -> &'static str {
        self.agent.map(|row| row.role).or(self.worker.map(|row| row.role)).unwrap_or("custom")
    }

    pub(crate) fn model(&self) -> Option<&'v str> {
        let own = self.agent.and_then(|row| row.fields.text("model"));
        own.or(self.spec().and_then(|spec| spec.text("model"))).filter(|model| *model != "unknown")
    }

    /// The agent that started it. The session itself is none, also where a record spells it out as `root` (W4-31):
    /// nobody goes by that name.
    pub(crate) fn parent(&self) -> Option<&'v str> {
        self.worker_text("parent_run_id").or(self.spec().and_then(|spec| spec.text("parent_run_id")))
    }

    pub(crate) fn started_ms(&self) -> Option<i64> {
        let worker = self.worker?.fields;
        worker.millis("started_at_ms").or(worker.millis("created_at_ms"))
    }

    /// When the worker ended; stale while it has not (W4-3).
    pub(crate) fn completed_ms(&self) -> Option<i64> {
        self.worker?.fields.millis("completed_at_ms")
    }

    /// The question that it waits with.
    pub(crate) fn question(&self) -> Option<&'v str> {
        self.agent?.fields.object("needs_input")?.text("question")
    }

    pub(crate) fn latest_message(&self) -> Option<&'v str> {
        self.worker_text("latest_message")
    }

    /// The stamped summary, or the result.
    pub(crate) fn report(&self) -> Option<&'v str> {
        self.worker_text("result_summary").or(self.agent.and_then(|row| row.fields.text("result")))
    }

    /// Tokens. The time is not the agent's (W4-16), and nobody counts its calls.
    pub(crate) fn usage(&self) -> Usage {
        let Some(usage) = self.worker_object("usage") else { return Usage::default() };
        Usage { total_tokens: total_tokens(usage), ..Usage::default() }
    }

    /// The agent whose conversation this one goes on with.
    pub(crate) fn resumed_from(&self) -> Option<&'v str> {
        let manifest = self.spec()?.object("launch_manifest")?;
        manifest.text("resume_from_agent_id").filter(|source| *source != self.id)
    }

    /// The worker's ring of events, oldest first.
    pub(crate) fn events(&self) -> impl Iterator<Item = Object<'v>> + use<'v> {
        let events = self.worker.map_or(&[][..], |row| row.fields.list("events"));
        events.iter().filter_map(Object::of)
    }

    fn spec(&self) -> Option<Object<'v>> {
        self.worker_object("spec")
    }

    fn worker_text(&self, key: &str) -> Option<&'v str> {
        self.worker?.fields.text(key)
    }

    fn worker_object(&self, key: &str) -> Option<Object<'v>> {
        self.worker?.fields.object(key)
    }

    /// What a card has no field for, with the defaults that the manager itself would put in (S4-26).
    pub(crate) fn annotations(&self) -> Annotations {
        let mut annotations = Annotations::default();
        annotations.note("checkpoint", self.checkpoint().map(checkpoint_annotation));
        annotations.note("needs_input", self.question());
        let statuses = json!({
            "agent": self.agent.map(|row| row.status.word()),
            "worker": self.worker.map(|row| row.status.word()),
        });
        annotations.note("statuses", Some(statuses));
        let Some(worker) = self.worker.map(|row| row.fields) else { return annotations };
        let field = |key: &str| worker.get(key).cloned();
        annotations.note("artifacts", field("artifacts"));
        annotations.note("follow_up", worker.object("follow_up").and_then(|f| f.get("latest_delivery")).cloned());
        annotations.note("recommended_action", Some(self.recommended_action()));
        annotations.note("usage", Some(with_status(field("usage"), "unknown")));
        annotations.note("verification", Some(with_status(field("verification"), "self_report_only")));
        let Some(spec) = self.spec() else { return annotations };
        annotations.note("objective", spec.text("objective"));
        annotations.note("resumed_from", self.resumed_from());
        annotations.note("route", spec.get("child_route").cloned());
        let steps = json!({ "taken": worker.count("steps_taken").unwrap_or(0), "max": spec.count("max_steps") });
        annotations.note("steps", Some(steps));
        annotations
    }

    /// As the manager recomputes it: by where the agent stands.
    fn recommended_action(&self) -> Value {
        let worker = match self.standing() {
            Standing::Live(worker) => worker,
            Standing::Parked(_) => Worker::WaitingForUser,
            Standing::Over(end, _) => end.of_worker(),
        };
        let (action, tool) = worker.recommended_action();
        json!({ "action": action, "tool": tool })
    }
}

/// What of a checkpoint says how to go on from it; its messages stay where they are.
fn checkpoint_annotation(checkpoint: Object<'_>) -> Value {
    let keys = ["checkpoint_id", "continuation_handle", "reason", "continuable", "steps_taken", "message_count"];
    let fields = keys.iter().filter_map(|key| Some(((*key).to_owned(), checkpoint.get(key)?.clone())));
    Value::Object(fields.collect())
}

/// An object whose `status` is the default where it has none.
fn with_status(value: Option<Value>, default: &str) -> Value {
    let mut fields = match value {
        Some(Value::Object(fields)) => fields,
        Some(_) | None => serde_json::Map::new(),
    };
    let status = fields.entry("status").or_insert(Value::Null);
    if status.as_str().is_none_or(|status| status.trim().is_empty()) {
        *status = default.into();
    }
    Value::Object(fields)
}

/// The tokens of some usage: the total, else what went in and out.
pub(crate) fn total_tokens(usage: Object<'_>) -> Option<u64> {
    let (input, output) = (usage.count("input_tokens"), usage.count("output_tokens"));
    let sum = || Some(input.unwrap_or(0).saturating_add(output.unwrap_or(0)));
    usage.count("total_tokens").or_else(|| input.or(output).and_then(|_| sum()))
}
