//! Kernel operations on terms. What the machine does at once is done under guards here; what the order of threads decides
//! (who has ended, who holds a lock) lies in cells of its own, which are read and written as memory is.
//!
//! Deviations: a block is the assumption that the thread does not come there, with a variable that lets it stop before the
//! section; a pause returns; blocking inside the user's atomic section, changing the size of a heap object and comparing
//! bytes are limits of this engine.

use raddle_ir::{FunctionId, Inst, KernelOp, MemoryOrder, Operand, Register, Width};
use raddle_machine::pointer::{self, MAX_OBJECT, ObjectName};
use raddle_machine::{ObjectId, mask};
use raddle_solver::Term;
use rustc_hash::FxHashMap;

use crate::access::Place;
use crate::contents::Chunk;
use crate::domain::Value;
use crate::executor::{Executor, Initial, ObjectInfo, Path, Run, Spawned};
use crate::instructions::Flow;
use crate::state::{Because, Counters, Guard, Section, State};
use crate::unrolling::*;

/// The cells of a thread: it was created; it has ended.
fn status(number: u32, cell: u32) -> Range {
    Range { object: ObjectId(0xfff << 25 | 1 << 24 | number as u64), offset: cell, length: 1 }
}
const CREATED: u32 = 0;
const FINISHED: u32 = 1;

/// Which functions can come to a block.
#[derive(Default)]
pub struct Blocking {
    known: FxHashMap<FunctionId, bool>,
}

