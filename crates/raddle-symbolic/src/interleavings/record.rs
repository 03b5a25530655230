//! Schedule recording (Cordeiro and Fischer 2011, section 3.3): the whole tree in one formula, with a schedule.
//!
//! A run takes one edge at each level of the tree. The schedule has a literal for each level and thread that can be taken
//! there, at most one of them true at a level (the paper's thread selection variable of an effective context switch);
//! an edge is taken where the state above is reached, the schedule selects its thread and its condition holds. A state is
//! reached by one of its edges. What is judged on an edge is a disjunct of the query of its kind.
//!
//! Deviations: states with equal keys are one, so the formula is of a graph without cycles instead of a tree. The level of a
//! state is the number of nodes that its threads have passed, so that all ways to it have the same; a node that the thread
//! does not come to is passed with the one before it, hence a run may skip levels. Nothing is pruned by a solver while
//! the tree is built, only by constants.

use std::collections::BTreeMap;

use raddle_solver::{Blaster, Formula, Graph, Solver, Stopped, Term};
use rustc_hash::FxHashMap;

use super::findings::{Judge, Kind};
use super::state::{ABSENT, Key, State, Supports};
use super::tree::{Finding, Successor, Tree, What};
use super::{Limits, Statistics};
use crate::conflict_limit::ConflictLimit;
use crate::unrolling::Node;

/// A state, once all that leads to it is known.
struct Vertex {
    /// The vertex above, which of its successors this is, and when that edge is taken; the first has none.
    incoming: Vec<(usize, usize, Formula)>,
}

/// A state whose successors are still to be built.
struct Open {
    vertex: usize,
    state: State,
}

struct Recorded {
    what: What,
    happens: Formula,
    vertex: usize,
    /// The successor on whose edge it is judged; `None`: in the state itself.
    successor: Option<usize>,
}

pub struct Recording<'t, 'u> {
    tree: &'t mut Tree<'u>,
    pub(super) graph: Graph,
    blaster: Blaster,
    pub(super) solver: Solver,
    conflicts: ConflictLimit,
    vertices: Vec<Vertex>,
    findings: Vec<Recorded>,
    /// By level and thread.
    pub(super) schedule: BTreeMap<(u32, u32), Formula>,
    /// The literals of the first interleaving.
    pub(super) first: Vec<Formula>,
    pub(super) queries: u64,
    pub(super) iterations: u64,
    /// In the solver.
    solving: std::time::Duration,
}

pub fn explore(
    tree: &mut Tree,
    judge: &mut Judge,
    limits: &Limits,
    statistics: &mut Statistics,
    widen: bool,
) -> Result<(), Stopped> {
    let mut recording = Recording {
        tree,
        graph: Graph::new(),
        blaster: Blaster::new(),
        solver: Solver::new(&limits.stop),
        conflicts: limits.conflicts.clone(),
        vertices: Vec::new(),
        findings: Vec::new(),
        schedule: BTreeMap::new(),
        first: Vec::new(),
        queries: 0,
        iterations: 0,
        solving: std::time::Duration::ZERO,
    };
    recording.build(judge, limits, statistics)?;
    let result = recording.judge(judge, widen, statistics);
    statistics.queries += recording.queries;
    statistics.solving += recording.solving;
    statistics.iterations += recording.iterations;
    statistics.conflicts += recording.solver.statistics().conflicts;
    result
}

/// Increases along edges: nodes that were passed, then guards that were decided.
fn level(state: &State) -> (u32, usize) {
    let passed = state.positions.iter().filter(|position| **position != ABSENT).sum();
    let decided = state.pending.iter().filter(|pending| pending.as_boolean().is_some()).count();
    (passed, decided)
}

impl Recording<'_, '_> {
    fn formula(&mut self, term: Term) -> Formula {
        self.blaster.formula(self.tree.terms, &mut self.graph, term)
    }

