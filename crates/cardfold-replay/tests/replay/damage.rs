//! P5: what is bad in a file costs that line, never the reading.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::slice;

use cardfold_replay::{Options, Problems, replay, replay_reader};

use crate::common::{Capture, Lines, Store, children, copy_folder, only, problem_words, report_json};

/// A dispatch and its report, as two lines.
fn pair() -> (String, String) {
    let lines = Lines::main().dispatch("toolu_A", "Look.").report("toolu_A", "a1", "Seen.").lines;
    (lines[0].to_string(), lines[1].to_string())
}

/// Cards with their outcomes, lines, skipped lines, and problems.
type Folded = (Vec<String>, u64, u64, Vec<(String, Option<u64>)>);

fn folded(bytes: &[u8]) -> Folded {
    let report = replay_reader(bytes, "-", &Options::default());
    let session = only(&report);
    let outcomes = session.tracker.cards().map(|card| format!("{} {:?}", card.dispatch_id, card.outcome)).collect();
    (outcomes, session.lines, session.skipped, problem_words(&session.problems))
}

fn done() -> Vec<String> {
    vec!["toolu_A Some(Completed)".to_owned()]
}

fn word(kind: &str, line: u64) -> (String, Option<u64>) {
    (kind.to_owned(), Some(line))
}

#[test]
fn line_ends_and_padding_cost_nothing() {
    let (one, two) = pair();
    for text in [
        format!("{one}\n{two}\n"),
        format!("{one}\n{two}"),
        format!("{one}\r\n{two}\r\n"),
        format!("\u{feff}{one}\n{two}"),
        format!("\n\n  \n{one}\n\t\r\n{two}\n\n"),
        format!("\0\0\0{one}\0\0\n\0{two}\0\0\0"),
        format!("{}{one}\n{}\n{two}", "\0".repeat(100_000), "\0".repeat(70_000)),
    ] {
        assert_eq!(folded(text.as_bytes()), (done(), 2, 0, vec![]), "{text:.40?}");
    }
}

#[test]
fn objects_that_share_a_line_are_all_read() {
    let (one, two) = pair();
    let summary = r#"{"type":"summary","summary":"s","leafUuid":"l"}"#;
    assert_eq!(folded(format!("{one}{two}").as_bytes()), (done(), 1, 0, vec![]));
    assert_eq!(folded(format!("{summary}{one} \0 {two}{summary}\n").as_bytes()), (done(), 1, 0, vec![]));
    let torn = folded(format!("{one}{}\n{two}", &two[..40]).as_bytes());
    assert_eq!(torn, (done(), 2, 1, vec![word("not_json", 1)]));
}

