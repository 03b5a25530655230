//! Random concurrent programs: what the engine decides is what brute force finds, and every schedule that it gives shows its
//! violation on the machine. `RADDLE_PROGRAMS` and `RADDLE_SEED` set how many the long run takes, and where it begins.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use raddle_conformance::Random;
use raddle_conformance::concurrent::{
    Bounds, Concurrent, brute_force, compare_all, races, random_program, random_program_about_memory, setting,
};
use raddle_machine::drive::{Limits, Move, Strategy, ViolationKind, drive};
use raddle_machine::{
    ChoiceRequest, EncodeOptions, Machine, RaceMonitor, Readiness, Settings, State, ThreadIndex, property_of,
};
use raddle_symbolic::{Config, FaultClass, Outcome, Style, Switches, check};
use raddle_trace::{Budget, Property};

/// States of a program, at most, to be compared.
const STATES: usize = 20_000;
/// Executions that are examined for races.
const EXECUTIONS: usize = 300;

#[derive(Debug, Default)]
struct Tally {
    programs: u64,
    too_large: u64,
    /// Programs of which every row was decided.
    concluded: u64,
    /// Rows that were decided, and those that were not, with the reason.
    decided: u64,
    open: BTreeMap<String, u64>,
    violated: BTreeMap<&'static str, u64>,
}

const ROWS: [(Property, Option<FaultClass>); 6] = [
    (Property::Assert, Some(FaultClass::Assertion)),
    (Property::Memsafety, Some(FaultClass::Memory)),
    (Property::Overflow, Some(FaultClass::Arithmetic)),
    (Property::Locks, Some(FaultClass::Locks)),
    (Property::Deadlock, None),
    (Property::Race, None),
];

/// Why a row is open although nothing was found, if it is.
fn open(outcome: &Outcome, property: &Property) -> Option<String> {
    if let (Property::Race, Some((reason, _))) = (property, &outcome.race_limits) {
        return Some(reason.clone());
    }
    if let Some((reason, _)) = outcome.limits.as_ref().or(outcome.unsupported.as_ref()) {
        return Some(reason.clone());
    }
    if outcome.stopped.is_some() {
        return Some("time".into());
    }
    if outcome.races_stopped.is_some() && *property == Property::Race {
        return Some("time for races".into());
    }
    if let Some(what) = &outcome.too_large {
        return Some(what.clone());
    }
    if !outcome.cut.is_empty() {
        return Some("unwinding".into());
    }
    if outcome.memory_fault.is_some() && *property != Property::Memsafety {
        return Some("behind a memory fault".into());
    }
    (outcome.misuse && *property == Property::Deadlock).then(|| "misuse of locks".into())
}

/// The moves of a schedule, as far as they are possible.
struct Follow<'a> {
    moves: &'a [Move],
    next: usize,
}

impl Strategy for Follow<'_> {
    fn pick(&mut self, state: &State, readiness: &[Readiness]) -> Option<ThreadIndex> {
        let step = self.moves.get(self.next)?;
        let thread = state.thread_numbered(step.thread)?;
        let fits = state.thread(thread).pending.is_some() == step.choice.is_some();
        self.next += 1;
        (fits && readiness[thread.index()].can_step()).then_some(thread)
    }
    fn choose(&mut self, _: &State, _: ThreadIndex, _: ChoiceRequest) -> u64 {
        self.moves[self.next - 1].choice.unwrap_or(0)
    }
}

fn shows(machine: &Machine, property: &Property, moves: &[Move]) -> bool {
    let mut follow = Follow { moves, next: 0 };
    let limits = Limits { deadlocks: *property == Property::Deadlock, ..Limits::default() };
    let mut monitor = RaceMonitor::new();
    let execution = drive(machine, &mut follow, Some(&mut monitor), &mut (), &limits);
    execution.violations.iter().any(|violation| match &violation.kind {
        ViolationKind::Fault(fault) => property_of(&fault.kind) == *property,
        ViolationKind::Deadlock(_) => *property == Property::Deadlock,
        ViolationKind::Race(_) => *property == Property::Race,
        _ => false,
    })
}

/// How a program is looked at.
#[derive(Clone, Copy)]
struct How {
    style: Style,
    seconds: u64,
    /// Within few switches or preemptions, which the seed chooses; races are not compared then.
    bounded: bool,
}

