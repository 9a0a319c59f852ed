//! No text of a transcript reaches a card with what could steer a terminal or a page, however long or odd it is
//! (section 2, R24); ids stay as they are, whatever they hold. The JSON of the cards is read back by another parser.

use cardfold::{Card, CardTracker, Excerpt, Frame};
use cardfold_testkit::script::sound;
use tinyjson::JsonValue;

/// Turns text red, clears the screen, sets the window's title, rings the bell: by ESC, and by C1.
const ESCAPES: &str = "\u{1b}[31mred\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}2J\u{9d}0;owned\u{9c}\u{8}\u{7f}";

/// Every direction mark of section 2, between letters.
const MARKS: &str = "a\u{61c}b\u{200e}c\u{200f}d\u{202a}e\u{202b}f\u{202c}g\u{202d}h\u{202e}i\u{2066}j\u{2067}k\u{2068}\
    l\u{2069}m";

/// Texts as they could stand in a transcript, by name; each as the inside of a JSON string.
fn short_texts() -> Vec<(&'static str, String)> {
    let plain = [
        ("escapes", ESCAPES.to_owned()),
        ("marks", MARKS.to_owned()),
        ("all controls", (0..0xa0).filter_map(char::from_u32).chain("end".chars()).collect()),
        ("nothing to see", "\u{0}\u{1b}\u{202e}\u{7f}\u{9b}".to_owned()),
        ("blanks and marks", " \u{200f}\t\u{0} \u{85}\u{2028}\u{2069}\n".to_owned()),
        ("page", "<script>alert(1)</script><!--]]>'\"&quot;</style><img src=x onerror=y>".to_owned()),
        ("line ends", "a\r\nb\rc\u{2028}d\u{2029}e\u{b}f\u{c}g\u{85}h\n\n\r\n".to_owned()),
        (
            "a hand-back inside",
            "[Subagent hand-back] x\n  \u{1b}[31my\u{202e}\n<usage>total_tokens: 1</usage>".to_owned(),
        ),
        ("a notice inside", "<task-notification><task-id>t</task-id>&#27;[31m&#x202e;&amp;#27;".to_owned()),
    ];
    let mut texts: Vec<_> = plain.into_iter().map(|(name, text)| (name, inside(&text))).collect();
    // What only an escape can say: halves of surrogate pairs, alone, in the wrong order, and at the ends.
    for (name, escaped) in [
        ("a high half", r"a\ud83d b"),
        ("a low half", r"a\udd80 b"),
        ("halves in the wrong order", r"\udd80\ud83d"),
        ("a pair behind a half", r"\ud83d\ud83e\udd80\ud83e"),
        ("an escaped escape", r"\u001b[31m\u009b2J\u202e\u0000"),
    ] {
        texts.push((name, escaped.to_owned()));
    }
    texts
}

/// The same, of a megabyte or so.
fn long_texts() -> Vec<(&'static str, String)> {
    let plain = [
        ("a word of a megabyte", "x".repeat(1 << 20)),
        ("a megabyte of four bytes each", "🦀".repeat(1 << 18)),
        ("a megabyte of lines", "y\n".repeat(1 << 19)),
        ("a megabyte of nothing", "\u{0}".repeat(1 << 17) + &"\u{202e}".repeat(1 << 17) + "z"),
        ("a megabyte of blanks", "\n \t".repeat(1 << 18) + "z"),
        ("a storm of accents", "Z".to_owned() + &"\u{301}\u{489}\u{36f}".repeat(100_000)),
        ("a family of joiners", "👨\u{200d}".repeat(50_000)),
    ];
    plain.into_iter().map(|(name, text)| (name, inside(&text))).collect()
}

/// `text` as JSON writes it, without the quotes.
fn inside(text: &str) -> String {
    let quoted = serde_json::to_string(text).expect("a string can be written");
    quoted[1..quoted.len() - 1].to_owned()
}

