//! What was told of each agent of a conversation, so that what a system says twice, late or more weakly does no harm.
//! Knows no system.
//!
//! The fold takes the roster's word as it comes: the later of two endings stands (R20), a start after an ending begins
//! another run (R15). Other systems say `started` twice, end an agent in two places with different words, and let a
//! weaker source speak after a stronger one. The ledger stands between: it opens an agent once, lets an ending pass
//! only if nothing stronger was said of the run, and leaves out what trails behind an ending.
//!
//! It does not know what a run was doing, which calls are open, or when anything happened: times pass through.

use cardfold_wire::{Text, Usage};

use crate::dialect::Output;
use crate::ending::{Ending, Strength};
use crate::fact::{self, Notice, Start, Status};
use crate::kin::Kin;
use crate::recent::Recent;

/// Agents that are remembered: as many as a tracker keeps cards (R26).
const AGENTS: usize = 16_384;

/// Earlier runs that are told of an agent that goes on with what others did. More only a circle of records has.
const FORMER_RUNS: u32 = 64;

/// The word of an agent whose question stays open.
const WAITS: &str = "waiting_for_user";

/// The agents of a conversation.
#[derive(Debug)]
pub struct Ledger {
    agents: Recent<Entry>,
    kin: Kin,
}

#[derive(Debug, Default)]
struct Entry {
    runs: u32,
    /// How the current run ended, and the word for it.
    ended: Option<(Strength, Option<String>)>,
    /// The question that is open.
    question: Option<String>,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { agents: Recent::new(AGENTS), kin: Kin::new(AGENTS) }
    }
}

impl Ledger {
    /// The agent was told of.
    pub fn knows(&self, agent: &str) -> bool {
        self.agents.contains(agent)
    }

    /// The current run of the agent is over, and this is how sure that is.
    pub fn over(&self, agent: &str) -> Option<Strength> {
        self.agents.get(agent)?.ended.as_ref().map(|(strength, _)| *strength)
    }

    /// The word with which the current run ended.
    pub fn last_word(&self, agent: &str) -> Option<&str> {
        self.agents.get(agent)?.ended.as_ref()?.1.as_deref()
    }

    /// The runs that the agent had; 0 for one that nobody told of.
    pub fn runs(&self, agent: &str) -> u32 {
        self.agents.get(agent).map_or(0, |entry| entry.runs)
    }

    /// The agent waits for an answer.
    pub fn is_asking(&self, agent: &str) -> bool {
        self.agents.get(agent).is_some_and(|entry| entry.question.is_some())
    }

    /// The agents, in the order in which they were told of.
    pub fn agents(&self) -> Vec<String> {
        self.agents.keys().map(str::to_owned).collect()
    }

    /// An agent starts. Of one that is known it says nothing new: systems say it twice, and late. A parent that is not
    /// known (yet) leaves the agent a card of its own until it comes.
    pub fn start(
        &mut self,
        out: &mut Output,
        at_ms: Option<i64>,
        agent: &str,
        parent: Option<&str>,
        start: Start<'_>,
    ) -> bool {
        if self.knows(agent) {
            if let Some(parent) = parent {
                self.link(out, agent, parent);
            }
            return false;
        }
        let foretold = self.kin.take_parent(agent);
        let parent = parent.or(foretold.as_deref());
        let known = parent.filter(|parent| *parent != agent && self.knows(parent));
        self.agents.insert(agent, Entry { runs: 1, ..Entry::default() });
        out.frame(fact::started(at_ms, agent, known, start));
        if let Some(parent) = parent.filter(|_| known.is_none()) {
            self.link(out, agent, parent);
        }
        for child in self.kin.take_children(agent) {
            out.frame(fact::parent(&child, agent));
        }
        true
    }

    /// An agent that the fold knows already, by a dispatch. What was told of it by this id stays.
    pub fn adopt(&mut self, agent: &str, runs: u32) {
        let entry = self.agents.entry(agent);
        entry.runs = entry.runs.max(runs);
    }

    /// The agent turns out to have been started by another one.
    pub fn link(&mut self, out: &mut Output, agent: &str, parent: &str) {
        if agent == parent {
            return;
        }
        match (self.knows(agent), self.knows(parent)) {
            (true, true) => out.frame(fact::parent(agent, parent)),
            (true, false) => self.kin.add_child(parent, agent),
            (false, _) => self.kin.set_parent(agent, parent),
        }
    }

    /// The agent goes on with what `former` runs of others did; the last of them ended with this word.
    pub fn continue_runs(&mut self, out: &mut Output, agent: &str, former: u32, word: &str) {
        for _ in 0..former.min(FORMER_RUNS) {
            out.frame(fact::status(None, agent, Status { word: Some(word), ..Status::default() }));
            out.frame(fact::started(None, agent, None, Start { backgrounded: true, ..Start::default() }));
        }
        if let Some(entry) = self.agents.get_mut(agent) {
            entry.runs = entry.runs.saturating_add(former.min(FORMER_RUNS));
        }
    }

