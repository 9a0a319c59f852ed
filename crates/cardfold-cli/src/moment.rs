//! The time that an argument names.

use cardfold_replay::Until;
use cardfold_wire::parse_timestamp;

/// Reads a time of day (`14:03`, `14:03:20`), which is UTC and of the day on which a session began, or an RFC 3339 time
/// with its offset.
pub(crate) fn moment(text: &str) -> Result<Until, String> {
    let time_of_day = || {
        let seconds = if text.len() == "14:03".len() { ":00" } else { "" };
        parse_timestamp(&format!("1970-01-01T{text}{seconds}Z"))
    };
    parse_timestamp(text).map(Until::Time).or_else(|| time_of_day().map(Until::TimeOfDay)).ok_or_else(|| {
        "neither a time of day in UTC (14:03, 14:03:20) nor a full time with its offset \
         (2026-03-02T14:03:00Z, 2026-03-02T15:03:00+01:00)"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_time_has_its_offset() {
        let moment_ms = 1_772_460_180_000;
        for text in ["2026-03-02T14:03:00Z", "2026-03-02T15:03:00+01:00", "2026-03-02 09:03:00.000-05:00"] {
            assert_eq!(moment(text), Ok(Until::Time(moment_ms)), "{text}");
        }
    }

    #[test]
    fn a_bare_time_is_of_the_first_day() {
        for (text, ms) in [
            ("00:00", 0),
            ("14:03", 50_580_000),
            ("14:03:20", 50_600_000),
            ("14:03:20.5", 50_600_500),
            ("23:59", 86_340_000),
        ] {
            assert_eq!(moment(text), Ok(Until::TimeOfDay(ms)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_time() {
        for text in [
            "",
            "now",
            "14",
            "1403",
            "2:03",
            "24:00",
            "14:60",
            "14:03 ",
            "+4:03",
            "14:03Z",
            "14:03+01:00",
            "2 pm",
            "2026-03-02",
            "2026-03-02T14:03",
            "2026-03-02T14:03Z",
            "2026-03-02T14:03:00",
            "2026-02-30T14:03:00Z",
            "1772460180000",
            "-1",
            "14:03\n",
            "1ö:0",
        ] {
            assert!(moment(text).is_err(), "{text:?}");
        }
    }
}
