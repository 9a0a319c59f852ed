//! Other orders of a stream that must give the same cards (R4).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use cardfold_wire::{Assistant, Block, Body, Frame, Structured, TaskNotification, ToolResult};

use super::Stream;

/// The stream in another order, chosen by `picks`, that keeps what R4 says must be kept: each agent's own frames, the
/// dispatches of one level, and the level of live tasks against the agents that it ever listed and those below them.
///
/// None where R6's trace links, which needs the order that it is in.
#[must_use]
pub fn reordered(stream: &Stream, picks: &[u8]) -> Option<Stream> {
    let frames = stream.frames();
    if frames.iter().any(leaves_a_trace) {
        return None;
    }
    let keys = Keys::of(&frames);
    let mut waiting: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, keys) in keys.iter().enumerate() {
        for key in keys {
            waiting.entry(key).or_default().push(place);
        }
    }
    let mut left: Vec<usize> = (0..frames.len()).collect();
    let mut picks = picks.iter().cycle();
    let mut lines = Vec::new();
    while !left.is_empty() {
        let is_next = |place: &usize| keys[*place].iter().all(|key| waiting[key.as_str()].first() == Some(place));
        let ready: Vec<usize> = left.iter().copied().filter(is_next).collect();
        let place = ready[usize::from(*picks.next()?) % ready.len()];
        left.retain(|other| *other != place);
        for key in &keys[place] {
            waiting.get_mut(key.as_str()).expect("every key was put in above").remove(0);
        }
        lines.push(stream.lines[place].clone());
    }
    Some(Stream { lines })
}

fn leaves_a_trace(frame: &Frame<'_>) -> bool {
    let Body::TaskProgress(said) = &frame.body else { return false };
    matches!(said.last_tool_name.as_deref(), Some("Agent" | "Task"))
}

/// Which ids mean the same agent, for the frames of one stream.
#[derive(Debug, Default)]
struct Keys {
    groups: BTreeMap<String, usize>,
    /// Who made each call, by the id that the frame names its sender with; none for the main thread.
    makers: BTreeMap<String, Option<String>>,
    dispatches: BTreeSet<String>,
    /// Agents that a level ever listed.
    listed: BTreeSet<String>,
}

impl Keys {
    /// For each frame the names of the lines that it stands in: within a line the order is kept.
    fn of(frames: &[Frame<'_>]) -> Vec<BTreeSet<String>> {
        let mut keys = Self::default();
        frames.iter().for_each(|frame| keys.collect_calls(frame));
        frames.iter().for_each(|frame| keys.join(frame));
        let mut asked: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut all = Vec::new();
        for frame in frames {
            let mut lines = keys.lines(frame);
            if let Body::PermissionRequest(request) = &frame.body {
                asked.insert(request.request_id.to_string(), lines.clone());
            }
            if let Body::PermissionSettled { request_id } = &frame.body {
                lines.extend(asked.get(request_id.as_ref()).into_iter().flatten().cloned());
            }
            all.push(lines);
        }
        all
    }

    fn collect_calls(&mut self, frame: &Frame<'_>) {
        let sender = frame.parent.as_deref().or(frame.agent_id.as_deref());
        for (call, dispatches) in calls(frame) {
            self.makers.insert(call.to_owned(), sender.map(str::to_owned));
            if dispatches {
                self.dispatches.insert(call.to_owned());
            }
        }
    }

    /// Joins the ids that a frame states together.
    fn join(&mut self, frame: &Frame<'_>) {
        if let (Some(parent), Some(agent)) = (frame.parent.as_deref(), frame.agent_id.as_deref()) {
            self.same(parent, Some(agent));
        }
        for (task, call) in tasks(frame) {
            self.same(task, call);
        }
        for said in notices(frame) {
            self.same(&said.task_id, said.tool_use_id.as_deref());
        }
        for result in results(frame) {
            let resumes = said(result).is_some_and(|said| said.resumed_agent_id.is_some());
            let call = Some(&*result.tool_use_id).filter(|call| resumes || self.dispatches.contains(*call));
            told(result).iter().for_each(|task| self.same(task, call));
        }
        if let Body::BackgroundTasks(entries) = &frame.body {
            self.listed.extend(entries.iter().map(|entry| entry.task_id.to_string()));
        }
    }

    fn same(&mut self, one: &str, other: Option<&str>) {
        let next = self.groups.len();
        let one = *self.groups.entry(one.to_owned()).or_insert(next);
        if let Some(other) = other {
            let next = self.groups.len();
            let other = *self.groups.entry(other.to_owned()).or_insert(next);
            self.groups.values_mut().filter(|group| **group == other).for_each(|group| *group = one);
        }
    }

    fn resumes(&self, frame: &Frame<'_>) -> bool {
        let by_frame = if let Body::TaskStarted(started) = &frame.body {
            started.tool_use_id.as_deref().is_none_or(|call| !self.dispatches.contains(call))
        } else {
            false
        };
        by_frame || results(frame).iter().any(|result| said(result).is_some_and(|said| said.resumed_agent_id.is_some()))
    }

    fn agent(&self, id: &str) -> String {
        self.groups.get(id).map_or_else(|| format!("agent {id}"), |group| format!("agent #{group}"))
    }

    fn lines(&self, frame: &Frame<'_>) -> BTreeSet<String> {
        let mut lines = BTreeSet::new();
        let sender = frame.parent.as_deref().into_iter().chain(frame.agent_id.as_deref());
        lines.extend(sender.map(|id| self.agent(id)));
        // What is made under a call that stands for no agent is of whoever made the call.
        let maker = frame.parent.as_deref().and_then(|parent| self.makers.get(parent)?.as_deref());
        lines.extend(maker.map(|id| self.agent(id)));
        lines.extend(tasks(frame).into_iter().map(|(task, _)| self.agent(task)));
        lines.extend(notices(frame).map(|said| self.agent(&said.task_id)));
        for result in results(frame) {
            lines.extend(told(result).iter().map(|task| self.agent(task)));
            lines.insert(self.agent(&result.tool_use_id));
            lines.insert(format!("results of {}", result.tool_use_id));
        }
        for (call, dispatches) in calls(frame) {
            if dispatches {
                lines.insert(format!("dispatches of {:?}", self.makers[call]));
            }
            // A thread's call stands before its result: its own order is kept (P2).
            lines.insert(format!("results of {call}"));
        }
        if let Body::User(turn) = &frame.body {
            lines.extend(turn.handback.iter().map(|handback| self.agent(&handback.task_id)));
        }
        if let Body::PermissionRequest(asked) = &frame.body {
            let maker = asked.tool_use_id.as_deref().and_then(|call| self.makers.get(call)?.as_deref());
            lines.extend(asked.agent_id.as_deref().or(maker).map(|id| self.agent(id)));
            lines.extend(asked.tool_use_id.as_deref().map(|call| self.agent(call)));
        }
        if matches!(frame.body, Body::BackgroundTasks(_)) || self.resumes(frame) {
            // A call of whoever is below an agent of the level says that this one lives (R22), and whether a run has
            // ended by its settled calls, so that a resumption begins another, is a question of those calls (R18.9).
            let known = self.listed.iter().chain(&self.dispatches).chain(self.groups.keys());
            lines.extend(known.map(|id| self.agent(id)));
        }
        lines
    }
}

/// The calls of a frame, and which of them are dispatches.
fn calls<'f>(frame: &'f Frame<'_>) -> Vec<(&'f str, bool)> {
    let Body::Assistant(Assistant { blocks, aborted: false, .. }) = &frame.body else { return Vec::new() };
    let call = |block: &'f Block<'_>| match block {
        Block::ToolUse(call) => Some((&*call.id, call.client_side && (call.name == "Task" || call.name == "Agent"))),
        Block::Other | Block::Text(_) | Block::ToolResult(_) => None,
    };
    blocks.iter().filter_map(call).collect()
}

