//! Rounds, unwinding and queries: from a program to what holds in all its executions.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use raddle_machine::drive::Move;
use raddle_machine::{CodePoint, Machine};
use raddle_solver::{Certificate, OrderingEncoding, SolverOptions, Stop, Stopped, Term, Terms};
use raddle_trace::{Budget, StopReason};
use rustc_hash::FxHashMap;

use crate::confirmed::{Confirmed, Violated, with_confirmation};
use crate::conflict_limit::ConflictLimit;
use crate::executor::{Bounds, Executor, Failure, Limits};
use crate::interleavings::{self, Switches};
use crate::order::Encoding;
use crate::sharing::Knowledge;
use crate::unrolling::{CutPlace, FaultClass, SymbolicFault, Unrolling};

/// How interleavings are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// All as one ordering problem.
    Order,
    /// One after another, with queries on the way.
    Lazy,
    /// All in one formula with a schedule.
    Record,
    /// That formula with few schedules first, widened by what unsatisfiable cores need.
    Widen,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Config {
    pub style: Style,
    /// Interleavings with more are left out; by [`Style::Order`] none is.
    pub switches: Switches,
    pub classes: Vec<FaultClass>,
    pub deadlocks: bool,
    pub races: bool,
    /// A ceiling for every loop and recursion.
    pub unwind: Option<u32>,
    /// Ceilings for some.
    pub unwind_loops: Vec<(CutPlace, u32)>,
    pub max_nodes: usize,
    pub max_instructions: u64,
    /// Pairs of accesses to one location: what the formula grows with.
    pub max_pairs: u64,
    /// Conflicts of the solver, for one unrolling.
    pub max_conflicts: Option<u64>,
    /// How orderings are decided; `None`: by their size.
    pub ordering: Option<OrderingEncoding>,
    /// Receives the certificate of every answer of no.
    pub certify: Option<Certify>,
}

/// What is done with certificates.
#[derive(Clone)]
pub struct Certify(pub Arc<dyn Fn(Certificate) + Send + Sync>);

impl std::fmt::Debug for Certify {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Certify")
    }
}

/// Up to so many nodes the order is decided by clauses, whose literals for the order of two nodes shorten proofs
/// about values; they grow too fast for more.
const MOST_NODES_FOR_CLAUSES: usize = 120;

/// The answer to one query.
#[derive(Clone, Debug)]
pub struct Query {
    pub class: FaultClass,
    /// A schedule on which it happens.
    pub found: Option<Vec<Move>>,
    /// It happens only in executions with another fault that ends runs, which may come first.
    pub doubtful: bool,
}

/// What was found out.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Classes that were decided within the last unwinding that was completed.
    pub queries: Vec<Query>,
    /// A schedule that ends in a deadlock, if deadlocks were asked for.
    pub deadlock: Option<Vec<Move>>,
    /// A schedule with a race, if races were asked for.
    pub race: Option<Vec<Move>>,
    /// It happens only in executions with another fault that ends runs, which may come first.
    pub race_doubtful: bool,
    /// What this engine does not support of races.
    pub race_limits: Option<(String, CodePoint)>,
    /// A fault of locks is reachable.
    pub misuse: bool,
    /// Reachable code that no engine supports, or that this one does not.
    pub unsupported: Option<(String, CodePoint)>,
    pub limits: Option<(String, CodePoint)>,
    /// A memory fault is reachable, asked for or not.
    pub memory_fault: Option<CodePoint>,
    /// Loops that were cut, with the bounds within which the queries were answered; empty: every execution is covered.
    pub cut: Vec<(CutPlace, u32)>,
    /// Interleavings were left out because of their switches.
    pub cut_switches: bool,
    /// Before any unwinding was completed: bounds on switches within which no violation exists, and loops that were cut there.
    pub explored: Option<(Switches, Vec<(CutPlace, u32)>)>,
    /// The search for races was stopped, after it was completed within bounds on switches; the other rows are decided.
    pub races_stopped: Option<(StopReason, Option<Switches>)>,
    /// It was stopped when it had found violations, before it was known whether the engine supports all of the program.
    pub partial: bool,
    /// An unwinding was completed: its queries were all answered.
    pub completed: bool,
    pub stopped: Option<StopReason>,
    pub too_large: Option<String>,
    pub exposed: bool,
    pub approximate: bool,
    pub statistics: Vec<(&'static str, u64)>,
    pub times: Times,
}

