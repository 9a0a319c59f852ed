//! The pictures of the README: the page of one session, wide and light, narrow and dark.
//!
//! `CARDFOLD_PICTURES=write` with `cargo test -p cardfold-cli --test program pictures` takes them anew.

use std::{env, fs};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cardfold_testkit::fixture;
use serde_json::json;

use super::Browser;

/// Name, width, height, and the reader's preference.
const PICTURES: [(&str, u32, u32, &str); 2] =
    [("page-wide.png", 960, 760, "light"), ("page-narrow.png", 400, 900, "dark")];

/// A README that takes long to load is not read.
const MOST_BYTES: usize = 200_000;

/// Fonts differ between machines, so the pixels are not compared: a picture is there, of the right size, and the page
/// can still be taken.
#[test]
fn the_pictures_are_those_of_the_page() {
    let Some(mut browser) = Browser::open() else { return };
    let folder = fixture::testdata().join("pictures");
    for (name, width, height, scheme) in PICTURES {
        browser.dress(width, height, scheme);
        browser.show("pictures/session.jsonl");
        let taken = browser.chromium.call("Page.captureScreenshot", json!({ "format": "png" }));
        let png = STANDARD.decode(taken["data"].as_str().unwrap_or_default()).expect("the protocol sends Base64");
        if env::var_os("CARDFOLD_PICTURES").is_some_and(|wish| wish == "write") {
            fs::write(folder.join(name), &png).expect("a picture can be written");
        }
        let stored = fs::read(folder.join(name)).expect("the picture is there");
        for png in [&png, &stored] {
            assert_eq!(size(png), (width, height), "{name}");
            assert!(png.len() > 10_000, "{name} shows something");
        }
        assert!(stored.len() < MOST_BYTES, "{name} has {} bytes", stored.len());
    }
}

#[test]
fn the_readme_shows_them() {
    let readme = fs::read_to_string(fixture::testdata().join("../README.md")).expect("there is a README");
    for (name, ..) in PICTURES {
        assert!(readme.contains(&format!("(testdata/pictures/{name})")), "{name}");
    }
}

/// Width and height, as the head of a PNG file states them.
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(png.get(..8), Some(&b"\x89PNG\r\n\x1a\n"[..]));
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes are four"));
    (number(16), number(20))
}
