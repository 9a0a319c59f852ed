//! The roster's part in the stories (R13 to R17), and what results of other calls add to it.

use cardfold::{Kind, Outcome, State};
use cardfold_wire::{NoticePlace, Usage};

use super::life::{Counter, End};
use super::links::Agent;
use super::sayings::{Answered, Id, Listed, Member, Noticed, Progressed, Started, Told, Updated};
use super::words::{Word, word};
use super::world::World;

/// The summary of a notice whose agent rests until its own background work is done (R19).
const PARKED: &str = "is waiting on its own background work";

fn kind_of(task_type: Option<&str>) -> Option<Kind> {
    match task_type? {
        "local_agent" => Some(Kind::Agent),
        "remote_agent" => Some(Kind::Remote),
        "in_process_teammate" => Some(Kind::Teammate),
        "local_workflow" => Some(Kind::Workflow),
        _ => None,
    }
}

impl World<'_> {
    pub(super) fn started(&mut self, at: usize, said: &Started, time: Option<i64>) {
        let Some(agent) = self.about(at, said.task, said.call) else { return };
        self.touch(agent, time);
        let by_result_before = said.call.is_some_and(|call| {
            let again = self.is_message(call) && self.life(agent).started_by_frames.get(&call) == Some(&true);
            again || self.life(agent).started_by_results.contains(&call)
        });
        let runs = self.life(agent).runs.len();
        if !self.starts(agent, said.run.as_deref(), said.call, by_result_before) {
            return;
        }
        let life = self.life(agent);
        let trails = life.run().is_stated_over();
        let first = !std::mem::replace(&mut life.run_mut().rostered, true);
        let begins = first || life.runs.len() > runs;
        if let Some(call) = said.call {
            *life.started_by_frames.entry(call).or_default() |= begins;
        }
        let opens = self.links.opens(agent, at);
        let life = self.life(agent);
        if trails && !first {
            // A card is named by what opens it, however late that comes.
            life.title = said.title.clone().filter(|_| opens).or(life.title.take());
            return;
        }
        // The run's own start says what the agent is, however late it comes.
        if !trails {
            life.run_mut().enliven(State::Running);
        }
        life.title = said.title.clone().or(life.title.take());
        life.agent_type = life.agent_type.take().or_else(|| said.agent_type.clone());
        life.kind = kind_of(said.task_type.as_deref()).or(life.kind);
        life.backgrounded = said.backgrounded.or(life.backgrounded);
    }

    /// The call is a message: it resumes an agent once.
    fn is_message(&self, call: Id) -> bool {
        self.links.calls.get(&call).is_some_and(|opened| opened.name == "SendMessage")
    }

    /// Whether a started statement is of the current run, which it may begin.
    fn starts(&mut self, agent: Agent, id: Option<&str>, call: Option<Id>, counted: bool) -> bool {
        let ended = self.reading(agent).state == State::Settled;
        let dispatch = self.links.dispatch_id(agent).filter(|&id| !self.is_message(id));
        let life = self.life(agent);
        let run = life.run();
        let own_first = !run.rostered && call.is_some() && call == dispatch;
        let same = id.is_some() && run.id.as_deref() == id && !run.id_by_level;
        let late = match (id, run.id.as_deref(), life.greatest.as_deref()) {
            (Some(id), Some(current), _) => id < current,
            (Some(id), None, Some(greatest)) => id <= greatest,
            (Some(_), None, None) | (None, ..) => false,
        };
        if !late && ended && !same && !own_first && !counted {
            self.begin(agent, id, call);
            self.see_run(agent, id);
            return true;
        }
        self.of_current_run(agent, id, call)
    }

    /// Whether a task frame is of the current run; a greater run id begins another (R15).
    fn of_current_run(&mut self, agent: Agent, id: Option<&str>, call: Option<Id>) -> bool {
        let Some(id) = id else { return true };
        let life = self.life(agent);
        match (life.run().id.as_deref(), life.greatest.as_deref()) {
            (Some(current), _) if id < current => return false,
            (Some(current), _) if id == current => {}
            (Some(_), _) => self.begin(agent, Some(id), call),
            (None, Some(greatest)) if id <= greatest => return false,
            (None, _) => life.run_mut().id = Some(id.to_owned()),
        }
        self.see_run(agent, Some(id));
        true
    }

    fn see_run(&mut self, agent: Agent, id: Option<&str>) {
        let life = self.life(agent);
        if let Some(id) = id.filter(|&id| life.greatest.as_deref().is_none_or(|greatest| id > greatest)) {
            life.greatest = Some(id.to_owned());
        }
    }

    pub(super) fn progress(&mut self, at: usize, said: &Progressed) {
        if said.hidden {
            return;
        }
        let Some(agent) = self.about(at, said.task, said.call) else { return };
        if !self.of_current_run(agent, said.run.as_deref(), said.call) {
            return;
        }
        let life = self.life(agent);
        life.run_mut().rostered = true;
        if life.run().is_stated_over() {
            return;
        }
        let run = life.run_mut();
        run.enliven(State::Running);
        run.activity = said.activity.clone().or(run.activity.take());
        life.agent_type = life.agent_type.take().or_else(|| said.agent_type.clone());
        life.count(Counter::Roster, said.usage);
        self.members(&said.members);
    }

    pub(super) fn updated(&mut self, at: usize, said: &Updated, time: Option<i64>) {
        let Some(agent) = self.about(at, said.task, None) else { return };
        if !self.of_current_run(agent, said.run.as_deref(), None) {
            return;
        }
        let life = self.life(agent);
        let run = life.run_mut();
        run.rostered = true;
        match (said.status.as_deref().map_or(Word::Unknown, word), said.end_time) {
            (Word::Ending(outcome), end_time) => run.finish(End { outcome, parked: false }, end_time, time),
            (Word::Live(_) | Word::Unknown, Some(end_time)) => {
                let known = run.end.map_or(Outcome::Ended, |end| end.outcome);
                run.finish(End { outcome: known, parked: false }, Some(end_time), time);
            }
            (Word::Live(_) | Word::Unknown, None) if run.is_stated_over() => return,
            (Word::Live(state), None) => {
                run.enliven(state);
            }
            (Word::Unknown, None) => {}
        }
        run.error = said.error.clone().or(run.error.take());
        life.title = said.title.clone().or(life.title.take());
        life.backgrounded = said.backgrounded.or(life.backgrounded);
    }

    pub(super) fn notice(&mut self, at: usize, said: &Noticed, time: Option<i64>) {
        if said.hidden {
            return;
        }
        let Some(agent) = self.about(at, said.task, said.call) else { return };
        if self.is_copy(at, said, agent) || !self.of_current_run(agent, said.run.as_deref(), said.call) {
            return;
        }
        let counter = if said.block.is_some() { Counter::Block } else { Counter::Roster };
        let over = self.over;
        let life = self.life(agent);
        // A store has the blocks and no start: where a stream overlaps it, the start comes behind them (P8).
        life.run_mut().rostered |= said.block.is_none();
        let Word::Ending(outcome) = notice_word(said.status.as_deref()) else { return };
        let run = life.run_mut();
        if run.stopped && outcome == Outcome::Completed {
            return;
        }
        let summary = said.summary.as_deref().unwrap_or_default();
        let parked = outcome == Outcome::Completed && summary.contains(PARKED) && !over;
        run.finish(End { outcome, parked }, said.end_time, time);
        let told =
            [said.handback.as_ref(), said.result.as_ref(), said.summary.as_ref().filter(|_| said.summary_is_report)];
        run.told = told.into_iter().flatten().next().cloned().or(run.told.take());
        run.summaries.extend(said.summary.clone());
        life.kind = kind_of(said.task_type.as_deref()).or(life.kind);
        life.count(counter, said.usage);
        self.members(&said.members);
    }

    /// A later line with the same block text is a copy, but for an `enqueue` after something new (R13).
    fn is_copy(&mut self, at: usize, said: &Noticed, agent: Agent) -> bool {
        let Some((place, digest)) = said.block else { return false };
        let current = self.life(agent).current();
        let again = match self.notices.get(&digest) {
            None => true,
            Some(&(counted, for_agent, run)) => {
                let renamed = said.task.is_some_and(|task| self.links.named_anew(task, for_agent, counted, at));
                let another_run = agent == for_agent && current > run;
                place == NoticePlace::Enqueue && (renamed || another_run)
            }
        };
        if again {
            self.notices.insert(digest, (at, agent, current));
        }
        !again
    }

    /// The agents of a workflow, as its own frames list them (R7).
    fn members(&mut self, members: &[Member]) {
        for member in members {
            let agent = self.links.agent_of_task(member.task, usize::MAX);
            let life = self.life(agent);
            match word(&member.word) {
                Word::Ending(outcome) => life.run_mut().end = Some(End { outcome, parked: false }),
                Word::Live(_) | Word::Unknown => {
                    life.run_mut().end = None;
                    life.run_mut().live = Some(State::Running);
                }
            }
            life.title = member.label.clone().or(life.title.take());
            life.agent_type = member.agent_type.clone().or(life.agent_type.take());
            life.count(Counter::Roster, member.usage);
        }
    }

    /// One entry of the level of live tasks (R17).
    pub(super) fn listed(&mut self, at: usize, entry: &Listed) {
        let Some(agent) = self.about(at, entry.task, entry.call).filter(|_| !entry.hidden) else { return };
        // A late entry lists the agent all the same, and says nothing else.
        self.listing.push(agent);
        let over = self.life(agent).run().is_stated_over();
        let had_id = self.life(agent).run().id.is_some();
        if !self.of_current_run(agent, entry.run.as_deref(), entry.call) {
            return;
        }
        let life = self.life(agent);
        let run = life.run_mut();
        run.id_by_level |= over && !had_id && run.id.is_some();
        if run.is_stated_over() {
            return;
        }
        run.listed = true;
        run.live = run.live.filter(|_| !run.lost).or(Some(State::Running));
        run.lost = false;
        life.title = entry.title.clone().or(life.title.take());
        life.agent_type = life.agent_type.take().or_else(|| entry.agent_type.clone());
        life.kind = kind_of(entry.task_type.as_deref()).or(life.kind);
    }

    /// What was listed before and is no longer is over (R17).
    pub(super) fn level(&mut self) {
        let listed = std::mem::take(&mut self.listing);
        for (agent, life) in &mut self.lives {
            let run = life.run_mut();
            if run.listed && !listed.contains(agent) && !run.is_stated_over() && !run.is_parked() {
                run.lost = true;
            }
        }
    }

    /// What the result of a call that is no dispatch says of a task (R13, R14, R15).
    pub(super) fn told(&mut self, at: usize, result: &Answered, name: &str, time: Option<i64>) {
        if result.is_error {
            return;
        }
        for told in [&result.field, &result.block].into_iter().flatten() {
            match name {
                "SendMessage" => self.resumed(at, told.resumed, result.call),
                "Workflow" => self.launched(at, told, result.call, time),
                name if is_stop(name) && !told.unsuccessful => self.stopped(at, told.task, time),
                "TaskOutput" | "AgentOutputTool" | "BashOutputTool" | "AgentOutput" | "BashOutput" => {
                    if let Some((task, status, report)) = told.read.as_ref().filter(|_| !told.not_read) {
                        self.read(at, *task, status.as_deref(), report.clone(), time);
                    }
                }
                _ => {}
            }
        }
    }

    /// A started statement in the background, once with the frame that says the same (R15).
    fn resumed(&mut self, at: usize, task: Option<Id>, call: Id) {
        let Some(task) = task else { return };
        let Some(agent) = self.about(at, Some(task), Some(call)) else { return };
        let told_before = self.life(agent).started_by_frames.get(&call).copied();
        if !self.life(agent).started_by_results.insert(call) {
            return;
        }
        if told_before.is_some() {
            let life = self.life(agent);
            life.backgrounded = if life.run().is_stated_over() { life.backgrounded } else { Some(true) };
            return;
        }
        if !self.starts(agent, None, Some(call), false) {
            return;
        }
        let life = self.life(agent);
        if !life.run().is_stated_over() {
            life.run_mut().enliven(State::Running);
            life.backgrounded = Some(true);
        }
    }

    fn launched(&mut self, at: usize, told: &Told, call: Id, time: Option<i64>) {
        if !self.links.begun.iter().any(|begun| begun.at == at) {
            return;
        }
        let Some(agent) = self.about(at, told.task, Some(call)) else { return };
        self.touch(agent, time);
        if !self.starts(agent, None, Some(call), false) {
            return;
        }
        let life = self.life(agent);
        life.started_by_results.insert(call);
        if !life.run().is_stated_over() {
            life.run_mut().enliven(State::Running);
            life.title = told.summary.clone().or(life.title.take());
            life.kind = kind_of(told.task_type.as_deref()).or(Some(Kind::Workflow));
            life.backgrounded = Some(true);
        }
    }

    fn stopped(&mut self, at: usize, task: Option<Id>, time: Option<i64>) {
        let Some(agent) = self.about(at, task, None) else { return };
        let run = self.life(agent).run_mut();
        run.stopped = true;
        run.finish(End { outcome: Outcome::Stopped, parked: false }, None, time);
    }

    fn read(&mut self, at: usize, task: Id, status: Option<&str>, report: Option<String>, time: Option<i64>) {
        let Some(agent) = self.about(at, Some(task), None) else { return };
        let Word::Ending(outcome) = notice_word(status) else { return };
        let life = self.life(agent);
        let run = life.run_mut();
        if run.stopped && outcome == Outcome::Completed {
            return;
        }
        run.finish(End { outcome, parked: false }, None, time);
        run.told = report.or(run.told.take());
        life.count(Counter::Block, Usage::default());
    }
}

/// The tool stops a task.
pub(super) fn is_stop(tool: &str) -> bool {
    matches!(tool, "TaskStop" | "KillShell" | "KillBash")
}

/// A notice that says `blocked` tells of a failure (R14).
fn notice_word(status: Option<&str>) -> Word {
    match status.map_or(Word::Unknown, word) {
        Word::Live(State::Waiting) if status.is_some_and(|status| status.eq_ignore_ascii_case("blocked")) => {
            Word::Ending(Outcome::Failed)
        }
        known @ (Word::Ending(_) | Word::Live(_) | Word::Unknown) => known,
    }
}
