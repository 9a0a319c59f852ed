//! Where things stand on the screen: bars by their times, agents below their owners, all of it on a narrow screen too,
//! and in colours that can be read.

use serde_json::{Value, json};

use super::Browser;
use crate::hostile_page::file;
use crate::picture::expected;
use crate::{cardfold, list};

/// The boxes of every agent of the first chart: of the chart, the words, the bar and the mark of each lane and row.
const BOXES: &str = "(() => {
    const box = element => (({ left, right, top, bottom }) => [left, right, top, bottom])(element.getBoundingClientRect());
    const words = words => {
        const [sign, quiet] = ['.sign', '.quiet'].map(part => box(words.querySelector(part)));
        return [sign[0], quiet[1], sign[2], sign[3]];
    };
    const chart = document.querySelector('.chart');
    const lane = lane => ({
        words: words(lane.querySelector('.words')), bar: box(lane.querySelector('rect')),
        mark: box(lane.querySelector('.mark')), shape: lane.querySelector('.mark').getAttribute('d'),
        sign: lane.querySelector('.sign').textContent,
    });
    return {
        chart: [chart.getBoundingClientRect().left, chart.clientWidth || chart.getBoundingClientRect().width],
        agents: Array.from(chart.querySelectorAll('.agent'), agent => ({
            ...lane(agent.querySelector('.lane')), rows: Array.from(agent.querySelectorAll('.row'), lane),
        })),
    };
})()";

/// Left, right, top and bottom.
fn edges(part: &Value) -> [f64; 4] {
    [0, 1, 2, 3].map(|edge| part[edge].as_f64().unwrap_or_else(|| panic!("{part} is a box")))
}

fn middle(part: &Value) -> f64 {
    let [left, right, ..] = edges(part);
    f64::midpoint(left, right)
}

/// To the pixel, as a screen can show it.
fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1.0
}

/// The words of a lane stand above its bar, and the bar above what comes next.
fn assert_stacked<'a>(lanes: impl Iterator<Item = &'a Value>) {
    let mut bottom = f64::NEG_INFINITY;
    for lane in lanes {
        let ([.., words_top, words_bottom], [.., bar_top, bar_bottom]) = (edges(&lane["words"]), edges(&lane["bar"]));
        assert!(words_top >= bottom - 1.0 && bar_top >= words_bottom - 4.0 && bar_bottom > bar_top, "{lane}");
        bottom = bar_bottom;
    }
}

#[test]
fn bars_are_seen_where_the_times_are() {
    let Some(mut browser) = Browser::open() else { return };
    for capture in ["02-parallel", "05-failures", "06-taskstop", "10c-stdin-two-turns"] {
        let path = format!("captures/2.1.332/{capture}/stream.jsonl");
        let expected = expected(&cardfold(&format!("replay --format json {path}")).report());
        for width in [1_000, 400] {
            browser.dress(width, 800, "light");
            browser.show(&path);
            let boxes = browser.ask(BOXES);
            let chart_left = boxes["chart"][0].as_f64().expect("the chart has a place");
            let chart_width = boxes["chart"][1].as_f64().expect("the chart has a width");
            assert!(chart_width > 300.0, "{boxes}");
            let at = |part: f64| chart_left + chart_width * part / 100.0;
            let agents = list(&boxes, "agents");
            assert_eq!(agents.len(), expected.len(), "{capture}");
            assert_stacked(agents.iter());
            for (agent, (start, end)) in agents.iter().zip(&expected) {
                let [left, right, ..] = edges(&agent["bar"]);
                assert!(is_near(left, at(*start)) && is_near(right, at(*end)), "{capture} at {width}: {agent}");
                assert!(is_near(middle(&agent["mark"]), at(*end)), "{capture} at {width}: {agent}");
            }
        }
    }
}

