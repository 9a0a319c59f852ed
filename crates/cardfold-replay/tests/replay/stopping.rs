//! A conversation looked at up to a frame or a moment, and in pieces.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::thread;

use cardfold::{CardTracker, Change, Frame};
use cardfold_replay::{
    Conversation, Options, Session, Until, replay, replay_observed, replay_reader, replay_reader_observed,
    replay_sessions,
};
use serde_json::json;

use crate::common::{Capture, Lines, Store, captures, cards_json, only, report_json, testdata};

/// Hands out its bytes at most `step` at a time.
struct Chunks<'a> {
    bytes: &'a [u8],
    step: usize,
}

impl Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let taken = self.step.min(self.bytes.len()).min(buffer.len());
        let (now, later) = self.bytes.split_at(taken);
        buffer[..taken].copy_from_slice(now);
        self.bytes = later;
        Ok(taken)
    }
}

#[test]
fn chunks_of_any_size_read_as_the_whole() {
    for name in ["2.1.332/04-nested", "2.1.332/09-workflow", "2.0.77/10-partial", "2.1.112/02-parallel"] {
        let capture = Capture::of(name);
        for path in [&capture.stream, &capture.stored().to_owned()] {
            let bytes = fs::read(path).expect("a capture can be read");
            let whole = report_json(&replay_reader(&bytes[..], "-", &Options::default()));
            for step in [1, 2, 3, 7, 64, 1_000, 32 * 1024] {
                let chunked = replay_reader(Chunks { bytes: &bytes, step }, "-", &Options::default());
                assert_eq!(report_json(&chunked), whole, "{} in chunks of {step}", path.display());
            }
        }
    }
}

/// Stopping after N frames is folding the first N frames.
#[test]
fn stops_after_each_frame() {
    for name in ["2.1.332/04b-nested-background", "2.1.332/07b-resume-sendmessage", "2.0.77/01-foreground"] {
        let capture = Capture::of(name);
        for path in [&capture.stream, &capture.stored().to_owned()] {
            let mut tracker = CardTracker::default();
            let mut conversation = Conversation::open(path, &Options::default()).expect("a capture can be opened");
            let mut number = 0;
            loop {
                let mut options = Options::default();
                options.until_frame = Some(number);
                let report = replay(path, &options);
                assert_eq!(cards_json(&only(&report).tracker), cards_json(&tracker), "{name} after {number} frames");
                assert_eq!(only(&report).frames, number);
                assert!(only(&report).stopped);
                let Some(frame) = conversation.next() else { break };
                tracker.apply(&frame);
                number += 1;
            }
            let mut options = Options::default();
            options.until_frame = Some(number + 1);
            let past = replay(path, &options);
            assert!(!only(&past).stopped, "the end of the session is the frame after the last");
            assert_eq!(report_json(&past), report_json(&replay(path, &Options::default())));
        }
    }
}

/// The first part folded, written out, read back, and the rest: as in one go.
#[test]
fn a_prefix_and_its_suffix_are_the_whole() {
    for capture in captures() {
        let whole = replay(capture.stored(), &Options::default());
        let frames: Vec<_> =
            Conversation::open(capture.stored(), &Options::default()).expect("a capture can be opened").collect();
        for cut in [0, 1, frames.len() / 3, frames.len() / 2, frames.len() - 1, frames.len()] {
            let mut tracker = CardTracker::default();
            for frame in &frames[..cut] {
                tracker.apply(frame);
            }
            let written = serde_json::to_vec(&tracker).expect("a tracker can be written");
            let mut tracker: CardTracker = serde_json::from_slice(&written).expect("what was written can be read");
            for frame in &frames[cut..] {
                tracker.apply(frame);
            }
            tracker.end_session();
            assert_eq!(cards_json(&tracker), cards_json(&only(&whole).tracker), "{} cut at {cut}", capture.name);
        }
    }
}

#[test]
fn stops_at_a_moment() {
    let store = Store::new();
    let main = Lines::main().prompt("Go.").dispatch("toolu_A", "Look.").launched("toolu_A", "a1").at(90).text("Done.");
    let path = store.lines("s.jsonl", &main.lines);
    let agent = Lines::agent("a1", 3).prompt("Look.").call("toolu_1").at(80).result("toolu_1", "ok").text("Seen.");
    store.lines("s/subagents/agent-a1.jsonl", &agent.lines);
    let state = |until: Until| {
        let mut options = Options::default();
        options.until_time = Some(until);
        let report = replay(&path, &options);
        let cards: Vec<_> = only(&report).tracker.cards().collect();
        json!(cards.iter().map(|card| json!([card.state, card.calls, card.open_calls])).collect::<Vec<_>>())
    };
    // 2026-03-02T09:00:00Z, the time of the first line.
    let nine = 1_772_442_000_000;
    let of_day = 9 * 60 * 60 * 1_000;
    assert_eq!(state(Until::Time(nine)), json!([]));
    assert_eq!(state(Until::Time(nine + 1_000)), json!([["running", 0, 0]]));
    assert_eq!(state(Until::Time(nine + 4_999)), json!([["running", 1, 1]]));
    assert_eq!(state(Until::TimeOfDay(of_day + 60_000)), json!([["running", 1, 1]]));
    assert_eq!(state(Until::TimeOfDay(of_day + 80_000)), json!([["running", 1, 0]]));
    assert_eq!(state(Until::TimeOfDay(of_day + 90_000)), json!([["settled", 1, 0]]), "the session is over then");
    assert_eq!(state(Until::TimeOfDay(0)), json!([]));
}

