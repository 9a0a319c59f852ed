//! The page in a real browser: what it looks like, what it does with keys, and that nothing of a transcript runs in it.
//!
//! The browser is Chromium. Without one these tests say so and check nothing. `CARDFOLD_CHROMIUM` names one, and
//! then it has to be there; `.ci/run` sets it.

mod chromium;
mod harmless;
mod layout;
mod pictures;
mod search;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use chromium::Chromium;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Ran, program};

/// A browser with one page, and a folder for what it shows.
struct Browser {
    chromium: Chromium,
    folder: TempDir,
}

impl Browser {
    /// None where no browser is to be had and none was demanded.
    fn open() -> Option<Self> {
        let chromium = Chromium::start()?;
        Some(Self { chromium, folder: tempfile::tempdir().expect("a temporary folder") })
    }

    /// Makes a page of what `replay` reads from `path`, which is relative to `testdata/`, and shows it.
    fn show(&mut self, path: impl AsRef<OsStr>) {
        let page = self.folder.path().join("page.html");
        let output = program(&["replay", "--all", "--format", "html", "-o"]).arg(&page).arg(path).output();
        let ran = Ran::of(output.expect("the program can be started"));
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        self.navigate(&page);
    }

    /// Shows a page of this text.
    fn show_text(&mut self, page: &str) {
        let path = self.folder.path().join("page.html");
        fs::write(&path, page).expect("a file can be written");
        self.navigate(&path);
    }

    fn navigate(&mut self, path: &Path) {
        let path = path.to_str().expect("the name of a temporary folder is UTF-8");
        self.chromium.navigate(&format!("file://{path}"));
    }

    /// A window of this size in pixels, and what its user prefers: `light` or `dark`.
    fn dress(&mut self, width: u32, height: u32, scheme: &str) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.chromium.call("Emulation.setDeviceMetricsOverride", size);
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.chromium.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// What an expression of JavaScript gives, as JSON. The policy of the page is none for who asks from outside.
    fn ask(&mut self, expression: &str) -> Value {
        let answer = self.chromium.call("Runtime.evaluate", json!({ "expression": expression, "returnByValue": true }));
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Presses a key that writes nothing.
    fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, ""),
            // Without a text Chromium takes it for no activation.
            "Enter" => (13, "\r"),
            other => panic!("{other} has no number here"),
        };
        for kind in ["keyDown", "keyUp"] {
            let key = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text });
            self.chromium.call("Input.dispatchKeyEvent", key);
        }
    }

    /// Writes where the focus is.
    fn type_in(&mut self, text: &str) {
        self.chromium.call("Input.insertText", json!({ "text": text }));
    }
}