/// Where the time went, over all unwindings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Execution of the threads on terms.
    pub execution: Duration,
    /// From an unrolling to clauses; by the other styles also the exploration of the tree.
    pub encoding: Duration,
    /// In the solver. Its clauses for an assumption that is new are part of it.
    pub solving: Duration,
}

/// Rounds until nothing new is learnt; more than this is given up.
const MOST_ROUNDS: u32 = 200;
/// Iterations of one loop, before it is known which bytes are shared.
const FIRST_ITERATIONS: u32 = 64;
/// The stack of the executor, which follows calls of the program.
const STACK: usize = 1 << 30;

/// Checks a program.
pub fn check(machine: impl Fn() -> Machine + Send + Sync, config: &Config, budget: &Budget) -> Outcome {
    check_confirming(machine, config, budget, &mut |_, _| false)
}

/// Checks a program. Schedules that are found are handed to `confirm` at once, so that they are not lost when the search is
/// terminated; what it accepts as a violation is not searched for again with more unwinding.
pub fn check_confirming(
    machine: impl Fn() -> Machine + Send + Sync,
    config: &Config,
    budget: &Budget,
    confirm: &mut dyn FnMut(Violated, &[Move]) -> bool,
) -> Outcome {
    let run = |confirmed: &mut Confirmed| search(&machine(), config, budget, confirmed);
    with_confirmation(STACK, run, confirm).unwrap_or_else(|| Outcome {
        too_large: Some("there is no memory for the stack".into()),
        ..Outcome::default()
    })
}

fn search(machine: &Machine, config: &Config, budget: &Budget, confirmed: &mut Confirmed) -> Outcome {
    let mut outcome = Outcome::default();
    unwind(machine, config, budget, confirmed, &mut outcome);
    let Times { execution, encoding, solving } = outcome.times;
    outcome.statistics.extend([
        ("execution-ms", execution.as_millis() as u64),
        ("encoding-ms", encoding.as_millis() as u64),
        ("solving-ms", solving.as_millis() as u64),
    ]);
    outcome
}

fn unwind(
    machine: &Machine,
    config: &Config,
    budget: &Budget,
    confirmed: &mut Confirmed,
    outcome: &mut Outcome,
) {
    // What more unrolling shows is added to what is known.
    let mut knowledge = Knowledge::default();
    let mut bounds = Bounds {
        initial: 1,
        loops: FxHashMap::default(),
        ceiling: config.unwind,
        ceilings: config.unwind_loops.iter().copied().collect(),
    };
    loop {
        let started = Instant::now();
        let unrolled = unroll(machine, config, budget, &bounds, &mut knowledge, outcome);
        outcome.times.execution += started.elapsed();
        let (unrolling, mut terms) = match unrolled {
            Ok(unrolled) => unrolled,
            Err(Failure::Stopped) => {
                outcome.stopped = budget.stop_reason().or(Some(StopReason::OutOfMemory));
                return;
            }
            Err(Failure::TooLarge(what)) => {
                outcome.too_large = Some(what);
                return;
            }
        };
        let pairs = crate::order::pairs(&unrolling);
        if config.style == Style::Order && pairs > config.max_pairs {
            outcome.too_large = Some(format!("{pairs} pairs of accesses to one location"));
            return;
        }
        let (started, solved_before) = (Instant::now(), outcome.times.solving);
        let solved = match config.style {
            Style::Order => solve(&unrolling, &terms, config, budget, confirmed, outcome),
            _ => {
                let limits = (budget, &bounds);
                interleavings::solve(&unrolling, &mut terms, config, limits, confirmed, outcome)
            }
        };
        let solving = outcome.times.solving - solved_before;
        outcome.times.encoding += started.elapsed().saturating_sub(solving);
        match solved.map(|()| unwound(config, &bounds, outcome)) {
            Ok(grown) if grown.is_empty() => return,
            Ok(grown) => {
                for place in grown {
                    let bound = bounds.of(place);
                    bounds.loops.insert(place, bound * 2);
                }
            }
            Err(Stopped) => {
                outcome.stopped = budget.stop_reason().or(outcome.stopped);
                if outcome.stopped.is_none() {
                    outcome.too_large = Some("the limit of the solver's conflicts was reached".into());
                }
                return;
            }
        }
    }
}