/// One session that says `@` wherever a source may say a text that a card shows: on the live stream, in answers, in
/// notices, in requests, in a workflow's items and in sidecars.
const LINES: &[&str] = &[
    r#"{"type":"assistant","message":{"model":"@","content":[{"type":"tool_use","id":"a","name":"Agent","input":{"description":"@","subagent_type":"@","prompt":"@","name":"@"}}]}}"#,
    r#"{"type":"assistant","parent_tool_use_id":"a","message":{"model":"@","content":[{"type":"text","text":"@"},{"type":"tool_use","id":"c1","name":"@","input":{"description":"@"}}]}}"#,
    r#"{"type":"assistant","parent_tool_use_id":"a","message":{"content":[{"type":"tool_use","id":"c2","name":"Bash","input":{"command":"@"}}]}}"#,
    r#"{"type":"assistant","parent_tool_use_id":"a","message":{"content":[{"type":"tool_use","id":"c3","name":"Grep","input":{"pattern":"@","path":"@"}}]}}"#,
    r#"{"type":"assistant","parent_tool_use_id":"a","message":{"content":[{"type":"tool_use","id":"c4","name":"mcp__@__@","input":{"@":"@"}}]}}"#,
    r#"{"type":"assistant","parent_tool_use_id":"a","message":{"content":[{"type":"tool_use","id":"c5","name":"Edit","input":{"file_path":"@"}}]}}"#,
    r#"{"type":"assistant","parent_tool_use_id":"a","message":{"content":[{"type":"tool_use","id":"c6","name":"WebFetch","input":{"url":"@"}}]}}"#,
    r#"{"type":"assistant","parent_tool_use_id":"a","message":{"content":[{"type":"tool_use","id":"c7","name":"Skill","input":{"skill":"@"}}]}}"#,
    r#"{"type":"assistant","parent_tool_use_id":"a","message":{"content":[{"type":"tool_use","id":"c8","name":"SendMessage","input":{"to":"@"}}]}}"#,
    r#"{"type":"assistant","parent_tool_use_id":"a","message":{"content":[{"type":"tool_use","id":"in","name":"Agent","input":{"description":"@","subagent_type":"@"}}]}}"#,
    r#"{"type":"control_request","request_id":"q1","request":{"subtype":"can_use_tool","tool_name":"@","title":"@","display_name":"@","tool_use_id":"c1","input":{}}}"#,
    r#"{"type":"control_request","request_id":"q2","request":{"subtype":"can_use_tool","tool_name":"@","tool_use_id":"c2","input":{}}}"#,
    r#"{"type":"system","subtype":"task_started","task_id":"t","tool_use_id":"a","description":"@","subagent_type":"@","task_type":"local_agent"}"#,
    r#"{"type":"system","subtype":"task_started","task_id":"u","tool_use_id":"in","description":"@","subagent_type":"@","task_type":"local_agent"}"#,
    r#"{"type":"system","subtype":"task_progress","task_id":"t","description":"@","summary":"@","last_tool_name":"@"}"#,
    r#"{"type":"system","subtype":"task_progress","task_id":"t","description":"@"}"#,
    r#"{"type":"system","subtype":"task_updated","task_id":"t","patch":{"status":"@","description":"@"}}"#,
    r#"{"type":"system","subtype":"task_updated","task_id":"u","patch":{"status":"failed","error":"@"}}"#,
    r#"{"type":"user","parent_tool_use_id":"a","message":{"content":[{"type":"tool_result","tool_use_id":"in","is_error":true,"content":"@"}]}}"#,
    r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"@"}]}]},"tool_use_result":{"status":"completed","agentType":"@","resolvedModel":"@","content":[{"type":"text","text":"@"}]}}"#,
    r#"{"type":"system","subtype":"task_notification","task_id":"t","status":"completed","summary":"@","result":"@","handback_report":{"text":"@"},"output_file":"@"}"#,
    r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"b","name":"Task","input":{"subagent_type":"@"}}]}}"#,
    r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"b","is_error":true,"content":[{"type":"text","text":"@"}]}]},"toolDenialKind":"@"}"#,
    r#"{"type":"system","subtype":"task_updated","task_id":"v","patch":{"status":"failed","error":"@"}}"#,
    r#"{"type":"system","subtype":"task_started","task_id":"v","tool_use_id":"d","description":"@","task_type":"local_agent","spawn_depth":1}"#,
    r#"{"type":"system","subtype":"task_updated","task_id":"v","patch":{"status":"failed","error":"@"}}"#,
    r#"{"type":"user","message":{"content":"<task-notification><task-id>v</task-id><status>failed</status><summary>@</summary><result>@</result></task-notification>"},"origin":{"kind":"task-notification"}}"#,
    r#"{"type":"system","subtype":"task_started","task_id":"w","tool_use_id":"e","description":"@","task_type":"local_workflow","workflow_name":"@"}"#,
    r#"{"type":"system","subtype":"task_progress","task_id":"w","description":"@","workflow_progress":[{"type":"workflow_agent","index":1,"label":"@","agentId":"m","agentType":"@","state":"progress","model":"@","lastToolName":"@","lastToolSummary":"@"},{"type":"workflow_agent","index":2,"label":"@","agentId":"n","state":"error","error":"@"}]}"#,
    r#"{"type":"agent_metadata","agentId":"t","toolUseId":"a","agentType":"@","description":"@","name":"@","model":"@"}"#,
    r#"{"type":"@","subtype":"@","message":"@"}"#,
    r#"{"type":"system","subtype":"@","task_id":"t"}"#,
];

