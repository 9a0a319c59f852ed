//! Times as the lines write them.

/// The Unix milliseconds of an RFC 3339 time (`2026-10-09T10:39:09.286Z`); `None` for anything else.
///
/// Digits after the milliseconds are dropped. A leap second is the second after it.
pub fn parse_timestamp(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let (date, time) = (bytes.get(..10)?, bytes.get(11..19)?);
    if !matches!(bytes[10], b'T' | b't' | b' ')
        || date[4] != b'-'
        || date[7] != b'-'
        || time[2] != b':'
        || time[5] != b':'
    {
        return None;
    }
    let days = days_since_1970(number(&date[..4])?, number(&date[5..7])?, number(&date[8..])?)?;
    let (hour, minute, second) = (number(&time[..2])?, number(&time[3..5])?, number(&time[6..])?);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let (millis, zone) = fraction(&bytes[19..])?;
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset_seconds(zone)?;
    Some(seconds * 1_000 + millis)
}

/// The milliseconds of a fraction (`.286…`, may be absent) and what stands after it.
fn fraction(rest: &[u8]) -> Option<(i64, &[u8])> {
    let Some(after_dot) = rest.strip_prefix(b".") else { return Some((0, rest)) };
    let digits = after_dot.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    let millis = (0..3).fold(0, |sum, place| {
        let digit = if place < digits { i64::from(after_dot[place] - b'0') } else { 0 };
        sum * 10 + digit
    });
    Some((millis, &after_dot[digits..]))
}

fn offset_seconds(zone: &[u8]) -> Option<i64> {
    let sign = match zone {
        [b'Z' | b'z'] => return Some(0),
        [b'+', ..] => 1,
        [b'-', ..] => -1,
        _ => return None,
    };
    if zone.len() != 6 || zone[3] != b':' {
        return None;
    }
    let (hours, minutes) = (number(&zone[1..3])?, number(&zone[4..])?);
    (hours <= 23 && minutes <= 59).then_some(sign * (hours * 3_600 + minutes * 60))
}

#[inline]
fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0')))
}

/// Days of the proleptic Gregorian calendar. A year is counted from March, so that the leap day is its last.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    if day < 1 || day > longest {
        return None;
    }
    let (march_year, march_month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let day_of_year = (153 * march_month + 2) / 5 + day - 1;
    let leap_days = march_year.div_euclid(4) - march_year.div_euclid(100) + march_year.div_euclid(400);
    // 719,468 days lie between 0000-03-01 and 1970-01-01.
    Some(march_year * 365 + leap_days + day_of_year - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_lines_write() {
        for (text, millis) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-03-02T09:00:15.000Z", 1_772_442_015_000),
            ("2024-02-29T23:59:60.5Z", 1_709_251_200_500),
            ("2026-03-02T11:00:15.1239+02:00", 1_772_442_015_123),
            ("2026-03-02 03:30:15.12-05:30", 1_772_442_015_120),
            ("1969-12-31T23:59:59.999Z", -1),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] {
            assert_eq!(parse_timestamp(text), Some(millis), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_time() {
        for text in [
            "",
            "now",
            "2026-03-02",
            "2026-03-02T09:00:15",
            "2026-03-02T09:00:15.Z",
            "2026-02-29T09:00:15Z",
            "2026-13-02T09:00:15Z",
            "2026-00-02T09:00:15Z",
            "2026-03-00T09:00:15Z",
            "2026-03-02T24:00:15Z",
            "2026-03-02T09:60:15Z",
            "2026-03-02T09:00:61Z",
            "2026-03-02T09:00:15+24:00",
            "2026-03-02T09:00:15+0200",
            "2026-03-02T09:00:15Zulu",
            "+026-03-02T09:00:15Z",
            "2026-03-02T09:00:15.1é",
            "é026-03-02T09:00:15Z",
        ] {
            assert_eq!(parse_timestamp(text), None, "{text}");
        }
    }
}
