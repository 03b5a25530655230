//! Removable rounds: what a thread does from a place until it comes there again, if all is as before. Such a part of an
//! execution can be left out, so executions with many of them need no unwinding: loops that poll under a lock, and waits
//! for a condition that end spuriously. It extends `await_loop.rs` to rounds that other threads could notice.
//!
//! A round goes from one *checkpoint* of a thread to the next at the same place: the head of a loop, or the beginning of a
//! section that may pause (a wait on a condition variable is left and entered again between two of these). It is removable if
//!
//! 1. registers that are live, private memory and counters are as before (compared as terms, but for the names of stack
//!    objects where no address is observed and no shared memory holds pointers to them), and it creates no thread and no object on the heap.
//!    An address is observed where it becomes a number (by a conversion, a load, a call) or is compared with a value that may be one,
//!    also where it is only one of several cases of a value whose others are not known;
//! 2. each shared byte that it writes has at its end the value that it had before;
//! 3. between its first and its last node no other thread accesses these bytes;
//! 4. where races are asked for, it stores nothing to an object that is read atomically, other than by an update, which
//!    continues the release sequence.
//!
//! (2) and (3) depend on the execution: a variable `interfered` holds only where one of them fails.
//!
//! *Argument.* Without a removable round, every other thread reads the same values in the same order: by (3) none accesses
//! what the round writes while it lasts, by (2) later accesses find the same. The thread itself continues from the same state by
//! (1); what it read meanwhile is dead. Orders of happens-before that came from the round are lost: a mutex that it took and
//! gave back is taken next from the thread that had it before. By (4) none is gained: otherwise a later acquire load could
//! read from an earlier release store that the round had overwritten, and a race could need one round for each such store. So
//! faults, races and deadlocks outside the round remain. Rounds of one place are disjoint, so of two removable ones of the
//! same place one does not contain the fault in question, and is left out.
//! Executions that are shortest among those with a given violation have therefore at most one removable round of each place,
//! and only these must not be cut: the unwinding query ranges over them.
//!
//! Not found: rounds that count, rounds in which a pointer is read again that is kept in a local variable, rounds that write a
//! range in different sizes.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_ir::{FunctionId, Inst, KernelOp};
use raddle_machine::pointer::{OFFSET_BITS, ObjectName};
use raddle_machine::{CodePoint, ObjectId};
use raddle_solver::{Stopped, Term};
use rustc_hash::FxHashMap;

use crate::contents::{Chunk, Contents};
use crate::domain::Value;
use crate::executor::{Executor, Path};
use crate::order::Encoding;
use crate::state::{Counters, State};
use crate::unrolling::*;

/// The head of a loop, or the beginning of a section that may pause.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    frames: Rc<[CodePoint]>,
    pauses: bool,
}

/// A thread at a place, and what there was of the unrolling.
pub struct Checkpoint {
    place: Place,
    /// Of the function itself, and of its callers where it is compared with another checkpoint of a later call.
    registers: Vec<Vec<Value>>,
    memory: FxHashMap<ObjectId, Rc<Contents>>,
    counters: Counters,
    stack: Vec<ObjectId>,
    thread_locals: usize,
    effects: usize,
    in_section: bool,
    threads: usize,
    events: usize,
    nodes: usize,
    points: usize,
    stack_made: usize,
}

/// What has become of the local state at a checkpoint when the thread is there again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Same,
    /// Apart from the names of stack objects, and no address is observed.
    Renamed,
    Different,
}

/// The stack objects that lie where others lay, both ways.
struct Renaming {
    now: FxHashMap<u64, u64>,
    then: FxHashMap<u64, u64>,
}

/// The place of a checkpoint, and where a round from it to the next was completed: whether that one cannot be left out.
#[derive(Clone, Debug)]
pub struct CompletedRound {
    place: Place,
    interfered: Term,
}

/// Of a path: completed rounds, and the last checkpoint of each place that may pause.
#[derive(Clone, Default)]
pub struct Rounds {
    completed: Rc<Vec<CompletedRound>>,
    pauses: Rc<Vec<Rc<Checkpoint>>>,
}

