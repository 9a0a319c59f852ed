//! What could not be read, as text and as JSON.

use std::io::{self, Write};

use cardfold_replay::{Problem, Problems};
use serde::Serialize;

use crate::escape::Escaped;
use crate::figures::counted;
use crate::style::{Palette, Tone};

/// Problems that are listed one by one; past this a reader is better served by the JSON report.
const LISTED_PROBLEMS: usize = 10;

/// Writes a line a problem: kind, file and line, and what is wrong.
pub(crate) fn write(out: &mut impl Write, problems: &Problems, palette: Palette) -> io::Result<()> {
    for problem in problems.iter().take(LISTED_PROBLEMS) {
        let line = problem.line.map_or(String::new(), |line| format!(":{line}"));
        writeln!(
            out,
            "{} {}{line}: {}",
            palette.paint(Tone::Unsure, format_args!("{}:", problem.kind.as_str())),
            Escaped(&problem.file),
            Escaped(&problem.detail),
        )?;
    }
    let unlisted = u64::try_from(problems.len().saturating_sub(LISTED_PROBLEMS)).expect("a count of problems fits");
    let more = unlisted.saturating_add(problems.more());
    if more > 0 {
        let note = format!("and {} more", counted(more, "problem"));
        writeln!(out, "{}", palette.paint(Tone::Quiet, note))?;
    }
    Ok(())
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ProblemPart<'a> {
    /// The file, under the path that was given; `-` for standard input.
    file: &'a str,
    /// The line, from 1; null where the problem is about the file.
    line: Option<u64>,
    /// `not_json`, `not_utf8`, `too_deep`, `too_long`, `not_an_object`, `malformed`, `unreadable`, `changed`, `no_frame` or
    /// `not_followed`.
    kind: &'static str,
    /// One sentence for people.
    detail: &'a str,
}

/// The problems that are kept.
pub(crate) fn parts(problems: &[Problem]) -> Vec<ProblemPart<'_>> {
    problems
        .iter()
        .map(|problem| ProblemPart {
            file: &problem.file,
            line: problem.line,
            kind: problem.kind.as_str(),
            detail: &problem.detail,
        })
        .collect()
}
