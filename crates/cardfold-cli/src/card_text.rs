//! One card as a block of text for people.

use std::fmt::Display;
use std::io::{self, Write};

use cardfold::{CallStatus, Card, CardUsage, Kind, NestedRow, Outcome, State};

use crate::escape::Escaped;
use crate::figures::{self, counted, lasting};
use crate::nested_tree;
use crate::style::{Palette, Tone};

/// Nested rows deeper than this are not moved further to the right, so that a line stays on the screen.
const DEEPEST_INDENT: usize = 8;

/// Writes the block: a line that says how it stands, a line of figures, what there is to know besides, the last
/// calls, and a line for each nested agent.
pub(crate) fn write(out: &mut impl Write, card: &Card, palette: Palette) -> io::Result<()> {
    let standing = Standing { state: card.state, outcome: card.outcome };
    let inferred = if card.inferred { palette.paint(Tone::Unsure, " (inferred)").to_string() } else { String::new() };
    let name = palette.paint(Tone::Name, Escaped(&card.name));
    write!(out, "{}{inferred}  {name}", standing.shown(palette))?;
    write_apart(out, &what_it_is(card), palette)?;
    writeln!(out)?;
    write!(out, "  {}", card_figures(card).join(" · "))?;
    write_apart(out, &card.dispatch_id, palette)?;
    writeln!(out)?;
    write_remarks(out, card, palette)?;
    write_tail(out, card, palette)?;
    nested_tree::preorder(&card.nested).try_for_each(|(level, row)| write_row(out, level, row, palette))
}

/// Writes what matters less than what stands before it, two blanks apart; nothing where there is nothing to write.
fn write_apart(out: &mut impl Write, text: &str, palette: Palette) -> io::Result<()> {
    if text.is_empty() { Ok(()) } else { write!(out, "  {}", palette.paint(Tone::Quiet, Escaped(text))) }
}

/// Type, kind, background and runs: what is not ordinary about it.
pub(crate) fn what_it_is(card: &Card) -> String {
    let mut parts: Vec<String> = card.agent_type.iter().cloned().collect();
    match card.kind {
        Kind::Agent => {}
        Kind::Remote | Kind::Teammate | Kind::Workflow => parts.push(card.kind.to_string()),
    }
    if card.backgrounded {
        parts.push("background".to_owned());
    }
    if card.runs > 1 {
        parts.push(counted(u64::from(card.runs), "run"));
    }
    parts.join(", ")
}

/// Calls, time and tokens.
pub(crate) fn card_figures(card: &Card) -> Vec<String> {
    let mut figures = vec![calls(card.calls, card.failed_calls, card.open_calls, card.usage)];
    figures.extend(duration(card).map(lasting));
    figures.extend(tokens(card.usage));
    figures
}

/// The time that the source states, else that between the times of the card, in milliseconds.
pub(crate) fn duration(card: &Card) -> Option<u64> {
    card.usage.and_then(|usage| usage.duration_ms).or_else(|| between(card))
}

/// From the first run's start to the current run's end: only where there is one run, for a pause between two is no
/// work.
fn between(card: &Card) -> Option<u64> {
    let (start, end) = (card.started_at_ms?, card.ended_at_ms?);
    (card.runs == 1).then(|| u64::try_from(end.saturating_sub(start)).ok()).flatten()
}

/// The calls that the fold saw, or where it saw none the client's own count, which is said then.
fn calls(seen: u64, failed: u64, open: u64, usage: Option<CardUsage>) -> String {
    if let (0, Some(stated @ 1..)) = (seen, usage.and_then(|usage| usage.tool_uses)) {
        return format!("{} (stated, not seen)", counted(stated, "call"));
    }
    let mut shown = counted(seen, "call");
    if failed > 0 {
        shown += &format!(", {failed} failed");
    }
    if open > 0 {
        shown += &format!(", {open} open");
    }
    shown
}

fn tokens(usage: Option<CardUsage>) -> Option<String> {
    usage.and_then(|usage| usage.total_tokens).map(figures::tokens)
}

