//! The list as a table for people.

use std::io::{self, Write};

use cardfold_replay::Problems;

use crate::calendar::to_the_minute;
use crate::columns::{self, Column, Table};
use crate::escape::Escaped;
use crate::figures::{grouped, rounded, size};
use crate::problems;
use crate::sessions::Row;
use crate::style::{Palette, Tone};

/// What nothing states.
const UNSTATED: &str = "–";

/// Writes a line a session, then what could not be read. On a terminal that has no room for the paths each has a line of
/// its own, whole: it is what the next command wants.
pub(crate) fn write<W: Write>(
    out: &mut W,
    rows: &[Row],
    problems: &Problems,
    palette: Palette,
    room: Option<usize>,
) -> io::Result<()> {
    let mut columns = vec![
        Column::names("TIME (UTC)"),
        Column::figures("AGENTS"),
        Column::figures("RUNNING"),
        Column::figures("FAILED"),
        Column::spare("TOKENS", 1),
        Column::spare("SIZE", 0),
        Column::paths("PROJECT"),
        Column::paths("PATH"),
    ];
    let mut cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
    if room.is_some_and(|room| columns::width(&columns, &cells) > room) {
        columns.pop();
        cells.iter_mut().for_each(|row| row.truncate(columns.len()));
        let path = |out: &mut W, place: usize| {
            let source = palette.paint(Tone::Quiet, Escaped(&rows[place].source));
            writeln!(out, "  {source}")
        };
        Table::new(&columns, &cells, room).write(out, palette, path)?;
    } else {
        Table::new(&columns, &cells, None).write(out, palette, |_, _| Ok(()))?;
    }
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
