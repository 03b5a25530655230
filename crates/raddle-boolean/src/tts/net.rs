//! The system as the engines see it: states renumbered densely (only those that occur), steps that change nothing left
//! out, and of the rest only those that some thread may ever take.

use super::skips::Skips;
use super::thread_states::ThreadStates;
use super::vector::Entries;
use raddle_bp::tts::{Effect, Initial, LocalState, PlannedStep, Run, SharedState, System, Target};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    /// Where the thread is that takes it.
    pub needs: Option<u32>,
    /// Where there is one more thread afterwards (the one that took it included).
    pub gives: Vec<u32>,
    /// What others do, from and to; sorted. A local state that only stays is not listed.
    pub passive: Vec<(u32, u32)>,
    /// The same, to and from; sorted.
    pub inverse: Vec<(u32, u32)>,
    /// Index into [`System::transitions`]; nothing for steps that were added.
    pub origin: Option<usize>,
}

impl Edge {
    /// What a passive thread in `local` may become.
    pub fn passive_targets(&self, local: u32) -> impl Iterator<Item = u32> + '_ {
        let listed = range(&self.passive, local);
        let stays = listed.is_empty().then_some(local);
        listed.iter().map(|(_, to)| *to).chain(stays)
    }

    /// What a passive thread in `local` may have been.
    pub fn passive_sources(&self, local: u32) -> impl Iterator<Item = u32> + '_ {
        let stayed = range(&self.passive, local).is_empty().then_some(local);
        range(&self.inverse, local).iter().map(|(_, from)| *from).chain(stayed)
    }

    /// Whether another thread than those it takes could ever notice it: it changes the shared state or moves others.
    pub fn is_plain_and_local(&self) -> bool {
        self.from == self.to && self.passive.is_empty()
    }
}

fn range(pairs: &[(u32, u32)], first: u32) -> &[(u32, u32)] {
    let start = pairs.partition_point(|(a, _)| *a < first);
    let end = pairs.partition_point(|(a, _)| *a <= first);
    &pairs[start..end]
}

/// A question: system, initial state and target.
#[derive(Clone, Debug)]
pub struct Net {
    /// How many shared states.
    pub shared: usize,
    /// How many local states.
    pub local: usize,
    pub edges: Vec<Edge>,
    pub start: u32,
    /// The threads that are there at the start.
    pub exactly: Entries,
    /// The local states in which there are arbitrarily many at the start; sorted.
    pub any: Vec<u32>,
    pub goal_shared: u32,
    pub goal: Entries,
    /// Whether some edge moves passive threads.
    pub has_passive_moves: bool,
    shared_names: Vec<SharedState>,
    local_names: Vec<LocalState>,
    /// Steps that were left out.
    skips: Option<Rc<Skips>>,
}

impl Net {
    /// Everything that occurs.
    pub fn new(system: &System, initial: &Initial, target: &Target) -> Net {
        let mut shared: BTreeSet<SharedState> = BTreeSet::from([initial.shared, target.shared]);
        let mut local: BTreeSet<LocalState> = BTreeSet::new();
        local.extend(initial.exactly.keys().chain(&initial.any).chain(target.threads.keys()));
        for transition in &system.transitions {
            shared.extend([transition.from, transition.to]);
            match transition.effect {
                Effect::Move { before, after } => local.extend([before, after]),
                Effect::Spawn { parent, child } => local.extend([parent, child]),
                Effect::Broadcast => {}
            }
            local.extend(transition.passive.iter().flat_map(|(a, b)| [*a, *b]));
        }
        let shared_names: Vec<SharedState> = shared.into_iter().collect();
        let local_names: Vec<LocalState> = local.into_iter().collect();
        let shared_numbers: FxHashMap<SharedState, u32> = numbers(&shared_names);
        let local_numbers: FxHashMap<LocalState, u32> = numbers(&local_names);
        let entries = |threads: &std::collections::BTreeMap<LocalState, u32>| -> Entries {
            threads.iter().map(|(l, count)| (local_numbers[l], *count)).collect()
        };
        let mut edges = Vec::new();
        for (index, transition) in system.transitions.iter().enumerate() {
            let mut passive: Vec<(u32, u32)> =
                transition.passive.iter().map(|(a, b)| (local_numbers[a], local_numbers[b])).collect();
            passive.sort_unstable();
            passive.dedup();
            let only_stays = |a: u32| passive.iter().all(|(x, y)| *x != a || *y == a);
            let staying: BTreeSet<u32> = passive.iter().map(|(a, _)| *a).filter(|a| only_stays(*a)).collect();
            passive.retain(|(a, _)| !staying.contains(a));
            let mut inverse: Vec<(u32, u32)> = passive.iter().map(|(a, b)| (*b, *a)).collect();
            inverse.sort_unstable();
            let gives = match transition.effect {
                Effect::Move { after, .. } => vec![local_numbers[&after]],
                Effect::Spawn { parent, child } => vec![local_numbers[&parent], local_numbers[&child]],
                Effect::Broadcast => vec![],
            };
            let needs = transition.effect.needs().map(|l| local_numbers[&l]);
            let (from, to) = (shared_numbers[&transition.from], shared_numbers[&transition.to]);
            let changes = from != to || !passive.is_empty() || needs.into_iter().ne(gives.iter().copied());
            if changes {
                edges.push(Edge { from, to, needs, gives, passive, inverse, origin: Some(index) });
            }
        }
        Net {
            shared: shared_names.len(),
            local: local_names.len(),
            has_passive_moves: edges.iter().any(|e| !e.passive.is_empty()),
            edges,
            start: shared_numbers[&initial.shared],
            exactly: entries(&initial.exactly),
            any: initial.any.iter().map(|l| local_numbers[l]).collect(),
            goal_shared: shared_numbers[&target.shared],
            goal: entries(&target.threads),
            shared_names,
            local_names,
            skips: None,
        }
    }

