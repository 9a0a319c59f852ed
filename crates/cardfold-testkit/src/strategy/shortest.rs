//! Making a stream that breaks a property short.

use std::panic::{self, AssertUnwindSafe};

use proptest::test_runner::TestCaseError;

use super::Stream;

/// What is wrong with a stream.
#[derive(Clone, Debug)]
pub struct Complaint {
    /// What it is about, in a few words: two streams with the same words break a property in the same way.
    pub about: String,
    /// The whole story.
    pub story: String,
}

/// A property of streams, for proptest: `fails` gives what is wrong with one. The complaint of a stream that breaks it
/// is that of the shortest stream found which breaks it in the same way.
///
/// # Errors
///
/// If the stream breaks the property.
pub fn hold(stream: &Stream, fails: impl Fn(&Stream) -> Option<Complaint>) -> Result<(), TestCaseError> {
    match shortest(stream, |stream| without_panic(stream, &fails)) {
        None => Ok(()),
        Some((stream, complaint)) => Err(TestCaseError::fail(format!("{}\n{stream:?}", complaint.story))),
    }
}

/// A panic is a complaint, too, so that the stream behind it can be made short.
fn without_panic(stream: &Stream, fails: impl Fn(&Stream) -> Option<Complaint>) -> Option<Complaint> {
    panic::catch_unwind(AssertUnwindSafe(|| fails(stream))).unwrap_or_else(|reason| {
        let words = reason.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| reason.downcast_ref::<&str>().copied()).unwrap_or("without words");
        Some(Complaint { about: format!("a panic: {words}"), story: format!("a panic: {words}") })
    })
}

/// Leaves out lines, half of them at first and one at a time in the end, as long as the complaint stays the same.
fn shortest(stream: &Stream, fails: impl Fn(&Stream) -> Option<Complaint>) -> Option<(Stream, Complaint)> {
    let mut complaint = fails(stream)?;
    let mut lines = stream.lines.clone();
    let mut width = lines.len().div_ceil(2).max(1);
    loop {
        let mut start = 0;
        let mut cut = false;
        while start < lines.len() {
            let mut fewer = lines.clone();
            fewer.drain(start..(start + width).min(fewer.len()));
            match fails(&Stream { lines: fewer.clone() }) {
                Some(same) if same.about == complaint.about => {
                    (lines, complaint) = (fewer, same);
                    cut = true;
                }
                Some(_) | None => start += width,
            }
        }
        if width == 1 && !cut {
            return Some((Stream { lines }, complaint));
        }
        width = width.div_ceil(2).max(1);
    }
}
