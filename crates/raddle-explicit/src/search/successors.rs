//! The successors of a state, and what is wrong in it.
//!
//! Every enabled thread gives a successor, one for each answer if it waits for a choice. With supersteps a transition
//! has several steps of one thread (`reduction/superstep.rs`).

use std::rc::Rc;

use raddle_analysis::Futures;
use raddle_ir::Program;
use raddle_machine::drive::Move;
use raddle_machine::{
    BrokenInvariant, CodePoint, Deadlock, Fault, FaultKind, Readiness, ThreadIndex, Touch, WaitKind,
};

use crate::reduction::lock_pattern::Patterns;
use crate::reduction::pending::{Pending, PendingOperation, Waits};
use crate::reduction::sleep_set::Sleep;
use crate::reduction::symmetry::Renaming;
use crate::search::expressions::Invariants;
use crate::search::fast_path::PlainPending;
use crate::search::input_values::{Answers, Choosing};
use crate::search::race_by_state::judge_races;
use crate::search::race_completeness::UnorderedOperation;
use crate::store::transition_cache::Step;
use crate::store::transitions::{Brief, Exposed, Space};

/// States that are passed through at most, before one is stored.
pub const PASSED: usize = 1000;

/// Steps of a kernel section that are followed through its choices at most, to compare them with the steps of others.
const SECTION: usize = 256;

/// The granularity of transitions, and the properties that are checked along them.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Steps of one superstep at most; 1 switches at every visible operation.
    pub superstep: u32,
    /// Ample sets: explore a thread alone where no other can ever conflict with its step.
    pub ample: bool,
    /// Ample sets use the locks that the thread holds.
    pub patterns: bool,
    /// Ample sets use the marks of guarded accesses.
    pub guards: bool,
    /// Sleep sets: skip threads that sleep.
    pub sleep: bool,
    /// Symmetry reduction over interchangeable threads.
    pub symmetry: bool,
    pub races: bool,
    pub deadlocks: bool,
    pub leaks: bool,
    /// Which answers to a choice are explored.
    pub choices: Choosing,
}

impl Rules {
    /// What ample sets need to know of the program.
    pub fn futures(&self, program: &Program) -> Option<Futures> {
        match (self.ample, self.patterns) {
            (false, _) => None,
            (true, false) => Some(Futures::new(program)),
            (true, true) => Some(Futures::with_locks(program)),
        }
    }
}

/// One transition from a state.
#[derive(Default)]
pub struct Successor {
    pub vector: Vec<u32>,
    /// The steps that lead there, those of one thread last.
    pub moves: Vec<Move>,
    /// The step that leads there from the expanded state, if it is a single one.
    pub step: Option<Rc<Step>>,
    /// Threads that have another number there.
    pub renaming: Renaming,
    /// Threads that need not be explored there.
    pub sleep: Sleep,
}

/// What was found at a state.
#[derive(Clone, Debug)]
pub enum Finding {
    Fault(Fault),
    Deadlock(Deadlock),
    /// Two threads, by number, are both about to touch the same bytes.
    Race {
        threads: (u32, u32),
        touches: (Touch, Touch),
    },
    Unsupported {
        reason: String,
        user: CodePoint,
    },
    MemoryFault(CodePoint),
    /// A choice with too many answers, at this place of the user's code.
    WideChoice {
        user: CodePoint,
        last: u64,
    },
    /// Of a choice with too many answers, only some were explored.
    SampledChoice {
        user: CodePoint,
        last: u64,
    },
    /// An invariant does not hold in the state itself.
    Invariant(BrokenInvariant),
    /// An invariant has no value in the state itself, and why.
    Valueless {
        text: String,
        why: String,
    },
    /// The outcome of an operation carried information about another thread without ordering the two.
    Unordered(UnorderedOperation),
}

/// A finding, and the steps from the state to it.
#[derive(Clone, Debug)]
pub struct Found {
    pub finding: Finding,
    pub moves: Vec<Move>,
}

pub struct Expander<'a> {
    pub space: Space<'a>,
    pub rules: Rules,
    pub pendings: Vec<Pending>,
    /// Those of the states that `settle` passes.
    pub passed_pendings: Vec<Pending>,
    /// The threads of a state on the fast path.
    pub plain: Vec<PlainPending>,
    /// Threads that sleep in the state that is expanded.
    pub sleep: Sleep,
    /// Scratch space of deadlock detection: which threads are stuck.
    stuck: Vec<bool>,
    /// Successors that are no longer needed: their memory is reused.
    pub spare: Vec<Successor>,
    /// The invariants, if there are any.
    pub invariants: Option<Invariants>,
    /// Lock-acquisition patterns, if ample sets use them.
    pub patterns: Option<Patterns<'a>>,
    /// How often a step was taken alone only because its access is guarded.
    pub by_guards: u64,
    /// Back edges that a thread may still take alone: `reduction/ample/guarded.rs`.
    pub back_edges: u32,
}

