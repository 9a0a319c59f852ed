//! What a notification says, as a frame or as a block of text (R13, R14, R24). Knows no level.

use cardfold_wire::{NoticePlace, Notices, TaskNotification, Text};

use crate::agent::{AgentId, usage_rank};
use crate::card::Outcome;
use crate::clean::one_line;
use crate::run::Roster;
use crate::runs::Fit;
use crate::table::{is_blank, key};
use crate::texts::report_rank;
use crate::tracker::{CardTracker, NoticeSeen};
use crate::update::Rule;
use crate::words::{self, TaskType, Word};

/// Openings of a summary that is a sentence of the client, not a report (R24).
const SENTENCES: [&str; 5] = ["Agent \"", "Background agent \"", "Dynamic workflow \"", "Remote task \"", "Stopped by"];

/// A summary that says so is no end: the agent waits for work that it started (R19).
const PARKED: &str = "is waiting on its own background work";

/// Where a notification was read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Told {
    /// A `<task-notification>` block, or the result of a call. Neither is a task frame of its run (R15): a store has the
    /// blocks and no start, and where a stream overlaps it the start comes behind them (P8).
    Block,
    /// A task frame.
    Frame,
}

impl CardTracker {
    /// `task_notification`, and the blocks and reads that mean one.
    pub(crate) fn notified(&mut self, said: &TaskNotification<'_>, at_ms: Option<i64>, told: Told) -> Option<AgentId> {
        self.rule = Rule::R14;
        let task_type = words::task_type(said.task_type.as_deref(), None);
        if task_type == TaskType::Other {
            self.add_outsider(&said.task_id);
            return None;
        }
        let agent = self.notified_agent(said)?;
        if self.fit(agent, said.run_id.as_deref()) == Fit::Late {
            self.late();
            return Some(agent);
        }
        let word = said.status.as_deref().map(words::notice_status);
        if word == Some(Word::Unknown) {
            self.unknown_word(said.status.as_deref().unwrap_or_default());
        }
        let trails = told == Told::Frame && self.trails(agent);
        let run = &self.agents[agent].run;
        let ending = match word {
            Some(Word::Ending(outcome)) => Some(outcome),
            Some(Word::Live(_) | Word::Unknown) | None => None,
        };
        let echo = run.stop_called && ending == Some(Outcome::Completed);
        if echo || ((trails || run.is_stated_over()) && ending.is_none()) {
            self.late();
            return Some(agent);
        }
        self.touch(agent);
        match word {
            Some(Word::Ending(outcome)) => self.end_by_notice(agent, said, outcome, at_ms),
            Some(Word::Live(state)) => self.wake(agent, state),
            Some(Word::Unknown) | None => {}
        }
        let rank = if told == Told::Frame { usage_rank::ROSTER } else { usage_rank::NOTICE };
        self.take_usage(agent, said.usage, rank);
        self.take_notice_report(agent, said, ending.is_some());
        self.workflow_rows(agent, &said.workflow);
        self.refresh(agent);
        Some(agent)
    }

    /// A notice whose task id was redacted is still linked by its `tool_use` id (R13).
    pub(crate) fn notified_agent(&mut self, said: &TaskNotification<'_>) -> Option<AgentId> {
        let tool = said.tool_use_id.as_deref();
        if said.hidden && tool.and_then(|tool| self.agent_named(key(tool))).is_none() {
            if !is_blank(&said.task_id) {
                self.add_outsider(&said.task_id);
            }
            return None;
        }
        self.task_agent(&said.task_id, tool, words::task_type(said.task_type.as_deref(), None))
    }

    pub(crate) fn end_by_notice(
        &mut self,
        agent: AgentId,
        said: &TaskNotification<'_>,
        outcome: Outcome,
        at_ms: Option<i64>,
    ) {
        let parks = outcome == Outcome::Completed
            && !self.session_over
            && said.summary.as_ref().is_some_and(|summary| summary.contains(PARKED));
        if parks {
            self.revive(agent);
            let run = &mut self.edit(agent).run;
            run.roster = Roster::Ended(outcome);
            // The time stands if the session ends while it waits; a sign of life takes it back.
            run.end.note(said.end_time_ms, at_ms);
            run.parked = true;
            return;
        }
        self.end_by_roster(agent, outcome, said.end_time_ms, at_ms);
    }

    /// R24, the sources of a report in a notice.
    pub(crate) fn take_notice_report(&mut self, agent: AgentId, said: &TaskNotification<'_>, ends: bool) {
        let stated = said.handback_report.as_ref().or(said.result.as_ref());
        if let Some(text) = stated {
            self.take_report(agent, report_rank::NOTICE, text);
            return;
        }
        let Some(summary) = &said.summary else { return };
        if said.summary_is_report {
            self.take_report(agent, report_rank::NOTICE, summary);
        } else if ends && !self.is_title(agent, summary) {
            self.take_report(agent, report_rank::SUMMARY, summary);
        }
    }

    pub(crate) fn is_title(&self, agent: AgentId, summary: &Text<'_>) -> bool {
        let text = summary.as_str().trim_start();
        SENTENCES.iter().any(|opening| text.starts_with(opening))
            || self.agents[agent].name.text.as_deref() == Some(&*one_line(text, 80))
    }

    /// A stop call ends the run of a task (R13).
    pub(crate) fn stop_called(&mut self, task: &str, at_ms: Option<i64>) {
        let Some(agent) = self.agent_by_task(task) else { return };
        self.rule = Rule::R13;
        self.end_by_roster(agent, Outcome::Stopped, None, at_ms);
        self.edit(agent).run.stop_called = true;
        self.refresh(agent);
    }

    /// `<task-notification>` blocks: each text counts once (R13).
    pub(crate) fn notices(&mut self, notices: &Notices<'_>, at_ms: Option<i64>) {
        for notice in &notices.blocks {
            self.rule = Rule::R13;
            let agent = self.noticed_agent(notice.said.task_id.as_ref(), notice.said.tool_use_id.as_deref());
            let runs = agent.map_or(0, |agent| self.agents[agent].runs);
            if let Some(seen) = self.notice_texts.get(notice.digest) {
                let seen_runs = seen.runs;
                let moved = seen.agent != agent.map(|agent| self.agents[agent].dispatched_at) || runs > seen.runs;
                if notices.place != NoticePlace::Enqueue || !moved || agent.is_none() {
                    self.counters.duplicates += 1;
                    if let Some(agent) = agent.filter(|_| seen_runs == runs) {
                        self.learn_run_id(agent, notice.said.run_id.as_deref());
                    }
                    continue;
                }
            }
            let told = self.notified(&notice.said, at_ms, Told::Block);
            let agent = told.or(agent).and_then(|agent| self.agents.find(agent));
            let seen = NoticeSeen {
                agent: agent.map(|agent| self.agents[agent].dispatched_at),
                runs: agent.map_or(0, |agent| self.agents[agent].runs),
            };
            if self.notice_texts.insert(notice.digest, seen, self.limits.notice_texts).is_some() {
                self.counters.evictions += 1;
            }
        }
    }

    pub(crate) fn noticed_agent(&self, task: &str, tool: Option<&str>) -> Option<AgentId> {
        tool.and_then(|tool| self.agent_named(key(tool))).or_else(|| self.agent_of_task(key(task)))
    }
}
