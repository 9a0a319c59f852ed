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

/// What `cardfold replay --format json` prints.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Document<'a> {
    /// `cardfold/1`.
    #[cfg_attr(test, schemars(extend("const" = "cardfold/1")))]
    format: &'static str,
    /// Those of a directory in byte order of their paths.
    sessions: Vec<SessionPart<'a>>,
    /// What belongs to no session.
    problems: Vec<ProblemPart<'a>>,
    /// Those that `problems` has no room for.
    more_problems: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SessionPart<'a> {
    /// The id that the lines state.
    session_id: Option<&'a str>,
    /// The path as it was given; `-` for standard input.
    source: &'a str,
    /// Lines that are not blank, over all files of the session.
    lines: u64,
    /// Frames given to the fold.
    frames: u64,
    /// Lines that could not be read.
    skipped: u64,
    /// Objects of a type that this build does not know.
    unknown: u64,
    /// Cards that only `--all` shows.
    undrawn: usize,
    /// `--until` or `--at` left the session before its end.
    stopped: bool,
    /// What could not be read.
    problems: Vec<ProblemPart<'a>>,
    /// Those that `problems` has no room for.
    more_problems: u64,
    /// In the order in which they were opened.
    #[cfg_attr(test, schemars(with = "Vec<crate::schema::Card>"))]
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
