//! What library functions do to locks, as they declare (`raddle_ir::Declaration`), and which bytes are locks.
//!
//! A lock is the bytes that a parameter of a declared function points to; their number is what the function's body checks to
//! be determinate. By the declarations (`models/kernel.h`), two threads never hold one lock at the same time unless both
//! holds are shared, and what the earlier holder did happens before what the later one does. This rests on the bytes being
//! changed by the declared functions only. So a lock is *damaged*, and protects nothing, where
//! 1. it may be given back by a thread that does not surely hold it (a foreign unlock unlocks);
//! 2. a plain write, a copy, `free`, or an undeclared library function may touch its bytes, unless the object is private or
//!    no other thread runs, and then only with zeros;
//! 3. its first bytes are not all zero, or functions of two kinds of locks are used on it;
//! 4. it may be destroyed while other threads run.
//!
//! Initialising a held lock has no effect, nor has destroying one; after a destruction by the only thread, taking the lock
//! may fail. Where a program may make locks that refuse a thread (error-checking and robust ones), taking them may fail too:
//! then only checked results count. Otherwise a call that blocks gives one of the results with which the thread holds the
//! lock, whether the program checks it or not.

use raddle_analysis::{ANYWHERE, Objects, Target, Targets};
use raddle_ir::{Callee, Constant, Declaration, FileId, Function, FunctionId, Hold, Inst, KernelOp, Program};
use rustc_hash::FxHashMap;

use crate::value::overlap;

/// No lock is larger.
const MOST_BYTES: i64 = 64;

/// What a function does to the lock that a parameter points to.
#[derive(Clone, Debug)]
pub enum LockRole {
    Takes { hold: Hold, held: Vec<i32>, not: Vec<i32>, refused: Vec<i32> },
    Gives,
    WaitsWith,
    Makes,
    Unmakes,
}

pub struct LockFunctions {
    /// By function, with the parameter.
    roles: Vec<Option<(usize, LockRole)>>,
    /// Where locks may be, with their lengths.
    pub cells: Vec<(Target, i64)>,
    /// Some lock may refuse a thread.
    pub refusing: bool,
    /// Damaged from the start.
    pub damaged: Vec<(Targets, i64)>,
}

impl LockFunctions {
    pub fn of(program: &Program, objects: &Objects) -> LockFunctions {
        let roles: Vec<Option<(usize, LockRole)>> = program.functions.iter().map(role).collect();
        let mut out = LockFunctions { roles, cells: Vec::new(), refusing: false, damaged: Vec::new() };
        let mut kinds: FxHashMap<Target, FileId> = FxHashMap::default();
        for (caller, function) in program.functions.iter().enumerate() {
            let caller = FunctionId::new(caller);
            for inst in &function.code {
                let Inst::Call(call) = inst else { continue };
                let callees = match call.callee {
                    Callee::Direct(callee) => vec![callee],
                    Callee::Indirect(operand) => {
                        objects.functions_of(&objects.operand(program, caller, operand)).unwrap_or_default()
                    }
                };
                for callee in callees {
                    out.note_call(program, objects, (caller, function, call), callee, &mut kinds);
                }
            }
        }
        out.note_first_bytes(program, objects);
        out
    }

    pub fn role(&self, function: FunctionId) -> Option<&(usize, LockRole)> {
        self.roles[function.index()].as_ref()
    }

    /// Whether a write to these places may touch a lock.
    pub fn touched(&self, written: &Targets, length: i64) -> bool {
        self.cells.iter().any(|(cell, bytes)| overlap(&Targets::of(*cell), *bytes, written, length))
    }

    /// The bytes of the lock at these places.
    pub fn length_at(&self, places: &Targets) -> i64 {
        let at = |cell: &Target| {
            places
                .iter()
                .any(|p| p.object == cell.object && (p.offset == cell.offset || is_anywhere(p, *cell)))
        };
        self.cells.iter().filter(|(cell, _)| at(cell)).map(|(_, bytes)| *bytes).max().unwrap_or(MOST_BYTES)
    }

