//! Tables for people: figures to the right, names to the left, as wide as what stands in them.

use std::io::{self, Write};

use crate::escape::Escaped;
use crate::style::{Palette, Tone};

/// Which way a column is set.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A column's heading and side.
pub(crate) type Column = (String, Side);

/// A column of names.
pub(crate) fn left(heading: impl Into<String>) -> Column {
    (heading.into(), Side::Left)
}

/// A column of figures.
pub(crate) fn right(heading: impl Into<String>) -> Column {
    (heading.into(), Side::Right)
}

/// Writes a line of headings and a line a row, two blanks between columns. Cells may be text of a transcript.
pub(crate) fn write(
    out: &mut impl Write,
    columns: &[Column],
    rows: &[Vec<String>],
    palette: Palette,
) -> io::Result<()> {
    let escaped = |row: &Vec<String>| row.iter().map(|cell| Escaped(cell).to_string()).collect::<Vec<String>>();
    let rows: Vec<Vec<String>> = rows.iter().map(escaped).collect();
    let headings: Vec<String> = columns.iter().map(|(heading, _)| heading.clone()).collect();
    let width = |place: usize| {
        let cells = rows.iter().chain([&headings]).map(|row| row[place].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    writeln!(out, "{}", palette.paint(Tone::Quiet, line(columns, &widths, &headings)))?;
    rows.iter().try_for_each(|row| writeln!(out, "{}", line(columns, &widths, row)))
}

fn line(columns: &[Column], widths: &[usize], cells: &[String]) -> String {
    let cells = columns.iter().zip(widths).zip(cells).map(|((&(_, side), &width), cell)| match side {
        Side::Left => format!("{cell:<width$}"),
        Side::Right => format!("{cell:>width$}"),
    });
    let line: Vec<String> = cells.collect();
    line.join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_cells() {
        let mut out = Vec::new();
        let rows = [["Explore", "7"], ["a\u{1b}", "1,234"]].map(|row| row.map(str::to_owned).to_vec());
        write(&mut out, &[left("TYPE"), right("CALLS")], &rows, Palette::plain()).expect("memory takes it");
        let shown = String::from_utf8(out).expect("it is text");
        assert_eq!(shown, "TYPE     CALLS\nExplore      7\na\\u{1b}  1,234\n");
    }
}
