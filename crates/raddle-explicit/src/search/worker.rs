//! One worker: rebuilds stored states, expands them, and stores their successors.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use raddle_analysis::{Futures, Handles, Liveness};
use raddle_ir::{FunctionId, Program, Register};
use raddle_machine::components::Composer;
use raddle_machine::drive::Move;
use raddle_machine::{EncodeOptions, Machine, Readiness, State, ThreadIndex};

use crate::reduction::sleep_set::Sleep;
use crate::reduction::symmetry::{Renaming, Symmetry};
use crate::search::abstraction_function::Matching;
use crate::search::successors::{Expander, Found, Rules, Successor};
use crate::store::component_dictionary::{Components, View};
use crate::store::pair_table::{Entry, Full};
use crate::store::transition_cache::IN_LINE;
use crate::store::transitions::{Exposed, Space};
use crate::store::tree_compression::{Folded, PairCache, Tree};

/// The parent of a state that was reached from none.
pub const NO_PARENT: u32 = u32::MAX;

/// What all workers share.
pub struct Store {
    pub tree: Tree,
    pub components: Components,
    /// Bytes of the workers' own caches.
    cached_bytes: AtomicU64,
}

impl Store {
    pub fn new(sleep: bool) -> Store {
        let components = Components::new(crate::store::tree_compression::NUMBER_BITS);
        Store { tree: Tree::new(true, sleep), components, cached_bytes: AtomicU64::new(0) }
    }
    pub fn bytes(&self) -> u64 {
        self.tree.bytes() + self.components.bytes()
    }
    pub fn cached_bytes(&self) -> u64 {
        self.cached_bytes.load(Ordering::Relaxed)
    }
    /// A worker caches so many bytes now; `reported`: its last report.
    pub fn report_cached(&self, now: u64, reported: &mut u64) {
        // Wraps when there is less than before; so does the sum.
        self.cached_bytes.fetch_add(now.wrapping_sub(*reported), Ordering::Relaxed);
        *reported = now;
    }
}

/// Bytes that one worker may cache beside the store: an eighth of the memory limit, by all workers together.
pub fn share_of_limit(megabytes: Option<u64>, workers: usize) -> u64 {
    megabytes.map_or(u64::MAX, |mb| mb.saturating_mul(1 << 20)) / 8 / workers.max(1) as u64
}

/// What is known of a program before the search.
pub struct Analyses {
    live: LiveRegisters,
    futures: Option<Futures>,
    handles: Option<Handles>,
}

impl Analyses {
    pub fn new(program: &Arc<Program>, rules: &Rules) -> Analyses {
        Analyses {
            live: LiveRegisters(Arc::new(Liveness::new(program.clone()))),
            futures: rules.futures(program),
            handles: if rules.symmetry { Handles::of(program) } else { None },
        }
    }
}

/// The analysis, in the interface of the machine.
pub struct LiveRegisters(pub Arc<Liveness>);

impl raddle_machine::Liveness for LiveRegisters {
    fn is_live(&self, function: FunctionId, pc: u32, called: bool, register: Register) -> bool {
        self.0.is_live(function, pc, called, register)
    }
}

/// Bounds on the switches of a run. What a state has used is not part of it; the thread that ran last is.
#[derive(Clone, Copy, Debug, Default)]
pub struct SwitchBounds {
    pub switches: Option<u64>,
    pub preemptions: Option<u64>,
}

impl SwitchBounds {
    pub fn any(self) -> bool {
        self.switches.is_some() || self.preemptions.is_some()
    }
    /// Numbers behind the vector of a state: the thread that ran last; with both bounds, the switches used too.
    pub fn tail(self) -> usize {
        self.any() as usize + (self.switches.is_some() && self.preemptions.is_some()) as usize
    }
    /// The bound on what orders the search: preemptions, or else switches.
    pub fn limit(self) -> Option<u64> {
        self.preemptions.or(self.switches)
    }
}

pub struct Worker<'a> {
    pub store: &'a Store,
    pub expander: Expander<'a>,
    bounds: SwitchBounds,
    base: Folded,
    folded: Folded,
    pair_cache: PairCache,
    /// Scratch space for a vector.
    whole: Vec<u32>,
    pub successors: Vec<Successor>,
    /// The cached bytes that were last reported to the store.
    reported: u64,
}

/// A state on its way into the store.
pub struct Reached {
    pub key: u64,
    /// What the step to it cost: 1 when it used up one unit of the bound.
    pub cost: u32,
}

/// Why a state cannot be stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    Full,
    /// Addresses matter, and objects are renamed.
    Exposed,
    /// A bound on switches.
    Cut,
}

impl From<Full> for Refused {
    fn from(_: Full) -> Refused {
        Refused::Full
    }
}

