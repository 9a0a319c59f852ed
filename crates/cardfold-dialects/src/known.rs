//! The dialects there are, by name and by what a line says. Knows none of their words.

use crate::codewhale::CodeWhale;
use crate::dialect::Dialect;
use crate::object::Object;
use crate::supervisor::Supervisor;
use crate::synaps::Synaps;
use crate::values::values;

/// A dialect of each system, in the order of their names.
#[must_use]
pub fn dialects() -> Vec<Box<dyn Dialect>> {
    vec![Box::<CodeWhale>::default(), Box::<Supervisor>::default(), Box::<Synaps>::default()]
}

/// The dialect of this name.
#[must_use]
pub fn dialect_named(name: &str) -> Option<Box<dyn Dialect>> {
    dialects().into_iter().find(|dialect| dialect.name() == name)
}

/// The dialect of the system that wrote a line, or a file that is one JSON value; none where anybody could have
/// written it. A conversation of the client that cardfold is made for is none of these: ask for that first.
#[must_use]
pub fn recognise(bytes: &[u8]) -> Option<Box<dyn Dialect>> {
    let (found, _) = values(bytes);
    let objects: Vec<Object<'_>> = found.iter().filter_map(|found| Object::of(&found.value)).collect();
    dialects().into_iter().find(|dialect| objects.iter().any(|object| dialect.recognises(*object)))
}
