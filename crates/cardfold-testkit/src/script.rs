//! A notation of a few words for frames, so that a test reads as what happened.
//!
//! A script is a list of steps, with commas or line breaks between. Each step becomes one line of real JSON, in the
//! shape that version 2.1.332 of the client writes, is decoded and folded. No test builds a frame by hand, and the
//! decoder is always in the loop.
//!
//! ```
//! use cardfold_testkit::script::{fold, reads};
//!
//! assert_eq!(reads("D a, TS t→a, TU t completed 9", "a"), "settled completed (roster)");
//!
//! let text = fold("D a, C x<a, R x!, HB a \"Found it.\"");
//! assert_eq!(
//!     text,
//!     "D a: opened a\n\
//!      C x<a: changed a\n\
//!      R x!: changed a\n\
//!      HB a \"Found it.\": changed a\n\
//!      \n\
//!      a \"do a\" settled completed (report)\n  \
//!        counts: 1 calls, 0 open, 1 failed\n  \
//!        call: x Read x: failed\n  \
//!        report: \"Found it.\""
//! );
//! ```
//!
//! # Words
//!
//! Ids are written as they are and used raw: `D a` makes the dispatch id `a`. `_` is the blank id. `x<a` is call `x`
//! in a frame whose parent is `a`; without `<a` the frame is the main thread's (a result takes the parent of its call
//! where the script has it). `t→a` (or `t->a`) is task `t` with tool_use id `a`. `!` behind an id makes an error.
//! Texts stand in quotes and are JSON strings. `#` opens a comment where a step could begin.
//!
//! | step | frame | options |
//! |---|---|---|
//! | `D a` | a dispatch of the main thread | `desc` (`none`: without) `type` `tool` `bg` `resume` `prompt` `name` |
//! | `A x<a` | a dispatch inside an agent | as `D` |
//! | `C x<a` | a call | `tool` (else `Read`), `input={…}`, `server` (a server-side one) |
//! | `SAY a "t"` | text of an agent; `-` is the main thread | |
//! | `SM s` `WF w` `SK k` `TO o` `STOP o` | calls of SendMessage, Workflow, Skill, TaskOutput, TaskStop | `to`, `name`, `skill`, `task`, `task` |
//! | `R x "t" "u"` | a result with these text blocks, else `ok` | `s={…}` (the structured field), `denial` |
//! | `ACK a` | a launch acknowledgement | `task` (else the one linked by the script), `status`, `text` (no structured field) |
//! | `HB a "t"` | a report by the hand-back marker | |
//! | `REP a "t"` | a report by its structured field | `task` `tokens` `uses` `ms` `resolved` |
//! | `SMR s` `WFR w` `SKR k` `TOR o` `STOPR o` | results of the five | `resumed`; `task` `run` `summary` `status`; `agent` `bg`; `task` `status` `read` `result`; `task`; all: `text` (as JSON text of the block only), `TOR`: `tags` |
//! | `TS t→a` | task_started | `run` `parent` `depth` `task_type` (`none`: without) `type` `desc` `bg` `ambient` `skip_transcript` |
//! | `TP t→a` | task_progress | `run` `desc` `summary` `tool` `wf=[…]` `tokens` `uses` `ms` |
//! | `TU t word 9` | task_updated, with an end time | `run` `desc` `error` `bg` |
//! | `TN t→a word` | task_notification | `run` `summary` `result` `is_report` `handback` `wf` `end` `tokens` `uses` `ms` |
//! | `BTC t u@r2 {…}` | background_tasks_changed, with run ids or rows of one's own | |
//! | `ASK q` `ANS q` `CANCEL q` | a permission request, its answer, its withdrawal | `agent` `call` `tool` `title` `display` |
//! | `DENIED x` | permission_denied for call `x` | `agent` |
//! | `USER a "t"` | a user turn of an agent, or of the main thread (`-`) | `origin` |
//! | `INT a` | an interrupt marker | `tool` |
//! | `HBT t "t"` | a hand-back as a user turn | `from`, `nosender` |
//! | `NT t→a word` | a task-notification block in a user turn | `summary` `result` `tokens` `uses` `ms`, `origin` (`none`: without) |
//! | `NQ t→a word` | … in a queue operation | as `NT`, `op` |
//! | `NA t→a word` | … in an attachment | as `NT`, `mode` (`none`: without) |
//! | `META t→a` | a sidecar | `type` `desc` `name` `model` `parent` `depth` |
//! | `RAW {…}` | a line of one's own | |
//! | `END` | no line: the host ends the session | |
//!
//! Every frame takes `uuid=` (else one of its own; `none`: without) and `at=` (a timestamp, Unix milliseconds; else
//! none), those of messages `agent_id=`, `model=`, `aborted`, `supersedes=["u1"]`. `+key=value` sets any field as it
//! is, `-key` leaves one out; a key may be a path.
//!
//! ```
//! use cardfold_testkit::script::{lines, reads};
//!
//! assert_eq!(
//!     lines("BTC t@r1 uuid=k"),
//!     [concat!(
//!         r#"{"session_id":"s1","subtype":"background_tasks_changed","tasks":[{"description":"do t","run_id":"r1","#,
//!         r#""task_id":"t","task_type":"local_agent"}],"type":"system","uuid":"k"}"#
//!     )]
//! );
//! assert_eq!(reads("D a, ACK a", "a"), "not drawn: running (dispatch)");
//! assert_eq!(reads("C x<a", "a"), "no card");
//! ```
//!
//! A step that cannot be read, and an option that nobody reads, ends the test with the step and its place.

