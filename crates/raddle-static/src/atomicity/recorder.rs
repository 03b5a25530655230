//! What the abstract interpretation (`interpret.rs`) notes for the atomicity types: which steps each call makes, and with what
//! they may conflict.
//!
//! A *call* here is an entry of the interpretation: a function with the state in which it is entered, so with the locks that
//! its callers hold. The steps of a call are noted by instruction, in *slots*: what is in one slot are alternatives (of
//! several states), slots follow each other. Everything only grows during a pass, and the notes of the last pass, which
//! refuted nothing, are of all runs.
//!
//! Unlike the comparison of accesses for races (`pairs.rs`), this one needs the accesses inside kernel sections, too.

use std::collections::BTreeSet;

use raddle_ir::{BlockId, FunctionId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::record::{Access, Point};
use crate::state::HeldLock;
use crate::value::Value;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CallId(pub u32);

impl CallId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function with the state in which it is entered.
#[derive(Clone, Debug)]
pub struct CallEntry {
    pub function: FunctionId,
    pub arguments: Vec<Value>,
    pub locks: Vec<HeldLock>,
    /// No other thread runs.
    pub alone: bool,
}

/// One or more steps of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// An access, by its number; `many`: word by word.
    Access {
        number: u32,
        many: bool,
    },
    /// A lock is taken or given back, by number.
    Lock(u32),
    /// A thread is created.
    Create,
    /// A thread is joined; `only`: it surely is the one that the name says, and no other thread joins it.
    Join {
        only: bool,
    },
    /// A wait that gives a lock back and takes it again.
    Wait,
    /// A step that other threads may see, or that sees them.
    Other,
    SectionEnd,
    Call(CallId),
}

/// A step with where it is in the user's code, and whether an atomic section is surely open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Noted {
    pub slot: u8,
    pub step: Step,
    pub inside: bool,
    pub user: Point,
}

/// An access with what the comparison of accesses for races does not need.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SeenAccess {
    pub access: Access,
    /// By a function that is declared to change a lock.
    pub by_lock: bool,
    /// By a wait, which may not hold its lock all the time.
    pub in_wait: bool,
}

/// What is done to a lock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LockAct {
    Takes {
        /// It cannot fail.
        sure: bool,
        /// The thread surely has an exclusive hold already.
        again: bool,
    },
    Gives {
        /// The thread surely holds it.
        sure: bool,
        /// It surely has one more hold.
        again: bool,
    },
    /// Given back and taken again.
    Waits,
    /// Made or destroyed.
    Remakes,
}

/// A call that changes a lock, as an access to it: with the locks that are held beside it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LockUse {
    pub access: Access,
    pub act: LockAct,
    /// The hold is shared.
    pub shared: bool,
    /// The thread may learn whether another one holds the lock.
    pub observes: bool,
}

#[derive(Default)]
pub struct Recorder {
    pub calls: Vec<CallEntry>,
    pub current: Option<CallId>,
    /// Calls of the last pass.
    pub reached: BTreeSet<CallId>,
    /// The call that was entered or looked up last.
    pub latest: Option<CallId>,
    pub accesses: Vec<SeenAccess>,
    known_accesses: FxHashMap<SeenAccess, u32>,
    pub locks: Vec<LockUse>,
    known_locks: FxHashMap<LockUse, u32>,
    steps: FxHashMap<(CallId, u32), BTreeSet<Noted>>,
    /// Ways from block to block that calls take.
    pub edges: FxHashSet<(CallId, BlockId, BlockId)>,
    /// Some wait for a condition may end without the lock.
    pub timed_waits: bool,
    /// The end of threads is queried otherwise than by joins.
    pub ends_queried: bool,
}

impl Recorder {
    pub fn clear(&mut self) {
        *self = Recorder { calls: std::mem::take(&mut self.calls), ..Recorder::default() };
    }

    pub fn note(&mut self, pc: u32, noted: Noted) {
        if let Some(call) = self.current {
            self.steps.entry((call, pc)).or_default().insert(noted);
        }
    }

    pub fn edge(&mut self, from: BlockId, to: BlockId) {
        if let Some(call) = self.current {
            self.edges.insert((call, from, to));
        }
    }

    pub fn access(&mut self, seen: SeenAccess) -> u32 {
        let next = self.accesses.len() as u32;
        let number = *self.known_accesses.entry(seen.clone()).or_insert(next);
        if number == next {
            self.accesses.push(seen);
        }
        number
    }

    pub fn lock(&mut self, lock: LockUse) -> u32 {
        let next = self.locks.len() as u32;
        let number = *self.known_locks.entry(lock.clone()).or_insert(next);
        if number == next {
            self.locks.push(lock);
        }
        number
    }

    /// The steps of an instruction, by ascending slots.
    pub fn steps(&self, call: CallId, pc: u32) -> impl Iterator<Item = &Noted> {
        self.steps.get(&(call, pc)).into_iter().flatten()
    }

    pub fn all_steps(&self) -> impl Iterator<Item = (&(CallId, u32), &BTreeSet<Noted>)> {
        self.steps.iter()
    }
}
