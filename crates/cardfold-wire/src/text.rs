//! Text of any length: borrowed where the line has it as it is, its head where it had to be copied.

use std::borrow::Cow;
use std::fmt;

use crate::digest::digest;
use crate::list::List;
use crate::notification::NOTICE_OPENS;

/// How much of a text is kept where it has to be copied: because the line has it with escapes, or because the frame
/// outlives its line. A report is 4,096 bytes at most (R24); the rest is room for what a tool puts around it.
const COPIED_BYTES: usize = 256 * 1024;

/// A text of the line.
///
/// Two texts are equal if their whole texts are, as far as [`Text::digest`] can tell.
#[derive(Clone, Default)]
pub struct Text<'a> {
    head: Cow<'a, str>,
    /// Digest of the whole text, where `head` is not all of it.
    whole: Option<u64>,
}

/// The texts of a message or of a result.
pub type Texts<'a> = List<Text<'a>>;

impl<'a> Text<'a> {
    /// The whole of `text`, however long.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Self {
        Self { head: text.into(), whole: None }
    }

    /// The text, or its first 256 KiB where [`Text::is_cut`] says so.
    pub fn as_str(&self) -> &str {
        &self.head
    }

    /// [`digest()`](crate::digest()) of the whole text, also where it is cut.
    pub fn digest(&self) -> u64 {
        self.whole.unwrap_or_else(|| digest(self.head.as_bytes()))
    }

    /// The text is longer than what [`Text::as_str`] gives.
    pub fn is_cut(&self) -> bool {
        self.whole.is_some()
    }

    /// The text without its line. What is longer than 256 KiB is cut.
    pub fn into_owned(self) -> Text<'static> {
        match (self.head, self.whole) {
            (Cow::Borrowed(head), None) => Text::copy(head),
            (head, whole) => Text { head: Cow::Owned(head.into_owned()), whole },
        }
    }

    /// A copy of `text`: its first 256 KiB where it is longer, cut on a character boundary. A text with a notice is
    /// kept whole, since the notice ends with it.
    pub(crate) fn copy(text: &str) -> Self {
        if text.len() <= COPIED_BYTES || text.contains(NOTICE_OPENS) {
            return Self { head: Cow::Owned(text.to_owned()), whole: None };
        }
        let end = (0..=COPIED_BYTES).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        Self { head: Cow::Owned(text[..end].to_owned()), whole: Some(digest(text.as_bytes())) }
    }

    /// The whole text where it is the line's own.
    pub(crate) fn borrowed(&self) -> Option<&'a str> {
        match self.head {
            Cow::Borrowed(head) => Some(head),
            Cow::Owned(_) => None,
        }
    }

    pub(crate) fn into_head(self) -> Cow<'a, str> {
        self.head
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.whole, other.whole) {
            (None, None) => self.head == other.head,
            (Some(_), _) | (_, Some(_)) => self.digest() == other.digest(),
        }
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.head, f)?;
        if self.is_cut() { f.write_str("…") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_cut_and_still_equal() {
        let long = format!("a{}", "é".repeat(COPIED_BYTES));
        let whole = Text::new(&*long);
        let copy = Text::copy(&long);
        assert!(copy.is_cut() && !whole.is_cut());
        assert_eq!(copy.as_str().len(), COPIED_BYTES - 1);
        assert_eq!(copy.digest(), digest(long.as_bytes()));
        assert_eq!(copy, whole);
        assert_eq!(whole.clone().into_owned(), copy);
        assert_eq!(copy.clone().into_owned().as_str(), copy.as_str());
        assert_ne!(copy, Text::new("aé"));
        assert_ne!(Text::copy(&format!("{long}x")), copy);
    }

    #[test]
    fn a_short_text_is_never_cut() {
        let text = "x".repeat(COPIED_BYTES);
        assert!(!Text::copy(&text).is_cut());
        assert_eq!(Text::new(text.clone()).into_owned().as_str(), text);
    }
}
