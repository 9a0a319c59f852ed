//! Reading an agent: where its current run stands (R18 to R22), and its calls with it.

use cardfold::{CallStatus, Evidence, Outcome, State};

use super::life::{Answer, Request};
use super::links::{Agent, Source};
use super::sayings::Id;
use super::world::World;

#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) state: State,
    pub(super) outcome: Option<Outcome>,
    pub(super) evidence: Evidence,
    pub(super) drawn: bool,
}

impl World<'_> {
    pub(super) fn reading(&self, agent: Agent) -> Reading {
        let run = self.lives[&agent].run();
        let settled =
            |outcome, evidence| Reading { state: State::Settled, outcome: Some(outcome), evidence, drawn: true };
        let live = |state, evidence| Reading { state, outcome: None, evidence, drawn: true };
        if let Some(end) = run.end.filter(|end| !end.parked || self.over) {
            return settled(end.outcome, Evidence::Roster);
        }
        match run.answer {
            Some(Answer::Error { outcome, .. }) => return settled(outcome, Evidence::Error),
            Some(Answer::Report { .. }) => return settled(Outcome::Completed, Evidence::Report),
            Some(Answer::Acknowledgement | Answer::Unrecognised) | None => {}
        }
        if run.marker.is_some() {
            return settled(Outcome::Stopped, Evidence::Error);
        }
        if run.lost {
            return settled(Outcome::Ended, Evidence::Level);
        }
        if let Some((outcome, evidence)) = run.concluded {
            return settled(outcome, evidence);
        }
        // A parked run is one that the roster says is live, and waits (R19).
        let said = if run.is_parked() { Some(State::Waiting) } else { run.live };
        let mut reading = match (said, &run.answer) {
            (Some(state), _) => live(state, Evidence::Roster),
            (None, _) if self.open_below(agent) > 0 => live(State::Running, Evidence::OpenCall),
            (None, None) => live(State::Running, Evidence::Dispatch),
            (None, Some(Answer::Unrecognised)) if self.has_calls(agent) => {
                return settled(Outcome::Completed, Evidence::CallsSettled);
            }
            (None, Some(Answer::Acknowledgement)) if run.heard => live(State::Running, Evidence::Dispatch),
            (None, Some(_)) => Reading { drawn: false, ..live(State::Running, Evidence::Dispatch) },
        };
        if self.oldest_request(agent).is_some() {
            reading.drawn = true;
            reading.state = State::Waiting;
        }
        reading
    }

    /// The oldest request that the agent or one below it waits with.
    pub(super) fn oldest_request(&self, agent: Agent) -> Option<&Request> {
        let own = self.lives[&agent].run().requests.iter();
        let below = self.children(agent).filter_map(|child| self.oldest_request(child));
        own.chain(below).min_by_key(|request| request.at)
    }

    fn children(&self, agent: Agent) -> impl Iterator<Item = Agent> + '_ {
        self.lives.keys().copied().filter(move |child| self.parents.get(child) == Some(&agent))
    }

    /// The run of the agent above that run `run` of an agent hangs under.
    pub(super) fn run_above(&self, agent: Agent, run: usize) -> usize {
        let told = &self.lives[&agent].runs[run];
        let parent = self.parents[&agent];
        let made = told.started_by.filter(|call| self.makers.get(call) == Some(&Source::Agent(parent)));
        made.and_then(|call| self.runs.get(&call).copied()).unwrap_or(told.above)
    }

    fn calls_of(&self, agent: Agent) -> impl Iterator<Item = Id> + '_ {
        self.runs.keys().copied().filter(move |call| self.makers[call] == Source::Agent(agent))
    }

    /// Calls that are open under the current run of an agent, whatever stands above it.
    pub(super) fn open_below(&self, agent: Agent) -> usize {
        let current = self.lives[&agent].current();
        let own = self.calls_of(agent).filter(|call| self.runs[call] == current && self.settles(*call).is_none());
        let below = self.children(agent).filter(|&child| {
            let run = self.lives[&child].current();
            self.run_above(child, run) == current && self.reading(child).state != State::Settled
        });
        own.count() + below.map(|child| self.open_below(child)).sum::<usize>()
    }

    /// A call was made under the current run of an agent.
    fn has_calls(&self, agent: Agent) -> bool {
        let current = self.lives[&agent].current();
        let own = self.calls_of(agent).any(|call| self.runs[&call] == current);
        own || self
            .children(agent)
            .any(|child| self.run_above(child, self.lives[&child].current()) == current && self.has_calls(child))
    }

    /// Whether a call failed, once it is settled (R9, R10).
    fn settles(&self, call: Id) -> Option<bool> {
        if let Some(&failed) = self.settled.get(&call) {
            return Some(failed);
        }
        let life = self.lives.get(&Agent::Dispatch(call)).filter(|_| self.dispatches.contains_key(&call))?;
        // A run that another has followed is over, also where nothing said so.
        let past = life.runs[..life.current()].iter().map(|run| run.outcome.unwrap_or(Outcome::Ended));
        let now = self.reading(Agent::Dispatch(call)).outcome;
        past.chain(now).find(|&outcome| outcome != Outcome::Abandoned).map(Outcome::is_failed)
    }

    /// A run of an agent, and every run above it, is live (R21).
    fn is_live(&self, agent: Agent, run: usize) -> bool {
        let current = run == self.lives[&agent].current() && self.reading(agent).state != State::Settled;
        current && self.parents.get(&agent).is_none_or(|&parent| self.is_live(parent, self.run_above(agent, run)))
    }

    pub(super) fn status(&self, call: Id) -> CallStatus {
        match (self.settles(call), self.makers.get(&call)) {
            (Some(true), _) => CallStatus::Failed,
            (Some(false), _) => CallStatus::Completed,
            (None, Some(&Source::Agent(maker))) if !self.is_live(maker, self.runs[&call]) => CallStatus::CutOff,
            (None, _) => CallStatus::Pending,
        }
    }
}
