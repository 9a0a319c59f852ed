//! The words of R16.

use cardfold::{Outcome, State};

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Word {
    Ending(Outcome),
    Live(State),
    Unknown,
}

pub(super) fn word(text: &str) -> Word {
    match text.to_lowercase().as_str() {
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
