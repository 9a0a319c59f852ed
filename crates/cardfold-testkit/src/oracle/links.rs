//! Who is who: which ids mean the same agent, and which agent stands under which (R1, R3, R5, R6).
//!
//! Computed anew from a whole list of statements. Nothing here knows how a run goes.

use std::collections::{BTreeMap, BTreeSet};

use super::sayings::{Id, Sender};

/// An agent: the one that a dispatch started, or one known by its task id alone.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Agent {
    Dispatch(Id),
    Task(Id),
}

/// Whom a frame comes from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Source {
    Agent(Agent),
    Main,
    Nobody,
}

/// A call as it was first seen.
#[derive(Clone, Debug)]
pub(super) struct Opened {
    pub(super) at: usize,
    pub(super) from: Sender,
    pub(super) name: String,
    pub(super) frame: Option<Id>,
    pub(super) dispatches: bool,
}

/// A statement that a task began, or that it is listed as live, by something that is an agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    pub(super) at: usize,
    pub(super) task: Id,
    pub(super) call: Option<Id>,
    pub(super) depth: Option<u64>,
    pub(super) parent: Option<Id>,
    /// It may open a card: a listing never does.
    pub(super) opens: bool,
}

/// A statement that a task and a call belong together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) at: usize,
    pub(super) task: Id,
    pub(super) call: Id,
    /// It was made by a frame's sender, not about a task.
    pub(super) by_sender: bool,
    /// It is that of a started frame.
    pub(super) starts: bool,
}

/// All links that the first statements of a list give.
#[derive(Debug, Default)]
pub(super) struct Links {
    pub(super) calls: BTreeMap<Id, Opened>,
    pub(super) begun: Vec<Begun>,
    pub(super) members: BTreeMap<Id, (usize, Option<Id>, Option<Id>)>,
    pub(super) not_agents: BTreeSet<Id>,
    pub(super) pairs: Vec<Pair>,
    pub(super) heard: BTreeSet<Id>,
    pub(super) named: BTreeMap<Id, Vec<(usize, Id)>>,
    pub(super) aliases: BTreeMap<Id, (usize, Id)>,
    /// The statement since which each of them is one.
    pub(super) stand_since: BTreeMap<Id, usize>,
    /// Dispatches that only their answers or their started frames tell of.
    pub(super) missed: BTreeSet<Id>,
    /// Task ids that frames say they come from.
    pub(super) senders: BTreeSet<Id>,
    pub(super) sidecar_parents: Vec<(Id, Id)>,
    /// Started statements that R6's trace links, with the progress statement that each came right after.
    pub(super) traces: BTreeMap<usize, usize>,
    /// The task and the call of each progress statement.
    pub(super) progress: BTreeMap<usize, (Option<Id>, Option<Id>)>,
}

impl Links {
    pub(super) fn is_known(&self, task: Id) -> bool {
        self.heard.contains(&task) || self.named.contains_key(&task) || self.members.contains_key(&task)
    }

    /// The call starts an agent, as far as is known.
    pub(super) fn dispatches(&self, call: Id) -> bool {
        self.missed.contains(&call) || self.calls.get(&call).is_some_and(|opened| opened.dispatches)
    }

    /// The agent of a task at a statement: the newest dispatch that had named it by then, else the first that names it
    /// later, else the agent of another task that goes by the same call, else one known by the task alone.
    pub(super) fn agent_of_task(&self, task: Id, at: usize) -> Agent {
        let named = self.named.get(&task).map(Vec::as_slice).unwrap_or_default();
        let age = |&(naming, call): &(usize, Id)| {
            self.calls.get(&call).map(|opened| opened.at).filter(|&opened| opened <= at).unwrap_or(naming)
        };
        let by_now = named.iter().filter(|&&(naming, _)| naming <= at).copied();
        if let Some((_, newest)) = by_now.max_by_key(age).or_else(|| named.first().copied()) {
            return Agent::Dispatch(newest);
        }
        let shared = self.pairs.iter().filter(|pair| pair.task == task && !pair.by_sender).find_map(|pair| {
            self.aliases.get(&pair.call).copied().filter(|&(stated, other)| other != task && stated < pair.at)
        });
        match shared {
            Some((stated, other)) if other < task => self.agent_of_task(other, stated),
            Some(_) | None => Agent::Task(task),
        }
    }

    /// The agent that a statement about a task means: its call decides before its task.
    pub(super) fn agent_of(&self, task: Option<Id>, call: Option<Id>, at: usize) -> Option<Agent> {
        if let Some(call) = call {
            if self.dispatches(call) {
                return Some(Agent::Dispatch(call));
            }
            if let Some(&(stated, task)) = self.aliases.get(&call) {
                return Some(self.agent_of_task(task, stated));
            }
        }
        task.map(|task| self.agent_of_task(task, at))
    }

    pub(super) fn source(&self, from: Sender, at: usize) -> Source {
        self.source_within(from, at, self.calls.len())
    }

