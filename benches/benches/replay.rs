//! From files to cards: a made-up store like real ones, and the captures one after the other, read from a warm cache.
//!
//! - `long_day`: [`Shape::LONG_DAY`], 100 MB in 201 files, by one thread and by two.
//! - `captures`: the lines of all captures as one stream, which are shorter than those of real sessions: what a line costs
//!   counts for more, what a byte costs for less.

use std::fs::File;
use std::hint::black_box;
use std::{env, fs};

use cardfold_benches::captured::concatenated;
use cardfold_benches::store::{Shape, Store};
use cardfold_replay::{Options, Report, replay};
use criterion::{BenchmarkId, Criterion, Throughput};
use tempfile::TempDir;

fn main() {
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    long_day(&mut criterion);
    captures(&mut criterion);
    criterion.final_summary();
}

fn long_day(criterion: &mut Criterion) {
    // Run as a test, it is a short day: what is measured then is nothing.
    let is_test = env::args().any(|argument| argument == "--test");
    let shape = if is_test { Shape { bytes: Shape::LONG_DAY.bytes / 20, ..Shape::LONG_DAY } } else { Shape::LONG_DAY };
    let store = Store::write(shape);
    let mut group = criterion.benchmark_group("replay");
    group.throughput(Throughput::Bytes(store.bytes));
    for threads in [1, 2] {
        let mut options = Options::default();
        options.threads = threads;
        group.bench_function(BenchmarkId::new("long_day", threads), |bencher| {
            bencher.iter(|| {
                let report = replay(&store.session_file, &options);
                assert_all_found(&report, &store);
                black_box(report);
            });
        });
    }
    group.finish();
}

fn assert_all_found(report: &Report, store: &Store) {
    let [session] = &report.sessions[..] else { panic!("the store is one session") };
    assert_eq!((session.lines, session.skipped), (store.lines, 0));
    let cards = session.tracker.cards();
    let (drawn, calls) = cards.fold((0, 0), |(drawn, calls), card| (drawn + 1, calls + card.calls));
    assert_eq!((drawn, calls), (store.cards, store.calls));
}

fn captures(criterion: &mut Criterion) {
    let folder = TempDir::new().expect("a temporary directory can be made");
    let file = folder.path().join("captures.jsonl");
    fs::write(&file, concatenated()).expect("a file can be written");
    let bytes = File::open(&file).and_then(|file| file.metadata()).expect("the file is there").len();
    let lines = concatenated().split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count() as u64;
    let mut group = criterion.benchmark_group("replay");
    group.throughput(Throughput::Bytes(bytes));
    group.bench_function("captures", |bencher| {
        bencher.iter(|| {
            let report = replay(&file, &Options::default());
            assert_eq!(report.sessions.iter().map(|session| session.lines).sum::<u64>(), lines);
            black_box(report);
        });
    });
    group.finish();
}
