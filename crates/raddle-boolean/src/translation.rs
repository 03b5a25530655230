//! A Boolean program with any number of threads as a thread transition system, so that all of [`crate::tts`] decides
//! it: backwards, by weights, by cut-offs.
//!
//! Local states and values of shared variables are those that a thread can observe, by an analysis of one thread at a
//! time: wherever one moves, every other that may be there stays. That is more than can be reached, and finite.
//!
//! 1. A thread inside an atomic section is part of the shared state; it is in a local state of its own meanwhile,
//!    where no other one can be.
//! 2. A thread that has ended is in a local state without successors.
//! 3. Starting a thread is a step that also moves its parent: two transitions, with a shared state between them in
//!    which nothing else happens. Any thread in the parent's local state may take the second one; they are the same.
//! 4. Variables have any value at first. The first thread that does something chooses for the shared ones; each thread
//!    chooses its own when it begins. One that has not begun is like one that is not there.
//! 5. A failing assertion and the error label lead to one shared state: the target.
//!
//! Neither misses nor over-reports; stacks of recursive programs are bounded, and that is reported.

use crate::answer::{Answer, Cut, Reason, look};
use crate::thread_steps::{Atomicity, Local, Locals, Move};
use crate::tts::{self, Method, Outcome, Pruning, Question, Stop};
use crate::unbounded::{UnboundedConfig, counterexample};
use raddle_bp::flow::Flow;
use raddle_bp::tts::{Effect, Initial, LocalState, SharedState, System, Target, Transition};
use raddle_trace::{Budget, Stats};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Transitions, at most.
const MOST_TRANSITIONS: usize = 20_000_000;

/// Not begun, inside an atomic section, ended.
const FRESH: LocalState = LocalState(0);
const INSIDE: LocalState = LocalState(1);
const ENDED: LocalState = LocalState(2);
/// Local states of the program come behind these.
const OWN: u32 = 3;

const START: SharedState = SharedState(0);
const ERROR: SharedState = SharedState(1);

/// A program as a thread transition system.
pub struct Translated {
    pub system: System,
    pub initial: Initial,
    pub target: Target,
    /// Some call had no room on its stack.
    pub stack_full: bool,
}

/// Decides a program by a method for thread transition systems. What was counted is added to the statistics.
pub fn check(
    flow: &Flow,
    error_label: Option<&str>,
    config: &UnboundedConfig,
    method: Method,
    budget: &Budget,
    stats: &mut Stats,
) -> Answer {
    let translated = match translate(flow, error_label, config, budget) {
        Ok(translated) => translated,
        Err(reason) => return Answer::Unknown(reason),
    };
    stats.set("shared-states", u64::from(translated.system.shared));
    stats.set("local-states", u64::from(translated.system.local));
    let Translated { system, initial, target, stack_full } = &translated;
    let question = Question { system, initial, target };
    let answer = tts::decide(question, method, Pruning::default(), budget);
    for (name, value) in answer.stats.iter() {
        stats.set(name, value.clone());
    }
    if let Some(threads) = answer.cut_off {
        stats.set("cut-off", threads);
    }
    match answer.outcome {
        Outcome::Uncoverable if answer.cut => {
            Answer::Unknown(Reason::Unsupported("the thread bound was reached"))
        }
        Outcome::Uncoverable => {
            let cut = if *stack_full || flow.is_recursive() { vec![Cut::Stack] } else { Vec::new() };
            Answer::Safe { cut }
        }
        Outcome::Covered(_) => {
            counterexample(flow, error_label, config, budget).unwrap_or_else(Answer::Unknown)
        }
        Outcome::Stopped(Stop::Budget(reason)) => Answer::Unknown(Reason::Stopped(reason)),
        Outcome::Stopped(stop) => Answer::Unknown(Reason::Unsupported(stop.sentence())),
        Outcome::NotApplicable(_) => Answer::Unknown(Reason::Unsupported("this method does not apply")),
    }
}

