//! Expansion of a stored state by one worker, for properties of infinite runs: valuation, edges, fairness
//! obligations.
//!
//! The result depends on the state alone, not on the worker or the time, apart from the numbers of the successors.

use raddle_analysis::Futures;
use raddle_machine::components::Composer;
use raddle_machine::drive::Move;
use raddle_machine::{EncodeOptions, Expression, Machine, State};

use crate::search::Stop;
use crate::search::expressions::Evaluator;
use crate::search::worker::{LiveRegisters, NO_PARENT, Store};
use crate::store::component_dictionary::View;
use crate::store::pair_table::Full;
use crate::store::transitions::{Exposed, Space};
use crate::store::tree_compression::{Folded, PairCache};
use crate::temporal::atomic_sections::{Gap, WeakExchange};
use crate::temporal::superstep::Supersteps;

/// Why a search of runs stops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    Exposed,
    Stop(Stop),
    TooManyThreads,
}

impl From<Exposed> for Halt {
    fn from(_: Exposed) -> Halt {
        Halt::Exposed
    }
}

impl From<Full> for Halt {
    fn from(_: Full) -> Halt {
        Halt::Stop(Stop::Full)
    }
}

/// An edge as it is seen from a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeenEdge {
    pub target: u32,
    /// The thread that steps; `None`: one that diverges, and has no fairness obligation.
    pub thread: Option<u32>,
    pub progress: bool,
    pub weak: Option<WeakExchange>,
}

/// The result of an expansion.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub edges: Vec<SeenEdge>,
    /// Threads with a fairness obligation, by number.
    pub obliged: Vec<u32>,
    pub may_end: bool,
    /// The propositions that hold, as bits.
    pub valuation: u64,
    pub gaps: Vec<Gap>,
    /// Propositions without a value, and why: no run is explored through the state.
    pub troubles: Vec<(String, String)>,
    /// Successors that were not stored before.
    pub new: Vec<u32>,
}

/// What all workers share.
#[derive(Clone, Copy)]
pub struct SuccessorSettings<'a> {
    pub store: &'a Store,
    pub live: &'a LiveRegisters,
    pub supersteps: &'a Supersteps,
    pub futures: Option<&'a Futures>,
    pub propositions: &'a [Expression],
    /// Bytes that one worker may cache.
    pub cache_limit: u64,
    pub rename: bool,
}

pub struct TemporalSuccessors<'a> {
    pub space: Space<'a>,
    settings: SuccessorSettings<'a>,
    evaluator: Evaluator,
    base: Folded,
    pair_cache: PairCache,
    /// The cached bytes that were last reported to the store.
    reported: u64,
}

impl Drop for TemporalSuccessors<'_> {
    fn drop(&mut self) {
        self.settings.store.report_cached(0, &mut self.reported);
    }
}

impl<'a> TemporalSuccessors<'a> {
    pub fn new(machine: &'a Machine, settings: SuccessorSettings<'a>) -> TemporalSuccessors<'a> {
        let SuccessorSettings { store, live, futures, propositions, cache_limit, rename, .. } = settings;
        let options = EncodeOptions { rename, yielded: false, leaks: false, dead_registers: Some(live) };
        let composer = Composer::new(machine, options, View::new(&store.components));
        let mut space = Space::new(machine, composer, futures, rename);
        space.limit_bytes(cache_limit);
        TemporalSuccessors {
            space,
            settings,
            evaluator: Evaluator::new(propositions),
            base: Folded::default(),
            pair_cache: PairCache::default(),
            reported: 0,
        }
    }

    /// Stores the first state.
    pub fn begin(&mut self, state: &State) -> Result<u32, Halt> {
        let vector = self.space.vector(state)?;
        let key = self.settings.store.tree.fold(&vector, None, &mut self.pair_cache, &mut self.base)?;
        Ok(self.settings.store.tree.roots.insert(key, NO_PARENT)?.number)
    }

    /// Expands a stored state.
    pub fn expand(&mut self, number: u32) -> Result<Seen, Halt> {
        let mut seen = Seen::default();
        self.settings.store.tree.unfold(number, &mut self.base);
        let vector = self.base.vector().to_vec();
        for index in 0..self.evaluator.len() {
            match &*self.evaluator.value(&mut self.space, &vector, index)? {
                Ok(value) => seen.valuation |= (value.holds as u64) << index,
                Err(why) => {
                    seen.troubles.push((self.settings.propositions[index].text.clone(), why.clone()));
                }
            }
        }
        if seen.troubles.is_empty() {
            self.expand_vector(number, &vector, &mut seen)?;
        }
        self.settings.store.report_cached(self.space.bytes(), &mut self.reported);
        Ok(seen)
    }

    /// The moves along the edges of a stored state, in their order.
    pub fn moves(&mut self, number: u32) -> Result<(Seen, Vec<Vec<Move>>), Halt> {
        let mut seen = Seen::default();
        self.settings.store.tree.unfold(number, &mut self.base);
        let vector = self.base.vector().to_vec();
        let moves = self.expand_vector(number, &vector, &mut seen)?;
        Ok((seen, moves))
    }

    /// `self.base` is the state.
    fn expand_vector(
        &mut self,
        number: u32,
        vector: &[u32],
        seen: &mut Seen,
    ) -> Result<Vec<Vec<Move>>, Halt> {
        let expansion = self.settings.supersteps.expand(&mut self.space, vector, &mut seen.gaps)?;
        let mut moves = Vec::with_capacity(expansion.edges.len());
        if self.space.composer.dictionary.full {
            return Err(Halt::Stop(Stop::Full));
        }
        for edge in expansion.edges {
            let tree = &self.settings.store.tree;
            let key = tree.key(&edge.vector, &mut self.base, &mut self.pair_cache)?;
            let entry = tree.roots.insert(key, NO_PARENT)?;
            if entry.new {
                seen.new.push(entry.number);
            }
            let (target, thread, progress) = (entry.number, Some(edge.thread), edge.progress);
            seen.edges.push(SeenEdge { target, thread, progress, weak: edge.weak });
            moves.push(edge.moves);
        }
        for thread in expansion.diverged {
            seen.edges.push(SeenEdge { target: number, thread: None, progress: false, weak: None });
            moves.push(vec![Move { thread, choice: None }]);
        }
        seen.obliged = expansion.obliged;
        seen.may_end = expansion.may_end;
        Ok(moves)
    }
}
