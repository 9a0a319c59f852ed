//! The part of a text that a limit of bytes and lines leaves. Knows no system.

/// As much of a report as a card shows (R24). The engine's own limit cannot be seen from here; `limits.rs` of the tests holds
/// the two equal.
pub(crate) const REPORT_BYTES: usize = 4_096;
pub(crate) const REPORT_LINES: usize = 40;

/// The part of a text that so many bytes and lines leave, and whether that is less than all. A limit of 0 is none.
///
/// A line end belongs to the line before it: a text that ends in one has no empty line after it. The text is cut between
/// lines, then between characters.
pub(crate) fn bounded(text: &str, max_bytes: usize, max_lines: usize) -> (&str, bool) {
    let mut end = text.len();
    if let Some(last) = max_lines.checked_sub(1)
        && let Some((at, _)) = text.match_indices('\n').nth(last)
        && at + 1 < end
    {
        end = at;
    }
    if max_bytes > 0 && end > max_bytes {
        end = (0..=max_bytes).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    }
    (&text[..end], end < text.len())
}
