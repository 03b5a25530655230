//! The successors of a state, and what is wrong in it.
//!
//! Every thread that can step gives a successor, one for each answer if it waits for a choice. With supersteps a
//! successor lies several steps of one thread further.
//!
//! # Supersteps
//!
//! Zaks and Joshi, *Verifying Multi-threaded C Programs with SPIN* (SPIN 2008), section 4. From a state, each thread *i*
//! runs a sequence of steps, its superstep, such that a step of one superstep and a step of another depend on each
//! other only if each is the last of its own. Why nothing is lost: take any run, and the first thread whose superstep it
//! completes. All that the others did until then are steps of their supersteps but not last ones, so they are
//! independent of it, and the completed superstep can be moved to the front; then the same again from where it leads.
//! Every thread's superstep is followed, so no thread is ignored, and cycles need no proviso. Steps that write what an
//! invariant reads are always last, so the order of such steps is kept.
//!
//! Two things are added to the paper's figures, without which runs are lost: the pending operation of a *blocked* thread
//! is in its table (who enables it must stop there), and creation of a thread, its end, the process's end and a choice
//! end a superstep. So does a step after which objects have other names: footprints are compared by name. And one is
//! mended: figure 7 answers `POST_STOP` for the first table that has a conflict; a table further on may ask for
//! `PRE_STOP`, so all are looked at.
//!
//! # Races, by state
//!
//! Two threads race when they stand before conflicting accesses that are not both atomic. Between supersteps this is
//! asked of every pair of steps of different supersteps: what comes before them in their supersteps is independent, so
//! a state where both are pending can be reached.
//!
//! One race cannot be seen so: a compare-exchange that wrote, and a plain read by a thread that has changed the same bytes
//! atomically in between. Side by side, the compare-exchange fails, which is a read. Where the two stand side by side,
//! the absence of races proves nothing.

use std::rc::Rc;

use raddle_analysis::Futures;
use raddle_ir::Program;
use raddle_machine::drive::Move;
use raddle_machine::{
    BrokenInvariant, CodePoint, Deadlock, Effects, Fault, FaultKind, Footprint, Readiness, Status,
    ThreadIndex, Touch, WaitKind,
};

use crate::ample::is_plain;
use crate::answers::{Answers, Choosing};
use crate::patterns::Patterns;
use crate::remembered::{Outline, Step};
use crate::sleep::Sleep;
use crate::space::{Brief, Exposed, Space};
use crate::symmetry::Renaming;
use crate::watch_expressions::Invariants;

/// States that are passed through at most, before one is stored.
const PASSED: usize = 1000;

/// How far the successors of a state lie, and what is looked for on the way.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Steps of one superstep at most; 1 switches at every visible operation.
    pub superstep: u32,
    /// Take a thread alone where no other can ever meet its step.
    pub ample: bool,
    /// Ample sets know the locks that the thread holds.
    pub patterns: bool,
    /// Leave out threads that sleep.
    pub sleep: bool,
    /// Take threads that cannot be told apart for each other.
    pub symmetry: bool,
    pub races: bool,
    pub deadlocks: bool,
    pub leaks: bool,
    /// Which answers to a choice are followed.
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

/// One way on from a state.
#[derive(Default)]
pub struct Successor {
    pub vector: Vec<u32>,
    /// The steps that lead there, those of one thread last.
    pub moves: Vec<Move>,
    /// Threads that have another number there.
    pub renaming: Renaming,
    /// Threads that need not be taken there.
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
    /// Of a choice with too many answers, only some were followed.
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
    /// The outcome of an operation told about another thread without ordering the two.
    Unordered(&'static str),
}

/// A finding, and the steps from the state to it.
#[derive(Clone, Debug)]
pub struct Found {
    pub finding: Finding,
    pub moves: Vec<Move>,
}

/// What is known of a thread at a state.
#[derive(Default)]
struct Stand {
    number: u32,
    /// What it could do at once, by the answers to the choice it waits for; nothing when it is disabled.
    firsts: Vec<(Option<u64>, Rc<Step>)>,
    /// The steps of its superstep so far known; at first the first steps, whatever the answer.
    table: Vec<Rc<Step>>,
    /// All of the table together.
    outline: Outline,
    /// The moves of the steps in the table.
    moves: Vec<Move>,
    /// Its steps may not be taken together: the table holds alternatives.
    single: bool,
    /// What it touches while another thread's atomic section keeps it out.
    kept_out: Option<Footprint>,
    waits: Waits,
}

/// How a thread that cannot go on by itself matters for deadlock.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Waits {
    #[default]
    No,
    /// It has ended in one way or another.
    Gone,
    Blocked,
    /// Blocked so that it may be part of a local deadlock.
    ForOthers,
}

