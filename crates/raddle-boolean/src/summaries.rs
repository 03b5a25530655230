//! Procedure summaries as decision diagrams, for sequential programs with recursion.
//!
//! After Ball and Rajamani, *Bebop* (2000), as in the thesis (Basler 2010, §4.1); the idea is Sharir and Pnueli's
//! (1981). For every place a *path set* (of path edges) is kept: pairs of what a procedure was entered with (shared
//! variables and parameters) and what holds there now. A return turns pairs into *summaries* of the procedure, which
//! its calls then apply instead of running it. The sets only grow and are finite: the least fixpoint is what can be
//! reached with stacks of any height.
//!
//! Every growth is kept with a number that rises (`Rings`). Whatever was derived was derived from smaller numbers, so a
//! counterexample can be followed backwards and the way back ends (`summaries/trace.rs`).
//!
//! Deviations: choices are quantified as soon as a step's relation is built; only assigned variables are
//! renamed; the work list is a plain queue, which keeps counterexamples short (not shortest).
//!
//! It neither misses nor over-reports. Threads are not its subject: a thread start is a skip that is reported as cut.

mod apply;
mod halves;
mod steps;
mod trace;

use crate::answer::{Answer, Cut, Reason, look};
use crate::encoding::{Encoding, Moment};
use raddle_bdd::Bdd;
use raddle_bp::flow::{Flow, NodeId, Operation, Procedure, ProcedureId, Variable};
use raddle_bp::interpreter::ThreadState;
use raddle_trace::Budget;
use std::collections::VecDeque;
use steps::{Effect, Steps};

/// What bounds the search.
#[derive(Clone, Debug)]
pub struct SummariesConfig {
    /// Nodes of decision diagrams, at most.
    pub nodes: usize,
    /// Steps of a counterexample, at most: a summary can represent very long runs.
    pub counterexample: usize,
    /// Whether everything is explored even when an error has been found.
    pub exhaustive: bool,
    /// Whether variables are ordered by their dependencies, and not as declared.
    pub ordered: bool,
}

impl Default for SummariesConfig {
    fn default() -> SummariesConfig {
        SummariesConfig { nodes: 1 << 24, counterexample: 1_000_000, exhaustive: false, ordered: true }
    }
}

/// A set that grew, each growth with the number of the derivation that made it.
pub(crate) struct Rings {
    all: Bdd,
    rings: Vec<(u64, Bdd)>,
}

/// The sets of one place.
struct Place {
    reached: Rings,
    /// What has not been followed yet.
    pending: Bdd,
    queued: bool,
}

/// Everything that can be reached in a program, or could until something stopped the search.
pub struct Summaries<'a> {
    flow: &'a Flow,
    encoding: Encoding,
    steps: Steps,
    /// By procedure and node.
    places: Vec<Vec<Place>>,
    /// By procedure: what it is entered with, over [`Moment::Entry`].
    entries: Vec<Rings>,
    /// By procedure: entry, globals now, and results at [`Moment::Result`].
    summaries: Vec<Rings>,
    /// The calls of each procedure.
    callers: Vec<Vec<(ProcedureId, NodeId)>>,
    queue: VecDeque<(ProcedureId, NodeId)>,
    clock: u64,
    error_label: Option<String>,
    error: Option<Error>,
    refused_start: bool,
}

/// Where an error was first seen, and in which states.
struct Error {
    procedure: ProcedureId,
    node: NodeId,
    states: Bdd,
}

/// Checks a program as one thread.
pub fn check(flow: &Flow, error_label: Option<&str>, config: &SummariesConfig, budget: &Budget) -> Answer {
    let run = || -> Result<Answer, Reason> {
        let mut summaries = Summaries::new(flow, error_label, config, budget)?;
        summaries.explore(config)?;
        summaries.answer(config)
    };
    run().unwrap_or_else(Answer::Unknown)
}

