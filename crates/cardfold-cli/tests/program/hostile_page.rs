//! No markup, script, style or address of a transcript takes effect in a page or a picture: whatever the texts are, the
//! document has the same elements and attributes, and only its texts differ.

use std::fs;
use std::path::{Path, PathBuf};

use roxmltree::Document;
use serde_json::json;

use crate::markup::parsed;
use crate::{Ran, program};

/// What breaks out of a text, an attribute, a style, a script, a comment; addresses that run; entities that hide a
/// tag; characters that XML has no place for.
pub(crate) const HOSTILE: [&str; 14] = [
    "</title></style></script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' autofocus onfocus='alert(1)",
    "]]><!-- <![CDATA[ <?xml ?> <!DOCTYPE x [<!ENTITY y \"z\">]>",
    "javascript:alert(1)",
    "&lt;script&gt;alert(1)&lt;/script&gt;&#60;b&#62;&y;",
    "<a href=http://evil.example/>x</a><style>@import url(//evil.example)</style>",
    "<svg/onload=alert(1)><foreignObject><iframe srcdoc=x>",
    "<script>caught=1</script><img src=//evil.example/x onload=caught=1>",
    "<base href=//evil.example/><link rel=stylesheet href=x>",
    "<meta http-equiv=refresh content=0;url=//evil.example/>",
    "<form action=//evil.example/><button autofocus onfocus=caught=1>",
    "`${caught=1}`;caught=1;//{{caught=1}}<%caught=1%>",
    "x\u{fffe}\u{ffff}\u{0}\u{1b}]0;x\u{7}\u{202e}<b>",
];

/// A session that says `text` wherever a transcript has room for one.
fn session(text: &str) -> String {
    let dispatch = |id: &str, parent: Option<&str>| {
        json!({ "type": "assistant", "session_id": text, "uuid": format!("u-{id}"), "parent_tool_use_id": parent,
            "timestamp": "2026-03-02T09:00:00Z", "message": { "model": text, "content": [{ "type": "tool_use",
            "id": id, "name": "Agent", "input": { "description": text, "subagent_type": text } }] } })
    };
    let task = |id: &str, subtype: &str| {
        json!({ "type": "system", "subtype": subtype, "session_id": text, "task_id": format!("task {id}"),
            "tool_use_id": id, "description": text, "summary": text, "task_type": "local_agent" })
    };
    let call = |id: &str, parent: &str| {
        json!({ "type": "assistant", "session_id": text, "uuid": format!("call {id}"), "parent_tool_use_id": parent,
            "message": { "model": text, "content": [{ "type": "tool_use", "id": id, "name": text,
            "input": { "command": text } }] } })
    };
    let answer = json!({ "type": "user", "session_id": text, "uuid": "u-r", "parent_tool_use_id": null,
        "timestamp": "2026-03-02T09:00:05Z", "message": { "content": [{ "type": "tool_result", "tool_use_id": text,
        "is_error": true, "content": text }] } });
    let (nested, second) = (format!("{text} nested"), format!("{text} second"));
    let request = json!({ "type": "control_request", "request_id": text, "request": { "subtype": "can_use_tool",
        "tool_name": text, "title": text, "agent_id": format!("task {second}"), "input": {} } });
    let lines = [
        dispatch(text, None),
        task(text, "task_started"),
        dispatch(&nested, Some(text)),
        call("c", text),
        answer,
        dispatch(&second, None),
        task(&second, "task_started"),
        call("d", &second),
        task(&second, "task_progress"),
        request,
    ];
    lines.map(|line| format!("{line}\n")).concat() + &format!("{text}\n")
}

/// A file of that session, whose path is a text, too.
pub(crate) fn file(folder: &Path, text: &str) -> PathBuf {
    let name: String = text.chars().filter(|c| !matches!(c, '/' | '\0')).collect();
    let path = folder.join(format!("{name}.jsonl"));
    fs::write(&path, session(text)).expect("a file can be written");
    path
}

fn printed(form: &str, text: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = file(folder.path(), text);
    let output = program(&["replay", "--live", "--all", "--format", form]).arg(&path).output();
    let ran = Ran::of(output.expect("the program can be started"));
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    ran.out
}

/// Every element with its attributes. Only lengths may differ between two documents of the same cards.
fn skeleton(document: &Document<'_>) -> Vec<String> {
    let elements = document.descendants().filter(|node| node.is_element());
    let shown = elements.map(|node| {
        let attributes = node.attributes().map(|attribute| format!(" {}={}", attribute.name(), attribute.value()));
        format!("{}{}", node.tag_name().name(), attributes.collect::<String>())
    });
    shown.collect()
}

#[test]
fn texts_change_nothing_but_texts() {
    for form in ["html", "svg"] {
        let tame = printed(form, "tame");
        let expected = skeleton(&parsed(&tame));
        for text in HOSTILE {
            let hostile = printed(form, text);
            let document = parsed(&hostile);
            assert_eq!(skeleton(&document), expected, "{form}: {text}");
            let comments = document.descendants().filter(|node| node.is_comment() || node.is_pi()).count();
            assert_eq!(comments, 0, "{form}: {text}");
            let scripts = hostile.to_lowercase().matches("<script").count();
            assert_eq!(scripts, usize::from(form == "html"), "{form}: {text}");
        }
    }
}

/// The same text reaches the reader: it is escaped once, and not twice.
#[test]
fn texts_read_as_they_are() {
    for form in ["html", "svg"] {
        for text in HOSTILE.iter().filter(|text| !text.contains('\u{0}')) {
            let page = printed(form, text);
            let document = parsed(&page);
            let found = document.descendants().filter(|node| node.is_text()).filter_map(|node| node.text());
            let names = found.filter(|found| found.contains(text)).count();
            assert!(names >= 2, "{form}: {text}: {page}");
        }
    }
}

/// The tame session fills every part of a card, so that the comparison is about all of them.
#[test]
fn every_part_of_a_card_is_there() {
    let page = printed("html", "tame");
    for part in [
        "needs an answer: ",
        "now: ",
        "model: ",
        "<summary>Error",
        "Last calls",
        "Agents below it",
        "<summary>Problems",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
}
