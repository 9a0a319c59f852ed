//! The program from outside: what it prints, and how it ends.

#[cfg(unix)]
mod browser;
mod dialects;
mod explain;
mod faults;
mod follow;
mod follow_folder;
#[cfg(target_os = "linux")]
mod follow_screen;
mod hostile;
mod hostile_forms;
mod hostile_page;
mod json;
mod markup;
#[cfg(target_os = "linux")]
mod means;
mod ndjson;
mod output_file;
mod page;
mod picture;
#[cfg(target_os = "linux")]
mod progress;
mod readme;
mod schema;
mod sessions;
mod shells;
mod stats;
mod status;
mod stopping;
#[cfg(target_os = "linux")]
mod terminal;
mod text;

use std::process::{Command, Output, Stdio};

use cardfold_testkit::fixture;
use serde_json::Value;

/// What a finished run left behind.
struct Ran {
    status: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        Self { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// What was printed as one JSON object, which is as its schema says.
    fn report(&self) -> Value {
        let report =
            serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {} {}", self.out, self.err));
        schema::check(&report);
        report
    }
}

/// The program, ready to run in `testdata/`, so that a path reads the same on every machine. It finds no terminal.
fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardfold"));
    command.args(arguments).current_dir(fixture::testdata()).env_remove("NO_COLOR").stdin(Stdio::null());
    command
}

/// Runs it with these words, split at blanks.
fn cardfold(words: &str) -> Ran {
    let arguments: Vec<&str> = words.split(' ').collect();
    Ran::of(program(&arguments).output().expect("the program can be started"))
}

/// A list in a report; a missing one is a mistake of the test or of the program.
fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("{name} is a list in {value}"))
}
