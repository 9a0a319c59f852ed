//! Nothing of a transcript takes effect: no script, no request, no dialog, and nothing for the page's policy to stop.

use serde_json::{Value, json};

use super::Browser;
use crate::hostile_page::{HOSTILE, file};

/// What a page did of its own will, in words.
fn deeds(browser: &Browser) -> Vec<String> {
    browser.chromium.events().iter().filter_map(deed).collect()
}

fn deed(event: &Value) -> Option<String> {
    let parameters = &event["params"];
    let what = match event["method"].as_str()? {
        "Page.javascriptDialogOpening" => ("dialog", &parameters["message"]),
        // The page itself is what was asked for.
        "Network.requestWillBeSent" if parameters["requestId"] == parameters["loaderId"] => return None,
        "Network.requestWillBeSent" => ("request", &parameters["request"]["url"]),
        "Log.entryAdded" => ("log", &parameters["entry"]["text"]),
        "Runtime.consoleAPICalled" => ("console", &parameters["args"]),
        "Runtime.exceptionThrown" => ("exception", &parameters["exceptionDetails"]),
        "Audits.issueAdded" => ("issue", &parameters["issue"]),
        "Page.frameAttached" => ("frame", &parameters["frameId"]),
        "Page.windowOpen" => ("window", &parameters["url"]),
        "Page.frameRequestedNavigation" => ("navigation", &parameters["url"]),
        _ => return None,
    };
    Some(format!("{}: {}", what.0, what.1))
}

/// Every element with its attributes.
const ELEMENTS: &str = "Array.from(document.querySelectorAll('*'), \
    e => e.tagName + Array.from(e.attributes, a => ` ${a.name}=${a.value}`).join(''))";

const GLOBALS: &str = "Object.getOwnPropertyNames(window).filter(name => !/^\\d+$/.test(name)).sort()";

/// Does with every element what a reader may do, and leaves time for what comes of it.
const USE_EVERYTHING: &str = "(async () => {
    for (const element of document.querySelectorAll('body *')) {
        element.focus?.();
        for (const type of ['mouseover', 'click', 'keydown', 'toggle'])
            element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
    }
    await new Promise(done => setTimeout(done, 50));
})()";

/// An error where the page left for elsewhere.
fn use_everything(browser: &mut Browser) -> Result<(), Value> {
    let asked = json!({ "expression": USE_EVERYTHING, "awaitPromise": true });
    let answer = browser.chromium.try_call("Runtime.evaluate", asked)?;
    answer.get("exceptionDetails").map_or(Ok(()), |details| Err(details.clone()))
}

#[test]
fn nothing_of_a_transcript_runs() {
    let Some(mut browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    browser.show(file(folder.path(), "tame"));
    let (elements, globals) = (browser.ask(ELEMENTS), browser.ask(GLOBALS));
    assert!(elements.as_array().is_some_and(|elements| elements.len() > 50), "{elements}");
    for text in HOSTILE {
        browser.show(file(folder.path(), text));
        assert_eq!(browser.ask(ELEMENTS), elements, "{text}");
        browser.ask("document.getElementById('search').focus()");
        browser.type_in(text);
        use_everything(&mut browser).expect("the page stays where it is");
        assert_eq!(browser.ask(GLOBALS), globals, "{text}");
        assert_eq!(browser.ask("document.title"), "Sub-agents", "{text}");
        assert_eq!(deeds(&browser), [""; 0], "{text}");
    }
}

/// The same texts as they must not be in a page: the test above would see what they do.
#[test]
fn the_watch_sees_what_runs() {
    let Some(mut browser) = Browser::open() else { return };
    let mut seen = |head: &str| {
        let mut all = Vec::new();
        let mut caught = false;
        for text in HOSTILE {
            browser.show_text(&format!("<!DOCTYPE html>{head}<title>x</title><body>{text}"));
            // One that left cannot be asked any more.
            let stayed = use_everything(&mut browser).is_ok();
            all.extend(deeds(&browser));
            caught |= stayed && browser.ask("window.caught === 1") == true;
        }
        (all, caught)
    };
    let (loose, caught) = seen("");
    for deed in ["dialog: ", "request: ", "frame: ", "navigation: "] {
        assert!(loose.iter().any(|seen| seen.starts_with(deed)), "{deed}: {loose:?}");
    }
    assert!(caught, "a script ran");
    let (strict, caught) = seen("<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">");
    let stopped = strict.iter().any(|seen| seen.contains("Content Security Policy"));
    assert!(stopped && !caught && !strict.iter().any(|seen| seen.starts_with("dialog: ")), "{strict:?}");
}