/// Section 2: C0, DEL, C1 and the direction marks.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_clean_line(what: &str, text: &str, most: usize) {
    let bad = text.chars().find(|&c| is_hidden(c) || (c.is_whitespace() && c != ' '));
    assert_eq!(bad, None, "{what}: {:?}", text.chars().take(200).collect::<String>());
    assert_eq!(text.trim(), text, "{what} has blank ends");
    assert!(text.chars().count() <= most, "{what} is longer than {most} characters");
}

fn is_clean_block(what: &str, excerpt: &Excerpt) {
    let text = &excerpt.text;
    let bad = text.chars().find(|&c| is_hidden(c) && c != '\n' && c != '\t');
    assert_eq!(bad, None, "{what}: {:?}", text.chars().take(200).collect::<String>());
    assert!(text.len() <= 4_096 && text.split('\n').count() <= 40, "{what} is longer than it may be");
    assert!(!text.trim().is_empty(), "{what} is blank");
}

/// Every text that is shown is harmless and as long as it may be.
fn is_harmless(name: &str, card: &Card) {
    let what = |field: &str| format!("{name}: {field} of {:?}", card.dispatch_id.chars().take(80).collect::<String>());
    is_clean_line(&what("name"), &card.name, 80);
    for (field, text) in
        [("agent_type", &card.agent_type), ("activity", &card.activity), ("needs_input", &card.needs_input)]
    {
        is_clean_line(&what(field), text.as_deref().unwrap_or_default(), 120);
    }
    is_clean_line(&what("model"), card.model.as_deref().unwrap_or_default(), 120);
    for call in &card.tail {
        is_clean_line(&what("call name"), &call.name, 120);
        is_clean_line(&what("title"), &call.title, 120);
    }
    for row in &card.nested {
        is_clean_line(&what("row name"), &row.name, 80);
        is_clean_line(&what("row type"), row.agent_type.as_deref().unwrap_or_default(), 120);
    }
    for (field, excerpt) in [("report", &card.report), ("error", &card.error)] {
        excerpt.iter().for_each(|excerpt| is_clean_block(&what(field), excerpt));
    }
    sound(card);
}

/// Folds these lines; every card is checked after every frame.
fn fold(name: &str, lines: impl IntoIterator<Item = String>) -> CardTracker {
    let mut tracker = CardTracker::new();
    for line in lines {
        let head = || line.chars().take(300).collect::<String>();
        let frame = Frame::decode(line.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}: {}", head()));
        tracker.apply(&frame);
        tracker.all_cards().for_each(|card| is_harmless(name, &card));
    }
    tracker.end_session();
    tracker.all_cards().for_each(|card| is_harmless(name, &card));
    tracker
}

/// The cards as JSON, read by a parser that has nothing in common with the one that wrote it.
fn read_back(cards: &[Card]) -> Vec<JsonValue> {
    let json = serde_json::to_string(cards).expect("cards can be written");
    assert_eq!(json.bytes().find(|&byte| byte < b' '), None, "JSON has no raw control character");
    let parsed: JsonValue = json.parse().unwrap_or_else(|error| panic!("{error}"));
    parsed.get::<Vec<JsonValue>>().expect("it is a list").clone()
}

fn string(value: &JsonValue) -> Option<&str> {
    value.get::<String>().map(String::as_str)
}

