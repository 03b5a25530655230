//! Where the bits of an address become visible to the program without being passed on as a value: a branch on one of
//! them, a comparison with a number, an index. What is computed from there on may be the address again, and carries no
//! target any more; so what the address leads to counts as escaped.
//!
//! Numbers that were addresses are harmless as long as they are only moved, converted back, or subtracted from each
//! other: such values are followed. Two pointers to variables that are known may be compared: that says nothing about
//! where these lie. Nor does a comparison with null. Any other number may be one that is tried.

use raddle_ir::{BinaryOp, CastOp, Inst, KernelOp, Operand};

use super::Analysis;
use crate::points_to::Targets;

impl Analysis<'_> {
    /// Lets escape what the instruction observes the address of.
    pub(super) fn observe(&mut self, inst: &Inst) {
        match inst {
            // The difference of two addresses is followed.
            Inst::Binary { op: BinaryOp::Sub, a, b, .. }
                if self.is_plain_address(*a) && self.is_plain_address(*b) => {}
            Inst::Binary { .. }
            | Inst::FloatBinary { .. }
            | Inst::FloatUnary { .. }
            | Inst::FloatMultiplyAdd { .. }
            | Inst::FloatCompare { .. }
            | Inst::FloatCast { .. }
            | Inst::Overflow { .. }
            | Inst::Bits { .. }
            | Inst::Wide(_) => inst.for_each_operand(|operand| self.observed(operand)),
            // A part of an address can be compared with all its values.
            Inst::Cast { op, to, source, .. } => match op {
                CastOp::Truncate | CastOp::ZeroExtend | CastOp::SignExtend => self.observed(*source),
                CastOp::PointerToInt if *to < self.program.data_model.pointer_bits() => {
                    self.observed(*source);
                }
                CastOp::PointerToInt | CastOp::IntToPointer => {}
            },
            Inst::Compare { bits, a, b, .. } => self.compared(*bits, *a, *b),
            Inst::PointerAdd { index, scale, .. } if *scale != 0 => self.observed(*index),
            Inst::Branch { condition, .. } | Inst::Select { condition, .. } => self.observed(*condition),
            Inst::Switch(switch) => self.observed(switch.value),
            Inst::MemoryCopy { length, .. } => self.observed(*length),
            Inst::MemorySet { byte, length, .. } => {
                self.observed(*byte);
                self.observed(*length);
            }
            Inst::Alloca { size, .. } => self.observed(*size),
            Inst::LongJump { value, .. } => self.observed(*value),
            // The address of what is resized is a name.
            Inst::Kernel { op: KernelOp::Resize, arguments, .. } => self.observed(arguments[1]),
            Inst::Kernel {
                op: KernelOp::Assume | KernelOp::Choose | KernelOp::Alloc | KernelOp::AllocAligned,
                arguments,
                ..
            } => arguments.iter().for_each(|number| self.observed(*number)),
            _ => {}
        }
    }

    fn compared(&mut self, bits: u8, a: Operand, b: Operand) {
        let whole = bits >= self.program.data_model.pointer_bits();
        if whole && (self.literal(a) == Some(0) || self.literal(b) == Some(0)) {
            return;
        }
        let (a, b) = (self.get(a), self.get(b));
        if !whole || !a.are_of_known_objects() || !b.are_of_known_objects() {
            self.escape(&a);
            self.escape(&b);
        }
    }

    /// A value in memory is replaced if it is the expected one.
    pub(super) fn compared_in_memory(&mut self, before: &Targets, expected: Operand) {
        let other = self.get(expected);
        let known = before.are_of_known_objects() && other.are_of_known_objects();
        if !known && self.literal(expected) != Some(0) {
            self.escape(before);
            self.escape(&other);
        }
    }

    fn observed(&mut self, operand: Operand) {
        let targets = self.get(operand);
        self.escape(&targets);
    }
}