    /// The same net, of which these steps were left out.
    pub fn with_skips(self, skips: Skips) -> Net {
        Net { skips: Some(Rc::new(skips)), ..self }
    }

    /// Without the edges that no thread can take as far as `reachable` shows.
    pub fn pruned(mut self, reachable: &ThreadStates) -> Net {
        self.edges.retain(|edge| match edge.needs {
            Some(local) => reachable.contains(edge.from, local),
            None => reachable.contains_shared(edge.from),
        });
        self.has_passive_moves = self.edges.iter().any(|e| !e.passive.is_empty());
        self
    }

    /// Whether threads are created.
    pub fn spawns(&self) -> bool {
        self.edges.iter().any(|e| e.gives.len() > 1)
    }

    /// Whether the initial state allows so many threads: then whatever is above `entries` is reached.
    pub fn starts_above(&self, shared: u32, entries: &[(u32, u32)]) -> bool {
        shared == self.start
            && entries.iter().all(|(local, count)| {
                self.any.binary_search(local).is_ok()
                    || *count <= super::vector::count_of(&self.exactly, *local)
            })
    }

    /// A run that begins with what `demand` requires at least, and takes these edges.
    pub fn run(
        &self,
        system: &System,
        demand: &[(u32, u32)],
        plan: impl IntoIterator<Item = (u32, Vec<(u32, u32, u32)>)>,
    ) -> Option<Run> {
        let mut start: Vec<u32> = Vec::new();
        let (exactly, any) = match &self.skips {
            Some(skips) => (&skips.exactly, &skips.any),
            None => (&self.exactly, &self.any),
        };
        for (local, count) in exactly.iter() {
            start.extend(std::iter::repeat_n(*local, *count as usize));
        }
        for (local, count) in demand {
            let more = count.saturating_sub(super::vector::count_of(&self.exactly, *local));
            if more > 0 {
                let stands_for =
                    |given: &&u32| self.skips.as_ref().map_or(**given, |s| s.last(**given)) == *local;
                let given = any.iter().find(stands_for)?;
                start.extend(std::iter::repeat_n(*given, more as usize));
            }
        }
        let mut steps = Vec::new();
        let skip = |steps: &mut Vec<PlannedStep>, shared: u32, local: u32| -> Option<()> {
            if let Some(skips) = &self.skips {
                let left_out = skips.steps_from(shared, local)?.into_iter();
                steps.extend(left_out.map(|transition| PlannedStep { transition, passive: Vec::new() }));
            }
            Some(())
        };
        for local in &start {
            skip(&mut steps, self.start, *local)?;
        }
        let name = |local: u32| self.local_names[local as usize];
        for (edge, moves) in plan {
            let edge = &self.edges[edge as usize];
            // Added steps come only at the end, to recognise the target.
            let Some(transition) = edge.origin else { break };
            let mut arrived: Vec<u32> = Vec::new();
            let mut passive = Vec::new();
            for (from, to, count) in moves {
                let real = match &self.skips {
                    Some(skips) => skips.passive_target(transition, from, to)?,
                    None => to,
                };
                passive.push((name(from), name(real), count));
                arrived.extend(std::iter::repeat_n(real, count as usize));
            }
            steps.push(PlannedStep { transition, passive });
            if let Some(skips) = &self.skips {
                arrived.extend(skips.gives(transition));
                for local in arrived {
                    skip(&mut steps, edge.to, local)?;
                }
            }
        }
        let threads: Vec<LocalState> = start.into_iter().map(name).collect();
        Run::follow(system, self.shared_names[self.start as usize], &threads, &steps).ok()
    }

    /// The same system, where the target is covered exactly if a thread is ever in the goal's only local state: threads
    /// of the target are checked off one after another, by shared states and a local state that nothing else has. A
    /// target of at most one thread stays as it is.
    pub fn with_single_goal(mut self) -> Net {
        if super::vector::total(&self.goal) <= 1 {
            return self;
        }
        let done = self.local as u32;
        self.local += 1;
        self.local_names.push(LocalState(u32::MAX));
        let mut at = self.goal_shared;
        let threads: Vec<u32> =
            self.goal.iter().flat_map(|(l, n)| std::iter::repeat_n(*l, *n as usize)).collect();
        for local in threads {
            let to = self.shared as u32;
            self.shared += 1;
            self.shared_names.push(SharedState(u32::MAX));
            let (needs, gives) = (Some(local), vec![done]);
            let (passive, inverse, origin) = (Vec::new(), Vec::new(), None);
            self.edges.push(Edge { from: at, to, needs, gives, passive, inverse, origin });
            at = to;
        }
        self.goal_shared = at;
        self.goal = Entries::from([(done, 1)]);
        self
    }

    /// How a state of this net is called outside.
    pub fn name(&self, shared: u32, local: u32) -> (SharedState, LocalState) {
        (self.shared_names[shared as usize], self.local_names[local as usize])
    }
}

fn numbers<T: Copy + Eq + std::hash::Hash>(names: &[T]) -> FxHashMap<T, u32> {
    names.iter().enumerate().map(|(number, name)| (*name, number as u32)).collect()
}
