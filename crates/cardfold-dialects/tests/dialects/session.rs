//! A conversation in a test: lines of a dialect in, cards out.

use cardfold::CardTracker;
use cardfold_dialects::{Output, Translation, dialect_named};
use cardfold_testkit::expected::subset_differences;
use cardfold_testkit::script::reading;
use serde_json::Value;

/// A conversation of one system.
pub(crate) struct Session {
    translation: Translation,
    pub(crate) tracker: CardTracker,
    /// What could not be read: `kind: detail`.
    pub(crate) faults: Vec<String>,
}

impl Session {
    /// An empty conversation.
    pub(crate) fn new(dialect: &str) -> Self {
        let make = dialect_named(dialect).unwrap_or_else(|| panic!("there is no dialect {dialect}"));
        Self { translation: Translation::new(make()), tracker: CardTracker::new(), faults: Vec::new() }
    }

    /// A conversation of one file, which goes on.
    pub(crate) fn of(dialect: &str, lines: &str) -> Self {
        let mut session = Self::new(dialect);
        session.file(lines);
        session
    }

    /// Another file of the conversation.
    pub(crate) fn file(&mut self, lines: &str) {
        self.translation.begin_file();
        self.lines(lines);
        let rest = self.translation.end_of_input();
        self.take(rest);
    }

    /// More lines of the file at hand.
    pub(crate) fn lines(&mut self, lines: &str) {
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            self.bytes(line.as_bytes());
        }
    }

    /// The bytes of a line, or of a file that is one JSON value.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        let output = self.translation.read(bytes);
        self.take(output);
    }

    /// Another file of the conversation, by its lines as they are.
    pub(crate) fn raw_file(&mut self, lines: &[&[u8]]) {
        self.translation.begin_file();
        for line in lines {
            self.bytes(line);
        }
        let rest = self.translation.end_of_input();
        self.take(rest);
    }

    /// A file that is one JSON value.
    pub(crate) fn document(&mut self, value: &Value) {
        self.translation.begin_file();
        self.bytes(value.to_string().as_bytes());
        let rest = self.translation.end_of_input();
        self.take(rest);
    }

    /// The conversation is over.
    pub(crate) fn over(mut self) -> Self {
        let last = self.translation.end_of_session();
        self.take(last);
        self.tracker.end_session();
        self
    }

    fn take(&mut self, output: Output) {
        for frame in &output.frames {
            self.tracker.apply(frame);
        }
        self.faults.extend(output.faults.iter().map(|fault| format!("{:?}: {}", fault.kind, fault.detail)));
    }

    /// The JSON of a card.
    pub(crate) fn card(&self, dispatch_id: &str) -> Value {
        let card = self.tracker.card(dispatch_id).unwrap_or_else(|| panic!("no card {dispatch_id} in {self}"));
        serde_json::to_value(card).expect("a card is JSON")
    }

    /// The dispatch ids of the cards, with spaces between.
    pub(crate) fn ids(&self) -> String {
        self.tracker.all_cards().map(|card| card.dispatch_id).collect::<Vec<_>>().join(" ")
    }

    /// How a card reads: `settled failed (roster)`.
    pub(crate) fn reads(&self, dispatch_id: &str) -> String {
        self.tracker.card(dispatch_id).map_or_else(|| "no card".to_owned(), |card| reading(&card))
    }

    /// Holds a card against the fields that it must have.
    #[track_caller]
    pub(crate) fn expect(&self, dispatch_id: &str, want: &Value) {
        let differences = subset_differences(want, &self.card(dispatch_id), dispatch_id);
        assert_eq!(differences, [""; 0], "{self}");
    }
}

impl std::fmt::Display for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\n{}{:?}", self.tracker, self.faults)
    }
}
