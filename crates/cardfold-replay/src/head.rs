//! The first lines of an agent's file, read before its turn comes: when it starts, whose it is, what it was asked (P2).

use std::fs::File;
use std::io;
use std::path::Path;

use cardfold_wire::{Block, Body, Frame};

use crate::dispatch::is_dispatch;
use crate::lines::{Advance, Lines};

/// Lines that are looked at. Real files say everything in the first one; those of forks begin with a reference and a
/// copy of the parent's line.
const LINES: usize = 32;

/// What the first lines of an agent's file say. Lines that cannot be read are left to the reading proper.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Head {
    /// The first time that is stated.
    pub(crate) first_ms: Option<i64>,
    /// The first session id.
    pub(crate) session_id: Option<String>,
    /// The first agent id.
    pub(crate) agent_id: Option<String>,
    /// Digest of the prompt: the first user turn that holds text, if nothing of the model stands before it.
    pub(crate) prompt: Option<u64>,
    /// The dispatch that the file opens with: that of the fork whose file it is (P4).
    pub(crate) fork_of: Option<String>,
    /// More lines would say no more.
    pub(crate) is_told: bool,
}

impl Head {
    pub(crate) fn read(path: &Path, max_line_bytes: usize) -> io::Result<Self> {
        let mut lines = Lines::new(File::open(path)?, max_line_bytes);
        let mut head = Self::default();
        for _ in 0..LINES {
            match lines.advance()? {
                Advance::End => return Ok(head),
                Advance::Line => {}
                Advance::TooLong => continue,
            }
            let Ok((frame, _)) = Frame::decode_first(lines.rest()) else { continue };
            if head.takes(&frame) {
                head.is_told = true;
                if head.first_ms.is_some() {
                    break;
                }
            }
        }
        head.is_told = true;
        Ok(head)
    }

    /// Takes what one frame says; true once the first message was seen.
    fn takes(&mut self, frame: &Frame<'_>) -> bool {
        self.first_ms = self.first_ms.or(frame.timestamp_ms);
        fill(&mut self.session_id, frame.session_id.as_deref());
        fill(&mut self.agent_id, frame.agent_id.as_deref());
        match &frame.body {
            Body::Assistant(message) => {
                let dispatch = message.blocks.iter().find_map(|block| match block {
                    Block::ToolUse(call) => is_dispatch(call).then_some(&*call.id),
                    Block::Other | Block::Text(_) | Block::ToolResult(_) => None,
                });
                if self.prompt.is_none() {
                    fill(&mut self.fork_of, dispatch);
                }
                true
            }
            Body::User(user) => {
                self.prompt = self.prompt.or_else(|| user.texts.first().map(|text| text.digest()));
                self.prompt.is_some()
            }
            Body::BackgroundTasks(_)
            | Body::Init
            | Body::Notices(_)
            | Body::PermissionDenied(_)
            | Body::PermissionRequest(_)
            | Body::PermissionSettled { .. }
            | Body::Quiet
            | Body::Remark(_)
            | Body::Result(_)
            | Body::Sidecar(_)
            | Body::TaskNotification(_)
            | Body::TaskProgress(_)
            | Body::TaskStarted(_)
            | Body::TaskUpdated(_)
            | Body::ToolProgress(_)
            | Body::Unknown { .. } => false,
        }
    }
}

fn fill(field: &mut Option<String>, value: Option<&str>) {
    if field.is_none() {
        *field = value.map(str::to_owned);
    }
}
