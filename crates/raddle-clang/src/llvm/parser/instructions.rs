//! Bodies of functions: blocks, and the instructions that compute or branch. Memory is in `memory.rs`, calls in
//! `calls.rs`.

use super::{Parsed, Parser};
use crate::llvm::ast::*;
use crate::llvm::lexer::Token;

impl<'a> Parser<'a> {
    /// The blocks of a function, from `{` to `}`. The parameters are already locals.
    pub(super) fn function_body(&mut self) -> Parsed<Vec<Block>> {
        self.expect(b'{')?;
        self.body.inside = true;
        let mut blocks: Vec<Block> = Vec::new();
        while !self.is(b'}') {
            if self.is_word("uselistorder") {
                self.use_list_order()?;
                continue;
            }
            let block = self.basic_block(blocks.len() as u32)?;
            blocks.push(block);
        }
        if blocks.is_empty() {
            return self.fail("a function's body needs at least one block");
        }
        self.advance();
        self.finish_body(&mut blocks)?;
        Ok(blocks)
    }

    /// Checks that everything mentioned exists, and puts the ids of blocks in the order of the text.
    fn finish_body(&mut self, blocks: &mut [Block]) -> Parsed<()> {
        if let Some((id, &offset)) = self.body.pending.iter().min_by_key(|(_, offset)| **offset) {
            let name = match self.body.locals[id.0 as usize].name {
                Some(name) => self.module.names.text(name).to_string(),
                None => {
                    let number = self.body.numbered.iter().find(|(_, local)| *local == id);
                    number.map_or_else(String::new, |(number, _)| number.to_string())
                }
            };
            return self.fail_at(offset, format!("%{name} is used and never defined"));
        }
        if let Some(slot) = self.body.blocks.iter().find(|slot| slot.position.is_none()) {
            let label = self.module.names.text(slot.label).to_string();
            return self.fail_at(slot.offset, format!("the block %{label} is used and never defined"));
        }
        let slots = &self.body.blocks;
        for block in &mut *blocks {
            for instruction in &mut block.instructions {
                instruction.op.for_each_block(|id| {
                    if let Some(position) = slots.get(id.0 as usize).and_then(|slot| slot.position) {
                        id.0 = position;
                    }
                });
            }
        }
        self.check_body(blocks)
    }

    /// Takes the locals of the function that was read and forgets its names.
    pub(super) fn take_locals(&mut self) -> Vec<Local> {
        std::mem::take(&mut self.body).locals
    }

    fn basic_block(&mut self, position: u32) -> Parsed<Block> {
        let offset = self.offset;
        let id = match self.token {
            Token::Label(name) => {
                if let Some(number) = name.number() {
                    self.body.next_number = self.body.next_number.max(number.saturating_add(1));
                }
                let id = self.block(name);
                self.advance();
                id
            }
            _ => self.unnamed_block(),
        };
        let slot = &mut self.body.blocks[id.0 as usize];
        let label = slot.label;
        if slot.position.replace(position).is_some() {
            return self.fail_at(offset, "two blocks have the same label");
        }
        let mut instructions = Vec::new();
        loop {
            match self.token {
                Token::Record(name) => {
                    if let Some(record) = self.debug_record(name)? {
                        instructions.push(record);
                    }
                    continue;
                }
                Token::Label(_) | Token::Char(b'}') | Token::Eof => {
                    return self.unexpected("an instruction");
                }
                _ => {}
            }
            let instruction = self.instruction()?;
            let last = instruction.op.is_terminator();
            instructions.push(instruction);
            if last {
                return Ok(Block { label, instructions });
            }
        }
    }

