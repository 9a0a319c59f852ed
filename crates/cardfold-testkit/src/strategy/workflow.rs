//! A workflow: a card of its own whose members are rows (R5, R7).

use serde_json::{Value, json};

use super::acts::{Act, Hand, Line};
use super::lines::Tool;

impl Hand<'_> {
    /// The strand of a workflow with two members, one of which may be left unfinished.
    pub(super) fn workflow(&mut self, line: &Line) -> Vec<Act> {
        let (lines, who, maker) = (self.lines, &line.who, line.maker());
        let mut acts = Vec::new();
        let field = json!({
            "status": "async_launched", "taskId": who.task, "taskType": "local_workflow", "runId": "wf_1",
            "summary": who.title(),
        });
        let text = field.to_string();
        if line.seen {
            let tool = Tool { name: "Workflow", input: json!({ "name": "tour" }) };
            acts.push(Act::Line(lines.call(maker, &who.dispatch, &tool)));
        }
        let announced = lines.client.started && self.pick(3) > 0;
        if announced {
            acts.push(Act::Line(lines.started(who, &who.dispatch, maker)));
        }
        if line.seen {
            let field = if self.pick(2) == 0 { field } else { Value::Null };
            acts.push(Act::Line(lines.result(maker, &who.dispatch, &[&text], false, field)));
        }
        if !lines.client.progress {
            return acts;
        }
        let member = |index: usize| format!("m{}{index:015x}", who.number);
        let item = |index: usize, state: &str| {
            json!({
                "type": "workflow_agent", "index": index, "label": format!("Part {index}"), "state": state,
                "agentId": member(index), "agentType": "walker", "tokens": 10 * index, "toolCalls": index,
                "durationMs": 20 * index,
            })
        };
        let mut progress = |items: Value, count: usize| {
            let mut frame = lines.progress(who, &who.dispatch, "Part 1", "Read", count);
            frame["workflow_progress"] = items;
            acts.push(Act::Line(frame));
        };
        progress(json!([item(1, "start"), { "type": "workflow_phase", "index": 1, "title": "First" }]), 1);
        progress(json!([item(1, "done"), item(2, "progress")]), 2);
        let ending = self.pick(4);
        let mut last = item(2, if ending == 0 { "error" } else { "progress" });
        if ending == 1 {
            last["endedWithRun"] = json!("stopped");
        }
        if ending < 3 {
            let mut frame = lines.notification(who, &who.dispatch, "completed", &who.title(), 3);
            frame["workflow_progress"] = json!([item(1, "done"), last]);
            acts.push(Act::Line(frame));
        }
        acts
    }
}