mod calls;
mod outline;
mod parse;
mod results;
mod tasks;
mod turns;
mod write;

use std::fmt::Write as _;

use cardfold::{Card, CardTracker, Change, Frame, Limits, NestedRow, Update};

pub use self::outline::{counts, outline, reading, row_reading, sound, tail, usage};
use self::parse::parse;
use self::write::{Writer, Written};

/// A session that is folded while it is played: scripts go on where the one before stopped.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// What was folded so far. A test may put another one in its place (R27).
    pub tracker: CardTracker,
    writer: Writer,
}

impl Session {
    /// An empty session.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty session with bounds of its own.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Self { tracker: CardTracker::with_limits(limits), writer: Writer::default() }
    }

    /// A session that has played `script`.
    #[must_use]
    pub fn of(script: &str) -> Self {
        let mut session = Self::new();
        session.play(script);
        session
    }

    /// Plays the steps of `script` and says what each changed.
    ///
    /// # Panics
    ///
    /// If the script cannot be read, a line cannot be decoded, or a changed card is not [`sound`].
    pub fn play(&mut self, script: &str) -> Vec<Update> {
        parse(script).into_iter().map(|step| self.step(step)).collect()
    }

    fn step(&mut self, step: parse::Step) -> Update {
        let source = step.source.clone();
        let update = match self.writer.write(step) {
            Written::End => self.tracker.end_session(),
            Written::Line(line) => {
                let frame = Frame::decode(line.as_bytes()).unwrap_or_else(|error| panic!("{source}: {error}: {line}"));
                self.tracker.apply(&frame)
            }
        };
        for change in &update.changes {
            if let Change::Changed(key) | Change::Opened(key) = change {
                sound(&self.tracker.card_at(*key).expect("an update names cards that are there"));
            }
        }
        update
    }

    /// The card of this dispatch id, drawn or not.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[must_use]
    pub fn card(&self, dispatch_id: &str) -> Card {
        self.tracker.card(dispatch_id).unwrap_or_else(|| panic!("no card {dispatch_id}"))
    }

    /// The dispatch ids of the drawn cards, with spaces between.
    #[must_use]
    pub fn drawn(&self) -> String {
        self.tracker.cards().map(|card| card.dispatch_id).collect::<Vec<_>>().join(" ")
    }

    /// [`reading`] of one card, with `not drawn: ` before it, or `no card`.
    #[must_use]
    pub fn reads(&self, dispatch_id: &str) -> String {
        let Some(card) = self.tracker.card(dispatch_id) else { return "no card".to_owned() };
        let drawn = self.tracker.cards().any(|card| card.dispatch_id == dispatch_id);
        format!("{}{}", if drawn { "" } else { "not drawn: " }, reading(&card))
    }

    /// The changes of an update: `opened a`, `changed b`, `removed c`, with commas between.
    ///
    /// # Panics
    ///
    /// If the update names a card that the tracker does not have.
    #[must_use]
    pub fn changes(&self, update: &Update) -> String {
        let card = |key| self.tracker.card_at(key).expect("an update names cards that are there").dispatch_id;
        let change = |change: &Change| match change {
            Change::Changed(key) => format!("changed {}", card(*key)),
            Change::Opened(key) => format!("opened {}", card(*key)),
            Change::Removed(gone) => format!("removed {}", gone.dispatch_id),
        };
        update.changes.iter().map(change).collect::<Vec<_>>().join(", ")
    }

    /// Plays one more script and gives the changes of its last step.
    ///
    /// # Panics
    ///
    /// If the script has no step, and as [`Session::play`].
    pub fn last(&mut self, script: &str) -> String {
        let update = self.play(script).pop().expect("the script has a step");
        self.changes(&update)
    }
}