impl std::fmt::Debug for Rounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.completed.iter()).finish()
    }
}

impl Rounds {
    /// Of two paths that meet: what both have made.
    pub fn meet(self, other: &Rounds) -> Rounds {
        if Rc::ptr_eq(&self.completed, &other.completed) && Rc::ptr_eq(&self.pauses, &other.pauses) {
            return self;
        }
        let same = |(a, b): &(&CompletedRound, &CompletedRound)| a.interfered == b.interfered;
        let completed = self.completed.iter().zip(other.completed.iter()).take_while(same);
        let known = |checkpoint: &&Rc<Checkpoint>| other.pauses.iter().any(|b| Rc::ptr_eq(checkpoint, b));
        Rounds {
            completed: Rc::new(completed.map(|(round, _)| round.clone()).collect()),
            pauses: Rc::new(self.pauses.iter().filter(known).cloned().collect()),
        }
    }
}

impl Checkpoint {
    /// Whether the thread was in a section, whose effects are seen when it ends.
    pub fn in_section(&self) -> bool {
        self.in_section
    }

    /// The effects of a path since then.
    pub fn effects_since<'s>(&self, state: &'s State) -> &'s [Term] {
        &state.effects[self.effects..]
    }
}

impl Executor<'_> {
    /// The head of a loop in the current function.
    pub(crate) fn checkpoint_at_head(&self, path: &Path, head: CodePoint) -> Checkpoint {
        let mut frames = self.frames.clone();
        *frames.last_mut().expect("a function is being executed") = head;
        self.checkpoint(path, Place { frames: frames.into(), pauses: false })
    }

    fn checkpoint(&self, path: &Path, place: Place) -> Checkpoint {
        let mut registers = if place.pauses { self.callers.clone() } else { Vec::new() };
        registers.push(path.registers.clone());
        Checkpoint {
            place,
            registers,
            memory: path.state.memory.clone(),
            counters: path.state.counters,
            stack: path.state.stack.clone(),
            thread_locals: path.state.thread_locals.len(),
            effects: path.state.effects.len(),
            in_section: path.state.section.is_some(),
            threads: self.out.threads.len(),
            events: self.out.events.len(),
            nodes: self.out.threads[self.thread.0 as usize].nodes.len(),
            points: self.points_seen(),
            stack_made: self.stack_made.len(),
        }
    }

    /// Whether a thread that is at the place of a checkpoint again has the same local state.
    pub(crate) fn compare(&mut self, before: &Checkpoint, path: &Path) -> Comparison {
        let state = &path.state;
        let (then, now) = (before.counters, state.counters);
        if before.stack.len() != state.stack.len()
            || state.thread_locals.len() != before.thread_locals
            || (then.heap, then.children) != (now.heap, now.children)
        {
            return Comparison::Different;
        }
        let renamed = before.stack.iter().zip(&state.stack).filter(|(then, now)| then != now);
        let renamed = Renaming {
            now: renamed.clone().map(|(then, now)| (then.0, now.0)).collect(),
            then: renamed.map(|(then, now)| (now.0, then.0)).collect(),
        };
        let living = |memory: &FxHashMap<ObjectId, Rc<Contents>>| {
            memory.iter().filter(|(object, contents)| !self.has_ended(**object, contents)).count()
        };
        if living(&before.memory) != living(&state.memory) {
            return Comparison::Different;
        }
        for (object, contents) in &state.memory {
            if self.has_ended(*object, contents) {
                continue;
            }
            let then = ObjectId(renamed.then.get(&object.0).copied().unwrap_or(object.0));
            let Some(then) = before.memory.get(&then) else { return Comparison::Different };
            if !Rc::ptr_eq(then, contents) && !self.same_contents(&renamed, then, contents) {
                return Comparison::Different;
            }
        }
        let depth = before.registers.len();
        for level in 0..depth {
            let outer = self.callers.len() + 1 - depth + level;
            let at = before.place.frames[before.place.frames.len() - depth + level];
            for (index, then) in before.registers[level].iter().enumerate() {
                let now = self.callers.get(outer).unwrap_or(&path.registers)[index];
                let register = raddle_ir::Register(index as u32);
                if self.liveness.is_live_at(at.function, at.pc, register)
                    && !(self.same(&renamed, then.bits, now.bits) && then.undefined == now.undefined)
                {
                    return Comparison::Different;
                }
            }
        }
        match then.stack == now.stack && renamed.now.is_empty() {
            true => Comparison::Same,
            false if self.names_matter(before, &renamed) => Comparison::Different,
            false => Comparison::Renamed,
        }
    }

    /// A stack object whose frame has ended: only that is known of it.
    fn has_ended(&self, object: ObjectId, contents: &Contents) -> bool {
        let mut chunks = contents.iter();
        let gone = |(at, chunk): (u32, &Chunk)| at == LIFE && self.d.as_constant(chunk.bits) == Some(0);
        matches!(object.name(), ObjectName::Stack { .. })
            && chunks.next().is_some_and(gone)
            && chunks.next().is_none()
    }

    /// Whether an execution can depend on which stack objects there are: by their addresses, or by pointers to them in memory
    /// that threads share.
    fn names_matter(&self, before: &Checkpoint, renamed: &Renaming) -> bool {
        let size = |name: &u64| self.objects.get(&ObjectId(*name)).map(|info| info.size);
        let made = self.stack_made[before.stack_made..].iter().map(|object| object.0);
        !self.by_order
            || self.learned.exposed
            || self.exposed
            || made.chain(renamed.now.keys().copied()).any(|name| self.learned.published.contains(&name))
            || renamed.now.iter().any(|(then, now)| size(then) != size(now))
    }

    fn same_contents(&mut self, renamed: &Renaming, then: &Contents, now: &Contents) -> bool {
        then.iter().count() == now.iter().count()
            && then.iter().zip(now.iter()).all(|((at, then), (other, now))| {
                (at, then.length, then.wide, then.undefined) == (other, now.length, now.wide, now.undefined)
                    && self.same(renamed, then.bits, now.bits)
            })
    }

    /// Whether two values are the same, pointers to renamed objects aside.
    fn same(&mut self, renamed: &Renaming, then: Term, now: Term) -> bool {
        if renamed.now.is_empty() || self.d.with(|t| t.width(then)) != 64 {
            return then == now;
        }
        if let (Some(then), Some(now)) = (self.d.as_constant(then), self.d.as_constant(now)) {
            let (name, name_now) = (then >> OFFSET_BITS, now >> OFFSET_BITS);
            let low = |value: u64| value & ((1 << OFFSET_BITS) - 1);
            return low(then) == low(now)
                && match renamed.now.get(&name) {
                    Some(new) => *new == name_now,
                    None => name == name_now && !renamed.then.contains_key(&name),
                };
        }
        // A pointer to an object that has gone since is not the same.
        let names = if then == now { self.candidates.names(&self.d, then) } else { None };
        let is_renamed = |name: &u64| renamed.now.contains_key(name) || renamed.then.contains_key(name);
        names.is_some_and(|names| !names.iter().any(is_renamed))
    }

    /// Whether the thread has written no shared byte since then, on any path.
    pub(crate) fn has_written_nothing(&self, start: &Checkpoint) -> bool {
        !self.out.events[start.events..].iter().any(|event| event.writes)
    }

    /// A section begins that may pause: whether the thread was here before in the same state.
    pub(crate) fn begin_pausing(&mut self, path: &mut Path) {
        let at = self.here();
        if !self.by_order || self.probing || !self.pauses(at.function) {
            return;
        }
        let place = Place { frames: self.frames.as_slice().into(), pauses: true };
        let index = path.state.rounds.pauses.iter().position(|earlier| earlier.place == place);
        if let Some(index) = index {
            let earlier = path.state.rounds.pauses[index].clone();
            match self.compare(&earlier, path) {
                Comparison::Different => {}
                Comparison::Same | Comparison::Renamed => {
                    self.round_ends(&earlier, path);
                }
            }
        }
        let now = Rc::new(self.checkpoint(path, place));
        let pauses = Rc::make_mut(&mut path.state.rounds.pauses);
        match index {
            Some(index) => pauses[index] = now,
            None => pauses.push(now),
        }
    }

    fn pauses(&self, function: FunctionId) -> bool {
        let code = &self.program.function(function).code;
        code.iter().any(|inst| matches!(inst, Inst::Kernel { op: KernelOp::Pause, .. }))
    }

    /// A round ends in the local state in which it began. True if it may be removable.
    pub(crate) fn round_ends(&mut self, start: &Checkpoint, path: &mut Path) -> bool {
        let Thread { nodes, points, .. } = &self.out.threads[self.thread.0 as usize];
        let nodes = &nodes[start.nodes..];
        let (Some(first), Some(last)) = (nodes.first().copied(), nodes.last().copied()) else { return false };
        // What an atomic store, or a plain one, overwrites cannot be read from with its order any more.
        let overwritten = points[start.points..].iter().filter_map(|point| match point.what {
            PointKind::AtomicWrite { range, update: false, .. }
            | PointKind::Access { range, writes: true, atomic: false } => Some(range.object),
            _ => None,
        });
        let mut overwritten: Vec<ObjectId> = overwritten.collect();
        overwritten.sort_unstable();
        overwritten.dedup();
        if path.state.counters.heap.is_none() || self.out.threads.len() != start.threads {
            return false;
        }
        let Some((written, changed)) = self.restored(start, path) else { return false };
        let interfered = self.d.with(|t| t.variable(1));
        self.out.removable.push(RemovableRound { interfered, first, last, written, changed, overwritten });
        let round = CompletedRound { place: start.place.clone(), interfered };
        Rc::make_mut(&mut path.state.rounds.completed).push(round);
        true
    }

    /// The ranges of shared bytes that were written since a checkpoint, and the condition that one has another value now.
    /// `None`: not known.
    fn restored(&mut self, start: &Checkpoint, path: &Path) -> Option<(Vec<Range>, Term)> {
        let mut writes: BTreeMap<(ObjectId, u32, u32), Vec<usize>> = BTreeMap::new();
        for (index, event) in self.out.events.iter().enumerate().skip(start.events) {
            if event.writes {
                debug_assert!(self.out.nodes[event.node.0 as usize] == self.thread);
                let Range { object, offset, length } = event.range;
                writes.entry((object, offset, length)).or_default().push(index);
            }
        }
        let ranges: Vec<Range> = writes
            .keys()
            .map(|(object, offset, length)| Range { object: *object, offset: *offset, length: *length })
            .collect();
        let overlap = |pair: &[Range]| pair[0].object == pair[1].object && pair[1].offset < pair[0].end();
        if ranges.windows(2).any(overlap) || ranges.iter().any(|range| range.offset == LIFE) {
            return None;
        }
        let mut changed = Term::FALSE;
        for (range, mut indices) in ranges.iter().zip(writes.into_values()) {
            indices.sort_by_key(|index| self.out.events[*index].node);
            let zero = self.d.constant(8 * range.length, 0);
            let (mut before, mut after) = ((zero, zero), (zero, zero));
            for index in &indices {
                let Event { guard, bits, undefined, .. } = self.out.events[*index];
                if self.d.with(|t| t.width(bits)) != 8 * range.length {
                    return None;
                }
                after = (self.d.ite(guard, bits, after.0), self.d.ite(guard, undefined, after.1));
            }
            // What the first write that is executed has overwritten.
            let sure = indices
                .iter()
                .position(|index| path.state.guard.implies(&self.d, self.out.events[*index].guard));
            let relevant = &indices[..sure.map_or(indices.len(), |sure| sure + 1)];
            for index in relevant.iter().rev() {
                let Event { guard, node, .. } = self.out.events[*index];
                let (bits, undefined) = self.value_before(start, path, node, guard, *range);
                if self.d.with(|t| t.width(bits)) != 8 * range.length {
                    return None;
                }
                before = (self.d.ite(guard, bits, before.0), self.d.ite(guard, undefined, before.1));
            }
            for (before, after) in [(before.0, after.0), (before.1, after.1)] {
                let same = self.d.equal(before, after);
                let differs = self.d.not(same);
                changed = self.d.or(changed, differs);
            }
        }
        Some((ranges, changed))
    }

    /// What a node finds in a range before it writes there: what it has read, or a read that is added.
    fn value_before(
        &mut self,
        start: &Checkpoint,
        path: &Path,
        node: Node,
        guard: Term,
        range: Range,
    ) -> (Term, Term) {
        let read = self.out.events[start.events..].iter().find(|event| {
            !event.writes
                && event.node == node
                && event.range == range
                && (event.guard == guard || path.state.guard.implies(&self.d, event.guard))
        });
        if let Some(event) = read {
            return (event.bits, event.undefined);
        }
        let chunk = self.read_event(node, guard, range);
        (chunk.bits, chunk.undefined)
    }

    /// Whether the thread could not have come here without removable rounds: at most one of each place is removable.
    pub(crate) fn without_removable_rounds(&self, state: &State) -> Term {
        let mut places: Vec<(&Place, Term, Term)> = Vec::new();
        for round in state.rounds.completed.iter() {
            let index = places.iter().position(|(place, ..)| **place == round.place);
            let index = index.unwrap_or_else(|| {
                places.push((&round.place, Term::TRUE, Term::TRUE));
                places.len() - 1
            });
            let (_, all, all_but_one) = &mut places[index];
            let with_this = self.d.and(*all_but_one, round.interfered);
            *all_but_one = self.d.or(*all, with_this);
            *all = self.d.and(*all, round.interfered);
        }
        places.into_iter().fold(Term::TRUE, |needed, (_, _, all_but_one)| self.d.and(needed, all_but_one))
    }
}

