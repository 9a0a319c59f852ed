//! Typed frames of an AI coding agent's stream and stored conversations, as far as they speak of sub-agents.

mod answer;
mod body;
mod content;
mod decode;
mod digest;
mod error;
mod frame;
mod handback;
mod line;
mod list;
mod notification;
mod owned;
mod reading;
mod repair;
mod text;
mod timestamp;
mod words;

pub use crate::digest::digest;
pub use crate::error::{FrameError, FrameErrorKind};
pub use crate::frame::{
    Assistant, BackgroundTask, Block, Blocks, Body, Frame, Handback, Notice, NoticePlace, Notices, PermissionDenied,
    PermissionRequest, Retry, Sidecar, SidecarRole, Structured, SubagentStats, TaskNotification, TaskProgress,
    TaskRead, TaskStarted, TaskUpdated, ToolInput, ToolProgress, ToolResult, ToolUse, TurnResult, Usage, User,
    WorkflowAgent,
};
pub use crate::list::{List, ListIntoIter};
pub use crate::text::{Text, Texts};
pub use crate::timestamp::parse_timestamp;
