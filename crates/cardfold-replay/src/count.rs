//! What of a source was passed: lines and bytes, each once, also where a file is closed and read again from further back.

use std::mem;

/// The count of one source.
#[derive(Debug, Default)]
pub(crate) struct Count {
    /// Bytes passed at present.
    passed: u64,
    /// The last line that was counted.
    line: u64,
    /// Lines that nobody asked for yet.
    new_lines: u64,
    /// Bytes that were asked for.
    told_bytes: u64,
}

impl Count {
    /// A line that is not blank, and the bytes up to its end. One that was counted comes again where the file was closed
    /// after it was read ahead of its turn.
    pub(crate) fn line(&mut self, number: u64, passed: u64) {
        self.passed = passed;
        if number > self.line {
            self.line = number;
            self.new_lines = self.new_lines.saturating_add(1);
        }
    }

    /// There is no further line.
    pub(crate) fn end(&mut self, passed: u64) {
        self.passed = passed;
    }

    pub(crate) fn passed(&self) -> u64 {
        self.passed
    }

    /// Lines since the last time it was asked.
    pub(crate) fn take_lines(&mut self) -> u64 {
        mem::take(&mut self.new_lines)
    }

    /// Bytes since the last time it was asked.
    pub(crate) fn take_bytes(&mut self) -> u64 {
        let passed = self.passed.max(self.told_bytes);
        passed - mem::replace(&mut self.told_bytes, passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_again_counts_once() {
        let mut count = Count::default();
        count.line(1, 10);
        count.line(3, 30);
        assert_eq!((count.take_lines(), count.take_bytes()), (2, 30));
        // The file was closed, and is read again from line 1 on.
        count.line(1, 10);
        assert_eq!((count.take_lines(), count.take_bytes(), count.passed()), (0, 0, 10));
        count.line(3, 30);
        count.line(4, 41);
        count.end(45);
        assert_eq!((count.take_lines(), count.take_bytes(), count.passed()), (1, 15, 45));
    }
}
