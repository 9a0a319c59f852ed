//! What a system has and a card has not: names and JSON texts, bounded as a card bounds them. Knows no name.

use cardfold_wire::Frame;
use serde_json::{Value, json};

use crate::fact;

/// Bytes of one annotation's JSON text, as many as a card takes (section 2); `limits.rs` of the tests holds the two equal.
const BYTES: usize = 1_024;

/// The annotations of one agent that a source states together. No system here has more than the 16 that a card takes.
#[derive(Debug, Default)]
pub(crate) struct Annotations(Vec<(&'static str, String)>);

impl Annotations {
    /// Notes a value that is there and says something.
    pub(crate) fn note<V: Into<Value>>(&mut self, name: &'static str, value: Option<V>) {
        let Some(value) = value.map(Into::into).filter(|value| !is_empty(value)) else { return };
        self.0.push((name, bounded(&value)));
    }

    /// The frame that tells them; none where there are none.
    pub(crate) fn frame(self, agent: &str) -> Option<Frame<'static>> {
        (!self.0.is_empty()).then(|| fact::annotations(agent, self.0))
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The JSON text of a value, or of what fits of it: a text is cut and ends in an ellipsis, a list says how many items
/// it has and shows the first, an object says how large it is.
fn bounded(value: &Value) -> String {
    let text = value.to_string();
    if text.len() <= BYTES {
        return text;
    }
    match value {
        Value::String(long) => longest(long.char_indices().map(|(at, _)| json!(format!("{}…", &long[..at])))),
        Value::Array(items) => {
            longest((0..=items.len()).map(|n| json!({ "count": items.len(), "first": &items[..n] })))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            json!({ "bytes": text.len() }).to_string()
        }
    }
}

/// The last of some ever longer values that fits. The first always does.
fn longest(values: impl Iterator<Item = Value>) -> String {
    let texts = values.map(|value| value.to_string());
    texts.take_while(|text| text.len() <= BYTES).last().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_says_so_and_stays_json() {
        let list: Vec<String> = (0..500).map(|n| format!("src/file{n}.rs")).collect();
        let value: Value = serde_json::from_str(&bounded(&json!(list))).expect("it is JSON");
        assert_eq!((&value["count"], &value["first"][1]), (&json!(500), &json!("src/file1.rs")));
        let text = bounded(&json!("é".repeat(2_000)));
        assert!(text.len() <= BYTES && text.len() > BYTES - 8 && text.ends_with("…\""), "{}", text.len());
        assert_eq!(bounded(&json!({ "a": "x".repeat(BYTES) })), r#"{"bytes":1032}"#);
        assert_eq!(bounded(&json!(["x".repeat(BYTES)])), r#"{"count":1,"first":[]}"#);
        assert_eq!(bounded(&json!({ "a": 1 })), r#"{"a":1}"#);
    }

    #[test]
    fn nothing_is_no_annotation() {
        let mut annotations = Annotations::default();
        annotations.note("a", None::<Value>);
        annotations.note("b", Some(Vec::<Value>::new()));
        annotations.note("c", Some(" "));
        assert!(annotations.frame("x").is_none());
    }
}
