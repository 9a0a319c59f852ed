//! What the lines of a source come from: a file, which may be closed and taken up again, or any reader.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::lines::Place;
use crate::whose;

/// What lines come from.
pub(crate) enum Input<'r> {
    File(File),
    Reader(Box<dyn Read + Send + 'r>),
}

impl<'r> Input<'r> {
    /// An input of which something was read ahead, from its start.
    pub(crate) fn from_start(mut ahead: whose::Ahead<Self>) -> Self {
        let is_at_start = match ahead.rest_mut() {
            Self::File(file) => file.rewind().is_ok(),
            Self::Reader(_) => false,
        };
        if is_at_start { ahead.into_rest() } else { Self::Reader(Box::new(ahead)) }
    }

    /// Opens a file and goes to a line.
    pub(crate) fn open(path: &Path, place: Place) -> io::Result<Self> {
        // Links were resolved or refused when the file was found; what became one since is not the file that was found.
        if path.symlink_metadata()?.file_type().is_symlink() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "it became a link"));
        }
        let mut file = File::open(path)?;
        if place.start > 0 {
            file.seek(SeekFrom::Start(place.start))?;
        }
        Ok(Self::File(file))
    }

    /// The file, if it is one.
    pub(crate) fn into_file(self) -> Result<File, Self> {
        match self {
            Self::File(file) => Ok(file),
            Self::Reader(_) => Err(self),
        }
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Reader(reader) => reader.read(buffer),
        }
    }
}