/// What it waits for, what it does, what went wrong.
fn write_remarks(out: &mut impl Write, card: &Card, palette: Palette) -> io::Result<()> {
    if let Some(question) = &card.needs_input {
        writeln!(out, "  {} {}", palette.paint(Tone::Unsure, "needs an answer:"), Escaped(question))?;
    }
    if let Some(activity) = &card.activity {
        writeln!(out, "  {} {}", palette.paint(Tone::Live, "now:"), Escaped(activity))?;
    }
    let first_line = card.error.as_ref().and_then(|error| error.text.lines().next());
    first_line.map_or(Ok(()), |line| writeln!(out, "  {} {}", palette.paint(Tone::Bad, "error:"), Escaped(line)))
}

fn write_tail(out: &mut impl Write, card: &Card, palette: Palette) -> io::Result<()> {
    let shown = u64::try_from(card.tail.len()).expect("a tail has four entries at most");
    let earlier = card.calls.saturating_sub(shown);
    if shown > 0 && earlier > 0 {
        writeln!(out, "    {}", palette.paint(Tone::Quiet, format_args!("… {earlier} earlier")))?;
    }
    card.tail.iter().try_for_each(|call| {
        let (sign, tone) = call_sign(call.status);
        writeln!(out, "    {} {}", palette.paint(tone, sign), Escaped(&call.title))
    })
}

/// The sign of where a call stands.
pub(crate) fn call_sign(status: CallStatus) -> (&'static str, Tone) {
    match status {
        CallStatus::Completed => ("✓", Tone::Good),
        CallStatus::CutOff => ("⊘", Tone::Unsure),
        CallStatus::Failed => ("✗", Tone::Bad),
        CallStatus::Pending => ("…", Tone::Live),
    }
}

fn write_row(out: &mut impl Write, level: usize, row: &NestedRow, palette: Palette) -> io::Result<()> {
    let standing = Standing { state: row.state, outcome: row.outcome };
    let indent = 2 + 2 * level.min(DEEPEST_INDENT);
    let name = palette.paint(Tone::Name, Escaped(&row.name));
    write!(out, "{:indent$}└ {}  {name}", "", standing.shown(palette))?;
    write_apart(out, row.agent_type.as_deref().unwrap_or_default(), palette)?;
    writeln!(out, "  {}", row_figures(row).join(" · "))
}

/// As a card's.
pub(crate) fn row_figures(row: &NestedRow) -> Vec<String> {
    let mut figures = vec![calls(row.calls, 0, 0, row.usage)];
    figures.extend(row.usage.and_then(|usage| usage.duration_ms).map(lasting));
    figures.extend(tokens(row.usage));
    figures
}

/// Where a card or a row stands: a sign and a word.
#[derive(Clone, Copy)]
pub(crate) struct Standing {
    pub(crate) state: State,
    pub(crate) outcome: Option<Outcome>,
}

impl Standing {
    pub(crate) fn shown(self, palette: Palette) -> impl Display {
        let (sign, tone) = self.sign();
        palette.paint(tone, format!("{sign} {}", self.word()))
    }

    pub(crate) fn sign(self) -> (&'static str, Tone) {
        match (self.state, self.outcome) {
            (State::Queued, _) => ("○", Tone::Live),
            (State::Running, _) => ("●", Tone::Live),
            (State::Waiting, _) => ("◐", Tone::Unsure),
            (State::Settled, Some(outcome)) => outcome_sign(outcome),
            (State::Settled, None) => outcome_sign(Outcome::Ended),
        }
    }

    pub(crate) fn word(self) -> String {
        self.outcome.map_or(self.state.as_str(), Outcome::as_str).replace('_', " ")
    }
}

fn outcome_sign(outcome: Outcome) -> (&'static str, Tone) {
    match outcome {
        Outcome::Abandoned => ("?", Tone::Unsure),
        Outcome::BudgetExhausted | Outcome::Failed | Outcome::Interrupted | Outcome::TimedOut => ("✗", Tone::Bad),
        Outcome::Completed => ("✓", Tone::Good),
        Outcome::Ended => ("–", Tone::Quiet),
        Outcome::Stopped => ("■", Tone::Bad),
    }
}
