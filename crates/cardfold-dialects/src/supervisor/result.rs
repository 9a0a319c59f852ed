//! The result of one turn, as an event carries it and as `result.json` holds it. Knows no other turn.

use cardfold_wire::Usage;

use crate::annotations::Annotations;
use crate::object::Object;
use crate::supervisor::outcome::{Origin, ending_word};
use crate::supervisor::preview::unmarked;

/// What a result says, as far as it can be read: a field of the wrong type costs that field (W1-10).
#[derive(Debug)]
pub(crate) struct TurnResult<'v> {
    object: Object<'v>,
    pub(crate) agent_id: Option<&'v str>,
    pub(crate) turn_id: Option<&'v str>,
    status: &'v str,
    code: Option<&'v str>,
    message: Option<&'v str>,
    pub(crate) origin: Option<Origin>,
    pub(crate) created_ms: Option<i64>,
}

/// The words of `status`.
const STATUSES: [&str; 3] = ["succeeded", "failed", "canceled"];

impl<'v> TurnResult<'v> {
    pub(crate) fn of(object: Object<'v>) -> Self {
        let error = object.object("error");
        let text = |object: Option<Object<'v>>, key| object.and_then(|object| object.text(key));
        Self {
            object,
            agent_id: object.text("agent_id"),
            turn_id: object.text("turn_id"),
            status: object.text("status").unwrap_or_default(),
            code: text(error, "code"),
            // An error that is only a text is one without a code.
            message: text(error, "message").or(object.text("error")),
            origin: object.text("shutdown_origin").and_then(Origin::of),
            created_ms: object.moment("created_at"),
        }
    }

    /// A result without an envelope is told by a status of its own words beside an agent and a mark of the format.
    pub(crate) fn is_bare(object: Object<'_>) -> bool {
        let has_mark = ["version", "turn_id", "created_at"].iter().any(|key| object.get(key).is_some());
        object.text("status").is_some_and(|word| STATUSES.contains(&word))
            && object.text("agent_id").is_some()
            && object.get("type").is_none()
            && has_mark
    }

    /// The word in the result; blank where there is none.
    pub(crate) fn status(&self) -> &'v str {
        self.status
    }

    /// The ending word, or none for a status that no result has.
    pub(crate) fn word(&self) -> Option<&'static str> {
        ending_word(self.status, self.code, self.origin)
    }

    /// The supervisor shut the agent down, and wrote that instead of how the turn ended.
    pub(crate) fn is_shut_down(&self) -> bool {
        self.status != "succeeded" && self.origin.is_some()
    }

    /// The error as it is shown: code and message, those of the origin where the result has none of its own.
    pub(crate) fn error(&self) -> Option<String> {
        let stable = self.origin.filter(|_| self.status != "succeeded").map(Origin::error);
        let code = self.code.or(stable.map(|(code, _)| code));
        let message = self.message.or(stable.map(|(_, message)| message));
        error_text(code, message)
    }

    /// The output without its marker, else the summary, and whether it was cut.
    pub(crate) fn report(&self) -> Option<(&'v str, bool)> {
        let (output, cut) = unmarked(self.object.text("output").unwrap_or_default());
        if !output.trim().is_empty() {
            return Some((output, cut));
        }
        self.object.text("summary").map(|summary| (summary, cut))
    }

    /// The figures whose names are those of a card. `usage` has no schema (W1-13).
    pub(crate) fn usage(&self) -> Usage {
        let Some(usage) = self.object.object("usage") else { return Usage::default() };
        Usage {
            total_tokens: usage.count("total_tokens"),
            tool_uses: usage.count("tool_uses"),
            duration_ms: usage.count("duration_ms"),
        }
    }

    pub(crate) fn annotations(&self) -> Annotations {
        let mut annotations = Annotations::default();
        for name in ["artifacts", "changed_files", "shutdown_origin", "structured", "summary", "usage"] {
            annotations.note(name, self.object.get(name).cloned());
        }
        annotations.note("turn_id", self.turn_id);
        annotations
    }
}

/// `code: message`, or what there is of it.
pub(crate) fn error_text(code: Option<&str>, message: Option<&str>) -> Option<String> {
    match (code, message) {
        (Some(code), Some(message)) => Some(format!("{code}: {message}")),
        (Some(text), None) | (None, Some(text)) => Some(text.to_owned()),
        (None, None) => None,
    }
}
