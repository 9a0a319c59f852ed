//! How a turn ends: by its result, by a failure, by the end of its agent, and which of them counts. Knows no envelope.

use cardfold_wire::Text;

use crate::annotations::Annotations;
use crate::dialect::Output;
use crate::ending::{Ending, Strength};
use crate::fact;
use crate::object::Object;
use crate::supervisor::outcome::{Origin, ending_word};
use crate::supervisor::preview::LastText;
use crate::supervisor::result::{TurnResult, error_text};
use crate::supervisor::{Envelope, Supervisor, is_current, start};

impl Supervisor {
    /// The result of a turn.
    pub(crate) fn result(&mut self, said: Envelope<'_>, out: &mut Output) {
        let result = TurnResult::of(said.payload);
        if let Some(version) = said.payload.get("version").filter(|version| !is_current(version)) {
            return out.unknown(format!("result of version {version}"));
        }
        if let Some(other) = result.agent_id.filter(|agent| *agent != said.agent) {
            return out.malformed(format!("a result of agent {other} in an event of agent {}", said.agent));
        }
        let Some(word) = result.word() else {
            return out.unknown(format!("result with status {}", result.status()));
        };
        let turn = result.turn_id.or(said.turn);
        if self.is_of_past_turn(said.agent, turn) {
            return;
        }
        if !self.is_undone(said.agent, turn, &result) {
            self.begin_turn_of(said, turn, out);
            let end_ms = result.created_ms.or(said.at_ms);
            let ending = Ending {
                end_ms,
                error: result.error().as_deref().map(whole),
                report: self.report(said.agent, result.report()),
                usage: result.usage(),
                ..Ending::new(Strength::Record, word)
            };
            self.resolve(said.agent, turn, word == "completed");
            self.ledger.end(out, said.at_ms.or(end_ms), said.agent, ending);
        }
        out.frames.extend(result.annotations().frame(said.agent));
    }

    /// The turn has succeeded, and the supervisor took that back when it shut the agent down (W1-7).
    fn is_undone(&self, agent: &str, turn: Option<&str>, result: &TurnResult<'_>) -> bool {
        let succeeded = self.agents.get(agent).is_some_and(|agent| agent.succeeded);
        succeeded && result.is_shut_down() && self.is_current_turn(agent, turn)
    }

    /// The turn failed, and that is all.
    pub(crate) fn failed(&mut self, said: Envelope<'_>, out: &mut Output) {
        if self.is_of_past_turn(said.agent, said.turn) {
            return;
        }
        let error = said.payload.object("error");
        let code = error.and_then(|error| error.text("code"));
        let message = error.and_then(|error| error.text("message")).or(said.payload.text("error"));
        self.begin_turn_of(said, said.turn, out);
        let ending = Ending {
            end_ms: said.at_ms,
            error: error_text(code, message).as_deref().map(whole),
            report: self.report(said.agent, None),
            ..Ending::new(Strength::Message, ending_word("failed", code, None).unwrap_or("failed"))
        };
        self.resolve(said.agent, said.turn, false);
        self.ledger.end(out, said.at_ms, said.agent, ending);
    }

    /// The agent's process is gone. Of a turn without a result that is all there is.
    pub(crate) fn exited(&mut self, said: Envelope<'_>, out: &mut Output) {
        self.start(said, None, out);
        let mut annotations = Annotations::default();
        annotations.note("exit", said.payload.get("code").map(|_| said.payload).map(exit_annotation));
        out.frames.extend(annotations.frame(said.agent));
        let agent = self.agents.entry(said.agent);
        if agent.resolved {
            return;
        }
        let origin = said.payload.text("origin").and_then(Origin::of).or(agent.shutdown);
        let code = said.payload.get("code").and_then(|code| code.as_i64());
        let reason = said.payload.text("reason");
        let report = self.report(said.agent, None);
        let ending = match (origin, code) {
            (Some(origin), _) => {
                let (code, message) = origin.error();
                let error = error_text(Some(code), Some(message)).as_deref().map(whole);
                Ending { error, ..Ending::new(Strength::Message, origin.word()) }
            }
            // It left without a word on its turn: a clean exit is no success (W1-11).
            (None, Some(0) | None) => Ending::unstated(Strength::Guess),
            (None, Some(code)) => {
                let error = reason.map_or_else(|| format!("exit code {code}"), str::to_owned);
                Ending { error: Some(whole(&error)), ..Ending::new(Strength::Message, "failed") }
            }
        };
        self.ledger.end(out, said.at_ms, said.agent, Ending { end_ms: said.at_ms, report, ..ending });
    }

    /// The turn's end was told, and another turn has come since.
    fn is_of_past_turn(&self, agent: &str, turn: Option<&str>) -> bool {
        let Some((agent, turn)) = self.agents.get(agent).zip(turn) else { return false };
        agent.past.contains(turn) && agent.turn.as_deref() != Some(turn)
    }

    fn is_current_turn(&self, agent: &str, turn: Option<&str>) -> bool {
        let Some(agent) = self.agents.get(agent) else { return false };
        turn.is_none() || agent.turn.is_none() || agent.turn.as_deref() == turn
    }

    /// Opens the agent where it is new; begins another run where the end of a turn comes whose beginning was missed.
    fn begin_turn_of(&mut self, said: Envelope<'_>, turn: Option<&str>, out: &mut Output) {
        let is_current = self.is_current_turn(said.agent, turn);
        if self.ledger.over(said.agent).is_some() && !is_current {
            self.agents.entry(said.agent).calls.cut_off();
            self.agents.entry(said.agent).text = LastText::default();
            self.ledger.start_again(out, None, said.agent, start(said.agent));
        } else {
            self.start(said, None, out);
        }
    }

    fn resolve(&mut self, agent: &str, turn: Option<&str>, succeeded: bool) {
        let agent = self.agents.entry(agent);
        agent.resolved = true;
        agent.succeeded = succeeded;
        if let Some(turn) = turn {
            agent.turn = Some(turn.to_owned());
            agent.past.note(turn);
        }
    }

    /// What the result says, else the last text that came before it (S1-12).
    fn report(&self, agent: &str, stated: Option<(&str, bool)>) -> Option<Text<'static>> {
        let streamed = || self.agents.get(agent).and_then(|agent| agent.text.get());
        stated.or_else(streamed).map(|(text, cut)| fact::text_cut_if(text, cut))
    }
}

/// A text of which nothing was left out.
fn whole(text: &str) -> Text<'static> {
    fact::text(text)
}

fn exit_annotation(payload: Object<'_>) -> serde_json::Value {
    let field = |key: &str| payload.get(key).cloned();
    serde_json::json!({ "code": field("code"), "reason": field("reason"), "origin": field("origin") })
}
