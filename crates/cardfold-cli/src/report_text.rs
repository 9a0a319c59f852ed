//! The report as text for people.

use std::io::{self, Write};

use cardfold_replay::{Problems, Report, Session};

use crate::Selection;
use crate::card_text;
use crate::escape::Escaped;
use crate::figures::counted;
use crate::style::{Palette, Tone};

/// Problems that are listed one by one; past this a reader is better served by the JSON report.
const LISTED_PROBLEMS: usize = 10;

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
    write_problems(out, &report.problems, palette)
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
    write_problems(out, &session.problems, palette)
}

fn write_problems(out: &mut impl Write, problems: &Problems, palette: Palette) -> io::Result<()> {
    for problem in problems.iter().take(LISTED_PROBLEMS) {
        let line = problem.line.map_or(String::new(), |line| format!(":{line}"));
        writeln!(
            out,
            "{} {}{line}: {}",
            palette.paint(Tone::Unsure, format_args!("{}:", problem.kind.as_str())),
            Escaped(&problem.file),
            Escaped(&problem.detail),
        )?;
    }
    let unlisted = u64::try_from(problems.len().saturating_sub(LISTED_PROBLEMS)).expect("a count of problems fits");
    let more = unlisted.saturating_add(problems.more());
    if more > 0 {
        let note = format!("and {} more", counted(more, "problem"));
        writeln!(out, "{}", palette.paint(Tone::Quiet, note))?;
    }
    Ok(())
}
