//! The vocabulary of states and task types (R16, R5). Knows no run.

use crate::card::{Kind, Outcome, State};

/// What a status word says.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Word {
    /// The run is over.
    Ending(Outcome),
    /// The run is alive.
    Live(State),
    /// Nothing that this build understands.
    Unknown,
}

/// The longest word that has a meaning, so that a long one need not be folded to lower case.
const LONGEST: usize = 20;

/// Reads a status word, in any case and both spellings.
pub(crate) fn status(word: &str) -> Word {
    let word = word.trim();
    if word.len() > LONGEST {
        return Word::Unknown;
    }
    match word.to_ascii_lowercase().as_str() {
        "completed" | "succeeded" | "success" => Word::Ending(Outcome::Completed),
        "failed" | "error" => Word::Ending(Outcome::Failed),
        "killed" | "stopped" | "cancelled" | "canceled" | "aborted" => Word::Ending(Outcome::Stopped),
        "timed_out" | "timedout" | "deadline_exceeded" => Word::Ending(Outcome::TimedOut),
        "budget_exhausted" => Word::Ending(Outcome::BudgetExhausted),
        "interrupted" => Word::Ending(Outcome::Interrupted),
        "pending" | "queued" => Word::Live(State::Queued),
        "running" | "in_progress" | "starting" | "model_wait" | "running_tool" => Word::Live(State::Running),
        "paused" | "waiting_for_user" | "blocked" => Word::Live(State::Waiting),
        _ => Word::Unknown,
    }
}

/// Reads the status word of a notice, where `blocked` is a refusal, not a pause (R14).
pub(crate) fn notice_status(word: &str) -> Word {
    if word.trim().eq_ignore_ascii_case("blocked") { Word::Ending(Outcome::Failed) } else { status(word) }
}

/// What a task is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum TaskType {
    /// Work of an agent.
    Agent(Kind),
    /// A shell, a monitor, or something else that is no agent.
    Other,
    /// The frame does not say.
    Unstated,
}

/// Reads `task_type`, with `subagent_type` for frames that leave it out (R5).
pub(crate) fn task_type(task_type: Option<&str>, subagent_type: Option<&str>) -> TaskType {
    // The main session in the background is drawn as an agent by nobody (wire.md trap 24).
    if subagent_type == Some("main-session") {
        return TaskType::Other;
    }
    match task_type {
        Some("local_agent") => TaskType::Agent(Kind::Agent),
        Some("remote_agent") => TaskType::Agent(Kind::Remote),
        Some("in_process_teammate") => TaskType::Agent(Kind::Teammate),
        Some("local_workflow") => TaskType::Agent(Kind::Workflow),
        Some(_) => TaskType::Other,
        None if subagent_type.is_some() => TaskType::Agent(Kind::Agent),
        None => TaskType::Unstated,
    }
}
