//! Text to tokens. Line ends are tokens: an instruction or declaration is one line (lists in brackets may go on).

use super::ParseError;
use super::words::is_word_byte;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'a> {
    /// Letters, digits, `_`, `.` and `$`, not beginning with a digit.
    Word(&'a str),
    /// A number as written, without sign.
    Number(&'a str),
    String(String),
    /// `b"..."`
    Bytes(Vec<u8>),
    /// `@ file:line:column`
    Place {
        file: PlaceFile,
        line: u32,
        column: u32,
    },
    /// `->`
    Arrow,
    Punctuation(char),
    Newline,
}

/// How a place names its file.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum PlaceFile {
    /// Not at all: the first file.
    First,
    Name(String),
    Number(u32),
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Spanned<'a> {
    pub token: Token<'a>,
    /// Where it begins, in bytes.
    pub position: usize,
}

pub(super) fn lex(text: &str) -> Result<Vec<Spanned<'_>>, ParseError> {
    let mut lexer = Lexer { text, position: 0 };
    let mut tokens = Vec::new();
    while let Some(spanned) = lexer.next()? {
        tokens.push(spanned);
    }
    Ok(tokens)
}

struct Lexer<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Lexer<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }
    fn rest(&self) -> &'a str {
        self.text.get(self.position..).unwrap_or("")
    }
    /// Advances while `accept` holds and gives what was passed.
    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'a str {
        let start = self.position;
        while self.peek().is_some_and(&accept) {
            self.position += 1;
        }
        self.text.get(start..self.position).unwrap_or("")
    }
    fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError::at(self.text, self.position, message))
    }

    fn next(&mut self) -> Result<Option<Spanned<'a>>, ParseError> {
        self.take_while(|b| matches!(b, b' ' | b'\t' | b'\r'));
        if self.rest().starts_with("//") {
            self.take_while(|b| b != b'\n');
        }
        let Some(byte) = self.peek() else { return Ok(None) };
        let position = self.position;
        let token = match byte {
            b'\n' => {
                self.position += 1;
                Token::Newline
            }
            b'b' if self.rest().starts_with("b\"") => {
                self.position += 1;
                Token::Bytes(self.bytes()?)
            }
            b'"' => Token::String(self.string()?),
            b'0'..=b'9' => Token::Number(self.number()?),
            b if is_word_byte(b) => Token::Word(self.take_while(is_word_byte)),
            b'@' if matches!(self.text.as_bytes().get(self.position + 1), Some(b' ' | b'\t')) => {
                self.position += 1;
                self.take_while(|b| matches!(b, b' ' | b'\t'));
                self.place()?
            }
            b'-' if self.rest().starts_with("->") => {
                self.position += 2;
                Token::Arrow
            }
            b if b"@&#*+-=:,;()[]{}".contains(&b) => {
                self.position += 1;
                Token::Punctuation(b as char)
            }
            _ => {
                let shown = self.rest().chars().next().unwrap_or(' ');
                return self.error(format!("unexpected character {shown:?}"));
            }
        };
        Ok(Some(Spanned { token, position }))
    }

    /// Decimal, `0x` hexadecimal, or a float with a point or an exponent.
    fn number(&mut self) -> Result<&'a str, ParseError> {
        let start = self.position;
        if self.rest().starts_with("0x") {
            self.position += 2;
            self.take_while(|b| b.is_ascii_hexdigit());
        } else {
            self.take_while(|b| b.is_ascii_digit());
            if self.peek() == Some(b'.') {
                self.position += 1;
                self.take_while(|b| b.is_ascii_digit());
            }
            if matches!(self.peek(), Some(b'e' | b'E')) {
                self.position += 1;
                if matches!(self.peek(), Some(b'+' | b'-')) {
                    self.position += 1;
                }
                self.take_while(|b| b.is_ascii_digit());
            }
        }
        if self.peek().is_some_and(is_word_byte) {
            return self.error("a letter directly after a number");
        }
        Ok(self.text.get(start..self.position).unwrap_or(""))
    }

    fn string(&mut self) -> Result<String, ParseError> {
        let mut value = String::new();
        self.position += 1;
        loop {
            let Some(c) = self.rest().chars().next() else {
                return self.error("the text ends inside a string");
            };
            match c {
                '"' => {
                    self.position += 1;
                    return Ok(value);
                }
                '\n' => return self.error("the line ends inside a string (write \\n)"),
                '\\' => {
                    self.position += 1;
                    value.push(self.escape()?);
                }
                _ => {
                    self.position += c.len_utf8();
                    value.push(c);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let rest = self.rest();
        let simple = match rest.as_bytes().first() {
            Some(b'n') => Some('\n'),
            Some(b't') => Some('\t'),
            Some(b'r') => Some('\r'),
            Some(b'"') => Some('"'),
            Some(b'\\') => Some('\\'),
            _ => None,
        };
        if let Some(c) = simple {
            self.position += 1;
            return Ok(c);
        }
        let code = rest
            .strip_prefix("u{")
            .and_then(|r| r.split_once('}'))
            .filter(|(digits, _)| digits.len() <= 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|(digits, _)| {
                Some((digits.len(), char::from_u32(u32::from_str_radix(digits, 16).ok()?)?))
            });
        match code {
            Some((length, c)) => {
                self.position += length + 3;
                Ok(c)
            }
            None => self.error("unknown escape (known: \\n \\t \\r \\\" \\\\ \\u{hex})"),
        }
    }

    /// Printable ASCII for itself, `\\`, `\"` and `\xNN`.
    fn bytes(&mut self) -> Result<Vec<u8>, ParseError> {
        let mut value = Vec::new();
        self.position += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.position += 1;
                    return Ok(value);
                }
                Some(b'\\') => {
                    let rest = self.rest().as_bytes();
                    let hex = |i: usize| rest.get(i).and_then(|b| (*b as char).to_digit(16));
                    let (byte, length) = match (rest.get(1), hex(2), hex(3)) {
                        (Some(b'\\'), ..) => (b'\\', 2),
                        (Some(b'"'), ..) => (b'"', 2),
                        (Some(b'x'), Some(high), Some(low)) => ((high * 16 + low) as u8, 4),
                        _ => return self.error("unknown escape in bytes (known: \\\\ \\\" \\xNN)"),
                    };
                    value.push(byte);
                    self.position += length;
                }
                Some(b @ 0x20..=0x7e) => {
                    value.push(b);
                    self.position += 1;
                }
                Some(_) => return self.error("bytes are printable ASCII or \\xNN"),
                None => return self.error("the text ends inside bytes"),
            }
        }
    }

    /// What follows `@ `: `12:5`, `main.c:12:5`, `"odd name.c":12:5` or `#1:12:5`.
    fn place(&mut self) -> Result<Token<'a>, ParseError> {
        let file = match self.peek() {
            Some(b'0'..=b'9') => PlaceFile::First,
            Some(b'"') => PlaceFile::Name(self.string()?),
            Some(b'#') => {
                self.position += 1;
                PlaceFile::Number(self.place_number()?)
            }
            _ => {
                let rest = self.rest();
                let length = rest.find(|c: char| c == ':' || c.is_whitespace()).unwrap_or(rest.len());
                let name = rest.get(..length).unwrap_or("");
                if name.is_empty() {
                    return self.error("a place is file:line:column");
                }
                self.position += length;
                PlaceFile::Name(name.to_string())
            }
        };
        if file != PlaceFile::First {
            self.place_colon()?;
        }
        let line = self.place_number()?;
        self.place_colon()?;
        let column = self.place_number()?;
        Ok(Token::Place { file, line, column })
    }
    fn place_colon(&mut self) -> Result<(), ParseError> {
        if self.peek() != Some(b':') {
            return self.error("a place is file:line:column");
        }
        self.position += 1;
        Ok(())
    }
    fn place_number(&mut self) -> Result<u32, ParseError> {
        match self.take_while(|b| b.is_ascii_digit()).parse() {
            Ok(number) => Ok(number),
            Err(_) => self.error("a place is file:line:column, the last two below 2^32"),
        }
    }
}
