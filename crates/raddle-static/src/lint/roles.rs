//! What library functions do that matters to the lint: what their models declare of locks and threads, and what follows
//! from their bodies (which events they mark, whether they may block).

use raddle_analysis::Objects;
use raddle_ir::{
    Callee, Declaration, Function, FunctionId, Hold, Inst, KernelOp, Operand, OperandKind, Program,
};

use crate::locks::{LockFunctions, LockRole};

/// Numbers of event markers (`models/kernel.h`).
mod marker {
    pub const WAIT: u64 = 4;
    pub const SIGNAL: u64 = 5;
    pub const BROADCAST: u64 = 6;
    pub const BARRIER: u64 = 9;
    pub const POST: u64 = 10;
}
/// Why a thread is blocked at a spin lock.
const WAIT_SPIN: u64 = 3;
/// Calls inside the library that are followed.
const DEEPEST: u32 = 5;

/// What a call does to a lock.
#[derive(Clone, Debug)]
pub struct Take {
    pub parameter: usize,
    pub hold: Hold,
    pub kind: u32,
    /// A result with which the lock is held.
    pub held: i32,
    /// One with which it is not, of a call that tries or waits for a limited time.
    pub not: Option<i32>,
}

/// What a library function does.
#[derive(Clone, Debug, Default)]
pub struct Role {
    pub takes: Option<Take>,
    pub gives: Option<usize>,
    /// The parameters of a wait: condition variable and lock.
    pub waits: Option<(usize, usize)>,
    /// The condition variable that it signals.
    pub signals: Option<usize>,
    /// It waits at, or takes from, an object that is no lock.
    pub awaits: Option<usize>,
    pub posts: Option<usize>,
    /// It accesses an object of any size in one atomic step.
    pub atomics: Option<usize>,
    pub initialises: Option<usize>,
    pub creates: bool,
    pub joins: bool,
    pub detaches: bool,
    pub allocates: bool,
    pub atomic_begin: bool,
    pub atomic_end: bool,
    /// It may sleep, wait, or do input or output.
    pub blocks: bool,
}

pub struct Roles {
    roles: Vec<Option<Role>>,
    /// Kinds of locks whose waiters spin.
    spinning: Vec<u32>,
}

impl Roles {
    pub fn of(program: &Program, objects: &Objects, locks: &LockFunctions) -> Roles {
        let mut roles = Vec::new();
        let mut spinning = Vec::new();
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::new(index);
            if !function.library {
                roles.push(None);
                continue;
            }
            let role = role(program, objects, locks, id, function);
            if let Some(take) = &role.takes
                && reaches(program, id, DEEPEST, &|f, inst| blocked_why(f, inst) == Some(WAIT_SPIN))
            {
                spinning.push(take.kind);
            }
            roles.push(Some(role));
        }
        Roles { roles, spinning }
    }

    /// Of a library function.
    pub fn get(&self, function: FunctionId) -> Option<&Role> {
        self.roles[function.index()].as_ref()
    }

    pub fn spins(&self, kind: u32) -> bool {
        self.spinning.contains(&kind)
    }
}

fn role(
    program: &Program,
    objects: &Objects,
    locks: &LockFunctions,
    id: FunctionId,
    function: &Function,
) -> Role {
    let mut role = Role::default();
    let marked = |event| marked_parameter(program, id, DEEPEST, event);
    match locks.role(id) {
        Some((parameter, LockRole::Takes { hold, held, not, .. })) => {
            let held = held.first().copied().unwrap_or(0);
            let not = not.first().copied();
            role.takes =
                Some(Take { parameter: *parameter, hold: *hold, kind: locks.kind_of(id), held, not });
        }
        Some((parameter, LockRole::Gives)) => role.gives = Some(*parameter),
        Some((parameter, LockRole::WaitsWith)) => {
            role.waits = marked(marker::WAIT).map(|condition| (condition, *parameter));
        }
        Some((parameter, LockRole::Makes { .. } | LockRole::Unmakes)) => role.initialises = Some(*parameter),
        None => {
            role.signals = marked(marker::SIGNAL).or_else(|| marked(marker::BROADCAST));
            role.awaits = marked(marker::WAIT).or_else(|| marked(marker::BARRIER));
            role.posts = marked(marker::POST).or_else(|| marked(marker::BARRIER));
        }
    }
    role.atomics = function.code.iter().find_map(|inst| match inst {
        Inst::Kernel { op: KernelOp::Atomic, arguments, .. } => parameter_of(function, arguments[0], 4),
        _ => None,
    });
    role.creates = objects.creates(id);
    role.joins = objects.joins(id) || role.awaits.is_none() && tries_to_join(program, id);
    role.detaches = !role.joins && ends_joins(program, id, 2);
    role.allocates = objects.allocates(id);
    let within = |wanted: KernelOp| {
        reaches(program, id, DEEPEST, &|_, i| matches!(i, Inst::Kernel { op, .. } if *op == wanted))
    };
    role.atomic_begin = within(KernelOp::AtomicBegin) && !within(KernelOp::AtomicEnd);
    role.atomic_end = within(KernelOp::AtomicEnd) && !within(KernelOp::AtomicBegin);
    let spins =
        role.takes.is_some() && reaches(program, id, DEEPEST, &|f, i| blocked_why(f, i) == Some(WAIT_SPIN));
    let tries = role.takes.as_ref().is_some_and(|take| take.not.is_some());
    role.blocks = !spins
        && !tries
        && role.gives.is_none()
        && reaches(program, id, DEEPEST, &|_, inst| {
            let Inst::Kernel { op, .. } = inst else { return false };
            use KernelOp::*;
            matches!(op, Block | Pause | Yield | Print | Output)
        });
    role
}

