//! Whose lines are these? Joins the lines of agents to the dispatches that started them (P3).
//!
//! The lines of one agent are a *chain*: those of its own file, those of the main file that carry its id, or those that
//! carry no id and follow one another ([`crate::threads`]). A chain is linked to its dispatch by the first of these
//! that is there:
//!
//! 1. the sidecar's `toolUseId`, or the dispatch that a fork's file opens with;
//! 2. the agent id that a result states: the fold sees that itself, here it only settles that nothing is to be guessed;
//! 3. the prompt: at once where just one dispatch with that prompt is still without a chain; where there are several,
//!    as soon as an answer's text is a chain's last text, and at the end of the reading in the order of dispatches and
//!    chains.
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
use crate::dispatch::{answer_texts, is_acknowledgement, is_dispatch, named_agent};
use crate::prompts::{OpenChain, OpenDispatch, Pair, Prompts};
use crate::source::Origin;
use crate::threads::Threads;

/// The first letter of made-up agent ids; no client uses it.
const MADE_UP: char = '~';

/// Frames that belong before the one at hand.
pub(crate) type Outbox = VecDeque<Frame<'static>>;

/// The dispatches and chains of one conversation.
#[derive(Debug, Default)]
pub(crate) struct Links {
    dispatches: Vec<Dispatch>,
    by_id: HashMap<String, usize>,
    /// Dispatches that start an agent again and whose prompt was not seen in its file yet, by agent.
    resumes: HashMap<String, Vec<usize>>,
    chains: Vec<Chain>,
    by_agent: HashMap<String, usize>,
    /// The chain of each file.
    file_chains: Vec<usize>,
    prompts: Prompts,
    /// Chains whose sidecar states a dispatch that was not seen yet, by dispatch id.
    awaiting: HashMap<String, Vec<usize>>,
    /// Agents that a result named.
    named: HashSet<String>,
    threads: Threads,
    /// The chain of each thread.
    thread_chains: Vec<usize>,
    /// Workflow tasks by run.
    runs: HashMap<String, String>,
    /// Members of runs whose result was not seen yet.
    members: HashMap<String, Vec<usize>>,
    /// Frames seen: what "before" means here.
    now: u64,
}

#[derive(Debug)]
struct Dispatch {
    id: String,
    prompt: Option<u64>,
}

#[derive(Debug)]
struct Chain {
    /// The agent; a made-up id where the lines carry none.
    agent_id: String,
    is_made_up: bool,
    /// The lines are those of a file of their own.
    is_file: bool,
    /// What the file's sidecar says.
    sidecar: Option<Box<Sidecar<'static>>>,
    /// The session id of the file's first lines.
    session_id: Option<String>,
    /// Digest of the first prompt.
    prompt: Option<u64>,
    /// Digests of the uuids of the prompts so far.
    prompt_uuids: Vec<u64>,
    standing: Standing,
    /// The dispatch whose lines these are now.
    dispatch: Option<usize>,
    /// The lines get the dispatch as their parent.
    is_under_dispatch: bool,
    /// Lines went out under the made-up id.
    is_told: bool,
    /// Chains that turned out to be the same one.
    joined: Vec<usize>,
    has_calls: bool,
}

/// What is known of a chain's dispatch.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Standing {
    /// Only the prompt can tell.
    Guessable,
    /// No sub-agent's lines (P3).
    LeftOut,
    /// Linked, or named where the fold sees it.
    Linked,
    /// The sidecar states a dispatch that was not seen yet.
    Stated,
}

impl Links {
    /// Takes up an agent's file; gives it a number.
    pub(crate) fn add_file(&mut self, file: &AgentFile) -> usize {
        let number = self.chain_of_agent(&file.agent_id);
        let chain = &mut self.chains[number];
        chain.is_file = true;
        if chain.session_id.is_none() {
            chain.session_id.clone_from(&file.head.session_id);
        }
        self.file_chains.push(number);
        self.file_chains.len().saturating_sub(1)
    }

