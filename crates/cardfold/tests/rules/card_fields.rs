//! Section 2: where each field of a card comes from.

use cardfold::Kind;
use cardfold_testkit::script::{Session, card, usage};

fn name(script: &str) -> String {
    card(script, "a").name
}

#[test]
fn a_name_is_the_roster_title_else_the_description_else_the_type_else_the_tool() {
    assert_eq!(name("D a desc=\"By dispatch\" type=Explore, TS t→a desc=\"By roster\""), "By roster");
    assert_eq!(name("D a desc=\"By dispatch\" type=Explore"), "By dispatch");
    assert_eq!(name("D a desc=none type=Explore"), "Explore");
    assert_eq!(name("D a desc=none"), "Agent");
    assert_eq!(name("D a desc=none tool=Task"), "Task");
    assert_eq!(name("D a desc=\"  \" type=Explore"), "Explore", "nothing to show");
}

#[test]
fn a_name_is_never_the_activity() {
    assert_eq!(name("D a desc=\"By dispatch\", TP t→a desc=\"Reading\""), "By dispatch");
}

#[test]
fn a_name_is_one_line_of_eighty_characters() {
    assert_eq!(name("D a desc=\" one\\n\\t two \\r\\n three \""), "one two three");
    let eighty = "x".repeat(80);
    assert_eq!(name(&format!("D a desc={eighty}")), eighty);
    assert_eq!(name(&format!("D a desc={eighty}y")), format!("{}…", "x".repeat(79)));
    let wide = "é".repeat(81);
    assert_eq!(name(&format!("D a desc={wide}")), format!("{}…", "é".repeat(79)));
}

#[test]
fn shown_texts_carry_no_control_character_and_no_direction_mark() {
    let odd = r#""a\u0000b\u0007c\u001bd\u007fe\u0085f\u061cg\u200eh\u200fi\u202aj\u202bk\u202cl\u202dm\u202en\u2066o\u2067p\u2068q\u2069r""#;
    let clean = "abcdefghijklmnopqr";
    let shown =
        card(&format!("D a desc={odd} type={odd}, C x<a tool={odd} input={{\"path\":{odd}}}, TP t→a desc={odd}"), "a");
    // U+0085 is white space: the run becomes a space before controls go.
    assert_eq!(shown.name, "abcde fghijklmnopqr");
    assert_eq!(shown.agent_type.as_deref(), Some("abcde fghijklmnopqr"));
    assert_eq!(shown.activity.as_deref(), Some("abcde fghijklmnopqr"));
    assert_eq!(shown.tail[0].name.replace(' ', ""), clean);
    assert!(!shown.tail[0].title.chars().any(char::is_control), "{:?}", shown.tail[0].title);
    assert!(!shown.tail[0].title.contains('\u{202e}'), "{:?}", shown.tail[0].title);
}

#[test]
fn ids_are_kept_as_they_are() {
    let session = Session::of("D ../a\u{202e}\u{7}b, C ü<../a\u{202e}\u{7}b");
    let card = session.card("../a\u{202e}\u{7}b");
    assert_eq!(card.tail[0].id, "ü");
}

#[test]
fn the_agent_type_is_the_dispatchs_else_the_rosters_else_the_sidecars() {
    let agent_type = |script: &str| card(script, "a").agent_type;
    assert_eq!(agent_type("D a type=One, TS t→a type=Two, META t→a type=Three").as_deref(), Some("One"));
    assert_eq!(agent_type("META t→a type=Three, D a, TS t→a type=Two").as_deref(), Some("Two"));
    assert_eq!(agent_type("D a, META t→a type=Three").as_deref(), Some("Three"));
    assert_eq!(agent_type("D a"), None);
}

#[test]
fn the_kind_is_that_of_the_task_type_else_agent() {
    for (task_type, kind) in [
        ("local_agent", Kind::Agent),
        ("remote_agent", Kind::Remote),
        ("in_process_teammate", Kind::Teammate),
        ("none", Kind::Agent),
    ] {
        assert_eq!(card(&format!("D a, TS t→a task_type={task_type}"), "a").kind, kind, "{task_type}");
    }
    assert_eq!(card("D a", "a").kind, Kind::Agent);
}

