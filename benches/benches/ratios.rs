//! The ratios in which the aims are stated, each from one run: both sides in turn, and the median over the turns, so that
//! a machine that gets slower meanwhile gets it for both. Prints a table; with `--test` it takes one turn, which checks
//! the cards, and holds no ratio to anything: that is for people, on a machine with nothing else to do.

use std::time::Duration;

use cardfold_benches::{
    ChainOrder, ChainStreams, Chains, Comparison, Workload, chains_given_up, chains_taken_up, last_tenth, session_loop,
    whole_session,
};

/// Turns of a pair: odd, for the median, and enough for two bad ones.
const TURNS: usize = 9;

/// Runs of a side that is over soon are repeated for so long, or one reading of the clock would decide.
const TURN: Duration = Duration::from_millis(5);

fn main() {
    let turns = if std::env::args().any(|argument| argument == "--test") { 1 } else { TURNS };
    print_head();
    for depth in [1, 3, 30] {
        let [short, long] = [10, 10_000].map(|size| Workload::nested(size, depth));
        let side = |workload: Workload| Side::new(workload.frames(), move || whole_session(workload));
        print(&format!("depth {depth}: 10,000 dispatches / 10"), "<= 1.2", compare(turns, side(long), side(short)));
        let late = Side::new(long.late_frames(), move || last_tenth(long));
        print(&format!("depth {depth}: the last tenth of 10,000 / 10"), "<= 1.2", compare(turns, late, side(short)));
    }
    let live = |at_once| {
        let workload = Workload { at_once, waves: 200 / at_once, ..Workload::of(200) };
        Side::new(workload.frames(), move || whole_session(workload))
    };
    print("200 agents at once / one after the other", "", compare(turns, live(200), live(1)));
    for (name, order) in [("from the top", ChainOrder::FromTop), ("from below", ChainOrder::FromBelow)] {
        let kept = |length| {
            let (chains, streams) = chains(length, order);
            Side::new(chains.frames() + chains.chains, move || chains_taken_up(chains, &streams))
        };
        let given_up = |length| {
            let (chains, streams) = chains(length, order);
            Side::new(chains.frames(), move || chains_given_up(chains, &streams))
        };
        print(
            &format!("unowned calls {name}, in chains of 10,000 / 10"),
            "<= 1.2",
            compare(turns, kept(10_000), kept(10)),
        );
        let name = format!("unowned calls {name}, default limits, 10,000 / 10");
        print(&name, "<= 1.2", compare(turns, given_up(10_000), given_up(10)));
    }
    let looped = |size| {
        let workload = Workload::of(size);
        Side::new(workload.frames(), move || session_loop(workload))
    };
    print("session loop: 10,000 dispatches / 10", "", compare(turns, looped(10_000), looped(10)));
    let comparison = Comparison::new();
    for place in comparison.places() {
        let naive = Side::new(place.frames(), || place.naive());
        let folded = Side::new(place.frames(), || place.cardfold());
        print(&format!("naive / cardfold, {} of the session", place.name), ">= 500", compare(turns, naive, folded));
    }
}

/// 10,000 calls in chains of a length.
fn chains(length: usize, order: ChainOrder) -> (Chains, ChainStreams) {
    let chains = Chains { chains: 10_000 / length, length, order };
    (chains, ChainStreams::from(chains))
}

/// One side of a ratio.
struct Side<'a> {
    frames: usize,
    run: Box<dyn FnMut() -> Duration + 'a>,
}

impl<'a> Side<'a> {
    fn new(frames: usize, run: impl FnMut() -> Duration + 'a) -> Self {
        Self { frames, run: Box::new(run) }
    }

    /// Nanoseconds of a frame, in one turn.
    fn turn(&mut self) -> f64 {
        let (mut time, mut runs) = (Duration::ZERO, 0_u32);
        while time < TURN {
            time += (self.run)();
            runs += 1;
        }
        time.as_secs_f64() * 1e9 / f64::from(runs) / self.frames as f64
    }
}

/// Medians over the turns.
struct Ratio {
    one_ns: f64,
    other_ns: f64,
    ratio: f64,
}

fn compare(turns: usize, mut one: Side<'_>, mut other: Side<'_>) -> Ratio {
    let pairs: Vec<(f64, f64)> = (0..turns).map(|_| (one.turn(), other.turn())).collect();
    Ratio {
        one_ns: median(pairs.iter().map(|pair| pair.0)),
        other_ns: median(pairs.iter().map(|pair| pair.1)),
        ratio: median(pairs.iter().map(|pair| pair.0 / pair.1)),
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[expect(clippy::print_stdout, reason = "the table is what the measurement is for")]
fn print_head() {
    println!("{:<58} {:>10} {:>10} {:>8} {:>7}", "nanoseconds a frame", "one", "other", "ratio", "aim");
}

#[expect(clippy::print_stdout, reason = "the table is what the measurement is for")]
fn print(what: &str, aim: &str, Ratio { one_ns, other_ns, ratio }: Ratio) {
    println!("{what:<58} {one_ns:>10.0} {other_ns:>10.0} {ratio:>8.2} {aim:>7}");
}
