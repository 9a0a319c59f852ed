//! The words of the manager: roles, the two vocabularies of status, and what an error's text says of its cause. Knows
//! no record.

use serde_json::Value;

use crate::object::Object;

/// The canonical spelling of a role, from any that was ever written; none for a word that is no role.
pub(crate) fn role(word: &str) -> Option<&'static str> {
    Some(match word.trim().to_ascii_lowercase().as_str() {
        "worker" | "general" | "general-purpose" | "general_purpose" | "default" => "worker",
        "scout" | "explore" | "exploration" | "explorer" => "scout",
        "planner" | "plan" | "planning" | "awaiter" => "planner",
        "reviewer" | "review" | "code-review" | "code_review" => "reviewer",
        "builder" | "implementer" | "implement" | "implementation" => "builder",
        "verifier" | "verify" | "verification" | "validator" | "tester" => "verifier",
        "consultant" | "oracle" | "advisor" => "consultant",
        "custom" => "custom",
        _ => return None,
    })
}

/// How the result of an agent stands: the manager's first machine.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Sub<'v> {
    BudgetExhausted,
    Cancelled,
    Completed,
    Failed(&'v str),
    Interrupted(&'v str),
    Running,
}

impl<'v> Sub<'v> {
    /// Reads `"Running"`, `{"Failed":"…"}` and so on.
    pub(crate) fn of(status: &'v Value) -> Option<Self> {
        let (word, reason) = match Object::of(status) {
            Some(object) => object.only().map(|(word, reason)| (word, reason.as_str().unwrap_or_default()))?,
            None => (status.as_str()?, ""),
        };
        Some(match word {
            "BudgetExhausted" => Self::BudgetExhausted,
            "Cancelled" => Self::Cancelled,
            "Completed" => Self::Completed,
            "Failed" => Self::Failed(reason),
            "Interrupted" => Self::Interrupted(reason),
            "Running" => Self::Running,
            _ => return None,
        })
    }

    /// The word that the manager shows for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::BudgetExhausted => "budget_exhausted",
            Self::Cancelled => "cancelled",
            Self::Completed => "completed",
            Self::Failed(_) => "failed",
            Self::Interrupted(_) => "interrupted",
            Self::Running => "running",
        }
    }
}

/// How a worker stands: the manager's second machine.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Worker {
    Cancelled,
    Completed,
    Failed,
    Interrupted,
    ModelWait,
    Queued,
    Running,
    RunningTool,
    Starting,
    WaitingForUser,
}

impl Worker {
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "cancelled" => Self::Cancelled,
            "completed" => Self::Completed,
            "failed" => Self::Failed,
            "interrupted" => Self::Interrupted,
            "model_wait" => Self::ModelWait,
            "queued" => Self::Queued,
            "running" => Self::Running,
            "running_tool" => Self::RunningTool,
            "starting" => Self::Starting,
            "waiting_for_user" => Self::WaitingForUser,
            _ => return None,
        })
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
            Self::ModelWait => "model_wait",
            Self::Queued => "queued",
            Self::Running => "running",
            Self::RunningTool => "running_tool",
            Self::Starting => "starting",
            Self::WaitingForUser => "waiting_for_user",
        }
    }

    /// What to do about it, in the manager's words: an action, and the tool for it (S4-20).
    pub(crate) fn recommended_action(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::ModelWait | Self::Queued | Self::Running | Self::RunningTool | Self::Starting => {
                ("continue_parent_work", None)
            }
            Self::Interrupted | Self::WaitingForUser => ("inspect_or_replace", Some("handle_read")),
            Self::Completed => ("verify_self_report", Some("handle_read")),
            Self::Failed => ("inspect_failure", Some("handle_read")),
            Self::Cancelled => ("open_replacement_if_needed", Some("agent")),
        }
    }
}

/// How an agent ended, in the words of R16.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum End {
    BudgetExhausted,
    Completed,
    Failed,
    Interrupted,
    Stopped,
    TimedOut,
}

impl End {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::BudgetExhausted => "budget_exhausted",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
            Self::Stopped => "stopped",
            Self::TimedOut => "timed_out",
        }
    }

    /// The word that a worker has for it: it knows no budgets and no times (W4-11).
    pub(crate) fn of_worker(self) -> Worker {
        match self {
            Self::BudgetExhausted | Self::Failed | Self::TimedOut => Worker::Failed,
            Self::Completed => Worker::Completed,
            Self::Interrupted => Worker::Interrupted,
            Self::Stopped => Worker::Cancelled,
        }
    }
}

