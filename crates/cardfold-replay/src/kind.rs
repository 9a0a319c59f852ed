//! Stream or store: told by the keys of a line, whatever the file is called.

/// What a source of frames is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    /// A stored conversation: one conversation, with files of its own beside it (WIRE.md section 5).
    Stored,
    /// A captured stream, which may mix sessions (WIRE.md section 2).
    Stream,
}

/// Keys that only a stored line has at its outermost level.
const STORED_KEYS: [&[u8]; 5] = [b"sessionId", b"parentUuid", b"isSidechain", b"leafUuid", b"toolUseResult"];

/// Keys that only a frame of the stream has there.
const STREAM_KEYS: [&[u8]; 2] = [b"session_id", b"parent_tool_use_id"];

impl Kind {
    /// What `object`, a line that decodes, says of its source; nothing where it has none of the telling keys. A key of
    /// the store decides: stored lines have been seen to carry keys of the stream, the other way round not.
    pub(crate) fn of(object: &[u8]) -> Option<Self> {
        let mut kind = None;
        for key in OutermostKeys::new(object) {
            if STORED_KEYS.contains(&key) {
                return Some(Self::Stored);
            }
            if STREAM_KEYS.contains(&key) {
                kind = Some(Self::Stream);
            }
        }
        kind
    }
}

/// The keys of an object at its outermost level, as they are written.
struct OutermostKeys<'a> {
    bytes: &'a [u8],
    depth: usize,
}

impl<'a> OutermostKeys<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, depth: 0 }
    }

    /// Takes the string whose opening quote was just passed.
    fn string(&mut self) -> &'a [u8] {
        let mut end = 0;
        while end < self.bytes.len() && self.bytes[end] != b'"' {
            end += if self.bytes[end] == b'\\' { 2 } else { 1 };
        }
        let (text, rest) = self.bytes.split_at(end.min(self.bytes.len()));
        self.bytes = rest.get(1..).unwrap_or_default();
        text
    }
}

impl<'a> Iterator for OutermostKeys<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        while let Some((byte, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            match byte {
                b'"' => {
                    let text = self.string();
                    let follows = self.bytes.iter().find(|byte| !byte.is_ascii_whitespace());
                    if self.depth == 1 && follows == Some(&b':') {
                        return Some(text);
                    }
                }
                b'{' | b'[' => self.depth = self.depth.saturating_add(1),
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return None;
                    }
                }
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> Option<Kind> {
        Kind::of(line.as_bytes())
    }

    #[test]
    fn only_keys_of_the_outermost_level_tell() {
        assert_eq!(kind(r#"{"type":"user","sessionId":"s"}"#), Some(Kind::Stored));
        assert_eq!(kind(r#"{"session_id" : "s","type":"user"}"#), Some(Kind::Stream));
        assert_eq!(kind(r#"{"type":"user","input":{"session_id":"s"},"list":[{"sessionId":1}]}"#), None);
        assert_eq!(kind(r#"{"text":"\"sessionId\":","other":"sessionId"}"#), None);
        assert_eq!(kind(r#"{"session_id":"s","message":{},"parentUuid":null}"#), Some(Kind::Stored));
        assert_eq!(kind(r#"{"a":1}{"sessionId":2}"#), None);
        assert_eq!(kind(r#"{"a":"\"#), None);
    }
}
