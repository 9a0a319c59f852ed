//! Long texts like those that tools give back, cut to size.

use cardfold_testkit::fixture::{read, testdata};

/// Texts that a made-up result may be cut from.
#[derive(Debug)]
pub struct Texts(Vec<String>);

impl Texts {
    /// Source code, prose with characters beyond ASCII, JSON, and the listing of a shell. They differ in the escapes that
    /// a line of JSON needs for them, and escapes are what a reader of long texts stumbles over.
    ///
    /// # Panics
    ///
    /// If the test data cannot be read.
    #[must_use]
    pub fn new() -> Self {
        let file = |path: &str| String::from_utf8(read(&testdata().join(path))).expect("test data is text");
        let listing: String =
            (0..1_000).map(|n| format!("-rw-r--r-- 1 dev dev {:>6} src/part_{n}.rs\n", n * 37)).collect();
        let texts = [CODE, &file("captures/README.md"), &file("captures/2.1.332/10b-long-60/stream.jsonl"), &listing];
        Self(texts.map(|text| text.repeat((2 * LONGEST).div_ceil(text.len()))).into())
    }

    /// About `bytes` bytes, at most [`LONGEST`], of the text number `which`, from somewhere in it.
    #[must_use]
    pub fn cut(&self, which: usize, from: usize, bytes: usize) -> &str {
        let text = &self.0[which % self.0.len()];
        let from = from % LONGEST;
        &text[boundary(text, from)..boundary(text, from + bytes.min(LONGEST))]
    }
}

impl Default for Texts {
    fn default() -> Self {
        Self::new()
    }
}

/// Bytes of the longest text that can be cut.
pub const LONGEST: usize = 2 << 20;

const CODE: &str = r#"    /// Reads the lamp's state; a lamp that does not answer is taken for dark.
    pub fn state(&self, id: &str) -> Result<State, Error> {
        let path = self.root.join("lamps").join(format!("{id}.json"));
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(State::Dark),
            Err(error) => return Err(Error::unreadable(path, error)),
        };
        if text.starts_with("\u{feff}") || text.contains('\\') {
            return Err(Error::new(format!("\"{id}\" has a state that nobody wrote: {text}")));
        }
	let state = text.trim().parse().map_err(|_| Error::unknown(id))?;	// no default here
        Ok(state)
    }

"#;

fn boundary(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}
