//! Procedure summaries as formulas, for sequential programs with recursion; fixpoints by one alternation of
//! quantifiers.
//!
//! Basler 2010, §4.1 and figure 4.3. As in [`crate::summaries`], only entries that are reached are followed, path
//! edges are extended until nothing new comes, and returns become summaries that calls apply. A set is a formula over
//! choices, which is cheap to step and hard to compare: whether an edge, an entry or a summary is new is a query to a
//! solver (`coverage`), made only where paths could go on for ever: at heads of loops, at entries and at returns.
//!
//! Different from figure 4.3: there, a call to which some summary applies is not kept, and a summary of the same
//! procedure that is found later, by another exit, never reaches it: runs are missed. Here every call is kept, and
//! every summary is applied to every call that it has states in common with; the query with quantifiers is whether the
//! procedure has been entered like that. Paths that wait at one place become one; those that were followed are not
//! merged again (§10.6).
//!
//! It neither misses nor over-reports. Threads are not its subject: a thread start is a skip that is reported as cut.

mod trace;

use crate::answer::{Answer, Cut, Reason};
use crate::symbolic::edges::{Edge, EdgeId, EndKind, Origin};
use crate::symbolic::subsumption::{Collected, States};
use crate::symbolic::summary::{Source, Summary};
use crate::symbolic::{QueryCounts, Simulation, SymbolicConfig};
use raddle_bp::flow::{Flow, NodeId, Operation, ProcedureId};
use raddle_solver::{Formula, Solver, VariableId, project};
use raddle_trace::Budget;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is known of a procedure.
struct Table {
    edges: Vec<Edge>,
    applications: Vec<Application>,
    /// By head of a loop, what has been there.
    visits: FxHashMap<NodeId, Collected>,
    /// What it has been entered with.
    entered: Vec<States>,
    summaries: Vec<Rc<Summary>>,
    /// The calls that enter it.
    calls: Vec<Call>,
    solver: Solver,
}

#[derive(Clone)]
struct Call {
    caller: ProcedureId,
    edge: EdgeId,
    choices: Vec<Formula>,
    /// What is handed over.
    entry: Vec<Formula>,
}

/// A summary in the place of a call.
struct Application {
    summary: Rc<Summary>,
    call: Call,
    exit: Vec<Formula>,
}

/// A return that became a summary.
struct Returned {
    procedure: ProcedureId,
    edge: EdgeId,
    choices: Vec<Formula>,
    guard: Formula,
    exit: Vec<Formula>,
}

/// An error that can be reached.
struct Error {
    procedure: ProcedureId,
    edge: EdgeId,
    guard: Formula,
    choices: Vec<Formula>,
    asserts: bool,
}

struct Search<'a> {
    simulation: Simulation<'a>,
    tables: Vec<Table>,
    /// Calls and returns wait until nothing else does, then procedures in their order, then places.
    waiting: BTreeMap<(bool, u32, u32, NodeId), Vec<EdgeId>>,
    /// The call that entered, by the number in [`Origin::Entry`]; none for `main` at the start.
    enterings: Vec<Option<Call>>,
    /// By the number in [`Source::Other`].
    returned: Vec<Returned>,
    refused_start: bool,
}

/// Checks a program as one thread.
pub fn check(flow: &Flow, error_label: Option<&str>, config: &SymbolicConfig, budget: &Budget) -> Answer {
    check_counting(flow, error_label, config, budget).0
}

/// The same, and the number of queries to the solvers.
pub fn check_counting(
    flow: &Flow,
    error_label: Option<&str>,
    config: &SymbolicConfig,
    budget: &Budget,
) -> (Answer, QueryCounts) {
    let simulation = Simulation::new(flow, error_label, config, budget);
    let table = |_: &_| Table {
        edges: Vec::new(),
        applications: Vec::new(),
        visits: FxHashMap::default(),
        entered: Vec::new(),
        summaries: Vec::new(),
        calls: Vec::new(),
        solver: Solver::new(&simulation.stop),
    };
    let tables = flow.procedures.iter().map(table).collect();
    let mut search = Search {
        simulation,
        tables,
        waiting: BTreeMap::new(),
        enterings: Vec::new(),
        returned: Vec::new(),
        refused_start: false,
    };
    let answer = search.decide().unwrap_or_else(Answer::Unknown);
    (answer, search.simulation.asked)
}