    fn instruction(&mut self) -> Parsed<Instruction> {
        let offset = self.offset;
        let mut name = None;
        if let Token::Local(local) = self.token {
            self.advance();
            self.expect(b'=')?;
            name = Some(local);
        }
        let Token::Word(word) = self.token else { return self.unexpected("an instruction") };
        let (op, ty) = self.operation(word)?;
        let returns = self.body.returns.unwrap_or(Types::VOID);
        if let Err(message) = self.check_operation(&op, returns) {
            return self.fail_at(offset, message);
        }
        let dbg = self.attachments()?;
        let result = if name.is_some() || ty != Types::VOID {
            if ty == Types::VOID && !matches!(op, Op::Other(_)) {
                return self.fail_at(offset, "an instruction without a result is given a name");
            }
            Some(self.define_local(name, ty, offset)?)
        } else {
            None
        };
        let op = match op {
            Op::Call(call) => self.debug_intrinsic(call, dbg),
            op => op,
        };
        if !matches!(op, Op::Debug(_)) {
            self.body.offsets.push(offset);
        }
        Ok(Instruction { result, op, dbg, offset: u32::try_from(offset).unwrap_or(0) })
    }

    /// `, !dbg !7, !tbaa !8`: the debug location is kept.
    pub(super) fn attachments(&mut self) -> Parsed<Option<MetaId>> {
        let mut dbg = None;
        while self.is(b',') {
            self.advance();
            let Token::Meta(kind) = self.token else { return self.unexpected("metadata") };
            self.advance();
            let node = self.meta_node()?;
            if kind == "dbg" {
                dbg = node;
            }
        }
        Ok(dbg)
    }

    /// One instruction without its result, and the type of the result.
    fn operation(&mut self, word: &'a str) -> Parsed<(Op, TypeId)> {
        if let Some(op) = BinaryOp::from_word(word) {
            self.advance();
            let flags = self.flags();
            let ty = self.ty()?;
            let (left, right) = self.pair(ty)?;
            return Ok((Op::Binary { op, flags, ty, left, right }, ty));
        }
        if let Some(op) = CastOp::from_word(word) {
            self.advance();
            let flags = self.flags();
            let from = self.operand()?;
            self.expect_word("to")?;
            let to = self.ty()?;
            return Ok((Op::Cast { op, flags, from, to }, to));
        }
        match word {
            "load" | "store" | "fence" | "cmpxchg" | "atomicrmw" | "alloca" | "getelementptr" => {
                self.memory_operation(word)
            }
            "call" | "tail" | "musttail" | "notail" => self.call(word),
            "invoke" => self.invoke(),
            "callbr" => self.call_br(),
            "ret" | "br" | "switch" | "indirectbr" | "resume" | "unreachable" => {
                Ok((self.terminator(word)?, Types::VOID))
            }
            "extractelement" | "insertelement" | "shufflevector" | "extractvalue" | "insertvalue" => {
                self.aggregate_operation(word)
            }
            "icmp" => self.integer_comparison(),
            "fcmp" => self.float_comparison(),
            "fneg" => {
                self.advance();
                let flags = self.flags();
                let operand = self.operand()?;
                Ok((Op::FNeg { flags, operand }, operand.ty))
            }
            "phi" => self.phi(),
            "select" => {
                self.advance();
                self.flags();
                let condition = self.operand()?;
                self.expect(b',')?;
                let then = self.operand()?;
                self.expect(b',')?;
                let otherwise = self.operand()?;
                Ok((Op::Select { condition, then, otherwise }, then.ty))
            }
            "freeze" => {
                self.advance();
                let operand = self.operand()?;
                Ok((Op::Freeze(operand), operand.ty))
            }
            "va_arg" => {
                self.advance();
                let list = self.operand()?;
                self.expect(b',')?;
                let ty = self.ty()?;
                Ok((Op::VaArg { list, ty }, ty))
            }
            "landingpad" => self.landing_pad(),
            _ => Ok((self.other(word), Types::VOID)),
        }
    }

    /// Keeps an instruction that is not known as text.
    pub(super) fn other(&mut self, word: &'a str) -> Op {
        let opcode = self.module.names.intern(word);
        let text = String::from_utf8_lossy(self.lexer.take_line()).into();
        self.advance();
        let terminator = matches!(word, "cleanupret" | "catchret" | "catchswitch" | "unwind");
        Op::Other(Box::new(OtherInstruction { opcode, text, terminator }))
    }

