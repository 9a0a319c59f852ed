//! What a caller may ask of a replay.

use std::num::NonZero;
use std::thread;

use cardfold::Limits;
use cardfold_dialects::Dialect;

/// How to read and fold stored conversations.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// What makes the dialect of the system that everything is to be read as. Without it each file and stream is
    /// recognised by what it holds, and what nothing tells is the client's.
    pub dialect: Option<fn() -> Box<dyn Dialect>>,
    /// The conversations still go on: they are not ended after their last frame (P6).
    pub live: bool,
    /// The limits of each session's tracker (R26).
    pub limits: Limits,
    /// A longer line, in bytes, is skipped and reported (P5); 256 MiB by default.
    pub max_line_bytes: usize,
    /// Threads that may decode, the caller's own included; by default as many as there are processors for them. More than
    /// two are no use. What is found does not depend on it.
    pub threads: usize,
    /// Each session stops after this many frames. It is not ended then: the cards are those of a session that goes on.
    pub until_frame: Option<u64>,
    /// Each session stops before its first frame that is later than this, and is not ended then; a session without such
    /// a frame was over by that time. Frames without a time have that of the frame before them; a session in which none
    /// has one is read to its end.
    pub until_time: Option<Until>,
}

/// A time up to which a session is looked at.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Until {
    /// Unix milliseconds.
    Time(i64),
    /// Milliseconds after midnight, UTC, of the day of the session's first frame that has a time.
    TimeOfDay(i64),
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dialect: None,
            live: false,
            limits: Limits::default(),
            // The largest lines seen in real stores are some tens of MiB (images and file contents as base64).
            max_line_bytes: 256 * 1024 * 1024,
            threads: thread::available_parallelism().map_or(1, NonZero::get),
            until_frame: None,
            until_time: None,
        }
    }
}
