//! The report as text for people.

use std::io::{self, Write};

use cardfold::Card;
use cardfold_replay::{Report, Session};

use crate::card_text;
use crate::escape::Escaped;
use crate::figures::counted;
use crate::problems;
use crate::replay::Selection;
use crate::style::{Palette, Tone};

/// Writes each session with its cards, then what belongs to none.
pub(crate) fn write(out: &mut impl Write, report: &Report, selection: Selection, palette: Palette) -> io::Result<()> {
    for (place, session) in report.sessions.iter().enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        write_session(out, session, selection, palette)?;
    }
    if !report.problems.is_empty() && !report.sessions.is_empty() {
        writeln!(out)?;
    }
    // Where nothing is readable for one reason alone, standard error gives it.
    if report.sessions.is_empty() && report.problems.len() == 1 {
        return Ok(());
    }
    problems::write(out, &report.problems, palette)
}

fn write_session(out: &mut impl Write, session: &Session, selection: Selection, palette: Palette) -> io::Result<()> {
    let cards = selection.cards(&session.tracker);
    writeln!(out, "{}", palette.paint(Tone::Name, Escaped(&session.source)))?;
    let facts = facts(session, &cards);
    writeln!(out, "{}", palette.paint(Tone::Quiet, Escaped(&facts)))?;
    for card in &cards {
        writeln!(out)?;
        card_text::write(out, card, palette)?;
    }
    if let Some(note) = undrawn_note(session, selection) {
        writeln!(out, "\n{}", palette.paint(Tone::Quiet, note))?;
    }
    if !session.problems.is_empty() {
        writeln!(out)?;
    }
    problems::write(out, &session.problems, palette)
}

/// Id, cards and frames of a session in a line.
pub(crate) fn facts(session: &Session, cards: &[Card]) -> String {
    let mut facts = vec![format!("session {}", session.session_id.as_deref().unwrap_or("without an id"))];
    facts.push(counted(u64::try_from(cards.len()).expect("a count of cards fits"), "card"));
    let frames = counted(session.frames, "frame");
    facts.push(if session.stopped { format!("stopped after {frames}") } else { frames });
    if session.skipped > 0 {
        facts.push(format!("{} skipped", counted(session.skipped, "line")));
    }
    facts.join(" · ")
}

/// How many cards are left out, and how to see them.
pub(crate) fn undrawn_note(session: &Session, selection: Selection) -> Option<String> {
    let hidden = u64::try_from(session.tracker.undrawn()).expect("a count of cards fits");
    (selection == Selection::Drawn && hidden > 0)
        .then(|| format!("{} not drawn, for want of any sign of an agent; see --all", counted(hidden, "card")))
}
