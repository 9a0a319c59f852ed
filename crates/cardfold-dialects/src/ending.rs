//! How an agent ended, and how sure a source can be of it. Knows no system.

use cardfold_wire::{Text, Usage};

/// How sure a source can be of an ending, the surer one above.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Strength {
    /// Read out of text: evidence `guessed`.
    Guess,
    /// A message of the owner of the agent.
    Message,
    /// The owner's own record.
    Record,
}

/// How an agent ended.
#[derive(Clone, Debug)]
pub struct Ending<'e> {
    /// How sure the source is.
    pub strength: Strength,
    /// An ending word of R16. None means over, and how is not known; where that is stated and no guess, `end_ms` has to
    /// say when.
    pub word: Option<&'e str>,
    /// When, in Unix milliseconds, where the source says so; else the time of its line counts.
    pub end_ms: Option<i64>,
    /// What went wrong.
    pub error: Option<Text<'static>>,
    /// The agent's report.
    pub report: Option<Text<'static>>,
    /// Figures of the run.
    pub usage: Usage,
    /// A better name for the agent.
    pub name: Option<&'e str>,
}

impl<'e> Ending<'e> {
    /// An ending of which nothing more is said.
    pub fn new(strength: Strength, word: &'e str) -> Self {
        Self { word: Some(word), ..Self::unstated(strength) }
    }

    /// Over, and nobody says how.
    pub fn unstated(strength: Strength) -> Self {
        let usage = Usage::default();
        Self { strength, word: None, end_ms: None, error: None, report: None, usage, name: None }
    }
}
