//! One run of a workload: what its frames cost the fold, and that the cards are right in the end. The cost is the
//! processor time of this thread, without the making and decoding of the frames.

use std::hint::black_box;
use std::ops::Range;
use std::time::Duration;

use cardfold::{Card, CardChange, CardTracker, Frame, Limits, Outcome};

use crate::chain::Chains;
use crate::clock::time_frames;
use crate::decode;
use crate::frames::dispatch_id;
use crate::workload::Workload;

/// A session from its first frame to its last: the average over its length.
#[must_use]
pub fn whole_session(workload: Workload) -> Duration {
    let mut tracker = CardTracker::new();
    let time = fold(&mut tracker, workload, 0..workload.waves);
    assert_all_completed(&tracker, workload);
    time
}

/// The [late waves](Workload::late_waves) of a session, on top of all the others.
#[must_use]
pub fn last_tenth(workload: Workload) -> Duration {
    let early = workload.waves - workload.late_waves();
    let mut tracker = CardTracker::new();
    fold(&mut tracker, workload, 0..early);
    let time = fold(&mut tracker, workload, early..workload.waves);
    assert_all_completed(&tracker, workload);
    time
}

/// A session whose host asks [`CardTracker::changed_since`] after every frame and gets a copy of each changed card.
#[must_use]
pub fn session_loop(workload: Workload) -> Duration {
    let mut tracker = CardTracker::new();
    let mut stream = workload.stream();
    let (mut seen, mut last) = (0, None::<Card>);
    let mut apply = |frame: &Frame<'_>| {
        black_box(tracker.apply(frame));
        for change in tracker.changed_since(seen).expect("the loop asks after every frame") {
            match change {
                CardChange::Card(card) => last = Some(*card),
                CardChange::Removed { dispatch_id } => panic!("no card of {dispatch_id} was to be removed"),
            }
        }
        seen = tracker.revision();
    };
    let time = (0..workload.waves).map(|wave| time_frames(stream.wave(wave), &mut apply)).sum();
    assert_eq!(last, tracker.card(&dispatch_id(workload.agent_of_card(workload.cards() - 1))));
    assert_all_completed(&tracker, workload);
    time
}

/// Calls that nobody owns, with limits that keep all of them, and then the dispatches that take them up. `streams` are
/// those of the chains.
#[must_use]
pub fn chains_taken_up(chains: Chains, streams: &ChainStreams) -> Duration {
    let calls = chains.frames();
    let mut limits = Limits::default();
    (limits.orphan_calls, limits.unlinked_rows) = (calls, calls);
    let mut tracker = CardTracker::with_limits(limits);
    let waiting = time_frames(&streams.calls, |frame| drop(black_box(tracker.apply(frame))));
    assert_eq!(tracker.diagnostics().orphans_waiting, calls as u64);
    assert_eq!(tracker.owner_of_call(&chains.last_call(0)), None);
    let linking = time_frames(&streams.dispatches, |frame| drop(black_box(tracker.apply(frame))));
    assert_eq!(tracker.cards().map(|card| card.calls).sum::<u64>(), calls as u64);
    assert_eq!(tracker.owner_of_call(&chains.last_call(0)), Some(&*dispatch_id(0)));
    waiting + linking
}

/// Calls that nobody owns, at the default limits: most of 10,000 are given up.
#[must_use]
pub fn chains_given_up(chains: Chains, streams: &ChainStreams) -> Duration {
    let calls = chains.frames();
    let mut tracker = CardTracker::new();
    let time = time_frames(&streams.calls, |frame| drop(black_box(tracker.apply(frame))));
    let counted = tracker.diagnostics();
    assert!(counted.orphans_waiting <= tracker.limits().orphan_calls as u64);
    assert_eq!(counted.orphans_waiting + counted.orphans_dropped, calls as u64);
    time
}

/// The streams of [`Chains`]: made once, for any number of runs.
#[derive(Clone, Debug)]
pub struct ChainStreams {
    calls: Vec<u8>,
    dispatches: Vec<u8>,
}

impl ChainStreams {
    /// The frames of the calls, and of the dispatches behind them.
    #[must_use]
    pub fn frames(&self) -> [Vec<Frame<'_>>; 2] {
        [&self.calls, &self.dispatches].map(|stream| decode(stream))
    }
}

impl From<Chains> for ChainStreams {
    fn from(chains: Chains) -> Self {
        Self { calls: chains.calls(), dispatches: chains.dispatches() }
    }
}

fn fold(tracker: &mut CardTracker, workload: Workload, waves: Range<usize>) -> Duration {
    let mut stream = workload.stream();
    waves.map(|wave| time_frames(stream.wave(wave), |frame| drop(black_box(tracker.apply(frame))))).sum()
}

fn assert_all_completed(tracker: &CardTracker, workload: Workload) {
    assert_eq!(tracker.drawn(), workload.cards());
    for (number, card) in tracker.cards().enumerate() {
        assert_eq!(card.dispatch_id, dispatch_id(workload.agent_of_card(number)));
        assert_eq!((card.outcome, card.calls), (Some(Outcome::Completed), workload.calls_of_card() as u64));
        assert_eq!(card.nested.len() + 1, workload.depth);
    }
}
