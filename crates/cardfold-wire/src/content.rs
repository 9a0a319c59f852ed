//! Content blocks, the results in them, and the structured output beside them.

use crate::escaped::Escaped;
use crate::fields::{Digest, Figure, Flag, Id, One, Prose, StatedFlag, Word};
use crate::input::Input;
use crate::json_error::JsonError;
use crate::list::List;
use crate::message::{Block, Blocks, Structured, TaskRead, ToolInput, ToolResult, ToolUse, Usage};
use crate::object::{object, raw};
use crate::reading::{Object, Read, each};
use crate::text::{Text, Texts};

/// The content of a message: a list of blocks, or a string that is one text block. Anything else is no block.
pub(crate) struct Content;

impl<'de> Read<'de> for Content {
    type Out = Blocks<'de>;

    fn borrowed(text: &'de str) -> Self::Out {
        List::from([Block::Text(Text::new(text))])
    }

    fn copied(text: &str) -> Self::Out {
        List::from([Block::Text(Text::copy(text))])
    }

    fn escaped(text: Escaped<'de>) -> Self::Out {
        List::from([Block::Text(Text::escaped(text))])
    }

    fn list<I: Input<'de>>(input: &mut I, blocks: &mut Self::Out) -> Result<(), JsonError> {
        each(input, |block: RawBlock<'de>| blocks.push(block.into_block()))
    }
}

/// The texts of a list of blocks, or a string that is one text.
pub(crate) fn texts(blocks: Blocks<'_>) -> Texts<'_> {
    blocks
        .into_iter()
        .filter_map(|block| match block {
            Block::Text(text) => Some(text),
            Block::Other | Block::ToolResult(_) | Block::ToolUse(_) => None,
        })
        .collect()
}

raw! {
    struct RawBlock<'de> {
        "type" => kind: Word,
        "text" => text: Prose,
        "id" => id: Id,
        "name" => name: Word,
        "input" => input: One<RawInput<'de>>,
        "tool_use_id" => tool_use_id: Id,
        "content" => content: ResultContent,
        "is_error" => is_error: Flag,
    }
}

impl<'de> RawBlock<'de> {
    fn into_block(self) -> Block<'de> {
        match self.kind.as_deref().unwrap_or_default() {
            "text" => self.text.map_or(Block::Other, Block::Text),
            kind @ ("tool_use" | "server_tool_use" | "mcp_tool_use") => Block::ToolUse(ToolUse {
                client_side: kind == "tool_use",
                id: self.id.unwrap_or_default(),
                name: self.name.unwrap_or_default(),
                input: self.input.unwrap_or_default().into_input(),
            }),
            kind if kind.ends_with("tool_result") => Block::ToolResult(ToolResult {
                tool_use_id: self.tool_use_id.unwrap_or_default(),
                is_error: self.is_error || self.content.is_error,
                texts: self.content.texts,
                structured: None,
                denial: None,
            }),
            _ => Block::Other,
        }
    }
}

raw! {
    struct RawInput<'de> {
        "command" => command: Word,
        "description" => description: Word,
        "file_path" => file_path: Word,
        "name" => name: Word,
        "notebook_path" => notebook_path: Word,
        "path" => path: Word,
        "pattern" => pattern: Word,
        "prompt" => prompt_digest: Digest,
        "query" => query: Word,
        "resume" => resume: Id,
        "run_in_background" => run_in_background: StatedFlag,
        "skill" => skill: Word,
        "subagent_type" => subagent_type: Word,
        "task_id" => task_id: Id,
        "shell_id" => shell_id: Id,
        "bash_id" => bash_id: Id,
        "agentId" => agent_id: Id,
        "title" => title: Word,
        "to" => to: Id,
        "recipient" => recipient: Id,
        "url" => url: Word,
    }
}

impl<'de> RawInput<'de> {
    fn into_input(self) -> ToolInput<'de> {
        ToolInput {
            command: self.command,
            description: self.description,
            file_path: self.file_path,
            name: self.name,
            notebook_path: self.notebook_path,
            path: self.path,
            pattern: self.pattern,
            prompt_digest: self.prompt_digest,
            query: self.query,
            resume: self.resume,
            run_in_background: self.run_in_background,
            skill: self.skill,
            subagent_type: self.subagent_type,
            task_id: self.task_id.or(self.shell_id).or(self.bash_id).or(self.agent_id),
            title: self.title,
            to: self.to.or(self.recipient),
            url: self.url,
        }
    }
}

/// The content of a result. A server-side tool puts an object there when it fails, whose type says so (R9).
pub(crate) struct ResultContent;

#[derive(Default)]
pub(crate) struct ResultParts<'de> {
    texts: Texts<'de>,
    is_error: bool,
}

impl<'de> Read<'de> for ResultContent {
    type Out = ResultParts<'de>;

    fn borrowed(text: &'de str) -> Self::Out {
        ResultParts { texts: List::from([Text::new(text)]), is_error: false }
    }

