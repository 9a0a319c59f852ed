//! From bytes to JSON objects: a line with one or several of them, or a file that is one. Knows no system.

use std::fmt;
use std::str;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::dialect::{Fault, FaultKind};

/// Levels that are kept. What the systems say of their agents stands within eight; the rest is the input of tools.
const LEVELS: usize = 32;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One JSON value of some bytes.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) value: Value,
    /// Bytes of its text.
    pub(crate) bytes: usize,
}

/// The values that stand in some bytes, up to the first that cannot be read.
///
/// White space, NUL bytes and a byte-order mark around them cost nothing, and no more does any depth: a value that
/// stands deeper than 32 levels is null.
pub(crate) fn values(bytes: &[u8]) -> (Vec<Found>, Option<Fault>) {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let is_padding = |byte: &u8| matches!(byte, b'\0' | b'\t' | b'\n' | b'\r' | b' ');
    let start = bytes.iter().position(|byte| !is_padding(byte)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|byte| !is_padding(byte)).map_or(start, |last| last + 1);
    let bytes = &bytes[start..end];
    if let Err(error) = str::from_utf8(bytes) {
        let detail = format!("not UTF-8 at column {}", start + error.valid_up_to() + 1);
        return (Vec::new(), Some(Fault { kind: FaultKind::NotUtf8, detail }));
    }
    let mut found = Vec::new();
    let mut reader = serde_json::Deserializer::from_slice(bytes).into_iter::<Shallow>();
    let mut at = 0;
    while let Some(next) = reader.next() {
        match next {
            Ok(Shallow(value)) => {
                let lead = bytes[at..].iter().take_while(|byte| is_padding(byte)).count();
                found.push(Found { value, bytes: reader.byte_offset() - at - lead });
                at = reader.byte_offset();
            }
            Err(error) => {
                let line = if error.line() > 1 { format!("line {}, ", error.line()) } else { String::new() };
                let detail = format!("not JSON at {line}column {}", error.column());
                return (found, Some(Fault { kind: FaultKind::NotJson, detail }));
            }
        }
    }
    (found, None)
}

/// A value without what stands too deep in it.
struct Shallow(Value);

impl<'de> Deserialize<'de> for Shallow {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read(LEVELS, from).map(Self)
    }
}

/// Reads a value of so many levels at most.
fn read<'de, D: Deserializer<'de>>(levels: usize, from: D) -> Result<Value, D::Error> {
    if levels == 0 {
        // Passing over a value needs no stack, however deep it is.
        return IgnoredAny::deserialize(from).map(|_| Value::Null);
    }
    from.deserialize_any(Levels(levels))
}

struct Levels(usize);

impl<'de> serde::de::DeserializeSeed<'de> for Levels {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        read(self.0, from)
    }
}

impl<'de> Visitor<'de> for Levels {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, yes: bool) -> Result<Value, E> {
        Ok(yes.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Self(self.0 - 1))? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            object.insert(key, fields.next_value_seed(Self(self.0 - 1))?);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(bytes: &[u8]) -> (Vec<String>, Option<FaultKind>) {
        let (found, fault) = values(bytes);
        (found.into_iter().map(|found| found.value.to_string()).collect(), fault.map(|fault| fault.kind))
    }

    #[test]
    fn one_line_may_hold_several_objects() {
        let (found, fault) = values(b"\xef\xbb\xbf {\"a\":1}\0\r\n");
        assert_eq!((found.len(), found[0].bytes, fault), (1, 7, None));
        let (found, fault) = values(b"{\"a\":1} {\"b\": 2}");
        assert_eq!((found[0].bytes, found[1].bytes, fault), (7, 8, None));
        assert_eq!(texts(b"{\"a\":1}{\"b\""), (vec![r#"{"a":1}"#.to_owned()], Some(FaultKind::NotJson)));
        let detail = |bytes| values(bytes).1.map(|fault| fault.detail);
        assert_eq!(detail(b"{\"a\" 1}").as_deref(), Some("not JSON at column 6"));
        assert_eq!(detail(b"{\n\"a\" 1}").as_deref(), Some("not JSON at line 2, column 5"));
        assert_eq!(texts(b""), (vec![], None));
        assert_eq!(texts(b"{\"a\":\"\xff\"}"), (vec![], Some(FaultKind::NotUtf8)));
    }

    #[test]
    fn no_depth_costs_anything() {
        let deep = format!(r#"{{"id":"x","deep":{}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
        let (found, fault) = values(deep.as_bytes());
        assert_eq!((found[0].value["id"].as_str(), fault), (Some("x"), None));
    }
}
