//! Whether library functions treat the numbers of threads as mere names, the elements of a scalarset (for symmetry
//! reduction).
//!
//! A *number* is a value that comes from `self` or from a creation, from a parameter that names a thread, or from the
//! beginning of a lock: the object behind a parameter where some function stores a number. A function is *opaque* if
//! numbers are only copied, compared for equality (also with what is the number of no thread: zero, a negative or a
//! huge constant), passed to functions that take a number, given to the kernel operations that take a thread, returned,
//! and stored at the beginning of a lock. Then exchanging the numbers of two threads, in registers and at the beginning
//! of locks, exchanges the results, and nothing else.
//!
//! All of it is derived from the bodies; functions that create threads for the user and that join them are declared
//! (`Declaration::Creates`, `Declaration::Joins`), since what they do with the user's handles is `handles.rs`'s concern.
//! Not opaque, for instance: `pthread_self` for its caller (it returns a number), and sets of waiting threads, which are
//! kept in the order of their numbers.

use raddle_ir::{
    Callee, CompareOp, Constant, Declaration, Function, FunctionId, GlobalId, Inst, KernelOp, Operand,
    Program, Register, Width,
};

use crate::call_graph::{self, direct};
use crate::future::PARAMETERS;
use crate::register_values::{Exact, exact_operand, exact_values};

/// Parameters of a function, by bits.
type Parameters = u32;

pub(crate) struct ThreadNumbers {
    exact: Vec<Vec<Exact>>,
    /// By function: registers that hold numbers.
    registers: Vec<Vec<Register>>,
    /// Parameters that are numbers.
    taken: Vec<Parameters>,
    /// Parameters that point to locks.
    pub locks: Vec<Parameters>,
    /// Whether a number is returned.
    returned: Vec<bool>,
    /// Places that the user's code passes for locks.
    pub places: Vec<(GlobalId, i64)>,
}

/// Whether a function has the role of creating threads for the user, or of joining them. Declarations of added models do
/// not count here: they are not checked.
pub(crate) fn declares(function: &Function, role: &Declaration) -> bool {
    function.library && !function.added && function.declarations.contains(role)
}

impl ThreadNumbers {
    /// `None`: the user's code may learn a number.
    pub fn of(program: &Program) -> Option<ThreadNumbers> {
        let count = program.functions.len();
        let mut this = ThreadNumbers {
            exact: exact_values(program),
            registers: vec![Vec::new(); count],
            taken: vec![0; count],
            locks: vec![0; count],
            returned: vec![false; count],
            places: Vec::new(),
        };
        while this.grows(program) {}
        let reached = call_graph::reachable(program);
        let library = |f: &usize| program.functions[*f].library;
        let mut functions = (0..count).filter(|f| reached[*f]).filter(library);
        let opaque = functions.all(|f| this.is_opaque(program, f));
        let named = |c: &Constant| matches!(c, Constant::Function(f) if this.taken[f.index()] != 0);
        let callbacks = program.functions.iter().flat_map(|f| &f.constants).any(named);
        (opaque && !callbacks && this.user_learns_nothing(program)).then_some(this)
    }

    /// Registers of a function that hold the number of a thread.
    pub fn into_registers(self) -> Vec<Vec<Register>> {
        self.registers
    }

    fn is_number(&self, function: usize, operand: Operand) -> bool {
        operand.as_register().is_some_and(|r| self.registers[function].contains(&r))
    }

    fn exact_of(&self, program: &Program, function: usize, operand: Operand) -> Exact {
        exact_operand(&program.functions[function], &self.exact[function], operand)
    }

    /// The parameter that an operand is, if that one points to a lock.
    fn is_lock(&self, program: &Program, function: usize, operand: Operand) -> bool {
        match self.exact_of(program, function, operand) {
            Exact::Parameter(p) => self.locks[function] >> p & 1 == 1,
            _ => false,
        }
    }

    /// One round of the least solution; true if something was found.
    fn grows(&mut self, program: &Program) -> bool {
        let mut grew = false;
        for index in 0..program.functions.len() {
            let function = &program.functions[index];
            for inst in &function.code {
                grew |= if function.library {
                    self.look(program, index, inst)
                } else {
                    self.look_at_user(program, index, inst)
                };
            }
        }
        grew
    }

    fn add(&mut self, index: usize, function: &Function, register: Register) -> bool {
        let known = self.registers[index].contains(&register);
        if !known {
            self.registers[index].push(register);
            // A parameter that is a number is one in every call.
            if let Some(p) = function.parameters.iter().position(|r| *r == register) {
                self.taken[index] |= 1 << p.min(31);
            }
        }
        !known
    }

