//! What a report says, in a form that can be compared.

use cardfold::{Card, Diagnostics};
use cardfold_replay::{Problem, Problems, Report, Session};

#[derive(Debug, PartialEq)]
pub(crate) struct Told {
    sessions: Vec<ToldOfSession>,
    problems: (Vec<Problem>, u64),
    skipped: u64,
}

#[derive(Debug, PartialEq)]
pub(crate) struct ToldOfSession {
    source: String,
    session_id: Option<String>,
    counts: [u64; 5],
    times: [Option<i64>; 2],
    problems: (Vec<Problem>, u64),
    stopped: bool,
    cards: Vec<Card>,
    diagnostics: Diagnostics,
}

impl Told {
    pub(crate) fn of(report: &Report) -> Self {
        Self {
            sessions: report.sessions.iter().map(ToldOfSession::of).collect(),
            problems: listed(&report.problems),
            skipped: report.skipped,
        }
    }
}

impl ToldOfSession {
    pub(crate) fn of(session: &Session) -> Self {
        Self {
            source: session.source.clone(),
            session_id: session.session_id.clone(),
            counts: [session.lines, session.frames, session.skipped, session.unknown, session.bytes],
            times: [session.first_ms, session.last_ms],
            problems: listed(&session.problems),
            stopped: session.stopped,
            cards: session.tracker.all_cards().collect(),
            diagnostics: session.tracker.diagnostics(),
        }
    }
}

fn listed(problems: &Problems) -> (Vec<Problem>, u64) {
    (problems.to_vec(), problems.more())
}
