//! Liveness: which local variables are read later. The others need not be distinguished.
//!
//! The usual analysis, backwards over each procedure (Basler 2010, §10.9), for local variables only: a shared one may
//! be read by any other thread at any time. A procedure that waits for another keeps what it reads after the call,
//! without what the call assigns. A thread that starts as a copy reads what is live where it starts.
//!
//! What it says is kept small and safe: a variable that is called live may be dead, never the other way round.

use raddle_bp::flow::{
    Flow, Formula, Node, NodeId, Operation, Procedure, ProcedureId, ThreadEntry, Variable,
};

/// For each place, its live local variables.
pub struct Liveness {
    /// By procedure, node and local variable: live before the step.
    before: Vec<Vec<Vec<bool>>>,
    /// Nothing is known: everything counts as live.
    unknown: bool,
}

impl Liveness {
    pub fn new(flow: &Flow) -> Liveness {
        Liveness { before: flow.procedures.iter().map(procedure).collect(), unknown: false }
    }

    /// Everything is live.
    pub fn unknown(flow: &Flow) -> Liveness {
        let all = |procedure: &Procedure| vec![vec![true; procedure.locals.len()]; procedure.nodes.len()];
        Liveness { before: flow.procedures.iter().map(all).collect(), unknown: true }
    }

    /// Whether each local variable is live before the step of a node.
    pub fn before(&self, procedure: ProcedureId, node: NodeId) -> &[bool] {
        &self.before[procedure.0 as usize][node.0 as usize]
    }

    /// Whether each local variable is live while the procedure waits at a call.
    pub(crate) fn while_waiting(&self, flow: &Flow, procedure: ProcedureId, call: NodeId) -> Vec<bool> {
        let node = flow.node(procedure, call);
        let mut live = self.before(procedure, node.next[0]).to_vec();
        if let Operation::Call { targets, .. } = &node.operation
            && !self.unknown
        {
            targets.iter().flatten().for_each(|target| set(&mut live, *target, false));
        }
        live
    }
}

fn procedure(procedure: &Procedure) -> Vec<Vec<bool>> {
    let mut before = vec![vec![false; procedure.locals.len()]; procedure.nodes.len()];
    loop {
        let mut changed = false;
        for (index, node) in procedure.nodes.iter().enumerate().rev() {
            let live = step(node, &before, procedure.locals.len());
            changed |= live != before[index];
            before[index] = live;
        }
        if !changed {
            return before;
        }
    }
}

/// What is live before a step, given what is live before its successors.
fn step(node: &Node, before: &[Vec<bool>], locals: usize) -> Vec<bool> {
    let mut live = vec![false; locals];
    for successor in &node.next {
        join(&mut live, &before[successor.0 as usize]);
    }
    match &node.operation {
        Operation::Skip | Operation::EndThread | Operation::AtomicBegin | Operation::AtomicEnd => {}
        Operation::Assume(formula) | Operation::Assert(formula) => read(formula, &[], &mut live),
        Operation::Assign { targets, values, constrain } => {
            targets.iter().for_each(|target| set(&mut live, *target, false));
            values.iter().chain(constrain).for_each(|formula| read(formula, targets, &mut live));
        }
        Operation::Call { arguments, targets, .. } => {
            targets.iter().flatten().for_each(|target| set(&mut live, *target, false));
            arguments.iter().for_each(|formula| read(formula, &[], &mut live));
        }
        Operation::Return(values) => values.iter().for_each(|formula| read(formula, &[], &mut live)),
        Operation::StartThread(ThreadEntry::Copy(target)) => join(&mut live, &before[target.0 as usize]),
        Operation::StartThread(ThreadEntry::Call { arguments, .. }) => {
            arguments.iter().for_each(|formula| read(formula, &[], &mut live));
        }
    }
    live
}

fn read(formula: &Formula, assigned: &[Variable], live: &mut [bool]) {
    for_each_read(formula, assigned, &mut |variable| set(live, variable, true));
}

/// The variables that a formula reads. The next value of what is not assigned is its value now.
pub(crate) fn for_each_read(formula: &Formula, assigned: &[Variable], found: &mut dyn FnMut(Variable)) {
    formula.for_each_leaf(&mut |leaf| match leaf {
        Formula::Now(variable) => found(*variable),
        Formula::Next(variable) if !assigned.contains(variable) => found(*variable),
        _ => {}
    });
}

pub(crate) fn join(live: &mut [bool], more: &[bool]) {
    live.iter_mut().zip(more).for_each(|(live, more)| *live |= more);
}

fn set(live: &mut [bool], variable: Variable, value: bool) {
    if let Variable::Local(index) = variable {
        live[index as usize] = value;
    }
}
