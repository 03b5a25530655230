//! A whole procedure as one formula: every way through it, from any entry.
//!
//! Basler 2010, §4.2.2 and figure 4.4: places are followed in an order in which ways meet, and calls apply the
//! summaries that are given. All that is chosen on a way is a variable, so that a valuation determines *the* way that
//! it takes, and the guard of an edge says whether that way visits it.
//!
//! At the head of a loop, a path that has been there in the same state is cut: going there again achieves nothing that
//! could not be done at once. When no path is left, the loop is unrolled to its recurrence diameter. That can be
//! exponentially more than needed, and hard to find out; so from time to time, and where it is hard, the query is
//! whether the states of this visit are those of earlier ones (`coverage`). Either way, what is cut was followed from
//! an earlier visit, so nothing is lost.

use super::Simulation;
use super::edges::{Edge, EdgeId, EndKind, Origin};
use super::subsumption::{Collected, States};
use super::summary::{Source, Summary};
use crate::answer::Reason;
use raddle_bp::flow::{NodeId, Operation, ProcedureId};
use raddle_solver::{Formula, Solver, Stopped};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Finding out that there is no way without a state twice is a search for more pigeons than holes.
const CONFLICTS: i32 = 500;

/// A procedure that was unrolled.
pub(crate) struct Body {
    pub procedure: ProcedureId,
    pub edges: Vec<Edge>,
    pub applications: Vec<Application>,
    pub exits: Vec<Exit>,
    /// Some exit is taken.
    pub guard: Formula,
    /// The values of the exit that is taken.
    pub exit: Vec<Formula>,
}

/// A call that was replaced by a summary.
pub(crate) struct Application {
    pub summary: Rc<Summary>,
    pub choices: Vec<Formula>,
    /// What is handed over, and what is taken back.
    pub entry: Vec<Formula>,
    pub exit: Vec<Formula>,
    /// The call is made and comes back.
    pub guard: Formula,
}

/// A way out, an error included.
pub(crate) struct Exit {
    pub guard: Formula,
    pub values: Vec<Formula>,
    pub from: EdgeId,
    pub kind: ExitKind,
}

pub(crate) enum ExitKind {
    Return {
        choices: Vec<Formula>,
    },
    AssertionFails {
        choices: Vec<Formula>,
    },
    Label,
    /// A call ended in an error.
    Call {
        application: usize,
    },
}

struct Unrolling<'s> {
    body: Body,
    summaries: &'s dyn Fn(ProcedureId) -> Rc<Summary>,
    /// By rank, edges that wait.
    waiting: BTreeMap<(u32, NodeId), Vec<EdgeId>>,
    /// By head, the edges of its visits.
    visits: FxHashMap<NodeId, Vec<EdgeId>>,
    /// By head, what the first of its visits brought, how many they are counted.
    collected: FxHashMap<NodeId, (usize, Collected)>,
    solver: Solver,
}

