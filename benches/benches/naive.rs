//! What folding saves: a frame's cost against that of the usual way, which keeps every call, builds all cards anew after
//! each frame and compares the lists. Elements are frames, the time is the processor's for this thread. The workload and
//! its reasons stand in `cardfold_benches::Comparison`, the usual way in `cardfold_benches::Naive`.

use std::time::Duration;

use cardfold_benches::Comparison;
use criterion::{BenchmarkId, Criterion, Throughput};

fn main() {
    let criterion = Criterion::default().sample_size(10).warm_up_time(Duration::from_secs(1));
    let mut criterion = criterion.measurement_time(Duration::from_secs(3)).configure_from_args();
    let comparison = Comparison::new();
    let mut group = criterion.benchmark_group("naive");
    for place in comparison.places() {
        group.throughput(Throughput::Elements(place.frames() as u64));
        group.bench_function(BenchmarkId::new("cardfold", place.name), |bencher| {
            bencher.iter_custom(|runs| (0..runs).map(|_| place.cardfold()).sum());
        });
        group.bench_function(BenchmarkId::new("naive", place.name), |bencher| {
            bencher.iter_custom(|runs| (0..runs).map(|_| place.naive()).sum());
        });
    }
    group.finish();
    criterion.final_summary();
}
