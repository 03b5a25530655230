//! Counter abstraction with symbolic counters: programs with a bounded number of threads, threads counted.
//!
//! The thesis (Basler 2010, §7.4) counts threads explicitly and keeps the data of a state as a product of sets; what a
//! step relates across that product must be split (its *splice states*), and what was split must be merged and
//! compared again. Here it is the other way round: shared variables and local states are explicit, worked out on the
//! fly for what is reached (see `thread_steps.rs`), and the *counters* are symbolic. For each valuation of the shared
//! variables, each thread inside an atomic section and each number of threads there is one diagram of all multisets of
//! local states, see `multisets.rs`. A step takes an element out of all multisets of a diagram at once and puts
//! another one in. It is exact: there is no splicing, merging is union, and subsumption is a difference.
//!
//! Why: with many threads there are few local states and few valuations of shared variables, but very many ways to
//! distribute threads; those are what diagrams share. The thesis' form is better where a thread has many local
//! variables with any value; there, `hybrid` with counted places has the data in decision diagrams.
//!
//! One diagram is followed until nothing new comes to it from itself, then the next: far fewer and more regular sets
//! than level by level, which was five times slower on the Bluetooth driver. A counterexample is found backwards, like
//! in algorithm 7.2 of the thesis, and is not always a shortest one.
//!
//! It neither misses nor over-reports within its bounds, with the limits of [`crate::counters`]: 64 shared variables
//! and slots. A diagram is as deep as there are local states; the search has a stack of its own for that.

mod ample;
mod trace;

use crate::answer::{Answer, Cut, Reason, look};
use crate::counters::CountersConfig;
use crate::multisets::{Multisets, Set};
use crate::thread_steps::{Local, Locals, Pair, ThreadSteps, pairs};
use ample::Ample;
use raddle_bp::flow::Flow;
use raddle_bp::interpreter::{AtMost, ThreadState};
use raddle_trace::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Nodes after which the first collection comes.
const FIRST_COLLECTION: usize = 1 << 22;
/// Local states, at most: diagrams are as deep.
const MOST_LOCALS: usize = 100_000;
/// What is kept for one diagram, its number included, takes the room of so many nodes.
const NODES_PER_KEY: usize = 4;
/// Room for diagrams of that depth.
const STACK: usize = 256 << 20;

/// What all states of one diagram have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    globals: u64,
    inside: Option<Local>,
    /// How many threads run.
    running: u32,
}

/// What was reached with one key: the threads that are not inside an atomic section.
struct Reached {
    key: Key,
    all: Set,
    /// What has still to be followed.
    waiting: Set,
    queued: bool,
    /// What was new at which moment, rising. Every state is in one of them, and was reached from one of an earlier
    /// moment.
    moments: Vec<(u32, Set)>,
}

/// Everything that was reached.
pub struct SymbolicCounters<'a> {
    flow: &'a Flow,
    config: CountersConfig,
    locals: Locals<'a>,
    sets: Multisets,
    reached: Vec<Reached>,
    numbers: FxHashMap<Key, usize>,
    known_steps: FxHashMap<(u64, Local), Arc<ThreadSteps>>,
    error_label: Option<String>,
    error: Option<Error>,
    refused_start: bool,
    stack_full: bool,
    collect_at: usize,
    /// Numbers of what has states that wait. The first that was ever reached is followed first: more waits then for
    /// those behind it before their turn comes.
    queue: BTreeSet<usize>,
    /// How often something new was reached.
    moments: u32,
    /// How often at the start.
    initial_moments: u32,
    ample: Option<Ample>,
    /// The local states at the error label, of so many that were checked.
    at_label: Vec<Local>,
    labels_seen: usize,
}

/// The first error: at a key, a thread in a local state, with the choices in which its assertion fails or at
/// the error label.
#[derive(Clone, Copy)]
struct Error {
    number: usize,
    local: Local,
    fails_with: Option<u64>,
}

/// Checks a program with threads.
pub fn check(flow: &Flow, error_label: Option<&str>, config: &CountersConfig, budget: &Budget) -> Answer {
    let run = || -> Result<Answer, Reason> {
        let mut counters = SymbolicCounters::new(flow, error_label, config)?;
        counters.explore(budget)?;
        Ok(counters.answer())
    };
    run().unwrap_or_else(Answer::Unknown)
}

