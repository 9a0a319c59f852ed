//! Where the files of one session stand, and which of them may be opened (P1).
//!
//! Nothing is opened but the session file itself, what lies in the folder of its own name or of a session id that its
//! lines carry, and agents' files beside it whose lines carry such an id. An id is joined into a path only if it is
//! plain, and [`crate::agent_file`] says which links are followed.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::agent_file::{AgentFile, Ground, agent_name, not_followed, run_id, shown};
use crate::problem::{Problem, ProblemKind};

/// Ids of more bytes than this are no names of folders (P1).
const ID_BYTES: usize = 128;

/// What was found at one place.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Agents' files, in byte order of their paths.
    pub(crate) agents: Vec<AgentFile>,
    /// `workflows/<runId>.json` files.
    pub(crate) runs: Vec<PathBuf>,
    pub(crate) problems: Vec<Problem>,
    /// There are agents' files of which there is too little yet to know what they are.
    pub(crate) has_unripe: bool,
}

/// The places of one session.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The project folder: that of the session file.
    project: PathBuf,
    ground: Ground,
    stem: OsString,
    /// The session file, free of links.
    real_session_file: Option<PathBuf>,
    /// Agents' files that belong to the session already: each is read once.
    real_files: HashSet<PathBuf>,
    folders: BTreeSet<OsString>,
    looked_beside: bool,
    shelf: Shelf,
    /// Of a session that is still written to: where its agents' files stand that were found, and the session ids that
    /// were asked for.
    growing: Option<Growing>,
}

#[derive(Debug, Default)]
struct Growing {
    paths: HashSet<PathBuf>,
    ids: BTreeSet<String>,
}

/// Agents' files that stand beside session files (2.0.x), by directory: looked through once for all sessions there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf(BTreeMap<PathBuf, Arc<Beside>>);

/// The agents' files directly in one directory.
#[derive(Clone, Debug, Default)]
struct Beside {
    /// Those that were looked at.
    paths: HashSet<PathBuf>,
    has_unripe: bool,
    by_session: BTreeMap<String, Vec<AgentFile>>,
    problems: Vec<Problem>,
}

impl Layout {
    /// The places of the session whose file is (or would be) `session_file`.
    pub(crate) fn new(session_file: &Path, shelf: Shelf, max_line_bytes: usize) -> io::Result<Self> {
        let project = match session_file.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            Some(_) | None => PathBuf::from("."),
        };
        Ok(Self {
            ground: Ground { real_project: fs::canonicalize(&project)?, max_line_bytes, grows: false },
            project,
            stem: session_file.file_stem().unwrap_or_default().to_owned(),
            real_session_file: fs::canonicalize(session_file).ok(),
            real_files: HashSet::new(),
            folders: BTreeSet::new(),
            looked_beside: false,
            shelf,
            growing: None,
        })
    }

    /// The session is still written to.
    pub(crate) fn growing(self) -> Self {
        Self { ground: Ground { grows: true, ..self.ground }, growing: Some(Growing::default()), ..self }
    }

    /// The project folder, free of links, and the folders of the session in it, whether they are there or not.
    pub(crate) fn places(&self) -> (&Path, impl Iterator<Item = PathBuf>) {
        (&self.ground.real_project, self.folders.iter().map(|name| self.ground.real_project.join(name)))
    }

    /// What has come to the places that were looked at before, and what is ripe by now.
    pub(crate) fn look_again(&mut self) -> Found {
        let mut found = Found::default();
        for name in mem::take(&mut self.folders) {
            self.look_in_folder(&name, &mut found);
        }
        if let Some(beside) = self.shelf.0.get_mut(&self.project) {
            Arc::make_mut(beside).look(&self.project, &self.ground);
        }
        let ids = self.growing.as_ref().map(|growing| growing.ids.clone()).unwrap_or_default();
        ids.iter().for_each(|id| self.look_beside(id, &mut found));
        // What cannot be read was said the first time.
        found.problems.clear();
        found
    }

    /// The session file's own name.
    pub(crate) fn stem(&self) -> &OsStr {
        &self.stem
    }

    /// What was found out and holds for the other sessions of the directory too.
    pub(crate) fn into_shelf(self) -> Shelf {
        self.shelf
    }

    /// The files in the folder of the session file's own name.
    pub(crate) fn own_files(&mut self) -> Found {
        let mut found = Found::default();
        let stem = self.stem.clone();
        self.look_in_folder(&stem, &mut found);
        found
    }

    /// The files that belong to a session id that a line of the session carries.
    pub(crate) fn files_of(&mut self, session_id: &str) -> Found {
        let mut found = Found::default();
        if let Some(growing) = &mut self.growing {
            growing.ids.insert(session_id.to_owned());
        }
        if is_plain_id(session_id) {
            self.look_in_folder(OsStr::new(session_id), &mut found);
        }
        self.look_beside(session_id, &mut found);
        found
    }

    fn look_in_folder(&mut self, name: &OsStr, found: &mut Found) {
        if name.is_empty() || !self.folders.insert(name.to_owned()) {
            return;
        }
        let folder = self.project.join(name);
        if !is_directory(&folder, found) {
            return;
        }
        self.look_for_agents(&folder.join("subagents"), found);
        let runs = folder.join("workflows");
        if !is_directory(&runs, found) {
            return;
        }
        for (path, file_type) in entries(&runs, &mut found.problems) {
            if file_type.is_symlink() {
                found.problems.push(not_followed(&path));
            } else if file_type.is_file() && path.extension() == Some(OsStr::new("json")) {
                found.runs.push(path);
            }
        }
    }

    /// Agents' files below `root`, at any depth.
    fn look_for_agents(&mut self, root: &Path, found: &mut Found) {
        if !is_directory(root, found) {
            return;
        }
        let ground = &self.ground;
        let mut directories = vec![root.to_owned()];
        while let Some(directory) = directories.pop() {
            for (path, file_type) in entries(&directory, &mut found.problems) {
                if file_type.is_dir() {
                    directories.push(path);
                    continue;
                }
                if self.growing.as_ref().is_some_and(|growing| growing.paths.contains(&path)) {
                    continue;
                }
                match AgentFile::find(path, file_type, ground) {
                    Ok(Some(file)) if ground.awaits(&file) => found.has_unripe = true,
                    Ok(Some(file)) if self.real_session_file.as_ref() == Some(&file.target) => {
                        found.problems.push(not_followed(&file.path));
                    }
                    Ok(Some(file)) if self.real_files.insert(file.target.clone()) => {
                        if let Some(growing) = &mut self.growing {
                            growing.paths.insert(file.path.clone());
                        }
                        let run_id = file.path.strip_prefix(root).ok().and_then(run_id);
                        found.agents.push(AgentFile { run_id, ..file });
                    }
                    Ok(_) => {}
                    Err(problem) => found.problems.push(problem),
                }
            }
        }
    }

    /// Agents' files beside the session file whose lines carry `session_id`.
    fn look_beside(&mut self, session_id: &str, found: &mut Found) {
        let beside = self.shelf.beside(&self.project, &self.ground);
        found.has_unripe |= beside.has_unripe;
        if !self.looked_beside {
            self.looked_beside = true;
            found.problems.extend(beside.problems.iter().cloned());
        }
        for file in beside.by_session.get(session_id).into_iter().flatten() {
            if self.real_files.insert(file.target.clone()) {
                found.agents.push(file.clone());
            }
        }
    }
}

