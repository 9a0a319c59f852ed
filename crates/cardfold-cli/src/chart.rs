//! The timeline of one session as an SVG element: a lane a card, with what it dispatched below it. It takes the width
//! that it is given: lengths of time are percentages, and words keep their size.

use std::io::{self, Write};

use cardfold::{Card, NestedRow, Outcome, State};

use crate::calendar::utc;
use crate::card_html;
use crate::card_text::Standing;
use crate::figures::{counted, lasting};
use crate::lane_words::Words;
use crate::nested_tree;
use crate::rows_seen::SessionRows;
use crate::style::Tone;
use crate::timeline::{Scale, Span};

/// Heights in pixels: the words over the axis, a line of words, and what a bar below it adds for a card and for an
/// agent below one.
const AXIS: usize = 24;
const LINE: usize = 20;
const CARD_BAR: Bar = Bar { space: 20, top: 4, thickness: 10 };
const ROW_BAR: Bar = Bar { space: 12, top: 1, thickness: 6 };

/// Nested rows deeper than this are not moved further to the right.
const DEEPEST_INDENT: usize = 8;

/// What stands below a chart that has rows.
const ROWS_NOTE: &str = "The bar of an agent below another goes from the frame that first shows the agent to the one after which it is over.";
const MANY_ROWS_NOTE: &str = "The bar of an agent below another goes from the frame that first shows the agent to the one after which it is over; where very many are below one they have no bars.";

/// The cards of a session over their common scale.
pub(crate) struct Chart<'a> {
    scale: Option<Scale>,
    timed: Vec<Agent<'a>>,
    untimed: Vec<Agent<'a>>,
    /// What is to be said of the bars of agents below others, if there are any.
    pub(crate) note: Option<&'static str>,
}

/// A card with the agents below it.
struct Agent<'a> {
    /// The place of the card.
    place: usize,
    card: &'a Card,
    span: Option<Span>,
    rows: Vec<Row<'a>>,
}

struct Row<'a> {
    /// 0 where the card's own agent made it.
    level: usize,
    row: &'a NestedRow,
    span: Option<Span>,
}

/// How the words of the lanes are set.
#[derive(Clone, Copy)]
pub(crate) enum Setting {
    /// As HTML in the page's part for the session of this place: what has no room ends in an ellipsis, and the words of a
    /// card lead to it.
    Page(usize),
    /// As text of the picture, which is as wide as they need.
    Picture,
}

/// How much height a bar takes, where it begins in it, and how thick it is.
#[derive(Clone, Copy)]
struct Bar {
    space: usize,
    top: usize,
    thickness: usize,
}

impl<'a> Chart<'a> {
    pub(crate) fn of(cards: &'a [Card], rows: &SessionRows, session_last_ms: Option<i64>) -> Self {
        let agents = cards.iter().enumerate().map(|(place, card)| Agent::of(place, card, rows));
        let (timed, untimed): (Vec<_>, Vec<_>) = agents.partition(|agent| agent.spans().next().is_some());
        let spans: Vec<Span> = timed.iter().flat_map(Agent::spans).collect();
        let has_rows = cards.iter().any(|card| !card.nested.is_empty());
        let note = if rows.is_partial() { MANY_ROWS_NOTE } else { ROWS_NOTE };
        Self { scale: Scale::of(&spans, session_last_ms), timed, untimed, note: has_rows.then_some(note) }
    }

