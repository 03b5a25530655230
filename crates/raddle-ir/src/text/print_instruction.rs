//! One instruction as one line.

use std::collections::HashMap;
use std::fmt::Write;

use super::defaults::*;
use super::printer::{DeclarationPlan, Printer, put, quoted};
use super::words::*;
use crate::ids::*;
use crate::instruction::*;
use crate::operation::*;
use crate::program::*;

/// The body of the function that is being printed.
pub(super) struct Body<'p, 'a> {
    pub printer: &'p mut Printer<'a>,
    function: &'a Function,
    plan: &'p DeclarationPlan,
    /// With an explicit table: the first id of each constant, the only one that may be written inline.
    first: Option<HashMap<&'a Constant, ConstantId>>,
    /// The instruction that is being printed.
    pc: usize,
}

impl<'p, 'a> Body<'p, 'a> {
    pub fn new(
        printer: &'p mut Printer<'a>,
        function: &'a Function,
        plan: &'p DeclarationPlan,
        canonical: bool,
    ) -> Self {
        let first = (!canonical).then(|| {
            let mut first = HashMap::new();
            for (index, constant) in function.constants.iter().enumerate() {
                first.entry(constant).or_insert(ConstantId::new(index));
            }
            first
        });
        Body { printer, function, plan, first, pc: 0 }
    }

