//! Programs with inputs of 16 to 64 bits, as they are: too many values to enumerate. What is found is replayed with its inputs; a
//! row that is proved must hold in 1,000 executions with random inputs and schedules, and in all executions of the
//! same program with its inputs cut to 3 bits, which are some of them.

use std::sync::Arc;
use std::time::Duration;

use raddle_conformance::Random;
use raddle_conformance::concurrent::{
    Bounds, Concurrent, brute_force, compare_all, random_program_with_inputs, setting,
};
use raddle_machine::drive::{Limits, Strategy, ViolationKind, drive};
use raddle_machine::{
    ChoiceRequest, EncodeOptions, Machine, RaceMonitor, Readiness, State, ThreadIndex, property_of,
};
use raddle_symbolic::{Style, Switches, check};
use raddle_trace::{Budget, Property};

use crate::comparison::{ROWS, Row, config, machine, row};

/// States of the program with its inputs cut, at most; beyond, only the random executions are compared.
const STATES: usize = 20_000;

#[derive(Debug, Default)]
struct Wide {
    programs: u64,
    /// Of these, programs whose inputs were cut and enumerated.
    enumerated: u64,
    executions: u64,
    concluded: u64,
    proved: u64,
    violated: u64,
    open: u64,
}

/// Any thread, for a while; inputs near the ends of their range, or anywhere in it.
struct AtRandom<'a> {
    random: &'a mut Random,
    stay: usize,
    last: Option<ThreadIndex>,
}

impl Strategy for AtRandom<'_> {
    fn pick(&mut self, _: &State, readiness: &[Readiness]) -> Option<ThreadIndex> {
        let ready: Vec<ThreadIndex> = (0..readiness.len() as u32)
            .map(ThreadIndex)
            .filter(|thread| readiness[thread.index()].can_step())
            .collect();
        let stays = self.last.filter(|last| ready.contains(last) && self.random.below(4) < self.stay);
        self.last = stays.or_else(|| (!ready.is_empty()).then(|| *self.random.pick(&ready)));
        self.last
    }

    fn choose(&mut self, _: &State, _: ThreadIndex, request: ChoiceRequest) -> u64 {
        let last = request.last;
        let near = self.random.below(9) as u64;
        let value = match self.random.below(5) {
            0 => near,
            1 => last.saturating_sub(near),
            2 => (last / 2).wrapping_add(near).wrapping_sub(4),
            3 => 1 << self.random.below(64),
            _ => self.random.number() ^ self.random.number() << 32,
        };
        if last == u64::MAX { value } else { value % (last + 1) }
    }
}

/// A row of these that an execution at random breaks.
fn broken(machine: &Machine, random: &mut Random, rows: &[Property]) -> Option<Property> {
    let mut strategy = AtRandom { stay: random.below(4), random, last: None };
    let limits = Limits { deadlocks: true, max_moves: 300, ..Limits::default() };
    let execution = drive(machine, &mut strategy, Some(&mut RaceMonitor::new()), &mut (), &limits);
    execution.violations.iter().find_map(|violation| {
        let property = match &violation.kind {
            ViolationKind::Fault(fault) => property_of(&fault.kind),
            ViolationKind::Deadlock(_) => Property::Deadlock,
            ViolationKind::Race(_) => Property::Race,
            _ => return None,
        };
        rows.contains(&property).then_some(property)
    })
}

fn compare(concurrent: &Concurrent, seed: u64, executions: u64, tally: &mut Wide) -> Result<(), String> {
    let program = Arc::new(concurrent.program());
    let whole = machine(&program);
    let budget = Budget { timeout: Some(Duration::from_secs(5)), ..Budget::default() };
    let outcome = check(|| machine(&program), &config(Style::Order, Switches::default()), &budget);
    tally.programs += 1;
    let (mut proved, mut open) = (Vec::new(), 0);
    for (property, class) in &ROWS {
        match row(&whole, &outcome, property, *class)? {
            Row::Violated(_) => tally.violated += 1,
            Row::Proved => proved.push(property.clone()),
            Row::Open(_) => open += 1,
        }
    }
    tally.open += open;
    tally.concluded += (open == 0) as u64;
    tally.proved += proved.len() as u64;
    let cut = machine(&Arc::new(concurrent.with_inputs_cut(3).program()));
    let reached = brute_force(&cut, &EncodeOptions::default(), Bounds::default(), false, STATES);
    if let Some(reached) = reached.filter(|reached| !reached.unsupported) {
        tally.enumerated += 1;
        if let Some(wrong) = proved.iter().find(|property| reached.violated.contains(property.word())) {
            return Err(format!("{} proved, and broken with inputs of 3 bits: {outcome:?}", wrong.word()));
        }
    }
    let mut random = Random::new(seed);
    for _ in 0..executions {
        tally.executions += 1;
        if let Some(wrong) = broken(&whole, &mut random, &proved) {
            return Err(format!("{} proved, and broken by an execution: {outcome:?}", wrong.word()));
        }
    }
    Ok(())
}

fn run(seeds: std::ops::Range<u64>, executions: u64) -> Wide {
    compare_all(seeds, random_program_with_inputs, |program, seed, tally| {
        compare(program, seed, executions, tally)
    })
}

#[test]
fn wide_inputs_agree_with_executions() {
    let tally = run(0..25, 100);
    assert!(tally.proved > 30 && tally.violated > 5, "{tally:#?}");
}

#[test]
#[ignore = "minutes"]
fn many_wide_inputs_agree_with_executions() {
    let first = setting("RADDLE_SEED", 1000);
    println!("{:#?}", run(first..first + setting("RADDLE_PROGRAMS", 1_000), 1_000));
}
