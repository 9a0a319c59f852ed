//! The list as a table for people.

use std::io::{self, Write};

use cardfold_replay::Problems;

use crate::calendar::to_the_minute;
use crate::columns::{self, Column, Side};
use crate::figures::{grouped, rounded, size};
use crate::problems;
use crate::sessions::Row;
use crate::style::Palette;

const COLUMNS: [Column; 8] = [
    ("TIME (UTC)", Side::Left),
    ("AGENTS", Side::Right),
    ("RUNNING", Side::Right),
    ("FAILED", Side::Right),
    ("TOKENS", Side::Right),
    ("SIZE", Side::Right),
    ("PROJECT", Side::Left),
    ("PATH", Side::Left),
];

/// What nothing states.
const UNSTATED: &str = "–";

/// Writes a line a session, then what could not be read.
pub(crate) fn write(out: &mut impl Write, rows: &[Row], problems: &Problems, palette: Palette) -> io::Result<()> {
    let cells: Vec<[String; 8]> = rows.iter().map(cells).collect();
    columns::write(out, COLUMNS, &cells, palette)?;
    if !problems.is_empty() {
        writeln!(out)?;
    }
    problems::write(out, problems, palette)
}

fn cells(row: &Row) -> [String; 8] {
    [
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
