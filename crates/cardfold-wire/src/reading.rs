//! Reading JSON that nobody promised to keep in shape.
//!
//! One visitor serves every field. What a field wants to be is a [`Read`]; a value of any other type is read to its end
//! and leaves the field empty. Nothing here fails unless the JSON itself does, or a wanted value nests too deeply.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::text::Text;
use crate::timestamp::parse_timestamp;

/// Levels that a wanted value of the wrong type may nest. A reader of bytes has the same limit, counted from the line.
const DEPTH: u8 = 128;

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
    fn copied(_text: &str) -> Self::Out {
        Self::Out::default()
    }

    fn sequence<A: SeqAccess<'de>>(seq: A) -> Result<Self::Out, A::Error> {
        skip_sequence(seq, DEPTH).map(|()| Self::Out::default())
    }

    fn object<A: MapAccess<'de>>(map: A) -> Result<Self::Out, A::Error> {
        skip_object(map, DEPTH).map(|()| Self::Out::default())
    }
}

/// An object of known keys. A key that stands twice counts as it stands last; any other key is skipped, whatever it
/// holds.
pub(crate) trait Object<'de>: Default {
    fn read<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error>;
}

/// A number as the line has it.
pub(crate) enum Number {
    Natural(u64),
    Negative(i64),
    Real(f64),
}

/// One value, read as `R` wants it.
pub(crate) struct Reading<R>(PhantomData<R>);

