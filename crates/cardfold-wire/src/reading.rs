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

    /// A list; `out` is the default.
    fn sequence<A: SeqAccess<'de>>(seq: A, _out: &mut Self::Out) -> Result<(), A::Error> {
        skip_sequence(seq, DEPTH)
    }

    /// An object; `out` is the default.
    fn object<A: MapAccess<'de>>(map: A, _out: &mut Self::Out) -> Result<(), A::Error> {
        skip_object(map, DEPTH)
    }
}

/// An object of known keys. A key that stands twice counts as it stands last; any other key is skipped, whatever it
/// holds.
pub(crate) trait Object<'de>: Default {
    fn fill<A: MapAccess<'de>>(&mut self, map: A) -> Result<(), A::Error>;
}

/// A number as the line has it.
pub(crate) enum Number {
    Natural(u64),
    Negative(i64),
    Real(f64),
}

/// One value, read as `R` wants it into the place where it stays: lines are wide, and moving them takes its time.
pub(crate) struct Reading<'o, 'de, R: Read<'de>>(pub(crate) &'o mut R::Out);

impl<'de, R: Read<'de>> DeserializeSeed<'de> for Reading<'_, 'de, R> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: Read<'de>> Visitor<'de> for Reading<'_, 'de, R> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        *self.0 = R::boolean(value);
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        *self.0 = R::number(Number::Natural(value));
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        *self.0 = R::number(u64::try_from(value).map_or(Number::Negative(value), Number::Natural));
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        *self.0 = R::number(Number::Real(value));
        Ok(())
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        *self.0 = R::borrowed(text);
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        *self.0 = R::copied(text);
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        *self.0 = R::Out::default();
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        *self.0 = R::Out::default();
        R::sequence(seq, self.0)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        *self.0 = R::Out::default();
        R::object(map, self.0)
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

    fn sequence<A: SeqAccess<'de>>(seq: A, out: &mut bool) -> Result<(), A::Error> {
        *out = true;
        skip_sequence(seq, DEPTH)
    }

    fn object<A: MapAccess<'de>>(map: A, out: &mut bool) -> Result<(), A::Error> {
        *out = true;
        skip_object(map, DEPTH)
    }
}

/// One object.
pub(crate) struct One<T>(PhantomData<T>);

impl<'de, T: Object<'de>> Read<'de> for One<T> {
    type Out = Option<T>;

    fn object<A: MapAccess<'de>>(map: A, out: &mut Self::Out) -> Result<(), A::Error> {
        out.insert(T::default()).fill(map)
    }
}

/// One object that few lines have, kept out of the way of the others.
pub(crate) struct Boxed<T>(PhantomData<T>);

impl<'de, T: Object<'de>> Read<'de> for Boxed<T> {
    type Out = Option<Box<T>>;

    fn object<A: MapAccess<'de>>(map: A, out: &mut Self::Out) -> Result<(), A::Error> {
        out.insert(Box::default()).fill(map)
    }
}

/// A list of objects. What is no object stands as an empty one: the list says that something is there.
pub(crate) struct Many<T>(PhantomData<T>);

impl<'de, T: Object<'de>> Read<'de> for Many<T> {
    type Out = Option<Vec<T>>;

    fn sequence<A: SeqAccess<'de>>(mut seq: A, out: &mut Self::Out) -> Result<(), A::Error> {
        let items = out.insert(Vec::new());
        let mut item = None;
        while seq.next_element_seed(Reading::<One<T>>(&mut item))?.is_some() {
            items.push(item.take().unwrap_or_default());
        }
        Ok(())
    }
}

/// A list of ids.
pub(crate) struct Ids;

impl<'de> Read<'de> for Ids {
    type Out = Vec<Cow<'de, str>>;

    fn sequence<A: SeqAccess<'de>>(mut seq: A, ids: &mut Self::Out) -> Result<(), A::Error> {
        let mut id = None;
        while seq.next_element_seed(Reading::<Id>(&mut id))?.is_some() {
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

    fn object<A: MapAccess<'de>>(mut map: A, sum: &mut u64) -> Result<(), A::Error> {
        let mut figure = None;
        while map.next_key_seed(Skip(DEPTH))?.is_some() {
            map.next_value_seed(Reading::<Figure>(&mut figure))?;
            *sum = sum.saturating_add(figure.unwrap_or(0));
        }
        Ok(())
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
    let mut mark = 0;
    if let Some(head) = bytes.first_chunk::<8>() {
        mark = u64::from_le_bytes(*head);
    } else {
        let mut at = bytes.len();
        while at > 0 {
            at -= 1;
            mark = mark << 8 | bytes[at] as u64;
        }
    }
    mark ^ (bytes.len() as u64) << 56
}

/// Makes a struct an [`Object`]: `"key" => field: Read`, with `(path)` after the field where the value goes deeper.
///
/// Keys are looked up by [`key_mark`] first, since comparing a key with every name of a long list takes longer than
/// all the rest of the reading.
macro_rules! object {
    (@place $this:tt $field:ident) => { $this.$field };
    (@place $this:tt $field:ident $($path:tt)+) => { $this.$($path)+ };
    ($object:ty, $de:lifetime, { $($key:literal => $field:ident $(($($path:tt)+))?: $read:ty,)* }) => {
        impl<$de> $crate::reading::Object<$de> for $object {
            fn fill<A: serde::de::MapAccess<$de>>(&mut self, mut map: A) -> Result<(), A::Error> {
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

                while let Some(key) = map.next_key_seed(KeyVisitor)? {
                    match key {
                        $(Key::$field => {
                            let place = &mut $crate::reading::object!(@place self $field $($($path)+)?);
                            map.next_value_seed($crate::reading::Reading::<$read>(place))?;
                        })*
                        Key::Other => {
                            map.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(())
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
