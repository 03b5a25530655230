//! Kernel sections that are one atomic access: atomics of a size for which there is no instruction.
//!
//! The section's own accesses move the bytes and are not race-checked; the marker reports one access to all of them
//! to the listeners, with its order, as the atomic instructions do.

use raddle_ir::{MemoryOrder, Operand};

use crate::semantics::object::Fragment;
use crate::semantics::run::{Exit, Run};
use crate::semantics::watch::{AccessKind, Watch};

/// The numbers of `raddle-clang/models/kernel.h`.
const WRITE: u64 = 1;
const UPDATE: u64 = 2;
const EXCHANGE_FAILED: u64 = 3;

impl<W: Watch> Run<'_, W> {
    /// (object, size, access, order)
    pub(crate) fn atomic_access(&mut self, arguments: &[Operand]) -> Result<(), Exit> {
        let (pointer, length) = (self.number(arguments[0])?, self.number(arguments[1])? as u32);
        let (access, order) = (self.number(arguments[2])?, self.number(arguments[3])?);
        let kind = match access {
            WRITE => AccessKind::Write,
            UPDATE => AccessKind::Update,
            _ => AccessKind::Read,
        };
        let order = match order {
            0 => MemoryOrder::Relaxed,
            1 | 2 => MemoryOrder::Acquire,
            3 => MemoryOrder::Release,
            4 => MemoryOrder::AcquireRelease,
            _ => MemoryOrder::SequentiallyConsistent,
        };
        self.atomic_accessed(kind, pointer, length, order, access == EXCHANGE_FAILED);
        Ok(())
    }

    /// (left, right, size): whether the determinate bytes of both are equal.
    pub(crate) fn same(&mut self, arguments: &[Operand]) -> Result<bool, Exit> {
        let (left, right) = (self.number(arguments[0])?, self.number(arguments[1])?);
        let size = self.number(arguments[2])? as u32;
        self.notify(|w, s| {
            w.inspected(s, left, size);
            w.inspected(s, right, size);
        });
        let (a, b) = (self.fetch(left, size, false)?, self.fetch(right, size, false)?);
        // A pointer that is compared with bytes of another origin: its number matters.
        let word = self.state.memory.word() as usize;
        let guessed = |one: &Fragment, other: &Fragment| {
            one.pointers.iter().any(|(at, _)| {
                let marked = other.pointers.iter().any(|(o, _)| o == at);
                !marked && other.bytes[*at as usize..*at as usize + word].iter().any(|byte| *byte != 0)
            })
        };
        self.state.memory.exposed |= guessed(&a, &b) || guessed(&b, &a);
        let known = |i: usize| !a.undefined.contains(&(i as u32)) && !b.undefined.contains(&(i as u32));
        Ok((0..size as usize).all(|i| a.bytes[i] == b.bytes[i] || !known(i)))
    }
}
