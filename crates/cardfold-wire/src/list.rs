//! A list that is nearly always one element long.

use std::ops::{Deref, DerefMut};
use std::{fmt, slice, vec};

use smallvec::SmallVec;

/// A list whose first element costs no allocation: a message holds one block, a result one text.
///
/// It reads as a slice and compares, clones and prints as one.
#[derive(Clone, PartialEq)]
pub struct List<T>(SmallVec<[T; 1]>);

impl<T> List<T> {
    /// The empty list.
    pub fn new() -> Self {
        Self(SmallVec::new())
    }

    /// Adds `item` at the end.
    pub fn push(&mut self, item: T) {
        self.0.push(item);
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(items: Vec<T>) -> Self {
        Self(SmallVec::from_vec(items))
    }
}

impl<T, const N: usize> From<[T; N]> for List<T> {
    fn from(items: [T; N]) -> Self {
        items.into_iter().collect()
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl<T> Extend<T> for List<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.0.extend(items);
    }
}

impl<T> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_vec().into_iter()
    }
}

impl<'l, T> IntoIterator for &'l List<T> {
    type Item = &'l T;
    type IntoIter = slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_a_slice() {
        let mut list = List::from(vec![1, 2]);
        list.push(3);
        assert_eq!(list[..], [1, 2, 3]);
        assert_eq!(list.first(), Some(&1));
        assert_eq!(format!("{list:?}"), "[1, 2, 3]");
        assert_eq!(list.into_iter().sum::<i32>(), 6);
        assert_eq!(List::<u8>::default(), List::from([]));
    }
}
