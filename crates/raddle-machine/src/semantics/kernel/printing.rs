//! Kernel operations that format text: what `printf` reads and what `%n` writes.

use raddle_ir::{Operand, Width};

use crate::semantics::fault::FaultKind;
use crate::semantics::object::ObjectKind;
use crate::semantics::pointer;
use crate::semantics::printf::{CountStore, Formatted};
use crate::semantics::run::{Exit, Run};
use crate::semantics::watch::{AccessKind, Watch};
use raddle_semantics::{Value, mask};

/// The bytes that `%n` writes.
pub fn count_ranges(counts: &[CountStore]) -> Vec<(u64, u32)> {
    counts.iter().map(|store| (store.address, store.bits as u32 / 8)).collect()
}

impl<W: Watch> Run<'_, W> {
    /// Bytes that are read for output, and will be written by formatting: one visible operation, unless they are
    /// constant or a model's own. False: it must wait for another step.
    pub(crate) fn touches(&mut self, read: &[(u64, u32)], written: &[(u64, u32)]) -> bool {
        let noticed = |(pointer, length): &&(u64, u32)| *length > 0 && self.is_noticed(*pointer);
        let read: Vec<(u64, u32)> = read.iter().filter(noticed).copied().collect();
        if read.is_empty() && !written.iter().any(|range| noticed(&range)) {
            return true;
        }
        if !self.in_section && !self.take_credit() {
            return false;
        }
        for (pointer, length) in read {
            self.range_accessed(AccessKind::Read, pointer, length);
        }
        true
    }

    /// What lies there may concern other threads: not constant, not a model's own.
    pub(crate) fn is_noticed(&self, pointer: u64) -> bool {
        self.state.memory.object(pointer::object(pointer)).is_some_and(|o| match o.kind {
            ObjectKind::Stack { function, .. } => !self.machine.program.function(function).library,
            ObjectKind::Arguments => false,
            _ => !o.constant,
        })
    }

    /// A list of arguments is indeterminate after a function has read it (C11 7.16). In ILP32 the function has a copy.
    pub(crate) fn use_up(&mut self, list: Operand) -> Result<(), Exit> {
        let list = self.number(list)?;
        if self.state.memory.word() != 8 {
            return Ok(());
        }
        self.put_value(list + 8, Width::Pointer, Value::UNDEFINED, self.is_noticed(list))
    }

    /// Executes the stores of `%n`.
    pub(crate) fn store_counts(&mut self, counts: &[CountStore]) -> Result<(), Exit> {
        for store in counts {
            let new = Value::of(store.count & mask(store.bits));
            self.put_value(store.address, Width::Int(store.bits), new, true)?;
        }
        Ok(())
    }

    pub(crate) fn formatted(&mut self, format: Operand, list: Operand) -> Result<Formatted, Exit> {
        let (format, list) = (self.number(format)?, self.number(list)?);
        let strict = self.machine.settings.memory_safety;
        // In LP64 the list is an object, and may be one that threads share.
        let own = (self.state.memory.word() == 8).then_some((list, 24));
        crate::semantics::printf::format(&mut self.state.memory, format, list, strict)
            .map_err(|problem| match problem {
                crate::semantics::printf::Problem::Memory(fault, pointer) => {
                    Exit::Raise(FaultKind::Memory(fault), Some(pointer))
                }
                crate::semantics::printf::Problem::Unsupported(what) => Exit::Unsupported(what),
            })
            .map(|mut formatted| {
                formatted.strings.extend(own);
                formatted
            })
    }
}
