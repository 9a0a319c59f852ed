//! Mailbox lines: the variants, and which lines were seen already. Knows no agent.

use crate::object::Object;
use crate::recent::Recent;

/// Lines, and responses with figures, that are remembered.
const SEEN: usize = 65_536;

/// The kinds of message there are.
const KINDS: [&str; 13] = [
    "cancelled",
    "canceled",
    "child_spawned",
    "completed",
    "failed",
    "interrupted",
    "progress",
    "started",
    "stopped",
    "token_usage",
    "tool_call_completed",
    "tool_call_started",
    "work_state",
];

/// A message, out of its envelope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letter<'v> {
    pub(crate) kind: &'v str,
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
        let kind = fields.text("kind")?;
        Some(Self { kind, fields, turn: envelope.text("turn_id"), seq: envelope.count("seq") })
    }

    /// The kind is one that only a mailbox has, with the agent that it is about.
    pub(crate) fn is_known(&self) -> bool {
        let about = if self.kind == "child_spawned" { "child_id" } else { "agent_id" };
        KINDS.contains(&self.kind) && self.fields.text(about).is_some()
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
