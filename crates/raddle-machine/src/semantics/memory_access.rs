//! The one interface to memory: every access of a program passes here, whatever instruction or kernel operation makes it.
//! What is visible is reported to the listeners with its kind, order and length, fences too (under sequential
//! consistency a fence has no other effect). Another memory model would be implemented behind this interface.
//!
//! [`Door`] serves the inner loop. It performs an access and gives what is to be reported, because the loop has borrowed
//! the registers of the thread that the listener sees. `Run`'s functions serve all else, and do both.
//!
//! Not here: the first contents of objects, and what `printf` reads (`printf.rs`), of which the ranges are reported here.

use raddle_ir::{Access, MemoryOrder, Width};
use raddle_semantics::Value;

use crate::semantics::fault::FaultKind;
use crate::semantics::memory::{Memory, MemoryFault};
use crate::semantics::object::Fragment;
use crate::semantics::run::{Exit, Run};
use crate::semantics::watch::{AccessEvent, AccessKind, Scene, Watch};

/// An access of the inner loop has been performed and is still to be reported.
#[must_use]
pub(crate) struct Unreported(());

/// What the listener is given of it.
pub(crate) struct Report {
    pub kind: AccessKind,
    pub pointer: u64,
    pub width: Width,
    pub order: MemoryOrder,
    pub old: Value,
    pub new: Value,
    /// A compare-exchange that failed.
    pub failed: bool,
}

/// The inner loop's way to memory.
pub(crate) struct MemoryPort<'a, W: Watch> {
    pub watch: &'a mut W,
    /// Accesses are only counted: see [`Watch::idle`].
    pub idle: bool,
    pub in_section: bool,
}

impl<W: Watch> MemoryPort<'_, W> {
    #[inline(always)]
    pub fn load(
        &self,
        memory: &mut Memory,
        pointer: u64,
        width: Width,
    ) -> Result<(Value, Unreported), MemoryFault> {
        Ok((memory.load(pointer, width)?, Unreported(())))
    }

    /// Gives what was there, if a listener needs it.
    #[inline(always)]
    pub fn store(
        &self,
        memory: &mut Memory,
        pointer: u64,
        width: Width,
        access: &Access,
        new: Value,
    ) -> Result<(Value, Unreported), MemoryFault> {
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
        Ok((old, Unreported(())))
    }

    /// An atomic read-modify-write; gives the old value and the new one.
    #[inline(always)]
    pub fn update(
        &self,
        memory: &mut Memory,
        pointer: u64,
        width: Width,
        changed: impl FnOnce(&Value) -> Value,
    ) -> Result<(Value, Value, Unreported), MemoryFault> {
        let old = memory.load(pointer, width)?;
        let new = changed(&old);
        memory.store(pointer, width, new)?;
        Ok((old, new, Unreported(())))
    }

    /// An atomic compare-exchange, which fails whatever it finds if `fails`; gives the old value and whether it wrote.
    #[inline(always)]
    pub fn exchange(
        &self,
        memory: &mut Memory,
        pointer: u64,
        width: Width,
        is_expected: impl FnOnce(&Value) -> Value,
        new: Value,
        fails: bool,
    ) -> Result<(Value, bool, Unreported), MemoryFault> {
        let old = memory.load(pointer, width)?;
        let equal = is_expected(&old);
        if equal.undefined != 0 {
            return Err(MemoryFault::Indeterminate);
        }
        let swaps = equal.bits == 1 && !fails;
        if swaps {
            memory.store(pointer, width, new)?;
        }
        Ok((old, swaps, Unreported(())))
    }

    /// Whether a listener must be given the access; one that is idle counts it here.
    #[inline(always)]
    pub fn listens(&mut self, _: &Unreported, visible: bool) -> bool {
        if visible && self.idle {
            self.watch.passed();
        }
        visible && !self.idle
    }

    #[inline]
    pub fn notify(&mut self, scene: &Scene, _: Unreported, report: Report) {
        let Report { kind, pointer, width, order, old, new, failed } = report;
        let length = width.bytes(scene.memory.model);
        let (in_section, width) = (self.in_section, Some(width));
        let event =
            AccessEvent { kind, pointer, length, order, in_section, of_section: false, width, old, new };
        self.watch.access(scene, &event);
        if failed {
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
        let of_section = false;
        let event =
            AccessEvent { kind, pointer, length, order, in_section, of_section, width: None, old, new };
        self.notify(|w, s| w.access(s, &event));
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
        let (in_section, of_section) = (false, true);
        let event =
            AccessEvent { kind, pointer, length, order, in_section, of_section, width: None, old, new };
        self.notify(|w, s| w.access(s, &event));
        if failed {
            self.notify(|w, s| w.exchange_failed(s));
        }
    }
}

pub(crate) fn raise(pointer: u64) -> impl Fn(MemoryFault) -> Exit {
    move |fault| Exit::Raise(FaultKind::Memory(fault), Some(pointer))
}
