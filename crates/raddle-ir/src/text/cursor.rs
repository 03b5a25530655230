//! The parser's state: a cursor over the tokens, and the names that may be referred to before their declaration.

use std::collections::HashMap;

use super::ParseError;
use super::lexer::{PlaceFile, Spanned, Token};
use super::words::*;
use crate::ids::*;
use crate::program::*;

pub(super) type Result<T> = std::result::Result<T, ParseError>;

pub(super) struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Spanned<'t>>,
    position: usize,
    pub program: Program,
    /// Ids by name; `None` where the name is not unique.
    pub functions: HashMap<String, Option<FunctionId>>,
    globals: HashMap<String, Option<GlobalId>>,
    files: HashMap<String, FileId>,
    /// How many rows the register tables may still grow: each register is named somewhere in the text, or is one of at
    /// most 1024 limbs that a wide instruction defines.
    register_budget: usize,
}

impl<'t> Parser<'t> {
    pub fn new(text: &'t str, tokens: Vec<Spanned<'t>>) -> Self {
        let wide =
            tokens.iter().filter(|s| matches!(s.token, Token::Word(w) if w.starts_with("wide."))).count();
        let mut parser = Parser {
            text,
            register_budget: text.len().saturating_add(wide.saturating_mul(1024)),
            tokens,
            position: 0,
            program: Program {
                data_model: DataModel::Lp64,
                functions: Vec::new(),
                globals: Vec::new(),
                ctypes: Vec::new(),
                files: Vec::new(),
                entry: FunctionId(0),
                main_tcb: None,
            },
            functions: HashMap::new(),
            globals: HashMap::new(),
            files: HashMap::new(),
        };
        parser.collect_names();
        parser
    }

    /// Names may be used before their declaration: the declarations begin lines outside of all brackets.
    fn collect_names(&mut self) {
        let (mut depth, mut functions, mut globals) = (0i64, 0u32, 0u32);
        let mut at_line_start = true;
        for (index, spanned) in self.tokens.iter().enumerate() {
            let name = || match self.tokens.get(index + 1).map(|s| &s.token) {
                Some(Token::Word(word)) => Some(word.to_string()),
                Some(Token::String(string)) => Some(string.clone()),
                _ => None,
            };
            match &spanned.token {
                Token::Punctuation('(' | '[' | '{') => depth += 1,
                Token::Punctuation(')' | ']' | '}') => depth -= 1,
                Token::Word("function") if at_line_start && depth == 0 => {
                    let id = FunctionId(functions);
                    functions = functions.saturating_add(1);
                    if let Some(name) = name() {
                        self.functions.entry(name).and_modify(|known| *known = None).or_insert(Some(id));
                    }
                }
                Token::Word("global") if at_line_start && depth == 0 => {
                    let id = GlobalId(globals);
                    globals = globals.saturating_add(1);
                    if let Some(name) = name() {
                        self.globals.entry(name).and_modify(|known| *known = None).or_insert(Some(id));
                    }
                }
                _ => {}
            }
            at_line_start = spanned.token == Token::Newline;
        }
    }

