//! What fields want to be: words, ids, figures, times, flags, objects and lists of them.

use std::borrow::Cow;
use std::marker::PhantomData;

use crate::digest::digest;
use crate::escaped::Escaped;
use crate::input::{Input, Token};
use crate::json_error::JsonError;
use crate::number::Number;
use crate::reading::{Object, Read, each, pass_list, pass_object, read};
use crate::text::Text;
use crate::timestamp::parse_timestamp;

/// A word or sentence.
pub(crate) struct Word;

impl<'de> Read<'de> for Word {
    type Out = Option<Cow<'de, str>>;

    fn borrowed(text: &'de str) -> Self::Out {
        Some(Cow::Borrowed(text))
    }

    fn copied(text: &str) -> Self::Out {
        Some(Cow::Owned(text.to_owned()))
    }
}

/// A string that names something: blank names nothing, and a number is no id.
pub(crate) struct Id;

impl<'de> Read<'de> for Id {
    type Out = Option<Cow<'de, str>>;

    fn borrowed(text: &'de str) -> Self::Out {
        (!is_blank(text)).then_some(Cow::Borrowed(text))
    }

    fn copied(text: &str) -> Self::Out {
        (!is_blank(text)).then(|| Cow::Owned(text.to_owned()))
    }
}

/// A string that names something, or blank.
pub(crate) struct IdOrBlank;

impl<'de> Read<'de> for IdOrBlank {
    type Out = Cow<'de, str>;

    fn borrowed(text: &'de str) -> Self::Out {
        Id::borrowed(text).unwrap_or_default()
    }

    fn copied(text: &str) -> Self::Out {
        Id::copied(text).unwrap_or_default()
    }
}

fn is_blank(text: &str) -> bool {
    // An id begins with a letter: no need to look for other white space in those.
    text.as_bytes().first().is_none_or(|first| !first.is_ascii_graphic()) && text.trim_start().is_empty()
}

/// A text of any length.
pub(crate) struct Prose;

impl<'de> Read<'de> for Prose {
    type Out = Option<Text<'de>>;

    fn borrowed(text: &'de str) -> Self::Out {
        Some(Text::new(text))
    }

    fn copied(text: &str) -> Self::Out {
        Some(Text::copy(text))
    }

    fn escaped(text: Escaped<'de>) -> Self::Out {
        Some(Text::escaped(text))
    }
}

/// A text of which only the digest is kept.
pub(crate) struct Digest;

impl<'de> Read<'de> for Digest {
    type Out = Option<u64>;

    fn copied(text: &str) -> Self::Out {
        Some(digest(text.as_bytes()))
    }
}

/// A count: a fraction is dropped, what is too great is the greatest, what is below zero is none.
pub(crate) struct Figure;

impl<'de> Read<'de> for Figure {
    type Out = Option<u64>;

    fn number(value: Number) -> Self::Out {
        match value {
            Number::Natural(value) => Some(value),
            Number::Negative(_) => None,
            Number::Real(value) => (value >= 0.0).then_some(value as u64),
        }
    }
}

/// A time as a number of Unix milliseconds.
pub(crate) struct Millis;

impl<'de> Read<'de> for Millis {
    type Out = Option<i64>;

    fn number(value: Number) -> Self::Out {
        Some(match value {
            Number::Natural(value) => i64::try_from(value).unwrap_or(i64::MAX),
            Number::Negative(value) => value,
            Number::Real(value) => value as i64,
        })
    }
}

/// A time as RFC 3339 text.
pub(crate) struct Timestamp;

impl<'de> Read<'de> for Timestamp {
    type Out = Option<i64>;

    fn copied(text: &str) -> Self::Out {
        parse_timestamp(text)
    }
}

/// A flag; absent is false.
pub(crate) struct Flag;

impl<'de> Read<'de> for Flag {
    type Out = bool;

    fn boolean(value: bool) -> bool {
        value
    }
}

/// A flag whose absence says something else than false.
pub(crate) struct StatedFlag;

impl<'de> Read<'de> for StatedFlag {
    type Out = Option<bool>;

    fn boolean(value: bool) -> Self::Out {
        Some(value)
    }
}

/// Whether anything is stated: any value but null and false.
pub(crate) struct Stated;

impl<'de> Read<'de> for Stated {
    type Out = bool;

    fn boolean(value: bool) -> bool {
        value
    }

    fn number(_value: Number) -> bool {
        true
    }

    fn copied(_text: &str) -> bool {
        true
    }

    fn escaped(_text: Escaped<'de>) -> bool {
        true
    }

    fn list<I: Input<'de>>(input: &mut I, out: &mut bool) -> Result<(), JsonError> {
        *out = true;
        pass_list(input)
    }

    fn object<I: Input<'de>>(input: &mut I, out: &mut bool) -> Result<(), JsonError> {
        *out = true;
        pass_object(input)
    }
}

/// One object.
pub(crate) struct One<T>(PhantomData<T>);

impl<'de, T: Object<'de>> Read<'de> for One<T> {
    type Out = Option<T>;

    fn object<I: Input<'de>>(input: &mut I, out: &mut Self::Out) -> Result<(), JsonError> {
        out.insert(T::default()).fill(input)
    }
}

/// One object that few lines have, kept out of the way of the others.
pub(crate) struct Boxed<T>(PhantomData<T>);

impl<'de, T: Object<'de>> Read<'de> for Boxed<T> {
    type Out = Option<Box<T>>;

    fn object<I: Input<'de>>(input: &mut I, out: &mut Self::Out) -> Result<(), JsonError> {
        out.insert(Box::default()).fill(input)
    }
}

/// A list of objects. What is no object stands as an empty one: the list says that something is there.
pub(crate) struct Many<T>(PhantomData<T>);

impl<'de, T: Object<'de>> Read<'de> for Many<T> {
    type Out = Option<Vec<T>>;

    fn list<I: Input<'de>>(input: &mut I, out: &mut Self::Out) -> Result<(), JsonError> {
        let items = out.insert(Vec::new());
        each(input, |item| items.push(item))
    }
}

/// A list of ids.
pub(crate) struct Ids;

impl<'de> Read<'de> for Ids {
    type Out = Vec<Cow<'de, str>>;

    fn list<I: Input<'de>>(input: &mut I, ids: &mut Self::Out) -> Result<(), JsonError> {
        let mut id = None;
        let mut token = Token::Null;
        while input.next_element(&mut token)? {
            read::<Id, I>(token, input, &mut id)?;
            ids.extend(id.take());
        }
        Ok(())
    }
}

/// The sum of the figures of an object, whatever they are called.
pub(crate) struct Sum;

impl<'de> Read<'de> for Sum {
    type Out = u64;

    fn number(value: Number) -> u64 {
        Figure::number(value).unwrap_or(0)
    }

    fn object<I: Input<'de>>(input: &mut I, sum: &mut u64) -> Result<(), JsonError> {
        let mut figure = None;
        let mut token = Token::Null;
        while input.next_member(&mut token)? {
            read::<Figure, I>(token, input, &mut figure)?;
            *sum = sum.saturating_add(figure.unwrap_or(0));
        }
        Ok(())
    }
}