    fn look(&mut self, program: &Program, index: usize, inst: &Inst) -> bool {
        let function = &program.functions[index];
        let mut grew = false;
        match inst {
            Inst::Kernel {
                op: KernelOp::SelfThread | KernelOp::Spawn, destination: Some(register), ..
            } => {
                grew |= self.add(index, function, *register);
            }
            Inst::Kernel { op: KernelOp::Tcb | KernelOp::Finished, arguments, .. } => {
                // What names a thread is a number, and so is what it was copied from.
                if let Some(register) = arguments[0].as_register() {
                    grew |= self.add(index, function, register);
                }
            }
            Inst::Copy { destination, source } | Inst::Cast { destination, source, .. } => {
                if self.is_number(index, *source) {
                    grew |= self.add(index, function, *destination);
                }
                if self.is_number(index, (*destination).into())
                    && let Some(register) = source.as_register()
                {
                    grew |= self.add(index, function, register);
                }
            }
            Inst::Select { destination, yes, no, .. }
                if self.is_number(index, *yes) || self.is_number(index, *no) =>
            {
                grew |= self.add(index, function, *destination);
            }
            Inst::Load { destination, address, .. } if self.is_lock(program, index, *address) => {
                grew |= self.add(index, function, *destination);
            }
            Inst::Store { address, source, .. } if self.is_number(index, *source) => {
                let creates = declares(function, &Declaration::Creates);
                if let Exact::Parameter(p) = self.exact_of(program, index, *address)
                    && !(creates && p == 0)
                {
                    grew |= grow(&mut self.locks[index], p as usize);
                }
            }
            Inst::Return { values } => {
                let returns = values.iter().any(|v| self.is_number(index, *v));
                grew |= returns && !std::mem::replace(&mut self.returned[index], true);
            }
            Inst::Call(_) => {
                let Some((callee, call)) = direct(inst) else { return grew };
                let target = &program.functions[callee];
                if self.returned[callee]
                    && let [register] = call.results[..]
                {
                    grew |= self.add(index, function, register);
                }
                for (p, argument) in call.arguments.iter().enumerate().take(target.parameters.len()) {
                    if self.is_number(index, *argument) && target.library {
                        grew |= self.add(callee, target, target.parameters[p]);
                    }
                    if self.taken[callee] >> p.min(31) & 1 == 1
                        && let Some(register) = argument.as_register()
                    {
                        grew |= self.add(index, function, register);
                    }
                    if let Exact::Parameter(own) = self.exact_of(program, index, *argument)
                        && p < PARAMETERS
                    {
                        let handle = declares(function, &Declaration::Creates) && own == 0;
                        if self.locks[callee] >> p & 1 == 1 && !handle {
                            grew |= grow(&mut self.locks[index], own as usize);
                        }
                        if self.locks[index] >> own & 1 == 1 && target.library {
                            grew |= grow(&mut self.locks[callee], p);
                        }
                    }
                }
            }
            _ => {}
        }
        grew
    }

    /// The places that are given to functions for locks are locks for all functions that they are given to.
    fn look_at_user(&mut self, program: &Program, index: usize, inst: &Inst) -> bool {
        let Some((callee, call)) = direct(inst).filter(|(callee, _)| program.functions[*callee].library)
        else {
            return false;
        };
        let mut grew = false;
        for (p, argument) in call.arguments.iter().enumerate().take(PARAMETERS) {
            let Some(place) = program.functions[index].constant_place(*argument) else { continue };
            if self.locks[callee] >> p & 1 == 1 && !self.places.contains(&place) {
                self.places.push(place);
                grew = true;
            }
            if self.places.contains(&place) {
                grew |= grow(&mut self.locks[callee], p);
            }
        }
        grew
    }

    /// Whether a library function uses numbers, and the beginnings of locks, as names only.
    fn is_opaque(&self, program: &Program, index: usize) -> bool {
        let function = &program.functions[index];
        let parameter_registers = |mask: Parameters| {
            let numbered = function.parameters.iter().take(PARAMETERS).enumerate();
            numbered.filter(move |(p, _)| mask >> p & 1 == 1).map(|(_, r)| *r)
        };
        // A lock that comes with a parameter which changes is not known any more.
        let stays = |r: Register| matches!(self.exact[index][r.index()], Exact::Parameter(_));
        parameter_registers(self.locks[index]).all(stays) && {
            let beside = self.beside_locks(program, index);
            function.code.iter().all(|inst| self.is_opaque_here(program, index, inst, &beside))
        }
    }

