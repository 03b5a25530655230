//! The lint: an interprocedural analysis of locks, threads and shared accesses that never gives up, and the rules that read it.
//!
//! | | |
//! |---|---|
//! | `symbols`, `describe` | names of values: paths to locks and variables; as C text |
//! | `roles` | what library functions do, as they declare or as their bodies show |
//! | `state`, `step`, `calls`, `loops`, `interpret` | each thread start, with the locks that it holds |
//! | `events` | what the rules read |
//! | `facts` | which threads run beside which, which names mean one object |
//! | `rules` | a file a rule, or a family of rules |
//!
//! The ideas: locksets (Savage et al., *Eraser*, 1997), lock paths relative to a base (Flanagan and Freund, *Type-based race
//! detection for Java*, 2000), high-level races by views (Artho, Havelund and Biere, 2003; von Praun and Gross, 2004), beliefs
//! by majority (Engler et al., *Bugs as deviant behavior*, 2001).
//!
//! Neither sound nor complete: names of values are taken for the values, joins are optimistic, arrays count as one element,
//! and a function without a body or model has no effect. A finding is `possible` until an execution confirms it; nothing is
//! proved here.

mod calls;
mod describe;
mod events;
mod facts;
mod interpret;
mod loops;
mod roles;
mod rules;
mod state;
mod step;
mod symbols;

use raddle_analysis::Objects;
use raddle_ir::{Callee, FunctionId, Inst, Program};
use raddle_trace::{LintLevel, LintRule};

use crate::CodePlace;
use crate::locks::LockFunctions;
use interpret::{Interpreter, RootKind};
use roles::Roles;
use symbols::Symbol;

/// A place of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    pub role: String,
    pub at: CodePlace,
    pub locks: Vec<String>,
    /// The calls that lead here, innermost first.
    pub calls: Vec<CodePlace>,
}

/// What the lint takes for a defect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub rule: LintRule,
    pub level: LintLevel,
    pub message: String,
    pub spots: Vec<Spot>,
}

/// The result of the lint.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Linted {
    pub candidates: Vec<Candidate>,
    /// Functions without a body that the program's own code calls.
    pub without_model: Vec<FunctionId>,
    /// The program's own functions of which a limit left calls or threads out.
    pub cut: Vec<FunctionId>,
}

/// The effort of the points-to analysis: where it is not complete, some names of objects and targets of calls are missing.
const MOST_EFFORT: u64 = 40_000_000;

/// Lints a program. `exported`: in the place of a `main`, the functions that others call, possibly several at a time.
pub fn lint(program: &Program, exported: &[FunctionId]) -> Linted {
    let (objects, _) = Objects::within(program, MOST_EFFORT);
    let locks = LockFunctions::of(program, &objects);
    let roles = Roles::of(program, &objects, &locks);
    let mut interpreter = Interpreter::new(program, &objects, &roles);
    interpreter.root(program.entry, Symbol::UNKNOWN, RootKind::First);
    for function in exported {
        interpreter.root(*function, Symbol::UNKNOWN, RootKind::Exported);
    }
    interpreter.run();
    // What nothing known leads to is judged alone.
    for (index, function) in program.functions.iter().enumerate() {
        if !function.library && function.has_body() && interpreter.entered[index].is_empty() {
            interpreter.root(FunctionId::new(index), Symbol::UNKNOWN, RootKind::Unreached);
            interpreter.run();
        }
    }
    let candidates = rules::all(&mut interpreter, &locks);
    let own = |id: &FunctionId| !program.function(*id).library;
    let cut = interpreter.cut.iter().copied().filter(own).collect();
    Linted { candidates, without_model: without_model(program), cut }
}

fn without_model(program: &Program) -> Vec<FunctionId> {
    let mut found: Vec<FunctionId> = Vec::new();
    for inst in program.functions.iter().filter(|f| !f.library).flat_map(|f| &f.code) {
        if let Inst::Call(call) = inst
            && let Callee::Direct(callee) = call.callee
            && !program.function(callee).has_body()
        {
            found.push(callee);
        }
    }
    found.sort();
    found.dedup();
    found
}
