//! Random thread transition systems, small enough for brute force.

use raddle_bp::tts::{
    Configuration, Effect, Initial, LocalState, SharedState, System, Target, Transition, steps,
};
use std::collections::{BTreeMap, BTreeSet};

/// Splitmix64 (Steele, Lea, Flood 2014).
pub struct Generator(u64);

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator(seed.wrapping_mul(0xd134_2543_de82_ef95))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound.max(1))) >> 64) as u64
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn shared(&mut self, system: &System) -> SharedState {
        SharedState(self.below(system.shared.into()) as u32)
    }

    fn local(&mut self, system: &System) -> LocalState {
        LocalState(self.below(system.local.into()) as u32)
    }
}

/// A system, an initial state and a target.
pub struct Sample {
    pub system: System,
    pub initial: Initial,
    pub target: Target,
}

/// The sample of a seed. Passive moves only where they are asked for.
pub fn sample(seed: u64, passive: bool) -> Sample {
    let g = &mut Generator::new(seed);
    let mut system = System {
        shared: 1 + g.below(4) as u32,
        local: 2 + g.below(4) as u32,
        transitions: Vec::new(),
        target: None,
    };
    let spawns = g.one_in(3);
    // Few transitions reach little, many reach everything.
    for _ in 0..2 + g.below(2 * u64::from(system.local)) {
        let (from, to) = (g.shared(&system), g.shared(&system));
        let to = if g.one_in(3) { from } else { to };
        let effect = if spawns && g.one_in(4) {
            Effect::Spawn { parent: g.local(&system), child: g.local(&system) }
        } else if g.one_in(if passive { 6 } else { 20 }) {
            Effect::Broadcast
        } else {
            Effect::Move { before: g.local(&system), after: g.local(&system) }
        };
        let mut moves = BTreeSet::new();
        let may_move = passive && !matches!(effect, Effect::Spawn { .. });
        if may_move && (effect == Effect::Broadcast || g.one_in(2)) {
            for _ in 0..1 + g.below(3) {
                moves.insert((g.local(&system), g.local(&system)));
            }
        }
        if effect == Effect::Broadcast && moves.is_empty() {
            // A broadcast that moves nobody only changes the shared state.
            let local = g.local(&system);
            moves.insert((local, local));
        }
        let line = system.transitions.len() as u32 + 2;
        system.transitions.push(Transition { from, to, effect, passive: moves.into_iter().collect(), line });
    }
    let mut initial = Initial { shared: g.shared(&system), exactly: BTreeMap::new(), any: BTreeSet::new() };
    if g.one_in(2) {
        for _ in 0..1 + g.below(2) {
            *initial.exactly.entry(g.local(&system)).or_insert(0) += 1;
        }
    }
    if initial.exactly.is_empty() || g.one_in(2) {
        for _ in 0..1 + g.below(2) {
            initial.any.insert(g.local(&system));
        }
    }
    let mut target = Target { shared: g.shared(&system), threads: BTreeMap::new() };
    if g.one_in(2) {
        // Near to what is reached: a part of the end of a walk, and often one thread more.
        let end = walk(g, &system, &initial);
        target.shared = end.shared;
        for local in end.threads {
            if target.threads.values().sum::<u32>() < 4 && !g.one_in(4) {
                *target.threads.entry(local).or_insert(0) += 1;
            }
        }
        if g.one_in(4) {
            return Sample { system, initial, target };
        }
    }
    for _ in 0..g.below(4) {
        *target.threads.entry(g.local(&system)).or_insert(0) += 1;
    }
    Sample { system, initial, target }
}

/// Where a few threads come to by some random steps.
fn walk(g: &mut Generator, system: &System, initial: &Initial) -> Configuration {
    let mut threads: Vec<LocalState> =
        initial.exactly.iter().flat_map(|(l, n)| std::iter::repeat_n(*l, *n as usize)).collect();
    let any: Vec<LocalState> = initial.any.iter().copied().collect();
    for _ in 0..if any.is_empty() { 0 } else { 1 + g.below(3) } {
        threads.push(any[g.below(any.len() as u64) as usize]);
    }
    let mut at = Configuration::new(initial.shared, threads);
    for _ in 0..g.below(12) {
        let next = steps(system, &at);
        if next.is_empty() || at.threads.len() > 5 {
            break;
        }
        at = next[g.below(next.len() as u64) as usize].1.clone();
    }
    at
}
