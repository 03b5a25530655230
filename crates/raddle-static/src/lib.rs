//! Static inference of race freedom: does every two conflicting accesses of any run, by any number of threads and for any
//! input, have something that keeps them apart?
//!
//! | | |
//! |---|---|
//! | `program_facts` | which functions run once or in created threads, fresh blocks |
//! | `locks` | which functions take and give back locks, and what damages a lock |
//! | `value`, `state`, `step`, `calls`, `kernel_operations`, `interpret` | what each thread may do, with the locks that it surely holds |
//! | `threads` | which threads may run beside which |
//! | `assumed` | facts that a pass assumes and the next one verifies |
//! | `pairs` | race-freedom types: what keeps two accesses apart |
//! | `guarded_accesses` | accesses that no other thread can conflict with, marked for reductions |
//!
//! The type system is that of Flanagan and Freund, *Type-based race detection for Java* (PLDI 2000), inferred; what counts as
//! a race is what `raddle-machine`'s race monitor reports. See the README of this crate for what it proves and misses.
//!
//! `annotations` checks declared guards against the same interpretation.
//!
//! `atomicity` infers from the same interpretation which functions are atomic.
//!
//! `lint` is another analysis over the same facts, for `raddle lint`: it finds candidates and proves nothing.
//!
//! Absent here: violations. A pair that is not kept apart may be a race or not, and what the lint finds may be a defect or not.

pub mod annotations;
mod assumed;
pub mod atomicity;
mod calls;
mod guarded_accesses;
mod interpret;
mod kernel_operations;
pub mod lint;
mod locks;
mod members;
mod pairs;
mod program_facts;
mod record;
mod state;
mod step;
mod threads;
mod value;

use std::sync::Arc;

use raddle_analysis::{Liveness, ObjectKind, Objects};
use raddle_ir::{FunctionId, Program};

pub use guarded_accesses::{Guarded, guarded_accesses, mark_guarded};
use interpret::Interpreter;
use locks::LockFunctions;
use program_facts::ProgramFacts;

/// Passes until the assumed facts hold, at most.
const MOST_PASSES: usize = 12;

/// An instruction of the program.
pub type CodePlace = (FunctionId, u32);

/// Two accesses that nothing is known to keep apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Untyped {
    pub first: CodePlace,
    pub second: CodePlace,
    /// Which of them writes.
    pub writes: (bool, bool),
    /// What both may touch.
    pub object: String,
    /// What they have in common, and lack.
    pub why: &'static str,
}

/// What was inferred of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RaceFreedom {
    /// All pairs of conflicting accesses are kept apart, in every run without a memory fault.
    Typed(Measure),
    /// These pairs are not.
    Open(Vec<Untyped>),
    /// Nothing was inferred: why, and where.
    GaveUp(Vec<(String, CodePlace)>),
}

/// How large the inference was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measure {
    pub accesses: usize,
    /// Threads beside the first, as far as they have names.
    pub threads: usize,
    pub passes: usize,
    /// What was interpreted.
    pub functions: Vec<FunctionId>,
}

/// Infers what keeps the conflicting accesses of a program apart.
pub fn infer(program: &Arc<Program>) -> RaceFreedom {
    let objects = Objects::of(program);
    let facts = ProgramFacts::of(program, &objects);
    let locks = LockFunctions::of(program, &objects);
    let liveness = Liveness::new(program.clone());
    let mut interpreter = Interpreter::new(program, &objects, &facts, &locks, &liveness);
    let passes = match interpreter.settle() {
        Ok(passes) => passes,
        Err(obstacles) => return RaceFreedom::GaveUp(obstacles),
    };
    let Some(open) = interpreter.open_pairs() else {
        let why = "there are too many accesses to compare".to_string();
        return RaceFreedom::GaveUp(vec![(why, (program.entry, 0))]);
    };
    if open.is_empty() {
        let accesses = interpreter.accesses.list.len();
        let functions = interpreter.functions();
        return RaceFreedom::Typed(Measure {
            accesses,
            threads: interpreter.threads.count() - 1,
            passes,
            functions,
        });
    }
    let described = open.into_iter().map(|pair| Untyped {
        first: pair.first,
        second: pair.second,
        writes: pair.writes,
        object: name(program, objects.kind(pair.object)),
        why: match (pair.locked, pair.atomic) {
            (_, (true, false) | (false, true)) => "one of them is atomic, the other is not",
            ((true, true), _) => "they hold no lock in common",
            ((true, false) | (false, true), _) => "one of them holds no lock",
            _ => "they hold no lock",
        },
    });
    RaceFreedom::Open(described.collect())
}

impl Interpreter<'_> {
    /// Passes until nothing is refuted; how many, or why there is no end.
    fn settle(&mut self) -> Result<usize, Vec<(String, CodePlace)>> {
        let mut passes = 0;
        loop {
            passes += 1;
            let holds = self.pass();
            if self.gave_up() {
                return Err(self.obstacles.iter().map(|o| (o.what.clone(), o.at)).collect());
            }
            if holds {
                return Ok(passes);
            }
            if passes >= MOST_PASSES {
                let why = "what the threads rely on does not settle".to_string();
                return Err(vec![(why, (self.program.entry, 0))]);
            }
        }
    }
}

fn name(program: &Program, object: ObjectKind) -> String {
    match object {
        ObjectKind::Global(id) | ObjectKind::ThreadLocal(id) => format!("`{}`", program.global(id).name),
        ObjectKind::Stack(function, pc) => {
            let body = program.function(function);
            let of = body.locals.iter().find(|local| match local.storage {
                raddle_ir::Storage::Memory(register) => {
                    matches!(&body.code[pc as usize], raddle_ir::Inst::Alloca { destination, .. } if *destination == register)
                }
                _ => false,
            });
            of.map_or(format!("a local of `{}`", body.name), |local| format!("`{}`", local.name))
        }
        ObjectKind::Heap(function, pc) => {
            let line = program.function(function).places.get(pc as usize).map_or(0, |place| place.line);
            format!("the block allocated in `{}`, line {line}", program.function(function).name)
        }
        ObjectKind::Arguments(_) | ObjectKind::Unknown | ObjectKind::Function(_) => "memory".into(),
    }
}
