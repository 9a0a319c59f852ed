//! `cardfold sessions`: every session below a store, the newest first.

pub(crate) mod json;
mod project;
mod store;
mod text;

use std::io::{self, Write};
use std::path::PathBuf;

use cardfold::Card;
use cardfold_replay::{Options, Session};
use clap::Args;

use crate::exit::{BAD_USAGE, DONE};
use crate::output::{complain, room};
use crate::progress::Progress;
use crate::reading::{nothing_readable, read_each};
use crate::sessions::store::default_store;
use crate::style::Palette;
use crate::wrapping::Wrapping;

/// List every session of the agent's store: time, dispatches, running and failed, tokens, size, project.
///
/// The newest comes first, by the last time that the session itself states.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_SESSIONS)]
pub(crate) struct Sessions {
    /// The store, or any folder in it. By default $CLAUDE_CONFIG_DIR/projects, else ~/.claude/projects, else
    /// $XDG_CONFIG_HOME/claude/projects (~/.config/claude/projects), whichever is there.
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,

    /// Print one JSON object instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What the list says of one session.
pub(crate) struct Row {
    pub(crate) session_id: Option<String>,
    pub(crate) source: String,
    /// The folder that the session works in, else the store's name for it.
    pub(crate) project: String,
    pub(crate) first_ms: Option<i64>,
    pub(crate) last_ms: Option<i64>,
    /// Sub-agents that the main thread dispatched.
    pub(crate) dispatches: u64,
    /// Those of them whose end the store does not state.
    pub(crate) running: u64,
    pub(crate) failed: u64,
    /// None where the store states no figure.
    pub(crate) total_tokens: Option<u64>,
    pub(crate) bytes: u64,
    pub(crate) skipped: u64,
}

/// Prints the list; gives the exit status.
pub(crate) fn run(sessions: &Sessions, palette: Palette, progress: &Progress, out: &mut impl Write) -> io::Result<u8> {
    let Some(dir) = sessions.dir.clone().or_else(default_store) else {
        complain("nothing says where the store is: give its DIR, or set CLAUDE_CONFIG_DIR or HOME");
        return Ok(BAD_USAGE);
    };
    let mut options = Options::default();
    // Whether a session is over is not stored. What its store does not end is shown as running.
    options.live = true;
    let mut rows = Vec::new();
    let report = read_each(&dir, &options, progress, |_| {}, |session| rows.push(Row::of(&session)));
    if rows.is_empty() {
        return Ok(nothing_readable(&dir, &report.problems));
    }
    rows.sort_by(|one, other| other.last_ms.cmp(&one.last_ms).then_with(|| one.source.cmp(&other.source)));
    if sessions.json {
        json::write(out, &dir.to_string_lossy(), &rows, &report.problems)?;
    } else {
        text::write(&mut Wrapping::new(out, room()), &rows, &report.problems, palette, room())?;
    }
    Ok(DONE)
}

impl Row {
    fn of(session: &Session) -> Self {
        let cards: Vec<Card> = session.tracker.cards().collect();
        let those = |is_meant: fn(&Card) -> bool| count(cards.iter().filter(|card| is_meant(card)).count());
        let tokens = cards.iter().filter_map(|card| card.usage?.total_tokens);
        Self {
            session_id: session.session_id.clone(),
            source: session.source.clone(),
            project: project::of(&session.source),
            first_ms: session.first_ms,
            last_ms: session.last_ms,
            dispatches: count(cards.len().saturating_add(session.tracker.undrawn())),
            running: those(|card| card.running),
            failed: those(|card| card.failed),
            total_tokens: tokens.reduce(u64::saturating_add),
            bytes: session.bytes,
            skipped: session.skipped,
        }
    }
}

fn count(cards: usize) -> u64 {
    u64::try_from(cards).expect("a count of cards fits")
}

const AFTER_SESSIONS: &str = "\
Try it:
  cardfold sessions
  cardfold sessions ~/.claude/projects/-home-me-work
  cardfold sessions --json | jq '.sessions[] | select(.failed > 0) | .source'

The columns:
  TIME (UTC)  the last time that the session states
  AGENTS      sub-agents that its main thread dispatched
  RUNNING     those whose end the store does not state. Of a session that goes on
              they run; a session that was killed keeps them for ever, since no
              store says that it is over (`cardfold replay` takes it to be)
  FAILED      those that failed, were stopped or interrupted, or ran out
  TOKENS      of the sub-agents, as far as the store states figures
  SIZE        of the session's file and its agents' files
  PROJECT     the folder that the session works in
  PATH        what to give to `cardfold replay` or `cardfold explain`; below the
              rest where a terminal has no room for it

The JSON form:
  {\"format\":\"cardfold-sessions/1\",\"store\":…,\"sessions\":[{\"session_id\":…,
    \"source\":…,\"project\":…,\"first_ms\":n,\"last_ms\":n,\"dispatches\":n,
    \"running\":n,\"failed\":n,\"total_tokens\":n,\"bytes\":n,\"skipped\":n}],
    \"problems\":[…],\"more_problems\":n}
  Times are Unix milliseconds. A time or a figure that nothing states is null.

Exit status:
  0  listed
  1  not one session, or a folder that cannot be opened
  2  bad usage; no DIR is given and no default is known";
