//! The report as a picture: the timeline of each session, for documents and issues. Its styles are its own; it runs
//! nothing and loads nothing.

use std::io::{self, Write};

use crate::chart::Setting;
use crate::drawn::Drawn;
use crate::markup::Markup;
use crate::report_text::facts;

pub(crate) const CHART_STYLE: &str = include_str!("page/chart.css");

const PICTURE_STYLE: &str = include_str!("page/picture.css");

/// In pixels: the picture, and the space around what stands in it.
const WIDTH: usize = 960;
const MARGIN: usize = 16;

/// The lines of words above and below a session's chart.
const LINE: usize = 20;

/// Writes the picture.
pub(crate) fn write(out: &mut impl Write, sessions: &[Drawn<'_>]) -> io::Result<()> {
    let heights = sessions.iter().map(|drawn| drawn.chart.height() + 5 * LINE);
    let height = heights.sum::<usize>().max(LINE) + 2 * MARGIN;
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}"
role="group" aria-labelledby="title">"#
    )?;
    writeln!(out, r#"<title id="title">When the sub-agents ran</title>"#)?;
    writeln!(out, "<style>\n{CHART_STYLE}{PICTURE_STYLE}</style>")?;
    writeln!(out, r#"<rect class="paper" width="100%" height="100%"/>"#)?;
    writeln!(
        out,
        r#"<svg class="chart" x="{MARGIN}" y="{MARGIN}" width="{}" overflow="visible">"#,
        WIDTH - 2 * MARGIN
    )?;
    let mut y = 0;
    for Drawn { session, cards, chart } in sessions {
        writeln!(out, r#"<text class="name" y="{}">{}</text>"#, y + 15, Markup(&session.source))?;
        let about = facts(session, cards);
        writeln!(out, r#"<text class="quiet" y="{}">{}</text>"#, y + LINE + 15, Markup(&about))?;
        writeln!(out, r#"<text class="quiet" y="{}">{}</text>"#, y + 2 * LINE + 15, chart.extent())?;
        chart.write(out, y + 3 * LINE, Setting::Picture)?;
        y += 3 * LINE + chart.height();
        if let Some(note) = chart.note {
            writeln!(out, r#"<text class="quiet" y="{}">{note}</text>"#, y + 15)?;
        }
        y += 2 * LINE;
    }
    if sessions.is_empty() {
        writeln!(out, r#"<text y="15">Nothing readable.</text>"#)?;
    }
    writeln!(out, "</svg>\n</svg>")
}
