//! Text to words. Comments are kept apart, each with its place.

use super::token::{Keyword, SIGNS, Token, TokenKind};
use super::{Comment, Place, ProgramError, Span};

/// Longer names are refused: nothing that is meant has them.
const MAXIMUM_NAME: usize = 10_000;

/// The words of the text, ended by [`TokenKind::End`], and its comments.
pub(crate) fn words(text: &str) -> Result<(Vec<Token>, Vec<Comment>), ProgramError> {
    let mut lexer = Lexer { rest: text, place: Place { line: 1, column: 1 } };
    let (mut tokens, mut comments) = (Vec::new(), Vec::new());
    lexer.skip_byte_order_mark();
    loop {
        lexer.take_while(|c| c.is_ascii_whitespace() || c == '\u{b}');
        let start = lexer.place;
        let Some(first) = lexer.rest.chars().next() else {
            tokens.push(Token { kind: TokenKind::End, span: Span { start, end: start } });
            return Ok((tokens, comments));
        };
        if let Some(text) = lexer.comment()? {
            comments.push(Comment { text, span: Span { start, end: lexer.place } });
            continue;
        }
        let kind = if first.is_ascii_alphabetic() || first == '_' {
            let word = lexer.take_while(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
            Keyword::from_text(word).map_or_else(|| TokenKind::Name(word.to_owned()), TokenKind::Keyword)
        } else if first.is_ascii_digit() {
            TokenKind::Number(lexer.take_while(|c| c.is_ascii_digit()).to_owned())
        } else if first == '{' {
            TokenKind::Name(lexer.braced_name()?)
        } else if let Some((spelling, sign)) = SIGNS.iter().find(|(s, _)| lexer.rest.starts_with(s)) {
            lexer.advance(spelling.len());
            TokenKind::Sign(sign)
        } else {
            return Err(ProgramError::new(
                start,
                format!("found the character {first:?}, which is not part of the language"),
            ));
        };
        if let TokenKind::Name(name) | TokenKind::Number(name) = &kind
            && name.len() > MAXIMUM_NAME
        {
            return Err(ProgramError::new(start, format!("a name is longer than {MAXIMUM_NAME} characters")));
        }
        tokens.push(Token { kind, span: Span { start, end: lexer.place } });
    }
}

struct Lexer<'a> {
    rest: &'a str,
    place: Place,
}

impl<'a> Lexer<'a> {
    fn skip_byte_order_mark(&mut self) {
        if let Some(rest) = self.rest.strip_prefix('\u{feff}') {
            self.rest = rest;
        }
    }

    /// Passes so many bytes, which end between two characters.
    fn advance(&mut self, bytes: usize) -> &'a str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        for character in passed.chars() {
            if character == '\n' {
                self.place.line = self.place.line.saturating_add(1);
                self.place.column = 1;
            } else {
                self.place.column = self.place.column.saturating_add(1);
            }
        }
        passed
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let bytes = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        self.advance(bytes)
    }

    /// The comment that begins here, if one does.
    fn comment(&mut self) -> Result<Option<String>, ProgramError> {
        if self.rest.starts_with("//") {
            return Ok(Some(self.take_while(|c| c != '\n').trim_end().to_owned()));
        }
        if !self.rest.starts_with("/*") {
            return Ok(None);
        }
        let place = self.place;
        match self.rest[2..].find("*/") {
            Some(inside) => Ok(Some(self.advance(inside + 4).to_owned())),
            None => Err(ProgramError::new(place, "this comment has no end").with_hint("write `*/` after it")),
        }
    }

    /// A name as SLAM writes them, `{x==1}`, with its braces.
    fn braced_name(&mut self) -> Result<String, ProgramError> {
        let end = self.rest.find(|c: char| c == '}' || c.is_control());
        match end {
            Some(bytes) if bytes > 1 && self.rest[bytes..].starts_with('}') => {
                Ok(self.advance(bytes + 1).to_owned())
            }
            Some(1) if self.rest.starts_with("{}") => Err(ProgramError::new(self.place, "a name is empty")),
            _ => {
                Err(ProgramError::new(self.place, "found `{`, which begins a name, without `}` on its line"))
            }
        }
    }
}
