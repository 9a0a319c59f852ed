//! What is remembered, with a cap: past it the oldest goes. Knows no meaning of what it holds.

use std::collections::BTreeMap;

/// Values by key, in the order in which they came.
#[derive(Debug)]
pub(crate) struct Recent<V> {
    by_key: BTreeMap<String, (u64, V)>,
    order: BTreeMap<u64, String>,
    next: u64,
    most: usize,
}

impl<V> Recent<V> {
    pub(crate) fn new(most: usize) -> Self {
        Self { by_key: BTreeMap::new(), order: BTreeMap::new(), next: 0, most }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&V> {
        self.by_key.get(key).map(|(_, value)| value)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.by_key.get_mut(key).map(|(_, value)| value)
    }

    pub(crate) fn contains(&self, key: &str) -> bool {
        self.by_key.contains_key(key)
    }

    /// Puts a value in. A key that is there keeps its place.
    pub(crate) fn insert(&mut self, key: &str, value: V) {
        if let Some((_, known)) = self.by_key.get_mut(key) {
            *known = value;
            return;
        }
        if self.by_key.len() >= self.most {
            self.pop_oldest();
        }
        self.by_key.insert(key.to_owned(), (self.next, value));
        self.order.insert(self.next, key.to_owned());
        self.next += 1;
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<V> {
        let (place, value) = self.by_key.remove(key)?;
        self.order.remove(&place);
        Some(value)
    }

    /// Takes out what came first.
    pub(crate) fn pop_oldest(&mut self) -> Option<V> {
        let (_, oldest) = self.order.pop_first()?;
        self.by_key.remove(&oldest).map(|(_, value)| value)
    }

    /// The keys, oldest first.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.order.values().map(String::as_str)
    }
}

impl<V: Default> Recent<V> {
    /// The value of a key, put in where it is not there.
    pub(crate) fn entry(&mut self, key: &str) -> &mut V {
        if !self.contains(key) {
            self.insert(key, V::default());
        }
        self.get_mut(key).expect("it was put in just now, and the cap is not 0")
    }
}

impl Recent<()> {
    /// Notes a key; false if it is there already.
    pub(crate) fn note(&mut self, key: &str) -> bool {
        let is_new = !self.contains(key);
        if is_new {
            self.insert(key, ());
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn past_the_cap_the_oldest_goes() {
        let mut recent = Recent::new(2);
        for (key, value) in [("b", 1), ("a", 2), ("b", 3), ("c", 4)] {
            recent.insert(key, value);
        }
        assert_eq!(recent.keys().collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!((recent.get("b"), recent.get("a")), (None, Some(&2)));
        assert_eq!(*recent.entry("c"), 4);
        assert_eq!((recent.remove("a"), recent.remove("a")), (Some(2), None));
        assert_eq!(*recent.entry("d"), 0);
    }

    #[test]
    fn a_key_is_noted_once() {
        let mut seen = Recent::new(2);
        assert!(seen.note("a") && !seen.note("a") && seen.note("b") && seen.note("c"));
        assert!(seen.note("a"), "it was forgotten");
    }
}
