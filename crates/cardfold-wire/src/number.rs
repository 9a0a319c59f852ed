//! Numbers as a line writes them.

use std::str;

use crate::json_error::{JsonError, What};

/// A number as the line has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Natural(u64),
    Negative(i64),
    Real(f64),
}

/// Reads the number that begins at `bytes[at]` with a digit or a minus, and gives the place after it. What no integer
/// holds is a float; what no float holds is infinite.
pub(crate) fn read_number(bytes: &[u8], at: usize) -> Result<(Number, usize), JsonError> {
    let end = skip_number(bytes, at)?;
    let text = str::from_utf8(&bytes[at..end]).expect("the bytes of a number are ASCII");
    let number = if let Ok(value) = text.parse() {
        Number::Natural(value)
    } else if let Some(value) = text.parse().ok().filter(|value| *value != 0) {
        Number::Negative(value)
    } else {
        Number::Real(text.parse().expect("JSON's numbers are among Rust's"))
    };
    Ok((number, end))
}

/// The place after the number that begins at `bytes[at]`.
#[inline(always)]
pub(crate) fn skip_number(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    // Nearly all are a few digits.
    if bytes[at] != b'0' && bytes[at] != b'-' {
        let end = skip_digits(bytes, at + 1);
        if bytes.get(end).is_some_and(|byte| matches!(byte, b',' | b'}')) {
            return Ok(end);
        }
    } else if bytes[at] == b'0' && bytes.get(at + 1).is_some_and(|byte| matches!(byte, b',' | b'}')) {
        return Ok(at + 1);
    }
    skip_any_number(bytes, at)
}

#[inline(never)]
fn skip_any_number(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    let digits = if bytes[at] == b'-' { at + 1 } else { at };
    let mut end = skip_digits(bytes, digits);
    if end == digits {
        return Err(no_number(bytes, end));
    }
    if bytes[digits] == b'0' && end > digits + 1 {
        return Err(no_number(bytes, digits + 1));
    }
    if bytes.get(end) == Some(&b'.') {
        let fraction = end + 1;
        end = skip_digits(bytes, fraction);
        if end == fraction {
            return Err(no_number(bytes, end));
        }
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
        let exponent = end + 1 + usize::from(signed);
        end = skip_digits(bytes, exponent);
        if end == exponent {
            return Err(no_number(bytes, end));
        }
    }
    Ok(end)
}

#[inline]
fn skip_digits(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

#[cold]
fn no_number(bytes: &[u8], at: usize) -> JsonError {
    if at < bytes.len() { JsonError::new(What::Number, at) } else { JsonError::torn(bytes) }
}