#[test]
fn a_bad_line_is_skipped_with_its_place() {
    let (one, two) = pair();
    let deep = format!(r#"{{"type":"user","message":{{"content":{}"x"{}}}}}"#, "[".repeat(200), "]".repeat(200));
    let mut bytes = Vec::new();
    for line in [
        &b"// no JSON"[..],
        one.as_bytes(),
        b"[1, 2]",
        b"\"text\"",
        b"{\"type\":\"user\",\"message\":{\"content\":\"\xff\xfe\"}}",
        deep.as_bytes(),
        b"{}",
        &two.as_bytes()[..two.len() - 5],
        two.as_bytes(),
        b"{\"type\":",
    ] {
        bytes.extend_from_slice(line);
        bytes.push(b'\n');
    }
    let problems = [
        ("not_json", 1),
        ("not_an_object", 3),
        ("not_an_object", 4),
        ("not_utf8", 5),
        ("too_deep", 6),
        ("malformed", 7),
        ("not_json", 8),
        ("not_json", 10),
    ];
    let words = problems.map(|(kind, line)| word(kind, line)).to_vec();
    assert_eq!(folded(&bytes), (done(), 10, 8, words));
}

#[test]
fn a_line_over_the_cap_is_skipped_and_never_kept() {
    let (one, two) = pair();
    let long = format!(r#"{{"type":"user","message":{{"content":"{}"}}}}"#, "x".repeat(100_000));
    let mut options = Options::default();
    options.max_line_bytes = 10_000;
    for end in ["\n", "\r\n", ""] {
        let text = format!("{one}\n{two}\n{long}{end}");
        let report = replay_reader(text.as_bytes(), "-", &options);
        assert_eq!(problem_words(&only(&report).problems), [word("too_long", 3)]);
        assert_eq!(only(&report).lines, 3);
    }
    let text = format!("{long}\n{one}\n{long}\n{two}\n");
    let report = replay_reader(text.as_bytes(), "-", &options);
    assert_eq!(problem_words(&only(&report).problems), [word("too_long", 1), word("too_long", 3)]);
    assert_eq!(only(&report).tracker.drawn(), 1);
}

#[test]
fn problems_past_the_first_thousand_are_counted() {
    let (one, _) = pair();
    let text = format!("{one}\n{}", "garbage\n".repeat(1_500));
    let report = replay_reader(text.as_bytes(), "-", &Options::default());
    let session = only(&report);
    assert_eq!((session.skipped, session.problems.len(), session.problems.more()), (1_500, 1_000, 500));
    assert_eq!(session.problems[999].to_string(), "-:1001: not JSON at column 1");
}

#[test]
fn a_file_without_a_frame_is_a_problem_and_no_session() {
    let store = Store::new();
    let of = |problems: &Problems| problem_words(problems);
    let none = ("no_frame".to_owned(), None);
    for (file, bytes) in [("empty.jsonl", &b""[..]), ("nul.jsonl", &[0; 5_000]), ("blank.jsonl", b"\n \r\n\n")] {
        let report = replay(&store.write(file, bytes), &Options::default());
        assert!(report.sessions.is_empty(), "{file}");
        assert_eq!(of(&report.problems), slice::from_ref(&none), "{file}");
    }
    let report = replay(&store.write("garbage.jsonl", "one\ntwo\n"), &Options::default());
    assert!(report.sessions.is_empty());
    assert_eq!(of(&report.problems), [word("not_json", 1), word("not_json", 2), none]);
    assert_eq!(report.skipped, 2);
    let report = replay(&store.path("missing.jsonl"), &Options::default());
    assert_eq!(of(&report.problems), [("unreadable".to_owned(), None)]);
}

/// Gives its bytes, then fails.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(io::Error::other("the other end is gone"));
        }
        self.0.read(buffer)
    }
}

#[test]
fn a_reader_that_fails_gives_what_it_had() {
    let (one, two) = pair();
    for text in [format!("{one}\n{two}\n"), format!("{one}\n{two}\n{{\"type\"")] {
        let report = replay_reader(Failing(text.as_bytes()), "pipe", &Options::default());
        let session = only(&report);
        assert_eq!(session.tracker.cards().filter(|card| !card.running).count(), 1);
        assert_eq!(problem_words(&session.problems), [("unreadable".to_owned(), None)]);
        assert_eq!(session.problems[0].file, "pipe");
    }
}

