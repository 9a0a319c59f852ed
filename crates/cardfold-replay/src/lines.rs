//! Bytes to lines: one at a time, however they end and whatever pads them (P5). Knows no JSON.

use std::io::{self, Read};
use std::ops::Range;

use memchr::{memchr, memchr_iter};

/// Bytes read first: of most files only the first lines are wanted, to see whose they are and when they begin.
const FIRST_BYTES: usize = 8 * 1024;

/// Bytes read at a time by then. A read of these costs little beside decoding, and they are small enough for 256 open files.
const READ_BYTES: usize = 64 * 1024;

/// A buffer that grew past this is made smaller once its line is done, so that one huge line is paid for once.
const KEPT_BYTES: usize = 512 * 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines of one source. They are not copied: each stands in the buffer that it was read into.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// Bytes of the buffer that were read.
    filled: usize,
    /// The line, as far as it was not read as objects.
    text: Range<usize>,
    /// Where the line starts in the buffer, and what comes after it.
    line: Range<usize>,
    /// Bytes of the source before the buffer.
    before: u64,
    /// Number of the line, from 1.
    number: u64,
    /// Line ends passed.
    ends: u64,
    max_line_bytes: usize,
    /// Of a source that is still written to: the bytes of it that may be read for now.
    visible: Option<u64>,
}