    /// `steps` bounds the walk from call to call, which can run in a circle.
    fn source_within(&self, from: Sender, at: usize, steps: usize) -> Source {
        let Some(parent) = from.parent else {
            return match from.agent {
                Some(agent) => Source::Agent(self.agent_of_task(agent, at)),
                None if from.sidechain => Source::Nobody,
                None => Source::Main,
            };
        };
        let opened = self.calls.get(&parent);
        if self.dispatches(parent) {
            return Source::Agent(Agent::Dispatch(parent));
        }
        if let Some(&(stated, task)) = self.aliases.get(&parent)
            && !self.is_of_the_writer(parent, at, steps)
        {
            return Source::Agent(self.agent_of_task(task, stated));
        }
        match (from.agent, opened) {
            (Some(agent), Some(_)) if self.is_known(agent) => Source::Agent(self.agent_of_task(agent, at)),
            (_, Some(opened)) if steps > 0 => match self.source_within(opened.from, opened.at, steps - 1) {
                Source::Main => Source::Nobody,
                found @ (Source::Agent(_) | Source::Nobody) => found,
            },
            (Some(agent), None) => Source::Agent(self.agent_of_task(agent, at)),
            (None, None) | (_, Some(_)) => Source::Nobody,
        }
    }

    /// What comes under a call that an agent has made, before it is stated whom that woke, is its writer's (R6).
    fn is_of_the_writer(&self, message: Id, at: usize, steps: usize) -> bool {
        let since = self.stand_since.get(&message).copied().unwrap_or(usize::MAX);
        let written = self.calls.get(&message).filter(|opened| opened.at < at && at < since && steps > 0);
        written.is_some_and(|opened| matches!(self.source_within(opened.from, opened.at, steps - 1), Source::Agent(_)))
    }

    /// Who made a call.
    pub(super) fn maker(&self, call: Id) -> Source {
        self.calls.get(&call).map_or(Source::Nobody, |opened| self.source(opened.from, opened.at))
    }

    /// The tasks that a dispatch was named with, or the one that an agent is known by.
    fn tasks_of(&self, agent: Agent) -> Vec<Id> {
        match agent {
            Agent::Dispatch(call) => {
                let named = self.named.iter().filter(|(_, named)| named.iter().any(|&(_, by)| by == call));
                named.map(|(&task, _)| task).collect()
            }
            Agent::Task(task) => vec![task],
        }
    }

    /// What the roster says of the beginnings of an agent whose dispatch was never seen.
    fn begun_of(&self, agent: Agent) -> impl Iterator<Item = &Begun> {
        self.begun.iter().filter(move |begun| match agent {
            Agent::Dispatch(call) => begun.call == Some(call),
            Agent::Task(task) => begun.task == task,
        })
    }

    /// The statement that opened the card of an agent whose dispatch was never seen (R5).
    pub(super) fn opening(&self, agent: Agent) -> Option<&Begun> {
        let tasks = self.tasks_of(agent);
        let elsewhere = tasks.iter().any(|task| self.members.contains_key(task))
            || self.sidecar_parents.iter().any(|(child, _)| tasks.contains(child))
            || self.begun.iter().any(|begun| {
                let by_level = !begun.opens && begun.parent.is_some();
                tasks.contains(&begun.task) && (by_level || self.traces.contains_key(&begun.at))
            });
        self.begun_of(agent).find(|begun| !elsewhere && self.is_outermost(begun))
    }

    /// What began has nobody above it, as far as its own statement goes.
    pub(super) fn is_outermost(&self, begun: &Begun) -> bool {
        let inside = |call: &Id| self.calls.contains_key(call) && self.maker(*call) != Source::Main;
        let outermost = || begun.parent.is_none() && begun.call.as_ref().is_some_and(|call| !inside(call));
        begun.opens && begun.depth.map_or_else(outermost, |depth| depth == 1)
    }

    /// The statement opened the card of an agent whose dispatch was not seen.
    pub(super) fn opens(&self, agent: Agent, at: usize) -> bool {
        let seen = matches!(agent, Agent::Dispatch(call) if self.calls.contains_key(&call));
        !seen && self.opening(agent).is_some_and(|opening| opening.at == at)
    }

    pub(super) fn is_card(&self, agent: Agent) -> bool {
        match agent {
            Agent::Dispatch(call) if self.calls.contains_key(&call) => self.maker(call) == Source::Main,
            Agent::Dispatch(_) => self.opening(agent).is_some(),
            Agent::Task(task) => self.agent_of_task(task, usize::MAX) == agent && self.opening(agent).is_some(),
        }
    }

    /// The agent is one of a kind that can be a row: a dispatch started it, or the roster says that it is an agent.
    pub(super) fn is_row(&self, agent: Agent) -> bool {
        match agent {
            Agent::Dispatch(call) if self.calls.contains_key(&call) => true,
            Agent::Dispatch(_) => {
                let tasks = self.tasks_of(agent);
                self.begun.iter().any(|begun| tasks.contains(&begun.task))
            }
            Agent::Task(task) => self.members.contains_key(&task) || self.begun_of(agent).next().is_some(),
        }
    }

