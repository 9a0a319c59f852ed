//! One run of an agent: what has been said about it, and how that reads (R15, R18, R20). Knows no other agent.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::card::{Evidence, Outcome, State};
use crate::table::Key;

/// Runs that may turn out to be one.
const ALSO: usize = 64;

/// What the sources said about one run. A new run begins with a new value (R15).
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Run {
    /// Tells the runs of a tracker apart, over all agents, from 1.
    pub(crate) serial: u32,
    /// Serials of runs that turned out to be this one (R3).
    pub(crate) also: SmallVec<[u32; 2]>,
    pub(crate) roster: Roster,
    pub(crate) answer: Answer,
    /// The frame with which the answer came.
    pub(crate) answered_at: u64,
    /// An acknowledgement came (true) or a report as the answer (false); decides `backgrounded`.
    pub(crate) answer_background: Option<bool>,
    /// An interrupt marker stands (R12), and when it came.
    pub(crate) marker: bool,
    pub(crate) marker_ms: Option<i64>,
    /// An ending that a dialect guessed.
    pub(crate) guess: Option<Guessed>,
    /// The level has listed the run (R17).
    pub(crate) listed: bool,
    /// The level listed it and lists it no longer.
    pub(crate) level_lost: bool,
    /// The ending that the end of the session made us conclude (R28).
    pub(crate) inferred: Option<(Outcome, Evidence)>,
    /// The ending was a wait for work of its own (R19c).
    pub(crate) parked: bool,
    /// A stop call ended the run: a `completed` that follows is its echo (R13).
    pub(crate) stop_called: bool,
    /// The current run carries the agent's greatest run id.
    pub(crate) has_run_id: bool,
    /// It has that id from a level that came when it was over: a start with the same id is that of the next run.
    pub(crate) id_by_level: bool,
    /// A task frame of this run came.
    pub(crate) task_frame: bool,
    /// A `started` of this run came, or what counts as one.
    pub(crate) started: bool,
    /// A frame of the agent itself came.
    pub(crate) seen: bool,
    /// The agent's last own frame is text of the model without a call.
    pub(crate) last_word: bool,
    /// The call that started the run, where it was not the dispatch, and the frame that said so.
    pub(crate) start_call: Option<Key>,
    pub(crate) begun_at: u64,
    /// The roster had said that the run is live before that call started it.
    pub(crate) was_live: bool,
    /// The frame of the first call that was made in the run; 0 where there is none.
    pub(crate) first_call_at: u64,
    /// The frame with which the run was over, and the one with which it was so no longer.
    pub(crate) settled_at: u64,
    pub(crate) reopened_at: u64,
    /// What was called before it was reopened goes by a serial in `also`, and how many of these calls are pending.
    pub(crate) is_parted: bool,
    pub(crate) pending_before: u32,
    /// When the run ended, as far as the task frames and the answer state it. A marker ranks below both, so its time
    /// is not that of their ending.
    pub(crate) end: End,
    /// Where the report came from; a better source, or the same again, replaces it (R24).
    pub(crate) report_rank: u8,
    /// A patch gave the error text.
    pub(crate) error_patched: bool,
}

/// An ending that was read out of another system's text.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct Guessed {
    pub(crate) outcome: Outcome,
    pub(crate) ended_at_ms: Option<i64>,
    /// The agent's error is that of the guess.
    pub(crate) gave_error: bool,
}

/// The time of an ending.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub(crate) struct End {
    /// A frame of the ending came.
    noted: bool,
    /// The first `end_time` that one of them states.
    stated_ms: Option<i64>,
    /// The time of the first of them, which may have none.
    first_frame_ms: Option<i64>,
    /// The time of the answer that ends the run.
    answer_ms: Option<i64>,
}

impl End {
    /// Takes a frame of the ending; the first time stated stands.
    pub(crate) fn note(&mut self, end_time_ms: Option<i64>, frame_ms: Option<i64>) {
        self.stated_ms = self.stated_ms.or(end_time_ms);
        if !self.noted {
            self.first_frame_ms = frame_ms;
        }
        self.noted = true;
    }

    /// Takes the answer that ends the run.
    pub(crate) fn note_answer(&mut self, frame_ms: Option<i64>) {
        self.note(None, frame_ms);
        self.answer_ms = frame_ms;
    }

    fn unite(&mut self, other: Self) {
        self.stated_ms = self.stated_ms.or(other.stated_ms);
        if !self.noted {
            self.first_frame_ms = other.first_frame_ms;
        }
        self.noted |= other.noted;
        self.answer_ms = self.answer_ms.or(other.answer_ms);
    }

