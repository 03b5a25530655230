//! Attributes: an open set of words, so they are read by shape and only the few that matter are kept.

use super::{Parsed, Parser};
use crate::llvm::ast::*;
use crate::llvm::lexer::Token;

/// The words that begin a constant, and so end a list of attributes before a value.
fn begins_value(word: &str) -> bool {
    matches!(
        word,
        "true"
            | "false"
            | "null"
            | "undef"
            | "poison"
            | "none"
            | "zeroinitializer"
            | "splat"
            | "getelementptr"
            | "blockaddress"
            | "dso_local_equivalent"
            | "no_cfi"
            | "ptrauth"
            | "asm"
            | "select"
            | "icmp"
            | "fcmp"
            | "fneg"
            | "extractelement"
            | "insertelement"
            | "shufflevector"
            | "extractvalue"
            | "insertvalue"
    ) || CastOp::from_word(word).is_some()
        || BinaryOp::from_word(word).is_some()
        || is_number_word(word)
}

/// `s0x1F`, `u0x1F` and `f0x1F`: numbers that begin like words.
pub(super) fn is_number_word(word: &str) -> bool {
    matches!(word.as_bytes(), [b's' | b'u' | b'f', b'0', b'x', _, ..])
}

impl<'a> Parser<'a> {
    /// The attributes between a type and its value, or before a type.
    pub(super) fn value_attributes(&mut self) -> Parsed<ValueAttributes> {
        let mut attributes = ValueAttributes::default();
        loop {
            match self.token {
                Token::Word(word)
                    if !begins_value(word) && !self.at_type() && !matches!(word, "cc" | "addrspace") =>
                {
                    self.value_attribute(word, &mut attributes)?;
                }
                Token::Str(_) => self.string_attribute()?,
                _ => return Ok(attributes),
            }
        }
    }

    fn value_attribute(&mut self, word: &'a str, attributes: &mut ValueAttributes) -> Parsed<()> {
        self.advance();
        match word {
            "byval" => attributes.byval = Some(self.attribute_type()?),
            "sret" => attributes.sret = Some(self.attribute_type()?),
            "inalloca" | "preallocated" | "byref" => attributes.in_memory = Some(self.attribute_type()?),
            "align" => {
                let bracket = self.eat(b'(');
                attributes.align = Some(self.number32()?);
                if bracket {
                    self.expect(b')')?;
                }
            }
            "inreg" => attributes.inreg = true,
            "zeroext" => attributes.zeroext = true,
            "signext" => attributes.signext = true,
            _ if self.is(b'(') => self.skip_brackets()?,
            _ => {}
        }
        Ok(())
    }

    /// The type of `byval(T)`; without one (texts of before clang 12) it is unknown and `void`.
    fn attribute_type(&mut self) -> Parsed<TypeId> {
        if !self.eat(b'(') {
            return Ok(Types::VOID);
        }
        let ty = self.ty()?;
        self.expect(b')')?;
        Ok(ty)
    }

    /// `"key"` or `"key"="value"`.
    fn string_attribute(&mut self) -> Parsed<()> {
        self.advance();
        if self.eat(b'=') {
            self.string()?;
        }
        Ok(())
    }

    /// Attributes that have no meaning here.
    pub(super) fn skip_attributes(&mut self) -> Parsed<()> {
        self.value_attributes().map(|_| ())
    }

    /// One function attribute, if the current token is one.
    pub(super) fn function_attribute(
        &mut self,
        flags: &mut AttributeFlags,
        groups: &mut Vec<u32>,
    ) -> Parsed<bool> {
        match self.token {
            Token::AttributeGroup(group) => {
                groups.push(group);
                self.advance();
            }
            Token::Str(_) => self.string_attribute()?,
            Token::Word(word) => {
                flags.add_word(word);
                self.advance();
                if self.is(b'(') {
                    self.skip_brackets()?;
                } else if self.eat(b'=') || matches!(word, "align" | "alignstack") {
                    self.number()?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The attributes after the arguments of a call: what is left of its line.
    pub(super) fn call_attributes(&mut self) -> Parsed<FunctionAttributes> {
        let mut flags = AttributeFlags::default();
        let mut groups = Vec::new();
        while !self.lexer.first_of_line && !self.is_word("to") {
            if !self.function_attribute(&mut flags, &mut groups)? {
                break;
            }
        }
        Ok(FunctionAttributes { flags, groups: groups.into() })
    }

    /// `attributes #0 = { ... }`.
    pub(super) fn attribute_group(&mut self) -> Parsed<()> {
        self.expect_word("attributes")?;
        let Token::AttributeGroup(group) = self.token else {
            return self.unexpected("the number of an attribute group");
        };
        self.advance();
        self.expect(b'=')?;
        self.expect(b'{')?;
        let mut flags = AttributeFlags::default();
        while self.function_attribute(&mut flags, &mut Vec::new())? {}
        self.expect(b'}')?;
        self.module.attribute_groups.insert(group, flags);
        Ok(())
    }
}
