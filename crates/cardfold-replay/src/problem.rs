//! What could not be read, and where. Reading goes on after each of them.

use std::ops::Deref;
use std::{fmt, slice};

use cardfold_wire::FrameErrorKind;

/// How many problems of one session are kept in full; the rest is counted.
const KEPT: usize = 1_000;

/// Something of a stored conversation that could not be read (P5). It never ends the reading of anything else.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Problem {
    /// The file, under the path that was given; `-` for standard input.
    pub file: String,
    /// The line, from 1; none where the problem is about the file.
    pub line: Option<u64>,
    /// What sort of problem it is.
    pub kind: ProblemKind,
    /// One sentence for people, without the place.
    pub detail: String,
}

impl Problem {
    pub(crate) fn of_file(file: impl Into<String>, kind: ProblemKind, detail: impl Into<String>) -> Self {
        Self { file: file.into(), line: None, kind, detail: detail.into() }
    }

    pub(crate) fn of_line(file: impl Into<String>, line: u64, kind: ProblemKind, detail: impl Into<String>) -> Self {
        Self { file: file.into(), line: Some(line), kind, detail: detail.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.detail),
            None => write!(f, "{}: {}", self.file, self.detail),
        }
    }
}

/// What sort of problem a [`Problem`] is; the words are those of the report (RULES.md section 5).
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum ProblemKind {
    /// The file became another one while it was read: it is gone, or shorter or longer than when it was found.
    Changed,
    /// A known type whose body cannot be read, or an object without a type.
    Malformed,
    /// The file holds no frame at all.
    NoFrame,
    /// JSON, but no object.
    NotAnObject,
    /// A link that is not followed (P1).
    NotFollowed,
    /// Not JSON: torn, garbled, or no text at all.
    NotJson,
    /// Not UTF-8.
    NotUtf8,
    /// Nested more than 128 levels deep in a value that is needed.
    TooDeep,
    /// Over the cap of bytes a line may have.
    TooLong,
    /// The file or directory could not be opened, or not be read to its end.
    Unreadable,
}

impl ProblemKind {
    /// The word of the report.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Malformed => "malformed",
            Self::NoFrame => "no_frame",
            Self::NotAnObject => "not_an_object",
            Self::NotFollowed => "not_followed",
            Self::NotJson => "not_json",
            Self::NotUtf8 => "not_utf8",
            Self::TooDeep => "too_deep",
            Self::TooLong => "too_long",
            Self::Unreadable => "unreadable",
        }
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<FrameErrorKind> for ProblemKind {
    fn from(kind: FrameErrorKind) -> Self {
        match kind {
            FrameErrorKind::Malformed => Self::Malformed,
            FrameErrorKind::NotAnObject => Self::NotAnObject,
            FrameErrorKind::NotJson => Self::NotJson,
            FrameErrorKind::NotUtf8 => Self::NotUtf8,
            FrameErrorKind::TooDeep => Self::TooDeep,
        }
    }
}

/// The problems of one session, or those that belong to none: the first 1,000 in full, the others counted, so that a
/// file of garbage costs no memory. Reads as a slice of those that are kept.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Problems {
    kept: Vec<Problem>,
    more: u64,
}

impl Problems {
    /// How many there were beyond those that are kept.
    #[must_use]
    pub fn more(&self) -> u64 {
        self.more
    }

    pub(crate) fn push(&mut self, problem: Problem) {
        if self.kept.len() < KEPT {
            self.kept.push(problem);
        } else {
            self.more = self.more.saturating_add(1);
        }
    }

    pub(crate) fn append(&mut self, other: Self) {
        self.more = self.more.saturating_add(other.more);
        for problem in other.kept {
            self.push(problem);
        }
    }
}

impl Deref for Problems {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.kept
    }
}

impl<'p> IntoIterator for &'p Problems {
    type Item = &'p Problem;
    type IntoIter = slice::Iter<'p, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.kept.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_thousand_are_kept_and_the_rest_is_counted() {
        let mut problems = Problems::default();
        for line in 1..=1_003 {
            problems.push(Problem::of_line("a", line, ProblemKind::NotJson, "not JSON"));
        }
        assert_eq!((problems.len(), problems.more()), (1_000, 3));
        assert_eq!(problems[999].to_string(), "a:1000: not JSON");
    }
}
