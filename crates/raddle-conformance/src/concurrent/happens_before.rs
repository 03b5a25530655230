//! Races by the machine's clocks, over many executions or all of them.

use raddle_machine::drive::Move;
use raddle_machine::{Machine, RaceMonitor, State, ThreadIndex};

use crate::random::Random;

/// What the executions showed.
#[derive(Clone, Debug)]
pub struct Races {
    /// An execution with a race.
    pub found: Option<Vec<Move>>,
    /// All executions were examined.
    pub all: bool,
}

const LONGEST: usize = 300;

/// Looks for a race in all executions if there are at most `executions`, and otherwise in so many, at random.
pub fn races(machine: &Machine, executions: usize, random: &mut Random) -> Races {
    if let Some(found) = in_all(machine, executions) {
        return Races { found, all: true };
    }
    let found = (0..executions).find_map(|_| in_one(machine, random));
    Races { found, all: false }
}

/// The threads that can step, with every answer.
fn moves(machine: &Machine, state: &mut State) -> Vec<(ThreadIndex, Option<u64>)> {
    let mut all = Vec::new();
    if state.end().is_some() {
        return all;
    }
    for i in 0..state.thread_count() {
        let index = ThreadIndex(i as u32);
        if machine.readiness(state, index).can_step() {
            match state.thread(index).pending {
                None => all.push((index, None)),
                Some(request) => all.extend((0..=request.last).map(|answer| (index, Some(answer)))),
            }
        }
    }
    all
}

fn in_one(machine: &Machine, random: &mut Random) -> Option<Vec<Move>> {
    let mut monitor = RaceMonitor::new();
    let (mut state, _) = machine.start(&mut monitor);
    let mut path = Vec::new();
    // Bursts of one thread and even mixtures both have their bugs.
    let stay = random.below(4);
    let mut last = None;
    for _ in 0..LONGEST {
        let ready = moves(machine, &mut state);
        if ready.is_empty() {
            return None;
        }
        let same: Vec<_> = ready.iter().filter(|(t, _)| Some(*t) == last).copied().collect();
        let from = if same.is_empty() || random.below(4) >= stay { &ready } else { &same };
        let (index, choice) = *random.pick(from);
        last = Some(index);
        path.push(Move { thread: state.thread(index).number, choice });
        machine.step(&mut state, index, choice, &mut monitor);
        if !monitor.races().is_empty() {
            return Some(path);
        }
    }
    None
}

/// `None`: there are too many. Otherwise one with a race, if there is one.
fn in_all(machine: &Machine, limit: usize) -> Option<Option<Vec<Move>>> {
    let mut monitor = RaceMonitor::new();
    let (state, _) = machine.start(&mut monitor);
    let mut todo = vec![(state, monitor, Vec::<Move>::new())];
    let mut ended = 0;
    while let Some((mut state, monitor, path)) = todo.pop() {
        let ready = moves(machine, &mut state);
        if ready.is_empty() {
            ended += 1;
        }
        if ended > limit || path.len() > LONGEST {
            return None;
        }
        for (index, choice) in ready {
            let (mut next, mut monitor, mut path) = (state.clone(), monitor.clone(), path.clone());
            path.push(Move { thread: state.thread(index).number, choice });
            machine.step(&mut next, index, choice, &mut monitor);
            if !monitor.races().is_empty() {
                return Some(Some(path));
            }
            todo.push((next, monitor, path));
        }
    }
    Some(None)
}
