//! The list as one JSON object.

use std::io::{self, Write};

use cardfold_replay::Problems;
use serde::Serialize;

use crate::escape::write_json;
use crate::problems::{ProblemPart, parts};
use crate::sessions::Row;

/// The version of the shape. Fields may be added under it; none is renamed or dropped.
const FORMAT: &str = "cardfold-sessions/1";

/// Writes the object on one line.
pub(crate) fn write(out: &mut impl Write, store: &str, rows: &[Row], problems: &Problems) -> io::Result<()> {
    let document = Document {
        format: FORMAT,
        store,
        sessions: rows.iter().map(RowPart::from).collect(),
        problems: parts(problems),
        more_problems: problems.more(),
    };
    write_json(out, &document)?;
    out.write_all(b"\n")
}

/// What `cardfold sessions --json` prints.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Document<'a> {
    /// `cardfold-sessions/1`.
    #[cfg_attr(test, schemars(extend("const" = "cardfold-sessions/1")))]
    format: &'static str,
    /// The folder that was looked through.
    store: &'a str,
    /// The newest first.
    sessions: Vec<RowPart<'a>>,
    /// What belongs to no session.
    problems: Vec<ProblemPart<'a>>,
    /// Those that `problems` has no room for.
    more_problems: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RowPart<'a> {
    session_id: Option<&'a str>,
    /// The path of the session.
    source: &'a str,
    /// The folder that the session works in, else the name of the folder that its file lies in.
    project: &'a str,
    /// The first time that it states, Unix milliseconds.
    first_ms: Option<i64>,
    /// The last one.
    last_ms: Option<i64>,
    /// Sub-agents that its main thread dispatched.
    dispatches: u64,
    /// Those whose end the store does not state.
    running: u64,
    /// Those that failed, were stopped or interrupted, or ran out.
    failed: u64,
    /// Of the sub-agents; null where the store states no figure.
    total_tokens: Option<u64>,
    /// Of the session's file and its agents' files.
    bytes: u64,
    /// Lines that could not be read.
    skipped: u64,
}

impl<'a> From<&'a Row> for RowPart<'a> {
    fn from(row: &'a Row) -> Self {
        Self {
            session_id: row.session_id.as_deref(),
            source: &row.source,
            project: &row.project,
            first_ms: row.first_ms,
            last_ms: row.last_ms,
            dispatches: row.dispatches,
            running: row.running,
            failed: row.failed,
            total_tokens: row.total_tokens,
            bytes: row.bytes,
            skipped: row.skipped,
        }
    }
}
