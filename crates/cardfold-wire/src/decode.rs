//! From bytes, or from a JSON value, to a frame.

use std::str;

use serde::de::DeserializeSeed;
use serde_json::Value;

use crate::body::{frame_of, sidecar_of};
use crate::error::FrameError;
use crate::fields::One;
use crate::frame::{Frame, Sidecar};
use crate::line::Line;
use crate::owned::Keep;
use crate::reading::Reading;
use crate::repair::repaired;

impl<'a> Frame<'a> {
    /// Reads one line: one JSON object. White space, a byte-order mark and NUL bytes around it cost nothing.
    pub fn decode(line: &'a [u8]) -> Result<Self, FrameError> {
        let (frame, rest) = Self::decode_first(line)?;
        if rest.is_empty() { Ok(frame) } else { Err(surplus(line, rest)) }
    }

    /// Reads the first object of a line, and gives what stands after it: nothing, unless an append missed its newline
    /// and two objects share the line (P5). What comes after the object is not looked at.
    pub fn decode_first(line: &'a [u8]) -> Result<(Self, &'a [u8]), FrameError> {
        let input = Input::new(line)?;
        let mut object = None;
        match input.read(input.value, &mut object) {
            Ok(rest) => Ok((frame_of(found(&mut object)?)?, rest)),
            Err(error) => {
                let copy = input.repaired(error)?;
                let mut object = None;
                let rest = input.read(copy.as_bytes(), &mut object)?;
                Ok((frame_of(found(&mut object)?)?.into_owned(), rest))
            }
        }
    }

    /// Reads a JSON value as the line that it would be printed as.
    pub fn from_value(value: &'a Value) -> Result<Self, FrameError> {
        let mut object = None;
        Reading::<One<Line<'a>>>(&mut object).deserialize(value).map_err(FrameError::by_cause)?;
        frame_of(found(&mut object)?)
    }

    /// The frame without its line. Texts longer than 256 KiB are cut: see [`crate::Text::is_cut`].
    pub fn into_owned(self) -> Frame<'static> {
        self.keep()
    }
}

impl<'a> Sidecar<'a> {
    /// Reads a sidecar file (`.meta.json`). The agent's id is in the file's name, not in the file.
    pub fn decode(file: &'a [u8]) -> Result<Self, FrameError> {
        let input = Input::new(file)?;
        let mut object = None;
        let (sidecar, rest) = match input.read(input.value, &mut object) {
            Ok(rest) => (sidecar_of(found(&mut object)?), rest),
            Err(error) => {
                let copy = input.repaired(error)?;
                let mut object = None;
                let rest = input.read(copy.as_bytes(), &mut object)?;
                (sidecar_of(found(&mut object)?).into_owned(), rest)
            }
        };
        if rest.is_empty() { Ok(sidecar) } else { Err(surplus(file, rest)) }
    }

    /// The sidecar without its file.
    pub fn into_owned(self) -> Sidecar<'static> {
        self.keep()
    }
}

/// A line, and where in it the value starts.
struct Input<'a> {
    line: &'a [u8],
    value: &'a [u8],
}

impl<'a> Input<'a> {
    fn new(line: &'a [u8]) -> Result<Self, FrameError> {
        let value = without_padding(line);
        if value.is_empty() { Err(FrameError::empty()) } else { Ok(Self { line, value }) }
    }

    /// Reads the value at the start of `bytes`, which are the input's own or a copy of the same length, and gives what
    /// the line has after it.
    fn read<'t>(&self, bytes: &'t [u8], object: &mut Option<Line<'t>>) -> Result<&'a [u8], FrameError> {
        let mut window = FIRST_WINDOW.min(bytes.len());
        loop {
            let text = valid_prefix(&bytes[..window]);
            let mut json = serde_json::Deserializer::from_str(text);
            match Reading::<One<Line<'t>>>(object).deserialize(&mut json) {
                Ok(()) => {
                    // A reader that does not end where its text does says where the rest begins.
                    let end = json.end().err().map_or(text.len(), |cause| place_of(&cause, text));
                    return Ok(without_padding(&self.value[end..]));
                }
                Err(_) if window < bytes.len() => window = window.saturating_mul(16).min(bytes.len()),
                Err(cause) => return Err(self.error(text, cause)),
            }
        }
    }

    fn error(&self, text: &str, cause: serde_json::Error) -> FrameError {
        match str::from_utf8(self.value) {
            Ok(_) => FrameError::not_json(place_of(&cause, text) + self.lead(), cause),
            Err(cause) => FrameError::not_utf8(cause, self.lead()),
        }
    }

    fn lead(&self) -> usize {
        self.line.len() - self.value.len()
    }

    /// The copy to read instead, or `error` where that would be no better.
    fn repaired(&self, error: FrameError) -> Result<String, FrameError> {
        match str::from_utf8(self.value) {
            Ok(text) if error.may_be_repaired() => repaired(text).ok_or(error),
            Ok(_) | Err(_) => Err(error),
        }
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

/// How much of a line is looked at first; sixteen times more if that was not all of the object. Were it always the whole
/// line, a line of a million objects would be looked at a million times.
const FIRST_WINDOW: usize = 16 * 1024;

/// `bytes` as far as they are UTF-8. Checked up front, a text need not be checked again where it is wanted.
fn valid_prefix(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap_or_else(|error| {
        str::from_utf8(&bytes[..error.valid_up_to()]).expect("the error says how far the bytes are UTF-8")
    })
}

/// Where in `text` a JSON reader stopped. It counts lines and columns from 1, and a line of ours may hold line feeds
/// between its tokens.
fn place_of(cause: &serde_json::Error, text: &str) -> usize {
    let before: usize = text.split_inclusive('\n').take(cause.line().saturating_sub(1)).map(str::len).sum();
    (before + cause.column().saturating_sub(1)).min(text.len())
}

/// The error of a line that has more than its one object.
fn surplus(line: &[u8], rest: &[u8]) -> FrameError {
    let offset = line.len() - rest.len();
    str::from_utf8(rest).map_or_else(|cause| FrameError::not_utf8(cause, offset), |_| FrameError::trailing(offset))
}

fn found<'o, 'l>(object: &'o mut Option<Line<'l>>) -> Result<&'o mut Line<'l>, FrameError> {
    object.as_mut().ok_or_else(FrameError::not_an_object)
}