/// Translates a program.
///
/// # Errors
///
/// If it is too large, or the search for its states was stopped.
pub fn translate(
    flow: &Flow,
    error_label: Option<&str>,
    config: &UnboundedConfig,
    budget: &Budget,
) -> Result<Translated, Reason> {
    let mut translation = Translation {
        locals: Locals::new(flow, config.max_stack, true)?,
        error_label,
        shared: vec![Shared::Start, Shared::Error],
        numbers: FxHashMap::default(),
        present: vec![BTreeSet::from([FRESH]), BTreeSet::new()],
        leads_to: vec![BTreeSet::new(); 2],
        waiting: vec![(START, FRESH)],
        transitions: Vec::new(),
        stack_full: false,
    };
    translation.run(budget)?;
    let local = OWN + translation.locals.count() as u32;
    let initial = match config.initial_threads {
        None => Initial { shared: START, exactly: BTreeMap::new(), any: BTreeSet::from([FRESH]) },
        Some(threads) => {
            let threads =
                u32::try_from(threads).map_err(|_| Reason::Unsupported("thread counter overflow"))?;
            Initial { shared: START, exactly: BTreeMap::from([(FRESH, threads)]), any: BTreeSet::new() }
        }
    };
    let target = Target { shared: ERROR, threads: BTreeMap::from([(ENDED, 1)]) };
    let shared = translation.shared.len() as u32;
    let transitions = translation.transitions;
    Ok(Translated {
        system: System { shared, local, transitions, target: Some(target.clone()) },
        initial,
        target,
        stack_full: translation.stack_full,
    })
}

/// What a shared state represents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Shared {
    Start,
    Error,
    /// Between the two transitions of a thread start: the parent, and where it and the shared variables go.
    Starting {
        parent: Local,
        globals: u64,
        after: Option<Local>,
    },
    At {
        globals: u64,
        inside: Option<Local>,
    },
}

struct Translation<'a> {
    locals: Locals<'a>,
    error_label: Option<&'a str>,
    shared: Vec<Shared>,
    numbers: FxHashMap<Shared, SharedState>,
    /// By shared state: local states that may be there, and the shared states that may come next.
    present: Vec<BTreeSet<LocalState>>,
    leads_to: Vec<BTreeSet<SharedState>>,
    /// What was found to be possible and not expanded yet.
    waiting: Vec<(SharedState, LocalState)>,
    transitions: Vec<Transition>,
    stack_full: bool,
}

fn state(local: Local) -> LocalState {
    LocalState(OWN + local.0)
}

