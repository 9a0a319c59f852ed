//! Any bytes replay without a panic, and it is the same report however the reader hands them out.

#![cfg_attr(fuzzing, no_main)]

#[macro_use]
mod shim;

use std::io::{self, Read};
use std::iter::Cycle;
use std::slice::Iter;

use cardfold_dialects::dialects;
use cardfold_replay::{Options, Report, replay_reader};

fuzz_target!(pieces_do_not_matter);

fn pieces_do_not_matter(data: &[u8]) {
    let mut short_lines = Options::default();
    short_lines.max_line_bytes = 150;
    let mut live = Options::default();
    live.live = true;
    let mut all = vec![Options::default(), short_lines, live];
    all.extend(dialects().map(|make| {
        let mut options = Options::default();
        options.dialect = Some(make);
        options
    }));
    for options in &all {
        let whole = told(&replay_reader(data, "-", options));
        assert_eq!(whole, told(&replay_reader(Pieces::new(data, &[1]), "-", options)), "a byte at a time");
        assert_eq!(whole, told(&replay_reader(Pieces::new(data, data), "-", options)), "in pieces");
    }
}

/// Hands out `left` in pieces whose lengths `lengths` says, over and over. In between it is interrupted.
struct Pieces<'a> {
    left: &'a [u8],
    lengths: Cycle<Iter<'a, u8>>,
}

impl<'a> Pieces<'a> {
    fn new(left: &'a [u8], lengths: &'a [u8]) -> Self {
        Self { left, lengths: lengths.iter().cycle() }
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.lengths.next().map_or(1, |length| usize::from(*length));
        if length == 0 {
            // A source of nothing but zeros would be interrupted for ever.
            self.lengths = [3].iter().cycle();
            return Err(io::ErrorKind::Interrupted.into());
        }
        let (now, later) = self.left.split_at(length.min(self.left.len()).min(buffer.len()));
        buffer[..now.len()].copy_from_slice(now);
        self.left = later;
        Ok(now.len())
    }
}

/// Everything that a report says. The debug form has every field; the cards are asked for one by one.
fn told(report: &Report) -> String {
    let cards: Vec<_> = report.sessions.iter().map(|session| session.tracker.all_cards().collect::<Vec<_>>()).collect();
    format!("{report:?}\n{cards:?}")
}
