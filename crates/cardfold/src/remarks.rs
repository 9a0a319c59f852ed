//! What a dialect says of an agent: annotations, and endings that were guessed from text (section 2, R18, R20). Knows
//! no other frame.

use cardfold_wire::{Annotation, Guess, Remark};

use crate::agent::AgentId;
use crate::card::Outcome;
use crate::changes::Field;
use crate::clean::bounded;
use crate::limits::{ANNOTATION_BYTES, ANNOTATIONS};
use crate::run::Guessed;
use crate::table::key;
use crate::texts::NAME_CHARS;
use crate::tracker::CardTracker;
use crate::update::Rule;
use crate::words::{self, Word};

impl CardTracker {
    pub(crate) fn remark(&mut self, said: &Remark<'_>, at_ms: Option<i64>) {
        let named = said.tool_use_id.as_deref().and_then(|id| self.agent_named(key(id)));
        let known = named.or_else(|| said.task_id.as_deref().and_then(|id| self.agent_of_task(key(id))));
        let Some(agent) = known else { return };
        for annotation in &said.annotations {
            self.annotate(agent, annotation);
        }
        if let Some(guess) = &said.guess {
            self.guess(agent, guess, at_ms);
        }
    }

    /// Past 16 entries, and past the length of one, nothing is taken; it is counted (R26).
    fn annotate(&mut self, agent: AgentId, said: &Annotation<'_>) {
        let name: String = crate::clean::one_line(&said.name, NAME_CHARS).into();
        let known = &self.agents[agent].annotations;
        let value = known.get(&name);
        if value.is_some_and(|value| *value == said.value) || (value.is_none() && said.value == "null") {
            return;
        }
        let is_full = value.is_none() && known.len() >= ANNOTATIONS;
        if name.is_empty() || said.value.len() > ANNOTATION_BYTES || is_full {
            self.counters.evictions += 1;
            return;
        }
        self.touch_rows(agent);
        let known = &mut self.agents[agent].annotations;
        if said.value == "null" {
            known.remove(&name);
        } else {
            known.insert(name, said.value.to_string());
        }
    }

    /// A guess ranks with an interrupt marker: what the roster or the answer states stands, whatever comes first.
    fn guess(&mut self, agent: AgentId, said: &Guess<'_>, at_ms: Option<i64>) {
        let outcome = match said.word.as_deref().map(words::status) {
            None => Outcome::Ended,
            Some(Word::Ending(outcome)) => outcome,
            Some(Word::Live(_) | Word::Unknown) => {
                self.unknown_word(said.word.as_deref().unwrap_or_default());
                return;
            }
        };
        let run = &self.agents[agent].run;
        if run.is_stated_over() || run.parked {
            self.late();
            return;
        }
        self.rule = Rule::R18;
        self.drop_guess(agent);
        let ended_at_ms = said.end_time_ms.or(at_ms);
        let gave_error = said.error.is_some() && self.is_missing(agent, Field::Error);
        if let Some(error) = said.error.as_ref().filter(|_| gave_error) {
            let (text, cut) = bounded(error.as_str());
            self.take_bounded_error(agent, &text, cut || error.is_cut(), false);
        }
        self.edit(agent).run.guess = Some(Guessed { outcome, ended_at_ms, gave_error });
        self.refresh(agent);
    }

    /// Something better is known than what was guessed: the guess goes, and the error with it that it gave.
    pub(crate) fn drop_guess(&mut self, agent: AgentId) {
        if self.agents[agent].run.guess.is_none() {
            return;
        }
        let guess = self.edit(agent).run.guess.take();
        if guess.is_some_and(|guess| guess.gave_error) {
            self.set_text(agent, Field::Error, None);
        }
    }
}
