//! Families of thread transition systems, generated: what protocols look like, with as many states as one likes.
//!
//! Small members are files under `tests/programs/tts`; `cargo run -p raddle-boolean --example tts_families -- FOLDER` writes
//! all of them, the large ones too.

use raddle_bp::tts::{
    Effect, Initial, LocalState, SharedState, System, Target, Transition, read_initial, write,
};
use std::collections::BTreeMap;

/// A system with what is asked and what the answer is.
pub struct Instance {
    pub name: String,
    pub what: &'static str,
    pub system: System,
    pub initial: Initial,
    pub covered: bool,
}

impl Instance {
    /// The text of its file.
    pub fn text(&self) -> String {
        let expect = if self.covered { "violated" } else { "proved" };
        let Instance { name, what, initial, .. } = self;
        format!("# {name}: {what}\n# expect: {expect}\n# init: {initial}\n{}", write(&self.system))
    }
}

/// A system in the making. Everything is a number.
#[derive(Default)]
struct Builder {
    shared: u32,
    local: u32,
    transitions: Vec<Transition>,
}

impl Builder {
    fn new(shared: u32, local: u32) -> Builder {
        Builder { shared, local, transitions: Vec::new() }
    }

    fn add(&mut self, from: u32, to: u32, effect: Effect, passive: &[(u32, u32)]) {
        let mut passive: Vec<(LocalState, LocalState)> =
            passive.iter().map(|(a, b)| (LocalState(*a), LocalState(*b))).collect();
        passive.sort_unstable();
        passive.dedup();
        let (from, to) = (SharedState(from), SharedState(to));
        self.transitions.push(Transition { from, to, effect, passive, line: 0 });
    }

    fn step(&mut self, from: u32, before: u32, to: u32, after: u32) {
        self.step_with(from, before, to, after, &[]);
    }

    fn step_with(&mut self, from: u32, before: u32, to: u32, after: u32, passive: &[(u32, u32)]) {
        let (before, after) = (LocalState(before), LocalState(after));
        self.add(from, to, Effect::Move { before, after }, passive);
    }

    fn spawn(&mut self, from: u32, parent: u32, to: u32, child: u32) {
        let (parent, child) = (LocalState(parent), LocalState(child));
        self.add(from, to, Effect::Spawn { parent, child }, &[]);
    }

    /// With a target, an initial state and the answer.
    fn asks(
        self,
        name: String,
        what: &'static str,
        initial: &str,
        target: (u32, &[u32]),
        covered: bool,
    ) -> Instance {
        let mut threads = BTreeMap::new();
        for local in target.1 {
            *threads.entry(LocalState(*local)).or_insert(0) += 1;
        }
        let target = Some(Target { shared: SharedState(target.0), threads });
        let Builder { shared, local, transitions } = self;
        let system = System { shared, local, transitions, target };
        Instance { name, what, system, initial: read_initial(initial).unwrap(), covered }
    }
}

/// One lock and a critical section of `length` steps; the broken one gives the lock back half-way.
pub fn mutex(length: u32, broken: bool) -> Instance {
    let mut b = Builder::new(2, length + 1);
    b.step(0, 0, 1, 1);
    let half = length / 2;
    for i in 1..length {
        if broken && i == half {
            b.step(1, i, 0, i + 1);
        } else {
            b.step(1, i, 1, i + 1);
        }
        if broken && i > half {
            b.step(0, i, 0, i + 1);
        }
    }
    b.step(1, length, 0, 0);
    if broken {
        b.step(0, length, 0, 0);
        let what = "a lock that is given back in the middle of the critical section";
        return b.asks(format!("mutex-broken-{length}"), what, "0/0", (1, &[half, length]), true);
    }
    let what = "a lock keeps others out of a critical section of several steps";
    b.asks(format!("mutex-{length}"), what, "0/0", (1, &[1, length]), false)
}

