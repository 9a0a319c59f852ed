//! What is wrong with a line costs that line, or a field of it, and never more (P5).

use std::error::Error;

use cardfold_wire::{Block, Body, Frame, FrameErrorKind, TaskUpdated};
use serde_json::{Value, json};

use crate::lines::{LINES, line};

fn kind_of(line: impl AsRef<[u8]>) -> FrameErrorKind {
    Frame::decode(line.as_ref()).expect_err("the line is no frame").kind()
}

fn uuid_of(line: impl AsRef<[u8]>) -> Option<String> {
    let frame = Frame::decode(line.as_ref()).expect("the line is a frame");
    frame.uuid.map(|uuid| uuid.into_owned())
}

/// A user line with that text, as JSON, and a uuid behind it.
fn saying(text: &str) -> String {
    format!(r#"{{"type":"user","message":{{"content":[{{"type":"text","text":"{text}"}}]}},"uuid":"u1"}}"#)
}

fn said(line: &[u8]) -> cardfold_wire::Text<'_> {
    let Body::User(user) = Frame::decode(line).expect("the line is a frame").body else { panic!("it is a turn") };
    user.texts.into_iter().next().expect("it has one text")
}

#[test]
fn a_line_torn_at_any_byte_is_no_frame() {
    for (name, line) in LINES {
        for end in 0..line.len() {
            let kind = kind_of(&line.as_bytes()[..end]);
            let cuts_a_character = !line.is_char_boundary(end);
            let expected = if cuts_a_character { FrameErrorKind::NotUtf8 } else { FrameErrorKind::NotJson };
            assert_eq!(kind, expected, "{name} torn at {end}");
        }
    }
}

#[test]
fn a_tail_of_a_line_is_no_frame() {
    for (name, line) in LINES {
        for start in 1..line.len() {
            let tail = &line.as_bytes()[start..];
            // A tail may be a whole value of its own, but never one of a known type with all that it needs.
            let kind = kind_of(tail);
            assert_ne!(kind, FrameErrorKind::TooDeep, "{name} from {start}");
        }
    }
}

#[test]
fn bytes_that_are_no_utf8_cost_the_line_also_where_nobody_reads_them() {
    let line = r#"{"type":"user","cwd":"XYZ","message":{"content":"XYZ"},"uuid":"u1","XYZ":1}"#;
    for (at, _) in line.match_indices("XYZ") {
        for bytes in [&b"\xff"[..], b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"] {
            let broken = [&line.as_bytes()[..at], bytes, &line.as_bytes()[at + 3..]].concat();
            let error = Frame::decode(&broken).expect_err("the line is no frame");
            assert_eq!((error.kind(), error.offset()), (FrameErrorKind::NotUtf8, Some(at)));
            assert_eq!(error.to_string(), format!("not UTF-8 at column {}", at + 1));
            assert!(error.source().is_some());
        }
    }
    assert_eq!(kind_of(b"{\"type\":\"summary\"} \xff"), FrameErrorKind::NotUtf8);
    assert_eq!(kind_of(b" \xff{\"type\":\"summary\"}"), FrameErrorKind::NotUtf8);
}

