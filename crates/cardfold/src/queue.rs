//! A queue whose items keep the number that they came with. Knows nothing of what it holds.

use std::collections::VecDeque;

/// A queue in blocks: growing moves no item and leaves no more than a block unused.
///
/// Numbers wrap: they tell items apart as long as there are fewer than four thousand million at once.
#[derive(Clone, Debug)]
pub(crate) struct Queue<T> {
    blocks: VecDeque<Vec<T>>,
    /// Number of the first item of the first block, a multiple of [`BLOCK`].
    start: u32,
    /// Items of the first block that have gone.
    gone: u32,
}

/// Items of a block: enough to make the block's own cost small, few enough not to matter to a short queue.
const BLOCK: u32 = 256;

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { blocks: VecDeque::new(), start: 0, gone: 0 }
    }
}

impl<T> Queue<T> {
    pub(crate) fn len(&self) -> usize {
        let behind = self.blocks.back().map_or(0, Vec::len);
        self.blocks.len().saturating_sub(1) * BLOCK as usize + behind - self.gone as usize
    }

    /// The number that the next item gets.
    pub(crate) fn next(&self) -> u32 {
        let items = self.len() as u32;
        self.start.wrapping_add(self.gone).wrapping_add(items)
    }

    pub(crate) fn push(&mut self, item: T) {
        if self.blocks.back().is_none_or(|block| block.len() == BLOCK as usize) {
            self.blocks.push_back(Vec::new());
        }
        self.blocks.back_mut().expect("a block with room was just put there").push(item);
    }

    pub(crate) fn front(&self) -> Option<&T> {
        self.blocks.front()?.get(self.gone as usize)
    }

    /// The oldest item goes. It is dropped with its block.
    pub(crate) fn skip_front(&mut self) {
        self.gone += 1;
        if self.gone == BLOCK {
            self.blocks.pop_front();
            self.start = self.start.wrapping_add(BLOCK);
            self.gone = 0;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flatten().skip(self.gone as usize)
    }

    /// The items with their numbers.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (u32, &T)> {
        let first = self.start.wrapping_add(self.gone);
        self.iter().enumerate().map(move |(at, item)| (first.wrapping_add(at as u32), item))
    }

    pub(crate) fn into_iter(self) -> impl Iterator<Item = T> {
        self.blocks.into_iter().flatten().skip(self.gone as usize)
    }
}

/// The item of a number, which has to be in the queue.
impl<T> std::ops::Index<u32> for Queue<T> {
    type Output = T;

    fn index(&self, number: u32) -> &T {
        let at = number.wrapping_sub(self.start);
        &self.blocks[(at / BLOCK) as usize][(at % BLOCK) as usize]
    }
}

impl<T> std::ops::IndexMut<u32> for Queue<T> {
    fn index_mut(&mut self, number: u32) -> &mut T {
        let at = number.wrapping_sub(self.start);
        &mut self.blocks[(at / BLOCK) as usize][(at % BLOCK) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_numbers() {
        let mut queue = Queue { start: u32::MAX - (BLOCK - 1), ..Queue::default() };
        let numbers: Vec<u32> = (0..600)
            .map(|item| {
                let number = queue.next();
                queue.push(item);
                number
            })
            .collect();
        for _ in 0..300 {
            queue.skip_front();
        }
        assert_eq!((queue.len(), queue.front()), (300, Some(&300)));
        for (item, number) in (0..600).zip(numbers).skip(300) {
            assert_eq!(queue[number], item, "also where the numbers wrap");
        }
        assert!(queue.iter().copied().eq(300..600));
    }
}