/// A semaphore for `places` threads, with a section of `length` steps; may one more than allowed be in?
pub fn semaphore(places: u32, length: u32, overfull: bool) -> Instance {
    let mut b = Builder::new(places + 1, length + 1);
    for inside in 0..=places {
        if inside < places {
            b.step(inside, 0, inside + 1, 1);
        }
        for i in 1..length {
            b.step(inside, i, inside, i + 1);
        }
        if inside > 0 {
            b.step(inside, length, inside - 1, 0);
        }
    }
    let threads = vec![1; (places + u32::from(overfull)) as usize];
    let name = if overfull { "overfull" } else { "full" };
    let what = "a counting semaphore lets so many threads in";
    b.asks(format!("semaphore-{name}-{places}-{length}"), what, "0/0", (places, &threads), !overfull)
}

/// Up to `readers` readers or one writer; the broken writer overlooks a single reader.
pub fn readers_writers(readers: u32, length: u32, broken: bool) -> Instance {
    // 0: outside, 1..=length: reading, length + 1..=2 * length: writing.
    let writing = readers + 1;
    let mut b = Builder::new(readers + 2, 2 * length + 1);
    for count in 0..=writing {
        if count < readers {
            b.step(count, 0, count + 1, 1);
        }
        for i in (1..length).chain(length + 1..2 * length) {
            b.step(count, i, count, i + 1);
        }
        if (1..=readers).contains(&count) {
            b.step(count, length, count - 1, 0);
        }
    }
    b.step(0, 0, writing, length + 1);
    b.step(writing, 2 * length, 0, 0);
    if broken {
        b.step(1, 0, writing, length + 1);
    }
    let name = if broken { "readers-writers-broken" } else { "readers-writers" };
    let what = "nobody reads while somebody writes";
    b.asks(format!("{name}-{readers}-{length}"), what, "0/0", (writing, &[1, length + 1]), broken)
}

/// `cells` machines in a row, each with `cards` cards: a part is in a cell only with one of its cards.
pub fn kanban(cells: u32, cards: u32, overfull: bool) -> Instance {
    // Parts: 0 raw, 1..=cells in a cell, cells + 1 done. Cards of cell i: free and used.
    let (free, used) = (|i: u32| cells + 1 + i, |i: u32| 2 * cells + 1 + i);
    // Shared states: 0 nothing, i a part asks for a card of cell i, cells + i a card of cell i comes back.
    let mut b = Builder::new(2 * cells + 1, 3 * cells + 2);
    b.step(0, 0, 1, 1);
    for i in 1..=cells {
        b.step(i, free(i), if i == 1 { 0 } else { cells + i - 1 }, used(i));
        b.step(cells + i, used(i), 0, free(i));
        if i < cells {
            b.step(0, i, i + 1, i + 1);
        } else {
            b.step(0, cells, 2 * cells, cells + 1);
        }
    }
    let initial: Vec<String> =
        (1..=cells).flat_map(|i| std::iter::repeat_n(free(i).to_string(), cards as usize)).collect();
    let middle = cells.div_ceil(2);
    let threads = vec![middle; (cards + u32::from(overfull)) as usize];
    let name = if overfull { "overfull" } else { "full" };
    let initial = format!("0|{}/0", initial.join(","));
    let what = "parts go from cell to cell, as far as there are cards";
    b.asks(format!("kanban-{name}-{cells}-{cards}"), what, &initial, (0, &threads), !overfull)
}

