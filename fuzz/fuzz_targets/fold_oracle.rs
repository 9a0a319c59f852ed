//! Whatever is chosen, the fold gives after every frame the cards that the oracle computes from the whole list.
//!
//! The first eight bytes choose a session, by the strategies of the properties; the others leave lines out and let
//! lines come again.

#![cfg_attr(fuzzing, no_main)]

#[macro_use]
mod shim;

use cardfold_testkit::agreement::differs;
use cardfold_testkit::strategy::{Stream, disturbed, plausible};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The oracle's time grows with the square of a stream's length.
const LINES: usize = 30;

/// More edits would leave nothing of a session.
const EDITS: usize = 12;

fuzz_target!(agrees_with_the_oracle);

fn agrees_with_the_oracle(data: &[u8]) {
    let Some((seed, edits)) = data.split_first_chunk::<8>() else { return };
    let mut stream = if seed[0] % 2 == 0 { chosen(&plausible(), *seed) } else { chosen(&disturbed(), *seed) };
    stream.lines.truncate(LINES);
    for edit in edits.chunks_exact(2).take(EDITS) {
        edited(&mut stream.lines, usize::from(edit[0]), usize::from(edit[1]));
    }
    if let Some(complaint) = differs(&stream) {
        panic!("{}\n{stream:?}", complaint.story);
    }
}

/// A session of the strategy. The bytes are not its choices themselves: proptest halves those at every choice among
/// strategies, and nothing would be left of them.
fn chosen(strategy: &impl Strategy<Value = Stream>, seed: [u8; 8]) -> Stream {
    let mut whole = [0; 32];
    whole[..8].copy_from_slice(&seed);
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &whole);
    let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, random);
    strategy.new_tree(&mut runner).expect("the strategies reject nothing").current()
}

/// A line is lost, or comes again further down.
fn edited(lines: &mut Vec<String>, at: usize, later: usize) {
    if lines.is_empty() {
        return;
    }
    let at = at % lines.len();
    if later == 0 {
        lines.remove(at);
    } else {
        let line = lines[at].clone();
        lines.insert((at + later).min(lines.len()), line);
    }
}
