//! One file that is still written to: has it grown, and is it still the same? Knows nothing of what stands in it.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::time::SystemTime;

/// Bytes before the end that are compared when a file has grown: a file that was written anew, and is longer than it was
/// by the time somebody looks, has others there.
const MARK_BYTES: u64 = 64;

/// A file and how it was when somebody last looked.
#[derive(Debug)]
pub(crate) struct Watched {
    path: PathBuf,
    identity: Identity,
    bytes: u64,
    modified: Option<SystemTime>,
    /// The last bytes.
    mark: Vec<u8>,
}

/// What tells a file from another one of the same name.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = Option<SystemTime>;

/// What has become of a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Glance {
    /// It has so many bytes now.
    Grown(u64),
    /// It is not there, or cannot be read now.
    Missing,
    /// Another file has its name, or what stood in it does so no longer.
    Other,
    /// As it was.
    Same,
}

impl Watched {
    pub(crate) fn new(path: PathBuf) -> io::Result<Self> {
        let mut file = File::open(&path)?;
        let metadata = file.metadata()?;
        let bytes = metadata.len();
        let mark = read_before(&mut file, bytes, MARK_BYTES)?;
        Ok(Self { path, identity: identity(&metadata), bytes, modified: metadata.modified().ok(), mark })
    }

    /// Bytes when somebody last looked.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn look(&mut self) -> Glance {
        let Ok(metadata) = fs::metadata(&self.path) else { return Glance::Missing };
        if identity(&metadata) != self.identity || metadata.len() < self.bytes {
            return Glance::Other;
        }
        if metadata.len() == self.bytes && metadata.modified().ok() == self.modified {
            return Glance::Same;
        }
        self.look_inside().unwrap_or(Glance::Missing)
    }

    fn look_inside(&mut self) -> io::Result<Glance> {
        let mut file = File::open(&self.path)?;
        let metadata = file.metadata()?;
        let bytes = metadata.len();
        let marked = u64::try_from(self.mark.len()).unwrap_or(MARK_BYTES);
        if identity(&metadata) != self.identity
            || bytes < self.bytes
            || read_before(&mut file, self.bytes, marked)? != self.mark
        {
            return Ok(Glance::Other);
        }
        self.mark = read_before(&mut file, bytes, MARK_BYTES)?;
        self.modified = metadata.modified().ok();
        let before = std::mem::replace(&mut self.bytes, bytes);
        Ok(if before == bytes { Glance::Same } else { Glance::Grown(bytes) })
    }
}

/// The last `most` bytes before `end`.
fn read_before(file: &mut File, end: u64, most: u64) -> io::Result<Vec<u8>> {
    let start = end.saturating_sub(most);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(end - start).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(metadata: &Metadata) -> Identity {
    metadata.created().ok()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_becomes_of_a_file_is_seen() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("session.jsonl");
        let write = |text: &str| fs::write(&path, text).expect("a file can be written");
        let watched = || Watched::new(path.clone()).expect("the file is there");
        write("one\n");
        let mut file = watched();
        assert_eq!((file.look(), file.bytes()), (Glance::Same, 4));
        let mut appended = fs::OpenOptions::new().append(true).open(&path).expect("the file is there");
        appended.write_all(b"two\n").expect("a file can be written");
        assert_eq!((file.look(), file.look(), file.bytes()), (Glance::Grown(8), Glance::Same, 8));
        write("short\n");
        assert_eq!(file.look(), Glance::Other, "it was cut");
        file = watched();
        write("another text that is longer\n");
        assert_eq!(file.look(), Glance::Other, "it was written anew");
        file = watched();
        fs::rename(&path, folder.path().join("old.jsonl")).expect("a file can be renamed");
        assert_eq!(file.look(), Glance::Missing);
        write("another text that is longer\nand goes on\n");
        if cfg!(unix) {
            assert_eq!(file.look(), Glance::Other, "it is another file of that name");
        }
    }
}
