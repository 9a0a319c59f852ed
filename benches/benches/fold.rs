//! What one frame costs the fold, against the length of the session and what is going on in it.
//!
//! The sizes are dispatches in a session, nested ones too: 10 is an ordinary one, 100 a long day's, 1,000 and 10,000 are
//! beyond what people do, and there to show a cost that grows with the session, if there is one. All groups report
//! elements (frames) per second, so flat figures mean that a frame costs the same wherever it stands. The time is the
//! processor's for this thread; making and decoding the frames is not in it.

use std::hint::black_box;
use std::time::Duration;

use cardfold::{Card, CardChange, CardTracker, Frame, Limits, Outcome};
use cardfold_benches::{ChainOrder, Chains, Workload, dispatch_id, time_frames};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// Levels at which the calls are made: by the card's own agent, as deep as real sessions go, and beyond them.
const DEPTHS: [usize; 3] = [1, 3, 30];

fn main() {
    let criterion = Criterion::default().sample_size(10).warm_up_time(Duration::from_secs(1));
    let mut criterion = criterion.measurement_time(Duration::from_secs(3)).configure_from_args();
    whole_session(&mut criterion);
    last_tenth(&mut criterion);
    live(&mut criterion);
    unowned_chain(&mut criterion);
    session_loop(&mut criterion);
    criterion.final_summary();
}

/// A session from its first frame to its last: the average over its length.
fn whole_session(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold/whole_session");
    for (depth, workload) in workloads() {
        let id = BenchmarkId::new(format!("depth_{depth}"), workload.dispatches());
        measure(&mut group, id, workload.frames(), || {
            let mut tracker = CardTracker::new();
            let time = fold(&mut tracker, workload, 0..workload.waves);
            assert_all_completed(&tracker, workload);
            time
        });
    }
    group.finish();
}

/// The last tenth of the agents, on top of all the others: what a frame costs late in a session. A tenth, and not a few
/// frames, so that a table that happens to grow there is paid for by as many frames as it was grown for.
fn last_tenth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold/last_tenth");
    for (depth, workload) in workloads() {
        let late = workload.waves.div_ceil(10);
        let early = workload.waves - late;
        let id = BenchmarkId::new(format!("depth_{depth}"), workload.dispatches());
        measure(&mut group, id, workload.frames() / workload.waves * late, || {
            let mut tracker = CardTracker::new();
            fold(&mut tracker, workload, 0..early);
            let time = fold(&mut tracker, workload, early..workload.waves);
            assert_all_completed(&tracker, workload);
            time
        });
    }
    group.finish();
}

/// The same 200 agents one after the other and all at once, their frames in turn: what it costs that others are live.
/// 200 is more than a client lets run at the same time.
fn live(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold/live");
    for at_once in [1, 200] {
        let workload = Workload { at_once, waves: 200 / at_once, ..Workload::of(200) };
        measure(&mut group, BenchmarkId::from_parameter(at_once), workload.frames(), || {
            let mut tracker = CardTracker::new();
            let time = fold(&mut tracker, workload, 0..workload.waves);
            assert_all_completed(&tracker, workload);
            time
        });
    }
    group.finish();
}

/// 10,000 calls whose agent no frame names, each made under the one before it: in chains of every length, so that only
/// the length differs. First with limits that keep all of them, until the dispatches come and take them up; then at the
/// defaults, where most of them are given up.
fn unowned_chain(criterion: &mut Criterion) {
    const CALLS: usize = 10_000;
    let mut group = criterion.benchmark_group("fold/unowned_chain");
    for (name, order) in [("from_top", ChainOrder::FromTop), ("from_below", ChainOrder::FromBelow)] {
        for length in SIZES {
            let chains = Chains { chains: CALLS / length, length, order };
            let (calls, dispatches) = (chains.calls(), chains.dispatches());
            let mut limits = Limits::default();
            (limits.orphan_calls, limits.unlinked_rows) = (CALLS, CALLS);
            measure(&mut group, BenchmarkId::new(name, length), CALLS + chains.chains, || {
                let mut tracker = CardTracker::with_limits(limits.clone());
                let waiting = time_frames(&calls, |frame| drop(black_box(tracker.apply(frame))));
                assert_eq!(tracker.diagnostics().orphans_waiting, CALLS as u64);
                assert_eq!(tracker.owner_of_call(&chains.last_call(0)), None);
                let linking = time_frames(&dispatches, |frame| drop(black_box(tracker.apply(frame))));
                assert_eq!(tracker.cards().map(|card| card.calls).sum::<u64>(), CALLS as u64);
                assert_eq!(tracker.owner_of_call(&chains.last_call(0)), Some(&*dispatch_id(0)));
                waiting + linking
            });
        }
        let chain = Chains { chains: 1, length: CALLS, order };
        let calls = chain.calls();
        measure(&mut group, BenchmarkId::new(format!("{name}_defaults"), CALLS), CALLS, || {
            let mut tracker = CardTracker::new();
            let time = time_frames(&calls, |frame| drop(black_box(tracker.apply(frame))));
            let counted = tracker.diagnostics();
            assert!(counted.orphans_waiting <= tracker.limits().orphan_calls as u64);
            assert_eq!(counted.orphans_waiting + counted.orphans_dropped, CALLS as u64);
            time
        });
    }
    group.finish();
}

/// What a host pays that asks [`CardTracker::changed_since`] after every frame and gets a copy of each changed card.
fn session_loop(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold/session_loop");
    for size in SIZES {
        let workload = Workload::of(size);
        measure(&mut group, BenchmarkId::from_parameter(size), workload.frames(), || {
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
            assert_eq!(last, tracker.card(&dispatch_id(workload.dispatches() - 1)));
            assert_all_completed(&tracker, workload);
            time
        });
    }
    group.finish();
}

fn workloads() -> impl Iterator<Item = (usize, Workload)> {
    DEPTHS.into_iter().flat_map(|depth| SIZES.map(|size| (depth, Workload::nested(size, depth))))
}

/// Reports the time that `run` gives, by the frames that it is for.
fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    frames: usize,
    mut run: impl FnMut() -> Duration,
) {
    group.throughput(Throughput::Elements(frames as u64));
    group.bench_function(id, |bencher| bencher.iter_custom(|runs| (0..runs).map(|_| run()).sum()));
}

fn fold(tracker: &mut CardTracker, workload: Workload, waves: std::ops::Range<usize>) -> Duration {
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
