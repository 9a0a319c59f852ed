//! Bytes to lines: one at a time, however they end and whatever pads them (P5). Knows no JSON.

use std::io::{self, BufRead, BufReader, Read};

/// Bytes asked for at a time. Large enough that a read costs little beside decoding, small enough for 256 open files.
const READ_BYTES: usize = 32 * 1024;

/// A line buffer that grew past this is given back once its line is done, so that one huge line is paid for once.
const KEPT_BYTES: usize = 1024 * 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines of one source.
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// Bytes of `line` that were read as objects.
    at: usize,
    /// Number of `line`, from 1.
    number: u64,
    /// Line ends passed.
    ends: u64,
    /// Bytes passed before `line`.
    start: u64,
    /// Bytes passed.
    passed: u64,
    max_line_bytes: usize,
}

/// What [`Lines::advance`] came to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Advance {
    /// The source is at its end.
    End,
    /// The next line that is not blank.
    Line,
    /// A line over the cap; its text is not kept.
    TooLong,
}

/// Where in a file a reader stands: enough to go on after the file was closed.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Place {
    /// Bytes before the line.
    pub(crate) start: u64,
    /// Line ends before the line.
    pub(crate) ends: u64,
    /// Bytes of the line that are done.
    pub(crate) at: usize,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R, max_line_bytes: usize) -> Self {
        Self::resume(input, Place::default(), max_line_bytes)
    }

    /// Goes on at `place`; `input` has to stand at its `start`. The line of the place is read again by the next
    /// [`Lines::advance`], and `at` is for the caller to [`Lines::done_to`].
    pub(crate) fn resume(input: R, place: Place, max_line_bytes: usize) -> Self {
        Self {
            input: BufReader::with_capacity(READ_BYTES, input),
            line: Vec::new(),
            at: 0,
            number: 0,
            ends: place.ends,
            start: place.start,
            passed: place.start,
            max_line_bytes,
        }
    }

    /// Goes to the next line that is not blank.
    pub(crate) fn advance(&mut self) -> io::Result<Advance> {
        loop {
            self.give_back();
            if !self.skip_padding()? {
                return Ok(Advance::End);
            }
            self.start = self.passed;
            self.number = self.ends.saturating_add(1);
            if !self.read_line()? {
                return Ok(Advance::TooLong);
            }
            if self.line.starts_with(BYTE_ORDER_MARK) {
                self.at = BYTE_ORDER_MARK.len();
            }
            if !self.rest().is_empty() {
                return Ok(Advance::Line);
            }
        }
    }

    /// What is left of the line.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.line[self.at..]
    }

    /// The line is done up to `at`.
    pub(crate) fn done_to(&mut self, at: usize) {
        self.at = at.min(self.line.len());
    }

    /// The line is done but for its last `left` bytes. A large buffer is given back when nothing is left.
    pub(crate) fn leave(&mut self, left: usize) {
        if left == 0 {
            self.give_back();
        } else {
            self.done_to(self.line.len().saturating_sub(left));
        }
    }

    /// The place of what is to come.
    pub(crate) fn next_place(&self) -> Place {
        if self.rest().is_empty() { Place { start: self.passed, ends: self.ends, at: 0 } } else { self.place() }
    }

    /// The number of the line, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The place of the line.
    pub(crate) fn place(&self) -> Place {
        Place { start: self.start, ends: self.number.saturating_sub(1), at: self.at }
    }

    /// Bytes passed so far.
    pub(crate) fn passed(&self) -> u64 {
        self.passed
    }

    fn give_back(&mut self) {
        self.at = 0;
        if self.line.capacity() > KEPT_BYTES {
            self.line = Vec::new();
        }
        self.line.clear();
    }

    /// Passes blank lines and what pads the next one; false at the end of the source.
    fn skip_padding(&mut self) -> io::Result<bool> {
        loop {
            let bytes = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if bytes.is_empty() {
                return Ok(false);
            }
            let padding = bytes.iter().take_while(|byte| is_padding(**byte)).count();
            let all = padding == bytes.len();
            let ends = bytes[..padding].iter().filter(|byte| **byte == b'\n').count();
            self.ends = self.ends.saturating_add(count(ends));
            self.pass(padding);
            if !all {
                return Ok(true);
            }
        }
    }

    /// Reads up to and over the next line end; false if the line is over the cap, which is then passed.
    fn read_line(&mut self) -> io::Result<bool> {
        // One byte more than the cap shows that a line is longer; its end is another one.
        let most = count(self.max_line_bytes).saturating_add(2);
        let read = Read::by_ref(&mut self.input).take(most).read_until(b'\n', &mut self.line);
        self.passed = self.passed.saturating_add(count(self.line.len()));
        read?;
        if self.line.last() == Some(&b'\n') {
            self.ends = self.ends.saturating_add(1);
            self.line.pop();
        } else if self.line.len() > self.max_line_bytes {
            self.pass_line()?;
        }
        let text = self.line.iter().rposition(|byte| !is_padding(*byte)).map_or(0, |last| last.saturating_add(1));
        self.line.truncate(text);
        if self.line.len() > self.max_line_bytes {
            self.give_back();
            return Ok(false);
        }
        Ok(true)
    }

    /// Passes the rest of a line that nobody keeps.
    fn pass_line(&mut self) -> io::Result<()> {
        let passed = self.input.skip_until(b'\n')?;
        self.passed = self.passed.saturating_add(count(passed));
        // At the end of the source there is no further line whose number could be off by one.
        self.ends = self.ends.saturating_add(1);
        Ok(())
    }

    fn pass(&mut self, bytes: usize) {
        self.input.consume(bytes);
        self.passed = self.passed.saturating_add(count(bytes));
    }
}

