//! `agent-<id>.meta.json`: what the client states of an agent beside its lines (WIRE.md 5.4).

use std::fs;
use std::io;
use std::path::Path;

use cardfold_wire::Sidecar;

use crate::agent_file::shown;
use crate::bounded::read_bounded;
use crate::problem::Problem;

/// Reads a sidecar. Old clients write none.
pub(crate) fn read(path: &Path, max_bytes: usize) -> Result<Option<Sidecar<'static>>, Problem> {
    if let Err(error) = fs::symlink_metadata(path)
        && error.kind() == io::ErrorKind::NotFound
    {
        return Ok(None);
    }
    let bytes = read_bounded(path, max_bytes)?;
    let decoded = Sidecar::decode(&bytes);
    let malformed =
        |error: cardfold_wire::FrameError| Problem::of_file(shown(path), error.kind().into(), error.to_string());
    decoded.map(|sidecar| Some(sidecar.into_owned())).map_err(malformed)
}
