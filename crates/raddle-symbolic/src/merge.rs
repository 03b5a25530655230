//! Merging of paths that meet: registers, memory, counters and sections become cases of the two. Bytes that a section has
//! only read on one path are forgotten and read again; bytes that it wrote on one path are read on the other.

use std::rc::Rc;

use raddle_machine::ObjectId;
use raddle_solver::Term;
use rustc_hash::FxHashMap;

use crate::contents::Contents;
use crate::domain::Value;
use crate::executor::{Executor, Path, Returned, Run};
use crate::overlay::{Overlay, SectionPath};
use crate::state::{Counters, Guard, Section, State, merge_contents, merge_values};
use crate::unrolling::Range;

impl Executor<'_> {
    pub fn merge_returned(&mut self, a: (State, Vec<Value>), b: (State, Vec<Value>)) -> Run<Returned> {
        let (_, mine) = a.0.guard.merge(&self.d, &b.0.guard);
        let values = a.1.iter().zip(&b.1).map(|(x, y)| merge_values(&self.d, mine, *x, *y)).collect();
        Ok(self.merge_states(a.0, b.0)?.map(|state| (state, values)))
    }

    pub fn merge(&mut self, a: Path, b: Path) -> Run<Option<Path>> {
        let (_, mine) = a.state.guard.merge(&self.d, &b.state.guard);
        let pairs = a.registers.iter().zip(&b.registers);
        let registers = pairs.map(|(x, y)| merge_values(&self.d, mine, *x, *y)).collect();
        let mut objects = a.objects;
        objects.extend(b.objects.iter().filter(|o| !objects.contains(o)).copied().collect::<Vec<_>>());
        let entered = a.entered.iter().zip(&b.entered).map(|(x, y)| x.meet(y)).collect();
        let probed_from = a.probed_from;
        let state = self.merge_states(a.state, b.state)?;
        Ok(state.map(|state| Path { state, registers, objects, entered, probed_from }))
    }

    /// The state of two paths that meet. A wide pointer that cannot be merged with other bytes ends both.
    pub fn merge_states(&mut self, a: State, b: State) -> Run<Option<State>> {
        self.check_limits(0)?;
        let (guard, mine) = a.guard.merge(&self.d, &b.guard);
        let same = |x: Option<u32>, y: Option<u32>| if x == y { x } else { None };
        let counters = Counters {
            heap: same(a.counters.heap, b.counters.heap),
            stack: same(a.counters.stack, b.counters.stack),
            children: self.d.ite(mine, a.counters.children, b.counters.children),
        };
        let mut thread_locals = a.thread_locals.clone();
        for pair in &b.thread_locals {
            if !thread_locals.contains(pair) {
                thread_locals.push(*pair);
            }
        }
        let mut stack = a.stack.clone();
        stack.extend(b.stack.iter().filter(|id| !a.stack.contains(id)));
        let mut memory = a.memory.clone();
        let mut whole = true;
        let none = Rc::new(Contents::default());
        let mut objects: Vec<ObjectId> = a.memory.keys().chain(b.memory.keys()).copied().collect();
        objects.sort_unstable();
        objects.dedup();
        for object in objects {
            let x = a.memory.get(&object).unwrap_or(&none);
            let y = b.memory.get(&object).unwrap_or(&none);
            if Rc::ptr_eq(x, y) || x == y {
                continue;
            }
            let merged = merge_contents(&self.d, mine, x, y, |_, offset, length| {
                self.initial(Range { object, offset, length })
            });
            match merged {
                Some(contents) => {
                    memory.insert(object, Rc::new(contents));
                }
                None => whole = false,
            }
        }
        let section = match (a.section, b.section) {
            (Some(x), Some(y)) => self.merge_sections(mine, (&a.guard, x), (&b.guard, y), &mut whole)?,
            (None, None) => None,
            _ => {
                self.limit(guard.term(), false, "paths inside and outside an atomic section meet");
                return Ok(None);
            }
        };
        if !whole {
            self.limit(guard.term(), false, "a pointer of four bytes is also used as bytes");
            return Ok(None);
        }
        let common = a.effects.iter().zip(b.effects.iter()).take_while(|(x, y)| x == y).count();
        let mut effects = a.effects;
        if b.effects.len() > common {
            Rc::make_mut(&mut effects).extend(&b.effects[common..]);
        }
        let last_step = a.last_step.merge(&self.d, mine, &b.last_step);
        let rounds = a.rounds.meet(&b.rounds);
        Ok(Some(State { guard, memory, section, counters, thread_locals, stack, effects, last_step, rounds }))
    }

    fn merge_sections(
        &mut self,
        mine: Term,
        (guard_a, a): (&Guard, Section),
        (guard_b, b): (&Guard, Section),
        whole: &mut bool,
    ) -> Run<Option<Section>> {
        if a.node != b.node || a.depth != b.depth || a.kernel != b.kernel {
            // Another section was begun on one of the paths: no path does that between a fork and a join of models.
            let either = self.d.or(guard_a.term(), guard_b.term());
            self.limit(either, false, "paths inside different atomic sections meet");
            return Ok(Some(a));
        }
        let mut overlay = FxHashMap::default();
        let mut objects: Vec<ObjectId> = a.overlay.keys().chain(b.overlay.keys()).copied().collect();
        objects.sort_unstable();
        objects.dedup();
        for object in objects {
            let mut x = a.overlay.get(&object).cloned().unwrap_or_default();
            let mut y = b.overlay.get(&object).cloned().unwrap_or_default();
            if Rc::ptr_eq(&x, &y) {
                overlay.insert(object, x);
                continue;
            }
            let node = a.node.expect("a section has a node");
            let (here, there) = (SectionPath { guard: guard_a, node }, SectionPath { guard: guard_b, node });
            *whole &= self.prepare_to_merge(object, (here, &mut x), (there, &mut y));
            // Bytes that were only read on one path are read again when they are needed.
            let is_dirty = |at: u32, length: u32| x.is_dirty(at, length) || y.is_dirty(at, length);
            let keep = |o: &Overlay, other: &Overlay| {
                let mut contents = Contents::default();
                for (offset, chunk) in o.contents.iter() {
                    if is_dirty(offset, chunk.length)
                        || other.contents.missing(offset, chunk.length).is_empty()
                    {
                        let _ = contents.store(&self.d, offset, *chunk);
                    }
                }
                contents
            };
            let (mut left, mut right) = (keep(&x, &y), keep(&y, &x));
            for (contents, other, guard) in [(&mut left, &y, guard_a), (&mut right, &x, guard_b)] {
                for (offset, chunk) in other.contents.iter().map(|(o, c)| (o, *c)).collect::<Vec<_>>() {
                    if !is_dirty(offset, chunk.length) {
                        continue;
                    }
                    for (offset, length) in contents.missing(offset, chunk.length) {
                        let range = Range { object, offset, length };
                        let read = self.read_event(node, guard.term(), range);
                        let _ = contents.store(&self.d, offset, read);
                    }
                }
            }
            let missing = |_, _, _| None;
            match merge_contents(&self.d, mine, &left, &right, missing) {
                Some(contents) => {
                    overlay.insert(object, Rc::new(Overlay::merged(&x, &y, contents)));
                }
                None => *whole = false,
            }
        }
        Ok(Some(Section { overlay, ..a }))
    }
}
