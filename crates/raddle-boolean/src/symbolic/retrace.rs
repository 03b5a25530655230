//! A run to an error, out of bodies.
//!
//! A body is solved for a valuation with the entry and exit values that are required; the edges that it visits are a
//! path. A call on that path was replaced by a summary: what it was entered with and what came of it are known, and
//! the body that the summary is of is solved in the same manner. Bodies are made of summaries of earlier bodies, so
//! this ends.

use super::Simulation;
use super::body::{Body, ExitKind};
use super::edges::{Edge, EdgeId, Origin};
use super::summary::Source;
use crate::answer::Reason;
use raddle_bp::flow::{NodeId, Procedure, ProcedureId};
use raddle_bp::interpreter::{Counterexample, Frame, State, Step, Thread, Violation};
use raddle_solver::{Formula, Graph, Solver, VariableId};
use rustc_hash::FxHashMap;

/// Why there is no run.
pub(crate) enum NoRun {
    /// The way leads through a call of which nothing is known.
    Anything(ProcedureId),
    Because(Reason),
}

impl From<Reason> for NoRun {
    fn from(reason: Reason) -> NoRun {
        NoRun::Because(reason)
    }
}

/// Part of a way.
pub(crate) enum Item {
    Step(Step),
    /// A call, what is chosen in it, and what is known of it.
    Call {
        source: Source,
        callee: ProcedureId,
        choices: Vec<bool>,
        entry: Vec<bool>,
        exit: Vec<bool>,
    },
    /// The end of the run.
    Error {
        procedure: ProcedureId,
        node: NodeId,
        asserts: bool,
    },
}

/// A way through a procedure.
pub(crate) struct Way {
    /// Shared variables and parameters, then the other local variables, at its beginning.
    pub first: Vec<bool>,
    pub items: Vec<Item>,
    /// Which [`Origin::Entry`] it begins at.
    pub begins: usize,
}

/// The values of some formulas, by formula.
pub(crate) struct Valuation(FxHashMap<Formula, bool>);

impl Valuation {
    pub(crate) fn new(
        graph: &Graph,
        formulas: Vec<Formula>,
        variable: impl Fn(VariableId) -> bool,
    ) -> Valuation {
        let values = graph.evaluate(&formulas, variable);
        Valuation(formulas.into_iter().zip(values).collect())
    }

    pub(crate) fn of(&self, formula: Formula) -> bool {
        self.0[&formula]
    }

    pub(crate) fn all(&self, formulas: &[Formula]) -> Vec<bool> {
        formulas.iter().map(|formula| self.of(*formula)).collect()
    }
}

/// A run that is being written down.
pub(crate) struct Run {
    pub initial: Option<State>,
    pub steps: Vec<Step>,
    pub violation: Option<Violation>,
}

impl Run {
    pub(crate) fn new() -> Run {
        Run { initial: None, steps: Vec::new(), violation: None }
    }

    /// Writes down what is no call.
    pub(crate) fn note(&mut self, simulation: &Simulation<'_>, item: Item) -> Result<(), Reason> {
        let limit = simulation.config.counterexample;
        if self.steps.len() > limit {
            return Err(Reason::LongCounterexample(limit));
        }
        match item {
            Item::Step(step) => self.steps.push(step),
            Item::Error { procedure, node, asserts } => {
                let place = simulation.flow.node(procedure, node).place;
                self.violation = Some(match asserts {
                    true => Violation::AssertionFailed { thread: 0, place },
                    false => Violation::LabelReached { thread: 0, place },
                });
            }
            Item::Call { .. } => unreachable!("calls are opened"),
        }
        Ok(())
    }

    /// Writes down that a call is made, with its choices; the way through the callee is next.
    pub(crate) fn enter(&mut self, way: Way, entry: &[bool], mut choices: Vec<bool>) -> Vec<Item> {
        choices.extend(&way.first[entry.len()..]);
        self.steps.push(Step { thread: 0, successor: 0, choices });
        way.items
    }

    pub(crate) fn finish(self) -> Counterexample {
        let initial = self.initial.expect("a run begins somewhere");
        let violation = self.violation.expect("a run to an error ends in one");
        Counterexample { initial, steps: self.steps, violation }
    }
}

/// All formulas of a way's edges that decide where it goes.
pub(crate) fn formulas_of_edges(edges: &[Edge], from: EdgeId) -> Vec<Formula> {
    let (mut formulas, mut stack, mut seen) = (Vec::new(), vec![from], vec![false; edges.len()]);
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut seen[id], true) {
            continue;
        }
        match &edges[id].origin {
            Origin::Entry(_) => formulas.extend(&edges[id].values),
            Origin::Merged(parts) => {
                formulas.extend(parts.iter().map(|(selector, _)| *selector));
                stack.extend(parts.iter().map(|(_, part)| *part));
            }
            Origin::Step { from, choices, .. } => {
                formulas.extend(choices);
                stack.push(*from);
            }
            Origin::Call { from, .. } => stack.push(*from),
        }
    }
    formulas
}

/// The path to an edge under a valuation, without what comes at the edge. `call` receives the applications of
/// summaries.
pub(crate) fn way_to(
    edges: &[Edge],
    mut id: EdgeId,
    valuation: &Valuation,
    call: impl Fn(usize) -> Item,
) -> Way {
    let mut items = Vec::new();
    loop {
        let edge = &edges[id];
        id = match &edge.origin {
            Origin::Entry(begins) => {
                items.reverse();
                return Way { first: valuation.all(&edge.values), items, begins: *begins };
            }
            Origin::Merged(parts) => {
                let taken = parts.iter().find(|(selector, _)| valuation.of(*selector));
                taken.expect("the last selector always holds").1
            }
            Origin::Step { from, successor, choices } => {
                let choices = valuation.all(choices);
                items.push(Item::Step(Step { thread: 0, successor: *successor, choices }));
                *from
            }
            Origin::Call { from, application } => {
                items.push(call(*application));
                *from
            }
        };
    }
}

