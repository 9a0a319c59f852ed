//! The report as a stream: one JSON object a change, in the order in which a session loop would push them.

use std::collections::BTreeSet;
use std::io::{self, Write};

use cardfold::{Card, CardTracker, Change, Update};
use cardfold_replay::{Event, Session};
use serde::Serialize;

use crate::escape::write_json;

/// The version of a line's shape. Fields may be added under it; none is renamed or dropped.
const FORMAT: &str = "cardfold-changes/1";

/// One change: what a line of `cardfold replay --format ndjson` is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Line<'a> {
    /// `cardfold-changes/1`.
    #[cfg_attr(test, schemars(extend("const" = "cardfold-changes/1")))]
    format: &'static str,
    session_id: Option<&'a str>,
    /// The frame's number in its session, from 1; the end of the session is the number after the last.
    frame: u64,
    /// `opened`, `changed` or `removed`.
    change: &'static str,
    /// A removed card is shown as it last was.
    #[cfg_attr(test, schemars(with = "crate::schema::Card"))]
    card: &'a Card,
}

/// Writes what one frame changed. Frames count from 1 in each session; the end of the session is the number after the
/// last. A removed card is written as it last was.
pub(crate) fn write_update(out: &mut impl Write, event: &Event<'_>) -> io::Result<()> {
    let Event { session_id, number, update, tracker, .. } = *event;
    write_changes(out, &Told { session_id, frame: number, update, tracker })
}

/// What one frame did.
pub(crate) struct Told<'a> {
    pub(crate) session_id: Option<&'a str>,
    pub(crate) frame: u64,
    pub(crate) update: &'a Update,
    pub(crate) tracker: &'a CardTracker,
}

/// As [`write_update`], for who folds by himself.
pub(crate) fn write_changes(out: &mut impl Write, told: &Told<'_>) -> io::Result<()> {
    told.update.changes.iter().try_for_each(|change| {
        let held = |key| told.tracker.card_at(key).expect("an update names cards that its tracker holds");
        let (change, card) = match change {
            Change::Changed(key) => ("changed", &held(*key)),
            Change::Opened(key) => ("opened", &held(*key)),
            Change::Removed(card) => ("removed", &**card),
        };
        write_line(out, &Line { format: FORMAT, session_id: told.session_id, frame: told.frame, change, card })
    })
}

/// Writes one change of a card that no update tells of: as an update would, but for the frame, which is the last one.
pub(crate) fn write_change(
    out: &mut impl Write,
    session_id: Option<&str>,
    frame: u64,
    change: &'static str,
    card: &Card,
) -> io::Result<()> {
    write_line(out, &Line { format: FORMAT, session_id, frame, change, card })
}

/// Writes the cards that are not drawn as opened, after everything else: no update tells of them (R25).
pub(crate) fn write_undrawn(out: &mut impl Write, session: &Session) -> io::Result<()> {
    let drawn: BTreeSet<String> = session.tracker.cards().map(|card| card.dispatch_id).collect();
    let undrawn = session.tracker.all_cards().filter(|card| !drawn.contains(&card.dispatch_id));
    undrawn.into_iter().try_for_each(|card| {
        write_change(out, session.session_id.as_deref(), session.frames.saturating_add(1), "opened", &card)
    })
}

fn write_line(out: &mut impl Write, line: &Line<'_>) -> io::Result<()> {
    // One write a line, so that whatever ends the program leaves whole lines: all of them in a pipe, and in a file all but
    // the last, which the system may leave at the end of a page.
    let mut whole = Vec::new();
    write_json(&mut whole, line)?;
    whole.push(b'\n');
    out.write_all(&whole)
}
