//! Invariants, with and without supersteps, against all states: random small programs.

mod random_ir;

use std::collections::HashSet;

use raddle_explicit::{Config, explore};
use raddle_machine::drive::{Limits, ViolationKind, drive};
use raddle_machine::{EncodeOptions, Machine, RunEnd, Settings, State, ThreadIndex};
use raddle_replay::Follow;
use raddle_trace::{Budget, Property, Silent};
use random_ir::{Random, expression, load, program};

const INVARIANTS: [&str; 3] = ["not_both", "y_if_x", "not_x"];

/// Which invariants fail in some state that is reached; `None` when there are too many states.
fn broken(machine: &Machine) -> Option<Vec<bool>> {
    let mut broken = vec![false; INVARIANTS.len()];
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut waiting: Vec<State> = vec![machine.start(&mut ()).0];
    while let Some(mut state) = waiting.pop() {
        let mut key = Vec::new();
        machine.encode(&state, &EncodeOptions::default(), &mut key);
        if !seen.insert(key) {
            continue;
        }
        if seen.len() > 3000 || matches!(state.end(), Some(RunEnd::Unsupported { .. })) {
            return None;
        }
        for one in machine.broken_invariants(&state).0 {
            broken[one.index] = true;
        }
        if state.end().is_some() {
            continue;
        }
        for thread in (0..state.thread_count()).map(|i| ThreadIndex(i as u32)) {
            if machine.readiness(&mut state, thread).can_step() {
                let last = state.thread(thread).pending.map_or(0, |p| p.last);
                for choice in 0..=last {
                    let mut after = state.clone();
                    machine.step(&mut after, thread, Some(choice), &mut ());
                    waiting.push(after);
                }
            }
        }
    }
    Some(broken)
}

fn compare_all(seeds: std::ops::Range<u64>) -> (u32, u32, u64, u64) {
    let (mut pairs, mut violated, mut reduced, mut whole) = (0, 0, 0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let text = program(&mut random);
        let program = load(&text);
        let invariants = INVARIANTS.iter().map(|name| expression(&program, name)).collect();
        let settings =
            Settings { fuse_alone: false, local_limit: 400_000, invariants, ..Settings::default() };
        let machine = Machine::new(program.clone(), settings.clone()).unwrap();
        let Some(expected) = broken(&machine) else { continue };
        for (superstep, ample) in
            [(1, false), (Config::SUPERSTEP, false), (1, true), (Config::SUPERSTEP, true)]
        {
            let properties = INVARIANTS.iter().map(|name| Property::Invariant(name.to_string())).collect();
            let config = Config { superstep, ample, ..Config::new(properties) };
            let found = explore(&program, &settings, &config, &Budget::default(), &mut Silent).unwrap();
            for (name, expected) in INVARIANTS.iter().zip(&expected) {
                let property = Property::Invariant(name.to_string());
                let discovery = found.discoveries.iter().find(|d| d.property == property);
                assert_eq!(discovery.is_some(), *expected, "seed {seed} {name} {superstep} {ample}\n{text}");
                pairs += 1;
                let Some(discovery) = discovery else { continue };
                violated += 1;
                // The schedule shows it.
                let mut follow = Follow::new(&discovery.schedules[0]);
                // Where only a spurious wake-up leads on, a run would end as a deadlock.
                let limits = Limits { deadlocks: false, ..Limits::default() };
                let run = drive(&machine, &mut follow, None, &mut (), &limits);
                let index = INVARIANTS.iter().position(|n| n == name).unwrap();
                let shown = run
                    .violations
                    .iter()
                    .any(|v| matches!(&v.kind, ViolationKind::Invariant(b) if b.index == index));
                assert!(shown, "seed {seed} {name} {superstep}\n{text}");
            }
            *if superstep == 1 && !ample { &mut whole } else { &mut reduced } += found.states;
        }
    }
    eprintln!("{pairs} pairs, {violated} violated, {whole} states, {reduced} reduced (three ways)");
    (pairs, violated, reduced, whole)
}

#[test]
fn invariants_against_all_states() {
    let (pairs, violated, reduced, whole) = compare_all(0..150);
    assert!(pairs > 300 && violated > 100 && reduced < 3 * whole, "{pairs} {violated} {reduced} {whole}");
}

#[test]
#[ignore = "long"]
fn invariants_of_many_programs_against_all_states() {
    let (pairs, ..) = compare_all(1_000..6_000);
    assert!(pairs > 20_000, "{pairs}");
}

/// A section with a choice in it lies between two reads of another thread: once lost by supersteps.
#[test]
fn a_section_with_a_choice_between_two_reads() {
    let (_, violated, ..) = compare_all(1_954..1_955);
    assert!(violated > 0);
}
