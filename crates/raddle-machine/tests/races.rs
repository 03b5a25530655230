//! The race monitor on programs written by hand: one kind of edge each.

mod support;

use raddle_machine::{Machine, Race, RaceMonitor};
use support::{machine, run};

/// Races over many schedules: (schedules with a race, schedules, the last race).
fn races(text: &str) -> (u32, u32, Option<Race>) {
    let machine = machine(text);
    let (mut racy, mut last) = (0, None);
    for seed in 0..100 {
        let mut monitor = RaceMonitor::new();
        run(&machine, seed, &mut monitor);
        racy += !monitor.races().is_empty() as u32;
        last = monitor.races().last().cloned().or(last);
    }
    (racy, 100, last)
}

fn always(text: &str) -> Race {
    let (racy, all, race) = races(text);
    assert_eq!(racy, all, "schedules with a race");
    race.unwrap()
}

fn never(text: &str) {
    let (racy, _, race) = races(text);
    assert_eq!(racy, 0, "schedules with a race: {race:?}");
}

/// Main starts two threads that run `a` and `b`; `tail` is main's code after that.
fn two(globals: &str, a: &str, b: &str, tail: &str) -> String {
    format!(
        "{globals}
global ta: i64
global tb: i64
function a(r0: ptr) {{
bb0:
{a}
    call @done(r0)
    return
}}
function b(r0: ptr) {{
bb0:
{b}
    call @done(r0)
    return
}}
function main() {{
bb0:
    r0: i32 = call @start(@a, &ta)
    r1: i32 = call @start(@b, &tb)
{tail}
    kernel.thread_exit
    unreachable
}}"
    )
}

const INCREMENT: &str = "
    load.i32 r1 = [&x]
    add.i32 r1 = r1, 1
    store.i32 [&x] = r1";

fn function_name(machine: &Machine, race: &Race) -> (String, String) {
    let name = |f: raddle_ir::FunctionId| machine.program.function(f).name.clone();
    (name(race.first.at.function), name(race.second.at.function))
}

#[test]
fn a_counter_without_a_lock() {
    let race = always(&two("global x: i32", INCREMENT, INCREMENT, ""));
    assert!(race.first.write || race.second.write);
    assert_ne!(race.first.thread, race.second.thread);
    assert_eq!((race.length, race.first.length), (4, 4));
}

#[test]
fn a_counter_with_a_lock() {
    let body = format!("call @lock(&m)\n{INCREMENT}\ncall @unlock(&m)");
    never(&two("global x: i32\nglobal m: i64", &body, &body, ""));
}

#[test]
fn two_locks_are_not_one() {
    let body = |m: &str| format!("call @lock(&{m})\n{INCREMENT}\ncall @unlock(&{m})");
    always(&two("global x: i32\nglobal m: i64\nglobal n: i64", &body("m"), &body("n"), ""));
}

#[test]
fn creation_and_join_order() {
    let tail = "call @join(r0, &ta)\nload.i32 r2 = [&x]";
    never(&two("global x: i32", INCREMENT, "", tail));
    // Joined the wrong one.
    let tail = "call @join(r1, &tb)\nload.i32 r2 = [&x]";
    always(&two("global x: i32", INCREMENT, "", tail));
    // Main writes before it creates.
    let text = two("global x: i32", INCREMENT, "", "")
        .replace("    r0: i32 = call @start(@a", "    store.i32 [&x] = 7\n    r0: i32 = call @start(@a");
    never(&text);
}

#[test]
fn alone_again_after_joins() {
    // After both joins main is alone: nothing is kept, and a new thread knows it all.
    let tail = "call @join(r0, &ta)\ncall @join(r1, &tb)
    load.i32 r2 = [&x]
    store.i32 [&x] = r2
    r0: i32 = call @start(@c, &ta)
    load.i32 r2 = [&y]
    ";
    let c = "function c(r0: ptr) {\nbb0:\nload.i32 r1 = [&x]\nstore.i32 [&y] = r1\nreturn\n}";
    let locked = format!("call @lock(&m)\n{INCREMENT}\ncall @unlock(&m)");
    let globals = format!("global x: i32\nglobal y: i32\nglobal m: i64\n{c}");
    let text = two(&globals, &locked, &locked, tail);
    let race = always(&text);
    let (one, other) = function_name(&machine(&text), &race);
    assert!(
        [one.as_str(), other.as_str()].contains(&"c") && [one.as_str(), other.as_str()].contains(&"main")
    );
}

