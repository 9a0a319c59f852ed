//! Sessions made up for measuring, and what their frames cost.

mod bystanders;
pub mod captured;
mod chain;
mod clock;
mod comparison;
mod frames;
mod naive;
pub mod owned;
mod random;
mod runs;
pub mod store;
pub mod texts;
mod workload;

pub use crate::bystanders::bystanders;
pub use crate::chain::{ChainOrder, Chains};
pub use crate::clock::time_frames;
pub use crate::comparison::{Comparison, Place};
pub use crate::frames::dispatch_id;
pub use crate::naive::{Naive, NaiveCard};
pub use crate::runs::{ChainStreams, chains_given_up, chains_taken_up, last_tenth, session_loop, whole_session};
pub use crate::workload::{Stream, Workload};

use cardfold_wire::Frame;
use memchr::memchr_iter;

/// The frames of a stream.
///
/// # Panics
///
/// If a line cannot be decoded: a measurement of frames that were dropped would be worth nothing.
#[must_use]
pub fn decode(stream: &[u8]) -> Vec<Frame<'_>> {
    let mut begin = 0;
    let mut line = |end| {
        let line = &stream[begin..end];
        begin = end + 1;
        Frame::decode(line).expect("made-up lines are frames")
    };
    memchr_iter(b'\n', stream).map(&mut line).collect()
}