/// Rounds of execution until what one assumed is what it found.
fn unroll(
    machine: &Machine,
    config: &Config,
    budget: &Budget,
    bounds: &Bounds,
    knowledge: &mut Knowledge,
    outcome: &mut Outcome,
) -> Result<(Unrolling, Terms), Failure> {
    let stop = |bytes: usize| budget.stop_reason().is_some() || too_much(budget, bytes as u64);
    let mut iterations = FIRST_ITERATIONS;
    for round in 0..MOST_ROUNDS {
        knowledge.rounds += 1;
        let limits = Limits {
            round: knowledge.rounds,
            instructions: config.max_instructions,
            iterations,
            nodes: config.max_nodes,
            stop: &stop,
        };
        let mut executor = Executor::new(machine, &machine.program, knowledge, bounds, limits);
        executor.probes = config.deadlocks;
        executor.by_order = config.style == Style::Order;
        executor.races = config.races;
        let executed = executor.run();
        budget.spend(executor.steps);
        executed?;
        executor.learned.instances = executor.out.threads.iter().map(|thread| thread.number).collect();
        let mut learned = executor.learned.clone();
        learned.exposed |= executor.exposed;
        executor.accesses.contend(&executor.out.threads, &executor.created_after, &mut learned);
        if learned == *knowledge && executor.endless {
            iterations = iterations.saturating_mul(8);
            continue;
        }
        if learned == *knowledge {
            outcome.exposed = executor.exposed;
            outcome.approximate = executor.approximate;
            // That of earlier unwindings is kept.
            outcome.statistics.retain(|(name, _)| *name == "solver-microseconds");
            outcome.statistics.extend([
                ("rounds", round as u64 + 1),
                ("events", executor.out.events.len() as u64),
                ("nodes", executor.out.nodes.len() as u64),
                ("checks", executor.out.faults.len() as u64),
                ("threads-unrolled", executor.out.threads.len() as u64),
                ("terms", executor.d.with(|t| t.len()) as u64),
                ("unwind-max", bounds.loops.values().copied().max().unwrap_or(bounds.initial) as u64),
            ]);
            let Executor { out, d, .. } = executor;
            return Ok((out, d.into_terms()));
        }
        drop(executor);
        *knowledge = learned;
    }
    Err(Failure::TooLarge(format!("sharing was not known after {MOST_ROUNDS} rounds")))
}

pub(crate) fn too_much(budget: &Budget, bytes: u64) -> bool {
    budget.memory_limit_mb.is_some_and(|limit| bytes > limit << 20)
}