/// Caches with `lines` lines, each invalid, shared or modified: writing invalidates all others, reading makes them share.
pub fn caches(lines: u32, target: &[u32], name: &str, covered: bool) -> Instance {
    // A local state has a digit for each line: 0 invalid, 1 shared, 2 modified.
    let states = 3u32.pow(lines);
    let digit = |state: u32, line: u32| state / 3u32.pow(line) % 3;
    let with = |state: u32, line: u32, value: u32| {
        state + 3u32.pow(line) * value - 3u32.pow(line) * digit(state, line)
    };
    let mut b = Builder::new(1, states);
    for line in 0..lines {
        let invalidated: Vec<(u32, u32)> =
            (0..states).filter(|s| digit(*s, line) > 0).map(|s| (s, with(s, line, 0))).collect();
        let demoted: Vec<(u32, u32)> =
            (0..states).filter(|s| digit(*s, line) == 2).map(|s| (s, with(s, line, 1))).collect();
        for state in 0..states {
            if digit(state, line) == 0 {
                b.step_with(0, state, 0, with(state, line, 1), &demoted);
            }
            if digit(state, line) < 2 {
                b.step_with(0, state, 0, with(state, line, 2), &invalidated);
            }
        }
    }
    let what = "caches that hear each other's reads and writes";
    b.asks(format!("caches-{name}-{lines}"), what, "0/0", (0, target), covered)
}

/// Workers with `length` steps; when the first is done, all others have to begin anew.
pub fn restart(length: u32, covered: bool) -> Instance {
    let mut b = Builder::new(2, length + 1);
    for i in 0..length {
        b.step(0, i, 0, i + 1);
    }
    let back: Vec<(u32, u32)> = (1..=length).map(|i| (i, 0)).collect();
    b.step_with(0, length, 1, length, &back);
    let (name, other) = if covered { ("restart-idle", 0) } else { ("restart-late", length / 2) };
    let what = "whoever is done first sends all others back to the start";
    b.asks(format!("{name}-{length}"), what, "0/0", (1, &[other, length]), covered)
}

/// Threads increment a counter by reading and writing it: so many threads are needed for so much.
pub fn lost_updates(most: u32, threads: u32) -> Instance {
    // 0: not begun, 1 + v: has read v, most + 1: done.
    let mut b = Builder::new(most + 1, most + 2);
    for value in 0..most {
        b.step(value, 0, value, 1 + value);
        for now in 0..=most {
            b.step(now, 1 + value, value + 1, most + 1);
        }
    }
    let initial = format!("0|{}", vec!["0"; threads as usize].join(","));
    let what = "a counter that is read and written in two steps never counts too much";
    let name = format!("lost-updates-{most}-{threads}");
    b.asks(name, what, &initial, (most, &[]), threads >= most)
}

/// Threads with a value each look for the largest one; the broken one writes without looking.
pub fn find_maximum(values: u32, broken: bool) -> Instance {
    // 0: not begun, 1 + v: has value v, values + 1 + v: has told it.
    let mut b = Builder::new(values, 2 * values + 1);
    for value in 0..values {
        for most in 0..values {
            b.step(most, 0, most, 1 + value);
            let after = if broken { value } else { most.max(value) };
            b.step(most, 1 + value, after, values + 1 + value);
        }
    }
    let half = values / 2;
    let what = "no thread has told a value that is larger than the maximum";
    let name = if broken { "find-maximum-broken" } else { "find-maximum" };
    b.asks(format!("{name}-{values}"), what, "0/0", (half, &[values + 1 + half + 1]), broken)
}

/// Threads count up one after another, in turns of the shared bit.
pub fn turns(length: u32, initial: &str, target: (u32, &[u32]), name: &str, covered: bool) -> Instance {
    let mut b = Builder::new(2, length + 1);
    for i in 0..length {
        b.step(0, i, 1, i + 1);
        b.step(1, i, 0, i + 1);
    }
    let what = "every step changes the shared bit";
    b.asks(format!("turns-{name}-{length}"), what, initial, target, covered)
}

