//! Kernel operations on the heap: allocation, reuse of addresses, `free`, resizing.

use crate::semantics::address32::take_address32;
use crate::semantics::fault::FaultKind;
use crate::semantics::memory::{FreedBlock, MemoryFault};
use crate::semantics::object::{Object, ObjectKind};
use crate::semantics::pointer;
use crate::semantics::pointer::{MAX_COUNT, MAX_OBJECT, ObjectId, ObjectName};
use crate::semantics::run::{Exit, Run};
use crate::semantics::thread::{ChoiceKind, ChoiceRequest};
use crate::semantics::watch::{AccessKind, Watch};

/// The channel of a block's address from its release to the allocation that takes it.
const FREED: i32 = i32::MIN;

impl<W: Watch> Run<'_, W> {
    /// A new object, or with `reuse_addresses` perhaps a freed one's address; `None`: another step must come first.
    pub(crate) fn allocate(&mut self, size: u64, kind: u64) -> Result<Option<u64>, Exit> {
        if size > MAX_OBJECT {
            return Err(Exit::Unsupported(format!(
                "an allocation of {size} bytes (objects of up to {MAX_OBJECT} bytes are supported)"
            )));
        }
        // The site is the user's call, not the model's.
        let site = crate::semantics::run::user_point(self.machine, self.thread_ref());
        let reused = if self.machine.settings.reuse_addresses && kind != 2 {
            // What others freed matters now: a visible operation, and a choice.
            if self.thread_ref().resolved.is_none() && !self.in_section && !self.take_credit() {
                return Ok(None);
            }
            self.notify(|w, s| w.freed_blocks(s));
            self.reused(size as u32)?
        } else {
            None
        };
        let thread = self.thread();
        if thread.heap_count >= MAX_COUNT {
            return Err(Exit::Unsupported("too many heap objects in one run".into()));
        }
        let (id, base32) = match reused {
            Some(block) => (block.id, block.base32),
            None => {
                let id = ObjectId::heap(thread.number, thread.heap_count);
                thread.heap_count += 1;
                (id, self.take_address(size as u32))
            }
        };
        if reused.is_some() {
            // C17 7.22.3: a free synchronises with the allocation that takes its block.
            self.notify(|w, s| w.acquire(s, id.base(), FREED));
        }
        let what = if kind == 2 {
            ObjectKind::Internal
        } else {
            ObjectKind::Heap { function: site.function, pc: site.pc }
        };
        let mut object = Object::new(what, size as u32, kind != 0);
        object.base32 = base32;
        self.state.memory.add(id, object);
        Ok(Some(id.base()))
    }

    /// One of the freed blocks of this size, if the choice falls on one.
    pub(crate) fn reused(&mut self, size: u32) -> Result<Option<FreedBlock>, Exit> {
        let memory = &self.state.memory;
        let fitting: Vec<FreedBlock> =
            memory.freed.iter().filter(|block| block.fits(size, memory.word())).copied().collect();
        // Between the request and the answer others may have taken blocks: then a new one.
        if fitting.is_empty() && self.thread_ref().resolved.is_none() {
            return Ok(None);
        }
        let pick = self.answer(ChoiceRequest { last: fitting.len() as u64, kind: ChoiceKind::Pick })?;
        let Some(taken) = (pick as usize).checked_sub(1).and_then(|i| fitting.get(i).copied()) else {
            return Ok(None);
        };
        self.state.memory.freed.retain(|block| block.id != taken.id);
        Ok(Some(taken))
    }

    /// The next four-byte address of this thread.
    pub(crate) fn take_address(&mut self, size: u32) -> u32 {
        let index = self.index.index();
        let thread = self.state.threads[index].write();
        take_address32(thread.number, &mut thread.next32, size, &mut self.state.memory.crowded)
    }

    pub(crate) fn free(&mut self, pointer: u64) -> Result<(), Exit> {
        if pointer == 0 {
            return Ok(());
        }
        let fault = |f| Err(Exit::Raise(FaultKind::Memory(f), Some(pointer)));
        let id = pointer::object(pointer);
        match (id.name(), self.state.memory.object(id)) {
            (ObjectName::Heap { .. }, None) => fault(MemoryFault::DoubleFree),
            (ObjectName::Heap { .. }, Some(object)) if pointer::offset(pointer) == 0 => {
                let block = FreedBlock { id, size: object.size(), base32: object.base32 };
                let reusable =
                    self.machine.settings.reuse_addresses && matches!(object.kind, ObjectKind::Heap { .. });
                let in_section = self.in_section;
                self.notify(|w, s| w.free(s, pointer, block.size, in_section));
                self.state.memory.remove(id);
                if reusable {
                    self.notify(|w, s| {
                        w.freed_blocks(s);
                        w.release(s, pointer, FREED);
                    });
                    let freed = &mut self.state.memory.freed;
                    freed.push(block);
                    freed.sort_unstable();
                }
                Ok(())
            }
            _ => fault(MemoryFault::InvalidFree),
        }
    }

    /// The object has another size and the same place.
    pub(crate) fn resize(&mut self, pointer: u64, size: u64) -> Result<(), Exit> {
        let fault = |f| Exit::Raise(FaultKind::Memory(f), Some(pointer));
        let id = pointer::object(pointer);
        if size > MAX_OBJECT {
            return Err(Exit::Unsupported(format!("an allocation of {size} bytes")));
        }
        let (kind, base32, before) = match (id.name(), self.state.memory.object(id)) {
            (ObjectName::Heap { .. }, None) => return Err(fault(MemoryFault::DoubleFree)),
            (ObjectName::Heap { .. }, Some(o)) if pointer::offset(pointer) == 0 => {
                (o.kind, o.base32, o.size())
            }
            _ => return Err(fault(MemoryFault::InvalidFree)),
        };
        let kept = self.fetch(pointer, before.min(size as u32), false)?;
        let mut object = Object::new(kind, size as u32, false);
        object.base32 = base32;
        self.state.memory.remove(id);
        self.state.memory.add(id, object);
        self.put(pointer, &kept, false)?;
        self.range_accessed(AccessKind::Write, pointer, before.max(size as u32));
        Ok(())
    }

    /// A stack object or thread-local ends.
    pub(crate) fn remove(&mut self, id: ObjectId) {
        let size = self.state.memory.object(id).map_or(0, Object::size);
        self.notify(|w, s| w.gone(s, id.base(), size));
        self.state.memory.remove(id);
    }
}
