//! The sums as one JSON object.

use std::collections::BTreeMap;
use std::io::{self, Write};

use cardfold::Outcome;
use cardfold_replay::Problems;
use serde::Serialize;

use crate::escape::write_json;
use crate::problems::{ProblemPart, parts};
use crate::stats::gather::Gathered;
use crate::stats::group::Group;

/// The version of the shape. Fields may be added under it; none is renamed or dropped.
const FORMAT: &str = "cardfold-stats/1";

/// Writes the object on one line.
pub(crate) fn write(out: &mut impl Write, gathered: &Gathered, problems: &Problems) -> io::Result<()> {
    let of_type = |(agent_type, group)| TypePart { agent_type, sums: Sums::of(group) };
    let days = gathered.by_day.iter().map(|(day, group)| DayPart { day: day.as_deref(), sums: Sums::of(group) });
    let document = Document {
        format: FORMAT,
        sessions: gathered.sessions,
        skipped: gathered.skipped,
        total: Sums::of(&gathered.total),
        by_type: gathered.types().into_iter().map(of_type).collect(),
        by_day: days.collect(),
        tools: gathered.tools.sorted().into_iter().map(|(name, calls)| ToolPart { name, calls }).collect(),
        problems: parts(problems),
        more_problems: problems.more(),
    };
    write_json(out, &document)?;
    out.write_all(b"\n")
}

/// What `cardfold stats --format json` prints.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Document<'a> {
    /// `cardfold-stats/1`.
    #[cfg_attr(test, schemars(extend("const" = "cardfold-stats/1")))]
    format: &'static str,
    sessions: u64,
    /// Lines that could not be read.
    skipped: u64,
    /// Over all agents.
    total: Sums,
    /// The types with the most dispatches first.
    by_type: Vec<TypePart<'a>>,
    /// In their order.
    by_day: Vec<DayPart<'a>>,
    /// The most used ones first.
    tools: Vec<ToolPart<'a>>,
    /// What belongs to no session.
    problems: Vec<ProblemPart<'a>>,
    /// Those that `problems` has no room for.
    more_problems: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TypePart<'a> {
    /// Null for agents that state none.
    agent_type: Option<&'a str>,
    sums: Sums,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DayPart<'a> {
    /// The day of the dispatch, UTC, as 2026-03-02; that of a nested agent is its card's. Null where no time is stated.
    day: Option<&'a str>,
    sums: Sums,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ToolPart<'a> {
    name: &'a str,
    /// Calls of sub-agents, as far as their frames are there.
    calls: u64,
}

/// What some agents come to.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Sums {
    /// Sub-agents, nested ones too.
    dispatches: u64,
    /// Those that sub-agents dispatched.
    nested: u64,
    /// How they ended. An outcome that none has is left out.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, u64>"))]
    outcomes: BTreeMap<Outcome, u64>,
    /// Those that failed, were stopped or interrupted, or ran out of time or budget.
    failed: u64,
    /// `failed` of `dispatches`, from 0 to 1; null where there is none.
    failure_rate: Option<f64>,
    /// Calls that they made, as far as the frames are there.
    calls: u64,
    /// Null where no agent states a figure.
    total_tokens: Option<u64>,
    /// Null where no agent's time is known.
    duration_ms: Option<DurationPart>,
}

/// Times that agents really took, in milliseconds, by the nearest rank.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DurationPart {
    /// Agents whose time is known.
    agents: usize,
    /// Half of them took no longer.
    median: u64,
    /// 95 of 100 took no longer.
    p95: u64,
    max: u64,
    total: u64,
}

impl Sums {
    fn of(group: &Group) -> Self {
        let durations = group.durations();
        Self {
            dispatches: group.dispatches,
            nested: group.nested,
            outcomes: group.outcomes.clone(),
            failed: group.failed,
            failure_rate: group.failure_rate(),
            calls: group.calls,
            total_tokens: group.total_tokens,
            duration_ms: durations.map(|durations| DurationPart {
                agents: durations.agents,
                median: durations.median,
                p95: durations.p95,
                max: durations.max,
                total: durations.total,
            }),
        }
    }
}
