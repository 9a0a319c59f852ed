//! The program `cardfold`: reads arguments, prints, and picks exit codes. What it prints it has from the libraries.

mod arguments;
mod card_text;
mod escape;
mod figures;
mod moment;
mod ndjson;
mod nested_tree;
mod progress;
mod report_json;
mod report_text;
mod style;

use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use cardfold::{Card, CardTracker};
use cardfold_replay::{Event, Options, Report};
use clap::Parser;

use crate::arguments::{Arguments, Command, Format, Replay, STANDARD_INPUT};
use crate::escape::Escaped;
use crate::figures::counted;
use crate::progress::Progress;
use crate::style::Palette;

/// Nothing of the input could be read.
const NOTHING_READABLE: u8 = 1;
/// The arguments make no sense.
const BAD_USAGE: u8 = 2;
/// With `--strict`: a line was skipped.
const LINE_SKIPPED: u8 = 3;

fn main() -> ExitCode {
    let Command::Replay(replay) = match Arguments::try_parse() {
        Ok(arguments) => arguments.command,
        Err(error) => return answer_usage(&error),
    };
    // A live stream takes the time that it takes, and there is nothing to be ahead of or behind.
    let waits = replay.live && replay.is_standard_input();
    let progress = if waits { Progress::unseen() } else { Progress::start() };
    let mut out = BufWriter::new(StandardOutput { lock: io::stdout().lock(), progress: &progress });
    match run(&replay, &progress, &mut out).and_then(|report| out.flush().map(|()| report)) {
        Ok(report) => ExitCode::from(status(&replay, &report)),
        // The reader has had enough (`| head`): that is its right, and no news.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(format_args!("cannot write: {error}"));
            ExitCode::from(NOTHING_READABLE)
        }
    }
}

/// Standard output. A bar on the same terminal makes way for what is written.
struct StandardOutput<'p> {
    lock: StdoutLock<'static>,
    progress: &'p Progress,
}

impl Write for StandardOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.progress.beside(|| self.lock.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.progress.beside(|| self.lock.flush())
    }
}

fn run(replay: &Replay, progress: &Progress, out: &mut impl Write) -> io::Result<Report> {
    let selection = if replay.all { Selection::All } else { Selection::Drawn };
    match replay.format {
        Format::Json => {
            let report = read(replay, progress, |_| ControlFlow::Continue(()));
            report_json::write(out, &report, selection)?;
            Ok(report)
        }
        Format::Ndjson => follow(replay, progress, selection, out),
        Format::Text => {
            let report = read(replay, progress, |_| ControlFlow::Continue(()));
            report_text::write(out, &report, selection, Palette::for_stdout())?;
            Ok(report)
        }
    }
}

/// Prints each change as it happens.
fn follow(replay: &Replay, progress: &Progress, selection: Selection, out: &mut impl Write) -> io::Result<Report> {
    // Somebody waits at the other end for what comes in at this one.
    let at_once = replay.live || replay.is_standard_input();
    let mut written = Ok(());
    let report = read(replay, progress, |event| {
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

/// Reads everything that the arguments name, under the bar, which is gone afterwards.
fn read(replay: &Replay, progress: &Progress, mut observe: impl FnMut(Event<'_>) -> ControlFlow<()>) -> Report {
    let mut options = Options::default();
    options.live = replay.live;
    options.until_frame = replay.until;
    options.until_time = replay.at;
    let observe = |event: Event<'_>| {
        progress.take(&event);
        observe(event)
    };
    let report = if replay.is_standard_input() {
        cardfold_replay::replay_reader_observed(io::stdin(), STANDARD_INPUT, &options, observe)
    } else {
        cardfold_replay::replay_observed(&replay.path, &options, observe)
    };
    progress.finish();
    report
}

/// The exit status. What it cannot say by itself stands on standard error.
fn status(replay: &Replay, report: &Report) -> u8 {
    if report.sessions.is_empty() {
        let reason = report.problems.first().map_or(String::new(), |problem| format!(": {}", problem.detail));
        let path = replay.path.to_string_lossy();
        complain(format_args!("nothing readable in {}{}", Escaped(&path), Escaped(&reason)));
        return NOTHING_READABLE;
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
    0
}

/// In sessions, and in files that have not one readable frame and so are none.
fn skipped_lines(report: &Report) -> u64 {
    report.sessions.iter().fold(report.skipped, |sum, session| sum.saturating_add(session.skipped))
}

/// Prints the help that was asked for, or what is wrong with the arguments, which it repeats and so must escape.
fn answer_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return if error.print().is_ok() { ExitCode::SUCCESS } else { ExitCode::from(NOTHING_READABLE) };
    }
    for line in error.to_string().lines() {
        let _ = writeln!(io::stderr(), "{}", Escaped(line));
    }
    ExitCode::from(BAD_USAGE)
}

/// Says on standard error what went wrong. Where even that cannot be written there is nobody left to tell.
fn complain(what: impl Display) {
    let _ = writeln!(io::stderr(), "cardfold: {what}");
}

/// Which cards are shown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Selection {
    /// Those that are drawn, and those that R18.11 leaves out.
    All,
    /// Those that are drawn.
    Drawn,
}

impl Selection {
    fn cards(self, tracker: &CardTracker) -> Vec<Card> {
        match self {
            Self::All => tracker.all_cards().collect(),
            Self::Drawn => tracker.cards().collect(),
        }
    }
}
