//! What is JSON and what is not, held against another reader of JSON: the same lines, the same places of what is wrong, the
//! same frames.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use cardfold_wire::{Frame, FrameErrorKind};
use proptest::collection::vec;
use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::lines::LINES;

/// The end of the first value of a text as the other reader has it, or the place of the byte that cannot stand there.
fn first_value(text: &str) -> Result<usize, usize> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => Ok(values.byte_offset()),
        Some(Err(error)) => {
            // It counts lines and columns from 1, and takes a control character for the one before it.
            let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
            let is_before = error.to_string().starts_with("control character");
            Err((before + error.column() + usize::from(is_before)).saturating_sub(1).min(text.len()))
        }
        None => Err(0),
    }
}

/// Holds one line that begins an object against the other reader.
fn agrees(line: &[u8]) {
    let decoded = Frame::decode_first(line);
    let shown = String::from_utf8_lossy(line);
    let (text, bad_byte) = match str::from_utf8(line) {
        Ok(text) => (text, None),
        Err(error) => {
            let end = error.valid_up_to();
            (str::from_utf8(&line[..end]).expect("the error says how far it is text"), Some(end))
        }
    };
    let end = match first_value(text) {
        Ok(end) => end,
        Err(place) => {
            // That a line is no text comes before what its text says.
            let wrong = bad_byte.map_or((FrameErrorKind::NotJson, place), |place| (FrameErrorKind::NotUtf8, place));
            let error = decoded.expect_err("what is no JSON is no frame");
            assert_eq!((error.kind(), error.offset()), (wrong.0, Some(wrong.1)), "{shown}: {error}");
            return;
        }
    };
    match &decoded {
        Ok((_, rest)) => {
            let (padding, after) = line[end..].split_at(line.len() - end - rest.len());
            assert_eq!(after, *rest, "{shown}");
            assert!(padding.iter().all(|byte| b" \t\r\n\0\xef\xbb\xbf".contains(byte)), "{shown}");
        }
        Err(error) => {
            assert!(!matches!(error.kind(), FrameErrorKind::NotJson | FrameErrorKind::NotUtf8), "{shown}: {error}");
        }
    }
    // A tree of values wants every text to be well formed, also where nobody reads it, and bounds every depth.
    let Ok(value) = serde_json::from_str::<Value>(&text[..end]) else { return };
    match (decoded, Frame::from_value(&value)) {
        (Ok((frame, _)), Ok(same)) => assert_eq!(frame, same, "{shown}"),
        (Err(error), Err(same)) => assert_eq!(error.to_string(), same.to_string(), "{shown}"),
        (one, other) => panic!("{shown}: {one:?} but {other:?}"),
    }
}

