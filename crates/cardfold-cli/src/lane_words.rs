//! The words over a bar: where the agent stands, its name, and what is known of its time. As HTML, which can end a line in
//! an ellipsis, or as the text of a picture, which cannot.

use std::io::{self, Write};

use crate::card_text::Standing;
use crate::markup::Markup;

/// The words of one lane.
pub(crate) struct Words<'a> {
    pub(crate) standing: Standing,
    pub(crate) name: &'a str,
    /// Of the program's own making.
    pub(crate) time: &'a str,
    /// Steps to the right.
    pub(crate) indent: usize,
}

impl Words<'_> {
    /// The words lead to the card of this id, if there is one: there the name is whole, and to a screen reader it is so here.
    pub(crate) fn write_html(&self, out: &mut impl Write, y: usize, card: Option<&str>) -> io::Result<()> {
        let Self { standing, name, time, indent } = self;
        let (sign, _) = standing.sign();
        let (start, end) =
            card.map_or_else(|| ("span".to_owned(), "span"), |card| (format!(r##"a href="#{card}""##), "a"));
        writeln!(
            out,
            r#"<foreignObject y="{y}" width="100%" height="20"><{start} class="words in-{indent}">
<span class="sign">{sign} {}</span> <span class="name">{}</span> <span class="quiet">{time}</span>
</{end}></foreignObject>"#,
            standing.word(),
            Markup(name),
        )
    }

    /// Older readers of SVG drop an end of a line, so that a blank stands beside it.
    pub(crate) fn write_text(&self, out: &mut impl Write, y: usize) -> io::Result<()> {
        let Self { standing, name, time, indent } = self;
        let (sign, _) = standing.sign();
        writeln!(
            out,
            r#"<text x="{}" y="{}"><tspan class="sign">{sign} {}</tspan> <tspan class="name">{}</tspan>
 <tspan class="quiet">{time}</tspan></text>"#,
            20 * indent,
            y + 15,
            standing.word(),
            Markup(name),
        )
    }
}
