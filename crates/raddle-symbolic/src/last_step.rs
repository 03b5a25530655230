//! What a step of the machine does after its visible operation: the end of frames, scopes and threads.
//!
//! The machine has no scheduling point there. So the bytes that say that a local variable lives, or that the thread has
//! ended, are written by the node of the last scheduling point, of which a path remembers one for each of the paths that
//! met since. In an execution just one of these is the last step, under its condition.
//!
//! Where the last step has no node (no other thread notices it), or is the answer to a choice, it gets a node of its own: no
//! other thread observes the difference. The local computation with which a thread begins is part of the step that
//! creates it; here it has a node too, so that another thread may run before it: an over-approximation.
//!
//! The reachability tree evaluates what a node writes when it executes the node. After a merge of paths with different last
//! steps the conditions can depend on what later nodes read: then the end has a node of its own there, and the
//! unrolling is an over-approximation. That loses no execution; a schedule may fail to replay.

use std::rc::Rc;

use raddle_solver::Term;

use crate::contents::Chunk;
use crate::domain::TermDomain;
use crate::executor::{Executor, Path};
use crate::unrolling::*;

/// The last scheduling point of a path, by cases that exclude each other, given the path's guard.
#[derive(Clone, Debug)]
pub struct LastStep(Rc<Vec<(Term, Option<Node>)>>);

impl Default for LastStep {
    fn default() -> LastStep {
        LastStep::of(None)
    }
}

impl LastStep {
    pub fn of(node: Option<Node>) -> LastStep {
        LastStep(Rc::new(vec![(Term::TRUE, node)]))
    }

    /// Of two paths that meet; `mine` holds if it was this one.
    pub fn merge(&self, d: &TermDomain, mine: Term, other: &LastStep) -> LastStep {
        if self.0 == other.0 {
            return self.clone();
        }
        let others = d.not(mine);
        let cases = self.0.iter().map(|case| (mine, case)).chain(other.0.iter().map(|case| (others, case)));
        let mut merged: Vec<(Term, Option<Node>)> = Vec::new();
        for (whose, (condition, node)) in cases {
            let condition = d.and(whose, *condition);
            match merged.iter_mut().find(|(_, known)| known == node) {
                Some((known, _)) => *known = d.or(*known, condition),
                None => merged.push((condition, *node)),
            }
        }
        if let [(condition, _)] = merged.as_mut_slice() {
            *condition = Term::TRUE;
        }
        LastStep(Rc::new(merged))
    }
}

impl Executor<'_> {
    /// A scheduling point of the path.
    pub(crate) fn operation(&mut self, path: &mut Path, node: Option<Node>) {
        self.script(path.state.guard.term(), Step::Operation(node));
        path.state.last_step = LastStep::of(node);
    }

    /// The end of something gets a node of its own.
    pub(crate) fn is_of_several_steps(&self, path: &Path) -> bool {
        path.state.section.is_none() && path.state.last_step.0.len() > 1 && !self.by_order
    }

    /// The nodes of the last step, each with its condition.
    pub(crate) fn last_nodes(&mut self, path: &mut Path) -> Vec<(Term, Node)> {
        if let Some(node) = path.state.section_node() {
            return vec![(Term::TRUE, node)];
        }
        let mut cases = path.state.last_step.clone();
        if cases.0.len() > 1 && !self.by_order {
            cases = LastStep::default();
        }
        let guard = path.state.guard.term();
        let mut nodes = Vec::new();
        for (condition, node) in cases.0.iter() {
            let here = self.d.and(guard, *condition);
            if here != Term::FALSE {
                nodes.push((*condition, node.unwrap_or_else(|| self.new_node(here))));
            }
        }
        path.state.last_step = LastStep(Rc::new(nodes.iter().map(|(c, node)| (*c, Some(*node))).collect()));
        nodes
    }

    /// A write that is part of the last step.
    pub(crate) fn write_with_last_step(
        &mut self,
        path: &mut Path,
        condition: Term,
        range: Range,
        chunk: Chunk,
    ) {
        if path.state.section.is_some() || !self.is_contended(range) {
            self.write_range(path, None, condition, range, chunk);
            return;
        }
        self.approximate |= self.is_of_several_steps(path);
        for (case, node) in self.last_nodes(path) {
            let condition = self.d.and(condition, case);
            self.write_range(path, Some(node), condition, range, chunk);
        }
    }
}