pub struct Expander<'a> {
    pub space: Space<'a>,
    pub rules: Rules,
    stands: Vec<Stand>,
    /// Threads that sleep in the state that is opened.
    pub sleep: Sleep,
    /// For the question who is stuck.
    stuck: Vec<bool>,
    /// Successors that are no longer needed: their room is used again.
    pub spare: Vec<Successor>,
    /// The invariants, if there are any.
    invariants: Option<Invariants>,
    /// What lies behind locks, if ample sets ask for it.
    pub patterns: Option<Patterns<'a>>,
}

impl<'a> Expander<'a> {
    pub fn new(space: Space<'a>, rules: Rules) -> Expander<'a> {
        let invariants = Invariants::new(space.machine);
        let futures = space.futures.filter(|_| rules.patterns);
        let patterns = futures.and_then(|futures| Patterns::new(space.machine, futures));
        Expander {
            space,
            rules,
            stands: Vec::new(),
            sleep: Sleep::default(),
            stuck: Vec::new(),
            spare: Vec::new(),
            invariants,
            patterns,
        }
    }

    /// Gives the successors of a state, in the order of the threads' numbers, and what was found. A state where one thread
    /// is followed alone has one successor: it is passed through, and not stored.
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
                    successor.moves.splice(0..0, passed.moves.iter().copied());
                }
                self.spare.push(passed);
                return Ok(());
            };
            passed.moves.append(&mut next.moves);
            std::mem::swap(&mut passed.vector, &mut next.vector);
            passed.sleep = next.sleep;
            self.spare.push(next);
        }
        successors.push(passed);
        Ok(())
    }

    /// The successors of a state, or the one to pass through.
    fn expand_one(
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
        let mut stands = std::mem::take(&mut self.stands);
        stands.truncate(rest.threads);
        for index in 0..rest.threads {
            if index == stands.len() {
                stands.push(Stand::default());
            }
            self.stand(vector, index, alone, &mut stands[index], found)?;
        }
        if self.rules.deadlocks && rest.section == 0 {
            self.judge_deadlock(vector, &stands, found);
        }
        if self.rules.races {
            judge_races(&stands, found);
        }
        // See `symmetry.rs`: its joins wait until nobody else goes on.
        let goes_on = |s: &Stand| !s.firsts.is_empty() && s.waits == Waits::No;
        if self.rules.symmetry
            && stands.iter().skip(1).any(goes_on)
            && !stands.is_empty()
            && !stands[0].firsts.is_empty()
            && self.space.main_only_joins(vector)
        {
            stands[0].firsts.clear();
        }
        if !alone && let Some(index) = self.ample(vector, &stands) {
            let (_, first) = stands[index].firsts[0].clone();
            let mut successor = self.go_alone(vector, index, &first, &stands, found)?;
            successor.sleep = if self.patterns.is_none() { self.sleep } else { Sleep::default() };
            successor.sleep.remove(index);
            self.stands = stands;
            return Ok(Some(successor));
        }
        let mut taken = Sleep::default();
        for index in 0..stands.len() {
            for i in 0..stands[index].firsts.len() {
                let (choice, first) = stands[index].firsts[i].clone();
                let mut successor = self.spare.pop().unwrap_or_default();
                successor.vector.clear();
                successor.vector.extend_from_slice(vector);
                first.apply(&mut successor.vector);
                successor.moves.clear();
                successor.renaming.clear();
                successor.moves.push(Move { thread: stands[index].number, choice });
                if self.rules.superstep > 1 && !alone {
                    self.go_on(vector, &mut successor, index, &first, &mut stands, found)?;
                }
                self.judge_leaks(&successor, index, found);
                successor.sleep = Sleep::default();
                if self.rules.sleep && !alone {
                    let steps = stands[index].table.len();
                    let sure = !stands[index].single;
                    if sure && (1..=steps).contains(&self.sleep.steps(index)) {
                        self.spare.push(successor);
                        continue;
                    }
                    successor.sleep = self.asleep_behind(rest.threads, &successor, index, taken, &stands);
                    if sure {
                        taken.add(index, steps);
                    }
                }
                if !alone {
                    self.settle(&mut successor, index, found)?;
                }
                successors.push(successor);
            }
        }
        self.stands = stands;
        Ok(None)
    }

    fn stand(
        &mut self,
        vector: &[u32],
        index: usize,
        alone: bool,
        stand: &mut Stand,
        found: &mut Vec<Found>,
    ) -> Result<(), Exposed> {
        let rest = self.space.rest(vector);
        let Brief { number, running, pending } = self.space.brief(vector, index);
        stand.clear(number);
        if !running {
            stand.waits = Waits::Gone;
            return Ok(());
        }
        let owner = if rest.section != 0 { rest.section } else { rest.atomic };
        if owner != 0 && owner != number {
            stand.waits = Waits::Blocked;
            // It counts with its pending access, unless it waits for a choice.
            if self.rules.races && rest.section == 0 && !pending {
                stand.kept_out = Some(self.space.pending_footprint(vector, index));
            }
            return Ok(());
        }
        if !pending {
            return self.stand_before(vector, index, None, alone, stand, found).map(|_| ());
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
        stand.single = true;
        for answer in answers {
            if !self.stand_before(vector, index, Some(answer), alone, stand, found)? {
                break;
            }
        }
        Ok(())
    }

    /// Adds what a thread could do at once; false if it cannot step.
    fn stand_before(
        &mut self,
        vector: &[u32],
        index: usize,
        choice: Option<u64>,
        alone: bool,
        stand: &mut Stand,
        found: &mut Vec<Found>,
    ) -> Result<bool, Exposed> {
        let step = self.space.step(vector, index, choice, alone)?;
        let one = Move { thread: stand.number, choice };
        stand.moves.push(one);
        stand.add(step.clone());
        if !step.enabled {
            match &step.readiness {
                Readiness::Blocked(_) => {
                    stand.waits = Self::wait_of(&step.readiness);
                    return Ok(false);
                }
                Readiness::Escape(..) => {
                    stand.waits = Self::wait_of(&step.readiness);
                    stand.single = true;
                }
                _ => {}
            }
        }
        self.report(&step, &[one], found);
        stand.firsts.push((choice, step));
        Ok(true)
    }

    /// A quick look at a blocked thread: whether deadlock has to be judged exactly because of it.
    fn wait_of(readiness: &Readiness) -> Waits {
        let Readiness::Blocked(blocked) = readiness else {
            return match readiness {
                // Never part of a deadlock.
                Readiness::Escape(raddle_machine::Escape::Timeout, _) => Waits::No,
                _ => Waits::Blocked,
            };
        };
        match blocked.kind {
            WaitKind::ReadWriteLock => Waits::ForOthers,
            // Whether an owner is stuck itself is asked when all stands are known.
            WaitKind::Mutex | WaitKind::SpinLock | WaitKind::Join if !blocked.owners.is_empty() => {
                Waits::ForOthers
            }
            _ => Waits::Blocked,
        }
    }

    fn judge_deadlock(&mut self, vector: &[u32], stands: &[Stand], found: &mut Vec<Found>) {
        let none_goes_on = stands.iter().all(|s| s.waits != Waits::No);
        let waiting = stands.iter().any(|s| matches!(s.waits, Waits::Blocked | Waits::ForOthers));
        if !waiting {
            return;
        }
        let local = self.may_be_stuck(vector, stands);
        if (none_goes_on || local)
            && let Some(deadlock) = self.space.deadlock(vector)
        {
            found.push(Found { finding: Finding::Deadlock(deadlock), moves: Vec::new() });
        }
    }

    /// Whether some threads may wait for each other or for one that has ended: the fixpoint of `deadlock_of`, from what is
    /// known of them here.
    fn may_be_stuck(&mut self, vector: &[u32], stands: &[Stand]) -> bool {
        let mut stuck = std::mem::take(&mut self.stuck);
        stuck.clear();
        stuck.extend(stands.iter().map(|s| s.waits == Waits::ForOthers));
        let mut left = stuck.iter().filter(|s| **s).count();
        loop {
            let before = left;
            for (i, stand) in stands.iter().enumerate().filter(|(_, s)| s.waits == Waits::ForOthers) {
                let Some(Readiness::Blocked(blocked)) = stand.table.first().map(|s| &s.readiness) else {
                    continue;
                };
                let remains = |o: usize| stuck[o] || stands[o].waits == Waits::Gone;
                let waits = if blocked.kind == WaitKind::ReadWriteLock {
                    // Who holds it is not read by the step.
                    (0..stands.len()).any(|o| {
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
        let stopped = matches!(state.thread(index).status, Status::Stopped { .. });
        if stopped || state.threads().all(|(_, t)| t.status == Status::Finished) {
            for fault in machine.leaks(state, index) {
                found.push(Found { finding: Finding::Fault(fault), moves: successor.moves.clone() });
            }
        }
    }

    /// What a step showed.
    fn report(&mut self, step: &Step, moves: &[Move], found: &mut Vec<Found>) {
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

    /// The first thread whose step can be taken alone.
    fn ample(&mut self, vector: &[u32], stands: &[Stand]) -> Option<usize> {
        self.space.futures?;
        let runnable = stands.iter().filter(|s| !s.firsts.is_empty()).count();
        if runnable == 0 || self.space.rest(vector).atomic != 0 {
            return None;
        }
        // Where nobody else can step, nothing comes before its step.
        let lone = runnable == 1;
        let mut after = Vec::new();
        (0..stands.len()).find(|index| {
            let stand = &stands[*index];
            if stand.single || stand.firsts.len() != 1 {
                return false;
            }
            after.clear();
            after.extend_from_slice(vector);
            let step = stand.firsts[0].1.clone();
            step.apply(&mut after);
            self.is_ample(vector, &after, *index, &step, stands, lone)
        })
    }

    /// See `ample.rs`.
    fn is_ample(
        &mut self,
        vector: &[u32],
        after: &[u32],
        index: usize,
        step: &Step,
        stands: &[Stand],
        lone: bool,
    ) -> bool {
        let Some(futures) = self.space.futures else { return false };
        // A step that changes what an invariant reads is seen.
        if !is_plain(step)
            || self.writes_watched(&step.footprint)
            || after.len() < self.space.composer.first_thread_place() + index
        {
            return false;
        }
        let rest = self.space.rest(vector);
        let mut by_locks = false;
        for other in 0..rest.threads {
            let facts = self.space.thread(vector, other);
            // What it learnt of another thread's end must not change any more.
            if step.footprint.asked.contains(&facts.number) && facts.status != Status::Finished {
                return false;
            }
            if lone || other == index || facts.status != Status::Running {
                continue;
            }
            if facts.outlook.as_ref().is_some_and(|outlook| !outlook.meets(futures, step)) {
                continue;
            }
            // Who waits for this thread does nothing until it is let go: only that matters now.
            if let Some(waiting) = stands[other].waiting_for(index)
                && !waiting.footprint.depends(facts.number, &step.footprint, stands[index].number)
                && self.stays(vector, index, waiting, stands)
            {
                continue;
            }
            let behind = |p: &mut Patterns| p.is_behind(&mut self.space, vector, index, other, step);
            if !self.patterns.as_mut().is_some_and(behind) && !self.joins_later(vector, index, other, stands)
            {
                return false;
            }
            by_locks = true;
        }
        let (before, later) = (self.space.thread(vector, index), self.space.thread(after, index));
        let ample = later.pending.is_none()
            && later.status == Status::Running
            && matches!((&before.outlook, &later.outlook), (Some(a), Some(b)) if a.is_before(b));
        if let Some(patterns) = self.patterns.as_mut().filter(|_| ample && by_locks) {
            patterns.used += 1;
        }
        ample
    }

    /// Whether a thread waits for the end of another that comes after the given one has done more: it is that one, or
    /// must get a lock of it first, or waits in the same way.
    fn joins_later(&mut self, vector: &[u32], index: usize, other: usize, stands: &[Stand]) -> bool {
        let Some(patterns) = self.patterns.as_mut().filter(|p| p.joins_stay()) else { return false };
        let mut joined = stands[other].joins();
        // As many as there are threads, unless they wait in a circle.
        for _ in 0..stands.len() {
            match joined {
                None => return false,
                Some(next) if next == index => return true,
                Some(next) if patterns.cannot_end(&mut self.space, vector, index, next) => return true,
                Some(next) => joined = stands[next].joins(),
            }
        }
        false
    }

    /// Whether only this thread can let a thread go that waits for it: nobody else gives its lock back.
    fn stays(&mut self, vector: &[u32], index: usize, waiting: &Step, stands: &[Stand]) -> bool {
        let Some(futures) = self.space.futures else { return false };
        let Readiness::Blocked(blocked) = &waiting.readiness else { return false };
        if blocked.kind == WaitKind::Join {
            return true;
        }
        (0..stands.len()).all(|third| {
            let also_waits = stands[third].waiting_for(index).is_some_and(
                |step| matches!(&step.readiness, Readiness::Blocked(b) if b.object == blocked.object),
            );
            if third == index || also_waits {
                return true;
            }
            let facts = self.space.thread(vector, third);
            facts.status != Status::Running
                || facts.outlook.as_ref().is_some_and(|outlook| !outlook.may_enable(futures, waiting))
        })
    }

    /// Takes a thread's steps as long as each can be taken alone.
    fn go_alone(
        &mut self,
        vector: &[u32],
        index: usize,
        first: &Rc<Step>,
        stands: &[Stand],
        found: &mut Vec<Found>,
    ) -> Result<Successor, Exposed> {
        let mut successor = self.spare.pop().unwrap_or_default();
        successor.vector.clear();
        successor.vector.extend_from_slice(vector);
        first.apply(&mut successor.vector);
        let number = self.space.thread(vector, index).number;
        let one = Move { thread: number, choice: None };
        successor.moves.clear();
        successor.renaming.clear();
        successor.moves.push(one);
        let mut after = Vec::new();
        if lets_go(stands, index, first) {
            return Ok(successor);
        }
        for _ in 1..self.rules.superstep.max(2) {
            let step = self.space.step(&successor.vector, index, None, false)?;
            after.clear();
            after.extend_from_slice(&successor.vector);
            step.apply(&mut after);
            if !self.is_ample(&successor.vector, &after, index, &step, stands, false) {
                break;
            }
            successor.moves.push(one);
            self.report(&step, &successor.moves, found);
            std::mem::swap(&mut successor.vector, &mut after);
            if lets_go(stands, index, &step) {
                break;
            }
        }
        Ok(successor)
    }

    /// From a new state, follows the thread that led there as long as it can be followed alone. The states on the way are
    /// looked at, but not stored.
    fn settle(
        &mut self,
        successor: &mut Successor,
        index: usize,
        found: &mut Vec<Found>,
    ) -> Result<(), Exposed> {
        let mut stands = Vec::new();
        for _ in 0..PASSED {
            if !self.may_be_ample(&successor.vector, index)? {
                break;
            }
            let threads = self.space.rest(&successor.vector).threads;
            stands.resize_with(threads, Stand::default);
            let here = found.len();
            for (i, stand) in stands.iter_mut().enumerate() {
                self.stand(&successor.vector, i, false, stand, found)?;
            }
            let step = stands[index].firsts[0].1.clone();
            let mut after = successor.vector.clone();
            step.apply(&mut after);
            let ample = self.is_ample(&successor.vector, &after, index, &step, &stands, false);
            if ample {
                if self.rules.deadlocks {
                    self.judge_deadlock(&successor.vector, &stands, found);
                }
                if self.rules.races {
                    judge_races(&stands, found);
                }
            }
            let next = if ample {
                Some(self.go_alone(&successor.vector, index, &step, &stands, found)?)
            } else {
                None
            };
            for one in &mut found[here..] {
                one.moves.splice(0..0, successor.moves.iter().copied());
            }
            let Some(mut next) = next else { break };
            successor.moves.append(&mut next.moves);
            successor.sleep = Sleep::default();
            std::mem::swap(&mut successor.vector, &mut next.vector);
            self.spare.push(next);
        }
        Ok(())
    }

    /// A quick look at whether a thread may be followed alone.
    fn may_be_ample(&mut self, vector: &[u32], index: usize) -> Result<bool, Exposed> {
        let Some(futures) = self.space.futures else { return Ok(false) };
        let rest = self.space.rest(vector);
        let brief = self.space.brief(vector, index);
        if rest.ended || rest.section != 0 || rest.atomic != 0 || !brief.running || brief.pending {
            return Ok(false);
        }
        if (0..rest.threads).filter(|i| self.space.brief(vector, *i).running).count() <= 1 {
            return Ok(false);
        }
        let facts = self.space.thread(vector, index);
        let step = self.space.step(vector, index, None, false)?;
        if !is_plain(&step) {
            return Ok(false);
        }
        let by_locks = self.patterns.is_some() && !facts.holds.is_empty();
        Ok(by_locks
            || (0..rest.threads).filter(|other| *other != index).all(|other| {
                let facts = self.space.thread(vector, other);
                let meets = |outlook: &Rc<crate::ample::Outlook>| outlook.meets(futures, &step);
                facts.status != Status::Running || !facts.outlook.as_ref().is_none_or(meets)
            }))
    }

    /// Runs a superstep on from its first step.
    fn go_on(
        &mut self,
        vector: &[u32],
        successor: &mut Successor,
        index: usize,
        first: &Rc<Step>,
        stands: &mut [Stand],
        found: &mut Vec<Found>,
    ) -> Result<(), Exposed> {
        let disturbs =
            |stands: &[Stand], step: &Footprint| stands.iter().any(|other| other.is_disturbed(step));
        if stands[index].single
            || first.renames
            || ends(&first.footprint)
            || disturbs(stands, &first.footprint)
        {
            return Ok(());
        }
        let number = stands[index].number;
        // The first step was in every other table's view from the beginning.
        let watched = self.writes_watched(&first.footprint);
        if watched || self.conflict(stands, index, first, None, found) != Conflict::None {
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
            // Inside an atomic section the others wait, so nothing needs to stop; but it may race with what they are at.
            let conflict = self.conflict(stands, index, &step, Some(&successor.moves), found);
            let conflict = if inside { Conflict::None } else { conflict };
            if conflict == Conflict::Before || !inside && step.footprint.effects.has(Effects::ATOMIC_BEGIN) {
                return Ok(());
            }
            let one = Move { thread: number, choice: None };
            successor.moves.push(one);
            self.report(&step, &successor.moves, found);
            stands[index].add(step.clone());
            stands[index].moves.push(one);
            step.apply(&mut successor.vector);
            last = step;
            let seen = !inside && self.writes_watched(&last.footprint);
            if conflict == Conflict::After || seen || last.renames || disturbs(stands, &last.footprint) {
                return Ok(());
            }
            // A thread in a loop: a superstep may end anywhere, and here it has seen what there is to see alone.
            let here = successor.vector[place];
            if been.contains(&here) {
                return Ok(());
            }
            been.push(here);
        }
        Ok(())
    }

    /// The threads that sleep behind the superstep of one, given those that were taken before it.
    fn asleep_behind(
        &mut self,
        threads: usize,
        successor: &Successor,
        index: usize,
        taken: Sleep,
        stands: &[Stand],
    ) -> Sleep {
        let mut result = Sleep::default();
        // Others may stand at the same places there.
        if self.rules.sleep && self.space.rest(&successor.vector).threads != threads {
            return result;
        }
        let own = &stands[index];
        for (j, other) in stands.iter().enumerate() {
            let steps = taken.steps(j).max(self.sleep.steps(j));
            if j == index || steps == 0 || other.single || other.table.len() < steps {
                continue;
            }
            let dependent = |step: &Step, theirs: &Step| {
                let (a, b) = (&step.footprint, &theirs.footprint);
                ends(a)
                    || ends(b)
                    || self.writes_watched(a) && self.writes_watched(b)
                    || step.outline.meets(theirs.outline) && a.depends(own.number, b, other.number)
            };
            if !other.table[..steps].iter().any(|theirs| own.table.iter().any(|step| dependent(step, theirs)))
            {
                result.add(j, steps);
            }
        }
        result
    }

    /// A step that changes what an invariant reads is the last of its superstep. (Inside an atomic section nothing is
    /// read, and the end of the section ends the superstep.)
    fn writes_watched(&self, step: &Footprint) -> bool {
        self.invariants.as_ref().is_some_and(|i| i.watched.is_written_by(step))
    }

    /// How a step of a superstep stands to the supersteps of the other threads, as far as they are known. `moves`: the
    /// steps before it, when it is not the first.
    fn conflict(
        &self,
        stands: &[Stand],
        index: usize,
        step: &Step,
        moves: Option<&[Move]>,
        found: &mut Vec<Found>,
    ) -> Conflict {
        let own = &stands[index];
        let (outline, step) = (step.outline, &step.footprint);
        let mut result = Conflict::None;
        for (k, other) in stands.iter().enumerate() {
            if k == index {
                continue;
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
            if self.rules.races && other.footprints().any(|theirs| may_have_raced(step, theirs)) {
                found.push(Found { finding: Finding::Unordered(EXCHANGE), moves: Vec::new() });
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
                // Alternatives are all last.
                if other.single || position + 1 == other.table.len() {
                    result = result.max(Conflict::After);
                } else {
                    result = Conflict::Before;
                }
            }
        }
        result
    }
}

/// Races between first steps.
fn judge_races(stands: &[Stand], found: &mut Vec<Found>) {
    for (i, a) in stands.iter().enumerate() {
        for b in &stands[i + 1..] {
            if !a.outline.meets(b.outline) && a.kept_out.is_none() && b.kept_out.is_none() {
                continue;
            }
            for left in a.footprints() {
                for right in b.footprints() {
                    if let Some(touches) = race_between(left, right) {
                        let finding = Finding::Race { threads: (a.number, b.number), touches };
                        found.push(Found { finding, moves: Vec::new() });
                    }
                    if may_have_raced(left, right) {
                        found.push(Found { finding: Finding::Unordered(EXCHANGE), moves: Vec::new() });
                    }
                }
            }
        }
    }
}

impl Stand {
    /// The disabled step of a thread that waits for this one, and for nobody else.
    fn waiting_for(&self, index: usize) -> Option<&Step> {
        let step = self.table.first()?;
        let Readiness::Blocked(blocked) = &step.readiness else { return None };
        let named = matches!(blocked.kind, WaitKind::Mutex | WaitKind::SpinLock | WaitKind::Join);
        let only = blocked.owners[..] == [ThreadIndex(index as u32)];
        (named && only).then_some(step)
    }

    /// The thread whose end it waits for.
    fn joins(&self) -> Option<usize> {
        let Readiness::Blocked(blocked) = &self.table.first()?.readiness else { return None };
        match blocked.owners[..] {
            [one] if blocked.kind == WaitKind::Join => Some(one.index()),
            _ => None,
        }
    }

    /// Whether what it touches while it is kept out may be something else after the step.
    fn is_disturbed(&self, step: &Footprint) -> bool {
        let mut kept_out = self.kept_out.iter().flat_map(|f| &f.touches);
        kept_out.any(|theirs| step.touches.iter().any(|own| own.conflicts(theirs)))
    }

    fn clear(&mut self, number: u32) {
        self.number = number;
        self.firsts.clear();
        self.table.clear();
        self.outline = Outline::default();
        self.moves.clear();
        self.single = false;
        self.kept_out = None;
        self.waits = Waits::No;
    }

    fn add(&mut self, step: Rc<Step>) {
        self.outline.join(step.outline);
        self.table.push(step);
    }

    fn footprints(&self) -> impl Iterator<Item = &Footprint> {
        self.table.iter().map(|step| &step.footprint).chain(&self.kept_out)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Conflict {
    None,
    /// The superstep ends with the step.
    After,
    /// The superstep ends before it.
    Before,
}

/// Whether a step may let a thread go that waits: what is known of the others is then of before.
fn lets_go(stands: &[Stand], index: usize, step: &Step) -> bool {
    stands.iter().enumerate().any(|(other, stand)| {
        other != index
            && matches!(stand.waits, Waits::Blocked | Waits::ForOthers)
            && stand
                .table
                .iter()
                .any(|s| s.footprint.depends(stand.number, &step.footprint, stands[index].number))
    })
}

/// Steps after which a superstep is over, whatever the others do.
fn ends(step: &Footprint) -> bool {
    let over = Effects::SPAWN.0
        | Effects::THREAD_END.0
        | Effects::PROCESS_EXIT.0
        | Effects::ESCAPE.0
        | Effects::ASSUME.0
        | Effects::RUN_END.0
        | Effects::ATOMIC_BEGIN.0
        | Effects::ATOMIC_END.0;
    step.effects.has(Effects(over))
}

const EXCHANGE: &str = "a compare-exchange that may fail or not, beside a plain read,";

/// A compare-exchange that fails here and a plain read of the same bytes.
fn may_have_raced(a: &Footprint, b: &Footprint) -> bool {
    let one = |exchange: &Footprint, other: &Footprint| {
        exchange.effects.has(Effects::EXCHANGE_FAILED)
            && exchange.touches.iter().any(|x| {
                let written = Touch { write: true, ..*x };
                other.touches.iter().any(|y| written.races(y) && !x.races(y))
            })
    };
    one(a, b) || one(b, a)
}

fn race_between(a: &Footprint, b: &Footprint) -> Option<(Touch, Touch)> {
    a.touches.iter().find_map(|x| b.touches.iter().find(|y| x.races(y)).map(|y| (*x, *y)))
}
