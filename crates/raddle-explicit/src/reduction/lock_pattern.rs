//! Lock-acquisition patterns: operations of another thread behind the acquisition of a lock that this one holds do
//! not count.
//!
//! After Kahlon, Gupta, Sinha, *Symbolic model checking of concurrent programs using partial orders and on-the-fly
//! transactions* (CAV 2006), section 3. There, an operation of thread j "might be the first to interfere" with the next
//! one of thread i only if j can reach it on a local path that acquires no lock held by i; no lock discipline is
//! needed. Here this refines the test of `reduction/ample.rs`: the future of j is cut at the acquisitions of a lock
//! that i holds (`raddle_analysis::LockFutures`).
//!
//! # Why the step alone is still a persistent set
//!
//! Let s be the state, t the step of i, L a lock of i that is *usable* (below), and w any run of the other threads
//! from s, without i. Claim: in w no thread writes the bytes of L or changes its holder, and no thread completes an
//! acquisition of L. Both by induction over w. Up to a step of j in w, j has completed no acquisition of L, so the
//! step is in j's cut; no cut writes L (checked for every running thread; cuts include the threads that may be
//! created), so L stays as it is. And before a blocking acquisition of L, j is disabled as long as L is as it is in
//! s: the machine decides this, for each thread and each acquirer of a cut (`Machine::would_block`), and the wait
//! must be for i, which neither steps nor ends in w. So each step of w is in some cut. If no cut conflicts with t,
//! all of w commutes with t and neither enables nor disables it: {t} is persistent. Different locks may be used for
//! different j.
//!
//! The acquisitions themselves do not count, not even if t releases L: they are disabled throughout w, so none of them
//! comes before t. One exception: a thread that blocks inside an atomic section of the user disables the step of i
//! too, for ever; a cut that may begin such a section and reaches an acquisition of L counts as touching L. In this
//! way all that a thread does while it holds a lock, the unlock included, may be one transition (a *transaction*), and
//! context switches are explored before the acquisition.
//!
//! What is preserved, and why: as in `reduction/ample.rs`, where the argument uses only that the sets are persistent,
//! that steps which fail, end something or are visible to invariants are never taken alone, and the cycle proviso. In
//! particular
//! - races: the second access of a racing pair is a step of some w before t, if t is the first; so it is in a cut, and
//!   conflicts. Acquisitions touch bytes inside sections only, which never race;
//! - deadlocks: i takes part in none, since t is enabled; threads that wait for each other are not waiting for L.
//!
//! # Joins
//!
//! A thread that joins k does nothing in w if k cannot end in w: k is i, or no path of k reaches its end before an
//! acquisition of a usable lock, or k itself waits in this way. (`Expander::joins_later`; off when the program can
//! detach or cancel threads, which lets a join return.) Without this, what `main` reads after it has joined all
//! threads would conflict with everything.
//!
//! # When a lock is usable
//!
//! 1. It has a name, so that it has futures, and i is its only holder, exclusively.
//! 2. No other running thread's cut writes it. So the lock is not used if any of these may come before an
//!    acquisition: an unlock by another thread, a destruction, a re-initialisation, a wait by a thread that does not
//!    hold it, a plain write over its bytes, a try lock. (After an acquisition it cannot happen before t.)
//! 3. According to the machine, acquiring it now blocks, with i as the owner: its bytes may be anything, if i itself
//!    or an earlier thread has overwritten them; destroyed and unusable locks return an error. To decide that, nothing
//!    but the lock's bytes and whether i has ended was read.
//!
//! Read-write locks are not used: a hold is shared or exclusive by how it was taken, and both kinds of acquisition
//! would have to be distinguished.

use std::rc::Rc;

use raddle_analysis::{Context, Cut, Future, Futures, Lock, LockFutures, Place};
use raddle_ir::FunctionId;
use raddle_machine::pointer::{self, ObjectId};
use raddle_machine::{Effects, Footprint, HoldMode, Machine, Status, Thread, ThreadIndex};
use rustc_hash::FxHashMap;

use crate::reduction::ample::{add_frame, meets, registers_of};
use crate::store::transition_cache::Step;
use crate::store::transitions::Space;

