//! R9 and R11: the results of calls, and the answers to dispatches.

use cardfold::Kind;
use cardfold_testkit::script::{Session, card, counts, reads, status, tail, usage};

const UNDRAWN: &str = "not drawn: running (dispatch)";
const RETURNED: &str = "settled completed (returned, inferred)";
const ABANDONED: &str = "settled abandoned (session_end, inferred)";

fn report(script: &str) -> Option<String> {
    card(script, "a").report.map(|report| report.text)
}

/// An acknowledgement and an unrecognised answer read alike until the session ends.
fn at_the_end(script: &str) -> String {
    assert_eq!(reads(script, "a"), UNDRAWN, "{script}");
    reads(&format!("{script}, END"), "a")
}

#[test]
fn r9_a_call_settles_on_its_own_result_in_whatever_frame_it_comes() {
    for parent in ["-parent_tool_use_id", "+parent_tool_use_id=null", "+parent_tool_use_id=b", "+parent_tool_use_id=q"]
    {
        assert_eq!(status(&format!("D a, D b, C x<a, R x {parent}"), "a", "x"), "completed", "{parent}");
    }
}

#[test]
fn r9_an_error_is_failed_anything_else_completed() {
    assert_eq!(counts(&card("D a, C x<a, C y<a, R x!, R y", "a")), "2 calls, 0 open, 1 failed");
    assert_eq!(status("D a, C x<a, R x \"Error: so it says\"", "a", "x"), "completed");
}

#[test]
fn r9_the_last_result_stands() {
    assert_eq!(counts(&card("D a, C x<a, R x, R x!", "a")), "1 calls, 0 open, 1 failed");
    assert_eq!(counts(&card("D a, C x<a, R x!, R x", "a")), "1 calls, 0 open, 0 failed");
}

#[test]
fn r9_a_detached_call_still_runs() {
    let detached = "R x \"Moved.\" s={\"detachedToolCall\":true}";
    assert_eq!(status(&format!("D a, C x<a, {detached}"), "a", "x"), "pending");
    assert_eq!(status(&format!("D a, C x<a, {detached}, R x!"), "a", "x"), "failed");
    assert_eq!(status(&format!("D a, C x<a, R x!, {detached}"), "a", "x"), "failed");
}

#[test]
fn r9_a_server_side_result_in_an_assistant_frame_settles_it() {
    let result = |content: &str| {
        let line = format!(
            "{{'type':'assistant','parent_tool_use_id':'a','message':{{'content':[{{'type':'web_search_tool_result',\
             'tool_use_id':'x','content':{content}}}]}}}}"
        );
        format!("D a, C x<a server tool=web_search, RAW {}", line.replace('\'', "\""))
    };
    assert_eq!(status(&result("[{'type':'web_search_result','url':'https://example.org'}]"), "a", "x"), "completed");
    let error = result("{'type':'web_search_tool_result_error','error_code':'unavailable'}");
    assert_eq!(status(&error, "a", "x"), "failed");
}

#[test]
fn r9_a_call_whose_id_is_the_frames_own_parent_says_nothing() {
    let session = Session::of("D a, C a<a, A a<a");
    assert_eq!((session.card("a").calls, session.reads("a").as_str()), (0, "running (dispatch)"));
    assert_eq!(session.card("a").nested, []);
    assert_eq!(Session::of("C x<x, A x<x").drawn(), "");
}

#[test]
fn r9_a_result_whose_id_is_the_frames_own_parent_says_nothing() {
    assert_eq!(reads("D a, R a<a! \"boom\"", "a"), "running (dispatch)");
    assert_eq!(reads("D a, ACK a<a", "a"), "running (dispatch)");
}

#[test]
fn r11_an_error_without_more_is_failed() {
    assert_eq!(reads("D a, R a! \"boom\"", "a"), "settled failed (error)");
    assert_eq!(reads("D a, R a!", "a"), "settled failed (error)");
}

#[test]
fn r11_the_denial_kind_decides_the_outcome_of_an_error() {
    let denied = |kind: &str, text: &str| reads(&format!("D a, R a! \"{text}\" denial={kind}"), "a");
    assert_eq!(denied("user-rejected", "boom"), "settled stopped (error)");
    assert_eq!(denied("interrupted", "boom"), "settled interrupted (error)");
    assert_eq!(denied("interrupted", "User rejected tool use"), "settled interrupted (error)", "before the text");
    assert_eq!(denied("user-rejected", "[Tool call interrupted"), "settled stopped (error)", "before the text");
}

