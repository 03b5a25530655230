//! The one door to memory: every access of a program passes here, whatever instruction or kernel operation makes it, and
//! so does every fence. What is visible is reported to the listeners with its kind, order and length; a memory model
//! would stand behind this door.
//!
//! [`Door`] serves the inner loop. It performs an access and gives what is to be reported, because the loop has borrowed
//! the registers of the thread that the listener sees. `Run`'s functions serve all else, and do both.
//!
//! Not here: the first contents of objects, and what `printf` reads (`format.rs`), of which the ranges are reported here.

use raddle_ir::{Access, MemoryOrder, Width};
use raddle_semantics::Value;

use crate::semantics::fault::FaultKind;
use crate::semantics::memory::{Memory, MemoryFault};
use crate::semantics::object::Fragment;
use crate::semantics::run::{Exit, Run};
use crate::semantics::watch::{AccessEvent, AccessKind, Scene, Watch};

/// An access of the inner loop that has been performed and is to be reported.
#[must_use]
pub(crate) struct Performed {
    visible: bool,
    /// A compare-exchange that failed.
    failed: bool,
    event: AccessEvent,
}

impl Performed {
    /// What was read, or is overwritten.
    #[inline(always)]
    pub fn old(&self) -> Value {
        self.event.old
    }
    /// A compare-exchange that wrote.
    #[inline(always)]
    pub fn wrote(&self) -> bool {
        self.event.kind == AccessKind::Update
    }
}

/// The inner loop's way to memory.
pub(crate) struct Door<'a, W: Watch> {
    pub watch: &'a mut W,
    /// Accesses are only counted: see [`Watch::idle`].
    pub idle: bool,
    pub in_section: bool,
}

impl<W: Watch> Door<'_, W> {
    #[inline(always)]
    fn performed(
        &self,
        (kind, order): (AccessKind, MemoryOrder),
        (pointer, width, length): (u64, Width, u32),
        visible: bool,
        old: Value,
        new: Value,
    ) -> Performed {
        let (in_section, width) = (self.in_section, Some(width));
        let event = AccessEvent { kind, pointer, length, order, in_section, width, old, new };
        Performed { visible, failed: false, event }
    }

    #[inline(always)]
    pub fn load(
        &self,
        memory: &mut Memory,
        pointer: u64,
        width: Width,
        access: &Access,
    ) -> Result<Performed, MemoryFault> {
        let value = memory.load(pointer, width)?;
        let place = (pointer, width, width.bytes(memory.model));
        Ok(self.performed((AccessKind::Read, access.order), place, access.visible, value, value))
    }

    #[inline(always)]
    pub fn store(
        &self,
        memory: &mut Memory,
        pointer: u64,
        width: Width,
        access: &Access,
        new: Value,
    ) -> Result<Performed, MemoryFault> {
        let old = if W::ACTIVE && access.visible && !self.idle {
            // Read for the listener only: not a conversion by the program.
            let exposed = memory.exposed;
            let old = memory.load(pointer, width).unwrap_or_default();
            memory.exposed = exposed;
            old
        } else {
            Value::default()
        };
        memory.store(pointer, width, new)?;
        let place = (pointer, width, width.bytes(memory.model));
        Ok(self.performed((AccessKind::Write, access.order), place, access.visible, old, new))
    }

    /// An atomic read-modify-write.
    #[inline(always)]
    pub fn update(
        &self,
        memory: &mut Memory,
        pointer: u64,
        width: Width,
        access: &Access,
        changed: impl FnOnce(&Value) -> Value,
    ) -> Result<Performed, MemoryFault> {
        let old = memory.load(pointer, width)?;
        let new = changed(&old);
        memory.store(pointer, width, new)?;
        let place = (pointer, width, width.bytes(memory.model));
        Ok(self.performed((AccessKind::Update, access.order), place, access.visible, old, new))
    }

    /// An atomic compare-exchange; `new` is `None` when it fails whatever it finds.
    #[inline(always)]
    pub fn exchange(
        &self,
        memory: &mut Memory,
        pointer: u64,
        width: Width,
        (access, failure): (&Access, MemoryOrder),
        is_expected: impl FnOnce(&Value) -> Value,
        new: Option<Value>,
    ) -> Result<Performed, MemoryFault> {
        let old = memory.load(pointer, width)?;
        let equal = is_expected(&old);
        if equal.undefined != 0 {
            return Err(MemoryFault::Indeterminate);
        }
        let place = (pointer, width, width.bytes(memory.model));
        match new.filter(|_| equal.bits == 1) {
            Some(new) => {
                memory.store(pointer, width, new)?;
                Ok(self.performed((AccessKind::Update, access.order), place, access.visible, old, new))
            }
            None => {
                let performed = self.performed((AccessKind::Read, failure), place, access.visible, old, old);
                Ok(Performed { failed: true, ..performed })
            }
        }
    }

    /// Whether a listener must be given the access; one that is idle counts it here.
    #[inline(always)]
    pub fn listens(&mut self, performed: &Performed) -> bool {
        if performed.visible && self.idle {
            self.watch.passed();
        }
        performed.visible && !self.idle
    }

    pub fn tell(&mut self, scene: &Scene, performed: &Performed) {
        self.watch.access(scene, &performed.event);
        if performed.failed {
            self.watch.exchange_failed(scene);
        }
    }

    pub fn fence(&mut self, scene: &Scene, order: MemoryOrder) {
        self.watch.fence(scene, order);
    }
}

