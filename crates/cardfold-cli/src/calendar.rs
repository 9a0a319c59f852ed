//! Times as people write them: UTC, since nothing says where a session was held.

/// Milliseconds of a day.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// `2026-03-02T14:03:20.500Z`, which `--at` reads.
pub(crate) fn utc(ms: i64) -> String {
    let time = ms.rem_euclid(DAY_MS);
    let (seconds, millis) = (time / 1_000, time % 1_000);
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    format!("{}T{hours:02}:{minutes:02}:{:02}.{millis:03}Z", day(ms), seconds % 60)
}

/// `2026-03-02 14:03`.
pub(crate) fn to_the_minute(ms: i64) -> String {
    let minutes = ms.rem_euclid(DAY_MS) / 60_000;
    format!("{} {:02}:{:02}", day(ms), minutes / 60, minutes % 60)
}

/// `2026-03-02`.
pub(crate) fn day(ms: i64) -> String {
    let (year, month, day) = date(ms.div_euclid(DAY_MS));
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar.
///
/// Years are counted from March, so that the day that comes and goes is the last one of a year; 400 of them have
/// 146,097 days.
fn date(days: i64) -> (i64, i64, i64) {
    let from_march_of_year_0 = days + 719_468;
    let era = from_march_of_year_0.div_euclid(146_097);
    let day_of_era = from_march_of_year_0.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use cardfold_wire::parse_timestamp;

    use super::*;

    #[test]
    fn what_is_written_is_what_the_wire_reads() {
        for text in [
            "1970-01-01T00:00:00.000Z",
            "1969-12-31T23:59:59.999Z",
            "2000-02-29T12:00:00.001Z",
            "2024-02-29T23:59:59.999Z",
            "2024-03-01T00:00:00.000Z",
            "2026-12-31T23:59:59.999Z",
            "2100-02-28T10:20:30.400Z",
            "2100-03-01T10:20:30.400Z",
        ] {
            let ms = parse_timestamp(text).expect("the time is well-formed");
            assert_eq!(utc(ms), text);
        }
        assert_eq!((day(0), to_the_minute(50_580_000)), ("1970-01-01".to_owned(), "1970-01-01 14:03".to_owned()));
    }

    #[test]
    fn no_time_is_too_far_away() {
        for ms in [i64::MIN, i64::MAX] {
            assert!(utc(ms).ends_with('Z'));
        }
    }
}
