//! Numbers of rules that code and test data cite stand in the document that explains them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The sources and documents below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the repository can be listed") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "target" && name != "captures") {
                files(&path, found);
            }
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "md") {
            found.push(path);
        }
    }
}

/// `text` is a letter of `letters` and a number of at most `most`.
fn is_number(text: &str, letters: &str, most: u32) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| letters.contains(first))
        && chars.as_str().parse::<u32>().is_ok_and(|number| (1..=most).contains(&number))
}

/// The numbers in a text: `R7`, `P3`, `S4-24`, `WIRE.md 2.3`.
fn citations(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
        let system = word.split_once('-').filter(|(system, number)| {
            is_number(system, "SW", 4) && number.parse::<u32>().is_ok() && system.len() == 2
        });
        if is_number(word, "R", 99) || is_number(word, "P", 9) || system.is_some() {
            found.insert(word.to_owned());
        }
    }
    for (at, name) in text.match_indices("WIRE.md ") {
        let number = &text[at + name.len()..];
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        let number = number[..end].trim_end_matches('.');
        if number.contains('.') {
            found.insert(number.to_owned());
        }
    }
    found
}

#[test]
fn a_number_that_is_cited_is_explained() {
    let documents = ["cardfold/RULES.md", "cardfold-wire/WIRE.md", "cardfold-dialects/SYSTEMS.md"];
    let read = |path: &Path| fs::read_to_string(path).expect("a source can be read");
    let explained: String = documents.iter().map(|document| read(&root().join("crates").join(document))).collect();
    let mut sources = Vec::new();
    for folder in ["crates", "benches", "fuzz/fuzz_targets", "testdata"] {
        files(&root().join(folder), &mut sources);
    }
    let mut cited = BTreeSet::new();
    for path in sources {
        for number in citations(&read(&path)) {
            let is_explained =
                explained.contains(&format!("**{number}**")) || explained.contains(&format!("**{number} "));
            assert!(is_explained, "{} cites {number}", path.display());
            cited.insert(number);
        }
    }
    assert!(cited.len() > 70, "{cited:?}");
}

#[test]
fn numbers_are_found_where_they_are_cited() {
    let found = citations("R7 and (R18.6), P3, S4-24; P95, RFC 7, R0, WIRE.md 2.12, and WIRE.md section 4.");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["2.12", "P3", "R18", "R7", "S4-24"]);
}