impl From<Exposed> for Refused {
    fn from(_: Exposed) -> Refused {
        Refused::Exposed
    }
}

impl<'a> Worker<'a> {
    pub fn new(
        store: &'a Store,
        machine: &'a Machine,
        analyses: &'a Analyses,
        rules: Rules,
        bounds: SwitchBounds,
        rename: bool,
    ) -> Worker<'a> {
        let Analyses { live, futures, handles } = analyses;
        let options = EncodeOptions {
            rename,
            yielded: bounds.preemptions.is_some(),
            leaks: rules.leaks,
            // A dead register still keeps an object from being lost.
            dead_registers: if rules.leaks { None } else { Some(live) },
        };
        let composer = Composer::new(machine, options, View::new(&store.components));
        let mut space = Space::new(machine, composer, futures.as_ref(), rename);
        // What a process leaves behind at its end matters then.
        space.narrow = (!rules.leaks).then_some(&*live.0);
        space.symmetry = handles.as_ref().filter(|_| rules.symmetry && rename).map(Symmetry::new);
        let rules = Rules { symmetry: space.symmetry.is_some(), ..rules };
        Worker {
            store,
            expander: Expander::new(space, rules),
            bounds,
            base: Folded::default(),
            folded: Folded::default(),
            pair_cache: PairCache::default(),
            whole: Vec::new(),
            successors: Vec::new(),
            reported: 0,
        }
    }

    pub fn limit_memory(&mut self, megabytes: Option<u64>, workers: usize) {
        self.expander.space.limit_bytes(share_of_limit(megabytes, workers));
    }

    /// Reports the bytes that this worker caches to the store.
    pub fn tell_memory(&mut self) {
        self.store.report_cached(self.expander.space.bytes(), &mut self.reported);
    }

    pub fn machine(&self) -> &'a Machine {
        self.expander.space.machine
    }

    /// Stores the first state.
    pub fn begin(&mut self, state: &State) -> Result<Entry, Refused> {
        let mut vector = self.expander.space.vector(state)?;
        // Main has run, if only up to its first visible operation; there was no switch yet.
        let main = state.thread(ThreadIndex::MAIN).number;
        vector.extend([main, 0].iter().take(self.bounds.tail()));
        let key = self.store.tree.fold(&vector, None, &mut self.pair_cache, &mut self.folded)?;
        Ok(self.store.tree.roots.insert(key, NO_PARENT)?)
    }

    /// The vector of the state that was expanded last, without its tail.
    fn opened(&self) -> &[u32] {
        &self.base.vector()[..self.base.vector().len() - self.bounds.tail()]
    }

    /// Rebuilds a stored state and expands it: `self.successors` are then to be stored by [`Worker::reach`].
    pub fn open(&mut self, number: u32, sleep: Sleep, found: &mut Vec<Found>) -> Result<(), Refused> {
        self.expander.sleep = sleep;
        self.store.tree.unfold(number, &mut self.base);
        self.expander.spare.append(&mut self.successors);
        let length = self.base.vector().len() - self.bounds.tail();
        let vector = &self.base.vector()[..length];
        Ok(self.expander.expand(vector, &mut self.successors, found)?)
    }

    /// Expands a stored state on the fast path, and gives the keys of its successors; false if it needs
    /// [`Worker::open`]. Switches must not be bounded.
    pub fn open_plainly(
        &mut self,
        number: u32,
        found: &mut Vec<Found>,
        keys: &mut Vec<u64>,
    ) -> Result<bool, Refused> {
        debug_assert!(!self.bounds.any() && self.expander.is_plain());
        self.store.tree.unfold(number, &mut self.base);
        if !self.expander.expand_plainly(self.base.vector(), found)? {
            return Ok(false);
        }
        if self.expander.space.composer.dictionary.full {
            return Err(Refused::Full);
        }
        let Worker { store, expander, base, pair_cache, whole, .. } = self;
        for step in expander.plain.iter().filter_map(|pending| pending.leads()) {
            keys.push(match step.changes().few() {
                Some(places) => store.tree.key_at::<IN_LINE>(places, base, pair_cache)?,
                None => {
                    whole.clear();
                    whole.extend_from_slice(base.vector());
                    step.apply(whole);
                    store.tree.key(whole, base, pair_cache)?
                }
            });
        }
        Ok(true)
    }

    /// Whether states may be expanded on the fast path.
    pub fn is_plain(&self) -> bool {
        !self.bounds.any() && self.expander.is_plain()
    }

    /// Whether no state with the abstraction of this stored one was explored before.
    pub fn is_new_to(&mut self, matching: &mut Matching, number: u32) -> bool {
        self.store.tree.unfold(number, &mut self.base);
        let vector = self.base.vector();
        let (state, tail) = vector.split_at(vector.len() - self.bounds.tail());
        let machine = self.expander.space.machine;
        matching.is_new(machine, self.expander.space.state(state), tail)
    }

    /// Expands a state that is not taken from the store.
    pub fn expand(
        &mut self,
        vector: &[u32],
        successors: &mut Vec<Successor>,
        found: &mut Vec<Found>,
    ) -> Result<(), Refused> {
        Ok(self.expander.expand(vector, successors, found)?)
    }

    /// Stores a state; true if it is new. Neighbours in the search come one after the other.
    pub fn insert(&mut self, vector: &[u32]) -> Result<bool, Full> {
        let key = self.store.tree.fold(vector, Some(&self.base), &mut self.pair_cache, &mut self.folded)?;
        std::mem::swap(&mut self.base, &mut self.folded);
        Ok(self.store.tree.roots.insert(key, NO_PARENT)?.new)
    }

    /// The state that was expanded last.
    pub fn state(&mut self) -> State {
        let vector = self.opened().to_vec();
        self.expander.space.state(&vector).clone()
    }

    /// Folds a successor of the state that was expanded last, without storing its root. `used`: what is used of the
    /// bound.
    pub fn reach(&mut self, successor: usize, used: u64) -> Result<Reached, Refused> {
        let mut cost = 0;
        if self.bounds.any() {
            cost = self.charge(successor, used)?;
        }
        if self.expander.space.composer.dictionary.full {
            return Err(Refused::Full);
        }
        if self.expander.rules.symmetry {
            let reached = &mut self.successors[successor];
            reached.renaming = self.expander.space.bring_in_order(&mut reached.vector)?;
            if !reached.renaming.is_empty() {
                // The places of the sleeping threads hold other threads now.
                reached.sleep = Sleep::default();
            }
        }
        let reached = &self.successors[successor];
        // An exchange of threads and bounds change more than the step did.
        if let Some(step) = &reached.step
            && let Some(places) = step.changes().few()
            && reached.renaming.is_empty()
            && !self.bounds.any()
        {
            let key = self.store.tree.key_at::<IN_LINE>(places, &self.base, &mut self.pair_cache)?;
            return Ok(Reached { key, cost });
        }
        let vector = &reached.vector;
        let key = self.store.tree.key(vector, &mut self.base, &mut self.pair_cache)?;
        Ok(Reached { key, cost })
    }

    /// Appends the tail of a bounded search; the result is what the step costs.
    fn charge(&mut self, successor: usize, used: u64) -> Result<u32, Refused> {
        let thread = self.successors[successor].moves[0].thread;
        let (cost, switches) = self.cost(thread, used)?;
        let vector = &mut self.successors[successor].vector;
        vector.push(thread);
        vector.extend(switches);
        Ok(cost)
    }

    /// What a step of this thread from the state that was expanded last costs; with both bounds, the switches with it
    /// too.
    fn cost(&mut self, thread: u32, used: u64) -> Result<(u32, Option<u32>), Refused> {
        let tail = &self.base.vector()[self.base.vector().len() - self.bounds.tail()..];
        let (last, switches_before) = (tail[0], tail.get(1).copied());
        let switch = last != thread;
        let preemption = switch && self.bounds.preemptions.is_some() && self.preempts(last);
        let cost = if self.bounds.preemptions.is_some() { preemption } else { switch };
        if self.bounds.limit().is_some_and(|limit| used + cost as u64 > limit) {
            return Err(Refused::Cut);
        }
        let switches = switches_before.map(|before| before + switch as u32);
        if switches.is_some_and(|n| self.bounds.switches.is_some_and(|limit| n as u64 > limit)) {
            return Err(Refused::Cut);
        }
        Ok((cost as u32, switches))
    }

    /// Whether the steps to what was found at the state that was expanded last are within the bounds.
    pub fn is_within_bounds(&mut self, found: &Found, used: u64) -> bool {
        let step = found.moves.first().filter(|_| self.bounds.any());
        step.is_none_or(|step| self.cost(step.thread, used).is_ok())
    }

    /// Whether a switch away from this thread preempts it.
    fn preempts(&mut self, number: u32) -> bool {
        let vector = self.opened().to_vec();
        let space = &mut self.expander.space;
        let threads = space.rest(&vector).threads;
        let Some(index) = (0..threads).find(|i| space.thread(&vector, *i).number == number) else {
            return false;
        };
        !space.thread(&vector, index).yielded && space.readiness(&vector, index) == Readiness::Enabled
    }

    /// The threads that have another number in a successor that was reached.
    pub fn renaming(&self, successor: usize) -> &Renaming {
        &self.successors[successor].renaming
    }

    /// The moves of a successor.
    pub fn moves(&self, successor: usize) -> &[Move] {
        &self.successors[successor].moves
    }
}
