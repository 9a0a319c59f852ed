//! The fold on recorded streams of the real client, and on small cases: what the cards must be is in `testdata/`.

use std::path::Path;

use cardfold::{Card, CardTracker, NestedRow, Outcome};
use cardfold_testkit::expected::{capture_differences, subset_differences};
use cardfold_testkit::fixture;
use cardfold_wire::{Body, SubagentStats};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// A stream, folded to its end and over.
fn fold(stream: &Path) -> CardTracker {
    let bytes = fixture::read(stream);
    let mut tracker = CardTracker::new();
    for frame in fixture::frames(&bytes) {
        tracker.apply(&frame.expect("the client writes frames"));
    }
    tracker.end_session();
    tracker
}

fn as_json(cards: impl Iterator<Item = Card>) -> Vec<Value> {
    cards.map(|card| serde_json::to_value(card).expect("a card is JSON")).collect()
}

#[test]
fn every_stream_gives_its_cards() {
    insta::glob!("../../../testdata/captures", "*/*/stream.jsonl", |path| {
        let shown: Vec<String> = fold(path).cards().map(|card| card.to_string()).collect();
        assert_snapshot!(shown.join("\n"));
    });
}

#[test]
fn every_stream_gives_the_expected_fields() {
    let captures = fixture::captures();
    assert_eq!(captures.len(), 84, "five versions and the SDK");
    let differences: Vec<String> = captures
        .iter()
        .flat_map(|capture| {
            let cards = as_json(fold(&capture.stream).cards());
            let differences = capture_differences(&capture.expected["stream"], &cards);
            differences.into_iter().map(|difference| format!("{}: {difference}", capture.name))
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_streamed_case_gives_its_report() {
    let mut compared = 0;
    let mut differences = Vec::new();
    for case in fixture::cases() {
        let Some(stream) = case.input().map(|path| fixture::read(&path)).filter(|bytes| is_stream(bytes)) else {
            continue;
        };
        compared += 1;
        let mut tracker = CardTracker::new();
        let mut skipped = 0;
        for frame in fixture::frames(&stream) {
            match frame {
                Ok(frame) => drop(tracker.apply(&frame)),
                Err(_) => skipped += 1,
            }
        }
        if !case.command().contains(&"--live") {
            tracker.end_session();
        }
        let session = json!({ "cards": as_json(tracker.cards()), "undrawn": tracker.undrawn(), "skipped": skipped });
        differences.extend(subset_differences(&case.expect["sessions"][0], &session, &case.name));
    }
    assert_eq!(compared, 12, "the other cases are stored conversations");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Frames of the stream name their session `session_id`, stored lines `sessionId`.
fn is_stream(bytes: &[u8]) -> bool {
    let key = b"\"session_id\"";
    bytes.windows(key.len()).any(|window| window == key)
}

/// How many agents of each sort there are, counted over cards and nested rows.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Totals {
    spawned: i64,
    by_subagents: i64,
    max_depth: i64,
    completed: i64,
    failed: i64,
    killed: i64,
    /// Of the cards; a nested row does not say where its agent runs.
    in_background: i64,
}

impl Totals {
    fn stated(stats: &SubagentStats) -> Self {
        let signed = |count: u64| i64::try_from(count).expect("a stream has few agents");
        Self {
            spawned: signed(stats.spawned),
            by_subagents: signed(stats.spawned_by_subagents),
            max_depth: signed(stats.max_depth),
            completed: signed(stats.completed),
            failed: signed(stats.failed),
            killed: signed(stats.killed),
            in_background: signed(stats.started_in_background),
        }
    }

    fn counted(cards: &[Card]) -> Self {
        let rows = || cards.iter().flat_map(|card| &card.nested);
        let outcomes = || cards.iter().map(|card| card.outcome).chain(rows().map(|row: &NestedRow| row.outcome));
        let count = |outcome| outcomes().filter(|&found| found == Some(outcome)).count() as i64;
        let nested = rows().count() as i64;
        Self {
            spawned: cards.len() as i64 + nested,
            by_subagents: nested,
            max_depth: rows().map(|row| i64::from(row.depth) + 1).max().unwrap_or(i64::from(!cards.is_empty())),
            completed: count(Outcome::Completed),
            failed: count(Outcome::Failed),
            killed: count(Outcome::Stopped),
            in_background: cards.iter().filter(|card| card.backgrounded).count() as i64,
        }
    }

    fn less(self, more: Self) -> Self {
        Self {
            spawned: self.spawned - more.spawned,
            by_subagents: self.by_subagents - more.by_subagents,
            max_depth: self.max_depth - more.max_depth,
            completed: self.completed - more.completed,
            failed: self.failed - more.failed,
            killed: self.killed - more.killed,
            in_background: self.in_background - more.in_background,
        }
    }
}

/// What the cards of a stream count and the client's totals do not, at one of its results (by its number, from 1).
struct Exception {
    stream: &'static str,
    result: usize,
    reason: &'static str,
    more: Totals,
}

const NO_MORE: Totals =
    Totals { spawned: 0, by_subagents: 0, max_depth: 0, completed: 0, failed: 0, killed: 0, in_background: 0 };

/// The exceptions, in the order in which they are met. An ending after the last result needs none: the cards are read
/// where the totals are stated, and the agent is live in both.
const EXCEPTIONS: [Exception; 7] = [
    Exception {
        stream: "2.1.332/03d-foreground-then-backgrounded",
        result: 1,
        reason: "the totals count who started in the background, the card says where it runs now",
        more: Totals { in_background: 1, ..NO_MORE },
    },
    Exception {
        stream: "2.1.332/03d-foreground-then-backgrounded",
        result: 2,
        reason: "as before",
        more: Totals { in_background: 1, ..NO_MORE },
    },
    Exception {
        stream: "2.1.332/05-failures",
        result: 1,
        reason: "a launch that was refused is a dispatch with an error, but no agent was spawned",
        more: Totals { spawned: 1, failed: 1, ..NO_MORE },
    },
    Exception {
        stream: "2.1.332/07b-resume-sendmessage",
        result: 1,
        reason: "an agent of an earlier process was resumed; this process spawned none",
        more: Totals { spawned: 1, max_depth: 1, completed: 1, in_background: 1, ..NO_MORE },
    },
    Exception {
        stream: "2.1.332/07b-resume-sendmessage",
        result: 2,
        reason: "as before",
        more: Totals { spawned: 1, max_depth: 1, completed: 1, in_background: 1, ..NO_MORE },
    },
    Exception {
        stream: "2.1.332/09-workflow",
        result: 1,
        reason: "neither a workflow nor its members count as sub-agents there",
        more: Totals { spawned: 4, by_subagents: 3, max_depth: 2, completed: 4, ..NO_MORE },
    },
    Exception {
        stream: "2.1.332/09-workflow",
        result: 2,
        reason: "as before",
        more: Totals { spawned: 4, by_subagents: 3, max_depth: 2, completed: 4, ..NO_MORE },
    },
];

#[test]
fn the_cards_agree_with_the_clients_own_totals() {
    let mut exceptions = EXCEPTIONS.iter().peekable();
    let mut held = 0;
    for capture in fixture::captures() {
        let bytes = fixture::read(&capture.stream);
        let mut tracker = CardTracker::new();
        let mut results = 0;
        for frame in fixture::frames(&bytes) {
            let frame = frame.expect("the client writes frames");
            tracker.apply(&frame);
            let Body::Result(result) = &frame.body else { continue };
            let Some(stats) = &result.stats else { continue };
            results += 1;
            held += 1;
            let excepted = exceptions.next_if(|next| next.stream == capture.name && next.result == results);
            let more = excepted.map_or(NO_MORE, |exception| exception.more);
            let mut cards = Totals::counted(&tracker.all_cards().collect::<Vec<_>>()).less(more);
            let stated = Totals::stated(stats);
            if cards.by_subagents + more.by_subagents > 0 {
                // The client counts nested agents here too, and the rows do not.
                cards.in_background = stated.in_background;
            }
            let reason = excepted.map_or("no exception", |exception| exception.reason);
            assert_eq!(cards, stated, "{} at result {results} ({reason})", capture.name);
        }
    }
    assert_eq!(held, 59, "streams of 2.1.332 and of its SDK state totals");
    assert!(exceptions.next().is_none(), "every exception is met");
}
