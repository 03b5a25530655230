//! Symmetry reduction over interchangeable threads.
//!
//! When the program reads no thread's number (`raddle_analysis::Handles`), two states that differ by an exchange of
//! numbers have the same future, and one representative of the orbit is enough (Ip and Dill, *Better verification
//! through symmetry*, 1996, whose scalarsets the numbers are; Emerson and Sistla 1996). Before a state is stored, threads
//! of one group are brought into a fixed order, by the hash of their pending operations. The representative need not be
//! unique: a state that is not merged with its symmetric one is only one more state.
//!
//! # Which threads are exchanged
//!
//! An exchange moves the number, and nothing else: frames, registers, thread-locals, the thread's block and so its
//! argument stay with the thread. So what a thread was started with has no part in the argument for soundness: it
//! holds for any two threads whose number is kept nowhere but in the thread itself and in the locks that it holds,
//! where it is changed, too (a lock that begins with the number of a thread without holding it prevents the exchange).
//! Excluded are a thread in a set of waiting threads, with its own number in a register,
//! joined or detached, and one that holds a lock for reading: of several, an unlock by a thread without a hold (a
//! `locks` fault, and the run continues) takes the hold of the one with the least number. Bytes of a *held* lock that
//! were copied elsewhere would keep a number as well; POSIX gives such a copy no meaning. Where a thread was created
//! goes with its number; only reports read it.
//!
//! What a thread was started with matters for the gain. Groups are threads with the same start function and the same
//! constant argument, whatever call created them, and threads with the same start function and arguments that differ
//! (an index, the address of a structure). Of the latter, a thread is exchanged only after its start and while no
//! live register is computed from its argument: a thread that still has an index of its own equals no other thread in
//! any state, and with another number it would be one more state. An index that is stored but not read again is dead
//! by then. What is *not* done is to exchange the elements of an array along with the threads that have their
//! addresses: `results[index]`, read later, distinguishes the threads.
//!
//! # Handles
//!
//! There remain the handles, by which `main` joins. While it does nothing but join all threads, one after the other,
//! the order in which it does so is not observable: a join touches only the block of a thread that has ended, and
//! nothing of `main` happens before all have ended. To know that `main` is in this phase, its next steps are tried on
//! a copy of the state in which all others have ended. In this phase `main` is not scheduled as long as another
//! thread is enabled: its joins are independent of all that the others do, so the others' steps are a persistent set.
//! So in a run and in its renamed counterpart `main` does the same, and a counterexample is mapped back by renaming
//! its moves.
//!
//! Before the first join, `main` may still create threads, write handles and make plain writes anywhere (arguments of
//! threads to come, for instance). It is scheduled then. It reads only handles, its registers, its own stack
//! variables and thread-locals that do not escape: so its steps up to the last join do not depend on the others,
//! neither in a run nor in its renamed counterpart, unless a write is a memory fault, in both.
//!
//! The outcome of the trial is cached by all that it may have read: `main`'s thread, stack variables and
//! thread-locals, the places of handles, and which threads were joined or are gone.
//!
//! Preserved: assert, memory faults, overflow, locks, races, invariants (they read globals), deadlock: a set of stuck
//! threads stays one when numbers are exchanged, unless `main` is in it, so `main` must hold no lock; when no other
//! thread is enabled, `main` is explored, until it is stuck too. Off: with bounds on switches, abstraction functions,
//! leaks, temporal properties, and without renaming. In a state in which no group has two threads nothing was
//! exchanged before (threads stay in the state after their end), and nothing is done.

use std::rc::Rc;

use raddle_analysis::{Group, Handles};
use raddle_ir::GlobalId;
use raddle_machine::kernel::event;
use raddle_machine::pointer::ObjectName;
use raddle_machine::{Effects, Footprint, HoldMode, ObjectId, State, Status, Thread, ThreadIndex, pointer};
use rustc_hash::FxHashMap;

use crate::store::transitions::{ByNumber, Exposed, Space};

