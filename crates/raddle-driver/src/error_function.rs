//! Whether every call of an error function is seen: SV-COMP's property `unreach-call` is about calls of `reach_error`,
//! whatever the function does, and the row `assert` about assertions that fail. Where the program has a body of its own for
//! the error function, the two agree only if that body begins with an assertion that always fails.
//!
//! The check is a walk through straight-line code: into direct calls and along jumps, up to the first fault. Anything else
//! (a branch, a return, an indirect call) counts as a body that may not fail.

use raddle_ir::{Callee, FunctionId, Inst, KernelOp, Program};

/// Calls that are followed.
const DEEPEST: usize = 8;
/// Instructions that are followed.
const LONGEST: usize = 1000;

/// Why a proof of the row `assert` says nothing of calls of the function; nothing if it does.
pub fn unseen_calls(program: &Program, name: &str) -> Option<String> {
    let own =
        program.functions.iter().enumerate().filter(|(_, function)| {
            function.name == name && !function.library && !function.blocks.is_empty()
        });
    let mut silent = own.filter(|(index, _)| {
        let mut budget = LONGEST;
        walk(program, FunctionId(*index as u32), DEEPEST, &mut budget) != Walk::Fails
    });
    let (_, function) = silent.next()?;
    let place = function.place;
    Some(format!(
        "the body of `{name}` at {}:{} does not begin with an assertion that fails, so its calls are no violations here; \
         remove the body",
        program.file(place.file),
        place.line
    ))
}

#[derive(PartialEq, Eq)]
enum Walk {
    /// Every execution reaches a fault.
    Fails,
    /// Every execution returns.
    Returns,
    Unclear,
}

fn walk(program: &Program, id: FunctionId, depth: usize, budget: &mut usize) -> Walk {
    let function = program.function(id);
    let Some(mut block) = function.blocks.first() else { return Walk::Unclear };
    let mut pc = block.start;
    while pc < block.end && *budget > 0 {
        *budget -= 1;
        match &function.code[pc as usize] {
            Inst::Kernel { op: KernelOp::Fault, .. } if function.library => return Walk::Fails,
            Inst::Kernel { .. } | Inst::Unsupported { .. } => return Walk::Unclear,
            Inst::Call(call) => {
                let Callee::Direct(callee) = call.callee else { return Walk::Unclear };
                if depth == 0 {
                    return Walk::Unclear;
                }
                match walk(program, callee, depth - 1, budget) {
                    Walk::Returns => {}
                    other => return other,
                }
            }
            Inst::Jump { target } => {
                block = &function.blocks[target.0 as usize];
                pc = block.start;
                continue;
            }
            Inst::Return { .. } => return Walk::Returns,
            Inst::Branch { .. } | Inst::Switch(_) | Inst::IndirectJump { .. } | Inst::Unreachable => {
                return Walk::Unclear;
            }
            _ => {}
        }
        pc += 1;
    }
    Walk::Unclear
}