impl<'a> SymbolicCounters<'a> {
    /// Of the configuration, `states` bounds the nodes of diagrams, and with them how many diagrams there are.
    pub fn new(
        flow: &'a Flow,
        error_label: Option<&str>,
        config: &CountersConfig,
    ) -> Result<SymbolicCounters<'a>, Reason> {
        Ok(SymbolicCounters {
            flow,
            config: config.clone(),
            locals: config.locals(flow)?,
            sets: Multisets::new(),
            reached: Vec::new(),
            numbers: FxHashMap::default(),
            known_steps: FxHashMap::default(),
            error_label: error_label.map(str::to_owned),
            error: None,
            refused_start: false,
            stack_full: false,
            collect_at: FIRST_COLLECTION,
            queue: BTreeSet::new(),
            moments: 0,
            initial_moments: 0,
            ample: None,
            at_label: Vec::new(),
            labels_seen: 0,
        })
    }

    /// From now on, steps that are independent of all other threads are taken alone, see `symbolic_counters/ample.rs`.
    /// The same verdicts, but less is reached than can be.
    pub fn reduce(&mut self) {
        let (initial, most) = (self.config.initial_threads, self.config.max_threads);
        self.ample = Some(Ample::new(self.flow, self.error_label.as_deref(), initial, most));
    }

    /// Follows everything that can be reached.
    ///
    /// # Errors
    ///
    /// If the search was stopped; what has been reached by then is not all.
    pub fn explore(&mut self, budget: &Budget) -> Result<(), Reason> {
        std::thread::scope(|scope| {
            let search = std::thread::Builder::new().stack_size(STACK);
            match search.spawn_scoped(scope, || self.search(budget)) {
                Ok(running) => running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                Err(_) => Err(Reason::Unsupported("stack allocation failed")),
            }
        })
    }

    fn search(&mut self, budget: &Budget) -> Result<(), Reason> {
        self.initial_states(budget)?;
        while let Some(number) = self.queue.pop_first() {
            self.reached[number].queued = false;
            while !self.reached[number].waiting.is_empty() && (self.error.is_none() || self.config.exhaustive)
            {
                look(budget)?;
                self.follow(number, budget)?;
                self.fits()?;
                self.collect()?;
            }
        }
        Ok(())
    }

    /// The answer of a finished exploration.
    pub fn answer(&self) -> Answer {
        if let Some(error) = self.error {
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
    pub fn states(&self) -> u128 {
        self.sets.count(self.reached.iter().map(|reached| reached.all))
    }

    /// How many diagrams there are, and the nodes of all that are and were.
    pub fn diagrams(&self) -> (usize, usize) {
        (self.reached.len(), self.sets.nodes())
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

    /// How many pairs of shared variables and a local state, its stack included, were reached.
    pub fn thread_state_count(&self) -> usize {
        self.pairs().len()
    }

    fn pairs(&self) -> FxHashSet<Pair> {
        pairs(self.reached.iter().map(|Reached { key, all, .. }| {
            (key.globals, self.sets.elements(*all).into_iter().map(Local).chain(key.inside))
        }))
    }

    /// All shared variables and all local variables of the first threads have either value.
    fn initial_states(&mut self, budget: &Budget) -> Result<(), Reason> {
        let (values, globals) = self.locals.initial()?;
        let mut all = Set::UNIT;
        for _ in 0..self.config.initial_threads {
            let before = all;
            all = Set::EMPTY;
            for value in &values {
                look(budget)?;
                let more = self.sets.add(before, value.0);
                all = self.sets.union(all, more);
            }
        }
        let running = self.config.initial_threads as u32;
        for globals in globals {
            if globals % 1024 == 0 {
                look(budget)?;
            }
            self.reach(Key { globals, inside: None, running }, all);
            self.fits()?;
        }
        self.initial_moments = self.moments;
        Ok(())
    }

    /// Fails where there is no room for more diagrams.
    fn fits(&self) -> Result<(), Reason> {
        let most = self.config.states / NODES_PER_KEY;
        if self.reached.len() > most { Err(Reason::OutOfNodes) } else { Ok(()) }
    }

    /// Adds states; those that are new wait to be followed.
    fn reach(&mut self, key: Key, states: Set) {
        let number = *self.numbers.entry(key).or_insert_with(|| {
            let (all, waiting) = (Set::EMPTY, Set::EMPTY);
            self.reached.push(Reached { key, all, waiting, queued: false, moments: Vec::new() });
            self.reached.len() - 1
        });
        let new = self.sets.minus(states, self.reached[number].all);
        if new.is_empty() {
            return;
        }
        let (all, waiting) = (self.reached[number].all, self.reached[number].waiting);
        let (all, waiting) = (self.sets.union(all, new), self.sets.union(waiting, new));
        let moment = self.moments;
        self.moments += 1;
        let reached = &mut self.reached[number];
        (reached.all, reached.waiting) = (all, waiting);
        reached.moments.push((moment, new));
        if !std::mem::replace(&mut reached.queued, true) {
            self.queue.insert(number);
        }
        self.look_for_label(number, new);
    }

    /// Garbage collection, if there is much garbage.
    fn collect(&mut self) -> Result<(), Reason> {
        let most = self.config.states;
        if self.sets.nodes() <= self.collect_at.min(most) {
            return Ok(());
        }
        let known = self.reached.iter_mut().flat_map(|reached| {
            let moments = reached.moments.iter_mut().map(|(_, set)| set);
            moments.chain([&mut reached.all, &mut reached.waiting])
        });
        self.sets.keep(known);
        self.collect_at = FIRST_COLLECTION.max(2 * self.sets.nodes());
        // Little room would be collected again and again.
        if self.sets.nodes() > most / 4 * 3 { Err(Reason::OutOfNodes) } else { Ok(()) }
    }

    fn steps(&mut self, globals: u64, local: Local, budget: &Budget) -> Result<Arc<ThreadSteps>, Reason> {
        if let Some(known) = self.known_steps.get(&(globals, local)) {
            return Ok(known.clone());
        }
        let steps = Arc::new(self.locals.steps(globals, local, budget)?);
        if self.locals.count() > MOST_LOCALS {
            return Err(Reason::Unsupported("local-state limit exceeded"));
        }
        self.known_steps.insert((globals, local), steps.clone());
        Ok(steps)
    }

    fn look_for_label(&mut self, number: usize, new: Set) {
        let Some(label) = &self.error_label else { return };
        if self.error.is_some() {
            return;
        }
        let at = |local: Local| self.locals.node(local).labels.iter().any(|l| l == label);
        // Most programs have no more than one local state there, and most sets none of it.
        let unseen = self.labels_seen..self.locals.count();
        self.labels_seen = unseen.end;
        self.at_label.extend(unseen.map(|index| Local(index as u32)).filter(|local| at(*local)));
        let inside = self.reached[number].key.inside.filter(|local| at(*local));
        let mut found = inside;
        for local in &self.at_label {
            if found.is_none() && !self.sets.remove(new, local.0).is_empty() {
                found = Some(*local);
            }
        }
        if let Some(local) = found {
            self.error = Some(Error { number, local, fails_with: None });
        }
    }

    /// Takes steps from the states that wait at one key: all, or those that the reduction leaves.
    fn follow(&mut self, number: usize, budget: &Budget) -> Result<(), Reason> {
        let mut states = std::mem::replace(&mut self.reached[number].waiting, Set::EMPTY);
        let key = self.reached[number].key;
        if let Some(local) = key.inside {
            return self.advance(number, local, states, budget);
        }
        if self.ample.is_some() {
            states = self.take_ample_steps(number, states, budget)?;
        }
        // There may be thousands, and as much to do for each.
        for local in self.sets.elements(states) {
            look(budget)?;
            let others = self.sets.remove(states, local);
            self.advance(number, Local(local), others, budget)?;
        }
        Ok(())
    }

    /// Takes all steps of a thread in a local state beside the others.
    fn advance(&mut self, number: usize, local: Local, others: Set, budget: &Budget) -> Result<(), Reason> {
        // Between collections there may be as much garbage again.
        if self.sets.nodes() / 2 > self.config.states.max(FIRST_COLLECTION) {
            return Err(Reason::OutOfNodes);
        }
        let key = self.reached[number].key;
        let steps = self.steps(key.globals, local, budget)?;
        self.stack_full |= steps.stack_full;
        if self.error.is_none() && steps.fails_with.is_some() {
            self.error = Some(Error { number, local, fails_with: steps.fails_with });
        }
        for step in &steps.moves {
            look(budget)?;
            let started = step.started.filter(|_| (key.running as usize) < self.config.max_threads);
            if step.started.is_some() && started.is_none() {
                self.refused_start = true;
                if self.config.at_most == AtMost::Wait {
                    continue;
                }
            }
            let inside = step.inside(key.inside.is_some());
            let mut after = others;
            for local in step.after.filter(|_| inside.is_none()).into_iter().chain(started) {
                after = self.sets.add(after, local.0);
            }
            let running = key.running + u32::from(started.is_some()) - u32::from(step.after.is_none());
            self.reach(Key { globals: step.globals, inside, running }, after);
        }
        Ok(())
    }
}