    /// The id that a card or row goes by.
    pub(super) fn dispatch_id(&self, agent: Agent) -> Option<Id> {
        match agent {
            Agent::Dispatch(call) => Some(call),
            Agent::Task(task) => match self.opening(agent) {
                Some(opening) => Some(opening.call.unwrap_or(task)),
                None => self.begun_of(agent).find_map(|begun| begun.call).or_else(|| {
                    let mut pairs = self.pairs.iter().filter(|pair| pair.task == task);
                    pairs.find(|pair| !self.calls.contains_key(&pair.call)).map(|pair| pair.call)
                }),
            },
        }
    }

    /// The id that a card or row is shown with: a row whose dispatch was never seen goes by the first id stated for it
    /// that no call had then.
    pub(super) fn shown_id(&self, agent: Agent) -> Option<Id> {
        let seen = matches!(agent, Agent::Dispatch(call) if self.calls.contains_key(&call));
        let tasks = self.tasks_of(agent);
        let seen_by_then = |pair: &Pair| self.calls.get(&pair.call).is_some_and(|opened| opened.at < pair.at);
        let mut unseen = self.pairs.iter().filter(|pair| tasks.contains(&pair.task) && !seen_by_then(pair));
        let first = unseen.next().filter(|_| !seen && !self.is_card(agent));
        first.map(|pair| pair.call).or_else(|| self.dispatch_id(agent))
    }

    /// The agent that made this one; none for a card, and where nobody knows.
    pub(super) fn parent(&self, agent: Agent) -> Option<Agent> {
        if self.is_card(agent) {
            return None;
        }
        if let Agent::Dispatch(call) = agent
            && let Source::Agent(maker) = self.maker(call)
        {
            return Some(maker).filter(|&maker| maker != agent);
        }
        let tasks = self.tasks_of(agent);
        self.parent_of_tasks(&tasks).filter(|&parent| parent != agent)
    }

    fn parent_of_tasks(&self, tasks: &[Id]) -> Option<Agent> {
        let member_of = tasks.iter().find_map(|task| self.members.get(task));
        if let Some(&(at, task, call)) = member_of {
            return self.agent_of(task, call, at);
        }
        let begun = || self.begun.iter().filter(|begun| tasks.contains(&begun.task));
        let stated = begun().find_map(|begun| begun.parent.map(|parent| self.agent_of_task(parent, begun.at)));
        let by_call = || {
            begun().filter_map(|begun| begun.call).find_map(|call| match self.maker(call) {
                Source::Agent(maker) => Some(maker),
                Source::Main | Source::Nobody => None,
            })
        };
        let by_trace = || begun().find_map(|begun| self.traces.get(&begun.at)).copied();
        let by_sidecar = || {
            let mut parents = self.sidecar_parents.iter().filter(|(child, _)| tasks.contains(child));
            parents.next().map(|&(_, parent)| self.agent_of_task(parent, usize::MAX))
        };
        stated.or_else(by_call).or_else(|| by_trace().and_then(|at| self.progress_agent(at))).or_else(by_sidecar)
    }

    /// The agent that the progress statement `at` was about.
    fn progress_agent(&self, at: usize) -> Option<Agent> {
        self.progress.get(&at).and_then(|&(task, call)| self.agent_of(task, call, at))
    }

    /// The card that an agent stands under, itself included, with the agents on the way from it to the card.
    pub(super) fn path(&self, agent: Agent) -> Option<Vec<Agent>> {
        let mut path = vec![agent];
        let mut last = agent;
        while !self.is_card(last) {
            last = self.parent(last).filter(|parent| !path.contains(parent))?;
            path.push(last);
        }
        Some(path)
    }

    /// The dispatch id of the card that an agent stands under.
    pub(super) fn owner(&self, agent: Agent) -> Option<Id> {
        self.path(agent).and_then(|path| path.last().copied()).and_then(|card| self.dispatch_id(card))
    }

    /// R8.
    pub(super) fn owner_of_call(&self, call: Id) -> Option<Id> {
        if let Some(owner) = self.agent_of(None, Some(call), usize::MAX).and_then(|agent| self.owner(agent)) {
            return Some(owner);
        }
        match self.maker(call) {
            Source::Agent(maker) => self.owner(maker),
            Source::Main | Source::Nobody => None,
        }
    }

    /// The first task that was linked to an agent.
    pub(super) fn first_task(&self, agent: Agent) -> Option<Id> {
        match agent {
            Agent::Dispatch(call) => {
                let mut namings: Vec<(usize, Id)> = Vec::new();
                for (&task, named) in &self.named {
                    namings.extend(named.iter().filter(|&&(_, by)| by == call).map(|&(at, _)| (at, task)));
                }
                namings.into_iter().min_by_key(|&(at, _)| at).map(|(_, task)| task)
            }
            Agent::Task(task) => Some(task),
        }
    }

    /// A dispatch other than `agent`'s named the task after statement `since` and not after `upto`.
    pub(super) fn named_anew(&self, task: Id, agent: Agent, since: usize, upto: usize) -> bool {
        let named = self.named.get(&task).map(Vec::as_slice).unwrap_or_default();
        named.iter().any(|&(at, call)| Agent::Dispatch(call) != agent && since < at && at <= upto)
    }
}
