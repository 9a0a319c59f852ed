//! `cardfold explain`: which frames decided a card's state, and by which rules.

mod choice;
mod difference;
mod history;
pub(crate) mod json;
mod text;
mod words;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use cardfold_replay::Options;
use clap::Args;

use crate::arguments::Form;
use crate::exit::{BAD_USAGE, DONE};
use crate::explain::history::Histories;
use crate::output::room;
use crate::progress::Progress;
use crate::reading::{nothing_readable, read};
use crate::style::Palette;
use crate::wrapping::Wrapping;

/// Show which frames decided a card's state: file and line, kind, time, the rule, before and after.
///
/// For every change of a card: the line that made it, what that line is, the rule of the fold that decided, how the
/// card read before and after, and what else changed. It answers why a card says "running".
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_EXPLAIN)]
pub(crate) struct Explain {
    /// A stream (`--output-format stream-json`), a session's .jsonl file, a directory of these, or - for standard
    /// input.
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,

    /// The card: its dispatch id, its task id, or a part of its name that no other card's has. Without it all cards
    /// are explained.
    ///
    /// Capitals do not matter in a name. The id of a call or of a nested agent leads to the card that it counts in.
    #[arg(value_name = "CARD")]
    pub(crate) card: Option<String>,

    /// How to print it.
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub(crate) format: Form,

    /// The conversation goes on: leave agents running that have not ended.
    ///
    /// Without it a conversation is over where its input ends, and that end is the last change of what still ran.
    #[arg(long)]
    pub(crate) live: bool,
}

/// Prints the changes; gives the exit status.
pub(crate) fn run(explain: &Explain, palette: Palette, progress: &Progress, out: &mut impl Write) -> io::Result<u8> {
    let mut options = Options::default();
    options.live = explain.live;
    let mut histories = Histories::default();
    let report = read(&explain.path, &options, progress, |event| {
        histories.take(&event);
        ControlFlow::Continue(())
    });
    if report.sessions.is_empty() {
        return Ok(nothing_readable(&explain.path, &report.problems));
    }
    let chosen = match &explain.card {
        None => histories.all(report.sessions.len()),
        Some(card) => match choice::choose(&histories, &report.sessions, card) {
            Ok(chosen) => chosen,
            Err(refusal) => {
                refusal.complain(card);
                return Ok(BAD_USAGE);
            }
        },
    };
    match explain.format {
        Form::Json => json::write(out, &report, &histories, &chosen)?,
        Form::Text => {
            let out = &mut Wrapping::new(out, room());
            text::write(out, &report, &histories, &chosen, palette)?;
        }
    }
    Ok(DONE)
}

const AFTER_EXPLAIN: &str = "\
Try it:
  cardfold explain session.jsonl                 every card of a session
  cardfold explain session.jsonl toolu_01AbC     one card, by its dispatch id
  cardfold explain session.jsonl \"count lines\"    one card, by a part of its name
  cardfold explain --live session.jsonl count    the session still goes on
  claude -p … --output-format stream-json --verbose | cardfold explain -

The text form:
  ✓ completed  Count lines                       how the card reads now
    toolu_01AbC · task a1b2c3
    decided by session.jsonl:31                  the last line that changed that

    session.jsonl:12  assistant  2026-03-02T14:03:20.500Z
      not drawn → ● running (dispatch)           state or outcome, and (evidence)
      R1: …                                      the rule that decided
      also: calls 3 → 4                          what else changed
  A change of the store itself has no line: (beside the lines). The end of a
  conversation is (end of input). Standard input has line numbers alone.

The JSON form:
  {\"format\":\"cardfold-explain/1\",\"sessions\":[{\"session_id\":…,\"source\":…,
    \"skipped\":n,\"cards\":[{\"dispatch_id\":…,\"task_id\":…,\"name\":…,\"drawn\":…,
    \"state\":…,\"outcome\":…,\"evidence\":…,\"decided_by\":n,
    \"changes\":[{\"change\":\"opened\"|\"changed\"|\"removed\",\"frame\":n,\"file\":…,
      \"line\":n,\"kind\":…,\"time_ms\":n,\"rule\":\"R14\",\"because\":…,
      \"before\":{\"state\":…,\"outcome\":…,\"evidence\":…},\"after\":{…},
      \"also\":[{\"field\":\"calls\",\"words\":\"3 → 4\"}]}]}],
    \"problems\":[…],\"more_problems\":n}],\"problems\":[…],\"more_problems\":n}
  decided_by is the place in changes of the last one that changed the state, from
  0. before and after are null where the card is not drawn.

Exit status:
  0  explained
  1  nothing readable
  2  bad usage; no card is the one asked for, or several are: they are listed";