    /// Says what the store states of an agent beside its lines, before the first of them.
    pub(crate) fn open_file(
        &mut self,
        file_number: usize,
        file: &AgentFile,
        sidecar: Option<Sidecar<'static>>,
        out: &mut Outbox,
    ) {
        let number = self.file_chains[file_number];
        let is_stated = sidecar.is_some() || file.head.fork_of.is_some() || file.run_id.is_some();
        let mut sidecar = sidecar.unwrap_or_default();
        let agent_id = self.chains[number].agent_id.clone();
        // An agent that names itself as its parent names none.
        sidecar.parent_agent_id = sidecar.parent_agent_id.filter(|parent| *parent != agent_id);
        sidecar.agent_id = Some(agent_id.into());
        sidecar.tool_use_id = sidecar.tool_use_id.or_else(|| file.head.fork_of.clone().map(Into::into));
        if let Some(run_id) = &file.run_id {
            sidecar.in_workflow = true;
            match self.runs.get(run_id) {
                Some(task) => {
                    sidecar.parent_agent_id = Some(task.clone().into());
                    self.chains[number].standing = Standing::Linked;
                }
                None => self.members.entry(run_id.clone()).or_default().push(number),
            }
        }
        if let Some(id) = sidecar.tool_use_id.as_deref() {
            self.state(number, id);
        }
        if is_stated {
            out.push_back(frame_of(sidecar.clone()));
            self.chains[number].sidecar = Some(Box::new(sidecar));
        }
    }

