//! Reading JSON that nobody promised to keep in shape.
//!
//! One visitor serves every field. What a field wants to be is a [`Read`]; a value of any other type is read to its end
//! and leaves the field empty. Nothing here fails unless the JSON itself does, or a wanted value nests too deeply.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Levels that a wanted value of the wrong type may nest. A reader of bytes has the same limit, counted from the line.
pub(crate) const DEPTH: u8 = 128;

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

pub(crate) fn skip_sequence<'de, A: SeqAccess<'de>>(mut seq: A, depth: u8) -> Result<(), A::Error> {
    while seq.next_element_seed(Skip(depth))?.is_some() {}
    Ok(())
}

pub(crate) fn skip_object<'de, A: MapAccess<'de>>(mut map: A, depth: u8) -> Result<(), A::Error> {
    while map.next_key_seed(Skip(depth))?.is_some() {
        map.next_value_seed(Skip(depth))?;
    }
    Ok(())
}