    /// All states, level by level, so that all edges to a state are known when its successors are built.
    fn build(&mut self, judge: &Judge, limits: &Limits, statistics: &mut Statistics) -> Result<(), Stopped> {
        for constraint in self.tree.steps.constraints.clone() {
            let formula = self.formula(constraint);
            self.solver.assert(&self.graph, formula);
        }
        let Some(first) = self.tree.first() else { return Ok(()) };
        type Level = FxHashMap<(Key, [u64; 2]), Open>;
        let mut open: BTreeMap<(u32, usize), Level> = BTreeMap::new();
        let mut supports = Supports::default();
        self.vertices.push(Vertex { incoming: Vec::new() });
        self.record(judge, &first.findings, Formula::TRUE, 0, None);
        let condition = self.formula(first.condition);
        self.solver.assert(&self.graph, condition);
        if first.condition == Term::FALSE {
            return Ok(());
        }
        let key = self.key(&first.state, &mut supports);
        open.entry(level(&first.state)).or_default().insert(key, Open { vertex: 0, state: first.state });
        // The first interleaving is the one that takes the first successor of each state.
        let mut leading = Some(0);
        while let Some((_, states)) = open.pop_first() {
            let mut states: Vec<Open> = states.into_values().collect();
            states.sort_by_key(|open| open.vertex);
            for Open { vertex, state } in states {
                statistics.states += 1;
                limits.check(self.tree.bytes() + 100 * self.graph.len() + 200 * self.vertices.len())?;
                let reached = self.reached(vertex);
                let (successors, waits) = self.tree.successors(&state);
                if waits && judge.wants(What::Deadlock) {
                    let (deadlock, mut findings) = self.tree.deadlock(&state);
                    findings.push(Finding { what: What::Deadlock, guard: deadlock });
                    self.record(judge, &findings, reached, vertex, None);
                }
                statistics.interleavings += successors.is_empty() as u64;
                let at = level(&state).0;
                let leads = leading == Some(vertex);
                for (index, Successor { state, node, condition, findings }) in
                    successors.into_iter().enumerate()
                {
                    let taken = match node {
                        Some(node) => {
                            let thread = self.tree.steps.steps[node.0 as usize].thread as u32;
                            let selected = self.selection(at, thread);
                            if leads && index == 0 {
                                self.first.push(selected);
                            }
                            self.graph.and(reached, selected)
                        }
                        None => reached,
                    };
                    self.record(judge, &findings, taken, vertex, Some(index));
                    let condition = self.formula(condition);
                    let taken = self.graph.and(taken, condition);
                    if taken == Formula::FALSE {
                        continue;
                    }
                    let key = self.key(&state, &mut supports);
                    let next = self.vertices.len();
                    let known = open.entry(level(&state)).or_default().entry(key);
                    statistics.interleavings +=
                        matches!(known, std::collections::hash_map::Entry::Occupied(_)) as u64;
                    let target = known.or_insert(Open { vertex: next, state }).vertex;
                    if target == next {
                        self.vertices.push(Vertex { incoming: Vec::new() });
                    }
                    self.vertices[target].incoming.push((vertex, index, taken));
                    if leads && index == 0 {
                        leading = Some(target);
                    }
                }
            }
        }
        let levels: Vec<u32> = self.schedule.keys().map(|(level, _)| *level).collect();
        for level in levels {
            let here: Vec<Formula> =
                self.schedule.range((level, 0)..(level + 1, 0)).map(|(_, f)| *f).collect();
            for (i, a) in here.iter().enumerate() {
                for b in &here[i + 1..] {
                    let both = self.graph.and(*a, *b);
                    self.solver.assert(&self.graph, !both);
                }
            }
        }
        Ok(())
    }

    fn key(&self, state: &State, supports: &mut Supports) -> (Key, [u64; 2]) {
        let counts = self.tree.bounds.is_bounded();
        let key = state.key(&self.tree.steps, self.tree.terms, supports, counts);
        (key, if counts { [state.switches, state.preemptions] } else { [0; 2] })
    }