    /// Looks at a frame before it is handed out, and completes it.
    pub(crate) fn observe(&mut self, frame: &mut Frame<'_>, origin: Origin, out: &mut Outbox) {
        self.now = self.now.saturating_add(1);
        let author = match origin {
            Origin::Agent(file_number) => {
                let number = self.file_chains[file_number];
                let chain = &self.chains[number];
                frame.agent_id.get_or_insert_with(|| chain.agent_id.clone().into());
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
            | Body::Result(_)
            | Body::TaskNotification(_)
            | Body::TaskProgress(_)
            | Body::TaskStarted(_)
            | Body::TaskUpdated(_)
            | Body::ToolProgress(_)
            | Body::Unknown { .. } => {}
        }
        if let Some(number) = author {
            self.complete(frame, number);
        }
    }

    /// Links by order what only order can tell apart, when everything was read.
    pub(crate) fn finish(&mut self, out: &mut Outbox) {
        for pair in mem::take(&mut self.prompts).in_order() {
            self.link(pair, out);
        }
    }

    /// The task of a workflow's run is known: its members are its own.
    pub(crate) fn run(&mut self, run_id: &str, task_id: &str, out: &mut Outbox) {
        self.runs.insert(run_id.to_owned(), task_id.to_owned());
        for number in self.members.remove(run_id).unwrap_or_default() {
            let chain = &mut self.chains[number];
            chain.standing = Standing::Linked;
            if let Some(sidecar) = &mut chain.sidecar {
                sidecar.parent_agent_id = Some(task_id.to_owned().into());
                out.push_back(frame_of((**sidecar).clone()));
            }
        }
    }

    /// Tells of the agents that nothing claimed, each after the agent that it names as its parent.
    pub(crate) fn unclaimed(&mut self, is_of_session: impl Fn(&str) -> bool, out: &mut Outbox) {
        let is_own = |chain: &Chain| chain.session_id.as_deref().is_none_or(&is_of_session);
        let mut left: HashSet<usize> = (0..self.chains.len())
            .filter(|number| self.chains[*number].may_be_unclaimed() && is_own(&self.chains[*number]))
            .collect();
        for first in 0..self.chains.len() {
            let mut line = Vec::new();
            let mut next = Some(first);
            while let Some(number) = next.filter(|number| left.remove(number)) {
                line.push(number);
                next = self.chains[number].parent_agent().and_then(|parent| self.by_agent.get(parent)).copied();
            }
            for number in line.into_iter().rev() {
                let chain = &self.chains[number];
                let mut sidecar = chain.sidecar.as_deref().cloned().unwrap_or_default();
                sidecar.agent_id = Some(chain.agent_id.clone().into());
                sidecar.role = SidecarRole::Unclaimed;
                out.push_back(frame_of(sidecar));
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
        if let Some(agent) = frame.agent_id.as_deref() {
            return Some(self.chain_of_agent(agent));
        }
        if !frame.sidechain {
            return None;
        }
        let before = frame.parent_uuid.as_deref();
        // In some versions the first line of a chain names the line of the dispatch.
        let is_root = before.is_some_and(|before| !self.threads.knows(before) && self.opens_chain(frame));
        let placed = self.threads.place(frame.uuid.as_deref(), before.filter(|_| !is_root));
        if placed.thread == self.thread_chains.len() {
            let agent_id = format!("{MADE_UP}{}", placed.thread);
            self.thread_chains.push(self.chains.len());
            self.chains.push(Chain { is_made_up: true, ..Chain::new(agent_id) });
        }
        let number = self.thread_chains[placed.thread];
        for joined in placed.joined {
            self.join(number, self.thread_chains[joined], out);
        }
        Some(number)
    }

    /// The line is a prompt that a dispatch is waiting for.
    fn opens_chain(&self, frame: &Frame<'_>) -> bool {
        let Body::User(user) = &frame.body else { return false };
        may_be_prompt(user) && user.texts.first().is_some_and(|text| self.prompts.has_dispatch(text.digest()))
    }

    fn message(&mut self, message: &Assistant<'_>, author: Option<usize>) {
        for block in &message.blocks {
            match block {
                Block::Other | Block::ToolResult(_) => {}
                Block::Text(text) => {
                    let chain = author.map(|number| &self.chains[number]);
                    let guessable = chain.filter(|chain| chain.standing == Standing::Guessable);
                    if let (Some(prompt), Some(number)) = (guessable.and_then(|chain| chain.prompt), author) {
                        self.prompts.say(prompt, number, text.digest());
                    }
                }
                Block::ToolUse(call) => {
                    if is_dispatch(call) {
                        self.dispatch(call, author);
                    }
                    if let Some(number) = author {
                        self.call(number, call);
                    }
                }
            }
        }
    }

    fn call(&mut self, number: usize, call: &ToolUse<'_>) {
        let chain = &mut self.chains[number];
        let own = chain.sidecar.as_ref().and_then(|sidecar| sidecar.tool_use_id.as_deref());
        chain.has_calls |= !call.id.is_empty() && own != Some(&*call.id);
    }

    fn dispatch(&mut self, call: &ToolUse<'_>, author: Option<usize>) {
        if self.by_id.contains_key(&*call.id) {
            return;
        }
        let number = self.dispatches.len();
        self.by_id.insert(call.id.clone().into_owned(), number);
        self.dispatches.push(Dispatch { id: call.id.clone().into_owned(), prompt: call.input.prompt_digest });
        if let Some(chains) = self.awaiting.remove(&*call.id) {
            for chain in chains {
                self.chains[chain].standing = Standing::Linked;
                self.chains[chain].dispatch = Some(number);
            }
        } else if let Some(agent) = call.input.resume.as_deref() {
            self.resumes.entry(agent.to_owned()).or_default().push(number);
        } else if let Some(prompt) = call.input.prompt_digest {
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
        if author.is_some_and(|author| self.chains[author].dispatch == Some(number)) {
            return;
        }
        if let Some(agent) = named {
            self.name(agent);
            self.close_dispatch(number);
        }
        if is_acknowledgement(result) {
            return;
        }
        for waiting in self.resumes.values_mut() {
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
        let chain = &mut self.chains[number];
        if let Some(uuid) = uuid.map(|uuid| digest(uuid.as_bytes())) {
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
        let chain = &mut self.chains[number];
        if prompt == digest(PRE_WARM) {
            chain.standing = Standing::LeftOut;
        }
        if chain.standing == Standing::Guessable {
            self.prompts.add_chain(prompt, OpenChain { number, root: self.now, last_text: None });
            self.link_forced(prompt, out);
        }
    }

    /// A prompt in the file of an agent that a dispatch starts again: that dispatch's lines follow. Its own prompt
    /// decides, else the order of dispatches.
    fn resume(&mut self, number: usize, prompt: u64, is_first: bool) -> bool {
        let chain = &mut self.chains[number];
        let Some(waiting) = self.resumes.get_mut(&chain.agent_id) else { return false };
        let has_prompt = |dispatch: &usize| self.dispatches[*dispatch].prompt == Some(prompt);
        let place = waiting.iter().position(has_prompt).or(if is_first { None } else { Some(0) });
        let Some(place) = place.filter(|place| *place < waiting.len()) else { return false };
        chain.dispatch = Some(waiting.remove(place));
        chain.is_under_dispatch = true;
        chain.standing = Standing::Linked;
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
        let dispatch = &self.dispatches[pair.dispatch];
        let chain = &mut self.chains[pair.chain];
        chain.dispatch = Some(pair.dispatch);
        if chain.is_made_up {
            chain.is_under_dispatch = true;
            for number in [pair.chain].into_iter().chain(mem::take(&mut self.chains[pair.chain].joined)) {
                tell_made_up(&self.chains[number], &dispatch.id, out);
            }
        } else {
            let mut sidecar = chain.sidecar.as_deref().cloned().unwrap_or_default();
            sidecar.agent_id = Some(chain.agent_id.clone().into());
            sidecar.tool_use_id = Some(dispatch.id.clone().into());
            out.push_back(frame_of(sidecar));
        }
    }

    /// Two chains turn out to be one.
    fn join(&mut self, number: usize, other: usize, out: &mut Outbox) {
        self.close_chain(other);
        let mut joined = mem::take(&mut self.chains[other].joined);
        joined.push(other);
        match self.chains[number].dispatch {
            Some(dispatch) => {
                for other in joined {
                    tell_made_up(&self.chains[other], &self.dispatches[dispatch].id, out);
                }
            }
            None => self.chains[number].joined.append(&mut joined),
        }
    }

    /// The store states the dispatch of an agent.
    fn state(&mut self, number: usize, dispatch_id: &str) {
        match self.by_id.get(dispatch_id).copied() {
            Some(dispatch) => {
                self.close_dispatch(dispatch);
                self.close_chain(number);
                self.chains[number].dispatch = Some(dispatch);
            }
            None => {
                self.close_chain(number);
                self.chains[number].standing = Standing::Stated;
                self.awaiting.entry(dispatch_id.to_owned()).or_default().push(number);
            }
        }
    }

    /// The store names an agent where the fold sees it.
    fn name(&mut self, agent: &str) {
        match self.by_agent.get(agent).copied() {
            Some(number) => self.close_chain(number),
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
        let chain = &mut self.chains[number];
        if chain.standing != Standing::LeftOut {
            chain.standing = Standing::Linked;
        }
        if let Some(prompt) = chain.prompt {
            self.prompts.close_chain(prompt, number);
        }
    }

    fn chain_of_agent(&mut self, agent: &str) -> usize {
        if let Some(number) = self.by_agent.get(agent) {
            return *number;
        }
        let number = self.chains.len();
        let mut chain = Chain::new(agent.to_owned());
        if self.named.remove(agent) {
            chain.standing = Standing::Linked;
        }
        self.chains.push(chain);
        self.by_agent.insert(agent.to_owned(), number);
        number
    }

    /// Gives a line of a chain what it needs to be found by the fold.
    fn complete(&mut self, frame: &mut Frame<'_>, number: usize) {
        let chain = &mut self.chains[number];
        match chain.dispatch.filter(|_| chain.is_under_dispatch) {
            Some(dispatch) => {
                let id = &self.dispatches[dispatch].id;
                frame.parent.get_or_insert_with(|| id.clone().into());
            }
            None if chain.is_made_up && chain.standing != Standing::LeftOut => {
                frame.agent_id = Some(chain.agent_id.clone().into());
                chain.is_told = true;
            }
            None => {}
        }
    }
}

impl Chain {
    fn new(agent_id: String) -> Self {
        Self {
            agent_id,
            is_made_up: false,
            is_file: false,
            sidecar: None,
            session_id: None,
            prompt: None,
            prompt_uuids: Vec::new(),
            standing: Standing::Guessable,
            dispatch: None,
            is_under_dispatch: false,
            is_told: false,
            joined: Vec::new(),
            has_calls: false,
        }
    }

    fn parent_agent(&self) -> Option<&str> {
        self.sidecar.as_ref()?.parent_agent_id.as_deref()
    }

    /// A file whose agent nothing links. Without calls and without a parent it is only counted (P3).
    fn may_be_unclaimed(&self) -> bool {
        let is_open = match self.standing {
            Standing::Guessable | Standing::Stated => true,
            Standing::LeftOut | Standing::Linked => false,
        };
        self.is_file && is_open && (self.has_calls || self.parent_agent().is_some())
    }
}

/// The first text of a turn may be what an agent was asked.
fn may_be_prompt(user: &User<'_>) -> bool {
    let is_own_text = user.meta || user.compact_summary || user.handback.is_some() || !user.notices.blocks.is_empty();
    let is_marker = user.texts.first().is_some_and(|text| text.as_str().starts_with("[Request interrupted"));
    user.results.is_empty() && !user.texts.is_empty() && !is_own_text && !is_marker
}

/// Lines went out under a made-up id: says whose they are.
fn tell_made_up(chain: &Chain, dispatch_id: &str, out: &mut Outbox) {
    if chain.is_told {
        out.push_back(frame_of(Sidecar {
            agent_id: Some(chain.agent_id.clone().into()),
            tool_use_id: Some(dispatch_id.to_owned().into()),
            role: SidecarRole::StandIn,
            ..Sidecar::default()
        }));
    }
}

/// What the store states beside its lines, as a frame. It has no time: it says nothing of when.
fn frame_of(sidecar: Sidecar<'static>) -> Frame<'static> {
    Frame {
        uuid: None,
        session_id: None,
        timestamp_ms: None,
        parent: None,
        agent_id: None,
        sidechain: false,
        replay: false,
        parent_uuid: None,
        body: Body::Sidecar(sidecar),
    }
}
