//! Any tree of files replays without a panic and without a look outside, whatever the order in which its files were
//! made; and a session reads alone as it reads among others.
//!
//! The bytes are a text that lays out the tree: `== PATH` begins a file, `-> PATH TARGET` makes a link (a target that
//! begins with `@` is absolute, below the folder around the tree), everything else is a line of the file before it.

#![cfg_attr(fuzzing, no_main)]

#[macro_use]
mod shim;
mod told;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use cardfold_replay::{Options, replay};

use crate::told::{Told, ToldOfSession};

/// Making a file costs more than reading it.
const ENTRIES: usize = 24;

/// What fits any file system.
const NAME_BYTES: usize = 100;

const FOLDERS: usize = 8;

enum Entry {
    File(Vec<u8>),
    Link(Vec<u8>),
}

type Tree = BTreeMap<PathBuf, Entry>;

fuzz_target!(nothing_but_the_tree_counts);

fn nothing_but_the_tree_counts(data: &[u8]) {
    let tree = tree(data);
    let around = tempfile::tempdir().expect("a temporary folder can be made");
    let (inside, outside) = (around.path().join("tree"), around.path().join("outside"));
    // The same files lie outside: whatever is read of them shows.
    make(&outside, around.path(), tree.iter());
    make(&inside, around.path(), tree.iter());
    let first = told(&inside);
    for folder in [&inside, &outside] {
        fs::remove_dir_all(folder).expect("what was made can be removed");
    }
    make(&inside, around.path(), tree.iter().rev());
    assert_eq!(first, told(&inside), "the order of making, or what lies outside, shows");
}

fn tree(data: &[u8]) -> Tree {
    let mut entries: Vec<(PathBuf, Entry)> = Vec::new();
    for line in data.split_inclusive(|&byte| byte == b'\n') {
        if let Some(path) = line.strip_prefix(b"== ") {
            entries.push((tame(path), Entry::File(Vec::new())));
        } else if let Some(words) = line.strip_prefix(b"-> ") {
            let mut words = words.trim_ascii_end().splitn(2, |&byte| byte == b' ');
            let path = tame(words.next().unwrap_or_default());
            let target = words.next().unwrap_or_default();
            let target: Vec<u8> = target.iter().copied().filter(|&byte| byte != 0).take(2 * NAME_BYTES).collect();
            entries.push((path, Entry::Link(if target.is_empty() { b"nowhere".to_vec() } else { target })));
        } else if let Some((_, Entry::File(content))) = entries.last_mut() {
            content.extend_from_slice(line);
        }
    }
    let mut tree = Tree::new();
    for (path, entry) in entries.into_iter().take(ENTRIES) {
        // What is a file or a link cannot be a folder too: the first word counts.
        let is_above = |other: &PathBuf| other.starts_with(&path) || path.starts_with(other);
        if !path.as_os_str().is_empty() && !tree.keys().any(is_above) {
            tree.insert(path, entry);
        }
    }
    tree
}

/// The path of a line, kept inside the tree.
fn tame(line: &[u8]) -> PathBuf {
    let names = line.trim_ascii_end().split(|&byte| byte == b'/');
    let names = names.filter(|name| !matches!(*name, b"" | b"." | b"..") && !name.contains(&0));
    names.take(FOLDERS).map(|name| OsStr::from_bytes(&name[..name.len().min(NAME_BYTES)])).collect()
}

fn make<'t>(root: &Path, around: &Path, entries: impl Iterator<Item = (&'t PathBuf, &'t Entry)>) {
    fs::create_dir(root).expect("the folder is new");
    for (path, entry) in entries {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("the root is above")).expect("no file is above");
        match entry {
            Entry::File(content) => fs::write(&path, content).expect("a file can be written"),
            Entry::Link(target) => {
                let target = match target.strip_prefix(b"@") {
                    Some(below) => [around.as_os_str().as_bytes(), b"/", below].concat(),
                    None => target.clone(),
                };
                symlink(OsStr::from_bytes(&target), &path).expect("a link can be made");
            }
        }
    }
}

fn told(root: &Path) -> Told {
    let report = replay(root, &Options::default());
    for session in report.sessions.iter().filter(|session| Path::new(&session.source).is_file()) {
        let alone = replay(Path::new(&session.source), &Options::default());
        let [alone] = &alone.sessions[..] else { panic!("{} is one session: {alone:?}", session.source) };
        let (among, alone) = (ToldOfSession::of(session), ToldOfSession::of(alone));
        assert_eq!(among, alone, "a session reads alone as it reads among others (P4)");
    }
    Told::of(&report)
}
