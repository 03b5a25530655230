//! The sampling engines on small programs: what they find, that a seed decides everything, that bounds are kept, and that
//! runs which were cut are counted as such.

use std::sync::Arc;

use raddle_ir::{FunctionId, Inst};
use raddle_machine::drive::{Limits, Move, drive};
use raddle_machine::{CodePoint, Machine, Settings};
use raddle_sample::directed::Target;
use raddle_sample::engine::{Config, Kind, Sampled, sample};
use raddle_sample::{Bounded, Generator, Pct, Random};
use raddle_trace::{Budget, Property, Silent, StopReason};

/// Two threads add to `x`; the first awaits the end of the other, and an assertion fails if an addition was lost.
const LOST_UPDATE: &str = "
global x: i32
global done: i32
global message: i32
function start(r0: ptr) library {
bb0:
    kernel.begin
    r1: i32 = kernel.spawn r0, null
    kernel.end
    return
}
function await(r0: ptr) library {
bb0:
    kernel.begin
    load.i32 r1 = [r0]
    eq.i32 r2 = r1, 0
    branch r2, bb1, bb2
bb1:
    kernel.block 9:i32, r0, 0:i32
    unreachable
bb2:
    kernel.end
    return
}
function other() {
bb0:
    load.i32 r1 = [&x] seq_cst
    add.i32 r1 = r1, 1
    store.i32 [&x] = r1 seq_cst
    store.i32 [&done] = 1 seq_cst
    kernel.thread_exit
    unreachable
}
function main() {
bb0:
    call @start(@other)
    load.i32 r1 = [&x] seq_cst
    add.i32 r1 = r1, 1
    store.i32 [&x] = r1 seq_cst
    call @await(&done)
    load.i32 r1 = [&x] seq_cst
    eq.i32 r2 = r1, 2
    branch r2, bb2, bb1
bb1:
    kernel.fault 1:i32, &message, null
    unreachable
bb2:
    kernel.process_exit 0:i32, 0:i32
    unreachable
}";

/// One thread writes for ever.
const ENDLESS: &str = "
global x: i32
function main() {
bb0:
    jump bb1
bb1:
    store.i32 [&x] = 1 seq_cst
    store.i32 [&x] = 0 seq_cst
    jump bb1
}";

fn machine(text: &str) -> Machine {
    let mut program = raddle_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    raddle_ir::verify::verify(&program).unwrap_or_else(|e| panic!("{e:?}"));
    raddle_analysis::mark_visible(&mut program);
    let settings = Settings { fuse_alone: false, ..Settings::default() };
    Machine::new(Arc::new(program), settings).expect("small")
}

fn config(kind: Kind, schedules: u64) -> Config {
    Config {
        kind,
        schedules,
        properties: vec![Property::Assert],
        max_moves: 1000,
        first: 0,
        context_switches: None,
        preemptions: None,
        towards: Vec::new(),
    }
}

fn run(text: &str, config: &Config, seed: u64) -> Sampled {
    let budget = Budget { seed, ..Budget::default() };
    sample(&machine(text), config, &budget, &mut Silent)
}

fn moves_of(sampled: &Sampled) -> Vec<Vec<Move>> {
    sampled.found.iter().map(|f| f.moves.to_vec()).collect()
}

#[test]
fn a_seed_decides_everything() {
    for kind in [Kind::Run, Kind::Random, Kind::Pct { depth: 3 }] {
        let config = config(kind, 50);
        let (one, again) = (run(LOST_UPDATE, &config, 7), run(LOST_UPDATE, &config, 7));
        assert_eq!(moves_of(&one), moves_of(&again), "{kind:?}");
        assert_eq!((one.executions, one.moves, one.longest), (again.executions, again.moves, again.longest));
    }
    let lengths: Vec<u64> =
        (0..20).map(|seed| run(LOST_UPDATE, &config(Kind::Random, 1), seed).moves).collect();
    assert!(lengths.iter().any(|n| *n != lengths[0]), "all seeds give one schedule: {lengths:?}");
}

#[test]
fn batches_go_on_where_the_last_one_ended() {
    let whole = run(LOST_UPDATE, &config(Kind::Random, 40), 3);
    let mut parts = Sampled::default();
    for first in [0, 10, 30] {
        let schedules = if first == 10 { 20 } else { 10 };
        parts.merge(run(LOST_UPDATE, &Config { first, ..config(Kind::Random, schedules) }, 3));
    }
    assert_eq!((whole.executions, whole.moves), (parts.executions, parts.moves));
    assert_eq!(moves_of(&whole), moves_of(&parts));
}

#[test]
fn random_schedules_and_pct_find_a_lost_update() {
    for kind in [Kind::Random, Kind::Pct { depth: 3 }] {
        let sampled = run(LOST_UPDATE, &config(kind, 300), 0);
        assert_eq!(sampled.found.len(), 1, "{kind:?}");
        assert_eq!(sampled.complete(), 300);
    }
    assert_eq!(run(LOST_UPDATE, &config(Kind::Run, 300), 0).executions, 1);
}

