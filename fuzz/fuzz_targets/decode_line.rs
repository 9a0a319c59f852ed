//! Any bytes are a frame or an error, and a frame agrees with a plain reading of the same JSON.
//!
//! A file of several lines is taken line by line, so that recorded streams can be replayed as they are.

#![cfg_attr(fuzzing, no_main)]

#[macro_use]
mod shim;

use cardfold_wire::{Body, Frame};
use serde_json::Value;

fuzz_target!(every_line_agrees);

fn every_line_agrees(data: &[u8]) {
    data.split(|&byte| byte == b'\n').for_each(agrees_with_a_plain_reading);
}

fn agrees_with_a_plain_reading(line: &[u8]) {
    let decoded = Frame::decode(line);
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        // The plain reading is the stricter one: it wants every text to be well formed, also where nobody reads it.
        return;
    };
    let Ok(frame) = decoded else {
        return;
    };
    assert!(value.is_object(), "a frame is made of an object");
    if let Some(uuid) = &frame.uuid {
        let stands = |place: &Value| place["uuid"].as_str() == Some(uuid);
        assert!(stands(&value) || stands(&value["data"]["message"]), "the uuid {uuid} stands in the line");
    }
    match &frame.body {
        Body::Assistant(_) => assert!(is_type(&value, &["assistant", "progress"])),
        Body::Result(_) => assert!(is_type(&value, &["result"])),
        Body::User(_) => assert!(is_type(&value, &["user", "progress"])),
        Body::BackgroundTasks(_)
        | Body::Init
        | Body::PermissionDenied(_)
        | Body::TaskNotification(_)
        | Body::TaskProgress(_)
        | Body::TaskStarted(_)
        | Body::TaskUpdated(_) => assert!(is_type(&value, &["system"])),
        Body::Notices(_) => assert!(is_type(&value, &["attachment", "queue-operation"])),
        Body::PermissionRequest(_) => assert!(is_type(&value, &["control_request"])),
        Body::PermissionSettled { .. } => {
            assert!(is_type(&value, &["control_response", "control_cancel_request"]));
        }
        Body::Quiet => assert!(value["type"].is_string()),
        Body::Remark(_) => unreachable!("no line decodes to what only dialects make"),
        Body::Sidecar(_) => assert!(is_type(&value, &["agent_metadata"])),
        Body::ToolProgress(_) => assert!(is_type(&value, &["tool_progress"])),
        Body::Unknown { kind } => {
            let word = kind.strip_prefix("system/").unwrap_or(kind);
            assert!(
                value["type"] == **kind || value["subtype"] == *word || kind.is_empty(),
                "{kind} stands in the line"
            );
        }
    }
}

fn is_type(value: &Value, types: &[&str]) -> bool {
    value["type"].as_str().is_some_and(|word| types.contains(&word))
}
