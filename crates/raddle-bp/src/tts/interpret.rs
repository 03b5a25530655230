//! What one step is: the reference semantics, over a sorted list of threads, written to be read.
//!
//! Nothing here is fast. The engines are measured against it.

use super::system::{Effect, LocalState, SharedState, System, Target};

/// A shared state and the local states of all threads, sorted: threads have no names here.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Configuration {
    pub shared: SharedState,
    pub threads: Vec<LocalState>,
}

impl Configuration {
    pub fn new(shared: SharedState, mut threads: Vec<LocalState>) -> Configuration {
        threads.sort_unstable();
        Configuration { shared, threads }
    }

    /// How many threads are in a local state.
    pub fn count(&self, local: LocalState) -> usize {
        self.threads.iter().filter(|l| **l == local).count()
    }

    /// Whether the shared state is the target's and there are enough threads everywhere.
    pub fn covers(&self, target: &Target) -> bool {
        self.shared == target.shared
            && target.threads.iter().all(|(local, count)| self.count(*local) >= *count as usize)
    }
}

/// How a transition was taken: which one, and what the other threads did, as from, to, how many.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    pub transition: usize,
    pub passive: Vec<(LocalState, LocalState, u32)>,
}

/// Every step from here, with the number of threads it leads to.
pub fn steps(system: &System, from: &Configuration) -> Vec<(Choice, Configuration)> {
    let mut found = Vec::new();
    for (index, transition) in system.transitions.iter().enumerate() {
        if transition.from != from.shared {
            continue;
        }
        let mut others = from.threads.clone();
        if let Some(needed) = transition.effect.needs() {
            match others.iter().position(|l| *l == needed) {
                Some(position) => others.remove(position),
                None => continue,
            };
        }
        // What the thread that takes it leaves behind.
        let own = match transition.effect {
            Effect::Move { after, .. } => vec![after],
            Effect::Spawn { parent, child } => vec![parent, child],
            Effect::Broadcast => vec![],
        };
        // The others choose one after another.
        let mut ways: Vec<Vec<LocalState>> = vec![Vec::new()];
        for local in &others {
            let targets = transition.passive_targets(*local);
            let longer = |way: &Vec<LocalState>, to: LocalState| [&way[..], &[to]].concat();
            ways = ways.iter().flat_map(|way| targets.iter().map(move |to| longer(way, *to))).collect();
        }
        for way in ways {
            let mut passive: Vec<(LocalState, LocalState, u32)> = Vec::new();
            for (before, after) in others.iter().zip(&way) {
                if transition.passive.iter().all(|(a, _)| a != before) {
                    continue;
                }
                match passive.iter_mut().find(|(a, b, _)| (a, b) == (before, after)) {
                    Some((_, _, count)) => *count += 1,
                    None => passive.push((*before, *after, 1)),
                }
            }
            let threads = [way, own.clone()].concat();
            let choice = Choice { transition: index, passive };
            found.push((choice, Configuration::new(transition.to, threads)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tts::read;

    /// The successors of `shared|threads`, as text.
    fn successors(transitions: &str, shared: u32, threads: &[u32]) -> Vec<String> {
        let system = read(&format!("3 6\n{transitions}")).unwrap();
        let threads = threads.iter().map(|l| LocalState(*l)).collect();
        let mut found: Vec<String> = steps(&system, &Configuration::new(SharedState(shared), threads))
            .into_iter()
            .map(|(_, to)| {
                let locals: Vec<String> = to.threads.iter().map(LocalState::to_string).collect();
                format!("{}|{}", to.shared, locals.join(","))
            })
            .collect();
        found.sort();
        found.dedup();
        found
    }

    #[test]
    fn one_thread_moves() {
        assert_eq!(successors("0 1 -> 2 3", 0, &[1, 1, 4]), ["2|1,3,4"]);
        assert!(successors("0 1 -> 2 3", 1, &[1]).is_empty());
        assert!(successors("0 1 -> 2 3", 0, &[0, 3]).is_empty());
    }

    #[test]
    fn the_parent_of_a_spawn_stays() {
        assert_eq!(successors("0 1 +> 2 3", 0, &[1]), ["2|1,3"]);
        assert_eq!(successors("0 1 +> 0 1", 0, &[1]), ["0|1,1"]);
        assert!(successors("0 1 +> 2 3", 0, &[3]).is_empty());
    }

    #[test]
    fn passive_moves_spare_the_active_thread() {
        // All others in 1 go to 2; the one that acts goes to 3 although it was in 1.
        assert_eq!(successors("0 1 -> 1 3 1 ~> 2", 0, &[1, 1, 1, 5]), ["1|2,2,3,5"]);
        // The active thread is not moved on from where it arrives, and moves are simultaneous: 2 ~> 4 is not for 1.
        assert_eq!(successors("0 1 -> 1 2 1 ~> 2 2 ~> 4", 0, &[1, 1, 2]), ["1|2,2,4"]);
        // No thread has to be there.
        assert_eq!(successors("0 1 -> 1 3 2 ~> 4", 0, &[1]), ["1|3"]);
    }

    #[test]
    fn several_targets_are_a_choice_for_each_thread() {
        let found = successors("0 0 -> 1 0 1 ~> 2 1 ~> 3", 0, &[0, 1, 1]);
        assert_eq!(found, ["1|0,2,2", "1|0,2,3", "1|0,3,3"]);
        // Staying must be listed.
        assert_eq!(successors("0 0 -> 1 0 1 ~> 1 1 ~> 2", 0, &[0, 1]), ["1|0,1", "1|0,2"]);
    }

    #[test]
    fn broadcasts_need_no_thread() {
        assert_eq!(successors("0 1 ~> 1 2\n0 3 ~> 1 4", 0, &[]), ["1|"]);
        assert_eq!(successors("0 1 ~> 1 2\n0 3 ~> 1 4", 0, &[1, 1, 3, 5]), ["1|2,2,4,5"]);
    }
}
