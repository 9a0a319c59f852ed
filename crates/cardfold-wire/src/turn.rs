//! Messages, and the places where a client delivers a notice.

use std::borrow::Cow;
use std::mem;

use crate::content::texts;
use crate::error::FrameError;
use crate::frame::Body;
use crate::handback::handback_of;
use crate::line::{Attachment, Line, Origin};
use crate::message::{Assistant, Block, Blocks, Handback, User};
use crate::notification::notices_of;
use crate::roster::{NoticePlace, Notices};
use crate::text::Texts;

pub(crate) fn assistant<'a>(line: &mut Line<'a>, body: &mut Body<'a>) -> Result<(), FrameError> {
    let Some(message) = &mut line.message else { return Err(FrameError::malformed("assistant", "message")) };
    *body = Body::Assistant(Assistant {
        model: message.model.take(),
        aborted: line.aborted,
        supersedes: mem::take(&mut line.supersedes),
        blocks: mem::take(&mut message.content),
    });
    Ok(())
}

pub(crate) fn user<'a>(line: &mut Line<'a>, body: &mut Body<'a>) -> Result<(), FrameError> {
    let Some(message) = &mut line.message else { return Err(FrameError::malformed("user", "message")) };
    let mut user = turn(mem::take(&mut message.content));
    if let [result] = &mut user.results[..] {
        result.structured = line.tool_use_result.take().or(line.stored_tool_use_result.take());
        result.denial = line.denial.take();
    }
    let origin = line.origin.take();
    user.notices =
        Notices { place: NoticePlace::Turn, blocks: notices_of(&user.texts, origin.as_ref().map(says_notice)) };
    if let Some(origin) = origin {
        if let [notice] = &mut user.notices.blocks[..] {
            notice.said.run_id = origin.run_id.clone();
        }
        user.handback = handback(&user.texts, origin);
    }
    user.meta = line.meta || line.synthetic;
    user.compact_summary = line.compact_summary;
    *body = Body::User(user);
    Ok(())
}

pub(crate) fn queue_operation<'a>(line: &mut Line<'a>) -> Body<'a> {
    let content = line.content.take().filter(|_| line.operation.as_deref() == Some("enqueue"));
    notices_body(NoticePlace::Enqueue, &content.into_iter().collect(), None, None)
}

pub(crate) fn attachment_notices(attachment: Attachment<'_>) -> Body<'_> {
    if attachment.kind.as_deref() != Some("queued_command") {
        return Body::Quiet;
    }
    let mode = attachment.command_mode.as_deref().map(|mode| mode == "task-notification");
    let origin = attachment.origin.as_ref().map(says_notice);
    // Both may be stated; then both must say so.
    let stated = match (mode, origin) {
        (Some(mode), Some(origin)) => Some(mode && origin),
        (one, other) => one.or(other),
    };
    let run_id = attachment.run_id.or(attachment.origin.and_then(|origin| origin.run_id));
    notices_body(NoticePlace::Attachment, &texts(attachment.prompt), stated, run_id)
}

fn notices_body<'a>(
    place: NoticePlace,
    texts: &Texts<'a>,
    stated: Option<bool>,
    run_id: Option<Cow<'a, str>>,
) -> Body<'a> {
    let mut blocks = notices_of(texts, stated);
    if let [notice] = &mut blocks[..] {
        notice.said.run_id = run_id;
    }
    if blocks.is_empty() { Body::Quiet } else { Body::Notices(Notices { place, blocks }) }
}

/// Calls in a user turn are nobody's.
fn turn(blocks: Blocks<'_>) -> User<'_> {
    let mut user = User::default();
    for block in blocks {
        match block {
            Block::Text(text) => user.texts.push(text),
            Block::ToolResult(result) => user.results.push(result),
            Block::Other | Block::ToolUse(_) => {}
        }
    }
    user
}

fn says_notice(origin: &Origin<'_>) -> bool {
    origin.kind.as_deref() == Some("task-notification")
}

fn handback<'a>(texts: &Texts<'a>, origin: Origin<'a>) -> Option<Handback<'a>> {
    if origin.kind.as_deref() != Some("peer") || !origin.handback {
        return None;
    }
    let mut handback = texts.iter().find_map(handback_of)?;
    if let Some(task_id) = origin.sender_task_id.or(origin.from) {
        handback.task_id = task_id;
    }
    Some(handback)
}
