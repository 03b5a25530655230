//! What library functions do to locks, as they declare (`raddle_ir::Declaration`), and which bytes are locks.
//!
//! A lock is the bytes that a parameter of a declared function points to, with the kind that the function declares; their
//! number is what the function's body checks to be determinate. By the declarations (`raddle-clang/models/kernel.h`), two threads never hold one lock at the same time unless both
//! holds are shared, and what the earlier holder did happens before what the later one does. This rests on the bytes being
//! changed only by the declared functions of one kind, through that parameter. So a lock is *damaged*, and protects nothing,
//! where
//! 1. it may be given back by a thread that does not surely hold it (a foreign unlock unlocks);
//! 2. anything else may write to its bytes: a store, a copy, an undeclared library function, or a declared one through
//!    another address than its parameter (a condition variable that lies over the mutex); unless the object is private or
//!    no other thread runs, and then only with zeros;
//! 3. its first bytes are not all zero;
//! 4. a lock of another kind, or at another place, may share a byte with it (unions, casts, indices without a name);
//! 5. it may be destroyed while other threads run, or in a private block, which may be published afterwards.
//!
//! After `free`, any use of the lock is a memory fault. Initialising a held lock has no effect, nor has destroying one; after a destruction by the only thread, taking the lock
//! may fail. Where a program may make locks that refuse a thread (error-checking and robust ones), taking them may fail too:
//! then only checked results count. A lock is made by attributes; those refuse no thread if only functions that declare so
//! write to them, with constants that are declared harmless, and if their first bytes are zero. Otherwise a call that blocks
//! gives one of the results with which the thread holds the lock, whether the program checks it or not.

use raddle_analysis::{ANYWHERE, ObjectKind, Objects, Target, Targets};
use raddle_ir::{
    Callee, Constant, Declaration, Function, FunctionId, Hold, Inst, KernelOp, Operand, Program,
};

use crate::program_facts::for_each_written;
use crate::value::overlap;

/// No lock is larger.
const MOST_BYTES: i64 = 64;

/// What a function does to the lock that a parameter points to.
#[derive(Clone, Debug)]
pub enum LockRole {
    Takes {
        hold: Hold,
        held: Vec<i32>,
        kept: Vec<i32>,
        not: Vec<i32>,
        refused: Vec<i32>,
    },
    Gives,
    WaitsWith,
    Makes {
        /// The parameter that points to attributes.
        by: Option<usize>,
    },
    Unmakes,
}

pub struct LockFunctions {
    /// By function, with the parameter.
    roles: Vec<Option<(usize, LockRole)>>,
    /// By function: the kind of its lock.
    kinds: Vec<u32>,
    /// By function: the bytes of its lock.
    lengths: Vec<i64>,
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
        let lengths = (0..roles.len()).map(|f| match roles[f] {
            Some(_) => bytes_of(program, FunctionId::new(f), 4).unwrap_or(MOST_BYTES),
            None => 0,
        });
        let mut out = LockFunctions {
            kinds: kinds(program),
            lengths: lengths.collect(),
            roles,
            cells: Vec::new(),
            refusing: false,
            damaged: Vec::new(),
        };
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
                    out.note_call(program, objects, (caller, function, call), callee);
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
        let length = self.length_of(callee);
        for place in places.iter() {
            if !self.cells.contains(&(place, length)) {
                self.cells.push((place, length));
            }
        }
        if let LockRole::Makes { by: Some(by) } = role {
            let attributes = call.arguments.get(by);
            if attributes.is_none_or(|o| function.constant_bits(*o) != Some(0)) {
                let places = attributes.map(|o| objects.operand(program, caller, *o));
                self.refusing |= places.is_none_or(|places| may_refuse(program, objects, &places));
            }
        }
    }

    pub fn kind_of(&self, function: FunctionId) -> u32 {
        self.kinds[function.index()]
    }

    /// The bytes of the lock that the function's parameter points to.
    pub fn length_of(&self, function: FunctionId) -> i64 {
        self.lengths[function.index()]
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
        Declaration::Takes { parameter, hold, held, kept, not, refused } => {
            let role = LockRole::Takes {
                hold: *hold,
                held: held.clone(),
                kept: kept.clone(),
                not: not.clone(),
                refused: refused.clone(),
            };
            Some((*parameter as usize, role))
        }
        Declaration::Gives { parameter } => Some((*parameter as usize, LockRole::Gives)),
        Declaration::WaitsWith { parameter } => Some((*parameter as usize, LockRole::WaitsWith)),
        Declaration::Makes { parameter, by } => {
            Some((*parameter as usize, LockRole::Makes { by: by.map(usize::from) }))
        }
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

/// By function, the number of its kind of locks. Without a declaration the kind is its own.
fn kinds(program: &Program) -> Vec<u32> {
    let mut names: Vec<&str> = Vec::new();
    let all = program.functions.iter().enumerate().map(|(index, function)| {
        let declared = function.declarations.iter().find_map(|declaration| match declaration {
            Declaration::OfKind(kind) => Some(kind.as_str()),
            _ => None,
        });
        match declared {
            None => u32::MAX - index as u32,
            Some(kind) => {
                let known = names.iter().position(|name| *name == kind);
                known.unwrap_or_else(|| {
                    names.push(kind);
                    names.len() - 1
                }) as u32
            }
        }
    });
    all.collect()
}

/// Whether attributes at these places may make locks that refuse a thread: something else than the functions that declare
/// what they store may write to the objects, or their first bytes are not zero.
fn may_refuse(program: &Program, objects: &Objects, places: &Targets) -> bool {
    let known = |place: Target| match objects.kind(place.object) {
        ObjectKind::Global(id) | ObjectKind::ThreadLocal(id) => {
            let global = program.global(id);
            !global.external
                && global.initializer.relocations.is_empty()
                && global.initializer.bytes.iter().all(|byte| *byte == 0)
        }
        ObjectKind::Stack(..) | ObjectKind::Heap(..) => true,
        ObjectKind::Unknown | ObjectKind::Arguments(_) | ObjectKind::Function(_) => false,
    };
    if !places.iter().all(known) {
        return true;
    }
    let mut refuses = false;
    for (index, function) in program.functions.iter().enumerate() {
        let declared =
            function.library && !function.added && function.declarations.contains(&Declaration::Attributes);
        if !declared {
            for_each_written(program, objects, index, function, |written| {
                refuses |= written.iter().any(|w| places.iter().any(|p| p.object == w.object));
            });
        }
    }
    refuses
}

/// Whether a program has a constant function here.
pub fn constant_function(function: &Function, operand: Operand) -> Option<FunctionId> {
    match function.constant(operand) {
        Some(Constant::Function(id)) => Some(*id),
        _ => None,
    }
}
