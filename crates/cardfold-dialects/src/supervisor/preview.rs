//! Bounded previews of an output: what a limit leaves, and what the supervisor's own marker says. Knows no result.
//!
//! The supervisor cuts an output to lines, then to bytes, and writes a marker into the text where it cut. A marker costs
//! room, is glued to the text by the second cut, and cannot be told from an output that ends in those words. Here a cut
//! is a flag beside the text, and a marker that came with a preview becomes that flag.

use crate::bounded::{REPORT_BYTES, REPORT_LINES, bounded};

/// What the supervisor puts where it cut.
const MARKER: &str = "...[output truncated]";

/// A preview without the marker, and whether it had one: on a line of its own, or glued to the text.
pub(crate) fn unmarked(preview: &str) -> (&str, bool) {
    let Some(text) = preview.trim_end_matches(['\n', '\r']).strip_suffix(MARKER) else { return (preview, false) };
    (text.strip_suffix('\n').unwrap_or(text), true)
}

/// The last text of an agent, as it comes in pieces.
#[derive(Debug, Default)]
pub(crate) struct LastText {
    text: String,
    cut: bool,
    /// Something else came: the next piece begins another text.
    over: bool,
}

impl LastText {
    /// Takes another piece.
    pub(crate) fn push(&mut self, piece: &str) {
        if self.over {
            *self = Self::default();
        }
        if self.cut {
            return;
        }
        self.text.push_str(piece);
        let (kept, cut) = bounded(&self.text, REPORT_BYTES, REPORT_LINES);
        let kept = kept.len();
        self.text.truncate(kept);
        self.cut = cut;
    }

    /// The text is done; it stands until another one begins.
    pub(crate) fn done(&mut self) {
        self.over = true;
    }

    /// The text and whether it was cut, where it says something.
    pub(crate) fn get(&self) -> Option<(&str, bool)> {
        (!self.text.trim().is_empty()).then_some((&self.text, self.cut))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The supervisor's own results, measured: a text, the limits of bytes and lines, what it makes of them.
    fn golden() -> Vec<(String, usize, usize, String)> {
        let marked = |text: &str| format!("{text}{MARKER}");
        let vectors = [
            ("a\nb\nc".to_owned(), 0, 2, marked("a\n")),
            ("a\nb\nc".to_owned(), 0, 1, marked("")),
            ("a\n".to_owned(), 0, 1, marked("")),
            (String::new(), 0, 1, String::new()),
            ("abcdef".to_owned(), 3, 0, "abc".to_owned()),
            ("ééééé".to_owned(), 3, 0, "é".to_owned()),
            ("é".repeat(20), 30, 0, marked("éééé")),
            ("x".repeat(22), 21, 0, "x".repeat(21)),
            ("x".repeat(23), 22, 0, marked("x")),
            ("aaaa\nbbbb\ncccc".to_owned(), 24, 2, marked("aaa")),
            ("aaaa\nbbbb\ncccc".to_owned(), 25, 2, marked("aaaa")),
            ("aaaa\nbbbb\ncccc".to_owned(), 26, 2, marked("aaaa\n")),
            ("😀".repeat(8), 25, 0, marked("😀")),
            ("\r\n\r\n".to_owned(), 0, 2, marked("\r\n")),
        ];
        vectors.to_vec()
    }

    #[test]
    fn the_golden_vectors_with_the_truncation_as_a_flag() {
        let ours: Vec<(String, bool)> = golden()
            .iter()
            .map(|(text, bytes, lines, _)| bounded(text, *bytes, *lines))
            .map(|(text, cut)| (text.to_owned(), cut))
            .collect();
        let x21 = "x".repeat(21);
        let (e15, x22, six) = ("é".repeat(15), "x".repeat(22), "😀".repeat(6));
        let want = [
            ("a\nb", true),
            ("a", true),
            ("a\n", false),
            ("", false),
            ("abc", true),
            ("é", true),
            (&e15, true),
            (&x21, true),
            (&x22, true),
            ("aaaa\nbbbb", true),
            ("aaaa\nbbbb", true),
            ("aaaa\nbbbb", true),
            (&six, true),
            ("\r\n\r\n", false),
        ]
        .map(|(text, cut): (&str, bool)| (text.to_owned(), cut));
        assert_eq!(ours, want);
    }

    #[test]
    fn a_flag_leaves_room_for_more_than_a_marker_does() {
        for (text, bytes, lines, theirs) in golden() {
            let (ours, cut) = bounded(&text, bytes, lines);
            let (shown, _) = unmarked(&theirs);
            assert!(ours.starts_with(shown), "{text:?}: {ours:?} has all of {shown:?}");
            // W1-2: a last line end is no further line, so these two fit.
            let fits = ["a\n", "\r\n\r\n"].contains(&&*text);
            assert_eq!(cut, theirs != text && !fits, "{text:?}");
            assert!(bytes == 0 || ours.len() <= bytes);
        }
    }

    #[test]
    fn a_marker_becomes_the_flag() {
        let shown: Vec<(String, bool)> = golden()
            .iter()
            .map(|(_, _, _, theirs)| unmarked(theirs))
            .map(|(text, cut)| (text.to_owned(), cut))
            .collect();
        let x21 = "x".repeat(21);
        let want = [
            ("a", true),
            ("", true),
            ("", true),
            ("", false),
            ("abc", false),
            ("é", false),
            ("éééé", true),
            (&x21, false),
            ("x", true),
            ("aaa", true),
            ("aaaa", true),
            ("aaaa", true),
            ("😀", true),
            ("\r", true),
        ]
        .map(|(text, cut): (&str, bool)| (text.to_owned(), cut));
        assert_eq!(shown, want);
        assert_eq!(unmarked("a\n...[output truncated]\n"), ("a", true));
        assert_eq!(
            unmarked("it said ...[output truncated] and went on"),
            ("it said ...[output truncated] and went on", false)
        );
    }

    #[test]
    fn the_last_text_is_kept_and_bounded() {
        let mut last = LastText::default();
        last.push("One");
        last.push(" text.");
        assert_eq!(last.get(), Some(("One text.", false)));
        last.done();
        assert_eq!(last.get(), Some(("One text.", false)));
        last.push("Another.");
        assert_eq!(last.get(), Some(("Another.", false)));
        last.push(&"é\n".repeat(100));
        last.push("more");
        let (text, cut) = last.get().expect("there is a text");
        assert_eq!((text.lines().count(), cut), (40, true));
        let mut last = LastText::default();
        last.push(&"é".repeat(4_000));
        assert_eq!(last.get().map(|(text, cut)| (text.len(), cut)), Some((4_096, true)));
    }
}
