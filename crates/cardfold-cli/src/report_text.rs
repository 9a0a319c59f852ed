//! The report as text for people.

use std::io::{self, Write};

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
    problems::write(out, &report.problems, palette)
}

fn write_session(out: &mut impl Write, session: &Session, selection: Selection, palette: Palette) -> io::Result<()> {
    let cards = selection.cards(&session.tracker);
    writeln!(out, "{}", palette.paint(Tone::Name, Escaped(&session.source)))?;
    let mut facts = vec![format!("session {}", session.session_id.as_deref().unwrap_or("without an id"))];
    facts.push(counted(u64::try_from(cards.len()).expect("a count of cards fits"), "card"));
    let frames = counted(session.frames, "frame");
    facts.push(if session.stopped { format!("stopped after {frames}") } else { frames });
    if session.skipped > 0 {
        facts.push(format!("{} skipped", counted(session.skipped, "line")));
    }
    writeln!(out, "{}", palette.paint(Tone::Quiet, Escaped(&facts.join(" · "))))?;
    for card in &cards {
        writeln!(out)?;
        card_text::write(out, card, palette)?;
    }
    let hidden = session.tracker.undrawn();
    if selection == Selection::Drawn && hidden > 0 {
        let hidden = counted(u64::try_from(hidden).expect("a count of cards fits"), "card");
        let note = format!("{hidden} not drawn, for want of any sign of an agent; see --all");
        writeln!(out, "\n{}", palette.paint(Tone::Quiet, note))?;
    }
    if !session.problems.is_empty() {
        writeln!(out)?;
    }
    problems::write(out, &session.problems, palette)
}
