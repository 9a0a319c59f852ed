//! The fold against the usual way, on the same frames: 400 dispatches with 50 calls each, a long session of an agent that
//! has its work done by others.

use std::hint::black_box;
use std::time::Duration;

use cardfold::CardTracker;
use memchr::memrchr_iter;

use crate::clock::time_frames;
use crate::decode;
use crate::naive::{Naive, NaiveCard};
use crate::workload::Workload;

const WORKLOAD: Workload = Workload { waves: 40, at_once: 10, depth: 1, calls_each: 50 };

/// Frames that are timed at each place, since the usual way would take a minute for all: ten calls of each of the agents
/// at work.
const FRAMES: usize = 300;

/// The session.
#[derive(Clone, Debug)]
pub struct Comparison {
    session: Vec<u8>,
}

/// A place in the session.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// Which.
    pub name: &'static str,
    /// Of which the last [`FRAMES`] are timed.
    stream: &'a [u8],
    /// What the usual way keeps when these come.
    kept: Naive,
}

impl Comparison {
    /// Makes the session and looks whether both ways give the same cards of it, else the comparison would not be fair:
    /// after every 997th frame (a prime, so that every sort of frame is the last one some time) and at the end.
    #[must_use]
    pub fn new() -> Self {
        let mut session = Vec::new();
        let mut stream = WORKLOAD.stream();
        for wave in 0..WORKLOAD.waves {
            session.extend_from_slice(stream.wave(wave));
        }
        let (mut tracker, mut naive) = (CardTracker::new(), Naive::default());
        for (number, frame) in decode(&session).iter().enumerate() {
            tracker.apply(frame);
            naive.keep(frame);
            if number % 997 == 0 || number + 1 == WORKLOAD.frames() {
                assert_eq!(naive.all_cards(), tracker.cards().map(NaiveCard::from).collect::<Vec<_>>());
            }
        }
        assert_eq!(naive.all_cards().len(), WORKLOAD.cards());
        Self { session }
    }

    /// The middle of the session, which is about the average over its length, and its end.
    pub fn places(&self) -> impl Iterator<Item = Place<'_>> {
        let wave = self.session.len() / WORKLOAD.waves;
        [("middle", wave * WORKLOAD.waves / 2), ("end", self.session.len())].into_iter().map(|(name, end)| {
            let mut kept = Naive::default();
            let stream = &self.session[..end];
            decode(split(stream).0).iter().for_each(|frame| kept.keep(frame));
            Place { name, stream, kept }
        })
    }
}

impl Default for Comparison {
    fn default() -> Self {
        Self::new()
    }
}

impl Place<'_> {
    /// The frames that are timed.
    #[must_use]
    pub fn frames(&self) -> usize {
        FRAMES
    }

    /// Times the frames with the fold.
    #[must_use]
    pub fn cardfold(&self) -> Duration {
        let (before, late) = split(self.stream);
        let mut tracker = CardTracker::new();
        time_frames(before, |frame| drop(tracker.apply(frame)));
        time_frames(late, |frame| drop(black_box(tracker.apply(frame))))
    }

    /// Times the frames with the usual way.
    #[must_use]
    pub fn naive(&self) -> Duration {
        let (_, late) = split(self.stream);
        let mut naive = self.kept.clone();
        time_frames(late, |frame| drop(black_box(naive.apply(frame))))
    }
}

/// The frames before those that are timed, and these.
fn split(stream: &[u8]) -> (&[u8], &[u8]) {
    let begin =
        memrchr_iter(b'\n', stream).nth(FRAMES).expect("a place is later in the session than its frames are many");
    stream.split_at(begin + 1)
}
