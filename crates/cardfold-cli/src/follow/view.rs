//! The list of cards on a screen: counts, cards, and what the keys do. Pure: a model in, cells out.

use std::mem;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::figures::counted;
use crate::follow::card_lines::{self, Look};
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

/// Lines that a row of the list takes where cards show so many of their calls.
pub(crate) fn height(row: &Row<'_>, calls: usize) -> usize {
    match row {
        Row::Card { entry, .. } => card_lines::height(&entry.card, calls),
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
        let height = height(&row, model.calls());
        if above >= height {
            above -= height;
            continue;
        }
        let row = match row {
            Row::Card { entry, is_chosen, .. } => {
                let look = Look { is_chosen, calls: model.calls(), columns, styles };
                card_lines::lines(entry, model.now_ms, look)
            }
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
    if model.not_followed > 0 {
        let files = counted(model.not_followed, "file");
        right.push(styles.span(Tone::Unsure, format_args!("{files} not followed  ")));
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
mod tests;
