//! A folder of other systems' files that are still written to. Knows no word of these systems.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cardfold_dialects::Dialect;

use crate::agent_file::shown;
use crate::bounded::read_bounded;
use crate::conversation::{Conversation, SessionFrame, Stamp, stamp};
use crate::follow::Look;
use crate::layout::Shelf;
use crate::options::Options;
use crate::problem::{Problem, ProblemKind};
use crate::session::SessionFacts;
use crate::source::is_whole;
use crate::walk::{Target, Walk};
use crate::whose::Form;

/// Files that stand by themselves and are followed: they are kept open, to be read on. A system that has more of them than
/// that is unheard of.
const FOLLOWED_FILES: usize = 256;

/// What other systems write below a folder.
///
/// A file that stands by itself is read on as it grows. Of files that are one session together each may say how the
/// others are to be read, so that all are read again, as soon as one of them has changed.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    options: Options,
    parts: Vec<Part>,
    /// The sessions in order of sight: each a part, and a place among the sessions of it.
    seen: Vec<(usize, usize)>,
    /// What is known of each of them, as of the last rest.
    facts: Vec<SessionFacts>,
    /// Why there is nothing to read, as long as that is so.
    nothing: Problem,
    /// Files that are not followed, since too many stand there.
    left_out: Vec<Target>,
}

/// What is read as one conversation.
#[derive(Debug)]
struct Part {
    target: Target,
    /// None where there is nothing to read now, or the client's conversation stands there: that is followed by its name.
    conversation: Option<Conversation<'static>>,
    /// Of files that are one session together: how each of them was when it was read.
    stamps: Vec<Stamp>,
}

impl Folder {
    /// # Errors
    ///
    /// The client's sessions stand below `root`, or nothing that is known.
    pub(super) fn new(root: &Path, options: &Options) -> Result<Self, Problem> {
        let (targets, left_out) = targets(root, options.dialect);
        let refused = |detail: &str| Err(Problem::of_file(shown(root), ProblemKind::Unreadable, detail));
        if options.dialect.is_none() {
            match whose(&targets, options) {
                Whose::Client => return refused("a folder, and none of one session"),
                Whose::Nobody => return refused("a folder, and nothing in it tells whose it is"),
                Whose::Others => {}
            }
        }
        let nothing = Problem::of_file(shown(root), ProblemKind::NoFrame, "nothing stands in it yet");
        let mut folder = Self {
            root: root.to_owned(),
            options: options.clone(),
            parts: Vec::new(),
            seen: Vec::new(),
            facts: Vec::new(),
            nothing,
            left_out,
        };
        folder.open(targets);
        Ok(folder)
    }

