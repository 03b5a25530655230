//! Numbers in the code that are used as addresses of objects: `&x == (int *)0x2000005c000000`, `*(int *)0x2000005c000000`.
//!
//! Such a number may be the address of an object, by its name. The comparison or access then observes names, as a conversion does, so
//! names must not be changed by canonical renaming: addresses count as observed from the start. Null, small integers, and
//! numbers that name globals and functions, whose names never change, observe nothing.

use raddle_ir::{Callee, Constant, Function, FunctionId, Inst, Operand, Program, RegisterType, Width};
use rustc_hash::FxHashSet;

use crate::semantics::pointer::{self, ObjectName};

/// Whether the program has such a number.
pub fn compares_with_numbers(program: &Program) -> bool {
    let names_object = |function: &Function, operand: &Operand| {
        let constant = operand.as_constant().and_then(|id| function.constants.get(id.index()));
        constant.is_some_and(|constant| match constant {
            Constant::Bits(bits) => {
                let name = pointer::object(*bits).name();
                matches!(name, ObjectName::Heap { .. } | ObjectName::Stack { .. })
            }
            _ => false,
        })
    };
    let has_any = program.functions.iter().any(|function| {
        (0..function.constants.len())
            .any(|id| names_object(function, &Operand::constant(raddle_ir::ConstantId(id as u32))))
    });
    if !has_any {
        return false;
    }
    let returning = functions_that_return_pointers(program);
    program.functions.iter().enumerate().any(|(index, function)| {
        let is_pointer = |register: &raddle_ir::Register| {
            function.registers.get(register.index()).is_some_and(|info| info.ty == RegisterType::Pointer)
        };
        function.code.iter().any(|inst| {
            // An access at such a number.
            if let Inst::Load { address, .. }
            | Inst::Store { address, .. }
            | Inst::Update { address, .. }
            | Inst::CompareExchange { address, .. } = inst
                && names_object(function, address)
            {
                return true;
            }
            let as_pointer = match inst {
                Inst::Compare { pointers, .. } => *pointers,
                Inst::Store { width, .. } | Inst::CompareExchange { width, .. } => {
                    matches!(width, Width::Pointer)
                }
                Inst::Call(call) => match call.callee {
                    Callee::Direct(callee) => {
                        let target = program.function(callee);
                        let parameter = |register: &raddle_ir::Register| {
                            let info = target.registers.get(register.index());
                            info.is_none_or(|info| info.ty == RegisterType::Pointer)
                        };
                        let known = target.parameters.iter().zip(&call.arguments);
                        let passed = known
                            .filter(|(register, _)| parameter(register))
                            .any(|(_, argument)| names_object(function, argument));
                        let others = call.arguments.iter().skip(target.parameters.len());
                        return passed || others.into_iter().any(|other| names_object(function, other));
                    }
                    Callee::Indirect(_) => true,
                },
                Inst::Return { .. } => returning.contains(&FunctionId::new(index)),
                // What moves a value to a pointer register.
                _ => {
                    let mut to_pointer = false;
                    inst.for_each_destination(|register| to_pointer |= is_pointer(&register));
                    to_pointer
                }
            };
            let mut found = false;
            if as_pointer {
                inst.for_each_operand(|operand| found |= names_object(function, &operand));
            }
            found
        })
    })
}

/// Functions of which a call keeps the result as a pointer, or whose calls are not known.
fn functions_that_return_pointers(program: &Program) -> FxHashSet<FunctionId> {
    let mut found = FxHashSet::default();
    for function in &program.functions {
        for constant in &function.constants {
            if let Constant::Function(id) = constant {
                found.insert(*id);
            }
        }
        for inst in &function.code {
            if let Inst::Call(call) = inst
                && let Callee::Direct(callee) = call.callee
                && call
                    .results
                    .iter()
                    .any(|register| function.registers[register.index()].ty == RegisterType::Pointer)
            {
                found.insert(callee);
            }
        }
    }
    for relocation in program.globals.iter().flat_map(|global| &global.initializer.relocations) {
        if let raddle_ir::SymbolTarget::Function(id) = relocation.target {
            found.insert(id);
        }
    }
    found
}