/// A producer starts workers that pass through `stages` stages, two by two.
pub fn spawner(stages: u32, wanted: u32, covered: bool) -> Instance {
    // 0: the producer, 1..=stages: workers, stages + 1: those that have paid for another one.
    let mut b = Builder::new(stages + 1, stages + 2);
    b.spawn(0, 0, 0, 1);
    for i in 1..stages {
        b.step(0, i, i, stages + 1);
        b.step(i, i, 0, i + 1);
    }
    let target = if covered { vec![stages; wanted as usize] } else { vec![0, 0] };
    let name = if covered { "workers" } else { "producers" };
    let what = "two workers of a stage make one of the next";
    b.asks(format!("spawner-{name}-{stages}-{wanted}"), what, "0|0", (0, &target), covered)
}

/// Members that are small enough for files, and for every method.
pub fn small() -> Vec<Instance> {
    let mut all = Vec::new();
    for (length, broken) in [(2, 4), (3, 5), (8, 9), (20, 21)] {
        all.push(mutex(length, false));
        all.push(mutex(broken, true));
    }
    for (places, length) in [(1, 1), (2, 2), (3, 2)] {
        all.extend([true, false].map(|overfull| semaphore(places, length, overfull)));
    }
    for (readers, length) in [(1, 1), (2, 2), (4, 3)] {
        all.extend([true, false].map(|broken| readers_writers(readers, length, broken)));
    }
    for (cells, cards) in [(1, 1), (2, 1), (3, 2)] {
        all.extend([true, false].map(|overfull| kanban(cells, cards, overfull)));
    }
    all.push(caches(1, &[2, 2], "two-modified", false));
    all.push(caches(1, &[2, 1], "modified-and-shared", false));
    all.push(caches(1, &[1, 1], "two-shared", true));
    all.push(caches(2, &[8, 6], "two-modified", false));
    all.push(caches(2, &[8, 0], "one-modified", true));
    all.push(caches(2, &[6, 2], "each-one", true));
    for length in [2, 6] {
        all.extend([true, false].map(|covered| restart(length, covered)));
    }
    for (most, threads) in [(2, 2), (3, 2), (4, 4), (5, 4)] {
        all.push(lost_updates(most, threads));
    }
    for values in [3, 6] {
        all.extend([true, false].map(|broken| find_maximum(values, broken)));
    }
    all.push(turns(6, "0|0", (0, &[6]), "alone", true));
    all.push(turns(5, "0|0", (0, &[5]), "alone", false));
    all.push(turns(5, "0/0", (0, &[5]), "many", true));
    all.push(turns(3, "0|0,0,0", (0, &[3, 3, 3]), "three", false));
    all.push(spawner(2, 3, true));
    all.push(spawner(3, 2, true));
    all.push(spawner(3, 0, false));
    all
}

/// Larger ones, up to a hundred thousand local states.
pub fn large() -> Vec<Instance> {
    let mut all = Vec::new();
    for length in [1_000, 30_000, 99_999] {
        all.push(mutex(length, false));
        all.push(mutex(length, true));
    }
    for (places, length) in [(3, 5_000), (2, 40_000)] {
        all.extend([true, false].map(|overfull| semaphore(places, length, overfull)));
    }
    for (readers, length) in [(3, 2_000), (2, 20_000)] {
        all.extend([true, false].map(|broken| readers_writers(readers, length, broken)));
    }
    for (cells, cards) in [(20, 1), (6, 2)] {
        all.extend([true, false].map(|overfull| kanban(cells, cards, overfull)));
    }
    all.push(caches(3, &[3u32.pow(3) - 1, 2], "two-modified", false));
    all.push(caches(4, &[3u32.pow(4) - 3, 2], "each-one", true));
    for length in [300, 1_500] {
        all.extend([true, false].map(|covered| restart(length, covered)));
    }
    all.push(lost_updates(12, 12));
    all.push(lost_updates(12, 11));
    all.extend([true, false].map(|broken| find_maximum(120, broken)));
    for length in [1_000, 99_998] {
        all.push(turns(length, "0|0", (0, &[length]), "alone", true));
    }
    all.push(spawner(8, 1, true));
    all.push(spawner(8, 0, false));
    all
}
