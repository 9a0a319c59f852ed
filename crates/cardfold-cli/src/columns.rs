//! Tables for people: figures to the right, names to the left, as wide as what stands in them, and no wider than the
//! terminal.

use std::io::{self, Write};

use crate::escape::Escaped;
use crate::style::{Palette, Tone};

/// A name that is shortened keeps this many characters; below that nobody would know it.
const SHORTEST_NAME: usize = 16;

/// Blanks between two columns.
const GAP: usize = 2;

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    heading: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    /// Set to the right.
    Figures,
    /// Set to the left. The end is cut off where a table is too wide.
    Names,
    /// Set to the left. The beginning is cut off, which paths share.
    Paths,
    /// Figures that can be done without: the lowest rank goes first.
    Spare { rank: u64 },
}

impl Column {
    pub(crate) fn names(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), kind: Kind::Names }
    }

    pub(crate) fn paths(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), kind: Kind::Paths }
    }

    pub(crate) fn figures(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), kind: Kind::Figures }
    }

    pub(crate) fn spare(heading: impl Into<String>, rank: u64) -> Self {
        Self { heading: heading.into(), kind: Kind::Spare { rank } }
    }

    fn least_width(&self, width: usize) -> usize {
        match self.kind {
            Kind::Figures | Kind::Spare { .. } => width,
            Kind::Names | Kind::Paths => width.min(SHORTEST_NAME.max(self.heading.chars().count())),
        }
    }

    /// The cell in so many characters.
    fn set(&self, cell: &str, width: usize) -> String {
        let excess = cell.chars().count().saturating_sub(width);
        match self.kind {
            Kind::Figures | Kind::Spare { .. } => format!("{cell:>width$}"),
            Kind::Names | Kind::Paths if excess == 0 => format!("{cell:<width$}"),
            Kind::Names => cell.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
            Kind::Paths => ['…'].into_iter().chain(cell.chars().skip(excess + 1)).collect(),
        }
    }
}

/// A table as it will be shown.
pub(crate) struct Table<'a> {
    columns: &'a [Column],
    /// Escaped.
    rows: Vec<Vec<String>>,
    /// Which columns have room, and how much.
    shown: Vec<(usize, usize)>,
}

impl<'a> Table<'a> {
    /// Cells may be text of a transcript. `room` is the width of the terminal, where there is one.
    pub(crate) fn new(columns: &'a [Column], rows: &[Vec<String>], room: Option<usize>) -> Self {
        let escaped = |row: &Vec<String>| row.iter().map(|cell| Escaped(cell).to_string()).collect::<Vec<String>>();
        let rows: Vec<Vec<String>> = rows.iter().map(escaped).collect();
        let widths = widths(columns, &rows);
        let shown =
            room.map_or_else(|| widths.iter().copied().enumerate().collect(), |room| fit(columns, &widths, room));
        Self { columns, rows, shown }
    }

    /// The headings of the columns that have no room.
    pub(crate) fn left_out(&self) -> Vec<&str> {
        let is_shown = |place: usize| self.shown.iter().any(|(shown, _)| *shown == place);
        let columns = self.columns.iter().enumerate();
        columns.filter(|(place, _)| !is_shown(*place)).map(|(_, column)| column.heading.as_str()).collect()
    }

    /// Writes a line of headings and a line a row; `below` writes what stands below a row, by its place.
    pub(crate) fn write<W: Write>(
        &self,
        out: &mut W,
        palette: Palette,
        below: impl Fn(&mut W, usize) -> io::Result<()>,
    ) -> io::Result<()> {
        let headings: Vec<String> = self.columns.iter().map(|column| column.heading.clone()).collect();
        writeln!(out, "{}", palette.paint(Tone::Quiet, self.line(&headings)))?;
        for (place, row) in self.rows.iter().enumerate() {
            writeln!(out, "{}", self.line(row))?;
            below(out, place)?;
        }
        Ok(())
    }

    fn line(&self, cells: &[String]) -> String {
        let cells = self.shown.iter().map(|&(place, width)| self.columns[place].set(&cells[place], width));
        let line: Vec<String> = cells.collect();
        line.join(&" ".repeat(GAP)).trim_end().to_owned()
    }
}