/// Folds them, and checks what is known of the session that [`LINES`] tells.
fn tell(name: &str, lines: impl Iterator<Item = String>) {
    let tracker = fold(name, lines);
    let cards: Vec<_> = tracker.all_cards().collect();
    let ids: Vec<_> = cards.iter().map(|card| &*card.dispatch_id).collect();
    assert_eq!(ids, ["a", "b", "d", "e"], "{name}: every frame was understood");
    assert!(cards.iter().all(|card| !card.name.is_empty()), "{name}: where a text shows nothing another is the name");
    let written = serde_json::to_string(&tracker).expect("a tracker can be written out");
    let parsed: Result<JsonValue, _> = written.parse();
    assert!(parsed.is_ok(), "{name}: {:?}", parsed.err());
    let revived: CardTracker = serde_json::from_str(&written).expect("what was written out can be read back");
    assert!(tracker.all_cards().eq(revived.all_cards()), "{name}");
    for (card, read) in cards.iter().zip(read_back(&cards)) {
        assert_eq!(string(&read["name"]), Some(&*card.name), "{name}");
        assert_eq!(string(&read["error"]), card.error.as_ref().map(|error| &*error.text), "{name}");
        let report = card.report.as_ref().map(|report| report.text.as_str());
        let read_report = (!read["report"].is_null()).then(|| &read["report"]["text"]);
        assert_eq!(read_report.and_then(string), report, "{name}");
        let titles: &Vec<JsonValue> = read["tail"].get().expect("a tail is a list");
        let titles: Vec<_> = titles.iter().filter_map(|call| string(&call["title"])).collect();
        assert_eq!(titles, card.tail.iter().map(|call| &*call.title).collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn texts_that_are_shown_are_harmless() {
    for (name, text) in short_texts() {
        tell(name, LINES.iter().map(|line| line.replace('@', &text)));
    }
}

#[test]
fn texts_that_are_shown_are_bounded() {
    let texts = long_texts();
    // Each text in every kind of place, but not everywhere at once: that would be a gigabyte.
    for (shift, (name, _)) in texts.iter().enumerate() {
        let mut place = 0;
        let mut line = |line: &&str| {
            let mut parts = line.split('@');
            let mut told = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                place += 1;
                let text = if place % 4 == shift % 4 { texts[shift].1.as_str() } else { "x" };
                told = told + text + part;
            }
            told
        };
        tell(name, LINES.iter().map(&mut line));
    }
}

/// A dispatch, a call, a nested dispatch, their tasks and a request, with `@` before every id.
const IDS: &[&str] = &[
    r#"{"type":"assistant","uuid":"@1","session_id":"@","message":{"content":[{"type":"tool_use","id":"@a","name":"Agent","input":{}}]}}"#,
    r#"{"type":"assistant","uuid":"@2","session_id":"@","parent_tool_use_id":"@a","message":{"content":[{"type":"tool_use","id":"@c","name":"Bash","input":{}}]}}"#,
    r#"{"type":"assistant","uuid":"@3","session_id":"@","parent_tool_use_id":"@a","message":{"content":[{"type":"tool_use","id":"@in","name":"Agent","input":{}}]}}"#,
    r#"{"type":"system","subtype":"task_started","uuid":"@4","task_id":"@t","run_id":"@r","tool_use_id":"@a","task_type":"local_agent"}"#,
    r#"{"type":"system","subtype":"task_started","uuid":"@5","task_id":"@u","tool_use_id":"@in","parent_task_id":"@t","task_type":"local_agent"}"#,
    r#"{"type":"control_request","request_id":"@q","request":{"subtype":"can_use_tool","tool_name":"Bash","agent_id":"@u","input":{}}}"#,
    r#"{"type":"control_response","response":{"request_id":"@q"}}"#,
    r#"{"type":"user","uuid":"@6","message":{"content":[{"type":"tool_result","tool_use_id":"@c","content":"ok"}]}}"#,
];

#[test]
fn ids_stay_as_they_are_whatever_they_hold() {
    for (name, text) in short_texts().into_iter().chain(long_texts().into_iter().take(1)) {
        let lines: Vec<_> = IDS.iter().map(|line| line.replace('@', &text)).collect();
        // What the decoder makes of the text; half a pair cannot be kept.
        let read: String = serde_json::from_str(&format!("\"{text}\"")).unwrap_or_default();
        let tracker = fold(name, lines.iter().chain(&lines).cloned());
        let cards: Vec<_> = tracker.all_cards().collect();
        assert_eq!(cards.len(), 1, "{name}");
        let card = &cards[0];
        assert_eq!((card.calls, card.open_calls, card.nested.len()), (2, 0, 1), "{name}");
        assert_eq!(card.tail[0].status, cardfold::CallStatus::Completed, "{name}");
        let own = |id: &str| format!("{read}{id}");
        if !read.is_empty() {
            assert_eq!(card.dispatch_id, own("a"), "{name}");
            assert_eq!(card.task_id, Some(own("t")), "{name}");
            assert_eq!(card.nested[0].dispatch_id, Some(own("in")), "{name}");
            assert_eq!(card.nested[0].task_id, Some(own("u")), "{name}");
            assert_eq!(tracker.owner_of_call(&own("c")), Some(&*card.dispatch_id), "{name}");
            assert_eq!(tracker.owner_of_task(&own("u")), Some(&*card.dispatch_id), "{name}");
        }
        let read_back = read_back(&cards);
        assert_eq!(string(&read_back[0]["dispatch_id"]), Some(&*card.dispatch_id), "{name}");
    }
}
