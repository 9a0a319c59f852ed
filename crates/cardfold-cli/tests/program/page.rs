//! The page: whole in itself, allowed to run nothing but its own search, and made for keyboards and screen readers.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use insta::assert_snapshot;
use sha2::{Digest as _, Sha256};

use crate::markup::{elements, parsed, printed, text};
use crate::{Ran, list, program};

const NESTED: &str = "replay --format html captures/2.1.332/04b-nested-background/stream.jsonl";

#[test]
fn the_cards_of_a_small_page() {
    let page = printed(NESTED);
    let from = page.find("<h3>Cards</h3>").expect("there are cards");
    let to = page[from..].find("</section>").expect("the session ends") + from;
    assert_snapshot!("page_cards", &page[from..to]);
}

/// What stands between the only start and the only end of an element, as a browser hashes it.
fn inside<'a>(page: &'a str, name: &str) -> &'a str {
    let (start, end) = (format!("<{name}>"), format!("</{name}>"));
    assert_eq!((page.matches(&start).count(), page.matches(&end).count()), (1, 1), "one {name}");
    assert_eq!(page.matches(&format!("<{name}")).count(), 1, "one {name}");
    page.split_once(&start).and_then(|(_, rest)| rest.split_once(&end)).expect("it is there").0
}

#[test]
fn the_policy_allows_the_own_style_and_script_alone() {
    for path in ["captures/2.1.332", "cases", "captures/2.0.77"] {
        let page = printed(&format!("replay --all --format html {path}"));
        let hash = |name| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(inside(&page, name))));
        let policy = format!(
            "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
            hash("style"),
            hash("script")
        );
        let meta = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\"/>");
        let at = page.find(&meta).unwrap_or_else(|| panic!("{policy} in {page}"));
        assert!(at < page.find("<style").expect("there is a style"), "it stands before what it is for");
    }
}

#[test]
fn nothing_is_loaded() {
    let page = printed("replay --format html captures/2.1.332/05-failures");
    let document = parsed(&page);
    let addresses = document.descendants().flat_map(|node| node.attributes());
    for attribute in addresses {
        let name = attribute.name();
        assert!(!["src", "srcset", "action", "style", "data"].contains(&name) && !name.starts_with("on"), "{name}");
        assert!(name != "href" || attribute.value().starts_with('#'), "{}", attribute.value());
    }
    assert!(!page.contains("http:") && !page.contains("https:"), "no address");
    assert_eq!(document.descendants().filter(|node| node.has_tag_name("link")).count(), 0);
}

#[test]
fn every_name_leads_somewhere() {
    let page = printed("replay --all --format html captures/2.1.332");
    let document = parsed(&page);
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let distinct: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), distinct.len(), "an id names one thing");
    let leads = |node: roxmltree::Node<'_, '_>| {
        let link = node.attribute("href").and_then(|link| link.strip_prefix('#')).map(str::to_owned);
        let names = ["aria-labelledby", "for"].into_iter().filter_map(|name| node.attribute(name)).map(str::to_owned);
        link.into_iter().chain(names).collect::<Vec<_>>()
    };
    let led: Vec<String> = document.descendants().flat_map(leads).collect();
    assert!(led.len() > 100, "lanes, articles, sections");
    for id in led {
        assert!(distinct.contains(id.as_str()), "{id}");
    }
    let articles = document.descendants().filter(|node| node.has_tag_name("article")).count();
    assert_eq!(elements(&document, "g", "lane").len(), articles, "a lane a card");
}

#[test]
fn a_screen_reader_finds_its_way() {
    let page = printed(NESTED);
    let document = parsed(&page);
    let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
    assert_eq!((count("main"), count("header"), count("h1"), count("section")), (1, 1, 1, 1));
    assert_eq!(document.root_element().attribute("lang"), Some("en"));
    let heading = |node: roxmltree::Node<'_, '_>| node.tag_name().name().strip_prefix('h')?.parse::<u32>().ok();
    let levels: Vec<u32> = document.descendants().filter_map(heading).collect();
    assert_eq!(levels, [1, 2, 3, 3, 4], "no level is left out");
    let label = document.descendants().find(|node| node.has_tag_name("label")).expect("the search has a label");
    assert_eq!((label.attribute("for"), text(label).is_empty()), (Some("search"), false));
    let search = document.descendants().find(|node| node.attribute("role") == Some("search")).expect("a search");
    assert!(search.has_attribute("hidden"), "without a script there is no search to see");
}

#[test]
fn a_page_of_nothing_says_so() {
    let output = program(&["replay", "--format", "html", "missing.jsonl"]).output();
    let ran = Ran::of(output.expect("the program can be started"));
    assert_eq!(ran.status, Some(1));
    let document = parsed(&ran.out);
    let main = document.descendants().find(|node| node.has_tag_name("main")).expect("there is a main part");
    assert!(text(main).starts_with("Nothing readable. Problems outside of the sessions: 1"), "{}", text(main));
}

#[test]
fn a_page_has_each_session_and_what_is_wrong_with_it() {
    let page = printed("replay --format html cases/several-sessions/store");
    let report = crate::cardfold("replay --format json cases/several-sessions/store").report();
    let document = parsed(&page);
    let sections = document.descendants().filter(|node| node.has_tag_name("section")).count();
    assert_eq!(sections, list(&report, "sessions").len());
    let page = printed("replay --format html cases/line-damage/input.jsonl");
    let problems = list(
        &list(&crate::cardfold("replay --format json cases/line-damage/input.jsonl").report(), "sessions")[0],
        "problems",
    )
    .len();
    assert!(problems > 0 && page.contains(&format!("<summary>Problems: {problems}</summary>")), "{page}");
}
