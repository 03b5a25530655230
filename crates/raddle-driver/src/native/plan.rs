//! The plan of a native replay: the points of the program, the steps that are taken before the failure, and what must then
//! hold. What cannot be controlled natively is refused here, before anything is built.
//!
//! A data race is shown with both threads at their accesses: of the trace, the first access and all that depends on it (later
//! steps of its thread, steps that touch the same bytes, threads that are created by those) is left out. What nothing orders
//! after the first access stays, among it the way to the second. Where that leaves out a step of the second thread (another
//! race on the way), the trace's own order is kept and the run stops at the second access.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_clang::native::{UnitText, insert};
use raddle_ir::{Callee, DataModel, FunctionId, Inst, KernelOp, Program};
use raddle_machine::drive::{Move, ViolationKind};
use raddle_machine::{ChoiceKind, CodePoint, FaultKind, Machine, WaitKind, user_point};

use crate::native::steps::{Accessed, Chosen, Step, Steps, Touched, follow};

/// What must hold when the steps are done; the runtime has the same numbers (`enum raddle_native_goal`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    Deadlock = 1,
    Race,
    /// A race whose first access is made before.
    Order,
    Call,
    Memory,
    Reached,
}

/// A place of the program that the runtime knows.
#[derive(Clone, Debug)]
pub struct Point {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// The library function that is called; empty for a call by pointer.
    pub call: Option<String>,
    pub size: u32,
    pub wrapped: bool,
    pub asserts: bool,
    pub silent: bool,
}

/// A step of the schedule, in the numbers of the runtime.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub thread: u32,
    pub point: u32,
    pub phase: u8,
    pub wrapped: bool,
    pub child: u32,
    pub result: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub thread: u32,
    pub point: u32,
    pub phase: u8,
}

pub struct Plan {
    pub points: Vec<Point>,
    /// For each unit, the offset of each instruction and its point.
    pub inserted: Vec<BTreeMap<u32, u32>>,
    pub turns: Vec<Turn>,
    /// So many turns are taken before the targets can be reached.
    pub from: u32,
    pub targets: Vec<Target>,
    pub goal: Goal,
    /// What the trace calls each thread.
    pub threads: Vec<u32>,
    pub remarks: Vec<String>,
}

/// What a plan is made from.
pub struct Source<'a> {
    pub machine: &'a Machine,
    /// The same program with numbers of instructions in the place of source places.
    pub numbered: &'a Arc<Program>,
    pub texts: &'a [UnitText],
    pub wrapped: &'a BTreeSet<&'static str>,
    pub moves: &'a [Move],
}

/// Functions whose effect on other threads the runtime does not control.
const UNCONTROLLED: [&str; 8] = [
    "pthread_cancel",
    "syscall",
    "signal",
    "sigaction",
    "raise",
    "pthread_kill",
    "sigwait",
    "pthread_setcanceltype",
];
/// Assertions that the runtime itself defines: they fail natively, too.
const ASSERTIONS: [&str; 8] = [
    "__assert_fail",
    "__VERIFIER_assert",
    "__ESBMC_assert",
    "__CPROVER_assert",
    "raddle_assert",
    "__VERIFIER_error",
    "reach_error",
    "assert",
];
/// Beginnings of names of functions whose result is an input.
const INPUTS: [&str; 3] = ["__VERIFIER_nondet_", "nondet_", "raddle_any_"];
/// Traces with more steps are shown in their own order.
const MOST_REORDERED: usize = 20_000;

/// A place in the machine's numbers, at which a thread must be in the end.
struct Wanted {
    thread: u32,
    at: CodePoint,
    phase: u8,
}

