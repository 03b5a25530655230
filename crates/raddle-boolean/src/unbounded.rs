//! Programs with any number of threads: Karp and Miller's construction on thread counters.
//!
//! How many threads are in which local state is a vector of counters, and a step moves, adds or removes a thread
//! whatever the other counters are: more threads never disable a step. Karp and Miller (1969) decide what such a
//! system can cover. When a state was reached on the way from a smaller one with the same shared part, the counters
//! that grew can grow without bound and become ω. The thesis (Basler 2010, chapter 8) does this for Boolean programs
//! without ever listing the possible local states: counters exist from when they are first not zero.
//!
//! Deviations. The state that is stored is the one with ω, where algorithm 8.1 stores the one without. The
//! shared part includes the thread inside an atomic section, which has no counter. A state that another one covers is
//! not followed, but nothing is cut off that has been (the known mistake in pruning such trees). The tree grows depth
//! first, which finds ω early.
//!
//! Thread states are exact: one is found if and only if some number of threads reaches it. An error is shown by a run,
//! for which threads are counted up (see [`crate::counters`], with waiting instead of skipping): one is found with
//! some number, since there is one. Recursion together with threads is undecidable: stacks are bounded then, and the
//! answer says so.

use crate::answer::{Answer, Cut, Reason, look};
use crate::counters::{Counters, CountersConfig};
use crate::thread_steps::{Atomicity, Local, Locals, Pair, ThreadSteps, pairs};
use raddle_bp::flow::Flow;
use raddle_bp::interpreter::{AtMost, ThreadState};
use raddle_trace::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many threads there are at first, and what bounds the search.
#[derive(Clone, Debug)]
pub struct UnboundedConfig {
    /// None: any number.
    pub initial_threads: Option<usize>,
    /// How many procedures may be active on one stack of a recursive program.
    pub max_stack: usize,
    /// Nodes of the tree, and states of each search for a counterexample, at most.
    pub states: usize,
    /// Whether everything is explored even when an error has been found.
    pub exhaustive: bool,
}

impl Default for UnboundedConfig {
    fn default() -> UnboundedConfig {
        UnboundedConfig { initial_threads: Some(1), max_stack: 8, states: 50_000_000, exhaustive: false }
    }
}

/// So many threads, or ω of them.
type Count = u32;
const OMEGA: Count = u32::MAX;

/// What does not grow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Shared {
    globals: u64,
    /// The thread inside an atomic section.
    inside: Option<Local>,
}

/// By rising local states; none is zero.
type Counts = Box<[(Local, Count)]>;

struct TreeNode {
    shared: Shared,
    counts: Counts,
    /// One bit for some local states each: what covers has at least the bits of what is covered.
    signature: u64,
    parent: Option<u32>,
    /// A later node covers it.
    covered: bool,
}

/// Everything that can be covered.
pub struct Unbounded<'a> {
    flow: &'a Flow,
    config: UnboundedConfig,
    locals: Locals<'a>,
    nodes: Vec<TreeNode>,
    /// The nodes that no other one covers, by their shared parts.
    maximal: FxHashMap<Shared, Vec<u32>>,
    waiting: Vec<u32>,
    known_steps: FxHashMap<(u64, Local), Rc<ThreadSteps>>,
    error_label: Option<String>,
    error: bool,
    stack_full: bool,
}

/// Checks a program with any number of threads.
pub fn check(flow: &Flow, error_label: Option<&str>, config: &UnboundedConfig, budget: &Budget) -> Answer {
    let run = || -> Result<Answer, Reason> {
        let mut unbounded = Unbounded::new(flow, error_label, config)?;
        unbounded.explore(budget)?;
        unbounded.answer(budget)
    };
    run().unwrap_or_else(Answer::Unknown)
}