/// Outside the inner loop. All of them are plain accesses, except atomic ones of a size that no instruction has.
impl<W: Watch> Run<'_, W> {
    /// Bytes and their marks; up to a word if it is visible.
    pub(crate) fn fetch(&mut self, at: u64, length: u32, visible: bool) -> Result<Fragment, Exit> {
        let fragment = self.state.memory.extract(at, length).map_err(raise(at))?;
        if visible {
            let value = self.state.memory.load_bytes(at, length).unwrap_or_default();
            self.accessed(AccessKind::Read, at, length, value, value);
        }
        Ok(fragment)
    }

    /// Writes bytes and their marks; up to a word if it is visible.
    pub(crate) fn put(&mut self, at: u64, content: &Fragment, visible: bool) -> Result<(), Exit> {
        self.written(at, content.bytes.len() as u32, visible, |memory| memory.insert(at, content))
    }

    /// The same byte everywhere.
    pub(crate) fn fill(&mut self, at: u64, length: u32, byte: Value, visible: bool) -> Result<(), Exit> {
        self.written(at, length, visible, |memory| memory.fill(at, length, byte))
    }

    /// Up to a word of a value.
    pub(crate) fn put_bytes(&mut self, at: u64, length: u32, value: Value) -> Result<(), Exit> {
        let old = self.state.memory.load_bytes(at, length).unwrap_or_default();
        self.state.memory.store_bytes(at, length, value).map_err(raise(at))?;
        self.accessed(AccessKind::Write, at, length, old, value);
        Ok(())
    }

    fn written(
        &mut self,
        at: u64,
        length: u32,
        visible: bool,
        write: impl FnOnce(&mut Memory) -> Result<(), MemoryFault>,
    ) -> Result<(), Exit> {
        let content = |memory: &Memory| memory.load_bytes(at, length).unwrap_or_default();
        let old = if visible { content(&self.state.memory) } else { Value::default() };
        write(&mut self.state.memory).map_err(raise(at))?;
        if visible {
            let new = content(&self.state.memory);
            self.accessed(AccessKind::Write, at, length, old, new);
        }
        Ok(())
    }

    /// Any number of bytes by a kernel operation, at once; their values are not reported.
    pub(crate) fn put_block(&mut self, at: u64, content: &Fragment) -> Result<(), Exit> {
        self.state.memory.insert(at, content).map_err(raise(at))?;
        self.range_accessed(AccessKind::Write, at, content.bytes.len() as u32);
        Ok(())
    }

    /// A value that a kernel operation or `va_start` stores; what it was before is not reported.
    pub(crate) fn put_value(
        &mut self,
        at: u64,
        width: Width,
        value: Value,
        visible: bool,
    ) -> Result<(), Exit> {
        self.state.memory.store(at, width, value).map_err(raise(at))?;
        if visible {
            let length = width.bytes(self.machine.program.data_model);
            self.accessed(AccessKind::Write, at, length, Value::UNDEFINED, value);
        }
        Ok(())
    }

    /// Text that the machine needs for a message: no access of the program.
    pub(crate) fn text(&self, at: u64) -> String {
        let bytes = self.state.memory.c_string(at, 500).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Whether all bytes can be read, or written.
    pub(crate) fn check_range(&self, at: u64, length: u32, write: bool) -> Result<(), Exit> {
        self.state.memory.check(at, length, write).map_err(raise(at))
    }

    /// Bytes that a kernel operation has moved by other means.
    pub(crate) fn range_accessed(&mut self, kind: AccessKind, pointer: u64, length: u32) {
        self.accessed(kind, pointer, length, Value::UNDEFINED, Value::UNDEFINED);
    }

    fn accessed(&mut self, kind: AccessKind, pointer: u64, length: u32, old: Value, new: Value) {
        let (in_section, order) = (self.in_section, MemoryOrder::NotAtomic);
        let event = AccessEvent { kind, pointer, length, order, in_section, width: None, old, new };
        self.tell(|w, s| w.access(s, &event));
    }

    /// A kernel section that is one atomic access of any size; it has moved the bytes itself.
    pub(crate) fn atomic_accessed(
        &mut self,
        kind: AccessKind,
        pointer: u64,
        length: u32,
        order: MemoryOrder,
        failed: bool,
    ) {
        let (old, new) = (Value::UNDEFINED, Value::UNDEFINED);
        let event = AccessEvent { kind, pointer, length, order, in_section: false, width: None, old, new };
        self.tell(|w, s| w.access(s, &event));
        if failed {
            self.tell(|w, s| w.exchange_failed(s));
        }
    }
}

pub(crate) fn raise(pointer: u64) -> impl Fn(MemoryFault) -> Exit {
    move |fault| Exit::Raise(FaultKind::Memory(fault), Some(pointer))
}
