//! Event markers of a program: which it has at all, and which places may still reach a `CANCEL` marker.
//!
//! Both follow from the code alone. A model queries the first (`__raddle_has_event`), so that only programs that
//! cancel threads or register exit handlers pay for what those need. The detection of local deadlocks needs the
//! second: a thread that waits at a cancellation point is not stuck while another thread may still cancel it.
//!
//! Over-approximated: an indirect call may call every function whose address is taken, a thread that starts another
//! may do what any of those does, and a function with a `setjmp` may return to its beginning.

use raddle_ir::{Callee, Constant, Function, FunctionId, Inst, KernelOp, Program, SymbolTarget};

use crate::semantics::kernel::event;
use crate::semantics::thread::{Frame, Thread};

#[derive(Debug)]
pub(crate) struct Events {
    /// A bit for each event number.
    present: u64,
    /// For each function and block: a `CANCEL` marker may be reached from its beginning. Empty without such markers.
    cancels: Vec<Vec<bool>>,
    /// For each function: a call of it may reach a `CANCEL` marker.
    calls: Vec<bool>,
    /// Functions that a pointer may point to.
    taken: Vec<usize>,
}

impl Events {
    pub fn of(program: &Program) -> Events {
        let mut present = 0;
        for function in program.functions.iter().filter(|f| f.has_body()) {
            for inst in &function.code {
                present |= marker(function, inst).map_or(0, |event| 1u64.checked_shl(event).unwrap_or(0));
            }
        }
        let mut events = Events { present, cancels: Vec::new(), calls: Vec::new(), taken: Vec::new() };
        if events.has(event::CANCEL as u64) {
            events.find_cancels(program);
        }
        events
    }

    pub fn has(&self, event: u64) -> bool {
        event < 64 && self.present >> event & 1 == 1
    }

    /// Whether the thread may still reach a `CANCEL` marker.
    pub fn may_cancel(&self, program: &Program, thread: &Thread) -> bool {
        !self.cancels.is_empty() && thread.frames.iter().any(|frame| self.frame_cancels(program, frame))
    }

    fn frame_cancels(&self, program: &Program, frame: &Frame) -> bool {
        let function = program.function(frame.function);
        if function.code.iter().any(|inst| matches!(inst, Inst::SetJump { .. })) {
            return self.calls[frame.function.index()];
        }
        self.from(function, frame.function.index(), frame.pc as usize)
    }

    /// From an instruction to the end of its block, and from there on.
    fn from(&self, function: &Function, index: usize, pc: usize) -> bool {
        let Some(block) = function.blocks.iter().find(|b| (b.start as usize..b.end as usize).contains(&pc))
        else {
            return true;
        };
        let code = &function.code[pc..block.end as usize];
        let mut found = code.iter().any(|inst| self.inst_cancels(function, inst));
        if let Some(last) = code.last() {
            last.for_each_target(|target| found |= self.cancels[index][target.index()]);
        }
        found
    }

    fn inst_cancels(&self, function: &Function, inst: &Inst) -> bool {
        let any = || self.taken.iter().any(|f| self.calls[*f]);
        match inst {
            Inst::Call(call) => match call.callee {
                Callee::Direct(callee) => self.calls[callee.index()],
                Callee::Indirect(_) => any(),
            },
            Inst::Kernel { op: KernelOp::Spawn, .. } => any(),
            _ => marker(function, inst) == Some(event::CANCEL),
        }
    }

    /// The least solution, by repetition.
    fn find_cancels(&mut self, program: &Program) {
        self.taken = address_taken(program);
        self.calls = vec![false; program.functions.len()];
        self.cancels = program.functions.iter().map(|f| vec![false; f.blocks.len()]).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (index, function) in program.functions.iter().enumerate().filter(|(_, f)| f.has_body()) {
                for block in (0..function.blocks.len()).rev() {
                    let start = function.blocks[block].start as usize;
                    if !self.cancels[index][block] && self.from(function, index, start) {
                        self.cancels[index][block] = true;
                        changed = true;
                    }
                }
                changed |= !self.calls[index] && self.cancels[index].first() == Some(&true);
                self.calls[index] |= self.cancels[index].first() == Some(&true);
            }
        }
    }
}

/// The event that the instruction marks, if it is a constant.
fn marker(function: &Function, inst: &Inst) -> Option<u32> {
    let Inst::Kernel { op: KernelOp::Event, arguments, .. } = inst else { return None };
    match function.constants[arguments.first()?.as_constant()?.index()] {
        Constant::Bits(bits) => u32::try_from(bits).ok(),
        _ => None,
    }
}

/// Functions that a pointer may point to.
fn address_taken(program: &Program) -> Vec<usize> {
    let mut taken = vec![false; program.functions.len()];
    let mut take = |id: &FunctionId| taken[id.index()] = true;
    for function in &program.functions {
        for constant in &function.constants {
            if let Constant::Function(id) = constant {
                take(id);
            }
        }
    }
    for relocation in program.globals.iter().flat_map(|g| &g.initializer.relocations) {
        if let SymbolTarget::Function(id) = &relocation.target {
            take(id);
        }
    }
    (0..taken.len()).filter(|f| taken[*f]).collect()
}
