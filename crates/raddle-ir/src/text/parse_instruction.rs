//! One line to one instruction.

use super::body::BodyBuilder;
use super::cursor::{Parser, Result};
use super::defaults::*;
use super::words::*;
use crate::ids::*;
use crate::instruction::*;
use crate::kernel::KernelOp;
use crate::operation::*;
use crate::program::*;

/// The parts of an instruction's word: `add.i32.nsw`.
struct Opcode<'t> {
    parts: std::iter::Peekable<std::str::Split<'t, char>>,
}

impl<'t> Opcode<'t> {
    fn next(&mut self) -> Option<&'t str> {
        self.parts.next()
    }
    fn bits<T: std::str::FromStr>(&mut self, parser: &Parser) -> Result<T> {
        match self.next().and_then(int_bits) {
            Some(bits) => Ok(bits),
            None => parser.error_before("expected an integer type here, as in `add.i32`"),
        }
    }
    fn ty(&mut self, parser: &Parser) -> Result<RegisterType> {
        match self.next().and_then(type_from_word) {
            Some(ty) => Ok(ty),
            None => parser.error_before("expected a type here, as in `load.i32`"),
        }
    }
    fn kind(&mut self, parser: &Parser) -> Result<FloatKind> {
        match self.next().and_then(FloatKind::from_word) {
            Some(kind) => Ok(kind),
            None => parser.error_before("expected float or double here, as in `fadd.double`"),
        }
    }
    fn flag(&mut self, word: &str) -> bool {
        self.parts.next_if_eq(&word).is_some()
    }
}

impl BodyBuilder {
    pub fn instruction(&mut self, parser: &mut Parser) -> Result<Inst> {
        let mut results = if self.at_register(parser) { Some(self.destinations(parser)?) } else { None };
        let Some(word) = parser.peek_word() else { return parser.error("expected an instruction") };
        parser.advance();
        // `add.i32 r1 = ...` as well as `r1 = add.i32 ...`; `va_end r1` and the like have no results.
        let resultless = matches!(
            word,
            "stack_restore"
                | "lifetime_start"
                | "lifetime_end"
                | "va_start"
                | "va_end"
                | "va_copy"
                | "long_jump"
                | "return"
                | "branch"
                | "switch"
                | "indirect_jump"
        ) || word.starts_with("kernel.");
        if results.is_none() && !resultless && self.at_register(parser) && word != "set_jump" {
            results = Some(self.destinations(parser)?);
        }
        let results = results.unwrap_or_default();
        let mut opcode = Opcode { parts: word.split('.').peekable() };
        let inst = self.instruction_named(parser, &mut opcode, &results)?;
        if opcode.next().is_some() {
            return parser.error_before(format!("`{word}` has a suffix that this instruction does not take"));
        }
        let mut count = 0;
        match &inst {
            Inst::Wide(_) => count = 1,
            _ => inst.for_each_destination(|_| count += 1),
        }
        if count != results.len() {
            return parser.error_before(format!("`{word}` has {count} results, not {}", results.len()));
        }
        self.note_result_types(parser, &inst)?;
        Ok(inst)
    }

