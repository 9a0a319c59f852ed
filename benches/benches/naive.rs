//! What folding saves: a frame's cost against that of the usual way, which keeps every call, builds all cards anew after
//! each frame and compares the lists.
//!
//! 400 dispatches with 50 calls each are a long session of an orchestrating agent. Both ways take the same decoded
//! frames: of the middle of the session, which is about the average of its length, and of its end. Only [`SLICE`] frames
//! of each are timed, since the usual way would take a minute for all. Elements are frames; the ratio of two times of one
//! place is what folding saves. The time is the processor's for this thread.

use std::hint::black_box;
use std::time::Duration;

use cardfold::CardTracker;
use cardfold_benches::{Naive, NaiveCard, Workload, decode, time_frames};
use criterion::{BenchmarkId, Criterion, Throughput};

const WORKLOAD: Workload = Workload { waves: 40, at_once: 10, depth: 1, calls_each: 50 };

/// Frames that are timed: ten calls of each of the agents at work.
const SLICE: usize = 300;

fn main() {
    let criterion = Criterion::default().sample_size(10).warm_up_time(Duration::from_secs(1));
    let mut criterion = criterion.measurement_time(Duration::from_secs(3)).configure_from_args();
    let mut session = Vec::new();
    let mut stream = WORKLOAD.stream();
    for wave in 0..WORKLOAD.waves {
        session.extend_from_slice(stream.wave(wave));
    }
    assert_same_cards(&session);
    let wave = session.len() / WORKLOAD.waves;
    for (name, end) in [("middle", wave * WORKLOAD.waves / 2), ("end", session.len())] {
        measure(&mut criterion, name, &session[..end]);
    }
    criterion.final_summary();
}

/// Times the last [`SLICE`] frames of a stream both ways.
fn measure(criterion: &mut Criterion, place: &str, stream: &[u8]) {
    let mut ends = memchr::memrchr_iter(b'\n', stream);
    let begin = ends.nth(SLICE).expect("the session is longer than the slice") + 1;
    let (before, slice) = stream.split_at(begin);
    let mut group = criterion.benchmark_group("naive");
    group.throughput(Throughput::Elements(SLICE as u64));
    group.bench_function(BenchmarkId::new("cardfold", place), |bencher| {
        bencher.iter_custom(|runs| {
            let run = |_| {
                let mut tracker = CardTracker::new();
                time_frames(before, |frame| drop(tracker.apply(frame)));
                time_frames(slice, |frame| drop(black_box(tracker.apply(frame))))
            };
            (0..runs).map(run).sum()
        });
    });
    let mut kept = Naive::default();
    decode(before).iter().for_each(|frame| kept.keep(frame));
    group.bench_function(BenchmarkId::new("naive", place), |bencher| {
        bencher.iter_custom(|runs| {
            let run = |_| {
                let mut naive = kept.clone();
                time_frames(slice, |frame| drop(black_box(naive.apply(frame))))
            };
            (0..runs).map(run).sum()
        });
    });
    group.finish();
}

/// Both ways give the same cards: else the comparison would not be fair. Looked at after every 997th frame (a prime, so
/// that every sort of frame is the last one some time), and at the end.
fn assert_same_cards(session: &[u8]) {
    let (mut tracker, mut naive) = (CardTracker::new(), Naive::default());
    let frames = decode(session);
    assert_eq!(frames.len(), WORKLOAD.frames());
    for (number, frame) in frames.iter().enumerate() {
        tracker.apply(frame);
        naive.keep(frame);
        if number % 997 == 0 || number + 1 == frames.len() {
            assert_eq!(naive.all_cards(), tracker.cards().map(NaiveCard::from).collect::<Vec<_>>());
        }
    }
    assert_eq!(naive.all_cards().len(), WORKLOAD.cards());
}
