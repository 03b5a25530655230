//! Atomics: the operations of read-modify-write, and those of more than 8 bytes.
//!
//! An atomic of more than 8 bytes is a kernel section that moves its parts, marked as one atomic access with its order.

use raddle_ir as ir;

use super::function::{Lowered, Lowering};
use super::scalars::{Part, width_of};
use crate::llvm::ast::{LocalId, Operand, Ordering, RmwOp, TypeId};

/// An access inside a kernel section.
pub(crate) const PLAIN: ir::Access = ir::Access::PLAIN;

/// What the section is, as `models/kernel.h` numbers it.
pub(crate) mod access {
    pub const READ: u64 = 0;
    pub const WRITE: u64 = 1;
    pub const UPDATE: u64 = 2;
    pub const EXCHANGE_FAILED: u64 = 3;
}

pub(crate) fn update_op(op: RmwOp) -> Option<ir::UpdateOp> {
    Some(match op {
        RmwOp::Xchg => ir::UpdateOp::Exchange,
        RmwOp::Add => ir::UpdateOp::Add,
        RmwOp::Sub => ir::UpdateOp::Sub,
        RmwOp::And => ir::UpdateOp::And,
        RmwOp::Nand => ir::UpdateOp::Nand,
        RmwOp::Or => ir::UpdateOp::Or,
        RmwOp::Xor => ir::UpdateOp::Xor,
        RmwOp::Max => ir::UpdateOp::Max,
        RmwOp::Min => ir::UpdateOp::Min,
        RmwOp::UMax => ir::UpdateOp::UMax,
        RmwOp::UMin => ir::UpdateOp::UMin,
        RmwOp::UIncWrap => ir::UpdateOp::UIncWrap,
        RmwOp::UDecWrap => ir::UpdateOp::UDecWrap,
        RmwOp::FAdd => ir::UpdateOp::FAdd,
        RmwOp::FSub => ir::UpdateOp::FSub,
        RmwOp::FMax => ir::UpdateOp::FMax,
        RmwOp::FMin => ir::UpdateOp::FMin,
        _ => return None,
    })
}

impl Lowering<'_, '_> {
    pub fn begin_wide_atomic(&mut self) {
        self.kernel(ir::KernelOp::Begin, None, &[]);
    }

    /// The section ends: what it was, to the listeners.
    pub fn end_wide_atomic(
        &mut self,
        address: ir::Operand,
        parts: &[Part],
        access: ir::Operand,
        order: ir::Operand,
    ) {
        let end = parts
            .iter()
            .map(|p| p.offset + width_of(p.ty).bytes(self.linker.program.data_model) as u64)
            .max();
        let size = self.bits(end.unwrap_or(0));
        self.kernel(ir::KernelOp::Atomic, None, &[address, size, access, order]);
        self.kernel(ir::KernelOp::End, None, &[]);
    }

    pub fn order_number(&mut self, order: Ordering) -> ir::Operand {
        self.bits(match order {
            Ordering::NotAtomic | Ordering::Unordered | Ordering::Monotonic => 0,
            Ordering::Acquire => 2,
            Ordering::Release => 3,
            Ordering::AcqRel => 4,
            Ordering::SeqCst => 5,
        })
    }

    /// Compares all parts, then writes the new or the old ones back. Whether a weak one fails spuriously is chosen before.
    pub fn wide_compare_exchange(
        &mut self,
        result: LocalId,
        exchange: &crate::llvm::ast::CmpXchg,
        parts: &[Part],
    ) -> Lowered<()> {
        let address = self.single(exchange.address.value)?;
        let (expected, new) = (self.value(exchange.expected.value)?, self.value(exchange.new.value)?);
        let destinations = self.destinations(result)?;
        let Some((success, old)) = destinations.split_last() else {
            return Err("a compare-exchange of size 0".into());
        };
        let success = *success;
        if parts.iter().any(|p| !matches!(p.ty, ir::RegisterType::Int(_) | ir::RegisterType::Pointer)) {
            return Err("a compare-exchange of this type".into());
        }
        let one = self.bits(1);
        if exchange.weak {
            let fails = self.register(ir::RegisterType::Int(32));
            self.kernel(ir::KernelOp::Spurious, Some(fails), &[]);
            let zero = self.bits(0);
            let (op, a) = (ir::CompareOp::Eq, fails.into());
            let (bits, pointers) = (32, false);
            self.emit(ir::Inst::Compare { op, bits, pointers, destination: success, a, b: zero });
        } else {
            self.emit(ir::Inst::Copy { destination: success, source: one });
        }
        self.begin_wide_atomic();
        for (i, part) in parts.iter().enumerate() {
            let at = self.offset(address, part.offset as i64);
            let (width, destination) = (width_of(part.ty), old[i]);
            self.emit(ir::Inst::Load { width, access: PLAIN, destination, address: at });
            let same = self.register(ir::RegisterType::Int(1));
            // As C++20 has it, padding does not count: bits that are indeterminate on either side are equal.
            let (mut a, mut b) = (ir::Operand::register(destination), expected[i]);
            let (pointers, bits) = match part.ty {
                ir::RegisterType::Int(bits) => (false, bits),
                _ => (true, 64),
            };
            if !pointers {
                let differ = self.register(part.ty);
                let op = ir::BinaryOp::Xor;
                self.emit(ir::Inst::Binary { op, bits, signed_wrap: false, destination: differ, a, b });
                let zero = self.bits(0);
                let known = self.register(part.ty);
                let (op, source) = (ir::BitOp::Settle, differ.into());
                self.emit(ir::Inst::Bits { op, bits, destination: known, a: source, b: zero, c: zero });
                (a, b) = (known.into(), zero);
            }
            let op = ir::CompareOp::Eq;
            self.emit(ir::Inst::Compare { op, bits, pointers, destination: same, a, b });
            let op = ir::BinaryOp::And;
            let (a, b) = (success.into(), same.into());
            self.emit(ir::Inst::Binary { op, bits: 1, signed_wrap: false, destination: success, a, b });
        }
        for (i, part) in parts.iter().enumerate() {
            let at = self.offset(address, part.offset as i64);
            let chosen = self.register(part.ty);
            let (condition, yes, no) = (success.into(), new[i], old[i].into());
            self.emit(ir::Inst::Select { destination: chosen, condition, yes, no });
            let (width, source) = (width_of(part.ty), chosen.into());
            self.emit(ir::Inst::Store { width, access: PLAIN, address: at, source });
        }
        let (update, failed) = (self.bits(access::UPDATE), self.bits(access::EXCHANGE_FAILED));
        let (swapped, kept) =
            (self.order_number(exchange.access.ordering), self.order_number(exchange.failure));
        let [kind, order] = [(update, failed), (swapped, kept)].map(|(yes, no)| {
            let destination = self.register(ir::RegisterType::Int(32));
            self.emit(ir::Inst::Select { destination, condition: success.into(), yes, no });
            destination.into()
        });
        self.end_wide_atomic(address, parts, kind, order);
        Ok(())
    }

