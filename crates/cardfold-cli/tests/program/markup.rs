//! Pages and pictures as a strict parser of XML reads them.

use roxmltree::{Document, Node, ParsingOptions};

use crate::cardfold;

/// What the program prints of `words`, which went well.
pub(crate) fn printed(words: &str) -> String {
    let ran = cardfold(words);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{words}");
    ran.out
}

/// The document; one that is not well-formed is a mistake.
pub(crate) fn parsed(text: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The elements of this name, of which `class` is one of the classes.
pub(crate) fn elements<'a, 'i>(document: &'a Document<'i>, name: &str, class: &str) -> Vec<Node<'a, 'i>> {
    let is_one = |node: &Node<'_, '_>| {
        node.tag_name().name() == name
            && node.attribute("class").is_some_and(|classes| classes.split(' ').any(|one| one == class))
    };
    document.descendants().filter(is_one).collect()
}

/// A length in percent.
pub(crate) fn percent(node: &Node<'_, '_>, attribute: &str) -> f64 {
    let text = node.attribute(attribute).unwrap_or_else(|| panic!("{node:?} has {attribute}"));
    let number = text.strip_suffix('%').unwrap_or_else(|| panic!("{text} is in percent"));
    number.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// All text in an element, in one line.
pub(crate) fn text(node: Node<'_, '_>) -> String {
    let texts: String = node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect();
    texts.split_whitespace().collect::<Vec<_>>().join(" ")
}
