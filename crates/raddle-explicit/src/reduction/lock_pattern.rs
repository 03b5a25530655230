//! Lock-acquisition patterns: what another thread does behind a lock that this one holds does not count.
//!
//! After Kahlon, Gupta, Sinha, *Symbolic model checking of concurrent programs using partial orders and on-the-fly
//! transactions* (CAV 2006), section 3. There, an operation of thread j "might be the first to interfere" with the next
//! one of thread i only if j can come to it on a local path that acquires no lock held by i; no lock discipline is
//! needed. Here this refines the question that `reduction/ample.rs` asks: the future of j is cut at the acquisitions of a lock that
//! i holds (`raddle_analysis::LockFutures`).
//!
//! # Why the step alone is still a persistent set
//!
//! Let s be the state, t the step of i, L a lock of i that is *usable* (below), and w any run of the other threads from s,
//! without i. Claim: in w nobody writes the bytes of L or changes who holds it, and nobody gets through an acquisition of
//! L. Both by induction over w. Up to a step of j in w, j has gone through no acquisition of L, so the step is in j's
//! cut; no cut writes L (asked of every running thread, and cuts know the threads that may be created), so L stays as it
//! is. And in front of a blocking acquisition of L, j is disabled as long as L is as it is in s: this is asked of the
//! machine, for each thread and each acquirer of a cut (`Machine::would_block`), and the wait must be for i, which
//! neither moves nor ends in w. So each step of w is in some cut. If no cut conflicts with t, all of w commutes with t
//! and neither enables nor disables it: {t} is persistent. For different j different locks may serve.
//!
//! The acquisitions themselves do not count, not even if t gives L back: they are disabled throughout w, so none of them
//! comes before t. One exception: inside an atomic section of the user a thread that waits keeps i from its step too, for
//! ever; a cut that may begin such a section touches L. In this way all that a thread does under a lock, the unlock included, may be one step, and switches are
//! tried before the lock.
//!
//! What is kept, and why: as in `reduction/ample.rs`, where nothing is used of the sets but that they are persistent, that steps
//! which fail, end something or are seen by invariants are never alone, and the proviso for cycles. In particular
//! - races: the second access of a racing pair is a step of some w before t, if t is the first; so it is in a cut, and
//!   conflicts. Acquisitions touch bytes inside sections only, which never race;
//! - deadlocks: in none does i take part, since t is possible; threads that wait for each other are not waiting for L.
//!
//! # Joins
//!
//! A thread that waits for the end of k does nothing in w if k cannot end in w: k is i, or no path of k comes to its end
//! before an acquisition of a usable lock, or k itself waits in this way. (`Expander::joins_later`; off when the program
//! can detach or cancel threads, which lets a join return.) Without this, what `main` reads after it has joined all would
//! conflict with everything.
//!
//! # When a lock is usable
//!
//! 1. It has a name, so that it has futures, and i is its only holder, exclusively.
//! 2. No other running thread's cut writes it. So a foreign unlock, a destruction, a re-initialisation, a wait by a thread
//!    that does not hold it, a plain write over its bytes, a try lock: any of these ahead of an acquisition, and the lock
//!    is not used. (Behind one it cannot happen before t.)
//! 3. The machine says that acquiring it now blocks, with i as the owner: its bytes may be anything, if i itself or
//!    somebody before has written over them; destroyed and unusable locks return an error.
//!
//! Read-write locks are not used: a hold is shared or exclusive by how it was taken, and both kinds of acquisition would
//! have to be told apart.

use std::rc::Rc;

use raddle_analysis::{Context, Cut, Future, Futures, Lock, LockFutures, Place};
use raddle_ir::FunctionId;
use raddle_machine::pointer::ObjectId;
use raddle_machine::{HoldMode, Machine, Status, Thread, ThreadIndex};
use rustc_hash::FxHashMap;

use crate::reduction::ample::{add_frame, meets, registers_of};
use crate::store::transition_cache::Step;
use crate::store::transitions::Space;

/// What a thread may do before it acquires a lock.
struct Before {
    future: Future,
    /// The lock may be written.
    spoils: bool,
    /// The acquirers that it may come to, by bits.
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

    /// Whether all that a thread may do that conflicts with a step of another lies behind a lock that this other holds.
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

    /// Whether a thread does not end before a certain other has given a lock back.
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

    /// Joins end only with the thread that is joined.
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

    /// Asks the machine whether a thread that acquires the lock now waits for its owner.
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
        if let Some((parameter, value)) = acquirer.condition {
            arguments.resize(parameter as usize + 1, 0);
            arguments[parameter as usize] = value;
        }
        let (state, other) = (space.state(vector), ThreadIndex(other as u32));
        let blocked = self.machine.would_block(state, other, acquirer.function, acquirer.begin, &arguments);
        blocked.is_some_and(|b| b.owners[..] == [ThreadIndex(index as u32)])
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
            // What a parameter holds that never changes.
            let parameter = |p: u8| {
                let register = *parameters.get(p as usize)?;
                let value = registers.get(register.index())?;
                let same = self.locks.is_parameter(frame.function, register, p);
                (same && value.is_defined()).then_some(value.bits)
            };
            let context = (0..8).find(|p| parameter(*p) == Some(self.addresses[lock]));
            let before = self.locks.stands_before(frame.function, frame.pc, context, parameter);
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
