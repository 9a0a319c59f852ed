//! What a card says, as the testkit's own type: [`cardfold::Card`] cannot be built outside the engine.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cardfold::{CallStatus, CardTracker, Evidence, Kind, Outcome, State};
use serde::{Serialize, Serializer};

/// A card with all fields of the contract's section 2 but `revision`.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the fields are those of `cardfold::Card`, which documents them")]
pub struct ModelCard {
    pub dispatch_id: String,
    pub name: String,
    pub agent_type: Option<String>,
    pub kind: Kind,
    pub task_id: Option<String>,
    pub state: State,
    pub running: bool,
    pub outcome: Option<Outcome>,
    pub failed: bool,
    pub evidence: Evidence,
    pub inferred: bool,
    pub backgrounded: bool,
    pub started_at_ms: Option<i64>,
    pub ended_at_ms: Option<i64>,
    pub calls: u64,
    pub open_calls: u64,
    pub failed_calls: u64,
    pub tail: Vec<ModelCall>,
    pub usage: Option<ModelUsage>,
    pub model: Option<String>,
    pub activity: Option<String>,
    pub report: Option<ModelText>,
    #[serde(serialize_with = "text_only")]
    pub error: Option<ModelText>,
    pub needs_input: Option<String>,
    pub runs: u32,
    pub nested: Vec<ModelRow>,
    pub annotations: BTreeMap<String, String>,
}

/// A row of [`ModelCard::nested`].
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the fields are those of `cardfold::NestedRow`, which documents them")]
pub struct ModelRow {
    pub dispatch_id: Option<String>,
    pub parent_id: Option<String>,
    pub task_id: Option<String>,
    pub name: String,
    pub agent_type: Option<String>,
    pub depth: u32,
    pub state: State,
    pub outcome: Option<Outcome>,
    pub failed: bool,
    pub calls: u64,
    pub usage: Option<ModelUsage>,
}

/// A call of [`ModelCard::tail`].
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the fields are those of `cardfold::TailCall`, which documents them")]
pub struct ModelCall {
    pub id: String,
    pub name: String,
    pub title: String,
    pub status: CallStatus,
}

/// The figures of a card or row.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the fields are those of `cardfold::CardUsage`, which documents them")]
pub struct ModelUsage {
    pub total_tokens: Option<u64>,
    pub tool_uses: Option<u64>,
    pub duration_ms: Option<u64>,
}

/// A bounded text.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the fields are those of `cardfold::Excerpt`, which documents them")]
pub struct ModelText {
    pub text: String,
    pub truncated: bool,
}

/// The drawn cards of a tracker.
#[must_use]
pub fn model_of(tracker: &CardTracker) -> Vec<ModelCard> {
    tracker.cards().map(card_of).collect()
}

/// All cards of a tracker, drawn or not.
#[must_use]
pub fn model_of_all(tracker: &CardTracker) -> Vec<ModelCard> {
    tracker.all_cards().map(card_of).collect()
}

/// One card.
#[must_use]
pub fn card_of(card: cardfold::Card) -> ModelCard {
    ModelCard {
        dispatch_id: card.dispatch_id,
        name: card.name,
        agent_type: card.agent_type,
        kind: card.kind,
        task_id: card.task_id,
        state: card.state,
        running: card.running,
        outcome: card.outcome,
        failed: card.failed,
        evidence: card.evidence,
        inferred: card.inferred,
        backgrounded: card.backgrounded,
        started_at_ms: card.started_at_ms,
        ended_at_ms: card.ended_at_ms,
        calls: card.calls,
        open_calls: card.open_calls,
        failed_calls: card.failed_calls,
        tail: card.tail.into_iter().map(call_of).collect(),
        usage: card.usage.map(usage_of),
        model: card.model,
        activity: card.activity,
        report: card.report.map(text_of),
        error: card.error.map(text_of),
        needs_input: card.needs_input,
        runs: card.runs,
        nested: card.nested.into_iter().map(row_of).collect(),
        annotations: card.annotations,
    }
}

fn row_of(row: cardfold::NestedRow) -> ModelRow {
    ModelRow {
        dispatch_id: row.dispatch_id,
        parent_id: row.parent_id,
        task_id: row.task_id,
        name: row.name,
        agent_type: row.agent_type,
        depth: row.depth,
        state: row.state,
        outcome: row.outcome,
        failed: row.failed,
        calls: row.calls,
        usage: row.usage.map(usage_of),
    }
}

