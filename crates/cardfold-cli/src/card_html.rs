//! One card as an article of the page: all that it says, with what is long folded away.

use std::io::{self, Write};

use cardfold::{Card, Excerpt};

use crate::card_text::{Standing, call_sign, card_figures, row_figures, what_it_is};
use crate::chart::{class, times, tone_class};
use crate::markup::{Markup, MarkupLines};
use crate::nested_tree;
use crate::timeline::Span;

/// Nested rows deeper than this are not moved further to the right; a narrow screen has no room for more.
const DEEPEST_INDENT: usize = 5;

/// The name of a card in its page, by the places of its session and of itself.
pub(crate) fn id(session: usize, card: usize) -> String {
    format!("card-{}-{}", session + 1, card + 1)
}

/// Writes the article.
pub(crate) fn write(out: &mut impl Write, id: &str, card: &Card) -> io::Result<()> {
    let standing = Standing { state: card.state, outcome: card.outcome };
    let inferred = if card.inferred { " (inferred)" } else { "" };
    writeln!(out, r#"<article id="{id}" aria-labelledby="{id}-name">"#)?;
    writeln!(out, r#"<h4 id="{id}-name">{}{inferred} {}</h4>"#, shown(standing), Markup(&card.name))?;
    let about = what_it_is(card);
    for text in [&about, &card_figures(card).join(" · ")].into_iter().filter(|text| !text.is_empty()) {
        writeln!(out, "<p>{}</p>", Markup(text))?;
    }
    if let Some(span) = Span::of(card) {
        writeln!(out, r#"<p class="about">{}</p>"#, times(span))?;
    }
    writeln!(out, r#"<p class="about">{}</p>"#, Markup(&card.dispatch_id))?;
    let facts = [("needs an answer", &card.needs_input), ("now", &card.activity), ("model", &card.model)];
    for (word, text) in facts {
        if let Some(text) = text {
            writeln!(out, "<p>{word}: {}</p>", Markup(text))?;
        }
    }
    for (name, json) in &card.annotations {
        writeln!(out, "<p>{}: {}</p>", Markup(name), Markup(json))?;
    }
    write_excerpt(out, "details open=\"open\"", "Error", card.error.as_ref())?;
    write_tail(out, card)?;
    write_rows(out, card)?;
    write_excerpt(out, "details", "Report", card.report.as_ref())?;
    writeln!(out, "</article>")
}

fn shown(standing: Standing) -> String {
    let (sign, _) = standing.sign();
    format!(
        r#"<span class="{}"><span aria-hidden="true">{sign}</span> {}</span>"#,
        tone_class(standing),
        standing.word()
    )
}

fn write_excerpt(out: &mut impl Write, start: &str, heading: &str, excerpt: Option<&Excerpt>) -> io::Result<()> {
    let Some(Excerpt { text, truncated, .. }) = excerpt else { return Ok(()) };
    let cut = if *truncated { ", the first of it" } else { "" };
    writeln!(out, "<{start}>\n<summary>{heading}{cut}</summary>\n<pre>{}</pre>\n</details>", MarkupLines(text))
}

fn write_tail(out: &mut impl Write, card: &Card) -> io::Result<()> {
    if card.tail.is_empty() {
        return Ok(());
    }
    writeln!(out, r#"<ol aria-label="Last calls">"#)?;
    for call in &card.tail {
        let (sign, tone) = call_sign(call.status);
        let word = call.status.as_str().replace('_', " ");
        writeln!(
            out,
            r#"<li><span class="{}"><span aria-hidden="true">{sign}</span> {word}</span> {}</li>"#,
            class(tone),
            Markup(&call.title)
        )?;
    }
    writeln!(out, "</ol>")
}

/// The rows stand in one list, for a list within a list for each level could be deeper than a browser goes.
fn write_rows(out: &mut impl Write, card: &Card) -> io::Result<()> {
    if card.nested.is_empty() {
        return Ok(());
    }
    writeln!(out, r#"<ul aria-label="Agents below it">"#)?;
    for (level, row) in nested_tree::preorder(&card.nested) {
        let standing = Standing { state: row.state, outcome: row.outcome };
        let agent_type = row.agent_type.as_deref().unwrap_or_default();
        writeln!(
            out,
            r#"<li class="level-{}"><span class="unseen">level {}:</span> {}
<strong>{}</strong> <span class="about">{} {}</span></li>"#,
            level.min(DEEPEST_INDENT),
            level + 1,
            shown(standing),
            Markup(&row.name),
            Markup(agent_type),
            row_figures(row).join(" · "),
        )?;
    }
    writeln!(out, "</ul>")
}
