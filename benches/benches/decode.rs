//! What decoding costs, in bytes per second: by the size of a line, and by what it is.
//!
//! The lines are the captures' own; of the longer sizes they are captured results with texts as tools give them back. Each
//! set is read in four ways:
//!
//! - `frame`: [`Frame::decode`], what this project does.
//! - `value`: [`serde_json::Value`], what a host does that knows no types.
//! - `owned`: structs with `String`s for the fields that a frame keeps, derived with serde: the usual way.
//! - `floor`: finding the line ends, without which nobody can do.
//!
//! The time is the processor's for this thread, so that one way can be held against another on a machine that has other
//! work too.

use std::hint::black_box;
use std::time::Duration;

use cardfold::Frame;
use cardfold_benches::captured::{Captured, Kind, lines};
use cardfold_benches::owned::OwnedLine;
use cardfold_benches::texts::Texts;
use cpu_time::ThreadTime;
use criterion::{BenchmarkId, Criterion, Throughput};
use memchr::memchr_iter;
use serde_json::Value;

fn main() {
    let criterion = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(300));
    let mut criterion = criterion.measurement_time(Duration::from_secs(1)).configure_from_args();
    for (name, lines) in sets() {
        read(&mut criterion, name, &lines);
    }
    criterion.final_summary();
}

/// The sets of lines, each with its name.
fn sets() -> Vec<(&'static str, Vec<String>)> {
    let captured = lines();
    let of_kind = |kind: Kind| captured.iter().filter(move |line| line.kind == kind);
    // `permission_denied` has a string as its `message`, which a plain struct cannot read.
    let is_plain = |line: &&Captured| line.value["subtype"] != "permission_denied";
    let own =
        |lines: Vec<&Captured>| lines.into_iter().filter(is_plain).map(|line| line.line.clone()).collect::<Vec<_>>();
    let short = |line: &&Captured| (200..=450).contains(&line.line.len());
    let results: Vec<&Captured> = of_kind(Kind::Result).collect();
    // What a stream holds most of is as it is; the other sizes are what tools give back.
    let long = |bytes: usize, count: usize| {
        let texts = Texts::new();
        let cut = |number: usize| texts.cut(number, number * 7_919, bytes);
        (0..count).map(|number| results[number % results.len()].with_text(cut(number), false).line).collect::<Vec<_>>()
    };
    let twins = |number: usize| {
        let texts = Texts::new();
        results[number].with_text(texts.cut(number, number * 7_919, 3_000 + 500 * number), true).line
    };
    let unknown = |line: &Captured| line.line.replacen("\"type\":\"", "\"type\":\"new-", 1);
    vec![
        ("size/300B", own(captured.iter().filter(short).take(1_000).collect())),
        ("size/3KB", long(2_500, 400)),
        ("size/30KB", long(27_000, 40)),
        ("size/1MB", long(900_000, 4)),
        ("kind/results with much text", (0..40).map(twins).collect()),
        ("kind/calls", own(of_kind(Kind::Call).collect())),
        ("kind/task frames", own(of_kind(Kind::Task).collect())),
        ("kind/unknown types", of_kind(Kind::Bookkeeping).filter(is_plain).map(unknown).collect()),
        ("kind/attachments", own(of_kind(Kind::Attachment).collect())),
    ]
}

fn read(criterion: &mut Criterion, name: &str, lines: &[String]) {
    let bytes: Vec<u8> = lines.iter().flat_map(|line| line.bytes().chain([b'\n'])).collect();
    let mut group = criterion.benchmark_group("decode");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    let mut bench = |way: &str, read: fn(&[u8]) -> bool| {
        group.bench_function(BenchmarkId::new(name, way), |bencher| {
            bencher.iter_custom(|times| {
                let begun = ThreadTime::now();
                for _ in 0..times {
                    assert_eq!(each_line(&bytes, read), lines.len(), "each line is read");
                }
                begun.elapsed()
            });
        });
    };
    bench("frame", |line| black_box(Frame::decode(line)).is_ok());
    bench("value", |line| black_box(serde_json::from_slice::<Value>(line)).is_ok());
    bench("owned", |line| black_box(serde_json::from_slice::<OwnedLine>(line)).is_ok());
    bench("floor", |line| !black_box(line).is_empty());
    group.finish();
}

/// Gives each line to `read`; how many it could read.
fn each_line(bytes: &[u8], read: fn(&[u8]) -> bool) -> usize {
    let mut begin = 0;
    memchr_iter(b'\n', bytes)
        .filter(|end| {
            let line = &bytes[begin..*end];
            begin = end + 1;
            read(line)
        })
        .count()
}
