//! The engine in all its configurations against brute force, on one program.

#![allow(dead_code)]

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

use raddle_conformance::Random;
use raddle_conformance::concurrent::{Bounds, Reached, brute_force, races};
use raddle_explicit::{Config, Discovery, Explored, Order, Storage, explore};
use raddle_ir::Program;
use raddle_machine::drive::{Move, ViolationKind};
use raddle_machine::{EncodeOptions, Machine, RaceMonitor, Settings, Signature, State};
use raddle_trace::{Budget, Observer, Property};

/// States of a program, at most, to be compared.
const STATES: usize = 3000;
/// Executions that are looked at for races.
const EXECUTIONS: usize = 300;

pub struct Silent;
impl Observer for Silent {
    fn progress(&mut self, _: &raddle_trace::Progress) {}
}

/// Programs that call this function are run with the reuse of addresses.
const WITH_REUSE: &str = "look_with_reuse";

pub fn settings(program: &Program, fuse_alone: bool) -> Settings {
    let called = |f: &raddle_ir::Function| {
        f.code.iter().any(|inst| match inst {
            raddle_ir::Inst::Call(call) => match call.callee {
                raddle_ir::Callee::Direct(callee) => program.function(callee).name == WITH_REUSE,
                raddle_ir::Callee::Indirect(_) => false,
            },
            _ => false,
        })
    };
    let reuse_addresses = program.functions.iter().any(called);
    Settings { fuse_alone, local_limit: 2000, reuse_addresses, ..Settings::default() }
}

pub fn machine(program: &Arc<Program>, fuse_alone: bool) -> Machine {
    Machine::new(program.clone(), settings(program, fuse_alone)).expect("small")
}

pub fn parse(text: &str) -> Arc<Program> {
    let program = raddle_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    raddle_ir::verify::verify(&program).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    Arc::new(program)
}

/// How the engine is run.
#[derive(Clone, Debug)]
pub struct How {
    pub fuse_alone: bool,
    pub superstep: u32,
    pub ample: bool,
    pub patterns: bool,
    pub sleep: bool,
    pub order: Order,
    pub storage: Storage,
    pub workers: usize,
    pub races: bool,
    pub leaks: bool,
    pub bounds: Bounds,
}

impl Default for How {
    fn default() -> How {
        How {
            fuse_alone: true,
            superstep: 1000,
            ample: false,
            patterns: false,
            sleep: false,
            order: Order::Breadth,
            storage: Storage::Exact,
            workers: 1,
            races: false,
            leaks: false,
            bounds: Bounds::default(),
        }
    }
}

impl How {
    pub fn run(&self, program: &Arc<Program>) -> Explored {
        use Property::*;
        let mut properties = vec![Assert, Deadlock, Memsafety, Overflow, Locks];
        properties.extend(self.races.then_some(Race));
        properties.extend(self.leaks.then_some(Leak));
        let mut config = Config::new(properties);
        config.superstep = self.superstep;
        config.ample = self.ample;
        config.patterns = self.patterns;
        config.sleep = self.sleep;
        config.order = self.order;
        config.storage = self.storage;
        config.context_switches = self.bounds.switches;
        config.preemptions = self.bounds.preemptions;
        let budget = Budget { workers: self.workers, ..Budget::default() };
        explore(program, &settings(program, self.fuse_alone), &config, &budget, &mut Silent).expect("small")
    }
}

pub fn violated(explored: &Explored) -> BTreeSet<&'static str> {
    explored.discoveries.iter().map(|d| d.property.word()).collect()
}

/// Follows a schedule; `None` when a move is not possible.
fn follow(machine: &Machine, schedule: &[Move]) -> Option<(State, Vec<raddle_machine::Fault>, RaceMonitor)> {
    let mut monitor = RaceMonitor::new();
    let (mut state, outcome) = machine.start(&mut monitor);
    let mut faults = outcome.faults;
    faults.extend(machine.leaks(&state, raddle_machine::ThreadIndex::MAIN));
    for one in schedule {
        if matches!(state.end(), Some(raddle_machine::RunEnd::MemoryFault)) {
            break;
        }
        let index = state.thread_numbered(one.thread)?;
        if state.thread(index).pending.is_some() != one.choice.is_some() || !state.thread(index).is_running()
        {
            return None;
        }
        let outcome = machine.step(&mut state, index, one.choice, &mut monitor);
        if outcome.blocked.is_some() {
            return None;
        }
        faults = outcome.faults;
        if matches!(state.thread(index).status, raddle_machine::Status::Stopped { .. })
            || state.threads().all(|(_, t)| t.status == raddle_machine::Status::Finished)
        {
            faults.extend(machine.leaks(&state, index));
        }
    }
    Some((state, faults, monitor))
}