#[test]
fn garbage_is_not_json() {
    for (line, column) in [
        ("// by hand", Some(1)),
        ("{]", Some(2)),
        ("\u{feff} {\"type\":\"user\",}", Some(20)),
        ("{\"type\":\n\"user\" x}", Some(17)),
        (r#"{"type":"user","message":{"content":"\[REMOVED]"}}"#, Some(39)),
        ("{\"type\":\"a\tb\"}", Some(11)),
        ("{\"type\":\"summary\"}  {\"type\":\"mode\"}", Some(21)),
        ("{\"type\":\"summary\"}x \0", Some(19)),
        ("", None),
        (" \0\u{feff}\r\n", None),
    ] {
        let error = Frame::decode(line.as_bytes()).expect_err("the line is no frame");
        assert_eq!((error.kind(), error.column()), (FrameErrorKind::NotJson, column), "{line:?}: {error}");
        assert!(!error.to_string().contains(char::is_uppercase) || error.to_string().contains("JSON"), "{error}");
    }
}

#[test]
fn a_value_that_is_no_object_is_told_apart() {
    for line in ["[]", "[{\"type\":\"user\"}]", "7", "-1.5e3", "\"x\"", "\"\\ud83d\"", "null", "true"] {
        assert_eq!(kind_of(line), FrameErrorKind::NotAnObject, "{line}");
    }
    assert_eq!(Frame::from_value(&json!([])).expect_err("it is no frame").kind(), FrameErrorKind::NotAnObject);
}

#[test]
fn padding_costs_nothing() {
    let line = line("init");
    let plain = Frame::decode(line.as_bytes()).expect("the line is a frame");
    for padded in [
        format!("\u{feff}{line}"),
        format!("{line}\r"),
        format!("{line}\r\n"),
        format!(" \t{line}\n\n"),
        format!("\0\0\0{line}\0\0"),
        format!("\0\u{feff}\0{line} \0\u{feff}"),
    ] {
        assert_eq!(Frame::decode(padded.as_bytes()).expect("the line is a frame"), plain);
    }
}

#[test]
fn two_objects_on_a_line_are_both_read() {
    let (one, two) = (line("bookkeeping"), line("init"));
    for between in ["", " ", "\0", "\r\u{feff}"] {
        let both = format!(" {one}{between}{two}\0");
        let (frame, rest) = Frame::decode_first(both.as_bytes()).expect("the first is a frame");
        assert_eq!(frame.body, Body::Quiet);
        let (frame, rest) = Frame::decode_first(rest).expect("the second is a frame");
        assert_eq!((frame.body, rest), (Body::Init, &b""[..]));
    }
    let torn = format!("{one}{}", &two[..two.len() - 1]);
    let (_, rest) = Frame::decode_first(torn.as_bytes()).expect("the first is a frame");
    assert_eq!(kind_of(rest), FrameErrorKind::NotJson);
    let broken = format!("{}\n{one}", saying("\\ud83d"));
    let (_, rest) = Frame::decode_first(broken.as_bytes()).expect("the first is a frame");
    assert_eq!(rest, one.as_bytes());
}

#[test]
fn a_line_of_many_objects_is_read_in_time() {
    let line = "{\"type\":\"summary\"}".repeat(200_000);
    let mut rest = line.as_bytes();
    let mut frames = 0;
    while !rest.is_empty() {
        (_, rest) = Frame::decode_first(rest).expect("each is a frame");
        frames += 1;
    }
    assert_eq!(frames, 200_000);
}

#[test]
fn depth_counts_where_a_value_is_wanted() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let objects = |depth: usize| format!("{}7{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    for deep in [nested(200), objects(200), nested(100_000)] {
        for wanted in [
            format!(r#"{{"type":"user","uuid":{deep}}}"#),
            format!(r#"{{"type":"user","message":{{"content":{deep}}},"uuid":"u1"}}"#),
            format!(r#"{{"type":"user","message":{{"content":"x"}},"toolUseResult":{{"status":{deep}}},"uuid":"u1"}}"#),
            format!(r#"{{"type":"system","subtype":"task_updated","patch":{{"error":{deep}}}}}"#),
        ] {
            let error = Frame::decode(wanted.as_bytes()).expect_err("the line is no frame");
            assert_eq!(error.kind(), FrameErrorKind::TooDeep);
            assert!(error.column().is_some_and(|column| column > 100) && error.source().is_some(), "{error}");
        }
        for ignored in [
            format!(r#"{{"type":"user","x":{deep},"message":{{"content":"x","y":{deep}}},"uuid":"u1"}}"#),
            format!(r#"{{"type":"user","message":{{"content":[{{"input":{{"z":{deep}}}}}]}},"uuid":"u1"}}"#),
            format!(r#"{{"type":"user","message":{{"content":"x"}},"toolUseResult":{{"x":{deep}}},"uuid":"u1"}}"#),
        ] {
            assert_eq!(uuid_of(ignored).as_deref(), Some("u1"));
        }
    }
    let line = format!(r#"{{"type":"user","message":{{"content":{}}},"uuid":"u1"}}"#, nested(100));
    assert_eq!(uuid_of(line).as_deref(), Some("u1"), "a hundred levels are a value of the wrong type");
    let value = (0..200).fold(json!(7), |inner, _| json!([inner]));
    let value = json!({"type": "user", "uuid": value});
    assert_eq!(Frame::from_value(&value).expect_err("it is no frame").kind(), FrameErrorKind::TooDeep);
}

#[test]
fn a_line_of_64_mib_is_a_line() {
    let plain = "x".repeat(64 << 20);
    let line = saying(&plain);
    let text = said(line.as_bytes());
    assert!(!text.is_cut() && text.as_str().len() == plain.len());
    let owned = text.clone().into_owned();
    assert!(owned.is_cut() && owned.as_str().len() == 256 << 10);
    assert_eq!((owned.digest(), &owned), (cardfold_wire::digest(plain.as_bytes()), &text));

    let line = saying(&format!("{plain}\\n"));
    let text = said(line.as_bytes());
    assert!(text.is_cut());
    assert_eq!(text.digest(), cardfold_wire::digest(format!("{plain}\n").as_bytes()));
    assert_eq!(uuid_of(&line[..]).as_deref(), Some("u1"));

    let torn = &line.as_bytes()[..line.len() - 1];
    let error = Frame::decode(torn).expect_err("the line is no frame");
    assert_eq!((error.kind(), error.offset()), (FrameErrorKind::NotJson, Some(torn.len() - 1)));
}

#[test]
fn half_of_a_surrogate_pair_costs_one_character() {
    for (text, read) in [
        (r"cut \ud83d", "cut \u{fffd}"),
        (r"\ude00 and \ud83d\ude00", "\u{fffd} and \u{1f600}"),
        (r"\ud83d\n\ud83d\ud83d\ude00", "\u{fffd}\n\u{fffd}\u{1f600}"),
    ] {
        let line = saying(text);
        assert_eq!(said(line.as_bytes()).as_str(), read);
        assert_eq!(uuid_of(line).as_deref(), Some("u1"));
    }
    let id = r#"{"type":"summary","uuid":"u\ud83d","\ud83d":1,"cwd":"\udead"}"#;
    assert_eq!(uuid_of(id).as_deref(), Some("u\u{fffd}"));
    assert_eq!(kind_of(saying(r"\ud83d\x")), FrameErrorKind::NotJson);
    let error = Frame::decode(saying(r"\ud83d\x").as_bytes()).expect_err("the line is no frame");
    assert!(error.source().expect("it has one").to_string().starts_with("invalid escape"), "{error}");
}

#[test]
fn the_last_of_two_keys_counts() {
    let line = r#"{"type":"user","uuid":"u1","message":7,"uuid":"u2","type":"system","subtype":"task_updated",
        "task_id":"a","task_id":"b","patch":{"status":"x","error":"e"},"patch":{"status":"y"}}"#;
    let frame = Frame::decode(line.as_bytes()).expect("the line is a frame");
    assert_eq!(frame.uuid.as_deref(), Some("u2"));
    let updated = TaskUpdated { task_id: "b".into(), status: Some("y".into()), ..TaskUpdated::default() };
    assert_eq!(frame.body, Body::TaskUpdated(updated));
    assert_eq!(uuid_of(r#"{"type":"summary","uuid":"u1","uuid":null}"#), None);
    assert_eq!(uuid_of(r#"{"type":"summary","\u0075uid":"u1"}"#).as_deref(), Some("u1"));
}

#[test]
fn a_number_or_a_blank_is_no_id() {
    for id in ["7", "\"\"", "\" \\t\"", "true", "null", "[]", "{}"] {
        let line = format!(
            r#"{{"type":"assistant","uuid":{id},"session_id":{id},"parent_tool_use_id":{id},"agent_id":{id},
            "parentUuid":{id},"supersedes":[{id},"u9"],"message":{{"content":[{{"type":"tool_use","id":{id},"name":"Agent"}}]}}}}"#
        );
        let frame = Frame::decode(line.as_bytes()).expect("the line is a frame");
        let ids = [&frame.uuid, &frame.session_id, &frame.parent, &frame.agent_id, &frame.parent_uuid];
        assert_eq!(ids, [&None; 5], "{id}");
        let Body::Assistant(message) = &frame.body else { panic!("it is one") };
        assert_eq!(message.supersedes, ["u9"]);
        let [Block::ToolUse(call)] = &message.blocks[..] else { panic!("it has one call") };
        assert_eq!((&*call.id, &*call.name), ("", "Agent"));
    }
    let spelt_twice = r#"{"type":"summary","session_id":7,"sessionId":"s1","agent_id":"","agentId":"a1"}"#;
    let frame = Frame::decode(spelt_twice.as_bytes()).expect("the line is a frame");
    assert_eq!((frame.session_id.as_deref(), frame.agent_id.as_deref()), (Some("s1"), Some("a1")));
}

#[test]
fn figures_are_counted_as_far_as_they_go() {
    for (figure, read) in [
        ("7", Some(7)),
        ("7.9", Some(7)),
        ("-0.0", Some(0)),
        ("1e3", Some(1000)),
        ("18446744073709551615", Some(u64::MAX)),
        ("18446744073709551616", Some(u64::MAX)),
        ("1e300", Some(u64::MAX)),
        ("1e400", Some(u64::MAX)),
        ("-1e400", None),
        ("-7", None),
        ("-7.5", None),
        ("\"7\"", None),
        ("null", None),
        ("[7]", None),
    ] {
        let line = format!(
            r#"{{"type":"system","subtype":"task_progress","task_id":"a","usage":{{"total_tokens":{figure},"tool_uses":1}}}}"#
        );
        let Body::TaskProgress(progress) = Frame::decode(line.as_bytes()).expect("the line is a frame").body else {
            panic!("it is one")
        };
        assert_eq!((progress.usage.total_tokens, progress.usage.tool_uses), (read, Some(1)), "{figure}");
    }
    for (time, read) in [
        ("1790295641558", Some(1_790_295_641_558)),
        ("1790295641558.7", Some(1_790_295_641_558)),
        ("-5", Some(-5)),
        ("1e400", Some(i64::MAX)),
        ("-1e400", Some(i64::MIN)),
        ("18446744073709551615", Some(i64::MAX)),
        ("\"soon\"", None),
    ] {
        let line = format!(r#"{{"type":"system","subtype":"task_updated","patch":{{"end_time":{time}}}}}"#);
        let Body::TaskUpdated(updated) = Frame::decode(line.as_bytes()).expect("the line is a frame").body else {
            panic!("it is one")
        };
        assert_eq!(updated.end_time_ms, read, "{time}");
    }
}

#[test]
fn what_is_malformed_says_type_and_field() {
    for (line, words) in [
        ("{}", "no readable `type`"),
        (r#"{"type":null}"#, "no readable `type`"),
        (r#"{"type":["user"],"message":{}}"#, "no readable `type`"),
        (r#"{"type":"user"}"#, "`user` without a readable `message`"),
        (r#"{"type":"assistant","message":"Hello."}"#, "`assistant` without a readable `message`"),
        (r#"{"type":"control_request","request":[]}"#, "`control_request` without a readable `request`"),
        (r#"{"type":"progress","data":{"type":"agent_progress"}}"#, "`progress` without a readable `data.message`"),
    ] {
        let error = Frame::decode(line.as_bytes()).expect_err("the line is no frame");
        assert_eq!((error.kind(), &*error.to_string()), (FrameErrorKind::Malformed, words));
        assert!(error.source().is_none() && error.column().is_none());
    }
}

/// The places of every value in `value`.
fn places(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, inner)| self::places(inner, format!("{place}/{key}"), places)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(at, inner)| self::places(inner, format!("{place}/{at}"), places));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    if !place.is_empty() {
        places.push(place);
    }
}

/// Where a value of the wrong type costs the line.
const COSTLY: [&str; 5] = ["/type", "/message", "/data/message", "/data/message/message", "/request"];

#[test]
fn a_wrong_type_anywhere_costs_no_more_than_its_field() {
    let wrong = [
        json!(null),
        json!(true),
        json!(7),
        json!(-1.5),
        json!("x"),
        json!([]),
        json!({}),
        json!([7, "x", null, [[]], {"type": "text", "text": 7}]),
        json!({"type": ["x"], "content": {"content": 7}, "uuid": {}}),
    ];
    for (name, line) in LINES {
        let whole: Value = serde_json::from_str(line).expect("the line is JSON");
        let session_id = Frame::from_value(&whole).expect("it is a frame").session_id.map(|id| id.into_owned());
        let mut all = Vec::new();
        places(&whole, String::new(), &mut all);
        for place in &all {
            for wrong in &wrong {
                let mut value = whole.clone();
                *value.pointer_mut(place).expect("the place is one of the value's") = wrong.clone();
                let printed = value.to_string();
                match (Frame::decode(printed.as_bytes()), Frame::from_value(&value)) {
                    (Ok(frame), Ok(same)) => {
                        assert_eq!(frame, same, "{name} {place} {wrong}");
                        if !place.starts_with("/session") {
                            assert_eq!(frame.session_id.as_deref(), session_id.as_deref(), "{name} {place} {wrong}");
                        }
                    }
                    (Err(error), Err(same)) => {
                        assert_eq!((error.kind(), same.kind()), (FrameErrorKind::Malformed, FrameErrorKind::Malformed));
                        // Old agent progress has its messages in a list; only together they are one.
                        let is_costly = COSTLY.contains(&&**place) || place == "/data/normalizedMessages";
                        assert!(is_costly, "{name} {place} {wrong}: {error}");
                    }
                    (one, other) => panic!("{name} {place} {wrong}: {one:?} but {other:?}"),
                }
            }
        }
    }
}
