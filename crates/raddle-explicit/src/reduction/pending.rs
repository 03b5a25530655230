//! Pending operations of threads, and their dependence.

use std::rc::Rc;

use raddle_machine::drive::Move;
use raddle_machine::{Effects, Footprint, Readiness, WaitKind};

use crate::reduction::ample::waits_for;
use crate::store::transition_cache::{Outline, Step};

/// What is known of a thread at a state.
#[derive(Default)]
pub struct Pending {
    pub number: u32,
    /// Its next steps, one for each answer to a pending choice; empty when it is disabled.
    pub firsts: Vec<(Option<u64>, Rc<Step>)>,
    /// The known steps of its superstep; initially the first steps, for all answers.
    pub table: Vec<Rc<Step>>,
    /// All of the table together.
    pub outline: Outline,
    /// The moves of the steps in the table.
    pub moves: Vec<Move>,
    /// Its steps form no superstep: the table holds alternatives.
    pub single: bool,
    /// Its first step opens a kernel section: the steps up to the end of the section, with every answer to its choices. They
    /// belong to the first step, since no other thread can step before the section ends.
    pub rest_of_section: Vec<Rc<Step>>,
    /// The same where these steps are too many, or their pointers cannot be compared with those of other threads: the first
    /// step depends on every step of another thread.
    pub opaque: bool,
    /// Its pending accesses while another thread's atomic section blocks it.
    pub kept_out: Option<Footprint>,
    pub waits: Waits,
}

/// How a thread that is not enabled counts for deadlock.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Waits {
    #[default]
    No,
    /// It has ended in one way or another.
    Gone,
    Blocked,
    /// Blocked so that it may be part of a local deadlock.
    ForOthers,
}

/// What deadlock detection needs to know of a thread.
pub trait PendingOperation {
    fn waits(&self) -> Waits;
    /// Of its first step.
    fn readiness(&self) -> Option<&Readiness>;
}

impl PendingOperation for Pending {
    fn waits(&self) -> Waits {
        self.waits
    }
    fn readiness(&self) -> Option<&Readiness> {
        self.table.first().map(|step| &step.readiness)
    }
}

impl Pending {
    /// The disabled step of this thread, if it waits for the thread at `index` and no other.
    pub fn waiting_for(&self, index: usize) -> Option<&Step> {
        self.table.first().map(|step| &**step).filter(|step| waits_for(step, index))
    }

    /// The thread that it joins.
    pub fn joins(&self) -> Option<usize> {
        let Readiness::Blocked(blocked) = &self.table.first()?.readiness else { return None };
        match blocked.owners[..] {
            [one] if blocked.kind == WaitKind::Join => Some(one.index()),
            _ => None,
        }
    }

    /// Whether the step may change its pending accesses while an atomic section blocks it.
    pub fn is_disturbed(&self, step: &Footprint) -> bool {
        let mut kept_out = self.kept_out.iter().flat_map(|f| &f.touches);
        kept_out.any(|theirs| step.touches.iter().any(|own| own.conflicts(theirs)))
    }

    pub fn clear(&mut self, number: u32) {
        self.number = number;
        self.firsts.clear();
        self.table.clear();
        self.outline = Outline::default();
        self.moves.clear();
        self.single = false;
        self.rest_of_section.clear();
        self.opaque = false;
        self.kept_out = None;
        self.waits = Waits::No;
    }

    #[inline]
    pub fn add(&mut self, step: Rc<Step>) {
        self.outline.join(step.outline);
        self.table.push(step);
    }

    /// A step of the section that the first step opens: its superstep is that section.
    pub fn add_to_section(&mut self, step: Rc<Step>) {
        self.outline.join(step.outline);
        self.single = true;
        self.rest_of_section.push(step);
    }

    pub fn footprints(&self) -> impl Iterator<Item = &Footprint> {
        self.table.iter().map(|step| &step.footprint).chain(&self.kept_out)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Conflict {
    None,
    /// The superstep ends with the step.
    After,
    /// The superstep ends before it.
    Before,
}

impl Conflict {
    /// Of a step that depends on the step at a position of another superstep, of which so many are known.
    pub fn at(position: usize, known: usize) -> Conflict {
        if position + 1 == known { Conflict::After } else { Conflict::Before }
    }
}

/// Whether a step may enable a blocked thread: the known pending operations of the others are then out of date.
pub fn lets_go(pendings: &[Pending], index: usize, step: &Step) -> bool {
    pendings.iter().enumerate().any(|(other, pending)| {
        other != index
            && matches!(pending.waits, Waits::Blocked | Waits::ForOthers)
            && pending
                .table
                .iter()
                .any(|s| s.footprint.depends(pending.number, &step.footprint, pendings[index].number))
    })
}

/// What ends a superstep, in finite and infinite runs.
pub const LAST: Effects = Effects(
    Effects::SPAWN.0
        | Effects::THREAD_END.0
        | Effects::PROCESS_EXIT.0
        | Effects::ESCAPE.0
        | Effects::ASSUME.0
        | Effects::RUN_END.0,
);

/// Steps after which a superstep is over, whatever the others do.
pub fn ends(step: &Footprint) -> bool {
    step.effects.has(Effects(LAST.0 | Effects::ATOMIC_BEGIN.0 | Effects::ATOMIC_END.0))
}
