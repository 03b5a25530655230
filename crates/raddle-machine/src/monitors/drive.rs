//! One execution under a strategy: the loop that random testing, replay and minimisation share.
//!
//! A [`Strategy`] (the scheduler) selects the thread that steps and answers choices; the loop records the schedule,
//! runs the monitors, and detects the end of a run. Replay is just another strategy.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::monitors::evaluate::BrokenInvariant;
use crate::monitors::race::{Race, RaceMonitor};
use crate::semantics::fault::Fault;
use crate::semantics::machine::Machine;
use crate::semantics::readiness::{Deadlock, Readiness};
use crate::semantics::state::State;
use crate::semantics::thread::{ChoiceRequest, Status, ThreadIndex};
use crate::semantics::watch::Watch;

/// Which thread steps next, and the answers to choices.
pub trait Strategy {
    /// One of the threads that can step; `None` stops the run.
    fn pick(&mut self, state: &State, readiness: &[Readiness]) -> Option<ThreadIndex>;
    /// A number from 0 to `request.last`.
    fn choose(&mut self, state: &State, thread: ThreadIndex, request: ChoiceRequest) -> u64;
}

impl Strategy for Box<dyn Strategy> {
    fn pick(&mut self, state: &State, readiness: &[Readiness]) -> Option<ThreadIndex> {
        (**self).pick(state, readiness)
    }
    fn choose(&mut self, state: &State, thread: ThreadIndex, request: ChoiceRequest) -> u64 {
        (**self).choose(state, thread, request)
    }
}

/// One step of a schedule: the thread by its number, and the answer if it waited for a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Move {
    pub thread: u32,
    pub choice: Option<u64>,
}

#[derive(Clone, Debug)]
pub enum ViolationKind {
    Fault(Fault),
    Race(Race),
    Deadlock(Deadlock),
    Invariant(BrokenInvariant),
}

/// What a monitor found, and after how many moves.
#[derive(Clone, Debug)]
pub struct Violation {
    pub kind: ViolationKind,
    pub moves: usize,
}

/// Why an execution was over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// No thread can step, and the state is no global deadlock.
    Complete,
    Deadlock,
    /// See `State::end`.
    RunEnd,
    StepLimit,
    /// By the strategy.
    Stopped,
    /// At a limit of time or memory, or by request.
    Cancelled,
}

#[derive(Debug)]
pub struct Execution {
    pub schedule: Vec<Move>,
    pub violations: Vec<Violation>,
    pub state: State,
    pub ended: Ended,
    /// Invariants (by their place in the settings) that had no value in some state, and why.
    pub troubles: Vec<(usize, String)>,
}

/// When to give up, and what to look for.
#[derive(Clone)]
pub struct Limits {
    pub max_moves: u64,
    pub deadline: Option<Instant>,
    pub cancel: Arc<AtomicBool>,
    /// Set when the process has grown up to its limit.
    pub memory_is_full: Arc<AtomicBool>,
    pub deadlocks: bool,
    /// Check leaks when the process ends.
    pub leaks: bool,
}

impl Limits {
    fn is_reached(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
            || self.memory_is_full.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_moves: 1_000_000,
            deadline: None,
            cancel: Arc::default(),
            memory_is_full: Arc::default(),
            deadlocks: true,
            leaks: false,
        }
    }
}

/// Runs one execution. Races are checked when a monitor is given.
pub fn drive<S: Strategy, W: Watch>(
    machine: &Machine,
    strategy: &mut S,
    races: Option<&mut RaceMonitor>,
    watch: &mut W,
    limits: &Limits,
) -> Execution {
    match races {
        Some(monitor) => drive_watched(machine, strategy, &mut Judge { monitor, other: watch }, limits),
        None => drive_watched(machine, strategy, &mut Unjudged(watch), limits),
    }
}

/// A listener that may also detect races.
trait Court {
    type Listener<'a>: Watch
    where
        Self: 'a;
    fn listener(&mut self) -> Self::Listener<'_>;
    fn new_races(&mut self) -> Vec<Race>;
}

struct Judge<'m, W> {
    monitor: &'m mut RaceMonitor,
    other: &'m mut W,
}

impl<W: Watch> Court for Judge<'_, W> {
    type Listener<'a>
        = (&'a mut RaceMonitor, &'a mut W)
    where
        Self: 'a;
    fn listener(&mut self) -> Self::Listener<'_> {
        (self.monitor, self.other)
    }
    fn new_races(&mut self) -> Vec<Race> {
        self.monitor.take_new()
    }
}

struct Unjudged<'m, W>(&'m mut W);

impl<W: Watch> Court for Unjudged<'_, W> {
    type Listener<'a>
        = crate::semantics::watch::Only<'a, W>
    where
        Self: 'a;
    fn listener(&mut self) -> Self::Listener<'_> {
        crate::semantics::watch::Only(self.0)
    }
    fn new_races(&mut self) -> Vec<Race> {
        Vec::new()
    }
}

