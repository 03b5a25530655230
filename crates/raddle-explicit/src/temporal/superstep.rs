//! Successors of an observed state, for properties of infinite runs: all transitions of every thread, or fewer by
//! partial order reduction.
//!
//! A thread whose local computation never ends diverges: it has an edge from each state to itself, and no fairness
//! obligation, since its steps can be inserted between any others. The end of the process ends the run: its last
//! state has no edges.
//!
//! # Supersteps
//!
//! The idea is that of `reduction/superstep.rs`, with transitions (`temporal/atomic_sections.rs`) in the place of
//! steps. From a state *s* every thread *i* has a superstep: finitely many of its transitions, fixed by *s*, such
//! that
//! 1. a transition of one thread's superstep and one of another's depend on each other only if each is the last of its
//!    own. The disabled operation of a blocked thread counts as a superstep that cannot be taken: a transition that
//!    changes whether a thread is enabled, or has a fairness obligation, is last;
//! 2. a transition that may change the value of a proposition is last;
//! 3. so is one with several outcomes (they are alternatives, each a superstep of one transition), one that creates or
//!    ends a thread, ends the process or the run, gives objects other names, or excludes all others by a section.
//!
//! A superstep is one edge. Such a run of edges is a run of the program: between the ends of a superstep no
//! proposition changes (2), nor does the fairness obligation of another thread (1), so a fairness mark that is
//! decided at the edge's source is correct for the run. Every run that is found is a run of the program.
//!
//! Nothing is lost either, for formulas without `X` (they are stutter-invariant: Lamport 1983) and for termination.
//! Take a run from *s*. Until the first superstep is completed in it, say that of *i*, every thread has executed a
//! part of its own. The others have executed no last transitions, so the superstep of *i* can be moved to the front:
//! *i*'s edge is taken, and the run continues from there, the others' parts first. Propositions change at the last
//! transition of *i* alone, before as after. The argument repeats, round after round.
//! - *No round is missing.* An infinite run has a thread with infinitely many transitions, and it completes its
//!   superstep unless another does so first. So there are infinitely many rounds: a thread that loops alone within
//!   its superstep is cut by the superstep's finite length, and the loop is one of edges.
//! - *What is never moved.* Of a thread with infinitely many transitions, all are moved: the position of its first
//!   superstep's end in the remaining run decreases in each round. Another thread's final transitions may remain for
//!   ever: from some round on they are always a part of a superstep, not the whole. So they change no proposition and
//!   no transition of the rounds depends on them: they are left out.
//! - *Weak fairness.* Let *j* step finitely often, so that in the run it is infinitely often without an obligation,
//!   and suppose that from some round on it has one at every state between rounds, or has transitions that remain.
//!   Let *q* be the position in the remaining run, behind those transitions, where *j* first has no obligation. Up to
//!   the position where a superstep is completed, *j*'s next transition is one of its superstep's, and by (1) stays
//!   enabled; so *q* is not before that position, and after the round it is nearer to the front by the length of the
//!   superstep, or more. That cannot repeat for ever. So at infinitely many states between rounds *j* has no
//!   obligation and no transition remains.
//! - *Ends.* With no fairness obligation pending, every superstep is complete. The end of the process, a failed
//!   assertion and a rest inside a section are last: what the others executed of their supersteps before is left out,
//!   and was invisible.
//! - *Diverging threads.* Their edges are stuttering steps. If the run ends in nothing else, the rounds before it end
//!   in a state with the same such thread, where, with fairness, no thread has an obligation.
//! - *Progress.* The rounds take no transition that is not in the run, so the number of marks of progress does not
//!   increase.
//! - *Assumptions.* A run has no failed one. A superstep ends before it, and before a transition that the machine
//!   cannot execute: the rounds lead to a state where that comes first, and there it is reported.
//!
//! # Ample sets
//!
//! `reduction/ample.rs` takes a thread's step *t* alone where nothing that others may ever do depends on it, and it
//! is invisible. If *t* occurs in the run, it is moved to the front; if it never occurs, it is inserted there: the
//! word is the same, and the same threads have obligations at the same positions, *t*'s own apart. With fairness the
//! latter is possible only if *t*'s thread is excluded by sections again and again, as it is after *t*. In such a
//! round neither *q* nor the position of any other transition increases. Since no cycle consists of steps taken
//! alone, there are infinitely many rounds of the other kind, and the argument above holds. A thread that does not
//! step in the run is put in front finitely often without a step that is not alone, and such steps come from the run:
//! the number of marks of progress increases by finitely many.
//!
//! # When it is off
//!
//! With `X` in the formula; with `--reuse-addresses`, since every allocation may then conflict with every end of an
//! object.

