//! Atomics: the operations of read-modify-write, and those of more than 8 bytes.
//!
//! Atomics of more than 8 bytes are a kernel section, ordered like a lock of their address. A race between one of them
//! and a plain access is not seen.

use raddle_ir as ir;

use super::function::{Lowered, Lowering};
use super::scalars::width_of;
use crate::llvm::ast::{LocalId, Operand, Ordering, RmwOp};

/// An access inside a kernel section.
pub(crate) const PLAIN: ir::Access = ir::Access::PLAIN;

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
    /// The section begins; an acquire learns what was released on the address.
    pub fn begin_wide_atomic(&mut self, address: ir::Operand, order: Ordering) {
        self.kernel(ir::KernelOp::Begin, None, &[]);
        if matches!(order, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst) {
            let channel = self.bits(0);
            self.kernel(ir::KernelOp::Acquire, None, &[address, channel]);
        }
    }

    pub fn end_wide_atomic(&mut self, address: ir::Operand, order: Ordering) {
        if matches!(order, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst) {
            let channel = self.bits(0);
            self.kernel(ir::KernelOp::Release, None, &[address, channel]);
        }
        self.kernel(ir::KernelOp::End, None, &[]);
    }

    /// Compares all parts, then writes the new or the old ones back. A weak one never fails spuriously here.
    pub fn wide_compare_exchange(
        &mut self,
        result: LocalId,
        exchange: &crate::llvm::ast::CmpXchg,
        parts: &[super::scalars::Part],
    ) -> Lowered<()> {
        let address = self.single(exchange.address.value)?;
        let (expected, new) = (self.value(exchange.expected.value)?, self.value(exchange.new.value)?);
        let destinations = self.destinations(result)?;
        let Some((success, old)) = destinations.split_last() else {
            return Err("an empty compare-exchange".into());
        };
        let success = *success;
        if parts.iter().any(|p| !matches!(p.ty, ir::RegisterType::Int(_) | ir::RegisterType::Pointer)) {
            return Err("a compare-exchange of this type".into());
        }
        self.begin_wide_atomic(address, exchange.access.ordering);
        let one = self.bits(1);
        self.emit(ir::Inst::Copy { destination: success, source: one });
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
        self.end_wide_atomic(address, exchange.access.ordering);
        Ok(())
    }

    /// An exchange of more than 8 bytes; clang makes no other update of that size.
    pub fn wide_update(
        &mut self,
        result: LocalId,
        op: RmwOp,
        address: &Operand,
        value: &Operand,
        order: Ordering,
    ) -> Lowered<()> {
        if op != RmwOp::Xchg {
            return Err(format!("the atomic update `{}` of more than 8 bytes", op.word()));
        }
        let parts = self.parts_of(value.ty)?;
        let (address, sources) = (self.single(address.value)?, self.value(value.value)?);
        let destinations = self.destinations(result)?;
        self.begin_wide_atomic(address, order);
        for (i, part) in parts.iter().enumerate() {
            let at = self.offset(address, part.offset as i64);
            let width = width_of(part.ty);
            self.emit(ir::Inst::Load { width, access: PLAIN, destination: destinations[i], address: at });
            self.emit(ir::Inst::Store { width, access: PLAIN, address: at, source: sources[i] });
        }
        self.end_wide_atomic(address, order);
        Ok(())
    }
}
