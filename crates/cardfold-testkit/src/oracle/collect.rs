//! Links read off a list of statements.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::Class;
use super::links::{Begun, Links, Opened, Pair};
use super::sayings::{Id, Sayings, Sender, Started, Told, What};

/// What a task is by its type (R5).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Sort {
    Agent,
    NoAgent,
    Unstated,
}

pub(super) fn sort_of(task_type: Option<&str>, agent_type: Option<&str>, hidden: bool) -> Sort {
    match task_type {
        _ if hidden || agent_type == Some("main-session") => Sort::NoAgent,
        Some("local_agent" | "remote_agent" | "in_process_teammate" | "local_workflow") => Sort::Agent,
        Some(_) => Sort::NoAgent,
        None if agent_type.is_some() => Sort::Agent,
        None => Sort::Unstated,
    }
}

impl Links {
    /// The links of the first `upto` statements. `traces` are the started statements that R6's trace links, `before` the
    /// links without the last statement.
    pub(super) fn of(sayings: &Sayings, upto: usize, traces: &BTreeMap<usize, usize>, before: &Self) -> Self {
        let mut links = Self { traces: traces.clone(), stand_since: before.stand_since.clone(), ..Self::default() };
        links.collect_calls(sayings, upto);
        for (at, saying) in sayings.list[..upto].iter().enumerate() {
            links.collect(at, saying.from, &saying.what);
        }
        links.pairs.retain(|pair| !links.not_agents.contains(&pair.task));
        links.begun.retain(|begun| !links.not_agents.contains(&begun.task));
        links.name_tasks(sayings, upto);
        links.find_aliases();
        let since = |call: &Id| (*call, before.stand_since.get(call).copied().unwrap_or(upto - 1));
        links.stand_since = links.aliases.keys().map(since).collect();
        links
    }

    /// Calls by their first sight, without those that were taken back while they had no result.
    fn collect_calls(&mut self, sayings: &Sayings, upto: usize) {
        let mut answered = BTreeSet::new();
        for (at, saying) in sayings.list[..upto].iter().enumerate() {
            match &saying.what {
                What::Call(call) => {
                    let opened = || Opened {
                        at,
                        from: saying.from,
                        name: call.name.clone(),
                        frame: call.frame,
                        dispatches: call.dispatch.is_some(),
                    };
                    self.calls.entry(call.id).or_insert_with(opened);
                }
                What::Result(result) if !result.detached => drop(answered.insert(result.call)),
                What::TakeBack(frames) => self.calls.retain(|id, opened| {
                    answered.contains(id) || !opened.frame.is_some_and(|frame| frames.contains(&frame))
                }),
                What::Asked { .. }
                | What::HandBack { .. }
                | What::Level
                | What::Listed(_)
                | What::Message(_)
                | What::Notice(_)
                | What::Nothing
                | What::Progress(_)
                | What::Result(_)
                | What::Settled { .. }
                | What::Sidecar { .. }
                | What::Started(_)
                | What::Updated(_) => {}
            }
        }
    }

