//! Shared bytes as an atomic section sees them: what it has read, and what it will have written when it ends.
//!
//! An access by a pointer that has several cases touches several places, each under its condition. A section does not read
//! or write a place where the condition does not hold: a mutex in an array is accessed by the sections that lock it, not by
//! those that lock one of its neighbours. So a write under a condition is kept as such until the section ends, and a read
//! has the guard of what needs it, which grows if more does.
//!
//! *Invariants.* Conditional stores overlap neither each other nor ranges that are written in any case. Wherever a value of
//! the overlay is used under a condition, the reads that it is made of are executed: a use under a condition extends their guards
//! by that. A store that cannot be kept apart (another size, a merge with a path on which it is not there) becomes one in
//! any case, which writes what was there where its condition does not hold, and needs the reads on the whole path.
//!
//! The guard of a read can so depend on what the same section reads after it. That is no cycle: where the earlier guard
//! did not hold, nothing depended on what was read. The reachability tree, which executes the accesses of a node one after
//! the other, has none of this: there every access of a section is one on the whole path.

use std::rc::Rc;

use raddle_machine::ObjectId;
use raddle_solver::Term;
use rustc_hash::FxHashSet;

use crate::contents::{Chunk, Contents, PointerCut};
use crate::domain::TermDomain;
use crate::executor::{Executor, Path};
use crate::state::{Guard, Section};
use crate::unrolling::{Node, Range};

/// What a section knows of an object.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// What was read, and what is written in any case.
    pub contents: Contents,
    /// Ranges of the contents that are written, by offset.
    pub dirty: Vec<(u32, u32)>,
    reads: Vec<SectionRead>,
    stores: Vec<ConditionalStore>,
}

/// A read of bytes of the contents, and where it is executed.
#[derive(Clone, PartialEq, Debug)]
struct SectionRead {
    offset: u32,
    length: u32,
    event: usize,
    /// Guards of the path with conditions.
    needed: Vec<(Term, Term)>,
}

/// What is written under a condition, given the guard of the path.
#[derive(Clone, Copy, PartialEq, Debug)]
struct ConditionalStore {
    offset: u32,
    when: Term,
    chunk: Chunk,
}

fn overlap((at, length): (u32, u32), (other, n): (u32, u32)) -> bool {
    other < at + length && at < other + n
}

impl ConditionalStore {
    fn range(&self) -> (u32, u32) {
        (self.offset, self.chunk.length)
    }
}

impl Overlay {
    pub fn is_dirty(&self, offset: u32, length: u32) -> bool {
        self.dirty.iter().any(|range| overlap(*range, (offset, length)))
    }

    /// The overlay of two paths that have met, with these contents.
    pub fn merged(mine: &Overlay, others: &Overlay, contents: Contents) -> Overlay {
        let mut dirty: Vec<(u32, u32)> = mine.dirty.iter().chain(&others.dirty).copied().collect();
        dirty.sort_unstable();
        dirty.dedup();
        let mut reads = mine.reads.clone();
        reads.extend(others.reads.iter().filter(|read| !mine.reads.contains(read)).cloned());
        Overlay { contents, dirty, reads, stores: mine.stores.clone() }
    }

    fn store_at(&self, offset: u32, length: u32) -> Option<usize> {
        self.stores.iter().position(|store| store.range() == (offset, length))
    }
}

/// What the guard that was asked for last implies: its conjuncts, and the guard as it was after each of them.
#[derive(Default)]
pub struct ImpliedGuards {
    guard: Option<Term>,
    implied: FxHashSet<Term>,
}

impl ImpliedGuards {
    /// Whether it implies one of the guards that are listed with a condition of interest.
    fn any(
        &mut self,
        d: &TermDomain,
        guard: &Guard,
        listed: &[(Term, Term)],
        of_interest: impl Fn(Term) -> bool,
    ) -> bool {
        if !listed.iter().any(|(_, condition)| of_interest(*condition)) {
            return false;
        }
        if self.guard != Some(guard.term()) {
            self.guard = Some(guard.term());
            self.implied = guard.implied(d);
        }
        listed.iter().any(|(guard, condition)| of_interest(*condition) && self.implied.contains(guard))
    }
}

/// The path of a section: its guard, and the node.
#[derive(Clone, Copy)]
pub(crate) struct SectionPath<'p> {
    pub guard: &'p Guard,
    pub node: Node,
}