/// Whether one of the schedules shows the violation on the machine.
pub fn replays(machine: &Machine, discovery: &Discovery) -> bool {
    discovery.schedules.iter().any(|schedule| {
        let Some((mut state, faults, monitor)) = follow(machine, schedule) else { return false };
        match &discovery.signature {
            // If the second access is a memory fault whichever comes second, that row tells.
            None => {
                !monitor.races().is_empty()
                    || matches!(state.end(), Some(raddle_machine::RunEnd::MemoryFault))
            }
            Some(signature @ Signature::Deadlock { .. }) => {
                let deadlock = machine.deadlock(&mut state).map(ViolationKind::Deadlock);
                deadlock.is_some_and(|d| Signature::of(machine, &d) == *signature)
            }
            Some(signature) => {
                let of = |f: &raddle_machine::Fault| Signature::of(machine, &ViolationKind::Fault(f.clone()));
                faults.iter().any(|f| of(f) == *signature)
            }
        }
    })
}

/// What the comparisons saw, to know that they are worth something.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub programs: u64,
    pub too_large: u64,
    pub runs: u64,
    pub states: u64,
    pub races: u64,
    pub all_executions: u64,
    pub unordered: u64,
    /// Races with an access inside a section that no schedule shows.
    pub unshown: u64,
    pub bounded: u64,
    /// Steps that were taken alone because of a lock that the thread holds, and runs with such steps.
    pub behind_locks: u64,
    pub runs_with_patterns: u64,
    pub violated: std::collections::BTreeMap<&'static str, u64>,
    pub safe: u64,
}

const EXACT: EncodeOptions =
    EncodeOptions { rename: false, yielded: false, dead_registers: None, leaks: true };
const RENAME: EncodeOptions =
    EncodeOptions { rename: true, yielded: false, dead_registers: None, leaks: true };

fn equal<T: PartialEq + Debug>(what: &str, how: &dyn Debug, engine: T, brute: T) -> Result<(), String> {
    if engine == brute {
        return Ok(());
    }
    Err(format!("{what}: engine {engine:?}, brute force {brute:?}\n{how:?}"))
}

/// Compares everything; the error tells the first disagreement.
pub fn compare(program: &Arc<Program>, seed: u64, thorough: bool, tally: &mut Tally) -> Result<(), String> {
    let mut by_fusion = Vec::new();
    for fuse_alone in [false, true] {
        let machine = machine(program, fuse_alone);
        let search = |options| brute_force(&machine, options, Bounds::default(), true, STATES);
        let (Some(exact), Some(renamed)) = (search(&EXACT), search(&RENAME)) else {
            tally.too_large += 1;
            return Ok(());
        };
        equal("exact and renamed", &fuse_alone, &renamed.violated, &exact.violated)?;
        equal("exact and renamed, race", &fuse_alone, renamed.race_by_state, exact.race_by_state)?;
        by_fusion.push(renamed);
    }
    let [single, fused] = &by_fusion[..] else { unreachable!() };
    equal("fused", &"", &fused.violated, &single.violated)?;
    let happens_before = races(&machine(program, false), EXECUTIONS, &mut Random::new(seed));
    tally.programs += 1;
    tally.states += single.states as u64;
    tally.all_executions += happens_before.all as u64;
    tally.races += happens_before.found.is_some() as u64;
    for word in &single.violated {
        *tally.violated.entry(word).or_default() += 1;
    }
    tally.safe += (single.violated.is_empty() && happens_before.found.is_none()) as u64;
    for (fuse_alone, reached) in [(false, single), (true, fused)] {
        for superstep in [1, 2, 3, 1000] {
            for workers in [1, 3] {
                for races in [false, true] {
                    if !thorough
                        && workers == 3
                        && !(superstep + races as u32 + seed as u32).is_multiple_of(4)
                    {
                        continue;
                    }
                    let plain = How { fuse_alone, superstep, workers, races, ..How::default() };
                    one(program, &plain, reached, happens_before.found.as_deref(), tally)?;
                    let ample = How { ample: true, ..plain.clone() };
                    one(program, &ample, reached, happens_before.found.as_deref(), tally)?;
                    let patterns = How { patterns: true, ..ample };
                    one(program, &patterns, reached, happens_before.found.as_deref(), tally)?;
                    let ample = (seed + superstep as u64 + workers as u64).is_multiple_of(2);
                    let asleep = How { sleep: true, ample, ..plain.clone() };
                    one(program, &asleep, reached, happens_before.found.as_deref(), tally)?;
                    if workers == 1 {
                        let ample = (seed + superstep as u64).is_multiple_of(2);
                        let storage = if seed.is_multiple_of(3) { Storage::Compact } else { Storage::Exact };
                        let deep = How { order: Order::Depth, storage, ample, patterns: ample, ..plain };
                        one(program, &deep, reached, happens_before.found.as_deref(), tally)?;
                    }
                }
            }
        }
        let how = How { fuse_alone, races: true, leaks: true, ample: true, patterns: true, ..How::default() };
        one(program, &how, reached, happens_before.found.as_deref(), tally)?;
    }
    bounded(program, seed, thorough, single, tally)
}