    /// Another run of an agent begins.
    pub fn start_again(&mut self, out: &mut Output, at_ms: Option<i64>, agent: &str, start: Start<'_>) {
        let Some(entry) = self.agents.get_mut(agent) else {
            self.start(out, at_ms, agent, None, start);
            return;
        };
        entry.runs = entry.runs.saturating_add(1);
        entry.ended = None;
        entry.question = None;
        out.frame(fact::started(at_ms, agent, None, start));
    }

    /// A live word of R16, or a word that it does not have. It says nothing of a run that was stated to be over.
    pub fn live(&mut self, out: &mut Output, at_ms: Option<i64>, agent: &str, said: Status<'_>) {
        if said.word != Some(WAITS) {
            self.settle_question(out, agent);
        }
        if let Some(entry) = self.agents.get_mut(agent) {
            match entry.ended {
                Some((Strength::Message | Strength::Record, _)) => return,
                Some((Strength::Guess, _)) | None => entry.ended = None,
            }
        }
        out.frame(fact::status(at_ms, agent, said));
    }

    /// The agent is at work, and what it does now where that is known.
    pub fn activity(&mut self, out: &mut Output, at_ms: Option<i64>, agent: &str, text: Option<&str>) {
        if self.over(agent).is_none() {
            self.settle_question(out, agent);
            out.frame(fact::activity(at_ms, agent, text));
        }
    }

    /// The agent waits for an answer to a question.
    pub fn ask(&mut self, out: &mut Output, agent: &str, question: &str) {
        if self.over(agent).is_some() {
            return;
        }
        let Some(entry) = self.agents.get_mut(agent) else { return };
        if entry.question.as_deref() == Some(question) {
            return;
        }
        if entry.question.replace(question.to_owned()).is_some() {
            out.frame(fact::answered(agent));
        }
        out.frame(fact::question(agent, question));
    }

    /// A report or figures, which end nothing.
    pub fn tell(
        &mut self,
        out: &mut Output,
        at_ms: Option<i64>,
        agent: &str,
        report: Option<Text<'static>>,
        usage: Usage,
    ) {
        if report.is_none() && usage == Usage::default() {
            return;
        }
        // The fold takes what comes behind a stated ending only from a notice that repeats it.
        let word = match self.agents.get(agent).and_then(|entry| entry.ended.as_ref()) {
            Some((Strength::Message | Strength::Record, word)) => word.clone(),
            Some((Strength::Guess, _)) | None => None,
        };
        let end_ms = at_ms.filter(|_| word.is_some());
        out.frame(fact::notice(at_ms, agent, Notice { word: word.as_deref(), end_ms, report, usage }));
    }

    /// The run of an agent is over, unless a surer source ended it otherwise. True if this one counts.
    pub fn end(&mut self, out: &mut Output, at_ms: Option<i64>, agent: &str, said: Ending<'_>) -> bool {
        let entry = self.agents.entry(agent);
        entry.runs = entry.runs.max(1);
        if entry.ended.as_ref().is_some_and(|(known, _)| *known > said.strength) {
            return false;
        }
        entry.ended = Some((said.strength, said.word.map(str::to_owned)));
        entry.question = None;
        let Ending { strength, word, end_ms, error, report, usage, name } = said;
        let has_notice = report.is_some() || usage != Usage::default();
        if strength == Strength::Guess {
            if name.is_some() {
                out.frame(fact::status(at_ms, agent, Status { name, ..Status::default() }));
            }
            if has_notice {
                out.frame(fact::notice(at_ms, agent, Notice { report, usage, ..Notice::default() }));
            }
            out.frame(fact::guess(at_ms, agent, word, end_ms, error));
            return true;
        }
        if error.is_some() || name.is_some() || !has_notice {
            out.frame(fact::status(at_ms, agent, Status { word, end_ms, error, name }));
        }
        if has_notice {
            out.frame(fact::notice(at_ms, agent, Notice { word, end_ms, report, usage }));
        }
        true
    }

    fn settle_question(&mut self, out: &mut Output, agent: &str) {
        if self.agents.get_mut(agent).is_some_and(|entry| entry.question.take().is_some()) {
            out.frame(fact::answered(agent));
        }
    }
}

#[cfg(test)]
mod tests {
    use cardfold_wire::Body;

    use super::*;

    /// What the frames say, a word or two each.
    fn told(out: &mut Output) -> String {
        let words: Vec<String> = std::mem::take(&mut out.frames).iter().map(|frame| word_of(&frame.body)).collect();
        words.join(", ")
    }

