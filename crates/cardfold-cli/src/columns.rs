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
pub(crate) type Column = (&'static str, Side);

/// Writes a line of headings and a line a row, two blanks between columns. Cells may be text of a transcript.
pub(crate) fn write<const N: usize>(
    out: &mut impl Write,
    columns: [Column; N],
    rows: &[[String; N]],
    palette: Palette,
) -> io::Result<()> {
    let rows: Vec<[String; N]> = rows.iter().map(|row| row.each_ref().map(|cell| Escaped(cell).to_string())).collect();
    let headings = columns.map(|(heading, _)| heading.to_owned());
    let width = |place: usize| {
        let cells = rows.iter().chain([&headings]).map(|row| row[place].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    writeln!(out, "{}", palette.paint(Tone::Quiet, line(columns, &widths, &headings)))?;
    rows.iter().try_for_each(|row| writeln!(out, "{}", line(columns, &widths, row)))
}

fn line<const N: usize>(columns: [Column; N], widths: &[usize; N], cells: &[String; N]) -> String {
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
        let rows = [["Explore", "7"], ["a\u{1b}", "1,234"]].map(|row| row.map(str::to_owned));
        let columns = [("TYPE", Side::Left), ("CALLS", Side::Right)];
        write(&mut out, columns, &rows, Palette::plain()).expect("memory takes it");
        let shown = String::from_utf8(out).expect("it is text");
        assert_eq!(shown, "TYPE     CALLS\nExplore      7\na\\u{1b}  1,234\n");
    }
}
