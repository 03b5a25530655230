//! Footprints: what a step is said to touch is what it touches.

mod support;

use raddle_machine::kernel::event;
use raddle_machine::{Effects, Footprint, Machine, State, ThreadIndex};

const A: ThreadIndex = ThreadIndex(1);
const B: ThreadIndex = ThreadIndex(2);

/// Main has started `a` and `b` and waits; both stand before their first visible operation.
fn two(a: &str, b: &str) -> (Machine, State) {
    let machine = support::machine(&format!(
        "global x: i32\nglobal y: i64\nglobal m: i64
function a(r0: ptr) {{\nbb0:\n{a}\nreturn\n}}
function b(r0: ptr) {{\nbb0:\n{b}\nreturn\n}}
function main() {{
bb0:
    r0: i32 = call @start(@a, null)
    r0: i32 = call @start(@b, null)
    kernel.yield
    kernel.thread_exit
    unreachable
}}"
    ));
    let (mut state, _) = machine.start(&mut ());
    machine.step(&mut state, ThreadIndex::MAIN, None, &mut ());
    assert_eq!(state.thread_count(), 3);
    (machine, state)
}

fn of(machine: &Machine, state: &State, thread: ThreadIndex) -> Footprint {
    machine.footprint(state, thread, None)
}

/// Whether the next steps of the two depend on each other, said by either side.
fn dependent(a: &str, b: &str) -> bool {
    let (machine, state) = two(a, b);
    let (of_a, of_b) = (of(&machine, &state, A), of(&machine, &state, B));
    let (one, two) = (of_a.depends(2, &of_b, 3), of_b.depends(3, &of_a, 2));
    assert_eq!(one, two);
    one
}

const LOAD_X: &str = "load.i32 r1 = [&x]\nkernel.yield";
const STORE_X: &str = "store.i32 [&x] = 1\nkernel.yield";
const LOAD_Y: &str = "load.i64 r1 = [&y]\nkernel.yield";

#[test]
fn plain_accesses_conflict_by_bytes_and_writes() {
    assert!(!dependent(LOAD_X, LOAD_X));
    assert!(dependent(LOAD_X, STORE_X));
    assert!(dependent(STORE_X, STORE_X));
    assert!(!dependent(STORE_X, LOAD_Y));
    let upper = "pointer_add.i64 r1 = &y, 4\nload.i32 r2 = [r1]\nkernel.yield";
    let lower = "store.i32 [&y] = 1\nkernel.yield";
    assert!(!dependent(upper, lower));
    assert!(dependent(LOAD_Y, lower));
}

#[test]
fn a_lock_is_its_bytes_and_its_event() {
    let lock = "call @lock(&m)\nkernel.yield\ncall @unlock(&m)";
    let (machine, state) = two(lock, LOAD_X);
    let found = of(&machine, &state, A);
    assert!(found.touches.iter().any(|t| t.write && t.internal));
    assert!(found.locks.iter().any(|l| l.event == event::LOCK));
    assert!(dependent(lock, lock));
    assert!(!dependent(lock, STORE_X));
}

#[test]
fn a_blocked_step_depends_on_what_enables_it() {
    let lock = "call @lock(&m)\ncall @unlock(&m)\nkernel.yield";
    let (machine, mut state) = two(lock, lock);
    machine.step(&mut state, A, None, &mut ());
    let (unlock, waiting) = (of(&machine, &state, A), of(&machine, &state, B));
    assert!(waiting.effects.has(Effects::BLOCKED));
    assert!(waiting.touches.iter().all(|t| !t.write));
    assert!(unlock.depends(2, &waiting, 3));
}

#[test]
fn the_end_of_a_thread_is_in_the_step_before_it() {
    let (machine, state) = two("store.i32 [&x] = 1", STORE_X);
    assert!(of(&machine, &state, A).effects.has(Effects::THREAD_END));
    assert!(!of(&machine, &state, B).effects.has(Effects::THREAD_END));
}

#[test]
fn the_end_of_a_local_variable_is_a_write_of_it() {
    // `a` publishes the address of a local and returns after its next operation; `b` reads through it.
    let publish = "r1: ptr = alloca 4:i64\nstore.i32 [r1] = 7\nstore.ptr [&y] = r1\nload.i32 r2 = [&x]";
    let follow = "load.ptr r1 = [&y]\nload.i32 r2 = [r1]\nkernel.yield";
    let (machine, mut state) = two(publish, follow);
    for thread in [A, A, B] {
        machine.step(&mut state, thread, None, &mut ());
    }
    assert!(of(&machine, &state, A).depends(2, &of(&machine, &state, B), 3));
}

#[test]
fn an_open_atomic_section_depends_on_all() {
    let section = "kernel.atomic_begin\nload.i32 r1 = [&x]\nkernel.atomic_end\nkernel.yield";
    assert!(dependent(section, LOAD_Y));
    let (machine, mut state) = two(section, STORE_X);
    machine.step(&mut state, A, None, &mut ());
    // `b` is excluded, but its access is known.
    let excluded = of(&machine, &state, B);
    assert!(excluded.touches.iter().any(|t| t.write && !t.internal));
    assert!(excluded.touches[0].races(&of(&machine, &state, A).touches[0]));
}

/// The first child of thread 2 is number 128.
#[test]
fn the_creation_of_a_thread_changes_queries_of_it_alone() {
    let create = "r1: i32 = call @start(@b, null)\nkernel.yield";
    let query = |op: &str, number: u32| {
        format!("kernel.begin\nr1: ptr = kernel.{op} {number}:i32\nkernel.end\nkernel.yield")
    };
    assert!(dependent(create, &query("tcb", 128)));
    assert!(!dependent(create, &query("tcb", 129)));
    assert!(!dependent(create, &query("tcb", 2)));
    assert!(!dependent(create, &query("tcb", 1)));
}

#[test]
fn accesses_beside_those_of_sections_bypass_their_edges() {
    let inside = |access: &str| format!("kernel.begin\n{access}\nkernel.end\nkernel.yield");
    let bypass = |a: &str, b: &str| {
        let (machine, state) = two(a, b);
        let (a, b) = (of(&machine, &state, A), of(&machine, &state, B));
        let both = a.touches.iter().any(|x| b.touches.iter().any(|y| x.bypasses(y)));
        assert_eq!(both, b.touches.iter().any(|y| a.touches.iter().any(|x| y.bypasses(x))));
        both
    };
    assert!(bypass(&inside(STORE_X), LOAD_X));
    assert!(bypass(&inside(LOAD_X), STORE_X));
    assert!(!bypass(&inside(LOAD_X), LOAD_X));
    assert!(!bypass(&inside(STORE_X), LOAD_Y));
    assert!(!bypass(&inside(STORE_X), &inside(STORE_X)));
    assert!(!bypass(STORE_X, STORE_X));
}

#[test]
fn asking_changes_nothing() {
    let (machine, state) = two(STORE_X, LOAD_X);
    let options = Default::default();
    let before = machine.fingerprint(&state, &options);
    of(&machine, &state, A);
    assert_eq!(machine.fingerprint(&state, &options), before);
}
