//! What the result of a call says of an agent, where its structured field is silent.

use std::borrow::Cow;

use serde::de::DeserializeSeed;

use crate::content::StructuredResult;
use crate::frame::{Structured, TaskRead, ToolResult, Usage};
use crate::handback::{has_marker, unframed};
use crate::notification::usage_of;
use crate::owned::Keep;
use crate::reading::Reading;
use crate::repair::repaired;
use crate::text::Text;

impl ToolResult<'_> {
    /// The id of an `agentId: …` line of the texts, in any era's form (wire.md 3.3). The client's own line comes last,
    /// so a later text goes before an earlier one; within a text the first line counts.
    pub fn agent_id_line(&self) -> Option<&str> {
        self.texts.iter().rev().find_map(|text| text.as_str().split('\n').find_map(agent_id))
    }

    /// A line of a text starts with the hand-back marker (R11).
    pub fn has_handback(&self) -> bool {
        self.texts.iter().any(|text| has_marker(text.as_str()))
    }

    /// The last text is an `agentId:` line (R11), whatever stands below the line.
    pub fn last_text_is_agent_id(&self) -> bool {
        self.texts.last().is_some_and(|text| is_agent_id_text(text.as_str()))
    }

    /// A text of the result read as one JSON object, for the tools that say the same there as in their structured
    /// field (R14).
    pub fn said_as_json(&self) -> Option<Structured<'static>> {
        self.texts.iter().find_map(|text| structured(text.as_str()))
    }

    /// What a TaskOutput result says of the task it read: in its structured field, else in its text, which is JSON or
    /// a row of tags (wire.md 3.4).
    pub fn task_read(&self) -> Option<TaskRead<'_>> {
        if let Some(task) = self.structured.as_ref().and_then(|structured| structured.task.as_ref()) {
            return Some(task.clone());
        }
        let text = self.texts.first()?.as_str();
        structured(text).and_then(|structured| structured.task).or_else(|| tagged_task(text))
    }

    /// The report (R24), before it is bounded: the structured content, else the result's own text. Neither the frame of
    /// a hand-back nor the lines that the client adds are part of it; blank lines at its ends may be.
    pub fn report_text(&self) -> Option<Text<'_>> {
        let content = self.structured.as_ref().map_or(&[][..], |structured| &structured.content);
        joined(content.iter().map(|text| without_tools_used(text.as_str())))
            .or_else(|| self.own_report())
            .map(Text::new)
    }

    /// The figures of the `<usage>` block of the texts (wire.md 3.3).
    pub fn usage_text(&self) -> Usage {
        self.texts.iter().rev().find_map(|text| usage_block(text.as_str())).map(usage_of).unwrap_or_default()
    }
}

impl ToolResult<'_> {
    fn own_report(&self) -> Option<Cow<'_, str>> {
        let texts = match &self.texts[..] {
            [texts @ .., last] if is_agent_id_text(last.as_str()) => texts,
            texts => texts,
        };
        let whole = joined(texts.iter().map(Text::as_str))?;
        let report = match whole {
            Cow::Borrowed(whole) => report_in(whole),
            Cow::Owned(whole) => Cow::Owned(report_in(&whole).into_owned()),
        };
        (!report.trim().is_empty()).then_some(report)
    }
}

/// The parts that are not blank, a line each; `None` where there is none.
fn joined<'t>(parts: impl Iterator<Item = &'t str>) -> Option<Cow<'t, str>> {
    let mut parts = parts.filter(|part| !part.trim().is_empty());
    let mut whole = Cow::Borrowed(parts.next()?);
    for part in parts {
        let whole = whole.to_mut();
        whole.push('\n');
        whole.push_str(part);
    }
    Some(whole)
}

/// The report in a text that holds all that the client wrote.
fn report_in(whole: &str) -> Cow<'_, str> {
    let body = without_tail(whole);
    // A client that adds notes of its own indents the report without saying so.
    if has_marker(body) || body.strip_prefix("  ").is_some_and(|body| body.starts_with(TOOLS_USED_OPENS)) {
        Cow::Owned(without_tools_used(&unframed(body)).to_owned())
    } else {
        Cow::Borrowed(without_tools_used(body))
    }
}

