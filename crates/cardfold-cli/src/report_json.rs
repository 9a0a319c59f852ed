//! The report as one JSON object: the contract's section 5, field by field, and beside these whether a session was
//! stopped and how many problems its list has no room for.

use std::io::{self, Write};

use cardfold::Card;
use cardfold_replay::{Report, Session};
use serde::Serialize;

use crate::escape::write_json;
use crate::problems::{ProblemPart, parts};
use crate::replay::Selection;

/// The version of the report's shape. Fields may be added under it; none is renamed or dropped.
const FORMAT: &str = "cardfold/1";

/// Writes the report on one line.
pub(crate) fn write(out: &mut impl Write, report: &Report, selection: Selection) -> io::Result<()> {
    let document = Document {
        format: FORMAT,
        sessions: report.sessions.iter().map(|session| SessionPart::new(session, selection)).collect(),
        problems: parts(&report.problems),
        more_problems: report.problems.more(),
    };
    write_json(out, &document)?;
    out.write_all(b"\n")
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    sessions: Vec<SessionPart<'a>>,
    problems: Vec<ProblemPart<'a>>,
    /// Those that `problems` has no room for.
    more_problems: u64,
}

#[derive(Serialize)]
struct SessionPart<'a> {
    session_id: Option<&'a str>,
    source: &'a str,
    lines: u64,
    frames: u64,
    skipped: u64,
    unknown: u64,
    undrawn: usize,
    stopped: bool,
    problems: Vec<ProblemPart<'a>>,
    more_problems: u64,
    cards: Vec<Card>,
}

impl<'a> SessionPart<'a> {
    fn new(session: &'a Session, selection: Selection) -> Self {
        Self {
            session_id: session.session_id.as_deref(),
            source: &session.source,
            lines: session.lines,
            frames: session.frames,
            skipped: session.skipped,
            unknown: session.unknown,
            undrawn: session.tracker.undrawn(),
            stopped: session.stopped,
            problems: parts(&session.problems),
            more_problems: session.problems.more(),
            cards: selection.cards(&session.tracker),
        }
    }
}