/// What is known of the interchangeable threads of a program.
pub struct Symmetry<'a> {
    handles: &'a Handles,
    threads: ByNumber<Exchange>,
    blocks: ByNumber<Block>,
    /// What `main` may read unseen by others, and places of handles, by its component.
    read: ByNumber<Rc<[ObjectId]>>,
    /// What `main` is about to do, by all that it reads to do so.
    phases: FxHashMap<Vec<u32>, Phase>,
    key: Vec<u32>,
    places: Vec<Candidate>,
}

/// A thread component.
#[derive(Clone, Copy)]
struct Exchange {
    /// Its number is in nothing of it, nor is an argument of its own in use.
    free: bool,
    group: Option<Group>,
    /// What it is about to do, without its number.
    content: u64,
    block: ObjectId,
}

/// A thread's block in memory.
#[derive(Clone, Copy)]
struct Block {
    /// It is in a set of waiting threads.
    waits: bool,
    detached: bool,
    joined: bool,
}

struct Candidate {
    group: Group,
    content: u64,
    number: u32,
    index: usize,
}

/// Old and new numbers of threads.
pub type Renaming = Vec<(u32, u32)>;

/// What `main` is about to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// To join all other threads.
    Joins,
    /// To create threads, and then to join all.
    Later,
    Other,
}

/// Steps of `main` that are tried.
const TRIED: usize = 1000;

/// Phases that are cached.
const PHASES: usize = 1 << 16;