impl Executor<'_> {
    /// Bytes that a section of the path reads under a condition.
    pub(crate) fn read_in_section(
        &mut self,
        path: &mut Path,
        node: Node,
        condition: Term,
        range: Range,
    ) -> Result<Chunk, PointerCut> {
        let Range { object, offset, length } = range;
        let condition = if self.by_order { condition } else { Term::TRUE };
        let guard = path.state.guard.clone();
        let here = SectionPath { guard: &guard, node };
        let section = path.state.section.as_mut().expect("the path is in a section");
        let mut overlay = section.overlay.remove(&object).unwrap_or_default();
        let known = Rc::make_mut(&mut overlay);
        let loaded = match known.store_at(offset, length) {
            Some(index) => {
                let store = known.stores[index];
                let otherwise = self.d.and(condition, self.d.not(store.when));
                match otherwise {
                    Term::FALSE => Ok(store.chunk),
                    _ => self
                        .read_contents(known, here, otherwise, range)
                        .and_then(|old| self.either(store.when, store.chunk, old)),
                }
            }
            None => self
                .settle(known, here, object, |store| overlap(store, (offset, length)))
                .and_then(|()| self.read_contents(known, here, condition, range)),
        };
        path.state.section.as_mut().expect("checked above").overlay.insert(object, overlay);
        loaded
    }

    /// Bytes that a section of the path writes under a condition.
    pub(crate) fn write_in_section(
        &mut self,
        path: &mut Path,
        node: Node,
        condition: Term,
        range: Range,
        chunk: Chunk,
    ) -> Result<(), PointerCut> {
        let guard = path.state.guard.clone();
        let here = SectionPath { guard: &guard, node };
        let section = path.state.section.as_mut().expect("the path is in a section");
        let mut overlay = section.overlay.remove(&range.object).unwrap_or_default();
        let known = Rc::make_mut(&mut overlay);
        let stored = self.write_overlay(known, here, condition, range, chunk);
        path.state.section.as_mut().expect("checked above").overlay.insert(range.object, overlay);
        stored
    }

    fn write_overlay(
        &mut self,
        overlay: &mut Overlay,
        here: SectionPath,
        condition: Term,
        range: Range,
        chunk: Chunk,
    ) -> Result<(), PointerCut> {
        let Range { object, offset, length } = range;
        let own = overlay.store_at(offset, length);
        if let (Some(index), true) = (own, condition != Term::TRUE) {
            let store = overlay.stores[index];
            let chunk = self.either(condition, chunk, store.chunk)?;
            let when = self.d.or(store.when, condition);
            overlay.stores[index] = ConditionalStore { when, chunk, ..store };
            return Ok(());
        }
        if let Some(index) = own {
            overlay.stores.remove(index);
        }
        self.settle(overlay, here, object, |store| overlap(store, (offset, length)))?;
        if condition != Term::TRUE && self.by_order && !overlay.is_dirty(offset, length) {
            overlay.stores.push(ConditionalStore { offset, when: condition, chunk });
            return Ok(());
        }
        let chunk = match condition {
            Term::TRUE => chunk,
            _ => {
                let old = self.read_contents(overlay, here, Term::TRUE, range)?;
                self.either(condition, chunk, old)?
            }
        };
        overlay.dirty.push((offset, length));
        overlay.contents.store(&self.d, offset, chunk)
    }

    /// Bytes of the contents; what is missing is read, and what was read under other conditions only is read under this one too.
    fn read_contents(
        &mut self,
        overlay: &mut Overlay,
        here: SectionPath,
        condition: Term,
        range: Range,
    ) -> Result<Chunk, PointerCut> {
        let Range { object, offset, length } = range;
        self.need(overlay, here, condition, &[(offset, length)]);
        for (offset, length) in overlay.contents.missing(offset, length) {
            let guard = self.d.and(here.guard.term(), condition);
            let read = self.read_event(here.node, guard, Range { object, offset, length });
            let (event, needed) = (self.out.events.len() - 1, vec![(here.guard.term(), condition)]);
            overlay.contents.store(&self.d, offset, read)?;
            overlay.reads.push(SectionRead { offset, length, event, needed });
        }
        overlay.contents.load(&self.d, offset, length)
    }

    /// What was read of some ranges is used under a condition.
    fn need(&mut self, overlay: &mut Overlay, here: SectionPath, condition: Term, ranges: &[(u32, u32)]) {
        if !self.by_order {
            // Each read is one on the whole path.
            return;
        }
        let guard = here.guard.term();
        for read in &mut overlay.reads {
            let own = (read.offset, read.length);
            if !ranges.iter().any(|range| overlap(own, *range)) {
                continue;
            }
            let when = |when: Term| when == Term::TRUE || when == condition;
            let known = read.needed.iter().any(|(of, condition)| *of == guard && when(*condition));
            if known || self.implied.any(&self.d, here.guard, &read.needed, when) {
                continue;
            }
            read.needed.push((guard, condition));
            let more = self.d.and(guard, condition);
            let event = &mut self.out.events[read.event];
            event.guard = self.d.or(event.guard, more);
        }
    }

    /// Conditional stores to some ranges become stores in any case.
    fn settle(
        &mut self,
        overlay: &mut Overlay,
        here: SectionPath,
        object: ObjectId,
        which: impl Fn((u32, u32)) -> bool,
    ) -> Result<(), PointerCut> {
        let (settled, kept) = overlay.stores.iter().partition(|store| which(store.range()));
        overlay.stores = kept;
        let settled: Vec<ConditionalStore> = settled;
        for ConditionalStore { offset, when, chunk } in settled {
            let range = Range { object, offset, length: chunk.length };
            let old = self.read_contents(overlay, here, Term::TRUE, range)?;
            let chunk = self.either(when, chunk, old)?;
            overlay.dirty.push((offset, chunk.length));
            overlay.contents.store(&self.d, offset, chunk)?;
        }
        Ok(())
    }

    /// A value by cases. A wide pointer that cannot be one with other bytes is cut.
    fn either(&self, condition: Term, new: Chunk, old: Chunk) -> Result<Chunk, PointerCut> {
        let wide = new.wide || old.wide;
        let (new, old) =
            (self.shaped(new, wide).ok_or(PointerCut)?, self.shaped(old, wide).ok_or(PointerCut)?);
        let bits = self.d.ite(condition, new.bits, old.bits);
        let undefined = self.d.ite(condition, new.undefined, old.undefined);
        Ok(Chunk { bits, undefined, ..new })
    }

    /// Before two paths of a section meet: only what both have stored under the same condition stays conditional, and what either
    /// writes is read by the other on its whole path. False: a pointer is cut.
    pub(crate) fn prepare_to_merge(
        &mut self,
        object: ObjectId,
        (here, mine): (SectionPath, &mut Rc<Overlay>),
        (there, others): (SectionPath, &mut Rc<Overlay>),
    ) -> bool {
        if mine.stores != others.stores {
            let both: Vec<ConditionalStore> =
                mine.stores.iter().filter(|store| others.stores.contains(store)).copied().collect();
            let apart = |range: (u32, u32)| !both.iter().any(|store| store.range() == range);
            if self.settle(Rc::make_mut(mine), here, object, apart).is_err()
                || self.settle(Rc::make_mut(others), there, object, apart).is_err()
            {
                return false;
            }
        }
        let dirty: Vec<(u32, u32)> = mine.dirty.iter().chain(&others.dirty).copied().collect();
        for (place, overlay) in [(here, mine), (there, others)] {
            self.need(Rc::make_mut(overlay), place, Term::TRUE, &dirty);
        }
        true
    }

    /// The writes of a section become events.
    pub(crate) fn write_overlays(&mut self, section: &Section, guard: Term) {
        let node = section.node.expect("a section has a node");
        let mut objects: Vec<_> = section.overlay.iter().collect();
        objects.sort_by_key(|(object, _)| **object);
        for (object, overlay) in objects {
            for (offset, chunk) in overlay.contents.iter() {
                if overlay.is_dirty(offset, chunk.length) {
                    let range = Range { object: *object, offset, length: chunk.length };
                    self.write_event(node, guard, range, *chunk);
                }
            }
            for ConditionalStore { offset, when, chunk } in &overlay.stores {
                let range = Range { object: *object, offset: *offset, length: chunk.length };
                let guard = self.d.and(guard, *when);
                if guard != Term::FALSE {
                    self.write_event(node, guard, range, *chunk);
                }
            }
        }
    }
}