    fn ms(self) -> Option<i64> {
        self.stated_ms.or(self.first_frame_ms)
    }
}

/// What the task frames say of a run.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) enum Roster {
    /// Nothing.
    #[default]
    Silent,
    /// It is alive.
    Live(State),
    /// It is over.
    Ended(Outcome),
}

/// What the result of the dispatch says of a run (R11).
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) enum Answer {
    /// There is none.
    #[default]
    None,
    /// It was started.
    Acknowledgement,
    /// An error, with the outcome it means.
    Error(Outcome),
    /// A report.
    Report,
    /// Something else.
    Unrecognised,
}

impl Answer {
    /// The answer ends the run.
    pub(crate) fn is_ending(self) -> bool {
        match self {
            Self::Error(_) | Self::Report => true,
            Self::None | Self::Acknowledgement | Self::Unrecognised => false,
        }
    }
}

/// How a run reads.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Reading {
    pub(crate) state: State,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) evidence: Evidence,
    /// The card is shown (R18.11).
    pub(crate) drawn: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Self::live(State::Running, Evidence::Dispatch)
    }
}

impl Reading {
    fn live(state: State, evidence: Evidence) -> Self {
        Self { state, outcome: None, evidence, drawn: true }
    }

    fn settled(outcome: Outcome, evidence: Evidence) -> Self {
        Self { state: State::Settled, outcome: Some(outcome), evidence, drawn: true }
    }

    pub(crate) fn is_settled(self) -> bool {
        self.state == State::Settled
    }
}

/// What the calls and requests below an agent add to the reading of its run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Activity {
    /// Open calls of the agent and of those below it.
    pub(crate) open: u32,
    /// Calls the agent made, in any run.
    pub(crate) calls: u32,
    /// Open permission requests of the agent and of those below it.
    pub(crate) asking: u32,
}

impl Run {
    /// The run that calls and nested agents call by this serial.
    pub(crate) fn is(&self, serial: u32) -> bool {
        self.serial == serial || self.also.contains(&serial)
    }

    /// Another agent's run turned out to be this one: what either was told counts for both.
    pub(crate) fn unite(&mut self, other: &Self) {
        if self.roster == Roster::Silent {
            self.roster = other.roster;
            self.parked = other.parked;
        }
        self.unite_answer(other);
        self.end.unite(other.end);
        if other.seen {
            self.last_word = other.last_word;
        }
        self.marker |= other.marker;
        self.marker_ms = self.marker_ms.or(other.marker_ms);
        self.guess = self.guess.or(other.guess);
        self.level_lost |= other.level_lost;
        self.inferred = self.inferred.or(other.inferred);
        self.stop_called |= other.stop_called;
        self.has_run_id |= other.has_run_id;
        self.task_frame |= other.task_frame;
        self.started |= other.started;
        self.seen |= other.seen;
        self.start_call = self.start_call.or(other.start_call);
        self.begun_at = self.begun_at.max(other.begun_at);
        self.first_call_at = self.first_call_at.max(other.first_call_at);
        self.report_rank = self.report_rank.max(other.report_rank);
        self.error_patched |= other.error_patched;
    }

    /// Takes the answer to the dispatch from the run that it was counted in, if it came when this one had begun.
    /// True if it ended the run, so that its text is this run's.
    pub(crate) fn take_answer_of(&mut self, earlier: &Self) -> bool {
        if earlier.answer == Answer::None || earlier.answered_at <= self.begun_at {
            return false;
        }
        self.unite_answer(earlier);
        if earlier.answer.is_ending() {
            self.end.note_answer(earlier.end.answer_ms);
            self.report_rank = self.report_rank.max(earlier.report_rank);
        }
        earlier.answer.is_ending()
    }

    fn unite_answer(&mut self, other: &Self) {
        if self.answer == Answer::None || (other.answer.is_ending() && !self.answer.is_ending()) {
            self.answer = other.answer;
            self.answered_at = other.answered_at;
        }
        self.answer_background = self.answer_background.or(other.answer_background);
    }

    /// The run goes on after all. What is called from now on goes by another serial, so that it can be told from what was
    /// called before, should a later run turn out to have begun in between.
    pub(crate) fn reopen(&mut self, at: u64, serial: u32, pending: u32) {
        self.also.push(std::mem::replace(&mut self.serial, serial));
        self.reopened_at = at;
        self.is_parted = true;
        self.pending_before = pending;
    }

    /// As [`reopen`](Self::reopen), where what was called before is not told apart.
    pub(crate) fn reopen_whole(&mut self, at: u64) {
        self.reopened_at = at;
        self.is_parted = false;
    }