impl<'a> Symmetry<'a> {
    pub fn new(handles: &'a Handles) -> Symmetry<'a> {
        Symmetry {
            handles,
            threads: ByNumber::default(),
            blocks: ByNumber::default(),
            read: ByNumber::default(),
            phases: FxHashMap::default(),
            key: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Whether a thread's number occurs nowhere in it but as its number.
    fn is_free(&self, thread: &Thread) -> bool {
        let says = |i: usize| {
            let frame = &thread.frames[i];
            let own = self.handles.own_number(frame.function);
            own.iter().any(|r| thread.registers[frame.base as usize + r.index()].is_defined())
        };
        matches!(thread.status, Status::Running | Status::Finished)
            && thread.children == 0
            && thread.frames.iter().all(|f| f.jump_mark == 0)
            && thread.holds.iter().all(|h| h.mode == HoldMode::Exclusive)
            && !(0..thread.frames.len()).any(says)
    }

    /// Whether a live register depends on the argument that a thread was started with, or it has yet to take it.
    fn uses_argument(&self, thread: &Thread) -> bool {
        let starts = thread.frames.len() == 1;
        starts
            || thread.frames.iter().any(|frame| {
                let registers = self.handles.argument(frame.function);
                registers.iter().any(|r| thread.registers[frame.base as usize + r.index()].is_defined())
            })
    }

    /// The heap blocks with handles whose addresses a thread has in registers.
    fn blocks_of_handles(&self, thread: &Thread) -> Vec<ObjectId> {
        let mut found = Vec::new();
        for frame in &thread.frames {
            for register in self.handles.address(frame.function) {
                let value = thread.registers[frame.base as usize + register.index()];
                let object = pointer::object(value.bits);
                if value.is_defined() && matches!(object.name(), ObjectName::Heap { .. }) {
                    found.push(object);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Space<'_> {
    /// Brings interchangeable threads into their fixed order. The result lists the threads whose numbers have
    /// changed.
    pub fn bring_in_order(&mut self, vector: &mut Vec<u32>) -> Result<Renaming, Exposed> {
        let Some(mut symmetry) = self.symmetry.take() else { return Ok(Renaming::new()) };
        let renaming = self.ordered(&mut symmetry, vector);
        self.symmetry = Some(symmetry);
        renaming
    }

    fn ordered(&mut self, symmetry: &mut Symmetry, vector: &mut Vec<u32>) -> Result<Renaming, Exposed> {
        let rest = self.rest(vector);
        if rest.threads < 3 || rest.ended || rest.section != 0 || rest.atomic != 0 {
            return Ok(Renaming::new());
        }
        if !self.has_twins(symmetry, vector) {
            return Ok(Renaming::new());
        }
        let mut places = std::mem::take(&mut symmetry.places);
        places.clear();
        for index in 1..rest.threads {
            let exchange = self.exchange(symmetry, vector, index);
            if exchange.free
                && let Some(group) = exchange.group
                && let Block { waits: false, detached: false, joined: false } =
                    self.block(symmetry, vector, exchange.block)
            {
                let (number, content) = (self.brief(vector, index).number, exchange.content);
                places.push(Candidate { group, content, number, index });
            }
        }
        let out_of_order = |i: usize| {
            let before = places[..i].iter().rev().find(|c| c.group == places[i].group);
            before.is_some_and(|c| c.content > places[i].content)
        };
        let mut renaming = Renaming::new();
        if (1..places.len()).any(out_of_order) && self.phase(symmetry, vector) != Phase::Other {
            // By group; then the numbers of a group go to its members in the order of their contents.
            places.sort_by_key(|c| (c.group, c.number));
            let numbers: Vec<u32> = places.iter().map(|c| c.number).collect();
            places.sort_by_key(|c| (c.group, c.content, c.number));
            let mut indices = Vec::new();
            for (candidate, number) in places.iter().zip(numbers) {
                if candidate.number != number {
                    renaming.push((candidate.number, number));
                    indices.push((ThreadIndex(candidate.index as u32), number));
                }
            }
            let mut state = self.state(vector).clone();
            if numbers_are_of_holders(&state, &symmetry.handles.locks, &indices) && state.renumber(&indices) {
                *vector = self.vector(&state)?;
            } else {
                renaming.clear();
            }
        }
        symmetry.places = places;
        Ok(renaming)
    }

    fn exchange(&mut self, symmetry: &mut Symmetry, vector: &[u32], index: usize) -> Exchange {
        let number = vector[self.composer.first_thread_place() + index];
        if let Some(known) = symmetry.threads.get(number) {
            return *known;
        }
        let mut thread = self.composer.peek_thread(number);
        let block = pointer::object(thread.tcb);
        let group = thread.created_at.and_then(|at| symmetry.handles.group((at.function, at.pc)));
        let alike = group.is_some_and(Group::is_alike);
        let free = symmetry.is_free(&thread) && (alike || !symmetry.uses_argument(&thread));
        thread.number = 0;
        thread.created_at = None;
        let content = self.composer.content(&thread);
        *symmetry.threads.entry(number).insert(Exchange { free, group, content, block })
    }

    /// Whether some group has two threads.
    fn has_twins(&mut self, symmetry: &mut Symmetry, vector: &[u32]) -> bool {
        let threads = self.rest(vector).threads;
        for index in 2..threads {
            let Some(group) = self.exchange(symmetry, vector, index).group else { continue };
            if (1..index).any(|other| self.exchange(symmetry, vector, other).group == Some(group)) {
                return true;
            }
        }
        false
    }

    fn block(&mut self, symmetry: &mut Symmetry, vector: &[u32], id: ObjectId) -> Block {
        let nothing = Block { waits: true, detached: true, joined: false };
        let threads = self.rest(vector).threads;
        let Some(place) = self.composer.place_of_object(id, threads) else { return nothing };
        if let Some(known) = symmetry.blocks.get(vector[place]) {
            return *known;
        }
        let block = read_block(self.state(vector), id).unwrap_or(nothing);
        *symmetry.blocks.entry(vector[place]).insert(block)
    }

    /// Whether `main` joins all other threads before it does anything else.
    pub fn main_only_joins(&mut self, vector: &[u32]) -> bool {
        let Some(mut symmetry) = self.symmetry.take() else { return false };
        let rest = self.rest(vector);
        let joins = rest.threads > 2
            && !rest.ended
            && rest.section == 0
            && rest.atomic == 0
            && self.has_twins(&mut symmetry, vector)
            && self.phase(&mut symmetry, vector) == Phase::Joins;
        self.symmetry = Some(symmetry);
        joins
    }

    fn phase(&mut self, symmetry: &mut Symmetry, vector: &[u32]) -> Phase {
        let mut key = std::mem::take(&mut symmetry.key);
        key.clear();
        key.extend([vector[0], vector[self.composer.first_thread_place()]]);
        for global in &symmetry.handles.globals {
            key.extend(self.composer.place_of_global(global.index()).map(|place| vector[place]));
        }
        let threads = self.rest(vector).threads;
        for object in self.read_by_main(symmetry, vector).iter() {
            key.extend(self.composer.place_of_object(*object, threads).map(|place| vector[place]));
        }
        for index in 1..threads {
            let exchange = self.exchange(symmetry, vector, index);
            // It will never be joined.
            let gone = !matches!(self.thread(vector, index).status, Status::Running | Status::Finished);
            let block = self.block(symmetry, vector, exchange.block);
            let gone = gone || block.detached && !block.joined;
            key.push(2 * gone as u32 + block.joined as u32);
        }
        let known = symmetry.phases.get(&key).copied();
        let joins = known.unwrap_or_else(|| {
            let joined: Vec<bool> = key[key.len() - (threads - 1)..].iter().map(|k| *k == 1).collect();
            let gone = key[key.len() - (threads - 1)..].iter().any(|k| *k >= 2);
            let joins = if gone { Phase::Other } else { self.try_main(symmetry, vector, &joined) };
            if symmetry.phases.len() >= PHASES {
                symmetry.phases.clear();
            }
            symmetry.phases.insert(key.clone(), joins);
            joins
        });
        symmetry.key = key;
        joins
    }

    /// The stack variables and thread-locals of `main`, and the heap blocks with its handles.
    fn read_by_main(&mut self, symmetry: &mut Symmetry, vector: &[u32]) -> Rc<[ObjectId]> {
        let number = vector[self.composer.first_thread_place()];
        if let Some(known) = symmetry.read.get(number) {
            return known.clone();
        }
        let main = self.composer.peek_thread(number);
        let mut read: Vec<ObjectId> = main.frames.iter().flat_map(|f| f.objects.clone()).collect();
        read.extend(main.thread_locals.iter().map(|(_, object)| *object));
        read.extend(symmetry.blocks_of_handles(&main));
        symmetry.read.entry(number).insert(read.into()).clone()
    }

    /// Runs `main` in a copy of the state in which all others have ended.
    fn try_main(&mut self, symmetry: &Symmetry, vector: &[u32], joined: &[bool]) -> Phase {
        let (machine, handles) = (self.machine, symmetry.handles);
        let mut state = self.state(vector).clone();
        // Other threads could observe what it does between two joins: each operation is checked.
        state.pretend_company();
        let mut left: Vec<u64> = Vec::new();
        let (mut threads, mut phase, mut joining) = (1, Phase::Joins, false);
        for _ in 0..TRIED {
            // Those that it has created, too.
            for i in threads..state.thread_count() {
                let index = ThreadIndex(i as u32);
                state.pretend_finished(index);
                if !joined.get(i - 1).copied().unwrap_or(false) {
                    left.push(state.thread(index).number as u64);
                }
            }
            threads = state.thread_count();
            let main = state.thread(ThreadIndex::MAIN);
            // With a lock, it may be part of a deadlock.
            if main.status != Status::Running || main.pending.is_some() || !main.holds.is_empty() {
                return Phase::Other;
            }
            let blocks: Vec<ObjectId> = state.threads().map(|(_, t)| pointer::object(t.tcb)).collect();
            let locals =
                |t: &Thread| t.frames.iter().flat_map(|f| f.objects.clone()).collect::<Vec<ObjectId>>();
            let mut own = locals(main);
            let mut heap = symmetry.blocks_of_handles(main);
            let mut seen = Footprint::default();
            let before = left.len();
            let outcome = machine.step(&mut state, ThreadIndex::MAIN, None, &mut seen);
            if outcome.blocked.is_some() || !outcome.faults.is_empty() || state.end().is_some() {
                return Phase::Other;
            }
            for operation in &seen.locks {
                if operation.event != event::JOIN {
                    return Phase::Other;
                }
                left.retain(|number| *number != operation.object);
            }
            let joins = left.len() < before;
            if joins && left.is_empty() {
                // What comes in one step with the last join comes when all have ended.
                return phase;
            }
            heap.extend(symmetry.blocks_of_handles(state.thread(ThreadIndex::MAIN)));
            let is_handle = |touch: &raddle_machine::Touch| {
                let object = pointer::object(touch.pointer);
                let global = object.as_global();
                heap.contains(&object)
                    || global.is_some_and(|g| handles.globals.iter().any(|h| h.index() == g))
            };
            own.extend(locals(state.thread(ThreadIndex::MAIN)));
            // Blocks of threads, those that it has just created included, and its own locals, which the library writes.
            let is_block = |t: &raddle_machine::Touch| {
                let object = pointer::object(t.pointer);
                let made = || state.threads().any(|(_, thread)| pointer::object(thread.tcb) == object);
                t.internal && (blocks.contains(&object) || own.contains(&object) || made())
            };
            let quiet =
                seen.effects.0 == 0 && seen.touches.iter().all(|t| is_block(t) || !t.write && is_handle(t));
            // Before the first join it may create threads, write handles, and make plain writes; an atomic update is a
            // read, too.
            let writes = |t: &raddle_machine::Touch| {
                t.write && !t.internal && t.order == raddle_ir::MemoryOrder::NotAtomic
            };
            let creation = |t: &raddle_machine::Touch| t.write && pointer::is_creation(t.pointer);
            let creates = seen.effects.0 & !Effects::SPAWN.0 == 0
                && seen.touches.iter().all(|t| is_block(t) || writes(t) || is_handle(t) || creation(t));
            if !quiet {
                if joining || joins || !creates {
                    return Phase::Other;
                }
                phase = Phase::Later;
            }
            joining |= joins;
        }
        Phase::Other
    }
}

/// Whether locks that begin with the number of one of these threads are held by it: only those are renumbered.
fn numbers_are_of_holders(state: &State, locks: &[(GlobalId, i64)], threads: &[(ThreadIndex, u32)]) -> bool {
    locks.iter().all(|(global, offset)| {
        let lock = ObjectId::global(global.0).base().wrapping_add(*offset as u64);
        let Ok(number) = state.memory().load_bytes(lock, 4) else { return true };
        threads.iter().map(|(index, _)| state.thread(*index)).all(|thread| {
            let holds = || thread.holds.iter().any(|h| h.object == lock && h.mode == HoldMode::Exclusive);
            number.bits != thread.number as u64 || holds()
        })
    })
}

/// Reads `struct raddle_thread` of the models (`raddle-clang/models/model.h`).
fn read_block(state: &State, id: ObjectId) -> Option<Block> {
    let object = state.memory().object(id)?;
    let word = state.memory().word() as usize;
    // Five pointers, next_waiter, then the flags: cleanup_kind, is_c11, detached, joined, waiting, ...
    let bytes = object.bytes().get(5 * word..5 * word + 9)?;
    let waits = bytes[..4].iter().any(|b| *b != 0) || bytes[8] != 0;
    Some(Block { waits, detached: bytes[6] != 0, joined: bytes[7] != 0 })
}

#[cfg(test)]
mod tests {
    /// `read_block` has the layout as constants.
    #[test]
    fn the_models_block_is_laid_out_as_it_is_read() {
        let header = include_str!("../../../raddle-clang/models/model.h");
        let from = header.find("struct raddle_thread {").expect("the block");
        let block = &header[from..from + header[from..].find('}').expect("its end")];
        let fields: Vec<&str> = block
            .lines()
            .skip(1)
            .filter_map(|line| line.split(';').next()?.trim().rsplit([' ', '*']).next())
            .filter(|field| !field.is_empty())
            .collect();
        let expected = [
            "start",
            "argument",
            "result",
            "cleanup",
            "values",
            "next_waiter",
            "cleanup_kind",
            "is_c11",
            "detached",
            "joined",
            "waiting",
        ];
        assert_eq!(fields[..expected.len()], expected);
    }
}
