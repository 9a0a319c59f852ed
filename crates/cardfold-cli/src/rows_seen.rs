//! When the agents below others were seen. A card's rows state no times, so that the frames do: the one that first
//! showed a row, and the one after which it was over, or the end that this one states. Knows no markup.

use std::collections::{HashMap, HashSet};

use cardfold::{CardKey, Change, NestedRow, Rule};
use cardfold_replay::Event;
use cardfold_wire::Body;

use crate::timeline::{Span, is_over};

/// Rows that are looked at for each frame of a session, and before there are many frames: a card is copied with all of its
/// rows, so that looking at those of a card with thousands of them after every frame would take minutes. With these a
/// session with a hundred rows, or with a few hundred that have some calls each, is looked at in full.
const LOOKS_PER_FRAME: usize = 16;
const FIRST_LOOKS: usize = 20_000;

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
    /// How many more rows may be looked at.
    looks: usize,
    /// Cards with so many rows that these are not looked at any more.
    left_out: HashSet<CardKey>,
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
            self.0.resize_with(event.session.saturating_add(1), SessionRows::new);
        }
        let session = &mut self.0[event.session];
        session.looks = session.looks.saturating_add(LOOKS_PER_FRAME);
        let now = event.frame.and_then(|frame| {
            session.last_ms = session.last_ms.max(frame.timestamp_ms);
            // Such a frame has no time of its own, and states the end that it tells.
            let stated = if let Body::TaskUpdated(told) = &frame.body { told.end_time_ms } else { None };
            session.last_ms.max(stated)
        });
        // A call and its result, which most frames are, begin and end no agent.
        if matches!(event.update.rule, Rule::None | Rule::R9) {
            return;
        }
        for change in &event.update.changes {
            match change {
                Change::Changed(key) | Change::Opened(key) if session.left_out.contains(key) => {}
                Change::Changed(key) | Change::Opened(key) => {
                    let card = event.tracker.card_at(*key).expect("an update names cards that its tracker holds");
                    session.look_at(*key, &card.nested, now);
                }
                Change::Removed(_) => {}
            }
        }
    }

    /// The rows of each of so many sessions. One without a frame has none.
    pub(crate) fn of_sessions(mut self, sessions: usize) -> Vec<SessionRows> {
        self.0.resize_with(sessions, SessionRows::new);
        self.0
    }
}

impl SessionRows {
    fn new() -> Self {
        Self { looks: FIRST_LOOKS, ..Self::default() }
    }

    /// There are cards with so many rows that the times of these are not known.
    pub(crate) fn is_partial(&self) -> bool {
        !self.left_out.is_empty()
    }

    fn look_at(&mut self, key: CardKey, rows: &[NestedRow], now: Option<i64>) {
        if let Some(left) = self.looks.checked_sub(rows.len()) {
            self.looks = left;
            rows.iter().for_each(|row| self.note(row, now));
            return;
        }
        // Times of a part of them would look like those of all.
        self.left_out.insert(key);
        for row in rows {
            if let Some(place) = self.place(row) {
                self.rows[place] = RowSeen { start_ms: None, end_ms: None, is_over: false };
            }
        }
    }

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
