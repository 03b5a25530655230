//! What registers hold whatever the path: a parameter, the address of a global, or what is no global.

use raddle_ir::{Constant, Function, Inst, KernelOp, Operand, Program};

use crate::call_graph::direct;
use crate::future::PARAMETERS;

/// What a register holds, whatever the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exact {
    Nothing,
    Parameter(u8),
    Global(u32, i64),
    /// On the heap, by where it comes from: an allocation, or the block of a thread.
    NoGlobal,
    Other,
}

impl Exact {
    fn join(self, other: Exact) -> Exact {
        match (self, other) {
            (Exact::Nothing, x) | (x, Exact::Nothing) => x,
            (x, y) if x == y => x,
            _ => Exact::Other,
        }
    }
}

pub(crate) fn exact_operand(function: &Function, known: &[Exact], operand: Operand) -> Exact {
    if let Some(register) = operand.as_register() {
        return known[register.index()];
    }
    match function.constant(operand) {
        Some(Constant::Global(global, offset)) => Exact::Global(global.index() as u32, *offset),
        // Its use is a fault, and the end.
        Some(Constant::Bits(0)) => Exact::Nothing,
        _ => Exact::Other,
    }
}

/// For each register of each function: what all its assignments agree on.
pub(crate) fn exact_values(program: &Program) -> Vec<Vec<Exact>> {
    // Library functions that return what is no global.
    let mut blocks = vec![false; program.functions.len()];
    loop {
        let values: Vec<Vec<Exact>> = program.functions.iter().map(|f| exact_values_of(f, &blocks)).collect();
        let mut changed = false;
        for (index, function) in program.functions.iter().enumerate() {
            let is_block = |o: &Operand| exact_operand(function, &values[index], *o) == Exact::NoGlobal;
            let mut returns = function.code.iter().filter_map(|inst| match inst {
                Inst::Return { values } => Some(values),
                _ => None,
            });
            let all = returns.clone().count() > 0 && returns.all(|v| v.len() == 1 && is_block(&v[0]));
            if all && function.library && !blocks[index] {
                blocks[index] = true;
                changed = true;
            }
        }
        if !changed {
            return values;
        }
    }
}

fn exact_values_of(function: &Function, blocks: &[bool]) -> Vec<Exact> {
    let mut known = vec![Exact::Nothing; function.registers.len()];
    for (i, parameter) in function.parameters.iter().enumerate() {
        let own = if i < PARAMETERS { Exact::Parameter(i as u8) } else { Exact::Other };
        known[parameter.index()] = known[parameter.index()].join(own);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for inst in &function.code {
            let of = |o: &Operand| exact_operand(function, &known, *o);
            let value = match inst {
                Inst::Copy { source, .. } => of(source),
                // The same object.
                Inst::PointerAdd { base, .. } => match of(base) {
                    Exact::NoGlobal => Exact::NoGlobal,
                    Exact::Nothing => Exact::Nothing,
                    _ => Exact::Other,
                },
                Inst::Kernel { op: KernelOp::Tcb, .. } if function.library => Exact::NoGlobal,
                Inst::Kernel { op: KernelOp::Alloc | KernelOp::AllocAligned, .. } => Exact::NoGlobal,
                _ if function.library
                    && direct(inst).is_some_and(|(c, call)| blocks[c] && call.results.len() == 1) =>
                {
                    Exact::NoGlobal
                }
                _ => Exact::Other,
            };
            inst.for_each_destination(|r| {
                let new = known[r.index()].join(value);
                changed |= new != known[r.index()];
                known[r.index()] = new;
            });
        }
    }
    known
}
