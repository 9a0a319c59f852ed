//! Rebuilds sub-agent cards from stored conversations and captured streams.

mod agent_file;
mod bounded;
mod chains;
mod conversation;
mod dispatch;
mod head;
mod kind;
mod layout;
mod lines;
mod links;
mod merge;
mod options;
mod problem;
mod prompts;
mod report;
mod run_file;
mod session;
mod sidecar;
mod source;
mod threads;
mod walk;

pub use crate::conversation::{Conversation, SessionFrame};
pub use crate::options::{Options, Until};
pub use crate::problem::{Problem, ProblemKind, Problems};
pub use crate::report::{Event, Report, Session, replay, replay_observed, replay_reader, replay_reader_observed};
pub use crate::session::SessionFacts;
