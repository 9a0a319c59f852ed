//! What is printed as JSON is what the files in `schemas/` say, and nothing besides.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use cardfold_testkit::fixture;
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::{cardfold, list};

/// The schemas by the format that they describe. A reader of the published ones has to put up with more fields; here
/// one that no schema has is a mistake.
static SCHEMAS: LazyLock<BTreeMap<String, Validator>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let files = fs::read_dir(folder).expect("the schemas are there");
    let schemas = files.map(|file| {
        let text = fs::read_to_string(file.expect("an entry can be read").path()).expect("a schema can be read");
        let mut schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
        let format = schema["properties"]["format"]["const"].as_str().expect("a schema states its format").to_owned();
        close(&mut schema);
        (format, jsonschema::validator_for(&schema).expect("the schema is one"))
    });
    schemas.collect()
});

/// Allows no field that the schema does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.contains_key("properties") && fields.contains_key("required") {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
            fields.values_mut().for_each(close);
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Holds what was printed against the schema of its format.
pub(crate) fn check(printed: &Value) {
    let format = printed["format"].as_str().unwrap_or_else(|| panic!("{printed} states its format"));
    let schema = SCHEMAS.get(format).unwrap_or_else(|| panic!("{format} has a schema"));
    let errors: Vec<String> =
        schema.iter_errors(printed).map(|error| format!("{}: {error}", error.instance_path)).collect();
    assert!(errors.is_empty(), "{format}: {errors:#?}");
}

#[test]
fn every_capture_and_case_prints_what_the_schemas_say() {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut see = |printed: &Value| {
        check(printed);
        *seen.entry(printed["format"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
    };
    for path in ["captures/2.0.77", "captures/2.1.332", "captures/2.1.220", "cases", "regressions"] {
        for words in [
            "replay --all --format json",
            "replay --live --format json",
            "explain --format json",
            "sessions --json",
            "stats --format json",
        ] {
            let ran = cardfold(&format!("{words} {path}"));
            see(&serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{words} {path}: {error} {}", ran.err)));
        }
        for line in cardfold(&format!("replay --format ndjson {path}")).out.lines() {
            see(&serde_json::from_str(line).expect("a line is JSON"));
        }
    }
    assert_eq!(seen.len(), SCHEMAS.len(), "each schema was used: {seen:?}");
}

/// A schema that takes anything would prove nothing.
#[test]
fn a_schema_refuses_what_is_not_so() {
    let ran = cardfold("replay --format json captures/2.1.332/04b-nested-background/stream.jsonl");
    let schema = &SCHEMAS["cardfold/1"];
    let report: Value = serde_json::from_str(&ran.out).expect("a report is JSON");
    assert!(schema.is_valid(&report));
    assert_eq!(list(&list(&report, "sessions")[0], "cards").len(), 1);
    for (place, value) in [
        ("/format", json!("cardfold/2")),
        ("/sessions/0/lines", json!(-1)),
        ("/sessions/0/cards/0/state", json!("asleep")),
        ("/sessions/0/cards/0/runs", json!(0)),
        ("/sessions/0/cards/0/nested/0/depth", json!("1")),
        ("/sessions/0/cards/0/outcome", json!(7)),
        ("/sessions/0/cards/0/usage", json!({ "tokens": 1 })),
    ] {
        let mut wrong = report.clone();
        *wrong.pointer_mut(place).unwrap_or_else(|| panic!("{place} is there")) = value;
        assert!(!schema.is_valid(&wrong), "{place}");
    }
    let mut more = report.clone();
    more["sessions"][0]["news"] = json!(1);
    assert!(!schema.is_valid(&more), "a field without a description");
}

/// The files are found where the README says they are.
#[test]
fn the_readme_names_the_folder() {
    let readme = fs::read_to_string(fixture::testdata().join("../README.md")).expect("there is a README");
    assert!(readme.contains("crates/cardfold-cli/schemas"), "the README leads to the schemas");
}
