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

mod frames;

use std::collections::{HashMap, HashSet, VecDeque};
use std::mem;

use cardfold_wire::{Frame, Sidecar, SidecarRole};

use crate::agent_file::AgentFile;
use crate::chains::{Chains, Standing};
use crate::prompts::{Pair, Prompts};

/// Frames that belong before the one at hand.
pub(crate) type Outbox = VecDeque<Frame<'static>>;

/// The dispatches and chains of one conversation.
#[derive(Clone, Debug, Default)]
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

#[derive(Clone, Debug)]
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

    /// [`Links::finish`] or [`Links::unclaimed`] may have something to say.
    pub(crate) fn may_conclude(&self, is_of_session: impl Fn(&str) -> bool) -> bool {
        self.prompts.has_open_pair()
            || (0..self.chains.len()).any(|number| self.chains.get(number).is_unclaimed(&is_of_session))
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
