//! One line of every kind, after the shape of real ones.

/// The lines, each with what it is.
pub(crate) const LINES: [(&str, &str); 34] = [
    (
        "init",
        r#"{"type":"system","subtype":"init","cwd":"/srv/demo","tools":["Task","Bash"],"model":"m","session_id":"s1","uuid":"u1"}"#,
    ),
    (
        "assistant with a dispatch",
        r#"{"type":"assistant","message":{"id":"msg_1","type":"message","role":"assistant","model":"m-large","content":[{"type":"tool_use","id":"toolu_A","name":"Agent","input":{"description":"Count lines","prompt":"Count the \"lines\".","subagent_type":"Explore","run_in_background":true}}],"stop_reason":null,"usage":{"input_tokens":4}},"parent_tool_use_id":null,"session_id":"s1","uuid":"u2","timestamp":"2026-03-02T09:00:01.000Z","request_id":"req_1"}"#,
    ),
    (
        "assistant of an agent",
        r#"{"type":"assistant","message":{"model":"m-small","content":[{"type":"thinking","thinking":"…","signature":"x"},{"type":"text","text":"Reading\nnow."},{"type":"tool_use","id":"toolu_C","name":"Read","input":{"file_path":"/srv/demo/a.rs"}}]},"parent_tool_use_id":"toolu_A","agent_id":"ab1","subagent_type":"Explore","session_id":"s1","uuid":"u3","aborted":true,"supersedes":["u8","u9"]}"#,
    ),
    (
        "assistant with server-side tools",
        r#"{"type":"assistant","message":{"content":[{"type":"server_tool_use","id":"srv_1","name":"web_search","input":{"query":"lamps"}},{"type":"web_search_tool_result","tool_use_id":"srv_1","content":{"type":"web_search_tool_result_error","error_code":"unavailable"}},{"type":"mcp_tool_use","id":"mcp_1","name":"mcp__home__lamp","input":{"title":"desk"}},{"type":"mcp_tool_result","tool_use_id":"mcp_1","is_error":false,"content":[{"type":"text","text":"on"}]}]},"parent_tool_use_id":"","session_id":"s1","uuid":"u4"}"#,
    ),
    (
        "user prompt of an agent",
        r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"Count the \"lines\"."}]},"parent_tool_use_id":"toolu_A","session_id":"s1","uuid":"u5","isReplay":true,"isSynthetic":true}"#,
    ),
    (
        "user with a report",
        r#"{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_A","type":"tool_result","content":[{"type":"text","text":"Nine lines."},{"type":"text","text":"agentId: ab1 (for resuming)"}]}]},"parent_tool_use_id":null,"session_id":"s1","uuid":"u6","tool_use_result":{"status":"completed","prompt":"Count.","agentId":"ab1","agentType":"Explore","content":[{"type":"text","text":"Nine lines."}],"resolvedModel":"m-small","totalToolUseCount":2,"totalDurationMs":1657.5,"totalTokens":2294,"usage":{"input_tokens":2271}}}"#,
    ),
    (
        "stored user with a refusal",
        r#"{"parentUuid":"u6","isSidechain":true,"agentId":"ab1","type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"The user doesn't want to proceed.","is_error":true,"tool_use_id":"toolu_C"}]},"uuid":"u7","timestamp":"2026-03-02T09:00:02.500Z","toolUseResult":"User rejected tool use","toolDenialKind":"user-rejected","sessionId":"s1"}"#,
    ),
    (
        "user with two results",
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a"},{"type":"tool_result","tool_use_id":"toolu_2","content":[{"type":"image","source":{}},{"type":"text","text":"b"}]}]},"uuid":"u10","toolUseResult":{"status":"completed"},"toolDenialKind":"interrupted"}"#,
    ),
    (
        "user notice",
        r#"{"type":"user","message":{"role":"user","content":"<system-reminder>\n<task-notification>\n<task-id>ab1</task-id>\n<tool-use-id>toolu_A</tool-use-id>\n<status>completed</status>\n<summary>Agent \"Count lines\" finished</summary>\n<result>Nine &lt;lines&gt;.</result>\n<usage><subagent_tokens>20044</subagent_tokens><tool_uses>3</tool_uses><duration_ms>18166</duration_ms></usage>\n</task-notification>\n</system-reminder>"},"uuid":"u11","origin":{"kind":"task-notification","runId":"r1"},"sessionId":"s1"}"#,
    ),
    (
        "user hand-back",
        r#"{"type":"user","message":{"role":"user","content":"<agent-message from=\"counter\">\n[Subagent hand-back] The report:\n  Nine lines.\n    deep\n</agent-message>"},"uuid":"u12","origin":{"kind":"peer","from":"counter","senderTaskId":"ab1","handback":true},"isMeta":true,"isCompactSummary":false,"sessionId":"s1"}"#,
    ),
    (
        "task_started",
        r#"{"type":"system","subtype":"task_started","task_id":"ab1","run_id":"r1","tool_use_id":"toolu_A","description":"Count lines","subagent_type":"Explore","is_backgrounded":false,"spawn_depth":1,"parent_task_id":"aa0","task_type":"local_agent","prompt":"Count.","skip_transcript":true,"owned_by_subagent":true,"uuid":"u13","session_id":"s1"}"#,
    ),
    (
        "task_progress",
        r#"{"type":"system","subtype":"task_progress","task_id":"ab1","run_id":"r1","tool_use_id":"toolu_A","description":"Reading a.rs","summary":"Half way.","subagent_type":"Explore","usage":{"total_tokens":458,"tool_uses":1,"duration_ms":837},"last_tool_name":"Read","workflow_progress":[{"type":"workflow_phase","index":1,"title":"Look"},{"type":"workflow_agent","index":1,"label":"look:src","agentId":"af1","agentType":"workflow-subagent","model":"m","state":"progress","endedWithRun":"stopped","startedAt":1796081117742,"tokens":1486,"toolCalls":3,"durationMs":20}],"uuid":"u14","session_id":"s1"}"#,
    ),
    (
        "task_updated",
        r#"{"type":"system","subtype":"task_updated","task_id":"ab1","run_id":"r1","patch":{"status":"failed","end_time":1790295641558,"error":"no \"hammer\"","description":"Count all","is_backgrounded":true,"total_paused_ms":3},"uuid":"u15","session_id":"s1"}"#,
    ),
    (
        "task_notification",
        r#"{"type":"system","subtype":"task_notification","task_id":"ab1","run_id":"r1","tool_use_id":"toolu_A","task_type":"local_agent","status":"completed","output_file":"","summary":"Nine lines.","summary_is_report":true,"handback_report":{"text":"Nine.","toolUseId":"toolu_A"},"result":"Nine lines!","end_time":1790295641559,"usage":{"total_tokens":1,"tool_uses":2,"duration_ms":3},"ambient":true,"uuid":"u16","session_id":"s1"}"#,
    ),
    (
        "background_tasks_changed",
        r#"{"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"ab1","run_id":"r1","tool_use_id":"toolu_A","task_type":"local_agent","subagent_type":"Explore","description":"Count lines","parent_task_id":"aa0","ambient":true},{"task_id":9},"x"],"uuid":"u17","session_id":"s1"}"#,
    ),
    (
        "permission_denied",
        r#"{"type":"system","subtype":"permission_denied","tool_name":"Write","tool_use_id":"toolu_C","agent_id":"ab1","message":"denied","uuid":"u18","session_id":"s1"}"#,
    ),
    (
        "can_use_tool",
        r#"{"type":"control_request","request_id":"req-1","request":{"subtype":"can_use_tool","tool_name":"Bash","display_name":"Shell","title":"Run ls?","input":{"command":"ls -1"},"tool_use_id":"toolu_C","agent_id":"ab1"}}"#,
    ),
    ("other control_request", r#"{"type":"control_request","request_id":"c1","request":{"subtype":"interrupt"}}"#),
    (
        "control_response",
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"req-1","response":{"behavior":"allow"}}}"#,
    ),
    ("control_cancel_request", r#"{"type":"control_cancel_request","request_id":"req-2"}"#),
    (
        "tool_progress with a retry",
        r#"{"type":"tool_progress","tool_use_id":"agent_msg_1","tool_name":"Agent","parent_tool_use_id":"toolu_A","elapsed_time_seconds":0,"uuid":"u19","session_id":"s1","subagent_retry":{"agent_id":"ab1","attempt":1,"max_retries":2,"retry_delay_ms":595,"error_status":500,"error_category":"server_error"}}"#,
    ),
    (
        "result",
        r#"{"type":"result","subtype":"success","is_error":true,"num_turns":2,"result":"Done.","session_id":"s1","uuid":"u20","usage":{"input_tokens":1},"subagent_stats":{"spawned":5,"requested":{"background":1},"started_in_background":1,"max_depth":2,"spawned_by_subagents":1,"completed":2,"failed":1,"killed":{"parent":1,"user":1,"system":0},"refused":{"depth_limit":1,"budget":2}}}"#,
    ),
    ("result of a workflow's journal", r#"{"type":"result","key":"v2:b68a","agentId":"ae8","result":"Report."}"#),
    (
        "stream_event",
        r#"{"type":"stream_event","event":{"type":"message_stop"},"parent_tool_use_id":null,"uuid":"u21"}"#,
    ),
    (
        "queue operation",
        r#"{"type":"queue-operation","operation":"enqueue","timestamp":"2026-03-02T09:00:20.000Z","sessionId":"s1","content":"<task-notification>\n<task-id>ab1</task-id>\n<status>killed</status>\n</task-notification>\nFull transcript available at: /x"}"#,
    ),
    ("dequeue", r#"{"type":"queue-operation","operation":"dequeue","sessionId":"s1"}"#),
    (
        "attachment",
        r#"{"parentUuid":"p1","isSidechain":false,"attachment":{"type":"queued_command","commandMode":"task-notification","prompt":"<task-notification>\n<task-id>ab1</task-id>\n<status>failed</status>\n</task-notification>","origin":{"kind":"task-notification","producer":"session-task"},"runId":"r7"},"type":"attachment","uuid":"u22","timestamp":"2026-03-02T09:00:21.000Z","sessionId":"s1"}"#,
    ),
    (
        "agent progress",
        r#"{"parentUuid":"p2","isSidechain":false,"sessionId":"s1","agentId":"outer","type":"progress","data":{"message":{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_D","name":"Grep","input":{"pattern":"fn","path":"src"}}],"model":"m"},"uuid":"u23","timestamp":"2026-03-02T09:00:07.000Z"},"normalizedMessages":[],"type":"agent_progress","prompt":"Count.","agentId":"ab1"},"toolUseID":"agent_msg_1","parentToolUseID":"toolu_A","uuid":"u24","timestamp":"2026-03-02T09:00:08.000Z"}"#,
    ),
    (
        "old agent progress",
        r#"{"sessionId":"s1","type":"progress","data":{"type":"agent_progress","agentId":"ab1","normalizedMessages":[{"type":"user","message":{"content":"Count."}},{"type":"assistant","message":{"model":"m","content":[{"type":"tool_use","id":"toolu_E","name":"LS","input":{"path":"/"}}]}},{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_E","content":"a b"}]}}]},"parentToolUseID":"toolu_A","uuid":"u25"}"#,
    ),
    (
        "hook progress",
        r#"{"type":"progress","agentId":"ab1","data":{"type":"hook_progress","hookEvent":"PostToolUse"},"parentToolUseID":"toolu_C","toolUseID":"toolu_C","uuid":"u26"}"#,
    ),
    (
        "agent metadata",
        r#"{"type":"agent_metadata","agentId":"ab1","agentType":"Explore","description":"Count lines","name":"counter","toolUseId":"toolu_A","parentAgentId":"aa0","spawnDepth":2,"model":"m","isFork":true,"workflowPhase":{"index":1},"taskKind":"x","sessionId":"s1"}"#,
    ),
    ("bookkeeping", r#"{"type":"summary","summary":"An older talk","leafUuid":"l1"}"#),
    ("unknown type", r#"{"type":"moon-phase","phase":"full","uuid":"u27"}"#),
    ("unknown subtype", r#"{"type":"system","subtype":"moon_phase","phase":"full","uuid":"u28"}"#),
];

/// The line of that name.
pub(crate) fn line(name: &str) -> &'static str {
    LINES.iter().find(|(known, _)| *known == name).map(|(_, line)| *line).expect("the name is one of the list")
}
