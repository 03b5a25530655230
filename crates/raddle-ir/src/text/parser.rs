//! Text to program: the token cursor, the declarations, the frame of functions. Instructions are in
//! [`super::parse_instruction`].

use std::collections::HashMap;

use super::ParseError;
use super::defaults::OBJECT_ALIGN_LOG2;
use super::lexer::{PlaceFile, Spanned, Token, lex};
use super::parse_instruction::BodyBuilder;
use super::words::*;
use crate::ctype::{CType, Member};
use crate::ids::*;
use crate::program::*;

/// The program that a text in the form of [`crate::text`] describes. It has not been verified.
pub fn parse(text: &str) -> std::result::Result<Program, ParseError> {
    let tokens = lex(text)?;
    let mut parser = Parser::new(text, tokens);
    parser.program()
}

pub(super) type Result<T> = std::result::Result<T, ParseError>;

pub(super) struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Spanned<'t>>,
    position: usize,
    pub program: Program,
    /// Ids by name; `None` where the name is not unique.
    functions: HashMap<String, Option<FunctionId>>,
    globals: HashMap<String, Option<GlobalId>>,
    files: HashMap<String, FileId>,
    /// How many rows the register tables may still grow: each register is named somewhere in the text, or is one of at
    /// most 1024 limbs that a wide instruction defines.
    register_budget: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, tokens: Vec<Spanned<'t>>) -> Self {
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

    // -- the cursor --------------------------------------------------------------------------------------------

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
    fn ctype_id(&mut self) -> Result<CTypeId> {
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
    fn add_file(&mut self, name: String) -> FileId {
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

    // -- declarations ------------------------------------------------------------------------------------------

    fn program(&mut self) -> Result<Program> {
        let mut entry = None;
        self.skip_newlines();
        while let Some(word) = self.peek_word() {
            self.advance();
            match word {
                "data_model" => {
                    if !self.program.globals.is_empty() || !self.program.functions.is_empty() {
                        return self.error_before("the data model comes before globals and functions");
                    }
                    match self.peek_word().and_then(DataModel::from_word) {
                        Some(model) => self.program.data_model = model,
                        None => return self.error("expected lp64 or ilp32"),
                    }
                    self.advance();
                }
                "entry" => entry = Some(self.function_reference()?),
                "main_tcb" => self.program.main_tcb = Some(self.global_reference()?),
                "file" => {
                    let name = self.string()?;
                    self.add_file(name);
                }
                "type" => self.ctype_declaration()?,
                "global" => self.global()?,
                "function" => self.function()?,
                _ => {
                    return self.error_before(
                        "expected data_model, entry, main_tcb, file, type, global or function",
                    );
                }
            }
            self.end_of_line()?;
        }
        if self.peek().is_some() {
            return self.error("expected a declaration");
        }
        let main = self.functions.get("main").copied().flatten();
        self.program.entry = entry.or(main).unwrap_or(FunctionId(0));
        let empty = Program {
            data_model: DataModel::Lp64,
            functions: Vec::new(),
            globals: Vec::new(),
            ctypes: Vec::new(),
            files: Vec::new(),
            entry: FunctionId(0),
            main_tcb: None,
        };
        Ok(std::mem::replace(&mut self.program, empty))
    }

    fn ctype_declaration(&mut self) -> Result<()> {
        let id = self.ctype_id()?;
        if id.index() != self.program.ctypes.len() {
            return self.error_before(format!(
                "types are declared in order: expected ty{}",
                self.program.ctypes.len()
            ));
        }
        self.expect('=')?;
        let ty = self.ctype()?;
        self.program.ctypes.push(ty);
        Ok(())
    }
    fn ctype(&mut self) -> Result<CType> {
        let Some(word) = self.peek_word() else { return self.error("expected a kind of C type") };
        self.advance();
        Ok(match word {
            "void" => CType::Void,
            "function" => CType::Function,
            "integer" => {
                let (name, size) = (self.name()?, self.natural_u32()?);
                let (mut signed, mut boolean, mut character) = (false, false, false);
                loop {
                    match self.peek_word() {
                        Some("signed") => signed = true,
                        Some("boolean") => boolean = true,
                        Some("character") => character = true,
                        _ => break,
                    }
                    self.advance();
                }
                CType::Integer { name, size, signed, boolean, character }
            }
            "float" => CType::Float { name: self.name()?, size: self.natural_u32()? },
            "pointer" => CType::Pointer(self.ctype_id()?),
            "array" => {
                let element = self.ctype_id()?;
                let count = match self.peek() {
                    Some(Token::Number(_)) => Some(self.natural()?),
                    _ => None,
                };
                CType::Array { element, count }
            }
            "struct" | "union" => {
                let (name, size) = (self.name()?, self.natural()?);
                let mut members = Vec::new();
                self.list('{', '}', |parser| {
                    members.push(parser.member()?);
                    Ok(())
                })?;
                if word == "struct" {
                    CType::Struct { name, size, members }
                } else {
                    CType::Union { name, size, members }
                }
            }
            "enum" => {
                let (name, size) = (self.name()?, self.natural_u32()?);
                let mut values = Vec::new();
                self.list('{', '}', |parser| {
                    let name = parser.name()?;
                    parser.expect('=')?;
                    values.push((name, parser.integer()?));
                    Ok(())
                })?;
                CType::Enum { name, size, values }
            }
            "typedef" => CType::Typedef { name: self.name()?, target: self.ctype_id()? },
            "qualified" => CType::Qualified { word: self.name()?, target: self.ctype_id()? },
            "opaque" => CType::Opaque { name: self.name()?, size: self.natural()? },
            _ => return self.error_before("this is no kind of C type"),
        })
    }
    fn member(&mut self) -> Result<Member> {
        let name = self.name()?;
        self.expect(':')?;
        let ty = self.ctype_id()?;
        self.expect_word("at")?;
        let bit_offset = self.natural()?;
        let bit_width = if self.eat_word("width") { Some(self.natural_u32()?) } else { None };
        Ok(Member { name, bit_offset, bit_width, ty })
    }

    fn global(&mut self) -> Result<()> {
        let name = self.name()?;
        self.expect(':')?;
        let (ty, size) = match self.peek_word().and_then(type_from_word) {
            Some(ty) => {
                let size = match ty {
                    RegisterType::Int(bits @ (8 | 16 | 32 | 64)) => bits as u32 / 8,
                    RegisterType::Int(_) => {
                        return self.error("a global has i8, i16, i32 or i64, or its size in bytes");
                    }
                    RegisterType::Float => 4,
                    RegisterType::Double => 8,
                    RegisterType::Pointer => self.program.data_model.pointer_bytes(),
                };
                self.advance();
                (Some(ty), size as u64)
            }
            None => (None, self.natural()?),
        };
        let align = if ty.is_some() { size as u32 } else { 1 << OBJECT_ALIGN_LOG2 };
        let mut global = Global {
            name,
            size,
            align,
            initializer: Initializer::default(),
            thread_local: false,
            constant: false,
            external: false,
            ty: None,
            place: Place::default(),
            library: false,
        };
        while let Some(word) = self.peek_word() {
            self.advance();
            match word {
                "align" => global.align = self.natural_u32()?,
                "thread_local" => global.thread_local = true,
                "constant" => global.constant = true,
                "external" => global.external = true,
                "library" => global.library = true,
                "type" => global.ty = Some(self.ctype_id()?),
                _ => return self.error_before("this is no property of a global"),
            }
        }
        if self.eat('=') {
            global.initializer = self.initializer(ty, size)?;
        }
        global.place = self.place()?;
        self.program.globals.push(global);
        Ok(())
    }
    fn initializer(&mut self, ty: Option<RegisterType>, size: u64) -> Result<Initializer> {
        let mut initializer = Initializer::default();
        match self.peek() {
            Some(Token::Bytes(bytes)) => {
                initializer.bytes = bytes.clone();
                self.advance();
            }
            Some(Token::Punctuation('{')) => {
                self.list('{', '}', |parser| parser.initializer_item(&mut initializer))?;
            }
            _ => {
                let Some(ty) = ty else {
                    return self.error("a global given by its size is initialized by bytes or {..}");
                };
                let value = self.bits(Some(ty))?;
                initializer.bytes = value.to_le_bytes().into_iter().take(size as usize).collect();
            }
        }
        Ok(initializer)
    }
    fn initializer_item(&mut self, initializer: &mut Initializer) -> Result<()> {
        if let Some(Token::Bytes(bytes)) = self.peek() {
            let bytes = bytes.clone();
            self.advance();
            initializer.bytes.extend(bytes);
            return Ok(());
        }
        if self.eat_word("undefined") {
            let start = self.natural()?;
            self.expect_word("to")?;
            initializer.undefined.push((start, self.natural()?));
            return Ok(());
        }
        let offset = self.natural()?;
        self.expect(':')?;
        let target = if let Some(block) = self.block_address() {
            self.expect_word("of")?;
            SymbolTarget::Block(self.function_reference()?, block)
        } else if self.at('@') {
            SymbolTarget::Function(self.function_reference()?)
        } else {
            SymbolTarget::Global(self.global_reference()?)
        };
        let addend = self.addend()?;
        initializer.relocations.push(Relocation { offset, target, addend });
        Ok(())
    }

    // -- functions ---------------------------------------------------------------------------------------------

    fn function(&mut self) -> Result<()> {
        let name = self.name()?;
        let mut builder = BodyBuilder::new(name);
        self.list('(', ')', |parser| {
            if parser.eat_word("...") {
                builder.function.variadic = true;
                return Ok(());
            }
            if builder.function.variadic {
                return parser.error("`...` comes last");
            }
            let register = builder.register_declaration(parser)?;
            builder.function.parameters.push(register);
            Ok(())
        })?;
        if self.peek() == Some(&Token::Arrow) {
            self.advance();
            builder.function.results = self.natural_u32()?;
        }
        builder.function.library = self.eat_word("library");
        builder.function.place = self.place()?;
        if self.eat('{') {
            self.end_of_line()?;
            self.declarations(&mut builder)?;
            self.blocks(&mut builder)?;
            self.expect('}')?;
        }
        let function = builder.finish(self)?;
        self.program.functions.push(function);
        Ok(())
    }

    fn declarations(&mut self, builder: &mut BodyBuilder) -> Result<()> {
        while let Some(word) = self.peek_word() {
            if numbered(word, "bb").is_some() {
                return Ok(());
            }
            if numbered(word, "r").is_some() {
                builder.register_declaration(self)?;
            } else if let Some(number) = numbered(word, "local") {
                self.advance();
                if number as usize != builder.function.locals.len() {
                    let next = builder.function.locals.len();
                    return self.error_before(format!("locals are declared in order: expected local{next}"));
                }
                self.local(builder)?;
            } else if word == "constants" {
                self.advance();
                builder.constant_table(self)?;
            } else {
                return self.error("expected a declaration or a block (`bb0:`)");
            }
            self.end_of_line()?;
        }
        Ok(())
    }
    fn local(&mut self, builder: &mut BodyBuilder) -> Result<()> {
        self.expect(':')?;
        let name = self.name()?;
        let ty = self.ctype_id()?;
        let storage = if self.eat_word("in") {
            Storage::Register(builder.register(self)?)
        } else if self.eat_word("at") {
            Storage::Memory(builder.register(self)?)
        } else {
            Storage::Nowhere
        };
        let place = self.place()?;
        builder.function.locals.push(Local { name, ty, place, storage });
        Ok(())
    }
    fn blocks(&mut self, builder: &mut BodyBuilder) -> Result<()> {
        while let Some(word) = self.peek_word() {
            let Some(number) = numbered(word, "bb") else {
                return self.error("expected a block");
            };
            self.advance();
            if number as usize != builder.function.blocks.len() {
                let next = builder.function.blocks.len();
                return self.error_before(format!("blocks are written in order: expected bb{next}"));
            }
            self.expect(':')?;
            // The first instruction may share the line.
            self.skip_newlines();
            let start = self.code_length(builder)?;
            while self.peek_word().is_some_and(|word| numbered(word, "bb").is_none()) {
                let inst = builder.instruction(self)?;
                let place = self.place()?;
                self.end_of_line()?;
                builder.function.code.push(inst);
                builder.function.places.push(place);
            }
            let end = self.code_length(builder)?;
            builder.function.blocks.push(Block { start, end });
        }
        Ok(())
    }
    fn code_length(&self, builder: &BodyBuilder) -> Result<u32> {
        match u32::try_from(builder.function.code.len()) {
            Ok(length) => Ok(length),
            Err(_) => self.error("a function has fewer than 2^32 instructions"),
        }
    }
}
