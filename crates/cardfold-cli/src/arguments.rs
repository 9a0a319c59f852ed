//! The command line: what may be asked, and what `--help` teaches.

use std::path::{Path, PathBuf};

use cardfold_dialects::{Dialect, dialect_named, dialects};
use cardfold_replay::Until;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::explain::Explain;
use crate::follow::Follow;
use crate::moment::moment;
use crate::reading::is_standard_input;
use crate::sessions::Sessions;
use crate::shells::{Completions, ManPage};
use crate::stats::Stats;

/// Shows the sub-agents of an AI coding agent: what they do, what they did, how they ended.
#[derive(Debug, Parser)]
#[command(name = "cardfold", version, arg_required_else_help = true, after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Colour in the text that is printed: where a terminal reads it, always, or never.
    ///
    /// With auto a terminal gets colour unless NO_COLOR is set to something or TERM is dumb. JSON has none.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: Color,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Completions(Completions),
    Explain(Explain),
    Follow(Follow),
    Man(ManPage),
    Replay(Replay),
    Sessions(Sessions),
    Stats(Stats),
}

impl Command {
    /// It may take long enough for a bar. A live stream takes the time that it takes, and there is nothing to be ahead
    /// of or behind.
    pub(crate) fn is_long_work(&self) -> bool {
        match self {
            Self::Completions(_) | Self::Follow(_) | Self::Man(_) => false,
            Self::Explain(explain) => !(explain.live && is_standard_input(&explain.path)),
            Self::Replay(replay) => !(replay.live && replay.is_standard_input()),
            Self::Sessions(_) | Self::Stats(_) => true,
        }
    }

    /// The file that takes what is printed.
    pub(crate) fn output(&self) -> Option<&Path> {
        match self {
            Self::Replay(replay) => replay.output.as_deref(),
            Self::Completions(_)
            | Self::Explain(_)
            | Self::Follow(_)
            | Self::Man(_)
            | Self::Sessions(_)
            | Self::Stats(_) => None,
        }
    }
}

/// When text is coloured.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, and not against the reader's will.
    #[default]
    Auto,
    /// Also into a pipe or a file.
    Always,
    /// Nowhere.
    Never,
}

/// Read a captured stream or a stored conversation and show one card per dispatched sub-agent.
///
/// A card is one sub-agent that the main thread started with the tool `Agent` (older: `Task`). What that agent
/// dispatches itself is a nested row of its card, and its calls count in the card.
///
/// What other agent systems write down is read as well: the protocol and the result.json files of a Go supervisor,
/// Synaps' saved conversations and events, CodeWhale's state file, transcripts, mailbox and conversations.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_REPLAY)]
pub(crate) struct Replay {
    /// A stream (`--output-format stream-json`), a session's .jsonl file, a directory of these, or - for standard
    /// input.
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,

    /// How to print the cards.
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub(crate) format: Format,

    /// Print into a file.
    ///
    /// The file takes its name when it is whole: where reading or writing fails, or nothing is readable, what stood
    /// under that name before still does. To follow a live stream let the shell write (> FILE) instead.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// The conversation goes on: leave agents running that have not ended.
    ///
    /// Without it a conversation is over where its input ends, and an agent that nobody saw end is abandoned.
    #[arg(long)]
    pub(crate) live: bool,

    /// Also show dispatches that were acknowledged or answered without any sign of an agent behind them.
    #[arg(long)]
    pub(crate) all: bool,

    /// Read everything as what this system wrote.
    ///
    /// Without it each file and stream is recognised by what its first lines hold.
    #[arg(long, value_name = "SYSTEM", value_parser = dialect())]
    pub(crate) dialect: Option<fn() -> Box<dyn Dialect>>,

    /// Exit with status 3 if a line could not be read.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Stop each session after its first N frames.
    ///
    /// Frames are counted as `--format ndjson` numbers them. A session that is left in the middle is not over: the
    /// cards are shown as they stood then, and what ran then is running.
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) until: Option<u64>,

    /// Stop each session at a time: what did it look like at 14:03?
    ///
    /// A time of day (14:03, 14:03:20) is UTC, on the day of the session's first frame. A full time has its offset
    /// (2026-03-02T14:03:00Z, 2026-03-02T15:03:00+01:00). What happened at that very moment is shown. As with
    /// --until, what ran then is running; a session whose last frame is earlier was over by then.
    /// A session in which no frame has a time is shown whole; standard error says so.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) at: Option<Until>,
}

impl Replay {
    pub(crate) fn is_standard_input(&self) -> bool {
        is_standard_input(&self.path)
    }
}

