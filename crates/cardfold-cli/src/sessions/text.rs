//! The list as a table for people.

use std::io::{self, Write};

use cardfold_replay::Problems;

use crate::calendar::to_the_minute;
use crate::columns::{self, left, right};
use crate::figures::{grouped, rounded, size};
use crate::problems;
use crate::sessions::Row;
use crate::style::Palette;

/// What nothing states.
const UNSTATED: &str = "–";

/// Writes a line a session, then what could not be read.
pub(crate) fn write(out: &mut impl Write, rows: &[Row], problems: &Problems, palette: Palette) -> io::Result<()> {
    let columns = [
        left("TIME (UTC)"),
        right("AGENTS"),
        right("RUNNING"),
        right("FAILED"),
        right("TOKENS"),
        right("SIZE"),
        left("PROJECT"),
        left("PATH"),
    ];
    let cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
    columns::write(out, &columns, &cells, palette)?;
    if !problems.is_empty() {
        writeln!(out)?;
    }
    problems::write(out, problems, palette)
}

fn cells(row: &Row) -> Vec<String> {
    vec![
        row.last_ms.map_or_else(|| UNSTATED.to_owned(), to_the_minute),
        grouped(row.dispatches),
        grouped(row.running),
        grouped(row.failed),
        row.total_tokens.map_or_else(|| UNSTATED.to_owned(), rounded),
        size(row.bytes),
        row.project.clone(),
        row.source.clone(),
    ]
}
