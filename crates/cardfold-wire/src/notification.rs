//! The `<task-notification>` blocks of a text (wire.md section 4, R13).
//!
//! The tags stand in a fixed order, so they are read one after the other: a word inside a report is never taken for a
//! tag of the block.

use std::borrow::Cow;

use crate::digest::digest;
use crate::frame::{Notice, TaskNotification, Usage};
use crate::owned::Keep;
use crate::text::{Text, Texts};

/// What a block opens with.
pub(crate) const NOTICE_OPENS: &str = "<task-notification>";

const NOTICE_CLOSES: &str = "</task-notification>";

/// The blocks that count in the texts of one message. `stated` is what the message says of its own origin: that it is a
/// notice, that it is something else, or nothing; then a text counts where it opens with a block.
pub(crate) fn notices_of<'a>(texts: &Texts<'a>, stated: Option<bool>) -> Vec<Notice<'a>> {
    let counts = |text: &Text<'_>| stated.unwrap_or_else(|| text.as_str().trim_start().starts_with(NOTICE_OPENS));
    let mut notices = Vec::new();
    for text in texts.iter().filter(|text| counts(text)) {
        match text.borrowed() {
            Some(whole) => notices.extend(blocks(whole)),
            None => {
                for notice in blocks(text.as_str()) {
                    notices.push(notice.keep());
                }
            }
        }
    }
    notices
}

/// The figures of a `<usage>` block, in either form: tags, or lines of `name: figure`.
pub(crate) fn usage_of(text: &str) -> Usage {
    let mut usage = Usage::default();
    for piece in text.split(['\n', '<']) {
        let Some((name, rest)) = piece.split_once([':', '>']) else { continue };
        let figure = leading_figure(rest.trim_start());
        match name.trim() {
            "subagent_tokens" | "total_tokens" => usage.total_tokens = usage.total_tokens.or(figure),
            "tool_uses" => usage.tool_uses = usage.tool_uses.or(figure),
            "duration_ms" => usage.duration_ms = usage.duration_ms.or(figure),
            _ => {}
        }
    }
    usage
}

fn leading_figure(text: &str) -> Option<u64> {
    let digits = &text[..text.bytes().take_while(u8::is_ascii_digit).count()];
    // What is too great for a figure is the greatest, as in JSON.
    (!digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
}

fn blocks(text: &str) -> impl Iterator<Item = Notice<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let block = &rest[rest.find(NOTICE_OPENS)?..];
        let end = block.find(NOTICE_CLOSES)?;
        let (block, after) = block.split_at(end + NOTICE_CLOSES.len());
        rest = after;
        Some(Notice { digest: digest(block.as_bytes()), said: said(&block[NOTICE_OPENS.len()..end]) })
    })
}

/// What the tags between the ends of a block say. Of a tag that stands twice the first counts.
fn said(inner: &str) -> TaskNotification<'_> {
    let mut said = TaskNotification::default();
    let mut seen = [false; TAGS.len()];
    let mut rest = inner;
    while let Some(open) = rest.find('<') {
        rest = &rest[open + 1..];
        let Some(tag) = TAGS.iter().position(|tag| rest.strip_prefix(tag).is_some_and(|rest| rest.starts_with('>')))
        else {
            continue;
        };
        // A tag is looked for once, so that a text of nothing but openings costs no more than its length.
        if std::mem::replace(&mut seen[tag], true) {
            continue;
        }
        let tag = TAGS[tag];
        let from = tag.len() + 1;
        let Some((body, after)) = body(&rest[from..], tag) else { continue };
        rest = after;
        match tag {
            "task-id" => said.task_id = id(body).unwrap_or_default(),
            "tool-use-id" => said.tool_use_id = id(body),
            "task-type" => said.task_type = word(body),
            "status" => said.status = word(body),
            "summary" => said.summary = Some(Text::new(decoded(body))),
            "result" => said.result = Some(Text::new(decoded(body))),
            "usage" => said.usage = usage_of(body),
            // The others are known so that nothing inside them is taken for a tag of the block.
            _ => {}
        }
    }
    said
}

/// The tags of a block, in their order.
const TAGS: [&str; 14] = [
    "task-id",
    "tool-use-id",
    "task-type",
    "output-file",
    "status",
    "summary",
    "note",
    "result",
    "failures",
    "recovery",
    "usage",
    "worktree",
    "inPlace",
    "event",
];

/// What stands between a tag and its end, and what comes after. A report that was not escaped may hold its own closing
/// tag, so the last one counts there; one that is cut off goes to the end of the block.
fn body<'t>(rest: &'t str, tag: &str) -> Option<(&'t str, &'t str)> {
    let closes = format!("</{tag}>");
    let end = if tag == "result" { rest.rfind(&closes) } else { rest.find(&closes) };
    match end {
        Some(end) => Some((&rest[..end], &rest[end + closes.len()..])),
        None if tag == "result" => Some((rest, "")),
        None => None,
    }
}

fn word(body: &str) -> Option<Cow<'_, str>> {
    let word = body.trim();
    (!word.is_empty()).then_some(Cow::Borrowed(word))
}

/// An id as it is. What an archive put in the place of one has other characters, and names nothing.
fn id(body: &str) -> Option<Cow<'_, str>> {
    let is_id = |byte: u8| byte.is_ascii_alphanumeric() || b"_@.:-".contains(&byte);
    word(body).filter(|id| id.bytes().all(is_id))
}

/// `text` with its entities decoded, once.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        whole.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match entity(rest) {
            Some((character, after)) => {
                whole.push(character);
                rest = after;
            }
            None => whole.push('&'),
        }
    }
    whole.push_str(rest);
    Cow::Owned(whole)
}

/// The character that the entity at the start (after its `&`) stands for, and what comes after it.
fn entity(rest: &str) -> Option<(char, &str)> {
    // The longest entity, `&#x10FFFF;`, has eight bytes before its end.
    let end = rest.bytes().take(9).position(|byte| byte == b';')?;
    let character = match &rest[..end] {
        "amp" => '&',
        "apos" => '\'',
        "gt" => '>',
        "lt" => '<',
        "quot" => '"',
        name => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
    };
    Some((character, &rest[end + 1..]))
}
