//! Comparing the JSON of cards with what `testdata/` expects of them.

use serde_json::Value;

/// The fields of a card that `testdata/captures/expected/` states. The contract decides the others.
const CAPTURE_FIELDS: [&str; 12] = [
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
    "tail",
    "nested",
];

/// What is wrong with `cards`, the drawn cards of a capture as JSON, against its expected list: one line a difference.
/// Cards must be the same ones in the same order.
#[must_use]
pub fn capture_differences(expected: &Value, cards: &[Value]) -> Vec<String> {
    let expected = expected.as_array().expect("the expected cards are a list");
    let id = |card: &Value| card["dispatch_id"].as_str().unwrap_or_default().to_owned();
    let (wanted, got): (Vec<_>, Vec<_>) = (expected.iter().map(id).collect(), cards.iter().map(id).collect());
    if wanted != got {
        return vec![format!("cards: expected {wanted:?}, got {got:?}")];
    }
    let mut differences = Vec::new();
    for (want, card) in expected.iter().zip(cards) {
        for field in CAPTURE_FIELDS {
            let got = match field {
                "tail" => short_tail(&card[field]),
                "nested" => short_rows(&card[field], &want[field]),
                _ => card[field].clone(),
            };
            if got != want[field] {
                differences.push(format!("{}.{field}: expected {}, got {got}", id(card), want[field]));
            }
        }
    }
    differences
}

/// A tail entry is expected by name and status alone.
fn short_tail(tail: &Value) -> Value {
    let entries = tail.as_array().into_iter().flatten();
    entries.map(|call| serde_json::json!({ "name": call["name"], "status": call["status"] })).collect()
}

/// A row is expected by its dispatch id, or by its task id where `wanted` names it so.
fn short_rows(rows: &Value, wanted: &Value) -> Value {
    let named = |id: &Value| wanted.as_array().into_iter().flatten().any(|row| row["id"] == *id);
    let rows = rows.as_array().into_iter().flatten();
    rows.map(|row| {
        let (dispatch, task) = (&row["dispatch_id"], &row["task_id"]);
        let by_task = dispatch.is_null() || (named(task) && !named(dispatch));
        let id = if by_task { task } else { dispatch };
        serde_json::json!({ "id": id, "name": row["name"], "outcome": row["outcome"], "calls": row["calls"] })
    })
    .collect()
}

/// What is wrong with `got` against the subset `want`, as a case's `expect.json` means it: a field that `want` does
/// not have is not compared, lists have the same length, null in a list stands for anything, and null, 0, false, an
/// empty text and an empty list or object are one with an absent field. `at` names the place.
#[must_use]
pub fn subset_differences(want: &Value, got: &Value, at: &str) -> Vec<String> {
    let mut differences = Vec::new();
    compare(want, got, at, &mut differences);
    differences
}

fn compare(want: &Value, got: &Value, at: &str, differences: &mut Vec<String>) {
    match (want, got) {
        _ if is_empty(want) && is_empty(got) => {}
        (Value::Object(fields), Value::Object(_)) if !fields.is_empty() => {
            for (name, want) in fields {
                compare(want, &got[name], &format!("{at}.{name}"), differences);
            }
        }
        (Value::Array(wanted), Value::Array(items)) if wanted.len() == items.len() => {
            for (place, (want, got)) in wanted.iter().zip(items).enumerate().filter(|(_, (want, _))| !want.is_null()) {
                compare(want, got, &format!("{at}[{place}]"), differences);
            }
        }
        _ if want == got => {}
        _ => differences.push(format!("{at}: expected {want}, got {got}")),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(yes) => !yes,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_subset_compares_what_it_has() {
        let got = json!({ "a": 1, "b": [{ "c": "x", "d": 2 }, 7], "e": null });
        for want in [
            json!({ "a": 1 }),
            json!({ "b": [{ "c": "x" }, 7] }),
            json!({ "b": [null, 7] }),
            json!({ "e": false, "missing": 0 }),
        ] {
            assert_eq!(subset_differences(&want, &got, ""), [""; 0], "{want}");
        }
        for want in [
            json!({ "a": 2 }),
            json!({ "a": true }),
            json!({ "b": [{ "c": "x" }] }),
            json!({ "b": [{ "c": "y" }, 7] }),
            json!({ "missing": 1 }),
            json!({ "a": 0 }),
        ] {
            assert_eq!(subset_differences(&want, &got, "").len(), 1, "{want}");
        }
    }

    #[test]
    fn a_row_goes_by_the_id_that_was_expected() {
        let wanted = json!([{ "id": "t1", "name": "n", "outcome": "completed", "calls": 0 }]);
        let rows = json!([{ "dispatch_id": "d1", "task_id": "t1", "name": "n", "outcome": "completed", "calls": 0 }]);
        assert_eq!(short_rows(&rows, &wanted), wanted);
    }
}
