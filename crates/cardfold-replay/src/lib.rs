//! Rebuilds sub-agent cards from stored conversations and captured streams.
//!
//! ```
//! use cardfold_replay::{Options, replay_reader};
//!
//! let stream = concat!(
//!     r#"{"type":"assistant","session_id":"s1","message":{"content":[{"type":"tool_use","id":"toolu_1","#,
//!     r#""name":"Agent","input":{"description":"Count the lines"}}]}}"#,
//! );
//! let report = replay_reader(stream.as_bytes(), "-", &Options::default());
//!
//! let card = report.sessions[0].tracker.cards().next().expect("the dispatch is a card");
//! assert_eq!(card.name, "Count the lines");
//! assert_eq!(card.outcome, Some(cardfold::Outcome::Abandoned), "the stream ended, and nothing ended the agent");
//! ```
//!
//! [`replay`] folds a path: a session file with everything that belongs to it, a captured stream, or a directory of
//! these at any depth. [`replay_reader`] folds standard input or any other reader. Both have a variant that tells an
//! observer of each frame, who may stop the reading. [`Conversation`] hands out the frames of one conversation for hosts
//! that fold themselves; [`Follow`] those of one that is still written to.
//!
//! # What this crate does
//!
//! It finds, orders and decodes; the rule numbers are those of `RULES.md` of `cardfold`, section 4.
//!
//! | question | answered in | rule |
//! |---|---|---|
//! | Which sessions stand below a directory? | `walk` | P1 |
//! | Which files belong to a session, and which are never opened? | `layout`, `agent_file` | P1 |
//! | The client's conversation, or another system's? | `whose`, `groups`, `foreign` | P1 |
//! | Stream or store? | `kind` | P1 |
//! | In what order do the lines of several files come? | `merge`, `rank`, `source`, `count`, `head` | P2, P7 |
//! | Whose lines are these? | `links`, `chains`, `prompts`, `threads` | P3, P4 |
//! | What is a line, and what is one that cannot be read? | `lines`, `problem` | P5 |
//! | What is decoded before its turn, and by whom? | `second_thread`, `batch`, `input` | P7 |
//! | What was written to a session since? | `follow`, `watched` | P2, P8 |
//! | When is a session over, and where does a caller want to stop? | `session`, `report` | P6 |
//!
//! What is found out beside the lines goes to the fold as frames, so that a host that applies the frames of a
//! [`Conversation`] to its own tracker has everything: sidecars that link ids, and how a workflow ended. A tracker after
//! the last frame of a live session ([`Options::live`]) goes on with the frames of the resumed session's stream; what
//! both say counts once (P8).
//!
//! # Other systems
//!
//! A conversation of another agent system is recognised by what its first lines hold (or read so because the caller says
//! so: [`Options::dialect`]) and translated by its dialect of `cardfold-dialects`. A file or a stream is one session; so
//! are the files of a directory that by their names belong together. They are read one after the other: their lines
//! state few times to merge them by.
//!
//! # What this crate does not do
//!
//! It decides nothing about a card, and it does not know what a frame means but for the few ids and prompts that tell
//! whose lines are whose. It writes nothing. It uses no clock, and no result depends on the order of directories or on
//! the times of files. It does not fail: what cannot be read is a [`Problem`] of its session, or of the report.
//!
//! # Memory
//!
//! Files are streamed: memory grows with the cards and with the ids of dispatches and agents, not with the text (P7). Of
//! each open file 64 KiB are held, or its line where that is longer; at most 256 files are open at once. The first lines
//! of an agent's file are read twice: to know when its turn comes, and when it does.
//!
//! A conversation of 1 MiB or more is decoded by two threads unless [`Options::threads`] says otherwise; what is found is
//! the same. Up to 4 MiB of lines are decoded ahead of their turn then, and no line of more than 64 KiB is.

mod agent_file;
mod batch;
mod bounded;
mod chains;
mod conversation;
mod count;
mod dispatch;
mod follow;
mod foreign;
mod groups;
mod head;
mod input;
mod kind;
mod layout;
mod lines;
mod links;
mod merge;
mod options;
mod problem;
mod prompts;
mod rank;
mod report;
mod run_file;
mod second_thread;
mod session;
mod sidecar;
mod source;
mod threads;
mod walk;
mod watched;
mod whose;

pub use crate::conversation::{Conversation, SessionFrame};
pub use crate::follow::{Follow, Look};
pub use crate::options::{Options, Until};
pub use crate::problem::{Problem, ProblemKind, Problems};
pub use crate::report::{
    Event, Report, Session, replay, replay_observed, replay_reader, replay_reader_observed, replay_sessions,
};
pub use crate::session::{FramePlace, SessionFacts};
