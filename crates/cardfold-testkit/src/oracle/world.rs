//! All agents' stories, told statement by statement with every link known beforehand.

use std::collections::BTreeMap;

use cardfold::{Evidence, Kind, Outcome, State};

use super::answer::Class;
use super::life::{Answer, Counter, Life, Request, Run};
use super::links::{Agent, Links, Source};
use super::roster::is_stop;
use super::sayings::{Answered, Call, Dispatch, Id, Message, Saying, Sayings, What};

/// What the frames up to one statement have told.
pub(super) struct World<'o> {
    pub(super) links: &'o Links,
    pub(super) lives: BTreeMap<Agent, Life>,
    /// The agent above each, cycles left out.
    pub(super) parents: BTreeMap<Agent, Agent>,
    pub(super) makers: BTreeMap<Id, Source>,
    /// What each dispatch says, and when it says it.
    pub(super) dispatches: BTreeMap<Id, (Option<i64>, &'o Dispatch, &'o str)>,
    /// The run in which each call was made, of the agent that made it.
    pub(super) runs: BTreeMap<Id, usize>,
    /// The last result that settles a call: whether it is an error. That of a dispatch is no acknowledgement.
    pub(super) settled: BTreeMap<Id, bool>,
    /// Calls with a result of any sort.
    answered: Vec<Id>,
    /// The texts of notices: when each counted last, for which agent, in which of its runs.
    pub(super) notices: BTreeMap<u64, (usize, Agent, usize)>,
    /// The agents on the level that is being told.
    pub(super) listing: Vec<Agent>,
    /// The session is over.
    pub(super) over: bool,
}

impl<'o> World<'o> {
    pub(super) fn new(sayings: &'o Sayings, links: &'o Links, upto: usize) -> Self {
        let mut world = Self {
            links,
            lives: BTreeMap::new(),
            parents: BTreeMap::new(),
            makers: links.calls.keys().map(|&call| (call, links.maker(call))).collect(),
            dispatches: BTreeMap::new(),
            runs: BTreeMap::new(),
            settled: BTreeMap::new(),
            answered: Vec::new(),
            notices: BTreeMap::new(),
            listing: Vec::new(),
            over: false,
        };
        world.parents = parents(links, &world.makers);
        for (at, saying) in sayings.list[..upto].iter().enumerate() {
            world.hear(at, saying);
            world.lapse();
        }
        world
    }

    fn hear(&mut self, at: usize, saying: &'o Saying) {
        let time = saying.time;
        match &saying.what {
            What::Nothing | What::TakeBack(_) => {}
            What::Asked { request, call, agent, question } => {
                let asked = Request { at, id: *request, call: *call, question: question.clone() };
                self.ask(at, asked, *agent);
            }
            What::Settled { request } => {
                for life in self.lives.values_mut() {
                    life.run_mut().requests.retain(|open| open.id != *request);
                }
            }
            What::Call(call) => {
                self.sender(at, saying);
                self.call(at, call, time);
            }
            What::Message(message) => {
                if let Some(agent) = self.sender(at, saying) {
                    self.message(agent, message, time);
                }
            }
            What::Result(result) => {
                self.sender(at, saying);
                self.result(at, result, time);
            }
            What::HandBack { task, report } => {
                if !self.links.not_agents.contains(task) {
                    self.hand_back(self.links.agent_of_task(*task, at), report, time);
                }
            }
            What::Sidecar { task, call, agent_type, model, .. } => {
                if let Some(agent) = self.about(at, Some(*task), *call) {
                    let life = self.life(agent);
                    life.sidecar_type = life.sidecar_type.take().or_else(|| agent_type.clone());
                    life.sidecar_model = life.sidecar_model.take().or_else(|| model.clone());
                }
            }
            What::Level => self.level(),
            What::Listed(entry) => self.listed(at, entry),
            What::Notice(notice) => self.notice(at, notice, time),
            What::Progress(progress) => self.progress(at, progress),
            What::Started(started) => self.started(at, started, time),
            What::Updated(updated) => self.updated(at, updated, time),
        }
    }

    /// The life of an agent, with its first run where it was not heard of before.
    pub(super) fn life(&mut self, agent: Agent) -> &mut Life {
        if !self.lives.contains_key(&agent) {
            let above = self.parents.get(&agent).and_then(|parent| self.lives.get(parent)).map_or(0, Life::current);
            let started_by = self.links.dispatch_id(agent);
            let run = Run { started_by, above, ..Run::default() };
            self.lives.insert(agent, Life::new(run));
        }
        self.lives.get_mut(&agent).expect("it was put in above")
    }

    /// Another run of an agent begins.
    pub(super) fn begin(&mut self, agent: Agent, id: Option<&str>, call: Option<Id>) {
        self.life(agent);
        let outcome = self.reading(agent).outcome;
        let above = self.parents.get(&agent).and_then(|parent| self.lives.get(parent)).map_or(0, Life::current);
        let started_by = call.filter(|&call| Some(call) != self.links.dispatch_id(agent));
        let life = self.life(agent);
        life.run_mut().outcome = outcome;
        let run = Run { id: id.map(str::to_owned), started_by, above, ..Run::default() };
        life.runs.push(run);
    }

