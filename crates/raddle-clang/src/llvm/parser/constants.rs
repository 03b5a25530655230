//! Constants, constant expressions and operands.

use super::attributes::is_number_word;
use super::{Parsed, Parser};
use crate::llvm::ast::*;
use crate::llvm::floats;
use crate::llvm::lexer::{Token, hex, unescape};

impl<'a> Parser<'a> {
    /// A type and a value.
    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        let ty = self.ty()?;
        let value = self.value(ty)?;
        Ok(Operand { ty, value })
    }

    /// A value of a type that is already known.
    pub(super) fn value(&mut self, ty: TypeId) -> Parsed<Value> {
        match self.token {
            Token::Local(name) if self.body.inside => {
                let id = self.local(name);
                self.advance();
                Ok(Value::Local(id))
            }
            Token::Global(name) => {
                self.advance();
                Ok(Value::Global(self.name_symbol(name)))
            }
            _ => self.constant_of(ty).map(Value::Const),
        }
    }

    /// A type and a constant.
    pub(super) fn typed_constant(&mut self) -> Parsed<ConstId> {
        let ty = self.ty()?;
        self.constant_of(ty)
    }

    /// A constant of a type that is already known.
    pub(super) fn constant_of(&mut self, ty: TypeId) -> Parsed<ConstId> {
        let offset = self.offset;
        let id = self.nested(|parser| parser.constant_inner(ty))?;
        match self.check_constant(id) {
            Ok(()) => Ok(id),
            Err(message) => self.fail_at(offset, message),
        }
    }

    fn constant_inner(&mut self, ty: TypeId) -> Parsed<ConstId> {
        match self.token {
            Token::Int(text) => {
                let kind = match self.module.types.get(ty) {
                    Type::Float(kind) => self.float(*kind, text)?,
                    _ => self.integer(ty, text)?,
                };
                self.advance();
                Ok(self.scalar(ty, kind))
            }
            Token::Number(text) | Token::Word(text) if self.at_number() => {
                let kind = match self.module.types.get(ty) {
                    Type::Float(kind) => self.float(*kind, text)?,
                    _ => self.hex_integer(ty, text)?,
                };
                self.advance();
                if self.is(b'(') {
                    self.skip_brackets()?;
                }
                Ok(self.scalar(ty, kind))
            }
            Token::Word(word) => self.constant_word(ty, word),
            Token::Global(name) => {
                self.advance();
                let name = self.name_symbol(name);
                if let Some(&id) = self.globals.get(&(ty, name)) {
                    return Ok(id);
                }
                let id = self.constant(ty, ConstKind::Global(name));
                self.globals.insert((ty, name), id);
                Ok(id)
            }
            Token::Bytes(bytes) => {
                let bytes = unescape(bytes).into_owned().into();
                self.advance();
                Ok(self.constant(ty, ConstKind::Bytes(bytes)))
            }
            Token::Char(b'[') => self.aggregate(ty, b'[', b']'),
            Token::Char(b'{') => self.aggregate(ty, b'{', b'}'),
            Token::Char(b'<') => {
                if self.lexer.next_byte() == b'{' {
                    self.advance();
                    let id = self.aggregate(ty, b'{', b'}')?;
                    self.expect(b'>')?;
                    return Ok(id);
                }
                self.aggregate(ty, b'<', b'>')
            }
            _ => self.unexpected("a value"),
        }
    }

    fn at_number(&self) -> bool {
        match self.token {
            Token::Number(_) => true,
            Token::Word(word) => is_number_word(word),
            _ => false,
        }
    }

    fn aggregate(&mut self, ty: TypeId, open: u8, close: u8) -> Parsed<ConstId> {
        self.expect(open)?;
        let mut parts = Vec::new();
        while !self.is(close) {
            parts.push(self.typed_constant()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(close)?;
        Ok(self.constant(ty, ConstKind::Aggregate(parts.into())))
    }

    /// A constant that is shared when it is a small integer.
    fn scalar(&mut self, ty: TypeId, kind: ConstKind) -> ConstId {
        if let ConstKind::Int(value) = kind {
            if let Some(&id) = self.integers.get(&(ty, value)) {
                return id;
            }
            let id = self.constant(ty, kind);
            self.integers.insert((ty, value), id);
            return id;
        }
        self.constant(ty, kind)
    }

    /// A constant that is shared by type and word.
    fn shared(&mut self, ty: TypeId, key: u8, kind: ConstKind) -> ConstId {
        if let Some(&id) = self.simple.get(&(ty, key)) {
            return id;
        }
        let id = self.constant(ty, kind);
        self.simple.insert((ty, key), id);
        id
    }

    fn constant_word(&mut self, ty: TypeId, word: &'a str) -> Parsed<ConstId> {
        match word {
            "true" | "false" => {
                self.advance();
                Ok(self.scalar(ty, ConstKind::Int(u64::from(word == "true"))))
            }
            "null" => {
                self.advance();
                Ok(self.shared(ty, 0, ConstKind::Null))
            }
            "undef" => {
                self.advance();
                Ok(self.shared(ty, 1, ConstKind::Undef))
            }
            "poison" => {
                self.advance();
                Ok(self.shared(ty, 2, ConstKind::Poison))
            }
            "zeroinitializer" | "none" => {
                self.advance();
                Ok(self.shared(ty, 3, ConstKind::Zero))
            }
            "splat" => {
                self.advance();
                self.expect(b'(')?;
                let element = self.typed_constant()?;
                self.expect(b')')?;
                Ok(self.constant(ty, ConstKind::Splat(element)))
            }
            "blockaddress" => {
                self.advance();
                self.expect(b'(')?;
                let function = self.global_name()?;
                self.expect(b',')?;
                let Token::Local(name) = self.token else { return self.unexpected("a label") };
                self.advance();
                let label = self.name_symbol(name);
                self.expect(b')')?;
                Ok(self.constant(ty, ConstKind::BlockAddress { function, label }))
            }
            // Both are the function itself, for a program that is linked statically and not instrumented.
            "dso_local_equivalent" | "no_cfi" => {
                self.advance();
                let name = self.global_name()?;
                Ok(self.constant(ty, ConstKind::Global(name)))
            }
            "ptrauth" => {
                self.advance();
                self.expect(b'(')?;
                let pointer = self.typed_constant()?;
                while self.eat(b',') {
                    self.typed_constant()?;
                }
                self.expect(b')')?;
                Ok(pointer)
            }
            "inf" | "qnan" | "nan" | "snan" => {
                let Type::Float(kind) = *self.module.types.get(ty) else {
                    return self.unexpected("a value");
                };
                let kind = self.float(kind, word)?;
                self.advance();
                Ok(self.constant(ty, kind))
            }
            _ => self.expression(ty, word),
        }
    }

    // ---- numbers ----

    /// How many words an integer constant has. The limit keeps a short text from asking for gigabytes.
    fn words(&self, width: u32) -> Parsed<usize> {
        if width > 4096 {
            return self
                .fail(format!("a constant of {width} bits is wider than the 4096 that are supported"));
        }
        Ok((width as usize).div_ceil(64))
    }

    fn integer(&self, ty: TypeId, text: &str) -> Parsed<ConstKind> {
        let Some(width) = self.module.types.int_width(ty) else {
            return self.fail(format!("the number {text} has a type that is not a number's"));
        };
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let words = self.words(width)?;
        // Refuse what cannot fit before computing it.
        if digits.len() > words.saturating_mul(20) {
            return self.fail(format!("a number does not fit into {width} bits"));
        }
        let mut value = vec![0u64; words];
        for digit in digits.bytes() {
            let mut carry = u128::from(digit.wrapping_sub(b'0'));
            for word in &mut value {
                carry += u128::from(*word) * 10;
                *word = carry as u64;
                carry >>= 64;
            }
            if carry != 0 {
                return self.fail(format!("the number {text} does not fit into {width} bits"));
            }
        }
        if negative {
            let mut carry = true;
            for word in &mut value {
                let (sum, overflow) = (!*word).overflowing_add(u64::from(carry));
                *word = sum;
                carry = overflow;
            }
        }
        Ok(words_of(value, width))
    }

    /// `u0x...` and `s0x...`.
    fn hex_integer(&self, ty: TypeId, text: &str) -> Parsed<ConstKind> {
        let digits = text.strip_prefix("u0x").or_else(|| text.strip_prefix("s0x"));
        let (Some(width), Some(digits)) = (self.module.types.int_width(ty), digits) else {
            return self.fail(format!("the number {text} does not fit its type"));
        };
        let words = self.words(width)?;
        let signed = text.starts_with('s') && digits.bytes().next().and_then(hex).is_some_and(|d| d >= 8);
        let mut value = vec![if signed { u64::MAX } else { 0 }; words];
        for (place, digit) in digits.bytes().rev().enumerate() {
            let Some(digit) = hex(digit) else { return self.fail(format!("the number {text} is malformed")) };
            let Some(word) = value.get_mut(place / 16) else {
                return self.fail(format!("the number {text} does not fit into {width} bits"));
            };
            let shift = place % 16 * 4;
            *word = *word & !(15 << shift) | u64::from(digit) << shift;
        }
        Ok(words_of(value, width))
    }

    fn float(&self, kind: FloatKind, text: &str) -> Parsed<ConstKind> {
        match floats::read(kind, text) {
            Some(bits) if kind.bits() <= 64 => Ok(ConstKind::Float(bits as u64)),
            Some(bits) => Ok(ConstKind::Wide([bits as u64, (bits >> 64) as u64].into())),
            None => self.fail(format!("the number {text} does not fit its type")),
        }
    }

    // ---- constant expressions ----

    fn expression(&mut self, ty: TypeId, word: &'a str) -> Parsed<ConstId> {
        let expression = if let Some(op) = CastOp::from_word(word) {
            self.advance();
            self.flags();
            self.expect(b'(')?;
            let from = self.typed_constant()?;
            self.expect_word("to")?;
            let offset = self.offset;
            if self.ty()? != ty {
                return self.fail_at(offset, "the constant does not fit its type");
            }
            self.expect(b')')?;
            ConstExpr::Cast { op, from }
        } else if let Some(op) = BinaryOp::from_word(word) {
            self.advance();
            let flags = self.flags();
            self.expect(b'(')?;
            let left = self.typed_constant()?;
            self.expect(b',')?;
            let right = self.typed_constant()?;
            self.expect(b')')?;
            ConstExpr::Binary { op, flags, left, right }
        } else {
            self.other_expression(word)?
        };
        Ok(self.constant(ty, ConstKind::Expr(Box::new(expression))))
    }

    fn other_expression(&mut self, word: &'a str) -> Parsed<ConstExpr> {
        if word == "getelementptr" {
            return self.gep_expression();
        }
        self.advance();
        let integer = if word == "icmp" { IntPredicate::from_word(self.peek_word()) } else { None };
        let float = if word == "fcmp" { FloatPredicate::from_word(self.peek_word()) } else { None };
        if integer.is_some() || float.is_some() {
            self.advance();
        }
        let count = match word {
            "icmp" if integer.is_some() => 2,
            "fcmp" if float.is_some() => 2,
            "select" | "insertelement" | "shufflevector" => 3,
            "extractelement" | "insertvalue" => 2,
            "extractvalue" | "fneg" => 1,
            _ => return self.fail(format!("`{word}` is not a constant expression that can be read")),
        };
        self.expect(b'(')?;
        let mut operands = [ConstId(0); 3];
        for (index, operand) in operands.iter_mut().take(count).enumerate() {
            if index > 0 {
                self.expect(b',')?;
            }
            *operand = self.typed_constant()?;
        }
        let mut indices = Vec::new();
        while self.eat(b',') {
            indices.push(self.number32()?);
        }
        self.expect(b')')?;
        let [a, b, c] = operands;
        Ok(match (word, integer, float) {
            ("icmp", Some(predicate), _) => ConstExpr::ICmp { predicate, left: a, right: b },
            ("fcmp", _, Some(predicate)) => ConstExpr::FCmp { predicate, left: a, right: b },
            ("select", ..) => ConstExpr::Select { condition: a, then: b, otherwise: c },
            ("insertelement", ..) => ConstExpr::InsertElement { vector: a, element: b, index: c },
            ("shufflevector", ..) => ConstExpr::ShuffleVector { left: a, right: b, mask: c },
            ("extractelement", ..) => ConstExpr::ExtractElement { vector: a, index: b },
            ("insertvalue", ..) => {
                ConstExpr::InsertValue { aggregate: a, element: b, indices: indices.into() }
            }
            ("extractvalue", ..) => ConstExpr::ExtractValue { aggregate: a, indices: indices.into() },
            _ => ConstExpr::FNeg(a),
        })
    }

    fn gep_expression(&mut self) -> Parsed<ConstExpr> {
        self.advance();
        let mut flags = self.flags();
        if self.eat_word("inrange") {
            self.skip_brackets()?;
            flags.0 |= self.flags().0;
        }
        self.expect(b'(')?;
        let element = self.ty()?;
        self.expect(b',')?;
        let base = self.typed_constant()?;
        let mut indices = Vec::new();
        while self.eat(b',') {
            self.eat_word("inrange");
            indices.push(self.typed_constant()?);
        }
        self.expect(b')')?;
        Ok(ConstExpr::Gep { flags, element, base, indices: indices.into() })
    }

    /// The current token if it is a word, or nothing.
    pub(super) fn peek_word(&self) -> &'a str {
        match self.token {
            Token::Word(word) => word,
            _ => "",
        }
    }

    /// `nsw`, `fast`, `inbounds` and their like.
    pub(super) fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        while let Some(flag) = Flags::from_word(self.peek_word()) {
            flags.0 |= flag.0;
            self.advance();
        }
        flags
    }
}

/// Words cut to a width.
fn words_of(mut value: Vec<u64>, width: u32) -> ConstKind {
    let rest = width % 64;
    if let Some(last) = value.last_mut()
        && rest != 0
    {
        *last &= (1u64 << rest) - 1;
    }
    match value[..] {
        [word] => ConstKind::Int(word),
        _ => ConstKind::Wide(value.into()),
    }
}
