//! Whose conversation a file or a stream is: the client's, or another system's. Told by its first lines, whatever it is
//! called. Knows none of the other systems' words.

use std::io::{self, Cursor, Read};

use cardfold_dialects::{Dialect, recognise};
use cardfold_wire::{Block, Body, Frame};

use crate::kind::Kind;
use crate::source::is_whole;

/// Bytes that are looked at. A line that tells stands among the first; what no line in them tells is the client's.
const HEAD_BYTES: usize = 1024 * 1024;

/// Bytes asked for at a time.
const READ_BYTES: usize = 16 * 1024;

/// Whose conversation it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Whose {
    /// That of the client: its frames as they are.
    Client,
    /// That of the system with this dialect.
    System(fn() -> Box<dyn Dialect>, Form),
}

/// How what is read falls into JSON values.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Form {
    /// It is one value.
    Document,
    /// A value a line.
    Lines,
}

/// A reader with what was read of it ahead.
#[derive(Debug)]
pub(crate) struct Ahead<R> {
    head: Cursor<Vec<u8>>,
    /// What went wrong behind the head.
    error: Option<io::Error>,
    rest: R,
}

impl<R> Ahead<R> {
    /// What comes behind that which was read ahead.
    pub(crate) fn rest_mut(&mut self) -> &mut R {
        &mut self.rest
    }

    /// The reader, without what was read ahead.
    pub(crate) fn into_rest(self) -> R {
        self.rest
    }
}

impl<R: Read> Read for Ahead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.head.read(buffer)? {
            0 if !buffer.is_empty() => self.error.take().map_or_else(|| self.rest.read(buffer), Err),
            read => Ok(read),
        }
    }
}

/// Reads as far as it takes to tell whose conversation it is. `named` is the dialect that the caller asks for; its form
/// is still to be told. Of a document no more than `max_bytes` are read.
pub(crate) fn whose<R: Read>(
    reader: R,
    named: Option<fn() -> Box<dyn Dialect>>,
    max_bytes: usize,
) -> (Whose, Ahead<R>) {
    let mut head = Head { reader, bytes: Vec::new(), at: 0, error: None, is_over: false, grows: false };
    let whose = head.judge(named, max_bytes);
    // What no line in the head tells is the client's, or whose the caller says.
    let whose = whose.unwrap_or_else(|| named.map_or(Whose::Client, |make| Whose::System(make, Form::Lines)));
    (whose, Ahead { head: Cursor::new(head.bytes), error: head.error, rest: head.reader })
}

/// As [`whose`], of a file that is still written to: nothing where what is there so far does not tell.
pub(crate) fn whose_so_far<R: Read>(
    reader: R,
    named: Option<fn() -> Box<dyn Dialect>>,
    max_bytes: usize,
) -> (Option<Whose>, Ahead<R>) {
    let mut head = Head { reader, bytes: Vec::new(), at: 0, error: None, is_over: false, grows: true };
    let whose = head.judge(named, max_bytes).or((head.bytes.len() >= HEAD_BYTES).then_some(Whose::Client));
    (whose, Ahead { head: Cursor::new(head.bytes), error: head.error, rest: head.reader })
}

/// Reads as far as it takes to tell whether a file has a line that `is_its` knows.
pub(crate) fn has_line<R: Read>(reader: R, is_its: impl Fn(&[u8]) -> bool) -> (bool, Ahead<R>) {
    let mut head = Head { reader, bytes: Vec::new(), at: 0, error: None, is_over: false, grows: false };
    let mut found = false;
    while !found && let Some(line) = head.line() {
        found = is_its(line);
    }
    (found, Ahead { head: Cursor::new(head.bytes), error: head.error, rest: head.reader })
}

struct Head<R> {
    reader: R,
    bytes: Vec<u8>,
    /// Where the line at hand begins.
    at: usize,
    error: Option<io::Error>,
    is_over: bool,
    /// It is still written to: a last line that is torn tells nothing.
    grows: bool,
}

