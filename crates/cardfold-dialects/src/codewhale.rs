//! CodeWhale: a manager of sub-agents with a state file, a mailbox, transcripts, and texts in a parent's conversation.
//!
//! | it writes | a card reads |
//! |---|---|
//! | mailbox lines | start, parent, progress, calls, tokens, the ending; each line once, by turn and number |
//! | `subagents.v1.json` | every agent and worker: where it stands by both machines, parent, tokens, report, question |
//! | `subagent-transcripts/….jsonl` | calls; never an ending |
//! | completions in a parent's text | the ending, or the question; only where they can be genuine |
//!
//! Of one run the state file decides over mailbox and texts, and these over what is concluded at the end. Each agent's
//! calls are taken from one source: the transcript where there is one, else the mailbox, else the worker's ring of
//! events, which forgets the start: `calls_lower_bound` is noted then. Checkpoints, both status words, artifacts,
//! verification, usage in full, the recommended action, the objective, the route, steps, deliveries, evidence and the
//! cause of a failure are annotations.
//!
//! # Restarts
//!
//! A state file that is read for good is that of a manager which is gone, and the next one would find the agents that
//! still ran interrupted (S4-24). So does the end of the session here, as a guess; a parked agent settles as what its
//! result says: interrupted. Nothing of that happens while the session is live.
//!
//! # What it does not know
//!
//! - How a mailbox line and a message of a conversation are spelled: both are known from hearsay. The words of the note
//!   behind a summary, and of the line in a cut one, are not known at all, only what they are about.
//! - That an agent whose mailbox said `interrupted` can go on, where only a parent's text says so behind it: the ending was
//!   stated and stands (R22). The question is an annotation then.
//! - Times of anything but what the state file records: neither mailbox lines nor transcripts have any. Files are read
//!   one after the other: the state file, transcripts, then lines.
//! - How long an agent ran: `duration_ms` is the time since its start, whenever it was asked (W4-16).
//! - Which calls failed, from the ring; from the transcript only where the result says so or opens with `Error:` (W4-26).
//! - That a mailbox was sealed before a detached agent ended: the agent is then abandoned.
//! - Agents that the manager has swept away, and what another process of it overwrote (W4-14).

mod letters;
mod records;
mod texts;

mod calls;
mod mailbox;
mod sentinel;
mod standing;
mod state;
mod summary;
mod transcript;
mod words;

use std::path::Path;

use cardfold_wire::{Frame, Text};

use crate::annotations::Annotations;
use crate::dialect::{Dialect, Output, Place};
use crate::ending::{Ending, Strength};
use crate::fact::{self, Status};
use crate::ledger::Ledger;
use crate::message::{Message, Role};
use crate::object::Object;
use crate::recent::Recent;

use self::calls::Calls;
use self::mailbox::{Letter, Seen};
use self::state::Snapshot;
use self::transcript::Transcript;

/// The file of a manager's state, and the folder that it stands in below the root.
const STATE_FILE: &str = "subagents.v1.json";
const TRANSCRIPTS: &str = "subagent-transcripts";
const STATE_FOLDERS: [&str; 2] = [".codewhale/state", ".deepseek/state"];

/// What the next manager would say of agents that ran (S4-24).
const RESTARTED: &str = "Interrupted by process restart";

/// Agents that are remembered.
const AGENTS: usize = 16_384;

/// The dialect of CodeWhale.
#[derive(Debug)]
pub struct CodeWhale {
    ledger: Ledger,
    calls: Calls,
    seen: Seen,
    transcript: Transcript,
    /// The number of the file at hand, and of the one that the state comes from.
    file: u64,
    state_file: Option<u64>,
    sequence: Option<u64>,
    agents: Recent<Known>,
    /// Calls of agents that go on with others' conversations, which repeat the others' calls.
    held: Vec<(String, Frame<'static>)>,
}

/// What is remembered of an agent.
#[derive(Debug, Default)]
struct Known {
    /// What becomes of it when the session is over.
    at_end: AtEnd,
    resumed_from: Option<String>,
    tokens: u64,
    /// Calls that the ring of its worker tells.
    ring: Vec<Frame<'static>>,
}

/// What becomes of an agent that lives when the session is over.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum AtEnd {
    /// Nobody knows.
    #[default]
    Unknown,
    /// A state file has it running: the manager is gone.
    Restart,
    /// It was parked: its result says that it was interrupted, and so sure is who told of it.
    Parked(Strength),
}

