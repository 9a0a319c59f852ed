//! Why a line is no frame.

use std::error::Error;
use std::{fmt, str};

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
    /// An object of a known type whose body cannot be read, or an object without a type.
    Malformed,
    /// JSON, but no object.
    NotAnObject,
    /// Not JSON: torn, garbled or empty.
    NotJson,
    /// Not UTF-8.
    NotUtf8,
    /// A value that is needed is nested more than 128 levels deep.
    TooDeep,
}

#[derive(Debug)]
enum Kind {
    Malformed { word: String, field: &'static str },
    NotAnObject,
    NotJson(serde_json::Error),
    NotUtf8(str::Utf8Error),
    TooDeep(serde_json::Error),
}

impl FrameError {
    /// The sort of error.
    pub fn kind(&self) -> FrameErrorKind {
        match self.kind {
            Kind::Malformed { .. } => FrameErrorKind::Malformed,
            Kind::NotAnObject => FrameErrorKind::NotAnObject,
            Kind::NotJson(_) => FrameErrorKind::NotJson,
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

    pub(crate) fn malformed(word: &str, field: &'static str) -> Self {
        Self { kind: Kind::Malformed { word: word.to_owned(), field }, offset: None }
    }
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Malformed { word, field } if word.is_empty() => write!(f, "no readable `{field}`")?,
            Kind::Malformed { word, field } => write!(f, "`{word}` without a readable `{field}`")?,
            Kind::NotAnObject => f.write_str("not an object")?,
            Kind::NotJson(_) => f.write_str("not JSON")?,
            Kind::NotUtf8(_) => f.write_str("not UTF-8")?,
            Kind::TooDeep(_) => f.write_str("nested too deeply")?,
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
            Kind::Malformed { .. } | Kind::NotAnObject => None,
            Kind::NotJson(cause) | Kind::TooDeep(cause) => Some(cause),
            Kind::NotUtf8(cause) => Some(cause),
        }
    }
}
