//! Symbolic simulation: what a procedure does, as formulas over choices.
//!
//! After Basler 2010, §3.2 and §4.2: a set of states at a place is a *guard* and one formula a variable, over
//! variables that represent everything that is chosen. Several engines are built of it: [`crate::sat_summaries`], and
//! by way of whole procedures ([`body`]) [`crate::universal`], [`crate::structural`] and [`crate::nesting`].
//!
//! A procedure is always entered with its *entry variables*, one for each shared variable and parameter. What it hands
//! back are its *exit values*: shared variables, results, and one more that says whether it ended in an error. A
//! procedure that meets an error hands that back at once, with everything else as it was, and so do all its callers:
//! whether there is an error is then a question about the summary of `main`.

pub(crate) mod body;
pub(crate) mod edges;
pub(crate) mod error_query;
pub(crate) mod order;
pub(crate) mod retrace;
pub(crate) mod shared_liveness;
pub(crate) mod subsumption;
pub(crate) mod summary;

use crate::answer::{Reason, look};
use crate::liveness::Liveness;
use body::Body;
use order::Order;
use raddle_bp::flow::{self, Flow, NodeId, ProcedureId, Variable};
use raddle_solver::{Formula, Graph, Stop, Stopped, VariableId};
use raddle_trace::{Budget, StopReason};
use rustc_hash::FxHashMap;
use shared_liveness::SharedLiveness;

/// What bounds an engine that is built on satisfiability.
#[derive(Clone, Debug)]
pub struct SymbolicConfig {
    /// Gates of formulas, at most.
    pub gates: usize,
    /// Steps of a counterexample, at most: a summary can represent very long runs.
    pub counterexample: usize,
    /// Instances by which a summary may be written without hidden variables; 0 leaves all of them in.
    pub instances: usize,
    /// Whether a loop may also end when what it reaches has been reached on other ways. Without, it goes on as long as
    /// there are ways that visit no state twice, which can be exponentially longer.
    pub coverage: bool,
    /// Whether local variables are distinguished only where they are live.
    pub liveness: bool,
    /// Whether shared variables are distinguished only where they are live, in any procedure.
    pub shared_liveness: bool,
    /// Whether answers about coverage are cached by their formulas.
    pub cache: bool,
}

impl Default for SymbolicConfig {
    fn default() -> SymbolicConfig {
        SymbolicConfig {
            gates: 1 << 23,
            counterexample: 1_000_000,
            instances: 8,
            coverage: true,
            liveness: true,
            shared_liveness: true,
            cache: true,
        }
    }
}

/// How many queries there were.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct QueryCounts {
    /// Plain questions of satisfiability.
    pub satisfiable: u64,
    /// Questions with one alternation of quantifiers.
    pub alternations: u64,
    /// Such queries whose answer was in the cache.
    pub remembered: u64,
}

/// A program with all formulas about it.
pub(crate) struct Simulation<'a> {
    pub flow: &'a Flow,
    pub graph: Graph,
    pub stop: Stop,
    pub config: SymbolicConfig,
    pub asked: QueryCounts,
    /// By procedure: its entry variables.
    pub entries: Vec<Vec<VariableId>>,
    /// By procedure: the variables of its exit values, for summaries that are relations.
    exits: Vec<Vec<VariableId>>,
    /// Variables for the values of states that were collected.
    values: Vec<VariableId>,
    /// By procedure: whether it is called.
    called: Vec<bool>,
    orders: Vec<Order>,
    liveness: Liveness,
    /// None: every shared variable is distinguished everywhere.
    shared_liveness: Option<SharedLiveness>,
    bodies: Vec<Body>,
    remembered: FxHashMap<Vec<Formula>, bool>,
    error_label: Option<String>,
    budget: Budget,
}