    fn instruction_named(
        &mut self,
        parser: &mut Parser,
        opcode: &mut Opcode,
        results: &[Register],
    ) -> Result<Inst> {
        use RegisterType::{Int, Pointer};
        let word = opcode.next().unwrap_or("");
        // A wrong number of results is reported by the caller; until then any register will do.
        let result = |which: usize| results.get(which).copied().unwrap_or(Register(0));
        let destination = result(0);
        if let Some(op) = BinaryOp::from_word(word) {
            let bits = opcode.bits(parser)?;
            let signed_wrap = opcode.flag("nsw");
            let a = self.operand(parser, Some(Int(bits)))?;
            let b = self.next_operand(parser, Some(Int(bits)))?;
            return Ok(Inst::Binary { op, bits, signed_wrap, destination, a, b });
        }
        if let Some(op) = CompareOp::from_word(word) {
            let ty = opcode.ty(parser)?;
            let (bits, pointers) = match ty {
                Int(bits) => (bits, false),
                Pointer => (64, true),
                _ => return parser.error_before("integers or pointers are compared here: floats by fcmp"),
            };
            let a = self.operand(parser, Some(ty))?;
            let b = self.next_operand(parser, Some(ty))?;
            return Ok(Inst::Compare { op, bits, pointers, destination, a, b });
        }
        if let Some(op) = CastOp::from_word(word) {
            let (from, to) = (opcode.bits(parser)?, opcode.bits(parser)?);
            let ty = if op == CastOp::PointerToInt { Pointer } else { Int(from) };
            let source = self.operand(parser, Some(ty))?;
            return Ok(Inst::Cast { op, from, to, destination, source });
        }
        if let Some(op) = FloatBinaryOp::from_word(word) {
            let kind = opcode.kind(parser)?;
            let a = self.operand(parser, Some(kind.register_type()))?;
            let b = self.next_operand(parser, Some(kind.register_type()))?;
            return Ok(Inst::FloatBinary { op, kind, destination, a, b });
        }
        if let Some(op) = FloatUnaryOp::from_word(word) {
            let kind = opcode.kind(parser)?;
            let source = self.operand(parser, Some(kind.register_type()))?;
            return Ok(Inst::FloatUnary { op, kind, destination, source });
        }
        if let Some(op) = FloatCastOp::from_word(word) {
            let kind = opcode.kind(parser)?;
            let bits = if op == FloatCastOp::Resize && opcode.parts.peek().is_none() {
                0
            } else {
                opcode.bits(parser)?
            };
            let source = self.operand(parser, Some(op.types(kind, bits).0))?;
            return Ok(Inst::FloatCast { op, kind, bits, destination, source });
        }
        if let Some(op) = OverflowOp::from_word(word) {
            let bits = opcode.bits(parser)?;
            let a = self.operand(parser, Some(Int(bits)))?;
            let b = self.next_operand(parser, Some(Int(bits)))?;
            return Ok(Inst::Overflow { op, bits, destination, overflow: result(1), a, b });
        }
        if let Some(op) = BitOp::from_word(word) {
            let bits = opcode.bits(parser)?;
            let a = self.operand(parser, Some(Int(bits)))?;
            let (mut b, mut c) = (a, a);
            if parser.at(',') {
                b = self.next_operand(parser, Some(Int(bits)))?;
                c = self.next_operand(parser, Some(Int(bits)))?;
            }
            return Ok(Inst::Bits { op, bits, destination, a, b, c });
        }
        Ok(match word {
            "copy" => Inst::Copy { destination, source: self.operand(parser, self.known_type(destination))? },
            "select" => {
                let ty = self.known_type(destination);
                let condition = self.operand(parser, Some(Int(1)))?;
                let yes = self.next_operand(parser, ty)?;
                let no = self.next_operand(parser, ty)?;
                Inst::Select { destination, condition, yes, no }
            }
            "pointer_add" => {
                let bits = opcode.bits(parser)?;
                let base = self.operand(parser, Some(Pointer))?;
                let index = self.next_operand(parser, Some(Int(bits)))?;
                let scale = if parser.eat('*') { parser.integer()? } else { 1 };
                let offset = parser.addend()?;
                let (Ok(scale), Ok(offset)) = (i32::try_from(scale), i32::try_from(offset)) else {
                    return parser.error_before("scale and offset have 32 bits");
                };
                Inst::PointerAdd { bits, destination, base, index, scale, offset }
            }
            "fma" | "fmuladd" => {
                let kind = opcode.kind(parser)?;
                let ty = Some(kind.register_type());
                let a = self.operand(parser, ty)?;
                let b = self.next_operand(parser, ty)?;
                let c = self.next_operand(parser, ty)?;
                Inst::FloatMultiplyAdd { kind, fused: word == "fma", destination, a, b, c }
            }
            "fcmp" => {
                let Some(op) = opcode.next().and_then(FloatCompareOp::from_word) else {
                    return parser.error_before("expected a predicate, as in `fcmp.olt.double`");
                };
                let kind = opcode.kind(parser)?;
                let a = self.operand(parser, Some(kind.register_type()))?;
                let b = self.next_operand(parser, Some(kind.register_type()))?;
                Inst::FloatCompare { op, kind, destination, a, b }
            }
            "wide" => self.wide(parser, opcode, destination)?,
            "freeze" => {
                let bits = opcode.bits(parser)?;
                Inst::Freeze { bits, destination, source: self.operand(parser, Some(Int(bits)))? }
            }
            "load" | "store" | "update" | "compare_exchange" | "memory_copy" | "memory_move"
            | "memory_set" => self.memory(parser, word, opcode, results)?,
            "fence" => Inst::Fence { order: order(parser)? },
            "alloca" => {
                let size = self.operand(parser, Some(Int(64)))?;
                let align_log2 =
                    if parser.eat_word("align") { parser.align_log2()? } else { OBJECT_ALIGN_LOG2 };
                Inst::Alloca { destination, size, align_log2 }
            }
            "thread_local" => {
                let global = parser.global_reference()?;
                Inst::ThreadLocal { destination, global, offset: parser.addend()? }
            }
            "stack_save" => Inst::StackSave { destination },
            "stack_restore" => Inst::StackRestore { saved: self.operand(parser, None)? },
            "lifetime_start" => Inst::LifetimeStart { address: self.operand(parser, None)? },
            "lifetime_end" => Inst::LifetimeEnd { address: self.operand(parser, None)? },
            "va_start" => {
                let list = self.operand(parser, None)?;
                Inst::VaStart { list, visible: !parser.eat_word("private") }
            }
            "va_end" => Inst::VaEnd { list: self.operand(parser, None)? },
            "va_copy" => {
                let destination = self.operand(parser, None)?;
                let source = self.next_operand(parser, None)?;
                Inst::VaCopy { destination, source, visible: !parser.eat_word("private") }
            }
            "set_jump" => {
                let buffer = self.operand(parser, None)?;
                Inst::SetJump { destination, buffer, visible: !parser.eat_word("private") }
            }
            "long_jump" => {
                let buffer = self.operand(parser, None)?;
                let value = self.next_operand(parser, None)?;
                Inst::LongJump { buffer, value, visible: !parser.eat_word("private") }
            }
            "call" => self.call(parser, results)?,
            "kernel" => {
                let Some(op) = opcode.next().and_then(KernelOp::from_word) else {
                    return parser.error_before("there is no such kernel operation");
                };
                let arguments = self.operands_to_end(parser)?.into();
                Inst::Kernel { op, destination: results.first().copied(), arguments }
            }
            "unsupported" => Inst::Unsupported { reason: parser.string()?.into() },
            "jump" => Inst::Jump { target: parser.block_id()? },
            "branch" => {
                let condition = self.operand(parser, Some(Int(1)))?;
                parser.expect(',')?;
                let yes = parser.block_id()?;
                parser.expect(',')?;
                Inst::Branch { condition, yes, no: parser.block_id()? }
            }
            "switch" => {
                let value = self.operand(parser, None)?;
                let mut cases = Vec::new();
                parser.list('[', ']', |parser| {
                    let case = parser.bits(None)?;
                    parser.expect(':')?;
                    cases.push((case, parser.block_id()?));
                    Ok(())
                })?;
                parser.expect_word("else")?;
                Inst::Switch(Box::new(Switch { value, default: parser.block_id()?, cases }))
            }
            "indirect_jump" => {
                let address = self.operand(parser, Some(Pointer))?;
                let mut targets = Vec::new();
                parser.list('[', ']', |parser| {
                    targets.push(parser.block_id()?);
                    Ok(())
                })?;
                Inst::IndirectJump { address, targets: targets.into() }
            }
            "return" => Inst::Return { values: self.operands_to_end(parser)?.into() },
            "unreachable" => Inst::Unreachable,
            _ => return parser.error_before(format!("there is no instruction `{word}`")),
        })
    }

