//! Whose lines are these? Joins the lines of agents to the dispatches that started them (P3).
//!
//! The lines of one agent are a *chain* ([`crate::chains`]): those of its own file, those of the main file that carry
//! its id, or those that carry no id and follow one another. A chain is linked to its dispatch by the first of these
//! that is there:
//!
//! 1. the sidecar's `toolUseId`, or the dispatch that a fork's file opens with;
//! 2. the agent id that a result states: the fold sees that itself, here it only settles that nothing is to be guessed;
//! 3. the prompt: at once where just one dispatch with that prompt is still without a chain; where there are several,
//!    as soon as an answer's text is a chain's last text, and at the end of the reading in the order of dispatches and
//!    chains ([`crate::prompts`]).
//!
//! What is found goes to the fold as frames: a sidecar frame that links two ids, before the line that needs it, or the
//! `parent` of a line whose agent has no id. Lines of a chain without an id that is not linked yet carry a made-up agent
//! id until a sidecar frame says whose they are.
//!
//! An agent that old clients started again (`Task` with `resume`) goes on in the same file. From the prompt of the later
//! dispatch on the lines get that dispatch as their `parent`, which decides before the agent id does (R3).
//!
//! Members of a workflow are linked to the task of the result that names their folder as its run.
//!
//! At the end, agents whose files nothing links are told as unclaimed: the fold, which knows whether one was named
//! meanwhile, makes a nested row or a card of its own of them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::mem;

use cardfold_wire::{Assistant, Block, Body, Frame, Sidecar, SidecarRole, ToolResult, ToolUse, User, digest};

use crate::agent_file::{AgentFile, PRE_WARM};
use crate::chains::{Chains, Standing, may_be_prompt};
use crate::dispatch::{answer_texts, is_acknowledgement, is_dispatch, named_agent};
use crate::prompts::{OpenChain, OpenDispatch, Pair, Prompts};
use crate::source::Origin;

/// Frames that belong before the one at hand.
pub(crate) type Outbox = VecDeque<Frame<'static>>;

/// The dispatches and chains of one conversation.
#[derive(Debug, Default)]
pub(crate) struct Links {
    dispatches: Vec<Dispatch>,
    by_id: HashMap<String, usize>,
    /// Dispatches that start an agent again and whose prompt was not seen in its file yet, by agent.
    resumes: HashMap<String, Vec<usize>>,
    chains: Chains,
    prompts: Prompts,
    /// Chains whose sidecar states a dispatch that was not seen yet, by dispatch id.
    awaiting: HashMap<String, Vec<usize>>,
    /// Agents without a chain that a result named.
    named: HashSet<String>,
    /// Workflow tasks by run.
    runs: HashMap<String, String>,
    /// Members of runs whose task is not known yet.
    members: HashMap<String, Vec<usize>>,
    /// Frames seen: what "before" means here.
    now: u64,
}

#[derive(Debug)]
struct Dispatch {
    id: String,
    prompt: Option<u64>,
    /// The agent that it starts again.
    resume: Option<String>,
}

impl Links {
    /// Takes up an agent's file; gives it a number.
    pub(crate) fn add_file(&mut self, file: &AgentFile) -> usize {
        let number = self.chain_of_agent(&file.agent_id);
        self.chains.add_file(number, file)
    }

    /// Says what the store states of an agent beside its lines, before the first of them.
    pub(crate) fn open_file(
        &mut self,
        file_number: usize,
        file: &AgentFile,
        sidecar: Option<Sidecar<'static>>,
        out: &mut Outbox,
    ) {
        if sidecar.is_none() && file.head.fork_of.is_none() && file.run_id.is_none() {
            return;
        }
        let number = self.chains.of_file(file_number);
        let mut sidecar = sidecar.unwrap_or_default();
        // An agent that names itself as its parent names none.
        sidecar.parent_agent_id = sidecar.parent_agent_id.filter(|parent| *parent != self.chains.get(number).agent_id);
        sidecar.tool_use_id = sidecar.tool_use_id.or_else(|| file.head.fork_of.clone().map(Into::into));
        if let Some(run_id) = &file.run_id {
            sidecar.in_workflow = true;
            match self.runs.get(run_id) {
                Some(task) => {
                    sidecar.parent_agent_id = Some(task.clone().into());
                    self.chains.get_mut(number).standing = Standing::Linked;
                }
                None => self.members.entry(run_id.clone()).or_default().push(number),
            }
        }
        if let Some(id) = sidecar.tool_use_id.as_deref() {
            self.state(number, id);
        }
        let chain = self.chains.get_mut(number);
        chain.sidecar = Some(Box::new(sidecar));
        out.push_back(chain.sidecar_frame(SidecarRole::Link, None));
    }

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