    fn selection(&mut self, level: u32, thread: u32) -> Formula {
        let graph = &mut self.graph;
        *self.schedule.entry((level, thread)).or_insert_with(|| graph.fresh())
    }

    /// When a state is reached: a literal of its own, so that formulas do not nest.
    fn reached(&mut self, vertex: usize) -> Formula {
        let incoming: Vec<Formula> = self.vertices[vertex].incoming.iter().map(|(.., f)| *f).collect();
        match incoming.as_slice() {
            [] => Formula::TRUE,
            [one] => *one,
            _ => self.graph.any(incoming),
        }
    }

    fn record(
        &mut self,
        judge: &Judge,
        findings: &[Finding],
        taken: Formula,
        vertex: usize,
        successor: Option<usize>,
    ) {
        for finding in findings.iter().filter(|f| f.guard != Term::FALSE && judge.wants(f.what)) {
            let guard = self.formula(finding.guard);
            let happens = self.graph.and(taken, guard);
            if happens != Formula::FALSE {
                self.findings.push(Recorded { what: finding.what, happens, vertex, successor });
            }
        }
    }

    /// One query for each kind of finding.
    fn judge(&mut self, judge: &mut Judge, widen: bool, statistics: &mut Statistics) -> Result<(), Stopped> {
        let mut kinds: Vec<Kind> = Vec::new();
        for finding in &self.findings {
            let kind = judge.kind(finding.what);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        for kind in kinds {
            loop {
                let wanted = |f: &&Recorded| judge.kind(f.what) == kind && judge.wants(f.what);
                let goals: Vec<Formula> = self.findings.iter().filter(wanted).map(|f| f.happens).collect();
                if goals.is_empty() {
                    break;
                }
                let goal = self.graph.any(goals);
                let found = match widen {
                    true => self.ask_widening(goal)?,
                    false => self.ask(&[goal])?,
                };
                if !found {
                    break;
                }
                let true_one = |f: &Recorded, solver: &mut Solver, graph: &Graph| {
                    judge.kind(f.what) == kind
                        && judge.wants(f.what)
                        && solver.formula_value(graph, f.happens)
                };
                let (solver, graph) = (&mut self.solver, &self.graph);
                let Some(index) = self.findings.iter().position(|f| true_one(f, solver, graph)) else {
                    break;
                };
                statistics.failed += judge.is_violation(self.findings[index].what) as u64;
                self.report(judge, index);
                if judge.is_done() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Asks the solver, within the limit of conflicts.
    pub(super) fn ask(&mut self, assumed: &[Formula]) -> Result<bool, Stopped> {
        self.queries += 1;
        self.conflicts.solve(&mut self.solver, &self.graph, assumed, &mut self.solving)
    }

    /// Follows the model back to the first state, and executes the way from there again.
    fn report(&mut self, judge: &mut Judge, index: usize) {
        let Recorded { what, vertex, successor, .. } = self.findings[index];
        let model = self.blaster.assignment(self.tree.terms, &self.graph, &mut self.solver);
        let mut way: Vec<usize> = Vec::new();
        let mut at = vertex;
        while !self.vertices[at].incoming.is_empty() {
            let (solver, graph) = (&mut self.solver, &self.graph);
            let taken = self.vertices[at].incoming.iter().find(|(.., f)| solver.formula_value(graph, *f));
            let (above, index, _) = *taken.expect("a state that is reached has an edge that is taken");
            way.push(index);
            at = above;
        }
        way.reverse();
        way.extend(successor);
        let mut sequence: Vec<Node> = Vec::new();
        let mut state = self.tree.first().expect("it was there before").state;
        for index in way {
            let edge = self.tree.successors(&state).0.swap_remove(index);
            sequence.extend(edge.node);
            state = edge.state;
        }
        judge.found(what, &self.tree.steps, self.tree.terms, &sequence, &state, model);
    }
}
