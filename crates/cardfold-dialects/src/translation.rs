//! One conversation of another system, translated: bytes in, frames out. Knows no file and no system's words.

use crate::dialect::{Dialect, FaultKind, Output};
use crate::object::Object;
use crate::values::values;

/// The reading of one conversation.
///
/// A caller hands over lines, or files that are one JSON value, in the order of the conversation, and applies the
/// frames that it gets. It says where a file begins and when everything was read. See the crate docs for an example.
#[derive(Debug)]
pub struct Translation {
    dialect: Box<dyn Dialect>,
}

impl Translation {
    /// A conversation of the system whose words the dialect knows.
    #[must_use]
    pub fn new(dialect: Box<dyn Dialect>) -> Self {
        Self { dialect }
    }

    /// The dialect.
    #[must_use]
    pub fn dialect(&self) -> &dyn Dialect {
        &*self.dialect
    }

    /// A line, or a file that is one JSON value, is one that only this system writes.
    #[must_use]
    pub fn recognises(&self, bytes: &[u8]) -> bool {
        let (found, _) = values(bytes);
        found.iter().filter_map(|found| Object::of(&found.value)).any(|object| self.dialect.recognises(object))
    }

    /// Another file of the conversation begins.
    pub fn begin_file(&mut self) {
        self.dialect.begin_file();
    }

    /// Takes the bytes of a line, or of a file that is one JSON value. Several objects on one line are all read; what
    /// cannot be read is a fault, and the reading goes on. Every object gives a frame or a fault.
    pub fn read(&mut self, bytes: &[u8]) -> Output {
        let mut out = Output::default();
        let (found, fault) = values(bytes);
        for found in found {
            let Some(object) = Object::of(&found.value) else {
                out.fault(FaultKind::NotAnObject, "not an object");
                continue;
            };
            if self.dialect.max_bytes(object).is_some_and(|most| found.bytes > most) {
                out.fault(FaultKind::TooLong, format!("{} bytes, more than the system itself reads", found.bytes));
                continue;
            }
            let before = (out.frames.len(), out.faults.len());
            self.dialect.translate(object, &mut out);
            if before == (out.frames.len(), out.faults.len()) {
                out.quiet();
            }
        }
        out.faults.extend(fault);
        out
    }

    /// Everything there is now was read; more may come.
    pub fn end_of_input(&mut self) -> Output {
        let mut out = Output::default();
        self.dialect.end_of_input(&mut out);
        out
    }

    /// The conversation is over. It comes after [`Translation::end_of_input`], and before the fold is told so.
    pub fn end_of_session(&mut self) -> Output {
        let mut out = Output::default();
        self.dialect.end_of_session(&mut out);
        out
    }
}
