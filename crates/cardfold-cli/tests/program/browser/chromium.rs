//! Chromium, driven by its DevTools protocol over a pipe: JSON objects with a zero byte after each.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// Which browser to use, as a demand.
const DEMANDED: &str = "CARDFOLD_CHROMIUM";

/// Longer than a page of these tests takes on any machine; then the browser hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub(super) struct Chromium {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    /// The number of the last call.
    calls: u64,
    /// Of the page.
    session: Option<String>,
    /// What the page said since it was asked last.
    events: Vec<Value>,
    _profile: TempDir,
}

impl Chromium {
    pub(super) fn start() -> Option<Self> {
        let demanded = env::var(DEMANDED).ok();
        let name = demanded.as_deref().unwrap_or("chromium");
        let version = Command::new(name).arg("--version").stdin(Stdio::null()).output();
        if !version.is_ok_and(|version| version.status.success()) {
            assert_eq!(demanded, None, "{DEMANDED} asks for a browser that cannot be started");
            // Past what the test runner catches of a test that passes: somebody is to read it.
            let note = format!("NOT CHECKED: the page in a browser, for want of `{name}` ({DEMANDED} names another)");
            writeln!(io::stderr(), "{note}").expect("standard error is there");
            return None;
        }
        Some(Self::launch(name))
    }

    fn launch(name: &str) -> Self {
        let profile = tempfile::tempdir().expect("a temporary folder");
        // The protocol is spoken at the descriptors 3 and 4, which a shell can set and the library of Rust cannot.
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, name])
            // A container has no sandbox to offer, and root gets none.
            .args(["--headless", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--no-first-run", "--disable-background-networking", "--hide-scrollbars", "--lang=en"])
            // No name leads anywhere, whatever a page asks for.
            .arg("--host-resolver-rules=MAP * ~NOTFOUND")
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser can be started");
        let to = child.stdin.take().expect("it has an input");
        let from = BufReader::new(child.stdout.take().expect("it has an output"));
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            for message in from.split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("the protocol is JSON");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut chromium =
            Self { child, to, from: receiver, calls: 0, session: None, events: Vec::new(), _profile: profile };
        chromium.open_page();
        chromium
    }

    fn open_page(&mut self) {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = self.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Audits", "Network", "DOM", "Accessibility"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
    }

    /// The answer to a call; one that is refused is a mistake of the test.
    pub(super) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.try_call(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The answer to a call, or why there is none: the page may have left meanwhile.
    pub(super) fn try_call(&mut self, method: &str, parameters: Value) -> Result<Value, Value> {
        let number = self.send(method, parameters);
        loop {
            let message = self.next();
            if message["id"].as_u64() == Some(number) {
                return message.get("error").map_or_else(|| Ok(message["result"].clone()), |error| Err(error.clone()));
            }
            self.take(message);
        }
    }

    /// Shows an address, and waits until it is loaded.
    pub(super) fn navigate(&mut self, address: &str) {
        self.events.clear();
        self.call("Page.navigate", json!({ "url": address }));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let message = self.next();
            self.take(message);
        }
    }

    /// What the page did since it was asked for, as far as the browser tells.
    pub(super) fn events(&self) -> &[Value] {
        &self.events
    }

    fn send(&mut self, method: &str, parameters: Value) -> u64 {
        self.calls += 1;
        let mut call = json!({ "id": self.calls, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            call["sessionId"] = session.as_str().into();
        }
        write!(self.to, "{call}\0").and_then(|()| self.to.flush()).expect("the browser takes a call");
        self.calls
    }

    fn next(&self) -> Value {
        self.from.recv_timeout(PATIENCE).expect("the browser answers")
    }

    /// Keeps an event; what else comes is the answer to a call that nobody waits for.
    fn take(&mut self, message: Value) {
        // A page that waits for an answer would say nothing more.
        if message["method"] == "Page.javascriptDialogOpening" {
            self.send("Page.handleJavaScriptDialog", json!({ "accept": false }));
        }
        if message["method"].is_string() {
            self.events.push(message);
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // The processes below it go with the pipe.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
