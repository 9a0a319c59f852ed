//! How a run ends, in frames.

use serde_json::{Value, json};

use super::acts::{Act, Hand, Line};
use super::lines::{Tool, usage};
use super::plan::Ending;

impl Hand<'_> {
    pub(super) fn ending(&mut self, line: &mut Line, ending: Ending) -> Vec<Act> {
        let foreground = !line.who.background;
        match ending {
            Ending::Silent => Vec::new(),
            Ending::Plain => self.plain(line),
            Ending::AnswerOnly => self.report(line),
            Ending::Done | Ending::Polled(_) if foreground => {
                let mut acts = self.roster(line, "completed", "The whole report.");
                acts.extend(self.report(line));
                acts
            }
            Ending::Done => self.roster(line, "completed", "The whole report."),
            Ending::Polled(status) => self.polled(line, status),
            Ending::Denied(how) => self.denied(line, how),
            Ending::EndTime(word) => self.end_time(line, word),
            Ending::ErrorFirst(word) => {
                let mut acts = self.refusal(line, "Error: it broke", Value::Null);
                acts.extend(self.roster(line, word, "Agent \"Job\" failed: it broke"));
                acts
            }
            Ending::HandBack => self.hand_back(line),
            Ending::Killed => {
                let mut acts = self.roster(line, "killed", &line.who.title());
                acts.extend(self.marker(line));
                acts
            }
            Ending::Lost => self.lost(line),
            Ending::Marker { withdrawn } => {
                let mut acts = self.marker(line);
                if withdrawn && line.forwarded {
                    acts.push(Act::Line(self.lines.text(Some(&line.who), "On we go.")));
                }
                acts
            }
            Ending::NoticeOnly(status) => self.told(line, status, "It is done."),
            Ending::Parked { done } => self.parked(line, done),
            Ending::TaskStop { told_completed } => self.task_stop(line, told_completed),
            Ending::Word(word) => self.word(line, word),
        }
    }

    /// The update and the notification of an ending, and the level without the task, in one of the orders seen.
    fn roster(&mut self, line: &Line, word: &'static str, summary: &str) -> Vec<Act> {
        let client = self.lines.client;
        let mut acts = Vec::new();
        if client.updated {
            let mut patch = json!({ "status": word, "end_time": end_time(line) });
            if word == "failed" {
                patch["error"] = json!("it broke");
            }
            acts.push(Act::Line(self.lines.updated(&line.who, patch)));
        }
        let told = if word == "killed" && !client.stored { "stopped" } else { word };
        acts.extend(self.told(line, told, summary));
        if line.who.background && client.level {
            let place = usize::from(self.pick(3)).min(acts.len());
            acts.insert(place, Act::Strike(line.who.task.clone()));
        }
        acts
    }

    /// The notification of a status: a frame on the stream, lines with its text in the store.
    fn told(&mut self, line: &Line, status: &str, summary: &str) -> Vec<Act> {
        let (lines, who) = (self.lines, &line.who);
        if lines.client.notification {
            let mut frame = lines.notification(who, &who.parent, status, summary, line.count + 1);
            if self.pick(3) == 0 && status == "completed" {
                frame["summary_is_report"] = json!(true);
            }
            return vec![Act::Line(frame)];
        }
        if !who.background {
            return Vec::new();
        }
        let result = (status == "completed").then_some("Told &amp; done.");
        let text = lines.notice(who, &who.parent, status, summary, result);
        let mut enqueued = json!({ "type": "queue-operation", "operation": "enqueue" });
        enqueued["content"] = json!(text);
        let mut turn = lines.user(line.maker(), json!(text));
        turn["origin"] = json!({ "kind": "task-notification" });
        let attached = json!({ "type": "queued_command", "commandMode": "task-notification", "prompt": text });
        match self.pick(4) {
            0 => vec![Act::Line(turn)],
            1 => vec![Act::Line(enqueued.clone()), Act::Line(turn), Act::Line(enqueued)],
            2 => vec![Act::Line(enqueued), Act::Line(json!({ "type": "attachment", "attachment": attached }))],
            _ => vec![Act::Line(enqueued), Act::Line(turn)],
        }
    }

    /// The answer is a report.
    fn report(&mut self, line: &Line) -> Vec<Act> {
        if !line.seen {
            return Vec::new();
        }
        let (client, who) = (self.lines.client, &line.who);
        let long = "A line of a long report.\n".repeat(50);
        let text = if self.pick(6) == 0 { long.as_str() } else { "A report.\n  Indented." };
        let told = format!("agentId: {} (for resuming)\n<usage>total_tokens: 5\ntool_uses: 1</usage>", who.task);
        let count = line.count + 2;
        let content = json!([{ "type": "text", "text": text }]);
        let mut field = json!({ "content": content, "totalTokens": 100 * count, "totalToolUseCount": count });
        field["totalDurationMs"] = json!(300 * count);
        if client.version != "2.0.0" {
            field["status"] = json!("completed");
            field["agentId"] = json!(who.task);
        }
        let field = if client.structured && self.pick(4) > 0 { field } else { Value::Null };
        let marked =
            "[Subagent hand-back] The text below is the final report of a subagent.\n  A report.\n    Indented.";
        let texts: &[&str] = match self.pick(3) {
            0 if client.run_ids => &[marked],
            _ if client.version == "2.0.0" => &[text],
            _ => &[text, &told],
        };
        vec![Act::Line(self.lines.result(line.maker(), &who.dispatch, texts, false, field))]
    }

    fn plain(&mut self, line: &Line) -> Vec<Act> {
        if !line.seen {
            return Vec::new();
        }
        let text = "I will print [Subagent hand-back] later";
        vec![Act::Line(self.lines.result(line.maker(), &line.who.dispatch, &[text], false, Value::Null))]
    }

    /// The answer is an error.
    fn refusal(&mut self, line: &Line, text: &str, field: Value) -> Vec<Act> {
        if !line.seen {
            return Vec::new();
        }
        vec![Act::Line(self.lines.result(line.maker(), &line.who.dispatch, &[text], true, field))]
    }

    fn denied(&mut self, line: &Line, how: &str) -> Vec<Act> {
        let text = match self.pick(3) {
            0 => "The user doesn't want to proceed with this tool use.",
            1 => "[Tool call interrupted before it ran]",
            _ => "[Request interrupted by user for tool use]",
        };
        let mut acts = self.refusal(line, text, Value::Null);
        if let (Some(Act::Line(frame)), true) = (acts.first_mut(), how != "other") {
            frame["toolDenialKind"] = json!(how);
        }
        acts
    }

    fn end_time(&mut self, line: &Line, word: Option<&'static str>) -> Vec<Act> {
        let mut acts = Vec::new();
        if self.lines.client.updated {
            let patch = json!({ "status": "weird", "end_time": end_time(line) });
            acts.push(Act::Line(self.lines.updated(&line.who, patch)));
        }
        if let Some(word) = word {
            acts.extend(self.told(line, word, &line.who.title()));
        }
        acts
    }

    fn hand_back(&mut self, line: &Line) -> Vec<Act> {
        let task = &line.who.task;
        let text = format!(
            "<agent-message from=\"{task}\">\n[Subagent hand-back] The text below is the final report of a subagent.\n  \
             Handed back.\n</agent-message>"
        );
        let mut turn = self.lines.user(line.maker(), json!(text));
        turn["origin"] = json!({ "kind": "peer", "from": task, "senderTaskId": task, "handback": true, "body": text });
        let mut acts = vec![Act::Line(turn)];
        acts.extend(self.told(line, "completed", "Agent \"Job\" finished"));
        acts
    }

    /// The interrupt marker, in a frame of the agent.
    fn marker(&mut self, line: &Line) -> Vec<Act> {
        if !line.forwarded {
            return Vec::new();
        }
        let text = if self.pick(2) == 0 {
            "[Request interrupted by user]"
        } else {
            "[Request interrupted by user for tool use]"
        };
        vec![Act::Line(self.lines.user(Some(&line.who), json!([{ "type": "text", "text": text }])))]
    }

    /// The level forgets the agent, and nothing else is said.
    fn lost(&mut self, line: &Line) -> Vec<Act> {
        if !self.lines.client.level {
            return Vec::new();
        }
        let mut acts = vec![Act::Strike(line.who.task.clone())];
        match self.pick(4) {
            0 if line.forwarded => {
                let id = self.id('c');
                let tool = Tool { name: "Read", input: json!({ "file_path": "late.txt" }) };
                acts.push(Act::Line(self.lines.call(Some(&line.who), &id, &tool)));
            }
            1 => acts.push(Act::Enlist(self.lines.entry(&line.who, line.maker()))),
            2 => acts.push(Act::Line(self.lines.progress(&line.who, &line.who.parent, "Still here", "Read", 9))),
            _ => {}
        }
        acts
    }

    fn parked(&mut self, line: &mut Line, done: bool) -> Vec<Act> {
        let summary = format!("Agent \"{}\" is waiting on its own background work", line.who.title());
        let mut acts = Vec::new();
        if self.lines.client.updated {
            let patch = json!({ "status": "completed", "end_time": end_time(line) - 500 });
            acts.push(Act::Line(self.lines.updated(&line.who, patch)));
        }
        acts.extend(self.told(line, "completed", &summary));
        if done {
            line.count += 2;
            if self.lines.client.progress {
                let frame = self.lines.progress(&line.who, &line.who.parent, "Awake", "Read", line.count);
                acts.push(Act::Line(frame));
            }
            acts.extend(self.roster(line, "completed", "The rest."));
        }
        acts
    }

    fn polled(&mut self, line: &Line, status: &str) -> Vec<Act> {
        if !self.can_be_named(line) {
            return Vec::new();
        }
        let id = self.id('o');
        let tool = Tool { name: "TaskOutput", input: json!({ "task_id": line.who.task, "block": true }) };
        let read = if status == "running" { "timeout" } else { "success" };
        let task = json!({ "task_id": line.who.task, "task_type": "local_agent", "status": status, "result": "Read." });
        let field = json!({ "retrieval_status": read, "task": task });
        let text = format!(
            "<retrieval_status>{read}</retrieval_status>\n\n<task_id>{}</task_id>\n\n<status>{status}</status>",
            line.who.task
        );
        let field = if self.pick(2) == 0 { field } else { Value::Null };
        vec![
            Act::Line(self.lines.call(line.maker(), &id, &tool)),
            Act::Line(self.lines.result(line.maker(), &id, &[&text], false, field)),
        ]
    }

    fn task_stop(&mut self, line: &Line, told_completed: bool) -> Vec<Act> {
        if !self.can_be_named(line) {
            return Vec::new();
        }
        let id = self.id('k');
        let task = &line.who.task;
        let tool = Tool { name: "TaskStop", input: json!({ "task_id": task }) };
        let said = json!({ "message": "Successfully stopped task", "task_id": task, "task_type": "local_agent" });
        let text = said.to_string();
        let field = if self.pick(2) == 0 { said } else { Value::Null };
        let mut acts = vec![
            Act::Line(self.lines.call(line.maker(), &id, &tool)),
            Act::Line(self.lines.result(line.maker(), &id, &[&text], false, field)),
        ];
        if told_completed {
            acts.extend(self.told(line, "completed", &line.who.title()));
        }
        acts
    }

    /// The maker's frames are on the stream, and it was told the agent's id: a call that waits for its answer knows none.
    fn can_be_named(&self, line: &Line) -> bool {
        let heard = line.maker.as_ref().is_none_or(|maker| maker.forwarded);
        heard && (line.who.background || self.lines.client.started)
    }

    fn word(&mut self, line: &Line, word: &str) -> Vec<Act> {
        if !self.lines.client.updated {
            return Vec::new();
        }
        let mut acts = vec![Act::Line(self.lines.updated(&line.who, json!({ "status": word })))];
        if self.pick(3) == 0 && self.lines.client.progress {
            let mut late = self.lines.progress(&line.who, &line.who.parent, "Too late", "Read", 50);
            late["usage"] = usage(50);
            acts.push(Act::Line(late));
        }
        acts
    }
}

/// When a run ends, by the source's own clock.
fn end_time(line: &Line) -> i64 {
    1_772_442_000_000
        + 100_000 * i64::try_from(line.who.number).expect("few agents")
        + 1_000 * i64::try_from(line.who.run).expect("few runs")
}
