//! A plan turned into frames: each agent's strand in its own order, strands of agents that run side by side woven.

use serde_json::{Value, json};

use super::lines::{Lines, Tool, Who};
use super::plan::{Ending, Job, Plan, Sort, Step, Stint};

/// One thing that is written down.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// The level of live tasks is told, with an entry more.
    Enlist(Value),
    Line(Value),
    /// The level is told as it is.
    Restate,
    /// The level is told, without a task.
    Strike(String),
}

/// Numbers and choices, used up on the way.
#[derive(Debug)]
pub(super) struct Hand<'p> {
    pub(super) lines: Lines,
    picks: std::iter::Cycle<std::slice::Iter<'p, u8>>,
    agents: usize,
    ids: usize,
}

/// An agent on its way, and who made it; each level down is one more.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) who: Who,
    pub(super) maker: Option<Box<Line>>,
    pub(super) forwarded: bool,
    /// Its dispatch, and what answers it, are on the stream.
    pub(super) seen: bool,
    /// Figures told so far in this run.
    pub(super) count: usize,
}

impl Line {
    pub(super) fn maker(&self) -> Option<&Who> {
        self.maker.as_ref().map(|maker| &maker.who)
    }
}

pub(super) fn acts(plan: &Plan) -> Vec<Act> {
    let lines = Lines { client: plan.client };
    let mut hand = Hand { lines, picks: plan.picks.iter().cycle(), agents: 0, ids: 0 };
    let mut acts = vec![Act::Line(json!({ "type": "system", "subtype": "init" }))];
    for job in &plan.jobs {
        let strand = hand.job(job, None);
        acts = hand.weave(acts, strand);
    }
    acts
}