/// Asks everything of one unrolling.
fn solve(
    unrolling: &Unrolling,
    terms: &Terms,
    config: &Config,
    budget: &Budget,
    confirmed: &mut Confirmed,
    outcome: &mut Outcome,
) -> Result<(), Stopped> {
    let conflicts = ConflictLimit::new(config.max_conflicts, budget);
    let budget = budget.clone();
    let stop = Stop::when(move || budget.stop_reason().is_some());
    let by_size = match unrolling.nodes.len() {
        0..=MOST_NODES_FOR_CLAUSES => OrderingEncoding::Clauses,
        _ => OrderingEncoding::Theory,
    };
    let options = SolverOptions {
        encoding: config.ordering.unwrap_or(by_size),
        certify: config.certify.is_some(),
        ..SolverOptions::default()
    };
    let limits = (conflicts, config.certify.clone());
    let mut encoding = Encoding::new(unrolling, terms, options, limits, &stop)?;
    let mut answers = Outcome::default();
    let asked = ask(&mut encoding, unrolling, config, confirmed, &mut answers);
    outcome.times.solving += encoding.statistics.solving;
    let found = |class: FaultClass| {
        let query = |query: &&Query| query.class == class && query.found.is_some();
        answers.queries.iter().find(query)
    };
    if asked.is_err() {
        // Violations that were found are not lost.
        for query in config.classes.iter().filter_map(|class| found(*class)) {
            outcome.queries.retain(|other| other.class != query.class);
            outcome.queries.push(query.clone());
            outcome.partial = true;
        }
        if answers.race.is_some() {
            outcome.race_doubtful = answers.race_doubtful;
        }
        for (known, new) in [(&mut outcome.deadlock, answers.deadlock), (&mut outcome.race, answers.race)] {
            if new.is_some() {
                *known = new;
                outcome.partial = true;
            }
        }
        return Err(Stopped);
    }
    let Outcome { exposed, approximate, times, .. } = *outcome;
    let mut statistics = std::mem::take(&mut outcome.statistics);
    let before = statistics.iter().find(|(name, _)| *name == "solver-microseconds").map_or(0, |(_, n)| *n);
    statistics.retain(|(name, _)| *name != "solver-microseconds");
    let of_solver = encoding.solver_statistics();
    statistics.extend([
        ("reads-from", encoding.statistics.reads_from),
        ("write-orders", encoding.statistics.write_orders),
        ("locations", encoding.statistics.locations),
        ("locks", encoding.statistics.locks),
        ("conflicts", of_solver.conflicts),
        ("clauses", of_solver.clauses),
        ("solver-variables", of_solver.variables),
        ("decisions", of_solver.decisions),
        ("theory-conflicts", of_solver.theory.conflicts),
        ("theory-propagations", of_solver.theory.propagations),
        ("solver-microseconds", before + encoding.solver.time().as_micros() as u64),
    ]);
    *outcome = Outcome { exposed, approximate, statistics, times, ..answers };
    Ok(())
}

