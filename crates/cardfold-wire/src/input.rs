//! What a reading reads: JSON, as the bytes of a line or as a value that a host has already.

use crate::escaped::Escaped;
use crate::json_error::JsonError;
use crate::keys::Keys;
use crate::number::Number;

/// Levels that a wanted value may nest, counted from the line.
pub(crate) const DEPTH: usize = 128;

/// JSON that is read from its first byte to its last, or from its root down.
///
/// A value that is wanted is begun; a list or an object that was begun is gone through to its end.
pub(crate) trait Input<'de> {
    /// Begins the value as a whole.
    fn begin(&mut self, token: &mut Token<'de>) -> Result<(), JsonError>;

    /// Begins the next element of the list that was begun; false at its end.
    fn next_element(&mut self, token: &mut Token<'de>) -> Result<bool, JsonError>;

    /// Begins the next value of a known key of the object that was begun, and gives the key's number; `None` at the
    /// object's end. Values of other keys are passed, whatever they hold and however deep they nest.
    fn next_known(&mut self, keys: &Keys, token: &mut Token<'de>) -> Result<Option<u8>, JsonError>;

    /// Begins the next value of the object that was begun, whatever its key; false at the object's end.
    fn next_member(&mut self, token: &mut Token<'de>) -> Result<bool, JsonError>;
}

/// What a value begins with; that is all of it but for lists and objects.
#[derive(Clone, Copy)]
pub(crate) enum Token<'de> {
    Boolean(bool),
    /// A string that the line has with escapes.
    Escaped(Escaped<'de>),
    List,
    Null,
    Number(Number),
    Object,
    /// A string that the line has as it is.
    Text(&'de str),
}
