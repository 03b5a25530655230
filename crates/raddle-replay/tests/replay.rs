//! Replay and minimisation on a small program: what was found is found again, shorter ones show the same violation, and a
//! schedule that does not fit is refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use raddle_machine::drive::{Ended, Execution, Limits, Move, Strategy, drive};
use raddle_machine::{
    ChoiceRequest, Machine, RaceMonitor, Readiness, Settings, Signature, State, ThreadIndex,
};
use raddle_replay::{
    Claim, Effort, Follow, confirm_lasso, from_script, minimise, narrate, preemptions, to_script,
};
use raddle_trace::{ProgramIdentity, Property, read_json, write_json};

/// A race on `x`, an assertion that fails if an addition is lost, an input of two values, and some steps that have no part
/// in either.
const PROGRAM: &str = "
global x: i32
global done: i32
global noise: i32
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
    store.i32 [&noise] = 1 seq_cst
    store.i32 [&noise] = 2 seq_cst
    load.i32 r1 = [&x]
    add.i32 r1 = r1, 1
    store.i32 [&x] = r1
    store.i32 [&done] = 1 seq_cst
    store.i32 [&noise] = 3 seq_cst
    kernel.thread_exit
    unreachable
}
function main() {
bb0:
    call @start(@other)
    r3: i32 = kernel.choose 2:i64
    store.i32 [&noise] = r3 seq_cst
    load.i32 r1 = [&x]
    add.i32 r1 = r1, 1
    store.i32 [&x] = r1
    store.i32 [&noise] = 4 seq_cst
    call @await(&done)
    load.i32 r1 = [&x]
    eq.i32 r2 = r1, 2
    branch r2, bb2, bb1
bb1:
    kernel.fault 1:i32, &message, null
    unreachable
bb2:
    kernel.process_exit 0:i32, 0:i32
    unreachable
}";

fn machine(text: &str) -> Machine {
    let mut program = raddle_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    raddle_ir::verify::verify(&program).unwrap_or_else(|e| panic!("{e:?}"));
    raddle_analysis::mark_visible(&mut program);
    let settings = Settings { fuse_alone: false, ..Settings::default() };
    Machine::new(Arc::new(program), settings).expect("small")
}

/// Any thread that can step, by a small linear generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

impl Strategy for Dice {
    fn pick(&mut self, _: &State, readiness: &[Readiness]) -> Option<ThreadIndex> {
        let able: Vec<usize> = (0..readiness.len()).filter(|i| readiness[*i].can_step()).collect();
        let chosen = *able.get(self.below(able.len().max(1) as u64) as usize)?;
        Some(ThreadIndex(chosen as u32))
    }
    fn choose(&mut self, _: &State, _: ThreadIndex, request: ChoiceRequest) -> u64 {
        self.below(request.last + 1)
    }
}

fn execute<S: Strategy>(machine: &Machine, strategy: &mut S) -> Execution {
    let mut monitor = RaceMonitor::new();
    drive(machine, strategy, Some(&mut monitor), &mut (), &Limits { max_moves: 1000, ..Limits::default() })
}

/// Violations of many random schedules, with the schedules that lead to them.
fn violations(machine: &Machine) -> Vec<(Signature, Vec<Move>)> {
    let mut all = Vec::new();
    for seed in 0..200 {
        let execution = execute(machine, &mut Dice(seed));
        for violation in &execution.violations {
            let signature = Signature::of(machine, &violation.kind);
            all.push((signature, execution.schedule[..violation.moves].to_vec()));
        }
    }
    all
}

fn shows(machine: &Machine, moves: &[Move], wanted: &Signature) -> bool {
    let mut follow = Follow::new(moves);
    let execution = execute(machine, &mut follow);
    let found = execution
        .violations
        .iter()
        .any(|v| v.moves == moves.len() && Signature::of(machine, &v.kind) == *wanted);
    follow.lost.is_none() && found
}

fn switches(moves: &[Move]) -> usize {
    moves.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
}

#[test]
fn what_was_found_is_found_again() {
    let machine = machine(PROGRAM);
    let all = violations(&machine);
    let of = |property| all.iter().filter(|(s, _)| s.property() == property).count();
    assert!(of(Property::Assert) > 5 && of(Property::Race) > 20, "{}", all.len());
    for (signature, moves) in &all {
        assert!(shows(&machine, moves, signature), "{signature:?} {moves:?}");
        let script = to_script(moves, BTreeMap::new());
        assert_eq!(from_script(&script).as_deref(), Ok(&moves[..]));
    }
}

#[test]
fn a_trace_keeps_its_schedule_through_json() {
    let machine = machine(PROGRAM);
    let (signature, moves) = violations(&machine).remove(0);
    let trace = narrate(&machine, &moves, &signature, ProgramIdentity::default(), BTreeMap::new());
    let trace = trace.expect("it replays");
    let again = read_json(&write_json(&trace)).expect("it is whole");
    assert_eq!(again, trace);
    let read = from_script(&again.script).expect("a schedule");
    assert!(shows(&machine, &read, &signature));
}

#[test]
fn the_minimiser_keeps_the_violation_and_never_lengthens() {
    let machine = machine(PROGRAM);
    let all = violations(&machine);
    let mut least = usize::MAX;
    for (signature, moves) in &all {
        let shorter = minimise(&machine, moves, signature, Effort::default());
        assert!(shows(&machine, &shorter, signature), "{signature:?} {shorter:?}");
        let cost = |moves: &[Move]| (switches(moves), moves.len());
        assert!(cost(&shorter) <= cost(moves), "{moves:?} became {shorter:?}");
        if signature.property() == Property::Assert {
            least = least.min(switches(&shorter));
        }
        // Without effort, the schedule stays.
        assert_eq!(
            minimise(&machine, moves, signature, Effort { replays: 0, moves: 0, ..Effort::default() }),
            *moves
        );
    }
    // main reads, the other adds, main writes and checks; or the other way round.
    assert_eq!(least, 2);
}

