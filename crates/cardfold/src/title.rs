//! A call's one-line title, from its tool and input (section 2). Knows no call.

use std::borrow::Cow;

use cardfold_wire::{ToolInput, ToolUse};

use crate::clean::one_line;

/// Characters of a title.
const MOST: usize = 120;

/// The title of a call.
pub(crate) fn title<'a>(call: &'a ToolUse<'_>) -> Cow<'a, str> {
    let line = match full_title(call) {
        Cow::Borrowed(full) => one_line(full, MOST),
        Cow::Owned(full) => match one_line(&full, MOST) {
            Cow::Borrowed(_) => Cow::Owned(full),
            Cow::Owned(line) => Cow::Owned(line),
        },
    };
    if line.is_empty() { one_line(&call.name, MOST) } else { line }
}

fn full_title<'a>(call: &'a ToolUse<'_>) -> Cow<'a, str> {
    let name = call.name.as_ref();
    let input = &call.input;
    match name {
        "Read" | "Write" | "Edit" | "MultiEdit" | "NotebookEdit" | "LS" => {
            joined(name, &[&input.file_path, &input.notebook_path, &input.path])
        }
        "Bash" => first_line(&input.command).map_or(Cow::Borrowed(name), Cow::Borrowed),
        "Grep" | "Glob" => pattern_title(name, input),
        "WebFetch" | "WebSearch" | "web_fetch" | "web_search" => joined(name, &[&input.url, &input.query]),
        "Task" | "Agent" => some(&input.description).map_or(Cow::Borrowed(name), Cow::Borrowed),
        "Skill" => some(&input.skill).or(some(&input.name)).map_or(Cow::Borrowed(name), Cow::Borrowed),
        "SendMessage" | "TaskStop" => joined(name, &[&input.to, &input.task_id]),
        _ => other_title(name, input),
    }
}

/// Tool, pattern and, if given, the place.
fn pattern_title<'a>(name: &'a str, input: &'a ToolInput<'_>) -> Cow<'a, str> {
    match (some(&input.pattern), some(&input.path)) {
        (Some(pattern), Some(place)) => Cow::Owned([name, pattern, "in", place].join(" ")),
        (Some(pattern), None) => Cow::Owned([name, pattern].join(" ")),
        (None, _) => Cow::Borrowed(name),
    }
}

/// `mcp__server__tool` by its parts; any other tool by its name and its most telling short argument.
fn other_title<'a>(name: &'a str, input: &'a ToolInput<'_>) -> Cow<'a, str> {
    if let Some((server, tool)) = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
        return Cow::Owned(format!("{server}: {tool}"));
    }
    let telling =
        [&input.description, &input.name, &input.path, &input.query, &input.command, &input.url, &input.title];
    joined(name, &telling)
}

/// The tool and the first of the values that is there.
fn joined<'a>(name: &'a str, values: &[&'a Option<Cow<'_, str>>]) -> Cow<'a, str> {
    match values.iter().find_map(|value| some(value)) {
        Some(value) => Cow::Owned([name, value].join(" ")),
        None => Cow::Borrowed(name),
    }
}

fn some<'a>(value: &'a Option<Cow<'_, str>>) -> Option<&'a str> {
    value.as_deref().filter(|text| !text.trim().is_empty())
}

fn first_line<'a>(value: &'a Option<Cow<'_, str>>) -> Option<&'a str> {
    some(value)?.lines().map(str::trim).find(|line| !line.is_empty())
}
