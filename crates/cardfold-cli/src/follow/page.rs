//! An open card: all that is known of it, on lines of a screen.

use cardfold::{Card, Excerpt};
use ratatui::text::{Line, Span};

use crate::calendar::utc;
use crate::card_text::{Standing, call_sign, duration, row_figures};
use crate::figures::{grouped, lasting, lasting_so_far};
use crate::follow::model::Entry;
use crate::follow::text::{Styles, fit, safe, width, wrap};
use crate::nested_tree::preorder;
use crate::style::Tone;

/// Columns of the names of fields.
const NAMES: usize = 15;

/// Rows deeper than this are not moved further to the right.
const DEEPEST_INDENT: usize = 8;

/// The lines of an open card.
pub(crate) fn lines(entry: &Entry, now_ms: i64, columns: usize, styles: Styles) -> Vec<Line<'static>> {
    let card = &entry.card;
    let standing = Standing { state: card.state, outcome: card.outcome };
    let (sign, tone) = standing.sign();
    let mark = format!("{sign} {}  ", standing.word());
    let name = fit(&safe(&card.name), columns.saturating_sub(width(&mark)));
    let mut lines = vec![Line::from(vec![styles.span(tone, mark), styles.span(Tone::Name, name)]), Line::default()];
    for (name, value) in fields(entry, now_ms) {
        let mut label = styles.span(Tone::Quiet, format_args!("{name:<NAMES$}"));
        for part in wrap(&value, columns.saturating_sub(NAMES)) {
            lines.push(Line::from(vec![label, Span::raw(part)]));
            label = Span::raw(" ".repeat(NAMES));
        }
    }
    calls(card, columns, styles, &mut lines);
    agents(card, columns, styles, &mut lines);
    text("error", card.error.as_ref(), Tone::Bad, columns, styles, &mut lines);
    text("report", card.report.as_ref(), Tone::Good, columns, styles, &mut lines);
    lines
}

/// The fields that have a value, with their names in JSON.
fn fields(entry: &Entry, now_ms: i64) -> Vec<(String, String)> {
    let card = &entry.card;
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        fields.extend(value.map(|value| (name.to_owned(), value)));
    };
    add("needs_input", card.needs_input.clone());
    add("activity", card.activity.clone());
    add("dispatch_id", Some(card.dispatch_id.clone()));
    add("task_id", card.task_id.clone());
    add("agent_type", card.agent_type.clone());
    add("kind", Some(card.kind.to_string()));
    add("model", card.model.clone());
    let inferred = if card.inferred { " (inferred)" } else { "" };
    add("state", Some(card.state.to_string()));
    add("outcome", card.outcome.map(|outcome| outcome.to_string()));
    add("failed", card.failed.then(|| "yes".to_owned()));
    add("evidence", Some(format!("{}{inferred}", card.evidence)));
    add("backgrounded", card.backgrounded.then(|| "yes".to_owned()));
    add("runs", Some(card.runs.to_string()));
    add("started_at", card.started_at_ms.map(utc));
    add("ended_at", card.ended_at_ms.map(utc));
    add("time", entry.elapsed_ms(now_ms).map(lasting_so_far).or_else(|| duration(card).map(lasting)));
    let calls = format!("{}, {} open, {} failed", grouped(card.calls), card.open_calls, card.failed_calls);
    add("calls", Some(calls));
    if let Some(usage) = card.usage {
        add("total_tokens", usage.total_tokens.map(grouped));
        add("tool_uses", usage.tool_uses.map(grouped));
        add("duration", usage.duration_ms.map(lasting));
    }
    for (name, value) in &card.annotations {
        fields.push(("annotation".to_owned(), format!("{name}: {value}")));
    }
    fields
}

fn heading(name: &str, styles: Styles, lines: &mut Vec<Line<'static>>) {
    lines.extend([Line::default(), Line::from(styles.span(Tone::Quiet, name))]);
}

fn calls(card: &Card, columns: usize, styles: Styles, lines: &mut Vec<Line<'static>>) {
    if card.tail.is_empty() {
        return;
    }
    heading("last calls", styles, lines);
    for call in &card.tail {
        let (sign, tone) = call_sign(call.status);
        let title = fit(&safe(&call.title), columns.saturating_sub(4));
        lines.push(Line::from(vec![Span::raw("  "), styles.span(tone, sign), Span::raw(" "), Span::raw(title)]));
    }
}

fn agents(card: &Card, columns: usize, styles: Styles, lines: &mut Vec<Line<'static>>) {
    if card.nested.is_empty() {
        return;
    }
    heading("its agents", styles, lines);
    for (level, row) in preorder(&card.nested) {
        let standing = Standing { state: row.state, outcome: row.outcome };
        let (sign, tone) = standing.sign();
        let mark = format!("{sign} {}  ", standing.word());
        let indent = " ".repeat(2 + 2 * level.min(DEEPEST_INDENT));
        let agent_type = row.agent_type.as_deref().map(|agent_type| format!("  {agent_type}")).unwrap_or_default();
        let rest = format!("{agent_type}  {}", row_figures(row).join(" · "));
        let room = columns.saturating_sub(width(&indent) + width(&mark));
        let name = fit(&safe(&row.name), room);
        let room = room.saturating_sub(width(&name));
        lines.push(Line::from(vec![
            Span::raw(indent),
            styles.span(tone, mark),
            styles.span(Tone::Name, name),
            styles.span(Tone::Quiet, fit(&safe(&rest), room)),
        ]));
    }
}

fn text(
    name: &str,
    excerpt: Option<&Excerpt>,
    tone: Tone,
    columns: usize,
    styles: Styles,
    lines: &mut Vec<Line<'static>>,
) {
    let Some(Excerpt { text, truncated, .. }) = excerpt else { return };
    lines.extend([Line::default(), Line::from(styles.span(tone, name))]);
    lines.extend(wrap(text, columns.saturating_sub(2)).into_iter().map(|line| Line::from(format!("  {line}"))));
    if *truncated {
        lines.push(Line::from(styles.span(Tone::Quiet, "  … more in the transcript")));
    }
}