    fn is_opaque_here(&self, program: &Program, index: usize, inst: &Inst, beside: &[Register]) -> bool {
        let function = &program.functions[index];
        let number = |o: &Operand| self.is_number(index, *o);
        let lock = |o: &Operand| self.is_lock(program, index, *o);
        let held = |o: &Operand| number(o) || lock(o);
        let beside_lock = |o: &Operand| o.as_register().is_some_and(|r| beside.contains(&r));
        // A number, or what is the number of no thread.
        let name = |o: &Operand| number(o) || names_no_thread(function, *o, 32);
        let named = |r: &Register| self.registers[index].contains(r);
        let mut from_elsewhere = false;
        inst.for_each_destination(|d| from_elsewhere |= named(&d));
        if from_elsewhere {
            let is_name = match inst {
                Inst::Copy { source, .. } | Inst::Cast { source, .. } => name(source),
                Inst::Select { yes, no, .. } => name(yes) && name(no),
                Inst::Load { address, .. } => lock(address),
                Inst::Call(_) => direct(inst).is_some_and(|(callee, _)| self.returned[callee]),
                Inst::Kernel { op, .. } => matches!(op, KernelOp::SelfThread | KernelOp::Spawn),
                _ => false,
            };
            if !is_name {
                return false;
            }
        }
        match inst {
            Inst::Copy { destination, source } => {
                let exact = |o: Operand| self.exact_of(program, index, o);
                !lock(source) || exact((*destination).into()) == exact(*source)
            }
            // A part of a number is none.
            Inst::Cast { source, to, .. } => !lock(source) && (!number(source) || *to >= 32),
            Inst::Select { condition, yes, no, .. } => !held(condition) && !lock(yes) && !lock(no),
            Inst::Compare { op, bits, a, b, .. } => {
                let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
                let no_thread = |o: &Operand| names_no_thread(function, *o, *bits);
                // Addresses of locks may be compared: they are no numbers.
                match (number(a), number(b)) {
                    (false, false) => true,
                    (true, true) => equality,
                    (true, false) => no_thread(b),
                    (false, true) => no_thread(a),
                }
            }
            Inst::Load { width, address, .. } => {
                !number(address) && (!lock(address) || matches!(width, Width::Int(32 | 64)))
            }
            Inst::Store { address, source, .. } => {
                let creates = declares(function, &Declaration::Creates)
                    && self.exact_of(program, index, *address) == Exact::Parameter(0);
                let good = if lock(address) { name(source) } else { !number(source) || creates };
                !number(address) && !lock(source) && good
            }
            // Beside the number.
            Inst::PointerAdd { base, index: by, offset, .. } => {
                let constant = matches!(function.constant_bits(*by), Some(0));
                !number(base)
                    && !held(by)
                    && (!lock(base) || constant && *offset >= 4)
                    // Not back to the number.
                    && !beside_lock(base)
            }
            Inst::MemoryCopy { destination, source, length, .. } => {
                let zero = || source.as_register().is_some_and(|r| is_zero_local(function, r));
                !number(destination) && !held(source) && !held(length) && (!lock(destination) || zero())
            }
            Inst::MemorySet { destination, byte, length, .. } => {
                let zero = || matches!(function.constant_bits(*byte), Some(0));
                !number(destination) && !held(byte) && !held(length) && (!lock(destination) || zero())
            }
            Inst::Return { values } => {
                !values.iter().any(lock) && (!self.returned[index] || values.iter().all(name))
            }
            Inst::Call(call) => match call.callee {
                Callee::Direct(callee) if program.functions[callee.index()].library => {
                    let extra =
                        call.arguments.iter().skip(program.functions[callee.index()].parameters.len());
                    // What is passed for a lock is a lock of the caller's, or null.
                    let passed = call.arguments.iter().take(PARAMETERS).enumerate().all(|(p, o)| {
                        let null = matches!(function.constant_bits(*o), Some(0));
                        let handle = declares(function, &Declaration::Creates)
                            && self.exact_of(program, index, *o) == Exact::Parameter(0);
                        self.locks[callee.index()] >> p & 1 == 0 || lock(o) || null || handle
                    });
                    passed
                        && !call.arguments.iter().any(beside_lock)
                        && !extra.clone().any(held)
                        && !call.arguments.iter().skip(PARAMETERS).any(lock)
                        && call
                            .arguments
                            .iter()
                            .enumerate()
                            .all(|(p, o)| self.taken[callee.index()] >> p.min(31) & 1 == 0 || name(o))
                }
                Callee::Direct(_) => !call.arguments.iter().any(held),
                Callee::Indirect(target) => !held(&target) && !call.arguments.iter().any(held),
            },
            Inst::Kernel { op, arguments, .. } => {
                use KernelOp::*;
                let names = |p: usize| match op {
                    Tcb | Finished => p == 0,
                    Block | Pause => p == 2,
                    _ => false,
                };
                let objects = |p: usize| match op {
                    Acquire | Release | Touch | IsDeterminate | Held | Holds => p == 0,
                    Block | Pause | Event => p == 1,
                    Fault => p == 2,
                    _ => false,
                };
                // What is started, and its block, are no numbers; a guess of an address is none either.
                arguments
                    .iter()
                    .enumerate()
                    .all(|(p, o)| (if names(p) { name(o) } else { !number(o) }) && (!lock(o) || objects(p)))
            }
            _ => {
                let mut clean = true;
                inst.for_each_operand(|o| clean &= !held(&o));
                clean
            }
        }
    }

