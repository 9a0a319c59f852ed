//! The sums as tables for people.

use std::io::{self, Write};

use cardfold::Outcome;
use cardfold_replay::Problems;

use crate::columns::{Column, Table};
use crate::escape::Escaped;
use crate::figures::{counted, grouped, lasting, rounded, tokens};
use crate::problems;
use crate::stats::gather::Gathered;
use crate::stats::group::Group;
use crate::style::{Palette, Tone};

/// Tools that are listed; all of them stand in the JSON form.
const LISTED_TOOLS: usize = 15;

/// Characters of a tool's name.
const LONGEST_NAME: usize = 60;

/// What nothing states.
const UNSTATED: &str = "–";

/// Writes a line of totals, then a table each of types, days and tools.
pub(crate) fn write(
    out: &mut impl Write,
    gathered: &Gathered,
    problems: &Problems,
    palette: Palette,
    room: Option<usize>,
) -> io::Result<()> {
    writeln!(out, "{}", palette.paint(Tone::Name, totals(gathered)))?;
    let named = |name: Option<&str>| name.unwrap_or(UNSTATED).to_owned();
    let types = gathered.types().into_iter().map(|(name, group)| (named(name), group));
    write_groups(out, "AGENT TYPE", gathered, &types.collect::<Vec<_>>(), palette, room)?;
    let days = gathered.by_day.iter().map(|(day, group)| (named(day.as_deref()), group));
    write_groups(out, "DAY (UTC)", gathered, &days.collect::<Vec<_>>(), palette, room)?;
    write_tools(out, gathered, palette, room)?;
    if !problems.is_empty() {
        writeln!(out)?;
    }
    problems::write(out, problems, palette)
}

fn totals(gathered: &Gathered) -> String {
    let total = &gathered.total;
    let mut facts = vec![counted(gathered.sessions, "session")];
    let dispatches = if total.dispatches == 1 { "dispatch" } else { "dispatches" };
    facts.push(format!("{} {dispatches}", grouped(total.dispatches)));
    if total.nested > 0 {
        facts.push(format!("{} of them nested", grouped(total.nested)));
    }
    if let Some(rate) = total.failure_rate() {
        facts.push(format!("{} failed ({})", grouped(total.failed), percent(rate)));
    }
    facts.push(counted(total.calls, "call"));
    facts.extend(total.total_tokens.map(tokens));
    if gathered.skipped > 0 {
        facts.push(format!("{} skipped", counted(gathered.skipped, "line")));
    }
    facts.join(" · ")
}

fn write_groups(
    out: &mut impl Write,
    heading: &str,
    gathered: &Gathered,
    groups: &[(String, &Group)],
    palette: Palette,
    room: Option<usize>,
) -> io::Result<()> {
    if groups.is_empty() {
        return Ok(());
    }
    let outcomes: Vec<Outcome> = gathered.total.outcomes.keys().copied().collect();
    let outcome = |outcome: &Outcome| {
        let heading = outcome.as_str().replace('_', " ").to_uppercase();
        match outcome {
            Outcome::Completed | Outcome::Failed => Column::figures(heading),
            // The rarest is missed the least.
            Outcome::Abandoned
            | Outcome::BudgetExhausted
            | Outcome::Ended
            | Outcome::Interrupted
            | Outcome::Stopped
            | Outcome::TimedOut => Column::spare(heading, gathered.total.outcomes.get(outcome).copied().unwrap_or(0)),
        }
    };
    let mut columns = vec![Column::names(heading), Column::figures("DISPATCHES")];
    columns.extend(outcomes.iter().map(outcome));
    columns.extend(["FAILING", "CALLS", "TOKENS", "MEDIAN"].map(Column::figures));
    columns.push(Column::spare("P95", u64::MAX));
    let rows: Vec<Vec<String>> = groups.iter().map(|(name, group)| cells(name, group, &outcomes)).collect();
    let table = Table::new(&columns, &rows, room);
    writeln!(out)?;
    table.write(out, palette, |_, _| Ok(()))?;
    let left_out = table.left_out();
    if left_out.is_empty() {
        return Ok(());
    }
    let note = format!("left out for want of room: {}", left_out.join(", "));
    writeln!(out, "{}", palette.paint(Tone::Quiet, note))
}

fn cells(name: &str, group: &Group, outcomes: &[Outcome]) -> Vec<String> {
    let durations = group.durations();
    let unstated = || UNSTATED.to_owned();
    let mut cells = vec![name.to_owned(), grouped(group.dispatches)];
    cells.extend(outcomes.iter().map(|outcome| grouped(group.outcomes.get(outcome).copied().unwrap_or(0))));
    cells.push(group.failure_rate().map_or_else(unstated, percent));
    cells.push(grouped(group.calls));
    cells.push(group.total_tokens.map_or_else(unstated, rounded));
    cells.push(durations.map_or_else(unstated, |durations| lasting(durations.median)));
    cells.push(durations.map_or_else(unstated, |durations| lasting(durations.p95)));
    cells
}

fn write_tools(out: &mut impl Write, gathered: &Gathered, palette: Palette, room: Option<usize>) -> io::Result<()> {
    let tools = gathered.tools.sorted();
    if tools.is_empty() {
        return Ok(());
    }
    let row = |(name, calls): &(&str, u64)| vec![name.chars().take(LONGEST_NAME).collect(), grouped(*calls)];
    let rows: Vec<Vec<String>> = tools.iter().take(LISTED_TOOLS).map(row).collect();
    writeln!(out)?;
    let columns = [Column::names("TOOL"), Column::figures("CALLS")];
    Table::new(&columns, &rows, room).write(out, palette, |_, _| Ok(()))?;
    let more = u64::try_from(tools.len().saturating_sub(LISTED_TOOLS)).expect("a count of tools fits");
    if more == 0 {
        return Ok(());
    }
    let note = format!("and {} more", counted(more, "tool"));
    writeln!(out, "{}", palette.paint(Tone::Quiet, Escaped(&note)))
}

/// `7.5 %`.
fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
