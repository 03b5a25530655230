//! Leaks: heap objects that nothing points to when the process ends.
//!
//! Reachable is what a chain of pointers leads to from globals, thread-locals, and registers and stack objects of
//! threads that have not finished. A pointer into the middle of an object counts.

use raddle_ir::RegisterType;
use rustc_hash::FxHashSet;

use crate::fault::{CodePoint, Fault, FaultKind};
use crate::machine::Machine;
use crate::object::ObjectKind;
use crate::pointer::{self, ObjectId};
use crate::state::State;
use crate::thread::{Status, ThreadIndex};

impl Machine {
    /// The leaks of a state, one fault an allocation site.
    pub fn leaks(&self, state: &State, thread: ThreadIndex) -> Vec<Fault> {
        let memory = state.memory();
        let word = memory.word();
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        let mut work: Vec<ObjectId> = (0..memory.globals.len()).map(|i| ObjectId::global(i as u32)).collect();
        for (_, t) in state.threads().filter(|(_, t)| t.status != Status::Finished) {
            work.push(pointer::object(t.tcb));
            work.extend(t.last_pointers.iter().map(|p| pointer::object(*p)));
            work.extend(t.thread_locals.iter().map(|(_, id)| *id));
            for (i, frame) in t.frames.iter().enumerate() {
                work.extend(frame.objects.iter().copied());
                let end = t.frames.get(i + 1).map_or(t.registers.len(), |f| f.base as usize);
                let types = &self.program.function(frame.function).registers;
                for (value, info) in t.registers[frame.base as usize..end].iter().zip(types) {
                    if info.ty == RegisterType::Pointer && value.is_defined() {
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
