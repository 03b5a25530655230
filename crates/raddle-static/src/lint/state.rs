//! The state of one thread at one point: names of values, held locks, threads that it has created, what it has waited for.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::Hold;

use super::symbols::Symbol;
use crate::CodePlace;

/// A thread start, by number.
pub type RootId = usize;

/// A lock that is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Held {
    pub lock: Symbol,
    pub hold: Hold,
    pub kind: u32,
    /// Where it was taken.
    pub at: CodePlace,
}

/// Where a thread's handle is kept: the object, and the place in it unless it is an element of an array.
pub type Handle = (Symbol, Option<Symbol>);

/// What a callee inherits and gives back.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct World {
    /// In the order of acquisition.
    pub held: Vec<Held>,
    pub created: BTreeMap<Handle, BTreeSet<RootId>>,
    /// Handles that were joined; optimistic where paths meet.
    pub joined: BTreeSet<Handle>,
    /// What the thread has waited for or read by an atomic access, on some path: semaphores, barriers, condition variables,
    /// atomic variables.
    pub after: BTreeSet<Symbol>,
    /// In a function that a library function calls back: initialisation, handlers.
    pub called_back: bool,
}

impl World {
    pub fn holds(&self, lock: Symbol) -> bool {
        self.held.iter().any(|held| held.lock == lock)
    }

    /// Threads that this one has created and not joined.
    pub fn live(&self) -> Vec<RootId> {
        let joined = |handle: &Handle| self.joined.iter().any(|other| is_same_handle(handle, other));
        let open = self.created.iter().filter(|(handle, _)| !joined(handle));
        let mut live: Vec<RootId> = open.flat_map(|(_, roots)| roots.iter().copied()).collect();
        live.sort_unstable();
        live.dedup();
        live
    }

    /// Where two paths meet that hold the same locks.
    fn join(&mut self, other: &World) {
        for (handle, roots) in &other.created {
            self.created.entry(*handle).or_default().extend(roots);
        }
        self.joined.extend(&other.joined);
        self.after.extend(&other.after);
    }
}

/// Whether two handles may be the same place.
pub fn is_same_handle(a: &Handle, b: &Handle) -> bool {
    a.0 == b.0 && (a.1 == b.1 || a.1.is_none() || b.1.is_none())
}

/// What is remembered of a number that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadUnder {
    pub address: Symbol,
    /// The locks that were held.
    pub locks: Vec<Symbol>,
    /// Those of them that were not released since.
    pub kept: Vec<Symbol>,
    pub atomic: bool,
    pub at: CodePlace,
}

impl ReadUnder {
    /// It was read with a lock, and none of those was held until now.
    pub fn is_expired(&self) -> bool {
        !self.locks.is_empty() && self.kept.is_empty()
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub registers: Vec<Symbol>,
    pub memory: BTreeMap<Symbol, Symbol>,
    /// Conditions that were tested on the way.
    pub facts: BTreeMap<Symbol, bool>,
    pub world: World,
    pub reads: BTreeMap<Symbol, ReadUnder>,
    /// Locks that were released since the entry of the function.
    pub released: BTreeSet<Symbol>,
    /// Two values were compared by order: what follows may depend on it.
    pub ordered: bool,
    /// The jump that led to this block.
    pub from: u32,
}

/// Remembered reads of one state.
const MOST_READS: usize = 48;

impl State {
    pub fn remember(&mut self, symbol: Symbol, read: ReadUnder) {
        if self.reads.len() < MOST_READS || self.reads.contains_key(&symbol) {
            self.reads.insert(symbol, read);
        }
    }

    pub fn release(&mut self, lock: Symbol) {
        self.released.insert(lock);
        for read in self.reads.values_mut() {
            read.kept.retain(|kept| *kept != lock);
        }
    }

    /// Joins all but the registers; the locks are the same, or those that both hold.
    pub fn join(&mut self, other: &State) {
        self.memory.retain(|place, value| other.memory.get(place) == Some(value));
        self.facts.retain(|fact, truth| other.facts.get(fact) == Some(truth));
        self.world.held.retain(|held| other.world.holds(held.lock));
        self.world.join(&other.world);
        for (symbol, read) in &other.reads {
            if let Some(own) = self.reads.get_mut(symbol) {
                own.kept.extend(
                    read.kept.iter().filter(|lock| !own.kept.contains(lock)).copied().collect::<Vec<_>>(),
                );
            } else if self.reads.len() < MOST_READS {
                self.reads.insert(*symbol, read.clone());
            }
        }
        self.released.extend(&other.released);
        self.ordered |= other.ordered;
        self.from = self.from.max(other.from);
    }
}

/// One way out of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exit {
    pub world: World,
    pub value: Symbol,
    pub reads: BTreeMap<Symbol, ReadUnder>,
    pub released: BTreeSet<Symbol>,
    pub ordered: bool,
    /// The value was tested not to be zero.
    pub nonzero: bool,
}
