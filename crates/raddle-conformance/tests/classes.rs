//! Classes of executions: small programs whose classes are counted by hand, and random ones on which brute force over
//! states shows the same. `RADDLE_PROGRAMS` and `RADDLE_SEED` set how many random ones, and where they begin.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_conformance::Random;
use raddle_conformance::concurrent::{Bounds, Classes, Concurrent, Op, brute_force, classes, random_program};
use raddle_machine::{EncodeOptions, Machine, Settings};

const STORE: Op = Op::Store { variable: 0, atomic: true, constant: Some(1) };
const LOAD: Op = Op::Load { variable: 0, atomic: true };

fn machine(program: &Concurrent) -> Machine {
    let settings = Settings {
        fuse_alone: false,
        go_on_after_assertion: true,
        spurious_wakeups: false,
        // Some random programs allocate for ever.
        local_limit: 10_000,
        ..Settings::default()
    };
    Machine::new(Arc::new(program.program()), settings).expect("small globals")
}

/// Main starts one thread for each body.
fn threads(bodies: &[Vec<Op>]) -> Concurrent {
    let started = (0..bodies.len()).collect();
    Concurrent { bodies: bodies.to_vec(), started, before: vec![], main: vec![], initial: [0; 3] }
}

fn of(program: &Concurrent) -> Classes {
    classes(&machine(program), 100_000).expect("a small program")
}

/// Complete and blocked classes.
fn count(bodies: &[Vec<Op>]) -> (usize, usize) {
    let found = of(&threads(bodies));
    assert!(!found.cut);
    assert_eq!(found.classes.len(), found.complete + found.blocked);
    (found.complete, found.blocked)
}

fn locked(mutex: u8, body: Vec<Op>) -> Op {
    Op::Locked { mutex, body }
}

#[test]
fn writers_of_one_variable_come_in_every_order() {
    for (writers, orders) in [(1, 1), (2, 2), (3, 6), (4, 24)] {
        assert_eq!(count(&vec![vec![STORE]; writers]), (orders, 0));
    }
}

#[test]
fn each_reader_comes_before_or_after_the_writer() {
    for readers in 0..5 {
        let mut bodies = vec![vec![LOAD]; readers];
        bodies.push(vec![STORE]);
        assert_eq!(count(&bodies), (1 << readers, 0));
    }
}

#[test]
fn writers_of_different_variables_have_one_order() {
    let other = Op::Store { variable: 1, atomic: true, constant: Some(1) };
    assert_eq!(count(&[vec![STORE], vec![other]]), (1, 0));
}

#[test]
fn a_mutex_orders_its_sections() {
    // a b | b a; then three sections in every order.
    for (threads, orders) in [(2, 2), (3, 6)] {
        assert_eq!(count(&vec![vec![locked(0, vec![])]; threads]), (orders, 0));
        assert_eq!(count(&vec![vec![locked(0, vec![LOAD])]; threads]), (orders, 0));
    }
}

#[test]
fn two_locks_in_opposite_order() {
    // The first thread has both before the other; the other way round; and each has its first: blocked. That the
    // first thread is earlier at its second lock and later at its first contradicts itself.
    let one = locked(0, vec![locked(1, vec![])]);
    let two = locked(1, vec![locked(0, vec![])]);
    let found = of(&threads(&[vec![one], vec![two]]));
    assert_eq!((found.complete, found.blocked), (2, 1));
    // Into the blocked one by a switch away from the thread that has its first lock.
    assert_eq!(found.violated, BTreeMap::from([("deadlock", 1)]));
    let blocked = found.classes.values().find(|c| c.blocked).expect("there is one");
    assert_eq!(blocked.preemptions, 1);
    // The two starts and the end of main; one lock each.
    let of_threads: Vec<u32> = blocked.schedule.iter().map(|(t, _)| *t).filter(|t| *t != 1).collect();
    assert_eq!(of_threads.len(), 2);
}

#[test]
fn two_locks_in_the_same_order() {
    let both = || vec![locked(0, vec![locked(1, vec![])])];
    assert_eq!(count(&[both(), both()]), (2, 0));
}

#[test]
fn a_try_fails_while_the_lock_is_held() {
    // The try comes before the lock, between lock and unlock, or after; if it succeeds, it unlocks at its end, and
    // the lock comes after that: 3. Two tries: each succeeds alone in either order, or the later fails: 4.
    let tries = || vec![Op::TryLocked(vec![])];
    assert_eq!(count(&[vec![locked(0, vec![])], tries()]), (3, 0));
    assert_eq!(count(&[tries(), tries()]), (4, 0));
}

