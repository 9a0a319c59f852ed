//! R23 and R24: figures that never go down, and what of a report or an error is kept.

use cardfold_testkit::script::{card, usage};

fn figures(script: &str) -> String {
    usage(card(script, "a").usage)
}

fn report(script: &str) -> Option<(String, bool)> {
    card(script, "a").report.map(|report| (report.text, report.truncated))
}

fn text(script: &str) -> Option<String> {
    report(script).map(|(text, _)| text)
}

/// A text as it stands in a script.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[test]
fn r23_usage_never_goes_down_field_by_field() {
    assert_eq!(figures("D a, TP t→a tokens=50 uses=5 ms=500, TP t→a tokens=40 uses=6 ms=400"), "50/6/500");
    assert_eq!(figures("D a, TP t→a tokens=50, TP t→a uses=6"), "50/6/-");
    assert_eq!(figures("D a, TP t→a tokens=50 uses=5 ms=500, TN t→a completed tokens=0 uses=0 ms=0"), "50/5/500");
}

#[test]
fn r23_a_later_runs_own_figures_replace_it() {
    assert_eq!(
        figures("D a, TP t→a tokens=50 uses=5 ms=500, TU t failed, TS t→s, TP t→s tokens=4 uses=3 ms=2"),
        "4/3/2"
    );
}

#[test]
fn r23_a_field_of_the_wrong_type_leaves_the_others() {
    assert_eq!(figures("D a, TP t→a +usage={\"total_tokens\":\"many\",\"tool_uses\":3,\"duration_ms\":null}"), "-/3/-");
    assert_eq!(figures("D a, TP t→a tokens=50 uses=5, TP t→a +usage={\"total_tokens\":[],\"tool_uses\":6}"), "50/6/-");
    assert_eq!(figures("D a, TP t→a +usage=7"), "none");
}

#[test]
fn r24_a_report_has_forty_lines_the_first_ones_kept() {
    let lines = |last: usize| (1..=last).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n");
    assert_eq!(report(&format!("D a, HB a {}", quoted(&lines(40)))), Some((lines(40), false)));
    assert_eq!(report(&format!("D a, HB a {}", quoted(&lines(41)))), Some((lines(40), true)));
}

#[test]
fn r24_a_report_has_4096_bytes_cut_on_a_character_boundary() {
    let exact = "x".repeat(4096);
    assert_eq!(report(&format!("D a, REP a {}", quoted(&exact))), Some((exact.clone(), false)));
    assert_eq!(report(&format!("D a, REP a {}", quoted(&format!("{exact}y")))), Some((exact, true)));
    let wide = format!("x{}", "é".repeat(2048));
    let kept = format!("x{}", "é".repeat(2047));
    assert_eq!(report(&format!("D a, REP a {}", quoted(&wide))), Some((kept, true)), "no marker is written into it");
}

#[test]
fn r24_an_error_is_bounded_likewise() {
    let long = "boom\n".repeat(60);
    let error = card(&format!("D a, R a! {}", quoted(&long)), "a").error.expect("an error answer has a text");
    assert_eq!((error.text.lines().count(), error.truncated), (40, true));
    let patch = card(&format!("D a, TS t→a, TU t failed error={}", quoted(&"y".repeat(5000))), "a");
    assert_eq!(patch.error.expect("the patch has an error").text, "y".repeat(4096));
}

#[test]
fn r24_the_hand_back_line_and_its_indent_are_no_part_of_it() {
    let answer = "[Subagent hand-back] The text below is the final report of a subagent.\n  One.\n\n    Two.\n\tThree.";
    assert_eq!(text(&format!("D a, R a {}", quoted(answer))).as_deref(), Some("One.\n\n  Two.\n\tThree."));
}

#[test]
fn r24_the_agent_id_and_usage_block_is_no_part_of_it() {
    let tail = "agentId: a1b2 (for resuming)\n<usage>total_tokens: 5\ntool_uses: 2\nduration_ms: 7</usage>";
    assert_eq!(text(&format!("D a, R a \"One.\" {}", quoted(tail))).as_deref(), Some("One."));
    assert_eq!(text("D a, REP a \"One.\" task=t").as_deref(), Some("One."));
}

#[test]
fn r24_entities_of_a_notice_are_decoded_once() {
    let script = "D a, ACK a task=t, NQ t→a completed result=\"1 < 2 && &lt;b&gt;\"";
    assert_eq!(text(script).as_deref(), Some("1 < 2 && &lt;b&gt;"));
}