    /// An update of more than 8 bytes: reads all parts, computes, writes all parts.
    pub fn wide_update(
        &mut self,
        result: LocalId,
        op: RmwOp,
        address: &Operand,
        value: &Operand,
        order: Ordering,
    ) -> Lowered<()> {
        let refused = || format!("the atomic update `{}` of more than 8 bytes", op.word());
        let parts = self.parts_of(value.ty)?;
        let (address, mut sources) = (self.single(address.value)?, self.value(value.value)?);
        let destinations = self.destinations(result)?;
        let computed = match op {
            RmwOp::Xchg => None,
            _ => Some((wide_op(op).ok_or_else(refused)?, self.int_bits(value.ty).map_err(|_| refused())?)),
        };
        self.begin_wide_atomic();
        for (part, destination) in parts.iter().zip(&destinations) {
            let at = self.offset(address, part.offset as i64);
            let (width, destination) = (width_of(part.ty), *destination);
            self.emit(ir::Inst::Load { width, access: PLAIN, destination, address: at });
        }
        if let Some((binary, bits)) = computed {
            let olds: Vec<ir::Operand> = destinations.iter().map(|r| (*r).into()).collect();
            sources = self.wide_binary(binary, bits, &olds, &sources, value.ty)?;
            if op == RmwOp::Nand {
                let ones = self.bits(u64::MAX);
                let ones = vec![ones; sources.len()];
                sources = self.wide_binary(ir::BinaryOp::Xor, bits, &sources, &ones, value.ty)?;
            }
        }
        for (part, source) in parts.iter().zip(sources) {
            let at = self.offset(address, part.offset as i64);
            self.emit(ir::Inst::Store { width: width_of(part.ty), access: PLAIN, address: at, source });
        }
        let (update, order) = (self.bits(access::UPDATE), self.order_number(order));
        self.end_wide_atomic(address, &parts, update, order);
        Ok(())
    }

    fn wide_binary(
        &mut self,
        op: ir::BinaryOp,
        bits: u32,
        a: &[ir::Operand],
        b: &[ir::Operand],
        ty: TypeId,
    ) -> Lowered<Vec<ir::Operand>> {
        let registers = self.new_registers(ty)?;
        let wide = ir::WideInst {
            op: ir::WideOp::Binary(op),
            bits: bits as u16,
            signed_wrap: false,
            destination: registers[0],
            a: self.consecutive(a),
            b: self.consecutive(b),
        };
        self.emit(ir::Inst::Wide(Box::new(wide)));
        Ok(registers.into_iter().map(ir::Operand::register).collect())
    }
}

/// The arithmetic of an update; the complement of `nand` comes after it.
fn wide_op(op: RmwOp) -> Option<ir::BinaryOp> {
    Some(match op {
        RmwOp::Add => ir::BinaryOp::Add,
        RmwOp::Sub => ir::BinaryOp::Sub,
        RmwOp::And | RmwOp::Nand => ir::BinaryOp::And,
        RmwOp::Or => ir::BinaryOp::Or,
        RmwOp::Xor => ir::BinaryOp::Xor,
        RmwOp::Max => ir::BinaryOp::SMax,
        RmwOp::Min => ir::BinaryOp::SMin,
        RmwOp::UMax => ir::BinaryOp::UMax,
        RmwOp::UMin => ir::BinaryOp::UMin,
        _ => return None,
    })
}
