//! A list that is nearly always one element long.

use std::ops::{Deref, DerefMut};
use std::{fmt, mem, option, slice, vec};

/// A list whose only element costs no allocation: a message holds one block, a result one text.
///
/// It reads as a slice, and compares and prints as one.
#[derive(Clone)]
pub struct List<T>(Items<T>);

/// Unlike an inline array behind a trait, this lets a list of borrowed things be shortened to a shorter borrow.
#[derive(Clone)]
enum Items<T> {
    None,
    One(T),
    Many(Vec<T>),
}

/// What [`List::into_iter`] gives: the elements, in order.
#[derive(Debug)]
pub struct ListIntoIter<T>(IntoItems<T>);

#[derive(Debug)]
enum IntoItems<T> {
    One(option::IntoIter<T>),
    Many(vec::IntoIter<T>),
}

impl<T> List<T> {
    /// The empty list.
    pub const fn new() -> Self {
        Self(Items::None)
    }

    /// Adds `item` at the end.
    pub fn push(&mut self, item: T) {
        match &mut self.0 {
            Items::None => self.0 = Items::One(item),
            Items::One(_) => {
                let first = mem::take(self).into_iter();
                self.0 = Items::Many(first.chain([item]).collect());
            }
            Items::Many(items) => items.push(item),
        }
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
        match &self.0 {
            Items::None => &[],
            Items::One(item) => slice::from_ref(item),
            Items::Many(items) => items,
        }
    }
}

impl<T> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Items::None => &mut [],
            Items::One(item) => slice::from_mut(item),
            Items::Many(items) => items,
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(items: Vec<T>) -> Self {
        Self(Items::Many(items))
    }
}

impl<T, const N: usize> From<[T; N]> for List<T> {
    fn from(items: [T; N]) -> Self {
        items.into_iter().collect()
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = Self::new();
        list.extend(items);
        list
    }
}

impl<T> Extend<T> for List<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.push(item);
        }
    }
}

impl<T> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = ListIntoIter<T>;

    fn into_iter(self) -> ListIntoIter<T> {
        ListIntoIter(match self.0 {
            Items::None => IntoItems::One(None.into_iter()),
            Items::One(item) => IntoItems::One(Some(item).into_iter()),
            Items::Many(items) => IntoItems::Many(items.into_iter()),
        })
    }
}

impl<T> Iterator for ListIntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match &mut self.0 {
            IntoItems::One(item) => item.next(),
            IntoItems::Many(items) => items.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            IntoItems::One(item) => item.size_hint(),
            IntoItems::Many(items) => items.size_hint(),
        }
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
        let mut list = List::new();
        assert_eq!(list, List::<i32>::from(vec![]));
        for (item, so_far) in [(1, "[1]"), (2, "[1, 2]"), (3, "[1, 2, 3]")] {
            list.push(item);
            assert_eq!(format!("{list:?}"), so_far);
        }
        list[0] = 4;
        assert_eq!((&list).into_iter().max(), Some(&4));
        assert_eq!(list, List::from([4, 2, 3]));
        assert_eq!(list.into_iter().sum::<i32>(), 9);
        assert_eq!(List::from([5]), List::from(vec![5]));
    }

    #[test]
    fn can_be_shortened() {
        fn both<'l>(long: List<&'static str>, short: &'l str) -> [List<&'l str>; 2] {
            [long, List::from([short])]
        }
        assert_eq!(both(List::from(["a"]), "b")[1][..], ["b"]);
    }
}