    /// There is room for the serial of what was called so far.
    pub(crate) fn can_part(&self) -> bool {
        self.also.len() < ALSO / 2
    }

    /// The run's calls since it was reopened turned out to be those of this one.
    pub(crate) fn absorb_reopened(&mut self, other: &Self) {
        self.also.push(other.serial);
    }

    /// Calls and nested agents may go by the serial of another agent's run that turned out to be this one.
    pub(crate) fn absorb(&mut self, other: &Self) {
        self.also.push(other.serial);
        self.also.extend(other.also.iter().copied());
        // More than a few only a hostile stream makes; the oldest calls of such an agent are then cut off.
        let over = self.also.len().saturating_sub(ALSO);
        self.also.drain(..over);
    }

    /// Something says that the run is over, or makes us conclude it.
    pub(crate) fn has_ending(&self) -> bool {
        self.ending().is_some()
    }

    /// The ladder (R18), with what waits (R19).
    pub(crate) fn read(&self, below: Activity) -> Reading {
        if let Some(reading) = self.ending() {
            return reading;
        }
        let mut reading = self.read_live(below);
        if below.asking > 0 && !reading.is_settled() {
            reading.state = State::Waiting;
            reading.drawn = true;
        }
        reading
    }

    /// R18.1–5, and the end of the session.
    fn ending(&self) -> Option<Reading> {
        if let Roster::Ended(outcome) = self.roster
            && !self.parked
        {
            return Some(Reading::settled(outcome, Evidence::Roster));
        }
        if let Answer::Error(outcome) = self.answer {
            return Some(Reading::settled(outcome, Evidence::Error));
        }
        if self.answer == Answer::Report {
            return Some(Reading::settled(Outcome::Completed, Evidence::Report));
        }
        if self.marker {
            return Some(Reading::settled(Outcome::Stopped, Evidence::Error));
        }
        if let Some(guess) = self.guess {
            return Some(Reading::settled(guess.outcome, Evidence::Guessed));
        }
        if self.level_lost {
            return Some(Reading::settled(Outcome::Ended, Evidence::Level));
        }
        self.inferred.map(|(outcome, evidence)| Reading::settled(outcome, evidence))
    }

    /// R18.6–11.
    fn read_live(&self, below: Activity) -> Reading {
        if self.parked {
            return Reading::live(State::Waiting, Evidence::Roster);
        }
        if let Roster::Live(state) = self.roster {
            return Reading::live(state, Evidence::Roster);
        }
        if below.open > 0 {
            return Reading::live(State::Running, Evidence::OpenCall);
        }
        let undrawn = Reading { drawn: false, ..Reading::live(State::Running, Evidence::Dispatch) };
        match self.answer {
            Answer::None => Reading::live(State::Running, Evidence::Dispatch),
            Answer::Unrecognised if below.calls > 0 => Reading::settled(Outcome::Completed, Evidence::CallsSettled),
            Answer::Acknowledgement if self.seen => Reading::live(State::Running, Evidence::Dispatch),
            // An error and a report were read with the endings; here they add nothing.
            Answer::Unrecognised | Answer::Acknowledgement | Answer::Error(_) | Answer::Report => undrawn,
        }
    }

    /// A source has stated that the run is over; what trails behind changes calls and nothing else (R22).
    pub(crate) fn is_stated_over(&self) -> bool {
        (matches!(self.roster, Roster::Ended(_)) && !self.parked) || self.answer.is_ending()
    }

    /// A source had stated that the run was over before the frame `at` came (R22).
    pub(crate) fn was_over_before(&self, at: u64) -> bool {
        self.is_stated_over() && self.settled_at < at
    }

    /// What was only concluded, or waited, is over: an observation, or a sign of life, takes its place (R20).
    pub(crate) fn forget_inferred_end(&mut self) {
        if self.parked || self.level_lost || self.inferred.is_some() {
            self.end = End::default();
        }
        self.parked = false;
        self.level_lost = false;
        self.inferred = None;
    }

    /// When the run ended, where a source said so.
    pub(crate) fn ended_at_ms(&self, reading: Reading) -> Option<i64> {
        if reading.evidence == Evidence::Guessed {
            return self.guess.and_then(|guess| guess.ended_at_ms);
        }
        if !reading.is_settled() || reading.evidence.is_inferred() {
            return None;
        }
        let by_marker = reading.evidence == Evidence::Error && !self.answer.is_ending();
        if by_marker { self.marker_ms } else { self.end.ms() }
    }
}
