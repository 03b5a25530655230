//! The top level: targets, types, globals, functions, attribute groups.

use super::check::check_align;
use super::{Parsed, Parser};
use crate::llvm::ast::*;
use crate::llvm::lexer::{Name, Token};

/// What may come before `global`, `alias` or a function's type.
#[derive(Default)]
struct Prefix {
    linkage: Linkage,
    /// The linkage says that this is only a declaration.
    external: bool,
    thread_local: bool,
    address_space: u32,
}

impl<'a> Parser<'a> {
    pub(super) fn module(&mut self) -> Parsed<()> {
        while self.token != Token::Eof {
            self.top_level()?;
        }
        self.check_mentioned()
    }

    /// Everything that is used is declared: else the text was cut.
    fn check_mentioned(&self) -> Parsed<()> {
        let globals = self.pending_globals.iter().filter_map(|(name, offset)| {
            let text = self.module.names.text(*name);
            // Intrinsics need no declaration, in new versions.
            let known = self.module.globals.contains_key(name) || text.starts_with("llvm.");
            (!known).then(|| (*offset, format!("@{text} is used and never declared")))
        });
        let metadata = self.pending_metadata.iter();
        let metadata =
            metadata.map(|(number, offset)| (*offset, format!("!{number} is used and never defined")));
        match globals.chain(metadata).min() {
            Some((offset, message)) => self.fail_at(offset, message),
            None => Ok(()),
        }
    }

    fn top_level(&mut self) -> Parsed<()> {
        match self.token {
            Token::Word("define") => self.definition(),
            Token::Word("declare") => self.declaration(),
            Token::Word("attributes") => self.attribute_group(),
            Token::Word("target") => self.target(),
            Token::Word("source_filename") => {
                self.advance();
                self.expect(b'=')?;
                self.module.source_filename = Some(self.string()?.into());
                Ok(())
            }
            Token::Word("module") => {
                self.advance();
                self.expect_word("asm")?;
                let line = self.string()?.into();
                self.module.asm.push(line);
                Ok(())
            }
            Token::Word("uselistorder" | "uselistorder_bb") => self.use_list_order(),
            Token::Word("deplibs") => {
                self.advance();
                self.expect(b'=')?;
                self.skip_brackets()
            }
            Token::Local(name) => self.type_definition(name),
            Token::Global(name) => self.global(name),
            Token::Comdat(_) => {
                self.advance();
                self.expect(b'=')?;
                self.expect_word("comdat")?;
                self.word("a selection kind").map(|_| ())
            }
            Token::Meta(_) => self.metadata_definition(),
            Token::Summary => {
                self.lexer.take_line();
                self.advance();
                Ok(())
            }
            _ => self.unexpected("a definition"),
        }
    }

    fn target(&mut self) -> Parsed<()> {
        self.advance();
        let word = self.word("`datalayout` or `triple`")?;
        self.expect(b'=')?;
        let text = self.string()?.into();
        match word {
            "datalayout" => self.module.datalayout = text,
            "triple" => self.module.triple = text,
            _ => return self.fail(format!("`target {word}` is not known")),
        }
        Ok(())
    }

    /// `uselistorder` changes nothing that a program can see.
    pub(super) fn use_list_order(&mut self) -> Parsed<()> {
        self.lexer.take_line();
        self.advance();
        Ok(())
    }

    fn type_definition(&mut self, name: Name<'a>) -> Parsed<()> {
        let offset = self.offset;
        self.advance();
        self.expect(b'=')?;
        self.expect_word("type")?;
        let symbol = self.name_symbol(name);
        if self.eat_word("opaque") {
            self.module.types.named_struct(symbol);
            return Ok(());
        }
        let packed = self.is(b'<') && self.lexer.next_byte() == b'{';
        if packed {
            self.advance();
        }
        if !self.is(b'{') {
            // A name for another type; only possible before its first use.
            let ty = self.ty()?;
            self.module.types.renamed.insert(symbol, ty);
            return Ok(());
        }
        let body = self.struct_body(packed)?;
        if packed {
            self.expect(b'>')?;
        }
        self.module.types.named_struct(symbol);
        let slot = self.module.types.named_index.get(&symbol).copied();
        let entry = slot.and_then(|slot| self.module.types.named.get_mut(slot as usize));
        match entry {
            Some(entry) if entry.body.is_none() => {
                entry.body = Some(body);
                Ok(())
            }
            _ => self.fail_at(offset, format!("the type %{} is defined twice", name.text())),
        }
    }

