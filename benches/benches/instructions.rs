//! Instructions of a few fixed workloads, counted by callgrind: the same on a busy machine as on a quiet one, so that a
//! change which costs more is seen before it lands.
//!
//! They are those of the build that tests run, so that CI builds nothing anew; an optimised one has some third of them, and
//! both rise together.
//!
//! Prints a table, and fails if a count is more than a twentieth above the one in `instructions.txt`, or if a frame late
//! in a long session needs more than a fifth more than in a short one. `--write` writes the counts down. With `--test`
//! each workload runs once and nothing is counted.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::num::NonZero;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, iter, thread};

use cardfold::{CardTracker, Frame, Limits};
use cardfold_benches::captured::{Kind, lines};
use cardfold_benches::{ChainOrder, ChainStreams, Chains, Workload, decode};

const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.txt");

/// What a count may be above the one that was written down: other builds of the C library copy in other ways.
const TOLERANCE: f64 = 1.05;

/// What a frame of a long session may cost, in those of a short one.
const FLAT: f64 = 1.2;

/// The session that the flatness is measured on, and the short one.
const LONG: &str = "fold, 1,500 dispatches";
const SHORT: &str = "fold, 10 dispatches";

/// A workload by name. It runs once, and gives the number of frames or lines that it was about.
type Named = (&'static str, fn() -> usize);

const WORKLOADS: [Named; 9] = [
    (SHORT, || sessions(Workload::of(10), 10)),
    (LONG, || sessions(Workload::of(1_500), 1)),
    ("fold, three levels", || sessions(Workload::nested(300, 3), 1)),
    ("fold, thirty levels", || sessions(Workload::nested(300, 30), 1)),
    ("fold, 200 at once", || sessions(Workload { at_once: 200, waves: 1, ..Workload::of(200) }, 1)),
    ("fold, unowned calls", || unowned(Chains { chains: 20, length: 20, order: ChainOrder::FromBelow })),
    ("decode, calls", || read(Kind::Call)),
    ("decode, results", || read(Kind::Result)),
    ("decode, task frames", || read(Kind::Task)),
];

#[expect(clippy::print_stdout, reason = "a run that is counted tells its number of frames")]
fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [flag, name] = arguments.as_slice()
        && flag == "--workload"
    {
        let (_, run) = WORKLOADS.iter().find(|(known, _)| known == name).expect("the name is one of ours");
        println!("{}", run());
        return ExitCode::SUCCESS;
    }
    if arguments.iter().any(|argument| argument == "--test") {
        WORKLOADS.iter().for_each(|(_, run)| assert!(run() > 0));
        return ExitCode::SUCCESS;
    }
    let counts = counts();
    if arguments.iter().any(|argument| argument == "--write") {
        fs::write(SNAPSHOT, written(&counts)).expect("the snapshot stands beside the manifest");
    }
    if hold(&counts) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What each workload costs. Counting takes its time, and no clock is watched: as many as there are cores at once.
fn counts() -> Vec<(&'static str, f64)> {
    let next = AtomicUsize::new(0);
    let take = || WORKLOADS.get(next.fetch_add(1, Ordering::Relaxed)).map(|(name, _)| (*name, counted(name)));
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let found: BTreeMap<&str, f64> = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(|| iter::from_fn(take).collect::<Vec<_>>())).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a workload was counted")).collect()
    });
    WORKLOADS.iter().map(|(name, _)| (*name, found[name])).collect()
}

/// Instructions a frame, or a line, of a workload.
fn counted(name: &str) -> f64 {
    let itself = env::current_exe().expect("the program knows where it stands");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=*count_these*", "--callgrind-out-file=/dev/null"])
        .arg(itself)
        .args(["--workload", name])
        .output()
        .expect("valgrind counts the instructions: install it (apt-get install valgrind)");
    let (told, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let frames: f64 = told.trim().parse().unwrap_or_else(|_| panic!("{name}: {log}"));
    let collected = log.lines().find_map(|line| line.split_once("Collected :"));
    let instructions: f64 =
        collected.and_then(|(_, count)| count.trim().parse().ok()).expect("callgrind says its count");
    assert!(instructions > 0.0, "{name}: the function that is counted was not found");
    instructions / frames
}

/// Prints what was counted against what was written down. True if it holds.
#[expect(clippy::print_stdout, reason = "the table is what the measurement is for")]
fn hold(counts: &[(&str, f64)]) -> bool {
    let text = fs::read_to_string(SNAPSHOT).expect("the snapshot stands beside the manifest");
    let known: BTreeMap<&str, f64> = text
        .lines()
        .filter_map(|line| line.rsplit_once(' '))
        .filter_map(|(name, count)| Some((name.trim_end(), count.parse().ok()?)))
        .collect();
    let mut holds = true;
    println!("{:<26} {:>12} {:>12}", "instructions a frame", "now", "written down");
    for (name, count) in counts {
        let most = known.get(name).map_or(0.0, |known| known * TOLERANCE);
        let verdict = if *count > most { "more than that" } else { "" };
        println!("{name:<26} {count:>12.0} {:>12.0} {verdict}", known.get(name).copied().unwrap_or_default());
        holds &= *count <= most;
    }
    let of = |wanted: &str| counts.iter().find(|(name, _)| *name == wanted).map_or(f64::NAN, |(_, count)| *count);
    let ratio = of(LONG) / of(SHORT);
    println!("{LONG} / {SHORT}: {ratio:.2} (at most {FLAT})");
    if !holds {
        println!(
            "If that is what the change is worth, write it down: cargo bench --profile dev -p cardfold-benches --bench instructions -- --write"
        );
    }
    holds && ratio <= FLAT
}

fn written(counts: &[(&str, f64)]) -> String {
    let mut text = String::new();
    for (name, count) in counts {
        writeln!(text, "{name:<26} {count:.0}").expect("a string takes any text");
    }
    text
}

/// Sessions one after the other, each with a tracker of its own.
fn sessions(workload: Workload, times: usize) -> usize {
    for _ in 0..times {
        let mut tracker = CardTracker::new();
        let mut stream = workload.stream();
        for wave in 0..workload.waves {
            count_these_frames(&mut tracker, &decode(stream.wave(wave)));
        }
        assert_eq!(tracker.drawn(), workload.cards());
    }
    workload.frames() * times
}

/// Calls whose agent no frame names yet, and the dispatches that take them up.
fn unowned(chains: Chains) -> usize {
    let streams = ChainStreams::from(chains);
    let mut tracker = CardTracker::with_limits(Limits::default());
    let [calls, dispatches] = streams.frames();
    count_these_frames(&mut tracker, &calls);
    count_these_frames(&mut tracker, &dispatches);
    assert_eq!(tracker.cards().map(|card| card.calls).sum::<u64>(), calls.len() as u64);
    calls.len() + dispatches.len()
}

/// Captured lines of a kind.
fn read(kind: Kind) -> usize {
    let lines: Vec<String> = lines().into_iter().filter(|line| line.kind == kind).map(|line| line.line).collect();
    count_these_lines(&lines);
    lines.len()
}

/// Callgrind counts while this runs, and finds it by its name.
#[inline(never)]
fn count_these_frames(tracker: &mut CardTracker, frames: &[Frame<'_>]) {
    for frame in frames {
        black_box(tracker.apply(frame));
    }
}

/// Callgrind counts while this runs, and finds it by its name.
#[inline(never)]
fn count_these_lines(lines: &[String]) {
    for line in lines {
        black_box(Frame::decode(line.as_bytes()).is_ok());
    }
}
