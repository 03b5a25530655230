//! Any scalar instruction: which function it is, with which operands.

use raddle_ir::{CastOp, Inst, Operand, Register};

use crate::domain::Domain;
use crate::fault::{self, Checked};
use crate::{
    binary, bit_operation, cast, compare, float_binary, float_cast, float_compare, float_multiply_add,
    float_unary, overflow, select, wide,
};

/// What a scalar instruction gives.
#[derive(Clone, Debug)]
pub struct Evaluated<D: Domain> {
    /// Its destinations, as [`Inst::for_each_destination`] gives them, with their values.
    pub results: Vec<(Register, D::Value)>,
    pub faults: D::Faults,
}

/// Evaluates an instruction that is scalar; `None`: it is not, or the domain does not support it. Conversions and
/// arithmetic of pointers depend on what a pointer is, and are the executor's.
pub fn evaluate<D: Domain>(d: &D, inst: &Inst, get: impl Fn(Operand) -> D::Value) -> Option<Evaluated<D>> {
    let one = |destination: &Register, value| {
        Some(Evaluated { results: vec![(*destination, value)], faults: fault::none(d) })
    };
    let checked = |destination: &Register, checked: Checked<D>| {
        Some(Evaluated { results: vec![(*destination, checked.value)], faults: checked.faults })
    };
    match inst {
        Inst::Copy { destination, source } => one(destination, get(*source)),
        Inst::Binary { op, bits, signed_wrap, destination, a, b } => {
            checked(destination, binary(d, *op, *bits, *signed_wrap, &get(*a), &get(*b)))
        }
        Inst::Compare { op, bits, destination, a, b, .. } => {
            one(destination, compare(d, *op, *bits, &get(*a), &get(*b)))
        }
        Inst::Cast { op: CastOp::PointerToInt | CastOp::IntToPointer, .. } => None,
        Inst::Cast { op, from, to, destination, source } => {
            one(destination, cast(d, *op, *from, *to, &get(*source)))
        }
        Inst::Select { destination, condition, yes, no } => {
            one(destination, select(d, &get(*condition), || get(*yes), || get(*no)))
        }
        Inst::FloatBinary { op, kind, destination, a, b } => {
            one(destination, float_binary(d, *op, *kind, &get(*a), &get(*b))?)
        }
        Inst::FloatUnary { op, kind, destination, source } => {
            one(destination, float_unary(d, *op, *kind, &get(*source))?)
        }
        Inst::FloatMultiplyAdd { kind, fused, destination, a, b, c } => {
            one(destination, float_multiply_add(d, *kind, *fused, &get(*a), &get(*b), &get(*c))?)
        }
        Inst::FloatCompare { op, kind, destination, a, b } => {
            one(destination, float_compare(d, op.0, *kind, &get(*a), &get(*b))?)
        }
        Inst::FloatCast { op, kind, bits, destination, source } => {
            checked(destination, float_cast(d, *op, *kind, *bits, &get(*source))?)
        }
        Inst::Overflow { op, bits, destination, overflow: flag, a, b } => {
            let (value, overflows) = overflow(d, *op, *bits, &get(*a), &get(*b));
            let results = vec![(*destination, value), (*flag, overflows)];
            Some(Evaluated { results, faults: fault::none(d) })
        }
        Inst::Bits { op, bits, destination, a, b, c } => {
            one(destination, bit_operation(d, *op, *bits, &get(*a), &get(*b), &get(*c)))
        }
        Inst::Wide(inst) => {
            let limbs = |first: Register, count: u32| -> Vec<D::Value> {
                (0..count).map(|i| get(Operand::register(Register(first.0 + i)))).collect()
            };
            let (a, b) = (limbs(inst.a, inst.a_limbs()), limbs(inst.b, inst.b_limbs()));
            let (values, faults) = wide(d, inst, &a, &b)?;
            let registers = (inst.destination.0..).map(Register);
            Some(Evaluated { results: registers.zip(values).collect(), faults })
        }
        _ => None,
    }
}
