//! What an answer covers: the user's functions that were entered, the threads that were created, and warnings where a proof
//! is about less than its reader would think.

use raddle_ir::{Constant, FunctionId, Inst, KernelOp};
use raddle_trace::{PropertyResult, Reached, Verdict};

use crate::program::Loaded;

/// Functions that a warning names.
const NAMED: usize = 3;

/// Whether the program can fail an assertion at all.
pub fn has_assertions(program: &raddle_ir::Program) -> bool {
    let fails = |inst: &Inst, constants: &[Constant]| {
        let Inst::Kernel { op: KernelOp::Fault, arguments, .. } = inst else { return false };
        let which = arguments.first().and_then(|operand| operand.as_constant());
        // 1: RADDLE_ASSERT of kernel.h; what is computed may be it.
        which.is_none_or(|id| constants.get(id.index()) == Some(&Constant::Bits(1)))
    };
    program.functions.iter().any(|f| f.code.iter().any(|inst| fails(inst, &f.constants)))
}

/// After the engines have run; `rows` are theirs.
pub fn reached(loaded: &Loaded, reached: &raddle_machine::Coverage, rows: &[PropertyResult]) -> Reached {
    let program = &loaded.program;
    let own = program.functions.iter().enumerate().map(|(i, f)| (FunctionId::new(i), f));
    let own = own.filter(|(id, f)| {
        // The entry is made by the linker, and what evaluates the user's expressions is not the program's own.
        !f.library && f.has_body() && *id != program.entry && !loaded.kept.contains(&f.name)
    });
    let (entered, missed): (Vec<_>, Vec<_>) = own.partition(|(id, _)| reached.has_entered(*id));
    let threads = reached.threads() as u64;
    let proved = |row: &PropertyResult| row.verdict() == Verdict::Proved;
    let mut warnings = Vec::new();
    if rows.iter().any(proved) {
        let names: Vec<String> = missed.iter().take(NAMED).map(|(_, f)| format!("`{}`", f.name)).collect();
        let more = if missed.len() > NAMED { ", ..." } else { "" };
        let creates = program
            .functions
            .iter()
            .any(|f| f.code.iter().any(|inst| matches!(inst, Inst::Kernel { op: KernelOp::Spawn, .. })));
        if loaded.main_has_arguments && (!missed.is_empty() || creates && threads == 0) {
            let what = if missed.is_empty() {
                "no thread was created".to_string()
            } else {
                format!("{} function(s) were never entered ({}{more})", missed.len(), names.join(", "))
            };
            warnings.push(format!(
                "`main` reads its arguments but was called with argc = {}; {what}; executions with other arguments are not \
                 covered (--args sets them)",
                loaded.argument_count
            ));
        }
        if reached.is_vacuous() {
            warnings.push(
                "assumptions blocked every execution that was run before its end: the proof may be about none".into(),
            );
        }
        if threads == 0 {
            warnings.push("no thread was created: the proof covers a sequential program only".into());
        }
    }
    Reached {
        functions_reached: entered.len() as u64,
        functions_defined: loaded.defined.max(entered.len() + missed.len()) as u64,
        threads_created: threads,
        complete: rows.iter().any(proved),
        warnings,
    }
}
