//! Texts of the system: labels, receipts, and what a preview lets guess. Knows no worker.

use serde_json::Value;

use crate::object::Object;
use crate::synaps::handles::number_of;

/// Characters of a preview of a result. One that has as many was probably cut.
const PREVIEW_CHARS: usize = 120;

/// Characters of a preview of a task.
const TASK_CHARS: usize = 80;

/// Characters of a label.
const LABEL_CHARS: usize = 32;

/// The label of an inline worker without a name.
const INLINE: &str = "inline";

/// What a worker is called: the name of its agent, else its own name in letters, digits, `-` and `_`, else `inline`.
pub(crate) fn label(input: Object<'_>) -> String {
    let says_something = |text: &&str| !text.chars().all(|c| c.is_whitespace() || c.is_control());
    if let Some(agent) = input.text("agent").filter(says_something) {
        return agent.to_owned();
    }
    let mut label = String::new();
    for c in input.text("name").filter(says_something).unwrap_or_default().trim().chars() {
        if c.is_alphanumeric() || matches!(c, '-' | '_') {
            label.push(c);
        } else if !label.ends_with('-') {
            label.push('-');
        }
    }
    let label: String = label.chars().take(LABEL_CHARS).collect();
    let label = label.trim_matches('-');
    if label.is_empty() { INLINE.to_owned() } else { label.to_owned() }
}

/// The preview of a task that goes with a start.
pub(crate) fn task_preview(task: &str) -> String {
    task.chars().take(TASK_CHARS).collect()
}

/// The receipt of a launch: the number of the worker and its label.
pub(crate) fn receipt(text: &str) -> Option<(u64, Option<String>)> {
    let value: Value = serde_json::from_str(text.trim()).ok()?;
    let receipt = Object::of(&value)?;
    let number = number_of(receipt.text("handle_id")?)?;
    Some((number, receipt.text("agent_name").map(str::to_owned)))
}

/// How a worker ended, as its preview lets guess: a word of R16, and the reason or the report.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Guess<'p> {
    pub(crate) word: &'static str,
    pub(crate) reason: Option<&'p str>,
    pub(crate) report: Option<&'p str>,
    /// The report was probably cut.
    pub(crate) cut: bool,
}

/// Reads the preview of a result. A success that opens like a failure is taken for one: that is why it is a guess.
pub(crate) fn guess(preview: &str) -> Guess<'_> {
    if let Some(reason) = preview.strip_prefix("ERROR: ") {
        return Guess { word: "failed", reason: Some(reason), report: None, cut: false };
    }
    let word = if preview.starts_with("[TIMED OUT") { "timed_out" } else { "completed" };
    let report = (!preview.trim().is_empty()).then_some(preview);
    Guess { word, reason: None, report, cut: preview.chars().count() == PREVIEW_CHARS }
}

/// The ending word for a status of a completion or of what was collected; the status itself where it ends nothing, for
/// the fold to judge.
pub(crate) fn status_word(status: &str) -> &str {
    let word = status.trim();
    let lower = word.to_ascii_lowercase();
    match lower.as_str() {
        "completed" => "completed",
        "cancelled" | "canceled" => "cancelled",
        "timed_out" | "timedout" => "timed_out",
        _ if lower.starts_with("fail") => "failed",
        _ => word,
    }
}

/// The word says that the worker is over.
pub(crate) fn is_ending(word: &str) -> bool {
    matches!(word, "completed" | "cancelled" | "timed_out" | "failed")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn labels() {
        let cases = [
            (json!({ "agent": "scout", "name": "x" }), "scout"),
            (json!({ "agent": "\u{0}", "name": "gif recorder" }), "gif-recorder"),
            (json!({ "name": "  a / b  " }), "a-b"),
            (json!({ "name": "x".repeat(40) }), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
            (json!({ "name": "Größe_2" }), "Größe_2"),
            (json!({ "name": " \u{0} " }), "inline"),
            (json!({ "name": "//" }), "inline"),
            (json!({}), "inline"),
        ];
        for (input, want) in cases {
            assert_eq!(label(Object::of(&input).expect("it is an object")), want, "{input}");
        }
    }

    #[test]
    fn receipts() {
        let good = r#"{"handle_id":"sa_4","agent_name":"gif-recorder","status":"running"}"#;
        assert_eq!(receipt(good), Some((4, Some("gif-recorder".to_owned()))));
        for bad in ["", "sa_4", "{}", r#"{"handle_id":4}"#, r#"{"handle_id":"xx_4"}"#, "[1]", "Delegation refused"] {
            assert_eq!(receipt(bad), None, "{bad}");
        }
    }

    #[test]
    fn guesses() {
        let full = "x".repeat(120);
        let cases = [
            ("ERROR: no such model", "failed", Some("no such model"), None, false),
            ("ERROR handling was added.", "completed", None, Some("ERROR handling was added."), false),
            ("[TIMED OUT after 60 s] Read 3", "timed_out", None, Some("[TIMED OUT after 60 s] Read 3"), false),
            (&full, "completed", None, Some(&*full), true),
            ("", "completed", None, None, false),
        ];
        for (preview, word, reason, report, cut) in cases {
            assert_eq!(guess(preview), Guess { word, reason, report, cut }, "{preview}");
        }
    }

    #[test]
    fn status_words() {
        for (status, want) in [
            ("completed", "completed"),
            ("Completed", "completed"),
            ("cancelled", "cancelled"),
            ("timed_out", "timed_out"),
            ("TimedOut", "timed_out"),
            ("failed", "failed"),
            ("fail", "failed"),
            ("Failed", "failed"),
            ("running", "running"),
            ("sleeping", "sleeping"),
        ] {
            assert_eq!(status_word(status), want);
            assert_eq!(is_ending(want), !matches!(want, "running" | "sleeping"), "{want}");
        }
    }
}