impl<'a> Expander<'a> {
    pub fn new(space: Space<'a>, rules: Rules) -> Expander<'a> {
        let invariants = Invariants::new(space.machine);
        let futures = space.futures.filter(|_| rules.patterns);
        let patterns = futures.and_then(|futures| Patterns::new(space.machine, futures));
        Expander {
            space,
            rules,
            pendings: Vec::new(),
            passed_pendings: Vec::new(),
            plain: Vec::new(),
            sleep: Sleep::default(),
            stuck: Vec::new(),
            spare: Vec::new(),
            invariants,
            patterns,
            by_guards: 0,
            back_edges: 0,
        }
    }

    /// Gives the successors of a state, in the order of the threads' numbers, and what was found. A state where one
    /// thread is explored alone has one successor: it is passed through, and not stored.
    pub fn expand(
        &mut self,
        vector: &[u32],
        successors: &mut Vec<Successor>,
        found: &mut Vec<Found>,
    ) -> Result<(), Exposed> {
        let first = successors.len();
        let Some(mut passed) = self.expand_one(vector, successors, found)? else { return Ok(()) };
        for _ in 0..PASSED {
            self.sleep = passed.sleep;
            let here = found.len();
            let next = self.expand_one(&passed.vector, successors, found)?;
            for one in &mut found[here..] {
                one.moves.splice(0..0, passed.moves.iter().copied());
            }
            let Some(mut next) = next else {
                for successor in &mut successors[first..] {
                    successor.step = None;
                    successor.moves.splice(0..0, passed.moves.iter().copied());
                }
                self.spare.push(passed);
                return Ok(());
            };
            passed.moves.append(&mut next.moves);
            passed.step = None;
            std::mem::swap(&mut passed.vector, &mut next.vector);
            passed.sleep = next.sleep;
            self.spare.push(next);
        }
        successors.push(passed);
        Ok(())
    }

    /// The successors of a state, or the one to pass through.
    pub fn expand_one(
        &mut self,
        vector: &[u32],
        successors: &mut Vec<Successor>,
        found: &mut Vec<Found>,
    ) -> Result<Option<Successor>, Exposed> {
        if let Some(invariants) = &mut self.invariants {
            invariants.judge(&mut self.space, vector, found)?;
        }
        let rest = self.space.rest(vector);
        if rest.ended {
            return Ok(None);
        }
        let alone = self.space.machine.settings.fuse_alone
            && (0..rest.threads).filter(|i| self.space.brief(vector, *i).running).count() <= 1;
        let mut pendings = std::mem::take(&mut self.pendings);
        pendings.truncate(rest.threads);
        for index in 0..rest.threads {
            if index == pendings.len() {
                pendings.push(Pending::default());
            }
            self.pending(vector, index, alone, &mut pendings[index], found)?;
        }
        if self.rules.deadlocks && rest.section == 0 {
            self.judge_deadlock(vector, &pendings, found);
        }
        if self.rules.races {
            judge_races(&pendings, found);
        }
        // See `reduction/symmetry.rs`: the joins of `main` wait until no other thread is enabled.
        let goes_on = |s: &Pending| !s.firsts.is_empty() && s.waits == Waits::No;
        if self.rules.symmetry
            && pendings.iter().skip(1).any(goes_on)
            && !pendings.is_empty()
            && !pendings[0].firsts.is_empty()
            && self.space.main_only_joins(vector)
        {
            pendings[0].firsts.clear();
        }
        let by_guards = self.by_guards;
        if !alone && let Some(index) = self.ample(vector, &pendings) {
            let (_, first) = pendings[index].firsts[0].clone();
            let mut successor = self.go_alone(vector, index, &first, &pendings, found)?;
            let kept = self.patterns.is_none() && self.by_guards == by_guards;
            successor.sleep = if kept { self.sleep } else { Sleep::default() };
            successor.sleep.remove(index);
            self.pendings = pendings;
            return Ok(Some(successor));
        }
        let mut taken = Sleep::default();
        for index in 0..pendings.len() {
            for i in 0..pendings[index].firsts.len() {
                let (choice, first) = pendings[index].firsts[i].clone();
                let mut successor = self.spare.pop().unwrap_or_default();
                successor.vector.clear();
                successor.vector.extend_from_slice(vector);
                first.apply(&mut successor.vector);
                successor.moves.clear();
                successor.renaming.clear();
                successor.moves.push(Move { thread: pendings[index].number, choice });
                if self.rules.superstep > 1 && !alone {
                    self.run_superstep(vector, &mut successor, index, &first, &mut pendings, found)?;
                }
                self.judge_leaks(&successor, index, found);
                successor.sleep = Sleep::default();
                if self.rules.sleep && !alone {
                    let steps = pendings[index].table.len();
                    let sure = !pendings[index].single;
                    if sure && (1..=steps).contains(&self.sleep.steps(index)) {
                        self.spare.push(successor);
                        continue;
                    }
                    successor.sleep = self.asleep_behind(rest.threads, &successor, index, taken, &pendings);
                    if sure {
                        taken.add(index, steps);
                    }
                }
                if !alone {
                    self.settle(&mut successor, index, found)?;
                }
                successor.step = (successor.moves.len() == 1).then_some(first);
                successors.push(successor);
            }
        }
        self.pendings = pendings;
        Ok(None)
    }

    pub fn pending(
        &mut self,
        vector: &[u32],
        index: usize,
        alone: bool,
        pending: &mut Pending,
        found: &mut Vec<Found>,
    ) -> Result<(), Exposed> {
        let rest = self.space.rest(vector);
        let Brief { number, running, pending: chooses } = self.space.brief(vector, index);
        pending.clear(number);
        if !running {
            pending.waits = Waits::Gone;
            return Ok(());
        }
        let owner = if rest.section != 0 { rest.section } else { rest.atomic };
        if owner != 0 && owner != number {
            pending.waits = Waits::Blocked;
            // It counts with its pending access, unless it waits for a choice.
            if self.rules.races && rest.section == 0 && !chooses {
                pending.kept_out = Some(self.space.pending_footprint(vector, index));
            }
            return Ok(());
        }
        if !chooses {
            return self.add_first_step(vector, index, None, alone, pending, found).map(|_| ());
        }
        let thread = self.space.thread(vector, index);
        let Some(request) = thread.pending else { return Ok(()) };
        let (user, last) = (thread.user, request.last);
        let all = vec![(0, last)];
        let ranges = thread.narrowed.as_ref().unwrap_or(&all);
        let mut tell = |finding| found.push(Found { finding, moves: Vec::new() });
        let answers = match self.rules.choices.answers(request, user, ranges) {
            Answers::All(answers) => answers,
            Answers::Some(answers) => {
                tell(Finding::SampledChoice { user, last });
                answers
            }
            Answers::Wide => {
                tell(Finding::WideChoice { user, last });
                return Ok(());
            }
        };
        pending.single = true;
        for answer in answers {
            if !self.add_first_step(vector, index, Some(answer), alone, pending, found)? {
                break;
            }
        }
        Ok(())
    }

    /// Adds the next step of a thread; false if it is disabled.
    pub fn add_first_step(
        &mut self,
        vector: &[u32],
        index: usize,
        choice: Option<u64>,
        alone: bool,
        pending: &mut Pending,
        found: &mut Vec<Found>,
    ) -> Result<bool, Exposed> {
        let step = self.space.step(vector, index, choice, alone)?;
        let one = Move { thread: pending.number, choice };
        pending.moves.push(one);
        pending.add(step.clone());
        if !step.enabled {
            match &step.readiness {
                Readiness::Blocked(_) => {
                    pending.waits = Self::wait_of(&step.readiness);
                    return Ok(false);
                }
                Readiness::Escape(..) => {
                    pending.waits = Self::wait_of(&step.readiness);
                    pending.single = true;
                }
                _ => {}
            }
        }
        self.report(&step, &[one], found);
        if step.opens_section && (self.rules.superstep > 1 || self.rules.races) {
            self.add_rest_of_section(vector, index, &step, pending)?;
        }
        pending.firsts.push((choice, step));
        Ok(true)
    }

    /// Adds what follows a step that opens a kernel section, up to the end of the section, with every answer.
    fn add_rest_of_section(
        &mut self,
        vector: &[u32],
        index: usize,
        step: &Rc<Step>,
        pending: &mut Pending,
    ) -> Result<(), Exposed> {
        pending.single = true;
        pending.opaque |= step.renames;
        let mut after = vector.to_vec();
        step.apply(&mut after);
        let mut open = vec![after];
        while let Some(inside) = open.pop() {
            let thread = self.space.thread(&inside, index);
            let Some(request) = thread.pending else { continue };
            let all = vec![(0, request.last)];
            let ranges = thread.narrowed.as_ref().unwrap_or(&all);
            // The answers that are followed from there; where there are none, nothing is proved.
            let answers = match self.rules.choices.answers(request, thread.user, ranges) {
                Answers::All(answers) | Answers::Some(answers) => answers,
                Answers::Wide => continue,
            };
            for answer in answers {
                if pending.opaque || pending.rest_of_section.len() >= SECTION {
                    pending.opaque = true;
                    return Ok(());
                }
                let next = self.space.step(&inside, index, Some(answer), false)?;
                pending.opaque |= next.renames;
                if next.opens_section {
                    let mut further = inside.clone();
                    next.apply(&mut further);
                    open.push(further);
                }
                pending.add_to_section(next);
            }
        }
        Ok(())
    }

    /// Classifies a blocked thread: whether deadlock has to be decided exactly because of it.
    pub fn wait_of(readiness: &Readiness) -> Waits {
        let Readiness::Blocked(blocked) = readiness else {
            return match readiness {
                // Never part of a deadlock.
                Readiness::Escape(raddle_machine::Escape::Timeout, _) => Waits::No,
                _ => Waits::Blocked,
            };
        };
        match blocked.kind {
            WaitKind::ReadWriteLock => Waits::ForOthers,
            // Whether an owner is stuck itself is decided when all pending operations are known.
            WaitKind::Mutex | WaitKind::SpinLock | WaitKind::Join if !blocked.owners.is_empty() => {
                Waits::ForOthers
            }
            _ => Waits::Blocked,
        }
    }

    pub fn judge_deadlock(
        &mut self,
        vector: &[u32],
        pendings: &[impl PendingOperation],
        found: &mut Vec<Found>,
    ) {
        let none_goes_on = pendings.iter().all(|s| s.waits() != Waits::No);
        let waiting = pendings.iter().any(|s| matches!(s.waits(), Waits::Blocked | Waits::ForOthers));
        if !waiting {
            return;
        }
        let local = self.may_be_stuck(vector, pendings);
        if (none_goes_on || local)
            && let Some(deadlock) = self.space.deadlock(vector)
        {
            found.push(Found { finding: Finding::Deadlock(deadlock), moves: Vec::new() });
        }
    }

    /// Whether some threads may wait for each other or for one that has ended: the fixpoint of `deadlock_of`, from
    /// what is known of them here.
    fn may_be_stuck(&mut self, vector: &[u32], pendings: &[impl PendingOperation]) -> bool {
        let mut stuck = std::mem::take(&mut self.stuck);
        stuck.clear();
        stuck.extend(pendings.iter().map(|s| s.waits() == Waits::ForOthers));
        let mut left = stuck.iter().filter(|s| **s).count();
        loop {
            let before = left;
            for (i, pending) in pendings.iter().enumerate().filter(|(_, s)| s.waits() == Waits::ForOthers) {
                let Some(Readiness::Blocked(blocked)) = pending.readiness() else {
                    continue;
                };
                let remains = |o: usize| stuck[o] || pendings[o].waits() == Waits::Gone;
                let waits = if blocked.kind == WaitKind::ReadWriteLock {
                    // The step does not read the holders.
                    (0..pendings.len()).any(|o| {
                        remains(o)
                            && self.space.thread(vector, o).holds.iter().any(|h| h.object == blocked.object)
                    })
                } else {
                    blocked.owners.iter().any(|o| remains(o.index()))
                };
                if stuck[i] && !waits {
                    stuck[i] = false;
                    left -= 1;
                }
            }
            if left == before {
                self.stuck = stuck;
                return left > 0;
            }
        }
    }

    fn judge_leaks(&mut self, successor: &Successor, index: usize, found: &mut Vec<Found>) {
        if !self.rules.leaks {
            return;
        }
        let machine = self.space.machine;
        let state = self.space.state(&successor.vector);
        let index = ThreadIndex(index as u32);
        if state.process_is_over(index) {
            for fault in machine.leaks(state, index) {
                found.push(Found { finding: Finding::Fault(fault), moves: successor.moves.clone() });
            }
        }
    }

    /// Reports the findings of a step.
    pub fn report(&mut self, step: &Step, moves: &[Move], found: &mut Vec<Found>) {
        if step.quiet && !self.space.unordered.is_new() {
            return;
        }
        let mut add = |finding| found.push(Found { finding, moves: moves.to_vec() });
        for fault in &step.faults {
            if matches!(fault.kind, FaultKind::Memory(_)) {
                add(Finding::MemoryFault(fault.user));
            }
            add(Finding::Fault(fault.clone()));
        }
        if let Some((reason, user)) = &step.unsupported {
            add(Finding::Unsupported { reason: reason.clone(), user: *user });
        }
        if let Some(what) = self.space.unordered.take_new() {
            add(Finding::Unordered(what));
        }
    }
}