#[test]
fn answers_stay_with_their_thread() {
    let machine = machine(PROGRAM);
    let answer = |moves: &[Move]| moves.iter().find_map(|m| m.choice);
    for (signature, moves) in violations(&machine) {
        let shorter = minimise(&machine, &moves, &signature, Effort::default());
        if let (Some(before), Some(after)) = (answer(&moves), answer(&shorter)) {
            assert_eq!(before, after);
        }
    }
}

#[test]
fn a_schedule_that_does_not_fit_is_refused() {
    let machine = machine(PROGRAM);
    let (signature, moves) = violations(&machine).remove(0);
    let refused = |moves: &[Move]| {
        let mut follow = Follow::new(moves);
        let execution = execute(&machine, &mut follow);
        assert_eq!(execution.ended, Ended::Stopped);
        follow.lost.expect("it cannot be followed")
    };
    // A thread that is not there.
    let mut unknown = moves.clone();
    unknown[0].thread = 77;
    assert_eq!(refused(&unknown), (0, "thread T76 does not exist".into()));
    // An answer where none is asked for, one that is none, and one that is missing.
    let mut answered = moves.clone();
    answered[0].choice = Some(0);
    assert_eq!(refused(&answered).0, 0);
    let asked = moves.iter().position(|m| m.choice.is_some()).expect("main chooses first");
    for choice in [None, Some(9)] {
        let mut other = moves.clone();
        other[asked].choice = choice;
        assert_eq!(refused(&other).0, asked);
    }
    // A thread that has ended, or is blocked.
    let mut again = moves[..1].to_vec();
    again.extend([Move { thread: 2, choice: None }; 20]);
    assert!(refused(&again).1.contains("cannot step"));
    assert!(narrate(&machine, &unknown, &signature, ProgramIdentity::default(), BTreeMap::new()).is_none());
    // The right schedule of another violation shows nothing either.
    let short = &moves[..1];
    assert!(narrate(&machine, short, &signature, ProgramIdentity::default(), BTreeMap::new()).is_none());
}

#[test]
fn preemptions_are_switches_from_a_thread_that_could_go_on() {
    let machine = machine(PROGRAM);
    let (mut state, mut moves) = (machine.start(&mut ()).0, Vec::new());
    // main as far as it comes, then the other, then main: no preemption, however many switches.
    for thread in [1u32, 2, 1] {
        while let Some(index) = state.thread_numbered(thread) {
            if state.end().is_some() || !machine.readiness(&mut state, index).can_step() {
                break;
            }
            let choice = state.thread(index).pending.map(|_| 0);
            machine.step(&mut state, index, choice, &mut ());
            moves.push(Move { thread, choice });
        }
    }
    assert_eq!((switches(&moves), preemptions(&machine, &moves)), (2, 0));
    for (_, moves) in violations(&machine) {
        assert!(preemptions(&machine, &moves) <= switches(&moves) as u64);
    }
}

/// A weak compare-exchange that is retried; the value is what it expects.
const RETRIED: &str = "
global x: i32
function main() {
bb0:
    jump bb1
bb1:
    compare_exchange.i32 r0, r1 = [&x], 0, 1 seq_cst weak
    branch r1, bb2, bb1
bb2:
    kernel.process_exit 0:i32, 0:i32
    unreachable
}";

/// The same, of a value that it never has.
fn missed() -> String {
    RETRIED.replace("[&x], 0, 1", "[&x], 5, 1")
}

fn claim(fairness: bool) -> Claim<'static> {
    Claim { formula: None, propositions: &[], fairness, progress: false }
}

/// The first moves of one thread, with the same answer to every choice.
fn alone(machine: &Machine, answer: u64, count: usize) -> Vec<Move> {
    let (mut state, mut moves) = (machine.start(&mut ()).0, Vec::new());
    for _ in 0..count {
        let thread = ThreadIndex::MAIN;
        let choice = state.thread(thread).pending.map(|_| answer);
        machine.step(&mut state, thread, choice, &mut ());
        moves.push(Move { thread: 1, choice });
    }
    moves
}

#[test]
fn a_lasso_is_confirmed_or_refused() {
    let missed = machine(&missed());
    let moves = alone(&missed, 0, 4);
    let confirmed = (0..4).find(|cycle| confirm_lasso(&missed, &moves, *cycle, &claim(true)).is_ok());
    assert!(confirmed.is_some(), "it fails for ever: {moves:?}");
    // Spurious failures alone are no fair run, but a run.
    let retried = machine(RETRIED);
    let moves = alone(&retried, 1, 4);
    let cycles =
        || (0..4).map(|cycle| (confirm_lasso(&retried, &moves, cycle, &claim(false)).is_ok(), cycle));
    let (_, cycle) = cycles().find(|(confirmed, _)| *confirmed).expect("it repeats");
    let why = confirm_lasso(&retried, &moves, cycle, &claim(true)).expect_err("not fair");
    assert!(why.contains("fails spuriously forever"), "{why}");
    // A run that ends is no infinite one, and a cycle must lead back.
    let ended = alone(&retried, 0, 2);
    assert!(confirm_lasso(&retried, &ended, ended.len(), &claim(true)).is_err());
    assert!(confirm_lasso(&retried, &ended, 0, &claim(true)).is_err());
}