impl<'a> Summaries<'a> {
    pub fn new(
        flow: &'a Flow,
        error_label: Option<&str>,
        config: &SummariesConfig,
        budget: &Budget,
    ) -> Result<Summaries<'a>, Reason> {
        let encoding = Encoding::new(flow, config.nodes, config.ordered, budget)?;
        let steps = Steps::new(flow, &encoding)?;
        let nothing = encoding.diagrams.constant(false);
        let empty = || Rings { all: nothing.clone(), rings: Vec::new() };
        let place = |_: &_| Place { reached: empty(), pending: nothing.clone(), queued: false };
        let places = flow.procedures.iter().map(|p| p.nodes.iter().map(place).collect()).collect();
        let mut callers = vec![Vec::new(); flow.procedures.len()];
        for (id, procedure) in flow.enumerate() {
            for (index, node) in procedure.nodes.iter().enumerate() {
                if let Operation::Call { procedure: callee, .. } = &node.operation {
                    callers[callee.0 as usize].push((id, NodeId(index as u32)));
                }
            }
        }
        Ok(Summaries {
            flow,
            steps,
            places,
            entries: flow.procedures.iter().map(|_| empty()).collect(),
            summaries: flow.procedures.iter().map(|_| empty()).collect(),
            callers,
            queue: VecDeque::new(),
            clock: 0,
            error_label: error_label.map(str::to_owned),
            error: None,
            refused_start: false,
            encoding,
        })
    }

    /// Follows everything that can be reached.
    ///
    /// # Errors
    ///
    /// If the search was stopped; what has been reached by then is not all.
    pub fn explore(&mut self, config: &SummariesConfig) -> Result<(), Reason> {
        let everything = self.encoding.diagrams.constant(true);
        self.enter(self.flow.main, &everything)?;
        while let Some((procedure, node)) = self.queue.pop_front() {
            look(&self.encoding.budget)?;
            if self.error.is_some() && !config.exhaustive {
                return Ok(());
            }
            let nothing = self.encoding.diagrams.constant(false);
            let place = &mut self.places[procedure.0 as usize][node.0 as usize];
            place.queued = false;
            let states = std::mem::replace(&mut place.pending, nothing);
            self.follow(procedure, node, &states)?;
        }
        Ok(())
    }

    /// The answer of a finished exploration.
    pub fn answer(&self, config: &SummariesConfig) -> Result<Answer, Reason> {
        match &self.error {
            Some(error) => Ok(Answer::Violated(Box::new(self.counterexample(error, config.counterexample)?))),
            None if self.refused_start => Ok(Answer::Safe { cut: vec![Cut::Threads] }),
            None => Ok(Answer::Safe { cut: Vec::new() }),
        }
    }

    /// Whether a thread start was reached, which is a skip here.
    pub fn refused_start(&self) -> bool {
        self.refused_start
    }

    /// Whether the state was reached, with any stack below it.
    pub fn reaches(&self, state: &ThreadState) -> bool {
        let place = &self.places[state.procedure.0 as usize][state.node.0 as usize];
        let globals = self.encoding.all_globals().zip(&state.globals);
        let locals = self.encoding.all_locals().zip(&state.locals);
        let values = globals.chain(locals).map(|(variable, value)| (variable, Moment::Now, *value));
        let cube = self.encoding.cube(values).and_then(|cube| cube.and(&place.reached.all));
        !cube.expect("a single state fits").is_false()
    }

    /// How many derivations there were.
    pub fn derivations(&self) -> u64 {
        self.clock
    }

    /// Adds states to a place, to be followed.
    fn reach(&mut self, procedure: ProcedureId, node: NodeId, states: &Bdd) -> Result<(), Reason> {
        let place = &mut self.places[procedure.0 as usize][node.0 as usize];
        let Some(new) = place.reached.add(states, &mut self.clock)? else { return Ok(()) };
        place.pending = place.pending.or(&new)?;
        if !place.queued {
            place.queued = true;
            self.queue.push_back((procedure, node));
        }
        let is_error = self
            .error_label
            .as_ref()
            .is_some_and(|label| self.flow.node(procedure, node).labels.iter().any(|l| l == label));
        if is_error && self.error.is_none() {
            self.error = Some(Error { procedure, node, states: new });
        }
        Ok(())
    }

    /// Enters a procedure with what is given over [`Moment::Entry`].
    fn enter(&mut self, procedure: ProcedureId, entries: &Bdd) -> Result<(), Reason> {
        let Some(new) = self.entries[procedure.0 as usize].add(entries, &mut self.clock)? else {
            return Ok(());
        };
        let parameters = self.flow.procedure(procedure).parameters as u32;
        let mut states = new;
        if !self.remembers_entry(procedure) {
            return self.reach(procedure, Procedure::ENTRY, &states);
        }
        for variable in self.encoding.all_globals().chain((0..parameters).map(Variable::Local)) {
            let now = self.encoding.value(variable, Moment::Now);
            states = states.and(&now.equal(self.encoding.value(variable, Moment::Entry))?)?;
        }
        self.reach(procedure, Procedure::ENTRY, &states)
    }

    /// Whether path sets of the procedure relate what holds now to its entry. The summary of a procedure that is never
    /// called is not needed, and the relation can be much larger than what it relates.
    fn remembers_entry(&self, procedure: ProcedureId) -> bool {
        !self.callers[procedure.0 as usize].is_empty()
    }

    /// Takes the step of a place from states that are new there.
    fn follow(&mut self, procedure: ProcedureId, node: NodeId, states: &Bdd) -> Result<(), Reason> {
        let successors = self.flow.node(procedure, node).next.clone();
        let after = match self.steps.effect(procedure, node) {
            Effect::Nothing => states.clone(),
            Effect::Start => {
                self.refused_start = true;
                states.clone()
            }
            Effect::End => return Ok(()),
            Effect::Guard(condition) => states.and(condition)?,
            Effect::Assert { holds, fails } => {
                let failing = states.and(fails)?;
                let holding = states.and(holds)?;
                if !failing.is_false() && self.error.is_none() {
                    self.error = Some(Error { procedure, node, states: failing });
                }
                holding
            }
            Effect::Assign { relation, targets, renaming } => {
                states.and_exists(relation, targets)?.rename(renaming)?
            }
            Effect::Call(_) => return self.call(procedure, node, states),
            Effect::Return { .. } => return self.give_back(procedure, node, states),
        };
        successors.iter().try_for_each(|successor| self.reach(procedure, *successor, &after))
    }
}

impl Rings {
    /// Adds what is not there yet, and gives it.
    fn add(&mut self, states: &Bdd, clock: &mut u64) -> Result<Option<Bdd>, Reason> {
        let new = states.minus(&self.all)?;
        if new.is_false() {
            return Ok(None);
        }
        self.all = self.all.or(&new)?;
        *clock += 1;
        self.rings.push((*clock, new.clone()));
        Ok(Some(new))
    }
}
