//! Standard input copied to standard output, byte for byte.

use std::io::{self, Read, Stdin, Stdout, Write};

/// Bytes that are asked for at a time: what a pipe holds.
const BYTES: usize = 64 * 1024;

/// A reader whose bytes are written down before they are given out.
pub(crate) struct Tee<R, W> {
    reader: R,
    writer: W,
}

impl Tee<Stdin, Stdout> {
    pub(crate) fn of_standard_streams() -> Self {
        Self { reader: io::stdin(), writer: io::stdout() }
    }
}

impl<R: Read, W: Write> Read for Tee<R, W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.writer.write_all(&buffer[..read])?;
        // Whoever reads on waits for what has come, whole lines or not.
        self.writer.flush()?;
        Ok(read)
    }
}

/// Copies all of standard input.
pub(crate) fn copy() -> io::Result<()> {
    let mut tee = Tee::of_standard_streams();
    let mut buffer = vec![0; BYTES];
    loop {
        match tee.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_out_is_written_down() {
        let text: Vec<u8> = (0..=u8::MAX).cycle().take(10_000).collect();
        let mut written = Vec::new();
        let mut given = Vec::new();
        let mut tee = Tee { reader: &text[..], writer: &mut written };
        tee.read_to_end(&mut given).expect("memory can be read and written");
        assert!(given == text && written == text);
    }
}