    /// The task of a workflow's run is known: its members are its own.
    pub(crate) fn run(&mut self, run_id: &str, task_id: &str, out: &mut Outbox) {
        self.runs.insert(run_id.to_owned(), task_id.to_owned());
        for number in self.members.remove(run_id).unwrap_or_default() {
            let chain = self.chains.get_mut(number);
            chain.standing = Standing::Linked;
            if let Some(sidecar) = &mut chain.sidecar {
                sidecar.parent_agent_id = Some(task_id.to_owned().into());
            }
            out.push_back(chain.sidecar_frame(SidecarRole::Link, None));
        }
    }

    /// Links by order what only order can tell apart, when everything was read.
    pub(crate) fn finish(&mut self, out: &mut Outbox) {
        for pair in mem::take(&mut self.prompts).in_order() {
            self.link(pair, out);
        }
    }

    /// Tells of the agents that nothing claimed, each after the agent that it names as its parent.
    pub(crate) fn unclaimed(&self, is_of_session: impl Fn(&str) -> bool, out: &mut Outbox) {
        let numbers = 0..self.chains.len();
        let mut left: HashSet<usize> =
            numbers.clone().filter(|number| self.chains.get(*number).is_unclaimed(&is_of_session)).collect();
        for first in numbers {
            let mut line = Vec::new();
            let mut next = Some(first);
            while let Some(number) = next.filter(|number| left.remove(number)) {
                line.push(number);
                next = self.chains.get(number).parent_agent().and_then(|parent| self.chains.find_agent(parent));
            }
            for number in line.into_iter().rev() {
                out.push_back(self.chains.get(number).sidecar_frame(SidecarRole::Unclaimed, None));
            }
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

    fn link_forced(&mut self, prompt: u64, out: &mut Outbox) {
        while let Some(pair) = self.prompts.forced(prompt) {
            self.link(pair, out);
        }
    }

    fn link(&mut self, pair: Pair, out: &mut Outbox) {
        self.close_dispatch(pair.dispatch);
        self.close_chain(pair.chain);
        let id = &self.dispatches[pair.dispatch].id;
        let chain = self.chains.get_mut(pair.chain);
        chain.dispatch = Some(pair.dispatch);
        if !chain.is_made_up {
            out.push_back(chain.sidecar_frame(SidecarRole::Link, Some(id)));
            return;
        }
        chain.is_under_dispatch = true;
        let joined = mem::take(&mut chain.joined);
        for number in [pair.chain].into_iter().chain(joined) {
            out.extend(self.chains.get(number).stand_in_frame(id));
        }
    }

    /// Two chains turn out to be one.
    fn join(&mut self, number: usize, other: usize, out: &mut Outbox) {
        self.close_chain(other);
        let mut joined = mem::take(&mut self.chains.get_mut(other).joined);
        joined.push(other);
        match self.chains.get(number).dispatch {
            Some(dispatch) => {
                let id = &self.dispatches[dispatch].id;
                out.extend(joined.into_iter().filter_map(|other| self.chains.get(other).stand_in_frame(id)));
            }
            None => self.chains.get_mut(number).joined.append(&mut joined),
        }
    }

    /// The store states the dispatch of an agent.
    fn state(&mut self, number: usize, dispatch_id: &str) {
        self.close_chain(number);
        match self.by_id.get(dispatch_id).copied() {
            Some(dispatch) => {
                self.close_dispatch(dispatch);
                self.chains.get_mut(number).dispatch = Some(dispatch);
            }
            None => {
                self.chains.get_mut(number).standing = Standing::Stated;
                self.awaiting.entry(dispatch_id.to_owned()).or_default().push(number);
            }
        }
    }

    /// The store names an agent where the fold sees it.
    fn name(&mut self, agent: &str) {
        match self.chains.find_agent(agent) {
            Some(number) => self.close_chain(number),
            None if self.named.contains(agent) => {}
            None => drop(self.named.insert(agent.to_owned())),
        }
    }

    fn close_dispatch(&mut self, number: usize) {
        if let Some(prompt) = self.dispatches[number].prompt {
            self.prompts.close_dispatch(prompt, number);
        }
    }

    /// Nothing is to be guessed of this chain any more.
    fn close_chain(&mut self, number: usize) {
        let chain = self.chains.get_mut(number);
        if chain.standing != Standing::LeftOut {
            chain.standing = Standing::Linked;
        }
        if let Some(prompt) = chain.prompt {
            self.prompts.close_chain(prompt, number);
        }
    }

    fn chain_of_agent(&mut self, agent: &str) -> usize {
        let named = &mut self.named;
        self.chains.of_agent(agent, || if named.remove(agent) { Standing::Linked } else { Standing::Guessable })
    }
}

/// The line is a prompt that a dispatch without a chain gave.
fn is_awaited_prompt(frame: &Frame<'_>, prompts: &Prompts) -> bool {
    let Body::User(user) = &frame.body else { return false };
    may_be_prompt(user) && user.texts.first().is_some_and(|text| prompts.has_dispatch(text.digest()))
}
