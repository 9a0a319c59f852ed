//! What a reader of the report sees, for every store of the captures and for every case: one snapshot each, to be read
//! against `testdata/captures/README.md` and the `why` of the case.

use std::fmt::Write;
use std::path::Path;

use cardfold_replay::{Options, Problems, Report, replay};
use insta::{Settings, assert_snapshot};

use crate::cases;
use crate::common::{captures, testdata};

#[test]
fn each_stored_capture() {
    in_folder("captures", || {
        for capture in captures() {
            let folder = capture.stored().parent().expect("a session file stands in a folder").to_owned();
            let report = replay(capture.stored(), &Options::default());
            assert_snapshot!(capture.name.replace('/', "__"), shown(&report, &folder));
        }
    });
}

#[test]
fn each_case() {
    in_folder("cases", || {
        for name in cases::names() {
            let copy = cases::copy_of(&name);
            let report = cases::fold(copy.path(), &cases::expectation(&name));
            assert_snapshot!(name, shown(&report, copy.path()));
        }
    });
}

fn in_folder(folder: &str, check: impl FnOnce()) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(Path::new("snapshots").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(check);
}

/// The report as text, with paths as they stand below `folder`.
fn shown(report: &Report, folder: &Path) -> String {
    let mut text = String::new();
    for session in &report.sessions {
        let id = session.session_id.as_deref().unwrap_or("without an id");
        writeln!(text, "session {id}").expect("a text takes text");
        let counts = [
            (session.lines, "lines"),
            (session.frames, "frames"),
            (session.skipped, "skipped"),
            (session.unknown, "unknown"),
        ];
        let counts: Vec<_> = counts.iter().map(|(count, of)| format!("{count} {of}")).collect();
        writeln!(text, "{}, {} not drawn", counts.join(", "), session.tracker.undrawn()).expect("a text takes text");
        text.push_str(&problems(&session.problems));
        writeln!(text, "\n{}", session.tracker).expect("a text takes text");
    }
    text.push_str(&problems(&report.problems));
    let root = testdata().to_string_lossy().into_owned();
    text.replace(&*folder.to_string_lossy(), "").replace(&root, "")
}

fn problems(problems: &Problems) -> String {
    problems.iter().map(|problem| format!("{}: {problem}\n", problem.kind)).collect()
}
