//! What an agent does in a run, in frames.

use serde_json::{Value, json};

use super::acts::{Act, Hand, Line};
use super::lines::{Tool, tool};
use super::plan::{Outcome, Sort, Step};

impl Hand<'_> {
    pub(super) fn step(&mut self, line: &mut Line, step: &Step) -> Vec<Act> {
        match step {
            Step::Aborted
            | Step::Call { .. }
            | Step::Pair
            | Step::ServerTool { .. }
            | Step::Shell
            | Step::TakenBack { .. }
            | Step::Text => {
                if line.forwarded {
                    self.own(line, step)
                } else {
                    Vec::new()
                }
            }
            Step::Level | Step::Message | Step::Moved | Step::Nested(_) | Step::Progress { .. } | Step::Word(_) => {
                self.told_of(line, step)
            }
        }
    }

    /// Frames of the agent itself.
    fn own(&mut self, line: &Line, step: &Step) -> Vec<Act> {
        let (lines, who) = (self.lines, Some(&line.who));
        match step {
            Step::Aborted => {
                let mut frame = lines.text(who, "Half a thou");
                frame["aborted"] = json!(true);
                vec![Act::Line(frame)]
            }
            Step::Call { tool: number, result, asked } => self.call(line, &tool(*number), *result, *asked),
            Step::Pair => {
                let ids = [self.id('c'), self.id('c')];
                let calls =
                    ids.each_ref().map(|id| json!({ "type": "tool_use", "id": id, "name": "Read", "input": {} }));
                let results = ids.map(|id| json!({ "type": "tool_result", "tool_use_id": id, "content": "ok" }));
                vec![Act::Line(lines.model(who, json!(calls))), Act::Line(lines.user(who, json!(results)))]
            }
            Step::ServerTool { fails } => {
                let id = self.id('v');
                let input = json!({ "query": "tea" });
                let call = json!({ "type": "server_tool_use", "id": id, "name": "web_search", "input": input });
                let content = if *fails {
                    json!({ "type": "web_search_tool_result_error", "error_code": "unavailable" })
                } else {
                    json!([])
                };
                let result = json!({ "type": "web_search_tool_result", "tool_use_id": id, "content": content });
                vec![Act::Line(lines.model(who, json!([call]))), Act::Line(lines.model(who, json!([result])))]
            }
            Step::Shell => self.shell(line),
            Step::TakenBack { returned } => {
                let ids = [self.id('c'), self.id('c')];
                let read = Tool { name: "Read", input: json!({ "file_path": "first.txt" }) };
                let mut taken = lines.call(who, &ids[0], &read);
                let uuid = format!("u-{}", ids[0]);
                taken["uuid"] = json!(uuid);
                let mut acts = vec![Act::Line(taken)];
                if *returned {
                    acts.push(Act::Line(lines.result(who, &ids[0], &["ok"], false, Value::Null)));
                }
                let mut instead = lines.call(who, &ids[1], &read);
                instead["supersedes"] = json!([uuid]);
                acts.push(Act::Line(instead));
                acts
            }
            Step::Text => vec![Act::Line(lines.text(who, "Looking."))],
            Step::Level | Step::Message | Step::Moved | Step::Nested(_) | Step::Progress { .. } | Step::Word(_) => {
                Vec::new()
            }
        }
    }

    /// A shell that the agent runs: its task frames are no agent's.
    fn shell(&mut self, line: &Line) -> Vec<Act> {
        let (lines, client) = (self.lines, self.lines.client);
        let id = self.id('c');
        let bash = Tool { name: "Bash", input: json!({ "command": "sleep 9" }) };
        let mut acts = vec![Act::Line(lines.call(Some(&line.who), &id, &bash))];
        if client.started && client.types {
            let task = format!("b{}", id.len() + line.who.number);
            acts.push(Act::Line(json!({
                "type": "system", "subtype": "task_started", "task_id": task, "tool_use_id": id,
                "task_type": "local_bash", "description": "Sleep", "owned_by_subagent": true,
            })));
            acts.push(Act::Line(json!({
                "type": "system", "subtype": "task_notification", "task_id": task, "tool_use_id": id,
                "status": "failed", "summary": "Background command failed",
            })));
        }
        acts.push(Act::Line(lines.result(Some(&line.who), &id, &["Exit code 1"], true, Value::Null)));
        acts
    }

    /// Frames about the agent.
    fn told_of(&mut self, line: &mut Line, step: &Step) -> Vec<Act> {
        let (lines, client) = (self.lines, self.lines.client);
        let who = line.who.clone();
        match step {
            Step::Level if client.level => vec![Act::Restate],
            Step::Message if line.maker.as_ref().is_none_or(|maker| maker.forwarded) => {
                let id = self.id('s');
                let tool = Tool { name: "SendMessage", input: json!({ "to": who.task, "message": "And?" }) };
                let said = json!({ "success": true, "message": "Message queued for delivery at its next tool round" });
                let text = said.to_string();
                let result = lines.result(line.maker(), &id, &[&text], false, said);
                vec![Act::Line(lines.call(line.maker(), &id, &tool)), Act::Line(result)]
            }
            Step::Moved if client.level && !who.background => {
                line.who.background = true;
                let mut acts = vec![
                    Act::Enlist(lines.entry(&line.who, line.maker())),
                    Act::Line(lines.updated(&who, json!({ "is_backgrounded": true }))),
                ];
                if line.seen {
                    acts.push(Act::Line(self.acknowledgement(line, Sort::Agent)));
                }
                acts
            }
            Step::Progress { summary } if client.progress => {
                line.count += 1;
                let mut frame = lines.progress(&who, &who.parent, "Reading notes", "Read", line.count);
                if *summary {
                    frame["summary"] = json!("Reads the notes");
                }
                vec![Act::Line(frame)]
            }
            Step::Word(word) if client.updated => vec![Act::Line(lines.updated(&who, json!({ "status": word })))],
            Step::Aborted
            | Step::Call { .. }
            | Step::Level
            | Step::Message
            | Step::Moved
            | Step::Nested(_)
            | Step::Pair
            | Step::Progress { .. }
            | Step::ServerTool { .. }
            | Step::Shell
            | Step::TakenBack { .. }
            | Step::Text
            | Step::Word(_) => Vec::new(),
        }
    }

    /// A call of the agent with its result, and a question on the way where somebody must be asked.
    fn call(&mut self, line: &Line, tool: &Tool, outcome: Outcome, asked: Option<bool>) -> Vec<Act> {
        let (lines, who) = (self.lines, Some(&line.who));
        let id = self.id('c');
        let call = Act::Line(lines.call(who, &id, tool));
        let result = |is_error, field| Act::Line(lines.result(who, &id, &["ok"], is_error, field));
        let mut acts = match outcome {
            Outcome::Early => return vec![result(false, Value::Null), call],
            Outcome::Detached | Outcome::Error | Outcome::Nothing | Outcome::Ok => vec![call],
        };
        if let Some(answered) = asked {
            let request = self.id('q');
            let mut question = json!({ "subtype": "can_use_tool", "tool_name": tool.name, "tool_use_id": id });
            if self.lines.client.run_ids {
                question["agent_id"] = json!(line.who.task);
            }
            acts.push(Act::Line(json!({ "type": "control_request", "request_id": request, "request": question })));
            if answered {
                let response = json!({ "subtype": "success", "request_id": request });
                acts.push(Act::Line(json!({ "type": "control_response", "response": response })));
            }
        }
        match outcome {
            Outcome::Nothing | Outcome::Early => {}
            Outcome::Ok => acts.push(result(false, Value::Null)),
            Outcome::Error => acts.push(result(true, Value::Null)),
            Outcome::Detached => acts.push(result(false, json!({ "detachedToolCall": true }))),
        }
        acts
    }
}
