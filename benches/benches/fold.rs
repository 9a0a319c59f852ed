//! What one frame costs the fold, against the length of the session and what is going on in it.
//!
//! The sizes are dispatches in a session, nested ones too: 10 is an ordinary one, 100 a long day's, 1,000 and 10,000 are
//! beyond what people do, and there to show a cost that grows with the session, if there is one. All groups report
//! elements (frames) per second, so flat figures mean that a frame costs the same wherever it stands. The time is the
//! processor's for this thread; making and decoding the frames is not in it. The bench `ratios` holds the ends of a
//! group against each other.

use std::time::Duration;

use cardfold_benches::{
    ChainOrder, ChainStreams, Chains, Workload, chains_given_up, chains_taken_up, last_tenth, session_loop,
    whole_session,
};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// Levels at which the calls are made: by the card's own agent, as deep as real sessions go, and beyond them.
const DEPTHS: [usize; 3] = [1, 3, 30];

fn main() {
    let criterion = Criterion::default().sample_size(10).warm_up_time(Duration::from_secs(1));
    let mut criterion = criterion.measurement_time(Duration::from_secs(3)).configure_from_args();
    whole_sessions(&mut criterion);
    last_tenths(&mut criterion);
    live(&mut criterion);
    unowned_chains(&mut criterion);
    session_loops(&mut criterion);
    criterion.final_summary();
}

/// The average over the length of a session.
fn whole_sessions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold/whole_session");
    for (id, workload) in workloads() {
        measure(&mut group, id, workload.frames(), || whole_session(workload));
    }
    group.finish();
}

fn last_tenths(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold/last_tenth");
    for (id, workload) in workloads() {
        measure(&mut group, id, workload.late_frames(), || last_tenth(workload));
    }
    group.finish();
}

/// The same 200 agents one after the other and all at once, their frames in turn: what it costs that others are live.
/// 200 is more than a client lets run at the same time.
fn live(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold/live");
    for at_once in [1, 200] {
        let workload = Workload { at_once, waves: 200 / at_once, ..Workload::of(200) };
        measure(&mut group, BenchmarkId::from_parameter(at_once), workload.frames(), || whole_session(workload));
    }
    group.finish();
}

/// 10,000 calls whose agent no frame names, each made under the one before it: in chains of every length, so that only
/// the length differs. With limits that keep all of them, and at the defaults.
fn unowned_chains(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold/unowned_chain");
    for (name, order) in [("from_top", ChainOrder::FromTop), ("from_below", ChainOrder::FromBelow)] {
        for length in SIZES {
            let chains = Chains { chains: 10_000 / length, length, order };
            let streams = ChainStreams::from(chains);
            let id = BenchmarkId::new(name, length);
            measure(&mut group, id, chains.frames() + chains.chains, || chains_taken_up(chains, &streams));
            let id = BenchmarkId::new(format!("{name}_defaults"), length);
            measure(&mut group, id, chains.frames(), || chains_given_up(chains, &streams));
        }
    }
    group.finish();
}

fn session_loops(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold/session_loop");
    for size in SIZES {
        let workload = Workload::of(size);
        measure(&mut group, BenchmarkId::from_parameter(size), workload.frames(), || session_loop(workload));
    }
    group.finish();
}

fn workloads() -> impl Iterator<Item = (BenchmarkId, Workload)> {
    DEPTHS.into_iter().flat_map(|depth| {
        SIZES.map(|size| {
            let workload = Workload::nested(size, depth);
            (BenchmarkId::new(format!("depth_{depth}"), workload.dispatches()), workload)
        })
    })
}

fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    frames: usize,
    mut run: impl FnMut() -> Duration,
) {
    group.throughput(Throughput::Elements(frames as u64));
    group.bench_function(id, |bencher| bencher.iter_custom(|runs| (0..runs).map(|_| run()).sum()));
}