    fn collect(&mut self, at: usize, from: Sender, what: &What) {
        match what {
            What::Asked { .. }
            | What::HandBack { .. }
            | What::Level
            | What::Nothing
            | What::Settled { .. }
            | What::TakeBack(_)
            | What::Updated(_) => {}
            What::Call(_) | What::Message(_) => self.sender(at, from),
            What::Result(result) => {
                self.sender(at, from);
                self.result(at, result.call, result.field.as_ref(), result.block.as_ref());
            }
            What::Sidecar { task, call, parent, .. } => {
                self.pair(at, Some(*task), *call);
                self.sidecar_parents.extend(parent.map(|parent| (*task, parent)));
            }
            What::Notice(notice) => {
                let hidden = notice.hidden || sort_of(notice.task_type.as_deref(), None, false) == Sort::NoAgent;
                self.roster(at, notice.task, notice.call, hidden);
                self.workflow(at, notice.task, notice.call);
                for member in &notice.members {
                    self.members.entry(member.task).or_insert((at, notice.task, notice.call));
                }
            }
            What::Progress(progress) => {
                self.roster(at, progress.task, progress.call, progress.hidden);
                self.progress.insert(at, (progress.task, progress.call));
                self.workflow(at, progress.task, progress.call);
                for member in &progress.members {
                    self.members.entry(member.task).or_insert((at, progress.task, progress.call));
                }
            }
            What::Started(said) => {
                let sort = sort_of(said.task_type.as_deref(), said.agent_type.as_deref(), said.hidden);
                self.roster(at, said.task, said.call, sort == Sort::NoAgent);
                if let Some(pair) = self.pairs.last_mut().filter(|pair| pair.at == at) {
                    pair.starts = true;
                }
                // What R6's trace links, or a message resumes, is an agent, also where its type is not stated.
                let resumed =
                    said.call.and_then(|call| self.calls.get(&call)).is_some_and(|call| call.name == "SendMessage");
                let is_agent =
                    sort == Sort::Agent || (sort == Sort::Unstated && (resumed || self.traces.contains_key(&at)));
                if let Some(task) = said.task.filter(|_| is_agent) {
                    let Started { call, depth, parent, .. } = *said;
                    let opens = sort == Sort::Agent;
                    self.begun.push(Begun { at, task, call, depth, parent, opens });
                }
            }
            What::Listed(entry) => {
                let sort = sort_of(entry.task_type.as_deref(), entry.agent_type.as_deref(), entry.hidden);
                self.roster(at, entry.task, entry.call, sort == Sort::NoAgent);
                if let Some(task) = entry.task.filter(|_| sort == Sort::Agent) {
                    let (call, parent) = (entry.call, entry.parent);
                    self.begun.push(Begun { at, task, call, depth: None, parent, opens: false });
                }
            }
        }
    }

    /// What runs under the call of a workflow is a workflow, also where its start was missed.
    fn workflow(&mut self, at: usize, task: Option<Id>, call: Option<Id>) {
        let is_workflow = |call: &Id| self.calls.get(call).is_some_and(|opened| opened.name == "Workflow");
        if let (Some(task), Some(call)) = (task, call.filter(is_workflow)) {
            self.begun.push(Begun { at, task, call: Some(call), depth: None, parent: None, opens: false });
        }
    }

    fn roster(&mut self, at: usize, task: Option<Id>, call: Option<Id>, no_agent: bool) {
        if no_agent {
            self.not_agents.extend(task);
        } else {
            self.heard.extend(task);
            self.pair(at, task, call);
        }
    }

    fn pair(&mut self, at: usize, task: Option<Id>, call: Option<Id>) {
        if let (Some(task), Some(call)) = (task, call) {
            self.pairs.push(Pair { at, task, call, by_sender: false, starts: false });
        }
    }

    fn sender(&mut self, at: usize, from: Sender) {
        self.senders.extend(from.agent);
        if let (Some(task), Some(call)) = (from.agent, from.parent) {
            self.pairs.push(Pair { at, task, call, by_sender: true, starts: false });
        }
    }

    /// What the result of a call that is no dispatch says of a task.
    fn result(&mut self, at: usize, call: Id, field: Option<&Told>, block: Option<&Told>) {
        let Some(opened) = self.calls.get(&call).filter(|opened| !opened.dispatches) else { return };
        match opened.name.as_str() {
            "SendMessage" => {
                let resumed = [field, block].into_iter().flatten().find_map(|told| told.resumed);
                self.heard.extend(resumed);
                self.pair(at, resumed, Some(call));
            }
            "Workflow" => {
                let task = [field, block].into_iter().flatten().find_map(|told| told.task);
                let started = |task| self.begun.iter().any(|begun| begun.task == task && begun.opens && begun.at < at);
                if let Some(task) = task.filter(|&task| !started(task)) {
                    let (depth, parent) = (None, None);
                    self.begun.push(Begun { at, task, call: Some(call), depth, parent, opens: true });
                }
                self.heard.extend(task);
                self.pair(at, task, Some(call));
            }
            "Skill" => self.not_agents.extend([field, block].into_iter().flatten().find_map(|told| told.agent)),
            _ => self.not_agents.extend(field.and_then(|told| told.agent)),
        }
    }

