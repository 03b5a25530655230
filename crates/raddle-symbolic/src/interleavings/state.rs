//! A state of the reachability tree, and the key by which equal states are recognised.
//!
//! A state has the position of each thread, the contents of all locations, the values of the variables that executed nodes
//! have defined, and the path condition; all as terms over inputs. Two states with equal keys have the same future: what
//! is dead is left out of keys, and so are conjuncts of the path condition that concern no input that is still used.

use std::rc::Rc;

use raddle_solver::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::Facts;
use super::happens_before::HappensBefore;
use super::steps::{Slot, Steps};

/// The position of a thread that does not exist yet.
pub const ABSENT: u32 = u32::MAX;

#[derive(Clone)]
pub struct State {
    /// By thread: how many of its nodes were executed or passed.
    pub positions: Vec<u32>,
    /// By thread: the guard of its next node, `FALSE` at the end.
    pub pending: Vec<Term>,
    /// By thread: it has ended.
    pub finished: Vec<Term>,
    /// By location: bits, and which of them are indeterminate.
    pub memory: Vec<(Term, Term)>,
    /// By slot: the variable itself, until it is defined.
    pub values: Vec<Term>,
    pub facts: Facts,
    /// The thread that ran last, and how often that changed.
    pub last: u32,
    pub switches: u64,
    pub preemptions: u64,
    /// By thread: it yielded after its last node, or could have.
    pub yielded: Vec<bool>,
    pub races: Option<Rc<HappensBefore>>,
}

/// What distinguishes states. The second part has the terms.
pub type Key = (Box<[u32]>, Box<[Term]>);

/// Inputs by term.
pub type Supports = FxHashMap<Term, Rc<[Term]>>;

pub fn support(terms: &Terms, supports: &mut Supports, term: Term) -> Rc<[Term]> {
    supports.entry(term).or_insert_with(|| terms.support([term]).into()).clone()
}

impl State {
    /// Adds a condition to the path condition; false if that is a contradiction.
    pub fn assume(&mut self, terms: &mut Terms, condition: Term) -> bool {
        if condition == Term::TRUE {
            return true;
        }
        let Some(new) = self.facts.add(terms, condition) else { return false };
        if !new.is_empty() {
            self.rewrite(terms, &new);
        }
        true
    }

    fn rewrite(&mut self, terms: &mut Terms, new: &FxHashMap<Term, Term>) {
        let all = self.memory.iter_mut().flat_map(|(bits, undefined)| [bits, undefined]);
        let all = all.chain(&mut self.values).chain(&mut self.pending).chain(&mut self.finished);
        let open: Vec<&mut Term> = all.filter(|term| terms.as_constant(**term).is_none()).collect();
        let old: Vec<Term> = open.iter().map(|term| **term).collect();
        let images = terms.substitute(&old, new);
        for (term, image) in open.into_iter().zip(images) {
            *term = image;
        }
        if let Some(races) = &mut self.races {
            Rc::make_mut(races).rewrite(terms, new);
        }
    }

    pub fn value(&self, slot: Slot) -> Term {
        self.values[slot.0 as usize]
    }

    pub fn exists(&self, thread: usize) -> bool {
        self.positions[thread] != ABSENT
    }

    /// The key, with the counts of switches if these are bounded.
    pub fn key(&self, steps: &Steps, terms: &Terms, supports: &mut Supports, counts: bool) -> Key {
        let mut numbers = self.positions.clone();
        if counts {
            numbers.push(self.last);
            numbers.extend(self.yielded.iter().map(|yielded| *yielded as u32));
        }
        let mut values: Vec<Term> = Vec::new();
        let mut live_places: Vec<usize> = Vec::new();
        for (t, position) in self.positions.iter().enumerate().filter(|(_, p)| **p != ABSENT) {
            let (thread, at) = (&steps.threads[t], i64::from(*position));
            let live = thread.live.iter().take_while(|(until, _)| *until >= at);
            values.extend(live.map(|(_, slot)| self.value(*slot)));
            let live = thread.live_places.iter().take_while(|(until, _)| *until >= at);
            live_places.extend(live.map(|(_, place)| *place));
            values.push(self.finished[t]);
            // Where the facts decide the next guard only in a second step, the state after that step differs in this alone.
            values.push(self.pending[t]);
        }
        live_places.sort_unstable();
        live_places.dedup();
        values.extend(live_places.iter().flat_map(|place| {
            let (bits, undefined) = self.memory[*place];
            [bits, undefined]
        }));
        if let Some(races) = &self.races {
            races.key(&mut numbers, &mut values);
        }
        if !self.facts.is_empty() {
            let mut inputs: FxHashSet<Term> = FxHashSet::default();
            for value in values.iter().filter(|value| terms.as_constant(**value).is_none()) {
                inputs.extend(support(terms, supports, *value).iter());
            }
            for (t, position) in self.positions.iter().enumerate().filter(|(_, p)| **p != ABSENT) {
                let all = &steps.threads[t].live_inputs;
                let live = all.iter().take_while(|(until, _)| *until >= i64::from(*position));
                inputs.extend(live.map(|(_, input)| *input));
            }
            values.extend(self.facts.relevant(inputs, |term| support(terms, supports, term)));
        }
        (numbers.into(), values.into())
    }
}
