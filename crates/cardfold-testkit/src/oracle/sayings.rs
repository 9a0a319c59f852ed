//! What a list of frames says, as one flat list of small statements.

use std::collections::BTreeMap;

use cardfold::{Kind, Outcome};
use cardfold_wire::{Assistant, Block, Body, Frame, NoticePlace, ToolResult, Usage, User};

use super::answer::{Class, classify};
use super::notice;
use super::text::{one_line, title};

/// An id, by its place in [`Names`].
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Id(usize);

/// The ids of a list of frames, each once.
#[derive(Debug, Default)]
pub(super) struct Names {
    places: BTreeMap<String, Id>,
    texts: Vec<String>,
}

impl Names {
    /// The id of a text; none for a blank one, which names nothing (R2).
    pub(super) fn id(&mut self, text: &str) -> Option<Id> {
        if text.trim().is_empty() {
            return None;
        }
        if let Some(&id) = self.places.get(text) {
            return Some(id);
        }
        let id = Id(self.texts.len());
        self.places.insert(text.to_owned(), id);
        self.texts.push(text.to_owned());
        Some(id)
    }

    pub(super) fn maybe(&mut self, text: Option<&str>) -> Option<Id> {
        text.and_then(|text| self.id(text))
    }

    pub(super) fn text(&self, id: Id) -> String {
        self.texts[id.0].clone()
    }
}

/// One statement, and the frame that makes it.
#[derive(Debug)]
pub(super) struct Saying {
    /// `timestamp` of the frame.
    pub(super) time: Option<i64>,
    pub(super) from: Sender,
    pub(super) what: What,
}

/// Whom a frame says it comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sender {
    pub(super) parent: Option<Id>,
    pub(super) agent: Option<Id>,
    pub(super) sidechain: bool,
}

#[derive(Debug)]
pub(super) enum What {
    /// A permission request.
    Asked {
        request: Id,
        call: Option<Id>,
        agent: Option<Id>,
        question: Option<String>,
    },
    Call(Call),
    /// A hand-back that came as a user turn.
    HandBack {
        task: Id,
        report: String,
    },
    /// The list of live tasks is over; what it holds was said one by one before.
    Level,
    Listed(Listed),
    /// A frame of its sender: a message of the model, or a user turn.
    Message(Message),
    Notice(Noticed),
    /// The frame is one more frame, and says nothing else.
    Nothing,
    Progress(Progressed),
    Result(Box<Answered>),
    /// The permission request is open no more.
    Settled {
        request: Id,
    },
    Sidecar {
        task: Id,
        call: Option<Id>,
        parent: Option<Id>,
        agent_type: Option<String>,
        model: Option<String>,
    },
    Started(Started),
    /// The calls that the named frames opened are taken back.
    TakeBack(Vec<Id>),
    Updated(Updated),
}

#[derive(Debug)]
pub(super) enum Message {
    Model { model: Option<String>, last_word: bool, aborted: bool },
    User { marker: bool },
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) id: Id,
    pub(super) name: String,
    pub(super) title: String,
    pub(super) frame: Option<Id>,
    pub(super) dispatch: Option<Dispatch>,
}

/// What a call named `Task` or `Agent` says of the agent it starts.
#[derive(Debug)]
pub(super) struct Dispatch {
    pub(super) description: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) background: bool,
}

#[derive(Debug)]
pub(super) struct Answered {
    pub(super) call: Id,
    pub(super) is_error: bool,
    pub(super) detached: bool,
    /// What it is if it answers a dispatch.
    pub(super) class: Class,
    pub(super) outcome: Outcome,
    pub(super) kind: Option<Kind>,
    /// The task ids that it names as the answer of a dispatch.
    pub(super) tasks: Vec<Id>,
    pub(super) model: Option<String>,
    pub(super) usage: Usage,
    /// The texts of its structured content, and of its block without what is not part of a report.
    pub(super) content: String,
    pub(super) report: String,
    pub(super) error: String,
    /// What the structured field says, and what the block says where there is no such field.
    pub(super) field: Option<Told>,
    pub(super) block: Option<Told>,
}

/// What the result of a call that is no dispatch says of a task.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) resumed: Option<Id>,
    pub(super) agent: Option<Id>,
    pub(super) task: Option<Id>,
    pub(super) task_type: Option<String>,
    pub(super) summary: Option<String>,
    pub(super) unsuccessful: bool,
    pub(super) not_read: bool,
    pub(super) read: Option<(Id, Option<String>, Option<String>)>,
}

