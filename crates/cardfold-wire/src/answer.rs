//! What the text of a result says of an agent.

use crate::frame::{Structured, TaskRead, ToolResult, Usage};
use crate::text::Text;

impl ToolResult<'_> {
    /// The id of the first `agentId: …` line of the texts, in any era's form (wire.md 3.3).
    pub fn agent_id_line(&self) -> Option<&str> {
        None
    }

    /// A line of a text block starts with the hand-back marker (R11).
    pub fn has_handback(&self) -> bool {
        false
    }

    /// The last text block is an `agentId:` line (R11).
    pub fn last_text_is_agent_id(&self) -> bool {
        false
    }

    /// The text read as one JSON object, for tools whose structured field may be missing (R14).
    pub fn said_as_json(&self) -> Option<Structured<'static>> {
        None
    }

    /// What the text form of a TaskOutput result says of the task (wire.md 3.4).
    pub fn task_read(&self) -> Option<TaskRead<'_>> {
        None
    }

    /// The report by R24, before it is bounded; `None` where there is no text.
    pub fn report_text(&self) -> Option<Text<'_>> {
        None
    }

    /// The figures of the `<usage>` block of the text (wire.md 3.3).
    pub fn usage_text(&self) -> Usage {
        Usage::default()
    }
}
