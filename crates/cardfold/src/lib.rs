//! Folds the frames of an AI coding agent into one live card per dispatched sub-agent.
//!
//! ```
//! use cardfold::{CardTracker, Change, Frame};
//!
//! let lines = [
//!     r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Agent",
//!         "input":{"description":"Count lines","subagent_type":"Explore"}}]},"parent_tool_use_id":null}"#,
//!     r#"{"type":"system","subtype":"task_started","task_id":"a1","tool_use_id":"toolu_1","task_type":"local_agent"}"#,
//!     r#"{"type":"system","subtype":"task_updated","task_id":"a1","patch":{"status":"killed","end_time":1700000000000}}"#,
//! ];
//! let mut tracker = CardTracker::new();
//! for line in lines {
//!     let update = tracker.apply(&Frame::decode(line.as_bytes())?);
//!     for change in &update.changes {
//!         match change {
//!             Change::Opened(key) | Change::Changed(key) => println!("{:?}", tracker.card_at(*key)),
//!             Change::Removed(card) => println!("gone: {}", card.dispatch_id),
//!         }
//!     }
//! }
//! let card = tracker.card("toolu_1").expect("the dispatch was seen");
//! assert_eq!((card.name.as_str(), card.state.as_str()), ("Count lines", "settled"));
//! assert_eq!(card.outcome.map(|outcome| outcome.as_str()), Some("stopped"));
//! assert!(card.failed);
//! # Ok::<(), cardfold::FrameError>(())
//! ```
//!
//! A **dispatch** is a call of the tool `Task` or `Agent`; it opens a [`Card`]. The card follows its agent through
//! every **run**: whether it is queued, running, waiting or settled, how it ended and on what evidence, its calls and
//! the last four of them, the agents nested below it, usage, report and error. An inference is marked as one
//! ([`Card::inferred`]), and gives way to any observation. Rules are cited by number (R18, section 2): they stand in
//! `RULES.md` of this crate.
//!
//! # What it does not know
//!
//! No file, no clock, no thread, no random number and no JSON text: a [`Frame`] goes in, an [`Update`] comes out.
//! Times stand on the frames or nowhere. The order of no hash table can be seen. The same frames in the same order
//! give the same cards on every machine, and nothing that a stream holds makes it panic.
//!
//! # What a host does with it
//!
//! - For every frame of a session loop: [`CardTracker::apply`], and push what the [`Update`] names. The cost of a
//!   frame does not grow with the session.
//! - For a view that looks now and then: [`CardTracker::changed_since`].
//! - To route a permission request: [`CardTracker::owner_of_call`], [`CardTracker::owner_of_task`].
//! - When the conversation is over: [`CardTracker::end_session`], so that nothing is shown as running for ever.
//! - To go on in another process: write the tracker out with serde, read it back, go on.
//! - For a conversation in memory: [`subagent_cards`].
//!
//! # Snapshots of your own agents
//!
//! [`Card`] and [`CardTracker`] print a plain text form that is made for snapshots: one fact a line, no revision, and
//! it changes only with a major version. With `insta`, a recorded stream is a test in ten lines:
//!
//! ```no_run
//! # mod insta { macro_rules! assert_snapshot { ($text:expr) => { println!("{}", $text) } } pub(crate) use assert_snapshot; }
//! use cardfold::{CardTracker, Frame};
//!
//! # fn main() {
//! let stream = std::fs::read("tests/review.jsonl").expect("the recording is in the repository");
//! let mut tracker = CardTracker::new();
//! for line in stream.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
//!     tracker.apply(&Frame::decode(line).expect("the recording is whole"));
//! }
//! tracker.end_session();
//! insta::assert_snapshot!(tracker.to_string());
//! # }
//! ```
//!
//! Ids and times are part of the form. Record once and keep the recording, or redact them with insta's filters.
//!
//! # Rules
//!
//! The rules that an [`Update`] cites, in short:
//!
//! | rules | about |
//! |---|---|
//! | R1–R5 | which frames open a card, what counts once, which ids belong together, what may come late |
//! | R6–R8 | who owns a call, a task, a nested agent |
//! | R9–R13 | what a result, a hand-back, an interrupt marker, a notice means |
//! | R14–R17 | what the task frames say, when a run begins, which words there are |
//! | R18–R22 | how a card reads, what waits, which of two endings stands, what is cut off, what re-opens |
//! | R23–R28 | bounds of figures, texts and memory, exact change reports, the written form, the end of the session |

// In reading order: what comes in and goes out, one agent, all of them, what the frames mean.
mod tracker;

mod card;
mod diagnostics;
mod limits;
mod update;

mod agent;
mod agents;
mod run;

mod calls;
mod changes;
mod links;
mod merging;
mod passing;
mod requests;
mod revisions;
mod shelf;
mod texts;
mod tree;

mod dispatches;
mod messages;
mod results;
mod said;

mod level;
mod notices;
mod remarks;
mod roster;
mod runs;
mod workflow;

mod ending;
mod sidecars;

mod clean;
mod queue;
mod table;
mod title;
mod view;
mod words;
mod written;

#[cfg(doctest)]
mod readme;

pub use cardfold_wire::{Frame, FrameError, List};

pub use crate::card::{CallStatus, Card, CardUsage, Evidence, Excerpt, Kind, NestedRow, Outcome, State, TailCall};
pub use crate::diagnostics::Diagnostics;
pub use crate::limits::Limits;
pub use crate::tracker::{CardChange, CardTracker, TooOld, subagent_cards};
pub use crate::update::{CardKey, Change, FrameKind, Rule, Update};