    fn wide(&mut self, parser: &mut Parser, opcode: &mut Opcode, destination: Register) -> Result<Inst> {
        let word = opcode.next().unwrap_or("");
        let (op, bits) = match word {
            "zero_extend" => (WideOp::ZeroExtend { from: opcode.bits(parser)? }, opcode.bits(parser)?),
            "sign_extend" => (WideOp::SignExtend { from: opcode.bits(parser)? }, opcode.bits(parser)?),
            "truncate" => {
                let bits = opcode.bits(parser)?;
                (WideOp::Truncate { to: opcode.bits(parser)? }, bits)
            }
            "popcount" => (WideOp::PopCount, opcode.bits(parser)?),
            "leading_zeros" => (WideOp::LeadingZeros, opcode.bits(parser)?),
            "trailing_zeros" => (WideOp::TrailingZeros, opcode.bits(parser)?),
            "byte_swap" => (WideOp::ByteSwap, opcode.bits(parser)?),
            "from_float" | "to_float" => {
                let kind = opcode.kind(parser)?;
                let signed = opcode.flag("signed");
                if !signed && !opcode.flag("unsigned") {
                    return parser.error_before("expected signed or unsigned after the kind of float");
                }
                let bits = opcode.bits(parser)?;
                if word == "from_float" {
                    (WideOp::FromFloat { kind, signed }, bits)
                } else {
                    (WideOp::ToFloat { kind, signed }, bits)
                }
            }
            _ => {
                let op = BinaryOp::from_word(word)
                    .map(WideOp::Binary)
                    .or_else(|| CompareOp::from_word(word).map(WideOp::Compare));
                match op {
                    Some(op) => (op, opcode.bits(parser)?),
                    None => return parser.error_before("there is no such wide operation"),
                }
            }
        };
        let signed_wrap = opcode.flag("nsw");
        let a = self.register(parser)?;
        let b = if parser.eat(',') { self.register(parser)? } else { a };
        Ok(Inst::Wide(Box::new(WideInst { op, bits, signed_wrap, destination, a, b })))
    }

