//! What a tracker keeps and a replay needs, in bytes asked of the allocator: no clock, and the same on every machine.
//!
//! Prints a table. With `--test` every row is also held to its bounds. Tables grow by doubling, so that what is kept of
//! one thing depends on how many there are: a row gives the mean over a doubling, and the most within it.

use cardfold::{Card, CardTracker, Excerpt, Limits};
use cardfold_benches::store::{Shape, Store};
use cardfold_benches::{Workload, bystanders, decode, dispatch_id};
use cardfold_replay::{Options, replay};
use cardfold_wire::{Body, Frame};
use dhat::{Alloc, HeapStats, Profiler};

#[global_allocator]
static ALLOCATOR: Alloc = Alloc;

/// Things at which a doubling begins that is looked at: so many that the fixed parts of a tracker weigh nothing. A power
/// of two, as the default caps are, so that the same is seen at a cap.
const FROM: usize = 2_048;

fn main() {
    let replay = replayed_store();
    let _profiler = Profiler::builder().testing().build();
    // The bounds are what was measured, and a few in a hundred; of the last row, the noise of its full tables.
    let rows = [
        settled_card().held_to(1_420, 1_470),
        live_card().held_to(1_320, 1_370),
        remembered_call().held_to(34, 37),
        remembered_uuid().held_to(26, 29),
        frame_otherwise().held_to(0, 16_384),
        replay.held_to(2_900_000, 15_500_000),
    ];
    print(&rows);
    if std::env::args().any(|argument| argument == "--test") {
        rows.iter().for_each(Row::check);
    }
}

/// Bytes that are kept of one thing.
struct Row {
    thing: &'static str,
    mean: usize,
    most: usize,
    bounds: (usize, usize),
}

impl Row {
    fn new(thing: &'static str) -> Self {
        Self { thing, mean: 0, most: 0, bounds: (0, 0) }
    }

    fn held_to(self, mean: usize, most: usize) -> Self {
        Self { bounds: (mean, most), ..self }
    }

    /// Looks at what is kept while things grow from [`FROM`] to twice as many; `grow` adds one, and gives the bytes that
    /// all keep.
    fn over_a_doubling(thing: &'static str, mut grow: impl FnMut() -> usize) -> Self {
        let (mut sum, mut most) = (0, 0);
        for things in 1..=2 * FROM {
            let kept = grow();
            if things > FROM {
                sum += kept / things;
                most = most.max(kept / things);
            }
        }
        Self { mean: sum / FROM, most, ..Self::new(thing) }
    }

    fn check(&self) {
        let Self { thing, mean, most, bounds } = self;
        assert!(*mean <= bounds.0, "{thing}: {mean} bytes in the mean, at most {} are allowed", bounds.0);
        assert!(*most <= bounds.1, "{thing}: up to {most} bytes, at most {} are allowed", bounds.1);
    }
}

#[expect(clippy::print_stdout, reason = "the table is what the measurement is for")]
fn print(rows: &[Row]) {
    println!("{:<48} {:>9} {:>9} {:>9} {:>9}", "bytes kept of", "mean", "most", "(bound", "bound)");
    for Row { thing, mean, most, bounds } in rows {
        println!("{thing:<48} {mean:>9} {most:>9} {:>9} {:>9}", bounds.0, bounds.1);
    }
}

/// An agent that made six calls and is over, without the ids of the calls and beside the texts that the card shows.
fn settled_card() -> Row {
    cards("a settled card beside its texts", usize::MAX)
}

/// The same agent, at its last call.
fn live_card() -> Row {
    let frames = Workload::of(10).frames() / 10;
    cards("a live card beside its texts", frames - FRAMES_BEHIND_LAST_CALL)
}

/// The result of the last call, and the three frames that tell the end.
const FRAMES_BEHIND_LAST_CALL: usize = 4;

/// Cards of agents that come one after the other, of each so many frames.
fn cards(thing: &'static str, frames: usize) -> Row {
    let workload = Workload { waves: 2 * FROM, at_once: 1, ..Workload::of(10) };
    let mut stream = workload.stream();
    let mut limits = Limits::default();
    limits.call_ids = 1;
    let before = bytes();
    let mut tracker = CardTracker::with_limits(limits);
    let (mut wave, mut texts) = (0, 0);
    Row::over_a_doubling(thing, || {
        for frame in decode(stream.wave(wave)).into_iter().take(frames) {
            tracker.apply(&without_uuid(frame));
        }
        texts += bytes_of_texts(&tracker.card(&dispatch_id(wave)).expect("every dispatch is a card"));
        wave += 1;
        bytes() - before - texts
    })
}

