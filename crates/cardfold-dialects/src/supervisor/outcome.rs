//! How a turn ended: by its status word, its error code and who shut the agent down. Knows no line.

/// Who shut an agent down.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Origin {
    /// The turn ran out of time.
    Deadline,
    /// The supervisor's process ended.
    Process,
    /// The session ended.
    Session,
    /// Somebody stopped this agent.
    Targeted,
}

/// The code of a turn that ran out of time.
const DEADLINE: &str = "deadline_exceeded";

/// The code of an agent that was shut down otherwise.
const SHUTDOWN: &str = "shutdown";

impl Origin {
    /// Reads the word of `shutdown_origin` and `origin`.
    pub(crate) fn of(word: &str) -> Option<Self> {
        match word {
            "deadline" => Some(Self::Deadline),
            "process" => Some(Self::Process),
            "session" => Some(Self::Session),
            "targeted" => Some(Self::Targeted),
            _ => None,
        }
    }

    /// The supervisor's own words for it, as a code and a message (S1-14).
    pub(crate) fn error(self) -> (&'static str, &'static str) {
        match self {
            Self::Deadline => {
                (DEADLINE, "subagent turn deadline exceeded; partial output is preserved in the result and history")
            }
            Self::Process => (SHUTDOWN, "subagent stopped during process shutdown"),
            Self::Session => (SHUTDOWN, "subagent stopped during session shutdown"),
            Self::Targeted => (SHUTDOWN, "subagent stopped by request"),
        }
    }

    /// The ending word for an agent that this ended.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Deadline => "timed_out",
            Self::Process | Self::Session | Self::Targeted => "stopped",
        }
    }
}

/// The ending word for a status of a result; none for a word that no result has.
///
/// A turn that ran out of time did so whether the supervisor wrote `failed` or, as it does where both its paths run,
/// `canceled` (W1-6). A turn that succeeded did so whoever shut the agent down afterwards (W1-7).
pub(crate) fn ending_word(status: &str, code: Option<&str>, origin: Option<Origin>) -> Option<&'static str> {
    let out_of_time = code == Some(DEADLINE) || origin == Some(Origin::Deadline);
    match status {
        "succeeded" => Some("completed"),
        "failed" | "canceled" if out_of_time => Some("timed_out"),
        "failed" => Some("failed"),
        "canceled" => Some("stopped"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_code_and_origin_decide_together() {
        let origins = [None, Some("targeted"), Some("session"), Some("process"), Some("deadline"), Some("moon")];
        for status in ["succeeded", "failed", "canceled"] {
            for code in [None, Some("deadline_exceeded"), Some("shutdown"), Some("workspace_capture_failed")] {
                for origin in origins {
                    let late = code == Some("deadline_exceeded") || origin == Some("deadline");
                    let want = match status {
                        "succeeded" => "completed",
                        _ if late => "timed_out",
                        "failed" => "failed",
                        _ => "stopped",
                    };
                    let got = ending_word(status, code, origin.and_then(Origin::of));
                    assert_eq!(got, Some(want), "{status} {code:?} {origin:?}");
                }
            }
        }
        for status in ["", "Succeeded", "completed", "cancelled", "running"] {
            assert_eq!(ending_word(status, None, None), None, "{status}");
        }
    }

    #[test]
    fn the_fixed_messages() {
        let messages = ["targeted", "session", "deadline", "process"].map(|word| Origin::of(word).map(Origin::error));
        assert_eq!(
            messages,
            [
                Some(("shutdown", "subagent stopped by request")),
                Some(("shutdown", "subagent stopped during session shutdown")),
                Some((
                    "deadline_exceeded",
                    "subagent turn deadline exceeded; partial output is preserved in the result and history"
                )),
                Some(("shutdown", "subagent stopped during process shutdown")),
            ]
        );
        assert_eq!(Origin::of("Deadline"), None);
    }
}
