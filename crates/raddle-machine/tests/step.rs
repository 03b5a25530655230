//! The contract of `step`.

mod support;

use raddle_machine::{EncodeOptions, ThreadIndex, WaitKind};

const OPTIONS: EncodeOptions =
    EncodeOptions { rename: false, yielded: true, dead_registers: None, leaks: true };

/// Main, `a` as thread 1 and `b` as thread 2 of the state; the steps are taken, then one that must not be possible.
fn refused(a: &str, b: &str, steps: &[u32], then: u32) -> WaitKind {
    let machine = support::machine(&format!(
        "global x: i32\nglobal m: i64
function a(r0: ptr) {{\nbb0:\n{a}\nreturn\n}}
function b(r0: ptr) {{\nbb0:\n{b}\nreturn\n}}
function main() {{
bb0:
    r0: i32 = call @start(@a, null)
    r0: i32 = call @start(@b, null)
    load.i32 r1 = [&x]
    kernel.thread_exit
    unreachable
}}"
    ));
    let (mut state, _) = machine.start(&mut ());
    for thread in steps {
        machine.step(&mut state, ThreadIndex(*thread), None, &mut ());
    }
    let before = machine.fingerprint(&state, &OPTIONS);
    assert!(!machine.readiness(&mut state, ThreadIndex(then)).can_step());
    assert_eq!(machine.fingerprint(&state, &OPTIONS), before);
    let outcome = machine.step(&mut state, ThreadIndex(then), None, &mut ());
    assert_eq!(machine.fingerprint(&state, &OPTIONS), before);
    outcome.blocked.expect("it says so").kind
}

#[test]
fn a_disabled_step_changes_nothing() {
    let locked = "call @lock(&m)\nload.i32 r1 = [&x]\ncall @unlock(&m)";
    let late = format!("kernel.yield\n{locked}");
    assert_eq!(refused(locked, &late, &[0, 1, 2], 2), WaitKind::Mutex);
}

#[test]
fn nobody_steps_beside_an_atomic_section() {
    let atomic = "kernel.atomic_begin\nload.i32 r1 = [&x]\nstore.i32 [&x] = 1\nkernel.atomic_end";
    assert_eq!(refused(atomic, "store.i32 [&x] = 5", &[0, 1], 2), WaitKind::AtomicSection);
    assert_eq!(refused(atomic, atomic, &[0, 1], 2), WaitKind::AtomicSection);
}

#[test]
fn nobody_steps_beside_a_section_that_waits_for_a_choice() {
    let choosing = "kernel.begin\nr1: i64 = kernel.choose 2:i64\nstore.i32 [&x] = 1\nkernel.end";
    assert_eq!(refused(choosing, "store.i32 [&x] = 5", &[0, 1], 2), WaitKind::AtomicSection);
}
