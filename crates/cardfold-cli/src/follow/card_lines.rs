//! A card in the list: its lines, folded or not. Knows no list.

use cardfold::{Card, NestedRow, State, TailCall};
use ratatui::text::{Line, Span};

use crate::card_text::{Standing, call_sign, duration, what_it_is};
use crate::figures::{counted, lasting, lasting_so_far, tokens};
use crate::follow::model::Entry;
use crate::follow::text::{Styles, both_sides, fit, safe, width};
use crate::nested_tree::preorder;
use crate::style::Tone;

/// Narrower than this a line has no room for more than a time.
const NARROW: usize = 60;

/// From here on there is room for everything.
const WIDE: usize = 100;

/// Rows of agents below a card that are listed; of more, those that live come first.
const ROWS: usize = 8;

/// Rows deeper than this are not moved further to the right.
const DEEPEST_INDENT: usize = 6;

/// The most calls of a card that are listed: as many as it keeps.
pub(crate) const CALLS: usize = 4;

/// How many lines a card takes with so many of its last calls.
pub(crate) fn height(card: &Card, calls: usize) -> usize {
    parts(card, calls).len()
}

/// How a card is shown.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub(crate) is_chosen: bool,
    /// How many of its last calls are listed.
    pub(crate) calls: usize,
    pub(crate) columns: usize,
    pub(crate) styles: Styles,
}

/// The lines of a card.
pub(crate) fn lines(entry: &Entry, now_ms: i64, look: Look) -> Vec<Line<'static>> {
    let Look { is_chosen, calls, columns, styles } = look;
    let labelled = |tone, label: &str, text: &str| {
        let room = columns.saturating_sub(5 + width(label));
        Line::from(vec![Span::raw("    "), styles.span(tone, label), Span::raw(" "), Span::raw(fit(&safe(text), room))])
    };
    let line = |part| match part {
        Part::Activity(text) => labelled(Tone::Live, "now:", text),
        Part::Call(call) => {
            let (sign, tone) = call_sign(call.status);
            labelled(tone, sign, &call.title)
        }
        Part::Head => head(entry, is_chosen, now_ms, columns, styles),
        Part::More(rows) => more(&rows, columns, styles),
        Part::Question(text) => labelled(Tone::Unsure, "needs an answer:", text),
        Part::Row(level, row) => nested_row(level, row, columns, styles),
    };
    parts(&entry.card, calls).into_iter().map(line).collect()
}

