//! The lazy style (Cordeiro and Fischer 2011, section 3.2): the tree depth-first, with the solver asked on the way.
//!
//! The paper derives one verification condition at each leaf, whose guards were not checked for satisfiability before.
//! Ours is asked for each check when its step is executed, under the path condition there, and for each condition that a
//! step adds, so that infeasible branches are pruned. Most guards are constants after the values along the path are known,
//! and need no solver. Unlike in the paper a state is explored once: states with equal keys have the same future.
//!
//! Complete within the bounds on switches. A duplicate is recognised by equality of terms, which equivalent terms may lack.

use raddle_solver::{Stopped, Term};
use rustc_hash::FxHashMap;

use super::findings::Judge;
use super::queries::Queries;
use super::state::{Key, State, Supports};
use super::tree::{Finding, Successor, Tree, What};
use super::{Limits, Statistics};
use crate::unrolling::Node;

struct Frame {
    state: State,
    /// Successors that are still to be explored.
    rest: std::vec::IntoIter<Successor>,
    /// The length of the sequence of nodes at this state.
    length: usize,
    failed: bool,
}

struct Search<'t, 'u, 'j, 'c> {
    tree: &'t mut Tree<'u>,
    judge: &'j mut Judge<'c>,
    queries: Queries,
    /// By key, with which counts of switches it was explored.
    seen: FxHashMap<Key, Vec<(u64, u64)>>,
    supports: Supports,
    sequence: Vec<Node>,
    bytes: usize,
}

pub fn explore(
    tree: &mut Tree,
    judge: &mut Judge,
    limits: &Limits,
    statistics: &mut Statistics,
) -> Result<(), Stopped> {
    let queries = Queries::new(tree.terms, &tree.steps.constraints, limits);
    let mut search = Search {
        tree,
        judge,
        queries,
        seen: FxHashMap::default(),
        supports: Supports::default(),
        sequence: Vec::new(),
        bytes: 0,
    };
    let result = search.run(limits, statistics);
    statistics.queries += search.queries.asked;
    statistics.solving += search.queries.solving;
    statistics.conflicts += search.queries.used_conflicts();
    result
}

impl Search<'_, '_, '_, '_> {
    fn run(&mut self, limits: &Limits, statistics: &mut Statistics) -> Result<(), Stopped> {
        let Some(first) = self.tree.first() else { return Ok(()) };
        let mut stack: Vec<Frame> = Vec::new();
        let mut next = Some((first, false));
        loop {
            if self.judge.is_done() {
                return Ok(());
            }
            if let Some((edge, failed)) = next.take() {
                statistics.states += 1;
                let bytes = self.bytes + self.tree.bytes() + self.queries.bytes() as usize;
                limits.check(bytes)?;
                let above = stack.last().map(|frame| frame.state.facts.clone());
                let conjuncts = above.as_ref().map_or(&[][..], |facts| facts.conjuncts());
                let before = self.sequence.len();
                self.sequence.extend(edge.node);
                let found = self.judge_all(conjuncts, &edge.findings, &edge.state)?;
                let failed = failed || found;
                if edge.condition != Term::TRUE && !self.holds(conjuncts, edge.condition)? {
                    self.sequence.truncate(before);
                    continue;
                }
                if self.is_duplicate(&edge.state) {
                    statistics.interleavings += 1;
                    statistics.failed += failed as u64;
                    self.sequence.truncate(before);
                    continue;
                }
                let (successors, waits) = self.tree.successors(&edge.state);
                let mut failed = failed;
                if waits && self.judge.wants(What::Deadlock) {
                    let (deadlock, others) = self.tree.deadlock(&edge.state);
                    let mut findings = others;
                    findings.push(Finding { what: What::Deadlock, guard: deadlock });
                    let conjuncts = edge.state.facts.clone();
                    failed |= self.judge_all(conjuncts.conjuncts(), &findings, &edge.state)?;
                }
                if successors.is_empty() {
                    statistics.interleavings += 1;
                    statistics.failed += failed as u64;
                }
                let length = self.sequence.len();
                stack.push(Frame { state: edge.state, rest: successors.into_iter(), length, failed });
                continue;
            }
            let Some(frame) = stack.last_mut() else { return Ok(()) };
            self.sequence.truncate(frame.length);
            match frame.rest.next() {
                Some(edge) => next = Some((edge, frame.failed)),
                None => {
                    stack.pop();
                }
            }
        }
    }

    fn holds(&mut self, conjuncts: &[Term], condition: Term) -> Result<bool, Stopped> {
        let all: Vec<Term> = conjuncts.iter().copied().chain([condition]).collect();
        self.queries.holds(self.tree.terms, &all)
    }

    /// Judges findings; whether one is a violation.
    fn judge_all(
        &mut self,
        conjuncts: &[Term],
        findings: &[Finding],
        state: &State,
    ) -> Result<bool, Stopped> {
        let mut violated = false;
        for finding in findings {
            if finding.guard == Term::FALSE {
                continue;
            }
            if !self.judge.wants(finding.what) {
                violated |= finding.guard == Term::TRUE && self.judge.is_violation(finding.what);
                continue;
            }
            if self.holds(conjuncts, finding.guard)? {
                let model = self.queries.model();
                let (steps, terms) = (&self.tree.steps, &*self.tree.terms);
                self.judge.found(finding.what, steps, terms, &self.sequence, state, model);
                violated |= self.judge.is_violation(finding.what);
            }
        }
        Ok(violated)
    }

    /// Whether an equal state was explored with as few switches.
    fn is_duplicate(&mut self, state: &State) -> bool {
        let counts = self.tree.bounds.is_bounded();
        let key = state.key(&self.tree.steps, self.tree.terms, &mut self.supports, counts);
        let bounds = self.tree.bounds;
        let of = |count: u64, most: Option<u64>| most.map_or(0, |_| count);
        let used = (of(state.switches, bounds.switches), of(state.preemptions, bounds.preemptions));
        let size = 4 * (key.0.len() + key.1.len()) + 100;
        let known = self.seen.entry(key).or_default();
        if known.iter().any(|(switches, preemptions)| *switches <= used.0 && *preemptions <= used.1) {
            return true;
        }
        if known.is_empty() {
            self.bytes += size;
        }
        known.retain(|(switches, preemptions)| used.0 > *switches || used.1 > *preemptions);
        known.push(used);
        false
    }
}
