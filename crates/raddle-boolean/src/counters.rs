//! Counter abstraction: programs with a bounded number of threads, explicitly, threads counted and not named.
//!
//! All threads run the same program, so a state is as good as one in which threads have changed places. What counts is
//! how many threads are in which local state (Basler 2010, §7.2.2 and §7.3, the explicit-state variant of §7.5.2):
//! only counters that are not zero are kept, and local states get their numbers when they are first reached, so that
//! their vast potential number costs nothing. What one thread can do depends on the shared variables and its local
//! state alone; it is worked out once for each such pair, see `thread_steps.rs`.
//!
//! The thread inside an atomic section is kept apart from the counters: it is the only one that has an identity.
//!
//! The search goes breadth first. Exchanging threads does not change distances, so a counterexample has as few steps as
//! there can be; numbers of threads are given back to it at the end, by running it once.
//!
//! Local variables are distinguished only where they are live (read later), see [`crate::liveness`].
//!
//! It neither misses nor over-reports within its bounds. It needs each shared and local variable to be a bit of a
//! word: at most 64 of either.

mod trace;

use crate::answer::{Answer, Cut, Reason, look};
use crate::counted::{Counted, add};
use crate::thread_steps::{Local, Locals, Pair, ThreadSteps, pairs};
use raddle_bp::flow::Flow;
use raddle_bp::interpreter::{AtMost, ThreadState};
use raddle_trace::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many threads there are, and what bounds the search.
#[derive(Clone, Debug)]
pub struct CountersConfig {
    pub initial_threads: usize,
    pub max_threads: usize,
    /// What starting one more does; with [`AtMost::Wait`] every run is one without a bound.
    pub at_most: AtMost,
    /// How many procedures may be active on one stack of a recursive program.
    pub max_stack: usize,
    /// Whether local variables are distinguished only where they are live.
    pub forget_dead: bool,
    /// States, at most.
    pub states: usize,
    /// Whether everything is explored even when an error has been found.
    pub exhaustive: bool,
}

impl Default for CountersConfig {
    fn default() -> CountersConfig {
        CountersConfig {
            initial_threads: 1,
            max_threads: 2,
            at_most: AtMost::Skip,
            max_stack: 8,
            forget_dead: true,
            states: 50_000_000,
            exhaustive: false,
        }
    }
}

impl CountersConfig {
    /// No local states yet, if the search can begin at all.
    pub(crate) fn locals<'a>(&self, flow: &'a Flow) -> Result<Locals<'a>, Reason> {
        if self.initial_threads == 0 || self.initial_threads > self.max_threads {
            return Err(Reason::Unsupported(
                "there is at least one initial thread, and no more than there may be",
            ));
        }
        Locals::new(flow, self.max_stack, self.forget_dead)
    }
}

/// Everything that was reached.
pub struct Counters<'a> {
    flow: &'a Flow,
    config: CountersConfig,
    locals: Locals<'a>,
    /// In the order of their distance, each with its predecessor and the step from there.
    states: Vec<(Rc<Counted>, Option<Origin>)>,
    numbers: FxHashMap<Rc<Counted>, u32>,
    known_steps: FxHashMap<(u64, Local), Rc<ThreadSteps>>,
    error_label: Option<String>,
    error: Option<Error>,
    refused_start: bool,
    stack_full: bool,
}

/// How a state was first reached.
#[derive(Clone, Copy)]
struct Origin {
    before: u32,
    /// The local state of the thread that took the step, and which of its steps.
    local: Local,
    step: u32,
}

/// The first error: in a state, a thread in a local state, with the choices in which its assertion fails or at the
/// error label.
struct Error {
    state: u32,
    local: Local,
    fails_with: Option<u64>,
}

/// Checks a program with threads.
pub fn check(flow: &Flow, error_label: Option<&str>, config: &CountersConfig, budget: &Budget) -> Answer {
    let run = || -> Result<Answer, Reason> {
        let mut counters = Counters::new(flow, error_label, config)?;
        counters.explore(budget)?;
        Ok(counters.answer())
    };
    run().unwrap_or_else(Answer::Unknown)
}

