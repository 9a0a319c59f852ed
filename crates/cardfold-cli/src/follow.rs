//! `cardfold follow`: the cards of a session while it goes on, on a screen or as a line per change.

mod card_lines;
mod clock;
mod input;
mod keys;
mod lines;
mod model;
mod page;
mod pass;
mod screen;
mod sessions;
mod signals;
mod terminal;
mod text;
mod view;
mod watch;

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use cardfold_dialects::Dialect;
use cardfold_replay::Options;
use clap::Args;

use crate::arguments::{Color, dialect};
use crate::escape::Escaped;
use crate::exit::{BAD_USAGE, DONE, NOTHING_READABLE};
use crate::output::complain;
use crate::reading::is_standard_input;
use crate::style::Palette;
use input::Input;
use terminal::Device;

/// Watch the sub-agents of a session while it goes on.
///
/// On a terminal the cards stand on a full screen: those that run with what they do now, their time, tokens and last
/// calls; those that are over folded to a line. Where standard output is no terminal, each change is a line of JSON, as
/// `cardfold replay --format ndjson` prints it.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_FOLLOW)]
pub(crate) struct Follow {
    /// A session's .jsonl file, its folder, a captured stream that is still written to, a folder of another system's
    /// files, or - for a stream at standard input.
    ///
    /// A file may be one that is not there yet. Its agents' files are found as they come, and so are those of a folder.
    #[arg(value_name = "PATH")]
    path: PathBuf,

    /// Copy standard input to standard output, byte for byte, so that the program can stand in a pipe.
    ///
    /// The view is drawn on the terminal at standard error then, and keys are read from the controlling terminal. It
    /// closes by itself when the input ends; q closes it before that, and the copying goes on. Where standard error is
    /// no terminal, or standard output is one, input is copied and nothing is shown.
    #[arg(long)]
    pass_through: bool,

    /// Read everything as what this system wrote.
    ///
    /// Without it the input is recognised by what its first lines hold. With it a folder may hold nothing yet.
    #[arg(long, value_name = "SYSTEM", value_parser = dialect())]
    dialect: Option<fn() -> Box<dyn Dialect>>,
}

/// Follows until somebody quits or a stream ends; gives the exit status.
pub(crate) fn run(follow: &Follow, color: Color, out: &mut impl Write) -> io::Result<u8> {
    let is_stream = is_standard_input(&follow.path);
    if follow.pass_through && !is_stream {
        complain("--pass-through copies standard input: give - as PATH");
        return Ok(BAD_USAGE);
    }
    let device = device(follow.pass_through);
    if follow.pass_through && device.is_none() {
        pass::copy()?;
        return Ok(DONE);
    }
    let mut options = Options::default();
    options.dialect = follow.dialect;
    let input = match Input::open(&follow.path, follow.pass_through, &options) {
        Ok(input) => input,
        Err(problem) => {
            let path = follow.path.to_string_lossy();
            complain(format_args!(
                "cannot follow {}: {}; give a session's .jsonl file (`cardfold sessions` lists them), or a folder of \
                 another system's files",
                Escaped(&path),
                Escaped(&problem.detail)
            ));
            return Ok(NOTHING_READABLE);
        }
    };
    let frames = match device {
        Some(device) => screen::run(input, device, Palette::for_screen(color), follow.pass_through)?,
        None => lines::run(input, out)?,
    };
    if is_stream && frames == 0 {
        complain("nothing readable in -: give a stream (--output-format stream-json), or the file of a session");
        return Ok(NOTHING_READABLE);
    }
    Ok(DONE)
}

/// Where the view is drawn, if there is a terminal for it.
fn device(passes_through: bool) -> Option<Device> {
    // Such a terminal has no screen to speak of.
    if env::var_os("TERM").is_some_and(|term| term == "dumb") {
        return None;
    }
    match (passes_through, io::stdout().is_terminal(), io::stderr().is_terminal()) {
        (false, true, _) => Some(Device::Stdout),
        (true, false, true) => Some(Device::Stderr),
        (false, false, _) | (true, true, _) | (true, false, false) => None,
    }
}

const AFTER_FOLLOW: &str = "\
Try it:
  cardfold follow ~/.claude/projects/my-project/4241d8a9-0dee-4cd3-ba1b-ad35423f3c04.jsonl
  claude -p … --output-format stream-json --verbose | cardfold follow -
  claude -p … --output-format stream-json --verbose | cardfold follow --pass-through - > stream.jsonl
  cardfold follow session.jsonl | jq -r '[.change, .card.state, .card.name] | @tsv'

`cardfold sessions` lists the sessions of the store, with their files.

The view:
  The first line counts the cards. Below it they stand in the order in which they
  were dispatched, with the signs of `cardfold replay`: ● running, ○ queued,
  ◐ waiting, ✓ completed, ✗ failed, ■ stopped, ? abandoned, – ended; and of calls:
  ✓ returned, ✗ failed, … open, ⊘ cut off. Agents below others are indented.
  Where many run at once they show fewer calls, so that all of them are in sight.
  Time is that of the session: of its newest frame, and what has passed since.

Keys:
  ↑ ↓ or k j             the card before, the card after
  PgUp PgDn, Home End    further; after End the newest cards stay in sight
  Enter or → or l        open the card: all of its fields, its agents, its report
  Esc or ← or h          back; in the list: no filter, no card chosen
  /                      filter: words of a name, a type, a state, an outcome or an
                         id (/failed, /running explore); Enter keeps it
  q or Ctrl-C            quit
  Ctrl-Z, Ctrl-L         stop until fg; draw everything anew

What is read:
  A file is followed by what the file system tells; a line without an end waits for
  its rest. A file that is cut, written anew or replaced is read from the start, and
  one that is not there is waited for. Of another system's folder all sessions are
  followed; where several files are one session they are read from the start when
  one of them changes. A file has no end: what runs in it runs. A stream has one,
  and who was not seen to end by then is abandoned.

Without a terminal:
  The lines are those of `cardfold replay --format ndjson`. If files are read from
  the start, what reads differently then is told, the cards that are gone first.
  What only the end of a reading can tell, such as whose an agent is that nothing
  names, is told when the program is stopped by a signal; the view shows it before
  that, as far as it is known.

Exit status:
  0  somebody quit, the input ended, or whoever reads the output has had enough
  1  nothing readable: a stream without a frame, a folder of several sessions or of
     nobody's files; or the output could not be written
  2  bad usage
  A signal ends the program as it ends others; the terminal is as it was before.";