impl Encoding<'_> {
    /// Where a round is said not to be removable, another thread accesses what it writes while it lasts, or it leaves another
    /// value.
    pub(crate) fn removable_rounds(&mut self) -> Result<(), Stopped> {
        let unrolling = self.unrolling;
        if unrolling.cuts.is_empty() || unrolling.removable.is_empty() {
            return Ok(());
        }
        let mut by_object: FxHashMap<ObjectId, Vec<&Event>> = FxHashMap::default();
        for event in &unrolling.events {
            by_object.entry(event.range.object).or_default().push(event);
        }
        for round in &unrolling.removable {
            self.look()?;
            if round.overwritten.iter().any(|object| self.atomic_objects.contains(object)) {
                continue;
            }
            let thread = unrolling.nodes[round.first.0 as usize];
            let mut others: BTreeMap<Node, Vec<Term>> = BTreeMap::new();
            for range in &round.written {
                for event in by_object.get(&range.object).into_iter().flatten() {
                    let overlaps = event.range.offset < range.end() && range.offset < event.range.end();
                    if overlaps
                        && unrolling.nodes[event.node.0 as usize] != thread
                        && Some(event.node) != unrolling.last
                        && !self.precedes(event.node, round.first)
                        && !self.precedes(round.last, event.node)
                    {
                        others.entry(event.node).or_default().push(event.guard);
                    }
                }
            }
            let (interfered, changed) = (self.formula(round.interfered)?, self.formula(round.changed)?);
            let mut causes = vec![!interfered, changed];
            for (node, mut guards) in others {
                self.look()?;
                guards.sort_unstable();
                guards.dedup();
                let meanwhile = self.graph.fresh();
                let mut executed = vec![!meanwhile];
                for guard in guards {
                    executed.push(self.formula(guard)?);
                }
                self.solver.assert_any(&self.graph, &executed);
                let at = |node: Node| self.nodes[node.0 as usize];
                let (first, node, last) = (at(round.first), at(node), at(round.last));
                self.ordering.edge(meanwhile, first, node);
                self.ordering.edge(meanwhile, node, last);
                causes.push(meanwhile);
            }
            self.solver.assert_any(&self.graph, &causes);
        }
        Ok(())
    }
}
