//! The stamped summary of an agent: its own text, the manager's note behind it, or a line where the middle was left out.
//! Knows no agent.

/// A summary without what the manager wrote into it.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Summary<'t> {
    pub(crate) text: &'t str,
    /// The middle, or more, was left out.
    pub(crate) cut: bool,
    /// What stands behind the note: the evidence that the agent gave.
    pub(crate) evidence: Option<&'t str>,
}

/// Reads a stamped summary. Where its middle was left out, the part before that is its text.
///
/// Only the sort of the two lines is known from the manager's own text, not their words: the note speaks of the
/// self-report, the other line stands in brackets and names how much of the 4,000 + 4,000 characters is left.
pub(crate) fn summary(stamped: &str) -> Summary<'_> {
    let mut start = 0;
    for line in stamped.split_inclusive('\n') {
        let before = stamped[..start].trim_end();
        let end = start + line.len();
        let rest = stamped[end..].trim();
        let rest = (!rest.is_empty()).then_some(rest);
        let line = line.trim();
        if is_truncation(line) {
            return Summary { text: before, cut: true, evidence: None };
        }
        if is_note(line) && !before.is_empty() && rest.is_none_or(is_evidence) {
            return Summary { text: before, cut: false, evidence: rest };
        }
        start = end;
    }
    Summary { text: stamped.trim_end(), cut: false, evidence: None }
}

fn is_truncation(line: &str) -> bool {
    let inside = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).unwrap_or_default();
    inside.contains("4000") && (contains(inside, "truncated") || contains(inside, "elided"))
}

fn is_note(line: &str) -> bool {
    ["self-report", "self report", "self_report"].iter().any(|word| contains(line, word))
}

/// The manager moves what it finds under these headings behind the note; anything else there is the agent's own text.
fn is_evidence(rest: &str) -> bool {
    ["### evidence", "## evidence", "evidence:"]
        .iter()
        .any(|heading| rest.get(..heading.len()).is_some_and(|opening| opening.eq_ignore_ascii_case(heading)))
}

/// Looks for a word, whatever its case.
fn contains(text: &str, word: &str) -> bool {
    text.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A note of the measured length: 118 characters.
    fn note() -> String {
        let note = format!("{:-<118}", "[This is a self-report of the child; verify it before relying on it] ");
        assert_eq!(note.chars().count(), 118);
        note
    }

    #[test]
    fn a_whole_summary_loses_its_note() {
        for chars in [1, 11_999, 12_000] {
            let text = "x".repeat(chars);
            let stamped = format!("{text}\n{}", note());
            assert_eq!(stamped.chars().count(), chars + 119);
            assert_eq!(summary(&stamped), Summary { text: &text, cut: false, evidence: None });
        }
    }

    #[test]
    fn a_summary_without_its_middle_says_so() {
        let (head, tail) = ("h".repeat(4_000), "t".repeat(4_000));
        let stamped =
            format!("{head}\n[truncated: 4000 + 4000 of 12001 chars shown, 4001 elided; art_sa_x_report]\n{tail}");
        assert_eq!(summary(&stamped), Summary { text: &head, cut: true, evidence: None });
    }

    #[test]
    fn evidence_stands_behind_the_note() {
        let stamped = format!("Done.\n{}\n### EVIDENCE\n- a:1", note());
        assert_eq!(summary(&stamped), Summary { text: "Done.", cut: false, evidence: Some("### EVIDENCE\n- a:1") });
    }

    #[test]
    fn the_agents_own_words_stay() {
        for own in [
            "It was a self-report.",
            "self-report first\nthen more text",
            "One.\nThat was the self-report.\nTwo more.",
            "[4000 files were read]",
            "a\n\nb",
            "",
        ] {
            assert_eq!(summary(own), Summary { text: own, cut: false, evidence: None }, "{own}");
        }
    }
}
