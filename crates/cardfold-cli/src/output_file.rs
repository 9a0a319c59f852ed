//! A file that takes its name when it is whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::Builder;

use crate::escape::Escaped;

/// Lets `print` write what the file is to hold; it gives its answer, and whether the file is wanted. Until then, and
/// where anything fails, what stood under that name stays.
///
/// What is no plain file (a pipe with a name, a device) cannot be replaced, and is written as it comes.
pub(crate) fn write<T>(
    path: &Path,
    print: impl FnOnce(&mut BufWriter<&File>) -> io::Result<(T, bool)>,
) -> io::Result<T> {
    // A link stays one, and what it leads to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_special = fs::metadata(&target).is_ok_and(|found| !found.is_file());
    let done = if is_special { write_through(&target, print) } else { replace(&target, print) };
    done.map_err(|error| {
        let shown = path.to_string_lossy();
        io::Error::new(error.kind(), format!("{}: {error}", Escaped(&shown)))
    })
}

fn write_through<T>(path: &Path, print: impl FnOnce(&mut BufWriter<&File>) -> io::Result<(T, bool)>) -> io::Result<T> {
    let file = OpenOptions::new().write(true).open(path)?;
    let mut out = BufWriter::new(&file);
    let (answer, _) = print(&mut out)?;
    out.flush()?;
    Ok(answer)
}

fn replace<T>(path: &Path, print: impl FnOnce(&mut BufWriter<&File>) -> io::Result<(T, bool)>) -> io::Result<T> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // What may be missing is the folder, and the system says so in its own words.
    fs::metadata(folder)?;
    let mut builder = Builder::new();
    builder.prefix(".cardfold-");
    // As of any new file: whoever may read is for the umask to say.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder).map_err(plain)?;
    let mut out = BufWriter::new(file.as_file());
    let (answer, is_wanted) = print(&mut out)?;
    out.flush()?;
    drop(out);
    if is_wanted {
        file.persist(path).map_err(|error| error.error)?;
    }
    Ok(answer)
}

/// Without the name of the unfinished file, which nobody gave.
fn plain(error: io::Error) -> io::Error {
    io::Error::from(error.kind())
}