    /// Registers that hold an address which was computed from that of a lock.
    fn beside_locks(&self, program: &Program, index: usize) -> Vec<Register> {
        let mut beside: Vec<Register> = Vec::new();
        loop {
            let before = beside.len();
            for inst in &program.functions[index].code {
                let (destination, from_lock, source) = match inst {
                    Inst::PointerAdd { destination, base, .. } => {
                        (*destination, self.is_lock(program, index, *base), *base)
                    }
                    Inst::Copy { destination, source } => (*destination, false, *source),
                    _ => continue,
                };
                let from = source.as_register().is_some_and(|r| beside.contains(&r));
                if (from_lock || from) && !beside.contains(&destination) {
                    beside.push(destination);
                }
            }
            if beside.len() == before {
                return beside;
            }
        }
    }

    /// Whether no number goes from the library to the user's code or back, but by handles.
    fn user_learns_nothing(&self, program: &Program) -> bool {
        let library = |f: &FunctionId| program.functions[f.index()].library;
        let taken = |c: &Constant| matches!(c, Constant::Function(f) if library(f));
        let quiet = |inst: &Inst| match inst {
            Inst::Kernel { op, .. } => {
                !matches!(op, KernelOp::SelfThread | KernelOp::Tcb | KernelOp::Finished | KernelOp::Spawn)
            }
            Inst::Call(call) => match call.callee {
                Callee::Direct(callee) if library(&callee) => {
                    let target = &program.functions[callee.index()];
                    let joins = declares(target, &Declaration::Joins);
                    !self.returned[callee.index()] && self.taken[callee.index()] & !(joins as u32) == 0
                }
                _ => true,
            },
            _ => true,
        };
        let users =
            program.functions.iter().enumerate().filter(|(i, f)| !f.library || *i == program.entry.index());
        users.into_iter().all(|(i, f)| {
            let entry = i == program.entry.index();
            f.code.iter().all(quiet) && (entry || !f.constants.iter().any(taken))
        })
    }
}

fn grow(mask: &mut Parameters, bit: usize) -> bool {
    let before = *mask;
    *mask |= 1 << bit.min(31);
    *mask != before
}

/// A local that holds zeroes and is only copied from, such as a literal of a structure.
fn is_zero_local(function: &Function, local: Register) -> bool {
    let is_zero = |o: &Operand| matches!(function.constant_bits(*o), Some(0));
    let members: Vec<Register> = function
        .code
        .iter()
        .filter_map(|inst| match inst {
            Inst::PointerAdd { destination, base, .. } if base.as_register() == Some(local) => {
                Some(*destination)
            }
            _ => None,
        })
        .collect();
    let within = |o: &Operand| o.as_register().is_some_and(|r| r == local || members.contains(&r));
    let (mut cleared, mut whole) = (false, true);
    for inst in &function.code {
        let mut defines = false;
        inst.for_each_destination(|d| defines |= d == local || members.contains(&d));
        let mut uses = false;
        inst.for_each_operand(|o| uses |= within(&o));
        whole &= match inst {
            Inst::Alloca { destination, .. } if defines => *destination == local,
            Inst::PointerAdd { base, index, .. } if defines => {
                base.as_register() == Some(local) && !within(index)
            }
            _ if defines => false,
            _ if !uses => true,
            Inst::MemorySet { destination, byte, .. } => {
                cleared |= destination.as_register() == Some(local);
                is_zero(byte)
            }
            Inst::Store { address, source, .. } => {
                cleared |= address.as_register() == Some(local);
                within(address) && is_zero(source)
            }
            Inst::MemoryCopy { source, destination, .. } => {
                source.as_register() == Some(local) && !within(destination)
            }
            Inst::LifetimeStart { .. } | Inst::LifetimeEnd { .. } => true,
            _ => false,
        };
    }
    whole && cleared
}

/// A constant that is the number of no thread.
fn names_no_thread(function: &Function, operand: Operand, bits: u8) -> bool {
    let value = match function.constant(operand) {
        Some(Constant::Bits(value)) => value,
        // A variable before its first assignment.
        Some(Constant::Undefined) => return true,
        _ => return false,
    };
    let negative = value >> (bits - 1) & 1 == 1;
    *value == 0 || negative || *value >= i32::MAX as u64
}
