//! Section 2: the one line that says what a call does.

use cardfold_testkit::script::card;
use serde_json::{Value, json};

fn title(tool: &str, input: &Value) -> String {
    card(&format!("D a, C x<a tool={tool} input={input}"), "a").tail[0].title.clone()
}

#[test]
fn file_tools_show_tool_and_path_as_given() {
    for tool in ["Read", "Write", "Edit", "MultiEdit"] {
        assert_eq!(title(tool, &json!({"file_path": "src/lib.rs", "content": "x"})), format!("{tool} src/lib.rs"));
    }
    assert_eq!(title("NotebookEdit", &json!({"notebook_path": "/a/b.ipynb"})), "NotebookEdit /a/b.ipynb");
    assert_eq!(title("LS", &json!({"path": "/srv"})), "LS /srv");
}

#[test]
fn bash_shows_the_first_line_of_its_command() {
    assert_eq!(title("Bash", &json!({"command": "make tea\nsleep 9", "description": "Make tea"})), "make tea");
    assert_eq!(title("Bash", &json!({"command": "ls  -1\t src"})), "ls -1 src");
}

#[test]
fn grep_and_glob_show_tool_pattern_and_place() {
    assert_eq!(title("Grep", &json!({"pattern": "TODO", "path": "src"})), "Grep TODO in src");
    assert_eq!(title("Grep", &json!({"pattern": "TODO"})), "Grep TODO");
    assert_eq!(title("Glob", &json!({"pattern": "*.rs", "path": "src"})), "Glob *.rs in src");
    assert_eq!(title("Glob", &json!({"pattern": "*.rs"})), "Glob *.rs");
}

#[test]
fn web_tools_show_tool_and_url_or_query() {
    assert_eq!(
        title("WebFetch", &json!({"url": "https://example.org/tea", "prompt": "x"})),
        "WebFetch https://example.org/tea"
    );
    assert_eq!(title("WebSearch", &json!({"query": "green tea"})), "WebSearch green tea");
}

#[test]
fn dispatches_show_their_description() {
    assert_eq!(card("D a, A in<a desc=\"Count files\" type=Explore", "a").tail[0].title, "Count files");
    assert_eq!(card("D a, A in<a tool=Task desc=\"Count files\"", "a").tail[0].title, "Count files");
}

#[test]
fn skills_show_their_name_messages_and_stops_tool_and_whom() {
    assert_eq!(title("Skill", &json!({"skill": "tidy", "args": "x"})), "tidy");
    assert_eq!(title("SendMessage", &json!({"to": "reviewer", "message": "x"})), "SendMessage reviewer");
    assert_eq!(title("TaskStop", &json!({"task_id": "a1b2"})), "TaskStop a1b2");
}

#[test]
fn mcp_tools_show_server_and_tool() {
    assert_eq!(title("mcp__kettle__pour_out", &json!({"cups": 2})), "kettle: pour_out");
    assert_eq!(title("mcp__my_server__do-it", &json!({"path": "x"})), "my_server: do-it");
}

#[test]
fn any_other_tool_shows_its_name_and_its_most_telling_short_argument() {
    let arguments = ["description", "name", "path", "query", "command", "url", "title"];
    for (at, first) in arguments.iter().enumerate() {
        let input: serde_json::Map<_, _> =
            arguments[at..].iter().map(|key| ((*key).to_owned(), json!(format!("its {key}")))).collect();
        assert_eq!(title("Pick", &Value::Object(input)), format!("Pick its {first}"));
    }
    assert_eq!(title("Pick", &json!({"count": 3, "query": "green\n tea"})), "Pick green tea");
    assert_eq!(title("Pick", &json!({"description": 7, "name": "kettle"})), "Pick kettle", "the first string");
}

#[test]
fn without_usable_input_the_tools_name() {
    for tool in [
        "Read",
        "Bash",
        "Grep",
        "Glob",
        "WebFetch",
        "WebSearch",
        "Agent",
        "Skill",
        "SendMessage",
        "TaskStop",
        "Stir",
        "LS",
    ] {
        for input in
            [json!({}), json!({"count": 3}), json!({"file_path": 7, "command": null, "pattern": [], "url": {}})]
        {
            assert_eq!(title(tool, &input), tool, "{input}");
        }
    }
}

#[test]
fn a_title_is_one_line_of_120_characters() {
    let path = "x".repeat(115);
    assert_eq!(title("Read", &json!({"file_path": path})), format!("Read {path}"));
    assert_eq!(title("Read", &json!({"file_path": format!("{path}y")})), format!("Read {}…", "x".repeat(114)));
    assert_eq!(title("Read", &json!({"file_path": " a\n\tb\u{7}\u{202e} "})), "Read a b");
    assert_eq!(title("Bash", &json!({"command": "é".repeat(121)})), format!("{}…", "é".repeat(119)));
}

#[test]
fn a_call_keeps_its_tools_name_beside_the_title() {
    let call = &card("D a, C x<a tool=mcp__kettle__pour_out", "a").tail[0];
    assert_eq!((call.id.as_str(), call.name.as_str()), ("x", "mcp__kettle__pour_out"));
}
