//! What shells, `man` and a person at the help see: every command is there, each with examples and exit statuses.

use std::fs;
use std::process::{Command, Stdio};

use crate::{Ran, cardfold, program};

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = cardfold("--help").out;
    let listed = help.split("Commands:\n").nth(1).expect("the help lists commands");
    let lines = listed.lines().take_while(|line| !line.is_empty());
    // What a line of its own explains is set further to the right.
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).filter(|name| name != "help").collect()
}

#[test]
fn each_command_has_examples_and_exit_statuses() {
    let commands = commands();
    for name in ["completions", "explain", "follow", "man", "replay", "sessions", "stats"] {
        assert!(commands.iter().any(|command| command == name), "{name} in {commands:?}");
    }
    for command in &commands {
        let ran = cardfold(&format!("{command} --help"));
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{command}");
        assert!(ran.out.contains("\nExit status:\n  0  "), "{command}: {}", ran.out);
        assert!(ran.out.contains(&format!("  cardfold {command}")), "{command} shows an example: {}", ran.out);
        assert!(ran.out.contains("--color <WHEN>"), "{command}: {}", ran.out);
    }
}

#[test]
fn each_shell_gets_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = cardfold(&format!("completions {shell}"));
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{shell}");
        for command in commands() {
            assert!(ran.out.contains(&command), "{shell}: {command}");
        }
    }
    assert_eq!(cardfold("completions tcsh").status, Some(2));
}

/// The shell itself takes what is written for it, and completes with it.
#[test]
fn bash_completes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("cardfold.bash");
    fs::write(&path, cardfold("completions bash").out).expect("a file can be written");
    let script = "source \"$0\" && COMP_WORDS=(cardfold sess) COMP_CWORD=1 && _cardfold cardfold sess cardfold && \
                  echo \"${COMPREPLY[@]}\"";
    let Ok(output) = Command::new("bash").args(["-c", script]).arg(&path).output() else { return };
    let ran = Ran::of(output);
    assert_eq!((ran.out.trim(), ran.err.as_str()), ("sessions", ""));
}

#[test]
fn each_command_has_a_page() {
    for command in commands() {
        let ran = cardfold(&format!("man {command}"));
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{command}");
        assert!(ran.out.contains(&format!(".TH cardfold-{command} 1")), "{command}: {}", ran.out);
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "NOTES"] {
            assert!(ran.out.contains(&format!(".SH {section}\n")), "{command}: {section}");
        }
        assert!(ran.out.contains("\nExit status:\n"), "{command}: {}", ran.out);
    }
    let ran = cardfold("man");
    assert!(ran.out.contains(".TH cardfold 1") && ran.out.contains("SUBCOMMANDS"), "{}", ran.out);
    let ran = cardfold("man none");
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("no command is \"none\": there are completions, explain, "), "{}", ran.err);
}

/// `--color` decides before the environment does; without it a pipe gets no colour.
#[test]
fn colour_is_as_it_was_asked_for() {
    let capture = "captures/2.1.332/05-failures/stream.jsonl";
    for words in ["replay", "explain", "stats", "sessions"] {
        for (color, no_color, is_coloured) in
            [("auto", "", false), ("always", "", true), ("always", "1", true), ("never", "", false)]
        {
            let output = program(&[words, "--color", color, capture]).env("NO_COLOR", no_color).output();
            let ran = Ran::of(output.expect("the program can be started"));
            assert_eq!(ran.status, Some(0), "{}", ran.err);
            assert_eq!(ran.out.contains("\u{1b}["), is_coloured, "{words} --color {color} NO_COLOR={no_color}");
        }
        let output = program(&["--color=always", words, capture]).output();
        assert!(Ran::of(output.expect("the program can be started")).out.contains("\u{1b}["), "before the command too");
    }
}

#[test]
fn a_reader_that_leaves_is_no_news_to_any_command() {
    for words in [
        "--help",
        "help replay",
        "completions bash",
        "man",
        "man replay",
        "replay captures",
        "explain captures",
        "explain --format json captures",
        "sessions captures",
        "sessions --json captures",
        "stats captures",
        "stats --format json captures",
    ] {
        let arguments: Vec<&str> = words.split(' ').collect();
        let mut command = program(&arguments);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program can be started");
        drop(child.stdout.take());
        let ran = Ran::of(child.wait_with_output().expect("the program ends"));
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{words}");
    }
}