    /// In pixels.
    pub(crate) fn height(&self) -> usize {
        let untimed = if self.untimed.is_empty() { 0 } else { LINE };
        AXIS + untimed + self.timed.iter().chain(&self.untimed).map(Agent::height).sum::<usize>()
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

    /// Writes the element at a height of its surroundings.
    pub(crate) fn write(&self, out: &mut impl Write, y: usize, setting: Setting) -> io::Result<()> {
        let height = self.height();
        writeln!(
            out,
            r#"<svg class="chart" y="{y}" width="100%" height="{height}" overflow="visible"
role="list" aria-label="Timeline">"#
        )?;
        let mut y = 0;
        if let Some(scale) = self.scale {
            y = AXIS;
            write_axis(out, scale, y + self.timed.iter().map(Agent::height).sum::<usize>())?;
        }
        for agent in &self.timed {
            agent.write(out, self.scale, y, setting)?;
            y += agent.height();
        }
        if !self.untimed.is_empty() {
            writeln!(out, r#"<text class="quiet untimed" x="0" y="{}">Without a time</text>"#, y + 15)?;
            y += LINE;
        }
        for agent in &self.untimed {
            agent.write(out, self.scale, y, setting)?;
            y += agent.height();
        }
        writeln!(out, "</svg>")
    }
}

impl<'a> Agent<'a> {
    fn of(place: usize, card: &'a Card, rows: &SessionRows) -> Self {
        let rows = nested_tree::preorder(&card.nested).map(|(level, row)| Row { level, row, span: rows.span(row) });
        Self { place, card, span: Span::of(card), rows: rows.collect() }
    }

    fn spans(&self) -> impl Iterator<Item = Span> {
        self.span.into_iter().chain(self.rows.iter().filter_map(|row| row.span))
    }

    fn height(&self) -> usize {
        lane_height(self.span, CARD_BAR) + self.rows.iter().map(|row| lane_height(row.span, ROW_BAR)).sum::<usize>()
    }

    /// The card's words, its bar, and the same of each agent below it.
    fn write(&self, out: &mut impl Write, scale: Option<Scale>, y: usize, setting: Setting) -> io::Result<()> {
        let standing = Standing { state: self.card.state, outcome: self.card.outcome };
        writeln!(out, r#"<g class="agent" role="listitem" data-height="{}">"#, self.height())?;
        writeln!(out, r#"<g class="lane {}">"#, tone_class(standing))?;
        let words = Words { standing, name: &self.card.name, time: &card_words(self.card, self.span), indent: 0 };
        match setting {
            Setting::Page(session) => words.write_html(out, y, Some(&card_html::id(session, self.place)))?,
            Setting::Picture => words.write_text(out, y)?,
        }
        if let Some((scale, span)) = scale.zip(self.span) {
            write_bar(out, scale, span, standing, &times(span), CARD_BAR, y + LINE)?;
        }
        writeln!(out, "</g>")?;
        if !self.rows.is_empty() {
            writeln!(out, r#"<g role="list" aria-label="Agents below it">"#)?;
            let mut y = y + lane_height(self.span, CARD_BAR);
            for row in &self.rows {
                row.write(out, scale, y, setting)?;
                y += lane_height(row.span, ROW_BAR);
            }
            writeln!(out, "</g>")?;
        }
        writeln!(out, "</g>")
    }
}

impl Row<'_> {
    fn write(&self, out: &mut impl Write, scale: Option<Scale>, y: usize, setting: Setting) -> io::Result<()> {
        let Self { level, row, span } = self;
        let standing = Standing { state: row.state, outcome: row.outcome };
        writeln!(out, r#"<g class="row {}" role="listitem" aria-level="{}">"#, tone_class(standing), level + 2)?;
        let indent = 1 + level.min(&DEEPEST_INDENT);
        let words = Words { standing, name: &row.name, time: &row_words(row, *span), indent };
        match setting {
            Setting::Page(_) => words.write_html(out, y, None)?,
            Setting::Picture => words.write_text(out, y)?,
        }
        if let Some((scale, span)) = scale.zip(*span) {
            write_bar(out, scale, span, standing, &format!("seen {}", times(span)), ROW_BAR, y + LINE)?;
        }
        writeln!(out, "</g>")
    }
}

fn lane_height(span: Option<Span>, bar: Bar) -> usize {
    if span.is_some() { LINE + bar.space } else { LINE }
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

fn card_words(card: &Card, span: Option<Span>) -> String {
    let mut words: Vec<String> = span.map(span_words).into_iter().collect();
    if card.runs > 1 {
        words.push(format!("{}, with the time between them", counted(u64::from(card.runs), "run")));
    }
    words.join(", ")
}

fn row_words(row: &NestedRow, span: Option<Span>) -> String {
    let stated = row.usage.and_then(|usage| usage.duration_ms);
    match (span, stated) {
        (Some(span), _) => span_words(span),
        (None, Some(ms)) => format!("{}, when is not known", lasting(ms)),
        (None, None) => "time not known".to_owned(),
    }
}

/// The length of the bar, which may be more than the time that the source counts as work.
fn span_words(span: Span) -> String {
    match span {
        Span::Going { .. } => "not over".to_owned(),
        Span::OnlyEnd { .. } => "its beginning is not known".to_owned(),
        Span::OnlyStart { .. } => "its end is not known".to_owned(),
        Span::Whole { start, end } => lasting(end.abs_diff(start)),
    }
}

/// A bar for the time that is known, a dashed one where nobody knows how long it went on, and the mark of its state
/// where it ended.
fn write_bar(
    out: &mut impl Write,
    scale: Scale,
    span: Span,
    standing: Standing,
    title: &str,
    bar: Bar,
    y: usize,
) -> io::Result<()> {
    let (from, to, class, mark_at) = match span {
        Span::Going { start } => (start, scale.last_ms, "bar", scale.last_ms),
        Span::OnlyEnd { end } => (end, end, "bar", end),
        Span::OnlyStart { start } => (start, scale.last_ms, "unknown", start),
        Span::Whole { start, end } => (start, end, "bar", end),
    };
    let (x, end, mark_at) = (scale.percent(from), scale.percent(to), scale.percent(mark_at));
    let (y, width, height) = (y + bar.top, end - x, bar.thickness);
    writeln!(out, r#"<rect class="{class}" x="{x}%" y="{y}" width="{width:.3}%" height="{height}">"#)?;
    writeln!(out, "<title>{title}</title></rect>")?;
    let (is_filled, path) = mark(standing);
    let filled = if is_filled { " filled" } else { "" };
    writeln!(
        out,
        r#"<svg x="{mark_at}%" y="{}" width="1" height="1" overflow="visible">
<path class="mark{filled}" d="{path}"/></svg>"#,
        y + height / 2
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
