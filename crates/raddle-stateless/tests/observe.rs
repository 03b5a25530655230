//! Invariants and leaks of random concurrent programs: what all their states show, the engine shows.
//!
//! `RADDLE_PROGRAMS` and `RADDLE_SEED` set how many the long run takes, and where it begins.

mod makers;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use raddle_conformance::Random;
use raddle_conformance::concurrent::{Bounds, Concurrent, brute_force, compare_all, random_program, setting};
use raddle_ir::{FunctionId, Program};
use raddle_machine::drive::{Limits, drive};
use raddle_machine::{
    EncodeOptions, Expression, ExpressionCode, Machine, RunEnd, Settings, Signature, State, ThreadIndex,
};
use raddle_replay::Follow;
use raddle_stateless::{Bound, Config, Merge, Points, explore, explore_bounded, explore_in_parallel};
use raddle_trace::{Budget, Property, Silent};

/// Over two variables; over one or two, as the first says; by a pointer.
const INVARIANTS: [(&str, &str); 4] = [
    (
        "differ",
        "    load.i32 r0 = [&x]\n    load.i32 r1 = [&y]\n    and.i32 r2 = r0, r1\n    and.i32 r2 = r2, 1\n\
         \x20   xor.i32 r2 = r2, 1\n    return r2\n",
    ),
    (
        "z_if_x",
        "    load.i32 r0 = [&x]\n    eq.i32 r1 = r0, 0\n    branch r1, bb1, bb2\nbb1:\n    return 1:i32\nbb2:\n\
         \x20   load.i32 r2 = [&z]\n    return r2\n",
    ),
    ("not_x", "    load.i32 r0 = [&x]\n    xor.i32 r0 = r0, 1\n    return r0\n"),
    (
        "pointed",
        "    load.ptr r0 = [&p]\n    eq.ptr r1 = r0, null\n    branch r1, bb1, bb2\nbb1:\n    return 1:i32\nbb2:\n\
         \x20   load.i32 r2 = [&y]\n    xor.i32 r2 = r2, 1\n    return r2\n",
    ),
];

const STATES: usize = 3000;
const EXACT: EncodeOptions =
    EncodeOptions { rename: false, yielded: false, dead_registers: None, leaks: true };

#[derive(Clone, Debug, Default)]
struct Tally {
    programs: u64,
    passed_over: u64,
    varies: u64,
    pairs: u64,
    violated: u64,
    leaks: u64,
    beside_exit: u64,
    executions: u64,
}

fn with_invariants(program: &Concurrent) -> Program {
    let mut text = program.text();
    for (name, code) in INVARIANTS {
        text.push_str(&format!("function {name}() -> 1 {{\nbb0:\n{code}}}\n"));
    }
    let program = raddle_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    raddle_ir::verify::verify(&program).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    program
}

fn settings(program: &Program) -> Settings {
    let expression = |(name, _): &(&str, &str)| {
        let function = program.functions.iter().position(|f| f.name == *name).expect("it is there");
        let code = ExpressionCode::Function(FunctionId::new(function));
        Expression { text: name.to_string(), code }
    };
    let invariants = INVARIANTS.iter().map(expression).collect();
    let base =
        Settings { fuse_alone: false, local_limit: 2000, spurious_wakeups: false, ..Settings::default() };
    Settings { invariants, ..base }
}

/// The invariants that fail in some state; `None` where something else is in the way.
fn broken(machine: &Machine) -> Option<BTreeSet<String>> {
    let mut broken = BTreeSet::new();
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut waiting: Vec<State> = vec![machine.start(&mut ()).0];
    while let Some(mut state) = waiting.pop() {
        let mut key = Vec::new();
        machine.encode(&state, &EXACT, &mut key);
        if !seen.insert(key) {
            continue;
        }
        let over = matches!(state.end(), Some(RunEnd::Unsupported { .. } | RunEnd::MemoryFault));
        if seen.len() > STATES || over {
            return None;
        }
        for one in machine.broken_invariants(&state).0 {
            broken.insert(INVARIANTS[one.index].0.to_string());
        }
        if state.end().is_some() {
            continue;
        }
        for thread in (0..state.thread_count()).map(|i| ThreadIndex(i as u32)) {
            if machine.readiness(&mut state, thread).can_step() {
                let last = state.thread(thread).pending.map_or(0, |p| p.last);
                for choice in 0..=last.min(3) {
                    let mut after = state.clone();
                    machine.step(&mut after, thread, Some(choice), &mut ());
                    waiting.push(after);
                }
            }
        }
    }
    Some(broken)
}

fn names<'f>(found: impl Iterator<Item = &'f Signature>) -> BTreeSet<String> {
    let invariants = found.filter_map(|s| match s {
        Signature::Invariant { text, .. } => Some(text.clone()),
        _ => None,
    });
    invariants.collect()
}

