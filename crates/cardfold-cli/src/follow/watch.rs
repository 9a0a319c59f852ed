//! When to look again: the file system tells, and where it does not a clock does.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use notify::event::ModifyKind;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// A look at least this often: some file systems tell nothing (network shares), and what happens in a folder before it
/// is watched nobody tells.
const PATIENCE: Duration = Duration::from_secs(2);

/// At most one look in this time, so that a file which grows line by line is not looked at for each of them.
const PAUSE: Duration = Duration::from_millis(20);

/// Looking takes one part in so many of the time, however many files there are.
const SHARE: u32 = 10;

/// What there is to see.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Nudge {
    /// A file was written to.
    Grown,
    /// Files came, went, or got other names; or it is time to look for that.
    Moved,
    /// The program is to end.
    Signal(i32),
}

/// Watches the places of a session.
pub(crate) struct Watch {
    /// None where the system cannot watch: then there is the clock.
    watcher: Option<RecommendedWatcher>,
    watched: BTreeSet<(PathBuf, Reach)>,
    nudges: Receiver<Nudge>,
    /// Where nudges come from. The watch has one of its own, so that there is always somebody to wait for.
    to: Sender<Nudge>,
    /// What the last look took.
    took: Duration,
}

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Reach {
    /// The folder itself.
    Folder,
    /// All that is below it too.
    Tree,
}

impl Watch {
    pub(crate) fn new() -> Self {
        let (to, nudges) = mpsc::channel();
        let told = to.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if let Some(nudge) = nudge(event.map(|event| event.kind)) {
                // Nobody waits any more when the program ends.
                let _ = told.send(nudge);
            }
        });
        Self { watcher: watcher.ok(), watched: BTreeSet::new(), nudges, to, took: Duration::ZERO }
    }

    /// Where a nudge may come from besides.
    pub(crate) fn sender(&self) -> Sender<Nudge> {
        self.to.clone()
    }

    /// Looks; what that takes decides how soon the next look may be.
    pub(crate) fn time<T>(&mut self, look: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let seen = look();
        self.took = begun.elapsed();
        seen
    }

    /// Watches the folder of the session file, and the session's own folders with all that is below them; nothing else
    /// any more. Those that are not there are tried again next time.
    pub(crate) fn keep(&mut self, (project, folders): (PathBuf, Vec<PathBuf>)) {
        let Some(watcher) = &mut self.watcher else { return };
        let folders = folders.into_iter().map(|folder| (folder, Reach::Tree));
        let mut wanted: BTreeSet<(PathBuf, Reach)> = [(project, Reach::Folder)].into_iter().chain(folders).collect();
        // The watch of a folder goes with the folder.
        wanted.retain(|(path, _)| path.is_dir());
        for gone in self.watched.difference(&wanted) {
            let _ = watcher.unwatch(&gone.0);
        }
        self.watched.retain(|place| wanted.contains(place));
        for (path, reach) in wanted {
            let mode = match reach {
                Reach::Folder => RecursiveMode::NonRecursive,
                Reach::Tree => RecursiveMode::Recursive,
            };
            if !self.watched.contains(&(path.clone(), reach)) && watcher.watch(&path, mode).is_ok() {
                self.watched.insert((path, reach));
            }
        }
    }

    /// Waits until there is something to see.
    pub(crate) fn wait(&mut self) -> Nudge {
        let pause = PAUSE.max(self.took.saturating_mul(SHARE)).min(PATIENCE);
        let mut nudge = self.nudges.recv_timeout(PATIENCE).unwrap_or(Nudge::Moved);
        if !matches!(nudge, Nudge::Signal(_)) {
            thread::sleep(pause);
        }
        for more in self.nudges.try_iter() {
            nudge = stronger(nudge, more);
        }
        nudge
    }
}

fn stronger(one: Nudge, other: Nudge) -> Nudge {
    match (one, other) {
        (Nudge::Signal(signal), _) | (_, Nudge::Signal(signal)) => Nudge::Signal(signal),
        (Nudge::Moved, _) | (_, Nudge::Moved) => Nudge::Moved,
        (Nudge::Grown, Nudge::Grown) => Nudge::Grown,
    }
}

/// What an event of the file system is worth. That somebody reads a file is nothing: that is what looking does.
fn nudge(kind: notify::Result<EventKind>) -> Option<Nudge> {
    match kind {
        Ok(EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_))) => None,
        Ok(EventKind::Modify(ModifyKind::Data(_))) => Some(Nudge::Grown),
        Ok(
            EventKind::Any
            | EventKind::Create(_)
            | EventKind::Modify(ModifyKind::Any | ModifyKind::Name(_) | ModifyKind::Other)
            | EventKind::Other
            | EventKind::Remove(_),
        )
        | Err(_) => Some(Nudge::Moved),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{AccessKind, CreateKind, DataChange, MetadataKind, RenameMode};

    #[test]
    fn reading_a_file_is_no_news() {
        assert_eq!(nudge(Ok(EventKind::Access(AccessKind::Any))), None);
        assert_eq!(nudge(Ok(EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any)))), None);
        assert_eq!(nudge(Ok(EventKind::Modify(ModifyKind::Data(DataChange::Any)))), Some(Nudge::Grown));
        assert_eq!(nudge(Ok(EventKind::Create(CreateKind::File))), Some(Nudge::Moved));
        assert_eq!(nudge(Ok(EventKind::Modify(ModifyKind::Name(RenameMode::Any)))), Some(Nudge::Moved));
        assert_eq!(nudge(Err(notify::Error::generic("lost"))), Some(Nudge::Moved));
    }

    #[test]
    fn many_nudges_are_one() {
        let mut watch = Watch::new();
        let to = watch.sender();
        for nudge in [Nudge::Grown, Nudge::Moved, Nudge::Grown] {
            to.send(nudge).expect("somebody waits");
        }
        assert_eq!(watch.wait(), Nudge::Moved);
        to.send(Nudge::Grown).expect("somebody waits");
        assert_eq!(watch.wait(), Nudge::Grown);
        for nudge in [Nudge::Grown, Nudge::Signal(15), Nudge::Moved] {
            to.send(nudge).expect("somebody waits");
        }
        assert_eq!(watch.wait(), Nudge::Signal(15));
    }
}
