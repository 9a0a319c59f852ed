//! Reports in the frame that a client puts around what a sub-agent handed back (R12, wire.md 4.1).

use std::borrow::Cow;

use crate::frame::Handback;
use crate::owned::Keep;
use crate::text::Text;

/// What the line before a handed-back report starts with.
const MARKER: &str = "[Subagent hand-back]";

const MESSAGE_OPENS: &str = "<agent-message";
const MESSAGE_CLOSES: &str = "</agent-message>";

/// A line of the text starts with the marker.
pub(crate) fn has_marker(text: &str) -> bool {
    text.split('\n').any(|line| line.starts_with(MARKER))
}

/// The text without the marker's line and the two spaces that stand before each line of a report.
pub(crate) fn unframed(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut lines = text.split('\n').filter(|line| !line.starts_with(MARKER));
    for line in lines.next().into_iter() {
        whole.push_str(unindented(line));
    }
    for line in lines {
        whole.push('\n');
        whole.push_str(unindented(line));
    }
    whole
}

/// A report in an `<agent-message from="…">` of a user turn. A marker that is only quoted starts no line of one.
pub(crate) fn handback_of<'a>(text: &Text<'a>) -> Option<Handback<'a>> {
    match text.borrowed() {
        Some(whole) => message(whole),
        None => message(text.as_str()).map(Keep::keep),
    }
}

fn message(text: &str) -> Option<Handback<'_>> {
    let message = &text[text.find(MESSAGE_OPENS)? + MESSAGE_OPENS.len()..];
    let (attributes, body) = message.split_once('>')?;
    let body = body.rfind(MESSAGE_CLOSES).map_or(body, |end| &body[..end]);
    has_marker(body).then(|| Handback {
        task_id: from(attributes).map(Cow::Borrowed).unwrap_or_default(),
        report: Text::new(unframed(body)),
    })
}

fn from(attributes: &str) -> Option<&str> {
    let (_, value) = attributes.split_once("from=\"")?;
    value.split_once('"').map(|(value, _)| value)
}

fn unindented(line: &str) -> &str {
    line.strip_prefix("  ").unwrap_or(line)
}
