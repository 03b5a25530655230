//! Measuring, padding, cutting and wrapping text by its width on a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Pads with spaces to `columns`; longer text is left as it is.
pub(crate) fn pad(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(missing))
}

/// Cuts to `columns`, with an ellipsis as the last character of what was too long.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_string();
    }
    let mut kept = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > columns {
            break;
        }
        kept.push(c);
    }
    kept.push('…');
    kept
}

/// Breaks into lines of at most `columns`, at spaces where possible; lines after the first begin with `indent`
/// spaces.
pub(crate) fn wrap(text: &str, columns: usize, indent: usize) -> Vec<String> {
    let columns = columns.max(indent + 4);
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut empty = true;
    for word in text.split(' ') {
        let mut word = word.to_string();
        let needed = width(&word) + usize::from(!empty);
        if !empty && width(&line) + needed > columns {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            empty = true;
        }
        while width(&line) + width(&word) > columns && empty {
            let room = columns - width(&line);
            let mut used = 0;
            let split = word
                .char_indices()
                .find(|(_, c)| {
                    used += c.width().unwrap_or(0);
                    used > room
                })
                .map_or(word.len(), |(at, _)| at);
            if split == 0 {
                break;
            }
            line.push_str(&word[..split]);
            word = word[split..].to_string();
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(&word);
        empty = false;
    }
    lines.push(line);
    lines
}

/// Characters that do something to a terminal, or to the order in which text is shown, rather than being shown: controls
/// (C0, DEL, C1), line and paragraph separators, and the marks, embeddings, overrides and isolates of bidirectional text.
fn acts(c: char) -> bool {
    let format =
        matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || format
}

/// A tab or control character would break the layout, and an escape sequence in the program's own text could do worse to
/// the terminal: all become visible.
pub fn printable(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => clean.push(' '),
            c if acts(c) => clean.extend(c.escape_default()),
            c => clean.push(c),
        }
    }
    clean
}

/// The same for text of several lines, such as a compiler's message.
pub fn harmless(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => clean.push(c),
            c if acts(c) => clean.extend(c.escape_default()),
            c => clean.push(c),
        }
    }
    clean
}

/// The same for JSON text, in which such characters are inside strings, where an escape means the same.
pub(crate) fn escaped_in_json(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => clean.push(c),
            c if acts(c) => clean.push_str(&format!("\\u{:04x}", c as u32)),
            c => clean.push(c),
        }
    }
    clean
}

/// The same for finished text, which may have the painter's own sequences in it and no others.
pub(crate) fn only_painted(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(acts) {
        clean.push_str(&rest[..at]);
        rest = &rest[at..];
        let sequence = crate::style::SEQUENCES.iter().find(|sequence| rest.starts_with(**sequence));
        let length = match (sequence, rest.chars().next()) {
            (Some(sequence), _) => sequence.len(),
            (None, Some('\n')) => 1,
            (None, first) => {
                clean.extend(first.into_iter().flat_map(char::escape_default));
                rest = &rest[first.map_or(0, char::len_utf8)..];
                continue;
            }
        };
        clean.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    clean.push_str(rest);
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_keeps_to_the_width() {
        for columns in 6..30 {
            for text in ["reads hits = 0", "a verylongwordwithoutanyspace b", "", "x", "één twée → drie"]
            {
                let lines = wrap(text, columns, 2);
                assert!(lines.iter().all(|l| width(l) <= columns), "{columns}: {lines:?}");
                let joined: String = lines.concat().split_whitespace().collect();
                assert_eq!(joined, text.split_whitespace().collect::<String>());
            }
        }
    }

    #[test]
    fn cutting_keeps_to_the_width() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdef", 4), "abc…");
    }

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(printable("a\tb\x1b[31m\n"), "a b\\u{1b}[31m\\n");
        assert_eq!(printable("a\u{7f}\u{9b}2J\u{202e}b\u{2066}"), "a\\u{7f}\\u{9b}2J\\u{202e}b\\u{2066}");
        assert_eq!(harmless("a\n\tb\x1b\r"), "a\n\tb\\u{1b}\\r");
        let painted = "\x1b[1;31mbad\x1b[0m\n";
        assert_eq!(only_painted(painted), painted);
        assert_eq!(only_painted("\x1b[2J\x1b]0;x\x07"), "\\u{1b}[2J\\u{1b}]0;x\\u{7}");
        assert_eq!(only_painted("één\u{9b}m → ✗"), "één\\u{9b}m → ✗");
    }
}
