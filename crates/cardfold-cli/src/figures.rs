//! Figures for people: counts, tokens and times.

/// `12,345`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// `1 call`, `12,345 calls`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// `1 token`, `9,999 tokens`, `12.3k tokens`, `1.2M tokens`: past five digits nobody reads the last ones.
pub(crate) fn tokens(number: u64) -> String {
    if number < 10_000 { counted(number, "token") } else { format!("{} tokens", rounded(number)) }
}

/// `9,999`, `12.3k`, `1.2M`, `4.0G`, cut and not rounded up, so that no figure looks larger than it is.
pub(crate) fn rounded(number: u64) -> String {
    let (unit, sign) = match number {
        0..10_000 => return grouped(number),
        10_000..1_000_000 => (1_000, 'k'),
        1_000_000..1_000_000_000 => (1_000_000, 'M'),
        1_000_000_000.. => (1_000_000_000, 'G'),
    };
    let tenths = number / (unit / 10);
    format!("{}.{}{sign}", grouped(tenths / 10), tenths % 10)
}

/// A size on the disk: `999 B`, `1.2 kB`, `3.4 MB`, cut and not rounded up.
pub(crate) fn size(bytes: u64) -> String {
    let (unit, sign) = match bytes {
        0..1_000 => return format!("{bytes} B"),
        1_000..1_000_000 => (1_000, "kB"),
        1_000_000..1_000_000_000 => (1_000_000, "MB"),
        1_000_000_000.. => (1_000_000_000, "GB"),
    };
    let tenths = bytes / (unit / 10);
    format!("{}.{} {sign}", grouped(tenths / 10), tenths % 10)
}

/// A length of time in the two largest units that say something: `0.3 s`, `4.0 s`, `1 min 05 s`, `2 h 03 min`.
pub(crate) fn lasting(milliseconds: u64) -> String {
    let tenths = milliseconds / 100;
    let seconds = milliseconds / 1_000;
    let minutes = seconds / 60;
    if minutes == 0 {
        format!("{}.{} s", tenths / 10, tenths % 10)
    } else if minutes < 60 {
        format!("{minutes} min {:02} s", seconds % 60)
    } else {
        format!("{} h {:02} min", grouped(minutes / 60), minutes % 60)
    }
}

/// A length of time that still goes on: `7 s`, `1 min 05 s`, `2 h 03 min`. Tenths would only flicker.
pub(crate) fn lasting_so_far(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    if seconds < 60 { format!("{seconds} s") } else { lasting(milliseconds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let shown = [0, 7, 999, 1_000, 12_345, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "7", "999", "1,000", "12,345", "1,234,567"]);
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "call")), ["0 calls", "1 call", "2 calls"]);
    }

    #[test]
    fn large_figures_are_rounded() {
        let shown = [0, 9_999, 10_000, 12_399, 999_999, 1_000_000, 1_250_000, 4_000_000_000].map(rounded);
        assert_eq!(shown, ["0", "9,999", "10.0k", "12.3k", "999.9k", "1.0M", "1.2M", "4.0G"]);
        assert_eq!(rounded(u64::MAX), "18,446,744,073.7G");
        assert_eq!([1, 9_999, 12_345].map(tokens), ["1 token", "9,999 tokens", "12.3k tokens"]);
    }

    #[test]
    fn a_size_has_one_unit() {
        let shown = [0, 999, 1_000, 1_299, 999_999, 104_857_600, 1_000_000_000].map(size);
        assert_eq!(shown, ["0 B", "999 B", "1.0 kB", "1.2 kB", "999.9 kB", "104.8 MB", "1.0 GB"]);
    }

    #[test]
    fn a_time_that_goes_on_has_whole_seconds() {
        assert_eq!([0, 999, 59_999, 60_000].map(lasting_so_far), ["0 s", "0 s", "59 s", "1 min 00 s"]);
    }

    #[test]
    fn a_time_has_two_units_at_most() {
        let shown = [0, 99, 250, 59_999, 60_000, 65_432, 3_599_999, 3_600_000, 7_384_000].map(lasting);
        assert_eq!(
            shown,
            [
                "0.0 s",
                "0.0 s",
                "0.2 s",
                "59.9 s",
                "1 min 00 s",
                "1 min 05 s",
                "59 min 59 s",
                "1 h 00 min",
                "2 h 03 min"
            ]
        );
    }
}