/// The lines of a script; `END` gives none.
#[must_use]
pub fn lines(script: &str) -> Vec<String> {
    let mut writer = Writer::default();
    let written = parse(script).into_iter().map(|step| writer.write(step));
    let line = |written| match written {
        Written::End => None,
        Written::Line(line) => Some(line),
    };
    written.filter_map(line).collect()
}

/// The steps of a script, each as it was written.
#[must_use]
pub fn steps(script: &str) -> Vec<String> {
    parse(script).into_iter().map(|step| step.source).collect()
}

/// Folds a script: a line for each step with what it changed (`-` for nothing), then the cards.
///
/// # Panics
///
/// As [`Session::play`].
#[must_use]
pub fn fold(script: &str) -> String {
    let mut session = Session::new();
    let mut text = String::new();
    for step in parse(script) {
        let source = step.source.clone();
        let update = session.step(step);
        let changes = session.changes(&update);
        let _ = writeln!(text, "{source}: {}", if changes.is_empty() { "-" } else { &changes });
    }
    for card in session.tracker.cards() {
        let _ = write!(text, "\n{}", outline(&card));
    }
    text
}

/// The drawn cards after a script.
#[must_use]
pub fn cards(script: &str) -> Vec<Card> {
    Session::of(script).tracker.cards().collect()
}

/// The card of `dispatch_id` after a script, drawn or not.
///
/// # Panics
///
/// If there is none.
#[must_use]
pub fn card(script: &str, dispatch_id: &str) -> Card {
    Session::of(script).card(dispatch_id)
}

/// [`Session::reads`] after a script.
#[must_use]
pub fn reads(script: &str, dispatch_id: &str) -> String {
    Session::of(script).reads(dispatch_id)
}

/// The nested row of a card that has this dispatch id, or this task id.
///
/// # Panics
///
/// If there is none.
#[must_use]
pub fn row(card: &Card, id: &str) -> NestedRow {
    let named = |row: &&NestedRow| row.dispatch_id.as_deref() == Some(id) || row.task_id.as_deref() == Some(id);
    card.nested.iter().find(named).unwrap_or_else(|| panic!("{} has no row {id}", card.dispatch_id)).clone()
}

/// The status of a call in a card's tail, after a script.
///
/// # Panics
///
/// If the card or the call is not there.
#[must_use]
pub fn status(script: &str, dispatch_id: &str, call: &str) -> &'static str {
    let card = card(script, dispatch_id);
    let found = card.tail.iter().find(|line| line.id == call);
    found.unwrap_or_else(|| panic!("{call} is not in the tail of {dispatch_id}: {}", tail(&card))).status.as_str()
}
