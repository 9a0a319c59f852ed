//! Reads what the arguments name, under the bar.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use cardfold_replay::{Event, Options, Problems, Report, Session};

use crate::escape::Escaped;
use crate::exit::NOTHING_READABLE;
use crate::output::complain;
use crate::progress::Progress;

/// The path that stands for standard input, and its name in a report.
pub(crate) const STANDARD_INPUT: &str = "-";

pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT
}

/// Reads everything at `path`. The bar is gone afterwards.
pub(crate) fn read(
    path: &Path,
    options: &Options,
    progress: &Progress,
    mut observe: impl FnMut(Event<'_>) -> ControlFlow<()>,
) -> Report {
    let observe = |event: Event<'_>| {
        progress.take(&event);
        observe(event)
    };
    let report = if is_standard_input(path) {
        cardfold_replay::replay_reader_observed(io::stdin(), STANDARD_INPUT, options, observe)
    } else {
        cardfold_replay::replay_observed(path, options, observe)
    };
    progress.finish();
    report
}

/// Reads the sessions below `path` and lets go of each one after `take`; gives what belongs to none. The bar is gone
/// afterwards.
pub(crate) fn read_each(
    path: &Path,
    options: &Options,
    progress: &Progress,
    mut observe: impl FnMut(&Event<'_>),
    take: impl FnMut(Session),
) -> Report {
    let observe = |event: Event<'_>| {
        progress.take(&event);
        observe(&event);
        ControlFlow::Continue(())
    };
    let report = cardfold_replay::replay_sessions(path, options, observe, take);
    progress.finish();
    report
}

/// Says that there is no session, why, and what to do about it; gives the exit status.
pub(crate) fn nothing_readable(path: &Path, problems: &Problems) -> u8 {
    let reason = problems.first().map_or("no session stands below it", |problem| &problem.detail);
    let path = path.to_string_lossy();
    complain(format_args!(
        "nothing readable in {}: {}; give a session's .jsonl file, a captured stream, or a folder of these",
        Escaped(&path),
        Escaped(reason)
    ));
    NOTHING_READABLE
}
