//! The timeline, alone and in a page: bars where the times of the cards are, and words and shapes for who sees no
//! colour.

use std::fs;

use serde_json::{Value, json};

use crate::markup::{elements, parsed, percent, printed, text};
use crate::{Ran, cardfold, list, program};

const DISC: &str = "M-5 0A5 5 0 1 1 5 0A5 5 0 1 1 -5 0Z";
const CROSS: &str = "M-5 -5L5 5M-5 5L5 -5";
const SQUARE: &str = "M-5 -5H5V5H-5Z";
const DIAMOND: &str = "M0 -7L7 0L0 7L-7 0Z";

/// Start, end and length of each card as parts of the time from the first start to the last end.
pub(crate) fn expected(report: &Value) -> Vec<(f64, f64)> {
    let cards = list(&list(report, "sessions")[0], "cards");
    let time = |card: &Value, name: &str| card[name].as_f64().unwrap_or_else(|| panic!("{name} is a time in {card}"));
    let first = cards.iter().map(|card| time(card, "started_at_ms")).fold(f64::INFINITY, f64::min);
    let last = cards.iter().map(|card| time(card, "ended_at_ms")).fold(0.0, f64::max);
    let part = |ms: f64| (ms - first) / (last - first) * 100.0;
    cards.iter().map(|card| (part(time(card, "started_at_ms")), part(time(card, "ended_at_ms")))).collect()
}

#[test]
fn bars_stand_where_the_report_says() {
    for capture in ["02-parallel", "05-failures", "06-taskstop", "10c-stdin-two-turns"] {
        let path = format!("captures/2.1.332/{capture}/stream.jsonl");
        let expected = expected(&cardfold(&format!("replay --format json {path}")).report());
        for form in ["svg", "html"] {
            let printed = printed(&format!("replay --format {form} {path}"));
            let document = parsed(&printed);
            let (bars, marks) = (elements(&document, "rect", "bar"), elements(&document, "path", "mark"));
            assert_eq!((bars.len(), marks.len()), (expected.len(), expected.len()), "{capture} {form}");
            for ((bar, mark), (start, end)) in bars.iter().zip(&marks).zip(&expected) {
                let (x, width) = (percent(bar, "x"), percent(bar, "width"));
                assert!((x - start).abs() < 0.002 && (x + width - end).abs() < 0.003, "{capture} {form}: {bar:?}");
                let mark_at = percent(&mark.parent().expect("a mark has a place"), "x");
                assert!((mark_at - end).abs() < 0.002, "{capture} {form}: {mark:?}");
            }
        }
    }
}

/// Two agents at once: 63 ms apart, of 2,543 ms.
#[test]
fn agents_in_parallel_have_a_lane_each() {
    let printed = printed("replay --format svg captures/2.1.332/02-parallel/stream.jsonl");
    let document = parsed(&printed);
    let bars = elements(&document, "rect", "bar");
    let places: Vec<_> = bars.iter().map(|bar| (bar.attribute("x"), bar.attribute("width"))).collect();
    assert_eq!(places, [(Some("0%"), Some("96.500%")), (Some("2.477%"), Some("97.523%"))]);
    assert_ne!(bars[0].attribute("y"), bars[1].attribute("y"));
    let lanes: Vec<String> = elements(&document, "g", "lane").into_iter().map(text).collect();
    assert!(lanes[0].starts_with("✓ completed Survey the sources 2.4 s "), "{lanes:?}");
    assert!(lanes[0].ends_with("from 2026-11-30T23:10:31.398Z to 2026-11-30T23:10:33.852Z"), "{lanes:?}");
    assert!(lanes[1].starts_with("✓ completed Survey the docs 2.4 s "), "{lanes:?}");
    let axis = elements(&document, "g", "axis");
    assert_eq!(text(axis[0]), "0.0 s 1.0 s 2.0 s");
}

/// The client counts 227 ms of work for the second one, and its first attempts failed for more than a second.
#[test]
fn a_lane_says_how_long_its_bar_is() {
    let printed = printed("replay --format svg captures/2.1.332/05-failures/stream.jsonl");
    let document = parsed(&printed);
    let lanes: Vec<String> = elements(&document, "g", "lane").into_iter().map(text).collect();
    let lengths = ["failing tools 0.8 s ", "refused by the API 1.4 s ", "of unknown type 0.0 s "];
    assert!(lanes.iter().zip(lengths).all(|(lane, length)| lane.contains(length)) && lanes.len() == 3, "{lanes:?}");
}

