//! P9: a session folded from its stream and from its store gives the same cards, where both sides say what they need.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cardfold_replay::{Options, replay};
use serde_json::{Value, json};

use crate::common::{self, captures};

/// Fields of a card that both sides must agree on.
const FIELDS: [&str; 11] =
    ["name", "agent_type", "kind", "state", "outcome", "failed", "backgrounded", "runs", "nested", "calls", "tail"];

/// What one side cannot say, and why: capture, card (the end of its dispatch id), what differs, reason. Everything else
/// agrees in every capture.
const CANNOT_SAY: [(&str, &str, &str, &str); 41] = [
    ("2.0.77/03b-background-stdin", "d79865", "calls", NO_BACKGROUND_FRAMES),
    ("2.0.77/03b-background-stdin", "d79865", "tail", NO_BACKGROUND_FRAMES),
    (
        "2.0.77/03b-background-stdin",
        "d79865",
        "outcome",
        "only the store has the agent's last words, which end it (R28)",
    ),
    ("2.0.77/03c-background-output-tool", "c8b427", "calls", NO_BACKGROUND_FRAMES),
    ("2.0.77/03c-background-output-tool", "c8b427", "tail", NO_BACKGROUND_FRAMES),
    ("2.0.77/06-taskstop", "4eb36c", "calls", NO_BACKGROUND_FRAMES),
    ("2.0.77/06-taskstop", "4eb36c", "tail", NO_BACKGROUND_FRAMES),
    ("2.1.19/03c-background-output-tool", "228bd0", "calls", NO_BACKGROUND_FRAMES),
    ("2.1.19/03c-background-output-tool", "228bd0", "tail", NO_BACKGROUND_FRAMES),
    ("2.1.19/06-taskstop", "6995b6", "calls", NO_BACKGROUND_FRAMES),
    ("2.1.19/06-taskstop", "6995b6", "tail", NO_BACKGROUND_FRAMES),
    ("2.1.112/03-background", "03b47f", "calls", NO_BACKGROUND_FRAMES),
    ("2.1.112/03-background", "03b47f", "tail", NO_BACKGROUND_FRAMES),
    ("2.1.112/03b-background-stdin", "c3ab3c", "calls", NO_BACKGROUND_FRAMES),
    ("2.1.112/03b-background-stdin", "c3ab3c", "tail", NO_BACKGROUND_FRAMES),
    ("2.1.112/03c-background-output-tool", "bdb2b0", "calls", NO_BACKGROUND_FRAMES),
    ("2.1.112/03c-background-output-tool", "bdb2b0", "tail", NO_BACKGROUND_FRAMES),
    ("2.1.112/07b-resume-agent", "06bac2", ONLY_STORED, EARLIER_PROCESS),
    ("2.1.19/07b-resume-agent", "61a5cb", ONLY_STORED, EARLIER_PROCESS),
    ("2.1.220/07c-resume-plain-new-agent", "6fb00d", ONLY_STORED, EARLIER_PROCESS),
    ("2.1.332/07b-resume-sendmessage", "2c8f76", ONLY_STREAMED, RESUMED),
    ("2.1.332/07b-resume-sendmessage", "c993e1", ONLY_STORED, RESUMED),
    ("2.1.332/07c-resume-plain-new-agent", "c993e1", ONLY_STORED, EARLIER_PROCESS),
    ("2.1.332/07f-resume-after-kill", "4ebdf9", ONLY_STORED, EARLIER_PROCESS),
    ("2.1.220/04-nested", "b1aec5", "calls", NO_NESTED_FRAMES),
    ("2.1.220/04-nested", "b1aec5", "tail", NO_NESTED_FRAMES),
    ("2.1.220/09-workflow", "0da270", "calls", NO_MEMBER_FRAMES),
    ("2.1.220/09-workflow", "0da270", "tail", NO_MEMBER_FRAMES),
    ("2.1.332/04-nested", "688921", "calls", NO_NESTED_FRAMES),
    ("2.1.332/04-nested", "688921", "tail", NO_NESTED_FRAMES),
    ("2.1.332/04c-nested-deep", "79a8e4", "calls", NO_NESTED_FRAMES),
    ("2.1.332/04c-nested-deep", "79a8e4", "tail", NO_NESTED_FRAMES),
    ("2.1.332/04d-nested-bg-then-foreground", "5ba343", "calls", NO_NESTED_FRAMES),
    ("2.1.332/04d-nested-bg-then-foreground", "5ba343", "tail", NO_NESTED_FRAMES),
    ("2.1.332/06b-exit-while-running", "e8a5ff", "tail", RESULT_ONLY_STORED),
    ("2.1.332/06d-interrupt-control", "e6a228", "tail", RESULT_ONLY_STORED),
    ("2.1.332/06h-stdin-closed-while-running", "a29074", "failed", END_ONLY_STREAMED),
    ("2.1.332/06h-stdin-closed-while-running", "a29074", "outcome", END_ONLY_STREAMED),
    ("2.1.332/06i-parent-ends-before-child", "4f9bed", "tail", RESULT_ONLY_STORED),
    ("2.1.332/09-workflow", "71a3e3", "calls", NO_MEMBER_FRAMES),
    ("2.1.332/09-workflow", "71a3e3", "tail", NO_MEMBER_FRAMES),
];

