//! `cardfold completions` and `cardfold man`: what shells and `man` read of the command line.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::arguments::Arguments;
use crate::escape::Escaped;
use crate::exit::{BAD_USAGE, DONE};
use crate::output::complain;

/// Print what completes the commands and options in a shell.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_COMPLETIONS)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Print a manual page, of the program or of one of its commands, in the form that `man` reads.
#[derive(Args, Debug)]
#[command(name = "man", after_long_help = AFTER_MAN)]
pub(crate) struct ManPage {
    /// The command; without it the page of the program.
    #[arg(value_name = "SUBCOMMAND")]
    subcommand: Option<String>,
}

/// Prints the completions; gives the exit status.
pub(crate) fn complete(completions: &Completions, out: &mut impl Write) -> io::Result<u8> {
    // The generator takes a failed write for a mistake of its own, and memory takes everything.
    let mut text = Vec::new();
    clap_complete::generate(completions.shell, &mut Arguments::command(), "cardfold", &mut text);
    out.write_all(&text)?;
    Ok(DONE)
}

/// Prints the page; gives the exit status.
pub(crate) fn page(page: &ManPage, out: &mut impl Write) -> io::Result<u8> {
    let mut program = Arguments::command();
    program.build();
    let command = match &page.subcommand {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
                complain(format_args!("no command is \"{}\": there are {}", Escaped(name), names.join(", ")));
                return Ok(BAD_USAGE);
            }
        },
    };
    write_page(&command, out)?;
    Ok(DONE)
}

/// The sections in their usual order. What follows the options in the help is set as it is written, for its columns.
fn write_page(command: &clap::Command, out: &mut impl Write) -> io::Result<()> {
    let man = Man::new(command.clone()).source(concat!("cardfold ", env!("CARGO_PKG_VERSION")));
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(out)?;
    }
    let Some(notes) = command.get_after_long_help().or(command.get_after_help()) else { return Ok(()) };
    let mut section = Roff::new();
    section.control("SH", ["NOTES"]).control("nf", []);
    section.text([roman(notes.to_string())]).control("fi", []);
    section.to_writer(out)
}

const AFTER_COMPLETIONS: &str = "\
Try it:
  cardfold completions bash > ~/.local/share/bash-completion/completions/cardfold
  cardfold completions zsh > ~/.zfunc/_cardfold       (a folder of $fpath)
  cardfold completions fish > ~/.config/fish/completions/cardfold.fish

Exit status:
  0  printed
  2  bad usage";

const AFTER_MAN: &str = "\
Try it:
  cardfold man | man -l -
  cardfold man replay > ~/.local/share/man/man1/cardfold-replay.1

Exit status:
  0  printed
  2  bad usage, or no such command";