#[derive(Debug)]
pub(super) struct Started {
    pub(super) task: Option<Id>,
    pub(super) run: Option<String>,
    pub(super) call: Option<Id>,
    pub(super) title: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) task_type: Option<String>,
    pub(super) backgrounded: Option<bool>,
    pub(super) depth: Option<u64>,
    pub(super) parent: Option<Id>,
    pub(super) hidden: bool,
}

#[derive(Debug)]
pub(super) struct Progressed {
    pub(super) task: Option<Id>,
    pub(super) run: Option<String>,
    pub(super) call: Option<Id>,
    pub(super) description: Option<String>,
    pub(super) activity: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) usage: Usage,
    pub(super) last_tool: Option<String>,
    pub(super) members: Vec<Member>,
    pub(super) hidden: bool,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) task: Id,
    pub(super) label: Option<String>,
    pub(super) agent_type: Option<String>,
    /// The word of R16 that its item comes down to.
    pub(super) word: String,
    pub(super) usage: Usage,
}

#[derive(Debug)]
pub(super) struct Updated {
    pub(super) task: Option<Id>,
    pub(super) run: Option<String>,
    pub(super) status: Option<String>,
    pub(super) title: Option<String>,
    pub(super) end_time: Option<i64>,
    pub(super) error: Option<String>,
    pub(super) backgrounded: Option<bool>,
}

/// A `task_notification`: a frame, a block of a text, or a read that is one (R13).
#[derive(Debug)]
pub(super) struct Noticed {
    pub(super) task: Option<Id>,
    pub(super) run: Option<String>,
    pub(super) call: Option<Id>,
    pub(super) task_type: Option<String>,
    pub(super) status: Option<String>,
    pub(super) summary: Option<String>,
    pub(super) summary_is_report: bool,
    pub(super) handback: Option<String>,
    pub(super) result: Option<String>,
    pub(super) usage: Usage,
    pub(super) end_time: Option<i64>,
    pub(super) members: Vec<Member>,
    pub(super) hidden: bool,
    /// Where a block stood, and the digest of its text.
    pub(super) block: Option<(NoticePlace, u64)>,
}

#[derive(Debug)]
pub(super) struct Listed {
    pub(super) task: Option<Id>,
    pub(super) run: Option<String>,
    pub(super) call: Option<Id>,
    pub(super) title: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) task_type: Option<String>,
    pub(super) parent: Option<Id>,
    pub(super) hidden: bool,
}

/// The statements of frames, in order, with how many there are up to each frame.
#[derive(Debug, Default)]
pub(super) struct Sayings {
    pub(super) names: Names,
    pub(super) list: Vec<Saying>,
    pub(super) ends: Vec<usize>,
}

