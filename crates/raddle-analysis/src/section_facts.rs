//! What information kernel sections of library functions can carry, as their bodies show (for races by state).
//!
//! Three facts about a program. By function: whether it contains a kernel section, and whether it is *silent*, so that
//! nothing that it reads has an effect beside what it writes. By global: whether the user's code only passes its address
//! to library functions, so that it cannot read there what sections wrote. Of the whole program: whether the user's code
//! reads the bytes of an object of synchronisation by itself.

use raddle_ir::{
    CastOp, Function, GlobalId, Inst, KernelOp, Operand, Program, Register, RegisterType, SymbolTarget,
};

use crate::call_graph::{self, direct};

pub struct SectionFacts {
    /// By function: it contains a kernel section, or calls one that does.
    pub has_section: Vec<bool>,
    /// By function: nothing that it reads has an effect beside what it writes.
    pub silent: Vec<bool>,
    /// By global: the user's code only passes it to library functions.
    pub apart: Vec<bool>,
    /// The user's code reads bytes of an object of synchronisation.
    pub reads_a_lock: bool,
}

impl SectionFacts {
    pub fn of(program: &Program) -> SectionFacts {
        SectionFacts {
            has_section: call_graph::with(program, |inst| {
                matches!(inst, Inst::Kernel { op: KernelOp::Begin, .. })
            }),
            silent: program.functions.iter().map(is_silent).collect(),
            apart: apart(program),
            reads_a_lock: reads_a_lock(program),
        }
    }
}

/// Whether a function does the same whatever it reads, apart from the values that it writes: a counter that is
/// incremented carries no information to the thread that does it.
fn is_silent(function: &Function) -> bool {
    let mut read: Vec<Register> = Vec::new();
    let mut changed = true;
    while changed {
        let before = read.len();
        for inst in &function.code {
            let mut depends = matches!(inst, Inst::Load { .. });
            inst.for_each_operand(|o| depends |= o.as_register().is_some_and(|r| read.contains(&r)));
            inst.for_each_destination(|d| {
                if depends && !read.contains(&d) {
                    read.push(d);
                }
            });
        }
        changed = read.len() > before;
    }
    let is_read = |o: &Operand| o.as_register().is_some_and(|r| read.contains(&r));
    let own = from_first(function, true);
    let assigned_once = |r: &Register| {
        let mut count = function.parameters.contains(r) as u32;
        function.code.iter().for_each(|inst| inst.for_each_destination(|d| count += (d == *r) as u32));
        count == 1
    };
    let is_own = |o: &Operand| o.as_register().is_some_and(|r| own.contains(&r) && assigned_once(&r));
    let (mut begun, mut ended) = (0, 0);
    let mut plain = |inst: &Inst| match inst {
        Inst::Copy { .. } | Inst::Binary { .. } | Inst::Cast { .. } | Inst::Jump { .. } => true,
        Inst::Return { values } => values.is_empty(),
        Inst::PointerAdd { base, index, .. } => !is_read(base) && !is_read(index),
        Inst::Load { address, .. } | Inst::Store { address, .. } => {
            is_own(address) && begun == 1 && ended == 0
        }
        Inst::Kernel { op, arguments, .. } => {
            use KernelOp::*;
            begun += (*op == Begin) as u32;
            ended += (*op == End) as u32;
            matches!(op, Begin | End | Release | Event | Touch) && !arguments.iter().any(is_read)
        }
        _ => false,
    };
    // One block: then the order of the code is that of execution.
    function.library && function.blocks.len() == 1 && function.code.iter().all(&mut plain)
}

/// By global: the user's code does nothing with its address but pass it to library functions, of which no added one gives it
/// back or keeps it.
fn apart(program: &Program) -> Vec<bool> {
    let mut apart = vec![true; program.globals.len()];
    for function in program.functions.iter().filter(|f| !f.library) {
        for inst in &function.code {
            if !direct(inst).is_some_and(|(callee, _)| program.functions[callee].library) {
                inst.for_each_operand(|o| {
                    if let Some((global, _)) = function.constant_place(o) {
                        apart[global.index()] = false;
                    }
                });
            }
        }
    }
    for relocation in program.globals.iter().flat_map(|g| &g.initializer.relocations) {
        if let SymbolTarget::Global(global) = relocation.target {
            apart[global.index()] = false;
        }
    }
    let keeps = |function: &Function| {
        let is_pointer = |o: &Operand| {
            o.as_register().is_some_and(|r| function.registers[r.index()].ty == RegisterType::Pointer)
        };
        function.code.iter().any(|inst| match inst {
            Inst::Return { values } => values.iter().any(is_pointer),
            Inst::Store { source, .. } | Inst::Update { source, .. } => is_pointer(source),
            Inst::CompareExchange { new, .. } => is_pointer(new),
            Inst::Cast { op, .. } => matches!(op, CastOp::PointerToInt),
            _ => false,
        })
    };
    if program.functions.iter().any(|f| f.added && keeps(f)) {
        apart.fill(false);
    }
    apart
}

/// Whether a library function waits, orders or holds by the object of its first parameter.
fn synchronises(program: &Program, index: usize, depth: u32) -> bool {
    let function = &program.functions[index];
    let copies = from_first(function, false);
    let is_first = |o: &Operand| o.as_register().is_some_and(|r| copies.contains(&r));
    let here = |inst: &Inst| match inst {
        Inst::Kernel { op: KernelOp::Acquire | KernelOp::Release, arguments, .. } => is_first(&arguments[0]),
        Inst::Kernel { op: KernelOp::Event | KernelOp::Block | KernelOp::Pause, arguments, .. } => {
            is_first(&arguments[1])
        }
        _ => direct(inst).is_some_and(|(callee, call)| {
            call.arguments.first().is_some_and(is_first) && synchronises(program, callee, depth - 1)
        }),
    };
    function.library && depth > 0 && function.code.iter().any(here)
}

/// Registers that may hold the first parameter; with `inside`, an address within what it points to.
fn from_first(function: &Function, inside: bool) -> Vec<Register> {
    let mut from: Vec<Register> = function.parameters.first().copied().into_iter().collect();
    for inst in &function.code {
        let (destination, source) = match inst {
            Inst::Copy { destination, source } => (destination, source),
            Inst::PointerAdd { destination, base, .. } if inside => (destination, base),
            _ => continue,
        };
        if source.as_register().is_some_and(|r| from.contains(&r)) {
            from.push(*destination);
        }
    }
    from
}

/// Whether the user's code reads, by a constant address, the first word of an object of synchronisation. (Through pointers
/// it is not noticed.)
fn reads_a_lock(program: &Program) -> bool {
    let users = || program.functions.iter().filter(|f| !f.library);
    let mut locks = Vec::new();
    for function in users() {
        for inst in &function.code {
            if let Some((callee, call)) = direct(inst)
                && let Some(first) = call.arguments.first()
                && synchronises(program, callee, 4)
            {
                locks.extend(function.constant_place(*first));
            }
        }
    }
    let is_lock = |at: (GlobalId, i64)| {
        locks.iter().any(|(global, offset)| *global == at.0 && (*offset..*offset + 4).contains(&at.1))
    };
    users().any(|f| {
        f.code.iter().any(|inst| match inst {
            Inst::Load { access, address, .. } if !access.is_atomic() => {
                f.constant_place(*address).is_some_and(&is_lock)
            }
            _ => false,
        })
    })
}
