//! A line as structs with `String`s, derived with serde: the usual way to read one, to compare with. It has the fields that
//! a frame keeps; what no frame keeps is skipped here, too.

use serde::Deserialize;
use serde_json::Value;

/// A line.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the fields are called as in the line")]
pub struct OwnedLine {
    pub r#type: String,
    pub subtype: Option<String>,
    pub uuid: Option<String>,
    pub session_id: Option<String>,
    #[serde(rename = "sessionId")]
    pub stored_session_id: Option<String>,
    pub timestamp: Option<String>,
    pub parent_tool_use_id: Option<String>,
    #[serde(rename = "parentToolUseID")]
    pub stored_parent_tool_use_id: Option<String>,
    pub agent_id: Option<String>,
    #[serde(rename = "agentId")]
    pub stored_agent_id: Option<String>,
    #[serde(rename = "isSidechain")]
    pub is_sidechain: bool,
    #[serde(rename = "parentUuid")]
    pub parent_uuid: Option<String>,
    pub message: Option<OwnedMessage>,
    pub tool_use_result: Option<Value>,
    #[serde(rename = "toolUseResult")]
    pub stored_tool_use_result: Option<Value>,
    pub task_id: Option<String>,
    pub run_id: Option<String>,
    pub tool_use_id: Option<String>,
    pub description: Option<String>,
    pub subagent_type: Option<String>,
    pub task_type: Option<String>,
    pub last_tool_name: Option<String>,
    pub summary: Option<String>,
    pub status: Option<String>,
    pub usage: Option<Value>,
    pub patch: Option<Value>,
    pub tasks: Option<Value>,
    pub request: Option<Value>,
    pub attachment: Option<Value>,
    pub data: Option<Value>,
    pub content: Option<Value>,
}

/// `message` of a line.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the fields are called as in the line")]
pub struct OwnedMessage {
    pub model: Option<String>,
    pub content: OwnedContent,
}

/// The content of a message.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum OwnedContent {
    /// A list of blocks.
    Blocks(Vec<OwnedBlock>),
    /// One text.
    Text(String),
}

impl Default for OwnedContent {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

/// A content block.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the fields are called as in the line")]
pub struct OwnedBlock {
    pub r#type: String,
    pub text: Option<String>,
    pub id: Option<String>,
    pub name: Option<String>,
    pub input: Option<Value>,
    pub tool_use_id: Option<String>,
    pub content: Option<OwnedContent>,
    pub is_error: bool,
}
