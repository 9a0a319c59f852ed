//! What one frame costs the fold, against the length of the session.
//!
//! The sizes are dispatches in a session: 10 is an ordinary one, 100 a long day's, 1,000 and 10,000 are beyond what
//! people do, and there to show a cost that grows with the session, if there is one. Both groups report elements
//! (frames) per second, so flat figures mean that a frame costs the same wherever it stands.

use std::hint::black_box;

use cardfold::{CardTracker, Frame, Outcome};
use cardfold_benches::{Workload, decode, dispatch_id};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput};

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

fn main() {
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    whole_session(&mut criterion);
    last_tenth(&mut criterion);
    criterion.final_summary();
}

/// A session from its first frame to its last: the average over its length.
fn whole_session(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold/whole_session");
    for dispatches in SIZES {
        let workload = Workload::of(dispatches);
        let stream = workload.stream();
        let frames = decode(&stream);
        assert_eq!(frames.len(), workload.frames());
        group.throughput(Throughput::Elements(frames.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(dispatches), |bencher| {
            bencher.iter_with_large_drop(|| {
                let mut tracker = CardTracker::new();
                fold(&mut tracker, &frames);
                assert_all_completed(&tracker, workload);
                tracker
            });
        });
    }
    group.finish();
}

/// The last tenth of the agents, on top of all the others: what a frame costs late in a session. A tenth, and not a few
/// frames, so that a table that happens to grow there is paid for by as many frames as it was grown for.
fn last_tenth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold/last_tenth");
    for dispatches in SIZES {
        let workload = Workload::of(dispatches);
        let late = dispatches / 10;
        let before = workload.stream_of(0, dispatches - late);
        let before = decode(&before);
        let stream = workload.stream_of(dispatches - late, late);
        let frames = decode(&stream);
        group.throughput(Throughput::Elements(frames.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(dispatches), |bencher| {
            bencher.iter_batched(
                || {
                    let mut tracker = CardTracker::new();
                    fold(&mut tracker, &before);
                    tracker
                },
                |mut tracker| {
                    fold(&mut tracker, &frames);
                    assert_all_completed(&tracker, workload);
                    tracker
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn fold(tracker: &mut CardTracker, frames: &[Frame<'_>]) {
    for frame in frames {
        black_box(tracker.apply(frame));
    }
}

/// Checks the ends of the list, since reading every card would be timed too.
fn assert_all_completed(tracker: &CardTracker, workload: Workload) {
    assert_eq!(tracker.drawn(), workload.dispatches);
    for agent in [0, workload.dispatches - 1] {
        let card = tracker.card(&dispatch_id(agent)).expect("the first and the last card are there");
        assert_eq!((card.outcome, card.calls), (Some(Outcome::Completed), workload.calls_each as u64));
    }
}
