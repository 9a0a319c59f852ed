//! The types of the protocol's messages. Knows no agent.

/// What a message is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    AgentExited,
    AgentReady,
    AgentShutdown,
    MessageDelta,
    /// It says nothing of how an agent stands.
    Quiet,
    ResultAvailable,
    ToolFinished,
    ToolStarted,
    TurnFailed,
    TurnProgress,
    TurnResult,
    TurnStarted,
}

impl Kind {
    /// Reads the word of `type`; none for one that the protocol does not have.
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "agent.exited" => Self::AgentExited,
            "agent.heartbeat" | "agent.idle" | "agent.ping" | "turn.cancel" | "turn.start" => Self::Quiet,
            "agent.ready" => Self::AgentReady,
            "agent.shutdown" => Self::AgentShutdown,
            "message.delta" => Self::MessageDelta,
            "result.available" => Self::ResultAvailable,
            "tool.finished" => Self::ToolFinished,
            "tool.started" => Self::ToolStarted,
            "turn.failed" => Self::TurnFailed,
            "turn.progress" => Self::TurnProgress,
            "turn.result" => Self::TurnResult,
            "turn.started" => Self::TurnStarted,
            _ => return None,
        })
    }
}
