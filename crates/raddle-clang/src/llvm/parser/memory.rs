//! Instructions on memory: allocation, access, ordering, addresses.

use super::{Parsed, Parser};
use crate::llvm::ast::*;
use crate::llvm::lexer::Token;

impl<'a> Parser<'a> {
    pub(super) fn memory_operation(&mut self, word: &'a str) -> Parsed<(Op, TypeId)> {
        match word {
            "load" => self.load(),
            "store" => self.store(),
            "fence" => {
                self.advance();
                let single_thread = self.sync_scope()?;
                let ordering = self.ordering()?;
                Ok((Op::Fence { ordering, single_thread }, Types::VOID))
            }
            "cmpxchg" => self.compare_exchange(),
            "atomicrmw" => self.read_modify_write(),
            "alloca" => self.alloca(),
            _ => self.get_element_pointer(),
        }
    }

    /// `syncscope("singlethread")`; other scopes count as the whole system.
    fn sync_scope(&mut self) -> Parsed<bool> {
        if !self.eat_word("syncscope") {
            return Ok(false);
        }
        self.expect(b'(')?;
        let single = self.string()? == "singlethread";
        self.expect(b')')?;
        Ok(single)
    }

    fn ordering(&mut self) -> Parsed<Ordering> {
        match Ordering::from_word(self.peek_word()) {
            Some(ordering) => {
                self.advance();
                Ok(ordering)
            }
            None => self.unexpected("a memory order"),
        }
    }

    /// The scope and order of an atomic access, then its alignment.
    fn access(&mut self, atomic: bool, volatile: bool) -> Parsed<Access> {
        let mut single_thread = false;
        let mut ordering = Ordering::NotAtomic;
        if atomic {
            single_thread = self.sync_scope()?;
            ordering = self.ordering()?;
        }
        let align = self.alignment()?;
        Ok(Access { ordering, volatile, single_thread, align })
    }

    /// `, align N`.
    fn alignment(&mut self) -> Parsed<Option<u32>> {
        if !self.eat_comma() {
            return Ok(None);
        }
        self.expect_word("align")?;
        self.number32().map(Some)
    }

    fn load(&mut self) -> Parsed<(Op, TypeId)> {
        self.advance();
        let atomic = self.eat_word("atomic");
        let volatile = self.eat_word("volatile");
        let ty = self.ty()?;
        self.expect(b',')?;
        let address = self.operand()?;
        let access = self.access(atomic, volatile)?;
        Ok((Op::Load { ty, address, access }, ty))
    }

    fn store(&mut self) -> Parsed<(Op, TypeId)> {
        self.advance();
        let atomic = self.eat_word("atomic");
        let volatile = self.eat_word("volatile");
        let value = self.operand()?;
        self.expect(b',')?;
        let address = self.operand()?;
        let access = self.access(atomic, volatile)?;
        Ok((Op::Store { value, address, access }, Types::VOID))
    }

    fn compare_exchange(&mut self) -> Parsed<(Op, TypeId)> {
        self.advance();
        let weak = self.eat_word("weak");
        let volatile = self.eat_word("volatile");
        let address = self.operand()?;
        self.expect(b',')?;
        let expected = self.operand()?;
        self.expect(b',')?;
        let new = self.operand()?;
        let single_thread = self.sync_scope()?;
        let ordering = self.ordering()?;
        let failure = self.ordering()?;
        let align = self.alignment()?;
        let access = Access { ordering, volatile, single_thread, align };
        let body = StructBody { fields: [expected.ty, Types::I1].into(), packed: false };
        let ty = self.module.types.intern(Type::Struct(body));
        Ok((Op::CmpXchg(Box::new(CmpXchg { weak, address, expected, new, access, failure })), ty))
    }

    fn read_modify_write(&mut self) -> Parsed<(Op, TypeId)> {
        let before = (self.lexer.clone(), self.token, self.offset);
        self.advance();
        let volatile = self.eat_word("volatile");
        let Some(op) = RmwOp::from_word(self.peek_word()) else {
            (self.lexer, self.token, self.offset) = before;
            return Ok((self.other("atomicrmw"), Types::VOID));
        };
        self.advance();
        let address = self.operand()?;
        self.expect(b',')?;
        let value = self.operand()?;
        let access = self.access(true, volatile)?;
        Ok((Op::AtomicRmw { op, address, value, access }, value.ty))
    }

    fn alloca(&mut self) -> Parsed<(Op, TypeId)> {
        self.advance();
        self.eat_word("inalloca");
        self.eat_word("swifterror");
        let ty = self.ty()?;
        let mut count = None;
        let mut align = None;
        let mut space = 0;
        while self.eat_comma() {
            match self.token {
                Token::Word("align") => {
                    self.advance();
                    align = Some(self.number32()?);
                }
                Token::Word("addrspace") => space = self.address_space()?,
                _ => count = Some(self.operand()?),
            }
        }
        let result = self.module.types.intern(Type::Ptr(space));
        Ok((Op::Alloca { ty, count, align }, result))
    }

    fn get_element_pointer(&mut self) -> Parsed<(Op, TypeId)> {
        self.advance();
        let flags = self.flags();
        let element = self.ty()?;
        self.expect(b',')?;
        let base = self.operand()?;
        let mut indices = Vec::new();
        // A vector of addresses comes from a vector base or from any vector index.
        let mut ty = base.ty;
        while self.eat_comma() {
            self.eat_word("inrange");
            let index = self.operand()?;
            if self.module.types.is_pointer(ty) {
                ty = self.like(index.ty, ty);
            }
            indices.push(index);
        }
        Ok((Op::Gep { flags, element, base, indices: indices.into() }, ty))
    }
}
