//! Leaks: heap objects that nothing points to when the process ends.
//!
//! Reachable is what a chain of pointers leads to from globals, thread-locals, and variables of functions that threads
//! are in which have not finished; those of main no longer when it has returned. A pointer into the middle of an
//! object counts. So does one whose bytes are not laid out as a pointer (in a packed structure, or copied byte by
//! byte), and a value that is no variable, but will be read again: an argument of a call that has not come yet. A
//! dead register does not count.

use raddle_ir::{Function, Inst, Register, RegisterType};
use rustc_hash::FxHashSet;

use crate::semantics::fault::{CodePoint, Fault, FaultKind};
use crate::semantics::machine::Machine;
use crate::semantics::object::ObjectKind;
use crate::semantics::pointer::{self, ObjectId};
use crate::semantics::state::State;
use crate::semantics::thread::{Status, ThreadIndex};

impl Machine {
    /// The leaks of a state, one fault an allocation site.
    pub fn leaks(&self, state: &State, thread: ThreadIndex) -> Vec<Fault> {
        let memory = state.memory();
        let word = memory.word();
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        let mut work: Vec<ObjectId> = (0..memory.globals.len()).map(|i| ObjectId::global(i as u32)).collect();
        for (_, t) in state.threads().filter(|(_, t)| t.status != Status::Finished) {
            work.push(pointer::object(t.tcb));
            work.extend(t.thread_locals.iter().map(|(_, id)| *id));
            for (i, frame) in t.frames.iter().enumerate() {
                // The first function has no variables; it keeps those of main, which count no longer.
                if frame.function != self.program.entry {
                    work.extend(frame.objects.iter().copied());
                }
                let called = i + 1 < t.frames.len();
                let end = t.frames.get(i + 1).map_or(t.registers.len(), |f| f.base as usize);
                let function = self.program.function(frame.function);
                let registers = t.registers[frame.base as usize..end].iter().zip(&function.registers);
                for (number, (value, info)) in registers.enumerate() {
                    let counts = || info.local.is_some() || is_read(function, frame.pc, called, number);
                    if info.ty == RegisterType::Pointer && value.is_defined() && value.bits != 0 && counts() {
                        work.push(pointer::object(value.bits));
                    }
                }
            }
        }
        // Blocks of the models (thread control blocks, exit handlers) are roots too: the library holds them.
        let internal = memory.dynamic.iter().filter(|(_, o)| o.kind == ObjectKind::Internal);
        work.extend(internal.map(|(id, _)| id));
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let Some(object) = memory.object(id) {
                work.extend(
                    object.pointer_offsets(word).map(|o| pointer::object(object.pointer_at(o, word))),
                );
                work.extend(object.unmarked_pointers(word).map(pointer::object));
            }
        }
        let mut lost: Vec<(CodePoint, ObjectId)> = memory
            .dynamic
            .iter()
            .filter(|(id, _)| !seen.contains(id))
            .filter_map(|(id, o)| match o.kind {
                ObjectKind::Heap { function, pc } => Some((CodePoint { function, pc }, id)),
                _ => None,
            })
            .collect();
        lost.sort_by_key(|(at, id)| (at.function, at.pc, *id));
        lost.dedup_by_key(|(at, _)| *at);
        lost.into_iter()
            .map(|(at, id)| Fault {
                kind: FaultKind::Leak,
                thread,
                at,
                user: at,
                message: String::new(),
                pointer: Some(id.base()),
            })
            .collect()
    }
}

/// Whether a register may be read, before it is written, from an instruction on. `called`: the frame waits for the call
/// before it, which will write its results first.
fn is_read(function: &Function, pc: u32, called: bool, register: usize) -> bool {
    let register = Register::new(register);
    if called
        && let Some(Inst::Call(call)) = function.code.get((pc as usize).wrapping_sub(1))
        && call.results.contains(&register)
    {
        return false;
    }
    let mut seen = vec![false; function.code.len()];
    let mut waiting = vec![pc as usize];
    while let Some(mut pc) = waiting.pop() {
        while let Some(inst) = function.code.get(pc)
            && !std::mem::replace(&mut seen[pc], true)
        {
            let (mut reads, mut writes) = (false, false);
            inst.for_each_operand(|o| reads |= o.as_register() == Some(register));
            inst.for_each_destination(|r| writes |= r == register);
            if reads {
                return true;
            }
            if writes {
                break;
            }
            inst.for_each_target(|block| waiting.push(function.blocks[block.index()].start as usize));
            if inst.is_terminator() {
                break;
            }
            pc += 1;
        }
    }
    false
}
