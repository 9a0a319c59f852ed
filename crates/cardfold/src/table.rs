//! Look-up by id: ids are kept as 64-bit digests of a fixed function (R26). Knows no agent.

use std::hash::{BuildHasherDefault, Hasher};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::queue::Queue;

/// The digest of an id or a uuid.
pub(crate) type Key = u64;

/// The name of the digest in the written form (R27).
pub(crate) const DIGEST: &str = "xxh3-64";

/// The digest of an id.
pub(crate) fn key(id: &str) -> Key {
    cardfold_wire::digest(id.as_bytes())
}

/// The id names nothing.
pub(crate) fn is_blank(id: &str) -> bool {
    // Nearly every id starts with a letter, which decides.
    !id.as_bytes().first().is_some_and(u8::is_ascii_graphic) && id.trim().is_empty()
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
/// Entries stand in a queue in the order in which they came; the index finds them by digest. An entry that is removed
/// leaves a hole, which goes when it is the oldest, or when holes are more than the entries: so the cost of an entry is
/// paid where it came in.
#[derive(Clone, Debug)]
pub(crate) struct Ring<V> {
    entries: Queue<(Key, Option<V>)>,
    index: HashTable<u32>,
}

impl<V> Default for Ring<V> {
    fn default() -> Self {
        Self { entries: Queue::default(), index: HashTable::new() }
    }
}

impl<V> Ring<V> {
    pub(crate) fn get(&self, key: Key) -> Option<&V> {
        let number = *self.index.find(key, |number| self.entries[*number].0 == key)?;
        self.entries[number].1.as_ref()
    }

    pub(crate) fn get_mut(&mut self, key: Key) -> Option<&mut V> {
        let number = *self.index.find(key, |number| self.entries[*number].0 == key)?;
        self.entries[number].1.as_mut()
    }

    pub(crate) fn contains(&self, key: Key) -> bool {
        self.get(key).is_some()
    }

    pub(crate) fn len(&self) -> usize {
        self.index.len()
    }

    pub(crate) fn remove(&mut self, key: Key) -> Option<V> {
        let entries = &mut self.entries;
        let found = self.index.find_entry(key, |number| entries[*number].0 == key).ok()?;
        let value = entries[found.remove().0].1.take();
        while entries.front().is_some_and(|(_, value)| value.is_none()) {
            entries.skip_front();
        }
        if entries.len() > 64 + 2 * self.index.len() {
            self.fill_holes();
        }
        value
    }

    /// Puts an entry in, and gives the oldest one where that makes one too many.
    pub(crate) fn insert(&mut self, key: Key, value: V, cap: usize) -> Option<(Key, V)> {
        let (old, oldest) = self.replace(key, value, cap);
        drop(old);
        oldest
    }

    /// As [`insert`](Self::insert), and gives what stood under the key before.
    pub(crate) fn replace(&mut self, key: Key, value: V, cap: usize) -> (Option<V>, Option<(Key, V)>) {
        if self.index.len() == self.index.capacity() {
            self.grow();
        }
        let entries = &mut self.entries;
        let digest = |number: &u32| entries[*number].0;
        match self.index.entry(key, |number| digest(number) == key, digest) {
            Entry::Occupied(known) => return (entries[*known.get()].1.replace(value), None),
            Entry::Vacant(free) => free.insert(entries.next()),
        };
        self.entries.push((key, Some(value)));
        (None, if self.index.len() > cap.max(1) { self.pop_oldest() } else { None })
    }

    /// Makes room for as many entries again. They are put in as they stand in the queue: the index by itself would ask for
    /// their digests in its own order, all over the memory.
    fn grow(&mut self) {
        let mut index = HashTable::with_capacity((2 * self.index.len()).max(4));
        for (number, (key, value)) in self.entries.numbered() {
            if value.is_some() {
                index.insert_unique(*key, number, |number| self.entries[*number].0);
            }
        }
        self.index = index;
    }

    pub(crate) fn pop_oldest(&mut self) -> Option<(Key, V)> {
        let key = self.entries.front()?.0;
        Some((key, self.remove(key)?))
    }

    fn fill_holes(&mut self) {
        for (key, value) in std::mem::take(self).entries.into_iter() {
            if let Some(value) = value {
                self.insert(key, value, usize::MAX);
            }
        }
    }
}

/// Written as the entries in their order, the oldest first (R27).
impl<V: Serialize> Serialize for Ring<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.entries.iter().filter_map(|(key, value)| Some((key, value.as_ref()?))))
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Ring<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut ring = Self::default();
        for (key, value) in Vec::<(Key, V)>::deserialize(deserializer)? {
            ring.insert(key, value, usize::MAX);
        }
        Ok(ring)
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
        assert!(ring.entries.len() < 200, "{}", ring.entries.len());
    }
}
