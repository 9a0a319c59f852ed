//! Reports in the frame that a client puts around what a sub-agent handed back (R12, WIRE.md 4.1).

use std::borrow::Cow;

use crate::message::Handback;
use crate::owned::Keep;
use crate::text::Text;

/// What the line before a handed-back report starts with.
pub(crate) const MARKER: &str = "[Subagent hand-back]";

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
    if let Some(line) = lines.next() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marker_starts_a_line() {
        assert!(has_marker("[Subagent hand-back] The text below"));
        assert!(has_marker("x\n[Subagent hand-back]"));
        assert!(!has_marker("I will print [Subagent hand-back] later"));
        assert!(!has_marker("  [Subagent hand-back]"));
    }

    #[test]
    fn the_frame_goes_and_deeper_indents_stay() {
        for (framed, report) in [
            ("[Subagent hand-back] Here:\n  One\n\n    two\n  \tthree\nfour", "One\n\n  two\n\tthree\nfour"),
            ("[Subagent hand-back]", ""),
            ("  one\n[Subagent hand-back] x\n  two", "one\ntwo"),
            ("", ""),
        ] {
            assert_eq!(unframed(framed), report);
        }
    }

    #[test]
    fn a_message_needs_tag_and_marker() {
        let text =
            "<agent-message from=\"a1b2\">\n[Subagent hand-back] The report:\n  All <b>is</b> well.\n</agent-message>";
        let read = |text: &str| handback_of(&Text::from(text.to_owned())).map(Keep::keep);
        let handback = read(text).expect("it is one");
        assert_eq!((&*handback.task_id, handback.report.as_str()), ("a1b2", "\nAll <b>is</b> well.\n"));
        let handback = read(&text.replace("from=", "of=").replace("</agent-message>", "")).expect("it is one");
        assert_eq!(handback.task_id, "");
        assert_eq!(read(&text.replace("[Subagent", "It said [Subagent")), None);
        assert_eq!(read("[Subagent hand-back] x"), None);
        assert_eq!(read("<agent-message from=\"a1\" [Subagent hand-back]"), None);
    }
}
