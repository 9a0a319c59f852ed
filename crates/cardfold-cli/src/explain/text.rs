//! The changes of cards as text for people.

use std::io::{self, Write};

use cardfold::FrameKind;
use cardfold_replay::{Report, Session};

use crate::calendar::utc;
use crate::card_text;
use crate::escape::Escaped;
use crate::explain::history::{Chosen, Histories, History, Standing, Step};
use crate::explain::words;
use crate::problems;
use crate::reading::STANDARD_INPUT;
use crate::style::{Palette, Tone};

/// Characters of one field's words; past this they are cut, since the card itself is shown elsewhere.
const LONGEST_WORDS: usize = 60;

/// Writes the cards with their changes, below the sessions that they are of.
pub(crate) fn write(
    out: &mut impl Write,
    report: &Report,
    histories: &Histories,
    chosen: &[Chosen],
    palette: Palette,
) -> io::Result<()> {
    let mut is_first = true;
    for (place, session) in report.sessions.iter().enumerate() {
        let cards: Vec<&History> =
            chosen.iter().filter(|chosen| chosen.session == place).map(|chosen| histories.history(*chosen)).collect();
        if cards.is_empty() && report.sessions.len() > 1 {
            continue;
        }
        if !is_first {
            writeln!(out)?;
        }
        is_first = false;
        write_session(out, session, cards.is_empty(), palette)?;
        for history in cards {
            writeln!(out)?;
            write_card(out, histories, history, palette)?;
        }
        if !session.problems.is_empty() {
            writeln!(out)?;
        }
        problems::write(out, &session.problems, palette)?;
    }
    problems::write(out, &report.problems, palette)
}

fn write_session(out: &mut impl Write, session: &Session, is_empty: bool, palette: Palette) -> io::Result<()> {
    let id = session.session_id.as_deref().unwrap_or("without an id");
    writeln!(out, "{}", palette.paint(Tone::Name, Escaped(&session.source)))?;
    let empty = if is_empty { " · no card" } else { "" };
    writeln!(out, "{}", palette.paint(Tone::Quiet, format_args!("session {}{empty}", Escaped(id))))
}

fn write_card(out: &mut impl Write, histories: &Histories, history: &History, palette: Palette) -> io::Result<()> {
    let card = &history.card;
    let standing = card_text::Standing { state: card.state, outcome: card.outcome };
    write!(out, "{}  {}", standing.shown(palette), palette.paint(Tone::Name, Escaped(&card.name)))?;
    let facts = card_text::what_it_is(card);
    if !facts.is_empty() {
        write!(out, "  {}", palette.paint(Tone::Quiet, Escaped(&facts)))?;
    }
    writeln!(out)?;
    let task = card.task_id.as_ref().map_or(String::new(), |id| format!(" · task {id}"));
    let ids = format!("{}{task}", card.dispatch_id);
    writeln!(out, "  {}", palette.paint(Tone::Quiet, Escaped(&ids)))?;
    if !history.drawn {
        writeln!(out, "  not drawn now: no sign of an agent behind it, or it was no card after all")?;
    }
    if let Some(step) = history.decided_by().map(|place| &history.steps[place]) {
        let because = step.after.map_or("it is not drawn", |after| words::evidence(after.evidence));
        writeln!(out, "  decided by {}: {because}", Escaped(&place_words(histories, step)))?;
    }
    writeln!(out)?;
    history.steps.iter().try_for_each(|step| write_step(out, histories, step, palette))
}

fn write_step(out: &mut impl Write, histories: &Histories, step: &Step, palette: Palette) -> io::Result<()> {
    let place = place_words(histories, step);
    let tone = if step.decides() { Tone::Name } else { Tone::Quiet };
    let time = step.time_ms.map_or(String::new(), |ms| format!("  {}", utc(ms)));
    let kind = words::kind(step.kind);
    writeln!(out, "  {}  {kind}{}", palette.paint(tone, Escaped(&place)), palette.paint(Tone::Quiet, time))?;
    if step.decides() {
        writeln!(out, "    {} → {}", standing_words(step.before, palette), standing_words(step.after, palette))?;
    }
    let rule = format_args!("{}: {}", words::rule_number(step.rule), words::rule(step.rule));
    writeln!(out, "    {}", palette.paint(Tone::Quiet, rule))?;
    let also: Vec<String> =
        step.also.iter().map(|difference| format!("{} {}", difference.field, shortened(&difference.words))).collect();
    if also.is_empty() { Ok(()) } else { writeln!(out, "    also: {}", Escaped(&also.join(" · "))) }
}

/// `session.jsonl:12`, or the line alone of standard input.
fn place_words(histories: &Histories, step: &Step) -> String {
    match histories.place(step) {
        Some((STANDARD_INPUT, line)) => format!("line {line}"),
        Some((file, line)) => format!("{file}:{line}"),
        None if step.kind == FrameKind::EndSession => "(end of input)".to_owned(),
        None => "(beside the lines)".to_owned(),
    }
}

fn standing_words(standing: Option<Standing>, palette: Palette) -> String {
    standing.map_or_else(
        || "not drawn".to_owned(),
        |Standing { state, outcome, evidence }| {
            format!("{} ({})", card_text::Standing { state, outcome }.shown(palette), evidence.as_str())
        },
    )
}

fn shortened(words: &str) -> String {
    if words.chars().nth(LONGEST_WORDS).is_none() {
        return words.to_owned();
    }
    words.chars().take(LONGEST_WORDS - 1).chain(['…']).collect()
}
