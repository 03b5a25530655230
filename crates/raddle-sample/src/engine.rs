//! Many schedules, one after the other, until the budget is spent.

use std::sync::Arc;

use raddle_machine::drive::{Ended, Limits, Move, Strategy, ViolationKind, drive};
use raddle_machine::{CodePoint, Machine, RaceMonitor, RunEnd, Signature, user_point};
use raddle_trace::{Budget, Observer, Progress, Property, StopReason};

use crate::directed::{Directed, Target, is_there};
use crate::{Bounded, Generator, Pct, Random};

/// Which engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One random schedule, by seed.
    Run,
    Random,
    Pct {
        depth: u32,
    },
    /// Towards the lines of the configuration.
    Directed,
}

#[derive(Clone, Debug)]
pub struct Config {
    pub kind: Kind,
    pub schedules: u64,
    pub properties: Vec<Property>,
    /// Moves of one run.
    pub max_moves: u64,
    /// The number of the first schedule: batches of one seed go on where the last one ended.
    pub first: u64,
    pub context_switches: Option<u64>,
    pub preemptions: Option<u64>,
    /// Of [`Kind::Directed`]: it ends with a race or deadlock that is there.
    pub towards: Vec<Target>,
}

/// A violation and the schedule that leads to it.
#[derive(Clone, Debug)]
pub struct Found {
    pub signature: Signature,
    pub moves: Schedule,
}

/// The beginning of a run. Violations of one run share it: where thousands of places race, each has its own beginning.
#[derive(Clone, Debug)]
pub struct Schedule {
    run: Arc<[Move]>,
    length: usize,
}

impl std::ops::Deref for Schedule {
    type Target = [Move];
    fn deref(&self) -> &[Move] {
        &self.run[..self.length]
    }
}

impl From<Vec<Move>> for Schedule {
    fn from(moves: Vec<Move>) -> Schedule {
        Schedule { length: moves.len(), run: moves.into() }
    }
}

/// What sampling saw.
#[derive(Clone, Debug, Default)]
pub struct Sampled {
    pub found: Vec<Found>,
    pub executions: u64,
    pub moves: u64,
    pub longest: u64,
    /// Runs that were cut at `max_moves`, and where the last of them was.
    pub cut: u64,
    pub cut_at: Option<CodePoint>,
    /// What the tool could not do, where; each once.
    pub unsupported: Vec<(String, CodePoint)>,
    /// A memory fault that ended a run.
    pub memory_fault: Option<CodePoint>,
    pub stopped: Option<StopReason>,
    /// Runs that ended in something that the tool cannot do.
    pub fruitless: u64,
    /// Pointers became integers or the other way round.
    pub exposed: bool,
    /// Invariants that had no value in some state, and why.
    pub troubles: Vec<(String, String)>,
    /// Whether deadlocks at different places are kept.
    every_deadlock: bool,
    /// A violation at all the lines was found.
    pub arrived: bool,
}

/// Runs that may end in something unsupported, if all do, before sampling is given up.
const FRUITLESS: u64 = 50;