impl Translation<'_> {
    fn run(&mut self, budget: &Budget) -> Result<(), Reason> {
        let (values, globals) = self.locals.initial()?;
        if (globals.end as usize).saturating_mul(values.len()) > MOST_TRANSITIONS {
            return Err(Reason::Unsupported("too many initial states to enumerate"));
        }
        let mut rounds = 0u32;
        while let Some((from, local)) = self.waiting.pop() {
            if rounds.is_multiple_of(256) {
                look(budget)?;
            }
            rounds = rounds.wrapping_add(1);
            match (self.shared[from.0 as usize], local) {
                (Shared::Start, FRESH) => {
                    for globals in globals.clone() {
                        if globals % 256 == 0 {
                            look(budget)?;
                        }
                        let to = self.number(Shared::At { globals, inside: None });
                        values.iter().for_each(|value| self.moves(from, FRESH, to, state(*value)));
                    }
                }
                (Shared::At { inside: None, .. }, FRESH) => {
                    values.iter().for_each(|value| self.moves(from, FRESH, from, state(*value)));
                }
                (Shared::At { globals, inside: Some(inside) }, INSIDE) => {
                    self.steps(from, globals, inside, INSIDE, budget)?
                }
                (Shared::At { globals, inside: None }, local) if local.0 >= OWN => {
                    self.steps(from, globals, Local(local.0 - OWN), local, budget)?;
                }
                (Shared::Starting { parent, globals, after }, local) if local == state(parent) => {
                    let to = self.number(Shared::At { globals, inside: None });
                    self.moves(from, local, to, after.map_or(ENDED, state));
                }
                _ => {}
            }
            if self.transitions.len() > MOST_TRANSITIONS {
                return Err(Reason::Unsupported("the thread transition system is too large"));
            }
        }
        Ok(())
    }

    fn number(&mut self, shared: Shared) -> SharedState {
        let next = SharedState(self.shared.len() as u32);
        let number = *self.numbers.entry(shared).or_insert(next);
        if number == next {
            self.shared.push(shared);
            self.present.push(BTreeSet::new());
            self.leads_to.push(BTreeSet::new());
        }
        number
    }

    /// The steps of a thread whose local state is `place`: where it is, or the place of those inside a section.
    fn steps(
        &mut self,
        from: SharedState,
        globals: u64,
        local: Local,
        place: LocalState,
        budget: &Budget,
    ) -> Result<(), Reason> {
        let steps = self.locals.steps(globals, local, budget)?;
        self.stack_full |= steps.stack_full;
        // Where a thread starts at the label inside of a section, the section need not end.
        let mut started = steps.moves.iter().filter_map(|step| step.started);
        if steps.fails_with.is_some() || self.is_error(local) || started.any(|child| self.is_error(child)) {
            self.moves(from, place, ERROR, ENDED);
        }
        for step in &steps.moves {
            self.step(from, local, place, step);
        }
        Ok(())
    }

    /// Whether it is at the error label.
    fn is_error(&self, local: Local) -> bool {
        let labels = &self.locals.node(local).labels;
        self.error_label.is_some_and(|error| labels.iter().any(|label| label == error))
    }

    fn step(&mut self, from: SharedState, local: Local, place: LocalState, step: &Move) {
        let inside = match step.atomicity {
            Atomicity::Begins => step.after,
            Atomicity::Ends => None,
            Atomicity::Stays => step.after.filter(|_| place == INSIDE),
        };
        let (to, after) = match inside {
            Some(_) => (Shared::At { globals: step.globals, inside }, INSIDE),
            None => (Shared::At { globals: step.globals, inside }, step.after.map_or(ENDED, state)),
        };
        let Some(started) = step.started else {
            let to = self.number(to);
            self.moves(from, place, to, after);
            return;
        };
        // A parent inside a section stays in its local state.
        let between = match place == INSIDE && after == INSIDE {
            true => to,
            false => Shared::Starting { parent: local, globals: step.globals, after: step.after },
        };
        let between = self.number(between);
        self.transition(from, between, Effect::Spawn { parent: place, child: state(started) });
        self.meet(from, between, state(started));
    }

    fn moves(&mut self, from: SharedState, before: LocalState, to: SharedState, after: LocalState) {
        if from == to && before == after {
            return;
        }
        self.transition(from, to, Effect::Move { before, after });
        self.meet(from, to, after);
    }

    fn transition(&mut self, from: SharedState, to: SharedState, effect: Effect) {
        self.transitions.push(Transition { from, to, effect, passive: Vec::new(), line: 0 });
    }

    /// A thread comes to a shared state, and so do all that stay where they are.
    fn meet(&mut self, from: SharedState, to: SharedState, local: LocalState) {
        let mut new = vec![(to, local)];
        if from != to && self.leads_to[from.0 as usize].insert(to) {
            new.extend(self.present[from.0 as usize].iter().map(|local| (to, *local)));
        }
        while let Some((shared, local)) = new.pop() {
            if self.present[shared.0 as usize].insert(local) {
                self.waiting.push((shared, local));
                new.extend(self.leads_to[shared.0 as usize].iter().map(|next| (*next, local)));
            }
        }
    }
}