/// How many of many runs lose the update, by the depth of pct.
fn hits(depth: u32, runs: u64) -> u64 {
    let machine = machine(LOST_UPDATE);
    let limits = Limits { max_moves: 1000, ..Limits::default() };
    let lost = |run: &u64| {
        let mut pct = Pct::new(Generator::for_run(11, *run), depth, 12);
        !drive(&machine, &mut pct, None, &mut (), &limits).violations.is_empty()
    };
    (0..runs).filter(lost).count() as u64
}

/// The update is lost by one preemption between a load and its store: depth 2. With n = 2 threads and k = 12 steps the
/// guarantee is 1/(n k) = 1/24 a run; without a point of change the running thread is never preempted by priority.
#[test]
fn pct_keeps_its_guarantee_by_depth() {
    let runs = 2000;
    let without = hits(1, runs);
    let with = hits(2, runs);
    assert_eq!(without, 0);
    assert!(with * 24 >= runs, "{with} of {runs}");
}

#[test]
fn bounds_are_kept() {
    let machine = machine(LOST_UPDATE);
    let limits = Limits { max_moves: 1000, ..Limits::default() };
    for run in 0..300 {
        for (switches, preemptions) in [(Some(0), None), (Some(2), None), (None, Some(0)), (None, Some(1))] {
            let random = Random::new(Generator::for_run(5, run));
            let mut bounded = Bounded::new(random, switches, preemptions);
            let execution = drive(&machine, &mut bounded, None, &mut (), &limits);
            let schedule = &execution.schedule;
            let changes = schedule.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count() as u64;
            assert!(switches.is_none_or(|most| changes <= most), "{changes} switches: {schedule:?}");
            if preemptions == Some(0) {
                assert!(execution.violations.is_empty(), "needs a preemption: {schedule:?}");
            }
            // Where a switch is needed and none is left, the run is cut and says so.
            assert!(bounded.cut || switches != Some(0), "{schedule:?}");
            assert!(!bounded.cut || switches.is_some(), "{schedule:?}");
        }
    }
    // One preemption is enough, none is not.
    let with = |preemptions| Config { preemptions: Some(preemptions), ..config(Kind::Random, 400) };
    assert!(run(LOST_UPDATE, &with(0), 0).found.is_empty());
    assert_eq!(run(LOST_UPDATE, &with(1), 0).found.len(), 1);
}

#[test]
fn runs_that_were_cut_are_counted_and_placed() {
    let sampled = run(ENDLESS, &Config { max_moves: 50, ..config(Kind::Random, 4) }, 0);
    assert_eq!((sampled.executions, sampled.cut, sampled.complete()), (4, 4, 0));
    assert_eq!((sampled.moves, sampled.longest), (200, 50));
    let at = sampled.cut_at.expect("where");
    assert_eq!(machine(ENDLESS).program.function(at.function).name, "main");
    assert_eq!(run(LOST_UPDATE, &config(Kind::Random, 4), 0).cut, 0);
}

/// Both threads are at their first stores at once: then an addition is lost.
#[test]
fn threads_meet_at_the_lines() {
    let program = machine(LOST_UPDATE).program.clone();
    let first_store = |name: &str| {
        let function = program.functions.iter().position(|f| f.name == name).expect("there");
        let is_store = |inst: &Inst| matches!(inst, Inst::Store { .. });
        let pc = program.functions[function].code.iter().position(is_store).expect("a store") as u32;
        Target { points: vec![CodePoint { function: FunctionId(function as u32), pc }], threads: 1 }
    };
    let towards = vec![first_store("main"), first_store("other")];
    for seed in 0..20 {
        let directed = Config { towards: towards.clone(), ..config(Kind::Directed, 8) };
        let (one, again) = (run(LOST_UPDATE, &directed, seed), run(LOST_UPDATE, &directed, seed));
        assert_eq!(one.found.len(), 1, "seed {seed}");
        assert_eq!(moves_of(&one), moves_of(&again));
    }
    // A line that no thread reaches delays no run for ever.
    let nowhere = vec![first_store("main"), Target { points: Vec::new(), threads: 1 }];
    let sampled = run(LOST_UPDATE, &Config { towards: nowhere, ..config(Kind::Directed, 30) }, 0);
    assert_eq!((sampled.complete(), sampled.cut), (30, 0));
}

#[test]
fn a_run_that_is_interrupted_is_no_schedule() {
    let budget = Budget::default();
    budget.cancel();
    let sampled = sample(&machine(ENDLESS), &config(Kind::Random, 4), &budget, &mut Silent);
    assert_eq!((sampled.executions, sampled.stopped), (0, Some(StopReason::Cancelled)));
    // In the middle of a run.
    let budget = Budget { timeout: Some(std::time::Duration::from_millis(30)), ..Budget::default() };
    let endless = Config { max_moves: u64::MAX, ..config(Kind::Random, 1) };
    let sampled = sample(&machine(ENDLESS), &endless, &budget, &mut Silent);
    assert_eq!((sampled.executions, sampled.cut, sampled.stopped), (0, 0, Some(StopReason::TimedOut)));
}
