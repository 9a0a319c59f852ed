//! The list of cards on a screen: counts, cards, and what the keys do. Pure: a model in, cells out.

use std::mem;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::figures::counted;
use crate::follow::card_lines;
use crate::follow::keys::Mode;
use crate::follow::model::{Model, Row};
use crate::follow::page;
use crate::follow::sessions::Stage;
use crate::follow::text::{Styles, both_sides, fit, fit_end, safe, width};
use crate::style::Tone;

/// How many cards stand how.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Counts {
    pub(crate) queued: u64,
    pub(crate) running: u64,
    pub(crate) waiting: u64,
    pub(crate) done: u64,
    pub(crate) failed: u64,
}

/// Lines of a screen that are left for cards.
pub(crate) fn body_height(height: u16) -> u16 {
    height.saturating_sub(2)
}

/// Lines that a row of the list takes.
pub(crate) fn height(row: &Row<'_>) -> usize {
    match row {
        Row::Card { entry, .. } => card_lines::height(&entry.card),
        Row::Session(_) => 1,
    }
}

/// Draws everything.
pub(crate) fn draw(frame: &mut Frame<'_>, model: &Model, styles: Styles) {
    let area = frame.area();
    let columns = usize::from(area.width);
    let lines = usize::from(body_height(area.height));
    let mut all = vec![header(model, columns, styles)];
    match model.open_card() {
        Some(entry) => {
            let page = page::lines(entry, model.now_ms, columns, styles);
            all.extend(page.into_iter().skip(model.top()).take(lines));
        }
        None => all.extend(list(model, columns, lines, styles)),
    }
    all.resize(lines.saturating_add(1), Line::default());
    all.push(footer(model, columns, styles));
    for (y, line) in (area.y..area.bottom()).zip(all) {
        frame.render_widget(line, Rect { y, height: 1, ..area });
    }
}

/// The lines of the cards that are in sight.
fn list(model: &Model, columns: usize, lines: usize, styles: Styles) -> Vec<Line<'static>> {
    let (mut above, mut shown) = (model.top(), Vec::new());
    for row in model.rows() {
        let height = height(&row);
        if above >= height {
            above -= height;
            continue;
        }
        let row = match row {
            Row::Card { entry, is_chosen, .. } => card_lines::lines(entry, is_chosen, model.now_ms, columns, styles),
            Row::Session(id) => {
                vec![Line::from(styles.span(Tone::Quiet, fit(&safe(&format!("session {id}")), columns)))]
            }
        };
        shown.extend(row.into_iter().skip(mem::take(&mut above)));
        if shown.len() >= lines {
            break;
        }
    }
    shown.truncate(lines);
    shown
}

/// Counts, and how the reading stands.
fn header(model: &Model, columns: usize, styles: Styles) -> Line<'static> {
    let Counts { queued, running, waiting, done, failed } = model.counts();
    let all = [
        (running, "running", "●", Tone::Live),
        (queued, "queued", "○", Tone::Live),
        (waiting, "waiting", "◐", Tone::Unsure),
        (done, "done", "✓", Tone::Good),
        (failed, "failed", "✗", Tone::Bad),
    ];
    let (mut left, mut signs) = (Vec::new(), Vec::new());
    for (count, word, sign, tone) in all.into_iter().filter(|(count, ..)| *count > 0) {
        if !left.is_empty() {
            left.push(Span::raw(", "));
            signs.push(Span::raw(" "));
        }
        left.push(styles.span(tone, format_args!("{count} {word}")));
        signs.push(styles.span(tone, format_args!("{count}{sign}")));
    }
    // Where there is no room for words the signs of the list say the same.
    if left.iter().map(Span::width).sum::<usize>() > columns {
        left = signs;
    }
    if left.is_empty() {
        left.push(styles.span(Tone::Quiet, "no agents yet"));
    }
    let mut right = Vec::new();
    if model.skipped > 0 {
        right.push(styles.span(Tone::Unsure, format_args!("{} skipped  ", counted(model.skipped, "line"))));
    }
    let used: usize = left.iter().chain(&right).map(Span::width).sum();
    let room = columns.saturating_sub(used).saturating_sub(3);
    let source = safe(&model.source);
    right.push(match &model.stage {
        Stage::Live => styles.span(Tone::Quiet, fit_end(&source, room)),
        Stage::Over => styles.span(Tone::Quiet, fit("the input has ended", room)),
        Stage::Reading => styles.span(Tone::Quiet, fit("reading", room)),
        Stage::Waiting(detail) => {
            styles.span(Tone::Unsure, fit(&format!("waiting for {source}: {}", safe(detail)), room))
        }
    });
    both_sides(left, right, columns)
}