/// The plans to try, in this order; `Err` says what cannot be controlled.
pub fn plans(source: &Source, violation: &ViolationKind, moves: usize) -> Result<Vec<Plan>, String> {
    let (steps, state) = follow(source.machine, source.numbered, source.moves, moves)?;
    let machine = source.machine;
    let wanted = |access: &Accessed| Wanted { thread: access.thread, at: access.at, phase: 0 };
    let simple =
        |before: usize, earliest: usize, goal: Goal, targets: Vec<Wanted>| -> Result<Vec<Plan>, String> {
            let kept: Vec<&Step> = steps.steps[..before].iter().collect();
            Ok(vec![finish(source, &steps, &kept, earliest, goal, &targets)?])
        };
    match violation {
        ViolationKind::Fault(fault) => {
            let goal = match fault.kind {
                FaultKind::Assertion => Goal::Call,
                FaultKind::Memory(_) => Goal::Memory,
                FaultKind::Arithmetic(_) | FaultKind::Locks => Goal::Reached,
                FaultKind::Leak => return Err("a leak is no event that a native run comes to".into()),
            };
            let same = |raised: &&crate::native::steps::Raised| {
                raised.fault.user == fault.user
                    && raised.fault.thread == fault.thread
                    && raised.fault.kind == fault.kind
            };
            let raised = steps.raised.iter().find(same).ok_or("the fault was not raised again")?;
            let target = Wanted { thread: raised.thread, at: fault.user, phase: 0 };
            simple(raised.before, raised.earliest, goal, vec![target])
        }
        ViolationKind::Deadlock(deadlock) => {
            let mut targets = Vec::new();
            for (index, blocked) in &deadlock.waits {
                if blocked.kind == WaitKind::AtomicSection {
                    return Err(
                        "a thread waits for the end of an atomic section, which no native lock is".into()
                    );
                }
                let thread = state.thread(*index);
                let at = user_point(machine, thread);
                let phase = steps.is_between(machine, thread) as u8;
                targets.push(Wanted { thread: thread.number, at, phase });
            }
            let all = steps.steps.len();
            simple(all, all, Goal::Deadlock, targets)
        }
        ViolationKind::Race(race) => {
            let access = |sequence: u64| {
                let index = usize::try_from(sequence.checked_sub(1)?).ok()?;
                steps.accesses.get(index).copied().flatten()
            };
            let both = access(race.first.sequence).zip(access(race.second.sequence));
            let same = |(first, second): &(Accessed, Accessed)| {
                first.at == race.first.user && second.at == race.second.user
            };
            let (first, second) =
                both.filter(same).ok_or("one of the two accesses is none of the program's own code")?;
            let end = steps.step_of(&second).unwrap_or(second.before);
            let mut plans = Vec::new();
            if let Some(begin) = steps.step_of(&first).filter(|begin| *begin < end && end <= MOST_REORDERED)
                && let Some(kept) = without(&steps.steps[..end], begin, second.thread)
            {
                let targets = [wanted(&first), wanted(&second)];
                plans.push(finish(source, &steps, &kept, usize::MAX, Goal::Race, &targets)?);
            }
            let kept: Vec<&Step> = steps.steps[..end].iter().collect();
            plans.push(finish(source, &steps, &kept, usize::MAX, Goal::Order, &[wanted(&second)])?);
            Ok(plans)
        }
        ViolationKind::Invariant(_) => {
            Err("an invariant is a property of the model's states; natively it is not \
             evaluated"
                .into())
        }
    }
}

/// The steps that do not depend on the one at `begin`; nothing if a step of `thread` does.
fn without(steps: &[Step], begin: usize, thread: u32) -> Option<Vec<&Step>> {
    let mut kept: Vec<&Step> = steps[..begin].iter().collect();
    let mut gone: BTreeSet<u32> = BTreeSet::from([steps[begin].thread]);
    let mut touched: Vec<Touched> = Vec::new();
    for step in &steps[begin..] {
        let meets = |own: &Touched| {
            touched.iter().any(|other| {
                (own.writes || other.writes)
                    && own.pointer < other.pointer + other.length as u64
                    && other.pointer < own.pointer + own.length as u64
            })
        };
        let depends = gone.contains(&step.thread)
            || step.joined.is_some_and(|joined| gone.contains(&joined))
            || step.touched.iter().any(meets);
        if !depends {
            kept.push(step);
            continue;
        }
        if step.thread == thread {
            return None;
        }
        gone.insert(step.thread);
        gone.extend(step.child);
        touched.extend(&step.touched);
    }
    Some(kept)
}

fn place_of(machine: &Machine, at: CodePoint) -> (String, u32, u32, String) {
    let program = &machine.program;
    let function = program.function(at.function);
    let place = function.places.get(at.pc as usize).copied().filter(|p| p.line > 0).unwrap_or(function.place);
    (program.file(place.file).to_string(), place.line, place.column, function.name.clone())
}

