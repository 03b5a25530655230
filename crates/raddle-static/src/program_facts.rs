//! Facts about a program that the abstract interpretation reads and that do not depend on it.
//!
//! They follow from the code and the points-to analysis: what each function can reach, which objects have one instance in
//! every run, which objects only the first thread writes, and whether a fresh heap block may count as private.
//!
//! # Fresh blocks
//!
//! Accesses to a block before its address is stored anywhere are left out of the comparison. By induction over a run: let
//! all accesses so far be free of races. Another thread has the block's address only by loads of cells, each of which reads
//! what some store wrote. A plain load reads from a store that happens before it, since the two conflict and do not race; an
//! acquiring one that reads from a releasing one is ordered after it. So what the thread did to the block before its first
//! store of the address happens before every access of another thread. Relaxed accesses to cells that may hold the address
//! have no such edge; neither have sections of models that the user has added.

use std::collections::VecDeque;

use raddle_analysis::{ANYWHERE, ObjectIndex, ObjectKind, Objects, Targets};
use raddle_ir::{
    Callee, Declaration, Function, FunctionId, GlobalId, Inst, KernelOp, MemoryOrder, Operand, Program,
};

use crate::locks::constant_function;

pub struct ProgramFacts {
    /// By function: it may create or join threads, or what it calls.
    pub spawns: Vec<bool>,
    /// By function: a call of it may call it again.
    pub recursive: Vec<bool>,
    /// By object: no run has two instances of it.
    pub single: Vec<bool>,
    /// By object: no function that a created thread may execute writes it.
    pub written_by_main: Vec<bool>,
    /// By object: no instruction writes it.
    pub never_written: Vec<bool>,
    /// By object: it may be private while it is fresh.
    pub fresh: Vec<bool>,
    /// Event markers that some function has.
    pub events: u64,
    pub has_set_jump: bool,
    /// A join may return before the end of the joined thread.
    pub ends_joins: bool,
}

impl ProgramFacts {
    pub fn of(program: &Program, objects: &Objects) -> ProgramFacts {
        let calls: Vec<Vec<FunctionId>> =
            (0..program.functions.len()).map(|f| callees(program, objects, f)).collect();
        let spawns = closure_of(&calls, |f| {
            let id = FunctionId::new(f);
            objects.joins(id)
                || objects.creates(id)
                || program.functions[f]
                    .code
                    .iter()
                    .any(|i| matches!(i, Inst::Kernel { op: KernelOp::Spawn, .. }))
        });
        let by_threads = reachable(&calls, started(program, objects));
        let mut written_by_main = vec![true; objects.count()];
        let mut never_written = vec![true; objects.count()];
        for (index, function) in program.functions.iter().enumerate() {
            for_each_written(program, objects, index, function, |targets| {
                for target in targets.iter() {
                    never_written[target.object.index()] = false;
                    written_by_main[target.object.index()] &= !by_threads[index];
                }
            });
        }
        let once = executed_once(program, objects, &calls);
        let single = (0..objects.count())
            .map(|object| match objects.kind(ObjectIndex(object as u32)) {
                ObjectKind::Global(_) | ObjectKind::Function(_) => true,
                ObjectKind::Stack(function, pc) | ObjectKind::Heap(function, pc) => {
                    once[function.index()] && !is_in_cycle(program.function(function), pc)
                }
                ObjectKind::Unknown | ObjectKind::ThreadLocal(_) | ObjectKind::Arguments(_) => false,
            })
            .collect();
        let bodies = program.functions.iter().filter(|f| f.has_body());
        let events = program.functions.iter().flat_map(|f| f.code.iter().filter_map(|i| event(f, i)));
        ProgramFacts {
            recursive: (0..calls.len()).map(|f| reachable(&calls, calls[f].clone())[f]).collect(),
            fresh: fresh(program, objects),
            events: events.fold(0, |all, event| all | 1u64.checked_shl(event).unwrap_or(0)),
            has_set_jump: program
                .functions
                .iter()
                .flat_map(|f| &f.code)
                .any(|i| matches!(i, Inst::SetJump { .. })),
            ends_joins: bodies.clone().any(|f| f.declarations.contains(&Declaration::EndsJoins)),
            spawns,
            single,
            written_by_main,
            never_written,
        }
    }

    /// Whether the function's results and names may be those of a call that is still open.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive[function.index()]
    }
}

fn event(function: &Function, inst: &Inst) -> Option<u32> {
    let Inst::Kernel { op: KernelOp::Event, arguments, .. } = inst else { return None };
    function.constant_bits(arguments[0]).map(|bits| bits as u32)
}

