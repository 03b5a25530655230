//! Schedules that are steered towards given lines: race-directed random testing (Sen, *Race Directed Random Testing of Concurrent
//! Programs*, PLDI 2008), and the same for deadlocks (Joshi, Park, Sen, Naik, *A Randomized Dynamic Program Analysis Technique for
//! Detecting Real Deadlocks*, PLDI 2009).
//!
//! A random scheduler that postpones a thread which arrives at one of the lines. When every line has a postponed thread, these
//! threads execute their lines one directly after the other, in random order: accesses that race are then adjacent, and
//! threads that take locks in a cyclic order each hold one already. If no other thread can step, or none has arrived for
//! some time, one of the postponed threads goes on.
//!
//! Ours differs: lines are given instead of instructions, and whether two accesses conflict is left to the monitor of races; one
//! arrival in four is not postponed, so that later visits of a line meet each other too. As every sampling it proves nothing.

use raddle_machine::drive::Strategy;
use raddle_machine::{
    ChoiceRequest, CodePoint, Machine, Readiness, Signature, State, ThreadIndex, user_point,
};

use crate::Generator;
use crate::random::candidates;

/// Steps of other threads before a postponed thread goes on: one of these in each run. Few suffice where threads are at the lines
/// often, and where others spin until the postponed thread goes on; many are needed where lines are seldom reached.
const PATIENCE: [u64; 4] = [400, 5_000, 50_000, u64::MAX];
/// Steps in one line before the next thread has its turn.
const STEPS_OF_A_LINE: u32 = 64;

/// The instructions of a line, and how many threads have to be there at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub points: Vec<CodePoint>,
    pub threads: usize,
}

/// Whether a violation is at the lines: all of them, and nowhere else.
pub(crate) fn is_there(targets: &[Target], signature: &Signature) -> bool {
    let at: &[CodePoint] = match signature {
        Signature::Race { first, second } => &[*first, *second],
        Signature::Deadlock { at, .. } => at,
        _ => return false,
    };
    !targets.is_empty()
        && targets.iter().all(|t| at.iter().filter(|p| t.points.contains(p)).count() >= t.threads)
}

/// What a thread does about the line that it has reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It is at none of the lines, as far as is known.
    Elsewhere,
    Postponed(usize),
    /// It executes the line.
    Inside(usize),
}

pub struct Directed<'a> {
    machine: &'a Machine,
    targets: &'a [Target],
    generator: Generator,
    enabled: Vec<ThreadIndex>,
    stages: Vec<Stage>,
    /// Threads that execute their lines next, the last one first, and the steps of that one.
    meeting: Vec<ThreadIndex>,
    steps_inside: u32,
    /// Steps until a postponed thread goes on, and how many those are from the beginning.
    patience: u64,
    most_patience: u64,
}

impl<'a> Directed<'a> {
    pub fn new(machine: &'a Machine, targets: &'a [Target], mut generator: Generator) -> Directed<'a> {
        let most_patience = PATIENCE[generator.below(PATIENCE.len() as u64) as usize];
        Directed {
            machine,
            targets,
            generator,
            enabled: Vec::new(),
            stages: Vec::new(),
            meeting: Vec::new(),
            steps_inside: 0,
            patience: most_patience,
            most_patience,
        }
    }

    fn target(&self, state: &State, thread: ThreadIndex) -> Option<usize> {
        let at = user_point(self.machine, state.thread(thread));
        self.targets.iter().position(|target| target.points.contains(&at))
    }

    fn one_of(&mut self, threads: &[ThreadIndex]) -> ThreadIndex {
        threads[self.generator.below(threads.len() as u64) as usize]
    }

    fn postponed(&self) -> Vec<ThreadIndex> {
        let all = self.enabled.iter().copied();
        all.filter(|t| matches!(self.stages[t.index()], Stage::Postponed(_))).collect()
    }

    fn go_on(&mut self, thread: ThreadIndex) {
        if let Stage::Postponed(target) = self.stages[thread.index()] {
            self.stages[thread.index()] = Stage::Inside(target);
        }
        self.patience = self.most_patience;
    }

    /// The threads that meet, if every line has as many as it needs.
    fn met(&mut self) -> Option<Vec<ThreadIndex>> {
        let postponed = self.postponed();
        let stages = &self.stages;
        let at = |target: usize| -> Vec<ThreadIndex> {
            let is_there = |t: &ThreadIndex| stages[t.index()] == Stage::Postponed(target);
            postponed.iter().copied().filter(is_there).collect()
        };
        let by_target: Vec<Vec<ThreadIndex>> = (0..self.targets.len()).map(at).collect();
        if by_target.iter().zip(self.targets).any(|(there, target)| there.len() < target.threads) {
            return None;
        }
        let mut all: Vec<ThreadIndex> = by_target.concat();
        for left in (1..all.len()).rev() {
            all.swap(left, self.generator.below(left as u64 + 1) as usize);
        }
        Some(all)
    }
}

impl Strategy for Directed<'_> {
    fn pick(&mut self, state: &State, readiness: &[Readiness]) -> Option<ThreadIndex> {
        self.stages.resize(state.thread_count(), Stage::Elsewhere);
        for index in 0..self.stages.len() {
            if let Stage::Inside(target) = self.stages[index]
                && self.target(state, ThreadIndex(index as u32)) != Some(target)
            {
                self.stages[index] = Stage::Elsewhere;
            }
        }
        while let Some(thread) = self.meeting.last().copied() {
            let inside = matches!(self.stages[thread.index()], Stage::Inside(_));
            let can_step = matches!(readiness[thread.index()], Readiness::Enabled);
            if inside && can_step && self.steps_inside < STEPS_OF_A_LINE {
                self.steps_inside += 1;
                return Some(thread);
            }
            self.meeting.pop();
            self.steps_inside = 0;
        }
        let escapes = self.generator.one_in(10);
        candidates(readiness, escapes, &mut self.enabled);
        loop {
            let postponed = self.postponed();
            let free: Vec<ThreadIndex> =
                self.enabled.iter().copied().filter(|t| !postponed.contains(t)).collect();
            self.patience = self.patience.saturating_sub(1);
            if !postponed.is_empty() && (free.is_empty() || self.patience == 0) {
                let thread = self.one_of(&postponed);
                self.go_on(thread);
                return Some(thread);
            }
            if free.is_empty() {
                return None;
            }
            let thread = self.one_of(&free);
            let arrived =
                self.target(state, thread).filter(|_| self.stages[thread.index()] == Stage::Elsewhere);
            let Some(target) = arrived else { return Some(thread) };
            if self.generator.one_in(4) {
                self.stages[thread.index()] = Stage::Inside(target);
                return Some(thread);
            }
            self.stages[thread.index()] = Stage::Postponed(target);
            self.patience = self.most_patience;
            if let Some(all) = self.met() {
                for thread in &all {
                    self.go_on(*thread);
                }
                let first = *all.last()?;
                self.meeting = all;
                self.steps_inside = 1;
                return Some(first);
            }
        }
    }

    fn choose(&mut self, _: &State, _: ThreadIndex, request: ChoiceRequest) -> u64 {
        self.generator.choice(request)
    }
}