    /// Two values of the same type, with a comma between.
    fn pair(&mut self, ty: TypeId) -> Parsed<(Value, Value)> {
        let left = self.value(ty)?;
        self.expect(b',')?;
        Ok((left, self.value(ty)?))
    }

    fn integer_comparison(&mut self) -> Parsed<(Op, TypeId)> {
        self.advance();
        self.flags();
        let Some(predicate) = IntPredicate::from_word(self.peek_word()) else {
            return self.unexpected("a comparison of integers");
        };
        self.advance();
        let ty = self.ty()?;
        let (left, right) = self.pair(ty)?;
        let result = self.truth_of(ty);
        Ok((Op::ICmp { predicate, ty, left, right }, result))
    }

    fn float_comparison(&mut self) -> Parsed<(Op, TypeId)> {
        self.advance();
        let flags = self.flags();
        let Some(predicate) = FloatPredicate::from_word(self.peek_word()) else {
            return self.unexpected("a comparison of floats");
        };
        self.advance();
        let ty = self.ty()?;
        let (left, right) = self.pair(ty)?;
        let result = self.truth_of(ty);
        Ok((Op::FCmp { predicate, flags, ty, left, right }, result))
    }

    fn phi(&mut self) -> Parsed<(Op, TypeId)> {
        self.advance();
        self.flags();
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.expect(b'[')?;
            let value = self.value(ty)?;
            self.expect(b',')?;
            let block = self.block_name()?;
            self.expect(b']')?;
            incoming.push((value, block));
            if !self.eat_comma() {
                return Ok((Op::Phi { ty, incoming: incoming.into() }, ty));
            }
        }
    }

    fn landing_pad(&mut self) -> Parsed<(Op, TypeId)> {
        self.advance();
        let ty = self.ty()?;
        loop {
            if self.eat_word("cleanup") {
                continue;
            }
            if !self.eat_word("catch") && !self.eat_word("filter") {
                return Ok((Op::LandingPad { ty }, ty));
            }
            self.operand()?;
        }
    }

    /// `%name` of a block.
    fn block_name(&mut self) -> Parsed<BlockId> {
        match self.token {
            Token::Local(name) => {
                let id = self.block(name);
                self.advance();
                Ok(id)
            }
            _ => self.unexpected("the name of a block"),
        }
    }

    /// `label %name`.
    pub(super) fn label(&mut self) -> Parsed<BlockId> {
        self.expect_word("label")?;
        self.block_name()
    }

    /// `[label %a, label %b]`.
    pub(super) fn labels(&mut self) -> Parsed<Box<[BlockId]>> {
        self.expect(b'[')?;
        let mut labels = Vec::new();
        while !self.is(b']') {
            labels.push(self.label()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b']')?;
        Ok(labels.into())
    }

    fn terminator(&mut self, word: &'a str) -> Parsed<Op> {
        self.advance();
        match word {
            "ret" => {
                // A type may begin with `void` and be a pointer to a function.
                let ty = self.ty()?;
                if ty == Types::VOID {
                    return Ok(Op::Ret(None));
                }
                let value = self.value(ty)?;
                Ok(Op::Ret(Some(Operand { ty, value })))
            }
            "br" => {
                if self.is_word("label") {
                    return Ok(Op::Br(self.label()?));
                }
                let condition = self.operand()?;
                self.expect(b',')?;
                let then = self.label()?;
                self.expect(b',')?;
                let otherwise = self.label()?;
                Ok(Op::CondBr { condition, then, otherwise })
            }
            "switch" => {
                let value = self.operand()?;
                self.expect(b',')?;
                let default = self.label()?;
                self.expect(b'[')?;
                let mut cases = Vec::new();
                while !self.is(b']') {
                    let constant = self.typed_constant()?;
                    self.expect(b',')?;
                    cases.push((constant, self.label()?));
                }
                self.advance();
                Ok(Op::Switch { value, default, cases: cases.into() })
            }
            "indirectbr" => {
                let address = self.operand()?;
                self.expect(b',')?;
                Ok(Op::IndirectBr { address, targets: self.labels()? })
            }
            "resume" => Ok(Op::Resume(self.operand()?)),
            _ => Ok(Op::Unreachable),
        }
    }

    fn aggregate_operation(&mut self, word: &'a str) -> Parsed<(Op, TypeId)> {
        let offset = self.offset;
        self.advance();
        let first = self.operand()?;
        match word {
            "extractelement" => {
                self.expect(b',')?;
                let index = self.operand()?;
                let Some(ty) = self.module.types.element(first.ty, 0) else {
                    return self.fail_at(offset, "extractelement needs a vector");
                };
                Ok((Op::ExtractElement { vector: first, index }, ty))
            }
            "insertelement" => {
                self.expect(b',')?;
                let element = self.operand()?;
                self.expect(b',')?;
                let index = self.operand()?;
                Ok((Op::InsertElement { vector: first, element, index }, first.ty))
            }
            "shufflevector" => {
                self.expect(b',')?;
                let right = self.operand()?;
                self.expect(b',')?;
                let mask = self.typed_constant()?;
                let mask = self.shuffle_mask(mask)?;
                let Some(element) = self.module.types.element(first.ty, 0) else {
                    return self.fail_at(offset, "shufflevector needs vectors");
                };
                let count = mask.len() as u64;
                let ty = self.module.types.intern(Type::Vector { element, count, scalable: false });
                Ok((Op::ShuffleVector { left: first, right, mask }, ty))
            }
            "extractvalue" => {
                let indices = self.indices()?;
                let Some(ty) = self.part_type(first.ty, &indices) else {
                    return self.fail_at(offset, "the aggregate has no such part");
                };
                Ok((Op::ExtractValue { aggregate: first, indices }, ty))
            }
            _ => {
                self.expect(b',')?;
                let element = self.operand()?;
                let indices = self.indices()?;
                Ok((Op::InsertValue { aggregate: first, element, indices }, first.ty))
            }
        }
    }

    fn indices(&mut self) -> Parsed<Box<[u32]>> {
        let mut indices = Vec::new();
        while self.eat_comma() {
            indices.push(self.number32()?);
        }
        if indices.is_empty() { self.unexpected("an index") } else { Ok(indices.into()) }
    }

    /// The type of a part of an aggregate.
    fn part_type(&self, whole: TypeId, indices: &[u32]) -> Option<TypeId> {
        indices.iter().try_fold(whole, |ty, &index| self.module.types.element(ty, u64::from(index)))
    }

    /// The mask of a shuffle as numbers.
    fn shuffle_mask(&self, mask: ConstId) -> Parsed<Box<[Option<u32>]>> {
        let constant = self.module.constant(mask);
        let Type::Vector { count, .. } = *self.module.types.get(constant.ty) else {
            return self.fail("the mask of shufflevector is not a vector");
        };
        // A longer mask is an attack on memory, not a program.
        let Some(count) = usize::try_from(count).ok().filter(|&count| count <= 1 << 16) else {
            return self.fail("the mask of shufflevector is too long");
        };
        let number = |id: ConstId| match self.module.constant(id).kind {
            ConstKind::Int(value) => Ok(u32::try_from(value).ok()),
            ConstKind::Undef | ConstKind::Poison => Ok(None),
            _ => self.fail("the mask of shufflevector has a part that is not a number"),
        };
        match &constant.kind {
            ConstKind::Zero => Ok(vec![Some(0); count].into()),
            ConstKind::Undef | ConstKind::Poison => Ok(vec![None; count].into()),
            ConstKind::Splat(element) => Ok(vec![number(*element)?; count].into()),
            ConstKind::Aggregate(parts) => parts.iter().map(|part| number(*part)).collect(),
            _ => self.fail("the mask of shufflevector is not a constant vector"),
        }
    }
}