impl Sayings {
    pub(super) fn of(frames: &[Frame<'_>]) -> Self {
        let mut sayings = Self::default();
        let mut seen = Vec::new();
        for frame in frames {
            let identity = frame.uuid.as_ref().map(|uuid| (uuid.clone(), block_ids(frame)));
            let again = identity.as_ref().is_some_and(|identity| seen.contains(identity));
            if !again {
                seen.extend(identity);
                sayings.add(frame);
            }
            sayings.ends.push(sayings.list.len());
        }
        sayings
    }

    fn add(&mut self, frame: &Frame<'_>) {
        let names = &mut self.names;
        let from = Sender {
            parent: names.maybe(frame.parent.as_deref()),
            agent: names.maybe(frame.agent_id.as_deref()),
            sidechain: frame.sidechain,
        };
        let whats = match &frame.body {
            // None of them says anything of an agent.
            Body::Init
            | Body::PermissionDenied(_)
            | Body::Quiet
            | Body::Result(_)
            | Body::ToolProgress(_)
            | Body::Unknown { .. } => return,
            Body::Assistant(message) => of_the_model(names, message, names_frame(frame), from),
            Body::User(turn) => of_the_user(names, turn, from),
            Body::Notices(notices) => notice::of_blocks(names, notices),
            Body::BackgroundTasks(tasks) => notice::of_level(names, tasks),
            // Remarks are what dialects make; made-up sessions are the client's.
            Body::Remark(_) => vec![What::Nothing],
            Body::PermissionRequest(_)
            | Body::PermissionSettled { .. }
            | Body::Sidecar(_)
            | Body::TaskNotification(_)
            | Body::TaskProgress(_)
            | Body::TaskStarted(_)
            | Body::TaskUpdated(_) => vec![notice::of_task(names, &frame.body)],
        };
        let whats = if whats.is_empty() { vec![What::Nothing] } else { whats };
        self.list.extend(whats.into_iter().map(|what| Saying { time: frame.timestamp_ms, from, what }));
    }
}

fn names_frame<'f>(frame: &'f Frame<'_>) -> Option<&'f str> {
    frame.uuid.as_deref()
}

/// The ids of a frame's blocks: with the uuid they say which frame it is (R2).
fn block_ids(frame: &Frame<'_>) -> Vec<String> {
    match &frame.body {
        Body::Assistant(message) => {
            let ids = message.blocks.iter().filter_map(|block| match block {
                Block::ToolUse(call) => Some(&call.id),
                Block::ToolResult(result) => Some(&result.tool_use_id),
                Block::Other | Block::Text(_) => None,
            });
            ids.map(|id| id.to_string()).collect()
        }
        Body::User(turn) => turn.results.iter().map(|result| result.tool_use_id.to_string()).collect(),
        Body::BackgroundTasks(_)
        | Body::Init
        | Body::Notices(_)
        | Body::PermissionDenied(_)
        | Body::PermissionRequest(_)
        | Body::PermissionSettled { .. }
        | Body::Quiet
        | Body::Remark(_)
        | Body::Result(_)
        | Body::Sidecar(_)
        | Body::TaskNotification(_)
        | Body::TaskProgress(_)
        | Body::TaskStarted(_)
        | Body::TaskUpdated(_)
        | Body::ToolProgress(_)
        | Body::Unknown { .. } => Vec::new(),
    }
}

fn of_the_model(names: &mut Names, message: &Assistant<'_>, frame: Option<&str>, from: Sender) -> Vec<What> {
    let has_text = message.blocks.iter().any(|block| matches!(block, Block::Text(_)));
    let has_call = message.blocks.iter().any(|block| matches!(block, Block::ToolUse(_)));
    let model = message.model.as_deref().filter(|model| !model.trim().is_empty() && *model != "<synthetic>");
    let last_word = has_text && !has_call && !message.aborted;
    let mut whats =
        vec![What::Message(Message::Model { model: model.map(str::to_owned), last_word, aborted: message.aborted })];
    let superseded: Vec<Id> = message.supersedes.iter().filter_map(|uuid| names.id(uuid)).collect();
    if !superseded.is_empty() {
        whats.push(What::TakeBack(superseded));
    }
    for block in message.blocks.iter() {
        match block {
            Block::Other | Block::Text(_) => {}
            Block::ToolResult(result) => whats.extend(of_result(names, result, from)),
            Block::ToolUse(call) => {
                let id = names.id(&call.id).filter(|&id| Some(id) != from.parent && !message.aborted);
                let dispatches = call.client_side && (call.name == "Task" || call.name == "Agent");
                let dispatch = dispatches.then(|| Dispatch {
                    description: call.input.description.as_deref().map(str::to_owned),
                    agent_type: call.input.subagent_type.as_deref().and_then(one_line),
                    background: call.input.run_in_background == Some(true),
                });
                let title = title(&call.name, &call.input);
                let frame = names.maybe(frame);
                whats.extend(id.map(|id| What::Call(Call { id, name: call.name.to_string(), title, frame, dispatch })));
            }
        }
    }
    whats
}

const MARKERS: [&str; 2] = ["[Request interrupted by user]", "[Request interrupted by user for tool use]"];

/// The text is one that the client writes where somebody interrupts an agent (R12).
pub(super) fn is_marker(text: &str) -> bool {
    MARKERS.contains(&text.trim())
}

fn of_the_user(names: &mut Names, turn: &User<'_>, from: Sender) -> Vec<What> {
    let marker = turn.texts.len() == 1 && turn.results.is_empty() && is_marker(turn.texts[0].as_str());
    let mut whats = vec![What::Message(Message::User { marker })];
    for result in turn.results.iter() {
        whats.extend(of_result(names, result, from));
    }
    whats.extend(notice::of_blocks(names, &turn.notices));
    if let Some(handback) = &turn.handback
        && let Some(task) = names.id(&handback.task_id)
    {
        whats.push(What::HandBack { task, report: handback.report.as_str().to_owned() });
    }
    whats
}

fn of_result(names: &mut Names, result: &ToolResult<'_>, from: Sender) -> Option<What> {
    let call = names.id(&result.tool_use_id).filter(|&id| Some(id) != from.parent)?;
    Some(What::Result(Box::new(classify(names, call, result))))
}