/// The forms of everything that is not a stream of changes.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(crate) enum Form {
    /// For people.
    #[default]
    Text,
    /// One object with everything.
    Json,
}

/// Takes the name of a dialect; the help names them all, and so does the complaint about one that there is not.
pub(crate) fn dialect() -> impl TypedValueParser<Value = fn() -> Box<dyn Dialect>> {
    let names = PossibleValuesParser::new(dialects().map(|make| make().name()));
    names.map(|name| dialect_named(&name).expect("only names of dialects are taken"))
}

fn count(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "not a number of frames (0, 1, 2, …)")
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(crate) enum Format {
    /// A block of lines a card, for people.
    #[default]
    Text,
    /// One object with everything, when the input has ended.
    Json,
    /// One line a change, while the input is read: for programs that follow along.
    Ndjson,
    /// One page that needs nothing else: the timeline, and the cards to search.
    Html,
    /// The timeline as a picture.
    Svg,
}

const AFTER_HELP: &str = "\
Try it:
  cardfold replay stream.jsonl
  cardfold replay ~/.claude/projects
  cardfold sessions
  cardfold follow session.jsonl
  cardfold replay --at 14:03 session.jsonl
  cardfold replay --format html -o agents.html session.jsonl
  cardfold explain session.jsonl \"Count the lines\"
  cardfold stats ~/.claude/projects
  claude -p … --output-format stream-json --verbose | cardfold follow -

`cardfold help replay` says what the text means and how the JSON looks; each command has such a page.

Exit status:
  0  done; also where whoever reads the output has had enough (| head)
  1  nothing readable, or the output could not be written
  2  bad usage, or no such card
  3  with --strict, a line was skipped";

const AFTER_REPLAY: &str = "\
Try it:
  cardfold replay session.jsonl                 a stored session, or a captured stream
  cardfold replay ~/.claude/projects            every session below a folder
  cardfold replay --at 14:03 session.jsonl      as it stood at that time
  cardfold replay --format html -o agents.html session.jsonl
  cardfold replay --format json . | jq '.sessions[].cards[] | select(.failed)'
  claude -p … --output-format stream-json --verbose | cardfold replay --live --format ndjson -

The text form:
  ● running    ○ queued    ◐ waiting      the agent lives
  ✓ completed  ✗ failed    ■ stopped      it ended, and the stream says so
  ? abandoned  – ended                    it is over, and the stream does not say how
  (inferred)                              a conclusion or a guess, not a statement
  Below that: calls, time, tokens and the dispatch id; the last four calls
  (✓ returned, ✗ failed, … open, ⊘ cut off by the end of its agent); and a line
  for each agent that it dispatched in turn. Tokens from 10,000 on are rounded
  (12.3k); the JSON forms have every figure exactly. Colour is used on a terminal
  only, and not where NO_COLOR is set, unless --color says otherwise. What takes
  longer than a second shows on a terminal at standard error how far it is.

The JSON form:
  {\"format\":\"cardfold/1\",\"sessions\":[{\"session_id\":…,\"source\":…,\"lines\":n,
    \"frames\":n,\"skipped\":n,\"unknown\":n,\"undrawn\":n,\"stopped\":…,
    \"problems\":[{\"file\":…,\"line\":n,\"kind\":…,\"detail\":…}],
    \"more_problems\":n,\"cards\":[…]}],\"problems\":[…],\"more_problems\":n}
  skipped counts the lines that could not be read, unknown the objects of a type
  that this build does not know, undrawn the cards that only --all shows. stopped
  is true where --until or --at left the session before its end. problems has the
  first 1,000 of a session, more_problems counts the rest. The outer ones belong
  to no session.

The ndjson form:
  {\"format\":\"cardfold-changes/1\",\"session_id\":…,\"frame\":n,
    \"change\":\"opened\"|\"changed\"|\"removed\",\"card\":{…}}
  Frames count from 1 in each session; the end of a session is the number after
  its last frame. Keep the last card of each dispatch_id and drop the removed
  ones: what is left are the cards. With --all the cards that are not drawn are
  opened last.

The html form is one file: no network, no script but its own search. The svg form
is its timeline alone. A bar reaches from the start of the first run to the end of
the last one; its end has a shape: a disc completed, a cross failed, a square
stopped, a diamond abandoned, an empty disc ended, an arrow running, an empty arrow
queued, two strokes waiting. A dashed bar says that the end is not known. Agents
below others have words and no bar, for a card does not say when they ran; cards
without a time stand last.

Exit status:
  0  folded
  1  nothing readable: an empty file, a directory without a session, a path that
     cannot be opened; or the output could not be written
  2  bad usage, or the output would replace the input
  3  with --strict, a line was skipped";
