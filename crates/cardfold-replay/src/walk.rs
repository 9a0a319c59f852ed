//! The sessions below a directory (P1). Knows nothing of what stands in them.

use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

use cardfold_dialects::{Dialect, dialects};

use crate::agent_file::{agent_name, not_followed};
use crate::groups::Groups;
use crate::layout::entries;
use crate::problem::{Problem, Problems};
use crate::whose::Form;

/// What one conversation is read from.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// A session file or a captured stream.
    File(PathBuf),
    /// A session's folder whose session file is gone.
    Folder(PathBuf),
    /// Files that by their names are one conversation of another system, in the order in which they are read.
    Foreign { make: fn() -> Box<dyn Dialect>, home: PathBuf, files: Vec<(PathBuf, Form)> },
}

impl Target {
    /// The file of the session, whether it is there or not.
    pub(crate) fn session_file(self) -> PathBuf {
        match self {
            Self::File(path) | Self::Foreign { home: path, .. } => path,
            Self::Folder(path) => session_file(&path),
        }
    }

    /// The files that are known to be read.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let (alone, together): (_, &[(PathBuf, Form)]) = match self {
            Self::File(path) => (Some(&**path), &[]),
            Self::Folder(_) => (None, &[]),
            Self::Foreign { files, .. } => (None, files),
        };
        alone.into_iter().chain(together.iter().map(|(path, _)| &**path))
    }

    /// The same files in the same order, whosever they are.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.path() == other.path() && self.files().eq(other.files())
    }

    fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Folder(path) | Self::Foreign { home: path, .. } => path,
        }
    }
}

/// What was found below a directory.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// In byte order of their paths.
    pub(crate) targets: Vec<Target>,
    /// Bytes of the files.
    pub(crate) bytes: u64,
    pub(crate) problems: Problems,
}

impl Walk {
    /// Everything at `root`. `named` is the dialect that the caller asks for.
    pub(crate) fn of(root: &Path, named: Option<fn() -> Box<dyn Dialect>>) -> Self {
        let mut walk = Self::default();
        if !root.is_dir() {
            walk.add(root.to_owned());
            return walk;
        }
        let known = named.map_or_else(|| dialects().collect(), |make| vec![make]);
        walk.below(root, &known);
        // Files that only have such names are no session yet.
        if walk.targets.iter().all(|target| matches!(target, Target::Foreign { .. })) {
            walk.targets.extend(session_of_folder(root));
        }
        walk
    }

    fn below(&mut self, root: &Path, known: &[fn() -> Box<dyn Dialect>]) {
        let mut files = Vec::new();
        let mut foreign = Groups::new(known);
        let mut directories = vec![root.to_owned()];
        while let Some(directory) = directories.pop() {
            let mut problems: Vec<Problem> = Vec::new();
            let entries = entries(&directory, &mut problems);
            for (path, file_type) in &entries {
                let is_lines = path.extension() == Some(OsStr::new("jsonl"));
                if file_type.is_dir() {
                    if !is_of_session(path) {
                        directories.push(path.clone());
                    }
                } else if agent_name(path).is_some() {
                    // One of a session's agents; links of that name are the session's business too.
                } else if file_type.is_symlink() {
                    problems.push(not_followed(path));
                } else if file_type.is_file() && foreign.take(path) {
                    self.add_bytes(path);
                } else if is_lines && file_type.is_file() {
                    files.push(path.clone());
                }
            }
            for problem in problems {
                self.problems.push(problem);
            }
        }
        for file in files {
            self.add(file);
        }
        self.targets.extend(foreign.into_targets());
        self.targets.sort_by(|one, other| bytes_of(one.path()).cmp(bytes_of(other.path())));
    }

    fn add(&mut self, file: PathBuf) {
        self.add_bytes(&file);
        self.targets.push(Target::File(file));
    }

    fn add_bytes(&mut self, file: &Path) {
        self.bytes = self.bytes.saturating_add(fs::metadata(file).map_or(0, |metadata| metadata.len()));
    }
}

/// A path byte by byte, and not by its components.
pub(crate) fn bytes_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// True for the agents' folder of a session: they are found from the session's file. A folder of that name may also be a
/// project; then session files lie in it, and the folder around it is no session's.
fn is_of_session(folder: &Path) -> bool {
    if folder.file_name() != Some(OsStr::new("subagents")) {
        return false;
    }
    let is_session_file = |(path, file_type): &(PathBuf, FileType)| {
        file_type.is_file() && path.extension() == Some(OsStr::new("jsonl")) && agent_name(path).is_none()
    };
    // A link is no session file, wherever it leads: what stands outside is not even asked for.
    let is_in_session = folder.parent().is_some_and(|parent| is_there(&session_file(parent), FileType::is_file));
    is_in_session || !entries(folder, &mut Vec::new()).iter().any(is_session_file)
}

/// The file of the session whose folder this is. A dot in the folder's name is no extension.
pub(crate) fn session_file(folder: &Path) -> PathBuf {
    let mut path = folder.to_owned().into_os_string();
    path.push(".jsonl");
    PathBuf::from(path)
}

/// The session whose folder this is: the file of the same name beside it, else the folder alone.
pub(crate) fn session_of_folder(folder: &Path) -> Option<Target> {
    let is_session_folder =
        ["subagents", "workflows"].iter().any(|inner| is_there(&folder.join(inner), FileType::is_dir));
    if !is_session_folder {
        return None;
    }
    // `.` and `..` have no name of their own.
    let named = match folder.file_name() {
        Some(_) => folder.to_owned(),
        None => fs::canonicalize(folder).ok()?,
    };
    let session_file = session_file(&named);
    Some(if is_there(&session_file, FileType::is_file) { Target::File(session_file) } else { Target::Folder(named) })
}

/// Something of that sort stands there itself; a link to it does not count.
fn is_there(path: &Path, is_of_sort: impl Fn(&FileType) -> bool) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| is_of_sort(&metadata.file_type()))
}
