//! A Boolean program as engines read it: names resolved, sugar gone, each procedure a control-flow graph.
//!
//! This is the thesis' form (Basler 2010, §3.1 and table 5.1): few kinds of steps, and branches as a choice of
//! successor followed by `assume`. [`lower`] makes it of a tree and is the one place where names are judged. What the
//! steps mean is written down, executably, in [`crate::interpreter`].
//!
//! How the language is lowered:
//!
//! 1. `if c then A else B fi` chooses between `assume c; A` and `assume !c; B`; `while` likewise. Each `*` in the two
//!    copies of `c` is a choice of its own.
//! 2. `goto` is a [`Operation::Skip`] of several successors.
//! 3. `schoose[p, n]` is `p | (!n & *)`.
//! 4. `dead v, w` is `v, w := *, *`.
//! 5. `enforce e` is an `assume e` before every statement of the procedure, that of its end included. It is a step of
//!    its own; a label leads to it, but a label is *reached* behind it.
//! 6. `ASYNC_1: f(...)` (any number, also with `__CPROVER_` before it) and `start_thread f(...)` start a thread in
//!    `f`, which ends when `f` returns. `start_thread goto L` copies the whole thread, stack included.
//! 7. The end of a procedure returns; missing return values are `*`.
//! 8. `print` and `decl` do nothing. A local variable may be declared anywhere before it is used and belongs to the
//!    whole procedure; it starts as `*` when the procedure is called. A local variable hides a shared one of its name.
//! 9. Targets named `_` throw a value away, unless a variable `_` is declared.

mod formula;
mod lower;
mod names;
mod procedures;
mod skip_removal;
mod slice;

pub use formula::{Formula, Variable};
pub use lower::lower;
pub use skip_removal::Shortened;
pub use slice::slice;

use crate::program::Place;
use std::fmt;

/// A whole program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flow {
    /// The names of the shared variables; [`Variable::Global`] counts them.
    pub globals: Vec<String>,
    pub procedures: Vec<Procedure>,
    /// Where the initial threads start.
    pub main: ProcedureId,
}

/// An index into [`Flow::procedures`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProcedureId(pub u32);

/// An index into [`Procedure::nodes`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    pub name: String,
    /// How many of the locals, the first ones, are parameters.
    pub parameters: usize,
    /// The names of the local variables; [`Variable::Local`] counts them.
    pub locals: Vec<String>,
    /// How many values it returns.
    pub results: usize,
    /// Never empty; control enters at the first.
    pub nodes: Vec<Node>,
}

impl Procedure {
    pub const ENTRY: NodeId = NodeId(0);

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

/// One place of control and the step that is taken there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub operation: Operation,
    /// Where control goes afterwards: one successor, of [`Operation::Skip`] one or more, of [`Operation::Return`] and
    /// [`Operation::EndThread`] none.
    pub next: Vec<NodeId>,
    /// How many choices `*` there are in the formulas of the operation, numbered from 0.
    pub choices: u32,
    /// The statement that it comes from.
    pub place: Place,
    /// The labels of this very place.
    pub labels: Vec<String>,
}

/// What a step does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Nothing but going on to one of the successors.
    Skip,
    /// All targets, which differ, get their values at once; no step where the constraint cannot hold.
    Assign {
        targets: Vec<Variable>,
        values: Vec<Formula>,
        constrain: Option<Formula>,
    },
    /// No step where it cannot hold.
    Assume(Formula),
    /// Fails where it can be false; goes on where it can be true.
    Assert(Formula),
    /// Arguments by value; afterwards results go to the targets, of which there are as many or none.
    Call {
        procedure: ProcedureId,
        arguments: Vec<Formula>,
        targets: Vec<Option<Variable>>,
    },
    /// To the caller; of the first procedure of a thread, the end of the thread.
    Return(Vec<Formula>),
    StartThread(ThreadEntry),
    EndThread,
    AtomicBegin,
    AtomicEnd,
}

/// Where a new thread starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ThreadEntry {
    /// Here in the same procedure, as a copy of the whole thread.
    Copy(NodeId),
    /// In a procedure of its own, with these arguments.
    Call { procedure: ProcedureId, arguments: Vec<Formula> },
}

impl Flow {
    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.0 as usize]
    }

    pub fn node(&self, procedure: ProcedureId, node: NodeId) -> &Node {
        self.procedure(procedure).node(node)
    }

    /// All procedures with their ids.
    pub fn enumerate(&self) -> impl Iterator<Item = (ProcedureId, &Procedure)> {
        self.procedures.iter().enumerate().map(|(index, procedure)| (ProcedureId(index as u32), procedure))
    }

    /// Whether any place has this label.
    pub fn has_label(&self, label: &str) -> bool {
        let mut nodes = self.procedures.iter().flat_map(|procedure| &procedure.nodes);
        nodes.any(|node| node.labels.iter().any(|l| l == label))
    }

    /// Whether some reachable procedure starts a thread.
    pub fn starts_threads(&self) -> bool {
        let reached = self.reachable_procedures();
        self.enumerate().any(|(id, procedure)| {
            reached[id.0 as usize]
                && procedure.nodes.iter().any(|node| matches!(node.operation, Operation::StartThread(_)))
        })
    }

    /// For each procedure, whether calls and thread starts lead to it from `main`. Control inside procedures is not
    /// considered.
    pub fn reachable_procedures(&self) -> Vec<bool> {
        let mut reached = vec![false; self.procedures.len()];
        let mut work = vec![self.main];
        while let Some(id) = work.pop() {
            if !std::mem::replace(&mut reached[id.0 as usize], true) {
                work.extend(self.procedure(id).callees());
            }
        }
        reached
    }

    /// Whether a procedure that calls lead to from `main` can be active twice on one stack.
    pub fn is_recursive(&self) -> bool {
        // Depth-first over calls only: a thread start opens a stack of its own, so it is a root like `main`.
        let reached = self.reachable_procedures();
        let mut color = vec![0u8; self.procedures.len()];
        for root in (0..self.procedures.len()).filter(|index| reached[*index]) {
            let mut stack = vec![(root, false)];
            while let Some((index, done)) = stack.pop() {
                if done {
                    color[index] = 2;
                } else if color[index] == 0 {
                    color[index] = 1;
                    stack.push((index, true));
                    for callee in self.procedures[index].called() {
                        match color[callee.0 as usize] {
                            0 => stack.push((callee.0 as usize, false)),
                            1 => return true,
                            _ => {}
                        }
                    }
                }
            }
        }
        false
    }
}

impl Procedure {
    /// The procedures that are called, as often as they are.
    fn called(&self) -> impl Iterator<Item = ProcedureId> {
        self.nodes.iter().filter_map(|node| match &node.operation {
            Operation::Call { procedure, .. } => Some(*procedure),
            _ => None,
        })
    }

    /// The procedures that are called or in which threads are started.
    fn callees(&self) -> impl Iterator<Item = ProcedureId> {
        self.nodes.iter().filter_map(|node| match &node.operation {
            Operation::Call { procedure, .. }
            | Operation::StartThread(ThreadEntry::Call { procedure, .. }) => Some(*procedure),
            _ => None,
        })
    }
}