/// The queries: first what may find a violation, then what a proof needs.
fn ask(
    encoding: &mut Encoding,
    unrolling: &Unrolling,
    config: &Config,
    confirmed: &mut Confirmed,
    outcome: &mut Outcome,
) -> Result<(), Stopped> {
    let terms = encoding.terms;
    let guards = |class: FaultClass| -> Vec<Term> {
        unrolling.faults.iter().filter(|f| f.class == class).map(|f| f.guard).collect()
    };
    // A failed assertion or a memory fault ends the run: other faults are looked for without one, if that is possible.
    let ends: Vec<Term> = [FaultClass::Assertion, FaultClass::Memory].into_iter().flat_map(guards).collect();
    for class in &config.classes {
        let asked = guards(*class);
        let others: Vec<Term> = ends.iter().filter(|guard| !asked.contains(guard)).copied().collect();
        let violated = Violated::Fault(*class);
        let mut query = Query { class: *class, found: confirmed.schedule(violated), doubtful: false };
        if query.found.is_none() && !asked.is_empty() {
            if encoding.reaches(&asked, &others)? {
                query.found = Some(confirmed.found(violated, encoding.schedule()));
            } else if !others.is_empty() && encoding.reaches(&asked, &[])? {
                query.found = Some(confirmed.found(violated, encoding.schedule()));
                query.doubtful = confirmed.schedule(violated).is_none();
            }
        }
        outcome.queries.push(query);
    }
    outcome.deadlock = confirmed.schedule(Violated::Deadlock);
    if config.deadlocks && outcome.deadlock.is_none() {
        outcome.misuse = encoding.reaches(&guards(FaultClass::Locks), &[])?;
        outcome.deadlock = match encoding.deadlock(&ends)? {
            true => Some(confirmed.found(Violated::Deadlock, encoding.schedule())),
            false => None,
        };
    }
    outcome.race = confirmed.schedule(Violated::Race);
    if config.races && outcome.race.is_none() {
        let race = encoding.race()?;
        if encoding.holds_somewhere(race, &ends)? {
            outcome.race = Some(confirmed.found(Violated::Race, encoding.schedule()));
        } else if unrolling.faults.iter().any(SymbolicFault::is_inevitable)
            && encoding.holds_somewhere(race, &[])?
        {
            outcome.race = Some(confirmed.found(Violated::Race, encoding.schedule()));
            outcome.race_doubtful = confirmed.schedule(Violated::Race).is_none();
        }
    }
    // In most programs nothing stands in the way of a proof: one query instead of many.
    let memory = guards(FaultClass::Memory);
    let limits = unrolling.unsupported.iter().chain(&unrolling.unsupported_for_races);
    let limits = limits.map(|limit| limit.guard).chain(unrolling.cuts.iter().map(|cut| cut.guard));
    let all: Vec<Term> = limits.chain(memory.iter().copied()).collect();
    if all.is_empty() || !encoding.reaches(&all, &[])? {
        return Ok(());
    }
    for limit in &unrolling.unsupported_for_races {
        if outcome.race_limits.is_none() && encoding.reaches(&[limit.guard], &[])? {
            outcome.race_limits = Some((limit.reason.clone(), limit.at));
        }
    }
    if !memory.is_empty() && encoding.reaches(&memory, &[])? {
        let assignment = encoding.assignment();
        let mut cache = raddle_solver::Evaluation::new();
        let mut happens = |fault: &&SymbolicFault| {
            fault.class == FaultClass::Memory
                && !terms.evaluate(fault.guard, &assignment, &mut cache).is_zero()
        };
        outcome.memory_fault = unrolling.faults.iter().find(|fault| happens(fault)).map(|f| f.at);
        outcome.memory_fault = outcome
            .memory_fault
            .or_else(|| unrolling.faults.iter().find(|f| f.class == FaultClass::Memory).map(|f| f.at));
    }
    for of_program in [true, false] {
        let of_kind = unrolling.unsupported.iter().filter(|l| l.of_program == of_program);
        let of_kind: Vec<Term> = of_kind.map(|limit| limit.guard).collect();
        if !encoding.reaches(&of_kind, &[])? {
            continue;
        }
        for limit in unrolling.unsupported.iter().filter(|l| l.of_program == of_program) {
            let found = if of_program { &outcome.unsupported } else { &outcome.limits };
            if found.is_none() && encoding.reaches(&[limit.guard], &[])? {
                let place = Some((limit.reason.clone(), limit.at));
                if of_program { outcome.unsupported = place } else { outcome.limits = place }
            }
        }
    }
    let mut cut = BTreeSet::new();
    let mut open: Vec<(CutPlace, Term)> = unrolling.cuts.iter().map(|c| (c.place, c.guard)).collect();
    while !open.is_empty() {
        let all: Vec<Term> = open.iter().map(|(_, guard)| *guard).collect();
        if !encoding.reaches(&all, &[])? {
            break;
        }
        let assignment = encoding.assignment();
        let mut cache = raddle_solver::Evaluation::new();
        let reached: BTreeSet<CutPlace> = open
            .iter()
            .filter(|(_, guard)| !terms.evaluate(*guard, &assignment, &mut cache).is_zero())
            .map(|(place, _)| *place)
            .collect();
        open.retain(|(place, _)| !reached.contains(place));
        if reached.is_empty() {
            break;
        }
        cut.extend(reached);
    }
    outcome.cut = cut.into_iter().map(|place| (place, 0)).collect();
    Ok(())
}

/// An unrolling was completed: the loops that must be unrolled further, or none.
fn unwound(config: &Config, bounds: &Bounds, outcome: &mut Outcome) -> Vec<CutPlace> {
    let all_found = outcome.queries.iter().all(|query| query.found.is_some())
        && (!config.deadlocks || outcome.deadlock.is_some())
        && (!config.races || outcome.race.is_some());
    let stuck = outcome.limits.is_some() || outcome.unsupported.is_some() || outcome.races_stopped.is_some();
    outcome.completed = true;
    for (place, bound) in &mut outcome.cut {
        *bound = bounds.of(*place);
    }
    let cut: Vec<CutPlace> = outcome.cut.iter().map(|(place, _)| *place).collect();
    let at_ceiling =
        |place: &CutPlace| bounds.ceiling_of(*place).is_some_and(|ceiling| bounds.of(*place) >= ceiling);
    if all_found || stuck || outcome.memory_fault.is_some() {
        return Vec::new();
    }
    cut.into_iter().filter(|place| !at_ceiling(place)).collect()
}
