//! Atomicity types, inferred: which functions are atomic in every run, for any number of threads and any input.
//!
//! Flanagan and Qadeer, *A type and effect system for atomicity* (PLDI 2003), with inference after Flanagan, Freund and
//! Lifshin, *Type inference for atomicity* (TLDI 2005), over the calls, locks and threads of the race-freedom types:
//!
//! | | |
//! |---|---|
//! | `kind` | atomicities and their algebra |
//! | `recorder`, `notes` | the steps of each call, from the abstract interpretation |
//! | `movers` | which steps are movers |
//! | `solve` | the least solution |
//! | `guards` | what guards each variable |
//!
//! What it means: a function that is typed atomic has no call, in any run in which that call returns, of which a path of
//! conflicts leads from one step through another thread to a later step. So each run has an equivalent one in which the call
//! is not interrupted.
//!
//! Differences from the paper: nothing is declared; the guards are those of the comparison of accesses; locks that are tried
//! are not movers; library models are taken by their bodies. Where the race-freedom types give up, nothing is typed.
//!
//! It misses (a function is then called compound and may be atomic): semaphores and barriers as locks; accesses that only
//! values keep apart, such as a flag that says whose turn it is; reads that are tested again before they count
//! (compare-exchange loops: "pure" blocks of Flanagan, Freund and Qadeer, 2005).

mod guards;
pub(crate) mod kind;
pub(crate) mod movers;
pub(crate) mod notes;
pub(crate) mod recorder;
mod solve;

use std::collections::BTreeMap;
use std::sync::Arc;

use raddle_analysis::{Liveness, ObjectKind, Objects};
use raddle_ir::{FunctionId, Program};

pub use guards::{Guard, MemberGuard};
pub use kind::Kind;

use crate::CodePlace;
use crate::annotations::{Annotation, Violation};
use crate::interpret::Interpreter;
use crate::locks::LockFunctions;
use crate::program_facts::ProgramFacts;
use crate::record::Point;
use crate::state::{HeldLock, LockPlace};
use kind::Phase;
use movers::Movers;
use recorder::{CallId, LockAct, Noted, Recorder, Step};
use solve::Flow;

/// The atomicity of a function of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionType {
    pub function: FunctionId,
    /// Of all its calls; `None`: none of them returns.
    pub kind: Option<Kind>,
    /// With a lock held by the caller, and the atomicity of these calls and of the others.
    pub conditional: Option<(String, Kind, Kind)>,
    /// Why a call is not atomic.
    pub interruption: Option<Interruption>,
    /// Variables that are locks which all callers hold, as C text; calls while no other thread runs apart.
    pub requires: Vec<String>,
}

impl FunctionType {
    /// Whether every call that returns is atomic.
    pub fn is_atomic(&self) -> bool {
        self.kind.is_none_or(Kind::is_atomic)
    }

    /// As people read it: `m ? both-mover : atomic`.
    pub fn text(&self) -> String {
        match (&self.conditional, self.kind) {
            (Some((lock, held, not)), _) => format!("{lock} ? {held} : {not}"),
            (None, Some(kind)) => kind.to_string(),
            (None, None) => "does not return".into(),
        }
    }
}

/// Two places of one call between which another thread can come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interruption {
    pub first: (CodePlace, String),
    pub second: (CodePlace, String),
    /// What another thread does.
    pub other: Option<(CodePlace, String)>,
}

/// What was inferred.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atomicities {
    Inferred {
        /// The program's own functions that some run may call, ascending.
        functions: Vec<FunctionType>,
        /// The variables that several threads access.
        guards: Vec<Guard>,
        /// What guards members of structures in all their instances.
        members: Vec<MemberGuard>,
        /// Annotations that do not hold.
        violations: Vec<Violation>,
    },
    /// Nothing was inferred: why, and where.
    GaveUp(Vec<(String, CodePlace)>),
}

/// Infers the atomicities of a program's functions.
pub fn atomicities(program: &Arc<Program>) -> Atomicities {
    types(program, &[])
}

/// The same, and checks what the program declares.
pub fn types(program: &Arc<Program>, annotations: &[Annotation]) -> Atomicities {
    let objects = Objects::of(program);
    let facts = ProgramFacts::of(program, &objects);
    let locks = LockFunctions::of(program, &objects);
    let liveness = Liveness::new(program.clone());
    let mut interpreter = Interpreter::new(program, &objects, &facts, &locks, &liveness);
    interpreter.recorder = Some(Box::default());
    if let Err(obstacles) = interpreter.settle() {
        return Atomicities::GaveUp(obstacles);
    }
    let recorder = interpreter.recorder.take().unwrap_or_default();
    let Some(movers) = Movers::of(&interpreter, &recorder) else {
        let why = "there are too many accesses to compare".to_string();
        return Atomicities::GaveUp(vec![(why, (program.entry, 0))]);
    };
    let flows = solve::solve(&interpreter, &recorder, &movers);
    let mut calls: BTreeMap<FunctionId, Vec<CallId>> = BTreeMap::new();
    for call in &recorder.reached {
        let function = recorder.calls[call.index()].function;
        if !program.function(function).library {
            calls.entry(function).or_default().push(*call);
        }
    }
    let typed = Typed { interpreter: &interpreter, recorder: &recorder, movers: &movers, flows: &flows };
    let functions = calls.iter().map(|(function, calls)| typed.function(*function, calls)).collect();
    let violations = crate::annotations::check(&interpreter, &recorder, annotations);
    let guards = guards::guards(&interpreter, &recorder);
    let members = guards::member_guards(&interpreter, &recorder);
    Atomicities::Inferred { functions, guards, members, violations }
}