    /// Which dispatches name which task, in order of sight.
    fn name_tasks(&mut self, sayings: &Sayings, upto: usize) {
        let mut namings: Vec<(usize, Id, Id)> = self.pairs.iter().map(|p| (p.at, p.task, p.call)).collect();
        for (at, saying) in sayings.list[..upto].iter().enumerate() {
            let What::Result(result) = &saying.what else { continue };
            let tasks = result.tasks.iter().filter(|task| !self.not_agents.contains(task));
            let known = self.calls.get(&result.call).is_some_and(|opened| opened.dispatches);
            let answers = matches!(result.class, Class::Acknowledgement | Class::Report);
            // A card keeps its task against a dispatch of which nothing but an answer is known.
            let is_shown = |task: &Id| {
                self.begun.iter().any(|begun| begun.at < at && begun.task == *task && self.is_outermost(begun))
            };
            let misses = answers && !self.calls.contains_key(&result.call) && !result.tasks.iter().any(is_shown);
            if known || misses {
                namings.extend(tasks.filter(|_| !result.detached).map(|&task| (at, task, result.call)));
                self.missed.extend(Some(result.call).filter(|_| !known && !result.tasks.is_empty()));
            }
        }
        self.find_missed(&namings);
        namings.retain(|&(_, _, call)| self.dispatches(call));
        namings.sort_by_key(|&(at, ..)| at);
        for (at, task, call) in namings {
            let named = self.named.entry(task).or_default();
            if named.iter().all(|&(_, earlier)| earlier != call) {
                named.push((at, call));
            }
        }
    }

    /// A call that was never seen and with which a task started is its dispatch, unless the task had named one before.
    fn find_missed(&mut self, namings: &[(usize, Id, Id)]) {
        for pair in self.pairs.iter().filter(|pair| pair.starts && !self.calls.contains_key(&pair.call)) {
            let had = namings.iter().any(|&(at, task, call)| {
                task == pair.task && call != pair.call && at < pair.at && self.dispatches(call)
            });
            let went_on = self.pairs.iter().any(|earlier| {
                earlier.starts && earlier.task == pair.task && earlier.call != pair.call && earlier.at < pair.at
            });
            if !had && !went_on {
                self.missed.insert(pair.call);
            }
        }
    }

    /// Ids of calls that are no dispatches and stand for an agent: the first task they were stated with says which. A
    /// call that somebody made stands for nobody else as long as the agent has no place: no card, and nobody above it.
    ///
    /// Whether it has one may hang on another alias, so that they are looked for until no more are found.
    fn find_aliases(&mut self) {
        loop {
            let known = self.aliases.len();
            self.find_more_aliases();
            if self.aliases.len() == known {
                return;
            }
        }
    }

    fn find_more_aliases(&mut self) {
        for pair in self.pairs.clone() {
            let has_place = || {
                let agent = self.agent_of_task(pair.task, pair.at);
                self.is_card(agent) || self.parent(agent).is_some()
            };
            let stands = match self.calls.get(&pair.call) {
                _ if self.dispatches(pair.call) => false,
                Some(opened) if pair.by_sender => opened.name == "SendMessage" && has_place(),
                Some(_) => has_place(),
                None => !pair.by_sender || self.is_known(pair.task),
            };
            if stands {
                let first = self.aliases.entry(pair.call).or_insert((pair.at, pair.task));
                *first = (pair.at, pair.task).min(*first);
            }
        }
    }
}
