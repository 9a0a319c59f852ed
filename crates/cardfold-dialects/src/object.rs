//! Reading the fields of a JSON object. Knows no key.
//!
//! A field that is missing, null, or of another type than asked for is `None`: a bad field costs the field.

use cardfold_wire::parse_timestamp;
use serde_json::{Map, Value};

/// A JSON object.
#[derive(Clone, Copy, Debug)]
pub struct Object<'v>(&'v Map<String, Value>);

impl<'v> Object<'v> {
    /// The value as an object.
    pub fn of(value: &'v Value) -> Option<Self> {
        value.as_object().map(Self)
    }

    /// The value of a field that is there and not null.
    pub fn get(self, key: &str) -> Option<&'v Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    /// A string that is not blank.
    pub fn text(self, key: &str) -> Option<&'v str> {
        self.get(key)?.as_str().filter(|text| !text.trim().is_empty())
    }

    /// The first of the fields that is a string and not blank.
    pub fn first_text(self, keys: &[&str]) -> Option<&'v str> {
        keys.iter().find_map(|key| self.text(key))
    }

    /// An object.
    pub fn object(self, key: &str) -> Option<Self> {
        self.get(key).and_then(Self::of)
    }

    /// The items of a list; none of what is no list.
    pub fn list(self, key: &str) -> &'v [Value] {
        self.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// A whole number that is not negative.
    pub fn count(self, key: &str) -> Option<u64> {
        self.get(key)?.as_u64()
    }

    /// A time in Unix milliseconds.
    pub fn millis(self, key: &str) -> Option<i64> {
        self.get(key)?.as_i64()
    }

    /// A time in RFC 3339, as Unix milliseconds. Years before 1970 are nobody's session: some writers put year 1 where
    /// they have no time.
    pub fn moment(self, key: &str) -> Option<i64> {
        parse_timestamp(self.get(key)?.as_str()?).filter(|ms| *ms > 0)
    }

    /// A truth value.
    pub fn flag(self, key: &str) -> Option<bool> {
        self.get(key)?.as_bool()
    }

    /// The only field, where there is just one.
    pub fn only(self) -> Option<(&'v str, &'v Value)> {
        let mut fields = self.0.iter();
        let (key, value) = fields.next()?;
        fields.next().is_none().then_some((key.as_str(), value))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_bad_field_costs_the_field() {
        let value = json!({ "a": " ", "b": 3, "c": null, "d": [1], "e": "0001-01-01T00:00:00Z", "f": -1, "g": "x" });
        let object = Object::of(&value).expect("it is an object");
        assert_eq!((object.text("a"), object.text("b"), object.text("g")), (None, None, Some("x")));
        assert_eq!((object.count("b"), object.count("f"), object.count("g")), (Some(3), None, None));
        assert_eq!((object.get("c"), object.list("d").len(), object.list("g").len()), (None, 1, 0));
        assert_eq!((object.moment("e"), object.moment("g")), (None, None));
        assert_eq!(object.first_text(&["a", "c", "g"]), Some("x"));
        assert!(object.only().is_none() && Object::of(&json!([])).is_none());
    }
}