#[test]
fn r11_else_the_text_decides_the_outcome_of_an_error() {
    let texts = [
        ("[Request interrupted by user]", "stopped"),
        ("[Request interrupted by user for tool use]", "stopped"),
        ("The user doesn't want to proceed with this tool use. The tool use was rejected.", "stopped"),
        ("The user doesn't want to proceed", "stopped"),
        ("User rejected tool use", "stopped"),
        ("[Tool call interrupted by a restart]", "interrupted"),
        ("boom: [Request interrupted by user]", "failed"),
        ("[Request interrupted by user] and more", "failed"),
        ("So it was: User rejected tool use", "failed"),
        ("Oh. [Tool call interrupted", "failed"),
    ];
    for (text, outcome) in texts {
        let script = format!("D a, R a! \"{text}\"");
        assert_eq!(reads(&script, "a"), format!("settled {outcome} (error)"), "{text}");
    }
}

#[test]
fn r11_the_status_words_of_an_acknowledgement() {
    for status in ["async_launched", "remote_launched", "teammate_spawned", "queued_to_running", "sub_agent_entered"] {
        assert_eq!(at_the_end(&format!("D a, R a \"So.\" s={{\"status\":\"{status}\"}}")), ABANDONED, "{status}");
    }
}

#[test]
fn r11_forked_is_an_acknowledgement_in_the_background_only() {
    assert_eq!(at_the_end("D a, R a \"So.\" s={\"status\":\"forked\",\"background\":true}"), ABANDONED);
    assert_eq!(at_the_end("D a, R a \"So.\" s={\"status\":\"forked\"}"), RETURNED);
    assert_eq!(at_the_end("D a, R a \"So.\" s={\"status\":\"forked\",\"background\":false}"), RETURNED);
}

#[test]
fn r11_the_texts_of_an_acknowledgement() {
    let texts = [
        "Async agent launched successfully. (This tool result is internal metadata.)",
        "Async agent launched successfully",
        "Spawned successfully.\\nagent_id: zed@team\\nname: zed",
        "The agent has not finished. It is waiting for the user to answer a permission request.",
    ];
    for text in texts {
        assert_eq!(at_the_end(&format!("D a, R a \"{text}\"")), ABANDONED, "{text}");
    }
    assert_eq!(at_the_end("D a, R a \"It printed: Async agent launched successfully.\""), RETURNED);
    assert_eq!(at_the_end("D a, R a \"So: Spawned successfully.\""), RETURNED);
}

#[test]
fn r11_remote_and_teammate_acknowledgements_give_the_kind() {
    assert_eq!(card("D a, ACK a status=remote_launched", "a").kind, Kind::Remote);
    assert_eq!(card("D a, ACK a status=teammate_spawned", "a").kind, Kind::Teammate);
    assert_eq!(card("D a, ACK a", "a").kind, Kind::Agent);
}

#[test]
fn r11_a_completed_status_is_a_report() {
    let script = "D a, R a \"Three files.\" s={\"status\":\"completed\"}";
    assert_eq!(reads(script, "a"), "settled completed (report)");
    assert_eq!(report(script).as_deref(), Some("Three files."));
}

#[test]
fn r11_the_older_object_without_a_status_is_a_report() {
    for object in [
        r#"{"totalDurationMs":7}"#,
        r#"{"totalToolUseCount":2}"#,
        r#"{"content":[{"type":"text","text":"Three."}],"totalToolUseCount":2,"totalDurationMs":7,"totalTokens":5,"usage":{}}"#,
    ] {
        assert_eq!(reads(&format!("D a, R a \"Three.\" s={object}"), "a"), "settled completed (report)", "{object}");
    }
    let figures =
        card("D a, R a \"Three.\" s={\"totalToolUseCount\":2,\"totalDurationMs\":7,\"totalTokens\":5}", "a").usage;
    assert_eq!(usage(figures), "5/2/7");
    assert_eq!(at_the_end("D a, R a \"So.\" s={\"totalTokens\":5}"), RETURNED);
    assert_eq!(at_the_end("D a, R a \"So.\" s={\"status\":\"async_launched\",\"totalDurationMs\":7}"), ABANDONED);
}

