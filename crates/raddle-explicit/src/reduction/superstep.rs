//! Supersteps: several steps of one thread as one transition.
//!
//! Zaks and Joshi, *Verifying Multi-threaded C Programs with SPIN* (SPIN 2008), section 4. From a state, each thread
//! *i* runs a sequence of steps, its superstep, such that a step of one superstep and a step of another depend on
//! each other only if each is the last of its own. Why nothing is lost: take any run, and the first thread whose
//! superstep it completes. Until then the other threads have executed only non-last steps of their supersteps. These
//! are independent of the completed superstep, which can therefore be moved to the front; the argument repeats from
//! the state it leads to. Every thread's superstep is explored, so no thread is ignored, and cycles need no proviso.
//! Steps that write what an invariant reads are always last, so the order of such steps is kept.
//!
//! Three things are added to the paper's figures, without which runs are lost. The pending operation of a *blocked*
//! thread is in its table (a step that enables it must end its superstep). Creation of a thread, its end and the
//! process's end are last in a superstep, and so is a step after which objects have other names, since footprints are
//! compared by name; before a thread that has to choose, a superstep ends. A step that opens a kernel section and
//! stops there at a choice is only ever the first of its superstep, and counts with all that the section may touch,
//! whatever the answers: no other thread can step before the section ends, and a run in which the section comes
//! between two steps of another thread would be lost. One point is corrected: figure 7 answers `POST_STOP` for the
//! first table with a conflict; a later table may require `PRE_STOP`, so all tables are checked.

use std::rc::Rc;

use raddle_machine::drive::Move;
use raddle_machine::{Effects, Footprint};

use crate::reduction::pending::{Conflict, Pending, ends};
use crate::search::race_by_state::{bypasses, may_have_raced, race_between};
use crate::search::race_completeness::UnorderedOperation;
use crate::search::successors::{Expander, Finding, Found, Successor};
use crate::store::transition_cache::Step;
use crate::store::transitions::Exposed;

impl Expander<'_> {
    /// Extends a superstep from its first step.
    pub fn run_superstep(
        &mut self,
        vector: &[u32],
        successor: &mut Successor,
        index: usize,
        first: &Rc<Step>,
        pendings: &mut [Pending],
        found: &mut Vec<Found>,
    ) -> Result<(), Exposed> {
        let disturbs =
            |pendings: &[Pending], step: &Footprint| pendings.iter().any(|other| other.is_disturbed(step));
        if pendings[index].single
            || first.renames
            || ends(&first.footprint)
            || disturbs(pendings, &first.footprint)
        {
            return Ok(());
        }
        let number = pendings[index].number;
        // The other supersteps have been compared with the first step from the beginning.
        let watched = self.writes_watched(&first.footprint);
        if watched || self.conflict(pendings, index, first, None, found) != Conflict::None {
            return Ok(());
        }
        let mut last = first.clone();
        let place = self.space.composer.first_thread_place() + index;
        let mut been = vec![vector[place], successor.vector[place]];
        for _ in 1..self.rules.superstep {
            let inside = self.space.rest(&successor.vector).atomic == number;
            let thread = self.space.brief(&successor.vector, index);
            if thread.pending
                || !thread.running
                || !inside && ends(&last.footprint)
                || self.space.rest(&successor.vector).ended
            {
                return Ok(());
            }
            let step = self.space.step(&successor.vector, index, None, false)?;
            if !step.enabled {
                return Ok(());
            }
            // Inside an atomic section the other threads are blocked, so the superstep need not end; but the step may
            // race with their pending accesses.
            let conflict = self.conflict(pendings, index, &step, Some(&successor.moves), found);
            let conflict = if inside { Conflict::None } else { conflict };
            let opens = step.footprint.effects.has(Effects::ATOMIC_BEGIN) || step.opens_section;
            if conflict == Conflict::Before || !inside && opens {
                return Ok(());
            }
            let one = Move { thread: number, choice: None };
            successor.moves.push(one);
            self.report(&step, &successor.moves, found);
            pendings[index].add(step.clone());
            pendings[index].moves.push(one);
            step.apply(&mut successor.vector);
            last = step;
            let seen = !inside && self.writes_watched(&last.footprint);
            if conflict == Conflict::After || seen || last.renames || disturbs(pendings, &last.footprint) {
                return Ok(());
            }
            // A loop: the thread component repeats. A superstep may end anywhere, and the thread alone has been
            // through the loop.
            let here = successor.vector[place];
            if been.contains(&here) {
                return Ok(());
            }
            been.push(here);
        }
        Ok(())
    }

    /// A step that changes what an invariant reads is the last of its superstep. (Invariants are not evaluated inside
    /// an atomic section, and the end of the section ends the superstep.)
    pub fn writes_watched(&self, step: &Footprint) -> bool {
        self.invariants.as_ref().is_some_and(|i| i.watched.is_written_by(step))
    }

    /// The conflict of a step of a superstep with the supersteps of the other threads, as far as they are known.
    /// `moves`: the steps before it, when it is not the first.
    fn conflict(
        &self,
        pendings: &[Pending],
        index: usize,
        step: &Step,
        moves: Option<&[Move]>,
        found: &mut Vec<Found>,
    ) -> Conflict {
        let own = &pendings[index];
        let (outline, step) = (step.outline, &step.footprint);
        let mut result = Conflict::None;
        for (k, other) in pendings.iter().enumerate() {
            if k == index {
                continue;
            }
            if other.opaque {
                result = result.max(Conflict::After);
            }
            if self.rules.races
                && let (Some(before), Some(kept_out)) = (moves, &other.kept_out)
                && let Some(touches) = race_between(step, kept_out)
            {
                let finding = Finding::Race { threads: (own.number, other.number), touches };
                found.push(Found { finding, moves: before.to_vec() });
            }
            if !outline.meets(other.outline) && other.kept_out.is_none() {
                continue;
            }
            let may_bypass = outline.may_bypass(other.outline) || other.kept_out.is_some();
            if self.rules.races && may_bypass && other.footprints().any(|theirs| bypasses(step, theirs)) {
                let finding = Finding::Unordered(UnorderedOperation::LockAccess);
                found.push(Found { finding, moves: Vec::new() });
            }
            if self.rules.races && other.footprints().any(|theirs| may_have_raced(step, theirs)) {
                found.push(Found {
                    finding: Finding::Unordered(UnorderedOperation::CompareExchange),
                    moves: Vec::new(),
                });
            }
            for (position, theirs) in other.table.iter().enumerate() {
                if !outline.meets(theirs.outline)
                    || !step.depends(own.number, &theirs.footprint, other.number)
                {
                    continue;
                }
                if self.rules.races
                    && let (Some(before), Some(touches)) = (moves, race_between(step, &theirs.footprint))
                {
                    let mut path = before.to_vec();
                    path.extend(if other.single { &[][..] } else { &other.moves[..position] });
                    let finding = Finding::Race { threads: (own.number, other.number), touches };
                    found.push(Found { finding, moves: path });
                }
                // Alternatives are all last, and so is a section.
                let one =
                    if other.single { Conflict::After } else { Conflict::at(position, other.table.len()) };
                result = result.max(one);
            }
            let section = other.rest_of_section.iter();
            if section.into_iter().any(|theirs| step.depends(own.number, &theirs.footprint, other.number)) {
                result = result.max(Conflict::After);
            }
        }
        result
    }
}