/// `a` publishes `x` through `flag`; `b` reads it if it sees the flag.
fn publication(store: &str, load: &str) -> (u32, u32, Option<Race>) {
    let a = format!("store.i32 [&x] = 1\n{store}");
    let b = format!(
        "{load}
    eq.i32 r2 = r1, 0
    branch r2, bb2, bb1
bb1:
    load.i32 r3 = [&x]
    jump bb2
bb2:"
    );
    races(&two("global x: i32\nglobal flag: i32", &a, &b, ""))
}

#[test]
fn publication_by_orders() {
    let store = |order| format!("store.i32 [&flag] = 1 {order}");
    let load = |order| format!("load.i32 r1 = [&flag] {order}");
    assert_eq!(publication(&store("release"), &load("acquire")).0, 0);
    assert_eq!(publication(&store("seq_cst"), &load("seq_cst")).0, 0);
    for (s, l) in [("relaxed", "acquire"), ("release", "relaxed"), ("relaxed", "relaxed")] {
        let (racy, all, race) = publication(&store(s), &load(l));
        // Only where the flag was seen.
        assert!(racy > 10 && racy < all, "{s} {l}: {racy}");
        assert!(!race.unwrap().first.atomic);
    }
}

#[test]
fn publication_by_fences() {
    let stores = "fence release\nstore.i32 [&flag] = 1 relaxed";
    let loads = "load.i32 r1 = [&flag] relaxed\nfence acquire";
    assert_eq!(publication(stores, loads).0, 0);
    assert_eq!(publication(stores, "load.i32 r1 = [&flag] acquire").0, 0);
    assert_eq!(publication("store.i32 [&flag] = 1 release", loads).0, 0);
    assert_eq!(publication(&stores.replace("release", "seq_cst"), &loads.replace("acquire", "seq_cst")).0, 0);
    // On the wrong side.
    assert!(publication("store.i32 [&flag] = 1 relaxed\nfence release", loads).0 > 10);
    assert!(publication(stores, "fence acquire\nload.i32 r1 = [&flag] relaxed").0 > 10);
    assert!(publication(&stores.replace("release", "acquire"), loads).0 > 10);
}

#[test]
fn an_update_goes_on_with_the_release_sequence() {
    let third = |store: &str| {
        let text = two(
            &format!("global x: i32\nglobal flag: i32\nfunction c(r0: ptr) {{\nbb0:\n{store}\nreturn\n}}"),
            "store.i32 [&x] = 1\nstore.i32 [&flag] = 1 release",
            "load.i32 r1 = [&flag] acquire
    eq.i32 r2 = r1, 2
    branch r2, bb1, bb2
bb1:
    load.i32 r3 = [&x]
    jump bb2
bb2:",
            "r2: i32 = call @start(@c, null)",
        );
        // Only the schedules that go: a, c, b.
        races(&text).0
    };
    assert_eq!(third("update.add.i32 r1 = [&flag], 1 relaxed"), 0);
    // A relaxed store of the same value ends the sequence.
    let store = "load.i32 r1 = [&flag] relaxed\nadd.i32 r1 = r1, 1\nstore.i32 [&flag] = r1 relaxed";
    assert!(third(store) > 5);
}

