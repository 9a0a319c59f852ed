//! Reading JSON that nobody promised to keep in shape.
//!
//! What a field wants to be is a [`Read`]; a value of any other type is read to its end and leaves the field empty.
//! Nothing here fails unless the JSON itself does, or a wanted value nests too deeply.

use crate::escaped::Escaped;
use crate::input::{Input, Token};
use crate::json_error::JsonError;
use crate::number::Number;

/// What a field wants to be. What the line has instead gives the default.
pub(crate) trait Read<'de> {
    /// What the field then holds.
    type Out: Default;

    fn boolean(_value: bool) -> Self::Out {
        Self::Out::default()
    }

    fn number(_value: Number) -> Self::Out {
        Self::Out::default()
    }

    /// A string that the line has as it is.
    fn borrowed(text: &'de str) -> Self::Out {
        Self::copied(text)
    }

    /// A string that the line has with escapes.
    fn escaped(text: Escaped<'de>) -> Self::Out {
        Self::copied(&text.read())
    }

    /// A string that is not the line's own.
    fn copied(_text: &str) -> Self::Out {
        Self::Out::default()
    }

    /// A list that was begun; `out` is the default.
    fn list<I: Input<'de>>(input: &mut I, _out: &mut Self::Out) -> Result<(), JsonError> {
        pass_list(input)
    }

    /// An object that was begun; `out` is the default.
    fn object<I: Input<'de>>(input: &mut I, _out: &mut Self::Out) -> Result<(), JsonError> {
        pass_object(input)
    }
}

/// An object of known keys. A key that stands twice counts as it stands last; any other key is skipped, whatever it
/// holds.
pub(crate) trait Object<'de>: Default {
    /// Takes an object that was begun.
    fn fill<I: Input<'de>>(&mut self, input: &mut I) -> Result<(), JsonError>;
}

/// Reads a whole value as `R` wants it.
pub(crate) fn read_whole<'de, R, I>(input: &mut I, out: &mut R::Out) -> Result<(), JsonError>
where
    R: Read<'de>,
    I: Input<'de>,
{
    let mut token = Token::Null;
    input.begin(&mut token)?;
    read::<R, I>(token, input, out)
}

/// Reads a whole value into `object`; false if it is none.
pub(crate) fn read_object<'de, T, I>(input: &mut I, object: &mut T) -> Result<bool, JsonError>
where
    T: Object<'de>,
    I: Input<'de>,
{
    let mut token = Token::Null;
    input.begin(&mut token)?;
    match token {
        Token::Object => object.fill(input)?,
        Token::List => pass_list(input)?,
        Token::Boolean(_) | Token::Escaped(_) | Token::Null | Token::Number(_) | Token::Text(_) => {}
    }
    Ok(matches!(token, Token::Object))
}

/// Takes a value that was begun as `R` wants it into the place where it stays: lines are wide, and moving them takes its
/// time.
#[inline]
pub(crate) fn read<'de, R, I>(token: Token<'de>, input: &mut I, out: &mut R::Out) -> Result<(), JsonError>
where
    R: Read<'de>,
    I: Input<'de>,
{
    match token {
        Token::Boolean(value) => *out = R::boolean(value),
        Token::Escaped(text) => *out = R::escaped(text),
        Token::List => {
            *out = R::Out::default();
            R::list(input, out)?;
        }
        Token::Null => *out = R::Out::default(),
        Token::Number(value) => *out = R::number(value),
        Token::Object => {
            *out = R::Out::default();
            R::object(input, out)?;
        }
        Token::Text(text) => *out = R::borrowed(text),
    }
    Ok(())
}

/// Reads a list of objects that was begun, and gives each of them away where it was read. What is no object stands as an
/// empty one: the list says that something is there.
#[inline]
pub(crate) fn each<'de, T, I>(input: &mut I, mut take: impl FnMut(T)) -> Result<(), JsonError>
where
    T: Object<'de>,
    I: Input<'de>,
{
    let mut token = Token::Null;
    while input.next_element(&mut token)? {
        let mut element = T::default();
        match token {
            Token::Object => element.fill(input)?,
            Token::List => pass_list(input)?,
            Token::Boolean(_) | Token::Escaped(_) | Token::Null | Token::Number(_) | Token::Text(_) => {}
        }
        take(element);
    }
    Ok(())
}

/// Reads to the end of a list that stands where something else is wanted. Unlike a value that nobody wants it may not
/// nest without end.
pub(crate) fn pass_list<'de, I: Input<'de>>(input: &mut I) -> Result<(), JsonError> {
    let mut token = Token::Null;
    while input.next_element(&mut token)? {
        pass(token, input)?;
    }
    Ok(())
}

/// As [`pass_list`], for an object.
pub(crate) fn pass_object<'de, I: Input<'de>>(input: &mut I) -> Result<(), JsonError> {
    let mut token = Token::Null;
    while input.next_member(&mut token)? {
        pass(token, input)?;
    }
    Ok(())
}

fn pass<'de, I: Input<'de>>(token: Token<'de>, input: &mut I) -> Result<(), JsonError> {
    match token {
        Token::List => pass_list(input),
        Token::Object => pass_object(input),
        Token::Boolean(_) | Token::Escaped(_) | Token::Null | Token::Number(_) | Token::Text(_) => Ok(()),
    }
}
