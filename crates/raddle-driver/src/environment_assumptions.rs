//! What a program's environment is taken to be: the answers that library models fix, and the arguments of `main`.
//!
//! Models declare it themselves (`__raddle_fixed` in `raddle-clang/models/kernel.h`). Only what can be reached from `main` is in a
//! program, so what is in it is reached, as far as the call graph shows; a function whose result no call of the
//! program uses decides nothing by it.

use std::collections::HashSet;

use raddle_ir::{
    Callee, Constant, Function, FunctionId, Inst, KernelOp, Operand, Program, Register, SymbolTarget,
};

/// What begins so is no assumption but a bound: behaviour that is left out where functions of the program are called back.
const LEFT_OUT: &str = "bound with callbacks: ";

/// The sentences of the models whose fixed answers the program can see, and those about what is left out of its behaviour.
pub fn of_models(program: &Program) -> (Vec<String>, Vec<String>) {
    let (mut fixed, mut left_out) = (Vec::new(), Vec::new());
    for (sentence, function) in marks(program) {
        match sentence.strip_prefix(LEFT_OUT) {
            Some(rest) if may_be_called_back(program, function) => left_out.push(rest.to_string()),
            Some(_) => {}
            None => fixed.push(sentence),
        }
    }
    for sentences in [&mut fixed, &mut left_out] {
        sentences.sort();
        sentences.dedup();
    }
    (fixed, left_out)
}

/// Whether a function of the program may reach a model as a pointer: as an argument of a function that leads to it, or by
/// memory and variables. An address that only goes to other functions of the library does not.
fn may_be_called_back(program: &Program, model: FunctionId) -> bool {
    let mut leading = HashSet::from([model]);
    loop {
        let before = leading.len();
        for (index, function) in program.functions.iter().enumerate().filter(|(_, f)| f.library) {
            let calls = |inst: &Inst| matches!(inst, Inst::Call(call) if matches!(call.callee, Callee::Direct(callee) if leading.contains(&callee)));
            if function.code.iter().any(calls) {
                leading.insert(FunctionId::new(index));
            }
        }
        if leading.len() == before {
            break;
        }
    }
    let own = |target: &FunctionId| !program.function(*target).library;
    let stored = program.globals.iter().filter(|g| !g.library).flat_map(|g| &g.initializer.relocations);
    if stored.into_iter().any(|r| matches!(&r.target, SymbolTarget::Function(target) if own(target))) {
        return true;
    }
    program.functions.iter().filter(|f| !f.library).any(|function| {
        let is_pointer = |operand: Operand| {
            let constant = operand.as_constant().and_then(|id| function.constants.get(id.index()));
            matches!(constant, Some(Constant::Function(target)) if own(target))
        };
        function.code.iter().any(|inst| {
            if let Inst::Call(call) = inst
                && let Callee::Direct(callee) = call.callee
                && program.function(callee).library
                && !leading.contains(&callee)
            {
                return false;
            }
            let mut found = false;
            inst.for_each_operand(|operand| found |= is_pointer(operand));
            found
        })
    })
}

/// The sentences of the models that the program can see, each with its function.
fn marks(program: &Program) -> Vec<(String, FunctionId)> {
    let mut sentences = Vec::new();
    let mut seen: Option<HashSet<FunctionId>> = None;
    for (index, function) in program.functions.iter().enumerate() {
        let marks = function.code.iter().filter_map(|inst| match inst {
            Inst::Kernel { op: KernelOp::Fixed, arguments, .. } => Some(arguments[0]),
            _ => None,
        });
        for mark in marks {
            let seen = seen.get_or_insert_with(|| seen_by_callers(program));
            if seen.contains(&FunctionId::new(index)) {
                sentences.extend(text_of(program, function, mark).map(|text| (text, FunctionId::new(index))));
            }
        }
    }
    sentences
}

/// A string literal.
fn text_of(program: &Program, function: &Function, operand: Operand) -> Option<String> {
    let Constant::Global(global, offset) = function.constants.get(operand.as_constant()?.index())? else {
        return None;
    };
    let bytes = program.global(*global).initializer.bytes.get(usize::try_from(*offset).ok()?..)?;
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    String::from_utf8(bytes[..end].to_vec()).ok()
}

/// Functions without a result, those that models call or whose address is taken, and those of which a call uses the
/// result.
fn seen_by_callers(program: &Program) -> HashSet<FunctionId> {
    let mut seen = HashSet::new();
    for (index, function) in program.functions.iter().enumerate() {
        if function.results == 0 {
            seen.insert(FunctionId::new(index));
        }
        for constant in &function.constants {
            if let Constant::Function(target) = constant {
                seen.insert(*target);
            }
        }
        let used = (!function.library).then(|| used_registers(function));
        for inst in &function.code {
            let Inst::Call(call) = inst else { continue };
            let Callee::Direct(callee) = call.callee else { continue };
            if used.as_ref().is_none_or(|used| call.results.iter().any(|r| used.contains(r))) {
                seen.insert(callee);
            }
        }
    }
    for relocation in program.globals.iter().flat_map(|g| &g.initializer.relocations) {
        if let SymbolTarget::Function(target) = relocation.target {
            seen.insert(target);
        }
    }
    seen
}

/// Registers that something else than a copy into an unused one reads.
fn used_registers(function: &Function) -> HashSet<Register> {
    let mut used = HashSet::new();
    let mut copies = Vec::new();
    for inst in &function.code {
        if let Inst::Copy { destination, source } = inst {
            copies.extend(source.as_register().map(|source| (*destination, source)));
            continue;
        }
        inst.for_each_operand(|operand| used.extend(operand.as_register()));
    }
    loop {
        let before = used.len();
        used.extend(
            copies.iter().filter(|(to, _)| used.contains(to)).map(|(_, from)| *from).collect::<Vec<_>>(),
        );
        if used.len() == before {
            return used;
        }
    }
}

/// Whether `main` uses one of its parameters.
pub fn main_reads_arguments(program: &Program) -> bool {
    let main = program.functions.iter().find(|f| f.name == "main" && !f.library && f.has_body());
    main.is_some_and(|main| {
        let used = used_registers(main);
        main.parameters.iter().any(|parameter| used.contains(parameter))
    })
}
