//! Event lines of workers, in every spelling. Knows no worker.

use serde_json::Value;

use crate::object::Object;

/// What happened to a worker.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum EventKind {
    /// The queue's own word on how it ended.
    Completion,
    /// It ended; how has to be guessed from a text.
    Done,
    Start,
    Update,
}

/// An event of a worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event<'v> {
    pub(crate) kind: EventKind,
    /// The worker's number; none where it cannot be read.
    pub(crate) number: Option<u64>,
    pub(crate) at_ms: Option<i64>,
    pub(crate) fields: Object<'v>,
}

impl<'v> Event<'v> {
    /// Reads an event: `{"event":"subagent_start",…}`, `{"SubagentStart":{…}}`, either inside one object that wraps the
    /// agents' events, or `{"content_type":"subagent_completion","data":{…}}`.
    pub(crate) fn of(object: Object<'v>) -> Option<Self> {
        if let Some(kind) = object.text("event").and_then(kind_of) {
            return Some(Self::with(kind, object, object));
        }
        if let Some(kind) = object.text("content_type").and_then(kind_of) {
            return Some(Self::with(kind, object.object("data")?, object));
        }
        tagged(object).or_else(|| {
            // The wrapper of the agents' events holds one event and nothing else.
            let (_, inner) = object.only()?;
            tagged(Object::of(inner)?)
        })
    }

    fn with(kind: EventKind, fields: Object<'v>, line: Object<'v>) -> Self {
        Self {
            kind,
            number: fields.count("subagent_id"),
            at_ms: fields.millis("at_ms").or(line.millis("at_ms")),
            fields,
        }
    }

    /// How long the worker ran, in milliseconds.
    pub(crate) fn duration_ms(&self) -> Option<u64> {
        let ms = (self.fields.get("duration_secs")?.as_f64()? * 1_000.0).round();
        // A duration that no worker can have had is none.
        (0.0..1e15).contains(&ms).then_some(ms as u64)
    }

    /// The status word of a completion, and the reason that comes with it.
    pub(crate) fn status(&self) -> Option<(&'v str, Option<&'v str>)> {
        let error = self.fields.first_text(&["error", "reason"]);
        status_of(self.fields.get("status")?).map(|(word, reason)| (word, reason.or(error)))
    }
}

/// A status as a word, or as a word that carries its reason: `{"Failed":"…"}`.
pub(crate) fn status_of(status: &Value) -> Option<(&str, Option<&str>)> {
    match Object::of(status) {
        Some(object) => object.only().map(|(word, reason)| (word, reason.as_str())),
        None => status.as_str().map(|word| (word, None)),
    }
}

/// An event whose name is the key of its fields. Its time may stand beside it.
fn tagged(object: Object<'_>) -> Option<Event<'_>> {
    ["SubagentStart", "SubagentUpdate", "SubagentDone", "SubagentCompletion"].into_iter().find_map(|name| {
        let kind = kind_of(name)?;
        Some(Event::with(kind, object.object(name)?, object))
    })
}

fn kind_of(name: &str) -> Option<EventKind> {
    match name {
        "subagent_completion" | "SubagentCompletion" => Some(EventKind::Completion),
        "subagent_done" | "SubagentDone" => Some(EventKind::Done),
        "subagent_start" | "SubagentStart" => Some(EventKind::Start),
        "subagent_update" | "SubagentUpdate" => Some(EventKind::Update),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_spelling_is_the_same_event() {
        let lines = [
            json!({ "event": "subagent_done", "subagent_id": 4, "at_ms": 9, "duration_secs": 8.25 }),
            json!({ "SubagentDone": { "subagent_id": 4, "at_ms": 9, "duration_secs": 8.25 } }),
            json!({ "SubagentDone": { "subagent_id": 4, "duration_secs": 8.25 }, "at_ms": 9 }),
            json!({ "Agent": { "SubagentDone": { "subagent_id": 4, "at_ms": 9, "duration_secs": 8.2496 } } }),
        ];
        for line in lines {
            let event = Event::of(Object::of(&line).expect("it is an object")).expect("it is an event");
            assert_eq!((event.kind, event.number, event.at_ms), (EventKind::Done, Some(4), Some(9)), "{line}");
            assert_eq!(event.duration_ms(), Some(8_250), "{line}");
        }
        let line =
            json!({ "content_type": "subagent_completion", "data": { "subagent_id": 1, "status": "cancelled" } });
        let event = Event::of(Object::of(&line).expect("it is an object")).expect("it is an event");
        assert_eq!((event.kind, event.status()), (EventKind::Completion, Some(("cancelled", None))));
        for line in [json!({ "event": "other" }), json!({ "Agent": 1 }), json!({}), json!({ "a": {}, "b": {} })] {
            assert!(Event::of(Object::of(&line).expect("it is an object")).is_none(), "{line}");
        }
    }

    #[test]
    fn a_status_may_carry_its_reason() {
        let status = |fields: Value| {
            let fields = json!({ "SubagentCompletion": fields });
            let event = Event::of(Object::of(&fields).expect("it is an object")).expect("it is an event");
            event.status().map(|(word, reason)| (word.to_owned(), reason.map(str::to_owned)))
        };
        let failed = Some(("Failed".to_owned(), Some("boom".to_owned())));
        assert_eq!(status(json!({ "status": { "Failed": "boom" } })), failed);
        assert_eq!(status(json!({ "status": "Failed", "error": "boom" })), failed);
        assert_eq!(status(json!({ "error": "boom" })), None);
        assert_eq!(status(json!({ "status": 3 })), None);
    }

    #[test]
    fn impossible_durations_are_none() {
        for secs in [json!(-1.0), json!(1e300), json!("8"), json!(null)] {
            let line = json!({ "event": "subagent_done", "duration_secs": secs });
            let event = Event::of(Object::of(&line).expect("it is an object")).expect("it is an event");
            assert_eq!(event.duration_ms(), None, "{line}");
        }
    }
}