/// The functions that a function may call, and those that it may start as threads are not among them.
fn callees(program: &Program, objects: &Objects, index: usize) -> Vec<FunctionId> {
    let id = FunctionId::new(index);
    let mut out = Vec::new();
    for inst in &program.functions[index].code {
        let Inst::Call(call) = inst else { continue };
        match call.callee {
            Callee::Direct(callee) => out.push(callee),
            Callee::Indirect(_) if objects.is_body(id) => {}
            Callee::Indirect(operand) => {
                out.extend(objects.functions_of(&objects.operand(program, id, operand)).unwrap_or_default());
            }
        }
    }
    out
}

/// What threads start with, and the functions that start them.
fn started(program: &Program, objects: &Objects) -> Vec<FunctionId> {
    let mut out = Vec::new();
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(index);
        for inst in &function.code {
            match inst {
                Inst::Kernel { op: KernelOp::Spawn, arguments, .. } => {
                    out.extend(constant_function(function, arguments[0]));
                }
                // Any function that is given away might be started.
                Inst::Call(call) => {
                    let callees = match call.callee {
                        Callee::Direct(callee) => vec![callee],
                        Callee::Indirect(operand) => {
                            objects.functions_of(&objects.operand(program, id, operand)).unwrap_or_default()
                        }
                    };
                    if callees.iter().any(|callee| objects.creates(*callee))
                        && let [.., start, _] = call.arguments[..]
                    {
                        let targets = objects.operand(program, id, start);
                        out.extend(objects.functions_of(&targets).unwrap_or_default());
                    }
                }
                _ => {}
            }
        }
    }
    out
}

fn reachable(calls: &[Vec<FunctionId>], from: Vec<FunctionId>) -> Vec<bool> {
    let mut reached = vec![false; calls.len()];
    let mut open = VecDeque::from(from);
    while let Some(function) = open.pop_front() {
        if !std::mem::replace(&mut reached[function.index()], true) {
            open.extend(&calls[function.index()]);
        }
    }
    reached
}

/// By function: it has a property, or calls one that has.
fn closure_of(calls: &[Vec<FunctionId>], has: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut found: Vec<bool> = (0..calls.len()).map(has).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for function in 0..calls.len() {
            if !found[function] && calls[function].iter().any(|callee| found[callee.index()]) {
                found[function] = true;
                changed = true;
            }
        }
    }
    found
}

/// By function: no run enters it twice.
fn executed_once(program: &Program, objects: &Objects, calls: &[Vec<FunctionId>]) -> Vec<bool> {
    let mut sites: Vec<Vec<(usize, u32)>> = vec![Vec::new(); calls.len()];
    let mut never = vec![false; calls.len()];
    for function in started(program, objects) {
        never[function.index()] = true;
    }
    for (index, function) in program.functions.iter().enumerate() {
        for (pc, inst) in function.code.iter().enumerate() {
            let Inst::Call(call) = inst else { continue };
            match call.callee {
                Callee::Direct(callee) => sites[callee.index()].push((index, pc as u32)),
                Callee::Indirect(operand) => {
                    let targets = objects.operand(program, FunctionId::new(index), operand);
                    match objects.functions_of(&targets) {
                        Some(functions) => functions.iter().for_each(|f| never[f.index()] = true),
                        None => never.fill(true),
                    }
                }
            }
        }
    }
    let mut once = vec![false; calls.len()];
    once[program.entry.index()] = sites[program.entry.index()].is_empty() && !never[program.entry.index()];
    let mut changed = true;
    while changed {
        changed = false;
        for function in 0..calls.len() {
            let [(caller, pc)] = sites[function][..] else { continue };
            if !once[function]
                && !never[function]
                && once[caller]
                && !is_in_cycle(&program.functions[caller], pc)
            {
                once[function] = true;
                changed = true;
            }
        }
    }
    once
}

/// Whether an instruction may be executed again in one call of its function.
fn is_in_cycle(function: &Function, pc: u32) -> bool {
    let start = function.block_of(pc);
    let mut seen = vec![false; function.blocks.len()];
    let mut open = vec![start];
    while let Some(block) = open.pop() {
        let mut again = false;
        let last = function.blocks[block.index()].end as usize - 1;
        function.code[last].for_each_target(|target| {
            again |= target == start;
            if !std::mem::replace(&mut seen[target.index()], true) {
                open.push(target);
            }
        });
        if again {
            return true;
        }
    }
    false
}