/// The tasks that a task frame, a sidecar or a workflow's list is about, with the call that each is stated with. The
/// members of a workflow go with it.
fn tasks<'f>(frame: &'f Frame<'_>) -> Vec<(&'f str, Option<&'f str>)> {
    if let Body::TaskStarted(said) = &frame.body {
        return vec![(&said.task_id, said.tool_use_id.as_deref())];
    }
    if let Body::TaskUpdated(said) = &frame.body {
        return vec![(&said.task_id, None)];
    }
    if let Body::Sidecar(said) = &frame.body {
        return said.agent_id.as_deref().map(|agent| (agent, said.tool_use_id.as_deref())).into_iter().collect();
    }
    let (task, call, members) = if let Body::TaskProgress(said) = &frame.body {
        (&said.task_id, &said.tool_use_id, &said.workflow)
    } else if let Body::TaskNotification(said) = &frame.body {
        (&said.task_id, &said.tool_use_id, &said.workflow)
    } else {
        return Vec::new();
    };
    let members = members.iter().filter_map(|member| member.agent_id.as_deref());
    members.map(|member| (member, Some(&**task))).chain([(&**task, call.as_deref())]).collect()
}

fn notices<'f>(frame: &'f Frame<'_>) -> impl Iterator<Item = &'f TaskNotification<'f>> {
    let blocks = if let Body::Notices(notices) = &frame.body {
        &*notices.blocks
    } else if let Body::User(turn) = &frame.body {
        &*turn.notices.blocks
    } else {
        &[]
    };
    blocks.iter().map(|block| &block.said)
}

fn results<'f>(frame: &'f Frame<'_>) -> &'f [ToolResult<'f>] {
    if let Body::User(turn) = &frame.body { &turn.results } else { &[] }
}

fn said<'r>(result: &'r ToolResult<'_>) -> Option<Cow<'r, Structured<'r>>> {
    match result.structured.as_deref() {
        Some(said) => Some(Cow::Borrowed(said)),
        None => result.said_as_json().map(Cow::Owned),
    }
}

/// The tasks that a result names.
fn told(result: &ToolResult<'_>) -> Vec<String> {
    let mut tasks: Vec<String> = result.agent_id_line().into_iter().map(str::to_owned).collect();
    if let Some(said) = said(result) {
        let ids = [&said.agent_id, &said.teammate_agent_id, &said.teammate_id, &said.task_id, &said.resumed_agent_id];
        tasks.extend(ids.into_iter().flatten().map(|id| id.to_string()));
        tasks.extend(said.task.iter().filter_map(|task| task.task_id.as_deref()).map(str::to_owned));
    }
    tasks.extend(result.task_read().and_then(|read| read.task_id.map(|id| id.to_string())));
    tasks
}