#[test]
fn bytes_that_do_not_overlap() {
    let store = |width: &str, at: u32| format!("store.{width} [&x+{at}] = 1");
    let globals = "global x: 16";
    never(&two(globals, &store("i16", 0), &store("i8", 2), ""));
    never(&two(globals, &store("i8", 3), &store("i32", 4), ""));
    let race = always(&two(globals, &store("i16", 0), &store("i8", 1), ""));
    assert_eq!((race.pointer & 7, race.length), (1, 1));
    assert_eq!(race.first.length + race.second.length, 3);
    // Over the border of two words.
    let race = always(&two(globals, "store.i32 [&x+6] = 1 align 1", "load.i8 r1 = [&x+9]", ""));
    assert_eq!((race.pointer & 15, race.length), (9, 1));
    let race = always(&two(globals, "memory_set [&x] = 0, 16", "load.i16 r1 = [&x+8]", ""));
    assert_eq!((race.pointer & 15, race.length), (8, 2));
}

#[test]
fn atomic_and_plain() {
    let globals = "global x: i32";
    never(&two(globals, "store.i32 [&x] = 1 relaxed", "update.add.i32 r1 = [&x], 1", ""));
    let race = always(&two(globals, "store.i32 [&x] = 1 seq_cst", "load.i32 r1 = [&x]", ""));
    assert!(race.first.atomic != race.second.atomic);
    never(&two(globals, "load.i32 r1 = [&x] seq_cst", "load.i32 r1 = [&x]", ""));
}

#[test]
fn free_is_a_write() {
    let globals = "global p: ptr";
    let text = two(
        globals,
        "load.ptr r1 = [&p]\nload.i8 r2 = [r1]",
        "load.ptr r1 = [&p]\nkernel.begin\nkernel.end\nkernel.free r1",
        "",
    )
    .replace(
        "    r0: i32 = call @start(@a",
        "    r4: ptr = kernel.alloc 8:i64, 1:i64\n    store.ptr [&p] = r4\n    r0: i32 = call @start(@a",
    );
    let (racy, _, race) = races(&text);
    // In the other schedules the read is a use after free.
    assert!(racy > 10 && racy < 100, "{racy}");
    let race = race.unwrap();
    assert!(race.second.write && race.second.length == 8 && !race.first.write);
}

#[test]
fn atomic_sections_are_one_lock() {
    let body = format!("kernel.atomic_begin\n{INCREMENT}\nkernel.atomic_end");
    never(&two("global x: i32", &body, &body, ""));
    always(&two("global x: i32", &body, INCREMENT, ""));
}

#[test]
fn kernel_sections_order_nothing() {
    let section = |access: &str| format!("kernel.begin\n{access}\nkernel.end\n");
    never(&two("global x: i32", &section(INCREMENT), INCREMENT, ""));
    let before = format!("{INCREMENT}\n{}", section("store.i32 [&y] = 1"));
    let after = format!("{}\n{INCREMENT}", section("load.i32 r2 = [&y]"));
    always(&two("global x: i32\nglobal y: i32", &before, &after, ""));
}

#[test]
fn details_and_snapshots() {
    let body = "call @lock(&m)\ncall @deep()\ncall @unlock(&m)";
    let text = two(
        &format!("global x: i32\nglobal m: i64\nfunction deep() {{\nbb0:\n{INCREMENT}\nreturn\n}}"),
        body,
        INCREMENT,
        "",
    );
    let machine = machine(&text);
    let mut monitor = RaceMonitor::detailed();
    run(&machine, 3, &mut monitor);
    let mut plain = RaceMonitor::new();
    run(&machine, 3, &mut plain);
    assert_eq!(monitor.take_new().len(), monitor.races().len());
    assert!(monitor.take_new().is_empty());
    for (race, same) in monitor.races().iter().zip(plain.races()) {
        assert_eq!((race.first.sequence, race.second.sequence), (same.first.sequence, same.second.sequence));
        for side in [&race.first, &race.second] {
            let stack = side.stack.as_ref().unwrap();
            assert_eq!(stack[0], side.at);
            let deep = machine.program.function(side.at.function).name == "deep";
            assert_eq!((stack.len(), side.holds.len()), if deep { (2, 1) } else { (1, 0) });
            if deep {
                let caller = machine.program.function(stack[1].function);
                assert!(matches!(caller.code[stack[1].pc as usize], raddle_ir::Inst::Call(_)));
            }
        }
        assert!(same.first.stack.is_none() && same.first.holds.is_empty());
    }
    assert!(!monitor.races().is_empty());
}