/// What the instructions of a function may write to.
pub fn for_each_written(
    program: &Program,
    objects: &Objects,
    index: usize,
    function: &Function,
    mut found: impl FnMut(Targets),
) {
    let id = FunctionId::new(index);
    let of = |operand: Operand| objects.operand(program, id, operand);
    for inst in &function.code {
        match inst {
            Inst::Store { address, .. }
            | Inst::Update { address, .. }
            | Inst::CompareExchange { address, .. } => {
                found(of(*address));
            }
            Inst::MemoryCopy { destination, .. }
            | Inst::MemorySet { destination, .. }
            | Inst::VaCopy { destination, .. } => found(of(*destination)),
            Inst::VaStart { list, .. } => found(of(*list)),
            Inst::SetJump { buffer, .. } => found(of(*buffer)),
            Inst::Kernel { op: KernelOp::Free | KernelOp::Resize | KernelOp::Format, arguments, .. } => {
                found(of(arguments[0]));
            }
            // What a conversion may write through its arguments.
            Inst::Kernel { op: KernelOp::Print, arguments, .. } => {
                found(printed(objects, &of(arguments[2])));
            }
            _ => {}
        }
        if let Inst::Kernel { op: KernelOp::Format, arguments, .. } = inst {
            found(printed(objects, &of(arguments[3])));
        }
    }
}

/// What variadic arguments may point to, by their list: its address is in the list, or is the list.
pub fn printed(objects: &Objects, list: &Targets) -> Targets {
    let mut blocks = objects.content(&list.anywhere(), 1);
    blocks.add(&list.anywhere());
    objects.content(&blocks.anywhere(), 1).anywhere()
}

fn fresh(program: &Program, objects: &Objects) -> Vec<bool> {
    let mut fresh: Vec<bool> = (0..objects.count())
        .map(|object| matches!(objects.kind(ObjectIndex(object as u32)), ObjectKind::Heap(..)))
        .collect();
    if program.functions.iter().any(|f| f.added) {
        fresh.fill(false);
    }
    use MemoryOrder::*;
    let acquires = |order| matches!(order, NotAtomic | Acquire | AcquireRelease | SequentiallyConsistent);
    let releases = |order| matches!(order, NotAtomic | Release | AcquireRelease | SequentiallyConsistent);
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(index);
        let of = |operand: Operand| objects.operand(program, id, operand);
        for inst in &function.code {
            let moved = match inst {
                Inst::Load { address, access, .. } if !acquires(access.order) => {
                    objects.content(&of(*address), 8)
                }
                Inst::Store { source, access, .. } if !releases(access.order) => of(*source),
                Inst::Update { address, source, access, .. }
                    if !acquires(access.order) || !releases(access.order) =>
                {
                    both(objects.content(&of(*address), 8), of(*source))
                }
                Inst::CompareExchange { address, new, access, failure, .. }
                    if !acquires(access.order) || !releases(access.order) || !acquires(*failure) =>
                {
                    both(objects.content(&of(*address), 8), of(*new))
                }
                // An atomic access of a section, whatever its order.
                Inst::Kernel { op: KernelOp::Atomic, arguments, .. } => {
                    objects.content(&of(arguments[0]).anywhere(), 1)
                }
                _ => continue,
            };
            for target in moved.iter() {
                if target.object == ObjectIndex::UNKNOWN {
                    fresh.fill(false);
                } else {
                    fresh[target.object.index()] = false;
                }
            }
        }
    }
    fresh
}

fn both(mut a: Targets, b: Targets) -> Targets {
    a.add(&b);
    a
}

/// Whether some place of the set is not known within its object.
pub fn is_vague(targets: &Targets) -> bool {
    targets.iter().any(|target| target.offset == ANYWHERE)
}

/// The first bytes of a global that is never written, as a number of so many bytes.
pub fn first_number(program: &Program, global: GlobalId, offset: i64, bytes: u32) -> Option<u64> {
    let global = program.global(global);
    let initializer = &global.initializer;
    let (from, to) = (u64::try_from(offset).ok()?, u64::try_from(offset).ok()?.checked_add(bytes as u64)?);
    let clear = !global.external
        && to <= global.size
        && bytes <= 8
        && initializer.relocations.iter().all(|r| r.offset + 8 <= from || r.offset >= to)
        && initializer.undefined.iter().all(|(start, end)| *end <= from || *start >= to);
    let byte = |at: u64| initializer.bytes.get(at as usize).copied().unwrap_or(0) as u64;
    clear.then(|| (from..to).enumerate().fold(0, |all, (i, at)| all | byte(at) << (8 * i)))
}