/// The shapes that a reader tells apart without colour.
#[test]
fn failed_and_stopped_are_marked() {
    let Some(mut browser) = Browser::open() else { return };
    browser.show("pictures/session.jsonl");
    let boxes = browser.ask(BOXES);
    let marks: Vec<(&str, &str)> = list(&boxes, "agents")
        .iter()
        .map(|agent| (agent["sign"].as_str().unwrap_or_default(), agent["shape"].as_str().unwrap_or_default()))
        .collect();
    let (disc, cross, square) = ("M-5 0A5 5 0 1 1 5 0A5 5 0 1 1 -5 0Z", "M-5 -5L5 5M-5 5L5 -5", "M-5 -5H5V5H-5Z");
    let completed = ("✓ completed", disc);
    let expected = [completed, ("✗ failed", cross), completed, ("■ stopped", square), completed, completed];
    assert_eq!(marks, expected);
}

/// Each level further to the right and below its owner, its bar within that of its owner, since none outlives it here.
#[test]
fn agents_below_others_stand_below_their_owner() {
    let Some(mut browser) = Browser::open() else { return };
    browser.show("captures/2.1.332/04b-nested-background/stream.jsonl");
    let boxes = browser.ask(BOXES);
    let [owner] = list(&boxes, "agents") else { panic!("one card in {boxes}") };
    let lanes: Vec<&Value> = [owner].into_iter().chain(list(owner, "rows")).collect();
    assert_eq!(lanes.len(), 3);
    assert_stacked(lanes.iter().copied());
    for pair in lanes.windows(2) {
        let (outer, inner) = (edges(&pair[0]["bar"]), edges(&pair[1]["bar"]));
        assert!(outer[0] < inner[0] && inner[1] < outer[1] && inner[1] - inner[0] > 10.0, "{outer:?} {inner:?}");
        let (outer, inner) = (edges(&pair[0]["words"]), edges(&pair[1]["words"]));
        assert!(is_near(inner[0] - outer[0], 20.0), "{outer:?} {inner:?}");
    }
}

/// Nothing is wider than the screen, whatever the texts are.
#[test]
fn a_narrow_screen_needs_no_scrolling_sideways() {
    let Some(mut browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let endless = file(folder.path(), &"endless".repeat(30));
    let pages = [endless.as_path(), "captures/2.1.332".as_ref(), "pictures/session.jsonl".as_ref()];
    for width in [400, 320] {
        browser.dress(width, 800, "dark");
        for page in pages {
            browser.show(page);
            let widest = browser.ask("document.documentElement.scrollWidth").as_f64();
            assert_eq!(widest, Some(f64::from(width)), "{page:?}");
            let smallest = "Math.min(...Array.from(document.querySelectorAll('body *'), \
                e => parseFloat(getComputedStyle(e).fontSize)))";
            assert!(browser.ask(smallest).as_f64() >= Some(12.0), "{page:?}");
        }
    }
}

/// The colours of all texts, and that of the paper.
const COLOURS: &str = "(() => {
    const own = e => e.tagName !== 'title' && Array.from(e.childNodes).some(n => n.nodeType === 3 && n.textContent.trim());
    const colour = e => e instanceof SVGElement ? getComputedStyle(e).fill : getComputedStyle(e).color;
    const texts = Array.from(document.querySelectorAll('body *')).filter(own).map(colour);
    return { paper: getComputedStyle(document.body).backgroundColor, texts: Array.from(new Set(texts)) };
})()";

