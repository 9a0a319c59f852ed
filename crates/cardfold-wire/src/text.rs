//! Text of any length: borrowed as the line writes it and read when somebody asks, its head where it had to be copied.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use memchr::memmem;

use crate::digest::digest;
use crate::escaped::Escaped;
use crate::list::List;
use crate::notification::NOTICE_OPENS;

/// How much of a text is kept where it has to be copied: because the line has it with escapes, or because the frame
/// outlives its line. A report is 4,096 bytes at most (R24); the rest is room for what a tool puts around it.
const COPIED_BYTES: usize = 256 * 1024;

/// A text of the line.
///
/// A text that the line has with escapes is read when somebody asks for it: most are long results, which nobody does.
///
/// Two texts are equal if their whole texts are, as far as [`Text::digest`] can tell.
#[derive(Clone)]
pub struct Text<'a>(Source<'a>);

#[derive(Clone)]
enum Source<'a> {
    /// As the line has it.
    Escaped {
        written: Escaped<'a>,
        /// Boxed, since few are read.
        read: OnceLock<Box<Kept>>,
    },
    /// As it is.
    Plain(Cow<'a, str>),
    /// Its head.
    Cut(Box<Kept>),
}

/// What is kept of a text that had to be copied.
#[derive(Clone)]
struct Kept {
    head: String,
    /// Digest of the whole text, where `head` is not all of it.
    whole: Option<u64>,
}

/// The texts of a message or of a result.
pub type Texts<'a> = List<Text<'a>>;

