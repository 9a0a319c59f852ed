//! Objects of a file that were decoded ahead of their turn.

use std::collections::VecDeque;
use std::io::{self, Read};

use cardfold_wire::{Frame, FrameError, FrameQueue};

use crate::lines::{Advance, Lines, Place};
use crate::problem::ProblemKind;

/// A longer line is left to be decoded when its turn comes, so that no huge text is held twice.
const LINE_BYTES: usize = 64 * 1024;

/// Some objects of a file, in order.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    items: VecDeque<Item>,
    frames: FrameQueue,
    /// Why there is nothing to read after these.
    pub(crate) error: Option<io::Error>,
}

/// An object, or what stands in the place of one.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) what: What,
    /// The number of its line, from 1.
    pub(crate) line: u64,
    /// Where to read it again.
    pub(crate) place: Place,
    /// Bytes of the file up to the end of its line.
    pub(crate) passed: u64,
}

#[derive(Debug)]
pub(crate) enum What {
    /// A line that cannot be read.
    Bad { kind: ProblemKind, detail: String },
    /// A frame, which is laid by, and the time that it states.
    Frame { time_ms: Option<i64> },
}

impl Batch {
    /// Decodes objects until their lines have `bytes` bytes, or a long line comes, or there are none any more.
    pub(crate) fn fill(&mut self, lines: &mut Lines<impl Read>, bytes: usize) {
        self.items.clear();
        self.frames.clear();
        let begun = lines.passed();
        let wanted = u64::try_from(bytes).unwrap_or(u64::MAX);
        while lines.passed().saturating_sub(begun) < wanted {
            if lines.rest().is_empty() {
                match lines.advance() {
                    Ok(Advance::End) => return,
                    Ok(Advance::Line) => {}
                    Ok(Advance::TooLong) => {
                        self.push(lines, lines.place(), What::too_long());
                        continue;
                    }
                    Err(error) => {
                        self.error = Some(error);
                        return;
                    }
                }
            }
            let line = lines.rest();
            if line.len() > LINE_BYTES {
                return;
            }
            let place = lines.place();
            let (what, left) = match Frame::decode_first(line) {
                Ok((frame, rest)) => {
                    self.frames.put(&frame);
                    (What::Frame { time_ms: frame.timestamp_ms }, rest.len())
                }
                Err(error) => (What::of_error(&error), 0),
            };
            lines.leave(left);
            self.push(lines, place, what);
        }
    }

    /// The next object.
    pub(crate) fn first(&self) -> Option<&Item> {
        self.items.front()
    }

    /// Takes the next object, with its frame if it is one.
    pub(crate) fn take(&mut self) -> Option<(Item, Option<Frame<'_>>)> {
        let item = self.items.pop_front()?;
        let frame = match item.what {
            What::Bad { .. } => None,
            What::Frame { .. } => self.frames.take(),
        };
        Some((item, frame))
    }

    /// Where the next object stands.
    pub(crate) fn place(&self) -> Option<Place> {
        self.first().map(|item| item.place)
    }

    fn push<R: Read>(&mut self, lines: &Lines<R>, place: Place, what: What) {
        self.items.push_back(Item { what, line: lines.number(), place, passed: lines.passed() });
    }
}

impl What {
    /// A line that is no frame.
    pub(crate) fn of_error(error: &FrameError) -> Self {
        Self::Bad { kind: error.kind().into(), detail: error.to_string() }
    }

    pub(crate) fn too_long() -> Self {
        Self::Bad { kind: ProblemKind::TooLong, detail: "over the cap of a line".to_owned() }
    }
}
