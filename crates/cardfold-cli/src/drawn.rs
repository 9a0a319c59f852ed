//! What a page and a picture show of a report: each session with its cards and their chart. Knows no markup.

use cardfold::Card;
use cardfold_replay::{Report, Session};

use crate::chart::Chart;
use crate::replay::Selection;
use crate::rows_seen::SessionRows;

/// The cards of each session.
pub(crate) fn cards(report: &Report, selection: Selection) -> Vec<Vec<Card>> {
    report.sessions.iter().map(|session| selection.cards(&session.tracker)).collect()
}

/// A session with what is drawn of it.
pub(crate) struct Drawn<'a> {
    pub(crate) session: &'a Session,
    pub(crate) cards: &'a [Card],
    pub(crate) chart: Chart<'a>,
}

impl<'a> Drawn<'a> {
    pub(crate) fn all(report: &'a Report, cards: &'a [Vec<Card>], rows: &[SessionRows]) -> Vec<Self> {
        let sessions = report.sessions.iter().zip(cards).zip(rows);
        sessions
            .map(|((session, cards), rows)| Self { session, cards, chart: Chart::of(cards, rows, session.last_ms) })
            .collect()
    }
}