impl<'a> Counters<'a> {
    pub fn new(
        flow: &'a Flow,
        error_label: Option<&str>,
        config: &CountersConfig,
    ) -> Result<Counters<'a>, Reason> {
        Ok(Counters {
            flow,
            config: config.clone(),
            locals: config.locals(flow)?,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            known_steps: FxHashMap::default(),
            error_label: error_label.map(str::to_owned),
            error: None,
            refused_start: false,
            stack_full: false,
        })
    }

    /// Follows everything that can be reached.
    ///
    /// # Errors
    ///
    /// If the search was stopped; what has been reached by then is not all.
    pub fn explore(&mut self, budget: &Budget) -> Result<(), Reason> {
        self.initial_states(budget)?;
        let mut current = 0;
        while current < self.states.len() && (self.error.is_none() || self.config.exhaustive) {
            if current % 64 == 0 {
                look(budget)?;
            }
            self.expand(current as u32, budget)?;
            current += 1;
        }
        Ok(())
    }

    /// The answer of a finished exploration.
    pub fn answer(&self) -> Answer {
        if let Some(error) = &self.error {
            return Answer::Violated(Box::new(self.counterexample(error)));
        }
        let mut cut = Vec::new();
        if self.refused_start {
            cut.push(Cut::Threads);
        }
        // Recursion together with threads is never a proof, even where no stack was full.
        if self.stack_full || self.flow.is_recursive() {
            cut.push(Cut::Stack);
        }
        Answer::Safe { cut }
    }

    /// How many states were reached, those that differ by an exchange of threads counted once.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    pub fn refused_start(&self) -> bool {
        self.refused_start
    }

    pub fn stack_full(&self) -> bool {
        self.stack_full
    }

    /// What threads saw in all states.
    pub fn thread_states(&self) -> BTreeSet<ThreadState> {
        self.locals.thread_states(&self.pairs())
    }

    /// Their number; stacks and live slots are distinguished.
    pub fn thread_state_count(&self) -> usize {
        self.pairs().len()
    }

    fn pairs(&self) -> FxHashSet<Pair> {
        pairs(self.states.iter().map(|(state, _)| {
            (state.globals, state.others.iter().map(|(local, _)| *local).chain(state.inside))
        }))
    }

    /// All shared variables and all local variables of the first threads have either value.
    fn initial_states(&mut self, budget: &Budget) -> Result<(), Reason> {
        let (values, globals) = self.locals.initial()?;
        // All ways to put the threads into local states, as rising sequences.
        let mut chosen = vec![0usize; self.config.initial_threads];
        loop {
            let mut others: Vec<(Local, u32)> = Vec::new();
            for index in &chosen {
                add(&mut others, values[*index]);
            }
            for globals in globals.clone() {
                if globals % 256 == 0 {
                    look(budget)?;
                }
                let state = Counted { globals, inside: None, others: others.clone().into_boxed_slice() };
                self.reach(state, None)?;
            }
            let Some(position) = chosen.iter().rposition(|index| index + 1 < values.len()) else {
                return Ok(());
            };
            let next = chosen[position] + 1;
            chosen[position..].fill(next);
        }
    }

    fn reach(&mut self, state: Counted, origin: Option<Origin>) -> Result<(), Reason> {
        if self.numbers.contains_key(&state) {
            return Ok(());
        }
        let number = self.states.len() as u32;
        if number as usize >= self.config.states {
            return Err(Reason::TooManyStates(self.config.states));
        }
        if self.error.is_none()
            && let Some(label) = &self.error_label
        {
            let mut all = state.others.iter().map(|(local, _)| *local).chain(state.inside);
            if let Some(local) = all.find(|local| self.locals.node(*local).labels.iter().any(|l| l == label))
            {
                self.error = Some(Error { state: number, local, fails_with: None });
            }
        }
        let state = Rc::new(state);
        self.numbers.insert(state.clone(), number);
        self.states.push((state, origin));
        Ok(())
    }

    fn steps(&mut self, globals: u64, local: Local, budget: &Budget) -> Result<Rc<ThreadSteps>, Reason> {
        if let Some(known) = self.known_steps.get(&(globals, local)) {
            return Ok(known.clone());
        }
        let steps = Rc::new(self.locals.steps(globals, local, budget)?);
        self.known_steps.insert((globals, local), steps.clone());
        Ok(steps)
    }

    fn expand(&mut self, number: u32, budget: &Budget) -> Result<(), Reason> {
        let state = self.states[number as usize].0.clone();
        let movers: Vec<Local> = match state.inside {
            Some(local) => vec![local],
            None => state.others.iter().map(|(local, _)| *local).collect(),
        };
        for local in movers {
            let steps = self.steps(state.globals, local, budget)?;
            self.stack_full |= steps.stack_full;
            if self.error.is_none() && steps.fails_with.is_some() {
                self.error = Some(Error { state: number, local, fails_with: steps.fails_with });
            }
            for (index, step) in steps.moves.iter().enumerate() {
                if index % 256 == 255 {
                    look(budget)?;
                }
                if step.started.is_some() && state.running() >= self.config.max_threads {
                    self.refused_start = true;
                    if self.config.at_most == AtMost::Wait {
                        continue;
                    }
                }
                let after = state.after(local, step, self.config.max_threads);
                self.reach(after, Some(Origin { before: number, local, step: index as u32 }))?;
            }
        }
        Ok(())
    }
}