    /// Linkage, visibility and the other words before the kind of a global.
    fn prefix(&mut self) -> Parsed<Prefix> {
        let mut prefix = Prefix::default();
        loop {
            let word = self.peek_word();
            if let Some(linkage) = Linkage::from_word(word) {
                prefix.linkage = linkage;
                prefix.external = matches!(linkage, Linkage::External | Linkage::ExternWeak);
                self.advance();
                continue;
            }
            match word {
                "default"
                | "hidden"
                | "protected"
                | "dllimport"
                | "dllexport"
                | "dso_local"
                | "dso_preemptable"
                | "unnamed_addr"
                | "local_unnamed_addr"
                | "externally_initialized" => {
                    self.advance();
                }
                "thread_local" => {
                    prefix.thread_local = true;
                    self.advance();
                    if self.is(b'(') {
                        self.skip_brackets()?;
                    }
                }
                "addrspace" => prefix.address_space = self.address_space()?,
                _ => return Ok(prefix),
            }
        }
    }

    /// Enters a global's name; a second definition is an error.
    fn enter(&mut self, name: Symbol, entry: GlobalRef, offset: usize) -> Parsed<()> {
        if self.module.globals.insert(name, entry).is_some() {
            let name = self.module.names.text(name).to_string();
            return self.fail_at(offset, format!("@{name} is defined twice"));
        }
        Ok(())
    }

    fn global(&mut self, name: Name<'a>) -> Parsed<()> {
        let offset = self.offset;
        self.advance();
        self.expect(b'=')?;
        let name = self.name_symbol(name);
        let prefix = self.prefix()?;
        match self.peek_word() {
            "global" | "constant" => self.variable(name, prefix, offset),
            "alias" | "ifunc" => self.alias(name, prefix, offset),
            _ => self.unexpected("`global`, `constant`, `alias` or `ifunc`"),
        }
    }

    fn variable(&mut self, name: Symbol, prefix: Prefix, offset: usize) -> Parsed<()> {
        let constant = self.is_word("constant");
        self.advance();
        let ty = self.ty()?;
        let initializer = if prefix.external { None } else { Some(self.constant_of(ty)?) };
        let mut section = None;
        let mut align = None;
        let mut dbg = Vec::new();
        while self.eat(b',') {
            match self.token {
                Token::Word("section") => {
                    self.advance();
                    section = Some(self.string_symbol()?);
                }
                Token::Word("align") => {
                    self.advance();
                    let offset = self.offset;
                    align = Some(self.number32()?);
                    if let Err(message) = check_align(align) {
                        return self.fail_at(offset, message);
                    }
                }
                Token::Word(_) => {
                    self.advance();
                    if self.is(b'(') {
                        self.skip_brackets()?;
                    } else if let Token::Str(_) = self.token {
                        self.advance();
                    }
                }
                Token::Meta(kind) => {
                    self.advance();
                    let node = self.meta_node()?;
                    if kind == "dbg" {
                        dbg.extend(node);
                    }
                }
                _ => return self.unexpected("an attribute of a global variable"),
            }
        }
        // Attributes of globals: sanitizer marks and attribute groups.
        let mut flags = AttributeFlags::default();
        while !self.lexer.first_of_line && self.function_attribute(&mut flags, &mut Vec::new())? {}
        let entry = GlobalRef::Variable(self.module.variables.len() as u32);
        self.enter(name, entry, offset)?;
        self.module.variables.push(Variable {
            name,
            linkage: prefix.linkage,
            thread_local: prefix.thread_local,
            constant,
            address_space: prefix.address_space,
            ty,
            initializer,
            section,
            align,
            dbg: dbg.into(),
        });
        Ok(())
    }

