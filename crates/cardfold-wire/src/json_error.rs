//! Why bytes are no JSON that can be read.

use std::error::Error;
use std::fmt;

/// Why, and where: the place of the byte that cannot stand there, or of the last one where the line is torn.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct JsonError {
    pub(crate) what: What,
    pub(crate) at: usize,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum What {
    Colon,
    CommaOrBrace,
    CommaOrBracket,
    ControlCharacter,
    Escape,
    Key,
    Literal,
    NotUtf8,
    Number,
    TooDeep,
    Torn,
    Value,
}

impl JsonError {
    #[cold]
    pub(crate) fn new(what: What, at: usize) -> Self {
        Self { what, at }
    }

    /// The bytes end where they should not.
    #[cold]
    pub(crate) fn torn(bytes: &[u8]) -> Self {
        Self { what: What::Torn, at: bytes.len().saturating_sub(1) }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.what {
            What::Colon => "expected `:`",
            What::CommaOrBrace => "expected `,` or `}`",
            What::CommaOrBracket => "expected `,` or `]`",
            What::ControlCharacter => "control character in a string",
            What::Escape => "invalid escape",
            What::Key => "key must be a string",
            What::Literal => "expected `true`, `false` or `null`",
            What::NotUtf8 => "a string that is not UTF-8",
            What::Number => "invalid number",
            What::TooDeep => "more than 128 levels",
            What::Torn => "the text ends in the middle of a value",
            What::Value => "expected a value",
        })
    }
}

impl Error for JsonError {}