/// What a failure is that a message tells: only the manager's own sentences say more than that it is one.
pub(crate) fn failure_told(error: &str) -> End {
    let error = error.to_lowercase();
    if error.contains("token budget exhausted") {
        End::BudgetExhausted
    } else if error.contains("wall-time budget exhausted") {
        End::TimedOut
    } else {
        End::Failed
    }
}

/// What a failure in a record is, whose class the manager would guess from the same text. A request that
/// ran out of time did so whatever else its text mentions (W4-30).
pub(crate) fn failure_recorded(error: &str) -> End {
    let told = failure_told(error);
    let error = error.to_lowercase();
    let is_timeout = error.contains("timed out") || error.contains("timeout");
    if told == End::Failed && is_timeout { End::TimedOut } else { told }
}

/// What a failure is whose class the manager states.
pub(crate) fn failure_of_class(status: &str, class: Option<&str>) -> End {
    match (status, class) {
        ("budget_exhausted", _) | (_, Some("token_budget")) => End::BudgetExhausted,
        (_, Some("wall_time_budget" | "timeout")) => End::TimedOut,
        (_, Some(_) | None) => End::Failed,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_spelling_of_a_role() {
        let spellings = [
            ("worker", "worker general general-purpose general_purpose default"),
            ("scout", "scout explore exploration explorer"),
            ("planner", "planner plan planning awaiter"),
            ("reviewer", "reviewer review code-review code_review"),
            ("builder", "builder implementer implement implementation"),
            ("verifier", "verifier verify verification validator tester"),
            ("consultant", "consultant oracle advisor"),
            ("custom", "custom"),
        ];
        for (canonical, words) in spellings {
            for word in words.split(' ') {
                assert_eq!(role(word), Some(canonical));
                assert_eq!(role(&format!(" {} ", word.to_uppercase())), Some(canonical));
            }
        }
        assert_eq!((role("wizard"), role("")), (None, None));
    }

    #[test]
    fn both_vocabularies() {
        for (status, want) in [
            (json!("Running"), Some(Sub::Running)),
            (json!("Completed"), Some(Sub::Completed)),
            (json!({ "Interrupted": "why" }), Some(Sub::Interrupted("why"))),
            (json!({ "Failed": "boom" }), Some(Sub::Failed("boom"))),
            (json!("Cancelled"), Some(Sub::Cancelled)),
            (json!("BudgetExhausted"), Some(Sub::BudgetExhausted)),
            (json!("running"), None),
            (json!({ "Failed": "boom", "x": 1 }), None),
            (json!(3), None),
        ] {
            assert_eq!(Sub::of(&status), want, "{status}");
        }
        for word in "queued starting running waiting_for_user model_wait running_tool completed failed cancelled \
                     interrupted"
            .split_whitespace()
        {
            assert_eq!(Worker::of(word).map(Worker::word), Some(word));
        }
        assert_eq!(Worker::of("Running"), None);
    }

    #[test]
    fn what_an_error_says_of_its_cause() {
        let cases = [
            ("Child token budget exhausted before finishing", "budget_exhausted", "budget_exhausted"),
            ("child wall-time budget exhausted (limit: 60s); x", "timed_out", "timed_out"),
            ("request timed out, then quota", "failed", "timed_out"),
            ("child step budget exhausted (limit: 60 steps; used: 60)", "failed", "failed"),
            ("boom", "failed", "failed"),
        ];
        for (error, told, recorded) in cases {
            assert_eq!((failure_told(error).word(), failure_recorded(error).word()), (told, recorded), "{error}");
        }
        for (status, class, want) in [
            ("budget_exhausted", None, "budget_exhausted"),
            ("failed", Some("token_budget"), "budget_exhausted"),
            ("failed", Some("wall_time_budget"), "timed_out"),
            ("failed", Some("timeout"), "timed_out"),
            ("failed", Some("empty_turn"), "failed"),
            ("failed", Some("step_budget"), "failed"),
            ("failed", Some("auth_or_quota"), "failed"),
            ("failed", Some("runtime_error"), "failed"),
            ("failed", None, "failed"),
        ] {
            assert_eq!(failure_of_class(status, class).word(), want, "{status} {class:?}");
        }
    }
}
