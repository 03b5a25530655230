//! Liveness of shared variables in a sequential program: which are read later, by any procedure.
//!
//! Basler 2010, §10.9.1: backwards over all procedures at once. Before a call, what is live at the entry of the callee
//! is live; before a return, what is live behind any of the calls that may be returned to, without what these assign.
//! So a variable that a callee leaves alone stays live through it (listing 10.2). Context-insensitive: what one caller
//! reads is live for all.
//!
//! For one thread only: with more, any of them may read a shared variable at any time.

use crate::liveness::{for_each_read, join};
use raddle_bp::flow::{Flow, Formula, Node, NodeId, Operation, ProcedureId, Variable};

pub(crate) struct SharedLiveness {
    /// By procedure, node and shared variable: live before the step.
    before: Vec<Vec<Vec<bool>>>,
}

impl SharedLiveness {
    pub(crate) fn new(flow: &Flow) -> SharedLiveness {
        let globals = flow.globals.len();
        let mut before: Vec<Vec<Vec<bool>>> = flow
            .procedures
            .iter()
            .map(|procedure| vec![vec![false; globals]; procedure.nodes.len()])
            .collect();
        let mut returned = vec![vec![false; globals]; flow.procedures.len()];
        loop {
            let mut changed = false;
            for (id, procedure) in flow.enumerate() {
                let index = id.0 as usize;
                for (number, node) in procedure.nodes.iter().enumerate().rev() {
                    let live = step(node, index, &before, &mut returned, &mut changed, globals);
                    changed |= live != before[index][number];
                    before[index][number] = live;
                }
            }
            if !changed {
                return SharedLiveness { before };
            }
        }
    }

    /// Whether each shared variable is live before the step of a node.
    pub(crate) fn before(&self, procedure: ProcedureId, node: NodeId) -> &[bool] {
        &self.before[procedure.0 as usize][node.0 as usize]
    }
}

/// What is live before a step; a call also says what is live where its callee returns.
fn step(
    node: &Node,
    procedure: usize,
    before: &[Vec<Vec<bool>>],
    returned: &mut [Vec<bool>],
    changed: &mut bool,
    globals: usize,
) -> Vec<bool> {
    let mut live = vec![false; globals];
    for next in &node.next {
        join(&mut live, &before[procedure][next.0 as usize]);
    }
    match &node.operation {
        Operation::Skip | Operation::AtomicBegin | Operation::AtomicEnd | Operation::EndThread => {}
        // The thread is not started; its arguments are read all the same.
        Operation::StartThread(_) => {
            if let Operation::StartThread(raddle_bp::flow::ThreadEntry::Call { arguments, .. }) =
                &node.operation
            {
                arguments.iter().for_each(|formula| read(formula, &[], &mut live));
            }
        }
        Operation::Assume(formula) | Operation::Assert(formula) => read(formula, &[], &mut live),
        Operation::Assign { targets, values, constrain } => {
            targets.iter().for_each(|target| set(&mut live, *target, false));
            values.iter().chain(constrain).for_each(|formula| read(formula, targets, &mut live));
        }
        Operation::Call { procedure: callee, arguments, targets } => {
            targets.iter().flatten().for_each(|target| set(&mut live, *target, false));
            let known = &mut returned[callee.0 as usize];
            let all = known.clone();
            join(known, &live);
            *changed |= *known != all;
            live = before[callee.0 as usize][0].clone();
            arguments.iter().for_each(|formula| read(formula, &[], &mut live));
        }
        Operation::Return(values) => {
            join(&mut live, &returned[procedure]);
            values.iter().for_each(|formula| read(formula, &[], &mut live));
        }
    }
    live
}

fn read(formula: &Formula, assigned: &[Variable], live: &mut [bool]) {
    for_each_read(formula, assigned, &mut |variable| set(live, variable, true));
}

fn set(live: &mut [bool], variable: Variable, value: bool) {
    if let Variable::Global(index) = variable {
        live[index as usize] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_bp::flow::lower;
    use raddle_bp::program::parse;

    /// Listing 10.2 of the thesis: `g` is not read in `foo`, but after it.
    #[test]
    fn what_is_read_behind_a_call_is_live_in_the_callee() {
        let text =
            "decl g, h; void main() begin g := T; foo(); assert (g); h := g; end void foo() begin skip; end";
        let flow = lower(&parse(text).expect("a program")).expect("a program");
        let live = SharedLiveness::new(&flow);
        assert_eq!(live.before(ProcedureId(1), NodeId(0)), [true, false]);
        assert_eq!(live.before(ProcedureId(0), NodeId(0)), [false, false]);
        assert_eq!(live.before(ProcedureId(0), NodeId(1)), [true, false]);
    }
}