fn compare(concurrent: &Concurrent, tally: &mut Tally) -> Result<(), String> {
    let program = Arc::new(with_invariants(concurrent));
    let settings = settings(&program);
    let plain = Machine::new(program.clone(), settings.clone()).expect("small");
    let Some(expected) = broken(&plain) else {
        tally.passed_over += 1;
        return Ok(());
    };
    let exploring = Settings { go_on_after_assertion: true, ..settings };
    let machine = Machine::new(program.clone(), exploring.clone()).expect("small");
    let mut properties: Vec<Property> =
        INVARIANTS.iter().map(|(name, _)| Property::Invariant(name.to_string())).collect();
    properties.push(Property::Leak);
    let config = Config { max_events: 60, ..Config::new(properties) };
    let limits = Budget { timeout: Some(std::time::Duration::from_secs(1)), ..Budget::default() };
    let explored = explore(&machine, &config, &limits, &mut Silent, &mut ());
    if explored.cut > 0 || explored.stopped.is_some() || !explored.unsupported.is_empty() {
        tally.passed_over += 1;
        return Ok(());
    }
    tally.programs += 1;
    tally.executions += explored.executions + explored.blocked;
    if explored.twice > 0 && explored.varies.is_none() && !makers::waits_with_a_lock(&program) {
        return Err(format!("twice: {}", explored.twice));
    }
    // What is found is there.
    for found in &explored.found {
        let mut follow = Follow::new(&found.moves);
        let limits = Limits { deadlocks: false, leaks: true, ..Limits::default() };
        let run = drive(&plain, &mut follow, None, &mut (), &limits);
        let shown = |v: &raddle_machine::drive::Violation| Signature::of(&plain, &v.kind) == found.signature;
        if !run.violations.iter().any(shown) {
            return Err(format!("not shown: {:?} by {:?}", found.signature, found.moves));
        }
    }
    // What is there is found.
    let ours = names(explored.found.iter().map(|f| &f.signature));
    if explored.varies.is_some() {
        tally.varies += 1;
    } else if ours != expected {
        return Err(format!("invariants: engine {ours:?}, all states {expected:?}"));
    }
    tally.pairs += INVARIANTS.len() as u64;
    tally.violated += expected.len() as u64;
    let Some(reached) = brute_force(&plain, &EXACT, Bounds::default(), true, STATES) else { return Ok(()) };
    let leaks = explored.found.iter().any(|f| f.signature.property() == Property::Leak);
    let sure = explored.varies.is_none() && explored.beside_exit.is_none();
    if leaks != reached.violated.contains("leak") && (sure || leaks) {
        return Err(format!("leak: engine {leaks}, all states {:?}", reached.violated));
    }
    tally.leaks += leaks as u64;
    tally.beside_exit += explored.beside_exit.is_some() as u64;
    // Several workers see the same.
    let several = Budget { workers: 2, ..Budget::default() };
    let several = explore_in_parallel(&program, &exploring, &config, &several, &mut Silent)
        .map_err(|e| format!("too large: {e:?}"))?;
    let told = |e: &raddle_stateless::Explored| {
        let found: Vec<String> = e.found.iter().map(|f| format!("{:?} {:?}", f.signature, f.moves)).collect();
        (e.executions, e.blocked, found)
    };
    if told(&several) != told(&explored) {
        return Err(format!("workers: two {:?}, one {:?}", told(&several), told(&explored)));
    }
    // Few preemptions first: the same, in the end.
    let bound = Bound {
        preemptions: u64::MAX,
        max_events: u64::MAX,
        until_violation: false,
        merge: Merge::States,
        points: Points::All,
    };
    let bounded = explore_bounded(&machine, &config, &bound, &limits, &mut Silent, &mut |_, _| {});
    let theirs = names(bounded.found.iter().map(|(f, _)| &f.signature));
    if bounded.cut == 0 && bounded.stopped.is_none() && theirs != expected {
        return Err(format!("bounded: engine {theirs:?}, all states {expected:?}"));
    }
    Ok(())
}

fn check(make: fn(&mut Random) -> Concurrent, seeds: impl Iterator<Item = u64>) -> Tally {
    compare_all(seeds, make, |program, _, tally| compare(program, tally))
}

const NARROW: [fn(&mut Random) -> Concurrent; 5] =
    [makers::sections, makers::frames, makers::waits, makers::spins, makers::conditions];

#[test]
fn invariants_and_leaks_against_all_states() {
    let tally = check(random_program, 0..150);
    assert!(tally.programs > 60 && tally.violated > 30 && tally.leaks > 3, "{tally:#?}");
    for make in NARROW {
        let tally = check(make, 0..20);
        assert!(tally.programs > 5, "{tally:#?}");
    }
}

#[test]
#[ignore = "minutes"]
fn invariants_and_leaks_of_many_programs() {
    let (first, count) = (setting("RADDLE_SEED", 1000), setting("RADDLE_PROGRAMS", 5000));
    println!("{:#?}", check(random_program, first..first + count));
    for make in NARROW {
        println!("{:#?}", check(make, first..first + count / 4));
    }
}