use std::rc::Rc;

use raddle_machine::drive::Move;
use raddle_machine::{Effects, Footprint, Status, Watched};

use crate::reduction::ample::{is_alone, waits_for};
use crate::reduction::pending::{Conflict, LAST};
use crate::search::input_values::Choosing;
use crate::store::transition_cache::Step;
use crate::store::transitions::{Exposed, Space};
use crate::temporal::atomic_sections::{Edge, Gap, Transition, transition};

/// How many transitions an edge has. Ample sets come from the space's futures.
pub struct Supersteps {
    /// Transitions of one edge at most; 1 for every transition.
    pub superstep: u32,
    /// What propositions read.
    pub watched: Watched,
    /// Which answers to a choice are followed.
    pub choices: Choosing,
}

/// The successors of a state, and its fairness obligations.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    pub edges: Vec<Edge>,
    /// Threads with a fairness obligation, by number.
    pub obliged: Vec<u32>,
    /// Threads that diverge.
    pub diverged: Vec<u32>,
    /// No thread has an obligation or diverges: the run may end here.
    pub may_end: bool,
}

/// What is known of a thread at a state.
struct Pending {
    number: u32,
    /// `None`: it has ended, diverges, or is blocked by another thread's section.
    first: Option<Transition>,
    /// The other known transitions of its superstep.
    further: Vec<Transition>,
}

impl Supersteps {
    /// Expands an observed state.
    pub fn expand(
        &self,
        space: &mut Space,
        vector: &[u32],
        gaps: &mut Vec<Gap>,
    ) -> Result<Expansion, Exposed> {
        let mut result = Expansion::default();
        let rest = space.rest(vector);
        let threads: Vec<_> = (0..rest.threads).map(|i| space.thread(vector, i)).collect();
        if rest.ended || threads.iter().any(|t| matches!(t.status, Status::Stopped { .. })) {
            result.may_end = true;
            return Ok(result);
        }
        let owner = if rest.section != 0 { rest.section } else { rest.atomic };
        let mut pendings = Vec::with_capacity(threads.len());
        for (index, thread) in threads.iter().enumerate() {
            let mut pending = Pending { number: thread.number, first: None, further: Vec::new() };
            match thread.status {
                Status::Diverged => result.diverged.push(thread.number),
                Status::Running if owner == 0 || owner == thread.number => {
                    let first = transition(space, vector, index, self.choices, gaps)?;
                    if first.obliged {
                        result.obliged.push(thread.number);
                    }
                    pending.first = Some(first);
                }
                _ => {}
            }
            pendings.push(pending);
        }
        result.may_end = result.obliged.is_empty() && result.diverged.is_empty();
        if owner == 0
            && space.futures.is_some()
            && let Some(edge) = self.alone(space, vector, &pendings)?
        {
            result.edges.push(edge);
            return Ok(result);
        }
        for index in 0..pendings.len() {
            let Some(first) = &mut pendings[index].first else { continue };
            let mut edges = std::mem::take(&mut first.edges);
            if owner == 0 && first.sure && self.superstep > 1 {
                for edge in &mut edges {
                    self.go_on(space, vector, edge, index, &mut pendings)?;
                }
            }
            result.edges.append(&mut edges);
        }
        Ok(result)
    }

    fn is_seen(&self, step: &Footprint) -> bool {
        self.watched.is_written_by(step)
    }