impl<R: Read> Head<R> {
    /// Whose it is, if what is there tells.
    fn judge(&mut self, named: Option<fn() -> Box<dyn Dialect>>, max_bytes: usize) -> Option<Whose> {
        let mut is_first = true;
        while let Some(line) = self.line() {
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            // A value that is written over many lines begins so, and nothing else does.
            if is_first && line == b"{" {
                return self.judge_document(named, max_bytes);
            }
            is_first = false;
            if let Some(make) = named.or_else(|| whose_line(line)) {
                return Some(Whose::System(make, Form::Lines));
            }
            if is_clients(line) {
                return Some(Whose::Client);
            }
        }
        None
    }

    fn judge_document(&mut self, named: Option<fn() -> Box<dyn Dialect>>, max_bytes: usize) -> Option<Whose> {
        // One byte more shows that there is more than may be read.
        while self.bytes.len() <= max_bytes && self.more() {}
        if self.grows && !is_whole(&self.bytes) {
            return None;
        }
        let found = named.or_else(|| recognise(&self.bytes));
        Some(found.map_or(Whose::Client, |make| Whose::System(make, Form::Document)))
    }

    /// The next line of the head; none where that is over.
    fn line(&mut self) -> Option<&[u8]> {
        let mut searched = self.at;
        loop {
            let end = self.bytes[searched..].iter().position(|byte| *byte == b'\n');
            if let Some(end) = end {
                let start = std::mem::replace(&mut self.at, searched + end + 1);
                return Some(&self.bytes[start..searched + end]);
            }
            searched = self.bytes.len();
            if searched >= HEAD_BYTES || !self.more() {
                let start = std::mem::replace(&mut self.at, searched);
                let rest = &self.bytes[start..];
                let is_line = !rest.is_empty() && searched < HEAD_BYTES && (!self.grows || is_whole(rest));
                return is_line.then_some(rest);
            }
        }
    }

