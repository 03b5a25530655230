//! Every configuration that is reached with at most so many threads, by brute force, level by level.

use super::interpret::{Configuration, steps};
use super::run::{PlannedStep, Run};
use super::system::{Initial, LocalState, System, Target};
use rustc_hash::FxHashMap;

/// What was reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explored {
    /// In the order in which they were found.
    pub configurations: Vec<Configuration>,
    /// Threads that were not created, or not there at the start, because there would have been too many.
    pub cut: bool,
}

/// The answer to a search for the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    Run(Run),
    /// It is not covered; if something was cut, not with so many threads.
    Nothing {
        cut: bool,
    },
}

/// Everything within `threads` threads. `None` when there are more than `configurations`.
pub fn explore(
    system: &System,
    initial: &Initial,
    threads: usize,
    configurations: usize,
) -> Option<Explored> {
    let search = Search::run(system, initial, threads, configurations, None)?;
    Some(Explored { configurations: search.order, cut: search.cut })
}

/// A shortest run to the target within `threads` threads. `None` when there are more than `configurations`.
pub fn find_run(
    system: &System,
    initial: &Initial,
    target: &Target,
    threads: usize,
    configurations: usize,
) -> Option<Found> {
    let search = Search::run(system, initial, threads, configurations, Some(target))?;
    let Some(last) = search.found else { return Some(Found::Nothing { cut: search.cut }) };
    let mut plan = Vec::new();
    let mut at = last;
    while let Some((before, step)) = &search.origin[at] {
        plan.push(step.clone());
        at = *before;
    }
    plan.reverse();
    let start = &search.order[at];
    // What was explored can be followed.
    Run::follow(system, start.shared, &start.threads, &plan).ok().map(Found::Run)
}

struct Search {
    order: Vec<Configuration>,
    origin: Vec<Option<(usize, PlannedStep)>>,
    found: Option<usize>,
    cut: bool,
}

impl Search {
    fn run(
        system: &System,
        initial: &Initial,
        threads: usize,
        configurations: usize,
        target: Option<&Target>,
    ) -> Option<Search> {
        let mut search = Search { order: Vec::new(), origin: Vec::new(), found: None, cut: false };
        let mut known: FxHashMap<Configuration, ()> = FxHashMap::default();
        let (starts, cut) = starts(initial, threads);
        search.cut = cut;
        let mut add = |search: &mut Search, new: Configuration, origin| {
            if known.insert(new.clone(), ()).is_none() {
                if search.found.is_none() && target.is_some_and(|t| new.covers(t)) {
                    search.found = Some(search.order.len());
                }
                search.order.push(new);
                search.origin.push(origin);
            }
        };
        for start in starts {
            add(&mut search, start, None);
        }
        let mut next = 0;
        while next < search.order.len() && search.found.is_none() {
            if search.order.len() > configurations {
                return None;
            }
            let from = search.order[next].clone();
            for (choice, to) in steps(system, &from) {
                if to.threads.len() > threads {
                    search.cut = true;
                    continue;
                }
                let step = PlannedStep { transition: choice.transition, passive: choice.passive };
                add(&mut search, to, Some((next, step)));
            }
            next += 1;
        }
        Some(search)
    }
}

/// The initial configurations with at most so many threads, small ones first; and whether there are more.
fn starts(initial: &Initial, threads: usize) -> (Vec<Configuration>, bool) {
    let least: Vec<LocalState> =
        initial.exactly.iter().flat_map(|(l, n)| std::iter::repeat_n(*l, *n as usize)).collect();
    if least.len() > threads {
        return (Vec::new(), true);
    }
    let mut level = vec![Configuration::new(initial.shared, least)];
    let mut all = level.clone();
    while let Some(size) = level.first().map(|c| c.threads.len())
        && size < threads
    {
        let mut larger = Vec::new();
        for smaller in &level {
            for local in &initial.any {
                larger.push(Configuration::new(initial.shared, [&smaller.threads[..], &[*local]].concat()));
            }
        }
        larger.sort();
        larger.dedup();
        all.extend(larger.iter().cloned());
        level = larger;
    }
    (all, !initial.any.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tts::{read, read_initial, read_target, replay};

    fn covered(text: &str, initial: &str, target: &str, threads: usize) -> Option<usize> {
        let system = read(text).unwrap();
        let (initial, target) = (read_initial(initial).unwrap(), read_target(target).unwrap());
        match find_run(&system, &initial, &target, threads, 100_000).unwrap() {
            Found::Nothing { .. } => None,
            Found::Run(run) => {
                replay(&system, &initial, &target, &run, |_, _| {}).unwrap();
                Some(run.steps.len())
            }
        }
    }

    const LOCK: &str = "2 3\n0 0 -> 1 1\n1 1 -> 0 2\n";

    #[test]
    fn a_lock_excludes() {
        assert_eq!(covered(LOCK, "0/0", "1|1", 3), Some(1));
        assert_eq!(covered(LOCK, "0/0", "0|2,2", 3), Some(4));
        assert_eq!(covered(LOCK, "0/0", "0|2,2", 1), None);
        assert_eq!(covered(LOCK, "0/0", "1|1,1", 5), None);
        assert_eq!(covered(LOCK, "0/0", "0|", 0), Some(0));
    }

    #[test]
    fn spawned_threads_count() {
        let text = "1 2\n0 0 +> 0 1\n";
        assert_eq!(covered(text, "0|0", "0|1,1,1", 4), Some(3));
        assert_eq!(covered(text, "0|0", "0|1,1,1", 3), None);
        let system = read(text).unwrap();
        let explored = |initial: &str, threads| {
            explore(&system, &read_initial(initial).unwrap(), threads, 1000).unwrap()
        };
        // 0|0, 0|0,1 and 0|0,1,1; the next spawn is refused.
        assert_eq!(explored("0|0", 3), Explored { cut: true, ..explored("0|0", 3) });
        assert_eq!(explored("0|0", 3).configurations.len(), 3);
        assert!(!explored("0|1", 3).cut && explored("0/1", 3).cut && explored("0|1,1", 1).cut);
    }

    #[test]
    fn starts_are_all_distributions() {
        // Of at most 2 threads over {0, 1}, beside one in 2: 1 + 2 + 3.
        let (all, cut) = starts(&read_initial("0|2/0,1").unwrap(), 3);
        assert_eq!((all.len(), cut), (6, true));
    }

    #[test]
    fn a_choice_of_passive_moves_is_followed() {
        let text = "2 4\n0 0 -> 1 0 1 ~> 2 1 ~> 3\n";
        assert_eq!(covered(text, "0|0,1,1,1", "1|2,3,3", 4), Some(1));
    }

    #[test]
    fn limits_end_the_search() {
        let system = read("1 2\n0 0 +> 0 1\n").unwrap();
        assert_eq!(explore(&system, &read_initial("0|0").unwrap(), 100, 10), None);
    }
}