    /// The agent that a statement is about, heard of from now on.
    pub(super) fn about(&mut self, at: usize, task: Option<Id>, call: Option<Id>) -> Option<Agent> {
        if task.is_some_and(|task| self.links.not_agents.contains(&task)) {
            return None;
        }
        let agent = self.links.agent_of(task, call, at)?;
        self.life(agent);
        Some(agent)
    }

    /// The first time that an agent's own frames, or a started statement, state is when it started.
    pub(super) fn touch(&mut self, agent: Agent, time: Option<i64>) {
        let life = self.life(agent);
        life.first_time = life.first_time.or(time);
    }

    fn sender(&mut self, at: usize, saying: &Saying) -> Option<Agent> {
        match self.links.source(saying.from, at) {
            Source::Agent(agent) => {
                self.touch(agent, saying.time);
                Some(agent)
            }
            Source::Main | Source::Nobody => None,
        }
    }

    fn message(&mut self, agent: Agent, message: &Message, time: Option<i64>) {
        let life = self.life(agent);
        // A message that was broken off is what an interrupt leaves behind: no sign that the agent went on.
        if matches!(message, Message::Model { aborted: false, .. }) {
            life.run_mut().marker = None;
        }
        if life.run().is_stated_over() {
            return;
        }
        life.run_mut().heard = true;
        match message {
            Message::Model { model, last_word, .. } => {
                life.model = model.clone().or(life.model.take());
                life.run_mut().last_word = *last_word;
            }
            Message::User { marker } => {
                life.run_mut().last_word = false;
                if *marker {
                    life.run_mut().marker.get_or_insert(time);
                }
            }
        }
    }

    /// A call is made: whatever was inferred of the runs that it was made in is disproved (R22), up to a run that is over
    /// by a statement.
    fn call(&mut self, at: usize, call: &'o Call, time: Option<i64>) {
        if self.links.calls.get(&call.id).is_none_or(|opened| opened.at != at) {
            return;
        }
        if let Some(dispatch) = &call.dispatch {
            self.dispatches.insert(call.id, (time, dispatch, &call.name));
            self.life(Agent::Dispatch(call.id));
        }
        let Source::Agent(maker) = self.makers[&call.id] else { return };
        let current = self.life(maker).current();
        self.runs.insert(call.id, current);
        let mut above = Some((maker, current));
        while let Some((agent, run)) = above {
            let Some(life) = self.lives.get_mut(&agent).filter(|life| life.current() == run) else { return };
            if life.run().is_stated_over() || life.run().marker.is_some() {
                return;
            }
            life.run_mut().lost = false;
            let parent = self.parents.get(&agent).filter(|parent| self.lives.contains_key(parent));
            above = parent.map(|&parent| (parent, self.run_above(agent, run)));
        }
    }

    fn result(&mut self, at: usize, result: &Answered, time: Option<i64>) {
        if result.detached {
            return;
        }
        self.answered.push(result.call);
        for life in self.lives.values_mut() {
            life.run_mut().requests.retain(|open| open.call != Some(result.call));
        }
        let Some(opened) = self.links.calls.get(&result.call) else {
            // The dispatch was missed; that of a workflow has no answer.
            let agent = Agent::Dispatch(result.call);
            if self.links.missed.contains(&result.call) {
                match self.life(agent).kind {
                    Some(Kind::Workflow) => self.life(agent).backgrounded = Some(true),
                    Some(Kind::Agent | Kind::Remote | Kind::Teammate) | None => self.answer(agent, result, time),
                }
            }
            return;
        };
        if !opened.dispatches {
            let first = self.settled.insert(result.call, result.is_error).is_none();
            // A result that comes again stops nobody again (R2).
            if first || !is_stop(&opened.name) {
                self.told(at, result, &opened.name, time);
            }
            return;
        }
        if result.class != Class::Acknowledgement {
            self.settled.insert(result.call, result.is_error);
        }
        self.answer(Agent::Dispatch(result.call), result, time);
    }

    /// The answer to a dispatch (R11).
    fn answer(&mut self, agent: Agent, result: &Answered, time: Option<i64>) {
        let life = self.life(agent);
        let kept = matches!(life.run().answer, Some(Answer::Error { .. } | Answer::Report { .. }));
        if kept && matches!(result.class, Class::Acknowledgement | Class::Unrecognised) {
            let by_turn = life.run().handed_back;
            life.run_mut().acknowledged |= by_turn && result.class == Class::Acknowledgement;
            return;
        }
        life.answer_model = result.model.clone().or(life.answer_model.take());
        life.answer_kind = result.kind.or(life.answer_kind);
        life.count(Counter::Answer, result.usage);
        let run = life.run_mut();
        match result.class {
            Class::Acknowledgement => run.acknowledged = true,
            Class::Report => run.acknowledged = false,
            Class::Error | Class::Unrecognised => {}
        }
        run.handed_back = false;
        run.answer = Some(match result.class {
            Class::Acknowledgement => Answer::Acknowledgement,
            Class::Unrecognised => Answer::Unrecognised,
            Class::Error => Answer::Error { outcome: result.outcome, text: result.error.clone() },
            Class::Report => Answer::Report { content: result.content.clone(), text: result.report.clone() },
        });
        if matches!(result.class, Class::Error | Class::Report) {
            run.stamp(None, time);
        }
    }

