//! Any lines do a dialect no harm: what is on a line gives a frame or a fault, reading it again gives the same, and the
//! cards stay sound.

#![cfg_attr(fuzzing, no_main)]

#[macro_use]
mod shim;

use cardfold::CardTracker;
use cardfold_dialects::{Dialect, Output, Translation, dialects, recognise};
use cardfold_testkit::script::sound;

fuzz_target!(every_dialect_copes);

fn every_dialect_copes(data: &[u8]) {
    let lines: Vec<&[u8]> = data.split(|&byte| byte == b'\n').collect();
    for line in &lines {
        let owner = recognise(line).map(|make| make().name());
        let of_all = dialects().map(|make| Translation::new(make()).recognises(line).then(|| make().name()));
        assert_eq!(owner, of_all.into_iter().flatten().next(), "recognition is that of the first that recognises");
    }
    for make in dialects() {
        // The lines as one conversation, and all of them as a file that is one JSON value.
        stays_sound(make, &lines);
        stays_sound(make, &[data]);
    }
}

fn stays_sound(make: fn() -> Box<dyn Dialect>, lines: &[&[u8]]) {
    let outputs = read(make, lines);
    assert_eq!(format!("{outputs:?}"), format!("{:?}", read(make, lines)), "the same lines say the same");
    for (line, output) in lines.iter().zip(&outputs) {
        let is_blank = line.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0 || *byte >= 0x80);
        assert!(is_blank || !output.frames.is_empty() || !output.faults.is_empty(), "a line gives a frame or a fault");
    }
    let mut tracker = CardTracker::new();
    for frame in outputs.iter().flat_map(|output| &output.frames) {
        tracker.apply(frame);
        tracker.all_cards().for_each(|card| sound(&card));
    }
    tracker.end_session();
    for card in tracker.all_cards() {
        sound(&card);
        assert!(!card.running, "nothing is live after the end");
    }
}

/// What a dialect makes of each line, and of the end.
fn read(make: fn() -> Box<dyn Dialect>, lines: &[&[u8]]) -> Vec<Output> {
    let mut translation = Translation::new(make());
    translation.begin_file();
    let mut outputs: Vec<Output> = lines.iter().map(|line| translation.read(line)).collect();
    outputs.push(translation.end_of_input());
    outputs.push(translation.end_of_session());
    outputs
}
