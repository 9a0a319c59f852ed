//! The program `cardfold`: reads arguments, prints, and picks exit codes. What it prints it has from the libraries.

// In reading order: what may be asked, each thing that is, and what they share.
mod arguments;
mod exit;

mod explain;
mod follow;
mod replay;
mod sessions;
mod shells;
mod stats;

mod ndjson;
mod report_html;
mod report_json;
mod report_svg;
mod report_text;

mod card_html;
mod card_text;
mod chart;
mod drawn;
mod lane_words;
mod nested_tree;
mod problems;
mod rows_seen;
mod timeline;

mod calendar;
mod columns;
mod escape;
mod figures;
mod markup;
mod moment;
mod output;
mod output_file;
mod progress;
mod reading;
mod style;
mod wrapping;

#[cfg(test)]
mod schema;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};
use crate::escape::Escaped;
use crate::exit::{BAD_USAGE, NOTHING_READABLE};
use crate::output::{StandardOutput, complain};
use crate::progress::Progress;
use crate::style::Palette;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return answer_usage(&error),
    };
    ending(run(&arguments))
}

/// Does what was asked; gives the exit status.
fn run(arguments: &Arguments) -> io::Result<u8> {
    let progress = if arguments.command.is_long_work() { Progress::start() } else { Progress::unseen() };
    let palette = match arguments.command.output() {
        Some(_) => Palette::for_file(arguments.color),
        None => Palette::for_stdout(arguments.color),
    };
    let out = &mut BufWriter::new(StandardOutput::beside(&progress));
    let status = match &arguments.command {
        Command::Completions(completions) => shells::complete(completions, out),
        Command::Explain(explain) => explain::run(explain, palette, &progress, out),
        Command::Follow(follow) => follow::run(follow, arguments.color, out),
        Command::Man(page) => shells::page(page, out),
        Command::Replay(replay) => replay::run(replay, palette, &progress, out),
        Command::Sessions(sessions) => sessions::run(sessions, palette, &progress, out),
        Command::Stats(stats) => stats::run(stats, palette, &progress, out),
    }?;
    out.flush()?;
    Ok(status)
}

fn ending(status: io::Result<u8>) -> ExitCode {
    match status {
        Ok(status) => ExitCode::from(status),
        // The reader has had enough (`| head`): that is its right, and no news.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(format_args!("cannot write: {error}"));
            ExitCode::from(NOTHING_READABLE)
        }
    }
}

/// Prints the help that was asked for, or what is wrong with the arguments, which it repeats and so must escape.
fn answer_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return ending(error.print().map(|()| exit::DONE));
    }
    for line in error.to_string().lines() {
        let _ = writeln!(io::stderr(), "{}", Escaped(line));
    }
    ExitCode::from(BAD_USAGE)
}
