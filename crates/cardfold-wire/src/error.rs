//! Why a line is no frame.

use std::error::Error;
use std::{fmt, str};

use crate::json_error::{JsonError, What};

/// Why a line could not be read as a frame. It says where in the line, never which line.
#[derive(Debug)]
pub struct FrameError {
    kind: Kind,
    /// Bytes before the place, from the start of the line.
    offset: Option<usize>,
}

/// What sort of error a [`FrameError`] is.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum FrameErrorKind {
    /// An object without a type, or one of a known type whose body cannot be read.
    Malformed,
    /// JSON, but no object.
    NotAnObject,
    /// Not JSON: torn, garbled, empty, or more than one value.
    NotJson,
    /// Not UTF-8.
    NotUtf8,
    /// A value that is needed nests more than 128 levels deep.
    TooDeep,
}

#[derive(Debug)]
enum Kind {
    Empty,
    Malformed { word: String, field: &'static str },
    NotAnObject,
    NotJson(JsonError),
    NotUtf8(str::Utf8Error),
    TooDeep(JsonError),
    Trailing,
}

impl FrameError {
    /// The sort of error.
    pub fn kind(&self) -> FrameErrorKind {
        match self.kind {
            Kind::Malformed { .. } => FrameErrorKind::Malformed,
            Kind::NotAnObject => FrameErrorKind::NotAnObject,
            Kind::Empty | Kind::NotJson(_) | Kind::Trailing => FrameErrorKind::NotJson,
            Kind::NotUtf8(_) => FrameErrorKind::NotUtf8,
            Kind::TooDeep(_) => FrameErrorKind::TooDeep,
        }
    }

    /// Bytes of the line before the place that could not be read, where there is one such place.
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// The column of that place, in bytes from 1.
    pub fn column(&self) -> Option<usize> {
        self.offset.map(|offset| offset.saturating_add(1))
    }

    pub(crate) fn empty() -> Self {
        Self { kind: Kind::Empty, offset: None }
    }

    pub(crate) fn malformed(word: &str, field: &'static str) -> Self {
        Self { kind: Kind::Malformed { word: word.to_owned(), field }, offset: None }
    }

    pub(crate) fn not_an_object() -> Self {
        Self { kind: Kind::NotAnObject, offset: None }
    }

    pub(crate) fn not_utf8(cause: str::Utf8Error, lead: usize) -> Self {
        Self { offset: Some(lead + cause.valid_up_to()), kind: Kind::NotUtf8(cause) }
    }

    pub(crate) fn trailing(offset: usize) -> Self {
        Self { kind: Kind::Trailing, offset: Some(offset) }
    }

    /// The error of a reader that began `lead` bytes into the line.
    pub(crate) fn not_json(cause: JsonError, lead: usize) -> Self {
        Self { offset: Some(lead + cause.at), ..Self::by_cause(cause) }
    }

    /// The error of a reader of something that has no bytes.
    pub(crate) fn by_cause(cause: JsonError) -> Self {
        let kind = if cause.what == What::TooDeep { Kind::TooDeep(cause) } else { Kind::NotJson(cause) };
        Self { kind, offset: None }
    }
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Empty => f.write_str("nothing to read")?,
            Kind::Malformed { word, field } if word.is_empty() => write!(f, "no readable `{field}`")?,
            Kind::Malformed { word, field } => write!(f, "`{word}` without a readable `{field}`")?,
            Kind::NotAnObject => f.write_str("not an object")?,
            Kind::NotJson(_) => f.write_str("not JSON")?,
            Kind::NotUtf8(_) => f.write_str("not UTF-8")?,
            Kind::TooDeep(_) => f.write_str("nested too deeply")?,
            Kind::Trailing => f.write_str("more than one value")?,
        }
        match self.column() {
            Some(column) => write!(f, " at column {column}"),
            None => Ok(()),
        }
    }
}

impl Error for FrameError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            Kind::Empty | Kind::Malformed { .. } | Kind::NotAnObject | Kind::Trailing => None,
            Kind::NotJson(cause) | Kind::TooDeep(cause) => Some(cause),
            Kind::NotUtf8(cause) => Some(cause),
        }
    }
}
