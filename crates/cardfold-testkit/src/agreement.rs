//! Where the fold and the oracle part ways.

use cardfold::CardTracker;

use crate::oracle::{Oracle, difference, model_of, model_of_all};
use crate::strategy::{Complaint, Stream};

/// The first prefix whose cards, or whose owners of ids, are not the oracle's, live or ended.
#[must_use]
pub fn differs(stream: &Stream) -> Option<Complaint> {
    let frames = stream.frames();
    let oracle = Oracle::new(&frames);
    let mut tracker = CardTracker::new();
    for (number, frame) in frames.iter().enumerate() {
        tracker.apply(frame);
        let upto = number + 1;
        if let Some(complaint) = compared(&oracle, &tracker, upto, false) {
            return Some(complaint);
        }
        let mut ended = tracker.clone();
        ended.end_session();
        if let Some(complaint) = compared(&oracle, &ended, upto, true) {
            return Some(complaint);
        }
    }
    None
}

fn compared(oracle: &Oracle, tracker: &CardTracker, upto: usize, ended: bool) -> Option<Complaint> {
    let all = || difference(&oracle.all_cards(upto, ended), &model_of_all(tracker));
    let drawn = || difference(&oracle.cards(upto, ended), &model_of(tracker)).map(|text| format!("drawn: {text}"));
    let owners = || owners_differ(oracle, tracker, upto);
    let found = all().or_else(drawn).or_else(owners)?;
    let place = if ended { "and the end of the session" } else { "live" };
    Some(Complaint { about: fields(&found), story: format!("after frame {upto}, {place}:\n{found}") })
}

fn owners_differ(oracle: &Oracle, tracker: &CardTracker, upto: usize) -> Option<String> {
    let owners = oracle.owners(upto);
    let mut differences = Vec::new();
    for (call, want) in &owners.calls {
        let got = tracker.owner_of_call(call);
        if got != want.as_deref() {
            differences.push(format!("{call}.owner_of_call: expected {want:?}, got {got:?}"));
        }
    }
    for (task, want) in &owners.tasks {
        let got = tracker.owner_of_task(task);
        if got != want.as_deref() {
            differences.push(format!("{task}.owner_of_task: expected {want:?}, got {got:?}"));
        }
    }
    (!differences.is_empty()).then(|| differences.join("\n"))
}

/// The names of the fields that a difference is about.
fn fields(difference: &str) -> String {
    let field = |line: &str| line.split(':').next().and_then(|head| head.split('.').nth(1)).map(str::to_owned);
    let mut fields: Vec<String> = difference.lines().filter_map(field).collect();
    fields.sort_unstable();
    fields.dedup();
    fields.join(" ")
}
