//! The words that are known to say nothing of sub-agents.

/// Types of the stream and of stored conversations (WIRE.md 2.9, 2.11 and 5.3) that carry nothing a card shows.
pub(crate) fn is_quiet_type(word: &str) -> bool {
    QUIET_TYPES.binary_search(&word).is_ok()
}

/// Subtypes of `system` that carry nothing a card shows.
pub(crate) fn is_quiet_subtype(word: &str) -> bool {
    QUIET_SUBTYPES.binary_search(&word).is_ok()
}

/// In byte order.
const QUIET_TYPES: [&str; 56] = [
    "agent-color",
    "agent-name",
    "agent-setting",
    "ai-title",
    "api-request",
    "api-request-blob",
    "api-request-resumed",
    "api-request-shape",
    "artifact-autoreact-ledger",
    "artifact-comment-monitor",
    "atis-latch",
    "attribution-snapshot",
    "auth_status",
    "bridge-session",
    "content-replacement",
    "continued-in",
    "conversation_reset",
    "cost-state",
    "custom-title",
    "data-flow-incomplete",
    "data-flow-records",
    "derived-from",
    "dev-mods",
    "ended-by-model",
    "file-history-delta",
    "file-history-snapshot",
    "fork-context-ref",
    "frame-link",
    "history-suppression",
    "host-row",
    "hybrid-organization",
    "isolation-latch",
    "keep_alive",
    "last-prompt",
    "launched",
    "memory-mode",
    "mode",
    "observer-ref",
    "permission-mode",
    "pr-link",
    "prompt_suggestion",
    "rate_limit_event",
    "relocated",
    "repl-mode",
    "resume-head-vouch",
    "session-owner",
    "started",
    "stream_event",
    "streamlined_text",
    "streamlined_tool_use_summary",
    "summary",
    "tag",
    "tool_use_summary",
    "tools-used",
    "update_environment_variables",
    "worktree-state",
];

/// In byte order. Beside those of WIRE.md 2.11 the notes that clients store in a conversation.
const QUIET_SUBTYPES: [&str; 30] = [
    "agents_killed",
    "api_error",
    "api_retry",
    "away_summary",
    "bridge_state",
    "bridge_status",
    "compact_boundary",
    "elicitation_complete",
    "file_snapshot",
    "files_persisted",
    "hook_progress",
    "hook_response",
    "hook_started",
    "informational",
    "local_command",
    "local_command_output",
    "memory_saved",
    "microcompact_boundary",
    "mirror_error",
    "model_refusal_fallback",
    "permission_retry",
    "post_turn_summary",
    "scheduled_task_fire",
    "session_state_changed",
    "snip_boundary",
    "snip_marker",
    "status",
    "stop_hook_summary",
    "thinking",
    "turn_duration",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_can_be_searched() {
        assert!(QUIET_TYPES.is_sorted());
        assert!(QUIET_SUBTYPES.is_sorted());
    }
}