impl Hand<'_> {
    pub(super) fn id(&mut self, letter: char) -> String {
        self.ids += 1;
        format!("toolu_{letter}{}", self.ids)
    }

    pub(super) fn pick(&mut self, of: u8) -> u8 {
        self.picks.next().expect("a plan has picks") % of
    }

    /// Two strands as one, each in its own order.
    pub(super) fn weave(&mut self, first: Vec<Act>, second: Vec<Act>) -> Vec<Act> {
        let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
        let mut woven = Vec::new();
        while first.peek().is_some() && second.peek().is_some() {
            woven.extend(if self.pick(3) == 0 { second.next() } else { first.next() });
        }
        woven.extend(first);
        woven.extend(second);
        woven
    }

    /// All of an agent's strand, from its dispatch on.
    fn job(&mut self, job: &Job, maker: Option<&Line>) -> Vec<Act> {
        self.agents += 1;
        let client = self.lines.client;
        let number = self.agents;
        let dispatch = self.id('D');
        let kind = match job.sort {
            Sort::Agent => "local_agent",
            Sort::Remote => "remote_agent",
            Sort::Teammate => "in_process_teammate",
            Sort::Workflow => "local_workflow",
        };
        let told_by_roster = client.started && client.types;
        let heard = maker.is_none_or(|maker| maker.forwarded);
        let who = Who {
            number,
            task: format!("a{number:016x}"),
            parent: dispatch.clone(),
            dispatch,
            run: 1,
            depth: maker.map_or(1, |maker| maker.who.depth + 1),
            background: job.background,
            kind: if client.types { kind } else { "local_agent" },
        };
        let maker = maker.cloned().map(Box::new);
        let seen = heard && (job.seen || !told_by_roster);
        let mut line = Line { who, maker, forwarded: job.forwarded, seen, count: 0 };
        if job.sort == Sort::Workflow && client.types {
            return self.workflow(&line);
        }
        let mut acts = self.dispatch(&line, job);
        for (number, stint) in job.stints.iter().enumerate() {
            if number > 0 {
                if !self.was_told(&line, job.stints[number - 1].ending) {
                    break;
                }
                line.who.run += 1;
                line.count = 0;
                acts.extend(self.resume(&mut line, stint));
            }
            acts.extend(self.steps(&mut line, &stint.steps, stint));
        }
        acts
    }

    /// The maker knows the id of the agent, which it needs to start it again.
    fn was_told(&self, line: &Line, last: Ending) -> bool {
        let by_report = self.lines.client.version != "2.0.0" && matches!(last, Ending::AnswerOnly | Ending::Done);
        line.who.background || self.lines.client.started || by_report
    }

    fn dispatch(&mut self, line: &Line, job: &Job) -> Vec<Act> {
        let (lines, who, maker) = (self.lines, &line.who, line.maker());
        let mut input = json!({ "prompt": format!("Do job {}.", who.number) });
        if job.described {
            let long = if self.pick(8) == 0 { " and more of it".repeat(6) } else { String::new() };
            input["description"] = json!(format!("{}{long}", who.title()));
        }
        if job.typed {
            input["subagent_type"] = json!("explorer");
        }
        if job.background {
            input["run_in_background"] = json!(true);
        }
        let mut acts = Vec::new();
        if line.seen {
            acts.push(Act::Line(lines.call(maker, &who.dispatch, &Tool { name: lines.client.tool, input })));
        } else if let Some(maker) = maker.filter(|_| !lines.client.depth && lines.client.progress) {
            // The one trace that these clients leave of whose agent it is (R6).
            let doing = who.title();
            acts.push(Act::Line(lines.progress(maker, &maker.dispatch, &doing, lines.client.tool, 1)));
        }
        let mut start = Vec::new();
        if who.background && lines.client.level {
            start.push(Act::Enlist(lines.entry(who, maker)));
        }
        if lines.client.started {
            start.push(Act::Line(lines.started(who, &who.dispatch, maker)));
        }
        acts.extend(start);
        if lines.client.stored && self.pick(4) > 0 {
            let mut sidecar = json!({ "type": "agent_metadata", "agentId": who.task, "agentType": "explorer" });
            sidecar["toolUseId"] = json!(who.dispatch);
            acts.push(Act::Line(sidecar));
        }
        if line.seen && who.background {
            acts.push(Act::Line(self.acknowledgement(line, job.sort)));
        } else if line.forwarded {
            let prompt = format!("Do job {}.", who.number);
            acts.push(Act::Line(lines.user(Some(who), json!([{ "type": "text", "text": prompt }]))));
        }
        acts
    }

    pub(super) fn acknowledgement(&self, line: &Line, sort: Sort) -> Value {
        let (who, task) = (&line.who, &line.who.task);
        let field = match sort {
            Sort::Remote => json!({ "status": "remote_launched", "taskId": task }),
            Sort::Teammate => json!({ "status": "teammate_spawned", "agentId": task }),
            Sort::Agent | Sort::Workflow => json!({ "isAsync": true, "status": "async_launched", "agentId": task }),
        };
        let field = if self.lines.client.structured { field } else { Value::Null };
        let text = format!("Async agent launched successfully.\nagentId: {task} (internal ID)\n");
        self.lines.result(line.maker(), &who.dispatch, &[&text], false, field)
    }

    /// Old clients start an agent again by a dispatch of its own, which gives a second card (R3).
    fn dispatch_again(&mut self, line: &mut Line) -> Vec<Act> {
        line.who.dispatch = self.id('D');
        line.who.parent.clone_from(&line.who.dispatch);
        let input = json!({ "prompt": "Again.", "description": line.who.title(), "resume": line.who.task });
        let tool = Tool { name: self.lines.client.tool, input };
        let mut acts = vec![Act::Line(self.lines.call(line.maker(), &line.who.dispatch, &tool))];
        if line.who.background {
            acts.push(Act::Line(self.acknowledgement(line, Sort::Agent)));
        }
        acts
    }

    /// A message that starts the agent again.
    fn resume(&mut self, line: &mut Line, stint: &Stint) -> Vec<Act> {
        let lines = self.lines;
        if lines.client.tool == "Task" && line.seen {
            return self.dispatch_again(line);
        }
        let call = self.id('s');
        let mut acts = Vec::new();
        let heard = line.maker.as_ref().is_none_or(|maker| maker.forwarded);
        let input = json!({ "to": line.who.task, "message": "Again." });
        if heard {
            acts.push(Act::Line(lines.call(line.maker(), &call, &Tool { name: "SendMessage", input })));
        }
        line.who.background = true;
        if lines.client.level {
            acts.push(Act::Enlist(lines.entry(&line.who, line.maker())));
        }
        if lines.client.started && !stint.unannounced {
            acts.push(Act::Line(lines.started(&line.who, &call, line.maker())));
        }
        if heard {
            let said = json!({ "success": true, "message": "Resuming agent", "resumedAgentId": line.who.task });
            let text = said.to_string();
            let field = if self.pick(2) == 0 { said } else { Value::Null };
            acts.push(Act::Line(lines.result(line.maker(), &call, &[&text], false, field)));
        }
        if stint.new_parent {
            line.who.parent = call;
        }
        acts
    }

    /// The steps of a run, and its ending. What runs in the background goes on beside what is left of them.
    fn steps(&mut self, line: &mut Line, steps: &[Step], stint: &Stint) -> Vec<Act> {
        let Some((step, rest)) = steps.split_first() else { return self.ending(line, stint.ending) };
        if let Step::Nested(job) = step {
            let below = self.job(job, Some(line));
            let rest = self.steps(line, rest, stint);
            return if job.background { self.weave(rest, below) } else { below.into_iter().chain(rest).collect() };
        }
        let mut acts = self.step(line, step);
        acts.extend(self.steps(line, rest, stint));
        acts
    }
}
