//! The search, by keyboard alone: it shows the cards and the lanes that are meant, and a lane leads to its card.

use serde_json::{Value, json};

use super::Browser;

const SESSION: &str = "pictures/session.jsonl";

/// The names of the cards and of the lanes that can be seen, the height of the chart, and what is announced.
const SHOWN: &str = "(() => {
    const seen = element => element.getClientRects().length > 0;
    const text = element => element.textContent;
    return {
        cards: Array.from(document.querySelectorAll('h4')).filter(seen).map(text),
        lanes: Array.from(document.querySelectorAll('.lane .name')).filter(seen).map(text),
        rows: Array.from(document.querySelectorAll('.row .name')).filter(seen).map(text),
        tops: Array.from(document.querySelectorAll('.lane')).filter(seen).map(e => e.getBoundingClientRect().top),
        height: document.querySelector('.chart').getBoundingClientRect().height,
        found: document.getElementById('found').textContent,
    };
})()";

fn names<'a>(shown: &'a Value, list: &str) -> Vec<&'a str> {
    let names = shown[list].as_array().unwrap_or_else(|| panic!("{list} in {shown}"));
    names.iter().map(|name| name.as_str().expect("a name is a text")).collect()
}

fn search(browser: &mut Browser, words: &str) -> Value {
    browser.ask("{ const box = document.getElementById('search'); box.focus(); box.select(); }");
    if words.is_empty() {
        browser.ask("document.execCommand('delete')");
    } else {
        browser.type_in(words);
    }
    browser.ask(SHOWN)
}

#[test]
fn cards_and_lanes_are_found_alike() {
    let Some(mut browser) = Browser::open() else { return };
    browser.show(SESSION);
    let all = browser.ask(SHOWN);
    assert_eq!((names(&all, "cards").len(), names(&all, "lanes").len(), names(&all, "rows").len()), (6, 6, 3));
    assert_eq!(all["found"], "");

    let found = search(&mut browser, "bench");
    assert_eq!(names(&found, "lanes"), ["Bench the decoder"]);
    assert_eq!((names(&found, "cards").len(), &found["found"]), (1, &json!("1 of 6 cards")));
    assert!(names(&found, "rows").is_empty(), "what is below another agent goes with it: {found}");
    assert_eq!(found["tops"][0], all["tops"][0], "what is left moves up");
    assert!(found["height"].as_f64() < all["height"].as_f64(), "and leaves no gap below");

    // All words, in any order and any case, and of the agents below it too.
    let found = search(&mut browser, "PATHS  map");
    assert_eq!((names(&found, "lanes"), names(&found, "rows").len()), (vec!["Map the parser"], 3));
    let found = search(&mut browser, "no such words");
    assert_eq!((names(&found, "cards").len(), names(&found, "lanes").len()), (0, 0));
    assert_eq!(found["found"], "0 of 6 cards");
    // What looks like code is searched for like anything else.
    assert_eq!(search(&mut browser, "<b>${1}</b> .*")["found"], "0 of 6 cards");
    assert_eq!(search(&mut browser, ""), all, "nothing to search for brings everything back");
}

/// Which element has the focus, in a word.
const FOCUS: &str = "(e => e.id || e.getAttribute('href') || e.tagName)(document.activeElement)";

#[test]
fn the_keyboard_reaches_everything() {
    let Some(mut browser) = Browser::open() else { return };
    browser.show(SESSION);
    let mut reached = Vec::new();
    for _ in 0..9 {
        browser.press("Tab");
        reached.push(browser.ask(FOCUS).as_str().expect("something has the focus").to_owned());
        let outline = "getComputedStyle(document.activeElement).outlineStyle";
        assert_eq!(browser.ask(outline), "solid", "the focus can be seen at {reached:?}");
    }
    let lanes = (1..=6).map(|card| format!("#card-1-{card}"));
    let expected: Vec<String> = ["#content".to_owned(), "search".to_owned()].into_iter().chain(lanes).collect();
    assert_eq!(reached[..8], expected, "skip link, search, lanes");
    assert_eq!(reached[8], "SUMMARY", "then what the cards fold away");
    browser.press("Enter");
    assert_eq!(browser.ask("document.activeElement.parentElement.open"), true, "a key unfolds it");
}

#[test]
fn a_lane_leads_to_its_card() {
    let Some(mut browser) = Browser::open() else { return };
    browser.dress(400, 500, "light");
    browser.show(SESSION);
    search(&mut browser, "docs");
    browser.press("Tab");
    assert_eq!(browser.ask(FOCUS), "#card-1-4", "the only lane that is left");
    browser.press("Enter");
    assert_eq!(browser.ask("location.hash"), "#card-1-4");
    let top = browser.ask("document.getElementById('card-1-4').getBoundingClientRect().top");
    assert!(top.as_f64().is_some_and(|top| (0.0..500.0).contains(&top)), "the card is in sight: {top}");
    assert_eq!(
        browser.ask("document.querySelector(':target h4').textContent").as_str(),
        Some("■ stopped Rewrite the docs")
    );
}