impl<'a> Simulation<'a> {
    pub(crate) fn new(
        flow: &'a Flow,
        error_label: Option<&str>,
        config: &SymbolicConfig,
        budget: &Budget,
    ) -> Simulation<'a> {
        let mut graph = Graph::new();
        let (mut entries, mut exits) = (Vec::new(), Vec::new());
        for procedure in &flow.procedures {
            // A shared variable before and after side by side: summaries that are written anew are smaller like that.
            let both = flow.globals.iter().map(|_| (graph.variable(), graph.variable()));
            let (mut entry, mut exit): (Vec<VariableId>, Vec<VariableId>) = both.unzip();
            entry.extend((0..procedure.parameters).map(|_| graph.variable()));
            exit.extend((0..=procedure.results).map(|_| graph.variable()));
            entries.push(entry);
            exits.push(exit);
        }
        let watched = budget.clone();
        Simulation {
            flow,
            graph,
            stop: Stop::when(move || watched.stop_reason().is_some()),
            config: config.clone(),
            asked: QueryCounts::default(),
            entries,
            exits,
            values: Vec::new(),
            called: order::called(flow),
            orders: flow.procedures.iter().map(Order::of_procedure).collect(),
            liveness: if config.liveness { Liveness::new(flow) } else { Liveness::unknown(flow) },
            shared_liveness: config.shared_liveness.then(|| SharedLiveness::new(flow)),
            bodies: Vec::new(),
            remembered: FxHashMap::default(),
            error_label: error_label.map(str::to_owned),
            budget: budget.clone(),
        }
    }

    pub(crate) fn body(&self, number: usize) -> &Body {
        &self.bodies[number]
    }

    pub(crate) fn is_called(&self, procedure: ProcedureId) -> bool {
        self.called[procedure.0 as usize]
    }

    pub(crate) fn order(&self, procedure: ProcedureId) -> &Order {
        &self.orders[procedure.0 as usize]
    }

    pub(crate) fn entry(&self, procedure: ProcedureId) -> Vec<Formula> {
        self.entries[procedure.0 as usize].iter().map(|variable| self.graph.value(*variable)).collect()
    }

    pub(crate) fn is_error_label(&self, procedure: ProcedureId, node: NodeId) -> bool {
        let labels = &self.flow.node(procedure, node).labels;
        self.error_label.as_ref().is_some_and(|label| labels.contains(label))
    }

    /// Where the value of a variable is among those of a state.
    pub(crate) fn slot(&self, variable: Variable) -> usize {
        match variable {
            Variable::Global(index) => index as usize,
            Variable::Local(index) => self.flow.globals.len() + index as usize,
        }
    }

    /// Those of a state's values that are read later.
    pub(crate) fn live(&self, procedure: ProcedureId, node: NodeId, values: &[Formula]) -> Vec<Formula> {
        let (globals, locals) = values.split_at(self.flow.globals.len());
        let live = self.liveness.before(procedure, node);
        let locals = locals.iter().zip(live).filter(|(_, live)| **live).map(|(value, _)| *value);
        let is_live = |index: usize| match &self.shared_liveness {
            Some(liveness) => liveness.before(procedure, node)[index],
            None => true,
        };
        let globals =
            globals.iter().enumerate().filter(|(index, _)| is_live(*index)).map(|(_, value)| *value);
        globals.chain(locals).collect()
    }

    /// The error of a question that was stopped.
    pub(crate) fn stopped(&self) -> Reason {
        Reason::Stopped(self.budget.stop_reason().unwrap_or(StopReason::Cancelled))
    }

    /// Fails where it is time to stop, or there are too many gates.
    pub(crate) fn look(&self) -> Result<(), Reason> {
        if self.graph.len() > self.config.gates {
            return Err(Reason::FormulasTooLarge(self.config.gates));
        }
        look(&self.budget)
    }

    pub(crate) fn answered<T>(&self, result: Result<T, Stopped>) -> Result<T, Reason> {
        result.map_err(|Stopped| self.stopped())
    }

    /// An expression of the program. `now` are the values of the state, `next` those after the step.
    pub(crate) fn formula(
        &mut self,
        formula: &flow::Formula,
        now: &[Formula],
        next: &[Formula],
        choices: &[Formula],
    ) -> Formula {
        use flow::Formula as Source;
        let mut read = |part: &Source| self.formula(part, now, next, choices);
        match formula {
            Source::Constant(value) => Formula::constant(*value),
            Source::Now(variable) => now[self.slot(*variable)],
            Source::Next(variable) => next[self.slot(*variable)],
            Source::Choice(number) => choices[*number as usize],
            Source::Not(a) => !read(a),
            Source::And(a, b) => {
                let (a, b) = (read(a), read(b));
                self.graph.and(a, b)
            }
            Source::Or(a, b) => {
                let (a, b) = (read(a), read(b));
                self.graph.or(a, b)
            }
            Source::Equal(a, b) => {
                let (a, b) = (read(a), read(b));
                self.graph.equal(a, b)
            }
            Source::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                let (condition, then, otherwise) = (read(condition), read(then), read(otherwise));
                self.graph.if_then_else(condition, then, otherwise)
            }
        }
    }
}
