//! Translates what other agent systems write about their sub-agents into frames of cardfold.
//!
//! ```
//! use cardfold::CardTracker;
//! use cardfold_dialects::{Translation, recognise};
//!
//! let lines = [
//!     r#"{"event":"subagent_start","subagent_id":7,"agent_name":"sweeper","task_preview":"Sweep logs","at_ms":50}"#,
//!     r#"{"event":"subagent_done","subagent_id":7,"agent_name":"sweeper","result_preview":"Read 9 files","at_ms":900}"#,
//!     r#"{"event":"subagent_completion","subagent_id":7,"status":"timed_out"}"#,
//! ];
//! let make = recognise(lines[0].as_bytes()).expect("an event like this is one of Synaps");
//! let mut translation = Translation::new(make());
//! assert_eq!(translation.dialect().name(), "synaps");
//!
//! let mut tracker = CardTracker::new();
//! for line in lines {
//!     for frame in &translation.read(line.as_bytes()).frames {
//!         tracker.apply(frame);
//!     }
//! }
//! let card = tracker.card("sa_7").expect("the event opens a card");
//! assert_eq!((card.name.as_str(), card.outcome.map(|outcome| outcome.as_str())), ("sweeper", Some("timed_out")));
//! assert_eq!((card.started_at_ms, card.ended_at_ms), (Some(50), Some(900)));
//! ```
//!
//! One engine folds them all: a dialect says in the engine's own words (the frames of `cardfold-wire`) what its system
//! says in its. The engine learns none of a system's words; what a system has and a card has not goes into the card's
//! annotations, and an outcome that can only be read out of a text is a guess, which gives way to any statement.
//!
//! | system | dialect | what it reads |
//! |---|---|---|
//! | a supervisor written in Go | [`Supervisor`] | its protocol, results of turns (`result.json`) |
//! | Synaps | [`Synaps`] | a saved conversation with its tools and receipts, events of workers |
//! | CodeWhale | [`CodeWhale`] | the state file, the mailbox, transcripts, completions in a parent's text |
//!
//! Each dialect's documentation says what a card makes of every line, and what the lines do not say. Numbers like S4-24
//! and W4-8 are those of this crate's `SYSTEMS.md`: S for what a system does, W for a weakness not to take over. Rules like R16
//! stand in `RULES.md` of `cardfold`.
//!
//! # What this crate does not know
//!
//! - Files and clocks. It is handed bytes and says of a path only where such a file would belong ([`Dialect::place`]);
//!   whoever calls it finds the files and opens them.
//! - How a card is read. It gives frames and never sees a card.
//! - The lines of the client that cardfold is made for: those are frames as they are.
//!
//! # Bounds
//!
//! Nothing that is read can make a dialect panic. What it remembers has a cap each: agents and calls 16,384, lines and
//! messages that count once 65,536, texts 64 KiB a piece; past it the oldest goes. A value nested deeper than 32 levels
//! is null. A line with half of a surrogate pair cannot be read: none of the systems can write one.
//!
//! # How to add a dialect
//!
//! A dialect is a type that takes one JSON object after the other and says what it means. This one is complete. Its
//! system writes `{"job":"j1","lamp":"on"}` when a job starts and `"off"` or `"broken"` when it is over:
//!
//! ```
//! use cardfold::CardTracker;
//! use cardfold_dialects::fact::Start;
//! use cardfold_dialects::{Dialect, Ending, Ledger, Object, Output, Strength, Translation};
//!
//! #[derive(Debug, Default)]
//! struct Lamps {
//!     ledger: Ledger,
//! }
//!
//! impl Dialect for Lamps {
//!     fn name(&self) -> &'static str {
//!         "lamps"
//!     }
//!
//!     fn recognises(&self, object: Object<'_>) -> bool {
//!         object.text("job").is_some() && object.text("lamp").is_some()
//!     }
//!
//!     fn translate(&mut self, object: Object<'_>, out: &mut Output) {
//!         let Some(job) = object.text("job") else { return out.malformed("no readable `job`") };
//!         let at_ms = object.millis("at_ms");
//!         self.ledger.start(out, at_ms, job, None, Start { name: Some(job), ..Start::default() });
//!         match object.text("lamp") {
//!             Some("on") => {}
//!             Some("off") => {
//!                 self.ledger.end(out, at_ms, job, Ending::new(Strength::Message, "completed"));
//!             }
//!             Some("broken") => {
//!                 self.ledger.end(out, at_ms, job, Ending::new(Strength::Message, "failed"));
//!             }
//!             word => out.unknown(word.unwrap_or("no lamp")),
//!         }
//!     }
//! }
//!
//! let mut translation = Translation::new(Box::<Lamps>::default());
//! let mut tracker = CardTracker::new();
//! let mut faults = Vec::new();
//! for line in [
//!     r#"{"job":"j1","lamp":"on","at_ms":1000}"#,
//!     r#"{"job":"j2","lamp":"on"}"#,
//!     r#"{"job":"j1","lamp":"on"}"#,
//!     r#"{"lamp":"on"}"#,
//!     r#"{"job":"j2","lamp":"flickers"}"#,
//!     r#"{"job":"j1","lamp":"off","at_ms":3000}"#,
//! ] {
//!     let output = translation.read(line.as_bytes());
//!     output.frames.iter().for_each(|frame| drop(tracker.apply(frame)));
//!     faults.extend(output.faults);
//! }
//! let cards: Vec<String> = tracker.cards().map(|card| format!("{} {}", card.name, card.state)).collect();
//! assert_eq!(cards, ["j1 settled", "j2 running"]);
//! assert_eq!(tracker.card("j1").and_then(|card| card.ended_at_ms), Some(3000));
//! assert_eq!(faults[0].detail, "no readable `job`");
//! assert_eq!(tracker.diagnostics().unknown_frames, 1);
//! ```
//!
//! In what order to go about it:
//!
//! 1. Write down what the system writes, and what it does not: which lines open an agent, whose they are, which word
//!    ends one. A shape that is only known from hearsay is accepted, and never the only one that is.
//! 2. [`Dialect::recognises`]: a key or a word that nobody else uses. An object that anybody could have written is
//!    nobody's: recognition goes on with the next.
//! 3. Agents through the [`Ledger`]: it opens each once, lets no weaker ending pass behind a stronger one
//!    ([`Strength`]), and leaves out what trails behind an ending. Calls, models and links through [`fact`]. Words that
//!    R16 has are passed on as they are; its own words a dialect maps.
//! 4. Times are those of the lines, in Unix milliseconds, or none. A line without a time has none; never a clock.
//! 5. Restarts: does an id mean the same agent afterwards? If not, tell them apart ([`Synaps`] does). Does a stored
//!    `running` still run? If not, say so in [`Dialect::end_of_session`], as a guess.
//! 6. What is damaged is a fault, with what it costs kept small; what is of an unknown kind is [`Output::unknown`].
//! 7. An entry in `known.rs`, a table of its words as a test, fixtures under `testdata/dialects/`, and a test that any
//!    bytes do no harm: `tests/dialects/hostile.rs` takes the new dialect along by itself.

// In reading order: what a dialect is and who feeds it, what it says, what helps it, the systems.
mod dialect;
mod known;
mod translation;

mod ending;
pub mod fact;
mod ledger;
mod object;

mod annotations;
mod bounded;
mod kin;
mod message;
mod recent;
mod values;

pub mod codewhale;
pub mod supervisor;
pub mod synaps;

pub use crate::codewhale::CodeWhale;
pub use crate::dialect::{Dialect, Fault, FaultKind, Output, Place};
pub use crate::ending::{Ending, Strength};
pub use crate::known::{dialect_named, dialects, recognise};
pub use crate::ledger::Ledger;
pub use crate::object::Object;
pub use crate::supervisor::Supervisor;
pub use crate::synaps::Synaps;
pub use crate::translation::Translation;