fn drive_watched<S: Strategy, C: Court>(
    machine: &Machine,
    strategy: &mut S,
    court: &mut C,
    limits: &Limits,
) -> Execution {
    let mut violations: Vec<Violation> = Vec::new();
    let mut schedule: Vec<Move> = Vec::new();
    let (mut state, outcome) = machine.start(&mut court.listener());
    let mut seen = SeenFaults::default();
    let mut collect =
        |faults: Vec<Fault>, races: Vec<Race>, moves: usize, violations: &mut Vec<Violation>| {
            for fault in faults {
                if seen.is_new(&fault) {
                    violations.push(Violation { kind: ViolationKind::Fault(fault), moves });
                }
            }
            violations
                .extend(races.into_iter().map(|race| Violation { kind: ViolationKind::Race(race), moves }));
        };
    collect(outcome.faults, court.new_races(), 0, &mut violations);
    let mut invariants = Invariants::default();
    invariants.judge(machine, &state, 0, &mut violations);
    if limits.leaks && state.process_is_over(ThreadIndex::MAIN) {
        collect(machine.leaks(&state, ThreadIndex::MAIN), Vec::new(), 0, &mut violations);
    }
    let mut readiness = Vec::new();
    let mut local_deadlock_seen = false;
    let ended = loop {
        if state.end.is_some() {
            break Ended::RunEnd;
        }
        if schedule.len() as u64 >= limits.max_moves {
            break Ended::StepLimit;
        }
        // Often: one step can copy or print megabytes.
        if schedule.len() % 16 == 15 && limits.is_reached() {
            break Ended::Cancelled;
        }
        readiness.clear();
        let mut any_blocked = false;
        let mut any_enabled = false;
        for i in 0..state.threads.len() {
            let r = machine.readiness(&mut state, ThreadIndex(i as u32));
            any_blocked |= matches!(r, Readiness::Blocked(_) | Readiness::Escape(..));
            any_enabled |= r.can_step();
            readiness.push(r);
        }
        if any_blocked
            && (limits.deadlocks || !any_enabled)
            && state.section.is_none()
            && let Some(deadlock) = machine.deadlock_of(&state, &readiness)
        {
            let global = deadlock.global;
            if limits.deadlocks && (global || !local_deadlock_seen) {
                local_deadlock_seen = true;
                violations.push(Violation { kind: ViolationKind::Deadlock(deadlock), moves: schedule.len() });
            }
            if global {
                break Ended::Deadlock;
            }
        }
        if !any_enabled {
            // Every thread ended, and with the last one the process.
            if limits.leaks && state.threads.iter().all(|t| t.status == Status::Finished) {
                collect(
                    machine.leaks(&state, ThreadIndex::MAIN),
                    Vec::new(),
                    schedule.len(),
                    &mut violations,
                );
            }
            break Ended::Complete;
        }
        let Some(thread) = strategy.pick(&state, &readiness) else { break Ended::Stopped };
        let request = state.thread(thread).pending;
        let choice = request.map(|r| strategy.choose(&state, thread, r).min(r.last));
        schedule.push(Move { thread: state.thread(thread).number, choice });
        let outcome = machine.step(&mut state, thread, choice, &mut court.listener());
        collect(outcome.faults, court.new_races(), schedule.len(), &mut violations);
        invariants.judge(machine, &state, schedule.len(), &mut violations);
        if limits.leaks && matches!(state.thread(thread).status, Status::Stopped { .. }) {
            collect(machine.leaks(&state, thread), Vec::new(), schedule.len(), &mut violations);
        }
    };
    Execution { schedule, violations, state, ended, troubles: invariants.troubles }
}

/// Invariants are reported where they first fail.
#[derive(Default)]
struct Invariants {
    seen: Vec<usize>,
    troubles: Vec<(usize, String)>,
}

impl Invariants {
    fn judge(&mut self, machine: &Machine, state: &State, moves: usize, violations: &mut Vec<Violation>) {
        if machine.settings.invariants.is_empty() {
            return;
        }
        let (broken, troubles) = machine.broken_invariants(state);
        for one in broken {
            if !self.seen.contains(&one.index) {
                self.seen.push(one.index);
                violations.push(Violation { kind: ViolationKind::Invariant(one), moves });
            }
        }
        for trouble in troubles {
            if self.troubles.iter().all(|(index, _)| *index != trouble.0) {
                self.troubles.push(trouble);
            }
        }
    }
}

/// Faults after which the run continues are reported once a place and kind.
#[derive(Default)]
struct SeenFaults(
    rustc_hash::FxHashSet<(
        std::mem::Discriminant<crate::semantics::fault::FaultKind>,
        crate::semantics::fault::CodePoint,
        String,
    )>,
);

impl SeenFaults {
    fn is_new(&mut self, fault: &Fault) -> bool {
        self.0.insert((std::mem::discriminant(&fault.kind), fault.user, fault.message.clone()))
    }
}

/// Whether any thread ended the whole process, and how.
pub fn exit_code(state: &State) -> Option<i32> {
    state.threads().find_map(|(_, t)| match t.status {
        Status::Stopped { code, .. } => Some(code),
        _ => None,
    })
}