    fn memory(
        &mut self,
        parser: &mut Parser,
        word: &str,
        opcode: &mut Opcode,
        results: &[Register],
    ) -> Result<Inst> {
        let result = |which: usize| results.get(which).copied().unwrap_or(Register(0));
        let update = match word {
            "update" => match opcode.next().and_then(UpdateOp::from_word) {
                Some(op) => Some(op),
                None => return parser.error_before("there is no such update"),
            },
            _ => None,
        };
        if word.starts_with("memory_") {
            let destination = self.address(parser)?;
            parser.expect('=')?;
            let from = if word == "memory_set" {
                self.operand(parser, Some(RegisterType::Int(8)))?
            } else {
                self.address(parser)?
            };
            let length = self.next_operand(parser, Some(RegisterType::Int(64)))?;
            let visible = !parser.eat_word("private");
            return Ok(match word {
                "memory_set" => Inst::MemorySet { destination, byte: from, length, visible },
                _ => Inst::MemoryCopy {
                    destination,
                    source: from,
                    length,
                    overlapping: word == "memory_move",
                    visible,
                },
            });
        }
        let ty = opcode.ty(parser)?;
        let width = width_of(ty);
        let address = self.address(parser)?;
        Ok(match (word, update) {
            ("load", _) => {
                let access = access(parser, width, MemoryOrder::NotAtomic)?;
                Inst::Load { width, access, destination: result(0), address }
            }
            ("store", _) => {
                parser.expect('=')?;
                let source = self.operand(parser, Some(ty))?;
                let access = access(parser, width, MemoryOrder::NotAtomic)?;
                Inst::Store { width, access, address, source }
            }
            (_, Some(op)) => {
                let source = self.next_operand(parser, Some(ty))?;
                let access = access(parser, width, MemoryOrder::SequentiallyConsistent)?;
                Inst::Update { op, width, access, destination: result(0), address, source }
            }
            _ => {
                let expected = self.next_operand(parser, Some(ty))?;
                let new = self.next_operand(parser, Some(ty))?;
                let access = access(parser, width, MemoryOrder::SequentiallyConsistent)?;
                let failure =
                    if parser.eat_word("failure") { order(parser)? } else { failure_order(access.order) };
                let weak = parser.eat_word("weak");
                Inst::CompareExchange {
                    width,
                    access,
                    failure,
                    weak,
                    old: result(0),
                    success: result(1),
                    address,
                    expected,
                    new,
                }
            }
        })
    }

    fn call(&mut self, parser: &mut Parser, results: &[Register]) -> Result<Inst> {
        let callee = if parser.eat('*') {
            Callee::Indirect(self.operand(parser, Some(RegisterType::Pointer))?)
        } else {
            Callee::Direct(parser.function_reference()?)
        };
        let (mut arguments, mut variadic) = (Vec::new(), Vec::new());
        let mut in_variadic = false;
        parser.expect('(')?;
        parser.skip_newlines();
        while !parser.eat(')') {
            if !in_variadic && parser.eat(';') {
                in_variadic = true;
                parser.skip_newlines();
            }
            let ty = if in_variadic { Some(parser.ty()?) } else { None };
            variadic.extend(ty.map(width_of));
            arguments.push(self.operand(parser, ty)?);
            parser.skip_newlines();
            if !parser.eat(',') && !parser.at(')') && (in_variadic || !parser.at(';')) {
                return parser.error("expected `,` or `)`");
            }
            parser.skip_newlines();
        }
        let guarded = parser.eat_word("guarded");
        Ok(Inst::Call(Box::new(Call { callee, arguments, variadic, results: results.to_vec(), guarded })))
    }
}

fn order(parser: &mut Parser) -> Result<MemoryOrder> {
    match parser.peek_word().and_then(MemoryOrder::from_word) {
        Some(order) => {
            parser.advance();
            Ok(order)
        }
        None => parser.error("expected a memory order"),
    }
}

fn access(parser: &mut Parser, width: Width, usual: MemoryOrder) -> Result<Access> {
    let align_log2 = natural_align_log2(width, parser.program.data_model);
    let mut access = Access { order: usual, volatile: false, align_log2, visible: true, guarded: false };
    while let Some(word) = parser.peek_word() {
        if let Some(order) = MemoryOrder::from_word(word) {
            parser.advance();
            access.order = order;
            continue;
        }
        match word {
            "volatile" => access.volatile = true,
            "private" => access.visible = false,
            "guarded" => access.guarded = true,
            "align" => {
                parser.advance();
                access.align_log2 = parser.align_log2()?;
                continue;
            }
            _ => break,
        }
        parser.advance();
    }
    Ok(access)
}
