//! What only dialects say of an agent: no line of the client holds it, so nothing here is decoded.

use std::borrow::Cow;

use crate::text::Text;

/// What another system says of an agent that no frame of the client has a place for (section 2, `annotations`, and the
/// evidence `guessed`). It opens nothing: where neither id leads to an agent, it is ignored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Remark<'a> {
    /// The agent's task id.
    pub task_id: Option<Cow<'a, str>>,
    /// The agent's dispatch, which decides before the task id.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// What the system has and a card has not.
    pub annotations: Vec<Annotation<'a>>,
    /// How the current run ended, as far as the system's texts let one guess.
    pub guess: Option<Guess<'a>>,
}

/// One entry of a card's annotations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotation<'a> {
    /// What it is; a later entry of that name takes its place.
    pub name: Cow<'a, str>,
    /// JSON text of at most 1,024 bytes; `null` takes the entry away.
    pub value: Cow<'a, str>,
}

/// An ending that was read out of text. It stands until the roster or the answer says something, or the agent shows
/// that it goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guess<'a> {
    /// An ending word of R16; none where it is over and the cause is not stated.
    pub word: Option<Cow<'a, str>>,
    /// When it ended, in Unix milliseconds, if the text tells.
    pub end_time_ms: Option<i64>,
    /// What went wrong, which goes with the guess.
    pub error: Option<Text<'a>>,
}