/// The word, the shape and the class of colour of each lane.
fn standings(words: &str) -> Vec<(String, String, String)> {
    let printed = printed(words);
    let document = parsed(&printed);
    let signs = |lane: roxmltree::Node<'_, '_>| {
        let sign = lane.descendants().find(|node| node.attribute("class") == Some("sign")).map(text);
        let mark = lane.descendants().find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "path")));
        let mark = mark.and_then(|mark| mark.attribute("d")).unwrap_or_default().to_owned();
        let class = lane.attribute("class").unwrap_or_default().to_owned();
        (sign.unwrap_or_default(), mark, class)
    };
    elements(&document, "g", "lane").into_iter().map(signs).collect()
}

#[test]
fn an_ending_has_a_word_a_shape_and_a_colour() {
    let standing = |word: &str, shape: &str, class: &str| (word.to_owned(), shape.to_owned(), class.to_owned());
    let completed = standing("✓ completed", DISC, "lane good");
    let failed = standing("✗ failed", CROSS, "lane bad");
    let stopped = standing("■ stopped", SQUARE, "lane bad");
    let capture = |name: &str| standings(&format!("replay --format svg captures/2.1.332/{name}/stream.jsonl"));
    assert_eq!(capture("05-failures"), [completed, failed.clone(), failed]);
    assert_eq!(capture("06-taskstop"), [stopped.clone(), stopped]);
    assert_eq!(capture("06c-sigterm-while-running"), [standing("? abandoned", DIAMOND, "lane unsure")]);
}

#[test]
fn what_lives_has_a_shape_of_its_own() {
    let lanes = standings("replay --live --format svg cases/live-states/input.jsonl");
    let words: Vec<&str> = lanes.iter().map(|(word, _, _)| word.as_str()).collect();
    assert!(words.contains(&"◐ waiting") && words.contains(&"● running"), "{words:?}");
    for (word, shape, _) in &lanes {
        let expected = if word == "◐ waiting" { "M-3 -6V6M3 -6V6" } else { "M-3 -6L6 0L-3 6Z" };
        assert_eq!(shape, expected, "{word}");
    }
}

#[test]
fn an_unknown_end_is_a_dashed_bar_from_the_start() {
    let printed = printed("replay --format svg captures/2.1.332/06c-sigterm-while-running/stream.jsonl");
    let document = parsed(&printed);
    assert_eq!(elements(&document, "rect", "bar").len(), 0);
    let [bar] = elements(&document, "rect", "unknown")[..] else { panic!("one dashed bar in {printed}") };
    let [mark] = elements(&document, "path", "mark")[..] else { panic!("one mark in {printed}") };
    assert_eq!(bar.attribute("x"), Some("0%"));
    assert_eq!(mark.parent().and_then(|place| place.attribute("x")), Some("0%"));
    assert!(printed.contains("its end is not known") && printed.contains("until when is not known"), "{printed}");
}

/// A card's rows state no times. The frames do: level 2 was dispatched 561 ms after level 1, of 3,450 ms in all, and its
/// end is stated to be 2,682 ms after it.
#[test]
fn agents_below_others_have_bars_by_their_frames() {
    let printed = printed("replay --format svg captures/2.1.332/04b-nested-background/stream.jsonl");
    let document = parsed(&printed);
    let rows = elements(&document, "g", "row");
    let shown: Vec<String> = rows.iter().map(|row| text(*row)).collect();
    let expected = [
        "✓ completed Level 2 look 2.1 s seen from 2026-11-30T23:11:18.139Z to 2026-11-30T23:11:20.260Z",
        "✓ completed Level 3 look 0.8 s seen from 2026-11-30T23:11:18.718Z to 2026-11-30T23:11:19.555Z",
    ];
    assert_eq!(shown, expected);
    let indents: Vec<_> = rows.iter().filter_map(|row| row.first_element_child()?.attribute("x")).collect();
    assert_eq!(indents, ["20", "40"], "each level further to the right");
    let bars = elements(&document, "rect", "bar");
    let places: Vec<_> = bars.iter().map(|bar| (percent(bar, "x"), percent(bar, "width"))).collect();
    assert_eq!(places, [(0.0, 100.0), (16.26, 61.479), (33.043, 24.261)]);
    assert!(printed.contains("goes from the frame that first shows the agent"), "{printed}");
}

/// A parent that is over before the agent below it, which is stopped after the last frame that has a time.
#[test]
fn an_agent_may_outlive_its_owner() {
    let printed = printed("replay --format svg captures/2.1.332/06i-parent-ends-before-child/stream.jsonl");
    let document = parsed(&printed);
    let bars = elements(&document, "rect", "bar");
    let ends: Vec<f64> = bars.iter().map(|bar| percent(bar, "x") + percent(bar, "width")).collect();
    assert!(ends.len() == 2 && ends[0] < ends[1], "{printed}");
    let row = elements(&document, "g", "row");
    assert!(text(row[0]).starts_with("■ stopped Child that hangs "), "{}", text(row[0]));
}