#[test]
fn backgrounded_is_the_rosters_word_else_the_level_else_the_answer_else_the_request() {
    let backgrounded = |script: &str| card(script, "a").backgrounded;
    let table = [
        ("D a", false),
        ("D a bg", true),
        ("D a bg=false", false),
        ("D a bg, HB a", false),
        ("D a bg=false, ACK a", true),
        ("D a bg=true, R a \"ok\"", true),
        ("D a, TS t→a, BTC t, HB a", true),
        ("D a, TS t→a, BTC t, BTC, HB a", true),
        ("D a, ACK a task=t, TS t→a bg=false", false),
        ("D a, TS t→a bg=false, BTC t", false),
        ("D a, TS t→a bg=false, TU t bg=true", true),
        ("D a, TS t→a bg=true, TU t bg=false, ACK a", false),
        ("D a, TS t→a bg=true, HB a", true),
    ];
    for (script, wanted) in table {
        assert_eq!(backgrounded(script), wanted, "{script}");
    }
}

#[test]
fn a_card_starts_at_its_dispatch_else_at_the_agents_first_frame() {
    let started = |script: &str| card(script, "a").started_at_ms;
    assert_eq!(started("D a at=5, C x<a at=7"), Some(5));
    assert_eq!(started("C x<a at=3, D a at=5"), Some(5));
    assert_eq!(started("D a, C x<a at=7, C y<a at=9"), Some(7));
    assert_eq!(started("TS t→a, SAY a \"Hello.\" at=8"), Some(8));
    assert_eq!(started("D a"), None);
    assert_eq!(started("D a at=5, TS t→a, TU t completed, TS t→s, C x<s at=90"), Some(5), "later runs do not move it");
}

#[test]
fn a_run_ends_at_the_stated_end_time_else_at_the_timestamp_of_the_first_ending_frame() {
    let ended = |script: &str| card(script, "a").ended_at_ms;
    assert_eq!(ended("D a, TS t→a, TU t completed 9"), Some(9));
    assert_eq!(ended("D a, HB a at=7"), Some(7));
    assert_eq!(ended("D a, ACK a task=t, NQ t→a completed at=7, NT t→a completed result=\"x\" at=8"), Some(7));
    assert_eq!(ended("D a, R a! \"boom\" at=6, TS t→a, TU t killed 30"), Some(30), "the end time comes first");
    assert_eq!(ended("D a, TS t→a, TU t killed 30, R a! \"boom\" at=6"), Some(30));
    assert_eq!(ended("D a, TS t→a, TU t completed 9, TN t→a completed end=20"), Some(9), "the first stated stands");
    assert_eq!(ended("D a, TS t→a, TU t completed 9, TU t failed 20"), Some(9));
    assert_eq!(ended("D a, TN t→a completed end=20"), Some(20));
    assert_eq!(ended("D a, TN t→a completed"), None, "never a clock");
}

#[test]
fn an_inferred_ending_has_no_time_until_the_source_states_one() {
    let ended = |script: &str| card(script, "a").ended_at_ms;
    assert_eq!(ended("D a at=5, TS t→a, BTC t at=6, BTC at=7"), None);
    assert_eq!(ended("D a at=5, R a \"ok\" at=6, C x<a at=7, R x at=8"), None);
    assert_eq!(ended("D a, TS t→a, BTC t, BTC, TU t completed 9"), Some(9));
}

#[test]
fn a_run_that_was_parked_ends_at_the_time_stated_afterwards() {
    let parked = "NQ t→a completed summary=\"Agent \\\"do a\\\" is waiting on its own background work\" at=20";
    let script = format!(
        "D a, ACK a task=t, {parked}, NQ t→a completed result=\"One.\" at=40, NQ t→a completed result=\"Two.\" at=50"
    );
    let card = card(&script, "a");
    assert_eq!((card.ended_at_ms, card.runs), (Some(40), 1));
    assert_eq!(card.report.expect("the notices have results").text, "Two.");
}

