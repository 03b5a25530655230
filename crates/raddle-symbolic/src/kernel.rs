//! Kernel operations on terms. What the machine does at once is done under guards here; what the order of threads decides
//! (who has ended, who holds a lock) lies in cells of its own, which are read and written as memory is.
//!
//! Deviations: a block is the assumption that the thread does not come there, with a variable that lets it stop before the
//! section; a pause returns; blocking inside the user's atomic section, changing the size of a heap object and comparing
//! bytes are limits of this engine.

mod heap;
mod locks;
mod printing;
mod threads;

use raddle_ir::{FunctionId, Inst, KernelOp, MemoryOrder, Operand, Register};
use raddle_machine::{ObjectId, mask};
use raddle_solver::Term;
use rustc_hash::FxHashMap;

use crate::access::Place;
use crate::contents::Chunk;
use crate::domain::Value;
use crate::executor::{Executor, Path, Run};
use crate::instructions::Flow;
use crate::state::{Because, Section};
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
        self.write_overlays(&section, path.state.guard.term());
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
        if !only_observes(op) {
            self.effect(path, Term::TRUE);
        }
        match op {
            KernelOp::Begin => {
                if let Some(section) = &mut path.state.section {
                    section.kernel = true;
                    let node = section.node;
                    self.operation(path, node);
                    return Ok(Flow::Next);
                }
                self.begin_pausing(path);
                let stoppable = self.may_block(self.here().function);
                let runs = stoppable.then(|| self.d.with(|t| t.variable(1)));
                if let Some(runs) = runs {
                    // The thread may stop here: what would follow is blocked, or the run is over.
                    self.begin_probe(path, runs);
                    self.assume(path, runs, Because::Other);
                }
                let node = Some(self.new_node(path.state.guard.term()));
                self.out.stops.extend(node.zip(runs));
                self.operation(path, node);
                let overlay = FxHashMap::default();
                path.state.section = Some(Section {
                    node,
                    kernel: true,
                    probe: false,
                    stoppable,
                    seen_before: (0, 0, 0),
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
                self.out.pauses.extend(path.state.section_node());
                if path.state.section.as_ref().is_none_or(|section| section.depth > 0) {
                    return self.blocks_here(path);
                }
                if how != Some(2) && !self.machine.settings.spurious_wakeups {
                    return self.blocks_here(path);
                }
            }
            KernelOp::Spawn => return self.spawn(into, arguments, path),
            KernelOp::SelfThread => {
                let name = self.out.threads[self.thread.0 as usize].name;
                let name = self.d.with(|t| t.zero_extend(name, 64));
                self.give(path, into, name);
            }
            KernelOp::Tcb => return self.control_block(into, arguments[0], path),
            KernelOp::Finished => {
                let number = self.number(path, arguments[0]);
                let mut result = self.d.constant(64, 0);
                for (known, _) in self.blocks.clone() {
                    let Some(is_it) = self.names_created(path, number, known) else { return Ok(Flow::Dead) };
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
                self.number(path, arguments[0]);
                self.number(path, arguments[1]);
                match path.state.section.as_ref().is_some_and(|s| s.depth > 0) {
                    // No thread continues: what the section wrote is read by none.
                    true => self.section_ends_run(path, Term::TRUE),
                    false => self.section_ends(path),
                }
                return Ok(Flow::Dead);
            }
            KernelOp::Yield | KernelOp::Progress => {
                self.out.yields.push(self.position());
                if path.state.section.as_ref().is_none_or(|s| !s.kernel) {
                    self.operation(path, path.state.section_node());
                }
            }
            KernelOp::AtomicBegin => match &mut path.state.section {
                Some(section) => section.depth += 1,
                None => {
                    // An assumption that fails in it ends the run: then the thread stops before it.
                    let runs = self.d.with(|t| t.variable(1));
                    self.assume(path, runs, Because::Other);
                    let new = self.new_node(path.state.guard.term());
                    self.out.stops.push((new, runs));
                    let node = Some(new);
                    self.operation(path, node);
                    let overlay = FxHashMap::default();
                    let seen_before = (self.faults_seen, self.points_seen(), self.out.threads.len());
                    path.state.section = Some(Section {
                        node,
                        kernel: false,
                        probe: false,
                        stoppable: true,
                        seen_before,
                        depth: 1,
                        overlay,
                    });
                    self.point(path, new, Term::TRUE, PointKind::Acquire(SECTIONS));
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
                        // In pieces: one that is contended does not make the others so.
                        for at in (0..size as u32).step_by(4) {
                            let length = (size as u32 - at).min(4);
                            self.note(Range { object, offset: offset + at, length }, writes);
                        }
                    }
                    let order = match writes {
                        true => MemoryOrder::NotAtomic,
                        false => MemoryOrder::Relaxed,
                    };
                    let node = path.state.section_node();
                    self.race_accesses(path, node, &places, size as u32, writes, order);
                } else if op == KernelOp::Atomic && self.races && !self.probing {
                    self.atomic_marker(pointer, size as u32, arguments, path);
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
                let Some(locks) = self.locks_at(path, pointer) else {
                    return self.dead(path, "the holders of one of many locks are queried");
                };
                let alone = self.is_alone();
                let threads: Vec<ThreadInstance> = match op {
                    KernelOp::Holds => vec![self.thread],
                    _ if alone => vec![self.thread],
                    _ => (0..=self.learned.threads.len() as u32).map(ThreadInstance).collect(),
                };
                let mut sum = self.d.constant(64, 0);
                for Place { condition, object, offset } in locks {
                    for thread in &threads {
                        let cell = self.holds((object, offset), *thread);
                        let Some(cell) = self.read_range(path, None, condition, cell) else {
                            return Ok(Flow::Dead);
                        };
                        sum = self.d.with(|t| {
                            let count = t.resize(cell.bits, 64);
                            let none = t.constant(64, 0u64);
                            let count = t.ite(condition, count, none);
                            t.add(sum, count)
                        });
                    }
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
                    self.section_ends_run(path, fails);
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
                        let range = Range { object, offset, length };
                        if self.is_determinate(range) {
                            continue;
                        }
                        let Some(chunk) = self.read_range(path, None, place.condition, range) else {
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
                    Some(4) => settings.clock_stands,
                    _ => false,
                };
                self.give_number(path, into, value as u64);
            }
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
                        None => Some(self.new_node(guard)),
                    };
                    self.operation(path, node);
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
}

/// Operations that no other thread notices: those a loop that only waits may have.
fn only_observes(op: KernelOp) -> bool {
    use KernelOp::*;
    let of_rounds = matches!(
        op,
        Begin | End | Yield | AtomicBegin | AtomicEnd | Spurious | Choose | Any | Assume | Block
    );
    of_rounds || is_query(op)
}

/// Operations that change nothing.
fn is_query(op: KernelOp) -> bool {
    use KernelOp::*;
    matches!(
        op,
        SelfThread | Tcb | Finished | Holds | Held | ObjectSize | IsDeterminate | Setting | HasEvent | Fixed
    )
}
