//! From bytes, or from a JSON value, to a frame.

use std::str;

use serde::de::DeserializeSeed;
use serde_json::Value;

use crate::body::{frame_of, sidecar_of};
use crate::error::{FrameError, FrameErrorKind};
use crate::frame::{Frame, Sidecar};
use crate::line::Line;
use crate::owned::Keep;
use crate::reading::{One, Reading};
use crate::repair::repaired;

impl<'a> Frame<'a> {
    /// Reads one line: one JSON object. White space, a byte-order mark and NUL bytes around it cost nothing.
    pub fn decode(line: &'a [u8]) -> Result<Self, FrameError> {
        let (frame, rest) = Self::decode_first(line)?;
        if rest.is_empty() { Ok(frame) } else { Err(FrameError::trailing(line.len() - rest.len())) }
    }

    /// Reads the first object of a line, and gives what stands after it: nothing, unless an append missed its newline
    /// and two objects share the line (P5).
    pub fn decode_first(line: &'a [u8]) -> Result<(Self, &'a [u8]), FrameError> {
        let input = Input::new(line)?;
        let mut object = None;
        match input.read(input.text, &mut object) {
            Ok(rest) => Ok((frame_of(found(&mut object)?)?, rest)),
            Err(error) => {
                let copy = input.repaired(error)?;
                let mut object = None;
                let rest = input.read(&copy, &mut object)?;
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
        let (sidecar, rest) = match input.read(input.text, &mut object) {
            Ok(rest) => (sidecar_of(found(&mut object)?), rest),
            Err(error) => {
                let copy = input.repaired(error)?;
                let mut object = None;
                let rest = input.read(&copy, &mut object)?;
                (sidecar_of(found(&mut object)?).into_owned(), rest)
            }
        };
        if rest.is_empty() { Ok(sidecar) } else { Err(FrameError::trailing(file.len() - rest.len())) }
    }

    /// The sidecar without its file.
    pub fn into_owned(self) -> Sidecar<'static> {
        self.keep()
    }
}

/// What may stand around an object: also the padding of a file whose machine went down.
const PADDING: [char; 6] = [' ', '\t', '\r', '\n', '\0', '\u{feff}'];

struct Input<'a> {
    line: &'a [u8],
    /// The line without its padding.
    text: &'a str,
    /// Where in the line the text starts.
    lead: usize,
}

impl<'a> Input<'a> {
    fn new(line: &'a [u8]) -> Result<Self, FrameError> {
        let whole = str::from_utf8(line).map_err(FrameError::not_utf8)?;
        let text = whole.trim_start_matches(PADDING);
        let lead = whole.len() - text.len();
        let text = text.trim_end_matches(PADDING);
        if text.is_empty() { Err(FrameError::empty()) } else { Ok(Self { line, text, lead }) }
    }

    /// Reads the value at the start of `text`, which is the input's own or a copy of the same length, and gives what the
    /// line has after it.
    fn read<'t>(&self, text: &'t str, object: &mut Option<Line<'t>>) -> Result<&'a [u8], FrameError> {
        let not_json = |cause| FrameError::not_json(cause, text, self.lead);
        let mut json = serde_json::Deserializer::from_str(text);
        Reading::<One<Line<'t>>>(object).deserialize(&mut json).map_err(not_json)?;
        // A reader that does not end where its text does says where the rest begins.
        let end = self.lead + self.text.len();
        let rest = json.end().err().and_then(|cause| not_json(cause).offset()).unwrap_or(end);
        Ok(&self.line[rest.min(end)..end])
    }

    /// The copy to read instead, or `error` where that would be no better.
    fn repaired(&self, error: FrameError) -> Result<String, FrameError> {
        match error.kind() {
            FrameErrorKind::NotJson => repaired(self.text).ok_or(error),
            FrameErrorKind::Malformed
            | FrameErrorKind::NotAnObject
            | FrameErrorKind::NotUtf8
            | FrameErrorKind::TooDeep => Err(error),
        }
    }
}

fn found<'o, 'l>(object: &'o mut Option<Line<'l>>) -> Result<&'o mut Line<'l>, FrameError> {
    object.as_mut().ok_or_else(FrameError::not_an_object)
}
