//! `cardfold stats`: what many sessions come to, by agent type, by day and by tool.

mod gather;
mod group;
pub(crate) mod json;
mod text;
mod tools;

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::PathBuf;

use cardfold_replay::Options;
use clap::Args;

use crate::arguments::Form;
use crate::exit::DONE;
use crate::output::room;
use crate::progress::Progress;
use crate::reading::{nothing_readable, read_each};
use crate::stats::gather::Gathered;
use crate::stats::tools::CallsAtHand;
use crate::style::Palette;
use crate::wrapping::Wrapping;

/// Add up many sessions: dispatches, outcomes, calls, tokens, durations and tools, by agent type and by day.
///
/// Every sub-agent counts once, with the calls that it made itself: those that the main thread dispatched, and those
/// nested below them, whose day is that of the dispatch above them.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_STATS)]
pub(crate) struct Stats {
    /// A folder of sessions at any depth, such as ~/.claude/projects, or one session.
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,

    /// How to print it.
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub(crate) format: Form,
}

/// Prints the sums; gives the exit status.
pub(crate) fn run(stats: &Stats, palette: Palette, progress: &Progress, out: &mut impl Write) -> io::Result<u8> {
    let calls = RefCell::new(CallsAtHand::default());
    let mut gathered = Gathered::default();
    let report = read_each(
        &stats.dir,
        &Options::default(),
        progress,
        |event| calls.borrow_mut().take(event),
        |session| gathered.add(&session, calls.borrow_mut().of_next_session(&session.tracker)),
    );
    if gathered.sessions == 0 {
        return Ok(nothing_readable(&stats.dir, &report.problems));
    }
    match stats.format {
        Form::Json => json::write(out, &gathered, &report.problems)?,
        Form::Text => {
            let out = &mut Wrapping::new(out, room());
            text::write(out, &gathered, &report.problems, palette, room())?;
        }
    }
    Ok(DONE)
}

const AFTER_STATS: &str = "\
Try it:
  cardfold stats ~/.claude/projects
  cardfold stats --format json . | jq '.by_type[] | [.agent_type, .sums.failure_rate]'

The columns:
  DISPATCHES  sub-agents, nested ones too
  COMPLETED, FAILED, STOPPED, …
              how they ended; an outcome that nobody has has no column.
              ABANDONED: the session is over and nothing told the end. ENDED: over,
              cause not stated
  FAILING     the share of those that failed, were stopped or interrupted, or ran
              out of time or budget
  CALLS       calls that they made
  TOKENS      as far as the sessions state figures
  MEDIAN, P95 half of the agents, and 95 of 100, took no longer than this; of those
              whose time is known
  A narrow terminal has no room for the rarer outcomes and P95; a line below says
  which are left out. A pipe and a file get all of them.
  Days are UTC. – stands for an agent without a type, a dispatch without a time
  and a figure that nothing states.

The JSON form:
  {\"format\":\"cardfold-stats/1\",\"sessions\":n,\"skipped\":n,\"total\":SUMS,
    \"by_type\":[{\"agent_type\":…,\"sums\":SUMS}],
    \"by_day\":[{\"day\":\"2026-03-02\",\"sums\":SUMS}],
    \"tools\":[{\"name\":…,\"calls\":n}],\"problems\":[…],\"more_problems\":n}
  SUMS: {\"dispatches\":n,\"nested\":n,\"outcomes\":{\"completed\":n,…},\"failed\":n,
    \"failure_rate\":0.25,\"calls\":n,\"total_tokens\":n,
    \"duration_ms\":{\"agents\":n,\"median\":n,\"p95\":n,\"max\":n,\"total\":n}}
  Every figure is exact. Types with the most dispatches come first, days in their
  order, tools with the most calls first; all of them are there.

Exit status:
  0  added up
  1  not one session, or a path that cannot be opened
  2  bad usage";
