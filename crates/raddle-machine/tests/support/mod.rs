//! For the tests: programs from text, random schedules, a small random generator.

#![allow(dead_code)]

use std::sync::Arc;

use raddle_machine::{Machine, Outcome, Settings, State, ThreadIndex, Watch};

/// Functions that most test programs use: locks and joins as library models make them.
pub const LIBRARY: &str = r#"
function lock(r0: ptr) library {
bb0:
    kernel.begin
    r1: i32 = kernel.held r0
    eq.i32 r2 = r1, 0
    branch r2, bb2, bb1
bb1:
    kernel.block 1:i32, r0, 0:i32
    unreachable
bb2:
    kernel.event 1:i32, r0
    kernel.acquire r0, 0:i32
    kernel.end
    return
}
function unlock(r0: ptr) library {
bb0:
    kernel.begin
    kernel.release r0, 0:i32
    kernel.event 3:i32, r0
    kernel.end
    return
}
// The thread has done its work: for `join`.
function done(r0: ptr) library {
bb0:
    kernel.begin
    kernel.release r0, 7:i32
    kernel.end
    return
}
function join(r0: i32, r1: ptr) library {
bb0:
    kernel.begin
    r2: i32 = kernel.finished r0
    eq.i32 r3 = r2, 1
    branch r3, bb2, bb1
bb1:
    kernel.block 7:i32, null, r0
    unreachable
bb2:
    kernel.acquire r1, 7:i32
    kernel.end
    return
}
function start(r0: ptr, r1: ptr) -> 1 library {
bb0:
    kernel.begin
    r2: i32 = kernel.spawn r0, r1
    kernel.end
    return r2
}
"#;

pub fn machine_with(text: &str, settings: Settings) -> Machine {
    let text = format!("{text}\n{LIBRARY}");
    let program = raddle_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    raddle_ir::verify::verify(&program).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    Machine::new(Arc::new(program), settings).unwrap()
}

pub fn machine(text: &str) -> Machine {
    machine_with(text, Settings::default())
}

/// Marsaglia's xorshift.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

pub fn ready_threads(machine: &Machine, state: &mut State) -> Vec<ThreadIndex> {
    if state.end().is_some() {
        return Vec::new();
    }
    let all = (0..state.thread_count()).map(|i| ThreadIndex(i as u32));
    all.filter(|t| machine.readiness(state, *t).can_step()).collect()
}

/// One step of a random thread that can take one; false when none can.
pub fn random_step<W: Watch>(
    machine: &Machine,
    state: &mut State,
    random: &mut Random,
    watch: &mut W,
) -> Option<Outcome> {
    let ready = ready_threads(machine, state);
    if ready.is_empty() {
        return None;
    }
    let thread = *random.pick(&ready);
    let last = state.thread(thread).pending.map_or(0, |p| p.last);
    let choice = random.next() % last.saturating_add(1).max(1);
    Some(machine.step(state, thread, Some(choice), watch))
}

/// Runs a random schedule to its end.
pub fn run<W: Watch>(machine: &Machine, seed: u64, watch: &mut W) -> State {
    let mut random = Random::new(seed + 1);
    let (mut state, _) = machine.start(watch);
    for _ in 0..10_000 {
        if random_step(machine, &mut state, &mut random, watch).is_none() {
            return state;
        }
    }
    panic!("the program does not end");
}
