//! Which card is meant.

use cardfold_replay::Session;

use crate::escape::Escaped;
use crate::explain::history::{Chosen, Histories};
use crate::figures::counted;
use crate::output::{self, complain};

/// Cards that an error lists; past this nobody looks for one there.
const LISTED: usize = 40;

/// No card is the one asked for, or several may be.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Refusal {
    reason: &'static str,
    /// What there is to choose from: ids and name of each, not escaped.
    cards: Vec<String>,
}

/// The card of a dispatch id or task id, else of an id that counts in it, else of a name or a part of one.
pub(crate) fn choose(histories: &Histories, sessions: &[Session], wanted: &str) -> Result<Vec<Chosen>, Refusal> {
    let all = histories.all(sessions.len());
    let those = |is_meant: &dyn Fn(Chosen) -> bool| -> Vec<Chosen> {
        all.iter().copied().filter(|chosen| is_meant(*chosen)).collect()
    };
    let card = |chosen: Chosen| &histories.history(chosen).card;
    let by_id = those(&|chosen| {
        card(chosen).dispatch_id == wanted || card(chosen).task_id.as_deref().is_some_and(|id| id == wanted)
    });
    // One id in several sessions is the same agent seen several times, or the same task dispatched again.
    if !by_id.is_empty() {
        return Ok(by_id);
    }
    let owned = sessions.iter().enumerate().filter_map(|(place, session)| {
        let owner = session.tracker.owner_of_call(wanted).or_else(|| session.tracker.owner_of_task(wanted))?;
        histories.find(place, owner)
    });
    let owned: Vec<Chosen> = owned.collect();
    if !owned.is_empty() {
        return Ok(owned);
    }
    let name = wanted.to_lowercase();
    let by_name = those(&|chosen| card(chosen).name.to_lowercase() == name);
    let by_part = those(&|chosen| card(chosen).name.to_lowercase().contains(&name));
    for found in [by_name, by_part] {
        match found.len() {
            0 => {}
            1 => return Ok(found),
            2.. => return Err(Refusal::new("several cards may be meant by", histories, &found)),
        }
    }
    Err(Refusal::new("no card is meant by", histories, &all))
}

impl Refusal {
    fn new(reason: &'static str, histories: &Histories, cards: &[Chosen]) -> Self {
        let line = |chosen: &Chosen| {
            let card = &histories.history(*chosen).card;
            let task = card.task_id.as_ref().map_or(String::new(), |id| format!(" · task {id}"));
            format!("{}{task}  {}", card.dispatch_id, card.name)
        };
        Self { reason, cards: cards.iter().map(line).collect() }
    }

    /// Says so on standard error, and what to choose from.
    pub(crate) fn complain(&self, wanted: &str) {
        let hint = if self.cards.is_empty() { "there is none" } else { "give an id, or more of the name; there are" };
        complain(format_args!("{} \"{}\": {hint}", self.reason, Escaped(wanted)));
        output::list(self.cards.iter().take(LISTED).map(|card| Escaped(card)));
        let more = u64::try_from(self.cards.len().saturating_sub(LISTED)).expect("a count of cards fits");
        if more > 0 {
            output::list([format_args!("and {} more", counted(more, "card"))]);
        }
    }
}
