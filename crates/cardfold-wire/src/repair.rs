//! What a JSON reader refuses although the line is whole: half of a surrogate pair, and numbers past all bounds.
//!
//! Clients cut texts between the halves of a pair. Such a text must not cost the line its ids (P5).

/// `text` with every lone surrogate escape as U+FFFD and every number that no float can hold as one that is merely
/// huge; `None` where there is neither. Each byte stays where it was.
pub(crate) fn repaired(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut whole = String::with_capacity(text.len());
    let mut taken = 0;
    let mut at = 0;
    let mut in_string = false;
    while let Some(&byte) = bytes.get(at) {
        let (len, instead) = match byte {
            b'\\' if in_string => escape(&bytes[at..]),
            b'-' | b'0'..=b'9' if !in_string => number(&text[at..]),
            b'"' => {
                in_string = !in_string;
                (1, None)
            }
            _ => (1, None),
        };
        if let Some(instead) = instead {
            whole.push_str(&text[taken..at]);
            whole.push_str(instead);
            whole.extend(std::iter::repeat_n(' ', len - instead.len()));
            taken = at + len;
        }
        at += len;
    }
    (taken > 0).then(|| whole + &text[taken..])
}

/// How long the escape at the start is, and what to put there instead.
fn escape(bytes: &[u8]) -> (usize, Option<&'static str>) {
    const LONE: Option<&str> = Some("\\ufffd");
    match unit(bytes) {
        Some(0xD800..=0xDBFF) => match bytes.get(6..).and_then(unit) {
            Some(0xDC00..=0xDFFF) => (12, None),
            Some(_) | None => (6, LONE),
        },
        Some(0xDC00..=0xDFFF) => (6, LONE),
        Some(_) => (6, None),
        None => (2, None),
    }
}

/// The UTF-16 unit of a `\uXXXX` escape at the start.
fn unit(bytes: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.get(..6)? else { return None };
    digits.iter().try_fold(0, |unit, digit| char::from(*digit).to_digit(16).map(|value| unit * 16 + value))
}

/// How long the number at the start is, and what to put there instead.
fn number(text: &str) -> (usize, Option<&'static str>) {
    let is_part = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
    let len = text.bytes().take_while(|byte| is_part(byte)).count();
    // The shortest number past 1e308 has five bytes (`9e308`, `-9e308` six), so there is room for these.
    let instead = match text[..len].parse::<f64>() {
        Ok(value) if value >= 1e308 => Some("1e99"),
        Ok(value) if value <= -1e308 => Some("-1e99"),
        Ok(_) | Err(_) => None,
    };
    (len, instead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puts_a_character_for_half_a_pair() {
        for (broken, whole) in [
            (r#"{"a":"x\ud83d"}"#, r#"{"a":"x\ufffd"}"#),
            (r#"{"a":"\ud83d\ude00\ude00"}"#, r#"{"a":"\ud83d\ude00\ufffd"}"#),
            (r#"{"a":"\ud83d\ud83d\ude00"}"#, r#"{"a":"\ufffd\ud83d\ude00"}"#),
            (r#"{"a":"\\ud83d \uDBFFé\n"}"#, r#"{"a":"\\ud83d \ufffdé\n"}"#),
            (r#"{"a":"\ud83d\"b"}"#, r#"{"a":"\ufffd\"b"}"#),
            (r#"{"a":1e309,"b":-2E+400}"#, r#"{"a":1e99 ,"b":-1e99  }"#),
        ] {
            assert_eq!(repaired(broken).as_deref(), Some(whole));
            assert_eq!(broken.len(), whole.len());
        }
    }

    #[test]
    fn leaves_the_rest_alone() {
        for whole in
            [r#"{"a":"\ud83d\ude00"}"#, r#"{"a":"\\ud83d"}"#, r#"{"a":[1e300,"1e999",-1]}"#, r#"{"a":"\u12"#, "\\", ""]
        {
            assert_eq!(repaired(whole), None, "{whole}");
        }
    }
}
