//! What a thread transition system is made of.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A shared state, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SharedState(pub u32);

/// A local state, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct LocalState(pub u32);

impl fmt::Display for SharedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for LocalState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The system: numbers of states, transitions, and the state to cover if the file names one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct System {
    /// How many shared states there are; they are numbered from 0.
    pub shared: u32,
    /// How many local states there are; they are numbered from 0.
    pub local: u32,
    pub transitions: Vec<Transition>,
    pub target: Option<Target>,
}

impl System {
    /// Whether some transition moves threads that do not take it.
    pub fn has_passive_moves(&self) -> bool {
        self.transitions.iter().any(Transition::moves_others)
    }

    /// What an initial state or a target names that this system does not have.
    pub fn refuses(
        &self,
        shared: SharedState,
        locals: impl IntoIterator<Item = LocalState>,
    ) -> Option<String> {
        if shared.0 >= self.shared {
            return Some(format!("shared state {shared}, but there are only {}", self.shared));
        }
        let local = locals.into_iter().find(|l| l.0 >= self.local)?;
        Some(format!("local state {local}, but there are only {}", self.local))
    }
}

/// What the one thread does that takes a transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Effect {
    /// `->`: it goes from one local state to another.
    Move { before: LocalState, after: LocalState },
    /// `+>`: it stays, and another one begins.
    Spawn { parent: LocalState, child: LocalState },
    /// `~>`: no thread takes it.
    Broadcast,
}

impl Effect {
    /// Where the thread must be that takes the transition.
    pub fn needs(self) -> Option<LocalState> {
        match self {
            Effect::Move { before, .. } => Some(before),
            Effect::Spawn { parent, .. } => Some(parent),
            Effect::Broadcast => None,
        }
    }
}

/// One transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    pub from: SharedState,
    pub to: SharedState,
    pub effect: Effect,
    /// What the other threads do: from where to where. Sorted, without repetition.
    pub passive: Vec<(LocalState, LocalState)>,
    /// The line of the file, from 1; 0 where there is none.
    pub line: u32,
}

impl Transition {
    /// Whether threads that do not take it may have to move.
    pub fn moves_others(&self) -> bool {
        self.passive.iter().any(|(a, b)| a != b)
    }

    /// Where a thread in `local` may go when another one takes this transition.
    pub fn passive_targets(&self, local: LocalState) -> Vec<LocalState> {
        let listed: Vec<LocalState> =
            self.passive.iter().filter(|(a, _)| *a == local).map(|(_, b)| *b).collect();
        if listed.is_empty() { vec![local] } else { listed }
    }
}

/// Where runs begin: exactly these threads, and any number in each of the local states of `any`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Initial {
    pub shared: SharedState,
    /// How many threads in which local state; no zeros.
    pub exactly: BTreeMap<LocalState, u32>,
    pub any: BTreeSet<LocalState>,
}

impl Default for Initial {
    /// `0/0`.
    fn default() -> Initial {
        Initial { shared: SharedState(0), exactly: BTreeMap::new(), any: BTreeSet::from([LocalState(0)]) }
    }
}

impl Initial {
    /// Whether a run may begin with these threads.
    pub fn admits(&self, shared: SharedState, threads: &[LocalState]) -> bool {
        let mut left = self.exactly.clone();
        for local in threads {
            match left.get_mut(local) {
                Some(count) if *count > 0 => *count -= 1,
                _ if self.any.contains(local) => {}
                _ => return false,
            }
        }
        shared == self.shared && left.values().all(|count| *count == 0)
    }

    /// How many threads there are at least.
    pub fn least_threads(&self) -> u64 {
        self.exactly.values().map(|n| u64::from(*n)).sum()
    }
}

/// What is to be covered: this shared state, and at least so many threads in each local state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Target {
    pub shared: SharedState,
    /// No zeros.
    pub threads: BTreeMap<LocalState, u32>,
}
