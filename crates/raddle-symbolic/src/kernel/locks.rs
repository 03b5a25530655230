//! Sections that block: probes on the last state, who is waited for, the holds of locks, and markers of happens-before.

use raddle_ir::{KernelOp, Operand};
use raddle_machine::ObjectId;
use raddle_machine::pointer;
use raddle_solver::Term;
use rustc_hash::FxHashMap;

use crate::access::Place;
use crate::contents::Chunk;
use crate::executor::{Executor, Path, Run};
use crate::instructions::Flow;
use crate::pointers::{Names, stride};
use crate::state::{Because, Section};
use crate::unrolling::*;

/// Offsets of one object that a marker can have.
const MOST_CELLS: usize = 256;
/// Channels that one marker can have: the rounds of a barrier, say.
const MOST_CHANNELS: usize = 64;

impl Executor<'_> {
    /// The cell of the holds of a lock by a thread.
    pub(crate) fn holds(&mut self, lock: (ObjectId, u32), thread: ThreadInstance) -> Range {
        let next = self.hold_cells.len() as u64;
        let cell = *self.hold_cells.entry(lock).or_insert(next);
        Range { object: ObjectId(0xfff << 25 | 1 << 23 | cell), offset: 4 * thread.0, length: 4 }
    }

    /// An edge of happens-before begins or ends here.
    pub(crate) fn order_marker(&mut self, op: KernelOp, arguments: &[Operand], path: &mut Path) {
        let pointer = self.number(path, arguments[0]);
        let channel = self.number(path, arguments[1]);
        let (names, channels) = (self.names_of(pointer), self.channels(channel));
        let (Some(names), Some(node)) = (names, path.state.section_node()) else {
            self.limit_races(path, "an order by an object that is not known");
            return;
        };
        let Some(channels) = channels else {
            self.limit_races(path, "an order by a channel that is not known");
            return;
        };
        let Some(cells) = self.cells(pointer, &names) else {
            self.limit_races(path, "an order by one of several objects");
            return;
        };
        for Place { condition, object, offset } in cells {
            for (channel, used) in &channels {
                let key = (object, offset, *channel);
                let what = match op {
                    KernelOp::Acquire => PointKind::Acquire(key),
                    _ => PointKind::Release(key),
                };
                let condition = self.d.and(condition, *used);
                self.point(path, node, condition, what);
            }
        }
    }

    /// The channels that a number can be, each with its condition. `None`: too many.
    fn channels(&mut self, number: Term) -> Option<Vec<(i32, Term)>> {
        let low = self.d.with(|t| t.extract(number, 31, 0));
        let values = self.possible.of(&self.d, low).filter(|values| values.len() <= MOST_CHANNELS)?;
        let cases = values.iter().map(|value| {
            let channel = self.d.constant(32, *value);
            (*value as i32, self.d.equal(low, channel))
        });
        Some(cases.collect())
    }

    /// The objects and offsets that a pointer can have, given the names of the objects. `None`: too many offsets.
    fn cells(&mut self, pointer: Term, names: &Names) -> Option<Vec<Place>> {
        if let Some(places) = self.elements(pointer, 1).filter(|places| places.len() <= MOST_CELLS) {
            return Some(places);
        }
        let at = crate::pointers::offset(&self.d, pointer);
        let constant = self.d.as_constant(at);
        let values = if constant.is_none() { self.possible.of(&self.d, pointer) } else { None };
        let mut cells = Vec::new();
        if let Some(values) = values {
            for value in values.iter() {
                let this = self.d.constant(64, *value);
                let condition = self.d.equal(pointer, this);
                let offset = pointer::offset(*value) as u32;
                cells.push(Place { condition, object: ObjectId(*value >> pointer::OFFSET_BITS), offset });
            }
            return Some(cells);
        }
        for name in names.iter() {
            let object = ObjectId(*name);
            let is_it = self.d.with(|t| {
                let upper = t.extract(pointer, 63, pointer::OFFSET_BITS);
                let name = t.constant(64 - pointer::OFFSET_BITS, *name);
                t.eq(upper, name)
            });
            let offsets: Vec<u32> = match constant {
                Some(offset) => vec![offset as u32],
                None => {
                    let size = self.objects.get(&object).map_or(0, |info| info.size);
                    let (step, rest) = stride(&self.d, at);
                    (rest..size).step_by(step as usize).take(MOST_CELLS + 1).collect()
                }
            };
            if offsets.len() > MOST_CELLS {
                return None;
            }
            for offset in offsets {
                let number = self.d.constant(32, offset as u64);
                let there = self.d.equal(at, number);
                cells.push(Place { condition: self.d.and(is_it, there), object, offset });
            }
        }
        Some(cells)
    }

    /// Executes the section that begins here also on the last state, where the thread does not execute it.
    pub(crate) fn begin_probe(&mut self, path: &Path, runs: Term) {
        if !self.probes {
            return;
        }
        let mut probe = path.clone();
        let stops = self.d.not(runs);
        self.assume(&mut probe, stops, Because::Other);
        let (node, overlay) = (self.out.last, FxHashMap::default());
        probe.probed_from = self.frames.len();
        probe.state.section = Some(Section {
            node,
            kernel: true,
            probe: true,
            stoppable: true,
            seen_before: (0, 0, 0),
            depth: 0,
            overlay,
        });
        self.forked = Some(probe);
    }

    /// The section would block in the last state. A time-out is a step that can be taken.
    pub(crate) fn probe_blocks(&mut self, op: KernelOp, arguments: &[Operand], path: &mut Path) -> Run<Flow> {
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
            let unnamed = self.d.with(|t| {
                let low = t.extract(owner, 31, 0);
                t.is_zero(low)
            });
            // A mutex that blocks has an owner: then no holds need to be counted.
            let excluded = path.state.guard.excludes(&self.d, unnamed);
            let unnamed = if excluded { Term::FALSE } else { unnamed };
            let pointer = self.get(path, arguments[1]).bits;
            let locks = match unnamed {
                Term::FALSE => Vec::new(),
                _ => self.locks_at(path, pointer).unwrap_or_else(|| {
                    self.limit(guard, false, "a wait for the holders of one of many locks");
                    Vec::new()
                }),
            };
            let count = self.learned.threads.len() as u32 + 1;
            for index in 0..count {
                let instance = ThreadInstance(index);
                let Some(number) = self.number_of(index) else { continue };
                let named = self.is_number_of(path, owner, number);
                let mut is_owner = named;
                for Place { condition, object, offset } in &locks {
                    let cell = self.holds((*object, *offset), instance);
                    let Some(cell) = self.read_range(path, None, *condition, cell) else { continue };
                    let none = self.d.with(|t| t.is_zero(cell.bits));
                    let holds = self.d.and(*condition, self.d.not(none));
                    let holds = self.d.and(holds, unnamed);
                    is_owner = self.d.or(is_owner, holds);
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
    pub(crate) fn number_of(&self, index: u32) -> Option<u32> {
        match self.out.threads.get(index as usize) {
            Some(thread) => Some(thread.number),
            None => self.knowledge.instances.get(index as usize).copied(),
        }
    }

    /// How many frames there were when the probed section began: it is left when this function returns.
    pub fn probed_from(&self, path: &Path) -> usize {
        path.probed_from
    }

    /// An assumption fails inside the user's section, or the process ends in it, which ends the run: no thread sees what the
    /// section wrote, and the run without the section is covered instead. What it did before may be a violation all
    /// the same: then the section remains possible, and behind it rows are open.
    pub(crate) fn section_ends_run(&mut self, path: &mut Path, when: Term) {
        let here = self.under(path, when);
        if here == Term::FALSE {
            return;
        }
        let before = path.state.section.as_ref().map_or((0, 0, 0), |section| section.seen_before);
        let (faults, points) = (before.0 != self.faults_seen, before.1 != self.points_seen());
        let creates = before.2 != self.out.threads.len();
        if faults || creates {
            let what = if creates { "the creation of a thread" } else { "a possible fault" };
            self.limit(here, false, format!("the end of a run in an atomic section after {what} in it"));
        }
        if points {
            let why = "the end of a run in an atomic section after shared accesses in it";
            self.limit_races_where(here, why);
            if !self.by_order
                && let Some(limit) = self.out.unsupported_for_races.last_mut()
            {
                // The section is excluded, so that it is reached in no interleaving: known from the start.
                limit.guard = Term::TRUE;
                limit.position = Some(Position { thread: ThreadInstance(0), nodes: 0 });
            }
        }
        let remains = faults || creates || points && self.by_order;
        if !remains {
            let not_here = self.d.not(here);
            self.out.constraints.push(not_here);
        }
    }

    pub(crate) fn points_seen(&self) -> usize {
        self.out.threads[self.thread.0 as usize].points.len()
    }

    pub(crate) fn blocks_here(&mut self, path: &mut Path) -> Run<Flow> {
        let guard = path.state.guard.term();
        match &path.state.section {
            Some(section) if section.depth == 0 && section.stoppable => {
                let not_here = self.d.not(guard);
                self.out.constraints.push(not_here);
            }
            _ => {
                self.limit(guard, false, "a thread blocks inside an atomic section, or behind its beginning")
            }
        }
        Ok(Flow::Dead)
    }

    /// The locks that a pointer can be to, whose holds are counted from now on. `None`: too many.
    pub(crate) fn locks_at(&mut self, path: &mut Path, pointer: Term) -> Option<Vec<Place>> {
        let places = self.places(path, pointer, 1, false);
        if places.len() > MOST_CELLS {
            return None;
        }
        let alone = self.is_alone();
        let holds = if alone { &mut self.learned.holds_alone } else { &mut self.learned.holds };
        holds.extend(places.iter().map(|place| (place.object, place.offset)));
        Some(places)
    }

    /// No second thread was created on any path so far.
    pub(crate) fn is_alone(&self) -> bool {
        self.thread.0 == 0 && self.out.threads.len() == 1
    }

    /// A lock is released by a thread that does not hold it, which ends the hold of the thread that does. Which one that
    /// is if there are several depends on the order of creations: not followed. False: the path ends.
    fn release_of_another(&mut self, path: &mut Path, lock: (ObjectId, u32), foreign: Term) -> bool {
        let mut held = Term::FALSE;
        for index in 0..=self.learned.threads.len() as u32 {
            let instance = ThreadInstance(index);
            if instance == self.thread {
                continue;
            }
            let cell = self.holds(lock, instance);
            let Some(old) = self.read_range(path, None, foreign, cell) else { return false };
            let none = self.d.with(|t| t.is_zero(old.bits));
            let holds = self.d.and(foreign, self.d.not(none));
            let second = self.d.and(held, holds);
            if second != Term::FALSE {
                let here = self.under(path, second);
                self.limit(here, false, "a lock of several holders is released by another thread");
                let fine = self.d.not(second);
                self.assume(path, fine, Because::Other);
            }
            held = self.d.or(held, holds);
            let fewer = self.d.with(|t| {
                let one = t.constant(32, 1u64);
                t.sub(old.bits, one)
            });
            self.write_range(path, None, holds, cell, Chunk { bits: fewer, ..old });
        }
        true
    }

    /// Locks are counted where someone queries it.
    pub(crate) fn event(&mut self, arguments: &[Operand], path: &mut Path) -> Run<Flow> {
        let number = self.constant_argument(path, arguments[0]);
        let pointer = self.number(path, arguments[1]);
        let alone = self.is_alone();
        let some_counted = !self.learned.holds.is_empty() || alone && !self.learned.holds_alone.is_empty();
        if !matches!(number, Some(1..=3)) || !some_counted {
            return Ok(Flow::Next);
        }
        let places = self.places(path, pointer, 1, false);
        for place in places {
            let lock = (place.object, place.offset);
            let counted =
                self.learned.holds.contains(&lock) || alone && self.learned.holds_alone.contains(&lock);
            if !counted {
                continue;
            }
            let cell = self.holds(lock, self.thread);
            let Some(old) = self.read_range(path, None, place.condition, cell) else { return Ok(Flow::Dead) };
            let new = self.d.with(|t| {
                let one = t.constant(32, 1u64);
                if number == Some(3) { t.sub(old.bits, one) } else { t.add(old.bits, one) }
            });
            let mut when = place.condition;
            if number == Some(3) {
                let none = self.d.with(|t| t.is_zero(old.bits));
                let foreign = self.d.and(none, place.condition);
                when = self.d.and(when, self.d.not(none));
                if foreign != Term::FALSE && !self.release_of_another(path, lock, foreign) {
                    return Ok(Flow::Dead);
                }
            }
            self.write_range(path, None, when, cell, Chunk { bits: new, ..old });
        }
        Ok(Flow::Next)
    }
}
