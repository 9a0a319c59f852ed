//! Typed frames of an AI coding agent's stream and stored conversations, as far as they speak of sub-agents.
//!
//! ```
//! use cardfold_wire::{Block, Body, Frame};
//!
//! let line = br#"{"type":"assistant","uuid":"u1","parent_tool_use_id":null,"message":{"role":"assistant","content":[
//!     {"type":"tool_use","id":"toolu_A","name":"Agent","input":{"description":"Count the lamps"}}]}}"#;
//! let frame = Frame::decode(line)?;
//!
//! assert_eq!(frame.parent, None);
//! let Body::Assistant(message) = &frame.body else { panic!("this is a message of the model") };
//! let [Block::ToolUse(call)] = &message.blocks[..] else { panic!("it holds one call") };
//! assert_eq!((&*call.id, &*call.name), ("toolu_A", "Agent"));
//! assert_eq!(call.input.description.as_deref(), Some("Count the lamps"));
//! # Ok::<(), cardfold_wire::FrameError>(())
//! ```
//!
//! One reading serves both sources: [`Frame::decode`] takes the bytes of a line, [`Frame::from_value`] a JSON value that
//! a host has already. Either is one pass, in any order of keys, and copies nothing that the line has as it is.
//!
//! # What this crate does not know
//!
//! - Cards, agents, states: a frame is what one line says, and no two frames know of each other.
//! - Files, paths, line numbers, clocks.
//! - Which frames count: that a notice is a copy, a result an acknowledgement or a call a dispatch is for the fold to
//!   say. The grammars that it needs for that are here ([`ToolResult::report_text`] and its neighbours), since they are
//!   the client's spelling.
//!
//! Numbers like WIRE.md 2.3 are the sections of that file of this crate, where the client's spelling is described; rules like
//! R13 stand in `RULES.md` of `cardfold`.
//!
//! # What costs a line and what costs a field
//!
//! | what is wrong | what it costs |
//! |---|---|
//! | not UTF-8, not JSON, torn, empty | the line |
//! | JSON, but no object | the line |
//! | no `type`, or one that is no string | the line |
//! | a known type without the object that it is about: `message` of `assistant` and `user`, `data.message` of an agent's `progress`, `request` of `control_request` | the line, and the error names type and field |
//! | a value that is wanted and nests more than 128 levels deep | the line |
//! | a value that nobody wants, of any depth and shape | nothing |
//! | a field of the wrong type, a negative figure, a blank or numeric id | the field: it is as if it were absent |
//! | a key that stands twice | the earlier one |
//! | half of a surrogate pair in a text | that character, which becomes U+FFFD |
//! | a byte-order mark, white space, NUL bytes around the object | nothing |
//! | an unknown `type`, or `subtype` of `system` | nothing: it is [`Body::Unknown`], its word kept |
//!
//! # Bounds
//!
//! Decoding takes time in proportion to the line and nests no deeper than its reader's 128 levels. A text with escapes is
//! read when somebody asks for it; one that has to be copied is cut at 256 KiB, its digest still that of the whole
//! ([`Text`]). Ids and one-line words are kept whole.

mod frame;
mod list;
mod message;
mod remark;
mod roster;
mod text;

mod decode;

mod fields;
mod object;
mod reading;

mod escaped;
mod input;
mod json;
mod json_error;
mod keys;
mod number;
mod quoted;
mod skip;
mod tree;

mod line;

mod content;

mod body;
mod progress;
mod task;
mod turn;
mod words;

mod answer;
mod handback;
mod notification;

mod digest;
mod error;
mod frame_queue;
mod owned;
mod parts;
mod timestamp;

pub use crate::digest::digest;
pub use crate::error::{FrameError, FrameErrorKind};
pub use crate::frame::{
    Body, Frame, PermissionDenied, PermissionRequest, Retry, Sidecar, SidecarRole, SubagentStats, ToolProgress,
    TurnResult,
};
pub use crate::frame_queue::FrameQueue;
pub use crate::list::{List, ListIntoIter};
pub use crate::message::{
    Assistant, Block, Blocks, Handback, Structured, TaskRead, ToolInput, ToolResult, ToolUse, Usage, User,
};
pub use crate::remark::{Annotation, Guess, Remark};
pub use crate::roster::{
    BackgroundTask, Notice, NoticePlace, Notices, TaskNotification, TaskProgress, TaskStarted, TaskUpdated,
    WorkflowAgent,
};
pub use crate::text::{Text, Texts};
pub use crate::timestamp::parse_timestamp;
