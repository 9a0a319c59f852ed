//! The dialects there are, by name and by what a line says. Knows none of their words.

use crate::codewhale::CodeWhale;
use crate::dialect::Dialect;
use crate::object::Object;
use crate::supervisor::Supervisor;
use crate::synaps::Synaps;
use crate::values::values;

/// What makes the dialect of each system, in the order of their names. Every conversation has one of its own.
pub fn dialects() -> impl Iterator<Item = fn() -> Box<dyn Dialect>> {
    let code_whale: fn() -> Box<dyn Dialect> = || Box::<CodeWhale>::default();
    [code_whale, || Box::<Supervisor>::default(), || Box::<Synaps>::default()].into_iter()
}

/// What makes the dialect of this name.
#[must_use]
pub fn dialect_named(name: &str) -> Option<fn() -> Box<dyn Dialect>> {
    dialects().find(|make| make().name() == name)
}

/// What makes the dialect of the system that wrote a line, or a file that is one JSON value; none where anybody could
/// have written it. A conversation of the client that cardfold is made for is none of these: ask for that first.
#[must_use]
pub fn recognise(bytes: &[u8]) -> Option<fn() -> Box<dyn Dialect>> {
    let (found, _) = values(bytes);
    let objects: Vec<Object<'_>> = found.iter().filter_map(|found| Object::of(&found.value)).collect();
    let is_its = |dialect: Box<dyn Dialect>| objects.iter().any(|object| dialect.recognises(*object));
    dialects().find(|make| is_its(make()))
}
