//! What the result of a call says of an agent, where its structured field is silent.

use std::borrow::Cow;

use memchr::memmem;

use crate::content::StructuredResult;
use crate::handback::{MARKER, has_marker, unframed};
use crate::json::Json;
use crate::message::{Structured, TaskRead, ToolResult, Usage};
use crate::notification::usage_of;
use crate::owned::Keep;
use crate::reading::read_whole;
use crate::text::Text;

impl ToolResult<'_> {
    /// The id of an `agentId: …` line of the texts, in any era's form (WIRE.md 3.3). The client's own line comes last,
    /// so a later text goes before an earlier one; within a text the first line counts.
    pub fn agent_id_line(&self) -> Option<&str> {
        let texts = self.texts.iter().rev().filter(|text| text.may_have_line(AGENT_ID));
        texts.map(Text::as_str).find_map(|text| lines_with(text, AGENT_ID).find_map(agent_id))
    }

    /// A line of a text starts with the hand-back marker (R11).
    pub fn has_handback(&self) -> bool {
        self.texts.iter().any(|text| text.may_have_line(MARKER) && has_marker(text.as_str()))
    }

    /// The last text is an `agentId:` line (R11), whatever stands below the line.
    pub fn last_text_is_agent_id(&self) -> bool {
        self.texts.last().is_some_and(|text| text.may_have_line(AGENT_ID) && is_agent_id_text(text.as_str()))
    }

    /// A text of the result read as one JSON object, for the tools that say the same there as in their structured
    /// field (R14).
    pub fn said_as_json(&self) -> Option<Structured<'static>> {
        self.texts.iter().find_map(|text| structured(text.as_str()))
    }

    /// What a TaskOutput result says of the task it read: in its structured field, else in its text, which is JSON or
    /// a row of tags (WIRE.md 3.4).
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

    /// The figures of the `<usage>` block of the texts (WIRE.md 3.3).
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

const AGENT_ID: &str = "agentId: ";

/// What stands in the text from each line on that starts with `words`.
fn lines_with<'t>(text: &'t str, words: &'static str) -> impl Iterator<Item = &'t str> {
    let starts_line = |at: &usize| text[..*at].is_empty() || text[..*at].ends_with('\n');
    memmem::find_iter(text.as_bytes(), words).filter(starts_line).map(|at| &text[at..])
}

/// The id of an `agentId: …` line.
fn agent_id(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(AGENT_ID)?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let id = &rest[..rest.bytes().take_while(is_part).count()];
    (!id.is_empty()).then_some(id)
}

fn structured(text: &str) -> Option<Structured<'static>> {
    let text = text.trim();
    if !text.starts_with('{') {
        return None;
    }
    let mut json = Json::new(text.as_bytes());
    let mut structured = None;
    read_whole::<StructuredResult, _>(&mut json, &mut structured).ok()?;
    json.rest().is_empty().then(|| structured.map(|structured| (*structured).keep()))?
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

#[cfg(test)]
mod tests {
    use super::*;