#[test]
fn a_session_tells_whether_it_has_times() {
    let stored = Capture::of("2.0.77/01-foreground");
    let first = |path| only(&replay(path, &Options::default())).first_ms;
    assert_eq!(first(&stored.stream), None, "that client streams no times");
    assert!(first(stored.stored()).is_some());
    // 2026-11-30T23:11:17.578Z: the first frame, `init`, has none.
    assert_eq!(first(&Capture::of("2.1.332/04b-nested-background").stream), Some(1_796_080_277_578));
}

/// What is told of each frame is what changes from one frame to the next.
#[test]
fn an_observer_is_told_of_every_change() {
    for capture in captures() {
        let mut opened = 0;
        let mut removed = 0;
        let mut frames = Vec::new();
        let report = replay_observed(capture.stored(), &Options::default(), |event| {
            frames.push(event.number);
            assert!(event.bytes_read <= event.bytes_total.expect("files have lengths"));
            for change in &event.update.changes {
                match change {
                    Change::Changed(key) => assert!(event.tracker.card_at(*key).is_some()),
                    Change::Opened(_) => opened += 1,
                    Change::Removed(_) => removed += 1,
                }
            }
            ControlFlow::Continue(())
        });
        let session = only(&report);
        assert_eq!(opened - removed, session.tracker.drawn(), "{}", capture.name);
        assert_eq!(frames, (1..=session.frames + 1).collect::<Vec<_>>(), "the end is the frame after the last");
    }
}

/// The place of a frame is that of its line: decoded again, the line there is the frame.
#[test]
fn an_observer_is_told_where_each_line_stands() {
    for capture in captures() {
        for path in [capture.stored(), &capture.stream] {
            let mut files: HashMap<String, Vec<String>> = HashMap::new();
            let mut placed = 0;
            let report = replay_observed(path, &Options::default(), |event| {
                let Some(place) = event.place else { return ControlFlow::Continue(()) };
                let lines = files.entry(place.file.to_owned()).or_insert_with(|| {
                    let text = fs::read_to_string(place.file).expect("the file of a frame can be read");
                    text.split('\n').map(str::to_owned).collect()
                });
                let number = usize::try_from(place.line).expect("a line number of a capture is small");
                let line = Frame::decode(lines[number - 1].as_bytes()).expect("the line is a frame");
                let read = event.frame.expect("what stands somewhere was read");
                assert_eq!((&line.uuid, line.timestamp_ms), (&read.uuid, read.timestamp_ms), "{place:?}");
                assert_eq!(line.body, read.body, "{place:?}");
                placed += 1;
                ControlFlow::Continue(())
            });
            assert_eq!(placed, only(&report).lines, "{}: every line is placed once", capture.name);
        }
    }
}

/// Sessions that are handed over one by one are those of the whole report.
#[test]
fn sessions_are_handed_over_one_by_one() {
    let path = testdata().join("captures/2.1.332");
    let whole = replay(&path, &Options::default());
    let mut taken = Vec::new();
    let rest = replay_sessions(&path, &Options::default(), |_| ControlFlow::Continue(()), |one| taken.push(one));
    assert!(rest.sessions.is_empty() && whole.sessions.len() > 5);
    let known =
        |session: &Session| (session.source.clone(), session.frames, session.bytes, session.tracker.to_string());
    assert_eq!(taken.iter().map(known).collect::<Vec<_>>(), whole.sessions.iter().map(known).collect::<Vec<_>>());
    assert_eq!(rest.problems, whole.problems);
}

/// An observer that has had enough is told of nothing more; the session at hand goes on as far as anybody knows.
#[test]
fn an_observer_may_stop_the_reading() {
    let store = Store::new();
    let lines = Lines::main().dispatch("toolu_A", "A.").dispatch("toolu_B", "B.").text("Waiting.").lines;
    store.lines("p/s1.jsonl", &lines);
    store.lines("p/s2.jsonl", &lines);
    let stopped_at = |frame: u64| {
        let mut told = 0;
        let report = replay_observed(&store.path("p"), &Options::default(), |event| {
            told += 1;
            if event.number == frame { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let running = |session: &Session| session.tracker.cards().filter(|card| card.running).count();
        let sessions: Vec<_> = report.sessions.iter().map(|session| (session.stopped, running(session))).collect();
        (told, sessions)
    };
    assert_eq!(stopped_at(1), (1, vec![(true, 1)]));
    assert_eq!(stopped_at(2), (2, vec![(true, 2)]));
    assert_eq!(stopped_at(4), (4, vec![(false, 0)]), "the end of a session is the frame after its last");
    assert_eq!(stopped_at(5), (8, vec![(false, 0), (false, 0)]));
}

/// Gives one line, and must not be asked again.
struct Exhausting(Option<Vec<u8>>);

impl Read for Exhausting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let line = self.0.take().expect("nothing is read after the observer had enough");
        buffer[..line.len()].copy_from_slice(&line);
        Ok(line.len())
    }
}

#[test]
fn no_byte_is_asked_for_after_the_observer_had_enough() {
    let line = format!("{}\n", Lines::main().dispatch("toolu_A", "A.").lines[0]);
    let reader = Exhausting(Some(line.into_bytes()));
    let report = replay_reader_observed(reader, "-", &Options::default(), |_| ControlFlow::Break(()));
    assert!(only(&report).stopped);
    assert!(only(&report).tracker.cards().all(|card| card.running));
}

/// A host may read on one thread and show on another.
#[test]
fn a_conversation_can_go_to_another_thread() {
    let capture = Capture::of("2.1.332/04-nested");
    let conversation = Conversation::open(capture.stored(), &Options::default()).expect("a capture can be opened");
    let frames = thread::spawn(move || conversation.count()).join().expect("the thread reads to the end");
    assert_eq!(u64::try_from(frames), Ok(only(&replay(capture.stored(), &Options::default())).frames));
}
