//! From bytes to a frame.

use serde_json::Value;

use crate::error::FrameError;
use crate::frame::{Frame, Sidecar};

impl<'a> Frame<'a> {
    /// Reads one line: one JSON object, with white space, a byte-order mark or NUL bytes around it.
    pub fn decode(line: &'a [u8]) -> Result<Self, FrameError> {
        let _ = line;
        Err(FrameError::malformed("", "type"))
    }

    /// Reads the first object of a line, and gives what stands after it: empty unless an append missed its newline and
    /// two objects stand on one line (P5).
    pub fn decode_first(line: &'a [u8]) -> Result<(Self, &'a [u8]), FrameError> {
        Self::decode(line).map(|frame| (frame, &line[line.len()..]))
    }

    /// Reads a JSON value as the line that it would be printed as.
    pub fn from_value(value: &'a Value) -> Result<Self, FrameError> {
        let _ = value;
        Err(FrameError::malformed("", "type"))
    }

    /// The frame without its line.
    pub fn into_owned(self) -> Frame<'static> {
        unreachable!("nothing decodes yet")
    }
}

impl<'a> Sidecar<'a> {
    /// Reads a sidecar file (`.meta.json`).
    pub fn decode(file: &'a [u8]) -> Result<Self, FrameError> {
        let _ = file;
        Err(FrameError::malformed("", "type"))
    }
}
