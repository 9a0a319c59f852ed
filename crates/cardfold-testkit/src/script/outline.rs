//! Cards as a few words, for tests to compare with.

use std::fmt::Write as _;

use cardfold::{Card, CardUsage, NestedRow, Outcome, State};

/// State, outcome and evidence: `running (dispatch)`, `settled completed (calls_settled, inferred)`.
#[must_use]
pub fn reading(card: &Card) -> String {
    let inferred = if card.inferred { ", inferred" } else { "" };
    format!("{} ({}{inferred})", stand(card.state, card.outcome), card.evidence)
}

/// State and outcome of a nested row: `running`, `settled failed`.
#[must_use]
pub fn row_reading(row: &NestedRow) -> String {
    stand(row.state, row.outcome)
}

/// Four calls at most, as `id status` with commas between.
#[must_use]
pub fn tail(card: &Card) -> String {
    let calls = card.tail.iter().map(|call| format!("{} {}", call.id, call.status));
    calls.collect::<Vec<_>>().join(", ")
}

/// Calls, open calls, failed calls: `3 calls, 1 open, 0 failed`.
#[must_use]
pub fn counts(card: &Card) -> String {
    format!("{} calls, {} open, {} failed", card.calls, card.open_calls, card.failed_calls)
}

/// Tokens, calls and milliseconds as `1/2/3`, `-` for a figure that nobody stated; `none` without any.
#[must_use]
pub fn usage(usage: Option<CardUsage>) -> String {
    let figure = |figure: Option<u64>| figure.map_or_else(|| "-".to_owned(), |figure| figure.to_string());
    usage.map_or_else(
        || "none".to_owned(),
        |usage| {
            let CardUsage { total_tokens, tool_uses, duration_ms, .. } = usage;
            format!("{}/{}/{}", figure(total_tokens), figure(tool_uses), figure(duration_ms))
        },
    )
}

/// A card in full: one line for where it stands, one for each fact that is not the usual one.
#[must_use]
pub fn outline(card: &Card) -> String {
    let mut text = format!("{} \"{}\" {}", card.dispatch_id, card.name, reading(card));
    let mut fact = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = write!(text, "\n  {name}: {value}");
        }
    };
    fact("kind", (card.kind != cardfold::Kind::Agent).then(|| card.kind.to_string()));
    fact("type", card.agent_type.clone());
    fact("task", card.task_id.clone());
    fact("runs", (card.runs != 1).then(|| card.runs.to_string()));
    fact("backgrounded", card.backgrounded.then(|| "yes".to_owned()));
    fact("started", card.started_at_ms.map(|at| at.to_string()));
    fact("ended", card.ended_at_ms.map(|at| at.to_string()));
    fact("counts", (card.calls != 0).then(|| counts(card)));
    for call in &card.tail {
        fact("call", Some(format!("{} {}: {}", call.id, call.title, call.status)));
    }
    for row in &card.nested {
        fact("nested", Some(row_outline(row)));
    }
    fact("usage", card.usage.map(|figures| usage(Some(figures))));
    fact("activity", card.activity.clone());
    fact("needs input", card.needs_input.clone());
    fact("report", card.report.as_ref().map(|report| format!("{:?}", report.text)));
    fact("error", card.error.as_ref().map(|error| format!("{:?}", error.text)));
    text
}

fn row_outline(row: &NestedRow) -> String {
    let id = row.dispatch_id.as_deref().or(row.task_id.as_deref()).unwrap_or("?");
    let parent = row.parent_id.as_deref().unwrap_or("?");
    let calls = if row.calls == 0 { String::new() } else { format!(", {} calls", row.calls) };
    format!("{id} \"{}\" depth {} under {parent}: {}{calls}", row.name, row.depth, row_reading(row))
}

fn stand(state: State, outcome: Option<Outcome>) -> String {
    outcome.map_or_else(|| state.to_string(), |outcome| format!("{state} {outcome}"))
}

/// What holds for every card, whatever was folded (section 2, R18 to R21, R24).
///
/// # Panics
///
/// If it does not hold.
pub fn sound(card: &Card) {
    let id = &card.dispatch_id;
    assert_eq!(card.running, card.state != State::Settled, "{id}: running is `state is not settled`");
    assert_eq!(card.outcome.is_some(), !card.running, "{id}: an outcome belongs to a settled card");
    assert_eq!(card.failed, card.outcome.is_some_and(Outcome::is_failed), "{id}: failed follows the outcome");
    assert_eq!(card.inferred, card.evidence.is_inferred(), "{id}: inferred follows the evidence");
    assert!(card.runs >= 1, "{id}: runs count from 1");
    assert!(card.open_calls + card.failed_calls <= card.calls, "{id}: {}", counts(card));
    assert!(card.tail.len() <= 4, "{id}: a tail has four calls at most");
    assert!(card.name.chars().count() <= 80, "{id}: a name has 80 characters at most");
    if card.running {
        assert_eq!(card.ended_at_ms, None, "{id}: a live run has no end");
        assert!(!card.inferred || card.outcome.is_some(), "{id}: only endings are inferred");
    } else {
        assert_eq!(card.open_calls, 0, "{id}: a settled card has no open call");
        assert_eq!(card.activity, None, "{id}: a settled card does nothing");
        assert_eq!(card.needs_input, None, "{id}: a settled card asks nothing");
    }
    for call in &card.tail {
        assert!(call.title.chars().count() <= 120, "{id}: a title has 120 characters at most");
    }
    for row in &card.nested {
        assert_eq!(row.outcome.is_some(), row.state == State::Settled, "{id}: an outcome belongs to a settled row");
        assert_eq!(row.failed, row.outcome.is_some_and(Outcome::is_failed), "{id}: failed follows the outcome");
        assert!(row.depth >= 1, "{id}: a nested row is at least one level down");
    }
    for excerpt in card.report.iter().chain(&card.error) {
        assert!(excerpt.text.len() <= 4096 && excerpt.text.lines().count() <= 40, "{id}: an excerpt is bounded");
    }
}
