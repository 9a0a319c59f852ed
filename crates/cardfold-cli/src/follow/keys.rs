//! What the keys ask for. Knows no card.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What is on the screen, which decides what a key means.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Mode {
    /// A filter is typed.
    Filter,
    List,
    /// A card is open.
    Page,
}

/// What a key asks for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Action {
    Back,
    DropFilter,
    Erase,
    Filter,
    KeepFilter,
    Move(Step),
    Open,
    Quit,
    Repaint,
    Suspend,
    Type(char),
}

/// Where to go, in the list or on an open card.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Step {
    Down,
    First,
    Last,
    PageDown,
    PageUp,
    Up,
}

/// What a key asks for, if anything.
pub(crate) fn action(key: KeyEvent, mode: Mode) -> Option<Action> {
    // Some terminals tell when a key is let go too.
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return find(&WITH_CONTROL, key.code);
    }
    if key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    let own = match mode {
        Mode::Filter => match key.code.as_char() {
            Some(c) => return Some(Action::Type(c)),
            None => find(&IN_FILTER, key.code),
        },
        Mode::List | Mode::Page => find(&ELSEWHERE, key.code),
    };
    own.or_else(|| find(&MOVES, key.code))
}

const WITH_CONTROL: [(KeyCode, Action); 3] =
    [(KeyCode::Char('c'), Action::Quit), (KeyCode::Char('l'), Action::Repaint), (KeyCode::Char('z'), Action::Suspend)];

const IN_FILTER: [(KeyCode, Action); 3] =
    [(KeyCode::Backspace, Action::Erase), (KeyCode::Enter, Action::KeepFilter), (KeyCode::Esc, Action::DropFilter)];

const ELSEWHERE: [(KeyCode, Action); 13] = [
    (KeyCode::Char('/'), Action::Filter),
    (KeyCode::Char('G'), Action::Move(Step::Last)),
    (KeyCode::Char('g'), Action::Move(Step::First)),
    (KeyCode::Char('j'), Action::Move(Step::Down)),
    (KeyCode::Char('k'), Action::Move(Step::Up)),
    (KeyCode::Char('l'), Action::Open),
    (KeyCode::Enter, Action::Open),
    (KeyCode::Right, Action::Open),
    (KeyCode::Char('h'), Action::Back),
    (KeyCode::Backspace, Action::Back),
    (KeyCode::Esc, Action::Back),
    (KeyCode::Left, Action::Back),
    (KeyCode::Char('q'), Action::Quit),
];

const MOVES: [(KeyCode, Action); 6] = [
    (KeyCode::Down, Action::Move(Step::Down)),
    (KeyCode::End, Action::Move(Step::Last)),
    (KeyCode::Home, Action::Move(Step::First)),
    (KeyCode::PageDown, Action::Move(Step::PageDown)),
    (KeyCode::PageUp, Action::Move(Step::PageUp)),
    (KeyCode::Up, Action::Move(Step::Up)),
];

fn find(keys: &[(KeyCode, Action)], code: KeyCode) -> Option<Action> {
    keys.iter().find(|(key, _)| *key == code).map(|(_, action)| *action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_a_key_or_part_of_a_filter() {
        let pressed = |code| KeyEvent::new(code, KeyModifiers::NONE);
        assert_eq!(action(pressed(KeyCode::Char('q')), Mode::List), Some(Action::Quit));
        assert_eq!(action(pressed(KeyCode::Char('q')), Mode::Page), Some(Action::Quit));
        assert_eq!(action(pressed(KeyCode::Char('q')), Mode::Filter), Some(Action::Type('q')));
        assert_eq!(action(pressed(KeyCode::Esc), Mode::Filter), Some(Action::DropFilter));
        assert_eq!(action(pressed(KeyCode::Esc), Mode::Page), Some(Action::Back));
        assert_eq!(action(pressed(KeyCode::Up), Mode::Filter), Some(Action::Move(Step::Up)));
        assert_eq!(action(pressed(KeyCode::F(1)), Mode::List), None);
    }

    #[test]
    fn control_c_always_quits() {
        for mode in [Mode::Filter, Mode::List, Mode::Page] {
            assert_eq!(action(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), mode), Some(Action::Quit));
        }
        let mut released = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
        released.kind = KeyEventKind::Release;
        assert_eq!(action(released, Mode::List), None);
    }
}
