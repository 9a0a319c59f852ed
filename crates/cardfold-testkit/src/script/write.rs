//! Steps into lines of JSON. Knows the frames that every verb shares; the verbs' own shapes stand in the files beside.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::parse::Step;

/// What a step comes to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Written {
    /// The host states that the session is over.
    End,
    /// A line of JSON.
    Line(String),
}

/// Writes frames, and remembers of the earlier ones what real frames repeat: who made a call, which task a dispatch
/// has, what a task is called.
#[derive(Clone, Debug, Default)]
pub(super) struct Writer {
    /// Steps written; makes uuids and message ids.
    count: u64,
    /// Call → the parent of its frame.
    pub(super) parents: BTreeMap<String, Option<String>>,
    /// `tool_use` id → task id.
    pub(super) tasks: BTreeMap<String, String>,
    /// Dispatch id or task id → its description.
    pub(super) titles: BTreeMap<String, String>,
}

impl Writer {
    /// Writes one step.
    pub(super) fn write(&mut self, mut step: Step) -> Written {
        self.count += 1;
        let step = &mut step;
        let frame = match step.verb.as_str() {
            "END" => {
                step.done();
                return Written::End;
            }
            "RAW" => return Written::Line(self.raw(step)),
            "A" | "C" | "D" | "SAY" | "SK" | "SM" | "STOP" | "TO" | "WF" => self.call(step),
            "ACK" | "HB" | "R" | "REP" | "SKR" | "SMR" | "STOPR" | "TOR" | "WFR" => self.result(step),
            "BTC" | "TN" | "TP" | "TS" | "TU" => self.task(step),
            "ANS" | "ASK" | "CANCEL" | "DENIED" => self.permission(step),
            "HBT" | "INT" | "META" | "NA" | "NQ" | "NT" | "USER" => self.turn(step),
            _ => step.fail("no such verb"),
        };
        Written::Line(self.finish(step, frame))
    }

    /// A line of the author's own; with fields set and dropped as in any other.
    fn raw(&self, step: &mut Step) -> String {
        let Some(super::parse::Arg::Json(Value::Object(frame))) = step.entry() else {
            step.fail("RAW wants one JSON object")
        };
        let mut frame = frame;
        self.adjust(step, &mut frame);
        Value::Object(frame).to_string()
    }

    /// Adds what every frame has, and what the author wants otherwise.
    fn finish(&self, step: &mut Step, mut frame: Map<String, Value>) -> String {
        let stored = frame.contains_key("isSidechain") || frame.get("type") == Some(&json!("queue-operation"));
        let anonymous = ["control_request", "control_response", "control_cancel_request", "queue-operation"]
            .iter()
            .any(|kind| frame.get("type") == Some(&json!(kind)));
        let session = if stored { "sessionId" } else { "session_id" };
        frame.insert(session.to_owned(), json!("s1"));
        match step.text("uuid") {
            Some(uuid) if uuid == "none" => {}
            Some(uuid) => insert(&mut frame, "uuid", json!(uuid)),
            None if anonymous => {}
            None => insert(&mut frame, "uuid", json!(format!("u{}", self.count))),
        }
        if let Some(at) = step.int("at") {
            insert(&mut frame, "timestamp", json!(rfc3339(at)));
        }
        self.adjust(step, &mut frame);
        Value::Object(frame).to_string()
    }

    fn adjust(&self, step: &mut Step, frame: &mut Map<String, Value>) {
        step.done();
        for (path, value) in std::mem::take(&mut step.sets) {
            set(step, frame, &path, value);
        }
        for key in &step.drops {
            if frame.remove(key).is_none() {
                step.fail(&format!("there is no `{key}` to leave out"));
            }
        }
    }

    /// A frame of the model with one block.
    pub(super) fn assistant(&self, step: &mut Step, parent: Option<&str>, block: Value) -> Map<String, Value> {
        let model = step.text("model").unwrap_or_else(|| "claude-sonnet-5".to_owned());
        let mut frame = object(json!({
            "type": "assistant",
            "message": {
                "id": format!("msg_{}", self.count), "type": "message", "role": "assistant", "model": model,
                "content": [block], "stop_reason": null, "usage": {"input_tokens": 4, "output_tokens": 2},
            },
            "parent_tool_use_id": parent,
        }));
        if step.flag("aborted") {
            insert(&mut frame, "aborted", json!(true));
        }
        if let Some(uuids) = step.option("supersedes") {
            insert(&mut frame, "supersedes", uuids);
        }
        named(step, &mut frame);
        frame
    }

    /// A frame of the user's side.
    pub(super) fn user(&self, step: &mut Step, parent: Option<&str>, content: Value) -> Map<String, Value> {
        let mut frame = object(json!({
            "type": "user",
            "message": {"role": "user", "content": content},
            "parent_tool_use_id": parent,
        }));
        named(step, &mut frame);
        frame
    }
}

/// `agent_id=`: the agent that a frame comes from.
fn named(step: &mut Step, frame: &mut Map<String, Value>) {
    if let Some(agent) = step.text("agent_id") {
        insert(frame, "agent_id", json!(agent));
    }
}

/// The object that a `json!({…})` is.
pub(super) fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(map) = value { map } else { Map::new() }
}

/// Sets one field.
pub(super) fn insert(frame: &mut Map<String, Value>, key: &str, value: Value) {
    frame.insert(key.to_owned(), value);
}

/// Sets a field if there is something to set.
pub(super) fn put<T: Into<Value>>(frame: &mut Map<String, Value>, key: &str, value: Option<T>) {
    if let Some(value) = value {
        insert(frame, key, value.into());
    }
}

fn set(step: &Step, frame: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => insert(frame, path, value),
        Some((head, rest)) => match frame.get_mut(head) {
            Some(Value::Object(inner)) => set(step, inner, rest, value),
            Some(_) | None => step.fail(&format!("there is no object `{head}`")),
        },
    }
}

/// `tokens=`, `uses=` and `ms=` under the names that the place gives them.
pub(super) fn figures(step: &mut Step, names: [&str; 3]) -> Map<String, Value> {
    let mut figures = Map::new();
    for (key, name) in ["tokens", "uses", "ms"].into_iter().zip(names) {
        put(&mut figures, name, step.int(key));
    }
    figures
}

/// Unix milliseconds as the client writes times.
pub(super) fn rfc3339(ms: i64) -> String {
    let (days, of_day) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    let (year, month, day) = civil(days);
    let (hour, minute) = (of_day / 3_600_000, of_day / 60_000 % 60);
    let (second, milli) = (of_day / 1000 % 60, of_day % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Days since 1970 as year, month, day: counted in years that begin in March, so that the leap day is the last one.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march_month = (5 * of_year + 2) / 153;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, of_year - (153 * march_month + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_the_client_writes_them() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(rfc3339(951_782_400_001), "2000-02-29T00:00:00.001Z");
        assert_eq!(rfc3339(1_790_295_641_558), "2026-09-25T00:20:41.558Z");
    }
}