fn call_of(call: cardfold::TailCall) -> ModelCall {
    ModelCall { id: call.id, name: call.name, title: call.title, status: call.status }
}

fn usage_of(usage: cardfold::CardUsage) -> ModelUsage {
    ModelUsage { total_tokens: usage.total_tokens, tool_uses: usage.tool_uses, duration_ms: usage.duration_ms }
}

fn text_of(excerpt: cardfold::Excerpt) -> ModelText {
    ModelText { text: excerpt.text, truncated: excerpt.truncated }
}

/// What `got` has otherwise than `want`, one line a field; nothing where the two are equal.
#[must_use]
pub fn difference(want: &[ModelCard], got: &[ModelCard]) -> Option<String> {
    if want == got {
        return None;
    }
    let ids = |cards: &[ModelCard]| cards.iter().map(|card| card.dispatch_id.clone()).collect::<Vec<_>>();
    if ids(want) != ids(got) {
        return Some(format!("cards: expected {:?}, got {:?}", ids(want), ids(got)));
    }
    let mut lines = String::new();
    for (want, got) in want.iter().zip(got) {
        let [want_fields, got_fields] = [want, got].map(fields);
        for (field, value) in &want_fields {
            if got_fields.get(field) != Some(value) {
                let got = got_fields.get(field).cloned().unwrap_or_default();
                let _ = writeln!(lines, "{}.{field}: expected {value}, got {got}", want.dispatch_id);
            }
        }
        let cut = |card: &ModelCard| card.error.as_ref().is_some_and(|error| error.truncated);
        if cut(want) != cut(got) {
            let _ = writeln!(lines, "{}.error: expected truncated {}, got {}", want.dispatch_id, cut(want), cut(got));
        }
    }
    Some(lines)
}

fn fields(card: &ModelCard) -> serde_json::Map<String, serde_json::Value> {
    let json = serde_json::to_value(card).expect("a model card is plain data");
    json.as_object().cloned().expect("a struct is written as an object")
}

/// In JSON an error is its text alone (section 2).
fn text_only<S: Serializer>(error: &Option<ModelText>, to: S) -> Result<S::Ok, S::Error> {
    error.as_ref().map(|error| &error.text).serialize(to)
}

/// What no card may say, whatever the frames were: running and failed, settled with an open call, and the like.
#[must_use]
pub fn contradiction(card: &ModelCard) -> Option<String> {
    let settled = card.state == State::Settled;
    let tail = |status| card.tail.iter().filter(|call| call.status == status).count() as u64;
    let rows_hold = card.nested.iter().all(|row| {
        let settled = row.state == State::Settled;
        settled == row.outcome.is_some() && row.failed == row.outcome.is_some_and(Outcome::is_failed) && row.depth > 0
    });
    let checks = [
        (card.running == settled, "is running and settled, or neither"),
        (settled != card.outcome.is_some(), "is settled without an outcome, or not settled with one"),
        (card.failed != card.outcome.is_some_and(Outcome::is_failed), "failed by its flag alone, or by its outcome"),
        (card.inferred != card.evidence.is_inferred(), "is inferred by its flag alone, or by its evidence"),
        (!settled && card.inferred, "is live by an inference"),
        (settled && (card.open_calls > 0 || tail(CallStatus::Pending) > 0), "is settled with an open call"),
        (settled && card.activity.is_some(), "is settled and active"),
        (!settled && card.ended_at_ms.is_some(), "is live and has ended"),
        (card.calls < card.open_calls + card.failed_calls, "has more open and failed calls than calls"),
        (card.tail.len() as u64 > card.calls.min(4), "has a tail longer than its calls, or than four"),
        (card.open_calls < tail(CallStatus::Pending), "has more open calls in its tail than in all"),
        (card.failed_calls < tail(CallStatus::Failed), "has more failed calls in its tail than in all"),
        (card.runs == 0, "has no run"),
        (!rows_hold, "has a row that contradicts itself"),
    ];
    checks.into_iter().find(|(broken, _)| *broken).map(|(_, about)| about.to_owned())
}