impl<'a> Text<'a> {
    /// The whole of `text`, however long.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Self {
        Self(Source::Plain(text.into()))
    }

    /// The head of a text of which the rest was never seen: it is cut, and its digest is that of the head.
    pub fn cut(head: impl Into<Cow<'a, str>>) -> Self {
        let head = head.into().into_owned();
        Self(Source::Cut(Box::new(Kept { whole: Some(digest(head.as_bytes())), head })))
    }

    /// The text, or its first 256 KiB where [`Text::is_cut`] says so.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Source::Escaped { written, read } => &read_once(*written, read).head,
            Source::Plain(text) => text,
            Source::Cut(kept) => &kept.head,
        }
    }

    /// [`digest()`](crate::digest()) of the whole text, also where it is cut.
    pub fn digest(&self) -> u64 {
        self.whole().unwrap_or_else(|| digest(self.as_str().as_bytes()))
    }

    /// The text is longer than what [`Text::as_str`] gives.
    pub fn is_cut(&self) -> bool {
        self.whole().is_some()
    }

    /// The text has these words.
    pub fn contains(&self, words: &str) -> bool {
        let is_plain = words.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\');
        (!is_plain || self.may_have(words)) && self.as_str().contains(words)
    }

    /// The text is nothing but white space.
    pub fn is_blank(&self) -> bool {
        let starts = |bytes: &[u8]| bytes.first().is_some_and(|byte| byte.is_ascii_graphic() && *byte != b'\\');
        match &self.0 {
            Source::Escaped { written, .. } if starts(written.bytes()) => false,
            Source::Escaped { .. } | Source::Plain(_) | Source::Cut(_) => self.as_str().trim_start().is_empty(),
        }
    }

    /// The text without its line. What is longer than 256 KiB is cut.
    pub fn into_owned(self) -> Text<'static> {
        match self.0 {
            Source::Escaped { written, read } => {
                read_once(written, &read);
                read.into_inner().map(|kept| (*kept).into()).unwrap_or_default()
            }
            Source::Plain(Cow::Borrowed(text)) => Text::copy(text),
            Source::Plain(Cow::Owned(text)) => Text::new(text),
            Source::Cut(kept) => (*kept).into(),
        }
    }

    /// A copy of `text`: its first 256 KiB where it is longer, cut on a character boundary. A text with a notice is
    /// kept whole, since the notice ends with it.
    pub(crate) fn copy(text: &str) -> Self {
        Kept::of(Cow::Borrowed(text)).into()
    }

    /// A text that is read when somebody asks for it.
    pub(crate) fn escaped(written: Escaped<'a>) -> Self {
        Self(Source::Escaped { written, read: OnceLock::new() })
    }

    /// False if the text certainly has no `words`, which are ASCII without quotes, backslashes and controls. To find that
    /// out a text need not be read.
    pub(crate) fn may_have(&self, words: &str) -> bool {
        match &self.0 {
            Source::Escaped { written, read } if read.get().is_none() => written.may_have(words),
            Source::Escaped { .. } | Source::Plain(_) | Source::Cut(_) => {
                memmem::find(self.as_str().as_bytes(), words.as_bytes()).is_some()
            }
        }
    }

    /// False if certainly no line of the text starts with `words`, which are ASCII as for [`Text::may_have`].
    pub(crate) fn may_have_line(&self, words: &str) -> bool {
        match &self.0 {
            Source::Escaped { written, read } if read.get().is_none() => written.may_have_line(words),
            Source::Escaped { .. } | Source::Plain(_) | Source::Cut(_) => {
                let text = self.as_str();
                text.starts_with(words) || memmem::find(text.as_bytes(), words.as_bytes()).is_some()
            }
        }
    }

    /// The text as its line writes it, where nobody asked for it yet.
    pub(crate) fn unread(&self) -> Option<Escaped<'a>> {
        match &self.0 {
            Source::Escaped { written, read } if read.get().is_none() => Some(*written),
            Source::Escaped { .. } | Source::Plain(_) | Source::Cut(_) => None,
        }
    }

    /// The text of which that is kept, with the digest of the whole if that is not all.
    pub(crate) fn of_kept(head: &'a str, whole: Option<u64>) -> Self {
        match whole {
            Some(_) => Kept { head: head.to_owned(), whole }.into(),
            None => Self::new(head),
        }
    }

    /// The whole text where it is the line's own.
    pub(crate) fn borrowed(&self) -> Option<&'a str> {
        match &self.0 {
            Source::Plain(Cow::Borrowed(text)) => Some(text),
            Source::Plain(Cow::Owned(_)) | Source::Escaped { .. } | Source::Cut(_) => None,
        }
    }

    /// The text as far as it is kept.
    pub(crate) fn into_head(self) -> Cow<'a, str> {
        match self.0 {
            Source::Escaped { written, .. } => Cow::Owned(Kept::of(Cow::Owned(written.read())).head),
            Source::Plain(text) => text,
            Source::Cut(kept) => Cow::Owned(kept.head),
        }
    }

    /// [`digest()`](crate::digest()) of the whole text, where that is not all kept.
    pub(crate) fn whole(&self) -> Option<u64> {
        match &self.0 {
            Source::Escaped { written, read } => read_once(*written, read).whole,
            Source::Plain(_) => None,
            Source::Cut(kept) => kept.whole,
        }
    }
}

fn read_once<'r>(written: Escaped<'_>, read: &'r OnceLock<Box<Kept>>) -> &'r Kept {
    read.get_or_init(|| Box::new(Kept::of(Cow::Owned(written.read()))))
}

impl Kept {
    fn of(text: Cow<'_, str>) -> Self {
        if text.len() <= COPIED_BYTES || text.contains(NOTICE_OPENS) {
            return Self { head: text.into_owned(), whole: None };
        }
        let end = (0..=COPIED_BYTES).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        Self { head: text[..end].to_owned(), whole: Some(digest(text.as_bytes())) }
    }
}

impl From<Kept> for Text<'_> {
    fn from(kept: Kept) -> Self {
        match kept.whole {
            Some(_) => Self(Source::Cut(Box::new(kept))),
            None => Self::new(kept.head),
        }
    }
}

impl Default for Text<'_> {
    fn default() -> Self {
        Self::new("")
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
        match (self.is_cut(), other.is_cut()) {
            (false, false) => self.as_str() == other.as_str(),
            (true, _) | (_, true) => self.digest() == other.digest(),
        }
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)?;
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
