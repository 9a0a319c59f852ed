//! The same said in other ways: names of fields with escapes, content as a text, and a compaction in between.

use std::fs;

use cardfold_replay::{Options, replay, replay_reader};
use serde_json::{Value, json};

use crate::common::{Lines, Store, captures, cards_json, only};

/// JSON may write any letter of a name as an escape; a reader that looks for names as they are usually written would
/// miss lines.
#[test]
fn names_and_words_may_be_escaped() {
    let words =
        ["tool_use_id", "tool_result", "tool_use", "message", "content", "assistant", "user", "type", "agentId"];
    for capture in captures() {
        for path in [&capture.stream, &capture.stored().to_owned()] {
            let text = fs::read_to_string(path).expect("a capture can be read");
            let escaped = words.iter().fold(text.clone(), |text, word| {
                let (first, rest) = word.split_at(1);
                let escape = format!("\"\\u{:04x}{rest}\"", u32::from(first.as_bytes()[0]));
                text.replace(&format!("\"{word}\""), &escape)
            });
            assert_ne!(text, escaped);
            let cards = |text: &str| {
                let report = replay_reader(text.as_bytes(), "-", &Options::default());
                (cards_json(&only(&report).tracker), only(&report).skipped)
            };
            assert_eq!(cards(&escaped), cards(&text), "{}", path.display());
        }
    }
}

/// A result's content is a text or a list of blocks; a turn's content too.
#[test]
fn content_may_be_a_text() {
    let notice = "<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>toolu_A</tool-use-id>\n\
                  <status>failed</status>\n<summary>It failed.</summary>\n</task-notification>";
    let fold = |result: Value, turn: Value| {
        let block = json!({"type": "tool_result", "tool_use_id": "toolu_A", "content": result});
        let answer = json!({"type": "user", "message": {"role": "user", "content": [block]}});
        let turn = json!({"type": "user", "origin": {"kind": "task-notification"},
            "message": {"role": "user", "content": turn}});
        let main = Lines::main().dispatch("toolu_A", "Look.").line(answer).line(turn);
        let text: String = main.lines.iter().map(|line| format!("{line}\n")).collect();
        let report = replay_reader(text.as_bytes(), "-", &Options::default());
        cards_json(&only(&report).tracker)
    };
    let launched = "Async agent launched successfully.\nagentId: a1 (internal)";
    let block = |text: &str| json!([{"type": "text", "text": text}]);
    let cards = fold(block(launched), block(notice));
    assert_eq!((&cards[0]["outcome"], &cards[0]["task_id"]), (&json!("failed"), &json!("a1")));
    assert_eq!(fold(json!(launched), json!(notice)), cards);
}

/// A compaction cuts the chain of lines and puts a summary in its place, in the main thread and in an agent's file:
/// dispatch and ending stand on different sides of it, and the summary is no prompt.
#[test]
fn a_compaction_may_stand_in_between() {
    let compact = |lines: Lines, logical_parent: &str| {
        let boundary = json!({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted",
            "parentUuid": null, "logicalParentUuid": logical_parent, "compactMetadata": {"trigger": "auto"}});
        let summary = json!({"type": "user", "isCompactSummary": true, "isVisibleInTranscriptOnly": true,
            "message": {"role": "user", "content": "Look."}});
        lines.line(boundary).line(summary)
    };
    let notice = "<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>toolu_A</tool-use-id>\n\
                  <status>completed</status>\n<summary>Agent done</summary>\n</task-notification>";
    let ended = json!({"type": "user", "origin": {"kind": "task-notification"},
        "message": {"role": "user", "content": notice}});
    let fold = |is_compacted: bool| {
        let between = |lines, parent| if is_compacted { compact(lines, parent) } else { lines };
        let main = Lines::main().dispatch("toolu_A", "Look.").launched("toolu_A", "a1").dispatch("toolu_B", "Look.");
        let main = between(main.at(20), "m-3").at(60).report("toolu_B", "b1", "Seen.").line(ended.clone());
        let store = Store::new();
        let path = store.lines("s.jsonl", &main.lines);
        for agent in ["a1", "b1"] {
            let lines = Lines::agent(agent, 10).prompt("Look.").call(&format!("{agent}-1")).at(30);
            let lines = between(lines, "x").at(40).result(&format!("{agent}-1"), "ok").call(&format!("{agent}-2"));
            store.lines(&format!("s/subagents/agent-{agent}.jsonl"), &lines.at(45).text("Seen.").lines);
        }
        let report = replay(&path, &Options::default());
        assert!(only(&report).problems.is_empty() && only(&report).unknown == 0);
        let mut cards = cards_json(&only(&report).tracker);
        for card in cards.as_array_mut().expect("cards are a list") {
            card.as_object_mut().expect("a card is an object").remove("ended_at_ms");
        }
        cards
    };
    let cards = fold(true);
    let outline: Vec<_> = (0..2).map(|place| (&cards[place]["task_id"], &cards[place]["calls"])).collect();
    assert_eq!(outline, [(&json!("a1"), &json!(2)), (&json!("b1"), &json!(2))]);
    assert_eq!(cards[0]["outcome"], "completed");
    assert_eq!(cards, fold(false), "the compaction changes nothing");
}