    /// A hand-back that came as a user turn is a report, and leaves the acknowledgement (R12).
    fn hand_back(&mut self, agent: Agent, report: &str, time: Option<i64>) {
        let run = self.life(agent).run_mut();
        if !matches!(run.answer, Some(Answer::Report { .. })) {
            run.answer = Some(Answer::Report { content: String::new(), text: String::new() });
            run.handed_back = true;
        }
        run.told = Some(report.to_owned());
        run.stamp(None, time);
    }

    fn ask(&mut self, at: usize, asked: Request, agent: Option<Id>) {
        let maker = || match asked.call.map_or(Source::Nobody, |call| self.links.maker(call)) {
            Source::Agent(maker) => Some(maker),
            Source::Main | Source::Nobody => None,
        };
        let asker = match agent {
            Some(task) if self.links.not_agents.contains(&task) => None,
            Some(task) => match self.links.agent_of_task(task, at) {
                unknown @ Agent::Task(_) if !self.links.is_known(task) => maker().or(Some(unknown)),
                known @ (Agent::Dispatch(_) | Agent::Task(_)) => Some(known),
            },
            None => maker(),
        };
        if asked.call.is_some_and(|call| self.answered.contains(&call)) {
            return;
        }
        if let Some(agent) = asker {
            self.life(agent).run_mut().requests.push(asked);
        }
    }

    /// Requests of a run that has ended lapse (R19).
    fn lapse(&mut self) {
        let asking: Vec<Agent> =
            self.lives.iter().filter(|(_, life)| !life.run().requests.is_empty()).map(|(&agent, _)| agent).collect();
        for agent in asking {
            if self.reading(agent).state == State::Settled {
                self.life(agent).run_mut().requests.clear();
            }
        }
    }

    /// The session is over: nothing stays parked, and what is live gets its ending by inference, innermost first (R28).
    pub(super) fn end_session(&mut self) {
        self.over = true;
        let mut agents: Vec<(usize, Agent)> = self.lives.keys().map(|&agent| (self.depth(agent), agent)).collect();
        agents.sort_unstable_by_key(|&(depth, agent)| (std::cmp::Reverse(depth), agent));
        for (_, agent) in agents {
            let life = &self.lives[&agent];
            let run = life.run();
            if self.reading(agent).state == State::Settled {
                continue;
            }
            let said_live = run.live.is_some();
            let concluded = match run.answer {
                Some(Answer::Unrecognised) if !said_live => (Outcome::Completed, Evidence::Returned),
                Some(Answer::Acknowledgement) if !said_live && run.last_word && self.open_below(agent) == 0 => {
                    (Outcome::Completed, Evidence::CallsSettled)
                }
                Some(_) | None => (Outcome::Abandoned, Evidence::SessionEnd),
            };
            self.life(agent).run_mut().concluded = Some(concluded);
        }
        self.lapse();
    }

    fn depth(&self, agent: Agent) -> usize {
        let mut depth = 0;
        let mut last = agent;
        while let Some(&parent) = self.parents.get(&last) {
            depth += 1;
            last = parent;
        }
        depth
    }
}

/// Who is above whom, as far as that comes to an end.
fn parents(links: &Links, makers: &BTreeMap<Id, Source>) -> BTreeMap<Agent, Agent> {
    let dispatches = links.calls.iter().filter(|(_, opened)| opened.dispatches).map(|(&id, _)| id);
    let dispatches = dispatches.chain(links.missed.iter().copied()).map(Agent::Dispatch);
    let tasks = links.heard.iter().chain(links.members.keys()).chain(links.senders.iter()).map(|&id| Agent::Task(id));
    let mut parents = BTreeMap::new();
    for agent in dispatches.chain(tasks) {
        if let Some(parent) = links.parent(agent) {
            parents.insert(agent, parent);
        }
    }
    for source in makers.values() {
        if let Source::Agent(agent) = *source
            && let Some(parent) = links.parent(agent)
        {
            parents.insert(agent, parent);
        }
    }
    let circular = |agent: &Agent| {
        let mut last = *agent;
        for _ in 0..=parents.len() {
            match parents.get(&last) {
                Some(&parent) => last = parent,
                None => return false,
            }
        }
        true
    };
    parents.iter().filter(|(agent, _)| !circular(agent)).map(|(&agent, &parent)| (agent, parent)).collect()
}