    /// Extends a superstep from its first transition.
    fn go_on(
        &self,
        space: &mut Space,
        vector: &[u32],
        edge: &mut Edge,
        index: usize,
        pendings: &mut [Pending],
    ) -> Result<(), Exposed> {
        let Some(first) = &pendings[index].first else { return Ok(()) };
        // The other supersteps have been compared with the first transition from the beginning.
        if self.is_last(first) || conflict(pendings, index, first.footprint()) != Conflict::None {
            return Ok(());
        }
        let place = space.composer.first_thread_place() + index;
        let mut been = vec![vector[place]];
        for _ in 1..self.superstep {
            // A loop: the thread component repeats. A superstep may end anywhere, and here the loop is an edge of its
            // own.
            let here = edge.vector[place];
            if been.contains(&here) {
                return Ok(());
            }
            been.push(here);
            let thread = space.thread(&edge.vector, index);
            if thread.pending.is_some() || thread.status != Status::Running {
                return Ok(());
            }
            let mut gaps = Vec::new();
            let mut next = transition(space, &edge.vector, index, self.choices, &mut gaps)?;
            // What cannot be executed is reported where the search reaches it.
            if !next.sure || !gaps.is_empty() {
                return Ok(());
            }
            let conflict = conflict(pendings, index, next.footprint());
            if conflict == Conflict::Before {
                return Ok(());
            }
            let taken = next.edges.pop().expect("it is sure");
            edge.vector = taken.vector;
            edge.moves.extend(taken.moves);
            edge.progress |= taken.progress;
            let over = conflict == Conflict::After || self.is_last(&next);
            pendings[index].further.push(next);
            if over {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether a superstep is over with this transition, whatever the others do.
    fn is_last(&self, transition: &Transition) -> bool {
        let footprint = transition.footprint();
        let last = footprint.effects.has(Effects(LAST.0 | Effects::CHOICE.0));
        transition.renames || last || self.is_seen(footprint)
    }

    /// The edge of the first thread whose step can be taken alone, as far as that goes.
    fn alone(
        &self,
        space: &mut Space,
        vector: &[u32],
        pendings: &[Pending],
    ) -> Result<Option<Edge>, Exposed> {
        let can_step = |pending: &&Pending| pending.first.as_ref().is_some_and(|t| !t.edges.is_empty());
        if pendings.iter().filter(can_step).count() < 2 {
            return Ok(None);
        }
        for (index, pending) in pendings.iter().enumerate() {
            let Some(first) = &pending.first else { continue };
            if !self.is_alone(space, vector, first, index, pendings) {
                continue;
            }
            let mut edge = first.edges[0].clone();
            for _ in 1..self.superstep.max(2) {
                let mut gaps = Vec::new();
                let next = transition(space, &edge.vector, index, self.choices, &mut gaps)?;
                if !gaps.is_empty() || !self.is_alone(space, &edge.vector, &next, index, pendings) {
                    break;
                }
                edge.moves.push(Move { thread: pending.number, choice: None });
                edge.progress |= next.edges[0].progress;
                edge.vector.clone_from(&next.edges[0].vector);
            }
            return Ok(Some(edge));
        }
        Ok(None)
    }

    fn is_alone(
        &self,
        space: &mut Space,
        vector: &[u32],
        transition: &Transition,
        index: usize,
        pendings: &[Pending],
    ) -> bool {
        let (true, Some(step)) = (transition.sure, &transition.only) else { return false };
        let waiting = |other: usize| -> Option<&Step> {
            let step: &Rc<Step> = pendings[other].first.as_ref()?.only.as_ref()?;
            waits_for(step, index).then_some(&**step)
        };
        !self.is_seen(&step.footprint)
            && is_alone(space, vector, &transition.edges[0].vector, index, step, waiting)
    }
}

/// The conflict of a transition of a superstep with the supersteps of the other threads, as far as they are known.
fn conflict(pendings: &[Pending], index: usize, own: &Footprint) -> Conflict {
    let mut result = Conflict::None;
    for (k, other) in pendings.iter().enumerate() {
        let Some(first) = other.first.as_ref().filter(|_| k != index) else { continue };
        for (position, theirs) in std::iter::once(first).chain(&other.further).enumerate() {
            if own.depends(pendings[index].number, theirs.footprint(), other.number) {
                result = result.max(Conflict::at(position, 1 + other.further.len()));
            }
        }
    }
    result
}
