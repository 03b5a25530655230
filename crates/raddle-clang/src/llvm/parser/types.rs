//! Types: primitives, pointers (typed ones collapse), aggregates and function types.

use super::{Parsed, Parser};
use crate::llvm::ast::*;
use crate::llvm::lexer::Token;

impl<'a> Parser<'a> {
    /// Whether the current token begins a type.
    pub(super) fn at_type(&self) -> bool {
        match self.token {
            Token::Local(_) | Token::Char(b'[' | b'{' | b'<') => true,
            Token::Word(word) => is_type_word(word),
            _ => false,
        }
    }

    /// Reads a type.
    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        self.nested(|parser| {
            let base = parser.type_head()?;
            parser.type_tail(base)
        })
    }

    fn type_head(&mut self) -> Parsed<TypeId> {
        match self.token {
            Token::Word(word) => self.type_word(word),
            Token::Local(name) => {
                self.advance();
                let name = self.name_symbol(name);
                Ok(self.module.types.named_struct(name))
            }
            Token::Char(b'[') => {
                self.advance();
                let count = self.number()?;
                self.expect_word("x")?;
                let element = self.ty()?;
                self.expect(b']')?;
                Ok(self.module.types.intern(Type::Array { element, count }))
            }
            Token::Char(b'{') => {
                let body = self.struct_body(false)?;
                Ok(self.module.types.intern(Type::Struct(body)))
            }
            Token::Char(b'<') => {
                self.advance();
                if self.is(b'{') {
                    let body = self.struct_body(true)?;
                    self.expect(b'>')?;
                    return Ok(self.module.types.intern(Type::Struct(body)));
                }
                let scalable = self.eat_word("vscale");
                if scalable {
                    self.expect_word("x")?;
                }
                let count = self.number()?;
                self.expect_word("x")?;
                let element = self.ty()?;
                self.expect(b'>')?;
                Ok(self.module.types.intern(Type::Vector { element, count, scalable }))
            }
            _ => self.unexpected("a type"),
        }
    }

    /// The fields of a struct, from its `{` to its `}`.
    pub(super) fn struct_body(&mut self, packed: bool) -> Parsed<StructBody> {
        self.expect(b'{')?;
        let mut fields = Vec::new();
        while !self.is(b'}') {
            fields.push(self.ty()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        Ok(StructBody { fields: fields.into(), packed })
    }

    fn type_word(&mut self, word: &'a str) -> Parsed<TypeId> {
        let ty = match word {
            "ptr" => {
                self.advance();
                let space = self.address_space()?;
                return Ok(self.module.types.intern(Type::Ptr(space)));
            }
            "target" => {
                self.advance();
                self.expect(b'(')?;
                let name = self.string_symbol()?;
                while self.eat(b',') {
                    if self.at_type() {
                        self.ty()?;
                    } else {
                        self.number()?;
                    }
                }
                self.expect(b')')?;
                return Ok(self.module.types.intern(Type::Target(name)));
            }
            "x86_mmx" | "x86_amx" => Type::Target(self.module.names.intern(word)),
            "void" => Type::Void,
            "half" => Type::Float(FloatKind::Half),
            "bfloat" => Type::Float(FloatKind::BFloat),
            "float" => Type::Float(FloatKind::Float),
            "double" => Type::Float(FloatKind::Double),
            "x86_fp80" => Type::Float(FloatKind::X86Fp80),
            "fp128" => Type::Float(FloatKind::Fp128),
            "ppc_fp128" => Type::Float(FloatKind::PpcFp128),
            "label" => Type::Label,
            "metadata" => Type::Metadata,
            "token" => Type::Token,
            _ => match int_width(word) {
                Some(width) => Type::Int(width),
                None => return self.unexpected("a type"),
            },
        };
        self.advance();
        Ok(self.module.types.intern(ty))
    }

    /// `addrspace(N)`, or 0. The space may be a string: then it is not one of C.
    pub(super) fn address_space(&mut self) -> Parsed<u32> {
        if !self.eat_word("addrspace") {
            return Ok(0);
        }
        self.expect(b'(')?;
        let space = if let Token::Str(_) = self.token {
            self.advance();
            0
        } else {
            self.number32()?
        };
        self.expect(b')')?;
        Ok(space)
    }

    /// What may follow a type: `*` makes a pointer, `(...)` a function.
    fn type_tail(&mut self, mut ty: TypeId) -> Parsed<TypeId> {
        loop {
            match self.token {
                Token::Char(b'*') => {
                    self.advance();
                    ty = Types::PTR;
                }
                Token::Word("addrspace") => {
                    let space = self.address_space()?;
                    self.expect(b'*')?;
                    ty = self.module.types.intern(Type::Ptr(space));
                }
                Token::Char(b'(') => ty = self.function_type(ty)?,
                _ => return Ok(ty),
            }
        }
    }

    fn function_type(&mut self, returns: TypeId) -> Parsed<TypeId> {
        self.expect(b'(')?;
        let mut parameters = Vec::new();
        let mut varargs = false;
        while !self.is(b')') {
            if self.token == Token::Ellipsis {
                self.advance();
                varargs = true;
                break;
            }
            parameters.push(self.ty()?);
            self.skip_attributes()?;
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        let parameters = parameters.into();
        Ok(self.module.types.intern(Type::Function { returns, parameters, varargs }))
    }

    /// `i1`, or a vector of as many `i1` as the type has elements: what a comparison gives.
    pub(super) fn truth_of(&mut self, ty: TypeId) -> TypeId {
        self.like(ty, Types::I1)
    }

    /// `element`, or a vector of it with as many elements as `shape` has.
    pub(super) fn like(&mut self, shape: TypeId, element: TypeId) -> TypeId {
        match *self.module.types.get(shape) {
            Type::Vector { count, scalable, .. } => {
                self.module.types.intern(Type::Vector { element, count, scalable })
            }
            _ => element,
        }
    }
}

/// The width of an integer type's word.
fn int_width(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('i')?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|&width| (1..=1 << 23).contains(&width))
}

fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "ptr"
            | "target"
            | "x86_mmx"
            | "x86_amx"
            | "void"
            | "half"
            | "bfloat"
            | "float"
            | "double"
            | "x86_fp80"
            | "fp128"
            | "ppc_fp128"
            | "label"
            | "metadata"
            | "token"
    ) || int_width(word).is_some()
}
