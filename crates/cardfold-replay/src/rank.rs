//! The place of a source among those of its session, where their times are equal (P2).

use std::cmp::Ordering;
use std::path::PathBuf;
use std::sync::Arc;

/// The main file, then files by path.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Rank(Option<Arc<PathBytes>>);

/// A path, ordered byte by byte and not by its components.
#[derive(Clone, Debug, Eq, PartialEq)]
struct PathBytes(PathBuf);

impl Rank {
    /// That of the session file or the stream.
    pub(crate) fn main() -> Self {
        Self(None)
    }

    /// That of another file.
    pub(crate) fn of_path(path: PathBuf) -> Self {
        Self(Some(Arc::new(PathBytes(path))))
    }
}

impl Ord for PathBytes {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.as_os_str().as_encoded_bytes().cmp(other.0.as_os_str().as_encoded_bytes())
    }
}

impl PartialOrd for PathBytes {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