impl Executor<'_> {
    fn may_block(&mut self, function: FunctionId) -> bool {
        if let Some(known) = self.blocking.known.get(&function) {
            return *known;
        }
        self.blocking.known.insert(function, false);
        let program = self.program;
        let found = program.function(function).code.iter().any(|inst| match inst {
            Inst::Kernel { op: KernelOp::Block | KernelOp::Pause, .. } => true,
            Inst::Call(call) => match call.callee {
                raddle_ir::Callee::Direct(callee) => self.may_block(callee),
                raddle_ir::Callee::Indirect(_) => true,
            },
            _ => false,
        });
        self.blocking.known.insert(function, found);
        found
    }

    /// The cell of the holds of a lock by a thread.
    fn holds(&mut self, lock: (ObjectId, u32), thread: ThreadInstance) -> Range {
        let next = self.hold_cells.len() as u64;
        let cell = *self.hold_cells.entry(lock).or_insert(next);
        Range { object: ObjectId(0xfff << 25 | 1 << 23 | cell), offset: thread.0, length: 1 }
    }

    fn give(&self, path: &mut Path, into: Option<Register>, bits: Term) {
        if let Some(register) = into {
            path.registers[register.index()] = Value { bits, undefined: self.d.constant(64, 0) };
        }
    }

    fn give_number(&self, path: &mut Path, into: Option<Register>, number: u64) {
        let bits = self.d.constant(64, number);
        self.give(path, into, bits);
    }

    /// An argument that must be determinate.
    fn number(&mut self, path: &mut Path, operand: Operand) -> Term {
        let value = self.get(path, operand);
        let known = self.d.with(|t| t.is_zero(value.undefined));
        self.memory_fault_unless(path, known);
        value.bits
    }

    fn constant_argument(&mut self, path: &mut Path, operand: Operand) -> Option<u64> {
        let term = self.number(path, operand);
        self.d.as_constant(term)
    }

    fn dead(&mut self, path: &Path, reason: &str) -> Run<Flow> {
        self.limit(path.state.guard.term(), false, reason);
        Ok(Flow::Dead)
    }

    fn byte(&self, value: u64) -> Chunk {
        let undefined = self.d.constant(8, 0);
        Chunk { length: 1, bits: self.d.constant(8, value), undefined, wide: false }
    }

    /// The writes of a section become events, and it is over.
    pub fn section_ends(&mut self, path: &mut Path) {
        let Some(section) = path.state.section.take() else { return };
        let (guard, node) = (path.state.guard.term(), section.node);
        let mut objects: Vec<_> = section.overlay.iter().collect();
        objects.sort_by_key(|(object, _)| **object);
        for (object, overlay) in objects {
            let is_dirty = |at: u32, length: u32| {
                overlay.dirty.iter().any(|(start, n)| *start < at + length && at < start + n)
            };
            for (offset, chunk) in overlay.contents.iter() {
                if is_dirty(offset, chunk.length) {
                    let range = Range { object: *object, offset, length: chunk.length };
                    self.write_event(node.expect("a section has a node"), guard, range, *chunk);
                }
            }
        }
    }

    pub fn kernel(
        &mut self,
        op: KernelOp,
        into: Option<Register>,
        arguments: &[Operand],
        path: &mut Path,
    ) -> Run<Flow> {
        let guard = path.state.guard.term();
        if path.state.is_probe() {
            match op {
                KernelOp::Block | KernelOp::Pause => return self.probe_blocks(op, arguments, path),
                op if is_query(op) => {}
                _ => return Ok(Flow::Dead),
            }
        }
        match op {
            KernelOp::Begin => {
                if let Some(section) = &mut path.state.section {
                    section.kernel = true;
                    let node = section.node;
                    self.script(guard, Step::Operation(node));
                    return Ok(Flow::Next);
                }
                if self.may_block(self.here().function) {
                    // The thread may stop here: what would follow is blocked, or the run is over.
                    let runs = self.d.with(|t| t.variable(1));
                    self.begin_probe(path, runs);
                    self.assume(path, runs, Because::Other);
                }
                let node = Some(self.new_node());
                self.script(path.state.guard.term(), Step::Operation(node));
                let overlay = FxHashMap::default();
                path.state.section = Some(Section {
                    node,
                    kernel: true,
                    probe: false,
                    seen_before: (0, 0),
                    depth: 0,
                    overlay,
                });
            }
            KernelOp::End => match &mut path.state.section {
                Some(section) if section.depth > 0 => section.kernel = false,
                _ => self.section_ends(path),
            },
            KernelOp::Block => return self.blocks_here(path),
            KernelOp::Pause => {
                let how = self.constant_argument(path, arguments[3]);
                if path.state.section.as_ref().is_none_or(|section| section.depth > 0) {
                    return self.blocks_here(path);
                }
                if how != Some(2) && !self.machine.settings.spurious_wakeups {
                    return self.blocks_here(path);
                }
            }
            KernelOp::Spawn => return self.spawn(into, arguments, path),
            KernelOp::SelfThread => {
                let number = self.out.threads[self.thread.0 as usize].number;
                self.give_number(path, into, number as u64);
            }
            KernelOp::Tcb => return self.control_block(into, arguments[0], path),
            KernelOp::Finished => {
                let number = self.number(path, arguments[0]);
                let mut result = self.d.constant(64, 0);
                for (known, _) in self.blocks.clone() {
                    let is_it = self.is_number_of(number, known);
                    if is_it == Term::FALSE {
                        continue;
                    }
                    let Some(cell) = self.read_range(path, None, is_it, status(known, FINISHED)) else {
                        return Ok(Flow::Dead);
                    };
                    let ended = self.d.with(|t| t.resize(cell.bits, 64));
                    result = self.d.ite(is_it, ended, result);
                }
                self.give(path, into, result);
            }
            KernelOp::ThreadExit => {
                self.thread_ends(&mut path.state)?;
                return Ok(Flow::Dead);
            }
            KernelOp::ProcessExit => {
                self.section_ends(path);
                return Ok(Flow::Dead);
            }
            KernelOp::Yield | KernelOp::Progress => {
                if path.state.section.as_ref().is_none_or(|s| !s.kernel) {
                    let node = path.state.section.as_ref().and_then(|s| s.node);
                    self.script(guard, Step::Operation(node));
                }
            }
            KernelOp::AtomicBegin => match &mut path.state.section {
                Some(section) => section.depth += 1,
                None => {
                    // An assumption that fails in it ends the run: then the thread stops before it.
                    let runs = self.d.with(|t| t.variable(1));
                    self.assume(path, runs, Because::Other);
                    let node = Some(self.new_node());
                    self.script(path.state.guard.term(), Step::Operation(node));
                    let overlay = FxHashMap::default();
                    let seen_before = (self.faults_seen, self.points_seen());
                    path.state.section =
                        Some(Section { node, kernel: false, probe: false, seen_before, depth: 1, overlay });
                    let node = node.expect("just made");
                    self.point(path, node, Term::TRUE, PointKind::Acquire(SECTIONS));
                    if let Some(section) = &mut path.state.section {
                        section.seen_before.1 += usize::from(self.races && !self.probing);
                    }
                }
            },
            KernelOp::AtomicEnd => {
                if let Some(section) = &mut path.state.section
                    && section.depth > 0
                {
                    section.depth -= 1;
                    if section.depth == 0 {
                        let node = section.node.expect("a section has a node");
                        self.point(path, node, Term::TRUE, PointKind::Release(SECTIONS));
                        self.section_ends(path);
                    }
                }
            }
            KernelOp::Fixed => {}
            KernelOp::Acquire | KernelOp::Release => {
                if self.races && !self.probing {
                    self.order_marker(op, arguments, path);
                }
            }
            KernelOp::Touch | KernelOp::Atomic => {
                let pointer = self.number(path, arguments[0]);
                let Some(size) = self.constant_argument(path, arguments[1]) else {
                    return self.dead(path, "an object of synchronisation of variable size");
                };
                if op == KernelOp::Touch && size > 0 {
                    let writes = self.constant_argument(path, arguments[2]) != Some(0);
                    let places = self.places(path, pointer, size as u32, writes);
                    self.check_life(path, None, &places);
                    for place in &places {
                        let Place { object, offset, .. } = *place;
                        self.note(Range { object, offset, length: size as u32 }, writes);
                    }
                    let order = match writes {
                        true => MemoryOrder::NotAtomic,
                        false => MemoryOrder::Relaxed,
                    };
                    let node = path.state.section_node();
                    self.race_accesses(path, node, &places, size as u32, writes, order);
                } else if op == KernelOp::Atomic {
                    self.limit_races(path, "an atomic operation of unusual size");
                }
            }
            KernelOp::Spurious => {
                let fails = match path.state.section.as_ref().is_some_and(|s| s.kernel) {
                    true => self.d.constant(64, 0),
                    false => self.choice(path, Term::TRUE, 1),
                };
                self.give(path, into, fails);
            }
            KernelOp::Same => {
                return self.dead(path, "a comparison of bytes by an atomic operation of unusual size");
            }
            KernelOp::Event => return self.event(arguments, path),
            KernelOp::HasEvent => {
                let Some(event) = self.constant_argument(path, arguments[0]) else {
                    return self.dead(path, "an event of variable number");
                };
                self.give_number(path, into, self.machine.has_event(event) as u64);
            }
            KernelOp::Holds | KernelOp::Held => {
                let pointer = self.number(path, arguments[0]);
                let Some(lock) = self.lock_of(path, pointer) else {
                    return self.dead(path, "the holders of one of several locks are queried");
                };
                self.learned.holds.insert(lock);
                let threads: Vec<ThreadInstance> = match op {
                    KernelOp::Holds => vec![self.thread],
                    _ => (0..=self.learned.threads.len() as u32).map(ThreadInstance).collect(),
                };
                let mut sum = self.d.constant(64, 0);
                for thread in threads {
                    let cell = self.holds(lock, thread);
                    let Some(cell) = self.read_range(path, None, Term::TRUE, cell) else {
                        return Ok(Flow::Dead);
                    };
                    sum = self.d.with(|t| {
                        let count = t.resize(cell.bits, 64);
                        t.add(sum, count)
                    });
                }
                self.give(path, into, sum);
            }
            KernelOp::Choose => {
                let count = self.number(path, arguments[0]);
                let answer = match self.d.as_constant(count) {
                    Some(0 | 1) => self.d.constant(64, 0),
                    Some(count) => self.choice(path, Term::TRUE, count - 1),
                    None => {
                        let one = self.d.constant(64, 1);
                        let several = self.d.with(|t| t.ult(one, count));
                        let answer = self.choice(path, several, u64::MAX);
                        let zero = self.d.constant(64, 0);
                        let fits = self.d.with(|t| {
                            let inside = t.ult(answer, count);
                            t.implies(several, inside)
                        });
                        let here = self.d.with(|t| t.implies(guard, fits));
                        self.out.constraints.push(here);
                        self.d.ite(several, answer, zero)
                    }
                };
                self.give(path, into, answer);
            }
            KernelOp::Any => {
                let Some(bits) = self.constant_argument(path, arguments[0]) else {
                    return self.dead(path, "an input of variable width");
                };
                let answer = self.choice(path, Term::TRUE, mask(bits.clamp(1, 64) as u8));
                self.give(path, into, answer);
            }
            KernelOp::Assume => {
                self.determinate(path, arguments[0], 32);
                let condition = self.get(path, arguments[0]).bits;
                let holds = self.d.with(|t| {
                    let low = t.extract(condition, 31, 0);
                    let zero = t.is_zero(low);
                    t.not(zero)
                });
                if path.state.section.as_ref().is_some_and(|s| s.depth > 0) {
                    let fails = self.d.not(holds);
                    self.section_assumes(path, fails);
                }
                if path.state.section.as_ref().is_some_and(|s| s.depth == 0) {
                    let fails = self.d.not(holds);
                    let mut stopped = path.clone();
                    self.assume(&mut stopped, fails, Because::Other);
                    self.section_ends(&mut stopped);
                }
                self.assume(path, holds, Because::Other);
            }
            KernelOp::Fault => return self.model_fault(arguments, path),
            KernelOp::Unsupported => {
                let text = self.number(path, arguments[0]);
                let text = self.text(text).unwrap_or_else(|| "an operation of a model".into());
                self.limit(path.state.guard.term(), true, text);
                return Ok(Flow::Dead);
            }
            KernelOp::Alloc | KernelOp::AllocAligned => return self.allocate(op, into, arguments, path),
            KernelOp::Free => return self.free(arguments[0], path),
            KernelOp::Resize => return self.dead(path, "the size of a heap object is changed"),
            KernelOp::ObjectSize => {
                let pointer = self.number(path, arguments[0]);
                let Some(id) = self.single_object(pointer) else {
                    return self.dead(path, "the size of one of several objects");
                };
                let Some(size) = self.objects.get(&id).map(|info| info.size) else {
                    self.memory_fault_unless(path, Term::FALSE);
                    return Ok(Flow::Dead);
                };
                let place = Place { condition: Term::TRUE, object: id, offset: 0 };
                self.check_life(path, None, &[place]);
                self.give_number(path, into, size as u64);
            }
            KernelOp::IsDeterminate => {
                let pointer = self.number(path, arguments[0]);
                let Some(size) = self.constant_argument(path, arguments[1]) else {
                    return self.dead(path, "a range of variable size");
                };
                let places = self.places(path, pointer, size as u32, false);
                self.check_life(path, None, &places);
                let mut determinate = Term::TRUE;
                for place in &places {
                    for at in (0..size as u32).step_by(4) {
                        let length = (size as u32 - at).min(4);
                        let (object, offset) = (place.object, place.offset + at);
                        let Some(chunk) =
                            self.read_range(path, None, place.condition, Range { object, offset, length })
                        else {
                            return Ok(Flow::Dead);
                        };
                        let fine = self.d.with(|t| {
                            let none = t.is_zero(chunk.undefined);
                            t.implies(place.condition, none)
                        });
                        determinate = self.d.and(determinate, fine);
                    }
                }
                let result = self.d.with(|t| t.zero_extend(determinate, 64));
                self.give(path, into, result);
            }
            KernelOp::Writable => return self.dead(path, "a havocked function"),
            KernelOp::Print | KernelOp::Format | KernelOp::Output => {
                return self.print(op, into, arguments, path);
            }
            KernelOp::Setting => {
                let settings = &self.machine.settings;
                let which = self.get(path, arguments[0]).bits;
                let value = match self.d.as_constant(which) {
                    Some(1) => settings.malloc_may_fail,
                    Some(2) => settings.reuse_addresses,
                    Some(3) => settings.spurious_wakeups,
                    _ => false,
                };
                self.give_number(path, into, value as u64);
            }
        }
        Ok(Flow::Next)
    }

    /// An edge of happens-before begins or ends here.
    fn order_marker(&mut self, op: KernelOp, arguments: &[Operand], path: &mut Path) {
        let pointer = self.number(path, arguments[0]);
        let channel = self.constant_argument(path, arguments[1]);
        let names = self.candidates.names(&self.d, pointer);
        let (Some(channel), Some(names), Some(node)) = (channel, names, path.state.section_node()) else {
            self.limit_races(path, "an order by an object that is not known");
            return;
        };
        let at = crate::pointers::offset(&self.d, pointer);
        for name in names.iter() {
            let Some(offset) = self.d.as_constant(at) else {
                self.limit_races(path, "an order by one of several objects");
                return;
            };
            let is_it = self.d.with(|t| {
                let upper = t.extract(pointer, 63, pointer::OFFSET_BITS);
                let name = t.constant(64 - pointer::OFFSET_BITS, *name);
                t.eq(upper, name)
            });
            let key = (ObjectId(*name), offset as u32, channel as i32);
            let what = match op {
                KernelOp::Acquire => PointKind::Acquire(key),
                _ => PointKind::Release(key),
            };
            self.point(path, node, is_it, what);
        }
    }

    /// Executes the section that begins here also on the last state, where the thread does not execute it.
    fn begin_probe(&mut self, path: &Path, runs: Term) {
        if !self.probes {
            return;
        }
        let mut probe = path.clone();
        let stops = self.d.not(runs);
        self.assume(&mut probe, stops, Because::Other);
        let (node, overlay) = (self.out.last, FxHashMap::default());
        probe.probed_from = self.frames.len();
        probe.state.section =
            Some(Section { node, kernel: true, probe: true, seen_before: (0, 0), depth: 0, overlay });
        self.forked = Some(probe);
    }

    /// The section would block in the last state. A time-out is a step that can be taken.
    fn probe_blocks(&mut self, op: KernelOp, arguments: &[Operand], path: &mut Path) -> Run<Flow> {
        let guard = path.state.guard.term();
        let why = self.get(path, arguments[0]).bits;
        let pauses = op == KernelOp::Pause;
        if pauses {
            let how = self.get(path, arguments[3]).bits;
            if self.d.as_constant(how) == Some(2) {
                return Ok(Flow::Dead);
            }
        }
        let spurious = pauses && self.machine.settings.spurious_wakeups;
        let by_owner = !spurious && matches!(self.d.as_constant(why), Some(1 | 2 | 3 | 7));
        let mut owners = Vec::new();
        if by_owner {
            let owner = self.get(path, arguments[2]).bits;
            let nobody = self.d.with(|t| {
                let low = t.extract(owner, 31, 0);
                t.is_zero(low)
            });
            let pointer = self.get(path, arguments[1]).bits;
            let lock = (nobody != Term::FALSE).then(|| self.lock_of(path, pointer)).flatten();
            if nobody != Term::FALSE && lock.is_none() {
                self.limit(guard, false, "a wait for the holders of one of several locks");
            }
            let count = self.learned.threads.len() as u32 + 1;
            for index in 0..count {
                let instance = ThreadInstance(index);
                let Some(number) = self.number_of(index) else { continue };
                let named = self.is_number_of(owner, number);
                let mut is_owner = named;
                if let Some(lock) = lock {
                    self.learned.holds.insert(lock);
                    let cell = self.holds(lock, instance);
                    let Some(cell) = self.read_range(path, None, Term::TRUE, cell) else { continue };
                    let none = self.d.with(|t| t.is_zero(cell.bits));
                    let holds = self.d.not(none);
                    let holds = self.d.and(holds, nobody);
                    is_owner = self.d.or(named, holds);
                }
                if is_owner != Term::FALSE {
                    owners.push((instance, is_owner));
                }
            }
        }
        self.out.blocked.push(BlockedAt { thread: self.thread, guard, by_owner, owners });
        Ok(Flow::Dead)
    }

    /// The number of the thread that is executed as this one, in this round or the last.
    fn number_of(&self, index: u32) -> Option<u32> {
        match self.out.threads.get(index as usize) {
            Some(thread) => Some(thread.number),
            None => self.knowledge.instances.get(index as usize).copied(),
        }
    }

    /// How many frames there were when the probed section began: it is left when this function returns.
    pub fn probed_from(&self, path: &Path) -> usize {
        path.probed_from
    }

    /// An assumption fails inside the user's section, which ends the run: no thread sees what it wrote, and the run without
    /// the section is looked at instead. What the section did before it may be a violation all the same.
    fn section_assumes(&mut self, path: &mut Path, fails: Term) {
        let here = self.under(path, fails);
        if here == Term::FALSE {
            return;
        }
        let before = path.state.section.as_ref().map_or((0, 0), |section| section.seen_before);
        if before.0 != self.faults_seen {
            self.limit(here, false, "an assumption in an atomic section after a possible fault in it");
        }
        if before.1 != self.points_seen() {
            self.limit_races_where(here, "an assumption in an atomic section after shared accesses in it");
        }
        let not_here = self.d.not(here);
        self.out.constraints.push(not_here);
    }

    fn points_seen(&self) -> usize {
        self.out.threads[self.thread.0 as usize].points.len()
    }

    fn blocks_here(&mut self, path: &mut Path) -> Run<Flow> {
        let guard = path.state.guard.term();
        match &path.state.section {
            Some(section) if section.depth == 0 => {
                let not_here = self.d.not(guard);
                self.out.constraints.push(not_here);
            }
            _ => self.limit(guard, false, "a thread blocks inside an atomic section"),
        }
        Ok(Flow::Dead)
    }

    fn is_number_of(&self, number: Term, known: u32) -> Term {
        self.d.with(|t| {
            let low = t.extract(number, 31, 0);
            let known = t.constant(32, known as u64);
            t.eq(low, known)
        })
    }

    fn control_block(&mut self, into: Option<Register>, operand: Operand, path: &mut Path) -> Run<Flow> {
        let number = self.number(path, operand);
        let mut result = self.d.constant(64, 0);
        let mut others = Term::TRUE;
        let own = self.out.threads[self.thread.0 as usize].number;
        for (known, block) in self.blocks.clone() {
            let is_it = self.is_number_of(number, known);
            others = self.d.and(others, self.d.not(is_it));
            if is_it == Term::FALSE {
                continue;
            }
            let created = match known == 1 || known == own {
                true => Term::TRUE,
                false => {
                    let Some(cell) = self.read_range(path, None, is_it, status(known, CREATED)) else {
                        return Ok(Flow::Dead);
                    };
                    let zero = self.d.with(|t| t.is_zero(cell.bits));
                    self.d.not(zero)
                }
            };
            let exists = self.d.and(is_it, created);
            result = self.d.ite(exists, block, result);
        }
        // Threads that another one creates, which is executed later here.
        for later in self.learned.threads.clone() {
            if !self.blocks.iter().any(|(known, _)| *known == later.0) {
                let later = later.0;
                let is_it = self.is_number_of(number, later);
                let is_it = self.d.and(is_it, others);
                let here = self.under(path, is_it);
                self.limit(here, false, "a thread is named that another thread has created");
                let not = self.d.not(is_it);
                self.assume(path, not, Because::Other);
            }
        }
        self.give(path, into, result);
        Ok(Flow::Next)
    }

    fn spawn(&mut self, into: Option<Register>, arguments: &[Operand], path: &mut Path) -> Run<Flow> {
        let (body, block) = (self.number(path, arguments[0]), self.get(path, arguments[1]));
        let function = self.d.as_constant(body).map(|body| pointer::object(body).name());
        let Some(ObjectName::Function(function)) = function else {
            return self.dead(path, "a thread whose function is not constant");
        };
        let parent = self.thread;
        let parent_number = self.out.threads[parent.0 as usize].number;
        let nth = path.state.counters.children;
        path.state.counters.children = nth.map(|n| n + 1);
        let taken = |n: &u32| self.out.threads.iter().any(|t| t.number == *n);
        let number =
            nth.map(|nth| raddle_machine::kernel::child_number(parent_number, nth)).filter(|n| !taken(n));
        let number = match number {
            Some(number) => number,
            None => {
                self.renumbered = true;
                let mut free = 3000;
                while taken(&free) {
                    free += 1;
                }
                free
            }
        };
        let node = path.state.section.as_ref().and_then(|section| section.node);
        if node.is_none() || number > pointer::MAX_THREAD {
            return self.dead(path, "too many threads");
        }
        let one = self.byte(1);
        self.write_range(path, None, Term::TRUE, status(number, CREATED), one);
        let exists = path.state.guard.term();
        let instance = self.add_thread(number, Some(parent), node, exists);
        self.point(path, node.expect("checked above"), Term::TRUE, PointKind::Spawn(instance));
        let constant = self.d.as_constant(block.bits);
        self.learned.threads.insert(number, constant);
        match self.blocks.iter_mut().find(|(known, _)| *known == number) {
            Some((_, known)) => *known = block.bits,
            None => self.blocks.push((number, block.bits)),
        }
        let state = State {
            guard: Guard::of(exists),
            memory: path.state.memory.clone(),
            section: None,
            counters: Counters { heap: Some(0), stack: Some(0), children: Some(0) },
            thread_locals: Vec::new(),
            stack: Vec::new(),
        };
        let function = FunctionId(function);
        self.queue.push_back(Spawned { instance, function, argument: block, state });
        self.give_number(path, into, number as u64);
        Ok(Flow::Next)
    }

    /// The thread has ended on this path.
    pub fn thread_ends(&mut self, state: &mut State) -> Run<()> {
        let mut path = Path::of(state.clone());
        let own = self.out.threads[self.thread.0 as usize].number;
        if path.state.section.is_none() {
            let node = Some(self.new_node());
            let overlay = FxHashMap::default();
            path.state.section =
                Some(Section { node, kernel: true, probe: false, seen_before: (0, 0), depth: 0, overlay });
        }
        let guard = path.state.guard.term();
        self.out.threads[self.thread.0 as usize].finished.push(guard);
        let one = self.byte(1);
        self.write_range(&mut path, None, Term::TRUE, status(own, FINISHED), one);
        let locals = path.state.thread_locals.iter().map(|(_, id)| *id);
        for id in path.state.stack.clone().into_iter().chain(locals.collect::<Vec<_>>()) {
            self.object_ends(&mut path, id);
        }
        self.section_ends(&mut path);
        Ok(())
    }

    fn lock_of(&mut self, path: &mut Path, pointer: Term) -> Option<(ObjectId, u32)> {
        let places = self.places(path, pointer, 1, false);
        match places.as_slice() {
            [place] => Some((place.object, place.offset)),
            _ => None,
        }
    }

    /// Locks are counted where someone queries it.
    fn event(&mut self, arguments: &[Operand], path: &mut Path) -> Run<Flow> {
        let number = self.constant_argument(path, arguments[0]);
        let pointer = self.number(path, arguments[1]);
        if !matches!(number, Some(1..=3)) || self.learned.holds.is_empty() {
            return Ok(Flow::Next);
        }
        let places = self.places(path, pointer, 1, false);
        for place in places {
            let lock = (place.object, place.offset);
            if !self.learned.holds.contains(&lock) {
                continue;
            }
            let cell = self.holds(lock, self.thread);
            let Some(old) = self.read_range(path, None, place.condition, cell) else { return Ok(Flow::Dead) };
            let new = self.d.with(|t| {
                let one = t.constant(8, 1u64);
                if number == Some(3) { t.sub(old.bits, one) } else { t.add(old.bits, one) }
            });
            if number == Some(3) {
                // Another thread's hold ends: not followed.
                let none = self.d.with(|t| t.is_zero(old.bits));
                let foreign = self.d.and(none, place.condition);
                let here = self.under(path, foreign);
                self.limit(here, false, "a lock is released by another thread than its holder");
                let fine = self.d.not(foreign);
                self.assume(path, fine, Because::Other);
            }
            self.write_range(path, None, place.condition, cell, Chunk { bits: new, ..old });
        }
        Ok(Flow::Next)
    }

    fn model_fault(&mut self, arguments: &[Operand], path: &mut Path) -> Run<Flow> {
        let guard = path.state.guard.term();
        match self.constant_argument(path, arguments[0]) {
            Some(1) => {
                if path.state.section.as_ref().is_none_or(|s| !s.kernel) {
                    let node = match &path.state.section {
                        Some(section) => section.node,
                        None => Some(self.new_node()),
                    };
                    self.script(guard, Step::Operation(node));
                }
                self.fault(FaultClass::Assertion, guard);
                Ok(Flow::Dead)
            }
            Some(3) => {
                self.fault(FaultClass::Memory, guard);
                Ok(Flow::Dead)
            }
            Some(4) => {
                self.fault(FaultClass::Arithmetic, guard);
                Ok(Flow::Next)
            }
            _ => {
                self.fault(FaultClass::Locks, guard);
                Ok(Flow::Next)
            }
        }
    }

    fn allocate(
        &mut self,
        op: KernelOp,
        into: Option<Register>,
        arguments: &[Operand],
        path: &mut Path,
    ) -> Run<Flow> {
        let size = self.number(path, arguments[0]);
        let Some(size) = self.d.as_constant(size) else {
            return self.dead(path, "an allocation of variable size");
        };
        if size > MAX_OBJECT {
            let reason =
                format!("an allocation of {size} bytes (objects of up to {MAX_OBJECT} bytes are supported)");
            self.limit(path.state.guard.term(), true, reason);
            return Ok(Flow::Dead);
        }
        if self.machine.settings.reuse_addresses {
            return self.dead(path, "the reuse of addresses");
        }
        if op == KernelOp::AllocAligned && self.constant_argument(path, arguments[1]).is_none_or(|a| a > 16) {
            return self.dead(path, "an allocation with a large alignment");
        }
        let kind = *arguments.last().expect("the kind comes last");
        let kind = self.constant_argument(path, kind);
        let count = path.state.counters.heap;
        let id = self.object_name(true, count);
        path.state.counters.heap = count.map(|n| n + 1);
        let initial = if kind == Some(0) { Initial::Indeterminate } else { Initial::Zero };
        self.new_object(id, ObjectInfo { size: size as u32, constant: false, heap: true, initial });
        self.give_number(path, into, id.base());
        Ok(Flow::Next)
    }

    fn free(&mut self, operand: Operand, path: &mut Path) -> Run<Flow> {
        let point = self.scheduling_point(path);
        let pointer = self.number(path, operand);
        let Some(names) = self.candidates.names(&self.d, pointer) else {
            return self.dead(path, "a pointer that was computed from a number is freed");
        };
        let null = self.d.with(|t| t.is_zero(pointer));
        let mut places = Vec::new();
        for name in names.iter() {
            let object = ObjectId(*name);
            if self.objects.get(&object).is_some_and(|info| info.heap) {
                let base = self.d.constant(64, object.base());
                let condition = self.d.equal(pointer, base);
                if condition != Term::FALSE {
                    places.push(Place { condition, object, offset: 0 });
                }
            }
        }
        let known = self.d.with(|t| t.any(places.iter().map(|place| place.condition).chain([null])));
        self.memory_fault_unless(path, known);
        let ranges: Vec<Range> = places.iter().map(|place| Range::life(place.object)).collect();
        // A write of the whole object.
        let mut whole = ranges.clone();
        for place in places.iter().filter(|_| self.races) {
            let length = self.objects.get(&place.object).map_or(0, |info| info.size);
            if length > 0 {
                whole.push(Range { object: place.object, offset: 0, length });
            }
        }
        for range in whole.iter().filter(|range| range.offset != LIFE).copied().collect::<Vec<_>>() {
            self.note(range, true);
        }
        let node = self.access_node(path, &whole, point);
        self.check_life(path, node, &places);
        for place in places.iter().filter(|_| path.state.section.is_none()) {
            let length = self.objects.get(&place.object).map_or(0, |info| info.size);
            self.race_accesses(path, node, &[*place], length, true, MemoryOrder::NotAtomic);
        }
        for place in places {
            self.set_life(path, node, place.condition, place.object, false);
        }
        Ok(Flow::Next)
    }

    /// A string that no one can change.
    pub fn text(&self, pointer: Term) -> Option<String> {
        let pointer = self.d.as_constant(pointer)?;
        let info = self.objects.get(&pointer::object(pointer)).filter(|info| info.constant)?;
        let Initial::Of(content) = &info.initial else { return None };
        let bytes = content.bytes().get(usize::try_from(pointer::offset(pointer)).ok()?..)?;
        let end = bytes.iter().position(|byte| *byte == 0)?;
        Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }

    /// The arguments that a `va_list` begins with, if no one has taken any.
    fn listed_arguments(&mut self, path: &mut Path, list: Operand) -> Option<Vec<(Value, Width)>> {
        let list = self.number(path, list);
        let word = self.program.data_model.pointer_bytes();
        let at = self.d.constant(64, if word == 8 { 8 } else { 0 });
        let there = crate::pointers::moved(&self.d, list, at);
        let places = self.places(path, there, word, false);
        let chunk = self.read_places(path, None, &places, word)?;
        let first = self.d.as_constant(chunk.bits)?;
        let known = self.argument_lists.get(&pointer::object(first))?;
        (pointer::offset(first) == 0).then(|| known.clone())
    }

    /// Output changes nothing; its result is any number. Arguments must be determinate, strings constant.
    fn print(
        &mut self,
        op: KernelOp,
        into: Option<Register>,
        arguments: &[Operand],
        path: &mut Path,
    ) -> Run<Flow> {
        if op == KernelOp::Output {
            let bytes = self.number(path, arguments[1]);
            let Some(size) = self.constant_argument(path, arguments[2]) else {
                return self.dead(path, "output of variable length");
            };
            if self.text(bytes).is_none_or(|text| (text.len() as u64) < size) {
                return self.dead(path, "output of bytes that are not constant");
            }
            return Ok(Flow::Next);
        }
        if op == KernelOp::Format {
            return self.dead(path, "formatted output into a buffer");
        }
        let format = self.number(path, arguments[1]);
        let Some(given) = self.listed_arguments(path, arguments[2]) else {
            return self.dead(path, "output of a list of arguments");
        };
        let Some(conversions) = self.text(format).and_then(|text| conversions(&text)) else {
            return self.dead(path, "output in a format that is not followed");
        };
        if conversions.len() != given.len() {
            return self.dead(path, "output of a list of arguments");
        }
        for (conversion, (value, width)) in conversions.iter().zip(given) {
            let bits = 8 * width.bytes(self.program.data_model).min(8) as u8;
            let known = raddle_semantics::is_determinate(&self.d, bits, &value);
            if !self.machine.settings.memory_safety && known != Term::TRUE {
                return self.dead(path, "output of an indeterminate value");
            }
            self.memory_fault_unless(path, known);
            if *conversion == 's' && self.text(value.bits).is_none() {
                return self.dead(path, "output of a string that is not constant");
            }
        }
        self.approximate = true;
        let count = self.d.with(|t| {
            let count = t.variable(16);
            t.resize(count, 64)
        });
        self.give(path, into, count);
        Ok(Flow::Next)
    }
}

/// Operations that change nothing.
fn is_query(op: KernelOp) -> bool {
    use KernelOp::*;
    matches!(
        op,
        SelfThread | Tcb | Finished | Holds | Held | ObjectSize | IsDeterminate | Setting | HasEvent | Fixed
    )
}

/// The conversions of a format that take one argument each; `None`: others are among them.
fn conversions(format: &str) -> Option<Vec<char>> {
    let mut out = Vec::new();
    let mut characters = format.chars().peekable();
    while let Some(c) = characters.next() {
        if c != '%' {
            continue;
        }
        while characters.peek().is_some_and(|c| "-+ #0123456789.hlzjt".contains(*c)) {
            characters.next();
        }
        match characters.next()? {
            '%' => {}
            c @ ('d' | 'i' | 'u' | 'x' | 'X' | 'o' | 'c' | 'p' | 's' | 'f' | 'g' | 'e') => out.push(c),
            _ => return None,
        }
    }
    Some(out)
}