/// What a thread may do before it acquires a lock.
struct Before {
    future: Future,
    /// The lock may be written.
    spoils: bool,
    /// The acquirers that it may reach, by bits.
    acquirers: u32,
    /// It may end.
    ends: bool,
}

pub struct Patterns<'a> {
    machine: &'a Machine,
    futures: &'a Futures,
    locks: &'a LockFutures,
    /// The addresses of the locks.
    addresses: Vec<u64>,
    /// By thread component and lock.
    before: FxHashMap<(u32, usize), Rc<Before>>,
    /// By lock and place.
    cuts: FxHashMap<(usize, FunctionId, Context, u32), Rc<Cut>>,
    /// Whether acquiring blocks, with this owner: by lock, its bytes, acquirer, owner and the other thread.
    blocks: FxHashMap<(usize, u32, usize, u32, u32), bool>,
    /// How often a step was taken alone only because of a lock.
    pub used: u64,
}

impl<'a> Patterns<'a> {
    /// `None`: no lock has a name.
    pub fn new(machine: &'a Machine, futures: &'a Futures) -> Option<Patterns<'a>> {
        let locks = futures.locks.as_ref().filter(|l| !l.locks.is_empty())?;
        let address = |l: &Lock| ObjectId::global(l.global).base() + l.offset;
        Some(Patterns {
            machine,
            futures,
            locks,
            addresses: locks.locks.iter().map(address).collect(),
            before: FxHashMap::default(),
            cuts: FxHashMap::default(),
            blocks: FxHashMap::default(),
            used: 0,
        })
    }

    /// Whether all operations of `other` that may conflict with the step of `index` lie behind a lock that `index`
    /// holds.
    pub fn is_behind(
        &mut self,
        space: &mut Space,
        vector: &[u32],
        index: usize,
        other: usize,
        step: &Step,
    ) -> bool {
        let facts = space.thread(vector, index);
        for hold in facts.holds.iter().filter(|h| h.mode == HoldMode::Exclusive) {
            let Some(lock) = self.addresses.iter().position(|a| *a == hold.object) else { continue };
            let before = self.before(space, vector, other, lock);
            if !before.spoils
                && !meets(self.futures, &before.future, step)
                && self.is_usable(space, vector, index, lock)
            {
                return true;
            }
        }
        false
    }

    /// Whether `other` cannot end before `index` has released a lock.
    pub fn cannot_end(&mut self, space: &mut Space, vector: &[u32], index: usize, other: usize) -> bool {
        let facts = space.thread(vector, index);
        let held = facts.holds.iter().filter(|h| h.mode == HoldMode::Exclusive);
        held.filter_map(|h| self.addresses.iter().position(|a| *a == h.object))
            .collect::<Vec<_>>()
            .iter()
            .any(|lock| {
                let before = self.before(space, vector, other, *lock);
                !before.ends && !before.spoils && self.is_usable(space, vector, index, *lock)
            })
    }

    /// A join returns only after the end of the joined thread.
    pub fn joins_stay(&self) -> bool {
        self.locks.joins_stay
    }

    fn is_usable(&mut self, space: &mut Space, vector: &[u32], index: usize, lock: usize) -> bool {
        let threads = space.rest(vector).threads;
        let owner = space.thread(vector, index).number;
        let bytes = space.composer.place_of_global(self.locks.locks[lock].global as usize);
        let bytes = bytes.map_or(0, |place| vector[place]);
        let mut others = Vec::with_capacity(threads);
        let mut acquirers = 0;
        for other in (0..threads).filter(|o| *o != index) {
            let facts = space.thread(vector, other);
            if facts.holds.iter().any(|h| h.object == self.addresses[lock]) {
                return false;
            }
            if facts.status != Status::Running {
                continue;
            }
            let before = self.before(space, vector, other, lock);
            if before.spoils {
                return false;
            }
            acquirers |= before.acquirers;
            others.push((other, facts.number));
        }
        (0..self.locks.acquirers.len()).filter(|a| acquirers >> a & 1 == 1).all(|acquirer| {
            others.iter().all(|(other, number)| {
                let key = (lock, bytes, acquirer, owner, *number);
                if let Some(blocks) = self.blocks.get(&key) {
                    return *blocks;
                }
                let blocks = self.asks(space, vector, index, *other, lock, acquirer);
                self.blocks.insert(key, blocks);
                blocks
            })
        })
    }

    /// Whether, according to the machine, a thread that acquires the lock now waits for its owner.
    fn asks(
        &self,
        space: &mut Space,
        vector: &[u32],
        index: usize,
        other: usize,
        lock: usize,
        acquirer: usize,
    ) -> bool {
        let acquirer = &self.locks.acquirers[acquirer];
        let mut arguments = vec![self.addresses[lock]];
        arguments.extend(&acquirer.arguments);
        let owner = space.thread(vector, index).number;
        let object = ObjectId::global(self.locks.locks[lock].global);
        let (state, other) = (space.state(vector), ThreadIndex(other as u32));
        let mut read = Footprint::default();
        let function = acquirer.function;
        let blocked = self.machine.would_block(state, other, function, acquirer.begin, &arguments, &mut read);
        // Nothing else decides, locals of the step apart: so it stays blocked as long as the lock is as it is and its owner runs.
        let own = |id: ObjectId| {
            matches!(id.name(), pointer::ObjectName::Stack { .. }) && state.memory().object(id).is_none()
        };
        let only_lock =
            read.touches.iter().map(|touch| pointer::object(touch.pointer)).all(|id| id == object || own(id))
                && read.queried_ends.iter().all(|number| *number == owner)
                && read.effects == Effects::default();
        only_lock && blocked.is_some_and(|b| b.owners[..] == [ThreadIndex(index as u32)])
    }

    fn before(&mut self, space: &mut Space, vector: &[u32], other: usize, lock: usize) -> Rc<Before> {
        let component = vector[space.composer.first_thread_place() + other];
        if let Some(before) = self.before.get(&(component, lock)) {
            return before.clone();
        }
        let thread = space.composer.peek_thread(component);
        let before = Rc::new(self.before_of(&thread, lock));
        self.before.insert((component, lock), before.clone());
        before
    }

    /// From the innermost frame outwards, up to the first that does not return without the lock.
    fn before_of(&mut self, thread: &Thread, lock: usize) -> Before {
        let (mut future, mut writes) = (self.futures.empty(), self.futures.empty());
        let (mut acquirers, mut sections, mut exits, mut returns) = (0, false, false, true);
        for (i, frame) in thread.frames.iter().enumerate().rev() {
            let registers = registers_of(thread, i);
            let parameters = &self.machine.program.function(frame.function).parameters;
            // The value of a parameter that never changes.
            let parameter = |p: u8| {
                let register = *parameters.get(p as usize)?;
                let value = registers.get(register.index())?;
                let same = self.locks.is_parameter(frame.function, register, p);
                (same && value.is_defined()).then_some(value.bits)
            };
            let context = (0..8).find(|p| parameter(*p) == Some(self.addresses[lock]));
            let before = self.locks.is_before(frame.function, frame.pc, context, parameter);
            if let Some(acquirer) =
                before.or_else(|| self.locks.takes_again(frame.function, frame.pc, context))
            {
                acquirers |= 1 << acquirer;
                returns = false;
                break;
            }
            let key = (lock, frame.function, context, frame.pc);
            let cut = self.cuts.entry(key).or_insert_with(|| {
                let program = &self.machine.program;
                Rc::new(self.locks.at(program, self.futures, lock, context, frame.function, frame.pc))
            });
            add_frame(self.futures, frame.function, registers, &cut.future, &mut future);
            add_frame(self.futures, frame.function, registers, &cut.writes, &mut writes);
            acquirers |= cut.acquirers;
            sections |= cut.sections;
            exits |= cut.exits;
            returns = cut.passes;
            if !returns {
                break;
            }
        }
        if sections && acquirers != 0 {
            future.touch(Place::Global(self.locks.locks[lock].global), true);
        }
        let spoils = self.futures.spoils(&writes, self.locks.locks[lock]);
        let ends = returns || exits || future.everything;
        Before { future, spoils, acquirers, ends }
    }
}
