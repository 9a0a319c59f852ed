//! The little story of one agent: its runs, and what was said of it in each.

use std::collections::{BTreeMap, BTreeSet};

use cardfold::{Evidence, Kind, Outcome, State};
use cardfold_wire::Usage;

use super::model::ModelUsage;
use super::sayings::Id;

#[derive(Debug, Default)]
pub(super) struct Life {
    /// Never empty once the agent was heard of.
    pub(super) runs: Vec<Run>,
    pub(super) title: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) kind: Option<Kind>,
    pub(super) backgrounded: Option<bool>,
    pub(super) model: Option<String>,
    pub(super) first_time: Option<i64>,
    pub(super) answer_model: Option<String>,
    pub(super) answer_kind: Option<Kind>,
    pub(super) sidecar_type: Option<String>,
    pub(super) sidecar_model: Option<String>,
    /// The greatest run id seen.
    pub(super) greatest: Option<String>,
    /// Calls that started frames named, and whether the frame was the start of a run; and those that results named.
    pub(super) started_by_frames: BTreeMap<Id, bool>,
    pub(super) started_by_results: BTreeSet<Id>,
    figures: [Option<Figure>; 3],
}

/// One run, as far as it was told.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub(super) id: Option<String>,
    /// It has that id from a level that came when it was over, which a start of that id shows to be another run's.
    pub(super) id_by_level: bool,
    /// The call that started it, where a statement names one.
    pub(super) started_by: Option<Id>,
    /// The run of the agent above that was current when this one began.
    pub(super) above: usize,
    pub(super) end: Option<End>,
    pub(super) answer: Option<Answer>,
    /// An acknowledgement came, and no report that answers the dispatch after it.
    pub(super) acknowledged: bool,
    /// The report came as a user turn.
    pub(super) handed_back: bool,
    pub(super) error: Option<String>,
    /// A marker stands (R12), with the time of its frame.
    pub(super) marker: Option<Option<i64>>,
    pub(super) listed: bool,
    pub(super) lost: bool,
    pub(super) live: Option<State>,
    /// A frame of the agent itself was seen; the last of them is a text of the model without a call.
    pub(super) heard: bool,
    pub(super) last_word: bool,
    /// A task frame of the run was seen.
    pub(super) rostered: bool,
    /// A `TaskStop` ended it (R13).
    pub(super) stopped: bool,
    pub(super) requests: Vec<Request>,
    pub(super) activity: Option<String>,
    /// The first end time, and the timestamp of the first frame that states the ending, should it have one.
    pub(super) end_time: Option<i64>,
    pub(super) end_stamp: Option<Option<i64>>,
    /// The report by what is told beside the answer, and the summaries of notices that end the run.
    pub(super) told: Option<String>,
    pub(super) summaries: Vec<String>,
    /// How it came out, once another run has begun.
    pub(super) outcome: Option<Outcome>,
    /// What the end of the session makes of it (R28).
    pub(super) concluded: Option<(Outcome, Evidence)>,
}

/// How the roster says that a run ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) outcome: Outcome,
    pub(super) parked: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Answer {
    Acknowledgement,
    Error { outcome: Outcome, text: String },
    Report { content: String, text: String },
    Unrecognised,
}

#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) at: usize,
    pub(super) id: Id,
    pub(super) call: Option<Id>,
    pub(super) question: Option<String>,
}

/// Whose count a figure is: the later of these beat the earlier.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Counter {
    Block,
    Answer,
    Roster,
}

#[derive(Clone, Copy, Debug)]
struct Figure {
    run: usize,
    counter: Counter,
    value: u64,
}

impl Life {
    pub(super) fn new(first: Run) -> Self {
        Self { runs: vec![first], ..Self::default() }
    }

    /// The number of the current run, from 0.
    pub(super) fn current(&self) -> usize {
        self.runs.len() - 1
    }

    pub(super) fn run(&self) -> &Run {
        self.runs.last().expect("an agent that was heard of has a run")
    }

    pub(super) fn run_mut(&mut self) -> &mut Run {
        self.runs.last_mut().expect("an agent that was heard of has a run")
    }

    /// Takes figures of the current run: each beats that of a lesser counter and of an earlier run, and never goes down.
    pub(super) fn count(&mut self, counter: Counter, usage: Usage) {
        let run = self.current();
        let values = [usage.total_tokens, usage.tool_uses, usage.duration_ms];
        for (figure, value) in self.figures.iter_mut().zip(values) {
            let Some(value) = value else { continue };
            *figure = match *figure {
                Some(known) if known.run == run && known.counter > counter => Some(known),
                Some(known) if known.run == run => Some(Figure { run, counter, value: value.max(known.value) }),
                Some(_) | None => Some(Figure { run, counter, value }),
            };
        }
    }

    pub(super) fn usage(&self) -> Option<ModelUsage> {
        let [total_tokens, tool_uses, duration_ms] = self.figures.map(|figure| figure.map(|figure| figure.value));
        let usage = ModelUsage { total_tokens, tool_uses, duration_ms };
        Some(usage).filter(|usage| *usage != ModelUsage::default())
    }
}

impl Run {
    /// The roster or an answer has stated that the run is over (R22).
    pub(super) fn is_stated_over(&self) -> bool {
        self.is_ended() || matches!(self.answer, Some(Answer::Error { .. } | Answer::Report { .. }))
    }

    /// The roster has stated that the run is over, and that it is not parked.
    pub(super) fn is_ended(&self) -> bool {
        self.end.is_some_and(|end| !end.parked)
    }

    pub(super) fn is_parked(&self) -> bool {
        self.end.is_some_and(|end| end.parked)
    }

    /// The roster says that the run is live, in a word.
    pub(super) fn enliven(&mut self, state: State) {
        if self.is_parked() {
            self.end = None;
            (self.end_time, self.end_stamp) = (None, None);
        }
        self.live = Some(state);
        self.lost = false;
    }

    /// The roster says that the run is over.
    pub(super) fn finish(&mut self, end: End, end_time: Option<i64>, time: Option<i64>) {
        if self.is_parked() {
            (self.end_time, self.end_stamp) = (None, None);
        }
        self.end = Some(end);
        self.lost = false;
        self.stamp(end_time, time);
    }

    /// Takes the times of a frame that states an ending: the first end time stands, and the first frame.
    pub(super) fn stamp(&mut self, end_time: Option<i64>, time: Option<i64>) {
        self.end_time = self.end_time.or(end_time);
        self.end_stamp = self.end_stamp.or(Some(time));
    }

    /// When the run ended, by what decided it: the time of a marker is its own.
    pub(super) fn ended_at(&self, evidence: Evidence) -> Option<i64> {
        let by_answer = matches!(self.answer, Some(Answer::Error { .. } | Answer::Report { .. }));
        if evidence == Evidence::Error && !by_answer {
            self.marker.flatten()
        } else {
            self.end_time.or(self.end_stamp.flatten())
        }
    }
}
