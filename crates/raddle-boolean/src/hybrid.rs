//! Programs with a bounded number of threads: every interleaving, program counters explicit, data in decision
//! diagrams.
//!
//! The thesis' hybrid states (Basler 2010, §10.2 and §10.3.2) without any reduction: a *location* says where each
//! thread is and which one is inside an atomic section; the data of all states at a location are one set. The search
//! goes level by level, so a counterexample has as few steps as there can be. What a step relates is built once for
//! each thread and place, see `hybrid/effects.rs`.
//!
//! Two things can be switched on. With *counted* places, threads that change places make no other location: they are
//! kept in an order (see `hybrid/location.rs`), which is counter abstraction of places with symbolic data; what the
//! thesis' symbolic counters would split (its splice states) stays in one decision diagram. And partial order
//! reductions leave out steps, see `hybrid/reduce.rs`; what is reached is then less than all, and a counterexample
//! need not be a shortest one.
//!
//! It neither misses nor over-reports within its bounds: a thread start that is refused because there are as many
//! threads as there may be, and a call that would make a stack too high, are reported as cut. Calls are not inlined
//! but stacked, see `control.rs`. Local variables are distinguished only where they are live (read later), see
//! [`crate::liveness`].

mod effects;
mod location;
mod reduce;
mod trace;

use crate::answer::{Answer, Cut, Reason, look};
use crate::control::{Controls, stack_bound};
use crate::footprints::Footprints;
use crate::liveness::Liveness;
use crate::partial_order::PartialOrder;
use effects::{Change, Effects};
use location::{Location, Spot};
use raddle_bdd::Bdd;
use raddle_bp::flow::Flow;
use raddle_bp::interpreter::ThreadState;
use raddle_trace::Budget;
use reduce::Reductions;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many threads there are, and what bounds the search.
#[derive(Clone, Debug)]
pub struct HybridConfig {
    pub initial_threads: usize,
    pub max_threads: usize,
    /// How many procedures may be active on one stack of a recursive program.
    pub max_stack: usize,
    /// Whether local variables are distinguished only where they are live.
    pub forget_dead: bool,
    /// Nodes of decision diagrams, at most.
    pub nodes: usize,
    /// Nodes of the sets of states that steps are taken from, at most, all together: a measure of time that is the same
    /// everywhere. Each set counts a little more than its nodes.
    pub work: usize,
    /// Whether everything is explored even when an error has been found.
    pub exhaustive: bool,
    /// Whether variables are ordered by their dependencies, and not as declared.
    pub ordered: bool,
    /// Whether threads that change places make no difference, as far as places go.
    pub counted: bool,
    pub partial_order: PartialOrder,
}

impl Default for HybridConfig {
    fn default() -> HybridConfig {
        HybridConfig {
            initial_threads: 1,
            max_threads: 2,
            max_stack: 8,
            forget_dead: true,
            nodes: 1 << 24,
            work: usize::MAX,
            exhaustive: false,
            ordered: true,
            counted: false,
            partial_order: PartialOrder::NONE,
        }
    }
}

/// What is known of a location.
struct Known {
    location: Location,
    /// What was new at each level.
    rings: Vec<(usize, Bdd)>,
    all: Bdd,
    edges: FxHashSet<Edge>,
}

/// How a location is reached from another one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Edge {
    from: usize,
    /// A thread and which of its successors; none if threads were frozen without a step.
    step: Option<(usize, usize)>,
    /// For each thread, its number before threads were put in order; empty if they were not.
    order: Vec<usize>,
}

/// Everything that was reached.
pub struct Hybrid<'a> {
    flow: &'a Flow,
    config: HybridConfig,
    controls: Controls<'a>,
    effects: Effects,
    reductions: Reductions,
    known: Vec<Known>,
    numbers: FxHashMap<Location, usize>,
    error_label: Option<String>,
    error: Option<Error>,
    refused_start: bool,
    stack_full: bool,
    /// Of [`HybridConfig::work`].
    worked: usize,
}

/// What a step from a set of states costs beside its nodes.
const STEP: usize = 16;

/// The first error.
struct Error {
    location: usize,
    level: usize,
    states: Bdd,
    thread: usize,
    /// The assertion of the thread fails; otherwise the thread is at the error label.
    assertion: bool,
}

/// Checks a program with threads.
pub fn check(flow: &Flow, error_label: Option<&str>, config: &HybridConfig, budget: &Budget) -> Answer {
    let run = || -> Result<Answer, Reason> {
        let mut hybrid = Hybrid::new(flow, error_label, config, budget)?;
        hybrid.explore()?;
        hybrid.answer()
    };
    run().unwrap_or_else(Answer::Unknown)
}