fn one(
    program: &Arc<Program>,
    how: &How,
    reached: &Reached,
    race: Option<&[Move]>,
    tally: &mut Tally,
) -> Result<(), String> {
    let explored = how.run(program);
    tally.runs += 1;
    tally.behind_locks += explored.behind_locks;
    tally.runs_with_patterns += (explored.behind_locks > 0) as u64;
    let mut expected = reached.violated.clone();
    if !how.leaks {
        expected.remove("leak");
    }
    let mut seen = violated(&explored);
    let engine_race = seen.remove("race");
    equal("violated", how, &seen, &expected)?;
    if how.races {
        equal("race by state", how, engine_race, reached.race_by_state)?;
        tally.unordered += explored.unordered.is_some() as u64;
        if race.is_some() && !engine_race && explored.unordered.is_none() {
            return Err(format!("a race by happens-before is not found: {race:?}\n{how:?}"));
        }
    }
    let complete = explored.stopped.is_none();
    if complete {
        equal("unsupported", how, !explored.unsupported.is_empty(), reached.unsupported)?;
        equal("exposed", how, explored.exposed, reached.exposed)?;
    }
    if complete && explored.superstep == 1 && !reached.exposed {
        if how.leaks && how.order == Order::Breadth {
            equal("states", how, explored.states, reached.states as u64)?;
        } else if explored.states > reached.states as u64 {
            equal("more states", how, explored.states, reached.states as u64)?;
        }
    }
    let machine = machine(program, how.fuse_alone);
    for discovery in &explored.discoveries {
        if !replays(&machine, discovery) {
            // The section may end the run, or order the accesses: no verdict comes of it.
            if discovery.in_section {
                tally.unshown += 1;
                continue;
            }
            return Err(format!("does not replay: {discovery:?}\n{how:?}"));
        }
    }
    Ok(())
}

/// With bounds on switches.
fn bounded(
    program: &Arc<Program>,
    seed: u64,
    thorough: bool,
    unbounded: &Reached,
    tally: &mut Tally,
) -> Result<(), String> {
    let single = machine(program, false);
    let mut all = Vec::new();
    for n in 0..4 {
        all.push(Bounds { switches: Some(n), preemptions: None });
        all.push(Bounds { switches: None, preemptions: Some(n) });
        all.push(Bounds { switches: Some(n + 2), preemptions: Some(n % 3) });
    }
    for (i, bounds) in all.into_iter().enumerate() {
        if !thorough && !(i as u64 + seed).is_multiple_of(4) {
            continue;
        }
        // Whether a thread has yielded is kept beside the state.
        let Some(reached) = brute_force(&single, &RENAME, bounds, false, 4 * STATES) else { continue };
        for fuse_alone in [false, true] {
            let workers = 1 + 2 * (seed as usize % 2);
            let how = How { fuse_alone, workers, races: true, ample: true, bounds, ..How::default() };
            let explored = how.run(program);
            tally.runs += 1;
            tally.bounded += 1;
            let mut seen = violated(&explored);
            let race = seen.remove("race");
            equal("bounded", &how, &seen, &reached.violated)?;
            equal("bounded race", &how, race, reached.race_by_state)?;
            if !explored.cut && explored.stopped.is_none() {
                let mut expected = unbounded.violated.clone();
                expected.remove("leak");
                equal("nothing was cut", &how, (&seen, race), (&expected, unbounded.race_by_state))?;
            }
            let machine = machine(program, fuse_alone);
            if let Some(bad) = explored.discoveries.iter().find(|d| !d.in_section && !replays(&machine, d)) {
                return Err(format!("does not replay: {bad:?}\n{how:?}"));
            }
        }
    }
    Ok(())
}
