//! What a search pays a state: a step, a snapshot, an encoding, a hash; on four threads that share a lock, a counter
//! and a list on the heap. Prints one table; run with `cargo bench -p raddle-machine`.

#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::time::Instant;

use raddle_machine::{EncodeOptions, Machine, RaceMonitor, State, ThreadIndex, Watch};
use support::{Random, machine, ready_threads};

/// Each of four threads pushes nodes under a lock, and between that works on an array of its own.
const PROGRAM: &str = r#"
global head: ptr
global count: i32
global m: 40
global table: 256

function worker(r0: ptr) {
bb0:
    alloca r1 = 64
    memory_set [r1] = 0, 64 private
    copy r2: i32 = 0:i32
    jump bb1
bb1:
    call @lock(&m)
    r3: ptr = kernel.alloc 24:i64, 1:i64
    load.ptr r4 = [&head]
    store.ptr [r3] = r4
    store.ptr [&head] = r3
    load.i32 r5 = [&count]
    add.i32 r5 = r5, 1
    store.i32 [&count] = r5
    call @unlock(&m)
    call @local(r1)
    and.i32 r6 = r2, 63
    pointer_add.i32 r7 = &table, r6 * 4
    store.i32 [r7] = r2 relaxed
    add.i32 r2 = r2, 1
    jump bb1
}
function local(r0: ptr) {
bb0:
    copy r1: i32 = 0:i32
    jump bb1
bb1:
    pointer_add.i32 r2 = r0, r1 * 4
    load.i32 r3 = [r2] private
    add.i32 r3 = r3, r1
    store.i32 [r2] = r3 private
    add.i32 r1 = r1, 1
    eq.i32 r4 = r1, 8
    branch r4, bb2, bb1
bb2:
    return
}
function main() {
bb0:
    r0: i32 = call @start(@worker, null)
    r0: i32 = call @start(@worker, null)
    r0: i32 = call @start(@worker, null)
    call @worker(null)
    unreachable
}
"#;

type States = [(State, ThreadIndex)];

/// States of one random run after `skip` steps, one a step, each with a thread that can step.
fn states(machine: &Machine, skip: usize, count: usize) -> Vec<(State, ThreadIndex)> {
    let mut random = Random::new(1);
    let (mut state, _) = machine.start(&mut ());
    let mut found = Vec::new();
    for step in 0..skip + count {
        let ready = ready_threads(machine, &mut state);
        let thread = *random.pick(&ready);
        if step >= skip {
            found.push((state.clone(), thread));
        }
        machine.step(&mut state, thread, None, &mut ());
    }
    found
}

/// Nanoseconds a call of `f`, the best of seven rounds.
fn time(calls: usize, mut f: impl FnMut()) -> f64 {
    (0..7).fold(f64::MAX, |best, _| {
        let start = Instant::now();
        f();
        best.min(start.elapsed().as_nanos() as f64 / calls as f64)
    })
}

fn walk<W: Watch>(machine: &Machine, steps: usize, watch: &mut W) {
    let mut random = Random::new(2);
    let (mut state, _) = machine.start(watch);
    for _ in 0..steps {
        // A blocked thread stays where it is: the price of a step includes finding that out.
        let thread = ThreadIndex(random.below(state.thread_count()) as u32);
        machine.step(&mut state, thread, None, watch);
    }
    black_box(&state);
}

fn main() {
    let machine = machine(PROGRAM);
    println!("| a state with | few objects | some | many |\n|---|---:|---:|---:|");
    let sets = [states(&machine, 40, 200), states(&machine, 1000, 2000), states(&machine, 30_000, 2000)];
    let row = |name: &str, f: &dyn Fn(&States) -> f64, unit: &str| {
        let show = |x: f64| if x < 10.0 { format!("{x:.1} {unit}") } else { format!("{x:.0} {unit}") };
        let cells: Vec<String> = sets.iter().map(|s| show(f(s))).collect();
        println!("| {name} | {} |", cells.join(" | "));
    };
    let exact = EncodeOptions::default();
    let rename = EncodeOptions { rename: true, ..exact };
    row("objects alive", &|s| s[s.len() / 2].0.memory().extent().0 as f64, "");
    row("bytes in them", &|s| s[s.len() / 2].0.memory().extent().1 as f64, "");
    row(
        "snapshot: clone and drop",
        &|s| time(s.len(), || s.iter().for_each(|(s, _)| drop(black_box(s.clone())))),
        "ns",
    );
    row(
        "snapshot, step on it, drop",
        &|s| {
            time(s.len(), || {
                for (state, thread) in s {
                    let mut state = state.clone();
                    machine.step(&mut state, *thread, None, &mut ());
                    black_box(&state);
                }
            })
        },
        "ns",
    );
    row(
        "readiness of all threads, on a snapshot",
        &|s| {
            time(s.len(), || {
                for (state, _) in s {
                    black_box(ready_threads(&machine, &mut state.clone()));
                }
            })
        },
        "ns",
    );
    for (name, options) in [("exact", exact), ("renaming", rename)] {
        let mut room = Vec::new();
        let lengths = |s: &States| {
            let mut out = Vec::new();
            machine.encode(&s[s.len() / 2].0, &options, &mut out);
            out.len() as f64
        };
        row(&format!("encoding, {name}: bytes"), &lengths, "");
        let times: Vec<f64> = sets
            .iter()
            .map(|s| {
                time(s.len(), || {
                    for (state, _) in s {
                        black_box(machine.fingerprint_in(state, &options, &mut room));
                    }
                })
            })
            .collect();
        println!("| fingerprint, {name} | {:.0} ns | {:.0} ns | {:.0} ns |", times[0], times[1], times[2]);
    }
    let steps = 50_000;
    println!("\n| a step of a run | |\n|---|---:|");
    println!("| nobody listens | {:.0} ns |", time(steps, || walk(&machine, steps, &mut ())));
    let races = time(steps, || walk(&machine, steps, &mut RaceMonitor::new()));
    println!("| race monitor | {races:.0} ns |");
    let races = time(steps, || walk(&machine, steps, &mut RaceMonitor::detailed()));
    println!("| detailed race monitor | {races:.0} ns |");
    let mut monitor = RaceMonitor::new();
    walk(&machine, 2000, &mut monitor);
    let clones = time(1000, || (0..1000).for_each(|_| drop(black_box(monitor.clone()))));
    println!("| snapshot of the race monitor after 2000 steps | {clones:.0} ns |");
}
