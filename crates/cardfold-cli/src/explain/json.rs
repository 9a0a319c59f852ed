//! The changes of cards as one JSON object.

use std::io::{self, Write};

use cardfold::{Evidence, Outcome, State};
use cardfold_replay::{Report, Session};
use serde::Serialize;

use crate::escape::write_json;
use crate::explain::history::{Chosen, Histories, History, Standing, Step};
use crate::explain::words;
use crate::problems::{ProblemPart, parts};

/// The version of the shape. Fields may be added under it; none is renamed or dropped.
const FORMAT: &str = "cardfold-explain/1";

/// Writes the object on one line.
pub(crate) fn write(out: &mut impl Write, report: &Report, histories: &Histories, chosen: &[Chosen]) -> io::Result<()> {
    let of_session = |place| chosen.iter().filter(move |chosen| chosen.session == place);
    let document = Document {
        format: FORMAT,
        sessions: report
            .sessions
            .iter()
            .enumerate()
            .map(|(place, session)| {
                let cards = of_session(place).map(|chosen| CardPart::new(histories, histories.history(*chosen)));
                SessionPart::new(session, cards.collect())
            })
            .collect(),
        problems: parts(&report.problems),
        more_problems: report.problems.more(),
    };
    write_json(out, &document)?;
    out.write_all(b"\n")
}

/// What `cardfold explain --format json` prints.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Document<'a> {
    /// `cardfold-explain/1`.
    #[cfg_attr(test, schemars(extend("const" = "cardfold-explain/1")))]
    format: &'static str,
    sessions: Vec<SessionPart<'a>>,
    /// What belongs to no session.
    problems: Vec<ProblemPart<'a>>,
    /// Those that `problems` has no room for.
    more_problems: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SessionPart<'a> {
    session_id: Option<&'a str>,
    /// The path as it was given; `-` for standard input.
    source: &'a str,
    /// Lines that could not be read.
    skipped: u64,
    /// Those that were asked for.
    cards: Vec<CardPart<'a>>,
    problems: Vec<ProblemPart<'a>>,
    /// Those that `problems` has no room for.
    more_problems: u64,
}

impl<'a> SessionPart<'a> {
    fn new(session: &'a Session, cards: Vec<CardPart<'a>>) -> Self {
        Self {
            session_id: session.session_id.as_deref(),
            source: &session.source,
            skipped: session.skipped,
            cards,
            problems: parts(&session.problems),
            more_problems: session.problems.more(),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CardPart<'a> {
    dispatch_id: &'a str,
    task_id: Option<&'a str>,
    name: &'a str,
    /// False where the last change took the card away.
    drawn: bool,
    /// As the card's, in `cardfold/1`.
    #[cfg_attr(test, schemars(with = "crate::schema::State"))]
    state: State,
    #[cfg_attr(test, schemars(with = "Option<crate::schema::Outcome>"))]
    outcome: Option<Outcome>,
    #[cfg_attr(test, schemars(with = "crate::schema::Evidence"))]
    evidence: Evidence,
    /// The last of `changes`, from 0, that changed the state, the outcome, the evidence, or whether it is drawn.
    decided_by: Option<usize>,
    /// In the order of the frames.
    changes: Vec<StepPart<'a>>,
}

impl<'a> CardPart<'a> {
    fn new(histories: &'a Histories, history: &'a History) -> Self {
        let card = &history.card;
        Self {
            dispatch_id: &card.dispatch_id,
            task_id: card.task_id.as_deref(),
            name: &card.name,
            drawn: history.drawn,
            state: card.state,
            outcome: card.outcome,
            evidence: card.evidence,
            decided_by: history.decided_by(),
            changes: history.steps.iter().map(|step| StepPart::new(histories, step)).collect(),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct StepPart<'a> {
    /// `opened`, `changed` or `removed`.
    change: &'static str,
    /// The frame's number in its session, from 1; the end of the session is the number after the last.
    frame: u64,
    /// The file of the frame's line; null where no line says it.
    file: Option<&'a str>,
    /// The line, from 1.
    line: Option<u64>,
    /// What sort of frame it is.
    kind: &'static str,
    /// The frame's time, Unix milliseconds.
    time_ms: Option<i64>,
    /// The number of the rule that decided, or `none`.
    rule: &'static str,
    /// The rule in words, for people.
    because: &'static str,
    /// Null where the card was not drawn.
    before: Option<StandingPart>,
    /// Null where the card is not drawn.
    after: Option<StandingPart>,
    /// What else changed.
    also: Vec<DifferencePart<'a>>,
}

impl<'a> StepPart<'a> {
    fn new(histories: &'a Histories, step: &'a Step) -> Self {
        let (file, line) = histories.place(step).unzip();
        Self {
            change: step.change.as_str(),
            frame: step.frame,
            file,
            line,
            kind: words::kind(step.kind),
            time_ms: step.time_ms,
            rule: words::rule_number(step.rule),
            because: words::rule(step.rule),
            before: step.before.map(StandingPart::from),
            after: step.after.map(StandingPart::from),
            also: step.also.iter().map(|also| DifferencePart { field: also.field, words: &also.words }).collect(),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct StandingPart {
    #[cfg_attr(test, schemars(with = "crate::schema::State"))]
    state: State,
    #[cfg_attr(test, schemars(with = "Option<crate::schema::Outcome>"))]
    outcome: Option<Outcome>,
    #[cfg_attr(test, schemars(with = "crate::schema::Evidence"))]
    evidence: Evidence,
}

impl From<Standing> for StandingPart {
    fn from(Standing { state, outcome, evidence }: Standing) -> Self {
        Self { state, outcome, evidence }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DifferencePart<'a> {
    /// The field of the card.
    field: &'static str,
    /// Before and after, or what is new; for people.
    words: &'a str,
}
