//! A JSON value that a host has already, read as its line would be.

use std::slice;

use serde_json::{Value, map};

use crate::input::{DEPTH, Input, Token};
use crate::json_error::{JsonError, What};
use crate::keys::Keys;
use crate::number::Number;

/// A reader of one value.
pub(crate) struct Tree<'de> {
    at_hand: &'de Value,
    /// The lists and objects that were begun.
    open: Vec<Open<'de>>,
}

enum Open<'de> {
    List(slice::Iter<'de, Value>),
    Object(map::Iter<'de>),
}

impl<'de> Tree<'de> {
    pub(crate) fn new(value: &'de Value) -> Self {
        Self { at_hand: value, open: Vec::new() }
    }

    fn enter(&mut self, open: Open<'de>) -> Result<(), JsonError> {
        self.open.push(open);
        if self.open.len() >= DEPTH { Err(JsonError::new(What::TooDeep, 0)) } else { Ok(()) }
    }

    fn next(&mut self) -> Option<&'de str> {
        let next = match self.open.last_mut()? {
            Open::List(list) => list.next().map(|value| ("", value)),
            Open::Object(object) => object.next().map(|(key, value)| (&**key, value)),
        };
        match next {
            Some((key, value)) => {
                self.at_hand = value;
                Some(key)
            }
            None => {
                self.open.pop();
                None
            }
        }
    }
}

impl<'de> Input<'de> for Tree<'de> {
    fn begin(&mut self, token: &mut Token<'de>) -> Result<(), JsonError> {
        *token = match self.at_hand {
            Value::Array(list) => {
                self.enter(Open::List(list.iter()))?;
                Token::List
            }
            Value::Bool(value) => Token::Boolean(*value),
            Value::Null => Token::Null,
            Value::Number(value) => Token::Number(number(value)),
            Value::Object(object) => {
                self.enter(Open::Object(object.iter()))?;
                Token::Object
            }
            Value::String(text) => Token::Text(text),
        };
        Ok(())
    }

    fn next_element(&mut self, token: &mut Token<'de>) -> Result<bool, JsonError> {
        let is_there = self.next().is_some();
        if is_there {
            self.begin(token)?;
        }
        Ok(is_there)
    }

    fn next_known(&mut self, keys: &Keys, token: &mut Token<'de>) -> Result<Option<u8>, JsonError> {
        while let Some(key) = self.next() {
            if let Some(number) = keys.find(key.as_bytes()) {
                self.begin(token)?;
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    fn next_member(&mut self, token: &mut Token<'de>) -> Result<bool, JsonError> {
        self.next_element(token)
    }
}

fn number(value: &serde_json::Number) -> Number {
    match (value.as_u64(), value.as_i64()) {
        (Some(value), _) => Number::Natural(value),
        (None, Some(value)) => Number::Negative(value),
        (None, None) => Number::Real(value.as_f64().unwrap_or(f64::NAN)),
    }
}