#[test]
fn r11_the_marker_at_the_start_of_a_line_is_a_report() {
    for text in [
        "[Subagent hand-back] The text below is the final report of a subagent.\\n  Three.",
        "Note first.\\n[Subagent hand-back] The text below is the final report of a subagent.\\n  Three.",
    ] {
        assert_eq!(reads(&format!("D a, R a \"{text}\""), "a"), "settled completed (report)", "{text}");
    }
    assert_eq!(
        reads("D a, R a \"One block.\" \"[Subagent hand-back] The text below …\\n  Three.\"", "a"),
        "settled completed (report)"
    );
    for text in ["I will print [Subagent hand-back] later", "One.\\nTwo [Subagent hand-back]"] {
        assert_eq!(at_the_end(&format!("D a, R a \"{text}\"")), RETURNED, "{text}");
    }
}

#[test]
fn r11_a_last_block_that_is_an_agent_id_line_is_a_report() {
    let script = "D a, \
        R a \"Three.\" \"agentId: a1b2 (use SendMessage with to: 'a1b2')\\n<usage>subagent_tokens: 5\\ntool_uses: 2\\nduration_ms: 7</usage>\"";
    assert_eq!(reads(script, "a"), "settled completed (report)");
    assert_eq!(report(script).as_deref(), Some("Three."));
    assert_eq!(reads("D a, R a \"Three.\" \"agentId: a1b2\"", "a"), "settled completed (report)");
    assert_eq!(at_the_end("D a, R a \"agentId: a1b2\" \"Three.\""), RETURNED, "it is not the last block");
}

#[test]
fn r11_structure_comes_before_the_text() {
    let acknowledged = "D a, R a \"[Subagent hand-back] So.\\n  Three.\" s={\"status\":\"async_launched\"}";
    assert_eq!(at_the_end(acknowledged), ABANDONED);
    let reported = "D a, R a \"Async agent launched successfully.\" s={\"status\":\"completed\"}";
    assert_eq!(reads(reported, "a"), "settled completed (report)");
}

#[test]
fn r11_anything_else_is_unrecognised() {
    for answer in ["R a", "R a \"Three files.\"", "R a \"So.\" s={\"status\":\"shiny\"}", "R a \"So.\" s=\"So.\""] {
        assert_eq!(at_the_end(&format!("D a, {answer}")), RETURNED, "{answer}");
    }
}

#[test]
fn r11_only_a_report_or_an_error_replaces_a_report_or_an_error() {
    let answers = [
        ("HB a, ACK a", "settled completed (report)"),
        ("HB a, R a \"ok\"", "settled completed (report)"),
        ("R a! \"boom\", ACK a", "settled failed (error)"),
        ("R a! \"boom\", R a \"ok\"", "settled failed (error)"),
        ("HB a, R a! \"boom\"", "settled failed (error)"),
        ("R a! \"boom\", HB a", "settled completed (report)"),
        ("ACK a, HB a", "settled completed (report)"),
        ("R a \"ok\", R a! \"boom\"", "settled failed (error)"),
    ];
    for (answers, wanted) in answers {
        assert_eq!(reads(&format!("D a, {answers}"), "a"), wanted, "{answers}");
    }
    assert_eq!(report("D a, HB a \"One.\", HB a \"Two.\"").as_deref(), Some("Two."), "the later report stands");
}

#[test]
fn r11_a_detached_result_is_no_answer() {
    assert_eq!(reads("D a, R a \"Moved.\" s={\"detachedToolCall\":true}", "a"), "running (dispatch)");
    assert_eq!(reads("D a, HB a, R a \"Moved.\" s={\"detachedToolCall\":true}", "a"), "settled completed (report)");
}

#[test]
fn r11_the_answer_of_one_dispatch_is_not_that_of_another() {
    let session = Session::of("D a, D b, C x<a, HB a");
    assert_eq!(session.reads("a"), "settled completed (report)");
    assert_eq!(session.reads("b"), "running (dispatch)");
    assert_eq!(tail(&session.card("a")), "x cut_off");
}
