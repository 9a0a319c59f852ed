//! The lines of a transcript artifact: a header that names the agent, then its messages, numbered without a gap. Knows
//! no call.

use crate::object::Object;

const HEADER: &str = "subagent_transcript_header";
const MESSAGE: &str = "message";

/// The only version there is.
const VERSION: u64 = 1;

/// Where the reading of one artifact stands.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    agent: Option<String>,
    /// The number of the next message.
    next: u64,
    /// The number of the message that is missing; what stands behind it may be of another time.
    gap: Option<u64>,
}

/// What a line of an artifact is.
#[derive(Debug)]
pub(crate) enum Line<'v> {
    /// The header of this agent's artifact.
    Header(&'v str),
    /// A message of the agent.
    Message(Object<'v>),
    /// It cannot be read, and why.
    Bad(String),
}

impl Transcript {
    /// The object is a header.
    pub(crate) fn is_header(object: Object<'_>) -> bool {
        object.text("kind") == Some(HEADER)
    }

    /// The object is a numbered message. Only in a file with a header does it belong to somebody.
    pub(crate) fn is_message(object: Object<'_>) -> bool {
        object.text("kind") == Some(MESSAGE) && object.get("index").is_some()
    }

    /// The agent of the artifact at hand.
    pub(crate) fn agent(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// Takes a header or a message. The messages before a gap are kept (W4-21).
    pub(crate) fn line<'v>(&mut self, object: Object<'v>) -> Line<'v> {
        if Self::is_header(object) {
            *self = Self::default();
            let Some(agent) = object.text("agent_id") else {
                return Line::Bad("a transcript whose header names no agent".to_owned());
            };
            if object.count("schema_version") != Some(VERSION) {
                return Line::Bad(format!("a transcript of agent {agent} of another version than {VERSION}"));
            }
            self.agent = Some(agent.to_owned());
            return Line::Header(agent);
        }
        if self.agent.is_none() {
            return Line::Bad("a message of a transcript without a readable header".to_owned());
        }
        if let Some(missing) = self.gap {
            return Line::Bad(format!("behind the gap at message {missing}"));
        }
        if object.count("index") != Some(self.next) {
            self.gap = Some(self.next);
            return Line::Bad(format!("message {} is missing", self.next));
        }
        self.next += 1;
        match object.object("message") {
            Some(message) => Line::Message(message),
            None => Line::Bad(format!("message {} holds nothing readable", self.next - 1)),
        }
    }
}
