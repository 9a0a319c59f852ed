//! Text that is shown: cleaned, on one line or bounded (section 2 and R24). Knows no card.

use std::borrow::Cow;

/// Lines of a report or an error (R24).
const LINES: usize = 40;

/// Bytes of a report or an error (R24).
const BYTES: usize = 4_096;

/// One line of at most `most` characters: white space runs become one space, controls and direction marks go, the
/// ends are trimmed; what is longer ends in an ellipsis.
pub(crate) fn one_line(text: &str, most: usize) -> Cow<'_, str> {
    let plain = plain_head(text.as_bytes(), most);
    if plain == text.len() {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len().min(most) + '…'.len_utf8());
    line.push_str(&text[..plain]);
    let mut count = plain;
    let mut space = false;
    for c in text[plain..].chars() {
        // White space decides first: a tab or a line end is a control character too, and must part words.
        if c.is_whitespace() {
            space = true;
            continue;
        }
        if is_hidden(c) {
            continue;
        }
        if space && count > 0 {
            line.push(' ');
            count += 1;
        }
        space = false;
        line.push(c);
        count += 1;
        if count > most {
            break;
        }
    }
    if count > most {
        let keep = line.char_indices().nth(most - 1).map_or(line.len(), |(at, _)| at);
        line.truncate(keep);
        line.push('…');
    }
    Cow::Owned(line)
}

/// A text without controls and direction marks, line ends and tabs kept, cut to 40 lines and 4,096 bytes; the flag
/// says that something was left out.
pub(crate) fn bounded(text: &str) -> (String, bool) {
    let clean = clean_block(text);
    let body = trim_blank_lines(&clean);
    let mut end = body.len();
    if let Some((at, _)) = body.match_indices('\n').nth(LINES - 1) {
        end = at;
    }
    if end > BYTES {
        end = BYTES;
        while !body.is_char_boundary(end) {
            end -= 1;
        }
    }
    (body[..end].to_owned(), end < body.len())
}

/// Control characters (C0, DEL, C1) and direction marks.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Bytes at the start in which there is nothing to do: ASCII without controls, without outer or double spaces. At most
/// `most`; what is odd ends them, at a multiple of eight.
fn plain_head(bytes: &[u8], most: usize) -> usize {
    if bytes.first() == Some(&b' ') {
        return 0;
    }
    let bytes = &bytes[..bytes.len().min(most)];
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [b'x'; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mut space_before = 0;
    let is_plain = |word: &&[u8; 8]| {
        let word = u64::from_le_bytes(**word);
        let spaces = zero_bytes(word ^ SPACES);
        let doubled = spaces & (spaces << 8 | space_before);
        space_before = spaces >> 56;
        (doubled | odd_bytes(word)) == 0
    };
    let plain = words.iter().chain([&last]).take_while(is_plain).count();
    let head = (plain * 8).min(bytes.len());
    head - usize::from(head > 0 && bytes[head - 1] == b' ')
}

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGHS: u64 = ONES << 7;
const SPACES: u64 = ONES * b' ' as u64;

/// The high bit of each byte of a word that is zero. All bytes are ASCII, else what this gives means nothing.
fn zero_bytes(word: u64) -> u64 {
    !word.wrapping_add(HIGHS - ONES) & HIGHS
}

/// Some bit, if a byte of a word is a control character or no ASCII.
fn odd_bytes(word: u64) -> u64 {
    // Bytes below a space borrow, a DEL carries into the high bit; those of no ASCII have it already.
    let below = word.wrapping_sub(SPACES) & !word & HIGHS;
    let above = (word & !HIGHS) + ONES;
    (below | above | word) & HIGHS
}

/// ASCII that is no control character.
fn is_plain(byte: u8) -> bool {
    (0x20..0x7f).contains(&byte)
}

fn clean_block(text: &str) -> Cow<'_, str> {
    if text
        .bytes()
        .fold(0, |odd, byte| odd | u8::from(byte != b'\n') & u8::from(byte != b'\t') & u8::from(!is_plain(byte)))
        == 0
    {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|c| matches!(c, '\n' | '\t') || !is_hidden(*c)).collect())
}

fn trim_blank_lines(text: &str) -> &str {
    let mut body = text;
    while let Some((first, rest)) = body.split_once('\n') {
        if !first.trim().is_empty() {
            break;
        }
        body = rest;
    }
    while let Some((rest, last)) = body.rsplit_once('\n') {
        if !last.trim().is_empty() {
            break;
        }
        body = rest;
    }
    if body.trim().is_empty() { "" } else { body }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cleaned_before_it_is_measured() {
        assert_eq!(one_line("  a\t\n b\u{0}c\u{202e}d  ", 80), "a bcd");
        assert_eq!(one_line(&"x".repeat(80), 80), "x".repeat(80));
        assert_eq!(one_line(&"x".repeat(81), 80), format!("{}…", "x".repeat(79)));
        assert_eq!(one_line(&format!("{}\u{0}", "é".repeat(80)), 80), "é".repeat(80));
        assert_eq!(one_line("\u{1}\u{2}", 80), "");
    }

    #[test]
    fn words_of_bytes_are_looked_at_as_character_by_character() {
        for length in 0..20_usize {
            for at in 0..length {
                for odd in (0..=0x17f_u32).filter_map(char::from_u32) {
                    let mut text: Vec<char> = "a b".chars().cycle().take(length).collect();
                    text[at] = odd;
                    let text: String = text.into_iter().collect();
                    for most in [1, 7, 8, 9, 16, 80] {
                        assert_eq!(one_line(&text, most), plainly(&text, most), "{text:?} in {most}");
                    }
                }
            }
        }
    }

    fn plainly(text: &str, most: usize) -> String {
        let words = text.split_whitespace().map(|word| word.chars().filter(|c| !is_hidden(*c)).collect::<String>());
        let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        if line.chars().count() <= most {
            return line;
        }
        line.chars().take(most - 1).chain(['…']).collect()
    }

    #[test]
    fn a_block_keeps_its_indents_and_loses_its_controls() {
        assert_eq!(bounded("\n  \r\n  a\r\n\tb\u{7}\n\n"), ("  a\n\tb".to_owned(), false));
    }

    #[test]
    fn a_block_is_cut_at_forty_lines_or_at_a_character() {
        let lines = "x\n".repeat(41);
        let (text, cut) = bounded(&lines);
        assert_eq!((text.lines().count(), cut), (40, true));
        let (text, cut) = bounded(&"x\n".repeat(40));
        assert_eq!((text.lines().count(), cut), (40, false));
        let (text, cut) = bounded(&"é".repeat(2_049));
        assert_eq!((text.len(), cut), (4_096, true));
        let (text, cut) = bounded(&format!("a{}", "é".repeat(2_048)));
        assert_eq!((text.len(), cut), (4_095, true));
    }
}
