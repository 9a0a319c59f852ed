//! Any bytes replay without a panic, and it is the same report however the reader hands them out.

#![cfg_attr(fuzzing, no_main)]

#[macro_use]
mod shim;
mod told;

use std::io::{self, Read};
use std::iter::Cycle;
use std::slice::Iter;

use cardfold_dialects::dialects;
use cardfold_replay::{Options, replay_reader};

use crate::told::Told;

/// Bytes that can be read one at a time before the fuzzer has lost its patience.
const FEW_BYTES: usize = 2_000;

fuzz_target!(pieces_do_not_matter);

fn pieces_do_not_matter(data: &[u8]) {
    let mut short_lines = Options::default();
    short_lines.max_line_bytes = 150;
    let mut live = Options::default();
    live.live = true;
    let mut others = vec![short_lines, live];
    others.extend(dialects().map(|make| {
        let mut options = Options::default();
        options.dialect = Some(make);
        options
    }));
    // One of the others at a time, so that an input takes no longer than it has to.
    for options in [&Options::default(), &others[data.len() % others.len()]] {
        let whole = Told::of(&replay_reader(data, "-", options));
        assert_eq!(whole, Told::of(&replay_reader(Pieces::new(data, data), "-", options)), "in pieces");
        if data.len() < FEW_BYTES {
            assert_eq!(whole, Told::of(&replay_reader(Pieces::new(data, &[1]), "-", options)), "a byte at a time");
        }
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