/// What stands on the lines of a card.
enum Part<'c> {
    Activity(&'c str),
    Call(&'c TailCall),
    Head,
    /// Rows that are not listed.
    More(Vec<&'c NestedRow>),
    Question(&'c str),
    Row(usize, &'c NestedRow),
}

/// The parts of a card: one that is over, or has not begun, is folded to a line.
fn parts(card: &Card, calls: usize) -> Vec<Part<'_>> {
    let mut parts = vec![Part::Head];
    match card.state {
        State::Queued | State::Settled => return parts,
        State::Running | State::Waiting => {}
    }
    parts.extend(card.needs_input.as_deref().map(Part::Question));
    parts.extend(card.activity.as_deref().map(Part::Activity));
    parts.extend(card.tail.iter().skip(card.tail.len().saturating_sub(calls)).map(Part::Call));
    let rows: Vec<(usize, &NestedRow)> = preorder(&card.nested).collect();
    if rows.len() <= ROWS {
        parts.extend(rows.into_iter().map(|(level, row)| Part::Row(level, row)));
        return parts;
    }
    let mut room = ROWS - 1;
    let mut more = Vec::new();
    for (level, row) in rows {
        if row.state != State::Settled && room > 0 {
            room -= 1;
            parts.push(Part::Row(level, row));
        } else {
            more.push(row);
        }
    }
    parts.push(Part::More(more));
    parts
}

/// The line that says how a card stands.
fn head(entry: &Entry, is_chosen: bool, now_ms: i64, columns: usize, styles: Styles) -> Line<'static> {
    let card = &entry.card;
    let time = entry.elapsed_ms(now_ms).map(lasting_so_far).or_else(|| duration(card).map(lasting));
    let stated = card.usage.and_then(|usage| usage.tool_uses).unwrap_or(0);
    let calls = Some(counted(if card.calls == 0 { stated } else { card.calls }, "call"));
    let spent = card.usage.and_then(|usage| usage.total_tokens).map(tokens);
    let standing = Standing { state: card.state, outcome: card.outcome };
    let error = card.error.as_ref().and_then(|error| error.text.lines().next()).unwrap_or_default();
    let (remark, tone) = if error.is_empty() { (what_it_is(card), Tone::Quiet) } else { (error.to_owned(), Tone::Bad) };
    titled(
        Titled {
            indent: if is_chosen { "› ".to_owned() } else { "  ".to_owned() },
            standing,
            name: &card.name,
            remark: &remark,
            tone,
            figures: figures(calls, spent, time, columns),
        },
        columns,
        styles,
    )
}

fn nested_row(level: usize, row: &NestedRow, columns: usize, styles: Styles) -> Line<'static> {
    let usage = row.usage;
    let stated = usage.and_then(|usage| usage.tool_uses);
    // Of many rows nobody says how many calls they made.
    let calls = Some(row.calls).filter(|calls| *calls > 0).or(stated).map(|calls| counted(calls, "call"));
    let spent = usage.and_then(|usage| usage.total_tokens).map(tokens);
    let time = usage.and_then(|usage| usage.duration_ms).map(lasting);
    titled(
        Titled {
            indent: format!("{:1$}└ ", "", 4 + 2 * level.min(DEEPEST_INDENT)),
            standing: Standing { state: row.state, outcome: row.outcome },
            name: &row.name,
            remark: row.agent_type.as_deref().unwrap_or_default(),
            tone: Tone::Quiet,
            figures: figures(calls, spent, time, columns),
        },
        columns,
        styles,
    )
}

fn more(rows: &[&NestedRow], columns: usize, styles: Styles) -> Line<'static> {
    let failed = rows.iter().filter(|row| row.failed).count();
    let done = rows.iter().filter(|row| row.state == State::Settled && !row.failed).count();
    let all = [(rows.len() - failed - done, "running"), (done, "done"), (failed, "failed")];
    let counts: Vec<String> =
        all.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    let text = format!("    └ {} more: {}", rows.len(), counts.join(", "));
    Line::from(styles.span(Tone::Quiet, fit(&text, columns)))
}

/// The figures that there is room for, the time last so that times stand below each other.
fn figures(calls: Option<String>, spent: Option<String>, time: Option<String>, columns: usize) -> String {
    let (calls, spent) = match columns {
        0..NARROW => (None, None),
        NARROW..WIDE => (None, spent),
        WIDE.. => (calls, spent),
    };
    let all: Vec<String> = [calls, spent, time].into_iter().flatten().collect();
    all.join(" · ")
}

/// A line with a standing, a name, and figures at its end.
struct Titled<'t> {
    indent: String,
    standing: Standing,
    name: &'t str,
    /// What else there is to say, where there is room.
    remark: &'t str,
    tone: Tone,
    figures: String,
}

fn titled(titled: Titled<'_>, columns: usize, styles: Styles) -> Line<'static> {
    let (sign, tone) = titled.standing.sign();
    // A sign that is not known to everybody has its word beside it.
    let word = titled.standing.word();
    let mark =
        if matches!(word.as_str(), "running" | "completed") { format!("{sign} ") } else { format!("{sign} {word}  ") };
    let used = width(&titled.indent) + width(&mark);
    let beside = width(&titled.figures) + 2;
    let room = columns.saturating_sub(used).saturating_sub(beside);
    let name = fit(&safe(titled.name), room);
    let left_over = room.saturating_sub(width(&name) + 2);
    let mut left =
        vec![Span::raw(titled.indent), styles.span(tone, mark), Span::styled(name, styles.of_tone(Tone::Name))];
    // A few letters of a remark tell nothing.
    if !titled.remark.is_empty() && left_over >= width(&safe(titled.remark)).min(12) {
        left.push(Span::raw("  "));
        left.push(Span::styled(fit(&safe(titled.remark), left_over), styles.of_tone(titled.tone)));
    }
    both_sides(left, vec![styles.span(Tone::Quiet, titled.figures)], columns)
}