/// The text without the lines that the client puts below a report: the agent's id, its worktree, its usage.
fn without_tail(text: &str) -> &str {
    let body = without_usage(text.trim_end());
    let mut above = body;
    loop {
        let (before, line) = above.rsplit_once('\n').unwrap_or(("", above));
        if agent_id(line).is_some() {
            return before;
        }
        let is_clients = line.is_empty() || line.starts_with("worktreePath:") || line.starts_with("worktreeBranch:");
        if !is_clients || before.is_empty() {
            return body;
        }
        above = before;
    }
}

fn without_usage(text: &str) -> &str {
    match text.rfind(USAGE_OPENS) {
        Some(at) if text.ends_with(USAGE_CLOSES) && (at == 0 || text[..at].ends_with('\n')) => text[..at].trim_end(),
        Some(_) | None => text,
    }
}

fn usage_block(text: &str) -> Option<&str> {
    let (_, block) = text.rsplit_once(USAGE_OPENS)?;
    block.split_once(USAGE_CLOSES).map(|(block, _)| block)
}

const USAGE_OPENS: &str = "<usage>";
const USAGE_CLOSES: &str = "</usage>";

const TOOLS_USED_OPENS: &str = "<tools-used-before-summary>";
const TOOLS_USED_CLOSES: &str = "</tools-used-before-summary>";

/// The text without the list of tools that a client puts above a report.
fn without_tools_used(text: &str) -> &str {
    if !text.trim_start().starts_with(TOOLS_USED_OPENS) {
        return text;
    }
    let Some((_, below)) = text.split_once(TOOLS_USED_CLOSES) else { return text };
    // Only the rest of its line goes with it: the next line keeps its indent.
    match below.split_once('\n') {
        Some((rest, lines)) if rest.trim().is_empty() => lines,
        Some(_) | None => below,
    }
}

fn is_agent_id_text(text: &str) -> bool {
    text.split('\n').next().is_some_and(|line| agent_id(line).is_some())
}

/// The id of an `agentId: …` line.
fn agent_id(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("agentId: ")?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let id = &rest[..rest.bytes().take_while(is_part).count()];
    (!id.is_empty()).then_some(id)
}

fn structured(text: &str) -> Option<Structured<'static>> {
    let text = text.trim();
    if !text.starts_with('{') {
        return None;
    }
    let read = |text: &str| {
        let mut json = serde_json::Deserializer::from_str(text);
        let mut structured = None;
        Reading::<StructuredResult>(&mut structured).deserialize(&mut json).ok()?;
        json.end().ok()?;
        structured.map(|structured| (*structured).keep())
    };
    read(text).or_else(|| read(&repaired(text)?))
}

/// A TaskOutput result as a row of tags. What stands in `<output>` is the agent's report, but in clients that put the
/// lines of its file there.
fn tagged_task(text: &str) -> Option<TaskRead<'_>> {
    let text = text.trim_start();
    if !text.starts_with("<retrieval_status>") {
        return None;
    }
    let (head, rest) = text.split_once("<output>").unwrap_or((text, ""));
    let (output, tail) = rest.rsplit_once("</output>").unwrap_or((rest, ""));
    let output = Some(output.trim_matches('\n')).filter(|output| !output.is_empty() && !output.starts_with('{'));
    Some(TaskRead {
        task_id: tagged(head, "task_id").map(Cow::Borrowed),
        task_type: tagged(head, "task_type").map(Cow::Borrowed),
        status: tagged(head, "status").map(Cow::Borrowed),
        result: output.map(Text::new),
        error: tagged(head, "error").or(tagged(tail, "error")).map(Text::new),
    })
}

fn tagged<'t>(text: &'t str, tag: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{tag}>"))?;
    let (value, _) = rest.split_once(&format!("</{tag}>"))?;
    Some(value.trim()).filter(|value| !value.is_empty())
}
