//! The reader of textual LLVM IR: a recursive-descent parser, one file per subject.
//!
//! It reads what clang 14 to 22 print for C, and keeps going over what it does not know: attribute words are an
//! open set and skipped by shape, an unknown instruction is kept as text. It never panics: nesting is limited,
//! numbers are checked, and every failure is a [`ReadError`] with its place.

mod attributes;
mod calls;
mod check;
mod constants;
mod debug;
mod instructions;
mod memory;
mod metadata;
mod module;
mod types;

use super::ast::*;
use super::lexer::{Lexer, Name, Token, line_and_column, text_of};
use rustc_hash::FxHashMap;
use std::fmt;

/// Why and where a text is not a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads a module.
pub fn parse(text: &[u8]) -> Result<Module, ReadError> {
    let mut parser = Parser::new(text);
    match parser.module() {
        Ok(()) => Ok(parser.module),
        Err(failure) => {
            let (line, column) = line_and_column(text, failure.offset);
            Err(ReadError { line, column, message: failure.message })
        }
    }
}

/// A failure inside the parser; the place becomes line and column at the very end.
#[derive(Debug)]
pub(super) struct Failure {
    offset: usize,
    message: String,
}

/// Boxed: failures are rare and results travel through every function.
type Parsed<T> = Result<T, Box<Failure>>;

/// How deep types, constants and metadata may nest: deeper than any compiler prints, and safe for a 2 MB stack.
const MAX_DEPTH: u32 = 200;

pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The current token.
    token: Token<'a>,
    /// Where it begins.
    offset: usize,
    module: Module,
    depth: u32,
    /// Small integers that already have a constant.
    integers: FxHashMap<(TypeId, u64), ConstId>,
    /// `null`, `undef`, `poison` and zero that already have one.
    simple: FxHashMap<(TypeId, u8), ConstId>,
    globals: FxHashMap<(TypeId, Symbol), ConstId>,
    /// The metadata numbers of the text.
    numbered: FxHashMap<u32, MetaId>,
    body: Body<'a>,
}

/// The names of the function that is being read.
#[derive(Default)]
struct Body<'a> {
    numbered: FxHashMap<u32, LocalId>,
    named: FxHashMap<std::borrow::Cow<'a, str>, LocalId>,
    locals: Vec<Local>,
    /// For each local: where it was first mentioned, until it is defined.
    pending: FxHashMap<LocalId, usize>,
    /// The number that the next unnamed value or block gets.
    next_number: u32,
    /// The blocks in order of first mention, with their labels and their place in the text.
    blocks: Vec<BlockSlot>,
    numbered_blocks: FxHashMap<u32, BlockId>,
    named_blocks: FxHashMap<std::borrow::Cow<'a, str>, BlockId>,
    inside: bool,
    /// What the function returns.
    returns: Option<TypeId>,
    /// Where each instruction begins that is no debug record.
    offsets: Vec<usize>,
}