/// How often a schedule switches and preempts, as the machine counts.
fn counts(machine: &Machine, moves: &[Move]) -> (u64, u64) {
    let (mut state, _) = machine.start(&mut ());
    let (mut switches, mut preemptions) = (0, 0);
    let mut last: Option<u32> = None;
    for one in moves {
        if let Some(number) = last.filter(|number| *number != one.thread) {
            switches += 1;
            let index = state.thread_numbered(number).expect("it has run");
            let goes_on = !state.thread(index).yielded
                && matches!(machine.readiness(&mut state, index), Readiness::Enabled);
            preemptions += goes_on as u64;
        }
        let Some(index) = state.thread_numbered(one.thread) else { break };
        if machine.step(&mut state, index, one.choice, &mut ()).blocked.is_none() {
            last = Some(one.thread);
        }
    }
    (switches, preemptions)
}

/// Races by a style and by `order` must agree, where both are decided: brute force tries only some executions.
fn compare_races(make: impl Fn() -> Machine + Send + Sync, outcome: &Outcome) -> Result<(), String> {
    if outcome.race_doubtful || outcome.race.is_none() && open(outcome, &Property::Race).is_some() {
        return Ok(());
    }
    let config =
        Config { classes: Vec::new(), deadlocks: false, ..config(Style::Order, Switches::default()) };
    let budget = Budget { timeout: Some(Duration::from_secs(5)), ..Budget::default() };
    let by_order = check(make, &config, &budget);
    let decided = by_order.race.is_some() && by_order.race_limits.is_none()
        || open(&by_order, &Property::Race).is_none();
    if decided && by_order.race.is_some() != outcome.race.is_some() {
        return Err(format!("races differ: order {:?}, style {:?}", by_order.race, outcome.race));
    }
    Ok(())
}

fn config(style: Style, switches: Switches) -> Config {
    Config {
        style,
        switches,
        classes: ROWS.iter().filter_map(|(_, class)| *class).collect(),
        deadlocks: true,
        races: !switches.is_bounded(),
        unwind: None,
        max_nodes: 20_000,
        max_pairs: 10_000_000,
        max_instructions: 2_000_000,
        max_conflicts: None,
        unwind_loops: Vec::new(),
        ordering: None,
        certify: None,
    }
}

fn compare(concurrent: &Concurrent, seed: u64, how: How, tally: &mut Tally) -> Result<(), String> {
    let program = Arc::new(concurrent.program());
    let settings = Settings { fuse_alone: false, local_limit: 2000, ..Settings::default() };
    let make = || Machine::new(program.clone(), settings.clone()).expect("small");
    let machine = make();
    let options = EncodeOptions::default();
    let bounds = match (how.bounded, seed % 3) {
        (false, _) => Bounds::default(),
        (true, 0) => Bounds { switches: None, preemptions: Some(seed / 3 % 3) },
        (true, _) => Bounds { switches: Some(seed / 3 % 5), preemptions: None },
    };
    let switches = Switches { switches: bounds.switches, preemptions: bounds.preemptions };
    let Some(reached) = brute_force(&machine, &options, bounds, false, STATES) else {
        tally.too_large += 1;
        return Ok(());
    };
    if reached.unsupported {
        tally.too_large += 1;
        return Ok(());
    }
    tally.programs += 1;
    let budget = Budget { timeout: Some(Duration::from_secs(how.seconds)), ..Budget::default() };
    let outcome = check(make, &config(how.style, switches), &budget);
    let racy = !how.bounded && races(&machine, EXECUTIONS, &mut Random::new(seed)).found.is_some();
    if how.style != Style::Order && !how.bounded {
        compare_races(make, &outcome)?;
    }
    let mut whole = true;
    let rows = ROWS.iter().filter(|(property, _)| !how.bounded || *property != Property::Race);
    let is_within = |moves: &[Move]| {
        let (used, preempted) = counts(&machine, moves);
        let most = |count: u64, most: Option<u64>| most.is_none_or(|most| count <= most);
        most(used, bounds.switches) && most(preempted, bounds.preemptions)
    };
    for (property, class) in rows {
        let exists = reached.violated.contains(property.word());
        let (found, doubtful) = match class {
            Some(class) => match outcome.queries.iter().find(|query| query.class == *class) {
                Some(query) => (query.found.as_ref(), query.doubtful),
                None => (None, false),
            },
            None if *property == Property::Race => {
                (outcome.race.as_ref(), outcome.race_doubtful || outcome.race_limits.is_some())
            }
            None => (outcome.deadlock.as_ref(), false),
        };
        // Races are of executions, of which only some are tried: none found shows nothing.
        let exists = exists || *property == Property::Race && (racy || found.is_some());
        let word = property.word();
        match found {
            Some(moves) if shows(&machine, property, moves) && !is_within(moves) => {
                whole = false;
                *tally.open.entry("above the bound".into()).or_default() += 1;
            }
            Some(moves) if shows(&machine, property, moves) => {
                if !exists {
                    return Err(format!("{word} found, and brute force finds none: {moves:?}"));
                }
                tally.decided += 1;
                *tally.violated.entry(word).or_default() += 1;
            }
            Some(_) if doubtful || outcome.limits.is_some() => {
                whole = false;
                *tally.open.entry("doubtful".into()).or_default() += 1;
            }
            Some(moves) => return Err(format!("{word} does not replay (exists: {exists}): {moves:?}")),
            None => match open(&outcome, property) {
                Some(why) => {
                    whole = false;
                    *tally.open.entry(why).or_default() += 1;
                }
                None if exists => return Err(format!("{word} missed: {:?}", reached.violated)),
                None => tally.decided += 1,
            },
        }
    }
    tally.concluded += whole as u64;
    Ok(())
}