impl Search<'_> {
    fn decide(&mut self) -> Result<Answer, Reason> {
        let main = self.simulation.flow.main;
        let entry = self.simulation.entry(main);
        self.tables[main.0 as usize].entered.push((Formula::TRUE, entry));
        self.enterings.push(None);
        let first = self.simulation.entry_edge(main, Formula::TRUE, 0);
        self.wait(main, first);
        while let Some(((_, procedure, _, node), parts)) = self.waiting.pop_first() {
            self.simulation.look()?;
            let procedure = ProcedureId(procedure);
            let table = &mut self.tables[procedure.0 as usize];
            let edge = match parts.as_slice() {
                [only] => *only,
                _ => {
                    let merged = self.simulation.merge(&table.edges, &parts, false);
                    table.edges.push(merged);
                    table.edges.len() - 1
                }
            };
            if self.simulation.order(procedure).head[node.0 as usize] && !self.is_new(procedure, edge)? {
                continue;
            }
            if let Some(error) = self.follow(procedure, edge)? {
                return Ok(Answer::Violated(Box::new(self.counterexample(&error)?)));
            }
        }
        Ok(Answer::Safe { cut: if self.refused_start { vec![Cut::Threads] } else { Vec::new() } })
    }

    fn wait(&mut self, procedure: ProcedureId, edge: Edge) {
        if edge.guard == Formula::FALSE {
            return;
        }
        let node = edge.node;
        let rank = self.simulation.order(procedure).rank[node.0 as usize];
        let operation = &self.simulation.flow.node(procedure, node).operation;
        let late = matches!(operation, Operation::Call { .. } | Operation::Return(_));
        let edges = &mut self.tables[procedure.0 as usize].edges;
        edges.push(edge);
        self.waiting.entry((late, procedure.0, rank, node)).or_default().push(edges.len() - 1);
    }

    fn can_hold(&mut self, procedure: ProcedureId, formula: Formula) -> Result<bool, Reason> {
        if let Some(value) = formula.as_constant() {
            return Ok(value);
        }
        self.simulation.asked.satisfiable += 1;
        let solver = &mut self.tables[procedure.0 as usize].solver;
        let answer = solver.solve(&self.simulation.graph, &[formula]);
        self.simulation.answered(answer)
    }

    /// Whether an edge at the head of a loop brings anything that has not been there; it is there from now on.
    fn is_new(&mut self, procedure: ProcedureId, edge: EdgeId) -> Result<bool, Reason> {
        let table = &mut self.tables[procedure.0 as usize];
        let edge = &table.edges[edge];
        let states = (edge.guard, self.simulation.live(procedure, edge.node, &edge.values));
        let related = self.simulation.related(procedure);
        let visits = table.visits.entry(edge.node).or_default();
        let others = self.simulation.collected(visits, states.1.len());
        if self.simulation.is_covered(&related, &states, &others)? {
            return Ok(false);
        }
        self.simulation.collect(&related, states, visits)?;
        Ok(true)
    }

    /// Takes the step of an edge. Gives the error that it can meet.
    fn follow(&mut self, procedure: ProcedureId, id: EdgeId) -> Result<Option<Error>, Reason> {
        let edge = self.tables[procedure.0 as usize].edges[id].clone();
        let flow = self.simulation.flow;
        let node = flow.node(procedure, edge.node);
        if !self.simulation.is_error_label(procedure, edge.node) {
            match &node.operation {
                Operation::Call { .. } => return self.call(procedure, id, &edge).map(|()| None),
                Operation::StartThread(_) => {
                    self.refused_start = self.refused_start || self.can_hold(procedure, edge.guard)?;
                }
                _ => {}
            }
        }
        let stepped = self.simulation.step(procedure, id, &edge);
        if let Some(end) = stepped.end {
            let asserts = match end.kind {
                EndKind::Return(results) => {
                    let mut exit = edge.values[..flow.globals.len()].to_vec();
                    exit.extend(results);
                    exit.push(Formula::FALSE);
                    let (guard, choices) = (end.guard, end.choices);
                    self.give_back(Returned { procedure, edge: id, choices, guard, exit })?;
                    return Ok(None);
                }
                EndKind::AssertionFails => true,
                EndKind::Label => false,
            };
            if self.can_hold(procedure, end.guard)? {
                let (guard, choices) = (end.guard, end.choices);
                return Ok(Some(Error { procedure, edge: id, guard, choices, asserts }));
            }
        }
        stepped.next.into_iter().for_each(|edge| self.wait(procedure, edge));
        Ok(None)
    }

    /// A call: the callee is entered, unless it has been like that, and what is known of it is applied.
    fn call(&mut self, caller: ProcedureId, id: EdgeId, edge: &Edge) -> Result<(), Reason> {
        if !self.can_hold(caller, edge.guard)? {
            return Ok(());
        }
        let operation = &self.simulation.flow.node(caller, edge.node).operation;
        let Operation::Call { procedure: callee, .. } = operation else { unreachable!("a call") };
        let choices = self.simulation.choices(caller, edge.node);
        let entry = self.simulation.handed_over(operation, &edge.values, &choices);
        let call = Call { caller, edge: id, choices, entry };
        let states = (edge.guard, call.entry.clone());
        let entered = &self.tables[callee.0 as usize].entered;
        if !self.simulation.is_covered(&[], &states, entered)? {
            self.enter(*callee, &call, edge.guard)?;
        }
        for summary in self.tables[callee.0 as usize].summaries.clone() {
            self.apply(&call, &summary)?;
        }
        self.tables[callee.0 as usize].calls.push(call);
        Ok(())
    }

    /// Enters a procedure as a call does.
    fn enter(&mut self, callee: ProcedureId, call: &Call, guard: Formula) -> Result<(), Reason> {
        let simulation = &mut self.simulation;
        // The callee may be the caller, whose entry variables are others than those that are entered with.
        let mut roots = call.entry.clone();
        roots.push(guard);
        let mut renamed: FxHashMap<VariableId, Formula> = FxHashMap::default();
        let mut hidden = Vec::new();
        for variable in simulation.graph.support(roots.iter().copied()) {
            let new = simulation.graph.variable();
            hidden.push(new);
            renamed.insert(variable, simulation.graph.value(new));
        }
        let mut images = simulation.graph.substitute(&roots, &renamed);
        let guard = images.pop().expect("the guard");
        let entry = simulation.entry(callee);
        let same = simulation.graph.all_equal(entry.iter().copied().zip(images));
        let relation = simulation.graph.and(guard, same);
        let instances = simulation.config.instances;
        let projected = project(&mut simulation.graph, relation, &hidden, instances, &simulation.stop);
        let guard = match simulation.answered(projected)? {
            Some(guard) if simulation.graph.size([guard]) <= simulation.graph.size([relation]).max(400) => {
                guard
            }
            _ => relation,
        };
        let first = simulation.entry_edge(callee, guard, self.enterings.len());
        self.tables[callee.0 as usize].entered.push((guard, entry));
        self.enterings.push(Some(call.clone()));
        self.wait(callee, first);
        Ok(())
    }

    /// A return: if it is a new summary, every call so far gets it.
    fn give_back(&mut self, returned: Returned) -> Result<(), Reason> {
        let procedure = returned.procedure;
        let related = self.simulation.related(procedure);
        if !self.simulation.is_called(procedure) {
            return Ok(());
        }
        let states = (returned.guard, returned.exit.clone());
        let known: Vec<States> = self.tables[procedure.0 as usize]
            .summaries
            .iter()
            .map(|summary| (summary.guard, summary.exit.clone()))
            .collect();
        if self.simulation.is_covered(&related, &states, &known)? {
            return Ok(());
        }
        let source = Source::Other(self.returned.len());
        let summary = self.simulation.summary(procedure, returned.guard, returned.exit.clone(), source);
        let summary = Rc::new(self.simulation.without_hidden(summary)?);
        self.returned.push(returned);
        self.tables[procedure.0 as usize].summaries.push(summary.clone());
        for call in self.tables[procedure.0 as usize].calls.clone() {
            self.apply(&call, &summary)?;
        }
        Ok(())
    }

    /// A summary in the place of a call, if they have anything in common.
    fn apply(&mut self, call: &Call, summary: &Rc<Summary>) -> Result<(), Reason> {
        let edge = self.tables[call.caller.0 as usize].edges[call.edge].clone();
        let (comes_back, exit) = self.simulation.apply(summary, &call.entry);
        let guard = self.simulation.graph.and(edge.guard, comes_back);
        if !self.can_hold(call.caller, guard)? {
            return Ok(());
        }
        let node = self.simulation.flow.node(call.caller, edge.node);
        let values = self.simulation.taken_back(&node.operation, &edge.values, &exit);
        let applications = &mut self.tables[call.caller.0 as usize].applications;
        let application = applications.len();
        applications.push(Application { summary: summary.clone(), call: call.clone(), exit });
        let origin = Origin::Call { from: call.edge, application };
        self.wait(call.caller, Edge { node: node.next[0], guard, values, origin });
        Ok(())
    }
}