struct BlockSlot {
    label: Symbol,
    /// Where it was first mentioned.
    offset: usize,
    /// Its place in the text, once it is defined.
    position: Option<u32>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a [u8]) -> Self {
        let mut lexer = Lexer::new(text);
        let token = lexer.next();
        Parser {
            offset: lexer.start,
            lexer,
            token,
            module: Module::default(),
            depth: 0,
            integers: FxHashMap::default(),
            simple: FxHashMap::default(),
            globals: FxHashMap::default(),
            numbered: FxHashMap::default(),
            body: Body::default(),
        }
    }

    // ---- tokens ----

    fn advance(&mut self) {
        self.token = self.lexer.next();
        self.offset = self.lexer.start;
    }

    fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        self.fail_at(self.offset, message)
    }

    fn fail_at<T>(&self, offset: usize, message: impl Into<String>) -> Parsed<T> {
        Err(Box::new(Failure { offset, message: message.into() }))
    }

    /// Fails with what was wanted and what is there.
    fn unexpected<T>(&self, wanted: &str) -> Parsed<T> {
        let found = match self.token {
            Token::Word(word) | Token::Int(word) | Token::Number(word) => format!("`{word}`"),
            Token::Label(name) => format!("the label `{}:`", name.text()),
            Token::Local(name) => format!("`%{}`", name.text()),
            Token::Global(name) => format!("`@{}`", name.text()),
            Token::Comdat(name) => format!("`${}`", name.text()),
            Token::Meta(name) => format!("`!{name}`"),
            Token::Bang => "`!`".into(),
            Token::AttributeGroup(group) => format!("`#{group}`"),
            Token::Record(name) => format!("`#{name}`"),
            Token::Summary => "`^`".into(),
            Token::Str(_) | Token::Bytes(_) => "a string".into(),
            Token::Ellipsis => "`...`".into(),
            Token::Char(byte) => format!("`{}`", char::from(byte)),
            Token::Bad => "a character or string that cannot be read".into(),
            Token::Eof => "the end of the text".into(),
        };
        self.fail(format!("expected {wanted}, found {found}"))
    }

    fn is(&self, byte: u8) -> bool {
        self.token == Token::Char(byte)
    }

    fn is_word(&self, word: &str) -> bool {
        self.token == Token::Word(word)
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.is(byte);
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, byte: u8) -> Parsed<()> {
        if self.eat(byte) { Ok(()) } else { self.unexpected(&format!("`{}`", char::from(byte))) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.unexpected(&format!("`{word}`")) }
    }

    /// Eats a comma, unless metadata attachments follow it.
    fn eat_comma(&mut self) -> bool {
        self.is(b',') && self.lexer.next_byte() != b'!' && self.eat(b',')
    }

    fn word(&mut self, wanted: &str) -> Parsed<&'a str> {
        match self.token {
            Token::Word(word) => {
                self.advance();
                Ok(word)
            }
            _ => self.unexpected(wanted),
        }
    }

    fn string(&mut self) -> Parsed<std::borrow::Cow<'a, str>> {
        match self.token {
            Token::Str(bytes) => {
                self.advance();
                Ok(text_of(bytes))
            }
            _ => self.unexpected("a string"),
        }
    }

    fn string_symbol(&mut self) -> Parsed<Symbol> {
        let text = self.string()?;
        Ok(self.module.names.intern(&text))
    }

    /// A non-negative decimal number.
    fn number(&mut self) -> Parsed<u64> {
        match self.token {
            Token::Int(digits) => match digits.parse() {
                Ok(number) => {
                    self.advance();
                    Ok(number)
                }
                Err(_) => self.fail(format!("the number {digits} does not fit here")),
            },
            _ => self.unexpected("a number"),
        }
    }

    fn number32(&mut self) -> Parsed<u32> {
        let offset = self.offset;
        let number = self.number()?;
        u32::try_from(number).or_else(|_| self.fail_at(offset, format!("the number {number} is too large")))
    }

    fn name_symbol(&mut self, name: Name<'a>) -> Symbol {
        self.module.names.intern(&name.text())
    }

    fn global_name(&mut self) -> Parsed<Symbol> {
        match self.token {
            Token::Global(name) => {
                self.advance();
                Ok(self.name_symbol(name))
            }
            _ => self.unexpected("the name of a global"),
        }
    }

    /// Skips from an open bracket to the one that closes it.
    fn skip_brackets(&mut self) -> Parsed<()> {
        let mut depth = 0u32;
        loop {
            match self.token {
                Token::Char(b'(' | b'[' | b'{' | b'<') => depth += 1,
                Token::Char(b')' | b']' | b'}' | b'>') => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.advance();
                        return Ok(());
                    }
                }
                Token::Eof => return self.unexpected("a closing bracket"),
                _ => {}
            }
            self.advance();
        }
    }

    /// Runs `read` one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail("nested too deep");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    // ---- tables ----

    fn constant(&mut self, ty: TypeId, kind: ConstKind) -> ConstId {
        let id = ConstId(self.module.constants.len() as u32);
        self.module.constants.push(Constant { ty, kind });
        id
    }

    fn metadata(&mut self, node: MetaNode) -> MetaId {
        let id = MetaId(self.module.metadata.len() as u32);
        self.module.metadata.push(node);
        id
    }

    // ---- the names of a function's body ----

    /// The register of a name, perhaps before its definition.
    fn local(&mut self, name: Name<'a>) -> LocalId {
        let known = match name.number() {
            Some(number) => self.body.numbered.get(&number).copied(),
            None => self.body.named.get(&*name.text()).copied(),
        };
        if let Some(id) = known {
            return id;
        }
        let id = self.new_local(name);
        self.body.pending.insert(id, self.offset);
        id
    }

    fn new_local(&mut self, name: Name<'a>) -> LocalId {
        let id = LocalId(self.body.locals.len() as u32);
        let symbol = match name.number() {
            Some(number) => {
                self.body.numbered.insert(number, id);
                None
            }
            None => {
                self.body.named.insert(name.text(), id);
                Some(self.name_symbol(name))
            }
        };
        self.body.locals.push(Local { name: symbol, ty: Types::VOID });
        id
    }

    /// Defines the register of a result; `None` is the next unnamed one.
    fn define_local(&mut self, name: Option<Name<'a>>, ty: TypeId, offset: usize) -> Parsed<LocalId> {
        let Some(name) = name else {
            let number = self.body.next_number;
            self.body.next_number = number.saturating_add(1);
            let id = match self.body.numbered.get(&number) {
                Some(&id) => id,
                None => {
                    let id = LocalId(self.body.locals.len() as u32);
                    self.body.locals.push(Local { name: None, ty });
                    self.body.numbered.insert(number, id);
                    return Ok(id);
                }
            };
            return self.settle_local(id, ty, offset, &number.to_string());
        };
        if let Some(number) = name.number() {
            self.body.next_number = self.body.next_number.max(number.saturating_add(1));
        }
        let before = self.body.locals.len();
        let id = self.local(name);
        if self.body.locals.len() > before {
            self.body.pending.remove(&id);
            self.body.locals[id.0 as usize].ty = ty;
            return Ok(id);
        }
        self.settle_local(id, ty, offset, &name.text())
    }

    fn settle_local(&mut self, id: LocalId, ty: TypeId, offset: usize, name: &str) -> Parsed<LocalId> {
        if self.body.pending.remove(&id).is_none() {
            return self.fail_at(offset, format!("%{name} is defined twice"));
        }
        self.body.locals[id.0 as usize].ty = ty;
        Ok(id)
    }

    /// The block of a label, perhaps before its definition. Ids are in order of mention until the end of the
    /// function.
    fn block(&mut self, name: Name<'a>) -> BlockId {
        let known = match name.number() {
            Some(number) => self.body.numbered_blocks.get(&number).copied(),
            None => self.body.named_blocks.get(&*name.text()).copied(),
        };
        if let Some(id) = known {
            return id;
        }
        let id = BlockId(self.body.blocks.len() as u32);
        match name.number() {
            Some(number) => self.body.numbered_blocks.insert(number, id),
            None => self.body.named_blocks.insert(name.text(), id),
        };
        let label = self.name_symbol(name);
        self.body.blocks.push(BlockSlot { label, offset: self.offset, position: None });
        id
    }

    /// The block without a label that begins here.
    fn unnamed_block(&mut self) -> BlockId {
        let number = self.body.next_number;
        self.body.next_number = number.saturating_add(1);
        if let Some(&id) = self.body.numbered_blocks.get(&number) {
            return id;
        }
        let id = BlockId(self.body.blocks.len() as u32);
        self.body.numbered_blocks.insert(number, id);
        let label = self.module.names.intern(&number.to_string());
        self.body.blocks.push(BlockSlot { label, offset: self.offset, position: None });
        id
    }
}