/// What the keys do, or the filter that is typed.
fn footer(model: &Model, columns: usize, styles: Styles) -> Line<'static> {
    let filter = safe(&model.filter);
    let hints: &[&str] = match (model.mode(), filter.is_empty()) {
        (Mode::Filter, _) => {
            let typed = fit_end(&filter, columns.saturating_sub(2));
            let left = vec![styles.span(Tone::Name, format_args!("/{typed}")), Span::raw("▏")];
            return both_sides(left, vec![styles.span(Tone::Quiet, "Enter keep  Esc drop")], columns);
        }
        (Mode::List, true) => &["q quit", "↑↓ move", "Enter open", "/ filter", "Esc newest"],
        (Mode::List, false) => &["q quit", "↑↓ move", "Enter open", "/ filter", "Esc all"],
        (Mode::Page, _) => &["q quit", "↑↓ scroll", "Esc back"],
    };
    let mut shown = String::new();
    for hint in hints {
        let gap = if shown.is_empty() { "" } else { "  " };
        if width(&shown) + gap.len() + width(hint) > columns {
            break;
        }
        shown = shown + gap + hint;
    }
    let kept = if filter.is_empty() { Vec::new() } else { vec![styles.span(Tone::Name, format_args!("/{filter}"))] };
    both_sides(vec![styles.span(Tone::Quiet, shown)], kept, columns)
}

#[cfg(test)]
mod tests {
    use cardfold_wire::Frame as Wire;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use serde_json::{Value, json};

    use super::*;
    use crate::follow::keys::{Action, Step};
    use crate::follow::sessions::{Session, Sessions};

    /// When the session begins, and what time it is when somebody looks.
    const START_MS: i64 = 1_772_442_000_000;
    const NOW_MS: i64 = START_MS + 95_000;

    /// A frame so many milliseconds after the start of the session.
    fn frame(after_ms: i64, mut fields: Value) -> String {
        fields["timestamp"] = json!(crate::calendar::utc(START_MS + after_ms));
        fields["session_id"] = json!("s");
        fields.to_string()
    }

    fn call(after_ms: i64, parent: Option<&str>, id: &str, name: &str, input: Value) -> String {
        let block = json!({"type": "tool_use", "id": id, "name": name, "input": input});
        let message = json!({"model": "m", "content": [block]});
        frame(after_ms, json!({"type": "assistant", "parent_tool_use_id": parent, "message": message}))
    }

    fn dispatch(after_ms: i64, parent: Option<&str>, id: &str, name: &str, agent_type: &str) -> String {
        call(after_ms, parent, id, "Agent", json!({"description": name, "subagent_type": agent_type}))
    }

    fn result(after_ms: i64, parent: &str, id: &str, is_error: bool) -> String {
        let block = json!({"type": "tool_result", "tool_use_id": id, "content": "x", "is_error": is_error});
        frame(after_ms, json!({"type": "user", "parent_tool_use_id": parent, "message": {"content": [block]}}))
    }

    fn task(after_ms: i64, subtype: &str, id: &str, more: Value) -> String {
        let mut fields =
            json!({"type": "system", "subtype": subtype, "task_id": format!("task-{id}"), "tool_use_id": id});
        more.as_object().into_iter().flatten().for_each(|(name, value)| fields[name] = value.clone());
        frame(after_ms, fields)
    }