/// What [`Lines::advance`] came to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Advance {
    /// The source is at its end; one that is still written to may end within a line.
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
            input,
            buffer: Vec::new(),
            filled: 0,
            text: 0..0,
            line: 0..0,
            before: place.start,
            number: 0,
            ends: place.ends,
            max_line_bytes,
            visible: None,
        }
    }

    /// The source is still written to: it ends after `bytes` bytes for now, and a line without an end waits for its rest.
    pub(crate) fn show(&mut self, bytes: u64) {
        self.visible = Some(bytes);
    }

    /// At the end for now of a source that is still written to: takes what stands there without a line's end, if
    /// `is_whole` says that nothing of it is missing.
    pub(crate) fn take_unended(&mut self, is_whole: impl FnOnce(&[u8]) -> bool) -> bool {
        if self.visible.is_none()
            || self.line.start == self.filled
            || !is_whole(&self.buffer[self.line.start..self.filled])
        {
            return false;
        }
        self.take_line(self.filled, self.filled)
    }

    /// Goes on with a buffer that was used before.
    pub(crate) fn with_buffer(self, buffer: Vec<u8>) -> Self {
        Self { buffer, ..self }
    }

    /// Goes to the next line that is not blank.
    pub(crate) fn advance(&mut self) -> io::Result<Advance> {
        loop {
            self.text = self.line.end..self.line.end;
            if !self.skip_padding()? {
                return Ok(Advance::End);
            }
            self.number = self.ends.saturating_add(1);
            match self.read_line()? {
                Advance::Line => {}
                advance @ (Advance::End | Advance::TooLong) => return Ok(advance),
            }
            if self.rest().starts_with(BYTE_ORDER_MARK) {
                self.text.start = self.text.start.saturating_add(BYTE_ORDER_MARK.len());
            }
            if !self.rest().is_empty() {
                return Ok(Advance::Line);
            }
        }
    }

    /// What is left of the line.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.buffer[self.text.clone()]
    }

    /// The line is done up to `at`.
    pub(crate) fn done_to(&mut self, at: usize) {
        self.text.start = self.line.start.saturating_add(at).min(self.text.end);
    }

    /// The line is done but for its last `left` bytes.
    pub(crate) fn leave(&mut self, left: usize) {
        self.text.start = self.text.end.saturating_sub(left).max(self.text.start);
    }

    /// The place of what is to come.
    pub(crate) fn next_place(&self) -> Place {
        if self.rest().is_empty() { Place { start: self.passed(), ends: self.ends, at: 0 } } else { self.place() }
    }

    /// The number of the line, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The place of the line.
    pub(crate) fn place(&self) -> Place {
        Place {
            start: self.before.saturating_add(count(self.line.start)),
            ends: self.number.saturating_sub(1),
            at: self.text.start.saturating_sub(self.line.start),
        }
    }

    /// Bytes passed so far.
    pub(crate) fn passed(&self) -> u64 {
        self.before.saturating_add(count(self.line.end))
    }

    /// Passes blank lines and what pads the next one; false at the end of the source.
    fn skip_padding(&mut self) -> io::Result<bool> {
        loop {
            let bytes = &self.buffer[self.line.end..self.filled];
            let padding = bytes.iter().take_while(|byte| is_padding(**byte)).count();
            let all = padding == bytes.len();
            self.ends = self.ends.saturating_add(count(memchr_iter(b'\n', &bytes[..padding]).count()));
            self.line.end = self.line.end.saturating_add(padding);
            self.line.start = self.line.end;
            if !all {
                return Ok(true);
            }
            if !self.read_more()? {
                return Ok(false);
            }
        }
    }

    /// Reads up to and over the next line end. A line over the cap is passed; one that is to get its end yet stays.
    fn read_line(&mut self) -> io::Result<Advance> {
        let mut looked_at = self.line.start;
        loop {
            if let Some(end) = memchr(b'\n', &self.buffer[looked_at..self.filled]) {
                let end = looked_at.saturating_add(end);
                self.ends = self.ends.saturating_add(1);
                return Ok(self.take(end, end.saturating_add(1)));
            }
            // What pads a line does not count, but it is not to fill the memory either.
            let looked = self.filled.saturating_sub(self.line.start);
            if looked > self.max_line_bytes.saturating_add(READ_BYTES) {
                self.pass_line()?;
                return Ok(Advance::TooLong);
            }
            if !self.read_more()? {
                if self.visible.is_some() {
                    self.line.end = self.line.start;
                    return Ok(Advance::End);
                }
                return Ok(self.take(self.filled, self.filled));
            }
            looked_at = self.line.start.saturating_add(looked);
        }
    }

    fn take(&mut self, end: usize, next: usize) -> Advance {
        if self.take_line(end, next) { Advance::Line } else { Advance::TooLong }
    }

    /// The line stands in the buffer up to `end`; what comes next stands at `next`.
    fn take_line(&mut self, end: usize, next: usize) -> bool {
        let text = without_padding(&self.buffer[self.line.start..end]).len();
        self.line.end = next;
        let is_short = text <= self.max_line_bytes;
        let text = if is_short { text } else { 0 };
        self.text = self.line.start..self.line.start.saturating_add(text);
        is_short
    }

    /// Passes the rest of a line that nobody keeps.
    fn pass_line(&mut self) -> io::Result<()> {
        loop {
            self.line = self.filled..self.filled;
            self.text = self.line.clone();
            if !self.read_more()? {
                // At the end of the source there is no further line whose number could be off by one.
                break;
            }
            if let Some(end) = memchr(b'\n', &self.buffer[self.line.start..self.filled]) {
                self.line.end = self.line.start.saturating_add(end).saturating_add(1);
                self.line.start = self.line.end;
                self.text = self.line.clone();
                break;
            }
        }
        self.ends = self.ends.saturating_add(1);
        Ok(())
    }

    /// Reads what the source has at hand, behind the line that is being read; false at its end.
    fn read_more(&mut self) -> io::Result<bool> {
        self.make_room();
        let read_to = self.before.saturating_add(count(self.filled));
        let visible = self.visible.map_or(u64::MAX, |visible| visible.saturating_sub(read_to));
        let room = self.buffer.len().saturating_sub(self.filled);
        let end = self.filled.saturating_add(usize::try_from(visible).map_or(room, |visible| visible.min(room)));
        loop {
            match self.input.read(&mut self.buffer[self.filled..end]) {
                Ok(read) => {
                    self.filled = self.filled.saturating_add(read);
                    return Ok(read > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Puts the line that is being read at the start of the buffer, and room for more behind it.
    fn make_room(&mut self) {
        let begun = self.line.start;
        let len = self.filled.saturating_sub(begun);
        let room = self.buffer.len();
        let wanted = if room < READ_BYTES {
            room.saturating_mul(4).clamp(FIRST_BYTES, READ_BYTES)
        } else if len == 0 && room > KEPT_BYTES {
            READ_BYTES
        } else {
            room
        };
        // Half of the buffer is room for more, and a quarter where a line is a huge one: it is not to take twice its length.
        let least = len.saturating_add(if len < KEPT_BYTES { len } else { len / 4 });
        let wanted = wanted.max(least);
        if wanted == room {
            self.buffer.copy_within(begun..self.filled, 0);
        } else if begun == 0 {
            self.buffer.resize(wanted, 0);
        } else {
            let mut buffer = vec![0; wanted];
            buffer[..len].copy_from_slice(&self.buffer[begun..self.filled]);
            self.buffer = buffer;
        }
        self.before = self.before.saturating_add(count(begun));
        self.line = 0..self.line.end.saturating_sub(begun);
        self.text = 0..0;
        self.filled = len;
    }
}

impl<R> Lines<R> {
    /// The same lines, of a source of another sort; themselves where it is not of that sort.
    pub(crate) fn try_map<S>(self, of_sort: impl FnOnce(R) -> Result<S, R>) -> Result<Lines<S>, Self> {
        let Self { input, buffer, filled, text, line, before, number, ends, max_line_bytes, visible } = self;
        match of_sort(input) {
            Ok(input) => Ok(Lines { input, buffer, filled, text, line, before, number, ends, max_line_bytes, visible }),
            Err(input) => {
                Err(Self { input, buffer, filled, text, line, before, number, ends, max_line_bytes, visible })
            }
        }
    }

    /// The buffer, for another source to use.
    pub(crate) fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }
}

fn without_padding(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|byte| !is_padding(*byte)).map_or(0, |last| last.saturating_add(1));
    &line[..end]
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

    /// Whatever part of the text is there at first, the lines are the same, and none is given before it is whole.
    #[test]
    fn a_torn_line_waits_for_its_rest() {
        let text = b"{1}\r\n\n{22}\n{333}\0\n{4";
        for first in 0..text.len() {
            for second in first..text.len() {
                let mut lines = Lines::new(&text[..], 9);
                let mut seen = Vec::new();
                for visible in [first, second, text.len()] {
                    lines.show(count(visible));
                    while lines.advance().expect("bytes in memory can be read") == Advance::Line {
                        let line = String::from_utf8_lossy(lines.rest()).into_owned();
                        assert!(text[..visible].windows(line.len() + 1).any(|part| part.starts_with(line.as_bytes())));
                        seen.push(format!("{} {line}", lines.number()));
                    }
                }
                assert_eq!(seen, ["1 {1}", "3 {22}", "4 {333}"], "{first} then {second}");
                assert!(!lines.take_unended(|rest| rest.ends_with(b"}")));
                assert!(lines.take_unended(|rest| rest == b"{4"));
                assert_eq!((lines.number(), lines.rest()), (5, &b"{4"[..]));
            }
        }
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
