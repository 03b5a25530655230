//! Calls through a pointer to a function of another type (C11 6.5.2.2, paragraph 9: undefined).
//!
//! Types that a call sequence does not distinguish are not distinguished here either, since programs rely on that:
//! all pointers are alike, integers are as long as pointers or not, an argument too many is ignored by the function,
//! and a result that is not used may be missing. Calls by library functions are not checked: start routines of
//! threads that take no argument, comparison functions and the like are given to them by casts everywhere.

use raddle_ir::{Call, Constant, Function, Inst, Operand, OperandKind, Program, RegisterType};

/// What registers of a call hold, as far as the call sequence distinguishes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Integer { bits: u8 },
    Float,
    Double,
}

fn class(ty: RegisterType, pointer_bits: u8) -> Class {
    match ty {
        // Shorter ones are extended by the caller.
        RegisterType::Int(bits) => Class::Integer { bits: bits.max(32) },
        RegisterType::Pointer => Class::Integer { bits: pointer_bits },
        RegisterType::Float => Class::Float,
        RegisterType::Double => Class::Double,
    }
}

/// A constant's bits may be of any type.
fn class_of(program: &Program, function: &Function, operand: Operand) -> Option<Class> {
    let pointer_bits = program.data_model.pointer_bits();
    match operand.kind() {
        OperandKind::Register(r) => Some(class(function.registers[r.index()].ty, pointer_bits)),
        OperandKind::Constant(c) => match function.constants[c.index()] {
            Constant::Global(..) | Constant::Function(_) => Some(Class::Integer { bits: pointer_bits }),
            _ => None,
        },
    }
}

/// What is given serves where the other is expected.
fn serves(given: Class, expected: Class) -> bool {
    match (given, expected) {
        (Class::Integer { bits }, Class::Integer { bits: needed }) => bits >= needed,
        (given, expected) => given == expected,
    }
}

/// What a function takes and gives, found once.
#[derive(Clone, Debug)]
pub(crate) struct CallTypes {
    parameters: Box<[Class]>,
    /// By the first return; `None` where that one gives a constant.
    results: Box<[Option<Class>]>,
}

impl CallTypes {
    pub fn of(program: &Program, function: &Function) -> CallTypes {
        let pointer_bits = program.data_model.pointer_bits();
        let parameters = function.parameters.iter();
        let returned = function.code.iter().find_map(|inst| match inst {
            Inst::Return { values } => Some(&values[..]),
            _ => None,
        });
        CallTypes {
            parameters: parameters.map(|r| class(function.registers[r.index()].ty, pointer_bits)).collect(),
            results: returned.unwrap_or_default().iter().map(|v| class_of(program, function, *v)).collect(),
        }
    }

    /// Whether a call may go to the function.
    pub fn fits(&self, program: &Program, caller: &Function, call: &Call) -> bool {
        let pointer_bits = program.data_model.pointer_bits();
        call.arguments.len() >= self.parameters.len()
            && self.parameters.iter().zip(&call.arguments).all(|(expected, argument)| {
                class_of(program, caller, *argument).is_none_or(|given| serves(given, *expected))
            })
            && self.results.iter().zip(&call.results).all(|(given, register)| {
                let expected = class(caller.registers[register.index()].ty, pointer_bits);
                given.is_none_or(|given| serves(given, expected))
            })
    }
}
