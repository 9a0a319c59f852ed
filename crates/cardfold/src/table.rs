//! Look-up by id: ids are kept as 64-bit digests of a fixed function (R26). Knows no agent.

use std::collections::VecDeque;
use std::hash::{BuildHasherDefault, Hasher};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// The digest of an id or a uuid.
pub(crate) type Key = u64;

/// The name of the digest in the written form (R27).
pub(crate) const DIGEST: &str = "xxh3-64";

/// The digest of an id.
pub(crate) fn key(id: &str) -> Key {
    cardfold_wire::digest(id.as_bytes())
}

/// A map by digest. The digest is the hash.
pub(crate) type KeyMap<V> = IndexMap<Key, V, BuildHasherDefault<KeyHasher>>;

/// Hands a digest through as its own hash.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = cardfold_wire::digest(bytes);
    }

    fn write_u64(&mut self, digest: u64) {
        self.0 = digest;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Hashes a text by the digest, so that no table depends on a random seed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextHasher(u64);

impl Hasher for TextHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = self.0.rotate_left(1) ^ cardfold_wire::digest(bytes);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A map with a cap: past it the oldest entry goes.
///
/// The queue may name entries that were removed since (their ticket differs); they are passed over, and swept when
/// they are more than the live ones, so that the cost of an entry is paid where it came in.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Ring<V> {
    entries: KeyMap<(u64, V)>,
    queue: VecDeque<(Key, u64)>,
    next_ticket: u64,
}

impl<V> Default for Ring<V> {
    fn default() -> Self {
        Self { entries: KeyMap::default(), queue: VecDeque::new(), next_ticket: 0 }
    }
}

impl<V> Ring<V> {
    pub(crate) fn get(&self, key: Key) -> Option<&V> {
        self.entries.get(&key).map(|(_, value)| value)
    }

    pub(crate) fn get_mut(&mut self, key: Key) -> Option<&mut V> {
        self.entries.get_mut(&key).map(|(_, value)| value)
    }

    pub(crate) fn contains(&self, key: Key) -> bool {
        self.entries.contains_key(&key)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn remove(&mut self, key: Key) -> Option<V> {
        let (_, value) = self.entries.swap_remove(&key)?;
        if self.queue.len() > 64 + 2 * self.entries.len() {
            let entries = &self.entries;
            self.queue.retain(|(key, ticket)| entries.get(key).is_some_and(|(t, _)| t == ticket));
        }
        Some(value)
    }

    /// Puts an entry in, and gives the oldest one where that makes one too many.
    pub(crate) fn insert(&mut self, key: Key, value: V, cap: usize) -> Option<(Key, V)> {
        if let Some(entry) = self.entries.get_mut(&key) {
            entry.1 = value;
            return None;
        }
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.entries.insert(key, (ticket, value));
        self.queue.push_back((key, ticket));
        if self.entries.len() > cap.max(1) { self.pop_oldest() } else { None }
    }

    pub(crate) fn pop_oldest(&mut self) -> Option<(Key, V)> {
        while let Some((key, ticket)) = self.queue.pop_front() {
            if self.entries.get(&key).is_some_and(|(t, _)| *t == ticket) {
                return self.entries.swap_remove(&key).map(|(_, value)| (key, value));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn past_the_cap_the_oldest_goes() {
        let mut ring = Ring::default();
        for key in 0..3 {
            assert_eq!(ring.insert(key, key, 3), None);
        }
        assert_eq!(ring.insert(3, 3, 3), Some((0, 0)));
        ring.remove(1);
        assert_eq!(ring.insert(4, 4, 3), None);
        assert_eq!(ring.insert(5, 5, 3), Some((2, 2)), "an entry that was removed is passed over");
    }

    #[test]
    fn entries_that_come_and_go_leave_nothing_behind() {
        let mut ring = Ring::default();
        ring.insert(0, (), 10);
        for key in 1..10_000 {
            ring.insert(key, (), 10);
            ring.remove(key);
        }
        assert!(ring.queue.len() < 200, "{}", ring.queue.len());
    }
}
