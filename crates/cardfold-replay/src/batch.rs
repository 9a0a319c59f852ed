//! Objects of a file that were decoded ahead of their turn.

use std::collections::VecDeque;
use std::io::{self, Read};

use cardfold_wire::{Frame, FrameError, FrameQueue};

use crate::lines::{Advance, Lines, Place};
use crate::problem::ProblemKind;

/// The frame of a longer line is not laid by until its turn comes: its line is decoded then, so that no huge text is held
/// twice.
pub(crate) const LAID_BY_BYTES: usize = 64 * 1024;

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
    Bad(Fault),
    /// A frame, which is laid by, and the time that it states.
    Frame {
        time_ms: Option<i64>,
    },
}

/// Why a line cannot be read.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) kind: ProblemKind,
    pub(crate) detail: String,
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
                        self.push(lines, lines.place(), What::Bad(Fault::too_long()));
                        continue;
                    }
                    Err(error) => {
                        self.error = Some(error);
                        return;
                    }
                }
            }
            let line = lines.rest();
            if line.len() > LAID_BY_BYTES {
                return;
            }
            let place = lines.place();
            let (what, left) = match Frame::decode_first(line) {
                Ok((frame, rest)) => {
                    self.frames.put(&frame);
                    (What::Frame { time_ms: frame.timestamp_ms }, rest.len())
                }
                Err(error) => (What::Bad(Fault::of(&error)), 0),
            };
            lines.leave(left);
            self.push(lines, place, what);
        }
    }

    /// The next object.
    pub(crate) fn first(&self) -> Option<&Item> {
        self.items.front()
    }

    /// Takes the next object out. The frame of one that is a frame is then the next one of [`Batch::take_frame`].
    pub(crate) fn take(&mut self) -> Option<Item> {
        self.items.pop_front()
    }

    /// The frame of the object that was taken out. It is not handed out with the object, for it is large to move.
    pub(crate) fn take_frame(&mut self) -> Frame<'_> {
        self.frames.take().expect("the frame of each object is laid by")
    }

    /// Where the next object stands.
    pub(crate) fn place(&self) -> Option<Place> {
        self.first().map(|item| item.place)
    }

    fn push<R: Read>(&mut self, lines: &Lines<R>, place: Place, what: What) {
        self.items.push_back(Item { what, line: lines.number(), place, passed: lines.passed() });
    }
}

impl Fault {
    /// That of a line that is no frame.
    pub(crate) fn of(error: &FrameError) -> Self {
        Self { kind: error.kind().into(), detail: error.to_string() }
    }

    pub(crate) fn too_long() -> Self {
        Self { kind: ProblemKind::TooLong, detail: "over the cap of a line".to_owned() }
    }
}