const NO_BACKGROUND_FRAMES: &str = "this version streams no frame of an agent in the background";
const NO_NESTED_FRAMES: &str = "the stream has no frame of agents below the first level, only their task frames";
const NO_MEMBER_FRAMES: &str = "the stream has no frame of a workflow's members, only their progress items";
const RESULT_ONLY_STORED: &str = "the client wrote the refusal of the last call into the agent's file alone";
const END_ONLY_STREAMED: &str = "the client stopped the agent on its way out and wrote nothing about it";
const EARLIER_PROCESS: &str = "the stream is that of a resumed session and does not show what came before";
const RESUMED: &str = "the stream names the agent by the call that resumed it, the store by its dispatch";
const ONLY_STORED: &str = "a card of the store alone";
const ONLY_STREAMED: &str = "a card of the stream alone";

#[test]
fn stream_and_store_give_the_same_cards() {
    let mut differences = BTreeSet::new();
    for capture in captures() {
        let (stream, store) = (cards(&capture.stream), cards(capture.stored()));
        for id in stream.keys().chain(store.keys()).collect::<BTreeSet<_>>() {
            let card = id[id.len() - 6..].to_owned();
            let mut differs = |what: &str| {
                differences.insert((capture.name.clone(), card.clone(), what.to_owned()));
            };
            match (stream.get(id), store.get(id)) {
                (Some(stream), Some(store)) => {
                    FIELDS.into_iter().filter(|field| stream[*field] != store[*field]).for_each(differs);
                }
                (Some(_), None) => differs(ONLY_STREAMED),
                (None, _) => differs(ONLY_STORED),
            }
        }
    }
    let own = |(capture, card, what, _): &(&str, &str, &str, &str)| {
        ((*capture).to_owned(), (*card).to_owned(), (*what).to_owned())
    };
    let known: BTreeSet<_> = CANNOT_SAY.iter().map(own).collect();
    let new: Vec<_> = differences.difference(&known).collect();
    let gone: Vec<_> = known.difference(&differences).collect();
    assert!(new.is_empty() && gone.is_empty(), "not in the table: {new:#?}\nno difference any more: {gone:#?}");
}

/// The cards of a file by dispatch id, with nested rows as far as both sides can name them.
fn cards(path: &Path) -> BTreeMap<String, Value> {
    let report = replay(path, &Options::default());
    let mut cards = BTreeMap::new();
    for card in common::only(&report).tracker.cards() {
        let mut value = common::card_json(&card);
        let row = |row: &cardfold::NestedRow| json!([row.dispatch_id, row.task_id, row.name, row.depth, row.outcome]);
        value["nested"] = card.nested.iter().map(row).collect();
        cards.insert(card.dispatch_id, value);
    }
    cards
}