    /// One card of each kind: done, failed, running with calls and agents of its own, waiting, queued.
    fn lines() -> Vec<String> {
        let usage =
            |tokens: u64, calls: u64, ms: u64| json!({"total_tokens": tokens, "tool_uses": calls, "duration_ms": ms});
        let started = |name: &str| json!({"task_type": "local_agent", "description": name});
        vec![
            dispatch(0, None, "a", "Survey the sources", "Explore"),
            task(1, "task_started", "a", started("Survey the sources")),
            call(10, Some("a"), "a1", "Read", json!({"file_path": "src/lib.rs"})),
            result(900, "a", "a1", false),
            task(3_400, "task_progress", "a", json!({"usage": usage(12_345, 1, 3_400)})),
            task(3_401, "task_updated", "a", json!({"patch": {"status": "completed"}})),
            dispatch(4_000, None, "b", "Run every check of the workspace and say what fails", "general-purpose"),
            task(4_001, "task_started", "b", started("Run every check of the workspace and say what fails")),
            task(9_000, "task_updated", "b", json!({"patch": {"status": "failed", "error": "exit status 101\nmore"}})),
            dispatch(30_000, None, "c", "Level 1 look", "general-purpose"),
            task(30_001, "task_started", "c", started("Level 1 look")),
            call(31_000, Some("c"), "c1", "Bash", json!({"command": "cargo test --workspace"})),
            result(32_000, "c", "c1", true),
            call(33_000, Some("c"), "c2", "Grep", json!({"pattern": "TODO", "path": "src"})),
            result(34_000, "c", "c2", false),
            dispatch(35_000, Some("c"), "d", "Level 2 look", "Explore"),
            task(35_001, "task_started", "d", started("Level 2 look")),
            dispatch(
                36_000,
                Some("d"),
                "e",
                "Level 3 look with a name that does not fit on a narrow screen",
                "Explore",
            ),
            call(37_000, Some("c"), "c3", "Read", json!({"file_path": "/srv/概要/読む.md"})),
            task(
                38_000,
                "task_progress",
                "c",
                json!({"description": "Reading 概要", "usage": usage(20_500, 4, 8_000)}),
            ),
            dispatch(80_000, None, "w", "Tidy up", "general-purpose"),
            task(80_001, "task_started", "w", started("Tidy up")),
            frame(
                81_000,
                json!({"type": "control_request", "request_id": "r", "request": {"subtype": "can_use_tool",
                "tool_name": "Bash", "agent_id": "task-w", "title": "Run rm -rf build?", "input": {}}}),
            ),
            dispatch(90_000, None, "q", "Later", "Explore"),
            task(90_001, "task_started", "q", started("Later")),
            task(90_002, "task_updated", "q", json!({"patch": {"status": "pending"}})),
        ]
    }

    fn sessions(lines: &[String]) -> Sessions {
        let mut session = Session::default();
        for line in lines {
            session.tracker.apply(&Wire::decode(line.as_bytes()).expect("the line is a frame"));
        }
        Sessions { all: vec![session], stage: Stage::Live, ..Sessions::default() }
    }

    fn model(lines: &[String]) -> Model {
        let mut model = Model::new("/srv/projects/a/4241d8a9.jsonl".to_owned());
        model.update(&sessions(lines), NOW_MS);
        model
    }

    /// The screen after these keys, without its colours.
    fn screen(model: &mut Model, columns: u16, lines: u16, actions: &[Action]) -> String {
        for action in actions {
            model.act(*action, lines);
            model.fit(columns, lines);
        }
        model.fit(columns, lines);
        let mut terminal = Terminal::new(TestBackend::new(columns, lines)).expect("memory is a terminal");
        terminal.draw(|frame| draw(frame, model, Styles::plain())).expect("memory is a terminal");
        terminal.backend().to_string()
    }

    #[test]
    fn every_width_has_its_list() {
        for columns in [40, 80, 200] {
            insta::assert_snapshot!(format!("list_{columns}"), screen(&mut model(&lines()), columns, 18, &[]));
        }
    }

    #[test]
    fn every_width_has_its_open_card() {
        for columns in [40, 80, 200] {
            let keys = [Action::Move(Step::First), Action::Move(Step::Down), Action::Move(Step::Down), Action::Open];
            insta::assert_snapshot!(format!("card_{columns}"), screen(&mut model(&lines()), columns, 40, &keys));
        }
    }

    #[test]
    fn no_screen_is_too_small() {
        for columns in 1..30 {
            for lines_ in 1..8 {
                for keys in
                    [&[][..], &[Action::Move(Step::First)], &[Action::Open], &[Action::Filter, Action::Type('x')]]
                {
                    screen(&mut model(&lines()), columns, lines_, keys);
                }
            }
        }
    }

    #[test]
    fn what_is_chosen_stays_in_sight() {
        let mut model = model(&lines());
        assert!(screen(&mut model, 80, 8, &[]).contains("Later"), "the newest are in sight at first");
        let first = screen(&mut model, 80, 8, &[Action::Move(Step::First)]);
        assert!(first.contains("› ✓ Survey the sources") && !first.contains("Later"), "{first}");
        // What comes meanwhile does not move it.
        let mut more = lines();
        more.extend((0..20).map(|n| dispatch(91_000, None, &format!("n{n}"), "One more", "Explore")));
        model.update(&sessions(&more), NOW_MS);
        assert!(screen(&mut model, 80, 8, &[]).contains("› ✓ Survey the sources"));
        let newest = screen(&mut model, 80, 8, &[Action::Back]);
        assert!(newest.contains("One more") && !newest.contains('›'), "{newest}");
        for step in [Step::PageUp, Step::PageDown, Step::Up, Step::Down] {
            for _ in 0..40 {
                assert!(screen(&mut model, 80, 8, &[Action::Move(step)]).contains("› "), "{step:?}");
            }
        }
    }

