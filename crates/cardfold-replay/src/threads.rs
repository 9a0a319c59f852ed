//! Lines of a conversation that carry no agent id, joined to threads by the uuid of the line before (P3).

use std::collections::HashMap;

use cardfold_wire::digest;

/// Threads of lines. A thread is a number; threads that turn out to be one are joined.
///
/// Uuids are kept as digests, as the fold does (R26).
#[derive(Clone, Debug, Default)]
pub(crate) struct Threads {
    /// Of each thread the one that it was joined to, or itself.
    joined_to: Vec<usize>,
    by_uuid: HashMap<u64, usize>,
    /// Threads whose first line names a line before it that was not seen yet.
    waiting: HashMap<u64, Vec<usize>>,
}

/// The thread of a line.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Placed {
    pub(crate) thread: usize,
    /// Threads that the line joins to this one.
    pub(crate) joined: Vec<usize>,
}

impl Threads {
    /// Places a line by its own uuid and that of the line before. The root of a thread names none.
    pub(crate) fn place(&mut self, uuid: Option<&str>, parent_uuid: Option<&str>) -> Placed {
        let uuid = uuid.map(|uuid| digest(uuid.as_bytes()));
        let parent = parent_uuid.map(|uuid| digest(uuid.as_bytes()));
        let known = |uuid: Option<u64>| uuid.and_then(|uuid| self.by_uuid.get(&uuid)).copied();
        // A line that was written again is where it was.
        let thread = match known(uuid).or_else(|| known(parent)) {
            Some(thread) => self.root_of(thread),
            None => self.begin(parent),
        };
        let Some(uuid) = uuid else { return Placed { thread, joined: Vec::new() } };
        self.by_uuid.insert(uuid, thread);
        let mut joined = Vec::new();
        for waiting in self.waiting.remove(&uuid).unwrap_or_default() {
            let waiting = self.root_of(waiting);
            // Lines that name each other in a circle are one thread already.
            if waiting != thread {
                self.joined_to[waiting] = thread;
                joined.push(waiting);
            }
        }
        Placed { thread, joined }
    }

    /// A line of this uuid was placed.
    pub(crate) fn knows(&self, uuid: &str) -> bool {
        self.by_uuid.contains_key(&digest(uuid.as_bytes()))
    }

    fn begin(&mut self, parent: Option<u64>) -> usize {
        let thread = self.joined_to.len();
        self.joined_to.push(thread);
        if let Some(parent) = parent {
            self.waiting.entry(parent).or_default().push(thread);
        }
        thread
    }

    fn root_of(&mut self, thread: usize) -> usize {
        let mut root = thread;
        while self.joined_to[root] != root {
            root = self.joined_to[root];
        }
        // Later look-ups take one step.
        let mut at = thread;
        while self.joined_to[at] != root {
            at = std::mem::replace(&mut self.joined_to[at], root);
        }
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(threads: &mut Threads, uuid: &str, parent: &str) -> (usize, Vec<usize>) {
        let placed = threads.place(Some(uuid), Some(parent).filter(|parent| !parent.is_empty()));
        (placed.thread, placed.joined)
    }

    #[test]
    fn lines_follow_the_line_before() {
        let mut threads = Threads::default();
        assert_eq!(place(&mut threads, "a", ""), (0, vec![]));
        assert_eq!(place(&mut threads, "b", ""), (1, vec![]));
        assert_eq!(place(&mut threads, "a2", "a"), (0, vec![]));
        assert_eq!(place(&mut threads, "b2", "b"), (1, vec![]));
        assert_eq!(place(&mut threads, "a2", "elsewhere"), (0, vec![]), "written again");
    }

    #[test]
    fn a_line_before_may_come_later() {
        let mut threads = Threads::default();
        assert_eq!(place(&mut threads, "a", ""), (0, vec![]));
        assert_eq!(place(&mut threads, "a3", "a2"), (1, vec![]));
        assert_eq!(place(&mut threads, "a4", "a3"), (1, vec![]));
        assert_eq!(place(&mut threads, "a2", "a"), (0, vec![1]));
        assert_eq!(place(&mut threads, "a5", "a4"), (0, vec![]));
    }

    #[test]
    fn a_circle_is_one_thread() {
        let mut threads = Threads::default();
        assert_eq!(place(&mut threads, "x", "y"), (0, vec![]));
        assert_eq!(place(&mut threads, "y", "x"), (0, vec![]));
        assert_eq!(place(&mut threads, "z", "z"), (1, vec![]));
    }
}