#[test]
fn the_model_is_that_of_the_last_assistant_frame_else_the_answers_else_the_sidecars() {
    let model = |script: &str| card(script, "a").model;
    assert_eq!(model("D a, SAY a \"x\" model=opus, SAY a \"x\" model=haiku").as_deref(), Some("haiku"));
    assert_eq!(model("D a, SAY a \"x\" model=opus, SAY a \"x\" model=<synthetic>").as_deref(), Some("opus"));
    assert_eq!(model("META t→a model=haiku, D a, REP a resolved=sonnet").as_deref(), Some("sonnet"));
    assert_eq!(
        model("D a, SAY a \"x\" model=opus, REP a resolved=sonnet, META t→a model=haiku").as_deref(),
        Some("opus")
    );
    assert_eq!(model("D a, META t→a model=haiku").as_deref(), Some("haiku"));
    assert_eq!(model("D a model=opus, SAY - \"x\" model=opus"), None, "the main thread's is not the agent's");
    assert_eq!(model("D a, A in<a model=opus, SAY in \"x\" model=haiku").as_deref(), Some("opus"));
}

#[test]
fn the_activity_is_the_summary_else_the_description_and_null_once_settled() {
    let activity = |script: &str| card(script, "a").activity;
    assert_eq!(activity("D a, TP t→a desc=\"Reading\" summary=\"Half way\"").as_deref(), Some("Half way"));
    assert_eq!(activity("D a, TP t→a desc=\"Reading\", TP t→a desc=\"Writing\"").as_deref(), Some("Writing"));
    assert_eq!(activity("D a, TP t→a desc=\"Reading\", HB a"), None);
    assert_eq!(activity("D a, TS t→a"), None);
}

#[test]
fn the_error_is_the_patchs_else_the_error_answers_text_never_a_summary() {
    let error = |script: &str| card(script, "a").error.map(|error| error.text);
    assert_eq!(error("D a, TS t→a, TU t failed error=\"fog\", R a! \"boom\"").as_deref(), Some("fog"));
    assert_eq!(error("D a, TS t→a, R a! \"boom\", TU t failed error=\"fog\"").as_deref(), Some("fog"));
    assert_eq!(error("D a, R a! \"boom\", TN t→a failed").as_deref(), Some("boom"));
    assert_eq!(error("D a, TN t→a failed summary=\"It failed.\""), None);
    assert_eq!(error("D a, HB a"), None);
    assert_eq!(error("D a, R a! \"boom\", HB a"), None, "the answer is an error no longer");
}

#[test]
fn usage_is_the_rosters_else_the_structured_answers_else_the_notification_blocks() {
    let figures = |script: &str| usage(card(script, "a").usage);
    let block = "NQ t→a completed tokens=10 uses=11 ms=12";
    let answer = "REP a task=t tokens=20 uses=21 ms=22";
    let roster = "TP t→a tokens=30 uses=31 ms=32";
    assert_eq!(figures(&format!("D a, {block}")), "10/11/12");
    assert_eq!(figures(&format!("D a, {block}, {answer}")), "20/21/22");
    assert_eq!(figures(&format!("D a, {roster}, {block}, {answer}")), "30/31/32");
    assert_eq!(figures("D a, TP t→a tokens=30, REP a tokens=20 uses=21 ms=22"), "30/21/22", "field by field");
    assert_eq!(figures("D a"), "none");
}

#[test]
fn json_has_the_names_of_the_contract_and_null_for_what_is_absent() {
    let json = serde_json::to_value(card("D a, R a! \"boom\"", "a")).expect("a card is JSON");
    let wanted = serde_json::json!({
        "dispatch_id": "a", "name": "do a", "agent_type": null, "kind": "agent", "task_id": null, "state": "settled",
        "running": false, "outcome": "failed", "failed": true, "evidence": "error", "inferred": false,
        "backgrounded": false, "started_at_ms": null, "ended_at_ms": null, "calls": 0, "open_calls": 0,
        "failed_calls": 0, "tail": [], "usage": null, "model": null, "activity": null, "report": null, "error": "boom",
        "needs_input": null, "runs": 1, "nested": [], "annotations": {}, "revision": json["revision"],
    });
    assert_eq!(json, wanted);
}
