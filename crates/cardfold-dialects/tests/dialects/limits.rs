//! A dialect cannot see the engine's limits: that it keeps as much as a card takes, and no more, is held here.

use cardfold_dialects::fact::{self, Start};
use cardfold_dialects::{Ledger, Output};
use serde_json::{Value, json};

use crate::session::Session;

/// The supervisor keeps what was streamed for a turn without a text of its own (S1-12).
fn streamed(text: &str) -> Value {
    let line = |kind: &str, payload: Value| {
        json!({ "version": 1, "type": kind, "agent_id": "a", "turn_id": "t1", "payload": payload }).to_string()
    };
    let mut session = Session::new("supervisor");
    session.lines(&line("turn.started", json!({})));
    session.lines(&line("message.delta", json!({ "text": text })));
    session.lines(&line("turn.failed", json!({ "error": "boom" })));
    session.card("a")["report"].clone()
}

#[test]
fn a_report_has_as_many_bytes_and_lines_as_a_card_shows() {
    for (text, bytes, lines, is_cut) in [
        ("x".repeat(4_096), 4_096, 1, false),
        ("x".repeat(4_097), 4_096, 1, true),
        ("x\n".repeat(40), 79, 40, false),
        ("x\n".repeat(41), 79, 40, true),
    ] {
        let report = streamed(&text);
        let kept = report["text"].as_str().expect("it has a text");
        assert_eq!((kept.len(), kept.lines().count()), (bytes, lines));
        assert_eq!(report["truncated"], json!(is_cut));
    }
}

#[test]
fn an_annotation_has_as_many_bytes_as_a_card_takes() {
    let worker = json!({ "spec": { "worker_id": "a", "agent_type": "scout", "objective": "x".repeat(5_000) }, "status": "running" });
    let mut session = Session::new("codewhale");
    session.document(&json!({ "schema_version": 1, "agents": [], "workers": [worker] }));
    let kept = session.card("a")["annotations"]["objective"].as_str().map(str::len);
    assert_eq!(kept, Some(1_024));
    // One byte more, and the card does not take it.
    let (mut ledger, mut out) = (Ledger::default(), Output::default());
    ledger.start(&mut out, None, "b", None, Start::default());
    for len in [1_024, 1_025] {
        out.frame(fact::annotations("b", vec![("long", json!("x".repeat(len - 2)).to_string())]));
        out.frames.drain(..).for_each(|frame| drop(session.tracker.apply(&frame)));
        assert_eq!(session.card("b")["annotations"]["long"].as_str().map(str::len), Some(1_024), "{len}");
    }
}