    fn word_of(body: &Body<'_>) -> String {
        if let Body::PermissionRequest(said) = body {
            format!("ask {}", said.title.as_deref().unwrap_or_default())
        } else if let Body::PermissionSettled { .. } = body {
            "answered".to_owned()
        } else if let Body::Sidecar(said) = body {
            format!("under {}", said.parent_agent_id.as_deref().unwrap_or_default())
        } else if let Body::TaskNotification(said) = body {
            format!("notice {}", said.status.as_deref().unwrap_or_default())
        } else if let Body::TaskProgress(_) = body {
            "progress".to_owned()
        } else if let Body::TaskStarted(said) = body {
            format!("started under {}", said.parent_task_id.as_deref().unwrap_or_default())
        } else if let Body::TaskUpdated(said) = body {
            format!("status {}", said.status.as_deref().unwrap_or_default())
        } else {
            "other".to_owned()
        }
    }

    fn word(word: &str) -> Status<'_> {
        Status { word: Some(word), ..Status::default() }
    }

    #[test]
    fn an_agent_starts_once_and_is_over_once() {
        let (mut ledger, mut out) = (Ledger::default(), Output::default());
        assert!(ledger.start(&mut out, None, "a", None, Start::default()));
        assert!(!ledger.start(&mut out, None, "a", None, Start::default()));
        assert_eq!(told(&mut out), "started under ");
        ledger.live(&mut out, None, "a", word("queued"));
        assert!(ledger.end(&mut out, None, "a", Ending::new(Strength::Message, "failed")));
        assert_eq!(told(&mut out), "status queued, status failed");
        // What trails behind.
        ledger.live(&mut out, None, "a", word("running"));
        ledger.activity(&mut out, None, "a", Some("late"));
        ledger.ask(&mut out, "a", "late?");
        assert!(!ledger.end(&mut out, None, "a", Ending::new(Strength::Guess, "completed")));
        assert_eq!((told(&mut out).as_str(), ledger.last_word("a")), ("", Some("failed")));
        assert!(
            ledger.end(&mut out, None, "a", Ending::new(Strength::Message, "completed")),
            "the later of two equals"
        );
        assert!(ledger.end(&mut out, None, "a", Ending::new(Strength::Record, "stopped")));
        assert!(!ledger.end(&mut out, None, "a", Ending::new(Strength::Message, "completed")));
        assert_eq!((ledger.over("a"), ledger.last_word("a")), (Some(Strength::Record), Some("stopped")));
        // A report that comes late repeats the word that the fold knows.
        told(&mut out);
        ledger.tell(&mut out, None, "a", Some(Text::new("r")), Usage::default());
        assert_eq!((told(&mut out).as_str(), ledger.runs("a")), ("notice stopped", 1));
    }

    #[test]
    fn another_run_begins_anew() {
        let (mut ledger, mut out) = (Ledger::default(), Output::default());
        ledger.start(&mut out, None, "a", None, Start::default());
        ledger.ask(&mut out, "a", "yes?");
        ledger.start_again(&mut out, None, "a", Start::default());
        assert_eq!((ledger.runs("a"), ledger.over("a")), (2, None));
        told(&mut out);
        // The question of the last run lapsed with it: the same one again is another.
        ledger.ask(&mut out, "a", "yes?");
        assert_eq!(told(&mut out), "ask yes?");
        ledger.continue_runs(&mut out, "a", 1_000, "failed");
        assert_eq!(ledger.runs("a"), 2 + FORMER_RUNS);
    }

    #[test]
    fn a_question_stands_until_something_else_is_said() {
        let (mut ledger, mut out) = (Ledger::default(), Output::default());
        ledger.start(&mut out, None, "a", None, Start::default());
        told(&mut out);
        ledger.ask(&mut out, "a", "yes?");
        ledger.ask(&mut out, "a", "yes?");
        ledger.live(&mut out, None, "a", word(WAITS));
        assert_eq!(told(&mut out), "ask yes?, status waiting_for_user");
        ledger.ask(&mut out, "a", "or no?");
        assert_eq!(told(&mut out), "answered, ask or no?");
        ledger.live(&mut out, None, "a", word("running"));
        assert_eq!(told(&mut out), "answered, status running");
    }

    #[test]
    fn a_guess_gives_way_to_a_sign_of_life() {
        let (mut ledger, mut out) = (Ledger::default(), Output::default());
        ledger.start(&mut out, None, "a", None, Start::default());
        ledger.end(&mut out, None, "a", Ending::new(Strength::Guess, "completed"));
        ledger.live(&mut out, None, "a", word("running"));
        assert_eq!(ledger.over("a"), None);
    }

    #[test]
    fn parents_are_told_when_both_are_known() {
        let (mut ledger, mut out) = (Ledger::default(), Output::default());
        ledger.start(&mut out, None, "b", Some("a"), Start::default());
        assert_eq!(told(&mut out), "started under ");
        ledger.start(&mut out, None, "a", None, Start::default());
        assert_eq!(told(&mut out), "started under , under a");
        ledger.link(&mut out, "c", "a");
        assert_eq!(told(&mut out), "");
        ledger.start(&mut out, None, "c", None, Start::default());
        assert_eq!(told(&mut out), "started under a");
        ledger.link(&mut out, "a", "a");
        assert_eq!(told(&mut out), "");
    }
}
