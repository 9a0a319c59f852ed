//! `cardfold replay`: the cards of what was read.

use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use cardfold::{Card, CardTracker};
use cardfold_replay::{Options, Report};

use crate::arguments::{Format, Replay};
use crate::drawn::Drawn;
use crate::escape::Escaped;
use crate::exit::{BAD_USAGE, DONE, LINE_SKIPPED, NOTHING_READABLE};
use crate::figures::counted;
use crate::output::{complain, room};
use crate::progress::Progress;
use crate::reading::{nothing_readable, read};
use crate::rows_seen::RowsSeen;
use crate::style::Palette;
use crate::wrapping::Wrapping;
use crate::{drawn, ndjson, output_file, report_html, report_json, report_svg, report_text};

/// Prints the cards; gives the exit status.
pub(crate) fn run(replay: &Replay, palette: Palette, progress: &Progress, out: &mut impl Write) -> io::Result<u8> {
    let Some(path) = &replay.output else {
        let report = print(replay, palette, progress, room(), out)?;
        out.flush()?;
        return Ok(status(replay, &report));
    };
    if is_same_file(&replay.path, path) {
        let shown = path.to_string_lossy();
        complain(format_args!("the output would replace the input, {}: give --output another name", Escaped(&shown)));
        return Ok(BAD_USAGE);
    }
    output_file::write(path, |out| {
        let report = print(replay, palette, progress, None, out)?;
        let status = status(replay, &report);
        Ok((status, status != NOTHING_READABLE))
    })
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one)
        .ok()
        .is_some_and(|one| one.is_file() && fs::canonicalize(other).is_ok_and(|other| one == other))
}

/// Texts are broken to `room`, the width of the terminal that they go to.
fn print(
    replay: &Replay,
    palette: Palette,
    progress: &Progress,
    room: Option<usize>,
    out: &mut impl Write,
) -> io::Result<Report> {
    let selection = if replay.all { Selection::All } else { Selection::Drawn };
    match replay.format {
        Format::Html => {
            timed(replay, progress, selection, |report, drawn| report_html::write(out, report, drawn, selection))
        }
        Format::Json => whole(replay, progress, |report| report_json::write(out, report, selection)),
        Format::Ndjson => follow(replay, progress, selection, out),
        Format::Svg => timed(replay, progress, selection, |_, drawn| report_svg::write(out, drawn)),
        Format::Text => whole(replay, progress, |report| {
            report_text::write(&mut Wrapping::new(out, room), report, selection, palette)
        }),
    }
}

/// Prints what there is when everything is read.
fn whole(replay: &Replay, progress: &Progress, write: impl FnOnce(&Report) -> io::Result<()>) -> io::Result<Report> {
    let report = read(&replay.path, &options(replay), progress, |_| ControlFlow::Continue(()));
    write(&report)?;
    Ok(report)
}

/// As [`whole`], drawn by the times of the cards and what only the frames say of others.
fn timed(
    replay: &Replay,
    progress: &Progress,
    selection: Selection,
    write: impl FnOnce(&Report, &[Drawn<'_>]) -> io::Result<()>,
) -> io::Result<Report> {
    let mut rows = RowsSeen::default();
    let report = read(&replay.path, &options(replay), progress, |event| {
        rows.take(&event);
        ControlFlow::Continue(())
    });
    let cards = drawn::cards(&report, selection);
    write(&report, &Drawn::all(&report, &cards, &rows.of_sessions(report.sessions.len())))?;
    Ok(report)
}

/// Prints each change as it happens.
fn follow(replay: &Replay, progress: &Progress, selection: Selection, out: &mut impl Write) -> io::Result<Report> {
    // Somebody waits at the other end for what comes in at this one.
    let at_once = replay.live || replay.is_standard_input();
    let mut written = Ok(());
    let report = read(&replay.path, &options(replay), progress, |event| {
        if !event.update.changes.is_empty() {
            written = ndjson::write_update(out, &event).and_then(|()| if at_once { out.flush() } else { Ok(()) });
        }
        // The input may go on for hours, or for ever.
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    written?;
    if selection == Selection::All {
        report.sessions.iter().try_for_each(|session| ndjson::write_undrawn(out, session))?;
    }
    Ok(report)
}

fn options(replay: &Replay) -> Options {
    let mut options = Options::default();
    options.dialect = replay.dialect;
    options.live = replay.live;
    options.until_frame = replay.until;
    options.until_time = replay.at;
    options
}

/// The exit status. What it cannot say by itself stands on standard error.
fn status(replay: &Replay, report: &Report) -> u8 {
    if report.sessions.is_empty() {
        return nothing_readable(&replay.path, &report.problems);
    }
    let timeless = report.sessions.iter().filter(|session| session.first_ms.is_none()).count();
    if replay.at.is_some() && timeless > 0 {
        let sessions = counted(u64::try_from(timeless).expect("a count of sessions fits"), "session");
        complain(format_args!("no frame has a time in {sessions}: --at shows everything there"));
    }
    let skipped = skipped_lines(report);
    if replay.strict && skipped > 0 {
        complain(format_args!("{} could not be read", counted(skipped, "line")));
        return LINE_SKIPPED;
    }
    DONE
}

/// In sessions, and in files that have not one readable frame and so are none.
fn skipped_lines(report: &Report) -> u64 {
    report.sessions.iter().fold(report.skipped, |sum, session| sum.saturating_add(session.skipped))
}

/// Which cards are shown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Selection {
    /// Those that are drawn, and those that R18.11 leaves out.
    All,
    /// Those that are drawn.
    Drawn,
}

impl Selection {
    pub(crate) fn cards(self, tracker: &CardTracker) -> Vec<Card> {
        match self {
            Self::All => tracker.all_cards().collect(),
            Self::Drawn => tracker.cards().collect(),
        }
    }
}