/// Real lines: those of the captures of one version, which are of every kind.
static CAPTURED: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut files = Vec::new();
    files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/captures/2.1.332"), &mut files);
    let texts = files.iter().map(|file| fs::read_to_string(file).expect("captures are text"));
    let lines: Vec<String> = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    assert!(lines.len() > 1_000, "the captures are there");
    lines
});

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("test data can be listed") {
        let path = entry.expect("test data can be listed").path();
        if path.is_dir() {
            files_below(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
}

#[test]
fn real_lines_agree() {
    for line in CAPTURED.iter() {
        agrees(line.as_bytes());
    }
    for (_, line) in LINES {
        agrees(line.as_bytes());
    }
}

#[test]
fn what_is_malformed_is_so_also_where_nobody_wants_it() {
    for wrong in [
        "01",
        "-",
        "+1",
        "1.",
        ".5",
        "1e",
        "1e+",
        "-01",
        "1.e3",
        "0x1",
        "1_000",
        "NaN",
        "Infinity",
        "-a",
        "tru",
        "truE",
        "nul",
        "fals ",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u\"",
        "\"a\tb\"",
        "\"a\u{1}b\"",
        "\"a",
        "[1 2]",
        "[1,]",
        "[,1]",
        "[1}",
        "{1:2}",
        "{\"a\"}",
        "{\"a\" 1}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\":1]",
        "{a:1}",
        "'a'",
        "]",
        "}",
        ":",
        ",",
        "",
        "\u{a0}1",
    ] {
        for line in [
            format!(r#"{{"type":"summary","nobody":{wrong},"uuid":"u1"}}"#),
            format!(r#"{{"type":"summary","uuid":{wrong},"session_id":"s1"}}"#),
            format!(r#"{{"type":"user","message":{{"content":[{{"type":{wrong}}}],"x":[{wrong}]}}}}"#),
            format!(r#"{{"type":"summary","nobody":{{"a":[0,{{"b":{wrong}}}]}},"uuid":"u1"}}"#),
            format!(r#"{{"type":"summary","uuid":{wrong}}}"#),
        ] {
            assert!(first_value(&line).is_err(), "{line} is no JSON");
            agrees(line.as_bytes());
        }
    }
}

#[test]
fn white_space_may_stand_between_any_two_tokens() {
    let spaced = |space: &str| {
        let tokens = [
            "{",
            "\"type\"",
            ":",
            "\"user\"",
            ",",
            "\"nobody\"",
            ":",
            "[",
            "1",
            ",",
            "{",
            "\"a\"",
            ":",
            "null",
            "}",
            ",",
            "[",
            "]",
            "]",
            ",",
            "\"message\"",
            ":",
            "{",
            "\"content\"",
            ":",
            "[",
            "\"x\"",
            ",",
            "{",
            "}",
            "]",
            "}",
            ",",
            "\"isMeta\"",
            ":",
            "true",
            "}",
        ];
        tokens.join(space)
    };
    let plain = spaced("");
    let frame = Frame::decode(plain.as_bytes()).expect("it is a frame");
    for space in [" ", "\n", "\r\n\t ", &" ".repeat(100)] {
        let line = spaced(space);
        agrees(line.as_bytes());
        assert_eq!(Frame::decode(line.as_bytes()).expect("it is a frame"), frame);
    }
}

/// Pieces that JSON is made of, and pieces that break it.
fn piece() -> impl Strategy<Value = String> {
    let pieces: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\\\",
        "\\\"",
        "\\n",
        "\\u00e9",
        "\\ud83d",
        "\\ude00",
        "\\x",
        "\\u12",
        " ",
        "\t",
        "\n",
        "\u{1}",
        "0",
        "1",
        "12",
        "-",
        "0.5",
        "1e5",
        "1E400",
        "01",
        "true",
        "false",
        "null",
        "é",
        "x",
        "\"type\"",
        "\"type\":\"user\"",
        "\"uuid\":\"u1\"",
        "\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"a\\nb\"}]}",
        "\"parent_tool_use_id\":null",
        "\"x\":1,",
        "{\"type\":\"user\",\"message\":{}}",
    ];
    prop_oneof![
        8 => proptest::sample::select(pieces).prop_map(str::to_owned),
        1 => (0..80_usize).prop_map(|len| "y".repeat(len)),
        1 => any::<char>().prop_map(String::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn any_pieces_agree(pieces in vec(piece(), 1..40)) {
        agrees(format!("{{{}", pieces.concat()).as_bytes());
    }

    #[test]
    fn objects_of_any_pieces_agree(pieces in vec(piece(), 0..12), before in 0..70_usize) {
        // Strings are looked through in steps: what they hold shall stand at every place of one.
        let line = format!(r#"{{"type":"summary","nobody":"{}{}","uuid":"u1"}}"#, "z".repeat(before), pieces.concat());
        agrees(line.as_bytes());
        let line = format!(r#"{{"type":"summary","uuid":"{}{}"}}"#, "z".repeat(before), pieces.concat());
        agrees(line.as_bytes());
    }

    #[test]
    fn real_lines_with_faults_agree(
        line in any::<prop::sample::Index>(),
        edits in vec((any::<prop::sample::Index>(), 0..4_u8, any::<u8>()), 1..4),
    ) {
        let mut bytes = line.get(&CAPTURED[..]).as_bytes().to_vec();
        for (place, edit, byte) in edits {
            // The first byte stays: the line begins an object.
            let place = 1 + place.index(bytes.len().saturating_sub(1).max(1));
            let other = *b"\"\\{}[]:,0u \x01\xff-".get(usize::from(byte % 16)).unwrap_or(&byte);
            match edit {
                _ if place >= bytes.len() => bytes.push(other),
                0 => bytes.insert(place, other),
                1 => bytes.truncate(place),
                2 => drop(bytes.remove(place)),
                _ => bytes[place] = other,
            }
        }
        agrees(&bytes);
    }
}
