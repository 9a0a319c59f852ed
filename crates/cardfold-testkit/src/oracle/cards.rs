//! Cards made of what was told.

use std::collections::BTreeMap;

use cardfold::{CallStatus, Kind, Outcome, State};

use super::life::{Answer, Life};
use super::links::{Agent, Source};
use super::model::{ModelCall, ModelCard, ModelRow, ModelText};
use super::reading::Reading;
use super::sayings::{Id, Sayings};
use super::text::{capped, excerpt, one_line};
use super::world::World;

/// The sentences of the client that open a summary which is no report (R24).
const SENTENCES: [&str; 5] = ["Agent \"", "Background agent \"", "Dynamic workflow \"", "Remote task \"", "Stopped by"];

impl World<'_> {
    /// One card: `calls` are those under it, `tail` the last of them with name and title, and `rows` the agents below
    /// it with their depths.
    pub(super) fn card(
        &self,
        sayings: &Sayings,
        agent: Agent,
        tail: &[(Id, String, String)],
        rows: &[(Agent, usize)],
        calls: &[Id],
    ) -> ModelCard {
        let names = &sayings.names;
        let life = &self.lives[&agent];
        let run = life.run();
        let reading = self.reading(agent);
        let settled = reading.state == State::Settled;
        let statuses: Vec<CallStatus> = calls.iter().map(|&call| self.status(call)).collect();
        let count = |status| statuses.iter().filter(|&&found| found == status).count() as u64;
        let tail = tail.iter().map(|(id, name, title)| ModelCall {
            id: names.text(*id),
            name: name.clone(),
            title: title.clone(),
            status: self.status(*id),
        });
        let id = self.links.dispatch_id(agent).expect("a card has an id");
        let error = run.error.as_deref().and_then(excerpt).or_else(|| match &run.answer {
            Some(Answer::Error { text, .. }) => excerpt(text),
            Some(Answer::Acknowledgement | Answer::Report { .. } | Answer::Unrecognised) | None => None,
        });
        let time = run.ended_at(reading.evidence).filter(|_| settled && !reading.evidence.is_inferred());
        ModelCard {
            dispatch_id: names.text(id),
            name: self.name(agent, life),
            agent_type: self.agent_type(agent, life),
            kind: life.kind.or(life.answer_kind).unwrap_or(Kind::Agent),
            task_id: self.links.first_task(agent).map(|task| names.text(task)),
            state: reading.state,
            running: !settled,
            outcome: reading.outcome,
            failed: is_failed(&reading),
            evidence: reading.evidence,
            inferred: reading.evidence.is_inferred(),
            backgrounded: self.is_backgrounded(agent, life),
            started_at_ms: self.dispatched_at(agent).or(life.first_time),
            ended_at_ms: time,
            calls: calls.len() as u64,
            open_calls: if settled { 0 } else { count(CallStatus::Pending) },
            failed_calls: count(CallStatus::Failed),
            tail: tail.collect(),
            usage: life.usage(),
            model: life.model.clone().or_else(|| life.answer_model.clone()).or_else(|| life.sidecar_model.clone()),
            activity: run.activity.clone().filter(|_| !settled),
            report: self.report(agent, life),
            error,
            needs_input: self.oldest_request(agent).filter(|_| !settled).and_then(|request| request.question.clone()),
            runs: life.runs.len() as u32,
            nested: rows.iter().map(|&(row, depth)| self.row(sayings, row, depth)).collect(),
            annotations: BTreeMap::new(),
        }
    }

    fn row(&self, sayings: &Sayings, agent: Agent, depth: usize) -> ModelRow {
        let names = &sayings.names;
        let life = &self.lives[&agent];
        let reading = self.reading(agent);
        let parent = self.parents.get(&agent).and_then(|&parent| self.links.shown_id(parent));
        let made = self.makers.values().filter(|&&maker| maker == Source::Agent(agent)).count();
        ModelRow {
            dispatch_id: self.links.shown_id(agent).map(|id| names.text(id)),
            parent_id: parent.map(|id| names.text(id)),
            task_id: self.links.first_task(agent).map(|task| names.text(task)),
            name: self.name(agent, life),
            agent_type: self.agent_type(agent, life),
            depth: depth as u32,
            state: reading.state,
            outcome: reading.outcome,
            failed: is_failed(&reading),
            calls: made as u64,
            usage: life.usage(),
        }
    }

    fn dispatched_at(&self, agent: Agent) -> Option<i64> {
        match agent {
            Agent::Dispatch(call) => self.dispatches.get(&call).and_then(|&(time, ..)| time),
            Agent::Task(_) => None,
        }
    }

    fn name(&self, agent: Agent, life: &Life) -> String {
        let dispatch = match agent {
            Agent::Dispatch(call) => self.dispatches.get(&call),
            Agent::Task(_) => None,
        };
        let description = dispatch.and_then(|(_, said, _)| said.description.as_deref());
        // Only one tool starts an agent whose dispatch was never seen.
        let tool = dispatch.map_or(Some("Agent"), |&(_, _, tool)| Some(tool));
        let agent_type = self.agent_type(agent, life);
        let sources = [life.title.as_deref(), description, agent_type.as_deref(), tool];
        sources.into_iter().flatten().find_map(|source| capped(source, 80)).unwrap_or_default()
    }

    fn agent_type(&self, agent: Agent, life: &Life) -> Option<String> {
        let stated = match agent {
            Agent::Dispatch(call) => self.dispatches.get(&call).and_then(|(_, said, _)| said.agent_type.clone()),
            Agent::Task(_) => None,
        };
        stated.or_else(|| life.agent_type.clone()).or_else(|| life.sidecar_type.clone())
    }

    fn is_backgrounded(&self, agent: Agent, life: &Life) -> bool {
        let run = life.run();
        if let Some(stated) = life.backgrounded {
            return stated;
        }
        let asked = match agent {
            Agent::Dispatch(call) => self.dispatches.get(&call).is_some_and(|(_, said, _)| said.background),
            Agent::Task(_) => false,
        };
        let reported = matches!(run.answer, Some(Answer::Report { .. })) && !run.handed_back;
        run.listed || run.acknowledged || (asked && !reported)
    }

    /// R24.
    fn report(&self, agent: Agent, life: &Life) -> Option<ModelText> {
        let run = life.run();
        let answered = match &run.answer {
            Some(Answer::Report { content, text }) => excerpt(content).or_else(|| excerpt(text)),
            Some(Answer::Acknowledgement | Answer::Error { .. } | Answer::Unrecognised) | None => None,
        };
        let described = match agent {
            Agent::Dispatch(call) => self.dispatches.get(&call).and_then(|(_, said, _)| said.description.as_deref()),
            Agent::Task(_) => None,
        };
        let title = life.title.as_deref().or(described).and_then(one_line);
        let is_report = |summary: &&String| {
            let line = one_line(summary);
            line.is_some() && line != title && !SENTENCES.iter().any(|sentence| summary.starts_with(sentence))
        };
        let summary = || run.summaries.iter().rfind(is_report).and_then(|summary| excerpt(summary));
        answered.or_else(|| run.told.as_deref().and_then(excerpt)).or_else(summary)
    }
}

fn is_failed(reading: &Reading) -> bool {
    reading.outcome.is_some_and(Outcome::is_failed)
}
