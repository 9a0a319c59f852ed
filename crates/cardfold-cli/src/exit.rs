//! How the program ends: its exit statuses.

/// Done.
pub(crate) const DONE: u8 = 0;
/// Nothing of the input could be read, or the output could not be written.
pub(crate) const NOTHING_READABLE: u8 = 1;
/// The arguments make no sense, or name a card that is not there.
pub(crate) const BAD_USAGE: u8 = 2;
/// With `--strict`: a line was skipped.
pub(crate) const LINE_SKIPPED: u8 = 3;
