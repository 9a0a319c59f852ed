//! Made-up sessions: however their bytes arrive, and wherever stored becomes live, the cards are the same.

use std::io::{self, Read};
use std::thread;

use cardfold::{CardTracker, Frame};
use cardfold_replay::{Options, Report, replay_reader};
use cardfold_testkit::strategy::{Complaint, Stream, config, disturbed, hold, plausible};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::common::{cards_json, report_json};

/// Hands out its bytes in pieces of the given sizes, again and again.
struct Pieces<'a> {
    bytes: &'a [u8],
    sizes: std::iter::Cycle<std::slice::Iter<'a, usize>>,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = *self.sizes.next().expect("there are sizes");
        let taken = size.min(self.bytes.len()).min(buffer.len());
        let (now, later) = self.bytes.split_at(taken);
        buffer[..taken].copy_from_slice(now);
        self.bytes = later;
        Ok(taken)
    }
}

fn bytes(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
}

fn live() -> Options {
    let mut options = Options::default();
    options.live = true;
    options
}

fn read(lines: &[String], options: &Options) -> Report {
    replay_reader(&bytes(lines)[..], "-", options)
}

fn complaint(about: &str, story: String) -> Option<Complaint> {
    Some(Complaint { about: about.to_owned(), story })
}

fn pieces_matter(stream: &Stream, sizes: &[usize]) -> Option<Complaint> {
    let whole = report_json(&read(&stream.lines, &Options::default()));
    let bytes = bytes(&stream.lines);
    let pieces = Pieces { bytes: &bytes, sizes: sizes.iter().cycle() };
    let other = report_json(&replay_reader(pieces, "-", &Options::default()));
    if whole == other { None } else { complaint("pieces", format!("{whole:#}\nin pieces:\n{other:#}")) }
}

/// P8 for a captured stream: its first lines are replayed, the others arrive as frames.
fn the_cut_matters(stream: &Stream, cut: Index) -> Option<Complaint> {
    let cut = cut.index(stream.lines.len() + 1);
    let (stored, arriving) = stream.lines.split_at(cut);
    let mut sessions = read(stored, &live()).sessions;
    let mut tracker = sessions.pop().map_or_else(CardTracker::new, |session| session.tracker);
    for line in arriving {
        tracker.apply(&Frame::decode(line.as_bytes()).expect("a strategy writes frames"));
    }
    let mut whole = CardTracker::new();
    stream.frames().iter().for_each(|frame| drop(whole.apply(frame)));
    for over in [false, true] {
        if over {
            tracker.end_session();
            whole.end_session();
        }
        let (got, want) = (cards_json(&tracker), cards_json(&whole));
        if got != want {
            return complaint("the cut", format!("cut at {cut}, over: {over}\n{want:#}\nand\n{got:#}"));
        }
    }
    None
}

/// One tracker a thread, at once.
fn threads_matter(stream: &Stream) -> Option<Complaint> {
    let here = report_json(&read(&stream.lines, &Options::default()));
    let there: Vec<_> = thread::scope(|scope| {
        let read = || scope.spawn(|| report_json(&read(&stream.lines, &Options::default())));
        let threads: Vec<_> = (0..3).map(|_| read()).collect();
        threads.into_iter().map(|thread| thread.join().expect("a replay does not panic")).collect()
    });
    let other = there.into_iter().find(|other| *other != here)?;
    complaint("threads", format!("{here:#}\nin another thread:\n{other:#}"))
}

/// A stream of the client, not lines of its store.
fn is_stream(stream: &Stream) -> bool {
    stream.lines.iter().all(|line| !line.contains(r#""sessionId""#))
}

proptest! {
    #![proptest_config(config("proptest-regressions/replay.txt"))]

    #[test]
    fn bytes_in_any_pieces_give_the_same_report(
        stream in prop_oneof![plausible(), disturbed()],
        sizes in proptest::collection::vec(1_usize..700, 1..12),
    ) {
        hold(&stream, |stream| pieces_matter(stream, &sizes))?;
    }

    #[test]
    fn any_cut_into_stored_and_live_gives_the_same_cards(
        stream in prop_oneof![plausible(), disturbed()].prop_filter("is of the store", is_stream),
        cut in any::<Index>(),
    ) {
        hold(&stream, |stream| the_cut_matters(stream, cut))?;
    }

    #[test]
    fn every_thread_gives_the_same_report(stream in prop_oneof![plausible(), disturbed()]) {
        hold(&stream, threads_matter)?;
    }
}