/// It joins a thread if that is possible without waiting, or within a time: it leads to what the declared function does.
fn tries_to_join(program: &Program, id: FunctionId) -> bool {
    let join = |f: &Function| f.library && f.declarations.contains(&Declaration::Joins);
    let Some(declared) = program.functions.iter().position(join) else { return false };
    let inner = callees(&program.functions[declared]);
    let own = callees(program.function(id));
    let shared =
        |callee: &FunctionId| inner.contains(callee) && marks(program, *callee, marker_join(), DEEPEST);
    own.iter().any(shared)
}

fn marker_join() -> u64 {
    8
}

fn marks(program: &Program, id: FunctionId, event: u64, depth: u32) -> bool {
    reaches(program, id, depth, &|function, inst| {
        matches!(inst, Inst::Kernel { op: KernelOp::Event, arguments, .. }
            if function.constant_bits(arguments[0]) == Some(event))
    })
}

fn callees(function: &Function) -> Vec<FunctionId> {
    let direct = |inst: &Inst| match inst {
        Inst::Call(call) => match call.callee {
            Callee::Direct(callee) => Some(callee),
            Callee::Indirect(_) => None,
        },
        _ => None,
    };
    function.code.iter().filter_map(direct).collect()
}

fn ends_joins(program: &Program, id: FunctionId, depth: u32) -> bool {
    let function = program.function(id);
    function.library
        && !function.parameters.is_empty()
        && (function.declarations.contains(&Declaration::EndsJoins)
            || depth > 0 && callees(function).iter().any(|callee| ends_joins(program, *callee, depth - 1)))
}

fn blocked_why(function: &Function, inst: &Inst) -> Option<u64> {
    match inst {
        Inst::Kernel { op: KernelOp::Block, arguments, .. } => function.constant_bits(arguments[0]),
        _ => None,
    }
}

/// Whether a library function, or one that it calls, has such an instruction.
fn reaches(program: &Program, id: FunctionId, depth: u32, has: &dyn Fn(&Function, &Inst) -> bool) -> bool {
    let function = program.function(id);
    function.library
        && (function.code.iter().any(|inst| has(function, inst))
            || depth > 0 && callees(function).iter().any(|callee| reaches(program, *callee, depth - 1, has)))
}

/// The parameter of a library function that it marks with an event, itself or by a call.
fn marked_parameter(program: &Program, id: FunctionId, depth: u32, event: u64) -> Option<usize> {
    let function = program.function(id);
    if !function.library {
        return None;
    }
    function.code.iter().find_map(|inst| match inst {
        Inst::Kernel { op: KernelOp::Event, arguments, .. }
            if function.constant_bits(arguments[0]) == Some(event) =>
        {
            parameter_of(function, arguments[1], 4)
        }
        Inst::Call(call) if depth > 0 => match call.callee {
            Callee::Direct(callee) => {
                let inner = marked_parameter(program, callee, depth - 1, event)?;
                parameter_of(function, *call.arguments.get(inner)?, 4)
            }
            Callee::Indirect(_) => None,
        },
        _ => None,
    })
}

/// The parameter that an operand is a copy of.
fn parameter_of(function: &Function, operand: Operand, depth: u32) -> Option<usize> {
    let OperandKind::Register(register) = operand.kind() else { return None };
    if let Some(index) = function.parameters.iter().position(|p| *p == register) {
        return Some(index);
    }
    let mut writers = function.code.iter().filter(|inst| {
        let mut writes = false;
        inst.for_each_destination(|r| writes |= r == register);
        writes
    });
    match (writers.next(), writers.next()) {
        (Some(Inst::Copy { source, .. }), None) if depth > 0 => parameter_of(function, *source, depth - 1),
        _ => None,
    }
}