    #[test]
    fn a_filter_has_words_of_a_card() {
        for (filter, names) in [
            ("failed", &["Run every"][..]),
            ("explore", &["Survey the sources", "Later"]),
            ("general RUNNING", &["Level 1"]),
            ("nothing has this", &[]),
        ] {
            let mut keys = vec![Action::Filter];
            keys.extend(filter.chars().map(Action::Type));
            keys.push(Action::KeepFilter);
            let shown = screen(&mut model(&lines()), 80, 24, &keys);
            for name in ["Survey the sources", "Run every", "Level 1", "Tidy up", "Later"] {
                assert_eq!(shown.contains(name), names.contains(&name), "/{filter}: {name} in\n{shown}");
            }
            assert!(shown.contains(&format!("/{filter}")), "it is said that there is one:\n{shown}");
        }
    }

    #[test]
    fn a_filter_can_be_changed_and_dropped() {
        let mut model = model(&lines());
        let typed = ['x', 'y'].map(Action::Type);
        assert!(screen(&mut model, 80, 24, &[&[Action::Filter][..], &typed].concat()).contains("/xy▏"));
        assert!(screen(&mut model, 80, 24, &[Action::Erase]).contains("/x▏"));
        assert!(screen(&mut model, 80, 24, &[Action::DropFilter]).contains("Tidy up"));
    }

    /// Ids are not cleaned by the engine, and a source is named by a path.
    #[test]
    fn nothing_steers_the_terminal() {
        let id = "a\u{1b}[2J\u{9b}x\u{202e}y";
        let mut model = model(&[dispatch(0, None, id, "Count", "Explore")]);
        model.source = "/srv/\u{1b}[31m".to_owned();
        let list = screen(&mut model, 80, 10, &[]);
        let page = screen(&mut model, 80, 30, &[Action::Open]);
        assert!(list.contains("\\u{1b}[31m") && page.contains("a\\u{1b}[2J\\u{9b}x\\u{202e}y"), "{list}\n{page}");
        let steers = |c: &char| crate::escape::steers(*c) && *c != '\n';
        assert_eq!(list.chars().chain(page.chars()).find(steers), None);
    }

    /// A workflow may have hundreds of members: those that live are listed, up to a few, the others are counted.
    #[test]
    fn many_rows_are_counted() {
        let mut lines = vec![
            dispatch(0, None, "a", "Many", "Explore"),
            task(1, "task_started", "a", json!({"task_type": "local_agent"})),
        ];
        for n in 0..30 {
            lines.push(dispatch(2, Some("a"), &format!("n{n}"), &format!("Below {n}"), "Explore"));
            lines.push(task(3, "task_started", &format!("n{n}"), json!({"task_type": "local_agent"})));
            let status = if n % 3 == 0 { "failed" } else { "completed" };
            if n < 28 {
                lines.push(task(4, "task_updated", &format!("n{n}"), json!({"patch": {"status": status}})));
            }
        }
        let shown = screen(&mut model(&lines), 80, 24, &[]);
        assert!(shown.contains("└ ● Below 28") && shown.contains("└ ● Below 29"), "{shown}");
        assert!(shown.contains("└ 28 more: 18 done, 10 failed"), "{shown}");
        assert_eq!(shown.matches('└').count(), 3, "{shown}");
    }

    /// Every change comes to the same list, whether it is taken at once or step by step.
    #[test]
    fn changes_lead_to_the_same_list() {
        let lines = lines();
        let mut stepwise = Model::new(String::new());
        let mut growing = sessions(&[]);
        for line in &lines {
            growing.all[0].tracker.apply(&Wire::decode(line.as_bytes()).expect("the line is a frame"));
            stepwise.update(&growing, NOW_MS);
        }
        let mut at_once = Model::new(String::new());
        at_once.update(&growing, NOW_MS);
        assert_eq!(screen(&mut stepwise, 120, 40, &[]), screen(&mut at_once, 120, 40, &[]));
    }

    #[test]
    fn a_session_that_is_read_anew_starts_over() {
        let mut model = model(&lines());
        let mut other = sessions(&[dispatch(0, None, "z", "Another", "Explore")]);
        other.turn = 1;
        screen(&mut model, 80, 24, &[Action::Move(Step::First), Action::Open]);
        model.update(&other, NOW_MS);
        let shown = screen(&mut model, 80, 24, &[]);
        assert!(shown.contains("1 running") && shown.contains("Another") && !shown.contains("Tidy up"), "{shown}");
    }
}