    fn result(texts: &[&str]) -> ToolResult<'static> {
        let texts = texts.iter().map(|text| Text::from((*text).to_owned())).collect();
        ToolResult { texts, ..ToolResult::default() }
    }

    fn report(texts: &[&str]) -> Option<String> {
        result(texts).report_text().map(|text| text.as_str().to_owned())
    }

    #[test]
    fn the_id_line_of_every_era() {
        for (texts, id, is_last) in [
            (
                &["Async agent launched successfully.\nagentId: aad14bb (for resuming)\noutput_file: /x"][..],
                "aad14bb",
                false,
            ),
            (&["All is well.", "agentId: a-b_9"], "a-b_9", true),
            (&["All is well.", "agentId: a1 (use SendMessage)\n<usage>total_tokens: 1</usage>"], "a1", true),
            (&["agentId: quoted", "agentId: a1"], "a1", true),
            (&["  agentId: quoted\nagentId: x/../y"], "x", false),
        ] {
            let result = result(texts);
            assert_eq!((result.agent_id_line(), result.last_text_is_agent_id()), (Some(id), is_last), "{texts:?}");
        }
        for none in [&[][..], &[""], &["agentId:"], &["agentId: "], &["the agentId: a1"], &["agentId:a1"]] {
            assert_eq!((result(none).agent_id_line(), result(none).last_text_is_agent_id()), (None, false), "{none:?}");
        }
    }

    #[test]
    fn a_hand_back_is_one_at_the_start_of_a_line() {
        assert!(result(&["x", "y\n[Subagent hand-back] z"]).has_handback());
        assert!(!result(&["I will print [Subagent hand-back] later"]).has_handback());
    }

    #[test]
    fn the_report_of_every_era() {
        const TAIL: &str =
            "agentId: a1 (…)\nworktreePath: /w\nworktreeBranch: b\n<usage>subagent_tokens: 1\ntool_uses: 2</usage>";
        const TOOLS: &str = "<tools-used-before-summary>Bash, Read</tools-used-before-summary>\n";
        for (texts, text) in [
            (&["All is well.", "agentId: a1 (for resuming)"][..], "All is well."),
            (&["One.", "Two.", TAIL], "One.\nTwo."),
            (&[&*format!("  One.\n\ttwo\n{TAIL}\n")], "  One.\n\ttwo"),
            (&["All is well.\n<usage>total_tokens: 1</usage>"], "All is well."),
            (&["It has a <usage>block</usage>"], "It has a <usage>block</usage>"),
            (&["worktreePath: /w"], "worktreePath: /w"),
            (&["[Subagent hand-back] The report:\n  One\n\n    two\n  agentId: a2", TAIL], "One\n\n  two\nagentId: a2"),
            (&[&*format!("  {TOOLS}  \n[Subagent hand-back] The report:\n  One.\n{TAIL}")], "\nOne."),
            (&[&*format!("  {TOOLS}  \n  NOTE: it stopped.\n  \n{TAIL}")], "\nNOTE: it stopped.\n"),
            (&[&*format!("{TOOLS}    Done.")], "    Done."),
            (&["<tools-used-before-summary>Bash"], "<tools-used-before-summary>Bash"),
        ] {
            assert_eq!(report(texts).as_deref(), Some(text), "{texts:?}");
        }
        for none in [&[][..], &[""], &[" \n "], &[TAIL], &[TOOLS, TAIL], &["[Subagent hand-back] x"]] {
            assert_eq!(report(none), None, "{none:?}");
        }
    }

    #[test]
    fn structured_content_goes_before_the_text() {
        let of = |content: &[&str]| {
            let content = content.iter().map(|text| Text::from((*text).to_owned())).collect();
            let structured = Some(Box::new(Structured { content, ..Structured::default() }));
            let result = ToolResult { structured, ..result(&["Its own.", "agentId: a1"]) };
            result.report_text().map(|text| text.as_str().to_owned())
        };
        let tools = "<tools-used-before-summary>Bash</tools-used-before-summary>\n";
        assert_eq!(of(&[tools, "One.", "  Two.\n"]).as_deref(), Some("One.\n  Two.\n"));
        assert_eq!(of(&["agentId: it was"]).as_deref(), Some("agentId: it was"));
        for silent in [&[][..], &[""], &[tools]] {
            assert_eq!(of(silent).as_deref(), Some("Its own."), "{silent:?}");
        }
    }

    #[test]
    fn the_figures_of_the_text() {
        let usage = Usage { total_tokens: Some(9), tool_uses: Some(2), duration_ms: Some(3) };
        assert_eq!(
            result(&["x", "agentId: a1\n<usage>total_tokens: 9\ntool_uses: 2\nduration_ms: 3</usage>"]).usage_text(),
            usage
        );
        assert_eq!(result(&["<usage>tool_uses: 2"]).usage_text(), Usage::default());
        assert_eq!(result(&[]).usage_text(), Usage::default());
    }

    #[test]
    fn json_in_the_text() {
        let said = result(&[" {\"success\":true,\"message\":\"Resuming \\ud83d\",\"resumedAgentId\":\"a1\"}\n"])
            .said_as_json();
        assert_eq!(said.expect("it is an object").resumed_agent_id.as_deref(), Some("a1"));
        let said = result(&["{\"message\":\"Successfully killed\",\"shell_id\":\"b1\"}"]).said_as_json();
        assert_eq!(said.expect("it is an object").task_id.as_deref(), Some("b1"));
        for none in ["", "[]", "\"x\"", "{", "{}x", "x {}", "{\"a\":}"] {
            assert_eq!(result(&[none]).said_as_json(), None, "{none}");
        }
    }

    #[test]
    fn a_read_of_a_task_in_every_form() {
        let tags = "<retrieval_status>success</retrieval_status>\n\n<task_id>a1</task_id>\n\n<task_type>local_agent</task_type>\n\n\
            <status>completed</status>\n\n<output>\nThree <b>barrels</b>.\n</output>";
        let task = TaskRead {
            task_id: Some("a1".into()),
            task_type: Some("local_agent".into()),
            status: Some("completed".into()),
            result: Some(Text::new("Three <b>barrels</b>.")),
            error: None,
        };
        assert_eq!(result(&[tags]).task_read(), Some(task.clone()));
        let json = "{\"retrieval_status\":\"success\",\"task\":{\"task_id\":\"a1\",\"task_type\":\"local_agent\",\
            \"status\":\"completed\",\"output\":\"x\",\"result\":\"Three <b>barrels</b>.\"}}";
        assert_eq!(result(&[json]).task_read(), Some(task.clone()));
        let structured = Structured { task: Some(task.clone()), ..Structured::default() };
        let both = ToolResult { structured: Some(Box::new(structured)), ..result(&["No task found"]) };
        assert_eq!(both.task_read(), Some(task));

        let lines = tags.replace("Three", "{\"type\":\"user\"}\nThree");
        assert_eq!(result(&[&*lines]).task_read().expect("it is a read").result, None);
        let failed = "<retrieval_status>success</retrieval_status><task_id></task_id><error>no hammer</error>";
        let failed = result(&[failed]);
        let read = failed.task_read().expect("it is a read");
        assert_eq!((read.task_id, read.status, read.error), (None, None, Some(Text::new("no hammer"))));
        for none in
            ["", "<task_id>a1</task_id>", "It said <retrieval_status>success</retrieval_status>", "{\"task\":7}"]
        {
            assert_eq!(result(&[none]).task_read(), None, "{none}");
        }
    }
}