impl<'a> Hybrid<'a> {
    pub fn new(
        flow: &'a Flow,
        error_label: Option<&str>,
        config: &HybridConfig,
        budget: &Budget,
    ) -> Result<Hybrid<'a>, Reason> {
        if config.initial_threads == 0 || config.initial_threads > config.max_threads {
            return Err(Reason::Unsupported(
                "there is at least one initial thread, and no more than there may be",
            ));
        }
        let max_stack = stack_bound(flow, config.max_stack);
        let liveness = if config.forget_dead { Liveness::new(flow) } else { Liveness::unknown(flow) };
        Ok(Hybrid {
            flow,
            config: config.clone(),
            controls: Controls::new(flow, max_stack, liveness),
            effects: Effects::new(flow, config.max_threads, max_stack, config.nodes, config.ordered, budget)?,
            reductions: Reductions::new(
                config.partial_order,
                Footprints::new(flow, error_label, config.initial_threads, config.max_threads),
            ),
            known: Vec::new(),
            numbers: FxHashMap::default(),
            error_label: error_label.map(str::to_owned),
            error: None,
            refused_start: false,
            stack_full: false,
            worked: 0,
        })
    }

    /// Follows everything that can be reached.
    ///
    /// # Errors
    ///
    /// If the search was stopped; what has been reached by then is not all.
    pub fn explore(&mut self) -> Result<(), Reason> {
        let start = self.controls.start(self.flow.main);
        let threads = vec![Some(Spot::At(start)); self.config.initial_threads];
        let location = Location { threads, atomic: None, alone: None };
        let mut next = Frontier::default();
        let everything = self.effects.diagrams.constant(true);
        self.reach(location, &everything, 0, None, &mut next)?;
        let mut level = 0;
        while !next.order.is_empty() && (self.error.is_none() || self.config.exhaustive) {
            let mut current = std::mem::take(&mut next);
            for number in current.order {
                let states = current.states.remove(&number).expect("queued with its states");
                self.follow(number, &states, level, &mut next)?;
            }
            level += 1;
        }
        Ok(())
    }

    /// The answer of a finished exploration.
    pub fn answer(&self) -> Result<Answer, Reason> {
        if let Some(error) = &self.error {
            return Ok(Answer::Violated(Box::new(self.counterexample(error)?)));
        }
        let mut cut = Vec::new();
        if self.refused_start {
            cut.push(Cut::Threads);
        }
        // Recursion together with threads is never a proof, even where no stack was full.
        if self.stack_full || self.flow.is_recursive() {
            cut.push(Cut::Stack);
        }
        Ok(Answer::Safe { cut })
    }

    /// How many states were reached. With counted places, those that differ only by where threads are are counted once.
    pub fn states(&self) -> f64 {
        let live = |known: &Known| self.effects.live(&self.controls, &known.location);
        self.known.iter().map(|known| known.all.share() * 2f64.powi(live(known).len() as i32)).sum()
    }

    pub fn locations(&self) -> usize {
        self.known.len()
    }

    pub fn refused_start(&self) -> bool {
        self.refused_start
    }

    pub fn stack_full(&self) -> bool {
        self.stack_full
    }

    /// Whether some thread was in the state, in some state of the program.
    pub fn reaches(&self, state: &ThreadState) -> bool {
        self.known.iter().any(|known| {
            known.location.active().any(|(thread, control)| {
                let stack = self.controls.get(control);
                if stack.top() != (state.procedure, state.node) {
                    return false;
                }
                let globals = (0..).zip(&state.globals);
                let globals = globals.map(|(index, value)| (self.effects.global(index), *value));
                let locals = (stack.base..).zip(&state.locals);
                let locals = locals.map(|(slot, value)| (self.effects.slot(thread, slot), *value));
                let cube = self.effects.diagrams.cube(globals.chain(locals));
                let met = cube.and_then(|cube| cube.and(&known.all));
                !met.expect("a single state fits").is_false()
            })
        })
    }

    /// Adds states to a location, to be followed at that level. `from`: another one, and the thread and successor of
    /// the step.
    fn reach(
        &mut self,
        location: Location,
        states: &Bdd,
        level: usize,
        from: Option<(usize, Option<(usize, usize)>)>,
        next: &mut Frontier,
    ) -> Result<(), Reason> {
        if states.is_false() {
            return Ok(());
        }
        let (location, order) = if self.config.counted { location.sorted() } else { (location, Vec::new()) };
        let states = &self.effects.sort(&self.controls, &location, &order, states)?;
        let number = match self.numbers.get(&location) {
            Some(number) => *number,
            None => {
                let number = self.known.len();
                self.numbers.insert(location.clone(), number);
                let all = self.effects.diagrams.constant(false);
                self.known.push(Known { location, rings: Vec::new(), all, edges: FxHashSet::default() });
                number
            }
        };
        let known = &mut self.known[number];
        known.edges.extend(from.map(|(from, step)| Edge { from, step, order }));
        let new = states.minus(&known.all)?;
        if new.is_false() {
            return Ok(());
        }
        known.all = known.all.or(&new)?;
        match known.rings.last_mut() {
            Some((last, ring)) if *last == level => *ring = ring.or(&new)?,
            _ => known.rings.push((level, new.clone())),
        }
        if self.error.is_none()
            && let Some(thread) = self.at_error_label(number)
        {
            self.error =
                Some(Error { location: number, level, states: new.clone(), thread, assertion: false });
        }
        next.add(number, new)
    }

    fn at_error_label(&self, number: usize) -> Option<usize> {
        let label = self.error_label.as_ref()?;
        let mut active = self.known[number].location.active();
        let at = active.find(|(_, control)| self.controls.node(*control).labels.iter().any(|l| l == label));
        at.map(|(thread, _)| thread)
    }

    /// Takes steps from states that are new at a location: all, or those that the reductions leave.
    fn follow(
        &mut self,
        number: usize,
        states: &Bdd,
        level: usize,
        next: &mut Frontier,
    ) -> Result<(), Reason> {
        let location = self.known[number].location.clone();
        if let Some((thread, region)) = location.alone {
            return self.advance(number, thread, Some(region), states, level, next);
        }
        if let Some(thread) = location.atomic {
            return self.advance(number, thread, None, states, level, next);
        }
        let order = self.reductions.order;
        if order.persistent
            && let Some(classes) = self.reductions.classes(&self.controls, &location)
        {
            for class in classes {
                let mut apart = location.clone();
                let frozen = || location.active().map(|(thread, _)| thread).filter(|n| !class.contains(n));
                frozen().for_each(|thread| apart.threads[thread] = Some(Spot::Frozen));
                let forgotten = self.effects.forget(&self.controls, &location, frozen(), states)?;
                self.reach(apart, &forgotten, level + 1, Some((number, None)), next)?;
            }
            return Ok(());
        }
        let mut left = states.clone();
        if order.ample {
            for (thread, control) in location.active() {
                if !self.reductions.is_ample(&mut self.controls, &location, thread) {
                    continue;
                }
                let able = left.and(&self.effects.can_move(&self.controls, thread, control)?)?;
                if !able.is_false() {
                    self.advance(number, thread, None, &able, level, next)?;
                    left = left.minus(&able)?;
                }
                if left.is_false() {
                    return Ok(());
                }
            }
        }
        let regions = order.cartesian.then(|| self.reductions.regions(&mut self.controls, &location));
        for (thread, _) in location.active() {
            let region = regions.as_ref().and_then(|regions| regions[thread]);
            self.advance(number, thread, region, &left, level, next)?;
        }
        Ok(())
    }

    /// Takes all steps of one thread. With a region, the thread goes on alone if it was in it.
    fn advance(
        &mut self,
        number: usize,
        thread: usize,
        region: Option<u32>,
        states: &Bdd,
        level: usize,
        next: &mut Frontier,
    ) -> Result<(), Reason> {
        let location = self.known[number].location.clone();
        let control = location.control(thread).expect("an active thread");
        let alone = region.filter(|region| self.reductions.in_region(*region, control));
        let failing = match self.effects.assertion(&self.controls, thread, control)? {
            Some(fails) => states.and(&fails)?,
            None => self.effects.diagrams.constant(false),
        };
        if self.error.is_none() && !failing.is_false() {
            self.error = Some(Error { location: number, level, states: failing, thread, assertion: true });
        }
        let successors = self.controls.node(control).next.len().max(1);
        if self.config.work < usize::MAX {
            self.worked += successors * (states.size() + STEP);
            if self.worked > self.config.work {
                return Err(Reason::TooMuchWork(self.config.work));
            }
        }
        for successor in 0..successors {
            look(&self.effects.budget)?;
            match effects::target(&mut self.controls, &location, thread, successor, self.config.max_threads) {
                Change::StackFull => self.stack_full = true,
                Change::Moved { location: mut after, refused, started } => {
                    after.alone = alone.map(|region| (thread, region));
                    self.refused_start |= refused;
                    let step = effects::step(&location, &after, thread, started);
                    let image = self.effects.image(&self.controls, step, states)?;
                    let from = Some((number, Some((thread, successor))));
                    self.reach(after, &image, level + 1, from, next)?;
                }
            }
        }
        Ok(())
    }
}

/// What is to be followed at the next level.
#[derive(Default)]
struct Frontier {
    order: Vec<usize>,
    states: FxHashMap<usize, Bdd>,
}

impl Frontier {
    fn add(&mut self, number: usize, states: Bdd) -> Result<(), Reason> {
        match self.states.get_mut(&number) {
            Some(known) => *known = known.or(&states)?,
            None => {
                self.order.push(number);
                self.states.insert(number, states);
            }
        }
        Ok(())
    }
}
