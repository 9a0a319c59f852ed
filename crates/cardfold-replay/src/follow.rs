//! A session file that is followed while it is written to.

use std::path::{Path, PathBuf};

use cardfold_wire::Frame;

use crate::agent_file::shown;
use crate::conversation::{Conversation, SessionFrame};
use crate::options::Options;
use crate::problem::{Problem, ProblemKind};
use crate::session::SessionFacts;
use crate::walk;

/// The frames of a session that is still written to, and of the files that belong to it.
///
/// [`Follow::next_frame`] gives what there is, in the order of a [`Conversation`], until there is nothing more for now.
/// [`Follow::look`] then sees what was written meanwhile; a caller knows when that is worth it, from the file system or
/// from a clock. Of a file that goes on only what is new is read; a line without an end waits for its rest.
///
/// Where several files have something new it comes by time (P2), but what was written later comes later: the cards are
/// those that a replay gives, but for what R4 says of order.
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
    /// None as long as there is no file.
    conversation: Option<Conversation<'static>>,
    /// Why there is none.
    problem: Option<Problem>,
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
    /// Follows the session file at `path`, or the one of the session whose folder `path` is. The file may be one that
    /// is not there yet. [`Options::live`] is taken for granted.
    ///
    /// # Errors
    ///
    /// `path` is a directory of several sessions.
    pub fn new(path: &Path, options: &Options) -> Result<Self, Problem> {
        let path = match path.is_dir() {
            false => path.to_owned(),
            true => match walk::session_of_folder(path) {
                Some(target) => target.session_file(),
                None => {
                    let detail = "a folder, and none of one session";
                    return Err(Problem::of_file(shown(path), ProblemKind::Unreadable, detail));
                }
            },
        };
        let options = Options { live: true, ..options.clone() };
        let mut follow = Self { path, options, conversation: None, problem: None };
        follow.open();
        Ok(follow)
    }

    /// Reads on to the next frame and gives it to `take`; `None` when there is none for now.
    pub fn next_frame<T>(&mut self, take: impl FnOnce(SessionFrame<'_>) -> T) -> Option<T> {
        self.conversation.as_mut()?.next_frame(take)
    }

    /// Looks whether the files of the session have grown. It costs a look at each of them.
    pub fn look(&mut self) -> Look {
        let Some(conversation) = &mut self.conversation else {
            self.open();
            return Look::Same;
        };
        let look = conversation.look();
        if look == Look::Anew {
            self.open();
        }
        look
    }

    /// As [`Follow::look`], and looks too for files of the session that were not there before. It costs a listing of the
    /// session's folders.
    pub fn look_around(&mut self) -> Look {
        if let Some(conversation) = &mut self.conversation {
            conversation.look_for_new();
        }
        self.look()
    }

    /// What a replay of the session as it is now would conclude at its end, as frames: which agents belong to which of
    /// several dispatches with the same prompt, how workflows stand, and which agents nothing claims. What comes later
    /// may say otherwise, so these are for a copy of the tracker. For nearly all sessions there are none.
    #[must_use]
    pub fn conclusions(&self) -> Vec<Frame<'static>> {
        self.conversation.as_ref().map(Conversation::conclusions).unwrap_or_default()
    }

    /// What was read so far: of a file the one session, or those of a captured stream.
    #[must_use]
    pub fn sessions(&self) -> &[SessionFacts] {
        self.conversation.as_ref().map_or(&[], Conversation::sessions)
    }

    /// The session file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why there is nothing to read.
    #[must_use]
    pub fn problem(&self) -> Option<&Problem> {
        self.problem.as_ref()
    }

    /// The folder in which the session file stands or will stand, and the session's own folders in it, which may not be
    /// there yet: what changes elsewhere is none of this session's.
    #[must_use]
    pub fn places(&self) -> (PathBuf, Vec<PathBuf>) {
        let places = self.conversation.as_ref().and_then(Conversation::places);
        places.map_or_else(
            || {
                let parent = self.path.parent().filter(|parent| *parent != Path::new(""));
                (parent.unwrap_or(Path::new(".")).to_owned(), Vec::new())
            },
            |(project, folders)| (project.to_owned(), folders),
        )
    }

    fn open(&mut self) {
        let opened = Conversation::follow(&self.path, &self.options);
        (self.conversation, self.problem) = match opened {
            Ok(conversation) => (Some(conversation), None),
            Err(problem) => (None, Some(problem)),
        };
    }
}
