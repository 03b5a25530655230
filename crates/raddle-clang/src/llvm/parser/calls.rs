//! Calls: `call`, `invoke`, `callbr`, inline assembler, arguments and operand bundles.

use super::{Parsed, Parser};
use crate::llvm::ast::*;
use crate::llvm::lexer::Token;

impl<'a> Parser<'a> {
    pub(super) fn call(&mut self, word: &'a str) -> Parsed<(Op, TypeId)> {
        if word != "call" {
            self.advance();
        }
        self.expect_word("call")?;
        let mut call = self.call_body()?;
        call.must_tail = word == "musttail";
        let returns = call.returns;
        Ok((Op::Call(Box::new(call)), returns))
    }

    pub(super) fn invoke(&mut self) -> Parsed<(Op, TypeId)> {
        self.advance();
        let call = self.call_body()?;
        self.expect_word("to")?;
        let normal = self.label()?;
        self.expect_word("unwind")?;
        let unwind = self.label()?;
        let returns = call.returns;
        Ok((Op::Invoke { call: Box::new(call), normal, unwind }, returns))
    }

    pub(super) fn call_br(&mut self) -> Parsed<(Op, TypeId)> {
        self.advance();
        let call = self.call_body()?;
        self.expect_word("to")?;
        let fallthrough = self.label()?;
        let targets = self.labels()?;
        let returns = call.returns;
        Ok((Op::CallBr { call: Box::new(call), fallthrough, targets }, returns))
    }

    /// Everything after the opcode: calling convention, result, callee, arguments, attributes, bundles.
    fn call_body(&mut self) -> Parsed<Call> {
        let flags = self.flags();
        let return_attributes = self.before_result()?;
        let ty = self.ty()?;
        let (returns, function_type) = match self.module.types.get(ty) {
            Type::Function { returns, .. } => (*returns, Some(ty)),
            _ => (ty, None),
        };
        let callee = self.callee()?;
        let arguments = self.arguments()?;
        let attributes = self.call_attributes()?;
        let bundles = self.bundles()?;
        Ok(Call {
            callee,
            returns,
            function_type,
            return_attributes,
            arguments,
            attributes,
            flags,
            must_tail: false,
            bundles,
        })
    }

    /// Calling convention, attributes of the result and address space: all that comes before a result type.
    pub(super) fn before_result(&mut self) -> Parsed<ValueAttributes> {
        let mut attributes = ValueAttributes::default();
        loop {
            if self.eat_word("cc") {
                self.number()?;
            } else if self.is_word("addrspace") {
                self.address_space()?;
            } else if matches!(self.token, Token::Word(_) | Token::Str(_)) && !self.at_type() {
                let more = self.value_attributes()?;
                attributes.inreg |= more.inreg;
                attributes.zeroext |= more.zeroext;
                attributes.signext |= more.signext;
                attributes.align = attributes.align.or(more.align);
                if matches!(self.token, Token::Word(_)) && !self.at_type() && !self.is_word("cc") {
                    return self.unexpected("a type");
                }
            } else {
                return Ok(attributes);
            }
        }
    }

    fn callee(&mut self) -> Parsed<Callee> {
        if self.eat_word("asm") {
            let (mut side_effect, mut is_intel) = (false, false);
            while let Token::Word(word) = self.token {
                side_effect |= word == "sideeffect";
                is_intel |= word == "inteldialect";
                self.advance();
            }
            let text = self.string()?.into();
            self.expect(b',')?;
            let constraints = self.string()?.into();
            return Ok(Callee::InlineAsm(Box::new(InlineAsm { text, constraints, side_effect, is_intel })));
        }
        self.value(Types::PTR).map(Callee::Value)
    }

    fn arguments(&mut self) -> Parsed<Box<[Argument]>> {
        self.expect(b'(')?;
        let mut arguments = Vec::new();
        while !self.is(b')') {
            if self.token == Token::Ellipsis {
                // `musttail` calls forward the variable arguments.
                self.advance();
                break;
            }
            arguments.push(self.argument()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(arguments.into())
    }

    fn argument(&mut self) -> Parsed<Argument> {
        let ty = self.ty()?;
        if ty == Types::METADATA {
            let node = self.metadata_argument()?;
            let operand = Operand { ty, value: Value::Metadata(node) };
            return Ok(Argument { operand, attributes: ValueAttributes::default() });
        }
        let attributes = self.value_attributes()?;
        let value = self.value(ty)?;
        Ok(Argument { operand: Operand { ty, value }, attributes })
    }

    /// `[ "tag"(operands), ... ]`, if it is there.
    fn bundles(&mut self) -> Parsed<Box<[Bundle]>> {
        if !self.is(b'[') {
            return Ok([].into());
        }
        self.advance();
        let mut bundles = Vec::new();
        while !self.is(b']') {
            let tag = self.string_symbol()?;
            self.expect(b'(')?;
            let mut operands = Vec::new();
            while !self.is(b')') {
                operands.push(self.argument()?.operand);
                if !self.eat(b',') {
                    break;
                }
            }
            self.expect(b')')?;
            bundles.push(Bundle { tag, operands: operands.into() });
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b']')?;
        Ok(bundles.into())
    }
}