fn described(machine: &Machine, at: CodePoint) -> String {
    let (file, line, column, _) = place_of(machine, at);
    format!("{file}:{line}:{column}")
}

/// The library function that an instruction calls; empty for a call by pointer.
fn called(program: &Program, inst: &Inst) -> Option<String> {
    let Inst::Call(call) = inst else { return None };
    match call.callee {
        Callee::Direct(id) => Some(program.function(id)).filter(|f| f.library).map(|f| f.name.clone()),
        Callee::Indirect(_) => Some(String::new()),
    }
}

/// Whether other threads can see the instruction.
fn is_visible(program: &Program, inst: &Inst) -> bool {
    match inst {
        Inst::Load { access, .. }
        | Inst::Store { access, .. }
        | Inst::Update { access, .. }
        | Inst::CompareExchange { access, .. } => access.visible,
        Inst::MemoryCopy { visible, .. }
        | Inst::MemorySet { visible, .. }
        | Inst::VaStart { visible, .. }
        | Inst::VaCopy { visible, .. }
        | Inst::SetJump { visible, .. }
        | Inst::LongJump { visible, .. } => *visible,
        // Of the accesses that are made in several instructions; the boundaries of atomic sections are no steps.
        Inst::Kernel { op, .. } => matches!(op, KernelOp::Begin | KernelOp::Atomic),
        Inst::Call(_) => called(program, inst).is_some(),
        _ => false,
    }
}

/// The unit and the offset of an instruction; nothing for code without one, such as the copy of an argument.
fn number_of(numbered: &Program, at: CodePoint) -> Option<(usize, u32)> {
    let place = numbered.function(at.function).places.get(at.pc as usize)?;
    Some((place.column.checked_sub(1)? as usize, place.line))
}

/// All points: visible instructions of the program's own code, and the targets.
struct Points {
    points: Vec<Point>,
    inserted: Vec<BTreeMap<u32, u32>>,
}

impl Points {
    fn of(source: &Source, targets: &[Wanted]) -> Points {
        let program = &source.machine.program;
        let mut found = Points { points: Vec::new(), inserted: vec![BTreeMap::new(); source.texts.len()] };
        for (index, function) in program.functions.iter().enumerate() {
            if function.library || function.added {
                continue;
            }
            for (pc, inst) in function.code.iter().enumerate() {
                if is_visible(program, inst) {
                    let at = CodePoint { function: FunctionId::new(index), pc: pc as u32 };
                    found.add(source, at, inst, false);
                }
            }
        }
        for target in targets {
            let function = program.function(target.at.function);
            if let Some(inst) = function.code.get(target.at.pc as usize).filter(|_| !function.library) {
                found.add(source, target.at, inst, true);
            }
        }
        found
    }

    fn add(&mut self, source: &Source, at: CodePoint, inst: &Inst, silent: bool) {
        let Some((unit, offset)) = number_of(source.numbered, at) else { return };
        let Some(text) = source.texts.get(unit) else { return };
        let Some(map) = self.inserted.get_mut(unit) else { return };
        if map.contains_key(&offset) {
            return;
        }
        map.insert(offset, self.points.len() as u32);
        let (file, line, column, function) = place_of(source.machine, at);
        let program = &source.machine.program;
        let call = called(program, inst);
        let rest = text.bytes.get(offset as usize..).unwrap_or_default();
        let first = rest.split(|b| *b == b'\n').next().unwrap_or_default();
        let has_address = insert::address(&String::from_utf8_lossy(first)).is_some();
        let size = match inst {
            Inst::Load { width, .. }
            | Inst::Store { width, .. }
            | Inst::Update { width, .. }
            | Inst::CompareExchange { width, .. }
                if has_address =>
            {
                width.bytes(program.data_model)
            }
            _ => 0,
        };
        self.points.push(Point {
            file,
            line,
            column,
            function,
            wrapped: call.as_deref().is_some_and(|name| is_wrapped(source, name)),
            asserts: call.as_deref().is_some_and(|name| ASSERTIONS.contains(&name)),
            call,
            size,
            silent,
        });
    }

