//! What `apply` and `changed_since` say of a frame is what a host would find by comparing all cards (R25).

use std::collections::BTreeMap;

use cardfold::{CardChange, CardTracker, Change, Update};
use cardfold_testkit::strategy::{Complaint, Stream, config, disturbed, hold, plausible};
use cardfold_wire::Frame;
use proptest::prelude::*;
use serde_json::Value;

/// The drawn cards by their ids, without `revision`.
type Shown = BTreeMap<String, Value>;

/// The next frame, or the end of the session after the last one.
fn next(tracker: &mut CardTracker, frame: Option<&Frame<'_>>) -> Update {
    match frame {
        Some(frame) => tracker.apply(frame),
        None => tracker.end_session(),
    }
}

fn json(card: &cardfold::Card) -> Value {
    let mut json = serde_json::to_value(card).expect("a card is JSON");
    json.as_object_mut().expect("a card is an object").remove("revision");
    json
}

fn shown(tracker: &CardTracker) -> Shown {
    tracker.cards().map(|card| (card.dispatch_id.clone(), json(&card))).collect()
}

/// What an update says that is not so, or does not say.
fn misreported(tracker: &CardTracker, before: &Shown, after: &Shown, update: &Update) -> Option<String> {
    let mut told: Shown = before.clone();
    let mut places = Vec::new();
    for change in &update.changes {
        match change {
            Change::Removed(card) => {
                if !places.is_empty() {
                    return Some(format!("{} is removed after others were changed", card.dispatch_id));
                }
                if told.remove(&card.dispatch_id) != Some(json(card)) {
                    return Some(format!("{} is removed, but was not shown like that", card.dispatch_id));
                }
            }
            Change::Opened(key) | Change::Changed(key) => {
                let Some(card) = tracker.card_at(*key) else { return Some(format!("{change:?} names no card")) };
                let id = card.dispatch_id.clone();
                let known = told.insert(id.clone(), json(&card));
                if known.is_some() != matches!(change, Change::Changed(_)) {
                    return Some(format!("{change:?} of {id}, which was there before: {}", known.is_some()));
                }
                if known == Some(json(&card)) {
                    return Some(format!("{id} is said to have changed and has not"));
                }
                places.push(tracker.cards().position(|other| other.dispatch_id == id));
            }
        }
    }
    if told != *after {
        let silent = after.iter().filter(|&(id, card)| told.get(id) != Some(card)).map(|(id, _)| id);
        let gone = told.keys().filter(|id| !after.contains_key(*id));
        return Some(format!("not told: {:?}", silent.chain(gone).collect::<Vec<_>>()));
    }
    if !places.is_sorted() || places.contains(&None) {
        return Some(format!("changes out of the order of cards: {places:?}"));
    }
    None
}

/// What `changed_since` gives for a host that last looked at `revision`, laid over what it saw then.
fn caught_up(tracker: &CardTracker, revision: u64, mut seen: Shown) -> Result<Shown, String> {
    let mut last = revision;
    for change in tracker.changed_since(revision).map_err(|_| "too old".to_owned())? {
        match change {
            CardChange::Removed { dispatch_id } => drop(seen.remove(&dispatch_id)),
            CardChange::Card(card) => {
                if card.revision <= last {
                    return Err(format!("{} comes out of the order of change", card.dispatch_id));
                }
                last = card.revision;
                seen.insert(card.dispatch_id.clone(), json(&card));
            }
        }
    }
    Ok(seen)
}

fn inexact(stream: &Stream) -> Option<Complaint> {
    let frames = stream.frames();
    let mut tracker = CardTracker::new();
    let mut history = vec![(tracker.revision(), shown(&tracker))];
    for number in 0..=frames.len() {
        let update = next(&mut tracker, frames.get(number));
        let after = shown(&tracker);
        let (revision, before) = history.last().expect("there is always a first look");
        let raised = tracker.revision() > *revision;
        let complaint = misreported(&tracker, before, &after, &update)
            .or_else(|| (raised == update.changes.is_empty()).then(|| format!("revision raised: {raised}")));
        if let Some(about) = complaint {
            let kind = about.split(' ').skip(1).collect::<String>();
            return Some(Complaint { about: kind, story: format!("frame {}: {about}\n{update:?}", number + 1) });
        }
        history.push((tracker.revision(), after));
    }
    let now = shown(&tracker);
    history
        .into_iter()
        .find_map(|(revision, seen)| match caught_up(&tracker, revision, seen) {
            Ok(cards) if cards == now => None,
            Ok(_) => Some("the changes do not lead to the cards".to_owned()),
            Err(about) => Some(about),
        })
        .map(|about| Complaint { story: format!("changed_since: {about}"), about: "changed_since".to_owned() })
}

proptest! {
    #![proptest_config(config("proptest-regressions/changes.txt"))]

    #[test]
    fn an_update_names_the_cards_that_changed(stream in prop_oneof![plausible(), disturbed()]) {
        hold(&stream, inexact)?;
    }
}