#[test]
fn r24_its_source_is_the_structured_content_else_the_answers_text() {
    let structured = "{\"status\":\"completed\",\"content\":[{\"type\":\"text\",\"text\":\"By structure.\"}]}";
    assert_eq!(text(&format!("D a, R a \"By text.\" s={structured}")).as_deref(), Some("By structure."));
    assert_eq!(text("D a, R a \"By text.\" s={\"status\":\"completed\"}").as_deref(), Some("By text."));
}

#[test]
fn r24_the_answer_comes_before_what_the_notice_says_in_either_order() {
    let notice = "TN t→a completed result=\"By notice.\"";
    for script in [format!("D a, REP a \"By answer.\", {notice}"), format!("D a, {notice}, REP a \"By answer.\"")] {
        assert_eq!(text(&script).as_deref(), Some("By answer."), "{script}");
    }
}

#[test]
fn r24_else_it_is_the_last_of_what_says_that_it_is_the_report() {
    assert_eq!(text("D a, TN t→a completed handback=\"One.\"").as_deref(), Some("One."));
    assert_eq!(text("D a, TN t→a completed result=\"One.\"").as_deref(), Some("One."));
    assert_eq!(text("D a, ACK a task=t, HBT t \"One.\"").as_deref(), Some("One."));
    assert_eq!(text("D a, TN t→a completed summary=\"One.\" is_report").as_deref(), Some("One."));
    assert_eq!(text("D a, ACK a task=t, HBT t \"One.\", TN t→a completed result=\"Two.\"").as_deref(), Some("Two."));
    assert_eq!(
        text("D a, TN t→a completed result=\"One.\", TN t→a completed handback=\"Two.\"").as_deref(),
        Some("Two.")
    );
    assert_eq!(text("D a, ACK a task=t, TN t→a completed result=\"One.\", HBT t \"Two.\"").as_deref(), Some("Two."));
}

#[test]
fn r24_else_it_is_the_summary_of_a_notice_that_ends_the_run() {
    assert_eq!(text("D a, TN t→a completed summary=\"Three files.\"").as_deref(), Some("Three files."));
    assert_eq!(text("D a, TS t→a, TN t→a summary=\"Three files.\""), None, "it ends nothing");
    assert_eq!(
        text("D a, TN t→a completed summary=\"Four.\", TN t→a completed result=\"Three.\"").as_deref(),
        Some("Three.")
    );
    assert_eq!(
        text("D a, TN t→a completed result=\"Three.\", TN t→a completed summary=\"Four.\"").as_deref(),
        Some("Three.")
    );
}

#[test]
fn r24_the_title_or_a_sentence_of_the_client_is_no_report() {
    assert_eq!(text("D a desc=\"Count files\", TS t→a, TN t→a completed summary=\"Count files\""), None);
    for sentence in [
        "Agent \"do a\" finished",
        "Background agent \"do a\" didn't finish before the previous session ended",
        "Dynamic workflow \"sweep\" completed",
        "Remote task \"do a\" completed",
        "Stopped by a worker restart: do a",
    ] {
        assert_eq!(text(&format!("D a, TN t→a completed summary={}", quoted(sentence))), None, "{sentence}");
        assert_eq!(
            text(&format!("D a, ACK a task=t, NQ t→a completed summary={}", quoted(sentence))),
            None,
            "{sentence}"
        );
    }
    assert_eq!(text("D a, TN t→a completed summary=\"Agents need names.\"").as_deref(), Some("Agents need names."));
}

#[test]
fn r24_a_new_run_has_a_report_of_its_own() {
    assert_eq!(text("D a, TS t→a, HB a \"One.\", TS t→s"), None);
    assert_eq!(text("D a, TS t→a, HB a \"One.\", TS t→s, TN t→s completed result=\"Two.\"").as_deref(), Some("Two."));
}

#[test]
fn r24_an_unrecognised_answer_or_an_error_is_no_report() {
    assert_eq!(text("D a, R a \"Three files.\", C x<a, R x"), None);
    assert_eq!(text("D a, R a! \"boom\""), None);
    assert_eq!(text("D a, ACK a, SAY a \"Done.\", END"), None);
}

#[test]
fn a_report_keeps_indents_and_tabs_and_loses_controls_marks_and_blank_ends() {
    let raw = "\n \n  one\r\n\ttwo\u{7}\u{1b}[1m\u{85}\u{202e}\u{200f}\u{61c}\u{2066}\u{7f} three\n\n";
    assert_eq!(text(&format!("D a, REP a {}", quoted(raw))).as_deref(), Some("  one\n\ttwo[1m three"));
    let error = card(&format!("D a, R a! {}", quoted("\r\n  no\r\n\thammer\u{0}\r\n")), "a").error;
    assert_eq!(error.expect("an error answer has a text").text, "  no\n\thammer");
}
