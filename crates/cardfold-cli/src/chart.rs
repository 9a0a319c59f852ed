//! The timeline of one session as an SVG element: a lane a card, with what it dispatched below it. It takes the width
//! that it is given: lengths of time are percentages, and words keep their size.

use std::io::{self, Write};

use cardfold::{Card, NestedRow, Outcome, State};

use crate::calendar::utc;
use crate::card_text::Standing;
use crate::figures::{counted, lasting};
use crate::markup::Markup;
use crate::nested_tree;
use crate::style::Tone;
use crate::timeline::{Scale, Span};

/// Heights in pixels: the words over the axis, a lane with a bar, a line of words alone.
const AXIS: usize = 24;
const LANE: usize = 40;
const LINE: usize = 20;

/// Nested rows deeper than this are not moved further to the right.
const DEEPEST_INDENT: usize = 8;

/// What stands below a chart that has rows.
pub(crate) const ROWS_NOTE: &str =
    "Agents below others have no bar: a card does not say when they ran, only for how long where that is known.";

/// The cards of a session over their common scale.
pub(crate) struct Chart<'a> {
    scale: Option<Scale>,
    timed: Vec<(usize, &'a Card, Span)>,
    untimed: Vec<(usize, &'a Card)>,
}

impl<'a> Chart<'a> {
    pub(crate) fn of(cards: &'a [Card], session_last_ms: Option<i64>) -> Self {
        let mut chart = Self { scale: Scale::of(cards, session_last_ms), timed: Vec::new(), untimed: Vec::new() };
        for (place, card) in cards.iter().enumerate() {
            match Span::of(card) {
                Some(span) => chart.timed.push((place, card, span)),
                None => chart.untimed.push((place, card)),
            }
        }
        chart
    }

    /// In pixels.
    pub(crate) fn height(&self) -> usize {
        let rows = self.timed.iter().map(|(_, card, _)| card).chain(self.untimed.iter().map(|(_, card)| card));
        let rows: usize = rows.map(|card| card.nested.len()).sum();
        let untimed = if self.untimed.is_empty() { 0 } else { LINE * (1 + self.untimed.len()) };
        AXIS + LANE * self.timed.len() + LINE * rows + untimed
    }

    /// Where the scale begins and ends, in words.
    pub(crate) fn extent(&self) -> String {
        self.scale.map_or_else(
            || "No card has a time.".to_owned(),
            |Scale { first_ms, last_ms }| {
                let length = lasting(last_ms.abs_diff(first_ms));
                format!("From {} to {}, {length}; the axis counts from the beginning.", utc(first_ms), utc(last_ms))
            },
        )
    }

    /// Writes the element at a height of its surroundings. `link` gives the target of a card's lane, by the place of
    /// the card, where a page has one; it is of the program's own making.
    pub(crate) fn write(
        &self,
        out: &mut impl Write,
        y: usize,
        link: impl Fn(usize) -> Option<String>,
    ) -> io::Result<()> {
        let height = self.height();
        writeln!(
            out,
            r#"<svg class="chart" y="{y}" width="100%" height="{height}" overflow="visible"
role="list" aria-label="Timeline">"#
        )?;
        let mut y = 0;
        if let Some(scale) = self.scale {
            let timed_rows: usize = self.timed.iter().map(|(_, card, _)| card.nested.len()).sum();
            write_axis(out, scale, AXIS + LANE * self.timed.len() + LINE * timed_rows)?;
            y = AXIS;
            for (place, card, span) in &self.timed {
                let lane = Lane { card, words: lane_words(card, Some(*span)), link: link(*place), y };
                lane.write(out, |out| write_bar(out, scale, *span, card, y + LINE + 4))?;
                y = write_rows(out, &card.nested, y + LANE)?;
            }
        }
        if !self.untimed.is_empty() {
            writeln!(out, r#"<text class="quiet" x="0" y="{}">Without a time</text>"#, y + 15)?;
            y += LINE;
        }
        for (place, card) in &self.untimed {
            let lane = Lane { card, words: lane_words(card, None), link: link(*place), y };
            lane.write(out, |_| Ok(()))?;
            y = write_rows(out, &card.nested, y + LINE)?;
        }
        writeln!(out, "</svg>")
    }
}

/// Each division is a line down to the last lane, and its word above.
fn write_axis(out: &mut impl Write, scale: Scale, bottom: usize) -> io::Result<()> {
    writeln!(out, r#"<g class="axis" aria-hidden="true">"#)?;
    for (at, words) in scale.divisions() {
        let anchor = if at <= 0.0 {
            "start"
        } else if at > 90.0 {
            "end"
        } else {
            "middle"
        };
        writeln!(out, r#"<line x1="{at}%" x2="{at}%" y1="18" y2="{bottom}"/>"#)?;
        writeln!(out, r#"<text x="{at}%" y="13" text-anchor="{anchor}">{words}</text>"#)?;
    }
    writeln!(out, "</g>")
}

/// A card's words, which may lead to the card, and what is drawn below them.
struct Lane<'a> {
    card: &'a Card,
    words: String,
    link: Option<String>,
    y: usize,
}

impl Lane<'_> {
    fn write<W: Write>(&self, out: &mut W, draw: impl Fn(&mut W) -> io::Result<()>) -> io::Result<()> {
        let standing = Standing { state: self.card.state, outcome: self.card.outcome };
        writeln!(out, r#"<g class="lane {}" role="listitem">"#, tone_class(standing))?;
        if let Some(link) = &self.link {
            writeln!(out, r#"<a href="{link}">"#)?;
        }
        write_words(out, standing, &self.card.name, &self.words, (0, self.y))?;
        if self.link.is_some() {
            writeln!(out, "</a>")?;
        }
        draw(out)?;
        writeln!(out, "</g>")
    }
}

/// Writes where it stands, its name, and what is known of its time. Older readers of SVG drop an end of a line, so that
/// a blank stands beside it.
fn write_words(
    out: &mut impl Write,
    standing: Standing,
    name: &str,
    words: &str,
    (x, y): (usize, usize),
) -> io::Result<()> {
    let (sign, _) = standing.sign();
    writeln!(
        out,
        r#"<text x="{x}" y="{}"><tspan class="sign">{sign} {}</tspan> <tspan class="name">{}</tspan>
 <tspan class="quiet">{words}</tspan></text>"#,
        y + 15,
        standing.word(),
        Markup(name),
    )
}

/// Writes a line of words for each nested agent; gives the height below them.
fn write_rows(out: &mut impl Write, rows: &[NestedRow], mut y: usize) -> io::Result<usize> {
    for (level, row) in nested_tree::preorder(rows) {
        let standing = Standing { state: row.state, outcome: row.outcome };
        let known = row.usage.and_then(|usage| usage.duration_ms);
        let words =
            known.map_or_else(|| "time not known".to_owned(), |ms| format!("{}, when is not known", lasting(ms)));
        writeln!(out, r#"<g class="row {}" role="listitem">"#, tone_class(standing))?;
        write_words(out, standing, &row.name, &words, (20 + 20 * level.min(DEEPEST_INDENT), y))?;
        writeln!(out, "</g>")?;
        y += LINE;
    }
    Ok(y)
}

fn lane_words(card: &Card, span: Option<Span>) -> String {
    let mut words = Vec::new();
    match span {
        // The length of the bar, which may be more than the time that the source counts as work.
        Some(Span::Whole { start, end }) => words.push(lasting(end.abs_diff(start))),
        Some(Span::Going { .. }) => words.push("not over".to_owned()),
        Some(Span::OnlyEnd { .. }) => words.push("its beginning is not known".to_owned()),
        Some(Span::OnlyStart { .. }) => words.push("its end is not known".to_owned()),
        None => {}
    }
    if card.runs > 1 {
        words.push(format!("{}, with the time between them", counted(u64::from(card.runs), "run")));
    }
    words.join(", ")
}

/// A bar for the time that is known, a dashed one where nobody knows how long it went on, and the mark of its state
/// where it ended.
fn write_bar(out: &mut impl Write, scale: Scale, span: Span, card: &Card, y: usize) -> io::Result<()> {
    let (from, to, class, mark_at) = match span {
        Span::Going { start } => (start, scale.last_ms, "bar", scale.last_ms),
        Span::OnlyEnd { end } => (end, end, "bar", end),
        Span::OnlyStart { start } => (start, scale.last_ms, "unknown", start),
        Span::Whole { start, end } => (start, end, "bar", end),
    };
    let (x, end, mark_at) = (scale.percent(from), scale.percent(to), scale.percent(mark_at));
    let width = end - x;
    writeln!(out, r#"<rect class="{class}" x="{x}%" y="{y}" width="{width:.3}%" height="10">"#)?;
    writeln!(out, "<title>{}</title></rect>", times(span))?;
    let (is_filled, path) = mark(Standing { state: card.state, outcome: card.outcome });
    let filled = if is_filled { " filled" } else { "" };
    writeln!(
        out,
        r#"<svg x="{mark_at}%" y="{}" width="1" height="1" overflow="visible">
<path class="mark{filled}" d="{path}"/></svg>"#,
        y + 5
    )
}

/// When, in words.
pub(crate) fn times(span: Span) -> String {
    match span {
        Span::Going { start } => format!("from {}, not over", utc(start)),
        Span::OnlyEnd { end } => format!("until {}, from when is not known", utc(end)),
        Span::OnlyStart { start } => format!("from {}, until when is not known", utc(start)),
        Span::Whole { start, end } => format!("from {} to {}", utc(start), utc(end)),
    }
}

/// The class of a colour in the styles.
pub(crate) fn tone_class(standing: Standing) -> &'static str {
    class(standing.sign().1)
}

pub(crate) fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Bad => "bad",
        Tone::Good => "good",
        Tone::Live => "live",
        Tone::Name | Tone::Quiet => "plain",
        Tone::Unsure => "unsure",
    }
}

/// The shape that says how it stands to who sees no colour: whether it is filled, and its outline around 0, 0.
fn mark(standing: Standing) -> (bool, &'static str) {
    const ARROW: &str = "M-3 -6L6 0L-3 6Z";
    const CROSS: &str = "M-5 -5L5 5M-5 5L5 -5";
    const DIAMOND: &str = "M0 -7L7 0L0 7L-7 0Z";
    const DISC: &str = "M-5 0A5 5 0 1 1 5 0A5 5 0 1 1 -5 0Z";
    const SQUARE: &str = "M-5 -5H5V5H-5Z";
    const TWO_STROKES: &str = "M-3 -6V6M3 -6V6";
    match standing.state {
        State::Queued => (false, ARROW),
        State::Running => (true, ARROW),
        State::Waiting => (false, TWO_STROKES),
        State::Settled => match standing.outcome {
            Some(Outcome::Abandoned) => (false, DIAMOND),
            Some(Outcome::BudgetExhausted | Outcome::Failed | Outcome::Interrupted | Outcome::TimedOut) => {
                (false, CROSS)
            }
            Some(Outcome::Completed) => (true, DISC),
            Some(Outcome::Ended) | None => (false, DISC),
            Some(Outcome::Stopped) => (true, SQUARE),
        },
    }
}
