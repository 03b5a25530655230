//! XML 1.0: what needs an escape, and what cannot be there at all.

use crate::wrap::harmless;

/// Text for content and for attributes in double quotes. Control characters, which XML cannot have even escaped, are shown as
/// in the text report; line ends in attributes stay line ends.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in harmless(text).chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&apos;"),
            '\t' => safe.push_str("&#9;"),
            '\n' => safe.push_str("&#10;"),
            '\u{fffe}' | '\u{ffff}' => safe.extend(c.escape_default()),
            c => safe.push(c),
        }
    }
    safe
}

/// Content of an element: as [`escaped`], with line ends and tabs as they are.
pub(crate) fn content(text: &str) -> String {
    escaped(text).replace("&#10;", "\n").replace("&#9;", "\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_goes_through_a_parser() {
        let nasty = "a<b>&\"'\t\n]]> é \u{202e}\u{1b}[2J\u{0}\u{fffe} &amp;";
        let document = format!("<a b=\"{}\">{}</a>", escaped(nasty), content(nasty));
        let parsed = roxmltree::Document::parse(&document).unwrap();
        let root = parsed.root_element();
        let expected = harmless(nasty).replace('\u{fffe}', "\\u{fffe}");
        assert_eq!(root.attribute("b"), Some(expected.as_str()));
        assert_eq!(root.text(), Some(expected.as_str()));
    }
}