    /// Reads on; false at the end.
    fn more(&mut self) -> bool {
        if self.is_over {
            return false;
        }
        let before = self.bytes.len();
        self.bytes.resize(before + READ_BYTES, 0);
        let read = loop {
            match self.reader.read(&mut self.bytes[before..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.is_over = !matches!(read, Ok(1..));
        self.bytes.truncate(before + *read.as_ref().unwrap_or(&0));
        self.error = read.err();
        !self.is_over
    }
}

/// The dialect of a line that only another system writes. The keys of the client come first: its conversations may quote
/// anything.
fn whose_line(line: &[u8]) -> Option<fn() -> Box<dyn Dialect>> {
    if Kind::of(line).is_some() { None } else { recognise(line) }
}

/// The line is one that only the client writes. A message without a dispatch of its own anybody could have written.
fn is_clients(line: &[u8]) -> bool {
    if Kind::of(line).is_some() {
        return true;
    }
    let Ok((frame, _)) = Frame::decode_first(line) else { return false };
    match &frame.body {
        Body::Assistant(message) => message.blocks.iter().any(|block| match block {
            Block::ToolUse(call) => matches!(call.name.as_ref(), "Agent" | "Task"),
            Block::Other | Block::Text(_) | Block::ToolResult(_) => false,
        }),
        Body::Remark(_) | Body::Unknown { .. } | Body::User(_) => false,
        Body::BackgroundTasks(_)
        | Body::Init
        | Body::Notices(_)
        | Body::PermissionDenied(_)
        | Body::PermissionRequest(_)
        | Body::PermissionSettled { .. }
        | Body::Quiet
        | Body::Result(_)
        | Body::Sidecar(_)
        | Body::TaskNotification(_)
        | Body::TaskProgress(_)
        | Body::TaskStarted(_)
        | Body::TaskUpdated(_)
        | Body::ToolProgress(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT: &str = r#"{"event":"subagent_start","subagent_id":1}"#;
    const TEXT: &str = r#"{"type":"user","message":{"role":"user","content":"hi"}}"#;
    const OWN: &str = r#"{"type":"user","sessionId":"s","message":{"role":"user","content":"hi"}}"#;

    /// Gives its bytes so many at a time, then fails.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let step = self.1.min(buffer.len()).min(self.0.len());
            let (now, later) = self.0.split_at(step);
            if step == 0 {
                return Err(io::Error::other("pulled out"));
            }
            buffer[..step].copy_from_slice(now);
            self.0 = later;
            Ok(step)
        }
    }

    /// Whose it is, and that nothing of it is lost.
    fn told(text: &str) -> String {
        let mut answers = Vec::new();
        for step in [1, 7, 100_000] {
            let (whose, mut ahead) = whose(Slow(text.as_bytes(), step), None, 1_000_000);
            let mut all = Vec::new();
            let error = ahead.read_to_end(&mut all).expect_err("the reader fails at its end");
            assert_eq!((String::from_utf8_lossy(&all).as_ref(), error.to_string().as_str()), (text, "pulled out"));
            answers.push(match whose {
                Whose::Client => "client".to_owned(),
                Whose::System(make, form) => format!("{} {form:?}", make().name()),
            });
        }
        answers.dedup();
        answers.join(" or ")
    }

    #[test]
    fn the_first_line_that_tells_decides() {
        for (text, want) in [
            (String::new(), "client"),
            (format!("{EVENT}\n"), "synaps Lines"),
            (EVENT.to_owned(), "synaps Lines"),
            (format!("\n{TEXT}\n{TEXT}\nnot json\n{EVENT}\n{OWN}\n"), "synaps Lines"),
            (format!("{OWN}\n{EVENT}\n"), "client"),
            (format!("{TEXT}\n"), "client"),
            (format!("{{\"type\":\"system\",\"subtype\":\"init\"}}\n{EVENT}\n"), "client"),
            ("{\n \"schema_version\": 1,\n \"agents\": []\n}\n".to_owned(), "codewhale Document"),
            (r#"{"schema_version":1,"agents":[]}"#.to_owned(), "codewhale Lines"),
            (format!("{{\n{EVENT}\n"), "client"),
            ("{\n \"name\": \"package\"\n}\n".to_owned(), "client"),
        ] {
            assert_eq!(told(&text), want, "{text}");
        }
    }

    #[test]
    fn a_file_that_grows_tells_when_a_line_is_whole() {
        let document = "{\n \"schema_version\": 1,\n \"agents\": []\n}\n";
        for (text, want) in [
            (format!("{TEXT}\n{OWN}\n"), "client"),
            (format!("{EVENT}\n"), "synaps"),
            (document.to_owned(), "codewhale"),
        ] {
            let told = |bytes: &[u8]| {
                whose_so_far(bytes, None, 1_000_000).0.map(|whose| match whose {
                    Whose::Client => "client",
                    Whose::System(make, _) => make().name(),
                })
            };
            let first = (0..=text.len()).find(|end| told(&text.as_bytes()[..*end]).is_some());
            assert_eq!(first, Some(text.trim_end().len()), "{text}: only with the last byte of the line that tells");
            assert_eq!(told(text.as_bytes()), Some(want));
        }
    }

    #[test]
    fn only_the_head_is_looked_at() {
        let late = format!("{}{EVENT}\n", format!("{TEXT}\n").repeat(HEAD_BYTES / TEXT.len()));
        let (whose, _) = whose(late.as_bytes(), None, 10);
        assert!(matches!(whose, Whose::Client));
    }

    #[test]
    fn a_dialect_that_is_asked_for_is_taken() {
        let make = cardfold_dialects::dialect_named("supervisor");
        for (text, want) in [(OWN, Form::Lines), ("", Form::Lines), ("{\n}", Form::Document)] {
            let (whose, _) = whose(text.as_bytes(), make, 10);
            let Whose::System(make, form) = whose else { panic!("it was asked for") };
            assert_eq!((make().name(), form), ("supervisor", want), "{text}");
        }
    }
}