/// How wide a table of these rows is by itself.
pub(crate) fn width(columns: &[Column], rows: &[Vec<String>]) -> usize {
    total(Table::new(columns, rows, None).shown.iter().map(|(_, width)| *width))
}

fn widths(columns: &[Column], rows: &[Vec<String>]) -> Vec<usize> {
    let width = |place: usize| {
        let cells = rows.iter().map(|row| &row[place]).chain([&columns[place].heading]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    (0..columns.len()).map(width).collect()
}

/// How wide the columns are without a limit, with the gaps between them.
fn total(widths: impl ExactSizeIterator<Item = usize>) -> usize {
    let gaps = GAP * widths.len().saturating_sub(1);
    widths.sum::<usize>() + gaps
}

/// Which columns have room, and how much: the spare ones go as far as they must, then names are shortened. What is
/// left may still be too wide, and a terminal breaks the lines then.
fn fit(columns: &[Column], widths: &[usize], room: usize) -> Vec<(usize, usize)> {
    let mut shown: Vec<(usize, usize)> = widths.iter().copied().enumerate().collect();
    let least = |shown: &[(usize, usize)]| total(shown.iter().map(|&(place, width)| columns[place].least_width(width)));
    while least(&shown) > room {
        let rank = |place: usize| match columns[place].kind {
            Kind::Spare { rank } => Some(rank),
            Kind::Figures | Kind::Names | Kind::Paths => None,
        };
        let spare = shown.iter().filter_map(|&(place, _)| Some((rank(place)?, place))).min();
        let Some((_, place)) = spare else { break };
        shown.retain(|(shown, _)| *shown != place);
    }
    let mut excess = total(shown.iter().map(|(_, width)| *width)).saturating_sub(room);
    for (place, width) in &mut shown {
        let cut = excess.min(*width - columns[*place].least_width(*width));
        *width -= cut;
        excess -= cut;
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "an agent of a name that is long";

    fn shown(room: Option<usize>) -> (String, usize) {
        let columns =
            [Column::names("TYPE"), Column::figures("CALLS"), Column::spare("LEAST", 1), Column::spare("MORE", 2)];
        let rows = [[NAME, "7", "1", "2"], ["a\u{1b}", "1,234", "3", "4"]].map(|row| row.map(str::to_owned).to_vec());
        let table = Table::new(&columns, &rows, room);
        let mut out = Vec::new();
        table.write(&mut out, Palette::plain(), |_, _| Ok(())).expect("memory takes it");
        let shown = String::from_utf8(out).expect("it is text");
        let width = shown.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        (shown, width)
    }

    #[test]
    fn columns_are_as_wide_as_their_cells() {
        let (text, width) = shown(None);
        assert_eq!(
            text,
            "TYPE                             CALLS  LEAST  MORE\n\
             an agent of a name that is long      7      1     2\n\
             a\\u{1b}                          1,234      3     4\n"
        );
        assert_eq!((shown(Some(width)).0, shown(Some(1_000)).0), (text.clone(), text), "there is room");
    }

    #[test]
    fn a_narrow_terminal_gets_shorter_names_then_fewer_columns() {
        assert_eq!(
            shown(Some(40)).0,
            "TYPE                  CALLS  LEAST  MORE\n\
             an agent of a name …      7      1     2\n\
             a\\u{1b}               1,234      3     4\n"
        );
        assert_eq!(
            shown(Some(30)).0,
            "TYPE               CALLS  MORE\n\
             an agent of a na…      7     2\n\
             a\\u{1b}            1,234     4\n"
        );
        assert_eq!(shown(Some(24)).1, 24, "the last spare one goes, too");
        assert_eq!(shown(Some(1)), shown(Some(23)), "what cannot be spared stays");
        for room in 23..60 {
            assert!(shown(Some(room)).1 <= room, "{room}");
        }
    }

    #[test]
    fn a_path_keeps_its_end() {
        let columns = [Column::paths("PROJECT"), Column::figures("N")];
        let rows = [vec!["/home/somebody/work/cardfold".to_owned(), "1".to_owned()]];
        let table = Table::new(&columns, &rows, Some(20));
        assert_eq!(table.line(&rows[0]), "…dy/work/cardfold  1");
    }
}
