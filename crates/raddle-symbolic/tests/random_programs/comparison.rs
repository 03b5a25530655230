//! One program, by the engine and by brute force: every row that is decided must be the same, and every schedule must show its
//! violation on the machine.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use raddle_conformance::Random;
use raddle_conformance::concurrent::{Bounds, brute_force, races};
use raddle_ir::Program;
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
pub struct Tally {
    pub programs: u64,
    pub too_large: u64,
    /// Programs of which every row was decided.
    pub concluded: u64,
    /// Programs with a memory fault behind which all rows that are open must be open (rule 10).
    pub behind_memory_faults: u64,
    /// Rows that were decided, and those that were not, with the reason.
    pub decided: u64,
    pub open: BTreeMap<String, u64>,
    pub violated: BTreeMap<&'static str, u64>,
}

pub const ROWS: [(Property, Option<FaultClass>); 6] = [
    (Property::Assert, Some(FaultClass::Assertion)),
    (Property::Memsafety, Some(FaultClass::Memory)),
    (Property::Overflow, Some(FaultClass::Arithmetic)),
    (Property::Locks, Some(FaultClass::Locks)),
    (Property::Deadlock, None),
    (Property::Race, None),
];

/// No row is proved then, by any engine.
const BEHIND: &str = "behind a memory fault";

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
        return Some(BEHIND.into());
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

pub fn shows(machine: &Machine, property: &Property, moves: &[Move]) -> bool {
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
pub struct How {
    pub style: Style,
    pub seconds: u64,
    /// Within few switches or preemptions, which the seed chooses; races are not compared then.
    pub bounded: bool,
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

pub fn config(style: Style, switches: Switches) -> Config {
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

/// How programs are executed here.
pub fn machine(program: &Arc<Program>) -> Machine {
    let settings = Settings { fuse_alone: false, local_limit: 2000, ..Settings::default() };
    Machine::new(program.clone(), settings).expect("small")
}

/// What an outcome says of a row.
pub enum Row<'a> {
    /// The schedule shows it.
    Violated(&'a [Move]),
    Proved,
    Open(String),
}

/// What an outcome says of a row, and of a schedule that the machine does not follow.
pub fn row<'a>(
    machine: &Machine,
    outcome: &'a Outcome,
    property: &Property,
    class: Option<FaultClass>,
) -> Result<Row<'a>, String> {
    let (found, doubtful) = match class {
        Some(class) => match outcome.queries.iter().find(|query| query.class == class) {
            Some(query) => (query.found.as_ref(), query.doubtful),
            None => (None, false),
        },
        None if *property == Property::Race => {
            (outcome.race.as_ref(), outcome.race_doubtful || outcome.race_limits.is_some())
        }
        None => (outcome.deadlock.as_ref(), false),
    };
    match found {
        Some(moves) if shows(machine, property, moves) => Ok(Row::Violated(moves)),
        // As `raddle-driver` has it. What stopped early does not know its limits.
        Some(_) if doubtful || outcome.limits.is_some() || outcome.approximate || outcome.partial => {
            Ok(Row::Open("doubtful".into()))
        }
        Some(moves) => Err(format!("{} does not replay: {moves:?}", property.word())),
        None => Ok(open(outcome, property).map_or(Row::Proved, Row::Open)),
    }
}

/// Compares, and adds to the tally.
pub fn compare(program: Program, seed: u64, how: How, tally: &mut Tally) -> Result<(), String> {
    let program = Arc::new(program);
    let make = || machine(&program);
    let machine = make();
    let options = EncodeOptions::default();
    let bounds = match (how.bounded, seed % 3) {
        (false, _) => Bounds::default(),
        (true, 0) => Bounds { switches: None, preemptions: Some(seed / 3 % 3) },
        (true, _) => Bounds { switches: Some(seed / 3 % 5), preemptions: None },
    };
    let switches = Switches { switches: bounds.switches, preemptions: bounds.preemptions };
    let reached = brute_force(&machine, &options, bounds, false, STATES);
    let Some(reached) = reached.filter(|reached| !reached.unsupported) else {
        tally.too_large += 1;
        return Ok(());
    };
    tally.programs += 1;
    let begun = Instant::now();
    let budget = Budget { timeout: Some(Duration::from_secs(how.seconds)), ..Budget::default() };
    let outcome = check(make, &config(how.style, switches), &budget);
    let taken = begun.elapsed();
    let racy = !how.bounded && races(&machine, EXECUTIONS, &mut Random::new(seed)).found.is_some();
    if how.style != Style::Order && !how.bounded {
        compare_races(make, &outcome)?;
    }
    let mut reasons: Vec<String> = Vec::new();
    let rows = ROWS.iter().filter(|(property, _)| !how.bounded || *property != Property::Race);
    let is_within = |moves: &[Move]| {
        let (used, preempted) = counts(&machine, moves);
        let most = |count: u64, most: Option<u64>| most.is_none_or(|most| count <= most);
        most(used, bounds.switches) && most(preempted, bounds.preemptions)
    };
    for (property, class) in rows {
        let word = property.word();
        // Races are of executions, of which only some are tried: none found shows nothing.
        let (exists, is_race) = (reached.violated.contains(word), *property == Property::Race);
        match row(&machine, &outcome, property, *class)? {
            Row::Violated(moves) if !is_within(moves) => reasons.push("above the bound".into()),
            Row::Violated(moves) if !exists && !is_race => {
                return Err(format!("{word} found, and brute force finds none: {moves:?}"));
            }
            Row::Violated(_) => {
                tally.decided += 1;
                *tally.violated.entry(word).or_default() += 1;
            }
            Row::Proved if exists || is_race && racy => {
                return Err(format!("{word} missed: {:?}", reached.violated));
            }
            Row::Proved => tally.decided += 1,
            Row::Open(why) => reasons.push(why),
        }
    }
    if std::env::var("RADDLE_OPEN").is_ok() && !reasons.is_empty() {
        eprintln!("{seed}: {taken:?}: {reasons:?}");
    }
    let memory_fault = reached.violated.contains(Property::Memsafety.word());
    tally.concluded += reasons.is_empty() as u64;
    tally.behind_memory_faults +=
        (memory_fault && !reasons.is_empty() && reasons.iter().all(|why| why == BEHIND)) as u64;
    for why in reasons {
        *tally.open.entry(why).or_default() += 1;
    }
    Ok(())
}