impl<'a> Unbounded<'a> {
    pub fn new(
        flow: &'a Flow,
        error_label: Option<&str>,
        config: &UnboundedConfig,
    ) -> Result<Unbounded<'a>, Reason> {
        if config.initial_threads == Some(0) {
            return Err(Reason::Unsupported("there is at least one initial thread"));
        }
        Ok(Unbounded {
            flow,
            config: config.clone(),
            locals: Locals::new(flow, config.max_stack, true)?,
            nodes: Vec::new(),
            maximal: FxHashMap::default(),
            waiting: Vec::new(),
            known_steps: FxHashMap::default(),
            error_label: error_label.map(str::to_owned),
            error: false,
            stack_full: false,
        })
    }

    /// Grows the tree until nothing new can be covered.
    ///
    /// # Errors
    ///
    /// If the search was stopped; what is covered by then is not all.
    pub fn explore(&mut self, budget: &Budget) -> Result<(), Reason> {
        self.roots(budget)?;
        while let Some(number) = self.waiting.pop() {
            look(budget)?;
            if self.error && !self.config.exhaustive {
                return Ok(());
            }
            if !self.nodes[number as usize].covered {
                self.expand(number, budget)?;
            }
        }
        Ok(())
    }

    /// The answer of a finished exploration.
    ///
    /// # Errors
    ///
    /// If there is an error but the search for a run to it was stopped.
    pub fn answer(&self, budget: &Budget) -> Result<Answer, Reason> {
        if !self.error {
            // Recursion together with threads is never a proof, even where no stack was full.
            let cut = if self.stack_full || self.flow.is_recursive() { vec![Cut::Stack] } else { Vec::new() };
            return Ok(Answer::Safe { cut });
        }
        counterexample(self.flow, self.error_label.as_deref(), &self.config, budget)
    }

    /// Whether an error can be reached.
    pub fn error(&self) -> bool {
        self.error
    }

    pub fn stack_full(&self) -> bool {
        self.stack_full
    }

    /// How many nodes the tree has.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// What threads can see; local variables that are not read later are false.
    pub fn thread_states(&self) -> BTreeSet<ThreadState> {
        self.locals.thread_states(&self.pairs())
    }

    /// Their number; stacks and live slots are distinguished.
    pub fn thread_state_count(&self) -> usize {
        self.pairs().len()
    }

    fn pairs(&self) -> FxHashSet<Pair> {
        pairs(self.nodes.iter().map(|TreeNode { shared, counts, .. }| {
            (shared.globals, counts.iter().map(|(local, _)| *local).chain(shared.inside))
        }))
    }

    fn roots(&mut self, budget: &Budget) -> Result<(), Reason> {
        let (values, all_globals) = self.locals.initial()?;
        let mut sets: Vec<Counts> = Vec::new();
        match self.config.initial_threads {
            None => sets.push(values.iter().map(|local| (*local, OMEGA)).collect()),
            Some(threads) => {
                // All ways to put the threads into local states, as rising sequences.
                let mut chosen = vec![0usize; threads];
                loop {
                    look(budget)?;
                    let mut counts = Vec::new();
                    chosen.iter().for_each(|index| add(&mut counts, values[*index]));
                    sets.push(counts.into_boxed_slice());
                    let Some(at) = chosen.iter().rposition(|index| index + 1 < values.len()) else { break };
                    let next = chosen[at] + 1;
                    chosen[at..].fill(next);
                }
            }
        }
        for counts in sets {
            for globals in all_globals.clone() {
                if globals % 256 == 0 {
                    look(budget)?;
                }
                self.insert(Shared { globals, inside: None }, counts.to_vec(), None)?;
            }
        }
        Ok(())
    }

    fn expand(&mut self, number: u32, budget: &Budget) -> Result<(), Reason> {
        let (shared, counts) = {
            let node = &self.nodes[number as usize];
            (node.shared, node.counts.clone())
        };
        let movers: Vec<Local> = match shared.inside {
            Some(local) => vec![local],
            None => counts.iter().map(|(local, _)| *local).collect(),
        };
        for local in movers {
            let steps = self.steps(shared.globals, local, budget)?;
            self.stack_full |= steps.stack_full;
            self.error |= steps.fails_with.is_some();
            for step in &steps.moves {
                // A node may be compared with very many.
                look(budget)?;
                let mut after = counts.to_vec();
                if shared.inside.is_none() {
                    remove(&mut after, local);
                }
                let inside = match step.atomicity {
                    Atomicity::Begins => step.after,
                    Atomicity::Ends => None,
                    Atomicity::Stays => step.after.filter(|_| shared.inside.is_some()),
                };
                for local in step.after.filter(|_| inside.is_none()).into_iter().chain(step.started) {
                    add(&mut after, local);
                }
                self.insert(Shared { globals: step.globals, inside }, after, Some(number))?;
            }
        }
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

    /// A new node below another one, unless it is covered.
    fn insert(
        &mut self,
        shared: Shared,
        mut counts: Vec<(Local, Count)>,
        parent: Option<u32>,
    ) -> Result<(), Reason> {
        self.accelerate(shared, &mut counts, parent);
        let signature = counts.iter().fold(0, |bits, (local, _)| bits | local.bit());
        let maximal = self.maximal.entry(shared).or_default();
        let nodes = &mut self.nodes;
        let covers = |number: &u32| {
            let node = &nodes[*number as usize];
            signature & !node.signature == 0 && covered_by(&counts, &node.counts)
        };
        if maximal.iter().rev().any(covers) {
            return Ok(());
        }
        maximal.retain(|number| {
            let node = &mut nodes[*number as usize];
            node.covered = node.signature & !signature == 0 && covered_by(&node.counts, &counts);
            !node.covered
        });
        if nodes.len() >= self.config.states {
            return Err(Reason::TooManyStates(self.config.states));
        }
        let number = nodes.len() as u32;
        maximal.push(number);
        self.waiting.push(number);
        if let Some(label) = &self.error_label {
            let mut all = counts.iter().map(|(local, _)| *local).chain(shared.inside);
            self.error |= all.any(|local| self.locals.node(local).labels.iter().any(|l| l == label));
        }
        let counts = counts.into_boxed_slice();
        self.nodes.push(TreeNode { shared, counts, signature, parent, covered: false });
        Ok(())
    }

    /// What grew since a state on the way here with the same shared part can grow without bound.
    fn accelerate(&self, shared: Shared, counts: &mut [(Local, Count)], parent: Option<u32>) {
        loop {
            let mut changed = false;
            let mut way = parent;
            while let Some(number) = way {
                let node = &self.nodes[number as usize];
                if node.shared == shared && covered_by(&node.counts, counts) {
                    for (local, count) in counts.iter_mut().filter(|(_, count)| *count != OMEGA) {
                        let before = node.counts.binary_search_by_key(local, |(other, _)| *other);
                        if before.map_or(0, |index| node.counts[index].1) < *count {
                            *count = OMEGA;
                            changed = true;
                        }
                    }
                }
                way = node.parent;
            }
            if !changed {
                return;
            }
        }
    }
}

