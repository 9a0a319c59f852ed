//! The messages that progress lines of old clients carry (WIRE.md 5.3).

use std::borrow::Cow;

use crate::error::FrameError;
use crate::frame::Frame;
use crate::line::{CarriedLine, Line, Message};
use crate::message::Block;
use crate::turn::{assistant, user};

/// An agent-progress line is the line it carries (WIRE.md 5.3); other progress is none of ours.
pub(crate) fn progress<'a>(line: &mut Line<'a>, frame: &mut Frame<'a>) -> Result<(), FrameError> {
    let Some(data) = line.data.take() else { return Ok(()) };
    if data.kind.as_deref() != Some("agent_progress") {
        return Ok(());
    }
    // The line's own agent is the one in whose file it stands.
    frame.agent_id = data.agent_id;
    let carried = match (data.message, data.normalized_messages) {
        (Some(message), _) => message,
        (None, messages) => {
            joined(messages.unwrap_or_default()).ok_or_else(|| FrameError::malformed("progress", "data.message"))?
        }
    };
    frame.uuid = carried.uuid.or(frame.uuid.take());
    frame.timestamp_ms = carried.timestamp.or(frame.timestamp_ms);
    if carried.message.is_none() {
        return Err(FrameError::malformed("progress", "data.message.message"));
    }
    let mut inner = Line {
        message: carried.message,
        tool_use_result: carried.tool_use_result,
        denial: carried.denial,
        meta: carried.meta,
        ..Line::default()
    };
    match carried.kind.as_deref() {
        Some("assistant") => assistant(&mut inner, &mut frame.body),
        Some("user") => user(&mut inner, &mut frame.body),
        Some(_) | None => Ok(()),
    }
}

/// The messages of an old agent-progress line as one: calls and results in order. A message of the model can hold
/// results (R9), a user turn no calls, so one call makes the whole a message of the model.
fn joined(messages: Vec<CarriedLine<'_>>) -> Option<CarriedLine<'_>> {
    let by_model = messages.iter().any(is_by_model);
    let kind = if by_model { "assistant" } else { "user" };
    let mut whole = Message::default();
    let mut any = false;
    for message in messages {
        let texts_count = is_by_model(&message) == by_model;
        let known = matches!(message.kind.as_deref(), Some("assistant" | "user"));
        let Some(part) = message.message.filter(|_| known) else { continue };
        whole.model = part.model.or(whole.model);
        whole.content.extend(part.content.into_iter().filter(|block| texts_count || !matches!(block, Block::Text(_))));
        any = true;
    }
    any.then(|| CarriedLine { kind: Some(Cow::Borrowed(kind)), message: Some(whole), ..CarriedLine::default() })
}

fn is_by_model(message: &CarriedLine<'_>) -> bool {
    message.kind.as_deref() == Some("assistant")
}