impl Default for CodeWhale {
    fn default() -> Self {
        Self {
            ledger: Ledger::default(),
            calls: Calls::default(),
            seen: Seen::default(),
            transcript: Transcript::default(),
            file: 0,
            state_file: None,
            sequence: None,
            agents: Recent::new(AGENTS),
            held: Vec::new(),
        }
    }
}

impl Dialect for CodeWhale {
    fn name(&self) -> &'static str {
        "codewhale"
    }

    fn recognises(&self, object: Object<'_>) -> bool {
        let is_marked = |message: Message<'_>| message.role == Role::User && message.texts().any(sentinel::is_marked);
        Snapshot::is(object)
            || Transcript::is_header(object)
            || Letter::of(object).is_some_and(|letter| letter.known().is_some())
            || Message::of(object).is_some_and(is_marked)
    }

    fn documents(&self) -> &'static [&'static str] {
        &[STATE_FILE]
    }

    /// What stands below one root is one session. The file at the older place counts only where there is no other.
    fn place(&self, path: &Path) -> Place {
        let alone = Place { home: path.to_owned(), rank: 3 };
        let (Some(name), Some(folder)) = (path.file_name(), path.parent()) else { return alone };
        let (state, rank) = if name == STATE_FILE {
            (folder, 0)
        } else if folder.ends_with(TRANSCRIPTS) {
            (folder.parent().unwrap_or(folder), 2)
        } else {
            return alone;
        };
        let Some(place) = STATE_FOLDERS.iter().position(|inner| state.ends_with(inner)) else {
            return Place { home: state.to_owned(), rank };
        };
        let home = state.parent().and_then(Path::parent).unwrap_or(state).to_owned();
        Place { home, rank: if place == 1 && rank == 0 { 1 } else { rank } }
    }

    fn begin_file(&mut self) {
        self.file += 1;
        self.transcript = Transcript::default();
    }

    fn translate(&mut self, object: Object<'_>, out: &mut Output) {
        if Snapshot::is(object) {
            self.snapshot(object, out);
        } else if Transcript::is_header(object) || Transcript::is_message(object) {
            self.transcript_line(object, out);
        } else if let Some(letter) = Letter::of(object) {
            self.letter(&letter, out);
        } else if let Some(message) = Message::of(object) {
            self.completions(&message, out);
        } else {
            out.unknown(object.only().map_or("no kind", |(key, _)| key));
        }
    }

    fn end_of_input(&mut self, out: &mut Output) {
        self.tell_held(out);
        self.tell_rings(out);
        for (agent, count) in self.calls.guesses() {
            let mut annotations = Annotations::default();
            annotations.note("calls_failed_by_text", Some(count));
            out.frames.extend(annotations.frame(&agent));
        }
    }

    fn end_of_session(&mut self, out: &mut Output) {
        for agent in self.ledger.agents() {
            let at_end = self.agents.get(&agent).map_or(AtEnd::Unknown, |known| known.at_end);
            let ending = match at_end {
                AtEnd::Unknown => continue,
                AtEnd::Restart => {
                    let error = Some(fact::text(RESTARTED));
                    Ending { error, ..Ending::new(Strength::Guess, "interrupted") }
                }
                AtEnd::Parked(strength) => Ending::new(strength, "interrupted"),
            };
            if self.ledger.over(&agent).is_none() {
                self.ledger.end(out, None, &agent, ending);
            }
        }
    }
}

fn word(word: &str) -> Status<'_> {
    Status { word: Some(word), ..Status::default() }
}

fn said(text: &str) -> Option<Text<'static>> {
    (!text.is_empty()).then(|| fact::text(text))
}
