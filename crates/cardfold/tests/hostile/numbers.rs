//! Numbers at the ends of their range, past them, and of the wrong kind: nothing overflows, a figure that cannot be
//! right costs itself and nothing else (R23, P5).

use cardfold::CardTracker;
use cardfold_testkit::script::{Session, card, sound, usage};

/// Numbers as JSON may write them.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "-9223372036854775809",
    "9223372036854775807",
    "9223372036854775808",
    "1e308",
    "-1e308",
    "1e999999999",
    "1e-999999999",
    "0.1",
    "2147483648",
    "4294967295",
    "4294967296",
    "\"18446744073709551615\"",
    "null",
    "[]",
    "{}",
    "true",
];

/// Every field that holds a number, with this one in it.
fn frames(number: &str) -> String {
    let raw = [
        r#"{"type":"system","subtype":"task_started","task_id":"t","tool_use_id":"a","task_type":"local_agent","spawn_depth":#,"timestamp":#}"#,
        r#"{"type":"system","subtype":"task_started","task_id":"v","tool_use_id":"b","task_type":"local_agent","spawn_depth":#}"#,
        r#"{"type":"system","subtype":"task_progress","task_id":"t","usage":{"total_tokens":#,"tool_uses":#,"duration_ms":#}}"#,
        r#"{"type":"system","subtype":"task_started","task_id":"w","tool_use_id":"e","task_type":"local_workflow","description":"w","spawn_depth":1}"#,
        r#"{"type":"system","subtype":"task_progress","task_id":"w","workflow_progress":[{"type":"workflow_agent","index":#,"label":"m","agentId":"m","state":"done","tokens":#,"toolCalls":#,"durationMs":#,"attempt":#}]}"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]},"tool_use_result":{"status":"completed","totalTokens":#,"totalToolUseCount":#,"totalDurationMs":#}}"#,
        r#"{"type":"system","subtype":"task_updated","task_id":"t","patch":{"status":"completed","end_time":#,"total_paused_ms":#}}"#,
        r#"{"type":"system","subtype":"task_notification","task_id":"t","status":"completed","end_time":#,"usage":{"total_tokens":#,"tool_uses":#,"duration_ms":#}}"#,
        r#"{"type":"agent_metadata","agentId":"t","toolUseId":"a","spawnDepth":#}"#,
    ];
    raw.map(|frame| format!("RAW {}", frame.replace('#', number))).join("\n")
}

#[test]
fn numbers_of_every_size_are_safe() {
    for number in NUMBERS {
        let mut session = Session::new();
        session.play("D a");
        // The notation reads its JSON itself; what it refuses the decoder has to bear.
        for line in frames(number).lines() {
            let line = line.trim_start_matches("RAW ");
            let frame = cardfold::Frame::decode(line.as_bytes()).unwrap_or_else(|error| panic!("{error}: {line}"));
            session.tracker.apply(&frame);
            session.tracker.all_cards().for_each(|card| sound(&card));
        }
        assert_eq!(session.reads("a"), "settled completed (roster)", "{number} costs its field and nothing else");
        let written = serde_json::to_string(&session.tracker).expect("a tracker can be written out");
        let revived: CardTracker = serde_json::from_str(&written).expect("it can be read back");
        assert!(session.tracker.all_cards().eq(revived.all_cards()), "{number}");
    }
}

#[test]
fn r23_figures_at_their_maximum_stay_there() {
    let most = u64::MAX;
    let raw = |name: &str, figure: u64| {
        format!(
            r#"RAW {{"type":"system","subtype":"{name}","task_id":"t","status":"completed","usage":{{"total_tokens":{figure},"tool_uses":{figure},"duration_ms":{figure}}}}}"#
        )
    };
    let mut session = Session::of("D a, TS t→a");
    session.play(&raw("task_progress", most));
    session.play(&raw("task_progress", 1));
    assert_eq!(usage(session.card("a").usage), format!("{most}/{most}/{most}"));
    session.play(&raw("task_notification", 2));
    assert_eq!(usage(session.card("a").usage), format!("{most}/{most}/{most}"), "within a run never down");
}

#[test]
fn times_at_the_ends_of_what_a_text_can_say() {
    for (at, expected) in [
        ("0000-01-01T00:00:00.000Z", Some(-62_167_219_200_000)),
        ("9999-12-31T23:59:59.999Z", Some(253_402_300_799_999)),
        ("9999-12-31T23:59:59.999-23:59", Some(253_402_387_139_999)),
        ("99999999999999-01-01T00:00:00Z", None),
        ("-9999-01-01T00:00:00Z", None),
        ("2026-13-45T99:99:99.999999999999999999999Z", None),
        ("", None),
    ] {
        let frame = format!(
            r#"RAW {{"type":"assistant","timestamp":"{at}","message":{{"content":[{{"type":"tool_use","id":"a","name":"Agent","input":{{}}}}]}}}}"#
        );
        assert_eq!(card(&frame, "a").started_at_ms, expected, "{at}");
    }
}

#[test]
fn ends_at_the_limits_of_an_integer_are_kept() {
    for end in [i64::MIN, -1, 0, i64::MAX] {
        let update = format!(
            r#"RAW {{"type":"system","subtype":"task_updated","task_id":"t","patch":{{"status":"completed","end_time":{end}}}}}"#
        );
        let mut session = Session::of("D a at=9, TS t→a");
        session.play(&update);
        let card = session.card("a");
        assert_eq!((card.started_at_ms, card.ended_at_ms), (Some(9), Some(end)));
        serde_json::to_string(&card).expect("a card can be written");
    }
}

#[test]
fn a_depth_past_all_bounds_is_no_depth_to_count_with() {
    for depth in ["18446744073709551615", "18446744073709551616", "4294967297", "-1"] {
        let nested = format!(
            r#"RAW {{"type":"system","subtype":"task_started","task_id":"u","tool_use_id":"in","parent_task_id":"t","task_type":"local_agent","spawn_depth":{depth}}}"#
        );
        let mut session = Session::of("D a, TS t→a, A in<a");
        session.play(&nested);
        let card = session.card("a");
        assert_eq!((card.nested.len(), card.nested[0].depth), (1, 1), "{depth}: the tree says how deep a row is");
        assert_eq!(session.drawn(), "a", "{depth}");
    }
}

#[test]
fn runs_of_an_agent_beyond_counting_by_hand() {
    let mut session = Session::of("D a, TS t→a");
    for _ in 0..1_000 {
        session.play("TU t completed, TS t→a");
    }
    assert_eq!(session.card("a").runs, 1_001);
}