#[test]
fn atomic_sections_are_one_event() {
    // Two increments are 2 orders. Beside one, a reader comes before or after, never between.
    let section =
        || vec![Op::Atomic(vec![LOAD, Op::Add(1), Op::Store { variable: 0, atomic: true, constant: None }])];
    assert_eq!(count(&[section(), section()]), (2, 0));
    assert_eq!(count(&[section(), vec![LOAD]]), (2, 0));
    // Without sections: load and store of each; the stores in either order, and before the first store the other
    // load has come or not. s1 before s2: l2 before s1 or between s1 and s2; the same the other way: 4.
    let plain = || vec![LOAD, Op::Add(1), Op::Store { variable: 0, atomic: true, constant: None }];
    assert_eq!(count(&[plain(), plain()]), (4, 0));
}

#[test]
fn sections_of_nothing_in_common_are_not_ordered() {
    let section =
        |variable| vec![Op::Atomic(vec![Op::Store { variable, atomic: true, constant: Some(1) }; 2])];
    assert_eq!(count(&[section(0), section(1)]), (1, 0));
}

#[test]
fn a_stuck_section_only_reads() {
    // The section waits for a mutex that the other thread holds, or does not hold. Before the lock or after the
    // unlock it passes: 2 classes. Between the two it is stuck, and counts as a read of the mutex after the lock
    // and before the unlock: 1 class, blocked.
    let section = vec![Op::Atomic(vec![locked(0, vec![])])];
    let found = of(&threads(&[section, vec![locked(0, vec![])]]));
    assert_eq!((found.complete, found.blocked), (2, 1));
    assert_eq!(found.violated, BTreeMap::from([("deadlock", 1)]));
}

#[test]
fn creation_and_join_order_everything() {
    let start = |body| Op::Start { body, join: true };
    let store = |variable| Op::Store { variable, atomic: true, constant: Some(2) };
    // Main starts 0, which starts 1, which starts 2; each is joined before its creator writes.
    let bodies = vec![vec![start(1), store(0)], vec![start(2), store(0)], vec![store(0)]];
    let chain =
        Concurrent { bodies, started: vec![], before: vec![start(0)], main: vec![store(0)], initial: [0; 3] };
    let found = of(&chain);
    assert_eq!((found.complete, found.blocked), (1, 0));
    assert!(found.classes.values().all(|c| c.preemptions == 0));
}

#[test]
fn choices_are_events_with_answers() {
    // 3 answers, and the other thread's write before or after.
    let body = vec![Op::Choose(3), Op::Store { variable: 0, atomic: true, constant: None }];
    assert_eq!(count(&[body, vec![STORE]]), (6, 0));
}

#[test]
fn preemptions_of_a_lost_update() {
    // Each lost update needs one switch away in the middle; the two serial classes need none.
    let plain = || vec![LOAD, Op::Add(1), Op::Store { variable: 0, atomic: true, constant: None }];
    let found = of(&threads(&[plain(), plain()]));
    let mut preemptions: Vec<u32> = found.classes.values().map(|c| c.preemptions).collect();
    preemptions.sort_unstable();
    assert_eq!(preemptions, [0, 0, 1, 1]);
}

#[test]
fn a_failed_assertion_stops_its_thread_only() {
    let failing = vec![LOAD, Op::AssertNot(1)];
    let found = of(&threads(&[failing, vec![STORE]]));
    assert_eq!((found.complete, found.blocked), (2, 0));
    assert_eq!(found.violated, BTreeMap::from([("assert", 0)]));
}

/// What brute force over states finds is found over classes, and nothing else; and equal traces reach equal states,
/// which the search asserts.
#[test]
fn random_programs_show_the_same_by_states() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (first, programs) = (number("RADDLE_SEED").unwrap_or(0), number("RADDLE_PROGRAMS").unwrap_or(400));
    let mut compared = 0;
    for seed in first..first + programs {
        let program = random_program(&mut Random::new(seed));
        let machine = machine(&program);
        let Some(found) = classes(&machine, 3000) else { continue };
        let options = EncodeOptions::default();
        let Some(states) = brute_force(&machine, &options, Bounds::default(), false, 30_000) else {
            continue;
        };
        compared += 1;
        if found.cut {
            continue;
        }
        let stuck = found.stuck;
        let words = |most: u32| -> BTreeSet<&str> {
            found.violated.iter().filter(|(_, least)| **least <= most).map(|(word, _)| *word).collect()
        };
        let compare = |most: u32, states: &BTreeSet<&str>| {
            let found = words(most);
            // What comes after a stuck section may come with fewer preemptions, and a block in it is always a deadlock.
            let same = if stuck { states.is_subset(&found) } else { *states == found };
            assert!(
                same,
                "{found:?}, by states {states:?}, {most} preemptions, seed {seed}\n{}",
                program.text()
            );
        };
        compare(u32::MAX, &states.violated);
        for preemptions in 0..3 {
            let bounds = Bounds { preemptions: Some(preemptions as u64), switches: None };
            let options = EncodeOptions { yielded: true, ..options };
            if let Some(states) = brute_force(&machine, &options, bounds, false, 30_000) {
                compare(preemptions, &states.violated);
            }
        }
    }
    assert!(compared > programs / 4, "{compared}");
}