    fn text(&mut self, text: &str) {
        self.printer.out.push_str(text);
    }
    fn operand(&mut self, operand: Operand, expected: Option<RegisterType>) {
        let id = match operand.kind() {
            OperandKind::Register(register) => return put!(self.printer, "{register}"),
            OperandKind::Constant(id) => id,
        };
        let inline = self
            .function
            .constants
            .get(id.index())
            .filter(|constant| self.first.as_ref().is_none_or(|first| first.get(constant) == Some(&id)));
        match inline {
            Some(constant) => self.printer.constant(constant, expected),
            None => put!(self.printer, "{id}"),
        }
    }
    fn operands(&mut self, operands: &[Operand], expected: Option<RegisterType>) {
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            self.operand(*operand, expected);
        }
    }
    fn address(&mut self, address: Operand) {
        self.text("[");
        self.operand(address, Some(RegisterType::Pointer));
        self.text("]");
    }
    /// `r1: i32, r2 = `
    fn destinations(&mut self, registers: &[Register]) {
        for (which, register) in registers.iter().enumerate() {
            if which > 0 {
                self.text(", ");
            }
            put!(self.printer, "{register}");
            if let Some(ty) =
                self.type_of(*register).filter(|_| self.plan.annotated.contains(&(self.pc, which)))
            {
                put!(self.printer, ": {}", type_word(ty));
            }
        }
        if !registers.is_empty() {
            self.text(" = ");
        }
    }
    fn type_of(&self, register: Register) -> Option<RegisterType> {
        self.function.registers.get(register.index()).map(|info| info.ty)
    }
    fn access(&mut self, access: Access, width: Width, usual: MemoryOrder) {
        if access.order != usual {
            put!(self.printer, " {}", access.order.word());
        }
        if access.volatile {
            self.text(" volatile");
        }
        if access.align_log2 != natural_align_log2(width, self.printer.program.data_model) {
            put!(self.printer, " align {}", 1u64.checked_shl(access.align_log2 as u32).unwrap_or(0));
        }
        if !access.visible {
            self.text(" private");
        }
        if access.guarded {
            self.text(" guarded");
        }
    }
    fn blocks(&mut self, blocks: &[BlockId]) {
        for (index, block) in blocks.iter().enumerate() {
            put!(self.printer, "{}{block}", if index > 0 { ", " } else { "" });
        }
    }

    pub fn instruction(&mut self, pc: usize, inst: &Inst) {
        use RegisterType::{Int, Pointer};
        self.pc = pc;
        match inst {
            Inst::Copy { destination, source } => {
                self.text("copy ");
                self.destinations(&[*destination]);
                self.operand(*source, self.type_of(*destination));
            }
            Inst::Binary { op, bits, signed_wrap, destination, a, b } => {
                put!(self.printer, "{}.i{bits}{} ", op.word(), if *signed_wrap { ".nsw" } else { "" });
                self.destinations(&[*destination]);
                self.operands(&[*a, *b], Some(Int(*bits)));
            }
            Inst::Compare { op, bits, pointers, destination, a, b } => {
                let ty = if *pointers { Pointer } else { Int(*bits) };
                put!(self.printer, "{}.{} ", op.word(), type_word(ty));
                self.destinations(&[*destination]);
                self.operands(&[*a, *b], Some(ty));
            }
            Inst::Cast { op, from, to, destination, source } => {
                put!(self.printer, "{}.i{from}.i{to} ", op.word());
                self.destinations(&[*destination]);
                let ty = if *op == CastOp::PointerToInt { Pointer } else { Int(*from) };
                self.operand(*source, Some(ty));
            }
            Inst::Select { destination, condition, yes, no } => {
                self.text("select ");
                self.destinations(&[*destination]);
                self.operand(*condition, Some(Int(1)));
                self.text(", ");
                self.operands(&[*yes, *no], self.type_of(*destination));
            }
            Inst::PointerAdd { bits, destination, base, index, scale, offset } => {
                put!(self.printer, "pointer_add.i{bits} ");
                self.destinations(&[*destination]);
                self.operand(*base, Some(Pointer));
                self.text(", ");
                self.operand(*index, Some(Int(*bits)));
                // The scale is written before every offset, which would else read as part of an `&x + 4`.
                if *scale != 1 || *offset != 0 {
                    put!(self.printer, " * {scale}");
                }
                if *offset != 0 {
                    put!(self.printer, " {} {}", sign(*offset), offset.unsigned_abs());
                }
            }
            Inst::FloatBinary { op, kind, destination, a, b } => {
                put!(self.printer, "{}.{} ", op.word(), kind.word());
                self.destinations(&[*destination]);
                self.operands(&[*a, *b], Some(kind.register_type()));
            }
            Inst::FloatUnary { op, kind, destination, source } => {
                put!(self.printer, "{}.{} ", op.word(), kind.word());
                self.destinations(&[*destination]);
                self.operand(*source, Some(kind.register_type()));
            }
            Inst::FloatMultiplyAdd { kind, fused, destination, a, b, c } => {
                put!(self.printer, "{}.{} ", if *fused { "fma" } else { "fmuladd" }, kind.word());
                self.destinations(&[*destination]);
                self.operands(&[*a, *b, *c], Some(kind.register_type()));
            }
            Inst::FloatCompare { op, kind, destination, a, b } => {
                put!(self.printer, "fcmp.{}.{} ", op.word(), kind.word());
                self.destinations(&[*destination]);
                self.operands(&[*a, *b], Some(kind.register_type()));
            }
            Inst::FloatCast { op, kind, bits, destination, source } => {
                put!(self.printer, "{}.{}", op.word(), kind.word());
                if *op != FloatCastOp::Resize || *bits != 0 {
                    put!(self.printer, ".i{bits}");
                }
                self.text(" ");
                self.destinations(&[*destination]);
                self.operand(*source, Some(op.types(*kind, *bits).0));
            }
            Inst::Overflow { op, bits, destination, overflow, a, b } => {
                put!(self.printer, "{}.i{bits} ", op.word());
                self.destinations(&[*destination, *overflow]);
                self.operands(&[*a, *b], Some(Int(*bits)));
            }
            Inst::Bits { op, bits, destination, a, b, c } => {
                put!(self.printer, "{}.i{bits} ", op.word());
                self.destinations(&[*destination]);
                if b == a && c == a {
                    self.operand(*a, Some(Int(*bits)));
                } else {
                    self.operands(&[*a, *b, *c], Some(Int(*bits)));
                }
            }
            Inst::Wide(wide) => self.wide(wide),
            Inst::Freeze { bits, destination, source } => {
                put!(self.printer, "freeze.i{bits} ");
                self.destinations(&[*destination]);
                self.operand(*source, Some(Int(*bits)));
            }
            Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Update { .. }
            | Inst::CompareExchange { .. }
            | Inst::MemoryCopy { .. }
            | Inst::MemorySet { .. } => self.memory(inst),
            Inst::Fence { order } => put!(self.printer, "fence {}", order.word()),
            Inst::Alloca { destination, size, align_log2 } => {
                self.text("alloca ");
                self.destinations(&[*destination]);
                self.operand(*size, Some(Int(64)));
                if *align_log2 != OBJECT_ALIGN_LOG2 {
                    put!(self.printer, " align {}", 1u64.checked_shl(*align_log2 as u32).unwrap_or(0));
                }
            }
            Inst::ThreadLocal { destination, global, offset } => {
                self.destinations(&[*destination]);
                let name = self.printer.global_name(*global);
                put!(self.printer, "thread_local {name}");
                if *offset != 0 {
                    put!(self.printer, "{offset:+}");
                }
            }
            Inst::StackSave { destination } => {
                self.destinations(&[*destination]);
                self.text("stack_save");
            }
            Inst::StackRestore { saved } => self.plain("stack_restore", &[*saved]),
            Inst::LifetimeStart { address } => self.plain("lifetime_start", &[*address]),
            Inst::LifetimeEnd { address } => self.plain("lifetime_end", &[*address]),
            Inst::VaStart { list, visible } => {
                self.plain("va_start", &[*list]);
                self.text(if *visible { "" } else { " private" });
            }
            Inst::VaEnd { list } => self.plain("va_end", &[*list]),
            Inst::VaCopy { destination, source, visible } => {
                self.plain("va_copy", &[*destination, *source]);
                self.text(if *visible { "" } else { " private" });
            }
            Inst::SetJump { destination, buffer, visible } => {
                self.destinations(&[*destination]);
                self.plain("set_jump", &[*buffer]);
                self.text(if *visible { "" } else { " private" });
            }
            Inst::LongJump { buffer, value, visible } => {
                self.plain("long_jump", &[*buffer, *value]);
                self.text(if *visible { "" } else { " private" });
            }
            Inst::Call(call) => self.call(call),
            Inst::Kernel { op, destination, arguments } => {
                self.destinations(destination.as_slice());
                self.plain(&format!("kernel.{}", op.word()), arguments);
            }
            Inst::Unsupported { reason } => put!(self.printer, "unsupported {}", quoted(reason)),
            Inst::Jump { target } => put!(self.printer, "jump {target}"),
            Inst::Branch { condition, yes, no } => {
                self.text("branch ");
                self.operand(*condition, Some(Int(1)));
                put!(self.printer, ", {yes}, {no}");
            }
            Inst::Switch(switch) => {
                self.text("switch ");
                self.operand(switch.value, None);
                self.text(" [");
                for (index, (value, target)) in switch.cases.iter().enumerate() {
                    put!(self.printer, "{}{value}: {target}", if index > 0 { ", " } else { "" });
                }
                put!(self.printer, "] else {}", switch.default);
            }
            Inst::IndirectJump { address, targets } => {
                self.text("indirect_jump ");
                self.operand(*address, Some(Pointer));
                self.text(" [");
                self.blocks(targets);
                self.text("]");
            }
            Inst::Return { values } => self.plain("return", values),
            Inst::Unreachable => self.text("unreachable"),
        }
    }

    /// A word and operands of no particular type.
    fn plain(&mut self, word: &str, operands: &[Operand]) {
        self.text(word);
        if !operands.is_empty() {
            self.text(" ");
            self.operands(operands, None);
        }
    }

    fn wide(&mut self, wide: &WideInst) {
        let WideInst { op, bits, signed_wrap, destination, a, b } = wide;
        let float = |kind: &FloatKind, signed: &bool| {
            format!(".{}.{}", kind.word(), if *signed { "signed" } else { "unsigned" })
        };
        match op {
            WideOp::Binary(op) => put!(self.printer, "wide.{}.i{bits}", op.word()),
            WideOp::Compare(op) => put!(self.printer, "wide.{}.i{bits}", op.word()),
            WideOp::ZeroExtend { from } => put!(self.printer, "wide.zero_extend.i{from}.i{bits}"),
            WideOp::SignExtend { from } => put!(self.printer, "wide.sign_extend.i{from}.i{bits}"),
            WideOp::Truncate { to } => put!(self.printer, "wide.truncate.i{bits}.i{to}"),
            WideOp::PopCount => put!(self.printer, "wide.popcount.i{bits}"),
            WideOp::LeadingZeros => put!(self.printer, "wide.leading_zeros.i{bits}"),
            WideOp::TrailingZeros => put!(self.printer, "wide.trailing_zeros.i{bits}"),
            WideOp::ByteSwap => put!(self.printer, "wide.byte_swap.i{bits}"),
            WideOp::FromFloat { kind, signed } => {
                put!(self.printer, "wide.from_float{}.i{bits}", float(kind, signed))
            }
            WideOp::ToFloat { kind, signed } => {
                put!(self.printer, "wide.to_float{}.i{bits}", float(kind, signed))
            }
        }
        self.text(if *signed_wrap { ".nsw " } else { " " });
        self.destinations(&[*destination]);
        put!(self.printer, "{a}");
        if b != a {
            put!(self.printer, ", {b}");
        }
    }

    fn memory(&mut self, inst: &Inst) {
        let atomic = MemoryOrder::SequentiallyConsistent;
        match inst {
            Inst::Load { width, access, destination, address } => {
                put!(self.printer, "load.{} ", type_word(width.register_type()));
                self.destinations(&[*destination]);
                self.address(*address);
                self.access(*access, *width, MemoryOrder::NotAtomic);
            }
            Inst::Store { width, access, address, source } => {
                put!(self.printer, "store.{} ", type_word(width.register_type()));
                self.address(*address);
                self.text(" = ");
                self.operand(*source, Some(width.register_type()));
                self.access(*access, *width, MemoryOrder::NotAtomic);
            }
            Inst::Update { op, width, access, destination, address, source } => {
                put!(self.printer, "update.{}.{} ", op.word(), type_word(width.register_type()));
                self.destinations(&[*destination]);
                self.address(*address);
                self.text(", ");
                self.operand(*source, Some(width.register_type()));
                self.access(*access, *width, atomic);
            }
            Inst::CompareExchange { width, access, failure, weak, old, success, address, expected, new } => {
                put!(self.printer, "compare_exchange.{} ", type_word(width.register_type()));
                self.destinations(&[*old, *success]);
                self.address(*address);
                self.text(", ");
                self.operands(&[*expected, *new], Some(width.register_type()));
                self.access(*access, *width, atomic);
                if *failure != failure_order(access.order) {
                    put!(self.printer, " failure {}", failure.word());
                }
                if *weak {
                    self.text(" weak");
                }
            }
            Inst::MemoryCopy { destination, source, length, overlapping, visible } => {
                self.text(if *overlapping { "memory_move " } else { "memory_copy " });
                self.address(*destination);
                self.text(" = ");
                self.address(*source);
                self.text(", ");
                self.operand(*length, Some(RegisterType::Int(64)));
                self.text(if *visible { "" } else { " private" });
            }
            Inst::MemorySet { destination, byte, length, visible } => {
                self.text("memory_set ");
                self.address(*destination);
                self.text(" = ");
                self.operand(*byte, Some(RegisterType::Int(8)));
                self.text(", ");
                self.operand(*length, Some(RegisterType::Int(64)));
                self.text(if *visible { "" } else { " private" });
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &Call) {
        self.destinations(&call.results);
        self.text("call ");
        match call.callee {
            Callee::Direct(id) => put!(self.printer, "{}", self.printer.function_name(id)),
            Callee::Indirect(operand) => {
                self.text("*");
                self.operand(operand, Some(RegisterType::Pointer));
            }
        }
        self.text("(");
        let fixed = call.arguments.len().saturating_sub(call.variadic.len());
        self.operands(&call.arguments[..fixed], None);
        for (index, (operand, width)) in call.arguments[fixed..].iter().zip(&call.variadic).enumerate() {
            let ty = width.register_type();
            put!(self.printer, "{}{} ", if index == 0 { "; " } else { ", " }, type_word(ty));
            self.operand(*operand, Some(ty));
        }
        self.text(if call.guarded { ") guarded" } else { ")" });
    }
}

fn sign(value: i32) -> char {
    if value < 0 { '-' } else { '+' }
}