impl<R> Reading<R> {
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<'de, R: Read<'de>> DeserializeSeed<'de> for Reading<R> {
    type Value = R::Out;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<R::Out, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: Read<'de>> Visitor<'de> for Reading<R> {
    type Value = R::Out;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<R::Out, E> {
        Ok(R::boolean(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<R::Out, E> {
        Ok(R::number(Number::Natural(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<R::Out, E> {
        Ok(R::number(u64::try_from(value).map_or(Number::Negative(value), Number::Natural)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<R::Out, E> {
        Ok(R::number(Number::Real(value)))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<R::Out, E> {
        Ok(R::borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<R::Out, E> {
        Ok(R::copied(text))
    }

    fn visit_unit<E>(self) -> Result<R::Out, E> {
        Ok(R::Out::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<R::Out, A::Error> {
        R::sequence(seq)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<R::Out, A::Error> {
        R::object(map)
    }
}

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
    text.trim_start().is_empty()
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
}

/// A text of which only the digest is kept.
pub(crate) struct Digest;

impl<'de> Read<'de> for Digest {
    type Out = Option<u64>;

    fn copied(text: &str) -> Self::Out {
        Some(crate::digest::digest(text.as_bytes()))
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

    fn sequence<A: SeqAccess<'de>>(seq: A) -> Result<bool, A::Error> {
        skip_sequence(seq, DEPTH).map(|()| true)
    }

    fn object<A: MapAccess<'de>>(map: A) -> Result<bool, A::Error> {
        skip_object(map, DEPTH).map(|()| true)
    }
}

/// One object.
pub(crate) struct One<T>(PhantomData<T>);

impl<'de, T: Object<'de>> Read<'de> for One<T> {
    type Out = Option<T>;

    fn object<A: MapAccess<'de>>(map: A) -> Result<Self::Out, A::Error> {
        T::read(map).map(Some)
    }
}

/// One object that few lines have, kept out of the way of the others.
pub(crate) struct Boxed<T>(PhantomData<T>);

impl<'de, T: Object<'de>> Read<'de> for Boxed<T> {
    type Out = Option<Box<T>>;

    fn object<A: MapAccess<'de>>(map: A) -> Result<Self::Out, A::Error> {
        T::read(map).map(|object| Some(Box::new(object)))
    }
}

/// A list of objects. What is no object stands as an empty one: the list says that something is there.
pub(crate) struct Many<T>(PhantomData<T>);

impl<'de, T: Object<'de>> Read<'de> for Many<T> {
    type Out = Option<Vec<T>>;

    fn sequence<A: SeqAccess<'de>>(mut seq: A) -> Result<Self::Out, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Reading::<One<T>>::new())? {
            items.push(item.unwrap_or_default());
        }
        Ok(Some(items))
    }
}

/// A list of ids.
pub(crate) struct Ids;

impl<'de> Read<'de> for Ids {
    type Out = Vec<Cow<'de, str>>;

    fn sequence<A: SeqAccess<'de>>(mut seq: A) -> Result<Self::Out, A::Error> {
        let mut ids = Vec::new();
        while let Some(id) = seq.next_element_seed(Reading::<Id>::new())? {
            ids.extend(id);
        }
        Ok(ids)
    }
}

/// The sum of the figures of an object, whatever they are called.
pub(crate) struct Sum;

impl<'de> Read<'de> for Sum {
    type Out = u64;

    fn number(value: Number) -> u64 {
        Figure::number(value).unwrap_or(0)
    }

    fn object<A: MapAccess<'de>>(mut map: A) -> Result<u64, A::Error> {
        let mut sum = 0_u64;
        while map.next_key_seed(Skip(DEPTH))?.is_some() {
            sum = sum.saturating_add(map.next_value_seed(Reading::<Figure>::new())?.unwrap_or(0));
        }
        Ok(sum)
    }
}

/// A value that is read to its end and dropped. Unlike serde's `IgnoredAny`, which skips any depth, it has its limit:
/// it is for places where a value is wanted.
struct Skip(u8);

impl Skip {
    fn inner<E: Error>(&self) -> Result<Self, E> {
        self.0.checked_sub(1).map(Self).ok_or_else(|| E::custom("nested too deeply"))
    }
}

impl<'de> DeserializeSeed<'de> for Skip {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Skip {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, _value: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _value: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _value: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _value: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _text: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        skip_sequence(seq, self.inner::<A::Error>()?.0)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        skip_object(map, self.inner::<A::Error>()?.0)
    }
}

fn skip_sequence<'de, A: SeqAccess<'de>>(mut seq: A, depth: u8) -> Result<(), A::Error> {
    while seq.next_element_seed(Skip(depth))?.is_some() {}
    Ok(())
}

fn skip_object<'de, A: MapAccess<'de>>(mut map: A, depth: u8) -> Result<(), A::Error> {
    while map.next_key_seed(Skip(depth))?.is_some() {
        map.next_value_seed(Skip(depth))?;
    }
    Ok(())
}

/// A number that tells most keys of an object apart: its first eight bytes, and its length.
pub(crate) const fn key_mark(key: &str) -> u64 {
    let bytes = key.as_bytes();
    let mut mark = (bytes.len() as u64) << 56;
    let mut at = 0;
    while at < bytes.len() && at < 8 {
        mark ^= (bytes[at] as u64) << (8 * at);
        at += 1;
    }
    mark
}

/// Makes a struct an [`Object`]: `"key" => field: Read`, with `(path)` after the field where the value goes deeper.
///
/// Keys are looked up by [`key_mark`] first, since comparing a key with every name of a long list takes longer than
/// all the rest of the reading.
macro_rules! object {
    (@place $this:ident $field:ident) => { $this.$field };
    (@place $this:ident $field:ident $($path:tt)+) => { $this.$($path)+ };
    ($object:ty, $de:lifetime, { $($key:literal => $field:ident $(($($path:tt)+))?: $read:ty,)* }) => {
        impl<$de> $crate::reading::Object<$de> for $object {
            fn read<A: serde::de::MapAccess<$de>>(mut map: A) -> Result<Self, A::Error> {
                #[expect(non_camel_case_types, reason = "a key is called like the field that it fills")]
                enum Key { $($field,)* Other }

                struct KeyVisitor;

                impl<'de> serde::de::DeserializeSeed<'de> for KeyVisitor {
                    type Value = Key;

                    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
                        deserializer.deserialize_str(self)
                    }
                }

                impl serde::de::Visitor<'_> for KeyVisitor {
                    type Value = Key;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a key")
                    }

                    #[expect(non_upper_case_globals, reason = "a mark is called like its field")]
                    fn visit_str<E>(self, key: &str) -> Result<Key, E> {
                        $(const $field: u64 = $crate::reading::key_mark($key);)*
                        Ok(match $crate::reading::key_mark(key) {
                            $($field if key == $key => Key::$field,)*
                            _ => Key::Other,
                        })
                    }
                }

                let mut object = Self::default();
                while let Some(key) = map.next_key_seed(KeyVisitor)? {
                    match key {
                        $(Key::$field => {
                            let seed = $crate::reading::Reading::<$read>::new();
                            $crate::reading::object!(@place object $field $($($path)+)?) = map.next_value_seed(seed)?;
                        })*
                        Key::Other => {
                            map.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(object)
            }
        }
    };
}

/// Defines a struct that is an [`Object`], its fields being what their readings give.
macro_rules! raw {
    ($(#[$meta:meta])* struct $name:ident<$de:lifetime> { $($key:literal => $field:ident: $read:ty,)* }) => {
        $(#[$meta])*
        #[derive(Default)]
        pub(crate) struct $name<$de> {
            $(pub(crate) $field: <$read as $crate::reading::Read<$de>>::Out,)*
        }

        $crate::reading::object!($name<$de>, $de, { $($key => $field: $read,)* });
    };
}

pub(crate) use {object, raw};
