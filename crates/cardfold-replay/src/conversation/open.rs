//! What stands at a path, opened: a session file, a captured stream, a session's folder, files of another system.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use cardfold_dialects::Translation;

use crate::agent_file::shown;
use crate::conversation::{Conversation, Unread};
use crate::foreign::{Foreign, Part};
use crate::input::Input;
use crate::kind::Kind;
use crate::layout::{Layout, Shelf};
use crate::options::Options;
use crate::problem::{Problem, ProblemKind};
use crate::walk::{self, Target};

impl Conversation<'static> {
    /// Opens the session file or captured stream at `path`, or the session whose folder `path` is.
    ///
    /// # Errors
    ///
    /// There is nothing at `path` that can be opened, or it is a directory of several sessions.
    pub fn open(path: &Path, options: &Options) -> Result<Self, Problem> {
        if !path.is_dir() {
            return Self::open_target(&Target::File(path.to_owned()), Shelf::default(), options);
        }
        match walk::session_of_folder(path) {
            Some(target) => Self::open_target(&target, Shelf::default(), options),
            None => {
                Err(Problem::of_file(shown(path), ProblemKind::Unreadable, "no session file and no session's folder"))
            }
        }
    }

    /// `shelf` is what the sessions before this one found out.
    pub(crate) fn open_target(target: &Target, shelf: Shelf, options: &Options) -> Result<Self, Problem> {
        match target {
            Target::File(path) => Self::open_file(path, shelf, options),
            Target::Folder(path) => {
                let unreadable =
                    |error: io::Error| Problem::of_file(shown(path), ProblemKind::Unreadable, error.to_string());
                let layout =
                    Layout::new(&walk::session_file(path), shelf, options.max_line_bytes).map_err(unreadable)?;
                let mut conversation = Self::empty(&shown(path), Some(layout), options);
                conversation.kind = Some(Kind::Stored);
                Ok(conversation)
            }
            Target::Foreign { make, home, files } => {
                let mut conversation = Self::empty(&shown(home), None, options);
                let size = |path: &PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
                conversation.bytes_total = Some(files.iter().map(|(path, _)| size(path)).sum());
                let parts = files.iter().map(|(path, form)| Part::Found(path.clone(), *form)).collect();
                conversation.foreign = Some(Foreign::new(Translation::new(make()), parts));
                conversation.is_guess = true;
                Ok(conversation)
            }
        }
    }

    fn open_file(path: &Path, shelf: Shelf, options: &Options) -> Result<Self, Problem> {
        let name = shown(path);
        let unreadable = |error: io::Error| Problem::of_file(&*name, ProblemKind::Unreadable, error.to_string());
        let file = File::open(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        // Of a pipe nothing is known beforehand, and nothing stands beside it, also where a link leads to it (`<(…)`).
        let is_file = metadata.is_file();
        // The other files stand beside the file itself, not beside a link that the caller named.
        let is_link = is_file && fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        let place = if is_link { fs::canonicalize(path).map_err(unreadable)? } else { path.to_owned() };
        let layout =
            is_file.then(|| Layout::new(&place, shelf, options.max_line_bytes).map_err(unreadable)).transpose()?;
        let bytes = is_file.then_some(metadata.len());
        let mut conversation = Self::empty(&name, layout, options);
        conversation.bytes_total = bytes;
        let input = if is_file { Input::File(file) } else { Input::Reader(Box::new(file)) };
        conversation.unread = Some(Unread { name, input, bytes });
        Ok(conversation)
    }
}
