//! What the frames of a store say of whose lines are whose: dispatches, results, prompts. What follows from it is for
//! [`Links`] to say.

use cardfold_wire::{Assistant, Block, Body, Frame, ToolResult, ToolUse, User, digest};

use crate::agent_file::PRE_WARM;
use crate::chains::{Standing, may_be_prompt};
use crate::dispatch::{answer_texts, is_acknowledgement, is_dispatch, named_agent};
use crate::links::{Dispatch, Links, Outbox};
use crate::prompts::{OpenChain, OpenDispatch, Prompts};
use crate::source::Origin;

impl Links {
    /// Looks at a frame before it is handed out, and completes it.
    pub(crate) fn observe(&mut self, frame: &mut Frame<'_>, origin: Origin, out: &mut Outbox) {
        self.now = self.now.saturating_add(1);
        let author = match origin {
            Origin::Agent(file_number) => {
                let number = self.chains.of_file(file_number);
                frame.agent_id.get_or_insert_with(|| self.chains.get(number).agent_id.clone().into());
                Some(number)
            }
            Origin::Main => self.author_of_line(frame, out),
        };
        match &frame.body {
            Body::Assistant(message) => self.message(message, author),
            Body::Sidecar(sidecar) => {
                if let (Some(agent), Some(id)) = (sidecar.agent_id.as_deref(), sidecar.tool_use_id.as_deref()) {
                    let number = self.chain_of_agent(agent);
                    self.state(number, id);
                }
            }
            Body::User(user) => {
                for result in &user.results {
                    self.result(result, author, out);
                }
                if let Some(number) = author.filter(|_| may_be_prompt(user)) {
                    self.prompt(number, frame.uuid.as_deref(), user, out);
                }
            }
            Body::BackgroundTasks(_)
            | Body::Init
            | Body::Notices(_)
            | Body::PermissionDenied(_)
            | Body::PermissionRequest(_)
            | Body::PermissionSettled { .. }
            | Body::Quiet
            | Body::Remark(_)
            | Body::Result(_)
            | Body::TaskNotification(_)
            | Body::TaskProgress(_)
            | Body::TaskStarted(_)
            | Body::TaskUpdated(_)
            | Body::ToolProgress(_)
            | Body::Unknown { .. } => {}
        }
        if let Some(number) = author {
            let dispatches = &self.dispatches;
            self.chains.complete(frame, number, |dispatch| &dispatches[dispatch].id);
        }
    }

    /// The chain of a line of the main file; none for lines of the main thread and those that say themselves whose
    /// they are.
    fn author_of_line(&mut self, frame: &Frame<'_>, out: &mut Outbox) -> Option<usize> {
        if let Some(parent) = frame.parent.as_deref() {
            if let Some(agent) = frame.agent_id.as_deref() {
                self.name(agent);
            }
            if let Some(number) = self.by_id.get(parent).copied() {
                self.close_dispatch(number);
            }
            return None;
        }
        if !self.chains.has_room() {
            return frame.agent_id.as_deref().and_then(|agent| self.chains.find_agent(agent));
        }
        if let Some(agent) = frame.agent_id.as_deref() {
            return Some(self.chain_of_agent(agent));
        }
        if !frame.sidechain {
            return None;
        }
        let prompts = &self.prompts;
        let (number, joined) = self.chains.of_line(frame, || is_awaited_prompt(frame, prompts));
        for other in joined {
            self.join(number, other, out);
        }
        Some(number)
    }

    fn message(&mut self, message: &Assistant<'_>, author: Option<usize>) {
        for block in &message.blocks {
            match block {
                Block::Other | Block::ToolResult(_) => {}
                Block::Text(text) => {
                    let Some(number) = author else { continue };
                    let chain = self.chains.get(number);
                    if let (Standing::Guessable, Some(prompt)) = (chain.standing, chain.prompt) {
                        self.prompts.say(prompt, number, text.digest());
                    }
                }
                Block::ToolUse(call) => {
                    if is_dispatch(call) {
                        self.dispatch(call, author);
                    }
                    if let Some(number) = author {
                        let chain = self.chains.get_mut(number);
                        let own = chain.sidecar.as_ref().and_then(|sidecar| sidecar.tool_use_id.as_deref());
                        chain.has_calls |= !call.id.is_empty() && own != Some(&*call.id);
                    }
                }
            }
        }
    }

