//! What is followed while it is written to: a session file, or a folder of another system's files.

mod folder;

use std::path::{Path, PathBuf};

use cardfold_wire::Frame;

use crate::conversation::{Conversation, SessionFrame};
use crate::options::Options;
use crate::problem::Problem;
use crate::session::SessionFacts;
use crate::walk;
use folder::Folder;

/// The frames of a session that is still written to, and of the files that belong to it.
///
/// [`Follow::next_frame`] gives what there is, in the order of a [`Conversation`], until there is nothing more for now.
/// [`Follow::look`] then sees what was written meanwhile; a caller knows when that is worth it, from the file system or
/// from a clock. Of a file that goes on only what is new is read; a line without an end waits for its rest.
///
/// Where several files have something new it comes by time (P2), but what was written later comes later: the cards are
/// those that a replay gives, but for what R4 says of order.
///
/// A folder of another system's files is followed too, with all sessions that a replay finds there. What its files say
/// depends on the order in which they are read: where one of several files of a session changes, or another one comes,
/// everything is read anew.
///
/// ```
/// use std::fs;
///
/// use cardfold::{CardTracker, State};
/// use cardfold_replay::{Follow, Look, Options};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("session.jsonl");
/// let mut follow = Follow::new(&path, &Options::default()).expect("it is no folder");
/// let mut tracker = CardTracker::new();
/// assert!(follow.next_frame(|next| tracker.apply(&next.frame)).is_none(), "the file is not there yet");
///
/// let dispatch = r#"{"type":"tool_use","id":"a","name":"Agent","input":{"description":"Count"}}"#;
/// fs::write(&path, format!(r#"{{"type":"assistant","sessionId":"s","message":{{"content":[{dispatch}]}}}}"#))?;
/// assert_eq!(follow.look_around(), Look::Same);
/// while follow.next_frame(|next| tracker.apply(&next.frame)).is_some() {}
/// assert_eq!(tracker.card("a").map(|card| card.state), Some(State::Running));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Follow {
    path: PathBuf,
    options: Options,
    what: What,
}

/// What is followed, and how far it is read.
#[derive(Debug)]
enum What {
    /// A file that is not there, and why.
    Absent(Problem),
    Folder(Box<Folder>),
    Session(Box<Conversation<'static>>),
}

/// What [`Follow::look`] saw.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[must_use = "cards of a file that is another one by now are void"]
pub enum Look {
    /// A file was cut, written anew, or replaced by another one: everything is read from the start. What the frames so
    /// far told is void, and frames count from 1 again.
    Anew,
    /// The files are the same, whether there is more in them or not.
    Same,
}

impl Follow {
    /// Follows the session file at `path`, the one of the session whose folder `path` is, or what other systems write in
    /// the folder `path`. A file may be one that is not there yet; so may what a folder is to hold, if
    /// [`Options::dialect`] says whose it is. [`Options::live`] is taken for granted.
    ///
    /// # Errors
    ///
    /// `path` is a directory of several sessions of the client, or of nothing that is known.
    pub fn new(path: &Path, options: &Options) -> Result<Self, Problem> {
        let options = Options { live: true, ..options.clone() };
        if path.is_dir() {
            let Some(target) = walk::session_of_folder(path) else {
                let what = What::Folder(Box::new(Folder::new(path, &options)?));
                return Ok(Self { path: path.to_owned(), options, what });
            };
            return Ok(Self::of_file(target.session_file(), options));
        }
        Ok(Self::of_file(path.to_owned(), options))
    }

    fn of_file(path: PathBuf, options: Options) -> Self {
        let what = What::of_file(&path, &options);
        Self { path, options, what }
    }

    /// Reads on to the next frame and gives it to `take`; `None` when there is none for now.
    pub fn next_frame<T>(&mut self, take: impl FnOnce(SessionFrame<'_>) -> T) -> Option<T> {
        match &mut self.what {
            What::Absent(_) => None,
            What::Folder(folder) => folder.next_frame(take),
            What::Session(conversation) => conversation.next_frame(take),
        }
    }

    /// Looks whether the files have grown. It costs a look at each of them.
    pub fn look(&mut self) -> Look {
        let look = match &mut self.what {
            What::Absent(_) => {
                self.what = What::of_file(&self.path, &self.options);
                return Look::Same;
            }
            What::Folder(folder) => return folder.look(),
            What::Session(conversation) => conversation.look(),
        };
        if look == Look::Anew {
            self.what = What::of_file(&self.path, &self.options);
        }
        look
    }

    /// As [`Follow::look`], and looks too for files that were not there before. It costs a listing of the session's
    /// folders, or of all that is below the folder that is followed.
    pub fn look_around(&mut self) -> Look {
        match &mut self.what {
            What::Absent(_) => {}
            What::Folder(folder) => return folder.look_around(),
            What::Session(conversation) => conversation.look_for_new(),
        }
        self.look()
    }

    /// What a replay of the session as it is now would conclude at its end, as frames: which agents belong to which of
    /// several dispatches with the same prompt, how workflows stand, and which agents nothing claims. What comes later
    /// may say otherwise, so these are for a copy of the tracker. For nearly all sessions there are none.
    #[must_use]
    pub fn conclusions(&self) -> Vec<Frame<'static>> {
        match &self.what {
            What::Absent(_) | What::Folder(_) => Vec::new(),
            What::Session(conversation) => conversation.conclusions(),
        }
    }

    /// What was read so far: of a file the one session, or those of a captured stream; of a folder all, in order of
    /// sight.
    #[must_use]
    pub fn sessions(&self) -> &[SessionFacts] {
        match &self.what {
            What::Absent(_) => &[],
            What::Folder(folder) => folder.sessions(),
            What::Session(conversation) => conversation.sessions(),
        }
    }

    /// The session file, or the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why there is nothing to read.
    #[must_use]
    pub fn problem(&self) -> Option<&Problem> {
        match &self.what {
            What::Absent(problem) => Some(problem),
            What::Folder(folder) => folder.problem(),
            What::Session(_) => None,
        }
    }

    /// The folder in which the session file stands or will stand, or that is followed, and folders in it that are
    /// written to at any depth, which may not be there yet. What changes elsewhere is none of this session's; of a
    /// folder that is followed it may be news of which nothing else tells.
    #[must_use]
    pub fn places(&self) -> (PathBuf, Vec<PathBuf>) {
        let places = match &self.what {
            What::Absent(_) => None,
            What::Folder(folder) => return folder.places(),
            What::Session(conversation) => conversation.places(),
        };
        places.map_or_else(
            || {
                let parent = self.path.parent().filter(|parent| *parent != Path::new(""));
                (parent.unwrap_or(Path::new(".")).to_owned(), Vec::new())
            },
            |(project, folders)| (project.to_owned(), folders),
        )
    }
}

impl What {
    fn of_file(path: &Path, options: &Options) -> Self {
        Conversation::follow(path, options)
            .map_or_else(Self::Absent, |conversation| Self::Session(Box::new(conversation)))
    }
}