impl Simulation<'_> {
    /// A run to an error in the body of `main`, which can hand one back.
    pub(crate) fn retrace(&mut self, main: usize) -> Result<Counterexample, NoRun> {
        let mut solvers = FxHashMap::default();
        let way = self.way_through(&mut solvers, main, None)?;
        let mut run = Run::new();
        run.initial = Some(self.initial(&way.first));
        self.write(&mut run, way.items, &mut solvers)?;
        Ok(run.finish())
    }

    pub(crate) fn initial(&self, first: &[bool]) -> State {
        let (globals, locals) = first.split_at(self.flow.globals.len());
        let frame = Frame { procedure: self.flow.main, node: Procedure::ENTRY, locals: locals.to_vec() };
        let threads = vec![Some(Thread { frames: vec![frame] })];
        State { globals: globals.to_vec(), threads, atomic: None }
    }

    /// Writes down the items of a way, with all calls on it opened.
    fn write(
        &mut self,
        run: &mut Run,
        items: Vec<Item>,
        solvers: &mut FxHashMap<usize, Solver>,
    ) -> Result<(), NoRun> {
        let mut waiting = vec![items.into_iter()];
        while let Some(items) = waiting.last_mut() {
            let Some(item) = items.next() else {
                waiting.pop();
                continue;
            };
            match item {
                Item::Call { source: Source::Body(body), choices, entry, exit, .. } => {
                    self.look()?;
                    let way = self.way_through(solvers, body, Some((&entry, &exit)))?;
                    waiting.push(run.enter(way, &entry, choices).into_iter());
                }
                Item::Call { callee, .. } => return Err(NoRun::Anything(callee)),
                Item::Step(_) | Item::Error { .. } => run.note(self, item)?,
            }
        }
        Ok(())
    }

    /// A way through a body with these entry and exit values; without any, a way to an error.
    fn way_through(
        &mut self,
        solvers: &mut FxHashMap<usize, Solver>,
        number: usize,
        wanted: Option<(&[bool], &[bool])>,
    ) -> Result<Way, NoRun> {
        let body = &self.bodies[number];
        let variables = self.entry(body.procedure);
        let mut assumptions: Vec<Formula> = match wanted {
            Some((entry, exit)) => {
                let wanted = variables.iter().zip(entry).chain(body.exit.iter().zip(exit));
                wanted.map(|(formula, value)| formula.negate_if(!value)).collect()
            }
            None => vec![*body.exit.last().expect("whether there was an error")],
        };
        assumptions.push(body.guard);
        self.asked.satisfiable += 1;
        let solver = solvers.entry(number).or_insert_with(|| Solver::new(&self.stop));
        match solver.solve(&self.graph, &assumptions) {
            Ok(true) => {}
            Ok(false) => unreachable!("only what a summary allows is asked for"),
            Err(_) => return Err(self.stopped().into()),
        }
        let mut formulas: Vec<Formula> = variables;
        for taken in &body.exits {
            formulas.push(taken.guard);
            match &taken.kind {
                ExitKind::Return { choices } | ExitKind::AssertionFails { choices } => {
                    formulas.extend(choices)
                }
                ExitKind::Label | ExitKind::Call { .. } => {}
            }
        }
        for application in &body.applications {
            formulas.extend(application.choices.iter().chain(&application.entry).chain(&application.exit));
        }
        // Which exit it is says the valuation: its edges are not known before.
        for edge in &body.edges {
            match &edge.origin {
                Origin::Entry(_) => formulas.extend(&edge.values),
                Origin::Merged(parts) => formulas.extend(parts.iter().map(|(selector, _)| *selector)),
                Origin::Step { choices, .. } => formulas.extend(choices),
                Origin::Call { .. } => {}
            }
        }
        let model = solver.model(&self.graph, &formulas);
        let valuation = Valuation::new(&self.graph, formulas, |variable| model[&variable]);
        Ok(way_out(&self.bodies[number], &valuation))
    }
}

/// The way through a body that a valuation takes.
fn way_out(body: &Body, valuation: &Valuation) -> Way {
    let call = |application: usize| {
        let application = &body.applications[application];
        Item::Call {
            source: application.summary.source,
            callee: application.summary.procedure,
            choices: valuation.all(&application.choices),
            entry: valuation.all(&application.entry),
            exit: valuation.all(&application.exit),
        }
    };
    let exit = body.exits.iter().find(|exit| valuation.of(exit.guard)).expect("some exit is taken");
    let mut way = way_to(&body.edges, exit.from, valuation, call);
    let node = body.edges[exit.from].node;
    let step =
        |choices: &[Formula]| Item::Step(Step { thread: 0, successor: 0, choices: valuation.all(choices) });
    match &exit.kind {
        ExitKind::Return { choices } => way.items.push(step(choices)),
        ExitKind::AssertionFails { choices } => {
            way.items.push(step(choices));
            way.items.push(Item::Error { procedure: body.procedure, node, asserts: true });
        }
        ExitKind::Label => way.items.push(Item::Error { procedure: body.procedure, node, asserts: false }),
        ExitKind::Call { application } => way.items.push(call(*application)),
    }
    way
}