/// A run to an error that is known to be there, with as few threads as can be.
///
/// # Errors
///
/// If the search for it was stopped.
pub(crate) fn counterexample(
    flow: &Flow,
    error_label: Option<&str>,
    config: &UnboundedConfig,
    budget: &Budget,
) -> Result<Answer, Reason> {
    // If any number may start, every number up to what may run is tried: with all of them running at first, none
    // could be started.
    for threads in config.initial_threads.unwrap_or(1).. {
        let first = match config.initial_threads {
            Some(number) => number..=number,
            None => 1..=threads,
        };
        for initial_threads in first {
            let counters = CountersConfig {
                initial_threads,
                max_threads: threads,
                at_most: AtMost::Wait,
                max_stack: config.max_stack,
                states: config.states,
                ..CountersConfig::default()
            };
            let mut counters = Counters::new(flow, error_label, &counters)?;
            counters.explore(budget)?;
            if let Answer::Violated(counterexample) = counters.answer() {
                return Ok(Answer::Violated(counterexample));
            }
        }
    }
    unreachable!("some number of threads shows the error, or the search is stopped")
}

/// Whether every counter is at most the other's; both rise.
fn covered_by(small: &[(Local, Count)], large: &[(Local, Count)]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|(local, count)| {
        rest.find(|(other, _)| other >= local).is_some_and(|(other, most)| other == local && count <= most)
    })
}

fn add(counts: &mut Vec<(Local, Count)>, local: Local) {
    match counts.binary_search_by_key(&local, |(other, _)| *other) {
        Ok(index) if counts[index].1 == OMEGA => {}
        Ok(index) => counts[index].1 += 1,
        Err(index) => counts.insert(index, (local, 1)),
    }
}

fn remove(counts: &mut Vec<(Local, Count)>, local: Local) {
    let index = counts.binary_search_by_key(&local, |(other, _)| *other).expect("a thread is there");
    match counts[index].1 {
        OMEGA => {}
        1 => drop(counts.remove(index)),
        _ => counts[index].1 -= 1,
    }
}
