//! The call graph: direct calls, and functions whose address is taken.

use raddle_ir::{Call, Callee, Constant, FunctionId, Inst, Program, SymbolTarget};

/// The callee of a call, if it is known.
pub(crate) fn direct(inst: &Inst) -> Option<(usize, &Call)> {
    let Inst::Call(call) = inst else { return None };
    match call.callee {
        Callee::Direct(callee) => Some((callee.index(), call)),
        Callee::Indirect(_) => None,
    }
}

/// Functions that can be executed at all: those that the entry or an initialised global leads to.
pub(crate) fn reachable(program: &Program) -> Vec<bool> {
    let mut open = vec![program.entry.index()];
    open.extend(in_globals(program));
    closure(program, open, |f| constants(program, f))
}

/// Functions that a created thread may run: all whose address is taken, and what they call.
pub(crate) fn run_by_threads(program: &Program) -> Vec<bool> {
    let mut open: Vec<usize> = (0..program.functions.len()).flat_map(|f| constants(program, f)).collect();
    open.extend(in_globals(program));
    closure(program, open, |_| Vec::new())
}

/// By function: it has an instruction of this kind, or calls one that has.
pub(crate) fn with(program: &Program, has: impl Fn(&Inst) -> bool) -> Vec<bool> {
    let mut found: Vec<bool> = program.functions.iter().map(|f| f.code.iter().any(&has)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (index, function) in program.functions.iter().enumerate() {
            if !found[index] && function.code.iter().filter_map(direct).any(|(callee, _)| found[callee]) {
                found[index] = true;
                changed = true;
            }
        }
    }
    found
}

/// Whether a call of a function may lead to another call of it before it returns.
pub(crate) fn is_recursive(program: &Program, function: usize) -> bool {
    let is_indirect =
        |inst: &Inst| matches!(inst, Inst::Call(call) if matches!(call.callee, Callee::Indirect(_)));
    let taken = |f: usize| -> Vec<usize> {
        if !program.functions[f].code.iter().any(is_indirect) {
            return Vec::new();
        }
        (0..program.functions.len()).flat_map(|f| constants(program, f)).chain(in_globals(program)).collect()
    };
    let mut open: Vec<usize> =
        program.functions[function].code.iter().filter_map(direct).map(|(callee, _)| callee).collect();
    open.extend(taken(function));
    closure(program, open, taken)[function]
}

fn in_globals(program: &Program) -> impl Iterator<Item = usize> {
    let relocations = program.globals.iter().flat_map(|g| &g.initializer.relocations);
    relocations.filter_map(|r| match r.target {
        SymbolTarget::Function(function) => Some(function.index()),
        _ => None,
    })
}

/// The functions whose address a function takes.
fn constants(program: &Program, function: usize) -> Vec<usize> {
    let index = |c: &Constant| match c {
        Constant::Function(f) => Some(FunctionId::index(*f)),
        _ => None,
    };
    program.functions[function].constants.iter().filter_map(index).collect()
}

/// All that these functions call, and `further` of each of them.
fn closure(program: &Program, mut open: Vec<usize>, further: impl Fn(usize) -> Vec<usize>) -> Vec<bool> {
    let mut reached = vec![false; program.functions.len()];
    while let Some(function) = open.pop() {
        if !std::mem::replace(&mut reached[function], true) {
            open.extend(program.functions[function].code.iter().filter_map(direct).map(|(callee, _)| callee));
            open.extend(further(function));
        }
    }
    reached
}