impl Shelf {
    fn beside(&mut self, directory: &Path, ground: &Ground) -> Arc<Beside> {
        if let Some(beside) = self.0.get(directory) {
            return Arc::clone(beside);
        }
        let mut beside = Beside::default();
        beside.look(directory, ground);
        let beside = Arc::new(beside);
        self.0.insert(directory.to_owned(), Arc::clone(&beside));
        beside
    }
}

impl Beside {
    /// Looks at the files that were not looked at before.
    fn look(&mut self, directory: &Path, ground: &Ground) {
        self.has_unripe = false;
        for (path, file_type) in entries(directory, &mut self.problems) {
            // What else stands in the project folder is no business of one session.
            if file_type.is_dir() || agent_name(&path).is_none() || self.paths.contains(&path) {
                continue;
            }
            match AgentFile::find(path.clone(), file_type, ground) {
                Ok(Some(file)) if ground.awaits(&file) => {
                    self.has_unripe = true;
                    continue;
                }
                Ok(Some(file)) => {
                    if let Some(id) = file.head.session_id.clone() {
                        self.by_session.entry(id).or_default().push(file);
                    }
                }
                Ok(None) => {}
                Err(problem) => self.problems.push(problem),
            }
            self.paths.insert(path);
        }
    }
}

/// The entries of a directory in byte order of their names, links as links.
pub(crate) fn entries(directory: &Path, problems: &mut Vec<Problem>) -> Vec<(PathBuf, FileType)> {
    let mut unreadable = |path: &Path, error: io::Error| {
        problems.push(Problem::of_file(shown(path), ProblemKind::Unreadable, error.to_string()));
    };
    let mut list = Vec::new();
    match fs::read_dir(directory) {
        Ok(entries) => {
            for entry in entries {
                match entry.and_then(|entry| entry.file_type().map(|file_type| (entry.path(), file_type))) {
                    Ok(entry) => list.push(entry),
                    Err(error) => unreadable(directory, error),
                }
            }
        }
        Err(error) => unreadable(directory, error),
    }
    list.sort_by(|(one, _), (other, _)| one.as_os_str().as_encoded_bytes().cmp(other.as_os_str().as_encoded_bytes()));
    list
}

/// True for a directory that may be read. One that is a link is a problem; one that is not there is none.
fn is_directory(path: &Path, found: &mut Found) -> bool {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => {
            found.problems.push(not_followed(path));
            false
        }
        Ok(metadata) => metadata.is_dir(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => {
            found.problems.push(Problem::of_file(shown(path), ProblemKind::Unreadable, error.to_string()));
            false
        }
    }
}

/// An id that may be the name of a folder: 1 to 128 of `A-Z a-z 0-9 _ -` (P1).
fn is_plain_id(id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=ID_BYTES).contains(&id.len()) && id.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_ids_are_joined() {
        assert!(is_plain_id("5e550015-0000-4000-8000-000000000015"));
        assert!(is_plain_id(&"a".repeat(128)));
        for id in ["", ".", "..", "../x", "/etc", "a/b", "a\\b", "a b", "ä", "a\0", "a.b"] {
            assert!(!is_plain_id(id), "{id:?}");
        }
        assert!(!is_plain_id(&"a".repeat(129)));
    }
}