/// What a frame alone says of a row it does not say where no frame has a time.
#[test]
fn agents_below_others_without_a_time_are_words_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("stream.jsonl");
    let dispatch = |id: &str, parent: Option<&str>| {
        let block = json!({ "type": "tool_use", "id": id, "name": "Agent", "input": { "description": id } });
        format!("{}\n", json!({ "type": "assistant", "parent_tool_use_id": parent, "message": { "content": [block] } }))
    };
    fs::write(&path, dispatch("outer", None) + &dispatch("inner", Some("outer"))).expect("a file can be written");
    let output = program(&["replay", "--live", "--format", "svg"]).arg(&path).output();
    let printed = Ran::of(output.expect("the program can be started")).out;
    let document = parsed(&printed);
    let rows = elements(&document, "g", "row");
    assert_eq!(rows.iter().map(|row| text(*row)).collect::<Vec<_>>(), ["● running inner time not known"]);
    assert_eq!(elements(&document, "rect", "bar").len(), 0);
}

#[test]
fn cards_without_a_time_stand_last() {
    let dispatch = |id: &str, time: Option<&str>| {
        let block = json!({ "type": "tool_use", "id": id, "name": "Agent", "input": { "description": id } });
        let frame = json!({ "type": "assistant", "timestamp": time, "message": { "content": [block] } });
        format!("{frame}\n")
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("stream.jsonl");
    let picture = |text: String| {
        fs::write(&path, text).expect("a file can be written");
        let output = program(&["replay", "--live", "--format", "svg"]).arg(&path).output();
        Ran::of(output.expect("the program can be started")).out
    };
    let printed = picture(dispatch("early", None));
    assert!(printed.contains("No card has a time.") && printed.contains("Without a time"), "{printed}");
    assert_eq!(elements(&parsed(&printed), "rect", "bar").len(), 0);
    let printed = picture(dispatch("early", None) + &dispatch("timed", Some("2026-03-02T09:00:00Z")));
    let document = parsed(&printed);
    let lanes: Vec<String> = elements(&document, "g", "lane").into_iter().map(text).collect();
    assert_eq!(lanes.len(), 2, "{printed}");
    assert!(lanes[0].contains("timed") && lanes[1].contains("early"), "{lanes:?}");
    assert!(printed.find("Without a time") > printed.find(">timed<"), "{printed}");
}

/// Nothing in a picture leads anywhere; its one address is the name of its own language.
#[test]
fn a_picture_loads_nothing() {
    let printed = printed("replay --format svg captures/2.1.332");
    assert_eq!(printed.matches("http").count(), 1);
    for word in ["href", "url(", "<script", "<image", "<use", "<foreignObject", "@import"] {
        assert!(!printed.contains(word), "{word}");
    }
}

/// A card is copied with all of its rows, so that looking at thousands of them after every frame took a minute for one
/// picture. A hundred are looked at in full; where there are very many no bar is better than a bar for some.
#[test]
fn thousands_of_agents_below_one_cost_no_minutes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("stream.jsonl");
    let frame = |number: usize, parent: Option<&str>, block: Value| {
        let time = format!("2026-03-02T09:{:02}:{:02}Z", number / 60 % 60, number % 60);
        let kind = if block["type"] == "tool_use" { "assistant" } else { "user" };
        let message = json!({ "content": [block] });
        format!("{}\n", json!({ "type": kind, "parent_tool_use_id": parent, "timestamp": time, "message": message }))
    };
    let dispatch = |id: &str| json!({ "type": "tool_use", "id": id, "name": "Agent", "input": { "description": id } });
    for (count, bars) in [(100, 101), (3_000, 1)] {
        let mut text = frame(0, None, dispatch("top"));
        for number in 0..count {
            let id = format!("row-{number}");
            text += &frame(number, Some("top"), dispatch(&id));
            let result = json!({ "type": "tool_result", "tool_use_id": id, "is_error": true, "content": "No." });
            text += &frame(number + 1, Some("top"), result);
        }
        fs::write(&path, text).expect("a file can be written");
        let begun = std::time::Instant::now();
        let output = program(&["replay", "--live", "--format", "svg"]).arg(&path).output();
        let printed = Ran::of(output.expect("the program can be started")).out;
        assert_eq!(printed.matches(r#"<rect class="bar""#).count(), bars, "{count} agents");
        assert_eq!(printed.contains("where very many are below one they have no bars"), bars == 1, "{count} agents");
        // It takes less than a second; before, this many took three minutes.
        assert!(begun.elapsed().as_secs() < 30, "{count} agents took {:?}", begun.elapsed());
    }
}
