//! Lists the public items of a crate from the JSON that rustdoc wrote of it: one a line, in a fixed order.
//!
//! `.ci/public-api` runs it. Exit status 2: the JSON has a format that this build does not read.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program whose output is compared")]

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::Value;

/// What `public-api` reads at the version in the manifest.
const FORMAT: u64 = 57;

fn main() -> ExitCode {
    let path = PathBuf::from(env::args_os().nth(1).expect("the argument is the JSON file of a crate"));
    let json = fs::read(&path).expect("rustdoc wrote the file");
    let document: Value = serde_json::from_slice(&json).expect("rustdoc writes JSON");
    if document["format_version"] != FORMAT {
        eprintln!("format {} of rustdoc's JSON, not {FORMAT}", document["format_version"]);
        return ExitCode::from(2);
    }
    let api = public_api::Builder::from_rustdoc_json(path)
        // What every type has by its fields says nothing about ours.
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .build()
        .expect("the format is the one that is read");
    api.items().for_each(|item| println!("{item}"));
    ExitCode::SUCCESS
}
