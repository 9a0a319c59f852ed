//! The report as one page: the timeline of each session and its cards. Nothing is loaded. The page allows its own style
//! and its own script by their hashes and nothing else, so that no text of a transcript could run even if it were
//! taken for more than text.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cardfold_replay::{Problems, Report};
use sha2::{Digest as _, Sha256};

use crate::card_html;
use crate::chart::Setting;
use crate::drawn::Drawn;
use crate::figures::counted;
use crate::markup::Markup;
use crate::replay::Selection;
use crate::report_svg::CHART_STYLE;
use crate::report_text::{facts, undrawn_note};

const PAGE_STYLE: &str = include_str!("page/page.css");

/// The search. Without it the page is whole, and a browser's own search finds what is in it.
const SCRIPT: &str = include_str!("page/page.js");

/// Writes the page. It is HTML that is also well-formed XML.
pub(crate) fn write(
    out: &mut impl Write,
    report: &Report,
    sessions: &[Drawn<'_>],
    selection: Selection,
) -> io::Result<()> {
    write_head(out)?;
    writeln!(
        out,
        r##"<body>
<a class="skip" href="#content">Skip to the sessions</a>
<header>
<h1>Sub-agents</h1>"##
    )?;
    let total = sessions.iter().map(|drawn| drawn.cards.len()).sum::<usize>();
    writeln!(out, "<p>{} in {}</p>", counted_len(total, "card"), counted_len(sessions.len(), "session"))?;
    writeln!(
        out,
        r#"<div class="search" role="search" id="searching" hidden="hidden">
<label for="search">Show the agents with these words</label>
<input type="search" id="search" autocomplete="off"/>
<p id="found" role="status"></p>
</div>
</header>
<main id="content">"#
    )?;
    if sessions.is_empty() {
        writeln!(out, "<p>Nothing readable.</p>")?;
    }
    for (place, drawn) in sessions.iter().enumerate() {
        write_session(out, place, drawn, selection)?;
    }
    write_problems(out, "Problems outside of the sessions", &report.problems)?;
    writeln!(out, "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>")
}

fn write_head(out: &mut impl Write) -> io::Result<()> {
    let style = [CHART_STYLE, PAGE_STYLE].concat();
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        hash(&style),
        hash(SCRIPT),
    );
    writeln!(
        out,
        r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="{policy}"/>
<meta name="referrer" content="no-referrer"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>Sub-agents</title>
<style>{style}</style>
</head>"#
    )
}

/// A text as a Content-Security-Policy names it.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

fn write_session(out: &mut impl Write, place: usize, drawn: &Drawn<'_>, selection: Selection) -> io::Result<()> {
    let Drawn { session, cards, chart } = drawn;
    let number = place + 1;
    writeln!(out, r#"<section aria-labelledby="session-{number}">"#)?;
    writeln!(out, r#"<h2 id="session-{number}">{}</h2>"#, Markup(&session.source))?;
    writeln!(out, r#"<p class="about">{}</p>"#, Markup(&facts(session, cards)))?;
    if !cards.is_empty() {
        writeln!(out, "<h3>Timeline</h3>\n<p class=\"about\">{}</p>\n<div class=\"timeline\">", chart.extent())?;
        chart.write(out, 0, Setting::Page(place))?;
        writeln!(out, "</div>")?;
        if let Some(note) = chart.note {
            writeln!(out, r#"<p class="about">{note}</p>"#)?;
        }
        writeln!(out, "<h3>Cards</h3>")?;
    }
    for (card_place, card) in cards.iter().enumerate() {
        card_html::write(out, &card_html::id(place, card_place), card)?;
    }
    if let Some(note) = undrawn_note(session, selection) {
        writeln!(out, r#"<p class="about">{note}</p>"#)?;
    }
    write_problems(out, "Problems", &session.problems)?;
    writeln!(out, "</section>")
}

fn write_problems(out: &mut impl Write, heading: &str, problems: &Problems) -> io::Result<()> {
    if problems.is_empty() {
        return Ok(());
    }
    writeln!(out, "<details>\n<summary>{heading}: {}</summary>\n<ul>", problems.len())?;
    for problem in problems {
        let line = problem.line.map_or(String::new(), |line| format!(":{line}"));
        let (file, detail) = (Markup(&problem.file), Markup(&problem.detail));
        writeln!(out, "<li>{}: {file}{line}: {detail}</li>", problem.kind.as_str())?;
    }
    if problems.more() > 0 {
        writeln!(out, "<li>and {} more</li>", counted(problems.more(), "problem"))?;
    }
    writeln!(out, "</ul>\n</details>")
}

fn counted_len(number: usize, noun: &str) -> String {
    counted(u64::try_from(number).expect("a length fits"), noun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_written_as_the_policy_has_it() {
        // The example of Content Security Policy Level 3, section 2.3.1.
        assert_eq!(hash("doSomething();"), "sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc=");
        assert_eq!(hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    /// The same bytes to a parser of HTML, which takes them as they are, and to one of XML, which would not.
    #[test]
    fn style_and_script_need_no_escape() {
        for text in [CHART_STYLE, PAGE_STYLE, SCRIPT] {
            assert!(!text.contains(['<', '&']) && !text.contains("]]>"));
            assert!(!text.contains("url(") && !text.contains("@import") && !text.contains("//h"), "nothing is loaded");
        }
    }
}
