//! What a dialect is: the words of one system, made frames. Knows no system and no file.

use std::fmt;
use std::path::{Path, PathBuf};

use cardfold_wire::{Body, Frame};

use crate::fact;
use crate::object::Object;

/// The words of one agent system, translated into frames.
///
/// A value follows one conversation: what one line means often depends on those before it. [`Translation`] feeds it.
///
/// [`Translation`]: crate::Translation
pub trait Dialect: fmt::Debug + Send {
    /// The system's name, as a caller asks for it.
    fn name(&self) -> &'static str;

    /// The object is one that only this system writes. It is asked of objects of any origin, so that a key which others
    /// use too is not enough; an object that anybody could have written is nobody's.
    fn recognises(&self, object: Object<'_>) -> bool;

    /// Takes the next object of the conversation: a line, or a file that is one JSON value.
    fn translate(&mut self, object: Object<'_>, out: &mut Output);

    /// Names of files that are one JSON value, not lines.
    fn documents(&self) -> &'static [&'static str] {
        &[]
    }

    /// The most bytes that an object of this sort may have, where the system itself reads no more.
    fn max_bytes(&self, _object: Object<'_>) -> Option<usize> {
        None
    }

    /// Where a file of this path stands among others. By itself every file is a conversation.
    fn place(&self, path: &Path) -> Place {
        Place { home: path.to_owned(), rank: 0 }
    }

    /// Another file of the conversation begins.
    fn begin_file(&mut self) {}

    /// Everything there is now was read. What waited for something better is told; more may come.
    fn end_of_input(&mut self, _out: &mut Output) {}

    /// The conversation is over: what the system itself would conclude is told. It comes after
    /// [`Dialect::end_of_input`], and not for a conversation that goes on.
    fn end_of_session(&mut self, _out: &mut Output) {}
}

/// Where a file stands among others of its system.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Place {
    /// Files of one home are one conversation.
    pub home: PathBuf,
    /// The files of a conversation are read in the order of their ranks, those of one rank in byte order of their paths.
    pub rank: u8,
}

/// What was made of an object.
#[derive(Debug, Default)]
pub struct Output {
    /// Frames, in order.
    pub frames: Vec<Frame<'static>>,
    /// What could not be read.
    pub faults: Vec<Fault>,
}

impl Output {
    /// Adds a frame.
    pub fn frame(&mut self, frame: Frame<'static>) {
        self.frames.push(frame);
    }

    /// The object says nothing about an agent.
    pub fn quiet(&mut self) {
        self.frame(fact::frame(None, Body::Quiet));
    }

    /// The object is of a kind that the dialect does not know.
    pub fn unknown(&mut self, kind: impl Into<String>) {
        self.frame(fact::frame(None, Body::Unknown { kind: kind.into().into() }));
    }

    /// The object, or a part of it, cannot be read.
    pub fn fault(&mut self, kind: FaultKind, detail: impl Into<String>) {
        self.faults.push(Fault { kind, detail: detail.into() });
    }

    /// A known object without what it is about.
    pub fn malformed(&mut self, detail: impl Into<String>) {
        self.fault(FaultKind::Malformed, detail);
    }
}

/// Something that could not be read. Its place is that of the line, or of the file, that was handed over.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fault {
    /// What sort of fault it is.
    pub kind: FaultKind,
    /// One sentence for people.
    pub detail: String,
}

/// What sort of fault a [`Fault`] is.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum FaultKind {
    /// A known object without what it is about, or a record that is damaged.
    Malformed,
    /// JSON, but no object.
    NotAnObject,
    /// Not JSON: torn, garbled, or no text at all.
    NotJson,
    /// Not UTF-8.
    NotUtf8,
    /// Longer than the system itself would read.
    TooLong,
}