    fn find(&self, source: &Source, at: CodePoint) -> Option<u32> {
        let (unit, offset) = number_of(source.numbered, at)?;
        self.inserted.get(unit)?.get(&offset).copied()
    }
}

/// A wrapped function that the program does not define itself.
pub fn is_wrapped(source: &Source, name: &str) -> bool {
    source.wrapped.contains(name) && !source.texts.iter().any(|text| text.defined.iter().any(|d| d == name))
}

fn finish(
    source: &Source,
    steps: &Steps,
    kept: &[&Step],
    earliest: usize,
    goal: Goal,
    targets: &[Wanted],
) -> Result<Plan, String> {
    let program = &source.machine.program;
    if program.data_model == DataModel::Ilp32 {
        return Err("programs with 32-bit addresses are not built natively".into());
    }
    let mut remarks = Vec::new();
    steps.chosen.iter().try_for_each(|chosen| check_choice(source, chosen, &mut remarks))?;
    let points = Points::of(source, targets);
    let mut threads = vec![1u32];
    let mut index = |number: u32| -> u32 {
        let found = threads.iter().position(|known| *known == number);
        found.unwrap_or_else(|| {
            threads.push(number);
            threads.len() - 1
        }) as u32
    };
    let mut turns = Vec::new();
    let mut from = None;
    for (number, step) in kept.iter().enumerate() {
        if number == earliest {
            from = Some(turns.len() as u32);
        }
        // Code without an instruction of its own is part of what is around it.
        let Some(point) = points.find(source, step.at) else { continue };
        let name = step.callee.map(|callee| program.function(callee).name.as_str());
        let wrapped = name.is_some_and(|name| is_wrapped(source, name));
        if let Some(name) = name.filter(|name| UNCONTROLLED.contains(name)) {
            return Err(format!(
                "the effect of `{name}` at {} on other threads cannot be controlled natively",
                described(source.machine, step.at)
            ));
        }
        if step.phase == 1 && !wrapped {
            continue;
        }
        if step.interrupted {
            remarks.push(format!(
                "{}: other threads step inside this operation in the trace; natively it is made at once",
                described(source.machine, step.at)
            ));
        }
        turns.push(Turn {
            thread: index(step.thread),
            point,
            phase: step.phase,
            wrapped,
            child: step.child.map_or(0, &mut index),
            result: step.result,
        });
    }
    let mut found = Vec::new();
    for target in targets {
        let Some(point) = points.find(source, target.at) else {
            let place = described(source.machine, target.at);
            return Err(format!(
                "the place of the failure, {place}, is no instruction of the program's own code"
            ));
        };
        found.push(Target { thread: index(target.thread), point, phase: target.phase });
    }
    remarks.sort();
    remarks.dedup();
    Ok(Plan {
        points: points.points,
        inserted: points.inserted,
        from: from.unwrap_or(turns.len() as u32),
        turns,
        targets: found,
        goal,
        threads: threads.iter().map(|number| number.saturating_sub(1)).collect(),
        remarks,
    })
}

/// A choice that the native run does not make by itself must be one that the runtime feeds in.
fn check_choice(source: &Source, chosen: &Chosen, remarks: &mut Vec<String>) -> Result<(), String> {
    let place = described(source.machine, chosen.at);
    let name = chosen.callee.map(|callee| source.machine.program.function(callee).name.as_str());
    match (chosen.request.kind, name) {
        (ChoiceKind::SpuriousFailure, _) if chosen.value == 1 => Err(format!(
            "the compare-exchange at {place} fails spuriously in the trace; natively that cannot be controlled"
        )),
        (ChoiceKind::SpuriousFailure, _) => Ok(()),
        (ChoiceKind::Indeterminate { .. }, _) => {
            remarks.push(format!("{place}: an indeterminate value is used; natively it may be another one"));
            Ok(())
        }
        (_, Some(name))
            if is_wrapped(source, name) || INPUTS.iter().any(|prefix| name.starts_with(prefix)) =>
        {
            Ok(())
        }
        (_, Some(name)) => Err(format!(
            "what `{name}` gives at {place} comes from outside and cannot be controlled natively"
        )),
        (_, None) => Ok(()),
    }
}