    fn alias(&mut self, name: Symbol, prefix: Prefix, offset: usize) -> Parsed<()> {
        let ifunc = self.is_word("ifunc");
        self.advance();
        let ty = self.ty()?;
        self.expect(b',')?;
        // A constant expression may come here without its type.
        let target = if self.at_type() { self.typed_constant()? } else { self.constant_of(Types::PTR)? };
        while self.eat(b',') {
            if let Token::Meta(_) = self.token {
                self.advance();
                self.meta_node()?;
            } else {
                self.advance();
                self.string()?;
            }
        }
        let entry = GlobalRef::Alias(self.module.aliases.len() as u32);
        self.enter(name, entry, offset)?;
        self.module.aliases.push(Alias { name, linkage: prefix.linkage, ty, target, ifunc });
        Ok(())
    }

    fn declaration(&mut self) -> Parsed<()> {
        self.advance();
        let mut dbg = None;
        while let Token::Meta(kind) = self.token {
            self.advance();
            let node = self.meta_node()?;
            if kind == "dbg" {
                dbg = node;
            }
        }
        let offset = self.offset;
        let mut function = self.function_face()?;
        function.dbg = function.dbg.or(dbg);
        self.take_locals();
        self.enter_function(function, offset)
    }

    fn definition(&mut self) -> Parsed<()> {
        self.advance();
        let offset = self.offset;
        let mut function = self.function_face()?;
        self.body.returns = Some(function.returns);
        function.blocks = self.function_body()?;
        function.locals = self.take_locals();
        self.enter_function(function, offset)
    }

    fn enter_function(&mut self, function: Function, offset: usize) -> Parsed<()> {
        let entry = GlobalRef::Function(self.module.functions.len() as u32);
        self.enter(function.name, entry, offset)?;
        self.module.functions.push(function);
        Ok(())
    }

    /// Everything of a function but its body.
    fn function_face(&mut self) -> Parsed<Function> {
        let prefix = self.prefix()?;
        let return_attributes = self.before_result()?;
        let offset = self.offset;
        let returns = self.ty()?;
        if returns != Types::VOID && !self.module.types.is_first_class(returns) {
            return self.fail_at(offset, "no function can return this type");
        }
        let name = self.global_name()?;
        let (parameters, varargs) = self.parameters()?;
        let mut flags = AttributeFlags::default();
        let mut groups = Vec::new();
        let mut section = None;
        let mut dbg = None;
        loop {
            match self.token {
                Token::Word(
                    "declare" | "define" | "attributes" | "target" | "source_filename" | "module"
                    | "uselistorder" | "uselistorder_bb" | "deplibs",
                ) => break,
                Token::Word("section") => {
                    self.advance();
                    section = Some(self.string_symbol()?);
                }
                Token::Word("gc" | "partition") => {
                    self.advance();
                    self.string()?;
                }
                Token::Word("prefix" | "prologue" | "personality") => {
                    self.advance();
                    self.typed_constant()?;
                }
                // At the beginning of a line these are the next definitions.
                Token::Meta(kind) if !self.lexer.first_of_line => {
                    self.advance();
                    let node = self.meta_node()?;
                    if kind == "dbg" {
                        dbg = node;
                    }
                }
                _ => {
                    if !self.function_attribute(&mut flags, &mut groups)? {
                        break;
                    }
                }
            }
        }
        let attributes = FunctionAttributes { flags, groups: groups.into() };
        Ok(Function {
            name,
            linkage: prefix.linkage,
            returns,
            return_attributes,
            parameters,
            varargs,
            attributes,
            section,
            dbg,
            locals: Vec::new(),
            blocks: Vec::new(),
        })
    }

    fn parameters(&mut self) -> Parsed<(Box<[Parameter]>, bool)> {
        self.expect(b'(')?;
        let mut parameters = Vec::new();
        let mut varargs = false;
        while !self.is(b')') {
            if self.token == Token::Ellipsis {
                self.advance();
                varargs = true;
                break;
            }
            let ty = self.ty()?;
            let attributes = self.value_attributes()?;
            let offset = self.offset;
            let name = match self.token {
                Token::Local(name) => {
                    self.advance();
                    Some(name)
                }
                _ => None,
            };
            if !self.module.types.is_first_class(ty) && ty != Types::METADATA {
                return self.fail_at(offset, "no parameter can have this type");
            }
            let local = self.define_local(name, ty, offset)?;
            let name = self.body.locals.get(local.0 as usize).and_then(|local| local.name);
            parameters.push(Parameter { ty, name, attributes });
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok((parameters.into(), varargs))
    }
}
