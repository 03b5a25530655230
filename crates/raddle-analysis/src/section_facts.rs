//! What information kernel sections of library functions can carry, as their bodies show (for races by state).
//!
//! Three facts about a program. By function: whether it contains a kernel section, and whether it is *silent*, so that
//! nothing that it reads has an effect beside what it writes. By global: whether only models that the user has added have
//! its address, so that neither the user's code nor a library function reads there what their sections wrote.

use raddle_ir::{
    CastOp, Declaration, Function, Inst, KernelOp, Operand, Program, Register, RegisterType, SymbolTarget,
};

use crate::call_graph::{self, direct};

pub struct SectionFacts {
    /// By function: it contains a kernel section, or calls one that does.
    pub has_section: Vec<bool>,
    /// By function: nothing that it reads has an effect beside what it writes.
    pub silent: Vec<bool>,
    /// By global: only added models have its address.
    pub apart: Vec<bool>,
}

/// What information the results of a library function carry about other threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResultInformation {
    /// None that comes without an order.
    Ordered,
    /// These results carry none, or come with an order; the others carry some.
    Except(Vec<i32>),
    Always,
    /// Of a model that the user has added: its sections are judged, one by one.
    Judged,
}

impl ResultInformation {
    /// Whether this result carries information without an order, as far as the declaration says.
    pub fn is_carried_by(&self, result: Option<i32>) -> bool {
        match self {
            ResultInformation::Always => true,
            ResultInformation::Except(results) => result.is_some_and(|result| !results.contains(&result)),
            ResultInformation::Ordered | ResultInformation::Judged => false,
        }
    }
}

impl SectionFacts {
    /// By function, with or without spurious wake-ups.
    pub fn results(&self, program: &Program, spurious_wakeups: bool) -> Vec<ResultInformation> {
        let class = |(index, f): (usize, &Function)| {
            if f.library && f.added {
                return ResultInformation::Judged;
            }
            if !f.library || !self.has_section[index] {
                return ResultInformation::Ordered;
            }
            let declared = f.declarations.iter().find_map(|declaration| match declaration {
                Declaration::Ordered(None) => Some(ResultInformation::Ordered),
                Declaration::Ordered(Some(results)) => Some(ResultInformation::Except(results.clone())),
                Declaration::OrderedWithSpurious(results) if spurious_wakeups => {
                    Some(ResultInformation::Except(results.clone()))
                }
                _ => None,
            });
            // A model that is not known to order what it reads.
            declared.unwrap_or(ResultInformation::Always)
        };
        program.functions.iter().enumerate().map(class).collect()
    }

    pub fn of(program: &Program) -> SectionFacts {
        SectionFacts {
            has_section: call_graph::with(program, |inst| {
                matches!(inst, Inst::Kernel { op: KernelOp::Begin, .. })
            }),
            silent: program.functions.iter().map(is_silent).collect(),
            apart: apart(program),
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

/// By global: the user's code does nothing with its address but pass it to added models, of which none gives it back, keeps
/// it or passes it to another function.
fn apart(program: &Program) -> Vec<bool> {
    let mut apart = vec![true; program.globals.len()];
    for function in program.functions.iter().filter(|f| !f.added) {
        for inst in &function.code {
            if !direct(inst).is_some_and(|(callee, _)| program.functions[callee].added) {
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
                || function.constant_place(*o).is_some()
        };
        function.code.iter().any(|inst| match inst {
            Inst::Call(call) => {
                let added = direct(inst).is_some_and(|(callee, _)| program.functions[callee].added);
                !added && call.arguments.iter().any(is_pointer)
            }
            // The block of a thread.
            Inst::Kernel { op: KernelOp::Spawn, arguments, .. } => is_pointer(&arguments[1]),
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