    fn copied(text: &str) -> Self::Out {
        ResultParts { texts: List::from([Text::copy(text)]), is_error: false }
    }

    fn escaped(text: Escaped<'de>) -> Self::Out {
        ResultParts { texts: List::from([Text::escaped(text)]), is_error: false }
    }

    fn list<I: Input<'de>>(input: &mut I, out: &mut Self::Out) -> Result<(), JsonError> {
        each(input, |part: ResultPart<'de>| out.texts.extend(part.into_text()))
    }

    fn object<I: Input<'de>>(input: &mut I, out: &mut Self::Out) -> Result<(), JsonError> {
        let mut part = ResultPart::default();
        part.fill(input)?;
        out.is_error = part.kind.as_deref().is_some_and(|kind| kind.ends_with("_error"));
        out.texts.extend(part.into_text());
        Ok(())
    }
}

raw! {
    struct ResultPart<'de> {
        "type" => kind: Word,
        "text" => text: Prose,
    }
}

impl<'de> ResultPart<'de> {
    fn into_text(self) -> Option<Text<'de>> {
        self.text.filter(|_| self.kind.as_deref() == Some("text"))
    }
}

/// `tool_use_result`: an object of the tool's own, a list of content blocks, or a string.
pub(crate) struct StructuredResult;

impl<'de> Read<'de> for StructuredResult {
    type Out = Option<Box<Structured<'de>>>;

    fn borrowed(text: &'de str) -> Self::Out {
        Some(Box::new(Structured { text: Some(Text::new(text)), ..Structured::default() }))
    }

    fn copied(text: &str) -> Self::Out {
        Some(Box::new(Structured { text: Some(Text::copy(text)), ..Structured::default() }))
    }

    fn escaped(text: Escaped<'de>) -> Self::Out {
        Some(Box::new(Structured { text: Some(Text::escaped(text)), ..Structured::default() }))
    }

    fn list<I: Input<'de>>(input: &mut I, out: &mut Self::Out) -> Result<(), JsonError> {
        let mut parts = ResultParts::default();
        ResultContent::list(input, &mut parts)?;
        *out = Some(Box::new(Structured { content: parts.texts, ..Structured::default() }));
        Ok(())
    }

    fn object<I: Input<'de>>(input: &mut I, out: &mut Self::Out) -> Result<(), JsonError> {
        let mut raw = RawStructured::default();
        raw.fill(input)?;
        *out = Some(Box::new(raw.into_structured()));
        Ok(())
    }
}

raw! {
    struct RawStructured<'de> {
        "status" => status: Word,
        "agentId" => agent_id: Id,
        "agent_id" => teammate_agent_id: Id,
        "teammate_id" => teammate_id: Id,
        "taskId" => task_id: Id,
        "task_id" => snake_task_id: Id,
        "shell_id" => shell_id: Id,
        "taskType" => task_type: Word,
        "task_type" => snake_task_type: Word,
        "agentType" => agent_type: Word,
        "agent_type" => snake_agent_type: Word,
        "content" => content: ResultContent,
        "totalTokens" => total_tokens: Figure,
        "totalToolUseCount" => tool_uses: Figure,
        "totalDurationMs" => duration_ms: Figure,
        "resolvedModel" => resolved_model: Word,
        "model" => model: Word,
        "resumedAgentId" => resumed_agent_id: Id,
        "background" => background: StatedFlag,
        "summary" => summary: Word,
        "runId" => workflow_run_id: Id,
        "detachedToolCall" => detached_tool_call: Flag,
        "success" => success: StatedFlag,
        "retrieval_status" => retrieval_status: Word,
        "task" => task: One<TaskRead<'de>>,
    }
}

impl<'de> RawStructured<'de> {
    fn into_structured(self) -> Structured<'de> {
        Structured {
            text: None,
            status: self.status,
            agent_id: self.agent_id,
            teammate_agent_id: self.teammate_agent_id,
            teammate_id: self.teammate_id,
            task_id: self.task_id.or(self.snake_task_id).or(self.shell_id),
            task_type: self.task_type.or(self.snake_task_type),
            agent_type: self.agent_type.or(self.snake_agent_type),
            content: self.content.texts,
            usage: Usage { total_tokens: self.total_tokens, tool_uses: self.tool_uses, duration_ms: self.duration_ms },
            model: self.resolved_model.or(self.model),
            resumed_agent_id: self.resumed_agent_id,
            background: self.background,
            summary: self.summary,
            workflow_run_id: self.workflow_run_id,
            detached_tool_call: self.detached_tool_call,
            unsuccessful: self.success == Some(false),
            retrieval_status: self.retrieval_status,
            task: self.task,
        }
    }
}

object!(TaskRead<'de>, 'de, {
    "task_id" => task_id: Id,
    "task_type" => task_type: Word,
    "status" => status: Word,
    "result" => result: Prose,
    "error" => error: Prose,
});
