//! All states that can be reached, breadth first, and the shortest way to an error.

use super::step::{Outcome, choice_bits, enabled_threads, take};
use super::{Setting, State, Step, Thread, ThreadState};
use crate::flow::Flow;
use crate::program::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// More choices in one step are not enumerated.
const MAXIMUM_BITS: usize = 22;

/// What was found.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// A run with an error, of as few steps as there can be.
    pub counterexample: Option<Counterexample>,
    /// How many states were reached.
    pub states: usize,
    /// How many they are if threads that change places make no difference.
    pub symmetric_states: usize,
    /// What threads saw in them.
    pub thread_states: BTreeSet<ThreadState>,
    /// The most threads that ran at once.
    pub threads: usize,
    /// A thread was not started because there were as many as there may be.
    pub refused_start: bool,
    /// A call was not made because the stack was full.
    pub stack_full: bool,
}

impl Exploration {
    /// Whether nothing was cut: no error then means that there is none, with any stack and any number of threads.
    pub fn is_complete(&self) -> bool {
        !self.refused_start && !self.stack_full
    }
}

/// A run that ends in an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    pub initial: State,
    /// The last one fails, if the error is an assertion.
    pub steps: Vec<Step>,
    pub violation: Violation,
}

/// What went wrong at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    AssertionFailed { thread: usize, place: Place },
    LabelReached { thread: usize, place: Place },
}

/// Why a program is not explored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// More than the given number of states.
    States,
    /// More values to choose in one step, or in the initial state, than can be enumerated.
    Choices(usize),
}

/// Explores everything; an error does not stop it. The setting is as [`Setting`] requires.
///
/// # Errors
///
/// If there are more than `max_states` states or too many choices in one step. Nothing is known then.
pub fn explore(flow: &Flow, setting: &Setting, max_states: usize) -> Result<Exploration, TooLarge> {
    let mut search = Search { states: Vec::new(), numbers: FxHashMap::default(), found: None };
    for values in choices(State::initial_bits(flow, setting))? {
        search.reach(flow, setting, State::initial(flow, setting, &values), None);
    }
    let (mut refused_start, mut stack_full) = (false, false);
    let mut current = 0;
    while current < search.states.len() {
        if search.states.len() > max_states {
            return Err(TooLarge::States);
        }
        let state = search.states[current].0.clone();
        for thread in enabled_threads(&state) {
            let frame = state.thread(thread).expect("enabled").top();
            let node = flow.node(frame.procedure, frame.node);
            for successor in 0..node.next.len().max(1) {
                for choices in choices(choice_bits(flow, &state, thread))? {
                    let step = Step { thread, successor, choices };
                    match take(flow, setting, &state, &step) {
                        Outcome::Blocked => {}
                        Outcome::StackFull => stack_full = true,
                        Outcome::ThreadsFull => refused_start = true,
                        Outcome::AssertionFailed => {
                            let violation = Violation::AssertionFailed { thread, place: node.place };
                            search.violated(current, Some(step), violation);
                        }
                        Outcome::Moved { state, refused } => {
                            refused_start |= refused;
                            search.reach(flow, setting, state, Some((current, step)));
                        }
                    }
                }
            }
        }
        current += 1;
    }
    let states = search.states.iter().map(|(state, _)| state);
    // There are far fewer of them than of states: hashing first is faster than sorting all.
    let thread_states: FxHashSet<ThreadState> = states.clone().flat_map(State::thread_states).collect();
    Ok(Exploration {
        thread_states: thread_states.into_iter().collect(),
        symmetric_states: states.clone().map(up_to_exchange).collect::<FxHashSet<_>>().len(),
        threads: states.map(State::running).max().unwrap_or(0),
        states: search.states.len(),
        counterexample: search.found,
        refused_start,
        stack_full,
    })
}

struct Search {
    /// Each state and how it was first reached, in the order of their distance.
    states: Vec<(State, Option<(usize, Step)>)>,
    numbers: FxHashMap<State, usize>,
    found: Option<Counterexample>,
}

impl Search {
    fn reach(&mut self, flow: &Flow, setting: &Setting, state: State, from: Option<(usize, Step)>) {
        if self.numbers.contains_key(&state) {
            return;
        }
        let number = self.states.len();
        self.numbers.insert(state.clone(), number);
        let at_label = setting.error_label.as_ref().and_then(|label| state.at_label(flow, label));
        let violation = at_label.map(|thread| {
            let frame = state.thread(thread).expect("at the label").top();
            Violation::LabelReached { thread, place: flow.node(frame.procedure, frame.node).place }
        });
        self.states.push((state, from));
        if let Some(violation) = violation {
            self.violated(number, None, violation);
        }
    }

    /// The first error is the nearest.
    fn violated(&mut self, mut number: usize, last: Option<Step>, violation: Violation) {
        if self.found.is_some() {
            return;
        }
        let mut steps: Vec<Step> = last.into_iter().collect();
        while let Some((before, step)) = &self.states[number].1 {
            steps.push(step.clone());
            number = *before;
        }
        steps.reverse();
        self.found = Some(Counterexample { initial: self.states[number].0.clone(), steps, violation });
    }
}

/// A state without the numbers of its threads: the one inside an atomic section, and the others in order.
fn up_to_exchange(state: &State) -> (&[bool], Option<&Thread>, Vec<&Thread>) {
    let inside = state.atomic.and_then(|thread| state.thread(thread));
    let others = state.threads.iter().enumerate().filter(|(number, _)| state.atomic != Some(*number));
    let mut others: Vec<&Thread> = others.filter_map(|(_, thread)| thread.as_ref()).collect();
    others.sort();
    (&state.globals, inside, others)
}

/// All vectors of so many values.
fn choices(bits: usize) -> Result<impl Iterator<Item = Vec<bool>>, TooLarge> {
    if bits > MAXIMUM_BITS {
        return Err(TooLarge::Choices(bits));
    }
    Ok((0..1usize << bits).map(move |number| (0..bits).map(|bit| number >> bit & 1 == 1).collect()))
}
