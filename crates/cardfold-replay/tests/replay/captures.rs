//! Every capture of the real client, folded from its stream and from its store, against `testdata/captures/expected`.

use cardfold_replay::{Options, Report, replay};
use serde_json::{Value, json};

use crate::common::{self, Capture, captures, read_json, testdata};

/// Fields that are compared as they are.
const FIELDS: [&str; 10] = [
    "name",
    "agent_type",
    "state",
    "outcome",
    "failed",
    "backgrounded",
    "calls",
    "failed_calls",
    "runs",
    "ended_at_ms",
];

#[test]
fn each_stream_gives_the_cards_expected() {
    check("stream", |capture| replay(&capture.stream, &Options::default()));
}

#[test]
fn each_store_gives_the_cards_expected() {
    check("stored", |capture| replay(capture.stored(), &Options::default()));
}

/// Nothing of a real conversation is a problem, and no line of it is skipped.
#[test]
fn real_conversations_read_without_a_problem() {
    let mut problems = Vec::new();
    for capture in captures() {
        for path in [Some(&capture.stream), capture.stored.as_ref()].into_iter().flatten() {
            let report = replay(path, &Options::default());
            let session = common::only(&report);
            assert_eq!(session.skipped, 0, "{}", path.display());
            assert_eq!(session.unknown, 0, "{}", path.display());
            problems.extend(report.problems.iter().chain(&session.problems).map(ToString::to_string));
        }
    }
    assert_eq!(problems, Vec::<String>::new());
}

fn check(side: &str, fold: impl Fn(&Capture) -> Report) {
    let mut differences = Vec::new();
    for capture in captures() {
        let file = format!("{}.json", capture.name.replace('/', "__"));
        let expected = read_json(&testdata().join("captures/expected").join(file));
        let report = common::report_json(&fold(&capture));
        let sessions = report["sessions"].as_array().expect("a report has sessions");
        let got: Vec<&Value> = sessions.iter().flat_map(|session| session["cards"].as_array()).flatten().collect();
        let mut found = Vec::new();
        compare(expected[side].as_array().expect("each side is a list"), &got, &mut found);
        differences.extend(found.into_iter().map(|line| format!("{} {side}: {line}", capture.name)));
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

fn compare(want: &[Value], got: &[&Value], out: &mut Vec<String>) {
    let ids =
        |cards: &mut dyn Iterator<Item = &Value>| cards.map(|card| card["dispatch_id"].clone()).collect::<Vec<_>>();
    let (want_ids, got_ids) = (ids(&mut want.iter()), ids(&mut got.iter().copied()));
    if want_ids != got_ids {
        out.push(format!("expected cards {want_ids:?}, got {got_ids:?}"));
        return;
    }
    for (want, got) in want.iter().zip(got) {
        let at = &want["dispatch_id"];
        for field in FIELDS {
            if want[field] != got[field] {
                out.push(format!("{at}.{field}: expected {}, got {}", want[field], got[field]));
            }
        }
        let tail: Value = list(&got["tail"], |call| json!({"name": call["name"], "status": call["status"]}));
        if want["tail"] != tail {
            out.push(format!("{at}.tail: expected {}, got {tail}", want["tail"]));
        }
        let wanted: Vec<&Value> = want["nested"].as_array().into_iter().flatten().map(|row| &row["id"]).collect();
        let nested = list(&got["nested"], |row| row_named_as(row, &wanted));
        if want["nested"] != nested {
            out.push(format!("{at}.nested: expected {}, got {nested}", want["nested"]));
        }
    }
}

/// A nested row is named by its dispatch id, or by its task id where that is what is expected.
fn row_named_as(row: &Value, wanted: &[&Value]) -> Value {
    let (dispatch, task) = (&row["dispatch_id"], &row["task_id"]);
    let by_task = dispatch.is_null() || (wanted.contains(&task) && !wanted.contains(&dispatch));
    let id = if by_task { task } else { dispatch };
    json!({"id": id, "name": row["name"], "outcome": row["outcome"], "calls": row["calls"]})
}

fn list(items: &Value, of: impl Fn(&Value) -> Value) -> Value {
    items.as_array().into_iter().flatten().map(of).collect()
}