/// The relative luminance of WCAG 2 of a colour as Chromium writes it.
fn luminance(colour: &Value) -> f64 {
    let text = colour.as_str().unwrap_or_default();
    let numbers = text.strip_prefix("rgb(").and_then(|text| text.strip_suffix(')'));
    let channels = numbers.unwrap_or_else(|| panic!("{text} is a solid colour")).split(", ").map(|channel| {
        let part = channel.parse::<f64>().unwrap_or_else(|error| panic!("{error}: {text}")) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    channels.zip([0.2126, 0.7152, 0.0722]).map(|(part, weight)| part * weight).sum()
}

#[test]
fn texts_can_be_read_by_day_and_by_night() {
    let Some(mut browser) = Browser::open() else { return };
    let mut papers = Vec::new();
    for scheme in ["light", "dark"] {
        browser.dress(1_000, 800, scheme);
        browser.show("captures/2.1.332");
        let colours = browser.ask(COLOURS);
        let paper = luminance(&colours["paper"]);
        papers.push(paper);
        assert!(list(&colours, "texts").len() >= 5, "{colours}");
        for text in list(&colours, "texts") {
            let (one, other) = (luminance(text) + 0.05, paper + 0.05);
            // What WCAG 2 asks of a text of ordinary size.
            assert!(one.max(other) / one.min(other) >= 4.5, "{scheme}: {text} on {}", colours["paper"]);
        }
    }
    assert!(papers[0] > 0.9 && papers[1] < 0.1, "{papers:?}");
}

/// Roles and names as they go to a screen reader.
#[test]
fn a_screen_reader_is_told() {
    let Some(mut browser) = Browser::open() else { return };
    browser.show("pictures/session.jsonl");
    let tree = browser.chromium.call("Accessibility.getFullAXTree", json!({}));
    let nodes = list(&tree, "nodes").iter().filter(|node| node["ignored"] == false);
    let told: Vec<(&str, &str)> = nodes
        .map(|node| {
            let text = |part: &str| node[part]["value"].as_str().unwrap_or_default();
            (text("role"), text("name"))
        })
        .collect();
    let search = "Show the agents with these words";
    let found = [("searchbox", search), ("list", "Timeline"), ("list", "Agents below it"), ("list", "Last calls")];
    for part in found.into_iter().chain([("main", ""), ("link", "✗ failed Find flaky tests 2 min 28 s")]) {
        assert!(told.contains(&part), "{part:?} in {told:?}");
    }
    assert!(told.iter().any(|(role, _)| *role == "status"), "what was found is announced");
    let articles = told.iter().filter(|(role, name)| *role == "article" && !name.is_empty()).count();
    assert_eq!(articles, 6, "each card has a name");
    // A list holds nothing but what it lists.
    let lists = "Array.from(document.querySelectorAll('[role=list]'), list => \
        Array.from(list.children).filter(e => e.getAttribute('role') !== 'listitem' && !e.matches('.axis')).length)";
    assert!(list(&json!({ "strays": browser.ask(lists) }), "strays").iter().all(|strays| *strays == 0));
}

/// On a narrow screen a long name used to be cut at the edge, and the time behind it was gone. Now the time is there, the
/// name ends in an ellipsis, and whole it is in the words of the link, under the pointer, and in the card.
#[test]
fn long_names_leave_room_for_the_time() {
    let Some(mut browser) = Browser::open() else { return };
    let name = "Look for callers of the deprecated function in all crates of the workspace";
    let dispatch = |id: &str, parent: Option<&str>, seconds: u32| {
        let block = json!({ "type": "tool_use", "id": id, "name": "Agent", "input": { "description": name } });
        let frame = json!({ "type": "assistant", "parent_tool_use_id": parent, "uuid": id, "message": { "content": [block] },
            "timestamp": format!("2026-03-02T09:00:{seconds:02}Z") });
        format!("{frame}\n")
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lines = [("a", None), ("b", Some("a")), ("c", Some("b")), ("d", Some("c"))];
    let text: String = (0..).zip(lines).map(|(at, (id, parent))| dispatch(id, parent, at)).collect();
    std::fs::write(folder.path().join("stream.jsonl"), text).expect("a file can be written");
    for (width, cut) in [(400, 4), (1_400, 0)] {
        browser.dress(width, 800, "light");
        browser.show(folder.path().join("stream.jsonl"));
        let seen = browser.ask(
            "(() => {
                const right = document.querySelector('.chart').getBoundingClientRect().right;
                const words = Array.from(document.querySelectorAll('.words'));
                const name = words => words.querySelector('.name');
                return {
                    cut: words.filter(words => name(words).scrollWidth > name(words).clientWidth).length,
                    whole: words.map(words => name(words).textContent),
                    link: words.map(words => words.getAttribute('href')),
                    inside: words.every(words => words.querySelector('.quiet').getBoundingClientRect().right <= right + 1),
                    shown: words.every(words => name(words).clientWidth > 30),
                };
            })()",
        );
        assert_eq!(
            (&seen["cut"], &seen["inside"], &seen["shown"]),
            (&json!(cut), &json!(true), &json!(true)),
            "{seen}"
        );
        assert_eq!(seen["whole"], json!([name, name, name, name]), "{width}");
        assert_eq!(seen["link"], json!(["#card-1-1", null, null, null]), "an agent below another is in its card");
    }
}