struct Typed<'a> {
    interpreter: &'a Interpreter<'a>,
    recorder: &'a Recorder,
    movers: &'a Movers<'a>,
    flows: &'a [Option<Flow>],
}

impl Typed<'_> {
    fn function(&self, function: FunctionId, calls: &[CallId]) -> FunctionType {
        let flows: Vec<(CallId, Flow)> =
            calls.iter().filter_map(|call| Some((*call, self.flows[call.index()]?))).collect();
        let broken = flows.iter().find_map(|(_, flow)| flow.broken);
        let all = |wanted: &dyn Fn(CallId) -> bool| {
            let chosen = flows.iter().filter(|(call, _)| wanted(*call)).map(|(_, flow)| flow.effect);
            chosen.reduce(|a, b| a.or(b)).map(|effect| effect.kind())
        };
        let kind = all(&|_| true);
        // The lock with which the atomicity is least.
        let mut locks: Vec<HeldLock> =
            flows.iter().flat_map(|(call, _)| &self.recorder.calls[call.index()].locks).copied().collect();
        locks.sort();
        locks.dedup();
        let mut conditional: Option<(String, Kind, Kind)> = None;
        for lock in locks.iter().filter(|lock| !lock.shared) {
            let holds = |call: CallId| {
                let entry = &self.recorder.calls[call.index()];
                entry.locks.iter().any(|held| held.place == lock.place && !held.shared)
            };
            if let (Some(held), Some(not)) = (all(&|call| holds(call)), all(&|call| !holds(call)))
                && held < not
                && conditional.as_ref().is_none_or(|(_, best, _)| held < *best)
            {
                conditional = Some((self.interpreter.lock_text(lock.place), held, not));
            }
        }
        let broken = broken.filter(|_| kind.is_some_and(|kind| !kind.is_atomic()));
        let interruption = broken.map(|pair| self.interruption(pair));
        FunctionType { function, kind, conditional, interruption, requires: self.requires(calls) }
    }

    fn requires(&self, calls: &[CallId]) -> Vec<String> {
        let entries =
            || calls.iter().map(|call| &self.recorder.calls[call.index()]).filter(|entry| !entry.alone);
        let Some(first) = entries().next() else { return Vec::new() };
        let is_variable = |held: &&HeldLock| match held.place {
            LockPlace::At(object, _) => {
                !held.shared && matches!(self.interpreter.objects.kind(object), ObjectKind::Global(_))
            }
            LockPlace::Named(_) => false,
        };
        let holds = |held: &&HeldLock| {
            entries().all(|entry| entry.locks.iter().any(|other| other.place == held.place && !other.shared))
        };
        let common = first.locks.iter().filter(is_variable).filter(holds);
        common.map(|held| self.interpreter.lock_text(held.place)).collect()
    }

    fn interruption(&self, (first, second): (Noted, Noted)) -> Interruption {
        let other = [second, first].into_iter().find_map(|noted| self.conflicting(&noted));
        Interruption {
            first: (first.user, self.described(&first)),
            second: (second.user, self.described(&second)),
            other,
        }
    }

    /// What another thread may do just before or after a step.
    fn conflicting(&self, noted: &Noted) -> Option<(Point, String)> {
        match noted.step {
            Step::Access { number, .. } => {
                let partner = self.movers.partner(number)?;
                let verb = if partner.access.write { "writes" } else { "reads" };
                let what = self.interpreter.places_text(&partner.access);
                Some((partner.access.user, format!("another thread {verb} {what}")))
            }
            Step::Lock(number) => {
                let other = self.movers.other_use(number)?;
                let verb = match other.act {
                    LockAct::Takes { .. } => "takes",
                    LockAct::Gives { .. } => "releases",
                    LockAct::Waits => "waits with",
                    LockAct::Remakes => "initialises or destroys",
                };
                let what = self.interpreter.places_text(&other.access);
                Some((other.access.user, format!("another thread {verb} {what}")))
            }
            _ => None,
        }
    }

    fn described(&self, noted: &Noted) -> String {
        match noted.step {
            Step::Access { number, many } => {
                let access = &self.recorder.accesses[number as usize].access;
                let verb = if access.write { "writes" } else { "reads" };
                let what = self.interpreter.places_text(access);
                format!("{verb} {what}{}", if many { ", word by word" } else { "" })
            }
            Step::Lock(number) => {
                let lock = &self.recorder.locks[number as usize];
                let name = self.interpreter.places_text(&lock.access);
                let effect = self.movers.effect(noted);
                let seen = effect.at_start() > Phase::Before && effect.once_committed() == Phase::Broken;
                let verb = if matches!(lock.act, LockAct::Takes { .. }) { "takes" } else { "releases" };
                format!("{verb} {name}{}", if seen { ", which other threads may see" } else { "" })
            }
            Step::Create => "creates a thread".into(),
            Step::Join { .. } => "waits for the end of a thread".into(),
            Step::Wait => "waits, which releases the mutex and takes it again".into(),
            Step::Other | Step::SectionEnd | Step::Call(_) => "does what other threads may see".into(),
        }
    }
}
