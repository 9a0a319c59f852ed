//! Texts as a card shows them (section 2, R24), written plainly.

use cardfold_wire::{ToolInput, ToolResult};

use super::model::ModelText;

/// One line: white space runs become a space, controls and direction marks go, the ends are trimmed. A text of which
/// nothing is left is none.
pub(super) fn one_line(text: &str) -> Option<String> {
    let mut spaced = String::new();
    for character in text.chars() {
        match character.is_whitespace() {
            true if spaced.ends_with(' ') => {}
            true => spaced.push(' '),
            false => spaced.push(character),
        }
    }
    let shown: String = spaced.chars().filter(|&character| is_shown(character)).collect();
    Some(shown.trim().to_owned()).filter(|line| !line.is_empty())
}

/// One line of at most `limit` characters, the last of them an ellipsis where something was cut.
pub(super) fn capped(text: &str, limit: usize) -> Option<String> {
    let line = one_line(text)?;
    if line.chars().count() <= limit {
        return Some(line);
    }
    Some(line.chars().take(limit - 1).chain(['…']).collect())
}

fn is_shown(character: char) -> bool {
    let mark =
        matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !mark && !character.is_control()
}

/// A report or an error (R24): cleaned, then its first 40 lines and 4,096 bytes.
pub(super) fn excerpt(text: &str) -> Option<ModelText> {
    let unified = text.replace("\r\n", "\n");
    let kept: String = unified.chars().filter(|&c| c == '\n' || c == '\t' || is_shown(c)).collect();
    let mut lines: Vec<&str> = kept.split('\n').collect();
    while lines.first().is_some_and(|line| line.trim().is_empty()) {
        lines.remove(0);
    }
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    if lines.is_empty() {
        return None;
    }
    let whole = lines.join("\n");
    let mut text = lines[..lines.len().min(40)].join("\n");
    while text.len() > 4096 {
        text.pop();
    }
    Some(ModelText { truncated: text.len() < whole.len(), text })
}

/// The text blocks of a result without what the client wrote around the report: the hand-back line and the indent that
/// comes with it, the `agentId:` line and all that follows it in its block.
pub(super) fn report_of<'t>(blocks: impl Iterator<Item = &'t str>) -> String {
    let mut report = Vec::new();
    for block in blocks {
        let mut indented = false;
        for line in block.split('\n') {
            if line.starts_with("agentId:") {
                break;
            }
            if line.starts_with("[Subagent hand-back]") {
                indented = true;
            } else if indented {
                report.push(line.strip_prefix("  ").unwrap_or(line));
            } else {
                report.push(line);
            }
        }
    }
    report.join("\n")
}

/// The text blocks of a result, as one text.
pub(super) fn joined(result: &ToolResult<'_>) -> String {
    result.texts.iter().map(|text| text.as_str()).collect::<Vec<_>>().join("\n")
}

/// What one line says a call does (section 2, "Titles").
pub(super) fn title(name: &str, input: &ToolInput<'_>) -> String {
    let with = |what: Option<&str>| what.and_then(one_line).map(|what| format!("{name} {what}"));
    let alone = |what: &Option<std::borrow::Cow<'_, str>>| what.as_deref().and_then(one_line);
    let title = match name {
        "Read" | "Write" | "Edit" | "MultiEdit" | "NotebookEdit" | "LS" => {
            with(input.file_path.as_deref().or(input.notebook_path.as_deref()).or(input.path.as_deref()))
        }
        "Bash" => input.command.as_deref().and_then(first_line),
        "Grep" | "Glob" => with(input.pattern.as_deref()).map(|title| match alone(&input.path) {
            Some(path) => format!("{title} in {path}"),
            None => title,
        }),
        "WebFetch" | "WebSearch" => with(input.url.as_deref().or(input.query.as_deref())),
        "Task" | "Agent" => alone(&input.description),
        "Skill" => alone(&input.skill),
        "SendMessage" => with(input.to.as_deref()),
        "TaskStop" => with(input.task_id.as_deref()),
        _ => match name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
            Some((server, tool)) => Some(format!("{server}: {tool}")),
            None => {
                let telling = [&input.description, &input.name, &input.path, &input.query, &input.command, &input.url];
                let telling = telling.into_iter().chain([&input.title]).find(|argument| argument.is_some());
                with(telling.and_then(|argument| argument.as_deref()))
            }
        },
    };
    title.as_deref().and_then(|title| capped(title, 120)).or_else(|| capped(name, 120)).unwrap_or_default()
}

fn first_line(command: &str) -> Option<String> {
    command.split('\n').find_map(one_line)
}
