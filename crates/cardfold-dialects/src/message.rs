//! Messages of a stored conversation, as most systems write them: a role, and a text or blocks. Knows no tool.

use std::borrow::Cow;

use serde_json::Value;

use crate::object::Object;

/// Whose message it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Role {
    /// The model's.
    Assistant,
    /// A person's, or what tools gave back.
    User,
}

/// A message.
#[derive(Debug)]
pub(crate) struct Message<'v> {
    pub(crate) role: Role,
    pub(crate) blocks: Vec<Block<'v>>,
}

/// What a message holds.
#[derive(Debug)]
pub(crate) enum Block<'v> {
    Result {
        id: &'v str,
        text: Cow<'v, str>,
        /// None where the block does not say.
        is_error: Option<bool>,
    },
    Text(&'v str),
    ToolUse {
        id: &'v str,
        name: &'v str,
        input: Option<&'v Value>,
    },
}

impl<'v> Message<'v> {
    /// Reads `{"role":…,"content":…}`, alone or as the `message` of a line; `None` for anything else.
    pub(crate) fn of(line: Object<'v>) -> Option<Self> {
        let message = line.object("message").unwrap_or(line);
        let role = match message.text("role").or_else(|| line.text("type"))? {
            "assistant" => Role::Assistant,
            "user" => Role::User,
            _ => return None,
        };
        let blocks = match message.get("content")? {
            Value::String(text) => vec![Block::Text(text)],
            Value::Array(blocks) => blocks.iter().filter_map(Object::of).filter_map(block).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
        };
        Some(Self { role, blocks })
    }

    /// The texts of the message.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &'v str> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(*text),
            Block::Result { .. } | Block::ToolUse { .. } => None,
        })
    }
}

fn block(block: Object<'_>) -> Option<Block<'_>> {
    match block.text("type")? {
        "text" => block.text("text").map(Block::Text),
        "tool_use" | "server_tool_use" => {
            Some(Block::ToolUse { id: block.text("id")?, name: block.text("name")?, input: block.get("input") })
        }
        kind if kind.ends_with("tool_result") => Some(Block::Result {
            id: block.text("tool_use_id")?,
            text: block.get("content").map(result_text).unwrap_or_default(),
            is_error: block.flag("is_error"),
        }),
        _ => None,
    }
}

/// The text of a result: a text, or blocks of it.
fn result_text(content: &Value) -> Cow<'_, str> {
    let Some(blocks) = content.as_array() else { return content.as_str().unwrap_or_default().into() };
    let mut texts = blocks.iter().filter_map(Object::of).filter_map(|block| block.text("text"));
    let Some(first) = texts.next() else { return "".into() };
    texts.fold(first.into(), |whole, text| format!("{whole}\n{text}").into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(line: &Value) -> String {
        let message = Object::of(line).and_then(Message::of);
        message.map_or_else(|| "none".to_owned(), |message| format!("{:?} {:?}", message.role, message.blocks))
    }

    #[test]
    fn a_message_alone_or_in_a_line() {
        assert_eq!(shown(&json!({ "role": "user", "content": "hi" })), r#"User [Text("hi")]"#);
        let line = json!({ "type": "assistant", "message": { "content": [
            { "type": "tool_use", "id": "t", "name": "read", "input": {} }, { "type": "thinking" }, 3] } });
        assert_eq!(shown(&line), r#"Assistant [ToolUse { id: "t", name: "read", input: Some(Object {}) }]"#);
        let result = json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "t",
            "content": [{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }], "is_error": true }] });
        assert_eq!(shown(&result), r#"User [Result { id: "t", text: "a\nb", is_error: Some(true) }]"#);
        for none in [json!({}), json!({ "role": "system", "content": "x" }), json!({ "role": "user", "content": 3 })] {
            assert_eq!(shown(&none), "none");
        }
    }
}