    /// Whether the register tables may grow by so many rows.
    pub fn allow_registers(&mut self, rows: usize) -> bool {
        let left = self.register_budget.checked_sub(rows);
        self.register_budget = left.unwrap_or(self.register_budget);
        left.is_some()
    }
    pub fn peek(&self) -> Option<&Token<'t>> {
        self.tokens.get(self.position).map(|s| &s.token)
    }
    pub fn peek_second(&self) -> Option<&Token<'t>> {
        self.tokens.get(self.position + 1).map(|s| &s.token)
    }
    pub fn advance(&mut self) {
        self.position += 1;
    }
    pub fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        let position = self.tokens.get(self.position).map_or(self.text.len(), |s| s.position);
        Err(ParseError::at(self.text, position, message))
    }
    /// An error at the token that was just passed.
    pub fn error_before<T>(&self, message: impl Into<String>) -> Result<T> {
        let position = self.position.saturating_sub(1);
        let position = self.tokens.get(position).map_or(self.text.len(), |s| s.position);
        Err(ParseError::at(self.text, position, message))
    }
    pub fn peek_word(&self) -> Option<&'t str> {
        match self.peek() {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }
    pub fn at(&self, punctuation: char) -> bool {
        self.peek() == Some(&Token::Punctuation(punctuation))
    }
    pub fn eat(&mut self, punctuation: char) -> bool {
        let found = self.at(punctuation);
        if found {
            self.position += 1;
        }
        found
    }
    pub fn expect(&mut self, punctuation: char) -> Result<()> {
        if self.eat(punctuation) { Ok(()) } else { self.error(format!("expected `{punctuation}`")) }
    }
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        if found {
            self.position += 1;
        }
        found
    }
    pub fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { self.error(format!("expected `{word}`")) }
    }
    pub fn skip_newlines(&mut self) {
        while self.peek() == Some(&Token::Newline) {
            self.position += 1;
        }
    }
    pub fn end_of_line(&mut self) -> Result<()> {
        match self.peek() {
            None => Ok(()),
            Some(Token::Newline) => {
                self.skip_newlines();
                Ok(())
            }
            Some(_) => self.error("expected the end of the line"),
        }
    }
    /// `open item, item close`; lines may break after `open` and `,` and before `close`. A comma may end the list.
    pub fn list(
        &mut self,
        open: char,
        close: char,
        mut item: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.expect(open)?;
        self.skip_newlines();
        while !self.eat(close) {
            item(self)?;
            self.skip_newlines();
            if !self.eat(',') && !self.at(close) {
                return self.error(format!("expected `,` or `{close}`"));
            }
            self.skip_newlines();
        }
        Ok(())
    }
    pub fn name(&mut self) -> Result<String> {
        let name = match self.peek() {
            Some(Token::Word(word)) => word.to_string(),
            Some(Token::String(string)) => string.clone(),
            _ => return self.error("expected a name"),
        };
        self.advance();
        Ok(name)
    }
    pub fn string(&mut self) -> Result<String> {
        match self.peek() {
            Some(Token::String(string)) => {
                let string = string.clone();
                self.advance();
                Ok(string)
            }
            _ => self.error("expected a string"),
        }
    }
    pub fn id(&mut self, prefix: &str) -> Result<u32> {
        match self.peek_word().and_then(|word| numbered(word, prefix)) {
            Some(number) => {
                self.advance();
                Ok(number)
            }
            None => self.error(format!("expected `{prefix}` and a number")),
        }
    }
    pub fn ctype_id(&mut self) -> Result<CTypeId> {
        self.id("ty").map(CTypeId)
    }
    pub fn block_id(&mut self) -> Result<BlockId> {
        self.id("bb").map(BlockId)
    }
    pub fn ty(&mut self) -> Result<RegisterType> {
        match self.peek_word().and_then(type_from_word) {
            Some(ty) => {
                self.advance();
                Ok(ty)
            }
            None => self.error("expected a type (i1 to i64, float, double, ptr)"),
        }
    }
    /// A whole number without sign.
    pub fn natural(&mut self) -> Result<u64> {
        let value = match self.peek() {
            Some(Token::Number(text)) => match text.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).ok(),
                None => text.parse().ok(),
            },
            _ => None,
        };
        match value {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => self.error("expected a whole number below 2^64"),
        }
    }
    pub fn natural_u32(&mut self) -> Result<u32> {
        match u32::try_from(self.natural()?) {
            Ok(value) => Ok(value),
            Err(_) => self.error_before("this number must be below 2^32"),
        }
    }
    /// A whole number with a sign or without.
    pub fn integer(&mut self) -> Result<i64> {
        let negative = self.eat('-');
        let magnitude = self.natural()?;
        let value =
            if negative { 0i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() };
        value.map_or_else(|| self.error_before("this number does not fit 64 bits"), Ok)
    }
    /// `+4`, `-4` or nothing.
    pub fn addend(&mut self) -> Result<i64> {
        if self.at('-') {
            return self.integer();
        }
        if self.eat('+') { self.integer() } else { Ok(0) }
    }
    /// `align 8` after its word: log2.
    pub fn align_log2(&mut self) -> Result<u8> {
        let align = self.natural()?;
        if align.is_power_of_two() {
            Ok(align.trailing_zeros() as u8)
        } else {
            self.error_before("an alignment is a power of two")
        }
    }
    pub fn place(&mut self) -> Result<Place> {
        let Some(Token::Place { file, line, column }) = self.peek().cloned() else {
            return Ok(Place::default());
        };
        let file = match file {
            PlaceFile::First => FileId(0),
            PlaceFile::Number(number) => FileId(number),
            PlaceFile::Name(name) => match self.files.get(&name) {
                Some(file) => *file,
                None => self.add_file(name),
            },
        };
        self.advance();
        Ok(Place { file, line, column })
    }
    pub fn add_file(&mut self, name: String) -> FileId {
        let id = FileId::new(self.program.files.len());
        self.files.entry(name.clone()).or_insert(id);
        self.program.files.push(name);
        id
    }

    /// What follows `@`.
    pub fn function_reference(&mut self) -> Result<FunctionId> {
        self.expect('@')?;
        if self.eat('#') {
            return self.natural_u32().map(FunctionId);
        }
        let number = self.peek_word().and_then(|word| numbered(word, "fn"));
        let name = self.name()?;
        match (self.functions.get(&name), number) {
            (Some(Some(id)), _) => Ok(*id),
            (Some(None), _) => {
                self.error_before(format!("several functions are called `{name}`: write @#number"))
            }
            (None, Some(number)) => Ok(FunctionId(number)),
            (None, None) => self.error_before(format!("there is no function `{name}`")),
        }
    }
    /// What follows `&`, blocks apart.
    pub fn global_reference(&mut self) -> Result<GlobalId> {
        self.expect('&')?;
        if self.eat('#') {
            return self.natural_u32().map(GlobalId);
        }
        let number = self.peek_word().and_then(|word| numbered(word, "g"));
        let name = self.name()?;
        match (self.globals.get(&name), number) {
            (Some(Some(id)), _) => Ok(*id),
            (Some(None), _) => {
                self.error_before(format!("several globals are called `{name}`: write &#number"))
            }
            (None, Some(number)) => Ok(GlobalId(number)),
            (None, None) => self.error_before(format!("there is no global `{name}`")),
        }
    }
    /// `&bb3`, if that is what comes.
    pub fn block_address(&mut self) -> Option<BlockId> {
        let block = match (self.peek(), self.peek_second()) {
            (Some(Token::Punctuation('&')), Some(Token::Word(word))) => numbered(word, "bb")?,
            _ => return None,
        };
        self.position += 2;
        Some(BlockId(block))
    }
}
