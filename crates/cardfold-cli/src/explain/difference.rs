//! What changed from one card to the next, beside its state, in a few words. Knows no frame.

use cardfold::{Card, CardUsage, Excerpt, NestedRow, TailCall};

use crate::calendar::utc;
use crate::figures::{self, counted, lasting};

/// A field whose value is another one now.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Difference {
    /// The field's name in the card's JSON.
    pub(crate) field: &'static str,
    /// Before and after, or what is new. Text of the transcript, not escaped.
    pub(crate) words: String,
}

/// The state, the outcome and the evidence are told apart from these, and what follows from them is not told.
pub(crate) fn differences(before: &Card, after: &Card) -> Vec<Difference> {
    let mut found = Found::default();
    found.text("name", Some(&before.name), Some(&after.name));
    found.text("dispatch_id", Some(&before.dispatch_id), Some(&after.dispatch_id));
    found.text("agent_type", before.agent_type.as_ref(), after.agent_type.as_ref());
    found.value("kind", before.kind, after.kind);
    found.text("task_id", before.task_id.as_ref(), after.task_id.as_ref());
    found.value("runs", before.runs, after.runs);
    found.value("backgrounded", before.backgrounded, after.backgrounded);
    found.time("started_at_ms", before.started_at_ms, after.started_at_ms);
    found.time("ended_at_ms", before.ended_at_ms, after.ended_at_ms);
    found.value("calls", before.calls, after.calls);
    found.value("open_calls", before.open_calls, after.open_calls);
    found.value("failed_calls", before.failed_calls, after.failed_calls);
    found.add("tail", before.tail != after.tail, || newest_call(&before.tail, &after.tail));
    found.add("usage", before.usage != after.usage, || usage_words(after.usage));
    found.text("model", before.model.as_ref(), after.model.as_ref());
    found.text("activity", before.activity.as_ref(), after.activity.as_ref());
    found.text("needs_input", before.needs_input.as_ref(), after.needs_input.as_ref());
    found.add("report", before.report != after.report, || excerpt_words(after.report.as_ref()));
    found.add("error", before.error != after.error, || excerpt_words(after.error.as_ref()));
    found.add("nested", before.nested != after.nested, || nested_words(&before.nested, &after.nested));
    found.add("annotations", before.annotations != after.annotations, || {
        let names: Vec<&str> = after.annotations.keys().map(String::as_str).collect();
        names.join(", ")
    });
    found.0
}

#[derive(Default)]
struct Found(Vec<Difference>);

impl Found {
    fn add(&mut self, field: &'static str, differs: bool, words: impl FnOnce() -> String) {
        if differs {
            self.0.push(Difference { field, words: words() });
        }
    }

    fn value<T: PartialEq + ToString>(&mut self, field: &'static str, before: T, after: T) {
        self.add(field, before != after, || format!("{} → {}", before.to_string(), after.to_string()));
    }

    /// A text that was not there before is told alone: it is the news.
    fn text(&mut self, field: &'static str, before: Option<&String>, after: Option<&String>) {
        self.add(field, before != after, || after.cloned().unwrap_or_else(|| GONE.to_owned()));
    }

    fn time(&mut self, field: &'static str, before: Option<i64>, after: Option<i64>) {
        self.add(field, before != after, || after.map_or_else(|| GONE.to_owned(), utc));
    }
}

const GONE: &str = "none";

/// The last call that is new or stands elsewhere.
fn newest_call(before: &[TailCall], after: &[TailCall]) -> String {
    let news = after.iter().rev().find(|call| !before.contains(call));
    news.map_or_else(|| GONE.to_owned(), |call| format!("{} {}", call.title, call.status.as_str().replace('_', " ")))
}

fn usage_words(usage: Option<CardUsage>) -> String {
    let Some(usage) = usage else { return GONE.to_owned() };
    let tokens = usage.total_tokens.map(figures::tokens);
    let calls = usage.tool_uses.map(|calls| counted(calls, "call"));
    let stated: Vec<String> = [tokens, calls, usage.duration_ms.map(lasting)].into_iter().flatten().collect();
    stated.join(", ")
}

fn excerpt_words(excerpt: Option<&Excerpt>) -> String {
    excerpt.map_or_else(|| GONE.to_owned(), |excerpt| excerpt.text.lines().next().unwrap_or_default().to_owned())
}

/// The rows that are new or read otherwise, by name.
fn nested_words(before: &[NestedRow], after: &[NestedRow]) -> String {
    let news = after.iter().filter(|row| !before.contains(row));
    let words: Vec<String> = news
        .map(|row| {
            let standing = row.outcome.map_or(row.state.as_str(), cardfold::Outcome::as_str).replace('_', " ");
            format!("{} {standing}", row.name)
        })
        .collect();
    if words.is_empty() { format!("{} → {} rows", before.len(), after.len()) } else { words.join(", ") }
}
