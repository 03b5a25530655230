//! Text to program: the declarations and the frame of functions. Instructions are in [`super::parse_instruction`].

use super::ParseError;
use super::body::BodyBuilder;
use super::cursor::{Parser, Result};
use super::defaults::OBJECT_ALIGN_LOG2;
use super::lexer::{Token, lex};
use super::words::*;
use crate::ctype::{CType, Member};
use crate::ids::*;
use crate::program::*;

/// The program that a text in the form of [`crate::text`] describes. It has not been verified.
pub fn parse(text: &str) -> std::result::Result<Program, ParseError> {
    let tokens = lex(text)?;
    Parser::new(text, tokens).program()
}

impl Parser<'_> {
    fn program(mut self) -> Result<Program> {
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
        Ok(self.program)
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
            _ => return self.error_before("this is not a kind of C type"),
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
                _ => return self.error_before("this is not a property of a global"),
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
        builder.function.added = builder.function.library && self.eat_word("added");
        while builder.function.library && self.eat_word("declares") {
            let words = self.name()?;
            match words.parse() {
                Ok(declaration) => builder.function.declarations.push(declaration),
                Err(_) => return self.error_before(format!("`{words}` is not a declaration")),
            }
        }
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
