//! The tokens of textual LLVM IR, made on demand: one token of look-ahead, nothing is stored.
//!
//! Tokens borrow from the text. Strings keep their escapes until they are needed ([`unescape`]). Whether a token is
//! the first of its line is recorded, because attributes of a call end with the line and in no other way that would
//! survive new attribute words.

use std::borrow::Cow;

/// One token.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Token<'a> {
    /// A keyword, opcode or primitive type: letters, digits, `.`, `_`, `$`, `-`.
    Word(&'a str),
    /// `name:`, a label of a block or of a metadata field, without the colon.
    Label(Name<'a>),
    /// `%name`.
    Local(Name<'a>),
    /// `@name`.
    Global(Name<'a>),
    /// `$name`.
    Comdat(Name<'a>),
    /// `!name` or `!12`; the text may hold `\xx` escapes.
    Meta(&'a str),
    /// A `!` with no name: before `{` and strings.
    Bang,
    /// `#12`.
    AttributeGroup(u32),
    /// `#dbg_...`, without the `#`.
    Record(&'a str),
    /// `^12` of a module summary.
    Summary,
    /// A decimal integer, perhaps negative.
    Int(&'a str),
    /// Any other number: decimal fraction, `0x...`, `s0x...`, `+inf` and the like.
    Number(&'a str),
    /// `"..."`, without the quotes.
    Str(&'a [u8]),
    /// `c"..."`, without the quotes.
    Bytes(&'a [u8]),
    Ellipsis,
    /// One of `( ) [ ] { } < > , = * : | + /`.
    Char(u8),
    /// A byte that begins no token, or an unfinished string.
    Bad,
    Eof,
}

/// A name as written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Name<'a> {
    pub bytes: &'a [u8],
    /// In quotes, perhaps with escapes; never a number.
    pub quoted: bool,
}

impl<'a> Name<'a> {
    /// The number of an unnamed value.
    pub fn number(&self) -> Option<u32> {
        if self.quoted || self.bytes.is_empty() || self.bytes.len() > 10 {
            return None;
        }
        let mut number: u64 = 0;
        for &byte in self.bytes {
            if !byte.is_ascii_digit() {
                return None;
            }
            number = number * 10 + u64::from(byte - b'0');
        }
        u32::try_from(number).ok()
    }

    /// The name as text, escapes resolved.
    pub fn text(&self) -> Cow<'a, str> {
        if self.quoted { text_of(self.bytes) } else { plain(self.bytes) }
    }
}

/// Bytes as text: UTF-8 if it is, otherwise one character per byte, so that different names stay different.
fn plain(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&b| char::from(b)).collect()),
    }
}

/// A string's text, escapes resolved.
pub(crate) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match unescape(bytes) {
        Cow::Borrowed(bytes) => plain(bytes),
        Cow::Owned(bytes) => Cow::Owned(plain(&bytes).into_owned()),
    }
}

/// A string's bytes: `\xx` is the byte with these hexadecimal digits, `\\` a backslash.
pub(crate) fn unescape(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.contains(&b'\\') {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'\\' {
            out.push(byte);
        } else if let [b'\\', tail @ ..] = rest {
            out.push(b'\\');
            rest = tail;
        } else if let [high, low, tail @ ..] = rest
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            out.push(high << 4 | low);
            rest = tail;
        } else {
            out.push(b'\\');
        }
    }
    Cow::Owned(out)
}

/// The value of a hexadecimal digit.
pub(crate) fn hex(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// Whether a byte may be inside a name or word.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'$' | b'-')
}

/// The position in the text.
#[derive(Clone)]
pub(crate) struct Lexer<'a> {
    source: &'a [u8],
    position: usize,
    /// Where the last token began.
    pub start: usize,
    /// Whether the last token was the first of its line.
    pub first_of_line: bool,
}

impl<'a> Lexer<'a> {
    pub fn new(source: &'a [u8]) -> Self {
        Lexer { source, position: 0, start: 0, first_of_line: true }
    }

    fn byte(&self, position: usize) -> u8 {
        self.source.get(position).copied().unwrap_or(0)
    }

    fn skip_blank(&mut self) {
        loop {
            match self.source.get(self.position) {
                Some(b'\n') => {
                    self.first_of_line = true;
                    self.position += 1;
                }
                Some(b' ' | b'\t' | b'\r' | 0) => self.position += 1,
                Some(b';') => self.skip_line(),
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = self.source.get(self.position..).unwrap_or_default();
        self.position += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    }

    /// The next byte after blanks, which is the first of the next token; 0 at the end.
    pub fn next_byte(&self) -> u8 {
        let rest = self.source.get(self.position..).unwrap_or_default();
        rest.iter().copied().find(|b| !b.is_ascii_whitespace()).unwrap_or(0)
    }

    /// The text from the last token to the end of its line (further, while brackets are open), which is
    /// skipped. The next token is the first of a line.
    pub fn take_line(&mut self) -> &'a [u8] {
        let start = self.start;
        let mut depth = 0i32;
        self.position = start;
        while let Some(&byte) = self.source.get(self.position) {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                b'"' => {
                    self.position += 1;
                    while !matches!(self.byte(self.position), b'"' | 0) {
                        self.position += 1;
                    }
                }
                b';' => {
                    let end = self.position;
                    self.skip_line();
                    if depth <= 0 {
                        return self.source.get(start..end).unwrap_or_default().trim_ascii();
                    }
                    continue;
                }
                b'\n' if depth <= 0 => break,
                _ => {}
            }
            self.position += 1;
        }
        self.position = self.position.min(self.source.len());
        self.source.get(start..self.position).unwrap_or_default().trim_ascii()
    }

    /// The next token.
    pub fn next(&mut self) -> Token<'a> {
        self.first_of_line = self.position == 0;
        self.skip_blank();
        self.start = self.position;
        let Some(&byte) = self.source.get(self.position) else { return Token::Eof };
        match byte {
            b'%' => self.sigil(Token::Local),
            b'@' => self.sigil(Token::Global),
            b'$' => match self.sigil(Token::Comdat) {
                Token::Bad => self.word(),
                token => token,
            },
            b'"' => match self.quoted() {
                None => Token::Bad,
                Some(bytes) if self.byte(self.position) == b':' => {
                    self.position += 1;
                    Token::Label(Name { bytes, quoted: true })
                }
                Some(bytes) => Token::Str(bytes),
            },
            b'!' => self.bang(),
            b'#' => self.hash(),
            b'^' => {
                self.position += 1;
                Token::Summary
            }
            b'c' if self.byte(self.position + 1) == b'"' => {
                self.position += 1;
                self.quoted().map_or(Token::Bad, Token::Bytes)
            }
            b'.' if self.source.get(self.position..self.position + 3) == Some(b"...") => {
                self.position += 3;
                Token::Ellipsis
            }
            b'0'..=b'9' | b'-' => self.number(),
            b'+' if self.byte(self.position + 1).is_ascii_alphanumeric() => {
                self.position += 1;
                self.number()
            }
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b'=' | b'*' | b':' | b'|'
            | b'+' | b'/' => {
                self.position += 1;
                Token::Char(byte)
            }
            _ if is_name(byte) => self.word(),
            _ => {
                self.position += 1;
                Token::Bad
            }
        }
    }

    /// The name or quoted name after a sigil.
    fn sigil(&mut self, make: fn(Name<'a>) -> Token<'a>) -> Token<'a> {
        let next = self.position + 1;
        if self.byte(next) == b'"' {
            self.position = next;
            return self.quoted().map_or(Token::Bad, |bytes| make(Name { bytes, quoted: true }));
        }
        let end = self.end_of(next, is_name);
        if end == next {
            if self.byte(self.position) != b'$' {
                self.position = next;
            }
            return Token::Bad;
        }
        self.position = end;
        make(Name { bytes: self.source.get(next..end).unwrap_or_default(), quoted: false })
    }

    fn end_of(&self, from: usize, keep: impl Fn(u8) -> bool) -> usize {
        let rest = self.source.get(from..).unwrap_or_default();
        from + rest.iter().position(|&b| !keep(b)).unwrap_or(rest.len())
    }

    /// The bytes of the string that begins here; `None` if it does not end.
    fn quoted(&mut self) -> Option<&'a [u8]> {
        let from = self.position + 1;
        let rest = self.source.get(from..)?;
        match rest.iter().position(|&b| b == b'"') {
            Some(length) => {
                self.position = from + length + 1;
                rest.get(..length)
            }
            None => {
                self.position = self.source.len();
                None
            }
        }
    }

    fn slice(&self, from: usize, to: usize) -> &'a str {
        self.source.get(from..to).and_then(|b| std::str::from_utf8(b).ok()).unwrap_or("")
    }

    fn word(&mut self) -> Token<'a> {
        let from = self.position;
        let end = self.end_of(from, is_name);
        self.position = end;
        if self.byte(end) == b':' {
            self.position = end + 1;
            let bytes = self.source.get(from..end).unwrap_or_default();
            return Token::Label(Name { bytes, quoted: false });
        }
        Token::Word(self.slice(from, end))
    }

    fn bang(&mut self) -> Token<'a> {
        let from = self.position + 1;
        let end = self.end_of(from, |b| is_name(b) || b == b'\\');
        self.position = end;
        if end == from { Token::Bang } else { Token::Meta(self.slice(from, end)) }
    }

    fn hash(&mut self) -> Token<'a> {
        let from = self.position + 1;
        let end = self.end_of(from, is_name);
        self.position = end;
        let text = self.slice(from, end);
        match text.parse() {
            Ok(group) => Token::AttributeGroup(group),
            Err(_) if text.is_empty() => Token::Bad,
            Err(_) => Token::Record(text),
        }
    }

    /// A number, or a label that begins like one (`12:`, `-name:`).
    fn number(&mut self) -> Token<'a> {
        let from = self.position;
        let end = self.end_of(from, is_name);
        if self.byte(end) == b':' {
            return self.word();
        }
        let text = self.slice(from, end);
        let digits = text.strip_prefix('-').unwrap_or(text);
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            self.position = end;
            return Token::Int(text);
        }
        // An exponent has a sign that is not part of a name: `1.0e+00`.
        let mut end = end;
        if self.byte(end) == b'+' && matches!(self.byte(end.wrapping_sub(1)), b'e' | b'E') {
            end = self.end_of(end + 1, |b| b.is_ascii_digit());
        }
        self.position = end.max(from + 1);
        Token::Number(self.slice(from, self.position))
    }
}

/// Line and column, both from 1, of a byte of the text.
pub(crate) fn line_and_column(source: &[u8], offset: usize) -> (u32, u32) {
    let before = source.get(..offset.min(source.len())).unwrap_or_default();
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}
