//! From bytes, or from a JSON value, to a frame.

use std::str;

use serde_json::Value;

use crate::body::{fill_frame, sidecar_of};
use crate::error::FrameError;
use crate::frame::{Frame, Sidecar};
use crate::json::Json;
use crate::json_error::JsonError;
use crate::line::Line;
use crate::owned::Keep;
use crate::reading::read_object;
use crate::tree::Tree;

impl<'a> Frame<'a> {
    /// Reads one line: one JSON object. White space, a byte-order mark and NUL bytes around it cost nothing.
    pub fn decode(line: &'a [u8]) -> Result<Self, FrameError> {
        let (frame, rest) = Self::decode_first(line)?;
        if rest.is_empty() { Ok(frame) } else { Err(surplus(line, rest)) }
    }

    /// Reads the first object of a line, and gives what stands after it: nothing, unless an append missed its newline
    /// and two objects share the line (P5). What comes after the object is not looked at.
    pub fn decode_first(line: &'a [u8]) -> Result<(Self, &'a [u8]), FrameError> {
        let mut object = Line::default();
        let rest = read_line(line, &mut object)?;
        let mut frame = Frame::default();
        fill_frame(&mut frame, &mut object)?;
        Ok((frame, rest))
    }

    /// Reads a JSON value as the line that it would be printed as.
    pub fn from_value(value: &'a Value) -> Result<Self, FrameError> {
        let mut object = Line::default();
        let is_object = read_object(&mut Tree::new(value), &mut object).map_err(FrameError::by_cause)?;
        if !is_object {
            return Err(FrameError::not_an_object());
        }
        let mut frame = Frame::default();
        fill_frame(&mut frame, &mut object)?;
        Ok(frame)
    }

    /// The frame without its line. Texts longer than 256 KiB are cut: see [`crate::Text::is_cut`].
    pub fn into_owned(self) -> Frame<'static> {
        self.keep()
    }
}

impl<'a> Sidecar<'a> {
    /// Reads a sidecar file (`.meta.json`). The agent's id is in the file's name, not in the file.
    pub fn decode(file: &'a [u8]) -> Result<Self, FrameError> {
        let mut object = Line::default();
        let rest = read_line(file, &mut object)?;
        let sidecar = sidecar_of(&mut object);
        if rest.is_empty() { Ok(sidecar) } else { Err(surplus(file, rest)) }
    }

    /// The sidecar without its file.
    pub fn into_owned(self) -> Sidecar<'static> {
        self.keep()
    }
}

/// Reads the first object of a line, and gives what the line has after it.
fn read_line<'a>(line: &'a [u8], object: &mut Line<'a>) -> Result<&'a [u8], FrameError> {
    let value = without_padding(line);
    if value.is_empty() {
        return Err(FrameError::empty());
    }
    let mut json = Json::new(value);
    match read_object(&mut json, object) {
        Ok(true) => Ok(without_padding(json.rest())),
        Ok(false) => Err(FrameError::not_an_object()),
        Err(cause) => Err(not_read(value, cause, line.len() - value.len())),
    }
}

/// The error of a value that cannot be read. That the line is no text comes before anything that its bytes say.
#[cold]
fn not_read(value: &[u8], cause: JsonError, lead: usize) -> FrameError {
    match str::from_utf8(value) {
        Ok(_) => FrameError::not_json(cause, lead),
        Err(cause) => FrameError::not_utf8(cause, lead),
    }
}

/// `bytes` from the first that is neither white space, nor part of a byte-order mark, nor the NUL that pads a file whose
/// machine went down.
fn without_padding(mut bytes: &[u8]) -> &[u8] {
    loop {
        bytes = match bytes {
            [b' ' | b'\t' | b'\r' | b'\n' | 0, rest @ ..] | [0xEF, 0xBB, 0xBF, rest @ ..] => rest,
            _ => return bytes,
        };
    }
}

/// The error of a line that has more than its one object.
fn surplus(line: &[u8], rest: &[u8]) -> FrameError {
    let offset = line.len() - rest.len();
    str::from_utf8(rest).map_or_else(|cause| FrameError::not_utf8(cause, offset), |_| FrameError::trailing(offset))
}