/// A call that returned, beyond what a card shows of its last ones.
fn remembered_call() -> Row {
    let mut stream = Workload { waves: 1, at_once: 1, depth: 1, calls_each: 2 * FROM }.stream();
    let frames = decode(stream.wave(0));
    let mut frames = frames.into_iter().map(without_uuid);
    let mut tracker = CardTracker::new();
    let before = bytes();
    Row::over_a_doubling("a remembered call", || {
        for frame in frames.by_ref() {
            tracker.apply(&frame);
            if is_result(&frame) {
                break;
            }
        }
        bytes().saturating_sub(before)
    })
}

/// A frame of an agent that changes nothing, but that a repeat of it is known by its uuid.
fn remembered_uuid() -> Row {
    let stream = bystanders(1, 0, 1);
    let [mut frame] = <[Frame<'_>; 1]>::try_from(decode(&stream)).expect("one line is one frame");
    let mut tracker = CardTracker::new();
    tracker.apply(&frame);
    let before = bytes();
    let mut number = 0;
    Row::over_a_doubling("a remembered uuid", || {
        frame.uuid = None;
        let others = bytes();
        frame.uuid = Some(format!("uuid-{number}").into());
        let own = bytes() - others;
        number += 1;
        tracker.apply(&frame);
        bytes() - before - own
    })
}

/// A frame that opens nothing, when everything that has a cap has reached it.
fn frame_otherwise() -> Row {
    const AGENTS: usize = 8;
    /// Whole rounds of all kinds of frames with all their texts, and more than any of the caps.
    const ROUND: usize = 9_600;
    const ROUNDS: usize = 4;
    let mut limits = Limits::default();
    (limits.frame_uuids, limits.notice_texts) = (256, 256);
    let mut tracker = CardTracker::with_limits(limits);
    let mut stream = Workload { waves: 1, at_once: AGENTS, ..Workload::of(10) }.stream();
    decode(stream.wave(0)).iter().take(AGENTS * 20).for_each(|frame| drop(tracker.apply(frame)));
    let mut fold = |round: usize| {
        // The first number has as many digits as the last, so that texts stay as long.
        let stream = bystanders(AGENTS, 1_000_800 + round * ROUND, ROUND);
        decode(&stream).iter().for_each(|frame| drop(tracker.apply(frame)));
        bytes()
    };
    let before = fold(0);
    let growth = (1..=ROUNDS).map(|round| fold(round).saturating_sub(before)).max().unwrap_or_default();
    Row { mean: growth / (ROUNDS * ROUND), most: growth, ..Row::new("a frame otherwise (most: of all 38,400)") }
}

/// What a replay of 100 MB keeps in the end, and the most that it needs above the longest line.
fn replayed_store() -> Row {
    let store = Store::write(Shape::LONG_DAY);
    // The store is written before anything is counted.
    let _profiler = Profiler::builder().testing().build();
    let report = replay(&store.session_file, &Options::default());
    assert_eq!(report.sessions.iter().map(|session| session.tracker.drawn()).sum::<usize>(), store.cards);
    let HeapStats { curr_bytes, max_bytes, .. } = HeapStats::get();
    let most = max_bytes.saturating_sub(store.longest_line);
    Row { mean: curr_bytes, most, ..Row::new("a replay (mean: in the end; most: above a line)") }
}

/// Bytes that are allocated now.
fn bytes() -> usize {
    HeapStats::get().curr_bytes
}

fn without_uuid(frame: Frame<'_>) -> Frame<'_> {
    Frame { uuid: None, ..frame }
}

fn is_result(frame: &Frame<'_>) -> bool {
    matches!(&frame.body, Body::User(said) if !said.results.is_empty())
}

fn bytes_of_texts(card: &Card) -> usize {
    let Card { dispatch_id, name, agent_type, task_id, tail, model, activity, report, error, needs_input, .. } = card;
    let optional = [agent_type, task_id, model, activity, needs_input];
    let excerpts = [report, error];
    let calls = tail.iter().map(|call| call.id.len() + call.name.len() + call.title.len());
    dispatch_id.len()
        + name.len()
        + optional.into_iter().flatten().map(String::len).sum::<usize>()
        + excerpts.into_iter().flatten().map(|Excerpt { text, .. }| text.len()).sum::<usize>()
        + calls.sum::<usize>()
}