/// Bytes that cost nothing where they stand around a line: white space, and the NULs that a crash or a sparse copy
/// leaves behind.
fn is_padding(byte: u8) -> bool {
    matches!(byte, b'\0' | b'\t' | b'\n' | b'\r' | b' ')
}

fn count(bytes: usize) -> u64 {
    u64::try_from(bytes).expect("a count of bytes in memory fits 64 bits")
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Error};

    use super::*;

    /// Hands out its bytes `step` at a time, then fails.
    struct Slow<'a> {
        bytes: &'a [u8],
        step: usize,
        fails: bool,
    }

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.bytes.is_empty() && self.fails {
                return Err(Error::other("pulled out"));
            }
            let taken = self.step.min(self.bytes.len()).min(buffer.len());
            let (now, later) = self.bytes.split_at(taken);
            buffer[..taken].copy_from_slice(now);
            self.bytes = later;
            Ok(taken)
        }
    }

    fn all(input: impl Read, cap: usize) -> Vec<String> {
        let mut lines = Lines::new(input, cap);
        let mut seen = Vec::new();
        loop {
            match lines.advance() {
                Ok(Advance::End) => return seen,
                Ok(Advance::Line) => {
                    seen.push(format!("{} {}", lines.number(), String::from_utf8_lossy(lines.rest())));
                }
                Ok(Advance::TooLong) => seen.push(format!("{} too long", lines.number())),
                Err(error) => {
                    seen.push(error.to_string());
                    return seen;
                }
            }
        }
    }

    #[test]
    fn what_pads_a_line_costs_nothing() {
        let text = b"\xef\xbb\xbf{1}\r\n\n  \r\n\0\0\0{2} \0\n\xef\xbb\xbf\n{3}";
        let want = ["1 {1}", "4 {2}", "6 {3}"];
        assert_eq!(all(&text[..], 100), want);
        for step in 1..text.len() {
            assert_eq!(all(Slow { bytes: text, step, fails: false }, 100), want, "{step} bytes at a time");
        }
        assert!(all(&[0_u8; 100_000][..], 10).is_empty(), "NULs alone are no line, however many");
    }

    #[test]
    fn a_line_over_the_cap_is_passed() {
        for step in 1..20 {
            let bytes = b"12345\n123456\n1234567890\n12345\r\n123456789";
            let seen = all(Slow { bytes, step, fails: false }, 5);
            assert_eq!(seen, ["1 12345", "2 too long", "3 too long", "4 12345", "5 too long"]);
        }
    }

    #[test]
    fn a_source_that_fails_gives_what_it_had() {
        assert_eq!(all(Slow { bytes: b"a\nb\nc", step: 2, fails: true }, 9), ["1 a", "2 b", "pulled out"]);
    }

    #[test]
    fn goes_on_at_a_place() {
        let text = b"\n{1}\n{2}{3}\n{4}";
        let mut lines = Lines::new(&text[..], 9);
        lines.advance().expect("bytes in memory can be read");
        lines.advance().expect("bytes in memory can be read");
        lines.done_to(3);
        let place = lines.place();
        let mut source = Cursor::new(text);
        source.set_position(place.start);
        let mut lines = Lines::resume(source, place, 9);
        lines.advance().expect("bytes in memory can be read");
        lines.done_to(place.at);
        assert_eq!((lines.number(), lines.rest()), (3, &b"{3}"[..]));
        lines.advance().expect("bytes in memory can be read");
        assert_eq!((lines.number(), lines.rest(), lines.passed()), (4, &b"{4}"[..], 15));
    }
}
