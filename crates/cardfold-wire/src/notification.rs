//! The `<task-notification>` blocks of a text (WIRE.md section 4, R13).
//!
//! The tags stand in a fixed order, so they are read one after the other: a word inside a report is never taken for a
//! tag of the block.

use std::borrow::Cow;

use crate::digest::digest;
use crate::message::Usage;
use crate::owned::Keep;
use crate::roster::{Notice, TaskNotification};
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

#[cfg(test)]
mod tests {
    use super::*;

    const STATED: Option<bool> = Some(true);

    fn read(text: &str, stated: Option<bool>) -> Vec<TaskNotification<'_>> {
        let texts = Texts::from([Text::new(text)]);
        notices_of(&texts, stated).into_iter().map(|notice| notice.said).collect()
    }

    fn one(inner: &str) -> TaskNotification<'static> {
        let text = format!("<task-notification>{inner}</task-notification>");
        let [said] = read(&text, None).try_into().expect("one block is read");
        Keep::keep(said)
    }

    fn usage(total_tokens: u64, tool_uses: u64, duration_ms: u64) -> Usage {
        Usage { total_tokens: Some(total_tokens), tool_uses: Some(tool_uses), duration_ms: Some(duration_ms) }
    }

    #[test]
    fn every_era() {
        let said = one("\n<task-id>a12ab01</task-id>\n<output-file>/x</output-file>\n<status>completed</status>\n\
             <summary>Agent \"D\" completed.</summary>\n");
        assert_eq!((&*said.task_id, said.tool_use_id.as_deref(), said.result), ("a12ab01", None, None));
        assert_eq!(said.status.as_deref(), Some("completed"));
        assert_eq!(said.summary.expect("it has one").as_str(), "Agent \"D\" completed.");

        let said =
            one("\n<task-id>a5c0de1</task-id>\n<status>completed</status>\n<summary>Agent \"D\" completed</summary>\
             \n<result>Nine by twelve.</result>\n<usage>total_tokens: 900\ntool_uses: 2\nduration_ms: 4000</usage>\n");
        assert_eq!(said.usage, usage(900, 2, 4000));

        let said = one("<task-id>a8c6e38f425550515</task-id><tool-use-id>toolu_A</tool-use-id><task-type>local_agent\
             </task-type><status>killed</status><summary>Agent \"D\" was stopped</summary><note>A <status> is here</note>\
             <result>Final\ntext</result><usage><subagent_tokens>20044</subagent_tokens><tool_uses>3</tool_uses>\
             <duration_ms>18166</duration_ms></usage><worktree><worktreePath>/x</worktreePath></worktree>");
        assert_eq!(said.tool_use_id.as_deref(), Some("toolu_A"));
        assert_eq!(said.task_type.as_deref(), Some("local_agent"));
        assert_eq!(said.status.as_deref(), Some("killed"));
        assert_eq!(said.result.expect("it has one").as_str(), "Final\ntext");
        assert_eq!(said.usage, usage(20044, 3, 18166));

        let said = one("<task-id>w1</task-id><status>completed</status><usage><agent_count>2</agent_count>\
             <agents_done>2</agents_done><subagent_tokens>7746</subagent_tokens><tool_uses>6</tool_uses>\
             <duration_ms>2458</duration_ms></usage>");
        assert_eq!(said.usage, usage(7746, 6, 2458));

        let said =
            one("<task-id>m5bbbbb</task-id><summary>Monitor event: \"gate\"</summary><event><status>failed</status>\
             </event>");
        assert_eq!(said.status, None);
    }

    #[test]
    fn a_report_is_no_tag_of_the_block() {
        let said =
            one("<task-id>a1</task-id><status>completed</status><result>It said &lt;status&gt;failed&lt;/status&gt; \
             &amp;amp; <task-id>a2</task-id></result> twice</result><usage><tool_uses>1</tool_uses></usage>");
        assert_eq!((&*said.task_id, said.status.as_deref()), ("a1", Some("completed")));
        assert_eq!(
            said.result.expect("it has one").as_str(),
            "It said <status>failed</status> &amp; <task-id>a2</task-id></result> twice"
        );
        assert_eq!(said.usage.tool_uses, Some(1));
        let said = one("<task-id>a1</task-id><result>cut off");
        assert_eq!(said.result.expect("it has one").as_str(), "cut off");
    }

    #[test]
    fn an_id_that_was_redacted_is_none() {
        for redacted in ["", " ", "[REDACTED]", "<redacted>", "***", "id withheld", "aé"] {
            let said = one(&format!(
                "<task-id>{redacted}</task-id><tool-use-id>{redacted}</tool-use-id><status>failed</status>"
            ));
            assert_eq!((&*said.task_id, said.tool_use_id), ("", None), "{redacted}");
            assert_eq!(said.status.as_deref(), Some("failed"));
        }
        let said = one("<task-id> __orphan_summary:1 </task-id><tool-use-id>zed@team.x</tool-use-id>");
        assert_eq!((&*said.task_id, said.tool_use_id.as_deref()), ("__orphan_summary:1", Some("zed@team.x")));
    }

    #[test]
    fn a_text_counts_by_its_origin_or_by_its_opening() {
        let block = "<task-notification><task-id>a1</task-id></task-notification>";
        let wrapped = format!("<system-reminder>\n[SYSTEM NOTIFICATION - NOT USER INPUT]\n{block}\n</system-reminder>");
        for (text, stated, count) in [
            (block, None, 1),
            (&*format!("\n {block} tail"), None, 1),
            (&wrapped, None, 0),
            (&wrapped, STATED, 1),
            (block, Some(false), 0),
            (&*format!("{block}between{block}\n{block}"), None, 3),
            ("<task-notification><task-id>a1</task-id>", STATED, 0),
            ("</task-notification><task-notification>", STATED, 0),
            ("<task-notification></task-notification>", None, 1),
        ] {
            assert_eq!(read(text, stated).len(), count, "{text}");
        }
    }

    #[test]
    fn the_digest_is_of_the_block_alone() {
        let block = "<task-notification>\n<task-id>a1</task-id>\n</task-notification>";
        for text in
            [block.to_owned(), format!("  {block}\nFull transcript available at: /x"), format!("{block}{block}")]
        {
            for notice in notices_of(&Texts::from([Text::new(text)]), STATED) {
                assert_eq!(notice.digest, digest(block.as_bytes()));
            }
        }
    }

    #[test]
    fn openings_without_end_cost_no_more_than_their_length() {
        let many = "<task-notification><status>".repeat(100_000);
        assert_eq!(read(&many, STATED).len(), 0);
        assert_eq!(read(&format!("{many}</task-notification>"), STATED).len(), 1);
    }

    #[test]
    fn entities_are_decoded_once() {
        for (text, plain) in [
            ("a &lt;b&gt; &amp;lt; &quot;c&quot; &apos;d&#39;", "a <b> &lt; \"c\" 'd'"),
            ("&#65;&#x42;&#X43; &#128512;", "ABC \u{1f600}"),
            ("&; &x; &amp &#xD800; &#99999999; & &nbsp; é&é;&", "&; &x; &amp &#xD800; &#99999999; & &nbsp; é&é;&"),
        ] {
            assert_eq!(decoded(text), plain);
        }
    }

    #[test]
    fn figures_in_either_form() {
        assert_eq!(usage_of("subagent_tokens: 5\n tool_uses:6\nduration_ms: 7 ms"), usage(5, 6, 7));
        assert_eq!(usage_of("<total_tokens>99999999999999999999</total_tokens>").total_tokens, Some(u64::MAX));
        assert_eq!(usage_of("total_tokens: many\ntool_uses: -1\nduration_ms\nx: 3"), Usage::default());
        assert_eq!(usage_of("total_tokens: 1\ntotal_tokens: 2").total_tokens, Some(1));
    }
}