    pub(super) fn next_frame<T>(&mut self, take: impl FnOnce(SessionFrame<'_>) -> T) -> Option<T> {
        let Self { parts, seen, .. } = self;
        let mut take = Some(take);
        for (number, part) in parts.iter_mut().enumerate() {
            let Some(conversation) = &mut part.conversation else { continue };
            if conversation.is_clients() {
                continue;
            }
            let given = conversation.next_frame(|next| {
                let place = (number, next.session);
                let session = seen.iter().position(|known| *known == place).unwrap_or_else(|| {
                    seen.push(place);
                    seen.len().saturating_sub(1)
                });
                take.take().expect("a frame is given once")(SessionFrame { session, ..next })
            });
            if given.is_some() {
                return given;
            }
        }
        self.rest();
        None
    }

    /// Looks at the files that are known.
    pub(super) fn look(&mut self) -> Look {
        let options = &self.options;
        if self.parts.iter_mut().any(|part| part.is_another(options)) { self.look_anew() } else { Look::Same }
    }

    /// Looks at everything below the folder.
    pub(super) fn look_around(&mut self) -> Look {
        let found = self.targets();
        let is_known = found.len() == self.parts.len()
            && found.iter().zip(&self.parts).all(|(target, part)| target.is_same(&part.target));
        // What was read stands until there is something else.
        if is_known || found.is_empty() {
            return self.look();
        }
        self.open(found);
        Look::Anew
    }

    pub(super) fn sessions(&self) -> &[SessionFacts] {
        &self.facts
    }

    pub(super) fn problem(&self) -> Option<&Problem> {
        self.seen.is_empty().then_some(&self.nothing)
    }

    /// The folder, and folders in it in which sessions stand. To watch all that is below it may be too much: a system may
    /// keep its files among the sources of a project.
    pub(super) fn places(&self) -> (PathBuf, Vec<PathBuf>) {
        let is_below = |folder: &&Path| folder.starts_with(&self.root) && **folder != self.root;
        let mut folders: BTreeSet<&Path> = BTreeSet::new();
        for file in self.parts.iter().flat_map(|part| part.target.files()) {
            // Beside the folder of an agent's file those of other agents come.
            let around = file.parent().and_then(Path::parent).filter(is_below);
            folders.extend(around.or(file.parent().filter(is_below)));
        }
        let mut topmost: Vec<PathBuf> = Vec::new();
        for folder in folders {
            // Those that are below another one come after it.
            if !topmost.iter().any(|above| folder.starts_with(above)) {
                topmost.push(folder.to_owned());
            }
        }
        (self.root.clone(), topmost)
    }

    fn look_anew(&mut self) -> Look {
        let found = self.targets();
        self.open(found);
        Look::Anew
    }

    /// What stands below the folder now and is to be followed.
    fn targets(&mut self) -> Vec<Target> {
        let (found, left_out) = targets(&self.root, self.options.dialect);
        self.left_out = left_out;
        found
    }

    /// Reads everything from the start.
    fn open(&mut self, targets: Vec<Target>) {
        self.seen.clear();
        self.facts.clear();
        // The files of before are closed first.
        self.parts.clear();
        self.parts.extend(targets.into_iter().map(|target| Part::open(target, &self.options)));
    }

    /// Everything there is was read.
    fn rest(&mut self) {
        let Self { parts, seen, .. } = self;
        let facts =
            |(part, place): &(usize, usize)| parts[*part].conversation.as_ref()?.sessions().get(*place).cloned();
        self.facts = seen.iter().filter_map(facts).collect();
        // They belong to no session that is read; the first one says that there are more.
        if let Some(first) = self.facts.first_mut() {
            for file in self.left_out.iter().flat_map(Target::files) {
                let detail = format!("more than {FOLLOWED_FILES} files are written to below the folder");
                first.problems.push(Problem::of_file(shown(file), ProblemKind::NotFollowed, detail));
            }
        }
    }
}

impl Part {
    fn open(target: Target, options: &Options) -> Self {
        let stamps = target.files().map(stamp).collect();
        let conversation = match &target {
            Target::File(path) => Conversation::follow(path, options),
            Target::Folder(_) | Target::Foreign { .. } => {
                Conversation::open_target(&target, Shelf::default(), options).map(Conversation::without_torn_lines)
            }
        };
        Self { target, conversation: conversation.ok(), stamps }
    }

    /// It has to be read from the start.
    fn is_another(&mut self, options: &Options) -> bool {
        let Self { target, conversation, stamps } = self;
        match target {
            Target::File(_) => conversation.as_mut().is_some_and(|conversation| conversation.look() == Look::Anew),
            Target::Folder(_) => false,
            Target::Foreign { files, .. } => files.iter().zip(stamps).any(|((path, form), before)| {
                let now = stamp(path);
                now.is_some() && now != *before && is_readable(path, *form, options)
            }),
        }
    }
}

/// A file that is one value and torn is being written: until that is done the one of before stands.
fn is_readable(path: &Path, form: Form, options: &Options) -> bool {
    match form {
        Form::Document => read_bounded(path, options.max_line_bytes).is_ok_and(|bytes| is_whole(&bytes)),
        Form::Lines => true,
    }
}

/// What stands below a folder, and what of it is left out: of files that stand by themselves no more are taken than may be
/// open, the first by name.
fn targets(root: &Path, named: Option<fn() -> Box<dyn Dialect>>) -> (Vec<Target>, Vec<Target>) {
    if !root.is_dir() {
        return (Vec::new(), Vec::new());
    }
    let mut alone = 0;
    Walk::of(root, named).targets.into_iter().partition(|target| {
        let is_alone = matches!(target, Target::File(_));
        alone += usize::from(is_alone);
        !is_alone || alone <= FOLLOWED_FILES
    })
}

/// Whose the files below a folder are.
enum Whose {
    /// At least one is the client's.
    Client,
    Nobody,
    Others,
}

fn whose(targets: &[Target], options: &Options) -> Whose {
    let mut whose = Whose::Nobody;
    for target in targets {
        match target {
            Target::File(path) => {
                let Ok(mut conversation) = Conversation::follow(path, options) else { continue };
                if conversation.is_clients() {
                    return Whose::Client;
                }
                if conversation.is_others() {
                    whose = Whose::Others;
                }
            }
            Target::Folder(_) => return Whose::Client,
            Target::Foreign { .. } => {
                // Other programs write files of such names too.
                let conversation = Conversation::open_target(target, Shelf::default(), options);
                if conversation.is_ok_and(|mut conversation| conversation.next().is_some()) {
                    whose = Whose::Others;
                }
            }
        }
    }
    whose
}