    fn note_call(
        &mut self,
        program: &Program,
        objects: &Objects,
        (caller, function, call): (FunctionId, &Function, &raddle_ir::Call),
        callee: FunctionId,
        kinds: &mut FxHashMap<Target, FileId>,
    ) {
        let target = program.function(callee);
        for declaration in target.declarations.iter().filter(|_| target.library && !target.added) {
            if let Declaration::Refuses { parameter, unless } = declaration {
                let argument = call.arguments.get(*parameter as usize);
                let number = argument.and_then(|o| function.constant_bits(*o));
                self.refusing |= !number.is_some_and(|n| unless.contains(&n));
            }
        }
        let Some((parameter, role)) = self.roles[callee.index()].clone() else { return };
        let Some(argument) = call.arguments.get(parameter) else { return };
        let places = objects.operand(program, caller, *argument);
        let length = bytes_of(program, callee, 4).unwrap_or(MOST_BYTES);
        for place in places.iter() {
            if !self.cells.contains(&(place, length)) {
                self.cells.push((place, length));
            }
            let file = target.place.file;
            if !matches!(role, LockRole::WaitsWith) && *kinds.entry(place).or_insert(file) != file {
                self.damaged.push((Targets::of(place), length));
            }
        }
        if let LockRole::Makes = role {
            for other in call.arguments.iter().enumerate().filter(|(i, _)| *i != parameter).map(|(_, o)| o) {
                if function.constant_bits(*other).is_none() {
                    let attributes = objects.operand(program, caller, *other);
                    self.refusing |= is_written_by_users(program, objects, &attributes);
                }
            }
        }
    }

    fn note_first_bytes(&mut self, program: &Program, objects: &Objects) {
        for (index, global) in program.globals.iter().enumerate() {
            let object = objects.global(raddle_ir::GlobalId::new(index));
            let nonzero =
                global.initializer.bytes.iter().enumerate().filter(|(_, b)| **b != 0).map(|(at, _)| at);
            let pointers = global.initializer.relocations.iter().map(|r| r.offset as usize);
            for at in nonzero.chain(pointers) {
                let Ok(offset) = i32::try_from(at) else { continue };
                let byte = Targets::of(Target { object, offset });
                if self.touched(&byte, 1) {
                    self.damaged.push((byte, 1));
                }
            }
        }
    }
}

fn is_anywhere(a: Target, b: Target) -> bool {
    a.offset == ANYWHERE || b.offset == ANYWHERE
}

fn role(function: &Function) -> Option<(usize, LockRole)> {
    let declarations = function.declarations.iter().filter(|_| function.library && !function.added);
    let mut roles = declarations.filter_map(|declaration| match declaration {
        Declaration::Takes { parameter, hold, held, not, refused } => {
            let role = LockRole::Takes {
                hold: *hold,
                held: held.clone(),
                not: not.clone(),
                refused: refused.clone(),
            };
            Some((*parameter as usize, role))
        }
        Declaration::Gives { parameter } => Some((*parameter as usize, LockRole::Gives)),
        Declaration::WaitsWith { parameter } => Some((*parameter as usize, LockRole::WaitsWith)),
        Declaration::Makes { parameter } => Some((*parameter as usize, LockRole::Makes)),
        Declaration::Unmakes { parameter } => Some((*parameter as usize, LockRole::Unmakes)),
        _ => None,
    });
    roles.next()
}

/// The bytes that a function checks to be determinate, or those that it calls.
fn bytes_of(program: &Program, function: FunctionId, depth: u32) -> Option<i64> {
    let body = program.function(function);
    let here = body.code.iter().filter_map(|inst| match inst {
        Inst::Kernel { op: KernelOp::IsDeterminate, arguments, .. } => {
            body.constant_bits(arguments[1]).map(|n| n as i64)
        }
        Inst::Call(call) => match call.callee {
            Callee::Direct(callee) if depth > 0 && program.function(callee).library => {
                bytes_of(program, callee, depth - 1)
            }
            _ => None,
        },
        _ => None,
    });
    here.max()
}

/// Whether the user's code, or a copy, may write to these places. What library functions store there is what they are for.
fn is_written_by_users(program: &Program, objects: &Objects, places: &Targets) -> bool {
    let of = |id: FunctionId, operand| objects.operand(program, id, operand);
    program.functions.iter().enumerate().any(|(index, function)| {
        let id = FunctionId::new(index);
        function.code.iter().any(|inst| {
            let address = match inst {
                Inst::MemoryCopy { destination, .. } | Inst::MemorySet { destination, .. } => *destination,
                Inst::Store { address, .. }
                | Inst::Update { address, .. }
                | Inst::CompareExchange { address, .. }
                    if !function.library =>
                {
                    *address
                }
                _ => return false,
            };
            let written = of(id, address).anywhere();
            overlap(&written, 1, places, 1)
        })
    })
}

/// Whether a program has a constant function here.
pub fn constant_function(function: &Function, operand: raddle_ir::Operand) -> Option<FunctionId> {
    match function.constant(operand) {
        Some(Constant::Function(id)) => Some(*id),
        _ => None,
    }
}