/// Samples schedules.
pub fn sample(machine: &Machine, config: &Config, budget: &Budget, observer: &mut dyn Observer) -> Sampled {
    let mut result = Sampled { every_deadlock: config.kind == Kind::Directed, ..Sampled::default() };
    let races = config.properties.contains(&Property::Race);
    let limits = Limits {
        max_moves: config.max_moves,
        deadline: budget.timeout.map(|t| budget.started + t),
        cancel: budget.cancel.clone(),
        memory_is_full: budget.memory_is_full.clone(),
        deadlocks: config.properties.contains(&Property::Deadlock),
        leaks: config.properties.contains(&Property::Leak),
    };
    let schedules = if config.kind == Kind::Run { 1 } else { config.schedules };
    for run in config.first..config.first.saturating_add(schedules) {
        if run % 64 == 63 {
            observer.progress(&Progress {
                engine: engine_word(config.kind).into(),
                executions: Some(run),
                steps: Some(result.moves),
                ..Progress::default()
            });
        }
        if let Some(reason) = budget.stop_reason() {
            result.stopped = Some(reason);
            break;
        }
        let generator = Generator::for_run(budget.seed, run);
        let mut monitor = RaceMonitor::new();
        let judge = races.then_some(&mut monitor);
        let bounded = |strategy| Bounded::new(strategy, config.context_switches, config.preemptions);
        let execution = match config.kind {
            // The first run of pct only measures how long runs are.
            Kind::Pct { depth } if run > config.first => {
                let depth = 1 + (run % depth.max(1) as u64) as u32;
                let strategy: Box<dyn Strategy> = Box::new(Pct::new(generator, depth, result.longest));
                drive(machine, &mut bounded(strategy), judge, &mut (), &limits)
            }
            Kind::Directed => {
                let directed = Directed::new(machine, &config.towards, generator);
                let mut strategy = Bounded::new(directed, config.context_switches, config.preemptions);
                drive(machine, &mut strategy, judge, &mut (), &limits)
            }
            _ => drive(machine, &mut bounded(Box::new(Random::new(generator))), judge, &mut (), &limits),
        };
        match execution.ended {
            // Not a whole run: what it broke counts, what it did not break means nothing.
            Ended::Cancelled => result.stopped = budget.stop_reason().or(Some(StopReason::Cancelled)),
            _ => result.executions += 1,
        }
        result.moves += execution.schedule.len() as u64;
        result.longest = result.longest.max(execution.schedule.len() as u64);
        result.exposed |= execution.state.memory().exposed;
        for (index, why) in &execution.troubles {
            result.add_trouble(machine.settings.invariants[*index].text.clone(), why.clone());
        }
        if execution.ended == Ended::StepLimit {
            result.cut += 1;
            let last = execution.schedule.last().and_then(|m| execution.state.thread_numbered(m.thread));
            let at = last.map(|index| user_point(machine, execution.state.thread(index)));
            result.cut_at = at.or(result.cut_at);
        }
        if let Some(RunEnd::Unsupported { reason, user, .. }) = execution.state.end() {
            let seen = (reason.clone(), *user);
            if !result.unsupported.contains(&seen) {
                result.unsupported.push(seen);
            }
            // Runs that end this way decide nothing; after enough of them the verdict is clear.
            result.fruitless += 1;
            if result.is_fruitless() {
                break;
            }
        }
        let mut run: Option<Arc<[Move]>> = None;
        for violation in &execution.violations {
            if let ViolationKind::Fault(fault) = &violation.kind
                && matches!(fault.kind, raddle_machine::FaultKind::Memory(_))
            {
                result.memory_fault.get_or_insert(fault.user);
            }
            let signature = Signature::of(machine, &violation.kind);
            if config.properties.contains(&signature.property()) && !result.knows(&signature) {
                let run = run.get_or_insert_with(|| execution.schedule.as_slice().into()).clone();
                result.arrived |= is_there(&config.towards, &signature);
                result.found.push(Found { signature, moves: Schedule { run, length: violation.moves } });
            }
        }
        budget.spend(execution.schedule.len() as u64);
        if !result.found.is_empty() {
            budget.found();
        }
        if result.stopped.is_some() || result.arrived {
            break;
        }
    }
    result
}

impl Sampled {
    /// One counterexample a place; of deadlocks one of each kind, since their places vary with where others stand.
    fn knows(&self, signature: &Signature) -> bool {
        self.found.iter().any(|f| match (&f.signature, signature) {
            (Signature::Deadlock { .. }, Signature::Deadlock { .. }) if !self.every_deadlock => true,
            (a, b) => a == b,
        })
    }

    fn add_trouble(&mut self, text: String, why: String) {
        if self.troubles.iter().all(|(known, _)| *known != text) {
            self.troubles.push((text, why));
        }
    }

    /// Runs that were followed to their end.
    pub fn complete(&self) -> u64 {
        self.executions - self.cut
    }

    /// Every run ended in something that the tool cannot do: more of them decide nothing.
    pub fn is_fruitless(&self) -> bool {
        self.executions >= FRUITLESS && self.fruitless == self.executions
    }

    /// Adds what another sampling of the same program saw.
    pub fn merge(&mut self, other: Sampled) {
        self.every_deadlock |= other.every_deadlock;
        for found in other.found {
            if !self.knows(&found.signature) {
                self.found.push(found);
            }
        }
        self.executions += other.executions;
        self.moves += other.moves;
        self.longest = self.longest.max(other.longest);
        self.cut += other.cut;
        self.cut_at = other.cut_at.or(self.cut_at);
        for seen in other.unsupported {
            if !self.unsupported.contains(&seen) {
                self.unsupported.push(seen);
            }
        }
        for (text, why) in other.troubles {
            self.add_trouble(text, why);
        }
        self.memory_fault = self.memory_fault.or(other.memory_fault);
        self.fruitless += other.fruitless;
        self.stopped = self.stopped.or(other.stopped);
        self.exposed |= other.exposed;
        self.arrived |= other.arrived;
    }
}

pub fn engine_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Run => "run",
        Kind::Random => "random",
        Kind::Pct { .. } => "pct",
        Kind::Directed => "directed",
    }
}