fn run(make: fn(&mut Random) -> Concurrent, seeds: std::ops::Range<u64>) -> Tally {
    run_style(make, seeds, How { style: Style::Order, seconds: 5, bounded: false })
}

fn run_style(make: fn(&mut Random) -> Concurrent, seeds: std::ops::Range<u64>, how: How) -> Tally {
    compare_all(seeds, make, |program, seed, tally| compare(program, seed, how, tally))
}

#[test]
fn the_engine_agrees_with_brute_force() {
    let tally = run(random_program, 0..45);
    assert!(tally.programs > 30 && tally.decided > 100, "{tally:#?}");
    let seen: BTreeSet<&str> = tally.violated.keys().copied().collect();
    assert!(seen.len() >= 3, "{tally:#?}");
}

#[test]
fn the_engine_agrees_with_brute_force_about_memory() {
    let tally = run(random_program_about_memory, 0..30);
    assert!(tally.programs > 15, "{tally:#?}");
}

#[test]
#[ignore = "minutes"]
fn the_engine_agrees_with_brute_force_on_many_programs() {
    let first = setting("RADDLE_SEED", 1000);
    let seeds = first..first + setting("RADDLE_PROGRAMS", 10_000);
    println!("{:#?}", run(random_program, seeds.clone()));
    println!("{:#?}", run(random_program_about_memory, seeds));
}

#[test]
fn the_styles_agree_with_brute_force() {
    for style in [Style::Lazy, Style::Record, Style::Widen] {
        for bounded in [false, true] {
            let how = How { style, seconds: 1, bounded };
            let tally = run_style(random_program, 0..24, how);
            assert!(tally.concluded > 12, "{style:?}: {tally:#?}");
        }
        let how = How { style, seconds: 1, bounded: false };
        run_style(random_program_about_memory, 0..15, how);
    }
}

/// `RADDLE_STYLE` is one of `lazy`, `record`, `widen`; `RADDLE_BOUNDED` bounds switches and preemptions.
#[test]
#[ignore = "minutes"]
fn a_style_agrees_with_brute_force_on_many_programs() {
    let style = match std::env::var("RADDLE_STYLE").as_deref() {
        Ok("record") => Style::Record,
        Ok("widen") => Style::Widen,
        _ => Style::Lazy,
    };
    let first = setting("RADDLE_SEED", 1000);
    let seeds = first..first + setting("RADDLE_PROGRAMS", 3_000);
    let bounded = std::env::var("RADDLE_BOUNDED").is_ok();
    let how = How { style, seconds: setting("RADDLE_SECONDS", 5), bounded };
    println!("{:#?}", run_style(random_program, seeds.clone(), how));
    println!("{:#?}", run_style(random_program_about_memory, seeds, how));
}