impl Simulation<'_> {
    /// Unrolls a procedure; gives the number of its body and its summary.
    pub(crate) fn unroll(
        &mut self,
        procedure: ProcedureId,
        summaries: &dyn Fn(ProcedureId) -> Rc<Summary>,
    ) -> Result<Rc<Summary>, Reason> {
        let body = Body {
            procedure,
            edges: Vec::new(),
            applications: Vec::new(),
            exits: Vec::new(),
            guard: Formula::FALSE,
            exit: Vec::new(),
        };
        let solver = Solver::new(&self.stop);
        let mut unrolling = Unrolling {
            body,
            summaries,
            waiting: BTreeMap::new(),
            visits: FxHashMap::default(),
            collected: FxHashMap::default(),
            solver,
        };
        let entry = self.entry_edge(procedure, Formula::TRUE, 0);
        self.wait(&mut unrolling, entry);
        while let Some(((_, node), parts)) = unrolling.waiting.pop_first() {
            self.look()?;
            let edge = match parts.as_slice() {
                [only] => *only,
                _ => {
                    let merged = self.merge(&unrolling.body.edges, &parts, true);
                    unrolling.body.edges.push(merged);
                    unrolling.body.edges.len() - 1
                }
            };
            if self.order(procedure).head[node.0 as usize] && !self.visit(&mut unrolling, edge)? {
                continue;
            }
            self.follow(&mut unrolling, edge);
        }
        let mut body = unrolling.body;
        let results = self.flow.procedure(procedure).results;
        // Where no exit is taken, too.
        body.exit = self.entry(procedure);
        body.exit.truncate(self.flow.globals.len());
        body.exit.extend((0..=results).map(|_| Formula::FALSE));
        for exit in body.exits.iter().rev() {
            body.guard = self.graph.or(exit.guard, body.guard);
            for (value, other) in body.exit.iter_mut().zip(&exit.values) {
                *value = self.graph.if_then_else(exit.guard, *other, *value);
            }
        }
        let summary = self.summary(procedure, body.guard, body.exit.clone(), Source::Body(self.bodies.len()));
        self.bodies.push(body);
        Ok(Rc::new(self.without_hidden(summary)?))
    }

    fn wait(&self, unrolling: &mut Unrolling<'_>, edge: Edge) {
        if edge.guard == Formula::FALSE {
            return;
        }
        let rank = self.order(unrolling.body.procedure).rank[edge.node.0 as usize];
        let node = edge.node;
        unrolling.body.edges.push(edge);
        unrolling.waiting.entry((rank, node)).or_default().push(unrolling.body.edges.len() - 1);
    }

    /// Visits the head of a loop. Says whether it is worth following.
    fn visit(&mut self, unrolling: &mut Unrolling<'_>, id: EdgeId) -> Result<bool, Reason> {
        let procedure = unrolling.body.procedure;
        let edge = &unrolling.body.edges[id];
        let node = edge.node;
        let (mut guard, values) = (edge.guard, self.live(procedure, node, &edge.values));
        let earlier: Vec<States> = unrolling
            .visits
            .get(&node)
            .into_iter()
            .flatten()
            .map(|id| &unrolling.body.edges[*id])
            .map(|edge| (edge.guard, self.live(procedure, node, &edge.values)))
            .collect();
        for (visited, same) in &earlier {
            let same = self.graph.all_equal(same.iter().copied().zip(values.iter().copied()));
            let again = self.graph.and(*visited, same);
            guard = self.graph.and(guard, !again);
        }
        unrolling.body.edges[id].guard = guard;
        if guard == Formula::FALSE {
            return Ok(false);
        }
        self.asked.satisfiable += 1;
        let conflicts = self.config.coverage.then_some(CONFLICTS);
        let hard = match unrolling.solver.solve_within(&self.graph, &[guard], conflicts) {
            Ok(false) => return Ok(false),
            Ok(true) => false,
            Err(Stopped) if self.stop.now() => return Err(self.stopped()),
            Err(Stopped) => true,
        };
        // Where sets have few variables, the question is not much harder than the other.
        let related = self.related(procedure);
        let often = self.has_few(related.len() + values.len()) && earlier.len() % 4 == 3;
        let asks = hard || often || (earlier.len() >= 2 && earlier.len().is_power_of_two());
        if self.config.coverage && asks {
            let count = values.len();
            let (visits, mut collected) = unrolling.collected.remove(&node).unwrap_or_default();
            for states in earlier.iter().skip(visits) {
                self.collect(&related, states.clone(), &mut collected)?;
            }
            let others = self.collected(&collected, count);
            unrolling.collected.insert(node, (earlier.len(), collected));
            if self.is_covered(&related, &(guard, values), &others)? {
                return Ok(false);
            }
        }
        unrolling.visits.entry(node).or_default().push(id);
        Ok(true)
    }

    /// Takes the step of an edge.
    fn follow(&mut self, unrolling: &mut Unrolling<'_>, id: EdgeId) {
        let procedure = unrolling.body.procedure;
        let edge = unrolling.body.edges[id].clone();
        let operation = &self.flow.node(procedure, edge.node).operation;
        if matches!(operation, Operation::Call { .. }) && !self.is_error_label(procedure, edge.node) {
            return self.call(unrolling, id, &edge);
        }
        let stepped = self.step(procedure, id, &edge);
        if let Some(end) = stepped.end {
            let globals = self.flow.globals.len();
            let (values, kind) = match end.kind {
                EndKind::Return(results) => {
                    let mut values = edge.values[..globals].to_vec();
                    values.extend(results);
                    values.push(Formula::FALSE);
                    (values, ExitKind::Return { choices: end.choices })
                }
                EndKind::AssertionFails => {
                    (self.error_exit(procedure), ExitKind::AssertionFails { choices: end.choices })
                }
                EndKind::Label => (self.error_exit(procedure), ExitKind::Label),
            };
            if end.guard != Formula::FALSE {
                unrolling.body.exits.push(Exit { guard: end.guard, values, from: id, kind });
            }
        }
        stepped.next.into_iter().for_each(|edge| self.wait(unrolling, edge));
    }

    fn call(&mut self, unrolling: &mut Unrolling<'_>, id: EdgeId, edge: &Edge) {
        let procedure = unrolling.body.procedure;
        let flow = self.flow;
        let node = flow.node(procedure, edge.node);
        let Operation::Call { procedure: callee, .. } = &node.operation else { unreachable!("a call") };
        let summary = (unrolling.summaries)(*callee);
        let choices = self.choices(procedure, edge.node);
        let entry = self.handed_over(&node.operation, &edge.values, &choices);
        let (comes_back, exit) = self.apply(&summary, &entry);
        let guard = self.graph.and(edge.guard, comes_back);
        let fails = *exit.last().expect("whether there was an error");
        let goes_on = self.graph.and(guard, !fails);
        let error = self.graph.and(guard, fails);
        let values = self.taken_back(&node.operation, &edge.values, &exit);
        let application = unrolling.body.applications.len();
        unrolling.body.applications.push(Application { summary, choices, entry, exit, guard });
        if error != Formula::FALSE {
            let (values, kind) = (self.error_exit(procedure), ExitKind::Call { application });
            unrolling.body.exits.push(Exit { guard: error, values, from: id, kind });
        }
        let origin = Origin::Call { from: id, application };
        self.wait(unrolling, Edge { node: node.next[0], guard: goes_on, values, origin });
    }

    /// The exit values where there is an error. The rest of them is never read; if shared variables are what they
    /// were, those that are never written visibly remain so.
    fn error_exit(&self, procedure: ProcedureId) -> Vec<Formula> {
        let mut values = self.entry(procedure);
        values.truncate(self.flow.globals.len());
        values.extend((0..self.flow.procedure(procedure).results).map(|_| Formula::FALSE));
        values.push(Formula::TRUE);
        values
    }
}