    fn dispatch(&mut self, call: &ToolUse<'_>, author: Option<usize>) {
        if self.by_id.contains_key(&*call.id) {
            return;
        }
        let number = self.dispatches.len();
        let id = call.id.clone().into_owned();
        let (prompt, resume) = (call.input.prompt_digest, call.input.resume.clone().map(Into::into));
        self.by_id.insert(id.clone(), number);
        self.dispatches.push(Dispatch { id, prompt, resume });
        if let Some(chains) = self.awaiting.remove(&*call.id) {
            // An agent is not started by a call of its own.
            for chain in chains.into_iter().filter(|chain| author != Some(*chain)) {
                let chain = self.chains.get_mut(chain);
                chain.standing = Standing::Linked;
                chain.dispatch = Some(number);
            }
        } else if let Some(agent) = call.input.resume.as_deref() {
            self.resumes.entry(agent.to_owned()).or_default().push(number);
        } else if let Some(prompt) = prompt {
            let seen = self.now;
            self.prompts.add_dispatch(prompt, OpenDispatch { number, author, seen, answered: None });
        }
    }

    fn result(&mut self, result: &ToolResult<'_>, author: Option<usize>, out: &mut Outbox) {
        let named = named_agent(result);
        let Some(number) = self.by_id.get(&*result.tool_use_id).copied() else {
            if let Some(agent) = named {
                self.name(agent);
            }
            if let Some(said) = &result.structured
                && let (Some(run_id), Some(task_id)) = (said.workflow_run_id.as_deref(), said.task_id.as_deref())
            {
                self.run(run_id, task_id, out);
            }
            return;
        };
        // The file of a fork repeats its own dispatch, with a result that is none (P4).
        if author.is_some_and(|author| self.chains.get(author).dispatch == Some(number)) {
            return;
        }
        if let Some(agent) = named {
            self.name(agent);
            self.close_dispatch(number);
        }
        if is_acknowledgement(result) {
            return;
        }
        // A dispatch that starts an agent again and is answered before its prompt was seen did not start it.
        let resumed = self.dispatches[number].resume.as_deref().and_then(|agent| self.resumes.get_mut(agent));
        if let Some(waiting) = resumed {
            waiting.retain(|waiting| *waiting != number);
        }
        if let Some(prompt) = self.dispatches[number].prompt {
            if let Some(pair) = self.prompts.answer(prompt, number, &answer_texts(result), self.now) {
                self.link(pair, out);
            }
            self.link_forced(prompt, out);
        }
    }

    fn prompt(&mut self, number: usize, uuid: Option<&str>, user: &User<'_>, out: &mut Outbox) {
        let Some(text) = user.texts.first() else { return };
        let prompt = text.digest();
        let chain = self.chains.get_mut(number);
        if let Some(uuid) = uuid.map(|uuid| digest(uuid.as_bytes())) {
            // A line that was written again.
            if chain.prompt_uuids.contains(&uuid) {
                return;
            }
            chain.prompt_uuids.push(uuid);
        }
        let is_first = chain.prompt.is_none();
        chain.prompt.get_or_insert(prompt);
        if self.resume(number, prompt, is_first) || !is_first {
            return;
        }
        let chain = self.chains.get_mut(number);
        if prompt == digest(PRE_WARM) {
            chain.standing = Standing::LeftOut;
        }
        if chain.standing == Standing::Guessable {
            self.prompts.add_chain(prompt, OpenChain { number, root: self.now, last_text: None });
            self.link_forced(prompt, out);
        }
    }

    /// A prompt in the file of an agent that a dispatch starts again: that dispatch's lines follow. A dispatch that says
    /// whom it starts again and has this prompt comes first, then any that says whom, then one that has the prompt.
    fn resume(&mut self, number: usize, prompt: u64, is_first: bool) -> bool {
        let chain = self.chains.get_mut(number);
        let waiting = self.resumes.get_mut(&chain.agent_id).filter(|waiting| !waiting.is_empty());
        let dispatch = match waiting {
            Some(waiting) => {
                let has_prompt = |dispatch: &usize| self.dispatches[*dispatch].prompt == Some(prompt);
                let place = waiting.iter().position(has_prompt).or(if is_first { None } else { Some(0) });
                place.map(|place| waiting.remove(place))
            }
            None if is_first || chain.is_made_up => None,
            None => self.prompts.earliest(prompt, number, self.now),
        };
        let Some(dispatch) = dispatch else { return false };
        chain.dispatch = Some(dispatch);
        chain.is_under_dispatch = true;
        self.close_dispatch(dispatch);
        self.close_chain(number);
        true
    }
}

/// The line is a prompt that a dispatch without a chain gave.
fn is_awaited_prompt(frame: &Frame<'_>, prompts: &Prompts) -> bool {
    let Body::User(user) = &frame.body else { return false };
    may_be_prompt(user) && user.texts.first().is_some_and(|text| prompts.has_dispatch(text.digest()))
}
