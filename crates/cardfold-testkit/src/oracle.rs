//! What cards a list of frames must give, computed from the whole list by the contract's words.
//!
//! Slow and plain, and of another shape than the fold: all links are found first, then the agents' stories are told
//! with every link known, and nothing is kept from one prefix to the next but what decides an order. It shares no code
//! with the fold.

mod answer;
mod cards;
mod collect;
mod life;
mod links;
mod model;
mod notice;
mod reading;
mod roster;
mod sayings;
mod text;
mod words;
mod world;

use std::collections::BTreeMap;

use cardfold::State;
use cardfold_wire::Frame;

pub use self::model::{
    ModelCall, ModelCard, ModelRow, ModelText, ModelUsage, card_of, contradiction, difference, model_of, model_of_all,
};

use self::links::{Agent, Links, Source};
use self::sayings::{Id, Sayings, What};
use self::world::World;

/// The drawn cards of a conversation, over or not.
#[must_use]
pub fn oracle(frames: &[Frame<'_>], ended: bool) -> Vec<ModelCard> {
    Oracle::new(frames).cards(frames.len(), ended)
}

/// All cards of a conversation, over or not.
#[must_use]
pub fn oracle_all(frames: &[Frame<'_>], ended: bool) -> Vec<ModelCard> {
    Oracle::new(frames).all_cards(frames.len(), ended)
}

/// A list of frames whose prefixes can be asked for their cards.
#[derive(Debug)]
pub struct Oracle {
    sayings: Sayings,
    /// The links after each statement, from none on.
    links: Vec<Links>,
}

impl Oracle {
    /// Finds the links of every prefix.
    #[must_use]
    pub fn new(frames: &[Frame<'_>]) -> Self {
        let sayings = Sayings::of(frames);
        let mut traces = BTreeMap::new();
        let mut links = vec![Links::default()];
        for upto in 1..=sayings.list.len() {
            let before = links.last().expect("there is always a first");
            if let Some(progress) = traced(&sayings, before, upto - 1) {
                traces.insert(upto - 1, progress);
            }
            links.push(Links::of(&sayings, upto, &traces, before));
        }
        Self { sayings, links }
    }

    /// The drawn cards after the first `frames` frames.
    #[must_use]
    pub fn cards(&self, frames: usize, ended: bool) -> Vec<ModelCard> {
        self.tell(frames, ended).into_iter().filter(|(_, drawn)| *drawn).map(|(card, _)| card).collect()
    }

    /// All cards after the first `frames` frames.
    #[must_use]
    pub fn all_cards(&self, frames: usize, ended: bool) -> Vec<ModelCard> {
        self.tell(frames, ended).into_iter().map(|(card, _)| card).collect()
    }

    /// The card that each id of a call, and each task id of an agent, belongs to after the first `frames` frames (R8).
    #[must_use]
    pub fn owners(&self, frames: usize) -> Owners {
        let upto = self.upto(frames);
        let links = &self.links[upto];
        let text = |id: Id| self.sayings.names.text(id);
        let calls = links.calls.keys().chain(links.aliases.keys());
        let calls = calls.map(|&call| (text(call), links.owner_of_call(call).map(text))).collect();
        let tasks = links.heard.iter().chain(links.named.keys()).filter(|task| !links.not_agents.contains(task));
        let agents = tasks.map(|&task| (task, links.agent_of_task(task, usize::MAX)));
        let shown = agents.filter(|&(_, agent)| links.is_card(agent) || links.is_row(agent));
        Owners { calls, tasks: shown.map(|(task, agent)| (text(task), links.owner(agent).map(text))).collect() }
    }

    fn upto(&self, frames: usize) -> usize {
        if frames == 0 { 0 } else { self.sayings.ends[frames - 1] }
    }

    /// All cards of a prefix, and whether each is drawn.
    fn tell(&self, frames: usize, ended: bool) -> Vec<(ModelCard, bool)> {
        let upto = self.upto(frames);
        let links = &self.links[upto];
        let mut world = World::new(&self.sayings, links, upto);
        if ended {
            world.end_session();
        }
        let mut opened: Vec<(usize, Id, Agent)> = Vec::new();
        for &agent in world.lives.keys().filter(|&&agent| links.is_card(agent)) {
            let id = links.dispatch_id(agent).expect("a card has an id");
            opened.push((self.since(upto, |links| card_named(links, id)), id, agent));
        }
        opened.sort_by_key(|&(since, ..)| since);
        let told = |(_, id, agent)| (self.card(&world, upto, id, agent), world.reading(agent).drawn);
        opened.into_iter().map(told).collect()
    }

    fn card(&self, world: &World<'_>, upto: usize, id: Id, agent: Agent) -> ModelCard {
        let links = world.links;
        let calls: Vec<Id> = world.runs.keys().copied().filter(|&call| made_under(links, call) == Some(id)).collect();
        let mut rows = Vec::new();
        for &row in world.lives.keys().filter(|&&row| row != agent && links.is_row(row) && !links.is_card(row)) {
            let Some(path) = links.path(row).filter(|path| path.last() == Some(&agent)) else { continue };
            let (came, seen) = self.came(upto, row, id);
            // Of those that come together the earlier seen is first, but nobody before the one that made it.
            let with = path.iter().filter(|&&other| other != agent).map(|&other| self.came(upto, other, id));
            let latest = with.filter(|&(other, _)| other == came).map(|(_, seen)| seen).max();
            rows.push((came, latest, path.len() - 1, seen, row));
        }
        rows.sort_unstable();
        let rows: Vec<(Agent, usize)> = rows.into_iter().map(|(_, _, depth, _, row)| (row, depth)).collect();
        world.card(&self.sayings, agent, &self.tail(upto, id), &rows, &calls)
    }

    /// The statement with which a row came under a card, and that of its dispatch, else the one with which it first spoke
    /// or was spoken of.
    fn came(&self, upto: usize, row: Agent, card: Id) -> (usize, usize) {
        let known_by = self.links[upto].first_task(row);
        let came = self.since(upto, |links| row_under(links, row, known_by) == Some(card));
        if let Agent::Dispatch(call) = row
            && let Some(opened) = self.links[upto].calls.get(&call)
        {
            return (came, opened.at + 1);
        }
        let spoke = |links: &Links| known_by.is_some_and(|task| links.senders.contains(&task));
        let seen = (0..=upto).find(|&upto| {
            let links = &self.links[upto];
            spoke(links) || row_of(links, row, known_by).is_some()
        });
        (came, seen.unwrap_or(came))
    }

    /// The last four calls of a card, in the order in which they came under it. One that is taken back leaves the
    /// others as they are.
    fn tail(&self, upto: usize, card: Id) -> Vec<(Id, String, String)> {
        let links = &self.links[upto];
        let mut events = Vec::new();
        for (at, saying) in self.sayings.list[..upto].iter().enumerate() {
            let What::Call(call) = &saying.what else { continue };
            let opened = self.links[at + 1].calls.get(&call.id).is_some_and(|opened| opened.at == at);
            if !opened {
                continue;
            }
            let stood = |upto: usize| self.links[upto].calls.get(&call.id).is_some_and(|opened| opened.at == at);
            let last = (at + 1..=upto).take_while(|&upto| stood(upto)).last().unwrap_or(at);
            if made_under(&self.links[last], call.id) != Some(card) {
                continue;
            }
            let came = self.since(last, |links| made_under(links, call.id) == Some(card));
            events.push(((came, came != at + 1, at), call, true));
            if last < upto || !links.calls.contains_key(&call.id) {
                events.push(((last + 1, false, 0), call, false));
            }
        }
        events.sort_by_key(|&(when, ..)| when);
        let mut tail: Vec<(Id, String, String)> = Vec::new();
        for (_, call, comes) in events {
            if comes {
                let name = text::one_line(&call.name).unwrap_or_default();
                tail.push((call.id, name, call.title.clone()));
                tail.drain(..tail.len().saturating_sub(4));
            } else {
                tail.retain(|(id, ..)| *id != call.id);
            }
        }
        tail
    }

    /// The first statement after which `holds` was true, and remained so until statement `upto`.
    fn since(&self, upto: usize, holds: impl Fn(&Links) -> bool) -> usize {
        (0..=upto).rev().take_while(|&upto| holds(&self.links[upto])).last().unwrap_or(upto)
    }
}

/// Whom host questions about ids are routed to (R8).
#[derive(Debug, Eq, PartialEq)]
pub struct Owners {
    /// By the id of a call.
    pub calls: BTreeMap<String, Option<String>>,
    /// By the task id of an agent.
    pub tasks: BTreeMap<String, Option<String>>,
}

/// The card that a call counts in.
fn made_under(links: &Links, call: Id) -> Option<Id> {
    match links.maker(call) {
        Source::Agent(maker) => links.owner(maker),
        Source::Main | Source::Nobody => None,
    }
}

fn card_named(links: &Links, id: Id) -> bool {
    if links.dispatches(id) {
        return links.is_card(Agent::Dispatch(id));
    }
    links.begun.iter().any(|begun| {
        let agent = Agent::Task(begun.task);
        links.is_card(agent) && links.dispatch_id(agent) == Some(id)
    })
}

/// What a row was at some time: the one that its task was known by, before its dispatch was.
fn row_of(links: &Links, row: Agent, known_by: Option<Id>) -> Option<Agent> {
    let agent = match row {
        Agent::Dispatch(call) if links.dispatches(call) => row,
        Agent::Dispatch(_) => Agent::Task(known_by?),
        Agent::Task(_) => row,
    };
    let same = |task| links.agent_of_task(task, usize::MAX) == agent;
    let known = matches!(agent, Agent::Dispatch(_)) || known_by.is_some_and(same);
    Some(agent).filter(|&agent| known && links.is_row(agent))
}

fn row_under(links: &Links, row: Agent, known_by: Option<Id>) -> Option<Id> {
    let agent = row_of(links, row, known_by).filter(|&agent| !links.is_card(agent))?;
    links.owner(agent)
}

/// The progress statement that R6's trace links the started statement `at` to.
fn traced(sayings: &Sayings, before: &Links, at: usize) -> Option<usize> {
    let What::Started(started) = &sayings.list[at].what else { return None };
    let call = started.call.filter(|_| started.depth.is_none() && started.parent.is_none() && !started.hidden)?;
    let What::Progress(progress) = &sayings.list[at.checked_sub(1)?].what else { return None };
    let names_it = matches!(progress.last_tool.as_deref(), Some("Agent" | "Task"))
        && progress.description.is_some()
        && progress.description == started.title
        && !before.calls.contains_key(&call)
        && !before.aliases.contains_key(&call)
        && before.begun.iter().all(|begun| !begun.opens || Some(begun.task) != started.task);
    let agent = before.agent_of(progress.task, progress.call, at).filter(|_| names_it)?;
    let world = World::new(sayings, before, at);
    let live = world.lives.contains_key(&agent) && world.reading(agent).state != State::Settled;
    live.then_some(at - 1)
}
