//! When the agents below others were seen. A card's rows state no times, so that the frames do: the one that first
//! showed a row, and the one after which it was over, or the end that this one states. Knows no markup.

use std::collections::HashMap;

use cardfold::{Change, NestedRow};
use cardfold_replay::Event;
use cardfold_wire::Body;

use crate::timeline::{Span, is_over};

/// The rows of all sessions, filled while they are read.
#[derive(Default)]
pub(crate) struct RowsSeen(Vec<SessionRows>);

/// The rows of one session.
#[derive(Default)]
pub(crate) struct SessionRows {
    /// The latest time of the frames so far. Frames without a time of their own came after it.
    last_ms: Option<i64>,
    rows: Vec<RowSeen>,
    /// By dispatch id and by task id. A row may show one before the other.
    by_id: HashMap<String, usize>,
}

#[derive(Clone, Copy)]
struct RowSeen {
    /// None where the row was over when it was first seen.
    start_ms: Option<i64>,
    /// None where it is not over, or only the end of the session says so.
    end_ms: Option<i64>,
    is_over: bool,
}

impl RowsSeen {
    /// Takes what a frame changed.
    pub(crate) fn take(&mut self, event: &Event<'_>) {
        if self.0.len() <= event.session {
            self.0.resize_with(event.session.saturating_add(1), SessionRows::default);
        }
        let session = &mut self.0[event.session];
        let now = event.frame.and_then(|frame| {
            session.last_ms = session.last_ms.max(frame.timestamp_ms);
            // Such a frame has no time of its own, and states the end that it tells.
            let stated = if let Body::TaskUpdated(told) = &frame.body { told.end_time_ms } else { None };
            session.last_ms.max(stated)
        });
        for change in &event.update.changes {
            match change {
                Change::Changed(key) | Change::Opened(key) => {
                    let card = event.tracker.card_at(*key).expect("an update names cards that its tracker holds");
                    card.nested.iter().for_each(|row| session.note(row, now));
                }
                Change::Removed(_) => {}
            }
        }
    }

    /// The rows of each of so many sessions. One without a frame has none.
    pub(crate) fn of_sessions(mut self, sessions: usize) -> Vec<SessionRows> {
        self.0.resize_with(sessions, SessionRows::default);
        self.0
    }
}

impl SessionRows {
    /// What is known of the time of a row; none where its frames have no time, or nothing names it.
    pub(crate) fn span(&self, row: &NestedRow) -> Option<Span> {
        let RowSeen { start_ms, end_ms, is_over } = self.rows[self.place(row)?];
        Span::between(start_ms, end_ms, is_over)
    }

    fn note(&mut self, row: &NestedRow, now: Option<i64>) {
        let is_over = is_over(row.state);
        let known = self.place(row);
        let place = known.unwrap_or(self.rows.len());
        if known.is_none() {
            let start_ms = now.filter(|_| !is_over);
            self.rows.push(RowSeen { start_ms, end_ms: None, is_over: false });
        }
        for id in ids(row) {
            if !self.by_id.contains_key(id) {
                self.by_id.insert(id.to_owned(), place);
            }
        }
        let seen = &mut self.rows[place];
        if is_over != seen.is_over {
            *seen = RowSeen { end_ms: now.filter(|_| is_over), is_over, ..*seen };
        }
    }

    fn place(&self, row: &NestedRow) -> Option<usize> {
        ids(row).find_map(|id| self.by_id.get(id).copied())
    }
}

fn ids(row: &NestedRow) -> impl Iterator<Item = &str> {
    [&row.dispatch_id, &row.task_id].into_iter().filter_map(|id| id.as_deref())
}
