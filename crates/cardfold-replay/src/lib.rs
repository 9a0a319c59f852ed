//! Rebuilds sub-agent cards from stored conversations and captured streams.

mod conversation;
mod kind;
mod lines;
mod merge;
mod options;
mod problem;
mod report;
mod session;
mod source;

pub use crate::conversation::{Conversation, SessionFrame};
pub use crate::options::{Options, Until};
pub use crate::problem::{Problem, ProblemKind, Problems};
pub use crate::report::{Event, Report, Session, replay, replay_observed, replay_reader, replay_reader_observed};
pub use crate::session::SessionFacts;
