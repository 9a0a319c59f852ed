//! Mailbox lines: the variants, and which lines were seen already. Knows no agent.

use crate::object::Object;
use crate::recent::Recent;

/// Lines, and responses with figures, that are remembered.
const SEEN: usize = 65_536;

/// What a message is about.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    ChildSpawned,
    Completed,
    Failed,
    Interrupted,
    Progress,
    Started,
    Stopped,
    TokenUsage,
    ToolCallCompleted,
    ToolCallStarted,
    WorkState,
}

impl Kind {
    /// Reads the word of `kind`; that of an agent that was stopped in any spelling.
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "cancelled" | "canceled" | "stopped" => Self::Stopped,
            "child_spawned" => Self::ChildSpawned,
            "completed" => Self::Completed,
            "failed" => Self::Failed,
            "interrupted" => Self::Interrupted,
            "progress" => Self::Progress,
            "started" => Self::Started,
            "token_usage" => Self::TokenUsage,
            "tool_call_completed" => Self::ToolCallCompleted,
            "tool_call_started" => Self::ToolCallStarted,
            "work_state" => Self::WorkState,
            _ => return None,
        })
    }
}

/// A message, out of its envelope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letter<'v> {
    /// Its kind as it says it.
    pub(crate) word: &'v str,
    pub(crate) fields: Object<'v>,
    turn: Option<&'v str>,
    seq: Option<u64>,
}

impl<'v> Letter<'v> {
    /// Reads `{"turn_id","seq","message":{"kind",…}}`, the same as the one field of an event to the host, or the message
    /// alone; `None` for anything that has no kind.
    pub(crate) fn of(object: Object<'v>) -> Option<Self> {
        let envelope = object.object("SubAgentMailbox").unwrap_or(object);
        let fields = envelope.object("message").unwrap_or(envelope);
        let word = fields.text("kind")?;
        Some(Self { word, fields, turn: envelope.text("turn_id"), seq: envelope.count("seq") })
    }

    /// What it is about and the agent that it is about, if the kind is one that only a mailbox has.
    pub(crate) fn known(&self) -> Option<(Kind, &'v str)> {
        let kind = Kind::of(self.word)?;
        let about = if kind == Kind::ChildSpawned { "child_id" } else { "agent_id" };
        Some((kind, self.fields.text(about)?))
    }
}

/// What was taken already.
#[derive(Debug)]
pub(crate) struct Seen {
    letters: Recent<()>,
    responses: Recent<()>,
}

impl Default for Seen {
    fn default() -> Self {
        Self { letters: Recent::new(SEEN), responses: Recent::new(SEEN) }
    }
}

impl Seen {
    /// Notes a letter; false if it came before. Numbers start anew with each turn: without the turn they tell nothing.
    pub(crate) fn is_new(&mut self, letter: &Letter<'_>) -> bool {
        match (letter.turn, letter.seq) {
            (Some(turn), Some(seq)) => self.letters.note(&format!("{seq} {turn}")),
            (Some(_) | None, _) => true,
        }
    }

    /// Notes a response whose figures are told; false if they were told before.
    pub(crate) fn is_new_response(&mut self, source: Option<&str>) -> bool {
        source.is_none_or(|source| self.responses.note(source))
    }
}