#[test]
fn a_sidecar_may_be_of_any_age_and_any_damage() {
    let (big, unreadable) = ("x".repeat(50_000_000), "unreadable");
    let dispatch = r#""toolUseId":"toolu_A""#;
    for (sidecar, is_linked, problem) in [
        (format!("{{{dispatch}}}"), true, None),
        (format!("{{{dispatch},\"agentType\":7,\"description\":[],\"spawnDepth\":\"x\"}}"), true, None),
        (format!("\u{feff}{{{dispatch}}}\r\n\0\0"), true, None),
        (format!("{{\"description\":\"{big}\",{dispatch}}}"), true, None),
        ("{}".to_owned(), false, None),
        (r#"{"toolUseId":123,"description":"x"}"#.to_owned(), false, None),
        ("{\"toolUseId\":\"toolu".to_owned(), false, Some("not_json")),
        (String::new(), false, Some("not_json")),
        ("[]".to_owned(), false, Some("not_an_object")),
    ] {
        let store = Store::new();
        // The prompt is another one, so that only the sidecar can link.
        let main = Lines::main().dispatch("toolu_A", "Look.").lines;
        let path = store.lines("s.jsonl", &main);
        store.lines("s/subagents/agent-a1.jsonl", &Lines::agent("a1", 5).prompt("Other.").text("Hm.").lines);
        store.write("s/subagents/agent-a1.meta.json", &sidecar);
        let report = replay(&path, &Options::default());
        let session = only(&report);
        let card = session.tracker.cards().next().expect("the dispatch is a card");
        assert_eq!(card.task_id.is_some(), is_linked, "{sidecar:.80}");
        let problems: Vec<_> = session.problems.iter().map(|problem| problem.kind.as_str()).collect();
        assert_eq!(problems, Vec::from_iter(problem), "{sidecar:.80}");
        assert_eq!(session.skipped, 0, "a sidecar is no line");
    }
    let store = Store::new();
    let path = store.lines("s.jsonl", &Lines::main().dispatch("toolu_A", "Look.").lines);
    store.lines("s/subagents/agent-a1.jsonl", &Lines::agent("a1", 5).prompt("Look.").lines);
    store.write("s/subagents/agent-a1.meta.json/inner", "a directory named like a sidecar");
    let report = replay(&path, &Options::default());
    assert_eq!(only(&report).problems[0].kind.as_str(), unreadable);
    assert_eq!(only(&report).tracker.cards().next().and_then(|card| card.task_id).as_deref(), Some("a1"));
}

/// What else a sidecar says is taken where its id is of the wrong type.
#[test]
fn a_wrong_field_costs_itself_and_not_the_sidecar() {
    for (id, dispatch_id) in [("123", "a1"), ("null", "a1"), (r#"["toolu_A"]"#, "a1"), (r#""toolu_A""#, "toolu_A")] {
        let store = Store::new();
        let path = store.lines("s.jsonl", &Lines::main().text("Hello.").lines);
        store.lines("s/subagents/agent-a1.jsonl", &Lines::agent("a1", 5).prompt("Look.").call("c1").lines);
        let sidecar = format!(r#"{{"toolUseId":{id},"description":"Look for it","agentType":"Explore"}}"#);
        store.write("s/subagents/agent-a1.meta.json", sidecar);
        let report = replay(&path, &Options::default());
        let card = only(&report).tracker.cards().next().expect("the agent is a card");
        assert_eq!((card.dispatch_id.as_str(), card.name.as_str()), (dispatch_id, "Look for it"), "{id}");
        assert_eq!(card.agent_type.as_deref(), Some("Explore"), "{id}");
        assert!(only(&report).problems.is_empty(), "{id}");
    }
}

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end
    }
}

/// Whatever happens to the bytes of a store: reading ends, each line is read or skipped, and nothing depends on chance.
#[test]
fn any_damage_is_survived() {
    let mut numbers = Numbers(7);
    for name in ["2.1.332/09-workflow", "2.1.332/04-nested", "2.1.19/07b-resume-agent", "2.0.77/05-failures"] {
        let capture = Capture::of(name);
        let from = capture.stored().parent().expect("a session file stands in a folder");
        for _ in 0..60 {
            let store = Store::new();
            copy_folder(from, store.folder.path());
            let files = files_below(store.folder.path());
            for _ in 0..=numbers.below(4) {
                let file = &files[numbers.below(files.len())];
                let bytes = fs::read(file).expect("a copy can be read");
                fs::write(file, damaged(bytes, &mut numbers)).expect("a copy can be written");
            }
            let path = store.folder.path().join(capture.stored().file_name().expect("a file has a name"));
            let report = replay(&path, &Options::default());
            assert_eq!(report_json(&report), report_json(&replay(&path, &Options::default())), "{name}");
            for session in &report.sessions {
                assert!(session.skipped <= session.lines, "{name}");
            }
        }
    }
}

fn damaged(mut bytes: Vec<u8>, numbers: &mut Numbers) -> Vec<u8> {
    if bytes.is_empty() {
        return bytes;
    }
    let at = numbers.below(bytes.len());
    let length = numbers.below(200).min(bytes.len() - at);
    match numbers.below(6) {
        0 => bytes.truncate(at),
        1 => bytes[at] = u8::try_from(numbers.below(256)).expect("a byte fits"),
        2 => drop(bytes.drain(at..at + length)),
        3 => bytes.splice(at..at, [b'\n'; 3]).for_each(drop),
        4 => {
            let again = bytes[at..].to_vec();
            bytes.extend(again);
        }
        _ => bytes = bytes.split(|byte| *byte == b'\n').rev().collect::<Vec<_>>().join(&b'\n'),
    }
    bytes
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (folders, mut files): (Vec<_>, Vec<_>) = children(folder).into_iter().partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| files_below(folder)));
    files
}
