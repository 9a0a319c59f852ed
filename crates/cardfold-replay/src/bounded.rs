//! Small files, read whole.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::agent_file::{not_followed, shown};
use crate::problem::{Problem, ProblemKind};

/// The bytes of a regular file that is no link and has `max_bytes` at most.
pub(crate) fn read_bounded(path: &Path, max_bytes: usize) -> Result<Vec<u8>, Problem> {
    let unreadable = |error: io::Error| Problem::of_file(shown(path), ProblemKind::Unreadable, error.to_string());
    let metadata = fs::symlink_metadata(path).map_err(unreadable)?;
    if metadata.is_symlink() {
        return Err(not_followed(path));
    }
    if !metadata.is_file() {
        return Err(unreadable(io::Error::other("not a regular file")));
    }
    let most = u64::try_from(max_bytes).expect("a count of bytes in memory fits 64 bits").saturating_add(1);
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() > max_bytes {
        return Err(Problem::of_file(shown(path), ProblemKind::TooLong, "over the cap of a line"));
    }
    Ok(bytes)
}
