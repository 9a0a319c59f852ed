//! What calls and results are to a reader of the store: only as much as finding an agent's lines needs. What they mean
//! is the fold's business.

use cardfold_wire::{ToolResult, ToolUse};

/// The call starts a sub-agent (RULES.md section 1).
pub(crate) fn is_dispatch(call: &ToolUse<'_>) -> bool {
    call.client_side && !call.id.is_empty() && matches!(&*call.name, "Agent" | "Task")
}

/// The agent that a result names.
pub(crate) fn named_agent<'r>(result: &'r ToolResult<'_>) -> Option<&'r str> {
    match &result.structured {
        Some(said) if said.text.is_none() => said.agent_id.as_deref().or(said.teammate_agent_id.as_deref()),
        Some(_) | None => None,
    }
    .or_else(|| result.agent_id_line())
}

/// The answer only says that the agent was started: its lines may be to come (R11). Text forms name the agent, so they
/// need no look here.
pub(crate) fn is_acknowledgement(result: &ToolResult<'_>) -> bool {
    let status = result.structured.as_ref().and_then(|said| said.status.as_deref());
    !result.is_error && status.is_some_and(|status| status != "completed")
}

/// Digests of the texts that the answer may have from the agent.
pub(crate) fn answer_texts(result: &ToolResult<'_>) -> Vec<u64> {
    let structured = result.structured.iter().flat_map(|said| said.content.iter());
    structured.chain(result.texts.iter()).map(|text| text.digest()).collect()
}
