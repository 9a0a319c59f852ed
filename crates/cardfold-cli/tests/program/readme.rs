//! The README shows what the program prints.

use std::fs;

use cardfold_testkit::fixture;

use crate::{Ran, program};

const SHOWN: &str = "testdata/captures/2.1.332/04b-nested-background/stream.jsonl";

#[test]
fn the_picture_is_what_the_first_command_prints() {
    let root = fixture::testdata().join("..");
    let readme = fs::read_to_string(root.join("README.md")).expect("there is a README");
    assert!(readme.contains(&format!("replay {SHOWN}\n")), "the first command reads that capture");
    let output = program(&["replay", SHOWN]).current_dir(root).output();
    let printed = Ran::of(output.expect("the program can be started")).out;
    assert!(readme.contains(&format!("```text\n{printed}```\n")), "the README does not show:\n{printed}");
}
